#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Follows a page of docs/ from its first line to its last in an empty folder, with an installed Lathe: a fenced block whose text
before it names a file last becomes that file, and every command is run in order, prints what the page says and succeeds. Only
/where/lathe/is/installed is replaced.

usage: follow_page.py ROOT PREFIX PAGE [--least N]
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(ROOT / "tests/policy"))
from documentation import Block, matches, read  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    parser.add_argument("prefix", type=pathlib.Path)
    parser.add_argument("page")
    parser.add_argument("--least", type=int, default=1, help="commands that the page must have")
    options = parser.parse_args()
    prefix = options.prefix.resolve()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LATHE_")}
    environment |= {"PATH": f"{prefix / 'bin'}:{os.environ['PATH']}", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    commands = files = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for item in read(ROOT / options.page):
            where = f"{options.page}:{item.line}"
            if isinstance(item, Block):
                named = re.findall(r"`([\w./-]+/[\w.-]+\.\w+)`", item.before)
                assert named, f"{where}: no text before the block names its file"
                path = folder / named[-1]
                assert path.is_file(), f"{where}: {named[-1]} is to be replaced, but is not there"
                path.write_text(item.text)
                files += 1
                continue
            text = item.text.replace("/where/lathe/is/installed", str(prefix))
            done = subprocess.run(["bash", "-c", text], cwd=folder, env=environment, text=True, errors="replace", check=False,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            assert done.returncode == 0, f"{where}: {text}: exit code {done.returncode}\n{done.stdout}"
            assert not item.shown or matches(item.shown, done.stdout), \
                f"{where}: {text}: prints\n{done.stdout}\ninstead of\n" + "\n".join(item.shown)
            print(f"{where}: {text}")
            commands += 1
    assert commands >= options.least, f"{options.page} has {commands} commands, at least {options.least} were expected"
    print(f"{commands} commands and {files} files as the page has them")


if __name__ == "__main__":
    main()
