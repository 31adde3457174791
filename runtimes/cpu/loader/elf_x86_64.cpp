// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x86-64, by the System V ABI's processor supplement (https://gitlab.com/x86-psABIs/x86-64-ABI, section 4.4). Code is
// position-independent and of the small model; everything lies within 2 GiB, so that only externals are far, and those
// are reached by stubs and slots. The relaxable GOTPCRELX forms are applied as plain loads: relaxing them saves a load
// from a line that is in the cache anyway. R_X86_64_32 and 32S are refused: they hold in the low 2 GiB only.
#include <elf.h>

#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "runtimes/cpu/loader/elf_machine.h"

#ifndef R_X86_64_GOTPCRELX
#define R_X86_64_GOTPCRELX 41
#define R_X86_64_REX_GOTPCRELX 42
#endif

namespace lathe::detail {
namespace {

RelocationNeed need(std::uint32_t type) {
  switch (type) {
    case R_X86_64_NONE:
    case R_X86_64_64:
    case R_X86_64_PC32:
    case R_X86_64_PC64:
      return RelocationNeed::nothing;
    case R_X86_64_PLT32:
      return RelocationNeed::stub;
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
      return RelocationNeed::slot;
    default:
      return RelocationNeed::refused;
  }
}

RelocationResult apply(const RelocationValues& values) {
  const auto addend = static_cast<std::uint64_t>(values.addend);
  const auto place = reinterpret_cast<std::uint64_t>(values.place);
  switch (values.type) {
    case R_X86_64_64:
      return store<std::int64_t>(values, values.symbol + addend);  // S + A
    case R_X86_64_PC64:
      return store<std::int64_t>(values, values.symbol + addend - place);  // S + A - P
    case R_X86_64_PC32:                                                    // S + A - P
    case R_X86_64_PLT32:
      return store<std::int32_t>(values, values.symbol + addend - place);  // L + A - P
    case R_X86_64_GOTPCREL:
    case R_X86_64_GOTPCRELX:
    case R_X86_64_REX_GOTPCRELX:
      return store<std::int32_t>(values, values.slot + addend - place);  // G + GOT + A - P
    default:
      return RelocationResult::done;  // NONE: need() let nothing else through
  }
}

/// jmp *slot(%rip); int3; int3
void writeStub(std::byte* stub, std::uint64_t slot) {
  constexpr std::size_t jumpBytes = 6;
  const auto distance = static_cast<std::int32_t>(slot - (reinterpret_cast<std::uint64_t>(stub) + jumpBytes));
  std::array<unsigned char, 8> code = {0xff, 0x25, 0, 0, 0, 0, 0xcc, 0xcc};
  std::memcpy(code.data() + 2, &distance, sizeof(distance));
  std::memcpy(stub, code.data(), code.size());
}

std::string relocationName(std::uint32_t type) {
  static constexpr std::array<std::pair<std::uint32_t, const char*>, 12> names = {{
      {R_X86_64_32, "R_X86_64_32"},
      {R_X86_64_32S, "R_X86_64_32S"},
      {R_X86_64_PC32, "R_X86_64_PC32"},
      {R_X86_64_PC64, "R_X86_64_PC64"},
      {R_X86_64_GOT32, "R_X86_64_GOT32"},
      {R_X86_64_GOTOFF64, "R_X86_64_GOTOFF64"},
      {R_X86_64_GOTPC32, "R_X86_64_GOTPC32"},
      {R_X86_64_TLSGD, "R_X86_64_TLSGD"},
      {R_X86_64_TLSLD, "R_X86_64_TLSLD"},
      {R_X86_64_GOTTPOFF, "R_X86_64_GOTTPOFF"},
      {R_X86_64_TPOFF32, "R_X86_64_TPOFF32"},
      {R_X86_64_IRELATIVE, "R_X86_64_IRELATIVE"},
  }};
  return nameAmong(names, type);
}

}  // namespace

const ElfMachine& x86_64Machine() {
  static constexpr ElfMachine machine{EM_X86_64, 8, need, apply, writeStub, relocationName};
  return machine;
}

}  // namespace lathe::detail
