// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked mode: barriers of the group that not all of its items reach.
//
// DEFINE: %{k} =
// DEFINE: %{launch} = --grid 2 --group 8
// DEFINE: %{run} = not %lathe run %s --checked -k %{k} %{launch}
#include <lathe/device.h>

// Where all items of a group choose alike, barriers may stand in branches and loops.
// RUN: %lathe run %s --checked -k alike --grid 2 --group 8 --arg zeros:i32[16] --print data | FileCheck %s --check-prefix=ALIKE
// ALIKE: data i32[16]: 7 6
LATHE_KERNEL void alike(int* data) {
  LATHE_SHARED int part[8];
  const unsigned i = lathe::item_id().x;
  part[i] = static_cast<int>(i);
  for (unsigned turn = 0; turn < 3 + lathe::group_id().x; ++turn) {
    if (turn % 2 == 0) {
      lathe::barrier();
      const int other = part[7 - i];
      lathe::barrier();
      part[i] = other;
    }
  }
  lathe::barrier();
  data[lathe::global_id().x] = lathe::group_id().x == 0 ? 7 - static_cast<int>(i) : part[i];
}

// REDEFINE: %{k} = conditional
// RUN: %{run} --arg zeros:i32[16] 2>&1 | FileCheck %s --check-prefix=CONDITIONAL --implicit-check-not=error:
// RUN: %{run} -O0 --arg zeros:i32[16] 2>&1 | FileCheck %s --check-prefix=CONDITIONAL --implicit-check-not=error:
LATHE_KERNEL void conditional(int* data) {
  // CONDITIONAL: barriers.cpp:[[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'conditional': barrier that not all items reach: 4 of 8 items of group 0,0,0 do, item 4,0,0 does not (and 1 more)
  if (lathe::item_id().x < 4) lathe::barrier();
  data[lathe::global_id().x] = 1;
}

// REDEFINE: %{k} = early
// RUN: %{run} --arg zeros:i32[16] 2>&1 | FileCheck %s --check-prefix=EARLY --implicit-check-not=error:
LATHE_KERNEL void early(int* data) {
  if (lathe::global_id().x >= 13) return;
  // EARLY: barriers.cpp:[[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'early': barrier that not all items reach: 5 of 8 items of group 1,0,0 do, item 5,0,0 does not
  lathe::barrier();
  data[lathe::global_id().x] = 1;
}

// REDEFINE: %{k} = apart
// RUN: %{run} --arg zeros:i32[16] 2>&1 | FileCheck %s --check-prefix=APART --implicit-check-not=error:
LATHE_KERNEL void apart(int* data) {
  if (lathe::item_id().x % 2 == 0) {
    data[lathe::global_id().x] = 1;
    // APART: barriers.cpp:[[# @LINE + 2]]:{{[0-9]+}}: error: kernel 'apart': barrier that not all items reach: group 0,0,0, item {{[01]}},0,0 waits here, item {{[01]}},0,0 of the group at another one
    // APART: barriers.cpp:[[# @LINE + 4]]:{{[0-9]+}}: note: where item
    lathe::barrier();
  } else {
    data[lathe::global_id().x] = 2;
    lathe::barrier();
  }
}

// In a loop that items leave at different times.
// REDEFINE: %{k} = turns
// RUN: %{run} --arg zeros:i32[16] 2>&1 | FileCheck %s --check-prefix=TURNS
LATHE_KERNEL void turns(int* data) {
  // TURNS: barriers.cpp:[[# @LINE + 1]]:{{[0-9]+}}: error: kernel 'turns': barrier that not all items reach: 7 of 8 items of group 0,0,0 do, item 0,0,0 does not
  for (unsigned turn = 0; turn < lathe::item_id().x; ++turn) lathe::barrier();
  data[lathe::global_id().x] = 1;
}
