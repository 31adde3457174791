// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled without -fPIC: the table is reached by a 32-bit absolute address.
static const int table[] = {4, 8, 15, 16, 23, 42};
int entry(unsigned long i) {
  return table[i];
}
