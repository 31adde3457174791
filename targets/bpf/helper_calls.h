// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <lathe/sdk/target.h>

namespace lathe::targets {

/// Reports calls of the kernel's helper functions that the verifier is certain to refuse: the program's type has not
/// that helper, the helper sleeps where the program may not, or it is for GPL programs only.
void checkHelperCalls(sdk::TargetContext& context);

}  // namespace lathe::targets
