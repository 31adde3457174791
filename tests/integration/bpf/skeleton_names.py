# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Skeletons of programs whose names mean something else to the host: keywords of C++, macros, members of the skeleton's
# own class, types of the program's own headers and of libbpf's, unnamed structures, enumerations with the same
# enumerators. Both kinds of skeleton are compiled by all compilers, run, and compared with bpftool's. Usage:
# skeleton_names.py LATHE SOURCE_FOLDER BUILD_FOLDER RUNTIME_LIBRARY
import os
import re
import shutil
import subprocess
import sys
import tempfile

lathe, root, build, runtime = sys.argv[1:]

OWN_HEADER = """
#ifndef OWN_H
#define OWN_H
struct hist { unsigned slots[4]; unsigned long long total; };
enum op { READ_, WRITE_, OPS };
typedef struct { int level; char name[5]; } settings;
#endif
"""
IN_C = r"""
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include "own.h"
typedef __u64 u64;
struct class { int new; struct { int delete; union { int this; char operator; }; } template; };
struct hist hist = {}, hists[OPS];
enum op current = WRITE_;
settings kept = {4, "kept"};
const volatile struct { int level; char name[5]; } cfg = {2, "hey"};
struct { short first; char second; } pairs[2];
enum { OFF, ON } state = ON;
struct class private = {.new = 5};
struct hist *virtual;
u64 sum;
int new = 3, namespace, errno, linux, unix, bytes, open, object = 1, and, bool, Skeleton, object_, std, lathe, union_;
static volatile int hidden = 7;
extern enum libbpf_tristate CONFIG_BPF_EVENTS __kconfig __weak;
struct { __uint(type, BPF_MAP_TYPE_HASH); __uint(max_entries, 4); __type(key, int); __type(value, struct class); } friend SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(max_entries, 2); __type(key, int); __type(value, struct { int x; }); } maps SEC(".maps");
struct { __uint(type, BPF_MAP_TYPE_ARRAY); __uint(max_entries, 2); __type(key, int); __type(value, int); } progs SEC(".maps");
SEC("syscall") int delete(int *c) {
  new += *c;
  hist.total += new + hidden + cfg.level + (CONFIG_BPF_EVENTS == TRI_YES) + and + bool;
  hists[WRITE_].slots[1] = kept.level + pairs[1].first + state + errno + linux + unix + object;
  sum = private.new + (virtual != 0) + bytes + open + namespace + Skeleton + object_ + std + lathe + union_;
  return current;
}
SEC("syscall") int load(int *c) { return 11; }
SEC("syscall") int attach(int *c) { return 12; }
SEC("syscall") int detach(int *c) { return 13; }
char _license[] SEC("license") = "GPL";
"""
IN_CXX = r"""
#include <lathe/bpf.h>
enum class Mode : __u8 { none, slow = 200 };
enum class Color { none, red };
enum Plain : __s64 { low = -5, high = 1LL << 40 };
namespace events { struct Event { Mode mode; Color color; int number; }; __u64 total; lathe::bpf::array_map<__u64, 2> sums SEC(".maps"); }
namespace one { __u64 twin = 1; } namespace two { static __u64 twin = 2; }
namespace other { struct Event { __u64 both; }; }
struct event { int value; };
template <class T> struct Box { T value; };
events::Event first; other::Event second; struct event event; Box<int> box; Box<__u64> boxes[2];
Mode bytes = Mode::slow; Color open; Plain plain = high; char8_t letter = 'x'; char16_t wide = 'y'; int restrict = 6;
volatile struct { int a, b; } unnamed = {1, 2};
static int object = 3;
const volatile Color object_ = Color::red;
lathe::bpf::hash_map<Mode, events::Event, 4> detach SEC(".maps");
lathe::bpf::ring_buffer<4096, other::Event> Skeleton SEC(".maps");
SEC("syscall") int load(struct event* context) {
  object += context->value;
  events::total += object + box.value + boxes[1].value + unnamed.b + restrict;
  first.color = open;
  second.both = plain + letter + wide;
  if (__u64* const sum = events::sums.lookup(1)) *sum = one::twin++ + two::twin++;
  event.value = static_cast<int>(bytes) + static_cast<int>(object_);
  return 21;
}
LATHE_BPF_LICENSE("GPL");
"""
# The same for C and C++, with and without the skeleton's own definitions.
USE_C = r"""
#ifndef LATHE_SKELETON_TYPES
#include "own.h"
struct class_of_program;
#endif
#include "names.skel.h"
#include <bpf/bpf.h>
#include <stdio.h>
#ifdef __cplusplus
#define WORD(name) name##_
#else
#define WORD(name) name
#endif
int main(void) {
  struct names *skel = names__open();
  if (!skel) return 3;
  skel->rodata->cfg.level = 5;
  skel->data->WORD(new) = 4;
  if (names__load(skel)) return errno == EPERM ? 77 : 4;
  int add = 1;
  LIBBPF_OPTS(bpf_test_run_opts, options, .ctx_in = &add, .ctx_size_in = sizeof(add));
  if (bpf_prog_test_run_opts(bpf_program__fd(skel->progs.WORD(delete)), &options) || options.retval != WRITE_) return 5;
  const int tristate = skel->kconfig->CONFIG_BPF_EVENTS == TRI_YES;
  if (skel->data->WORD(new) != 5 || skel->bss->hist.total != 5u + 7u + 5u + (unsigned)tristate) return 6;
  if (skel->bss->hists[WRITE_].slots[1] != 4 + 1 + 1 || skel->bss->sum != 5 || skel->data->WORD(private).WORD(new) != 5) return 7;
  skel->data->kept.level = 1;
  if (bpf_map__max_entries(skel->maps.WORD(friend)) != 4 || bpf_map__max_entries(skel->maps.maps) != 2) return 8;
  if (bpf_prog_test_run_opts(bpf_program__fd(skel->progs.load), &options) || options.retval != 11) return 9;
  names__destroy(skel);
  return 0;
}
"""
USE_CXX = r"""
#include "names.h"
int main() {
  auto skeleton = names::Skeleton::open();
  if (!skeleton) return 3;
  (*skeleton->cfg())->level = 5;
  **skeleton->new_() = 4;
  const auto loaded = skeleton->load();
  if (!loaded) return loaded.error().code == lathe::ErrorCode::PermissionDenied ? 77 : 4;
  int add = 1;
  const auto ran = skeleton->delete_()->testRun(add);
  if (!ran || ran->value != names::WRITE_ || **skeleton->new_() != 5) return 5;
  const names::hist& hist = **skeleton->hist();
  if (hist.total != 5u + 7u + 5u + 1u && hist.total != 5u + 7u + 5u) return 6;
  if ((**skeleton->hists())[names::WRITE_].slots[1] != 6 || **skeleton->sum() != 5) return 7;
  const names::class_& own = **skeleton->private_();
  static_assert(sizeof(own.template_.delete_) == 4 && sizeof(own.template_.this_) == 4 && sizeof(own.template_.operator_) == 1);
  names::class_ value{};
  value.new_ = 9;
  if (own.new_ != 5 || !skeleton->friend_()->set(1, value) || skeleton->friend_()->find(1)->value().new_ != 9) return 8;
  if (!skeleton->maps()->set(1, names::maps_value{7})) return 9;
  if (**skeleton->bytes() != 0 || **skeleton->open_() != 0 || **skeleton->object_() != 1 || **skeleton->errno_() != 0 || **skeleton->linux_() != 0) return 10;
  if ((*skeleton->pairs())->at(1).first != 0 || **skeleton->state() != names::ON || (*skeleton->kept())->level != 4) return 11;
  if (skeleton->load_()->testRun(add)->value != 11 || skeleton->attach_()->testRun(add)->value != 12 || skeleton->detach_()->testRun(add)->value != 13) return 12;
  const auto* const pointer = *skeleton->virtual_();
  return *pointer == nullptr && **skeleton->hidden() == 7 && **skeleton->Skeleton_() == 0 && **skeleton->object__() == 0 ? 0 : 13;
}
"""
USE_OF_CXX = r"""
#include <type_traits>
#include "names.h"
static_assert(!std::is_convertible_v<names::Mode, int> && !std::is_convertible_v<names::Color, int>);
static_assert(std::is_same_v<std::underlying_type_t<names::Mode>, unsigned char> && names::low == -5 && names::high == 1LL << 40);
int main() {
  auto skeleton = names::Skeleton::open();
  if (!skeleton) return 3;
  const auto loaded = skeleton->load();
  if (!loaded) return loaded.error().code == lathe::ErrorCode::PermissionDenied ? 77 : 4;
  names::event context{4};
  if (skeleton->load_()->testRun(context)->value != 21) return 5;
  if (**skeleton->object_() != names::Color::red || **skeleton->object__() != 7) return 6;
  if (**skeleton->total() != 7 + 2 + 6 || skeleton->sums()->find(1)->value() != 3) return 7;
  if (**skeleton->one_twin() != 2 || **skeleton->two_twin() != 3) return 12;
  if ((*skeleton->event())->value != 200 + 1 || **skeleton->bytes() != names::Mode::slow) return 8;
  if (**skeleton->letter() != u8'x' || **skeleton->wide() != u'y' || (*skeleton->unnamed())->b != 2 || **skeleton->restrict_() != 6) return 9;
  if ((*skeleton->second())->both != (1ULL << 40) + 'x' + 'y' || (*skeleton->first())->color != names::Color::none) return 10;
  names::Event value{names::Mode::slow, names::Color::red, 5};
  return skeleton->detach_()->set(names::Mode::none, value) && (*skeleton->boxes())->size() == 2 && skeleton->Skeleton_() ? 0 : 11;
}
"""
USE_OF_CXX_IN_C = r"""
#include <string.h>
#define LATHE_SKELETON_TYPES
#include "names.skel.h"
int main(void) {
  struct names *skel = names__open();
  if (!skel) return 3;
  if (skel->data->bytes != Mode_slow || skel->data->plain != high || skel->data->letter != 'x' || skel->data->restrict_ != 6) return 4;
  skel->bss->open = Color_red;
  skel->bss->first.mode = Mode_none;
  if (low >= 0 || skel->bss->second.both || skel->bss->event.value || skel->bss->total) return 5;
  if (strcmp(bpf_map__name(skel->maps.sums), "sums")) return 6;
  names__destroy(skel);
  return 0;
}
"""
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers", "-Wno-unused-function")


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr[:4000]}"
    return done.stdout


def program(text, ending):
    with open(f"names.bpf.{ending}", "w") as file:
        file.write(text)
    run(lathe, "compile", f"names.bpf.{ending}", "-t", "bpf", "-o", "names.o", "--c-skeleton", "names.skel.h", "--cxx-skeleton", "names.h",
        "--skeleton-namespace", "names")


def use(text, *compilers):
    """Compiles and runs a program by each compiler that is here."""
    for compiler, ending, *options in compilers:
        if not shutil.which(compiler):
            continue
        with open("use." + ending, "w") as file:
            file.write(text)
        run(compiler, *options, *WARNINGS, f"-I{root}/include", f"-I{build}/generated", "use." + ending, "-o", "use", *libraries)
        done = subprocess.run(["./use"], capture_output=True, text=True)
        if done.returncode == 77:
            print("skipped: programs cannot be loaded here")
            sys.exit(0)
        assert done.returncode == 0, (compiler, options, done.returncode, done.stderr)


C = (("gcc", "c", "-std=gnu11"), ("gcc", "c", "-std=gnu17"), ("clang-22", "c", "-std=gnu11"))
CXX = (("g++", "cpp", "-std=gnu++20"), ("clang++-22", "cpp", "-std=gnu++20"))
libraries = (runtime, f"-Wl,-rpath,{os.path.dirname(runtime)}", "-lbpf")


def members(text):
    """The members of struct names and of what is in it."""
    body = re.search(r"^struct names \{(.*?)#ifdef __cplusplus", text, re.M | re.S)[1]
    body = re.sub(r"LATHE_WORD\((\w+), _\)", r"\1", body).replace("unsigned long long sum;", "u64 sum;")
    body = re.sub(r"\b(errno|linux|unix|bool)_;", r"\1;", body)
    return re.sub(r"\s+|,(?=\s*\})", " ", body).split()


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("own.h", "w") as file:
        file.write(OWN_HEADER)
    program(IN_C, "bpf.c".removeprefix("bpf."))
    # The structure `class` is the program's alone, so that its definition comes from the skeleton.
    own = "#define LATHE_SKELETON_TYPES\n" + USE_C
    use(own, *C, *CXX)
    use(USE_CXX, *CXX)
    if shutil.which("bpftool"):
        theirs = members(run("bpftool", "gen", "skeleton", "names.o", "name", "names"))
        ours = members(open("names.skel.h").read())
        assert ours == theirs, "\n".join(["ours:", *ours, "bpftool's:", *theirs])
    # With the program's own header before, nothing is defined twice: what bpftool's programs do.
    program(re.sub(r".*\bclass\b.*\n|.*\bprivate\b.*\n", "", IN_C), "c")
    use(re.sub(r" \|\| skel->data->WORD\(private\)[^)]*\) != 5", "", USE_C).replace("skel->bss->sum != 5", "0").replace("bpf_map__max_entries(skel->maps.WORD(friend)) != 4 ||", ""), *C, *CXX)
    program(IN_CXX, "cpp")
    use(USE_OF_CXX, *CXX)
    use(USE_OF_CXX_IN_C, *C, *CXX)
    for name in ("delete", "std", "linux", "class"):
        run(lathe, "compile", "names.bpf.cpp", "-t", "bpf", "-o", "names.o", "--c-skeleton", "names.skel.h", "--cxx-skeleton", "names.h",
            "--skeleton-namespace", name)
        use(f'#include "names.h"\nint main() {{ return sizeof({name}_::Skeleton) == 0; }}\n', CXX[0])
        use(f'#define LATHE_SKELETON_TYPES\n#include "names.skel.h"\nint main(void) {{ return sizeof(struct {name}_) == 0; }}\n', C[0], CXX[0])
    bad = subprocess.run([lathe, "compile", "names.bpf.cpp", "-t", "bpf", "-o", "x.o", "--cxx-skeleton", "x.h", "--skeleton-namespace", "a::b"],
                         capture_output=True, text=True)
    assert bad.returncode == 1 and "'a::b' is no name of a namespace" in bad.stderr and not os.path.exists("x.h"), bad
    print("skeletons are compiled and run")
