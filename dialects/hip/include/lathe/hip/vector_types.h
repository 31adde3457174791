// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP's vectors: instances of one template, which is what names of kernels spell, with constructors and operators item
// by item. Their components are also one vector of the compiler's, `data`. Vectors of two and four are aligned to their
// size, double4's 32 bytes too. <lathe/cuda/vector_types.h> makes char1 … double4 of them.
#ifndef LATHE_HIP_VECTOR_TYPES_H
#define LATHE_HIP_VECTOR_TYPES_H

#include <lathe/cuda/qualifiers.h>

namespace lathe::detail {

/// What `data` is where the compiler has no such vector: of three, whose size would be that of four, of truth values,
/// whose components would be bits, and of classes.
template <class T, unsigned N>
struct Components {
  T d[N];
  LATHE_CUDA_BOTH constexpr T& operator[](unsigned i) { return d[i]; }
  LATHE_CUDA_BOTH constexpr const T& operator[](unsigned i) const { return d[i]; }
};
template <class T, unsigned N, bool IsNative>
struct DataOf {
  typedef Components<T, N> Type;
};
template <class T, unsigned N>
struct DataOf<T, N, true> {
  typedef T Type __attribute__((ext_vector_type(N)));
};
template <class T, unsigned N>
using Data = typename DataOf<T, N, __is_arithmetic(T) && !__is_same(T, bool) && N != 3>::Type;

}  // namespace lathe::detail

template <class T, unsigned N>
struct HIP_vector_base;

// The components come first: constant expressions read what was set.
#define LATHE_HIP_BASE(count, ...)                             \
  typedef lathe::detail::Data<T, count> Native_vec_;           \
  union {                                                      \
    struct {                                                   \
      T __VA_ARGS__;                                           \
    };                                                         \
    __attribute__((annotate("lathe.alias"))) Native_vec_ data; \
  };                                                           \
  typedef T value_type;                                        \
  HIP_vector_base() = default;

template <class T>
struct HIP_vector_base<T, 1> {
  LATHE_HIP_BASE(1, x)
  LATHE_CUDA_BOTH explicit constexpr HIP_vector_base(T x) : x(x) {}
};
template <class T>
struct __align__(2 * sizeof(T)) HIP_vector_base<T, 2> {
  LATHE_HIP_BASE(2, x, y)
  LATHE_CUDA_BOTH explicit constexpr HIP_vector_base(T all) : x(all), y(all) {}
  LATHE_CUDA_BOTH constexpr HIP_vector_base(T x, T y) : x(x), y(y) {}
};
template <class T>
struct HIP_vector_base<T, 3> {
  LATHE_HIP_BASE(3, x, y, z)
  LATHE_CUDA_BOTH explicit constexpr HIP_vector_base(T all) : x(all), y(all), z(all) {}
  LATHE_CUDA_BOTH constexpr HIP_vector_base(T x, T y, T z) : x(x), y(y), z(z) {}
};
template <class T>
struct __align__(4 * sizeof(T)) HIP_vector_base<T, 4> {
  LATHE_HIP_BASE(4, x, y, z, w)
  LATHE_CUDA_BOTH explicit constexpr HIP_vector_base(T all) : x(all), y(all), z(all), w(all) {}
  LATHE_CUDA_BOTH constexpr HIP_vector_base(T x, T y, T z, T w) : x(x), y(y), z(z), w(w) {}
};
#undef LATHE_HIP_BASE

// One value is for all components; as many as there are components are converted.
template <class T, unsigned N>
struct __attribute__((annotate("lathe.components"))) HIP_vector_type : HIP_vector_base<T, N> {
  HIP_vector_type() = default;
  template <class U>
    requires __is_convertible
  (U, T) LATHE_CUDA_BOTH explicit constexpr HIP_vector_type(U all) : HIP_vector_base<T, N>(static_cast<T>(all)) {}
  template <class... Us>
    requires(N > 1 && sizeof...(Us) == N)
  LATHE_CUDA_BOTH constexpr HIP_vector_type(Us... values) : HIP_vector_base<T, N>(static_cast<T>(values)...) {}
};

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
