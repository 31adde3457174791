#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Public headers (include/lathe, include/lathe/sdk) are documented: each class, enumeration and function outside of classes
has a comment in front, and each class's public functions have one or stand in a group that has. The first sentence of a comment
names its subject: it does not open with What, Whether, Where, Who, How or Which.

usage: public_headers.py ROOT
"""
import pathlib
import re
import sys

opens = re.compile(r"^\s*(?:///<?|.*///<)\s*(What|Whether|Where|Who|Whoever|How|Which)\b")
file_opens = re.compile(r"^// (What|Whether|Where|Who|How|Which)\b")
declaration = re.compile(r"^(?:template <.*>\s*)?(?:\[\[nodiscard\]\] )?(?:class|struct|enum class|enum|inline|constexpr|extern|using|[A-Za-z_][\w:<>,&* ]* [&*]?\w+\()")
forward = re.compile(r"^(?:class|struct|enum class \w+ : [\w:]+|union) ?\w*;$")
ignored = re.compile(r"^(?:namespace|using [\w:]+;|#|}|//|template <>|friend|static_assert|LATHE_)")


def check(path, report):
    lines = path.read_text().splitlines()
    bodies = path.name.startswith("device_")  # for a target's device code: definitions of what docs/device-abi.md lists
    documented = False
    for number, line in enumerate(lines, 1):
        if match := opens.match(line):
            previous = lines[number - 2].strip() if number > 1 else ""
            if "///<" in line or not previous.startswith("///"):
                report(number, f"the comment opens with '{match.group(1)}': name the thing first")
        if number in (3, 4) and (match := file_opens.match(line)) and lines[number - 2] == "//":
            report(number, f"the file's comment opens with '{match.group(1)}': name the subject first")
        if line.startswith("///"):
            documented = True
        elif not line.strip():
            documented = False
        elif not bodies and line[0] not in " }" and not ignored.match(line) and not forward.match(line) and declaration.match(line):
            if not documented and "///<" not in line and not lines[number - 2].rstrip().endswith((",", "(", ">")):
                report(number, f"no comment in front of '{line.strip()}'")


def main():
    root = pathlib.Path(sys.argv[1])
    failures = []
    headers = sorted((root / "include/lathe").glob("*.h")) + sorted((root / "include/lathe/sdk").glob("*.h"))
    for path in headers:
        check(path, lambda number, what: failures.append(f"{path.relative_to(root)}:{number}: {what}"))
    for failure in failures:
        print(failure)
    print(f"{len(headers)} headers, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
