// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's function objects, beside which those of cuda::std and cuda are accepted everywhere.
#ifndef LATHE_CUB_THREAD_OPERATORS_H
#define LATHE_CUB_THREAD_OPERATORS_H

#include <cub/config.cuh>
#include <cub/util_type.cuh>
#include <cuda/functional>

// Kernels for CUB 3 write cuda::std::plus<> where older ones have cub::Sum, and include no more than CUB.
#if __has_include(<__functional/operations.h>)
#include <__functional/operations.h>
namespace cuda {
namespace std {
using namespace ::std;
}
}  // namespace cuda
#endif

namespace LATHE_CUB {

#define LATHE_CUB_OPERATOR(name, type, ...)                                   \
  struct name {                                                               \
    template <class T>                                                        \
    LATHE_CUDA_BOTH constexpr type operator()(const T& a, const T& b) const { \
      return __VA_ARGS__;                                                     \
    }                                                                         \
    template <class T, class U>                                               \
    LATHE_CUDA_BOTH constexpr auto operator()(const T& a, const U& b) const { \
      return __VA_ARGS__;                                                     \
    }                                                                         \
  };
LATHE_CUB_OPERATOR(Sum, T, a + b)
LATHE_CUB_OPERATOR(Difference, T, a - b)
LATHE_CUB_OPERATOR(Division, T, a / b)
LATHE_CUB_OPERATOR(Max, T, b > a ? b : a)
LATHE_CUB_OPERATOR(Min, T, b < a ? b : a)
LATHE_CUB_OPERATOR(Equality, bool, a == b)
LATHE_CUB_OPERATOR(Inequality, bool, !(a == b))
#undef LATHE_CUB_OPERATOR

template <class Op>
struct InequalityWrapper {
  Op op;
  LATHE_CUDA_BOTH InequalityWrapper(Op op) : op(op) {}
  template <class T, class U>
  LATHE_CUDA_BOTH bool operator()(const T& a, const U& b) {
    return !op(a, b);
  }
};

// Of pairs of a place and a value: the best value, the first of equal ones.
struct ArgMax {
  template <class K, class V>
  LATHE_CUDA_BOTH constexpr KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a,
                                                          const KeyValuePair<K, V>& b) const {
    return b.value > a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class K, class V>
  LATHE_CUDA_BOTH constexpr KeyValuePair<K, V> operator()(const KeyValuePair<K, V>& a,
                                                          const KeyValuePair<K, V>& b) const {
    return b.value < a.value || (b.value == a.value && b.key < a.key) ? b : a;
  }
};

template <class To>
struct CastOp {
  template <class From>
  LATHE_CUDA_BOTH To operator()(From&& from) const {
    return static_cast<To>(from);
  }
};
template <class Op>
struct SwizzleScanOp {
  Op op;
  LATHE_CUDA_BOTH SwizzleScanOp(Op op) : op(op) {}
  template <class T>
  LATHE_CUDA_BOTH T operator()(const T& a, const T& b) {
    T second = b, first = a;
    return op(second, first);
  }
};

// Of pairs: keys that count segment heads, or that name their segment. Values are joined inside one segment.
template <class Op>
struct ReduceBySegmentOp {
  Op op;
  ReduceBySegmentOp() = default;
  LATHE_CUDA_BOTH ReduceBySegmentOp(Op op) : op(op) {}
  template <class Pair>
  LATHE_CUDA_BOTH Pair operator()(const Pair& a, const Pair& b) {
    Pair out;
    out.key = a.key + b.key;
    out.value = b.key ? b.value : static_cast<decltype(out.value)>(op(a.value, b.value));
    return out;
  }
};
template <class Op>
struct ReduceByKeyOp {
  Op op;
  ReduceByKeyOp() = default;
  LATHE_CUDA_BOTH ReduceByKeyOp(Op op) : op(op) {}
  template <class Pair>
  LATHE_CUDA_BOTH Pair operator()(const Pair& a, const Pair& b) {
    Pair out = b;
    if (a.key == b.key) out.value = op(a.value, b.value);
    return out;
  }
};

}  // namespace LATHE_CUB

#endif
