// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `lathe doctor`: what works on this machine, found by trying it: each target compiles a kernel, each runtime is
// opened. Finding something missing is an answer, not a failure: the exit code is 0.
#include <cstdlib>

#include <fmt/format.h>

#include <lathe/bpf_features.h>
#include <lathe/compiler.h>
#include <lathe/runtime.h>

#include "tools/lathe/arguments/job_options.h"
#include "tools/lathe/commands/command.h"
#include "tools/lathe/output/table.h"

namespace lathe::tool {
namespace {

namespace fs = std::filesystem;

enum class State { good, missing, bad, fact };

struct Finding {
  std::string area;
  std::string subject;
  State state;
  std::string detail;
};

constexpr std::string_view probeKernel = R"(#include <lathe/device.h>
LATHE_KERNEL void probe(float a, const float* x, float* y) {
  const unsigned i = lathe::global_id().x;
  y[i] += a * x[i];
}
)";

/// Where entry points are functions with a section for a loader, and no grid runs them.
constexpr std::string_view probeProgram =
    R"(extern "C" __attribute__((section("socket"), used)) int probe(void*) { return 0; }
)";

/// Variables that change what Lathe, or a driver below it, does.
constexpr std::string_view variables[] = {"LATHE_TARGET_PATH",
                                          "CUDA_HOME",
                                          "CUDA_PATH",
                                          "LATHE_CCCL",
                                          "CUDA_VISIBLE_DEVICES",
                                          "LATHE_HIP_LIBRARY",
                                          "LATHE_LIBBPF_LIBRARY",
                                          "ROCM_PATH",
                                          "HIP_VISIBLE_DEVICES",
                                          "NO_COLOR",
                                          "LATHE_CPU_SCHEDULER",
                                          "LATHE_CPU_STALL_SECONDS",
                                          "TMPDIR"};

std::string environment(std::string_view name) {
  const char* const value = std::getenv(std::string(name).c_str());
  return value ? value : "";
}

void probeTargets(const Compiler& compiler, std::vector<Finding>& findings) {
  for (const TargetInfo& target : compiler.targets()) {
    Job job;
    job.source.name = "probe.cpp";
    job.source.text = probeKernel;
    job.target = target.name;
    CompileRequest request;
    request.timeStages = true;
    auto result = compiler.compile(job, request);
    if (!result) {
      job.source.text = probeProgram;
      if (auto program = compiler.compile(job, request)) result = std::move(program);
    }
    if (!result) {
      findings.push_back({"target", target.name, State::bad, result.error().message});
      continue;
    }
    std::string formats;
    for (const Code& code : result->image.code())
      formats += fmt::format("{}{}", formats.empty() ? "" : ", ", code.format);
    findings.push_back({"target", target.name, State::good,
                        fmt::format("{} for {} in {:.1f} ms ({})", formats.empty() ? "image" : formats,
                                    result->image.info().arch.empty() ? target.triple : result->image.info().arch,
                                    result->times.empty() ? 0.0 : result->times.back().milliseconds, target.origin)});
  }
}

/// Targets of a device's runtime that have no code for the device, as ", takes no …" for each.
std::string notTaken(const Compiler& compiler, const DeviceInfo& device) {
  std::string out;
  for (const TargetInfo& target : compiler.targets()) {
    if (target.runtime != device.runtime || !target.unavailable.empty() || device.arch.empty()) continue;
    if (!compiler.architecture(target.name, device.arch)) out += ", takes no " + target.name;
  }
  return out;
}

Finding describe(const Compiler& compiler, const DeviceInfo& device) {
  std::string detail = device.name;
  if (!device.arch.empty()) detail += ", " + device.arch;
  if (device.memoryBytes) detail += fmt::format(", {} of memory", humanBytes(static_cast<double>(device.memoryBytes)));
  if (!device.driverVersion.empty()) detail += ", driver " + device.driverVersion;
  detail += notTaken(compiler, device);
  return {"device", fmt::format("{}:{}", device.runtime, device.index), State::good, std::move(detail)};
}

void probeDevices(const Compiler& compiler, std::vector<Finding>& findings) {
  const std::vector<DeviceInfo> devices = Device::list();
  for (const std::string& runtime : Device::runtimes()) {
    const std::size_t before = findings.size();
    for (const DeviceInfo& device : devices)
      if (device.runtime == runtime) findings.push_back(describe(compiler, device));
    if (findings.size() > before) continue;
    // Not listed: opening it tells why, or finds a device that only exists for those who ask for it.
    auto opened = Device::open(runtime);
    findings.push_back(opened ? describe(compiler, opened->info())
                              : Finding{"device", runtime, State::missing, opened.error().message});
  }
}

/// Folders where a CUDA toolkit may live, by precedence.
std::vector<fs::path> toolkitFolders() {
  std::vector<fs::path> out;
  for (const std::string_view name : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string value = environment(name); !value.empty()) out.emplace_back(value);
  out.emplace_back("/usr/local/cuda");
  out.emplace_back("/opt/cuda");
  out.emplace_back("/usr/lib/cuda");
  return out;
}

/// The first of `candidates` that exists, as a finding.
void findFile(std::string_view subject, std::string_view use, const std::vector<fs::path>& candidates,
              std::vector<Finding>& findings) {
  std::error_code ignored;
  for (const fs::path& candidate : candidates)
    if (fs::exists(candidate, ignored)) {
      findings.push_back({"toolkit", std::string(subject), State::good, candidate.string()});
      return;
    }
  findings.push_back({"toolkit", std::string(subject), State::missing, fmt::format("not found; {}", use)});
}

void findToolkit(std::vector<Finding>& findings) {
  std::vector<fs::path> assemblers, linkers, libraries;
  std::string_view path;
  const std::string pathVariable = environment("PATH");
  for (path = pathVariable; !path.empty();) {
    const std::size_t end = std::min(path.find(':'), path.size());
    assemblers.push_back(fs::path(path.substr(0, end)) / "ptxas");
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  for (const fs::path& folder : toolkitFolders()) {
    assemblers.push_back(folder / "bin/ptxas");
    linkers.push_back(folder / "lib64/libnvJitLink.so");
    libraries.push_back(folder / "nvvm/libdevice/libdevice.10.bc");
  }
  findFile("ptxas", "without it the driver assembles PTX when an image is loaded", assemblers, findings);
  findFile("nvJitLink", "it is one of the ways to make a cubin", linkers, findings);
  findFile("libdevice", "Lathe's own math library serves instead", libraries, findings);
}

/// What the kernel permits of programs of its own (`lathe bpf features` has each): what is there in a line, what is
/// not with the reason and the remedy.
void probeBpf(std::vector<Finding>& findings) {
  const auto features = bpf::probeFeatures();
  if (!features) return;  // the runtime is missing, which has been said
  for (const std::string_view area : {"program", "map"}) {
    std::string present;
    for (const bpf::Feature& feature : *features)
      if (feature.area == area && feature.state == bpf::Feature::State::present)
        present += (present.empty() ? "" : ", ") + feature.name;
    if (!present.empty()) findings.push_back({"kernel", fmt::format("BPF {}s", area), State::good, std::move(present)});
  }
  for (const bpf::Feature& feature : *features) {
    if (feature.state == bpf::Feature::State::present) continue;
    findings.push_back({"kernel", "BPF " + feature.name, State::missing,
                        fmt::format("{}{}{}", feature.detail,
                                    feature.detail.empty() || feature.remedy.empty() ? "" : "; ", feature.remedy)});
  }
}

/// The folder that CUDA sources get CUB, Thrust and libcu++ from, as a compile finds it.
void findLibraries(const Compiler& compiler, std::vector<Finding>& findings) {
  Job job;
  job.source.name = "probe.cu";
  job.source.text = "__global__ void probe() {}";
  job.target = "cuda";
  CompileRecord record;
  CompileRequest request;
  request.record = &record;
  const auto compiled = compiler.compile(job, request);
  if (!compiled) return;  // listed among the targets
  for (const Setting& setting : record.settings) {
    if (setting.name != "toolkit headers") continue;
    findings.push_back({"toolkit", "CCCL", State::good, setting.value});
    return;
  }
  findings.push_back(
      {"toolkit", "CCCL", State::missing, "not found; Lathe's own CUB, Thrust and libcu++ serve instead"});
}

void findSettings(std::vector<Finding>& findings) {
  findings.push_back({"path", "program", State::fact, ownProgram().string()});
  for (const std::string_view name : variables)
    if (const std::string value = environment(name); !value.empty())
      findings.push_back({"setting", std::string(name), State::fact, value});
}

std::string_view nameOf(State state) {
  switch (state) {
    case State::good:
      return "ok";
    case State::missing:
      return "missing";
    case State::bad:
      return "failed";
    case State::fact:
      return "";
  }
  return "";
}

class DoctorCommand final : public Command {
 public:
  std::string_view name() const override { return "doctor"; }
  std::string_view summary() const override { return "show what works on this machine"; }

  void configure(CLI::App&) override {}

  ExitCode run(Output& out) override {
    std::vector<Finding> findings;
    findings.push_back({"compiler", "lathe", State::good, fmt::format("{} ({})", version(), compilerVersion())});
    CompilerConfig config;
    config.containCrashes = true;
    auto compiler = Compiler::create(std::move(config));
    if (compiler)
      probeTargets(*compiler, findings);
    else
      findings.push_back({"compiler", "targets", State::bad, compiler.error().message});
    probeDevices(*compiler, findings);
    probeBpf(findings);
    findToolkit(findings);
    if (compiler) findLibraries(*compiler, findings);
    findSettings(findings);
    if (out.json()) {
      Json list = Json::array();
      for (const Finding& finding : findings) {
        Json one = {{"area", finding.area}, {"subject", finding.subject}, {"detail", finding.detail}};
        if (finding.state != State::fact) one["state"] = nameOf(finding.state);
        list.push_back(std::move(one));
      }
      out.document({{"findings", std::move(list)}});
      return ExitCode::ok;
    }
    Table table({{"area"}, {"subject"}, {"state"}, {"detail"}});
    for (const Finding& finding : findings)
      table.add({finding.area, finding.subject, std::string(nameOf(finding.state)), finding.detail});
    out.text(table.render(out));
    return ExitCode::ok;
  }
};

}  // namespace

std::unique_ptr<Command> makeDoctorCommand() {
  return std::make_unique<DoctorCommand>();
}

}  // namespace lathe::tool
