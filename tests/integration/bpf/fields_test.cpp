// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CO-RE by pointers to members, against what the system calls and libbpf's reading of the kernel's BTF say.
#include <gtest/gtest.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <sched.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include <lathe/bpf_types.h>

#include "machine.h"

struct btf;
extern "C" {
btf* btf__load_vmlinux_btf();
void btf__free(btf* types);
int btf__find_by_name_kind(const btf* types, const char* name, unsigned kind);
const btf_type* btf__type_by_id(const btf* types, unsigned id);
const char* btf__name_by_offset(const btf* types, unsigned offset);
int bpf_obj_get_info_by_fd(int descriptor, void* info, __u32* size);
}

namespace {

using lathe::ErrorCode;
using lathe::bpf::Object;

// The order is not the kernel's, and the last member and the last type are not there.
constexpr const char* program = R"(
  #include <lathe/bpf.h>
  struct task_struct { char comm[16]; int tgid; task_struct* real_parent; int no_such_member; };
  struct no_such_type { int member; };
  // In an unnamed union of the kernel's, and of this declaration.
  struct sk_buff { int other; struct { int more; union { void* sk; int skInt; }; }; };
  enum pid_type { PIDTYPE_SID = 40, PIDTYPE_NOT_THERE = 41 };  // other numbers than the kernel's
  struct Arguments { __u64 tgid, parent, direct, has, hasNot, bytes, at, type, size, typeNot, inUnion, number, enumerator, enumeratorNot; };
  SEC("syscall") int look(Arguments* to) {
    using namespace lathe::bpf;
    task_struct* const task = bpf_get_current_task_btf();
    to->tgid = static_cast<__u64>(field<&task_struct::tgid>(task));
    to->parent = static_cast<__u64>(field<&task_struct::real_parent, &task_struct::tgid>(task));
    to->direct = static_cast<__u64>(*field_address<&task_struct::tgid>(task));
    to->has = has_field<&task_struct::tgid>();
    to->hasNot = has_field<&task_struct::no_such_member>();
    to->bytes = field_size<&task_struct::comm>();
    to->at = field_offset<&task_struct::comm>();
    to->type = has_type<task_struct>();
    to->size = type_size<task_struct>();
    to->typeNot = has_type<no_such_type>();
    to->number = bpf_core_enum_value(pid_type, PIDTYPE_SID);
    to->enumerator = bpf_core_enum_value_exists(pid_type, PIDTYPE_SID);
    to->enumeratorNot = bpf_core_enum_value_exists(pid_type, PIDTYPE_NOT_THERE);
    to->inUnion = field_offset<&sk_buff::sk>();
    return 0;
  }
  LATHE_BPF_LICENSE("GPL");)";

struct Arguments {
  std::uint64_t tgid, parent, direct, has, hasNot, bytes, at, type, size, typeNot, inUnion, number, enumerator,
      enumeratorNot;
};

/// The kernel's offset of a member in bytes, as libbpf reads it; members of unnamed ones too. -1: none.
int offsetIn(const btf* types, const btf_type* structure, std::string_view name) {
  const auto* const members = reinterpret_cast<const btf_member*>(structure + 1);
  for (unsigned i = 0; i < BTF_INFO_VLEN(structure->info); ++i) {
    const int bits = static_cast<int>(BTF_INFO_KFLAG(structure->info) ? BTF_MEMBER_BIT_OFFSET(members[i].offset)
                                                                      : members[i].offset);
    const std::string_view own = btf__name_by_offset(types, members[i].name_off);
    if (own == name) return bits / 8;
    const btf_type* const inner = btf__type_by_id(types, members[i].type);
    const unsigned kind = BTF_INFO_KIND(inner->info);
    if (!own.empty() || (kind != BTF_KIND_STRUCT && kind != BTF_KIND_UNION)) continue;
    if (const int found = offsetIn(types, inner, name); found >= 0) return bits / 8 + found;
  }
  return -1;
}

using BpfFields = lathe::test::LoadedProgram;
TEST_F(BpfFields, AreTheKernels) {
  load(program);
  if (IsSkipped() || HasFatalFailure()) return;
  Arguments found{};
  const auto done = object->program("look")->testRun(found);
  ASSERT_TRUE(done) << done.error().render();

  const std::unique_ptr<btf, void (*)(btf*)> types(btf__load_vmlinux_btf(), btf__free);
  ASSERT_NE(types, nullptr);
  const auto structure = [&](const char* name) {
    const int id = btf__find_by_name_kind(types.get(), name, BTF_KIND_STRUCT);
    return btf__type_by_id(types.get(), static_cast<unsigned>(id));
  };
  EXPECT_EQ(found.tgid, static_cast<std::uint64_t>(::getpid()));
  EXPECT_EQ(found.direct, static_cast<std::uint64_t>(::getpid()));
  EXPECT_EQ(found.parent, static_cast<std::uint64_t>(::getppid()));
  EXPECT_EQ(found.has, 1U);
  EXPECT_EQ(found.hasNot, 0U);
  EXPECT_EQ(found.bytes, 16U);
  EXPECT_EQ(found.at, static_cast<std::uint64_t>(offsetIn(types.get(), structure("task_struct"), "comm")));
  EXPECT_EQ(found.type, 1U);
  EXPECT_EQ(found.size, structure("task_struct")->size);
  EXPECT_EQ(found.typeNot, 0U);
  const int numbers = btf__find_by_name_kind(types.get(), "pid_type", BTF_KIND_ENUM);
  const btf_type* const enumeration = btf__type_by_id(types.get(), static_cast<unsigned>(numbers));
  ASSERT_NE(enumeration, nullptr);
  const auto* const enumerators = reinterpret_cast<const btf_enum*>(enumeration + 1);
  for (unsigned i = 0; i < BTF_INFO_VLEN(enumeration->info); ++i) {
    if (std::string_view(btf__name_by_offset(types.get(), enumerators[i].name_off)) == "PIDTYPE_SID") {
      EXPECT_EQ(found.number, static_cast<std::uint64_t>(enumerators[i].val));
    }
  }
  EXPECT_NE(found.number, 40U);
  EXPECT_EQ(found.enumerator, 1U);
  EXPECT_EQ(found.enumeratorNot, 0U);
  EXPECT_EQ(found.inUnion, static_cast<std::uint64_t>(offsetIn(types.get(), structure("sk_buff"), "sk")));
}

/// The instructions that the kernel runs, as it shows them.
std::vector<bpf_insn> loadedCode(const Object& object, const char* name) {
  const auto program = object.program(name);
  if (!program) return {};
  bpf_prog_info facts{};
  __u32 size = sizeof(facts);
  if (bpf_obj_get_info_by_fd(program->descriptor(), &facts, &size) != 0) return {};
  std::vector<bpf_insn> code(facts.xlated_prog_len / sizeof(bpf_insn));
  const __u32 bytes = facts.xlated_prog_len;
  facts = {};
  facts.xlated_prog_len = bytes;
  facts.xlated_prog_insns = reinterpret_cast<std::uintptr_t>(code.data());
  if (bpf_obj_get_info_by_fd(program->descriptor(), &facts, &size) != 0) return {};
  return code;
}

/// What libbpf makes of all types of the kernel, or of those in a file. Empty where no program may be loaded.
std::vector<bpf_insn> codeBy(const lathe::Image& image, const std::string& types) {
  auto object = Object::open(image, {.kernelTypes = types});
  if (!object || !object->load()) return {};
  return loadedCode(*object, "look");
}

bool isEqual(const std::vector<bpf_insn>& a, const std::vector<bpf_insn>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(bpf_insn)) == 0;
}

constexpr const char* kernelFile = "/sys/kernel/btf/vmlinux";

// What a name stands for decides: flavours, structures in structures, arrays, pointers to functions, modules' types.
constexpr const char* places = R"(
  #include <lathe/bpf.h>
  struct list_head { list_head* next; };
  struct task_struct___flavoured { list_head tasks; void* stack; };
  struct file_operations { int (*flush)(void*, void*); };
  struct thread_info___other { __u32 cpu; };
  struct task_struct { thread_info___other thread_info; unsigned char comm[16]; };
  typedef struct { int counter; } atomic_t;
  struct mm_struct { struct { atomic_t mm_count; }; };
  SEC("syscall") int look(__u64* to) {
    using namespace lathe::bpf;
    to[0] = field_offset<&task_struct___flavoured::tasks>() + field_offset<&task_struct___flavoured::stack>();
    to[1] = field_offset<&file_operations::flush>() + field_size<&mm_struct::mm_count>();
    to[2] = field_offset<&task_struct::thread_info>() + field_size<&task_struct::comm>();
    to[3] = bpf_core_type_exists(atomic_t) + type_size<list_head>() + has_field<&list_head::next>();
    return 0;
  }
  LATHE_BPF_LICENSE("GPL");)";

TEST_F(BpfFields, NeedAPartOfTheKernelsTypesOnly) {
  for (const char* const text : {program, places}) {
    const auto image = lathe::test::compileProgram(text);
    ASSERT_TRUE(image) << image.error().render();
    const auto wanted = codeBy(*image, kernelFile);
    if (wanted.empty()) GTEST_SKIP() << "the kernel shows no types, or this process may not load programs";
    EXPECT_TRUE(isEqual(codeBy(*image, {}), wanted));
    const auto kernel = lathe::bpf::Types::ofKernel();
    ASSERT_TRUE(kernel) << kernel.error().render();
    const auto part = kernel->reducedFor(image->code().front().bytes);
    ASSERT_TRUE(part) << part.error().render();
    EXPECT_LT(part->size() * 20, std::filesystem::file_size(kernelFile));
    const std::string file = testing::TempDir() + "lathe_reduced_types.btf";
    std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(part->data()), std::ssize(*part));
    EXPECT_TRUE(isEqual(codeBy(*image, file), wanted));
    std::filesystem::remove(file);
  }
}

// A part has other numbers.
TEST_F(BpfFields, NumbersOfTypesAreTheKernels) {
  load(R"(
    #include <lathe/bpf.h>
    struct task_struct { int tgid; };
    SEC("syscall") int look(__u64* to) {
      *to = bpf_core_type_id_kernel(struct task_struct);
      return 0;
    }
    LATHE_BPF_LICENSE("GPL");)");
  if (IsSkipped() || HasFatalFailure()) return;
  std::uint64_t number = 0;
  ASSERT_TRUE(object->program("look")->testRun(number));
  const std::unique_ptr<btf, void (*)(btf*)> types(btf__load_vmlinux_btf(), btf__free);
  EXPECT_EQ(static_cast<int>(number), btf__find_by_name_kind(types.get(), "task_struct", BTF_KIND_STRUCT));
}

TEST_F(BpfFields, ObjectsWithoutThemNeedNoTypes) {
  const auto image = lathe::test::compileProgram(
      "#include <lathe/bpf.h>\nSEC(\"syscall\") int look(int*) { return 0; }\nLATHE_BPF_LICENSE(\"GPL\");");
  ASSERT_TRUE(image) << image.error().render();
  const auto kernel = lathe::bpf::Types::ofKernel();
  if (!kernel) GTEST_SKIP() << kernel.error().message;
  const auto part = kernel->reducedFor(image->code().front().bytes);
  ASSERT_FALSE(part);
  EXPECT_EQ(part.error().code, ErrorCode::InvalidArgument);
  const auto damaged = kernel->reducedFor(std::vector<std::byte>(100));
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::ImageCorrupt);
}

TEST_F(BpfFields, OfArraysAreAddresses) {
  const auto image = lathe::test::compileProgram(R"(
    #include <lathe/bpf.h>
    struct task_struct { char comm[16]; };
    SEC("syscall") int look(int*) {
      lathe::bpf::field<&task_struct::comm>(bpf_get_current_task_btf());
      return 0;
    }
    LATHE_BPF_LICENSE("GPL");)");
  ASSERT_FALSE(image);
  EXPECT_NE(image.error().render().find("an array is read from field_address"), std::string::npos)
      << image.error().render();
}

/// Plain accesses in C++, to declarations whose members are not where the kernel has them. The numbers are the
/// process's.
constexpr const char* plainAccesses = R"(
  #include <lathe/bpf.h>
  // Declared by <lathe/bpf.h>, and what one of its members points to.
  struct nsproxy;
  struct pid_namespace;
  struct task_struct { int tgid; char comm[16]; task_struct* group_leader; nsproxy* nsproxy; };
  struct nsproxy { pid_namespace* pid_ns_for_children; };
  struct pid_namespace { unsigned level; };
  // By the attribute.
  struct cgroup { int level; } __attribute__((preserve_access_index));
  struct css_set { cgroup* dfl_cgrp; } __attribute__((preserve_access_index));
  // No type of the kernel's: its members stay where they are.
  struct Arguments { __u64 tgid, leader, level; };
  SEC("syscall") int look(Arguments* to) {
    task_struct* const task = bpf_get_current_task_btf();
    to->tgid = static_cast<__u64>(task->tgid);
    to->leader = static_cast<__u64>(task->group_leader->tgid);
    to->level = task->nsproxy->pid_ns_for_children->level;
    return 0;
  }
  // A pointer of the kernel's in a map.
  extern "C" task_struct* bpf_task_acquire(task_struct* task) __ksym;
  extern "C" void bpf_task_release(task_struct* task) __ksym;
  struct Kept { task_struct __attribute__((btf_type_tag("kptr")))* task; };
  lathe::bpf::array_map<Kept, 1> kept SEC(".maps");
  SEC("syscall") int keep(Arguments* to) {
    Kept* const slot = kept.lookup(0);
    task_struct* const task = slot ? bpf_task_acquire(bpf_get_current_task_btf()) : nullptr;
    if (!task) return 1;
    to->tgid = static_cast<__u64>(task->tgid);
    if (void* const old = bpf_kptr_xchg(&slot->task, task)) bpf_task_release(static_cast<task_struct*>(old));
    return 0;
  }
  LATHE_BPF_LICENSE("GPL");)";

class BpfKernelTypes : public lathe::test::LoadedProgram {};

TEST_F(BpfKernelTypes, AreRelocatedInPlainAccesses) {
  load(plainAccesses);
  if (IsSkipped() || HasFatalFailure()) return;
  struct {
    std::uint64_t tgid = 0, leader = 0, level = 99;
  } arguments;
  ASSERT_TRUE(object->program("look")->testRun(arguments));
  const auto process = static_cast<std::uint64_t>(getpid());
  EXPECT_EQ(arguments.tgid, process);
  EXPECT_EQ(arguments.leader, process);
  EXPECT_LT(arguments.level, 32U);  // the kernel's MAX_PID_NS_LEVEL
  arguments.tgid = 0;
  for (int again = 0; again < 2; ++again) ASSERT_TRUE(object->program("keep")->testRun(arguments));
  EXPECT_EQ(arguments.tgid, process);
}

/// Bit-fields and the macros of libbpf that write into a place, in both languages.
using BpfMacros = lathe::test::LoadedProgram;
TEST_F(BpfMacros, ReadBitFieldsAndIntoPlaces) {
  const std::string source = R"(
    #include <lathe/bpf.h>
    // Another place than the kernel's.
    struct signal_struct { int nr_threads; };
    struct task_struct {
      unsigned before : 9, sched_reset_on_fork : 1;
      int tgid;
      char comm[16];
      struct task_struct *real_parent, *group_leader;
      struct signal_struct* signal;
    };
    struct arguments { __u64 probed, direct, into, steps; char comm[16]; };
    SEC("syscall") int look(struct arguments* to) {
      struct task_struct* const task = (struct task_struct*)bpf_get_current_task_btf();
      int tgid = 0;
      to->probed = BPF_CORE_READ_BITFIELD_PROBED(task, sched_reset_on_fork);
      to->direct = BPF_CORE_READ_BITFIELD(task, sched_reset_on_fork);
      BPF_CORE_READ_INTO(&tgid, task, group_leader, group_leader, tgid);
      to->into = tgid;
      to->steps = BPF_CORE_READ(task, group_leader, group_leader, group_leader, group_leader, group_leader, group_leader,
                                group_leader, group_leader, tgid);
      char comm[16] = {};
      const int length = BPF_CORE_READ_STR_INTO(&comm, task, group_leader, comm);
      __builtin_memcpy(to->comm, comm, sizeof comm);
      return length;
    }
    LATHE_BPF_LICENSE("GPL");)";
  struct Arguments {
    std::uint64_t probed, direct, into, steps;
    char comm[16];
  };
  for (const char* name : {"macros.bpf.c", "macros.bpf.cpp"}) {
    SCOPED_TRACE(name);
    load(source, name);
    if (IsSkipped() || HasFatalFailure()) return;
    for (const int flag : {0, SCHED_RESET_ON_FORK}) {
      const sched_param none{};
      ASSERT_EQ(::sched_setscheduler(0, SCHED_OTHER | flag, &none), 0);
      Arguments arguments{};
      const auto done = object->program("look")->testRun(arguments);
      ASSERT_TRUE(done) << done.error().render();
      EXPECT_EQ(arguments.probed, flag ? 1U : 0U) << name;
      EXPECT_EQ(arguments.direct, flag ? 1U : 0U) << name;
      EXPECT_EQ(arguments.into, static_cast<std::uint64_t>(getpid())) << name;
      EXPECT_EQ(arguments.steps, static_cast<std::uint64_t>(getpid())) << name;
      EXPECT_EQ(done->value, static_cast<int>(std::strlen(arguments.comm)) + 1) << name;
    }
  }
}

}  // namespace
