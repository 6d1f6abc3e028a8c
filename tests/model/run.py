#!/usr/bin/env python3
# run.py - builds and runs all models, which must pass, and all mutants, which must not
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exit status: 0 all as it should be; 1 not; 77 no cargo, or the crates cannot be had."""

import argparse
import concurrent.futures
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time

import mutants

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tools"))
from nanogomp_lib import patience  # noqa: E402
SKIP = 77
OLDEST_CARGO = (1, 73)  # rust-version of Cargo.toml
FETCH_SECONDS = 100
MUTANT_SECONDS = 60  # of a quiet machine: patience.py
MODEL_SECONDS = 240
FLAGS = ["-std=gnu17", "-O1", "-g", "-fPIC", "-fvisibility=hidden", "-D_GNU_SOURCE", "-DNTH_MODEL",
         "-DNTH_CHECK=2", "-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Wno-type-limits",
         "-Wno-gnu-variable-sized-type-not-at-end", "-Wno-unused"]
# The compiler's calls at plain accesses go to support.c instead of ThreadSanitizer.
WATCHED = ["-fsanitize=thread", "-include", "tests/model/config.h"]


NO_CASE = "no such case"


class Failure(Exception):
    """Something is wrong: its text says what."""


def call(command, **options):
    """Runs a command; returns its result with stdout and stderr together as text."""
    return subprocess.run([str(part) for part in command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, **options)


def cargo_version(cargo):
    """(major, minor), or None when it does not run (a rustup link without a toolchain)."""
    said = re.match(r"cargo (\d+)\.(\d+)", call([cargo, "--version"]).stdout)
    return (int(said[1]), int(said[2])) if said else None


def build_driver(build):
    """The driver program; ends with SKIP when it cannot be had here."""
    cargo = shutil.which("cargo")
    version = cargo_version(cargo) if cargo else None
    if not version or version < OLDEST_CARGO:
        have = "cargo %d.%d is too old" % version if version else "no cargo that runs"
        print("%s: the models are not checked; they need Rust %d.%d or later (rustup.rs, or a "
              "distribution newer than Debian 12)" % (have, *OLDEST_CARGO))
        sys.exit(SKIP)
    environment = dict(os.environ, CARGO_TARGET_DIR=str(build / "cargo"), CARGO_NET_RETRY="1",
                       CARGO_HTTP_TIMEOUT="20")
    manifest = ["--locked", "--manifest-path", HERE / "Cargo.toml"]
    try:
        fetched = call([cargo, "fetch", *manifest], env=environment, timeout=FETCH_SECONDS)
        trouble = fetched.stdout.strip() if fetched.returncode != 0 else None
    except subprocess.TimeoutExpired:
        trouble = "cargo fetch: nothing in %d s" % FETCH_SECONDS
    if trouble:
        print(trouble)
        print("the crates cannot be had (no network?): the models are not checked")
        sys.exit(SKIP)
    built = call([cargo, "build", "--release", "--offline", *manifest], env=environment)
    if built.returncode != 0:
        raise Failure(f"cargo build failed\n{built.stdout}")
    return build / "cargo/release/nanogomp-model"


def compile_source(cc, name, source, build, changed=None):
    """An object of a harness. changed: folder with files that stand before the tree's."""
    path = changed / source if changed and (changed / source).exists() else ROOT / source
    target = build / (pathlib.Path(source).parent.name + "-" + path.stem + ".o")
    flags = [*FLAGS, *(WATCHED if path.stem != "support" else []), *mutants.SIZES.get(name, [])]
    flags += ["-DMODEL_MEMBERS"] if name in mutants.WITH_MEMBERS else []
    flags += ["-DMODEL_CARRIED"] if name in mutants.WITH_CARRIERS else []
    flags += ["-DMODEL_HELD"] if name in mutants.WITH_HELD else []
    flags += ["-w", f"-I{changed}"] if changed else []
    made = call([cc, *flags, f"-I{ROOT}", "-c", path, "-o", target], cwd=ROOT)
    if made.returncode != 0:
        raise Failure(f"{name}: {source} does not compile\n{made.stdout}")
    return target


class Harnesses:
    """The objects of each harness over the tree as it is, which are made once."""

    def __init__(self, cc, build):
        self.cc, self.build = cc, build
        self.locks = {name: threading.Lock() for name in mutants.HARNESSES}
        self.objects = {}

    def unchanged(self, name):
        """{source: object}"""
        with self.locks[name]:
            if name not in self.objects:
                folder = self.build / "models" / name
                folder.mkdir(parents=True, exist_ok=True)
                sources = [f"tests/model/{name}.c", "tests/model/support.c",
                           *mutants.HARNESSES[name]]
                self.objects[name] = {source: compile_source(self.cc, name, source, folder)
                                      for source in sources}
            return self.objects[name]

    def link(self, name, objects, folder):
        """The shared library of a harness."""
        library = folder / f"{name}.so"
        made = call([self.cc, "-shared", *objects, "-Wl,-z,defs", "-o", library])
        if made.returncode != 0:
            missing = sorted(set(re.findall(r"undefined (?:reference to|symbol:) [`']?(\w+)",
                                            made.stdout)))
            stubs = f"; no stub of {', '.join(missing)}" if missing else ""
            raise Failure(f"{name} does not link{stubs}\n{made.stdout}")
        return library

    def model(self, name):
        """The harness over the tree."""
        return self.link(name, self.unchanged(name).values(), self.build / "models" / name)

    def mutant(self, mutant, folder):
        """The harness over the tree with the changed file in folder. All sources may see a
        header."""
        objects = dict(self.unchanged(mutant.harness))
        again = [mutant.file] if mutant.file in objects else list(objects)
        for source in again:
            objects[source] = compile_source(self.cc, mutant.harness, source, folder, folder)
        return self.link(mutant.harness, objects.values(), folder)


def places(mutant):
    """Where the mutant's old text stands in its file. A line may be broken elsewhere: between words
    one space is as good as another, but those at the start and the end are as they are written."""
    start, words, end = re.fullmatch(r"(\s*)(.*?)(\s*)", mutant.old, re.DOTALL).groups()
    pattern = start + r"\s+".join(re.escape(word) for word in words.split()) + end
    return list(re.finditer(pattern, (ROOT / mutant.file).read_text()))


def check_texts():
    """The old text of every mutant, chosen or not, must stand in its file exactly once."""
    stale = []
    for mutant in mutants.MUTANTS:
        count = len(places(mutant))
        if count != 1:
            stale.append(f"{mutant.title}: its text stands {count} times in {mutant.file}")
    if stale:
        raise Failure("\n".join([*stale, "bring mutants.py up to date"]))


def apply(mutant, folder):
    """Writes the changed file below folder."""
    text = (ROOT / mutant.file).read_text()
    shutil.rmtree(folder, ignore_errors=True)  # another file may have been changed there before
    target = folder / mutant.file
    target.parent.mkdir(parents=True, exist_ok=True)
    (place,) = places(mutant)
    target.write_text(text[:place.start()] + mutant.new + text[place.end():])


def execute(driver, library, seconds, options=()):
    """Runs the driver; returns (its exit status, what it said)."""
    command = [str(part) for part in (driver, library, *options)]
    with tempfile.TemporaryFile("w+") as said:
        with subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT) as process:
            limit = patience.Patience(seconds, process.pid)
            while process.poll() is None and not limit.is_over():
                try:
                    process.wait(limit.step())
                except subprocess.TimeoutExpired:
                    limit.count()
            late = process.poll() is None
            process.kill()
        said.seek(0)
        text = said.read()
    if late:
        raise Failure(f"{library}: {limit.reason('run.py')}\n{text}")
    return process.returncode, text


def check_links(harnesses, name):
    """Makes a harness, without running it; returns what to print."""
    harnesses.model(name)
    return f"{name}: links"


def check_model(harnesses, driver, name, options):
    """Runs all cases of a harness, or the one that is asked for; returns what to print."""
    status, said = execute(driver, harnesses.model(name), MODEL_SECONDS, options)
    lines = [f"{name}/{line}" if ": " in line else line for line in said.splitlines()]
    text = said if "FAILED" in said else "\n".join(lines)
    if status != 0:
        raise Failure(f"model {name}\n{text}")
    return text or f"{name}: {NO_CASE}"


def check_mutant(harnesses, driver, mutant):
    """Runs a harness over a changed runtime, until it finds something; returns what to print."""
    folder = harnesses.build / "mutants" / mutant.title
    apply(mutant, folder)
    status, said = execute(driver, harnesses.mutant(mutant, folder), MUTANT_SECONDS)
    if status == 0:
        raise Failure(f"mutant {mutant.title} was not found\n{said}")
    last = next((line for line in said.splitlines() if "FAILED" in line), "")
    found = last.partition("FAILED ")[2].split(" ")[0] or ("crash" if status < 0 else "")
    last = last or f"it died of signal {-status}"
    if found not in mutant.kinds:
        raise Failure(f"mutant {mutant.title} was to be found as {' or '.join(mutant.kinds)}\n"
                      f"{said[:4000]}")
    return f"{mutant.title}: {last.replace('FAILED', 'found,')}"


def run_all(jobs, work):
    """Calls the functions in `work`, prints their results in order; returns failures. It is one
    that no model has the case asked for."""
    failures, ran = [], False
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for future in [pool.submit(job) for job in work]:
            try:
                result = future.result()
                ran |= not result.endswith(NO_CASE)
                print(result, flush=True)
            except Failure as failure:
                failures.append(str(failure))
                print(f"FAILED {failure}", flush=True)
    return failures if ran or failures else [NO_CASE]


def chosen(only, title):
    return not only or any(title == name or title.startswith(name + "-") for name in only)


def part(text):
    """(K, N) of "K/N"."""
    k, n = (int(number) for number in text.split("/"))
    if not 1 <= k <= n:
        raise ValueError(text)
    return k, n


def main():
    parser = argparse.ArgumentParser(description="Model-checks the runtime's lock-free parts.")
    parser.add_argument("names", nargs="*",
                        help="models (djs) or mutants (djs-done_rlx); none: all of both")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/model",
                        help="folder for everything that is made (default: build/model)")
    parser.add_argument("--cc", default=os.environ.get("CC", "cc"), help="C compiler, gcc or clang")
    parser.add_argument("--jobs", type=int, default=min(os.cpu_count() or 1, 4))
    parser.add_argument("--no-mutants", action="store_true", help="the models only")
    parser.add_argument("--links", action="store_true",
                        help="compile and link the models only: finds calls that have no stub")
    parser.add_argument("--part", metavar="K/N", type=part, default=(1, 1),
                        help="of the mutants only number K, K + N, K + 2 N ...")
    parser.add_argument("--case", help="one case of the model")
    parser.add_argument("--trace", action="store_true",
                        help="show plain accesses and the whole of a failing execution")
    parser.add_argument("--werror", action="store_true", help="a compiler's warning is an error")
    arguments = parser.parse_args()
    if arguments.werror:
        FLAGS.append("-Werror")
    build = arguments.build.resolve()
    build.mkdir(parents=True, exist_ok=True)
    only = arguments.names
    options = ["--case", arguments.case] if arguments.case else []
    options += ["--trace"] if arguments.trace else []
    start = time.monotonic()
    driver = None
    try:
        check_texts()
        if not arguments.links:
            driver = build_driver(build)
    except Failure as failure:
        print(failure)
        return 1
    print(f"driver: {time.monotonic() - start:.0f} s", flush=True)
    start = time.monotonic()
    models = [name for name in mutants.HARNESSES if chosen(only, name)]
    # A name of a mutant alone does not match a model, so it runs alone.
    changes = [] if arguments.no_mutants or arguments.links or options else [
        mutant for mutant in mutants.MUTANTS if chosen(only, mutant.title)]
    first, step = arguments.part
    changes = changes[first - 1::step]
    harnesses = Harnesses(arguments.cc, build)
    check = functools.partial(check_links, harnesses) if arguments.links else \
        functools.partial(check_model, harnesses, driver, options=options)
    work = [functools.partial(check, name) for name in models]
    work += [lambda mutant=mutant: check_mutant(harnesses, driver, mutant) for mutant in changes]
    if not work:
        print("no such model or mutant")
        return 1
    failures = run_all(arguments.jobs, work)
    print(f"{len(models)} models, {len(changes)} mutants, {time.monotonic() - start:.0f} s")
    print(f"{len(work) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
