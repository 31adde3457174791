#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every error code is expected by some test, or listed below with the reason why none can provoke it.

usage: error_codes.py ROOT
"""
import pathlib
import re
import sys

UNPROVOKED = {
    "OutOfHostMemory": "cannot be provoked without starving the machine that runs the tests",
    "ToolFailed": "an assembler or linker refuses only what Lathe emitted wrongly: a test of that would be a bug report",
}


def main():
    root = pathlib.Path(sys.argv[1])
    table = (root / "include/lathe/error_codes.def").read_text()
    codes = dict(re.findall(r'^LATHE_ERROR\((\w+),\s*\d+,\s*"([\w-]+)"', table, re.MULTILINE))
    files = [path for path in sorted((root / "tests").rglob("*")) if path.suffix in {".cpp", ".h", ".test", ".py"}]
    text = "\n".join(path.read_text(errors="replace") for path in files if path.name != pathlib.Path(__file__).name)
    found = []
    for code, name in codes.items():
        expected = re.search(rf"\bErrorCode::{code}\b|[\"' ]{name}[\"']", text)
        if not expected and code not in UNPROVOKED:
            found.append(f"{code} ({name}): no test expects it; add one, or list it in {pathlib.Path(__file__).name} with a reason")
        if expected and code in UNPROVOKED:
            found.append(f"{code} ({name}): a test expects it; take it off the list in {pathlib.Path(__file__).name}")
    found += [f"{code}: listed but not an error code" for code in UNPROVOKED if code not in codes]
    print("\n".join(found) if found else f"{len(codes)} error codes, {len(UNPROVOKED)} of them without a test")
    return 1 if found or not codes else 0


if __name__ == "__main__":
    sys.exit(main())
