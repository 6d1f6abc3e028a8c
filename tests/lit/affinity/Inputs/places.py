# places.py - place lists under two OpenMP libraries: what they are, and what is said about bad ones
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: places.py PROGRAM LIBRARY REFERENCE [SEED [COUNT]]

Every form of the grammar of OMP_PLACES by hand, then COUNT texts made at random from its pieces,
with and without errors. PROGRAM prints the list; both libraries must agree on it and on which texts
are bad. Texts that stop the reference, or keep it busy for ever, need only be survived.
"""
import os
import random
import subprocess
import sys

FORMS = """
threads;cores;sockets;ll_caches;numa_domains;threads(1);cores(1);sockets(5);threads(2)
THREADS; Cores ( 1 ) ;threads(;threads();threads(1;threads(1)x;threads 1;thread;cores,cores
{0};{1};{0},{1};{0,1};{0:2};{0:1:2};{0:2:1};{1:2:-1};{1:1:-1};{0:0};{0:-1};{0:2:0};{0:3}
{5};{0,5};{5,0}
{0}:2;{0}:2:1;{1}:2:-1;{1}:3:-1;{0}:3;{0}:1:-1;{0}:0;{0}:2:0;{0:2}:2;{0:2}:2:2;{0:4}:2:4;{0:1}:4:1
{0,!0};{0:2,!1};{1,!1,0:7};0,{!1,1}:2:1;{!1,0:2},{1};{!0};{0,!1};{0:2,!0,!1}
!{0};{0},!{0};{0},{1},!{0};{0}:2,!{1};{0}:2,!{0}:2;{0},!{1}
{0,1},!{1,0};{0},{0},!{0};0;1;0,1;0:2;1:2:-1;0:2:1,{0};!0;0,!0;0,1,!0
 { 0 } , { 1 } ;{ 0 : 2 : 1 } : 1
{0}:65535;{0}:65536;{0:65536};{0:100000:0};{99999999};{1}:2:-5;{0}:2:99999;{0x1};{+1};{-1}
{0.5};{0}}
{0} {1};{0};;{0},;,{0};{};{,};{0,};{0:};{0:1:};{0::1};{0}:;{0}::1;{0}:1:;{0:2:1:1};{{0}};0}:1;{0;(0)
{0}:2:-9223372036854775808;{0}:2:9223372036854775807;{0}:18446744073709551616;{18446744073709551615}
""".replace("\n", ";").split(";")
AFFINITY = ["0", "1", "0 1", "0-1", "1-0", "0-1:1", "0-3:2", "0,1", "0 , 1", " 0", "0 ", "0x1",
            "01", "", "x", "0-", "-1", "0-1:", "0-1:0", "0:1", "65535", "65536", "0 1 1 0 0-1",
            "1,,0", "9-12", "+1", "0-+1:+1", "+", "++1", "+-1"]


def number(r):
    return r.choice(["0", "1", "0", "1", "2", "3", "7", "-1", "65535", " 1", "1 "])


def span(r):
    return r.choice(["", "", "", ":%s" % number(r), ":%s:%s" % (number(r), number(r)),
                     ":2:-1", ":2:1"])


def place(r):
    if r.random() < 0.15:
        return number(r)
    parts = [r.choice(["", "", "", "!"]) + number(r) + span(r)
             for _ in range(r.choice([1, 1, 2, 3]))]
    return "{" + ",".join(parts) + "}"


def text(r):
    items = [r.choice(["", "", "", "", "!"]) + place(r) + span(r)
             for _ in range(r.choice([1, 2, 3, 4]))]
    made = ",".join(items)
    if r.random() < 0.1:
        at = r.randrange(len(made) + 1)
        made = made[:at] + r.choice(list("{}:,!( )-x0")) + made[at:]
    return made


def run(program, library, name, value, bind):
    """(status, place list, whether the value was refused); None: it takes too long."""
    env = {"LC_ALL": "C", "LD_LIBRARY_PATH": os.path.dirname(library), name: value}
    if bind:
        env["OMP_PROC_BIND"] = bind
    try:
        done = subprocess.run([program], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=20)
    except subprocess.TimeoutExpired:
        return None
    return done.returncode, done.stdout.decode(), "Invalid value" in done.stderr.decode()


def main():
    program, library, reference = sys.argv[1:4]
    r = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 1)
    count = int(sys.argv[5]) if len(sys.argv) > 5 else 250
    cases = [("OMP_PLACES", form, "") for form in FORMS if form]
    cases += [("OMP_PLACES", form, r.choice(["", "true", "close", "spread,close"]))
              for form in (text(r) for _ in range(count))]
    cases += [("GOMP_CPU_AFFINITY", form, "") for form in AFFINITY]
    bad = 0
    for case in cases:
        ours, theirs = run(program, library, *case), run(program, reference, *case)
        usable = theirs and theirs[0] == 0
        if not ours or ours[0] != 0 or (usable and ours != theirs):
            bad += 1
            print("%s=%r OMP_PROC_BIND=%s\n  ours   %r\n  theirs %r" % (case + (ours, theirs)))
    print("%d of %d cases differ" % (bad, len(cases)))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
