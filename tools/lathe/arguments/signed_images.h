// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images that a command reads, and the option by which it reads none that nobody trusted signed.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include <lathe/fat_image.h>

namespace lathe::tool {

class SignedImages {
 public:
  void configure(CLI::App& app);
  [[nodiscard]] bool required() const { return !keys_.empty(); }
  /// The image or fat image in that file, signed as is asked. Errors: those of FatImage::open(), readPublicKeys() and
  /// verify().
  [[nodiscard]] Result<FatImage> open(const std::string& path) const;
  /// True for a file that begins as an offload bundle does, whatever its name.
  [[nodiscard]] static bool isBundle(const std::string& path);

 private:
  std::string keys_;
};

}  // namespace lathe::tool
