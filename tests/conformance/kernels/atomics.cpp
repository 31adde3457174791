// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every atomic operation at both widths: each item alone on its own cells, where old and new value are known, and all
// items on the same cells, in device memory and in a group's.
#include <lathe/device.h>

/// Eleven cells an item; `old` receives what the operations return.
template <class T, class Cells>
LATHE_INLINE void operate(Cells* cells, T* old, T x, T y) {
  old[0] = lathe::atomic_add(&cells[0], x);
  old[1] = lathe::atomic_sub(&cells[1], x);
  old[2] = lathe::atomic_and(&cells[2], x);
  old[3] = lathe::atomic_or(&cells[3], x);
  old[4] = lathe::atomic_xor(&cells[4], x);
  old[5] = lathe::atomic_min(&cells[5], x);
  old[6] = lathe::atomic_max(&cells[6], x);
  old[7] = lathe::atomic_exchange(&cells[7], x);
  old[8] = lathe::atomic_compare_exchange(&cells[8], y, x);  // the host puts y there in every other item
  old[9] = lathe::atomic_load(&cells[9]);
  old[10] = 0;
  lathe::atomic_store(&cells[10], x);
}

template <class T>
LATHE_KERNEL void alone(const T* x, const T* y, T* cells, T* old) {
  const unsigned i = lathe::global_id().x;
  operate(cells + 11 * i, old + 11 * i, x[i], y[i]);
}

/// The same in group-shared memory.
template <class T>
LATHE_KERNEL void alone_shared(const T* x, const T* y, T* cells, T* old) {
  LATHE_SHARED T mine[11 * 32];
  const unsigned i = lathe::global_id().x, item = lathe::item_id().x;
  for (unsigned k = 0; k < 11; ++k) mine[11 * item + k] = cells[11 * i + k];
  operate(mine + 11 * item, old + 11 * i, x[i], y[i]);
  for (unsigned k = 0; k < 11; ++k) cells[11 * i + k] = mine[11 * item + k];
}

/// Every item on the same cells. Cells 0 to 6 as above; 7 counts by compare and exchange.
template <class T>
LATHE_KERNEL void contended(T* cells) {
  const T i = T(lathe::global_id().x);
  lathe::atomic_add(&cells[0], i);
  lathe::atomic_sub(&cells[1], T(2));
  lathe::atomic_and(&cells[2], T(~(T(1) << (i % 16))));
  lathe::atomic_or(&cells[3], T(T(1) << (i % (8 * sizeof(T) - 1))));
  lathe::atomic_xor(&cells[4], i);
  lathe::atomic_min(&cells[5], T(3) - i);
  lathe::atomic_max(&cells[6], T(i - 3));
  for (T seen = lathe::atomic_load(&cells[7]);;) {
    const T old = lathe::atomic_compare_exchange(&cells[7], seen, T(seen + 3));
    if (old == seen) break;
    seen = old;
  }
}

/// Orders and scopes other than the default: the same sums.
LATHE_KERNEL void scopes(int* cells) {
  using lathe::order;
  using lathe::scope;
  lathe::atomic_add<order::relaxed, scope::system>(&cells[0], 1);
  lathe::atomic_add<order::acquire, scope::device>(&cells[1], 2);
  lathe::atomic_add<order::release, scope::system>(&cells[2], 3);
  lathe::atomic_add<order::acq_rel, scope::device>(&cells[3], 4);
  lathe::atomic_add<order::seq_cst, scope::system>(&cells[4], 5);
  LATHE_SHARED int shared[3];
  const unsigned item = lathe::item_id().x;
  if (item < 3) shared[item] = 0;
  lathe::barrier();
  lathe::atomic_add<order::relaxed, scope::group>(&shared[0], 1);
  lathe::atomic_add<order::acq_rel, scope::group>(&shared[1], 2);
  lathe::atomic_add<order::seq_cst, scope::group>(&shared[2], 3);
  lathe::barrier();
  if (item < 3) lathe::atomic_add(&cells[5 + item], shared[item]);
}

template <class T>
LATHE_KERNEL void sums(const T* in, T* cells, T* old) {
  LATHE_SHARED T shared;
  const unsigned i = lathe::global_id().x;
  if (lathe::item_id().x == 0) shared = 0;
  lathe::barrier();
  lathe::atomic_add(&cells[0], in[i]);
  lathe::atomic_add<lathe::order::relaxed, lathe::scope::group>(&shared, in[i]);
  old[i] = lathe::atomic_add(&cells[2 + i], in[i]);
  lathe::barrier();
  if (lathe::item_id().x == 0) lathe::atomic_add(&cells[1], shared);
}

/// Counting round: own cells, then one for all.
LATHE_KERNEL void wrapping(const unsigned* limit, unsigned* cells, unsigned* old) {
  const unsigned i = lathe::global_id().x;
  old[2 * i] = __lathe_atomic_inc_i32(&cells[2 + 2 * i], limit[i], 0, 3);
  old[2 * i + 1] = __lathe_atomic_dec_i32(&cells[3 + 2 * i], limit[i], 0, 3);
  __lathe_atomic_inc_i32(&cells[0], 9, 0, 3);
  __lathe_atomic_dec_i32(&cells[1], 9, 0, 3);
}

/// A ticket a item: what the additions return is a permutation.
template <class T>
LATHE_KERNEL void tickets(T* counter, T* out) {
  out[lathe::global_id().x] = lathe::atomic_add(counter, T(1));
}

/// The first group publishes data and then a flag; the others wait for nobody, they take what is there.
LATHE_KERNEL void publish(int* data, int* flag, int* seen) {
  const unsigned i = lathe::global_id().x;
  if (i == 0) {
    *data = 42;
    lathe::fence<lathe::order::release>();
    lathe::atomic_store<lathe::order::relaxed>(flag, 1);
  }
  const int up = lathe::atomic_load<lathe::order::relaxed>(flag);
  lathe::fence<lathe::order::acquire>();
  seen[i] = up ? *static_cast<volatile int*>(data) : 42;
}

/// Smallest and largest numbers: own cells, then one for all. Operands include what is not a number.
template <class T>
LATHE_KERNEL void extremes(const T* in, T* cells, T* old) {
  const unsigned i = lathe::global_id().x;
  old[2 * i] = lathe::atomic_min(&cells[2 + 2 * i], in[i]);
  old[2 * i + 1] = lathe::atomic_max(&cells[3 + 2 * i], in[i]);
  lathe::atomic_min(&cells[0], in[i]);
  lathe::atomic_max(&cells[1], in[i]);
}

/// By their bits: a float, and a structure that fits. Neighbours change the rest of the words at the same time.
struct pair {
  unsigned char a, b;
};
LATHE_KERNEL void bits(float* numbers, pair* pairs, pair* old) {
  const unsigned i = lathe::global_id().x;
  const float before = lathe::atomic_exchange(&numbers[2 * i], numbers[2 * i] + 1);
  lathe::atomic_compare_exchange(&numbers[2 * i + 1], before, before * 2);
  old[2 * i] = lathe::atomic_load(&pairs[i]);
  lathe::atomic_store(&pairs[i], {7, 9});
  old[2 * i + 1] = lathe::atomic_compare_exchange<lathe::order::acq_rel>(&pairs[i], {7, 9}, {1, 2});
  lathe::atomic_update(&pairs[i], [i](pair p) { return pair{static_cast<unsigned char>(p.a + i), p.b}; });
}

/// Sums of small numbers, one and two in a word: own cells, one for the group, one for all.
template <class T>
LATHE_KERNEL void small_sums(const T* in, T* cells, T* old) {
  LATHE_SHARED T shared;
  const unsigned i = lathe::global_id().x;
  if (lathe::item_id().x == 0) shared = in[0];
  lathe::barrier();
  lathe::atomic_add(&cells[0], in[1 + i]);
  lathe::atomic_add<lathe::order::relaxed, lathe::scope::group>(&shared, in[1 + i]);
  old[i] = lathe::atomic_add<lathe::order::acq_rel>(&cells[2 + i], in[1]);
  lathe::barrier();
  if (lathe::item_id().x == 0) lathe::atomic_add<lathe::order::relaxed, lathe::scope::system>(&cells[1], shared);
}

#ifdef __SIZEOF_INT128__  // some machines of 32 and 16 bits have no such type
/// 16 bytes at once, which no half of ever changes alone.
struct alignas(16) wide {
  unsigned long low, high;
};
LATHE_KERNEL void wide_values(wide* cells, wide* old) {
  LATHE_SHARED wide shared;
  const unsigned i = lathe::global_id().x;
  if (lathe::item_id().x == 0) shared = {0, 5};
  lathe::barrier();
  const auto add = [i](wide w) { return wide{w.low + 1, w.high + i}; };
  lathe::atomic_update(&cells[0], add);
  lathe::atomic_update<lathe::order::seq_cst, lathe::scope::group>(&shared, add);
  old[2 * i] = lathe::atomic_exchange(&cells[2 + i], {i, ~0ul - i});
  old[2 * i + 1] = lathe::atomic_load(&cells[2 + i]);
  lathe::atomic_compare_exchange(&cells[2 + i], {i, ~0ul}, {7, 8});  // of one item only
  lathe::barrier();
  const wide group = shared;
  if (lathe::item_id().x == 0)
    lathe::atomic_update(&cells[1], [group](wide w) { return wide{w.low + group.low, w.high ^ group.high}; });
  if (i == 1) lathe::atomic_store(&cells[2 + i], {9, 10});
}
#endif
