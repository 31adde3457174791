// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's side of kernel code.
#include "runtimes/cpu/host/host_functions.h"

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "core/abi/runtime_abi.h"
#include "runtimes/common/kernel_state.h"

namespace lathe::detail {

[[gnu::tls_model("initial-exec")]] thread_local HostLaunch::Frame* HostLaunch::innermost_ = nullptr;

void HostLaunch::endGroup() noexcept {
  if (!innermost_) std::abort();  // code that no launch runs
  innermost_->launch->stop();
  std::longjmp(innermost_->exit, 1);
}

void HostLaunch::endWithoutMemory() noexcept {
  innermost_->launch->lackedMemory_.store(true, std::memory_order_relaxed);
  endGroup();
}

bool HostLaunch::convergeGrid() noexcept {
  if (!innermost_) std::abort();  // code that no launch runs
  HostLaunch& launch = *innermost_->launch;
  if (!launch.meeting_) {
    const auto& groups = innermost_->groups->groupCount;
    return groups[0] == 1 && groups[1] == 1 && groups[2] == 1;
  }
  innermost_->waitsForGrid = true;
  if (innermost_->checks) innermost_->checks->waitForGrid();
  launch.meeting_->arrive_and_wait();
  if (innermost_->checks) innermost_->checks->waited();
  innermost_->waitsForGrid = false;
  if (stall::Calls* const calls = HostLaunch::calls()) calls->count();  // who met has gone on
  if (launch.stopped()) endGroup();
  return true;
}

void HostLaunch::finishGroups() noexcept {
  if (!innermost_->checks) return;
  try {
    innermost_->checks->finishGroup();
  } catch (const std::bad_alloc&) {
    innermost_->launch->lackedMemory_.store(true, std::memory_order_relaxed);
  }
}

GroupChecks& HostLaunch::beginChecks() {
  if (!innermost_) std::abort();  // code that no launch runs
  // Not in the thread's own block: programs that open the library late (dlopen) have some 500 bytes of it for
  // everything.
  static thread_local const auto checks = std::make_unique<GroupChecks>();
  Frame& frame = *innermost_;
  checks->begin(frame.launch->checks_, *frame.groups, frame.sharedBytes);
  frame.checks = checks.get();
  return *checks;
}

namespace {

/// `body` of the checks; the group ends where they know no way to go on.
template <class Body>
void check(const Body& body) noexcept {
  bool enough = false, memory = true;
  try {
    GroupChecks& checks = HostLaunch::checks();
    body(checks);
    enough = checks.enough();
  } catch (const std::bad_alloc&) {
    memory = false;
  }
  // By a jump, so not from within the block above.
  if (!memory) HostLaunch::endWithoutMemory();
  if (enough) HostLaunch::endGroup();
}

void checkEnter(std::uint32_t item, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  check([&](GroupChecks& checks) { checks.enter(item, {x, y, z}); });
}
void* checkAccess(const abi::CheckedSite* site, void* address, void* base, std::uint64_t bytes, std::uint32_t item) {
  if (GroupChecks* const begun = HostLaunch::begunChecks(); begun && begun->isQuiet(*site, address, base, bytes, item))
    return address;
  void* out = nullptr;
  check([&](GroupChecks& checks) { out = checks.access(*site, address, base, bytes, item); });
  if (!out) HostLaunch::endGroup();
  return out;
}
std::uint64_t checkFirst(void* base) {
  return HostLaunch::checks().argument(reinterpret_cast<std::uintptr_t>(base)).first;
}
std::uint64_t checkSize(void* base) {
  const MemoryRange range = HostLaunch::checks().argument(reinterpret_cast<std::uintptr_t>(base));
  return range.last - range.first;
}
void checkBarrier(const abi::CheckedSite* site, std::uint32_t item) {
  check([&](GroupChecks& checks) { checks.barrier(*site, item); });
}
void checkConverge(std::uint32_t item, std::uint64_t mask, std::uint32_t size) {
  check([&](GroupChecks& checks) { checks.meet(item, mask, size); });
}
void checkConverged(std::uint32_t item) {
  check([&](GroupChecks& checks) { checks.met(item); });
}
void checkFence(std::uint32_t item) {
  check([&](GroupChecks& checks) { checks.fence(item); });
}

void checkWait(const abi::CheckedSite* site, std::uint32_t item) {
  bool goesOn = true;
  check([&](GroupChecks& checks) { goesOn = checks.wait(*site, item); });
  if (!goesOn) HostLaunch::endGroup();
}
void checkWaited() {
  HostLaunch::checks().waited();
}

void* exceptionOfLaunch() {
  HostLaunch* const launch = HostLaunch::current();
  return launch ? &launch->exception() : nullptr;
}

bool convergeGrid() {
  return HostLaunch::convergeGrid();
}

void endGroupOfLaunch() {
  HostLaunch::endGroup();
}

unsigned print(const char* format, const std::byte* arguments, const char* types) {
  HostLaunch* const launch = HostLaunch::current();
  if (!launch) return ~0U;
  const auto values = unpackPrint(types, arguments, format);
  launch->output().write(formatPrint(format, values));
  return static_cast<unsigned>(values.size());
}

std::uint32_t launchKernel(void* code, const void* arguments, std::uint64_t bytes, std::uint64_t /*stream*/,
                           std::uint32_t gridX, std::uint32_t gridY, std::uint32_t gridZ, std::uint32_t groupX,
                           std::uint32_t groupY, std::uint32_t groupZ, std::uint32_t sharedBytes, std::uint32_t when) {
  constexpr std::uint32_t behindAll = 2;
  return HostLaunch::current()->launches().add(arguments, bytes,
                                               {.code = code,
                                                .arguments = {},
                                                .grid = {gridX, gridY, gridZ},
                                                .group = {groupX, groupY, groupZ},
                                                .dynamicSharedBytes = sharedBytes,
                                                .last = when == behindAll});
}

std::uint32_t launchStatus() {
  HostLaunch* const launch = HostLaunch::current();
  return launch ? launch->launches().status() : 0;
}

}  // namespace

namespace {

template <class T>
constexpr char letterOf() {
  if constexpr (std::is_void_v<T>) return 'v';
  if constexpr (std::is_same_v<T, bool>) return 't';
  if constexpr (std::is_same_v<T, std::uint32_t>) return 'i';
  if constexpr (std::is_same_v<T, std::uint64_t>) return 'l';
  if constexpr (std::is_pointer_v<T>) return 'p';
  return '?';
}

/// The address of what stands for a function of the runtime ABI, which must have its type.
template <RuntimeId Id, class Result, class... Parameters>
void* addressOf(Result (*function)(Parameters...)) {
  constexpr char letters[] = {letterOf<Result>(), letterOf<Parameters>()...};
  static_assert(std::string_view(letters, sizeof letters) == runtimeEntry(Id).signature,
                "core/abi/runtime_abi.def has another type");
  return reinterpret_cast<void*>(function);
}

}  // namespace

void* hostFunction(std::string_view name) {
  const RuntimeEntry* const entry = findRuntimeEntry(name);
  if (!entry) return nullptr;
  switch (entry->id) {
    case RuntimeId::host_exception:
      return addressOf<RuntimeId::host_exception>(&exceptionOfLaunch);
    case RuntimeId::host_end_group:
      return addressOf<RuntimeId::host_end_group>(&endGroupOfLaunch);
    case RuntimeId::host_grid_barrier:
      return addressOf<RuntimeId::host_grid_barrier>(&convergeGrid);
    case RuntimeId::host_print:
      return addressOf<RuntimeId::host_print>(&print);
    case RuntimeId::host_launch:
      return addressOf<RuntimeId::host_launch>(&launchKernel);
    case RuntimeId::host_launch_status:
      return addressOf<RuntimeId::host_launch_status>(&launchStatus);
    case RuntimeId::check_enter:
      return addressOf<RuntimeId::check_enter>(&checkEnter);
    case RuntimeId::check_access:
      return addressOf<RuntimeId::check_access>(&checkAccess);
    case RuntimeId::check_first:
      return addressOf<RuntimeId::check_first>(&checkFirst);
    case RuntimeId::check_size:
      return addressOf<RuntimeId::check_size>(&checkSize);
    case RuntimeId::check_barrier:
      return addressOf<RuntimeId::check_barrier>(&checkBarrier);
    case RuntimeId::check_converge:
      return addressOf<RuntimeId::check_converge>(&checkConverge);
    case RuntimeId::check_converged:
      return addressOf<RuntimeId::check_converged>(&checkConverged);
    case RuntimeId::check_fence:
      return addressOf<RuntimeId::check_fence>(&checkFence);
    case RuntimeId::check_wait:
      return addressOf<RuntimeId::check_wait>(&checkWait);
    case RuntimeId::check_waited:
      return addressOf<RuntimeId::check_waited>(&checkWaited);
    default:
      return nullptr;
  }
}

}  // namespace lathe::detail
