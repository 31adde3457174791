// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of the registers that narrow stores read.
#include "targets/cuda/narrow_stores.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InlineAsm.h"

namespace lathe::targets {
namespace {

using Operands = llvm::SmallVector<llvm::MachineOperand*, 8>;

bool isRead(const llvm::MachineOperand& operand) {
  return operand.isReg() && operand.isUse() && operand.getReg().isVirtual();
}

/// The bits that `store` writes; 0: it does not say.
std::uint64_t storedBits(const llvm::MachineInstr& store) {
  std::optional<std::uint64_t> least;  // of several stores that LLVM made one
  for (const llvm::MachineMemOperand* memory : store.memoperands()) {
    const llvm::LocationSize size = memory->getSize();
    const std::uint64_t bits = size.hasValue() && !size.isScalable() ? size.getValue().getFixedValue() * 8 : 0;
    least = std::min(least.value_or(bits), bits);
  }
  return least.value_or(0);
}

/// The registers of `store` whose numbers it stores, if they are wider than what it stores of each. A store's values
/// are its first operands; what follows says how and where to.
Operands narrowed(llvm::MachineInstr& store, const llvm::TargetRegisterInfo& registers) {
  const llvm::MachineRegisterInfo& info = store.getMF()->getRegInfo();
  Operands read;
  unsigned values = 0;  // constants among them
  for (llvm::MachineOperand& operand : store.operands()) {
    if (!isRead(operand)) break;
    ++values;
    read.push_back(&operand);
  }
  if (read.empty()) return read;
  const std::uint64_t bits = storedBits(store) / values;
  llvm::erase_if(read, [&](const llvm::MachineOperand* operand) {
    return registers.getRegSizeInBits(*info.getRegClass(operand->getReg())).getFixedValue() <= bits;
  });
  return read;
}

/// The registers that inline assembly reads if it may store them.
Operands ofAssembly(llvm::MachineInstr& assembly) {
  const llvm::MachineOperand& text = assembly.getOperand(llvm::InlineAsm::MIOp_AsmString);
  Operands read;
  if (!llvm::StringRef(text.getSymbolName()).contains("st.")) return read;
  for (llvm::MachineOperand& operand : assembly.operands())
    if (isRead(operand) && !operand.isTied()) read.push_back(&operand);
  return read;
}

/// Makes `operand` read a copy.
void copy(llvm::MachineOperand& operand, const llvm::TargetInstrInfo& instructions) {
  llvm::MachineInstr& reader = *operand.getParent();
  llvm::MachineRegisterInfo& registers = reader.getMF()->getRegInfo();
  const llvm::Register untyped = registers.cloneVirtualRegister(operand.getReg());
  instructions.copyPhysReg(*reader.getParent(), reader, reader.getDebugLoc(), untyped, operand.getReg(),
                           operand.isKill());
  operand.setReg(untyped);
  operand.setIsKill();
}

}  // namespace

bool storeUntyped(llvm::MachineFunction& function) {
  const llvm::TargetSubtargetInfo& machine = function.getSubtarget();
  bool changed = false;
  for (llvm::MachineBasicBlock& block : function) {
    for (llvm::MachineInstr& instruction : block) {
      const Operands operands = instruction.isInlineAsm() ? ofAssembly(instruction)
                                : instruction.mayStore()  ? narrowed(instruction, *machine.getRegisterInfo())
                                                          : Operands();
      for (llvm::MachineOperand* operand : operands) copy(*operand, *machine.getInstrInfo());
      changed |= !operands.empty();
    }
  }
  return changed;
}

}  // namespace lathe::targets
