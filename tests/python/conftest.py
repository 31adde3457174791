# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the Python module share: a cache of its own for each, jobs, and servers."""
import shutil
import socket
import subprocess
import time

import lathe
import pytest

SAXPY = """#include <lathe/device.h>
LATHE_KERNEL void saxpy(unsigned n, float a, const float* x, float* y) {
  const unsigned i = lathe::global_id().x;
  if (i < n) y[i] += a * x[i];
}
"""
BROKEN = "#include <lathe/device.h>\nLATHE_KERNEL void broken(float* x) {\n  x[0] = nowhere;\n}\n"


def numbered(number, target="cuda:sm_80"):
    """A job that is unlike those of other numbers."""
    return lathe.Job("#include <lathe/device.h>\nLATHE_KERNEL void add(int* x) { x[lathe::global_id().x] += NUMBER; }\n", target=target,
                     defines={"NUMBER": number})


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """The cache that the environment names."""
    monkeypatch.delenv("LATHE_CACHE", raising=False)
    monkeypatch.setenv("LATHE_CACHE_DIR", str(tmp_path / "cache"))
    return lathe.CacheConfig(folder=str(tmp_path / "cache"))


@pytest.fixture
def redis(tmp_path):
    """The address of a server of this test's own."""
    program = shutil.which("redis-server")
    if not program:
        pytest.skip("redis-server is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = subprocess.Popen([program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(tmp_path), "--logfile", "redis.log"])
    try:
        for _ in range(2400):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.025)
        else:
            pytest.fail("redis-server does not start")
        yield f"redis://127.0.0.1:{port}|timeout=60000|connect-timeout=60000"
    finally:
        server.kill()
        server.wait()
