# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices: kernels launched on NumPy arrays, arrays of devices, and other objects with the buffer protocol."""
from __future__ import annotations

import builtins
import struct
from collections.abc import Sequence
from typing import Any

from . import _lathe
from ._arrays import Array, Foreign, foreign, kind_of, stream_handle, whole_numbers
from ._errors import Error
from ._image import FatImage, Image

_FORMATS = {("bool", 1): "?", ("int", 1): "b", ("int", 2): "h", ("int", 4): "i", ("int", 8): "q", ("uint", 1): "B", ("uint", 2): "H",
            ("uint", 4): "I", ("uint", 8): "Q", ("float", 2): "e", ("float", 4): "f", ("float", 8): "d"}


def _mismatch(kernel: str, parameter: dict[str, Any], why: str) -> Error:
    return Error(f"{kernel}: parameter '{parameter['name']}' is {parameter['type']['name']}, {why}", code="argument-mismatch")


def _argument(kernel: str, parameter: dict[str, Any], value: Any, device: Device) -> Any:
    """The value as the launch takes it: bytes, or for a pointer an object with memory, a Foreign one where it lies, or None."""
    layout = parameter["type"]
    if layout["kind"] == "pointer":
        if value is None:
            return None
        there = foreign(value, device)
        return _memory(kernel, parameter, value) if there is None else _there(kernel, parameter, there)
    format = _FORMATS.get((layout["kind"], layout["size"]))
    if format is None:  # a structure, a vector: its bytes
        try:
            data = bytes(memoryview(value))
        except TypeError:
            raise _mismatch(kernel, parameter, f"whose {layout['size']} bytes are wanted, not {type(value).__name__}") from None
        if len(data) != layout["size"]:
            raise _mismatch(kernel, parameter, f"of {layout['size']} bytes, not {len(data)}")
        return data
    try:
        return struct.pack("=" + format, value)
    except (struct.error, OverflowError, TypeError):
        raise _mismatch(kernel, parameter, f"and cannot be {value!r}") from None


def _check_element(kernel: str, parameter: dict[str, Any], kind: str | None, size: int) -> None:
    element = parameter["type"].get("element", {})
    wanted = (element.get("kind"), element.get("size"))
    if wanted in _FORMATS:
        fits = kind is None or wanted == (kind, size)
    else:  # a structure or a vector of known size: elements of that size, what all its members are, or bytes
        fits = not wanted[1] or size == wanted[1] or (kind, size) in (_member(element), ("int", 1), ("uint", 1))
    if not fits:
        raise _mismatch(kernel, parameter, f"and the array's elements are {kind or 'records'} of {size} bytes")


def _member(layout: dict[str, Any]) -> tuple[str, int] | None:
    """The kind and size of the numbers that a type consists of; None: of several, or of something else."""
    if (layout.get("kind"), layout.get("size")) in _FORMATS:
        return layout["kind"], layout["size"]
    if layout.get("kind") == "pointer":
        return None
    inner = [field["type"] for field in layout.get("fields", ())] or [layout[key] for key in ("element",) if layout.get(key)]
    members = {_member(one) for one in inner}
    return members.pop() if len(members) == 1 else None


def _there(kernel: str, parameter: dict[str, Any], array: Foreign) -> Foreign:
    if array.readonly and not parameter["read_only"]:
        raise _mismatch(kernel, parameter, "and the array is read-only")
    _check_element(kernel, parameter, array.kind, array.itemsize)
    return array


def _memory(kernel: str, parameter: dict[str, Any], value: Any) -> Any:
    try:
        view = memoryview(value)
    except TypeError:
        raise _mismatch(kernel, parameter, f"so it takes an array, not {type(value).__name__}") from None
    if not view.c_contiguous:
        raise _mismatch(kernel, parameter, "and the array is not contiguous")
    if view.readonly and not parameter["read_only"]:
        raise _mismatch(kernel, parameter, "and the array is read-only")
    if view.format.startswith((">", "!")):
        raise _mismatch(kernel, parameter, "and the array's elements are in the other byte order")
    _check_element(kernel, parameter, kind_of(view), view.itemsize)
    return view


class Kernel:
    """A kernel of a module. Any number of threads may launch it."""
    __slots__ = ("_handle", "_entry", "_device", "name")

    def __init__(self, handle: _lathe.Kernel, entry: dict[str, Any], device: Device):
        self._handle, self._entry, self._device, self.name = handle, entry, device, entry["name"]

    def launch(self, *arguments: Any, grid: Sequence[int] | int, group: Sequence[int] | int = 1, shared_bytes: int = 0, stream: Any = None,
               wait: bool = True) -> None:
        """Runs the kernel and waits for it.

        `grid` are groups and `group` the items in each, along x, or along x, y and z. An argument for a pointer is a contiguous array (NumPy's, or any object
        with the buffer protocol), or None for null; its elements are of the parameter's type, and it is not read-only unless they are
        const. How many elements there are is the caller's to know. Scalars are numbers, structures their bytes. On the CPU kernels work on the arrays'
        own memory; other devices get copies, and what is not const is copied back. Arrays on the kernel's device are used where they are: `lathe.Array`, and
        those of other libraries by DLPack or `__cuda_array_interface__`. `stream` is a stream of such a library (PyTorch's, CuPy's, or its handle) to launch on.
        With `wait=False` the launch is queued, for arrays on the device alone; they must live until it is done. Raises lathe.Error: "argument-mismatch",
        "launch-invalid", "device-fault", "check-failed", "out-of-device-memory", "unsupported" (streams, where the runtime has no handles).
        """
        parameters = self._entry["parameters"]
        if len(arguments) != len(parameters):
            raise Error(f"{self.name}: takes {len(parameters)} arguments, not {len(arguments)}", code="argument-mismatch")
        values = [_argument(self.name, parameter, value, self._device) for parameter, value in zip(parameters, arguments)]
        there = [value for value in values if isinstance(value, Foreign)]
        if not wait and self._device.info["runtime"] != "cpu" and any(isinstance(value, memoryview) and parameter["type"]["kind"] == "pointer"
                                                                      for parameter, value in zip(parameters, values)):
            raise Error(f"{self.name}: wait=False needs arrays on the device, because what is copied is copied back", code="invalid-argument")
        for producer in {array.stream for array in there if array.stream}:
            self._device._handle.synchronize_stream(producer)
        self._handle.launch(_extents("grid", grid), _extents("group", group), shared_bytes,
                            [value.address if isinstance(value, Foreign) else value for value in values],
                            None if stream is None else stream_handle(stream), wait)

    def __repr__(self) -> str:
        return f"<lathe.Kernel: {self.name}>"


def _extents(name: str, value: Sequence[int] | int) -> list[int]:
    extents = whole_numbers(value)
    if not extents or len(extents) > 3 or max(extents) >= 1 << 32:
        raise Error(f"{name} is one to three whole numbers, not {value!r}", code="launch-invalid")
    return [*extents, *[1] * (3 - len(extents))]


class Module:
    """Code loaded on a device."""
    __slots__ = ("_handle", "_device", "image")

    def __init__(self, handle: _lathe.Module, image: Image, device: Device):
        self._handle, self._device, self.image = handle, device, image

    def kernel(self, name: str) -> Kernel:
        """The kernel of that name. Raises lathe.Error: "unknown-kernel", with the nearest names."""
        handle = self._handle.kernel(name)
        found = handle.name()
        return Kernel(handle, next(entry for entry in self.image.info["entries"] if entry["name"] == found), self._device)

    def __getitem__(self, name: str) -> Kernel:
        return self.kernel(name)


class Device:
    """One device. Any number of threads may use it."""
    __slots__ = ("_handle", "info")
    info: dict[str, Any]  #: "name", "runtime", "arch", "memory_bytes", "multiprocessors", …

    def __init__(self, handle: _lathe.Device):
        self._handle, self.info = handle, handle.info()

    @classmethod
    def open(cls, runtime: str = "cpu", index: int = 0) -> Device:
        """Device number `index` of a runtime: "cpu", "cuda", "hip", "opencl". Raises lathe.Error: "device-not-found", "driver-missing",
        "invalid-argument" (no such runtime)."""
        return cls(_lathe.Device.open(runtime, index))

    @staticmethod
    def list() -> builtins.list[dict[str, Any]]:
        """`info` of every device here that runs kernels."""
        return _lathe.Device.list()

    def load(self, image: Image | FatImage) -> Module:
        """Loads an image, or of a fat image the one that fits best (`Module.image`). Raises lathe.Error: "incompatible-device", "image-corrupt", "undefined-function", …"""
        handle = self._handle.load(image._handle)
        return Module(handle, image if isinstance(image, Image) else Image._of(handle.image()), self)

    def empty(self, shape: Sequence[int] | int, dtype: Any = "<f4") -> Array:
        """An array in the device's memory with undefined contents. `dtype` is NumPy's, or a name ("float32", "<i4"). Raises lathe.Error:
        "out-of-device-memory", "invalid-argument"."""
        return Array(self, shape, dtype)

    def array(self, values: Any) -> Array:
        """A copy, in the device's memory, of an array of NumPy or another object with the buffer protocol. Raises lathe.Error: as `empty`."""
        view = memoryview(values)
        kind = kind_of(view)
        if kind is None or not view.c_contiguous:
            raise Error(f"arrays are contiguous, of bool, integers and floats, not {view.format!r}", code="invalid-argument")
        out = Array(self, view.shape, {"bool": "bool"}.get(kind, f"{kind}{8 * view.itemsize}"))
        out.copy_from(view)
        return out

    def synchronize(self) -> None:
        """Waits for all work on the device. Raises lathe.Error: "device-fault", "check-failed", …"""
        self._handle.synchronize()

    def __repr__(self) -> str:
        return f"<lathe.Device: {self.info['runtime']} {self.info['name']}>"
