#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Links between the pages lead somewhere, and docs/README.md lists all that there is: every page of docs/ and every decision,
whose numbers have no gap. A heading that a link names is one of the page's.

usage: links.py ROOT
"""
import pathlib
import re
import subprocess
import sys

LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(path):
    """The headings as GitHub names them."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links(root, page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"`[^`\n]*`", "", text)
    for target in LINK.findall(text):
        if re.match(r"\w+:", target):
            continue
        name, _, anchor = target.partition("#")
        at = (page.parent / name).resolve() if name else page
        if not at.exists():
            yield f"{page.relative_to(root)}: link to '{target}', which is not there"
        elif anchor and at.suffix == ".md" and anchor not in anchors(at):
            yield f"{page.relative_to(root)}: link to '{target}', which has no such heading"


def unlisted(root):
    docs = root / "docs"
    listed = {(docs / target.partition("#")[0]).resolve() for target in LINK.findall((docs / "README.md").read_text())}
    decisions = sorted((docs / "decisions").glob("*.md"))
    for page in sorted(docs.glob("*.md")) + decisions:
        if page.name != "README.md" and page.resolve() not in listed:
            yield f"docs/README.md does not list {page.relative_to(docs)}"
    for number, page in enumerate(decisions, 1):
        title = page.read_text().partition("\n")[0]
        if not page.name.startswith(f"{number:04}-") or not title.startswith(f"# {number:04}: "):
            yield f"{page.relative_to(root)}: decision {number:04} is missing, or this is called another"


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    files = subprocess.run(["git", "-C", str(root), "ls-files", "*.md"], capture_output=True, text=True, check=False).stdout.split()
    pages = [root / name for name in files if (root / name).is_file()] or sorted(root.rglob("*.md"))
    faults = [fault for page in pages for fault in broken_links(root, page)] + list(unlisted(root))
    print("\n".join(faults) or f"{len(pages)} pages")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
