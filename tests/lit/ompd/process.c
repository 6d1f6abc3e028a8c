/* process.c - OMPD over a process and over its core file, compared with what the program knows */
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The test is the debugger: it reads /proc/PID/mem, or the core, for libompd.so. Checks threads by
// both of their numbers; the regions of each level; current, generating and scheduling tasks; ICVs;
// states; functions and frames; which codes bad, foreign and stale handles give; that a library of
// another version is refused with a line; and that all memory comes back.
// nanogomp-only: libgomp has no OMPD
// REQUIRES: base
// REQUIRES: nanogomp
// UNSUPPORTED: sanitizer, emulated
// RUN: %omp_build %S/Inputs/target.c -o %t.target -O0
// RUN: %omp_build %s -o %t -I%ompt
// RUN: env OMP_DEBUG=enabled NTH_MEMBERS=os %omp_run %t %t.target %t.core
// RUN: env OMP_DEBUG=enabled NTH_MEMBERS=nano %omp_run %t %t.target
// RUN: env NTH_MEMBERS=os %omp_run %t %t.target
// RUN: env NTH_MEMBERS=nano NTH_FORK=gwd %omp_run %t %t.target
#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>

#include "Inputs/facts.h"
#include "Inputs/process.h"

static bool tracked, nano; /* OMP_DEBUG=enabled; members are nano-threads */
static struct fact facts[THREADS];

/* --- the watched program --- */

static int pid, to_target, from_target;

static void start(const char *program) {
  int in[2], out[2];
  CHECK(pipe(in) == 0 && pipe(out) == 0);
  pid = fork();
  CHECK(pid >= 0);
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    execl(program, program, (char *)0);
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  to_target = in[1];
  from_target = out[0];
  CHECK(read(from_target, facts, sizeof facts) == sizeof facts);
}

static void stop(void) {
  int status;
  CHECK(kill(pid, SIGSTOP) == 0 && waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status));
}

static void load(ompd_address_space_context_t *c) {
  ompd_address_t at;
  uint64_t list, first;
  char path[4096] = "";
  ompd_word_t version;
  const char *text;
  OK(cb_symbol(c, 0, "ompd_dll_locations", &at, 0));
  OK(cb_read(c, 0, &at, 8, &list));
  OK(cb_read(c, 0, &(ompd_address_t){0, list}, 8, &first));
  for (int i = 0; i == 0 || path[i - 1]; i++)
    OK(cb_read(c, 0, &(ompd_address_t){0, first + (uint64_t)i}, 1, &path[i]));
  void *library = dlopen(path, RTLD_NOW);
  if (!library)
    fprintf(stderr, "%s\n", dlerror());
  CHECK(library);
  load_functions(library);
  CHECK_EQ(o.process_initialize(c, &(ompd_address_space_handle_t *){0}), ompd_rc_bad_input);
  CHECK_EQ(o.initialize(201811, 0), ompd_rc_bad_input);
  CHECK_EQ(o.initialize(1, &callbacks), ompd_rc_unsupported);
  OK(o.initialize(201811, &callbacks));
  OK(o.get_api_version(&version));
  OK(o.get_version_string(&text));
  CHECK(version >= 201811 && strstr(text, "nanogomp"));
}

/* --- ICVs --- */

static ompd_icv_id_t icv_id(ompd_address_space_handle_t *s, const char *wanted) {
  ompd_icv_id_t id = ompd_icv_undefined;
  const char *name;
  ompd_scope_t scope;
  for (int more = 1; more;) {
    OK(o.enumerate_icvs(s, id, &id, &name, &scope, &more));
    if (strcmp(name, wanted) == 0)
      return id;
  }
  CHECK_EQ(o.enumerate_icvs(s, id, &id, &name, &scope, &(int){0}), ompd_rc_bad_input);
  fprintf(stderr, "no %s\n", wanted);
  CHECK(false);
  return 0;
}

static int64_t icv(ompd_address_space_handle_t *s, void *handle, ompd_scope_t scope,
                   const char *name) {
  ompd_word_t value = -77;
  OK(o.get_icv_from_scope(handle, scope, icv_id(s, name), &value));
  return value;
}

static void check_icvs(ompd_address_space_handle_t *s, const struct fact *f,
                       ompd_thread_handle_t *t, ompd_task_handle_t *task) {
  static const char *const kinds[] = {"", "static", "dynamic", "guided", "auto"};
  char schedule[64];
  const char *text;
  void *handles[] = {t, task};
  ompd_scope_t scopes[] = {ompd_scope_thread, ompd_scope_task};
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(icv(s, handles[i], scopes[i], "nthreads-var"), f->max_threads);
    CHECK_EQ(icv(s, handles[i], scopes[i], "dyn-var"), f->dynamic);
    CHECK_EQ(icv(s, handles[i], scopes[i], "max-active-levels-var"), f->max_active_levels);
    CHECK_EQ(icv(s, handles[i], scopes[i], "thread-limit-var"), f->thread_limit);
    CHECK_EQ(icv(s, handles[i], scopes[i], "bind-var"), f->bind);
    OK(o.get_icv_string_from_scope(handles[i], scopes[i], icv_id(s, "run-sched-var"), &text));
    snprintf(schedule, sizeof schedule, "%s,%d", kinds[f->sched_kind], f->sched_chunk);
    CHECK(strcmp(text, schedule) == 0);
    cb_free((void *)(uintptr_t)text);
  }
  CHECK_EQ(icv(s, t, ompd_scope_thread, "thread-num-var"), f->at[f->level].num);
  CHECK_EQ(icv(s, t, ompd_scope_thread, "ompd-thread-num-var"), f->at[f->level].num);
  CHECK_EQ(icv(s, s, ompd_scope_address_space, "tool-var"), 1);
  OK(o.get_icv_string_from_scope(s, ompd_scope_address_space, icv_id(s, "tool-libraries-var"),
                                 &text));
  CHECK(strcmp(text, getenv("OMP_TOOL_LIBRARIES") ? getenv("OMP_TOOL_LIBRARIES") : "") == 0);
  cb_free((void *)(uintptr_t)text);
  CHECK_EQ(icv(s, s, ompd_scope_address_space, "debug-var"), tracked);
  if (tracked)
    CHECK_EQ(icv(s, s, ompd_scope_address_space, "num-procs-var"), f->procs);
}

/* --- regions --- */

/* From t's region outwards, each level is as the program knows it. */
static void check_regions(ompd_address_space_handle_t *s, const struct fact *f,
                          ompd_thread_handle_t *t) {
  ompd_parallel_handle_t *r, *outer;
  ompd_thread_handle_t *mine, *none;
  ompd_task_handle_t *task;
  int order;
  OK(o.get_curr_parallel_handle(t, &r));
  for (int level = f->level; level >= 0; level--) {
    int num = f->at[level].num, size = f->at[level].size;
    CHECK_EQ(icv(s, r, ompd_scope_parallel, "levels-var"), level);
    CHECK_EQ(icv(s, r, ompd_scope_parallel, "active-levels-var"), level); /* all have more than 1 */
    CHECK_EQ(icv(s, r, ompd_scope_parallel, "team-size-var"), size);
    OK(o.get_thread_in_parallel(r, num, &mine));
    OK(o.thread_handle_compare(mine, t, &order));
    /* a slave's ancestor is its master, another thread */
    bool same = true;
    for (int inner = level + 1; inner <= f->level; inner++)
      same &= f->at[inner].num == 0;
    CHECK_EQ(order == 0, same);
    OK(o.rel_thread_handle(mine));
    OK(o.get_task_in_parallel(r, num, &task));
    CHECK_EQ(icv(s, task, ompd_scope_task, "implicit-task-var"), 1);
    OK(o.rel_task_handle(task));
    CHECK_EQ(o.get_thread_in_parallel(r, size, &none), ompd_rc_bad_input);
    CHECK_EQ(o.get_thread_in_parallel(r, -1, &none), ompd_rc_bad_input);
    CHECK_EQ(o.get_task_in_parallel(r, size, &task), ompd_rc_bad_input);
    ompd_rc_t rc = o.get_enclosing_parallel_handle(r, &outer);
    CHECK_EQ(rc, level > 0 ? ompd_rc_ok : ompd_rc_unavailable);
    if (level > 0) {
      OK(o.parallel_handle_compare(r, outer, &order));
      CHECK(order != 0);
    }
    OK(o.rel_parallel_handle(r));
    r = outer;
  }
}

/* --- tasks --- */

/* The address that the fact has lies in the function, and the frame between the library's. */
static void check_code(const struct fact *f, ompd_task_handle_t *task, bool waits) {
  ompd_address_t entry;
  ompd_frame_info_t leave, enter;
  if (!tracked) {
    CHECK_EQ(o.get_task_frame(task, &leave, &enter), ompd_rc_needs_state_tracking);
    return;
  }
  OK(o.get_task_function(task, &entry));
  CHECK(entry.address < f->inside && f->inside < entry.address + 5000);
  OK(o.get_task_frame(task, &leave, &enter));
  CHECK(leave.frame_address.address > f->frame && leave.frame_address.address < f->frame + 8192);
  CHECK(leave.frame_flag == (ompt_frame_runtime | ompt_frame_framepointer));
  if (waits)
    CHECK(enter.frame_address.address < f->frame && enter.frame_address.address + 8192 > f->frame);
  else
    CHECK_EQ(enter.frame_address.address, 0);
}

/* Generating tasks from the thread's current one to the initial task: `explicit` ones first. */
static void check_tasks(ompd_address_space_handle_t *s, const struct fact *f,
                        ompd_thread_handle_t *t, int explicit) {
  ompd_task_handle_t *task, *maker, *below;
  ompd_parallel_handle_t *r, *mine;
  int order, level = f->level;
  OK(o.get_curr_task_handle(t, &task));
  CHECK_EQ(icv(s, task, ompd_scope_task, "final-task-var"), explicit == 2);
  for (;;) {
    CHECK_EQ(icv(s, task, ompd_scope_task, "implicit-task-var"), explicit == 0);
    if (f == &facts[TASKS] && level == 1) /* its own ICVs, in the region that it has opened */
      CHECK_EQ(icv(s, task, ompd_scope_task, "nthreads-var"), 5);
    OK(o.get_task_parallel_handle(task, &r));
    CHECK_EQ(icv(s, r, ompd_scope_parallel, "levels-var"), level);
    if (level == f->level) {
      OK(o.get_curr_parallel_handle(t, &mine));
      OK(o.parallel_handle_compare(r, mine, &order));
      CHECK_EQ(order, 0);
      OK(o.rel_parallel_handle(mine));
    }
    OK(o.rel_parallel_handle(r));
    ompd_rc_t rc = o.get_generating_task_handle(task, &maker);
    ompd_rc_t wanted = explicit || level ? ompd_rc_ok : ompd_rc_unavailable;
    CHECK_EQ(rc, wanted);
    rc = o.get_scheduling_task_handle(task, &below);
    CHECK_EQ(rc, explicit && !tracked ? ompd_rc_needs_state_tracking : wanted);
    if (rc == ompd_rc_ok) {
      OK(o.task_handle_compare(maker, below, &order)); /* none of them was deferred */
      CHECK_EQ(order, 0);
      OK(o.task_handle_compare(task, below, &order));
      CHECK(order != 0);
      OK(o.rel_task_handle(below));
    }
    OK(o.rel_task_handle(task));
    if (wanted != ompd_rc_ok)
      return;
    task = maker;
    if (explicit)
      explicit--;
    else
      level--;
  }
}

/* --- threads --- */

static ompd_thread_handle_t *thread(ompd_address_space_handle_t *s, const struct fact *f) {
  ompd_thread_handle_t *t;
  uint64_t id = 0;
  OK(o.get_thread_handle(s, OMPD_THREAD_ID_PTHREAD, 8, &f->pthread, &t));
  OK(o.get_thread_id(t, OMPD_THREAD_ID_PTHREAD, 8, &id));
  CHECK_EQ(id, f->pthread);
  return t;
}

/* By the OS thread's number; a nano-thread that waits has none. */
static void check_lwp(ompd_address_space_handle_t *s, const struct fact *f,
                      ompd_thread_handle_t *t) {
  ompd_thread_handle_t *same;
  uint32_t id = 0;
  uint64_t wide = 0;
  int order;
  ompd_rc_t rc = o.get_thread_id(t, OMPD_THREAD_ID_LWP, 4, &id);
  if (nano && rc == ompd_rc_unavailable)
    return;
  CHECK_EQ(rc, ompd_rc_ok);
  if (!nano)
    CHECK_EQ(id, f->thread);
  OK(o.get_thread_id(t, OMPD_THREAD_ID_LWP, 8, &wide));
  CHECK_EQ(wide, id);
  OK(o.get_thread_handle(s, OMPD_THREAD_ID_LWP, 4, &id, &same));
  OK(o.thread_handle_compare(t, same, &order));
  CHECK_EQ(order, 0);
  OK(o.rel_thread_handle(same));
}

/* The states in which the threads stay; what was not noted is seen, but for a lock. */
static int64_t state_of(int who) {
  switch (who) {
  case LOCKED: return tracked ? ompt_state_wait_lock : ompt_state_work_parallel;
  case BARRIER: return tracked ? ompt_state_wait_barrier_explicit : ompt_state_wait_barrier;
  case PLAIN: return ompt_state_work_serial;
  default: return ompt_state_work_parallel;
  }
}

static bool settled(ompd_address_space_handle_t *s) {
  bool all = true;
  for (int i = 0; i < THREADS; i++) {
    ompd_thread_handle_t *t = thread(s, &facts[i]);
    ompd_word_t state;
    ompd_wait_id_t wait;
    OK(o.get_state(t, &state, &wait));
    all &= state == state_of(i) && wait == (i == LOCKED && tracked ? facts[i].lock : 0);
    OK(o.rel_thread_handle(t));
  }
  return all;
}

static void check_all(ompd_address_space_handle_t *s) {
  for (int i = 0; i < THREADS; i++) {
    const struct fact *f = &facts[i];
    ompd_thread_handle_t *t = thread(s, f);
    ompd_task_handle_t *task;
    check_lwp(s, f, t);
    check_regions(s, f, t);
    check_tasks(s, f, t, i == TASKS ? 2 : 0);
    OK(o.get_curr_task_handle(t, &task));
    check_icvs(s, f, t, task);
    if (i != PLAIN)
      check_code(f, task, i == LOCKED || i == BARRIER);
    OK(o.rel_task_handle(task));
    OK(o.rel_thread_handle(t));
  }
  CHECK(settled(s));
}

/* --- states, settings, versions --- */

static void check_space(ompd_address_space_handle_t *s) {
  ompd_word_t state = ompt_state_undefined, more = 1, version;
  const char *name, *const *vars;
  bool idle = false, levels = false;
  for (; more; idle |= state == ompt_state_idle)
    OK(o.enumerate_states(s, state, &state, &name, &more));
  CHECK(idle && strncmp(name, "ompt_state_", 11) == 0);
  CHECK_EQ(o.enumerate_states(s, 12345, &state, &name, &more), ompd_rc_bad_input);
  OK(o.get_omp_version(s, &version));
  CHECK_EQ(version, 202111);
  OK(o.get_omp_version_string(s, &name));
  OK(o.get_display_control_vars(s, &vars));
  for (int i = 0; vars[i]; i++)
    levels |= strncmp(vars[i], "OMP_MAX_ACTIVE_LEVELS=", 22) == 0;
  CHECK(levels);
  OK(o.rel_display_control_vars(&vars));
}

/* --- wrong use --- */

static void check_codes(ompd_address_space_context_t *c, ompd_address_space_handle_t *s) {
  ompd_thread_handle_t *t = thread(s, &facts[TASKS]), *none = 0;
  ompd_parallel_handle_t *r = 0;
  ompd_task_handle_t *task = 0;
  ompd_word_t value;
  ompd_address_t at;
  uint64_t id = facts[TASKS].pthread, nobody = 1;
  OK(o.get_curr_parallel_handle(t, &r));
  OK(o.get_curr_task_handle(t, &task));
  CHECK_EQ(o.get_thread_handle(0, 0, 8, &id, &none), ompd_rc_stale_handle);
  CHECK_EQ(o.get_thread_handle(s, 0, 8, 0, &none), ompd_rc_bad_input);
  CHECK_EQ(o.get_thread_handle(s, 0, 8, &id, 0), ompd_rc_bad_input);
  CHECK_EQ(o.get_thread_handle(s, 0, 3, &id, &none), ompd_rc_bad_input);
  CHECK_EQ(o.get_thread_handle(s, OMPD_THREAD_ID_WINTHREAD, 8, &id, &none), ompd_rc_unsupported);
  CHECK_EQ(o.get_thread_handle(s, 0, 8, &nobody, &none), ompd_rc_unavailable);
  CHECK_EQ(o.get_thread_handle((void *)t, 0, 8, &id, &none), ompd_rc_stale_handle);
  CHECK_EQ(o.get_curr_parallel_handle((void *)r, &r), ompd_rc_stale_handle);
  CHECK_EQ(o.get_curr_parallel_handle(0, &r), ompd_rc_stale_handle);
  CHECK_EQ(o.get_curr_task_handle((void *)task, &task), ompd_rc_stale_handle);
  CHECK_EQ(o.get_generating_task_handle((void *)t, &task), ompd_rc_stale_handle);
  CHECK_EQ(o.get_state(t, 0, 0), ompd_rc_bad_input);
  CHECK_EQ(o.rel_thread_handle((void *)s), ompd_rc_stale_handle);
  CHECK_EQ(o.rel_task_handle(0), ompd_rc_stale_handle);
  CHECK_EQ(o.get_icv_from_scope(t, ompd_scope_thread, 0, &value), ompd_rc_bad_input);
  CHECK_EQ(o.get_icv_from_scope(t, ompd_scope_thread, 1000, &value), ompd_rc_bad_input);
  CHECK_EQ(o.get_icv_from_scope(t, ompd_scope_task, icv_id(s, "dyn-var"), &value),
           ompd_rc_stale_handle);
  CHECK_EQ(o.get_icv_from_scope(t, ompd_scope_thread, icv_id(s, "cancel-var"), &value),
           ompd_rc_bad_input);
  CHECK_EQ(o.get_icv_from_scope(t, ompd_scope_thread, icv_id(s, "run-sched-var"), &value),
           ompd_rc_incomplete);
  CHECK_EQ(
      o.get_icv_from_scope(s, ompd_scope_address_space, icv_id(s, "affinity-format-var"), &value),
      ompd_rc_incompatible);
  CHECK_EQ(o.get_tool_data(t, ompd_scope_thread, &value, &at),
           tracked ? ompd_rc_ok : ompd_rc_needs_state_tracking);
  CHECK_EQ(o.get_tool_data(r, ompd_scope_parallel, &value, &at),
           tracked ? ompd_rc_ok : ompd_rc_needs_state_tracking);
  CHECK_EQ(o.device_initialize(s, c, 1, 0, 0, &(ompd_address_space_handle_t *){0}),
           ompd_rc_unsupported);
  c->blind = true;
  CHECK_EQ(o.get_state(t, &value, 0), ompd_rc_callback_error);
  c->blind = false;
  OK(o.rel_task_handle(task));
  OK(o.rel_parallel_handle(r));
  OK(o.rel_thread_handle(t));
}

/* A table that differs in any part is refused, with a line that says what is wrong. */
static void check_refused(ompd_address_space_context_t *c) {
  ompd_address_space_handle_t *s;
  ompd_address_t at;
  OK(cb_symbol(c, 0, "nth_ompd_table", &at, 0));
  struct {
    uint64_t offset;
    const char *says;
  } parts[] = {{0, "another form"}, {16, "beside its libgomp.so.1"}, {48, "another build"}, {0, 0}};
  for (int i = 0; parts[i].says; i++) {
    c->damaged = at.address + parts[i].offset;
    said[0] = 0;
    CHECK_EQ(o.process_initialize(c, &s), ompd_rc_incompatible);
    CHECK(strstr(said, parts[i].says));
  }
  c->damaged = 0;
  c->blind = true;
  CHECK_EQ(o.process_initialize(c, &s), ompd_rc_callback_error);
  c->blind = false;
}

/* Handles of what has ended meanwhile. */
static void check_stale(ompd_address_space_handle_t *s) {
  ompd_thread_handle_t *ended = thread(s, &facts[PLAIN]), *t = thread(s, &facts[TASKS]);
  ompd_parallel_handle_t *r, *outer, *other;
  ompd_task_handle_t *task, *maker;
  ompd_word_t value;
  char byte;
  OK(o.get_curr_parallel_handle(t, &r));
  OK(o.get_enclosing_parallel_handle(r, &outer));
  OK(o.get_curr_task_handle(t, &task));
  CHECK(kill(pid, SIGCONT) == 0 && write(to_target, "g", 1) == 1);
  CHECK(read(from_target, &byte, 1) == 1);
  stop();
  CHECK_EQ(o.get_state(ended, &value, 0), ompd_rc_stale_handle);
  CHECK_EQ(o.get_curr_task_handle(ended, &maker), ompd_rc_stale_handle);
  CHECK_EQ(o.get_enclosing_parallel_handle(r, &other), ompd_rc_stale_handle);
  CHECK_EQ(o.get_enclosing_parallel_handle(outer, &other), ompd_rc_stale_handle);
  CHECK_EQ(o.get_generating_task_handle(task, &maker), ompd_rc_stale_handle);
  OK(o.rel_task_handle(task));
  OK(o.rel_parallel_handle(r));
  OK(o.rel_parallel_handle(outer));
  OK(o.rel_thread_handle(t));
  OK(o.rel_thread_handle(ended));
}

/* gdb writes the core; without gdb, or where it may not trace, there is none. */
static void check_core(ompd_address_space_context_t *process, const char *path) {
  char command[3 * 4096];
  struct _ompd_aspace_cont c;
  ompd_address_space_handle_t *s;
  snprintf(command, sizeof command,
           "rm -f %s; unset LD_PRELOAD; gdb -nx -batch -p %d -ex 'gcore %s' >%s.log 2>&1", path,
           pid, path, path);
  if (system(command) != 0 || access(path, R_OK) != 0) {
    printf("no core file: gdb is not here, or may not trace\n");
    return;
  }
  core_open(&c, process, path);
  OK(o.process_initialize(&c, &s));
  check_all(s);
  OK(o.rel_address_space_handle(s));
  unlink(path);
}

int main(int argc, char **argv) {
  struct _ompd_aspace_cont c;
  ompd_address_space_handle_t *s;
  const char *debug = getenv("OMP_DEBUG"), *members = getenv("NTH_MEMBERS");
  CHECK(argc >= 2);
  tracked = debug && strcmp(debug, "enabled") == 0;
  nano = members && strcmp(members, "nano") == 0;
  start(argv[1]);
  process_open(&c, pid);
  stop();
  load(&c);
  OK(o.process_initialize(&c, &s));
  while (!settled(s)) { /* on its way into a wait */
    CHECK(kill(pid, SIGCONT) == 0);
    usleep(10000);
    stop();
  }
  check_all(s);
  check_space(s);
  check_codes(&c, s);
  check_refused(&c);
  if (argc > 2)
    check_core(&c, argv[2]);
  check_stale(s);
  CHECK(reads > 100);
  OK(o.rel_address_space_handle(s));
  OK(o.finalize());
  CHECK_EQ(blocks, 0);
  kill(pid, SIGKILL);
  waitpid(pid, 0, 0);
  return 0;
}
