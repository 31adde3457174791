// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interfaces are fixed by others: libgcc's frame registration, GDB's manual ("JIT Compilation Interface", the
// layout and names of the two symbols), and perf's tools/perf/Documentation/jit-interface.txt.
#include "runtimes/cpu/loader/debugger.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>

extern "C" {

void __register_frame(void* begin);
void __deregister_frame(void* begin);

struct jit_code_entry {
  jit_code_entry* next_entry;
  jit_code_entry* prev_entry;
  const char* symfile_addr;
  std::uint64_t symfile_size;
};

struct jit_descriptor {
  std::uint32_t version;
  std::uint32_t action_flag;  ///< 0 nothing, 1 registered, 2 about to go
  jit_code_entry* relevant_entry;
  jit_code_entry* first_entry;
};

/// GDB finds both by name, in a stripped library too, and stops in the function, which must be called and do nothing.
[[gnu::used, gnu::visibility("default")]] jit_descriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};
[[gnu::used, gnu::visibility("default"), gnu::noinline]] void __jit_debug_register_code() {
  asm volatile("" ::: "memory");
}
}

namespace lathe::detail {
namespace {

std::mutex& descriptorMutex() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

UnwindRegistration::UnwindRegistration(std::byte* ehFrame) : ehFrame_(ehFrame) {
  __register_frame(ehFrame_);
}
UnwindRegistration::~UnwindRegistration() {
  __deregister_frame(ehFrame_);
}

struct DebuggerRegistration::Entry : jit_code_entry {};

DebuggerRegistration::DebuggerRegistration(std::string elf) : elf_(std::move(elf)), entry_(std::make_unique<Entry>()) {
  entry_->symfile_addr = elf_.data();
  entry_->symfile_size = elf_.size();
  const std::scoped_lock lock(descriptorMutex());
  jit_descriptor& all = __jit_debug_descriptor;
  entry_->next_entry = all.first_entry;
  if (all.first_entry) all.first_entry->prev_entry = entry_.get();
  all.first_entry = all.relevant_entry = entry_.get();
  all.action_flag = 1;
  __jit_debug_register_code();
}

DebuggerRegistration::~DebuggerRegistration() {
  const std::scoped_lock lock(descriptorMutex());
  jit_descriptor& all = __jit_debug_descriptor;
  (entry_->prev_entry ? entry_->prev_entry->next_entry : all.first_entry) = entry_->next_entry;
  if (entry_->next_entry) entry_->next_entry->prev_entry = entry_->prev_entry;
  all.relevant_entry = entry_.get();
  all.action_flag = 2;
  __jit_debug_register_code();
}

bool perfMapWanted() {
  const char* const value = std::getenv("LATHE_PERF_MAP");
  return value && std::string_view(value) == "1";
}

void addToPerfMap(const void* start, std::uint64_t bytes, std::string_view name) {
  const std::string path = fmt::format("/tmp/perf-{}.map", ::getpid());
  std::FILE* const file = std::fopen(path.c_str(), "ae");
  if (!file) return;
  // One write a line: other threads, and other just-in-time compilers in the process, append too.
  const std::string line = fmt::format("{:x} {:x} {}\n", reinterpret_cast<std::uintptr_t>(start), bytes, name);
  (void)std::fwrite(line.data(), 1, line.size(), file);
  (void)std::fclose(file);
}

}  // namespace lathe::detail
