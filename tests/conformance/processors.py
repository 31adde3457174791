#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The suite's kernels in the kernel language, compiled at -O0 and -O3 for processors that nothing here has: the targets of
processors/*.yaml and some of the tree. What became of each case is kept in processors/outcomes.json, and docs/processors.md has a
table of it. This checks the table and compiles a sample of the cases again; LATHE_PROCESSORS=all: every case. LATHE_BLESS=1
compiles every case and renews both files.

usage: processors.py LATHE ROOT
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

LATHE, ROOT = sys.argv[1], pathlib.Path(sys.argv[2])
sys.path.insert(0, str(ROOT / "tests/policy"))
import generated  # noqa: E402

FOLDER = ROOT / "tests/conformance/processors"
OUTCOMES = FOLDER / "outcomes.json"
BUILT_IN = ["aarch64", "riscv64", "wasm32"]
SAMPLE = ["kernels_basics_", "kernels_allocation_", "kernels_integers_"]
# The words of an error that say why a kernel is refused.
REASONS = [(r"crashed", "the compiler crashes"),
           (r"no such atomic operation|'lathe::half2'|'lathe::bf16x2'|has no kernel 'small_sums", "no atomics on floats of 16 bits"),
           (r"__int128 is not supported|atomic_bits<16>|has no kernel 'wide", "no integers of 128 bits"),
           (r"\(4 vs 2 bytes\)|\(2 vs 4 bytes\)|cannot be narrowed|requirement .alignof\(", "`int` has 16 bits"),
           (r"undefined template 'lathe::detail::matr|has no kernel '(filled|product)|_Float16 is not supported", "no matrices of 16-bit floats"),
           (r"a cycle counter", "no clock"),
           (r"operator new|malloc", "no heap"),
           (r"LLVM gave up: Cannot select|is no instruction of", "LLVM cannot select an instruction"),
           (r"took longer|seconds", "more than five minutes")]


def reason(detail):
    return next((name for words, name in REASONS if re.search(words, detail)), detail.strip().splitlines()[0][:120] if detail else "")


def compiled(target, cases):
    """Case → [outcome, reason] of one target."""
    words = [word for case in cases for word in ("--case", case)]
    done = subprocess.run([LATHE, "conformance", "--coverage", "--target", target, "--json", *words], capture_output=True, text=True,
                          env=dict(os.environ, LATHE_TARGET_PATH=str(FOLDER)), check=False)
    assert done.stdout, f"{target}: {done.stderr}"
    results = json.loads(done.stdout)["targets"][0]["results"]
    return {one["case"]: [one["outcome"].lower(), "" if one["outcome"] == "passed" else reason(one.get("detail", ""))] for one in results}


def fields(target):
    yaml = FOLDER / f"{target}.yaml"
    if not yaml.is_file():
        yaml = ROOT / "targets" / target / f"{target}.yaml"
    text = yaml.read_text()
    return {key: found.group(1) if (found := re.search(rf"^{key}: *(.+)$", text, re.MULTILINE)) else "" for key in ("triple", "frontend")}


def table(outcomes):
    out = ["| target | triple | front end | compiled | absent | refused | why |", "|---|---|---|---|---|---|---|"]
    for target, cases in sorted(outcomes.items()):
        count = collections.Counter(outcome for outcome, _ in cases.values())
        why = collections.Counter(text for outcome, text in cases.values() if outcome == "failed")
        reasons = ", ".join(f"{name} ({number})" for name, number in sorted(why.items(), key=lambda one: (-one[1], one[0])))
        about = fields(target)
        out.append(f"| {target} | {about['triple']} | {about['frontend'] or 'device'} | {count['passed']} | {count['absent']} | "
                   f"{count['failed']} | {reasons} |")
    return "\n".join(out)


def main():
    targets = sorted([path.stem for path in FOLDER.glob("*.yaml")] + BUILT_IN)
    if os.environ.get("LATHE_BLESS"):
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            outcomes = dict(zip(targets, pool.map(lambda target: compiled(target, ["kernels_"]), targets)))
        OUTCOMES.write_text(json.dumps(outcomes, indent=0, sort_keys=True) + "\n")
    else:
        outcomes = json.loads(OUTCOMES.read_text())
        assert sorted(outcomes) == targets, f"{OUTCOMES} has other targets; renew it by LATHE_BLESS=1"
        listed = subprocess.run([LATHE, "conformance", "--list", "--case", "kernels_"], capture_output=True, text=True, check=True).stdout
        suite = sorted(line.split()[0] for line in listed.splitlines() if line.startswith("kernels_"))
        for target in targets:
            assert sorted(outcomes[target]) == suite, f"{target}: other cases than the suite's are kept; renew them by LATHE_BLESS=1"
        cases = ["kernels_"] if os.environ.get("LATHE_PROCESSORS") == "all" else SAMPLE
        for target in targets:
            now = compiled(target, cases)
            changed = {case: (outcomes[target].get(case), found) for case, found in now.items() if outcomes[target].get(case) != found}
            assert now and not changed, f"{target}: case: (kept, now): {changed}"
            print(f"{target}: {len(now)} of {len(outcomes[target])} cases as they were")
    return generated.check(ROOT / "docs/processors.md", "tests/conformance/processors.py", table(outcomes), f"{sys.argv[0]} LATHE {ROOT}")


if __name__ == "__main__":
    sys.exit(main())
