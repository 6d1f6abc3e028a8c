# openmp.py - gdb commands that show the OpenMP program: threads, teams, tasks, who waits for whom
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loaded by nanogomp.py, whose functions it uses; docs/debuggers.md tells how to use it.

The roll (runtime/omp/member/roll.h) leads to all members, OS threads and nano-threads. What one
waits for is in its notes if it keeps some (OMP_DEBUG=enabled, NTH_STALL, a tool), or else in its
stack: the innermost function of the library tells. So nothing in the process is changed, and core
files do as well.
"""

import functools
import os

import gdb

import nanogomp_gdb as base
from nanogomp_gdb import number, struct_at

MANY = 100000  # items of a list; a damaged one may have no end
DJS_COUNT, DJS_BACK = 0x1fffffff, 0x40000000  # macros of runtime/struct/djs.h

# The library's functions in which a member waits, and what for.
WAITS = {"nth_barrier": "barrier", "barrier_of_many": "barrier", "nth_lock_wait": "lock",
         "nth_task_wait": "taskwait", "nth_taskgroup_end": "taskgroup",
         "nth_depend_wait": "dependences",
         "nth_ordered_begin": "ordered", "wait_turn": "ordered", "nth_doacross_wait": "ordered",
         "nth_doacross_chunk_begin": "ordered", "await_slaves": "join", "await_members": "join"}
REASONS = base.part("reasons")
LIBRARY = "libgomp"
SYSTEM = ("libc.", "libc-", "ld-", "libpthread", "linux-vdso", "[vdso]")


@functools.lru_cache(maxsize=None)
def constant(name):
    """The value of one of the library's enumerators."""
    return number(gdb.parse_and_eval(name))


def object_of(frame):
    """The base name of the library that a frame's code is in; empty: the program, or not known."""
    return os.path.basename(gdb.solib_name(frame.pc()) or "")


def items(first, follow):
    """The addresses of a list."""
    at, count = first, 0
    while at and count < MANY:
        yield at
        at, count = follow(at), count + 1


def begin_of(address):
    """Where the construct begins of which the compiler made the function there: (gdb.Symtab, line);
    None: not known. Of the lines that have the function's address the first one is its own: gdb
    takes the last one, which may be that of a function that is inlined there."""
    found, sites, block = gdb.find_pc_line(address), base.sites(), gdb.block_for_pc(address)
    symtab, line = found.symtab, found.line
    while block and not block.function:
        block = block.superblock
    if block and block.function.symtab:
        rows = [row.line for row in block.function.symtab.linetable()
                if row.pc == address and row.line]
        symtab, line = (block.function.symtab, rows[0]) if rows else (symtab, line)
    if not symtab or not line:
        return None
    return symtab, sites.directive_line(symtab.fullname(), line) if sites else line


def place(address):
    """A function that the compiler made of a construct, and the line of that, as text."""
    name = gdb.execute("info symbol %#x" % address, to_string=True).split(" in section")[0]
    found, where = begin_of(address), ""
    if found:
        where = " at %s:%d" % (found[0].filename.split("/")[-1], found[1])
    return ("%#x" % address if name.startswith("No symbol") else name) + where


class Thread:
    """An OpenMP thread: a member."""

    def __init__(self, line, threads):
        """line: its struct nth_roll; threads: gdb's by the kernel's number."""
        self.member = struct_at("nth_member", number(line["member"]))
        self.number = number(self.member["number"])
        self.is_root = bool(self.member["is_root"])
        self.identity, self.suspended, self.carried = None, False, number(self.member["identity"])
        lwp = number(line["thread"])
        if self.carried:
            self.identity = self.member["identity"].dereference()
            carrier = number(self.identity["carrier"])
            runs = carrier and struct_at("nth_carrier", carrier)
            here = runs and number(runs["current"]) == self.carried
            self.suspended = not here and number(self.identity["sp"]) != 0
            lwp = int(runs["tid"]) if here else 0
        self.lwp = lwp
        self.os = threads.get(lwp)
        self.own = None  # for the unwinder: any OS thread does
        self.read_seat()

    def read_seat(self):
        now = self.member["now"]
        self.team, self.num = number(now["team"]), number(now["thread_num"])
        self.role = number(self.member["role"])  # an initial task in a region: target, teams
        self.idle = not self.team and not self.role and not self.is_root
        if self.team and self.num:
            t = struct_at("nth_team", self.team)
            self.idle = (self.num >= number(t["size"]) or not slave_works(t, self.num)
                         or slave_of(t, self.num) != number(self.member.address))

    def chain(self):
        """Its places in the nest of teams, from the innermost: pairs of team and number."""
        team, num, role = (0, 0, 0) if self.idle else (self.team, self.num, self.role)
        while team or role:
            if team:
                yield team, num
            if num:
                return
            if team:
                t = struct_at("nth_team", team)
                team, num = number(t["parent"]), number(t["master_num"])
            else:
                r = struct_at("nth_role", role)
                team, num = number(r["saved"]["team"]), number(r["saved"]["thread_num"])
                role = number(r["outer"])

    def name(self):
        return "thread %d" % self.number

    def where(self):
        if self.lwp:
            return "LWP %d" % self.lwp
        return "on no OS thread"

    def seat_text(self):
        if self.idle:
            return "idle"
        if not self.team:
            return "outside regions"
        t = struct_at("nth_team", self.team)
        return "%d of %d, level %d" % (self.num, number(t["size"]), number(t["level"]))

    def frames(self):
        """Its frames, innermost first. The caller keeps gdb's selection."""
        frame = None
        if self.suspended:
            skip = base.UNWINDER.show(self)
            frame = gdb.newest_frame()
            while frame and skip:
                frame, skip = frame.older(), skip - 1
        elif self.os:
            self.os.switch()
            frame = gdb.newest_frame()
        while frame:
            yield frame
            frame = frame.older()

    def wait(self):
        """What it waits for: (kind, address or 0); None: it works, or is idle."""
        if self.idle:
            return None
        tool = number(self.member["tool"])
        if tool:
            known = struct_at("nth_tool_member", tool)
            kind = REASONS.kind(REASONS.BY_NUMBER.get(number(known["state"]), "idle"))
            return (kind, number(known["wait"])) if kind not in ("works", "idle") else None
        with base.Kept():
            try:
                return self.wait_by_stack()
            finally:
                base.UNWINDER.hide()

    def wait_by_stack(self):
        for frame in self.frames():
            file = object_of(frame)
            if not file.startswith(LIBRARY):
                if file.startswith(SYSTEM):
                    continue
                return None  # the program's own code
            kind = WAITS.get(frame.name())
            if kind:
                return kind, lock_of(frame) if kind == "lock" else 0
        return None


def lock_of(frame):
    try:
        return number(frame.read_var("l"))
    except (gdb.error, ValueError):  # not there any longer
        return 0


def slave_works(t, num):
    """Whether a slave has work of its team: it has not finished all that it got, or is back."""
    given = number(t["crew"]["pjv"][num])
    done = number(t["slot"][num].dereference()["djs"]["count"])
    return bool((given ^ done) & DJS_COUNT or done & DJS_BACK)


def slave_of(t, num):
    """The member whose thread is the team's slave: one that was it before keeps its last place."""
    worker = number(t["group"]["proc"][num])
    return number(struct_at("nth_worker", worker)["identity"]) if worker else 0


def threads():
    try:
        first = number(gdb.parse_and_eval("nth_roll_first"))
        gdb.lookup_type("struct nth_team")
    except gdb.error:
        raise base.Trouble("nanogomp: no debug information of the library: it is stripped, not "
                           "nanogomp, or not loaded yet (`info sharedlibrary libgomp` tells)")
    known = base.os_threads()
    lines = [struct_at("nth_roll", at) for at in
             items(first, lambda at: number(struct_at("nth_roll", at)["next"]))]
    found = [Thread(line, known) for line in lines
             if number(line["uses"]) & 1 and number(line["member"])]
    return sorted(found, key=lambda t: t.number)


# --- tasks ---


def moved_to(at):
    """Where a task has gone from there; 0: it is there."""
    value = struct_at("nth_task", at)
    moved = number(value["flags"]) & constant("NTH_TASK_MOVED")
    return number(value["next"]) if moved else 0


class Task:
    """A struct nth_task."""

    def __init__(self, address):
        self.value = struct_at("nth_task", address)
        for at in items(address, moved_to):
            self.value = struct_at("nth_task", at)
        self.address = number(self.value.address)
        self.flags = number(self.value["flags"])

    def has(self, *flags):
        """Whether it has one of these NTH_TASK_ flags."""
        return any(self.flags & constant("NTH_TASK_" + flag) for flag in flags)

    def parent(self):
        at = number(self.value["parent"]) & ~1
        return Task(at) if at and not self.has("IMPLICIT") else None

    def children(self):
        tally = self.value["children"]
        return ((number(tally["own"]) * 4 + number(tally["others"])) & 0xffffffff) // 4

    def function(self):
        """The address of the program's function; 0: not known."""
        at = number(self.value["fn"]) if not self.has("IMPLICIT", "BATCH") else 0
        if at and gdb.execute("info symbol %#x" % at, to_string=True).startswith("nth_told_task_r"):
            at = number(struct_at("nth_told_args", number(self.value["data"]))["fn"])
        return at

    def words(self):
        """What kind of explicit task it is."""
        if self.has("UNTIED") and not self.has("BOUND"):
            yield "untied"
        for flag in "FINAL", "DETACH", "BATCH", "PART":
            if self.has(flag):
                yield flag.lower()
        if self.has("FRAME") and not self.has("PART"):
            yield "undeferred"

    def text(self):
        if self.has("IMPLICIT"):
            text = "implicit task"
        else:
            text = " ".join([*self.words(), "task"])
            function = self.function()
            text += " %s" % place(function) if function else ""
        children = self.children()
        if children:
            text += ", %d unfinished child%s" % (children, "ren" if children > 1 else "")
        return "%#x: %s" % (self.address, text)


def current_task(thread):
    return Task(number(thread.member["now"]["task"]))


def ancestors(task):
    """The task and all that made it, up to the implicit one."""
    count = 0
    while task and count < MANY:
        yield task
        task, count = task.parent(), count + 1


def ready_tasks(slot):
    """The tasks that a slot's deque and list hold."""
    deque = slot["queue"]["deque"]
    slots = deque["slot"].type.range()[1] + 1
    tail, head = number(deque["word"]) & 0xffffffff, number(deque["head"])
    for i in range(min((head - tail) & 0xffffffff, slots)):
        item = number(deque["slot"][(tail + i) % slots])
        if item:
            yield Task(item & ~constant("NTH_ITEM_MARKS"))
    for at in items(number(slot["queue"]["list"]["oldest"]),
                    lambda at: number(struct_at("nth_task", at)["newer"])):
        yield Task(at)


# --- who waits for whom ---


def awaited(thread, wait, everyone):
    """The threads that a thread waits for, and a word about what is missing."""
    kind, address = wait
    if kind in ("barrier", "join"):
        return missing_in_team(thread, everyone, kind)
    if kind == "lock":
        holders = [t for t in everyone if address and holds(t, address)]
        known = any(number(t.member["tool"]) for t in everyone)
        return holders, "" if holders else " (its holder is not known)" if known else \
            " (its holder is known with OMP_DEBUG=enabled)"
    if kind in ("taskwait", "taskgroup"):
        mine = current_task(thread)
        runs = [t for t in everyone if t is not thread and not t.idle and
                any(a.address == mine.address for a in list(ancestors(current_task(t)))[1:])]
        return runs, " of %d unfinished child tasks" % mine.children() if mine.children() else ""
    if kind == "ordered" and thread.team:
        return before_in_order(thread, everyone)
    return [], ""


def members_of(team, numbers, everyone):
    """Those of the threads that are such members of the team, perhaps as masters of inner ones."""
    return [t for t in everyone if any(at == team and num in numbers for at, num in t.chain())]


def before_in_order(thread, everyone):
    numbers, turn = holds_up(struct_at("nth_team", thread.team), thread.num)
    found = members_of(thread.team, numbers, everyone)
    if turn is None and len(found) > 1:
        return [], ", for one of " + ", ".join(t.name() for t in found)
    return found, "" if turn is None else " (iteration %d has the turn)" % turn


def static_owner(loop, iteration, size):
    """The member's number that has an iteration by the static schedule; -1: not known."""
    chunk, trips = number(loop["chunk"]), number(loop["trips"])
    if number(loop["kind"]) == constant("NTH_LOOP_CYCLIC") and chunk:
        return iteration // chunk % size
    few, more = divmod(trips, size)
    if chunk or not few:
        return -1 if chunk else iteration
    return iteration // (few + 1) if iteration < more * (few + 1) else (iteration - more) // few


def holds_up(t, num):
    """Of a team's member that waits in an ordered loop: the numbers of the members for which it
    waits, and the iteration that has the turn, counted from 0. None: it is a doacross loop, and one
    of them has the iteration that is waited for; or it is its own turn."""
    size = number(t["size"])
    loops = [t["slot"][i].dereference()["loop"] for i in range(size)]
    mine = loops[num]
    share, begin = number(mine["share"]), number(mine["begin"])
    chunks = [(number(loop["begin"]), number(loop["end"])) if number(loop["share"]) == share
              else (0, 0) for loop in loops]
    if share and number(mine["doacross"]):
        return {i for i, chunk in enumerate(chunks) if chunk[0] < min(begin, chunk[1])}, None
    turn = number(mine["share"]["turn"]["posted"]) if share else begin
    if turn >= begin:
        return set(), None
    numbers = {i for i, chunk in enumerate(chunks) if chunk[0] <= turn < chunk[1]}
    return numbers or {static_owner(mine, turn, size)}, turn


def missing_in_team(thread, everyone, kind):
    """Who has not come to the barrier, or to the end of the region. Nobody: all have, and the
    thread is about to go on."""
    t = struct_at("nth_team", thread.team)
    size = number(t["size"])
    late = {i for i in range(size) if base.is_behind(t, i, thread.num)}
    if not late and kind == "join" and thread.num == 0:
        late = {i for i in range(1, size) if slave_works(t, i)}
    return members_of(thread.team, late, everyone), ""


def holds(thread, lock):
    """Whether its notes say that it has the lock."""
    tool = number(thread.member["tool"])
    notes = number(struct_at("nth_tool_member", tool)["notes"]) if tool else 0
    if not notes:
        return False
    held = struct_at("nth_stall_notes", notes)["held"]
    return any(number(held[i]["lock"]) == lock for i in range(held.type.range()[1] + 1))


def circles(edges):
    """Circles of threads that wait for each other: edges[thread] lists whom it waits for. The
    search follows the waits from each thread in turn, and back from one that leads no further."""
    found, left = set(), set()
    for start in edges:
        path, ways = [start], [iter(edges[start])]
        places = {start: 0}  # of the threads in the path
        while path and start not in left:
            other = next(ways[-1], None)
            if other in places:
                circle = path[places[other]:]
                if frozenset(circle) not in found:
                    found.add(frozenset(circle))
                    yield circle
            elif other is None:
                ways.pop()
                del places[path[-1]]
                left.add(path.pop())
            elif other not in left:
                places[other] = len(path)
                path.append(other)
                ways.append(iter(edges.get(other, [])))


# --- commands ---


def does(thread):
    """What a thread does, as text."""
    if thread.idle:
        return "waits for a region"
    wait = thread.wait()
    if not wait:
        return "works"
    kind, address = wait
    named = " %#x%s" % (address, base.where_is(address, None)) if address else ""
    return "waits: " + kind + named


def show_threads():
    for t in threads():
        print("%s%s (%s): %s; %s" % (t.name(), " (root)" if t.is_root else "", t.where(),
                                     t.seat_text(), does(t)))


def show_teams():
    everyone = threads()
    inside = {}  # by team and number
    for t in everyone:
        for team, num in t.chain():
            inside[team, num] = t
    inner = {}  # the open teams of each master: by the team and number that it has around
    for team in {team for team, _ in inside}:
        value = struct_at("nth_team", team)
        around = (number(value["parent"]), number(value["master_num"]))
        if not around[0]:
            master = inside.get((team, 0))
            places = list(master.chain()) if master else []
            outer = places[places.index((team, 0)) + 1:]  # it runs a target region there
            around = outer[0] if outer else (0, master.number if master else 0)
        inner.setdefault(around, []).append(team)

    def show(team, indent):
        value = struct_at("nth_team", team)
        size = number(value["size"])
        print("%steam %#x: level %d, %d threads" % (indent, team, number(value["level"]), size))
        for num in range(size):
            t = inside.get((team, num))
            what = "%s (%s)" % (t.name(), t.where()) if t else "has finished, or not begun"
            own = t and t.team == team and not t.idle
            print("%s  %d  %s%s" % (indent, num, what, ": " + does(t) if own else ""))
            for below in inner.get((team, num), []):
                show(below, indent + "     ")

    for root in [t for t in everyone if t.is_root]:
        print("root: %s (%s)%s" % (root.name(), root.where(),
                                   "" if root.team else ": outside regions"))
        for team in inner.get((0, root.number), []):
            show(team, "  ")
    idle = [t.name() for t in everyone if t.idle]
    if idle:
        print("idle: " + ", ".join(idle))


def show_tasks():
    for t in threads():
        if t.idle:
            continue
        print("%s (%s):" % (t.name(), t.seat_text()))
        for depth, task in enumerate(ancestors(current_task(t))):
            print("  %s%s" % ("runs " if depth == 0 else "made by ", task.text()))
        ready = list(ready_tasks(t.member["now"]["slot"].dereference()))
        for task in ready[:20]:
            print("  ready " + task.text())
        if len(ready) > 20:
            print("  and %d more are ready" % (len(ready) - 20))


def show_waits():
    everyone = threads()
    edges = {}
    for t in everyone:
        wait = t.wait()
        if not wait:
            continue
        others, word = awaited(t, wait, everyone)
        edges[t] = others
        names = ", ".join(other.name() for other in others)
        print("%s (%s) %s%s%s" % (t.name(), t.seat_text(), does(t), word,
                                  ", for " + names if names else ""))
    if not edges:
        print("no thread waits")
    for circle in circles(edges):
        print("a circle that cannot end: " +
              " waits for ".join(t.name() for t in circle + circle[:1]))


SHOW = {"threads": show_threads, "teams": show_teams, "tasks": show_tasks, "waits": show_waits}
