// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code as text. Link `lathe::lathe`.
#pragma once

#include <string>

#include <lathe/export.h>
#include <lathe/image.h>
#include <lathe/result.h>

namespace lathe {

/// The functions in `code`, an object file of a machine that LLVM has a disassembler for, one instruction a line, each
/// function behind its symbol and a colon. `features`: the image's (ImageInfo::features), for instructions that the
/// architecture alone has not. Bytes that are no instruction are shown as bytes. Errors: Unsupported (texts, other
/// vendors' machine code), ImageCorrupt (no whole object file).
[[nodiscard]] LATHE_API Result<std::string> disassembled(const Code& code, const std::string& features = {});

}  // namespace lathe
