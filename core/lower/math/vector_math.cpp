// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the vectoriser may put in the place of mathematics: Lathe's own functions (core/device/vector_math.cpp), which
// become part of the loop; LLVM's own list of a library's functions; and those that it does not list. glibc 2.35 has
// twenty more than LLVM 22 knows, and all of them for vectors of 512 bits, too (sysdeps/x86_64/fpu/Versions).
#include "core/lower/math/vector_math.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Module.h"

#include "core/abi/math.h"
#include "core/descriptor/llvm_facts.h"

namespace lathe::detail {
namespace {

constexpr std::string_view newer[] = {"acos",  "acosh", "asin",  "asinh", "atan",  "atan2", "atanh",
                                      "cbrt",  "cosh",  "erf",   "erfc",  "exp10", "exp2",  "expm1",
                                      "hypot", "log10", "log1p", "log2",  "sinh",  "tanh"};
/// Those that LLVM knows, for vectors of up to 256 bits only.
constexpr std::string_view listed[] = {"cos", "exp", "log", "pow", "sin"};

/// Sizes of vectors by their letter in the vector function ABI.
struct VectorSize {
  char letter;
  unsigned bits;
};
constexpr VectorSize narrow[] = {{'b', 128}, {'d', 256}}, wide[] = {{'e', 512}};

/// The floats of the vectors that Lathe's own functions take.
constexpr unsigned ownWidths[] = {4, 8, 16};
/// Those of them that come in two forms.
constexpr std::string_view scaled[] = {
#define LATHE_VECTOR_MATH(name)
#define LATHE_SCALED_VECTOR_MATH(name) #name,
#include "core/abi/vector_math.def"
};
constexpr std::string_view own[] = {
#define LATHE_VECTOR_MATH(name) #name,
#define LATHE_SCALED_VECTOR_MATH(name) #name,
#include "core/abi/vector_math.def"
};

/// The table's strings have to live as long as its readers.
struct Table {
  std::deque<std::string> texts;
  std::vector<llvm::VecDesc> functions;

  llvm::StringRef keep(std::string text) { return texts.emplace_back(std::move(text)); }
  /// `symbol`, and the intrinsic that it is, are served by `vector` of `width` elements.
  void add(const MathUse& use, const std::string& symbol, const std::string& vector, unsigned width) {
    const std::string operands(use.function->signature.size() - 1, 'v');
    const llvm::StringRef name = keep(vector);
    const llvm::StringRef shape = keep("_ZGV_LLVM_N" + std::to_string(width) + operands);
    const auto serves = [&](llvm::StringRef scalar) {
      functions.emplace_back(scalar, name, llvm::ElementCount::getFixed(width), /*Masked=*/false, shape, std::nullopt);
    };
    serves(keep(symbol));
    if (use.function->intrinsic != llvm::Intrinsic::not_intrinsic)
      serves(keep("llvm." + std::string(use.function->name) + (use.isDouble ? ".f64" : ".f32")));
  }
};

/// glibc's functions of those names for vectors of those sizes; of floats not those that `without` has.
Table glibcTable(std::span<const std::string_view> names, std::span<const VectorSize> sizes,
                 std::span<const std::string_view> without) {
  Table out;
  for (const std::string_view name : names) {
    const auto use = findMath(name);
    if (!use) continue;
    const std::string operands(use->function->signature.size() - 1, 'v');
    for (const bool isDouble : {false, true}) {
      if (!isDouble && llvm::is_contained(without, name)) continue;
      const std::string symbol = std::string(name) + (isDouble ? "" : "f");
      for (const VectorSize size : sizes) {
        const unsigned width = size.bits / (isDouble ? 64 : 32);
        out.add({use->function, isDouble}, symbol,
                std::string("_ZGV") + size.letter + "N" + std::to_string(width) + operands + "_" + symbol, width);
      }
    }
  }
  return out;
}

Table ownTable(bool scales) {
  Table out;
  for (const std::string_view name : own) {
    const auto use = findMath(name);
    const std::string symbol = std::string(name) + "f";
    const char* const form = scales && llvm::is_contained(scaled, name) ? "_scales_" : "_";
    for (const unsigned width : ownWidths)
      out.add({use->function, false}, symbol, std::string(vectorMathPrefix) + symbol + form + std::to_string(width),
              width);
  }
  return out;
}

constexpr std::uint64_t wideBits = 512;

const llvm::Function* anyBody(const llvm::Module& module) {
  const auto body = llvm::find_if(module, [](const llvm::Function& function) { return !function.isDeclaration(); });
  return body == module.end() ? nullptr : &*body;
}

/// The width of vector registers that the machine's code is to use.
std::uint64_t registerBits(const llvm::TargetMachine& machine, const llvm::Function& body) {
  constexpr auto vector = llvm::TargetTransformInfo::RGK_FixedWidthVector;
  return machine.getTargetTransformInfo(body).getRegisterBitWidth(vector).getFixedValue();
}

/// Whether the machine has an instruction that does this to vectors.
bool hasInVectors(llvm::ISD::NodeType operation, const llvm::TargetMachine& machine, const llvm::Function& body) {
  const llvm::TargetLowering* const lowering = machine.getSubtargetImpl(body)->getTargetLowering();
  return lowering && lowering->isOperationLegalOrCustom(operation, llvm::MVT::v4f32);
}

}  // namespace

void addVectorMath(llvm::TargetLibraryInfoImpl& library, const std::string& name, const llvm::TargetMachine& machine,
                   const llvm::Module& module) {
  const auto known = vectorLibrary(name);
  const llvm::Function* const body = anyBody(module);
  if (!known || !body) return;
  const llvm::Triple& triple = machine.getTargetTriple();
  if (*known != llvm::VectorLibrary::LIBMVEC || !triple.isX86()) {
    library.addVectorizableFunctionsFromVecLib(*known, triple);
    return;
  }
  std::span<const std::string_view> served;
  if (hasInVectors(llvm::ISD::FMA, machine, *body)) {
    static const Table inlined[] = {ownTable(false), ownTable(true)};
    library.addVectorizableFunctions(inlined[hasInVectors(llvm::ISD::FLDEXP, machine, *body) ? 1 : 0].functions);
    served = own;
  }
  std::vector<std::string_view> names(std::begin(newer), std::end(newer));
  names.insert(names.end(), std::begin(listed), std::end(listed));
  static const Table more[] = {glibcTable(names, narrow, {}), glibcTable(names, narrow, own)};
  library.addVectorizableFunctions(more[served.empty() ? 0 : 1].functions);
  if (registerBits(machine, *body) < wideBits) return;
  // Of erfc, two of 256 bits are faster (measured on Zen 4).
  std::erase(names, "erfc");
  static const Table wider[] = {glibcTable(names, wide, {}), glibcTable(names, wide, own)};
  library.addVectorizableFunctions(wider[served.empty() ? 0 : 1].functions);
}

}  // namespace lathe::detail
