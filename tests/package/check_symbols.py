#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what Lathe's two shared libraries export and need.

Exported are names of namespace lathe alone, and no symbol or dependency of the runtime library is LLVM's. Its code and
data, without debug information, stay below 2 MB.

usage: check_symbols.py --nm NM --readelf READELF --compiler liblathe.so --runtime liblathe-runtime.so
"""
import argparse
import re
import subprocess
import sys

FOREIGN = re.compile(r"\b(llvm|clang|lld|YAML|nlohmann|fmt|tbb)::|^(LLVM|clang_)")
RUNTIME_BYTES = 2 << 20
THREAD_BYTES = 256


def lines_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def exported(nm, library):
    names = lines_of(nm, "--dynamic", "--defined-only", "--demangle", "--format=just-symbols", library)
    return [name for name in names if name]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--nm", "--readelf", "--compiler", "--runtime"):
        parser.add_argument(option, required=True)
    options = parser.parse_args()
    found = []
    for library in (options.compiler, options.runtime):
        names = exported(options.nm, library)
        if not any("lathe::" in name for name in names):
            found.append(f"{library}: exports nothing of namespace lathe")
        for name in names:
            # A template of the standard library over Lathe's types is weak and harmless; what others define is not.
            subject = re.sub(r"^(typeinfo name for |typeinfo for |vtable for |guard variable for )", "", name)
            if FOREIGN.search(subject.split("(")[0]):
                found.append(f"{library}: exports {name}")
    needed = [line for line in lines_of(options.readelf, "--dynamic", options.runtime) if "(NEEDED)" in line]
    found += [f"{options.runtime}: needs {line.split('[')[-1].rstrip(']')}" for line in needed
              if re.search(r"LLVM|clang|lld|liblathe\.so", line)]
    undefined = lines_of(options.nm, "--dynamic", "--undefined-only", "--demangle", options.runtime)
    found += [f"{options.runtime}: uses {line.strip()}" for line in undefined if "llvm::" in line]
    loaded = sum(int(match.group(1), 16) for line in lines_of(options.readelf, "--program-headers", "--wide", options.runtime)
                 if (match := re.match(r"\s*LOAD\s+\S+\s+\S+\s+\S+\s+(0x[0-9a-f]+)", line)))
    if not 0 < loaded < RUNTIME_BYTES:
        found.append(f"{options.runtime}: loads {loaded} bytes, the limit is {RUNTIME_BYTES}")
    # Opened late (dlopen, as languages open their extensions), all libraries share some 500 bytes of such variables.
    if any("STATIC_TLS" in line for line in lines_of(options.readelf, "--dynamic", options.runtime)):
        variables = sum(int(match.group(1), 16) for line in lines_of(options.readelf, "--program-headers", "--wide", options.runtime)
                        if (match := re.match(r"\s*TLS\s+\S+\s+\S+\s+\S+\s+\S+\s+(0x[0-9a-f]+)", line)))
        if variables > THREAD_BYTES:
            found.append(f"{options.runtime}: has {variables} bytes of thread-local variables, the limit is {THREAD_BYTES}")
    print("\n".join(found) if found else f"nothing foreign exported; the runtime loads {loaded} bytes")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
