/* tasks.c - blocking calls of MPI in tasks, on libnanogomp-mpi.so
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * tasks CASE [ARGUMENTS]: each case ends with `rank R ok` on every rank; see the functions.
 * Status 1: a wrong answer, 2: usage, 77: MPI has no MPI_THREAD_MULTIPLE. Needs OpenMP 5.0.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int rank, ranks;

#define CHECK(x)                                                                                   \
  do {                                                                                             \
    if (!(x)) {                                                                                    \
      fprintf(stderr, "rank %d: line %d: %s\n", rank, __LINE__, #x);                               \
      _exit(1);                                                                                    \
    }                                                                                              \
  } while (0)

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- pairs N: tasks of neighbouring ranks play ping-pong, far more of them than threads --- */

/* Which pair plays in a rank's task i of n; no multiple of 37. One rank makes its tasks in another
 * order, whose first and last ones lie between those of the other rank: blocked threads wait for
 * different ones. */
static int pair_of(int i, int n) { return rank & 1 ? (i * 37 + 11) % n : i; }

static void play(int pair, int n, int rounds) {
  int x = 0, other = rank ^ 1;
  if (other < ranks)
    for (int r = 0; r < rounds; r++) {
      if ((rank & 1) == 0) {
        x = r * n + pair;
        MPI_Send(&x, 1, MPI_INT, other, pair, MPI_COMM_WORLD);
      }
      MPI_Status status;
      int y = -1;
      MPI_Recv(&y, 1, MPI_INT, pair % 2 ? other : MPI_ANY_SOURCE, pair, MPI_COMM_WORLD,
               pair % 3 ? &status : MPI_STATUS_IGNORE);
      CHECK(y == r * n + pair);
      CHECK(pair % 3 == 0 || (status.MPI_SOURCE == other && status.MPI_TAG == pair));
      if (rank & 1)
        MPI_Ssend(&y, 1, MPI_INT, other, pair, MPI_COMM_WORLD);
    }
}

static void pairs(int n, int rounds) {
  _Atomic(int) ended = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; i++) {
    int pair = pair_of(i, n);
#pragma omp task untied firstprivate(pair)
    {
      play(pair, n, rounds);
      ended++;
    }
  }
  CHECK(ended == n);
}

/* --- loops N: the same by taskloops; without a clause they have as many tasks as members --- */

static void loops(int n, int rounds) {
  int members = 0;
  _Atomic(int) ended = 0;
#pragma omp parallel
#pragma omp single
  {
    members = omp_get_num_threads();
#pragma omp taskloop untied grainsize(1)
    for (int i = 0; i < n; i++) {
      play(pair_of(i, n), n, rounds);
      ended++;
    }
#pragma omp taskloop untied num_tasks(n) nogroup
    for (int i = 0; i < 2 * n; i++)
      if (i % 2 == 0) {
        play(pair_of(i / 2, n), n, rounds);
        ended++;
      }
#pragma omp taskwait
    for (int again = 0; again < 3; again++)
#pragma omp taskloop untied
      for (int i = 0; i < members; i++) {
        play(pair_of(i, members), members, 1);
        ended++;
      }
  }
  CHECK(ended == 2 * n + 3 * members);
}

/* --- kinds: every call that is interposed by hand, with right statuses --- */

static void kinds(void) {
  int other = rank ^ 1;
  if (other >= ranks)
    return;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 40; i++) {
    int tag = rank & 1 ? 39 - i : i;
#pragma omp task untied firstprivate(tag)
    {
      int out[4] = {tag, tag + 1, tag + 2, tag + 3}, in[4] = {0}, index = -1, done[4], n = 0;
      MPI_Request r[4];
      MPI_Status s[4];
      MPI_Sendrecv(out, 4, MPI_INT, other, tag, in, 4, MPI_INT, other, tag, MPI_COMM_WORLD, &s[0]);
      CHECK(memcmp(out, in, sizeof in) == 0 && s[0].MPI_SOURCE == other);
      in[0] = 1000 * rank + tag;
      MPI_Sendrecv_replace(in, 1, MPI_INT, other, tag, other, tag, MPI_COMM_WORLD,
                           MPI_STATUS_IGNORE);
      CHECK(in[0] == 1000 * other + tag);
      for (int k = 0; k < 3; k++)
        MPI_Irecv(&in[k], 1, MPI_INT, other, 100 + 4 * tag + k, MPI_COMM_WORLD, &r[k]);
      r[3] = MPI_REQUEST_NULL;
      for (int k = 0; k < 3; k++)
        MPI_Send(&out[k], 1, MPI_INT, other, 100 + 4 * tag + k, MPI_COMM_WORLD);
      MPI_Waitany(4, r, &index, &s[0]);
      CHECK(index >= 0 && index < 3 && r[index] == MPI_REQUEST_NULL && in[index] == tag + index);
      CHECK(s[0].MPI_TAG == 100 + 4 * tag + index);
      MPI_Waitsome(4, r, &n, done, s);
      CHECK(n >= 1 && n <= 2 && in[done[0]] == tag + done[0]);
      MPI_Waitall(4, r, s);
      CHECK(in[0] == tag && in[1] == tag + 1 && in[2] == tag + 2);
      MPI_Waitany(4, r, &index, &s[0]);
      CHECK(index == MPI_UNDEFINED);
      MPI_Isend(out, 2, MPI_INT, other, 300 + tag, MPI_COMM_WORLD, &r[0]);
      MPI_Probe(other, 300 + tag, MPI_COMM_WORLD, &s[0]);
      MPI_Get_count(&s[0], MPI_INT, &n);
      CHECK(n == 2);
      MPI_Message m;
      MPI_Mprobe(MPI_ANY_SOURCE, 300 + tag, MPI_COMM_WORLD, &m, &s[0]);
      MPI_Mrecv(in, 2, MPI_INT, &m, &s[1]);
      CHECK(m == MPI_MESSAGE_NULL && in[1] == tag + 1 && s[1].MPI_SOURCE == other);
      MPI_Wait(&r[0], MPI_STATUS_IGNORE);
      CHECK(r[0] == MPI_REQUEST_NULL);
      MPI_Recv(in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &s[0]);
      CHECK(s[0].MPI_SOURCE == MPI_PROC_NULL);
    }
  }
}

/* --- collectives: tasks meet on communicators of their own, in different orders --- */

static void collectives(void) {
  enum { COMMS = 12 };
  MPI_Comm comm[COMMS];
  for (int i = 0; i < COMMS; i++)
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < COMMS; i++) {
    int k = rank & 1 ? COMMS - 1 - i : i;
#pragma omp task untied firstprivate(k)
    {
      int mine = rank + k, sum = 0, all[64] = {0}, from[64] = {0}, root = k % ranks;
      MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm[k]);
      CHECK(sum == ranks * k + ranks * (ranks - 1) / 2);
      MPI_Barrier(comm[k]);
      int x = rank == root ? 77 + k : 0;
      MPI_Bcast(&x, 1, MPI_INT, root, comm[k]);
      CHECK(x == 77 + k);
      MPI_Gather(&mine, 1, MPI_INT, all, 1, MPI_INT, root, comm[k]);
      CHECK(rank != root || all[ranks - 1] == ranks - 1 + k);
      MPI_Allgather(MPI_IN_PLACE, 0, MPI_INT, (all[rank] = mine, all), 1, MPI_INT, comm[k]);
      CHECK(all[0] == k && all[ranks - 1] == ranks - 1 + k);
      MPI_Alltoall(all, 1, MPI_INT, from, 1, MPI_INT, comm[k]);
      CHECK(from[ranks - 1] == rank + k);
      MPI_Reduce(&mine, &sum, 1, MPI_INT, MPI_MAX, root, comm[k]);
      CHECK(rank != root || sum == ranks - 1 + k);
    }
  }
  /* in a region, but where nothing can be suspended: it must match those of tasks */
#pragma omp parallel
#pragma omp single
  {
    int mine = rank, sum = 0;
    if (rank == 0) {
#pragma omp task untied shared(sum)
      MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm[0]);
#pragma omp taskwait
    } else {
      MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm[0]);
    }
    CHECK(sum == ranks * (ranks - 1) / 2);
  }
  for (int i = 0; i < COMMS; i++)
    MPI_Comm_free(&comm[i]);
}

/* --- errors: the communicator's handler decides; a message that is too long, alone and among
 * several; a wrong rank --- */

static _Atomic(int) handled;
static void handler(MPI_Comm *comm, int *code, ...) {
  (void)comm, (void)code;
  handled++;
}

static int class_of(int code) {
  int class = 0;
  MPI_Error_class(code, &class);
  return class;
}

/* One of several requests fails. */
static void fail_one(MPI_Comm comm, int other) {
  int in[2] = {0}, out[2] = {1, 2};
  MPI_Request r[2];
  MPI_Status s[2];
  MPI_Irecv(in, 1, MPI_INT, other, 2, comm, &r[0]);
  MPI_Isend(out, 2, MPI_INT, other, 2, comm, &r[1]);
  CHECK(class_of(MPI_Waitall(2, r, s)) == MPI_ERR_IN_STATUS);
  CHECK(class_of(s[0].MPI_ERROR) == MPI_ERR_TRUNCATE && s[1].MPI_ERROR == MPI_SUCCESS);
}

static void errors(void) {
  MPI_Comm returns, calls;
  MPI_Errhandler own;
  MPI_Comm_dup(MPI_COMM_WORLD, &returns);
  MPI_Comm_set_errhandler(returns, MPI_ERRORS_RETURN);
  MPI_Comm_dup(MPI_COMM_WORLD, &calls);
  MPI_Comm_create_errhandler(handler, &own);
  MPI_Comm_set_errhandler(calls, own);
  int other = rank ^ 1;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 2 && other < ranks; i++) {
    MPI_Comm comm = i ? calls : returns;
#pragma omp task untied firstprivate(comm)
    {
      int in[2] = {0}, out[2] = {1, 2}, code;
      MPI_Request r;
      code = MPI_Recv(in, 1, MPI_INT, ranks + 5, 0, comm, MPI_STATUS_IGNORE);
      CHECK(class_of(code) == MPI_ERR_RANK);
      MPI_Isend(out, 2, MPI_INT, other, 1, comm, &r);
      code = MPI_Recv(in, 1, MPI_INT, other, 1, comm, MPI_STATUS_IGNORE);
      CHECK(class_of(code) == MPI_ERR_TRUNCATE);
      MPI_Wait(&r, MPI_STATUS_IGNORE);
      fail_one(comm, other);
    }
  }
  CHECK(other >= ranks || handled == 3);
  MPI_Errhandler_free(&own);
  MPI_Comm_free(&returns);
  MPI_Comm_free(&calls);
}

/* --- cancel: tasks suspended when their group is cancelled still get their messages --- */

static void cancelled(void) {
  int other = rank ^ 1;
  _Atomic(int) received = 0, started = 0;
  if (other >= ranks)
    return;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
    for (int i = 0; i < 8; i++) {
#pragma omp task untied firstprivate(i)
      {
        int x = -1;
        started++;
        MPI_Recv(&x, 1, MPI_INT, other, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(x == i);
        received++;
      }
    }
#pragma omp task untied
    {
      while (started < 8) {
#pragma omp taskyield
      }
      for (int i = 0; i < 8; i++)
        MPI_Send(&i, 1, MPI_INT, other, i, MPI_COMM_WORLD);
#pragma omp cancel taskgroup
    }
  }
  CHECK(received == 8);
}

/* --- forks: a child of a rank with suspended tasks uses OpenMP, not MPI --- */

static void forks(void) {
  int other = rank ^ 1;
  if (other >= ranks)
    return;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task untied
    {
      int x = -1;
      MPI_Recv(&x, 1, MPI_INT, other, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      CHECK(x == 7);
    }
#pragma omp task untied
    {
      int seven = 7, status = -1;
      pid_t child = fork();
      if (child == 0) {
        int n = 0;
#pragma omp parallel num_threads(2) reduction(+ : n)
#pragma omp single
        {
#pragma omp task untied shared(n)
          n++;
        }
        _exit(n == 1 ? 0 : 3);
      }
      CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
      MPI_Send(&seven, 1, MPI_INT, other, 7, MPI_COMM_WORLD);
    }
  }
}

/* --- members: in a region with nano-thread members each member's own call is suspended --- */

static void members(void) {
  int other = rank ^ 1, n = 0;
  if (other >= ranks)
    return;
#pragma omp parallel reduction(+ : n)
  {
    int me = omp_get_thread_num(), size = omp_get_num_threads(), x = -1;
    int tag = rank & 1 ? size - 1 - me : me; /* partners have different places in the queues */
    for (int r = 0; r < 20; r++) {
      if ((rank & 1) == 0)
        MPI_Ssend(&tag, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
      MPI_Recv(&x, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank & 1)
        MPI_Ssend(&tag, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
      n += x == tag;
    }
#pragma omp barrier
  }
  CHECK(n == 20 * omp_get_max_threads());
}

/* --- plain: tied tasks and calls outside regions --- */

static void plain(void) {
  int other = rank ^ 1, x = -1, sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(sum == ranks * (ranks - 1) / 2);
  if (other >= ranks)
    return;
  MPI_Sendrecv(&rank, 1, MPI_INT, other, 0, &x, 1, MPI_INT, other, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  CHECK(x == other);
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(x)
    MPI_Sendrecv(&rank, 1, MPI_INT, other, 0, &x, 1, MPI_INT, other, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  CHECK(x == other);
}

#ifdef WITH_BIND
#include <nanogomp/nth_mpi.h>

/* --- bind: tasks end when their requests are complete --- */

/* One of several requests that are bound to a task's end fails. */
static void fail_bound(MPI_Comm comm, int other) {
  int in[2] = {0}, out[2] = {1, 2};
  MPI_Request r[2];
  MPI_Status s[2];
  omp_event_handle_t event;
#pragma omp task detach(event) shared(in, out, r, s)
  {
    MPI_Irecv(in, 1, MPI_INT, other, 3, comm, &r[0]);
    MPI_Isend(out, 2, MPI_INT, other, 3, comm, &r[1]);
    CHECK(nth_mpi_bind(2, r, s, event) == MPI_SUCCESS);
  }
#pragma omp taskwait
  CHECK(class_of(s[0].MPI_ERROR) == MPI_ERR_TRUNCATE && s[1].MPI_ERROR == MPI_SUCCESS);
}

static void bind(void) {
  enum { N = 50 };
  int other = rank ^ 1, got[N], seen = 0;
  MPI_Status status[N];
  if (other >= ranks)
    return;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < N; i++) {
      omp_event_handle_t event;
#pragma omp task detach(event) depend(out : got[i]) firstprivate(i)
      {
        MPI_Request r;
        MPI_Irecv(&got[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &r);
        CHECK(nth_mpi_bind(1, &r, &status[i], event) == MPI_SUCCESS && r == MPI_REQUEST_NULL);
      }
#pragma omp task depend(in : got[i]) shared(seen) firstprivate(i)
      {
        CHECK(got[i] == 3 * i && status[i].MPI_TAG == i);
#pragma omp atomic
        seen++;
      }
    }
    int out[N];
    MPI_Request r[N];
    omp_event_handle_t event;
#pragma omp task detach(event) shared(out, r)
    {
      usleep(20000);
      for (int i = 0; i < N; i++) {
        out[i] = 3 * i;
        MPI_Isend(&out[i], 1, MPI_INT, other, i, MPI_COMM_WORLD, &r[i]);
      }
      CHECK(nth_mpi_bind(N, r, MPI_STATUSES_IGNORE, event) == MPI_SUCCESS);
    }
#pragma omp taskwait
  }
  CHECK(seen == N);
  MPI_Comm returns;
  MPI_Comm_dup(MPI_COMM_WORLD, &returns);
  MPI_Comm_set_errhandler(returns, MPI_ERRORS_RETURN);
#pragma omp parallel
#pragma omp single
  fail_bound(returns, other);
  MPI_Comm_free(&returns);
}

/* --- asleep: a request is bound while the other members sleep, and its maker blocks in MPI --- */

static void asleep(void) {
  int other = rank ^ 1, got = 0, sent = 1, answer = 0;
  if (other >= ranks)
    return;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_event_handle_t event;
    MPI_Request r;
#pragma omp task detach(event) depend(out : got)
    {}
#pragma omp task depend(in : got)
    MPI_Send(&sent, 1, MPI_INT, other, 2, MPI_COMM_WORLD);
    usleep(100000);
    MPI_Irecv(&got, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r);
    CHECK(nth_mpi_bind(1, &r, MPI_STATUSES_IGNORE, event) == MPI_SUCCESS);
    MPI_Send(&sent, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    MPI_Recv(&answer, 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  CHECK(got == 1 && answer == 1);
}

/* --- pending: MPI_Finalize while a request is bound --- */

static void pending(void) {
  static int never;
  MPI_Request r;
  MPI_Irecv(&never, 1, MPI_INT, rank, 9, MPI_COMM_WORLD, &r);
#pragma omp parallel
#pragma omp master
  {
    omp_event_handle_t event;
#pragma omp task detach(event)
    {
      nth_mpi_bind(1, &r, MPI_STATUSES_IGNORE, event);
      MPI_Finalize();
    }
  }
}
#endif

/* --- spawn: two ranks that MPI itself starts play ping-pong --- */

static void spawn(char *program) {
  char *words[] = {"spawned", NULL};
  MPI_Comm children;
  MPI_Comm_spawn(program, words, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                 MPI_ERRCODES_IGNORE);
  MPI_Comm_disconnect(&children);
}

static void spawned(void) {
  MPI_Comm parent;
  pairs(100, 3);
  MPI_Comm_get_parent(&parent);
  MPI_Comm_disconnect(&parent);
}

int main(int argc, char **argv) {
  int provided,
      level = argc > 1 && !strcmp(argv[1], "single") ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE;
  const char *what = argc > 1 ? argv[1] : "";
  int n = argc > 2 ? atoi(argv[2]) : 100, rounds = argc > 3 ? atoi(argv[3]) : 10;
  MPI_Init_thread(&argc, &argv, level, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (provided < level)
    return 77;
  double begin = now();
  if (!strcmp(what, "pairs"))
    pairs(n, rounds);
  else if (!strcmp(what, "loops"))
    loops(n, rounds);
  else if (!strcmp(what, "kinds"))
    kinds();
  else if (!strcmp(what, "collectives"))
    collectives();
  else if (!strcmp(what, "errors"))
    errors();
  else if (!strcmp(what, "cancel"))
    cancelled();
  else if (!strcmp(what, "forks"))
    forks();
  else if (!strcmp(what, "members"))
    members();
  else if (!strcmp(what, "plain") || !strcmp(what, "single"))
    plain();
  else if (!strcmp(what, "spawn"))
    spawn(argv[0]);
  else if (!strcmp(what, "spawned"))
    spawned();
#ifdef WITH_BIND
  else if (!strcmp(what, "bind"))
    bind();
  else if (!strcmp(what, "asleep"))
    asleep();
  else if (!strcmp(what, "pending"))
    pending();
#endif
  else
    return 2;
  char line[80];
  int size = snprintf(line, sizeof line, "rank %d ok %.3f\n", rank, now() - begin);
  if (strcmp(what, "pending"))
    MPI_Finalize();
  return write(1, line, (size_t)size) != size;
}
