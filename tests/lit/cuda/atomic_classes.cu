// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda::atomic and cuda::atomic_ref, a pipeline with its synchronous stand-in.
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o %t.ptx 2> %t.cuda
// RUN: %if ptxas %{ %ptxas -arch=sm_80 %t.ptx -o %t.cubin %}
// RUN: %compile %s -t cpu -o %t.limg
// RUN: %lathe run %s -t cpu --grid 4 --group 64 -k histogram --arg iota:u32[256] --arg zeros:u32[4] --arg 256 --print 1:4 | FileCheck %s
// CHECK: 64 64 64 64
// RUN: %lathe run %s -t cpu --grid 2 --group 32 -k narrow --arg iota:f32[64] --arg zeros:f32[1] --arg zeros:u16[2] --print 1 --print 2 | FileCheck %s --check-prefix=NARROW
// NARROW: -40
// NARROW: 32 32
#include <cuda/atomic>
#include <cuda/pipeline>

__global__ void histogram(const unsigned* in, unsigned* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> bin(bins[in[i] % 4]);
  bin.fetch_add(1, cuda::memory_order_relaxed);
}

__global__ void largest(const float* in, float* out, int n) {
  cuda::atomic_ref<float, cuda::thread_scope_device> top(*out);
  float mine = in[threadIdx.x], seen = top.load(cuda::std::memory_order_relaxed);
  while (mine > seen && !top.compare_exchange_weak(seen, mine)) {
  }
}

// Neighbours in one word, and a minimum among negative numbers.
__global__ void narrow(const float* in, float* least, unsigned short* counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cuda::atomic_ref<float, cuda::thread_scope_device>(*least).fetch_min(in[i] - 40);
  cuda::atomic_ref<unsigned short, cuda::thread_scope_device>(counts[i % 2]).fetch_add(1);
}

__global__ void staged(const float* in, float* out) {
  __shared__ float tile[128];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(float), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  __syncthreads();
  out[threadIdx.x] = tile[127 - threadIdx.x];
  pipe.consumer_release();
}

int main() {
  histogram<<<4, 64>>>(nullptr, nullptr, 256);
}
