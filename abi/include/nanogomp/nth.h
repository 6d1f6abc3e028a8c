/* nth.h - nano-threads and batches of threads: the NthLib interface
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of I. E. Venetis, T. S. Papatheodorou, G. R. Gao, "Handling Massive Parallelism
 * Efficiently: Introducing Batches of Threads" (CAPSL Technical Memo 70, 2006), section 4.1, in
 * nanogomp's libgomp.so.1 at version node NTH_1.0; docs/nth.md tells how to use them.
 *
 * A nano-thread is a function with arguments that waits in the ready queue of a processor. It
 * starts by a plain call and runs to its end, or until nth_block(); then its processor does other
 * things meanwhile, and it goes on on the same thread (pthread_self()). It must not leave by
 * longjmp, an exception or pthread_exit.
 *
 * Errors: functions that return int return 0 or an errno value (the paper's return nothing, so its
 * programs compile); those that return a pointer return NULL and set errno. What is refused changes
 * nothing. ENXIO: between nth_exit() and nth_init() there are no nano-threads; ENOMEM: no memory.
 */
#ifndef NANOGOMP_NTH_H
#define NANOGOMP_NTH_H

#ifdef __cplusplus
extern "C" {
#endif

struct nth_desc; /* a nano-thread; opaque */

/* Arguments of a nano-thread at most, and its arguments and successors together. */
#define NTH_ARGS_MAX 8
#define NTH_WORDS_MAX 11

/* --- processors --- */

/* Makes `processors` of them (0: as many as an OpenMP region would have threads). The caller is
 * number 0, the others are threads of the runtime. EBUSY: there are some already; EINVAL: less than
 * 0 or too many; ENOTSUP: not on this machine, or shadow stacks are in force. When the system
 * refuses threads there are fewer. */
int nth_init(int processors);

/* Ends them. By the thread that called nth_init(), outside all other nano-threads: else EPERM.
 * EBUSY: nano-threads are queued, run, are blocked or wait for tasks (nth_depend()). The end of
 * that thread does the same. */
int nth_exit(void);

/* How many there are (`kthreads` in the paper); 0 before nth_init(). */
int nth_processors(void);

/* The calling one's number, from 0 on; -1: a thread that is none. */
int nth_processor(void);

/* Domains of memory that are one around the other: level 0 of processor `which` is the smallest one
 * that has it, each further level the one around, and the last one, the root, has all processors.
 * So many levels there are, 1 on a machine without domains; 0: `which` is no processor. */
int nth_levels(int which);

/* How many processors that domain has; 0: there is none. */
int nth_domain_processors(int which, int level);

/* --- nano-threads --- */

/* The calling nano-thread: the one whose function runs, or the thread itself, for processor 0
 * outside of others and for threads that are no processors, which can create, queue and wait like
 * all. */
struct nth_desc *nth_self(void);

/* A nano-thread that will call nth_func with narg arguments, each of which is a long or as large as
 * one (a pointer), and that waits for ndep others. When it has ended, each of its nsucc successors
 * waits for one less. The successors come first in `...`, then the arguments.
 * With ndep == 0 it is queued by who created it, else by the last one it waits for, on the
 * processor where that ended. EINVAL: a NULL, a number below 0; E2BIG: more than the maxima
 * above. */
struct nth_desc *nth_create(void (*nth_func)(), int ndep, int nsucc, int narg, ...);

/* The same with one successor, or none (NULL). */
struct nth_desc *nth_create_ls(void (*nth_func)(), int ndep, struct nth_desc *succ, int narg, ...);

/* nth waits for n more, which are to be created with nth as successor. EINVAL: nth is in a queue,
 * has ended or is not created; EOVERFLOW: more than 2^28 - 1 in all. nth may be a task's handle
 * (below), until the task has ended. */
int nth_depadd(struct nth_desc *nth, long n);

/* Puts nth into the ready queue of processor `which`, in front of all in it, or at its end. EINVAL:
 * which is no processor, nth is NULL, has ended or is not created; EALREADY: it has been queued;
 * EBUSY: it waits for others. */
int nth_to_lrq(int which, struct nth_desc *nth);
int nth_to_lrq_end(int which, struct nth_desc *nth);

/* Puts nth into the ready queue of a domain, which its processors look into when their own is
 * empty, from level 0 to the root, before they look at each other's: the global queue is the
 * root's. Processors of other domains come last. Errors as nth_to_lrq(); EINVAL also: there is no
 * such level. */
int nth_to_grq(struct nth_desc *nth);
int nth_to_grq_end(struct nth_desc *nth);
int nth_to_domain(int which, int level, struct nth_desc *nth);
int nth_to_domain_end(int which, int level, struct nth_desc *nth);

/* Waits until the caller waits for nothing more. It takes one off what it waits for: add one to the
 * number of its predecessors (nth_depadd(nth_self(), N + 1)), so that it is not taken for ready
 * while it still runs. Inside OpenMP regions and tasks, too. EINVAL: not even that one was added;
 * ENOMEM: no memory for a stack, and it did not wait; ECHILD: in a child process forked
 * meanwhile. */
int nth_block(void);

/* --- batches --- */

/* A batch of num_of_nths members, not created yet; its last one to *last_nth. 0 members: NULL, and
 * no error. EINVAL: less; EOVERFLOW: more than 2^28 - 1. */
struct nth_desc *nth_batch_get_desc(struct nth_desc **last_nth, long num_of_nths);

/* Creates a member of a batch: as nth_create() and nth_create_ls(). EINVAL also: it is none, or has
 * been created. */
int nth_batch_create(struct nth_desc *nth, void (*nth_func)(), int ndep, int nsucc, int narg, ...);
int nth_batch_create_ls(struct nth_desc *nth, void (*nth_func)(), int ndep, struct nth_desc *succ,
                        int narg, ...);

/* The next member; NULL: nth is the last one. NULL with errno EINVAL: nth is NULL or in no batch; a
 * batch that was queued is none any more. */
struct nth_desc *nth_batch_get_next(struct nth_desc *nth);

/* Puts a batch into the ready queue of processor `which`, in front of all in it, or at its end, the
 * first member first. Errors as nth_to_lrq(), for any member; EINVAL also: last_nth does not follow
 * first_nth. All are queued or none. */
int nth_batch_to_lrq(int which, struct nth_desc *first_nth, struct nth_desc *last_nth);
int nth_batch_to_lrq_end(int which, struct nth_desc *first_nth, struct nth_desc *last_nth);

/* The same for the queue of a domain: as nth_to_grq() and nth_to_domain(). */
int nth_batch_to_grq(struct nth_desc *first_nth, struct nth_desc *last_nth);
int nth_batch_to_grq_end(struct nth_desc *first_nth, struct nth_desc *last_nth);
int nth_batch_to_domain(int which, int level, struct nth_desc *first_nth,
                        struct nth_desc *last_nth);
int nth_batch_to_domain_end(int which, int level, struct nth_desc *first_nth,
                            struct nth_desc *last_nth);

/* --- with tasks of OpenMP --- */

/* The end of a task made with detach, for nano-threads as a successor: it has ended when its
 * function has, its event is fulfilled and nth_depadd(task, n) nano-threads have ended. event: an
 * omp_event_handle_t that is not fulfilled yet. EINVAL: it is 0. */
struct nth_desc *nth_task_of(unsigned long event);

/* A child of the calling task, and of its taskgroup, that runs nothing: it has ended when n
 * nano-threads have that have it as a successor; nth_depadd() before that adds more. taskwait and
 * barriers wait for it, as for other children. EINVAL: n < 1; EOVERFLOW: more than 2^28 - 1. */
struct nth_desc *nth_task(long n);

/* How a nano-thread uses what is at an address: as the depend clause says it of a task. */
enum { NTH_IN = 1, NTH_OUT = 2, NTH_INOUT = 3, NTH_MUTEXINOUTSET = 4, NTH_INOUTSET = 5 };

/* To OpenMP nth is a child of the calling task, with depend clauses: address[i] of kind[i], n of
 * them (NULL: all memory). It starts behind earlier siblings that use the same in a conflicting
 * way, later ones start behind it, and taskwait, taskgroup and barriers wait for its end. nth has
 * been created, is queued by nobody, and may wait for nano-threads, too; the last of all queues it.
 * EINVAL: a NULL, a number below 0, an unknown kind, nth is free, no nano-thread or not created;
 * EALREADY: it has been queued; E2BIG: it has NTH_WORDS_MAX arguments and successors: it needs one
 * more; EOVERFLOW: it waits for 2^28 - 1. */
int nth_depend(struct nth_desc *nth, int n, void *const address[], const int kind[]);

/* --- measurements --- */

/* on != 0: from now on processors note when they have found a nano-thread, before they start it. */
int nth_measure(int on);

/* That note, for the calling nano-thread: the time stamp counter (aarch64: cntvct_el0); 0: none. */
unsigned long nth_found(void);

#ifdef __cplusplus
}
#endif

/* In C++, and in C from C23 on, `()` is a function without parameters: functions with some need a
 * cast. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L)
#define NTH_FUNC(f) ((void (*)())(f))
#define nth_create(f, ...) nth_create(NTH_FUNC(f), __VA_ARGS__)
#define nth_create_ls(f, ...) nth_create_ls(NTH_FUNC(f), __VA_ARGS__)
#define nth_batch_create(nth, f, ...) nth_batch_create(nth, NTH_FUNC(f), __VA_ARGS__)
#define nth_batch_create_ls(nth, f, ...) nth_batch_create_ls(nth, NTH_FUNC(f), __VA_ARGS__)
#endif

#endif
