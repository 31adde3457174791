// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a language has no words for is refused, all in one report, with lines; nothing else is written in its place.
//
// RUN: not %compile %s -t metal -o %t 2>&1 | FileCheck %s --check-prefix=METAL
// RUN: not %compile %s -t metal -O 0 -o %t 2>&1 | FileCheck %s --check-prefix=METAL
// RUN: not %compile %s -t opencl-c:cl1.2 -k follow -k counter -k wide -k set -k stop -k order -k relaxed -o %t 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: %compile %s -t opencl-c:cl1.2 -k relaxed --emit cl -o - | FileCheck %s --check-prefix=RELAXED
// RUN: not %compile %s -t metal -k either -o %t 2>&1 | FileCheck %s --check-prefix=ONCE --implicit-check-not='{{^error:}}'
// RUN: not %compile %s -t opencl-c:cl2.9 -o %t 2>&1 | FileCheck %s --check-prefix=ARCH
// RUN: not %compile %s -t opencl-c --entry-abi bare -k twofold -k recursive -k stop -o %t 2>&1 | FileCheck %s --check-prefix=NEW
// RUN: not %compile %s -t opencl-c -k twofold --emit ptx -o %t 2>&1 | FileCheck %s --check-prefix=FORMAT
#include <lathe/device.h>

// ARCH: opencl-c: architecture 'cl2.9' {{.*}}cl
// FORMAT: target 'opencl-c' does not emit 'ptx'

// METAL-DAG: text_errors.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: double precision on metal:msl3.2
extern "C" LATHE_KERNEL void twofold(double* x) {
  x[0] *= 2;
}

// METAL-DAG: text_errors.cpp:[[#@LINE+4]]:{{[0-9]+}}: error: a pointer that may lead to memory of any kind on metal:msl3.2
// OLD-DAG: text_errors.cpp:[[#@LINE+3]]:{{[0-9]+}}: error: a pointer that may lead to memory of any kind on opencl-c:cl1.2
extern "C" LATHE_KERNEL void follow(int** list, int* out) {
  // The memory of a loaded pointer is anyone's guess.
  out[0] = *list[1];
}

// METAL-DAG: text_errors.cpp:[[#@LINE+3]]:{{[0-9]+}}: error: atomic_add_i64 ({{.*}}) does not exist on metal:msl3.2
// OLD-DAG: text_errors.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: atomic_add_i64 ({{.*}}) does not exist on opencl-c:cl1.2
extern "C" LATHE_KERNEL void counter(unsigned long* x) {
  lathe::atomic_add(&x[0], 1UL);
}

// METAL-DAG: text_errors.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: the function 'precise::erf' on metal:msl3.2
extern "C" LATHE_KERNEL void error_function(float* x) {
  x[0] = __builtin_erff(x[0]);
}

// METAL-DAG: text_errors.cpp:[[#@LINE+3]]:{{[0-9]+}}: error: 128-bit integers on metal:msl3.2
extern "C" LATHE_KERNEL void wide(unsigned long* in, float* out) {
  const unsigned __int128 x = in[0];
  out[0] = static_cast<float>(x * in[1] * in[2]);
}

// METAL-DAG: error: the variable 'state' of the program, which has no initial value and no host to fill it, on metal:msl3.2
// OLD-DAG: error: the variable 'state' of the program, which has no initial value and no host to fill it, on opencl-c:cl1.2
LATHE_CONSTANT int state[4];
extern "C" LATHE_KERNEL void set(int* out, unsigned which) {
  out[0] = state[which];
}

// NEW-DAG: text_errors.cpp:[[#@LINE+4]]:{{[0-9]+}}: error: 'fibonacci(int)' calls itself, directly or not
// METAL-DAG: text_errors.cpp:[[#@LINE+3]]:{{[0-9]+}}: error: 'fibonacci(int)' calls itself, directly or not
[[gnu::noinline]] int fibonacci(int n) {
  if (n < 2) return n;
  return fibonacci(n - 1) + fibonacci(n - 2);
}
extern "C" LATHE_KERNEL void recursive(int* out) {
  *out = fibonacci(*out);
}

// NEW-DAG: text_errors.cpp:[[#@LINE+3]]:{{[0-9]+}}: error: a trap in a kernel with the entry ABI 'bare' on opencl-c:cl3.0
// OLD-DAG: text_errors.cpp:[[#@LINE+2]]:{{[0-9]+}}: error: trap ({{.*}}) does not exist on opencl-c:cl1.2
extern "C" LATHE_KERNEL void stop(int* out) {
  if (*out) lathe::trap();
}

// Groups see each other's writes in no order; what orders nothing else is an atomic function.
// OLD-DAG: text_errors.cpp:[[#@LINE+3]]:{{[0-9]+}}: error: fence of the scope 'device', an order that its items see, does not exist on opencl-c:cl1.2
extern "C" LATHE_KERNEL void order(int* out) {
  out[0] = 1;
  lathe::fence();
  out[1] = 1;
}
// RELAXED-DAG: atomic_or((volatile __global uint *)a0, 0u)
// RELAXED-DAG: atomic_xchg((volatile __global uint *)
// RELAXED-DAG: atomic_add((volatile __global uint *)
extern "C" LATHE_KERNEL void relaxed(int* out) {
  lathe::atomic_store<lathe::order::relaxed>(&out[1], lathe::atomic_load<lathe::order::relaxed>(&out[0]));
  lathe::atomic_add<lathe::order::relaxed>(&out[2], 1);
}

// ONCE: text_errors.cpp:[[#@LINE+6]]:{{[0-9]+}}: error: a pointer that may lead to memory of any kind on metal
extern "C" LATHE_KERNEL void either(float* in, float* out, int n) {
  LATHE_SHARED float tile[32];
  tile[lathe::item_id().x] = in[lathe::item_id().x];
  lathe::barrier();
  float* const from = n ? in : tile;
  out[0] = from[lathe::item_id().x];
}
