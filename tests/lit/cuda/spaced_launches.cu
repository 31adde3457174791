// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose brackets an editor's formatter took apart make the instances that they name, in the source and in
// headers; what looks alike and is no launch stays as it is.
// RUN: %compile %s -I %S/../Inputs -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SAID --allow-empty
// RUN: FileCheck %s < %t.ptx
// RUN: not %compile %s -I %S/../Inputs -t cuda:sm_80 --emit ptx -o %t.ptx -DBROKEN 2>&1 | FileCheck %s --check-prefix=PLACE
// SAID-NOT: host code was not understood
// CHECK-DAG: .entry _Z5scaleIfLi4EEvPT_i
// CHECK-DAG: .entry _Z5scaleIdLi2EEvPT_i
// CHECK-DAG: .entry _Z5scaleIiLi1EEvPT_i
// CHECK-DAG: .entry _Z5scaleIsLi7EEvPT_i
// CHECK-DAG: .entry _Z5scaleIjLi8EEvPT_i
// PLACE: spaced_launches.cu:[[@LINE+38]]:22: error: use of undeclared identifier 'missing'
template <class T, int by>
__global__ void scale(T* values, int n) {
  if (threadIdx.x < n) values[threadIdx.x] *= by;
}

struct Log {
  template <class T>
  Log& operator<<(const T&);
};
template <class T>
struct Box {
  T value;
};

#include "spaced_launch.h"

int main() {
  float* f = nullptr;
  double* d = nullptr;
  int* i = nullptr;
  unsigned* u = nullptr;
  Log log;
  Box<Box<int> > box = {{1 << 3}};
  log << "a << <b >> >(c)";
  log.operator<< <Box<Box<int>> >(box);
  scale<float, (8 >> 1)> << <dim3(1), dim3(32, 1) >> > (f, 4 >> 1);
  scale<double, 2><< < 1, sizeof(Box<Box<int>>) >>>(d, 3);
  scale<int, 1><<<1, 32, 0, 0 // the first stream >> >(
                 >>
                 >(i, box.value.value);
  launch(f);
  scale<unsigned, 8>	<<	<
      '>' >> 1, 32 >>	>(u, 1);
}

#ifdef BROKEN
__global__ void after() {
  const int at = 1 + missing;
}
#endif
