// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The metadata of loops (!llvm.loop), by which passes are told what to do with one.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Constant.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"

namespace lathe::detail {

/// One property, as `!{!"llvm.loop.unroll.disable"}`, or with a value, as `!{!"llvm.loop.interleave.count", i32 1}`.
llvm::MDNode* loopProperty(llvm::LLVMContext& context, llvm::StringRef name);
llvm::MDNode* loopProperty(llvm::LLVMContext& context, llvm::StringRef name, llvm::Constant& value);

/// What the branch that ends a loop of these properties bears as `llvm::LLVMContext::MD_loop`.
llvm::MDNode* loopOf(llvm::LLVMContext& context, llvm::ArrayRef<llvm::Metadata*> properties);

}  // namespace lathe::detail
