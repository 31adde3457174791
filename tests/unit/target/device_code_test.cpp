// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device code against the two ABI tables: each function in the bitcode of a target or of core/device that is called
// `__lathe_*` stands in a table, with the type that it has there. Clang compiled the bitcode, so the types are its own.
#include <gtest/gtest.h>

#include "llvm/Bitcode/BitcodeReader.h"

#include "core/abi/ir_types.h"
#include "core/abi/runtime_abi.h"
#include "core/lower/abi/provision.h"
#include "core/lower/machine_libraries.h"
#include "core/target/builtin.h"
#include "core/target/registry.h"

namespace lathe::detail {
namespace {

/// Checks all functions of one bitcode file; returns how many it defines. Those of `portable` have their plain names.
unsigned checkTypes(llvm::StringRef bitcode, const PortableLibrary* portable = nullptr) {
  llvm::LLVMContext context;
  auto module = llvm::parseBitcodeFile({bitcode, "device code"}, context);
  if (!module) {
    ADD_FAILURE() << llvm::toString(module.takeError());
    return 0;
  }
  if (portable) portable->nameVariants(**module);
  unsigned defined = 0;
  for (const llvm::Function& function : **module) {
    const std::string_view name = function.getName();
    if (!name.starts_with("__lathe_") || name.find('.') != std::string_view::npos) continue;
    const AbiEntry* const entry = findAbiEntry(name);
    const RuntimeEntry* const runtime = findRuntimeEntry(name);
    if (!entry && !runtime) {
      ADD_FAILURE() << name << " stands in no table";
      continue;
    }
    EXPECT_TRUE(hasSignature(*function.getFunctionType(), entry ? entry->signature : runtime->signature)) << name;
    defined += !function.isDeclaration();
  }
  return defined;
}

TEST(DeviceCode, HasTheTypesOfTheTables) {
  EXPECT_GT(checkTypes(fallbackBitcode()), 20U);
  unsigned checked = 0;
  const auto registry = TargetRegistry::create(builtinTargets, {});
  ASSERT_TRUE(registry.hasValue());
  for (const std::string& name : registry->names()) {
    const auto target = registry->find(name);
    ASSERT_TRUE(target.hasValue()) << name;
    const std::span<const char> device = (*target)->deviceBitcode;
    if (device.empty()) continue;
    SCOPED_TRACE(name);
    EXPECT_GT(checkTypes({device.data(), device.size()}), 10U);
    ++checked;
  }
  EXPECT_GE(checked, 3U);
}

TEST(DeviceCode, HasTheTypesOfTheTablesWhereItemsAreLoops) {
  Descriptor descriptor;
  descriptor.pipeline = PipelineKind::groups;
  for (const char* triple : {"x86_64-unknown-linux-gnu", "i686-unknown-linux-gnu"}) {
    for (const unsigned size : {8U, 16U, 32U, 64U}) {
      SCOPED_TRACE(testing::Message() << triple << ", subgroups of " << size);
      descriptor.triple = triple;
      descriptor.subgroupSizes = {size};
      unsigned defined = 0;
      for (const PortableLibrary& library : machineLibraries(descriptor))
        defined += checkTypes(library.bitcode, &library);
      EXPECT_GT(defined, 20U);
    }
  }
}

TEST(DeviceCode, NoNameIsInBothTables) {
  for (const RuntimeEntry& entry : runtimeAbi()) EXPECT_EQ(findAbiEntry(entry.symbol), nullptr) << entry.symbol;
}

}  // namespace
}  // namespace lathe::detail
