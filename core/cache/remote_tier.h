// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cache on a network as one more place of entries. Its entries are the files of a cache folder, under their keys;
// each is checked when it comes, so that a server that lies costs time and nothing else.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "core/cache/remote/outage.h"
#include "core/cache/remote/remote_address.h"
#include "core/cache/remote/remote_storage.h"

namespace lathe::detail {

class DiskCache;
enum class CacheCount : std::uint8_t;

/// Thread-safe. What goes wrong makes an entry absent, never an error.
class RemoteTier {
 public:
  /// `disk`: where it counts, and shares what it knows of outages; null: there is none. It must live as long.
  RemoteTier(RemoteAddress address, bool readOnly, const DiskCache* disk);

  /// The entry's value; nothing: there is none, or the server does not work.
  [[nodiscard]] std::optional<std::string> read(std::string_view key);
  /// Replaces the entry; false: it did not, because the tier is only read or the server does not work.
  bool write(std::string_view key, std::string_view value);

  [[nodiscard]] const std::string& address() const { return address_.shown; }
  [[nodiscard]] bool readOnly() const { return readOnly_; }
  /// The reason why it is not asked at present; empty: it is.
  [[nodiscard]] std::string problem() const;

 private:
  /// What the server says, if it is to be asked.
  RemoteAnswer ask(llvm::function_ref<RemoteAnswer(RemoteStorage&)> request);
  void count(CacheCount what) const;
  /// The server, whose client's library is opened by the first who asks; null: there is none.
  RemoteStorage* storage() const;

  RemoteAddress address_;
  bool readOnly_;
  const DiskCache* disk_;
  mutable std::once_flag opened_;
  mutable std::string unusable_;  ///< the reason why there is no storage
  mutable std::unique_ptr<RemoteStorage> storage_;
  std::atomic<bool> refusesWrites_ = false;  ///< it said so to this process
  Outage outage_;
};

using RemoteTiers = std::vector<std::unique_ptr<RemoteTier>>;

}  // namespace lathe::detail
