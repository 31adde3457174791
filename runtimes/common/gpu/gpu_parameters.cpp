// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Placing arguments in device memory.
#include "runtimes/common/gpu/gpu_parameters.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lathe::detail {
namespace {

/// Drivers align allocations to this at least.
constexpr std::size_t allocationAlign = 128;

/// Where values of one launch begin in its memory. An image is only bytes from somewhere, its alignments too.
struct Places {
  std::vector<std::size_t> offsets;  ///< one for each value that is passed by reference
  std::size_t bytes = 0;
};

Places placesOf(const EntryPoint& entry) {
  Places out;
  for (const Parameter& parameter : entry.parameters) {
    if (!parameter.byReference) continue;
    const std::size_t align = std::has_single_bit(parameter.type.align) ? parameter.type.align : 1;
    out.bytes = (out.bytes + align - 1) / align * align;
    out.offsets.push_back(out.bytes);
    out.bytes += parameter.type.size;
  }
  out.bytes = (out.bytes + allocationAlign - 1) / allocationAlign * allocationAlign;
  return out;
}

}  // namespace

GpuApi::Status GpuParameterMemory::reserve(const GpuApi& api, Handle stream, std::size_t bytes) {
  constexpr std::size_t least = std::size_t{256} << 10;
  if (bytes <= host_.size() - used_) return 0;
  if (memory_) {
    if (const Status status = api.synchronizeStream(stream); status != 0) return status;
    used_ = 0;
  }
  if (bytes <= host_.size()) return 0;
  release(api);
  if (const Status status = api.allocate(memory_, std::max(bytes, least)); status != 0) return status;
  host_.resize(std::max(bytes, least));
  return 0;
}

GpuApi::Status GpuParameterMemory::place(const GpuApi& api, Handle stream, const EntryPoint& entry,
                                         Arguments arguments, Passed& out) {
  const Places places = placesOf(entry);
  if (const Status status = reserve(api, stream, places.bytes); status != 0) return status;
  out.arguments.assign(arguments.begin(), arguments.end());
  out.addresses.reserve(places.offsets.size());  // arguments point to them
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    if (!entry.parameters[i].byReference) continue;
    const std::size_t at = used_ + places.offsets[out.addresses.size()];
    std::memcpy(host_.data() + at, arguments[i], entry.parameters[i].type.size);
    out.addresses.push_back(static_cast<std::byte*>(memory_) + at);
    out.arguments[i] = &out.addresses.back();
  }
  auto* const to = static_cast<std::byte*>(memory_) + used_;
  const std::byte* const from = host_.data() + used_;
  Status status = api.copyOn(to, from, places.bytes, CopyKind::upload, stream);
  if (status == GpuApi::unsupported) status = api.copyIn(to, from, places.bytes);
  if (status == 0) used_ += places.bytes;
  return status;
}

void GpuParameterMemory::release(const GpuApi& api) noexcept {
  if (memory_) (void)api.free(memory_);
  memory_ = nullptr;
  host_.clear();
  used_ = 0;
}

}  // namespace lathe::detail
