#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layering, as include directives show it (docs/architecture.md):
include/lathe → the standard library only; include/lathe/sdk → LLVM too; targets → include/lathe, LLVM; core never includes targets, runtimes, tools;
runtimes never include LLVM or the compiler's parts; tools, examples and the Python module see installed headers only; core names no target
and no vendor."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
include = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)
failures = []


def files(folder, *suffixes):
    return sorted(p for p in (root / folder).rglob("*") if p.suffix in suffixes and p.is_file())


def forbid(folder, pattern, why, skip=lambda path: False):
    for path in files(folder, ".h", ".cpp", ".def"):
        if skip(path):
            continue
        for name in include.findall(path.read_text()):
            if re.match(pattern, name):
                failures.append(f"{path.relative_to(root)}: includes {name}: {why}")


third_party = r"(llvm|clang|lld|yaml-cpp|fmt|nlohmann|cuda|tbb|CLI)/"
sdk = root / "include/lathe/sdk"
forbid("include/lathe", third_party, "public headers use the standard library only", lambda p: sdk in p.parents)
forbid("include/lathe", r"(core|targets|runtimes|dialects)/", "public headers include no internals")
forbid("core", r"(targets|runtimes|tools|dialects)/", "core comes before these", lambda p: False)
# A target's sources are its hooks and device code; targets/builtin.cpp is where the list is handed to the core.
forbid("targets", r"core/(?!target/builtin\.h)", "the list of targets is handed in by core/target/builtin.h")
forbid("targets", r"(runtimes|tools|dialects)/", "targets come before these")
for folder in sorted(p for p in (root / "targets").iterdir() if p.is_dir()):
    own = re.escape(f"targets/{folder.name}/")
    for path in files(folder, ".h", ".cpp", ".inc"):
        for name in include.findall(path.read_text()):
            if "/" in name and not re.match(rf"lathe/|llvm/|{own}", name):
                failures.append(f"{path.relative_to(root)}: includes {name}: targets use installed headers, LLVM's and their own only")
forbid("dialects", r"(core|targets|runtimes|tools)/", "dialects use installed headers only")
forbid("runtimes", r"(llvm|clang|lld)/", "runtimes never include LLVM")
forbid("runtimes", r"core/(driver|frontend|lower|emit|portable|sanitizer|descriptor|target|job|group/(?!entry/group_entry\.h))", "runtimes use only core's parts without LLVM")
forbid("tools/lathe", r"(core|targets|runtimes|dialects|llvm|clang)/", "tools use installed headers only")
forbid("tools", r"tests/", "no test is part of a product")
forbid("examples", r"(core|targets|runtimes|dialects)/", "examples use installed headers only")
forbid("python", r"(core|targets|runtimes|dialects|tools|llvm|clang)/", "the Python module uses installed headers only")
forbid("examples", r"(llvm|clang)/", "only hooks of targets use LLVM", lambda p: "<lathe/sdk/plugin.h>" in p.read_text())

# A target's or vendor's name in core would be a decision that belongs into a descriptor, a hook or a dialect. Names are
# split into words at capitals, underscores and digits: cudaArch and cuda_arch both have the word cuda.
vendors = {"cuda", "nvptx", "nvvm", "nvidia", "ptx", "ptxas", "cubin", "libdevice", "amd", "amdgpu", "amdgcn", "hip", "rocm", "hsa", "ocml",
           "spir", "spirv", "opencl", "metal", "bpf", "ebpf", "btf", "intel", "avx", "sse", "neon", "sve"}
architecture = re.compile(r"(?<![a-z])(?:sm_?\d+|gfx\d+|x86)", re.I)
part = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
allowed_file = root / "tests/policy/vendor_words_allowed.txt"
allowed = {line.split("#")[0].strip() for line in allowed_file.read_text().splitlines() if line.split("#")[0].strip()}
found = set()
for path in files("core", ".h", ".cpp", ".def", ".inc", ".txt", ".cmake", ".py"):
    comment = r"//.*" if path.suffix in (".h", ".cpp", ".def", ".inc") else r"#.*"
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code = re.sub(comment, "", line)
        words = {word.lower() for word in part.findall(code)} & vendors | {word.lower() for word in architecture.findall(code)}
        for word in sorted(words):
            key = f"{path.relative_to(root)}:{word}"
            found.add(key)
            if key not in allowed:
                failures.append(f"{path.relative_to(root)}:{number}: core names '{word}'")
failures += [f"{allowed_file.name}: '{key}' is named no more: remove the line" for key in sorted(allowed - found)]

for failure in failures:
    print(failure)
print(f"{len(failures)} failed")
sys.exit(1 if failures else 0)
