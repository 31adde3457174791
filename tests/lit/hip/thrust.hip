// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thrust in HIP sources: with a policy, algorithms run in kernels, by each thread alone; host code's are parsed.
// RUN: %compile %s -t amdgpu:gfx942 -o %t.limg && %compile %s -t cuda:sm_90 -o %t.limg && %compile %s -t spirv -o %t.limg
// RUN: %lathe run %s -t cpu -k algorithms --grid 1 --group 1 --arg 'json:[5,3,77,30,30,9,1,3,8,41]' --arg iota:i32[10] --arg zeros:i32[14] --arg 10 --print 2 | FileCheck %s
// CHECK: out i32[14]: 207 7 77 872 1 1 6 8 36 36 6 72 0 9
#include <hip/hip_runtime.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <thrust/system/hip/execution_policy.h>
#include <thrust/transform.h>

struct Odd {
  __device__ bool operator()(int x) const { return x & 1; }
};
struct Axpy {
  float a;
  __host__ __device__ float operator()(float x, float y) const { return a * x + y; }
};

__global__ void algorithms(int* p, int* q, int* out, int n) {
  out[0] = thrust::reduce(thrust::seq, p, p + n);
  out[1] = thrust::count_if(thrust::device, p, p + n, Odd());
  out[2] = *thrust::max_element(thrust::seq, p, p + n);
  out[3] = thrust::inner_product(thrust::seq, p, p + n, q, 0);
  thrust::stable_sort_by_key(thrust::seq, p, p + n, q);
  out[4] = thrust::is_sorted(thrust::seq, p, p + n) && q[1] == 1 && q[2] == 7;
  thrust::sort(thrust::seq, q, q + n, thrust::greater<int>());
  out[5] = thrust::is_sorted(thrust::seq, q, q + n, thrust::greater<int>());
  out[6] = thrust::lower_bound(thrust::seq, p, p + n, 30) - p;
  out[7] = thrust::unique(thrust::seq, p, p + n) - p;
  thrust::sequence(thrust::seq, p, p + n);
  thrust::exclusive_scan(thrust::seq, p, p + n, p);
  out[8] = p[n - 1];
  thrust::reverse(thrust::seq, p, p + n);
  out[9] = p[0];
  out[10] = thrust::find(thrust::seq, p, p + n, 3) - p;
  out[11] = thrust::transform_reduce(thrust::seq, p, p + n, [](int x) { return x * 2; }, 0, thrust::maximum<int>());
  thrust::sort_by_key(thrust::seq, p, p + n, q);
  out[12] = p[1];
  out[13] = q[n - 1];
}

int main() {
  thrust::device_vector<float> x(100), y(100);
  thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), Axpy{2});
  thrust::sort(thrust::hip::par, x.begin(), x.end());
  thrust::sort(thrust::hip_rocprim::par.on(0), x.begin(), x.end());
  const float sum = thrust::reduce(thrust::device, x.begin(), x.end(), 0.0f, thrust::plus<float>());
  hipLaunchKernelGGL(algorithms, dim3(1), dim3(1), 0, 0, nullptr, nullptr, nullptr, static_cast<int>(sum));
}
