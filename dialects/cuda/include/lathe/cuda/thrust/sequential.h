// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thrust's algorithms in kernels: with a policy as the first argument each thread does all of it by itself, as Thrust
// has it for `thrust::seq`, and for `thrust::device` where kernels launch none. Sorting takes no memory: by a heap, or,
// where equal elements keep their order, by insertion.
#ifndef LATHE_CUDA_THRUST_SEQUENTIAL_H
#define LATHE_CUDA_THRUST_SEQUENTIAL_H

namespace thrust {

#define LATHE_SEQUENTIAL(...) \
  template <__VA_ARGS__>      \
  LATHE_INLINE
namespace detail {
template <class It>
struct ValueOf;
template <class It>
using Value = typename ValueOf<It>::Type;
/// Elements, or keys with the values that move with them.
template <class It>
struct Alone {
  It keys;
  struct Held {
    Value<It> key;
  };
  LATHE_INLINE Held take(long i) { return {static_cast<Value<It>&&>(keys[i])}; }
  LATHE_INLINE void put(long i, Held held) { keys[i] = static_cast<Value<It>&&>(held.key); }
};
template <class It, class Values>
struct WithValues {
  It keys;
  Values values;
  struct Held {
    Value<It> key;
    Value<Values> value;
  };
  LATHE_INLINE Held take(long i) { return {keys[i], values[i]}; }
  LATHE_INLINE void put(long i, Held held) { keys[i] = held.key, values[i] = held.value; }
};
template <class Range, class Less>
LATHE_INLINE void insert(Range range, long n, Less less) {
  for (long i = 1; i < n; ++i) {
    auto held = range.take(i);
    long to = i;
    for (; to > 0 && less(held.key, range.keys[to - 1]); --to) range.put(to, range.take(to - 1));
    range.put(to, held);
  }
}
template <class Range, class Less>
LATHE_INLINE void sift(Range range, long at, long n, Less less) {
  auto held = range.take(at);
  for (long child = 2 * at + 1; child < n; child = 2 * at + 1) {
    if (child + 1 < n && less(range.keys[child], range.keys[child + 1])) ++child;
    if (!less(held.key, range.keys[child])) break;
    range.put(at, range.take(child));
    at = child;
  }
  range.put(at, held);
}
template <class Range, class Less>
LATHE_INLINE void heap(Range range, long n, Less less) {
  for (long at = n / 2; at-- > 0;) sift(range, at, n, less);
  for (long last = n - 1; last > 0; --last) {
    auto held = range.take(last);
    range.put(last, range.take(0));
    range.put(0, held);
    sift(range, 0, last, less);
  }
}
}  // namespace detail

#define LATHE_SORTS(name, how)                                                            \
  LATHE_SEQUENTIAL(class It, class Less = less<>)                                         \
  void name(ExecutionPolicy, It first, It last, Less less = {}) {                         \
    detail::how(detail::Alone<It>{first}, last - first, less);                            \
  }                                                                                       \
  LATHE_SEQUENTIAL(class It, class Values, class Less = less<>)                           \
  void name##_by_key(ExecutionPolicy, It first, It last, Values values, Less less = {}) { \
    detail::how(detail::WithValues<It, Values>{first, values}, last - first, less);       \
  }
LATHE_SORTS(sort, heap)
LATHE_SORTS(stable_sort, insert)
#undef LATHE_SORTS

LATHE_SEQUENTIAL(class It, class F) It for_each(ExecutionPolicy, It first, It last, F f) {
  for (; first != last; ++first) f(*first);
  return first;
}
LATHE_SEQUENTIAL(class It, class N, class F) It for_each_n(ExecutionPolicy, It first, N n, F f) {
  for (; n > 0; --n, ++first) f(*first);
  return first;
}
LATHE_SEQUENTIAL(class It, class Out, class F) Out transform(ExecutionPolicy, It first, It last, Out out, F f) {
  for (; first != last; ++first, ++out) *out = f(*first);
  return out;
}
LATHE_SEQUENTIAL(class It, class It2, class Out, class F)
Out transform(ExecutionPolicy, It first, It last, It2 second, Out out, F f) {
  for (; first != last; ++first, ++second, ++out) *out = f(*first, *second);
  return out;
}
LATHE_SEQUENTIAL(class It, class Out) Out copy(ExecutionPolicy, It first, It last, Out out) {
  for (; first != last; ++first, ++out) *out = *first;
  return out;
}
LATHE_SEQUENTIAL(class It, class N, class Out) Out copy_n(ExecutionPolicy, It first, N n, Out out) {
  for (; n > 0; --n, ++first, ++out) *out = *first;
  return out;
}
LATHE_SEQUENTIAL(class It, class Out, class F) Out copy_if(ExecutionPolicy, It first, It last, Out out, F f) {
  for (; first != last; ++first)
    if (f(*first)) *out = *first, ++out;
  return out;
}
LATHE_SEQUENTIAL(class It, class T) void fill(ExecutionPolicy, It first, It last, const T& value) {
  for (; first != last; ++first) *first = value;
}
LATHE_SEQUENTIAL(class It, class N, class T) It fill_n(ExecutionPolicy, It first, N n, const T& value) {
  for (; n > 0; --n, ++first) *first = value;
  return first;
}
LATHE_SEQUENTIAL(class It, class F) void generate(ExecutionPolicy, It first, It last, F f) {
  for (; first != last; ++first) *first = f();
}
LATHE_SEQUENTIAL(class It, class F) void tabulate(ExecutionPolicy, It first, It last, F f) {
  for (long i = 0; first != last; ++first, ++i) *first = f(i);
}
LATHE_SEQUENTIAL(class It, class T = detail::Value<It>, class Step = T)
void sequence(ExecutionPolicy, It first, It last, T value = T(), Step step = Step(1)) {
  for (long i = 0; first != last; ++first, ++i) *first = value + static_cast<Step>(i) * step;
}
LATHE_SEQUENTIAL(class It, class T = detail::Value<It>, class F = plus<>)
T reduce(ExecutionPolicy, It first, It last, T sum = T(), F f = {}) {
  for (; first != last; ++first) sum = f(sum, *first);
  return sum;
}
LATHE_SEQUENTIAL(class It, class Map, class T, class F)
T transform_reduce(ExecutionPolicy, It first, It last, Map map, T sum, F f) {
  for (; first != last; ++first) sum = f(sum, map(*first));
  return sum;
}
LATHE_SEQUENTIAL(class It, class It2, class T, class F = plus<>, class G = multiplies<>)
T inner_product(ExecutionPolicy, It first, It last, It2 second, T sum, F f = {}, G g = {}) {
  for (; first != last; ++first, ++second) sum = f(sum, g(*first, *second));
  return sum;
}
LATHE_SEQUENTIAL(class It, class Out, class F = plus<>)
Out inclusive_scan(ExecutionPolicy, It first, It last, Out out, F f = {}) {
  if (first == last) return out;
  detail::Value<It> sum = *first;
  for (*out = sum, ++out, ++first; first != last; ++first, ++out) *out = sum = f(sum, *first);
  return out;
}
LATHE_SEQUENTIAL(class It, class Out, class T = detail::Value<It>, class F = plus<>)
Out exclusive_scan(ExecutionPolicy, It first, It last, Out out, T sum = T(), F f = {}) {
  for (; first != last; ++first, ++out) {
    const detail::Value<It> next = *first;  // which may be what is written
    *out = sum;
    sum = f(sum, next);
  }
  return out;
}
LATHE_SEQUENTIAL(class It, class F) long count_if(ExecutionPolicy, It first, It last, F f) {
  long out = 0;
  for (; first != last; ++first) out += f(*first) ? 1 : 0;
  return out;
}
LATHE_SEQUENTIAL(class It, class T) long count(ExecutionPolicy policy, It first, It last, const T& value) {
  return thrust::count_if(policy, first, last, [&](const auto& x) { return x == value; });
}
LATHE_SEQUENTIAL(class It, class F) It find_if(ExecutionPolicy, It first, It last, F f) {
  while (first != last && !f(*first)) ++first;
  return first;
}
LATHE_SEQUENTIAL(class It, class T) It find(ExecutionPolicy policy, It first, It last, const T& value) {
  return thrust::find_if(policy, first, last, [&](const auto& x) { return x == value; });
}
LATHE_SEQUENTIAL(class It, class F) bool any_of(ExecutionPolicy policy, It first, It last, F f) {
  return thrust::find_if(policy, first, last, f) != last;
}
LATHE_SEQUENTIAL(class It, class F) bool none_of(ExecutionPolicy policy, It first, It last, F f) {
  return !thrust::any_of(policy, first, last, f);
}
LATHE_SEQUENTIAL(class It, class F) bool all_of(ExecutionPolicy policy, It first, It last, F f) {
  return !thrust::any_of(policy, first, last, [&](const auto& x) { return !f(x); });
}
LATHE_SEQUENTIAL(class It, class It2, class F = equal_to<>)
bool equal(ExecutionPolicy, It first, It last, It2 second, F f = {}) {
  for (; first != last; ++first, ++second)
    if (!f(*first, *second)) return false;
  return true;
}
LATHE_SEQUENTIAL(class It, class Less = less<>) It min_element(ExecutionPolicy, It first, It last, Less less = {}) {
  It out = first;
  for (; first != last; ++first)
    if (less(*first, *out)) out = first;
  return out;
}
LATHE_SEQUENTIAL(class It, class Less = less<>) It max_element(ExecutionPolicy, It first, It last, Less less = {}) {
  It out = first;
  for (; first != last; ++first)
    if (less(*out, *first)) out = first;
  return out;
}
LATHE_SEQUENTIAL(class It, class Less = less<>) bool is_sorted(ExecutionPolicy, It first, It last, Less less = {}) {
  for (; first != last && first + 1 != last; ++first)
    if (less(first[1], first[0])) return false;
  return true;
}
LATHE_SEQUENTIAL(class It, class T, class Less = less<>)
It lower_bound(ExecutionPolicy, It first, It last, const T& value, Less less = {}) {
  for (long n = last - first; n > 0;) {
    const long half = n / 2;
    const bool isBefore = less(first[half], value);
    first = isBefore ? first + half + 1 : first;
    n = isBefore ? n - half - 1 : half;
  }
  return first;
}
LATHE_SEQUENTIAL(class It, class T, class Less = less<>)
It upper_bound(ExecutionPolicy policy, It first, It last, const T& value, Less less = {}) {
  return thrust::lower_bound(policy, first, last, value, [&](const auto& x, const auto& y) { return !less(y, x); });
}
LATHE_SEQUENTIAL(class It, class T, class Less = less<>)
bool binary_search(ExecutionPolicy policy, It first, It last, const T& value, Less less = {}) {
  const It found = thrust::lower_bound(policy, first, last, value, less);
  return found != last && !less(value, *found);
}
LATHE_SEQUENTIAL(class It) void reverse(ExecutionPolicy, It first, It last) {
  for (; first != last && first != --last; ++first) {
    const detail::Value<It> held = *first;
    *first = *last, *last = held;
  }
}
/// Each order is as likely, if the random numbers are.
LATHE_SEQUENTIAL(class It, class Random) void shuffle(ExecutionPolicy, It first, It last, Random&& random) {
  for (unsigned long n = static_cast<unsigned long>(last - first); n > 1; --n) {
    unsigned long least = 0, most = 0;  // Thrust's engines have them as members, the C++ library's as functions
    if constexpr (requires { random.max(); })
      least = random.min(), most = random.max();
    else
      least = random.min, most = random.max;
    const unsigned long range = most - least + 1, chosen = random() - least;
    const long from = static_cast<long>(range ? static_cast<unsigned __int128>(chosen) * n / range : chosen % n);
    const long to = static_cast<long>(n - 1);
    const detail::Value<It> held = first[to];
    first[to] = first[from], first[from] = held;
  }
}
LATHE_SEQUENTIAL(class It, class F) It remove_if(ExecutionPolicy policy, It first, It last, F f) {
  return thrust::copy_if(policy, first, last, first, [&](const auto& x) { return !f(x); });
}
LATHE_SEQUENTIAL(class It, class T) It remove(ExecutionPolicy policy, It first, It last, const T& value) {
  return thrust::remove_if(policy, first, last, [&](const auto& x) { return x == value; });
}
LATHE_SEQUENTIAL(class It, class Equal = equal_to<>) It unique(ExecutionPolicy, It first, It last, Equal equal = {}) {
  if (first == last) return last;
  It out = first;
  for (++first; first != last; ++first)
    if (!equal(*out, *first)) ++out, *out = *first;
  return ++out;
}
LATHE_SEQUENTIAL(class It, class F, class T) void replace_if(ExecutionPolicy, It first, It last, F f, const T& value) {
  for (; first != last; ++first)
    if (f(*first)) *first = value;
}
LATHE_SEQUENTIAL(class It, class In, class Out) Out gather(ExecutionPolicy, It first, It last, In in, Out out) {
  for (; first != last; ++first, ++out) *out = in[*first];
  return out;
}
LATHE_SEQUENTIAL(class It, class Map, class Out) void scatter(ExecutionPolicy, It first, It last, Map map, Out out) {
  for (; first != last; ++first, ++map) out[*map] = *first;
}
#undef LATHE_SEQUENTIAL

}  // namespace thrust

#endif
