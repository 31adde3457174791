// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 64-bit Arm, little-endian, by "ELF for the Arm 64-bit Architecture" (github.com/ARM-software/abi-aa, aaelf64). Code
// is position-independent and of the small model: what is local lies within 4 GiB of its use (ADRP), branches reach 128
// MiB, and externals are reached by stubs and slots. An object larger than a branch reaches is refused, not extended.
#include <elf.h>

#include <array>
#include <cstring>
#include <optional>
#include <utility>

#include "runtimes/cpu/loader/elf_machine.h"

namespace lathe::detail {
namespace {

/// What an instruction's field takes of a value, and which values it can take.
struct Field {
  unsigned bits;   ///< of the field
  unsigned first;  ///< its lowest bit in the instruction
  unsigned scale;  ///< the value is divided by 2^scale, and what is divided away is zero
};

constexpr std::uint64_t page(std::uint64_t address) {
  return address & ~std::uint64_t{0xfff};
}

/// The size of the access whose offset a LDSTn_ABS_LO12_NC is, as a power of two.
std::optional<unsigned> accessScale(std::uint32_t type) {
  switch (type) {
    case R_AARCH64_LDST8_ABS_LO12_NC:
      return 0;
    case R_AARCH64_LDST16_ABS_LO12_NC:
      return 1;
    case R_AARCH64_LDST32_ABS_LO12_NC:
      return 2;
    case R_AARCH64_LDST64_ABS_LO12_NC:
    case R_AARCH64_LD64_GOT_LO12_NC:
      return 3;
    case R_AARCH64_LDST128_ABS_LO12_NC:
      return 4;
    default:
      return std::nullopt;
  }
}

RelocationNeed need(std::uint32_t type) {
  switch (type) {
    case R_AARCH64_NONE:
    case R_AARCH64_ABS64:
    case R_AARCH64_PREL64:
    case R_AARCH64_PREL32:
    case R_AARCH64_ADR_PREL_LO21:
    case R_AARCH64_ADR_PREL_PG_HI21:
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC:
    case R_AARCH64_LDST16_ABS_LO12_NC:
    case R_AARCH64_LDST32_ABS_LO12_NC:
    case R_AARCH64_LDST64_ABS_LO12_NC:
    case R_AARCH64_LDST128_ABS_LO12_NC:
    case R_AARCH64_TSTBR14:
    case R_AARCH64_CONDBR19:
      return RelocationNeed::nothing;
    case R_AARCH64_JUMP26:
    case R_AARCH64_CALL26:
      return RelocationNeed::stub;
    case R_AARCH64_ADR_GOT_PAGE:
    case R_AARCH64_LD64_GOT_LO12_NC:
      return RelocationNeed::slot;
    default:
      return RelocationNeed::refused;
  }
}

/// Puts `bits` into an instruction, in place of those that `mask` names.
RelocationResult patch(const RelocationValues& values, std::uint32_t mask, std::uint32_t bits) {
  std::uint32_t instruction = 0;
  if (values.room < sizeof(instruction)) return RelocationResult::cutOff;
  std::memcpy(&instruction, values.place, sizeof(instruction));
  instruction = (instruction & ~mask) | (bits & mask);
  std::memcpy(values.place, &instruction, sizeof(instruction));
  return RelocationResult::done;
}

/// A signed distance in one field.
RelocationResult distance(const RelocationValues& values, std::uint64_t value, Field field) {
  const auto signedValue = static_cast<std::int64_t>(value);
  const std::int64_t limit = std::int64_t{1} << (field.bits + field.scale - 1);
  const bool isWhole = (value & ((std::uint64_t{1} << field.scale) - 1)) == 0;
  if (!isWhole || signedValue < -limit || signedValue >= limit) return RelocationResult::outOfRange;
  const std::uint32_t mask = ((std::uint32_t{1} << field.bits) - 1) << field.first;
  return patch(values, mask, static_cast<std::uint32_t>(value >> field.scale) << field.first);
}

/// The 21 bits of ADR and ADRP, of which the two lowest stand apart.
RelocationResult address(const RelocationValues& values, std::uint64_t value) {
  const auto signedValue = static_cast<std::int64_t>(value);
  constexpr std::int64_t limit = std::int64_t{1} << 20;
  if (signedValue < -limit || signedValue >= limit) return RelocationResult::outOfRange;
  const auto bits = static_cast<std::uint32_t>(value);
  return patch(values, 0x60ffffe0U, (bits & 3U) << 29 | (bits >> 2 & 0x7ffffU) << 5);
}

/// Pages between two addresses, of ADRP.
RelocationResult pages(const RelocationValues& values, std::uint64_t target, std::uint64_t place) {
  const auto distance = static_cast<std::int64_t>(page(target) - page(place));
  return address(values, static_cast<std::uint64_t>(distance / 4096));
}

/// The offset of a value in its page, of ADD, loads and stores.
RelocationResult offset(const RelocationValues& values, std::uint64_t target, unsigned scale) {
  const auto bits = static_cast<std::uint32_t>(target & 0xfffU);
  if ((bits & ((1U << scale) - 1)) != 0) return RelocationResult::outOfRange;
  return patch(values, 0x3ffc00U, bits >> scale << 10);
}

RelocationResult apply(const RelocationValues& values) {
  const std::uint64_t target = values.symbol + static_cast<std::uint64_t>(values.addend);  // S + A
  const std::uint64_t slot = values.slot + static_cast<std::uint64_t>(values.addend);      // G(GDAT(S + A))
  const auto place = reinterpret_cast<std::uint64_t>(values.place);
  if (const auto scale = accessScale(values.type))
    return offset(values, values.type == R_AARCH64_LD64_GOT_LO12_NC ? slot : target, *scale);
  switch (values.type) {
    case R_AARCH64_ABS64:
      return store<std::int64_t>(values, target);
    case R_AARCH64_PREL64:
      return store<std::int64_t>(values, target - place);
    case R_AARCH64_PREL32:
      return store<std::int32_t>(values, target - place);
    case R_AARCH64_ADR_PREL_LO21:
      return address(values, target - place);
    case R_AARCH64_ADR_PREL_PG_HI21:
      return pages(values, target, place);
    case R_AARCH64_ADD_ABS_LO12_NC:
      return offset(values, target, 0);
    case R_AARCH64_ADR_GOT_PAGE:
      return pages(values, slot, place);
    case R_AARCH64_TSTBR14:
      return distance(values, target - place, {14, 5, 2});
    case R_AARCH64_CONDBR19:
      return distance(values, target - place, {19, 5, 2});
    case R_AARCH64_JUMP26:
    case R_AARCH64_CALL26:
      return distance(values, target - place, {26, 0, 2});
    default:
      return RelocationResult::done;  // NONE: need() let nothing else through
  }
}

/// adrp x16, slot; ldr x16, [x16, :lo12:slot]; br x16; udf. Linkers may use x16 between a call and its function.
void writeStub(std::byte* stub, std::uint64_t slot) {
  const std::array<std::uint32_t, 4> code = {0x90000010U, 0xf9400210U, 0xd61f0200U, 0};
  std::memcpy(stub, code.data(), sizeof(code));
  const auto fill = [&](std::size_t at, std::uint32_t type) {
    (void)apply({.type = type, .place = stub + at, .room = 4, .symbol = 0, .addend = 0, .slot = slot});
  };
  fill(0, R_AARCH64_ADR_GOT_PAGE);
  fill(4, R_AARCH64_LD64_GOT_LO12_NC);
}

std::string relocationName(std::uint32_t type) {
  static constexpr std::array<std::pair<std::uint32_t, const char*>, 12> names = {{
      {R_AARCH64_ABS32, "R_AARCH64_ABS32"},
      {R_AARCH64_ABS16, "R_AARCH64_ABS16"},
      {R_AARCH64_MOVW_UABS_G0, "R_AARCH64_MOVW_UABS_G0"},
      {R_AARCH64_MOVW_UABS_G3, "R_AARCH64_MOVW_UABS_G3"},
      {R_AARCH64_LD_PREL_LO19, "R_AARCH64_LD_PREL_LO19"},
      {R_AARCH64_CALL26, "R_AARCH64_CALL26"},
      {R_AARCH64_ADR_PREL_PG_HI21, "R_AARCH64_ADR_PREL_PG_HI21"},
      {R_AARCH64_PREL32, "R_AARCH64_PREL32"},
      {R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21, "R_AARCH64_TLSIE_ADR_GOTTPREL_PAGE21"},
      {R_AARCH64_TLSDESC_ADR_PAGE21, "R_AARCH64_TLSDESC_ADR_PAGE21"},
      {R_AARCH64_TLSLE_ADD_TPREL_HI12, "R_AARCH64_TLSLE_ADD_TPREL_HI12"},
      {R_AARCH64_IRELATIVE, "R_AARCH64_IRELATIVE"},
  }};
  return nameAmong(names, type);
}

}  // namespace

const ElfMachine& aarch64Machine() {
  static constexpr ElfMachine machine{EM_AARCH64, 16, need, apply, writeStub, relocationName};
  return machine;
}

}  // namespace lathe::detail
