// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rocPRIM's collectives of blocks and warps, on what <cub/cub.cuh> has. Device-wide algorithms are declared, for host
// code.
#ifndef LATHE_ROCPRIM_H
#define LATHE_ROCPRIM_H

#include <lathe/hip/rocprim_functions.h>
#include <hipcub/hipcub.hpp>

namespace rocprim {

enum class block_reduce_algorithm {
  using_warp_reduce,
  raking_reduce,
  raking_reduce_commutative_only,
  default_algorithm
};
enum class block_scan_algorithm { using_warp_scan, reduce_then_scan, default_algorithm };
enum class block_load_method {
  block_load_direct,
  block_load_striped,
  block_load_vectorize,
  block_load_transpose,
  block_load_warp_transpose,
  default_method
};
enum class block_store_method {
  block_store_direct,
  block_store_striped,
  block_store_vectorize,
  block_store_transpose,
  block_store_warp_transpose,
  default_method
};

/// A collective's storage, and the collective that CUB has for it.
#define LATHE_ROCPRIM_COLLECTIVE(...)     \
  using Collective = hipcub::__VA_ARGS__; \
                                          \
 public:                                  \
  using storage_type = typename Collective::TempStorage;
template <class Op, class T>
concept BinaryOf = requires(Op op, T t) { op(t, t); };

template <class T, unsigned X, block_reduce_algorithm = block_reduce_algorithm::default_algorithm, unsigned Y = 1,
          unsigned Z = 1>
class block_reduce {
  LATHE_ROCPRIM_COLLECTIVE(BlockReduce<T, X, hipcub::BLOCK_REDUCE_WARP_REDUCTIONS, Y, Z>)
  template <class In, BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void reduce(In&& in, T& out, storage_type& storage, Op op = Op()) {
    out = Collective(storage).Reduce(in, op);
  }
  template <BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void reduce(T in, T& out, unsigned valid, storage_type& storage, Op op = Op()) {
    out = Collective(storage).Reduce(in, op, static_cast<int>(valid));
  }
  // With storage of its own.
  template <class In, BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void reduce(In&& in, T& out, Op op = Op()) {
    out = Collective().Reduce(in, op);
  }
  template <BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void reduce(T in, T& out, unsigned valid, Op op = Op()) {
    out = Collective().Reduce(in, op, static_cast<int>(valid));
  }
};

template <class T, unsigned X, block_scan_algorithm = block_scan_algorithm::default_algorithm, unsigned Y = 1,
          unsigned Z = 1>
class block_scan {
  LATHE_ROCPRIM_COLLECTIVE(BlockScan<T, X, hipcub::BLOCK_SCAN_RAKING, Y, Z>)
  template <class In, class Out, BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void inclusive_scan(In&& in, Out&& out, storage_type& storage, Op op = Op()) {
    Collective(storage).InclusiveScan(in, out, op);
  }
  template <class In, class Out, BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void inclusive_scan(In&& in, Out&& out, T& sum, storage_type& storage, Op op = Op()) {
    Collective(storage).InclusiveScan(in, out, op, sum);
  }
  template <class In, class Out, class Prefix, BinaryOf<T> Op>
  LATHE_INLINE void inclusive_scan(In&& in, Out&& out, storage_type& storage, Prefix& prefix, Op op) {
    Collective(storage).InclusiveScan(in, out, op, prefix);
  }
  template <class In, class Out, BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void exclusive_scan(In&& in, Out&& out, T first, storage_type& storage, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, out, first, op);
  }
  template <class In, class Out, BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void exclusive_scan(In&& in, Out&& out, T first, T& sum, storage_type& storage, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, out, first, op, sum);
  }
  template <class In, class Out, class Prefix, BinaryOf<T> Op>
  LATHE_INLINE void exclusive_scan(In&& in, Out&& out, storage_type& storage, Prefix& prefix, Op op) {
    Collective(storage).ExclusiveScan(in, out, op, prefix);
  }
  // With storage of its own.
  template <class In, class Out, BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void inclusive_scan(In&& in, Out&& out, Op op = Op()) {
    Collective().InclusiveScan(in, out, op);
  }
  template <class In, class Out, BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void inclusive_scan(In&& in, Out&& out, T& sum, Op op = Op()) {
    Collective().InclusiveScan(in, out, op, sum);
  }
  template <class In, class Out, BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void exclusive_scan(In&& in, Out&& out, T first, Op op = Op()) {
    Collective().ExclusiveScan(in, out, first, op);
  }
  template <class In, class Out, BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void exclusive_scan(In&& in, Out&& out, T first, T& sum, Op op = Op()) {
    Collective().ExclusiveScan(in, out, first, op, sum);
  }
};

template <class T, unsigned X, unsigned Items, block_load_method Method = block_load_method::block_load_direct,
          unsigned Y = 1, unsigned Z = 1>
class block_load {
  LATHE_ROCPRIM_COLLECTIVE(BlockLoad<T, X, Items,
                                     Method == block_load_method::block_load_striped ? hipcub::BLOCK_LOAD_STRIPED
                                                                                     : hipcub::BLOCK_LOAD_DIRECT,
                                     Y, Z>)
  // Storage, which comes last, is accepted and not needed.
  template <class In, class... Storage>
  LATHE_INLINE void load(In from, T (&items)[Items], Storage&...)
    requires(sizeof...(Storage) == 0 || (__is_same(Storage, storage_type) && ...))
  {
    storage_type none;
    Collective(none).Load(from, items);
  }
  template <class In, class... Storage>
  LATHE_INLINE void load(In from, T (&items)[Items], unsigned valid, Storage&...)
    requires(sizeof...(Storage) == 0 || (__is_same(Storage, storage_type) && ...))
  {
    storage_type none;
    Collective(none).Load(from, items, static_cast<int>(valid));
  }
  template <class In, class Default, class... Storage>
  LATHE_INLINE void load(In from, T (&items)[Items], unsigned valid, Default otherwise, Storage&...)
    requires(!__is_same(Default, storage_type))
  {
    storage_type none;
    Collective(none).Load(from, items, static_cast<int>(valid), otherwise);
  }
};

template <class T, unsigned X, unsigned Items, block_store_method Method = block_store_method::block_store_direct,
          unsigned Y = 1, unsigned Z = 1>
class block_store {
  LATHE_ROCPRIM_COLLECTIVE(BlockStore<T, X, Items,
                                      Method == block_store_method::block_store_striped ? hipcub::BLOCK_STORE_STRIPED
                                                                                        : hipcub::BLOCK_STORE_DIRECT,
                                      Y, Z>)
  template <class Out>
  LATHE_INLINE void store(Out to, T (&items)[Items]) {
    storage_type none;
    Collective(none).Store(to, items);
  }
  template <class Out>
  LATHE_INLINE void store(Out to, T (&items)[Items], storage_type&) {
    store(to, items);
  }
  template <class Out, class... Storage>
  LATHE_INLINE void store(Out to, T (&items)[Items], unsigned valid, Storage&...) {
    storage_type none;
    Collective(none).Store(to, items, static_cast<int>(valid));
  }
};

// Methods that take the collective's storage last, or bring their own.
#define LATHE_ROCPRIM_BOTH(name, method)                                                 \
  template <class Out>                                                                   \
  LATHE_INLINE void name(const T(&in)[Items], Out(&out)[Items]) {                        \
    Collective().method(in, out);                                                        \
  }                                                                                      \
  template <class Out>                                                                   \
  LATHE_INLINE void name(const T(&in)[Items], Out(&out)[Items], storage_type& storage) { \
    Collective(storage).method(in, out);                                                 \
  }
#define LATHE_ROCPRIM_RANKED(name, method)                                                                          \
  template <class Out, class Rank>                                                                                  \
  LATHE_INLINE void name(const T(&in)[Items], Out(&out)[Items], const Rank(&ranks)[Items]) {                        \
    Collective().method(in, out, ranks);                                                                            \
  }                                                                                                                 \
  template <class Out, class Rank>                                                                                  \
  LATHE_INLINE void name(const T(&in)[Items], Out(&out)[Items], const Rank(&ranks)[Items], storage_type& storage) { \
    Collective(storage).method(in, out, ranks);                                                                     \
  }
template <class T, unsigned X, unsigned Items, unsigned Y = 1, unsigned Z = 1>
class block_exchange {
  LATHE_ROCPRIM_COLLECTIVE(BlockExchange<T, X, Items, false, Y, Z>)
  LATHE_ROCPRIM_BOTH(blocked_to_striped, BlockedToStriped)
  LATHE_ROCPRIM_BOTH(striped_to_blocked, StripedToBlocked)
  LATHE_ROCPRIM_BOTH(blocked_to_warp_striped, BlockedToWarpStriped)
  LATHE_ROCPRIM_BOTH(warp_striped_to_blocked, WarpStripedToBlocked)
  LATHE_ROCPRIM_RANKED(scatter_to_blocked, ScatterToBlocked)
  LATHE_ROCPRIM_RANKED(scatter_to_striped, ScatterToStriped)
  LATHE_ROCPRIM_RANKED(scatter_to_striped_guarded, ScatterToStriped)  // whose negative ranks go nowhere
};
#undef LATHE_ROCPRIM_RANKED
#undef LATHE_ROCPRIM_BOTH

template <class T, unsigned X, unsigned Y = 1, unsigned Z = 1>
class block_adjacent_difference {
  LATHE_ROCPRIM_COLLECTIVE(BlockAdjacentDifference<T, X, Y, Z>)
  template <class Out, unsigned Items, class Op>
  LATHE_INLINE void subtract_left(const T (&in)[Items], Out (&out)[Items], Op op, storage_type& storage) {
    T from[Items];
    for (unsigned i = 0; i < Items; ++i) from[i] = in[i];
    Collective(storage).SubtractLeft(from, out, op);
  }
  template <class Out, unsigned Items, class Op>
  LATHE_INLINE void subtract_right(const T (&in)[Items], Out (&out)[Items], Op op, storage_type& storage) {
    T from[Items];
    for (unsigned i = 0; i < Items; ++i) from[i] = in[i];
    Collective(storage).SubtractRight(from, out, op);
  }
};

/// Flags of items that differ from the one before (heads) or behind (tails); the block's first and last count as such.
template <class T, unsigned X, unsigned Y = 1, unsigned Z = 1>
class block_discontinuity {
  LATHE_ROCPRIM_COLLECTIVE(BlockAdjacentDifference<T, X, Y, Z>)
  template <class Flag, unsigned Items, class Op>
  LATHE_INLINE void flag_heads(Flag (&flags)[Items], const T (&in)[Items], Op op, storage_type& storage) {
    T from[Items];
    bool out[Items];
    for (unsigned i = 0; i < Items; ++i) from[i] = in[i];
    Collective(storage).SubtractLeft(from, out, [&](const T& x, const T& before) { return op(before, x); });
    for (unsigned i = 0; i < Items; ++i) flags[i] = Flag(out[i]);
    if (flat_block_thread_id() == 0) flags[0] = Flag(1);
  }
  template <class Flag, unsigned Items, class Op>
  LATHE_INLINE void flag_tails(Flag (&flags)[Items], const T (&in)[Items], Op op, storage_type& storage) {
    T from[Items];
    bool out[Items];
    for (unsigned i = 0; i < Items; ++i) from[i] = in[i];
    Collective(storage).SubtractRight(from, out, [&](const T& x, const T& behind) { return op(x, behind); });
    for (unsigned i = 0; i < Items; ++i) flags[i] = Flag(out[i]);
    if (flat_block_thread_id() + 1 == X * Y * Z) flags[Items - 1] = Flag(1);
  }
};

template <class K, unsigned X, unsigned Items, class V = empty_type, unsigned Y = 1, unsigned Z = 1>
class block_radix_sort {
  LATHE_ROCPRIM_COLLECTIVE(BlockRadixSort<K, X, Items, V, 4, true, hipcub::BLOCK_SCAN_WARP_SCANS, 0, Y, Z>)
#define LATHE_ROCPRIM_SORT(name, method)                                                                              \
  LATHE_INLINE void name(K(&keys)[Items], storage_type& storage, unsigned first = 0, unsigned last = 8 * sizeof(K)) { \
    Collective(storage).method(keys, static_cast<int>(first), static_cast<int>(last));                                \
  }                                                                                                                   \
  LATHE_INLINE void name(K(&keys)[Items], V(&values)[Items], storage_type& storage, unsigned first = 0,               \
                         unsigned last = 8 * sizeof(K)) {                                                             \
    Collective(storage).method(keys, values, static_cast<int>(first), static_cast<int>(last));                        \
  }                                                                                                                   \
  LATHE_INLINE void name(K(&keys)[Items], unsigned first = 0, unsigned last = 8 * sizeof(K)) {                        \
    Collective().method(keys, static_cast<int>(first), static_cast<int>(last));                                       \
  }                                                                                                                   \
  LATHE_INLINE void name(K(&keys)[Items], V(&values)[Items], unsigned first = 0, unsigned last = 8 * sizeof(K)) {     \
    Collective().method(keys, values, static_cast<int>(first), static_cast<int>(last));                               \
  }
  LATHE_ROCPRIM_SORT(sort, Sort)
  LATHE_ROCPRIM_SORT(sort_desc, SortDescending)
  LATHE_ROCPRIM_SORT(sort_to_striped, SortBlockedToStriped)
  LATHE_ROCPRIM_SORT(sort_desc_to_striped, SortDescendingBlockedToStriped)
#undef LATHE_ROCPRIM_SORT
};

template <class T, unsigned Width = HIPCUB_WARP_THREADS, bool = false>
class warp_reduce {
  LATHE_ROCPRIM_COLLECTIVE(WarpReduce<T, Width>)
  template <BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void reduce(T in, T& out, storage_type& storage, Op op = Op()) {
    out = Collective(storage).Reduce(in, op);
  }
  template <BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void reduce(T in, T& out, int valid, storage_type& storage, Op op = Op()) {
    out = Collective(storage).Reduce(in, op, valid);
  }
};
template <class T, unsigned Width = HIPCUB_WARP_THREADS>
class warp_scan {
  LATHE_ROCPRIM_COLLECTIVE(WarpScan<T, Width>)
  template <BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void inclusive_scan(T in, T& out, storage_type& storage, Op op = Op()) {
    Collective(storage).InclusiveScan(in, out, op);
  }
  template <BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void inclusive_scan(T in, T& out, T& sum, storage_type& storage, Op op = Op()) {
    Collective(storage).InclusiveScan(in, out, op, sum);
  }
  template <BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void exclusive_scan(T in, T& out, T first, storage_type& storage, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, out, first, op);
  }
  template <BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void exclusive_scan(T in, T& out, T first, T& sum, storage_type& storage, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, out, first, op, sum);
  }
  template <BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void scan(T in, T& inclusive, T& exclusive, T first, storage_type& storage, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, exclusive, first, op);
    Collective(storage).InclusiveScan(in, inclusive, op);
  }
  LATHE_INLINE void broadcast(T in, T& out, unsigned lane, storage_type& storage) {
    out = Collective(storage).Broadcast(in, lane);
  }
};
#undef LATHE_ROCPRIM_COLLECTIVE

// Items of a thread side by side (blocked), or a block apart (striped).
template <class In, class T, unsigned Items, class... Valid>
LATHE_INLINE void block_load_direct_blocked(unsigned thread, In from, T (&items)[Items], Valid... valid) {
  hipcub::LoadDirectBlocked(static_cast<int>(thread), from, items, valid...);
}
template <unsigned X, class In, class T, unsigned Items, class... Valid>
LATHE_INLINE void block_load_direct_striped(unsigned thread, In from, T (&items)[Items], Valid... valid) {
  hipcub::LoadDirectStriped<X>(static_cast<int>(thread), from, items, valid...);
}
template <class Out, class T, unsigned Items, class... Valid>
LATHE_INLINE void block_store_direct_blocked(unsigned thread, Out to, T (&items)[Items], Valid... valid) {
  hipcub::StoreDirectBlocked(static_cast<int>(thread), to, items, valid...);
}
template <unsigned X, class Out, class T, unsigned Items, class... Valid>
LATHE_INLINE void block_store_direct_striped(unsigned thread, Out to, T (&items)[Items], Valid... valid) {
  hipcub::StoreDirectStriped<X>(static_cast<int>(thread), to, items, valid...);
}

#define LATHE_ROCPRIM_HOST(name) \
  template <class... Arguments>  \
  __host__ hipError_t name(Arguments&&...);
LATHE_ROCPRIM_HOST(reduce)
LATHE_ROCPRIM_HOST(inclusive_scan)
LATHE_ROCPRIM_HOST(exclusive_scan)
LATHE_ROCPRIM_HOST(transform)
LATHE_ROCPRIM_HOST(select)
LATHE_ROCPRIM_HOST(radix_sort_keys)
LATHE_ROCPRIM_HOST(radix_sort_pairs)
LATHE_ROCPRIM_HOST(run_length_encode)
LATHE_ROCPRIM_HOST(reduce_by_key)
#undef LATHE_ROCPRIM_HOST

}  // namespace rocprim

#endif
