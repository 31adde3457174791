#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An installed Lathe has all descriptors in share/lathe/targets, and takes what is put beside them for a target.

usage: check_targets.py SOURCE PREFIX
"""
import json
import os
import pathlib
import subprocess
import sys


def main():
    source, prefix = (pathlib.Path(argument) for argument in sys.argv[1:])
    folder = prefix / "share/lathe/targets"
    found = [f"{yaml.name}: not installed, or not as it is in the tree" for yaml in sorted(source.glob("targets/*/*.yaml"))
             if not (folder / yaml.name).is_file() or (folder / yaml.name).read_text() != yaml.read_text()]
    own = folder / "beside.yaml"
    own.write_text("lathe: 1\nname: beside\nextends: object\ndescription: put there later\n")
    try:
        environment = {key: value for key, value in os.environ.items() if key != "LATHE_TARGET_PATH"}
        shown = subprocess.run([prefix / "bin/lathe", "targets", "beside", "--json"], capture_output=True, text=True,
                               check=False, env=environment)
        origin = json.loads(shown.stdout).get("origin", "") if shown.returncode == 0 else shown.stderr
        if pathlib.Path(origin).resolve() != own.resolve():
            found.append(f"beside.yaml: not found where it was put: {origin}")
    finally:
        own.unlink()
    print("\n".join(found) if found else f"all descriptors are in {folder}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
