// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// thrust::random for functors and kernels: the linear congruential engines (ISO C++, [rand.eng.lcong]) and uniform
// distributions over them.
#ifndef LATHE_CUDA_THRUST_RANDOM_H
#define LATHE_CUDA_THRUST_RANDOM_H

#include <lathe/cuda/prelude.h>

namespace thrust {
namespace random {

template <unsigned Factor>
class minimal_standard {
 public:
  typedef unsigned result_type;
  static constexpr unsigned min = 1, max = 2147483646, default_seed = 1;
  LATHE_CUDA_BOTH explicit minimal_standard(unsigned long long start = default_seed) { seed(start); }
  LATHE_CUDA_BOTH void seed(unsigned long long start = default_seed) {
    state_ = static_cast<unsigned>(start % 2147483647);
    if (state_ == 0) state_ = 1;
  }
  LATHE_CUDA_BOTH unsigned operator()() {
    state_ = static_cast<unsigned>(static_cast<unsigned long long>(state_) * Factor % 2147483647);
    return state_;
  }
  LATHE_CUDA_BOTH void discard(unsigned long long count) {
    unsigned long long power = Factor, state = state_;
    for (; count; count >>= 1, power = power * power % 2147483647)
      if (count & 1) state = state * power % 2147483647;
    state_ = static_cast<unsigned>(state);
  }

 private:
  unsigned state_;
};
typedef minimal_standard<16807> minstd_rand0;
typedef minimal_standard<48271> minstd_rand;
typedef minstd_rand default_random_engine;

namespace detail {
/// The next number of `engine`, spread over [0, 1).
template <class T, class Engine>
LATHE_CUDA_BOTH T unit(Engine& engine) {
  return static_cast<T>(engine() - Engine::min) / (static_cast<T>(Engine::max - Engine::min) + 1);
}
}  // namespace detail

template <class T = double>
class uniform_real_distribution {
 public:
  typedef T result_type;
  LATHE_CUDA_BOTH explicit uniform_real_distribution(T low = 0, T high = 1) : low_(low), high_(high) {}
  template <class Engine>
  LATHE_CUDA_BOTH T operator()(Engine& engine) const {
    return low_ + detail::unit<T>(engine) * (high_ - low_);
  }

 private:
  T low_, high_;
};
template <class T = int>
class uniform_int_distribution {
 public:
  typedef T result_type;
  LATHE_CUDA_BOTH explicit uniform_int_distribution(T low = 0, T high = 2147483647) : low_(low), high_(high) {}
  template <class Engine>
  LATHE_CUDA_BOTH T operator()(Engine& engine) const {
    const double span = static_cast<double>(high_) - static_cast<double>(low_) + 1;
    return static_cast<T>(low_ + static_cast<T>(detail::unit<double>(engine) * span));
  }

 private:
  T low_, high_;
};

}  // namespace random
using random::default_random_engine;
using random::minstd_rand;
using random::minstd_rand0;
using random::uniform_int_distribution;
using random::uniform_real_distribution;
}  // namespace thrust

#endif
