// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of all packets of one protocol.
#pragma once

struct Count {
  unsigned long long packets, bytes;
};
