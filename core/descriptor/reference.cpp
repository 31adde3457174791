// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The key reference of docs/descriptor.md, written from the schema's tables.
#include "core/descriptor/schema.h"

namespace lathe::detail {
namespace {

template <class T>
void section(std::string& out, std::string_view path, std::span<const Field<T>> fields) {
  for (const auto& field : fields) {
    out += "| `" + std::string(path) + std::string(field.key) + "` | " + std::string(field.type) + " | " +
           std::string(field.meaning) + (field.unconditional ? " ¹" : "") + " |\n";
  }
}

}  // namespace

std::string keyReference() {
  std::string out = "| key | holds | meaning |\n|---|---|---|\n";
  section(out, "", fieldsOf<Descriptor>());
  section(out, "architectures.", fieldsOf<ArchitectureRules>());
  section(out, "address_spaces.", fieldsOf<AddressSpaces>());
  section(out, "kernel.", fieldsOf<KernelAbi>());
  section(out, "subgroup.", subgroupFields());
  section(out, "device_libraries[].", fieldsOf<DeviceLibrary>());
  section(out, "device_libraries[].math.", mathFields());
  section(out, "printf.", fieldsOf<PrintRules>());
  section(out, "emit.", fieldsOf<EmitRules>());
  section(out, "text.", fieldsOf<TextRules>());
  section(out, "codegen.", fieldsOf<CodegenOptions>());
  section(out, "codegen.unroll.", fieldsOf<UnrollLimits>());
  section(out, "codegen.coarsen.", fieldsOf<CoarsenLimits>());
  section(out, "limits.", fieldsOf<Limits>());
  section(out, "when[].", fieldsOf<WhenClause>());
  return out + "\n¹ the same for all architectures: not allowed in a `when`.\n";
}

}  // namespace lathe::detail
