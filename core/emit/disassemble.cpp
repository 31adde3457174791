// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Object files by LLVM's disassemblers. Addresses count from the function's beginning, so that two builds compare.
#include <lathe/disassembly.h>

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

#include "core/descriptor/llvm_facts.h"

namespace lathe {
namespace {

Error unsupported(std::string message) {
  return {.code = ErrorCode::Unsupported, .message = std::move(message)};
}

void ensureDisassemblers() {
  static const bool done = [] {
    detail::ensureLlvmTargets();
    llvm::InitializeAllDisassemblers();
    return true;
  }();
  (void)done;
}

/// LLVM's parts of one machine, each of which points into those before it.
struct Machine {
  std::unique_ptr<const llvm::MCRegisterInfo> registers;
  std::unique_ptr<const llvm::MCAsmInfo> assembly;
  std::unique_ptr<const llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<const llvm::MCInstrInfo> instructions;
  std::unique_ptr<llvm::MCContext> context;
  std::unique_ptr<const llvm::MCDisassembler> disassembler;
  std::unique_ptr<llvm::MCInstPrinter> printer;
};

Result<Machine> machineFor(const llvm::object::ObjectFile& file, const std::string& arch, const std::string& features) {
  const llvm::Triple triple = file.makeTriple();
  std::string reason;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target) return unsupported(fmt::format("disassembly: {}", reason));
  Machine out;
  out.registers.reset(target->createMCRegInfo(triple));
  llvm::MCTargetOptions options;
  if (out.registers) out.assembly.reset(target->createMCAsmInfo(*out.registers, triple, options));
  const auto known = detail::subtargetOf(triple.str());
  const auto names = known ? detail::processorNames(*known) : std::vector<std::string>();
  // The architecture of a file that says its own is that; others have the image's.
  std::string processor = file.tryGetCPUName().value_or("").str();
  if (processor.empty() && std::ranges::find(names, arch) != names.end()) processor = arch;
  out.subtarget.reset(target->createMCSubtargetInfo(triple, processor, features));
  out.instructions.reset(target->createMCInstrInfo());
  if (!out.registers || !out.assembly || !out.subtarget || !out.instructions)
    return unsupported(fmt::format("disassembly: LLVM has no assembler for {}", triple.str()));
  out.context = std::make_unique<llvm::MCContext>(triple, out.assembly.get(), out.registers.get(), out.subtarget.get());
  out.disassembler.reset(target->createMCDisassembler(*out.subtarget, *out.context));
  out.printer.reset(target->createMCInstPrinter(triple, out.assembly->getAssemblerDialect(), *out.assembly,
                                                *out.instructions, *out.registers));
  if (!out.disassembler || !out.printer)
    return unsupported(fmt::format("disassembly: LLVM has no disassembler for {}", triple.str()));
  return out;
}

void write(const Machine& machine, llvm::StringRef name, llvm::ArrayRef<std::uint8_t> bytes, std::uint64_t address,
           std::string& out) {
  llvm::raw_string_ostream stream(out);
  stream << (out.empty() ? "" : "\n") << name << ":\n";
  for (std::uint64_t at = 0; at < bytes.size();) {
    llvm::MCInst instruction;
    std::uint64_t size = 0;
    const auto status =
        machine.disassembler->getInstruction(instruction, size, bytes.slice(at), address + at, llvm::nulls());
    size = std::clamp<std::uint64_t>(size, 1, bytes.size() - at);
    stream << fmt::format("  {:6x}: ", at);
    if (status == llvm::MCDisassembler::Fail) {
      for (const std::uint8_t byte : bytes.slice(at, size)) stream << fmt::format(" {:02x}", byte);
    } else {
      machine.printer->printInst(&instruction, address + at, "", *machine.subtarget, stream);
    }
    stream << "\n";
    at += size;
  }
}

/// A function of the file: its place in a section.
struct Function {
  std::string name;
  std::uint64_t address = 0;  ///< of the section's addresses
  std::uint64_t size = 0;
  llvm::object::SectionRef section;
};

llvm::Expected<std::vector<Function>> functionsOf(const llvm::object::ObjectFile& file) {
  std::vector<Function> out;
  for (const llvm::object::SymbolRef& symbol : file.symbols()) {
    auto type = symbol.getType();
    if (!type) return type.takeError();
    if (*type != llvm::object::SymbolRef::ST_Function) continue;
    auto name = symbol.getName();
    if (!name) return name.takeError();
    auto address = symbol.getAddress();
    if (!address) return address.takeError();
    auto section = symbol.getSection();
    if (!section) return section.takeError();
    if (*section == file.section_end() || !(*section)->isText()) continue;
    out.push_back({name->str(), *address, llvm::object::ELFSymbolRef(symbol).getSize(), **section});
  }
  std::ranges::sort(out, {}, [](const Function& f) { return std::pair(f.section.getIndex(), f.address); });
  return out;
}

}  // namespace

Result<std::string> disassembled(const Code& code, const std::string& features) {
  ensureDisassemblers();
  const llvm::StringRef bytes(reinterpret_cast<const char*>(code.bytes.data()), code.bytes.size());
  const auto corrupt = [](llvm::Error error) {
    return Error{.code = ErrorCode::ImageCorrupt, .message = "disassembly: " + llvm::toString(std::move(error))};
  };
  if (!bytes.starts_with("\x7f" "ELF"))
    return unsupported(fmt::format("disassembly: {} code is no object file", code.format));
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "code"));
  if (!file) return corrupt(file.takeError());
  const auto machine = machineFor(**file, std::string(code.arch), features);
  if (!machine) return machine.error();
  auto functions = functionsOf(**file);
  if (!functions) return corrupt(functions.takeError());
  std::string out;
  for (const Function& function : *functions) {
    auto contents = function.section.getContents();
    if (!contents) return corrupt(contents.takeError());
    const std::uint64_t from = function.address - function.section.getAddress();
    if (from > contents->size() || function.size > contents->size() - from) continue;
    const llvm::ArrayRef all(reinterpret_cast<const std::uint8_t*>(contents->data()), contents->size());
    write(*machine, function.name, all.slice(from, function.size), function.address, out);
  }
  return out;
}

}  // namespace lathe
