# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lathe, a kernel compiler that runs inside your program.

    job = lathe.Job("LATHE_KERNEL void twice(float* x) { x[lathe::global_id().x] *= 2; }", target="cuda:sm_90")
    image = lathe.compile(job)

A `Job` is a value and its compile a pure function: jobs and images are pickled, so that any executor runs them
(`lathe.batch`). Errors are exceptions, `lathe.Error`. All functions may be called from any number of threads; compiles run
without the interpreter's lock. docs/python.md has more.
"""
from . import _lathe
from ._arrays import Array
from ._cache import CacheConfig, CacheStats
from ._compile import batch, compile, set_log, targets
from ._device import Device, Kernel, Module
from ._errors import CompileError, Diagnostic, Error, Location, Note
from ._image import FatImage, Image
from ._job import Job

#: The version of the library that this process uses: "0.1.0".
version: str = _lathe.version
#: The version of the Clang in it: "clang 22.1.8".
compiler_version: str = _lathe.compiler_version
#: The names of all errors, each with a line that says what it means.
error_codes: dict[str, str] = _lathe.error_codes()
__version__ = version

__all__ = ["Array", "CacheConfig", "CacheStats", "CompileError", "Device", "Diagnostic", "Error", "FatImage", "Image", "Job", "Kernel", "Location", "Module",
           "Note", "batch", "compile", "compiler_version", "error_codes", "set_log", "targets", "version"]
