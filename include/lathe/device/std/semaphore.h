// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// <semaphore.h>: POSIX's semaphores. Declarations only.
#ifndef LATHE_STD_SEMAPHORE_H
#define LATHE_STD_SEMAPHORE_H
struct timespec;
typedef struct {
  long lathe_state[4];
} sem_t;
extern "C" {
int sem_init(sem_t*, int, unsigned) noexcept;
int sem_destroy(sem_t*) noexcept;
sem_t* sem_open(const char*, int, ...) noexcept;
int sem_close(sem_t*) noexcept;
int sem_unlink(const char*) noexcept;
int sem_wait(sem_t*);
int sem_trywait(sem_t*) noexcept;
int sem_timedwait(sem_t*, const timespec*);
int sem_post(sem_t*) noexcept;
int sem_getvalue(sem_t*, int*) noexcept;
}
#endif
