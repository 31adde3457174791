// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of kernels that go wrong on the CPU, where a kernel is native code of the process that launches it: it can
// crash, and it can wait for a group that cannot begin. A program asks for each kind of report once; before that no
// signal handler is installed and no launch is watched. Both functions may be called by any thread.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>

#include <lathe/export.h>

namespace lathe {

/// A kernel that crashed on the CPU, with what is known of it. The texts live until the report function returns.
struct KernelCrash {
  int signal = 0;                           ///< SIGSEGV, SIGBUS, SIGILL or SIGFPE
  std::uintptr_t address = 0;               ///< for SIGSEGV and SIGBUS the accessed one, else the instruction's
  std::string_view kernel = {};             ///< empty: its code was not called by a launch
  std::array<std::uint32_t, 3> group = {};  ///< the first of `groups` neighbours along x, of which one crashed
  std::uint32_t groups = 0;                 ///< 0: not known
  std::string_view function = {};           ///< the symbol of the code
  std::uint64_t offset = 0;                 ///< in bytes, from the function's start
  std::string_view folder = {}, file = {};  ///< of the source, for code with debug information
  std::uint32_t line = 0;
  std::string_view text = {};  ///< the whole report in a few lines, each ended by '\n'
};

/// Receives a crash's report. It runs in a signal handler, on the thread that crashed, and may call async-signal-safe
/// functions only.
using CrashReporter = void (*)(const KernelCrash& crash) noexcept;

/// From now on a kernel of the CPU that raises SIGSEGV, SIGBUS, SIGILL or SIGFPE is reported: to `report`, or if that
/// is null as text to standard error. Then the handler that was there before gets the signal, or the default action
/// ends the process. Signals of other code are passed on untouched. The handlers stay for the life of the process; a
/// further call changes `report` and puts them in front of handlers that were installed since. Kernels of images and of
/// loadObject() are reported, and functions of Module::function() by their symbol. Where the system refuses a handler,
/// nothing is reported.
LATHE_API void reportKernelCrashes(CrashReporter report = nullptr);

/// A thread that runs a kernel, and where it was seen.
struct KernelPlace {
  std::array<std::uint32_t, 3> group = {};  ///< the first of `groups` neighbours along x, of which one runs
  std::uint32_t groups = 0;                 ///< 0: not known
  bool waitsForGrid = false;                ///< at a barrier of the grid
  std::string_view function = {};           ///< the symbol of the code; empty in code that is not the kernel's
  std::uint64_t offset = 0;                 ///< in bytes, from the function's start
  std::string_view folder = {}, file = {};  ///< of the source, for code with debug information
  std::uint32_t line = 0;
};

/// A launch on the CPU none of whose groups was seen to end for some time. It may wait for ever, or only take long. The
/// texts live until the report function returns.
struct KernelStall {
  std::string_view kernel = {};
  double seconds = 0;        ///< the time for which nothing was seen to end
  bool cooperative = false;  ///< each group has a thread of its own
  std::uint64_t groups = 0;  ///< of the launch
  /// Some of its threads; a thread that was seen at several lines has up to three places.
  std::span<const KernelPlace> places = {};
  std::string_view text = {};  ///< the whole report in a few lines, each ended by '\n'
};

/// Receives a stall's report. It runs on a thread of the runtime's own, while the kernel goes on.
using StallReporter = void (*)(const KernelStall& stall) noexcept;

/// From now on a launch on the CPU none of whose groups is seen to end for `after` is reported, once for each kernel:
/// to `report`, or if that is null as text to standard error. The launch goes on. Groups of a plain launch run one
/// after another on each thread, so a kernel that waits for another group may hang. The environment variable
/// `LATHE_CPU_STALL_SECONDS` goes before `after`; 0 switches the reports off. The same time is what checked mode waits
/// before it ends a launch all of whose threads are in loops that only wait. A further call changes `after` and
/// `report`, and reports each kernel again. A thread of the runtime's own watches. It finds out where another thread is
/// by sending it SIGURG; the handler passes every other SIGURG on. Where no thread can be started, nothing is watched.
LATHE_API void reportKernelStalls(std::chrono::milliseconds after = std::chrono::seconds(10),
                                  StallReporter report = nullptr);

}  // namespace lathe
