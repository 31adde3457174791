// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stage import: what the front end or a user's module holds becomes portable IR.
//
//   before: @llvm.global.annotations says that @tile is "lathe.shared" and @k is "lathe.kernel"; functions carry
//           "target-cpu", norecurse, llvm.used keeps them alive
//   after:  @tile lives in addrspace(3) without an initial value; define void @k() #0, #0 = { "lathe.kernel" }
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/IPO/ExpandVariadics.h"

#include "core/abi/device_abi.h"
#include "core/abi/math.h"
#include "core/lower/abi/entry_types.h"
#include "core/lower/abi/named_functions.h"
#include "core/lower/abi/print_calls.h"
#include "core/lower/globals.h"
#include "core/lower/launched_kernels.h"
#include "core/lower/lowering.h"
#include "core/lower/passes/masked_pointers.h"
#include "core/lower/stages.h"
#include "core/portable/verifier.h"
#include "core/support/diagnostics.h"
#include "core/support/llvm_bridge.h"

namespace lathe::detail {
namespace {

struct Annotation {
  llvm::GlobalValue* value;
  llvm::StringRef text;
  const llvm::ConstantStruct* arguments;  ///< integers; null if none
  std::string place;                      ///< "line,file"
};

std::string placeOf(const llvm::ConstantStruct& record) {
  const auto* const file = record.getNumOperands() > 3
                               ? llvm::dyn_cast<llvm::GlobalVariable>(record.getOperand(2)->stripPointerCasts())
                               : nullptr;
  const auto* const name =
      file && file->hasInitializer() ? llvm::dyn_cast<llvm::ConstantDataSequential>(file->getInitializer()) : nullptr;
  const auto* const line = file ? llvm::dyn_cast<llvm::ConstantInt>(record.getOperand(3)) : nullptr;
  if (!name || !name->isCString() || !line) return {};
  return std::to_string(line->getZExtValue()) + "," + name->getAsCString().str();
}

std::vector<Annotation> readAnnotations(const llvm::GlobalVariable& list) {
  std::vector<Annotation> out;
  const auto* array = llvm::dyn_cast<llvm::ConstantArray>(list.getInitializer());
  if (!array) return out;
  for (const llvm::Use& element : array->operands()) {
    const auto* record = llvm::dyn_cast<llvm::ConstantStruct>(element);
    if (!record || record->getNumOperands() < 2) continue;
    auto* value = llvm::dyn_cast<llvm::GlobalValue>(record->getOperand(0)->stripPointerCasts());
    const auto* text = llvm::dyn_cast<llvm::GlobalVariable>(record->getOperand(1)->stripPointerCasts());
    const auto* data =
        text && text->hasInitializer() ? llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer()) : nullptr;
    if (!value || !data || !data->isCString()) continue;
    const llvm::ConstantStruct* arguments = nullptr;
    if (record->getNumOperands() > 4) {
      const auto* holder = llvm::dyn_cast<llvm::GlobalVariable>(record->getOperand(4)->stripPointerCasts());
      if (holder && holder->hasInitializer())
        arguments = llvm::dyn_cast<llvm::ConstantStruct>(holder->getInitializer());
    }
    out.push_back({value, data->getAsCString(), arguments, placeOf(*record)});
  }
  return out;
}

void setBounds(llvm::Function& function, const llvm::ConstantStruct* arguments) {
  constexpr const char* names[] = {attribute::maxItems, attribute::minGroups, attribute::maxRegisters};
  for (unsigned i = 0; arguments && i < std::min<unsigned>(arguments->getNumOperands(), std::size(names)); ++i) {
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(arguments->getOperand(i))) {
      function.addFnAttr(names[i], std::to_string(number->getZExtValue()));
    }
  }
}

/// Numbers of an annotation as an attribute, "2,1,1"; fewer than `least` are filled up with 1.
void setExtents(llvm::Function& function, const char* name, const llvm::ConstantStruct* arguments, unsigned least) {
  std::string text;
  for (unsigned i = 0; i < least; ++i) {
    const auto* const number = arguments && i < arguments->getNumOperands()
                                   ? llvm::dyn_cast<llvm::ConstantInt>(arguments->getOperand(i))
                                   : nullptr;
    text += (i ? "," : "") + std::to_string(number ? number->getSExtValue() : 1);
  }
  function.addFnAttr(name, text);
}

/// Promises about launches have a meaning for kernels only.
void checkPromise(const llvm::Function& function, llvm::StringRef what, std::vector<Diagnostic>& diagnostics) {
  if (function.hasFnAttribute(attribute::kernel)) return;
  diagnostics.push_back({.code = ErrorCode::PortableRule,
                         .message = "function '" + demangled(function.getName()) + "' is marked with " + what.str() +
                                    ", which only a kernel can have",
                         .location = locationOf(function),
                         .hint = "mark the kernels that call it"});
}

/// Headers mark their fast functions so: no pragma of Clang's reaches only them.
void allowApproximation(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (llvm::isa<llvm::FPMathOperator>(instruction)) instruction.setHasApproxFunc(true);
  }
}

void makeShared(llvm::GlobalVariable& variable, std::vector<Diagnostic>& diagnostics) {
  if (variable.hasInitializer() && !variable.getInitializer()->isNullValue() &&
      !llvm::isa<llvm::UndefValue>(variable.getInitializer())) {
    diagnostics.push_back(
        {.code = ErrorCode::PortableRule,
         .message = "group-shared variable '" + demangled(variable.getName()) + "' has an initial value",
         .location = locationOf(variable),
         .hint = "group-shared memory starts undefined: let one item write it, then call the barrier"});
  }
  llvm::Constant* const none = variable.isDeclaration() ? nullptr : llvm::PoisonValue::get(variable.getValueType());
  variable.setConstant(false);
  moveToSpace(variable, portableGroupSpace, none);
}

void applyAnnotations(llvm::Module& module, std::vector<Diagnostic>& diagnostics) {
  llvm::GlobalVariable* const list = module.getGlobalVariable("llvm.global.annotations");
  if (!list || !list->hasInitializer()) return;
  const std::vector<Annotation> annotations = readAnnotations(*list);
  std::vector<llvm::GlobalVariable*> shared;
  for (const Annotation& annotation : annotations) {
    if (auto* function = llvm::dyn_cast<llvm::Function>(annotation.value)) {
      if (annotation.text == "lathe.kernel") function->addFnAttr(attribute::kernel);
      if (annotation.text == whenLaunched) function->addFnAttr(whenLaunched);
      if (annotation.text == "lathe.bounds") setBounds(*function, annotation.arguments);
      if (annotation.text == "lathe.approximate") allowApproximation(*function);
      if (annotation.text == attribute::exact) function->addFnAttr(attribute::exact);
      if (annotation.text == "lathe.export") function->addFnAttr(attribute::exported);
      if (annotation.text == attribute::maxRegisters)
        setExtents(*function, attribute::maxRegisters, annotation.arguments, 1);
      if (annotation.text == attribute::groupSize) setExtents(*function, attribute::groupSize, annotation.arguments, 3);
      if (annotation.text == attribute::clusterSize) {
        setExtents(*function, attribute::clusterSize, annotation.arguments, 3);
        function->addFnAttr(attribute::clusterAt, annotation.place);
      }
      if (annotation.text == attribute::countsClusters) function->addFnAttr(attribute::countsClusters);
    } else if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(annotation.value)) {
      if (annotation.text == "lathe.shared") shared.push_back(variable);
      if (annotation.text == "lathe.constant") variable->addAttribute(attribute::constant);
      if (annotation.text == "lathe.global") variable->addAttribute(attribute::global);
      if (annotation.text == attribute::managed) variable->addAttribute(attribute::managed);
    }
  }
  constexpr std::pair<const char*, const char*> promises[] = {{attribute::maxRegisters, "a number of registers"},
                                                              {attribute::groupSize, "a group size"},
                                                              {attribute::clusterSize, "a cluster size"}};
  for (const Annotation& annotation : annotations) {
    const auto* const function = llvm::dyn_cast<llvm::Function>(annotation.value);
    for (const auto& [text, words] : promises) {
      if (function && annotation.text == text) checkPromise(*function, words, diagnostics);
    }
  }
  list->eraseFromParent();
  for (llvm::GlobalVariable* variable : shared) makeShared(*variable, diagnostics);
}

/// What a front end leaks: its own target's attributes, and facts that do not hold for a group of items.
void stripLeaks(llvm::Module& module) {
  for (llvm::Function& function : module) {
    llvm::AttributeMask leaked;
    // norecurse lets -O3 forward stores across barriers: it holds for one item, but shared memory has many writers.
    leaked.addAttribute(llvm::Attribute::NoRecurse);
    leaked.addAttribute(llvm::Attribute::OptimizeNone);
    // Named attributes are the front end's target's ("target-cpu", "frame-pointer"), but for Lathe's own.
    for (const llvm::Attribute& set : function.getAttributes().getFnAttrs()) {
      if (set.isStringAttribute() && !set.getKindAsString().starts_with("lathe."))
        leaked.addAttribute(set.getKindAsString());
    }
    function.removeFnAttrs(leaked);
  }
  // Of named metadata only debug information is about the source and not about the front end's target, and of module
  // flags only what that needs.
  dropNamedMetadata(module, /*keepFlags=*/true);
  if (llvm::NamedMDNode* flags = module.getModuleFlagsMetadata()) {
    llvm::SmallVector<llvm::MDNode*> kept;
    for (llvm::MDNode* flag : flags->operands()) {
      const auto* name = llvm::dyn_cast<llvm::MDString>(flag->getOperand(1));
      if (name && (name->getString() == "Debug Info Version" || name->getString() == "Dwarf Version"))
        kept.push_back(flag);
    }
    flags->clearOperands();
    for (llvm::MDNode* flag : kept) flags->addOperand(flag);
    if (kept.empty()) flags->eraseFromParent();
  }
}

/// The front end says of every call that it is not what its name promises. A vector library is only asked for those
/// that are, and LLVM folds only their constants.
void allowBuiltin(llvm::CallBase& call) {
  call.removeFnAttr(llvm::Attribute::NoBuiltin);
  call.removeFnAttr("no-builtins");
}

void allowBuiltins(llvm::Function& function) {
  for (llvm::User* user : function.users()) {
    if (auto* const call = llvm::dyn_cast<llvm::CallBase>(user)) allowBuiltin(*call);
  }
}

/// Calls of libm functions become LLVM's intrinsics, or at least functions without effects where there is none: libm's
/// own would set errno, which no device has and which keeps loops from being vectorised. Those of constants are
/// constants: once a function of the target's library is called, nobody can tell.
void canonicaliseMath(llvm::Module& module, bool hasVectorLibrary) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (!function.isDeclaration() || function.isIntrinsic()) continue;
    const auto use = findMath(std::string_view(function.getName()));
    if (!use || !matchesMath(*use, *function.getFunctionType())) continue;
    if (hasVectorLibrary) allowBuiltins(function);
    if (use->function->intrinsic == llvm::Intrinsic::not_intrinsic) {
      function.setDoesNotAccessMemory();
      function.setDoesNotThrow();
      function.setWillReturn();
      continue;
    }
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->getCalledFunction() != &function) continue;
      call->setCalledFunction(mathIntrinsic(*use, *call));
      allowBuiltin(*call);
      if (llvm::Constant* const value = llvm::ConstantFoldInstruction(call, module.getDataLayout())) {
        call->replaceAllUsesWith(value);
        call->eraseFromParent();
      } else if (use->function->intrinsic != llvm::Intrinsic::sqrt && !hasVectorLibrary) {
        // LLVM would make other functions of some (of exp2 ldexp), which not every back end has.
        call->addFnAttr(llvm::Attribute::NoBuiltin);
      }
    }
    if (function.use_empty()) function.eraseFromParent();
  }
}

/// What the compiler calls a trap is the device ABI's, whose end of a kernel is the target's affair.
void canonicaliseTrap(llvm::Module& module) {
  llvm::Function* const trap = module.getFunction("llvm.trap");
  if (!trap) return;
  const llvm::FunctionCallee entry = module.getOrInsertFunction(abiEntry(AbiId::trap).symbol, trap->getFunctionType());
  for (llvm::User* user : llvm::make_early_inc_range(trap->users()))
    llvm::cast<llvm::CallBase>(user)->setCalledFunction(entry);
  trap->eraseFromParent();
}

/// C's malloc and free, and C++'s new and delete, which give null where there is nothing left. What LLVM knows of them
/// stays: memory that nobody uses need not be taken.
void canonicaliseAllocation(llvm::Module& module) {
  const auto rename = [&](const char* name, AbiId entry, const auto& isMeant) {
    llvm::Function* const function = module.getFunction(name);
    if (!function || !function->isDeclaration() || function->arg_size() != 1 || !isMeant(*function)) return;
    llvm::FunctionCallee made =
        module.getOrInsertFunction(abiEntry(entry).symbol, function->getFunctionType(), function->getAttributes());
    function->replaceAllUsesWith(made.getCallee());
    function->eraseFromParent();
  };
  for (const char* name : {"malloc", "_Znwm", "_Znam"}) {
    rename(name, AbiId::allocate, [](const llvm::Function& function) {
      return function.getReturnType()->isPointerTy() && function.getArg(0)->getType()->isIntegerTy(64);
    });
  }
  for (const char* name : {"free", "_ZdlPv", "_ZdaPv"}) {
    rename(name, AbiId::release, [](const llvm::Function& function) {
      return function.getReturnType()->isVoidTy() && function.getArg(0)->getType()->isPointerTy();
    });
  }
}

/// Takes out which value a variable has where: of all debug information only DWARF says that, and each pass carries it
/// along. Arrays and structures stay, so that what is too large for the stack has a name and a line.
void dropVariableValues(llvm::Module& module) {
  const auto isLarge = [](const llvm::DbgVariableRecord& record) {
    const auto* const place =
        record.isDbgDeclare() ? llvm::dyn_cast_or_null<llvm::AllocaInst>(record.getAddress()) : nullptr;
    return place && place->getAllocatedType()->isAggregateType();
  };
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      for (llvm::DbgVariableRecord& record :
           llvm::make_early_inc_range(llvm::filterDbgVars(instruction.getDbgRecordRange())))
        if (!isLarge(record)) record.eraseFromParent();
    }
  }
}

}  // namespace

/// The loader finds entry points by their sections; functions without one, or in the default one, are what they call. A
/// declaration with a section is a promise of the loader's.
llvm::Error stage::markSectionEntries(Lowering& lowering) {
  for (llvm::Function& function : *lowering.module) {
    if (!function.hasSection() || function.getSection().starts_with(".text")) continue;
    if (function.isDeclaration())
      function.addFnAttr(attribute::provided);
    else
      function.addFnAttr(attribute::kernel, attribute::bySection);
  }
  return llvm::Error::success();
}

/// Symbols of kernels mean nothing to a host's linker, and nobody links what C functions a kernel calls by name.
llvm::Error stage::releaseHostSymbols(Lowering& lowering) {
  llvm::Module& module = *lowering.module;
  for (const char* name : {"llvm.used", "llvm.compiler.used"}) {
    if (llvm::GlobalVariable* const keep = module.getGlobalVariable(name)) keep->eraseFromParent();
  }
  for (llvm::Function& function : module) {
    // Which of them are kernels or for C programs is known when annotations are read.
    if (function.hasHiddenVisibility() && function.hasExternalLinkage() && !function.isDeclaration())
      function.addFnAttr(attribute::hidden);
    function.setDSOLocal(false);
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
  }
  defineNamedFunctions(module, lowering.descriptor);
  return llvm::Error::success();
}

/// Gives functions with a variable number of arguments a pointer to these, packed as the front end's va_list expects
/// it: a target's own may be another type. One whose address is taken stays, where the target has no such calls as an
/// address alone.
static void packVariableArguments(llvm::Module& module, bool hasCalls) {
  llvm::ModuleAnalysisManager analyses;  // the pass asks for none
  llvm::ExpandVariadicsPass(llvm::ExpandVariadicsMode::Optimize).run(module, analyses);
  if (hasCalls) return;
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (function.isDeclaration() || !function.isVarArg()) continue;
    const llvm::ArrayRef<llvm::Type*> types = function.getFunctionType()->params();
    auto* const type = llvm::FunctionType::get(function.getReturnType(), types, /*isVarArg=*/false);
    llvm::Function* const address = llvm::Function::Create(type, function.getLinkage(), "", module);
    address->takeName(&function);
    new llvm::UnreachableInst(module.getContext(), llvm::BasicBlock::Create(module.getContext(), "", address));
    function.replaceAllUsesWith(address);
    function.eraseFromParent();
  }
}

/// Aligns launch-sized memory for every vector type: kernels that look for aligned addresses first need not look.
static void alignDynamicMemory(llvm::Module& module) {
  const llvm::Align widest(16);
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.isDeclaration() && variable.getAddressSpace() == portableGroupSpace)
      variable.setAlignment(std::max(variable.getAlign().valueOrOne(), widest));
}

llvm::Error stage::neutralise(Lowering& lowering) {
  if (!lowering.job.options.debugInfo && !lowering.descriptor.codegen.dwarf) dropVariableValues(*lowering.module);
  stripLeaks(*lowering.module);
  canonicaliseMath(*lowering.module, !lowering.descriptor.codegen.vectorLibrary.empty());
  // Stage late makes loads of these.
  llvm::Function* const compare = lowering.module->getFunction("memcmp");
  if (compare && compare->isDeclaration() && !lowering.descriptor.codegen.libraryCalls) allowBuiltins(*compare);
  if (auto error = canonicalisePrint(*lowering.module)) return error;
  canonicaliseTrap(*lowering.module);
  offsetMaskedPointers(*lowering.module);
  return llvm::Error::success();
}

llvm::Error stage::import(Lowering& lowering) {
  std::vector<Diagnostic> diagnostics;
  applyAnnotations(*lowering.module, diagnostics);
  // The body of a kernel becomes part of what launches it. Where nothing does, one program can be the other's function.
  const bool areLaunched = lowering.descriptor.pipeline != PipelineKind::module;
  for (llvm::Function& function : *lowering.module) {
    if (areLaunched && !function.hasFnAttribute(llvm::Attribute::AlwaysInline) &&
        function.hasFnAttribute(attribute::kernel))
      function.removeFnAttr(llvm::Attribute::NoInline);
  }
  canonicaliseAllocation(*lowering.module);
  passByValue(*lowering.module);
  dropValueAnnotations(*lowering.module);
  for (Diagnostic& finding : checkPortable(*lowering.module, lowering.descriptor))
    (finding.severity == Severity::error ? diagnostics : lowering.warnings).push_back(std::move(finding));
  if (!diagnostics.empty()) return toLlvm(combined(std::move(diagnostics), "import"));
  alignDynamicMemory(*lowering.module);
  packVariableArguments(*lowering.module, !llvm::is_contained(lowering.descriptor.forbid, "varargs"));
  return llvm::Error::success();
}

}  // namespace lathe::detail
