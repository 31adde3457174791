// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places beyond tracepoints and packets: sockets in maps and groups, network namespaces, static probes, iterators over
// one map or process, and the arguments that programs get there.
#include <gtest/gtest.h>

#include <array>

#include "counting_program.h"

namespace {

using lathe::ErrorCode;
using lathe::test::counting;
using lathe::test::sendToSelf;
namespace bpf = lathe::bpf;

using BpfPlaces = lathe::test::CountingProgram;

/// A socket of this machine's own network, bound to a port that it chooses if `port` is 0.
int boundSocket(int kind, std::uint16_t port, bool isShared = false) {
  const int socket = ::socket(AF_INET, kind | SOCK_CLOEXEC, 0);
  const int on = 1;
  if (isShared) ::setsockopt(socket, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(port);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&at), sizeof(at)), 0) << std::strerror(errno);
  return socket;
}

/// Both ends of a connection.
struct Connection {
  int here = -1, there = -1;
  Connection() {
    const int listening = boundSocket(SOCK_STREAM, 0);
    sockaddr_in at{};
    socklen_t size = sizeof(at);
    EXPECT_EQ(::getsockname(listening, reinterpret_cast<sockaddr*>(&at), &size), 0);
    EXPECT_EQ(::listen(listening, 1), 0);
    here = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::connect(here, reinterpret_cast<const sockaddr*>(&at), size), 0) << std::strerror(errno);
    there = ::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
    ::close(listening);
  }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() {
    ::close(here);
    ::close(there);
  }
};

TEST_F(BpfPlaces, PacketsByModeOfXdp) {
  PRIVATE_MACHINE_OR_SKIP();
  expectRuns(
      "xdp", "XDP_PASS",
      [](const bpf::Program& program) { return program.attach(bpf::Xdp{"lo", bpf::XdpMode::generic}); }, sendToSelf);
  if (IsSkipped() || HasFatalFailure()) return;
  // The loopback interface has no driver that runs programs.
  load(counting("xdp", "XDP_PASS"));
  const auto native = object->program("count")->attach(bpf::Xdp{"lo", bpf::XdpMode::native});
  ASSERT_FALSE(native);
  EXPECT_EQ(native.error().code, ErrorCode::Unsupported) << native.error().render();
  EXPECT_NE(native.error().hint.find("xdp.generic"), std::string::npos) << native.error().render();
}

TEST_F(BpfPlaces, SocketsOfAMap) {
  PRIVATE_MACHINE_OR_SKIP();
  load(R"(
    #include <lathe/bpf.h>
    __u64 runs;
    lathe::bpf::socket_map<4> socks SEC(".maps");
    SEC("sk_msg") int count(sk_msg_md* message) {
      ++runs;
      lathe::bpf::packet bytes(message);
      const char* const first = bytes.next<char>();
      return first && *first == 'x' ? SK_DROP : SK_PASS;
    }
    __u64 received;
    SEC("sk_skb/stream_verdict") int verdict(__sk_buff* packet) {
      received += packet->len;
      return SK_PASS;
    }
    LATHE_BPF_LICENSE("GPL");)");
  if (IsSkipped() || HasFatalFailure()) return;
  const Connection both, dropping;
  const auto socks = object->map<std::uint32_t, std::uint64_t>("socks");
  ASSERT_TRUE(socks) << socks.error().render();
  {
    auto sent = object->program("count")->attach(bpf::SocketMap{"socks"});
    ASSERT_TRUE(sent) << sent.error().render();
    auto got = object->program("verdict")->attach(bpf::SocketMap{"socks"});
    ASSERT_TRUE(got) << got.error().render();
    for (const std::uint32_t i : {0U, 1U}) {
      const auto set = socks->set(i, static_cast<std::uint64_t>(i == 0 ? both.here : both.there));
      ASSERT_TRUE(set) << set.error().render();
    }
    ASSERT_TRUE(socks->set(2, static_cast<std::uint64_t>(dropping.here)));
    EXPECT_EQ(::send(both.here, "abc", 3, 0), 3);
    EXPECT_LT(::send(dropping.here, "xyz", 3, 0), 0) << "the program drops it";
    char text[4] = {};
    EXPECT_EQ(::recv(both.there, text, sizeof(text), 0), 3);
    EXPECT_EQ(runs(), 2U);
    EXPECT_EQ(**object->global<std::uint64_t>("received"), 3U);
  }
  // Sockets keep the programs until they leave the map.
  EXPECT_LT(::send(both.here, "xyz", 3, 0), 0);
  EXPECT_EQ(runs(), 3U);
  const Connection later;
  ASSERT_TRUE(socks->set(3, static_cast<std::uint64_t>(later.here)));
  EXPECT_EQ(::send(later.here, "xyz", 3, 0), 3) << "nothing drops it: " << std::strerror(errno);
  EXPECT_EQ(runs(), 3U);
  const auto missing = object->program("count")->attach(bpf::SocketMap{"sock"});
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("there is no map 'sock'; did you mean 'socks'?"), std::string::npos)
      << missing.error().message;
}

TEST_F(BpfPlaces, GroupsOfSockets) {
  PRIVATE_MACHINE_OR_SKIP();
  const int shared = boundSocket(SOCK_DGRAM, 4242, true);
  expectRuns(
      "sk_reuseport", "SK_PASS", [&](const bpf::Program& program) { return program.attach(bpf::Socket{shared}); },
      sendToSelf);
  const int alone = boundSocket(SOCK_DGRAM, 4243);
  if (!IsSkipped() && !HasFatalFailure()) {
    load(counting("sk_reuseport", "SK_PASS"));
    const auto refused = object->program("count")->attach(bpf::Socket{alone});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().hint.find("SO_REUSEPORT"), std::string::npos) << refused.error().render();
  }
  ::close(alone);
  ::close(shared);
}

TEST_F(BpfPlaces, LookupsOfANetwork) {
  PRIVATE_MACHINE_OR_SKIP();
  expectRuns(
      "sk_lookup", "SK_PASS",
      [](const bpf::Program& program) { return program.attach(bpf::NetNamespace{"/proc/self/ns/net"}); }, sendToSelf);
  if (IsSkipped() || HasFatalFailure()) return;
  load(counting("sk_lookup", "SK_PASS"));
  EXPECT_FALSE(object->program("count")->attach(bpf::NetNamespace{"/nonexistent"}));
}

/// A probe as <sys/sdt.h> makes it, with arguments of 4 and 8 bytes and a constant.
__attribute__((noinline)) void probe(int number, const char* text) {
#if defined(__x86_64__)
  asm volatile(
      "990: nop\n"
      ".pushsection .note.stapsdt,\"?\",\"note\"\n.balign 4\n.4byte 992f-991f, 994f-993f, 3\n"
      "991: .asciz \"stapsdt\"\n992: .balign 4\n"
      "993: .8byte 990b\n.8byte _.stapsdt.base\n.8byte 0\n"
      ".asciz \"lathe\"\n.asciz \"tick\"\n.asciz \"-4@%k0 8@%1 -2@$-7\"\n994: .balign 4\n.popsection\n"
      ".ifndef _.stapsdt.base\n"
      ".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"
      ".weak _.stapsdt.base\n.hidden _.stapsdt.base\n_.stapsdt.base: .space 1\n.size _.stapsdt.base, 1\n.popsection\n"
      ".endif\n" ::"r"(number),
      "r"(text));
#else
  (void)number, (void)text;
#endif
}

TEST_F(BpfPlaces, StaticProbesWithTheirArguments) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "the probe is written for x86-64";
#endif
  if (::access("/sys/bus/event_source/devices/uprobe/type", F_OK) != 0) GTEST_SKIP() << "this kernel has no uprobes";
  load(R"(
    #include <lathe/bpf.h>
    #include <lathe/bpf/usdt.h>
    __u64 runs;
    __s64 first, third, arguments;
    char second[16];
    SEC("usdt") int BPF_USDT(count, int number, const char* text, short constant) {
      ++runs;
      first = number;
      third = constant;
      arguments = lathe::bpf::usdt_arguments(ctx);
      bpf_probe_read_user_str(second, sizeof(second), text);
      return 0;
    }
    LATHE_BPF_LICENSE("GPL");)");
  if (IsSkipped() || HasFatalFailure()) return;
  {
    const auto link = object->program("count")->attach(
        bpf::StaticProbe{.binary = "/proc/self/exe", .provider = "lathe", .name = "tick", .process = ::getpid()});
    ASSERT_TRUE(link) << link.error().render();
    std::string text = "a text";
    probe(-42, text.c_str());
    EXPECT_EQ(runs(), 1U);
    EXPECT_EQ(**object->global<std::int64_t>("first"), -42);
    EXPECT_EQ(**object->global<std::int64_t>("third"), -7);
    EXPECT_EQ(**object->global<std::int64_t>("arguments"), 3);
    EXPECT_STREQ((**object->global<std::array<char, 16>>("second")).data(), "a text");
  }
  probe(1, "");
  EXPECT_EQ(runs(), 1U);
  const auto missing = object->program("count")->attach(
      bpf::StaticProbe{.binary = "/proc/self/exe", .provider = "lathe", .name = "tock"});
  EXPECT_FALSE(missing);
}

extern "C" __attribute__((noinline)) long latheProbedArguments(int a, const char* b, long c, unsigned char d) {
  asm volatile("" : "+r"(a), "+r"(c));
  return c + a + b[0] + d;
}

TEST_F(BpfPlaces, FunctionsWithTheirArguments) {
  if (::access("/sys/bus/event_source/devices/uprobe/type", F_OK) != 0) GTEST_SKIP() << "this kernel has no uprobes";
  load(R"(
    #include <lathe/bpf.h>
    __u64 runs;
    __s64 values[4];
    SEC("uprobe") int BPF_UPROBE(count, int a, const char* b, long c, unsigned char d) {
      char letter = 0;
      bpf_probe_read_user(&letter, 1, b);
      values[0] = a, values[1] = letter, values[2] = c, values[3] = d;
      ++runs;
      return 0;
    }
    __s64 result;
    SEC("uretprobe") int BPF_URETPROBE(ends, long value) {
      result = value;
      return 0;
    }
    LATHE_BPF_LICENSE("GPL");)");
  if (IsSkipped() || HasFatalFailure()) return;
  const bpf::UserProbe place{.binary = "/proc/self/exe", .function = "latheProbedArguments", .process = ::getpid()};
  bpf::UserProbe end = place;
  end.onReturn = true;
  const auto first = object->program("count")->attach(place), second = object->program("ends")->attach(end);
  ASSERT_TRUE(first && second);
  const std::string text = "yes";
  const long wanted = latheProbedArguments(-3, text.c_str(), 1L << 40, 200);
  using Values = std::array<std::int64_t, 4>;
  EXPECT_EQ((**object->global<Values>("values")), (Values{-3, 'y', 1L << 40, 200}));
  EXPECT_EQ(**object->global<std::int64_t>("result"), wanted);
}

constexpr const char* iterators = R"(
  #include <lathe/bpf.h>
  struct bpf_iter_meta { seq_file* seq; };
  struct task_struct { int pid, tgid; char comm[16]; };
  struct bpf_iter__task { bpf_iter_meta* meta; task_struct* task; };
  struct bpf_iter__bpf_map_elem { bpf_iter_meta* meta; void* map; void* key; void* value; };
  lathe::bpf::hash_map<__u32, __u64, 16> counts SEC(".maps");
  enum class Kind : __u8 { task = 7 };
  SEC("iter/task") int count(bpf_iter__task* ctx) {
    const task_struct* const task = ctx->task;
    if (!task) return 0;
    char text[16] = "text";
    lathe::bpf::print_to<"{} {} {:x} {} {} {{}} 100% {} {}\n">(
        ctx->meta->seq, *lathe::bpf::field_address<&task_struct::tgid>(task), text, 0xabcULL, true, Kind::task, -5L, 'c');
    return 0;
  }
  SEC("iter/task") int classic(bpf_iter__task* ctx) {
    const task_struct* const task = ctx->task;
    if (task) BPF_SEQ_PRINTF(ctx->meta->seq, "%d\n", *lathe::bpf::field_address<&task_struct::tgid>(task));
    return 0;
  }
  SEC("iter/bpf_map_elem") int entries(bpf_iter__bpf_map_elem* ctx) {
    const __u32* const key = static_cast<const __u32*>(ctx->key);
    const __u64* const value = static_cast<const __u64*>(ctx->value);
    if (key && value) lathe::bpf::print_to<"{}={}\n">(ctx->meta->seq, *key, *value);
    return 0;
  }
  struct Texts { char made[32], classic[32]; __s64 bytes; };
  SEC("syscall") int texts(Texts* to) {
    char made[32], plain[32];
    to->bytes = lathe::bpf::format_to<"{} of {:x}">(made, -1, 255U);
    BPF_SNPRINTF(plain, sizeof(plain), "%lld %s", 1LL << 40, "b");
    __builtin_memcpy(to->made, made, sizeof(made));
    __builtin_memcpy(to->classic, plain, sizeof(plain));
    return 0;
  }
  LATHE_BPF_LICENSE("GPL");)";

TEST_F(BpfPlaces, IteratorsOfOneProcessAndOneMap) {
  load(iterators);
  if (IsSkipped() || HasFatalFailure()) return;
  const auto read = [&](const char* program, const bpf::Iterator& over) {
    const auto link = object->program(program)->attach(over);
    EXPECT_TRUE(link) << link.error().render();
    EXPECT_TRUE(link->iterates());
    const auto text = link ? link->read() : lathe::Result<std::string>("");
    EXPECT_TRUE(text) << text.error().render();
    return *text;
  };
  const std::string number = std::to_string(::getpid());
  EXPECT_EQ(read("count", {.process = ::getpid()}), number + " text abc 1 7 {} 100% -5 c\n");
  EXPECT_EQ(read("classic", {.process = ::getpid()}), number + "\n");
  EXPECT_NE(read("classic", {}).find("\n" + number + "\n"), std::string::npos);
  const auto counts = object->map<std::uint32_t, std::uint64_t>("counts");
  ASSERT_TRUE(counts && counts->set(7, 1ULL << 50));
  EXPECT_EQ(read("entries", {.map = "counts"}), "7=1125899906842624\n");
  EXPECT_FALSE(object->program("entries")->attach(bpf::Iterator{})) << "it needs a map";
  EXPECT_FALSE(object->program("entries")->attach(bpf::Iterator{.map = "count"}));

  struct Texts {
    char made[32], classic[32];
    std::int64_t bytes;
  } texts{};
  const auto done = object->program("texts")->testRun(texts);
  ASSERT_TRUE(done) << done.error().render();
  EXPECT_STREQ(texts.made, "-1 of ff");
  EXPECT_STREQ(texts.classic, "1099511627776 b");
  EXPECT_EQ(texts.bytes, 9);
}

TEST_F(BpfPlaces, LinksWithoutLibbpfArePinned) {
  PRIVATE_MACHINE_OR_SKIP();
  load(counting("tc", "0"));
  if (IsSkipped() || HasFatalFailure()) return;
  {
    auto link = object->program("count")->attach(bpf::TrafficControl{"lo"});
    ASSERT_TRUE(link) << link.error().render();
    const auto pinned = link->pin("/sys/fs/bpf/lathe_tcx");
    if (!pinned && pinned.error().code == ErrorCode::Unsupported) GTEST_SKIP() << "a kernel without tcx";
    ASSERT_TRUE(pinned) << pinned.error().render();
  }
  const std::uint64_t before = runs();
  sendToSelf();
  EXPECT_GT(runs(), before);
  ASSERT_EQ(::unlink("/sys/fs/bpf/lathe_tcx"), 0);
  object.reset();
  EXPECT_TRUE(lathe::test::isGone(id));
}

}  // namespace
