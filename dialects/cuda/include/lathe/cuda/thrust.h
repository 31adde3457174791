// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thrust as kernel files meet it: tuples, pairs and function objects, which kernels use, are the C++ library's;
// containers and algorithms are host code's, declared and never defined, but for those with a policy in kernels
// (thrust/sequential.h). A Thrust of the user's, given with -I, comes first.
#ifndef LATHE_CUDA_THRUST_H
#define LATHE_CUDA_THRUST_H

#include <__functional/operations.h>
#include <__iterator/iterator_traits.h>
#include <cuda/functional>
#include <initializer_list>
#include <tuple>
#include <utility>

namespace thrust {

using ::cuda::maximum;
using ::cuda::minimum;
using std::divides;
using std::equal_to;
using std::get;
using std::greater;
using std::greater_equal;
using std::less;
using std::less_equal;
using std::logical_and;
using std::logical_not;
using std::logical_or;
using std::make_pair;
using std::make_tuple;
using std::minus;
using std::modulus;
using std::multiplies;
using std::negate;
using std::not_equal_to;
using std::pair;
using std::plus;
using std::swap;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
template <class T = void>
struct identity {
  LATHE_CUDA_BOTH constexpr const T& operator()(const T& x) const { return x; }
};
template <class T = void>
struct square {
  LATHE_CUDA_BOTH constexpr T operator()(const T& x) const { return x * x; }
};
template <class A, class R>
struct unary_function {
  typedef A argument_type;
  typedef R result_type;
};
template <class A, class B, class R>
struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};

/// What an algorithm returns, as far as parsing goes: whatever it is used as.
struct Anything {
  template <class T>
  __host__ operator T() const;
  template <class T>
  __host__ Anything operator+(const T&) const;
  template <class T>
  __host__ Anything operator-(const T&) const;
  template <class T>
  __host__ Anything operator[](const T&) const;
  __host__ Anything operator*() const;
  __host__ Anything& operator++();
  Anything *first, *second;
};
#define LATHE_ANYTHING(op)                              \
  template <class T>                                    \
  __host__ bool operator op(const Anything&, const T&); \
  template <class T>                                    \
  __host__ bool operator op(const T&, const Anything&);
LATHE_ANYTHING(==)
LATHE_ANYTHING(!=)
LATHE_ANYTHING(<)
LATHE_ANYTHING(>)
#undef LATHE_ANYTHING
template <class T>
__host__ Anything operator-(const T&, const Anything&);

template <class T>
struct device_ptr;
template <class T>
struct device_reference {
  __host__ device_ptr<T> operator&() const;
  __host__ operator T() const;
  __host__ device_reference& operator=(const T&);
  template <class U>
  __host__ device_reference& operator+=(const U&);
};
template <class T>
struct device_ptr {
  typedef T value_type;
  typedef T element_type;
  typedef long difference_type;
  typedef device_ptr pointer;
  typedef T& reference;
  typedef std::random_access_iterator_tag iterator_category;
  LATHE_CUDA_BOTH device_ptr(T* from = nullptr) : address(from) {}
  template <class U>
  LATHE_CUDA_BOTH device_ptr(const device_ptr<U>& from) : address(from.get()) {}
  LATHE_CUDA_BOTH T* get() const { return address; }
  LATHE_CUDA_BOTH device_ptr operator+(long i) const { return address + i; }
  LATHE_CUDA_BOTH device_ptr operator-(long i) const { return address - i; }
  LATHE_CUDA_BOTH long operator-(const device_ptr& other) const { return address - other.address; }
  LATHE_CUDA_BOTH device_ptr& operator++() {
    ++address;
    return *this;
  }
  LATHE_CUDA_BOTH device_ptr& operator+=(long i) {
    address += i;
    return *this;
  }
  LATHE_CUDA_BOTH reference operator*() const { return *address; }
  LATHE_CUDA_BOTH reference operator[](long i) const { return address[i]; }
  LATHE_CUDA_BOTH bool operator==(const device_ptr& other) const { return address == other.address; }
  LATHE_CUDA_BOTH bool operator!=(const device_ptr& other) const { return address != other.address; }
  T* address;
};
template <class T>
__host__ device_ptr<T> device_pointer_cast(T*);
template <class T>
__host__ device_ptr<T> device_malloc(size_t);
template <class T>
__host__ void device_free(device_ptr<T>);
template <class T>
LATHE_CUDA_BOTH T* raw_pointer_cast(const device_ptr<T>& pointer) {
  return pointer.get();
}
template <class T>
LATHE_CUDA_BOTH T* raw_pointer_cast(T* pointer) {
  return pointer;
}

#define LATHE_VECTOR(name, Iterator, Reference)                \
  template <class T, class Allocator = void>                   \
  struct name {                                                \
    typedef T value_type;                                      \
    typedef Iterator iterator, const_iterator, pointer;        \
    typedef size_t size_type;                                  \
    __host__ name();                                           \
    __host__ explicit name(size_t);                            \
    __host__ name(size_t, const T&);                           \
    __host__ name(std::initializer_list<T>);                   \
    template <class It, class = typename It::value_type>       \
    __host__ name(It, It);                                     \
    template <class U>                                         \
    __host__ name(const U*, const U*);                         \
    template <class Other, class = typename Other::value_type> \
    __host__ name(const Other&);                               \
    template <class Other, class = typename Other::value_type> \
    __host__ name& operator=(const Other&);                    \
    __host__ ~name();                                          \
    __host__ iterator begin() const;                           \
    __host__ iterator end() const;                             \
    __host__ const_iterator cbegin() const;                    \
    __host__ const_iterator cend() const;                      \
    __host__ pointer data() const;                             \
    __host__ Reference operator[](size_t) const;               \
    __host__ Reference front() const;                          \
    __host__ Reference back() const;                           \
    __host__ size_t size() const;                              \
    __host__ bool empty() const;                               \
    __host__ void resize(size_t);                              \
    __host__ void resize(size_t, const T&);                    \
    __host__ void reserve(size_t);                             \
    __host__ void clear();                                     \
    __host__ void shrink_to_fit();                             \
    __host__ void push_back(const T&);                         \
    __host__ void swap(name&);                                 \
    template <class... A>                                      \
    __host__ iterator erase(A...);                             \
    template <class... A>                                      \
    __host__ void insert(A...);                                \
    template <class... A>                                      \
    __host__ void assign(A...);                                \
  };
LATHE_VECTOR(device_vector, device_ptr<T>, device_reference<T>)
LATHE_VECTOR(host_vector, T*, T&)
LATHE_VECTOR(universal_vector, T*, T&)
#undef LATHE_VECTOR

/// Where an algorithm runs: device, cuda::par.on(stream), …
struct ExecutionPolicy {
  template <class... A>
  __host__ ExecutionPolicy on(A&&...) const;
  template <class... A>
  __host__ ExecutionPolicy operator()(A&&...) const;
};
static constexpr ExecutionPolicy device{}, host{}, seq{};
struct device_execution_policy {};
namespace cuda {
static constexpr ExecutionPolicy par{}, par_nosync{};
}
namespace hip {
using cuda::par, cuda::par_nosync;
}
namespace hip_rocprim = hip;
namespace system {
namespace cuda = ::thrust::cuda;
namespace hip = ::thrust::hip;
}  // namespace system
struct random_access_device_iterator_tag {};
template <class T>
struct iterator_traits : std::iterator_traits<T> {};
template <class... A>
struct zip_iterator {
  template <class... B>
  __host__ zip_iterator(B&&...);
};
#define LATHE_ITERATOR(name, ...)  \
  template <class T, class... A>   \
  struct name {                    \
    typedef T value_type;          \
    template <class... B>          \
    __host__ name(B&&...);         \
    __host__ name operator+(long); \
  };                               \
  template <class... A>            \
  __host__ Anything make_##name(A&&...);
LATHE_ITERATOR(counting_iterator)
LATHE_ITERATOR(constant_iterator)
LATHE_ITERATOR(transform_iterator)
LATHE_ITERATOR(permutation_iterator)
LATHE_ITERATOR(discard_iterator)
LATHE_ITERATOR(reverse_iterator)
#undef LATHE_ITERATOR

#define LATHE_ALGORITHM(name) \
  template <class... A>       \
  __host__ Anything name(A&&...);
#define LATHE_ALGORITHMS(a, b, c, d) LATHE_ALGORITHM(a) LATHE_ALGORITHM(b) LATHE_ALGORITHM(c) LATHE_ALGORITHM(d)
LATHE_ALGORITHMS(sort, stable_sort, sort_by_key, stable_sort_by_key)
LATHE_ALGORITHMS(reduce, reduce_by_key, transform, transform_reduce)
LATHE_ALGORITHMS(inclusive_scan, exclusive_scan, inclusive_scan_by_key, exclusive_scan_by_key)
LATHE_ALGORITHMS(transform_inclusive_scan, transform_exclusive_scan, inner_product, adjacent_difference)
LATHE_ALGORITHMS(copy, copy_if, copy_n, fill)
LATHE_ALGORITHMS(fill_n, sequence, tabulate, generate)
LATHE_ALGORITHMS(gather, gather_if, scatter, scatter_if)
LATHE_ALGORITHMS(unique, unique_copy, unique_by_key, unique_by_key_copy)
LATHE_ALGORITHMS(remove, remove_if, remove_copy, remove_copy_if)
LATHE_ALGORITHMS(replace, replace_if, count, count_if)
LATHE_ALGORITHMS(find, find_if, for_each, for_each_n)
LATHE_ALGORITHMS(min_element, max_element, minmax_element, equal)
LATHE_ALGORITHMS(lower_bound, upper_bound, binary_search, partition)
LATHE_ALGORITHMS(stable_partition, partition_copy, merge, merge_by_key)
LATHE_ALGORITHMS(set_union, set_intersection, set_difference, is_sorted)
LATHE_ALGORITHMS(all_of, any_of, none_of, reverse)
LATHE_ALGORITHM(shuffle)
LATHE_ALGORITHM(distance)
LATHE_ALGORITHM(advance) LATHE_ALGORITHMS(uninitialized_fill, uninitialized_copy, mismatch, swap_ranges)
#undef LATHE_ALGORITHMS
#undef LATHE_ALGORITHM

}  // namespace thrust

#include <lathe/cuda/thrust/sequential.h>
#include <lathe/cuda/thrust/zip_iterator.h>

#endif
