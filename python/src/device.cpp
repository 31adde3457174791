// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices: images are loaded and their kernels launched on objects with the buffer protocol. On the CPU a kernel works
// on their memory; other devices get copies, and what the kernel may write is copied back.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <lathe/fat_image.h>
#include <lathe/runtime.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "binding.h"

namespace lathe::python {
namespace {

using Extents = std::array<std::uint32_t, 3>;

struct LoadedKernel {
  Device device;
  RawKernel kernel;
};
struct LoadedModule {
  Device device;
  Module module;
};

/// A view of an object's memory, held until the launch is done.
class View {
 public:
  /// Throws what the object says if it has no such memory.
  View(nb::handle object, bool writable) {
    if (PyObject_GetBuffer(object.ptr(), &buffer_,
                           PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0)) != 0)
      throw nb::python_error();
  }
  View(View&& other) noexcept : buffer_(other.buffer_) { other.buffer_.obj = nullptr; }
  View(const View&) = delete;
  ~View() {
    if (buffer_.obj) PyBuffer_Release(&buffer_);
  }
  [[nodiscard]] void* data() const { return buffer_.buf; }
  [[nodiscard]] std::size_t bytes() const { return static_cast<std::size_t>(buffer_.len); }

 private:
  Py_buffer buffer_{};
};

/// The arguments of one launch as Device takes them.
class Arguments {
 public:
  Arguments(const LoadedKernel& kernel, const nb::list& values) : device_(kernel.device) {
    const auto& parameters = kernel.kernel.entry().parameters;
    values_.resize(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool isPointer = i < parameters.size() && parameters[i].type.kind == TypeKind::pointer;
      if (!isPointer) {
        values_[i] = std::string(view(nb::cast<nb::bytes>(values[i])));
      } else if (!values[i].is_none()) {
        views_.emplace_back(values[i], !parameters[i].readOnly);
        copied_.push_back({.argument = i, .back = !parameters[i].readOnly});
      }
    }
    addresses_.resize(values.size(), nullptr);
  }

  /// Without the GIL.
  void launch(const RawKernel& kernel, const LaunchOptions& options) {
    const bool isHost = device_.info().runtime == "cpu";
    for (std::size_t i = 0; i < views_.size(); ++i) {
      void*& address = addresses_[copied_[i].argument];
      if (isHost) {
        address = views_[i].data();
        continue;
      }
      memory_.push_back(need(device_.allocateBytes(views_[i].bytes())));
      if (views_[i].bytes() > 0) need(memory_.back().upload(views_[i].data(), views_[i].bytes()));
      address = memory_.back().address();
    }
    std::vector<const void*> pointers;
    for (std::size_t i = 0; i < values_.size(); ++i)
      pointers.push_back(values_[i] ? static_cast<const void*>(values_[i]->data()) : &addresses_[i]);
    need(kernel.launch(options, pointers));
    need(device_.synchronize());
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      if (copied_[i].back && views_[i].bytes() > 0) need(memory_[i].download(views_[i].data(), views_[i].bytes()));
    }
  }

 private:
  struct Copied {
    std::size_t argument;
    bool back;
  };
  const Device& device_;
  std::vector<std::optional<std::string>> values_;  ///< of parameters that are no pointers
  std::vector<void*> addresses_;                    ///< of those that are
  std::vector<View> views_;
  std::vector<Copied> copied_;  ///< one for each view
  std::vector<Memory> memory_;  ///< one for each view, but on the host
};

void launch(const LoadedKernel& kernel, const Extents& grid, const Extents& group, std::uint32_t sharedBytes,
            const nb::list& values) {
  Arguments arguments(kernel, values);
  const LaunchOptions options = {.grid = {.x = grid[0], .y = grid[1], .z = grid[2]},
                                 .group = {.x = group[0], .y = group[1], .z = group[2]},
                                 .dynamicSharedBytes = sharedBytes};
  const nb::gil_scoped_release released;
  arguments.launch(kernel.kernel, options);
}

template <class AnyImage>
LoadedModule load(const Device& device, const AnyImage& image) {
  const nb::gil_scoped_release released;
  return {.device = device, .module = need(device.load(image))};
}

nb::dict toDict(const DeviceInfo& info) {
  nb::dict out;
  out["name"] = info.name;
  out["runtime"] = info.runtime;
  out["arch"] = info.arch;
  out["index"] = info.index;
  out["memory_bytes"] = info.memoryBytes;
  out["multiprocessors"] = info.multiprocessors;
  out["subgroup_size"] = info.subgroupSize;
  out["max_items_per_group"] = info.maxItemsPerGroup;
  out["max_shared_bytes"] = info.maxSharedBytes;
  out["driver_version"] = info.driverVersion;
  return out;
}

}  // namespace

void bindDevices(nb::module_& module) {
  nb::class_<Device>(module, "Device")
      .def_static("open", [](const std::string& runtime, int index) { return need(Device::open(runtime, index)); })
      .def_static("list",
                  [] {
                    nb::list out;
                    for (const DeviceInfo& info : Device::list()) out.append(toDict(info));
                    return out;
                  })
      .def("info", [](const Device& device) { return toDict(device.info()); })
      .def("load", load<Image>)
      .def("load", load<FatImage>);
  nb::class_<LoadedModule>(module, "Module")
      .def("image", [](const LoadedModule& loaded) { return loaded.module.image(); })
      .def("kernel", [](const LoadedModule& loaded, const std::string& name) {
        return LoadedKernel{.device = loaded.device, .kernel = need(loaded.module.rawKernel(name))};
      });
  nb::class_<LoadedKernel>(module, "Kernel")
      .def("name", [](const LoadedKernel& loaded) { return loaded.kernel.entry().name; })
      .def("launch", launch);
}

}  // namespace lathe::python
