// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thrust::complex: a class of its own, from and to std::complex, as sources overload and construct by both. It begins
// at a multiple of its size. Products are the four of the definition; what takes more is the C++ library's.
#ifndef LATHE_CUDA_THRUST_COMPLEX_H
#define LATHE_CUDA_THRUST_COMPLEX_H
#include <lathe/cuda/prelude.h>

#include <complex>
#include <type_traits>

namespace thrust {

template <class T>
struct alignas(2 * sizeof(T)) complex {
  typedef T value_type;

  LATHE_CUDA_BOTH constexpr complex(const T& real = T(), const T& imag = T()) : real_(real), imag_(imag) {}
  template <class U>
    requires(!std::is_same_v<U, T>)
  LATHE_CUDA_BOTH constexpr complex(const complex<U>& z)
      : real_(static_cast<T>(z.real())), imag_(static_cast<T>(z.imag())) {}
  template <class U>
  LATHE_CUDA_BOTH constexpr complex(const std::complex<U>& z)
      : real_(static_cast<T>(z.real())), imag_(static_cast<T>(z.imag())) {}
  LATHE_CUDA_BOTH constexpr operator std::complex<T>() const { return {real_, imag_}; }

  LATHE_CUDA_BOTH constexpr T real() const { return real_; }
  LATHE_CUDA_BOTH constexpr T imag() const { return imag_; }
  LATHE_CUDA_BOTH T real() const volatile { return real_; }
  LATHE_CUDA_BOTH T imag() const volatile { return imag_; }
  LATHE_CUDA_BOTH constexpr void real(T value) { real_ = value; }
  LATHE_CUDA_BOTH constexpr void imag(T value) { imag_ = value; }

  LATHE_CUDA_BOTH constexpr complex& operator=(const T& real) { return *this = complex(real); }
#define LATHE_COMPLEX_ASSIGN(op)                                             \
  template <class U>                                                         \
  LATHE_CUDA_BOTH constexpr complex& operator op## = (const complex<U>& z) { \
    return *this = complex(*this op z);                                      \
  }                                                                          \
  LATHE_CUDA_BOTH constexpr complex& operator op## = (const T& z) { return *this = complex(*this op z); }
  LATHE_COMPLEX_ASSIGN(+)
  LATHE_COMPLEX_ASSIGN(-)
  LATHE_COMPLEX_ASSIGN(*)
  LATHE_COMPLEX_ASSIGN(/)
#undef LATHE_COMPLEX_ASSIGN

 private:
  T real_, imag_;
};

template <class T, class U>
LATHE_CUDA_BOTH constexpr auto operator+(const complex<T>& a, const complex<U>& b) {
  return complex<std::common_type_t<T, U>>(a.real() + b.real(), a.imag() + b.imag());
}
template <class T, class U>
LATHE_CUDA_BOTH constexpr auto operator-(const complex<T>& a, const complex<U>& b) {
  return complex<std::common_type_t<T, U>>(a.real() - b.real(), a.imag() - b.imag());
}
template <class T, class U>
LATHE_CUDA_BOTH constexpr auto operator*(const complex<T>& a, const complex<U>& b) {
  return complex<std::common_type_t<T, U>>(a.real() * b.real() - a.imag() * b.imag(),
                                           a.real() * b.imag() + a.imag() * b.real());
}
template <class T, class U>
LATHE_CUDA_BOTH constexpr auto operator/(const complex<T>& a, const complex<U>& b) {
  typedef std::common_type_t<T, U> R;
  return complex<R>(std::complex<R>(complex<R>(a)) / std::complex<R>(complex<R>(b)));
}

// With a number on one side: its imaginary part is none, where that of a converted one is zero.
#define LATHE_COMPLEX_SCALAR(op, right, left)                                   \
  template <class T, class U>                                                   \
    requires std::is_arithmetic_v<U>                                            \
  LATHE_CUDA_BOTH constexpr auto operator op(const complex<T>& z, const U& x) { \
    return complex<std::common_type_t<T, U>> right;                             \
  }                                                                             \
  template <class T, class U>                                                   \
    requires std::is_arithmetic_v<U>                                            \
  LATHE_CUDA_BOTH constexpr auto operator op(const U& x, const complex<T>& z) { \
    return complex<std::common_type_t<T, U>> left;                              \
  }
LATHE_COMPLEX_SCALAR(+, (z.real() + x, z.imag()), (x + z.real(), z.imag()))
LATHE_COMPLEX_SCALAR(-, (z.real() - x, z.imag()), (x - z.real(), -z.imag()))
LATHE_COMPLEX_SCALAR(*, (z.real() * x, z.imag() * x), (x * z.real(), x* z.imag()))
LATHE_COMPLEX_SCALAR(/, (z.real() / x, z.imag() / x), (complex<U>(x) / z))
#undef LATHE_COMPLEX_SCALAR

template <class T>
LATHE_CUDA_BOTH constexpr complex<T> operator+(const complex<T>& z) {
  return z;
}
template <class T>
LATHE_CUDA_BOTH constexpr complex<T> operator-(const complex<T>& z) {
  return {-z.real(), -z.imag()};
}

template <class T, class U>
LATHE_CUDA_BOTH constexpr bool operator==(const complex<T>& a, const complex<U>& b) {
  return a.real() == b.real() && a.imag() == b.imag();
}
template <class T, class U>
  requires std::is_arithmetic_v<U>
LATHE_CUDA_BOTH constexpr bool operator==(const complex<T>& a, const U& b) {
  return a.real() == b && a.imag() == T();
}

template <class T>
LATHE_CUDA_BOTH T abs(const complex<T>& z) {
  return std::abs(std::complex<T>(z));
}
template <class T>
LATHE_CUDA_BOTH T arg(const complex<T>& z) {
  return std::arg(std::complex<T>(z));
}
template <class T>
LATHE_CUDA_BOTH constexpr T norm(const complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <class T>
LATHE_CUDA_BOTH constexpr complex<T> conj(const complex<T>& z) {
  return {z.real(), -z.imag()};
}
template <class T, class U = T>
LATHE_CUDA_BOTH auto polar(const T& magnitude, const U& angle = U()) {
  typedef std::common_type_t<T, U> R;
  return complex<R>(std::polar<R>(magnitude, angle));
}
#define LATHE_COMPLEX_FUNCTION(name)                     \
  template <class T>                                     \
  LATHE_CUDA_BOTH complex<T> name(const complex<T>& z) { \
    return std::name(std::complex<T>(z));                \
  }
LATHE_COMPLEX_FUNCTION(acos)
LATHE_COMPLEX_FUNCTION(acosh)
LATHE_COMPLEX_FUNCTION(asin)
LATHE_COMPLEX_FUNCTION(asinh)
LATHE_COMPLEX_FUNCTION(atan)
LATHE_COMPLEX_FUNCTION(atanh)
LATHE_COMPLEX_FUNCTION(cos)
LATHE_COMPLEX_FUNCTION(cosh)
LATHE_COMPLEX_FUNCTION(exp)
LATHE_COMPLEX_FUNCTION(log)
LATHE_COMPLEX_FUNCTION(log10)
LATHE_COMPLEX_FUNCTION(proj)
LATHE_COMPLEX_FUNCTION(sin)
LATHE_COMPLEX_FUNCTION(sinh)
LATHE_COMPLEX_FUNCTION(sqrt)
LATHE_COMPLEX_FUNCTION(tan)
LATHE_COMPLEX_FUNCTION(tanh)
#undef LATHE_COMPLEX_FUNCTION

template <class T, class U>
LATHE_CUDA_BOTH auto pow(const complex<T>& base, const complex<U>& exponent) {
  typedef std::common_type_t<T, U> R;
  return complex<R>(std::pow(std::complex<R>(complex<R>(base)), std::complex<R>(complex<R>(exponent))));
}
template <class T, class U>
  requires std::is_arithmetic_v<U>
LATHE_CUDA_BOTH auto pow(const complex<T>& base, const U& exponent) {
  return pow(base, complex<std::common_type_t<T, U>>(exponent));
}
template <class T, class U>
  requires std::is_arithmetic_v<T>
LATHE_CUDA_BOTH auto pow(const T& base, const complex<U>& exponent) {
  return pow(complex<std::common_type_t<T, U>>(base), exponent);
}

// For host code.
template <class Stream, class T>
  requires requires(Stream& stream) { stream.width(0); }
__host__ Stream& operator<<(Stream& stream, const complex<T>& z) {
  stream << '(' << z.real() << ',' << z.imag() << ')';
  return stream;
}

}  // namespace thrust
#endif
