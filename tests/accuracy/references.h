// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of accuracy.def to many digits, by MPFR.
#pragma once

#include <string_view>

#include <mpfr.h>

namespace lathe::accuracy {

/// A number of enough digits to tell where the exact result is between two doubles.
class Number {
 public:
  static constexpr mpfr_prec_t digits = 256;
  explicit Number(double x = 0) {
    mpfr_init2(value_, digits);
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  ~Number() { mpfr_clear(value_); }
  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

/// out = the function of (x, y, z), of which it takes as many as it has operands.
using Reference = void (*)(mpfr_ptr out, mpfr_ptr x, mpfr_ptr y, mpfr_ptr z);
/// Null if there is none of that name.
[[nodiscard]] Reference referenceOf(std::string_view name);

}  // namespace lathe::accuracy
