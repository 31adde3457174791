// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Litmus tests as kernels.
#pragma once

#include <string>
#include <string_view>

#include "tests/litmus/program.h"

namespace lathe::litmus {

/// How groups run on a device: many at a time, or each on a thread of its own, a few at a time.
enum class Style : std::uint8_t { spread, sideBySide };

/// The kernels of `program`, in the kernel language.
[[nodiscard]] std::string sourceOf(const Program& program);
/// The kernels of locks.
[[nodiscard]] std::string lockSource();

/// Name expressions of kernels in these sources.
[[nodiscard]] std::string testKernel(Form form, Place place, Style style);
[[nodiscard]] std::string tallyKernel();
[[nodiscard]] std::string lockKernel(std::string_view lock, Form form, Place place);

/// "exchange_lock", …: each in the harness a class of that name.
[[nodiscard]] std::span<const std::string_view> locks();

}  // namespace lathe::litmus
