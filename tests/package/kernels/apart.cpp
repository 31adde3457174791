// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

char one();
char two();

int main() {
  std::printf("%c %c\n", one(), two());
}
