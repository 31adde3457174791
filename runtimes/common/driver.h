// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a runtime implements behind <lathe/runtime.h>. The public classes check what they are asked for once, here for
// all runtimes (ranges, launch options, argument counts, foreign streams), so that a runtime sees only requests that
// make sense.
//
// Ownership: a kernel keeps its module alive, a module its device. Threads: every member may be called from any thread,
// except those of one StreamDriver, which belong to one thread at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <lathe/runtime.h>

#include "runtimes/common/block_copy.h"
#include "runtimes/common/launch_check.h"
#include "runtimes/common/print_text.h"
#include "runtimes/common/textures.h"

namespace lathe::detail {

class GraphDriver;
class LoadedKernel;

/// A point in the work of a stream. It may outlive the stream, but not the device.
class EventDriver {
 public:
  virtual ~EventDriver() = default;
  virtual Result<void> synchronize() const = 0;
  /// Waits for both. Milliseconds from this point to `later`, which is of the same device.
  virtual Result<double> elapsedUntil(const EventDriver& later) const = 0;
};

/// The sides that a copy is between. `within`: both are a device's.
enum class CopyKind : int { upload, download, within };

/// An in-order queue. Work on it starts after what the default stream was given before; copies and the default stream's
/// launches wait for it.
class StreamDriver {
 public:
  virtual ~StreamDriver() = default;
  virtual Result<void> synchronize() = 0;
  /// The point behind what is queued.
  virtual Result<std::unique_ptr<EventDriver>> record() = 0;
  /// Later work begins after the point, which is of a stream of the same device. Does not wait.
  virtual Result<void> wait(const EventDriver& event) = 0;
  [[nodiscard]] virtual void* nativeHandle() const noexcept { return nullptr; }
  /// Whether everything queued is done. As it stands it waits for it.
  virtual Result<bool> isDone() {
    if (auto done = synchronize(); !done) return std::move(done).error();
    return true;
  }

  /// Whether the next three queue what they are asked for. Where not, nobody calls them: queueCopy() and its like wait
  /// for the stream, and let the device do it (stream_work.h).
  [[nodiscard]] virtual bool queues() const noexcept { return false; }
  virtual Result<void> copy(void* /*to*/, const void* /*from*/, std::size_t /*bytes*/, CopyKind) { return {}; }
  virtual Result<void> fill(void* /*to*/, std::uint8_t /*value*/, std::size_t /*bytes*/) { return {}; }
  /// As it stands, row by row.
  virtual Result<void> copyBlock(const BlockCopy& block, CopyKind kind);
  virtual Result<void> call(std::function<void()> /*function*/) { return {}; }

  /// Whether memory comes and goes in the order of the stream; `bytes` is at least 1. Where not, nobody calls the two.
  /// free() may be called from any thread.
  [[nodiscard]] virtual bool hasPool() const noexcept { return false; }
  virtual Result<void*> allocate(std::size_t /*bytes*/) { return nullptr; }
  virtual void free(void* /*address*/) noexcept {}

  /// Whether the driver itself takes what is queued for a graph. Where not, nobody calls the two.
  [[nodiscard]] virtual bool captures() const noexcept { return false; }
  virtual Result<void> beginCapture() { return {}; }
  virtual Result<std::unique_ptr<GraphDriver>> endCapture();
};

/// A graph ready to run.
class GraphRunDriver {
 public:
  virtual ~GraphRunDriver() = default;
  virtual Result<void> launch(StreamDriver& stream) = 0;
  /// `node` is a kernel's, and the arguments are checked.
  virtual Result<void> update(std::size_t node, const LaunchOptions& options,
                              std::span<const void* const> arguments) = 0;
};

/// A graph under construction. What is added has been checked; nodes are numbered from 0.
class GraphDriver {
 public:
  /// A node: the kernel of it, null if it is another kind's.
  using Node = std::shared_ptr<const LoadedKernel>;

  virtual ~GraphDriver() = default;
  [[nodiscard]] const std::vector<Node>& nodes() const noexcept { return nodes_; }
  /// Whether it was made of what a stream was given: no node of it is known to its user.
  [[nodiscard]] bool isCaptured() const noexcept { return isCaptured_; }
  void markCaptured() noexcept { isCaptured_ = true; }
  virtual Result<void> addKernel(std::span<const GraphNode> after, const Node& kernel, const LaunchOptions& options,
                                 std::span<const void* const> arguments) = 0;
  virtual Result<void> addCopy(std::span<const GraphNode> after, void* to, const void* from, std::size_t bytes,
                               CopyKind kind) = 0;
  virtual Result<void> addFill(std::span<const GraphNode> after, void* to, std::uint8_t value, std::size_t bytes) = 0;
  /// For graphs that are captured, whose nodes run in their order. As it stands, a node for each row.
  virtual Result<void> addBlock(const BlockCopy& block, CopyKind kind);
  virtual Result<void> addCall(std::span<const GraphNode> after, std::function<void()> function) = 0;
  virtual Result<std::unique_ptr<GraphRunDriver>> instantiate() const = 0;
  /// For who adds: the node that was added, and for captured graphs the kernels to keep.
  void note(Node kernel) { nodes_.push_back(std::move(kernel)); }

 private:
  std::vector<Node> nodes_;
  bool isCaptured_ = false;
};

class LoadedKernel {
 public:
  LoadedKernel(const EntryPoint& entry, const LaunchLimits& limits);
  virtual ~LoadedKernel() = default;
  [[nodiscard]] const EntryPoint& entry() const noexcept { return entry_; }
  [[nodiscard]] const LaunchLimits& limits() const noexcept { return limits_; }
  /// Whether the code was compiled for values of arguments, which launches must compare (promises.h).
  [[nodiscard]] bool hasPromises() const noexcept { return hasPromises_; }
  [[nodiscard]] virtual const DeviceDriver& device() const noexcept = 0;
  /// Queues one launch on `stream`, or on the default stream if it is null. One pointer for each parameter of the
  /// entry.
  virtual Result<void> launch(const LaunchOptions& options, StreamDriver* stream,
                              std::span<const void* const> arguments) const = 0;
  [[nodiscard]] virtual Result<ResourceUse> resources() const { return entry_.resources; }
  [[nodiscard]] virtual CodeArchitectures architectures() const noexcept { return {}; }
  /// Groups of so many items that a multiprocessor runs at once; the group is possible. Errors: Unsupported.
  [[nodiscard]] virtual Result<std::uint32_t> groupsAtOnce(std::uint32_t groupItems,
                                                           std::uint32_t dynamicSharedBytes) const;
  /// The items of a group that RawKernel::optionsFor() found best; 0: it was not asked.
  [[nodiscard]] std::atomic<std::uint32_t>& chosenSize() const noexcept { return chosenSize_; }

 private:
  const EntryPoint& entry_;  ///< in the module's image
  LaunchLimits limits_;
  bool hasPromises_;
  mutable std::atomic<std::uint32_t> chosenSize_ = 0;
};

class LoadedModule : public std::enable_shared_from_this<LoadedModule> {
 public:
  explicit LoadedModule(Image image) : image_(std::move(image)) {}
  virtual ~LoadedModule() = default;
  [[nodiscard]] const Image& image() const noexcept { return image_; }
  /// `entry` is one of image().info().entries.
  virtual Result<std::shared_ptr<LoadedKernel>> kernel(const EntryPoint& entry) = 0;
  /// A function of the code that a host program may call itself; null if there is none of that name.
  [[nodiscard]] virtual void* function(std::string_view /*name*/) { return nullptr; }
  /// `global` is one of image().info().globals.
  virtual Result<std::pair<void*, std::size_t>> global(const GlobalVariable& global) = 0;

 private:
  Image image_;
};

class DeviceDriver : public std::enable_shared_from_this<DeviceDriver> {
 public:
  explicit DeviceDriver(DeviceInfo info) : info_(std::move(info)) {}
  virtual ~DeviceDriver() = default;
  [[nodiscard]] const DeviceInfo& info() const noexcept { return info_; }
  virtual Result<std::shared_ptr<LoadedModule>> load(const Image& image) = 0;
  /// `symbols` are what the program gives to the code, where a runtime's code can use the program's memory.
  virtual Result<std::shared_ptr<LoadedModule>> loadWith(const Image& image, const HostSymbols& /*symbols*/) {
    return load(image);
  }
  /// What speaks for an entry of a fat image whose architecture is not this device's by name: of those that load, the
  /// greatest is the best.
  [[nodiscard]] virtual std::size_t preference(const FatImageEntry& /*entry*/) const { return 0; }
  /// `bytes` is at least 1.
  virtual Result<void*> allocate(std::size_t bytes) = 0;
  virtual void free(void* address) noexcept = 0;
  virtual Result<void> upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual Result<void> download(void* to, const void* from, std::size_t bytes) = 0;
  virtual Result<void> fill(void* to, std::uint8_t value, std::size_t bytes) = 0;
  virtual Result<std::unique_ptr<StreamDriver>> createStream(const StreamOptions& options) = 0;
  virtual Result<void> synchronize() = 0;

  // What not every runtime has. As they stand they are of one that has not.

  /// Memory that the host reaches too: pinned or managed. `bytes` is at least 1. Errors: Unsupported.
  virtual Result<void*> allocateReached(std::size_t bytes, MemoryKind kind);
  virtual void freeReached(void* /*address*/, MemoryKind /*kind*/) noexcept {}
  /// Between memory of devices; waits. As it stands it goes by way of the host.
  virtual Result<void> copyWithin(void* to, const void* from, std::size_t bytes);
  /// Waits. As it stands, row by row.
  virtual Result<void> copyBlock(const BlockCopy& block, CopyKind kind);
  /// A stream by the vendor's handle. Errors: Unsupported.
  virtual Result<std::unique_ptr<StreamDriver>> adoptStream(void* nativeHandle);
  /// As it stands, one whose nodes are queued one by one (recorded_graph.h).
  virtual Result<std::unique_ptr<GraphDriver>> createGraph();
  /// `other` is of the same runtime. Errors: Unsupported.
  virtual Result<bool> canReach(const DeviceDriver& /*other*/) const { return false; }
  virtual Result<void> reach(const DeviceDriver& other);
  virtual Result<std::size_t> limit(DeviceLimit limit) const;
  virtual Result<void> setLimit(DeviceLimit limit, std::size_t bytes);
  // Texels. As they stand they are for kernels that read textures in software (textures.h).
  virtual ArrayResult createArray(const ArrayShape& shape);
  virtual TextureResult createTexture(std::shared_ptr<TexelArrayDriver> array, const Sampling& sampling);
  virtual TextureResult createTexture(void* address, const PlainImage& image, const Sampling& sampling);
  virtual TextureResult createSurface(std::shared_ptr<TexelArrayDriver> array, std::uint32_t level);
  /// `shape` has every stride and step. Errors: Unsupported.
  virtual Result<TensorMap> createTensorMap(void* address, const TensorShape& shape) const;
  /// The failure of what this runtime cannot do: "managed memory".
  [[nodiscard]] Error lacks(std::string_view what) const;
  /// Whether kernels get their hidden state here.
  [[nodiscard]] virtual bool givesState() const noexcept { return false; }
  /// Where the text goes that kernels print through the runtime.
  [[nodiscard]] PrintOutput& printOutput() const noexcept { return printOutput_; }

 private:
  DeviceInfo info_;
  mutable PrintOutput printOutput_;
};

/// A runtime: what the generated list names.
struct Runtime {
  std::string_view name;
  /// Devices present; fails where there is no driver.
  Result<int> (*deviceCount)();
  /// `index` is below deviceCount().
  Result<std::shared_ptr<DeviceDriver>> (*open)(int index);
  /// False for a runtime that runs no kernels of a grid: it opens by name but is not among the machine's devices.
  bool listed = true;
  /// A device by a vendor's context; null: there are none.
  Result<std::shared_ptr<DeviceDriver>> (*adopt)(void* nativeContext) = nullptr;
};

}  // namespace lathe::detail
