// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's side of kernel code.
#include "runtimes/cpu/host_functions.h"

#include <cstddef>
#include <cstdlib>
#include <utility>

#include "runtimes/common/kernel_state.h"

namespace lathe::detail {

thread_local HostLaunch::Frame* HostLaunch::innermost_ = nullptr;

void HostLaunch::endGroup() noexcept {
  if (!innermost_) std::abort();  // code that no launch runs
  innermost_->launch->stopped_.store(true, std::memory_order_relaxed);
  std::longjmp(innermost_->exit, 1);
}

namespace {

void* exceptionOfLaunch() {
  HostLaunch* const launch = HostLaunch::current();
  return launch ? &launch->exception() : nullptr;
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

}  // namespace

void* hostFunction(std::string_view name) {
  if (name == "__lathe_host_exception") return reinterpret_cast<void*>(&exceptionOfLaunch);
  if (name == "__lathe_host_end_group") return reinterpret_cast<void*>(&endGroupOfLaunch);
  if (name == "__lathe_host_print") return reinterpret_cast<void*>(&print);
  return nullptr;
}

}  // namespace lathe::detail
