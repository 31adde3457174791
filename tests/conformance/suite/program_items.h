// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of a grid as programs of a kernel that has none: stands before a kernel file, for targets whose programs run
// one by one. An item is a run of the program, with its position in the context. Arrays lie in an arena. The entries of
// the device ABI that such a program can have are here; of the others a call is an error, as on any target.
#include <lathe/bpf.h>
#include <lathe/device/abi.h>

#define LATHE_PROGRAM_INLINE inline __attribute__((always_inline))

struct lathe_position {
  __u32 item_id[3], group_id[3], group_size[3], group_count[3];
};
static lathe_position lathe_here;

extern "C" {
#define LATHE_POSITION(name)                                 \
  LATHE_PROGRAM_INLINE __u32 __lathe_##name##_x() noexcept { \
    return lathe_here.name[0];                               \
  }                                                          \
  LATHE_PROGRAM_INLINE __u32 __lathe_##name##_y() noexcept { \
    return lathe_here.name[1];                               \
  }                                                          \
  LATHE_PROGRAM_INLINE __u32 __lathe_##name##_z() noexcept { \
    return lathe_here.name[2];                               \
  }
LATHE_POSITION(item_id)
LATHE_POSITION(group_id)
LATHE_POSITION(group_size)
LATHE_POSITION(group_count)
#undef LATHE_POSITION

// All of the machine's atomics that return the old value are sequentially consistent.
#define LATHE_ATOMIC(name, T, bits, call)                                                          \
  LATHE_PROGRAM_INLINE T __lathe_atomic_##name##_i##bits(void* cell, T x, __u32, __u32) noexcept { \
    return call((T*)cell, x);                                                                      \
  }
#define LATHE_ATOMICS(T, bits)                                                                                         \
  LATHE_ATOMIC(add, T, bits, __sync_fetch_and_add)                                                                     \
  LATHE_ATOMIC(sub, T, bits, __sync_fetch_and_sub)                                                                     \
  LATHE_ATOMIC(exchange, T, bits, __sync_swap)                                                                         \
  LATHE_PROGRAM_INLINE T __lathe_atomic_cas_i##bits(void* cell, T expected, T x, __u32, __u32) noexcept {              \
    return __sync_val_compare_and_swap((T*)cell, expected, x);                                                         \
  }                                                                                                                    \
  LATHE_PROGRAM_INLINE T __lathe_atomic_load_i##bits(void* cell, __u32, __u32) noexcept {                              \
    return *(volatile T*)cell;                                                                                         \
  }                                                                                                                    \
  LATHE_PROGRAM_INLINE void __lathe_atomic_store_i##bits(void* cell, T x, __u32, __u32) noexcept {                     \
    *(volatile T*)cell = x;                                                                                            \
  }                                                                                                                    \
  LATHE_BY_EXCHANGE(and, T, bits, seen& x)                                                                             \
  LATHE_BY_EXCHANGE(or, T, bits, seen | x)                                                                             \
  LATHE_BY_EXCHANGE(xor, T, bits, seen ^ x)                                                                            \
  LATHE_BY_EXCHANGE(min, T, bits,                                                                                      \
                    static_cast<signed LATHE_WORD_##bits>(x) < static_cast<signed LATHE_WORD_##bits>(seen) ? x : seen) \
  LATHE_BY_EXCHANGE(max, T, bits,                                                                                      \
                    static_cast<signed LATHE_WORD_##bits>(x) > static_cast<signed LATHE_WORD_##bits>(seen) ? x : seen) \
  LATHE_BY_EXCHANGE(                                                                                                   \
      umin, T, bits,                                                                                                   \
      static_cast<unsigned LATHE_WORD_##bits>(x) < static_cast<unsigned LATHE_WORD_##bits>(seen) ? x : seen)           \
  LATHE_BY_EXCHANGE(                                                                                                   \
      umax, T, bits,                                                                                                   \
      static_cast<unsigned LATHE_WORD_##bits>(x) > static_cast<unsigned LATHE_WORD_##bits>(seen) ? x : seen)
// There is no atomic minimum, and in arenas the machine's compiler has no and, or, xor that return the old value. Runs
// come one after the other, so the exchange succeeds; 0 would be a wrong result if it did not.
#define LATHE_BY_EXCHANGE(name, T, bits, result)                                                   \
  LATHE_PROGRAM_INLINE T __lathe_atomic_##name##_i##bits(void* cell, T x, __u32, __u32) noexcept { \
    const T seen = *(volatile T*)cell;                                                             \
    return __sync_val_compare_and_swap((T*)cell, seen, static_cast<T>(result)) == seen ? seen : 0; \
  }
#define LATHE_WORD_32 int
#define LATHE_WORD_64 long long
#define __sync_swap(cell, x) __atomic_exchange_n(cell, x, __ATOMIC_SEQ_CST)
LATHE_ATOMICS(__u32, 32)
LATHE_ATOMICS(__u64, 64)
LATHE_BY_EXCHANGE(inc, __u32, 32, seen >= x ? 0 : seen + 1)
LATHE_BY_EXCHANGE(dec, __u32, 32, seen == 0 || seen > x ? x : seen - 1)
#undef __sync_swap
#undef LATHE_ATOMICS
#undef LATHE_ATOMIC
#undef LATHE_BY_EXCHANGE
}

// One run: the position, and the addresses of the arrays.
struct lathe_run {
  lathe_position position;
  __u64 arrays[16];
};
lathe::bpf::arena<1> lathe_memory SEC(".maps");

/// The array at `Index` of a run.
template <unsigned Index>
struct lathe_array {
  template <class P>
  static LATHE_PROGRAM_INLINE P get(lathe_run* run) {
    asm volatile("" ::"r"(&lathe_memory));
    return (P)(__attribute__((address_space(1))) void*)run->arrays[Index];
  }
};
/// A value of these bytes: a constant, so that the verifier knows how often a loop runs.
template <unsigned char... Bytes>
struct lathe_value {
  template <class P>
  static LATHE_PROGRAM_INLINE P get(lathe_run*) {
    struct {
      unsigned char bytes[sizeof...(Bytes)];
    } constexpr all = {{Bytes...}};
    return __builtin_bit_cast(P, all);
  }
};
template <class... Arguments>
struct lathe_launch {
  template <class... P>
  static LATHE_PROGRAM_INLINE int call(void (*kernel)(P...), lathe_run* run) {
    lathe_here = run->position;
    kernel(Arguments::template get<P>(run)...);
    return 0;
  }
};

#undef LATHE_KERNEL
#define LATHE_KERNEL static LATHE_PROGRAM_INLINE
