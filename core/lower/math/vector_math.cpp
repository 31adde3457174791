// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the vectoriser may put in the place of mathematics: LLVM's own list of a library's functions, and those that
// it does not list. glibc 2.35 has twenty more than LLVM 22 knows, and all of them for vectors of 512 bits, too
// (sysdeps/x86_64/fpu/Versions). To be removed with the LLVM that lists them.
#include "core/lower/math/vector_math.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Module.h"

#include "core/abi/math.h"
#include "core/descriptor/llvm_facts.h"

namespace lathe::detail {
namespace {

constexpr std::string_view newer[] = {"acos",  "acosh", "asin",  "asinh", "atan",  "atan2", "atanh",
                                      "cbrt",  "cosh",  "erf",   "erfc",  "exp10", "exp2",  "expm1",
                                      "hypot", "log10", "log1p", "log2",  "sinh",  "tanh"};
/// Those that LLVM knows, for vectors of up to 256 bits.
constexpr std::string_view listed[] = {"cos", "exp", "log", "pow", "sin"};

/// Sizes of vectors by their letter in the vector function ABI.
struct VectorSize {
  char letter;
  unsigned bits;
};
constexpr VectorSize narrow[] = {{'b', 128}, {'d', 256}}, wide[] = {{'e', 512}};

/// The table's strings have to live as long as its readers.
struct Table {
  std::deque<std::string> texts;
  std::vector<llvm::VecDesc> functions;

  llvm::StringRef keep(std::string text) { return texts.emplace_back(std::move(text)); }
  void add(llvm::StringRef scalar, const std::string& symbol, bool isDouble, const std::string& operands,
           VectorSize size) {
    const unsigned width = size.bits / (isDouble ? 64 : 32);
    const std::string shape = "N" + std::to_string(width) + operands;
    functions.emplace_back(scalar, keep(std::string("_ZGV") + size.letter + shape + "_" + symbol),
                           llvm::ElementCount::getFixed(width), /*Masked=*/false, keep("_ZGV_LLVM_" + shape),
                           std::nullopt);
  }
  void add(std::span<const std::string_view> names, std::span<const VectorSize> sizes) {
    for (const std::string_view name : names) {
      const auto use = findMath(name);
      if (!use) continue;
      const std::string operands(use->function->signature.size() - 1, 'v');
      for (const bool isDouble : {false, true}) {
        const std::string symbol = std::string(name) + (isDouble ? "" : "f");
        for (const VectorSize size : sizes) {
          add(keep(symbol), symbol, isDouble, operands, size);
          if (use->function->intrinsic != llvm::Intrinsic::not_intrinsic)
            add(keep("llvm." + std::string(name) + (isDouble ? ".f64" : ".f32")), symbol, isDouble, operands, size);
        }
      }
    }
  }
};

constexpr std::uint64_t wideBits = 512;

/// The width of vector registers that the machine's code is to use.
std::uint64_t registerBits(const llvm::TargetMachine& machine, const llvm::Module& module) {
  const auto body = llvm::find_if(module, [](const llvm::Function& function) { return !function.isDeclaration(); });
  if (body == module.end()) return 0;
  constexpr auto vector = llvm::TargetTransformInfo::RGK_FixedWidthVector;
  return machine.getTargetTransformInfo(*body).getRegisterBitWidth(vector).getFixedValue();
}

}  // namespace

void addVectorMath(llvm::TargetLibraryInfoImpl& library, const std::string& name, const llvm::TargetMachine& machine,
                   const llvm::Module& module) {
  const auto known = vectorLibrary(name);
  if (!known) return;
  const llvm::Triple& triple = machine.getTargetTriple();
  library.addVectorizableFunctionsFromVecLib(*known, triple);
  if (*known != llvm::VectorLibrary::LIBMVEC || !triple.isX86()) return;
  static const Table more = [] {
    Table out;
    out.add(newer, narrow);
    return out;
  }();
  library.addVectorizableFunctions(more.functions);
  if (registerBits(machine, module) < wideBits) return;
  static const Table wider = [] {
    Table out;
    // Of erfc, two of 256 bits are faster (measured on Zen 4).
    std::vector<std::string_view> names(std::begin(listed), std::end(listed));
    std::ranges::copy_if(newer, std::back_inserter(names), [](std::string_view name) { return name != "erfc"; });
    out.add(names, wide);
    return out;
  }();
  library.addVectorizableFunctions(wider.functions);
}

}  // namespace lathe::detail
