// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that kernels launch (device ABI, `launch`): they are entry points too.
#pragma once

#include <span>
#include <vector>

#include "llvm/IR/Module.h"

namespace lathe::detail {

/// The annotation and the attribute of a kernel that is an entry point only where one is launched that leads to it, or
/// where the job names it.
inline constexpr const char* whenLaunched = "lathe.when-launched";

/// Whether functions of the module launch kernels.
[[nodiscard]] bool launchesKernels(const llvm::Module& module);

/// The kernels whose address stands in what `roots` reach, beside `roots`. None where nothing launches kernels.
[[nodiscard]] std::vector<llvm::Function*> launchedKernels(llvm::Module& module,
                                                           std::span<llvm::Function* const> roots);

/// Makes calls of `launch_arguments`, which is `entry`, local arrays with the number of their bytes before them. Calls
/// whose arguments are no constants stay.
///
///   before: %p = call ptr @__lathe_launch_arguments(i64 64, i64 24)
///   after:  %a = alloca [88 x i8], align 64      %p = getelementptr i8, ptr %a, i64 64      store i64 24, ptr %a + 56
void lowerLaunchArguments(llvm::Function& entry);

}  // namespace lathe::detail
