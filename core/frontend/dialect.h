// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dialect: one variant of the source language that Clang reads. Mostly data: which files it owns, how Clang is set
// up, which header comes first, and one function that turns what Clang emitted into portable IR's own markings.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/Support/Error.h"

#include <lathe/job.h>

namespace llvm {
class Module;
}

namespace lathe::detail {

struct Descriptor;

/// What to say in place of a message of Clang's that would send the user to an option Lathe does not have.
struct Explanation {
  std::string_view clang;  ///< words of Clang's message
  std::string_view message;
  std::string_view hint;
};

struct Dialect {
  std::string_view name;
  std::string_view description;
  /// How file names end, with the dot: ".cpp", ".host.cpp". The longest that fits decides.
  std::span<const std::string_view> extensions;
  /// Arguments of Clang's cc1 level that never change for this dialect: triple, language, modes.
  std::span<const std::string_view> clangArguments;
  /// How a kernel is marked, for messages: "LATHE_KERNEL".
  std::string_view kernelMarker;
  /// The header that a precompiled prelude holds, as in <name>.
  std::string_view prelude;
  /// Headers that the dialect's second precompiled prelude holds beside that one, for sources that include any of them:
  /// those of the language's library, which may bring each other's names anyway. <name> as sources write it.
  std::span<const std::string_view> libraryHeaders = {};
  /// True: only sources that include the prelude get it. False: it is read before every source.
  bool preludeOnRequest;
  /// A file by which an include folder shows itself as that of the toolkit whose headers Lathe's own stand in for;
  /// empty: there is none.
  std::string_view toolkitMark = {};
  /// How the names of headers there begin that are taken from the toolkit all the same, where its folder is given.
  std::span<const std::string_view> toolkitLibraries = {};
  /// Text before the source's first line that depends on the job and the architecture's ordinal (90 for sm_90). Macros
  /// are defined here and not by arguments, which would have to be those that the prelude was compiled with.
  std::string (*preamble)(const Job& job, const Descriptor& descriptor, unsigned ordinal);
  /// Rewrites the dialect's own markings (calling conventions, address spaces, vendor attributes) into Lathe's.
  llvm::Error (*adapt)(llvm::Module& module);
  /// Whether sources may be compiled for a target's own triple (frontend: native) in place of the one above.
  bool native = false;
  /// False: the code is for one machine's own triple, and only targets that list the dialect take it.
  bool portable = true;
  /// The language standard where a job leaves it at the default, which is C++'s; empty: that one.
  std::string_view standard = {};
  /// The oldest standard of C++ that its headers can be read with: jobs that ask for an older one get this. Empty: any.
  std::string_view oldestStandard = {};
  /// Clang's word for how much debug information a job that wants some gets.
  std::string_view debugInfo = "limited";
  /// Functions with a section of their own are entry points.
  bool entriesInSections = false;
  /// Whether host code stands beside the kernels: it is parsed, and what is wrong in it does not stop them.
  bool hasHostCode = false;
  std::span<const Explanation> explanations = {};
};

/// All dialects built in, from the generated list.
std::span<const Dialect* const> builtinDialects();
/// The language standard that a job's source is read as.
[[nodiscard]] std::string standardOf(const Options& options, const Dialect& dialect);

/// The dialect the source asks for or its name implies, of those the target takes; null for IR. Errors: InvalidArgument
/// with the nearest names.
Result<const Dialect*> dialectOf(const Source& source, const Descriptor& descriptor);

}  // namespace lathe::detail
