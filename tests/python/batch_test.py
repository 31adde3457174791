# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batches on executors of this machine."""
import concurrent.futures
import multiprocessing
import os
import signal

import lathe
import pytest
from conftest import BROKEN, numbered


def outcomes_are_right(outcomes, numbers):
    return [outcome.bytes for outcome in outcomes] == [lathe.compile(numbered(number), cache=False).bytes for number in numbers]


def executors():
    return {
        "none": lambda: None, "threads": lambda: concurrent.futures.ThreadPoolExecutor(3),
        "fork": lambda: concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork")),
        "spawn": lambda: concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")),
    }


@pytest.mark.parametrize("name", executors())
def test_order_errors_and_equal_jobs(name, cache):
    numbers = [0, 1, 2, 0, 3, 1, 0]
    jobs = [numbered(number) for number in numbers]
    broken = lathe.Job(BROKEN, name="broken.cpp")
    seen = []
    executor = executors()[name]()
    outcomes = lathe.batch([*jobs[:2], broken, *jobs[2:], broken], executor, progress=lambda *event: seen.append(event))
    error = outcomes.pop(2)
    assert isinstance(error, lathe.CompileError) and outcomes.pop() == error and error.diagnostics[0].location.line == 3
    assert outcomes_are_right(outcomes, numbers)
    assert [(done, total) for done, total, _, _ in seen] == [(i, 5) for i in range(1, 6)]
    assert {job: outcome for _, _, job, outcome in seen} == {**dict(zip(jobs, outcomes)), broken: error}
    stats = cache.stats()
    assert (stats.misses, stats.stores, stats.memory_hits + stats.disk_hits) == (5, 5, 0)
    # All of it again comes from the cache; failures of the source do too.
    again = lathe.batch([*jobs, broken], executor)
    assert again == [*outcomes, error] and {outcome.origin for outcome in again[:-1]} <= {"memory", "disk"} and cache.stats().misses == 5
    if executor:
        executor.shutdown()


def test_forks_of_a_process_that_compiled(cache):
    """A fork has none of the compilers of its parent, whose threads it has not."""
    lathe.compile(numbered(0))
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as executor:
        assert outcomes_are_right(executor.map(lathe.compile, map(numbered, range(4))), range(4))
    assert cache.stats().misses == 4


def test_empty_and_wrong():
    assert lathe.batch([]) == []
    with pytest.raises(TypeError, match="str"):
        lathe.batch([numbered(0), "text"])
    (error,) = lathe.batch([numbered(0)], cache=lathe.CacheConfig(remotes=("gopher://x",)))
    assert isinstance(error, lathe.Error) and error.code == "invalid-argument"


def test_progress_that_raises_ends_the_batch(cache):
    def stop(done, *_):
        raise KeyError(done)

    with concurrent.futures.ThreadPoolExecutor(1) as executor, pytest.raises(KeyError):
        lathe.batch(map(numbered, range(500)), executor, progress=stop)
    assert cache.stats().misses < 500


def test_executor_that_breaks():
    """What a killed pool does not do any more has its exception as outcome."""
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as executor:
        def kill(done, *_):
            if done == 3:
                for process in list(executor._processes.values()):
                    os.kill(process.pid, signal.SIGKILL)

        outcomes = lathe.batch(map(numbered, range(100)), executor, progress=kill)
        assert all(isinstance(outcome, (lathe.Image, concurrent.futures.BrokenExecutor)) for outcome in outcomes)
        assert outcomes_are_right(outcomes[:3], range(3)) and isinstance(outcomes[-1], concurrent.futures.BrokenExecutor)
        late = lathe.batch([numbered(0)], executor)
        assert isinstance(late[0], concurrent.futures.BrokenExecutor)
    executor.shutdown()
    assert isinstance(lathe.batch([numbered(0)], executor)[0], RuntimeError)
