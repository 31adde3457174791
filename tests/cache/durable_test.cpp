// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Durable compiles: when one returns, the folder and the servers have its result, though the compiler goes on.
#include "remote_fixture.h"

namespace lathe::test {
namespace {

/// A server that is slow to take what it is given, and has nothing.
class SlowServer {
 public:
  [[nodiscard]] std::string address() const { return "http://127.0.0.1:" + std::to_string(server_.port()); }
  [[nodiscard]] int taken() const { return taken_; }

 private:
  void serve(int socket) {
    char first = 0;
    if (::recv(socket, &first, 1, 0) <= 0) return;
    if (first == 'P') {
      ::usleep(150'000);
      ++taken_;
    }
    OwnServer::send(socket, std::string("HTTP/1.1 ") + (first == 'P' ? "201 Created" : "404 No") +
                                "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    OwnServer::untilGone(socket);
  }

  std::atomic<int> taken_ = 0;
  OwnServer server_{[this](int socket) { serve(socket); }};
};

class Durable : public RemoteTest {
 protected:
  static constexpr int uploads = 2;  ///< of one result: it, and the list of files that leads to it

  [[nodiscard]] static CompileRequest durable() {
    CompileRequest out;
    out.durable = true;
    return out;
  }
  SlowServer server_;
};

TEST_F(Durable, ACompileReturnsWhenItIsKept) {
  const Compiler compiler = make(machine("one", server_.address()));
  EXPECT_EQ(outcome(compiler.compile(job("null"), durable())), expected_);
  EXPECT_EQ(server_.taken(), uploads);
  const CacheStats stats = statsOf("one", server_.address());
  EXPECT_EQ(stats.stores, 1U);
  EXPECT_EQ(stats.uploads, 1U);
  EXPECT_TRUE(std::filesystem::is_empty(root_ / "one" / "locks"));
}

TEST_F(Durable, AHitWaitsForWhatAnotherCompileLeftToTheWriter) {
  const Compiler compiler = make(machine("one", server_.address()));
  EXPECT_EQ(outcome(compiler.compile(job("null"))), expected_);
  const auto again = compiler.compile(job("null"), durable());
  EXPECT_EQ(outcome(again), expected_);
  EXPECT_EQ(again->origin, CacheOrigin::memory);
  EXPECT_EQ(server_.taken(), uploads);
}

TEST_F(Durable, ManyThreadsShareOneCompiler) {
  constexpr int jobs = 6;
  const Compiler compiler = make(machine("one", server_.address()));
  std::vector<std::thread> threads;
  for (int i = 0; i < jobs; ++i) {
    threads.emplace_back([&, i] {
      Job own = job("null");
      own.options.defines = {"NUMBER=" + std::to_string(i / 2)};  // each asked for twice
      EXPECT_TRUE(compiler.compile(own, durable()));
      EXPECT_EQ(make(machine("one", server_.address())).compile(own)->origin, CacheOrigin::disk);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(server_.taken(), jobs / 2 * uploads);
}

TEST_F(Durable, AFailureOfTheSourceIsKeptToo) {
  const Compiler compiler = make(machine("one", server_.address()));
  Job wrong = job("null");
  wrong.source.text += "int x = y;\n";
  EXPECT_FALSE(compiler.compile(wrong, durable()));
  EXPECT_EQ(server_.taken(), uploads);
}

}  // namespace
}  // namespace lathe::test
