#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernel's helper functions, from its own lists.

    helpers.py write ROOT     writes the device headers from libbpf's <bpf/bpf_helper_defs.h>, and targets/bpf/helpers.def
                              from what the running kernel's verifier answers
    helpers.py check ROOT     compares both with what this machine says

A helper that the table keeps from a type of program, and that this kernel gives to it, is a fault: the compiler would refuse
what loads. A helper that this kernel lacks is none: kernels differ in age and configuration. A helper that no probed
type has here is left out of the table (it depends on the configuration, on lockdown, or on types that cannot be probed).
"""
import ctypes
import os
import pathlib
import platform
import re
import struct
import subprocess
import sys

DEFINITIONS = pathlib.Path("/usr/include/bpf/bpf_helper_defs.h")
HEADERS = "dialects/bpf/include/lathe/bpf/"
MACROS = ("LATHE_BPF_HELPER_NAME", "LATHE_BPF_HELPERS_OF", "LATHE_BPF_HELPERS_KNOWN", "LATHE_BPF_HELPERS_GPL",
          "LATHE_BPF_HELPERS_SLEEPING")
LICENCE = "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n//\n"
NETWORK = re.compile("skb|_sk_|skc|sock|xdp|csum|tcp|msg|lwt|redirect|fib|hash_recalc|set_hash|bind|hdr_opt|netns_cookie|mtu|"
                     "classid|realm|sysctl|rc_")

# A name for each type of program, its number and the attach type that it is probed with (enum bpf_prog_type and
# bpf_attach_type), and the sections that mean it, as libbpf reads them: "a+" takes "a" and "a/…", another name only itself.
KINDS = (
    ("socket", 1, 0, "socket+"),
    ("kprobe", 2, 0, "kprobe+ kretprobe+ ksyscall+ kretsyscall+ uprobe+ uretprobe+ usdt+ kprobe.multi+ kretprobe.multi+ uprobe.multi+ "
                     "uretprobe.multi+ uprobe.s+ uretprobe.s+ usdt.s+"),
    ("tc", 3, 0, "tc classifier tcx/ingress tcx/egress tc/ingress tc/egress netkit/primary netkit/peer"),
    ("action", 4, 0, "action"),
    ("tp", 5, 0, "tp+ tracepoint+"),
    ("xdp", 6, 0, "xdp+ xdp.frags+"),
    ("perf_event", 7, 0, "perf_event"),
    ("cgroup_skb", 8, 0, "cgroup_skb/ingress cgroup_skb/egress cgroup/skb"),
    ("cgroup/sock", 9, 2, "cgroup/sock cgroup/sock_create"),
    ("cgroup/sock_release", 9, 34, "cgroup/sock_release"),
    ("cgroup/post_bind", 9, 12, "cgroup/post_bind4 cgroup/post_bind6"),
    ("lwt_in", 10, 0, "lwt_in"),
    ("lwt_out", 11, 0, "lwt_out"),
    ("lwt_xmit", 12, 0, "lwt_xmit"),
    ("sockops", 13, 3, "sockops"),
    ("sk_skb", 14, 0, "sk_skb sk_skb/stream_parser sk_skb/stream_verdict"),
    ("cgroup/dev", 15, 6, "cgroup/dev"),
    ("sk_msg", 16, 7, "sk_msg"),
    ("raw_tp", 17, 0, "raw_tp+ raw_tracepoint+"),
    ("cgroup/bind", 18, 8, "cgroup/bind4 cgroup/bind6"),
    ("cgroup/connect", 18, 10, "cgroup/connect4 cgroup/connect6"),
    ("cgroup/sendmsg", 18, 14, "cgroup/sendmsg4 cgroup/sendmsg6"),
    ("cgroup/recvmsg", 18, 19, "cgroup/recvmsg4 cgroup/recvmsg6"),
    ("cgroup/getpeername", 18, 29, "cgroup/getpeername4 cgroup/getpeername6"),
    ("cgroup/getsockname", 18, 31, "cgroup/getsockname4 cgroup/getsockname6"),
    ("lwt_seg6local", 19, 0, "lwt_seg6local"),
    ("sk_reuseport", 21, 39, "sk_reuseport sk_reuseport/migrate"),
    ("flow_dissector", 22, 17, "flow_dissector"),
    ("cgroup/sysctl", 23, 18, "cgroup/sysctl"),
    ("cgroup/getsockopt", 25, 21, "cgroup/getsockopt"),
    ("cgroup/setsockopt", 25, 22, "cgroup/setsockopt"),
    ("sk_lookup", 30, 36, "sk_lookup"),
    ("syscall", 31, 0, "syscall"),
    ("netfilter", 32, 45, "netfilter"),
    # These name a type or function of the kernel.
    ("tp_btf", 26, 23, "tp_btf+", ("TYPEDEF", "btf_trace_sched_switch")),
    ("iter", 26, 28, "iter+ iter.s+", ("FUNC", "bpf_iter_task")),
)
SLEEPABLE = 1 << 4  # BPF_F_SLEEPABLE, which programs of this type have to have
SYSCALL = 31
SYSCALL_NUMBER = {"x86_64": 321, "aarch64": 280, "riscv64": 280}


def definitions():
    """number → (result, name, [(type, name)]) of each helper."""
    found = {}
    pattern = re.compile(r"^static (.*?)\(\*(bpf_\w+)\)\((.*?)\) = \(void \*\) (\d+);", re.M)
    for result, name, parameters, number in pattern.findall(DEFINITIONS.read_text()):
        listed = [] if parameters == "void" else [part.strip() for part in parameters.split(",")]
        split = [part if part == "..." else re.fullmatch(r"(.*?)(\w+)", part).groups() for part in listed]
        found[int(number)] = (result.strip(), name, split)
    return found


def header(title, guard, helpers):
    structs = sorted({word for result, _, parameters in helpers.values()
                      for text in [result, *(p[0] for p in parameters)] for word in re.findall(r"struct (\w+)", text)})
    out = [LICENCE + f"// {title} Made by targets/bpf/helpers.py from the list that libbpf has of the kernel.",
           f"#ifndef {guard}", f"#define {guard}", ""]
    out += [f"struct {name};" for name in structs] + [""]
    for number, (result, name, parameters) in sorted(helpers.items()):
        typed = ", ".join(kind + word for kind, word in parameters) or "void"
        names = ", ".join(word for _, word in parameters)
        out.append(f"LATHE_BPF_HELPER({number}, {result}, {name}, ({typed}), {names})")
    text = "\n".join(out + ["", "#endif", ""])
    made = subprocess.run(["clang-format-22", "--style=file", "--assume-filename=helpers.h"], input=text, text=True,
                          capture_output=True, cwd=pathlib.Path(__file__).parent, check=True)
    return made.stdout


def headers():
    # bpf_trace_printk takes any number of arguments: helpers.h has it by hand.
    helpers = {number: helper for number, helper in definitions().items() if "..." not in helper[2]}
    network = {number: helper for number, helper in helpers.items() if NETWORK.search(helper[1])}
    rest = {number: helper for number, helper in helpers.items() if number not in network}
    return {
        HEADERS + "helpers_network.h": header("Helpers for packets and sockets.", "LATHE_BPF_HELPERS_NETWORK_H", network),
        HEADERS + "helpers_general.h": header("Helpers for maps, time, tasks, memory and control.",
                                              "LATHE_BPF_HELPERS_GENERAL_H", rest),
    }


class Kernel:
    """The running kernel's verifier, asked by programs of one call."""

    def __init__(self):
        self.library = ctypes.CDLL(None, use_errno=True)
        self.number = SYSCALL_NUMBER[platform.machine()]
        command = ["bpftool", "btf", "dump", "file", "/sys/kernel/btf/vmlinux"]
        try:
            types = subprocess.run(command, text=True, capture_output=True).stdout
        except OSError:
            types = ""
        self.targets = {}
        for _, _, _, _, *target in KINDS:
            for kind, name in target:
                found = re.search(rf"^\[(\d+)\] {kind} '{name}'", types, re.M)
                self.targets[name] = int(found.group(1)) if found else 0

    def log(self, kind, helper, licence=b"GPL"):
        """What the verifier says of a program that calls the helper."""
        _, number, attach, _, *target = kind
        code = b"".join(struct.pack("=BBhi", opcode, 0, 0, value) for opcode, value in ((0x85, helper), (0xB7, 0), (0x95, 0)))
        code, log = ctypes.create_string_buffer(code, len(code)), ctypes.create_string_buffer(4096)
        licence = ctypes.create_string_buffer(licence)
        where = ctypes.addressof
        # Type, code, licence; the log; flags, name, interface, attach type; no BTF of its own; the kernel's type.
        attributes = struct.pack("=IIQQIIQII16sIIIIQIIQIII", number, 3, where(code), where(licence), 1, len(log), where(log), 0,
                                 SLEEPABLE if number == SYSCALL else 0, b"helpers", 0, attach, 0, 0, 0, 0, 0, 0, 0,
                                 self.targets[target[0][1]] if target else 0, 0)
        buffer = ctypes.create_string_buffer(attributes, len(attributes))
        made = self.library.syscall(self.number, 5, buffer, len(attributes))
        if made >= 0:
            os.close(made)
        return log.value.decode(errors="replace")

    def knows(self, kind):
        """Whether programs of this kind reach the verifier: number 0 is no helper of any."""
        return "#0" in self.log(kind, 0)

    def permits(self, kind, helper):
        return not re.search("cannot use helper|invalid func|unknown func", self.log(kind, helper))

    def needs_gpl(self, kind, helper):
        return "GPL" in self.log(kind, helper, b"Proprietary")

    def sleeps(self, kind, helper):
        return "sleep" in self.log(kind, helper)


def probe(numbers):
    """kind → the helpers it may call; kinds that this kernel lacks are left out. And those for GPL, and those that sleep."""
    kernel = Kernel()
    permitted = {kind[0]: {n for n in numbers if kernel.permits(kind, n)} for kind in KINDS if kernel.knows(kind)}
    gpl, sleeping = set(), set()
    for kind in KINDS:
        for number in permitted.get(kind[0], ()):
            if number not in gpl and kernel.needs_gpl(kind, number):
                gpl.add(number)
            if number not in sleeping and kernel.sleeps(kind, number):
                sleeping.add(number)
    return permitted, gpl, sleeping


def ranges(numbers):
    out = []
    for number in sorted(numbers):
        if out and out[-1][1] == number - 1:
            out[-1][1] = number
        else:
            out.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in out)


def wrapped(text, width=112):
    """Literals of C++, a line each."""
    lines, line = [], ""
    for word in text.split(" "):
        if len(line) + len(word) >= width:
            lines.append(line)
            line = ""
        line += word + " "
    lines.append(line.rstrip())
    return "\n".join(f'    "{line}"' for line in lines)


def table(names):
    permitted, gpl, sleeping = probe(names)
    known = set().union(*permitted.values())
    out = [LICENCE + "// Which programs may call which helpers, by their numbers, as the verifier of Linux "
           + ".".join(platform.release().split(".")[:2]) + " answers. Made by\n// targets/bpf/helpers.py. A helper that no type "
           "of program here may call is left to the kernel: it depends on the\n// configuration, or on types that could not be "
           "asked.", "",
           *(line for macro in MACROS for line in (f"#ifndef {macro}", f"#define {macro}(...)", "#endif")), "",
           "// LATHE_BPF_HELPER_NAME(number, name)"]
    out += [f"LATHE_BPF_HELPER_NAME({number}, {name})" for number, name in sorted(names.items())]
    out += ["", "// LATHE_BPF_HELPERS_OF(kind of program, its sections, helpers)"]
    for name, _, _, sections, *_ in KINDS:
        if name in permitted:
            out.append(f'LATHE_BPF_HELPERS_OF("{name}",\n{wrapped(sections)},\n{wrapped(ranges(permitted[name]))})')
    for title, macro, numbers in (("any of these", "LATHE_BPF_HELPERS_KNOWN", known), ("GPL programs", "LATHE_BPF_HELPERS_GPL", gpl),
                                  ("programs that may sleep", "LATHE_BPF_HELPERS_SLEEPING", sleeping)):
        out += ["", f"// Helpers for {title}.", f"{macro}(\n{wrapped(ranges(numbers))})"]
    out += [""] + [f"#undef {macro}" for macro in MACROS]
    return "\n".join(out) + "\n"


def numbers_of(text):
    out = set()
    for part in " ".join(re.findall(r'"(.*?)"', text)).split():
        first, _, last = part.partition("-")
        out.update(range(int(first), int(last or first) + 1))
    return out


def check_kernel(root, faults):
    """The name that the table's kinds of program have, and what it keeps from them although this kernel gives it."""
    text = (root / "targets/bpf/helpers.def").read_text()
    names = {int(number): name for number, name in re.findall(r"LATHE_BPF_HELPER_NAME\((\d+), (\w+)\)", text)}
    permitted, gpl, sleeping = probe(names)
    if not permitted:
        print("skipped: this process may not load programs, so that the kernel's verifier does not answer")
        return
    listed = dict(re.findall(r'LATHE_BPF_HELPERS_OF\("([\w/]+)",\s*((?:"[^"]*"\s*,?\s*)+)\)', text))
    known = numbers_of(text[text.index("LATHE_BPF_HELPERS_KNOWN(\n"):text.index("// Helpers for GPL")])
    for name, here in permitted.items():
        entry = listed[name]
        table_numbers = numbers_of(re.sub(r'^(\s*"[^"]*"\s*)+,', "", entry, count=1))
        for number in sorted(here & (known - table_numbers)):
            faults.append(f"helpers.def keeps {names[number]} from '{name}', and this kernel gives it")
    for word, here in (("GPL", gpl), ("SLEEPING", sleeping)):
        kept = numbers_of(text[text.index(f"LATHE_BPF_HELPERS_{word}(\n"):].split(")")[0])
        known_here = set().union(*permitted.values())
        for number in sorted((kept & known_here) - here):
            faults.append(f"helpers.def says {word} of {names[number]}, and this kernel does not")


def main():
    mode, root = sys.argv[1], pathlib.Path(sys.argv[2])
    if not DEFINITIONS.exists():
        print("skipped: <bpf/bpf_helper_defs.h> was not found (Debian: libbpf-dev)")
        return 0
    if mode == "write":
        for path, text in headers().items():
            (root / path).write_text(text)
        names = {number: helper[1] for number, helper in definitions().items()}
        (root / "targets/bpf/helpers.def").write_text(table(names))
        return 0
    faults = [f"{path} is not what targets/bpf/helpers.py writes" for path, text in headers().items()
              if (root / path).read_text() != text]
    check_kernel(root, faults)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
