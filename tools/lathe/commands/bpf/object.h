// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A BPF object as the commands get it: from a source, which is compiled, from an image, or from an ELF file.
#pragma once

#include <optional>
#include <string>

#include <lathe/bpf_host.h>

#include "tools/lathe/arguments/job_options.h"

namespace lathe::tool {

struct BpfInput {
  std::string elf;             ///< the object's bytes
  std::optional<Image> image;  ///< nothing for an ELF file
};

/// What becomes of a file: what is linked may call functions that other objects define.
enum class BpfUse { loaded, linked };

/// Reads or compiles what `options` names. Errors: those of a compile; FileUnreadable, IncompatibleDevice (an image of
/// another target).
[[nodiscard]] Result<BpfInput> readBpfInput(const JobOptions& options, Output& out, BpfUse use = BpfUse::loaded);

/// The types of a map's keys and values; null where nothing says them.
struct MapLayout {
  const TypeLayout* key = nullptr;
  const TypeLayout* value = nullptr;
};

/// A type as JSON; null where it is not known.
[[nodiscard]] Json typeJson(const TypeLayout& type);

/// A key, value or record as JSON: by its type if there is one of that size, else a number or hexadecimal digits.
[[nodiscard]] Json shownValue(const TypeLayout* type, std::span<const std::byte> bytes);
/// {"key": …, "value": …}, of a per-CPU map {"key": …, "values": […]}.
[[nodiscard]] Json entryOf(const bpf::RawMap& map, const MapLayout& layout, std::span<const std::byte> key,
                           std::span<const std::byte> value);
/// Entries of a map as entryOf() gives them, at most `most`. Errors: those of RawMap.
[[nodiscard]] Result<Json> entriesOf(const bpf::RawMap& map, const MapLayout& layout, std::size_t most);

}  // namespace lathe::tool
