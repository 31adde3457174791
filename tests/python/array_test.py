# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in a device's memory, and arrays of other libraries as arguments. NumPy is the other side of DLPack here; on NVIDIA GPUs the driver itself is."""
import ctypes
import gc
import pickle

import lathe
import numpy
import pytest
from conftest import SAXPY


@pytest.fixture(scope="module", params=["cpu", "cuda"])
def device(request):
    try:
        return lathe.Device.open(request.param)
    except lathe.Error as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def saxpy(device):
    target = {"cpu": "cpu", "cuda": f"cuda:{device.info['arch']}"}[device.info["runtime"]]
    return device.load(lathe.compile(lathe.Job(SAXPY, target=target))).kernel("saxpy")


class OnlyDlpack:
    """An array of a library that knows DLPack and nothing else."""

    def __init__(self, array, device=None):
        self.array, self.device = array, device

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device or self.array.__dlpack_device__()


def test_launches_use_arrays_where_they_are(device, saxpy):
    x, y = device.array(numpy.arange(1000, dtype=numpy.float32)), device.empty(1000, "float32")
    y.copy_from(numpy.ones(1000, dtype=numpy.float32))
    address = y.address
    for _ in range(3):
        saxpy.launch(1000, 2.0, x, y, grid=4, group=256, wait=False)
    device.synchronize()
    assert y.address == address
    numpy.testing.assert_array_equal(y.numpy(), 1 + 6 * numpy.arange(1000, dtype=numpy.float32))
    # A host array beside one on the device is copied, as ever.
    z = numpy.zeros(1000, dtype=numpy.float32)
    saxpy.launch(1000, 1.0, y, z, grid=4, group=256)
    numpy.testing.assert_array_equal(z, y.numpy())


@pytest.mark.parametrize("dtype", ["bool", "i1", "<i2", numpy.int32, "int64", "uint8", numpy.dtype("u2"), "uint32", "u8", "float16", numpy.float32, float.__name__ + "64"])
def test_every_dtype_survives(device, dtype):
    values = numpy.arange(12).reshape(3, 4).astype(dtype)
    array = device.array(values)
    assert array.shape == (3, 4) and numpy.dtype(array.dtype) == values.dtype and array.nbytes == values.nbytes
    numpy.testing.assert_array_equal(array.numpy(), values)
    if device.info["runtime"] == "cpu" and dtype != "bool":
        numpy.testing.assert_array_equal(numpy.from_dlpack(array), values)


def test_numpy_shares_memory_and_keeps_it(device, saxpy):
    if device.info["runtime"] != "cpu":
        pytest.skip("NumPy has arrays of the host alone")
    y = device.array(numpy.ones(64, dtype=numpy.float32))
    seen = numpy.from_dlpack(y)
    assert seen.ctypes.data == y.address
    saxpy.launch(64, 2.0, y, y, grid=1, group=64)
    assert (seen == 3).all()
    del y
    gc.collect()
    assert (seen == 3).all() and not hasattr(device.empty(1), "__cuda_array_interface__")


def test_arrays_of_other_libraries(device, saxpy):
    """Those that only have DLPack."""
    x, y = device.array(numpy.arange(64, dtype=numpy.float32)), device.array(numpy.zeros(64, dtype=numpy.float32))
    saxpy.launch(64, 2.0, OnlyDlpack(x), OnlyDlpack(y), grid=1, group=64)
    numpy.testing.assert_array_equal(y.numpy(), 2 * numpy.arange(64))


def test_memory_of_the_driver(device, saxpy):
    """Memory that the vendor's own calls made, described as CuPy and Numba describe theirs."""
    if device.info["runtime"] != "cuda":
        pytest.skip("no NVIDIA GPU")
    driver = ctypes.CDLL("libcuda.so.1")
    address, stream = ctypes.c_uint64(), ctypes.c_void_p()
    keep = device.empty(1)  # its context is current on this thread now
    assert driver.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(256)) == 0
    assert driver.cuStreamCreate(ctypes.byref(stream), 1) == 0
    assert driver.cuMemsetD32Async(address, 0x3f800000, ctypes.c_size_t(64), stream) == 0

    class Theirs:
        __cuda_array_interface__ = {"version": 3, "shape": (64,), "typestr": "<f4", "data": (address.value, False), "strides": None, "stream": stream.value}
    saxpy.launch(64, 2.0, Theirs(), Theirs(), grid=1, group=64, stream=stream.value)
    out = numpy.zeros(64, dtype=numpy.float32)
    assert driver.cuMemcpyDtoH_v2(out.ctypes.data_as(ctypes.c_void_p), address, ctypes.c_size_t(256)) == 0
    assert (out == 3).all() and keep is not None
    Theirs.__cuda_array_interface__ = {**Theirs.__cuda_array_interface__, "strides": (8,)}
    with pytest.raises(lathe.Error, match="not contiguous"):
        saxpy.launch(64, 2.0, Theirs(), Theirs(), grid=1, group=64)


def test_what_does_not_fit(device, saxpy):
    x = device.array(numpy.zeros(64, dtype=numpy.float32))
    for wrong in (device.array(numpy.zeros(64)), device.empty(64, "int32")):
        with pytest.raises(lathe.Error, match="'y'") as caught:
            saxpy.launch(64, 2.0, x, wrong, grid=1, group=64)
        assert caught.value.code == "argument-mismatch"
    with pytest.raises(lathe.Error, match="DLPack's device") as caught:
        saxpy.launch(64, 2.0, x, OnlyDlpack(x, (4, 0)), grid=1, group=64)
    assert caught.value.code == "argument-mismatch"
    with pytest.raises(lathe.Error) as caught:
        device.empty(1 << 62)
    assert caught.value.code == "out-of-device-memory"
    for wrong in ("complex64", "f3", "i16", object, ">f4"):
        with pytest.raises(lathe.Error) as caught:
            device.empty(4, wrong)
        assert caught.value.code == "invalid-argument"
    readonly = numpy.zeros(64, dtype=numpy.float32)
    readonly.flags.writeable = False
    if device.info["runtime"] == "cpu":
        with pytest.raises(lathe.Error, match="read-only"):
            saxpy.launch(64, 2.0, x, OnlyDlpack(readonly), grid=1, group=64)
    with pytest.raises(lathe.Error, match="64 dimensions"):
        device.empty([1] * 129)
    with pytest.raises(lathe.Error, match="256 bytes"):
        x.copy_from(numpy.zeros(63, dtype=numpy.float32))
    with pytest.raises(lathe.Error, match="whole numbers"):
        device.empty((2, -1))
    with pytest.raises(lathe.Error, match="stream"):
        saxpy.launch(64, 2.0, x, x, grid=1, group=64, stream="mine")
    with pytest.raises(BufferError):
        x.__dlpack__(copy=True)
    with pytest.raises(TypeError):
        pickle.dumps(x)
    if device.info["runtime"] == "cpu":
        with pytest.raises(lathe.Error) as caught:
            saxpy.launch(64, 2.0, x, x, grid=1, group=64, stream=1234)
        assert caught.value.code == "unsupported"
    else:
        with pytest.raises(lathe.Error, match="wait=False"):
            saxpy.launch(64, 2.0, x, numpy.zeros(64, dtype=numpy.float32), grid=1, group=64, wait=False)


def test_empty_arrays(device):
    array = device.empty((0, 3))
    assert array.nbytes == 0 and array.address == 0 and array.numpy().shape == (0, 3)


def test_copies_are_of_the_arrays_type_or_bytes(device):
    x = device.array(numpy.arange(10, dtype=numpy.float32))
    for other in (numpy.arange(10, dtype=numpy.int32), numpy.arange(5, dtype=numpy.float64), numpy.arange(10, dtype=">f4"), numpy.zeros(5, dtype=numpy.complex64)):
        for copy in (x.copy_from, x.copy_to):
            with pytest.raises(lathe.Error, match="elements of '<f4' are wanted") as caught:
                copy(other)
            assert caught.value.code == "invalid-argument"
    numpy.testing.assert_array_equal(x.numpy(), numpy.arange(10, dtype=numpy.float32))
    x.copy_from((2 * numpy.arange(10, dtype=numpy.float32)).tobytes())
    raw = bytearray(40)
    x.copy_to(raw)
    numpy.testing.assert_array_equal(numpy.frombuffer(raw, dtype=numpy.float32), x.numpy())


STRUCTURES = """#include <lathe/device.h>
struct P { int n; double x; float y; };
struct Pair { float a, b; };
LATHE_KERNEL void second(const P* p, double* out) { *out = p[1].x; }
LATHE_KERNEL void swap(Pair* pairs) { Pair& pair = pairs[lathe::global_id().x]; const float a = pair.a; pair.a = pair.b; pair.b = a; }
"""


def test_pointers_to_structures_take_elements_that_fit():
    module = lathe.Device.open("cpu").load(lathe.compile(lathe.Job(STRUCTURES)))
    fields = [("n", "i4"), ("x", "f8"), ("y", "f4")]
    aligned = numpy.dtype(fields, align=True)
    values, out = numpy.zeros(3, dtype=aligned), numpy.zeros(1)
    values["x"] = [1.5, 13.5, 2.5]
    for fitting in (values, values.tobytes(), values.view(numpy.uint8)):
        out[0] = 0
        module["second"].launch(fitting, out, grid=1)
        assert out[0] == 13.5
    for wrong in (numpy.zeros(9), values.astype(numpy.dtype(fields)), numpy.zeros(72, dtype="V1"), numpy.zeros(18, dtype=numpy.float32)):
        with pytest.raises(lathe.Error, match="the array's elements are") as caught:
            module["second"].launch(wrong, out, grid=1)
        assert caught.value.code == "argument-mismatch"
    # Two floats are what a Pair consists of.
    floats = numpy.arange(8, dtype=numpy.float32).reshape(4, 2)
    module["swap"].launch(floats, grid=4)
    numpy.testing.assert_array_equal(floats, [[1, 0], [3, 2], [5, 4], [7, 6]])
    module["swap"].launch(floats.view(numpy.complex64), grid=4)
    numpy.testing.assert_array_equal(floats, numpy.arange(8, dtype=numpy.float32).reshape(4, 2))
