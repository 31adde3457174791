# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs a tool of examples/bpf_tools, or examples/offwaketime, while this script makes what it counts, and compares the two. Namespaces are the
# script's own. Usage: tools.py TOOL PROGRAM.bpf.cpp
import ctypes
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

import kernel_programs

tool, program = sys.argv[1:]
name = os.path.basename(program).removesuffix(".bpf.cpp")


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def start(*arguments, wrap=()):
    """The tool, attached. It ends by itself after a minute, unless finish() ends it before."""
    process = subprocess.Popen([*wrap, tool, program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    first = process.stderr.readline()
    if first.startswith("attached"):
        return process
    errors = first + process.communicate(timeout=60)[1]
    if process.returncode == 77:
        skip(errors)
    sys.exit(f"exit code {process.returncode}: {errors}")


def finish(process):
    """Ends the tool as Ctrl-C does, and returns what it printed."""
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    text, errors = process.communicate(timeout=60)
    if process.returncode != 0:
        sys.exit(f"exit code {process.returncode}: {errors}")
    print(text)
    return text


def stays():
    """True if a program of the tool is still in the kernel some time later."""
    names = {"packet_count": "count", "syscount": "on_exit", "funclatency": "on_return", "tcpstates": "on_change",
             "offwaketime": "on_waking"}
    for _ in range(300):
        if names[name] not in kernel_programs.names():
            return False
        time.sleep(0.1)
    return True


def packet_count():
    wrap = ["unshare", "--net", "--"]
    if subprocess.run([*wrap, "ip", "link", "add", "va", "type", "veth", "peer", "name", "vb"]).returncode != 0:
        skip("veth pairs in a network namespace of its own are not possible here")
    # Both namespaces live as long as the two that sleep in them.
    here, there = (subprocess.Popen([*wrap, "sleep", "60"]) for _ in range(2))
    time.sleep(0.3)
    try:
        inside = lambda who, *command: subprocess.run(["nsenter", f"--net=/proc/{who.pid}/ns/net", *command], check=True)
        inside(here, "ip", "link", "add", "va", "type", "veth", "peer", "name", "vb", "netns", str(there.pid))
        for who, link, address in ((here, "va", "10.77.0.1/24"), (there, "vb", "10.77.0.2/24")):
            inside(who, "ip", "address", "add", address, "dev", link)
            inside(who, "ip", "link", "set", link, "up")
        running = start("va", "60", wrap=["nsenter", f"--net=/proc/{here.pid}/ns/net"])
        inside(there, sys.executable, "-c",
               "import socket\ns = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)\n"
               "for i in range(25): s.sendto(bytes(100), ('10.77.0.1', 9999))")
        text = finish(running)
        found = re.search(r"^UDP +(\d+) +(\d+)$", text, re.M)
        assert found and int(found[1]) == 25 and int(found[2]) == 25 * 142, "25 packets of 142 bytes were sent"
    finally:
        for one in (here, there):
            one.kill()
            one.wait()


def syscount():
    running = start("60", str(os.getpid()))
    getpid = 39 if os.uname().machine == "x86_64" else 172
    for _ in range(500):
        ctypes.CDLL(None).syscall(getpid)
    found = re.search(r"^getpid +(\d+) ", finish(running), re.M)
    assert found and int(found[1]) == 500, "getpid was called 500 times"


def funclatency():
    running = start("libc.so.6", "usleep", "60")
    usleep = ctypes.CDLL("libc.so.6").usleep
    for _ in range(20):
        usleep(10000)
    text = finish(running)
    rows = [(int(a), int(b)) for a, b in re.findall(r"^ +(\d+) +(\d+) #*$", text, re.M)]
    assert sum(count for least, count in rows if least >= 1 << 23) >= 20, "20 calls took 10 ms and more"


def tcpstates():
    running = start("60")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client:
            connection, _ = server.accept()
            client.sendall(b"x")
            connection.recv(1)
            connection.close()
    text = finish(running)
    ours = [line for line in text.splitlines() if f":{port} " in line]
    for change in ("CLOSE +-> LISTEN", "CLOSE +-> SYN_SENT", "SYN_SENT +-> ESTABLISHED", "ESTABLISHED +-> FIN_WAIT1"):
        assert any(re.search(change, line) for line in ours), f"{change} is missing in {ours}"


def stripped(folder):
    """A stripped program's functions have the names that its debugging file says."""
    for needed in ("gcc", "objcopy", "readelf"):
        if not shutil.which(needed):
            return
    sleeper = os.path.join(folder, "sleeper")
    with open(sleeper + ".c", "w") as file:
        file.write("#include <time.h>\n__attribute__((noinline)) int lathe_sleeps(void) {\n"
                   "  const struct timespec time = {0, 5000000};\n  long status;\n"
                   "  __asm__ volatile(\"syscall\" : \"=a\"(status) : \"a\"(35), \"D\"(&time), \"S\"(0) : \"rcx\", \"r11\", \"memory\");\n"
                   "  return (int)status;\n}\nint main(void) { for (;;) if (lathe_sleeps() > 0) return 1; }\n")
    if os.uname().machine != "x86_64":
        return
    subprocess.run(["gcc", "-O1", "-fno-omit-frame-pointer", "-Wl,--build-id", sleeper + ".c", "-o", sleeper], check=True)
    number = re.search(r"Build ID: (\w+)", subprocess.run(["readelf", "-n", sleeper], capture_output=True, text=True).stdout)[1]
    beside = f"/usr/lib/debug/.build-id/{number[:2]}"
    subprocess.run(["objcopy", "--only-keep-debug", sleeper, sleeper + ".debug"], check=True)
    subprocess.run(["objcopy", "--strip-all", sleeper], check=True)
    running = subprocess.Popen([sleeper])
    try:
        # In a mount namespace with an empty /usr/lib/debug of its own.
        script = (f"mkdir -p /usr/lib/debug && mount -t tmpfs none /usr/lib/debug && mkdir -p {beside} && "
                  f"cp {sleeper}.debug {beside}/{number[2:]}.debug && exec \"$@\"")
        command = [tool, program, "--seconds", "0.5", "--process", str(running.pid)]
        done = subprocess.run(["unshare", "--mount", "--", "sh", "-c", script, "sh", *command], capture_output=True, text=True)
        assert re.search("^sleeper;.*lathe_sleeps;", done.stdout, re.M), done
        without = subprocess.run(command, capture_output=True, text=True)
        assert "lathe_sleeps" not in without.stdout and "sleeper" in without.stdout, without
    finally:
        running.kill()
        running.wait()


def offwaketime():
    """The folded lines, the document and the picture say the same, also of a process whose name is no text."""
    odd = subprocess.Popen([sys.executable, "-c", "import ctypes, time\n"
                            "ctypes.CDLL(None).prctl(15, b'a;<\\x01\\xff\"\\n&\\xc3\\xa4')\n"
                            "for _ in range(3000): time.sleep(0.02)"])
    try:
        offwaketime_beside()
    finally:
        odd.kill()
        odd.wait()


def offwaketime_beside():
    time.sleep(0.5)
    with tempfile.TemporaryDirectory() as folder:
        svg, document = os.path.join(folder, "graph.svg"), os.path.join(folder, "pairs.json")
        done = subprocess.run([tool, program, "--seconds", "0.5", "--svg", svg, "--json", document], capture_output=True,
                              text=True, timeout=60)
        if done.returncode == 77:
            skip(done.stderr)
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        folded = sum(int(line.rsplit(" ", 1)[1]) for line in lines)
        with open(document) as file:
            whole = json.load(file)
        pairs = whole["pairs"]
        # Both counters begin and end with one flag, which a switch under way may have seen before.
        assert 0 < whole["switches"] and abs(whole["switchesOfCpus"] - whole["switches"]) <= os.cpu_count(), whole
        assert whole["lostSleeps"] == whole["lostPairs"] == 0 and 0 < whole["percentOfCpu"] < 100 * os.cpu_count()
        assert len(pairs) == len(lines) and sum(pair["nanoseconds"] // 1000 for pair in pairs) == folded
        boxes = xml.etree.ElementTree.parse(svg).findall(".//{*}g/{*}title")
        assert f"all ({folded / 1000:.3f} ms, 100.00 %)" in [box.text for box in boxes]
        assert 'a_<??"?&\u00e4' in {pair["sleeperStack"][0] for pair in pairs}, "names are made printable"
        assert any(box.text.startswith('a_<??"?&\u00e4 (') for box in boxes)
        names = {pair["sleeperStack"][0] for pair in pairs if pair["nanoseconds"] // 1000 * 500 > folded}
        assert all(any(box.text.startswith(name) for box in boxes) for name in names), names
        named = subprocess.run([tool, program, "--seconds", "0.5", "--command", "python3", "--json", document], capture_output=True, text=True)
        with open(document) as file:
            assert all(pair["sleeperStack"][0] == "python3" for pair in json.load(file)["pairs"]), named.stderr
        stripped(folder)
        wrong = subprocess.run([tool, program, "--seconds", "0.01", "--svg", "/nowhere/graph.svg"], capture_output=True)
        for option in ("--seconds", "--least", "--process"):
            refused = subprocess.run([tool, program, option, "-1"], capture_output=True)
            assert refused.returncode == 2 and b"'-1' is no number" in refused.stderr
        assert wrong.returncode != 0 and b"/nowhere/graph.svg: cannot be written" in wrong.stderr


{"packet_count": packet_count, "offwaketime": offwaketime, "syscount": syscount, "funclatency": funclatency, "tcpstates": tcpstates}[name]()
assert not stays(), "a program stayed in the kernel"
