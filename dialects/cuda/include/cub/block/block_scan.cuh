// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans of a block, by warps. Aggregates never contain the initial value. Without one the first exclusive result is
// left as it was.
#ifndef LATHE_CUB_BLOCK_SCAN_H
#define LATHE_CUB_BLOCK_SCAN_H

#include <cub/detail/lanes.cuh>
#include <cub/detail/storage.cuh>
#include <cub/thread/thread_operators.cuh>

namespace LATHE_CUB {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockScanAlgorithm = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int = 0>
class BlockScan {
  static constexpr int threads = X * Y * Z, warps = (threads + 31) / 32;
  struct Storage {
    detail::Room<T, warps> ofWarp;
    detail::Room<T, 1> prefix;
  };
  LATHE_CUB_STORAGE(BlockScan)

  /// Of the threads before, if there are any; `aggregate` of all.
  template <class Op>
  LATHE_INLINE T before(T value, Op op, T& aggregate) {
    const detail::Lanes<32> group(thread_, threads);
    const int warp = thread_ / 32;
    const T inclusive = group.scan(value, op);
    T exclusive = group.fromBelow(inclusive, 1);
    if (group.lane == group.count - 1) storage_.ofWarp[warp] = inclusive;
    __syncthreads();
    aggregate = storage_.ofWarp[0];
    for (int i = 1; i < warps; ++i) {
      if (i == warp) exclusive = group.lane == 0 ? aggregate : op(aggregate, exclusive);
      aggregate = op(aggregate, storage_.ofWarp[i]);
    }
    return exclusive;
  }
  /// What the callback, asked by the first warp, says comes before the block.
  template <class Callback>
  LATHE_INLINE T prefixFrom(Callback& callback, const T& aggregate) {
    if (thread_ < LATHE_CUB_WARP) {
      const T prefix = callback(aggregate);
      if (thread_ == 0) storage_.prefix[0] = prefix;
    }
    __syncthreads();
    return storage_.prefix[0];
  }
  /// From `running`, the result before the first item; without one (`some` false) that item starts it. The arrays may
  /// be the same.
  template <int Items, class Op>
  LATHE_INLINE static void spread(const T (&in)[Items], T (&out)[Items], Op op, T running, bool some, bool inclusive) {
    for (int i = 0; i < Items; ++i) {
      const T with = some ? static_cast<T>(op(running, in[i])) : in[i];
      if (inclusive)
        out[i] = with;
      else if (some)
        out[i] = running;
      running = with;
      some = true;
    }
  }
  /// The scan, with an initial value unless that is null.
  template <int Items, class Op>
  LATHE_INLINE void scan(const T (&in)[Items], T (&out)[Items], const T* initial, Op op, bool inclusive, T& aggregate) {
    T own = in[0];
    for (int i = 1; i < Items; ++i) own = op(own, in[i]);
    T running = before(own, op, aggregate);
    if (initial) running = thread_ > 0 ? static_cast<T>(op(*initial, running)) : *initial;
    spread(in, out, op, running, initial || thread_ > 0, inclusive);
  }
  /// The scan behind the prefix that a callback gives.
  template <int Items, class Op, class Callback>
  LATHE_INLINE void scan(const T (&in)[Items], T (&out)[Items], Op op, bool inclusive, Callback& callback) {
    T own = in[0], aggregate;
    for (int i = 1; i < Items; ++i) own = op(own, in[i]);
    const T running = before(own, op, aggregate);
    const T prefix = prefixFrom(callback, aggregate);
    spread(in, out, op, thread_ > 0 ? static_cast<T>(op(prefix, running)) : prefix, true, inclusive);
  }

 public:
  // Of several items a thread and of one, which is an array of one: with an initial value, an aggregate, a callback.
#define LATHE_CUB_SCANS(name, inclusive)                                                   \
  template <int Items, detail::BinaryOf<T> Op>                                             \
  LATHE_INLINE void name(T(&in)[Items], T(&out)[Items], Op op) {                           \
    T aggregate;                                                                           \
    scan(in, out, static_cast<const T*>(nullptr), op, inclusive, aggregate);               \
  }                                                                                        \
  template <int Items, detail::BinaryOf<T> Op>                                             \
  LATHE_INLINE void name(T(&in)[Items], T(&out)[Items], Op op, T& aggregate) {             \
    scan(in, out, static_cast<const T*>(nullptr), op, inclusive, aggregate);               \
  }                                                                                        \
  template <int Items, detail::BinaryOf<T> Op>                                             \
  LATHE_INLINE void name(T(&in)[Items], T(&out)[Items], T initial, Op op) {                \
    T aggregate;                                                                           \
    scan(in, out, &initial, op, inclusive, aggregate);                                     \
  }                                                                                        \
  template <int Items, detail::BinaryOf<T> Op>                                             \
  LATHE_INLINE void name(T(&in)[Items], T(&out)[Items], T initial, Op op, T& aggregate) {  \
    scan(in, out, &initial, op, inclusive, aggregate);                                     \
  }                                                                                        \
  template <int Items, detail::BinaryOf<T> Op, detail::PrefixOf<T> Callback>               \
  LATHE_INLINE void name(T(&in)[Items], T(&out)[Items], Op op, Callback& callback) {       \
    scan(in, out, op, inclusive, callback);                                                \
  }                                                                                        \
  template <detail::BinaryOf<T> Op>                                                        \
  LATHE_INLINE void name(T in, T& out, Op op) {                                            \
    T aggregate;                                                                           \
    scan(array(in), array(out), static_cast<const T*>(nullptr), op, inclusive, aggregate); \
  }                                                                                        \
  template <detail::BinaryOf<T> Op>                                                        \
  LATHE_INLINE void name(T in, T& out, Op op, T& aggregate) {                              \
    scan(array(in), array(out), static_cast<const T*>(nullptr), op, inclusive, aggregate); \
  }                                                                                        \
  template <detail::BinaryOf<T> Op>                                                        \
  LATHE_INLINE void name(T in, T& out, T initial, Op op) {                                 \
    T aggregate;                                                                           \
    scan(array(in), array(out), &initial, op, inclusive, aggregate);                       \
  }                                                                                        \
  template <detail::BinaryOf<T> Op>                                                        \
  LATHE_INLINE void name(T in, T& out, T initial, Op op, T& aggregate) {                   \
    scan(array(in), array(out), &initial, op, inclusive, aggregate);                       \
  }                                                                                        \
  template <detail::BinaryOf<T> Op, detail::PrefixOf<T> Callback>                          \
  LATHE_INLINE void name(T in, T& out, Op op, Callback& callback) {                        \
    scan(array(in), array(out), op, inclusive, callback);                                  \
  }
  LATHE_CUB_SCANS(InclusiveScan, true)
  LATHE_CUB_SCANS(ExclusiveScan, false)
#undef LATHE_CUB_SCANS

  // Nothing more, an aggregate or a callback.
  template <class... More>
  LATHE_INLINE void InclusiveSum(T in, T& out, More&... more) {
    InclusiveScan(in, out, LATHE_CUB::Sum(), more...);
  }
  template <int Items, class... More>
  LATHE_INLINE void InclusiveSum(T (&in)[Items], T (&out)[Items], More&... more) {
    InclusiveScan(in, out, LATHE_CUB::Sum(), more...);
  }
  template <class... More>
  LATHE_INLINE void ExclusiveSum(T in, T& out, More&... more) {
    if constexpr ((detail::PrefixOf<More, T> || ...))
      ExclusiveScan(in, out, LATHE_CUB::Sum(), more...);
    else
      ExclusiveScan(in, out, T{}, LATHE_CUB::Sum(), more...);
  }
  template <int Items, class... More>
  LATHE_INLINE void ExclusiveSum(T (&in)[Items], T (&out)[Items], More&... more) {
    if constexpr ((detail::PrefixOf<More, T> || ...))
      ExclusiveScan(in, out, LATHE_CUB::Sum(), more...);
    else
      ExclusiveScan(in, out, T{}, LATHE_CUB::Sum(), more...);
  }

 private:
  LATHE_INLINE static T (&array(T& value))[1] { return reinterpret_cast<T(&)[1]>(value); }
};

}  // namespace LATHE_CUB

#endif
