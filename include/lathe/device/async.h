// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies from device memory to group-shared memory that go on while the item computes. Copies form batches; an item
// waits until at most a given number of its batches are unfinished. Hardware without such copies makes them at once,
// and waiting does nothing.
//
//   lathe::async_copy(&tile[next][i], &in[next * n + i]);  lathe::async_commit();
//   … compute with tile[now] …
//   lathe::async_wait<0>();  lathe::barrier();  // every item waits for its own copies, then for the others
#ifndef LATHE_DEVICE_ASYNC_H
#define LATHE_DEVICE_ASYNC_H

#include <lathe/device/abi.h>

namespace lathe {

/// Begins to copy `*from`, which is in device memory, to `*to`, which is in group-shared memory. Until the copy was
/// waited for, neither may be written and `*to` may not be read.
template <class T>
LATHE_INLINE void async_copy(T* to, const T* from) {
  static_assert(__is_trivially_copyable(T) && alignof(T) >= 4, "copies in words of 4, 8 or 16 bytes");
  constexpr unsigned long step = alignof(T) < 16 ? alignof(T) : 16;
  auto* const target = reinterpret_cast<char*>(to);
  auto* const source = const_cast<char*>(reinterpret_cast<const char*>(from));
#pragma unroll
  for (unsigned long at = 0; at < sizeof(T); at += step) {
    if constexpr (step == 4) __lathe_async_copy_i32(target + at, source + at);
    if constexpr (step == 8) __lathe_async_copy_i64(target + at, source + at);
    if constexpr (step == 16) __lathe_async_copy_i128(target + at, source + at);
  }
}

/// Ends a batch, which consists of the item's copies since the batch before.
LATHE_INLINE void async_commit() {
  __lathe_async_commit();
}

/// Waits until all of the item's batches but the latest `Pending` are complete.
template <unsigned Pending = 0>
LATHE_INLINE void async_wait() {
  __lathe_async_wait(Pending);
}

/// A group's pipeline of `Stages` batches: at most Stages - 1 are under way while one is used. All items of the group
/// call the same functions.
template <unsigned Stages>
struct pipeline {
  static_assert(Stages > 0, "a pipeline has stages");
  /// As async_copy().
  template <class T>
  LATHE_INLINE void copy(T* to, const T* from) const {
    async_copy(to, from);
  }
  /// Ends a batch; an empty one where there is nothing left to copy.
  LATHE_INLINE void commit() const { async_commit(); }
  /// Waits until the oldest batch is complete; then every item of the group may read all of it.
  LATHE_INLINE void wait() const {
    async_wait<Stages - 1>();
    __lathe_group_barrier();
  }
  /// Waits until every item is done with the oldest batch: its memory may then be written again.
  LATHE_INLINE void release() const { __lathe_group_barrier(); }
};

}  // namespace lathe

#endif
