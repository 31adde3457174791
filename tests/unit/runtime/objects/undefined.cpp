// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls a function that exists in the C library but not on the list of allowed ones.
extern "C" {
int system(const char*);
int entry(const char* command) {
  return system(command) + 1;
}
}
