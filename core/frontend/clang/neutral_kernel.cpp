// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clang itself says how it passes each parameter (CGFunctionInfo): the call is built from that.
//
//   before: define void @k([2 x i32] %p.coerce, ptr %out)                  ; struct {char tag; float v;} p
//   after:  define void @k(ptr byval([8 x i8]) align 4 %p, ptr %out) {
//             %c = alloca [2 x i32]  ; the bytes of %p, loaded as Clang wants them
//             call void @k.native([2 x i32] %…, ptr %out)
#include "core/frontend/clang/neutral_kernel.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/CodeGen/CGFunctionInfo.h"
#include "clang/CodeGen/CodeGenABITypes.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

namespace lathe::detail {
namespace {

using clang::CodeGen::ABIArgInfo;

bool isAggregate(const clang::QualType& type) {
  return type->isRecordType() || type->isAnyComplexType() || type->isArrayType();
}

/// True for constants of LLVM's own lists: llvm.global.annotations, llvm.used.
bool isInList(const llvm::User& user) {
  if (const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(&user))
    return variable->getName().starts_with("llvm.");
  return llvm::isa<llvm::Constant>(user) &&
         llvm::any_of(user.users(), [](const llvm::User* owner) { return isInList(*owner); });
}

class KernelWrapper {
 public:
  KernelWrapper(const clang::FunctionDecl& kernel, const clang::CodeGen::CGFunctionInfo& passing,
                llvm::Function& function)
      : kernel_(kernel), passing_(passing), function_(function), builder_(function.getContext()) {}

  Result<llvm::Function*> write() {
    makeWrapper();
    unsigned index = 0;
    for (const auto& argument : passing_.arguments()) {
      if (!pass(*wrapper_->getArg(index), argument.info)) {
        const std::string name = kernel_.getParamDecl(index)->getNameAsString();
        wrapper_->eraseFromParent();
        return Error{.code = ErrorCode::Unsupported,
                     .message = "kernel '" + kernel_.getQualifiedNameAsString() + "': parameter '" + name +
                                "' of type '" + clang::QualType(argument.type).getAsString() +
                                "' cannot be passed by value on this platform",
                     .hint = "pass a pointer to it",
                     .stage = "frontend"};
      }
      ++index;
    }
    if (arguments_.size() != function_.arg_size()) {
      wrapper_->eraseFromParent();
      return Error{
          .code = ErrorCode::Internal,
          .message = "kernel '" + kernel_.getQualifiedNameAsString() + "': its parameters were not understood"};
    }
    llvm::CallInst* const call = builder_.CreateCall(&function_, arguments_);
    builder_.CreateRetVoid();
    wrapper_->takeName(&function_);
    function_.setName(wrapper_->getName() + ".native");
    // Code that calls the function, or takes its address, passes what Clang passes.
    function_.replaceUsesWithIf(wrapper_, [](const llvm::Use& use) { return isInList(*use.getUser()); });
    function_.setLinkage(llvm::GlobalValue::InternalLinkage);
    function_.setComdat(nullptr);
    function_.removeFnAttr(llvm::Attribute::NoInline);
    function_.addFnAttr(llvm::Attribute::AlwaysInline);
    call->setAttributes(llvm::AttributeList::get(function_.getContext(), {}, {}, [&] {
      llvm::SmallVector<llvm::AttributeSet> sets;
      for (unsigned i = 0; i < function_.arg_size(); ++i) sets.push_back(function_.getAttributes().getParamAttrs(i));
      return sets;
    }()));
    return wrapper_;
  }

 private:
  void makeWrapper() {
    const clang::ASTContext& ast = kernel_.getASTContext();
    llvm::SmallVector<llvm::Type*> types;
    unsigned next = 0;
    for (const auto& argument : passing_.arguments()) {
      const bool aggregate = isAggregate(argument.type);
      const unsigned used = argumentsOf(argument.info);
      const unsigned padding = argument.info.getPaddingType() ? 1 : 0;
      types.push_back(aggregate || used != padding + 1 ? llvm::PointerType::get(function_.getContext(), 0)
                                                       : function_.getArg(next + padding)->getType());
      next += used;
    }
    wrapper_ = llvm::Function::Create(llvm::FunctionType::get(builder_.getVoidTy(), types, false),
                                      function_.getLinkage(), "", function_.getParent());
    wrapper_->setAttributes(
        llvm::AttributeList::get(function_.getContext(), function_.getAttributes().getFnAttrs(), {}, {}));
    for (unsigned i = 0; i < types.size(); ++i) {
      const clang::QualType type = kernel_.getParamDecl(i)->getType();
      wrapper_->getArg(i)->setName(kernel_.getParamDecl(i)->getName());
      if (!isAggregate(type)) continue;
      const clang::TypeInfo info = ast.getTypeInfo(type);
      auto* const bytes = llvm::ArrayType::get(builder_.getInt8Ty(), info.Width / 8);
      llvm::AttrBuilder facts(function_.getContext());
      facts.addByValAttr(bytes);
      facts.addAlignmentAttr(llvm::Align(info.Align / 8));
      wrapper_->getArg(i)->addAttrs(facts);
    }
    builder_.SetInsertPoint(llvm::BasicBlock::Create(function_.getContext(), "entry", wrapper_));
  }

  /// How many arguments of the function one parameter takes.
  static unsigned argumentsOf(const ABIArgInfo& info) {
    const unsigned padding = info.getPaddingType() ? 1 : 0;
    if (info.isIgnore()) return padding;
    if (info.isDirect() && info.getCanBeFlattened()) {
      if (const auto* parts = llvm::dyn_cast<llvm::StructType>(info.getCoerceToType()))
        return padding + parts->getNumElements();
    }
    return padding + 1;
  }

  bool pass(llvm::Argument& given, const ABIArgInfo& info) {
    if (info.getPaddingType()) arguments_.push_back(llvm::UndefValue::get(info.getPaddingType()));
    switch (info.getKind()) {
      case ABIArgInfo::Ignore:
        return true;
      case ABIArgInfo::Indirect:
        if (!given.hasByValAttr()) return false;  // a number too wide for this platform's registers
        arguments_.push_back(copyOf(given));
        return true;
      case ABIArgInfo::Direct:
      case ABIArgInfo::Extend:
        if (given.hasByValAttr())
          passCoerced(given, info);
        else
          arguments_.push_back(&given);
        return true;
      default:
        return false;
    }
  }

  /// The callee may write to its copy.
  llvm::Value* copyOf(const llvm::Argument& given) {
    llvm::AllocaInst* const copy = builder_.CreateAlloca(given.getParamByValType());
    const llvm::Align align = given.getParamAlign().valueOrOne();
    copy->setAlignment(align);
    builder_.CreateMemCpy(copy, align, const_cast<llvm::Argument*>(&given), align, bytesOf(given));
    return copy;
  }

  std::uint64_t bytesOf(const llvm::Argument& given) const {
    return function_.getDataLayout().getTypeAllocSize(given.getParamByValType()).getFixedValue();
  }

  /// Through memory as large as both the structure and what Clang makes of it.
  void passCoerced(llvm::Argument& given, const ABIArgInfo& info) {
    const llvm::DataLayout& layout = function_.getDataLayout();
    llvm::Type* const type = info.getCoerceToType();
    const std::uint64_t offset = info.getDirectOffset();
    const std::uint64_t bytes = std::max(bytesOf(given), offset + layout.getTypeAllocSize(type).getFixedValue());
    llvm::AllocaInst* const memory = builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), bytes));
    memory->setAlignment(std::max(layout.getPrefTypeAlign(type), given.getParamAlign().valueOrOne()));
    builder_.CreateMemCpy(memory, llvm::Align(1), &given, given.getParamAlign(), bytesOf(given));
    const auto load = [&](llvm::Type* part, std::uint64_t at) {
      arguments_.push_back(builder_.CreateAlignedLoad(
          part, builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), memory, at), llvm::Align(1)));
    };
    auto* const parts = info.isDirect() && info.getCanBeFlattened() ? llvm::dyn_cast<llvm::StructType>(type) : nullptr;
    if (!parts) return load(type, offset);
    for (unsigned i = 0; i < parts->getNumElements(); ++i)
      load(parts->getElementType(i), offset + layout.getStructLayout(parts)->getElementOffset(i).getFixedValue());
  }

  const clang::FunctionDecl& kernel_;
  const clang::CodeGen::CGFunctionInfo& passing_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  llvm::Function* wrapper_ = nullptr;
  llvm::SmallVector<llvm::Value*> arguments_;
};

}  // namespace

Result<llvm::Function*> neutralKernel(clang::CodeGenerator& generator, const clang::FunctionDecl& kernel,
                                      llvm::Function& function) {
  const auto type = kernel.getType()->getCanonicalTypeUnqualified().getAs<clang::FunctionProtoType>();
  const auto& passing = clang::CodeGen::arrangeFreeFunctionType(generator.CGM(), type);
  // What has one form everywhere needs no wrapper.
  const bool neutral = llvm::all_of(passing.arguments(), [](const auto& argument) {
    return !isAggregate(argument.type) && (argument.info.isDirect() || argument.info.isExtend()) &&
           !argument.info.getPaddingType();
  });
  if (neutral && function.arg_size() == kernel.getNumParams()) return &function;
  return KernelWrapper(kernel, passing, function).write();
}

}  // namespace lathe::detail
