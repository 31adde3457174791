# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies a library with another build ID, as another build of the same version has: other_build.py LIBRARY FOLDER."""
import pathlib
import shutil
import sys

library, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
name = bytearray(library.read_bytes())
note = b"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0"  # namesz, descsz, NT_GNU_BUILD_ID
at = name.find(note)
if at < 0:
    sys.exit("the library has no build ID of 20 bytes")
name[at + len(note)] ^= 0xFF
folder.mkdir(parents=True, exist_ok=True)
(folder / library.name).write_bytes(name)
shutil.copymode(library, folder / library.name)
