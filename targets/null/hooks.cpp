// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hooks are for what data cannot say. Most targets need no such file: leave it out, and HOOKS out of CMakeLists.txt.
// This one shows the form: a final class in an anonymous namespace that overrides what it needs (the list, with the
// moment of each, is <lathe/sdk/target.h>), and the macro that lets Lathe make it.
#include <lathe/sdk/target.h>

namespace {

class NullHooks final : public lathe::sdk::TargetHooks {
 public:
  /// Says in the entries what the machine would use: nothing.
  llvm::Error describe(lathe::sdk::TargetContext&, std::string_view, std::string_view,
                       std::vector<lathe::EntryPoint>& entries) override {
    for (lathe::EntryPoint& entry : entries) {
      entry.resources.registers = 0;
      entry.resources.localBytes = 0;
    }
    return llvm::Error::success();
  }
};

}  // namespace

LATHE_TARGET_HOOKS(null, NullHooks)
