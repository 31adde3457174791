// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
thread_local int perThread = 3;
int* entry() {
  return &perThread;
}
