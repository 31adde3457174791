# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles sources to SPIR-V, every kernel of a file at once, and has spirv-val check the modules. A file's compile may
be refused only for reasons given with it.

usage: spirv_validate.py LATHE SOURCE[:REASON[|REASON...]] ...
"""
import pathlib
import subprocess
import sys
import tempfile

VERSIONS = ("1.2", "1.4")
LEVELS = ("0", "3")


def check(lathe, source, reasons, version, level, module):
    """What went wrong, or None."""
    command = [lathe, "compile", "--isolation", "in-process", source, "-t", f"spirv:spv{version}", "-O", level,
               "--emit", "spv", "-o", module]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "error: " in line]
        unexpected = [line for line in errors if not any(reason in line for reason in reasons)]
        return "\n".join(unexpected) if unexpected or not errors else None
    done = subprocess.run(["spirv-val", "--target-env", f"spv{version}", module], capture_output=True, text=True, check=False)
    return None if done.returncode == 0 else done.stdout + done.stderr


def main():
    lathe, *sources = sys.argv[1:]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        module = str(pathlib.Path(folder) / "module.spv")
        for argument in sources:
            source, _, reasons = argument.partition(":")
            for version in VERSIONS:
                for level in LEVELS:
                    problem = check(lathe, source, [r for r in reasons.split("|") if r], version, level, module)
                    if problem is not None:
                        failed += 1
                        print(f"{source} at -O{level}, SPIR-V {version}: {problem}")
    print(f"{len(sources)} files, {failed} failures")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
