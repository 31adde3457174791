// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared variables of types with constructors are left as they are, with a warning as nvcc gives; outside of functions
// they are errors, as nvcc has it.
// RUN: %compile %s -t cuda:sm_80 --emit ir -o %t.ll 2> %t.warnings && FileCheck %s < %t.ll
// RUN: FileCheck %s --check-prefix=WARNS < %t.warnings
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %lathe run %s -t cpu -k direct --grid 1 --group 4 --arg zeros:i32[4] --print 0 | FileCheck %s --check-prefix=RUNS
// RUN: not %compile %s -DOUTSIDE -t cuda:sm_80 -o %t.limg 2>&1 | FileCheck %s --check-prefix=OUTSIDE
// RUN: not %compile %s -DVALUE -t cuda:sm_80 -o %t.limg 2>&1 | FileCheck %s --check-prefix=VALUE
// CHECK-DAG: @{{.*}}direct{{.*}}counter = internal {{.*}}addrspace(3) global %{{.*}}Counter{{.*}} undef
// CHECK-DAG: @{{.*}}array = internal {{.*}}addrspace(3) global [3 x %{{.*}}Counter{{.*}}] undef
// CHECK-DAG: @{{.*}}inside = internal {{.*}}addrspace(3) global %{{.*}}Holder{{.*}} undef
struct Counter {
  int value;
  __device__ Counter() : value(7) {}
  __device__ ~Counter() { value = -1; }
  __device__ int next() { return atomicAdd(&value, 1); }
};

template <int N>
struct Holder {
  Counter counters[N];
};

struct Plain {
  int value;
};

// A local variable of the same type has its constructor and destructor called.
__global__ void direct(int* out) {
  __shared__ Counter counter;
  __shared__ Counter array[3];
  __shared__ Plain plain;
  Counter own;
  if (threadIdx.x == 0) {
    counter.value = 40;
    array[1].value = 1;
    plain.value = own.value;
  }
  __syncthreads();
  counter.next();
  array[1].next();
  __syncthreads();
  out[threadIdx.x] = counter.value + array[1].value + plain.value;
}
// RUNS: 56 56 56 56
// WARNS: shared_classes.cu:[[#@LINE-16]]:22: warning: the constructor of 'Counter' is not called for a __shared__ variable
// WARNS: warning: the constructor of 'Counter[3]'
// WARNS: warning: the constructor of 'Holder<2>'
// WARNS-NOT: Plain

template <int N>
__global__ void instance(int* out) {
  __shared__ Holder<N> inside;
  inside.counters[1].value = 3;
  __syncthreads();
  *out = inside.counters[1].next();
}
template __global__ void instance<2>(int*);

#ifdef OUTSIDE
// OUTSIDE: error: initialization is not supported for __shared__ variables
__shared__ Counter outside;
__global__ void user(int* out) { *out = outside.value; }
#endif
#ifdef VALUE
// VALUE: error: initialization is not supported for __shared__ variables
__global__ void valued(int* out) {
  __shared__ int number = 3;
  *out = number;
}
#endif
