// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words that barriers of a block consist of: the hardware's mbarrier in shared memory from sm_80 on (PTX ISA,
// "Parallel Synchronization and Communication Instructions: mbarrier"), and two counters elsewhere.
#ifndef LATHE_CUDA_BARRIER_WORDS_H
#define LATHE_CUDA_BARRIER_WORDS_H

#include <assert.h>
#include <lathe/cuda/prelude.h>

namespace lathe::detail {

/// Whether items wait for all of their group or for none, on devices where a failed assertion can end the kernel.
LATHE_INLINE bool waitsForBlocks() {
  return __lathe_target_is("spirv") || __lathe_target_is("opencl-c:cl3.*");
}
/// There, a barrier that `threads` threads take part in. The block's own stands for it if these are the whole block.
/// For fewer there is none: the block's barrier is undefined unless all come, and Intel's runtime for CPUs goes on.
LATHE_INLINE void waitForBlock(unsigned threads) {
  if (threads != blockDim.x * blockDim.y * blockDim.z)
    lathe::detail::assertionFailed("threads that wait for each other are the whole block on this target", __FILE__,
                                   __LINE__, __func__);
  __syncthreads();
}
/// Where an arrival without a wait has no meaning, an error with its line.
LATHE_INLINE void expectWaitingApart() {
  if (waitsForBlocks()) __lathe_item_yield();
}

LATHE_INLINE unsigned sharedAddress(const void* pointer) {
  return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}
/// An mbarrier at an address of shared memory, for sm_80 and later.
struct HardwareBarrier {
  unsigned address;

  LATHE_INLINE static bool isHopper() { return __lathe_arch_at_least(90) != 0; }

  LATHE_INLINE void init(unsigned expected) const {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(address), "r"(expected) : "memory");
  }
  /// Before Hopper several arrivals are all but one, which cannot end the phase, and one.
  LATHE_INLINE unsigned long long arrive(unsigned count) const {
    unsigned long long token;
    if (isHopper()) {
      asm volatile("mbarrier.arrive.shared.b64 %0, [%1], %2;" : "=l"(token) : "r"(address), "r"(count) : "memory");
      return token;
    }
    if (count > 1)
      asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], %2;"
                   : "=l"(token)
                   : "r"(address), "r"(count - 1)
                   : "memory");
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(address) : "memory");
    return token;
  }
  LATHE_INLINE void drop() const { asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(address) : "memory"); }
/// Sets `over`; the phase to look at and what else is looked for are operands from %2 on.
#define LATHE_CUDA_LOOK_AT(instruction, more, ...)                                       \
  asm volatile("{ .reg .pred p;\n\tmbarrier." instruction ".shared.b64 p, [%1], %2" more \
               ";\n\tselp.u32 %0, 1, 0, p; }"                                            \
               : "=r"(over)                                                              \
               : "r"(address), __VA_ARGS__                                               \
               : "memory")
  LATHE_INLINE bool isOver(unsigned long long token) const {
    unsigned over;
    if (isHopper())
      LATHE_CUDA_LOOK_AT("try_wait", "", "l"(token));
    else
      LATHE_CUDA_LOOK_AT("test_wait", "", "l"(token));
    return over != 0;
  }
  LATHE_INLINE bool isParityOver(unsigned parity) const {
    unsigned over;
    if (isHopper())
      LATHE_CUDA_LOOK_AT("try_wait.parity", "", "r"(parity));
    else
      LATHE_CUDA_LOOK_AT("test_wait.parity", "", "r"(parity));
    return over != 0;
  }
  /// The phase does not end before the thread's copies have.
  LATHE_INLINE void awaitCopies() const {
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(address) : "memory");
  }
  // The instructions that <cuda_awbarrier_primitives.h> names one by one.
  LATHE_INLINE void invalidate() const { asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(address) : "memory"); }
  LATHE_INLINE unsigned long long arriveOnce() const {
    unsigned long long token;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(address) : "memory");
    return token;
  }
  LATHE_INLINE unsigned long long dropOnce() const {
    unsigned long long token;
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(token) : "r"(address) : "memory");
    return token;
  }
  LATHE_INLINE static unsigned pendingOf(unsigned long long token) {
    unsigned out;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(out) : "l"(token));
    return out;
  }
#define LATHE_CUDA_LOOK(name, type, constraint, instruction, more, ...)                            \
  LATHE_INLINE bool name __VA_ARGS__ const {                                                       \
    unsigned over;                                                                                 \
    LATHE_CUDA_LOOK_AT(instruction, more, constraint(static_cast<type>(phase)), "r"(nanoseconds)); \
    return over != 0;                                                                              \
  }
  LATHE_CUDA_LOOK(looksOver, unsigned long long, "l", "test_wait", "",
                  (unsigned long long phase, unsigned nanoseconds = 0))
  LATHE_CUDA_LOOK(looksParityOver, unsigned, "r", "test_wait.parity", "", (bool phase, unsigned nanoseconds = 0))
  LATHE_CUDA_LOOK(isOverWithin, unsigned long long, "l", "try_wait", ", %3",
                  (unsigned long long phase, unsigned nanoseconds))
  LATHE_CUDA_LOOK(isParityOverWithin, unsigned, "r", "try_wait.parity", ", %3", (bool phase, unsigned nanoseconds))
#undef LATHE_CUDA_LOOK
#undef LATHE_CUDA_LOOK_AT
};

/// The same of two words. `count` is the phase's parity in its highest bit and below it 2^31 less the arrivals that the
/// phase lacks: the last one carries into the parity, and whoever made it adds the number that the next phase lacks.
/// Arrivals of the next phase may come in between.
template <int Scope>
struct CountedBarrier {
  unsigned expected, count;

  LATHE_INLINE void init(unsigned arrivals) {
    expected = arrivals;
    count = 0x80000000u - arrivals;
    __lathe_fence(3, Scope);
  }
  LATHE_INLINE unsigned long long arrive(unsigned arrivals) {
    const unsigned before = __lathe_atomic_add_i32(&count, arrivals, 3, Scope);
    if (((before ^ (before + arrivals)) & 0x80000000u) != 0)
      __lathe_atomic_add_i32(&count, (0x80000000u - __lathe_atomic_load_i32(&expected, 0, Scope)) & 0x7fffffffu, 3,
                             Scope);
    return before >> 31;
  }
  LATHE_INLINE void drop() {
    __lathe_atomic_sub_i32(&expected, 1, 0, Scope);
    (void)arrive(1);
  }
  /// Tokens that tell the parity in the lowest bit and above it the arrivals that the phase lacked.
  LATHE_INLINE unsigned long long arriveCounting() {
    const unsigned lacking = 0x80000000u - (__lathe_atomic_load_i32(&count, 0, Scope) & 0x7fffffffu);
    return static_cast<unsigned long long>(lacking) << 1 | arrive(1);
  }
  LATHE_INLINE unsigned long long dropCounting() {
    __lathe_atomic_sub_i32(&expected, 1, 0, Scope);
    return arriveCounting();
  }
  LATHE_INLINE bool isParityOver(unsigned parity) const {
    return __lathe_atomic_load_i32(const_cast<unsigned*>(&count), 1, Scope) >> 31 != parity;
  }
};

}  // namespace lathe::detail

#endif
