// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference of integer_intrinsics.cu, bit by bit where the kernel has one instruction.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

const std::vector<int> corners = {0, 1, -1, 2, 0x7fffffff, static_cast<int>(0x80000000), 0x00ffffff, 0x01000000};
constexpr int n = 64;

std::vector<int> operands(U64 seed, std::size_t period) {
  std::vector<int> out = scrambled<int>(n, seed);
  for (std::size_t i = 0; i < corners.size() * period; ++i) out[i] = corners[i / period % corners.size()];
  return out;
}

template <class T>
T reversed(T x) {
  T out = 0;
  for (unsigned i = 0; i < sizeof(T) * 8; ++i)
    if (x >> i & 1) out |= T(1) << (sizeof(T) * 8 - 1 - i);
  return out;
}

template <class T>
int firstSet(T x) {
  return x ? std::countr_zero(x) + 1 : 0;
}

/// The upper 32 bits of high:low shifted left by `shift`, below 64.
U32 shiftedLeft(U32 low, U32 high, unsigned shift) {
  return shift == 0 ? high : static_cast<U32>((U64{high} << 32 | low) << shift >> 32);
}

U64 selectBytes(U32 x, U32 y, unsigned selector) {
  const U64 bytes = U64{y} << 32 | x;
  U64 out = 0;
  for (unsigned i = 0; i < 4; ++i) out |= (bytes >> (8 * (selector >> 4 * i & 7)) & 0xff) << 8 * i;
  return out;
}

int low24(int x) {
  return static_cast<int>(static_cast<U32>(x) << 8) >> 8;
}

__extension__ using I128 = __int128;
__extension__ using U128 = unsigned __int128;

void reference(Arguments& a, const DeviceInfo&) {
  for (int i = 0; i < n; ++i) {
    const int x = a[0].as<int>()[i], y = a[1].as<int>()[i];
    const U32 u = static_cast<U32>(x), v = static_cast<U32>(y);
    const U64 wide = U64{u} << 32 | v;
    const auto sx = std::int64_t{x}, sy = std::int64_t{y};
    const U64 row[] = {
        static_cast<U64>(std::popcount(u)),
        static_cast<U64>(std::popcount(wide)),
        static_cast<U64>(std::countl_zero(u)),
        static_cast<U64>(std::countl_zero(wide)),
        static_cast<U64>(firstSet(u)),
        static_cast<U64>(firstSet(wide)),
        reversed(u),
        reversed(wide),
        selectBytes(u, v, 0x6240),
        shiftedLeft(u, v, 13),
        static_cast<U32>((U64{v} << 32 | u) >> (45 % 32)),
        u,  // a shift of 40 is clamped to 32
        v,
        static_cast<U32>(sx * sy >> 32),
        static_cast<U32>(U64{u} * v >> 32),
        static_cast<U64>(I128{static_cast<std::int64_t>(wide)} * sy >> 64),
        static_cast<U64>(U128{wide} * wide >> 64),
        static_cast<U32>(low24(x)) * static_cast<U32>(low24(y)),
        (u & 0xffffff) * (v & 0xffffff),
        static_cast<U32>(static_cast<U64>(std::max(sx, sy) - std::min(sx, sy)) + 7),
        std::max(u, v) - std::min(u, v) + 7,
        static_cast<U32>((sx + sy) >> 1),
        static_cast<U32>((sx + sy + 1) >> 1),
        static_cast<U32>(((U64{u} + v) >> 1) + ((U64{u} + v + 1) >> 1)),
    };
    std::copy(std::begin(row), std::end(row), a[2].as<U64>() + i * 24);
  }
}

}  // namespace

std::vector<Case> cases_cuda_integer_intrinsics() {
  return {{.name = "all",
           .kernel = "integerIntrinsics",
           .launch = {.grid = {2}, .group = {32}},
           .arguments = {array(operands(1, 4)), array(operands(2, 1)), zeros<U64>(24 * n), value(n)},
           .reference = reference}};
}

}  // namespace lathe::conformance
