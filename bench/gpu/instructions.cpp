// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions of a cubin's kernels, counted in its ELF sections. Since sm_70 an instruction takes 16 bytes; its lowest
// twelve bits are the operation.
#include <elf.h>

#include "code.h"

namespace lathe::bench::gpu {
namespace {

template <class T>
std::optional<T> at(const std::string& bytes, std::size_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T out;
  std::memcpy(&out, bytes.data() + offset, sizeof(T));
  return out;
}

/// Instructions of a section, without the NOPs at its end.
std::size_t count(const std::string& cubin, std::size_t offset, std::size_t size) {
  constexpr std::uint64_t operation = 0xfff, nop = 0x918;
  std::size_t out = size / 16;
  while (out > 0) {
    const auto word = at<std::uint64_t>(cubin, offset + 16 * (out - 1));
    if (!word || (*word & operation) != nop) break;
    --out;
  }
  return out;
}

}  // namespace

std::size_t instructionCount(const std::string& cubin, const std::string& kernel) {
  const auto header = at<Elf64_Ehdr>(cubin, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return 0;
  const auto section = [&](std::size_t index) {
    return at<Elf64_Shdr>(cubin, header->e_shoff + index * sizeof(Elf64_Shdr));
  };
  const auto names = section(header->e_shstrndx);
  if (!names) return 0;
  for (std::size_t i = 0; i < header->e_shnum; ++i) {
    const auto candidate = section(i);
    if (!candidate) break;
    const std::size_t name = names->sh_offset + candidate->sh_name;
    if (name < cubin.size() && (".text." + kernel) == cubin.c_str() + name)
      return count(cubin, candidate->sh_offset, candidate->sh_size);
  }
  return 0;
}

}  // namespace lathe::bench::gpu
