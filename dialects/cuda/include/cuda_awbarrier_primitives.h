// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C interface of split barriers in shared memory (CUDA C++ Programming Guide, "Memory Barrier Primitives
// Interface"): the hardware's mbarrier from sm_80 on, elsewhere two counters as <cuda/barrier> has them.
#ifndef LATHE_CUDA_AWBARRIER_PRIMITIVES_H
#define LATHE_CUDA_AWBARRIER_PRIMITIVES_H

#include <lathe/cuda/async_copy.h>
#include <lathe/cuda/groups/barrier_words.h>
#include <stdint.h>

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

namespace lathe::detail {
LATHE_INLINE bool isBarrierHardware() {
  return __lathe_target_is("cuda") && __lathe_arch_at_least(80);
}
LATHE_INLINE HardwareBarrier hardwareBarrier(__mbarrier_t* barrier) {
  return {static_cast<unsigned>(__cvta_generic_to_shared(barrier))};
}
LATHE_INLINE CountedBarrier<2>* countedBarrier(__mbarrier_t* barrier) {
  return reinterpret_cast<CountedBarrier<2>*>(barrier);
}
}  // namespace lathe::detail

LATHE_CUDA_BOTH uint32_t __mbarrier_maximum_count() {
  return (1 << 14) - 1;
}
LATHE_INLINE void __mbarrier_init(__mbarrier_t* barrier, uint32_t expected) {
  if (lathe::detail::isBarrierHardware())
    lathe::detail::hardwareBarrier(barrier).init(expected);
  else
    lathe::detail::countedBarrier(barrier)->init(expected);
}
/// The memory is free for other things.
LATHE_INLINE void __mbarrier_inval(__mbarrier_t* barrier) {
  if (lathe::detail::isBarrierHardware()) lathe::detail::hardwareBarrier(barrier).invalidate();
}
/// The tokens here are the phase's parity in the lowest bit and, above it, the arrivals that the phase lacked.
LATHE_INLINE __mbarrier_token_t __mbarrier_arrive(__mbarrier_t* barrier) {
  if (lathe::detail::isBarrierHardware()) return lathe::detail::hardwareBarrier(barrier).arriveOnce();
  lathe::detail::waitForCopies();
  return lathe::detail::countedBarrier(barrier)->arriveCounting();
}
LATHE_INLINE __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t* barrier) {
  if (lathe::detail::isBarrierHardware()) return lathe::detail::hardwareBarrier(barrier).dropOnce();
  lathe::detail::waitForCopies();
  return lathe::detail::countedBarrier(barrier)->dropCounting();
}
/// The arrivals that the phase lacked before the one that gave `token`.
LATHE_INLINE uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
  if (lathe::detail::isBarrierHardware()) return lathe::detail::HardwareBarrier::pendingOf(token);
  return static_cast<uint32_t>(token >> 1);
}
/// One look. Where threads share a processor, others go on first.
LATHE_INLINE bool __mbarrier_test_wait(__mbarrier_t* barrier, __mbarrier_token_t token) {
  if (lathe::detail::isBarrierHardware()) return lathe::detail::hardwareBarrier(barrier).looksOver(token);
  __lathe_item_yield();
  return lathe::detail::countedBarrier(barrier)->isParityOver(static_cast<unsigned>(token & 1));
}
LATHE_INLINE bool __mbarrier_test_wait_parity(__mbarrier_t* barrier, bool parity) {
  if (lathe::detail::isBarrierHardware()) return lathe::detail::hardwareBarrier(barrier).looksParityOver(parity);
  __lathe_item_yield();
  return lathe::detail::countedBarrier(barrier)->isParityOver(parity);
}
/// May wait for so many nanoseconds, from sm_90 on.
LATHE_INLINE bool __mbarrier_try_wait(__mbarrier_t* barrier, __mbarrier_token_t token, uint32_t nanoseconds) {
  if (lathe::detail::isBarrierHardware() && lathe::detail::HardwareBarrier::isHopper())
    return lathe::detail::hardwareBarrier(barrier).isOverWithin(token, nanoseconds);
  return __mbarrier_test_wait(barrier, token);
}
LATHE_INLINE bool __mbarrier_try_wait_parity(__mbarrier_t* barrier, bool parity, uint32_t nanoseconds) {
  if (lathe::detail::isBarrierHardware() && lathe::detail::HardwareBarrier::isHopper())
    return lathe::detail::hardwareBarrier(barrier).isParityOverWithin(parity, nanoseconds);
  return __mbarrier_test_wait_parity(barrier, parity);
}

#endif
