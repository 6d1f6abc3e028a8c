# run_options.py - options of `nanogomp run` by argparse: the help, and what is wrong with a line
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""run.quick_options() reads the plain lines, as this module takes longer to load than a start."""

import argparse

from nanogomp_lib import run

EPILOG = """examples:
  nanogomp run ./program                        a program that gcc -fopenmp compiled
  nanogomp run -v -n 4 -- python3 train.py      four threads; who asks for a libgomp, and gets ours
  nanogomp run --way audit -- ./start.sh        also in all that the script starts
  nanogomp run --explain -- ./program           why it is slow

The exit status is the program's; 126: found but refused, 127: not found,
125: the library is missing."""


def checked(reader):
    """A reader whose complaint argparse shows."""
    def read(text):
        try:
            return reader(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error
    return read


def parser():
    p = argparse.ArgumentParser(
        prog="nanogomp run", usage="nanogomp run [options] [--] program [argument ...]",
        description="Runs a program with our libgomp.so.1 under it.", epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    p.add_argument("-v", "--verbose", action="store_true",
                   help="say on stderr what is done and why; the library says that it serves, and "
                        "a watcher which processes it does not serve")
    p.add_argument("-n", "--threads", metavar="N", type=checked(run.threads),
                   help="sets OMP_NUM_THREADS")
    p.add_argument("--policy", choices=run.CHOICES["policy"], help="sets OMP_WAIT_POLICY")
    p.add_argument("--fork", choices=run.CHOICES["fork"],
                   help="sets NTH_FORK: how a team gets its work")
    p.add_argument("--set", metavar="NAME=VALUE", type=checked(run.assignment), action="append",
                   default=[], dest="assignments",
                   help="sets a variable; may be given several times")
    p.add_argument("--lib", metavar="DIR", help="folder of libgomp.so.1")
    p.add_argument("--way", choices=run.CHOICES["way"], default="auto",
                   help="how the library gets under the program: LD_LIBRARY_PATH alone (path), "
                        "LD_AUDIT too, which gives it to copies of libgomp as well, or LD_PRELOAD; "
                        "auto: what the program needs")
    p.add_argument("--hold-threads", action="store_true",
                   help="POSIX threads of the program run on OS threads that are held: see "
                        "docs/tholder.md")
    p.add_argument("--mpi-tasks", action="store_true",
                   help="blocking calls of MPI suspend the task that makes them, where MPI has "
                        "MPI_THREAD_MULTIPLE: see docs/mpi.md")
    p.add_argument("--race", action="store_true",
                   help="tell the data races that the thread sanitizer has seen, after the run; "
                        "the program must be compiled by gcc -g -fsanitize=thread -fopenmp: see "
                        "docs/races.md")
    p.add_argument("--explain", action="store_true",
                   help="say at the end, on stderr, why the program is slow: up to five findings")
    p.add_argument("--dry-run", action="store_true", help="print what would be set, run nothing")
    p.add_argument("command", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return p


def parse(argv):
    p = parser()
    options = p.parse_args(argv, run.Options())
    if options.command[:1] == ["--"]:
        options.command = options.command[1:]
    if not options.command:
        p.error("no program given")
    if options.race and options.explain:
        p.error("--race and --explain: one of them")
    return options
