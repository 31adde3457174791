// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <pwd.h>: the users of a machine. Declarations only.
#ifndef LATHE_STD_PWD_H
#define LATHE_STD_PWD_H
struct passwd {
  char *pw_name, *pw_passwd;
  unsigned pw_uid, pw_gid;
  char *pw_gecos, *pw_dir, *pw_shell;
};
extern "C" passwd* getpwuid(unsigned);
extern "C" passwd* getpwnam(const char*);
#endif
