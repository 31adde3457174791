// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What Lathe itself reads of a portable image: which code is in it, and the description of a kernel that its module
// carries as text. The bitcode in between is LLVM's to read, in a process that may crash
// (tests/compiler/portable_test.cpp tries that). The input is a text of that description.
#include <optional>

#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include "core/frontend/entry_layout.h"
#include "hostile.h"
#include "text_pieces.h"

using namespace lathe;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // A context keeps every text, and takes longer to make than all the rest: one serves for a while.
  static std::optional<llvm::LLVMContext> shared;
  static unsigned uses = 0;
  if (uses++ % 256 == 0) shared.emplace();
  llvm::LLVMContext& context = *shared;
  llvm::Module module("hostile", context);
  auto* const pointer = llvm::PointerType::get(context, 0);
  auto* const type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, llvm::Type::getInt32Ty(context)}, false);
  auto* const function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, "_Z6kernelPij", module);
  const std::string_view text = hostile::textOf(data, size);
  function->setMetadata(detail::entryMetadata,
                        llvm::MDNode::get(context, {llvm::MDString::get(context, {text.data(), text.size()})}));
  ImageInfo info;
  for (const bool plain : {false, true}) info.entries.push_back(detail::entryOf(*function, plain));
  info.entries.front().parameters.push_back({"result", detail::resultOf(*function), 0, false});
  const Image image = Image::build(info, {});
  hostile::require(image.info().entries.size() == info.entries.size());
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize, unsigned seed) {
  return hostile::give(hostile::mutatedText(std::string(hostile::textOf(data, size)), seed), data, size, maxSize);
}
