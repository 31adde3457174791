// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machines, which are cache folders, that share a cache on the network.
#pragma once

#include "cache_fixture.h"
#include "jobs.h"
#include "servers.h"

namespace lathe::test {

class RemoteTest : public CacheTest {
 protected:
  RemoteTest() {
    for (const char* const name : {"http_proxy", "LATHE_CACHE_REMOTE", "LATHE_CURL_LIBRARY", "LATHE_HIREDIS_LIBRARY"})
      ::unsetenv(name);
    write(header("factor.h"), "#define FACTOR 2\n");
    expected_ = outcome(makeUncached().compile(job("null")));
  }

  /// Whose requests have a minute unless `remote` says otherwise, so that a loaded machine changes no result.
  [[nodiscard]] CompilerConfig machine(const std::string& name, const std::string& remote) const {
    CompilerConfig out = config();
    const std::size_t attributes = std::min(remote.find('|'), remote.size());
    out.cache.folder = root_ / name;
    out.cache.remotes = {remote.substr(0, attributes) + "|timeout=60000|connect-timeout=60000" +
                         remote.substr(attributes)};
    return out;
  }
  /// Where that machine has the job's result from, which is the right one. All is uploaded when this returns.
  [[nodiscard]] CacheOrigin origin(const std::string& name, const std::string& remote) const {
    const auto result = make(machine(name, remote)).compile(job("null"));
    EXPECT_EQ(outcome(result), expected_) << name;
    return result ? result->origin : CacheOrigin::compiled;
  }
  [[nodiscard]] CacheStats statsOf(const std::string& name, const std::string& remote) const {
    auto cache = Cache::open(machine(name, remote).cache);
    EXPECT_TRUE(cache) << cache.error().render();
    return cache->stats();
  }

  std::string expected_;
};

}  // namespace lathe::test
