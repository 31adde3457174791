// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuda::atomic_ref and cuda::atomic of the toolkit's libcu++ beside Lathe's: each operation, type, order and scope.
#include <cuda/atomic>

#define EACH_SCOPE(use, ...)                                  \
  use(block, cuda::thread_scope_block, __VA_ARGS__)           \
  use(device, cuda::thread_scope_device, __VA_ARGS__)         \
  use(system, cuda::thread_scope_system, __VA_ARGS__)
#define EACH_LOAD_ORDER(use, ...)                             \
  use(relaxed, cuda::memory_order_relaxed, __VA_ARGS__)       \
  use(acquire, cuda::memory_order_acquire, __VA_ARGS__)       \
  use(seq_cst, cuda::memory_order_seq_cst, __VA_ARGS__)
#define EACH_STORE_ORDER(use, ...)                            \
  use(relaxed, cuda::memory_order_relaxed, __VA_ARGS__)       \
  use(release, cuda::memory_order_release, __VA_ARGS__)       \
  use(seq_cst, cuda::memory_order_seq_cst, __VA_ARGS__)
#define EACH_ORDER(use, ...)                                  \
  use(relaxed, cuda::memory_order_relaxed, __VA_ARGS__)       \
  use(acquire, cuda::memory_order_acquire, __VA_ARGS__)       \
  use(release, cuda::memory_order_release, __VA_ARGS__)       \
  use(acq_rel, cuda::memory_order_acq_rel, __VA_ARGS__)       \
  use(seq_cst, cuda::memory_order_seq_cst, __VA_ARGS__)

#define FETCH_SCOPED(scope, s, order, o, operation, title, type)                                        \
  extern "C" __global__ void operation##_##title##_##order##_##scope(type* p, type value, type* old) {  \
    *old = cuda::atomic_ref<type, s>(*p).fetch_##operation(value, o);                                   \
  }
#define FETCH_ORDERED(order, o, ...) EACH_SCOPE(FETCH_SCOPED, order, o, __VA_ARGS__)
#define FETCH(...) EACH_ORDER(FETCH_ORDERED, __VA_ARGS__)
FETCH(add, int, int)
FETCH(add, ulong, unsigned long long)
FETCH(add, float, float)
FETCH(add, double, double)
FETCH(sub, unsigned, unsigned)
FETCH(and, unsigned, unsigned)
FETCH(or, ulong, unsigned long long)
FETCH(xor, unsigned, unsigned)
FETCH(min, int, int)
FETCH(max, ulong, unsigned long long)

#define SWAPS_SCOPED(scope, s, order, o, title, type)                                                          \
  extern "C" __global__ void exchange_##title##_##order##_##scope(type* p, type value, type* old) {            \
    *old = cuda::atomic_ref<type, s>(*p).exchange(value, o);                                                   \
  }                                                                                                            \
  extern "C" __global__ void compare_##title##_##order##_##scope(type* p, type value, type* old, bool* met) {  \
    type expected = *old;                                                                                      \
    *met = cuda::atomic_ref<type, s>(*p).compare_exchange_strong(expected, value, o, cuda::memory_order_relaxed); \
    *old = expected;                                                                                           \
  }
#define SWAPS_ORDERED(order, o, ...) EACH_SCOPE(SWAPS_SCOPED, order, o, __VA_ARGS__)
#define SWAPS(...) EACH_ORDER(SWAPS_ORDERED, __VA_ARGS__)
SWAPS(unsigned, unsigned)
SWAPS(ulong, unsigned long long)

#define LOAD_SCOPED(scope, s, order, o, title, type)                                      \
  extern "C" __global__ void load_##title##_##order##_##scope(type* p, type* out) {       \
    *out = cuda::atomic_ref<type, s>(*p).load(o);                                         \
  }
#define LOAD_ORDERED(order, o, ...) EACH_SCOPE(LOAD_SCOPED, order, o, __VA_ARGS__)
#define LOAD(...) EACH_LOAD_ORDER(LOAD_ORDERED, __VA_ARGS__)
LOAD(byte, unsigned char)
LOAD(short, short)
LOAD(unsigned, unsigned)
LOAD(float, float)
LOAD(ulong, unsigned long long)
#define STORE_SCOPED(scope, s, order, o, title, type)                                     \
  extern "C" __global__ void store_##title##_##order##_##scope(type* p, type value) {     \
    cuda::atomic_ref<type, s>(*p).store(value, o);                                        \
  }
#define STORE_ORDERED(order, o, ...) EACH_SCOPE(STORE_SCOPED, order, o, __VA_ARGS__)
#define STORE(...) EACH_STORE_ORDER(STORE_ORDERED, __VA_ARGS__)
STORE(byte, unsigned char)
STORE(short, short)
STORE(unsigned, unsigned)
STORE(float, float)
STORE(ulong, unsigned long long)

#define FENCE_SCOPED(scope, s, order, o, unused)                                          \
  extern "C" __global__ void fence_##order##_##scope(int* p) {                            \
    p[0] = 1;                                                                             \
    cuda::atomic_thread_fence(o, s);                                                      \
    p[1] = 1;                                                                             \
  }
#define FENCE_ORDERED(order, o, ...) EACH_SCOPE(FENCE_SCOPED, order, o, __VA_ARGS__)
EACH_ORDER(FENCE_ORDERED, )

// A fence for the compiler alone.
extern "C" __global__ void counted_signal_fence(int* p) {
  p[0] = 1;
  cuda::atomic_signal_fence(cuda::memory_order_seq_cst);
  p[1] = 1;
}

// The defaults: sequentially consistent, for the whole system.
extern "C" __global__ void defaults(cuda::atomic<int>* counter, int* out) { *out = counter->fetch_add(1); }
extern "C" __global__ void operators(cuda::atomic<unsigned, cuda::thread_scope_device>* counter) { ++*counter; }
extern "C" __global__ void standard(cuda::std::atomic<int>* counter, int* out) { *out = counter->fetch_add(1); }

// A lock and a flag, as programs write them.
extern "C" __global__ void guarded(int* lock, int* data) {
  cuda::atomic_ref<int, cuda::thread_scope_device> held(*lock);
  while (held.exchange(1, cuda::memory_order_acquire) != 0) {
  }
  *data += 1;
  held.store(0, cuda::memory_order_release);
}
extern "C" __global__ void published(int* data, int* flag) {
  data[threadIdx.x] = 1;
  __syncthreads();
  if (threadIdx.x == 0) cuda::atomic_ref<int, cuda::thread_scope_device>(*flag).fetch_add(1, cuda::memory_order_release);
}
