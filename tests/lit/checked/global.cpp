// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked mode: accesses outside of buffers, variables, parameters and local arrays. Each finding has its line, the
// memory's name and size, the place in it, group and item.
//
// DEFINE: %{k} =
// DEFINE: %{launch} = --grid 1 --group 16
// DEFINE: %{run} = not %lathe run %s --checked -k %{k} %{launch}
#include <lathe/device.h>

// RUN: %lathe run %s --checked -k exact --grid 2 --group 16 --arg iota:i32[32] --arg zeros:i32[32] --print out | FileCheck %s --check-prefix=EXACT
// EXACT: out i32[32]: 0 1 2
LATHE_KERNEL void exact(const int* in, int* out) {
  const unsigned i = lathe::global_id().x;
  out[i] = in[i];
}

// REDEFINE: %{k} = over
// RUN: %{run} --arg zeros:i32[16] 2>&1 | FileCheck %s --check-prefix=OVER --implicit-check-not=error:
// RUN: %{run} -O0 --arg zeros:i32[16] 2>&1 | FileCheck %s --check-prefix=OVER --implicit-check-not=error:
LATHE_KERNEL void over(int* data) {
  const unsigned i = lathe::global_id().x;
  // OVER: global.cpp:[[# @LINE + 2]]:{{[0-9]+}}: error: kernel 'over': out-of-bounds write of 4 bytes at byte 64 of 'data', which has 64 bytes; group 0,0,0, item 15,0,0
  // OVER: hint: accesses outside of memory were redirected
  data[i + 1] = 1;
}

// REDEFINE: %{k} = under
// RUN: %{run} --arg zeros:f64[16] 2>&1 | FileCheck %s --check-prefix=UNDER --implicit-check-not=error:
LATHE_KERNEL void under(double* data) {
  const int i = static_cast<int>(lathe::global_id().x);
  // UNDER: global.cpp:[[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'under': out-of-bounds read of 8 bytes at byte -8 of 'data', which has 128 bytes; group 0,0,0, item 0,0,0
  const double before = data[i - 1];
  lathe::barrier();
  data[i] = before;
}

// Half of an access outside is outside.
// REDEFINE: %{k} = across
// RUN: %{run} --arg zeros:i32[1] 2>&1 | FileCheck %s --check-prefix=ACROSS
LATHE_KERNEL void across(int* data) {
  // ACROSS: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'across': out-of-bounds write of 8 bytes at byte 0 of 'data', which has 4 bytes; group 0,0,0, item 0,0,0 (and 15 more)
  *reinterpret_cast<long*>(data) = 1;
}

// Other memory is there, but it is not this buffer's.
// REDEFINE: %{k} = neighbour
// RUN: %{run} --arg zeros:i32[16] --arg zeros:i32[16] 2>&1 | FileCheck %s --check-prefix=NEIGHBOUR --implicit-check-not=error:
LATHE_KERNEL void neighbour(int* a, int* b) {
  const long away = reinterpret_cast<long>(b) - reinterpret_cast<long>(a);
  // NEIGHBOUR: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'neighbour': out-of-bounds write of 4 bytes at byte {{-?[0-9]+}} of 'a', which has 64 bytes
  *reinterpret_cast<int*>(reinterpret_cast<char*>(a) + away) = 3;
}

// REDEFINE: %{k} = nothing
// RUN: %{run} --arg zeros:i32[0] 2>&1 | FileCheck %s --check-prefix=NULL
LATHE_KERNEL void nothing(int* data) {
  // NULL: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'nothing': out-of-bounds read of 4 bytes at byte 8 of 'data', which is null; group 0,0,0, item 0,0,0
  if (data[2] == 1) data[0] = 1;
}

// A pointer that runs through a loop keeps its base.
// REDEFINE: %{k} = walk
// RUN: %{run} --arg iota:i32[8] --arg zeros:i32[32] 2>&1 | FileCheck %s --check-prefix=WALK --implicit-check-not=error:
LATHE_KERNEL void walk(const int* from, int* to) {
  int sum = 0;
  // WALK: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'walk': out-of-bounds read of 4 bytes at byte 32 of 'from', which has 32 bytes; group 0,0,0, item 0,0,0 (and 15 more)
  for (const int* at = from; at != from + 9; ++at) sum += *at;
  to[lathe::item_id().x] = sum;
}

// Functions that are not inlined elsewhere, and those that cannot be.
[[gnu::noinline]] static void put(int* where, int value) {
  // HELPER: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'helper': out-of-bounds write of 4 bytes at byte 80 of 'data', which has 64 bytes
  *where = value;
}
// REDEFINE: %{k} = helper
// RUN: %{run} --arg zeros:i32[16] 2>&1 | FileCheck %s --check-prefix=HELPER --implicit-check-not=error:
LATHE_KERNEL void helper(int* data) {
  put(data + 20, 1);
}

static int fill(int* data, int n) {
  if (n == 0) return 0;
  // RECURSION: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'recursion': out-of-bounds write of 4 bytes at byte 64 of a buffer of 64 bytes; group 0,0,0
  data[16] = n;
  return fill(data, n - 1) + 1;
}
// REDEFINE: %{k} = recursion
// RUN: %{run} --arg zeros:i32[16] 2>&1 | FileCheck %s --check-prefix=RECURSION
LATHE_KERNEL void recursion(int* data) {
  data[lathe::item_id().x] = fill(data, data[0] + 2);
}

// REDEFINE: %{k} = atomic
// RUN: %{run} --arg zeros:i32[4] 2>&1 | FileCheck %s --check-prefix=ATOMIC
LATHE_KERNEL void atomic(int* data) {
  // ATOMIC: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'atomic': out-of-bounds atomic access of 4 bytes at byte 16 of 'data', which has 16 bytes; group 0,0,0, item 4,0,0 (and 11 more)
  lathe::atomic_add(data + lathe::item_id().x, 1);
}

struct Big {
  int values[10];
};
// REDEFINE: %{k} = copy
// RUN: %{run} --arg zeros:i32[10] --arg zeros:i32[9] 2>&1 | FileCheck %s --check-prefix=COPY --implicit-check-not=error:
LATHE_KERNEL void copy(const int* from, int* to) {
  // COPY: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'copy': out-of-bounds write of 40 bytes at byte 0 of 'to', which has 36 bytes
  *reinterpret_cast<Big*>(to) = *reinterpret_cast<const Big*>(from);
}

// Variables of the program, parameters passed by value, and variables of the item's own.
static const int table[4] = {1, 2, 3, 4};
// REDEFINE: %{k} = tables
// RUN: %{run} --arg iota:i32[16] --arg 'json:[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]' 2>&1 | FileCheck %s --check-prefix=TABLES --implicit-check-not=error:
LATHE_KERNEL void tables(int* data, Big big) {
  int own[6] = {};
  const int i = data[lathe::item_id().x];
  // TABLES: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'tables': out-of-bounds read of 4 bytes at byte 16 of 'table', which has 16 bytes; group 0,0,0, item 4,0,0 (and 11 more)
  int sum = table[i];
  // TABLES: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'tables': out-of-bounds read of 4 bytes at byte 40 of 'big', which has 40 bytes; group 0,0,0, item 10,0,0 (and 5 more)
  sum += big.values[i];
  // TABLES: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'tables': out-of-bounds write of 4 bytes at byte 24 of 'own', which has 24 bytes; group 0,0,0, item 6,0,0 (and 9 more)
  own[i] = sum;
  data[i] = own[i % 6];
}

// Every line is told of, by its first group and item, however many threads there are.
// REDEFINE: %{k} = several
// REDEFINE: %{launch} = --grid 2,3 --group 4,2
// RUN: %{run} --arg zeros:i32[1] 2>&1 | FileCheck %s --check-prefix=SEVERAL
LATHE_KERNEL void several(int* data) {
  const unsigned at = lathe::global_id().y * 8 + lathe::global_id().x;
  // SEVERAL: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'several': out-of-bounds write of 4 bytes at byte 4 of 'data', which has 4 bytes; group 0,0,0, item 1,0,0 (and 46 more)
  data[at] = 1;
  // SEVERAL: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'several': out-of-bounds write of 4 bytes at byte 128 of 'data', which has 4 bytes; group 0,2,0, item 0,0,0 (and 15 more)
  if (lathe::group_id().y == 2) data[at] = 2;
}
