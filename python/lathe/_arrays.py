# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of a device as an array, and the arrays of other libraries as kernels' arguments."""
from __future__ import annotations

import math
import operator
import re
from collections.abc import Sequence
from typing import Any

from . import _lathe
from ._errors import Error

_KINDS = {"b": "bool", "i": "int", "u": "uint", "f": "float"}
_NAMES = {"bool": "b1", "int": "i", "uint": "u", "float": "f"}

#: The kinds of numbers of the buffer protocol's formats.
_FORMATS = {"?": "bool", "e": "float", "f": "float", "d": "float", **dict.fromkeys("bhilqn", "int"), **dict.fromkeys("BHILQN", "uint")}

#: The device types of DLPack whose memory kernels of a runtime use where it is (dlpack.h): the device's own, and the host's where it is pinned or managed.
_DLPACK_TYPES = {"cpu": {1, 3, 11, 13}, "cuda": {2, 3, 13}, "hip": {10, 11}}
_OWN_DLPACK_TYPE = {"cpu": 1, "cuda": 2, "hip": 10}


#: DLPack takes no more dimensions.
_MOST_DIMENSIONS = 64


def _typestr(dtype: Any) -> tuple[str, str, int]:
    """"<f4", the kind of number and its bytes, of NumPy's dtypes, their names and array-interface strings."""
    text = getattr(dtype, "str", None) or getattr(dtype, "__name__", None) or str(dtype)
    named = re.fullmatch(r"(bool|int|uint|float)_?(\d*)", text)
    if named and (named[1] == "bool") == (not named[2]):
        kind, size = named[1], 1 if named[1] == "bool" else int(named[2]) // 8
    else:
        found = re.fullmatch(r"[<|=]?([biuf])(\d+)", text)
        if not found:
            raise Error(f"arrays are of bool, integers and floats in the machine's byte order, not {dtype!r}", code="invalid-argument")
        kind, size = _KINDS[found[1]], int(found[2])
    if size not in ({"bool": {1}, "float": {2, 4, 8}}.get(kind, {1, 2, 4, 8})):
        raise Error(f"there is no {kind} of {size} bytes ({dtype!r})", code="invalid-argument")
    letter = _NAMES[kind]
    return ("|b1" if kind == "bool" else f"{'|' if size == 1 else '<'}{letter}{size}"), kind, size


def kind_of(view: memoryview) -> str | None:
    """The kind of number of a view's elements; None: they are something else."""
    return _FORMATS.get(view.format.lstrip("@=<"))


def whole_numbers(value: Any) -> tuple[int, ...] | None:
    """One number or several, of Python or NumPy, none below 0; None: it is something else."""
    try:
        numbers = (operator.index(value),)
    except TypeError:
        try:
            numbers = tuple(map(operator.index, value))
        except TypeError:
            return None
    return numbers if all(number >= 0 for number in numbers) else None


class Array:
    """An array in a device's memory, C-contiguous. `Device.empty` and `Device.array` make it; kernels take it as it is.

    Other libraries use its memory without a copy: by DLPack (`torch.from_dlpack(array)`, `numpy.from_dlpack` on the CPU), and on NVIDIA GPUs by
    `__cuda_array_interface__` (`cupy.asarray(array)`). It is freed with the last object that uses it.
    """
    __slots__ = ("_memory", "device", "shape", "dtype", "_kind", "_itemsize")

    def __init__(self, device: Any, shape: Sequence[int] | int, dtype: Any):
        extents = whole_numbers(shape)
        if extents is None:
            raise Error(f"a shape is whole numbers, not {shape!r}", code="invalid-argument")
        self.shape = extents
        if len(self.shape) > _MOST_DIMENSIONS:
            raise Error(f"an array has {_MOST_DIMENSIONS} dimensions at most, not {len(self.shape)}", code="invalid-argument")
        self.device = device
        self.dtype, self._kind, self._itemsize = _typestr(dtype)
        if self.nbytes >= 1 << 64:
            raise Error(f"no memory has {self.nbytes} bytes", code="out-of-device-memory")
        self._memory = device._handle.allocate(self.nbytes)

    @property
    def nbytes(self) -> int:
        return math.prod(self.shape) * self._itemsize

    @property
    def address(self) -> int:
        """The device's address, 0 of an empty array."""
        return self._memory.address()

    def copy_from(self, source: Any) -> None:
        """Waits for the kernels before it, and copies from an object with the buffer protocol that has as many bytes, of this array's type or plain bytes.

        Raises lathe.Error: "invalid-argument"."""
        self.device.synchronize()
        self._memory.upload(self._fitting(source))

    def copy_to(self, target: Any) -> None:
        """Waits for the kernels before it, and copies to an object with the buffer protocol that has as many bytes, of this array's type or plain bytes.

        Raises lathe.Error: "invalid-argument"."""
        self.device.synchronize()
        self._memory.download(self._fitting(target))

    def _fitting(self, value: Any) -> memoryview:
        view = memoryview(value)
        if not view.c_contiguous or view.nbytes != self.nbytes:
            raise Error(f"a contiguous object of {self.nbytes} bytes is wanted, not {'one' if view.c_contiguous else 'a strided one'} of {view.nbytes}",
                        code="invalid-argument")
        if view.format not in ("b", "B", "c") and (kind_of(view), view.itemsize) != (self._kind, self._itemsize):
            raise Error(f"elements of '{self.dtype}' are wanted, not of '{view.format}'; bytes are copied as they are", code="invalid-argument")
        return view

    def numpy(self) -> Any:
        """A copy as an array of NumPy."""
        import numpy

        out = numpy.empty(self.shape, self.dtype)
        self.copy_to(out)
        return out

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self.device.info["runtime"] != "cuda":
            raise AttributeError("only arrays of NVIDIA GPUs have a __cuda_array_interface__")
        # What is queued may be on any stream, and consumers wait for one alone.
        self.device.synchronize()
        return {"version": 3, "shape": self.shape, "typestr": self.dtype, "data": (self.address, False), "strides": None, "stream": None}

    def __dlpack_device__(self) -> tuple[int, int]:
        runtime = self.device.info["runtime"]
        if runtime not in _OWN_DLPACK_TYPE:
            raise Error(f"DLPack has no device type for memory of runtime '{runtime}'", code="unsupported")
        return _OWN_DLPACK_TYPE[runtime], self.device.info["index"]

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None) -> Any:
        own = self.__dlpack_device__()
        if copy or (dl_device is not None and tuple(dl_device) != own):
            raise BufferError("a lathe.Array is given away where it is, without a copy")
        if stream != -1:
            self.device.synchronize()
        code = {"int": 0, "uint": 1, "float": 2, "bool": 6}[self._kind]
        return self._memory.dlpack(list(self.shape), code, self._itemsize * 8, *own)

    def __repr__(self) -> str:
        return f"<lathe.Array: {self.dtype} {self.shape} on {self.device.info['runtime']}>"


class Foreign:
    """An argument that is in memory already which the kernel can use: its address, and what it is."""

    def __init__(self, address: int, kind: str | None, itemsize: int, readonly: bool, keeps: Any, stream: int = 0):
        self.address, self.kind, self.itemsize, self.readonly, self.keeps, self.stream = address, kind, itemsize, readonly, keeps, stream


def foreign(value: Any, device: Any) -> Foreign | None:
    """`value` where it lies, if it is an array on `device`; None for arrays of the host that a launch copies. Raises lathe.Error: "argument-mismatch"."""
    runtime, index = device.info["runtime"], device.info["index"]
    if isinstance(value, Array):
        if (value.device.info["runtime"], value.device.info["index"]) != (runtime, index):
            raise Error(f"the array is on {value.device.info['runtime']} {value.device.info['index']}, and the kernel on {runtime} {index}", code="argument-mismatch")
        return Foreign(value.address, value._kind, value._itemsize, False, value)
    if runtime == "cuda":
        interface = getattr(value, "__cuda_array_interface__", None)
        if interface is not None:
            _check_index(value, index)
            return _of_interface(value, interface)
    if not hasattr(value, "__dlpack__") or not hasattr(value, "__dlpack_device__"):
        return None
    kind, at = value.__dlpack_device__()
    if int(kind) == 1 and (runtime != "cpu" or _has_buffer(value)):
        return None  # the buffer protocol has it, and says what is read-only; other devices get a copy
    on_device = int(kind) == _OWN_DLPACK_TYPE.get(runtime)
    if int(kind) not in _DLPACK_TYPES.get(runtime, set()) or (on_device and at != index):
        raise Error(f"the array is on DLPack's device ({int(kind)}, {at}), which kernels on {runtime} {index} cannot use", code="argument-mismatch")
    view = _lathe.DlpackView(value)
    if not view.contiguous():
        raise Error("the array is not contiguous", code="argument-mismatch")
    code, bits = view.dtype()
    return Foreign(view.address(), {0: "int", 1: "uint", 2: "float", 6: "bool"}.get(code), bits // 8, view.readonly(), view)


def _check_index(value: Any, index: int) -> None:
    """Of libraries whose arrays say where they are."""
    at = value.__dlpack_device__()[1] if hasattr(value, "__dlpack_device__") else index
    if at != index:
        raise Error(f"the array is on device {at}, and the kernel on device {index}", code="argument-mismatch")


def _has_buffer(value: Any) -> bool:
    try:
        return memoryview(value) is not None
    except (TypeError, BufferError):
        return False


def _of_interface(value: Any, interface: dict[str, Any]) -> Foreign:
    if interface["typestr"].startswith(">"):
        raise Error("the array's elements are in the other byte order", code="argument-mismatch")
    try:
        _, kind, itemsize = _typestr(interface["typestr"])
    except Error:  # bfloat16, complex numbers: the caller's to know
        size = re.search(r"\d+$", interface["typestr"])
        kind, itemsize = None, int(size[0]) if size else 1
    strides, expected = interface.get("strides"), itemsize
    for extent, stride in zip(reversed(interface["shape"]), reversed(strides or ())):
        if extent > 1 and stride != expected:
            raise Error("the array is not contiguous", code="argument-mismatch")
        expected *= extent
    if interface.get("mask") is not None:
        raise Error("the array has a mask, which kernels do not know", code="argument-mismatch")
    address, readonly = interface["data"]
    # 1 and 2 are the default streams, which a launch on the default stream follows of itself.
    stream = interface.get("stream") or 0
    return Foreign(address or 0, kind, itemsize, bool(readonly), value, stream if stream > 2 else 0)


def stream_handle(stream: Any) -> int:
    """The vendor's handle of a stream: a number, an object with `__cuda_stream__`, or a stream of PyTorch or CuPy."""
    if isinstance(stream, int):
        return stream
    if hasattr(stream, "__cuda_stream__"):
        protocol = stream.__cuda_stream__
        return int((protocol() if callable(protocol) else protocol)[1])
    for name in ("cuda_stream", "ptr"):
        if isinstance(getattr(stream, name, None), int):
            return int(getattr(stream, name))
    raise Error(f"a stream is a handle, or has one (__cuda_stream__), not {type(stream).__name__}", code="invalid-argument")
