// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs attached to each kind of place that this kernel has, in mount and network namespaces of the test's own; that
// they run there; and that nothing is left, by the kernel's own list, however they end.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>

#include "counting_program.h"

namespace {

using lathe::ErrorCode;
using lathe::Result;
using lathe::test::counting;
using lathe::test::sendToSelf;
using lathe::test::sleepShortly;
namespace bpf = lathe::bpf;

using BpfLink = lathe::test::CountingProgram;

extern "C" __attribute__((noinline)) int latheProbedFunction(int value) {
  asm volatile("" : "+r"(value));
  return value + 1;
}

TEST_F(BpfLink, RawTracepoint) {
  expectRuns("raw_tp/sched_switch", "0", bySection, sleepShortly);
}

TEST_F(BpfLink, Tracepoint) {
  PRIVATE_MACHINE_OR_SKIP();
  expectRuns("tp/sched/sched_switch", "0", bySection, sleepShortly);
}

TEST_F(BpfLink, TypedTracepoint) {
  expectRuns("tp_btf/sched_switch", "0", bySection, sleepShortly);
}

TEST_F(BpfLink, UserFunction) {
  if (::access("/sys/bus/event_source/devices/uprobe/type", F_OK) != 0) GTEST_SKIP() << "this kernel has no uprobes";
  for (const bool onReturn : {false, true}) {
    expectRuns(
        "uprobe", "0",
        [&](const bpf::Program& program) {
          return program.attach(bpf::UserProbe{.binary = "/proc/self/exe",
                                               .function = "latheProbedFunction",
                                               .onReturn = onReturn,
                                               .process = ::getpid()});
        },
        [] { latheProbedFunction(1); });
  }
}

extern "C" __attribute__((noinline)) int latheOtherProbedFunction(int value) {
  asm volatile("" : "+r"(value));
  return value + 2;
}

TEST_F(BpfLink, UserFunctionsByOneLink) {
  if (::access("/sys/bus/event_source/devices/uprobe/type", F_OK) != 0) GTEST_SKIP() << "this kernel has no uprobes";
  const auto probes = [](bool onReturn, const std::string& second) {
    return bpf::UserProbes{.binary = "/proc/self/exe",
                           .functions = {"latheProbedFunction", second},
                           .onReturn = onReturn,
                           .process = ::getpid()};
  };
  for (const bool onReturn : {false, true}) {
    // Once each: both functions have the program.
    for (const auto& call : {latheProbedFunction, latheOtherProbedFunction}) {
      expectRuns(
          onReturn ? "uretprobe.multi" : "uprobe.multi", "0",
          [&](const bpf::Program& program) { return program.attach(probes(onReturn, "latheOtherProbedFunction")); },
          [&] { call(1); });
      if (IsSkipped() || HasFatalFailure()) return;
    }
  }
  // By the section, with all functions of a pattern.
  expectRuns("uprobe.multi//proc/self/exe:lathe*ProbedFunction", "0", bySection, [this] {
    const std::uint64_t before = runs();
    latheProbedFunction(1);
    latheOtherProbedFunction(1);
    const std::uint64_t came = runs() - before;
    EXPECT_TRUE(came == 0 || came == 2) << came;
  });
  if (IsSkipped() || HasFatalFailure()) return;
  load(counting("uprobe.multi//proc/self/exe:nobodys*Function", "0"));
  EXPECT_EQ(object->program("count")->attach().error().code, ErrorCode::InvalidArgument);
  load(counting("uprobe.multi", "0"));
  if (IsSkipped() || HasFatalFailure()) return;
  const auto missing = object->program("count")->attach(probes(false, "latheOtherProbedFunctiom"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::InvalidArgument);
  EXPECT_NE(missing.error().message.find("did you mean 'latheOtherProbedFunction'?"), std::string::npos)
      << missing.error().message;
  EXPECT_FALSE(object->program("count")->attach(bpf::UserProbes{.binary = "/nonexistent", .functions = {"f"}}));
  // One probe's section has another kind of link.
  load(counting("uprobe", "0"));
  if (IsSkipped() || HasFatalFailure()) return;
  const auto wrong = object->program("count")->attach(probes(false, "latheOtherProbedFunction"));
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().hint.find("uprobe.multi"), std::string::npos) << wrong.error().render();
}

/// A function of a loaded program is replaced by another program's; a locked-down kernel refuses such programs.
TEST_F(BpfLink, ReplacedFunction) {
  load(
      "#include <lathe/bpf.h>\nextern \"C\" __noinline int verdict(xdp_md* packet) { asm volatile(\"\" : "
      "\"+r\"(packet)); "
      "return XDP_DROP; }\n__u64 runs;\nSEC(\"xdp\") int count(xdp_md* packet) { return verdict(packet); }\n"
      "LATHE_BPF_LICENSE(\"GPL\");\n");
  if (IsSkipped() || HasFatalFailure()) return;
  const auto target = *object->program("count");
  const auto image = lathe::test::compileProgram(
      "#include <lathe/bpf.h>\nSEC(\"freplace\") int other(xdp_md*) { return XDP_PASS; "
      "}\nLATHE_BPF_LICENSE(\"GPL\");\n");
  ASSERT_TRUE(image) << image.error().render();
  auto replacing = bpf::Object::open(*image);
  ASSERT_TRUE(replacing) << replacing.error().render();
  const auto program = *replacing->program("other");
  {
    auto unsaid = bpf::Object::open(*image);
    ASSERT_TRUE(unsaid) << unsaid.error().render();
    const auto refused = unsaid->load();
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().hint.find("Program::replaces()"), std::string::npos) << refused.error().render();
  }
  const auto noSuch = program.replaces(target, "no_such_function");
  const auto said = program.replaces(target, "verdict");
  ASSERT_TRUE(said) << said.error().render();
  EXPECT_FALSE(noSuch);
  const auto loaded = replacing->load();
  if (!loaded && loaded.error().code == ErrorCode::PermissionDenied) GTEST_SKIP() << loaded.error().render();
  ASSERT_TRUE(loaded) << loaded.error().render();
  std::vector<std::byte> packet(64);
  EXPECT_EQ(target.testRun({.packet = packet})->value, 1);  // XDP_DROP
  const auto link = program.attach();
  ASSERT_TRUE(link) << link.error().render();
  EXPECT_EQ(target.testRun({.packet = packet})->value, 2);  // XDP_PASS
}

TEST_F(BpfLink, Samples) {
  expectRuns(
      "perf_event", "0", [](const bpf::Program& program) { return program.attach(bpf::Samples{.perSecond = 997}); },
      [] {
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
        for (volatile int i = 0; std::chrono::steady_clock::now() < end;) i = i + 1;
      });
}

TEST_F(BpfLink, PacketsBeforeTheStack) {
  PRIVATE_MACHINE_OR_SKIP();
  expectRuns("xdp", "XDP_PASS", [](const bpf::Program& program) { return program.attach(bpf::Xdp{"lo"}); }, sendToSelf);
}

TEST_F(BpfLink, PacketsOfAnInterface) {
  PRIVATE_MACHINE_OR_SKIP();
  for (const bool classic : {false, true}) {
    for (const bool egress : {false, true}) {
      expectRuns(
          "tc", "0",
          [&](const bpf::Program& program) { return program.attach(bpf::TrafficControl{"lo", egress, classic}); },
          sendToSelf);
      if (IsSkipped() || HasFatalFailure()) return;
    }
  }
}

TEST_F(BpfLink, Socket) {
  PRIVATE_MACHINE_OR_SKIP();
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(4242);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&at), sizeof(at)), 0);
  expectRuns(
      "socket", "-1", [&](const bpf::Program& program) { return program.attach(bpf::Socket{socket}); }, sendToSelf);
  ::close(socket);
}

TEST_F(BpfLink, Cgroup) {
  PRIVATE_MACHINE_OR_SKIP();
  char name[] = "/tmp/lathe_cgroup_XXXXXX";
  ASSERT_NE(::mkdtemp(name), nullptr);
  const std::filesystem::path root(name);
  if (::mount("cgroup2", root.c_str(), "cgroup2", 0, nullptr) != 0) {
    std::filesystem::remove(root);
    GTEST_SKIP() << "no cgroup2 here: " << std::strerror(errno);
  }
  const std::filesystem::path group = root / ("lathe_test_" + std::to_string(::getpid()));
  std::filesystem::create_directory(group);
  const auto moveTo = [](const std::filesystem::path& folder) {
    const int file = ::open((folder / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC);
    const bool moved = ::write(file, "0", 1) == 1;
    ::close(file);
    return moved;
  };
  if (moveTo(group))
    expectRuns(
        "cgroup_skb/egress", "1", [&](const bpf::Program& program) { return program.attach(bpf::Cgroup{group}); },
        sendToSelf);
  (void)moveTo(root);
  std::filesystem::remove(group);
  ::umount(root.c_str());
  std::filesystem::remove(root);
}

TEST_F(BpfLink, IteratorIsRead) {
  load(R"(
    #include <lathe/bpf.h>
    struct seq_file;
    struct bpf_iter_meta { seq_file* seq; };
    struct bpf_iter__task { bpf_iter_meta* meta; void* task; };
    SEC("iter/task") int count(bpf_iter__task* ctx) {
      seq_file* const out = ctx->meta->seq;
      const char text[4] = {'t', 'a', 's', 'k'};
      if (ctx->task) bpf_seq_write(out, text, sizeof(text));
      return 0;
    }
    LATHE_BPF_LICENSE("GPL");)");
  if (IsSkipped() || HasFatalFailure()) return;
  const auto link = object->program("count")->attach();
  ASSERT_TRUE(link) << link.error().render();
  const auto text = link->read();
  ASSERT_TRUE(text) << text.error().render();
  EXPECT_TRUE(text->starts_with("tasktask")) << *text;
}

TEST_F(BpfLink, PinnedLinksStayUntilTheFileGoes) {
  PRIVATE_MACHINE_OR_SKIP();
  load(counting("raw_tp/sched_switch", "0"));
  if (IsSkipped() || HasFatalFailure()) return;
  {
    auto link = object->program("count")->attach();
    ASSERT_TRUE(link);
    const auto pinned = link->pin("/sys/fs/bpf/lathe_link");
    ASSERT_TRUE(pinned) << pinned.error().render();
  }
  const std::uint64_t before = runs();
  sleepShortly();
  EXPECT_GT(runs(), before);
  ASSERT_EQ(::unlink("/sys/fs/bpf/lathe_link"), 0);
  object.reset();
  EXPECT_TRUE(lathe::test::isGone(id));
}

TEST_F(BpfLink, WrongPlacesAreNamed) {
  PRIVATE_MACHINE_OR_SKIP();
  load(counting("xdp", "XDP_PASS"));
  if (IsSkipped() || HasFatalFailure()) return;
  const auto program = object->program("count");
  const auto wrong = [&](const bpf::AttachPoint& point) {
    auto link = program->attach(point);
    EXPECT_FALSE(link) << bpf::describe(point);
    return link ? lathe::Error{} : link.error();
  };
  EXPECT_EQ(wrong(bpf::Xdp{"no_such_0"}).message,
            "program 'count': attaching it to xdp:no_such_0: there is no network interface 'no_such_0' in this network "
            "namespace");
  EXPECT_EQ(wrong(bpf::Tracepoint{"sched", "sched_switch"}).message,
            "program 'count': attaching it to tp:sched:sched_switch: the place takes programs of type tracepoint, and "
            "this one's is xdp");
  EXPECT_EQ(wrong(bpf::Socket{0}).code, ErrorCode::InvalidArgument);
  EXPECT_EQ(wrong(bpf::Cgroup{"/nonexistent"}).code, ErrorCode::InvalidArgument);
  EXPECT_EQ(wrong(bpf::RawTracepoint{"no_such_tracepoint"}).code, ErrorCode::InvalidArgument);
  EXPECT_EQ(wrong(bpf::Tracepoint{"no", "such"}).code, ErrorCode::InvalidArgument);
  wrong(bpf::UserProbe{.binary = "/nonexistent", .function = "f"});
  wrong(bpf::Iterator{});
  const auto first = program->attach(bpf::Xdp{"lo"});
  ASSERT_TRUE(first);
  EXPECT_EQ(wrong(bpf::Xdp{"lo"}).code, ErrorCode::InvalidArgument);
  EXPECT_FALSE(program->attach());
}

TEST_F(BpfLink, RunsAreCounted) {
  load(counting("raw_tp/sched_switch", "0"));
  if (IsSkipped() || HasFatalFailure()) return;
  const auto counting = bpf::Statistics::enable();
  ASSERT_TRUE(counting) << counting.error().render();
  const auto link = object->program("count")->attach();
  ASSERT_TRUE(link);
  sleepShortly();
  const auto counts = object->program("count")->counts();
  ASSERT_TRUE(counts);
  EXPECT_GE(counts->runs, 5U);
  EXPECT_GT(counts->nanoseconds, 0U);
}

TEST(AttachPoints, AreReadAsTheyAreWritten) {
  for (const char* text : {"tp:sched:sched_switch",
                           "raw_tp:sys_enter",
                           "kprobe:vfs_open",
                           "kretprobe:vfs_open",
                           "uprobe:/bin/sh:main",
                           "uretprobe:libc.so.6:malloc",
                           "uprobe:/bin/sh:0x1234",
                           "usdt:/bin/x:provider:name",
                           "uprobe.multi:/bin/sh:main,exit",
                           "uretprobe.multi:/bin/sh:main",
                           "samples:99",
                           "xdp:eth0",
                           "ingress:eth0",
                           "egress:eth0",
                           "cgroup:/sys/fs/cgroup/a",
                           "netns:/proc/self/ns/net",
                           "xdp.generic:eth0",
                           "xdp.native:eth0",
                           "xdp.offloaded:eth0",
                           "sockmap:socks",
                           "iter",
                           "iter:map:counts",
                           "iter:process:7"}) {
    const auto point = bpf::parseAttachPoint(text);
    ASSERT_TRUE(point) << text;
    EXPECT_EQ(bpf::describe(*point), text);
  }
  for (const char* text : {"", "xdp", "xdp:", "tp:sched", "uprobe:/bin/sh", "samples:0", "samples:x", "iter:x",
                           "iter:process:x", "iter:process:0", "iter:map:", "sockmap:", "xdp.fast:eth0", "other:x"})
    EXPECT_FALSE(bpf::parseAttachPoint(text)) << text;
}

}  // namespace
