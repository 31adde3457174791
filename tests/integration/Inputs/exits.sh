# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# exits.sh CODE COMMAND…: runs COMMAND and succeeds if its exit code is CODE.
want=$1
shift
"$@"
got=$?
[ "$got" -eq "$want" ] || { echo "exit code $got, not $want: $*" >&2; exit 1; }
