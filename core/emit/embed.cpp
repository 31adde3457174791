// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes as a part of a program. C source is written here; assembly and objects LLVM makes of a module with two
// constants, so that each platform's rules for symbols and sections hold.
#include <lathe/embed.h>

#include <memory>

#include <fmt/format.h>

#include "llvm/IR/Constants.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"

#include "core/descriptor/llvm_facts.h"
#include "core/image/c_types.h"

namespace lathe {
namespace {

constexpr unsigned alignment = 16;

Error invalid(std::string message) {
  return {.code = ErrorCode::InvalidArgument, .message = std::move(message)};
}

/// The bytes as the inside of string literals, in lines.
std::string literals(std::string_view bytes) {
  constexpr std::size_t lineBytes = 64;
  std::string out;
  out.reserve(bytes.size() * 4);
  for (std::size_t at = 0; at < bytes.size() || at == 0; at += lineBytes) {
    out += "\n  \"";
    for (const char letter : bytes.substr(at, lineBytes)) {
      // '?' begins trigraphs. Octal digits are always three, so that none that follows belongs to them.
      const bool isPlain = letter >= ' ' && letter <= '~' && letter != '"' && letter != '\\' && letter != '?';
      if (isPlain)
        out += letter;
      else
        out += fmt::format("\\{:03o}", static_cast<unsigned char>(letter));
    }
    out += '"';
  }
  return out;
}

std::string asC(std::string_view bytes, const EmbedOptions& options) {
  const std::string section = options.section.empty() ? "" : fmt::format(", section(\"{}\")", options.section);
  return fmt::format(R"(/* Made by lathe {version}. Do not edit. */
#include <stddef.h>
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Woverlength-strings"
#define LATHE_PLACE __attribute__((aligned({alignment}){section}))
#define LATHE_HIDDEN __attribute__((visibility("hidden")))
#else
#define LATHE_PLACE
#define LATHE_HIDDEN
#endif
#ifdef __cplusplus
extern "C" {{
#endif
LATHE_HIDDEN extern const unsigned char {symbol}[];
LATHE_HIDDEN extern const size_t {symbol}_size;
LATHE_PLACE const unsigned char {symbol}[] ={bytes};
const size_t {symbol}_size = {size}u;
#ifdef __cplusplus
}}
#endif
)",
                     fmt::arg("version", LATHE_VERSION), fmt::arg("alignment", alignment), fmt::arg("section", section),
                     fmt::arg("symbol", options.symbol), fmt::arg("bytes", literals(bytes)),
                     fmt::arg("size", bytes.size()));
}

/// A module with the bytes and their number.
std::unique_ptr<llvm::Module> moduleOf(llvm::LLVMContext& context, std::string_view bytes, const EmbedOptions& options,
                                       const llvm::TargetMachine& machine) {
  auto module = std::make_unique<llvm::Module>(options.symbol, context);
  module->setTargetTriple(machine.getTargetTriple());
  module->setDataLayout(machine.createDataLayout());
  const auto add = [&](llvm::Constant* value, const std::string& name) {
    auto* const variable = new llvm::GlobalVariable(*module, value->getType(), /*isConstant=*/true,
                                                    llvm::GlobalValue::ExternalLinkage, value, name);
    variable->setVisibility(llvm::GlobalValue::HiddenVisibility);
    return variable;
  };
  auto* const data =
      add(llvm::ConstantDataArray::getString(context, {bytes.data(), bytes.size()}, /*AddNull=*/true), options.symbol);
  data->setAlignment(llvm::Align(alignment));
  if (!options.section.empty()) data->setSection(options.section);
  add(llvm::ConstantInt::get(module->getDataLayout().getIntPtrType(context), bytes.size()), options.symbol + "_size");
  return module;
}

/// Registers by which a platform's functions pass floating point: linkers compare them, also of objects without code.
struct FloatConvention {
  std::string features;
  std::string name;
};

/// As the platform's compilers have it, where LLVM's default is another: RISC-V ELF psABI and LoongArch ELF psABI.
FloatConvention floatConvention(const llvm::Triple& triple) {
  if (!triple.isOSLinux() || !(triple.isRISCV() || triple.isLoongArch())) return {};
  const std::string integers = triple.isLoongArch() || triple.isArch64Bit() ? "lp64" : "ilp32";
  return {.features = triple.isRISCV() ? "+m,+a,+f,+d,+c" : "+f,+d", .name = integers + "d"};
}

Result<std::string> byLlvm(std::string_view bytes, const EmbedOptions& options) {
  detail::ensureLlvmTargets();
  const std::string triple = options.triple.empty() ? llvm::sys::getDefaultTargetTriple() : options.triple;
  if (const auto fault = detail::tripleFault(triple)) return invalid(fmt::format("triple '{}': {}", triple, *fault));
  std::string reason;
  const llvm::Triple parsed(triple);
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(parsed, reason);
  if (!target) return invalid(fmt::format("triple '{}': {}", triple, reason));
  const FloatConvention convention = floatConvention(llvm::Triple(llvm::Triple::normalize(triple)));
  llvm::TargetOptions machineOptions;
  machineOptions.MCOptions.ABIName = convention.name;
  const std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(parsed, "", convention.features, machineOptions, llvm::Reloc::PIC_));
  llvm::SmallString<0> out;
  llvm::raw_svector_ostream stream(out);
  llvm::legacy::PassManager passes;
  const auto kind =
      options.form == EmbedForm::object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
  if (!machine || machine->addPassesToEmitFile(passes, stream, nullptr, kind)) {
    return Error{.code = ErrorCode::Unsupported,
                 .message = fmt::format("triple '{}': LLVM makes no such file", triple)};
  }
  llvm::LLVMContext context;
  const auto module = moduleOf(context, bytes, options, *machine);
  if (!convention.name.empty())
    module->addModuleFlag(llvm::Module::Error, "target-abi", llvm::MDString::get(context, convention.name));
  passes.run(*module);
  return std::string(out.str());
}

}  // namespace

Result<std::string> embedded(std::span<const std::byte> bytes, const EmbedOptions& options) {
  if (options.symbol.empty() || options.symbol != detail::cIdentifier(options.symbol))
    return invalid(fmt::format("embedded image: '{}' is no C identifier", options.symbol));
  if (detail::isCxxKeyword(options.symbol) || detail::isCKeyword(options.symbol))
    return invalid(fmt::format("embedded image: '{}' is a word of C or C++, and no symbol", options.symbol));
  const bool isSection = options.section.find_first_of("\"\\\n") == std::string::npos;
  if (!isSection) return invalid(fmt::format("embedded image: '{}' is no section", options.section));
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return options.form == EmbedForm::c ? asC(text, options) : byLlvm(text, options);
}

}  // namespace lathe
