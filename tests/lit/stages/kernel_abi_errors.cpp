// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernel ABI refuses stands in one report with everything else: parameters, bounds, atomics without constants,
// exported functions and what only validation sees.
//
// RUN: not %compile %s -t cuda:sm_60 -o %t 2>&1 | FileCheck %s
// RUN: not %compile %s -t object --emit object -o %t 2>&1 | FileCheck %s --check-prefix=OBJECT
// RUN: not %compile %s -t object --emit portable -o %t 2>&1 | FileCheck %s --check-prefix=PORTABLE
#include <lathe/device.h>

int elsewhere(int);

struct Large {
  char bytes[5000];
};

// CHECK: kernel_abi_errors.cpp:[[#@LINE+3]]: error: kernel 'first' takes 5008 bytes of parameters, cuda:sm_60 passes at most 4096
// CHECK: note: in kernel 'first(Large, int*)'
// CHECK: hint: put it into device memory
LATHE_KERNEL void first(Large large, int* out) {
  *out = large.bytes[17];
}

// CHECK: kernel_abi_errors.cpp:[[#@LINE+3]]: error: kernel 'second' takes 5008 bytes
// CHECK: note: in kernel 'second(int*, Large)'
// CHECK: hint:
LATHE_KERNEL void second(int* out, Large large) {
  *out = large.bytes[17];
}

// CHECK: kernel_abi_errors.cpp:[[#@LINE+3]]: error: kernel 'third': groups of 2000 items; cuda:sm_60 runs at most 1024
// CHECK: note: in kernel 'third(int*)'
// CHECK: hint: let each item do more
LATHE_BOUNDS(2000) LATHE_KERNEL void third(int* out) {
  *out = 1;
}

// CHECK: kernel_abi_errors.cpp:[[#@LINE+4]]:{{[0-9]+}}: error: __lathe_atomic_add_i32: order and scope must be values of the enumerations
// CHECK: note: in kernel 'fourth(unsigned int*)'
// CHECK: hint: pass enumerators
LATHE_KERNEL void fourth(unsigned* out) {
  __lathe_atomic_add_i32(out, 1, 17, 2);
}

// CHECK: kernel_abi_errors.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: 'elsewhere(int)' is called but nothing defines it
LATHE_KERNEL void fifth(int* out) {
  *out = elsewhere(1);
}

// OBJECT: error: __lathe_atomic_add_i32: order and scope
// OBJECT: error: 'elsewhere(int)' is called
// OBJECT: kernel_abi_errors.cpp:[[#@LINE+3]]: error: exported function 'taker' takes parameter 'large' of type 'Large' by value
// OBJECT: kernel_abi_errors.cpp:[[#@LINE+5]]: error: exported function 'giver' returns 'Large' by value
// PORTABLE-COUNT-2: error: exported function
LATHE_EXPORT int taker(Large large) {
  return large.bytes[0];
}
LATHE_EXPORT Large giver() {
  return {};
}
