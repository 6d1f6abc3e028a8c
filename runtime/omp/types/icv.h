/* icv.h - internal control variables
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Why         OpenMP 5.2, section 2: some ICVs belong to the process (or device) and are fixed once
 *             the environment is read. The others belong to a data environment, one for each task.
 * Use         struct nth_icv has the ICVs of a task. An implicit task starts with a pointer to its
 *             team's copy, so that a fork copies nothing. It gets its own copy at the first
 *             omp_set_ call (nth_icv_mine in member.h). struct nth_env has the ICVs of the process.
 * Invariants  I1  an nth_icv that is shared is never written
 *             I2  only the load-time constructor writes nth_env
 */
#ifndef NTH_OMP_ICV_H
#define NTH_OMP_ICV_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "runtime/place/places/assign.h"

/* omp_sched_t as programs see it (abi/omp_types.h has the same numbers); NTH_BIND_ is in
 * assign.h. */
enum {
  NTH_SCHED_RUNTIME = 0,
  NTH_SCHED_STATIC = 1,
  NTH_SCHED_DYNAMIC = 2,
  NTH_SCHED_GUIDED = 3,
  NTH_SCHED_AUTO = 4,
  /* Ours; OpenMP leaves numbers beyond its own to implementations. docs/running.md tells programs
   * these. */
  NTH_SCHED_TRAPEZOID = 0x101,
  NTH_SCHED_AFFINITY = 0x102,
  NTH_SCHED_GSS = 0x103
};
/* What the compiler passes for schedule(runtime), with the nonmonotonic modifier or without one. A
 * loop with schedule(auto) comes as a static one, so 4 is free there. */
#define NTH_SCHED_RUNTIME_NONMONOTONIC 4u
#define NTH_SCHED_MONOTONIC 0x80000000u

/* Whether omp_set_schedule takes the kind, which is without NTH_SCHED_MONOTONIC. */
static inline bool nth_sched_known(uint32_t kind) {
  return (kind >= NTH_SCHED_STATIC && kind <= NTH_SCHED_AUTO) ||
         (kind >= NTH_SCHED_TRAPEZOID && kind <= NTH_SCHED_GSS);
}

/* The chunk of a kind for which none is given. 0: static has none; with affinity the number of
 * members counts. */
static inline int32_t nth_sched_chunk(uint32_t kind) {
  return kind == NTH_SCHED_STATIC || kind == NTH_SCHED_AFFINITY ? 0 : 1;
}

enum { NTH_MEMBERS_OS, NTH_MEMBERS_NANO, NTH_MEMBERS_AUTO };

/* OMP_DISPLAY_ENV. */
enum { NTH_DISPLAY_NO, NTH_DISPLAY_TRUE, NTH_DISPLAY_VERBOSE };
enum { NTH_OFFLOAD_DEFAULT, NTH_OFFLOAD_MANDATORY, NTH_OFFLOAD_DISABLED };

#define NTH_MAX_LEVELS 255

/* ICVs of one data environment. */
struct nth_icv {
  uint32_t nthreads;           /* nthreads-var; 0: the number of allowed CPUs, not yet counted */
  uint32_t thread_limit;       /* thread-limit-var, UINT32_MAX: none */
  uint32_t run_sched;          /* run-sched-var: NTH_SCHED_ kind | NTH_SCHED_MONOTONIC */
  int32_t run_chunk;           /* its chunk; 0: none, see nth_sched_chunk() */
  int32_t default_device;      /* default-device-var */
  uint8_t dynamic;             /* dyn-var */
  uint8_t bind;                /* bind-var, NTH_BIND_ */
  uint8_t max_active_levels;   /* max-active-levels-var */
  uint8_t unused;              /* 0: equal ICVs are equal bytes, see nth_icv_equal() */
  uintptr_t default_allocator; /* def-allocator-var (omp_allocator_handle_t) */
};

_Static_assert(sizeof(struct nth_icv) % sizeof(uint64_t) == 0, "it is compared by words");

/* Whether all ICVs are equal. Each region asks, so it is no call of memcmp. */
static inline bool nth_icv_equal(const struct nth_icv *a, const struct nth_icv *b) {
  uint64_t x[sizeof *a / sizeof(uint64_t)], y[sizeof x / sizeof x[0]], differ = 0;
  memcpy(x, a, sizeof x);
  memcpy(y, b, sizeof y);
  for (uint32_t i = 0; i < sizeof x / sizeof x[0]; i++)
    differ |= x[i] ^ y[i];
  return differ == 0;
}

/* A value for devices: NAME_ALL, NAME_DEV or NAME_DEV_<n>. No device uses it; it is only shown. */
enum { NTH_SCOPE_ALL = -2, NTH_SCOPE_DEV = -1 }; /* else the device's number */
struct nth_env_scoped {
  struct nth_env_scoped *next;
  int32_t device; /* NTH_SCOPE_ or n */
  uint32_t id;    /* NTH_ENV_ of env_vars.h */
  char value[];   /* as OMP_DISPLAY_ENV shows it */
};

/* Process-wide ICVs and other settings of the environment. Lists are allocated once, never
 * freed. */
struct nth_env {
  struct nth_icv initial;  /* of the initial task of every root */
  uint32_t *nthreads_list; /* OMP_NUM_THREADS by level; NULL: it has fewer than two items */
  uint32_t nthreads_list_len;
  uint8_t *bind_list; /* OMP_PROC_BIND by level; NULL: it has fewer than two items */
  uint32_t bind_list_len;
  uint64_t stacksize;       /* bytes, 0: system default */
  uint64_t stacksize_shown; /* stacksize as given, before it was found too small or too large */
  int wait_policy;          /* NTH_POLICY_ of wait.h */
  bool spincount_given;     /* GOMP_SPINCOUNT was given */
  uint64_t spincount;       /* its value; UINT64_MAX: infinite */
  bool cancellation, display_affinity;
  int target_offload; /* NTH_OFFLOAD_ */
  int32_t max_task_priority;
  uint32_t num_teams, teams_thread_limit; /* 0: not given */
  char *affinity_format;                  /* never NULL */
  const char *allocator_name;             /* OMP_ALLOCATOR as shown, never NULL */
  struct nth_env_scoped *scoped;          /* values for devices, in no order */
  int display_env;                        /* NTH_DISPLAY_ */
  uint32_t debug;                         /* GOMP_DEBUG */
  int32_t acc_device_num;                 /* ACC_DEVICE_NUM */
  const char *acc_device_type;            /* ACC_DEVICE_TYPE, NULL: not given or empty */
  const char *acc_proflib;                /* ACC_PROFLIB, NULL: not given */
  int32_t acc_dims[3];                    /* GOMP_OPENACC_DIM: gang, worker, vector; 0: not given */
  bool fork_gwd;                          /* NTH_FORK=gwd */
  uint8_t members;                        /* NTH_MEMBERS: NTH_MEMBERS_ */
  bool untied_stays;                      /* NTH_UNTIED=stay */
  bool test_move;                         /* for tests: nano-thread members move at each chance */
  bool test_berths;                       /* for tests: each untied task starts on a stack of its
                                           * own; task_berth.h */
  bool test_brief;                        /* for tests: each function is brief after one theft */
  uint8_t pool_policy;                    /* NTH_POOL: enum nth_pool_policy */
  bool price;                             /* NTH_PRICE is not off */
  bool huge_pages;                        /* NTH_HUGE_PAGES=on */
  bool ranges;                            /* NTH_RANGES=on */
  bool single_chunks;                     /* NTH_CLAIMS=single */
  bool verbose;                           /* NTH_VERBOSE is 1 or 2 */
  bool counters;                          /* and it is 2 */
};

/* The values before the environment is read. */
extern char nth_env_format[];
#define NTH_ENV_DEFAULTS                                                                           \
  {.initial = {.thread_limit = UINT32_MAX,                                                         \
               .run_sched = NTH_SCHED_DYNAMIC,                                                     \
               .run_chunk = 1,                                                                     \
               .max_active_levels = 1,                                                             \
               .default_allocator = 1},                                                            \
   .wait_policy = NTH_POLICY_UNSET,                                                                \
   .members = NTH_MEMBERS_AUTO,                                                                    \
   .price = true,                                                                                  \
   .affinity_format = nth_env_format,                                                              \
   .allocator_name = "omp_default_mem_alloc"}

extern struct nth_env nth_env;

/* Process-wide ICVs that programs change. Each is a number of its own, so relaxed access is enough.
 * w: the load-time constructor, omp_set_; r: all */
struct nth_settings {
  _Atomic(uint32_t) num_teams, teams_thread_limit; /* 0: not given */
};
extern struct nth_settings nth_settings;

/* Reads the environment into nth_env. Prints libgomp's messages and the library's own for wrong
 * values; with OMP_DISPLAY_ENV shows the result. The load-time constructor calls it once. Never
 * fails. */
void nth_env_load(void);

#endif
