// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Servers on a network that lie, stall, die, or serve what belongs to another job; and addresses that are none.
#include <map>
#include <mutex>

#include "remote_fixture.h"

namespace lathe::test {
namespace {

using Serve = std::function<void(int socket)>;

class HostileServers : public RemoteTest {
 protected:
  /// Compiles with a server that does `serve`, by HTTP and by Redis: right, and within the time that is given.
  void expectRight(const std::string& what, const Serve& serve, std::uint64_t failures = 1) {
    for (const std::string scheme : {"http", "redis"}) {
      const OwnServer server(serve);
      const std::string address = scheme + "://127.0.0.1:" + std::to_string(server.port()) + "|timeout=200";
      const std::string name = scheme + std::to_string(machines_++);
      const auto start = std::chrono::steady_clock::now();
      EXPECT_EQ(origin(name, address), CacheOrigin::compiled) << what << ", " << scheme;
      EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << what << ", " << scheme;
      EXPECT_EQ(statsOf(name, address).remoteFailures, failures) << what << ", " << scheme;
      EXPECT_EQ(origin(name, address), CacheOrigin::disk) << what << ", " << scheme;
    }
  }

  int machines_ = 0;
};

TEST_F(HostileServers, Silence) {
  expectRight("says nothing", OwnServer::untilGone);
}

TEST_F(HostileServers, HangsUp) {
  expectRight("hangs up at once", [](int) {});
  expectRight("hangs up after the question", [](int socket) { (void)OwnServer::hear(socket); });
}

TEST_F(HostileServers, NonsenseAndHalfAnswers) {
  for (const char* const answer :
       {"\x01\x02nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", "$100\r\nshort",
        "HTTP/1.1 500 Broken\r\nContent-Length: 0\r\n\r\n", "-ERR broken\r\n", "*2\r\n:1\r\n:2\r\n", ":7\r\n",
        "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n"})
    expectRight(answer, [&](int socket) {
      if (OwnServer::hear(socket)) OwnServer::send(socket, answer);
    });
}

TEST_F(HostileServers, AByteNowAndThen) {
  expectRight("drips", [](int socket) {
    if (!OwnServer::hear(socket)) return;
    OwnServer::send(socket, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
    while (OwnServer::send(socket, "x")) ::usleep(20'000);
  });
}

TEST_F(HostileServers, AnswersWithoutEnd) {
  const std::string piece(std::size_t{1} << 20U, 'x');
  for (const char* const head :
       {"HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n", "$536870912\r\n"})
    expectRight(head, [&](int socket) {
      if (!OwnServer::hear(socket) || !OwnServer::send(socket, head)) return;
      while (OwnServer::send(socket, piece)) {
      }
    });
}

/// A server that keeps what it is given, and gives what a test makes of it.
class LyingServer {
 public:
  using Lie = std::function<std::string(const std::string& path, const std::map<std::string, std::string>& kept)>;

  [[nodiscard]] std::string address() const { return "http://127.0.0.1:" + std::to_string(server_.port()); }
  void lie(Lie lie) {
    const std::lock_guard lock(mutex_);
    lie_ = std::move(lie);
  }
  std::map<std::string, std::string> kept() {
    const std::lock_guard lock(mutex_);
    return kept_;
  }

 private:
  void serve(int socket) {
    std::string heard;
    char bytes[65536];
    for (;;) {
      std::size_t end = std::string::npos;
      while ((end = heard.find("\r\n\r\n")) == std::string::npos) {
        const ssize_t got = ::recv(socket, bytes, sizeof bytes, 0);
        if (got <= 0) return;
        heard.append(bytes, static_cast<std::size_t>(got));
      }
      const std::string head = heard.substr(0, end);
      heard.erase(0, end + 4);
      const std::string path = head.substr(head.find(' ') + 1, head.find(" HTTP") - head.find(' ') - 1);
      std::string answer = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
      if (head.starts_with("PUT")) {
        const std::size_t size = std::stoul(head.substr(head.find("Content-Length: ") + 16));
        while (heard.size() < size) {
          const ssize_t got = ::recv(socket, bytes, sizeof bytes, 0);
          if (got <= 0) return;
          heard.append(bytes, static_cast<std::size_t>(got));
        }
        const std::lock_guard lock(mutex_);
        kept_[path] = heard.substr(0, size);
        heard.erase(0, size);
        answer = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n";
      } else {
        const std::lock_guard lock(mutex_);
        if (kept_.contains(path)) {
          const std::string body = lie_ ? lie_(path, kept_) : kept_[path];
          answer = "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
        }
      }
      if (!OwnServer::send(socket, answer)) return;
    }
  }

  std::mutex mutex_;
  std::map<std::string, std::string> kept_;
  Lie lie_;
  OwnServer server_{[this](int socket) { serve(socket); }};
};

TEST_F(HostileServers, NoTruncationFlippedBitOrForeignEntryIsServed) {
  LyingServer server;
  const std::string address = server.address();
  EXPECT_EQ(origin("one", address), CacheOrigin::compiled);
  EXPECT_EQ(origin("two", address), CacheOrigin::remote);
  const auto kept = server.kept();
  ASSERT_EQ(kept.size(), 2U);
  const auto expectCompiled = [&](const std::string& what, const std::string& victim, const LyingServer::Lie& lie) {
    server.lie([&](const std::string& path, const auto& all) {
      return path == victim ? lie(path, kept) : kept.contains(path) ? kept.at(path) : all.at(path);
    });
    const std::string name = "victim" + std::to_string(machines_++);
    EXPECT_EQ(origin(name, address + "|read-only"), CacheOrigin::compiled) << what;
    EXPECT_EQ(statsOf(name, address).damaged, 1U) << what;
  };
  for (const auto& [victim, whole] : kept) {
    for (std::size_t at = 0; at < whole.size(); at += std::max<std::size_t>(whole.size() / 12, 1)) {
      expectCompiled("cut at " + std::to_string(at), victim,
                     [&, size = at](const auto&, const auto&) { return kept.at(victim).substr(0, size); });
      expectCompiled("another bit at " + std::to_string(at), victim, [&, where = at](const auto&, const auto&) {
        std::string out = kept.at(victim);
        out[where] = static_cast<char>(out[where] ^ 0x10);
        return out;
      });
    }
    expectCompiled("the other entry", victim, [](const std::string& path, const auto& all) {
      return all.begin()->first == path ? all.rbegin()->second : all.begin()->second;
    });
  }
  // A whole entry of another job, under this one's name.
  Job other = job("null");
  other.options.defines = {"OTHER"};
  EXPECT_TRUE(make(machine("one", address)).compile(other));
  const auto both = server.kept();
  ASSERT_EQ(both.size(), 4U);
  for (const auto& [victim, whole] : kept) {
    for (const auto& [foreign, bytes] : both) {
      if (foreign == victim || kept.contains(foreign)) continue;
      expectCompiled("another job's", victim, [&](const auto&, const auto&) { return both.at(foreign); });
    }
  }
  server.lie({});
  EXPECT_EQ(origin("last", address), CacheOrigin::remote);
}

TEST_F(HostileServers, RefusalsOfWritesLeaveReading) {
  int puts = 0;
  // One request a connection: a kept one would be served before the others that wait. It ends when the client has the
  // answer; closing it with a part of the body unread would reset it, and the answer with it.
  const OwnServer server([&](int socket) {
    char first = 0;
    if (::recv(socket, &first, 1, 0) <= 0) return;
    puts += first == 'P' ? 1 : 0;
    OwnServer::send(socket, std::string("HTTP/1.1 ") + (first == 'P' ? "405" : "404") +
                                " No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    OwnServer::untilGone(socket);
  });
  const std::string address = "http://127.0.0.1:" + std::to_string(server.port());
  {
    const Compiler compiler = make(machine("one", address));
    for (const char* const define : {"A", "B", "C"}) {
      Job job = this->job("null");
      job.options.defines = {define};
      EXPECT_TRUE(compiler.compile(job));
    }
  }
  EXPECT_EQ(puts, 1);
  EXPECT_EQ(statsOf("one", address).remoteFailures, 1U) << "counted once";
  EXPECT_EQ(statsOf("one", address).remotes[0].problem, "");
}

TEST_F(HostileServers, WithoutTheClientsLibrary) {
  // A process opens it once, so this needs one of its own.
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto check = [this] {
    ::setenv("LATHE_HIREDIS_LIBRARY", "libnowhere.so", 1);
    EXPECT_EQ(origin("one", "redis://127.0.0.1"), CacheOrigin::compiled);
    const CacheStats stats = statsOf("one", "redis://127.0.0.1");
    EXPECT_NE(stats.remotes[0].problem.find("install hiredis"), std::string::npos) << stats.remotes[0].problem;
    EXPECT_EQ(stats.remoteFailures, 0U);
    std::_Exit(HasFailure() ? 1 : 0);
  };
  EXPECT_EXIT(check(), testing::ExitedWithCode(0), "");
}

TEST_F(HostileServers, AddressesThatAreNone) {
  for (const auto& [address, reason] : std::map<std::string, std::string>{
           {"cache", "it is no URL"},
           {"http://", "it is no URL"},
           {"http:///path", "it names no host"},
           {"redi://host", "its scheme is unknown; did you mean 'redis'?"},
           {"redis://host:http", "'http' is no port"},
           {"redis://host:70000", "'70000' is no port"},
           {"redis://host/one", "'one' is no number of a database"},
           {"redis://u:%zz@host", "a % in its user or password is not followed by two digits"},
           {"redis://[::1", "its address has no ']'"},
           {"redis+unix://host/socket", "it names no socket's file"},
           {"http://host|readonly", "its attribute 'readonly' is unknown; did you mean 'read-only'?"},
           {"http://host|key-prefix=x", "its attribute 'key-prefix' is unknown"},
           {"http://host|layout=ccache", "layout is bazel, subdirs or flat"},
           {"http://host|timeout=0", "'0' is no timeout in milliseconds"},
           {"http://host|read-only=maybe", "read-only is true or false"}}) {
    const auto compiler = Compiler::create(machine("one", address));
    ASSERT_FALSE(compiler) << address;
    EXPECT_EQ(compiler.error().code, ErrorCode::InvalidArgument);
    EXPECT_NE(compiler.error().message.find(reason), std::string::npos) << compiler.error().message;
    EXPECT_FALSE(Cache::open(machine("one", address).cache));
  }
  ::setenv("LATHE_CACHE_REMOTE", "http://127.0.0.1:1|read-only cache", 1);
  EXPECT_FALSE(Compiler::create(config()));
  ::unsetenv("LATHE_CACHE_REMOTE");
  const auto secret = Compiler::create(machine("one", "redis://user:secret@host|x"));
  ASSERT_FALSE(secret);
  EXPECT_EQ(secret.error().message.find("secret"), std::string::npos) << secret.error().message;
}

}  // namespace
}  // namespace lathe::test
