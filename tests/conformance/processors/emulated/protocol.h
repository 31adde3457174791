/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the runtime (runtime.cpp, on the host) and the program that plays the device (machine.c, of the other processor
 * and under qemu) say to each other over two pipes: a request, then its answer. Both are little-endian. */
#pragma once

#include <stdint.h>

/* The device's memory: a file that both map at this address, which is free in both and below 4 GiB, so that processors
 * of 32 bits have it too. */
#define MEMORY_BASE 0x80000000ul
#define MEMORY_BYTES 0x20000000ul
/* The machine's ends of the pipes. */
#define REQUESTS_END 3
#define ANSWERS_END 4

enum RequestKind {
  REQUEST_OPEN,  /* the shared library `name`; answers its handle */
  REQUEST_CLOSE, /* the library `object` */
  REQUEST_FIND,  /* the symbol `name` of the library `object`; answers its address */
  REQUEST_RUN,   /* the group entry `object` */
  REQUEST_ORDER, /* answers 1 if the processor is big-endian */
};

struct Request {
  uint32_t kind;
  uint32_t groupSize[3], groupCount[3], dynamicSharedBytes;
  uint64_t object;
  uint64_t parameters;                /* address of the packed block */
  uint64_t sharedBytes, contextBytes; /* of a group, as abi::GroupLaunch wants them */
  char name[256];
};

/* 0: there is no such library or symbol. */
typedef uint64_t Answer;
