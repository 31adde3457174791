// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Making, reading and freeing the states of a GPU's queues.
#include "runtimes/common/gpu_state.h"

#include <algorithm>
#include <utility>

namespace lathe::detail {

GpuApi::Status GpuQueueState::prepare(const GpuApi& api) {
  if (memory_.exists()) return 0;
  void* memory = nullptr;
  if (const Status status = api.allocateHost(memory, stateBytes); status != 0) return status;
  memory_ = StateMemory(memory);
  memory_.initialise();
  return 0;
}

Result<void> GpuQueueState::collect(std::uint64_t seen, PrintOutput& output, const KernelNumbers& names,
                                    std::string_view target) {
  const std::scoped_lock lock(mutex_);
  if (!memory_.exists() || launches_ != seen) return {};
  memory_.drainPrints(output);
  return memory_.takeException([&](std::uint64_t kernel) { return names.nameOf(kernel); }, target);
}

void GpuQueueState::release(const GpuApi& api) noexcept {
  const std::scoped_lock lock(mutex_);
  if (memory_.exists()) (void)api.freeHost(memory_.address());
  memory_ = StateMemory();
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
