# compare.py - runs a program under two OpenMP libraries and compares what they say
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: compare.py display|messages|hostile|hostile-each VALUES PROGRAM LIBRARY REFERENCE OWN

VALUES has one case a line: NAME=VALUE settings split by " ; "; OWN is 1 when LIBRARY is nanogomp,
which must survive everything. A case that stops the REFERENCE is not compared.
"""
import os
import re
import subprocess
import sys

VARIABLES = """
OMP_NUM_THREADS OMP_DYNAMIC OMP_NESTED OMP_MAX_ACTIVE_LEVELS OMP_THREAD_LIMIT OMP_SCHEDULE
OMP_PROC_BIND OMP_PLACES OMP_STACKSIZE OMP_WAIT_POLICY OMP_CANCELLATION OMP_DISPLAY_AFFINITY
OMP_DISPLAY_ENV OMP_TARGET_OFFLOAD OMP_DEFAULT_DEVICE OMP_MAX_TASK_PRIORITY OMP_NUM_TEAMS
OMP_TEAMS_THREAD_LIMIT OMP_ALLOCATOR GOMP_CPU_AFFINITY GOMP_STACKSIZE GOMP_SPINCOUNT GOMP_DEBUG
ACC_DEVICE_NUM ACC_DEVICE_TYPE GOMP_OPENACC_DIM OMP_AFFINITY_FORMAT NTH_FORK NTH_POOL
NTH_DOMAINS NTH_SHARE
""".split()

HOSTILE = ["", " ", ",", ",,,,", "x", "-1", "0", "%s%n%s%n", "\n", "\t4\t", "\x7f\x01", "a" * 50000,
           "9" * 1000, "-" + "9" * 1000, "1," * 10000 + "1", "{" * 5000, "}" * 5000, "!" * 5000,
           "{0" * 3000, "(((((", "threads(" * 1000, "static," * 1000, ":" * 5000, "{0}:65535:65535",
           "{0:65535:65535}", "99999999999999999999999999", "0x7fffffffffffffff", "1e9",
           "true,false", "=", "==", "'\"\\`$(id)", os.fsdecode(b"\xff\xfe\x80"), "4294967296",
           "-2147483648",
           "2147483648", "9223372036854775808", "18446744073709551615", "18446744073709551616"]
# Numbers are left out where they are good values that ask for threads: huge.c tries those.
ASKS_FOR_THREADS = {"OMP_NUM_THREADS"}

MESSAGE = [(re.compile(r"(?:Invalid|Unknown) value for enviro\w*ment variable (\w+)"), r"bad \1"),
           (re.compile(r"Invalid value for chunk size in environment variable (\w+)"), r"chunk \1"),
           (re.compile(r"Stack size (less|larger) than .*"), r"stack \1")]
# libgomp from 13 on shows these as they were before other variables implied them; what its
# functions answer is the same. Ours shows what is in force.
IMPLIED = {"OMP_NESTED": "OMP_MAX_ACTIVE_LEVELS", "OMP_MAX_ACTIVE_LEVELS": "OMP_MAX_ACTIVE_LEVELS",
           "OMP_PROC_BIND": "OMP_PROC_BIND"}
DISPLAYED = re.compile(r"^  (?:\[\w+\] )?(\w+) = '(.*)'$")


def run(program, library, settings):
    """Returns (exit status, standard output, standard error)."""
    env = {"LC_ALL": "C", "LD_LIBRARY_PATH": os.path.dirname(library)}
    if not {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT"} & set(settings):
        env["OMP_WAIT_POLICY"] = "passive"  # ten times as many runs a second
    env.update(settings)
    done = subprocess.run([program], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=60)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def messages(text):
    """libgomp's complaints, in the words of no particular version."""
    found = []
    for line in text.split("\n"):
        if line.startswith("libgomp: "):
            said = line[len("libgomp: "):]
            for pattern, short in MESSAGE:
                if pattern.match(said):
                    said = pattern.match(said).expand(short)
            found.append(said)
    return found


def displayed(text):
    values = {}
    for line in text.split("\n"):
        match = DISPLAYED.match(line)
        if match:
            values.setdefault(match.group(1), match.group(2))
    values.pop("_OPENMP", None)
    return values


def shows_implied(program, library):
    """Whether a list of thread counts shows as nesting."""
    settings = {"OMP_NUM_THREADS": "4,3", "OMP_DISPLAY_ENV": "true"}
    return displayed(run(program, library, settings)[2]).get("OMP_NESTED") == "TRUE"


def differences(mode, settings, ours, theirs, implied):
    """Yields a text per difference between two runs' standard errors."""
    # libgomp from 13 on complains in the order of the environment
    if sorted(messages(ours)) != sorted(messages(theirs)):
        yield "says %s, reference %s" % (messages(ours), messages(theirs))
    if mode == "display":
        has, wants = displayed(ours), displayed(theirs)
        if not wants:
            yield "the reference displays nothing"
        for name, value in wants.items():
            shown = implied or IMPLIED.get(name) in settings or name not in IMPLIED
            if shown and has.get(name) != value:
                yield "%s is %r, reference %r" % (name, has.get(name), value)


def cases(mode, file_name):
    if mode.startswith("hostile"):
        for value in HOSTILE:
            number = value.strip("-").isdigit()
            names = [name for name in VARIABLES if not (number and name in ASKS_FOR_THREADS)]
            if mode == "hostile":  # all variables at once
                yield {name: value for name in names}
            else:
                for name in names:
                    yield {name: value}
        return
    with open(file_name) as file:
        for line in file:
            line = line.rstrip("\n")
            if line and not line.startswith("#"):
                yield dict(setting.split("=", 1) for setting in line.split(" ; "))


def main():
    mode, file_name, program, library, reference, own = sys.argv[1:]
    failures = compared = spoken = 0
    implied = mode == "display" and shows_implied(program, reference)
    for settings in cases(mode, file_name):
        if mode == "display":
            settings = dict({"OMP_NUM_THREADS": "3", "OMP_DISPLAY_ENV": "verbose"}, **settings)
        status, out, ours = run(program, library, settings)
        wrong = []
        survives = status == 0 and out == b"sum 4950\n"
        if own == "1" and not survives:
            wrong.append("ends with %d, prints %r" % (status, out))
        # Hostile texts are not compared: the versions of libgomp differ in what they still accept.
        if not mode.startswith("hostile"):
            status, out, theirs = run(program, reference, settings)
            if status == 0:
                compared += 1
                spoken += bool(messages(theirs))
                wrong += differences(mode, settings, ours, theirs, implied)
        for text in wrong:
            failures += 1
            shown = {name: value[:60] for name, value in list(settings.items())[:5]}
            print("%s: %s" % (shown, text))
    print("%s: %d cases compared, in %d the reference complains" % (mode, compared, spoken))
    if mode == "display" and compared < 60 or mode == "messages" and spoken < 60:
        failures += 1
        print("too few: the comparison itself does not work")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
