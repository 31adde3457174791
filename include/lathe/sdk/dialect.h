// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dialect: one variant of C or C++ that Clang reads as kernels. It is mostly data (the files it owns, Clang's
// arguments, the header that comes first), with one function that brings what Clang emitted into portable IR's own
// markings. The few dialects that must see the parse itself have DialectHooks. docs/adding-a-dialect.md shows the
// steps.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/Error.h"

#include <lathe/export.h>
#include <lathe/job.h>
#include <lathe/result.h>

namespace clang {
class ASTConsumer;
class CompilerInstance;
class Diagnostic;
class FunctionDecl;
class SourceLocation;
class SourceManager;
}  // namespace clang
namespace llvm {
class CallInst;
class Function;
class Module;
namespace vfs {
class FileSystem;
}
}  // namespace llvm

namespace lathe::sdk {

/// The target of a compile, as far as a dialect may ask. The texts are valid during the call only.
struct TargetFacts {
  std::string_view name;      ///< "cuda"
  std::string_view arch;      ///< resolved: never empty or "native"
  std::string_view triple;    ///< the target's own, which most dialects are not compiled for
  unsigned archOrdinal = 0;   ///< 90 for sm_90; 0 where the architectures have no numbers
  unsigned archMacro = 0;     ///< the descriptor's `arch_macro` for this architecture; 0: it has none
  unsigned subgroupSize = 1;  ///< items of a subgroup; of several sizes that the architecture has, the least
};

/// A replacement for a message of Clang's that would send the user to an option Lathe does not have.
struct Explanation {
  std::string_view clang;    ///< words of Clang's message
  std::string_view message;  ///< empty: Clang's own stays
  std::string_view hint;
};

/// The reason why an asm statement has no translation, for Dialect::replaceAssembly.
struct AssemblyRefusal {
  std::string message;  ///< "inline PTX: 'bar.arrive' has no translation"; the target's name is put behind it
  std::string hint;
};

/// A header that a dialect brings, included as <name>.
struct DialectHeader {
  std::string_view name;
  std::string_view text;
};

/// The pseudo file that the job's kernel names are parsed from: an error there is always the caller's.
inline constexpr const char* nameExpressionFile = "<kernel name>";

/// Diagnostics that hooks held back, handed over at the end of a parse.
struct DialectFindings {
  std::vector<Diagnostic> before;  ///< reported ahead of Clang's own
  std::vector<Diagnostic> after;   ///< reported behind them
};

/// A dialect's part in one parse. Lathe makes an object for each parse, calls it from one thread and deletes it after
/// finish(). A compile that found an error may parse its source again, with a second object.
class DialectHooks {
 public:
  virtual ~DialectHooks() = default;

  /// Called when Clang is set up and before it reads the source: may add preprocessor callbacks. The consumer that it
  /// returns, or null, sees the AST before code generation does; Clang owns it.
  virtual std::unique_ptr<clang::ASTConsumer> begin(clang::CompilerInstance& compiler) = 0;
  /// Called for each error and warning while Clang is at the place of it. True: the hooks answer for it. Then it is not
  /// counted; an error comes to keep() at once, with its notes to keepNote(); a warning is dropped.
  virtual bool takes(const clang::Diagnostic&) { return false; }
  virtual void keep(Diagnostic) {}
  virtual void keepNote(Note) {}
  /// Called for each note before it is kept, while Clang is at the place of what it belongs to.
  virtual void seeNote(const clang::Diagnostic&) {}
  /// Called at the end of the source, before Clang and the consumer are deleted. An error among the findings fails the
  /// compile.
  virtual DialectFindings finish() { return {}; }
  /// Called after finish(): the hooks of another parse of the source, which takes the place of this one and of all that
  /// it found, unless that one alone fails; null: this one stands. For what shows at the end of a source and matters at
  /// its beginning.
  virtual std::unique_ptr<DialectHooks> readAgain() { return nullptr; }
  /// Called after readAgain() gave hooks: this parse does not stand even if the other fails, whose errors are the
  /// compile's. For what this one left out or took for something else.
  [[nodiscard]] virtual bool dependsOnNext() const { return false; }
};

/// The files of one compile, for Dialect::openFiles.
struct DialectFiles {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;  ///< the machine's, the job's and Lathe's
  std::span<const std::string> includeDirs;               ///< of the job
  std::span<const std::string> ownDirs;                   ///< where Lathe's headers stand in `files`, in search order
  /// The folder, searched before `ownDirs`, whose headers of Dialect::toolkitLibraries are to be read; empty: none.
  std::string_view toolkitDir = {};
};

/// The definition of a dialect. It and all it points to must stay valid for the life of the process. Its functions are
/// called from any thread, from several at once.
struct Dialect {
  std::uint32_t structSize = sizeof(Dialect);
  std::string_view name;         ///< as in `-x NAME` and in descriptors
  std::string_view description;  ///< one line
  /// The endings of file names that it owns, with the dot: ".cpp", ".host.cpp". The longest that fits decides; of equal
  /// ones the dialect that was registered first.
  std::span<const std::string_view> extensions = {};
  /// Arguments of Clang's cc1 level that are the same for every job: triple, language, modes.
  std::span<const std::string_view> clangArguments = {};
  /// A kernel's mark as users write it, for messages.
  std::string_view kernelMarker = "LATHE_KERNEL";
  /// True for functions that the dialect's mark makes kernels; null: none. Functions with the attribute
  /// [[clang::annotate("lathe.kernel")]], as LATHE_KERNEL has it, are kernels in every dialect.
  bool (*isKernel)(const clang::FunctionDecl& function) = nullptr;
  /// The header that comes first, as in <name>. Empty: none.
  std::string_view prelude = {};
  /// The headers of the language's library, <name> as sources write it. Sources that include any of them are compiled
  /// with a second precompiled prelude, which holds these too, if the dialect was built with one.
  std::span<const std::string_view> libraryHeaders = {};
  /// True: only sources that include the prelude get it. False: it is read before every source.
  bool preludeOnRequest = true;
  /// True: the prelude depends on what is included before it, so that only sources whose first line of code includes it
  /// get its precompiled form.
  bool preludeLeads = false;
  /// Headers of a dialect that is not part of Lathe's build. They stand in the folder of Lathe's own, in place of those
  /// of the same name.
  std::span<const DialectHeader> headers = {};
  /// The text before the source's first line; null: none. Macros that differ between jobs are defined here and not by
  /// arguments, which would have to be those that the prelude was compiled with.
  std::string (*preamble)(const Job& job, const TargetFacts& target) = nullptr;
  /// Rewrites the dialect's own markings (calling conventions, address spaces, vendor attributes) into those of
  /// <lathe/sdk/portable_ir.h>; null: there are none.
  llvm::Error (*adapt)(llvm::Module& module) = nullptr;
  /// The processors that read the sources' asm statements as they are, as in LLVM's triples: "nvptx64".
  std::string_view assemblyArchitecture = {};
  /// Translates an asm statement for all other processors into portable IR, and erases it; or returns why it cannot,
  /// and leaves it as it was. Called for the statements that adapt() marked (attribute::assembly), before the target's
  /// own triple and address spaces are there. Null: such statements have no translation.
  std::optional<AssemblyRefusal> (*replaceAssembly)(llvm::CallInst& statement) = nullptr;
  /// True: sources may be compiled for a target's own triple (`frontend: native`) in place of the one above.
  bool native = false;
  /// False: the code is for one machine's own triple, and only targets that list the dialect take it.
  bool portable = true;
  /// The language standard where a job leaves it at the default, which is C++'s; empty: that one.
  std::string_view standard = {};
  /// The oldest standard of C++ that its headers can be read with: jobs that ask for an older one get this. Empty: any.
  std::string_view oldestStandard = {};
  /// Clang's word for how much debug information a job that wants some gets.
  std::string_view debugInfo = "limited";
  /// True: a kernel's parameters need not be trivially copyable, because the host's code made the copies before the
  /// launch.
  bool copiesArguments = false;
  /// The prefixes of headers ("vendor/") that are the toolkit's on the host and Lathe's or the toolkit's on the device:
  /// classes of a namespace of that name may have another layout there.
  std::span<const std::string_view> toolkitLibraries = {};
  std::span<const Explanation> explanations = {};
  /// Numbers of Clang's errors (clang::diag) that only say that something is not for the device, and leave its AST
  /// whole.
  std::span<const unsigned> harmlessErrors = {};
  /// Makes the hooks of one parse, which Lathe deletes; null: none.
  DialectHooks* (*createHooks)() = nullptr;
  /// Returns the file system that Clang is to see in place of `files.files`; null: that one.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> (*openFiles)(DialectFiles files) = nullptr;
  /// False: sources find no header of Lathe's C and C++ library, which is for C++, but the compiler's own <stddef.h>,
  /// <stdint.h> and the like, and `headers`.
  bool hasLibrary = true;
  /// Headers beside those of `toolkitLibraries` that openFiles may take from the toolkit's folder. Sources that name
  /// neither are the same with every toolkit.
  std::span<const std::string_view> toolkitHeaders = {};
  /// Called for the code of each kernel: writes as marks of <lathe/sdk/portable_ir.h>, or as string attributes named
  /// "lathe.…" that a target's hooks read, what `declaration` says and Clang does not emit for the triple above; null:
  /// there is nothing of the kind.
  void (*markKernel)(const clang::FunctionDecl& declaration, llvm::Function& kernel) = nullptr;
  /// Kernels are run by items, which exchange values: one that some of them alone have set may be passed to a function.
  /// False: it is undefined behaviour, as in C, and Clang is told so.
  bool hasItems = true;
};

/// Returns the place in the source of `at`, or of the use of the macro that it is in, as a user counts (line markers
/// heeded); empty if it stands nowhere.
[[nodiscard]] LATHE_API SourceLocation locationOf(const clang::SourceManager& sources, clang::SourceLocation at);

}  // namespace lathe::sdk

namespace lathe::detail {
using sdk::Dialect;
}  // namespace lathe::detail
