// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Build tool: `lathe_descriptor_packer OUT IN` writes the tree of a descriptor as bytes
// (core/descriptor/packed_tree.h).
#include <cstdio>
#include <fstream>
#include <iterator>

#include "core/descriptor/packed_tree.h"

std::span<const lathe::detail::PackedDescriptor> lathe::detail::packedDescriptors() {
  return {};
}

int main(int argc, char** argv) {
  using namespace lathe::detail;
  if (argc != 3) return 2;
  std::ifstream in(argv[2], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::vector<YamlDiagnostic> diagnostics;
  const auto root = parseYaml(text, diagnostics);
  for (const YamlDiagnostic& one : diagnostics)
    std::fprintf(stderr, "%s:%u:%u: %s\n", argv[2], one.at.line, one.at.column, one.message.c_str());
  if (!root || !diagnostics.empty()) return 1;
  std::ofstream out(argv[1], std::ios::binary);
  out << packTree(*root);
  return out.flush() ? 0 : 1;
}
