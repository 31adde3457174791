# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles one kernel for every architecture of a target; the last line printed counts those that failed.

usage: every_arch.py LATHE TARGET FORMAT
"""
import json
import subprocess
import sys

SOURCE = """#include <lathe/device.h>
LATHE_KERNEL void axpy(unsigned n, double a, const double* x, double* y, unsigned* count) {
  LATHE_SHARED double part[32];
  const unsigned i = lathe::global_id().x;
  part[lathe::item_id().x & 31] = i < n ? x[i] : 0;
  lathe::barrier();
  if (i < n) y[i] += a * part[31 - (lathe::item_id().x & 31)];
  if (i < n) lathe::atomic_add(count, 1u);
}
"""


def main():
    lathe, target, form = sys.argv[1:]
    listed = subprocess.run([lathe, "targets", target, "--json"], capture_output=True, text=True, check=True).stdout
    description = json.loads(listed)
    architectures = description.get("architectures") or description["targets"][0]["architectures"]
    failed = []
    for arch in architectures:
        command = [lathe, "compile", "-", "-x", "kernel", "--isolation", "in-process", "-t", f"{target}:{arch}",
                   "--emit", form, "-o", "-"]
        done = subprocess.run(command, input=SOURCE.encode(), capture_output=True, check=False)
        if done.returncode != 0 or not done.stdout:
            failed.append(arch)
            print(f"{arch}: exit code {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
    print(f"{target}: {len(architectures)} architectures, {len(failed)} failed")
    return 1 if failed or not architectures else 0


if __name__ == "__main__":
    sys.exit(main())
