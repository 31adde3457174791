// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A conformance case: a kernel of one of the suite's files, its launch, and what the host computes for the same
// arguments. Cases stand beside their kernels: atomics_reference.cpp belongs to atomics.cpp.
#pragma once

#include <cstddef>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <lathe/runtime.h>

namespace lathe::conformance {

/// A by-value argument, or an array that is copied in and out. Its elements are compared by their type.
struct Argument {
  enum class Element { bytes, f32, f64 };
  std::vector<std::byte> bytes;
  bool array = false;
  Element element = Element::bytes;
  std::size_t elementBytes = 1;

  template <class T>
  [[nodiscard]] static Argument of(const T* from, std::size_t count, bool array) {
    Argument out{std::vector<std::byte>(count * sizeof(T)), array, Element::bytes, sizeof(T)};
    std::memcpy(out.bytes.data(), from, out.bytes.size());
    if constexpr (std::is_same_v<T, float>) out.element = Element::f32;
    if constexpr (std::is_same_v<T, double>) out.element = Element::f64;
    return out;
  }
  template <class T>
  [[nodiscard]] T* as() {
    return reinterpret_cast<T*>(bytes.data());
  }
  [[nodiscard]] std::size_t count() const { return bytes.size() / elementBytes; }
};
using Arguments = std::vector<Argument>;

template <class T>
[[nodiscard]] Argument value(T x) {
  return Argument::of(&x, 1, false);
}
template <class T>
[[nodiscard]] Argument array(const std::vector<T>& x) {
  return Argument::of(x.data(), x.size(), true);
}
/// first, first + scale, first + 2 scale, …
template <class T>
[[nodiscard]] Argument counting(std::size_t n, T scale = 1, T first = 0) {
  std::vector<T> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<T>(first + scale * static_cast<T>(i));
  return array(out);
}
template <class T>
[[nodiscard]] Argument zeros(std::size_t n) {
  return array(std::vector<T>(n));
}
/// Bits without a pattern, the same in every run (splitmix64, Steele et al., "Fast splittable pseudorandom number
/// generators", OOPSLA 2014).
template <class T>
[[nodiscard]] std::vector<T> scrambled(std::size_t n, std::uint64_t seed) {
  std::vector<T> out(n);
  for (T& x : out) {
    std::uint64_t z = seed += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    x = static_cast<T>(z ^ z >> 31);
  }
  return out;
}

/// How far a floating-point result may be off: either bound is enough.
struct Tolerance {
  double ulp = 0;       ///< units in the last place of the reference
  double absolute = 0;  ///< where a function has a zero, or CUDA's guide bounds it so
};

/// Where a case runs; references that need only the device take that.
struct Environment : DeviceInfo {
  std::string target;
  LaunchOptions launch;
};

struct Case {
  std::string name = {};    ///< unique in its file; letters, digits and _
  std::string file = {};    ///< "cuda/atomics.cu"
  std::string kernel = {};  ///< a name expression
  LaunchOptions launch = {};
  std::vector<LaunchOptions> otherLaunches = {};  ///< of the same kernel, on the same arguments
  Arguments arguments = {};
  /// Does to the arguments what the kernel does. What depends on where it runs is in the second argument.
  std::function<void(Arguments&, const Environment&)> reference = {};
  /// Of element i: tolerances[i % size]. None: exact.
  std::vector<Tolerance> tolerances = {};
  /// Brings results that may come in any order into one; applied to both sides.
  std::function<void(Arguments&)> normalise = {};
  /// Job parameters.
  std::map<std::string, std::string> parameters = {};
  /// Text before and behind the file's, and kernels that are compiled with this one and not launched.
  std::string before = {}, behind = {};
  std::vector<std::string> beside = {};
  /// The kernel's only parameter is a structure, whose members are the arguments.
  bool packed = false;

  [[nodiscard]] std::string fullName() const;  ///< "cuda_atomics_NAME"
};

/// The first difference between what a kernel left in its arguments and the reference, as text; empty if there is none.
[[nodiscard]] std::string firstDifference(const Case& entry, Arguments got, Arguments want);

}  // namespace lathe::conformance
