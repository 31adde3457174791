// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures by value that are larger than what AMD's and OpenCL's launches pass.
#include <lathe/device.h>

struct Table {
  double scale;
  int values[1500];
};

LATHE_KERNEL void look_up(unsigned n, Table table, short shift, double* out) {
  const unsigned i = lathe::global_id().x;
  if (i < n) out[i] = table.scale * (table.values[7 * i % 1500] + shift);
}

LATHE_KERNEL void look_up_both(Table first, double* out, Table second) {
  const unsigned i = lathe::global_id().x;
  out[i] += first.scale * first.values[i] - second.scale * second.values[2 * i];
}

/// By value into a function of its own, and each item has a copy that it changes.
[[gnu::noinline]] double weighed(Table table, unsigned from) {
  double sum = 0;
  for (unsigned k = 0; k < 9; ++k) sum += table.values[from + k];
  table.values[from] = 0;
  return table.scale * sum;
}
LATHE_KERNEL void change(Table table, double* out) {
  const unsigned i = lathe::global_id().x;
  table.values[i] = -int(i);
  table.scale += 1;
  out[2 * i] = weighed(table, i);
  out[2 * i + 1] = table.values[i] + table.values[i + 1];
}
