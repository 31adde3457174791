// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilers found on this machine, and the folder of what they make.
#include "code.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "../measure.h"
#include "../nvrtc.h"

namespace lathe::bench::gpu {
namespace {

constexpr const char* notes = "made_by.txt";

std::string join(const std::string& folder, std::string_view name, const char* ending) {
  return folder + "/" + std::string(name) + ending;
}
bool exists(const std::string& path) {
  return std::filesystem::exists(path);
}
void write(const std::string& path, std::string_view text) {
  if (!(std::ofstream(path, std::ios::binary) << text)) fail(path + ": cannot be written");
}

/// nvcc may be there and not work: it needs a host compiler, even for device code.
bool works(const std::string& nvcc, const std::string& arch, std::string& why) {
  const ScratchFolder folder;
  const ChildResult trial = runChild({nvcc, "-arch=" + arch, "-cubin", "-o", folder.path("trial.cubin"),
                                      folder.write("trial.cu", "extern \"C\" __global__ void trial() {}\n")},
                                     true);
  if (!trial.ok) why = nvcc + " does not work here: " + trial.output;
  return trial.ok;
}

std::optional<std::string> assemble(const std::string& ptxas, const std::string& arch, const Image& image,
                                    const std::string& out) {
  const Code* const ptx = image.find("ptx");
  if (!ptx) return "lathe: the image holds no PTX";
  const std::string text(reinterpret_cast<const char*>(ptx->bytes.data()), ptx->bytes.size());
  write(out + ".ptx", std::string_view(text).substr(0, text.find('\0')));
  const ChildResult child = runChild({ptxas, "-O3", "-arch=" + arch, "-o", out, out + ".ptx"}, true);
  std::filesystem::remove(out + ".ptx");
  if (child.ok) return std::nullopt;
  return "ptxas: " + child.output;
}

std::optional<std::string> make(const Compilers& compilers, const std::string& arch, const Kind& kind,
                                const std::string& folder) {
  const std::string source = join(folder, kind.name, ".cu"), image = join(folder, kind.name, ".limg");
  write(source, kind.text);
  if (auto failed = compileByLathe(source, "cuda:" + arch, {}, image)) return failed;
  if (!compilers.ptxas.empty()) {
    const auto opened = Image::open(image);
    if (!opened) return opened.error().render();
    if (auto failed = assemble(compilers.ptxas, arch, *opened, join(folder, kind.name, ".lathe.cubin"))) return failed;
  }
  return compilers.peer(source, join(folder, kind.name, ".peer.cubin"));
}

}  // namespace

std::optional<Program> findProgram(const std::string& name) {
  std::vector<std::string> candidates = {name};
  if (const char* home = std::getenv("CUDA_HOME")) candidates.push_back(std::string(home) + "/bin/" + name);
  candidates.push_back("/usr/local/cuda/bin/" + name);
  for (const std::string& path : candidates) {
    const ChildResult child = runChild({path, "--version"}, true);
    if (!child.ok) continue;
    const std::size_t at = child.output.find(", V");
    const std::string rest = at == std::string::npos ? "" : child.output.substr(at + 3);
    return Program{path, rest.substr(0, rest.find_first_not_of("0123456789."))};
  }
  return std::nullopt;
}

std::optional<Compilers> findCompilers(const std::string& arch, std::string& why) {
  why = "no nvcc (put it on PATH or set CUDA_HOME)";
  const auto nvcc = findProgram("nvcc");
  if (nvcc && works(nvcc->path, arch, why)) {
    const auto ptxas = findProgram("ptxas");
    Compilers out;
    out.description = "nvcc " + nvcc->version + " -O3 -arch=" + arch + "; Lathe's PTX assembled by ";
    out.description += !ptxas                            ? "the driver"
                       : ptxas->version == nvcc->version ? "the same toolkit's ptxas -O3"
                                                         : "another toolkit's ptxas " + ptxas->version + " -O3";
    if (ptxas) out.ptxas = ptxas->path;
    out.peer = [nvcc = nvcc->path, arch](const std::string& source,
                                         const std::string& cubin) -> std::optional<std::string> {
      const ChildResult child =
          runChild({nvcc, "-O3", "-std=c++20", "-arch=" + arch, "-cubin", "-o", cubin, source}, true);
      if (child.ok) return std::nullopt;
      return "nvcc: " + child.output;
    };
    return out;
  }
  const auto nvrtc = Nvrtc::open();
  if (!nvrtc) {
    why += "; no NVRTC";
    return std::nullopt;
  }
  const std::string version = nvrtc->version();
  return Compilers{"NVRTC " + version + " for " + arch + " (no working nvcc); Lathe's PTX assembled by the driver",
                   {},
                   [nvrtc, arch](const std::string& source, const std::string& cubin) -> std::optional<std::string> {
                     write(cubin, nvrtc->compile(source, readFile(source), arch));
                     return std::nullopt;
                   }};
}

std::optional<std::string> compileByLathe(const std::string& source, const std::string& target,
                                          const std::vector<std::string>& options, const std::string& out) {
  std::vector<std::string> command = {toolPath(), "compile", source, "--target", target, "-o", out};
  command.insert(command.end(), options.begin(), options.end());
  const ChildResult child = runChild(command, true);
  if (child.ok) return std::nullopt;
  return "lathe ($LATHE_TOOL names the tool): " + child.output;
}

unsigned writeCode(const Compilers& compilers, const std::string& arch, const std::vector<const Kind*>& wanted,
                   const std::string& folder) {
  std::filesystem::create_directories(folder);
  std::atomic<std::size_t> next = 0;
  std::atomic<unsigned> failures = 0;
  std::vector<std::jthread> threads;
  const std::size_t width = std::min<std::size_t>(wanted.size(), std::max(1u, std::thread::hardware_concurrency()));
  for (std::size_t i = 0; i < width; ++i) {
    threads.emplace_back([&] {
      for (std::size_t at = next++; at < wanted.size(); at = next++) {
        std::filesystem::remove(join(folder, wanted[at]->name, ".error"));
        const auto failed = make(compilers, arch, *wanted[at], folder);
        if (!failed) continue;
        ++failures;
        write(join(folder, wanted[at]->name, ".error"), *failed);
      }
    });
  }
  threads.clear();
  write(folder + "/" + notes, arch + "\n" + compilers.description + "\n");
  return failures;
}

std::string archOfCode(const std::string& folder) {
  std::string arch;
  std::ifstream file(folder + "/" + notes);
  std::getline(file, arch);
  return arch;
}
std::string makersOfCode(const std::string& folder) {
  std::string text;
  std::ifstream file(folder + "/" + notes);
  std::getline(file, text);
  std::getline(file, text);
  return text;
}

std::optional<KindCode> readCode(const std::string& folder, std::string_view kind, std::string& why) {
  if (const std::string error = join(folder, kind, ".error"); exists(error)) {
    why = readFile(error);
    return std::nullopt;
  }
  const auto image = Image::open(join(folder, kind, ".limg"));
  if (!image) {
    why = image.error().render();
    return std::nullopt;
  }
  if (!exists(join(folder, kind, ".peer.cubin"))) {
    why = join(folder, kind, ".peer.cubin") + " is missing";
    return std::nullopt;
  }
  KindCode out{*image, {}, readFile(join(folder, kind, ".peer.cubin"))};
  if (const std::string cubin = join(folder, kind, ".lathe.cubin"); exists(cubin)) {
    out.latheCubin = readFile(cubin);
    out.lathe = Image::build(image->info(), {{"cubin", image->info().arch, out.latheCubin}});
  }
  return out;
}

}  // namespace lathe::bench::gpu
