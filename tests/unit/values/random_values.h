// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random values of every described struct, and their comparison. Both walk the descriptions, so a field that is added
// is tested.
#pragma once

#include <random>

#include "core/values/codec.h"
#include "core/values/compile_values.h"

namespace lathe::detail {

/// Fills values. Equal seeds give equal values.
class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : random_(seed) {}

  template <class T>
  T make() {
    T value{};
    fill(value);
    return value;
  }

  template <class T>
  void fill(T& value) {
    if constexpr (std::same_as<T, TypeLayout>) {
      fillType(value);
    } else if constexpr (std::same_as<T, Image>) {
      value = image();
    } else if constexpr (std::same_as<T, bool>) {
      value = below(2) == 1;
    } else if constexpr (Named<T>) {
      value = enumerators<T>[below(enumerators<T>.size())];
    } else if constexpr (std::integral<T>) {
      value = static_cast<T>(random_() >> below(64));
    } else if constexpr (std::floating_point<T>) {
      value = std::normal_distribution<T>(0, 1e6)(random_);
    } else if constexpr (std::same_as<T, std::string> || std::same_as<T, std::filesystem::path>) {
      value = text();
    } else if constexpr (isArray<T>) {
      for (auto& element : value) fill(element);
    } else if constexpr (isA<T, std::map>) {
      for (auto left = below(4); left != 0; --left) fill(value[text()]);
    } else if constexpr (isA<T, std::vector>) {
      value.clear();
      for (auto left = below(4); left != 0; --left) fill(value.emplace_back());
    } else {
      forEachField(value, [&](std::string_view, auto& member) { fill(member); });
    }
  }

  /// A description that an image can have: entry ABIs are decided.
  ImageInfo imageInfo() {
    auto info = make<ImageInfo>();
    for (EntryPoint& entry : info.entries) {
      if (entry.abi == EntryAbi::automatic) entry.abi = EntryAbi::state;
    }
    return info;
  }
  Image image() { return Image::build(imageInfo(), {{text(), text(), text()}}); }
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

 private:
  /// Any bytes, often few.
  std::string text() {
    std::string out(below(8) == 0 ? below(300) : below(6), '\0');
    for (char& c : out) c = static_cast<char>(below(4) == 0 ? random_() : 'a' + below(26));
    return out;
  }
  void fillType(TypeLayout& type) {
    if (++depth_ > 3) {
      type.name = text();
    } else {
      forEachField(type, [&](std::string_view, auto& member) { fill(member); });
      if (type.element.size() > 1) type.element.resize(1);
    }
    --depth_;
  }

  std::mt19937_64 random_;
  unsigned depth_ = 0;
};

/// True if all described fields are equal.
template <class T>
bool sameValue(const T& a, const T& b) {
  if constexpr (std::same_as<T, Image>) {
    return std::ranges::equal(a.bytes(), b.bytes());
  } else if constexpr (isA<T, std::vector>) {
    return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return sameValue(x, y); });
  } else if constexpr (Described<T>) {
    bool same = true;
    forEachFieldOf<T>([&](const auto& field) { same = same && sameValue(a.*field.member, b.*field.member); });
    return same;
  } else {
    return a == b;
  }
}

}  // namespace lathe::detail
