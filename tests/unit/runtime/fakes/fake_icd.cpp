// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver of OpenCL as loaders see it: it exports clGetExtensionFunctionAddress alone. Behind it is the library that
// LATHE_FAKE_ICD_OF names: a driver with such an entry point of its own, whose platforms have tables, or the stand-in
// of fake_opencl.cpp, for which a table is made here. LATHE_FAKE_ICD is what it lacks or has: "functions" by name for a
// platform, as version 2 of cl_khr_icd; "hole" in its table; "no-table"; "no-platform"; "no-entry".
#include <dlfcn.h>

#include <cstdlib>
#include <cstring>
#include <string_view>

#include "fake_driver.h"
#include "runtimes/opencl/opencl_types.h"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_icd.h>

using namespace lathe::detail;

namespace {

bool is(std::string_view mode) {
  const char* const asked = std::getenv("LATHE_FAKE_ICD");
  return asked && mode == asked;
}

void* symbol(const char* name) {
  static void* const library = ::dlopen(std::getenv("LATHE_FAKE_ICD_OF"), RTLD_NOW | RTLD_LOCAL);
  return library ? ::dlsym(library, name) : nullptr;
}

struct Platform {
  const void* table;
};

const cl_icd_dispatch& table() {
  static cl_icd_dispatch out;
  std::memset(&out, 0, sizeof(out));
#define LATHE_OPENCL(name, result, parameters) \
  out.cl##name = reinterpret_cast<decltype(out.cl##name)>(symbol("cl" #name));
#include "runtimes/opencl/opencl_functions.def"
  out.clCreateProgramWithIL = reinterpret_cast<decltype(out.clCreateProgramWithIL)>(symbol("clCreateProgramWithIL"));
  out.clGetKernelSubGroupInfo =
      reinterpret_cast<decltype(out.clGetKernelSubGroupInfo)>(symbol("clGetKernelSubGroupInfo"));
  if (is("hole")) out.clSVMAlloc = nullptr;
  // Only a loader's entry point tells the platforms.
  out.clGetPlatformIDs = nullptr;
  return out;
}

ClStatus platformIds(std::uint32_t entries, ClPlatform* platforms, std::uint32_t* count) {
  static Platform platform;
  platform.table = is("no-table") || is("functions") ? nullptr : &table();
  if (count) *count = is("no-platform") ? 0 : 1;
  if (is("no-platform")) return ClError::platformNotFound;
  if (platforms && entries != 0) *platforms = reinterpret_cast<ClPlatform>(&platform);
  return 0;
}

void* functionForPlatform(ClPlatform, const char* name) {
  return symbol(name);
}

}  // namespace

LATHE_FAKE(void*, clGetExtensionFunctionAddress, (const char* name)) {
  using Find = void* (*)(const char*);
  if (const auto find = reinterpret_cast<Find>(symbol("clGetExtensionFunctionAddress"))) return find(name);
  const std::string_view asked = name;
  if (asked == "clIcdGetPlatformIDsKHR" && !is("no-entry")) return reinterpret_cast<void*>(platformIds);
  if (asked == "clIcdGetFunctionAddressForPlatformKHR" && is("functions"))
    return reinterpret_cast<void*>(functionForPlatform);
  return nullptr;
}
