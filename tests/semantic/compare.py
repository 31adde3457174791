#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles CUDA kernels with nvcc and with Lathe and compares the semantic facts of their PTX (facts.py), kernel by kernel:
the suite's kernels, those of tests/semantic/kernels, and one for each function of docs/cuda-names.md (names.py). A
difference fails unless tests/semantic/allowed.txt has it with its reason; so does a line there that nothing needs. The page
docs/ptx-semantics.md has the numbers and the reasons: LATHE_BLESS=1 renews it.

usage: compare.py ROOT --lathe LATHE [--nvcc NVCC] [--arch SM ...] [--only PATTERN ...] [--jobs N] [--list]
Ends with 77, a skipped test, where there is no nvcc.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "policy"))

import facts  # noqa: E402
import generated  # noqa: E402
import names  # noqa: E402

ARCHITECTURES = ("sm_75", "sm_80", "sm_90")
NVCC = "-ptx -O3 -std=c++20 -w --expt-relaxed-constexpr".split()
RELEASE = "13.0"  # of nvcc, by which the table is: another one may need other lines
GROUPS = (("atom", "atomic operations"), ("ld", "loads with an order, volatile or with a cache operator"), ("st", "such stores"),
          ("fence", "fences"), ("barrier", "barriers"), ("shfl vote match redux activemask elect", "warp-wide instructions"),
          ("round", "arithmetic with a rounding, saturation or approximation"), ("cvt", "conversions"),
          ("maxntid reqntid minnctapersm maxnreg maxclusterrank reqnctapercluster explicitcluster", "launch bounds, clusters, registers"),
          ("parameters", "parameter layouts"), ("shared", "shared memory"), ("", "others: copies, matrices, textures, traps, calls, clocks"))
ORDERS = {"relaxed": 0, "acquire": 1, "release": 2, "acq_rel": 3, "sc": 3}  # as bits: what is ordered
SCOPES = ("cta", "cluster", "gpu", "sys")


class Row:
    """A line of the table: differences that match it are allowed, for the reason above it."""

    def __init__(self, reason, kernel, side, fact, archs, line):
        self.reason, self.kernel, self.side, self.fact, self.archs, self.line = reason, kernel, side, fact, archs, line
        self.used = 0

    def takes(self, difference):
        return (self.side == difference.side and difference.arch in self.archs and fnmatch.fnmatchcase(difference.kernel, self.kernel)
                and fnmatch.fnmatchcase(difference.fact, self.fact))


Difference = collections.namedtuple("Difference", "kernel arch side fact")


def read_table(path):
    rows, reason = [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if not line.startswith(" "):
            reason = line.strip()
            continue
        cells = [cell.strip() for cell in line.split("|")]
        archs = cells[3].split() if len(cells) == 4 else list(ARCHITECTURES)
        if reason is None or len(cells) not in (3, 4) or cells[1] not in ("nvcc", "lathe", "stronger", "refused"):
            sys.exit(f"{path}:{number}: expected '  kernel | nvcc, lathe, stronger or refused | fact [| architectures]' under a reason")
        rows.append(Row(reason, cells[0], cells[1], cells[2], archs, number))
    return rows


def same(one, other):
    """True if two facts differ at most in an address space that one compiler has not found out."""
    a, b = one.split(" "), other.split(" ")
    return len(a) == len(b) and all(x == y or "generic" in (x, y) for x, y in zip(a, b))


def stronger(weak, strong):
    """True if `strong` is the same operation with at least the order and the scope of `weak`."""
    a, b = weak.split(" "), strong.split(" ")
    if len(a) != len(b) or a[0] not in ("atom", "ld", "st", "fence"):
        return False
    for x, y in zip(a, b):
        if x == y or "generic" in (x, y):
            continue
        if x in ORDERS and y in ORDERS:
            # A load has no release to lack and a store no acquire.
            wanted = ORDERS[x] & {"ld": 1, "st": 2}.get(a[0], 3)
            if wanted & ~ORDERS[y] or (x == "sc") > (y == "sc"):
                return False
        elif not (x in SCOPES and y in SCOPES and SCOPES.index(x) <= SCOPES.index(y)):
            return False
    return True


def lenient(fact):
    """Facts that may stand on Lathe's side alone: an explicit nearest rounding keeps ptxas from fusing, no more."""
    return bool(re.fullmatch(r"round (add|mul|fma) rn \w+", fact))


def differences(kernel, arch, nvcc, lathe):
    """What the facts of one kernel differ in. How often a fact occurs counts where the kernel's name says so."""
    counted = kernel.rpartition(":")[2].startswith("counted_")
    left = collections.Counter(nvcc if counted else dict.fromkeys(nvcc, 1))
    right = collections.Counter(lathe if counted else dict.fromkeys(lathe, 1))
    # Facts of one kernel that the same fact of the other answers, exactly or but for the space.
    for matches in (lambda a, b: a == b, same):
        for a in sorted(left):
            for b in sorted(right):
                if left[a] and right[b] and matches(a, b):
                    answered = min(left[a], right[b])
                    left[a] -= answered
                    right[b] -= answered
                    if not counted:  # one fact may stand for several that differ in a space only
                        absorb(left, right, nvcc, lathe)
    out = []
    for a in sorted(left):
        for b in sorted(right):
            if left[a] and right[b] and stronger(a, b):
                answered = min(left[a], right[b])
                left[a] -= answered
                right[b] -= answered
                out.append(Difference(kernel, arch, "stronger", f"{a} -> {b}"))
    out += [Difference(kernel, arch, "nvcc", fact) for fact in sorted(+left) if not fact_is_answered(fact, lathe)]
    out += [Difference(kernel, arch, "lathe", fact) for fact in sorted(+right) if not lenient(fact)]
    return out


def fact_is_answered(fact, others):
    """Contracted multiplications and additions are one rounding less, which either compiler may choose."""
    return bool(re.fullmatch(r"round fma rn \w+", fact)) and f"round mul rn {fact.split()[-1]}" in others


def absorb(left, right, nvcc, lathe):
    for a in left:
        if left[a] and any(same(a, b) for b in lathe):
            left[a] = 0
    for b in right:
        if right[b] and any(same(a, b) for a in nvcc):
            right[b] = 0


def run(command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return result.returncode == 0, result.stderr + result.stdout


def first_error(text):
    lines = [line for line in text.splitlines() if "error" in line] or text.splitlines() or ["no message"]
    return re.sub(r"^\S*/", "", lines[0].strip())[:200]


def compile_both(options, folder, source, arch):
    """(name, architecture, {side: facts by kernel or an error})."""
    out = {}
    for side in ("nvcc", "lathe"):
        ptx = folder / f"{source.stem}.{arch}.{side}.ptx"
        if side == "nvcc":
            command = [options.nvcc, *NVCC, f"-arch={arch}", str(source), "-o", str(ptx)]
        else:
            command = [options.lathe, "compile", str(source), "--target", f"cuda:{arch}", "--emit", "ptx", "-o", str(ptx)]
        good, text = run(command)
        out[side] = facts.kernels(ptx.read_text()) if good else first_error(text)
    return source.stem, arch, out


def compare(results, table):
    """(differences that the table lacks, numbers)."""
    bad, kernels, found, allowed = [], set(), collections.Counter(), collections.Counter()
    for stem, arch, sides in results:
        now = []
        for side, other in (("nvcc", "lathe"), ("lathe", "nvcc")):
            if isinstance(sides[side], str):
                now.append(Difference(f"{stem}:*", arch, "refused", f"{side} {sides[side]}"))
        if not now:
            for name in sorted(set(sides["nvcc"]) | set(sides["lathe"])):
                nvcc, lathe = sides["nvcc"].get(name), sides["lathe"].get(name)
                if nvcc is None or lathe is None:
                    now.append(Difference(f"{stem}:{name}", arch, "lathe" if nvcc is None else "nvcc", "kernel"))
                    continue
                kernels.add((stem, name, arch))
                for fact in nvcc:
                    found[group_of(fact)] += 1
                now += differences(f"{stem}:{name}", arch, nvcc, lathe)
        for difference in now:
            row = next((row for row in table if row.takes(difference)), None)
            if row:
                row.used += 1
                allowed[row.reason] += 1
            else:
                bad.append(difference)
    return bad, kernels, found, allowed


def group_of(fact):
    word = fact.partition(" ")[0]
    return next((title for words, title in GROUPS if word in words.split()), GROUPS[-1][1])


def sources(root, folder, only):
    suite = root / "tests/conformance"
    out = sorted((suite / "cuda").glob("*.cu")) + sorted((suite / "programs").glob("*.cu")) + sorted((HERE / "kernels").glob("*.cu"))
    out += names.write(HERE / "names.txt", folder)
    # What nvcc takes in separate compilation only.
    out = [path for path in out if path.stem not in ("device_launch", "device_runtime")]
    return [path for path in out if not only or any(fnmatch.fnmatch(path.stem, pattern) for pattern in only)]


def page(kernels, found, table, allowed):
    by_arch = collections.Counter(arch for _, _, arch in kernels)
    lines = [f"Compared with nvcc {RELEASE}: " + ", ".join(f"{by_arch[arch]} kernels for {arch}" for arch in ARCHITECTURES) + ".", "",
             "| facts of nvcc's code | found in a kernel |", "|---|---|"]
    lines += [f"| {title} | {found[title]:,} times |" for _, title in GROUPS if found[title]]
    lines += ["", "| differences that are allowed | lines of the table | differences |", "|---|---|---|"]
    for reason in dict.fromkeys(row.reason for row in table):
        lines.append(f"| {reason} | {sum(row.reason == reason for row in table)} | {allowed[reason]:,} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--lathe", required=True)
    parser.add_argument("--nvcc", default="")
    parser.add_argument("--arch", nargs="*", default=ARCHITECTURES)
    parser.add_argument("--only", nargs="*", default=[], help="sources by name, such as 'names_*'")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 2, 8))
    parser.add_argument("--list", action="store_true", help="print all differences, allowed or not")
    options = parser.parse_args()
    options.nvcc = shutil.which(options.nvcc or "nvcc")
    if not options.nvcc:
        print("skipped: no nvcc here to compare with")
        return 77
    missing = names.uncovered(HERE / "names.txt", options.root / "docs/cuda-names.md", HERE / "kernels")
    if missing:
        print(f"names.txt: no kernel calls {' '.join(missing)}")
    table = [] if options.list else read_table(HERE / "allowed.txt")
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = pathlib.Path(folder)
        jobs = [pool.submit(compile_both, options, folder, source, arch)
                for source in sources(options.root, folder, options.only) for arch in options.arch]
        bad, kernels, found, allowed = compare([job.result() for job in jobs], table)
    for difference in bad:
        print(f"{difference.kernel} | {difference.side} | {difference.fact} | {difference.arch}")
    known = f"release {RELEASE}," in run([options.nvcc, "--version"])[1]
    complete = known and not options.only and len(options.arch) == len(ARCHITECTURES)
    idle = [row for row in table if not row.used] if complete else []
    for row in idle:
        print(f"allowed.txt:{row.line}: nothing needs this line any more")
    print(f"{len(kernels)} kernels compared, {len(bad)} differences without a reason, {sum(allowed.values())} with one")
    if not complete or options.list:
        return bool(bad)
    current = generated.check(options.root / "docs/ptx-semantics.md", "tests/semantic/compare.py", page(kernels, found, table, allowed),
                              "ctest -R semantic.nvcc")
    return bool(bad or idle or missing or current)


if __name__ == "__main__":
    sys.exit(main())
