// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Group entries that crash. The test looks for the lines by the comments at their ends.
#include "core/group/entry/group_entry.h"

using lathe::abi::GroupLaunch;

extern "C" {

struct PokeParameters {
  int* address;
  unsigned group;
};
static int before = 1;

void poke(const void* raw, const GroupLaunch* launch) {
  const auto p = *static_cast<const PokeParameters*>(raw);
  for (unsigned group = 0; group < launch->groups; ++group) {
    if (launch->groupId[0] + group != p.group) continue;
    before += 1;
    *p.address = before;  // poke crashes here
    before += 2;
  }
}

struct DivideParameters {
  int* number;
};
__attribute__((noinline)) static int divide(int a, volatile int* b) {
  return a / *b;  // divide crashes here
}
void quotient(const void* raw, const GroupLaunch*) {
  const auto p = *static_cast<const DivideParameters*>(raw);
  *p.number = divide(7, p.number);
}

__attribute__((noinline)) static int deeper(int depth, volatile int* sum) {
  volatile char room[4096];
  room[depth % 4096] = 1;
  *sum = *sum + depth;
  return depth < 0 ? 0 : deeper(depth + 1, sum) + room[0];
}
void overflow(const void* raw, const GroupLaunch*) {
  const auto p = *static_cast<const DivideParameters*>(raw);
  *p.number = deeper(1, p.number);
}

/// For the host to call.
int load(const int* address) {
  return *address;  // load crashes here
}
}
