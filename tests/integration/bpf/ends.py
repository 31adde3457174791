# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# `lathe bpf attach` and `trace`, ended by Ctrl-C, by SIGTERM and by kill -9 while programs are attached to each kind of
# place: the kernel's own list has none of them afterwards. Namespaces are the script's own. Usage: ends.py LATHE
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

import kernel_programs

lathe = os.path.abspath(sys.argv[1])
if "inside" not in sys.argv:
    wrapped = ["unshare", "--net", "--mount", "--"]
    if subprocess.run([*wrapped, "true"], capture_output=True).returncode != 0:
        print("skipped: namespaces of its own are not possible here")
        sys.exit(0)
    sys.exit(subprocess.run([*wrapped, sys.executable, __file__, lathe, "inside"]).returncode)
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)

# Name of the program → section, result, place.
programs = {
    "ends_raw": ("raw_tp/sched_switch", "0", ""),
    "ends_tp": ("tp/sched/sched_switch", "0", ""),
    "ends_typed": ("tp_btf/sched_switch", "0", ""),
    "ends_user": ("uprobe", "0", "uprobe:libc.so.6:usleep"),
    "ends_return": ("uretprobe", "0", "uretprobe:libc.so.6:usleep"),
    "ends_clock": ("perf_event", "0", "samples:99"),
    "ends_xdp": ("xdp", "XDP_PASS", "xdp:lo"),
    "ends_in": ("tc", "0", "ingress:lo"),
    "ends_out": ("tc", "0", "egress:lo"),
    "ends_lookup": ("sk_lookup", "1", "netns:/proc/self/ns/net"),
    "ends_group": ("cgroup_skb/egress", "1", "cgroup:{folder}/cgroup/lathe_ends"),
    "ends_iter": ("iter/task", "0", "iter"),
}


def attached():
    """The programs of this script that the kernel lists."""
    return {name for name in kernel_programs.names() if name.startswith("ends_")}


with tempfile.TemporaryDirectory() as folder:
    work = pathlib.Path(folder)
    (work / "cgroup").mkdir()
    if subprocess.run(["mount", "-t", "cgroup2", "cgroup2", work / "cgroup"], capture_output=True).returncode == 0:
        (work / "cgroup/lathe_ends").mkdir()
    else:
        del programs["ends_group"]
    source = "#include <lathe/bpf.h>\nlathe::bpf::ring_buffer<4096> records SEC(\".maps\");\n"
    places = []
    for name, (section, result, place) in programs.items():
        source += f'SEC("{section}") int {name}(void*) {{ return {result}; }}\n'
        if place:
            places += ["--at", f"{name}={place.format(folder=folder)}"]
    (work / "ends.bpf.cpp").write_text(source + 'LATHE_BPF_LICENSE("GPL");\n')
    try:
        subprocess.run([lathe, "compile", work / "ends.bpf.cpp", "-o", work / "ends.limg"], check=True, capture_output=True)
        for command in ("attach", "trace"):
            for how in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
                assert not attached(), "programs of another run"
                running = subprocess.Popen([lathe, "bpf", command, work / "ends.limg", *places], stdout=subprocess.DEVNULL,
                                           stderr=subprocess.PIPE, text=True)
                lines = []
                while len(lines) < len(programs):
                    line = running.stderr.readline()
                    if not line:
                        break
                    lines += [line] if "attached" in line else []
                if len(lines) < len(programs):
                    errors = running.communicate()[1]
                    if "permission" in errors or "not permitted" in errors:
                        print(f"skipped: {errors}")
                        sys.exit(0)
                    sys.exit(f"{command}: {lines} {errors}")
                assert attached() == set(programs), attached()
                running.send_signal(how)
                code = running.wait(timeout=60)
                running.stderr.close()
                assert code == (-9 if how == signal.SIGKILL else 0), f"{command}, {how}: exit code {code}"
                for _ in range(300):
                    if not attached():
                        break
                    time.sleep(0.1)
                assert not attached(), f"{command}, {how}: {attached()} stayed in the kernel"
                print(f"{command}: nothing of {len(programs)} programs stays after {how.name}")
    finally:
        if "ends_group" in programs:
            (work / "cgroup/lathe_ends").rmdir()
            subprocess.run(["umount", work / "cgroup"], check=True)
