# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The C skeleton of a BPF program: compiled as C and as C++ against libbpf, loaded and attached; and, where bpftool is
# installed, the members of its structure compared with those of bpftool's own. Usage: skeleton.py LATHE PROGRAM.bpf.cpp
import os
import re
import shutil
import subprocess
import sys
import tempfile

lathe, program = sys.argv[1:]

USE = r"""
#define LATHE_SKELETON_TYPES
#include "skeleton.h"
#include <bpf/bpf.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  struct counting *skel = counting__open();
  if (!skel) return 3;
  skel->rodata->bias = 2;
  if (counting__load(skel)) return errno == EPERM ? 77 : 4;
  struct { unsigned a, b, sum, pad; } sum;
  memset(&sum, 0, sizeof(sum));
  sum.a = 40;
  sum.b = 2;
  LIBBPF_OPTS(bpf_test_run_opts, options, .ctx_in = &sum, .ctx_size_in = sizeof(sum));
  if (bpf_prog_test_run_opts(bpf_program__fd(skel->progs.add), &options)) return 5;
  if (sum.sum != 44 || skel->bss->total != 44 || skel->data->limit != 100) return 6;
  if (bpf_map__max_entries(skel->maps.counts) != 16) return 7;
  if (counting__attach(skel)) return 8;
  if (!skel->links.on_enter) return 9;
  for (int i = 0; i < 20; ++i) fflush(stdout), puts("x"), fflush(stdout);
  if (skel->bss->calls == 0) return 10;
  counting__detach(skel);
  size_t size = 0;
  if (!counting__elf_bytes(&size) || size < 500) return 11;
#ifdef __cplusplus
  counting *other = counting::open_and_load();
  if (!other || counting::attach(other)) return 12;
  counting::destroy(other);
#endif
  counting__destroy(skel);
  return 0;
}
"""


def members(text):
    """The members of struct counting and of what is in it, without white space, up to the part for C++."""
    body = re.search(r"^struct counting \{(.*?)#ifdef __cplusplus", text, re.M | re.S)[1]
    return [re.sub(r"\s+", " ", line).strip() for line in body.splitlines() if line.strip()]


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    run = lambda *words: subprocess.run(words, check=True, capture_output=True, text=True).stdout
    run(lathe, "compile", program, "-t", "bpf", "-o", "program.o", "--c-skeleton", "skeleton.h", "--skeleton-namespace", "counting")
    for name, words in (("use.c", ("gcc", "-std=gnu11")), ("use.cpp", ("g++", "-std=c++20"))):
        with open(name, "w") as file:
            file.write(USE)
        run(*words, "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers", name, "-o", name + ".out", "-lbpf")
        done = subprocess.run(["./" + name + ".out"], capture_output=True, text=True)
        if done.returncode == 77:
            print("skipped: programs cannot be loaded here")
            sys.exit(0)
        assert done.returncode == 0, (name, done.returncode, done.stderr)
    bad = subprocess.run([lathe, "compile", program, "-t", "bpf", "-o", "x.o", "--c-skeleton", "x.h", "--skeleton-namespace", "a-b"],
                         capture_output=True, text=True)
    assert bad.returncode != 0 and "is no name of a structure" in bad.stderr and not os.path.exists("x.h")
    if not shutil.which("bpftool"):
        print("not compared: bpftool is not installed")
        sys.exit(0)
    ours, theirs = members(open("skeleton.h").read()), members(run("bpftool", "gen", "skeleton", "program.o", "name", "counting"))
    assert ours == theirs, "\n".join(["ours:", *ours, "bpftool's:", *theirs])
    print(f"{len(ours)} lines are bpftool's")
