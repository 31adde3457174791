// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Servers on the loopback: real ones as child processes, and one that does as a test says.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace lathe::test {

/// A socket on a free port of the loopback, listening; the port in `port`.
inline int listenAnywhere(int& port) {
  const int out = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  EXPECT_EQ(::bind(out, reinterpret_cast<const sockaddr*>(&address), size), 0);
  EXPECT_EQ(::listen(out, 16), 0);
  EXPECT_EQ(::getsockname(out, reinterpret_cast<sockaddr*>(&address), &size), 0);
  port = ntohs(address.sin_port);
  return out;
}

inline int freePort() {
  int port = 0;
  ::close(listenAnywhere(port));
  return port;
}

/// A program that runs until this goes.
class ServerProcess {
 public:
  ServerProcess(const std::vector<std::string>& command, int port) {
    child_ = ::fork();
    if (child_ == 0) {
      std::vector<char*> arguments;
      for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
      arguments.push_back(nullptr);
      ::execvp(arguments[0], arguments.data());
      ::_exit(127);
    }
    for (int i = 0; i < 2400 && !answers(port); ++i) ::usleep(25'000);
    EXPECT_TRUE(answers(port)) << command[0] << " does not start";
  }
  ServerProcess(const ServerProcess&) = delete;
  ~ServerProcess() { stop(); }
  void stop() {
    if (child_ <= 0) return;
    ::kill(child_, SIGCONT);
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    child_ = -1;
  }
  void signal(int number) const { ::kill(child_, number); }

  /// Whether PATH has the program, or the folder where Debian puts servers.
  static bool isThere(const std::string& program) {
    return std::system(("PATH=$PATH:/usr/sbin command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
  }

 private:
  static bool answers(int port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const bool out = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(socket);
    return out;
  }

  pid_t child_ = -1;
};

/// Accepts connections, and gives each to `serve`, one after the other.
class OwnServer {
 public:
  explicit OwnServer(std::function<void(int socket)> serve) : listener_(listenAnywhere(port_)) {
    thread_ = std::thread([this, serve = std::move(serve)] {
      for (;;) {
        const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
        if (socket < 0) return;
        ++connections_;
        serve(socket);
        ::close(socket);
      }
    });
  }
  OwnServer(const OwnServer&) = delete;
  ~OwnServer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }
  [[nodiscard]] int port() const { return port_; }
  [[nodiscard]] int connections() const { return connections_; }

  /// Sends it all, unless the other side has gone.
  static bool send(int socket, const std::string& text) {
    return ::send(socket, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  }
  /// Waits until the other side has said something; false: it has gone.
  static bool hear(int socket) {
    char bytes[4096];
    return ::recv(socket, bytes, sizeof bytes, 0) > 0;
  }
  static void untilGone(int socket) {
    while (hear(socket)) {
    }
  }

 private:
  int port_ = 0;
  int listener_;
  std::atomic<int> connections_ = 0;
  std::thread thread_;
};

}  // namespace lathe::test
