// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses the runtime library alone: no part of the compiler may be in the process.
#include <cstdio>
#include <fstream>
#include <string>

#include <lathe/runtime.h>

int main() {
  const auto device = lathe::Device::open("cpu");
  if (!device) {
    std::fputs(device.error().render().c_str(), stderr);
    return 1;
  }
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("LLVM") != std::string::npos || line.find("liblathe.so") != std::string::npos) {
      std::fprintf(stderr, "loaded though nothing asked for it: %s\n", line.c_str());
      return 1;
    }
  }
  return 0;
}
