// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The linker's command line, with the platform's start files and libraries in their places, is Clang's driver's; LLD
// does the work in a child process. Where a kernel is the program, `main` is made of it:
//
//   int main(int argc, char** argv) {
//     int code = 0;
//     struct lathe_launch launch = {.grid = {1, 1, 1}, .group = {1, 1, 1}};
//     return app_main(&launch, argc, argv, &code) == LATHE_LAUNCH_DONE ? code : 125;
//   }
#include "core/emit/executable.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "lld/Common/Driver.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"

#include <lathe/executable.h>

#include "core/descriptor/llvm_facts.h"
#include "core/emit/link_input.h"
#include "core/image/interface.h"
#include "core/process/temporary_files.h"
#include "core/support/file.h"
#include "core/support/llvm_bridge.h"
#include "core/support/nearest.h"
#include "core/values/cbor.h"

LLD_HAS_DRIVER(elf)

namespace lathe::detail {
namespace {

/// What a program whose launch is refused returns.
constexpr int launchRefused = 125;

Error failed(ErrorCode code, std::string message, std::string hint = {}) {
  return {.code = code, .message = std::move(message), .hint = std::move(hint), .stage = "link"};
}

using ToldSymbol = llvm::function_ref<void(llvm::StringRef name, bool isDefined)>;

void forSymbols(const llvm::object::ObjectFile& object, ToldSymbol told) {
  for (const llvm::object::SymbolRef& symbol : object.symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (flags && name && (*flags & llvm::object::SymbolRef::SF_Global) != 0)
      told(*name, (*flags & llvm::object::SymbolRef::SF_Undefined) == 0);
    if (!flags) llvm::consumeError(flags.takeError());
    if (!name) llvm::consumeError(name.takeError());
  }
}

/// Tells the global symbols of an object, or of all objects of a library, and whether they are defined there.
Result<void> forSymbols(const LinkInput& input, ToldSymbol told) {
  const auto wrong = [&](llvm::Error error) {
    return failed(ErrorCode::InvalidArgument,
                  input.name + ": no object and no static library: " + llvm::toString(std::move(error)));
  };
  auto binary = llvm::object::createBinary(llvm::MemoryBufferRef(input.bytes, input.name));
  if (!binary) return wrong(binary.takeError());
  if (const auto* const object = llvm::dyn_cast<llvm::object::ObjectFile>(binary->get())) {
    forSymbols(*object, told);
    return {};
  }
  const auto* const archive = llvm::dyn_cast<llvm::object::Archive>(binary->get());
  if (!archive) return failed(ErrorCode::InvalidArgument, input.name + ": no object and no static library");
  llvm::Error error = llvm::Error::success();
  for (const llvm::object::Archive::Child& child : archive->children(error)) {
    auto member = child.getAsBinary();
    if (!member) {
      llvm::consumeError(member.takeError());  // no object: the linker passes over it
      continue;
    }
    if (const auto* const object = llvm::dyn_cast<llvm::object::ObjectFile>(member->get())) forSymbols(*object, told);
  }
  if (error) return wrong(std::move(error));
  return {};
}

/// What a program's files say about themselves.
struct InputFacts {
  bool definesMain = false;
  bool needsCxx = false;  ///< calls the C++ library: mangled names, and those of its run-time support (Itanium C++ ABI)
};

Result<InputFacts> factsOf(const LinkInput& input) {
  InputFacts out;
  bool isLto = input.bytes.starts_with("BC\xC0\xDE");
  auto done = isLto ? Result<void>() : forSymbols(input, [&](llvm::StringRef name, bool isDefined) {
    isLto |= name == "__gnu_lto_slim";
    if (isDefined)
      out.definesMain |= name == "main";
    else
      out.needsCxx |= name.starts_with("_Z") || name.starts_with("__cxa_") || name.starts_with("__gxx_");
  });
  if (!done) return std::move(done).error();
  if (isLto)
    return failed(ErrorCode::InvalidArgument, input.name + ": compiled for link-time optimisation, it holds no code",
                  "compile it without -flto");
  return out;
}

/// The linker's arguments for `inputs`, as Clang's driver would call it.
Result<std::vector<std::string>> linkerArguments(const std::vector<std::string>& inputs, const std::string& output,
                                                 bool isCxx) {
  clang::DiagnosticOptions options;
  clang::TextDiagnosticBuffer said;
  clang::DiagnosticsEngine engine(clang::DiagnosticIDs::create(), options, &said, /*ShouldOwnClient=*/false);
  clang::driver::Driver driver("clang", llvm::sys::getDefaultTargetTriple(), engine);
  driver.setCheckInputsExist(false);
  std::vector<const char*> arguments = {"clang", "-static", "-o", output.c_str()};
  if (isCxx) arguments.push_back("--driver-mode=g++");
  for (const std::string& input : inputs) arguments.push_back(input.c_str());
  arguments.push_back("-lm");
  const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(arguments));
  if (said.err_begin() != said.err_end()) return failed(ErrorCode::ToolFailed, "linker: " + said.err_begin()->second);
  if (!compilation || compilation->getJobs().size() != 1)
    return failed(ErrorCode::Unsupported, "linker: Clang knows no way to link programs on this platform");
  std::vector<std::string> out;
  for (const char* argument : compilation->getJobs().begin()->getArguments()) out.emplace_back(argument);
  return out;
}

/// Serves a list of files.
Result<std::string> linkProgramHere(std::string_view payload, const Tell& /*tell*/) {
  CborReader in(payload);
  std::vector<LinkInput> files;
  bool isCxx = false;
  readValue(in, files);
  readValue(in, isCxx);
  if (!in.atEnd()) return failed(ErrorCode::Internal, "the files of a program are damaged");
  const TemporaryFolder folder;
  if (!folder.isThere()) return failed(ErrorCode::FileUnwritable, "no temporary folder can be made for linking");
  std::vector<std::string> paths;
  for (const LinkInput& file : files) {
    const char* const ending = file.bytes.starts_with("!<arch>\n") ? ".a" : ".o";
    paths.push_back(folder.file(std::to_string(paths.size()) + ending));
    if (auto written = writeFile(paths.back(), file.bytes); !written) return std::move(written).error();
  }
  const std::string out = folder.file("program");
  auto arguments = linkerArguments(paths, out, isCxx);
  if (!arguments) return std::move(arguments).error();
  std::vector<const char*> call = {"ld.lld", "--threads=1"};
  for (const std::string& argument : *arguments) call.push_back(argument.c_str());
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::CrashRecoveryContext::Enable();
  const lld::Result result = lld::lldMain(call, stream, stream, {{lld::Gnu, &lld::elf::link}});
  llvm::CrashRecoveryContext::Disable();
  if (result.retCode != 0) {
    for (std::size_t i = 0; i < files.size(); ++i) {  // names that the user knows
      for (std::size_t at = text.find(paths[i]); at != std::string::npos; at = text.find(paths[i], at))
        text.replace(at, paths[i].size(), files[i].name);
    }
    return failed(ErrorCode::ToolFailed, llvm::StringRef(text).trim().str(),
                  isCxx ? "a static program takes what it needs from its objects and the static C and C++ libraries "
                          "(Debian: libc6-dev, libstdc++-12-dev)"
                        : "a static program takes what it needs from its objects and the C library's static form "
                          "(Debian: libc6-dev)");
  }
  return readFile(out);
}

std::string_view textOf(const Code& code) {
  return {reinterpret_cast<const char*>(code.bytes.data()), code.bytes.size()};
}

/// The kernel that is the program; null: none is.
Result<const EntryPoint*> mainKernelOf(const ImageInfo& info, const std::string& asked) {
  const auto& entries = info.entries;
  const auto isMain = [&](const EntryPoint& entry) {
    return asked.empty() ? entry.name == "main" || entry.name.ends_with("::main") : entry.name == asked;
  };
  const auto found = std::ranges::find_if(entries, isMain);
  if (found != entries.end()) {
    const auto other = std::find_if(found + 1, entries.end(), isMain);
    if (other == entries.end()) return &*found;
    return failed(ErrorCode::InvalidArgument,
                  "kernels '" + found->name + "' and '" + other->name + "' both could be the program's main",
                  "name the one that is: --main '" + found->name + "', ExecutableOptions::mainKernel");
  }
  if (asked.empty()) return nullptr;
  std::vector<std::string> names;
  for (const EntryPoint& entry : entries) names.push_back(entry.name);
  return failed(ErrorCode::UnknownKernel, "there is no kernel '" + asked + "'" + didYouMean(asked, names),
                "kernels: " + fmt::format("{}", fmt::join(names, ", ")));
}

/// A type's name without spaces and `const`.
std::string plainName(const TypeLayout& type) {
  std::string out = type.name;
  for (std::size_t at = out.find("const"); at != std::string::npos; at = out.find("const")) out.erase(at, 5);
  std::erase(out, ' ');
  return out;
}

/// The object with `main` (above).
Result<std::string> mainObject(const EntryPoint& kernel, const llvm::TargetMachine& target) {
  constexpr std::array<std::string_view, 3> types = {"int", "char**", "int*"};
  const auto& parameters = kernel.parameters;
  bool fits = parameters.size() <= types.size() && !kernel.dynamicShared;
  for (std::size_t i = 0; fits && i < parameters.size(); ++i) fits = plainName(parameters[i].type) == types[i];
  if (!fits) {
    return failed(ErrorCode::ArgumentMismatch, "kernel '" + kernel.name + "' cannot be a program's main",
                  "it takes none or the first of: int argc, char** argv, int* exitCode; and no launch-sized memory");
  }
  llvm::LLVMContext context;
  llvm::Module module("main", context);
  module.setTargetTriple(target.getTargetTriple());
  module.setDataLayout(target.createDataLayout());
  llvm::IRBuilder<> builder(context);
  llvm::Type* const number = builder.getInt32Ty();
  llvm::Type* const pointer = builder.getPtrTy();
  auto* const main = llvm::Function::Create(llvm::FunctionType::get(number, {number, pointer}, false),
                                            llvm::GlobalValue::ExternalLinkage, "main", module);
  builder.SetInsertPoint(llvm::BasicBlock::Create(context, "", main));
  constexpr std::size_t launchBytes = launch_block::scratch + sizeof(void*);
  auto* const launch = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), launchBytes));
  launch->setAlignment(llvm::Align(alignof(std::uint64_t)));
  builder.CreateMemSet(launch, builder.getInt8(0), launchBytes, launch->getAlign());
  auto* const code = builder.CreateAlloca(number);
  builder.CreateStore(builder.getInt32(0), code);
  for (unsigned axis = 0; axis < 3; ++axis) {
    const auto set = [&](std::size_t offset, std::uint32_t value) {
      builder.CreateStore(builder.getInt32(value), builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), launch,
                                                                                      offset + sizeof(value) * axis));
    };
    set(launch_block::grid, 1);
    set(launch_block::group, std::max(kernel.bounds.groupSize[axis], 1U));
  }
  llvm::Value* const given[] = {main->getArg(0), main->getArg(1), code};
  llvm::SmallVector<llvm::Value*> arguments = {launch};
  for (std::size_t i = 0; i < parameters.size(); ++i) arguments.push_back(given[i]);
  llvm::SmallVector<llvm::Type*> passed;
  for (const llvm::Value* argument : arguments) passed.push_back(argument->getType());
  llvm::Value* const status = builder.CreateCall(
      module.getOrInsertFunction(cIdentifier(kernel.name), llvm::FunctionType::get(number, passed, false)), arguments);
  llvm::Value* const ran = builder.CreateICmpEQ(status, builder.getInt32(static_cast<int>(LaunchStatus::done)));
  builder.CreateRet(builder.CreateSelect(ran, builder.CreateLoad(number, code), builder.getInt32(launchRefused)));
  llvm::SmallString<0> out;
  llvm::raw_svector_ostream stream(out);
  llvm::legacy::PassManager passes;
  auto& machine = const_cast<llvm::TargetMachine&>(target);
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile))
    return failed(ErrorCode::Unsupported, "LLVM makes no objects for this machine");
  passes.run(module);
  return out.str().str();
}

}  // namespace

constinit const WorkerTask linkProgramTask{"link-program", linkProgramHere};

}  // namespace lathe::detail

lathe::Result<std::string> lathe::executable(const Image& image, const ExecutableOptions& options) {
  using namespace detail;
  ensureLlvmTargets();
  const ImageInfo& info = image.info();
  const std::string who = info.target + ":" + info.arch;
  const Code* const code = image.find("object");
  if (!code)
    return failed(ErrorCode::InvalidArgument, who + ": the image has no object to make a program of",
                  "compile with emit \"object\" for a target that makes objects, as 'object'");
  LinkInput kernels{info.provenance.sourceName, std::string(textOf(*code))};
  const llvm::Triple host(llvm::sys::getDefaultTargetTriple());
  auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(kernels.bytes, kernels.name));
  if (!object) return fromLlvm(object.takeError());
  if (!(*object)->isELF() || (*object)->getArch() != host.getArch() || !host.isOSBinFormatELF()) {
    return failed(ErrorCode::Unsupported, who + ": programs are made for this machine, " + host.str(),
                  "emit an object, and link it with the compiler for that machine");
  }
  std::vector<std::string> mains;
  std::vector<LinkInput> files = {std::move(kernels)};
  bool isCxx = false;
  for (const LinkInput& input : options.inputs) {
    const auto facts = factsOf(input);
    if (!facts) return facts.error();
    if (facts->definesMain) mains.push_back(input.name);
    isCxx |= facts->needsCxx;
    files.push_back(input);
  }
  if (mains.empty() || !options.mainKernel.empty()) {
    const auto kernel = mainKernelOf(info, options.mainKernel);
    if (!kernel) return kernel.error();
    if (*kernel) {
      std::string reason;
      const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(host, reason);
      if (!target) return failed(ErrorCode::Unsupported, reason);
      const std::unique_ptr<llvm::TargetMachine> machine(
          target->createTargetMachine(host, "", "", llvm::TargetOptions(), llvm::Reloc::PIC_));
      auto made = mainObject(**kernel, *machine);
      if (!made) return std::move(made).error();
      mains.push_back("kernel '" + (*kernel)->name + "'");
      files.push_back({mains.back(), *std::move(made)});
    }
  }
  if (mains.size() != 1) {
    return failed(
        ErrorCode::InvalidArgument,
        mains.empty() ? "the program has no main" : mains[0] + " and " + mains[1] + " both are its main",
        "a kernel whose name ends with ::main is one, or an object or source (--host) with a C main; host code "
        "beside kernels is not compiled");
  }
  CborWriter out;
  writeValue(out, files);
  writeValue(out, isCxx);
  return Workers(options.workerProgram).run(linkProgramTask, out.take());
}
