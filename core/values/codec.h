// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values as a sequence of numbers and texts: one walk for all formats without keys. A format is a writer and a reader
// class (packed.h, cbor.h) with a function for each kind of value. A class that is derived from one of them may have
// overloads of special() for types that its format writes in a form of their own.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/values/describe.h"

namespace lathe::detail {

template <class T, template <class...> class Template>
inline constexpr bool isA = false;
template <class... Arguments, template <class...> class Template>
inline constexpr bool isA<Template<Arguments...>, Template> = true;
template <class T>
inline constexpr bool isArray = false;
template <class T, std::size_t n>
inline constexpr bool isArray<std::array<T, n>> = true;

template <class Out, class T>
void writeValue(Out& out, const T& value);

/// Elements of a list, or keys and values of a map in turn.
template <class Out, class T>
void writeElements(Out& out, const T& values) {
  for (const auto& value : values) writeValue(out, value);
}
template <class Out, class K, class V>
void writeElements(Out& out, const std::map<K, V>& values) {
  for (const auto& [key, value] : values) {
    writeValue(out, key);
    writeValue(out, value);
  }
}

/// Writes a struct's fields, even if the format has a form of its own for the struct.
template <class Out, Described T>
void writeFields(Out& out, const T& value) {
  out.record(fieldCount<T>());
  forEachFieldOf<T>([&](const auto& field) { writeValue(out, value.*field.member); });
}

/// Writes any value. What may be missing is a list of none or one.
template <class Out, class T>
void writeValue(Out& out, const T& value) {
  if constexpr (requires { out.special(value); }) {
    out.special(value);
  } else if constexpr (std::same_as<T, bool>) {
    out.boolean(value);
  } else if constexpr (Named<T>) {
    out.number(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::integral<T>) {
    out.number(value);
  } else if constexpr (std::floating_point<T>) {
    out.real(value);
  } else if constexpr (std::same_as<T, std::string>) {
    out.text(value);
  } else if constexpr (std::same_as<T, std::filesystem::path>) {
    out.text(value.native());
  } else if constexpr (isArray<T>) {
    out.record(std::tuple_size_v<T>);
    writeElements(out, value);
  } else if constexpr (isA<T, std::map>) {
    out.map(value.size());
    writeElements(out, value);
  } else if constexpr (isA<T, std::vector>) {
    out.list(value.size());
    writeElements(out, value);
  } else if constexpr (std::is_pointer_v<T> || isA<T, std::optional>) {
    out.list(value ? 1 : 0);
    if (value) writeValue(out, *value);
  } else {
    writeFields(out, value);
  }
}

template <class In, class T>
void readValue(In& in, T& value);

/// Reads what writeFields() writes, or what it wrote in an earlier version of the format.
template <class In, Described T>
void readFields(In& in, T& value) {
  in.record(fieldCount<T>());
  forEachFieldOf<T>([&](const auto& field) {
    if (in.has(field.version)) readValue(in, value.*field.member);
  });
}

/// Reads what writeValue() writes into a value that is as its type makes it. Where the bytes are not that, the reader
/// has failed, and the value is some valid one.
template <class In, class T>
void readValue(In& in, T& value) {
  if constexpr (requires { in.special(value); }) {
    in.special(value);
  } else if constexpr (std::same_as<T, bool>) {
    value = in.boolean();
  } else if constexpr (Named<T>) {
    const auto read = static_cast<T>(in.template number<std::underlying_type_t<T>>());
    if (nameOf(read).empty()) return in.fail();
    value = read;
  } else if constexpr (std::integral<T>) {
    value = in.template number<T>();
  } else if constexpr (std::floating_point<T>) {
    value = in.template real<T>();
  } else if constexpr (std::same_as<T, std::string> || std::same_as<T, std::filesystem::path>) {
    value = std::string(in.text());
  } else if constexpr (isArray<T>) {
    in.record(std::tuple_size_v<T>);
    for (auto& element : value) readValue(in, element);
  } else if constexpr (isA<T, std::map>) {
    using Key = typename T::key_type;
    for (auto left = in.template map<Key, typename T::mapped_type>(); left != 0 && !in.failed(); --left) {
      Key key;
      readValue(in, key);
      if (!value.empty() && key <= value.rbegin()->first) return in.fail();  // keys ascend
      readValue(in, value[std::move(key)]);
    }
  } else if constexpr (isA<T, std::vector>) {
    for (auto left = in.template list<typename T::value_type>(); left != 0 && !in.failed(); --left)
      readValue(in, value.emplace_back());
  } else if constexpr (isA<T, std::optional>) {
    const auto count = in.template list<typename T::value_type>();
    if (count > 1) return in.fail();
    if (count == 1) readValue(in, value.emplace());
  } else {
    readFields(in, value);
  }
}

/// Several values as the fields of one that has no struct.
template <class Out, class... T>
void writeValues(Out& out, const T&... values) {
  out.record(sizeof...(values));
  (writeValue(out, values), ...);
}
template <class In, class... T>
void readValues(In& in, T&... values) {
  in.record(sizeof...(values));
  (readValue(in, values), ...);
}

}  // namespace lathe::detail
