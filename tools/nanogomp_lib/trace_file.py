# trace_file.py - reads the raw trace of a process
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tools/ompt/trace_format.h tells what is in the file; the numbers here are those there. A block is
read at a time: of a trace of any length one block of each row is in memory."""

import array
import os
import struct

MAGIC, VERSION, PAGE, BLOCK = b"NTHTRACE", 1, 4096, 0x4b4c4254
HEAD = struct.Struct("<8s6I8Q")
HEAD_OF_BLOCK = struct.Struct("<6I3Q")
EVENT_BYTES, WORDS = 24, 3
TICKS, NS = 1, 2
EVENTS, MAPS, COMMAND = 1, 2, 3

(THREAD_BEGIN, THREAD_END, REGION_BEGIN, REGION_END, MEMBER_BEGIN, MEMBER_END, WAIT_BEGIN, WAIT_END,
 TASK_CREATE, TASK_SWITCH, LOCK_WAIT, LOCK_TAKEN, LOCK_LEFT, WORK_BEGIN, WORK_END, CHUNK, CANCEL,
 TARGET_BEGIN, TARGET_END, ERROR) = range(1, 21)
LOW_48 = (1 << 48) - 1
KIND_SHIFT, SUB_SHIFT = 48, 56
# events whose `where` is an address of the program
WITH_ADDRESS = frozenset((REGION_BEGIN, WAIT_BEGIN, TASK_CREATE, LOCK_WAIT, LOCK_TAKEN, WORK_BEGIN,
                          CANCEL, TARGET_BEGIN, ERROR))


class NoTrace(Exception):
    """The file is not there, or no trace."""


class Row:
    """blocks: [(turn, offset in the file, bytes)]. dropped: events that are missing behind them."""

    def __init__(self, number):
        self.number, self.blocks, self.dropped = number, [], 0


class TraceFile:
    """pid, parent, forked; rows: [Row]; maps, command: texts; dropped: events that are missing;
    has_end: the process has ended by exit(); end: ns from the start of the trace to its end."""

    def __init__(self, path):
        self.path = path
        try:
            self._file = open(path, "rb")  # pylint: disable=consider-using-with
            self.bytes = os.fstat(self._file.fileno()).st_size
            self._read_head()
            self._read_blocks()
            self.end = self._end()
        except OSError as error:
            raise NoTrace("%s: %s" % (path, error.strerror)) from error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()

    def _at(self, offset, count):
        self._file.seek(offset)
        return self._file.read(count)

    def _read_head(self):
        data = self._at(0, HEAD.size)
        if len(data) < HEAD.size or data[:len(MAGIC)] != MAGIC:
            raise NoTrace("%s: no trace of nanogomp" % self.path)
        (_, version, event_bytes, self.clock, self.pid, self.parent, self.forked, self._start,
         self._start_ns, other, other_ns, end, end_ns, self.real_ns,
         self.dropped) = HEAD.unpack(data)
        if version != VERSION or event_bytes != EVENT_BYTES:
            raise NoTrace("%s: a trace of version %d; this command reads version %d"
                          % (self.path, version, VERSION))
        self._end_ticks = end
        self.has_end = end != 0
        self._other = (end, end_ns) if end else (other, other_ns)

    def _read_blocks(self):
        """Notes where the blocks are. A page that is no block's beginning was never used."""
        rows, self.maps, command, offset = {}, "", b"", PAGE
        while offset + HEAD_OF_BLOCK.size <= self.bytes:
            head = HEAD_OF_BLOCK.unpack(self._at(offset, HEAD_OF_BLOCK.size))
            magic, content, size, number, turn, _, ticks, ns, dropped = head
            if magic != BLOCK or size < PAGE or size % PAGE:
                offset += PAGE
                continue
            if content == EVENTS:
                row = rows.setdefault(number, Row(number))
                row.blocks.append((turn, offset + HEAD_OF_BLOCK.size, size - HEAD_OF_BLOCK.size))
                row.dropped += dropped
            elif content == MAPS:
                self.maps += os.fsdecode(self._at(offset + HEAD_OF_BLOCK.size, turn))
            elif content == COMMAND:
                command = self._at(offset + HEAD_OF_BLOCK.size, turn)
            if not self.has_end and ns - self._start_ns > abs(self._other[1] - self._start_ns):
                self._other = (ticks, ns)
            offset += size
        self.command = [os.fsdecode(word) for word in command.split(b"\0")[:-1]]
        self.rows = [rows[number] for number in sorted(rows)]
        self.dropped += sum(row.dropped for row in self.rows)
        for row in self.rows:
            row.blocks.sort()
        ticks, ns = self._other[0] - self._start, self._other[1] - self._start_ns
        self._scale = ns / ticks if self.clock == TICKS and ticks else 1.0

    def ns(self, ticks):
        """From the start of the trace on."""
        return max(0, int((ticks - self._start) * self._scale))

    def _end(self):
        """The time of the last event, or of the end that the process has told."""
        last = self.ns(self._end_ticks) if self.has_end else 0
        for row in self.rows:
            for block in reversed(row.blocks):
                times, _, _ = self._words(block)
                if times:
                    last = max(last, self.ns(times[-1]))
                    break
        return last

    def _words(self, block):
        """(times, wheres, rest) of a block's events; rest: kind, sub, row and number."""
        _, offset, size = block
        data, words = array.array("Q"), self._at(offset, size)  # fewer where the file is cut
        data.frombytes(words[:len(words) - len(words) % EVENT_BYTES])
        rest = data[2::WORDS]
        count = len(rest)
        if count and not rest[-1] >> KIND_SHIFT:  # the block is not full
            low, high = 0, count
            while low < high:
                middle = (low + high) // 2
                if rest[middle] >> KIND_SHIFT & 0xff:
                    low = middle + 1
                else:
                    high = middle
            count = low
        return data[0:count * WORDS:WORDS], data[1:count * WORDS:WORDS], rest[:count]

    def chunks(self, row):
        """The events of a row: lists of (ns, where, kind, sub, number), a block each."""
        start, scale, last = self._start, self._scale, 0
        for block in row.blocks:
            times, wheres, rest = self._words(block)
            found = []
            for ticks, where, word in zip(times, wheres, rest):
                time = int((ticks - start) * scale)
                if time < last:  # clocks of two CPUs
                    time = last
                last = time
                found.append((time, where, word >> KIND_SHIFT & 0xff, word >> SUB_SHIFT,
                              word & LOW_48))
            yield found

    def survey(self, tell=None):
        """(number of events, {(kind, sub): addresses of the program}). tell(share): progress."""
        count, found = 0, {}
        done, whole = 0, sum(len(row.blocks) for row in self.rows) or 1
        for row in self.rows:
            for block in row.blocks:
                _, wheres, rest = self._words(block)
                count += len(rest)
                for where, word in zip(wheres, rest):
                    kind = word >> KIND_SHIFT & 0xff
                    if kind in WITH_ADDRESS and where & LOW_48:
                        key = kind, word >> SUB_SHIFT
                        found.setdefault(key, set()).add(where & LOW_48)
                done += 1
                if tell:
                    tell(done / whole)
        return count, found
