// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build IDs stand in ELF notes of what is loaded.
#include "core/cache/build_identity.h"

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <lathe/compiler.h>

#include "core/store/file_identity.h"

namespace lathe::detail {
namespace {

/// The build ID among the notes at `notes`, or nothing.
std::string buildIdIn(const std::uint8_t* notes, std::size_t size) {
  const auto padded = [](std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes, sizeof header);
    const std::size_t name = padded(header.n_namesz), text = padded(header.n_descsz);
    if (sizeof header + name + text > size) return {};
    const std::uint8_t* const body = notes + sizeof header;
    if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && std::memcmp(body, "GNU", 4) == 0)
      return llvm::toHex(llvm::ArrayRef(body + name, header.n_descsz), /*LowerCase=*/true);
    notes += sizeof header + name + text;
    size -= sizeof header + name + text;
  }
  return {};
}

bool holdsAddress(const dl_phdr_info& module, std::uintptr_t address) {
  return llvm::any_of(llvm::ArrayRef(module.dlpi_phdr, module.dlpi_phnum), [&](const ElfW(Phdr) & header) {
    const std::uintptr_t start = module.dlpi_addr + header.p_vaddr;
    return header.p_type == PT_LOAD && address >= start && address - start < header.p_memsz;
  });
}

/// Whether what is called so decides what is compiled.
bool isCompilerLibrary(llvm::StringRef path) {
  const llvm::StringRef name = path.rsplit('/').second;
  constexpr llvm::StringLiteral names[] = {"liblathe", "libLLVM", "libclang-cpp", "libm.so"};
  return llvm::any_of(names, [&](llvm::StringRef prefix) { return name.starts_with(prefix); });
}

std::string fileOf(const dl_phdr_info& module) {
  return module.dlpi_name && *module.dlpi_name ? module.dlpi_name : "/proc/self/exe";
}

std::string identityOf(const dl_phdr_info& module) {
  for (const ElfW(Phdr) & header : llvm::ArrayRef(module.dlpi_phdr, module.dlpi_phnum)) {
    if (header.p_type != PT_NOTE) continue;
    const auto* const notes = reinterpret_cast<const std::uint8_t*>(module.dlpi_addr + header.p_vaddr);
    if (std::string id = buildIdIn(notes, header.p_memsz); !id.empty()) return id;
  }
  return fileIdentity(fileOf(module));
}

void forEachOfBuild(llvm::function_ref<void(const dl_phdr_info&)> visit) {
  const auto call = [](dl_phdr_info* module, std::size_t, void* context) {
    static const char own = 0;
    if (holdsAddress(*module, reinterpret_cast<std::uintptr_t>(&own)) ||
        isCompilerLibrary(module->dlpi_name ? module->dlpi_name : ""))
      (*static_cast<llvm::function_ref<void(const dl_phdr_info&)>*>(context))(*module);
    return 0;
  };
  dl_iterate_phdr(call, &visit);
}

}  // namespace

const std::string& buildIdentity() {
  static const std::string identity = [] {
    std::vector<std::string> libraries;
    forEachOfBuild([&](const dl_phdr_info& module) { libraries.push_back(identityOf(module)); });
    llvm::sort(libraries);  // programs load them in various orders
    return std::string(version()) + " " + llvm::join(libraries, " ");
  }();
  return identity;
}

std::vector<std::string> buildFiles() {
  std::vector<std::string> out;
  forEachOfBuild([&](const dl_phdr_info& module) { out.push_back(fileOf(module)); });
  return out;
}

}  // namespace lathe::detail
