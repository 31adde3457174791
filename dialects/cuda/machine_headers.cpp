// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The view of the machine's include folders without the C library.
#include "dialects/cuda/machine_headers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <lathe/sdk/hidden_files.h>

namespace lathe::dialects {
namespace {

/// Folders of the C library, the kernel's interface and compilers. A star stands for any end.
constexpr std::string_view systemFolders[] = {"arpa", "asm*",  "bits", "c++",   "finclude",  "gnu",      "linux",
                                              "misc", "mtd",   "net*", "nfs",   "protocols", "rdma",     "rpc*",
                                              "scsi", "sound", "sys",  "video", "xen",       "*-linux-*"};

/// Headers of the C library that lie in the include folder itself (glibc 2.36, and what newer ones have).
constexpr std::string_view systemHeaders[] = {
    "aio",         "aliases",  "alloca",       "ar",          "argp",     "argz",     "assert",       "byteswap",
    "complex",     "cpio",     "crypt",        "ctype",       "dirent",   "dlfcn",    "elf",          "endian",
    "envz",        "err",      "errno",        "error",       "execinfo", "fcntl",    "features",     "features-time64",
    "fenv",        "fmtmsg",   "fnmatch",      "fpu_control", "fstab",    "fts",      "ftw",          "gconv",
    "getopt",      "glob",     "gnu-versions", "grp",         "gshadow",  "iconv",    "ieee754",      "ifaddrs",
    "inttypes",    "langinfo", "lastlog",      "libgen",      "libintl",  "limits",   "link",         "locale",
    "malloc",      "math",     "mcheck",       "memory",      "mntent",   "monetary", "mqueue",       "netdb",
    "nl_types",    "nss",      "obstack",      "paths",       "poll",     "printf",   "proc_service", "pthread",
    "pty",         "pwd",      "re_comp",      "regex",       "regexp",   "resolv",   "sched",        "search",
    "semaphore",   "setjmp",   "sgtty",        "shadow",      "signal",   "spawn",    "stab",         "stdbit",
    "stdc-predef", "stdint",   "stdio",        "stdio_ext",   "stdlib",   "string",   "strings",      "syscall",
    "sysexits",    "syslog",   "tar",          "termio",      "termios",  "tgmath",   "thread_db",    "threads",
    "time",        "ttyent",   "uchar",        "ucontext",    "ulimit",   "unistd",   "utime",        "utmp",
    "utmpx",       "values",   "wait",         "wchar",       "wctype",   "wordexp"};

bool fits(llvm::StringRef name, llvm::StringRef pattern) {
  const bool open = pattern.consume_back("*");
  if (pattern.consume_front("*")) return name.contains(pattern);
  return open ? name.starts_with(pattern) : name == pattern;
}

/// True for paths of the C library's headers and folders.
bool isOfSystem(llvm::StringRef path) {
  for (const std::string_view folder : machineFolders) {
    llvm::StringRef rest = path;
    if (!rest.consume_front(folder) || !rest.consume_front("/")) continue;
    const auto [first, behind] = rest.split('/');
    if (!behind.empty() || !first.contains('.'))
      return llvm::any_of(systemFolders, [name = first](std::string_view pattern) { return fits(name, pattern); });
    llvm::StringRef stem = first;
    return stem.consume_back(".h") && llvm::is_contained(systemHeaders, std::string_view(stem));
  }
  return false;
}

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> withoutMachineLibc(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files) {
  return llvm::makeIntrusiveRefCnt<sdk::HiddenFiles>(std::move(files), isOfSystem);
}

}  // namespace lathe::dialects
