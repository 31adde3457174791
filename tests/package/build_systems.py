# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels in programs, as CMake, make and ninja build them with an installed Lathe: what is built, what is built again when a
# file changes and what is not, and which programs do not compile. Usage: build_systems.py PREFIX CXX FOLDER {cmake|plain}
import ctypes
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

compiler, work, part = sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4]
source = work / "source with space"
shutil.rmtree(work, ignore_errors=True)
# An own copy, because this test gives the compiler's library another time and other tests build with PREFIX meanwhile.
prefix = work / "prefix"
shutil.copytree(sys.argv[1], prefix, symlinks=True)
shutil.copytree(pathlib.Path(__file__).parent / "kernels", source)
environment = dict(os.environ, LATHE_CACHE_DIR=str(work / "cache"))
lathe = prefix / "bin" / "lathe"


def run(*command, at=work, fails=False):
    done = subprocess.run([str(word) for word in command], cwd=at, env=environment, text=True, capture_output=True)
    if (done.returncode != 0) != fails:
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def same(found, wanted, what):
    if found != wanted:
        sys.exit(f"{what}: {found!r}, not {wanted!r}")


def edit(name, old, new):
    path = source / name
    text = path.read_text()
    assert old in text, (name, old)
    path.write_text(text.replace(old, new))


def configure(folder, *options, fails=False):
    return run("cmake", "-S", source, "-B", folder, f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={compiler}",
               "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wconversion -Wpedantic -Werror", *options, fails=fails)


def has_libbpf():
    try:
        ctypes.CDLL("libbpf.so.1")
    except OSError:
        return False
    return True


def skeletons(generator):
    """A BPF program in a build: compiled again when its header changes, and only then."""
    folder = work / ("bpf " + generator)
    configure(folder, "-G", generator, "-DWITH_BPF=ON")
    programs = ["count", "count_by_libbpf"] if "count_by_libbpf" in run("cmake", "--build", folder, "--target", "help") else ["count"]
    build = lambda: run("cmake", "--build", folder, "--target", *programs)
    build()
    results = [run(folder / program).strip() for program in programs]
    if "not permitted" in results:
        return
    same(results, ["42"] * len(programs), "programs with skeletons")
    second = build()
    if "BPF programs of" in second or "Building" in second:
        sys.exit(f"{generator}: a build of a skeleton with nothing changed: {second}")
    edit("step.h", "STEP 1", "STEP 2")
    same(build().count("BPF programs of count"), len(programs), "skeletons compiled again")
    same([run(folder / program).strip() for program in programs], ["43"] * len(programs), "programs after the change")
    edit("step.h", "STEP 2", "STEP 1")


def with_cmake(generator):
    folder = work / generator.replace(" ", "_")
    configure(folder, "-G", generator)
    build = lambda: run("cmake", "--build", folder, "--parallel", "2")
    build()
    same(run(folder / "embedded").strip(), "42", "embedded")
    same(run(folder / "beside").strip(), "42", "beside")
    same(run(folder / "own_types").strip(), "5", "own_types")
    same(run(folder / "object").strip(), "42", "object")
    same(run(folder / "from_below").strip(), "42", "object of a folder below")
    same(run(folder / "from_both").strip(), "42", "kernels of two folders")
    for kind in ["STATIC", "SHARED"]:
        same(run(folder / f"apart_{kind}").strip(), "o t", f"libraries with kernels of one name, {kind}")
    same(run(folder / "linked").strip(), "42", "linked")
    # Nothing in the image is for this device but portable IR, which the compiler's library makes code of.
    same(run(folder / "portable").strip(), "42", "portable")
    environment["LATHE_COMPILER_LIBRARY"] = "off"
    without = run(folder / "portable", fails=True)
    del environment["LATHE_COMPILER_LIBRARY"]
    if "nothing in it fits" not in without or "switches it off" not in without:
        sys.exit(f"portable without a compiler: {without}")
    second = build()
    if "kernels of" in second or "Building" in second or "Linking" in second:
        sys.exit(f"{generator}: a build with nothing changed: {second}")
    # A header of the kernels alone: kernels are compiled again, and no host code that only sees their declarations.
    edit("factor.h", "FACTOR 1", "FACTOR 2")
    third = build()
    same(third.count("of saxpy"), 6, f"{generator}: kernels compiled again")
    same(third.count("of points"), 0, f"{generator}: kernels compiled for nothing")
    same(third.count("of solve"), 1, f"{generator}: linked kernels compiled again")
    if re.search(r"Building CXX object \S*main\.cpp", third):
        sys.exit(f"{generator}: host code compiled for a kernel's body: {third}")
    same(run(folder / "embedded").strip(), "82", "embedded after the change")
    same(run(folder / "beside").strip(), "82", "beside after the change")
    same(run(folder / "object").strip(), "82", "object after the change")
    same(run(folder / "linked").strip(), "82", "linked after the change")
    edit("factor.h", "FACTOR 2", "FACTOR 1")
    build()
    # Other options, and another compiler, compile again what they concern, once.
    configure(folder, "-G", generator, "-DBESIDE_OPTIONS=-O;1")
    fourth = build()
    same((fourth.count("of saxpy"), fourth.count("of points")), (1, 1), f"{generator}: kernels compiled for other options")
    same(run(folder / "beside").strip(), "42", "beside with other options")
    (library,) = [file for file in prefix.glob("lib*/**/liblathe.so.*") if not file.is_symlink()]
    library.touch()
    fifth = build()
    same((fifth.count("of saxpy"), fifth.count("of points")), (6, 4), f"{generator}: kernels compiled by another compiler")
    configure(folder, "-G", generator)
    sixth = build()
    if "kernels of" in sixth:
        sys.exit(f"{generator}: a configure with nothing changed compiles: {sixth}")
    # A file that is gone is an error of the program, which says so.
    image = folder / "beside_kernels_saxpy.limg"
    content = image.read_bytes()
    image.unlink()
    missing = run(folder / "beside", fails=True)
    if "beside_kernels_saxpy.limg" not in missing:
        sys.exit(f"beside without its image: {missing}")
    image.write_bytes(content[:100])
    if "image" not in run(folder / "beside", fails=True):
        sys.exit("beside with a damaged image")
    image.write_bytes(content)
    return folder


def wrong_programs(folder):
    commands = json.loads((folder / "compile_commands.json").read_text())
    command = next(one for one in commands if one["file"].endswith("main.cpp") and "embedded.dir" in one["command"])
    words = re.sub(r" -o \S+", " -fsyntax-only", command["command"])
    run("sh", "-c", words, at=command["directory"])
    for wrong, message in [("WRONG_POINTER", "double"), ("WRONG_CONST", "const float"), ("WRONG_COUNT", "saxpy"),
                           ("WRONG_RECORD", "demo_Step"), ("WRONG_NAME", "daxpy")]:
        text = run("sh", "-c", f"{words} -D{wrong}", at=command["directory"], fails=True)
        if "error" not in text or message not in text:
            sys.exit(f"{wrong}: {text}")


def wrong_calls():
    """Calls that the function refuses, each with its message."""
    for call, message in [
            ("TARGET nothing SOURCES saxpy.cpp", "TARGET is no target"),
            ("TARGET app", "there are no SOURCES"),
            ("TARGET app SOURCES saxpy.cpp EMBED FILE", "exclude each other"),
            ("TARGET app SOURCES saxpy.cpp OBJECT TARGETS object x86-64-v3", "OBJECT is for one target"),
            ("TARGET app SOURCES saxpy.cpp NAMESPACE 9lives", "is no namespace"),
            ("TARGET app SOURCES saxpy.cpp saxpy.cpp", "two sources are called saxpy"),
            ("TARGET app LINK SOURCES saxpy.cpp nowhere.cpp", "there is no"),
            ("TARGET app SOURCES saxpy.cpp NAMESPACE a b", "make no sense"),
            ("TARGET app SOURCES saxpy.cpp HEADERS x.h", "there is no"),
            ("TARGET lib SOURCES saxpy.cpp FILE", "beside a program"),
            ("TARGET app SOURCES saxpy.cpp)\nlathe_add_kernels(TARGET app SOURCES saxpy.cpp", "two sources are called saxpy"),
            ("TARGET app SOURCES saxpy.cpp points.cpp KERNELS saxpy", "KERNELS are of one source")]:
        folder = work / "wrong"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copy(source / "saxpy.cpp", folder)
        (folder / "CMakeLists.txt").write_text(f"""cmake_minimum_required(VERSION 3.25)
project(wrong LANGUAGES NONE)
enable_language(CXX)
find_package(lathe REQUIRED CONFIG)
file(WRITE main.cpp "int main() {{}}")
add_executable(app main.cpp)
add_library(lib STATIC main.cpp)
lathe_add_kernels({call})
""")
        text = run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}",
                   f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_CXX_COMPILER_WORKS=1", fails=True)
        if message not in " ".join(text.split()):
            sys.exit(f"{call}: {text}")


def plain():
    """make and ninja by hand, as docs/build-systems.md has them."""
    flags = f"-std=c++20 -I{prefix}/include -I."
    compile_kernels = (f"{lathe} compile saxpy.cpp -t cpu:x86-64-v2 -t cuda:sm_80 -o kernels.limg --embed kernels.c "
                       "--kernel-header kernels.h --depfile kernels.d --depfile-target kernels.c")
    main = "\n".join(["#include <cstdio>", '#include "kernels.h"', "int main() {", '  auto device = lathe::Device::open("cpu");',
                      "  auto y = device->allocate<float>(1);", "  float two = 2;", "  (void)y->upload({&two, 1});",
                      "  auto done = kernels::saxpy(*device, {}, 1, 20.0f, y->data(), y->data());",
                      '  if (!done) std::fputs(done.error().render().c_str(), stderr);',
                      '  else std::printf("%g\\n", y->read()->front());', "}", ""])
    link = f"{compiler} main.o kernels.o -L{prefix}/lib -llathe-runtime -Wl,-rpath,{prefix}/lib -o app"
    makefile = f"""app: main.o kernels.o
\t{link}
main.o: main.cpp kernels.c
\t{compiler} {flags} -c main.cpp
kernels.o: kernels.c
\tgcc -c kernels.c
kernels.c: saxpy.cpp
\t{compile_kernels}
-include kernels.d
"""
    ninja = f"""rule kernels
  command = {compile_kernels}
  depfile = kernels.d
  deps = gcc
  restat = 1
rule cxx
  command = {compiler} {flags} -MMD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
rule cc
  command = gcc -c $in -o $out
rule link
  command = {link}
build kernels.c | kernels.h kernels.limg: kernels saxpy.cpp
build main.o: cxx main.cpp || kernels.c
build kernels.o: cc kernels.c
build app: link main.o kernels.o
"""
    for tool, script in [("make", makefile), ("ninja", ninja)]:
        folder = work / tool
        folder.mkdir()
        for name in ["saxpy.cpp", "factor.h"]:
            shutil.copy(source / name, folder)
        (folder / "main.cpp").write_text(main)
        (folder / {"make": "Makefile", "ninja": "build.ninja"}[tool]).write_text(script)
        run(tool, at=folder)
        same(run(folder / "app").strip(), "42", tool)
        if "lathe" in run(tool, at=folder):
            sys.exit(f"{tool}: a build with nothing changed compiles")
        (folder / "factor.h").write_text("#define FACTOR 2\n")
        run(tool, at=folder)
        same(run(folder / "app").strip(), "82", f"{tool} after the change")
        # A header that nobody includes any more may go.
        (folder / "saxpy.cpp").write_text((folder / "saxpy.cpp").read_text().replace('#include "factor.h"', "#define FACTOR 1"))
        (folder / "factor.h").unlink()
        run(tool, at=folder)
        same(run(folder / "app").strip(), "42", f"{tool} without the header")


work.mkdir(exist_ok=True)
if part == "cmake":
    if has_libbpf():
        skeletons("Ninja")
    wrong_programs(with_cmake("Ninja"))
elif part == "make":
    if has_libbpf():
        skeletons("Unix Makefiles")
    with_cmake("Unix Makefiles")
else:
    wrong_calls()
    plain()
