// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX's <pthread.h>, the part that programs around kernels use. Declarations only: the functions run on the host, and nothing of them is ever emitted for a device.
#ifndef LATHE_STD_PTHREAD_H
#define LATHE_STD_PTHREAD_H
#include <sched.h>
#include <time.h>
typedef unsigned long pthread_t;
typedef unsigned pthread_key_t;
typedef int pthread_once_t;
typedef struct { long state[8]; } pthread_attr_t, pthread_mutex_t, pthread_mutexattr_t, pthread_cond_t, pthread_condattr_t;
typedef struct { long state[8]; } pthread_rwlock_t, pthread_rwlockattr_t, pthread_barrier_t, pthread_barrierattr_t;
#define PTHREAD_MUTEX_INITIALIZER {}
#define PTHREAD_COND_INITIALIZER {}
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
extern "C" {
int pthread_create(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*) noexcept;
int pthread_join(pthread_t, void**);
int pthread_detach(pthread_t) noexcept;
pthread_t pthread_self() noexcept;
[[noreturn]] void pthread_exit(void*);
int pthread_attr_init(pthread_attr_t*) noexcept;
int pthread_attr_destroy(pthread_attr_t*) noexcept;
int pthread_attr_setdetachstate(pthread_attr_t*, int) noexcept;
int pthread_attr_setstacksize(pthread_attr_t*, size_t) noexcept;
int pthread_mutex_init(pthread_mutex_t*, const pthread_mutexattr_t*) noexcept;
int pthread_mutex_destroy(pthread_mutex_t*) noexcept;
int pthread_mutex_lock(pthread_mutex_t*) noexcept;
int pthread_mutex_trylock(pthread_mutex_t*) noexcept;
int pthread_mutex_unlock(pthread_mutex_t*) noexcept;
int pthread_cond_init(pthread_cond_t*, const pthread_condattr_t*) noexcept;
int pthread_cond_destroy(pthread_cond_t*) noexcept;
int pthread_cond_wait(pthread_cond_t*, pthread_mutex_t*);
int pthread_cond_timedwait(pthread_cond_t*, pthread_mutex_t*, const struct timespec*);
int pthread_cond_signal(pthread_cond_t*) noexcept;
int pthread_cond_broadcast(pthread_cond_t*) noexcept;
int pthread_barrier_init(pthread_barrier_t*, const pthread_barrierattr_t*, unsigned) noexcept;
int pthread_barrier_wait(pthread_barrier_t*) noexcept;
int pthread_barrier_destroy(pthread_barrier_t*) noexcept;
int pthread_once(pthread_once_t*, void (*)());
int pthread_equal(pthread_t, pthread_t) noexcept;
int pthread_key_create(pthread_key_t*, void (*)(void*)) noexcept;
int pthread_key_delete(pthread_key_t) noexcept;
void* pthread_getspecific(pthread_key_t) noexcept;
int pthread_setspecific(pthread_key_t, const void*) noexcept;
int pthread_setaffinity_np(pthread_t, size_t, const cpu_set_t*) noexcept;
}
#endif
