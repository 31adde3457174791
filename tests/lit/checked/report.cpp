// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked mode: the form of the report, its limits, and targets that have no checks.
//
// RUN: not %lathe run %s --checked -k many --grid 1 --group 1 --arg zeros:i32[1] --diagnostics json 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: "code": "check-failed"
// JSON: "line": [[# @LINE + 8]]
// RUN: not %lathe run %s --checked -k many --grid 1 --group 1 --arg zeros:i32[1] 2>&1 | FileCheck %s --check-prefix=MANY
// MANY-COUNT-16: error: kernel 'many': out-of-bounds write
// MANY-NOT: error:
// MANY: note: 4 more lines have findings
#include <lathe/device.h>

LATHE_KERNEL void many(int* data) {
  data[1] = 1;
  data[2] = 1;
  data[3] = 1;
  data[4] = 1;
  data[5] = 1;
  data[6] = 1;
  data[7] = 1;
  data[8] = 1;
  data[9] = 1;
  data[10] = 1;
  data[11] = 1;
  data[12] = 1;
  data[13] = 1;
  data[14] = 1;
  data[15] = 1;
  data[16] = 1;
  data[17] = 1;
  data[18] = 1;
  data[19] = 1;
  data[20] = 1;
}

// What is wrong without end ends.
// RUN: not %lathe run %s --checked -k endless --grid 1 --group 1 --arg zeros:i32[1] 2>&1 | FileCheck %s --check-prefix=ENDLESS
// ENDLESS: error: kernel 'endless': out-of-bounds read of 4 bytes at byte 4 of 'data', which has 4 bytes; group 0,0,0, item 0,0,0 (and 999999 more)
// ENDLESS: note: the launch was ended after 1000000 findings
LATHE_KERNEL void endless(int* data) {
  while (static_cast<volatile int*>(data)[1] == 0) {
  }
}

// An assertion that fails because of it comes behind.
// RUN: not %lathe run %s --checked -k asserted --grid 1 --group 1 --arg ones:i32[1] 2>&1 | FileCheck %s --check-prefix=ASSERTED
// ASSERTED: error: kernel 'asserted': out-of-bounds read
// ASSERTED: error: kernel 'asserted': it trapped
LATHE_KERNEL void asserted(int* data) {
  if (data[1] == 0) lathe::trap();
}

// An image keeps its checks.
// RUN: %lathe compile %s --checked -k many -o %t.limg
// RUN: not %lathe run %t.limg --grid 1 --group 1 --arg zeros:i32[1] 2>&1 | FileCheck %s --check-prefix=MANY

// RUN: not %lathe compile %s --checked -t cuda -o %t.cuda 2>&1 | FileCheck %s --check-prefix=CUDA
// CUDA: error: cuda: its runtime cannot check kernels while they run
// CUDA: hint: compile without 'checked'
// RUN: not %lathe compile %s --checked -t object -o %t.o 2>&1 | FileCheck %s --check-prefix=OBJECT
// OBJECT: error: object: its runtime cannot check kernels while they run

// RUN: %lathe compile %s --checked -k many --explain -o %t.limg | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN: options.checked {{ *}}true {{ *}}command line, --checked
