// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// rocPRIM's collectives of blocks and warps, on what <cub/cub.cuh> has. Device-wide algorithms are declared, for host code.
#ifndef LATHE_ROCPRIM_H
#define LATHE_ROCPRIM_H

#include <hipcub/hipcub.hpp>

namespace rocprim {

template <class T = void>
struct plus {
  LATHE_CUDA_BOTH constexpr T operator()(const T& a, const T& b) const { return a + b; }
};
template <class T = void>
struct minimum {
  LATHE_CUDA_BOTH constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <class T = void>
struct maximum {
  LATHE_CUDA_BOTH constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <class T = void>
struct multiplies {
  LATHE_CUDA_BOTH constexpr T operator()(const T& a, const T& b) const { return a * b; }
};
struct empty_type {};

LATHE_INLINE unsigned flat_block_thread_id() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
LATHE_INLINE unsigned flat_block_id() {
  return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
LATHE_INLINE unsigned lane_id() {
  return __lathe_subgroup_item_id();
}
LATHE_INLINE unsigned device_warp_size() {
  return __lathe_subgroup_size();
}
LATHE_INLINE void syncthreads() {
  __lathe_group_barrier();
}

enum class block_reduce_algorithm { using_warp_reduce, raking_reduce, raking_reduce_commutative_only, default_algorithm };
enum class block_scan_algorithm { using_warp_scan, reduce_then_scan, default_algorithm };
enum class block_load_method { block_load_direct, block_load_striped, block_load_vectorize, block_load_transpose, default_method };
enum class block_store_method {
  block_store_direct,
  block_store_striped,
  block_store_vectorize,
  block_store_transpose,
  default_method
};

/// A collective's storage, and the collective that CUB has for it.
#define LATHE_ROCPRIM_COLLECTIVE(...)   \
  using Collective = cub::__VA_ARGS__;  \
                                        \
 public:                                \
  using storage_type = typename Collective::TempStorage;

template <class T, unsigned X, block_reduce_algorithm = block_reduce_algorithm::default_algorithm, unsigned Y = 1, unsigned Z = 1>
class block_reduce {
  LATHE_ROCPRIM_COLLECTIVE(BlockReduce<T, X, cub::BLOCK_REDUCE_WARP_REDUCTIONS, Y, Z>)
  template <class In, class Op = plus<T>>
  LATHE_INLINE void reduce(In&& in, T& out, storage_type& storage, Op op = Op()) {
    out = Collective(storage).Reduce(in, op);
  }
  /// With storage of its own.
  template <class In, class Op = plus<T>>
    requires requires(Op op, T t) { op(t, t); }
  LATHE_INLINE void reduce(In&& in, T& out, Op op = Op()) {
    out = Collective().Reduce(in, op);
  }
  template <class Op = plus<T>>
  LATHE_INLINE void reduce(T in, T& out, unsigned valid, storage_type& storage, Op op = Op()) {
    out = Collective(storage).Reduce(in, op, static_cast<int>(valid));
  }
};

template <class T, unsigned X, block_scan_algorithm = block_scan_algorithm::default_algorithm, unsigned Y = 1, unsigned Z = 1>
class block_scan {
  LATHE_ROCPRIM_COLLECTIVE(BlockScan<T, X, cub::BLOCK_SCAN_RAKING, Y, Z>)
  template <class In, class Out, class Op = plus<T>>
  LATHE_INLINE void inclusive_scan(In&& in, Out&& out, storage_type& storage, Op op = Op()) {
    Collective(storage).InclusiveScan(in, out, op);
  }
  template <class In, class Out, class Op = plus<T>>
  LATHE_INLINE void inclusive_scan(In&& in, Out&& out, T& sum, storage_type& storage, Op op = Op()) {
    Collective(storage).InclusiveScan(in, out, op, sum);
  }
  template <class In, class Out, class Op = plus<T>>
  LATHE_INLINE void exclusive_scan(In&& in, Out&& out, T first, storage_type& storage, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, out, first, op);
  }
  template <class In, class Out, class Op = plus<T>>
  LATHE_INLINE void exclusive_scan(In&& in, Out&& out, T first, T& sum, storage_type& storage, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, out, first, op, sum);
  }
};

template <class T, unsigned X, unsigned Items, block_load_method Method = block_load_method::block_load_direct, unsigned Y = 1,
          unsigned Z = 1>
class block_load {
  LATHE_ROCPRIM_COLLECTIVE(BlockLoad<T, X, Items,
                                     Method == block_load_method::block_load_striped ? cub::BLOCK_LOAD_STRIPED : cub::BLOCK_LOAD_DIRECT,
                                     Y, Z>)
  template <class In>
  LATHE_INLINE void load(In from, T (&items)[Items]) {
    storage_type none;
    Collective(none).Load(from, items);
  }
  template <class In, class... More>
  LATHE_INLINE void load(In from, T (&items)[Items], unsigned valid, More&&... more) {
    storage_type none;
    if constexpr (sizeof...(More) == 2)
      loadOr(from, items, valid, more...);
    else
      Collective(none).Load(from, items, static_cast<int>(valid));
  }
  template <class In>
  LATHE_INLINE void load(In from, T (&items)[Items], storage_type& storage) {
    Collective(storage).Load(from, items);
  }

 private:
  template <class In, class Default>
  LATHE_INLINE void loadOr(In from, T (&items)[Items], unsigned valid, Default otherwise, storage_type& storage) {
    Collective(storage).Load(from, items, static_cast<int>(valid), otherwise);
  }
};

template <class T, unsigned X, unsigned Items, block_store_method Method = block_store_method::block_store_direct, unsigned Y = 1,
          unsigned Z = 1>
class block_store {
  LATHE_ROCPRIM_COLLECTIVE(BlockStore<T, X, Items,
                                      Method == block_store_method::block_store_striped ? cub::BLOCK_STORE_STRIPED
                                                                                        : cub::BLOCK_STORE_DIRECT,
                                      Y, Z>)
  template <class Out>
  LATHE_INLINE void store(Out to, T (&items)[Items]) {
    storage_type none;
    Collective(none).Store(to, items);
  }
  template <class Out>
  LATHE_INLINE void store(Out to, T (&items)[Items], storage_type& storage) {
    Collective(storage).Store(to, items);
  }
  template <class Out, class... Storage>
  LATHE_INLINE void store(Out to, T (&items)[Items], unsigned valid, Storage&...) {
    storage_type none;
    Collective(none).Store(to, items, static_cast<int>(valid));
  }
};

template <class T, unsigned X, unsigned Items, unsigned Y = 1, unsigned Z = 1>
class block_exchange {
  LATHE_ROCPRIM_COLLECTIVE(BlockExchange<T, X, Items, false, Y, Z>)
  template <class Out>
  LATHE_INLINE void blocked_to_striped(const T (&in)[Items], Out (&out)[Items], storage_type& storage) {
    Collective(storage).BlockedToStriped(in, out);
  }
  template <class Out>
  LATHE_INLINE void striped_to_blocked(const T (&in)[Items], Out (&out)[Items], storage_type& storage) {
    Collective(storage).StripedToBlocked(in, out);
  }
};

template <class K, unsigned X, unsigned Items, class V = empty_type, unsigned Y = 1, unsigned Z = 1>
class block_radix_sort {
  LATHE_ROCPRIM_COLLECTIVE(BlockRadixSort<K, X, Items, V, 4, true, cub::BLOCK_SCAN_WARP_SCANS, Y, Z>)
  LATHE_INLINE void sort(K (&keys)[Items], storage_type& storage) { Collective(storage).Sort(keys); }
  LATHE_INLINE void sort(K (&keys)[Items], V (&values)[Items], storage_type& storage) {
    Collective(storage).Sort(keys, values);
  }
  LATHE_INLINE void sort_desc(K (&keys)[Items], storage_type& storage) { Collective(storage).SortDescending(keys); }
  LATHE_INLINE void sort_desc(K (&keys)[Items], V (&values)[Items], storage_type& storage) {
    Collective(storage).SortDescending(keys, values);
  }
};

template <class T, unsigned Width = HIPCUB_WARP_THREADS>
class warp_reduce {
  LATHE_ROCPRIM_COLLECTIVE(WarpReduce<T, Width>)
  template <class Op = plus<T>>
  LATHE_INLINE void reduce(T in, T& out, storage_type& storage, Op op = Op()) {
    out = Collective(storage).Reduce(in, op);
  }
};
template <class T, unsigned Width = HIPCUB_WARP_THREADS>
class warp_scan {
  LATHE_ROCPRIM_COLLECTIVE(WarpScan<T, Width>)
  template <class Op = plus<T>>
  LATHE_INLINE void inclusive_scan(T in, T& out, storage_type& storage, Op op = Op()) {
    Collective(storage).InclusiveScan(in, out, op);
  }
  template <class Op = plus<T>>
  LATHE_INLINE void exclusive_scan(T in, T& out, T first, storage_type& storage, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, out, first, op);
  }
};
#undef LATHE_ROCPRIM_COLLECTIVE

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
