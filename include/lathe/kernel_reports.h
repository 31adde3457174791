// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports of kernels that go wrong on the CPU, where a kernel is native code of the process that launches it: it can
// crash. A program asks for them once; nothing is watched before it does.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <lathe/export.h>

namespace lathe {

/// A kernel that crashed on the CPU, as far as it is known. The texts live until the report function returns.
struct KernelCrash {
  int signal = 0;                           ///< SIGSEGV, SIGBUS, SIGILL or SIGFPE
  std::uintptr_t address = 0;               ///< of SIGSEGV and SIGBUS what was accessed, else the instruction's
  std::string_view kernel = {};             ///< empty: its code was not called by a launch
  std::array<std::uint32_t, 3> group = {};  ///< the first of `groups` neighbours along x, of which one crashed
  std::uint32_t groups = 0;                 ///< 0: not known
  std::string_view function = {};           ///< the symbol of the code
  std::uint64_t offset = 0;                 ///< in bytes, from the function's start
  std::string_view folder = {}, file = {};  ///< of the source, for code with debug information
  std::uint32_t line = 0;
  std::string_view text = {};  ///< all of it in a few lines, the last ended too
};

/// Runs in a signal handler, on the thread that crashed: it may call async-signal-safe functions only.
using CrashReporter = void (*)(const KernelCrash& crash) noexcept;

/// From now on a kernel of the CPU that raises SIGSEGV, SIGBUS, SIGILL or SIGFPE is reported: to `report`, or if that
/// is null as text to standard error. Then the handler that was there before gets the signal, or the default action
/// ends the process. Signals of other code are passed on untouched. The handlers stay for the life of the process; a
/// further call changes `report` and puts them in front of what was installed since. Kernels of loadObject() and of
/// images are reported, and functions of Module::function() by their symbol.
LATHE_API void reportKernelCrashes(CrashReporter report = nullptr);

}  // namespace lathe
