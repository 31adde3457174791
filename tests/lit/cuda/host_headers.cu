// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Headers of host code beside kernels: functions that use what they declare still say what is launched.
// RUN: %compile %s -t cuda:sm_90 --emit ptx -o %t.ptx 2>&1 | FileCheck %s --check-prefix=SAID --allow-empty
// RUN: FileCheck %s < %t.ptx
// SAID-NOT: {{warning|remark}}
// CHECK-DAG: .entry _Z4fillILi1EEvPi
// CHECK-DAG: .entry _Z4fillILi2EEvPi
// CHECK-DAG: .entry _Z4fillILi3EEvPi
// CHECK-DAG: .entry _Z4fillILi4EEvPi
#include <barrier>
#include <codecvt>
#include <cwctype>
#include <format>
#include <iostream>
#include <latch>
#include <locale>
#include <poll.h>
#include <pwd.h>
#include <regex>
#include <semaphore>
#include <semaphore.h>
#include <sstream>
#include <stop_token>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

template <int id>
__global__ void fill(int* p) { *p = id; }

class Upper : public std::streambuf {
 protected:
  int_type overflow(int_type c) override { return c == traits_type::eof() ? c : std::toupper(c); }
};

void expressions(const std::string& text) {
  static const std::regex pattern("([a-z]+)=([0-9]+)", std::regex::icase | std::regex_constants::optimize);
  std::smatch parts;
  int count = 0;
  if (std::regex_match(text, parts, pattern) && parts[1].str() == "grid") count = std::stoi(parts[2]);
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at) count += at->size();
  std::string shorter = std::regex_replace(text, std::regex(" +"), " ");
  fill<1><<<count, shorter.size()>>>(nullptr);
}

void threads() {
  std::latch done(2);
  std::barrier meet(2);
  std::counting_semaphore<4> room(4);
  std::stop_source source;
  std::stop_callback call(source.get_token(), [&] { done.count_down(); });
  sem_t old;
  sem_init(&old, 0, 1);
  room.acquire();
  meet.arrive_and_wait();
  if (!source.stop_requested()) fill<2><<<1, 1>>>(nullptr);
}

void text() {
  std::cout.imbue(std::locale("C"));
  std::wstring_convert<std::codecvt_utf8<wchar_t>> convert;
  std::cout << convert.to_bytes(L"grid") << std::format("{}", std::isspace(' ', std::locale::classic()));
  int read = std::cin.rdbuf()->sbumpc();
  errno = 0;
  double scaled = std::ldexp(read, -24);
  if (std::isnan(read) || std::towupper(L'a') == L'A' || errno == ERANGE || scaled > 1) fill<3><<<1, read>>>(nullptr);
}

void files(int file) {
  pollfd waits{file, POLLIN, 0};
  iovec part{&file, sizeof file};
  sockaddr_un address{};
  flock(file, LOCK_EX | LOCK_NB);
  if (poll(&waits, 1, 10) > 0 && writev(file, &part, 1) > 0) fill<4><<<1, sizeof address>>>(nullptr);
  if (const passwd* user = getpwuid(0)) std::cout << user->pw_name;
}
