#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Installs the Python module, built against the libraries of a build folder, into a virtual environment there, and runs a file of tests.
What is installed already is kept. Exit code 77, with the reason: Python's headers, virtual environments or the packages of
python/pyproject.toml are not to be had.

usage: run.py ROOT BUILD TEST…
"""
import fcntl
import hashlib
import os
import pathlib
import subprocess
import sys
import sysconfig
import tomllib


class Missing(Exception):
    pass


def run(command, why=None, **more):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **more)
    if done.returncode != 0:
        print(done.stdout)
        raise Missing(why) if why else SystemExit(f"{command[0]} fails")


def digest(paths):
    out = hashlib.sha256(sys.version.encode())
    for path in sorted(paths):
        out.update(path.name.encode() + path.read_bytes())
    return out.hexdigest()


def once(mark, key, make):
    if not mark.is_file() or mark.read_text() != key:
        mark.unlink(missing_ok=True)
        make()
        mark.write_text(key)


def environment(folder, project):
    """The virtual environment with the packages that the project names."""
    settings = tomllib.loads((project / "pyproject.toml").read_text())
    packages = settings["build-system"]["requires"] + settings["project"]["optional-dependencies"]["test"]

    def make():
        run([sys.executable, "-m", "venv", "--clear", folder], "python3 makes no virtual environment (Debian: python3-venv)")
        run([folder / "bin/pip", "install", "--disable-pip-version-check", "ninja", *packages],
            "packages that python/pyproject.toml names cannot be installed from the Python index")
    once(folder / "packages", digest([project / "pyproject.toml"]), make)


def module(folder, root, build):
    """The module in the environment."""
    project = root / "python"
    files = [p for p in project.rglob("*") if p.is_file() and "__pycache__" not in p.parts] + list((root / "include/lathe").glob("*.h"))

    def make():
        run([folder / "bin/pip", "install", "--disable-pip-version-check", "--no-build-isolation", "--no-deps", "--force-reinstall",
             f"--config-settings=build-dir={folder.parent / 'module'}", f"--config-settings=cmake.define.lathe_DIR={build / 'package'}", project],
            env=dict(os.environ, CXXFLAGS="-Werror", PATH=f"{folder / 'bin'}:{os.environ['PATH']}"))
    once(folder / "module", digest(files), make)


def main():
    root, build, tests = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:]
    folder = build / "tests/python/venv"
    with open(build / "tests/python/lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            if not pathlib.Path(sysconfig.get_path("include"), "Python.h").is_file():
                raise Missing("Python's headers are missing (Debian: python3-dev)")
            environment(folder, root / "python")
        except Missing as missing:
            print(f"skipped: {missing}")
            return 77
        module(folder, root, build)
    return subprocess.run([folder / "bin/pytest", "-q", "-p", "no:cacheprovider", "-rs", *tests], check=False,
                          env=dict(os.environ, LATHE_TEST_TOOL=str(build / "bin/lathe"), PYTHONDONTWRITEBYTECODE="1")).returncode


if __name__ == "__main__":
    sys.exit(main())
