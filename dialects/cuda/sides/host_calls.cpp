// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From Clang's errors to traps.
#include "dialects/cuda/sides/host_calls.h"

#include <algorithm>
#include <string>
#include <vector>

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/Cuda.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaCUDA.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

#include "dialects/cuda/sides/sides_of_functions.h"

namespace lathe::dialects {
namespace {

/// The message of the attribute `error`, which Clang hands on to the function's IR.
constexpr llvm::StringRef mark = "lathe: of the host";
constexpr llvm::StringRef markOfIr = "dontcall-error";

constexpr std::size_t mostNotes = 5;

}  // namespace

/// Clang says at once what is wrong in a function that other sources may call, and drops the expression; for one that
/// is inline it waits until it knows whether a kernel calls it.
void HostCalls::watch() {
  if (!sema_ || sema_->CurContext == context_) return;
  context_ = sema_->CurContext;
  auto* const function = llvm::dyn_cast_or_null<clang::FunctionDecl>(sema_->CurContext);
  if (!function || function->isInlined() || function->isDependentContext()) return;
  if (!function->hasAttr<clang::CUDAHostAttr>() || !function->hasAttr<clang::CUDADeviceAttr>()) return;
  function->setImplicitlyInline();
  begun_.push_back(function);
}

bool HostCalls::HandleTopLevelDecl(clang::DeclGroupRef) {
  std::erase_if(begun_, [&](clang::FunctionDecl* function) {
    if (!function->getBody()) return false;  // Clang may load declarations in the middle of it
    if (!sema_->DeviceDeferredDiags.contains(function->getCanonicalDecl())) function->setImplicitlyInline(false);
    return true;
  });
  return true;
}

bool HostCalls::takes(const clang::Diagnostic& info) {
  using Engine = clang::DiagnosticsEngine;
  // Behind the end of the source, where the tree is whole.
  if (info.getID() != clang::diag::err_ref_bad_target || compiler_.getPreprocessor().getCurrentFileLexer())
    return false;
  if (info.getArgKind(2) != Engine::ak_nameddecl) return false;
  const auto isSide = [&](unsigned argument, clang::CUDAFunctionTarget side) {
    return info.getArgKind(argument) == Engine::ak_sint && info.getArgSInt(argument) == llvm::to_underlying(side);
  };
  if (!isSide(0, clang::CUDAFunctionTarget::Host) || !isSide(3, clang::CUDAFunctionTarget::HostDevice)) return false;
  auto* const called = const_cast<clang::FunctionDecl*>(
      llvm::dyn_cast<clang::FunctionDecl>(reinterpret_cast<const clang::NamedDecl*>(info.getRawArg(2))));
  // One that is marked for the device elsewhere is none of the host's (SidesOfFunctions).
  if (!called || isEverForDevice(*called)) return false;
  for (clang::FunctionDecl* declaration : called->redecls())
    declaration->addAttr(clang::ErrorAttr::CreateImplicit(called->getASTContext(), mark));
  return true;
}

std::vector<Diagnostic> HostCalls::takeWarning() {
  if (found_.empty()) return {};
  Diagnostic out{.severity = Severity::warning,
                 .code = ErrorCode::SourceError,
                 .message = "functions for both sides call functions of the host in " + std::to_string(found_.size()) +
                            (found_.size() == 1 ? " place" : " places") + "; a kernel that gets there ends with a trap",
                 .location = found_.front().location,
                 .snippet = found_.front().snippet,
                 .notes = {},
                 .hint = {}};
  for (std::size_t i = 0; i < std::min(found_.size(), mostNotes); ++i)
    out.notes.push_back({found_[i].message, found_[i].location, {}});
  found_.clear();
  return {std::move(out)};
}

void endAtHostCalls(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (function.getFnAttribute(markOfIr).getValueAsString() != mark) continue;
    function.deleteBody();
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* const call = llvm::dyn_cast<llvm::CallBase>(user);
      if (!call || call->getCalledOperand() != &function) continue;
      llvm::IRBuilder<>(call).CreateIntrinsic(llvm::Intrinsic::trap, {});
      llvm::changeToUnreachable(call);
    }
    // Its address, which code for the device cannot have.
    function.replaceAllUsesWith(llvm::ConstantPointerNull::get(function.getType()));
    function.eraseFromParent();
  }
}

}  // namespace lathe::dialects
