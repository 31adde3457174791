// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the loader must know of a processor: its relocations, and the stub that reaches a far function. One file a
// machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>

namespace lathe::detail {

/// What a relocation refers to beside its symbol.
enum class RelocationNeed : std::uint8_t {
  nothing,
  slot,     ///< the symbol's address, kept in a table beside the code (global offset table)
  stub,     ///< if the symbol is external: a jump beside the code, and its slot
  refused,  ///< the type is not one of those allowed
};

/// A relocation with all that its formula can name, in the letters of the psABI.
struct RelocationValues {
  std::uint32_t type;
  std::byte* place;      ///< P, writable now and at its final address
  std::size_t room;      ///< bytes from P to the end of the section
  std::uint64_t symbol;  ///< S, or the stub L
  std::int64_t addend;   ///< A
  std::uint64_t slot;    ///< G + GOT: the address of the symbol's slot; 0 if it has none
};

enum class RelocationResult : std::uint8_t { done, outOfRange, cutOff };

struct ElfMachine {
  std::uint16_t number;  ///< e_machine
  std::size_t stubBytes;
  RelocationNeed (*need)(std::uint32_t type);
  RelocationResult (*apply)(const RelocationValues& values);
  /// Writes a jump through `slot` to `stub`, `stubBytes` long.
  void (*writeStub)(std::byte* stub, std::uint64_t slot);
  std::string (*relocationName)(std::uint32_t type);
};

/// Stores a value as a T at the relocation's place, if it fits.
template <class T>
RelocationResult store(const RelocationValues& values, std::uint64_t value) {
  if (values.room < sizeof(T)) return RelocationResult::cutOff;
  const auto stored = static_cast<T>(static_cast<std::int64_t>(value));
  if (static_cast<std::int64_t>(stored) != static_cast<std::int64_t>(value)) return RelocationResult::outOfRange;
  std::memcpy(values.place, &stored, sizeof(T));
  return RelocationResult::done;
}

/// The name of a relocation, if it is among `names`.
inline std::string nameAmong(std::span<const std::pair<std::uint32_t, const char*>> names, std::uint32_t type) {
  for (const auto& [known, name] : names) {
    if (known == type) return name;
  }
  return "relocation type " + std::to_string(type);
}

const ElfMachine& x86_64Machine();
const ElfMachine& aarch64Machine();

/// The machine this process runs on, or null if the loader has none for it.
inline const ElfMachine* hostMachine() {
#if defined(__x86_64__)
  return &x86_64Machine();
#elif defined(__aarch64__) && defined(__AARCH64EL__)
  return &aarch64Machine();
#else
  return nullptr;
#endif
}

}  // namespace lathe::detail
