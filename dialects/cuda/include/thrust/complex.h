// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thrust::complex, which is std::complex here.
#ifndef LATHE_CUDA_THRUST_COMPLEX_H
#define LATHE_CUDA_THRUST_COMPLEX_H
#include <complex>
namespace thrust {
using std::abs;
using std::acos;
using std::arg;
using std::asin;
using std::atan;
using std::complex;
using std::conj;
using std::cos;
using std::cosh;
using std::exp;
using std::log;
using std::norm;
using std::polar;
using std::pow;
using std::proj;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;
}  // namespace thrust
#endif
