// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lathe's kernel language: plain C++20 plus this header. A kernel is a function marked LATHE_KERNEL; it runs once for
// each item of a grid of groups.
//
//   #include <lathe/device.h>
//   LATHE_KERNEL void saxpy(unsigned n, float a, const float* x, float* y) {
//     const unsigned i = lathe::global_id().x;
//     if (i < n) y[i] += a * x[i];
//   }
#ifndef LATHE_DEVICE_H
#define LATHE_DEVICE_H

#include <lathe/device/abi.h>
#include <lathe/device/math.h>

namespace lathe {

/// Three extents or coordinates.
struct uint3 {
  unsigned x, y, z;
};

/// Position of this item in its group, of its group in the grid, and the two extents.
LATHE_INLINE uint3 item_id() {
  return {__lathe_item_id_x(), __lathe_item_id_y(), __lathe_item_id_z()};
}
LATHE_INLINE uint3 group_id() {
  return {__lathe_group_id_x(), __lathe_group_id_y(), __lathe_group_id_z()};
}
LATHE_INLINE uint3 group_size() {
  return {__lathe_group_size_x(), __lathe_group_size_y(), __lathe_group_size_z()};
}
LATHE_INLINE uint3 group_count() {
  return {__lathe_group_count_x(), __lathe_group_count_y(), __lathe_group_count_z()};
}

/// Position of this item in the whole grid.
LATHE_INLINE uint3 global_id() {
  const uint3 item = item_id(), group = group_id(), size = group_size();
  return {group.x * size.x + item.x, group.y * size.y + item.y, group.z * size.z + item.z};
}
/// Items in the whole grid.
LATHE_INLINE uint3 global_size() {
  const uint3 size = group_size(), count = group_count();
  return {size.x * count.x, size.y * count.y, size.z * count.z};
}
/// Position of this item in its group with x running fastest.
LATHE_INLINE unsigned linear_item_id() {
  const uint3 item = item_id(), size = group_size();
  return (item.z * size.y + item.y) * size.x + item.x;
}
/// Items in a group.
LATHE_INLINE unsigned linear_group_size() {
  const uint3 size = group_size();
  return size.x * size.y * size.z;
}

/// One item, and one group, as objects.
struct item_t {
  LATHE_INLINE uint3 id() const { return item_id(); }
  LATHE_INLINE uint3 global_id() const { return lathe::global_id(); }
  LATHE_INLINE unsigned linear_id() const { return linear_item_id(); }
};
struct group_t {
  LATHE_INLINE uint3 id() const { return group_id(); }
  LATHE_INLINE uint3 size() const { return group_size(); }
  LATHE_INLINE unsigned linear_size() const { return linear_group_size(); }
  LATHE_INLINE void barrier() const { __lathe_group_barrier(); }
};
LATHE_INLINE item_t item() {
  return {};
}
LATHE_INLINE group_t group() {
  return {};
}

/// All items of the group arrive, and then see what the others wrote before.
LATHE_INLINE void barrier() {
  __lathe_group_barrier();
}

/// The launch-sized shared memory, aligned to 16 bytes.
template <class T>
LATHE_INLINE T* dynamic_shared() {
  return static_cast<T*>(__lathe_dynamic_shared());
}

enum class order : int { relaxed = 0, acquire = 1, release = 2, acq_rel = 3, seq_cst = 4 };
enum class scope : int { item = 0, subgroup = 1, group = 2, device = 3, system = 4 };

/// Orders this item's memory accesses for observers in `s`.
template <order O = order::seq_cst, scope S = scope::device>
LATHE_INLINE void fence() {
  __lathe_fence(int(O), int(S));
}

namespace detail {
template <class T>
struct atomic_bits;  // which ABI entries serve T
template <>
struct atomic_bits<int> {
  using type = unsigned;
  static constexpr bool is_signed = true;
};
template <>
struct atomic_bits<unsigned> {
  using type = unsigned;
  static constexpr bool is_signed = false;
};
template <>
struct atomic_bits<long> {
  using type = unsigned long;
  static constexpr bool is_signed = true;
};
template <>
struct atomic_bits<unsigned long> {
  using type = unsigned long;
  static constexpr bool is_signed = false;
};
template <>
struct atomic_bits<long long> {
  using type = unsigned long;
  static constexpr bool is_signed = true;
};
template <>
struct atomic_bits<unsigned long long> {
  using type = unsigned long;
  static constexpr bool is_signed = false;
};

template <class T>
struct same {
  using type = T;
};
/// Keeps a parameter out of template argument deduction.
template <class T>
using same_t = typename same<T>::type;
}  // namespace detail

// The integer atomics. Each returns the old value; all are relaxed and device-wide unless told otherwise.
#define LATHE_ATOMIC(op, signed_entry, unsigned_entry)                                         \
  template <order O = order::relaxed, scope S = scope::device, class T>                        \
  LATHE_INLINE T atomic_##op(T* pointer, detail::same_t<T> value) {                            \
    using bits = typename detail::atomic_bits<T>::type;                                        \
    if constexpr (sizeof(T) == 4) {                                                            \
      if constexpr (detail::atomic_bits<T>::is_signed)                                         \
        return T(__lathe_atomic_##signed_entry##_i32(pointer, bits(value), int(O), int(S)));   \
      else                                                                                     \
        return T(__lathe_atomic_##unsigned_entry##_i32(pointer, bits(value), int(O), int(S))); \
    } else {                                                                                   \
      if constexpr (detail::atomic_bits<T>::is_signed)                                         \
        return T(__lathe_atomic_##signed_entry##_i64(pointer, bits(value), int(O), int(S)));   \
      else                                                                                     \
        return T(__lathe_atomic_##unsigned_entry##_i64(pointer, bits(value), int(O), int(S))); \
    }                                                                                          \
  }
LATHE_ATOMIC(add, add, add)
LATHE_ATOMIC(sub, sub, sub)
LATHE_ATOMIC(and, and, and)
LATHE_ATOMIC(or, or, or)
LATHE_ATOMIC(xor, xor, xor)
LATHE_ATOMIC(min, min, umin)
LATHE_ATOMIC(max, max, umax)
LATHE_ATOMIC(exchange, exchange, exchange)
#undef LATHE_ATOMIC

template <order O = order::relaxed, scope S = scope::device>
LATHE_INLINE float atomic_add(float* pointer, float value) {
  return __lathe_atomic_add_f32(pointer, value, int(O), int(S));
}
template <order O = order::relaxed, scope S = scope::device>
LATHE_INLINE double atomic_add(double* pointer, double value) {
  return __lathe_atomic_add_f64(pointer, value, int(O), int(S));
}

/// Stores `desired` if the value is `expected`; returns the old value either way.
template <order O = order::relaxed, scope S = scope::device, class T>
LATHE_INLINE T atomic_compare_exchange(T* pointer, detail::same_t<T> expected, detail::same_t<T> desired) {
  using bits = typename detail::atomic_bits<T>::type;
  if constexpr (sizeof(T) == 4)
    return T(__lathe_atomic_cas_i32(pointer, bits(expected), bits(desired), int(O), int(S)));
  else
    return T(__lathe_atomic_cas_i64(pointer, bits(expected), bits(desired), int(O), int(S)));
}
template <order O = order::seq_cst, scope S = scope::device, class T>
LATHE_INLINE T atomic_load(const T* pointer) {
  if constexpr (sizeof(T) == 4)
    return T(__lathe_atomic_load_i32(const_cast<T*>(pointer), int(O), int(S)));
  else
    return T(__lathe_atomic_load_i64(const_cast<T*>(pointer), int(O), int(S)));
}
template <order O = order::seq_cst, scope S = scope::device, class T>
LATHE_INLINE void atomic_store(T* pointer, detail::same_t<T> value) {
  using bits = typename detail::atomic_bits<T>::type;
  if constexpr (sizeof(T) == 4)
    __lathe_atomic_store_i32(pointer, bits(value), int(O), int(S));
  else
    __lathe_atomic_store_i64(pointer, bits(value), int(O), int(S));
}

/// True when this code is compiled for the target of that name; folded, so the other branch costs nothing.
LATHE_INLINE bool target_is(const char* name) {
  return __lathe_target_is(name) != 0;
}
/// True when the architecture's ordinal (90 for sm_90) is `ordinal` or more; folded.
LATHE_INLINE bool arch_at_least(unsigned ordinal) {
  return __lathe_arch_at_least(ordinal) != 0;
}
/// The job's parameter of that name; folded.
LATHE_INLINE long param(const char* name) {
  return long(__lathe_param(name));
}

/// A counter of cycles, for differences within one item.
LATHE_INLINE unsigned long clock() {
  return __lathe_clock();
}
/// Ends the kernel with a fault.
[[noreturn]] LATHE_INLINE void trap() {
  __lathe_trap();
  __builtin_unreachable();
}

}  // namespace lathe

#endif
