// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR text, bitcode and portable images as a source.
#include "core/frontend/ir_reader.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <lathe/image.h>

#include "core/descriptor/descriptor.h"
#include "core/frontend/entry_layout.h"
#include "core/support/llvm_bridge.h"
#include "core/support/nearest.h"

namespace lathe::detail {
namespace {

constexpr std::string_view bitcodeMagic = "BC\xC0\xDE";
constexpr std::string_view imageMagic = "LATHEIMG";

Error invalidModule(const std::string& name, std::string message) {
  return {.code = ErrorCode::InvalidModule, .message = name + ": " + std::move(message), .stage = "frontend"};
}

Result<std::unique_ptr<llvm::Module>> parse(std::string_view bytes, const std::string& name,
                                            llvm::LLVMContext& context) {
  const llvm::MemoryBufferRef buffer(llvm::StringRef(bytes.data(), bytes.size()), name);
  if (bytes.starts_with(bitcodeMagic)) {
    auto module = llvm::parseBitcodeFile(buffer, context);
    if (!module) return invalidModule(name, "not readable as bitcode: " + llvm::toString(module.takeError()));
    return std::move(*module);
  }
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssembly(buffer, diagnostic, context);
  if (!module) {
    Error error = invalidModule(name, diagnostic.getMessage().str());
    error.location = {name, static_cast<std::uint32_t>(std::max(diagnostic.getLineNo(), 0)),
                      static_cast<std::uint32_t>(std::max(diagnostic.getColumnNo() + 1, 0))};
    return error;
  }
  return module;
}

const EntryPoint* entryNamed(const Image& image, const std::string& name) {
  const auto& entries = image.info().entries;
  const auto found = std::ranges::find(entries, name, &EntryPoint::name);
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace

bool looksLikeIr(std::string_view bytes) {
  return bytes.starts_with(bitcodeMagic) || bytes.starts_with(imageMagic);
}

Result<FrontendResult> readIr(const FrontendRequest& request, llvm::LLVMContext& context) {
  const Source& source = request.job.source;
  std::string_view bytes = source.text;
  std::optional<Image> image;
  if (bytes.starts_with(imageMagic)) {
    auto read = Image::fromBytes(std::as_bytes(std::span(bytes)));
    if (!read) {
      read.error().message = source.name + ": " + read.error().message;
      return std::move(read).error();
    }
    image = *std::move(read);
    const Code* code = image->find("portable");
    if (!code) code = image->find(relocatableFormat);
    if (!code) {
      return Error{.code = ErrorCode::InvalidModule,
                   .message = source.name + ": an image without portable IR cannot be compiled again",
                   .hint = "compile it with --emit portable to ship it for other targets",
                   .stage = "frontend"};
    }
    bytes = {reinterpret_cast<const char*>(code->bytes.data()), code->bytes.size()};
  }
  auto module = parse(bytes, source.name, context);
  if (!module) return std::move(module).error();
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(**module, &stream))
    return invalidModule(source.name, "does not verify: " + llvm::StringRef(broken).split('\n').first.str());

  if (request.descriptor.frontend == FrontEnd::native) {
    const llvm::DataLayout own(llvm::Triple(llvm::Triple::normalize(request.descriptor.triple)).computeDataLayout());
    const llvm::DataLayout& given = (*module)->getDataLayout();
    if (own.getPointerSizeInBits(0) != given.getPointerSizeInBits(0) ||
        own.isLittleEndian() != given.isLittleEndian()) {
      const auto describe = [](const llvm::DataLayout& layout) {
        return std::to_string(layout.getPointerSizeInBits(0)) + "-bit " +
               (layout.isLittleEndian() ? "little-endian" : "big-endian");
      };
      return Error{.code = ErrorCode::PortableRule,
                   .message = source.name + ": the module is " + describe(given) + ", target '" +
                              request.descriptor.name + "' is " + describe(own),
                   .hint = "compile the source itself for this target, or make the IR for " + request.descriptor.triple,
                   .stage = "frontend",
                   .target = request.descriptor.name};
    }
  }

  FrontendResult out;
  out.module = *std::move(module);
  std::vector<std::string> known;
  if (image && request.job.entries.empty()) {
    // The names that the image's kernels were asked for by are theirs: "fill<float>" stays that.
    for (const EntryPoint& entry : image->info().entries) out.entries.push_back({entry.name, entry.symbol});
  }
  for (const std::string& wanted : request.job.entries) {
    if (const EntryPoint* const entry = image ? entryNamed(*image, wanted) : nullptr) {
      out.entries.push_back({wanted, entry->symbol});
      continue;
    }
    const llvm::Function* found = out.module->getFunction(wanted);
    known.clear();
    for (const llvm::Function& function : *out.module) {
      if (function.isDeclaration()) continue;
      const std::string name = entryOf(function).name;
      known.push_back(name);
      if (!found && name == wanted) found = &function;
    }
    if (!found || found->isDeclaration()) {
      return Error{.code = ErrorCode::UnknownKernel,
                   .message = source.name + " has no kernel '" + wanted + "'" + didYouMean(wanted, known),
                   .stage = "frontend"};
    }
    out.entries.push_back({wanted, found->getName().str()});
  }
  return out;
}

}  // namespace lathe::detail
