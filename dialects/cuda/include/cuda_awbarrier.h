// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcuda::experimental::awbarrier, the split barrier of CUDA 11 before cuda::barrier, over its C interface.
#ifndef LATHE_CUDA_AWBARRIER_H
#define LATHE_CUDA_AWBARRIER_H

#include <cuda_awbarrier_primitives.h>

namespace nvcuda {
namespace experimental {

class awbarrier {
 public:
  class arrival_token {
   public:
    arrival_token() = default;
    LATHE_INLINE uint32_t pending_count() const { return __mbarrier_token_pending_count(token_); }

   private:
    friend class awbarrier;
    LATHE_INLINE explicit arrival_token(__mbarrier_token_t token) : token_(token) {}
    __mbarrier_token_t token_;
  };

  awbarrier() = default;
  awbarrier(const awbarrier&) = delete;
  awbarrier& operator=(const awbarrier&) = delete;
  LATHE_INLINE friend void init(awbarrier* self, uint32_t expected) { __mbarrier_init(&self->barrier_, expected); }
  LATHE_INLINE friend void inval(awbarrier* self) { __mbarrier_inval(&self->barrier_); }
  static LATHE_CUDA_BOTH constexpr uint32_t max() { return (1 << 14) - 1; }

  LATHE_INLINE arrival_token arrive() { return arrival_token(__mbarrier_arrive(&barrier_)); }
  LATHE_INLINE arrival_token arrive_and_drop() { return arrival_token(__mbarrier_arrive_and_drop(&barrier_)); }
  LATHE_INLINE void wait(arrival_token token) {
    while (!__mbarrier_test_wait(&barrier_, token.token_)) {
    }
  }
  LATHE_INLINE void arrive_and_wait() { wait(arrive()); }
  LATHE_INLINE bool try_wait(arrival_token token, uint32_t nanoseconds) {
    return __mbarrier_try_wait(&barrier_, token.token_, nanoseconds);
  }
  LATHE_INLINE bool try_wait_parity(bool parity, uint32_t nanoseconds) {
    return __mbarrier_try_wait_parity(&barrier_, parity, nanoseconds);
  }
  /// One look, whatever the number of cycles.
  LATHE_INLINE bool timed_wait(arrival_token token, uint32_t) { return __mbarrier_test_wait(&barrier_, token.token_); }
  LATHE_INLINE bool timed_wait_parity(bool parity, uint32_t) { return __mbarrier_test_wait_parity(&barrier_, parity); }

 private:
  __mbarrier_t barrier_;
};

}  // namespace experimental
}  // namespace nvcuda

#endif
