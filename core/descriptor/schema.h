// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schema of descriptors, version 1: every key, what it may hold and where it goes. Reading, checking and the key
// reference in docs/descriptor.md come from these tables.
#pragma once

#include <string>

#include "core/descriptor/descriptor.h"
#include "core/descriptor/schema_reader.h"

namespace lathe::detail {

inline constexpr unsigned schemaVersion = 1;

template <>
std::span<const Field<Descriptor>> fieldsOf<Descriptor>();
template <>
std::span<const Field<ArchitectureRules>> fieldsOf<ArchitectureRules>();
template <>
std::span<const Field<AddressSpaces>> fieldsOf<AddressSpaces>();
template <>
std::span<const Field<KernelAbi>> fieldsOf<KernelAbi>();
template <>
std::span<const Field<DeviceLibrary>> fieldsOf<DeviceLibrary>();
template <>
std::span<const Field<PrintRules>> fieldsOf<PrintRules>();
template <>
std::span<const Field<UnrollLimits>> fieldsOf<UnrollLimits>();
template <>
std::span<const Field<CoarsenLimits>> fieldsOf<CoarsenLimits>();
template <>
std::span<const Field<EmitRules>> fieldsOf<EmitRules>();
template <>
std::span<const Field<TextRules>> fieldsOf<TextRules>();
template <>
std::span<const Field<CodegenOptions>> fieldsOf<CodegenOptions>();
template <>
std::span<const Field<Limits>> fieldsOf<Limits>();

/// The tables of maps that become part of their parent: `subgroup` and a library's `math`.
std::span<const Field<Descriptor>> subgroupFields();
std::span<const Field<DeviceLibrary>> mathFields();

/// Reads `lacks`.
void readLacks(SchemaReader& reader, const YamlNode& in, Descriptor& out);
/// Reads `intrinsics`.
void readIntrinsics(SchemaReader& reader, const YamlNode& in, Descriptor& out);

/// One clause of `when`: a condition on the architecture, and what holds under it.
struct WhenClause {
  std::string archAtLeast;  ///< empty: by `archMatches`
  std::string archMatches;
  const YamlNode* then = nullptr;
};
template <>
std::span<const Field<WhenClause>> fieldsOf<WhenClause>();

/// The clauses of a document, in order; what is wrong with them goes to `diagnostics`.
std::vector<WhenClause> readWhen(const YamlNode& document, std::vector<YamlDiagnostic>& diagnostics);

/// The fault of a POSIX extended regular expression, if it has one.
std::optional<std::string> patternFault(const std::string& pattern);

/// Every key in the tables above as a Markdown table, for docs/descriptor.md.
std::string keyReference();

}  // namespace lathe::detail
