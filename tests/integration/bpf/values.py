# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Bit-fields, enumerators and pointers in the JSON of maps, records and types, beside what bpftool makes of the same map
# and the same object. Usage: values.py LATHE
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

SOURCE = r"""
#include <lathe/bpf.h>
enum class Color : __u8 { red, green = 7, blue = 100 };
enum Sign { minus = -1, zero };
enum Wide : __u64 { huge = 0xffffffffffffffffULL };
struct Flags {
  __u32 a : 3; int b : 5; Color c : 8; bool on : 1; __u64 w : 40;
  Sign s; Wide h; void* p; Color plain[2];
  union { __u32 v4; __u8 v6[16]; };
};
lathe::bpf::hash_map<Color, Flags, 8> lathe_flags SEC(".maps");
lathe::bpf::ring_buffer<4096, Flags> events SEC(".maps");
SEC("raw_tp/sys_enter") int on_call(void*) {
  Flags f{};
  f.a = 5, f.b = -3, f.c = Color::green, f.on = true, f.w = 0xabcdef1234, f.s = minus, f.h = huge;
  f.p = reinterpret_cast<void*>(0x7ffe13bb5680), f.plain[0] = Color::blue, f.v4 = 9;
  lathe_flags.update(Color::green, f, BPF_NOEXIST);
  lathe_flags.update(static_cast<Color>(9), f, BPF_NOEXIST);
  if (auto* const event = events.reserve()) *event = f, events.submit(event);
  return 0;
}
LATHE_BPF_LICENSE("GPL");
"""
lathe = sys.argv[1]


def output(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(words)}: {done.stdout}{done.stderr}"
    return done.stdout


def plain(value):
    """As bpftool writes it, whose bit-fields are hexadecimal, without sign and without names."""
    if isinstance(value, dict):
        out = {}
        for name, one in value.items():
            out.update(plain(one) if name == "" else {name: plain(one)})
        return out
    if isinstance(value, list):
        return [plain(one) for one in value]
    return int(value, 16) if isinstance(value, str) and value.startswith("0x") else value


def without_names(ours):
    """The bit-fields of a value of Flags as plain numbers."""
    colors = {"red": 0, "green": 7, "blue": 100}
    return dict(plain(ours), b=ours["b"] & 31, c=colors[ours["c"]], on=int(ours["on"]))


def compare_types():
    types = json.loads(output("bpftool", "-j", "btf", "dump", "file", "values.o"))["types"]
    theirs = next(one for one in types if one["kind"] == "STRUCT" and one["name"] == "Flags")
    ours = json.loads(output(lathe, "bpf", "types", "Flags", "Color", "Sign", "Wide", "--from", "values.o", "--json"))["types"]
    assert [field["name"] for field in ours[0]["fields"]] == ["" if one["name"] == "(anon)" else one["name"] for one in theirs["members"]], ours
    for field, member in zip(ours[0]["fields"], theirs["members"]):
        assert field["offset"] * 8 + field.get("firstBit", 0) == member["bits_offset"], (field, member)
        assert field.get("bits", 0) == member.get("bitfield_size", 0), (field, member)
    for enumeration in ours[1:]:
        known = next(one for one in types if one["kind"].startswith("ENUM") and one["name"] == enumeration["name"])
        bits = 2 ** (8 * max(enumeration["size"], 4))
        assert [(one["name"], one["value"] % bits) for one in enumeration["enumerators"]] == \
            [(one["name"], one["val"] % bits) for one in known["values"]], (enumeration, known)
    shown = json.loads(output(lathe, "bpf", "inspect", "values.o", "--json"))["maps"]
    flags, events = (next(one for one in shown if one["name"] == name) for name in ("lathe_flags", "events"))
    assert flags["valueType"] == ours[0] == events["recordType"] and flags["keyType"] == ours[1], shown


def compare_values():
    attached = subprocess.Popen([lathe, "bpf", "attach", "values.o"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        for _ in range(100):
            time.sleep(0.1)
            found = subprocess.run([lathe, "bpf", "maps", "dump", "lathe_flags", "--json"], capture_output=True, text=True)
            if attached.poll() is not None:
                print("skipped: programs cannot be attached here:", attached.stdout.read())
                sys.exit(0)
            if found.returncode == 0 and len(json.loads(found.stdout)["entries"]) == 2:
                break
        ours = {one["key"]: one["value"] for one in json.loads(found.stdout)["entries"]}
        theirs = {one["formatted"]["key"]: plain(one["formatted"]["value"]) for one in json.loads(output("bpftool", "-j", "map", "dump", "name", "lathe_flags"))}
        assert ours.keys() == theirs.keys() == {"green", 9}, (ours, theirs)
        for key, value in ours.items():
            assert value["b"] == -3 and value["c"] == "green" and value["on"] is True and value["p"] == "0x7ffe13bb5680", value
            assert without_names(value) == theirs[key], (without_names(value), theirs[key])
        # What is shown can be given, and is there then as bpftool reads it.
        given = dict(ours["green"], a=7, b=-16, c="blue", on=False, w=2**40 - 1, s="zero", h=1, plain=["red", "green"], p=None)
        del given["v6"]
        output(lathe, "bpf", "maps", "update", "lathe_flags", '"red"', json.dumps(given))
        there = plain(json.loads(output("bpftool", "-j", "map", "lookup", "name", "lathe_flags", "key", "0x0"))["formatted"]["value"])
        assert there["a"] == 7 and there["b"] == 16 and there["c"] == 100 and there["on"] == 0 and there["w"] == 2**40 - 1, there
        assert there["s"] == "zero" and there["plain"] == ["red", "green"] and there["v4"] == 9, there
        for key, value, said in (('"rad"', given, "'Color' has 'red', 'green', 'blue'"), ('"red"', dict(given, a=8), "8 does not fit into 3 bits"),
                                 ('"red"', dict(given, b=16), "16 does not fit into 5 bits"), ('"red"', dict(given, c="cyan"), "'red', 'green', 'blue'")):
            bad = subprocess.run([lathe, "bpf", "maps", "update", "lathe_flags", key, json.dumps(value)], capture_output=True, text=True)
            assert bad.returncode == 1 and said in bad.stderr, bad
    finally:
        attached.terminate()
        attached.wait()


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("values.bpf.cpp", "w") as file:
        file.write(SOURCE)
    output(lathe, "compile", "values.bpf.cpp", "-t", "bpf", "-o", "values.o")
    if not shutil.which("bpftool"):
        print("skipped: bpftool was not found")
        sys.exit(0)
    compare_types()
    compare_values()
    traced = json.loads(output(lathe, "bpf", "trace", "values.o", "--count", "1", "--json"))
    assert traced["records"][0]["record"]["c"] == "green" and traced["types"]["events"]["name"] == "Flags", traced
