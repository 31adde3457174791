# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The structures and numbers that <lathe/bpf.h> defines, against the running kernel's types: sizes, places of members,
# values of enumerators (by bpftool, where it is installed). And headers that `lathe bpf types` makes of the kernel's types
# stand behind <lathe/bpf.h> without defining anything twice. Usage: contexts.py LATHE SOURCE_FOLDER
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

lathe, root = sys.argv[1], pathlib.Path(sys.argv[2])
if not os.access("/sys/kernel/btf/vmlinux", os.R_OK):
    print("skipped: this kernel shows no types of its own")
    sys.exit(0)
headers = [root / "dialects/bpf/include/lathe/bpf" / name for name in ("kernel.h", "contexts.h", "helper_types.h", "probes.h")]
text = "\n".join(header.read_text() for header in headers)


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def members(source, name):
    """The members of a structure, those of unnamed ones within it among them; none of the inner of named ones."""
    found = re.search(rf"^struct {name} \{{\n(.*?)^\}}", source, re.M | re.S)
    levels = [[]]
    for line in found[1].split("\n") if found else []:
        line = line.strip()
        if line.endswith("{"):
            levels.append([])
        elif line.startswith("}"):
            inner, own = levels.pop(), re.match(r"\} *(\w+)", line)
            levels[-1] += [own[1]] if own and own[1] != "__attribute__" else inner
        elif line.endswith((";", ",")) and not re.search(r":\s*\d+", line):
            names = re.sub(r"\[[^]]*\]", "", line.rstrip(";,"))
            first, *more = names.split(",")
            levels[-1] += [word.strip(" *") for word in [first.split()[-1], *more]]
    return levels[0]


names = sorted(set(re.findall(r"^(?:struct|enum|union) (\w+) \{", text, re.M)))
listed = re.findall(r'"(\w+)"', (root / "runtimes/bpf/types/device_names.h").read_text())
assert sorted(listed) == names, f"device_names.h and the headers differ: {set(listed) ^ set(names)}"
kernel = [name for name in names if subprocess.run([lathe, "bpf", "types", name, "-o", "/dev/null"], capture_output=True).returncode == 0]
assert len(kernel) >= 25, kernel

with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    run(lathe, "bpf", "types", *kernel, "task_struct", "bpf_task_from_pid", "-o", work / "types.h")
    theirs = (work / "types.h").read_text()
    checks = ""
    count = 0
    for name in kernel:
        if f"struct {name} {{" not in text:
            continue
        known = members(theirs, name)
        # The registers of the kernel's own have unions around what programs read.
        size = "<=" if name in ("pt_regs", "bpf_perf_event_data") else "=="
        checks += f"static_assert(sizeof(struct ::{name}) {size} sizeof(kernel::{name}));\n"
        for member in members(text, name):
            if member not in known:
                print(f"{name}::{member} is not in this kernel")
                continue
            count += 1
            checks += f"static_assert(__builtin_offsetof(struct ::{name}, {member}) == __builtin_offsetof(struct kernel::{name}, {member}));\n"
    assert count > 200, count
    program = 'SEC("xdp") int pass(struct xdp_md* packet) { return XDP_PASS; }\nLATHE_BPF_LICENSE("GPL");\n'
    (work / "same.bpf.cpp").write_text("#include <lathe/bpf.h>\n#undef LATHE_BPF_H\n#undef LATHE_BPF_HAS_REGISTERS\nnamespace kernel {\n#include \"types.h\"\n}\n" + checks + program)
    run(lathe, "compile", work / "same.bpf.cpp", "-I", work, "--emit", "object", "-o", work / "same.o")
    for ending in ("cpp", "c"):
        use = 'SEC("syscall") int task(int* number) { struct task_struct* of = bpf_task_from_pid(*number); if (of) bpf_task_release(of); return 0; }\n'
        release = "void bpf_task_release(struct task_struct* task) __ksym;\n"
        release = f'extern "C" {{ {release} }}\n' if ending == "cpp" else release
        (work / f"both.bpf.{ending}").write_text('#include <lathe/bpf.h>\n#include "types.h"\n' + release + use + program)
        run(lathe, "compile", work / f"both.bpf.{ending}", "-I", work, "--emit", "object", "-o", work / "both.o")
        loaded = subprocess.run([lathe, "bpf", "load", work / "both.o"], capture_output=True, text=True)
        assert loaded.returncode == 0 or "permission" in loaded.stderr, loaded.stderr
    print(f"{count} members of {len(kernel)} types are the kernel's")

if bpftool := shutil.which("bpftool"):
    dump = run(bpftool, "btf", "dump", "file", "/sys/kernel/btf/vmlinux", "format", "c")
    values = {name: int(value, 0) for name, value in re.findall(r"^\t(\w+) = (-?\w+?)(?:ULL|U)?,$", dump, re.M)}
    own = re.findall(r"\b(BPF_\w+|XDP_\w+|SK_\w+|BTF_F_\w+) = (-?\w+)[,} ]", text)
    compared = [(name, int(value, 0), values[name]) for name, value in own if name in values]
    assert len(compared) > 100, len(compared)
    assert all(a == b for _, a, b in compared), [row for row in compared if row[1] != row[2]]
    print(f"{len(compared)} of {len(own)} numbers are the kernel's: all but {sorted(set(dict(own)) - values.keys())}")
