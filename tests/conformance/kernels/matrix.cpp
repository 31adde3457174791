// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of matrices by subgroups, for each kind of element and both orders in memory.
#include <lathe/device.h>
#include <lathe/device/matrix.h>

constexpr auto by_rows = lathe::matrix_layout::rows, by_columns = lathe::matrix_layout::columns;

/// What a kernel's parameter has for an element.
template <class T>
using element = typename lathe::matrix_a<T>::element;
template <class T>
using sum_type = typename lathe::detail::matrix_element<T>::sum_type;

/// out = sums + a × b, two tiles of 16 rows for each group; `depth` elements are summed over. Strides are one more than
/// the extents, or for elements in words the word more.
template <class T, lathe::matrix_layout A, lathe::matrix_layout B, lathe::matrix_layout Sums>
LATHE_KERNEL void product(const element<T>* a, const element<T>* b, const sum_type<T>* sums, sum_type<T>* out,
                          unsigned depth) {
  constexpr unsigned rows = 32, columns = 16, more = 4 / sizeof(element<T>);
  const unsigned own = lathe::item_id().x / __lathe_subgroup_size(),
                 all = lathe::group_size().x / __lathe_subgroup_size();
  constexpr auto at = [](unsigned row, unsigned column, unsigned stride, lathe::matrix_layout layout) {
    return layout == by_rows ? row * stride + column : column * stride + row;
  };
  const unsigned stride_a = (A == by_rows ? depth : rows) + more, stride_b = (B == by_rows ? columns : depth) + more,
                 stride = (Sums == by_rows ? columns : rows) + 1;
  for (unsigned row = own * 16; row < rows; row += all * 16) {
    lathe::accumulator<sum_type<T>> total;
    total.load(sums + at(row, 0, stride, Sums), stride, Sums);
    for (unsigned k = 0; k < depth; k += lathe::matrix_a<T>::columns) {
      lathe::matrix_a<T> left;
      lathe::matrix_b<T> right;
      left.load(a + at(row, k, stride_a, A), stride_a, A);
      right.load(b + at(k, 0, stride_b, B), stride_b, B);
      lathe::multiply_add(total, left, right);
    }
    total.store(out + at(row, 0, stride, Sums), stride, Sums);
  }
}

/// Filled factors, and each element's place.
template <class T>
LATHE_KERNEL void filled(sum_type<T>* out) {
  if (lathe::item_id().x >= __lathe_subgroup_size()) return;  // one subgroup is enough
  lathe::matrix_a<T> left;
  lathe::matrix_b<T> right;
  lathe::accumulator<sum_type<T>> total;
  left.fill(static_cast<element<T>>(3));
  right.fill(static_cast<element<T>>(2));
  total.fill(1);
  lathe::multiply_add(total, left, right);
  total.each(
      [](sum_type<T>& x, unsigned row, unsigned column) { x += static_cast<sum_type<T>>(1000 * row + 10 * column); });
  total.store(out, 16);
}
