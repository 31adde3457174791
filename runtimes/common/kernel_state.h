// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of kernels (<lathe/sdk/kernel_state.h>) as runtimes see it: the hidden argument by the image's description,
// the memory that it points to, and what kernels left there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/image.h>
#include <lathe/result.h>
#include <lathe/runtime.h>
#include <lathe/sdk/kernel_state.h>

#include "runtimes/common/print_text.h"

namespace lathe::detail {

/// Whether this library can give what `entry` expects beside its own parameters. Errors: Unsupported, ImageCorrupt.
[[nodiscard]] Result<void> checkHidden(const EntryPoint& entry);

/// The bytes of a hidden argument whose description checkHidden() accepted.
struct HiddenArgument {
  static constexpr std::size_t mostBytes = 256;
  alignas(16) std::array<std::byte, mostBytes> bytes{};
};
[[nodiscard]] HiddenArgument hiddenArgument(const Parameter& hidden, const abi::KernelState& state);
/// Whether a hidden parameter that checkHidden() accepted is the kernel's state; else it is the group's extents
/// (isGroupShape()) or the size of launch-sized shared memory, in 32 bits.
[[nodiscard]] inline bool isState(const Parameter& hidden) noexcept {
  return hidden.type.kind == TypeKind::record;
}

/// Whether it is the group's extents (__lathe_group_shape): the kernel is launched with groups of one row.
[[nodiscard]] inline bool isGroupShape(const Parameter& hidden) noexcept {
  return hidden.name == "group_shape";
}
/// Their value for groups of these extents.
[[nodiscard]] constexpr std::uint64_t groupShapeOf(const Extent3& group) noexcept {
  return group.x | std::uint64_t{group.y} << 21 | std::uint64_t{group.z} << 42;
}

/// Whether the kernel's state has that field ("heap", "grid"). Its description was accepted.
[[nodiscard]] bool wantsOfState(const EntryPoint& entry, std::string_view field);

/// Bytes of memory for one queue's state: the record, the buffer and 1 MiB for what is printed, CUDA's choice.
inline constexpr std::size_t printBytes = std::size_t{1} << 20;
inline constexpr std::size_t stateBytes = sizeof(abi::ExceptionRecord) + sizeof(abi::PrintBuffer) + printBytes;

/// Views the memory of one queue's state, which belongs to others, is `stateBytes` long and aligned to 16. Host and
/// device both reach it. Not thread-safe, and nothing on the device may use the memory while a member runs.
class StateMemory {
 public:
  StateMemory() = default;
  explicit StateMemory(void* memory) : memory_(static_cast<std::byte*>(memory)) {}
  [[nodiscard]] bool exists() const noexcept { return memory_ != nullptr; }
  [[nodiscard]] void* address() const noexcept { return memory_; }
  [[nodiscard]] abi::ExceptionRecord& exception() const noexcept;
  [[nodiscard]] abi::PrintBuffer& print() const noexcept;
  /// Empties it. Only for memory that never was a state.
  void initialise() noexcept;
  /// Prints what was printed, in the order in which the device reserved room, and empties the buffer.
  void drainPrints(PrintOutput& output);
  /// The failure, if there is one, once; `nameOf(kernel)` names the kernel.
  template <class NameOf>
  [[nodiscard]] Result<void> takeException(const NameOf& nameOf, std::string_view target);

 private:
  std::byte* memory_ = nullptr;
};

/// The error that a record tells of. The texts in the record need not end.
[[nodiscard]] Error errorOf(const abi::ExceptionRecord& record, std::string_view kernel, std::string_view target);

/// Appends the text of the records in `data`, which end at the first that is no record.
void formatRecords(std::span<const std::byte> data, std::string& out);

/// Arguments of a device's print as they lie in its packed block, for runtimes that share memory with the device.
[[nodiscard]] std::vector<PrintValue> unpackPrint(const char* types, const std::byte* arguments,
                                                  std::string_view format);

/// Numbers for kernels' names, by which a record finds the kernel again. Safe from any thread.
class KernelNumbers {
 public:
  [[nodiscard]] std::uint64_t numberOf(std::string_view name);
  [[nodiscard]] std::string nameOf(std::uint64_t number) const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> names_;
};

template <class NameOf>
Result<void> StateMemory::takeException(const NameOf& nameOf, std::string_view target) {
  abi::ExceptionRecord& record = exception();
  if (record.claimed == 0) return {};
  Error error = errorOf(record, nameOf(record.kernel), target);
  record.claimed = record.complete = 0;
  return error;
}

}  // namespace lathe::detail
