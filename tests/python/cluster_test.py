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
JOBS, DONE = 60, 20  # DONE of the jobs are before a worker is killed


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
        for nanny in cluster.workers.values():
            nanny.auto_restart = False  # what is killed stays so, and the other does its jobs
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
        if done == DONE:
            workers = client.run(os.getpid)
            time.sleep(0.3)  # some results are still with their worker when it dies, and lost with it
            killed.append(next(iter(workers.values())))
            os.kill(killed[0], signal.SIGKILL)

    outcomes = lathe.batch(map(numbered, range(JOBS)), client, progress=kill)
    assert all(isinstance(outcome, lathe.Image) for outcome in outcomes), [o for o in outcomes if not isinstance(o, lathe.Image)]
    for number in range(0, JOBS, 7):
        assert outcomes[number] == lathe.compile(numbered(number), cache=False)
    found = folders(tmp_path)
    dead = found.pop(killed[0])
    (alive,) = found.values()
    # What the dead worker had given to the server was not compiled again: only what it was compiling may have been, and that once.
    assert dead.uploads > 0 and dead.misses - dead.uploads in (0, 1)
    assert alive.misses == alive.uploads == JOBS - dead.uploads
    print(f"dead: {dead}\nalive: {alive}")
