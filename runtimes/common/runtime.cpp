// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The public classes of <lathe/runtime.h>: checks that hold for every runtime, then one call into it.
#include <lathe/runtime.h>
#include <lathe/signature.h>

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "core/support/nearest.h"
#include "runtimes/common/kernel_state.h"
#include "runtimes/common/plugin_runtime.h"
#include "runtimes/common/kept_code.h"
#include "runtimes/common/portable_code.h"
#include "runtimes/common/promises.h"
#include "runtimes/common/registry.h"

namespace lathe {
namespace {

using detail::DeviceDriver;
using detail::Runtime;

Error invalid(std::string message) {
  return {.code = ErrorCode::InvalidArgument, .message = std::move(message)};
}

Result<void> checkRange(std::size_t have, std::size_t bytes, std::size_t offset) {
  if (offset <= have && bytes <= have - offset) return {};
  return invalid(fmt::format("memory: {} bytes at offset {} do not lie within its {} bytes", bytes, offset, have));
}

/// Opens devices so that one device has one driver object as long as anybody holds it: streams and modules of two
/// handles to it then go together.
Result<std::shared_ptr<DeviceDriver>> openShared(const Runtime& runtime, int index) {
  static std::mutex mutex;
  static std::map<std::pair<std::string_view, int>, std::weak_ptr<DeviceDriver>> open;
  const std::scoped_lock lock(mutex);
  auto& known = open[{runtime.name, index}];
  if (auto driver = known.lock()) return driver;
  auto driver = runtime.open(index);
  if (driver) known = *driver;
  return driver;
}

}  // namespace

Error detail::noSuchDevice(std::string_view runtime, int index, int count) {
  return {
      .code = ErrorCode::DeviceNotFound,
      .message = fmt::format("{}: there is no device {}; this machine has {}, counted from 0", runtime, index, count),
      .target = std::string(runtime)};
}

// --- Memory

Memory::Memory(Memory&& other) noexcept
    : driver_(std::move(other.driver_)),
      address_(std::exchange(other.address_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(driver_, other.driver_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Memory::~Memory() {
  if (address_) driver_->free(address_);
}

Result<void> Memory::upload(const void* from, std::size_t bytes, std::size_t offset) {
  if (auto inside = checkRange(bytes_, bytes, offset); !inside || bytes == 0) return inside;
  return driver_->upload(static_cast<std::byte*>(address_) + offset, from, bytes);
}

Result<void> Memory::download(void* to, std::size_t bytes, std::size_t offset) const {
  if (auto inside = checkRange(bytes_, bytes, offset); !inside || bytes == 0) return inside;
  return driver_->download(to, static_cast<const std::byte*>(address_) + offset, bytes);
}

Result<void> Memory::fill(std::uint8_t value) {
  if (bytes_ == 0) return {};
  return driver_->fill(address_, value, bytes_);
}

// --- Event

Event::Event(Event&&) noexcept = default;

Event& Event::operator=(Event&& other) noexcept {
  // Swapped, not moved member by member: the old event must go before the device it belongs to.
  std::swap(driver_, other.driver_);
  std::swap(event_, other.event_);
  return *this;
}

Event::~Event() = default;

Result<void> Event::synchronize() const {
  return event_->synchronize();
}

Result<double> Event::elapsedUntil(const Event& later) const {
  if (later.driver_ != driver_) return invalid("event: the other one is of another device");
  return event_->elapsedUntil(*later.event_);
}

// --- Stream

Stream::Stream(Stream&&) noexcept = default;

Stream& Stream::operator=(Stream&& other) noexcept {
  // Swapped, not moved member by member: the old queue must go before the device it belongs to.
  std::swap(driver_, other.driver_);
  std::swap(stream_, other.stream_);
  std::swap(start_, other.start_);
  return *this;
}

Stream::~Stream() = default;

Result<void> Stream::synchronize() {
  return stream_->synchronize();
}

Result<Event> Stream::record() {
  auto event = stream_->record();
  if (!event) return std::move(event).error();
  Event out;
  out.driver_ = driver_;
  out.event_ = *std::move(event);
  return out;
}

Result<void> Stream::wait(const Event& event) {
  if (event.driver_ != driver_) return invalid("stream: the event is of another device");
  return stream_->wait(*event.event_);
}

Result<void> Stream::recordStart() {
  auto start = stream_->record();
  if (!start) return std::move(start).error();
  start_ = *std::move(start);
  return {};
}

Result<double> Stream::elapsedSinceStart() {
  if (!start_) return invalid("stream: no start was recorded; call recordStart() first");
  auto stop = stream_->record();
  if (!stop) return std::move(stop).error();
  return start_->elapsedUntil(**stop);
}

void* Stream::nativeHandle() const noexcept {
  return stream_->nativeHandle();
}

// --- RawKernel

namespace {
Result<void> checkCount(const EntryPoint& entry, std::span<const void* const> arguments) {
  if (arguments.size() == entry.parameters.size()) return {};
  return Error{.code = ErrorCode::ArgumentMismatch,
               .message = fmt::format("kernel '{}': {} arguments were given for {} parameters", entry.name,
                                      arguments.size(), entry.parameters.size())};
}
}  // namespace

const EntryPoint& RawKernel::entry() const noexcept {
  return kernel_->entry();
}

Result<void> RawKernel::launch(const LaunchOptions& options, std::span<const void* const> arguments) const {
  const EntryPoint& entry = kernel_->entry();
  if (auto counted = checkCount(entry, arguments); !counted) return counted;
  if (auto possible = detail::checkLaunch(entry, kernel_->limits(), options); !possible) return possible;
  if (auto promised = detail::checkArguments(entry, arguments); !promised) return promised;
  detail::StreamDriver* stream = nullptr;
  if (options.stream) {
    if (options.stream->driver_.get() != &kernel_->device()) {
      return Error{
          .code = ErrorCode::LaunchInvalid,
          .message = fmt::format(
              "kernel '{}': the stream belongs to another device; create it from the device the module was loaded on",
              entry.name)};
    }
    stream = options.stream->stream_.get();
  }
  return kernel_->launch(options, stream, arguments);
}

Result<Job> RawKernel::specialised(Job job, const LaunchOptions& options,
                                   std::span<const void* const> arguments) const {
  const EntryPoint& entry = kernel_->entry();
  if (auto counted = checkCount(entry, arguments); !counted) return std::move(counted).error();
  job.entries = {entry.name};
  job.options.launchBounds.groupSize = {options.group.x, options.group.y, options.group.z};
  job.options.promises = detail::promisesOf(entry, arguments, std::move(job.options.promises));
  return job;
}

Result<ResourceUse> RawKernel::resources() const {
  return kernel_->resources();
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
  return invalid(fmt::format("image: there is no global variable '{}'{}", name, detail::didYouMean(name, known)));
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
    Error error = invalid(fmt::format("there is no runtime '{}'{}", runtime, detail::didYouMean(runtime, runtimes())));
    error.hint = fmt::format("runtimes: {}", fmt::join(runtimes(), ", "));
    return error;
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
  auto module = driver_->load(image);
  if (!module) return std::move(module).error();
  Module out;
  out.module_ = *std::move(module);
  return out;
}

Result<Module> Device::load(const FatImage& images) const {
  Error refused{.code = ErrorCode::IncompatibleDevice, .target = info().runtime};
  for (const std::size_t index : images.candidates(info().runtime, info().arch)) {
    auto image = images.image(index);
    if (!image) return std::move(image).error();
    auto module = load(*image);
    const bool isFull = !module && (module.error().code == ErrorCode::OutOfDeviceMemory ||
                                    module.error().code == ErrorCode::OutOfHostMemory);
    if (module || isFull) return module;
    const FatImageEntry& entry = images.entries()[index];
    refused.notes.push_back({fmt::format("{}:{}: {}", entry.target, entry.arch, module.error().message), {}, {}});
  }
  if (const auto portable = detail::portableImage(images)) {
    // What was kept may be another machine's: a folder can be shared.
    if (const auto kept = detail::KeptCode(*portable, info()).find()) {
      if (auto module = load(*kept)) return module;
    }
    const auto compiled = detail::compiledFor(info(), *portable);
    if (compiled) return load(*compiled);
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

Result<Memory> Device::allocateBytes(std::size_t bytes) const {
  Memory out;
  out.driver_ = driver_;
  if (bytes == 0) return out;
  auto address = driver_->allocate(bytes);
  if (!address) return std::move(address).error();
  out.address_ = *address;
  out.bytes_ = bytes;
  return out;
}

Result<Memory> Device::allocateArray(std::size_t count, std::size_t elementBytes) const {
  if (count > std::numeric_limits<std::size_t>::max() / elementBytes) {
    return Error{.code = ErrorCode::OutOfDeviceMemory,
                 .message = fmt::format("{}: {} elements of {} bytes are more than any device has", info().runtime,
                                        count, elementBytes),
                 .target = info().runtime};
  }
  return allocateBytes(count * elementBytes);
}

Result<Stream> Device::createStream() const {
  auto stream = driver_->createStream();
  if (!stream) return std::move(stream).error();
  Stream out;
  out.driver_ = driver_;
  out.stream_ = *std::move(stream);
  return out;
}

void Device::setPrintSink(std::function<void(std::string_view)> sink) const {
  driver_->printOutput().set(std::move(sink));
}

Result<void> Device::synchronize() const {
  return driver_->synchronize();
}

}  // namespace lathe
