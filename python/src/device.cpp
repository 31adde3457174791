// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices: images are loaded and their kernels launched on objects with the buffer protocol. On the CPU a kernel works
// on their memory; other devices get copies, and what the kernel may write is copied back. An argument that is a number
// is the address of memory that the kernel can use.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <lathe/fat_image.h>
#include <lathe/runtime.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
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
    addresses_.resize(values.size(), nullptr);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool isPointer = i < parameters.size() && parameters[i].type.kind == TypeKind::pointer;
      if (!isPointer) {
        values_[i] = std::string(view(nb::cast<nb::bytes>(values[i])));
      } else if (nb::isinstance<nb::int_>(values[i])) {
        addresses_[i] = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(values[i]));
      } else if (!values[i].is_none()) {
        views_.emplace_back(values[i], !parameters[i].readOnly);
        copied_.push_back({.argument = i, .back = !parameters[i].readOnly});
      }
    }
  }

  /// Without the GIL. On `stream` if it is not null; without `wait` it is queued.
  void launch(const RawKernel& kernel, LaunchOptions options, Stream* stream, bool wait) {
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
    // What was uploaded is there for every stream: an upload waits for itself.
    options.stream = stream;
    need(kernel.launch(options, pointers));
    if (!wait) return;
    need(stream ? stream->synchronize() : device_.synchronize());
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
            const nb::list& values, std::optional<std::uintptr_t> handle, bool wait) {
  Arguments arguments(kernel, values);
  const LaunchOptions options = {.grid = {.x = grid[0], .y = grid[1], .z = grid[2]},
                                 .group = {.x = group[0], .y = group[1], .z = group[2]},
                                 .dynamicSharedBytes = sharedBytes};
  const nb::gil_scoped_release released;
  std::optional<Stream> stream;
  if (handle) stream.emplace(need(kernel.device.adoptStream(reinterpret_cast<void*>(*handle))));
  arguments.launch(kernel.kernel, options, stream ? &*stream : nullptr, wait);
}

/// Memory of a device that Python objects share.
struct DeviceMemory {
  std::shared_ptr<Memory> memory;
};

/// A DLPack capsule of C-contiguous memory, which it keeps.
nb::object dlpack(const DeviceMemory& memory, const std::vector<std::size_t>& shape, int code, int bits, int deviceType,
                  int deviceIndex) {
  auto* const kept = new std::shared_ptr<Memory>(memory.memory);
  const nb::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::shared_ptr<Memory>*>(pointer); });
  const nb::dlpack::dtype type{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), 1};
  const nb::ndarray<> array(memory.memory->address(), shape.size(), shape.data(), owner, nullptr, type, deviceType,
                            deviceIndex);
  return nb::cast(array);
}

/// An array that another library gave by DLPack, held as long as this.
struct DlpackView {
  explicit DlpackView(nb::handle object) {
    nb::ndarray<> writable;
    if (nb::try_cast(object, writable)) {
      array = nb::ndarray<nb::ro>(writable);
      return;
    }
    array = nb::cast<nb::ndarray<nb::ro>>(object);
    isReadOnly = true;
  }
  nb::ndarray<nb::ro> array;
  bool isReadOnly = false;
  [[nodiscard]] bool isContiguous() const {
    std::int64_t expected = 1;
    for (std::size_t i = array.ndim(); i-- > 0; expected *= static_cast<std::int64_t>(array.shape(i))) {
      if (array.shape(i) > 1 && array.stride(i) != expected) return false;
    }
    return true;
  }
};

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
      .def_static("open",
                  [](const std::string& runtime, int index) {
                    const nb::gil_scoped_release released;
                    return need(Device::open(runtime, index));
                  })
      .def_static("list",
                  [] {
                    nb::list out;
                    const auto found = [] {
                      const nb::gil_scoped_release released;
                      return Device::list();
                    }();
                    for (const DeviceInfo& info : found) out.append(toDict(info));
                    return out;
                  })
      .def("info", [](const Device& device) { return toDict(device.info()); })
      .def("load", load<Image>)
      .def("load", load<FatImage>)
      .def("allocate",
           [](const Device& device, std::size_t bytes) {
             return DeviceMemory{std::make_shared<Memory>(need(device.allocateBytes(bytes)))};
           })
      .def("synchronize",
           [](const Device& device) {
             const nb::gil_scoped_release released;
             need(device.synchronize());
           })
      .def("synchronize_stream", [](const Device& device, std::uintptr_t handle) {
        const nb::gil_scoped_release released;
        need(need(device.adoptStream(reinterpret_cast<void*>(handle))).synchronize());
      });
  nb::class_<DeviceMemory>(module, "Memory")
      .def("address",
           [](const DeviceMemory& memory) { return reinterpret_cast<std::uintptr_t>(memory.memory->address()); })
      .def("upload",
           [](const DeviceMemory& memory, nb::handle source) {
             const View view(source, false);
             const nb::gil_scoped_release released;
             need(memory.memory->upload(view.data(), view.bytes()));
           })
      .def("download",
           [](const DeviceMemory& memory, nb::handle target) {
             const View view(target, true);
             const nb::gil_scoped_release released;
             need(memory.memory->download(view.data(), view.bytes()));
           })
      .def("dlpack", dlpack);
  nb::class_<DlpackView>(module, "DlpackView")
      .def("__init__", [](DlpackView* view, nb::handle object) { new (view) DlpackView(object); })
      .def("readonly", [](const DlpackView& view) { return view.isReadOnly; })
      .def("address", [](const DlpackView& view) { return reinterpret_cast<std::uintptr_t>(view.array.data()); })
      .def("contiguous", &DlpackView::isContiguous)
      .def("dtype", [](const DlpackView& view) {
        return std::pair<int, int>(view.array.dtype().code, view.array.dtype().bits);
      });
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
