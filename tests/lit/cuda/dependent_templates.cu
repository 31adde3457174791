// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A member template of a type that depends on a parameter, called without the word template: nvcc guesses what is meant,
// the standard's reading is a comparison. The hint says what to write.
// RUN: not %compile %s -t cuda:sm_80 -o %t.limg 2>&1 | FileCheck %s
// RUN: not %compile %s -x hip -t amdgpu -o %t.limg 2>&1 | FileCheck %s
// RUN: %compile %s -t cuda:sm_80 -DWORD=template -o %t.limg
// RUN: %if nvcc %{ %nvcc -ptx -arch=sm_80 %s -o %t.ptx %}
// CHECK: dependent_templates.cu:[[#@LINE+17]]:{{[0-9]+}}: error: a member template of a type that depends on a parameter is called as a function
// CHECK: in instantiation of function template specialization 'store<float, int, 4U>'
// CHECK: hint: write 'template' before its name
#ifndef WORD
#define WORD
#endif

template <class To, class From>
struct Cast {
  template <unsigned N>
  __device__ static void cast(To* to, const From* from) {
    for (unsigned i = 0; i < N; ++i) to[i] = To(from[i]);
  }
};

template <class To, class From, unsigned N>
__device__ void store(To* to, const From* from) {
  Cast<To, From>::WORD cast<N>(to, from);
}

__global__ void convert(float* to, const int* from) { store<float, int, 4>(to, from); }
