/* tholder.h - threads that are held: pthread_create and pthread_join without their cost
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * After M. Cho and others, "T-holder: A Custom Thread-Holding Library". In nanogomp's libgomp.so.1
 * at version node NTH_1.0; docs/tholder.md tells what a held thread is and what it costs.
 *
 * A program of POSIX threads changes by its prefix only: pthread_create becomes tholder_create,
 * pthread_t tholder_t, and so on. A created thread runs on an OS thread that the runtime holds.
 * When its function has ended, that OS thread waits for the next one. Everything is as with POSIX:
 * a created thread begins with initial thread_local variables and without thread-specific data,
 * with its creator's signal mask and floating-point environment. The destructors of both run at its
 * end, and pthread_exit() and cancellation work. Where a held OS thread could not be made as good
 * as new, it really ends.
 *
 * Errors: the functions return 0 or an errno value, as their namesakes do.
 *   EAGAIN   the system refuses another thread
 *   EINVAL   a NULL argument; the thread is detached, or another thread is already joining it
 *   ESRCH    there is no such thread: it has been joined, or it was detached and has ended
 *   EDEADLK  the thread would wait for itself, or each of two threads for the other
 */
#ifndef NANOGOMP_THOLDER_H
#define NANOGOMP_THOLDER_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t tholder_t; /* a created thread; 0 is none */

/* Creates a thread that runs start(argument). attributes NULL: the default ones. A thread that asks
 * for what held OS threads do not have (a larger stack or guard, a stack of its own, a scheduling
 * policy, CPUs, a signal mask) gets an OS thread for itself. */
int tholder_create(tholder_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument);

/* Waits until the thread has ended. result NULL: its result is dropped. A cancellation point; if
 * the caller is cancelled there, the thread can still be joined. */
int tholder_join(tholder_t thread, void **result);

/* Nobody will join the thread. */
int tholder_detach(tholder_t thread);

/* The calling thread. Threads that were made in other ways have a tholder_t too, but no one can
 * join them by it. 0: no memory. */
tholder_t tholder_self(void);

/* Not 0 if both are the same thread. */
int tholder_equal(tholder_t a, tholder_t b);

/* Asks the thread to end at its next cancellation point (pthread_cancel). */
int tholder_cancel(tholder_t thread);

/* Ends the calling thread with this result (pthread_exit). */
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void tholder_exit(void *result);

/* What tholder_config() sets. */
enum tholder_setting {
  THOLDER_IDLE_NS = 1,  /* time after which an idle OS thread ends; 0: learned (the default) */
  THOLDER_IDLE_MOST = 2 /* the most OS threads that are idle at a time; -1: any number */
};

/* EINVAL: no such setting, or a value that it cannot have. */
int tholder_config(int setting, int64_t value);

/* How many there are, or were. */
struct tholder_counts {
  uint64_t created; /* threads created so far */
  uint64_t made;    /* OS threads made for them so far */
  uint64_t own;     /* of these, the ones for a single thread */
  uint32_t held;    /* OS threads held now, */
  uint32_t idle;    /* and how many of them are idle */
  uint64_t idle_ns; /* time after which an idle one ends */
};
int tholder_count(struct tholder_counts *counts);

/* The rest of a program's names. */
typedef pthread_attr_t tholder_attr_t;
#define tholder_attr_init pthread_attr_init
#define tholder_attr_destroy pthread_attr_destroy
#define tholder_attr_setdetachstate pthread_attr_setdetachstate
#define tholder_attr_getdetachstate pthread_attr_getdetachstate
#define tholder_attr_setstacksize pthread_attr_setstacksize
#define tholder_attr_getstacksize pthread_attr_getstacksize
#define tholder_attr_setguardsize pthread_attr_setguardsize
#define tholder_attr_getguardsize pthread_attr_getguardsize
#define THOLDER_CREATE_JOINABLE PTHREAD_CREATE_JOINABLE
#define THOLDER_CREATE_DETACHED PTHREAD_CREATE_DETACHED

#ifdef __cplusplus
}
#endif

#endif
