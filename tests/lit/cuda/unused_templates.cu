// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors in the bodies of templates: they count if device code has an instance, which nvcc would find when it makes
// one, and are a warning otherwise.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=UNUSED --implicit-check-not=error:
// RUN: FileCheck %s < %t.ptx
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DCALL='last(to[0])' 2>&1 | FileCheck %s --check-prefix=CALLED
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DCALL='Cells<T>().sum()' 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DCALL='Cells<T>().count()' 2>&1 | FileCheck %s --check-prefix=UNUSED --implicit-check-not=error:
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DCALL='decltype(last(to[0]))(1)' 2>&1 | FileCheck %s --check-prefix=UNUSED --implicit-check-not=error:
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DCALL='absent' 2>&1 | FileCheck %s --check-prefix=ITSELF
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DCALL='absent' -DNOWHERE 2>&1 | FileCheck %s --check-prefix=NOWHERE
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DCALL='absent' -DNOWHERE -k 'first<int>' 2>&1 | FileCheck %s --check-prefix=ITSELF
// UNUSED: unused_templates.cu:[[@LINE+18]]:3: warning: device functions were not understood in 3 places; no kernel uses them
// UNUSED: note: unknown type name 'Gone'
// UNUSED: note: use of undeclared identifier 'renamed'
// UNUSED: note: no member named 'values' in 'Plain'
// CHECK: .entry _Z5firstIfEvPT_
// CALLED: error: use of undeclared identifier 'renamed'
// CALLED: note: device code uses 'inner'
// MEMBER: error: no member named 'values' in 'Plain'
// MEMBER: note: device code uses 'sum'
// ITSELF: error: use of undeclared identifier 'absent'
// ITSELF: note: device code uses 'first'
// NOWHERE: warning: device functions were not understood in 4 places
// NOWHERE: error: {{.*}} has no instance of its kernel templates first
struct Plain {
  int value;
};
template <class T>
__device__ T inner(T x) {
  Gone gone;
  return renamed(3) + x;
}
template <class T>
__device__ T last(T x) {
  return inner(x);
}
template <class T>
struct Cells {
  __device__ T sum() {
    Plain plain;
    return plain.values;
  }
  __device__ T count() { return 3; }
};

#ifndef CALL
#define CALL 1
#endif
template <class T>
__global__ void first(T* to) {
  to[0] = CALL;
}
#ifndef NOWHERE
template __global__ void first<float>(float*);
#endif
