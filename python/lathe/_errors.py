# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors and warnings as Python sees them: the fields of lathe::Error and lathe::Diagnostic."""
from __future__ import annotations

from typing import Any, NamedTuple


class Location(NamedTuple):
    """A place in a text. Lines and columns count from 1; 0 means unknown."""
    file: str
    line: int
    column: int


class Note(NamedTuple):
    """A further line of a diagnostic: an include stack, a candidate, a step of a call chain."""
    message: str
    location: Location | None
    snippet: str


class Diagnostic(NamedTuple):
    """One error, warning or remark of a compile."""
    severity: str  #: "error", "warning" or "remark"
    code: str  #: a key of lathe.error_codes
    message: str
    location: Location | None
    snippet: str  #: the source line and a caret below it, or ""
    notes: tuple[Note, ...]
    hint: str


class Error(Exception):
    """A failed operation. `str()` of it is the message; `report` is the whole text for people, with source lines.

    It is picklable, and equal to its copy.
    """
    code: str  #: a stable name, a key of lathe.error_codes: "source-error"
    family: str  #: "caller", "environment" or "internal": whose fault it is
    message: str
    hint: str  #: a remedy to try, or ""
    stage: str  #: the stage of a compile that failed ("frontend"), or ""
    target: str
    location: Location | None
    notes: tuple[Note, ...]
    diagnostics: tuple[Diagnostic, ...]  #: all findings of a failed compile, in source order
    report: str

    def __init__(self, message: str, code: str = "invalid-argument", family: str = "caller", hint: str = "", stage: str = "", target: str = "",
                 location: Location | None = None, notes: tuple[Note, ...] = (), diagnostics: tuple[Diagnostic, ...] = (),
                 report: str = ""):
        super().__init__(message, code, family, hint, stage, target, location, notes, diagnostics, report)
        self.message, self.code, self.family, self.hint, self.stage = message, code, family, hint, stage
        self.target, self.location, self.notes, self.diagnostics = target, location, notes, diagnostics
        self.report = report or f"error: {message}\n" + (f"hint: {hint}\n" if hint else "")

    def __str__(self) -> str:
        return self.message

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Error) and self.args == other.args

    __hash__ = Exception.__hash__

    @classmethod
    def _of(cls, fields: dict[str, Any]) -> Error:
        fields = dict(fields, location=_location(fields["location"]), notes=_notes(fields["notes"]),
                      diagnostics=tuple(map(_diagnostic, fields["diagnostics"])))
        return cls(**fields)


class CompileError(Error):
    """A job that does not compile."""


def _location(fields: dict[str, Any] | None) -> Location | None:
    return Location(**fields) if fields else None


def _notes(notes: list[dict[str, Any]]) -> tuple[Note, ...]:
    return tuple(Note(note["message"], _location(note["location"]), note["snippet"]) for note in notes)


def _diagnostic(fields: dict[str, Any]) -> Diagnostic:
    return Diagnostic(**dict(fields, location=_location(fields["location"]), notes=_notes(fields["notes"])))
