# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# interrupted.py COMMAND…: runs COMMAND, interrupts it as the keyboard would a second after its kernel was compiled, and
# ends with its exit code; what it wrote to standard error goes to standard output.
import os
import signal
import subprocess
import sys
import threading

command = subprocess.Popen(sys.argv[1:], env={**os.environ, "LATHE_LOG": "info", "LATHE_CACHE": "off"}, stderr=subprocess.PIPE, text=True)
for line in command.stderr:
    print(line, end="")
    if "compiled in" in line:
        threading.Timer(1, command.send_signal, [signal.SIGINT]).start()
code = command.wait()
sys.exit(code if code >= 0 else 128 - code)
