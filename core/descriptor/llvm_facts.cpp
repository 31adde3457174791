// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks LLVM's registries. Nothing here depends on which back ends there are.
#include "core/descriptor/llvm_facts.h"

#include <mutex>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Triple.h"

#include "core/support/nearest.h"

namespace lathe::detail {
namespace {

const llvm::Target* backEndOf(const llvm::Triple& triple) {
  ensureLlvmTargets();
  std::string ignored;
  return llvm::TargetRegistry::lookupTarget(triple, ignored);
}

}  // namespace

void ensureLlvmTargets() {
  // The one process-wide state: LLVM keeps its list of back ends in a global, which is complete after this.
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();
  });
}

std::optional<std::string> tripleFault(const std::string& text) {
  const llvm::Triple triple(llvm::Triple::normalize(text));
  const std::string arch = text.substr(0, text.find('-'));
  if (triple.getArch() == llvm::Triple::UnknownArch) {
    std::vector<std::string> names;
    for (unsigned i = llvm::Triple::UnknownArch + 1; i <= llvm::Triple::LastArchType; ++i) {
      names.push_back(llvm::Triple::getArchTypeName(static_cast<llvm::Triple::ArchType>(i)).str());
    }
    return "LLVM knows no processor family '" + arch + "'" + didYouMean(arch, names);
  }
  if (!backEndOf(triple)) return "this build of LLVM has no back end for '" + arch + "'";
  return std::nullopt;
}

std::unique_ptr<const llvm::MCSubtargetInfo> subtargetOf(const std::string& text) {
  const llvm::Triple triple(llvm::Triple::normalize(text));
  const llvm::Target* const backEnd = backEndOf(triple);
  if (!backEnd) return nullptr;
  return std::unique_ptr<const llvm::MCSubtargetInfo>(backEnd->createMCSubtargetInfo(triple, "", ""));
}

std::vector<std::string> processorNames(const llvm::MCSubtargetInfo& subtarget) {
  std::vector<std::string> names;
  for (const auto& processor : subtarget.getAllProcessorDescriptions()) names.emplace_back(processor.Key);
  return names;
}

bool hasWidthOf(const std::string& text, const std::string& processor) {
  const llvm::Triple triple(llvm::Triple::normalize(text));
  const llvm::Target* const backEnd = backEndOf(triple);
  const std::string width = triple.isArch64Bit() ? "64bit" : triple.isArch32Bit() ? "32bit" : "";
  if (!backEnd || width.empty()) return true;
  const auto has = [&](const std::string& name) {
    const std::unique_ptr<const llvm::MCSubtargetInfo> subtarget(backEnd->createMCSubtargetInfo(triple, name, ""));
    const bool known = llvm::any_of(subtarget->getAllProcessorFeatures(),
                                    [&](const llvm::SubtargetFeatureKV& feature) { return width == feature.Key; });
    return known && subtarget->checkFeatures("+" + width);
  };
  // A back end whose own choice of a processor lacks the feature means something else by it.
  return has(processor) || !has("");
}

std::vector<std::string> featureNames(const llvm::MCSubtargetInfo& subtarget) {
  std::vector<std::string> names;
  for (const auto& feature : subtarget.getAllProcessorFeatures()) names.emplace_back(feature.Key);
  return names;
}

namespace {

/// Drops the first type of an intrinsic's table.
void skipType(llvm::ArrayRef<llvm::Intrinsic::IITDescriptor>& table) {
  using Descriptor = llvm::Intrinsic::IITDescriptor;
  const Descriptor type = table.front();
  table = table.drop_front();
  if (type.Kind == Descriptor::Vector) skipType(table);
  if (type.Kind != Descriptor::Struct) return;
  for (unsigned i = 0; i < type.Struct_NumElements; ++i) skipType(table);
}

/// The number of its parameters, for an intrinsic that is not overloaded. Intrinsic::getType() needs a context for it,
/// which costs a hundred times as much.
unsigned parametersOf(llvm::Intrinsic::ID id) {
  llvm::SmallVector<llvm::Intrinsic::IITDescriptor, 8> entries;
  llvm::Intrinsic::getIntrinsicInfoTableEntries(id, entries);
  llvm::ArrayRef<llvm::Intrinsic::IITDescriptor> table = entries;
  skipType(table);  // the result
  unsigned out = 0;
  for (; !table.empty() && table.front().Kind != llvm::Intrinsic::IITDescriptor::VarArg; ++out) skipType(table);
  return out;
}

}  // namespace

IntrinsicFacts intrinsicFacts(const std::string& name) {
  const llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(name);
  if (id == llvm::Intrinsic::not_intrinsic) return {};
  if (llvm::Intrinsic::isOverloaded(id)) return {.known = true, .overloaded = true};
  return {.known = true, .parameters = parametersOf(id)};
}

std::vector<std::string> intrinsicNames(std::string_view name) {
  const auto second = name.find('.', name.find('.') + 1);
  const auto prefix = second == std::string_view::npos ? std::string_view() : name.substr(0, second + 1);
  const auto startingWith = [](llvm::StringRef start) {
    std::vector<std::string> names;
    for (unsigned id = 1; id < llvm::Intrinsic::num_intrinsics; ++id) {
      const llvm::StringRef known = llvm::Intrinsic::getBaseName(id);
      if (known.starts_with(start)) names.push_back(known.str());
    }
    return names;
  };
  auto alike = prefix.empty() ? std::vector<std::string>() : startingWith(prefix);
  return alike.empty() ? startingWith("") : alike;
}

std::string intrinsicOwner(const std::string& name) {
  const llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(name);
  if (id == llvm::Intrinsic::not_intrinsic || !llvm::Intrinsic::isTargetIntrinsic(id)) return "";
  return llvm::StringRef(name).split('.').second.split('.').first.str();
}

std::string intrinsicOwnerOf(const std::string& triple) {
  return llvm::Triple::getArchTypePrefix(llvm::Triple(llvm::Triple::normalize(triple)).getArch()).str();
}

namespace {
constexpr std::pair<std::string_view, llvm::VectorLibrary> vectorLibraries[] = {
    {"Accelerate", llvm::VectorLibrary::Accelerate},
    {"AMDLIBM", llvm::VectorLibrary::AMDLIBM},
    {"ArmPL", llvm::VectorLibrary::ArmPL},
    {"DarwinLibSystemM", llvm::VectorLibrary::DarwinLibSystemM},
    {"LIBMVEC", llvm::VectorLibrary::LIBMVEC},
    {"MASSV", llvm::VectorLibrary::MASSV},
    {"SLEEFGNUABI", llvm::VectorLibrary::SLEEFGNUABI},
    {"SVML", llvm::VectorLibrary::SVML},
};
}  // namespace

std::optional<std::uint32_t> ordinalFactor(llvm::StringRef text) {
  std::uint32_t factor = 1;
  if (!text.consume_front("ordinal")) return std::nullopt;
  if (!text.empty() && (!text.consume_front("*") || text.getAsInteger(10, factor))) return std::nullopt;
  return factor;
}

std::uint32_t ordinalValue(llvm::StringRef text, unsigned ordinal) {
  if (const auto factor = ordinalFactor(text)) return ordinal * *factor;
  std::uint32_t number = 0;
  return text.getAsInteger(10, number) ? 0 : number;
}

std::optional<unsigned> callingConvention(std::string_view name) {
  if (name == "c") return llvm::CallingConv::C;
  const bool isWord = llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_' || c == ' '; });
  if (name.empty() || !isWord) return std::nullopt;
  llvm::LLVMContext context;
  llvm::SMDiagnostic unknown;
  const auto module = llvm::parseAssemblyString("declare " + std::string(name) + " void @f()", unknown, context);
  // What else may stand there, as a linkage, does not change the convention.
  if (!module || module->begin()->getCallingConv() == llvm::CallingConv::C) {
    return name == "ccc" ? std::optional<unsigned>(llvm::CallingConv::C) : std::nullopt;
  }
  return module->begin()->getCallingConv();
}

std::optional<llvm::VectorLibrary> vectorLibrary(std::string_view name) {
  for (const auto& [known, library] : vectorLibraries) {
    if (known == name) return library;
  }
  return std::nullopt;
}

std::vector<std::string> vectorLibraryNames() {
  std::vector<std::string> out;
  for (const auto& [name, library] : vectorLibraries) out.emplace_back(name);
  return out;
}

}  // namespace lathe::detail
