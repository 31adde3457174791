// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making, reading and freeing the states of a GPU's queues.
#include "runtimes/common/gpu/gpu_state.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <utility>

namespace lathe::detail {

GpuApi::Status GpuQueueState::prepare(const GpuApi& api, bool grid) {
  if (!memory_.exists()) {
    void* memory = nullptr;
    if (const Status status = api.allocateHost(memory, stateBytes); status != 0) return status;
    memory_ = StateMemory(memory);
    memory_.initialise();
  }
  if (!grid || (grid_ && !spoilt_)) return 0;
  void* memory = grid_;
  if (const Status status = memory ? 0 : api.allocate(memory, sizeof(abi::GridBarrier)); status != 0) return status;
  grid_ = static_cast<abi::GridBarrier*>(memory);
  Status status = api.fill(grid_, 0, sizeof(abi::GridBarrier));
  if (status == 0) status = api.synchronizeStream(nullptr);  // streams of others do not wait for this one
  spoilt_ = status != 0;
  return status;
}

Result<void> GpuQueueState::collect(std::uint64_t seen, PrintOutput& output, const KernelNumbers& names,
                                    std::string_view target) {
  const std::scoped_lock lock(mutex_);
  if (!memory_.exists() || launches_ != seen) return {};
  memory_.drainPrints(output);
  auto failure = memory_.takeException([&](std::uint64_t kernel) { return names.nameOf(kernel); }, target);
  spoilt_ |= !failure;
  return failure;
}

void GpuQueueState::release(const GpuApi& api) noexcept {
  const std::scoped_lock lock(mutex_);
  if (memory_.exists()) (void)api.freeHost(memory_.address());
  memory_ = StateMemory();
  if (grid_) (void)api.free(grid_);
  grid_ = nullptr;
  parameters_.release(api);
}

Result<std::size_t> GpuHeap::bytes() {
  const char* const text = std::getenv("LATHE_HEAP_BYTES");
  if (!text || !*text) return defaultBytes;
  std::size_t out = 0;
  const std::string_view all(text);
  const auto [end, wrong] = std::from_chars(all.begin(), all.end(), out);
  if (wrong == std::errc() && end == all.end()) return out;
  return Error{.code = ErrorCode::InvalidArgument,
               .message = "LATHE_HEAP_BYTES is '" + std::string(all) + "', not a number of bytes",
               .hint = "it is how much memory kernels of a device may allocate; without it, 8388608"};
}

GpuApi::Status GpuHeap::get(abi::Heap*& out, std::size_t bytes, const GpuApi& api) {
  const std::scoped_lock lock(mutex_);
  out = static_cast<abi::Heap*>(memory_);
  if (out) return 0;
  abi::Heap empty{};
  empty.capacity = bytes / 16 * 16;
  void* memory = nullptr;
  GpuApi::Status status = api.allocate(memory, sizeof(empty) + empty.capacity);
  if (status != 0) return status;
  if (status = api.copyIn(memory, &empty, sizeof(empty)); status != 0) {
    (void)api.free(memory);
    return status;
  }
  memory_ = memory;
  out = static_cast<abi::Heap*>(memory_);
  return 0;
}

void GpuHeap::release(const GpuApi& api) noexcept {
  const std::scoped_lock lock(mutex_);
  if (memory_) (void)api.free(memory_);
  memory_ = nullptr;
}

std::shared_ptr<GpuQueueState> GpuStates::add() {
  auto out = std::make_shared<GpuQueueState>();
  const std::scoped_lock lock(mutex_);
  const auto unused = std::ranges::find_if(queues_, [](const auto& old) { return old.expired(); });
  if (unused == queues_.end())
    queues_.push_back(out);
  else
    *unused = out;
  return out;
}

std::vector<GpuStates::Seen> GpuStates::launched() const {
  std::vector<Seen> out;
  const auto add = [&](std::shared_ptr<GpuQueueState> queue) {
    if (const std::uint64_t launches = queue->launches(); launches != 0) out.push_back({std::move(queue), launches});
  };
  add(default_);
  const std::scoped_lock lock(mutex_);
  for (const auto& one : queues_) {
    if (auto queue = one.lock()) add(std::move(queue));
  }
  return out;
}

}  // namespace lathe::detail
