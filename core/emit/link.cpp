// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linking with LLD, in a child process: LLD keeps global state, is not safe on several threads and may refuse to run
// again after a crash, so the host must never share a process with it.
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "lld/Common/Driver.h"
#include "llvm/ObjCopy/ConfigManager.h"
#include "llvm/ObjCopy/ObjCopy.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "core/emit/emit.h"
#include "core/process/temporary_files.h"
#include "core/process/worker.h"
#include "core/support/file.h"
#include "core/support/llvm_bridge.h"

LLD_HAS_DRIVER(elf)
LLD_HAS_DRIVER(wasm)

namespace lathe::detail {
namespace {

/// How LLD is called for one value of a descriptor's emit.link.
struct LinkKind {
  std::string_view name;
  lld::Flavor flavour;
  std::vector<const char*> arguments;
};

std::span<const LinkKind> linkKinds() {
  static const std::array kinds = {
      LinkKind{"elf-shared", lld::Gnu, {"ld.lld", "-shared", "--no-undefined", "--threads=1"}},
      // Functions of the platform's libraries are found when the library is loaded or linked.
      LinkKind{"elf-library", lld::Gnu, {"ld.lld", "-shared", "--build-id=sha1", "--threads=1"}},
      // What the code does not define is asked of whoever instantiates the module; so is its memory's size.
      LinkKind{
          "wasm-module",
          lld::Wasm,
          {"wasm-ld", "--no-entry", "--export-dynamic", "--export=__heap_base", "--import-undefined", "--threads=1"}},
  };
  return kinds;
}

/// Serves a way to link (emit.link), the library's name in programs that use it, or none, each with a zero byte behind
/// it, and an object.
Result<std::string> linkHere(std::string_view payload, const Tell& /*tell*/) {
  const std::size_t split = payload.find('\0');
  const auto kind = std::ranges::find(linkKinds(), payload.substr(0, split), &LinkKind::name);
  const std::size_t behind = split == std::string_view::npos ? split : payload.find('\0', split + 1);
  if (behind == std::string_view::npos || kind == linkKinds().end())
    return Error{.code = ErrorCode::Internal, .message = "no way to link is called so", .stage = "link"};
  const TemporaryFolder folder;
  if (!folder.isThere())
    return Error{
        .code = ErrorCode::FileUnwritable, .message = "no temporary folder can be made for linking", .stage = "link"};
  const std::string in = folder.file("in.o");
  const std::string out = folder.file("out.so");
  if (auto written = writeFile(in, payload.substr(behind + 1)); !written) return std::move(written).error();
  std::string text;
  llvm::raw_string_ostream stream(text);
  std::vector<const char*> arguments = kind->arguments;
  for (const char* argument : {in.c_str(), "-o", out.c_str()}) arguments.push_back(argument);
  const std::string name(payload.substr(split + 1, behind - split - 1));
  if (!name.empty()) arguments.insert(arguments.end(), {"-soname", name.c_str()});
  // With it LLD's fatal errors return here; without it they end the process and what was said is lost.
  llvm::CrashRecoveryContext::Enable();
  const lld::Result result =
      lld::lldMain(arguments, stream, stream, {{lld::Gnu, &lld::elf::link}, {lld::Wasm, &lld::wasm::link}});
  llvm::CrashRecoveryContext::Disable();
  if (result.retCode != 0) {
    return Error{.code = ErrorCode::ToolFailed,
                 .message = "lld: " + (text.empty() ? "no result" : llvm::StringRef(text).trim().str()),
                 .hint =
                     "if LLD cannot link for this machine, its descriptor says emit: {link: ''} and has no 'linked' in "
                     "emit.formats; the object itself is complete",
                 .stage = "link"};
  }
  return readFile(out);
}

}  // namespace

constinit const WorkerTask linkTask{"link", linkHere};

llvm::Expected<std::string> withoutDwarf(const std::string& object) {
  auto file = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "object"));
  if (!file) return file.takeError();
  llvm::objcopy::ConfigManager config;
  config.Common.StripDebug = true;
  llvm::SmallString<0> out;
  llvm::raw_svector_ostream stream(out);
  if (auto error = llvm::objcopy::executeObjcopyOnBinary(config, **file, stream)) return error;
  return out.str().str();
}

llvm::Expected<std::string> linkObject(const Workers& workers, const std::string& object, const std::string& how,
                                       const std::string& name, const std::stop_token& stop) {
  const WorkerLimits limits{.stop = stop};
  auto linked = workers.run(linkTask, how + '\0' + name + '\0' + object, limits);
  if (!linked) return toLlvm(std::move(linked).error());
  return *std::move(linked);
}

}  // namespace lathe::detail
