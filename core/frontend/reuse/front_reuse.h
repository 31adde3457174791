// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the front end made of a source, for further jobs of one call that would make the same of it: those that differ
// in their target only, where the source does not see the difference. The module travels as bitcode, because each
// compile has a context, and perhaps a process, of its own.
#pragma once

#include <string>
#include <vector>

#include "core/frontend/files/file_looks.h"
#include "core/frontend/frontend.h"
#include "core/frontend/reuse/preamble.h"
#include "core/values/result_values.h"

namespace lathe::detail {

template <>
struct Description<NamedEntry> {
  static constexpr auto fields = std::tuple(field("name", &NamedEntry::name), field("symbol", &NamedEntry::symbol));
};

/// One run of the front end that succeeded.
struct KeptFrontend {
  std::string key;                    ///< the digest of all that it was given but the dialect's preamble
  std::vector<PreambleMacro> macros;  ///< of the preamble
  std::string bitcode;
  std::vector<NamedEntry> entries;
  std::vector<Diagnostic> warnings;
  std::vector<std::string> kernelNames;
  FileLooks files;
  bool discardsNames = false;  ///< as Clang left the context: it has a say of its own
};
template <>
struct Description<KeptFrontend> {
  static constexpr auto fields =
      std::tuple(field("key", &KeptFrontend::key), field("macros", &KeptFrontend::macros),
                 field("bitcode", &KeptFrontend::bitcode), field("entries", &KeptFrontend::entries),
                 field("warnings", &KeptFrontend::warnings), field("kernelNames", &KeptFrontend::kernelNames),
                 field("files", &KeptFrontend::files), field("discardsNames", &KeptFrontend::discardsNames));
};

/// The runs of one Compiler::compileTogether(). Not thread-safe.
struct FrontendReuse {
  std::vector<KeptFrontend> kept;

  /// The run of that key, to which a preamble with `macros` makes no difference and whose files `fits` takes, as a
  /// result in `context`; its files go to `log`. Nothing: there is none.
  [[nodiscard]] std::optional<FrontendResult> find(const std::string& key, const std::vector<PreambleMacro>& macros,
                                                   llvm::function_ref<bool(const FileLooks& files)> fits,
                                                   llvm::LLVMContext& context, FileLog& log) const;
  void keep(std::string key, std::vector<PreambleMacro> macros, const FrontendResult& result, const FileLooks& files);
};
template <>
struct Description<FrontendReuse> {
  static constexpr auto fields = std::tuple(field("kept", &FrontendReuse::kept));
};

}  // namespace lathe::detail
