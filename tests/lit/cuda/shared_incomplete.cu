// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared variables of an instance of a template that nothing else asked for are aligned as their members ask for; one
// of a class without a definition is an error.
// RUN: %compile %s -t cuda:sm_80 -O0 --emit ir -o - | FileCheck %s
// RUN: not %compile %s -DUNKNOWN -t cuda:sm_80 -o %t.limg 2>&1 | FileCheck %s --check-prefix=UNKNOWN
template <int N>
struct Counters {
  struct Base {
    unsigned counts[N];
  };
  struct Storage : Base {};
};
template <int N>
struct Histogram {
  using Storage = typename Counters<N>::Storage;
  __device__ unsigned count(Storage& storage) { return atomicAdd(&storage.counts[0], 1U); }
};

// CHECK-DAG: @{{.*}}direct{{.*}}storage = {{.*}}addrspace(3) global %{{.*}}Counters<3>::Storage" undef, align 4
__global__ void direct(unsigned* out) {
  __shared__ Histogram<3>::Storage storage;
  out[0] = Histogram<3>().count(storage);
}
// CHECK-DAG: @{{.*}}ofTemplate{{.*}}storage = {{.*}}addrspace(3) global %{{.*}}Counters<4>::Storage" undef, align 4
template <class T>
__global__ void ofTemplate(unsigned* out) {
  __shared__ typename Histogram<sizeof(T)>::Storage storage;
  out[0] = Histogram<sizeof(T)>().count(storage);
}
template __global__ void ofTemplate<float>(unsigned*);
// CHECK-DAG: @{{.*}}inLambda{{.*}}storage = {{.*}}addrspace(3) global [2 x %{{.*}}Counters<5>::Storage"] undef, align 4
__global__ void inLambda(unsigned* out) {
  const auto count = [] {
    __shared__ Histogram<5>::Storage storage[2];
    return Histogram<5>().count(storage[1]);
  };
  out[0] = count();
}

#ifdef UNKNOWN
struct Unknown;
__device__ unsigned use(Unknown&);
// UNKNOWN: shared_incomplete.cu:[[#@LINE+2]]:{{.*}}error: variable has incomplete type 'Unknown'
__global__ void unknown(unsigned* out) {
  __shared__ Unknown storage;
  out[0] = use(storage);
}
#endif
