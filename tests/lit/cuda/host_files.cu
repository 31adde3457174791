// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <filesystem> in host code: read, never emitted, and nothing of it is put aside.
// REQUIRES: libcxx
// RUN: %compile %s -t cuda:sm_80 --emit ptx -o - 2>&1 | FileCheck %s --implicit-check-not=remark: --implicit-check-not=warning:
// CHECK: .entry _Z5scalePff
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <system_error>
#include <unordered_map>
#include <vector>

namespace fs = std::filesystem;

__global__ void scale(float* values, float by) {
  values[threadIdx.x] *= by;
}

class Files {
 public:
  explicit Files(const fs::path& folder = fs::current_path() / "data") : folder_(folder) {
    std::error_code failed;
    if (!fs::exists(folder_, failed)) fs::create_directories(folder_);
    for (const fs::directory_entry& entry : fs::directory_iterator(folder_)) {
      if (entry.is_regular_file() && entry.path().extension() == ".bin") sizes_[entry.path().string()] = entry.file_size();
    }
    for (auto& entry : fs::recursive_directory_iterator(folder_)) found_.push_back(entry);
  }
  std::ifstream open(std::string name) const {
    fs::path whole = folder_ / name;
    whole.replace_extension(".bin");
    if (whole.has_parent_path() && fs::is_directory(whole.parent_path())) std::cout << whole << whole.filename().c_str();
    return std::ifstream(whole, std::ios::binary);
  }
  std::string all() const {
    std::string out;
    for (const auto& part : folder_) out += part.string();
    return out + std::string(folder_) + (found_.empty() ? "" : found_.front().stem().native());
  }

 private:
  fs::path folder_;
  std::vector<fs::path> found_;
  std::unordered_map<std::string, std::uintmax_t> sizes_;
};

int main(int, char** arguments) {
  const Files files(arguments[1]);
  const Files others("/tmp"), more(std::string("/tmp"));
  try {
    fs::copy_file("a", "b", fs::copy_options::overwrite_existing | fs::copy_options::recursive);
    fs::remove_all("b");
  } catch (const fs::filesystem_error& error) {
    std::cerr << error.what() << error.path1() << error.code().message();
  }
  if (fs::last_write_time("a") < fs::last_write_time("b")) scale<<<1, 32>>>(static_cast<float*>(nullptr), 2.0f);
  std::printf("%s", files.all().c_str());
}
