// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device linking: the modules of several sources become one, by the rules of C++ linkers. Names with internal linkage
// stay their source's own; what one source declares another defines; what two define, or declare with different types,
// is an error that names both.
//
//   before: a.cu: declare i32 @_Z5scalei(i32)               b.cu: define i32 @_Z5scalei(i32 %x) { call @_ZL3twov }
//                 define internal i32 @_ZL3twov()                 define internal i32 @_ZL3twov()
//   after:  define i32 @_Z5scalei(i32 %x) { call @_ZL3twov_b }
//           define internal i32 @_ZL3twov()                 define internal i32 @_ZL3twov_b()
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "llvm/IR/Module.h"

#include "core/frontend/frontend.h"

namespace lathe::detail {

/// What the front end made of one source.
struct SourceModule {
  std::string source;  ///< its name, for messages
  std::unique_ptr<llvm::Module> module;
  std::vector<NamedEntry> entries;  ///< their symbols follow when functions get other names
  bool isAsked = false;             ///< the entries' names are the job's; else they change with the functions'
  /// Filled in: kernels that are called "SOURCE::NAME" because a source before this one has a static kernel NAME.
  std::vector<NamedEntry> newNames = {};
};

/// A source's name as a word: "second" of "folder/second.cu".
[[nodiscard]] std::string prefixOf(const std::string& source);

/// A kernel that linking gives the name "SOURCE::NAME".
struct PrefixedKernel {
  std::size_t source;
  std::string symbol;  ///< before linking
  std::string prefix;  ///< "SOURCE", or "SOURCE2" and so on where sources of one name have more of them
};
/// Those of `modules`, the sources' with their names, in order.
[[nodiscard]] std::vector<PrefixedKernel> prefixedKernels(
    const std::vector<std::pair<std::string, llvm::Module*>>& modules);

/// Links all of `sources` (at least one; one context) into the first one's module, and leaves the others without
/// theirs. Errors: SourceError, one diagnostic for each symbol with two definitions or two types; PortableRule: the
/// modules are for machines of different kinds; InvalidModule: LLVM's linker refused them.
[[nodiscard]] Result<void> linkModules(std::vector<SourceModule>& sources);

}  // namespace lathe::detail
