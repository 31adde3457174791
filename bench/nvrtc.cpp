// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One NVRTC compile, as a user of its documentation would write it.
#include "nvrtc.h"

#include <cstdlib>
#include <vector>

#include <unistd.h>

namespace lathe::bench {
namespace {

/// Where a CUDA toolkit may be.
std::vector<std::string> toolkits() {
  const char* const home = std::getenv("CUDA_HOME");
  std::vector<std::string> out = {"/usr/local/cuda"};
  if (home && *home) out.insert(out.begin(), home);
  return out;
}

}  // namespace

std::optional<Nvrtc> Nvrtc::open() {
  // Where a driver is installed, NVRTC keeps PTX and cubins in the driver's cache, by the optimiser's input: a function
  // that nothing calls, which makes a text unique, is not in it. It asks this variable once, before the first compile.
  setenv("CUDA_CACHE_DISABLE", "1", /*overwrite=*/1);
  std::vector<std::string> names = {"libnvrtc.so.13", "libnvrtc.so.12"};
  for (const std::string& toolkit : toolkits())
    for (const char* file : {"libnvrtc.so.13", "libnvrtc.so.12"}) names.push_back(toolkit + "/lib64/" + file);
  const auto library = Library::open(names);
  if (!library) return std::nullopt;
  Nvrtc out;
  library->bind(out.version_, "nvrtcVersion");
  library->bind(out.createProgram_, "nvrtcCreateProgram");
  library->bind(out.compileProgram_, "nvrtcCompileProgram");
  library->bind(out.destroyProgram_, "nvrtcDestroyProgram");
  library->bind(out.getLogSize_, "nvrtcGetProgramLogSize");
  library->bind(out.getLog_, "nvrtcGetProgramLog");
  library->bind(out.getPtxSize_, "nvrtcGetPTXSize");
  library->bind(out.getPtx_, "nvrtcGetPTX");
  library->bind(out.getCubinSize_, "nvrtcGetCUBINSize");
  library->bind(out.getCubin_, "nvrtcGetCUBIN");
  return out;
}

std::string Nvrtc::version() const {
  int major = 0, minor = 0;
  version_(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

void Nvrtc::refuse(Program program, const std::string& name, int code) const {
  std::size_t size = 0;
  std::string log;
  if (getLogSize_(program, &size) == 0) {
    log.resize(size);
    getLog_(program, log.data());
  }
  fail("nvrtc: " + name + ": error " + std::to_string(code) + "\n" + log);
}

std::vector<std::string> Nvrtc::libraryFolders() {
  for (const std::string& toolkit : toolkits()) {
    for (const char* const folder : {"/include/cccl", "/include"}) {
      if (access((toolkit + folder + "/cuda/std/tuple").c_str(), R_OK) == 0)
        return {toolkit + folder, toolkit + "/include"};
    }
  }
  return {};
}

std::string Nvrtc::compile(const std::string& name, const std::string& text, const std::string& arch,
                           const std::vector<std::string>& folders) const {
  std::vector<std::string> words = {"--gpu-architecture=" + arch, "-default-device", "-std=c++20"};
  for (const std::string& folder : folders) words.push_back("-I" + folder);
  std::vector<const char*> options;
  for (const std::string& word : words) options.push_back(word.c_str());
  Program program = nullptr;
  if (const int code = createProgram_(&program, text.c_str(), name.c_str(), 0, nullptr, nullptr)) {
    fail("nvrtc: " + name + ": no program: error " + std::to_string(code));
  }
  if (const int code = compileProgram_(program, int(options.size()), options.data())) refuse(program, name, code);
  const bool cubin = arch.starts_with("sm_");
  std::size_t size = 0;
  std::string out;
  int code = (cubin ? getCubinSize_ : getPtxSize_)(program, &size);
  if (code == 0) {
    out.resize(size);
    code = (cubin ? getCubin_ : getPtx_)(program, out.data());
  }
  if (code != 0) refuse(program, name, code);
  destroyProgram_(&program);
  return out;
}

}  // namespace lathe::bench
