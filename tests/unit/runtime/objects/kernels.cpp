// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Group entries such as work-group lowering makes, written by hand: each runs all items of its groups, or is launched
// for one group only. Together they use
// what the loader must get right: far functions, constants with and without addresses, jump tables, variables.
#include "core/group/entry/group_entry.h"

using lathe::abi::GroupLaunch;

extern "C" {

float sinf(float) noexcept;
void* memcpy(void*, const void*, decltype(sizeof(0))) noexcept;

struct SaxpyParameters {
  unsigned n;
  float a;
  const float* x;
  float* y;
};
void saxpy(const void* raw, const GroupLaunch* launch) {
  const auto p = *static_cast<const SaxpyParameters*>(raw);
  const unsigned first = launch->groupId[0] * launch->groupSize[0];
  for (unsigned item = 0; item < launch->groupSize[0] * launch->groups; ++item) {
    const unsigned i = first + item;
    if (i < p.n) p.y[i] += p.a * p.x[i];
  }
}

struct SineParameters {
  unsigned n;
  const float* in;
  float* out;
};
void sine(const void* raw, const GroupLaunch*) {
  const auto p = *static_cast<const SineParameters*>(raw);
  for (unsigned i = 0; i < p.n; ++i) p.out[i] = sinf(p.in[i]);
}

struct CopyParameters {
  const char* from;
  char* to;
  unsigned long bytes;
};
void copy(const void* raw, const GroupLaunch*) {
  const auto p = *static_cast<const CopyParameters*>(raw);
  memcpy(p.to, p.from, p.bytes);
}

// A table of addresses: relocations in constant data.
static const int ones[] = {1, 11, 111}, twos[] = {2, 22, 222};
static const int* const tables[] = {ones, twos};
static int triple(int x) {
  return 3 * x;
}
static int negate(int x) {
  return -x;
}
static int (*const functions[])(int) = {triple, negate};

struct LookUpParameters {
  unsigned table, index;
  int* out;
};
void lookUp(const void* raw, const GroupLaunch*) {
  const auto p = *static_cast<const LookUpParameters*>(raw);
  *p.out = functions[p.index & 1](tables[p.table][p.index]);
}

// A dense switch with unlike cases: a jump table.
struct SwitchParameters {
  unsigned which;
  float x;
  float* out;
};
void choose(const void* raw, const GroupLaunch*) {
  const auto p = *static_cast<const SwitchParameters*>(raw);
  switch (p.which) {
    case 0:
      *p.out = p.x + 1;
      break;
    case 1:
      *p.out = p.x * p.x;
      break;
    case 2:
      *p.out = sinf(p.x);
      break;
    case 3:
      *p.out = -p.x;
      break;
    case 4:
      *p.out = p.x / 3;
      break;
    case 5:
      p.out[1] = p.x;
      break;
    default:
      *p.out = 0;
  }
}

// Variables the host may reach, with and without a first value.
int counter = 40;
int zeroed[64];
struct CountParameters {
  int* out;
};
void count(const void* raw, const GroupLaunch*) {
  *static_cast<const CountParameters*>(raw)->out = ++counter + zeroed[3];
}

// What each group is told, by linear group index.
struct GroupFacts {
  unsigned id[3], size[3], count[3], dynamicBytes;
};
struct DescribeParameters {
  GroupFacts* facts;
  unsigned* visits;
};
void describe(const void* raw, const GroupLaunch* launch) {
  const auto p = *static_cast<const DescribeParameters*>(raw);
  const unsigned* const id = launch->groupId;
  const unsigned first = (id[2] * launch->groupCount[1] + id[1]) * launch->groupCount[0] + id[0];
  for (unsigned group = 0; group < launch->groups; ++group) {
    GroupFacts& facts = p.facts[first + group];
    for (int i = 0; i < 3; ++i) {
      facts.id[i] = id[i] + (i == 0 ? group : 0);
      facts.size[i] = launch->groupSize[i];
      facts.count[i] = launch->groupCount[i];
    }
    facts.dynamicBytes = launch->dynamicSharedBytes;
    __atomic_fetch_add(&p.visits[first + group], 1u, __ATOMIC_RELAXED);
  }
}

// Writes all of its blocks, then reads them back: groups that shared a block would disturb each other.
struct BlocksParameters {
  unsigned long staticBytes, contextBytes;
  unsigned* wrong;
};
void blocks(const void* raw, const GroupLaunch* launch) {
  const auto p = *static_cast<const BlocksParameters*>(raw);
  constexpr unsigned long align = lathe::abi::groupBlockAlign;
  auto* const shared = static_cast<unsigned char*>(launch->shared);
  auto* const context = static_cast<unsigned char*>(launch->context);
  const unsigned long sharedBytes = (p.staticBytes + align - 1) / align * align + launch->dynamicSharedBytes;
  const unsigned long contextBytes = p.contextBytes * lathe::abi::paddedItems(launch->groupSize[0]);
  const auto mark = static_cast<unsigned char>(launch->groupId[0] * 7 + 1);
  unsigned wrong = (reinterpret_cast<unsigned long>(shared) | reinterpret_cast<unsigned long>(context)) % align != 0;
  for (unsigned long i = 0; i < sharedBytes; ++i) shared[i] = mark;
  for (unsigned long i = 0; i < contextBytes; ++i) context[i] = static_cast<unsigned char>(mark + 1);
  for (unsigned long i = 0; i < sharedBytes; ++i) wrong += shared[i] != mark;
  for (unsigned long i = 0; i < contextBytes; ++i) wrong += context[i] != static_cast<unsigned char>(mark + 1);
  __atomic_fetch_add(p.wrong, wrong, __ATOMIC_RELAXED);
}

// Half precision: a call of the compiler's own library on processors without the instruction.
struct HalfParameters {
  float x;
  float* out;
};
void roundToHalf(const void* raw, const GroupLaunch*) {
  const auto p = *static_cast<const HalfParameters*>(raw);
  *p.out = static_cast<float>(static_cast<_Float16>(p.x));
}

// Adds one after a while, so that streams have something to overtake.
struct SlowParameters {
  volatile unsigned* value;
  unsigned rounds, factor;
};
void slow(const void* raw, const GroupLaunch*) {
  const auto p = *static_cast<const SlowParameters*>(raw);
  unsigned value = *p.value;
  for (volatile unsigned i = 0; i < p.rounds; i = i + 1) {
  }
  *p.value = value * p.factor + 1;
}
}
