# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels launched on arrays."""
import array
import struct

import lathe
import numpy
import pytest
from conftest import SAXPY

KINDS = """#include <lathe/device.h>
struct Pair { float a; int b; };
LATHE_KERNEL void kinds(bool t, signed char c, unsigned short s, long l, double d, Pair p, double* out) {
  out[0] = t; out[1] = c; out[2] = s; out[3] = l; out[4] = d; out[5] = p.a; out[6] = p.b;
}
LATHE_KERNEL void null(int* p, int* out) { out[0] = p == nullptr; }
LATHE_KERNEL void where(unsigned* out) {
  const auto i = lathe::global_id();
  out[(i.z * 4 + i.y) * 6 + i.x] = i.x + 100 * i.y + 10000 * i.z;
}
"""


@pytest.fixture(scope="module")
def device():
    return lathe.Device.open("cpu")


@pytest.fixture
def saxpy(device):
    return device.load(lathe.compile(lathe.Job(SAXPY))).kernel("saxpy")


@pytest.fixture
def kinds(device):
    return device.load(lathe.compile(lathe.Job(KINDS)))


def test_saxpy(saxpy):
    x, y = numpy.arange(1000, dtype=numpy.float32), numpy.ones(1000, dtype=numpy.float32)
    x.flags.writeable = False  # a const pointer may be of such memory
    saxpy.launch(1000, 2.0, x, y, grid=4, group=256)
    numpy.testing.assert_array_equal(y, 1 + 2 * x)
    plain = array.array("f", [1.0] * 8)
    saxpy.launch(8, 0.5, array.array("f", range(8)), plain, grid=(1,), group=(8, 1, 1))
    assert list(plain) == [1 + 0.5 * i for i in range(8)]


def test_kinds_of_arguments(kinds):
    out = numpy.zeros(7)
    kinds["kinds"].launch(True, -7, 65535, -(1 << 40), 0.1, struct.pack("fi", 0.25, -3), out, grid=1)
    assert list(out) == [1, -7, 65535, -(1 << 40), 0.1, 0.25, -3]
    null = numpy.zeros(1, dtype=numpy.int32)
    kinds["null"].launch(None, null, grid=1)
    assert null[0] == 1


def test_extents(kinds):
    out = numpy.zeros((3, 4, 6), dtype=numpy.uint32)
    kinds["where"].launch(out, grid=(2, 2, 3), group=(3, 2, 1))
    z, y, x = numpy.indices(out.shape)
    numpy.testing.assert_array_equal(out, x + 100 * y + 10000 * z)


def arrays():
    good = numpy.ones(64, dtype=numpy.float32)
    readonly = good.copy()
    readonly.flags.writeable = False
    return {"double": good.astype(float), "int": good.astype(numpy.int32), "strided": numpy.ones(128, dtype=numpy.float32)[::2],
            "readonly": readonly, "list": [1.0] * 64, "number": 3, "swapped": good.astype(">f4")}


@pytest.mark.parametrize("name", arrays())
def test_wrong_arrays(saxpy, name):
    good = numpy.ones(64, dtype=numpy.float32)
    with pytest.raises(lathe.Error, match="'y'") as caught:
        saxpy.launch(64, 2.0, good, arrays()[name], grid=1, group=64)
    assert caught.value.code == "argument-mismatch"


def test_wrong_scalars_and_numbers(saxpy):
    good = numpy.ones(64, dtype=numpy.float32)
    for n, a in ((-1, 2.0), (1 << 32, 2.0), (1.5, 2.0), ("1", 2.0), (1, "2"), (None, 2.0)):
        with pytest.raises(lathe.Error) as caught:
            saxpy.launch(n, a, good, good, grid=1)
        assert caught.value.code == "argument-mismatch"
    with pytest.raises(lathe.Error, match="4 arguments, not 1") as caught:
        saxpy.launch(1, grid=1)
    assert caught.value.code == "argument-mismatch"


def test_numbers_of_numpy(saxpy):
    x, y = numpy.ones(64, dtype=numpy.float32), numpy.zeros(64, dtype=numpy.float32)
    saxpy.launch(numpy.uint32(64), numpy.float32(2), x, y, grid=numpy.int64(2), group=numpy.array([32, 1]))
    assert (y == 2).all()


@pytest.mark.parametrize("extents", [{"grid": 0}, {"grid": -1}, {"grid": (1, 1, 1, 1)}, {"grid": ()}, {"grid": 1.5}, {"grid": "1"}, {"grid": 1, "group": 1 << 20}], ids=str)
def test_wrong_extents(saxpy, extents):
    good = numpy.ones(64, dtype=numpy.float32)
    before = good.copy()
    with pytest.raises((lathe.Error, TypeError)) as caught:
        saxpy.launch(64, 2.0, good, good, **extents)
    assert isinstance(caught.value, TypeError) or caught.value.code == "launch-invalid"
    numpy.testing.assert_array_equal(good, before)


def test_failures(device):
    with pytest.raises(lathe.Error, match="saxpy") as caught:
        device.load(lathe.compile(lathe.Job(SAXPY))).kernel("saxpi")
    assert caught.value.code == "unknown-kernel"
    with pytest.raises(lathe.Error) as caught:
        device.load(lathe.compile(lathe.Job(SAXPY, target="cuda:sm_80")))
    assert caught.value.code == "incompatible-device"
    for arguments, code in ((("nothing",), "invalid-argument"), (("cpu", 7), "device-not-found")):
        with pytest.raises(lathe.Error) as caught:
            lathe.Device.open(*arguments)
        assert caught.value.code == code
    trap = '#include <lathe/device.h>\nLATHE_KERNEL void bad(int* x) { if (x[0]) lathe::trap(); }\n'
    kernel = device.load(lathe.compile(lathe.Job(trap))).kernel("bad")
    with pytest.raises(lathe.Error) as caught:
        kernel.launch(numpy.ones(1, dtype=numpy.int32), grid=1)
    assert caught.value.code == "device-fault"


def test_devices(device):
    assert device.info["runtime"] == "cpu" and device.info["arch"]
    assert any(info["runtime"] == "cpu" for info in lathe.Device.list())
