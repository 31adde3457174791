// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancies beside those that NVIDIA's own header of the toolkit computes, and code that says nothing or lies.
#include "tools/lathe/output/code_resources.h"

#include <random>

#include <gtest/gtest.h>

#ifdef LATHE_CUDA_OCCUPANCY
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#include LATHE_CUDA_OCCUPANCY
#pragma GCC diagnostic pop
#endif

namespace lathe::tool {
namespace {

TEST(Occupancy, IsThatOfTheToolkit) {
#ifndef LATHE_CUDA_OCCUPANCY
  GTEST_SKIP() << "the CUDA toolkit's cuda_occupancy.h was not found";
#else
  struct Processor {
    int capability, warps, groups, sharedKib;
  };
  for (const Processor& one : {Processor{50, 64, 32, 64},
                               {52, 64, 32, 96},
                               {60, 64, 32, 64},
                               {70, 64, 32, 96},
                               {75, 32, 16, 64},
                               {80, 64, 32, 164},
                               {86, 48, 16, 100},
                               {89, 48, 24, 100},
                               {90, 64, 32, 228},
                               {100, 64, 32, 228},
                               {120, 48, 24, 100}}) {
    const int reserved = one.capability >= 80 ? 1024 : 0;
    cudaOccDeviceProp device{};
    device.computeMajor = one.capability / 10;
    device.computeMinor = one.capability % 10;
    device.maxThreadsPerBlock = 1024;
    device.maxThreadsPerMultiprocessor = one.warps * 32;
    device.regsPerBlock = device.regsPerMultiprocessor = 65536;
    device.warpSize = 32;
    device.sharedMemPerBlock = 49152;
    device.sharedMemPerMultiprocessor = static_cast<std::size_t>(one.sharedKib) * 1024;
    device.numSms = 1;
    device.sharedMemPerBlockOptin = device.sharedMemPerMultiprocessor - static_cast<std::size_t>(reserved);
    device.reservedSharedMemPerBlock = static_cast<std::size_t>(reserved);
    for (const int registers : {1, 16, 31, 32, 33, 40, 64, 80, 128, 168, 255}) {
      for (const int items : {32, 33, 96, 128, 256, 768, 1024}) {
        for (const int shared : {0, 1, 5000, 16384, 49152}) {
          cudaOccFuncAttributes kernel{};
          kernel.maxThreadsPerBlock = 1024;
          kernel.numRegs = registers;
          kernel.sharedSizeBytes = static_cast<std::size_t>(shared);
          kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
          kernel.maxDynamicSharedSizeBytes = 49152;
          cudaOccDeviceState state{};
          state.carveoutConfig = 100;
          cudaOccResult expected{};
          ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&expected, &device, &kernel, &state, items, 0), 0);
          KernelResources resources;
          resources.registers = static_cast<std::uint64_t>(registers);
          resources.sharedBytes = static_cast<std::uint64_t>(shared);
          const auto found =
              occupancyOf(resources, "sm_" + std::to_string(one.capability), static_cast<std::uint32_t>(items));
          ASSERT_TRUE(found);
          EXPECT_EQ(static_cast<int>(found->groups), expected.activeBlocksPerMultiprocessor)
              << one.capability << " " << registers << " registers, " << items << " items, " << shared << " shared";
        }
      }
    }
  }
#endif
}

TEST(Occupancy, IsUnknownWhereNothingIsKnown) {
  KernelResources resources;
  EXPECT_FALSE(occupancyOf(resources, "sm_80", 256));
  resources.registers = 32;
  EXPECT_FALSE(occupancyOf(resources, "gfx942", 256));
  EXPECT_FALSE(occupancyOf(resources, "sm_", 256));
  EXPECT_FALSE(occupancyOf(resources, "sm_80", 0));
  EXPECT_EQ(occupancyOf(resources, "sm_90a", 256)->groups, 8U);
}

TEST(CodeResources, SurviveHostileBytes) {
  std::mt19937 random(1);
  std::string bytes =
      "\x7f"
      "ELF\x02\x01\x01";
  bytes.resize(4096);
  for (int round = 0; round < 20000; ++round) {
    for (int i = 0; i < 8; ++i) bytes[16 + random() % 200] = static_cast<char>(random());
    bytes[18] = static_cast<char>(round % 2 ? 190 : 224);
    bytes[19] = 0;
    bytes[58] = 64;  // the size of a section's header
    bytes[59] = 0;
    (void)resourcesIn(std::string_view(bytes).substr(0, random() % bytes.size()));
  }
}

}  // namespace
}  // namespace lathe::tool
