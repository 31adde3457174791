// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/cache/remote_tier.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "core/cache/cache_file.h"
#include "core/cache/disk_cache.h"
#include "core/store/cache_folder.h"
#include "core/support/digest.h"
#include "core/support/log.h"

namespace lathe::detail {
namespace {

/// Keeps a connection that the other side has closed from killing this process: the clients' libraries write to it
/// without asking for less.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigset_t pending;
    sigemptyset(&pending);
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    ::sigpending(&pending);
    wasPending_ = sigismember(&pending, SIGPIPE) == 1;
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  WithoutPipeSignal(const WithoutPipeSignal&) = delete;
  ~WithoutPipeSignal() {
    constexpr timespec now{};
    if (!wasPending_) (void)::sigtimedwait(&pipe_, nullptr, &now);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{}, before_{};
  bool wasPending_ = false;
};

std::string nameOf(std::string_view key) {
  return llvm::toHex(llvm::StringRef(key.data(), key.size()), /*LowerCase=*/true);
}

/// Where processes share what they know of outages: the cache's folder, or, where that is not written to, one of the
/// user's for the time of the session. Empty: there is none.
std::filesystem::path sharedFolder(const DiskCache* disk) {
  if (disk && !disk->readOnly()) return disk->folder();
  const char* const session = std::getenv("XDG_RUNTIME_DIR");
  std::error_code failed;
  std::filesystem::path out =
      session && *session ? std::filesystem::path(session) / "lathe"
                          : std::filesystem::temp_directory_path(failed) / ("lathe-" + std::to_string(::getuid()));
  std::string why;
  return cache_folder::open(out, /*make=*/true, why).ok() ? out : std::filesystem::path();
}

Outage outageOf(const RemoteAddress& address, const DiskCache* disk) {
  constexpr std::size_t digits = 16;
  const std::string name = "down-" + Digest().add(address.shown).hex().substr(0, digits);
  const auto folder = sharedFolder(disk);
  const bool isOnlyRead = disk && disk->readOnly();
  return Outage(folder.empty() ? folder : folder / name, isOnlyRead ? disk->folder() / name : std::filesystem::path());
}

}  // namespace

RemoteTier::RemoteTier(RemoteAddress address, bool readOnly, const DiskCache* disk)
    : address_(std::move(address)),
      readOnly_(readOnly || address_.readOnly),
      disk_(disk),
      outage_(outageOf(address_, disk)) {}

RemoteStorage* RemoteTier::storage() const {
  std::call_once(opened_, [this] {
    auto made = address_.scheme == RemoteScheme::http ? makeHttpStorage(address_) : makeRedisStorage(address_);
    if (made)
      storage_ = *std::move(made);
    else
      unusable_ = made.error().message + (made.error().hint.empty() ? "" : "; " + made.error().hint);
  });
  return storage_.get();
}

void RemoteTier::count(CacheCount what) const {
  if (disk_) disk_->count(what);
}

RemoteAnswer RemoteTier::ask(llvm::function_ref<RemoteAnswer(RemoteStorage&)> request) {
  RemoteStorage* const server = storage();
  if (!server || outage_.reason()) return {RemoteAnswer::Kind::failed};
  const WithoutPipeSignal guard;
  RemoteAnswer answer = request(*server);
  if (answer.kind == RemoteAnswer::Kind::failed) {
    count(CacheCount::remoteFailures);
    log(LogLevel::warning, "cache", address_.shown + " is not asked for a minute: " + answer.text);
    outage_.begin(answer.text);
  } else {
    outage_.end();
  }
  return answer;
}

std::optional<std::string> RemoteTier::read(std::string_view key) {
  const RemoteAnswer answer = ask([&](RemoteStorage& storage) {
    RemoteAnswer out = storage.get(nameOf(key));
    // Who may not even read need not ask again.
    if (out.kind == RemoteAnswer::Kind::refused) out.kind = RemoteAnswer::Kind::failed;
    return out;
  });
  if (answer.kind != RemoteAnswer::Kind::done) return std::nullopt;
  auto value = unpackEntry(key, answer.text, mostRemoteBytes);
  if (!value) count(CacheCount::damaged);
  return value;
}

bool RemoteTier::write(std::string_view key, std::string_view value) {
  if (readOnly_ || refusesWrites_) return false;
  const std::string bytes = packEntry(key, value);
  if (bytes.size() > mostRemoteBytes) return false;
  const RemoteAnswer answer = ask([&](RemoteStorage& storage) { return storage.put(nameOf(key), bytes); });
  if (answer.kind == RemoteAnswer::Kind::refused && !refusesWrites_.exchange(true)) {
    count(CacheCount::remoteFailures);
    log(LogLevel::warning, "cache", address_.shown + " takes no entries: " + answer.text);
  }
  return answer.kind == RemoteAnswer::Kind::done;
}

std::string RemoteTier::problem() const {
  return storage() ? outage_.peek().value_or("") : unusable_;
}

}  // namespace lathe::detail
