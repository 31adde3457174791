// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Printing and failures where items are loops: through functions of Lathe's runtime, which is for machines whose
// pointers have 64 bits, or through the kernel's state. Items share a thread, so one that fails ends its group: the
// runtime leaves the group's code by a jump. The functions called __lathe_host_… are the runtime's
// (runtimes/cpu/host/host_functions.h); its loader gives them to the code.
#include <lathe/sdk/device_state.h>

inline void lathe_state::endItem() {
  __lathe_host_end_group();
}

LATHE_STATE_ENTRY unsigned __lathe_print(const void* format, const void* arguments, const void* types) {
  return __lathe_host_print(format, arguments, types);
}
LATHE_STATE_ENTRY void __lathe_assert_fail(const void* expression, const void* file, unsigned line,
                                           const void* function) {
  lathe_state::fail(static_cast<lathe_state::ExceptionRecord*>(__lathe_host_exception()), 0,
                    lathe_state::ExceptionKind::assertion, expression, file, line, function);
}
LATHE_STATE_ENTRY void __lathe_trap() {
  lathe_state::fail(static_cast<lathe_state::ExceptionRecord*>(__lathe_host_exception()), 0,
                    lathe_state::ExceptionKind::trap, nullptr, nullptr, 0, nullptr);
}

// Launches wait until their grid has ended, and then run one after the other, so that every stream has its order.
LATHE_STATE_ENTRY unsigned __lathe_launch(const void* kernel, const void* arguments, unsigned gridX, unsigned gridY,
                                          unsigned gridZ, unsigned groupX, unsigned groupY, unsigned groupZ,
                                          unsigned sharedBytes, unsigned when, unsigned long long stream) {
  const unsigned long long bytes = static_cast<const unsigned long long*>(arguments)[-1];
  return __lathe_host_launch(kernel, arguments, bytes, stream, gridX, gridY, gridZ, groupX, groupY, groupZ, sharedBytes,
                             when);
}
LATHE_STATE_ENTRY unsigned __lathe_launch_status() {
  return __lathe_host_launch_status();
}
LATHE_STATE_ENTRY unsigned long long __lathe_launch_stream() {
  return 0;
}
LATHE_STATE_ENTRY void __lathe_launch_stream_end(unsigned long long) {}

// In functions that are not part of the kernel (core/lower/abi/device_abi.cpp): they do not know their item.
LATHE_STATE_ENTRY void __lathe_assert_fail_without_location(const void* expression, const void* file, unsigned line,
                                                            const void* function) {
  lathe_state::failWithoutLocation(static_cast<lathe_state::ExceptionRecord*>(__lathe_host_exception()), 0,
                                   lathe_state::ExceptionKind::assertion, expression, file, line, function);
}
LATHE_STATE_ENTRY void __lathe_trap_without_location() {
  lathe_state::failWithoutLocation(static_cast<lathe_state::ExceptionRecord*>(__lathe_host_exception()), 0,
                                   lathe_state::ExceptionKind::trap, nullptr, nullptr, 0, nullptr);
}
