// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB, Thrust and libcu++ of the toolkit, as they are. Kernels of block- and warp-level algorithms compile; those that
// device-wide algorithms launch are found, and their symbols are nvcc's.
// REQUIRES: cccl, ptxas, nvcc, libcxx
// RUN: env LATHE_CCCL=%cccl %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx
// RUN: %ptxas -O0 -arch=sm_90 %t.ptx -o %t.cubin
// RUN: %nvcc -ptx -arch=sm_90 -std=c++20 %s -o %t.nvcc.ptx
// RUN: grep -oE "[.]entry [A-Za-z0-9_]+" %t.ptx | sort > %t.names
// RUN: grep -oE "[.]entry [A-Za-z0-9_]+" %t.nvcc.ptx | sort > %t.nvcc.names
// RUN: cmp %t.names %t.nvcc.names
// The kernels of sort, reduce and scan.
// RUN: FileCheck %s < %t.names
// CHECK-DAG: DeviceRadixSort
// CHECK-DAG: DeviceReduceKernel
// CHECK-DAG: DeviceScanKernel
// CHECK-DAG: blocks
// CHECK-DAG: barriers
// CHECK-DAG: stages
#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/span>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

__global__ void blocks(const int* in, int* out) {
  using Load = cub::BlockLoad<int, 128, 4>;
  using Sort = cub::BlockRadixSort<int, 128, 4>;
  using Scan = cub::BlockScan<int, 128>;
  using Reduce = cub::WarpReduce<int>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
    typename Reduce::TempStorage reduce[4];
  } shared;
  cuda::std::array<int, 4> items;
  Load(shared.load).Load(in + blockIdx.x * 512, *reinterpret_cast<int(*)[4]>(items.data()));
  __syncthreads();
  Sort(shared.sort).Sort(*reinterpret_cast<int(*)[4]>(items.data()));
  __syncthreads();
  int before, all;
  Scan(shared.scan).ExclusiveSum(items[0], before, all);
  __syncthreads();
  const int most = Reduce(shared.reduce[threadIdx.x / 32]).Reduce(before, ::cuda::maximum<>{});
  if (threadIdx.x % 32 == 0) out[blockIdx.x * 4 + threadIdx.x / 32] = most + all;
}

__global__ void barriers(float* sums, const float* x) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ Barrier ready;
  __shared__ float part[64];
  if (threadIdx.x == 0) init(&ready, blockDim.x);
  __syncthreads();
  part[threadIdx.x % 64] = x[threadIdx.x];
  ready.arrive_and_wait();
  cuda::atomic_ref<float, cuda::thread_scope_device> sum(sums[blockIdx.x]);
  sum.fetch_add(part[(threadIdx.x + 1) % 64], cuda::memory_order_relaxed);
}

template <int Stages>
__global__ void stages(float* out, const float* in) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
  __shared__ float part[Stages][64];
  auto group = cooperative_groups::this_thread_block();
  auto pipeline = cuda::make_pipeline(group, &state);
  for (int i = 0; i < Stages; ++i) {
    pipeline.producer_acquire();
    cuda::memcpy_async(group, part[i], in + 64 * i, sizeof(float) * 64, pipeline);
    pipeline.producer_commit();
  }
  for (int i = 0; i < Stages; ++i) {
    pipeline.consumer_wait();
    out[64 * i + threadIdx.x] = part[i][63 - threadIdx.x];
    pipeline.consumer_release();
  }
}

struct Twice {
  __host__ __device__ float operator()(float x) const { return 2 * x; }
};

int main() {
  int *in = nullptr, *out = nullptr;
  void* room = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(room, bytes, in, out, 1000);
  cub::DeviceScan::InclusiveSum(room, bytes, in, out, 1000);
  thrust::device_vector<float> v(1000);
  thrust::transform(v.begin(), v.end(), v.begin(), Twice{});
  thrust::sort(v.begin(), v.end());
  blocks<<<8, 128>>>(in, out);
  stages<2><<<1, 64>>>(nullptr, nullptr);
  barriers<<<8, 64>>>(thrust::raw_pointer_cast(v.data()), nullptr);
  return 0;
}
