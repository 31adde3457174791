// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of 128 bits that a platform passes and returns by address are values for the device ABI.
//
// RUN: env LATHE_TARGET_PATH=%S/../../conformance/processors %dump-after import -t s390x -O0 2>&1 | FileCheck %s

#include <lathe/device.h>

struct alignas(16) Pair {
  unsigned long first, second;
};

// CHECK: [[EXPECTED:%.+]] = load i128, ptr %byval-temp
// CHECK: [[DESIRED:%.+]] = load i128, ptr %byval-temp1
// CHECK: [[OLD:%.+]] = call i128 @__lathe_atomic_cas_i128(ptr %{{.+}}, i128 [[EXPECTED]], i128 [[DESIRED]], i32 0, i32 3)
// CHECK-NEXT: store i128 [[OLD]], ptr %tmp
// CHECK: declare i128 @__lathe_atomic_cas_i128(ptr, i128, i128, i32, i32)
LATHE_KERNEL void exchange(Pair* cells) {
  lathe::atomic_compare_exchange(cells, {1, 2}, {3, 4});
}
