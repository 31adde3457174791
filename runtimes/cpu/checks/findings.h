// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the checks of one launch found, from all of its threads, as one error.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>

#include <lathe/result.h>

#include "core/abi/checks.h"

namespace lathe::detail {

struct Finding {
  enum class Kind : std::uint8_t { outOfBounds, uninitialised, race, barrier, wait };
  using Position = std::array<std::uint32_t, 3>;

  Kind kind;
  const abi::CheckedSite* site;
  Position group{};
  Position item{};
  bool itemKnown = true;
  std::uint64_t bytes = 0;        ///< of the access
  std::int64_t offset = 0;        ///< of the access, in the memory
  std::uint64_t memoryBytes = 0;  ///< of the memory
  bool null = false;              ///< there is no memory
  bool shared = true;             ///< of a race: the memory is the group's
  /// A race's other access; a barrier's item that does not come, and where it waits instead.
  const abi::CheckedSite* other = nullptr;
  Position otherItem{};
  std::uint64_t arrived = 0, expected = 0;  ///< items at a barrier
  std::chrono::nanoseconds waited{};        ///< of a loop that waits
};

/// Refers to descriptions in the kernel's image, so it is not to outlive the code. Safe from any thread.
class Findings {
 public:
  /// Findings after which a launch is not worth going on with.
  static constexpr std::uint64_t most = 1'000'000;

  /// False when there are too many.
  bool add(const Finding& finding);
  [[nodiscard]] bool empty() const noexcept { return total_ == 0; }
  /// Not while a kernel runs. There must be findings.
  [[nodiscard]] Error error(std::string_view kernel) const;

 private:
  [[nodiscard]] bool isConsequence(const Finding& finding) const;
  /// One for each pair of lines and kind: the one of the first group and item, and how many there were.
  using Key =
      std::tuple<std::string, std::uint32_t, std::uint32_t, Finding::Kind, std::string, std::uint32_t, std::uint32_t>;
  struct Counted {
    Finding first;
    std::uint64_t count = 0;
  };
  std::mutex mutex_;
  std::map<Key, Counted> found_;
  std::uint64_t total_ = 0;
};

}  // namespace lathe::detail
