// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One change of a connection's state.
#pragma once

struct Change {
  unsigned long long nanoseconds;  ///< in the state before
  int before, after;
  unsigned short family, localPort, remotePort;  ///< ports as numbers
  unsigned char local[4], remote[4];             ///< addresses of IPv4 only
};
