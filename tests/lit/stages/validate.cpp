// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Validation reports what survives, all of it at once, with the chain of calls from the kernel; what the optimiser
// removed is not an error.
//
// RUN: rm -f %t.out
// RUN: not %compile %s -t opencl-c -o %t.out 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not %compile %s -t opencl-c -O 0 -o %t.out 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: test ! -e %t.out
// RUN: %compile %s -t opencl-c -DGUARD -o %t.out && %compile %s -t opencl-c -DGUARD -O 0 -o %t.out
#include <lathe/device.h>

#ifdef GUARD
#define WHERE lathe::target_is("elsewhere")
#else
#define WHERE true
#endif

// BOTH-DAG: validate.cpp:[[#@LINE+1]]:{{[0-9]+}}: error: clock ({{.*}}) does not exist on opencl-c:
unsigned swap(unsigned x) { return WHERE ? static_cast<unsigned>(__lathe_clock()) : x; }
unsigned through(unsigned x) { return swap(x) + 1; }

// BOTH-DAG: note: in kernel 'exchange(unsigned int*)'
// BOTH-DAG: hint: keep the call from this target
LATHE_KERNEL void exchange(unsigned* data) { data[lathe::global_id().x] = through(data[lathe::global_id().x]); }

// BOTH-DAG: validate.cpp:[[#@LINE+3]]:{{[0-9]+}}: error: 'nowhere(int)' is called but nothing defines it
// BOTH-DAG: note: in kernel 'call(int*)'
int nowhere(int);
LATHE_KERNEL void call(int* data) { *data = WHERE ? nowhere(*data) : 0; }
