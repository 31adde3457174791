// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes into images without code.
#include "core/driver/unlowered.h"

#include <fmt/ranges.h>

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

#include "core/emit/emit.h"
#include "core/frontend/entry_layout.h"
#include "core/frontend/ir_reader.h"
#include "core/lower/launched_kernels.h"
#include "core/lower/lowering.h"
#include "core/lower/stages.h"
#include "core/support/diagnostics.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

constexpr const char* portable = "portable";

/// What the job promised for a kernel becomes the kernel's own promise, which later lowerings read.
void keepBounds(llvm::Function& kernel, const LaunchBounds& bounds) {
  const auto keep = [&](const char* name, std::uint32_t value) {
    if (value != 0) kernel.addFnAttr(name, std::to_string(value));
  };
  keep(attribute::maxItems, bounds.maxItems);
  keep(attribute::minGroups, bounds.minGroups);
  keep(attribute::maxRegisters, bounds.maxRegisters);
  if (bounds.groupSize[0] != 0)
    kernel.addFnAttr(attribute::groupSize, fmt::format("{}", fmt::join(bounds.groupSize, ",")));
}

/// Portable IR is what select leaves: the kernels asked for, unoptimised, for any target.
llvm::Error finishPortable(Lowering& lowering) {
  if (auto formats = wantedFormats(lowering); !formats) return formats.takeError();
  if (!lowering.diagnostics.empty()) return toLlvm(combined(std::move(lowering.diagnostics), "select"));
  for (const EntryPoint& entry : lowering.info.entries) keepBounds(lowering.functionOf(entry), entry.bounds);
  auto bytes = sdk::emitModule(*lowering.module, nullptr, portable);
  if (!bytes) return bytes.takeError();
  lowering.code.push_back({portable, "", std::move(*bytes)});
  return stage::image(lowering);
}

/// The kernels that a source defines, under the names that the job calls them by.
void listKernels(Lowering& lowering) {
  for (const llvm::Function& function : *lowering.module) {
    if (function.isDeclaration() || !function.hasFnAttribute(attribute::kernel) ||
        function.hasFnAttribute(whenLaunched))
      continue;
    EntryPoint& entry = lowering.info.entries.emplace_back(entryOf(function));
    const auto named = llvm::find_if(lowering.namedEntries, [&](const NamedEntry& one) {
      return one.symbol == std::string_view(function.getName());
    });
    if (named != lowering.namedEntries.end()) entry.name = named->name;
  }
}

}  // namespace

bool isUnlowered(const Job& job) {
  return job.emit == portable || job.emit == relocatableFormat;
}

bool endsBefore(const Job& job, std::string_view stage) {
  return stage == (job.emit == portable ? "specialise" : "entries");
}

void keepRelocatable(Lowering& lowering) {
  if (lowering.job.emit != relocatableFormat) return;
  Image::CodeBlob& code = lowering.code.emplace_back();
  code.format = relocatableFormat;
  llvm::raw_string_ostream stream(code.bytes);
  llvm::WriteBitcodeToFile(*lowering.module, stream, /*ShouldPreserveUseListOrder=*/true);
}

llvm::Error finishUnlowered(Lowering& lowering) {
  if (lowering.job.emit == portable) return finishPortable(lowering);
  if (!lowering.diagnostics.empty()) return toLlvm(combined(std::move(lowering.diagnostics), "import"));
  listKernels(lowering);
  return stage::image(lowering);
}

}  // namespace lathe::detail
