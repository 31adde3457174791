// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target's descriptor as hooks read it. docs/descriptor.md explains every key; the accessors are named after them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <lathe/export.h>

namespace lathe::detail {
struct Descriptor;
}

namespace lathe::sdk {

/// The numbers of `address_spaces`.
struct AddressSpaceNumbers {
  unsigned generic = 0;
  unsigned global = 0;
  unsigned group = 3;
  unsigned constant = 0;
  unsigned allocas = 0;  ///< key `private`
};

/// The bounds of `limits`; 0: unknown. Sizes in bytes.
struct LimitNumbers {
  std::uint64_t groupItems = 0;
  std::array<std::uint64_t, 3> group = {0, 0, 0};
  std::uint64_t sharedBytes = 0;  ///< static shared memory of a group
  std::uint64_t stackBytes = 0;   ///< local variables along a chain of calls
};

/// The ways in which a kernel gets aggregates by value (`kernel: {aggregates: …}`).
enum class AggregateForm : std::uint8_t {
  byval,   ///< `ptr byval(T)`
  byref,   ///< `ptr byref(T)`
  packed,  ///< all parameters in one block (<lathe/sdk/group_entry.h>)
};

/// A reference to a descriptor that is resolved for the job's architecture: `extends` and `when` are applied. Cheap to
/// copy. It and all that it returns are valid during the hook only.
class LATHE_API DescriptorView {
 public:
  explicit DescriptorView(const detail::Descriptor& descriptor) : descriptor_(&descriptor) {}

  /// The target's name, for messages.
  [[nodiscard]] std::string_view name() const;
  /// The triple of the target machine.
  [[nodiscard]] std::string_view triple() const;
  /// The architecture as jobs name it: "sm_90".
  [[nodiscard]] std::string_view arch() const;
  /// The number in the architecture's name by `architectures: {pattern: …}`: 90 for sm_90; 0 where it has none.
  [[nodiscard]] unsigned archOrdinal() const;
  /// The processor as LLVM calls it; empty where the triple says it.
  [[nodiscard]] std::string_view processor() const;
  /// The processor's features as an LLVM feature string: "+ptx86".
  [[nodiscard]] std::string_view features() const;
  [[nodiscard]] AddressSpaceNumbers addressSpaces() const;
  /// The LLVM synchronisation scope of "item", "subgroup", "group", "device" or "system"; nothing if the descriptor
  /// names none. "" is LLVM's system scope.
  [[nodiscard]] std::optional<std::string_view> syncScope(std::string_view scope) const;
  /// The subgroup sizes that a kernel may ask for, the default first; never empty.
  [[nodiscard]] std::span<const unsigned> subgroupSizes() const;
  [[nodiscard]] LimitNumbers limits() const;
  /// The number of the kernels' calling convention (llvm::CallingConv).
  [[nodiscard]] unsigned kernelCallingConvention() const;
  [[nodiscard]] AggregateForm aggregates() const;
  /// The most bytes of a kernel's parameters.
  [[nodiscard]] std::uint64_t parameterBytes() const;
  /// `codegen: {extensions: …}`: additions to the architecture that the code may use, by the format's own names.
  [[nodiscard]] std::span<const std::string> extensions() const;
  /// The name under which images store a format: "ptx" for "asm"; the format's own where the descriptor has none.
  [[nodiscard]] std::string_view storedName(std::string_view format) const;
  /// True if the target's driver, loader or linker provides a function of that name (`externals`).
  [[nodiscard]] bool hasExternal(std::string_view function) const;
  /// The name of the runtime that launches the code; empty: none.
  [[nodiscard]] std::string_view runtime() const;

 private:
  const detail::Descriptor* descriptor_;
};

}  // namespace lathe::sdk
