// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematics: libm calls and LLVM's math intrinsics become what the target has, in stage device_abi and again in
// late_libraries for what the optimiser made. Back ends die on intrinsics they cannot select, so nothing may be left to
// chance. A target without a math library keeps libm's names: its runtime or linker provides them, and its vectoriser
// knows them. What the library lacks, or errs in, comes from Lathe's own (core/device/math.cpp).
//
//   before: %s = call float @llvm.sin.f32(float %x)     %r = call float @sqrtf(float %x)
//   after:  %s = call float @__nv_sinf(float %x)        %r = call float @llvm.sqrt.f32(float %x)
#include "llvm/IR/IRBuilder.h"

#include "core/abi/math.h"
#include "core/lower/device_libraries.h"
#include "core/lower/lowering.h"
#include "core/lower/math/math.h"
#include "core/lower/math/sine_and_cosine.h"

namespace lathe::detail {
namespace {

class MathLowering {
 public:
  /// Without a library libm serves.
  MathLowering(Lowering& lowering, const DeviceLibrary* library) : lowering_(lowering), library_(library) {}

  bool run() {
    bool changed = false;
    for (llvm::Function& function : llvm::make_early_inc_range(*lowering_.module)) {
      if (!function.isDeclaration()) continue;
      const auto use = useOf(function);
      if (!use) continue;
      for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
        auto* const call = llvm::dyn_cast<llvm::CallInst>(user);
        if (call && call->getCalledFunction() == &function) changed |= replace(*call, *use);
      }
      if (function.use_empty()) function.eraseFromParent();
    }
    return changed;
  }

 private:
  static std::optional<MathUse> useOf(const llvm::Function& function) {
    const llvm::Type* const type = function.getReturnType();
    if (!type->isFloatTy() && !type->isDoubleTy()) return std::nullopt;
    if (function.isIntrinsic()) {
      const MathFunction* const known = findMath(function.getIntrinsicID());
      return known ? std::optional(MathUse{known, type->isDoubleTy()}) : std::nullopt;
    }
    auto use = findMath(std::string_view(function.getName()));
    return use && matchesMath(*use, *function.getFunctionType()) ? use : std::nullopt;
  }

  /// Whether the back end selects the intrinsic: "sqrt" at both precisions, "sqrt.f32" at one, "sin.f32+afn" only where
  /// the call allows an approximation.
  bool isNative(const llvm::CallInst& call, const MathUse& use) const {
    if (use.function->intrinsic == llvm::Intrinsic::not_intrinsic) return false;
    const std::string name(use.function->name);
    const std::string precise = name + (use.isDouble ? ".f64" : ".f32");
    return llvm::is_contained(lowering_.descriptor.nativeMath, name) ||
           llvm::is_contained(lowering_.descriptor.nativeMath, precise) ||
           (call.hasApproxFunc() && llvm::is_contained(lowering_.descriptor.nativeMath, precise + "+afn"));
  }

  /// Whether Lathe's own serves: no library has it, or this one's is not to be used.
  bool isOwn(const MathUse& use) const {
    switch (use.function->own) {
      case MathFunction::Own::no:
        return false;
      case MathFunction::Own::spare:
        return library_ && llvm::is_contained(library_->mathReplaced, use.function->name);
      case MathFunction::Own::yes:
        return !(library_ && llvm::is_contained(library_->mathAlso, use.function->name));
    }
    return false;
  }

  /// What the call is to call; empty if it may stay as it is.
  std::string symbolFor(const llvm::CallInst& call, const MathUse& use) const {
    const std::string name(use.function->name);
    // Back ends multiply out the powers that they know; for others they call a compiler's library, which errs by 16
    // ulp.
    if (call.getIntrinsicID() == llvm::Intrinsic::powi && llvm::isa<llvm::ConstantInt>(call.getArgOperand(1)))
      return {};
    if (isOwn(use)) return std::string(ownMathPrefix) + name + (use.isDouble ? "" : "f");
    if (!library_) return {};
    if (!use.isDouble && call.hasApproxFunc() && llvm::is_contained(library_->mathFast, name))
      return withName(library_->mathFastF32, name);
    return mathSymbol(*library_, use);
  }

  bool replace(llvm::CallInst& call, const MathUse& use) {
    llvm::Module& module = *lowering_.module;
    llvm::FunctionCallee callee;
    if (library_ && isNative(call, use)) {
      if (call.getCalledFunction()->isIntrinsic()) return false;
      callee = mathIntrinsic(use, call);
    } else {
      const std::string symbol = symbolFor(call, use);
      if (symbol.empty()) return false;
      callee = module.getOrInsertFunction(symbol, call.getFunctionType());
    }
    if (callee.getCallee() == call.getCalledOperand()) return false;
    llvm::IRBuilder<> builder(&call);
    llvm::CallInst* const replacement = builder.CreateCall(callee, llvm::SmallVector<llvm::Value*>(call.args()));
    replacement->copyFastMathFlags(&call);
    replacement->takeName(&call);
    // Mathematics has no effects: the optimiser may move, merge and drop it, whatever library serves it.
    if (auto* const function = llvm::dyn_cast<llvm::Function>(callee.getCallee());
        function && function->isDeclaration() && !function->isIntrinsic()) {
      function->setDoesNotThrow();
      function->setWillReturn();
      function->setDoesNotAccessMemory();
    }
    call.replaceAllUsesWith(replacement);
    call.eraseFromParent();
    return true;
  }

  Lowering& lowering_;
  const DeviceLibrary* library_;
};

}  // namespace

std::string withName(std::string pattern, const std::string& name) {
  if (const std::size_t hole = pattern.find("{name}"); hole != std::string::npos) pattern.replace(hole, 6, name);
  return pattern;
}

std::string mathSymbol(const DeviceLibrary& library, const MathUse& use) {
  std::string name(use.function->name);
  if (const auto renamed = library.mathRenames.find(name); renamed != library.mathRenames.end()) name = renamed->second;
  if (library.mathMangling == "itanium") {
    std::string out = "_Z" + std::to_string(name.size()) + name;
    for (const char letter : use.function->signature.substr(1))
      out += letter == 'T' ? (use.isDouble ? 'd' : 'f') : letter;
    return out;
  }
  return withName(use.isDouble ? library.mathF64 : library.mathF32, name);
}

bool lowerMath(Lowering& lowering) {
  const DeviceLibrary* const library = mathLibrary(lowering);
  const bool changed = lowerSineAndCosine(lowering, library);
  return MathLowering(lowering, library).run() || changed;
}

}  // namespace lathe::detail
