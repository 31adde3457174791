// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A benchmark kernel with its data: arrays, arguments, launch, the work of one launch, and the host function that
// computes the same result. A case exists at two sizes: `small` for comparison with the host, `full` for a large GPU.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <lathe/runtime.h>

namespace lathe::bench::gpu {

enum class Scale : std::uint8_t { small, full };
/// The size that belongs to a scale.
template <class T>
[[nodiscard]] constexpr T pick(Scale scale, T small, T full) {
  return scale == Scale::small ? small : full;
}

/// 16-bit floats as kernels store them.
struct Half {
  std::uint16_t bits;
};
struct Brain {
  std::uint16_t bits;
};
[[nodiscard]] float toFloat(Half value);
[[nodiscard]] float toFloat(Brain value);
[[nodiscard]] Half toHalf(double value);   ///< to nearest, ties to even
[[nodiscard]] Brain toBrain(float value);  ///< likewise

/// The element type by which results are compared; `whole` compares bits.
enum class Element : std::uint8_t { whole, f16, bf16, f32, f64 };

/// One array of a case. Only arrays that a kernel writes are compared.
struct Array {
  Element element = Element::whole;
  std::size_t elementBytes = 0;
  std::size_t bytes = 0;
  bool written = false;
  std::function<void(std::byte*)> fill;  ///< its contents before a launch; null: a byte pattern that no kernel writes
};

template <class T>
[[nodiscard]] constexpr Element elementOf() {
  if constexpr (std::is_same_v<T, Half>) return Element::f16;
  if constexpr (std::is_same_v<T, Brain>) return Element::bf16;
  if constexpr (std::is_same_v<T, float>) return Element::f32;
  if constexpr (std::is_same_v<T, double>) return Element::f64;
  return Element::whole;
}
/// Calls `work(first, end)` for pieces of 0 … count, from several threads where there is enough of it.
void inPieces(std::size_t count, const std::function<void(std::size_t, std::size_t)>& work);

/// An array that `write(T*)` fills as a whole.
template <class T, class F>
[[nodiscard]] Array filled(std::size_t count, F write) {
  return {elementOf<T>(), sizeof(T), count * sizeof(T), false,
          [write](std::byte* bytes) { write(reinterpret_cast<T*>(bytes)); }};
}
/// An array whose element i is `at(i)`.
template <class T, class F>
[[nodiscard]] Array input(std::size_t count, F at) {
  return filled<T>(count, [count, at](T* out) {
    inPieces(count, [&](std::size_t first, std::size_t end) {
      for (std::size_t i = first; i < end; ++i) out[i] = T(at(i));
    });
  });
}
/// An array that the kernel reads and writes.
template <class T, class F>
[[nodiscard]] Array inOut(std::size_t count, F at) {
  Array out = input<T>(count, at);
  out.written = true;
  return out;
}
/// An array that the kernel only writes.
template <class T>
[[nodiscard]] Array output(std::size_t count) {
  return {elementOf<T>(), sizeof(T), count * sizeof(T), true, nullptr};
}

/// 32 bits without a pattern, the same for the same arguments.
[[nodiscard]] constexpr std::uint32_t scramble(std::uint64_t index, std::uint32_t seed) {
  std::uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u + seed * 0xd1b54a32d192ed03u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  return std::uint32_t((z ^ (z >> 27)) >> 16);
}
/// Element functions for input(): floats of [low, high), and whole numbers under a bound.
[[nodiscard]] inline auto uniform(double low, double high, std::uint32_t seed = 1) {
  return [=](std::size_t i) { return float(low + (high - low) * double(scramble(i, seed) >> 8) * 0x1p-24); };
}
[[nodiscard]] inline auto below(std::uint32_t bound, std::uint32_t seed = 1) {
  return [=](std::size_t i) { return std::uint32_t((std::uint64_t{scramble(i, seed)} * bound) >> 32); };
}

/// The arrays of a case in host memory.
class Host {
 public:
  explicit Host(std::vector<std::vector<std::byte>> arrays) : arrays_(std::move(arrays)) {}
  template <class T>
  [[nodiscard]] T* at(std::size_t index) {
    return reinterpret_cast<T*>(arrays_[index].data());
  }
  [[nodiscard]] std::vector<std::byte>& bytes(std::size_t index) { return arrays_[index]; }

 private:
  std::vector<std::vector<std::byte>> arrays_;
};

/// An array's index, as a kernel argument.
struct At {
  std::uint32_t index;
};
/// A kernel argument: an array, or a value of up to eight bytes.
class Argument {
 public:
  Argument(At array) : bits_(array.index), isArray_(true) {}  // NOLINT(google-explicit-constructor)
  template <class T>
    requires std::is_arithmetic_v<T>
  Argument(T value) {  // NOLINT(google-explicit-constructor)
    std::memcpy(&bits_, &value, sizeof(value));
  }
  [[nodiscard]] bool isArray() const { return isArray_; }
  [[nodiscard]] std::uint64_t bits() const { return bits_; }

 private:
  std::uint64_t bits_ = 0;
  bool isArray_ = false;
};

enum class Unit : std::uint8_t { bytes, operations };

struct Case {
  std::string kernel;
  std::vector<Array> arrays;
  std::vector<Argument> arguments;
  Extent3 grid, group = {256};
  double work = 0;  ///< bytes that one launch has to move, or operations
  Unit unit = Unit::bytes;
  double tolerance = 0;  ///< relative, of floating point
  double scale = 1;      ///< results of less magnitude are compared as if they had this one
  double strays = 0;     ///< share of elements that may differ by more: a rounding may decide a comparison
  std::function<void(Host&)> reference;
};
using MakeCase = Case (*)(Scale);

/// Groups of `group` items for `n` items.
[[nodiscard]] constexpr Extent3 groupsFor(std::size_t n, std::uint32_t group = 256) {
  return {std::uint32_t((n + group - 1) / group)};
}

/// The arrays' contents before a launch.
[[nodiscard]] Host initialContents(const Case& subject);
/// Null if the written arrays of both are equal within the case's bounds; else a sentence about the difference. An
/// array of zeros or of unchanged contents is never right: the kernel did not run.
[[nodiscard]] std::optional<std::string> difference(const Case& subject, Host& result, Host& expected);

/// Values of a case's arguments for RawKernel::launch and cuLaunchKernel, which point into this object.
class ArgumentValues {
 public:
  ArgumentValues(const Case& subject, std::span<void* const> addresses);
  ArgumentValues(const ArgumentValues&) = delete;
  ArgumentValues& operator=(const ArgumentValues&) = delete;
  [[nodiscard]] std::span<const void* const> pointers() const noexcept { return pointers_; }

 private:
  std::vector<std::uint64_t> values_;
  std::vector<const void*> pointers_;
};

/// The kernels of one source file.
struct Kind {
  std::string_view name;  ///< of the file, bench/gpu/kernels/NAME.cu
  std::string_view text;
  std::vector<MakeCase> cases;
};
[[nodiscard]] const std::vector<Kind>& kinds();

}  // namespace lathe::bench::gpu
