#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of whole CUDA programs by Lathe beside nvcc's: `bench/programs/run.py --lathe bin/lathe FOLDER…`.

A FOLDER holds a program with a Makefile that takes the compiler as CC and the architecture as ARCH, and has a target `run`
(HeCBench's do, and are not part of Lathe). Each is built twice by nvcc, the second time with Lathe's PTX in place of the device compiler's
(`cicc` beside this file), so that host code, assembler and options are the same; both are run on the GPU, the first launches
in pairs taking turns at going first, under a recorder of kernels' times (`kernel_times.cpp`). Needs nvcc, g++, make and CUPTI.

Prints a markdown table of the kernels: time by nvcc over time by Lathe, of the launches that both made. Programs that do not build with nvcc,
or launch nothing in time, are left out; those that do not build or end otherwise by Lathe are listed.
"""
import argparse
import concurrent.futures
import json
import math
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SIDES = ("nvcc", "lathe")


def inside_toolkit(nvcc: pathlib.Path) -> pathlib.Path:
    """The nvcc of the toolkit itself, where the one given is a script that calls it, as nvcc's own dry run tells."""
    shown = subprocess.run([nvcc, "--dryrun", "-E", "-x", "cu", os.devnull], capture_output=True, text=True, check=False).stderr
    folder = re.search(r"(?m)^#\$ _HERE_=(.+)$", shown)
    if not folder:
        sys.exit(f"run.py: {nvcc} is not an nvcc: its --dryrun names no _HERE_")
    return pathlib.Path(folder[1]) / "nvcc"


def make_toolkit(nvcc: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """An nvcc whose device compiler is `cicc` beside this file; everything else is the toolkit's."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(nvcc, folder / "nvcc")
    if not (folder / "crt").exists():
        (folder / "crt").symlink_to(nvcc.parent / "crt")
    profile = (nvcc.parent / "nvcc.profile").read_text()
    top = nvcc.parent.parent
    profile = re.sub(r"(?m)^TOP\s*=.*$", f"TOP = {top}", profile)
    profile = re.sub(r"(?m)^CICC_PATH\s*=.*$", f"CICC_PATH = {HERE}", profile)
    profile = re.sub(r"(?m)^PATH\s*\+=.*$", f"PATH += $(CICC_PATH):{nvcc.parent}:", profile)
    (folder / "nvcc.profile").write_text(profile)
    return folder / "nvcc"


def build_recorder(nvcc: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    out = folder / "kernel_times.so"
    roots = [nvcc.parent.parent, nvcc.parent.parent / "extras/CUPTI"]
    for packages in sys.path:
        roots += list(pathlib.Path(packages).glob("nvidia/*")) if packages else []
    headers = [root / "include" for root in roots if (root / "include/cupti.h").exists()]
    libraries = [path for root in roots for path in root.glob("lib*/libcupti.so*")]
    if not headers or not libraries:
        sys.exit("run.py: CUPTI was not found: install the toolkit's, or the Python package nvidia-cuda-cupti")
    library = libraries[0]
    subprocess.run(["g++", "-O2", "-std=c++17", "-shared", "-fPIC", f"-I{headers[0]}", f"-I{nvcc.parent.parent / 'include'}",
                    str(HERE / "kernel_times.cpp"), "-o", str(out), str(library), f"-Wl,-rpath,{library.parent}"], check=True)
    return out


def build(program: pathlib.Path, side: str, compiler: pathlib.Path, options: argparse.Namespace) -> str | None:
    """Builds one side of one program; returns what the build printed if it failed."""
    folder = options.work / side / program.name
    if not folder.exists():
        shutil.copytree(program, folder)
    environment = os.environ | {"LATHE_TOOL": str(options.lathe), "LATHE_CACHE": "",
                                "LATHE_BENCH_CICC": str(options.nvcc.parent.parent / "nvvm/bin/cicc")}
    try:
        done = subprocess.run(["make", f"CC={compiler}", f"ARCH={options.arch}", *options.make], cwd=folder, env=environment,
                              capture_output=True, text=True, timeout=options.build_seconds, check=False)
    except subprocess.TimeoutExpired:
        return f"the build took more than {options.build_seconds} s"
    return None if done.returncode == 0 else done.stdout + done.stderr


def commands_of(folder: pathlib.Path) -> list[str]:
    shown = subprocess.run(["make", "-n", "run", "LAUNCHER="], cwd=folder, capture_output=True, text=True, check=False).stdout
    return [line.strip() for line in shown.splitlines() if line.strip().startswith("./")]


def run_once(folder: pathlib.Path, command: str, recorder: pathlib.Path, seconds: float) -> tuple[dict, str]:
    """The kernels of one run, symbol to registers, local bytes and times, and how the program ended."""
    times = folder / "kernel_times.txt"
    times.unlink(missing_ok=True)
    environment = os.environ | {"CUDA_INJECTION64_PATH": str(recorder), "LATHE_KERNEL_TIMES": str(times)}
    with open(folder / "output.txt", "w", encoding="utf-8") as output:
        process = subprocess.Popen("exec " + command, shell=True, cwd=folder, env=environment, stdout=output, stderr=output,
                                   stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            code = process.wait(seconds)
            end = f"exit code {code}"
        except subprocess.TimeoutExpired:
            end = "time limit"
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
    text = (folder / "output.txt").read_text(errors="replace")
    if re.search(r"\b(FAIL|FAILED|ERROR|[Mm]ismatch|Fail)\b", text):
        end += ", says that it failed"
    kernels = {}
    if times.exists():
        for line in times.read_text().splitlines():
            name, registers, local, launches = line.split("\t")
            kernels[name] = (int(registers), int(local), [int(time) for time in launches.split()])
    return kernels, end


def measure(program: str, recorder: pathlib.Path, options: argparse.Namespace, lathe_first: bool) -> dict:
    """Each command of a program, `repeats` times by each side; the pairs take turns at which is first."""
    row = {"program": program, "kernels": [], "ends": []}
    for command in commands_of(options.work / "nvcc" / program)[: options.commands]:
        seen: dict = {side: {} for side in SIDES}
        ends = {}
        for repeat in range(options.repeats):
            for side in SIDES if (repeat % 2 == 0) != lathe_first else SIDES[::-1]:
                kernels, ends[side] = run_once(options.work / side / program, command, recorder, options.seconds)
                for name, facts in kernels.items():
                    seen[side].setdefault(name, []).append(facts)
            if "time limit" in ends.values():
                break
        row["ends"].append({"command": command, **ends})
        for name, runs in seen["nvcc"].items():
            others = seen["lathe"].get(name)
            if not others:
                continue
            launches = min(len(times) for _, _, times in runs + others)
            totals = {side: statistics.median(sum(times[:launches]) for _, _, times in seen[side][name]) for side in SIDES}
            row["kernels"].append({"kernel": name, "launches": launches, "microseconds": totals["nvcc"] / launches / 1000,
                                   "ratio": totals["nvcc"] / totals["lathe"], "registers": [others[0][0], runs[0][0]],
                                   "local": [others[0][1], runs[0][1]]} if launches and totals["lathe"] else {"kernel": name, "launches": 0})
    return row


def report(rows: list[dict], refused: dict[str, str], least: float) -> None:
    ratios, lines = [], []
    for row in rows:
        for kernel in row["kernels"]:
            if not kernel["launches"] or kernel["microseconds"] < least:
                continue
            ratios.append(kernel["ratio"])
            name = kernel["kernel"] if len(kernel["kernel"]) < 60 else kernel["kernel"][:57] + "…"
            lines.append(f"| {row['program']} | `{name}` | {kernel['ratio']:.3f} | {kernel['microseconds']:.1f} | {kernel['launches']} | "
                  f"{kernel['registers'][0]} / {kernel['registers'][1]} | {kernel['local'][0]} / {kernel['local'][1]} |")
    if ratios:
        print("| program | kernel | ratio | µs | launches | registers L / p | local bytes L / p |\n|---|---|---:|---:|---:|---:|---:|")
        print("\n".join(lines))
        print(f"\n{len(ratios)} kernels of {least:g} µs and more: geometric mean {math.exp(statistics.fmean(map(math.log, ratios))):.3f}, least "
              f"{min(ratios):.3f}, most {max(ratios):.2f}; under 0.95: {sum(r < 0.95 for r in ratios)}, under 0.8: {sum(r < 0.8 for r in ratios)}.")
    for row in rows:
        for end in row["ends"]:
            if end["nvcc"] != end["lathe"]:
                print(f"\n{row['program']}, `{end['command']}`: by nvcc {end['nvcc']}; by Lathe {end['lathe']}.")
    for program, text in refused.items():
        errors = [line for line in text.splitlines() if "error" in line.lower()]
        print(f"\n{program} does not build by Lathe: {(errors or text.splitlines() or ['no message'])[0][:300]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--lathe", required=True, type=lambda text: pathlib.Path(text).resolve(), help="the lathe tool")
    parser.add_argument("--nvcc", type=pathlib.Path, default=pathlib.Path(shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"))
    parser.add_argument("--arch", default="sm_90", help="architecture of the GPU (default: sm_90)")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("program-builds"), help="folder for what is built")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="builds at a time")
    parser.add_argument("--make", action="append", default=[], help="a further argument of make; repeatable")
    parser.add_argument("--repeats", type=int, default=2, help="runs by each side (default: 2)")
    parser.add_argument("--commands", type=int, default=1, help="commands of `make run` that are run (default: 1)")
    parser.add_argument("--seconds", type=float, default=10, help="time limit of a run; what it launched until then counts")
    parser.add_argument("--build-seconds", type=float, default=300, help="time limit of a build")
    parser.add_argument("--total-seconds", type=float, default=math.inf, help="no further program is run after so long")
    parser.add_argument("--least", type=float, default=20, help="kernels under so many microseconds are left out (default: 20)")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--json", type=pathlib.Path, help="write everything that was measured there too")
    options = parser.parse_args()
    options.nvcc = inside_toolkit(options.nvcc)
    options.work = options.work.resolve()
    compilers = {"nvcc": options.nvcc, "lathe": make_toolkit(options.nvcc, options.work / "toolkit")}

    def build_both(program: pathlib.Path) -> dict[str, str | None]:
        first = build(program, "nvcc", compilers["nvcc"], options)
        return {"nvcc": first, "lathe": build(program, "lathe", compilers["lathe"], options) if first is None else None}

    refused, built = {}, []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for program, done in zip(options.programs, pool.map(build_both, options.programs)):
            if done["nvcc"] is not None:
                continue
            if done["lathe"] is None:
                built.append(program.name)
            else:
                refused[program.name] = done["lathe"]
    print(f"{len(options.programs)} programs: nvcc builds {len(built) + len(refused)}, of which Lathe builds {len(built)}.\n", flush=True)
    rows = []
    if not options.build_only:
        recorder = build_recorder(options.nvcc, options.work)
        begin = time.monotonic()
        for number, program in enumerate(built):
            if time.monotonic() - begin > options.total_seconds:
                print(f"time is up: {len(built) - number} programs were not run\n")
                break
            rows.append(measure(program, recorder, options, number % 2 == 1))
    report(rows, refused, options.least)
    if options.json:
        options.json.write_text(json.dumps({"programs": rows, "refused": refused}, indent=1))


main()
