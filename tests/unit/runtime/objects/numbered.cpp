// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shared object that tells its own from another of the same names.
extern "C" __attribute__((visibility("default"))) int number() {
  return NUMBER;
}
