# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles, images, errors and the cache."""
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import lathe
import pytest
from conftest import BROKEN, SAXPY, numbered


def test_image(tmp_path):
    job = lathe.Job(SAXPY, name="saxpy.cpp", target="cuda:sm_80")
    image = lathe.compile(job)
    assert (image.kernels, image.target, image.formats, image.origin) == (("saxpy",), "cuda:sm_80", ("ptx",), "compiled")
    assert b".target sm_80" in image.code() and image.code("ptx") == image.code()
    assert image.info["provenance"]["job"] == job.hash
    path = tmp_path / "saxpy.limg"
    image.save(path)
    assert path.read_bytes() == image.bytes == bytes(image)
    for copy in (lathe.Image.open(path), lathe.Image(image.bytes), pickle.loads(pickle.dumps(image))):
        assert copy == image and hash(copy) == hash(image) and copy.kernels == image.kernels
    assert pickle.loads(pickle.dumps(image)).origin == "compiled" and lathe.Image.open(path).origin == ""
    assert image != lathe.compile(job.replace(target="cuda:sm_90"))
    assert "saxpy" in repr(image) and "saxpy.cpp" in repr(job)


def test_is_the_tools_image(tmp_path):
    (tmp_path / "saxpy.cpp").write_text(SAXPY)
    subprocess.run([os.environ["LATHE_TEST_TOOL"], "compile", "saxpy.cpp", "-t", "cuda:sm_80", "-o", "tool.limg"], cwd=tmp_path, check=True)
    assert lathe.compile(lathe.Job(SAXPY, name="saxpy.cpp", target="cuda:sm_80"), cache=False) == lathe.Image.open(tmp_path / "tool.limg")


def test_machine_code():
    image = lathe.compile(lathe.Job(SAXPY))
    assert "ret" in image.disassemble()
    with pytest.raises(lathe.Error, match="ptx") as caught:
        image.code("ptx")
    assert caught.value.code == "format-unsupported"
    with pytest.raises(lathe.Error) as caught:
        lathe.compile(numbered(1)).disassemble()
    assert caught.value.code == "unsupported"


def test_bad_images(tmp_path):
    good = lathe.compile(numbered(1)).bytes
    for bad in (b"", b"image", good[:-1], good[:100] + bytes([good[100] ^ 1]) + good[101:]):
        with pytest.raises(lathe.Error) as caught:
            lathe.Image(bad)
        assert caught.value.code == "image-corrupt"
    with pytest.raises(lathe.Error) as caught:
        lathe.Image.open(tmp_path / "nowhere")
    assert (caught.value.code, caught.value.family) == ("file-unreadable", "environment")
    with pytest.raises(lathe.Error) as caught:
        lathe.Image(good).save(tmp_path / "no" / "folder")
    assert caught.value.code == "file-unwritable"
    with pytest.raises(TypeError):
        lathe.Image("text")


def test_compile_error():
    with pytest.raises(lathe.CompileError) as caught:
        lathe.compile(lathe.Job(BROKEN, name="broken.cpp"))
    error = caught.value
    assert (error.code, error.stage, error.family) == ("source-error", "frontend", "caller")
    (finding,) = [d for d in error.diagnostics if d.severity == "error"]
    assert finding.location == ("broken.cpp", 3, 10) and "nowhere" in finding.message and "x[0] = nowhere;" in finding.snippet
    assert "broken.cpp:3:10" in error.report and str(error) == error.message
    copy = pickle.loads(pickle.dumps(error))
    assert copy == error and type(copy) is lathe.CompileError and copy.diagnostics == error.diagnostics and copy.report == error.report


@pytest.mark.parametrize("change, code", [
    ({"target": "cudda"}, "unknown-target"), ({"arch": "sm_20"}, "unknown-architecture"), ({"features": "+nothing"}, "unknown-feature"),
    ({"emit": "hsaco"}, "format-unsupported"), ({"entries": ["saxpi"]}, "unknown-kernel"), ({"languageStandard": "c++19"}, "source-error"),
])
def test_bad_requests(change, code):
    job = lathe.Job(SAXPY, target="cuda:sm_80").replace(**change)
    with pytest.raises(lathe.CompileError) as caught:
        lathe.compile(job)
    assert caught.value.code == code and code in lathe.error_codes
    if code in ("unknown-target", "unknown-kernel"):
        assert "did you mean" in str(caught.value) + caught.value.hint


def test_bad_sources():
    for source, code in (('#include "none.h"\n', "header-not-found"), ("int x;", "source-error"), (b"BC\xc0\xde", None)):
        with pytest.raises(lathe.CompileError) as caught:
            lathe.compile(lathe.Job(source, dialect="ir" if isinstance(source, bytes) else ""))
        assert caught.value.code == (code or "invalid-module") or (source == "int x;" and caught.value.code == "unknown-kernel")


def test_wrong_arguments(tmp_path):
    for wrong in ("text", None, b"bytes", 3):
        with pytest.raises(TypeError, match="lathe.Job"):
            lathe.compile(wrong)
    with pytest.raises(TypeError):
        lathe.compile(numbered(1), cache=3)
    with pytest.raises(lathe.Error, match="remote|address") as caught:
        lathe.compile(numbered(1), cache=lathe.CacheConfig(remotes=("gopher://x",)))
    assert caught.value.code == "invalid-argument"


def test_warnings_and_files(tmp_path):
    (tmp_path / "factor.h").write_text("#define FACTOR 2\n#warning look here\n")
    job = lathe.Job('#include <lathe/device.h>\n#include "factor.h"\nLATHE_KERNEL void k(int* x) { *x *= FACTOR; }\n', target="cuda:sm_80",
                    include_dirs=[tmp_path])
    for image in (lathe.compile(job), lathe.compile(job), pickle.loads(pickle.dumps(lathe.compile(job)))):
        (warning,) = image.warnings
        assert "look here" in warning.message and warning.location.line == 2 and image.files[0] == str(tmp_path / "factor.h")


def test_cache(cache, tmp_path, monkeypatch):
    job = numbered(1)
    assert [lathe.compile(job).origin for _ in range(2)] == ["compiled", "memory"]
    lathe.compile(numbered(2), durable=True)
    own = lathe.CacheConfig(folder=cache.folder, memory_bytes=0)
    assert lathe.compile(numbered(2), cache=own).origin == "disk"
    assert [lathe.compile(job, cache=False).origin for _ in range(2)] == ["compiled"] * 2
    assert lathe.compile(job, cache=tmp_path / "other").origin == "compiled"
    stats = cache.stats()
    assert (stats.misses, stats.memory_hits, stats.disk_hits) == (2, 1, 1)
    # The environment counts when it is asked for.
    monkeypatch.setenv("LATHE_CACHE_DIR", str(tmp_path / "third"))
    assert lathe.compile(job).origin == "compiled"
    monkeypatch.setenv("LATHE_CACHE", "off")
    assert lathe.compile(job).origin == "compiled"
    assert cache.verify() == 0 and cache.prune(0) > 0 and cache.stats().entries == 0
    cache.clear()
    assert cache.stats().misses == 0


def test_end_of_the_process_keeps_what_was_compiled(cache):
    subprocess.run([sys.executable, "-c", "import sys, lathe; lathe.compile(lathe.Job.from_json(sys.argv[1]))", numbered(1).to_json()], check=True)
    assert lathe.compile(numbered(1)).origin == "disk"


def test_isolated():
    assert lathe.compile(numbered(1), isolate=True, cache=False) == lathe.compile(numbered(1), cache=False)


def test_runs_without_the_interpreters_lock():
    """Another thread runs during a compile, though no thread has to give the lock up before it waits."""
    state, seen = "", 0

    def compile_all():
        nonlocal state
        for number in range(200):
            job = numbered(number)
            state = "inside"
            lathe.compile(job, cache=False)
            state = ""
            if seen >= 3:
                return

    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        thread = threading.Thread(target=compile_all)
        thread.start()
        while thread.is_alive():
            seen += state == "inside"
            time.sleep(0.001)
        thread.join()
    finally:
        sys.setswitchinterval(before)
    assert seen >= 3


def test_many_threads(cache):
    outcomes = []
    threads = [threading.Thread(target=lambda n=n: outcomes.append(lathe.compile(numbered(n % 3)))) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(outcomes)) == 3 and cache.stats().misses == 3


def test_versions_and_targets():
    assert lathe.version == lathe.__version__ and lathe.version.count(".") == 2 and lathe.compiler_version.startswith("clang ")
    found = lathe.targets()
    assert "sm_90" in found["cuda"]["architectures"] and found["cpu"]["unavailable"] == ""


# Half a million classes, which Clang takes seconds for.
ENDLESS = """#include <lathe/device.h>
template <class T> struct L {}; template <class T> struct R {};
template <class T, int D> struct Tree { static constexpr int value = Tree<L<T>, D - 1>::value + Tree<R<T>, D - 1>::value; };
template <class T> struct Tree<T, 0> { static constexpr int value = 1; };
LATHE_KERNEL void wide(int* data) { data[0] = Tree<char, 18>::value; }
"""


def test_progress():
    steps = []
    image = lathe.compile(lathe.Job(SAXPY, target="cuda"), cache=False, progress=lambda *step: steps.append(step))
    names, done, totals = zip(*steps)
    assert names[0] == "frontend" and names[-1] == "image" and "emit" in names
    assert list(done) == sorted(set(done)) and len(set(totals)) == 1 and done[-1] == totals[0] - 1
    assert image == lathe.compile(lathe.Job(SAXPY, target="cuda"), cache=False)

    def stop(step, done, steps):
        if step == "optimise":
            raise LookupError(step)
    with pytest.raises(LookupError, match="optimise"):
        lathe.compile(lathe.Job(SAXPY), cache=False, progress=stop)


@pytest.mark.parametrize("many", [False, True], ids=["compile", "batch"])
@pytest.mark.parametrize("isolate", [False, True])
def test_interrupt(isolate, many):
    """A signal ends a compile at once, wherever it is, and what its handler raises comes out; a batch's too."""
    began = time.monotonic()
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            if many:
                lathe.batch([lathe.Job(f"// {i}\n{ENDLESS}") for i in range(5)], cache=False, isolate=isolate)
            else:
                lathe.compile(lathe.Job(ENDLESS), cache=False, isolate=isolate)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert time.monotonic() - began < 60  # it would be all of memory first
    assert lathe.compile(lathe.Job(SAXPY), cache=False, isolate=isolate).kernels == ("saxpy",)


def test_log(tmp_path):
    heard = []
    lathe.set_log(lambda *record: heard.append(record), "debug")
    try:
        for _ in range(2):
            lathe.compile(lathe.Job(SAXPY, name="said.cpp"), cache=str(tmp_path))
    finally:
        lathe.set_log(None)
    assert any(level == "info" and component == "compiler" and "said.cpp" in text and "compiled in" in text for level, component, text in heard)
    assert any(level == "debug" and component == "cache" and text.endswith("from memory") for level, component, text in heard)
    before = len(heard)
    lathe.compile(lathe.Job(SAXPY), cache=False)
    assert len(heard) == before
    with pytest.raises(ValueError, match="level"):
        lathe.set_log(None, "loud")
