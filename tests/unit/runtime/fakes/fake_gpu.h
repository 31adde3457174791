// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver with graphs for tests of what the GPU runtimes share: device memory is host memory, a launch runs a function
// of the test's at once, and what a stream is given while it captures becomes nodes of a graph.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtimes/common/gpu/gpu_api.h"

namespace lathe::test {

class FakeGpu final : public detail::GpuApi {
 public:
  // Set by a test.
  std::function<void(const void* const* arguments)> kernel;  ///< what every launch runs
  std::function<void()> whileWaiting;                        ///< runs once, in the next wait for the device
  std::string failing;                                       ///< the function that fails next, once

  // Set by the driver.
  mutable std::set<const void*> memory, hostMemory;  ///< alive
  mutable int functions = 0;                         ///< alive
  mutable int uploads = 0;

  [[nodiscard]] Error error(Status status, std::string_view doing) const override {
    return {.code = ErrorCode::DriverError, .message = std::string(doing) + ": " + std::to_string(status)};
  }
  Status retainContext(int, Handle& out) const override { return out = &out, 0; }
  Status releaseContext(int, Handle) const override { return 0; }
  Status makeCurrent(Handle) const override { return 0; }

  [[nodiscard]] std::vector<const Code*> usableCode(const Image& image, const DeviceInfo&) const override {
    return {&image.code().front()};
  }
  Status loadModule(Handle& out, const Code&, unsigned, std::string&) const override { return out = &modules_, 0; }
  Status unloadModule(Handle) const override { return 0; }
  Status findFunction(Handle& out, Handle, const EntryPoint& entry, const char*) const override {
    if (fails("findFunction") || (functions != 0 && fails("findFunction twice"))) return 1;
    ++functions;
    return out = const_cast<EntryPoint*>(&entry), 0;
  }
  void releaseFunction(Handle) const noexcept override { --functions; }
  Status findGlobal(void*&, std::size_t&, Handle, const char*) const override { return 1; }
  Status functionFacts(detail::GpuFunctionFacts& out, Handle) const override {
    out.maxItems = 1024;
    return fails("functionFacts") ? 1 : 0;
  }
  [[nodiscard]] std::uint32_t plainSharedBytes() const noexcept override { return 1U << 15; }
  Status allowDynamicShared(Handle, std::uint32_t) const override { return 0; }
  Status launch(Handle function, const LaunchOptions&, Handle stream, const void* const* arguments) const override {
    return give(stream, launchOf(function, arguments));
  }

  Status allocate(void*& out, std::size_t bytes) const override { return allocateIn(memory, out, bytes); }
  Status free(void* address) const override { return freeIn(memory, address); }
  Status allocateHost(void*& out, std::size_t bytes) const override { return allocateIn(hostMemory, out, bytes); }
  Status freeHost(void* address) const override { return freeIn(hostMemory, address); }
  Status copyIn(void* to, const void* from, std::size_t bytes) const override {
    return std::memcpy(to, from, bytes), 0;
  }
  Status copyOut(void* to, const void* from, std::size_t bytes) const override {
    return std::memcpy(to, from, bytes), 0;
  }
  Status fill(void* to, std::uint8_t value, std::size_t bytes) const override {
    return std::memset(to, value, bytes), 0;
  }

  Status createStream(Handle& out, int) const override { return out = new Stream, 0; }
  Status destroyStream(Handle stream) const override { return delete static_cast<Stream*>(stream), 0; }
  Status synchronizeStream(Handle stream) const override { return stream && capturedBy(stream) ? 1 : 0; }
  Status synchronizeContext() const override {
    if (const auto during = std::exchange(const_cast<FakeGpu*>(this)->whileWaiting, nullptr)) during();
    return 0;
  }
  Status createEvent(Handle& out) const override { return out = new Stream, 0; }
  Status destroyEvent(Handle event) const override { return delete static_cast<Stream*>(event), 0; }
  /// A stream that waits for an event of a capture takes part in it.
  Status recordEvent(Handle event, Handle stream) const override { return join(event, stream); }
  Status waitForEvent(Handle stream, Handle event) const override { return join(stream, event); }
  Status synchronizeEvent(Handle) const override { return 0; }
  Status elapsed(float&, Handle, Handle) const override { return 0; }

  [[nodiscard]] bool queues() const noexcept override { return true; }
  Status copyOn(void* to, const void* from, std::size_t bytes, detail::CopyKind, Handle stream) const override {
    ++uploads;
    return give(stream, [=] { std::memcpy(to, from, bytes); });
  }
  Status callOn(Handle stream, const detail::HostCall& call) const override {
    return give(stream, [=] { call.function(call.data); });
  }

  [[nodiscard]] bool hasGraphs() const noexcept override { return true; }
  Status beginCapture(Handle stream) const override {
    auto& one = *static_cast<Stream*>(stream);
    one.graph = std::make_shared<Steps>();
    one.captures = true;
    return 0;
  }
  Status endCapture(Handle& graph, Handle stream) const override {
    auto& one = *static_cast<Stream*>(stream);
    graph = new Steps(*one.graph);
    one = {};
    return 0;
  }
  Status createGraph(Handle& graph) const override { return graph = new Steps, 0; }
  Status destroyGraph(Handle graph) const override { return delete static_cast<Steps*>(graph), 0; }
  Status addKernel(Handle& node, Handle graph, std::span<const Handle>, Handle function, const LaunchOptions&,
                   const void* const* arguments) const override {
    auto& steps = *static_cast<Steps*>(graph);
    steps.push_back(launchOf(function, arguments));
    return node = reinterpret_cast<Handle>(steps.size()), 0;
  }
  Status instantiate(Handle& run, Handle graph) const override {
    return run = new Steps(*static_cast<Steps*>(graph)), 0;
  }
  Status destroyRun(Handle run) const override { return delete static_cast<Steps*>(run), 0; }
  Status launchRun(Handle run, Handle) const override {
    for (const auto& step : *static_cast<Steps*>(run)) step();
    return 0;
  }
  Status updateKernel(Handle run, Handle node, Handle function, const LaunchOptions&,
                      const void* const* arguments) const override {
    (*static_cast<Steps*>(run))[reinterpret_cast<std::size_t>(node) - 1] = launchOf(function, arguments);
    return 0;
  }

 private:
  using Steps = std::vector<std::function<void()>>;
  /// A stream, or a point in one.
  struct Stream {
    std::weak_ptr<Steps> joined;
    std::shared_ptr<Steps> graph;
    bool captures = false;
  };

  bool fails(std::string_view function) const {
    auto& next = const_cast<FakeGpu*>(this)->failing;
    return next == function && (next.clear(), true);
  }
  static std::shared_ptr<Steps> capturedBy(Handle stream) {
    const auto& one = *static_cast<Stream*>(stream);
    return one.captures ? one.graph : one.joined.lock();
  }
  static Status join(Handle to, Handle from) {
    if (auto graph = capturedBy(from)) static_cast<Stream*>(to)->joined = graph;
    return 0;
  }
  static Status give(Handle stream, std::function<void()> step) {
    const auto graph = stream ? capturedBy(stream) : nullptr;
    if (graph) return graph->push_back(std::move(step)), 0;
    return step(), 0;
  }
  /// The launch with the values that the arguments have now, as drivers copy them.
  std::function<void()> launchOf(Handle function, const void* const* arguments) const {
    const auto& entry = *static_cast<const EntryPoint*>(function);
    std::vector<std::vector<std::byte>> values;
    const auto add = [&](const Parameter& parameter) {
      const auto* const value = static_cast<const std::byte*>(arguments[values.size()]);
      const std::size_t bytes = parameter.byReference ? sizeof(void*) : std::size_t{parameter.type.size};
      values.emplace_back(value, value + bytes);
    };
    for (const Parameter& parameter : entry.parameters) add(parameter);
    for (const Parameter& parameter : entry.hidden) add(parameter);
    return [this, values = std::move(values)] {
      std::vector<const void*> all;
      for (const auto& value : values) all.push_back(value.data());
      if (kernel) kernel(all.data());
    };
  }
  static Status allocateIn(std::set<const void*>& alive, void*& out, std::size_t bytes) {
    out = ::operator new(bytes);
    return alive.insert(out), 0;
  }
  static Status freeIn(std::set<const void*>& alive, void* address) {
    if (alive.erase(address) == 0) return 1;
    return ::operator delete(address), 0;
  }

  mutable int modules_ = 0;  ///< its address is every module
};

}  // namespace lathe::test
