// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
extern "C" __attribute__((global)) void empty_kernel(int* p) { *p = 1; }
