// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How Clang is set up.
#include "core/frontend/clang/clang_arguments.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"

#include "core/descriptor/descriptor.h"
#include "core/frontend/dialect.h"
#include "core/frontend/files/file_system.h"
#include "core/frontend/prelude/prelude.h"

namespace lathe::detail {
namespace {

/// True if Clang takes the name of a processor for the triple: for some machines it has no names at all, and refuses
/// even LLVM's.
bool takesProcessor(const std::string& triple, const std::string& processor) {
  clang::DiagnosticOptions silent;
  clang::DiagnosticsEngine engine(clang::DiagnosticIDs::create(), silent, new clang::IgnoringDiagConsumer);
  clang::TargetOptions options;
  options.Triple = triple;
  const llvm::IntrusiveRefCntPtr<clang::TargetInfo> machine(clang::TargetInfo::CreateTargetInfo(engine, options));
  if (!machine) return true;  // Clang will say what is wrong
  llvm::SmallVector<llvm::StringRef> names;
  machine->fillValidCPUList(names);
  return !names.empty() || machine->setCPU(processor);
}

/// The target's triple in place of the dialect's. Of a dialect for one machine it is another form of the same machine,
/// in the other byte order for example.
void replaceTriple(std::vector<std::string>& arguments, const std::string& with) {
  const auto triple = std::ranges::find(arguments, "-triple");
  if (triple != arguments.end()) arguments.erase(triple, triple + 2);
  arguments.emplace_back("-triple");
  arguments.push_back(with);
}

/// The target's triple, processor and features in place of the dialect's neutral ones.
void useOwnTriple(std::vector<std::string>& arguments, const FrontendRequest& request) {
  const auto add = [&](const char* flag, std::string value) {
    arguments.emplace_back(flag);
    arguments.push_back(std::move(value));
  };
  const std::string normal = llvm::Triple::normalize(request.descriptor.triple);
  replaceTriple(arguments, normal);
  if (takesProcessor(normal, request.descriptor.arch)) add("-target-cpu", request.descriptor.arch);
  for (const std::string& list : {request.descriptor.features, request.job.features}) {
    llvm::SmallVector<llvm::StringRef> features;
    llvm::StringRef(list).split(features, ',', -1, /*KeepEmpty=*/false);
    for (const llvm::StringRef feature : features) add("-target-feature", feature.str());
  }
}

}  // namespace

std::vector<std::string> fixedArguments(const Dialect& dialect, const std::string& languageStandard) {
  std::vector<std::string> out(dialect.clangArguments.begin(), dialect.clangArguments.end());
  // -O2 without passes: what optimisation will need (lifetimes, TBAA) is emitted, and nothing is optimised yet.
  // -fno-cxx-modules: a kernel's source is one text; with modules Clang enters thousands of builtins' names in every
  // compile, without them it takes them from the prelude as it meets them.
  // -nobuiltininc: the compiler's own headers are Lathe's; Clang would look for them in a folder "include".
  // -complex-range=basic: products of std::complex as written out; else Clang calls a function of its run-time
  // library.
  for (const char* argument :
       {"-O2", "-disable-llvm-passes", "-ffp-contract=fast", "-fgnuc-version=4.2.1", "-nostdsysteminc", "-nobuiltininc",
        "-fno-threadsafe-statics", "-fcheck-new", "-fno-cxx-modules", "-complex-range=basic", "-fdeprecated-macro",
        "-ferror-limit", "100", "-ftemplate-depth=512", "-Wno-pragma-once-outside-header", "-D__LATHE__=1"}) {
    out.emplace_back(argument);
  }
  // A value that some items alone have set may be a function's argument, as in the usual
  // `if (lane == 0) v = …; v = __shfl_sync(mask, v, 0);`; if that were undefined, every item would run the guarded
  // code.
  if (dialect.hasItems) out.emplace_back("-no-enable-noundef-analysis");
  // In some dialects Clang does not know a device function called sinf as the library's. Import knows the names of
  // mathematics itself, the same in every dialect, and Clang has fewer names to enter.
  if (dialect.hasLibrary) out.emplace_back("-fno-builtin");
  out.push_back("-std=" + languageStandard);
  return out;
}

namespace {

/// Whether the headers of a dialect are read first in every compile.
bool readsPreludeFirst(const Dialect& dialect) {
  return !dialect.preludeOnRequest && !dialect.prelude.empty();
}
bool isBehind(const std::string& definition, const Dialect& dialect, const std::string& prelude) {
  return prelude.empty() && readsPreludeFirst(dialect) && !mayTouchPrelude(definedName(definition));
}

}  // namespace

std::string definitionsBehind(const FrontendRequest& request, const Dialect& dialect, const std::string& prelude) {
  std::string out;
  for (const std::string& define : request.job.options.defines) {
    if (!isBehind(define, dialect, prelude)) continue;
    const std::size_t at = define.find('=');
    out += "#define " + define.substr(0, at) + ' ' + (at == std::string::npos ? "1" : define.substr(at + 1)) + '\n';
  }
  return out.empty() ? out : "# 1 \"<command line>\"\n" + out;
}

std::vector<std::string> clangArguments(const FrontendRequest& request, const Dialect& dialect,
                                        const std::string& prelude) {
  const Options& options = request.job.options;
  std::vector<std::string> out = fixedArguments(dialect, standardOf(options, dialect));
  if (request.descriptor.frontend == FrontEnd::native) {
    useOwnTriple(out, request);
  } else if (!dialect.portable) {
    replaceTriple(out, request.descriptor.triple);
    if (takesProcessor(request.descriptor.triple, request.descriptor.arch))
      out.insert(out.end(), {"-target-cpu", request.descriptor.arch});
  }
  if (options.debugInfo || options.checked || request.descriptor.codegen.debugInfo) {
    out.insert(out.end(),
               {"-debug-info-kind=" + std::string(dialect.debugInfo), "-dwarf-version=4", "-debugger-tuning=gdb"});
    // What goes to the loader may hold lines of the source: of the one compiled, not of what has its name on disk.
    if (request.descriptor.codegen.debugInfo) out.emplace_back("-gembed-source");
  }
  // `__DATE__` and `__TIME__`: equal jobs give equal images, unless the builder says otherwise.
  out.insert(out.end(), {"-source-date-epoch", request.epoch.empty() ? "0" : request.epoch});
  for (const std::string& map : options.prefixMap) {
    out.push_back("-fmacro-prefix-map=" + map);
    out.push_back("-fdebug-prefix-map=" + map);
  }
  for (const std::string& define : options.defines)
    if (!isBehind(define, dialect, prelude)) out.push_back("-D" + define);
  for (const std::string& undefine : options.undefines) out.push_back("-U" + undefine);
  for (std::string& argument :
       includeArguments(request.job, dialect, request.headers || request.files.replay, request.toolkit))
    out.push_back(std::move(argument));
  if (!prelude.empty()) {
    // The bytes are part of this program: checking the files they were made of again would only cost time.
    // The predefined macros are in it, too: -undef spares the text of all of them, which Clang would write and drop.
    out.insert(out.end(), {"-include-pch", prelude, "-fno-validate-pch", "-fpch-instantiate-templates", "-undef"});
    if (assertsAgain(options)) out.insert(out.end(), {"-include", "assert.h"});
  } else if (readsPreludeFirst(dialect)) {
    out.insert(out.end(), {"-include", std::string(dialect.prelude)});
  }
  return out;
}

}  // namespace lathe::detail
