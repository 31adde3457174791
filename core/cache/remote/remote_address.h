// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses of caches on a network, in the form that ccache's `remote_storage` has: an URL, then attributes after bars.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <lathe/cache.h>
#include <lathe/result.h>

namespace lathe::detail {

enum class RemoteScheme : std::uint8_t { http, redis, redisSocket };

/// The paths of entries on an HTTP server.
enum class HttpLayout : std::uint8_t {
  bazel,    ///< ac/KEY, as Bazel's remote caches have it
  subdirs,  ///< KE/Y…
  flat,     ///< KEY
};

struct RemoteAddress {
  RemoteScheme scheme = RemoteScheme::http;
  std::string shown;  ///< for people: no attributes, no password
  std::string url;    ///< HTTP: without attributes, and without the slash at its end
  std::string host;   ///< Redis: a name, an address, or the path of a socket
  int port = 0;
  int database = 0;
  std::string user, password;
  std::string bearerToken;                ///< HTTP
  std::string keyPrefix = "lathe:";       ///< Redis
  HttpLayout layout = HttpLayout::bazel;  ///< HTTP
  bool readOnly = false;
  std::chrono::milliseconds connectTimeout{100};
  std::chrono::milliseconds timeout{1000};  ///< of a whole request
};

/// Errors: InvalidArgument, naming the part that is wrong.
[[nodiscard]] Result<RemoteAddress> parseRemoteAddress(std::string_view text);

/// Those of `config`, else of $LATHE_CACHE_REMOTE, which separates them by spaces. Errors: as parseRemoteAddress().
[[nodiscard]] Result<std::vector<RemoteAddress>> remoteAddresses(const CacheConfig& config);

}  // namespace lathe::detail
