// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Litmus tests as data: a few accesses of shared memory by a few roles, of which each is another item. From one table
// come the kernels that run (source.h) and the outcomes that the C++ memory model allows (model.h). The shapes and
// their names are those of Maranget, Sarkar and Sewell, "A tutorial introduction to the ARM and POWER relaxed memory
// models" (2012), and of Alglave et al., "GPU concurrency: weak behaviours and programming assumptions" (ASPLOS 2015).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace lathe::litmus {

/// One access. A place is a word of memory that starts as 0; all values are below 3, so that an outcome has two bits
/// for each register and place.
struct Access {
  enum class Kind : std::uint8_t { write, read, add, plainWrite, plainRead };
  Kind kind;
  unsigned place;
  unsigned value = 0;  ///< that is written or added
  int reg = -1;        ///< that takes what was read
  /// The access happens only if this register, of the same role, holds guardValue; its own register is notRead then.
  int guard = -1;
  unsigned guardValue = 0;

  [[nodiscard]] bool reads() const { return kind == Kind::read || kind == Kind::add || kind == Kind::plainRead; }
  [[nodiscard]] bool writes() const { return kind == Kind::write || kind == Kind::add || kind == Kind::plainWrite; }
  [[nodiscard]] bool plain() const { return kind == Kind::plainWrite || kind == Kind::plainRead; }
};
inline constexpr unsigned notRead = 3;

using Role = std::vector<Access>;

/// What is the least that forbids every outcome which no interleaving of the roles explains.
enum class Forbidden : std::uint8_t { always, acquireRelease, sequentialConsistency };

struct Program {
  std::string_view name;
  std::string_view about;
  std::vector<Role> roles;
  unsigned places;
  unsigned registers;
  Forbidden from;  ///< by the literature; a test compares it with the model
};

[[nodiscard]] std::span<const Program> programs();

/// How the accesses of a program are ordered.
enum class Form : std::uint8_t {
  relaxed,
  acqRelAccess,  ///< acquiring loads, releasing stores
  acqRelFence,   ///< relaxed accesses, and a fence between each two
  acqRelUpdate,  ///< as acqRelAccess, loads and stores being read-modify-write operations
  seqCstAccess,
  seqCstFence,
  seqCstUpdate,
};
inline constexpr std::array forms = {Form::relaxed,      Form::acqRelAccess, Form::acqRelFence, Form::acqRelUpdate,
                                     Form::seqCstAccess, Form::seqCstFence,  Form::seqCstUpdate};
[[nodiscard]] std::string_view nameOf(Form form) noexcept;

/// Who runs the roles, and where their memory is.
enum class Place : std::uint8_t {
  groupShared,  ///< items of one group, group scope, shared memory
  group,        ///< items of one group, group scope, device memory
  device,       ///< items of different groups, device scope
  system,       ///< the same, system scope
};
inline constexpr std::array places = {Place::groupShared, Place::group, Place::device, Place::system};
[[nodiscard]] std::string_view nameOf(Place place) noexcept;

/// An outcome: two bits for each register, then two for each place's last value.
using Outcome = unsigned;
[[nodiscard]] inline unsigned outcomeBits(const Program& program) {
  return 2 * (program.registers + program.places);
}
[[nodiscard]] inline unsigned valueIn(Outcome outcome, unsigned position) {
  return outcome >> 2 * position & 3;
}

}  // namespace lathe::litmus
