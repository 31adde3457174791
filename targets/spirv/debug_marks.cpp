// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass over machine code that leaves a mark for each place in the source. SPIR-V's instructions have no names in
// LLVM's headers; they are found by those that its tables have.
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

#include "debug_lines.h"

namespace lathe::targets {
namespace {

/// Instructions that a mark may not precede, and those that leave their function for the module's own part.
bool standsElsewhere(llvm::StringRef name) {
  for (const char* const prefix : {"OpType", "OpConstant", "OpSpecConstant", "OpUndef", "OpName", "OpDecorate",
                                   "OpMember", "OpExt", "OpCapability", "OpString"})
    if (name.starts_with(prefix) && !name.starts_with("OpExtInst")) return true;
  for (const char* const whole : {"OpFunction", "OpFunctionParameter", "OpLabel", "PHI", "OpPhi", "OpVariable",
                                  "OpLine", "OpEntryPoint", "OpExecutionMode", "OpFunctionEnd", "OpExtInstImport"})
    if (name == whole) return true;
  return false;
}

class MarkPlaces final : public llvm::MachineFunctionPass {
 public:
  explicit MarkPlaces(MarkedPlaces& marked) : MachineFunctionPass(id), marked_(marked) {}

  llvm::StringRef getPassName() const override { return "mark places in the source"; }
  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override {
    usage.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(usage);
  }

  bool runOnMachineFunction(llvm::MachineFunction& function) override {
    const llvm::TargetInstrInfo& instructions = *function.getSubtarget().getInstrInfo();
    const auto named = [&](llvm::StringRef name) {
      unsigned opcode = 0;
      while (opcode < instructions.getNumOpcodes() && instructions.getName(opcode) != name) ++opcode;
      return opcode;
    };
    const unsigned line = named("OpLine"), head = named("OpFunction");
    llvm::Register any;  // a mark needs an operand in the place of a file
    for (const llvm::MachineBasicBlock& block : function)
      for (const llvm::MachineInstr& instruction : block)
        if (instruction.getOpcode() == head) any = instruction.getOperand(0).getReg();
    if (!any.isValid() || line == instructions.getNumOpcodes()) return false;
    if (const auto* const described = function.getFunction().getSubprogram())
      marked_.functions.push_back({function.getName().str(), described});

    for (llvm::MachineBasicBlock& block : function) {
      const llvm::DILocation* last = nullptr;
      bool merges = false;  // the instruction before says where control flow meets: its branch follows at once
      for (llvm::MachineInstr& instruction : block) {
        const llvm::StringRef name = instructions.getName(instruction.getOpcode());
        const llvm::DILocation* const place = instruction.getDebugLoc().get();
        if (place && place != last && !merges && !instruction.isDebugInstr() && !standsElsewhere(name)) {
          llvm::BuildMI(block, instruction, llvm::DebugLoc(), instructions.get(line))
              .addUse(any)
              .addImm(static_cast<std::int64_t>(marked_.places.size()))
              .addImm(0);
          marked_.places.push_back(place);
          last = place;
        }
        merges = name == "OpLoopMerge" || name == "OpSelectionMerge" || name == "OpLoopControlINTEL";
      }
    }
    return true;
  }

 private:
  static inline char id = 0;
  MarkedPlaces& marked_;
};

}  // namespace

LineMarks::LineMarks()
    : callback_([this](llvm::TargetMachine& machine, llvm::PassManagerBase&, llvm::TargetPassConfig* config) {
        // The last pass of those for machine code that the back end runs; then it looks at the module as a whole.
        if (machine.getTargetTriple().isSPIRV()) config->insertPass(&llvm::FinalizeISelID, new MarkPlaces(marked_));
      }) {}

}  // namespace lathe::targets
