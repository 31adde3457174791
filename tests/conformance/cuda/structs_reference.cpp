// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// References of structs.cu.
#include "tests/conformance/suite/case.h"

namespace lathe::conformance {
namespace {

struct Complex {
  float re, im;
};
struct View {
  char tag;
  Complex origin;
  double step;
  int size[2];
};
struct Scale {
  float by;
};

constexpr int width = 20, height = 12, limit = 30;

/// The origin and the step are multiples of 1/8, but the iteration rounds: fused or not, the last steps may differ
/// where |z|² is next to 4, so the reference takes points that are far from it.
int steps(float cre, float cim) {
  double re = 0, im = 0;
  int k = 0;
  for (; k < limit && re * re + im * im < 4; ++k) {
    const double next = re * re - im * im + static_cast<double>(cre);
    im = 2 * re * im + static_cast<double>(cim);
    re = next;
  }
  return k;
}

void escapeTimes(Arguments& a, const DeviceInfo&) {
  const View& view = *a[0].as<View>();
  const float step = static_cast<float>(view.step);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      a[2].as<int>()[y * width + x] =
          steps(view.origin.re + static_cast<float>(x) * step, view.origin.im + static_cast<float>(y) * step);
}

__extension__ using I128 = __int128;
struct Wide {
  unsigned first;
  I128 number;
  unsigned last[5];
};
constexpr unsigned wideItems = 8;
const Wide wideTable[2] = {{1, -2, {3, 4, 5, 6, 7}}, {8, 9, {10, 11, 12, 13, 14}}};

Wide wide(unsigned seed) {
  Wide out{};
  out.first = seed;
  out.number = (I128{-7} << 66) + seed;
  for (unsigned i = 0; i < 5; ++i) out.last[i] = 100 * seed + i;
  return out;
}

std::vector<Wide> manyWide() {
  std::vector<Wide> out;
  for (unsigned i = 0; i < wideItems; ++i) out.push_back(wide(10 + i));
  return out;
}

void wideFields(Arguments& a, const DeviceInfo&) {
  Wide shared[wideItems];
  for (unsigned item = 0; item < wideItems; ++item) {
    Wide local[2] = {*a[0].as<Wide>(), a[1].as<Wide>()[item]};
    local[item & 1].number += local[~item & 1].number << 40;
    shared[item] = local[item & 1];
    shared[item].first += wideTable[item & 1].last[item % 5];
  }
  for (unsigned item = 0; item < wideItems; ++item) {
    const Wide& other = shared[7 - item];
    unsigned* const words = a[2].as<unsigned>() + std::size_t{item} * 10;
    words[0] = other.first;
    for (unsigned i = 0; i < 4; ++i) words[1 + i] = static_cast<unsigned>(other.number >> (32 * i));
    for (unsigned i = 0; i < 5; ++i) words[5 + i] = other.last[i];
    words[5 + item % 5] += static_cast<unsigned>(wideTable[item & 1].number);
  }
}

// Bits of structs.cu, byte for byte: a tag, bit-fields of 22, 35 and 31 bits from the lowest on, and another byte.
__extension__ using U128 = unsigned __int128;
constexpr unsigned bitItems = 40, bitsBytes = 13, fieldsBytes = 11;

std::vector<unsigned char> someBits() {
  std::vector<unsigned char> out(std::size_t{bitItems} * bitsBytes);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<unsigned char>(i * i * 37 + i * 11 + 5);
  return out;
}

void packedBits(Arguments& arguments, const DeviceInfo&) {
  arguments[1].bytes = arguments[0].bytes;
  for (unsigned item = 0; item < bitItems; ++item) {
    unsigned char* const bytes = arguments[1].as<unsigned char>() + std::size_t{item} * bitsBytes;
    U128 fields = 0;
    std::memcpy(&fields, bytes + 1, fieldsBytes);
    const std::uint64_t a = static_cast<std::uint64_t>(fields) & 0x3fffff;
    const std::uint64_t b = (static_cast<std::uint64_t>(fields >> 22) + a) & 0x7ffffffff;
    const std::uint64_t c = static_cast<std::uint64_t>(fields >> 57) ^ b;
    fields = ((c + bytes[0]) & 0x3fffff) | U128{b} << 22 | U128{c & 0x7fffffff} << 57;
    std::memcpy(bytes + 1, &fields, fieldsBytes);
  }
}

/// The bytes between the members of the one are members of the other.
struct Parts {
  char first;
  int numbers[5];
};

void returnedWide(Arguments& a, const DeviceInfo&) {
  for (int i = 0; i < static_cast<int>(bitItems); ++i) {
    const int x = a[0].as<int>()[i];
    const I128 number = (I128{x} << 70) - x;
    unsigned* const out = a[1].as<unsigned>() + 6 * i;
    for (int word = 0; word < 4; ++word) out[word] = static_cast<unsigned>(number >> 32 * word);
    out[4] = static_cast<unsigned>(x), out[5] = static_cast<unsigned>(~x);
  }
}

}  // namespace

std::vector<Case> cases_cuda_structs() {
  // Memory of a class has gaps; a value-initialised one has zeros there.
  View view{};
  view.tag = 'v';
  view.origin = {-2.0f, -0.75f};
  view.step = 0.125;
  view.size[0] = width;
  view.size[1] = height;
  return {{.name = "nested_and_padded",
           .kernel = "escapeTimes",
           .launch = {.grid = {2, 2}, .group = {16, 8}},
           .arguments = {value(view), value(limit), zeros<int>(width * height)},
           .reference = escapeTimes},
          {.name = "functor",
           .kernel = "transform<Scale>",
           .launch = {.grid = {2}, .group = {32}},
           .arguments = {value(Scale{-2.5f}), counting<float>(50, 0.5f), zeros<float>(50), value(50)},
           .reference =
               [](Arguments& a, const DeviceInfo&) {
                 for (int i = 0; i < 50; ++i) a[2].as<float>()[i] = -2.5f * a[1].as<float>()[i];
               }},
          {.name = "wide_fields",
           .kernel = "wideFields",
           .launch = {.group = {wideItems}},
           .arguments = {value(wide(3)), array(manyWide()), zeros<unsigned>(wideItems * 10)},
           .reference = wideFields},
          {.name = "packed_bits",
           .kernel = "packedBits",
           .launch = {.group = {bitItems}},
           .arguments = {array(someBits()), zeros<unsigned char>(std::size_t{bitItems} * bitsBytes)},
           .reference = packedBits},
          {.name = "chosen_unions",
           .kernel = "chosenUnions",
           .launch = {.group = {bitItems}},
           .arguments = {array(scrambled<unsigned char>(2 * sizeof(Parts), 77)), value(int{sizeof(Parts)}),
                         zeros<unsigned char>(std::size_t{bitItems} * sizeof(Parts))},
           .reference =
               [](Arguments& a, const DeviceInfo&) {
                 for (std::size_t i = 0; i < bitItems; ++i)
                   std::copy_n(a[0].as<unsigned char>() + (i % 2 == 0 ? sizeof(Parts) : 0), sizeof(Parts),
                               a[2].as<unsigned char>() + i * sizeof(Parts));
               }},
          {.name = "returned_unions",
           .kernel = "returnedUnions",
           .launch = {.group = {bitItems}},
           .arguments = {array(scrambled<unsigned char>(std::size_t{bitItems} * 16, 91)),
                         zeros<unsigned long long>(std::size_t{bitItems} * 4)},
           .reference =
               [](Arguments& a, const DeviceInfo&) {
                 for (std::size_t i = 0; i < bitItems; ++i) {
                   const unsigned long long* const words = a[0].as<unsigned long long>() + 2 * i;
                   unsigned long long* const out = a[1].as<unsigned long long>() + 4 * i;
                   out[0] = words[0], out[1] = words[1], out[2] = words[0] * 3, out[3] = words[1];
                 }
               }},
          {.name = "returned_wide",
           .kernel = "returnedWide",
           .launch = {.group = {bitItems}},
           .arguments = {counting<int>(bitItems, 5, 3), zeros<unsigned>(std::size_t{bitItems} * 6)},
           .reference = returnedWide}};
}

}  // namespace lathe::conformance
