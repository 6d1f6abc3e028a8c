#!/usr/bin/env python3
# test_predict_order.py - `nanogomp predict`: ordered and doacross loops, unequal pieces
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import unittest

from predict_support import free_machine, region, replay, time_of, work
from nanogomp_lib import predict_order as order
from nanogomp_lib import predict_program as programs
from nanogomp_lib import predict_trace as trace


def ordered_loop(schedule, parts, chunk=1):
    """parts: (before, ordered part, after) of each iteration."""
    made = trace.Loop(schedule | trace.ORDERED, len(parts), chunk)
    made.pieces = [(1, [work(a), (trace.ORDER, [work(b)]), work(c)]) for a, b, c in parts]
    return (trace.LOOP, made)


def nest(lines, columns, ns, chunk=1):
    """Each cell after the one above it and the one before it."""
    made = trace.Loop(trace.STATIC | trace.DOACROSS, lines, chunk)
    for i in range(lines):
        steps = []
        for j in range(columns):
            steps += [(trace.SINK, i - 1, j)] * (i > 0) + [work(ns), (trace.POST, i, j)]
        made.pieces.append((1, steps))
    return (trace.LOOP, made)


class Order(unittest.TestCase):
    """Loops whose iterations wait for each other."""

    def time(self, members, *steps, **costs):
        return time_of([(trace.REGION, region(*steps))], free_machine(64, **costs), members)

    def test_ordered_pipeline(self):
        """n iterations in turn: a before, b ordered. Either the ordered parts are a chain, or each
        member's own time is longer than a round of ordered parts."""
        for a, b, p, rounds in ((70, 10, 4, 5), (10, 50, 4, 5), (30, 30, 2, 9), (0, 10, 8, 3)):
            found = self.time(p, ordered_loop(trace.STATIC, [(a, b, 0)] * (p * rounds)))
            chain = a + b * p * rounds
            own = (rounds - 1) * (a + b) + a + b * p
            self.assertAlmostEqual(found, max(chain, own))
            self.assertAlmostEqual(self.time(p, ordered_loop(
                trace.DYNAMIC, [(a, b, 0)] * (p * rounds))), found)

    def test_ordered_costs(self):
        """The turn goes from processor to processor: a line each time."""
        self.assertAlmostEqual(self.time(4, ordered_loop(trace.STATIC, [(0, 10, 0)] * 8),
                                         line_near=3), 8 * 10 + 7 * 3 + 3)
        self.assertAlmostEqual(self.time(1, ordered_loop(trace.STATIC, [(5, 10, 1)] * 8),
                                         line_near=3), 128)

    def test_turn_passes_after_the_ordered_part(self):
        """What comes after it does not hold up the next iteration."""
        self.assertAlmostEqual(self.time(8, ordered_loop(trace.STATIC, [(0, 10, 100)] * 8)),
                               80 + 100)

    def test_chunks_of_ordered_loops(self):
        """A chunk has the turn from its first ordered part to its last one."""
        found = self.time(2, ordered_loop(trace.STATIC, [(10, 5, 0)] * 8, 4))
        self.assertAlmostEqual(found, 10 + 5 + 3 * 15 + 5 + 3 * 15)

    def test_iterations_without_ordered_part(self):
        """They pass the turn at the end of their chunk, and wait for it first."""
        made = ordered_loop(trace.STATIC, [(10, 5, 0)] * 8)
        for place in (1, 2, 6):
            made[1].pieces[place] = (1, [work(3)])
        self.assertAlmostEqual(self.time(8, made), 10 + 5 * 5)

    def test_pipeline_of_loops(self):
        """Loops without a wait at the end, an iteration a member: n + m - 1 stages."""
        for n, m in ((2, 6), (24, 6), (5, 1)):
            loops = [ordered_loop(trace.STATIC, [(0, 20, 0)] * n, 0) for _ in range(m)]
            self.assertAlmostEqual(self.time(n, *loops), 20 * (n + m - 1))

    def test_doacross_wave(self):
        """p lines at once, each a cell behind the one above it."""
        for p, rounds, columns in ((1, 4, 5), (4, 1, 6), (4, 3, 6), (8, 2, 8)):
            found = self.time(p, nest(p * rounds, columns, 10))
            self.assertAlmostEqual(found, 10 * (rounds * columns + p - 1))
        found = self.time(4, nest(4, 6, 10), line_near=2)
        self.assertAlmostEqual(found, (10 + 2) * (3 + 5) + 10 + 2)

    def test_doacross_blocks(self):
        """Chunks of two lines: within a chunk there is nothing to wait for. The second member
        starts after the last line of the first one's has its first cell."""
        found = self.time(2, nest(4, 5, 10, 2))
        self.assertAlmostEqual(found, 50 + 10 + 50 + 50)

    def test_iteration_without_source(self):
        """The end of a chunk counts as one."""
        made = nest(3, 1, 10)
        made[1].pieces[1] = (1, [work(40)])
        self.assertAlmostEqual(self.time(3, made), 40 + 10)

    def test_span(self):
        made = region(nest(4, 6, 10))
        self.assertAlmostEqual(programs.span([(trace.REGION, made)]), 10 * 9)
        made = region(ordered_loop(trace.DYNAMIC, [(10, 5, 1)] * 8))
        self.assertAlmostEqual(programs.span([(trace.REGION, made)]), 10 + 5 * 8 + 1)

    def test_unequal_pieces(self):
        """A loop is cut anew: pieces of other sizes keep their own times, and what is in them."""
        made = trace.Loop(trace.STATIC, 8, 0)
        inside = [work(100), (trace.CRITICAL, 1, [work(7)]), work(60)]
        made.pieces = [(1, [work(10)]), (4, inside), (1, [work(40)]), (2, [work(50)])]
        ends = [1, 5, 6, 8]
        self.assertEqual(order.cut(made, ends, 0, 8), [step for _, p in made.pieces for step in p])
        self.assertEqual(order.cut(made, ends, 0, 2), [work(10), work(25), inside[1], work(15)])
        self.assertEqual(order.cut(made, ends, 3, 7), [work(50), work(30), work(40), work(25)])
        for schedule, chunk in ((trace.STATIC, 0), (trace.STATIC, 1), (trace.DYNAMIC, 3),
                                (trace.GUIDED, 1)):
            made.schedule, made.chunk = schedule, chunk
            found = replay([(trace.REGION, region((trace.LOOP, made)))], free_machine(2), 2)
            self.assertAlmostEqual(found.total.useful * 2, 267)
        made.schedule, made.chunk = trace.STATIC, 0  # 4 and 4: 1 + 3 of the piece, the rest
        self.assertAlmostEqual(found_time(made, 2), 10 + 0.75 * 160 + 7)

    def test_unequal_chunks(self):
        """Without other steps the plain engine does the same."""
        made = trace.Loop(trace.STATIC, 8, 0)
        made.pieces = [(1, [work(10)]), (4, [work(160)]), (1, [work(40)]), (2, [work(50)])]
        self.assertAlmostEqual(found_time(made, 2), 10 + 0.75 * 160)
        made.chunk = 2  # 0-1 and 4-5 against 2-3 and 6-7
        self.assertAlmostEqual(found_time(made, 2), max(10 + 40 + 40 + 40, 80 + 50))
        made.schedule, made.chunk = trace.DYNAMIC, 4
        self.assertAlmostEqual(found_time(made, 2), 10 + 0.75 * 160)


def found_time(made, members):
    return time_of([(trace.REGION, region((trace.LOOP, made)))], free_machine(members), members)



class Counted(list):
    """Steps that count how many of them are looked at."""
    looks = 0

    def __iter__(self):
        for step in super().__iter__():
            self.looks += 1
            yield step

    def __getitem__(self, place):
        self.looks += 1
        return super().__getitem__(place)


class EmptyLoops(unittest.TestCase):
    def test_each_is_taken_out_from_where_it_is(self):
        """The record of a loop without iterations costs the same, however much is before it."""
        builder, count = trace.Builder(), 500
        steps = builder.top.steps = Counted()
        for i in range(count):
            builder.on_loop_enter(trace.STATIC, 1, 0, 10 * i + 3)
            builder.on_loop_end_enter(0, 0, 0, 10 * i + 4)
            builder.on_loop_end_leave(0, 0, 0, 10 * i + 5)
        self.assertLess(steps.looks, 10 * count)
        self.assertEqual({step[0] for step in steps}, {trace.WORK, trace.BARRIER})


if __name__ == "__main__":
    unittest.main()
