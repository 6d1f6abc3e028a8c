/* fortran.c - entries for Fortran programs that are not alike; gen.py makes the others
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * All arguments are addresses. MPI's own Fortran functions (pmpi_ names) do what is asked for: they
 * know Fortran's constants, handles and error handlers. Handles become C's only for the poll.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "tools/mpi/tasks.h"

/* --- MPI's own functions --- */

/* Loaded libraries that may be MPI's. */
struct libraries {
  uint32_t count;
  char path[16][512];
};
static int note(struct dl_phdr_info *info, size_t size, void *data) {
  struct libraries *l = data;
  const char *slash = strrchr(info->dlpi_name, '/'), *base = slash ? slash + 1 : info->dlpi_name;
  (void)size;
  if (strstr(base, "mpi") && strlen(info->dlpi_name) < sizeof l->path[0])
    strcpy(l->path[l->count++], info->dlpi_name);
  return l->count == sizeof l->path / sizeof l->path[0];
}

/* MPI's Fortran library may have come with a plug-in or a module of Python's, which keeps its names
 * to itself. */
static void *find_hidden(const char *name) {
  struct libraries l = {0};
  void *f = NULL;
  (void)dl_iterate_phdr(note, &l);
  for (uint32_t i = 0; i < l.count && !f; i++) {
    void *library = dlopen(l.path[i], RTLD_LAZY | RTLD_NOLOAD);
    f = library ? dlsym(library, name) : NULL;
  }
  return f;
}

nth_mpi_f_call *nth_mpi_f_find(_Atomic(nth_mpi_f_call *) *known, const char *name) {
  nth_mpi_f_call *f = nth_load_rlx(known);
  if (!f) {
    void *found = dlsym(RTLD_DEFAULT, name);
    *(void **)&f = found ? found : find_hidden(name);
    nth_store_rlx(known, f);
  }
  return f;
}

/* Fortran has a status as integers, C as a struct of about that size. */
enum { STATUS_INTS = 2 * sizeof(MPI_Status) / sizeof(MPI_Fint) };

typedef void wait_call(MPI_Fint *request, void *status, MPI_Fint *ierror);
static wait_call *find_wait(void) {
  static _Atomic(nth_mpi_f_call *) real;
  return (wait_call *)nth_mpi_f_find(&real, "pmpi_wait_");
}

void nth_mpi_f_await(MPI_Fint *request, void *status, MPI_Fint *ierror) {
  MPI_Fint unused[STATUS_INTS];
  MPI_Request r = PMPI_Request_f2c(*request);
  nth_mpi_suspend_all(1, &r);
  find_wait()(request, status ? status : unused, ierror);
}

/* C's handles of n requests; NULL: no memory, or none. */
static MPI_Request *handles(int n, const MPI_Fint *request) {
  MPI_Request *all = n > 0 ? malloc((size_t)n * sizeof *all) : NULL;
  for (int i = 0; all && i < n; i++)
    all[i] = PMPI_Request_f2c(request[i]);
  return all;
}

/* --- begin and end --- */

static void nth_mpi_f_init(MPI_Fint *ierror) {
  static _Atomic(nth_mpi_f_call *) real;
  ((void (*)(MPI_Fint *))nth_mpi_f_find(&real, "pmpi_init_"))(ierror);
  if (*ierror == MPI_SUCCESS)
    nth_mpi_begin();
}
NTH_MPI_FORTRAN(init, INIT)

static void nth_mpi_f_init_thread(void *required, void *provided, MPI_Fint *ierror) {
  static _Atomic(nth_mpi_f_call *) real;
  nth_mpi_f_call *call = nth_mpi_f_find(&real, "pmpi_init_thread_");
  ((void (*)(void *, void *, MPI_Fint *))call)(required, provided, ierror);
  if (*ierror == MPI_SUCCESS)
    nth_mpi_begin();
}
NTH_MPI_FORTRAN(init_thread, INIT_THREAD)

static void nth_mpi_f_finalize(MPI_Fint *ierror) {
  static _Atomic(nth_mpi_f_call *) real;
  nth_mpi_end();
  ((void (*)(MPI_Fint *))nth_mpi_f_find(&real, "pmpi_finalize_"))(ierror);
}
NTH_MPI_FORTRAN(finalize, FINALIZE)

/* --- pairs --- */

typedef void post_call(void *, void *, void *, void *, void *, void *, MPI_Fint *, MPI_Fint *);

static void nth_mpi_f_sendrecv(void *sendbuf, void *sendcount, void *sendtype, void *dest,
                               void *sendtag, void *recvbuf, void *recvcount, void *recvtype,
                               void *source, void *recvtag, void *comm, void *status,
                               MPI_Fint *ierror) {
  typedef void call(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                    void *, void *, MPI_Fint *);
  static _Atomic(nth_mpi_f_call *) real, send, receive;
  if (!nth_mpi_here()) {
    ((call *)nth_mpi_f_find(&real, "pmpi_sendrecv_"))(sendbuf, sendcount, sendtype, dest, sendtag,
                                                      recvbuf, recvcount, recvtype, source, recvtag,
                                                      comm, status, ierror);
    return;
  }
  MPI_Fint request[2], sent, unused[STATUS_INTS];
  ((post_call *)nth_mpi_f_find(&receive, "pmpi_irecv_"))(recvbuf, recvcount, recvtype, source,
                                                         recvtag, comm, &request[0], ierror);
  if (*ierror != MPI_SUCCESS)
    return;
  ((post_call *)nth_mpi_f_find(&send, "pmpi_isend_"))(sendbuf, sendcount, sendtype, dest, sendtag,
                                                      comm, &request[1], &sent);
  if (sent == MPI_SUCCESS)
    nth_mpi_f_await(&request[1], NULL, &sent);
  if (sent == MPI_SUCCESS) {
    nth_mpi_f_await(&request[0], status, ierror);
  } else {
    MPI_Request r = PMPI_Request_f2c(request[0]);
    (void)PMPI_Cancel(&r);
    find_wait()(&request[0], unused, ierror);
    *ierror = sent;
  }
}
NTH_MPI_FORTRAN(sendrecv, SENDRECV)

/* --- waits --- */

static void nth_mpi_f_wait(MPI_Fint *request, void *status, MPI_Fint *ierror) {
  if (nth_mpi_here())
    nth_mpi_f_await(request, status, ierror);
  else
    find_wait()(request, status, ierror);
}
NTH_MPI_FORTRAN(wait, WAIT)

static void nth_mpi_f_waitall(MPI_Fint *count, MPI_Fint *request, void *statuses,
                              MPI_Fint *ierror) {
  typedef void call(MPI_Fint *, MPI_Fint *, void *, MPI_Fint *);
  typedef void test_call(MPI_Fint *, MPI_Fint *, MPI_Fint *, void *, MPI_Fint *);
  static _Atomic(nth_mpi_f_call *) real, test;
  MPI_Request *all = nth_mpi_here() ? handles(*count, request) : NULL;
  MPI_Fint done = 0;
  *ierror = MPI_SUCCESS;
  if (all) {
    nth_mpi_suspend_all(*count, all);
    ((test_call *)nth_mpi_f_find(&test, "pmpi_testall_"))(count, request, &done, statuses, ierror);
  }
  free(all);
  if (!done && *ierror == MPI_SUCCESS) /* as in MPI_Waitall() */
    ((call *)nth_mpi_f_find(&real, "pmpi_waitall_"))(count, request, statuses, ierror);
}
NTH_MPI_FORTRAN(waitall, WAITALL)

static void nth_mpi_f_waitany(MPI_Fint *count, MPI_Fint *request, void *index, void *status,
                              MPI_Fint *ierror) {
  typedef void call(MPI_Fint *, MPI_Fint *, void *, void *, MPI_Fint *);
  typedef void test_call(MPI_Fint *, MPI_Fint *, void *, MPI_Fint *, void *, MPI_Fint *);
  static _Atomic(nth_mpi_f_call *) real, test;
  MPI_Request *all = nth_mpi_here() ? handles(*count, request) : NULL;
  struct nth_mpi_wait *w = all ? nth_mpi_any_begin(*count, all) : NULL;
  MPI_Fint flag = 0;
  free(all);
  *ierror = MPI_SUCCESS;
  if (w)
    ((test_call *)nth_mpi_f_find(&test, "pmpi_testany_"))(count, request, index, &flag, status,
                                                          ierror);
  if (*ierror == MPI_SUCCESS && !flag) {
    nth_mpi_any_wait(w);
    ((call *)nth_mpi_f_find(&real, "pmpi_waitany_"))(count, request, index, status, ierror);
  }
  nth_mpi_any_end(w);
}
NTH_MPI_FORTRAN(waitany, WAITANY)

static void nth_mpi_f_waitsome(MPI_Fint *count, MPI_Fint *request, MPI_Fint *outcount,
                               void *indices, void *statuses, MPI_Fint *ierror) {
  typedef void call(MPI_Fint *, MPI_Fint *, MPI_Fint *, void *, void *, MPI_Fint *);
  static _Atomic(nth_mpi_f_call *) real, test;
  MPI_Request *all = nth_mpi_here() ? handles(*count, request) : NULL;
  struct nth_mpi_wait *w = all ? nth_mpi_any_begin(*count, all) : NULL;
  free(all);
  *ierror = MPI_SUCCESS;
  *outcount = 0;
  if (w)
    ((call *)nth_mpi_f_find(&test, "pmpi_testsome_"))(count, request, outcount, indices, statuses,
                                                      ierror);
  if (*ierror == MPI_SUCCESS && *outcount == 0) {
    nth_mpi_any_wait(w);
    ((call *)nth_mpi_f_find(&real, "pmpi_waitsome_"))(count, request, outcount, indices, statuses,
                                                      ierror);
  }
  nth_mpi_any_end(w);
}
NTH_MPI_FORTRAN(waitsome, WAITSOME)

/* --- probes --- */

static void nth_mpi_f_probe(MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, void *status,
                            MPI_Fint *ierror) {
  typedef void call(MPI_Fint *, MPI_Fint *, MPI_Fint *, void *, MPI_Fint *);
  typedef void test_call(MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, void *, MPI_Fint *);
  static _Atomic(nth_mpi_f_call *) real, test;
  MPI_Fint flag = 0;
  while (nth_mpi_here()) {
    ((test_call *)nth_mpi_f_find(&test, "pmpi_iprobe_"))(source, tag, comm, &flag, status, ierror);
    if (*ierror != MPI_SUCCESS || flag)
      return;
    nth_mpi_suspend_probe(*source, *tag, PMPI_Comm_f2c(*comm));
  }
  ((call *)nth_mpi_f_find(&real, "pmpi_probe_"))(source, tag, comm, status, ierror);
}
NTH_MPI_FORTRAN(probe, PROBE)

static void nth_mpi_f_mprobe(MPI_Fint *source, MPI_Fint *tag, MPI_Fint *comm, void *message,
                             void *status, MPI_Fint *ierror) {
  typedef void call(MPI_Fint *, MPI_Fint *, MPI_Fint *, void *, void *, MPI_Fint *);
  typedef void test_call(MPI_Fint *, MPI_Fint *, MPI_Fint *, MPI_Fint *, void *, void *,
                         MPI_Fint *);
  static _Atomic(nth_mpi_f_call *) real, test;
  MPI_Fint flag = 0;
  while (nth_mpi_here()) {
    ((test_call *)nth_mpi_f_find(&test, "pmpi_improbe_"))(source, tag, comm, &flag, message, status,
                                                          ierror);
    if (*ierror != MPI_SUCCESS || flag)
      return;
    nth_mpi_suspend_probe(*source, *tag, PMPI_Comm_f2c(*comm));
  }
  ((call *)nth_mpi_f_find(&real, "pmpi_mprobe_"))(source, tag, comm, message, status, ierror);
}
NTH_MPI_FORTRAN(mprobe, MPROBE)
