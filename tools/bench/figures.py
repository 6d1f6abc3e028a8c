#!/usr/bin/env python3
# figures.py - measures what docs/figures.md and README show, writes both, tells when they are old
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: figures.py measure [FAMILY ...] [--quick | --rounds N] [--lib PATH] [--venv DIR]
       figures.py write
       figures.py check [--fresh]

measure  runs the benchmarks of the families (all of them without a name) and keeps the results in
         results/FAMILY.json; then writes. --quick: one round, marked as a draft
write    docs/figures.md and the table in README.md, from the results
check    status 1 when a text is not what would be written, or a result lacks a field or names a
         commit that is not in this branch. --fresh: also when a result is a draft, comes from
         a busy machine or changed sources, or the library has changed since
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import figures_families as families  # noqa: E402
import figures_result as result_file  # noqa: E402
import figures_text as texts  # noqa: E402
import nthbench_host as host  # noqa: E402
import nthbench_option as option  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(host.HERE))
PAGE, README = os.path.join("docs", "figures.md"), "README.md"
BEGIN, END = "<!-- figures: tools/bench/figures.py writes them -->", "<!-- /figures -->"
LIBRARY = ("runtime", "abi")  # what a figure is about


# Measuring


def row_texts(bench_dir):
    """{row of nthbench-micro: what it is}"""
    listed = subprocess.run([os.path.join(host.find_bench_dir(bench_dir), "nthbench-micro"),
                             "--list"], stdout=subprocess.PIPE, check=True).stdout.decode()
    return dict(line.split(None, 1) for line in listed.splitlines())


def measure(family, options):
    """Runs the calls of a family, keeps its result."""
    begin, documents = time.monotonic(), []
    common = ["--rounds", str(1 if options.quick else options.rounds or family.rounds)]
    for name in ("lib", "venv"):
        if getattr(options, name):
            common += ["--" + name, getattr(options, name)]
    for part in family.parts:
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            mode = part[:1] if not part[0].startswith("-") else []
            command = [sys.executable, os.path.join(host.HERE, "nthbench.py"), *mode, *common,
                       "--json", file.name, *part[len(mode):]]
            status = subprocess.run(command, cwd=host.HERE).returncode
            if status not in (0, 1):
                sys.exit("figures: %s: nthbench.py ended with %d" % (family.name, status))
            documents.append(json.load(file))
    about = {**row_texts(None), **family.about}
    made = result_file.make(family.name, documents, about, options.quick, family.counts)
    result_file.write(made)
    missing = result_file.lacks(made)
    print("\nfigures: %s: %d rows, %.0f s%s" % (
        family.name, len(made["rows"]), time.monotonic() - begin,
        "; it lacks " + ", ".join(missing) if missing else ""))


# Writing and checking


def written(root):
    """{path: what it should hold}; README as it is but for the text between its marks."""
    results = {f.name: result_file.read(f.name) for f in families.FAMILIES}
    with open(os.path.join(root, README), encoding="utf-8") as file:
        readme = texts.between(file.read(), BEGIN, END, texts.eight_text(families.EIGHT, results))
    if readme is None:
        sys.exit("figures: %s has no lines %s and %s" % (README, BEGIN, END))
    return {PAGE: texts.document(families.FAMILIES, results), README: readme}


def write(root):
    for name, text in written(root).items():
        with open(os.path.join(root, name), "w", encoding="utf-8") as out:
            out.write(text)


def git(*arguments):
    """(status, output); status 127 where there is no git."""
    try:
        done = subprocess.run(["git", "-C", ROOT, *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)
    except OSError:
        return 127, ""
    return done.returncode, done.stdout.decode().strip()


def has_history():
    """Whether git knows all commits of these sources: no package, no shallow clone."""
    status, top = git("rev-parse", "--show-toplevel")
    return status == 0 and os.path.realpath(top) == os.path.realpath(ROOT) and \
        git("rev-parse", "--is-shallow-repository")[1] == "false"


def commit_errors(result):
    """Drafts may come from anywhere."""
    name, commit = result["family"], result["commit"]
    if result["draft"] or not has_history():
        return []
    if git("merge-base", "--is-ancestor", commit.partition("-")[0], "HEAD")[0]:
        return ["%s: commit %s is not in the history of this branch" % (name, commit)]
    return []


def age_errors(result):
    """Why a result does not tell about the library as it is."""
    name, commit = result["family"], result["commit"]
    if result["draft"]:
        return ["%s: is a draft" % name]
    if result["machine"]["others"] >= texts.IDLE:
        return ["%s: others used %.0f %% of the CPUs" % (name, 100 * result["machine"]["others"])]
    if commit.endswith("-dirty"):
        return ["%s: measured with changed sources, %s" % (name, commit)]
    if not has_history():
        return []
    since = git("rev-list", "--count", commit + "..HEAD", "--", *LIBRARY)[1]
    return ["%s: the library has changed %s times since %s" % (name, since, commit)] \
        if since != "0" else []


def check(root, fresh):
    """Errors; without `fresh` the results' age is only told."""
    errors = []
    for family in families.FAMILIES:
        result = result_file.read(family.name)
        if result is None and family.optional:
            print("note: %s: not measured yet" % family.name)
            continue
        if result is None:
            errors.append("%s: no result" % family.name)
            continue
        missing = result_file.lacks(result)
        if missing:
            errors.append("%s: lacks %s" % (family.name, ", ".join(missing)))
            continue
        errors += commit_errors(result)
        old = age_errors(result)
        errors += old if fresh else []
        for text in [] if fresh else old:
            print("note: " + text)
    if not errors:
        for name, text in written(root).items():
            with open(os.path.join(root, name), encoding="utf-8") as file:
                if file.read() != text:
                    errors.append("%s is not what `tools/bench/figures.py write` writes" % name)
    return errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=("measure", "write", "check"))
    parser.add_argument("family", nargs="*", help=" ".join(f.name for f in families.FAMILIES))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--rounds", type=option.positive, help="in place of the family's own")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--lib", help="our library")
    parser.add_argument("--venv", help="with intel-openmp; default build/venv")
    parser.add_argument("--root", default=ROOT, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.mode == "check":
        errors = check(options.root, options.fresh)
        for error in errors:
            print("error: " + error)
        print("%d errors" % len(errors) if errors else "ok: %d families" % len(families.FAMILIES))
        return 1 if errors else 0
    if options.mode == "measure":
        known = {f.name: f for f in families.FAMILIES}
        wrong = [name for name in options.family if name not in known]
        if wrong:
            parser.error("no family %s; there are: %s" % (wrong[0], " ".join(known)))
        for name in options.family or known:
            measure(known[name], options)
    write(options.root)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("figures: broken off, nothing written")
