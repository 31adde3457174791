// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BLAKE3-256 over texts, each with its length before it, so that different sequences have different bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

namespace lathe::detail {

class Digest {
 public:
  Digest& add(std::string_view text) {
    const std::uint64_t size = text.size();
    hash_.update(llvm::StringRef(reinterpret_cast<const char*>(&size), sizeof size));
    hash_.update(llvm::StringRef(text.data(), text.size()));
    return *this;
  }
  /// 32 bytes.
  [[nodiscard]] std::string bytes() const {
    auto copy = hash_;
    const auto out = copy.final<32>();
    return {reinterpret_cast<const char*>(out.data()), out.size()};
  }
  [[nodiscard]] std::string hex() const { return llvm::toHex(bytes(), /*LowerCase=*/true); }

 private:
  llvm::BLAKE3 hash_;
};

[[nodiscard]] inline std::string digestOf(std::string_view text) {
  return Digest().add(text).bytes();
}

}  // namespace lathe::detail
