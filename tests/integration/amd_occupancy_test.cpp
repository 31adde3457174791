// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancies of AMD's processors beside the remark that clang makes of the same code object (-Rpass-analysis
// kernel-resource-usage): kernels that use so many registers, so much group-shared memory, in groups of one size.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tools/lathe/output/code_resources.h"

namespace lathe::tool {
namespace {

struct Shape {
  const char* vector;  ///< the last vector register that it uses
  const char* scalar;
  int sharedBytes;
  int items;
};

std::string nameOf(const Shape& shape, std::size_t number) {
  return "k" + std::to_string(number) + "_" + std::to_string(shape.items);
}

std::string kernelOf(const Shape& shape, std::size_t number) {
  const std::string items = std::to_string(shape.items);
  std::string out = "extern \"C\" __attribute__((global, amdgpu_flat_work_group_size(" + items + ", " + items +
                    "))) void " + nameOf(shape, number) + "(int* p) {\n";
  if (shape.sharedBytes != 0)
    out += "  static __attribute__((shared)) volatile char tile[" + std::to_string(shape.sharedBytes) +
           "];\n  tile[*p] = 1;\n";
  return out + "  asm volatile(\"\" ::: \"" + shape.vector + "\", \"" + shape.scalar + "\");\n}\n";
}

/// What a command writes to its standard error.
std::string errorsOf(const std::string& command) {
  std::string out;
  std::FILE* const pipe = ::popen((command + " 2>&1 >/dev/null").c_str(), "r");
  if (!pipe) return out;
  std::array<char, 4096> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe)) out.append(part.data(), count);
  return ::pclose(pipe) == 0 ? out : "failed: " + out;
}

std::map<std::string, unsigned> remarksIn(const std::string& text) {
  std::map<std::string, unsigned> out;
  const std::regex line("Function Name: (\\w+)|Occupancy \\[waves/SIMD\\]: (\\d+)");
  std::string name;
  for (auto found = std::sregex_iterator(text.begin(), text.end(), line); found != std::sregex_iterator(); ++found) {
    if ((*found)[1].matched)
      name = (*found)[1];
    else
      out[name] = static_cast<unsigned>(std::stoul((*found)[2]));
  }
  return out;
}

class AmdOccupancy : public ::testing::TestWithParam<const char*> {};

TEST_P(AmdOccupancy, IsThatOfClangsRemark) {
  const std::string arch = GetParam();
  std::vector<Shape> shapes;
  for (const int items : {32, 64, 96, 256, 320, 1024}) {
    for (const char* const vector : {"v0", "v23", "v24", "v36", "v64", "v95", "v96", "v127", "v128", "v200", "v255"})
      shapes.push_back({vector, "s7", 0, items});
    for (const char* const scalar : {"s75", "s83", "s90", "s95"}) shapes.push_back({"v0", scalar, 0, items});
    for (const int shared : {1, 1000, 8192, 9000, 20000, 40000, 65536}) shapes.push_back({"v60", "s7", shared, items});
  }
  const std::string base = ::testing::TempDir() + "amd_occupancy_" + arch + "_" + std::to_string(::getpid());
  {
    std::ofstream source(base + ".hip");
    for (std::size_t i = 0; i < shapes.size(); ++i) source << kernelOf(shapes[i], i);
  }
  const std::string text = errorsOf(
      std::string(LATHE_CLANG) + " -x hip --offload-arch=" + arch +
      " -nogpulib -nogpuinc --cuda-device-only --no-gpu-bundle-output -O3 -Rpass-analysis=kernel-resource-usage " +
      base + ".hip -o " + base + ".hsaco");
  ASSERT_FALSE(text.starts_with("failed")) << text;
  std::ifstream file(base + ".hsaco", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const auto remarks = remarksIn(text);
  const auto kernels = resourcesIn(bytes);
  ASSERT_EQ(kernels.size(), shapes.size());
  for (const KernelResources& kernel : kernels) {
    const auto items = static_cast<std::uint32_t>(std::stoul(kernel.symbol.substr(kernel.symbol.find('_') + 1)));
    const auto found = occupancyOf(kernel, arch, items);
    ASSERT_TRUE(found) << kernel.symbol;
    EXPECT_EQ(found->waves, remarks.at(kernel.symbol))
        << kernel.symbol << ": " << *kernel.registers << " registers, " << *kernel.scalarRegisters << " scalar, "
        << *kernel.sharedBytes << " shared, by " << found->limit;
    EXPECT_GE(found->fraction, 0);
    EXPECT_LE(found->fraction, 1);
  }
  std::remove((base + ".hip").c_str());
  std::remove((base + ".hsaco").c_str());
}
INSTANTIATE_TEST_SUITE_P(Of, AmdOccupancy,
                         ::testing::Values("gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010",
                                           "gfx1030", "gfx1100", "gfx1102", "gfx1150", "gfx1151", "gfx1200",
                                           "gfx1201"));

}  // namespace
}  // namespace lathe::tool
