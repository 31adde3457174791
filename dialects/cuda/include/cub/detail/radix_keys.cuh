// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bits of keys whose unsigned order is the keys' order, as radix sorts use them: signs are flipped, and all bits of
// negative floating-point numbers.
#ifndef LATHE_CUB_RADIX_KEYS_H
#define LATHE_CUB_RADIX_KEYS_H

#include <cub/config.cuh>

namespace LATHE_CUB {
namespace detail {

template <int Bytes>
struct BitsOfSize;
#define LATHE_CUB_BITS(...)                \
  template <>                              \
  struct BitsOfSize<sizeof(__VA_ARGS__)> { \
    using type = __VA_ARGS__;              \
  };
LATHE_CUB_BITS(unsigned char)
LATHE_CUB_BITS(unsigned short)
LATHE_CUB_BITS(unsigned)
LATHE_CUB_BITS(unsigned long long)
LATHE_CUB_BITS(unsigned __int128)
#undef LATHE_CUB_BITS

template <class K>
struct RadixKey {
  using Bits = typename BitsOfSize<sizeof(K)>::type;
  static constexpr Bits high = static_cast<Bits>(Bits(1) << (8 * sizeof(K) - 1));
  /// CUDA's half, bfloat16 and 8-bit formats are classes.
  static constexpr bool floating =
      __is_floating_point(K) || (__is_class(K) && requires(K k) { static_cast<float>(k); });

  static constexpr bool isSigned() {
    if constexpr (floating || __is_same(K, bool))
      return false;
    else
      return static_cast<K>(-1) < K{};
  }
  LATHE_CUDA_BOTH static constexpr Bits in(Bits bits) {
    if constexpr (floating)
      return static_cast<Bits>(bits & high ? ~bits : bits | high);
    else
      return isSigned() ? static_cast<Bits>(bits ^ high) : bits;
  }
  LATHE_CUDA_BOTH static constexpr Bits out(Bits bits) {
    if constexpr (floating)
      return static_cast<Bits>(bits & high ? bits ^ high : ~bits);
    else
      return isSigned() ? static_cast<Bits>(bits ^ high) : bits;
  }
  /// Of a sort: both zeros of floating-point numbers are one key.
  LATHE_CUDA_BOTH static constexpr Bits sorted(Bits ordered) {
    if constexpr (floating)
      return ordered == static_cast<Bits>(~high) ? high : ordered;
    else
      return ordered;
  }
  LATHE_CUDA_BOTH static Bits of(const K& key) {
    Bits bits;
    __builtin_memcpy(&bits, &key, sizeof(K));
    return sorted(in(bits));
  }
};

/// Keys that are their own single member.
struct Whole {
  template <class K>
  LATHE_CUDA_BOTH static auto bits(const K& key) {
    return RadixKey<K>::of(key);
  }
  template <class K>
  static constexpr int count = 8 * sizeof(K);
};

/// Keys of several members, which a functor of the user's gives as a tuple of references, the highest first.
template <class Decomposer>
struct Members {
  Decomposer decomposer;
  template <template <class...> class Tuple, class... M>
  static constexpr int bytesOf(const Tuple<M...>*) {
    return (static_cast<int>(sizeof(M)) + ...);
  }
  template <int Bytes>
  using Joined = typename BitsOfSize<(Bytes <= 4   ? 4
                                      : Bytes <= 8 ? 8
                                                   : 16)>::type;
  template <class K>
  static constexpr int count =
      8 * bytesOf(static_cast<decltype(static_cast<Decomposer*>(nullptr)->operator()(*static_cast<K*>(nullptr)))*>(
              nullptr));

  template <class Bits, int I, class Tuple, class First, class... Rest>
  LATHE_CUDA_BOTH static Bits join(Bits above, const Tuple& members, First*, Rest*... rest) {
    constexpr int bits = 8 * sizeof(First);
    const Bits own = RadixKey<First>::of(get<I>(members));
    const Bits with = (bits < 8 * sizeof(Bits) ? above << (bits % (8 * sizeof(Bits))) : Bits{}) | own;
    if constexpr (sizeof...(Rest) == 0)
      return with;
    else
      return join<Bits, I + 1>(with, members, rest...);
  }
  template <template <class...> class Tuple, class... M>
  LATHE_CUDA_BOTH static auto joined(const Tuple<M&...>& members) {
    constexpr int bytes = (static_cast<int>(sizeof(M)) + ...);
    static_assert(bytes <= 16, "a radix sort's members have at most 128 bits");
    return join<Joined<bytes>, 0>(Joined<bytes>{}, members, static_cast<__remove_const(M)*>(nullptr)...);
  }
  template <class K>
  LATHE_CUDA_BOTH auto bits(const K& key) {
    return joined(decomposer(const_cast<K&>(key)));
  }
};

}  // namespace detail
}  // namespace LATHE_CUB

#endif
