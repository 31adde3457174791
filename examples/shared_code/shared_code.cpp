// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One header, packet.h, five times: compiled by the host's compiler with this program, and by Lathe for the CPU, NVIDIA
// GPUs, SPIR-V devices and the Linux kernel, from one file. Every packet must have the same summary everywhere; where
// there is no device, or the kernel does not permit it, the code is compiled and the reason is shown.
//
//   lathe_shared_code [FOLDER OF summarise.cpp] [TARGET…]     default: this folder; cpu cuda spirv bpf
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <lathe/bpf_host.h>
#include <lathe/compiler.h>
#include <lathe/runtime.h>

#include "packet.h"

namespace {

using shared::Summary;
using shared::u8;

/// Packets one behind the other; packet i is from offsets[i] to offsets[i + 1].
struct Packets {
  std::vector<u8> bytes;
  std::vector<unsigned> offsets = {0};
  [[nodiscard]] unsigned count() const { return static_cast<unsigned>(offsets.size() - 1); }
  void add(const std::vector<u8>& packet) {
    bytes.insert(bytes.end(), packet.begin(), packet.end());
    offsets.push_back(static_cast<unsigned>(bytes.size()));
  }
};

/// TCP, UDP, ICMP, ARP, options, and packets that end too early, of many lengths.
Packets makePackets() {
  Packets out;
  std::mt19937 random(1);
  for (unsigned i = 0; i < 256; ++i) {
    std::vector<u8> packet(i % 7 == 6 ? 14 + random() % 24 : 38 + random() % 1400);
    for (u8& byte : packet) byte = static_cast<u8>(random());
    packet[12] = 0x08;
    packet[13] = i % 11 == 10 ? 0x06 : 0x00;
    if (packet.size() > 23) {
      packet[14] = i % 13 == 12 ? 0x46 : 0x45;
      packet[23] = i % 5 == 4 ? 1 : i % 2 ? 6 : 17;
    }
    out.add(packet);
  }
  return out;
}

lathe::Result<std::vector<Summary>> onDevice(const lathe::Image& image, const std::string& runtime,
                                             const Packets& packets) {
  auto device = lathe::Device::open(runtime);
  if (!device) return device.error();
  auto module = device->load(image);
  if (!module) return module.error();
  auto kernel = module->kernel<unsigned, const u8*, const unsigned*, Summary*>("summarise");
  if (!kernel) return kernel.error();
  auto bytes = device->allocate<u8>(packets.bytes.size());
  auto offsets = device->allocate<unsigned>(packets.offsets.size());
  auto out = device->allocate<Summary>(packets.count());
  if (!bytes) return bytes.error();
  if (!offsets) return offsets.error();
  if (!out) return out.error();
  if (auto done = bytes->upload(packets.bytes); !done) return done.error();
  if (auto done = offsets->upload(packets.offsets); !done) return done.error();
  const unsigned group = 64;
  auto done = (*kernel)({.grid = {(packets.count() + group - 1) / group}, .group = {group}}, packets.count(),
                        bytes->data(), offsets->data(), out->data());
  if (!done) return done.error();
  return out->read();
}

lathe::Result<std::vector<Summary>> inKernel(const lathe::Image& image, const Packets& packets) {
  auto object = lathe::bpf::Object::open(image);
  if (!object) return object.error();
  if (auto loaded = object->load(); !loaded) return loaded.error();
  auto program = object->program("summarise");
  if (!program) return program.error();
  auto summary = object->global<Summary>("summary");
  if (!summary) return summary.error();
  std::vector<Summary> out;
  for (unsigned i = 0; i < packets.count(); ++i) {
    const auto packet =
        std::span(packets.bytes).subspan(packets.offsets[i], packets.offsets[i + 1] - packets.offsets[i]);
    if (auto ran = program->testRun({.packet = std::as_bytes(packet)}); !ran) return ran.error();
    out.push_back(**summary);
  }
  return out;
}

/// Returns false for a wrong summary or a failed compile.
bool compareOn(const lathe::Compiler& compiler, const std::string& folder, const std::string& name,
               const Packets& packets, const std::vector<Summary>& expected) {
  const auto fail = [&](const lathe::Error& error) { return std::fputs(error.render().c_str(), stderr), false; };
  auto target = compiler.target(name);
  if (!target) return fail(target.error());
  lathe::Job job;
  job.target = name;
  job.source.name = folder + "/summarise.cpp";
  job.options.includeDirs = {folder};
  std::ifstream file(job.source.name);
  job.source.text.assign(std::istreambuf_iterator<char>(file), {});
  const auto compiled = compiler.compile(job);
  if (!compiled) return fail(compiled.error());
  const auto got =
      target->hasGrids ? onDevice(compiled->image, target->runtime, packets) : inKernel(compiled->image, packets);
  if (!got) {
    // What a machine lacks or refuses is not the program's fault.
    if (lathe::errorFamily(got.error().code) != lathe::ErrorFamily::environment) return fail(got.error());
    std::printf("%-8s compiled, not run: %s\n", name.c_str(), got.error().message.c_str());
    return true;
  }
  for (unsigned i = 0; i < packets.count(); ++i) {
    if (std::memcmp(&(*got)[i], &expected[i], sizeof(Summary)) == 0) continue;
    std::printf("%-8s packet %u: hash %08x, not %08x\n", name.c_str(), i, (*got)[i].hash, expected[i].hash);
    return false;
  }
  std::printf("%-8s %u packets, as on the host\n", name.c_str(), packets.count());
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const auto compiler = lathe::Compiler::create();
  if (!compiler) return std::fputs(compiler.error().render().c_str(), stderr), 1;
  const Packets packets = makePackets();
  std::vector<Summary> expected;
  unsigned flows = 0;
  for (unsigned i = 0; i < packets.count(); ++i) {
    const u8* const bytes = packets.bytes.data();
    expected.push_back(shared::summarise(bytes + packets.offsets[i], bytes + packets.offsets[i + 1]));
    flows += expected.back().isFlow;
  }
  std::printf("host     %u packets, %u of them flows\n", packets.count(), flows);
  std::vector<std::string> targets = {"cpu", "cuda", "spirv", "bpf"};
  if (argc > 2) targets.assign(argv + 2, argv + argc);
  bool good = flows > 0 && flows < packets.count();
  for (const std::string& target : targets)
    good = compareOn(*compiler, argc > 1 ? argv[1] : ".", target, packets, expected) && good;
  return good ? 0 : 1;
}
