// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device ABI's queries, which ask for the target, its architecture and the job's parameters: calls that become
// constants while code is lowered, in kernels (stage specialise) and in device libraries (stage libraries).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/abi/device_abi.h"
#include "core/lower/lowering.h"

namespace lathe::detail {

/// True for the declaration of a query that something in its module calls.
bool isQuery(const llvm::Function& function);

/// The mistake in the regular expression of a query for a target, whichever it names; empty if there is none.
std::string mistakeIn(const AbiEntry& query, const llvm::CallBase& call);

/// The answer to one query; nothing if its argument is no constant.
std::optional<std::uint64_t> answerOf(const AbiEntry& query, const llvm::CallBase& call, const Lowering& lowering);

/// Answers the queries of linked libraries, and removes the branches that were for other architectures. Queries whose
/// argument is no constant stay.
void answerQueriesOfLibraries(Lowering& lowering);

}  // namespace lathe::detail
