// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lowering is for: the loop over items becomes vector code in LLVM's own pipeline.
#include <map>

#include <gtest/gtest.h>

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include "tests/unit/work_group/lowered.h"

namespace lathe::test {
namespace {

/// Kernels, lowered and optimised for one processor: one of them, or with an empty name all.
struct Optimised {
  Optimised(const std::string& cpu, const std::string& kernel) {
    auto machine = makeMachine(Effort::full, cpu);
    module = kernel.empty() ? loadKernels(context, *machine) : loadKernels(context, *machine, kernel);
    simplify(*module, *machine);
    llvm::cantFail(detail::lowerWorkGroups(*module, *machine, {}));
    optimise(*module, *machine);
  }

  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

class Vectorised : public testing::TestWithParam<const char*> {
 protected:
  static const llvm::Module& optimised(const std::string& kernel = {}) {
    static std::map<std::pair<std::string, std::string>, std::unique_ptr<Optimised>> made;
    std::unique_ptr<Optimised>& one = made[{GetParam(), kernel}];
    if (!one) one = std::make_unique<Optimised>(GetParam(), kernel);
    return *one->module;
  }

  /// Elements of the widest vector of `type` that `kernel` computes with; masked accesses are counted too.
  struct Widths {
    unsigned arithmetic = 0;  ///< on floats
    unsigned integer = 0;     ///< on 32-bit integers
    unsigned maskedAccesses = 0;
  };
  static Widths widthsOf(const std::string& kernel) {
    Widths out;
    const llvm::Function* const function = optimised(kernel).getFunction(kernel + ".group");
    if (!function) {
      ADD_FAILURE() << "no function " << kernel << ".group";
      return out;
    }
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      const auto* const vector = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
      if (llvm::isa<llvm::BinaryOperator>(instruction) && vector && vector->getElementType()->isFloatTy()) {
        out.arithmetic = std::max(out.arithmetic, vector->getNumElements());
      }
      if (llvm::isa<llvm::BinaryOperator>(instruction) && vector && vector->getElementType()->isIntegerTy(32)) {
        out.integer = std::max(out.integer, vector->getNumElements());
      }
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && call->getCalledFunction() && call->getCalledFunction()->getName().starts_with("llvm.masked.")) {
        ++out.maskedAccesses;
      }
    }
    return out;
  }
};

TEST_P(Vectorised, GuardedElementwise) {
  for (const char* kernel : {"saxpy", "saxpyAliased", "volume"}) {
    EXPECT_GE(widthsOf(kernel).arithmetic, 8U) << kernel;
    EXPECT_EQ(widthsOf(kernel).maskedAccesses, 0U) << kernel << ": the guard bounds the loop";
  }
}

TEST_P(Vectorised, Stencil) {
  EXPECT_GE(widthsOf("stencil").arithmetic, 8U);
  EXPECT_EQ(widthsOf("stencil").maskedAccesses, 0U);
}

TEST_P(Vectorised, TiledMatrixProduct) {
  EXPECT_GE(widthsOf("matmulTiled").arithmetic, 8U);
}

TEST_P(Vectorised, LoopsOfUnknownLength) {
  for (const char* kernel : {"matmulNaive", "nBody", "nBodyTiled", "runtimeTile"}) {
    EXPECT_GE(widthsOf(kernel).arithmetic, 8U) << kernel;
  }
}

TEST_P(Vectorised, Reduction) {
  EXPECT_GE(widthsOf("reduce").arithmetic, 8U);
}

TEST_P(Vectorised, GridStrideLoops) {
  for (const char* kernel :
       {"gridStrideSum", "gridStrideWide", "gridStrideInt", "gridStrideTotal", "gridStrideShared", "groupStride"}) {
    EXPECT_GE(widthsOf(kernel).arithmetic + widthsOf(kernel).integer, 8U) << kernel;
  }
}

TEST_P(Vectorised, LoopsOfKnownSize) {
  EXPECT_TRUE(optimised("treeOf64").getFunction("treeOf64.group.64.1.1"));
  EXPECT_FALSE(optimised("tilesOf8").getFunction("tilesOf8.group.8.4.1"));
  EXPECT_TRUE(optimised("arrayOf64").getFunction("arrayOf64.group.64.1.1"));
  EXPECT_FALSE(optimised("saxpy").getFunction("saxpy.group.256.1.1"));
}

TEST_P(Vectorised, AccessesOfBytesUnderConditions) {
  EXPECT_GE(widthsOf("guardedBytes").arithmetic, 8U);
}

TEST_P(Vectorised, DivisionsOfIntegers) {
  for (const char* kernel : {"divides", "dividesUnsigned", "dividesByOne", "dividesByOneUnsigned"})
    EXPECT_GE(widthsOf(kernel).integer, 8U) << kernel;
}

TEST_P(Vectorised, DivisionsOfNumbersOfItems) {
  if (GetParam() != std::string("x86-64-v4")) GTEST_SKIP() << "AVX2 has no conversions of 64-bit integers";
  EXPECT_GE(widthsOf("rowsAndColumns").arithmetic, 4U);
}

TEST_P(Vectorised, StridedLoopStaysWithItsItem) {
  // Each item walks a row of its own: turned around, every access would be a gather.
  EXPECT_EQ(widthsOf("rowSums").arithmetic, 0U);
}

TEST_P(Vectorised, LoopsThatItemsLeaveOneByOne) {
  EXPECT_GE(widthsOf("mandelbrot").arithmetic, 8U);
  EXPECT_GE(widthsOf("collatz").integer, 8U);
  EXPECT_GE(widthsOf("assumes").arithmetic, 8U) << "an assumption is no access";
  EXPECT_GE(widthsOf("walks").integer, 8U);
  // Local arrays are memory that items use one after another.
  EXPECT_EQ(widthsOf("wanders").integer, 0U);
}

TEST_P(Vectorised, AtomicsOfTheGroupArePlain) {
  unsigned ofGroup = 0, ofGrid = 0;
  const llvm::Function* const function = optimised("groupHistogram").getFunction("groupHistogram.group");
  ASSERT_TRUE(function);
  for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
    if (!instruction.isAtomic()) continue;
    const auto* const change = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
    (change ? ofGrid : ofGroup) += 1;
  }
  EXPECT_EQ(ofGroup, 0U) << "no exchange, no load";
  EXPECT_GE(ofGrid, 1U) << "other groups add to the result too";
}

TEST_P(Vectorised, NothingOfTheGroupIsLeft) {
  for (const llvm::Function& function : optimised()) {
    EXPECT_FALSE(function.getName().starts_with("__lathe_") && !function.use_empty()) << function.getName().str();
  }
  for (const llvm::GlobalVariable& variable : optimised().globals()) EXPECT_NE(variable.getAddressSpace(), 3U);
}

INSTANTIATE_TEST_SUITE_P(Processors, Vectorised, testing::Values("x86-64-v3", "x86-64-v4"),
                         [](const auto& test) { return std::string(test.param).substr(7); });

}  // namespace
}  // namespace lathe::test
