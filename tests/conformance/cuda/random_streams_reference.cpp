// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of random_streams.cu. Jumps are powers of the matrices of one step, by squaring, where the kernels'
// headers have polynomials: of 160 bits over GF(2) for XORWOW (Marsaglia, "Xorshift RNGs", 2003), of three numbers for
// each of MRG32k3a's components (L'Ecuyer, 1999). Lengths of subsequences are those of cuRAND's guide.
#include <array>

#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

constexpr std::uint64_t seed = 0x1234567890abcdefULL;
const std::vector<std::uint64_t> jumps = {
    0, 1, 1001, 0xffffffffff, 77, 0x3ffffffff, ~0ULL, 123456789012345, 5, 0xfedcba9876543210};
constexpr std::size_t n = 8;

struct Xorwow {
  using Bits = std::array<std::uint32_t, 5>;
  Bits x;
  std::uint32_t d;

  explicit Xorwow(std::uint64_t from) {
    const std::uint32_t t0 = 1099087573U * (static_cast<std::uint32_t>(from) ^ 0xaad26b49U);
    const std::uint32_t t1 = 2591861531U * (static_cast<std::uint32_t>(from >> 32) ^ 0xf7dcefddU);
    x = {123456789U + t0, 362436069U ^ t0, 521288629U + t1, 88675123U ^ t1, 5783321U + t0};
    d = 6615241U + t1 + t0;
  }
  static Bits stepped(const Bits& x) {
    const std::uint32_t t = x[0] ^ x[0] >> 2;
    return {x[1], x[2], x[3], x[4], (x[4] ^ x[4] << 4) ^ (t ^ t << 1)};
  }
  std::uint32_t next() {
    x = stepped(x);
    return x[4] + (d += 362437);
  }
  using Matrix = std::array<Bits, 160>;  ///< the images of single bits
  static Bits applied(const Matrix& m, const Bits& x) {
    Bits out = {};
    for (std::size_t i = 0; i < 160; ++i)
      if (x[i / 32] >> i % 32 & 1)
        for (std::size_t k = 0; k < 5; ++k) out[k] ^= m[i][k];
    return out;
  }
  /// The matrices of 2^k steps.
  static const std::vector<Matrix>& powers() {
    static const std::vector<Matrix> all = [] {
      std::vector<Matrix> out(131);
      for (std::size_t i = 0; i < 160; ++i) {
        Bits one = {};
        one[i / 32] = 1U << i % 32;
        out[0][i] = stepped(one);
      }
      for (std::size_t k = 1; k < out.size(); ++k)
        for (std::size_t i = 0; i < 160; ++i) out[k][i] = applied(out[k - 1], out[k - 1][i]);
      return out;
    }();
    return all;
  }
  void skip(std::uint64_t count, std::size_t doublings) {
    if (doublings == 0) d += 362437U * static_cast<std::uint32_t>(count);
    for (std::size_t k = doublings; count != 0; ++k, count >>= 1)
      if (count & 1) x = applied(powers()[k], x);
  }
};

/// A component of MRG32k3a, the oldest of its numbers first.
struct Component {
  using Row = std::array<std::uint64_t, 3>;
  using Matrix = std::array<Row, 3>;
  std::uint64_t modulus;
  Matrix step;
  Row x;

  [[nodiscard]] Row applied(const Matrix& m, const Row& v) const {
    Row out = {};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) out[i] = (out[i] + m[i][k] * v[k] % modulus) % modulus;
    return out;
  }
  [[nodiscard]] Matrix squared(const Matrix& m) const {
    Matrix out = {};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        for (std::size_t k = 0; k < 3; ++k) out[i][j] = (out[i][j] + m[i][k] * m[k][j] % modulus) % modulus;
    return out;
  }
  void skip(std::uint64_t count, int doublings) {
    Matrix power = step;
    for (; doublings > 0; --doublings) power = squared(power);
    for (; count != 0; count >>= 1, power = squared(power))
      if (count & 1) x = applied(power, x);
  }
};
struct Mrg {
  static constexpr std::uint64_t m1 = 4294967087, m2 = 4294944443;
  Component a{m1, {{{0, 1, 0}, {0, 0, 1}, {m1 - 810728, 1403580, 0}}}, {12345, 12345, 12345}};
  Component b{m2, {{{0, 1, 0}, {0, 0, 1}, {m2 - 1370589, 0, 527612}}}, {12345, 12345, 12345}};

  explicit Mrg(std::uint64_t from) {
    if (from == 0) return;
    const std::uint64_t low = (from & 0xffffffff) ^ 0x55555555, high = from >> 32 ^ 0xaaaaaaaa;
    a.x = {low * 12345 % m1, high * 12345 % m1, low * 12345 % m1};
    b.x = {high * 12345 % m2, low * 12345 % m2, high * 12345 % m2};
  }
  void skip(std::uint64_t count, int doublings) {
    a.skip(count, doublings);
    b.skip(count, doublings);
  }
  std::uint64_t whole() {
    skip(1, 0);
    return a.x[2] > b.x[2] ? a.x[2] - b.x[2] : a.x[2] + m1 - b.x[2];
  }
  std::uint32_t next() { return static_cast<std::uint32_t>(static_cast<double>(whole()) * 1.000000048662); }
};

void xorwow(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t* const out = a[2].as<std::uint32_t>() + 4 * i;
    Xorwow s(seed * i);
    s.skip(jumps[i], 67);
    s.skip(jumps[i + 1], 0);
    out[0] = s.next();
    out[1] = s.next();
    s.skip(jumps[i + 2], 67);
    out[2] = s.next();
    s.skip(jumps[i], 0);
    out[3] = s.next();
  }
}
void mrg32k3a(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t* const out = a[2].as<std::uint32_t>() + 6 * i;
    Mrg s(seed * i);
    s.skip(jumps[i] >> 13, 76);
    s.skip(jumps[i + 1], 0);
    out[0] = s.next();
    out[1] = s.next();
    s.skip(jumps[i + 2], 127);
    out[2] = s.next();
    s.skip(jumps[i + 1] >> 13, 76);
    out[3] = s.next();
    s.skip(jumps[i], 0);
    out[4] = s.next();
    out[5] = static_cast<std::uint32_t>(s.whole());
  }
}
void counters(Arguments& a, const DeviceInfo&) {
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t low = (jumps[i + 1] >> 1) + 1, high = jumps[i] + jumps[i + 2];
    const std::array<std::uint64_t, 4> counter = {low, low >> 32, high, high >> 32};
    for (std::size_t k = 0; k < 4; ++k) a[1].as<std::uint32_t>()[4 * i + k] = static_cast<std::uint32_t>(counter[k]);
  }
}
/// One word after the other, as Saito and Matsumoto define the sequence (section 2).
void twister(Arguments& a, const DeviceInfo&) {
  std::vector<std::uint32_t> x(a[0].as<std::uint32_t>(), a[0].as<std::uint32_t>() + 351);
  const std::uint32_t* const set = a[1].as<std::uint32_t>();
  for (std::size_t i = 0; i < std::size_t{64} * 22; ++i) {
    std::uint32_t word = (x[i] & set[3]) ^ x[i + 1];
    word ^= word << set[1];
    const std::uint32_t y = word ^ x[i + set[0]] >> set[2];
    const std::uint32_t fresh = y ^ set[4 + (y & 15)];
    std::uint32_t t = x[i + set[0] - 1];
    t ^= t >> 16;
    t ^= t >> 8;
    x.push_back(fresh);
    const std::uint32_t out = fresh ^ set[20 + (t & 15)];
    const float uniform = static_cast<float>(out) * 0x1p-32F + 0x1p-33F;
    a[4].as<std::uint32_t>()[i] = i < std::size_t{64} * 21 ? out : static_cast<std::uint32_t>(uniform * 1048576.0F);
  }
}

}  // namespace

std::vector<Case> cases_cuda_random_streams() {
  std::vector<std::uint32_t> set = {84, 12, 4, 0xfff80000};
  for (std::uint32_t k = 0; k < 32; ++k) set.push_back(k * 0x9e3779b9);
  return {{.name = "xorwow",
           .kernel = "xorwow",
           .launch = {.group = {n}},
           .arguments = {value(seed), array(jumps), zeros<std::uint32_t>(4 * n)},
           .reference = xorwow},
          {.name = "mrg32k3a",
           .kernel = "mrg32k3a",
           .launch = {.group = {n}},
           .arguments = {value(seed), array(jumps), zeros<std::uint32_t>(6 * n)},
           .reference = mrg32k3a},
          {.name = "counters",
           .kernel = "counters",
           .launch = {.group = {n}},
           .arguments = {array(jumps), zeros<std::uint32_t>(4 * n)},
           .reference = counters},
          {.name = "twister",
           .kernel = "twister",
           .launch = {.group = {64}},
           .arguments = {counting<std::uint32_t>(351, 0x9e3779b1, 12345), array(set), zeros<std::uint32_t>(11000),
                         zeros<std::uint32_t>(1100), zeros<std::uint32_t>(64 * 22)},
           .reference = twister,
           // The state and its parameters hold an address.
           .normalise = [](Arguments& a) {
             std::fill_n(a[2].as<std::uint32_t>(), 11000, 0U);
             std::fill_n(a[3].as<std::uint32_t>(), 1100, 0U);
           }}};
}

}  // namespace lathe::conformance
