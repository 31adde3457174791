// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose end the verifier need not find out, and timers. A body is a lambda; what it captures lies on the stack of
// the function that loops.
//
//   lathe::bpf::loop(count, [&](__u32 i) { sum += i; });              // bpf_loop, Linux 5.17
//   for (const int i : lathe::bpf::numbers(0, count)) sum += i;       // an open-coded iterator, Linux 6.4
#ifndef LATHE_BPF_LOOPS_H
#define LATHE_BPF_LOOPS_H

namespace lathe::bpf {

#define LATHE_BPF_INLINE inline __attribute__((always_inline))

namespace detail {
/// The state of the kernel's iterator over numbers, bpf_iter_num there. Names of its own, because <linux/bpf.h> has or
/// lacks that one, and programs may declare the functions themselves.
struct iterated_numbers {
  __u64 state;
};
extern "C" {
int lathe_bpf_numbers_new(iterated_numbers* iterator, int begin, int end) __asm__("bpf_iter_num_new") __ksym __weak;
int* lathe_bpf_numbers_next(iterated_numbers* iterator) __asm__("bpf_iter_num_next") __ksym __weak;
void lathe_bpf_numbers_destroy(iterated_numbers* iterator) __asm__("bpf_iter_num_destroy") __ksym __weak;
}

template <class Body>
long loop_step(__u32 index, void* body) {
  if constexpr (__is_same(decltype((*static_cast<Body*>(body))(index)), void)) {
    (*static_cast<Body*>(body))(index);
    return 0;
  } else {
    return (*static_cast<Body*>(body))(index) ? 0 : 1;
  }
}
}  // namespace detail

/// Calls `body(i)` for i from 0 up to `count` (at most 2^23), until it returns false; a body without a result is called
/// for each. Returns the number of calls, or an error below 0.
template <class Body>
LATHE_BPF_INLINE long loop(__u32 count, Body body) {
  return bpf_loop(count, reinterpret_cast<void*>(&detail::loop_step<Body>), &body, 0);
}

/// The numbers from `begin` up to but without `end`, for range-based loops.
class numbers {
 public:
  LATHE_BPF_INLINE numbers(int begin, int end) { detail::lathe_bpf_numbers_new(&state_, begin, end); }
  LATHE_BPF_INLINE ~numbers() { detail::lathe_bpf_numbers_destroy(&state_); }
  numbers(const numbers&) = delete;
  numbers& operator=(const numbers&) = delete;

  struct sentinel {};
  class iterator {
   public:
    LATHE_BPF_INLINE explicit iterator(detail::iterated_numbers* state)
        : state_(state), at_(detail::lathe_bpf_numbers_next(state)) {}
    LATHE_BPF_INLINE int operator*() const { return *at_; }
    LATHE_BPF_INLINE iterator& operator++() {
      at_ = detail::lathe_bpf_numbers_next(state_);
      return *this;
    }
    LATHE_BPF_INLINE bool operator!=(sentinel) const { return at_ != nullptr; }

   private:
    detail::iterated_numbers* state_;
    int* at_;
  };
  LATHE_BPF_INLINE iterator begin() { return iterator(&state_); }
  LATHE_BPF_INLINE sentinel end() const { return {}; }

 private:
  detail::iterated_numbers state_;
};

/// Starts `timer`, a bpf_timer that is a member of the values of `map`, so that in `nanoseconds` it calls
/// `callback(map*, key*, value*)`, a function or lambda without captures that returns 0. Linux 5.15.
template <class Map, class Key, class Value>
LATHE_BPF_INLINE long start_timer(bpf_timer& timer, Map& map, int (*callback)(Map*, Key*, Value*), __u64 nanoseconds) {
  constexpr __u64 monotonic = 1;  // CLOCK_MONOTONIC
  // -EBUSY: it was made before.
  bpf_timer_init(&timer, &map, monotonic);
  if (const long status = bpf_timer_set_callback(&timer, reinterpret_cast<void*>(callback))) return status;
  return bpf_timer_start(&timer, nanoseconds, 0);
}

#undef LATHE_BPF_INLINE

}  // namespace lathe::bpf

#endif
