#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The folders of core/ and runtimes/ include each other in one direction only: no cycle. A folder holds at most 25 files and
a file of the product at most 400 lines, but for those that folders_allowed.txt names with a reason. docs/architecture.md
shows the graph; this checks that the drawing is current, or renews it with LATHE_BLESS=1. The root holds the files that
tools and readers look for there, and no other.

usage: folders.py ROOT
"""
import collections
import graphlib
import pathlib
import re
import subprocess
import sys

import generated

MOST_FILES, MOST_LINES = 25, 400
ROOT_FILES = {"CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md", "LICENSE", "README.md", "VERSION", "dev"}
include = re.compile(r'^\s*#\s*include\s*"((?:core|runtimes)/[^"]+)"', re.M)


def sources(root, *tops):
    for top in tops:
        yield from sorted(p for p in (root / top).rglob("*") if p.suffix in (".h", ".cpp", ".def"))


def graph(root):
    """Folder → folders whose headers its files include."""
    edges = collections.defaultdict(set)
    for path in sources(root, "core", "runtimes"):
        here = str(path.parent.relative_to(root))
        edges[here]  # folders that include nothing are drawn too
        for name in include.findall(path.read_text()):
            there = str(pathlib.PurePosixPath(name).parent)
            if there != here:
                edges[here].add(there)
    return edges


def drawing(edges):
    """Levels: a folder stands one below the highest that it includes."""
    level = {}
    for folder in graphlib.TopologicalSorter(edges).static_order():
        level[folder] = 1 + max((level[other] for other in edges.get(folder, ())), default=0)
    out = ["| level | folder | includes |", "|---|---|---|"]
    for folder in sorted(level, key=lambda f: (level[f], f)):
        out.append(f"| {level[folder]} | `{folder}` | {', '.join(f'`{f}`' for f in sorted(edges.get(folder, ())))} |")
    return "\n".join(out)


def sizes(root):
    allowed_file = root / "tests/policy/folders_allowed.txt"
    allowed = {line.split("#")[0].strip() for line in allowed_file.read_text().splitlines()} - {""}
    count = collections.Counter()
    found = {}
    for path in sources(root, "core", "runtimes", "targets", "dialects", "include", "tools"):
        count[str(path.parent.relative_to(root))] += 1
        lines = len(path.read_text().splitlines())
        if lines > MOST_LINES:
            found[str(path.relative_to(root))] = f"{lines} lines, at most {MOST_LINES}"
    found |= {folder: f"{n} files, at most {MOST_FILES}" for folder, n in count.items() if n > MOST_FILES}
    out = [f"{name}: {why}" for name, why in sorted(found.items()) if name not in allowed]
    return out + [f"{allowed_file.name}: '{name}' keeps the bound now: remove the line" for name in sorted(allowed - set(found))]


def strays(root):
    """Files in the root that are none of its own; settings of tools begin with a dot."""
    names = subprocess.run(["git", "-C", root, "ls-files"], capture_output=True, text=True, check=False).stdout.splitlines()
    return [f"{name}: does not belong in the root" for name in names if "/" not in name and name[0] != "." and name not in ROOT_FILES]


def main():
    root = pathlib.Path(sys.argv[1])
    failures = sizes(root) + strays(root)
    edges = graph(root)
    try:
        text = drawing(edges)
    except graphlib.CycleError as error:
        failures.append("folders include each other in a circle: " + " → ".join(reversed(error.args[1])))
        text = None
    for failure in failures:
        print(failure)
    print(f"{len(edges)} folders, {len(failures)} failed")
    drawn = generated.check(root / "docs/architecture.md", "tests/policy/folders.py", text, f"{sys.argv[0]} {root}") if text else 1
    return 1 if failures else drawn


if __name__ == "__main__":
    sys.exit(main())
