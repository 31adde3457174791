#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/cuda-names.md lists the functions that CUDA sources find, what they are on each target, and which tests run them.
The list is read from the dialect's headers as the preprocessor leaves them, and so are the tests: a name that macros put
together counts. What a function is follows from the device ABI's entries that it calls. This fails if a name has no test
that runs it, but for those of COMPILED_ONLY; it checks that the page is current, or renews it with LATHE_BLESS=1.

usage: cuda_names.py ROOT BUILD --clang CLANG --nm LLVM_NM --include DIR [--include DIR ...]
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

import generated

TARGETS = ("cuda", "cpu", "amdgpu", "spirv")
# What device code calls, beside what every source finds.
HEADERS = ("cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuComplex.h", "curand_kernel.h", "cuda_pipeline.h", "mma.h")
# Declared for host code.
HOST = ("rarer_api.h", "runtime_api.h", "runtime_types.h", "host_libraries.h", "cuda.h")
# Names that nothing can run here, with the reason; tests compile them.
SPACE = "NVIDIA's instruction alone: other machines have no such question"
COMPILED_ONLY = {
    "__barrier_sync_count": "NVIDIA's instruction alone: other machines have no barriers by number",
    "nvcuda::wmma::bmma_sync": "NVIDIA's instruction alone, which architectures after sm_90 do not have",
    "__nv_associate_access_property": "a hint",
    **{name: "a graph that kernels launch or change, on NVIDIA GPUs alone"
       for name in ("cudaGraphKernelNodeSetEnabled", "cudaGraphKernelNodeSetGridDim", "cudaGraphKernelNodeUpdatesApply")},
    **{f"__is{space}": SPACE for space in ("Global", "Shared", "Constant", "Local", "GridConstant", "ClusterShared", "CtaShared")},
    **{f"__cvta_{way}": SPACE for space in ("local", "constant", "grid_constant")
       for way in (f"generic_to_{space}", f"{space}_to_generic")},
}
NAMESPACES = {"lathe::detail", "cuda", "cooperative_groups", "nvcuda", "wmma", "nvcuda::wmma"}
ARGUMENTS = ("-cc1 -triple nvptx64-nvidia-cuda -aux-triple x86_64-unknown-linux-gnu -x cuda -fcuda-is-device -E "
             "-U__CUDA_ARCH__ -D__CUDA_ARCH__=900 -D__CUDACC__=1 -D__GNU_LIBRARY__=6 -nostdsysteminc -std=c++20 -fgnuc-version=4.2.1 "
             "-include lathe/cuda/prelude.h").split()
TOKEN = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|::|\S")
NOT_NAMES = {"if", "while", "for", "switch", "return", "sizeof", "decltype", "requires", "noexcept", "alignas", "defined",
             "__attribute__", "__declspec", "static_assert", "asm", "operator", "__is_integral", "__is_same", "_Pragma"}


def preprocessed(options, text):
    command = [options.clang, *ARGUMENTS]
    for folder in options.include:
        command += ["-internal-isystem", folder]
    result = subprocess.run([*command, "-"], input=text, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"cuda_names: {result.stderr}")
    return result.stdout


def expanded(options, path):
    """A source itself, its own macros expanded."""
    text = re.sub(r"^#include .*", "", path.read_text(), flags=re.MULTILINE)
    arguments = [a for a in ARGUMENTS if a not in ("-include", "lathe/cuda/prelude.h")]
    result = subprocess.run([options.clang, *arguments, "-Wno-reserved-user-defined-literal", "-P", "-"], input=text, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"cuda_names: {path}: {result.stderr}")
    return result.stdout


def words_of(options, path):
    return set(re.findall(r"[A-Za-z_]\w*", expanded(options, path)))


def suite_sources(root):
    suite = root / "tests/conformance"
    listed = re.findall(r"^  ((?:cuda|programs)/\w+\.cu)", (suite / "suite/CMakeLists.txt").read_text(), re.MULTILINE)
    return [suite / path for path in sorted(listed)]


def unlaunched(root, options):
    """Kernels of the suite that no case names; cases may put a name together from its begin or end."""
    out = []
    makers = "".join(path.read_text() for path in sorted((root / "tests/conformance/suite").glob("*_cases.*")))
    for path in suite_sources(root):
        cases = path.with_name(path.stem + "_reference.cpp").read_text() + makers
        words, texts = set(re.findall(r"\w+", cases)), set(re.findall(r'"(\w{3,})"', cases))
        kernels = re.findall(r"__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\s*\(", expanded(options, path))
        out += [f"{path.name}: {kernel}" for kernel in kernels
                if kernel not in words and not any(kernel.startswith(text) or kernel.endswith(text) for text in texts)]
    return out


def tests_of(root, options):
    """test → the identifiers of what it runs; and the same of what is compiled only."""
    suite = root / "tests/conformance"
    lit = sorted((root / "tests/lit/cuda").glob("*.cu"))
    runs = {path for path in lit if re.search(r"^// RUN: (?:not )?%lathe run %s", path.read_text(), re.MULTILINE)}
    ran = collections.defaultdict(set)  # files of one name, a case of the suite and a lit test, are one line
    for path in [*suite_sources(root), suite / "kernels/hardware.cu", *sorted(runs)]:
        ran[path.name] |= words_of(options, path)
    # The measurement of mathematics makes its kernels from a list.
    accuracy = (root / "tests/accuracy/accuracy.def").read_text()
    ran["accuracy.def"] = {name + suffix for name in re.findall(r"^LATHE_ACCURACY\((\w+)", accuracy, re.MULTILINE) for suffix in ("", "f")}
    others = [suite / "cuda/vocabulary.cu", *(path for path in lit if path not in runs and "missing" not in path.name)]
    return ran, {path.name: words_of(options, path) for path in others}


def tokens(text, root):
    """(token, whether it is from a header with names for devices)."""
    ours = False
    for line in text.splitlines():
        if line.startswith("# "):
            path = line.split('"')[1]
            ours = ("dialects/cuda/include" in path and not path.endswith(HOST)) or path.endswith("lathe/device/math.h")
        elif not line.startswith("#"):
            for token in TOKEN.findall(line):
                yield token, ours


def functions(text, root):
    """name → the identifiers in the bodies of its definitions; declarations have none."""
    out = {}
    stack = []  # of open braces: "namespace" or "extern" where declarations continue, else what it is
    statement = []
    body, owner, depth = None, None, 0
    for token, ours in tokens(text, root):
        if body is not None:
            depth += {"{": 1, "}": -1}.get(token, 0)
            if depth == 0:
                body = None
                statement = []
            elif re.match(r"[A-Za-z_]", token):
                body.add(token)
            continue
        if token == "}":
            if stack:
                stack.pop()
            statement = []
        elif token in ("{", ";"):
            # Kernels cannot compute in long double; the names are for host code.
            name = declared(statement) if ours and "long double" not in " ".join(statement) else None
            inside = [word for kind, word in stack if kind == "namespace"]
            visible = all(kind != "other" for kind, _ in stack) and (not inside or "::".join(inside) in NAMESPACES)
            if name and inside:
                name = "::".join(inside) + "::" + name
            known = out.setdefault(name, set()) if name and visible else None
            if token == "{":
                if "namespace" in statement:
                    stack.append(("namespace", "::".join(w for w in statement[statement.index("namespace") + 1:] if w.isidentifier())))
                elif "extern" in statement and "(" not in statement:
                    stack.append(("extern", ""))
                elif declared(statement):
                    body, depth = known if known is not None else set(), 1
                    continue
                else:
                    stack.append(("other", ""))
            statement = []
        else:
            statement.append(token)
    return out


def declared(statement):
    """The name of the function that these tokens declare."""
    words = list(statement)
    if not words or words[0] in ("struct", "class", "union", "enum", "typedef", "using", "namespace", "friend", "static_assert"):
        return None
    if "operator" in words or "=" in words[: words.index("(") if "(" in words else 0]:
        return None
    at, skip = 0, 0
    for at, word in enumerate(words):  # past attributes, template parameters and constraints
        if skip:
            skip += {"(": 1, ")": -1}.get(word, 0)
            if skip == 1:
                skip = 0
            continue
        following = words[at + 1] if at + 1 < len(words) else ""
        if following == "(" and word in NOT_NAMES:
            skip = 1
        elif following == "(" and word.isidentifier():
            previous = words[at - 1] if at else ""
            return word if at > 0 and (previous.isidentifier() or previous in "*&>") else None
    return None


def entry_table(root):
    """entry → lowering, from device_abi.def as the compiler reads it."""
    source = '#define LATHE_ABI(name, signature, group, lowering, ...) @ name group lowering\n#include "device_abi.def"\n'
    result = subprocess.run(["cc", "-E", "-P", "-x", "c", "-I", str(root / "core/abi"), "-"], input=source, capture_output=True, text=True,
                            check=True)
    return {name: (group, lowering) for name, group, lowering in re.findall(r"@ (\w+) (\w+) (\w+)", result.stdout)}


class Target:
    def __init__(self, name, root, options, entries):
        yaml = (root / "targets" / name / f"{name}.yaml").read_text()
        head, _, later = yaml.partition("\nwhen:\n")
        self.items = "\npipeline: groups" not in head
        lacks = re.search(r"^lacks:\n((?:  .*\n)*)", head, re.MULTILINE)
        self.lacks = set(re.findall(r"^  (\w+):", lacks.group(1), re.MULTILINE)) if lacks else set()
        if "atomic_bits: 64" in head:
            self.lacks |= {entry for entry in entries if entry.startswith("atomic_") and entry.endswith("_i128")}
        self.mapped = dict(re.findall(r"^  (\w+): (.*)$", head, re.MULTILINE))
        self.later = dict(re.findall(r"^        (\w+): (.*)$", later, re.MULTILINE))
        # The target's own device code and, where items are loops, that of the group machine, whose functions have variants.
        built = pathlib.Path(options.build)
        machine = [] if self.items else sorted((built / "core/group/device").glob("shared_group_*.bc"))
        self.own = set()
        for bitcode in [built / "targets" / name / f"{name}_device.bc", *machine]:
            if not bitcode.exists() and machine:
                continue
            listed = subprocess.run([options.nm, "--defined-only", "--format=posix", str(bitcode)], capture_output=True, text=True, check=True)
            self.own |= set(re.findall(r"^__lathe_(\w+)(?:\.\w+)? ", listed.stdout, re.MULTILINE))
        self.one_subgroup_size = re.search(r"^subgroup: \{size: \d+\}", head, re.MULTILINE)
        self.entries = entries

    def made_by_core(self, entry, group):
        if entry == "dynamic_shared_bytes":
            return True
        if entry == "subgroup_size" and self.one_subgroup_size:
            return True
        return not self.items and (group == "indexing" or entry in ("group_barrier", "subgroup_barrier"))

    def status(self, entry):
        group, lowering = self.entries[entry]
        if entry in self.lacks:
            return "absent"
        if entry in self.mapped or entry in self.own or lowering == "folded" or self.made_by_core(entry, group):
            return "mapped"
        emulated = lowering == "fallback" or entry.startswith("async_")
        if entry in self.later:
            return "mapped¹" if emulated else "mapped"
        return "emulated" if emulated else "mapped" if lowering == "generic" else "absent"


def entries_of(name, known, entries, seen):
    if name in seen:
        return set()
    seen.add(name)
    out = set()
    for word in known[name]:
        if word.startswith("__lathe_") and word[8:] in entries:
            out.add(word[8:])
        for inner in (word, "lathe::detail::" + word):
            if inner in known:
                out |= entries_of(inner, known, entries, seen)
    return out


def table(root, options):
    known = functions(preprocessed(options, "".join(f"#include <{name}>\n" for name in HEADERS)), root)
    entries = entry_table(root)
    targets = [Target(name, root, options, entries) for name in TARGETS]
    ran, compiled = tests_of(root, options)
    worst = ("absent", "emulated", "mapped¹", "mapped")
    out = [f"| name | {' | '.join(TARGETS)} | run by |", "|---|" + "---|" * (len(TARGETS) + 1)]
    count, untested = 0, []
    for name in sorted(known, key=lambda n: (n.lstrip("_").lower(), n)):
        plain = name.rsplit("::", 1)[-1]
        if "lathe" in name.lower() or name.startswith("__cudaCDP2"):  # the device library's, behind the names for users
            continue
        used = entries_of(name, known, entries, set())
        cells = []
        for target in targets:
            found = [target.status(entry) for entry in used if not entry.endswith("_i128")]
            wide = any(target.status(entry) == "absent" for entry in used if entry.endswith("_i128"))
            cells.append((min(found, key=worst.index) if found else "plain") + ("²" if wide else ""))
        tests = [test for test, words in ran.items() if plain in words]
        shown = ", ".join(tests[:2]) + (f" and {len(tests) - 2} more" if len(tests) > 2 else "")
        if name in COMPILED_ONLY:
            tests = tests or [test for test, words in compiled.items() if plain in words]
            shown = f"{tests[0]} compiles it: {COMPILED_ONLY[name]}" if tests else ""
        if not tests:
            untested.append(name)
        count += 1
        out.append(f"| `{name}` | {' | '.join(cells)} | {shown or '–'} |")
    if untested:
        print(f"cuda_names: no test runs {len(untested)} names: {' '.join(untested)}")
    idle = unlaunched(root, options)
    if idle:
        print(f"cuda_names: no case launches {', '.join(idle)}")
    return "\n".join([f"{count} names, of which tests run {count - len(COMPILED_ONLY)}; what is left is compiled, with the reason.", "", *out]), not untested and not idle


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("build")
    parser.add_argument("--clang", required=True)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--include", action="append", required=True)
    options = parser.parse_args()
    content, complete = table(options.root, options)
    current = generated.check(options.root / "docs/cuda-names.md", "tests/policy/cuda_names.py", content, "ctest -R policy.cuda_names")
    return current or not complete


if __name__ == "__main__":
    sys.exit(main())
