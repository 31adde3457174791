// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI of machines without items where lowering alone does not provide it: subgroups and memory. Indexing,
// the group's and the subgroup's plain barrier are the lowering's. It is compiled once, as portable IR, for machines of
// every kind: it depends neither on the order of bytes nor, but for functions that say so, on the width of pointers.
//
// Variants: of a function whose name ends in `.subgroup32` or `.pointers64`, a compile takes the one that fits its
// machine, under the name without that ending (library.h).
//
// A subgroup is a number of neighbours by linear position, as in CUDA. Its items meet at a subgroup barrier, which
// work-group lowering cuts at as it does at a group's, and exchange values through an array of the group with a place
// for each item: write, meet, read, meet. The second meeting keeps a value from being overwritten before everybody has
// read it. Items of other subgroups may be elsewhere at that time; they use other places. No argument leads out of the
// array.
#include <lathe/sdk/device_abi.h>

#define LATHE_INTERNAL inline __attribute__((always_inline))
#define LATHE_ENTRY extern "C" __attribute__((always_inline, convergent))

extern "C" {
/// The places of the group's items, with a subgroup's more in front and behind, so that neighbours can be read without
/// a question. How many items a group may have is the descriptor's to say, and so is the length (library.cpp). Known by
/// its name: exchanges that do not wait for one another share barriers (core/group/split/shuffle_batches.h).
extern __attribute__((address_space(3))) unsigned lathe_exchange[];
}

namespace {

/// A set of a subgroup's items as the device ABI has it.
using AbiMask = unsigned long long;

/// The same as narrow as it can be.
template <unsigned Size>
struct MaskOf {
  using Type = unsigned;
};
template <>
struct MaskOf<64> {
  using Type = unsigned long long;
};
template <unsigned Size>
using Mask = typename MaskOf<Size>::Type;

LATHE_INTERNAL unsigned linearId() {
  return (__lathe_item_id_z() * __lathe_group_size_y() + __lathe_item_id_y()) * __lathe_group_size_x() +
         __lathe_item_id_x();
}

/// Subgroups of `Size` items.
template <unsigned Size>
struct Subgroup {
  using Places = __attribute__((address_space(3))) unsigned*;

  static LATHE_INTERNAL Mask<Size> converge(Mask<Size> mask) {
    return static_cast<Mask<Size>>(__lathe_subgroup_converge(mask));
  }

  static LATHE_INTERNAL unsigned lane() { return linearId() & (Size - 1); }

  /// Bits of items that the subgroup has not mean nothing, and a set of nobody would be whoever is here.
  static LATHE_INTERNAL Mask<Size> fromAbi(AbiMask mask) {
    constexpr Mask<Size> all = ~Mask<Size>{} >> (sizeof(Mask<Size>) * 8 - Size);
    return static_cast<Mask<Size>>(mask) & all;
  }

  /// Where the item's value is read by others; places of neighbours are neighbours.
  static LATHE_INTERNAL Places place() { return lathe_exchange + Size + linearId(); }
  static LATHE_INTERNAL Places places() { return lathe_exchange + Size + (linearId() & ~(Size - 1)); }

  /// Which of the subgroup's places hold something other than 0.
  static LATHE_INTERNAL Mask<Size> occupied() {
    const auto* const all = places();
    Mask<Size> bits = 0;
    for (unsigned i = 0; i < Size; ++i) bits |= static_cast<Mask<Size>>(all[i] != 0) << i;
    return bits;
  }

  static LATHE_INTERNAL unsigned shuffle(AbiMask mask, unsigned value, unsigned item, unsigned width) {
    *place() = value;
    converge(fromAbi(mask));
    const unsigned out = places()[((lane() & ~(width - 1)) | (item & (width - 1))) & (Size - 1)];
    converge(fromAbi(mask));
    return out;
  }
  static LATHE_INTERNAL unsigned shuffleUp(AbiMask mask, unsigned value, unsigned delta, unsigned width) {
    *place() = value;
    converge(fromAbi(mask));
    const unsigned other = *(place() - (delta & (Size - 1)));
    converge(fromAbi(mask));
    return (lane() & (width - 1)) < delta ? value : other;
  }
  static LATHE_INTERNAL unsigned shuffleDown(AbiMask mask, unsigned value, unsigned delta, unsigned width) {
    *place() = value;
    converge(fromAbi(mask));
    const unsigned other = place()[delta & (Size - 1)];
    converge(fromAbi(mask));
    return width - (lane() & (width - 1)) <= delta ? value : other;
  }
  static LATHE_INTERNAL unsigned shuffleXor(AbiMask mask, unsigned value, unsigned bits, unsigned width) {
    *place() = value;
    converge(fromAbi(mask));
    const unsigned from = lane() ^ bits;
    const unsigned out = places()[(from < (lane() & ~(width - 1)) + width ? from : lane()) & (Size - 1)];
    converge(fromAbi(mask));
    return out;
  }

  static LATHE_INTERNAL Mask<Size> ballot(AbiMask mask, unsigned predicate) {
    const Mask<Size> who = fromAbi(mask);
    *place() = predicate;
    const Mask<Size> out = converge(who) & occupied();  // not what items that returned have left there
    converge(who);
    return out & who;  // of an item that the mask does not name, the others
  }

  // Matches and reductions by one exchange, where the functions for all targets need one a round.

  static LATHE_INTERNAL Mask<Size> matchAny(AbiMask mask, unsigned value) {
    *place() = value;
    const Mask<Size> here = converge(fromAbi(mask));
    const auto* const all = places();
    Mask<Size> same = 0;
    for (unsigned i = 0; i < Size; ++i) same |= Mask<Size>(all[i] == value) << i;
    converge(fromAbi(mask));
    return same & here;
  }

  template <class T, class Join>
  static LATHE_INTERNAL unsigned fold(AbiMask mask, unsigned value, Join join) {
    *place() = value;
    const Mask<Size> here = converge(fromAbi(mask));
    const auto* const values = places();
    T all = static_cast<T>(value);
    for (unsigned i = 0; i < Size; ++i)
      if (here >> i & 1 && i != lane()) all = join(all, static_cast<T>(values[i]));
    converge(fromAbi(mask));
    return static_cast<unsigned>(all);
  }
};

}  // namespace

/// One entry for subgroups of `size` items: LATHE_OF(32, unsigned, subgroup_item_id, (), return Subgroup<32>::lane();)
#define LATHE_OF(size, type, name, parameters, ...)                                              \
  LATHE_ENTRY type lathe_##name##_##size parameters __asm__("__lathe_" #name ".subgroup" #size); \
  type lathe_##name##_##size parameters {                                                        \
    __VA_ARGS__                                                                                  \
  }

#define LATHE_REDUCE(size, name, type, combine)                                 \
  LATHE_OF(size, unsigned, reduce_##name##_i32, (AbiMask mask, unsigned value), \
           return Subgroup<size>::fold<type>(mask, value,                       \
                                             [](type a, type b) __attribute__((always_inline)) { return combine; });)

#define LATHE_SUBGROUPS(size)                                                                                          \
  LATHE_OF(size, unsigned, subgroup_item_id, (), return Subgroup<size>::lane();)                                       \
  /* A barrier of nobody else: the item goes on when no other can without it. */                                       \
  LATHE_OF(size, void, item_yield, (), Subgroup<size>::converge(Mask<size>{1} << Subgroup<size>::lane());)             \
  LATHE_OF(size, unsigned, shuffle_i32, (AbiMask mask, unsigned value, unsigned item, unsigned width),                 \
           return Subgroup<size>::shuffle(mask, value, item, width);)                                                  \
  LATHE_OF(size, unsigned, shuffle_up_i32, (AbiMask mask, unsigned value, unsigned delta, unsigned width),             \
           return Subgroup<size>::shuffleUp(mask, value, delta, width);)                                               \
  LATHE_OF(size, unsigned, shuffle_down_i32, (AbiMask mask, unsigned value, unsigned delta, unsigned width),           \
           return Subgroup<size>::shuffleDown(mask, value, delta, width);)                                             \
  LATHE_OF(size, unsigned, shuffle_xor_i32, (AbiMask mask, unsigned value, unsigned bits, unsigned width),             \
           return Subgroup<size>::shuffleXor(mask, value, bits, width);)                                               \
  LATHE_OF(size, AbiMask, ballot, (AbiMask mask, unsigned predicate), return Subgroup<size>::ballot(mask, predicate);) \
  LATHE_OF(size, AbiMask, active_mask, (), return Subgroup<size>::converge(0);)                                        \
  LATHE_OF(size, unsigned, vote_any, (AbiMask mask, unsigned predicate),                                               \
           return Subgroup<size>::ballot(mask, predicate) != 0;)                                                       \
  LATHE_OF(size, unsigned, vote_all, (AbiMask mask, unsigned predicate),                                               \
           return Subgroup<size>::ballot(mask, predicate == 0) == 0;)                                                  \
  LATHE_OF(size, AbiMask, match_any_i32, (AbiMask mask, unsigned value),                                               \
           return Subgroup<size>::matchAny(mask, value);)                                                              \
  LATHE_OF(                                                                                                            \
      size, AbiMask, match_any_i64, (AbiMask mask, unsigned long long value),                                          \
      return Subgroup<size>::matchAny(mask, unsigned(value)) & Subgroup<size>::matchAny(mask, unsigned(value >> 32));) \
  LATHE_REDUCE(size, add, unsigned, a + b)                                                                             \
  LATHE_REDUCE(size, min, int, a < b ? a : b)                                                                          \
  LATHE_REDUCE(size, max, int, a > b ? a : b)                                                                          \
  LATHE_REDUCE(size, umin, unsigned, a < b ? a : b)                                                                    \
  LATHE_REDUCE(size, umax, unsigned, a > b ? a : b)                                                                    \
  LATHE_REDUCE(size, and, unsigned, a& b)                                                                              \
  LATHE_REDUCE(size, or, unsigned, a | b)                                                                              \
  LATHE_REDUCE(size, xor, unsigned, a ^ b)
LATHE_SUBGROUPS(8)
LATHE_SUBGROUPS(16)
LATHE_SUBGROUPS(32)
LATHE_SUBGROUPS(64)

namespace {

/// 1 after an item of the group has taken the group's part in this round's barrier.
[[clang::loader_uninitialized]] inline __attribute__((address_space(3))) unsigned lathe_grid_arrived;

}  // namespace

/// One item waits for all, and so does the thread that runs them: a cooperative launch gives each group one. Items may
/// have returned, so it is the first that comes.
LATHE_ENTRY void __lathe_grid_barrier() {
  __lathe_group_barrier();
  __atomic_store_n(&lathe_grid_arrived, 0U, __ATOMIC_RELAXED);
  __lathe_group_barrier();
  // Items that race for it need an atomic access, as in any kernel: what one item writes plainly no other sees before
  // the next barrier.
  if (__atomic_exchange_n(&lathe_grid_arrived, 1U, __ATOMIC_RELAXED) == 0) {
    if (!__lathe_host_grid_barrier()) __lathe_assert_fail("the launch is cooperative", nullptr, 0, nullptr);
  }
  __lathe_group_barrier();
}

// Memory is the C library's, whose sizes are as wide as pointers.
extern "C" {
void* lathe_malloc_32(unsigned) __asm__("malloc.pointers32");
void* lathe_malloc_64(unsigned long long) __asm__("malloc.pointers64");
void free(void*);
void* lathe_allocate_32(unsigned long long bytes) __asm__("__lathe_allocate.pointers32");
void* lathe_allocate_64(unsigned long long bytes) __asm__("__lathe_allocate.pointers64");
}

LATHE_ENTRY void* lathe_allocate_32(unsigned long long bytes) {
  // A number that the machine's sizes do not reach is more than it has.
  return bytes == static_cast<unsigned>(bytes) ? lathe_malloc_32(static_cast<unsigned>(bytes)) : nullptr;
}
LATHE_ENTRY void* lathe_allocate_64(unsigned long long bytes) {
  return lathe_malloc_64(bytes);
}
LATHE_ENTRY void __lathe_release(const void* memory) {
  free(const_cast<void*>(memory));
}
