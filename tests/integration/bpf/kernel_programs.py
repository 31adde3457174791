# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel's own list of BPF programs, by libbpf's calls."""
import ctypes
import os


def names():
    """The names of all programs in the kernel now."""
    libbpf = ctypes.CDLL("libbpf.so.1", use_errno=True)
    number, found = ctypes.c_uint32(0), set()
    while libbpf.bpf_prog_get_next_id(number, ctypes.byref(number)) == 0:
        descriptor = libbpf.bpf_prog_get_fd_by_id(number)
        if descriptor < 0:
            continue
        info, size = ctypes.create_string_buffer(256), ctypes.c_uint32(256)
        libbpf.bpf_obj_get_info_by_fd(descriptor, info, ctypes.byref(size))
        os.close(descriptor)
        found.add(info.raw[64:80].split(b"\0")[0].decode(errors="replace"))
    return found
