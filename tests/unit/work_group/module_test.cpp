// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules that no front end of ours writes: pointers of the group's address space, and what cannot be lowered.
#include <gtest/gtest.h>

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include "core/lower/abi/parameter_block.h"
#include "core/support/llvm_bridge.h"
#include "tests/unit/work_group/lowered.h"

namespace lathe::test {
namespace {

using detail::ParameterBlock;
using detail::ParameterSlot;

constexpr const char* prologue = R"(
  declare i32 @__lathe_item_id_x() memory(none)
  declare void @__lathe_group_barrier() convergent
)";

class Modules : public testing::Test {
 protected:
  /// A module for this computer.
  llvm::Module& parse(const std::string& text) {
    llvm::SMDiagnostic problem;
    machine_ = makeMachine(Effort::full);
    module_ = llvm::parseAssemblyString(prologue + text, problem, context_);
    if (!module_) {
      ADD_FAILURE() << problem.getMessage().str();
      std::abort();
    }
    module_->setTargetTriple(machine_->getTargetTriple());
    module_->setDataLayout(machine_->createDataLayout());
    return *module_;
  }

  llvm::Expected<std::vector<detail::WorkGroupResources>> lower(const std::string& text) {
    llvm::Module& module = parse(text);
    return detail::lowerWorkGroups(module, *machine_, {});
  }

  /// The error that lowering `text` ends with.
  Error failure(const std::string& text) {
    auto result = lower(text);
    if (!result) return detail::fromLlvm(result.takeError());
    ADD_FAILURE() << "lowered, but should not have been";
    return {};
  }

  llvm::LLVMContext context_;
  std::unique_ptr<llvm::TargetMachine> machine_;
  std::unique_ptr<llvm::Module> module_;
};

TEST_F(Modules, ParametersAreLaidOutAsInC) {
  llvm::Module& module = parse(R"(
    %pair = type { i8, double }
    define void @k(i8 %a, i64 %b, i1 %c, <3 x float> %d, ptr %e, ptr byval(%pair) align 8 %f, i16 %g,
                   ptr byval([3 x i8]) align 1 %h, ptr byval(i32) align 32 %i) { ret void }
    define void @none() { ret void })");
  const ParameterBlock block = detail::parameterBlockOf(*module.getFunction("k"), 9);
  const std::vector<ParameterSlot> expected = {{0, 1, 1},   {8, 8, 8},  {16, 1, 1}, {32, 16, 16}, {48, 8, 8},
                                               {56, 16, 8}, {72, 2, 2}, {74, 3, 1}, {96, 4, 32}};
  EXPECT_EQ(block.slots, expected);
  EXPECT_EQ(block.size, 128U);
  EXPECT_EQ(block.align, 32U);
  EXPECT_EQ(detail::parameterBlockOf(*module.getFunction("none"), 0), ParameterBlock{});
}

TEST_F(Modules, PointersOfTheGroupSpaceBecomeGeneric) {
  auto result = lower(R"(
    @tile = internal addrspace(3) global [64 x i32] poison, align 16
    @half = internal addrspace(3) global [8 x i16] poison, align 2
    define void @k(ptr %out, i1 %which) "lathe.kernel" {
      %i = call i32 @__lathe_item_id_x()
      %p = getelementptr i32, ptr addrspace(3) @tile, i32 %i
      store i32 %i, ptr addrspace(3) %p
      call void @__lathe_group_barrier()
      %q = select i1 %which, ptr addrspace(3) %p, ptr addrspace(3) null
      %r = addrspacecast ptr addrspace(3) %q to ptr
      store i32 1, ptr %r
      call void @llvm.memcpy.p0.p3.i64(ptr %out, ptr addrspace(3) @tile, i64 16, i1 false)
      store i16 7, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @half, i32 4)
      ret void
    }
    declare void @llvm.memcpy.p0.p3.i64(ptr, ptr addrspace(3), i64, i1))");
  ASSERT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result->front().sharedBytes, 272U) << "the stricter alignment first";
  EXPECT_FALSE(llvm::verifyModule(*module_, &llvm::errs()));
  const llvm::Function& group = *module_->getFunction("k.group");
  std::string text;
  llvm::raw_string_ostream(text) << group;
  EXPECT_EQ(text.find("addrspace(3)"), std::string::npos) << text;
  EXPECT_TRUE(module_->global_empty());
}

TEST_F(Modules, FunctionsOfOtherKernelsStay) {
  auto result = lower(R"(
    define i32 @pure(i32 %x) { %y = mul i32 %x, 3
      ret i32 %y }
    define i32 @indexed() { %i = call i32 @__lathe_item_id_x()
      ret i32 %i }
    define void @k(ptr %out) "lathe.kernel" { %i = call i32 @indexed()
      %v = call i32 @pure(i32 %i)
      store i32 %v, ptr %out
      ret void })");
  ASSERT_TRUE(static_cast<bool>(result));
  EXPECT_NE(module_->getFunction("pure"), nullptr);
  EXPECT_EQ(module_->getFunction("indexed"), nullptr) << "part of the kernel now";
  EXPECT_FALSE(llvm::verifyModule(*module_, &llvm::errs()));
}

TEST_F(Modules, EntryKeepsNameAndLinkage) {
  auto result = lower(R"(define void @k(ptr %out) "lathe.kernel" "target-cpu"="x86-64-v3" { ret void })");
  ASSERT_TRUE(static_cast<bool>(result));
  const llvm::Function& entry = *module_->getFunction("k");
  EXPECT_TRUE(entry.hasExternalLinkage());
  EXPECT_EQ(entry.arg_size(), 2U);
  EXPECT_EQ(entry.getFnAttribute("target-cpu").getValueAsString(), "x86-64-v3");
  EXPECT_EQ(result->front().symbol, "k");
}

TEST_F(Modules, RecursionThroughBarrier) {
  const Error error = failure(R"(
    define void @again(i32 %n) !dbg !5 { call void @__lathe_group_barrier(), !dbg !6
      call void @again(i32 %n), !dbg !7
      ret void, !dbg !7 }
    define void @k() "lathe.kernel" { call void @again(i32 3)
      ret void }
    !llvm.dbg.cu = !{!0}
    !llvm.module.flags = !{!2}
    !0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
    !1 = !DIFile(filename: "kernel.cpp", directory: "/")
    !2 = !{i32 2, !"Debug Info Version", i32 3}
    !4 = !DISubroutineType(types: !8)
    !5 = distinct !DISubprogram(name: "again", file: !1, line: 10, type: !4, unit: !0, spFlags: DISPFlagDefinition)
    !6 = !DILocation(line: 11, column: 3, scope: !5)
    !7 = !DILocation(line: 12, column: 5, scope: !5)
    !8 = !{null})");
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_EQ(error.message.rfind("again: ", 0), 0U) << error.message;
  EXPECT_EQ(error.location, (SourceLocation{"kernel.cpp", 12, 5}));
}

TEST_F(Modules, BarrierBehindPointer) {
  auto result = lower(R"(
    define void @meet() { call void @__lathe_group_barrier()
      ret void }
    define void @k(ptr %place, ptr %called) "lathe.kernel" { store ptr @meet, ptr %place
      call void %called()
      ret void })");
  ASSERT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(module_->getFunction("meet"), nullptr);
  std::string text;
  llvm::raw_string_ostream(text) << *module_;
  EXPECT_NE(text.find("store ptr inttoptr (i64 2 to ptr)"), std::string::npos) << text;
  EXPECT_EQ(text.find("call void @__lathe_group_barrier"), std::string::npos) << "it is part of the kernel" << text;
}

TEST_F(Modules, BarrierBehindAlias) {
  const Error error = failure(R"(
    @other = internal alias void (), ptr @meet
    define internal void @meet() { call void @__lathe_group_barrier()
      ret void }
    define void @k(ptr %place) "lathe.kernel" { store ptr @other, ptr %place
      ret void })");
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_NE(error.message.find("through a pointer"), std::string::npos) << error.message;
}

TEST_F(Modules, ArrayOfVariableSize) {
  const Error error = failure(R"(
    define void @k(i32 %n) "lathe.kernel" { %a = alloca i32, i32 %n
      store volatile i32 1, ptr %a
      ret void })");
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_NE(error.message.find("constant size"), std::string::npos) << error.message;
}

TEST_F(Modules, SharedAlignmentBeyondTheBlock) {
  auto result = lower(R"(
    @tile = internal addrspace(3) global [5 x i32] poison, align 128
    @rest = external addrspace(3) global [0 x i8], align 1024
    define void @k(i64 %i) "lathe.kernel" {
      %p = getelementptr i32, ptr addrspace(3) @tile, i64 %i
      store i32 1, ptr addrspace(3) %p
      %q = getelementptr i8, ptr addrspace(3) @rest, i64 %i
      store i8 1, ptr addrspace(3) %q
      ret void
    })");
  ASSERT_TRUE(static_cast<bool>(result));
  EXPECT_TRUE(result->front().dynamicShared);
  EXPECT_EQ(result->front().sharedBytes, 64U + 20 + 44 + 960) << "room to find each place in a block aligned to 64";
  std::string text;
  llvm::raw_string_ostream(text) << *module_->getFunction("k.group");
  for (const char* place : {"i64 64", "i64 -128", "i64 1088", "i64 -1024"})
    EXPECT_NE(text.find(place), std::string::npos) << place << text;
}

}  // namespace
}  // namespace lathe::test
