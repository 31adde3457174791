// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contents of a case's arrays, and how results are compared.
#include "case.h"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <thread>

namespace lathe::bench::gpu {

float toFloat(Half value) {
  return float(std::bit_cast<_Float16>(value.bits));
}
float toFloat(Brain value) {
  return std::bit_cast<float>(std::uint32_t{value.bits} << 16);
}
Half toHalf(double value) {
  return {std::bit_cast<std::uint16_t>(static_cast<_Float16>(value))};
}
Brain toBrain(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return {std::uint16_t(bits >> 16 | 0x40)};
  return {std::uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

void inPieces(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work) {
  constexpr std::size_t least = 1 << 20;
  const std::size_t pieces =
      std::clamp<std::size_t>(count / least, 1, std::max(1u, std::thread::hardware_concurrency()));
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < pieces; ++i)
    threads.emplace_back([&work, first = count / pieces * (i - 1), end = count / pieces * i] { work(first, end); });
  work(count / pieces * (pieces - 1), count);
}

namespace {

/// Every byte of an array that a kernel is to write, before it does.
constexpr std::byte unwritten{0xa5};

void fill(const Array& array, std::vector<std::byte>& bytes) {
  bytes.assign(array.bytes, unwritten);
  if (array.fill) array.fill(bytes.data());
}

/// The first element out of bounds, and how many there are.
struct Mismatches {
  std::size_t first = 0, count = 0;
  double result = 0, expected = 0;
};

template <class T>
double number(T value) {
  if constexpr (std::is_arithmetic_v<T>)
    return double(value);
  else
    return double(toFloat(value));
}

template <class T>
Mismatches compare(const Case& subject, std::span<const std::byte> result, std::span<const std::byte> expected) {
  const T* const one = reinterpret_cast<const T*>(result.data());
  const T* const other = reinterpret_cast<const T*>(expected.data());
  Mismatches out;
  std::mutex merging;
  inPieces(result.size() / sizeof(T), [&](std::size_t first, std::size_t end) {
    Mismatches piece;
    for (std::size_t i = first; i < end; ++i) {
      const double a = number(one[i]), b = number(other[i]);
      const double bound = subject.tolerance * std::max({std::abs(a), std::abs(b), subject.scale});
      if (a == b || std::abs(a - b) <= bound) continue;
      if (piece.count++ == 0) piece = {i, 1, a, b};
    }
    if (piece.count == 0) return;
    const std::lock_guard lock(merging);
    const std::size_t all = out.count + piece.count;
    if (out.count == 0 || piece.first < out.first) out = piece;
    out.count = all;
  });
  return out;
}

Mismatches compareWhole(std::size_t elementBytes, std::span<const std::byte> result,
                        std::span<const std::byte> expected) {
  Mismatches out;
  for (std::size_t i = 0; i < result.size(); i += elementBytes) {
    if (std::memcmp(&result[i], &expected[i], elementBytes) == 0) continue;
    std::uint64_t a = 0, b = 0;
    std::memcpy(&a, &result[i], std::min<std::size_t>(elementBytes, 8));
    std::memcpy(&b, &expected[i], std::min<std::size_t>(elementBytes, 8));
    if (out.count++ == 0) out = {i / elementBytes, 1, double(a), double(b)};
  }
  return out;
}

Mismatches compareArray(const Case& subject, const Array& array, std::span<const std::byte> result,
                        std::span<const std::byte> expected) {
  if (std::memcmp(result.data(), expected.data(), result.size()) == 0 && array.element == Element::whole) return {};
  switch (array.element) {
    case Element::f16:
      return compare<Half>(subject, result, expected);
    case Element::bf16:
      return compare<Brain>(subject, result, expected);
    case Element::f32:
      return compare<float>(subject, result, expected);
    case Element::f64:
      return compare<double>(subject, result, expected);
    case Element::whole:
      break;
  }
  return compareWhole(array.elementBytes, result, expected);
}

std::string shown(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.9g", value);
  return text;
}

}  // namespace

Host initialContents(const Case& subject) {
  std::vector<std::vector<std::byte>> arrays(subject.arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i) fill(subject.arrays[i], arrays[i]);
  return Host(std::move(arrays));
}

std::optional<std::string> difference(const Case& subject, Host& result, Host& expected) {
  for (std::size_t i = 0; i < subject.arrays.size(); ++i) {
    const Array& array = subject.arrays[i];
    if (!array.written) continue;
    const std::string where = "array " + std::to_string(i);
    const std::vector<std::byte>& bytes = result.bytes(i);
    std::vector<std::byte> before;
    fill(array, before);
    if (bytes == before) return where + " is as it was before the launch";
    if (std::ranges::all_of(bytes, [](std::byte byte) { return byte == std::byte{}; })) return where + " is all zeros";
    const Mismatches found = compareArray(subject, array, bytes, expected.bytes(i));
    if (double(found.count) <= subject.strays * double(array.bytes / array.elementBytes)) continue;
    return where + ": " + std::to_string(found.count) + " elements differ, the first at " +
           std::to_string(found.first) + ": " + shown(found.result) + " instead of " + shown(found.expected);
  }
  return std::nullopt;
}

ArgumentValues::ArgumentValues(const Case& subject, std::span<void* const> addresses) {
  values_.reserve(subject.arguments.size());
  for (const Argument& argument : subject.arguments) {
    std::uint64_t& value = values_.emplace_back(argument.bits());
    if (argument.isArray()) std::memcpy(&value, &addresses[argument.bits()], sizeof(void*));
    pointers_.push_back(&value);
  }
}

}  // namespace lathe::bench::gpu
