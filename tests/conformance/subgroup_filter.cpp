// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An OpenCL library in front of another one, whose devices offer subgroups of one size only, that of
// LATHE_TEST_SUBGROUP: what devices of that kind get is run on a device that has more. "unknown": devices that do not
// know the question, whose kernels cannot ask for a size. All functions but one are the other library's, which this one
// is linked to.
#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace {

constexpr std::uint32_t subgroupSizes = 0x4108;  // CL_DEVICE_SUB_GROUP_SIZES_INTEL
constexpr std::int32_t invalidValue = -30;       // CL_INVALID_VALUE

}  // namespace

extern "C" __attribute__((visibility("default"))) std::int32_t clGetDeviceInfo(void* device, std::uint32_t what,
                                                                               std::size_t room, void* out,
                                                                               std::size_t* bytes) {
  using Query = std::int32_t (*)(void*, std::uint32_t, std::size_t, void*, std::size_t*);
  static const auto real = reinterpret_cast<Query>(::dlsym(RTLD_NEXT, "clGetDeviceInfo"));
  const char* const wanted = std::getenv("LATHE_TEST_SUBGROUP");
  if (what != subgroupSizes || !wanted) return real(device, what, room, out, bytes);
  if (std::strcmp(wanted, "unknown") == 0) return invalidValue;
  const std::size_t size = std::strtoul(wanted, nullptr, 10);
  if (bytes) *bytes = sizeof(size);
  if (out && room < sizeof(size)) return invalidValue;
  if (out) std::memcpy(out, &size, sizeof(size));
  return 0;
}
