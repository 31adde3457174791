// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common part of cuda::memcpy_async, cooperative_groups::memcpy_async and the pipelines: copies in words that the
// device ABI's asynchronous copy takes, shared among the threads of a group. From sm_80 on they go on beside the
// threads where source and target allow it; everything else is copied at once.
#ifndef LATHE_CUDA_ASYNC_COPY_H
#define LATHE_CUDA_ASYNC_COPY_H

#include <lathe/cuda/prelude.h>

namespace lathe::detail {

/// Whether the hardware can: it copies from device memory to shared memory. Where nothing copies beside the thread, a
/// plain copy stands for the entry, and any memory will do.
LATHE_INLINE bool canCopyAsync(const void* to, const void* from) {
  if (!__lathe_target_is("cuda") || !__lathe_arch_at_least(80)) return true;
  return __nvvm_isspacep_shared(to) && __nvvm_isspacep_global(from);
}

template <unsigned Bytes>
LATHE_INLINE void copyWord(char* to, const char* from) {
  void* const source = const_cast<char*>(from);
  if constexpr (Bytes == 4) __lathe_async_copy_i32(to, source);
  if constexpr (Bytes == 8) __lathe_async_copy_i64(to, source);
  if constexpr (Bytes == 16) __lathe_async_copy_i128(to, source);
}
template <unsigned Bytes>
LATHE_INLINE void copyWords(char* to, const char* from, unsigned long bytes, unsigned long rank,
                            unsigned long threads) {
  for (unsigned long at = rank * Bytes; at < bytes; at += threads * Bytes) copyWord<Bytes>(to + at, from + at);
}

/// Begins to copy; thread `rank` of `threads` does its part. `Alignment` is what the caller promises of both addresses
/// and of the size, 1 for nothing.
template <unsigned long Alignment>
LATHE_INLINE void copyAsync(void* target, const void* source, unsigned long bytes, unsigned long rank,
                            unsigned long threads) {
  auto* const to = static_cast<char*>(target);
  const auto* const from = static_cast<const char*>(source);
  const unsigned long bits =
      Alignment >= 16 ? 0 : reinterpret_cast<unsigned long>(to) | reinterpret_cast<unsigned long>(from) | bytes;
  if (canCopyAsync(to, from)) {
    if ((bits & 15) == 0) return copyWords<16>(to, from, bytes, rank, threads);
    if (Alignment >= 8 || (bits & 7) == 0) return copyWords<8>(to, from, bytes, rank, threads);
    if (Alignment >= 4 || (bits & 3) == 0) return copyWords<4>(to, from, bytes, rank, threads);
  }
  for (unsigned long at = rank; at < bytes; at += threads) to[at] = from[at];
}

/// Waits until at most `batches` of the thread's latest are unfinished. The device ABI wants a constant: waiting for
/// more than asked is right, too.
LATHE_INLINE void waitForBatches(unsigned long batches) {
  switch (batches) {
    case 0:
      return __lathe_async_wait(0);
    case 1:
      return __lathe_async_wait(1);
    case 2:
      return __lathe_async_wait(2);
    case 3:
      return __lathe_async_wait(3);
    case 4:
      return __lathe_async_wait(4);
    case 5:
      return __lathe_async_wait(5);
    case 6:
      return __lathe_async_wait(6);
    default:
      return __lathe_async_wait(7);
  }
}
/// All of the thread's copies, of ended batches or not.
LATHE_INLINE void waitForCopies() {
  __lathe_async_commit();
  __lathe_async_wait(0);
}

}  // namespace lathe::detail

namespace lathe::detail {
/// What the type of a size promises: cuda::aligned_size_t of Lathe's <cuda/barrier> or of the toolkit's.
template <class Size>
struct PromisedAlignment {
  static constexpr unsigned long value = 1;
};
template <class Size>
  requires requires { Size::align; }
struct PromisedAlignment<Size> {
  static constexpr unsigned long value = Size::align;
};
}  // namespace lathe::detail

#endif
