# nanogomp_waits.py - `nanogomp why` in gdb: who waits for whom, from the stacks
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A thread waits if its stack enters the library by an entry that waits; the line of the program
is the one that called the entry. Who holds a lock stands in the notes of NTH_STALL or
NTH_STALL_SIGNAL, if the program was started with one of them. Otherwise it is inferred: a lock is
held by a thread that does not wait for it itself, and if there is one such thread, by that one.

A library without debug information shows the stacks of OS threads only, OpenMP's and others. The
entry is then the one that the program's call instruction names; for whom one waits is not known.
"""

import os
import re

import gdb

import nanogomp_gdb as base

REASONS = base.part("reasons")
LIBRARY, SYSTEM, object_of = (getattr(base.openmp(), name)
                              for name in ("LIBRARY", "SYSTEM", "object_of"))
# What an entry of the library waits for, by its name or that of the function it ends in: a state.
ENTRIES = (
    ("wait_critical", r"critical"),
    ("wait_atomic", r"atomic_start"),
    ("wait_lock", r"omp_set_"),
    ("wait_mutex", r"nth_(nest_)?lock"),
    ("wait_taskgroup", r"task_?group"),
    ("wait_taskwait", r"task_?wait"),
    ("wait_ordered", r"ordered|doacross"),
    ("wait_barrier", r"barrier|GOMP_\w+_end(_cancel)?$|GOMP_single_copy_start"),
    ("wait_barrier_implicit_parallel", r"parallel|teams|_join"))
# Entries that are given the function that the compiler made of a construct.
CONSTRUCT = re.compile(r"parallel|teams|_task(loop\w*)?$")
HEADERS = ("/usr/include/", "/usr/lib/", "/usr/local/include/c++/")
CALLS = (5, 6, 4)  # bytes of a call: direct, by a word of memory; of aarch64
MADE = re.compile(r"\._omp_(?:cpy)?fn\.\d+.*$")
INTERNAL = re.compile(r"^_*(?:GI_+|libc_)?")  # what the C library's functions have before names
DEEP, MOST_NAMES = 200, 8


def function_of(frame):
    """Its name; None: not known. A C++ function that the compiler made of a region has a name that
    gdb leaves as the linker has it."""
    name = frame.name()
    if name and name.startswith("_Z") and MADE.search(name):
        try:
            plain = gdb.execute("demangle -l c++ -- " + MADE.sub("", name), to_string=True)
            return plain.strip() + MADE.search(name)[0].partition("(")[0]
        except gdb.error:
            pass
    return name


def offset_in_file(address):
    """FILE+0xOFFSET, as addr2line takes it; without the process the address itself."""
    first, lines = {}, []
    try:
        with open("/proc/%d/maps" % gdb.selected_inferior().pid, errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        pass  # a core file, or a process elsewhere
    for line in lines:
        words = line.split(None, 5)
        if len(words) == 6:
            begin, end = (int(word, 16) for word in words[0].split("-"))
            if int(words[2], 16) == 0:
                first[words[5]] = begin
            if begin <= address < end and words[5] in first:
                return "%s+%#x" % (os.path.basename(words[5]), address - first[words[5]])
    return "%#x" % address


def place_of(frame):
    """file:line (function) in the program, in its own source rather than in a header of the
    system."""
    own = frame
    while own is not None and (own.find_sal().symtab is None or
                               own.find_sal().symtab.filename.startswith(HEADERS)):
        own = own.older()
        if own is not None and object_of(own).startswith((LIBRARY,) + SYSTEM):
            own = None
    frame = own or frame
    sal, name = frame.find_sal(), function_of(frame)
    file, line = sal.symtab and sal.symtab.filename, sal.line
    construct = construct_of(frame)
    if construct:
        file, line, function = construct
        # a call counts as one of a function that is inlined before it
        name = function if frame.type() == gdb.INLINE_FRAME else name
    if file and line:
        return "%s:%d (%s)" % (file, line, name or "%#x" % frame.pc())
    where = offset_in_file(frame.pc() - 1)
    return "%s (%s)" % (where, name) if name else where


def called_by(frame):
    """The name in the call that the frame waits in; empty: none."""
    for size in CALLS:
        try:
            text = gdb.execute("x/i %#x" % (frame.pc() - size), to_string=True)
        except gdb.error:
            continue
        found = re.search(r"\b(?:callq?|bl)\b.*<\*?(\w+)(?:@\S*)?>", text)
        if found:
            return found[1]
    return ""


def code_before(address):
    """The code before an address, as much as sites.py looks at, or as there is."""
    size = base.sites().FAR
    while size:
        try:
            return bytes(gdb.selected_inferior().read_memory(address - size, size))
        except gdb.MemoryError:
            size //= 2
    return b""


def construct_of(frame):
    """Where the construct begins that the frame's call into the library begins, as sites.py finds
    it: (file, line, function) of the directive. None: the call begins none, or the construct is
    not found. The call's own line may be that of a statement before it."""
    sites, pc = base.sites(), frame.pc()
    if not sites or frame.architecture().name() != base.ARCHITECTURE or \
            not CONSTRUCT.search(called_by(frame)):
        return None
    made = sites.OUTLINED.rstrip(".")  # gdb may leave the number away
    for address in sites.handed(code_before(pc), pc):
        name = gdb.execute("info symbol %#x" % address, to_string=True).partition(" in section ")[0]
        found = base.openmp().begin_of(address) if made in name and " + " not in name else None
        if found:
            return found[0].filename, found[1], sites.source_name(name)
    return None


class Thread:
    """One OpenMP thread. state: of reasons.py, kind: its kind; place: where in the program; system:
    the function of a system's library that it is in there; teams: addresses of the one that it is
    in and those around that; numbers: its number in each; lock: the lock's address, 0: not
    known; turn: the iteration that has the turn in an ordered loop."""

    def __init__(self, label, frame, member, runs=True):
        self.label, self.state, self.place, self.lock = label, "idle", "", 0
        self.runs, self.system, self.is_inside = runs, "", False
        self.number = self.size = None
        self.notes = 0
        self.waits, self.may_wait, self.turn = [], [], None
        self.teams, self.numbers, self.has_own = [], [], False
        self.find_entry(frame)
        if member is not None:
            now, tool = member["now"], member["tool"]
            self.notes = int(tool["notes"]) if int(tool) else 0
            self.take_noted(base.number(tool["state"]) if int(tool) else 0)
            self.number, self.size = int(now["thread_num"]), int(now["team_size"])
            self.teams, self.numbers = teams_from(int(now["team"]), self.number)

    def find_entry(self, frame):
        inside, depth = [], 0
        while frame is not None and frame.is_valid() and depth < DEEP:
            name = object_of(frame)
            if name.startswith(LIBRARY):
                inside.append(frame)
            elif inside or not name.startswith(SYSTEM):
                break
            else:
                self.system = INTERNAL.sub("", frame.name() or "") or self.system
            frame, depth = frame.older(), depth + 1
        else:
            return
        if frame is None or object_of(frame).startswith(SYSTEM):
            return  # a worker of the library: no frame of the program
        self.place, self.state = place_of(frame), "work_parallel"
        self.is_inside = bool(inside)
        names = [one.name() or "" for one in inside]
        for name in reversed(names + [called_by(frame)] * self.is_inside):
            # the entry first; a tail call leaves no frame of it
            found = [state for state, pattern in ENTRIES if re.search(pattern, name)]
            if found:
                self.state = found[0]
                break
        if self.kind == "lock":
            self.lock = lock_of(inside)

    def take_noted(self, number):
        """What the member notes is more exact than a function on its stack."""
        noted = REASONS.BY_NUMBER.get(number, "idle")
        if self.kind not in ("works", "idle") and REASONS.kind(noted) not in ("works", "idle"):
            self.state = noted

    @property
    def kind(self):
        return REASONS.kind(self.state)

    def title(self):
        place = "" if self.number is None else "%d of %d" % (self.number, self.size)
        if not self.runs:
            in_team = place + " in its team, " if place else ""
            return "%s (%sno OS thread runs it)" % (self.label, in_team)
        return self.label + (" (member %s)" % place if place else "")

    def does(self):
        """What it does and where, as text."""
        if self.kind != "works":
            return "%s at %s" % (REASONS.text(self.state), self.place)
        if self.is_inside:
            return "is in the library, called at " + self.place
        return "works at %s%s" % (self.place, ", in " + self.system if self.system else "")


def teams_from(address, number):
    """It and the teams around it, and the member's number in each."""
    found, numbers = [], []
    try:
        while address and address not in found:
            found.append(address)
            numbers.append(number)
            team = base.struct_at("nth_team", address)
            address, number = base.number(team["parent"]), base.number(team["master_num"])
    except gdb.MemoryError:
        pass  # that of an idle thread may be gone
    return found, numbers


def has_not_come(other, t):
    """Whether t waits for the other one at a barrier of its team. If all have come, they are about
    to go on."""
    if not t.teams or t.teams[0] not in other.teams:
        return False
    at = other.teams.index(t.teams[0])
    return base.is_behind(base.struct_at("nth_team", t.teams[0]), other.numbers[at], t.numbers[0])


def lock_of(frames):
    """The lock's address by the entry's argument, if the debug information has it."""
    for frame in reversed(frames):
        for name in ("lock", "plock", "word"):
            try:
                return int(frame.read_var(name))
            except (gdb.error, ValueError, gdb.MemoryError):
                continue
    return 0


def noted_holders():
    """{notes: (locks held, lock waited for)} by the notes of NTH_STALL; None: there are none."""
    try:
        if not int(gdb.parse_and_eval("(int)nth_stall_on")):
            return None
        found = [s.value() for s in gdb.lookup_static_symbols("all")
                 if s.symtab and s.symtab.filename.endswith("told/stall.c")]
    except gdb.error:
        return None
    holders, at = {}, base.number(found[0]) if found else 0
    while at:
        notes = base.struct_at("nth_stall_notes", at)
        if base.number(notes["used"]):
            held = notes["held"]
            count = held.type.range()[1] + 1
            locks = [base.number(held[i]["lock"]) for i in range(count)]
            holders[at] = ([lock for lock in locks if lock], base.number(notes["wait"]))
        at = base.number(notes["next"])
    return holders


def threads_of(is_stripped):
    """All OpenMP threads, with those that no OS thread runs; is_stripped: all OS threads that are
    in the program."""
    found, carried = [], []
    try:
        carried = base.members()
    except gdb.GdbError:
        pass
    runs = {m.runs.num: m for m in carried if m.runs}
    for thread in sorted(gdb.selected_inferior().threads(), key=lambda t: t.num):
        thread.switch()
        member = runs[thread.num].member if thread.num in runs else None
        if member is None:
            try:
                self_word = base.number(gdb.parse_and_eval("nth_member_self"))
                member = base.struct_at("nth_member", self_word) if self_word else None
            except (gdb.error, gdb.MemoryError):
                pass
        one = Thread("thread %d" % thread.num, gdb.newest_frame(), member)
        if member is not None or one.is_inside or is_stripped:
            found.append(one)
    for m in carried:
        if m.suspended:
            try:
                skip, frame = base.UNWINDER.show(m), gdb.newest_frame()
                for _ in range(skip):
                    frame = frame.older()
                found.append(Thread("member %d" % m.number, frame, m.member, False))
            finally:
                base.UNWINDER.hide()
    return [t for t in found if t.kind != "idle"]


def find_order(t, others):
    """Fills in for whom t waits in an ordered or doacross loop."""
    if not t.teams:
        return
    numbers, t.turn = base.openmp().holds_up(base.struct_at("nth_team", t.teams[0]), t.numbers[0])
    found = [o for o in others if t.teams[0] in o.teams and
             o.numbers[o.teams.index(t.teams[0])] in numbers]
    if t.turn is None:
        t.may_wait = found
    else:
        t.waits = found


def find_waits(threads, holders):
    """Fills in who waits for whom, as far as that is known."""
    for t in threads:
        others = [o for o in threads if o is not t]
        team = [o for o in others if (t.teams[0] in o.teams if t.teams else not o.teams)]
        if t.kind == "barrier":
            t.waits = [o for o in team if has_not_come(o, t)]
        elif t.kind == "join":
            t.waits = [o for o in team if o.kind != t.kind or o.place != t.place or
                       o.teams[:1] != t.teams[:1]]
        elif t.kind == "lock":
            noted = holders.get(t.notes) if holders else None
            wanted = noted[1] if noted and noted[1] else t.lock
            if holders is not None and wanted:
                t.waits = [o for o in others if wanted in holders.get(o.notes, ([], 0))[0]]
                t.has_own = wanted in noted[0] if noted else False
            else:
                t.may_wait = [o for o in others if o.kind != "lock" or (
                    o.lock != t.lock if t.lock and o.lock else
                    o.place != t.place or t.state == "wait_lock")]
        elif t.kind in ("taskwait", "taskgroup"):
            t.may_wait = [o for o in team if o.kind in ("works", "lock", "ordered")]
        elif t.kind == "ordered":
            find_order(t, others)
        if len(t.may_wait) == 1 and not t.waits:
            t.waits, t.may_wait = t.may_wait, []


def names_of(threads):
    """As text: thread 1, 2, member 3 and 4 more."""
    words, before = [], ""
    for t in threads[:MOST_NAMES]:
        kind, _, number = t.label.partition(" ")
        words.append(number if kind == before else t.label)
        before = kind
    more = len(threads) - MOST_NAMES
    return ", ".join(words) + (" and %d more" % more if more > 0 else "")


def whom(t):
    """For whom it waits, as text behind what it does."""
    if t.has_own:
        return ", which it has itself"
    if t.waits:
        return ", for " + names_of(t.waits)
    if t.may_wait:
        return ", for one of " + names_of(t.may_wait)
    if t.turn is not None:
        return ", for iteration %d (the first is 0), which no thread has begun" % t.turn
    if t.kind == "lock" and t.number is not None:
        return ", which no other thread here can have: it has it itself, or an idle thread has"
    return ""


def show():
    try:
        is_stripped = not base.watchdogs()
    except gdb.GdbError:
        is_stripped = True
    with base.Kept():
        holders = noted_holders()
        threads = threads_of(is_stripped)
    if is_stripped:
        print("nanogomp: the library has no debug information: members that no OS thread runs are "
              "not seen, nor who waits for whom; NTH_STALL_SIGNAL=USR1 at the start tells all")
    if not threads:
        print("nanogomp: no OpenMP thread works or waits")
        return
    if not is_stripped:
        find_waits(threads, holders)
    for t in threads:
        print("nanogomp: %s %s%s" % (t.title(), t.does(), whom(t)))
    waits = {t: [t] * t.has_own + t.waits for t in threads}
    circle = next(base.openmp().circles(waits), None)
    if circle:
        last = "itself" if len(circle) == 1 else circle[0].label
        print("nanogomp: a circle that cannot end: "
              + " waits for ".join([t.label for t in circle] + [last]))
    if holders is None and not is_stripped and any(t.kind == "lock" for t in threads):
        print("nanogomp: who holds a lock is inferred; a program that is started with "
              "NTH_STALL_SIGNAL=USR1 notes it")
