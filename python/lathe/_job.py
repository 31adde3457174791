# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Jobs: everything that a caller decides of what a compile produces, as values."""
from __future__ import annotations

import base64
import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _lathe

_LEVELS = ("O0", "O1", "O2", "O3")


def _text(value: str | bytes) -> str | dict[str, str]:
    """A text as the JSON of a job has it."""
    if isinstance(value, str):
        return value
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise TypeError(f"sources and headers are text or bytes, not {type(value).__name__}")
    return {"base64": base64.b64encode(bytes(value)).decode()}


def _strings(name: str, values: Iterable[str | os.PathLike[str]]) -> list[str]:
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{name} is a list of texts, not one text")
    return [os.fspath(value) for value in values]


def _defines(values: Iterable[str] | Mapping[str, object]) -> list[str]:
    if not isinstance(values, Mapping):
        return _strings("defines", values)
    return [name if value is None else f"{name}={int(value) if isinstance(value, bool) else value}" for name, value in values.items()]


class Job:
    """One compile: a source, a target and options. An immutable value, equal and hashed by its canonical bytes, picklable.

    `source` is the text, or bytes of LLVM bitcode. `name` is its file name, by which messages call it and whose ending says
    the dialect (`.cpp`, `.cu`, `.hip`, `.ll`, …) unless `dialect` does ("kernel", "cuda", "ir"). `target` may name the
    architecture too: "cuda:sm_90". `entries` are kernels as C++ name expressions ("saxpy<float>"); none: all of the source.
    `headers` are texts that the source may include, by name. `further_sources` are texts, bitcode or images by file name, of
    one program with `source`: each is compiled by itself, and all are linked. `defines` are "NAME" or "NAME=VALUE", or a mapping; a value of
    None is "NAME". `emit` is the format of the code in the image: "image" (the target's own), "image:cubin,ptx" (several for a runtime), "ir", "asm", "ptx",
    "portable", …
    The other options are fields of `lathe::Options` (include/lathe/job.h), by their names in C++: `fastMath=True`,
    `launchBounds={"maxItems": 256}`, `promises={"noAlias": True}`.

    Raises TypeError for arguments of a wrong type, and lathe.Error ("invalid-argument") for what no job can have; whether the
    target exists is found by compile().
    """
    __slots__ = ("_bytes", "_fields")
    _bytes: bytes
    _fields: dict[str, Any] | None

    def __init__(self, source: str | bytes, *, name: str | os.PathLike[str] = "kernel.cpp", dialect: str = "", target: str = "cpu",
                 arch: str = "", features: str = "", emit: str = "image", entries: Iterable[str] = (),
                 headers: Mapping[str, str | bytes] | None = None,
                 further_sources: Mapping[str, str | bytes] | None = None, opt_level: int = 3,
                 defines: Iterable[str] | Mapping[str, object] = (), include_dirs: Iterable[str | os.PathLike[str]] = (),
                 **options: Any):
        if isinstance(opt_level, bool) or opt_level not in (0, 1, 2, 3):
            raise ValueError(f"opt_level is 0, 1, 2 or 3, not {opt_level!r}")
        if not arch and isinstance(target, str) and ":" in target:
            target, _, arch = target.partition(":")
        fields = {
            "source": {"name": os.fspath(name), "text": _text(source), "dialect": dialect},
            "furtherSources": [{"name": further, "text": _text(text)} for further, text in (further_sources or {}).items()],
            "headers": [{"name": header, "text": _text(text)} for header, text in (headers or {}).items()],
            "entries": _strings("entries", entries), "target": target, "arch": arch, "features": features, "emit": emit,
            "options": {"optLevel": _LEVELS[opt_level], "defines": _defines(defines),
                        "includeDirs": _strings("include_dirs", include_dirs), **options},
        }
        self._set(_lathe.job_from_json(json.dumps(fields)))

    def _set(self, canonical: bytes) -> None:
        object.__setattr__(self, "_bytes", canonical)
        object.__setattr__(self, "_fields", None)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Job does not change; job.replace({name}=…) gives another")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Job does not change")

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], **arguments: Any) -> Job:
        """A job of the file's contents, named by its path. Further arguments are those of Job(). Raises OSError."""
        with open(path, "rb") as file:
            contents = file.read()
        try:
            source: str | bytes = contents.decode()
        except UnicodeDecodeError:
            source = contents
        return cls(source, **{"name": os.fspath(path), **arguments})

    @classmethod
    def from_json(cls, text: str) -> Job:
        """Reads the JSON of a job, of which any key may be missing. Raises lathe.Error ("invalid-argument"), naming the key."""
        out = object.__new__(cls)
        out._set(_lathe.job_from_json(text))
        return out

    @classmethod
    def from_bytes(cls, canonical: bytes) -> Job:
        """Reads canonical bytes. Raises lathe.Error ("invalid-argument") if they are truncated or of another version."""
        out = object.__new__(cls)
        out._set(_lathe.job_from_bytes(canonical))
        return out

    def to_json(self) -> str:
        """The job as JSON, with every field."""
        return _lathe.job_to_json(self._bytes)

    def __bytes__(self) -> bytes:
        """The canonical bytes: equal jobs have equal ones."""
        return self._bytes

    @property
    def fields(self) -> dict[str, Any]:
        """All fields, as to_json() has them. A copy."""
        fields: dict[str, Any] = json.loads(self.to_json())
        return fields

    def _field(self, name: str) -> Any:
        if self._fields is None:
            object.__setattr__(self, "_fields", self.fields)
        assert self._fields is not None
        return self._fields[name]

    @property
    def name(self) -> str:
        """The source's file name."""
        return str(self._field("source")["name"])

    @property
    def source(self) -> str | bytes:
        """The source: text, or bytes that are no UTF-8."""
        text = self._field("source")["text"]
        return base64.b64decode(text["base64"]) if isinstance(text, dict) else str(text)

    @property
    def target(self) -> str:
        """The target's name, without the architecture."""
        return str(self._field("target"))

    @property
    def arch(self) -> str:
        """The architecture; "": the target's default."""
        return str(self._field("arch"))

    @property
    def entries(self) -> tuple[str, ...]:
        """The kernels asked for; none: all."""
        return tuple(self._field("entries"))

    @property
    def options(self) -> dict[str, Any]:
        """The options, by their names in C++. A copy."""
        return dict(self.fields["options"])

    @property
    def hash(self) -> str:
        """BLAKE3-256 of the canonical bytes, as 64 hexadecimal digits: the image's provenance has it too."""
        return _lathe.job_hash(self._bytes)

    def replace(self, **changes: Any) -> Job:
        """The same job with other values: of `target`, `arch`, `features`, `emit`, `entries`, or of options by their names in C++.

        Raises lathe.Error ("invalid-argument") as from_json() does.
        """
        fields = self.fields
        if ":" in changes.get("target", "") and "arch" not in changes:
            changes["target"], _, changes["arch"] = changes["target"].partition(":")
        elif "target" in changes and "arch" not in changes:
            changes["arch"] = ""
        for name, value in changes.items():
            value = list(value) if isinstance(value, tuple) else value
            if name in ("target", "arch", "features", "emit", "entries"):
                fields[name] = value
            else:
                fields["options"][name] = value
        return type(self).from_json(json.dumps(fields))

    def __eq__(self, other: object) -> bool:
        return self._bytes == other._bytes if isinstance(other, Job) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._bytes)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_bytes, (self._bytes,)

    def __dask_tokenize__(self) -> tuple[str, bytes]:
        return "lathe.Job", self._bytes

    def __repr__(self) -> str:
        return f"<lathe.Job: {_lathe.job_describe(self._bytes)}>"
