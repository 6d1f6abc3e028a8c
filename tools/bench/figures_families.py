# figures_families.py - what docs/figures.md and README show: families of rows, the eight
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A family is measured by one or more calls of nthbench.py and kept in results/NAME.json. New rows
of goals.tsv get into the documents when a family names them here."""

import collections

# parts: argument lists of nthbench.py, without --rounds; about: what a row is where
# `nthbench-micro --list` has no text for it; counts: a line of the table has a row's ratios with
# several numbers of threads; optional: it is no error that there is no result
Family = collections.namedtuple("Family", "name title intro rounds parts about counts optional",
                                defaults=(False, False))

THREE = ["--runtimes", "nanogomp,gomp,iomp"]


def rows(*names):
    return ["--rows", ",".join(" ".join(names).split())]


FIRST = {"parallel": "process with one region, %s of work of each member",
         "tasks": "process with one region, %s of work a member in tasks of one producer",
         "beside": "process with one region, a task of %s beside as much work of its maker"}
FIRST_ROWS = {"first-task-region-%s-%s" % (shape, work): text.replace("%s", work[:-2] + " ms")
              for shape, text in FIRST.items() for work in ("1ms", "3ms", "10ms")}


def kernel(name, *options):
    return ["kernels", *THREE, "--repeat", "1", "--match", name, "--", *options]


COUNTS = ("1", "2", "4", "8", "16")
COUNTED_PEERS = ("gomp", "iomp", "omp")


def counts(*names):
    """A call for each number of threads and policy. The limit is short: critical constructs of 16
    threads under libiomp5 or libomp may take minutes."""
    calls = []
    for policy in ("", "=:OMP_WAIT_POLICY=passive"):
        runtimes = ",".join(name + policy for name in ("nanogomp", *COUNTED_PEERS))
        calls += [["--threads", n, "--cpus", "0-1", "--runtimes", runtimes, "--limit", "10",
                   *rows(*names)] for n in COUNTS]
    return calls


FAMILIES = [
    Family("micro", "Regions, barriers, loops, locks", """
An operation of each kind on two threads that have two CPUs for themselves; *body* rows have so much
work of each member.""", 9, [rows("""
region region-after-10us region-after-1ms region-after-5ms region-after-20ms region-passive
region-if0 region-1 region-2-4 region-sizes-2-3-4 region-body-10us region-body-100us
region-body-1ms region-after-20ms-body-100us barrier single single-nowait for-reduction critical
critical-alone lock lock-alone atomic-entry ordered ordered-dynamic dynamic-1 dynamic-1-monotonic
dynamic-16 guided runtime static-short nowait-chain""")], {}),

    Family("tasks", "Tasks", """
Time by the clock divided by the number of tasks; fib: the whole. Rows named `@N` have N threads, on
the same two CPUs. The cells of the wavefront without tasks are `wavefront-serial`: on two CPUs half
of it is what can be reached.""", 7, [rows("""
task-empty-one task-empty-one@1 task-empty-one@8 task-empty-all task-empty-all@8 task-0.9us
task-0.9us@8 task-taskwait task-taskwait@1 task-taskwait@8 taskgroup-one taskloop-1 taskloop-1us
depend-chain depend-chains-4 wavefront-80 wavefront-80@1 wavefront-80@8 wavefront-serial fib-27
fib-27@1 fib-27@8 task-rss""")],
           {"task-rss": "peak memory of a process whose one producer makes 10 million tasks"}),

    Family("nested", "Nested regions, several root threads", """
An inner region while the outer team stays open (`nested-both`: with the outer one); regions that
several threads of the program's own open at once.""", 7, [rows("""
nested-1x2 nested-2x1 nested-2x2 nested-2x4 nested-4x4 nested-both-2x4 roots-2 roots-8
fresh-root fresh-root@4 fresh-root@8""")], {}),

    Family("members", "More members than CPUs", """
Two CPUs, `@N` members. The rows `members-*` set `NTH_MEMBERS=nano`, the others nothing
([members.md](members.md)). Ideal times of 16 members on two CPUs are eight bodies.""", 7, [rows("""
region@8 barrier@8 barrier@16 members-region@4 members-region@16 members-region-body-10us@16
members-region-body-13.5us@16 members-region-body-100us@16 members-region-body-1ms@16
members-region-body-1ms@4 members-barrier@4 members-barrier-body-100us@16
members-nested-4x4-body-100us members-region-passive members-region-passive-body-100us
members-region-after-20ms members-region-after-20ms-body-100us region-meet-10us@4 region-meet-10us@8
region-single-meet-10us@4 region-passive-meet-10us@4 region-passive-single-meet-10us@4
region-tasks-10us@4 region-tasks-10us@8 region-tasks-1us@4 region-tasks-1us@8 region-tasks-meet@4
region-tasks-meet@8 region-tasks-10us-bound@4 region-tasks-meet-bound@4""")], {}),

    Family("counts", "1 to 16 threads, both wait policies", """
Two CPUs. A cell is the ratio to the fastest other runtime with so many threads; *passive*: all
runtimes under `OMP_WAIT_POLICY=passive`.""", 3, counts("""
region region-body-10us region-body-100us barrier single for-reduction critical lock dynamic-1
guided task-empty-one task-empty-all"""), {}, counts=True, optional=True),

    Family("start", "Start, rest, company", """
Whole processes: what starting, resting and sharing the CPUs costs.""", 5, [rows("""
start-up peak-rss idle-cpu members-idle-cpu@16 periodic-cpu pair beside-busy first-region-forked""",
        *FIRST_ROWS)], {
        **FIRST_ROWS,
        "first-region-forked": "first region of forked children of a process without regions",
        "start-up": "start of a process, one region, its end",
        "peak-rss": "peak memory of such a process",
        "pair": "two processes at once: 1000 rounds of 5 us work and a barrier, the later end",
        "beside-busy": "400 regions of 0.5 ms work beside one busy process"}),

    Family("mpi", "Two ranks of MPI", """
Two ranks of two threads on two CPUs, a step of work and an exchange; `-none` ranks are not bound,
`-core` each has a core. libgomp's best wait policy is what counts ([mpi.md](mpi.md)).""", 3, [
        ["--limit", "8", "--budget", "60", "--runtimes", "nanogomp,gomp",
         *rows("mpi-even-20us-core mpi-turns-1ms-core mpi-even-1ms-none")]], {
             "mpi-even-20us-core": "steps of 20 us, a core a rank",
             "mpi-turns-1ms-core": "steps of 1 ms, the ranks in turn, a core a rank",
             "mpi-even-1ms-none": "steps of 1 ms, ranks not bound"}),

    Family("kernels", "Kernels", """
The project's kernels ([tests/kernels](../tests/kernels/README.md)), their own times; all runtimes
give the same values. What strassen's row measures is glibc's heap
([why](../tools/bench/README.md#programs-and-kernels)).""", 5, [
        kernel("cholesky,nqueens,sort,strassen", "--iters", "1"),
        kernel("sparselu", "--size", "40", "--iters", "1"), kernel("fft", "--iters", "2"),
        kernel("wavefront", "--iters", "15"), kernel("fib", "--size", "41", "--iters", "1"),
        kernel("health", "--iters", "20"), kernel("uts", "--size", "10000"),
        kernel("ep", "--size", "25"), kernel("cg", "--iters", "40"),
        kernel("mg", "--iters", "5"), kernel("swim", "--iters", "40")], {}),

    Family("nas", "NAS kernels, 2 s and more", """
The eight NAS kernels and the three multi-zone ones
([tests/kernels](../tests/kernels/README.md)) at sizes of two seconds and more: class A, repeated,
for is, ft and npb_cg, the grids of class W (mg: of class A) with more steps for the others.""",
           15, [
        kernel("ep", "--size", "28", "--iters", "2"),
        kernel("npb_cg", "--class", "A", "--reps", "10", "--sum"),
        kernel("is", "--class", "A", "--reps", "40", "--sum"),
        kernel("ft", "--class", "A", "--reps", "4", "--sum"),
        kernel("mg", "--size", "256", "--iters", "12"), kernel("lu", "--iters", "450"),
        kernel("npb_bt", "--iters", "500"), kernel("npb_sp", "--iters", "500"),
        kernel("npb_bt_mz", "--iters", "300"), kernel("sp_mz", "--iters", "950"),
        kernel("lu_mz", "--iters", "750")], {}),

    Family("programs", "Programs of Debian", """
Whole runs with two threads, by the clock; all runtimes give the same output
([what they do](../tools/bench/README.md#programs-of-debian)).""", 5, [
        ["programs", *THREE, "--repeat", "1", "--install", "programs.tsv"]], {}),
]

# README: family, row, how the row is called there
EIGHT = [
    ("micro", "region", "parallel region, 2 threads"),
    ("micro", "barrier", "barrier, 2 threads"),
    ("members", "barrier@16", "barrier, 16 threads on 2 CPUs"),
    ("nested", "nested-4x4", "inner region, 4 x 4 threads on 2 CPUs"),
    ("tasks", "fib-27", "fib(27), a task each call"),
    ("tasks", "wavefront-80", "task of 0.9 us with dependences"),
    ("start", "start-up", "start and end of a process, one region"),
    ("programs", "numpy", "NumPy on OpenBLAS, whole program"),
]
