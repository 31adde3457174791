// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The opencl runtime against a library whose device is what a test says (fake_opencl.cpp): libraries without drivers,
// devices that cannot be used or lack what code asks for, compilers that refuse.
#include "opencl_driver.h"

#include <cstring>

#include "runtimes/opencl/opencl_build_log.h"
#include "runtimes/opencl/opencl_demands.h"

namespace lathe {
namespace {

using detail::ClError;
using test::capability;
using test::expect;
using test::fake;
using test::FakeOpenCl;
using test::moduleWith;
using test::OpenClDriver;

const std::string subgroupsOf32 = moduleWith({{17, 6}, {16, 9, 35, 32}});

TEST_F(OpenClDriver, LibrariesWithoutDriversAndDriversWithoutDevices) {
  fake().platforms = 0;
  expect(noDevice(), ErrorCode::DeviceNotFound, "opencl: the library finds no driver");
  fake().platforms = 1;
  fake().devices = 0;
  expect(noDevice(), ErrorCode::DeviceNotFound,
         "opencl: no device can be used: platform Fake platform has no device (CL_DEVICE_NOT_FOUND)");
}

TEST_F(OpenClDriver, DevicesThatCannotBeUsedAreNamedWithTheReason) {
  const auto reason = [&] {
    const Error error = noDevice();
    EXPECT_EQ(error.code, ErrorCode::DeviceNotFound);
    EXPECT_FALSE(error.hint.empty());
    return error.message.substr(error.message.find(": ", 9) + 2);
  };
  fake().available = false;
  EXPECT_EQ(reason(), "Fake (OpenCL 3.0 Fake) is not available");
  fake().available = true;
  fake().svm = 0;
  EXPECT_EQ(reason(), "Fake (OpenCL 3.0 Fake) has no shared virtual memory");
  fake().svm = 1;
  fake().compiler = false;
  fake().ilVersion = "SPIR-V_1.0";
  EXPECT_EQ(reason(), "Fake (OpenCL 3.0 Fake) takes SPIR-V_1.0 only, and Lathe makes SPIR-V 1.2 to 1.6");
  fake().ilVersion = "";
  EXPECT_EQ(reason(), "Fake (OpenCL 3.0 Fake) takes neither SPIR-V nor OpenCL C");
}

TEST_F(OpenClDriver, BlocksAreOneCommandWhereTheyAreRegular) {
  {
    const auto opened = device();
    auto* const memory = static_cast<unsigned char*>(*opened->allocate(1000));
    std::array<unsigned char, 240> host{};
    detail::BlockCopy block{memory + 3, host.data(), 4, 5, 6, {10, 60}, {8, 40}};
    ASSERT_TRUE(opened->copyBlock(block, detail::CopyKind::upload));
    EXPECT_EQ(fake().regions, 1);
    // A slice is no number of rows: each is a command.
    block.toPitch.slice = 61;
    ASSERT_TRUE(opened->copyBlock(block, detail::CopyKind::upload));
    EXPECT_EQ(fake().regions, 1 + 6);
    // Somebody else's memory is copied row by row.
    std::array<unsigned char, 400> other{};
    block.to = other.data();
    ASSERT_TRUE(opened->copyBlock(block, detail::CopyKind::upload));
    EXPECT_EQ(fake().regions, 1 + 6);
    block.to = memory;
    fake().failNext("clEnqueueWriteBufferRect", ClError::outOfResources);
    const auto failed = opened->copyBlock(block, detail::CopyKind::upload);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().message, "opencl: copying rows: CL_OUT_OF_RESOURCES (-5)");
    fake().failNext("clCreateBuffer", ClError::memoryAllocation);
    EXPECT_EQ(opened->copyBlock(block, detail::CopyKind::upload).error().code, ErrorCode::OutOfDeviceMemory);
    opened->free(memory);
  }
  EXPECT_EQ(fake().objects, 0);
}

TEST_F(OpenClDriver, DevicesWithoutSpirvTakeText) {
  fake().version = "OpenCL 2.0 Fake";
  EXPECT_EQ(device()->info().arch, "cl3.0");
  expect(errorOfLoading("spv", "spv1.4", capability(6)), ErrorCode::IncompatibleDevice,
         "image: it holds spv for spv1.4, which Fake (cl3.0) cannot run; compile it for cl3.0");
  EXPECT_EQ(errorOfLoading("cl", "cl3.0", "__kernel void k() {}").message, "loaded");
  EXPECT_TRUE(fake().fromSource);
  EXPECT_STREQ(fake().options, "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt");
}

TEST_F(OpenClDriver, CodeIsComparedWithTheDeviceBeforeItIsBuilt) {
  const auto loads = [&](const std::string& code) { return errorOfLoading("spv", "spv1.4", code); };
  for (const std::string& code : {capability(10), capability(12), subgroupsOf32})
    EXPECT_EQ(loads(code).message, "loaded");
  fake().doubles = 0;
  expect(loads(capability(10)), ErrorCode::IncompatibleDevice,
         "opencl: loading spv for spv1.4: the device has no double precision, which the code uses");
  expect(errorOfLoading("cl", "cl3.0", "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"),
         ErrorCode::IncompatibleDevice,
         "opencl: loading cl for cl3.0: the device has no double precision, which the code uses");
  EXPECT_EQ(loads(capability(12)).message, "loaded");
  fake().extensions = "cl_khr_fp16";
  EXPECT_EQ(loads(capability(9)).message, "loaded");
  fake().extensions = "cl_khr_icd";
  expect(loads(capability(9)), ErrorCode::IncompatibleDevice,
         "opencl: loading spv for spv1.4: the device has no half precision (cl_khr_fp16), which the code uses");
  expect(errorOfLoading("cl", "cl3.0", "atomic_fetch_add_explicit((volatile __global atomic_ulong *)a, 1ul, "),
         ErrorCode::IncompatibleDevice,
         "opencl: loading cl for cl3.0: the device has no atomics of 64 bits (cl_khr_int64_base_atomics), which the "
         "code uses");
  expect(loads(capability(12)), ErrorCode::IncompatibleDevice,
         "opencl: loading spv for spv1.4: the device has no atomics of 64 bits (cl_khr_int64_base_atomics), which the "
         "code uses");
  expect(loads(capability(5055)), ErrorCode::IncompatibleDevice,
         "opencl: loading spv for spv1.4: the device has no clock for kernels (cl_khr_kernel_clock), which the code "
         "reads");
  fake().extensions = "cl_khr_kernel_clock";
  fake().kernelClock = 3;  // of the device and of groups, not of subgroups
  EXPECT_EQ(loads(capability(5055)).code, ErrorCode::IncompatibleDevice);
  fake().kernelClock = 4;
  EXPECT_EQ(loads(capability(5055)).message, "loaded");
  fake().subgroups[1] = 8;
  expect(loads(subgroupsOf32), ErrorCode::IncompatibleDevice,
         "opencl: loading spv for spv1.4: the device has no subgroups of the size that the code counts on");
  // Subgroups of 16 and 8 are all it has now: it takes code made for these, and asks for such.
  EXPECT_EQ(device()->info().arch, "spv1.4-sg16");
  EXPECT_EQ(device()->info().subgroupSize, 16u);
  const std::string subgroupsOf16 = moduleWith({{17, 6}, {16, 9, 35, 16}});
  EXPECT_EQ(errorOfLoading("spv", "spv1.4-sg16", subgroupsOf16).message, "loaded");
  EXPECT_EQ(loads(capability(6)).message, "loaded");
  expect(errorOfLoading("spv", "spv1.4-sg64", subgroupsOf16), ErrorCode::IncompatibleDevice,
         "image: it holds spv for spv1.4-sg64, which Fake (spv1.4-sg16) cannot run; compile it for spv1.4-sg16");
  fake().subgroups[0] = fake().subgroups[1] = 128;
  EXPECT_EQ(device()->info().arch, "spv1.4");
  EXPECT_EQ(device()->info().subgroupSize, 1u);
}

TEST_F(OpenClDriver, KernelsThatCannotAskForSubgroupsAreAsked) {
  // Without cl_intel_required_subgroup_size a kernel gets some size, and tells which when it is built.
  fake().asksForSubgroups = false;
  fake().givenSubgroup = 16;
  EXPECT_EQ(device()->info().arch, "spv1.4-sg16");
  EXPECT_EQ(device()->info().subgroupSize, 16u);
  EXPECT_EQ(fake().contexts + fake().programs + fake().kernels, 0);  // the probe is gone
  const std::string subgroupsOf16 = moduleWith({{17, 6}, {16, 9, 35, 16}});
  const Image image = test::imageFor("opencl", {}, {{"spv", "spv1.4-sg16", subgroupsOf16}});
  {
    const auto opened = device();
    const auto loaded = opened->load(image);
    ASSERT_TRUE(loaded) << loaded.error().render();
    EntryPoint entry;
    entry.name = entry.symbol = "k";
    EXPECT_TRUE((*loaded)->kernel(entry));
    fake().givenSubgroup = 8;  // of this kernel the compiler made another choice
    expect((*loaded)->kernel(entry).error(), ErrorCode::IncompatibleDevice,
           "opencl: finding kernel 'k': the device has no subgroups of the size that the code counts on");
  }
  // Before OpenCL 2.1 the function belongs to an extension.
  fake().givenSubgroup = 32;
  fake().version = "OpenCL 2.0 Fake";
  EXPECT_EQ(device()->info().subgroupSize, 1u);
  fake().extensions = "cl_khr_subgroups";
  EXPECT_EQ(device()->info().subgroupSize, 1u);  // it has no clGetKernelSubGroupInfoKHR
  fake().version = "OpenCL 3.0 Fake";
  EXPECT_EQ(device()->info().arch, "spv1.4");
  EXPECT_EQ(device()->info().subgroupSize, 32u);
  fake().givesSubgroups = false;
  EXPECT_EQ(device()->info().subgroupSize, 1u);
  fake().givesSubgroups = true;
  fake().givenSubgroup = 0;
  EXPECT_EQ(device()->info().subgroupSize, 1u);
  // Without a compiler nothing can be asked.
  fake().givenSubgroup = 32;
  fake().compiler = false;
  EXPECT_EQ(device()->info().subgroupSize, 1u);
}

/// A module that names an extension and uses a capability of it.
std::string extended(const std::string& extension, std::uint32_t number) {
  std::vector<std::uint32_t> words(extension.size() / 4 + 1);
  std::memcpy(words.data(), extension.data(), extension.size());
  words.insert(words.begin(), 10);
  return moduleWith({{17, 6}, {17, number}, words});
}

TEST_F(OpenClDriver, AtomicsOfFloatsAreThoseOfTheDevice) {
  const std::string adds = extended("SPV_EXT_shader_atomic_float_add", 6034);
  const std::string minima = extended("SPV_EXT_shader_atomic_float_min_max", 5612);
  const char* const message =
      "opencl: loading spv for spv1.4: the device has not the atomics of floats (cl_ext_float_atomics) that the code "
      "uses";
  expect(errorOfLoading("spv", "spv1.4", adds), ErrorCode::IncompatibleDevice, message);
  fake().doubleAtomics = 2;  // counts with the extension only
  expect(errorOfLoading("spv", "spv1.4", adds), ErrorCode::IncompatibleDevice, message);
  fake().extensions = "cl_ext_float_atomics";
  EXPECT_EQ(errorOfLoading("spv", "spv1.4", adds).message, "loaded");
  expect(errorOfLoading("spv", "spv1.4", minima), ErrorCode::IncompatibleDevice, message);
  fake().floatAtomics = 4;
  EXPECT_EQ(errorOfLoading("spv", "spv1.4", minima).message, "loaded");
}

TEST_F(OpenClDriver, ExtensionsOfSpirvAreNamedWhereTheDeviceListsThem) {
  const std::string bfloat = extended("SPV_KHR_bfloat16", 5116);
  EXPECT_EQ(errorOfLoading("spv", "spv1.4", bfloat).message, "loaded");  // who does not list them may have it
  fake().extensions = "cl_khr_spirv_queries cl_ext_float_atomics";
  const Error error = errorOfLoading("spv", "spv1.4", bfloat);
  expect(error, ErrorCode::IncompatibleDevice,
         "opencl: loading spv for spv1.4: the device lacks an extension of SPIR-V that the code uses");
  ASSERT_EQ(error.notes.size(), 1u);
  EXPECT_EQ(error.notes[0].message, "SPV_KHR_bfloat16");
  fake().floatAtomics = 2;
  EXPECT_EQ(errorOfLoading("spv", "spv1.4", extended("SPV_EXT_shader_atomic_float_add", 6033)).message, "loaded");
}

TEST_F(OpenClDriver, DemandsOfHostileModulesAreNone) {
  for (const std::string& code : {std::string(), std::string(3, '\3'), moduleWith({}), capability(6).substr(0, 27),
                                  moduleWith({{54}, {17, 10}}), moduleWith({{17}})}) {
    const auto demands = detail::demandsOfModule(std::as_bytes(std::span(code)));
    EXPECT_FALSE(demands.doubles || demands.longAtomics || demands.subgroup != 0);
  }
  // A name that ends with the module, or never.
  const std::string cut = extended("SPV_KHR_bfloat16", 5116);
  for (std::size_t bytes = 40; bytes < cut.size(); ++bytes)
    EXPECT_LE(detail::demandsOfModule(std::as_bytes(std::span(cut).first(bytes))).extensions.size(), 1u);
  std::string endless = capability(10);
  endless.replace(20, 4, 4, '\0');  // an instruction of no words
  EXPECT_FALSE(detail::demandsOfModule(std::as_bytes(std::span(endless))).doubles);
  EXPECT_EQ(detail::demandsOfText("__attribute__((intel_reqd_sub_group_size(32))) __kernel void k()").subgroup, 32u);
}

TEST_F(OpenClDriver, TheCompilersLogIsKeptWithKernelAndLine) {
  const auto fails = [&](const char* format, const char* arch, const char* code) {
    const auto driver = device();
    fake().failNext("clBuildProgram", ClError::buildFailure);
    const auto loaded = driver->load(test::imageFor("opencl", {}, {{format, arch, code}}));
    return loaded ? Error{} : loaded.error();
  };
  fake().buildLog = "1:3:5: error: no matching function\n  f(a);\n  ^\n1:2:1: warning: unused\n";
  const char* const text =
      "__kernel void first(__global int* a) {}\n__attribute__((x)) __kernel void second$(int a) {\n  f(a);\n}\n";
  const Error ofText = fails("cl", "cl3.0", text);
  expect(ofText, ErrorCode::IncompatibleDevice, "opencl: loading cl for cl3.0: CL_BUILD_PROGRAM_FAILURE (-11)");
  ASSERT_EQ(ofText.notes.size(), 4u);
  EXPECT_EQ(ofText.notes[0].message, "kernel 'second$': 1:3:5: error: no matching function");
  EXPECT_EQ(ofText.notes[1].message, "  f(a);");
  EXPECT_EQ(ofText.notes[3].message, "kernel 'second$': 1:2:1: warning: unused");
  const Error ofModule = fails("spv", "spv1.4", capability(6).c_str());
  ASSERT_EQ(ofModule.notes.size(), 4u);
  EXPECT_EQ(ofModule.notes[0].message, "1:3:5: error: no matching function");
  EXPECT_EQ(fake().programs, 0);
  EXPECT_EQ(detail::withKernels("error: all wrong\nx:1:1: error: y", "int a;"), "error: all wrong\nx:1:1: error: y\n");
  EXPECT_EQ(detail::withKernels("1:9:1: error: y", "\n__kernel void k(int a)"), "kernel 'k': 1:9:1: error: y\n");
  // Code that was compiled with -g has the source's lines.
  EXPECT_EQ(detail::withKernels("k.cu:9:1: error: y", "\n__kernel void k(int a) {\n#line 9 \"k.cu\"\n  a = 1;"),
            "k.cu:9:1: error: y");
}

}  // namespace
}  // namespace lathe
