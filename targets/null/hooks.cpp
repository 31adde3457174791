// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hooks are for what data cannot say. Most targets need no such file: leave it out, and HOOKS out of CMakeLists.txt.
// This one shows the form: a final class in an anonymous namespace that overrides what it needs (the list, with the
// moment of each, is <lathe/sdk/target.h>), and the factory that the generated list of targets calls.
#include <lathe/sdk/target.h>

namespace lathe::detail {
namespace {

class NullHooks final : public TargetHooks {
 public:
  /// Says in the entries what the machine would use: nothing.
  llvm::Error describe(TargetContext&, std::string_view, std::string_view, std::vector<EntryPoint>& entries) override {
    for (EntryPoint& entry : entries) {
      entry.resources.registers = 0;
      entry.resources.localBytes = 0;
    }
    return llvm::Error::success();
  }
};

}  // namespace

std::unique_ptr<TargetHooks> lathe_target_null_hooks() {
  return std::make_unique<NullHooks>();
}

}  // namespace lathe::detail
