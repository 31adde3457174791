// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The resources that finished code says its kernels use, without a device: NVIDIA's and AMD's code objects carry them
// for their drivers. And how many groups of a kernel one multiprocessor runs at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/compiler.h>
#include <lathe/image.h>

#include "tools/lathe/output/output.h"
#include "tools/lathe/output/table.h"

namespace lathe::tool {

/// Of one kernel; bytes are of a group (shared) or of an item (local). Nothing: the code does not say.
struct KernelResources {
  std::string symbol;
  std::optional<std::uint64_t> registers;        ///< of an item; AMD's vector registers
  std::optional<std::uint64_t> scalarRegisters;  ///< of a subgroup
  std::optional<std::uint64_t> spilledRegisters;
  std::optional<std::uint64_t> sharedBytes;
  std::optional<std::uint64_t> localBytes;  ///< stack and spills
  std::optional<std::uint64_t> constantBytes;
  std::optional<std::uint64_t> subgroupItems;  ///< that AMD's code says it is compiled for
  std::optional<std::uint64_t> vectorWidth;    ///< items an instruction serves on a CPU
};

/// The kernels in machine code, as far as its format tells; none for texts and damaged files.
[[nodiscard]] std::vector<KernelResources> resourcesIn(std::string_view code);
/// Each entry of `image`, by its code, as machine code where `compiler`, if there is one, can make it of that, or,
/// where it says nothing, by what the image says itself.
[[nodiscard]] std::vector<KernelResources> resourcesOf(const Image& image, const Compiler* compiler);

/// The part of a multiprocessor's items that groups of `items` items keep busy.
struct Occupancy {
  std::uint32_t groups = 0;  ///< on a multiprocessor at a time
  double fraction = 0;       ///< of the most items it can hold
  std::string
      limit;  ///< what there is not more of: "registers", "scalar registers", "shared memory", "items", "groups"
  std::uint32_t waves = 0;  ///< of an execution unit of AMD's at a time; 0: the machine is another one
};
/// Nothing for architectures whose numbers are not known here, and for kernels of unknown registers.
[[nodiscard]] std::optional<Occupancy> occupancyOf(const KernelResources& kernel, const std::string& arch,
                                                   std::uint32_t items);
/// The same of AMD's processors ("gfx942"), whose code says the size of its subgroups. Nothing without it.
[[nodiscard]] std::optional<Occupancy> amdOccupancyOf(const KernelResources& kernel, const std::string& arch,
                                                      std::uint32_t items);

/// A report of one row for each kernel of each image, and the same as JSON.
class ResourceReport {
 public:
  /// `items`: of a group, where the kernel does not fix them.
  void add(const Image& image, const Compiler* compiler, std::uint32_t items);
  [[nodiscard]] Table table() const;
  [[nodiscard]] const Json& json() const { return json_; }

 private:
  std::vector<std::vector<std::string>> rows_;
  Json json_ = Json::array();
};

}  // namespace lathe::tool
