// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thrust's iterators over several sequences at once, in kernels too: what one gives is a tuple of references, and what
// algorithms hold of it a tuple of values.
#ifndef LATHE_CUDA_THRUST_ZIP_ITERATOR_H
#define LATHE_CUDA_THRUST_ZIP_ITERATOR_H

namespace thrust {
namespace detail {
template <class It>
struct ValueOf {
  typedef __remove_cvref(decltype(*std::declval<It&>())) Type;
};
template <class... Its>
struct ValueOf<zip_iterator<std::tuple<Its...>>> {
  typedef std::tuple<typename ValueOf<Its>::Type...> Type;
};
}  // namespace detail

#define LATHE_ZIP __host__ __device__ constexpr
template <class... Its>
struct zip_iterator<std::tuple<Its...>> {
  typedef std::tuple<typename detail::ValueOf<Its>::Type...> value_type;
  typedef std::tuple<decltype(*std::declval<Its&>())...> reference;
  typedef void pointer;
  typedef long difference_type;
  typedef std::random_access_iterator_tag iterator_category;

  zip_iterator() = default;
  LATHE_ZIP zip_iterator(std::tuple<Its...> its) : its_(its) {}
  LATHE_ZIP const std::tuple<Its...>& get_iterator_tuple() const { return its_; }

  LATHE_ZIP reference operator*() const {
    return std::apply([](const Its&... it) { return reference(*it...); }, its_);
  }
  LATHE_ZIP reference operator[](long n) const { return *(*this + n); }
  LATHE_ZIP zip_iterator& operator+=(long n) {
    std::apply([n](Its&... it) { ((it += n), ...); }, its_);
    return *this;
  }
  LATHE_ZIP zip_iterator& operator-=(long n) { return *this += -n; }
  LATHE_ZIP zip_iterator& operator++() { return *this += 1; }
  LATHE_ZIP zip_iterator& operator--() { return *this += -1; }
  LATHE_ZIP zip_iterator operator++(int) {
    const zip_iterator before = *this;
    ++*this;
    return before;
  }
  LATHE_ZIP zip_iterator operator--(int) {
    const zip_iterator before = *this;
    --*this;
    return before;
  }
  // The first sequence decides.
  LATHE_ZIP friend zip_iterator operator+(zip_iterator it, long n) { return it += n; }
  LATHE_ZIP friend zip_iterator operator+(long n, zip_iterator it) { return it += n; }
  LATHE_ZIP friend zip_iterator operator-(zip_iterator it, long n) { return it -= n; }
  LATHE_ZIP friend long operator-(const zip_iterator& a, const zip_iterator& b) {
    return std::get<0>(a.its_) - std::get<0>(b.its_);
  }
  LATHE_ZIP friend bool operator==(const zip_iterator& a, const zip_iterator& b) {
    return std::get<0>(a.its_) == std::get<0>(b.its_);
  }
  LATHE_ZIP friend bool operator<(const zip_iterator& a, const zip_iterator& b) { return a - b < 0; }

 private:
  std::tuple<Its...> its_;
};

template <class... Its>
LATHE_ZIP zip_iterator<std::tuple<Its...>> make_zip_iterator(std::tuple<Its...> its) {
  return its;
}
template <class First, class... Its>
LATHE_ZIP zip_iterator<std::tuple<First, Its...>> make_zip_iterator(First first, Its... its) {
  return std::tuple<First, Its...>(first, its...);
}
#undef LATHE_ZIP

}  // namespace thrust

#endif
