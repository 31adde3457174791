// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the fake driver recorded, and how to make it fail. A test gets it by calling `fakeCuda` in the opened library.
#pragma once

#include <cstddef>

#include "fake_driver.h"

namespace lathe::test {

struct FakeCuda : FakeDriver {
  // Set by a test.
  int argumentCount = 0;
  void (*kernel)(void** parameters) = nullptr;  ///< what a launch runs
  std::size_t argumentBytes[8] = {};

  // Set by the driver.
  int contexts = 0, contextSwitches = 0, modules = 0, links = 0, buffers = 0, streams = 0, hostBuffers = 0,
      events = 0;  ///< alive (switches: so far)
  int linksSoFar = 0;
  int driverVersion = 12040;  ///< set by a test
  void* current = nullptr;
  char loaded[256] = {};
  unsigned optLevel = ~0u;  ///< of the last module: CU_JIT_OPTIMIZATION_LEVEL
  int optIns = 0, allowedDynamic = 0;
  int launches = 0;
  bool coarse = false;     ///< of a function with a '$' in its name
  unsigned shape[7] = {};  ///< grid, block, dynamic shared bytes
  void* stream = nullptr;
  unsigned cooperative = 0, cluster[3] = {1, 1, 1};
  unsigned char arguments[8][64] = {};
};

}  // namespace lathe::test
