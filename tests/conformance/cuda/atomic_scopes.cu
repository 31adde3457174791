// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The atomic functions for observers in the block and in the whole system, and the __nv_atomic functions, each thread
// alone on cells of its own: old and new value are known. Then fences between data and a counter, of all scopes, and the signal fence.
#include <cuda/atomic>

#define ARITHMETIC(suffix)                          \
  old[0] = atomicAdd##suffix(&cell[0], x);          \
  old[1] = atomicSub##suffix(&cell[1], x);          \
  old[2] = atomicAnd##suffix(&cell[2], x);          \
  old[3] = atomicOr##suffix(&cell[3], x);           \
  old[4] = atomicXor##suffix(&cell[4], x);          \
  old[5] = atomicMin##suffix(&cell[5], x);          \
  old[6] = atomicMax##suffix(&cell[6], x);          \
  old[7] = atomicExch##suffix(&cell[7], x);         \
  old[8] = atomicCAS##suffix(&cell[8], y, x);

#define KERNEL(kernel, suffix)                                                                              \
  template <class T>                                                                                        \
  __global__ void kernel(const T* a, const T* b, T* cells, T* before) {                                     \
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                               \
    const T x = a[i], y = b[i];                                                                             \
    T *const cell = cells + 11 * i, *const old = before + 11 * i;                                           \
    ARITHMETIC(suffix)                                                                                      \
    old[9] = cell[9];                                                                                       \
    old[10] = 0;                                                                                            \
    cell[10] = x;                                                                                           \
  }
KERNEL(block, _block)
KERNEL(everywhere, _system)

/// Counters that begin anew at a limit.
__global__ void counters(const unsigned* limits, unsigned* cells, unsigned* old) {
  const unsigned i = threadIdx.x;
  old[4 * i] = atomicInc_block(&cells[4 * i], limits[i]);
  old[4 * i + 1] = atomicDec_block(&cells[4 * i + 1], limits[i]);
  old[4 * i + 2] = atomicInc_system(&cells[4 * i + 2], limits[i]);
  old[4 * i + 3] = atomicDec_system(&cells[4 * i + 3], limits[i]);
}

template <class T>
__global__ void ordered(const T* a, const T* b, T* cells, T* before) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const T x = a[i], y = b[i];
  T *const cell = cells + 11 * i, *const old = before + 11 * i;
  old[0] = __nv_atomic_fetch_add(&cell[0], x, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  old[1] = __nv_atomic_fetch_sub(&cell[1], x, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  old[2] = __nv_atomic_fetch_and(&cell[2], x, __NV_ATOMIC_SEQ_CST);
  old[3] = __nv_atomic_fetch_or(&cell[3], x, __NV_ATOMIC_RELEASE);
  old[4] = __nv_atomic_fetch_xor(&cell[4], x, __NV_ATOMIC_ACQUIRE);
  old[5] = __nv_atomic_fetch_min(&cell[5], x, __NV_ATOMIC_RELAXED);
  old[6] = __nv_atomic_fetch_max(&cell[6], x, __NV_ATOMIC_RELAXED);
  old[7] = __nv_atomic_exchange_n(&cell[7], x, __NV_ATOMIC_RELAXED);
  T expected = y;
  const bool met = __nv_atomic_compare_exchange_n(&cell[8], &expected, x, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED);
  old[8] = met == (expected == y) ? expected : T(~expected);
  T loaded;
  __nv_atomic_load(&cell[9], &loaded, __NV_ATOMIC_ACQUIRE);
  old[9] = loaded == __nv_atomic_load_n(&cell[9], __NV_ATOMIC_RELAXED) ? loaded : T(~loaded);
  T stored = x;
  __nv_atomic_store(&cell[10], &stored, __NV_ATOMIC_RELEASE);
  old[10] = T(__nv_atomic_load_n(&cell[10], __NV_ATOMIC_RELAXED) - x);
  __nv_atomic_store_n(&cell[10], x, __NV_ATOMIC_RELAXED);
}

/// The functions that return nothing, or what was there through a pointer.
template <class T>
__global__ void unreturned(const T* a, const T* b, T* cells, T* before) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const T x = a[i], y = b[i];
  T *const cell = cells + 11 * i, *const old = before + 11 * i;
  for (unsigned k = 0; k < 7; ++k) old[k] = cell[k];
  __nv_atomic_add(&cell[0], x, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_sub(&cell[1], x, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_and(&cell[2], x, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_or(&cell[3], x, __NV_ATOMIC_RELEASE);
  __nv_atomic_xor(&cell[4], x, __NV_ATOMIC_ACQUIRE);
  __nv_atomic_min(&cell[5], x, __NV_ATOMIC_RELAXED);
  __nv_atomic_max(&cell[6], x, __NV_ATOMIC_RELAXED);
  T wanted = x, found = T(~x), expected = y;
  __nv_atomic_exchange(&cell[7], &wanted, &found, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
  old[7] = wanted == x ? found : T(~found);
  const bool met = __nv_atomic_compare_exchange(&cell[8], &expected, &wanted, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED);
  old[8] = met == (expected == y) ? expected : T(~expected);
  old[9] = cell[9];
  old[10] = 0;
  cell[10] = x;
}

/// A fence between a thread and its own signal handler, of which a kernel has none: it orders what the compiler may move.
__global__ void signalled(const int* in, int* data, int* flag) {
  const unsigned i = threadIdx.x;
  volatile int* const own = data + i;
  *own = in[i];
  cuda::atomic_signal_fence(cuda::memory_order_release);
  flag[i] = 1;
  cuda::atomic_signal_fence(cuda::memory_order_acquire);
  flag[i] += *own;
}

/// The last block to finish adds up what the others left behind a fence of the kind.
__device__ unsigned finished;

template <class Fence>
__device__ void lastBlockSums(const int* in, int* partial, int* total, Fence fence) {
  int sum = 0;
  for (unsigned k = 0; k < 16; ++k) sum += in[blockIdx.x * 16 + k];
  partial[blockIdx.x] = sum;
  fence();
  if (atomicInc_system(&finished, gridDim.x - 1) != gridDim.x - 1) return;
  fence();
  int all = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) all += static_cast<volatile int*>(partial)[b];
  *total = all;
}
__global__ void fencedBySystem(const int* in, int* partial, int* total) {
  lastBlockSums(in, partial, total, [] { __threadfence_system(); });
}
__global__ void fencedByStandard(const int* in, int* partial, int* total) {
  lastBlockSums(in, partial, total, [] { cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device); });
}
__global__ void fencedByBuiltin(const int* in, int* partial, int* total) {
  lastBlockSums(in, partial, total, [] { __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE); });
}
/// Within the block: the last thread to come.
__global__ void fencedByBlock(const int* in, int* partial, int* total) {
  __shared__ unsigned came;
  if (threadIdx.x == 0) came = 0;
  __syncthreads();
  partial[threadIdx.x] = in[threadIdx.x];
  __threadfence_block();
  if (atomicAdd_block(&came, 1) != blockDim.x - 1) return;
  __threadfence_cluster();
  int all = 0;
  for (unsigned k = 0; k < blockDim.x; ++k) all += static_cast<volatile int*>(partial)[k];
  *total = all;
}
