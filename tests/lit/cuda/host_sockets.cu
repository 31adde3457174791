// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers of host code that talks to other machines and waits for threads: read, never emitted, and nothing of it is put
// aside.
// REQUIRES: libcxx
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --implicit-check-not=remark: --implicit-check-not=warning:
// CHECK: .entry _Z5scalePff
#include <arpa/inet.h>
#include <byteswap.h>
#include <endian.h>
#include <fcntl.h>
#include <glob.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <regex.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <syslog.h>
#include <unistd.h>

#include <future>
#include <string>
#include <thread>
#include <unordered_map>

__global__ void scale(float* values, float by) {
  values[threadIdx.x] *= by;
}

static_assert(BYTE_ORDER == LITTLE_ENDIAN && __BYTE_ORDER == __LITTLE_ENDIAN);
__host__ int& ownCount() {
  static std::unordered_map<std::thread::id, int> counts;
  return counts[std::this_thread::get_id()];
}
__host__ unsigned long first(const unsigned long* bytes) {
  return be64toh(bytes[0]) + le32toh(3) + bswap_32(7);
}

struct Address {
  sockaddr_in place{};
  explicit Address(in_port_t port) {
    place.sin_family = AF_INET;
    place.sin_port = htons(port);
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  }
  std::string name() const {
    char text[INET_ADDRSTRLEN];
    return ::inet_ntop(AF_INET, &place.sin_addr, text, sizeof text);
  }
};

int connected(const Address& address) {
  const int one = 1, id = socket(AF_INET, SOCK_STREAM, 0);
  timeval patience{3, 0};
  setsockopt(id, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  setsockopt(id, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  addrinfo* found = nullptr;
  if (getaddrinfo("localhost", nullptr, nullptr, &found) == 0) freeaddrinfo(found);
  return connect(id, reinterpret_cast<const sockaddr*>(&address.place), sizeof address.place) == 0 ? id : -1;
}

__host__ bool isWaiting(int socket) {
  int bytes = 0;
  fd_set ready;
  FD_ZERO(&ready);
  FD_SET(socket, &ready);
  timeval most{1, 0};
  fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK);
  ioctl(socket, FIONREAD, &bytes);
  return select(socket + 1, &ready, nullptr, nullptr, &most) > 0 && FD_ISSET(socket, &ready) && bytes > 0 &&
         pthread_equal(pthread_self(), pthread_self());
}

__host__ void report(const char* host) {
  regex_t local;
  if (regcomp(&local, "^127[.]", REG_EXTENDED | REG_NOSUB) == 0 && regexec(&local, host, 0, nullptr, 0) == 0)
    syslog(LOG_INFO, "thread %ld is local", syscall(SYS_gettid));
  regfree(&local);
}

int main() {
  glob_t files;
  if (glob("*.bin", 0, nullptr, &files) == 0) globfree(&files);
  std::promise<int> port;
  std::future<int> asked = port.get_future();
  std::future<int> id = std::async(std::launch::async, [&] { return connected(Address(asked.get())); });
  port.set_value(9091);
  std::packaged_task<float(int)> half([](int x) { return x / 2.0f; });
  std::shared_future<float> later = half.get_future().share();
  half(3);
  std::future<void> nothing = std::async([] {});
  nothing.get();
  if (id.wait_for(std::chrono::seconds(1)) == std::future_status::ready && id.get() >= 0 && isWaiting(3))
    scale<<<1, 32>>>(static_cast<float*>(nullptr), later.get());
}
