// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The targets and device libraries that are built into Lathe, from the lists that CMake writes.
#include <array>
#include <memory>
#include <span>
#include <string_view>

#include "core/lower/device_libraries.h"
#include "core/target/registry.h"

// Embedded bytes (lathe_embed) and the factories of hooks.
#define LATHE_BUILTIN_TARGET(name, id, device, device_end, hooks) \
  extern "C" const char lathe_target_##id##_yaml[];               \
  extern "C" const char lathe_target_##id##_yaml_end[];           \
  extern "C" const char lathe_target_##id##_device[];             \
  extern "C" const char lathe_target_##id##_device_end[];         \
  namespace lathe::detail {                                       \
  std::unique_ptr<TargetHooks> lathe_target_##id##_hooks();       \
  }
#include "targets/builtin_target_list.inc"
#undef LATHE_BUILTIN_TARGET

#define LATHE_EMBEDDED_LIBRARY(name, id)      \
  extern "C" const char lathe_library_##id[]; \
  extern "C" const char lathe_library_##id##_end[];
#include "targets/builtin_library_list.inc"
#undef LATHE_EMBEDDED_LIBRARY

namespace lathe::detail {
namespace {

/// Where bytes begin and end is known to the linker, not to the compiler, so the lists cannot be constants.
std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::span<const BuiltinTarget> builtinTargets() {
  static const auto list = std::to_array<BuiltinTarget>({
#define LATHE_BUILTIN_TARGET(name, id, device, device_end, hooks) \
  {name, between(lathe_target_##id##_yaml, lathe_target_##id##_yaml_end), between(device, device_end), hooks},
#include "targets/builtin_target_list.inc"
#undef LATHE_BUILTIN_TARGET
  });
  return list;
}

std::span<const EmbeddedLibrary> embeddedLibraries() {
  static const auto list = std::to_array<EmbeddedLibrary>({
#define LATHE_EMBEDDED_LIBRARY(name, id) {name, between(lathe_library_##id, lathe_library_##id##_end)},
#include "targets/builtin_library_list.inc"
#undef LATHE_EMBEDDED_LIBRARY
  });
  return list;
}

}  // namespace lathe::detail
