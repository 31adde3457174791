// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "symbols.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

namespace {

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         std::free);
  return status == 0 && text ? text.get() : name;
}

/// A T at `offset` of a file's bytes; zeros beyond its end.
template <class T>
T load(const std::string& bytes, std::uint64_t offset) {
  T out{};
  if (offset <= bytes.size() && bytes.size() - offset >= sizeof(T)) std::memcpy(&out, bytes.data() + offset, sizeof(T));
  return out;
}

std::string readFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool isElf(const Elf64_Ehdr& header) {
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64;
}

/// The number that the linker gave the file, in hexadecimal digits; empty: it has none.
std::string buildId(const std::string& bytes) {
  const auto header = load<Elf64_Ehdr>(bytes, 0);
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = load<Elf64_Phdr>(bytes, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type != PT_NOTE) continue;
    const std::uint64_t end = std::min<std::uint64_t>(segment.p_offset + segment.p_filesz, bytes.size());
    for (std::uint64_t at = segment.p_offset; at + sizeof(Elf64_Nhdr) < end;) {
      const auto note = load<Elf64_Nhdr>(bytes, at);
      const auto padded = [](std::uint64_t size) { return (size + 3) / 4 * 4; };
      const std::uint64_t name = at + sizeof(Elf64_Nhdr), content = name + padded(note.n_namesz);
      at = content + padded(note.n_descsz);
      if (note.n_type != NT_GNU_BUILD_ID || at > end || bytes.compare(name, 4, std::string("GNU", 4)) != 0) continue;
      std::string out;
      for (std::uint64_t k = 0; k < note.n_descsz; ++k) {
        char digits[3];
        std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned char>(bytes[content + k]));
        out += digits;
      }
      return out;
    }
  }
  return {};
}

}  // namespace

FileSymbols::FileSymbols(const std::string& path) {
  const std::string bytes = readFile(path);
  const auto header = load<Elf64_Ehdr>(bytes, 0);
  if (!isElf(header)) return;
  for (std::uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto segment = load<Elf64_Phdr>(bytes, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (segment.p_type == PT_LOAD) segments_.push_back({segment.p_offset, segment.p_vaddr, segment.p_filesz});
  }
  readFunctions(bytes, SHT_SYMTAB);
  // What was stripped may lie beside (gdb's manual, "Debugging Information in Separate Files").
  if (const std::string id = buildId(bytes); functions_.empty() && id.size() > 2)
    readFunctions(readFile("/usr/lib/debug/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug"), SHT_SYMTAB);
  if (functions_.empty()) readFunctions(bytes, SHT_DYNSYM);
}

void FileSymbols::readFunctions(const std::string& bytes, std::uint32_t kind) {
  const auto header = load<Elf64_Ehdr>(bytes, 0);
  if (!isElf(header)) return;
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto table = load<Elf64_Shdr>(bytes, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (table.sh_type != kind) continue;
    const auto names = load<Elf64_Shdr>(bytes, header.e_shoff + std::uint64_t{table.sh_link} * sizeof(Elf64_Shdr));
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = load<Elf64_Sym>(bytes, table.sh_offset + at);
      const std::uint64_t name = names.sh_offset + symbol.st_name;
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_value != 0 && name < bytes.size())
        functions_[symbol.st_value] = {symbol.st_size, bytes.c_str() + name};
    }
  }
}

std::string FileSymbols::at(std::uint64_t fileOffset) const {
  for (const Segment& segment : segments_) {
    if (fileOffset < segment.offset || fileOffset - segment.offset >= segment.bytes) continue;
    const std::uint64_t address = fileOffset - segment.offset + segment.address;
    auto behind = functions_.upper_bound(address);
    if (behind == functions_.begin()) return {};
    --behind;
    const bool inside = behind->second.size == 0 || address - behind->first < behind->second.size;
    return inside ? demangled(behind->second.name.c_str()) : std::string();
  }
  return {};
}

Symbols::Symbols() {
  std::ifstream file("/proc/kallsyms");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::uint64_t address = 0;
    char kind = 0;
    std::string name;
    if (words >> std::hex >> address >> kind >> name && (kind == 't' || kind == 'T')) kernel_[address] = name;
  }
}

std::string Symbols::ofKernel(std::uint64_t address) const {
  auto behind = kernel_.upper_bound(address);
  return behind == kernel_.begin() ? "[unknown]" : std::prev(behind)->second;
}

const Symbols::Regions& Symbols::regionsOf(std::uint32_t process) {
  const auto [entry, isNew] = processes_.try_emplace(process);
  if (!isNew) return entry->second;
  std::ifstream file("/proc/" + std::to_string(process) + "/maps");
  std::string line;
  while (std::getline(file, line)) {
    unsigned long long begin = 0, end = 0, offset = 0;
    int path = 0;
    if (std::sscanf(line.c_str(), "%llx-%llx %*s %llx %*s %*s %n", &begin, &end, &offset, &path) == 3 && path > 0)
      entry->second[begin] = {end, offset, line.substr(static_cast<std::size_t>(path))};
  }
  return entry->second;
}

std::string Symbols::ofProcess(std::uint32_t process, std::uint64_t address) {
  const Regions& regions = regionsOf(process);
  auto behind = regions.upper_bound(address);
  if (behind == regions.begin()) return "[unknown]";
  const Region& region = std::prev(behind)->second;
  if (address >= region.end || region.path.empty()) return "[unknown]";
  const std::uint64_t offset = address - std::prev(behind)->first + region.offset;
  // By the process's own root, which a container may have changed.
  const std::string path = "/proc/" + std::to_string(process) + "/root" + region.path;
  const auto found = files_.try_emplace(path, path).first->second.at(offset);
  if (!found.empty()) return found;
  char text[32];
  std::snprintf(text, sizeof(text), "+%#llx", static_cast<unsigned long long>(offset));
  return region.path.substr(region.path.rfind('/') + 1) + text;
}
