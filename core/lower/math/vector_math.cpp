// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the vectoriser may put in the place of mathematics: LLVM's own list of a library's functions, and those that
// came to the library since. glibc 2.35 has twenty more than LLVM 22 knows (sysdeps/x86_64/fpu/Versions). To be removed
// with the LLVM that lists them.
#include <deque>
#include <string>
#include <vector>

#include "core/abi/math.h"
#include "core/descriptor/llvm_facts.h"
#include "core/lower/math/vector_math.h"

namespace lathe::detail {
namespace {

constexpr std::string_view newer[] = {"acos",  "acosh", "asin",  "asinh", "atan",  "atan2", "atanh",
                                      "cbrt",  "cosh",  "erf",   "erfc",  "exp10", "exp2",  "expm1",
                                      "hypot", "log10", "log1p", "log2",  "sinh",  "tanh"};

/// The table's strings have to live as long as its readers.
struct Table {
  std::deque<std::string> texts;
  std::vector<llvm::VecDesc> functions;

  llvm::StringRef keep(std::string text) { return texts.emplace_back(std::move(text)); }
  void add(llvm::StringRef scalar, const std::string& symbol, bool isDouble, const std::string& operands) {
    // The letter of the vector function ABI: 128 bits, or 256.
    for (const auto& [letter, bits] : {std::pair{"b", 128U}, std::pair{"d", 256U}}) {
      const unsigned width = bits / (isDouble ? 64 : 32);
      const std::string shape = "N" + std::to_string(width) + operands;
      functions.emplace_back(scalar, keep(std::string("_ZGV") + letter + shape + "_" + symbol),
                             llvm::ElementCount::getFixed(width), /*Masked=*/false, keep("_ZGV_LLVM_" + shape),
                             std::nullopt);
    }
  }
};

Table newerFunctions() {
  Table out;
  for (const std::string_view name : newer) {
    const auto use = findMath(name);
    if (!use) continue;
    const std::string operands(use->function->signature.size() - 1, 'v');
    for (const bool isDouble : {false, true}) {
      const std::string symbol = std::string(name) + (isDouble ? "" : "f");
      out.add(out.keep(symbol), symbol, isDouble, operands);
      if (use->function->intrinsic != llvm::Intrinsic::not_intrinsic)
        out.add(out.keep("llvm." + std::string(name) + (isDouble ? ".f64" : ".f32")), symbol, isDouble, operands);
    }
  }
  return out;
}

}  // namespace

void addVectorMath(llvm::TargetLibraryInfoImpl& library, const std::string& name, const llvm::Triple& triple) {
  const auto known = vectorLibrary(name);
  if (!known) return;
  library.addVectorizableFunctionsFromVecLib(*known, triple);
  if (*known != llvm::VectorLibrary::LIBMVEC || !triple.isX86()) return;
  static const Table table = newerFunctions();
  library.addVectorizableFunctions(table.functions);
}

}  // namespace lathe::detail
