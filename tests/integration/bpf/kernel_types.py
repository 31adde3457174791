# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# One header of every structure, union and enumeration of the running kernel, made by `lathe bpf types`: C and C++ compilers
# take it, for the host and behind <lathe/bpf.h>, with the places of all members that have an address. Of some hundred types,
# all with bit-fields among them, what clang and Lathe write into their objects' BTF is what the kernel's says: each member's
# place in bits, and each enumerator's value (of all with LATHE_TYPES=all, which takes minutes). Usage: kernel_types.py LATHE
# SOURCE_FOLDER
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

lathe, root = sys.argv[1], pathlib.Path(sys.argv[2])
KERNEL = "/sys/kernel/btf/vmlinux"
if not os.access(KERNEL, os.R_OK):
    print("skipped: this kernel shows no types of its own")
    sys.exit(0)
INT, POINTER, ARRAY, STRUCT, UNION, ENUM, FORWARD, TYPEDEF, FUNC, PROTOTYPE, VARIABLE, SECTION, FLOAT, DECL_TAG, ENUM64 = (
    1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 15, 16, 17, 19)
TAIL = {INT: (4, 0), ARRAY: (12, 0), STRUCT: (0, 12), UNION: (0, 12), ENUM: (0, 8), PROTOTYPE: (0, 8), VARIABLE: (4, 0),
        SECTION: (0, 12), DECL_TAG: (4, 0), ENUM64: (0, 12)}


class Types:
    """BTF, by kernel.org/doc/html/latest/bpf/btf.html."""

    def __init__(self, data):
        header, types, length, strings, _ = struct.unpack_from("<IIIII", data, 4)
        self.texts = data[header + strings:]
        self.all, at = [(0, "void", 0, 0, 0, None)], header + types
        while at < header + types + length:
            name, info, third = struct.unpack_from("<III", data, at)
            kind, count = info >> 24 & 31, info & 0xFFFF
            fixed, each = TAIL.get(kind, (0, 0))
            body = struct.unpack_from(f"<{(fixed + each * count) // 4}I", data, at + 12)
            self.all.append((kind, self.text(name), count, third, info >> 31, body))
            at += 12 + fixed + each * count

    def text(self, offset):
        return self.texts[offset:self.texts.index(b"\0", offset)].decode()

    def plain(self, number):
        while self.all[number][0] in (TYPEDEF, 9, 10, 11, 18):
            number = self.all[number][3]
        return number

    def members(self, number, base=0):
        """(name, first bit, bits or 0, what it is) of each; those of unnamed members too, and no gaps."""
        kind, _, count, _, flag, body = self.all[number]
        for i in range(count):
            name, to, place = self.text(body[3 * i]), body[3 * i + 1], body[3 * i + 2]
            at, bits = (place & 0xFFFFFF, place >> 24) if flag else (place, 0)
            if not name and self.all[self.plain(to)][0] in (STRUCT, UNION):
                yield from self.members(self.plain(to), base + at)
            elif name and not re.fullmatch(r"gap\d+_|none_", name):
                yield name, base + at, bits, self.shape(to)

    def shape(self, number):
        number = self.plain(number)
        kind, name, _, third, _, body = self.all[number]
        name = re.sub(r"___\w+$", "", name)
        if kind == ARRAY:
            return ("array", body[2], self.shape(body[0]))
        if kind == POINTER:
            return ("pointer",)
        if kind in (STRUCT, UNION) and not name:
            return tuple(self.members(number))
        # Some compilers say "long int", or make an enumeration unsigned.
        return (kind if kind not in (FORWARD, ENUM64) else STRUCT, "" if kind in (INT, ENUM, ENUM64, FLOAT) else name, third if kind != FORWARD else 0)

    def numbers(self, number):
        kind, _, count, bytes_, flag, body = self.all[number]
        wide = kind == ENUM64
        step = 3 if wide else 2
        for i in range(count):
            value = body[step * i + 1] | (body[step * i + 2] << 32 if wide else 0)
            yield self.text(body[step * i]), value & ((1 << 8 * bytes_) - 1)

    def named(self, *kinds):
        out = {}
        for number, one in enumerate(self.all):
            if one[0] in kinds and one[1]:
                out.setdefault(one[1], []).append(number)
        return out


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(str(word) for word in command)[:300]}: {done.stdout}{done.stderr[:3000]}"
    return done.stdout


def typesOf(path, work):
    run("llvm-objcopy-22", "-O", "binary", "--only-section=.BTF", "--set-section-flags", ".BTF=alloc", path, work / "object.btf")
    return Types((work / "object.btf").read_bytes())


def undecorated(name, of):
    """What a name in C++ stands for."""
    return re.sub(r"___(cxx|\d+)$", "", name) if of == "type" else re.sub(r"_+$", "", name)


def compare(kernel, other, isCxx):
    """Each chosen structure of the kernel's is there, as it is or as name___2, with the same members at the same places."""
    theirs = {}
    for name, numbers in other.named(STRUCT, UNION).items():
        theirs.setdefault(undecorated(name, "type"), []).extend(numbers)
    clean = (lambda members: [(undecorated(name, "member"), *rest) for name, *rest in members]) if isCxx else list
    count = 0
    for name, numbers in records.items():
        number = numbers[0]
        if kernel.all[number][3] == 0 or name in left or name not in chosen:
            continue
        # The kernel has some different ones of one name.
        wanted = [(kernel.all[one][3], clean(kernel.members(one))) for one in numbers]
        found = [(other.all[one][3], clean(other.members(one))) for one in theirs.get(name, [])]
        assert found and all(one in wanted for one in found), f"{name}: the kernel's are {wanted}, here are {found}"
        count += sum(len(members) for _, members in found)
    theirs = {}
    for name, numbers in other.named(ENUM, ENUM64).items():
        theirs.setdefault(undecorated(name, "type"), []).extend(numbers)
    for name, numbers in enumerations.items():
        wanted = [(undecorated(one, "type"), value) for one, value in kernel.numbers(numbers[0])]
        found = [[(undecorated(one, "type"), value) for one, value in other.numbers(two)] for two in theirs.get(name, [])]
        if name in records or name in left or name not in chosen or not wanted:
            continue  # the header has the structure
        assert wanted in found, f"{name}: the kernel's is {wanted}, here are {found}"
        count += len(wanted)
    return count


kernel = Types(pathlib.Path(KERNEL).read_bytes())
names = sorted(kernel.named(STRUCT, UNION, ENUM, ENUM64))
records, enumerations = kernel.named(STRUCT, UNION), kernel.named(ENUM, ENUM64)
left = set(re.findall(r'"(\w+)"', (root / "runtimes/bpf/types/device_names.h").read_text())) | {"__va_list_tag"}  # <lathe/bpf.h> or the compiler has them
WORD = "#ifdef __cplusplus\n#define LATHE_WORD(name, ending) name##ending\n#else\n#define LATHE_WORD(name, ending) name\n#endif\n"


def placesIn(header):
    """Assertions of C and C++ that members are where the kernel's types have them."""
    words = set(re.findall(r"LATHE_WORD\((\w+), _+\)", header))
    out = []
    for name, numbers in records.items():
        kind, _, count, _, _, _ = kernel.all[numbers[0]]
        if name in left or len(numbers) > 1 or count == 0:
            continue
        tag = f"LATHE_WORD({name}, ___cxx)" if f" LATHE_WORD({name}, ___cxx) {{" in header else name
        for member, at, bits, _ in kernel.members(numbers[0]):
            if bits == 0:
                member = f"LATHE_WORD({member}, _)" if member in words else member
                out.append(f'static_assert(__builtin_offsetof({"union" if kind == UNION else "struct"} {tag}, {member}) == {at // 8}, "");\n')
    return "".join(out)


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    run(lathe, "bpf", "types", *names, "-o", work / "all.h")
    header = (work / "all.h").read_text()
    places = placesIn(header)
    # Debug information has what variables point to.
    defined = re.findall(r"^(struct|union|enum) (\w+|LATHE_WORD\([^)]*\)) (?:: [a-z ]+)?\{", header, re.M)
    if os.environ.get("LATHE_TYPES") != "all":
        narrow = {name for name, numbers in records.items() if any(bits for _, _, bits, _ in kernel.members(numbers[0]))}
        defined = [one for i, one in enumerate(defined) if one[1] in narrow or re.search("LATHE|___", one[1]) or i % 97 == 0]
    chosen = {undecorated(re.sub(r"LATHE_WORD\((\w+).*", r"\1", name), "type") for _, name in defined}
    uses = "".join(f"{kind} {name} *variable{i};\n" for i, (kind, name) in enumerate(defined))
    (work / "device").mkdir()
    for ending, standard in (("c", "gnu11"), ("cpp", "c++20")):
        (work / f"host.{ending}").write_text('#include "all.h"\n' + WORD + places)
        (work / f"device/all.bpf.{ending}").write_text('#include <lathe/bpf.h>\n#include "../all.h"\n' + WORD + places + uses)
        if compiler := shutil.which("gcc" if ending == "c" else "g++"):
            run(compiler, f"-std={standard}", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", work / f"host.{ending}")
    print(f"{places.count('static_assert')} members of {len(names)} types lie where the kernel has them")
    for compiler, ending in (("clang-22", "c"), (lathe, "c"), (lathe, "cpp")):
        if not shutil.which(compiler) or not shutil.which("llvm-objcopy-22"):
            print(f"not compared: {compiler} or llvm-objcopy-22 is not installed")
            continue
        source, made = work / f"device/all.bpf.{ending}", work / "all.o"
        if compiler == lathe:
            run(lathe, "compile", source, "--emit", "object", "-o", made)
        else:
            run(compiler, "--target=bpf", "-O1", "-g", "-D__TARGET_ARCH_x86", "-I", root / "dialects/bpf/include", "-c", source, "-o", made)
        count = compare(kernel, typesOf(made, work), ending == "cpp")
        assert count > 1000, count
        print(f"{pathlib.Path(compiler).name}, {ending}: {count} members and enumerators are the kernel's")
