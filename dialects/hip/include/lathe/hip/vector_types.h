// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP's vectors: instances of one template, which is what names of kernels spell, with constructors and operators item
// by item. Vectors of two and four are aligned to their size, double4's 32 bytes too. <lathe/cuda/vector_types.h> makes
// char1 … double4 of them.
#ifndef LATHE_HIP_VECTOR_TYPES_H
#define LATHE_HIP_VECTOR_TYPES_H

#include <lathe/cuda/qualifiers.h>

// One value is for all components; as many as there are components are converted.
#define LATHE_HIP_CONSTRUCTORS(count)                                                                                  \
  typedef T value_type;                                                                                                \
  HIP_vector_type() = default;                                                                                         \
  template <class U>                                                                                                   \
    requires __is_convertible                                                                                          \
  (U, T) LATHE_CUDA_BOTH explicit constexpr HIP_vector_type(U all) : HIP_vector_type(Spread{}, static_cast<T>(all)) {} \
  template <class... Us>                                                                                               \
    requires(count > 1 && sizeof...(Us) == count)                                                                      \
  LATHE_CUDA_BOTH constexpr HIP_vector_type(Us... values) : HIP_vector_type(Each{}, static_cast<T>(values)...) {}

template <class T, unsigned N>
struct HIP_vector_type;

template <class T>
struct HIP_vector_type<T, 1> {
  T x;
  LATHE_HIP_CONSTRUCTORS(1)

 private:
  struct Spread {};
  struct Each {};
  LATHE_CUDA_BOTH constexpr HIP_vector_type(Spread, T all) : x(all) {}
};
template <class T>
struct __align__(2 * sizeof(T)) HIP_vector_type<T, 2> {
  T x, y;
  LATHE_HIP_CONSTRUCTORS(2)

 private:
  struct Spread {};
  struct Each {};
  LATHE_CUDA_BOTH constexpr HIP_vector_type(Spread, T all) : x(all), y(all) {}
  LATHE_CUDA_BOTH constexpr HIP_vector_type(Each, T x, T y) : x(x), y(y) {}
};
template <class T>
struct HIP_vector_type<T, 3> {
  T x, y, z;
  LATHE_HIP_CONSTRUCTORS(3)

 private:
  struct Spread {};
  struct Each {};
  LATHE_CUDA_BOTH constexpr HIP_vector_type(Spread, T all) : x(all), y(all), z(all) {}
  LATHE_CUDA_BOTH constexpr HIP_vector_type(Each, T x, T y, T z) : x(x), y(y), z(z) {}
};
template <class T>
struct __align__(4 * sizeof(T)) HIP_vector_type<T, 4> {
  T x, y, z, w;
  LATHE_HIP_CONSTRUCTORS(4)

 private:
  struct Spread {};
  struct Each {};
  LATHE_CUDA_BOTH constexpr HIP_vector_type(Spread, T all) : x(all), y(all), z(all), w(all) {}
  LATHE_CUDA_BOTH constexpr HIP_vector_type(Each, T x, T y, T z, T w) : x(x), y(y), z(z), w(w) {}
};
#undef LATHE_HIP_CONSTRUCTORS

namespace lathe::detail {

/// `change` done to each component of `to` with that of `with`.
template <class T, unsigned N, class Change>
LATHE_CUDA_BOTH constexpr HIP_vector_type<T, N>& forEach(HIP_vector_type<T, N>& to, const HIP_vector_type<T, N>& with,
                                                         Change change) {
  change(to.x, with.x);
  if constexpr (N > 1) change(to.y, with.y);
  if constexpr (N > 2) change(to.z, with.z);
  if constexpr (N > 3) change(to.w, with.w);
  return to;
}

template <class T>
concept WholeNumber = __is_integral(T);
template <class T>
concept Number = __is_arithmetic(T);

}  // namespace lathe::detail

// With a vector on both sides, or a number for all components on one.
#define LATHE_HIP_OPERATOR(op, kind)                                                                         \
  template <lathe::detail::kind T, unsigned N>                                                               \
  LATHE_CUDA_BOTH constexpr HIP_vector_type<T, N>& operator op## =                                           \
      (HIP_vector_type<T, N> & a, const HIP_vector_type<T, N>& b) {                                          \
    return lathe::detail::forEach(a, b, [](T& to, T with) { to = static_cast<T>(to op with); });             \
  }                                                                                                          \
  template <lathe::detail::kind T, unsigned N, class U>                                                      \
    requires __is_convertible                                                                                \
  (U, T) LATHE_CUDA_BOTH constexpr HIP_vector_type<T, N>& operator op## = (HIP_vector_type<T, N> & a, U b) { \
    return a op## = HIP_vector_type<T, N>(b);                                                                \
  }                                                                                                          \
  template <lathe::detail::kind T, unsigned N>                                                               \
  LATHE_CUDA_BOTH constexpr HIP_vector_type<T, N> operator op(HIP_vector_type<T, N> a,                       \
                                                              const HIP_vector_type<T, N>& b) {              \
    return a op## = b;                                                                                       \
  }                                                                                                          \
  template <lathe::detail::kind T, unsigned N, class U>                                                      \
    requires __is_convertible                                                                                \
  (U, T) LATHE_CUDA_BOTH constexpr HIP_vector_type<T, N> operator op(HIP_vector_type<T, N> a, U b) {         \
    return a op## = HIP_vector_type<T, N>(b);                                                                \
  }                                                                                                          \
  template <lathe::detail::kind T, unsigned N, class U>                                                      \
    requires __is_convertible                                                                                \
  (U, T) LATHE_CUDA_BOTH constexpr HIP_vector_type<T, N> operator op(U a, const HIP_vector_type<T, N>& b) {  \
    return HIP_vector_type<T, N>(a) op b;                                                                    \
  }
LATHE_HIP_OPERATOR(+, Number)
LATHE_HIP_OPERATOR(-, Number)
LATHE_HIP_OPERATOR(*, Number)
LATHE_HIP_OPERATOR(/, Number)
LATHE_HIP_OPERATOR(%, WholeNumber)
LATHE_HIP_OPERATOR(&, WholeNumber)
LATHE_HIP_OPERATOR(|, WholeNumber)
LATHE_HIP_OPERATOR(^, WholeNumber)
LATHE_HIP_OPERATOR(<<, WholeNumber)
LATHE_HIP_OPERATOR(>>, WholeNumber)
#undef LATHE_HIP_OPERATOR

#define LATHE_HIP_OPERATOR(op, kind)                                                          \
  template <lathe::detail::kind T, unsigned N>                                                \
  LATHE_CUDA_BOTH constexpr HIP_vector_type<T, N> operator op(HIP_vector_type<T, N> a) {      \
    return lathe::detail::forEach(a, a, [](T& to, T with) { to = static_cast<T>(op with); }); \
  }
LATHE_HIP_OPERATOR(-, Number)
LATHE_HIP_OPERATOR(~, WholeNumber)
#undef LATHE_HIP_OPERATOR

#define LATHE_HIP_OPERATOR(op)                                                                     \
  template <lathe::detail::Number T, unsigned N>                                                   \
  LATHE_CUDA_BOTH constexpr HIP_vector_type<T, N>& operator op##op(HIP_vector_type<T, N>& a) {     \
    return a op## = HIP_vector_type<T, N>(1);                                                      \
  }                                                                                                \
  template <lathe::detail::Number T, unsigned N>                                                   \
  LATHE_CUDA_BOTH constexpr HIP_vector_type<T, N> operator op##op(HIP_vector_type<T, N>& a, int) { \
    const HIP_vector_type<T, N> before = a;                                                        \
    op##op a;                                                                                      \
    return before;                                                                                 \
  }
LATHE_HIP_OPERATOR(+)
LATHE_HIP_OPERATOR(-)
#undef LATHE_HIP_OPERATOR

template <lathe::detail::Number T, unsigned N>
LATHE_CUDA_BOTH constexpr bool operator==(HIP_vector_type<T, N> a, const HIP_vector_type<T, N>& b) {
  bool same = true;
  lathe::detail::forEach(a, b, [&](T p, T q) { same = same && p == q; });
  return same;
}
template <lathe::detail::Number T, unsigned N, class U>
  requires __is_convertible
(U, T) LATHE_CUDA_BOTH constexpr bool operator==(const HIP_vector_type<T, N>& a, U b) {
  return a == HIP_vector_type<T, N>(b);
}

#define LATHE_CUDA_CHAR char
#define LATHE_CUDA_VECTOR_TYPES(name, element) \
  typedef HIP_vector_type<element, 1> name##1; \
  typedef HIP_vector_type<element, 2> name##2; \
  typedef HIP_vector_type<element, 3> name##3; \
  typedef HIP_vector_type<element, 4> name##4;

#endif
