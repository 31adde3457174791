// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
int ask();
int asked = ask();
int ask() {
  static volatile int value = 3;
  return value;
}
