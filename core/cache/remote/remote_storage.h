// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A server that keeps bytes under names. It is not trusted: what it gives is checked by whoever asks.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/result.h>

#include "core/cache/remote/remote_address.h"

namespace lathe::detail {

struct RemoteAnswer {
  enum class Kind : std::uint8_t {
    done,
    absent,   ///< there is nothing under that name
    refused,  ///< the server works, and does not let us
    failed,   ///< the server does not work
  };
  Kind kind = Kind::failed;
  std::string text = {};  ///< what was asked for, or the reason
};

/// What no answer reaches, so that a server that lies costs no memory.
constexpr std::uint64_t mostRemoteBytes = std::uint64_t{256} << 20U;

/// Thread-safe. Each call ends within the address' time-outs, whatever the server does.
class RemoteStorage {
 public:
  RemoteStorage() = default;
  RemoteStorage(const RemoteStorage&) = delete;
  virtual ~RemoteStorage() = default;
  virtual RemoteAnswer get(const std::string& name) = 0;
  virtual RemoteAnswer put(const std::string& name, std::string_view bytes) = 0;
};

/// Errors: DriverMissing, DriverTooOld: the client's library (libcurl, hiredis) is not there or lacks something.
[[nodiscard]] Result<std::unique_ptr<RemoteStorage>> makeHttpStorage(const RemoteAddress& address);
[[nodiscard]] Result<std::unique_ptr<RemoteStorage>> makeRedisStorage(const RemoteAddress& address);

/// Connections that are open and not in use. Thread-safe.
template <class Connection>
class IdleConnections {
 public:
  /// Null if there is none.
  std::unique_ptr<Connection> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return nullptr;
    auto out = std::move(idle_.back());
    idle_.pop_back();
    return out;
  }
  void give(std::unique_ptr<Connection> connection) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(connection));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_;
};

}  // namespace lathe::detail
