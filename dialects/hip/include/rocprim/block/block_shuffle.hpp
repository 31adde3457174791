// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items of other threads of a block, by a distance. Threads without such a neighbour keep what they have. A thread's
// place in the block may be given, before the items.
#ifndef LATHE_ROCPRIM_BLOCK_SHUFFLE_H
#define LATHE_ROCPRIM_BLOCK_SHUFFLE_H

#include <rocprim/detail/collective.hpp>

namespace rocprim {

template <class T, unsigned X, unsigned Y = 1, unsigned Z = 1>
class block_shuffle {
  static constexpr int threads = X * Y * Z;
  struct Storage {
    hipcub::detail::Room<T, threads> items;
  };
  LATHE_ROCPRIM_STORAGE(Storage)

  LATHE_INLINE void offset(const size_t& thread, T in, T& out, int distance, storage_type& storage) {
    const int from = share(thread, in, storage) + distance;
    if (from >= 0 && from < threads) out = storage.items[from];
  }
  LATHE_INLINE void offset(const size_t& thread, T in, T& out, int distance) {
    offset(thread, in, out, distance, own());
  }
  LATHE_INLINE void offset(T in, T& out, int distance = 1) { offset(flat_block_thread_id(), in, out, distance); }

  /// By a distance of less than the block's threads, in either direction.
  LATHE_INLINE void rotate(const size_t& thread, T in, T& out, int distance, storage_type& storage) {
    const int from = share(thread, in, storage) + distance;
    out = storage.items[from < 0 ? from + threads : from < threads ? from : from - threads];
  }
  LATHE_INLINE void rotate(const size_t& thread, T in, T& out, int distance) {
    rotate(thread, in, out, distance, own());
  }
  LATHE_INLINE void rotate(T in, T& out, int distance = 1) { rotate(flat_block_thread_id(), in, out, distance); }

  /// Each item's predecessor in the block, blocked; the last thread's last item besides. The arrays may be the same.
  template <unsigned Items>
  LATHE_INLINE void up(const size_t& thread, T (&in)[Items], T (&out)[Items], storage_type& storage) {
    const int place = share(thread, in[Items - 1], storage);
    for (unsigned i = Items - 1; i > 0; --i) out[i] = in[i - 1];
    if (place > 0) out[0] = storage.items[place - 1];
  }
  template <unsigned Items>
  LATHE_INLINE void up(const size_t& thread, T (&in)[Items], T (&out)[Items], T& last, storage_type& storage) {
    up(thread, in, out, storage);
    last = storage.items[threads - 1];
  }
  template <unsigned Items>
  LATHE_INLINE void up(const size_t& thread, T (&in)[Items], T (&out)[Items]) {
    up(thread, in, out, own());
  }
  template <unsigned Items>
  LATHE_INLINE void up(const size_t& thread, T (&in)[Items], T (&out)[Items], T& last) {
    up(thread, in, out, last, own());
  }
  template <unsigned Items>
  LATHE_INLINE void up(T (&in)[Items], T (&out)[Items]) {
    up(flat_block_thread_id(), in, out);
  }
  template <unsigned Items>
  LATHE_INLINE void up(T (&in)[Items], T (&out)[Items], T& last) {
    up(flat_block_thread_id(), in, out, last);
  }

  /// Each item's successor; the first thread's first item besides.
  template <unsigned Items>
  LATHE_INLINE void down(const size_t& thread, T (&in)[Items], T (&out)[Items], storage_type& storage) {
    const int place = share(thread, in[0], storage);
    for (unsigned i = 0; i < Items - 1; ++i) out[i] = in[i + 1];
    if (place < threads - 1) out[Items - 1] = storage.items[place + 1];
  }
  template <unsigned Items>
  LATHE_INLINE void down(const size_t& thread, T (&in)[Items], T (&out)[Items], T& first, storage_type& storage) {
    down(thread, in, out, storage);
    first = storage.items[0];
  }
  template <unsigned Items>
  LATHE_INLINE void down(const size_t& thread, T (&in)[Items], T (&out)[Items]) {
    down(thread, in, out, own());
  }
  template <unsigned Items>
  LATHE_INLINE void down(const size_t& thread, T (&in)[Items], T (&out)[Items], T& first) {
    down(thread, in, out, first, own());
  }
  template <unsigned Items>
  LATHE_INLINE void down(T (&in)[Items], T (&out)[Items]) {
    down(flat_block_thread_id(), in, out);
  }
  template <unsigned Items>
  LATHE_INLINE void down(T (&in)[Items], T (&out)[Items], T& first) {
    down(flat_block_thread_id(), in, out, first);
  }

 private:
  LATHE_INLINE static int share(size_t thread, const T& item, Storage& storage) {
    storage.items[static_cast<int>(thread)] = item;
    __syncthreads();
    return static_cast<int>(thread);
  }
};

}  // namespace rocprim

#endif
