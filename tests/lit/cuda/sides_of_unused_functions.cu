// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that is marked for both sides in its class only, and whose body is for the host: an error if a kernel needs
// it, and none else.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: not %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DUSED 2>&1 | FileCheck %s --check-prefix=USED
// CHECK: remark: host code was not understood
// USED: error: 'Ray::log(int) const' is called but nothing defines it
void onHost(int);

struct Ray {
  __host__ __device__ void log(int n) const;
  float from;
};

void Ray::log(int n) const {
  onHost(n);
}

__global__ void kernel(Ray ray, float* out) {
#ifdef USED
  ray.log(1);
#endif
  out[0] = ray.from;
}
