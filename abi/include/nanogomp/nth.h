/* nth.h - nano-threads and batches of threads: the NthLib interface
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of I. E. Venetis, T. S. Papatheodorou, G. R. Gao, "Handling Massive Parallelism
 * Efficiently: Introducing Batches of Threads" (CAPSL Technical Memo 70, 2006), section 4.1, in
 * nanogomp's libgomp.so.1 at version node NTH_1.0; docs/nth.md tells how to use them.
 *
 * A nano-thread is a function with arguments that waits in the ready queue of a processor. It
 * starts by a plain call and runs to its end. If it calls nth_block(), its processor runs others
 * until it can go on, and it goes on on the same thread (pthread_self()). It must not leave by
 * longjmp, an exception or pthread_exit.
 *
 * Errors: functions that return int return 0 or an errno value (the paper's return nothing, so its
 * programs compile); those that return a pointer return NULL and set errno. A refused call changes
 * nothing. ENXIO: there are no nano-threads before nth_init() and after nth_exit(); ENOMEM: no
 * memory.
 */
#ifndef NANOGOMP_NTH_H
#define NANOGOMP_NTH_H

#ifdef __cplusplus
extern "C" {
#endif

struct nth_desc; /* a nano-thread; opaque */

/* The most arguments of a nano-thread, and the most arguments and successors together. */
#define NTH_ARGS_MAX 8
#define NTH_WORDS_MAX 11

/* --- processors --- */

/* Makes processors; 0: as many as an OpenMP region would have threads. The caller is number 0, the
 * others are threads of the runtime. If the system refuses threads there are fewer. EBUSY: there
 * are processors already; EINVAL: `processors` is below 0 or too large; ENOTSUP: not on this
 * machine, or shadow stacks are in force. */
int nth_init(int processors);

/* Ends the processors. By the thread that called nth_init(), outside all other nano-threads: else
 * EPERM. EBUSY: nano-threads are queued, running or blocked, or wait for tasks (nth_depend()). When
 * that thread ends, it does the same. */
int nth_exit(void);

/* How many there are (`kthreads` in the paper); 0 before nth_init(). */
int nth_processors(void);

/* The number of the calling processor, from 0 on; -1: the caller is none. */
int nth_processor(void);

/* From now on the program uses at most that many processors, those with the lowest numbers; 0: all.
 * A processor beyond them goes away when its nano-thread has ended or blocks; when one that has
 * blocked there can go on, it comes back for that one. What is queued for it goes to the others. A
 * processor that is given back comes at once. Any thread may ask, at any time; so may other
 * processes: environment variable NTH_SHARE, docs/nth.md. Without nth_init() the request holds for
 * the OS threads that run members of OpenMP regions. EINVAL: `processors` is below 0. */
int nth_request(int processors);

/* What was asked for last, by the program or from outside; 0: all. */
int nth_requested(void);

/* How many processors are not away. Without nth_init(): how many OS threads run members of regions,
 * or may; 0 as long as nothing was ever asked. */
int nth_running(void);

/* How many memory domains processor `which` is in, each inside the next. Level 0 is the smallest of
 * them, each further level is the domain around it, and the last one, the root, has all processors.
 * 1 on a machine without domains; 0: there is no processor `which`. */
int nth_levels(int which);

/* How many processors that domain has; 0: there is no such domain. */
int nth_domain_processors(int which, int level);

/* --- nano-threads --- */

/* The calling nano-thread: the one whose function runs. Outside of nano-threads, on processor 0 or
 * in a thread that is no processor, it stands for the thread itself, which can create, queue and
 * wait like a nano-thread. */
struct nth_desc *nth_self(void);

/* Creates a nano-thread that will call nth_func with narg arguments, each of which is a long or as
 * large as one (a pointer). It waits for ndep others. When it has ended, each of its nsucc
 * successors waits for one less. In `...` the successors come first, then the arguments.
 * With ndep == 0 the program queues it. Else the last one it waits for queues it, on the processor
 * where that one ended. EINVAL: a NULL, a number below 0; E2BIG: more than the maxima above. */
struct nth_desc *nth_create(void (*nth_func)(), int ndep, int nsucc, int narg, ...);

/* The same with one successor, or none (NULL). */
struct nth_desc *nth_create_ls(void (*nth_func)(), int ndep, struct nth_desc *succ, int narg, ...);

/* nth waits for n more nano-threads, which are to be created with nth as successor. EINVAL: nth is
 * in a queue, has ended or is not created; EOVERFLOW: more than 2^28 - 1 in all. nth may be a
 * task's handle (below) until the task has ended. */
int nth_depadd(struct nth_desc *nth, long n);

/* Puts nth into the ready queue of processor `which`, in front of all others in it, or at its end.
 * EINVAL: there is no such processor; nth is NULL, has ended or is not created. EALREADY: it has
 * been queued; EBUSY: it waits for others. */
int nth_to_lrq(int which, struct nth_desc *nth);
int nth_to_lrq_end(int which, struct nth_desc *nth);

/* Puts nth into the ready queue of a domain; the global queue is the root's. A processor whose own
 * queue is empty looks into those of its domains, from level 0 to the root, before it looks at
 * other processors' queues. Queues of other domains come last. The queue of a smallest domain with
 * one processor is that processor's own. Errors as nth_to_lrq(); EINVAL also: there is no such
 * level. */
int nth_to_grq(struct nth_desc *nth);
int nth_to_grq_end(struct nth_desc *nth);
int nth_to_domain(int which, int level, struct nth_desc *nth);
int nth_to_domain_end(int which, int level, struct nth_desc *nth);

/* Waits until all that the caller waits for have ended. The call takes one off what the caller
 * waits for. So add one to the number of its predecessors (nth_depadd(nth_self(), N + 1)): without
 * it the caller would be taken for ready while it still runs. It may be called inside OpenMP
 * regions and tasks, too. EINVAL: not even that one was added; ENOMEM: no memory for a stack, and
 * it did not wait; ECHILD: in a child process that was forked while it waited. */
int nth_block(void);

/* --- batches --- */

/* Gets a batch of num_of_nths members, not created yet. Returns the first; *last_nth becomes the
 * last. 0 members: NULL, and no error. EINVAL: fewer than 0; EOVERFLOW: more than 2^28 - 1. */
struct nth_desc *nth_batch_get_desc(struct nth_desc **last_nth, long num_of_nths);

/* Creates a member of a batch, as nth_create() and nth_create_ls() do. EINVAL also: nth is no
 * member of a batch, or has been created. */
int nth_batch_create(struct nth_desc *nth, void (*nth_func)(), int ndep, int nsucc, int narg, ...);
int nth_batch_create_ls(struct nth_desc *nth, void (*nth_func)(), int ndep, struct nth_desc *succ,
                        int narg, ...);

/* The next member; NULL: nth is the last one. NULL with errno EINVAL: nth is NULL or in no batch. A
 * batch that was queued is no batch any longer. */
struct nth_desc *nth_batch_get_next(struct nth_desc *nth);

/* Puts a batch into the ready queue of processor `which`, in front of all others in it, or at its
 * end. The first member comes first. Errors as nth_to_lrq(), for any member; EINVAL also: last_nth
 * does not follow first_nth. All members are queued, or none. */
int nth_batch_to_lrq(int which, struct nth_desc *first_nth, struct nth_desc *last_nth);
int nth_batch_to_lrq_end(int which, struct nth_desc *first_nth, struct nth_desc *last_nth);

/* The same for the queue of a domain: as nth_to_grq() and nth_to_domain(). */
int nth_batch_to_grq(struct nth_desc *first_nth, struct nth_desc *last_nth);
int nth_batch_to_grq_end(struct nth_desc *first_nth, struct nth_desc *last_nth);
int nth_batch_to_domain(int which, int level, struct nth_desc *first_nth,
                        struct nth_desc *last_nth);
int nth_batch_to_domain_end(int which, int level, struct nth_desc *first_nth,
                            struct nth_desc *last_nth);

/* --- loops --- */

/* How a loop is cut into chunks; the numbers are those of omp_get_schedule(). NTH_RUNTIME: as
 * OMP_SCHEDULE or omp_set_schedule() say. */
enum {
  NTH_RUNTIME = 0,
  NTH_STATIC = 1,
  NTH_DYNAMIC = 2,
  NTH_GUIDED = 3,
  NTH_AUTO = 4,
  NTH_TRAPEZOID = 0x101,
  NTH_AFFINITY = 0x102,
  NTH_GSS = 0x103
};

/* Runs body(from, to, data) on the processors for chunks from .. to - 1 that are together begin ..
 * end - 1, and waits for all. chunk is what OMP_SCHEDULE takes behind the comma, docs/running.md;
 * 0: not given. A processor that the program may not use any longer (nth_request()) goes away at
 * the end of a chunk, and takes part again when it is given back. May be called by all that may
 * call nth_block(), also in a body. EINVAL: body is NULL, chunk is below 0, there is no such
 * schedule; ENOMEM: it has called nothing; ECHILD: as nth_block(). */
int nth_loop_run(long begin, long end, int schedule, long chunk,
                 void (*body)(long from, long to, void *data), void *data);

/* --- with tasks of OpenMP --- */

/* A task made with detach, as a handle that nano-threads may have as a successor. The task has
 * ended when its function has returned, its event is fulfilled, and as many nano-threads have ended
 * as nth_depadd(task, n) has added. event: an omp_event_handle_t that is not fulfilled yet. EINVAL:
 * it is 0. */
struct nth_desc *nth_task_of(unsigned long event);

/* Makes a child of the calling task, and of its taskgroup, that runs nothing. It has ended when the
 * n nano-threads that have it as a successor have ended; until then nth_depadd() can add more.
 * taskwait and barriers wait for it as for other children. EINVAL: n < 1; EOVERFLOW: more than
 * 2^28 - 1. */
struct nth_desc *nth_task(long n);

/* How a nano-thread uses what is at an address, as a depend clause says it of a task. */
enum { NTH_IN = 1, NTH_OUT = 2, NTH_INOUT = 3, NTH_MUTEXINOUTSET = 4, NTH_INOUTSET = 5 };

/* Makes nth a child of the calling task for OpenMP, with n depend clauses: kind[i] for address[i]
 * (NULL: all memory). nth starts after earlier siblings that use the same address in a conflicting
 * way, and such later siblings start after nth. taskwait, taskgroup and barriers wait for its end.
 * nth has been created, and the program does not queue it. It may wait for nano-threads, too; the
 * last one of all that it waits for queues it. EINVAL: a NULL, a number below 0, an unknown kind;
 * nth is free, no nano-thread, or not created. EALREADY: it has been queued; E2BIG: it has
 * NTH_WORDS_MAX arguments and successors, and it needs one more; EOVERFLOW: it waits for
 * 2^28 - 1; ENOMEM: no memory for what describes the n clauses. The tables of addresses wait for
 * memory, as they do for tasks. */
int nth_depend(struct nth_desc *nth, int n, void *const address[], const int kind[]);

/* --- measurements --- */

/* on != 0: from now on processors note the time at which they find a nano-thread. */
int nth_measure(int on);

/* The time noted for the calling nano-thread, before it was started: the time stamp counter
 * (aarch64: cntvct_el0); 0: none. */
unsigned long nth_found(void);

#ifdef __cplusplus
}
#endif

/* In C++, and in C from C23 on, `()` is a function without parameters. A function with parameters
 * needs a cast. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L)
#define NTH_FUNC(f) ((void (*)())(f))
#define nth_create(f, ...) nth_create(NTH_FUNC(f), __VA_ARGS__)
#define nth_create_ls(f, ...) nth_create_ls(NTH_FUNC(f), __VA_ARGS__)
#define nth_batch_create(nth, f, ...) nth_batch_create(nth, NTH_FUNC(f), __VA_ARGS__)
#define nth_batch_create_ls(nth, f, ...) nth_batch_create_ls(nth, NTH_FUNC(f), __VA_ARGS__)
#endif

#endif
