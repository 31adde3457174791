// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images as parts of programs: what others' tools make of each form, and requests that make no sense. The header's use in
// programs is tested in tests/package.
#include <lathe/embed.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

namespace lathe {
namespace {

TypeLayout word(TypeKind kind, std::uint64_t size, std::string name) {
  TypeLayout out;
  out.kind = kind;
  out.size = size;
  out.align = static_cast<std::uint32_t>(size);
  out.name = std::move(name);
  return out;
}

EntryPoint kernel(std::string name, std::vector<Parameter> parameters = {}) {
  EntryPoint out;
  out.symbol = "k";
  out.name = std::move(name);
  out.parameters = std::move(parameters);
  return out;
}

Image image(std::string target, std::vector<EntryPoint> entries, std::string runtime = "cpu") {
  ImageInfo info;
  info.target = std::move(target);
  info.runtime = std::move(runtime);
  info.entries = std::move(entries);
  info.provenance.sourceName = "folder/my kernels.cpp";
  return Image::build(std::move(info), {});
}

Result<std::string> headerOf(std::vector<Image> images, KernelHeaderOptions options = {.symbol = "images"}) {
  const auto fat = FatImage::build(images);
  EXPECT_TRUE(fat);
  return kernelHeader(*fat, options);
}

TEST(KernelHeader, DeclaresFunctions) {
  const auto header = headerOf({image(
      "cpu", {kernel("scale<float>", {{.name = "x", .type = word(TypeKind::floating, 4, "float")},
                                      {.name = "", .type = word(TypeKind::unsignedInteger, 8, "unsigned long")}}),
              kernel("ns::blur", {{.name = "class", .type = word(TypeKind::floating, 2, "half")}}),
              kernel("wide", {{.name = "w", .type = word(TypeKind::signedInteger, 16, "__int128")}})})});
  ASSERT_TRUE(header) << header.error().render();
  for (const char* const text :
       {"namespace kernels {\ninline namespace of_images {", "float x, uint64_t argument1)",
        "scale_float(const ::lathe::Device& device", "namespace ns {", "uint16_t class_)", "\"ns::blur\"",
        "from_my_kernels_images(images, &images_size);", "// Kernel wide takes what C++ has no type for"})
    EXPECT_NE(header->find(text), std::string::npos) << text << " in\n" << *header;
}

TEST(KernelHeader, TakesAllTargets) {
  const auto header = headerOf({image("cpu", {kernel("one")}), image("cuda", {kernel("one"), kernel("two")}, "cuda"),
                                image("portable", {kernel("three")}, ""), image("object", {kernel("four")}, "")});
  ASSERT_TRUE(header);
  EXPECT_NE(header->find(" two("), std::string::npos);
  EXPECT_NE(header->find(" three("), std::string::npos);  // compiled where it is loaded
  EXPECT_EQ(header->find(" four("), std::string::npos);
  EXPECT_EQ(header->find(" one("), header->rfind(" one("));
}

TEST(KernelHeader, RefusesWhatCannotBe) {
  const auto message = [](const Result<std::string>& result) {
    EXPECT_FALSE(result);
    return result ? std::string() : result.error().message;
  };
  EXPECT_EQ(message(headerOf({image("cpu", {kernel("a<int>"), kernel("a<int>()")})})),
            "kernels 'a<int>' and 'a<int>()' are both a_int in C++");
  EXPECT_EQ(message(headerOf({image("cpu", {kernel("k", {{.name = "p", .type = word(TypeKind::floating, 4, "float")}})}),
                              image("cuda", {kernel("k", {{.name = "p", .type = word(TypeKind::floating, 8, "double")}})}, "cuda")})),
            "kernel 'k': its parameters on cuda are not those on cpu");
  EXPECT_EQ(message(headerOf({image("object", {kernel("k")}, "")})),
            "kernel header: nothing in the image is for launching; no runtime loads it");
  EXPECT_EQ(message(headerOf({image("cpu", {kernel("k")})}, {.nameSpace = "a b", .symbol = "images"})),
            "kernel header: 'a b' is no namespace");
  EXPECT_FALSE(headerOf({image("cpu", {kernel("k")})}, {.symbol = "9"}));
  EXPECT_FALSE(headerOf({image("cpu", {kernel("k")})}, {}));
}

std::string every() {
  std::string out;
  for (int i = 0; i < 1024; ++i) out += static_cast<char>(i);
  return out + "?" + "?/\"\\0123";
}

/// A program with the bytes in the form that `file` is, compiled by the platform's C compiler, which prints them.
std::string printed(const std::string& bytes, EmbedForm form, const std::string& file) {
  std::string pattern = (std::filesystem::temp_directory_path() / "lathe-embed-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  const auto made = embedded(std::as_bytes(std::span(bytes)), {.form = form, .symbol = "data", .section = ".kernels"});
  EXPECT_TRUE(made);
  std::ofstream(folder / file, std::ios::binary) << *made;
  std::ofstream(folder / "main.c") << "#include <stdio.h>\nextern const unsigned char data[];\n"
                                      "extern const size_t data_size;\n"
                                      "int main(void) { return fwrite(data, 1, data_size, stdout) != data_size || "
                                      "((size_t)data & 15) != 0 || data[data_size] != 0; }\n";
  const std::string command = "cd " + folder.string() + " && cc -Wall -Wextra -Wpedantic -Werror main.c " + file +
                              " -o main && ./main > out";
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  std::ifstream in(folder / "out", std::ios::binary);
  const std::string out{std::istreambuf_iterator<char>(in), {}};
  std::filesystem::remove_all(folder);
  return out;
}

TEST(Embedded, HoldsTheBytes) {
  for (const std::string& bytes : {every(), std::string(), std::string(1, '\0')}) {
    EXPECT_EQ(printed(bytes, EmbedForm::c, "data.c"), bytes);
    EXPECT_EQ(printed(bytes, EmbedForm::assembly, "data.s"), bytes);
    EXPECT_EQ(printed(bytes, EmbedForm::object, "data.o"), bytes);
  }
}

TEST(Embedded, IsForOtherMachinesToo) {
  const auto bytes = std::as_bytes(std::span("bytes"));
  const auto object = embedded(bytes, {.form = EmbedForm::object, .symbol = "data", .triple = "aarch64-linux-gnu"});
  ASSERT_TRUE(object);
  constexpr std::size_t machineAt = 18;
  EXPECT_EQ(static_cast<unsigned char>((*object)[machineAt]), 183);  // EM_AARCH64
  EXPECT_EQ(object.value(), embedded(bytes, {.form = EmbedForm::object, .symbol = "data", .triple = "aarch64-linux-gnu"}).value());
}

TEST(Embedded, RefusesWhatCannotBe) {
  const auto bytes = std::as_bytes(std::span("bytes"));
  EXPECT_FALSE(embedded(bytes, {.symbol = ""}));
  EXPECT_FALSE(embedded(bytes, {.symbol = "a-b"}));
  EXPECT_FALSE(embedded(bytes, {.symbol = "a", .section = "\")))"}));
  const auto nowhere = embedded(bytes, {.form = EmbedForm::object, .symbol = "a", .triple = "x87-linux"});
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code, ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace lathe
