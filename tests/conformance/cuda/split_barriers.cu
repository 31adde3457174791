// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda::barrier with arrive and wait apart: warps and single threads with roles, tokens over several phases, threads that
// leave, counts other than the block's, barriers outside of shared memory, and pipelines with roles.
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
using Barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int width = 96;

/// Whether threads of one warp wait for each other, each with a program counter of its own. Items of an AMD wave do not.
__device__ bool haveCounters() {
  return !__lathe_target_is("amdgpu");
}

/// Threads of which none waits for another: a warp, or the wave of which a warp is a half.
__device__ unsigned together() {
  return haveCounters() ? warpSize : __lathe_subgroup_size();
}

/// The producer and the consumers of the CUDA programming guide, "Warp Specialization", with two buffers. The first `makers`
/// threads fill what the others add up.
__device__ void exchange(const int* in, int* out, int rounds, unsigned makers) {
  __shared__ Barrier ready[2], filled[2];
  __shared__ int buffer[2][width];
  const unsigned i = threadIdx.x;
  if (i < 2) {
    init(ready + i, blockDim.x);
    init(filled + i, blockDim.x);
  }
  __syncthreads();
  if (i < makers) {
    for (int round = 0; round < rounds; ++round) {
      ready[round % 2].arrive_and_wait();
      for (int k = i; k < width; k += makers) buffer[round % 2][k] = in[(blockIdx.x * rounds + round) * width + k];
      (void)filled[round % 2].arrive();
    }
    out[blockIdx.x * blockDim.x + i] = -1;
  } else {
    (void)ready[0].arrive();
    (void)ready[1].arrive();
    int sum = 0;
    const unsigned readers = blockDim.x - makers;
    for (int round = 0; round < rounds; ++round) {
      filled[round % 2].arrive_and_wait();
      for (int k = (i - makers + round) % readers; k < width; k += readers) sum = sum * 3 + buffer[round % 2][k];
      (void)ready[round % 2].arrive();
    }
    out[blockIdx.x * blockDim.x + i] = sum;
  }
}
__global__ void warps(const int* in, int* out, int rounds) {
  exchange(in, out, rounds, together());
}
/// Makers and readers in one warp.
__global__ void lanes(const int* in, int* out, int rounds) {
  exchange(in, out, rounds, haveCounters() ? 3 : together());
}

/// Something else is done between arriving and waiting; in each phase every thread reads what another wrote before.
__global__ void phases(const int* in, int* out, int rounds) {
  __shared__ Barrier barrier;
  __shared__ int tile[2][width];
  const unsigned i = threadIdx.x;
  if (i == 0) init(&barrier, blockDim.x);
  __syncthreads();
  int value = in[blockIdx.x * blockDim.x + i];
  for (int round = 0; round < rounds; ++round) {
    tile[round % 2][i] = value;
    auto token = barrier.arrive();
    int apart = 0;
    for (unsigned k = 0; k < i % 5; ++k) apart += value >> k;
    barrier.wait(static_cast<Barrier::arrival_token&&>(token));
    value = tile[round % 2][(i + 7) % blockDim.x] + apart;
  }
  out[blockIdx.x * blockDim.x + i] = value;
}

/// Thread i, on AMD warp i, takes part in i % 5 phases, and leaves; who stays counts those that are left.
__global__ void leaving(int* out) {
  __shared__ Barrier barrier;
  __shared__ int here[8];
  const unsigned i = threadIdx.x;
  if (i == 0) init(&barrier, blockDim.x);
  if (i < 8) here[i] = 0;
  __syncthreads();
  int sum = 0;
  for (unsigned round = 0; round < (haveCounters() ? i : i / together()) % 5; ++round) {
    atomicAdd(&here[round], 1);
    barrier.arrive_and_wait();
    sum = sum * 100 + here[round];
  }
  barrier.arrive_and_drop();
  out[blockIdx.x * blockDim.x + i] = sum;
}

/// A barrier for the first `some` threads, each of which arrives `times` times; the others are gone.
__global__ void counts(const int* in, int* out, int some, int times) {
  __shared__ Barrier barrier;
  __shared__ int tile[width];
  const int i = threadIdx.x;
  if (i == 0) init(&barrier, static_cast<long>(some) * times);
  __syncthreads();
  if (i >= some) return;
  int value = in[i];
  for (int round = 0; round < 3; ++round) {
    tile[i] = value;
    barrier.wait(barrier.arrive(times));
    value += tile[some - 1 - i];
    barrier.wait(barrier.arrive(times));
  }
  out[blockIdx.x * blockDim.x + i] = value;
}

/// Who only looks needs no token: parities.
__global__ void parities(const int* in, int* out, int rounds) {
  __shared__ Barrier full, empty;
  __shared__ int box;
  const unsigned i = threadIdx.x;
  if (i == 0) {
    init(&full, 1);
    init(&empty, blockDim.x - together());
  }
  __syncthreads();
  if (i == 0) {
    for (int round = 0; round < rounds; ++round) {
      if (round > 0) empty.wait_parity((round - 1) & 1);
      box = in[blockIdx.x * rounds + round];
      (void)full.arrive();
    }
  } else if (i >= together()) {
    int sum = i;
    for (int round = 0; round < rounds; ++round) {
      full.wait_parity(round & 1);
      sum = sum * 5 + box;
      (void)empty.arrive();
    }
    out[blockIdx.x * blockDim.x + i] = sum;
  }
}

/// Barriers of other scopes, and one in device memory.
template <cuda::thread_scope Scope>
__global__ void scopes(const int* in, int* out, cuda::barrier<Scope>* memory) {
  __shared__ cuda::barrier<Scope> shared;
  __shared__ int tile[width];
  const unsigned i = threadIdx.x;
  if (i == 0) {
    init(&shared, blockDim.x);
    init(memory + blockIdx.x, blockDim.x);
  }
  __syncthreads();
  int value = in[blockIdx.x * blockDim.x + i];
  for (int round = 0; round < 4; ++round) {
    tile[i] = value;
    auto token = shared.arrive();
    shared.wait(static_cast<decltype(token)&&>(token));
    value = value * 3 + tile[blockDim.x - 1 - i];
    (void)memory[blockIdx.x].arrive_and_wait();
  }
  out[blockIdx.x * blockDim.x + i] = value;
}

/// A pipeline whose first warp copy and whose others add up.
__global__ void pipeline(const int* in, int* out, int rounds) {
  __shared__ int buffer[2][width];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  const auto role = threadIdx.x < together() ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(block, &state, role);
  int sum = 0;
  for (int round = 0; round < rounds; ++round) {
    if (role == cuda::pipeline_role::producer) {
      pipe.producer_acquire();
      for (int k = threadIdx.x; k < width; k += together())
        cuda::memcpy_async(&buffer[round % 2][k], &in[(blockIdx.x * rounds + round) * width + k], sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      for (int k = (threadIdx.x - together() + round) % (blockDim.x - together()); k < width; k += blockDim.x - together())
        sum = sum * 3 + buffer[round % 2][k];
      pipe.consumer_release();
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
