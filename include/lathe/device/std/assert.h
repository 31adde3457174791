// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assert() for device code: a failed one is reported with its text and place, and ends the item or more. The macro has
// no include guard, because the C standard wants each inclusion to obey the NDEBUG of its moment.
#ifndef LATHE_STD_ASSERT_H
#define LATHE_STD_ASSERT_H
#include <lathe/device/abi.h>

namespace lathe::detail {
// Apart from the macro so that host functions of a CUDA source, which are read but never run here, may assert as well.
__attribute__((always_inline)) LATHE_ANYWHERE inline void assertionFailed(const char* expression, const char* file,
                                                                          unsigned line, const char* function) {
  __lathe_assert_fail(expression, file, line, function);
}
}  // namespace lathe::detail

/// The C library's name for it, which headers with assertions of their own call. Of C's linkage, because those declare
/// it anew where NDEBUG keeps <assert.h> from doing so.
extern "C" __attribute__((always_inline)) LATHE_ANYWHERE inline void __assert_fail(const char* expression,
                                                                                   const char* file, unsigned line,
                                                                                   const char* function) noexcept {
  lathe::detail::assertionFailed(expression, file, line, function);
}

#endif

#undef assert
#ifdef NDEBUG
#define assert(...) (static_cast<void>(0))
#else
#define assert(...)               \
  (static_cast<bool>(__VA_ARGS__) \
       ? static_cast<void>(0)     \
       : ::lathe::detail::assertionFailed(#__VA_ARGS__, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
