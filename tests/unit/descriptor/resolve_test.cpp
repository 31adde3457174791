// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a descriptor says for an architecture: defaults, `when`, `extends`, and the architectures there are.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"

#include "core/descriptor/descriptor.h"
#include "core/descriptor/llvm_facts.h"

namespace lathe::detail {
namespace {

constexpr const char* base = R"(lathe: 1
name: base
triple: nvptx64-nvidia-cuda
architectures: {default: sm_75, pattern: 'sm_([0-9]+)[af]?', minimum: 50, aliases: {compute_90: sm_90}}
kernel: {calling_convention: ptx_kernel, parameter_bytes: 4096, attributes: [a=1]}
sync_scopes: {group: block, device: device}
features: +ptx62
when:
  - arch_at_least: sm_70
    then: {features: +ptx81, kernel: {parameter_bytes: 32764}}
  - arch_matches: 'sm_[0-9]+a'
    then: {features: '', kernel: {attributes: [b=2]}}
)";

Result<DescriptorFile> noBase(std::string_view name) {
  return Error{.code = ErrorCode::UnknownTarget, .message = "no target is called '" + std::string(name) + "'"};
}
Result<DescriptorFile> onlyBase(std::string_view name) {
  return name == "base" ? DescriptorFile::load(base, "base.yaml", noBase) : noBase(name);
}

DescriptorFile loaded(const std::string& text) {
  auto file = DescriptorFile::load(text, "test.yaml", onlyBase);
  if (!file) throw std::runtime_error(file.error().render());
  return *std::move(file);
}

Descriptor resolved(const DescriptorFile& file, std::string_view arch) {
  auto descriptor = file.resolve(arch);
  if (!descriptor) throw std::runtime_error(descriptor.error().render());
  return *std::move(descriptor);
}

TEST(Resolve, FillsDefaults) {
  const Descriptor descriptor = resolved(
      loaded("lathe: 1\nname: tiny\ntriple: riscv64-unknown-elf\narchitectures: {default: generic-rv64}\n"), "");
  const Descriptor defaults;
  EXPECT_EQ(descriptor.name, "tiny");
  EXPECT_EQ(descriptor.arch, "generic-rv64");
  EXPECT_EQ(descriptor.kernel.callingConvention, defaults.kernel.callingConvention);
  EXPECT_EQ(descriptor.emit.formats, defaults.emit.formats);
  EXPECT_EQ(descriptor.addressSpaces.group, defaults.addressSpaces.group);
  EXPECT_EQ(descriptor.pipeline, PipelineKind::items);
  EXPECT_FALSE(descriptor.ordinal);
}

TEST(Resolve, AppliesWhenInOrder) {
  const DescriptorFile file = loaded(base);
  EXPECT_EQ(resolved(file, "sm_60").features, "+ptx62");
  EXPECT_EQ(resolved(file, "sm_60").kernel.parameterBytes, 4096U);
  EXPECT_EQ(resolved(file, "sm_60").ordinal, 60U);
  EXPECT_EQ(resolved(file, "sm_70").features, "+ptx81");
  EXPECT_EQ(resolved(file, "sm_70").kernel.parameterBytes, 32764U);
  EXPECT_EQ(resolved(file, "sm_90").kernel.attributes, std::vector<std::string>{"a=1"});
  const Descriptor special = resolved(file, "sm_90a");
  EXPECT_EQ(special.features, "");
  EXPECT_EQ(special.kernel.parameterBytes, 32764U);
  EXPECT_EQ(special.kernel.attributes, std::vector<std::string>{"b=2"});
  EXPECT_EQ(special.ordinal, 90U);
}

TEST(Resolve, DefaultAndAliases) {
  const DescriptorFile file = loaded(base);
  std::string arch;
  ASSERT_TRUE(file.resolve("", &arch));
  EXPECT_EQ(arch, "sm_75");
  ASSERT_TRUE(file.resolve("compute_90", &arch));
  EXPECT_EQ(arch, "sm_90");
}

TEST(Resolve, RefusesOtherArchitectures) {
  const DescriptorFile file = loaded(base);
  const std::pair<std::string, std::string> cases[] = {
      {"gfx1100", "base: architecture 'gfx1100' does not match 'sm_([0-9]+)[af]?'"},
      {"sm_37", "base: architecture 'sm_37' is older than 50, the first supported; did you mean 'sm_87'?"},
      {"sm_901", "base: architecture 'sm_901' is not known to LLVM; did you mean 'sm_101'?"},
      {"xsm_90", "base: architecture 'xsm_90' does not match 'sm_([0-9]+)[af]?'; did you mean 'sm_90'?"},
      {"native", "base: architecture 'native' does not match 'sm_([0-9]+)[af]?'"},
      {std::string(1000, 'a'), "base: an architecture's name has at most 64 characters"},
  };
  for (const auto& [arch, message] : cases) {
    const auto descriptor = file.resolve(arch);
    ASSERT_FALSE(descriptor) << arch;
    EXPECT_EQ(descriptor.error().code, ErrorCode::UnknownArchitecture);
    EXPECT_EQ(descriptor.error().message, message);
  }
}

TEST(Resolve, NativeIsThisMachine) {
  const DescriptorFile file =
      loaded("lathe: 1\nname: here\ntriple: host\narchitectures: {default: native, native: host}\n");
  const Descriptor descriptor = resolved(file, "native");
  EXPECT_TRUE(descriptor.archIsNative);
  EXPECT_NE(descriptor.arch, "native");
  EXPECT_NE(descriptor.triple, "host");
  EXPECT_FALSE(tripleFault(descriptor.triple));
  EXPECT_EQ(resolved(file, "").arch, descriptor.arch);
  EXPECT_FALSE(resolved(file, descriptor.arch).archIsNative);
}

TEST(Resolve, ExtendingLaysOneFileOverAnother) {
  const DescriptorFile file = loaded(R"(lathe: 1
name: mine
extends: base
description: my own
sync_scopes: {group: cluster}
kernel: {parameter_bytes: 100}
when:
  - arch_at_least: sm_90
    then: {kernel: {parameter_bytes: 200}}
)");
  EXPECT_EQ(file.name(), "mine");
  EXPECT_EQ(file.bytes().find(base), 0U) << "what it extends is part of what it is";
  const Descriptor descriptor = resolved(file, "sm_80");
  EXPECT_EQ(descriptor.name, "mine");
  EXPECT_EQ(descriptor.extends, "base");
  EXPECT_EQ(descriptor.origin, "test.yaml");
  EXPECT_EQ(descriptor.triple, "nvptx64-nvidia-cuda");
  EXPECT_EQ(descriptor.syncScopes, (std::map<std::string, std::string>{{"group", "cluster"}, {"device", "device"}}));
  // The base's clauses come before the file's own keys, and those before its own clauses.
  EXPECT_EQ(descriptor.features, "+ptx81");
  EXPECT_EQ(descriptor.kernel.parameterBytes, 100U);
  EXPECT_EQ(resolved(file, "sm_90").kernel.parameterBytes, 200U);
}

TEST(Resolve, TheRuntimeOfAnotherMachineIsNotInherited) {
  const auto runtimeOf = [](const std::string& ownKeys) {
    const auto lookup = [](std::string_view) {
      return DescriptorFile::load("lathe: 1\nname: base\ntriple: x86_64-unknown-linux-gnu\nruntime: here\n",
                                  "base.yaml", noBase);
    };
    const auto file = DescriptorFile::load("lathe: 1\nname: mine\nextends: base\n" + ownKeys, "mine.yaml", lookup);
    return file ? resolved(*file, "").runtime : file.error().message;
  };
  EXPECT_EQ(runtimeOf(""), "here");
  EXPECT_EQ(runtimeOf("triple: x86_64-unknown-linux-gnu\n"), "here");
  EXPECT_EQ(runtimeOf("triple: riscv64-unknown-linux-gnu\n"), "");
  EXPECT_EQ(runtimeOf("triple: riscv64-unknown-linux-gnu\nruntime: there\n"), "there");
}

TEST(Resolve, ABrokenBaseIsReportedInTheBase) {
  const auto lookup = [](std::string_view) {
    return DescriptorFile::load("lathe: 1\nname: base\ntripel: x\n", "base.yaml", noBase);
  };
  const auto file = DescriptorFile::load("lathe: 1\nname: mine\nextends: base\n", "mine.yaml", lookup);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().location, (SourceLocation{"base.yaml", 3, 1}));
  ASSERT_EQ(file.error().notes.size(), 1U);
  EXPECT_EQ(file.error().notes.front().location, (SourceLocation{"mine.yaml", 3, 1}));
}

TEST(Resolve, KeepsWhatItResolved) {
  const DescriptorFile file = loaded(base);
  const auto first = file.resolved("sm_90");
  const auto again = file.resolved("sm_90");
  ASSERT_TRUE(first && again);
  EXPECT_EQ(first->get(), again->get());
}

TEST(Resolve, FromManyThreadsAtOnce) {
  const DescriptorFile file = loaded(base);
  const auto names = file.architectureNames();
  std::vector<std::vector<std::shared_ptr<const Descriptor>>> seen(4);
  {
    std::vector<std::jthread> threads;
    for (auto& mine : seen) {
      threads.emplace_back([&file, &names, &mine] {
        for (const auto& name : names) mine.push_back(file.resolved(name).value());
      });
    }
  }
  for (const auto& mine : seen) EXPECT_EQ(mine, seen.front());
}

class InTree : public testing::TestWithParam<const char*> {};

TEST_P(InTree, ResolvesForEveryArchitecture) {
  const std::string path = std::string(LATHE_SOURCE_DIR "/targets/") + GetParam() + "/" + GetParam() + ".yaml";
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  const auto file = DescriptorFile::load(text.str(), path, noBase);
  ASSERT_TRUE(file) << file.error().render();
  EXPECT_EQ(file->name(), GetParam());
  const auto names = file->architectureNames();
  EXPECT_FALSE(names.empty());
  for (const auto& name : names) {
    const auto descriptor = file->resolved(name);
    ASSERT_TRUE(descriptor) << descriptor.error().render();
    EXPECT_EQ((*descriptor)->arch, name);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, InTree, testing::Values("amdgpu", "cpu", "cuda", "null", "spirv"));

TEST(IntrinsicFacts, CountParametersAsLlvmDoes) {
  llvm::LLVMContext context;
  unsigned compared = 0;
  for (unsigned id = 1; id < llvm::Intrinsic::num_intrinsics; ++id) {
    const auto intrinsic = static_cast<llvm::Intrinsic::ID>(id);
    const std::string name = llvm::Intrinsic::getBaseName(intrinsic).str();
    const IntrinsicFacts facts = intrinsicFacts(name);
    ASSERT_TRUE(facts.known) << name;
    ASSERT_EQ(facts.overloaded, llvm::Intrinsic::isOverloaded(intrinsic)) << name;
    if (facts.overloaded) continue;
    ASSERT_EQ(facts.parameters, llvm::Intrinsic::getType(context, intrinsic)->getNumParams()) << name;
    ++compared;
  }
  EXPECT_GT(compared, 1000U);
}

}  // namespace
}  // namespace lathe::detail
