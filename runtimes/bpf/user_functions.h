// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A link to many user functions at once.
#pragma once

#include <cstdint>
#include <string>

#include "runtimes/bpf/object_state.h"

namespace lathe::bpf::detail {

/// BPF_TRACE_UPROBE_MULTI of the kernel's enum bpf_attach_type, which programs of such sections are loaded with.
inline constexpr std::uint32_t userProbes = 48;

/// Links the loaded program of descriptor `program`, named `what` in messages. Errors: InvalidArgument (no such file or
/// function; the program is of another section), PermissionDenied, Unsupported, DriverError.
[[nodiscard]] Result<UniqueDescriptor> linkUserFunctions(int program, const UserProbes& at, const std::string& what);

}  // namespace lathe::bpf::detail
