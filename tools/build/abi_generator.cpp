// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build tool: prints the device ABI's declarations for device code (include/lathe/device/abi.h includes them).
#include <cstdio>
#include <string_view>

#include "core/abi/device_abi.h"

namespace {

std::string_view deviceType(char letter) {
  switch (letter) {
    case 'v':
      return "void";
    case 'b':
      return "unsigned char";
    case 'h':
      return "unsigned short";
    case 'i':
      return "__UINT32_TYPE__";  // int has 16 bits on small machines
    case 'l':
      return "unsigned long long";  // where long has 32 bits, too
    case 'q':
      return "unsigned __int128";
    case 'f':
      return "float";
    case 'd':
      return "double";
    case 'p':
      return "void*";
    default:
      return "";
  }
}

void printDeclaration(const lathe::detail::AbiEntry& entry) {
  // Strings are passed to queries and services, so their pointers are const.
  const bool constPointers =
      entry.lowering == lathe::detail::AbiLowering::folded || entry.group == lathe::detail::AbiGroup::service;
  const bool convergent = entry.has(lathe::detail::AbiEffect::convergent);
  const bool pure = entry.effects == lathe::detail::AbiEffect::none;
  // Plain front ends of small machines have no such type.
  const bool wide = entry.signature.find('q') != std::string_view::npos;
  if (wide) std::printf("#ifdef __SIZEOF_INT128__\n");
  std::printf("LATHE_DEVICE %.*s %.*s(", static_cast<int>(deviceType(entry.signature[0]).size()),
              deviceType(entry.signature[0]).data(), static_cast<int>(entry.symbol.size()), entry.symbol.data());
  for (std::size_t i = 1; i < entry.signature.size(); ++i) {
    const auto type =
        constPointers && entry.signature[i] == 'p' ? std::string_view("const void*") : deviceType(entry.signature[i]);
    std::printf("%s%.*s", i > 1 ? ", " : "", static_cast<int>(type.size()), type.data());
  }
  std::printf(") noexcept%s%s;\n", convergent ? " LATHE_ABI_CONVERGENT" : "", pure ? " __attribute__((const))" : "");
  if (wide) std::printf("#endif\n");
}

}  // namespace

int main() {
  for (const auto& entry : lathe::detail::deviceAbi()) printDeclaration(entry);
}
