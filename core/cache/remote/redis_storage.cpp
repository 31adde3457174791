// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GET and SET of a Redis server. hiredis' own time-outs are of one read each, which a server that sends a byte now and
// then never exceeds; so its sockets do not block, and the time of a whole request is kept here.
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "core/cache/remote/hiredis.h"
#include "core/cache/remote/remote_storage.h"

namespace lathe::detail {
namespace {

using Clock = std::chrono::steady_clock;
using Kind = RemoteAnswer::Kind;
using Command = std::vector<std::string_view>;

/// Waits for `events`; false: the time is over.
bool waitFor(int descriptor, short events, Clock::time_point deadline, short& happened) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd poll{descriptor, events, 0};
    const int count = ::poll(&poll, 1, static_cast<int>(left));
    happened = poll.revents;
    if (count > 0) return true;
    if (count < 0 && errno != EINTR) return false;
  }
}

class Connection {
 public:
  explicit Connection(const Hiredis& library) : library_(library) {}
  Connection(const Connection&) = delete;
  ~Connection() {
    if (context_) library_.redisFree(context_);
  }

  /// Connects and logs in. `done`, or why not.
  RemoteAnswer open(const RemoteAddress& address, Clock::time_point deadline) {
    context_ = address.scheme == RemoteScheme::redisSocket
                   ? library_.redisConnectUnixNonBlock(address.host.c_str())
                   : library_.redisConnectNonBlock(address.host.c_str(), address.port);
    if (!context_) return {Kind::failed, "hiredis: out of memory"};
    if (const auto error = library_.errorOf(context_); !error.empty()) return {Kind::failed, std::string(error)};
    const int descriptor = library_.descriptorOf(context_);
    short happened = 0;
    if (!waitFor(descriptor, POLLOUT, std::min(deadline, Clock::now() + address.connectTimeout), happened))
      return {Kind::failed, "it cannot be connected to in time"};
    int status = 0;
    socklen_t size = sizeof status;
    if (::getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &status, &size) != 0) status = errno;
    if (status != 0) return {Kind::failed, std::strerror(status)};
    const std::string database = std::to_string(address.database);
    std::vector<Command> first;
    if (!address.password.empty() && !address.user.empty())
      first.push_back({"AUTH", address.user, address.password});
    else if (!address.password.empty())
      first.push_back({"AUTH", address.password});
    if (address.database != 0) first.push_back({"SELECT", database});
    for (const Command& command : first) {
      if (auto answer = ask(command, deadline); answer.kind != Kind::done) return answer;
    }
    return {Kind::done, {}};
  }

  RemoteAnswer ask(const Command& command, Clock::time_point deadline) {
    std::vector<const char*> texts;
    std::vector<std::size_t> sizes;
    for (const std::string_view text : command) {
      texts.push_back(text.data());
      sizes.push_back(text.size());
    }
    if (library_.redisAppendCommandArgv(context_, static_cast<int>(texts.size()), texts.data(), sizes.data()) != 0)
      return broken();
    const int descriptor = library_.descriptorOf(context_);
    std::uint64_t received = 0;
    for (int isSent = 0;;) {
      if (isSent == 0 && library_.redisBufferWrite(context_, &isSent) != 0) return broken();
      short happened = 0;
      const auto events = static_cast<short>(isSent != 0 ? POLLIN : POLLIN | POLLOUT);
      if (!waitFor(descriptor, events, deadline, happened)) return {Kind::failed, "it does not answer in time"};
      if ((happened & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
      int waiting = 0;
      if (::ioctl(descriptor, FIONREAD, &waiting) == 0)
        received += static_cast<std::uint64_t>(std::min(waiting, piece));
      if (received > mostRemoteBytes) return {Kind::failed, "its answer does not end"};
      void* reply = nullptr;
      if (library_.redisBufferRead(context_) != 0 || library_.redisGetReplyFromReader(context_, &reply) != 0)
        return broken();
      if (!reply) continue;
      auto out = answerIn(reply);
      library_.freeReplyObject(reply);
      return out;
    }
  }

 private:
  static constexpr int piece = 16 * 1024;  ///< what hiredis reads at once

  [[nodiscard]] RemoteAnswer broken() const { return {Kind::failed, std::string(library_.errorOf(context_))}; }

  [[nodiscard]] RemoteAnswer answerIn(const void* reply) const {
    using ReplyKind = Hiredis::ReplyKind;
    switch (library_.kindOf(reply)) {
      case ReplyKind::string:
      case ReplyKind::status:
        return {Kind::done, std::string(library_.textOf(reply))};
      case ReplyKind::nil:
        return {Kind::absent, {}};
      case ReplyKind::error: {
        const std::string text(library_.textOf(reply));
        const bool isRefusal = text.starts_with("READONLY") || text.starts_with("NOPERM") || text.starts_with("OOM");
        return {isRefusal ? Kind::refused : Kind::failed, text};
      }
      default:
        return {Kind::failed, "it answers with something else"};
    }
  }

  const Hiredis& library_;
  void* context_ = nullptr;
};

class RedisStorage final : public RemoteStorage {
 public:
  RedisStorage(RemoteAddress address, const Hiredis& library) : address_(std::move(address)), library_(library) {}

  RemoteAnswer get(const std::string& name) override {
    const std::string key = address_.keyPrefix + name;
    return ask({"GET", key});
  }
  RemoteAnswer put(const std::string& name, std::string_view bytes) override {
    const std::string key = address_.keyPrefix + name;
    return ask({"SET", key, bytes});
  }

 private:
  RemoteAnswer ask(const Command& command) {
    const auto deadline = Clock::now() + address_.timeout;
    // A server closes connections that were idle for long: one that fails is no reason yet.
    if (auto connection = idle_.take()) {
      auto out = connection->ask(command, deadline);
      if (out.kind != Kind::failed) {
        idle_.give(std::move(connection));
        return out;
      }
    }
    auto connection = std::make_unique<Connection>(library_);
    if (auto opened = connection->open(address_, deadline); opened.kind != Kind::done) return opened;
    auto out = connection->ask(command, deadline);
    if (out.kind != Kind::failed) idle_.give(std::move(connection));
    return out;
  }

  const RemoteAddress address_;
  const Hiredis& library_;
  IdleConnections<Connection> idle_;
};

}  // namespace

Result<std::unique_ptr<RemoteStorage>> makeRedisStorage(const RemoteAddress& address) {
  const auto& library = Hiredis::get();
  if (!library) return library.error();
  return std::unique_ptr<RemoteStorage>(std::make_unique<RedisStorage>(address, *library));
}

}  // namespace lathe::detail
