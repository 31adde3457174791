// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the device that are emitted only where they are used may call the host's as long as no kernel uses them.
// RUN: %compile %s -t cuda -o %t.limg
// RUN: not %compile %s -t cuda -DUSED -o %t.no.limg 2>&1 | FileCheck %s --check-prefix=USED
// RUN: not %compile %s -t cuda -DEXTERNAL -o %t.no.limg 2>&1 | FileCheck %s --check-prefix=EXTERNAL
// USED: error: no matching function for call to 'ignore'
// USED: device code uses 'ballot'
// EXTERNAL: error: no matching function for call to 'ignore'
template <class... T>
void ignore(const T&...) {}

struct Warp {
  static __forceinline__ __device__ int ballot(int predicate, volatile int* buffer) {
    ignore(buffer);
    return __ballot_sync(~0u, predicate);
  }
};
static __device__ int unused(int x) {
  ignore(x);
  return x;
}
#ifdef EXTERNAL
__device__ int external(int x) {
  ignore(x);
  return x;
}
#endif

__global__ void kernel(int* p) {
#ifdef USED
  p[1] = Warp::ballot(p[0], p);
#endif
  p[0] = 1;
}
