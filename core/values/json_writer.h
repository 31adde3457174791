// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values as JSON, for people and for tools in other languages: structs are objects, enumerators their names. A style
// says how keys are spelled, and has overloads of special() for types that it writes in a form of its own.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/values/describe.h"

namespace lathe::detail {

using OrderedJson = nlohmann::ordered_json;

template <class Style, class T>
OrderedJson jsonOf(const Style& style, const T& value);

/// A struct as an object, even if the style has a form of its own for it.
template <class Style, Described T>
OrderedJson jsonOfFields(const Style& style, const T& value) {
  OrderedJson out = OrderedJson::object();
  forEachField(value, [&](std::string_view name, const auto& member) { out[style.key(name)] = jsonOf(style, member); });
  return out;
}

template <class Style, class T>
OrderedJson jsonOf(const Style& style, const T& value) {
  if constexpr (requires { style.special(value); }) {
    return style.special(value);
  } else if constexpr (Named<T>) {
    return std::string(nameOf(value));
  } else if constexpr (Described<T>) {
    return jsonOfFields(style, value);
  } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
    return value;
  } else {
    OrderedJson out = OrderedJson::array();
    for (const auto& element : value) out.push_back(jsonOf(style, element));
    return out;
  }
}

}  // namespace lathe::detail
