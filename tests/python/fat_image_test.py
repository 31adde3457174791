# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fat images: one job for several targets."""
import concurrent.futures
import multiprocessing
import os
import pickle
import subprocess

import lathe
import numpy
import pytest
from conftest import BROKEN, SAXPY, numbered

TARGETS = ["cuda:sm_80", "cuda:sm_90", "cpu", "portable"]


def test_compile(tmp_path):
    job = lathe.Job(SAXPY, name="saxpy.cpp", target="null")
    fat = lathe.compile(job, targets=TARGETS)
    assert len(fat) == 4 and fat.targets[:2] == ("cuda:sm_80", "cuda:sm_90") and "cpu" in fat and "cuda" in fat and "null" not in fat
    assert [image.origin for image in fat] == ["compiled"] * 4
    for target in TARGETS[:3]:
        assert fat[target if target != "cpu" else 2] == lathe.compile(job.replace(target=target), cache=False)
    assert fat[-1].formats == ("portable",) and fat[0] in fat and b".target sm_90" in fat["cuda:sm_90"].code()
    assert [image.origin for image in lathe.compile(job, targets=TARGETS)] == ["memory"] * 4
    with pytest.raises(KeyError, match="several"):
        fat["cuda"]
    with pytest.raises(KeyError, match="none"):
        fat["amdgpu"]
    with pytest.raises(IndexError):
        fat[4]
    assert "cuda:sm_80" in repr(fat)


def test_is_the_tools_fat_image(tmp_path):
    (tmp_path / "saxpy.cpp").write_text(SAXPY)
    named = [word for target in TARGETS for word in ("-t", target)]
    subprocess.run([os.environ["LATHE_TEST_TOOL"], "compile", "saxpy.cpp", *named, "-o", "tool.limg"], cwd=tmp_path, check=True)
    assert lathe.compile(lathe.Job(SAXPY, name="saxpy.cpp"), targets=TARGETS).bytes == (tmp_path / "tool.limg").read_bytes()


def test_copies(tmp_path):
    fat = lathe.compile(lathe.Job(SAXPY.replace("if", "#warning look here\n  if")), targets=iter(TARGETS[:2]))
    fat.save(tmp_path / "fat.limg")
    assert (tmp_path / "fat.limg").read_bytes() == fat.bytes == bytes(fat)
    for copy in (lathe.FatImage.open(tmp_path / "fat.limg"), lathe.FatImage(fat.bytes), lathe.FatImage.of(fat), pickle.loads(pickle.dumps(fat))):
        assert copy == fat and hash(copy) == hash(fat) and list(copy) == list(fat) and copy.targets == fat.targets
    copy = pickle.loads(pickle.dumps(fat))
    assert [image.origin for image in copy] == ["compiled"] * 2 and copy.warnings == fat.warnings and len(fat.warnings) == 2
    assert pickle.loads(pickle.dumps(lathe.FatImage(fat.bytes)))[0].origin == ""
    assert lathe.FatImage(fat[0].bytes).targets == ("cuda:sm_80",)  # an image is one of one
    assert fat != lathe.FatImage.of([fat[1], fat[0]]) and fat != fat.bytes


def test_a_device_takes_what_fits():
    device = lathe.Device.open("cpu")
    module = device.load(lathe.compile(lathe.Job(SAXPY), targets=["cuda:sm_90", "cpu:x86-64-v2"]))
    assert module.image.target == "cpu:x86-64-v2"
    x, y = numpy.arange(100, dtype=numpy.float32), numpy.ones(100, dtype=numpy.float32)
    module.kernel("saxpy").launch(100, 2.0, x, y, grid=4, group=32)
    assert (y == 1 + 2 * x).all()
    with pytest.raises(lathe.Error) as caught:
        device.load(lathe.compile(lathe.Job(SAXPY), targets=["cuda:sm_90"]))
    assert caught.value.code == "incompatible-device"


def test_bad_input(tmp_path):
    good = lathe.compile(numbered(1), targets=TARGETS[:2])
    data = good.bytes
    for bad in (b"", b"image", data[:-1], data[:40] + bytes([data[40] ^ 1]) + data[41:]):
        with pytest.raises(lathe.Error) as caught:
            lathe.FatImage(bad)
        assert caught.value.code == "image-corrupt"
    with pytest.raises(lathe.Error) as caught:
        lathe.FatImage.open(tmp_path / "nowhere")
    assert caught.value.code == "file-unreadable"
    for images in ([], [good[0], good[0]]):
        with pytest.raises(lathe.Error) as caught:
            lathe.FatImage.of(images)
        assert caught.value.code == "invalid-argument"
    with pytest.raises(TypeError):
        lathe.compile(numbered(1), targets="cuda")
    with pytest.raises(ValueError):
        lathe.compile(numbered(1), targets=[])
    with pytest.raises(lathe.CompileError) as caught:
        lathe.compile(numbered(1), targets=["cpu", "cudda"])
    assert caught.value.code == "unknown-target"


@pytest.mark.parametrize("method", [None, "spawn"])
def test_batch(method, cache):
    executor = concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context(method)) if method else None
    outcomes = lathe.batch([numbered(0), lathe.Job(BROKEN), numbered(1), numbered(0)], executor, targets=TARGETS[:2])
    assert isinstance(outcomes[1], lathe.CompileError) and outcomes[3] == outcomes[0]
    for number, outcome in ((0, outcomes[0]), (1, outcomes[2])):
        assert outcome == lathe.FatImage.of(lathe.compile(numbered(number, target), cache=False) for target in TARGETS[:2])
    if executor:
        executor.shutdown()
