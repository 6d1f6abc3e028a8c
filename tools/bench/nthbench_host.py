# nthbench_host.py - the machine, the runtimes on it, and running a program under one of them.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A runtime is swapped in by a folder of its own that holds nothing but the link libgomp.so.1."""

import contextlib
import glob
import os
import platform
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
OURS = "nanogomp"
# Twins of runtimes, NAME-TWIN: the same library with a setting more.
TWINS = {"passive": {"OMP_WAIT_POLICY": "passive"}, "active": {"OMP_WAIT_POLICY": "active"},
         "os": {"NTH_MEMBERS": "os"}, "nano": {"NTH_MEMBERS": "nano"},
         "central": {"NTH_POOL": "central"}, "local": {"NTH_POOL": "local"}}
MEMBERS = ("os", "nano")
OTHER_ROW = "other-row"  # a peer: ours in another row
# Settings of the caller that would change what is measured. NTH_* stays: it is how one tries ours.
FOREIGN_SETTINGS = ("OMP_", "GOMP_", "KMP_", "LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT",
                    "LIBOMP_", "HWLOC_")


NO_UTF8 = "%s: want text in UTF-8"


class BenchError(Exception):
    """What the user has to know and the tool cannot mend."""


def command():
    """The command `nanogomp`: what runs now, else the one of the source tree."""
    started = os.path.realpath(sys.argv[0])
    if os.path.basename(started) == "nanogomp":
        return started
    return os.path.join(HERE, os.pardir, "nanogomp")


def read_tsv(path, make, wanted):
    """[make(columns)] of a table; # begins a comment. make() raises ValueError unless they are as
    wanted."""
    rows = []
    try:
        with open(path, encoding="utf-8") as table:
            for number, line in enumerate(table, 1):
                line = line.rstrip("\n")
                if line and not line.startswith("#"):
                    try:
                        rows.append(make(line.split("\t")))
                    except ValueError as error:
                        raise BenchError("%s:%d: wanted are %s" % (path, number, wanted)) from error
    except OSError as error:
        raise BenchError("%s: %s" % (path, error.strerror)) from error
    except UnicodeDecodeError as error:
        raise BenchError(NO_UTF8 % path) from error
    if not rows:
        raise BenchError("%s: nothing in it" % path)
    return rows


class Runtime:
    """A runtime library under a name, with environment settings of its own."""

    def __init__(self, name, path, env=None):
        self.name = name
        self.path = os.path.realpath(path)
        self.env = dict(env or {})
        self.folder = None

    def prepare(self, parent):
        self.folder = os.path.join(parent, self.name)
        os.makedirs(self.folder)
        os.symlink(self.path, os.path.join(self.folder, "libgomp.so.1"))

    def twin(self, name, settings=None):
        """The same library under another name."""
        twin = Runtime(name, self.path, {**self.env, **(settings or {})})
        twin.folder = self.folder
        return twin

    def twins(self):
        return [self.twin("%s-%s" % (self.name, kind), env) for kind, env in TWINS.items()]


def variants(runtimes, kinds, settings=None):
    """Ours once for each {end of the name: settings} and each kind of members, others as they
    are."""
    for runtime in runtimes:
        if runtime.name != OURS:
            yield runtime
            continue
        for end, more in (settings or {"": {}}).items():
            for kind in kinds:
                yield runtime.twin("%s-%s%s" % (OURS, kind, end), {**TWINS[kind], **more})


def is_twin(name):
    return name.rpartition("-")[2] in TWINS and "-" in name


def twin_settings(name):
    """"VAR=VALUE" of a twin."""
    return " ".join("%s=%s" % s for s in TWINS[name.rpartition("-")[2]].items())


class Outcome:
    """What became of one process."""

    def __init__(self):
        self.status = None  # exit status, or minus the signal
        self.timed_out = False
        self.wall_ns = 0
        self.stdout = ""
        self.stderr = ""

    def trouble(self):
        """None, or why its figures do not count."""
        if self.timed_out:
            return "timeout"
        if self.status < 0:
            return "signal %d" % -self.status
        return None if self.status == 0 else "exit %d" % self.status


# Ending by a signal: an exception takes children and folders along, but not while a child is being
# made, whose number nobody knows yet.

ending = {"held": False, "number": 0}
running = set()  # processes of run() in all threads


def end_in_order():
    """For the signals that end a program, unless somebody (nohup) has other plans."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, end_now)


def end_now(number, _frame):
    if ending["held"]:
        ending["number"] = number
    elif number == signal.SIGINT:
        raise KeyboardInterrupt
    else:
        sys.exit(128 + number)


@contextlib.contextmanager
def signals_held():
    if threading.current_thread() is not threading.main_thread():
        yield  # they come in the main thread
        return
    ending["held"] = True
    try:
        yield
    finally:
        ending["held"] = False
    number, ending["number"] = ending["number"], 0
    if number:
        end_now(number, None)


def run(command, env, limit, cwd=None):
    """Run to its end or for `limit` seconds. Output goes to files: a pipe would need a reader,
    and the reader would wake up beside the measured threads."""
    outcome = Outcome()
    done = threading.Event()
    process = None

    def stop():
        if not done.is_set():
            outcome.timed_out = True
            kill_group(process.pid)

    timer = threading.Timer(limit, stop)
    timer.daemon = True
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic_ns()
        try:
            with signals_held():
                process = subprocess.Popen(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL,
                                           stdout=out, stderr=err, start_new_session=True)
            running.add(process.pid)
            timer.start()
            _, status, _ = os.wait4(process.pid, 0)
        except OSError as error:
            raise BenchError("cannot run %s: %s" % (command[0], error.strerror)) from error
        except BaseException:
            if process:
                kill_group(process.pid)
                process.wait()
            raise
        finally:
            done.set()
            timer.cancel()
            if process:
                running.discard(process.pid)
        outcome.wall_ns = time.monotonic_ns() - start
        outcome.status = process.returncode = os.waitstatus_to_exitcode(status)
        kill_group(process.pid)  # what it may have left behind
        for stream, field in ((out, "stdout"), (err, "stderr")):
            stream.seek(0)
            setattr(outcome, field, stream.read().decode("utf-8", "replace"))
    return outcome


def call_to_end(command):
    """Exit status of a command that shares our terminal. When we are ended it is asked to end, too:
    it may be installing packages."""
    with subprocess.Popen(command) as process:
        try:
            return process.wait()
        except BaseException:
            process.terminate()
            raise


def kill_running():
    for pid in list(running):
        kill_group(pid)


def kill_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def environment(runtime, threads, settings=None, keep_foreign=False):
    """The environment of a measured process. keep_foreign: the caller's own OMP_* hold."""
    env = dict(os.environ)
    if not keep_foreign:
        for name in list(env):
            if name.startswith(FOREIGN_SETTINGS):
                del env[name]
    if threads:
        env["OMP_NUM_THREADS"] = str(threads)
    env.update(settings or {})
    env.update(runtime.env)
    old = env.get("LD_LIBRARY_PATH")
    env["LD_LIBRARY_PATH"] = runtime.folder + (":" + old if old else "")
    return env


# Where things are


def build_folders():
    """The tool's and the caller's surroundings, nearest first; a release build before others.
    Builds with asserts or sanitizers are never what one wants to measure."""
    folder = HERE
    roots = []
    for _ in range(5):
        roots.append(folder)
        folder = os.path.dirname(folder)
    roots.append(os.getcwd())
    for root in roots:
        yield root
        for name in ("build/release", "build", "build-release"):
            yield os.path.join(root, name)
        for path in sorted(glob.glob(os.path.join(root, "build/*"))
                           + glob.glob(os.path.join(root, "build-*"))):
            if not any(word in os.path.basename(path) for word in ("asan", "tsan", "debug", "cov")):
                yield path


def first_file(patterns):
    for pattern in patterns:
        for path in sorted(glob.glob(pattern, recursive=True), key=version_key, reverse=True):
            if os.path.isfile(path):
                return path
    return None


def version_key(path):
    """Sorts llvm-19 after llvm-9."""
    return [int(part) if part.isdigit() else 0 for part in re.split(r"(\d+)", path)[1::2]], path


def find_bench_dir(given):
    """The folder of the benchmark programs: given, or in the surroundings."""
    folders = [given] if given else \
        [path for b in build_folders() for path in (b, os.path.join(b, "bench"))]
    for folder in folders:
        if os.access(os.path.join(folder, "nthbench-micro"), os.X_OK):
            return os.path.abspath(folder)
    raise BenchError("no benchmark programs found%s; to build them here: cmake -S %s -B build && "
                     "cmake --build build" % (" in " + given if given else "", shlex.quote(HERE)))


def find_ours(given):
    if not given:
        return first_file(os.path.join(folder, path) for folder in build_folders()
                          for path in ("lib/nanogomp/libgomp.so.1", "lib64/nanogomp/libgomp.so.1",
                                       "lib/*-linux-gnu/nanogomp/libgomp.so.1", "libgomp.so.1"))
    path = given
    if os.path.isdir(given):
        path = first_file(os.path.join(given, p) for p in
                          ("libgomp.so.1", "lib/nanogomp/libgomp.so.1"))
    if not path or not os.path.isfile(path):
        raise BenchError("no libgomp.so.1 at %s" % given)
    return path


def loader_cache(name):
    """Where the system's loader would find the library."""
    tool = shutil.which("ldconfig") or "/sbin/ldconfig"
    try:
        listing = subprocess.run([tool, "-p"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                 timeout=10).stdout.decode()
    except (OSError, subprocess.TimeoutExpired):
        return None
    for line in listing.splitlines():
        if line.split()[:1] == [name] and "=>" in line:
            path = line.split("=>")[1].strip()
            if os.path.exists(path) and "nanogomp" not in os.path.realpath(path):
                return path
    return None


def find_gomp():
    multiarch = platform.machine() + "-linux-gnu"
    return loader_cache("libgomp.so.1") or first_file(
        "/usr/%s/libgomp.so.1" % folder for folder in ("lib/" + multiarch, "lib64", "lib"))


def venv_folders(venv):
    roots = [venv, os.environ.get("VIRTUAL_ENV"), sys.prefix]
    return list(filter(None, roots)) + [os.path.join(folder, "venv") for folder in build_folders()]


def site_packages(venv):
    """Folders of packages that this Python can use."""
    version = "python%d.%d" % sys.version_info[:2]
    paths = [os.path.join(v, "lib", version, "site-packages") for v in venv_folders(venv)]
    return [path for path in paths if os.path.isdir(path)]


def find_iomp(venv):
    patterns = []
    for root in venv_folders(venv):
        patterns += [root] if root.endswith(".so") else [os.path.join(root, "lib/libiomp5.so")]
        patterns.append(os.path.join(root, "lib/python*/site-packages/**/libiomp5.so"))
    return first_file(patterns) or loader_cache("libiomp5.so")


def find_omp():
    return first_file(["/usr/lib/llvm-*/lib/libomp.so.5", "/usr/lib/*/libomp.so.5"]) \
        or loader_cache("libomp.so.5")


def parse_runtime(text):
    """name=[path][:VAR=value]... -> (name, path, settings)"""
    name, _, rest = text.partition("=")
    path, *settings = rest.split(":")
    if not name or any("=" not in s for s in settings):
        raise BenchError("--runtimes wants name=[path][:VAR=value], not %s" % text)
    return name, path, dict(s.split("=", 1) for s in settings)


def find_runtimes(given, lib, venv, say):
    """The list of Runtime; `given` is the text of --runtimes or None."""
    known = {OURS: lambda: find_ours(lib), "gomp": find_gomp,
             "iomp": lambda: find_iomp(venv), "omp": find_omp}
    hints = {OURS: "build the project or give --lib", "gomp": "install libgomp1",
             "iomp": "pip install intel-openmp in a venv, then --venv", "omp": "install libomp5-*"}
    found = []
    for text in (given.split(",") if given else known):
        name, path, settings = parse_runtime(text)
        if not path:
            library = name.partition("-")[0]  # nanogomp-x=:NTH_X=1 is ours again
            if library not in known or (name != library and not settings):
                raise BenchError("no path for runtime %s" % name)
            path = known[library]()
            if not path:
                say("%s not found and left out: %s" % (name, hints[library]))
                continue
        if name in [r.name for r in found]:
            raise BenchError("two runtimes are called %s" % name)
        if not os.path.isfile(path):
            raise BenchError("no file %s for runtime %s" % (path, name))
        found.append(Runtime(name, path, settings))
    if not found:
        raise BenchError("no runtime to measure")
    return found


def verify_runtimes(runtimes, bench_dir):
    """Each runtime must really be the one that a program gets."""
    for runtime in runtimes:
        outcome = run([os.path.join(bench_dir, "nthbench-start"), "which"],
                      environment(runtime, 2), 30)
        if outcome.trouble():
            raise BenchError("runtime %s (%s) does not run: %s\n%s" % (
                runtime.name, runtime.path, outcome.trouble(), outcome.stderr.strip()))
        loaded = os.path.realpath(outcome.stdout.strip())
        if loaded != runtime.path:
            raise BenchError("runtime %s: programs load %s, not %s"
                             % (runtime.name, loaded, runtime.path))


# The machine


def choose_cpus(text, threads):
    """--cpus A,B,C-D, or as many of the allowed ones as there are threads."""
    allowed = sorted(os.sched_getaffinity(0))
    if not text:
        return allowed[:max(1, threads)]
    chosen = set()
    try:
        for part in text.split(","):
            low, _, high = part.partition("-")
            chosen.update(range(int(low), int(high or low) + 1))
    except ValueError as error:
        raise BenchError("--cpus wants 0,1 or 0-3, not %s" % text) from error
    if not chosen <= set(allowed):
        raise BenchError("--cpus %s: this process may use only %s" % (text, allowed))
    return sorted(chosen)


def cpu_model():
    try:
        with open("/proc/cpuinfo") as info:
            for line in info:
                if line.lower().startswith(("model name", "hardware", "cpu model")):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


class CpuWatch:
    """How much of the measured CPUs others have used since the watch began."""

    def __init__(self, cpus):
        self.cpus = cpus
        self.begin = self.read()

    def read(self):
        busy = total = 0
        names = {"cpu%d" % c for c in self.cpus}
        with open("/proc/stat") as stat:
            for line in stat:
                fields = line.split()
                if fields and fields[0] in names:
                    ticks = [int(f) for f in fields[1:9]]  # guest time lies in user time
                    total += sum(ticks)
                    busy += sum(ticks) - ticks[3] - ticks[4]
        own = 0.0
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
            usage = resource.getrusage(who)
            own += usage.ru_utime + usage.ru_stime
        return busy, total, own

    def others(self):
        """Share (0..1) of CPU time; own processes count when they have ended."""
        busy, total, own = (now - then for now, then in zip(self.read(), self.begin))
        if total <= 0:
            return 0.0
        own_ticks = own * os.sysconf("SC_CLK_TCK")
        return min(1.0, max(0.0, (busy - own_ticks) / total))


def machine_facts(cpus):
    watch = CpuWatch(cpus)
    time.sleep(0.5)
    return {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "cpus": cpus,
        "kernel": platform.release(),
        "date": time.strftime("%Y-%m-%d %H:%M:%S %z"),
        "load_average": list(os.getloadavg()),
        "others_at_start": watch.others(),
    }
