// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What SPIR-V cannot express is refused before LLVM's back end sees it, all in one report, with call chains and lines.
//
// RUN: not %compile %s -t spirv --entry-abi bare -o %t 2>&1 | FileCheck %s
// RUN: not %compile %s -t spirv --entry-abi bare -O 0 -o %t 2>&1 | FileCheck %s
// RUN: not %compile %s -t spirv:spv1.2 -o %t 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: not %compile %s -t spirv:spv1.9 -o %t 2>&1 | FileCheck %s --check-prefix=ARCH
#include <lathe/device.h>

// ARCH: spirv: architecture 'spv1.9' {{.*}}spv1.

// CHECK-DAG: spirv_errors.cpp:[[#@LINE+3]]:{{[0-9]+}}: error: 'fibonacci(int)' calls itself, directly or not
// CHECK-DAG: spirv_errors.cpp:[[#@LINE+6]]:{{[0-9]+}}: note: {{.*}}in kernel 'recursive(int*)'
[[gnu::noinline]] int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

LATHE_KERNEL void recursive(int* out) {
  *out = fibonacci(*out);
}

// CHECK-DAG: spirv_errors.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: a trap in a kernel with the entry ABI 'bare' on spirv:spv1.4
LATHE_KERNEL void stop(int* out) {
  if (*out) lathe::trap();
}

// OLD-DAG: spirv_errors.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: shuffle_xor_i32 ({{.*}}) does not exist on spirv:spv1.2
LATHE_KERNEL void exchange(int* out) {
  out[lathe::item_id().x] = int(__lathe_shuffle_xor_i32(~0u, unsigned(out[lathe::item_id().x]), 1, 32));
}

// A second look at what the optimiser makes of it would be too late: the size is known at launch only.
// CHECK-DAG: error: a local array of run-time size on spirv:spv1.4
LATHE_KERNEL void array(int* out, int n) {
  int* const local = static_cast<int*>(__builtin_alloca(static_cast<unsigned>(n) * 4));
  for (int i = 0; i < n; ++i) local[i] = out[i];
  for (int i = 0; i < n; ++i) out[i] = local[n - 1 - i];
}

// CHECK-DAG: spirv_errors.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: a cycle counter on spirv:spv1.4
LATHE_KERNEL void cycles(unsigned long* out) {
  *out = __builtin_readcyclecounter();
}

// CHECK-DAG: spirv_errors.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: a trap in a kernel with the entry ABI 'bare' on spirv:spv1.4
LATHE_KERNEL void builtin(const int* in) {
  if (*in) __builtin_trap();
}
