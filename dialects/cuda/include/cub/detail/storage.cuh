// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared memory of CUB's collectives: typed room without constructors, and the two ways to bring it.
#ifndef LATHE_CUB_STORAGE_H
#define LATHE_CUB_STORAGE_H

#include <cub/config.cuh>

namespace LATHE_CUB {
namespace detail {

/// Room for values without running a constructor: shared memory has none.
template <class T, int Count>
struct Room {
  alignas(T) char bytes[sizeof(T) * Count];
  LATHE_INLINE T& operator[](int i) { return reinterpret_cast<T*>(bytes)[i]; }
};
struct Nothing {};

/// The thread's place in its block, row by row.
LATHE_INLINE int threadOfBlock() {
  return static_cast<int>((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
}
LATHE_INLINE int threadsOfBlock() {
  return static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
}

/// True for functors of two values of type T, which tells an operator from an initial value or an aggregate.
template <class Op, class T>
concept BinaryOf = requires(Op op, T t) { op(t, t); };
/// True for what tells a scan the value before the block, given the block's aggregate.
template <class Callback, class T>
concept PrefixOf = requires(Callback& callback, T t) { callback(t); };

}  // namespace detail
}  // namespace LATHE_CUB

// Members of every collective: a constructor for storage that is given, one for storage of its own, and the thread.
#define LATHE_CUB_STORAGE(name)                                                                    \
 public:                                                                                           \
  struct TempStorage : Storage {                                                                   \
    LATHE_INLINE TempStorage& Alias() { return *this; }                                            \
  };                                                                                               \
  LATHE_INLINE name() : storage_(own()), thread_(detail::threadOfBlock()) {}                       \
  LATHE_INLINE name(TempStorage& storage) : storage_(storage), thread_(detail::threadOfBlock()) {} \
                                                                                                   \
 private:                                                                                          \
  LATHE_INLINE static Storage& own() {                                                             \
    __shared__ Storage storage;                                                                    \
    return storage;                                                                                \
  }                                                                                                \
  Storage & storage_;                                                                              \
  int thread_;

#endif
