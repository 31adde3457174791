// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dlopen of bytes: they are written to a file without a name. What the dynamic linker would fault on is checked first.
#include "runtimes/cpu/loader/shared_object.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "core/support/bytes.h"
#include "runtimes/cpu/loader/elf_machine.h"
#include "runtimes/cpu/loader/elf_object.h"

namespace lathe::detail {
namespace {

/// A symbol and its entry in the symbol table.
std::pair<void*, const Elf64_Sym*> ownSymbol(const DynamicLibrary& library, std::string_view name) {
  void* const address = library.symbol(std::string(name).c_str());
  Dl_info where;
  void* entry = nullptr;
  if (!address || ::dladdr1(address, &where, &entry, RTLD_DL_SYMENT) == 0 || !entry || where.dli_saddr != address)
    return {nullptr, nullptr};
  return {address, static_cast<const Elf64_Sym*>(entry)};
}

/// A file without a name that holds `bytes`; -1 without memory.
int memoryFile(std::span<const std::byte> bytes) {
  const int file = ::memfd_create("lathe-object", MFD_CLOEXEC);
  while (file >= 0 && !bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written <= 0) {
      ::close(file);
      return -1;
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return file;
}

/// A path of the descriptor that no load before had: the system's loader gives the library that it has already under a
/// name, and numbers of descriptors come again. The path spells a serial number in its slashes and dots.
std::string pathOf(int file) {
  static std::atomic<std::uint64_t> serial = 0;
  std::string path = "/proc/self/fd";
  for (std::uint64_t rest = ++serial; rest != 0; rest /= 2) path += rest % 2 != 0 ? "/." : "//";
  return fmt::format("{}/{}", path, file);
}

Result<void> checkFile(std::span<const std::byte> bytes) {
  const auto header = loadAt<Elf64_Ehdr>(bytes, 0);
  if (!header) return objectError("it is cut off");
  const ElfMachine* const machine = hostMachine();
  if (!machine || header->e_machine != machine->number) {
    return Error{.code = ErrorCode::IncompatibleDevice,
                 .message = fmt::format("object: it is for ELF machine {}, not for this processor", header->e_machine),
                 .target = "cpu"};
  }
  for (std::size_t i = 0; i < header->e_phnum; ++i) {
    const auto segment = loadAt<Elf64_Phdr>(bytes, header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment || !sliceOf(bytes, segment->p_offset, segment->p_filesz)) return objectError("a segment is cut off");
  }
  return {};
}

}  // namespace

Result<SharedObject> SharedObject::open(std::span<const std::byte> bytes) {
  if (auto sound = checkFile(bytes); !sound) return std::move(sound).error();
  const int file = memoryFile(bytes);
  if (file < 0) {
    return Error{.code = ErrorCode::OutOfHostMemory,
                 .message = "object: no memory is left for a shared object",
                 .target = "cpu"};
  }
  // Mathematics may be nowhere in the process yet.
  for (const char* name : {"libm.so.6", "libmvec.so.1"}) (void)::dlopen(name, RTLD_NOW | RTLD_GLOBAL);
  const std::string path = pathOf(file);
  const char* const name = path.c_str();
  auto library = DynamicLibrary::open(std::span(&name, 1));
  ::close(file);
  if (library) return SharedObject(*std::move(library));
  std::string why = library.error().notes.empty() ? "" : library.error().notes.front().message;
  if (why.starts_with(path + ": ")) why.erase(0, path.size() + 2);
  const bool undefined = why.find("undefined symbol") != std::string::npos;
  return Error{.code = undefined ? ErrorCode::UndefinedFunction : ErrorCode::ImageCorrupt,
               .message = "object: the system's loader refuses it: " + why,
               .target = "cpu"};
}

void* SharedObject::function(std::string_view name) const {
  const auto [address, entry] = ownSymbol(library_, name);
  return entry && ELF64_ST_TYPE(entry->st_info) == STT_FUNC ? address : nullptr;
}

std::pair<void*, std::size_t> SharedObject::variable(std::string_view name) const {
  const auto [address, entry] = ownSymbol(library_, name);
  if (!entry || ELF64_ST_TYPE(entry->st_info) != STT_OBJECT) return {nullptr, 0};
  return {address, entry->st_size};
}

}  // namespace lathe::detail
