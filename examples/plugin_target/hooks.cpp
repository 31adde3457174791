// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target's hooks: what its descriptor cannot say. The device has no C library, so the optimiser must not invent
// calls of it; it has no double precision, so a kernel that computes with it is refused, at its source line; and the
// finished code tells how much it uses, of which the device has 64 KiB.
#include <set>
#include <string>

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include <lathe/sdk/plugin.h>

namespace {

class BlinkHooks final : public lathe::sdk::TargetHooks {
 public:
  /// There is no C library: no loop may become a call of memcpy.
  llvm::Error afterKernelAbi(lathe::sdk::TargetContext& context) override {
    for (llvm::Function& function : context.module)
      if (!function.isDeclaration()) function.addFnAttr("no-builtins");
    return llvm::Error::success();
  }

  llvm::Error validate(lathe::sdk::TargetContext& context) override {
    std::set<std::pair<std::string, unsigned>> reported;  // one finding a line
    for (llvm::Function& function : context.module) {
      for (llvm::Instruction& instruction : llvm::instructions(function)) {
        if (!instruction.getType()->getScalarType()->isDoubleTy()) continue;
        lathe::Diagnostic finding;
        finding.code = lathe::ErrorCode::Unsupported;
        finding.message = "blink computes in single precision only";
        finding.hint = "use float, and the suffix f on constants";
        // An instruction that was moved out of a loop has no line of its own; its function has.
        if (const llvm::DILocation* at = instruction.getDebugLoc().get())
          finding.location = {at->getFilename().str(), at->getLine(), at->getColumn()};
        else if (const llvm::DISubprogram* of = function.getSubprogram())
          finding.location = {of->getFilename().str(), of->getLine(), 0};
        if (!reported.emplace(finding.location.file, finding.location.line).second) continue;
        context.diagnostics.push_back(std::move(finding));
      }
    }
    return llvm::Error::success();
  }

  llvm::Error describe(lathe::sdk::TargetContext&, std::string_view format, std::string_view code,
                       std::vector<lathe::EntryPoint>& entries) override {
    constexpr std::size_t memory = 64 * 1024;
    if (format == "linked" && code.size() > memory) {
      return lathe::sdk::makeError({.code = lathe::ErrorCode::Unsupported,
                                    .message = "blink has " + std::to_string(memory) +
                                               " bytes for code, these kernels take " + std::to_string(code.size()),
                                    .hint = "compile fewer kernels into one image, or keep tables in buffers"});
    }
    for (lathe::EntryPoint& entry : entries) entry.resources.constantBytes = static_cast<std::int64_t>(code.size());
    return llvm::Error::success();
  }
};

int registerTargets(lathe::sdk::PluginRegistrar* registrar) {
  lathe::sdk::PluginTarget target;
  target.name = "blink";  // its descriptor is the file beside this library
  target.createHooks = []() -> lathe::sdk::TargetHooks* { return new BlinkHooks; };
  return registrar->addTarget(registrar, &target);
}

}  // namespace

LATHE_PLUGIN("blink", "1.0", registerTargets);
