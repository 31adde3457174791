// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the OpenCL library of tests says of itself and its device, and how to make it fail. A test gets it by calling
// `fakeOpenCl` in the opened library, and may change it before the runtime asks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fake_driver.h"

namespace lathe::test {

struct FakeOpenCl : FakeDriver {
  // Set by a test.
  unsigned platforms = 1, devices = 1;
  const char* version = "OpenCL 3.0 Fake";
  const char* ilVersion = "SPIR-V_1.2 SPIR-V_1.4";
  const char* extensions = "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics";
  bool compiler = true, available = true, genericPointers = true;
  std::uint64_t svm = 1, doubles = 63, kernelClock = 0;
  std::uint64_t floatAtomics = 0, doubleAtomics = 0, halfAtomics = 0;
  const char* spirvExtensions[2] = {"SPV_KHR_shader_clock", "SPV_EXT_shader_atomic_float_add"};
  std::size_t subgroups[2] = {16, 32};
  bool asksForSubgroups = true;    ///< false: the device does not know what `subgroups` answers
  bool givesSubgroups = true;      ///< of OpenCL 2.1 and later: whether groups have any
  std::size_t givenSubgroup = 32;  ///< what a kernel gets; 0: clGetKernelSubGroupInfo fails
  const char* buildLog = "";
  std::int32_t eventState = 0;                  ///< of every event
  std::size_t argumentBytes[4] = {4, 8, 0, 0};  ///< what the kernel's parameters have; 0: a pointer

  // Set by the driver.
  int contexts = 0, queues = 0, programs = 0, kernels = 0, buffers = 0, objects = 0, events = 0;  ///< alive
  int launches = 0;
  int regions = 0;          ///< rectangular copies
  int barriers = 0;         ///< queues that wait for others
  std::int32_t gate = 1;    ///< what the last user event was set to
  int told = 0;             ///< kernels that were told what memory there is
  char options[128] = {};   ///< of the last build
  bool fromSource = false;  ///< of the last program
};

}  // namespace lathe::test
