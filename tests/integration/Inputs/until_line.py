# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# until_line.py TEXT COMMAND...: runs a command that does not end, copies its standard error up to the first line that
# begins with TEXT, and ends it.
import subprocess
import sys

child = subprocess.Popen(sys.argv[2:], stderr=subprocess.PIPE, text=True)
for line in child.stderr:
    print(line, end="")
    if line.startswith(sys.argv[1]):
        break
child.kill()
child.wait()
