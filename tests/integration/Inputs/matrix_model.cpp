// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of matrices on AMD GPUs without a GPU and without an emulator: the target's device code is compiled for the
// host, a thread runs each lane, and matrix instructions are a scalar model of what AMD publishes ("CDNA3", "RDNA3" and
// "RDNA4 Instruction Set Architecture"; the AMD Matrix Instruction Calculator): which lane and which of its elements
// hold element i, k of A, k, j of B and i, j of C and D. Products are compared with three loops.
//
// usage: matrix_model PROCESSOR   computes on it
//        matrix_model layouts     prints the places: architecture, instruction, matrix, row, column, lane, first bit
#include <array>
#include <barrier>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <regex>
#include <string>
#include <thread>
#include <vector>

// The labels are names of LLVM's intrinsics, which are functions of this file here.
#define __asm(label)
#include "targets/amdgpu/device_matrix.h"
#undef __asm

namespace {

constexpr unsigned side = 16, mostLanes = 64;
std::string processor;
unsigned lanes = 64;
thread_local unsigned lane = 0;
std::barrier<>* together = nullptr;
bool failed = false;

void fail(const char* what) {
  if (!failed) std::printf("%s: %s\n", processor.c_str(), what);
  failed = true;
}

/// What all lanes pass to one instruction, as bytes.
struct Operands {
  std::array<std::byte, 32> a, b, c;
};
std::array<Operands, mostLanes> passed;

template <class T>
T elementOf(const std::array<std::byte, 32>& bytes, unsigned index) {
  T out;
  std::memcpy(&out, bytes.data() + index * sizeof(T), sizeof(T));
  return out;
}
struct Bfloat {
  std::uint16_t bits;
};
float number(_Float16 x) {
  return static_cast<float>(x);
}
float number(Bfloat x) {
  return std::bit_cast<float>(std::uint32_t{x.bits} << 16);
}
float number(float x) {
  return x;
}
std::int32_t number(std::int8_t x) {
  return x;
}
std::int32_t number(std::uint8_t x) {
  return x;
}

/// The places of elements. Of a line of A or B the lanes that share it, 16 apart, hold `depth` neighbours along k in
/// turn.
struct Layout {
  unsigned k;        ///< of the instruction
  unsigned depth;    ///< neighbours
  unsigned sharing;  ///< lanes that share a line; 1: both halves of the wave hold all of it (RDNA 3)
  bool interleaved;  ///< rows of D alternate between the halves of a wave (RDNA 3); else a lane has neighbours
};

/// A lane, and an element of what it holds.
struct Place {
  unsigned lane, at;
};
/// The place of element k of a line of A or B; of a doubled one in the lower half of the wave.
constexpr Place placeOfFactor(Layout layout, unsigned line, unsigned k) {
  const unsigned turn = k / layout.depth;
  return {turn % layout.sharing * side + line, turn / layout.sharing * layout.depth + k % layout.depth};
}
/// The place of an element of C or D, of which a lane holds `held`.
constexpr Place placeOfSum(Layout layout, unsigned held, unsigned i, unsigned j) {
  return layout.interleaved ? Place{i % 2 * side + j, i / 2} : Place{i / held * side + j, i % held};
}

/// D = A × B + C by the published places, for this lane.
template <class Element, class Sum, class Sums, class Factor>
Sums model(Layout layout, Factor a, Factor b, Sums c) {
  Operands& own = passed[lane];
  std::memcpy(own.a.data(), &a, sizeof(a));
  std::memcpy(own.b.data(), &b, sizeof(b));
  std::memcpy(own.c.data(), &c, sizeof(c));
  together->arrive_and_wait();
  const unsigned held = side * side / lanes, j = lane % side;
  Sums out = c;
  for (unsigned i = 0; i < side; ++i) {
    const Place sums = placeOfSum(layout, held, i, j);
    if (sums.lane != lane) continue;
    Sum sum = c[sums.at];
    for (unsigned k = 0; k < layout.k; ++k) {
      const Place left = placeOfFactor(layout, i, k), right = placeOfFactor(layout, j, k);
      sum += number(elementOf<Element>(passed[left.lane].a, left.at)) *
             number(elementOf<Element>(passed[right.lane].b, right.at));
    }
    if (layout.sharing == 1) {
      const bool same = std::memcmp(passed[i].a.data(), passed[side + i].a.data(), sizeof(a)) == 0 &&
                        std::memcmp(passed[j].b.data(), passed[side + j].b.data(), sizeof(b)) == 0;
      if (!same) fail("the halves of the wave pass different lines");
    }
    out[sums.at] = sum;
  }
  together->arrive_and_wait();
  return out;
}

constexpr Layout mfma(unsigned k) {
  return {k, k / 4, 4, false};
}
constexpr Layout rdna3 = {16, 16, 1, true}, rdna4 = {16, 4, 2, false}, rdna4Bytes = {16, 8, 2, false};

}  // namespace

using namespace lathe_amdgpu;
extern "C" {
Floats4 lathe_amdgpu_mfma_f16(Halves4 a, Halves4 b, Floats4 c, int, int, int) {
  return model<_Float16, float>(mfma(16), a, b, c);
}
Floats4 lathe_amdgpu_mfma_bf16(Shorts4 a, Shorts4 b, Floats4 c, int, int, int) {
  return model<Bfloat, float>(mfma(16), a, b, c);
}
Floats4 lathe_amdgpu_mfma_f32(float a, float b, Floats4 c, int, int, int) {
  return model<float, float>(mfma(4), a, b, c);
}
Ints4 lathe_amdgpu_mfma_i8(int a, int b, Ints4 c, int, int, int) {
  return model<std::int8_t, std::int32_t>(mfma(16), a, b, c);
}
Ints4 lathe_amdgpu_mfma_i8_deep(long a, long b, Ints4 c, int, int, int) {
  return model<std::int8_t, std::int32_t>(mfma(32), a, b, c);
}
Floats8 lathe_amdgpu_wmma_f16_doubled(Halves16 a, Halves16 b, Floats8 c) {
  return model<_Float16, float>(rdna3, a, b, c);
}
Floats8 lathe_amdgpu_wmma_bf16_doubled(Shorts16 a, Shorts16 b, Floats8 c) {
  return model<Bfloat, float>(rdna3, a, b, c);
}
Floats8 lathe_amdgpu_wmma_f16(Halves8 a, Halves8 b, Floats8 c) {
  return model<_Float16, float>(rdna4, a, b, c);
}
Floats8 lathe_amdgpu_wmma_bf16(Shorts8 a, Shorts8 b, Floats8 c) {
  return model<Bfloat, float>(rdna4, a, b, c);
}
Ints8 lathe_amdgpu_wmma_i8_doubled(bool isSigned, Ints4 a, bool, Ints4 b, Ints8 c, bool) {
  return isSigned ? model<std::int8_t, std::int32_t>(rdna3, a, b, c)
                  : model<std::uint8_t, std::int32_t>(rdna3, a, b, c);
}
Ints8 lathe_amdgpu_wmma_i8(bool isSigned, Ints2 a, bool, Ints2 b, Ints8 c, bool) {
  return isSigned ? model<std::int8_t, std::int32_t>(rdna4Bytes, a, b, c)
                  : model<std::uint8_t, std::int32_t>(rdna4Bytes, a, b, c);
}

unsigned __lathe_target_is(const void* given) {
  std::string pattern = static_cast<const char*>(given);
  if (const auto colon = pattern.find(':'); colon != std::string::npos) pattern = pattern.substr(colon + 1);
  return std::regex_match(processor, std::regex(pattern)) ? 1 : 0;
}
unsigned __lathe_subgroup_item_id() {
  return lane;
}
unsigned __lathe_subgroup_size() {
  return lanes;
}
unsigned __lathe_shuffle_i32(unsigned long long, unsigned value, unsigned from, unsigned) {
  static std::array<unsigned, mostLanes> values;
  values[lane] = value;
  together->arrive_and_wait();
  const unsigned out = values[from % lanes];
  together->arrive_and_wait();
  return out;
}
unsigned __lathe_shuffle_xor_i32(unsigned long long mask, unsigned value, unsigned distance, unsigned size) {
  return __lathe_shuffle_i32(mask, value, lane ^ distance, size);
}
}

namespace {

using Multiply = unsigned long long (*)(unsigned long long, unsigned long long, unsigned long long, unsigned long long,
                                        unsigned long long, unsigned long long, unsigned long long, unsigned long long,
                                        unsigned);

/// Products of elements of a kind, whose numbers are small enough for every order of sums.
template <class Element, class Sum>
void check(const char* name, Multiply multiply, int least, int most) {
  constexpr unsigned inWord = 4 / sizeof(Element), depth = 8 * inWord;
  std::mt19937 random(7);
  std::uniform_int_distribution<int> numbers(least, most);
  std::array<std::array<Element, depth>, side> a, b;  // of B the columns
  std::array<std::array<Sum, side>, side> c, d;
  const auto fill = [&](auto& lines) {
    for (auto& line : lines)
      for (auto& one : line) {
        const int value = numbers(random);
        if constexpr (std::is_same_v<Element, Bfloat> && sizeof(one) == 2)
          one = Bfloat{static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16)};
        else
          one = static_cast<std::remove_reference_t<decltype(one)>>(value);
      }
  };
  fill(a);
  fill(b);
  fill(c);
  const auto wordOf = [&](const auto& lines, unsigned line, unsigned word) {
    std::uint32_t out;
    std::memcpy(&out, lines[line].data() + word * inWord, sizeof(out));
    return out;
  };
  std::vector<std::thread> wave;
  for (unsigned number_ = 0; number_ < lanes; ++number_) {
    wave.emplace_back([&, number_] {
      lane = number_;
      std::array<std::uint32_t, 4> left{}, right{};
      std::array<std::uint32_t, 8> sums{};
      for (unsigned place = 0; place < 128 / lanes; ++place) {
        left[place] = wordOf(a, __lathe_matrix_row(0, place), __lathe_matrix_column(0, place));
        right[place] = wordOf(b, __lathe_matrix_column(1, place), __lathe_matrix_row(1, place));
      }
      for (unsigned place = 0; place < 256 / lanes; ++place)
        sums[place] = std::bit_cast<std::uint32_t>(c[__lathe_matrix_row(2, place)][__lathe_matrix_column(2, place)]);
      const auto pair = [](const auto& words, unsigned at) {
        return static_cast<unsigned long long>(words[at + 1]) << 32 | words[at];
      };
      for (unsigned half = 0; half < 128 / lanes; ++half) {
        const unsigned long long out = multiply(pair(left, 0), pair(left, 2), pair(right, 0), pair(right, 2),
                                                pair(sums, 0), pair(sums, 2), pair(sums, 4), pair(sums, 6), half);
        for (unsigned i = 0; i < 2; ++i)
          d[__lathe_matrix_row(2, 2 * half + i)][__lathe_matrix_column(2, 2 * half + i)] =
              std::bit_cast<Sum>(static_cast<std::uint32_t>(out >> 32 * i));
      }
    });
  }
  for (std::thread& one : wave) one.join();
  for (unsigned i = 0; i < side; ++i) {
    for (unsigned j = 0; j < side; ++j) {
      Sum sum = c[i][j];
      for (unsigned k = 0; k < depth; ++k) sum += number(a[i][k]) * number(b[j][k]);
      if (sum != d[i][j]) fail((std::string(name) + ": an element differs").c_str());
    }
  }
  std::printf("%s on %s: %s\n", name, processor.c_str(), failed ? "wrong" : "as three loops");
}

/// What the instructions hold where, for a comparison with the calculator's tables.
void printLayouts() {
  struct Named {
    const char *arch, *name;
    Layout layout;
    unsigned bits, lanes;
  };
  constexpr Named all[] = {
      {"cdna3", "v_mfma_f32_16x16x16_f16", mfma(16), 16, 64}, {"cdna3", "v_mfma_f32_16x16x16_bf16", mfma(16), 16, 64},
      {"cdna3", "v_mfma_f32_16x16x4_f32", mfma(4), 32, 64},   {"cdna3", "v_mfma_i32_16x16x32_i8", mfma(32), 8, 64},
      {"cdna2", "v_mfma_f32_16x16x16f16", mfma(16), 16, 64},  {"cdna2", "v_mfma_f32_16x16x16bf16_1k", mfma(16), 16, 64},
      {"cdna2", "v_mfma_f32_16x16x4f32", mfma(4), 32, 64},    {"cdna2", "v_mfma_i32_16x16x16i8", mfma(16), 8, 64},
      {"rdna3", "v_wmma_f32_16x16x16_f16", rdna3, 16, 32},    {"rdna3", "v_wmma_f32_16x16x16_bf16", rdna3, 16, 32},
      {"rdna3", "v_wmma_i32_16x16x16_iu8", rdna3, 8, 32},     {"rdna4", "v_wmma_f32_16x16x16_f16", rdna4, 16, 32},
      {"rdna4", "v_wmma_f32_16x16x16_bf16", rdna4, 16, 32},   {"rdna4", "v_wmma_i32_16x16x16_iu8", rdna4Bytes, 8, 32}};
  for (const Named& one : all) {
    const auto print = [&](char matrix, unsigned row, unsigned column, Place place, unsigned bits) {
      std::printf("%s %s %c %u %u %u %u\n", one.arch, one.name, matrix, row, column, place.lane, place.at * bits);
    };
    for (unsigned line = 0; line < side; ++line) {
      for (unsigned k = 0; k < one.layout.k; ++k) {
        const Place place = placeOfFactor(one.layout, line, k);
        print('A', line, k, place, one.bits);
        print('B', k, line, place, one.bits);
        if (one.layout.sharing != 1) continue;
        print('A', line, k, {place.lane + side, place.at}, one.bits);
        print('B', k, line, {place.lane + side, place.at}, one.bits);
      }
      for (unsigned j = 0; j < side; ++j)
        print('D', line, j, placeOfSum(one.layout, side * side / one.lanes, line, j), 32);
    }
  }
}

}  // namespace

int main(int, char** arguments) {
  processor = arguments[1];
  if (processor == "layouts") return printLayouts(), 0;
  lanes = hasMfma() ? 64 : 32;
  if (!hasInstructions()) return fail("has no matrix instructions"), 1;
  std::barrier<> wave(lanes);
  together = &wave;
  check<_Float16, float>("f16", __lathe_matrix_multiply_f16, -9, 9);
  check<Bfloat, float>("bf16", __lathe_matrix_multiply_bf16, -9, 9);
  check<float, float>("tf32", __lathe_matrix_multiply_tf32, -9, 9);
  check<std::int8_t, std::int32_t>("s8", __lathe_matrix_multiply_s8, -128, 127);
  check<std::uint8_t, std::int32_t>("u8", __lathe_matrix_multiply_u8, 0, 255);
  return failed ? 1 : 0;
}
