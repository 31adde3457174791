// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of an OpenCL library, bound.
#pragma once

#include "runtimes/opencl/opencl_types.h"

namespace lathe::detail {

struct ClFunctions {
#define LATHE_OPENCL(name, result, parameters) result(*name) parameters = nullptr;
#include "runtimes/opencl/opencl_functions.def"
};

/// clCreateProgramWithIL, of OpenCL 2.1 and of cl_khr_il_program alike.
using ClCreateProgramWithIL = ClProgram (*)(ClContext context, const void* code, std::size_t bytes, ClStatus* status);

/// clGetKernelSubGroupInfo, of OpenCL 2.1 and of cl_khr_subgroups alike.
using ClGetKernelSubGroupInfo = ClStatus (*)(ClKernel kernel, ClDevice device, std::uint32_t what,
                                             std::size_t inputBytes, const void* input, std::size_t bytes, void* value,
                                             std::size_t* size);

}  // namespace lathe::detail
