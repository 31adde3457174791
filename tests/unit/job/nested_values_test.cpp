// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that nest without end, from files and pipes: readers that call themselves for each level would leave the
// stack.
#include <gtest/gtest.h>

#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

#include "core/cache/result_frame.h"
#include "core/driver/worker_values.h"
#include "core/frontend/entry_layout.h"
#include "core/values/frame.h"

namespace lathe {
namespace {

constexpr std::size_t levels = 1'000'000;

/// `text` once for each level.
std::string repeated(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < levels; ++i) out += text;
  return out;
}

TEST(NestedValues, FramesOfWorkersAreRefused) {
  // CBOR (RFC 8949): lists of one element, maps of one member "a", lists, maps, texts and
  // bytes without a count, tags.
  for (const std::string_view level : {"\x81", "\xa1\x61\x61", "\x9f", "\xbf\x61\x61", "\x7f", "\x5f", "\xc1"}) {
    const std::string frame = repeated(level);
    EXPECT_EQ(detail::decodeError(frame).code, ErrorCode::Internal);
    const auto call = detail::decodeCompile(frame);
    ASSERT_FALSE(call);
    EXPECT_EQ(call.error().code, ErrorCode::Internal);
    const auto result = detail::decodeCompileResult(frame, nullptr);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::Internal);
  }
}

/// A kernel called `name` whose module describes it by `text`.
EntryPoint kernelBy(const std::string& name, const std::string& text) {
  llvm::LLVMContext context;
  llvm::Module module("portable", context);
  auto* const type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::PointerType::get(context, 0)}, false);
  auto* const kernel = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  kernel->setMetadata(detail::entryMetadata, llvm::MDNode::get(context, {llvm::MDString::get(context, text)}));
  return detail::entryOf(*kernel, true);
}

std::string pointersTo(const std::string& type, std::size_t depth) {
  std::string out = "{\"parameters\":[{\"name\":\"named\",\"read_only\":false,\"type\":";
  for (std::size_t i = 0; i < depth; ++i) out += R"({"kind":"pointer","name":"p","size":8,"align":8,"element":)";
  return out + type + std::string(depth, '}') + "}]}";
}

TEST(NestedValues, TypesOfPortableImagesAreRefused) {
  const std::string number = R"({"kind":"uint","name":"unsigned int","size":4,"align":4})";
  const auto shallow = kernelBy("kernel", pointersTo(number, 3)).parameters;
  ASSERT_EQ(shallow.size(), 1U);
  EXPECT_EQ(shallow[0].name, "named");
  // As for any text that is damaged, what the function itself tells stays.
  const auto deep = kernelBy("kernel", pointersTo(number, levels)).parameters;
  ASSERT_EQ(deep.size(), 1U);
  EXPECT_NE(deep[0].name, "named");
}

TEST(NestedValues, NamesOfKernelsStayMangled) {
  EXPECT_EQ(kernelBy("_Z4fillIfEvPT_", "").name, "fill<float>");
  // As deep as names that are read.
  EXPECT_EQ(kernelBy("_Z4fill" + std::string(16'000, 'P') + "f", "").name, "fill");
  const std::string deep = "_Z4fill" + repeated("P") + "f";
  EXPECT_EQ(kernelBy(deep, "").name, deep);
}

/// CBOR of 1e300 as a double.
constexpr std::string_view huge("\xfb\x7e\x37\xe4\x3c\x88\x00\x75\x9c", 9);

TEST(DamagedNumbers, AreNotConverted) {
  const std::string good = detail::encodeError({.code = ErrorCode::SourceError, .message = "text"});
  ASSERT_EQ(detail::decodeError(good).message, "text");
  // The first of the list's values is the code.
  const auto kind = static_cast<unsigned char>(good[1]) & 31U;
  const std::size_t codeBytes = kind < 24 ? 1 : 1 + (std::size_t{1} << (kind - 24));
  const auto damaged = detail::decodeError(good.substr(0, 1) + std::string(huge) + good.substr(1 + codeBytes));
  EXPECT_EQ(damaged.code, ErrorCode::Internal);
  for (const char* number : {"1e300", "-1", "4.5", "true", "\"4\""}) {
    const std::string type = std::string(R"({"kind":"uint","name":"unsigned","align":4,"size":)") + number + "}";
    const auto parameters = kernelBy("kernel", pointersTo(type, 0)).parameters;
    ASSERT_EQ(parameters.size(), 1U);
    EXPECT_NE(parameters[0].name, "named") << number;
  }
}

}  // namespace
}  // namespace lathe
