// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptions of structs and enumerations. The fields of a struct are listed once, and every format that its values
// are written in walks that list. The compiler refuses a list that lacks a member or has one twice, and an enumeration
// whose names are not complete (-Wswitch), so that no format can lose a value.
//
//   template <>
//   struct Description<Header> {
//     static constexpr auto fields = std::tuple(field("name", &Header::name), field("text", &Header::text));
//   };
//   constexpr std::string_view nameOf(Severity value) { switch (value) { case Severity::error: return "error"; … } }
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace lathe::detail {

/// One member of a struct. A field that does not travel is listed, but no format has it.
template <class Struct, class T, bool doesTravel = true>
struct Field {
  static constexpr bool travels = doesTravel;
  std::string_view name;  ///< as JSON spells it
  T Struct::* member;
  std::uint32_t version = 0;  ///< of the first image format that has it; 0: all have it
  bool atEnd = false;         ///< written behind the struct's other fields

  /// The same, in formats of that version and later.
  [[nodiscard]] constexpr Field since(std::uint32_t first) const { return {name, member, first, atEnd}; }
  /// The same, behind all others: a version that is read without them has them at the end.
  [[nodiscard]] constexpr Field appended(std::uint32_t first) const { return {name, member, first, true}; }
};

template <class Struct, class T>
[[nodiscard]] constexpr Field<Struct, T> field(std::string_view name, T Struct::* member) {
  return {name, member};
}
/// A member that has no meaning in another process.
template <class Struct, class T>
[[nodiscard]] constexpr Field<Struct, T, false> stays(std::string_view name, T Struct::* member) {
  return {name, member};
}

/// The fields of T; specialised for each struct. Their order is that of all formats, but for fields that are appended.
template <class T>
struct Description;

template <class T>
concept Described = requires { Description<std::remove_const_t<T>>::fields; };

/// Names each of T's members, of which there must be `count`. An error in here is a member that Description<T> lacks.
template <std::size_t count, class T>
auto bindMembers(T& value) {
  // clang-format off
  if constexpr (count == 1) { [[maybe_unused]] auto& [a] = value; }
  else if constexpr (count == 2) { [[maybe_unused]] auto& [a, b] = value; }
  else if constexpr (count == 3) { [[maybe_unused]] auto& [a, b, c] = value; }
  else if constexpr (count == 4) { [[maybe_unused]] auto& [a, b, c, d] = value; }
  else if constexpr (count == 5) { [[maybe_unused]] auto& [a, b, c, d, e] = value; }
  else if constexpr (count == 6) { [[maybe_unused]] auto& [a, b, c, d, e, f] = value; }
  else if constexpr (count == 7) { [[maybe_unused]] auto& [a, b, c, d, e, f, g] = value; }
  else if constexpr (count == 8) { [[maybe_unused]] auto& [a, b, c, d, e, f, g, h] = value; }
  else if constexpr (count == 9) { [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i] = value; }
  else if constexpr (count == 10) { [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j] = value; }
  else if constexpr (count == 11) { [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k] = value; }
  else if constexpr (count == 12) { [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value; }
  else if constexpr (count == 13) { [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value; }
  else if constexpr (count == 14) { [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value; }
  else if constexpr (count == 15) { [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value; }
  else if constexpr (count == 16) { [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value; }
  else { static_assert(count == 17, "add a line"); [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = value; }
  // clang-format on
}

template <class A, class B>
[[nodiscard]] constexpr bool repeats(const A& one, const B& other) {
  if constexpr (std::same_as<A, B>) {
    if (one.member == other.member) return true;
  }
  return one.name == other.name;
}

/// True if the description of T has each member of T exactly once.
template <Described T>
[[nodiscard]] consteval bool isComplete() {
  constexpr auto& fields = Description<T>::fields;
  // The deduced result type makes the compiler look into the function.
  static_assert(std::is_void_v<decltype(bindMembers<std::tuple_size_v<std::remove_cvref_t<decltype(fields)>>>(
                    std::declval<T&>()))>);
  return std::apply(
      [](const auto&... all) {
        const auto timesNamed = [&](const auto& one) { return (std::size_t{repeats(one, all)} + ...); };
        return ((timesNamed(all) == 1) && ...);
      },
      fields);
}

/// Calls `visit(field)` for each field of T that travels, in the order of formats without keys.
template <Described T, class F>
constexpr void forEachFieldOf(F&& visit) {
  static_assert(isComplete<T>(), "a member is described twice");
  const auto visitIf = [&](const auto& one, bool atEnd) {
    if constexpr (std::remove_cvref_t<decltype(one)>::travels) {
      if (one.atEnd == atEnd) visit(one);
    }
  };
  std::apply([&](const auto&... all) { (visitIf(all, false), ...), (visitIf(all, true), ...); },
             Description<T>::fields);
}

/// Calls `visit(name, member)` for each field that travels, in the order of the description.
template <Described T, class F>
constexpr void forEachField(T& value, F&& visit) {
  static_assert(isComplete<std::remove_const_t<T>>(), "a member is described twice");
  const auto visitOne = [&](const auto& one) {
    if constexpr (std::remove_cvref_t<decltype(one)>::travels) visit(one.name, value.*one.member);
  };
  std::apply([&](const auto&... all) { (visitOne(all), ...); }, Description<std::remove_const_t<T>>::fields);
}

/// How many fields of T travel.
template <Described T>
[[nodiscard]] consteval std::size_t fieldCount() {
  std::size_t count = 0;
  forEachFieldOf<T>([&](const auto&) { ++count; });
  return count;
}

// --- enumerations ------------------------------------------------------------------------------------------------

/// An enumeration with a function nameOf(), which gives nothing for numbers that stand for no enumerator.
template <class E>
concept Named = std::is_enum_v<E> && requires(E value) {
  { nameOf(value) } -> std::same_as<std::string_view>;
};

/// The largest number that an enumerator may have.
template <Named E>
inline constexpr unsigned largestEnumerator =
    std::min(1023U, unsigned{std::numeric_limits<std::underlying_type_t<E>>::max()});

template <Named E>
[[nodiscard]] consteval std::size_t enumeratorCount() {
  std::size_t count = 0;
  for (unsigned i = 0; i <= largestEnumerator<E>; ++i) count += !nameOf(static_cast<E>(i)).empty();
  return count;
}

/// All enumerators of E, ascending.
template <Named E>
inline constexpr auto enumerators = [] {
  std::array<E, enumeratorCount<E>()> out{};
  std::size_t next = 0;
  for (unsigned i = 0; i <= largestEnumerator<E>; ++i) {
    if (!nameOf(static_cast<E>(i)).empty()) out[next++] = static_cast<E>(i);
  }
  return out;
}();

}  // namespace lathe::detail
