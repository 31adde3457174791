// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of all calls of one number.
#pragma once

struct Calls {
  unsigned long long count, nanoseconds;
};
