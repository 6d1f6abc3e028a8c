# trace_source.py - a trace with its names, as the writers of formats take it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import sys
import time

from nanogomp_lib import identity, sites, trace_file, trace_spans

SHOW_SECONDS = 0.2  # on a terminal, from one line to the next
SAY_SECONDS = 20    # elsewhere


class Progress:
    """How far a conversion is: in one line of a terminal, else a line now and then."""

    def __init__(self, what):
        self.what, self.shown = what, False
        self.is_terminal = sys.stderr.isatty()
        self.next = time.monotonic() + (1 if self.is_terminal else SAY_SECONDS)

    def tell(self, share):
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + (SHOW_SECONDS if self.is_terminal else SAY_SECONDS)
        self.shown = True
        print("%snanogomp trace: %s: %d %%" % ("\r" if self.is_terminal else "", self.what,
                                              100 * min(share, 1)),
              end="" if self.is_terminal else "\n", file=sys.stderr, flush=True)

    def done(self):
        if self.shown and self.is_terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


# kinds of sites.Sites.resolve_kinds(): of the constructs that OMPT's work events begin
WORK_KINDS = {1: "loop", 2: "sections", 3: "single", 6: "distribute", 10: "loop", 11: "loop",
              7: "scope", 12: "loop", 13: "loop"}
WAIT_KINDS = {3: "barrier", 8: "implicit barrier"}  # of OMPT's regions of synchronization


def places_of(found, surveyed):
    """{address: Site} of {(kind, sub): addresses}, with the lines that a profile has."""
    addresses = {}
    for (kind, sub), those in surveyed.items():
        name = {trace_file.REGION_BEGIN: "region", trace_file.TASK_CREATE: "task",
                trace_file.WORK_BEGIN: WORK_KINDS.get(sub),
                trace_file.WAIT_BEGIN: WAIT_KINDS.get(sub)}.get(kind)
        addresses.setdefault(name, set()).update(those)
    return found.resolve_kinds(addresses)


class Source:
    """file: the TraceFile; events: how many it has; title: the program's command line.
    changed: files of code that are not those of the run any more."""

    def __init__(self, file):
        self.file = file
        progress = Progress("looks at " + os.path.basename(file.path))
        self.events, addresses = file.survey(progress.tell)
        progress.done()
        found = sites.Sites(file.maps, noted=identity.noted(file.path))
        self.sites, self.changed = places_of(found, addresses), found.changed
        self.title = " ".join(file.command)
        self.tasks = trace_spans.Tasks()

    @property
    def end(self):
        return self.file.end

    @property
    def rows(self):
        return self.file.rows

    def row_name(self, number):
        return "thread %d" % (number + 1)

    def site_name(self, address):
        """function (file.c:12); "" where there is none."""
        site = self.sites.get(address)
        return site.name() if site else ""

    def name(self, construct, address):
        """loop main (file.c:12)"""
        where, site = self.site_name(address), self.sites.get(address)
        ended = " of " + site.of if site and site.of else ""
        return trace_spans.CONSTRUCTS[construct][0] + ended + (" " + where if where else "")

    def records(self, of_row, what):
        """All records, in one order, by trace_spans.states or .spans; tells the progress.
        self.tasks knows the tasks that are there at each record."""
        self.tasks = trace_spans.Tasks()
        progress, see, end, count = Progress(what), self.tasks.see, self.end or 1, 0
        sources = [of_row(self.file, row) for row in self.rows]
        for record in trace_spans.merged(sources):
            if record[2] == trace_spans.CREATE:
                see(record)
            yield record
            if record[2] == trace_spans.DONE:
                see(record)
            count += 1
            if not count & 0xfff:
                progress.tell(record[0] / end)
        progress.done()


def open_source(path):
    return Source(trace_file.TraceFile(path))
