// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the GPU runtimes have in common. Every step is: make the context current, call the driver, convert its status.
#include "runtimes/common/gpu_device.h"

#include <algorithm>
#include <atomic>
#include <vector>

#include <fmt/format.h>

#include "runtimes/common/all_arguments.h"
#include "runtimes/common/gpu_state.h"

namespace lathe::detail {
namespace {

using Handle = GpuApi::Handle;
using Status = GpuApi::Status;

class GpuDevice final : public DeviceDriver {
 public:
  GpuDevice(const GpuApi& api, DeviceInfo info, Handle context)
      : DeviceDriver(std::move(info)), api_(api), context_(context), states_(this->info().runtime) {}
  ~GpuDevice() override {
    if (states_.defaultQueue().launches() != 0) (void)synchronize();  // prints what nobody waited for
    if (states_.defaultQueue().launches() != 0 || heap_.exists()) {
      quietlyIn([&] {
        states_.defaultQueue().release(api_);
        heap_.release(api_);
        return 0;
      });
    }
    (void)api_.releaseContext(info().index, context_);
  }

  [[nodiscard]] const GpuApi& api() const noexcept { return api_; }
  [[nodiscard]] GpuStates& states() const noexcept { return states_; }
  [[nodiscard]] GpuHeap& heap() const noexcept { return heap_; }
  [[nodiscard]] bool givesState() const noexcept override { return true; }

  /// Runs `step`, which calls the driver and gives its status, in this device's context.
  template <class Step>
  Result<void> in(std::string_view doing, const Step& step) const {
    Status status = api_.makeCurrent(context_);
    if (status == 0) status = step();
    if (status == 0) return {};
    return api_.error(status, doing);
  }
  /// For destructors, which can tell nobody of a failure.
  template <class Step>
  void quietlyIn(const Step& step) const noexcept {
    if (api_.makeCurrent(context_) == 0) (void)step();
  }

  Result<std::shared_ptr<LoadedModule>> load(const Image& image) override;
  Result<std::unique_ptr<StreamDriver>> createStream() override;

  Result<void*> allocate(std::size_t bytes) override {
    void* out = nullptr;
    if (auto done = in("allocating memory", [&] { return api_.allocate(out, bytes); }); !done) {
      done.error().message = fmt::format("{} ({} bytes of the device's {} were asked for)", done.error().message, bytes,
                                         info().memoryBytes);
      return std::move(done).error();
    }
    return out;
  }
  void free(void* address) noexcept override {
    quietlyIn([&] { return api_.free(address); });
  }
  Result<void> upload(void* to, const void* from, std::size_t bytes) override {
    return in("copying to the device", [&] { return api_.copyIn(to, from, bytes); });
  }
  Result<void> download(void* to, const void* from, std::size_t bytes) override {
    return states_.around(printOutput(),
                          [&] { return in("copying from the device", [&] { return api_.copyOut(to, from, bytes); }); });
  }
  Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) override {
    return in("filling memory", [&] {
      const Status status = api_.fill(to, value, bytes);
      return status == 0 ? api_.synchronizeStream(nullptr) : status;
    });
  }
  Result<void> synchronize() override {
    return states_.around(printOutput(),
                          [&] { return in("waiting for the device", [&] { return api_.synchronizeContext(); }); });
  }

 private:
  const GpuApi& api_;
  Handle context_;
  mutable GpuStates states_;
  mutable GpuHeap heap_;
};

class GpuEvent final : public EventDriver {
 public:
  /// The public Event keeps the device.
  GpuEvent(const GpuDevice& device, Handle event) : device_(device), event_(event) {}
  ~GpuEvent() override {
    device_.quietlyIn([&] { return device_.api().destroyEvent(event_); });
  }
  [[nodiscard]] Handle handle() const noexcept { return event_; }
  Result<void> synchronize() const override {
    return device_.in("waiting for an event", [&] { return device_.api().synchronizeEvent(event_); });
  }
  Result<double> elapsedUntil(const EventDriver& later) const override {
    const Handle end = static_cast<const GpuEvent&>(later).event_;
    float out = 0;
    auto done = device_.in("timing a stream", [&] {
      Status status = device_.api().synchronizeEvent(event_);
      if (status == 0) status = device_.api().synchronizeEvent(end);
      return status == 0 ? device_.api().elapsed(out, event_, end) : status;
    });
    if (!done) return std::move(done).error();
    return double{out};
  }

 private:
  const GpuDevice& device_;
  Handle event_;
};

class GpuStream final : public StreamDriver {
 public:
  /// The public Stream keeps the device.
  GpuStream(const GpuDevice& device, Handle stream) : device_(device), stream_(stream), state_(device.states().add()) {}
  ~GpuStream() override {
    const bool usesState = state_->launches() != 0;
    if (usesState) (void)synchronize();  // kernels that still run write to it
    device_.quietlyIn([&] {
      if (usesState) state_->release(device_.api());
      return device_.api().destroyStream(stream_);
    });
  }
  Result<void> synchronize() override {
    return device_.states().around(*state_, device_.printOutput(), [&] {
      return device_.in("waiting for a stream", [&] { return device_.api().synchronizeStream(stream_); });
    });
  }
  Result<std::unique_ptr<EventDriver>> record() override {
    Handle event = nullptr;
    auto done = device_.in("recording an event", [&] {
      const Status status = device_.api().createEvent(event);
      return status == 0 ? device_.api().recordEvent(event, stream_) : status;
    });
    std::unique_ptr<EventDriver> out;
    if (event) out = std::make_unique<GpuEvent>(device_, event);
    if (!done) return std::move(done).error();
    return out;
  }
  Result<void> wait(const EventDriver& event) override {
    const Handle handle = static_cast<const GpuEvent&>(event).handle();
    return device_.in("making a stream wait", [&] { return device_.api().waitForEvent(stream_, handle); });
  }
  [[nodiscard]] void* nativeHandle() const noexcept override { return stream_; }
  [[nodiscard]] GpuQueueState& state() const noexcept { return *state_; }

 private:
  const GpuDevice& device_;
  Handle stream_;
  std::shared_ptr<GpuQueueState> state_;
};

class GpuModule final : public LoadedModule {
 public:
  GpuModule(Image image, std::shared_ptr<GpuDevice> device, Handle module)
      : LoadedModule(std::move(image)), device_(std::move(device)), module_(module) {}
  ~GpuModule() override {
    device_->quietlyIn([&] { return device_->api().unloadModule(module_); });
  }
  [[nodiscard]] const GpuDevice& device() const noexcept { return *device_; }
  Result<std::shared_ptr<LoadedKernel>> kernel(const EntryPoint& entry) override;
  Result<std::pair<void*, std::size_t>> global(const GlobalVariable& global) override {
    std::pair<void*, std::size_t> out;
    auto found = device_->in("finding a variable", [&] {
      return device_->api().findGlobal(out.first, out.second, module_, global.symbol.c_str());
    });
    if (!found) return std::move(found).error();
    return out;
  }

 private:
  std::shared_ptr<GpuDevice> device_;
  Handle module_;
};

class GpuKernel final : public LoadedKernel {
 public:
  /// The function that serves several groups in each that is launched, and the most items it runs in one.
  struct Coarse {
    Handle function = nullptr;
    std::uint32_t maxItems = 0;
  };

  GpuKernel(const EntryPoint& entry, const LaunchLimits& limits, const GpuFunctionFacts& facts, std::size_t heapBytes,
            std::shared_ptr<const GpuModule> module, Handle function, const Coarse& coarse)
      : LoadedKernel(entry, limits),
        facts_(facts),
        module_(std::move(module)),
        device_(module_->device()),
        function_(function),
        coarse_(coarse),
        leastItems_(entry.coarse.leastItems * std::max(device_.info().multiprocessors, 1U)),
        heapBytes_(heapBytes) {
    const std::uint32_t plain = device_.api().plainSharedBytes();
    if (entry.abi == EntryAbi::state) number_ = device_.states().kernels().numberOf(entry.name);
    allowed_ = plain - std::min(plain, limits.sharedBytes);
  }
  ~GpuKernel() override {
    device_.api().releaseFunction(function_);
    if (coarse_.function) device_.api().releaseFunction(coarse_.function);
  }

  [[nodiscard]] const DeviceDriver& device() const noexcept override { return device_; }

  Result<void> launch(const LaunchOptions& given, StreamDriver* stream,
                      std::span<const void* const> arguments) const override {
    const GpuApi& api = device_.api();
    const LaunchOptions options = asDriverTakes(given, entry().cluster);
    auto queued = device_.in("launching a kernel", [&] {
      if (options.dynamicSharedBytes > allowed_.load(std::memory_order_relaxed)) {
        const std::uint32_t most = limits().maxSharedBytes - limits().sharedBytes;
        if (const Status status = api.allowDynamicShared(function_, most); status != 0) return status;
        allowed_.store(most, std::memory_order_relaxed);
      }
      const Handle native = stream ? stream->nativeHandle() : nullptr;
      const bool coarse = isCoarse(options);
      if (entry().hidden.empty() && !coarse) return api.launch(function_, options, native, arguments.data());
      AllArguments all(arguments);
      LaunchOptions launched = options;
      if (coarse) launched.grid.x = (options.grid.x - 1) / entry().coarse.groups + 1;
      const auto queue = [&] {
        if (coarse) all.add(&options.grid.x);
        return api.launch(coarse ? coarse_.function : function_, launched, native, all.data());
      };
      if (entry().abi == EntryAbi::state) return withState(stream, all, options, queue);
      const std::uint64_t shape = groupShapeOf(options.group);
      addHidden(all, options, shape, nullptr);
      return queue();
    });
    if (!queued) {
      Error& error = queued.error();
      error.message = fmt::format("kernel '{}': {}", entry().name, error.message);
      if (error.code == ErrorCode::DriverError) error.code = ErrorCode::LaunchFailed;
    }
    return queued;
  }

  [[nodiscard]] Result<ResourceUse> resources() const override {
    ResourceUse out = entry().resources;
    out.registers = facts_.registers;
    out.sharedBytes = facts_.sharedBytes;
    out.localBytes = facts_.localBytes;
    out.constantBytes = facts_.constantBytes;
    return out;
  }

 private:
  /// Drivers read a cluster's fixed size from the code, and a grid in the unit that the code says.
  static LaunchOptions asDriverTakes(LaunchOptions options, const ClusterBounds& bounds) {
    if (bounds.size[0] == 0) return options;
    options.cluster = {};
    if (bounds.countsClusters)
      options.grid = {options.grid.x / bounds.size[0], options.grid.y / bounds.size[1],
                      options.grid.z / bounds.size[2]};
    return options;
  }

  /// Whether the launch takes the function that serves several groups in one.
  [[nodiscard]] bool isCoarse(const LaunchOptions& options) const {
    if (!coarse_.function || options.cooperative || options.cluster != Extent3{} || options.dynamicSharedBytes != 0)
      return false;
    return options.grid.x >= entry().coarse.groups && options.group.count() <= coarse_.maxItems &&
           options.grid.count() * options.group.count() >= leastItems_;
  }

  /// Adds what the entry expects behind its parameters.
  void addHidden(AllArguments& all, const LaunchOptions& options, const std::uint64_t& shape, const void* state) const {
    const void* const size = &options.dynamicSharedBytes;
    for (const Parameter& one : entry().hidden) all.add(isState(one) ? state : isGroupShape(one) ? &shape : size);
  }
  /// Adds the kernel's state, and queues the launch.
  template <class Queue>
  Status withState(StreamDriver* stream, AllArguments& all, const LaunchOptions& options,
                   const Queue& queueLaunch) const {
    GpuQueueState& queue = stream ? static_cast<GpuStream*>(stream)->state() : device_.states().defaultQueue();
    abi::Heap* heap = nullptr;
    if (heapBytes_ != 0) {
      if (const Status status = device_.heap().get(heap, heapBytes_, device_.api()); status != 0) return status;
    }
    return queue.launch(device_.api(), number_, heap, [&](const abi::KernelState& state) {
      const HiddenArgument hidden = hiddenArgument(*std::ranges::find_if(entry().hidden, isState), state);
      const std::uint64_t shape = groupShapeOf(options.group);
      addHidden(all, options, shape, hidden.bytes.data());
      return queueLaunch();
    });
  }

  GpuFunctionFacts facts_;
  std::shared_ptr<const GpuModule> module_;
  const GpuDevice& device_;
  Handle function_;
  Coarse coarse_;
  std::uint64_t leastItems_;  ///< of a launch that takes it
  std::uint64_t number_ = 0;  ///< in states of kernels
  std::size_t heapBytes_;     ///< 0: it takes none
  /// Races are harmless: two threads then allow the same amount.
  mutable std::atomic<std::uint32_t> allowed_ = 0;  ///< dynamic shared bytes
};

Result<std::shared_ptr<LoadedKernel>> GpuModule::kernel(const EntryPoint& entry) {
  Handle function = nullptr;
  GpuKernel::Coarse coarse;
  GpuFunctionFacts facts;
  const GpuApi& api = device_->api();
  auto found = device_->in(fmt::format("finding kernel '{}'", entry.name), [&] {
    Status status = api.findFunction(function, module_, entry, entry.symbol.c_str());
    if (status == 0) status = api.functionFacts(facts, function);
    if (status != 0 || entry.coarse.groups == 0) return status;
    GpuFunctionFacts ofCoarse;
    status = api.findFunction(coarse.function, module_, entry, entry.coarse.symbol.c_str());
    if (status == 0) status = api.functionFacts(ofCoarse, coarse.function);
    coarse.maxItems = static_cast<std::uint32_t>(ofCoarse.maxItems);
    return status;
  });
  if (!found) return std::move(found).error();
  LaunchLimits limits = limitsOf(device_->info(), entry);
  limits.sharedBytes = static_cast<std::uint32_t>(facts.sharedBytes);
  limits.maxItems = std::min(limits.maxItems, static_cast<std::uint32_t>(facts.maxItems));
  std::size_t heapBytes = 0;
  if (wantsHeap(entry)) {
    auto bytes = GpuHeap::bytes();
    if (!bytes) return std::move(bytes).error();
    heapBytes = *bytes;
  }
  auto self = std::static_pointer_cast<const GpuModule>(shared_from_this());
  return std::shared_ptr<LoadedKernel>(
      std::make_shared<GpuKernel>(entry, limits, facts, heapBytes, std::move(self), function, coarse));
}

std::vector<Note> linesOf(std::string_view log) {
  std::vector<Note> out;
  while (!log.empty()) {
    const auto end = std::min(log.find('\n'), log.size());
    if (end != 0) out.push_back({.message = std::string(log.substr(0, end))});
    log.remove_prefix(std::min(end + 1, log.size()));
  }
  return out;
}

Error noUsableCode(const Image& image, const DeviceInfo& device) {
  std::string have;
  for (const Code& code : image.code())
    have += fmt::format("{}{} for {}", have.empty() ? "" : ", ", code.format, code.arch.empty() ? "?" : code.arch);
  return {.code = ErrorCode::IncompatibleDevice,
          .message = fmt::format("image: it holds {}, which {} ({}) cannot run; compile it for {}",
                                 have.empty() ? "no code" : have, device.name, device.arch, device.arch),
          .hint = "lathe targets lists the targets and their architectures",
          .target = device.runtime};
}

Result<std::shared_ptr<LoadedModule>> GpuDevice::load(const Image& image) {
  const auto usable = api_.usableCode(image, info());
  Error error = noUsableCode(image, info());
  for (const Code* code : usable) {
    Handle module = nullptr;
    std::string log;
    auto loaded = in(fmt::format("loading {} for {}", code->format, code->arch),
                     [&] { return api_.loadModule(module, *code, image.info().optLevel, log); });
    if (loaded) {
      auto self = std::static_pointer_cast<GpuDevice>(shared_from_this());
      return std::shared_ptr<LoadedModule>(std::make_shared<GpuModule>(image, std::move(self), module));
    }
    error = std::move(loaded).error();
    error.notes = linesOf(log);
    // Only code for another device makes the next candidate worth a try.
    if (error.code != ErrorCode::IncompatibleDevice) break;
  }
  return error;
}

Result<std::unique_ptr<StreamDriver>> GpuDevice::createStream() {
  Handle stream = nullptr;
  auto created = in("creating a stream", [&] { return api_.createStream(stream); });
  if (!created) return std::move(created).error();
  return std::unique_ptr<StreamDriver>(std::make_unique<GpuStream>(*this, stream));
}

}  // namespace

Result<std::shared_ptr<DeviceDriver>> openGpuDevice(const GpuApi& api, DeviceInfo info) {
  Handle context = nullptr;
  if (const Status status = api.retainContext(info.index, context); status != 0) {
    return api.error(status, fmt::format("opening device {}", info.index));
  }
  return std::shared_ptr<DeviceDriver>(std::make_shared<GpuDevice>(api, std::move(info), context));
}

}  // namespace lathe::detail
