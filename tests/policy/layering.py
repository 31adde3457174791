#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layering, as include directives show it (docs/architecture.md):
include/lathe → the standard library only; include/lathe/sdk → LLVM too; core never includes targets, runtimes, tools;
runtimes never include LLVM or the compiler's parts; tools and examples see installed headers only; core names no target
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
forbid("runtimes", r"(llvm|clang|lld)/", "runtimes never include LLVM")
forbid("runtimes", r"core/(driver|frontend|lower|emit|check|descriptor|target|job)/", "runtimes use only core's parts without LLVM")
forbid("tools", r"(core|targets|runtimes|dialects|llvm|clang)/", "tools use installed headers only")
forbid("examples", r"(core|targets|runtimes|dialects)/", "examples use installed headers only")
forbid("examples", r"(llvm|clang)/", "only hooks of targets use LLVM", lambda p: "<lathe/sdk/plugin.h>" in p.read_text())

# A target's or vendor's name in core would be a decision that belongs into a descriptor, a hook or a dialect.
vendor = re.compile(r"\b(cuda|nvptx|nvvm|nvidia|amdgpu|amdgcn|hip|rocm|spirv|opencl|libdevice|ocml|x86_64|ptx|sm_\d+|gfx\d+)\b", re.I)
allowed = {
    line.split("#")[0].strip(): True
    for line in (root / "tests/policy/vendor_words_allowed.txt").read_text().splitlines()
    if line.split("#")[0].strip()
}
for path in files("core", ".h", ".cpp", ".def"):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code = re.sub(r"//.*", "", line)
        for word in vendor.findall(code):
            key = f"{path.relative_to(root)}:{word}"
            if key not in allowed:
                failures.append(f"{path.relative_to(root)}:{number}: core names '{word}'")

for failure in failures:
    print(failure)
print(f"{len(failures)} failed")
sys.exit(1 if failures else 0)
