// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans of a logical warp. Reductions never contain the initial value. Without one the first lane's exclusive result is
// undefined.
#ifndef LATHE_ROCPRIM_WARP_SCAN_H
#define LATHE_ROCPRIM_WARP_SCAN_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

template <class T, unsigned Width = HIPCUB_WARP_THREADS>
class warp_scan {
  using Collective = hipcub::WarpScan<T, Width>;

 public:
  using storage_type = typename Collective::TempStorage;

  template <detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void inclusive_scan(T in, T& out, storage_type& storage, Op op = Op()) {
    Collective(storage).InclusiveScan(in, out, op);
  }
  template <detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void inclusive_scan(T in, T& out, T& reduction, storage_type& storage, Op op = Op()) {
    Collective(storage).InclusiveScan(in, out, op, reduction);
  }
  // The initial value stands behind the storage.
  template <detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void inclusive_scan(T in, T& out, storage_type& storage, T first, Op op = Op()) {
    Collective(storage).InclusiveScan(in, out, first, op);
  }
  template <detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void inclusive_scan(T in, T& out, T& reduction, storage_type& storage, T first, Op op = Op()) {
    Collective(storage).InclusiveScan(in, out, first, op, reduction);
  }
  template <detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void exclusive_scan(T in, T& out, T first, storage_type& storage, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, out, first, op);
  }
  template <detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void exclusive_scan(T in, T& out, T first, T& reduction, storage_type& storage, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, out, first, op, reduction);
  }
  // Without an initial value the reduction stands behind the storage.
  template <detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void exclusive_scan(T in, T& out, storage_type& storage, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, out, op);
  }
  template <detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void exclusive_scan(T in, T& out, storage_type& storage, T& reduction, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, out, op, reduction);
  }
  /// The inclusive result does not contain the initial value.
  template <detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void scan(T in, T& inclusive, T& exclusive, T first, storage_type& storage, Op op = Op()) {
    T reduction;
    scan(in, inclusive, exclusive, first, reduction, storage, op);
  }
  template <detail::BinaryOf<T> Op = plus<T>>
  LATHE_INLINE void scan(T in, T& inclusive, T& exclusive, T first, T& reduction, storage_type& storage, Op op = Op()) {
    Collective(storage).ExclusiveScan(in, exclusive, first, op, reduction);
    Collective(storage).InclusiveScan(in, inclusive, op);
  }
  LATHE_INLINE T broadcast(T in, unsigned lane, storage_type& storage) {
    return Collective(storage).Broadcast(in, lane);
  }
};

}  // namespace rocprim

#endif
