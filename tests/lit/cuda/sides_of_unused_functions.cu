// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that is marked for both sides in its class only, and whose body is for the host: nothing to a kernel that
// does not need it, and a trap in one that does.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2>&1 | FileCheck %s
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx -DUSED 2>&1 | FileCheck %s --check-prefix=USED
// CHECK-NOT: {{warning|remark}}
// USED: :[[#@LINE+9]]:3: warning: functions for both sides call functions of the host in 1 place; a kernel that gets there ends with a trap
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
