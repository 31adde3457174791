// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images, and jobs as bytes and JSON.
#include <lathe/disassembly.h>
#include <lathe/fat_image.h>
#include <lathe/image.h>
#include <lathe/job.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "binding.h"

namespace lathe::python {
namespace {

const Code& codeOf(const Image& image, const std::string& format) {
  const Code* const found =
      format.empty() ? (image.code().empty() ? nullptr : &image.code().front()) : image.find(format);
  if (found) return *found;
  std::string known;
  for (const Code& code : image.code()) known += (known.empty() ? "" : ", ") + std::string(code.format);
  throw Failure{
      {.code = ErrorCode::FormatUnsupported,
       .message = "the image has no code of format '" + format + "'; it has " + (known.empty() ? "none" : known)}};
}

Job jobOf(const nb::bytes& bytes) {
  return need(jobFromBytes(view(bytes)));
}

}  // namespace

void bindImages(nb::module_& module) {
  nb::class_<Image>(module, "Image")
      .def_static("from_bytes", [](const nb::bytes& bytes) { return need(Image::fromBytes(span(bytes))); })
      .def_static("open", [](const std::string& path) { return need(Image::open(path)); })
      .def("save", [](const Image& image, const std::string& path) { need(image.save(path)); })
      .def("bytes", [](const Image& image) { return toBytes(image.bytes()); })
      .def("json", [](const Image& image) { return toJson(image); })
      .def("code", [](const Image& image, const std::string& format) { return toBytes(codeOf(image, format).bytes); })
      .def("disassembled", [](const Image& image, const std::string& format) {
        const Code& code = codeOf(image, format);
        return need(disassembled(code, image.info().features));
      });
  nb::class_<FatImage>(module, "FatImage")
      .def_static("build", [](const std::vector<Image>& images) { return need(FatImage::build(images)); })
      .def_static("from_bytes", [](const nb::bytes& bytes) { return need(FatImage::fromBytes(span(bytes))); })
      .def_static("open", [](const std::string& path) { return need(FatImage::open(path)); })
      .def("save", [](const FatImage& images, const std::string& path) { need(images.save(path)); })
      .def("bytes", [](const FatImage& images) { return toBytes(images.bytes()); })
      .def("targets",
           [](const FatImage& images) {
             std::vector<std::string> out;
             for (const FatImageEntry& entry : images.entries())
               out.push_back(entry.arch.empty() ? entry.target : entry.target + ":" + entry.arch);
             return out;
           })
      .def("image", [](const FatImage& images, std::size_t index) { return need(images.image(index)); });
  module.def("job_from_json", [](const std::string& json) { return toBytes(canonicalBytes(need(jobFromJson(json)))); });
  module.def("job_from_bytes", [](const nb::bytes& bytes) { return toBytes(canonicalBytes(jobOf(bytes))); });
  module.def("job_to_json", [](const nb::bytes& bytes) { return toJson(jobOf(bytes)); });
  module.def("job_hash", [](const nb::bytes& bytes) { return hashOf(jobOf(bytes)).hex(); });
  module.def("job_describe", [](const nb::bytes& bytes) { return describe(jobOf(bytes)); });
}

}  // namespace lathe::python
