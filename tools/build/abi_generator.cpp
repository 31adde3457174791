// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build tool: prints the declarations of a table for device code.
//
// usage: lathe_abi_generator device|runtime      for <lathe/device/abi.h> and for <lathe/sdk/device_abi.h>
#include <cstdio>
#include <string_view>

#include "core/abi/device_abi.h"
#include "core/abi/runtime_abi.h"

namespace {

using lathe::detail::AbiEffect, lathe::detail::AbiEntry, lathe::detail::AbiGroup, lathe::detail::AbiLowering;
using lathe::detail::RuntimeEntry;

std::string_view deviceType(char letter) {
  switch (letter) {
    case 'v':
      return "void";
    case 't':
      return "bool";
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

/// Attributes of a declaration that come from the effects.
std::string_view attributesOf(AbiEffect effects) {
  const auto has = [&](AbiEffect effect) { return (effects | effect) == effects; };
  if (effects == AbiEffect::none) return " __attribute__((const))";
  return has(AbiEffect::convergent) ? " LATHE_ABI_CONVERGENT" : "";
}

void printDeclaration(std::string_view symbol, std::string_view signature, std::string_view attributes,
                      bool constPointers) {
  // Plain front ends of small machines have no such type.
  const bool wide = signature.find('q') != std::string_view::npos;
  const auto text = [](std::string_view part) { std::fwrite(part.data(), 1, part.size(), stdout); };
  if (wide) text("#ifdef __SIZEOF_INT128__\n");
  text("LATHE_DEVICE ");
  text(deviceType(signature[0]));
  text(" ");
  text(symbol);
  text("(");
  for (std::size_t i = 1; i < signature.size(); ++i) {
    text(i > 1 ? ", " : "");
    text(constPointers && signature[i] == 'p' ? "const void*" : deviceType(signature[i]));
  }
  text(") LATHE_ABI_NOEXCEPT");
  text(attributes);
  text(";\n");
  if (wide) text("#endif\n");
}

void printDeviceAbi() {
  for (const AbiEntry& entry : lathe::detail::deviceAbi()) {
    // Queries and services write through none of their pointers.
    const bool strings = entry.lowering == AbiLowering::folded || entry.group == AbiGroup::service;
    printDeclaration(entry.symbol, entry.signature, attributesOf(entry.effects), strings);
  }
}

void printRuntimeAbi() {
  for (const RuntimeEntry& entry : lathe::detail::runtimeAbi()) {
    const bool ends = entry.effects == AbiEffect::noreturn;
    printDeclaration(entry.symbol, entry.signature, ends ? " __attribute__((noreturn))" : attributesOf(entry.effects),
                     true);
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view table = count == 2 ? arguments[1] : "";
  if (table == "device")
    printDeviceAbi();
  else if (table == "runtime")
    printRuntimeAbi();
  else
    return 1;
}
