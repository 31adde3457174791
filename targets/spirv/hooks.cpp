// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What data cannot say of SPIR-V for OpenCL: fences name the storage classes they order, atomic loads and stores are
// instructions of their own, strings are typed pointers, the version of OpenCL and contraction stand in metadata, and
// extensions are asked for by a function of their own.
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsSPIRV.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Endian.h"
#include "llvm/Target/TargetMachine.h"

#include <lathe/sdk/target.h>

#include "debug_lines.h"
#include "initial_values.h"
#include "instructions.h"
#include "variable_types.h"

namespace llvm {
/// Exported by LLVM's library, declared in no header of it (lib/Target/SPIRV/SPIRVAPI.h).
extern "C" bool SPIRVTranslate(Module* module, std::string& out, std::string& fault,
                               const std::vector<std::string>& extensions, CodeGenOptLevel level, Triple triple);
}  // namespace llvm

namespace lathe::targets {
namespace {

constexpr unsigned uniformConstant = 2;

/// SPIR-V's number for a synchronisation scope of LLVM's (SPIR-V specification, 3.27).
unsigned scopeNumber(llvm::StringRef name) {
  constexpr const char* names[] = {"", "device", "workgroup", "subgroup"};
  for (unsigned i = 0; i < std::size(names); ++i) {
    if (name == names[i]) return i;
  }
  return 0;
}

/// SPIR-V's memory semantics (3.25): the order, and that it holds for group and global memory.
unsigned semantics(llvm::AtomicOrdering order) {
  constexpr unsigned workgroupMemory = 0x100, globalMemory = 0x200;
  constexpr unsigned memory = workgroupMemory | globalMemory;
  switch (order) {
    case llvm::AtomicOrdering::Acquire:
      return 0x2 | memory;
    case llvm::AtomicOrdering::Release:
      return 0x4 | memory;
    case llvm::AtomicOrdering::AcquireRelease:
      return 0x8 | memory;
    default:
      return 0x10 | memory;
  }
}

void lowerFences(llvm::Module& module) {
  llvm::SmallVector<llvm::StringRef> names;
  module.getContext().getSyncScopeNames(names);
  llvm::IRBuilder<> types(module.getContext());
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* const fence = llvm::dyn_cast<llvm::FenceInst>(&instruction);
      if (!fence) continue;
      if (fence->getSyncScopeID() == llvm::SyncScope::SingleThread) {
        fence->eraseFromParent();  // within an item its own order holds already
        continue;
      }
      const llvm::FunctionCallee barrier = module.getOrInsertFunction("_Z21__spirv_MemoryBarrierii", types.getVoidTy(),
                                                                      types.getInt32Ty(), types.getInt32Ty());
      llvm::IRBuilder<> builder(fence);
      builder.CreateCall(barrier, {builder.getInt32(scopeNumber(names[fence->getSyncScopeID()])),
                                   builder.getInt32(semantics(fence->getOrdering()))});
      fence->eraseFromParent();
    }
  }
}

/// The type's letter in mangled names; 0: atomic accesses are not of it in SPIR-V for OpenCL.
char letterOf(const llvm::Type& type) {
  if (type.isIntegerTy(32)) return 'i';
  if (type.isIntegerTy(64)) return 'l';
  if (type.isFloatTy()) return 'f';
  return type.isDoubleTy() ? 'd' : 0;
}

/// LLVM 22's back end makes ordinary accesses of atomic loads and stores, which a device's compiler may then merge,
/// repeat or move out of a loop. They become the functions of SPIR-V's instructions; of types that those lack, volatile
/// accesses. Their orders are fences already. To be removed when the back end selects OpAtomicLoad and OpAtomicStore.
void lowerAtomicAccesses(llvm::Module& module) {
  llvm::SmallVector<llvm::StringRef> names;
  module.getContext().getSyncScopeNames(names);
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if ((!load || !load->isAtomic()) && (!store || !store->isAtomic())) continue;
      llvm::Value* const pointer = llvm::getPointerOperand(&instruction);
      const unsigned space = pointer->getType()->getPointerAddressSpace();
      if (space != 1 && space != 3 && space != 4) continue;  // the item's own, or constant
      llvm::Type* const type = llvm::getLoadStoreType(&instruction);
      const char letter = letterOf(*type);
      if (letter == 0) {
        load ? load->setVolatile(true) : store->setVolatile(true);
        continue;
      }
      llvm::IRBuilder<> builder(&instruction);
      const auto scope = load ? load->getSyncScopeID() : store->getSyncScopeID();
      llvm::SmallVector<llvm::Value*> arguments = {pointer, builder.getInt32(scopeNumber(names[scope])),
                                                   builder.getInt32(0)};
      if (store) arguments.push_back(store->getValueOperand());
      llvm::SmallVector<llvm::Type*> types;
      for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
      std::string name = load ? "_Z18__spirv_AtomicLoadPU3AS" : "_Z19__spirv_AtomicStorePU3AS";
      name += std::to_string(space) + letter + "ii";
      if (store) name += letter;
      llvm::CallInst* const call = builder.CreateCall(
          module.getOrInsertFunction(name, llvm::FunctionType::get(load ? type : builder.getVoidTy(), types, false)),
          arguments);
      if (load) load->replaceAllUsesWith(call);
      instruction.eraseFromParent();
    }
  }
}

/// printf takes pointers to characters, which the back end would give the type of the whole array.
void castStrings(llvm::Module& module) {
  llvm::Function* const print = module.getFunction("printf");
  for (llvm::User* user : print ? llvm::SmallVector<llvm::User*>(print->users()) : llvm::SmallVector<llvm::User*>()) {
    auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
    for (unsigned i = 0; call && i < call->arg_size(); ++i) {
      llvm::Value* const text = call->getArgOperand(i);
      if (!llvm::isa<llvm::GlobalVariable>(text)) continue;
      llvm::IRBuilder<> builder(call);
      auto* const element = llvm::MetadataAsValue::get(
          module.getContext(), llvm::ConstantAsMetadata::get(llvm::PoisonValue::get(builder.getInt8Ty())));
      call->setArgOperand(i, builder.CreateIntrinsic(llvm::Intrinsic::spv_ptrcast, {text->getType(), text->getType()},
                                                     {text, element, builder.getInt32(uniformConstant)}));
    }
  }
}

/// The module without the instructions that ask for an extension.
std::string withoutExtension(std::string module, llvm::StringRef name) {
  constexpr std::size_t header = 5, wordBytes = 4;
  constexpr unsigned opExtension = 10;
  for (std::size_t at = header * wordBytes; at + wordBytes <= module.size();) {
    const std::uint32_t first = llvm::support::endian::read32le(module.data() + at);
    const std::size_t bytes = (first >> 16) * wordBytes;
    if (bytes == 0 || bytes > module.size() - at) break;
    const llvm::StringRef text(module.data() + at + wordBytes, bytes - wordBytes);
    if ((first & 0xffff) == opExtension && text.rtrim('\0') == name)
      module.erase(at, bytes);
    else
      at += bytes;
  }
  return module;
}

class SpirvHooks final : public sdk::TargetHooks {
 public:
  llvm::Error afterLate(sdk::TargetContext& context) override {
    llvm::Module& module = context.module;
    // Above O0, LLVM 22's selection masks truncated numbers in the wide register (an OpBitwiseAnd of 32 bits with an
    // operand of 64, which spirv-val refuses). The IR is optimised by now, and drivers compile what comes.
    context.machine.setOptLevel(llvm::CodeGenOptLevel::None);
    if (context.job.options.optLevel != OptLevel::O0) {
      mergeEqualValues(module, context.machine);
      useInstructions(module);
      indexByAccess(module);
    }
    splitMoves(module, context.machine);
    maskTruncated(module);
    lowerFences(module);
    lowerAtomicAccesses(module);
    castStrings(module);
    giveValues(module);
    if (auto error = addressBytes(module)) return error;
    keepVariableTypes(module);
    const auto number = [&](unsigned value) {
      return llvm::ConstantAsMetadata::get(llvm::IRBuilder<>(module.getContext()).getInt32(value));
    };
    module.getOrInsertNamedMetadata("opencl.ocl.version")
        ->addOperand(llvm::MDNode::get(module.getContext(), {number(2), number(0)}));
    // Its absence is SPIR-V's execution mode ContractionOff.
    if (context.job.options.contract) module.getOrInsertNamedMetadata("opencl.enable.FP_CONTRACT");
    return llvm::Error::success();
  }

  /// The back end takes extensions by this one way, which makes modules only.
  llvm::Expected<std::optional<std::string>> emit(sdk::TargetContext& context, std::string_view format) override {
    // LLVM 22 looks up where the formats of printf lie by registers of the module's last function, whichever function
    // prints (SPIRVModuleAnalysis.cpp), and refuses or asks for this extension where one of the same number is
    // something else there. Our formats are constants, and do not need it. To be removed with that.
    constexpr const char* relaxedPrint = "SPV_EXT_relaxed_printf_string_address_space";
    const auto given = context.descriptor.extensions();
    std::vector<std::string> extensions(given.begin(), given.end());
    const bool prints =
        context.module.getFunction("printf") != nullptr && !llvm::is_contained(extensions, relaxedPrint);
    if (prints && format == "object") extensions.push_back(relaxedPrint);
    // The device is asked for its clock when such a module is loaded.
    constexpr const char* clock = "SPV_KHR_shader_clock";
    if (context.module.getFunction("_Z20clock_read_sub_groupv") && !llvm::is_contained(extensions, clock))
      extensions.push_back(clock);
    const bool withLines = context.job.options.debugInfo && format == "object";
    if ((extensions.empty() && !withLines) || (format != "object" && format != "asm")) return std::nullopt;
    std::optional<LineMarks> marks;
    if (withLines) marks.emplace();
    std::string out, fault;
    if (format == "asm") {
      fault = "assembly text is not made of modules with extensions";
    } else if (llvm::SPIRVTranslate(&context.module, out, fault, extensions, context.machine.getOptLevel(),
                                    context.machine.getTargetTriple())) {
      if (prints) out = withoutExtension(std::move(out), relaxedPrint);
      return marks ? marks->withLines(out) : std::move(out);
    }
    return sdk::makeError({.code = ErrorCode::FormatUnsupported,
                           .message = std::string(context.descriptor.name()) + ": " + fault,
                           .hint = "emit spv, and take it apart with spirv-dis",
                           .stage = "emit"});
  }
};

}  // namespace
}  // namespace lathe::targets

LATHE_TARGET_HOOKS(spirv, lathe::targets::SpirvHooks)
