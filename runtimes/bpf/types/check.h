// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A check of BTF that libbpf is to read. libbpf before 1.3 follows numbers of types and names as they are in the file,
// also where they lead out of it or in a circle, and ends the process. The rules are those of the kernel
// (kernel/bpf/btf.c), as far as they keep a reader within the file.
#pragma once

#include <lathe/result.h>

#include "runtimes/bpf/types/btf.h"

namespace lathe::bpf::detail {

/// Every name and type that a type refers to is there and of a kind that can be there, and no type contains itself.
/// Errors: ImageCorrupt, with the type's number.
[[nodiscard]] Result<void> checkTypes(const Btf& types);

}  // namespace lathe::bpf::detail
