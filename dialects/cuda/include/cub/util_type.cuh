// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's types: pairs of a key and a value, room without constructors, pairs of buffers, bits of keys.
#ifndef LATHE_CUB_UTIL_TYPE_H
#define LATHE_CUB_UTIL_TYPE_H

#include <cub/detail/radix_keys.cuh>
#include <cub/detail/storage.cuh>

namespace LATHE_CUB {

template <class T>
struct Uninitialized : detail::Room<T, 1> {
  LATHE_INLINE T& Alias() { return (*this)[0]; }
};

/// The type of values where there are none.
struct NullType {
  using value_type = NullType;
  NullType() = default;
  template <class T>
  LATHE_CUDA_BOTH explicit NullType(const T&) {}
  LATHE_CUDA_BOTH bool operator==(const NullType&) const { return true; }
};

template <int Number>
struct Int2Type {
  enum { VALUE = Number };
};

template <class K, class V>
struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  KeyValuePair() = default;
  LATHE_CUDA_BOTH constexpr KeyValuePair(const K& k, const V& v) : key(k), value(v) {}
  LATHE_CUDA_BOTH constexpr bool operator==(const KeyValuePair& b) const { return key == b.key && value == b.value; }
  LATHE_CUDA_BOTH constexpr bool operator!=(const KeyValuePair& b) const { return !(*this == b); }
};

template <class T>
struct DoubleBuffer {
  T* d_buffers[2] = {};
  int selector = 0;
  DoubleBuffer() = default;
  LATHE_CUDA_BOTH DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate} {}
  LATHE_CUDA_BOTH T* Current() { return d_buffers[selector]; }
  LATHE_CUDA_BOTH T* Alternate() { return d_buffers[selector ^ 1]; }
};

/// The unsigned integer of a number's size, and how a radix sort orders it.
template <class T>
struct Traits {
  using UnsignedBits = typename detail::RadixKey<T>::Bits;
  static constexpr UnsignedBits LOWEST_KEY = detail::RadixKey<T>::out(UnsignedBits{});
  static constexpr UnsignedBits MAX_KEY = detail::RadixKey<T>::out(static_cast<UnsignedBits>(~UnsignedBits{}));
  LATHE_CUDA_BOTH static constexpr UnsignedBits TwiddleIn(UnsignedBits bits) { return detail::RadixKey<T>::in(bits); }
  LATHE_CUDA_BOTH static constexpr UnsignedBits TwiddleOut(UnsignedBits bits) { return detail::RadixKey<T>::out(bits); }
};
template <class T>
struct NumericTraits : Traits<T> {};

template <int Number, int Steps = 0, bool = ((1 << Steps) >= Number)>
struct Log2 {
  enum { VALUE = Log2<Number, Steps + 1>::VALUE };
};
template <int Number, int Steps>
struct Log2<Number, Steps, true> {
  enum { VALUE = Steps };
};
template <int Number>
struct PowerOfTwo {
  enum { VALUE = (Number & (Number - 1)) == 0 };
};

}  // namespace LATHE_CUB

#endif
