// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans of one thread's items. Input and output may be the same array.
#ifndef LATHE_CUB_THREAD_SCAN_H
#define LATHE_CUB_THREAD_SCAN_H

#include <cub/config.cuh>

namespace LATHE_CUB {

/// Returns the prefix of what would come next. Without `apply` the first output is the prefix, which counts no further.
template <int Length, class T, class Op>
LATHE_INLINE T ThreadScanExclusive(T* in, T* out, Op op, T prefix, bool apply = true) {
  T inclusive = in[0];
  if (apply) inclusive = op(prefix, inclusive);
  out[0] = prefix;
  for (int i = 1; i < Length; ++i) {
    const T item = in[i];
    out[i] = inclusive;
    inclusive = op(inclusive, item);
  }
  return inclusive;
}
template <int Length, class T, class Op>
LATHE_INLINE T ThreadScanExclusive(T (&in)[Length], T (&out)[Length], Op op, T prefix, bool apply = true) {
  return ThreadScanExclusive<Length>(static_cast<T*>(in), static_cast<T*>(out), op, prefix, apply);
}

/// Returns the last output.
template <int Length, class T, class Op>
LATHE_INLINE T ThreadScanInclusive(T* in, T* out, Op op) {
  T inclusive = in[0];
  out[0] = inclusive;
  for (int i = 1; i < Length; ++i) out[i] = inclusive = op(inclusive, in[i]);
  return inclusive;
}
template <int Length, class T, class Op>
LATHE_INLINE T ThreadScanInclusive(T* in, T* out, Op op, T prefix, bool apply = true) {
  T inclusive = in[0];
  if (apply) inclusive = op(prefix, inclusive);
  out[0] = inclusive;
  for (int i = 1; i < Length; ++i) out[i] = inclusive = op(inclusive, in[i]);
  return inclusive;
}
template <int Length, class T, class Op>
LATHE_INLINE T ThreadScanInclusive(T (&in)[Length], T (&out)[Length], Op op) {
  return ThreadScanInclusive<Length>(static_cast<T*>(in), static_cast<T*>(out), op);
}
template <int Length, class T, class Op>
LATHE_INLINE T ThreadScanInclusive(T (&in)[Length], T (&out)[Length], Op op, T prefix, bool apply = true) {
  return ThreadScanInclusive<Length>(static_cast<T*>(in), static_cast<T*>(out), op, prefix, apply);
}

// Where versions of CUB have them.
namespace detail {
using LATHE_CUB::ThreadScanExclusive;
using LATHE_CUB::ThreadScanInclusive;
}  // namespace detail
namespace internal {
using LATHE_CUB::ThreadScanExclusive;
using LATHE_CUB::ThreadScanInclusive;
}  // namespace internal

}  // namespace LATHE_CUB

#endif
