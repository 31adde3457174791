// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// glibc's <ieee754.h>: the fields of floating-point numbers, for host and device. Lowest bits come first, as on x86-64.
#ifndef LATHE_STD_IEEE754_H
#define LATHE_STD_IEEE754_H
union ieee754_float {
  float f;
  struct {
    unsigned int mantissa : 23, exponent : 8, negative : 1;
  } ieee;
  struct {
    unsigned int mantissa : 22, quiet_nan : 1, exponent : 8, negative : 1;
  } ieee_nan;
};
union ieee754_double {
  double d;
  struct {
    unsigned int mantissa1 : 32, mantissa0 : 20, exponent : 11, negative : 1;
  } ieee;
  struct {
    unsigned int mantissa1 : 32, mantissa0 : 19, quiet_nan : 1, exponent : 11, negative : 1;
  } ieee_nan;
};
#define IEEE754_FLOAT_BIAS 0x7f
#define IEEE754_DOUBLE_BIAS 0x3ff
#endif
