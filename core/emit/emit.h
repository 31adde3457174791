// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Module → bytes, and object → linked bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/Support/Error.h"

#include <lathe/sdk/emit.h>

#include "core/job/emit_formats.h"

namespace lathe::detail {

class Workers;
struct Descriptor;
struct WorkerTask;
struct Lowering;

/// The name an image stores a format under: the descriptor's ("ptx" for asm), else its own.
std::string storedName(const Lowering& lowering, std::string_view format);

/// The formats that Job::emit stands for, by LLVM's names; nothing for a name that the target has not.
std::vector<std::optional<std::string>> formatsAsked(const Descriptor& descriptor, std::string_view emit);
/// The formats a job asks for, by LLVM's names. Errors: FormatUnsupported with the nearest names.
llvm::Expected<std::vector<std::string>> wantedFormats(const Lowering& lowering);

/// Links in a worker.
extern const WorkerTask linkTask;
/// The parameter with the name by which programs that are linked with a shared library look for it when they start. The
/// only one that is a text: it decides bytes, and so belongs to the job.
inline constexpr std::string_view sonameParameter = "link.soname";

/// Links one object as the descriptor's emit.link says, in a child process. `name`: of a shared library, for programs
/// that are linked with it (ELF's DT_SONAME); empty: none. Errors: ToolMissing, ToolFailed with LLD's text; Cancelled.
llvm::Expected<std::string> linkObject(const Workers& workers, const std::string& object, const std::string& how,
                                       const std::string& name, const std::stop_token& stop);
/// `object` without the debug information that no loader needs.
llvm::Expected<std::string> withoutDwarf(const std::string& object);
/// A static library with one member. Deterministic.
llvm::Expected<std::string> makeArchive(const std::string& object, const std::string& memberName);

/// Adds the C header, the C++ header and the manifest to the code, for targets whose kernels C code may call. `object`:
/// the object file before linking; may be empty.
llvm::Error describeInterface(Lowering& lowering, const std::string& object);

}  // namespace lathe::detail
