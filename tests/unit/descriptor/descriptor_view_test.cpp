// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <lathe/sdk/descriptor_view.h>: hooks read what the file says.
#include <gtest/gtest.h>

#include "llvm/IR/CallingConv.h"

#include <lathe/sdk/descriptor_view.h>

#include "core/descriptor/descriptor.h"

namespace lathe::sdk {
namespace {

constexpr const char* text = R"(lathe: 1
name: mine
triple: amdgcn-amd-amdhsa
architectures: {default: gfx1100, pattern: 'gfx([0-9]+)'}
address_spaces: {generic: 0, global: 1, group: 3, constant: 4, private: 5}
kernel: {calling_convention: amdgpu_kernel, aggregates: byref(4), parameter_bytes: 2048}
subgroup: {size: [32, 64]}
sync_scopes: {item: singlethread, device: agent, system: ''}
features: +cumode
externals: [printf, own_*]
emit: {default: linked, formats: [asm, linked], names: {asm: text, linked: hsaco}, link: elf-shared}
codegen: {extensions: [first, second]}
limits: {group_items: 1024, group: [1024, 512, 64], shared_bytes: 65536, stack_bytes: 4096}
runtime: own
)";

detail::Descriptor loaded(const char* yaml) {
  const auto noBase = [](std::string_view) -> Result<detail::DescriptorFile> {
    return Error{.code = ErrorCode::UnknownTarget, .message = "none"};
  };
  auto file = detail::DescriptorFile::load(yaml, "test.yaml", noBase);
  if (!file) throw std::runtime_error(file.error().render());
  auto descriptor = file->resolve("");
  if (!descriptor) throw std::runtime_error(descriptor.error().render());
  return *std::move(descriptor);
}

TEST(DescriptorView, SaysWhatTheFileSays) {
  const detail::Descriptor descriptor = loaded(text);
  const DescriptorView view(descriptor);
  EXPECT_EQ(view.name(), "mine");
  EXPECT_EQ(view.triple(), "amdgcn-amd-amdhsa");
  EXPECT_EQ(view.arch(), "gfx1100");
  EXPECT_EQ(view.archOrdinal(), 1100U);
  EXPECT_EQ(view.processor(), "gfx1100");
  EXPECT_EQ(view.features(), "+cumode");
  const AddressSpaceNumbers spaces = view.addressSpaces();
  EXPECT_EQ(spaces.generic, 0U);
  EXPECT_EQ(spaces.global, 1U);
  EXPECT_EQ(spaces.group, 3U);
  EXPECT_EQ(spaces.constant, 4U);
  EXPECT_EQ(spaces.allocas, 5U);
  EXPECT_EQ(view.syncScope("device"), "agent");
  EXPECT_EQ(view.syncScope("system"), "");
  EXPECT_EQ(view.syncScope("planet"), std::nullopt);
  EXPECT_EQ(std::vector(view.subgroupSizes().begin(), view.subgroupSizes().end()), (std::vector{32U, 64U}));
  EXPECT_EQ(view.limits().groupItems, 1024U);
  EXPECT_EQ(view.limits().group, (std::array<std::uint64_t, 3>{1024, 512, 64}));
  EXPECT_EQ(view.limits().sharedBytes, 65536U);
  EXPECT_EQ(view.limits().stackBytes, 4096U);
  EXPECT_EQ(view.kernelCallingConvention(), llvm::CallingConv::AMDGPU_KERNEL);
  EXPECT_EQ(view.aggregates(), AggregateForm::byref);
  EXPECT_EQ(view.parameterBytes(), 2048U);
  EXPECT_EQ(std::vector(view.extensions().begin(), view.extensions().end()),
            (std::vector<std::string>{"first", "second"}));
  EXPECT_EQ(view.storedName("linked"), "hsaco");
  EXPECT_EQ(view.storedName("object"), "object");
  EXPECT_TRUE(view.hasExternal("printf"));
  EXPECT_TRUE(view.hasExternal("own_function"));
  EXPECT_FALSE(view.hasExternal("puts"));
  EXPECT_EQ(view.runtime(), "own");
}

TEST(DescriptorView, HasTheDefaults) {
  const detail::Descriptor descriptor =
      loaded("lathe: 1\nname: tiny\ntriple: riscv64-unknown-elf\narchitectures: {default: generic-rv64}\n");
  const DescriptorView view(descriptor);
  EXPECT_EQ(view.archOrdinal(), 0U);
  EXPECT_EQ(view.subgroupSizes().size(), 1U);
  EXPECT_EQ(view.limits().groupItems, 0U);
  EXPECT_EQ(view.aggregates(), AggregateForm::byval);
  EXPECT_EQ(view.storedName("asm"), "asm");
  EXPECT_EQ(view.runtime(), "");
}

}  // namespace
}  // namespace lathe::sdk
