// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Telling others about loaded code: unwinders, GDB (its "JIT Compilation Interface") and Linux perf (its map files).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace lathe::detail {

/// Makes an .eh_frame section, ended by four zero bytes, known to the unwinder for as long as the object lives.
class UnwindRegistration {
 public:
  explicit UnwindRegistration(std::byte* ehFrame);
  UnwindRegistration(const UnwindRegistration&) = delete;
  UnwindRegistration& operator=(const UnwindRegistration&) = delete;
  ~UnwindRegistration();

 private:
  std::byte* ehFrame_;
};

/// Shows a debugger an ELF file whose section headers hold the addresses its sections are at.
class DebuggerRegistration {
 public:
  explicit DebuggerRegistration(std::string elf);
  DebuggerRegistration(const DebuggerRegistration&) = delete;
  DebuggerRegistration& operator=(const DebuggerRegistration&) = delete;
  ~DebuggerRegistration();
  [[nodiscard]] const std::string& elf() const noexcept { return elf_; }

 private:
  struct Entry;
  std::string elf_;
  std::unique_ptr<Entry> entry_;
};

/// Whether LATHE_PERF_MAP=1 asks for /tmp/perf-PID.map.
[[nodiscard]] bool perfMapWanted();
/// Adds one function to it. Failures are ignored: profiling must not change what a program does.
void addToPerfMap(const void* start, std::uint64_t bytes, std::string_view name);

}  // namespace lathe::detail
