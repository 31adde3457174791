# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles: of one job here, and of many by an executor."""
from __future__ import annotations

import atexit
import multiprocessing
import queue
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, overload

from . import _cache, _lathe
from ._errors import CompileError, _diagnostic
from ._image import FatImage, Image
from ._job import Job

# What was compiled is in the cache when the interpreter ends.
atexit.register(_lathe.set_log, None, "info")
atexit.register(_lathe.close)

Progress = Callable[[int, int, Job, "Image | FatImage | BaseException"], object]
#: Called as a step of a compile begins, with its name, the number of steps that are done, and their number in all.
StepProgress = Callable[[str, int, int], object]


def _targets(targets: Iterable[str] | None) -> tuple[str, ...]:
    """None is the job's own."""
    if targets is None:
        return ()
    if isinstance(targets, (str, bytes)):
        raise TypeError("targets is a list of texts, not one text")
    out = tuple(targets)
    if not out:
        raise ValueError("targets is an empty list")
    return out


def _compile(job: Job, targets: tuple[str, ...], cache: dict[str, Any], isolate: bool, durable: bool, time_limit: float,
             progress: StepProgress | None = None, stopped: Callable[[], bool] | None = None) -> Image | FatImage:
    if not isinstance(job, Job):
        raise TypeError(f"compile() takes a lathe.Job, not {type(job).__name__}")
    durable = durable or multiprocessing.parent_process() is not None  # such a process ends without atexit, before Python 3.13
    # Portable IR beside images for targets is no target's.
    jobs = [job.replace(target="cpu", emit=target) if target == "portable" else job.replace(target=target) for target in targets] or [job]
    images = [Image._of(handle, origin, tuple(map(_diagnostic, warnings)), tuple(files))
              for handle, origin, warnings, files in _lathe.compile(list(map(bytes, jobs)), cache, isolate, durable, time_limit, progress, stopped)]
    return FatImage.of(images) if targets else images[0]


@overload
def compile(job: Job, *, targets: None = None, cache: _cache.CacheArgument = None, isolate: bool = False, durable: bool = False,
            time_limit: float = 600.0, progress: StepProgress | None = None) -> Image: ...


@overload
def compile(job: Job, *, targets: Iterable[str], cache: _cache.CacheArgument = None, isolate: bool = False, durable: bool = False,
            time_limit: float = 600.0, progress: StepProgress | None = None) -> FatImage: ...


def compile(job: Job, *, targets: Iterable[str] | None = None, cache: _cache.CacheArgument = None, isolate: bool = False, durable: bool = False,
            time_limit: float = 600.0, progress: StepProgress | None = None) -> Image | FatImage:
    """The image of `job`, out of the cache if it is there. Equal jobs give equal bytes on one machine.

    `targets`: a fat image for these in place of the job's own, as ["cuda:sm_80", "cuda:sm_90", "cpu"]; "portable" among them is IR for devices
    that nothing else fits. The source is read once where it does not see the target.
    `cache`: a CacheConfig, a folder, None (what the environment says) or False (none). `isolate`: the compile runs in a process of its own,
    whose crash is an error here (it needs the `lathe` program, installed beside the library); then `time_limit`, in seconds,
    ends it. `durable`: return only when the cache's folder and servers have the result. Raises lathe.CompileError, with every
    finding in `diagnostics`; its codes are those of lathe::Compiler::compile. `progress(step, done, steps)` is called as each step of a compile
    begins, on the thread that compiles; a result from the cache has none.

    Any number of threads may call it; it runs without the interpreter's lock. What a signal handler raises on the main thread meanwhile, as
    KeyboardInterrupt, and what `progress` raises, ends the compile and is raised here.
    """
    return _compile(job, _targets(targets), _cache.fields(cache), isolate, durable, time_limit, progress)


def set_log(sink: Callable[[str, str, str], object] | None, level: str = "info") -> None:
    """Calls `sink(level, component, message)` with what Lathe does from now on, up to `level`: "warning", "info" or "debug"; None: nobody hears. It
    is one for the process. `sink` is called on the threads that do the work and must not call set_log(); what it raises is reported as unraisable."""
    _lathe.set_log(sink, level)


def targets() -> dict[str, dict[str, Any]]:
    """All targets that were found, by name: "description", "architectures", "formats", …, and "unavailable", the reason why nothing can be
    compiled for it, or ""."""
    return {target["name"]: target for target in _lathe.targets(_cache.fields(False))}


def _outcome(job: Job, targets: tuple[str, ...], cache: dict[str, Any], isolate: bool, time_limit: float,
             stopped: Callable[[], bool] | None = None) -> Image | FatImage | CompileError:
    """What one task of a batch returns. An error is a value of it: executors would take an exception for a reason to give up or try again."""
    try:
        return _compile(job, targets, cache, isolate, True, time_limit, None, stopped)
    except CompileError as error:
        return error


def batch(jobs: Iterable[Job], executor: Any = None, *, targets: Iterable[str] | None = None, cache: _cache.CacheArgument = None,
          isolate: bool = False, time_limit: float = 600.0, progress: Progress | None = None) -> list[Image | FatImage | BaseException]:
    """The outcomes of `jobs`, in their order: an Image (a FatImage if `targets` are given), or the exception that the job ended with, which ends
    no other.

    `executor` is any `concurrent.futures.Executor`, or a `dask.distributed.Client`, whose workers can import lathe; None: threads of this process, one
    for each processor. Equal jobs are submitted once. A task is done when the cache has its result, so that a job whose result was lost with
    its worker is no compile again where the workers share a cache (a folder, or `remotes`). Where `cache` is None, the environment
    of each worker says what is its cache. `progress(done, total, job, outcome)` is called on the caller's thread for each different job
    when it is done; what it raises, as what a signal handler raises, ends the batch: jobs that have not begun are cancelled, and so are compiles of this
    process's threads. The other arguments are compile()'s.
    """
    jobs = list(jobs)
    for job in jobs:
        if not isinstance(job, Job):
            raise TypeError(f"batch() takes jobs, not {type(job).__name__}")
    arguments = _targets(targets), _cache.fields(cache), isolate, time_limit
    if executor is None:
        ended = threading.Event()
        with ThreadPoolExecutor(thread_name_prefix="lathe") as threads:
            try:
                return _batch(jobs, threads, (*arguments, ended.is_set), progress)
            finally:
                ended.set()
    return _batch(jobs, executor, arguments, progress)


def _batch(jobs: Sequence[Job], executor: Any, arguments: tuple[Any, ...], progress: Progress | None) -> list[Image | FatImage | BaseException]:
    landed: queue.SimpleQueue[Job] = queue.SimpleQueue()
    futures: dict[Job, Any] = {}
    outcomes: dict[Job, Image | FatImage | BaseException] = {}
    try:
        for job in dict.fromkeys(jobs):
            try:
                future = executor.submit(_outcome, job, *arguments)
            except RuntimeError as error:  # shut down, or broken by a job before
                outcomes[job] = error
                continue
            futures[job] = future
            future.add_done_callback(lambda _, job=job: landed.put(job))
        total = len(futures) + len(outcomes)
        for done, job in enumerate(list(outcomes), 1):
            if progress:
                progress(done, total, job, outcomes[job])
        while len(outcomes) < total:
            job = landed.get()
            outcomes[job] = _result(futures.pop(job))
            if progress:
                progress(len(outcomes), total, job, outcomes[job])
    finally:
        for future in futures.values():
            future.cancel()
    return [outcomes[job] for job in jobs]


def _result(future: Any) -> Image | FatImage | BaseException:
    try:
        outcome: Image | FatImage | CompileError = future.result()
        return outcome
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # of the executor: a worker died, the future was cancelled
        return error
