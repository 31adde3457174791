// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked mode: shared memory has exact bounds for each variable, is written before it is read, and without races.
//
// DEFINE: %{k} =
// DEFINE: %{launch} = --grid 1 --group 16
// DEFINE: %{run} = not %lathe run %s --checked -k %{k} %{launch}
#include <lathe/device.h>

// What is right stays without findings, in groups of one and two dimensions, static and dynamic, at both ends of levels.
// RUN: %lathe run %s --checked -k transpose --grid 2,2 --group 8,8 --arg iota:i32[256] --arg zeros:i32[256] --print out:4 | FileCheck %s --check-prefix=TRANSPOSE
// RUN: %lathe run %s --checked -O0 -k transpose --grid 2,2 --group 8,8 --arg iota:i32[256] --arg zeros:i32[256] --print out:4 | FileCheck %s --check-prefix=TRANSPOSE
// TRANSPOSE: out i32[256]: 0 16 32 48
LATHE_KERNEL void transpose(const int* in, int* out) {
  LATHE_SHARED int tile[8][9];
  const lathe::uint3 i = lathe::item_id(), g = lathe::group_id();
  tile[i.y][i.x] = in[(g.y * 8 + i.y) * 16 + g.x * 8 + i.x];
  lathe::barrier();
  out[(g.x * 8 + i.y) * 16 + g.y * 8 + i.x] = tile[i.x][i.y];
}

// RUN: %lathe run %s --checked -k reduce --shared 64 --grid 3 --group 16 --arg ones:i32[48] --arg zeros:i32[3] --print out | FileCheck %s --check-prefix=REDUCE
// REDUCE: out i32[3]: 16 16 16
LATHE_KERNEL void reduce(const int* in, int* out) {
  int* const part = lathe::dynamic_shared<int>();
  const unsigned i = lathe::item_id().x;
  part[i] = in[lathe::global_id().x];
  for (unsigned half = lathe::group_size().x / 2; half > 0; half /= 2) {
    lathe::barrier();
    if (i < half) part[i] += part[i + half];
  }
  if (i == 0) out[lathe::group_id().x] = part[0];
}

// Atomics do not race with each other; nor do neighbouring bytes.
// RUN: %lathe run %s --checked -k histogram --grid 2 --group 32 --arg iota:i32[64] --arg zeros:i32[8] --print counts | FileCheck %s --check-prefix=HISTOGRAM
// HISTOGRAM: counts i32[8]: 8 8 8 8 8 8 8 8
LATHE_KERNEL void histogram(const int* in, int* counts) {
  LATHE_SHARED int bins[8];
  LATHE_SHARED char flags[32];
  const unsigned i = lathe::item_id().x;
  flags[i] = 1;
  if (i < 8) bins[i] = 0;
  lathe::barrier();
  lathe::atomic_add(&bins[in[lathe::global_id().x] % 8], static_cast<int>(flags[31 - i]));
  lathe::barrier();
  if (i < 8) lathe::atomic_add(counts + i, bins[i]);
}

// The last item that is done goes on: a fence and an atomic order what was written before.
// RUN: %lathe run %s --checked -k last --grid 2 --group 32 --arg zeros:i32[2] --print out | FileCheck %s --check-prefix=LAST
// LAST: out i32[2]: 496 496
LATHE_KERNEL void last(int* out) {
  LATHE_SHARED int parts[32], done;
  const int i = static_cast<int>(lathe::item_id().x);
  if (i == 0) done = 0;
  lathe::barrier();
  parts[i] = i;
  lathe::fence();
  if (lathe::atomic_add(&done, 1) != 31) return;
  int sum = 0;
  for (int part : parts) sum += part;
  out[lathe::group_id().x] = sum;
}

// Copies take along what lies between fields, and bit-fields what lies beside them.
// RUN: %lathe run %s --checked -k structures --grid 1 --group 8 --arg zeros:i32[8] --print out | FileCheck %s --check-prefix=STRUCTURES
// STRUCTURES: out i32[8]: 0 3 6 9
struct Mixed {
  char tag;
  int value;
  int narrow : 5, wide : 20;
};
LATHE_KERNEL void structures(int* out) {
  LATHE_SHARED Mixed all[8];
  const int i = static_cast<int>(lathe::item_id().x);
  all[i].tag = static_cast<char>(i);
  all[i].value = i;
  all[i].narrow = i;
  all[i].wide = i;
  lathe::barrier();
  const Mixed other = all[i ^ 1];
  lathe::barrier();
  all[i ^ 1] = other;
  lathe::barrier();
  out[i] = all[i].tag + all[i].value + all[i].narrow;
}

// One past the end is the next variable.
// REDEFINE: %{k} = overflow
// RUN: %{run} --arg zeros:i32[16] 2>&1 | FileCheck %s --check-prefix=OVERFLOW --implicit-check-not=error:
LATHE_KERNEL void overflow(int* out) {
  LATHE_SHARED int first[16], second[16];
  const unsigned i = lathe::item_id().x;
  second[i] = 0;
  // OVERFLOW: shared.cpp:[[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'overflow': out-of-bounds write of 4 bytes at byte 64 of 'first', which has 64 bytes; group 0,0,0, item 15,0,0
  first[i + 1] = 1;
  if (i == 0) first[0] = 0;
  lathe::barrier();
  out[i] = first[i] + second[i];
}

// REDEFINE: %{k} = underflow
// RUN: %{run} --shared 32 --arg zeros:i32[16] 2>&1 | FileCheck %s --check-prefix=DYNAMIC
LATHE_KERNEL void underflow(int* out) {
  short* const part = lathe::dynamic_shared<short>();
  const int i = static_cast<int>(lathe::item_id().x);
  part[i] = 1;
  lathe::barrier();
  // DYNAMIC: [[# @LINE + 2]]:{{[0-9]+}}: error: kernel 'underflow': out-of-bounds read of 2 bytes at byte -2 of {{.*}}, which has 32 bytes; group 0,0,0, item 0,0,0
  // DYNAMIC: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'underflow': out-of-bounds read of 2 bytes at byte 32 of {{.*}}, which has 32 bytes; group 0,0,0, item 15,0,0
  out[i] = part[i - 1] + part[i + 1];
}

// REDEFINE: %{k} = uninitialised
// RUN: %{run} --arg zeros:i32[16] 2>&1 | FileCheck %s --check-prefix=UNINIT --implicit-check-not=error:
LATHE_KERNEL void uninitialised(int* out) {
  LATHE_SHARED int part[16];
  const unsigned i = lathe::item_id().x;
  if (i % 2 == 0) part[i] = 1;
  lathe::barrier();
  // UNINIT: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'uninitialised': uninitialised shared memory: read of 4 bytes at byte 4 of 'part', which has 64 bytes; group 0,0,0, item 1,0,0 (and 7 more)
  out[i] = part[i];
}
// What an earlier group left there is no value.
// REDEFINE: %{launch} = --grid 4 --group 16
// RUN: %{run} --arg zeros:i32[64] 2>&1 | FileCheck %s --check-prefix=UNINIT4
// UNINIT4: item 1,0,0 (and 31 more)

// Nobody ever writes.
// REDEFINE: %{k} = untouched
// REDEFINE: %{launch} = --grid 1 --group 2
// RUN: %{run} --arg zeros:f32[2] 2>&1 | FileCheck %s --check-prefix=UNTOUCHED
LATHE_KERNEL void untouched(float* out) {
  LATHE_SHARED float nothing[2];
  // UNTOUCHED: [[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'untouched': uninitialised shared memory: read of 4 bytes at byte 0 of 'nothing', which has 8 bytes
  out[lathe::item_id().x] = nothing[lathe::item_id().x];
}

// REDEFINE: %{k} = race
// REDEFINE: %{launch} = --grid 1 --group 64
// RUN: %{run} --arg zeros:i32[64] 2>&1 | FileCheck %s --check-prefix=RACE
LATHE_KERNEL void race(int* out) {
  LATHE_SHARED int part[64];
  const unsigned i = lathe::item_id().x;
  part[i] = 1;
  lathe::barrier();
  // RACE: [[# @LINE + 2]]:{{[0-9]+}}: error: kernel 'race': race in shared memory: read of 4 bytes at byte 0 of 'part', which has 256 bytes; group 0,0,0, item 1,0,0 (and 63 more)
  // RACE: [[# @LINE + 2]]:{{[0-9]+}}: note: the other is a write by item 0,0,0; nothing orders the two
  const int left = part[(i + 63) % 64];
  part[i] = left;
  lathe::barrier();
  out[i] = part[i];
}

// In two dimensions; and a write against a write.
// REDEFINE: %{k} = rows
// REDEFINE: %{launch} = --grid 1 --group 4,4
// RUN: %{run} --arg zeros:i32[16] 2>&1 | FileCheck %s --check-prefix=ROWS
LATHE_KERNEL void rows(int* out) {
  LATHE_SHARED int row[4];
  const lathe::uint3 i = lathe::item_id();
  // ROWS: [[# @LINE + 2]]:{{[0-9]+}}: error: kernel 'rows': race in shared memory: write of 4 bytes at byte 0 of 'row', which has 16 bytes; group 0,0,0, item 0,1,0 (and 11 more)
  // ROWS: [[# @LINE + 1]]:{{[0-9]+}}: note: the other is a write by item 0,0,0
  row[i.x] = static_cast<int>(i.y);
  lathe::barrier();
  out[i.y * 4 + i.x] = row[i.x];
}

// REDEFINE: %{k} = mixed
// REDEFINE: %{launch} = --grid 1 --group 8
// RUN: %{run} --arg zeros:i32[8] 2>&1 | FileCheck %s --check-prefix=MIXED
LATHE_KERNEL void mixed(int* out) {
  LATHE_SHARED int count;
  if (lathe::item_id().x == 0) count = 0;
  lathe::barrier();
  lathe::atomic_add(&count, 1);
  // MIXED: race in shared memory: {{atomic access|read}} of 4 bytes at byte 0 of 'count', which has 4 bytes
  // MIXED: note: the other is a{{.*}} by item
  out[lathe::item_id().x] = count;
}
