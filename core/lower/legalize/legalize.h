// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Late expansion: what a descriptor says its back end or format lacks, written with what it has.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class DataLayout;
class Function;
class MemCpyInst;
class Module;
class TargetMachine;
class TargetTransformInfo;
class Type;
}  // namespace llvm

namespace lathe::detail {

struct AddressSpaces;
struct Lowering;

/// Everything in the descriptor's `legalize` list.
void legalizeConstructs(Lowering& lowering);

/// Accesses through generic pointers name the memory that the pointers come from, where that can be told.
void nameSpacesOfAccesses(Lowering& lowering);

/// Loads and stores of integers of other widths than 8, 16, 32, 64 and 128 become those of their parts, each of one of
/// these widths. Atomic ones are left.
void splitOddAccesses(llvm::Function& function);

/// Integers of other widths than 1, 8, 16, 32 and 64 become the next wider of these; what depends on the upper bits
/// clears or extends them first. Those above 64 bits are splitWideIntegers()'s.
void widenIntegers(llvm::Function& function);

/// Whether a type is an integer of 65 to 128 bits.
[[nodiscard]] bool isWideInteger(const llvm::Type* type);

/// Conversions between integers of 65 to 128 bits and float or double become arithmetic on 64 bits.
void expandWideConversions(llvm::Function& function);

/// Arithmetic on bfloat16 and half becomes that of floats where the machine's processor lacks the type.
void widenNarrowFloats(llvm::Function& function, const llvm::TargetMachine& machine);

/// The same of bfloat16, whatever the processor has.
void widenBfloats(llvm::Function& function);

/// Bfloat16 becomes an integer of 16 bits with the same bits in a module that only keeps and moves such numbers. A
/// module with functions of C's that pass them stays as it is: `passesInC`, functions that others see are.
void keepBfloatsAsBits(llvm::Module& module, bool passesInC);

/// Integers of 65 to 128 bits become pairs of 64. Conversions to and from floating point are left.
void splitWideIntegers(llvm::Function& function);

/// Where control flow chooses between structures or arrays, it chooses between their members.
void splitAggregateChoices(llvm::Function& function);

/// Values without a cost that control flow chooses depend on a value of the block that they are chosen from, so that
/// LLVM's StructurizeCFG leaves them there.
void bindFreeChoices(llvm::Function& function, const llvm::TargetTransformInfo& costs);

/// Makes copies between places that may overlap, in two address spaces, copies that may not, as places in two spaces
/// do not and constants are not written to, or puts both into generic space if one is there. LLVM expands neither.
void settleMoves(llvm::Function& function, const AddressSpaces& spaces);

/// Copies of up to 128 bytes become loads and stores, at most 16 bytes each, and settings of local variables stores of
/// their elements.
void widenCopies(llvm::Function& function);

/// The size of the fields that `type` has, or 0 if they differ.
[[nodiscard]] std::uint64_t fieldSize(const llvm::DataLayout& layout, llvm::Type* type);

/// One access of a copy.
struct CopyPiece {
  std::uint64_t offset;
  llvm::Type* type;
};
/// Replaces a copy by loads of its pieces, sixteen at a time, and then stores, with the alignment and the aliasing of
/// the copy.
void copyByPieces(llvm::MemCpyInst& copy, llvm::ArrayRef<CopyPiece> pieces);

/// Whether a type is a vector of another length than 2, 3, 4, 8 and 16.
[[nodiscard]] bool isOddVector(const llvm::Type* type);

/// Operations on such vectors become those on their elements, and so do casts between vectors of truth values and
/// integers; local variables that hold them become bytes.
void scalariseOddVectors(Lowering& lowering);

/// Arithmetic that returns its overflow becomes the arithmetic and a comparison.
void expandOverflow(llvm::Function& function);

/// Rare intrinsics become plain instructions.
void expandIntrinsics(llvm::Function& function);

/// Gives loops that are entered at several places one head that leads to them. Functions that have such loops lose
/// their switches too.
struct FixLoopEntries : llvm::PassInfoMixin<FixLoopEntries> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

/// Atomics of 8 and 16 bits become those of the 32-bit word around them.
void widenPartwordAtomics(llvm::Function& function);

/// Calls of `__lathe_end_item` become returns from the kernel. No item that ended so goes on behind a barrier.
void returnAtEnds(llvm::Module& module);

/// For LLVM's loops around compare and exchange; floats are compared by their bits.
void createCompareExchange(llvm::IRBuilderBase& builder, llvm::Value* pointer, llvm::Value* seen, llvm::Value* wanted,
                           llvm::Align align, llvm::AtomicOrdering order, llvm::SyncScope::ID scope,
                           llvm::Value*& success, llvm::Value*& loaded, llvm::Instruction* metadata);

/// Upper 64 bits of the product of two 64-bit integers.
llvm::Value* upperHalfOfProduct(llvm::IRBuilderBase& builder, llvm::Value* x, llvm::Value* y, bool isSigned);

/// Internal constants that are only read through addresses known to lead to them move to the space that the descriptor
/// has for them, if it has one.
///   before: @t = internal addrspace(1) constant [4 x i32] …   load i32, ptr addrspace(1) getelementptr (@t, …)
///   after:  @t = internal addrspace(2) constant [4 x i32] …   load i32, ptr addrspace(2) getelementptr (@t, …)
void moveConstantData(Lowering& lowering);

/// Removes the variables that no kernel uses and that the target's language has no words for: those that a host could
/// reach, where it has none such, and those whose initial value holds an address.
void dropUnwritable(Lowering& lowering);

/// All traps of a function become branches to one.
void shareTraps(llvm::Module& module);

}  // namespace lathe::detail
