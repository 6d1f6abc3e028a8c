# nanogomp.py - gdb commands that show nano-thread members (NTH_MEMBERS=nano)
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loaded by `gdb -x tools/gdb/nanogomp.py` or `source`; docs/members.md tells how to use it. The
commands about OpenMP threads of either kind are in openmp.py.

gdb knows OS threads. A member that waits is on none: its registers lie on its own stack, which an
OS thread has left for another member. The commands find these members through the runtime's own
lists, and show their stacks without touching the process, so that core files do as well:

  an unwinder answers for the innermost frame of the selected OS thread. While it is on, the frame
  above that one is where the member left its stack. gdb does the rest: frames, variables, `up` and
  `down`.
"""

import collections
import importlib.util
import os
import re
import sys

import gdb
import gdb.unwinder

HELP = """OpenMP threads of nanogomp, and its nano-thread members (NTH_MEMBERS=nano).

  nanogomp threads          all OpenMP threads: OS thread, place in its team, what it does
  nanogomp teams            roots and the regions that they have opened, one within the other
  nanogomp tasks            of each thread, its task, who made that, and the tasks that are ready
  nanogomp waits            who waits for what and for whom; circles: by the library's structures
  nanogomp why              the same by the stacks, with source lines (`nanogomp stacks`)
  nanogomp members          who there is, where each one is and what it waits for
  nanogomp bt [N|all] [..]  back-trace of member N, or of all that no OS thread runs;
                            what follows is given to `backtrace`: full, -frame-arguments all, 5
  nanogomp select N         `up`, `info locals` and so on are about member N, until the program
                            goes on or `nanogomp select off`"""

# struct nth_identity.sp points to these registers (runtime/arch/x86_64/switch.S). Above them, at
# SAVED_BYTES, the stack goes on.
SAVED = {"rip": 56, "rbp": 48, "rbx": 40, "r12": 32, "r13": 24, "r14": 16, "r15": 8}
SAVED_BYTES = 64
ARCHITECTURE = "i386:x86-64"

OUT = 3          # NTH_DOCK_OUT
DOCKED = (1, 3)  # NTH_DOCK_ASLEEP too
TID_OFFSET = 720  # in glibc's struct pthread, where the C library does not say it


class Trouble(gdb.GdbError):
    """What the user is told in place of an answer."""


def number(value):
    """The number in a value, atomic ones and pointers too."""
    names = {1: "unsigned char", 4: "unsigned int", 8: "unsigned long"}
    return int(value.cast(gdb.lookup_type(names[value.type.strip_typedefs().sizeof])))


def word_type():
    return gdb.lookup_type("unsigned long")


def word_at(address):
    return gdb.Value(address).cast(word_type().pointer()).dereference()


def register(frame, name):
    return int(frame.read_register(name).cast(word_type()))


def struct_at(name, address):
    return gdb.Value(address).cast(gdb.lookup_type("struct " + name).pointer()).dereference()


def is_behind(team, i, other):
    """Whether member i of a team has come to fewer barriers than the other one, by numbers."""
    here, there = (number(team["slot"][n].dereference()["epoch"]) for n in (i, other))
    return 0 < (there - here) & 0xffffffff < 1 << 31


def offset_of(name, field):
    return gdb.lookup_type("struct " + name)[field].bitpos // 8


# --- OS threads ---


def tid_offset():
    """Where struct pthread has its thread's number: the C library says so for debuggers."""
    try:
        row = gdb.parse_and_eval("(unsigned int *)&_thread_db_pthread_tid")
        return int(row[2])
    except gdb.error:
        return TID_OFFSET


def os_threads():
    """gdb's threads by the kernel's number."""
    return {t.ptid[1]: t for t in gdb.selected_inferior().threads()}


class Kept:
    """gdb's selected thread and frame come back."""

    def __enter__(self):
        self.thread = gdb.selected_thread()
        try:
            self.frame = gdb.selected_frame()
        except gdb.error:
            self.frame = None

    def __exit__(self, *_):
        if self.thread and self.thread.is_valid():
            self.thread.switch()
        if self.frame and self.frame.is_valid():
            self.frame.select()


def member_offset():
    """Where the library's one TLS word of OpenMP is, from a thread's pointer on; None: gdb cannot
    tell. gdb may take an OS thread for one whose identity it ran once, so most of them decide."""
    votes = collections.Counter()
    with Kept():
        for thread in gdb.selected_inferior().threads():
            try:
                thread.switch()
                pointer = register(gdb.newest_frame(), "fs_base")
                votes[number(gdb.parse_and_eval("(unsigned long)&nth_member_self")) - pointer] += 1
            except (gdb.error, ValueError):
                continue
    return votes.most_common(1)[0][0] if votes else None


# --- members ---


class Member:
    """One identity: a member's stack and TLS (runtime/sched/nano/identity.h)."""

    def __init__(self, pthread, word_offset):
        """pthread: its struct nth_pthread."""
        worker = pthread["worker"].dereference()
        self.worker = worker
        self.identity = pthread["self"]
        self.address = number(self.identity.address)
        self.carrier = pthread["carrier"]
        self.docked = number(worker["dock"]) in DOCKED
        self.pointer = number(self.identity["pointer"])
        self.member = self.find_member(word_offset)
        self.number = number(self.member["number"]) if self.member else 0
        self.own = None    # gdb's thread of its own
        self.runs = None   # gdb's thread that runs it
        self.state = ""
        self.suspended = False

    def find_member(self, word_offset):
        """Its struct nth_member; None: not known."""
        address = number(self.worker["identity"])
        if not address and word_offset is not None and self.pointer:
            try:
                address = number(word_at(self.pointer + word_offset))
            except gdb.MemoryError:
                address = 0
        return struct_at("nth_member", address) if address else None

    def place(self):
        """Team, number in it and level, as text."""
        if not self.member:
            return "-"
        now = self.member["now"]
        if not number(now["team"]):
            return "outside regions"
        was = "was " if self.docked else ""
        return "%s%d of %d, level %d, team %#x" % (
            was, number(now["thread_num"]), number(now["team_size"]), number(now["level"]),
            number(now["team"]))


def watchdogs():
    """The list of all carriers: one of each copy of the library in the process."""
    found = []
    try:
        found = [s.value() for s in gdb.lookup_static_symbols("watch")
                 if s.symtab and s.symtab.filename.endswith("sched/nano/watchdog.c")]
    except gdb.error:
        pass
    if not found:
        raise Trouble("nanogomp: no debug information of the library: it is stripped, not "
                      "nanogomp, or not loaded yet (`info sharedlibrary libgomp` tells)")
    return found


def carriers():
    for watch in watchdogs():
        at = number(watch["carriers"])
        while at:
            carrier = struct_at("nth_carrier", at)
            yield carrier
            at = number(carrier["known"])


def where_is(address, member):
    """The name of what lies there."""
    now = member["now"] if member else None
    for name, base in (("team", now and number(now["team"])),
                       ("slot", now and number(now["slot"]))):
        kind = gdb.lookup_type("struct nth_" + name)
        if base and base <= address < base + kind.sizeof:
            before = [f for f in kind.fields() if f.bitpos // 8 <= address - base]
            return " (its %s's %s)" % (name, max(before, key=lambda f: f.bitpos).name)
    text = gdb.execute("info symbol %#x" % address, to_string=True)
    found = re.match(r"(\S+)(?: \+ (\d+))? in section", text)
    if not found:
        return ""
    return " (%s%s)" % (found[1], "+" + found[2] if found[2] else "")


def wait_of(m):
    """What a member waits for, as text."""
    x = m.identity
    word, value, until = number(x["word"]), number(x["value"]), number(x["until"])
    if not word:
        return "ready"
    try:
        now = number(x["word"].dereference())
    except gdb.MemoryError:
        return "waits for %#x, which cannot be read" % word
    text = "waits while %#x%s is %u" % (word, where_is(word, m.member), value)
    if number(x["docks"]) and word == number(m.worker["dock"].address):
        text = "docked: waits for work"
    if until:
        text += ", at most until %u.%09u s" % (until // 10**9, until % 10**9)
    return text if now == value else "ready: %s, now it is %u" % (
        text.replace("waits", "waited"), now)


def thread_text(thread):
    return "thread %d" % thread.num if thread else "no thread"


def find_state(m, running, carrier_thread):
    """Fills in where a member is. running: the carriers that run one, by its address."""
    queue = number(m.identity["queue"])
    started = number(m.identity["sp"]) != 0
    if m.address in running:
        carrier = running[m.address]
        m.runs = carrier_thread(carrier)
        m.state = "running on %s" % thread_text(m.runs)
        if number(carrier["asleep"]):
            m.state += ", which sleeps: " + wait_of(m)
    elif queue:
        m.state = "queued at %s, %s" % (
            thread_text(carrier_thread(struct_at("nth_carrier", queue))), wait_of(m))
        m.suspended = started
    elif number(m.worker["dock"]) == OUT:
        m.state = "docked: out of all queues until there is work"
        m.suspended = started
    else:
        m.state = "on its way between two of these, or ended"
        m.suspended = started


def members():
    """All there are, by number."""
    known = list(carriers())
    tid_at = tid_offset()
    threads = os_threads()
    word_offset = member_offset()
    offset = offset_of("nth_pthread", "carrier")
    found, running, own = [], {}, {}
    for carrier in known:
        address = number(carrier.address)
        if not number(carrier["over"]):
            m = Member(struct_at("nth_pthread", address - offset), word_offset)
            try:
                m.own = threads.get(number(word_at(m.pointer + tid_at)) & 0xffffffff)
            except gdb.MemoryError:
                pass
            found.append(m)
            own[address] = m.own
            running[number(carrier["current"])] = carrier
    for m in found:
        find_state(m, running, lambda carrier: own.get(number(carrier.address)))
    found.sort(key=lambda m: (m.number, m.pointer))
    taken = {m.number for m in found}
    for m in found:  # without a member's number: any other one
        if not m.number:
            m.number = max(taken) + 1
            taken.add(m.number)
    return found


# --- stacks ---


class FrameId:
    """What gdb tells frames apart by."""

    def __init__(self, sp, pc):
        self.sp, self.pc = sp, pc


class Unwinder(gdb.unwinder.Unwinder):
    """The frame above the innermost one of an OS thread is a member's that it does not run."""

    def __init__(self):
        super().__init__("nanogomp members")
        self.enabled = False
        self.thread = 0      # gdb's number of the OS thread,
        # where its stack ends; frames of inlined functions before that frame are there, too
        self.innermost = 0
        self.sp = 0          # the member's

    def __call__(self, pending):
        thread = gdb.selected_thread()
        if not thread or thread.num != self.thread or register(pending, "rsp") != self.innermost:
            return None
        # the frame's own ID lies below the member's frames, or gdb takes the stack for broken
        info = pending.create_unwind_info(FrameId(gdb.Value(self.sp), pending.read_register("rip")))
        for name, at in SAVED.items():
            info.add_saved_register(name, word_at(self.sp + at))
        info.add_saved_register("rsp", gdb.Value(self.sp + SAVED_BYTES).cast(word_type()))
        return info

    def show(self, m):
        """From now on m's frames are there, in its own OS thread if that is here. Returns their
        first number."""
        if gdb.selected_inferior().architecture().name() != ARCHITECTURE:
            raise Trouble("nanogomp: stacks of members that wait are known for x86-64 only")
        self.hide()
        thread = m.own or gdb.selected_thread()
        thread.switch()
        self.thread = thread.num
        self.innermost = register(gdb.newest_frame(), "rsp")
        self.sp = number(m.identity["sp"])
        self.enabled = True
        gdb.invalidate_cached_frames()
        return frames_of_thread()

    def hide(self):
        if self.enabled:
            self.enabled = False
            gdb.invalidate_cached_frames()


def frames_of_thread():
    """How many frames come before a member's: one, and those of functions inlined there."""
    frame = gdb.newest_frame()
    count = 1
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
        count += 1
    return count


def without(count, text):
    """A back-trace without the frames before number `count`, which counts as 0."""
    frames = re.split(r"^(?=#\d+ )", text, flags=re.MULTILINE)[1:]
    levels = [int(re.match(r"#(\d+)", frame)[1]) - count for frame in frames]
    return "".join(re.sub(r"^#\d+ +", "#%-3d" % level, frame)
                   for level, frame in zip(levels, frames) if level >= 0)


def raised(options, count):
    """Options of `backtrace` for so many frames more: a number alone says how many."""
    return " ".join(str(int(word) + count) if word.isdigit() else word for word in options)


def stack_of(m, options):
    """A member's back-trace as text."""
    with Kept():
        if m.suspended:
            try:
                count = UNWINDER.show(m)
                return without(count, gdb.execute(
                    "backtrace " + raised(options, count), False, True))
            finally:
                UNWINDER.hide()
        if not m.runs:
            return "no stack\n"
        m.runs.switch()
        return gdb.execute("backtrace " + " ".join(options), False, True)


# --- commands ---


def chosen(text):
    """The member that has this number."""
    found = [m for m in members() if str(m.number) == text]
    if not found:
        raise Trouble("nanogomp: no member %s: see `nanogomp members`" % text)
    return found[0]


def title(m):
    return "member %d (%s; pthread %#x): %s" % (m.number, m.place(), m.pointer, m.state)


def show_members():
    rows = [("member", "in its team", "pthread", "its OS thread", "state")]
    for m in members():
        rows.append((str(m.number), m.place(), "%#x" % m.pointer,
                     "%d (LWP %d)" % (m.own.num, m.own.ptid[1]) if m.own else "-", m.state))
    if len(rows) == 1:
        print("no members: no region yet, or all members are OS threads "
              "(docs/members.md, NTH_VERBOSE=1)")
        return
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    for row in rows:
        print("  ".join([text.ljust(width) for text, width in zip(row, widths)] + [row[4]]))


def show_stacks(words):
    which = words.pop(0) if words and (words[0] == "all" or words[0].isdigit()) else "all"
    for m in [m for m in members() if m.suspended] if which == "all" else [chosen(which)]:
        print(title(m))
        print(stack_of(m, words))


def select(words):
    UNWINDER.hide()
    if words == ["off"]:
        return
    if len(words) != 1:
        raise Trouble("nanogomp select N, or off")
    m = chosen(words[0])
    print(title(m))
    if m.suspended:
        gdb.execute("frame %d" % UNWINDER.show(m))
    elif m.runs:
        m.runs.switch()
        gdb.execute("frame 0")


def part(name):
    """A module beside this one."""
    if name not in PARTS:
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
        spec = importlib.util.spec_from_file_location("nanogomp_part_" + name, path)
        PARTS[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(PARTS[name])
    return PARTS[name]


def openmp():
    """The module openmp.py, which uses this one."""
    return part("openmp")


def sites():
    """The command's module nanogomp_lib/sites.py, which lies in the folder beside this one's; None:
    it does not."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if os.path.exists(os.path.join(folder, "nanogomp_lib", "sites.py")):
        if folder not in sys.path:
            sys.path.append(folder)
        return importlib.import_module("nanogomp_lib.sites")
    return None


class Command(gdb.Command):
    __doc__ = HELP

    def __init__(self):
        super().__init__("nanogomp", gdb.COMMAND_STACK, gdb.COMPLETE_NONE)

    def invoke(self, text, _from_tty):
        words = text.split()
        what = words.pop(0) if words else ""
        shows = openmp().SHOW
        if what in ("members", "bt", "select", "why", *shows) and not gdb.selected_thread():
            raise Trouble("nanogomp: no process and no core file")
        if what == "members" and not words:
            show_members()
        elif what in shows and not words:
            shows[what]()
        elif what == "bt":
            show_stacks(words)
        elif what == "why" and not words:
            part("nanogomp_waits").show()
        elif what == "select":
            select(words)
        else:
            raise Trouble(HELP)


UNWINDER = Unwinder()
PARTS = {}  # modules beside this one, by name, once they are loaded

if __name__ == "__main__":  # gdb runs it among the user's own names: once more, as a module
    SPEC = importlib.util.spec_from_file_location("nanogomp_gdb", __file__)
    MODULE = sys.modules["nanogomp_gdb"] = importlib.util.module_from_spec(SPEC)
    SPEC.loader.exec_module(MODULE)
else:
    gdb.unwinder.register_unwinder(None, UNWINDER, replace=True)
    gdb.events.cont.connect(lambda _: UNWINDER.hide())
    Command()
