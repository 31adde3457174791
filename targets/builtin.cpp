// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The targets and device libraries that are linked into Lathe, from the lists that CMake writes. Targets register as
// those of a plugin do.
#include <array>
#include <span>
#include <string_view>

#include <lathe/sdk/plugin.h>

#include "core/target/builtin.h"

// Embedded bytes (lathe_embed) and the functions that LATHE_TARGET_HOOKS defines.
#define LATHE_BUILTIN_TARGET(name, id, device, device_end, hooks) \
  extern "C" const char lathe_target_##id##_yaml[];               \
  extern "C" const char lathe_target_##id##_tree[];               \
  extern "C" const char lathe_target_##id##_tree_end[];           \
  extern "C" const char lathe_target_##id##_device[];             \
  extern "C" const char lathe_target_##id##_device_end[];         \
  extern "C" lathe::sdk::TargetHooks* lathe_target_##id##_hooks();
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
std::size_t bytesBetween(const char* begin, const char* end) {
  return static_cast<std::size_t>(end - begin);
}

int registerTargets(sdk::PluginRegistrar* registrar) {
  const auto targets = std::to_array<sdk::PluginTarget>({
#define LATHE_BUILTIN_TARGET(target, id, bytes, bytes_end, hooks) \
  {.name = target,                                                \
   .descriptor = lathe_target_##id##_yaml,                        \
   .device = bytes,                                               \
   .deviceBytes = bytesBetween(bytes, bytes_end),                 \
   .createHooks = hooks},
#include "targets/builtin_target_list.inc"
#undef LATHE_BUILTIN_TARGET
  });
  for (const sdk::PluginTarget& target : targets) {
    if (const int refused = registrar->addTarget(registrar, &target)) return refused;
  }
  return 0;
}

}  // namespace

constinit const sdk::Plugin builtinTargets = {sdk::pluginAbiVersion, sizeof(sdk::Plugin), LLVM_VERSION_STRING, "lathe",
                                              LATHE_TARGETS_VERSION, registerTargets};

std::span<const PackedDescriptor> packedDescriptors() {
  static const auto list = std::to_array<PackedDescriptor>({
#define LATHE_BUILTIN_TARGET(target, id, bytes, bytes_end, hooks) \
  {lathe_target_##id##_yaml,                                      \
   {lathe_target_##id##_tree, bytesBetween(lathe_target_##id##_tree, lathe_target_##id##_tree_end)}},
#include "targets/builtin_target_list.inc"
#undef LATHE_BUILTIN_TARGET
  });
  return list;
}

std::span<const EmbeddedLibrary> embeddedLibraries() {
  static const auto list = std::to_array<EmbeddedLibrary>({
#define LATHE_EMBEDDED_LIBRARY(name, id) \
  {name, {lathe_library_##id, bytesBetween(lathe_library_##id, lathe_library_##id##_end)}},
#include "targets/builtin_library_list.inc"
#undef LATHE_EMBEDDED_LIBRARY
  });
  return list;
}

}  // namespace lathe::detail
