// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages emit, link and image.
#include <fmt/ranges.h>

#include "core/emit/emit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Analysis/RuntimeLibcallInfo.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/OptBisect.h"
#include "llvm/PassInfo.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include "core/emit/selection.h"
#include "core/emit/text/text.h"
#include "core/lower/lowering.h"
#include "core/lower/stages.h"
#include "core/support/cancelled.h"
#include "core/support/diagnostics.h"
#include "core/support/llvm_bridge.h"
#include "core/support/nearest.h"

namespace lathe::detail {
namespace {

/// Which of LLVM's optional passes the code generator runs: none once the compile is to end, and no strength reduction
/// where there are blocks of thousands of instructions, with the square of which its time grows (LLVM 22: 16 of 17
/// seconds for a loop of 6000; hundreds are as fast as ever).
class EmitGate final : public llvm::OptPassGate {
 public:
  EmitGate(llvm::Module& module, const std::stop_token& stop)
      : context_(module.getContext()), before_(context_.getOptPassGate()), stop_(stop) {
    constexpr std::size_t longBlock = 2000;
    hasLongBlocks_ = llvm::any_of(module, [](const llvm::Function& function) {
      return llvm::any_of(function, [](const llvm::BasicBlock& block) { return block.size() > longBlock; });
    });
    context_.setOptPassGate(*this);
  }
  ~EmitGate() override { context_.setOptPassGate(before_); }
  EmitGate(const EmitGate&) = delete;
  EmitGate& operator=(const EmitGate&) = delete;

  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef /*unit*/) const override {
    return !stop_.stop_requested() && !(hasLongBlocks_ && (pass == "slsr" || pass == "nary-reassociate"));
  }
  bool isEnabled() const override { return true; }

 private:
  llvm::LLVMContext& context_;
  llvm::OptPassGate& before_;
  const std::stop_token& stop_;
  bool hasLongBlocks_ = false;
};

/// The target's own pass on IR, last of all.
class BeforeSelection final : public llvm::FunctionPass {
 public:
  explicit BeforeSelection(const sdk::TargetHooks& hooks) : llvm::FunctionPass(id), hooks_(hooks) {}
  llvm::StringRef getPassName() const override { return "the target's last pass on IR"; }
  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override { usage.setPreservesCFG(); }
  bool runOnFunction(llvm::Function& function) override {
    return !skipFunction(function) && hooks_.beforeSelection(function);
  }

 private:
  static inline char id = 0;
  const sdk::TargetHooks& hooks_;
};

/// The target's own step in front of the printer.
class BeforePrinting final : public llvm::MachineFunctionPass {
 public:
  explicit BeforePrinting(const sdk::TargetHooks& hooks) : llvm::MachineFunctionPass(id), hooks_(hooks) {}
  llvm::StringRef getPassName() const override { return "the target's last step before printing"; }
  bool runOnMachineFunction(llvm::MachineFunction& function) override { return hooks_.beforePrinting(function); }

 private:
  static inline char id = 0;
  const sdk::TargetHooks& hooks_;
};

/// A pass manager that gets BeforeSelection behind CodeGenPrepare.
class PassesWithHook final : public llvm::legacy::PassManagerBase {
 public:
  PassesWithHook(llvm::legacy::PassManagerBase& passes, const sdk::TargetHooks& hooks)
      : passes_(passes), hooks_(hooks) {}
  void add(llvm::Pass* pass) override {
    const bool isLast = pass->getPassID() == last_;
    passes_.add(pass);
    if (isLast) passes_.add(new BeforeSelection(hooks_));
  }

 private:
  llvm::legacy::PassManagerBase& passes_;
  const sdk::TargetHooks& hooks_;
  const llvm::AnalysisID last_ = std::unique_ptr<llvm::Pass>(llvm::createCodeGenPrepareLegacyPass())->getPassID();
};

/// As TargetMachine::addPassesToEmitFile(), with what `hooks` change; true: there is no such emitter.
bool addCodeGenerator(llvm::legacy::PassManagerBase& passes, llvm::TargetMachine& machine,
                      llvm::raw_pwrite_stream& stream, llvm::CodeGenFileType kind, const sdk::TargetHooks& hooks) {
  llvm::TargetPassConfig* const config = machine.createPassConfig(passes);
  auto* const information = new llvm::MachineModuleInfoWrapperPass(&machine);  // the pass manager's
  config->setDisableVerify(true);
  for (const std::string_view name : hooks.passesLeftOut()) {
    if (const llvm::PassInfo* const pass = llvm::PassRegistry::getPassRegistry()->getPassInfo(name))
      config->disablePass(pass->getTypeInfo());
  }
  passes.add(config);
  passes.add(information);
  // Without it the back ends know no function of a run-time library, and copies of constant sizes become loops.
  const llvm::TargetOptions& options = machine.Options;
  passes.add(new llvm::RuntimeLibraryInfoWrapper(machine.getTargetTriple(), options.ExceptionModel,
                                                 options.FloatABIType, options.EABIVersion, options.MCOptions.ABIName,
                                                 options.VecLib));
  if (config->addISelPasses()) return true;
  config->addMachinePasses();
  config->setInitialized();
  passes.add(new BeforePrinting(hooks));
  if (machine.addAsmPrinter(passes, stream, nullptr, kind, information->getMMI().getContext())) return true;
  passes.add(llvm::createFreeMachineFunctionPass());
  return false;
}

}  // namespace
}  // namespace lathe::detail

llvm::Expected<std::string> lathe::sdk::emitModule(llvm::Module& module, llvm::TargetMachine* machine,
                                                   std::string_view format, const std::stop_token& stop,
                                                   const TargetHooks* hooks) {
  if (format == "ir") return detail::printed(module);
  if (format == "bitcode" || format == "portable") {
    std::string out;
    llvm::raw_string_ostream stream(out);
    llvm::WriteBitcodeToFile(module, stream);
    return out;
  }
  llvm::SmallString<0> out;
  llvm::raw_svector_ostream stream(out);
  llvm::legacy::PassManager passes;
  const auto kind = format == "asm" ? llvm::CodeGenFileType::AssemblyFile : llvm::CodeGenFileType::ObjectFile;
  const TargetHooks none;
  const TargetHooks& changes = hooks ? *hooks : none;
  detail::PassesWithHook added(passes, changes);
  if (!machine || detail::addCodeGenerator(added, *machine, stream, kind, changes)) {
    return detail::toLlvm(
        {.code = ErrorCode::FormatUnsupported,
         .message = "LLVM has no emitter of " + std::string(format) + " for " + module.getTargetTriple().str(),
         .stage = "emit"});
  }
  {
    const detail::EmitGate gate(module, stop);
    passes.run(module);
  }
  if (stop.stop_requested()) return detail::toLlvm(detail::cancelled("emit"));
  return out.str().str();
}

namespace lathe::detail {

std::string storedName(const Lowering& lowering, std::string_view format) {
  return std::string(sdk::DescriptorView(lowering.descriptor).storedName(format));
}

std::vector<std::optional<std::string>> formatsAsked(const Descriptor& descriptor, std::string_view emit) {
  const std::vector<std::string_view> named = formatsNamed(emit);
  if (named.empty()) return {descriptor.emit.defaultFormat};
  std::vector<std::optional<std::string>> out;
  for (const std::string_view name : named) {
    // An image is not in an image, and portable IR is one of its own.
    if (asksForImage(emit) && (name == "image" || name == "portable")) {
      out.emplace_back();
      continue;
    }
    const auto found = llvm::find_if(descriptor.emit.formats, [&](const std::string& format) {
      return name == format || name == sdk::DescriptorView(descriptor).storedName(format);
    });
    out.push_back(found == descriptor.emit.formats.end() ? std::nullopt : std::optional(*found));
  }
  return out;
}

llvm::Expected<std::vector<std::string>> wantedFormats(const Lowering& lowering) {
  const auto asked = formatsAsked(lowering.descriptor, lowering.job.emit);
  std::vector<std::string> out, known;
  for (const auto& format : asked) {
    if (format && !llvm::is_contained(out, *format)) out.push_back(*format);
  }
  const auto missing = llvm::find(asked, std::nullopt);
  if (missing == asked.end()) return out;
  for (const std::string& format : lowering.descriptor.emit.formats) {
    const std::string stored = storedName(lowering, format);
    known.push_back(stored);
    if (stored != format) known.push_back(format);
  }
  const std::string name(formatsNamed(lowering.job.emit)[static_cast<std::size_t>(missing - asked.begin())]);
  return toLlvm(
      {.code = ErrorCode::FormatUnsupported,
       .message = "target '" + lowering.descriptor.name + "' does not emit '" + name + "'" + didYouMean(name, known),
       .hint = "it emits " + fmt::format("{}", fmt::join(known, ", ")),
       .stage = "emit"});
}

namespace {

/// Of an archive: the source's name without folders.
std::string memberName(const Lowering& lowering) {
  const llvm::StringRef stem = llvm::sys::path::stem(lowering.job.source.name);
  return (stem.empty() ? llvm::StringRef("kernels") : stem).str() + ".o";
}

/// True if the module calls functions that are not inlined. A back end may number such calls as long as its machine
/// lives, and print the numbers into assembly (LLVM 22 has one that does): a machine that serves again would give other
/// bytes than a new one.
bool hasCalls(const llvm::Module& module) {
  return llvm::any_of(module, [](const llvm::Function& function) {
    return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
      const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      return call && !call->isInlineAsm() && !llvm::isa<llvm::IntrinsicInst>(call);
    });
  });
}

/// Leaves debug information to those who make other things than DWARF of it, BTF for example: as if the module asked
/// for CodeView, which only machines with COFF objects have.
///   before: !llvm.module.flags = {{7, "Dwarf Version", 4}, …}
///   after:  !llvm.module.flags = {…, {2, "CodeView", 1}}
void dropDwarf(llvm::Module& module) {
  llvm::NamedMDNode* const flags = module.getModuleFlagsMetadata();
  if (!flags) return;
  llvm::SmallVector<llvm::MDNode*> kept;
  for (llvm::MDNode* flag : flags->operands()) {
    const auto* const name = llvm::dyn_cast<llvm::MDString>(flag->getOperand(1));
    if (!name || name->getString() != "Dwarf Version") kept.push_back(flag);
  }
  flags->clearOperands();
  for (llvm::MDNode* flag : kept) flags->addOperand(flag);
  module.addModuleFlag(llvm::Module::Warning, "CodeView", 1);
}

/// What the job has for sonameParameter; null: nothing.
const std::string* sonameOf(const Lowering& lowering) {
  const auto found = lowering.job.options.parameters.find(std::string(sonameParameter));
  return found == lowering.job.options.parameters.end() ? nullptr : &found->second;
}

/// A name of a shared library where none of the compile's formats is one is an error.
llvm::Error checkSoname(const Lowering& lowering, llvm::ArrayRef<std::string> formats) {
  const std::string* const name = sonameOf(lowering);
  if (!name || (!name->empty() && name->find('\0') == std::string::npos &&
                lowering.descriptor.emit.link == "elf-library" && llvm::is_contained(formats, "linked")))
    return llvm::Error::success();
  return toLlvm({.code = ErrorCode::InvalidArgument,
                 .message = "link.soname: '" + *name + "' is for shared libraries of ELF, and not empty",
                 .hint = "compile with --emit shared for a target that makes them",
                 .stage = "emit",
                 .target = lowering.descriptor.name});
}

/// The module as `format`, which the target makes itself, as text, or by LLVM.
llvm::Expected<std::string> generate(Lowering& lowering, TargetContext& context, llvm::Module& module,
                                     const std::string& format) {
  auto own = lowering.hooks.emit(context, format);
  if (!own) return own.takeError();
  if (own->has_value()) return std::move(**own);
  if (format == "source") {
    std::vector<Diagnostic> found;
    std::string text = writeText(lowering, found);
    if (!found.empty()) return toLlvm(combined(std::move(found), "emit", lowering.descriptor.name));
    return text;
  }
  const bool objectFirst = format == "object" || format == "archive" || format == "linked";
  const bool keepsDwarf = lowering.descriptor.codegen.dwarf || lowering.job.options.debugInfo;
  if (objectFirst && !keepsDwarf) dropDwarf(module);
  auto code =
      sdk::emitModule(module, lowering.machine.get(), objectFirst ? "object" : format, lowering.stop, &lowering.hooks);
  return code && objectFirst && !keepsDwarf ? withoutDwarf(*code) : std::move(code);  // frames are described unasked
}

}  // namespace

llvm::Error stage::emit(Lowering& lowering) {
  auto formats = wantedFormats(lowering);
  if (!formats) return formats.takeError();
  if (auto error = checkSoname(lowering, *formats)) return error;
  const bool prints = lowering.descriptor.emit.defaultFormat == "asm" || llvm::is_contained(*formats, "asm");
  if (prints && lowering.machine && hasCalls(*lowering.module)) lowering.machine.get_deleter().pool = nullptr;
  for (const std::string& format : *formats) {
    if (format == "image") continue;
    // Code generation rewrites the module, so every format but the last works on a copy.
    const bool last = &format == &formats->back();
    std::unique_ptr<llvm::Module> copy = last ? nullptr : llvm::CloneModule(*lowering.module);
    llvm::Module& module = copy ? *copy : *lowering.module;
    const TargetContext whole = lowering.targetContext();
    TargetContext context{whole.job,     whole.descriptor,  whole.arch,      module,
                          whole.machine, whole.diagnostics, whole.variables, whole.stop};
    std::optional<llvm::Expected<std::string>> bytes;
    if (auto error = select(lowering, module, [&] { bytes = generate(lowering, context, module, format); }))
      return error;
    if (!*bytes) return bytes->takeError();
    if (auto error = lowering.hooks.describe(context, format, **bytes, lowering.info.entries)) return error;
    lowering.code.push_back({format, lowering.arch, *std::move(*bytes)});
  }
  return llvm::Error::success();
}

llvm::Error stage::link(Lowering& lowering) {
  std::string object;
  for (Image::CodeBlob& code : lowering.code) {
    const bool isLinked = code.format == "linked";
    if (code.format == "object" || code.format == "archive" || isLinked) object = code.bytes;
    if (isLinked || code.format == "archive") {
      const std::string* const name = sonameOf(lowering);
      auto made = isLinked ? linkObject(lowering.workers, code.bytes, lowering.descriptor.emit.link,
                                        name ? *name : std::string(), lowering.stop)
                           : makeArchive(code.bytes, memberName(lowering));
      if (!made) return made.takeError();
      code.bytes = std::move(*made);
    }
    code.format = storedName(lowering, code.format);
  }
  return lowering.interface.empty() ? llvm::Error::success() : describeInterface(lowering, object);
}

}  // namespace lathe::detail
