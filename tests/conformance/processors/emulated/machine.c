/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The device, a program of another processor: loads kernels with that system's own linker and runs groups one after
 * another. Its argument is the file that is its memory. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <endian.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "protocol.h"

/* abi::GroupLaunch, in C. */
struct GroupLaunch {
  uint32_t groupId[3], groupSize[3], groupCount[3], dynamicSharedBytes, groups, reserved;
  _Alignas(8) void* shared;
  _Alignas(8) void* context;
};
typedef void GroupEntry(const void* parameters, const struct GroupLaunch* launch);

static void* pointerTo(uint64_t address) {
  return (void*)(uintptr_t)address;
}

/* Memory for the items of one group; null for none. */
static void* block(uint64_t bytes) {
  return bytes ? aligned_alloc(64, (size_t)((bytes + 63) / 64 * 64)) : NULL;
}

/* The request in this processor's order of bytes. */
static void toOwnOrder(struct Request* request) {
  request->kind = le32toh(request->kind);
  for (int axis = 0; axis < 3; ++axis) {
    request->groupSize[axis] = le32toh(request->groupSize[axis]);
    request->groupCount[axis] = le32toh(request->groupCount[axis]);
  }
  request->dynamicSharedBytes = le32toh(request->dynamicSharedBytes);
  request->object = le64toh(request->object);
  request->parameters = le64toh(request->parameters);
  request->sharedBytes = le64toh(request->sharedBytes);
  request->contextBytes = le64toh(request->contextBytes);
}

static void run(const struct Request* request) {
  struct GroupLaunch launch = {.dynamicSharedBytes = request->dynamicSharedBytes,
                               .groups = request->groupCount[0],
                               .shared = block(request->sharedBytes),
                               .context = block(request->contextBytes)};
  for (int axis = 0; axis < 3; ++axis) {
    launch.groupSize[axis] = request->groupSize[axis];
    launch.groupCount[axis] = request->groupCount[axis];
  }
  GroupEntry* const entry = (GroupEntry*)pointerTo(request->object);
  for (launch.groupId[2] = 0; launch.groupId[2] < launch.groupCount[2]; ++launch.groupId[2])
    for (launch.groupId[1] = 0; launch.groupId[1] < launch.groupCount[1]; ++launch.groupId[1])
      entry(pointerTo(request->parameters), &launch);
  free(launch.shared);
  free(launch.context);
}

static Answer answer(const struct Request* request) {
  void* const object = pointerTo(request->object);
  switch (request->kind) {
    case REQUEST_OPEN: {
      void* const out = dlopen(request->name, RTLD_NOW | RTLD_LOCAL);
      if (!out) fprintf(stderr, "%s\n", dlerror());
      return (uintptr_t)out;
    }
    case REQUEST_CLOSE:
      return dlclose(object) == 0;
    case REQUEST_FIND:
      return (uintptr_t)dlsym(object, request->name);
    case REQUEST_RUN:
      run(request);
      return 1;
    case REQUEST_ORDER:
      return __BYTE_ORDER == __BIG_ENDIAN;
    default:
      return 0;
  }
}

int main(int count, char** arguments) {
  const int file = count == 2 ? open(arguments[1], O_RDWR) : -1;
  void* const memory =
      mmap(pointerTo(MEMORY_BASE), MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
  if (memory != pointerTo(MEMORY_BASE)) {
    perror("memory of the device");
    return 1;
  }
  struct Request request;
  while (read(REQUESTS_END, &request, sizeof request) == sizeof request) {
    toOwnOrder(&request);
    const Answer out = htole64(answer(&request));
    if (write(ANSWERS_END, &out, sizeof out) != sizeof out) return 1;
  }
  return 0;
}
