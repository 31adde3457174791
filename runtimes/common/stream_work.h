// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies, fills and calls on a stream of any runtime: queued where its streams queue them, else done here when the
// stream has come so far.
#pragma once

#include "runtimes/common/driver.h"

namespace lathe::detail {

inline Result<void> queueCopy(DeviceDriver& device, StreamDriver& stream, void* to, const void* from, std::size_t bytes,
                              CopyKind kind) {
  if (stream.queues()) return stream.copy(to, from, bytes, kind);
  if (auto done = stream.synchronize(); !done) return done;
  switch (kind) {
    case CopyKind::upload:
      return device.upload(to, from, bytes);
    case CopyKind::download:
      return device.download(to, from, bytes);
    case CopyKind::within:
      break;
  }
  return device.copyWithin(to, from, bytes);
}

inline Result<void> queueBlock(DeviceDriver& device, StreamDriver& stream, const BlockCopy& block, CopyKind kind) {
  if (stream.queues()) return stream.copyBlock(block, kind);
  if (auto done = stream.synchronize(); !done) return done;
  return device.copyBlock(block, kind);
}

inline Result<void> queueFill(DeviceDriver& device, StreamDriver& stream, void* to, std::uint8_t value,
                              std::size_t bytes) {
  if (stream.queues()) return stream.fill(to, value, bytes);
  if (auto done = stream.synchronize(); !done) return done;
  return device.fill(to, value, bytes);
}

inline Result<void> queueCall(StreamDriver& stream, std::function<void()> function) {
  if (stream.queues()) return stream.call(std::move(function));
  if (auto done = stream.synchronize(); !done) return done;
  function();
  return {};
}

}  // namespace lathe::detail
