// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocation and transfers of a case's arrays.
#include "device_arrays.h"

namespace lathe::bench::gpu {

Result<DeviceArrays> DeviceArrays::make(const Device& device, const Case& subject, Host& contents) {
  DeviceArrays out;
  std::vector<void*> addresses;
  for (std::size_t i = 0; i < subject.arrays.size(); ++i) {
    auto memory = device.allocateBytes(subject.arrays[i].bytes);
    if (!memory) return std::move(memory).error();
    if (auto done = memory->upload(contents.bytes(i).data(), contents.bytes(i).size()); !done)
      return std::move(done).error();
    addresses.push_back(memory->address());
    out.memory_.push_back(*std::move(memory));
  }
  out.values_ = std::make_unique<ArgumentValues>(subject, addresses);
  return out;
}

Result<void> DeviceArrays::reset(const Case& subject, Host& contents) {
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (!subject.arrays[i].written) continue;
    if (auto done = memory_[i].upload(contents.bytes(i).data(), contents.bytes(i).size()); !done) return done;
  }
  return {};
}

Result<Host> DeviceArrays::read(const Case& subject) const {
  std::vector<std::vector<std::byte>> out(memory_.size());
  for (std::size_t i = 0; i < memory_.size(); ++i) {
    if (!subject.arrays[i].written) continue;
    out[i].resize(memory_[i].bytes());
    if (auto done = memory_[i].download(out[i].data(), out[i].size()); !done) return std::move(done).error();
  }
  return Host(std::move(out));
}

}  // namespace lathe::bench::gpu
