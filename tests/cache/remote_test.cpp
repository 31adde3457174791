// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Caches on a network, with the servers that people run: Redis, and nginx with PUT.
#include <memory>

#include "remote_fixture.h"

namespace lathe::test {
namespace {

enum class Kind : char { redis, redisSocket, http };

/// A running server and its address.
class RemoteServers : public RemoteTest, public testing::WithParamInterface<Kind> {
 protected:
  void SetUp() override {
    const char* const program = GetParam() == Kind::http ? "nginx" : "redis-server";
    if (!ServerProcess::isThere(program)) GTEST_SKIP() << program << " is not installed";
    GetParam() == Kind::http ? startNginx() : startRedis();
  }

  void startRedis(const std::vector<std::string>& more = {}) {
    const std::string socket = (root_ / "redis.sock").string();
    std::vector<std::string> command = {"redis-server",
                                        "--port",
                                        std::to_string(port_),
                                        "--bind",
                                        "127.0.0.1",
                                        "--save",
                                        "",
                                        "--unixsocket",
                                        socket,
                                        "--dir",
                                        root_.string(),
                                        "--loglevel",
                                        "warning",
                                        "--logfile",
                                        "redis.log"};
    command.insert(command.end(), more.begin(), more.end());
    server_ = std::make_unique<ServerProcess>(command, port_);
    address_ = GetParam() == Kind::redisSocket ? "redis+unix://" + socket
                                               : "redis://127.0.0.1:" + std::to_string(port_) + "/0";
  }

  void startNginx() {
    std::filesystem::create_directory(root_ / "www");
    write(root_ / "nginx.conf", "daemon off; master_process off; user root; pid " + (root_ / "pid").string() +
                                    ";\nerror_log " + (root_ / "log").string() +
                                    ";\nevents {}\nhttp { access_log off; client_max_body_size 100m; "
                                    "client_body_temp_path " +
                                    (root_ / "body").string() + "; server { listen 127.0.0.1:" + std::to_string(port_) +
                                    "; location /lathe/ { alias " + (root_ / "www/").string() +
                                    "; dav_methods PUT; create_full_put_path on; } } }\n");
    server_ = std::make_unique<ServerProcess>(
        std::vector<std::string>{"/usr/bin/env", "PATH=/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin", "nginx",
                                 "-e", (root_ / "log").string(), "-c", (root_ / "nginx.conf").string()},
        port_);
    address_ = "http://127.0.0.1:" + std::to_string(port_) + "/lathe/";
  }

  const int port_ = freePort();
  std::unique_ptr<ServerProcess> server_;
  std::string address_;
};

class HttpServers : public RemoteServers {};
class PasswordServers : public RemoteServers {};

INSTANTIATE_TEST_SUITE_P(Of, HttpServers, testing::Values(Kind::http));
INSTANTIATE_TEST_SUITE_P(Of, PasswordServers, testing::Values(Kind::redis));
INSTANTIATE_TEST_SUITE_P(Of, RemoteServers, testing::Values(Kind::redis, Kind::redisSocket, Kind::http),
                         [](const auto& info) {
                           return info.param == Kind::http    ? "Http"
                                  : info.param == Kind::redis ? "Redis"
                                                              : "RedisSocket";
                         });

TEST_P(RemoteServers, OneMachineCompilesForAll) {
  EXPECT_EQ(origin("one", address_), CacheOrigin::compiled);
  EXPECT_EQ(origin("two", address_), CacheOrigin::remote);
  EXPECT_EQ(origin("two", address_), CacheOrigin::disk);  // it was kept
  EXPECT_EQ(statsOf("one", address_).uploads, 1U);
  const CacheStats two = statsOf("two", address_);
  EXPECT_EQ(two.remoteHits, 1U);
  EXPECT_EQ(two.misses, 0U);
  EXPECT_EQ(two.uploads, 0U);
  ASSERT_EQ(two.remotes.size(), 1U);
  EXPECT_EQ(two.remotes[0].problem, "");
}

TEST_P(RemoteServers, ResultsOfOtherHeadersStandBesideEachOther) {
  EXPECT_EQ(origin("one", address_), CacheOrigin::compiled);
  const std::string before = expected_;
  write(header("factor.h"), "#define FACTOR 3\n");
  expected_ = outcome(makeUncached().compile(job("null")));
  EXPECT_EQ(origin("two", address_), CacheOrigin::compiled);
  EXPECT_EQ(origin("three", address_), CacheOrigin::remote);
  write(header("factor.h"), "#define FACTOR 2\n");
  expected_ = before;
  EXPECT_EQ(origin("four", address_), CacheOrigin::remote);
}

TEST_P(RemoteServers, FailuresOfTheSourceAreShared) {
  Job wrong = job("null");
  wrong.source.text += "error\n";
  const auto first = make(machine("one", address_)).compile(wrong);
  const auto second = make(machine("two", address_)).compile(wrong);
  EXPECT_EQ(outcome(first), outcome(second));
  EXPECT_EQ(statsOf("two", address_).remoteHits, 1U);
}

TEST_P(RemoteServers, WhoOnlyReadsWritesNothing) {
  EXPECT_EQ(origin("one", address_ + "|read-only"), CacheOrigin::compiled);
  EXPECT_EQ(origin("two", address_), CacheOrigin::compiled);
  EXPECT_EQ(origin("three", address_ + "|read-only"), CacheOrigin::remote);
  EXPECT_TRUE(statsOf("three", address_ + "|read-only").remotes[0].readOnly);
}

TEST_P(RemoteServers, WithoutAFolder) {
  CompilerConfig config = machine("none", address_);
  config.cache.disk = false;
  EXPECT_EQ(make(config).compile(job("null"))->origin, CacheOrigin::compiled);
  EXPECT_EQ(make(config).compile(job("null"))->origin, CacheOrigin::remote);
  EXPECT_FALSE(std::filesystem::exists(root_ / "none"));
}

TEST_P(RemoteServers, WhyMissAsksThem) {
  const Compiler one = make(machine("one", address_));
  const auto missing = one.whyMiss(job("null"));
  ASSERT_TRUE(missing);
  ASSERT_EQ(missing->size(), 2U);
  EXPECT_NE(missing->back().find("it has nothing of this job"), std::string::npos) << missing->back();
  EXPECT_EQ(origin("two", address_), CacheOrigin::compiled);
  EXPECT_TRUE(one.whyMiss(job("null"))->empty());
  write(header("factor.h"), "#define FACTOR 3\n");
  const auto changed = one.whyMiss(job("null"));
  ASSERT_EQ(changed->size(), 2U);
  EXPECT_NE(changed->back().find("factor.h: is changed or gone"), std::string::npos) << changed->back();
}

TEST_P(RemoteServers, OneThatDiesOrStallsIsAskedOnceAMinute) {
  EXPECT_EQ(origin("one", address_), CacheOrigin::compiled);
  server_->signal(SIGSTOP);  // it takes connections, and says nothing
  const std::string brief = address_ + "|timeout=200";
  EXPECT_EQ(origin("two", brief), CacheOrigin::compiled);
  EXPECT_EQ(statsOf("two", brief).remoteFailures, 1U);
  EXPECT_NE(statsOf("two", brief).remotes[0].problem, "");
  std::filesystem::remove(header("factor.h"));
  write(header("factor.h"), "#define FACTOR 2 \n");
  EXPECT_EQ(make(machine("two", brief)).compile(job("null"))->origin, CacheOrigin::compiled);  // another process
  EXPECT_EQ(statsOf("two", brief).remoteFailures, 1U);
  server_->stop();
  EXPECT_EQ(origin("three", brief), CacheOrigin::compiled);
  EXPECT_EQ(statsOf("three", brief).remoteFailures, 1U);
}

TEST_P(RemoteServers, OneThatStallsIsAskedOnceAMinuteWhereNothingIsWritten) {
  EXPECT_EQ(origin("one", address_), CacheOrigin::compiled);
  server_->signal(SIGSTOP);
  CompilerConfig reading = machine("one", address_ + "|timeout=200");
  reading.cache.readOnly = true;
  Job other = job("null");
  other.options.optLevel = OptLevel::O1;
  EXPECT_EQ(make(reading).compile(other)->origin, CacheOrigin::compiled);
  const auto another = Cache::open(reading.cache);  // as another process, which has not asked
  ASSERT_TRUE(another) << another.error().render();
  EXPECT_NE(another->stats().remotes[0].problem, "");
  // In a folder of the user's that nobody else may write to, or nowhere.
  const auto session = root_ / "lathe";
  EXPECT_EQ(std::filesystem::status(session).permissions(), std::filesystem::perms::owner_all);
  std::filesystem::permissions(session, std::filesystem::perms::all);
  EXPECT_EQ(Cache::open(reading.cache)->stats().remotes[0].problem, "");
}

TEST_P(RemoteServers, OneThatComesBackIsAskedAgain) {
  server_->stop();
  EXPECT_EQ(origin("one", address_), CacheOrigin::compiled);
  GetParam() == Kind::http ? startNginx() : startRedis();
  EXPECT_EQ(statsOf("one", address_).uploads, 0U);
  for (const auto& file : std::filesystem::directory_iterator(root_ / "one")) {
    if (file.path().filename().string().starts_with("down-"))
      std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::seconds(70));
  }
  write(header("factor.h"), "#define FACTOR 5\n");
  expected_ = outcome(makeUncached().compile(job("null")));
  EXPECT_EQ(origin("one", address_), CacheOrigin::compiled);
  EXPECT_EQ(statsOf("one", address_).uploads, 1U);
  EXPECT_EQ(statsOf("one", address_).remotes[0].problem, "");
}

TEST_P(PasswordServers, PasswordsAndDatabases) {
  server_->stop();
  startRedis({"--requirepass", "open sesame"});
  const std::string host = "127.0.0.1:" + std::to_string(port_);
  const std::string right = "redis://default:open%20sesame@" + host + "/3";
  EXPECT_EQ(origin("one", right), CacheOrigin::compiled);
  EXPECT_EQ(origin("two", right), CacheOrigin::remote);
  EXPECT_EQ(origin("three", "redis://open%20sesame@" + host + "/2"), CacheOrigin::compiled);  // another database
  EXPECT_EQ(origin("four", "redis://sesame@" + host + "/3"), CacheOrigin::compiled);
  const CacheRemote wrong = statsOf("four", "redis://sesame@" + host + "/3").remotes[0];
  EXPECT_NE(wrong.problem, "");
  EXPECT_EQ(wrong.address.find("sesame"), std::string::npos);
}

TEST_P(HttpServers, Layouts) {
  for (const char* const layout : {"bazel", "subdirs", "flat"}) {
    const std::string address = address_ + "|layout=" + layout;
    EXPECT_EQ(origin(std::string(layout) + "1", address), CacheOrigin::compiled);
    EXPECT_EQ(origin(std::string(layout) + "2", address), CacheOrigin::remote);
  }
  EXPECT_TRUE(std::filesystem::is_directory(root_ / "www" / "ac"));
}

}  // namespace
}  // namespace lathe::test
