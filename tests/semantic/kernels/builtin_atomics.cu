// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's own atomic functions, __nv_atomic_*: each operation, type, order and scope in a kernel of its own.
#define EACH_SCOPE(use, ...)                            \
  use(block, __NV_THREAD_SCOPE_BLOCK, __VA_ARGS__)      \
  use(device, __NV_THREAD_SCOPE_DEVICE, __VA_ARGS__)    \
  use(system, __NV_THREAD_SCOPE_SYSTEM, __VA_ARGS__)    \
  IN_CLUSTERS(use, __VA_ARGS__)
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900
#define IN_CLUSTERS(use, ...) use(cluster, __NV_THREAD_SCOPE_CLUSTER, __VA_ARGS__)
#else
#define IN_CLUSTERS(use, ...)
#endif
#define EACH_LOAD_ORDER(use, ...)                        \
  use(relaxed, __NV_ATOMIC_RELAXED, __VA_ARGS__)         \
  use(consume, __NV_ATOMIC_CONSUME, __VA_ARGS__)         \
  use(acquire, __NV_ATOMIC_ACQUIRE, __VA_ARGS__)         \
  use(seq_cst, __NV_ATOMIC_SEQ_CST, __VA_ARGS__)
#define EACH_STORE_ORDER(use, ...)                       \
  use(relaxed, __NV_ATOMIC_RELAXED, __VA_ARGS__)         \
  use(release, __NV_ATOMIC_RELEASE, __VA_ARGS__)         \
  use(seq_cst, __NV_ATOMIC_SEQ_CST, __VA_ARGS__)
#define EACH_ORDER(use, ...)                             \
  use(relaxed, __NV_ATOMIC_RELAXED, __VA_ARGS__)         \
  use(acquire, __NV_ATOMIC_ACQUIRE, __VA_ARGS__)         \
  use(release, __NV_ATOMIC_RELEASE, __VA_ARGS__)         \
  use(acq_rel, __NV_ATOMIC_ACQ_REL, __VA_ARGS__)         \
  use(seq_cst, __NV_ATOMIC_SEQ_CST, __VA_ARGS__)

#define FETCH_SCOPED(scope, s, order, o, operation, title, type)                                         \
  extern "C" __global__ void operation##_##title##_##order##_##scope(type* p, type value, type* old) {  \
    *old = __nv_atomic_fetch_##operation(p, value, o, s);                                                \
  }
#define FETCH_ORDERED(order, o, ...) EACH_SCOPE(FETCH_SCOPED, order, o, __VA_ARGS__)
#define FETCH(...) EACH_ORDER(FETCH_ORDERED, __VA_ARGS__)
FETCH(add, int, int)
FETCH(add, unsigned, unsigned)
FETCH(add, ulong, unsigned long long)
FETCH(add, float, float)
FETCH(add, double, double)
FETCH(sub, int, int)
FETCH(and, unsigned, unsigned)
FETCH(and, ulong, unsigned long long)
FETCH(or, unsigned, unsigned)
FETCH(or, ulong, unsigned long long)
FETCH(xor, unsigned, unsigned)
FETCH(xor, ulong, unsigned long long)
FETCH(min, int, int)
FETCH(min, unsigned, unsigned)
FETCH(min, long, long long)
FETCH(min, ulong, unsigned long long)
FETCH(max, int, int)
FETCH(max, unsigned, unsigned)
FETCH(max, long, long long)
FETCH(max, ulong, unsigned long long)

#define SWAPS_SCOPED(scope, s, order, o, title, type)                                                          \
  extern "C" __global__ void exchange_##title##_##order##_##scope(type* p, type value, type* old) {            \
    *old = __nv_atomic_exchange_n(p, value, o, s);                                                             \
  }                                                                                                            \
  extern "C" __global__ void compare_##title##_##order##_##scope(type* p, type value, type* old, bool* met) {  \
    type expected = *old;                                                                                      \
    *met = __nv_atomic_compare_exchange_n(p, &expected, value, false, o, __NV_ATOMIC_RELAXED, s);              \
    *old = expected;                                                                                           \
  }
#define SWAPS_ORDERED(order, o, ...) EACH_SCOPE(SWAPS_SCOPED, order, o, __VA_ARGS__)
#define SWAPS(...) EACH_ORDER(SWAPS_ORDERED, __VA_ARGS__)
SWAPS(unsigned, unsigned)
SWAPS(ulong, unsigned long long)

#define LOAD_SCOPED(scope, s, order, o, title, type)                                      \
  extern "C" __global__ void load_##title##_##order##_##scope(type* p, type* out) {       \
    *out = __nv_atomic_load_n(p, o, s);                                                   \
  }
#define LOAD_ORDERED(order, o, ...) EACH_SCOPE(LOAD_SCOPED, order, o, __VA_ARGS__)
#define LOAD(...) EACH_LOAD_ORDER(LOAD_ORDERED, __VA_ARGS__)
LOAD(unsigned, unsigned)
LOAD(ulong, unsigned long long)
#define STORE_SCOPED(scope, s, order, o, title, type)                                     \
  extern "C" __global__ void store_##title##_##order##_##scope(type* p, type value) {     \
    __nv_atomic_store_n(p, value, o, s);                                                  \
  }
#define STORE_ORDERED(order, o, ...) EACH_SCOPE(STORE_SCOPED, order, o, __VA_ARGS__)
#define STORE(...) EACH_STORE_ORDER(STORE_ORDERED, __VA_ARGS__)
STORE(unsigned, unsigned)
STORE(ulong, unsigned long long)

#define FENCE_SCOPED(scope, s, order, o, unused)                                          \
  extern "C" __global__ void fence_##order##_##scope(int* p) {                            \
    p[0] = 1;                                                                             \
    __nv_atomic_thread_fence(o, s);                                                       \
    p[1] = 1;                                                                             \
  }
#define FENCE_ORDERED(order, o, ...) EACH_SCOPE(FENCE_SCOPED, order, o, __VA_ARGS__)
EACH_ORDER(FENCE_ORDERED, )

// Without a scope they are for the whole system.
extern "C" __global__ void without_scope(int* p, int value, int* out) {
  *out = __nv_atomic_fetch_add(p, value, __NV_ATOMIC_RELAXED);
}

// The forms that take the value by address.
extern "C" __global__ void by_address(int* p, int* value) {
  __nv_atomic_load(p, value, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_store(p + 1, value + 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
}
