// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes an error easier to act on: the source lines it speaks of, and where else a missing thing is to be had.
#pragma once

#include <string>
#include <vector>

#include <lathe/compiler.h>

namespace lathe::detail {

struct AbiEntry;
class TargetRegistry;

/// Gives each diagnostic and note of a failed compile that has a place but no snippet its source line, with a caret if
/// the column is known. Lines come from the job, the record or, if `inputs` is null, from disk.
void addSnippets(Error& error, const Job& job, const CompileRecord* inputs);

/// The names of all targets that have an entry of the device ABI, sorted; "NAME:ARCH" where only a newer architecture
/// than the default one has it. Reads every descriptor: for errors only.
std::vector<std::string> targetsWith(const TargetRegistry& targets, const AbiEntry& entry);

}  // namespace lathe::detail
