# trace_otf2.py - a trace in the Open Trace Format 2, by OTF2's own library
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""By the package `otf2` of PyPI, which brings the library with it, or Debian's python3-otf2. An
archive is a folder; traces.otf2 in it is what viewers open."""

import os
import shutil

from nanogomp_lib import trace_spans as spans

SUFFIX = ".otf2"
ARCHIVE = "traces"
ROLES = {spans.REGION: "PARALLEL", spans.LOOP: "LOOP", spans.SECTIONS: "SECTIONS",
         spans.SINGLE: "SINGLE", spans.TASK: "TASK", spans.CRITICAL: "CRITICAL",
         spans.ORDERED: "ORDERED", spans.BARRIER: "BARRIER", spans.REGION_END: "IMPLICIT_BARRIER",
         spans.TASKWAIT: "TASK_WAIT", spans.TASKGROUP: "TASK_WAIT"}


class CannotWrite(Exception):
    """The library is not here."""


def library():
    """The module; else CannotWrite says how to get it."""
    try:
        import otf2
        import otf2.events  # noqa: F401
        return otf2
    except (ImportError, OSError) as error:
        raise CannotWrite("no OTF2 here (%s): pip install otf2, or Debian's python3-otf2"
                          % error) from error


class _Regions:
    """OTF2's definition for each construct at each place."""

    def __init__(self, otf2, source, definitions):
        self.otf2, self.source, self.definitions, self.known = otf2, source, definitions, {}

    def get(self, construct, address):
        found = self.known.get((construct, address))
        if found is None:
            site = self.source.sites.get(address)
            role = getattr(self.otf2.RegionRole, ROLES.get(construct, "ARTIFICIAL"))
            found = self.known[construct, address] = self.definitions.region(
                self.source.name(construct, address), region_role=role,
                paradigm=self.otf2.Paradigm.OPENMP, source_file=site.file or "" if site else "",
                begin_line_number=site.line or 0 if site else 0)
        return found


def _fill(otf2, trace, source):
    definitions, writers, open_regions = trace.definitions, {}, {}
    node = definitions.system_tree_node("machine", class_name="node")
    group = definitions.location_group(source.title or "program", system_tree_parent=node)
    for row in source.rows:
        place = definitions.location(source.row_name(row.number), group=group)
        writers[row.number] = trace.event_writer_from_location(place)
        open_regions[row.number] = []
    regions = _Regions(otf2, source, definitions)
    for record in source.records(spans.spans, "otf2"):
        time, row, what, construct, key = record[:5]
        if construct == spans.ABSENT and what <= spans.LEAVE:
            continue
        if what == spans.ENTER:
            region = regions.get(construct, source.tasks.address(construct, key))
            open_regions[row].append(region)
            writers[row].enter(time, region)
        elif what == spans.LEAVE:
            writers[row].leave(time, open_regions[row].pop())


def write(source, path):
    otf2 = library()
    if os.path.isdir(path) and os.path.exists(os.path.join(path, ARCHIVE + SUFFIX)):
        shutil.rmtree(path)
    try:
        with otf2.writer.open(path, ARCHIVE, timer_resolution=1000000000) as trace:
            _fill(otf2, trace, source)
    except otf2.error.TraceWriterError as error:
        raise OSError(0, str(error)) from error
    return [os.path.join(path, ARCHIVE + SUFFIX)]
