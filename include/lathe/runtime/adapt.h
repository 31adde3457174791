// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The conversion of a host program's objects to what kernels take: adapted<To>(from) is how Kernel passes its arguments
// (<lathe/runtime/kernel.h>). Buffers become pointers or spans, and whatever holds buffers becomes the same with
// pointers: arrays, pairs, tuples and, with Boost.PFR 2 (Debian's libboost1.81-dev) on the include path, plain structs,
// field by field. A type of one's own joins by one function beside it:
//
//   Image adapt(const HostImage& image) { return {image.pixels.data(), image.width, image.height}; }
//
// All of it is decided when the host program is compiled; nothing is allocated.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include <lathe/runtime/memory.h>

#if __has_include(<boost/pfr/core.hpp>)
#include <boost/pfr/core.hpp>
#include <boost/pfr/tuple_size.hpp>
#define LATHE_ADAPTS_FIELDS 1
#else
#define LATHE_ADAPTS_FIELDS 0
#endif

namespace lathe {

namespace detail {
/// No function: the name, so that it is looked up by its argument's type alone.
void adapt() = delete;

/// A type that its author gave an adapt().
template <class From>
concept HasAdapt = requires(const From& from) { adapt(from); };

template <class From>
constexpr bool isBuffer = false;
template <class T>
constexpr bool isBuffer<Buffer<T>> = true;

/// std::array, std::pair, std::tuple and what else has their interface.
template <class T>
concept TupleLike = requires { std::tuple_size<T>::value; };

#if LATHE_ADAPTS_FIELDS
template <class T>
concept Fielded = std::is_aggregate_v<T> && !std::is_array_v<T> && !TupleLike<T>;
template <class To, class From>
concept SameFields = Fielded<To> && Fielded<From> && std::is_default_constructible_v<To> &&
                     boost::pfr::tuple_size_v<To> == boost::pfr::tuple_size_v<From>;
#else
template <class To, class From>
concept SameFields = false;
#endif

template <class>
constexpr bool neverTrue = false;
}  // namespace detail

/// The value that a kernel's parameter of type To receives for `from`. Does not compile where nothing above applies.
template <class To, class From>
[[nodiscard]] constexpr To adapted(const From& from) {
  if constexpr (detail::HasAdapt<From>) {
    return adapted<To>(adapt(from));
  } else if constexpr (detail::isBuffer<From>) {
    if constexpr (std::is_convertible_v<typename From::Element*, To>) {
      return from.data();
    } else {
      static_assert(std::is_constructible_v<To, typename From::Element*, std::size_t>,
                    "a Buffer<T> is passed to T*, const T*, or a span that is made of a T* and a size");
      return To(from.data(), from.size());
    }
  } else if constexpr (std::is_convertible_v<const From&, To>) {
    return static_cast<To>(from);
  } else if constexpr (detail::TupleLike<From> && detail::TupleLike<To>) {
    static_assert(std::tuple_size_v<To> == std::tuple_size_v<From>, "the two have different numbers of elements");
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return To{adapted<std::tuple_element_t<I, To>>(std::get<I>(from))...};
    }(std::make_index_sequence<std::tuple_size_v<To>>());
  } else if constexpr (detail::SameFields<To, From>) {
#if LATHE_ADAPTS_FIELDS
    To out{};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      ((boost::pfr::get<I>(out) =
            adapted<std::remove_cvref_t<decltype(boost::pfr::get<I>(out))>>(boost::pfr::get<I>(from))),
       ...);
    }(std::make_index_sequence<boost::pfr::tuple_size_v<To>>());
    return out;
#endif
  } else {
    static_assert(
        detail::neverTrue<From>,
        "this argument is nothing that the kernel's parameter can be made of: write adapt(const From&) beside "
        "its type, or, of structs with the same fields, put Boost.PFR on the include path");
  }
}

}  // namespace lathe
