// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host references are plain loops in double precision, so the error shown is the device's. The exception is the
// Mandelbrot set: its step counts near the border hang on the last bit, so the reference does the same single-precision
// operations and must agree exactly (this file and the demo's kernels are compiled without contraction).
#include "tools/lathe/commands/demo_workloads.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

extern "C" const char lathe_demo_source[];
extern "C" const char lathe_demo_source_end[];

namespace lathe::tool {
namespace {

constexpr double unitRoundoff = 0x1p-24;  // of binary32
constexpr unsigned timedLaunches = 10;
constexpr std::uint32_t mandelbrotLimit = 255;

template <class T>
Argument scalar(T value) {
  Argument argument{std::vector<std::byte>(sizeof value), std::nullopt};
  std::memcpy(argument.value.data(), &value, sizeof value);
  return argument;
}

Argument array(ElementType type, const void* data, std::size_t count) {
  Array out{type, {count}, std::vector<std::byte>(count * type.bytes())};
  if (data) std::memcpy(out.bytes.data(), data, out.bytes.size());
  return {std::vector<std::byte>(sizeof(void*)), std::move(out)};
}

constexpr ElementType f32{TypeKind::floating, 4, 1};
constexpr ElementType u32{TypeKind::unsignedInteger, 4, 1};

Argument input(const std::vector<float>& values) {
  return array(f32, values.data(), values.size());
}

/// Values in [0, 1) without a pattern that would hide misplaced ones: multiples of the golden ratio, modulo 1.
std::vector<float> sequence(std::size_t count) {
  std::vector<float> out(count);
  std::uint32_t state = 0;
  for (float& value : out) value = static_cast<float>((state += 0x9E3779B9u) >> 8) * 0x1p-24f;
  return out;
}

std::uint32_t groupsFor(std::uint32_t items, std::uint32_t group) {
  return (items + group - 1) / group;
}

Workload stencil() {
  constexpr std::uint32_t width = 1920, height = 1080;  // no multiple of the group, so that edges are met
  constexpr float rate = 0.2f;
  const std::vector<float> in = sequence(std::size_t{width} * height);
  Workload out{"stencil",
               {{.grid = {groupsFor(width, 32), groupsFor(height, 8)}, .group = {32, 8}}, timedLaunches},
               {scalar(width), scalar(height), scalar(rate), input(in), array(f32, nullptr, in.size())},
               4,
               {in.begin(), in.end()},
               8 * unitRoundoff};
  for (std::size_t y = 1; y + 1 < height; ++y)
    for (std::size_t x = 1; x + 1 < width; ++x) {
      const std::size_t at = y * width + x;
      const double around = double{in[at - 1]} + in[at + 1] + in[at - width] + in[at + width];
      out.expected[at] = in[at] + double{rate} * (around - 4.0 * in[at]);
    }
  return out;
}

Workload matmul() {
  constexpr std::uint32_t n = 512;
  const std::vector<float> a = sequence(std::size_t{n} * n);
  std::vector<float> b = a;
  std::reverse(b.begin(), b.end());
  Workload out{"matmul",
               {{.grid = {n / 16, n / 16}, .group = {16, 16}}, timedLaunches},
               {scalar(n), input(a), input(b), array(f32, nullptr, a.size())},
               3,
               std::vector<double>(a.size()),
               n * unitRoundoff};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) out.expected[i * n + j] += double{a[i * n + k]} * b[k * n + j];
  return out;
}

Workload reduce() {
  constexpr std::uint32_t n = (1u << 22) + 13, group = 256, groups = 512;
  constexpr std::uint32_t stride = group * groups;
  const std::vector<float> in = sequence(n);
  Workload out{"reduce",
               {{.grid = {groups}, .group = {group}}, timedLaunches},
               {scalar(n), input(in), array(f32, nullptr, groups)},
               2,
               std::vector<double>(groups),
               (n / stride + 10) * unitRoundoff};  // each item's own sum, then the tree
  for (std::uint32_t i = 0; i < n; ++i) out.expected[i % stride / group] += in[i];
  return out;
}

Workload mandelbrot() {
  constexpr float left = -2.2f, top = -1.2f, step = 0.003f;
  constexpr std::size_t points = std::size_t{pictureWidth} * pictureHeight;
  Workload out{
      "mandelbrot",
      {{.grid = {groupsFor(pictureWidth, 16), groupsFor(pictureHeight, 16)}, .group = {16, 16}}, timedLaunches},
      {scalar(pictureWidth), scalar(pictureHeight), scalar(left), scalar(top), scalar(step), scalar(mandelbrotLimit),
       array(u32, nullptr, points)},
      6,
      {},
      0};
  out.expected.reserve(points);
  for (std::uint32_t y = 0; y < pictureHeight; ++y)
    for (std::uint32_t x = 0; x < pictureWidth; ++x) {
      const float re = left + step * static_cast<float>(x), im = top + step * static_cast<float>(y);
      float zr = 0, zi = 0;
      std::uint32_t count = 0;
      for (; count < mandelbrotLimit && zr * zr + zi * zi <= 4.0f; ++count) {
        const float next = zr * zr - zi * zi + re;
        zi = 2.0f * zr * zi + im;
        zr = next;
      }
      out.expected.push_back(count);
    }
  return out;
}

double valueAt(const Array& array, std::size_t index) {
  if (array.type == u32) {
    std::uint32_t value = 0;
    std::memcpy(&value, array.bytes.data() + index * sizeof value, sizeof value);
    return value;
  }
  float value = 0;
  std::memcpy(&value, array.bytes.data() + index * sizeof value, sizeof value);
  return value;
}

}  // namespace

std::vector<Workload> demoWorkloads() {
  std::vector<Workload> out;
  for (Workload (*const make)() : {stencil, matmul, reduce, mandelbrot}) out.push_back(make());
  return out;
}

double maxError(const Workload& workload, const Array& got) {
  double error = 0, largest = 0;
  for (std::size_t i = 0; i < workload.expected.size(); ++i) {
    const double difference = std::fabs(valueAt(got, i) - workload.expected[i]);
    if (std::isnan(difference)) return std::numeric_limits<double>::infinity();
    error = std::max(error, difference);
    largest = std::max(largest, std::fabs(workload.expected[i]));
  }
  return largest > 0 ? error / largest : error;
}

std::vector<std::uint8_t> pictureOf(const Array& steps) {
  std::vector<std::uint8_t> rgb;
  rgb.reserve(steps.count() * 3);
  for (std::size_t i = 0; i < steps.count(); ++i) {
    const double count = valueAt(steps, i);
    const bool inside = count >= mandelbrotLimit;
    // Three cosines out of phase over the logarithm of the count: dark blue far away, gold and white near the border.
    for (const double phase : {3.4, 2.6, 1.9}) {
      const double shade = 0.5 + 0.5 * std::cos(phase + 1.15 * std::log1p(count));
      rgb.push_back(static_cast<std::uint8_t>(inside ? 0 : std::lround(255 * shade)));
    }
  }
  return rgb;
}

std::string_view demoSource() {
  return {lathe_demo_source, static_cast<std::size_t>(lathe_demo_source_end - lathe_demo_source)};
}

}  // namespace lathe::tool
