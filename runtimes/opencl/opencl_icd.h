// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drivers that export no function of OpenCL but the loader's entry points (cl_khr_icd, "Installable Client Drivers" in
// the Khronos OpenCL extension specification): clGetExtensionFunctionAddress tells where clIcdGetPlatformIDsKHR is, and
// each platform object begins with the address of a table of all functions, or, since version 2 of the extension, its
// driver has clIcdGetFunctionAddressForPlatformKHR.
#pragma once

#include <lathe/result.h>

#include "core/support/dynamic_library.h"
#include "runtimes/opencl/opencl_functions.h"

namespace lathe::detail {

/// The functions of a library, and those of OpenCL 2.1, null if it has none.
struct OpenClEntryPoints {
  ClFunctions functions;
  ClCreateProgramWithIL createProgramWithIL = nullptr;
  ClGetKernelSubGroupInfo getKernelSubGroupInfo = nullptr;
};

/// Of a loader or a driver that exports its functions, by their symbols; of another driver, by its entry point for
/// loaders. Such a driver has one table for all its platforms. Errors: DriverTooOld (a function is not there, or the
/// driver is older than OpenCL 2.0), DeviceNotFound (a driver with no platform, whose functions nobody can ask for).
[[nodiscard]] Result<OpenClEntryPoints> openClEntryPoints(const DynamicLibrary& library);

/// The place of a function in a platform's table, as cl_khr_icd fixes it; -1: none.
[[nodiscard]] int icdSlotOf(std::string_view function);

}  // namespace lathe::detail
