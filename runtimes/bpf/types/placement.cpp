// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtimes/bpf/types/placement.h"

#include <algorithm>

namespace lathe::bpf::detail {
namespace {

constexpr std::uint64_t byteBits = 8;

std::uint64_t roundUp(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) / to * to;
}

}  // namespace

std::uint64_t Placement::alignOf(std::uint32_t number) {
  number = types_.stripped(number);
  // Damaged BTF may have structures that contain themselves, or more levels of them than a stack reaches.
  constexpr int mostLevels = 200;
  if (depth_ > mostLevels) return 1;
  if (const auto [known, isNew] = alignments_.emplace(number, 1); !isNew) return known->second;
  ++depth_;
  const BtfType type = types_.type(number);
  std::uint64_t out = 1;
  if (type.kind == BtfKind::array) {
    out = alignOf(type.to);
  } else if (type.kind == BtfKind::pointer) {
    out = sizeof(std::uint64_t);
  } else if (type.kind != BtfKind::structure && type.kind != BtfKind::union_) {
    out = std::clamp<std::uint64_t>(type.bytes, 1, 16);
  } else if (!isPacked(number)) {
    for (const BtfMember& member : types_.members(number)) out = std::max(out, alignOf(member.type));
  }
  --depth_;
  return alignments_[number] = out;
}

bool Placement::isPacked(std::uint32_t number) {
  if (const auto [known, isNew] = packed_.emplace(number, false); !isNew) return known->second;
  std::uint64_t most = 1;
  bool out = false;
  for (const BtfMember& member : types_.members(number)) {
    const std::uint64_t align = alignOf(member.type);
    most = std::max(most, align);
    if (member.bits == 0) {
      out = out || member.bitOffset / byteBits % align != 0;
      continue;
    }
    const std::uint64_t unit = std::max<std::uint64_t>(types_.sizeOf(member.type), 1) * byteBits;
    out = out || member.bitOffset / unit != (member.bitOffset + member.bits - 1) / unit;
  }
  return packed_[number] = out || types_.type(number).bytes % most != 0;
}

std::uint64_t Placement::placeOf(const BtfMember& member, std::uint64_t end, bool isPacked) {
  if (member.bits == 0) return roundUp(end, isPacked ? byteBits : alignOf(member.type) * byteBits);
  if (isPacked) return end;
  const std::uint64_t unit = std::max<std::uint64_t>(types_.sizeOf(member.type), 1) * byteBits;
  return end / unit == (end + member.bits - 1) / unit ? end : roundUp(end, unit);
}

}  // namespace lathe::bpf::detail
