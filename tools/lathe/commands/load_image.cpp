// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices are tried in the order of the file's targets.
#include "tools/lathe/commands/load_image.h"

#include <algorithm>
#include <optional>

#include "tools/lathe/arguments/launch.h"
#include "tools/lathe/output/report.h"

namespace lathe::tool {
namespace {

bool hasPortable(const FatImage& fat) {
  return std::ranges::find(fat.entries(), "portable", &FatImageEntry::target) != fat.entries().end();
}

Result<LoadedImage> loadedOn(Device device, const FatImage& fat) {
  auto module = device.load(fat);
  if (!module) return std::move(module).error();
  return LoadedImage{module->image(), std::move(device)};
}

Result<LoadedImage> loadPortable(const FatImage& fat, const JobOptions& options, int deviceIndex) {
  auto compiler = options.compiler();
  if (!compiler) return std::move(compiler).error();
  const auto target = compiler->target(options.target());
  if (!target) return target.error();
  auto device = openLaunchDevice(target->runtime, target->name, deviceIndex);
  if (!device) return std::move(device).error();
  return loadedOn(*std::move(device), fat);
}

Result<LoadedImage> loadEntry(const FatImage& fat, std::size_t index, bool isOnly, int deviceIndex) {
  const FatImageEntry& entry = fat.entries()[index];
  auto device = openLaunchDevice(entry.runtime, entry.target, deviceIndex);
  if (!device) return std::move(device).error();
  if (!isOnly) return loadedOn(*std::move(device), fat);
  auto image = fat.image(index);
  if (!image) return std::move(image).error();
  return LoadedImage{*std::move(image), *std::move(device)};
}

/// Whether `name` is a runtime of entries in `fat`, and no entry's target.
bool isOnlyRuntime(const FatImage& fat, const std::string& name) {
  const auto& entries = fat.entries();
  return std::ranges::none_of(entries, [&](const FatImageEntry& entry) { return entry.target == name; }) &&
         std::ranges::any_of(entries, [&](const FatImageEntry& entry) { return entry.runtime == name; });
}

}  // namespace

Result<LoadedImage> loadImage(const FatImage& fat, const JobOptions& options, int deviceIndex) {
  std::optional<std::size_t> only;
  if (options.wasGiven("--target")) {
    auto index = entryFor(fat, options.target());
    if (!index && isOnlyRuntime(fat, options.target())) {  // code for linkers runs on the cpu too
      auto device = openLaunchDevice(options.target(), options.target(), deviceIndex);
      if (!device) return std::move(device).error();
      return loadedOn(*std::move(device), fat);
    }
    if (!index) return hasPortable(fat) ? loadPortable(fat, options, deviceIndex) : std::move(index).error();
    only = *index;
  }
  std::optional<Error> first;
  for (std::size_t i = 0; i < fat.entries().size(); ++i) {
    if (only && i != *only) continue;
    auto loaded = loadEntry(fat, i, only || fat.entries().size() == 1, deviceIndex);
    if (loaded) return loaded;
    if (!first) first = std::move(loaded).error();
  }
  if (!only && hasPortable(fat)) return loadPortable(fat, options, deviceIndex);
  return *std::move(first);
}

}  // namespace lathe::tool
