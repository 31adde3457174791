# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that each call one of CUDA's functions, made from names.txt. A line there is

    NAMES : ARGUMENTS [: OPTIONS]

NAMES are names with alternatives, `__float2int_{rn,rz}`. ARGUMENTS are types by the letters of TYPES, parted by commas,
several lists by `;`; `=3` is that number itself. OPTIONS are `sm_80`, the first architecture that has the function, and
`void`, if it returns nothing. `NAMES : in FILE.cu` says that a kernel there calls them, `NAMES : no REASON` that nothing can.
"""
import itertools
import re

TYPES = {"i": "int", "u": "unsigned", "l": "long long", "ul": "unsigned long long", "L": "long", "UL": "unsigned long", "f": "float",
         "d": "double", "h": "__half", "h2": "__half2", "b": "__nv_bfloat16", "b2": "__nv_bfloat162", "s": "short", "us": "unsigned short",
         "c": "signed char", "uc": "unsigned char", "f2": "float2", "d2": "double2", "cf": "cuFloatComplex", "cd": "cuDoubleComplex",
         "hr": "__half_raw", "hr2": "__half2_raw", "br": "__nv_bfloat16_raw", "br2": "__nv_bfloat162_raw", "fp8": "__nv_fp8_storage_t",
         "fp8x2": "__nv_fp8x2_storage_t", "z": "size_t", "v": "void", "bool": "bool"}
PER_FILE = 400
HEAD = """#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
template <class T>
__device__ void keep(void* out, T value) {
  *static_cast<T*>(out) = value;
}
"""


def expanded(pattern):
    """Every name of a pattern with alternatives in braces."""
    pieces = re.split(r"\{([^}]*)\}", pattern)
    choices = [[piece] if k % 2 == 0 else piece.split(",") for k, piece in enumerate(pieces)]
    return ["".join(choice) for choice in itertools.product(*choices)]


def read(path):
    """(calls: [(name, argument list, options)], elsewhere: {name: 'in FILE.cu' or 'no REASON'})."""
    calls, elsewhere = [], {}
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        head, *rest = [cell.strip() for cell in re.split(r"\s:(?:\s|$)", line)]
        if not rest:
            raise SystemExit(f"{path}:{number}: expected 'NAMES : ARGUMENTS [: OPTIONS]'")
        for name in (name for pattern in head.split() for name in expanded(pattern)):
            if rest[0].startswith(("in ", "no ")):
                elsewhere[name] = rest[0]
                continue
            for arguments in rest[0].split(";"):
                calls.append((name, [a.strip() for a in arguments.split(",") if a.strip()], (rest[1:] or [""])[0].split()))
    return calls, elsewhere


def type_of(letters):
    return TYPES[letters.rstrip("*").removeprefix("k")] + "*" * letters.count("*")


def kernel(name, arguments, options):
    title = "_".join([name.replace("::", "_"), *(a.replace("*", "p").replace("=", "n").replace("-", "m").replace(".", "_") for a in arguments)])
    parameters, values = ["void* out"], []
    for k, argument in enumerate(arguments):
        if argument.startswith("="):
            values.append(argument[1:])
        else:
            parameters.append(f"{'const ' if argument.startswith('k') else ''}{type_of(argument)} a{k}")
            values.append(f"a{k}")
    call = f"{name}({', '.join(values)})"
    body = f"{call};" if "void" in options else f"keep(out, {call});"
    text = f'extern "C" __global__ void call_{title}({", ".join(parameters)}) {{ {body} }}\n'
    least = next((int(option[3:]) for option in options if option.startswith("sm_")), 0)
    return f"#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= {least}0\n{text}#endif\n" if least else text


def write(path, folder):
    """Writes the kernels to files in `folder`; returns their paths."""
    calls, _ = read(path)
    out = []
    for first in range(0, len(calls), PER_FILE):
        source = folder / f"names_{first // PER_FILE + 1}.cu"
        source.write_text(HEAD + "".join(kernel(*call) for call in calls[first:first + PER_FILE]))
        out.append(source)
    return out


def parts(name):
    """What macros of the kernels put together again: atomicAdd of atomicAdd_block, ldcg of __ldcg, `add` of __nv_atomic_fetch_add."""
    stem = re.sub(r"^__nv_atomic_(fetch_)?", "", name)
    return {re.sub(r"_(block|system)$", "", name), name.removeprefix("__"), stem} - {name}


def uncovered(path, page, kernels):
    """Names of the page that no line covers, and those whose file does not have them."""
    calls, elsewhere = read(path)
    called = {name for name, _, _ in calls}
    words = {}
    out = []
    for name in re.findall(r"^\| `([^`]+)` \|", page.read_text(), re.MULTILINE):
        where = elsewhere.get(name, "")
        if where.startswith("in "):
            file = where[3:]
            words.setdefault(file, set(re.findall(r"\w+", (kernels / file).read_text())))
            plain = name.rpartition("::")[2]
            # Kernels that macros write have the name's parts only.
            if plain not in words[file] and not any(part in words[file] for part in parts(plain)):
                out.append(f"{name} (not in {file})")
        elif name not in called and not where:
            out.append(name)
    return out
