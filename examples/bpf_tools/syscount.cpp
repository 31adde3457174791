// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows which system calls take most time, of one process or all.
//
//   lathe_syscount syscount.bpf.cpp [SECONDS [PROCESS]]
#include <sys/syscall.h>

#include <algorithm>
#include <map>

#include "tool.h"

#include "syscount.h"

namespace {

/// Those that are met most; others are shown by their number.
const std::map<long, const char*> names = {
    {SYS_read, "read"},
    {SYS_write, "write"},
    {SYS_openat, "openat"},
    {SYS_close, "close"},
    {SYS_mmap, "mmap"},
    {SYS_munmap, "munmap"},
    {SYS_futex, "futex"},
    {SYS_ioctl, "ioctl"},
    {SYS_clock_nanosleep, "clock_nanosleep"},
    {SYS_nanosleep, "nanosleep"},
    {SYS_ppoll, "ppoll"},
    {SYS_epoll_pwait, "epoll_pwait"},
    {SYS_getpid, "getpid"},
    {SYS_sendto, "sendto"},
    {SYS_recvfrom, "recvfrom"},
    {SYS_wait4, "wait4"},
    {SYS_execve, "execve"},
    {SYS_lseek, "lseek"},
    {SYS_mprotect, "mprotect"},
    {SYS_pread64, "pread64"},
    {SYS_rt_sigaction, "rt_sigaction"},
    {SYS_rt_sigprocmask, "rt_sigprocmask"},
    {SYS_bpf, "bpf"},
};

lathe::Result<void> run(const char* source, double seconds, std::uint32_t process) {
  auto object = tool::open(source);
  if (!object) return object.error();
  const auto only = object->global<std::uint32_t>("only_process");
  if (!only) return only.error();
  **only = process;
  if (auto loaded = object->load(); !loaded) return loaded;
  auto links = object->attachAll();
  if (!links) return links.error();
  tool::waitFor(seconds, [] {});
  links->clear();

  const auto calls = object->map<std::uint32_t, Calls>("calls");
  if (!calls) return calls.error();
  const auto entries = calls->allEntries();
  if (!entries) return entries.error();
  std::vector<std::pair<std::uint32_t, Calls>> rows;
  for (const auto& [number, ofCpus] : *entries) {
    Calls all{};
    for (const Calls& one : ofCpus) {
      all.count += one.count;
      all.nanoseconds += one.nanoseconds;
    }
    if (all.count != 0) rows.emplace_back(number, all);
  }
  std::ranges::sort(rows, [](const auto& a, const auto& b) { return a.second.nanoseconds > b.second.nanoseconds; });
  std::printf("%-20s %10s %12s %12s\n", "call", "count", "total us", "us each");
  for (const auto& [number, all] : rows) {
    const auto name = names.find(number);
    const std::string shown = name == names.end() ? "call " + std::to_string(number) : name->second;
    std::printf("%-20s %10llu %12llu %12.1f\n", shown.c_str(), all.count, all.nanoseconds / 1000,
                static_cast<double>(all.nanoseconds) / 1000 / static_cast<double>(all.count));
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fputs("usage: lathe_syscount PROGRAM.bpf.cpp [SECONDS [PROCESS]]\n", stderr), 2;
  return tool::report(
      run(argv[1], argc > 2 ? std::atof(argv[2]) : 1, argc > 3 ? static_cast<std::uint32_t>(std::atoi(argv[3])) : 0));
}
