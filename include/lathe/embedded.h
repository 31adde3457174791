// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images that a program brings along: linked into it, or as a file beside it. Headers that Lathe generates for kernels
// (docs/build-systems.md) launch through this class. Link `lathe::runtime`; the compiler is not needed.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <string_view>

#include <lathe/export.h>
#include <lathe/result.h>
#include <lathe/runtime.h>

namespace lathe {

/// One image or fat image of the program, and the modules that were loaded of it: one a device, at the first use there.
/// Meant for static storage: it is made without running code and never destroyed. Loaded modules keep their devices
/// open until unload() or the end of the process. Safe to use from any number of threads.
class LATHE_API EmbeddedImages {
 public:
  /// The `*size` bytes from `bytes` on, which are linked into the program.
  constexpr EmbeddedImages(const unsigned char* bytes, const std::size_t* size) noexcept : bytes_(bytes), size_(size) {}
  /// A file. A relative path starts at the folder of the program or shared library that this object is part of.
  constexpr explicit EmbeddedImages(const char* path) noexcept : path_(path) {}
  EmbeddedImages(const EmbeddedImages&) = delete;
  EmbeddedImages& operator=(const EmbeddedImages&) = delete;

  /// The module on `device`, loaded by the first call. An error is not kept: the next call tries again. Errors:
  /// FileUnreadable, ImageCorrupt, ImageVersion, those of Device::load().
  [[nodiscard]] Result<Module> module(const Device& device) const;
  /// The kernel called `name`, bound by the first call and kept under `number`, which belongs to one name. Errors: as
  /// module(), Module::rawKernel(); ArgumentMismatch if its parameters are not `types`.
  [[nodiscard]] Result<RawKernel> kernel(const Device& device, std::size_t number, std::string_view name,
                                         std::span<const detail::HostType> types) const;
  /// Forgets the module on `device`. Kernels that somebody holds still work.
  void unload(const Device& device) const;

  /// Queues one launch of that kernel. Errors: as kernel(), RawKernel::launch().
  template <class... Args>
  [[nodiscard]] Result<void> launch(const Device& device, std::size_t number, std::string_view name,
                                    const LaunchOptions& options, Args... args) const {
    static constexpr std::array<detail::HostType, sizeof...(Args)> types = {detail::hostType<Args>()...};
    const auto bound = kernel(device, number, name, types);
    if (!bound) return bound.error();
    const std::array<const void*, sizeof...(Args)> pointers = {static_cast<const void*>(&args)...};
    return bound->launch(options, pointers);
  }

 private:
  struct State;
  [[nodiscard]] State& state() const;

  const unsigned char* bytes_ = nullptr;
  const std::size_t* size_ = nullptr;
  const char* path_ = nullptr;
  mutable std::atomic<State*> state_ = nullptr;
};

}  // namespace lathe
