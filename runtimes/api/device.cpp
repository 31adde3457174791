// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public Device and Module: checks that hold for every runtime, then one call into it.
#include <lathe/runtime.h>
#include <lathe/signature.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <tuple>

#include <fmt/format.h>

#include "core/support/log.h"
#include "core/support/nearest.h"
#include "runtimes/api/checks.h"
#include "runtimes/common/kept_code.h"
#include "runtimes/common/kernel_state.h"
#include "runtimes/common/plugin_runtime.h"
#include "runtimes/common/portable_code.h"
#include "runtimes/common/registry.h"

namespace lathe {
namespace {

using detail::DeviceDriver;
using detail::invalidArgument;
using detail::log;
using detail::logs;
using detail::Runtime;

/// Opens devices so that one device, or one context of others, has one driver object as long as anybody holds it:
/// streams and modules of two handles to it then go together. `context`: null for the device's own.
Result<std::shared_ptr<DeviceDriver>> openShared(const Runtime& runtime, int index, void* context = nullptr) {
  static std::mutex mutex;
  static std::map<std::tuple<std::string_view, int, void*>, std::weak_ptr<DeviceDriver>> open;
  std::unique_lock lock(mutex);
  auto& known = open[{runtime.name, index, context}];
  if (auto driver = known.lock()) return driver;
  auto driver = context ? runtime.adopt(context) : runtime.open(index);
  if (!driver || !*driver) return driver;
  known = *driver;
  lock.unlock();  // whoever listens may open devices
  if (logs(LogLevel::info)) {
    const DeviceInfo& info = (*driver)->info();
    log(LogLevel::info, "runtime",
        fmt::format("{}: device {} opened{}: {} ({}), driver {}", runtime.name, info.index,
                    context ? " by a context of others" : "", info.name, info.arch,
                    info.driverVersion.empty() ? "unknown" : info.driverVersion));
  }
  return driver;
}

Error noSuchRuntime(std::string_view name) {
  const std::vector<std::string> known = Device::runtimes();
  Error error = invalidArgument(fmt::format("there is no runtime '{}'{}", name, detail::didYouMean(name, known)));
  error.hint = fmt::format("runtimes: {}", fmt::join(known, ", "));
  return error;
}

}  // namespace

Error detail::noSuchDevice(std::string_view runtime, int index, int count) {
  return {
      .code = ErrorCode::DeviceNotFound,
      .message = fmt::format("{}: there is no device {}; this machine has {}, counted from 0", runtime, index, count),
      .target = std::string(runtime)};
}

// --- Module

const Image& Module::image() const noexcept {
  return module_->image();
}

Result<RawKernel> Module::rawKernel(std::string_view name) const {
  auto entry = module_->image().entry(name);
  if (!entry) return std::move(entry).error();
  if (auto known = detail::checkHidden(**entry); !known) return std::move(known).error();
  auto kernel = module_->kernel(**entry);
  if (!kernel) return std::move(kernel).error();
  if ((*entry)->abi == EntryAbi::state && !(*kernel)->device().givesState()) {
    return Error{
        .code = ErrorCode::Unsupported,
        .message = fmt::format("kernel '{}': it expects Lathe's state as a hidden argument, which runtime '{}' "
                               "does not give; compile it with the bare entry ABI",
                               (*entry)->name, module_->image().info().runtime)};
  }
  RawKernel out;
  out.kernel_ = *std::move(kernel);
  return out;
}

Result<void*> Module::functionAddress(std::string_view name) const {
  if (void* const address = module_->function(name)) return address;
  return Error{.code = ErrorCode::UndefinedFunction,
               .message = fmt::format("image: its code has no function '{}' that a host program may call", name),
               .hint = "compile for target 'object', and mark functions that are no kernels with LATHE_EXPORT"};
}

Result<std::pair<void*, std::size_t>> Module::global(std::string_view name) const {
  const auto& globals = module_->image().info().globals;
  auto found = std::ranges::find(globals, name, &GlobalVariable::name);
  if (found == globals.end()) found = std::ranges::find(globals, name, &GlobalVariable::symbol);
  if (found != globals.end()) return module_->global(*found);
  std::vector<std::string> known;
  for (const GlobalVariable& global : globals) known.push_back(global.name);
  return invalidArgument(
      fmt::format("image: there is no global variable '{}'{}", name, detail::didYouMean(name, known)));
}

// --- Device

Result<Device> Device::open(std::string_view runtime, int index) {
  const auto all = detail::builtinRuntimes();
  const auto found = std::ranges::find(all, runtime, &Runtime::name);
  if (found == all.end()) {
    auto plugged = detail::openPluginDevice(runtime, index);
    if (!plugged) return std::move(plugged).error();
    if (*plugged) {
      Device out;
      out.driver_ = *std::move(plugged);
      return out;
    }
    return noSuchRuntime(runtime);
  }
  const auto count = (*found)->deviceCount();
  if (!count) return count.error();
  if (index < 0 || index >= *count) return detail::noSuchDevice(runtime, index, *count);
  auto driver = openShared(**found, index);
  if (!driver) return std::move(driver).error();
  Device out;
  out.driver_ = *std::move(driver);
  return out;
}

Result<Device> Device::adopt(std::string_view runtime, void* nativeContext) {
  const auto all = detail::builtinRuntimes();
  const auto found = std::ranges::find(all, runtime, &Runtime::name);
  if (found == all.end()) return noSuchRuntime(runtime);
  if (!nativeContext) return invalidArgument(fmt::format("{}: the context to adopt is null", runtime));
  auto driver = (*found)->adopt ? openShared(**found, 0, nativeContext) : std::shared_ptr<DeviceDriver>();
  if (!driver) return std::move(driver).error();
  if (!*driver) {
    return Error{.code = ErrorCode::Unsupported,
                 .message = fmt::format("{}: there are no contexts of others to adopt", runtime),
                 .target = std::string(runtime)};
  }
  Device out;
  out.driver_ = *std::move(driver);
  return out;
}

std::vector<DeviceInfo> Device::list() {
  std::vector<DeviceInfo> out;
  for (const Runtime* runtime : detail::builtinRuntimes()) {
    const auto count = runtime->listed ? runtime->deviceCount() : 0;
    for (int i = 0; count && i < *count; ++i) {
      if (const auto driver = openShared(*runtime, i)) out.push_back((*driver)->info());
    }
  }
  return out;
}

std::vector<std::string> Device::runtimes() {
  std::vector<std::string> out;
  for (const Runtime* runtime : detail::builtinRuntimes()) out.emplace_back(runtime->name);
  return out;
}

const DeviceInfo& Device::info() const noexcept {
  return driver_->info();
}

Result<Module> Device::load(const Image& image) const {
  return load(image, HostSymbols());
}

Result<Module> Device::load(const Image& image, const HostSymbols& symbols) const {
  const std::string& wanted = image.info().runtime;
  if (wanted != info().runtime) {
    return Error{
        .code = ErrorCode::IncompatibleDevice,
        .message = wanted.empty()
                       ? fmt::format("image: code for target '{}' is not for launching; no runtime loads it",
                                     image.info().target)
                       : fmt::format("image: it is for runtime '{}', not '{}'; compile it for a target of this device",
                                     wanted, info().runtime),
        .target = info().runtime};
  }
  const auto began = std::chrono::steady_clock::now();
  auto module = driver_->loadWith(image, symbols);
  if (!module) return std::move(module).error();
  if (logs(LogLevel::debug)) {
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    log(LogLevel::debug, "runtime",
        fmt::format("{}: {} for {} loaded in {:.2f} ms", info().runtime, image.info().provenance.sourceName,
                    image.info().arch, took.count()));
  }
  Module out;
  out.module_ = *std::move(module);
  return out;
}

Result<Module> Device::load(const FatImage& images) const {
  return load(images, HostSymbols());
}

Result<Module> Device::load(const FatImage& images, const HostSymbols& symbols) const {
  Error refused{.code = ErrorCode::IncompatibleDevice, .target = info().runtime};
  std::vector<std::size_t> candidates = images.candidates(info().runtime, info().arch);
  std::ranges::stable_sort(candidates, std::ranges::greater(),
                           [&](std::size_t index) { return driver_->preference(images.entries()[index]); });
  for (const std::size_t index : candidates) {
    auto image = images.image(index);
    if (!image) return std::move(image).error();
    auto module = load(*image, symbols);
    const bool isFull = !module && (module.error().code == ErrorCode::OutOfDeviceMemory ||
                                    module.error().code == ErrorCode::OutOfHostMemory);
    if (module || isFull) return module;
    const FatImageEntry& entry = images.entries()[index];
    refused.notes.push_back({fmt::format("{}:{}: {}", entry.target, entry.arch, module.error().message), {}, {}});
    log(LogLevel::info, "runtime", "passed over: " + refused.notes.back().message);
    std::ranges::copy(module.error().notes, std::back_inserter(refused.notes));
  }
  if (const auto portable = detail::portableImage(images)) {
    // What was kept may be another machine's: a folder can be shared.
    if (const auto kept = detail::KeptCode(*portable, info()).find()) {
      if (auto module = load(*kept, symbols)) return module;
    }
    log(LogLevel::info, "runtime", "portable code is compiled for " + info().arch);
    const auto compiled = detail::compiledFor(info(), *portable);
    if (compiled) return load(*compiled, symbols);
    refused.notes.push_back({fmt::format("portable: {}", compiled.error().message), {}, {}});
  }
  std::string all;
  for (const FatImageEntry& entry : images.entries())
    all += fmt::format("{}{}:{}", all.empty() ? "" : ", ", entry.target, entry.arch);
  refused.message = fmt::format("fat image: nothing in it fits {} ({}, {}); it holds {}", info().name, info().runtime,
                                info().arch, all);
  refused.hint = "compile it for this device too";
  return refused;
}

Result<Module> Device::load(const FatImage& images, std::span<const PublicKey> trusted) const {
  if (auto signer = verify(images, trusted); !signer) return std::move(signer).error();
  return load(images);
}

Result<Memory> Device::allocateBytes(std::size_t bytes, MemoryKind kind) const {
  if (kind == MemoryKind::borrowed)
    return invalidArgument("memory: borrowed memory is there already; Device::borrow() makes an object of it");
  Memory out;
  out.driver_ = driver_;
  out.kind_ = kind;
  if (bytes == 0) return out;
  auto address = kind == MemoryKind::device ? driver_->allocate(bytes) : driver_->allocateReached(bytes, kind);
  if (!address) return std::move(address).error();
  out.address_ = *address;
  out.bytes_ = bytes;
  return out;
}

Result<Memory> Device::allocateArray(std::size_t count, std::size_t elementBytes, MemoryKind kind) const {
  auto bytes = detail::arrayBytes(info().runtime, count, elementBytes);
  if (!bytes) return std::move(bytes).error();
  return allocateBytes(*bytes, kind);
}

Memory Device::borrow(void* address, std::size_t bytes) const {
  Memory out;
  out.driver_ = driver_;
  out.kind_ = MemoryKind::borrowed;
  out.address_ = address;
  out.bytes_ = address ? bytes : 0;
  return out;
}

Result<Stream> Device::createStream(const StreamOptions& options) const {
  auto stream = driver_->createStream(options);
  if (!stream) return std::move(stream).error();
  Stream out;
  out.driver_ = driver_;
  out.stream_ = *std::move(stream);
  return out;
}

Result<Stream> Device::adoptStream(void* nativeHandle) const {
  auto stream = driver_->adoptStream(nativeHandle);
  if (!stream) return std::move(stream).error();
  Stream out;
  out.driver_ = driver_;
  out.stream_ = *std::move(stream);
  return out;
}

Result<Graph> Device::createGraph() const {
  auto graph = driver_->createGraph();
  if (!graph) return std::move(graph).error();
  Graph out;
  out.driver_ = driver_;
  out.graph_ = *std::move(graph);
  return out;
}

Result<bool> Device::canReach(const Device& other) const {
  if (other.driver_ == driver_) return true;
  if (other.info().runtime != info().runtime) return false;
  return driver_->canReach(*other.driver_);
}

Result<void> Device::reach(const Device& other) const {
  if (other.driver_ == driver_) return {};
  if (other.info().runtime != info().runtime) {
    return invalidArgument(fmt::format("{}: kernels cannot use the memory of a device of runtime '{}'", info().runtime,
                                       other.info().runtime));
  }
  return driver_->reach(*other.driver_);
}

Result<std::size_t> Device::limit(DeviceLimit limit) const {
  return driver_->limit(limit);
}

Result<void> Device::setLimit(DeviceLimit limit, std::size_t bytes) const {
  return driver_->setLimit(limit, bytes);
}

void Device::setPrintSink(std::function<void(std::string_view)> sink) const {
  driver_->printOutput().set(std::move(sink));
}

Result<void> Device::synchronize() const {
  return driver_->synchronize();
}

}  // namespace lathe
