# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Images, of one target and of several: the results of compiles."""
from __future__ import annotations

import builtins
import json
import os
from collections.abc import Iterable, Iterator
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


class FatImage:
    """Images for several targets in one file, of which a device takes the one that fits it best. Immutable; equal, hashed and pickled by its bytes.

    It is a sequence of its images, which are also found by their targets: `fat["cuda:sm_90"]`, or `fat["cuda"]` if there is one of that target.
    """
    __slots__ = ("_handle", "_images", "targets")
    _images: list[Image | None]
    targets: tuple[str, ...]  #: of each image: "cuda:sm_90"

    def __init__(self, data: builtins.bytes):
        """Reads a fat image's bytes, or an image's, which is one of one. Raises lathe.Error: "image-corrupt", "image-version"."""
        self._set(_lathe.FatImage.from_bytes(bytes(data)))

    def _set(self, handle: _lathe.FatImage, images: Iterable[Image] = ()) -> None:
        self._handle, self.targets = handle, tuple(handle.targets())
        self._images = list(images) or [None] * len(self.targets)

    @classmethod
    def of(cls, images: Iterable[Image]) -> FatImage:
        """Makes one of images, in their order. Raises lathe.Error ("invalid-argument"): there are none, or two for one target, architecture and
        features."""
        out, images = object.__new__(cls), list(images)
        out._set(_lathe.FatImage.build([image._handle for image in images]), images)
        return out

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> FatImage:
        """Reads a file. Raises lathe.Error: "file-unreadable", "image-corrupt", "image-version"."""
        out = object.__new__(cls)
        out._set(_lathe.FatImage.open(os.fspath(path)))
        return out

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file; a failure leaves no partial file. Raises lathe.Error: "file-unwritable"."""
        self._handle.save(os.fspath(path))

    @property
    def bytes(self) -> builtins.bytes:
        """The whole fat image, as its file has it. A copy."""
        return self._handle.bytes()

    def __bytes__(self) -> builtins.bytes:
        return self._handle.bytes()

    def __len__(self) -> int:
        return len(self.targets)

    def __iter__(self) -> Iterator[Image]:
        return (self[index] for index in range(len(self)))

    def __contains__(self, target: object) -> bool:
        return bool(self._places(target)) if isinstance(target, str) else any(image == target for image in self)

    def __getitem__(self, key: int | str) -> Image:
        """The image of that number or target. Raises IndexError, KeyError; lathe.Error ("image-corrupt")."""
        if isinstance(key, str):
            places = self._places(key)
            if len(places) != 1:
                raise KeyError(f"{key!r}: " + ("there are several" if places else "there is none") + f" among {', '.join(self.targets)}")
            key = places[0]
        index = range(len(self.targets))[key]
        image = self._images[index]
        if image is None:  # they are decompressed when they are asked for
            image = self._images[index] = Image._of(self._handle.image(index))
        return image

    def _places(self, target: str) -> list[int]:
        return [i for i, known in enumerate(self.targets) if target in (known, known.partition(":")[0])]

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What compile() reported of all images."""
        return tuple(warning for image in self for warning in image.warnings)

    @property
    def files(self) -> tuple[str, ...]:
        """The files of the machine that any of the images depends on."""
        return tuple(dict.fromkeys(file for image in self for file in image.files))

    def __eq__(self, other: object) -> bool:
        return self.bytes == other.bytes if isinstance(other, FatImage) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.bytes)

    def __reduce__(self) -> tuple[Any, ...]:
        return _fat_image, (self.bytes, [(image.origin, image.warnings, image.files) if image else None for image in self._images])

    def __repr__(self) -> str:
        return f"<lathe.FatImage for {', '.join(self.targets)}>"


def _fat_image(data: bytes, compiles: list[tuple[Any, ...] | None]) -> FatImage:
    out = FatImage(data)
    for index, compile in enumerate(compiles):
        if compile:
            out._images[index] = Image._of(out._handle.image(index), *compile)
    return out
