// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in templates of host code that could not be understood: behind a declaration that Clang drops, with the
// template's own parameters and without.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: FileCheck %s < %t.ptx
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DNO_CALL 2>&1 | FileCheck %s --check-prefix=NONE
// SAID: remark: host code was not understood
// CHECK-DAG: .entry _Z5scaleIfEvPT_S0_
// CHECK-DAG: .entry _Z5scaleIdEvPT_S0_
// CHECK-DAG: .entry _Z5countIiEvPT_
// NONE: use of undeclared identifier 'vendor'
// NONE: error: {{.*}} has no instance of its kernel templates scale, count
// NONE: hint: name one, such as 'scale<float>'
template <class T>
__global__ void scale(T* values, T by) {
  values[threadIdx.x] *= by;
}
template <class T>
__global__ void count(T* to) {
  atomicAdd(to, T(1));
}

#ifdef NO_CALL
void run() {
  auto start = vendor::now();
}
#else
template <class T>
void run(T* values) {
  auto start = vendor::now();
  scale<T><<<1, 32>>>(values, T(2));
  count<int><<<1, 32>>>(nullptr);
  vendor::report(start, vendor::now());
}

int main() {
  run<float>(nullptr);
  run<double>(nullptr);
}
#endif
