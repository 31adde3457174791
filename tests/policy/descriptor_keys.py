#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keys of descriptors that fewer than two built-in targets use are listed in docs/descriptor.md with who else has a use
for them, and no others are."""
import collections
import pathlib
import re
import sys

try:
    import yaml
except ModuleNotFoundError:
    print("not run: this Python has no yaml (Debian: python3-yaml)")
    sys.exit(77)

root = pathlib.Path(sys.argv[1])
users = collections.defaultdict(set)


def walk(node, prefix, target):
    if isinstance(node, dict):
        for name, value in node.items():
            users[prefix + str(name)].add(target)
            walk(value, f"{prefix}{name}.", target)
    elif isinstance(node, list):
        for value in node:
            walk(value, prefix, target)


for path in sorted(root.glob("targets/*/*.yaml")):
    if path.parent.name == "null":  # the skeleton shows keys, it needs none
        continue
    document = yaml.safe_load(path.read_text())
    clauses = document.pop("when", None) or []
    walk(document, "", document["name"])
    for clause in clauses:
        users["when"].add(document["name"])
        walk(clause["then"], "", document["name"])

page = (root / "docs/descriptor.md").read_text()
generated = page[page.index("<!-- generated: begin -->"):page.index("<!-- generated: end -->")]
keys = re.findall(r"^\| `([a-z0-9_.]+)` \|", generated, re.M)
listed = dict(re.findall(r"^\| `([a-z0-9_.]+)` \| (?:`([a-z0-9-]+)`|–) \| \S", page[page.index("<!-- generated: end -->"):], re.M))
failures = []
for key in keys:
    found = sorted(users[key])
    if len(found) > 1:
        if key in listed:
            failures.append(f"{key}: {', '.join(found)} use it: take it off the list")
    elif key not in listed:
        failures.append(f"{key}: {' '.join(found) or 'no target'} uses it: say who else has a use for it, make it a hook, or remove it")
    elif listed[key] != "".join(found):
        failures.append(f"{key}: used by {' '.join(found) or 'none'}, listed for {listed[key] or 'none'}")
failures += [f"{key}: listed, and no key" for key in listed if key not in keys]
if not keys or not users:
    failures.append("no keys or no descriptors found")
print("\n".join(failures) or f"{len(keys)} keys, {len(listed)} of them with fewer than two users")
sys.exit(bool(failures))
