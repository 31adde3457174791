// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of the source in a module of SPIR-V.
#pragma once

#include <string>
#include <vector>

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/Target/RegisterTargetPassConfigCallback.h"

namespace lathe::targets {

/// A kernel's symbol and what debug information says of it.
struct DescribedFunction {
  std::string symbol;
  const llvm::DISubprogram* described;
};

/// What the marks of a module stand for.
struct MarkedPlaces {
  std::vector<const llvm::DILocation*> places;
  std::vector<DescribedFunction> functions;
};

/// While it lives, LLVM's SPIR-V back end leaves a mark before each instruction whose place in the source differs from
/// that of the one before: an OpLine whose line is the number of the place, which the back end carries to the module
/// like any other instruction. The back end of LLVM 22 drops places, and its own pass for them
/// (-spv-emit-nonsemantic-debug-info) asserts on kernels and writes no lines. To be removed when it writes them.
class LineMarks {
 public:
  LineMarks();
  LineMarks(const LineMarks&) = delete;  // the back end has its address
  LineMarks& operator=(const LineMarks&) = delete;

  /// The module with lines in the place of marks: OpLine, and by OpenCL.DebugInfo.100 the function or block around, its
  /// file, and the calls that were inlined. A module whose words make no sense is returned as it is.
  [[nodiscard]] std::string withLines(const std::string& module) const;

 private:
  MarkedPlaces marked_;
  llvm::RegisterTargetPassConfigCallback callback_;
};

}  // namespace lathe::targets
