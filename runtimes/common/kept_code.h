// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler made of portable code for this device before, from the cache's folder: a program that was here once
// does not open the compiler's library again.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <lathe/image.h>
#include <lathe/runtime.h>

namespace lathe::detail {

class KeptCode {
 public:
  /// For `portable` on `device`. Looks at nothing yet.
  KeptCode(const Image& portable, const DeviceInfo& device);
  /// The image; nothing: there is none, or its surroundings changed.
  [[nodiscard]] std::optional<Image> find() const;
  /// Keeps one, with its Surroundings; empty: it is not to be kept.
  void keep(std::string_view image, std::string_view surroundings) const;

 private:
  std::string question_;
};

}  // namespace lathe::detail
