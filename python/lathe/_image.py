# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Images: the results of compiles."""
from __future__ import annotations

import builtins
import json
import os
from typing import Any

from . import _lathe
from ._errors import Diagnostic


class Image:
    """Code for one target, with its kernels, their parameters and its origin. Immutable; equal, hashed and pickled by its bytes.

    `origin`, `warnings` and `files` are of the compile that gave it, and not part of its bytes; they are pickled too.
    """
    __slots__ = ("_handle", "_info", "origin", "warnings", "files")
    _info: dict[str, Any] | None
    origin: str  #: where compile() found it: "compiled", "memory", "disk", "remote"; "" of images from bytes and files
    warnings: tuple[Diagnostic, ...]  #: what compile() reported
    files: tuple[str, ...]  #: the files of the machine that it depends on, as the source spells them

    def __init__(self, data: builtins.bytes):
        """Reads an image's bytes. Raises lathe.Error: "image-corrupt", "image-version"."""
        self._set(_lathe.Image.from_bytes(bytes(data)))

    def _set(self, handle: _lathe.Image, origin: str = "", warnings: tuple[Diagnostic, ...] = (), files: tuple[str, ...] = ()) -> None:
        self._handle, self._info, self.origin, self.warnings, self.files = handle, None, origin, warnings, files

    @classmethod
    def _of(cls, *parts: Any) -> Image:
        out = object.__new__(cls)
        out._set(*parts)
        return out

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Image:
        """Maps an image's file, which must not be rewritten in place meanwhile. Raises lathe.Error: "file-unreadable", "image-corrupt",
        "image-version"."""
        return cls._of(_lathe.Image.open(os.fspath(path)))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the image's file; a failure leaves no partial file. Raises lathe.Error: "file-unwritable"."""
        self._handle.save(os.fspath(path))

    @property
    def bytes(self) -> builtins.bytes:
        """The whole image, as its file has it. A copy."""
        return self._handle.bytes()

    def __bytes__(self) -> builtins.bytes:
        return self._handle.bytes()

    @property
    def info(self) -> dict[str, Any]:
        """All that the image says of itself, as `lathe inspect --json` shows it: "entries" with parameters, offsets and resources, …"""
        if self._info is None:
            self._info = json.loads(self._handle.json())
        assert self._info is not None
        return self._info

    @property
    def kernels(self) -> tuple[str, ...]:
        """The names of the entry points."""
        return tuple(entry["name"] for entry in self.info["entries"])

    @property
    def target(self) -> str:
        """The target and its architecture: "cuda:sm_90"."""
        return ":".join(filter(None, (self.info["target"], self.info["arch"])))

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats of the code: "ptx", "elf", …"""
        return tuple(code["format"] for code in self.info["code"])

    def code(self, format: str = "") -> builtins.bytes:
        """The code of that format, by default the first. Raises lathe.Error: "format-unsupported"."""
        return self._handle.code(format)

    def disassemble(self, format: str = "") -> str:
        """Machine code as text, one instruction a line. Raises lathe.Error: "unsupported" (texts such as PTX, which code() gives, and machine
        code of others), "format-unsupported", "image-corrupt"."""
        return self._handle.disassembled(format)

    def __eq__(self, other: object) -> bool:
        return self.bytes == other.bytes if isinstance(other, Image) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.bytes)

    def __reduce__(self) -> tuple[Any, ...]:
        return _image, (self.bytes, self.origin, self.warnings, self.files)

    def __repr__(self) -> str:
        return f"<lathe.Image: {', '.join(self.kernels)} for {self.target}>"


def _image(data: bytes, *compile: Any) -> Image:
    return Image._of(_lathe.Image.from_bytes(data), *compile)
