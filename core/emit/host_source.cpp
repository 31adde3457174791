// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host sources of programs: Clang in a child process, with the arguments that its driver makes for this machine. The
// platform's headers are where the driver finds them; Clang's own (stddef.h, immintrin.h, …) are part of this library.
#include "core/emit/host_source.h"

#include <algorithm>

#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Job.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

#include <lathe/executable.h>

#include "core/descriptor/llvm_facts.h"
#include "core/emit/link_input.h"
#include "core/frontend/clang/diagnostics.h"
#include "core/frontend/files/file_system.h"
#include "core/image/interface.h"
#include "core/support/diagnostics.h"
#include "core/values/cbor.h"
#include "core/values/job_values.h"
#include "core/values/result_values.h"

namespace lathe::detail {

/// What the child is given.
struct HostCall {
  std::vector<Source> sources;
  std::vector<Header> headers;
  std::string headerFile;              ///< the path of a file that is to read like headers[0]; may be empty
  std::vector<std::string> arguments;  ///< Clang's, for all sources
};
template <>
struct Description<HostCall> {
  static constexpr auto fields =
      std::tuple(field("sources", &HostCall::sources), field("headers", &HostCall::headers),
                 field("headerFile", &HostCall::headerFile), field("arguments", &HostCall::arguments));
};
template <>
struct Description<HostObjects> {
  static constexpr auto fields =
      std::tuple(field("objects", &HostObjects::objects), field("warnings", &HostObjects::warnings),
                 field("files", &HostObjects::files));
};

namespace {

constexpr const char* stageName = "host";

/// The folder of Clang's own headers, in the archive of headers.
std::string resourceFolder() {
  return std::string(libraryFolder) + "/clang";
}

bool isCSource(const Source& source) {
  return source.dialect.empty() ? source.name.ends_with(".c") : source.dialect == "c";
}

/// The files outside of Lathe that a compile read, without the system's headers.
std::vector<std::string> filesOf(const clang::DependencyCollector& read, const Source& source, const HostCall& call) {
  std::vector<std::string> out;
  for (const std::string& file : read.getDependencies()) {
    const llvm::StringRef path = llvm::sys::path::remove_leading_dotslash(file);
    if (path != llvm::sys::path::remove_leading_dotslash(source.name) && !path.starts_with(ownFolder) &&
        path != llvm::sys::path::remove_leading_dotslash(call.headerFile))
      out.push_back(file);
  }
  return out;
}

/// cc1's arguments for `source`, as Clang's driver makes them.
Result<std::vector<std::string>> hostArguments(const HostCall& call, const Source& source) {
  DiagnosticCollector said;
  clang::DiagnosticOptions options;
  clang::DiagnosticsEngine engine(clang::DiagnosticIDs::create(), options, &said, /*ShouldOwnClient=*/false);
  // GCC's folders are looked for beside the one that a compiler is in.
  constexpr const char* program = "/usr/bin/clang";
  clang::driver::Driver driver(program, llvm::sys::getDefaultTargetTriple(), engine);
  driver.setCheckInputsExist(false);
  std::vector<std::string> arguments = {program, "-c", "-resource-dir=" + resourceFolder()};
  arguments.insert(arguments.end(), call.arguments.begin(), call.arguments.end());
  arguments.insert(arguments.end(), {"-o", "-", "-x", isCSource(source) ? "c" : "c++", "--", source.name});
  std::vector<const char*> raw;
  for (const std::string& argument : arguments) raw.push_back(argument.c_str());
  const std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(raw));
  auto diagnostics = said.take();
  if (engine.hasErrorOccurred()) {
    Error error = combined(std::move(diagnostics), stageName);
    error.code = ErrorCode::InvalidArgument;
    return error;
  }
  if (!compilation || compilation->getJobs().size() != 1)
    return Error{.code = ErrorCode::Unsupported,
                 .message = source.name + ": Clang knows no way to compile for this platform",
                 .stage = stageName};
  std::vector<std::string> out;
  for (const char* argument : compilation->getJobs().begin()->getArguments()) out.emplace_back(argument);
  if (!out.empty() && out.front() == "-cc1") out.erase(out.begin());
  // Debian's Clang looks for its headers in /usr/include/clang, whatever the resource folder is.
  for (std::size_t i = 1; i < out.size(); ++i) {
    const llvm::StringRef folder = llvm::StringRef(out[i]).rtrim('/');
    if (out[i - 1] == "-internal-isystem" && folder.contains("/clang/") && folder.ends_with("/include"))
      out[i] = resourceFolder() + "/include";
  }
  return out;
}

/// Compiles one source.
Result<void> compileHostSource(const HostCall& call, const Source& source, HostObjects& out) {
  auto files = makeFileSystem(call.headers, {});
  const auto arguments = hostArguments(call, source);
  if (!arguments) return arguments.error();
  DiagnosticCollector collector;
  clang::DiagnosticOptions options;
  const auto engine =
      clang::CompilerInstance::createDiagnostics(*files, options, &collector, /*ShouldOwnClient=*/false);
  std::vector<const char*> raw;
  for (const std::string& argument : *arguments) raw.push_back(argument.c_str());
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, raw, *engine))
    return combined(collector.take(), stageName);
  invocation->getPreprocessorOpts().addRemappedFile(
      source.name, llvm::MemoryBuffer::getMemBufferCopy(source.text, source.name).release());
  if (!call.headerFile.empty()) {  // what lies there may be of an earlier compile
    invocation->getPreprocessorOpts().addRemappedFile(
        call.headerFile, llvm::MemoryBuffer::getMemBufferCopy(call.headers[0].text, call.headerFile).release());
  }
  llvm::SmallString<0> object;
  bool compiled = false;
  const auto read = std::make_shared<clang::DependencyCollector>();
  {
    clang::CompilerInstance compiler(std::move(invocation));
    compiler.setVirtualFileSystem(files);
    compiler.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
    compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
    compiler.addDependencyCollector(read);
    compiler.setOutputStream(std::make_unique<llvm::raw_svector_ostream>(object));
    clang::EmitObjAction action;
    compiled = compiler.ExecuteAction(action);
  }
  auto diagnostics = collector.take();
  const bool isWrong =
      std::ranges::any_of(diagnostics, [](const Diagnostic& d) { return d.severity == Severity::error; });
  if (!compiled || isWrong) {
    if (isWrong) return combined(std::move(diagnostics), stageName);
    return Error{.code = ErrorCode::SourceError, .message = source.name + ": it does not compile", .stage = stageName};
  }
  std::ranges::move(diagnostics, std::back_inserter(out.warnings));
  std::ranges::move(filesOf(*read, source, call), std::back_inserter(out.files));
  out.objects.push_back({source.name, object.str().str()});
  return {};
}

Result<std::string> compileHostHere(std::string_view payload, const Tell& /*tell*/) {
  CborReader in(payload);
  HostCall call;
  readValue(in, call);
  if (!in.atEnd()) return Error{ErrorCode::Internal, "the host sources of a program are damaged"};
  ensureLlvmTargets();
  HostObjects objects;
  for (const Source& source : call.sources) {
    if (auto done = compileHostSource(call, source, objects); !done) return std::move(done).error();
  }
  CborWriter out;
  writeValue(out, objects);
  return out.take();
}

/// Clang's arguments for a job's options.
std::vector<std::string> argumentsOf(const HostRequest& request) {
  const Options& options = request.options;
  std::vector<std::string> out = {"-O" + std::to_string(static_cast<int>(options.optLevel))};
  if (options.debugInfo) out.emplace_back("-g");
  for (const std::string& define : options.defines) out.push_back("-D" + define);
  for (const std::string& undefine : options.undefines) out.push_back("-U" + undefine);
  out.push_back("-I" + std::string(jobHeaderFolder));
  for (const std::string& folder : options.includeDirs) out.push_back("-I" + folder);
  for (const std::string& map : options.prefixMap) out.push_back("-ffile-prefix-map=" + map);
  return out;
}

}  // namespace

constinit const WorkerTask hostSourceTask{"host-source", compileHostHere};

}  // namespace lathe::detail

lathe::Result<lathe::HostObjects> lathe::compileHostSources(const Image& kernels, const HostRequest& request) {
  using namespace detail;
  HostCall call{request.sources, {}, request.header, argumentsOf(request)};
  for (const Source& source : request.sources) {
    if (source.dialect.empty() || source.dialect == "c" || source.dialect == "c++") continue;
    return Error{
        .code = ErrorCode::InvalidArgument,
        .message = source.name + ": host sources are of dialect \"c\" or \"c++\", not \"" + source.dialect + "\"",
        .stage = stageName};
  }
  const Code* const header = kernels.find(interface_format::cHeader);
  if (!header) {
    return Error{
        .code = ErrorCode::InvalidArgument,
        .message = kernels.info().target + ": the image has no C header for host sources to call its kernels by",
        .hint = "compile with emit \"object\" for a target that makes objects, as 'object'",
        .stage = stageName};
  }
  call.headers.push_back({request.header.empty()
                              ? std::filesystem::path(kernels.info().provenance.sourceName).stem().string() + ".h"
                              : std::filesystem::path(request.header).filename().string(),
                          std::string(reinterpret_cast<const char*>(header->bytes.data()), header->bytes.size())});
  CborWriter payload;
  writeValue(payload, call);
  const auto answer = Workers(request.workerProgram).run(hostSourceTask, payload.take());
  if (!answer) return answer.error();
  CborReader in(*answer);
  HostObjects out;
  readValue(in, out);
  if (!in.atEnd()) return Error{ErrorCode::Internal, "a worker's objects are damaged"};
  return out;
}
