// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An interface for others that stays small and stable, in front of the one that runtimes inside implement. What orders
// streams with everything else (copies, launches on the default stream, freed memory, unloaded code) is done here once,
// by waiting for the whole device.
#include "runtimes/common/plugin_runtime.h"

#include <dlfcn.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

#include <lathe/sdk/runtime.h>

#include "core/support/text.h"

namespace lathe::detail {
namespace {

using sdk::RuntimePlugin;

/// The work that is queued on a device.
class QueuedWork {
 public:
  explicit QueuedWork(sdk::RuntimeDevice& device) : device_(device) {}
  /// Waits for all of it. Returns the first failure that nobody was told.
  Result<void> finish() {
    auto done = device_.synchronize();
    const std::scoped_lock lock(mutex_);
    auto untold = std::exchange(untold_, {});
    return untold ? done : untold;
  }
  /// Waits for all of it. A failure is kept for finish().
  void drain() noexcept {
    auto done = finish();
    const std::scoped_lock lock(mutex_);
    if (!done && untold_) untold_ = std::move(done);
  }

 private:
  sdk::RuntimeDevice& device_;
  std::mutex mutex_;
  Result<void> untold_;
};

class PluginEvent final : public EventDriver {
 public:
  explicit PluginEvent(std::unique_ptr<sdk::RuntimeEvent> event) : event_(std::move(event)) {}
  [[nodiscard]] sdk::RuntimeEvent& event() const noexcept { return *event_; }
  Result<void> synchronize() const override { return event_->synchronize(); }
  Result<double> elapsedUntil(const EventDriver& later) const override {
    return event_->elapsedUntil(static_cast<const PluginEvent&>(later).event());
  }

 private:
  std::unique_ptr<sdk::RuntimeEvent> event_;
};

class PluginStream final : public StreamDriver {
 public:
  explicit PluginStream(std::unique_ptr<sdk::RuntimeStream> stream) : stream_(std::move(stream)) {}
  ~PluginStream() override { (void)stream_->synchronize(); }
  [[nodiscard]] sdk::RuntimeStream& stream() const noexcept { return *stream_; }
  Result<void> synchronize() override { return stream_->synchronize(); }
  Result<std::unique_ptr<EventDriver>> record() override {
    auto event = stream_->record();
    if (!event) return std::move(event).error();
    return std::unique_ptr<EventDriver>(std::make_unique<PluginEvent>(*std::move(event)));
  }
  Result<void> wait(const EventDriver& event) override {
    return stream_->wait(static_cast<const PluginEvent&>(event).event());
  }
  [[nodiscard]] void* nativeHandle() const noexcept override { return stream_->nativeHandle(); }

 private:
  std::unique_ptr<sdk::RuntimeStream> stream_;
};

class PluginKernel final : public LoadedKernel {
 public:
  PluginKernel(const EntryPoint& entry, std::unique_ptr<sdk::RuntimeKernel> kernel,
               std::shared_ptr<const LoadedModule> module, const DeviceDriver& device, QueuedWork& work)
      : LoadedKernel(entry, limitsOf(device.info(), entry)),
        module_(std::move(module)),
        kernel_(std::move(kernel)),
        device_(device),
        work_(work) {}
  ~PluginKernel() override {
    if (queued_) work_.drain();
  }
  [[nodiscard]] const DeviceDriver& device() const noexcept override { return device_; }
  Result<void> launch(const LaunchOptions& options, StreamDriver* stream,
                      std::span<const void* const> arguments) const override {
    if (stream) {
      queued_ = true;
      return kernel_->launchOn(static_cast<PluginStream*>(stream)->stream(), options, arguments);
    }
    if (auto done = work_.finish(); !done) return done;
    return kernel_->launch(options, arguments);
  }

 private:
  std::shared_ptr<const LoadedModule> module_;
  std::unique_ptr<sdk::RuntimeKernel> kernel_;
  const DeviceDriver& device_;
  QueuedWork& work_;
  mutable std::atomic<bool> queued_ = false;  ///< a launch of it may be queued
};

class PluginModule final : public LoadedModule {
 public:
  PluginModule(Image image, std::shared_ptr<const DeviceDriver> device, QueuedWork& work)
      : LoadedModule(std::move(image)), device_(std::move(device)), work_(work) {}
  Result<void> loadWith(sdk::RuntimeDevice& device) {
    auto module = device.load(image());
    if (!module) return std::move(module).error();
    module_ = *std::move(module);
    return {};
  }
  Result<std::shared_ptr<LoadedKernel>> kernel(const EntryPoint& entry) override {
    if (std::ranges::any_of(entry.parameters, &Parameter::byReference))
      return Error{.code = ErrorCode::Unsupported,
                   .message = "kernel '" + entry.name + "' takes parameters by reference, which runtime '" +
                              device_->info().runtime + "' does not pass",
                   .hint = "put them into device memory and pass a pointer",
                   .target = device_->info().runtime};
    auto kernel = module_->kernel(entry);
    if (!kernel) return std::move(kernel).error();
    return std::shared_ptr<LoadedKernel>(
        std::make_shared<PluginKernel>(entry, *std::move(kernel), shared_from_this(), *device_, work_));
  }
  Result<std::pair<void*, std::size_t>> global(const GlobalVariable& global) override {
    return module_->global(global);
  }

 private:
  std::shared_ptr<const DeviceDriver> device_;
  QueuedWork& work_;
  std::unique_ptr<sdk::RuntimeModule> module_;
};

class PluginDevice final : public DeviceDriver {
 public:
  PluginDevice(DeviceInfo info, std::unique_ptr<sdk::RuntimeDevice> device)
      : DeviceDriver(std::move(info)), device_(std::move(device)), work_(*device_) {}
  Result<std::shared_ptr<LoadedModule>> load(const Image& image) override {
    auto module = std::make_shared<PluginModule>(image, shared_from_this(), work_);
    if (auto loaded = module->loadWith(*device_); !loaded) return std::move(loaded).error();
    return std::shared_ptr<LoadedModule>(std::move(module));
  }
  Result<void*> allocate(std::size_t bytes) override { return device_->allocate(bytes); }
  void free(void* address) noexcept override {
    work_.drain();
    device_->free(address);
  }
  Result<void> upload(void* to, const void* from, std::size_t bytes) override {
    if (auto done = work_.finish(); !done) return done;
    return device_->upload(to, from, bytes);
  }
  Result<void> download(void* to, const void* from, std::size_t bytes) override {
    if (auto done = work_.finish(); !done) return done;
    return device_->download(to, from, bytes);
  }
  Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) override {
    if (auto done = work_.finish(); !done) return done;
    return device_->fill(to, value, bytes);
  }
  Result<std::unique_ptr<StreamDriver>> createStream(const StreamOptions&) override {
    auto stream = device_->createStream();
    if (!stream) return std::move(stream).error();
    return std::unique_ptr<StreamDriver>(std::make_unique<PluginStream>(*std::move(stream)));
  }
  Result<void> synchronize() override { return work_.finish(); }

 private:
  std::unique_ptr<sdk::RuntimeDevice> device_;
  QueuedWork work_;
};

/// What was found until now. Libraries stay loaded: their code is in objects that the program holds.
struct Plugged {
  std::mutex mutex;
  std::vector<std::filesystem::path> folders;
  std::map<std::string, const RuntimePlugin*, std::less<>> loaded;
  /// One driver object a device as long as anybody holds it: streams and modules of two handles then go together.
  std::map<std::pair<std::string, int>, std::weak_ptr<DeviceDriver>> open;
};
Plugged& plugged() {
  static Plugged all;
  return all;
}

std::vector<std::filesystem::path> foldersToSearch(const Plugged& all) {
  std::vector<std::filesystem::path> out = all.folders;
  const char* const value = std::getenv("LATHE_TARGET_PATH");
  for (const std::string_view folder : parts(value ? value : "", ':'))
    if (!folder.empty()) out.emplace_back(folder);
  return out;
}

/// "NAME-runtime.so" in one of the folders; empty if it is in none.
std::filesystem::path findLibrary(const Plugged& all, std::string_view name) {
  // A name is a word: with a slash in it, it would be a path to anywhere.
  if (name.empty() || name.find('/') != std::string_view::npos) return {};
  const std::string file = std::string(name) + "-runtime.so";
  for (const auto& folder : foldersToSearch(all)) {
    for (const auto& candidate : {folder / file, folder / name / file}) {
      std::error_code ignored;
      if (std::filesystem::is_regular_file(candidate, ignored)) return std::filesystem::absolute(candidate, ignored);
    }
  }
  return {};
}

Result<const RuntimePlugin*> loadLibrary(const std::filesystem::path& path, std::string_view name) {
  const auto fail = [&](std::string why, std::string remedy) {
    return Error{.code = ErrorCode::PluginInvalid,
                 .message = "runtime " + path.string() + ": " + std::move(why),
                 .hint = std::move(remedy),
                 .target = std::string(name)};
  };
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* const why = dlerror();
    return fail(why ? why : "it cannot be opened", "check that the libraries it needs are found");
  }
  const auto* const plugin = static_cast<const RuntimePlugin*>(dlsym(library, "lathe_runtime"));
  std::string why;
  if (!plugin) {
    why = "it has no symbol 'lathe_runtime'";
  } else if (plugin->abiVersion != sdk::runtimeAbiVersion) {
    why = "it has runtime ABI version " + std::to_string(plugin->abiVersion) + ", this Lathe has " +
          std::to_string(sdk::runtimeAbiVersion);
  } else if (plugin->structSize < sizeof(RuntimePlugin) || !plugin->name || !plugin->version || !plugin->deviceCount ||
             !plugin->open) {
    why = "its description is incomplete";
  } else if (plugin->name != name) {
    why = "it is runtime '" + std::string(plugin->name) + "'";
  }
  if (why.empty()) return plugin;
  dlclose(library);
  return fail(std::move(why),
              "build it against this Lathe's headers, with LATHE_RUNTIME_PLUGIN, and name it "
              "NAME-runtime.so");
}

}  // namespace

Result<std::shared_ptr<DeviceDriver>> openPluginDevice(std::string_view name, int index) {
  Plugged& all = plugged();
  const std::scoped_lock lock(all.mutex);
  auto known = all.loaded.find(name);
  if (known == all.loaded.end()) {
    const auto path = findLibrary(all, name);
    if (path.empty()) return std::shared_ptr<DeviceDriver>();
    auto plugin = loadLibrary(path, name);
    if (!plugin) return std::move(plugin).error();
    known = all.loaded.emplace(name, *plugin).first;
  }
  const RuntimePlugin& plugin = *known->second;
  const auto count = plugin.deviceCount();
  if (!count) return count.error();
  if (index < 0 || index >= *count) return noSuchDevice(name, index, *count);
  auto& open = all.open[{std::string(name), index}];
  if (auto driver = open.lock()) return driver;
  auto device = plugin.open(index);
  if (!device) return std::move(device).error();
  DeviceInfo info = (*device)->info();
  info.runtime = name;
  info.index = index;
  auto driver = std::make_shared<PluginDevice>(std::move(info), *std::move(device));
  open = driver;
  return std::shared_ptr<DeviceDriver>(std::move(driver));
}

}  // namespace lathe::detail

void lathe::sdk::addRuntimeFolder(std::filesystem::path folder) {
  auto& all = detail::plugged();
  const std::scoped_lock lock(all.mutex);
  all.folders.push_back(std::move(folder));
}
