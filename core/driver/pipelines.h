// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipelines: three lists of stages, one table. A descriptor's `pipeline` says which list its target takes. Each
// stage is one function of one file; it takes and leaves a valid module, and does not know which list it runs in.
#pragma once

#include <span>
#include <string_view>

#include "llvm/Support/Error.h"

#include "core/descriptor/descriptor.h"

namespace lathe::detail {

struct Lowering;

struct Stage {
  std::string_view name;
  std::string_view description;
  unsigned lists = 0;  ///< bits 1 << PipelineKind
  llvm::Error (*run)(Lowering&) = nullptr;
  bool (*wanted)(const Lowering&) = nullptr;  ///< null: always

  [[nodiscard]] bool isIn(PipelineKind kind) const { return (lists >> static_cast<unsigned>(kind) & 1U) != 0; }
};

/// The stages of all lists, in order. Two rows of one name are the same step of different lists.
std::span<const Stage> stages();

}  // namespace lathe::detail
