# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stops a batch of 400 jobs by a signal after its first results, and starts it again: nothing that was done is compiled again.

usage: stop_batch.py LATHE SIGNAL
"""
import json
import os
import pathlib
import signal
import subprocess
import sys

JOBS = 400
SOURCE = "#include <lathe/device.h>\nLATHE_KERNEL void add(int* p) { *p += NUMBER; }"


def results():
    index = pathlib.Path("out/index.jsonl")
    return [json.loads(line) for line in index.read_text().splitlines(keepends=True) if line.endswith("\n")] if index.exists() else []


def main():
    tool, number = sys.argv[1], signal.Signals[sys.argv[2]]
    environment = dict(os.environ, LATHE_CACHE="", LATHE_CACHE_DIR=os.path.abspath("cache"))
    jobs = [{"name": f"add{i}", "source": {"text": SOURCE}, "target": "null", "options": {"defines": [f"NUMBER={i}"]}} for i in range(JOBS)]
    pathlib.Path("jobs.json").write_text(json.dumps(jobs))
    command = [tool, "batch", "jobs.json", "-j", "2", "-d", "out", "--json"]
    batch = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    while len(results()) < 3 and batch.poll() is None:
        pass
    batch.send_signal(number)
    said = batch.communicate()[0]
    done = len(results())
    if done == JOBS:  # this process got no time before the batch was done: nothing was stopped, and the rest holds
        assert batch.returncode in (0, -number), batch.returncode
    elif number == signal.SIGKILL:
        assert batch.returncode == -signal.SIGKILL, batch.returncode
    else:
        summary = json.loads(said)
        assert batch.returncode == 1 and summary["compiled"] == done and summary["left"] == JOBS - done, (batch.returncode, summary, done)
    assert all(pathlib.Path("out", line["output"]).is_file() for line in results())
    summary = json.loads(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)
    # Those that were at work may have been kept without a line.
    assert summary["served"] in range(done, done + 3) and summary["compiled"] == JOBS - summary["served"] and summary["left"] == 0, (summary, done)
    assert len(results()) == JOBS and len(list(pathlib.Path("out").glob("*.limg"))) == JOBS
    print("nothing twice")


main()
