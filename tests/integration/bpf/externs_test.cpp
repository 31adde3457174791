// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the loader and the kernel give to programs: the kernel's configuration, its variables and functions, what is
// not there, tail calls and dynptrs; against what the machine's files say.
#include <gtest/gtest.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "machine.h"

namespace {

using lathe::ErrorCode;
using lathe::bpf::Object;

constexpr const char* program = R"(
  #include <lathe/bpf.h>
  struct task_struct { int tgid; };
  extern "C" {
  extern const unsigned LINUX_KERNEL_VERSION __kconfig;
  extern const bool CONFIG_BPF_SYSCALL __kconfig __weak;
  extern const bool CONFIG_NO_SUCH_OPTION __kconfig __weak;
  extern const lathe_bpf_untyped do_exit __ksym;                 // a symbol of the kernel: its address
  extern const lathe_bpf_untyped lathe_no_such_variable __ksym __weak;
  extern int lathe_no_such_function(int) __ksym __weak;
  task_struct* bpf_task_from_pid(int process) __ksym __weak;     // functions of the kernel
  void bpf_task_release(task_struct* task) __ksym __weak;
  }
  struct Arguments { __u64 version, syscall, option, variable, missing, missingFunction, dynptr, task; };

  lathe::bpf::program_array<2> next SEC(".maps");
  __u64 bytes;
  // Tail calls are not for programs that may sleep.
  SEC("xdp") int second(xdp_md*) { return XDP_TX; }
  SEC("xdp") int jump(xdp_md* packet) {
    next.jump(packet, 1);
    return XDP_PASS;
  }
  SEC("syscall") int first(Arguments* to) {
    to->version = LINUX_KERNEL_VERSION;
    to->syscall = CONFIG_BPF_SYSCALL;
    to->option = CONFIG_NO_SUCH_OPTION;
    to->variable = reinterpret_cast<__u64>(&do_exit);
    to->missing = reinterpret_cast<__u64>(&lathe_no_such_variable);
    to->missingFunction = lathe_no_such_function ? 1 : 2;
    bpf_dynptr memory;
    __u64 value = 0, in = 42;
    bpf_dynptr_from_mem(&bytes, sizeof(bytes), 0, &memory);
    bpf_dynptr_write(&memory, 0, &in, sizeof(in), 0);
    bpf_dynptr_read(&value, sizeof(value), &memory, 0, 0);
    to->dynptr = value;
    if (bpf_task_from_pid) {
      if (task_struct* const task = bpf_task_from_pid(static_cast<int>(to->task))) {
        to->task = static_cast<__u64>(lathe::bpf::field<&task_struct::tgid>(task)) + 1;
        bpf_task_release(task);
      }
    }
    return 0;
  }
  LATHE_BPF_LICENSE("GPL");)";

struct Arguments {
  std::uint64_t version, syscall, option, variable, missing, missingFunction, dynptr, task;
};

using BpfExterns = lathe::test::LoadedProgram;
TEST_F(BpfExterns, AreWhatTheMachineSays) {
  load(program);
  if (IsSkipped() || HasFatalFailure()) return;
  const auto first = object->program("first");
  ASSERT_TRUE(first) << first.error().render();
  Arguments found{};
  found.task = static_cast<std::uint64_t>(::getpid());
  auto done = first->testRun(found);
  ASSERT_TRUE(done) << done.error().render();

  utsname name{};
  ASSERT_EQ(::uname(&name), 0);
  unsigned major = 0, minor = 0, patch = 0;
  ASSERT_GE(std::sscanf(name.release, "%u.%u.%u", &major, &minor, &patch), 2);
  EXPECT_EQ(found.version, (major << 16) + (minor << 8) + std::min(patch, 255U));
  EXPECT_EQ(found.option, 0U) << "weak, and not there";
  EXPECT_EQ(found.missing, 0U);
  EXPECT_EQ(found.missingFunction, 2U);
  EXPECT_EQ(found.dynptr, 42U);
  if (major > 6 || (major == 6 && minor >= 2)) {
    EXPECT_EQ(found.task, static_cast<std::uint64_t>(::getpid()) + 1);
  }
  std::ifstream symbols("/proc/kallsyms");
  std::uint64_t address = 0;
  for (std::string line; std::getline(symbols, line);) {
    std::istringstream words(line);
    std::string kind, symbol;
    if (words >> std::hex >> address >> kind >> symbol && symbol == "do_exit") break;
  }
  if (address != 0) {
    EXPECT_EQ(found.variable, address);
  }

  // Nothing is in the array: the call goes on behind it. Then another program has the last word.
  std::array<std::byte, 64> packet{};
  const auto jump = object->program("jump");
  ASSERT_TRUE(jump) << jump.error().render();
  done = jump->testRun({.packet = packet});
  ASSERT_TRUE(done) << done.error().render();
  EXPECT_EQ(done->value, 2);
  const auto next = object->map<std::uint32_t, int>("next");
  ASSERT_TRUE(next) << next.error().render();
  const auto set = next->set(1, object->program("second")->descriptor());
  ASSERT_TRUE(set) << set.error().render();
  done = jump->testRun({.packet = packet});
  ASSERT_TRUE(done) << done.error().render();
  EXPECT_EQ(done->value, 3);
}

TEST_F(BpfExterns, ThatAreNotWeakHaveToBeThere) {
  for (const char* declaration : {"extern const int CONFIG_NO_SUCH_OPTION __kconfig;",
                                  "extern const lathe_bpf_untyped CONFIG_NO_SUCH_OPTION __ksym;"}) {
    const auto image =
        lathe::test::compileProgram(std::string("#include <lathe/bpf.h>\nextern \"C\" { ") + declaration +
                                    " }\nSEC(\"syscall\") int f(__u64* to) { *to = "
                                    "reinterpret_cast<__u64>(&CONFIG_NO_SUCH_OPTION); return 0; }\n"
                                    "LATHE_BPF_LICENSE(\"GPL\");\n");
    ASSERT_TRUE(image) << image.error().render();
    auto object = Object::open(*image);
    if (!object && object.error().code == ErrorCode::DriverMissing) GTEST_SKIP() << object.error().message;
    const auto loaded = object ? object->load() : lathe::Result<void>(object.error());
    ASSERT_FALSE(loaded) << declaration;
    if (loaded.error().code == ErrorCode::PermissionDenied) GTEST_SKIP() << loaded.error().message;
    EXPECT_NE(loaded.error().message.find("CONFIG_NO_SUCH_OPTION"), std::string::npos) << loaded.error().render();
  }
}

}  // namespace
