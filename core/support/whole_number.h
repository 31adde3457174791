// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole numbers out of JSON that came from elsewhere. The library converts whatever number is there: it cuts
// integers off, and for a floating-point one that does not fit the result is undefined.
#pragma once

#include <concepts>
#include <utility>

namespace lathe::detail {

/// The number in `json`. Throws the library's exception if it is none, is not whole, or does not fit.
template <std::integral T, class Json>
[[nodiscard]] T wholeNumber(const Json& json) {
  if (json.is_number_unsigned()) {
    if (const auto number = json.template get<typename Json::number_unsigned_t>(); std::in_range<T>(number))
      return static_cast<T>(number);
  } else if (json.is_number_integer()) {
    if (const auto number = json.template get<typename Json::number_integer_t>(); std::in_range<T>(number))
      return static_cast<T>(number);
  }
  throw Json::other_error::create(501, "no whole number that fits", nullptr);
}

}  // namespace lathe::detail
