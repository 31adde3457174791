#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every error code is expected by some test, and has a page in docs/errors with its meaning, an example and a remedy.

usage: error_codes.py ROOT
"""
import pathlib
import re
import sys


def page_faults(path, name, value):
    if not path.is_file():
        return [f"{name}: docs/errors/{name}.md is missing"]
    text = path.read_text()
    found = []
    if not text.startswith(f"# {name} ({value})\n"):
        found.append(f"{name}: its page does not begin with '# {name} ({value})'")
    # One more heading of that level would cut the page in two for `lathe explain`.
    if len(re.findall(r"^# ", text, re.MULTILINE)) != 1:
        found.append(f"{name}: its page has more than one heading of the first level")
    for part in ("Example", "What to do"):
        section = re.search(rf"^## {part}\n\n(.+?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
        if not section or len(section.group(1).strip()) < 20:
            found.append(f"{name}: its page has nothing under '## {part}'")
    return found


def main():
    root = pathlib.Path(sys.argv[1])
    table = (root / "include/lathe/error_codes.def").read_text()
    codes = re.findall(r'^LATHE_ERROR\((\w+),\s*(\d+),\s*"([\w-]+)"', table, re.MULTILINE)
    files = [path for path in sorted((root / "tests").rglob("*")) if path.suffix in {".cpp", ".h", ".test", ".py"}]
    text = "\n".join(path.read_text(errors="replace") for path in files if path.name != pathlib.Path(__file__).name)
    found = []
    for code, value, name in codes:
        if not re.search(rf"\bErrorCode::{code}\b|[\"' ]{name}[\"']", text):
            found.append(f"{code} ({name}): no test expects it")
        found += page_faults(root / "docs/errors" / f"{name}.md", name, value)
    names = {name for _, _, name in codes}
    pages = {path.stem for path in (root / "docs/errors").glob("*.md")}
    found += [f"docs/errors/{stray}.md: no error code is called so" for stray in sorted(pages - names)]
    print("\n".join(found) if found else f"{len(codes)} error codes, each with a page and a test")
    return 1 if found or not codes else 0


if __name__ == "__main__":
    sys.exit(main())
