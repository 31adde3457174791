// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was made of code for this device before, from the cache's folder: by the compiler, of portable code, so that a
// program that was here once does not open the compiler's library again; or by a device's driver.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <lathe/image.h>
#include <lathe/runtime.h>

namespace lathe::detail {

/// The answer to a question, which is all that decides it, as the folder has it.
class KeptBytes {
 public:
  KeptBytes() = default;
  /// Looks at nothing yet. An empty question has no answer, and none is kept.
  explicit KeptBytes(std::string question) : question_(std::move(question)) {}
  /// False if the environment says that nothing is to be kept or looked for ($LATHE_CACHE).
  [[nodiscard]] static bool isEnabled();
  /// The bytes; nothing: there are none, or their surroundings changed.
  [[nodiscard]] std::optional<std::string> find() const;
  /// Keeps some, with their Surroundings; empty: they are not to be kept. `make`: also makes the folder.
  void keep(std::string_view bytes, std::string_view surroundings, bool make = false) const;

 private:
  std::string question_;
};

/// The image that the compiler made of portable code.
class KeptCode {
 public:
  /// For `portable` on `device`. Looks at nothing yet.
  KeptCode(const Image& portable, const DeviceInfo& device);
  /// The image; nothing: there is none, or its surroundings changed.
  [[nodiscard]] std::optional<Image> find() const;
  /// As KeptBytes::keep(): the compiler, which was just used, makes the folder if it may be made.
  void keep(std::string_view image, std::string_view surroundings) const { bytes_.keep(image, surroundings); }

 private:
  KeptBytes bytes_;
};

}  // namespace lathe::detail
