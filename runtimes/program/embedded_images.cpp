// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules of a program's own images. A launch takes a shared lock on a short list of devices; loading and binding,
// which may take long, hold a lock of their own, so that launches on other devices go on meanwhile.
#include <lathe/embedded.h>

#include <dlfcn.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <vector>

#include <lathe/fat_image.h>

namespace lathe {
namespace {

/// The path in the folder of the program or library that `anchor` lies in.
std::filesystem::path besideCode(const char* path, const void* anchor) {
  Dl_info place{};
  if (std::filesystem::path(path).is_absolute() || dladdr(anchor, &place) == 0 || !place.dli_fname) return path;
  std::error_code failed;
  // A program that was found on PATH is known under the name it was called by.
  const bool isKnown = std::filesystem::exists(place.dli_fname, failed);
  const auto file = isKnown ? std::filesystem::canonical(place.dli_fname, failed)
                            : std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? std::filesystem::path(path) : file.parent_path() / path;
}

}  // namespace

struct EmbeddedImages::State {
  struct Loaded {
    const detail::DeviceDriver* device = nullptr;  ///< lives as long as `module`
    Module module;
    std::vector<std::optional<RawKernel>> kernels = {};  ///< by number
  };
  std::shared_mutex mutex;  ///< of `loaded`
  std::mutex loading;       ///< taken before `mutex` by those that change it
  std::vector<Loaded> loaded;

  /// With `mutex` held: the entry of `device`, or null.
  Loaded* find(const detail::DeviceDriver* device) {
    const auto at = std::ranges::find(loaded, device, &Loaded::device);
    return at == loaded.end() ? nullptr : &*at;
  }
};

EmbeddedImages::State& EmbeddedImages::state() const {
  if (State* const known = state_.load(std::memory_order_acquire)) return *known;
  auto made = std::make_unique<State>();
  State* expected = nullptr;
  // Never freed: other objects of static storage may launch while they are destroyed.
  if (state_.compare_exchange_strong(expected, made.get(), std::memory_order_acq_rel)) return *made.release();
  return *expected;
}

Result<Module> EmbeddedImages::module(const Device& device) const {
  State& state = this->state();
  const detail::DeviceDriver* const driver = device.driver_.get();
  const auto known = [&]() -> std::optional<Module> {
    const std::shared_lock lock(state.mutex);
    const State::Loaded* const found = state.find(driver);
    return found ? std::optional(found->module) : std::nullopt;
  };
  if (auto module = known()) return *std::move(module);
  const std::scoped_lock lock(state.loading);
  if (auto module = known()) return *std::move(module);
  auto images = path_ ? FatImage::open(besideCode(path_, this)) : FatImage::fromBytes(std::as_bytes(std::span(bytes_, *size_)));
  if (!images) return std::move(images).error();
  auto module = device.load(*images);
  if (!module) return std::move(module).error();
  const std::scoped_lock change(state.mutex);
  state.loaded.push_back({driver, *module});
  return module;
}

Result<RawKernel> EmbeddedImages::kernel(const Device& device, std::size_t number, std::string_view name,
                                         std::span<const detail::HostType> types) const {
  State& state = this->state();
  const detail::DeviceDriver* const driver = device.driver_.get();
  {
    const std::shared_lock lock(state.mutex);
    const State::Loaded* const found = state.find(driver);
    if (found && number < found->kernels.size() && found->kernels[number]) return *found->kernels[number];
  }
  const auto loaded = module(device);
  if (!loaded) return loaded.error();
  auto bound = loaded->rawKernel(name);
  if (!bound) return std::move(bound).error();
  if (auto fits = detail::checkSignature(bound->entry(), types); !fits) return std::move(fits).error();
  const std::scoped_lock lock(state.loading, state.mutex);
  if (State::Loaded* const found = state.find(driver)) {
    if (found->kernels.size() <= number) found->kernels.resize(number + 1);
    found->kernels[number] = *bound;
  }
  return bound;
}

void EmbeddedImages::unload(const Device& device) const {
  State& state = this->state();
  std::vector<State::Loaded> gone;  // goes after the locks: it may close the device
  const std::scoped_lock lock(state.loading, state.mutex);
  const auto last = std::stable_partition(state.loaded.begin(), state.loaded.end(),
                                          [&](const State::Loaded& one) { return one.device != device.driver_.get(); });
  gone.assign(std::make_move_iterator(last), std::make_move_iterator(state.loaded.end()));
  state.loaded.erase(last, state.loaded.end());
}

}  // namespace lathe
