// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bpf runtime's library: which, by what name, and its own declarations beside libbpf's headers where those are
// installed. Programs run in tests/integration/bpf.
#include <gtest/gtest.h>

#include "runtimes/bpf/libbpf.h"
#include "vendor_library.h"

#if __has_include(<bpf/libbpf.h>)
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#define LATHE_HAS_LIBBPF_HEADERS 1
#endif

namespace lathe {
namespace {

using detail::Libbpf;

TEST(BpfLibrary, IsNamedWhenItIsMissing) {
  test::expectNamedWhenMissing<Libbpf>("/nonexistent/libbpf.so.1", "LATHE_LIBBPF_LIBRARY");
}

TEST(BpfLibrary, MustHaveEveryFunction) {
  test::expectTooOldWithout<Libbpf>("libbpf_set_print");
}

TEST(BpfErrors, KeepTheKernelsReason) {
  EXPECT_EQ(detail::bpfError(-EPERM, "map 'x': making it").code, ErrorCode::PermissionDenied);
  EXPECT_EQ(detail::bpfError(EOPNOTSUPP, "x").code, ErrorCode::Unsupported);
  EXPECT_EQ(detail::bpfError(-ENOMEM, "x").code, ErrorCode::OutOfHostMemory);
  EXPECT_EQ(detail::bpfError(-EBUSY, "x").code, ErrorCode::InvalidArgument);
  const Error other = detail::bpfError(-EIO, "map 'x': reading a value");
  EXPECT_EQ(other.code, ErrorCode::DriverError);
  EXPECT_EQ(other.message, "map 'x': reading a value: Input/output error");
}

#ifdef LATHE_HAS_LIBBPF_HEADERS
TEST(BpfDeclarations, AreThoseOfLibbpfsHeaders) {
  using namespace detail;
#define LATHE_LIBBPF(name, result, parameters)                                                                    \
  EXPECT_TRUE(test::sameAbi(static_cast<result(*) parameters>(nullptr), static_cast<decltype(&::name)>(nullptr))) \
      << #name;
#include "runtimes/bpf/libbpf_functions.def"
}

#define EXPECT_SAME_FIELD(Own, own, Theirs, theirs)                \
  EXPECT_EQ(offsetof(detail::Own, own), offsetof(Theirs, theirs)); \
  EXPECT_EQ(sizeof(detail::Own::own), sizeof(Theirs::theirs))

TEST(BpfDeclarations, HaveTheLayoutsOfLibbpfsStructures) {
  EXPECT_SAME_FIELD(LibbpfOpenOptions, size, bpf_object_open_opts, sz);
  EXPECT_SAME_FIELD(LibbpfOpenOptions, objectName, bpf_object_open_opts, object_name);
  EXPECT_SAME_FIELD(LibbpfOpenOptions, pinFolder, bpf_object_open_opts, pin_root_path);
  EXPECT_SAME_FIELD(LibbpfOpenOptions, kernelConfig, bpf_object_open_opts, kconfig);
  EXPECT_SAME_FIELD(LibbpfOpenOptions, kernelTypes, bpf_object_open_opts, btf_custom_path);
  EXPECT_SAME_FIELD(LibbpfOpenOptions, log, bpf_object_open_opts, kernel_log_buf);
  EXPECT_SAME_FIELD(LibbpfOpenOptions, logLevel, bpf_object_open_opts, kernel_log_level);
  EXPECT_SAME_FIELD(LibbpfTestRun, dataIn, bpf_test_run_opts, data_in);
  EXPECT_SAME_FIELD(LibbpfTestRun, dataOut, bpf_test_run_opts, data_out);
  EXPECT_SAME_FIELD(LibbpfTestRun, dataInBytes, bpf_test_run_opts, data_size_in);
  EXPECT_SAME_FIELD(LibbpfTestRun, dataOutBytes, bpf_test_run_opts, data_size_out);
  EXPECT_SAME_FIELD(LibbpfTestRun, contextIn, bpf_test_run_opts, ctx_in);
  EXPECT_SAME_FIELD(LibbpfTestRun, contextOut, bpf_test_run_opts, ctx_out);
  EXPECT_SAME_FIELD(LibbpfTestRun, contextInBytes, bpf_test_run_opts, ctx_size_in);
  EXPECT_SAME_FIELD(LibbpfTestRun, contextOutBytes, bpf_test_run_opts, ctx_size_out);
  EXPECT_SAME_FIELD(LibbpfTestRun, result, bpf_test_run_opts, retval);
  EXPECT_SAME_FIELD(LibbpfTestRun, repeat, bpf_test_run_opts, repeat);
  EXPECT_SAME_FIELD(LibbpfTestRun, nanoseconds, bpf_test_run_opts, duration);
  EXPECT_SAME_FIELD(LibbpfTestRun, batch, bpf_test_run_opts, batch_size);
  EXPECT_SAME_FIELD(LibbpfMapCreate, flags, bpf_map_create_opts, map_flags);
  EXPECT_SAME_FIELD(LibbpfMapCreate, extra, bpf_map_create_opts, map_extra);
  EXPECT_SAME_FIELD(LibbpfUserProbe, cookie, bpf_uprobe_opts, bpf_cookie);
  EXPECT_SAME_FIELD(LibbpfUserProbe, onReturn, bpf_uprobe_opts, retprobe);
  EXPECT_SAME_FIELD(LibbpfUserProbe, function, bpf_uprobe_opts, func_name);
  EXPECT_SAME_FIELD(LibbpfLinkCreate, flags, bpf_link_create_opts, flags);
  EXPECT_SAME_FIELD(LibbpfIterator, items, bpf_iter_attach_opts, link_info);
  EXPECT_SAME_FIELD(LibbpfIterator, itemsBytes, bpf_iter_attach_opts, link_info_len);
  EXPECT_SAME_FIELD(LibbpfLoadOptions, attachType, bpf_prog_load_opts, expected_attach_type);
  EXPECT_SAME_FIELD(LibbpfLoadOptions, attachBtfId, bpf_prog_load_opts, attach_btf_id);
  EXPECT_SAME_FIELD(LibbpfLoadOptions, logLevel, bpf_prog_load_opts, log_level);
  EXPECT_SAME_FIELD(LibbpfLoadOptions, log, bpf_prog_load_opts, log_buf);
}
#else
TEST(BpfDeclarations, AreThoseOfLibbpfsHeaders) {
  GTEST_SKIP() << "libbpf's headers are not installed (Debian: libbpf-dev)";
}
#endif

}  // namespace
}  // namespace lathe
