# nthbench_predict_cases.py - the kernels of `nanogomp bench predict`, and their alternatives
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each case takes a second or less on two CPUs. Its first alternative is measured on one and two
processors, the others on two, for their order."""

import dataclasses
import shlex


@dataclasses.dataclass(frozen=True)
class Alternative:
    label: str
    options: str
    outer: int = 0      # members of the outer level; 0: one level
    schedule: str = ""  # OMP_SCHEDULE

    def name(self):
        """What must be the same for a kept result to count."""
        return " ".join(filter(None, [self.label, self.options, self.schedule]))


@dataclasses.dataclass(frozen=True)
class Case:
    kernel: str
    runs: tuple     # of Alternative
    why: str = ""   # where it is off: the reason that we found

    @property
    def name(self):
        return self.kernel

    def words(self, run):
        return shlex.split(run.options)


def case(kernel, common, *alternatives, why=""):
    """alternatives: (label, options beyond the common ones, ...)"""
    runs = tuple(Alternative(label, (common + " " + options).strip(), *more)
                 for label, options, *more in alternatives or (("", ""),))
    return Case(kernel, runs, why)


CASES = (
    case("ep", "--size 26"),
    case("cg", "--iters 60 --compare 0",
         why="two caches hold more of the matrix than one. The record with two members shows that "
             "(0.36 to 0.43 s of work, 0.40 with one), but not the same each time."),
    case("mg", "--size 128 --iters 16"),
    case("is", "--class W --reps 40"),
    case("ft", "--class W --reps 12", ("one", "--one-level"), ("2x1", "--outer 2 --inner 1", 2),
         ("1x2", "--outer 1 --inner 2", 1)),
    case("swim", "--size 256 --iters 800 --compare 0"),
    case("hydro", "--size 128 --iters 240 --compare 0", ("one", "--one-level"),
         ("2x1", "--outer 2 --inner 1", 2), ("1x2", "--outer 1 --inner 2", 1)),
    case("mgrid", "--size 64 --iters 80 --compare 0", ("one", "--one-level"),
         ("2x1", "--outer 2 --inner 1", 2), ("1x2", "--outer 1 --inner 2", 1)),
    case("jacobi", "--solves 10", ("chunk 24", "--chunk 24"), ("chunk 2", "--chunk 2"),
         ("chunk 400", "--chunk 400"), ("gss", "--gss")),
    case("unequal", "--size 700 --iters 300 --one-level", ("dynamic", "--dynamic"),
         ("guided", "--guided"), ("static", "--static"),
         ("dynamic,80", "--schedule dynamic,80")),
    case("matvec", "--size 9000 --iters 6000", ("chunk 43", "--chunk 43"),
         ("chunk 6000", "--chunk 6000"), ("static", "--static --chunk 4500"),
         why="a chunk takes 0.11 us, a loop 12. At its end the members take chunks from each "
             "other, and the lines of the result go along: more lines than the replay counts. "
             "While the host has its CPUs five times as far from each other, the program takes "
             "0.24 s."),
    case("molecule", "--size 12 --iters 300 --compare 0", ("arrays", "--arrays"),
         ("locks", "--locks")),
    case("quake", "--size 24 --iters 300", ("copies", "--copies"), ("atomics", "--atomics"),
         ("reduction", "--reduction")),
    case("match", "--size 320 --iters 2"),
    case("fib", "--size 38 --iters 5", ("cutoff 15", "--cutoff 15"), ("cutoff 25", "--cutoff 25"),
         ("cutoff 37", "--cutoff 37")),
    case("sort", "--size 1000000 --iters 5", ("cutoff 2000", "--cutoff 2000"),
         ("cutoff 500", "--cutoff 500"), ("cutoff 800000", "--cutoff 800000")),
    case("nqueens", "--size 12 --iters 60", ("cutoff 8", "--cutoff 8"),
         ("cutoff 11", "--cutoff 11"), ("cutoff 12", "--cutoff 12")),
    case("strassen", "--size 512 --iters 8", ("cutoff 64", "--cutoff 64"),
         ("cutoff 16", "--cutoff 16"), ("cutoff 512", "--cutoff 512")),
    case("sparselu", "--iters 1", ("block 40", "--size 50 --block 40"),
         ("block 20", "--size 100 --block 20"), ("block 400", "--size 5 --block 400")),
    case("cholesky", "--iters 1", ("tile 64", "--size 30 --tile 64"),
         ("tile 24", "--size 80 --tile 24"), ("tile 384", "--size 5 --tile 384")),
    case("fft", "--size 262144 --iters 40", ("cutoff 1024", "--cutoff 1024"),
         ("cutoff 131072", "--cutoff 131072")),
    case("uts", "--size 6000 --iters 600", ("cutoff 0", "--cutoff 0"), ("cutoff 3", "--cutoff 3")),
    case("wavefront", "--iters 50", ("80 x 900 ns", "--size 80 --cost 900"),
         ("40 x 3600 ns", "--size 40 --cost 3600"), ("8 x 90 us", "--size 8 --cost 90000")),
    case("health", "--size 5 --iters 2000", ("cutoff 1", "--cutoff 1"), ("cutoff 3", "--cutoff 3"),
         why="a task takes 85 ns, less than the recorder can tell ([limits](predict.md#limits)): "
             "what it takes off for its own work hides some 10 ns of each of 680,000 tasks, on one "
             "processor as well."),
    case("graph8", "--iters 20000 --pieces 4",
         why="its tasks take half a microsecond, and their sums read vectors of which the other "
             "processor has just written a part. The record with two members measures what that "
             "costs (10 to 30 % of the tasks' time), but the recorder's own work between tasks is "
             "as long as a task."),
    case("bt", "--size 24 --iters 60 --compare 0",
         ("doacross", "--doacross --one-level --parts {P}"),
         ("ordered", "--ordered --one-level --parts {P}"), ("loops", "--loops --one-level"),
         ("2 blocks", "--doacross --one-level --parts {P} --blocks 2"),
         ("2x1", "--doacross --outer 2 --inner 1", 2)),
    case("lu", "--class S --reps 20 --compare 0", ("doacross", "--sweep doacross --rows 4"),
         ("1 row", "--sweep doacross --rows 1"), ("10 rows", "--sweep doacross --rows 10"),
         ("tasks", "--sweep tasks --rows 4"),
         why="planes of 12 x 12 points are handed from processor to processor every few "
             "microseconds. The record with two members measures what their lines cost (8 to 15 % "
             "of the chunks' time). In class W (`--class W --reps 1`) planes are larger, and less "
             "is missing. Bandwidth is not the cause: two serial copies at once take no longer "
             "than one."),
)
