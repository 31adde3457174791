# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Dask cluster of two worker processes, each with a cache folder of its own, and a Redis server between them."""
import os
import pathlib
import signal
import time

import lathe
import pytest
from conftest import BROKEN, numbered

distributed = pytest.importorskip("distributed")
JOBS, DONE = 80, 20  # DONE of the jobs are before a worker is killed


class OwnFolder(distributed.WorkerPlugin):
    def __init__(self, root):
        self.root = root

    def setup(self, worker):
        os.environ["LATHE_CACHE_DIR"] = f"{self.root}/{os.getpid()}"


@pytest.fixture
def client(tmp_path, redis, monkeypatch):
    monkeypatch.setenv("LATHE_CACHE_REMOTE", redis)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, \
            distributed.Client(cluster) as client:
        client.register_plugin(OwnFolder(str(tmp_path / "workers")))
        yield client


def folders(tmp_path):
    return {int(path.name): lathe.CacheConfig(folder=path).stats() for path in pathlib.Path(tmp_path / "workers").iterdir()}


def test_batch(client, tmp_path):
    seen = []
    outcomes = lathe.batch([*map(numbered, range(8)), lathe.Job(BROKEN, name="broken.cpp"), numbered(3)], client,
                           progress=lambda done, total, *_: seen.append((done, total)))
    assert isinstance(outcomes[8], lathe.CompileError) and outcomes[9] == outcomes[3] and seen == [(i, 9) for i in range(1, 10)]
    assert [outcome.bytes for outcome in outcomes[:8]] == [lathe.compile(numbered(n), cache=False).bytes for n in range(8)]
    assert len(folders(tmp_path)) == 2 and sum(stats.misses for stats in folders(tmp_path).values()) == 9
    # A worker takes what the other compiled: from the server, which has the failure too.
    for key in list(client.scheduler_info()["workers"]):
        again = client.gather(client.map(lathe.compile, [numbered(n) for n in range(8)], workers=[key], pure=False))
        assert {image.origin for image in again} <= {"memory", "disk", "remote"}
    assert sum(stats.misses for stats in folders(tmp_path).values()) == 9


def test_killed_worker(client, tmp_path):
    killed = []

    def kill(done, total, job, outcome):
        if done != DONE:
            return
        held = {}
        while max(map(len, held.values()), default=0) < 3:  # results that die with their worker, as nobody has fetched them
            time.sleep(0.01)
            held = client.has_what()
        address = max(held, key=lambda address: len(held[address]))
        killed.append(client.run(os.getpid)[address])
        os.kill(killed[0], signal.SIGKILL)

    outcomes = lathe.batch(map(numbered, range(JOBS)), client, progress=kill)
    assert all(isinstance(outcome, lathe.Image) for outcome in outcomes), [o for o in outcomes if not isinstance(o, lathe.Image)]
    for number in range(0, JOBS, 7):
        assert outcomes[number] == lathe.compile(numbered(number), cache=False)
    found = folders(tmp_path)
    dead = found.pop(killed[0])
    others = [sum(counts) for counts in zip(*((stats.misses, stats.uploads, stats.remote_hits) for stats in found.values()))]
    misses, uploads, remote_hits = others  # of the other worker, and of the one that Dask starts in place of the dead
    # What the dead worker had given to the server was not compiled again but by the one job that it may not have counted.
    assert dead.uploads > 0 and dead.misses - dead.uploads in (0, 1), (dead, others)
    assert misses == uploads and JOBS - misses - dead.uploads in (0, 1), (dead, others)
    assert misses > 0 and remote_hits > 0, (dead, others)
