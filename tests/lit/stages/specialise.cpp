// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specialise folds what the job fixes: the target, the architecture, parameters and the group size. The branch of
// another target is gone at every level, so what it calls cannot be missed there.
//
// RUN: %dump-after specialise -t cuda:sm_90 -O 0 2>&1 | FileCheck %s --check-prefixes=FOLDED,CUDA
// RUN: %dump-after specialise -t cuda:sm_90 -O 3 2>&1 | FileCheck %s --check-prefixes=FOLDED,CUDA
// RUN: %dump-after specialise -t cuda:sm_75 -O 0 2>&1 | FileCheck %s --check-prefixes=FOLDED,OLD
// RUN: %dump-after specialise -t amdgpu -O 0 2>&1 | FileCheck %s --check-prefixes=FOLDED,OTHER
// RUN: %dump-after specialise -t cuda:sm_90 -O 0 --param width=40 --group-size 128 2>&1 | FileCheck %s --check-prefix=FIXED
//
// A function that nothing defines, called only where another target is compiled for: accepted at every level.
// RUN: %compile %s -t cuda -O 0 -o %t.O0 && %compile %s -t cuda -O 3 -o %t.O3
#include <lathe/device.h>

extern "C" int only_on_elsewhere(int);

LATHE_KERNEL void choose(int* out) {
  // FOLDED-LABEL: define void @_Z6choosePi
  // FOLDED-NOT: only_on_elsewhere
  // FOLDED-NOT: __lathe_target_is
  // CUDA: store i32 90
  // OLD: store i32 75
  // OTHER: store i32 1
  // FOLDED: ret void
  if (lathe::target_is("elsewhere")) *out = only_on_elsewhere(*out);
  else if (!lathe::target_is("cuda")) *out = 1;
  else if (lathe::arch_at_least(90)) *out = 90;
  else *out = 75;
}

// FIXED-LABEL: define void @_Z5fixedPl
// FIXED-NOT: __lathe_param
// FIXED-NOT: __lathe_group_size
// FIXED: store i64 40
// FIXED: store i64 128
LATHE_KERNEL void fixed(long* out) {
  out[0] = lathe::param("width");
  out[1] = lathe::group_size().x;
}

// Architectures by name, as a whole.
// RUN: %dump-after specialise -t amdgpu:gfx942 -O 0 2>&1 | FileCheck %s --check-prefixes=NAMED,GFX942
// RUN: %dump-after specialise -t amdgpu:gfx90a -O 0 2>&1 | FileCheck %s --check-prefixes=NAMED,GFX90A
// NAMED-LABEL: define void @_Z5namedPi
// GFX942: store i32 942
// GFX90A: store i32 90
// NAMED-NOT: store
// NAMED: ret void
LATHE_KERNEL void named(int* out) {
  if (lathe::target_is("amdgpu:gfx9") || lathe::target_is("cuda:gfx.*") || lathe::target_is("amdgpu:")) *out = 1;
  else if (lathe::target_is("amdgpu:gfx94[0-9]|gfx950")) *out = 942;
  else if (lathe::target_is("amdgpu:gfx90a")) *out = 90;
}

// A mistake in an expression is an error with its line, whichever target it names.
// RUN: not %compile -DMISTAKE %s -t amdgpu:gfx90a -o %t.wrong 2>&1 | FileCheck %s --check-prefix=MISTAKE
// RUN: not %compile -DMISTAKE %s -t cuda -o %t.wrong 2>&1 | FileCheck %s --check-prefix=MISTAKE
#ifdef MISTAKE
// MISTAKE: specialise.cpp:[[#@LINE+3]]:{{[0-9]+}}: error: the regular expression of __lathe_target_is has a mistake: brackets ([ ]) not balanced
// MISTAKE: hint: behind the colon stands a POSIX extended regular expression
LATHE_KERNEL void mistaken(int* out) {
  if (lathe::target_is("amdgpu:gfx9[")) *out = 1;
}
#endif
