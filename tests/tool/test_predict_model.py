#!/usr/bin/env python3
# test_predict_model.py - the simulator of `nanogomp predict` against closed forms
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import random
import unittest

import support
from predict_support import free_machine, loop, region, replay, task, time_of, work
from nanogomp_lib import predict_machine as machines
from nanogomp_lib import predict_profile as profile
from nanogomp_lib import predict_program as programs
from nanogomp_lib import predict_report as report
from nanogomp_lib import predict_trace as trace
from nanogomp_lib.predict_pools import Pools
from nanogomp_lib.predict_state import Processor
from nanogomp_lib.predict_tasks import Simulation
from nanogomp_lib.predict_team import Pieces, Policy, Team, chunks_of, loop_clocks, run_plain

def single(*steps):
    return (trace.REGION, region((trace.SINGLE, list(steps))))


class Fork(unittest.TestCase):
    def empty(self, members, policy, **costs):
        return time_of([(trace.REGION, region())], free_machine(members, **costs), members,
                       policy=policy)

    def test_lwd_is_linear(self):
        """The master's loop: a store a slave."""
        for n in (2, 3, 64, 4096):
            self.assertEqual(self.empty(n, Policy("lwd"), fork_slave=10), 10 * (n - 1))
        team = Team(free_machine(4, fork_slave=10, line_near=3), Policy("lwd"), 4)
        self.assertEqual(team.fork(), [30, 13, 23, 33])

    def test_gwd_is_one_store_and_reads(self):
        for n in (2, 64, 4096):
            self.assertEqual(self.empty(n, Policy("gwd"), fork_slave=10, fork_shared=2),
                             10 + 2 * (n - 1))

    def test_flat_join_is_linear(self):
        for n in (2, 64, 4096):
            self.assertEqual(self.empty(n, Policy(join="flat"), join_slave=7), 7 * (n - 1))

    def test_late_slave(self):
        """A join's looks at slaves that are there overlap the wait for the last one."""
        team = Team(free_machine(8, join_slave=5, line_near=40), Policy(), 8)
        self.assertEqual(team.join([0, 0, 0, 0, 0, 0, 0, 1000]), 1000 + 40 + 5)

    def test_far_lines(self):
        machine = free_machine(8, 4, line_near=10, line_far=100)
        team = Team(machine, Policy(), 8)
        self.assertEqual(team.fork(), [0, 10, 10, 10, 100, 100, 100, 100])

    def test_tree_barrier_is_logarithmic(self):
        """Full trees of arity 4: depth levels up, each with four looks and a line; then down."""
        for depth in (1, 2, 3, 5):
            n = sum(4 ** level for level in range(depth + 1))
            team = Team(free_machine(n, tree_node=3, line_near=50), Policy(join="tree"), n)
            up = depth * (50 + 4 * 3)
            self.assertEqual(team.join([0.0] * n), up)
            self.assertEqual(team.barrier([0.0] * n), up + depth * (50 + 3))

    def test_tree_beats_flat_when_large(self):
        steps = [(trace.REGION, region((trace.BARRIER,), (trace.BARRIER,)))]
        machine = machines.Machine(1024)
        flat, tree = (time_of(steps, machine, 1024, policy=Policy(join=j)) for j in
                      ("flat", "tree"))
        self.assertLess(tree, flat / 2)

    def test_sleepers_are_woken(self):
        machine = free_machine(4, wake=1000, wake_call=10, spin=500)
        machine.costs["spin"] = 500
        steps = [work(400), (trace.REGION, region()), work(600), (trace.REGION, region())]
        self.assertEqual(time_of(steps, machine, 4), 400 + 600 + 3 * 10 + 1000)

    def test_region_alone(self):
        machine = free_machine(4, region_alone=16, fork_slave=100)
        self.assertEqual(time_of([(trace.REGION, region(work(5)))], machine, 1), 21)


class Plain(unittest.TestCase):
    def test_serial_part(self):
        """Amdahl's law."""
        steps = [work(1000), (trace.REGION, region(work(9000, trace.SHARED)))]
        for n in (1, 2, 9, 4096):
            self.assertAlmostEqual(time_of(steps, free_machine(n), n), 1000 + 9000 / n)

    def test_repeated_work(self):
        made = replay([(trace.REGION, region(work(100, trace.EACH)))], free_machine(8), 8)
        self.assertEqual((made.time, made.total.repeated, made.total.useful), (100, 100, 0))

    def test_dynamic_loop(self):
        """Equal chunks: the ceiling of their number over the members."""
        for n in (1, 3, 7, 64):
            made = (trace.REGION, region((trace.LOOP, loop(trace.DYNAMIC, [10] * 100))))
            self.assertAlmostEqual(time_of([made], free_machine(n), n), 10 * -(-100 // n))

    def test_loop_counter_is_serial(self):
        made = (trace.REGION, region((trace.LOOP, loop(trace.DYNAMIC, [1] * 1000))))
        self.assertGreaterEqual(time_of([made], free_machine(64, chunk=5), 64), 5 * 1000)

    def test_static_loop(self):
        """Blocks whose sizes differ by one; with a chunk in turn."""
        for chunk, n, most in ((0, 4, 3), (0, 16, 1), (2, 4, 4), (1, 3, 4)):
            made = (trace.REGION, region((trace.LOOP, loop(trace.STATIC, [10] * 10, chunk))))
            self.assertAlmostEqual(time_of([made], free_machine(n), n), 10 * most)

    def test_guided_loop(self):
        """Chunks of a part of what is left; all iterations once."""
        made = loop(trace.GUIDED, [1] * 1000)
        pieces = Pieces(made, lambda steps: steps[0][1])
        team = Team(free_machine(8), Policy(), 8)
        clocks, _ = loop_clocks(team, made, pieces, [0.0] * 8)
        self.assertAlmostEqual(sum(clocks), 1000)
        self.assertLess(max(clocks), 1000 / 8 * 1.1)

    def test_sizes_of_guided_chunks(self):
        """Those of the runtime: of 64 iterations two members take a quarter of what is left, by gss
        a half."""
        for schedule, want in ((trace.GUIDED, [16, 12, 9, 7]), (trace.GSS, [32, 16, 8, 4])):
            made = loop(schedule, [1] * 64)
            pieces = Pieces(made, lambda steps: steps[0][1])
            found = [last - first for first, last in chunks_of(made, 2, pieces)]
            self.assertEqual(found[:4], want)
            self.assertEqual(sum(found), 64)

    def test_uneven_static_loop(self):
        """A triangle: the last of n members has 2 n - 1 of n n parts."""
        n, count = 4, 400
        made = (trace.REGION, region((trace.LOOP, loop(trace.STATIC, range(count), 0))))
        ideal = sum(range(count)) / n
        self.assertAlmostEqual(time_of([made], free_machine(n), n) / ideal, (2 * n - 1) / n, 2)

    def test_both_engines_agree(self):
        """run_plain() and the simulation of events, on regions that both can do."""
        rng = random.Random(7)
        for _ in range(30):
            steps = []
            for _ in range(rng.randrange(1, 6)):
                steps.append(rng.choice((
                    work(rng.randrange(1, 500), rng.choice((trace.EACH, trace.SHARED))),
                    (trace.BARRIER,), (trace.SINGLE, [work(rng.randrange(500))]),
                    (trace.LOOP, loop(rng.choice((trace.STATIC, trace.DYNAMIC)),
                                      [rng.randrange(1, 90) for _ in range(rng.randrange(1, 30))],
                                      rng.randrange(1, 4))))))
            made, n = region(*steps), rng.randrange(1, 20)
            policy = Policy(rng.choice(("lwd", "gwd")), rng.choice(("flat", "tree")))
            machine = machines.Machine(32, 8)

            def alone(part):
                return sum(step[1] for step in part)

            plain = run_plain(Team(machine, policy, n), made, alone).time
            events = Simulation(Team(machine, policy, n), made, alone).run().time
            # of members that come at the same moment another one may get a chunk or a single
            self.assertAlmostEqual(plain, events, delta=0.1 * plain, msg=str((n, steps)))

    def test_profile(self):
        """Two blocks, one of which has all the work: two members are as slow as one."""
        made = profile.Profile()
        made.segments, made.serial = [[0.0, 100.0]], [100.0]
        self.assertEqual(made.share(0, 2), ([0.0, 1.0], 0.0))
        weights, _ = made.share(0, 4)
        self.assertEqual(weights, [0.0, 0.0, 0.5, 0.5])
        one = region(work(100, trace.SHARED))
        one.profile = made
        self.assertAlmostEqual(time_of([(trace.REGION, one)], free_machine(2), 2), 100)

    def test_profile_of_repeated_work(self):
        made = profile.Profile()
        made.segments, made.serial = [[60.0, 60.0]], [100.0]
        weights, again = made.share(0, 2)
        self.assertAlmostEqual(again, 0.2)
        self.assertAlmostEqual(weights[0] + again, 0.6)

    def test_gain(self):
        """Two members need 10 % less together than one alone; four save no more than is known."""
        made = profile.Profile()
        made.segments, made.serial = [[45.0, 45.0]], [100.0]
        made.got, made.got_alone, made.members = 180.0, 200.0, 2
        one = region(work(100, trace.SHARED), (trace.LOOP, loop(trace.DYNAMIC, [50] * 4)))
        one.profile = made
        for members in (2, 4):
            found = replay([(trace.REGION, one)], free_machine(4, beside=1.05), members)
            self.assertAlmostEqual(found.time, 300 * 0.9 / members)
            self.assertAlmostEqual(found.total.beside, -300 * 0.1 / members)
        self.assertEqual(time_of([(trace.REGION, one)], free_machine(4), 1), 300)
        made.segments[0][0] = 54.0  # 1 % less: noise
        self.assertEqual(made.gain(0, 2), 0.0)

    def test_travel(self):
        """Two members need half as long again for tasks and chunks, since half of the data is in
        the other one's cache. Of four members three quarters are; work of their own is as fast."""
        made = profile.Profile()
        made.got, made.got_alone, made.members = 150.0, 100.0, 2
        self.assertAlmostEqual(made.travel(4), 0.75)
        for steps in ([(trace.SINGLE, [task(work(100))] * 8), (trace.BARRIER,)],
                      [(trace.LOOP, loop(trace.DYNAMIC, [100] * 8))]):
            one = region(*steps, work(1000, trace.EACH))
            one.profile = made
            for machine, members, longer in ((free_machine(2, travel=1), 2, 1.5),
                                             (free_machine(4, travel=1), 4, 1.75),
                                             (free_machine(2, travel=0.5), 2, 1.25),
                                             (free_machine(2, travel=1, beside=2), 2, 2)):
                found = replay([(trace.REGION, one)], machine, members)
                own = 1000 * max(1, machine.costs["beside"])
                self.assertAlmostEqual(found.time, 800 / members * longer + own)
                self.assertAlmostEqual(found.total.beside,
                                       800 / members * (longer - 1) + own - 1000)
            self.assertAlmostEqual(replay([(trace.REGION, one)], free_machine(2, travel=1),
                                          1).time, 1800)

    def test_travel_from_far(self):
        """A processor of another domain is so much dearer as its lines are."""
        one = region((trace.LOOP, loop(trace.DYNAMIC, [100] * 8)))
        one.profile = profile.Profile()
        one.profile.got, one.profile.got_alone, one.profile.members = 150.0, 100.0, 2
        machine = free_machine(2, 1, travel=1, line_near=0.01, line_far=0.03)
        self.assertAlmostEqual(time_of([(trace.REGION, one)], machine, 2), 400 * 2.5, delta=1)

    def test_bandwidth(self):
        """A domain's memory feeds two of four processors."""
        machine = free_machine(8, 4, bandwidth=20)
        made = replay([(trace.REGION, region(work(800, trace.SHARED)))], machine, 4, traffic=10.0)
        self.assertAlmostEqual(made.time, 2 * 800 / 4)
        self.assertAlmostEqual(made.total.beside, 200)

    def test_beside(self):
        """Work of several members takes longer, serial work does not."""
        machine = free_machine(2, beside=1.25)
        steps = [work(1000), (trace.REGION, region(work(800, trace.SHARED)))]
        made = replay(steps, machine, 2)
        self.assertAlmostEqual(made.time, 1000 + 1.25 * 400)
        self.assertAlmostEqual(made.total.beside, 100)
        self.assertAlmostEqual(replay(steps, machine, 1).time, 1800)


class Tasks(unittest.TestCase):
    def test_equal_tasks(self):
        """N tasks of one maker on P processors: the ceiling of N / P, for the maker helps."""
        for n, p in ((100, 4), (64, 64), (7, 3), (1000, 16)):
            steps = [single(*[task(work(50))] * n)]
            self.assertAlmostEqual(time_of(steps, free_machine(p), p), 50 * -(-n // p))

    def test_chain(self):
        """Tasks behind one another: no processor helps."""
        steps = [single(*[task(work(50), depend=[(trace.INOUT, 1)]) for _ in range(40)])]
        for p in (1, 2, 16):
            self.assertAlmostEqual(time_of(steps, free_machine(p), p), 2000)
        self.assertEqual(programs.span(steps), 2000)

    def test_readers_are_parallel(self):
        steps = [single(task(work(10), depend=[(trace.OUT, 1)]),
                        *[task(work(100), depend=[(trace.IN, 1)]) for _ in range(4)],
                        task(work(10), depend=[(trace.OUT, 1)]))]
        self.assertAlmostEqual(time_of(steps, free_machine(4), 4), 120)
        self.assertEqual(programs.span(steps), 120)

    def test_inoutset(self):
        """Those of a set are parallel, the next one is behind all of them."""
        steps = [single(*[task(work(100), depend=[(trace.INOUTSET, 1)]) for _ in range(4)],
                        task(work(10), depend=[(trace.INOUT, 1)]))]
        self.assertAlmostEqual(time_of(steps, free_machine(4), 4), 110)

    def test_maker_sets_the_pace(self):
        """Small tasks of one maker: N times what it takes to make one (equation 3 of the batches
        paper: N P / (P - 1) without the maker's help)."""
        steps = [single(*[task(work(1))] * 1000)]
        machine = free_machine(64, task_create=100)
        self.assertAlmostEqual(time_of(steps, machine, 64), 100 * 1000, delta=1000)

    def test_taskwait_and_group(self):
        inner = [task(work(100)), (trace.WAIT, []), work(10)]
        steps = [single(task(*inner), task(*inner), (trace.WAIT, []), work(5))]
        self.assertAlmostEqual(time_of(steps, free_machine(4), 4), 115)
        grouped = [single((trace.GROUP_BEGIN,), task(task(work(100))), (trace.GROUP_END,),
                          work(7))]
        self.assertAlmostEqual(time_of(grouped, free_machine(4), 4), 107)
        self.assertEqual(programs.span(grouped), 107)

    def test_taskwait_with_dependences(self):
        steps = [single(task(work(100), depend=[(trace.OUT, 1)]), task(work(900)),
                        (trace.WAIT, [(trace.IN, 1)]), work(50))]
        made = replay(steps, free_machine(4, task_create=1), 4)
        self.assertAlmostEqual(made.time, 2 + 900)  # not 100 + 900: the long one is not waited for
        self.assertAlmostEqual(made.total.useful, 1050 / 4)

    def test_undeferred(self):
        late = task(work(10), depend=[(trace.IN, 1)])
        late[1].undeferred = True
        steps = [single(task(work(100), depend=[(trace.OUT, 1)]), late, work(1))]
        self.assertAlmostEqual(time_of(steps, free_machine(2), 2), 111)

    def test_brent(self):
        """A greedy schedule takes at most work / P + span, and no less than either."""
        rng = random.Random(3)
        for _ in range(40):
            tasks = [task(work(rng.randrange(1, 200)),
                          depend=[(rng.choice((trace.IN, trace.INOUT)), rng.randrange(6))
                                  for _ in range(rng.randrange(3))])
                     for _ in range(rng.randrange(1, 60))]
            steps = [single(*tasks)]
            total = sum(made[1].steps[0][1] for made in tasks)
            span = programs.span(steps)
            for p in (1, 2, 5, 32):
                found = time_of(steps, free_machine(p), p)
                self.assertLessEqual(found, total / p + span + 1e-6)
                self.assertGreaterEqual(found, max(total / p, span) - 1e-6)

    def test_tree_of_tasks(self):
        """A binary tree of depth d: 2^d leaves, all work found."""
        def tree(depth):
            if depth == 0:
                return task(work(1000))
            return task(tree(depth - 1), tree(depth - 1), (trace.WAIT, []))
        made = replay([single(tree(10))], free_machine(16, steal_near=20), 16)
        self.assertAlmostEqual(made.total.useful * 16, 1024 * 1000)
        self.assertLess(made.time, 1024 * 1000 / 16 * 1.1)

    def test_critical_is_serial(self):
        made = region((trace.CRITICAL, 1, [work(100)]))
        self.assertAlmostEqual(time_of([(trace.REGION, made)], free_machine(8), 8), 800)
        handed = free_machine(8, lock_handover=10)
        self.assertAlmostEqual(time_of([(trace.REGION, made)], handed, 8), 800 + 70)

    def test_tasks_under_a_lock(self):
        """Their maker waits for them with the lock, and begins none that may want it."""
        group, end = (trace.GROUP_BEGIN,), (trace.GROUP_END,)
        for inside in ([task(work(30)), (trace.WAIT, []), work(5)],
                       [group, task(task(work(20)), work(10)), end, work(5)],
                       [task(work(15), depend=[(trace.OUT, 1)]), group,
                        task(work(20), depend=[(trace.IN, 1)]), end],
                       [task((trace.CRITICAL, 1, [work(35)]))]):
            steps = [single(*[task((trace.CRITICAL, 1, inside))] * 50)]
            for p in (1, 2, 3, 16):
                made = replay(steps, free_machine(p), p)
                self.assertAlmostEqual(made.total.useful * p, 50 * 35)
                self.assertGreaterEqual(made.time + 1e-6, 50 * 35 / p)

    def test_locks_and_tasks_at_random(self):
        """Locks are taken in their order; under one, tasks are made, and waited for or not."""
        rng = random.Random(7)

        def steps_of(depth, lock):
            made = [work(rng.randrange(1, 50))]
            for _ in range(rng.randrange(depth + 1)):
                made.append(task(*steps_of(depth - 1, lock),
                                 depend=[(trace.INOUT, rng.randrange(4))] * rng.randrange(2)))
            ends = rng.choice(([(trace.WAIT, [])], [(trace.GROUP_BEGIN,), (trace.GROUP_END,)], []))
            if depth and lock < 5:
                inside = steps_of(depth - 1, lock + 1)
                made += [(trace.WAIT, []),
                         (trace.CRITICAL, lock, ends[:-1] + inside + ends[-1:])]
            return made + ends

        for _ in range(60):
            steps = [single(*[task(*steps_of(4, 0)) for _ in range(8)])]
            for p in (1, 2, 3, 8):
                made = replay(steps, free_machine(p, task_create=3, steal_near=5), p)
                self.assertAlmostEqual(made.total.useful * p, programs.work_in(steps), 3)

    def test_nested_deeply(self):
        """More deeply than Python calls functions in each other."""
        made = task(work(1))
        for _ in range(9000):
            made = task(made, (trace.WAIT, []))
        steps = [single(made)]
        self.assertEqual(time_of(steps, free_machine(2), 2), 1)
        self.assertEqual((report.count(steps)["tasks"], profile.got_in(steps[0][1].steps),
                          programs.work_in(steps)), (9001, 1, 1))

    def test_lines_of_a_critical_section(self):
        """Its lock's line comes from the processor that was in it last, also if nobody waits. The
        hand-over has it in its own cost."""
        machine = free_machine(2, line_near=7, lock_handover=10, lock_alone=1)
        section = (trace.CRITICAL, 1, [work(100)])
        waited = [(trace.REGION, region(section))]
        self.assertAlmostEqual(time_of(waited, machine, 1), 101)
        join = 7  # the last slave's line
        self.assertAlmostEqual(time_of(waited, machine, 2), 101 + 10 + 100 + join)
        free = [(trace.REGION, region((trace.SINGLE, [work(500)]), section))]
        self.assertAlmostEqual(time_of(free, machine, 2), 500 + 1 + 7 + 100)

    def test_pools(self):
        """The central pool serves one processor at a time; its own pool costs nothing."""
        made = region(*[work(1, trace.EACH)] + [task(work(1))] * 200)
        times = [time_of([(trace.REGION, made)], free_machine(8, 4, pool_central=100,
                                                             pool_domain=40), 8,
                         policy=Policy(pool=pool)) for pool in ("central", "local", "hier")]
        ahead = 64  # later tasks run at once
        self.assertGreaterEqual(times[0], 2 * 8 * ahead * 100)  # taken and given back
        self.assertLess(times[1], times[0])
        self.assertLessEqual(times[2], times[1])

    def test_handfuls(self):
        """A descriptor that one processor takes and another gives back costs each of them a
        sixteenth of the domain's pool."""
        for step in (Pools.get, Pools.put):
            pools = Pools(Team(free_machine(2, pool_domain=160), Policy(pool="hier"), 2))
            processor, total = Processor(0, 0, 0.0), 0.0
            for _ in range(1600):
                took = step(pools, processor)
                processor.now += took
                total += took
            self.assertAlmostEqual(total, 1600 * 160 / 16, delta=2 * 160)

    def test_near_steals_are_cheaper(self):
        steps = [single(*[task(work(1000))] * 64)]
        near, far = (time_of(steps, free_machine(8, domain, steal_near=10, steal_far=500), 8)
                     for domain in (8, 1))
        self.assertLess(near, far)


class Trim(unittest.TestCase):
    def test_set_up_between_regions(self):
        """A region that asks for the number of threads comes before the set-up."""
        ask, step = (trace.REGION, region(work(1))), (trace.REGION, region(work(900)))
        steps = [work(50), ask, work(300), step, work(7), step, work(80), ask, work(9)]
        self.assertEqual(programs.trimmed(steps), [step, work(7), step])
        self.assertEqual(programs.trimmed([work(3), ask, work(4)]), [ask])
        self.assertEqual(programs.trimmed([work(3)]), [work(3)])


class Levels(unittest.TestCase):
    def test_two_levels(self):
        """Four sections with a loop each: one level feeds four processors, two levels all."""
        inner = [(trace.REGION, region(work(1600, trace.SHARED)))]
        outer = trace.Loop(trace.SECTIONS, 4, 1)
        outer.pieces = [(1, list(inner)) for _ in range(4)]
        steps = [(trace.REGION, region((trace.LOOP, outer)))]
        machine = free_machine(16)
        self.assertAlmostEqual(time_of(steps, machine, 16), 1600)
        self.assertAlmostEqual(time_of(steps, machine, 16, outer=4), 400)

    def test_clauses(self):
        made = region(work(800, trace.SHARED))
        made.clause = 2
        steps = [(trace.REGION, made)]
        self.assertAlmostEqual(time_of(steps, free_machine(8), 8), 400)
        self.assertAlmostEqual(time_of(steps, free_machine(8), 8, clauses="ignore"), 100)
        made.clause = 1  # of a program that computes it from the one thread that it had
        self.assertAlmostEqual(time_of(steps, free_machine(8), 8), 100)
        self.assertAlmostEqual(time_of(steps, free_machine(8), 8, clauses="honour"), 800)


class Machines(unittest.TestCase):
    def test_synthetic(self):
        self.assertEqual(machines.parse_synthetic("numa:4 core:16 pu:1"), (64, 16))
        self.assertEqual(machines.parse_synthetic("pack:2 numa:4 l3:2 core:8 pu:2"), (256, 32))
        self.assertEqual(machines.parse_synthetic("pack:2 core:8"), (16, 8))
        self.assertEqual(machines.parse_synthetic("core:8 pu:2"), (16, 16))
        for bad in ("", "numa", "numa:0", "numa:4,core:2", "4"):
            self.assertRaises(machines.BadMachine, machines.parse_synthetic, bad)

    def test_measured_costs(self):
        rows = [{"row": "region", "rounds": [{"values": {"nanogomp": 130}, "line": 90}]},
                {"row": "region-after-20ms", "rounds": [{"values": {"nanogomp": 50130}}]},
                {"row": "task-empty-all", "rounds": [{"values": {"nanogomp": 20}}]},
                {"row": "region-turns", "rounds": [{"values": {"nanogomp": 1.05}}]},
                {"row": "region-turns@1", "rounds": [{"values": {"nanogomp": 1.0}}]},
                {"row": "depend-chain", "rounds": [{"values": {"nanogomp": "timeout"}}]}]
        found = machines.measured_costs({"ours": "nanogomp", "rows": rows})
        self.assertEqual((found["line_near"], found["line_far"]), (45, 135))
        self.assertEqual((found["fork_slave"], found["wake"]), (20, 50000))
        self.assertEqual((found["task_create"], found["beside"]), (20, 1.05))
        self.assertNotIn("task_depend", found)
        self.assertLessEqual(set(found), set(machines.COSTS))

    def test_rows_exist(self):
        """A row that the bench does not have would leave its cost at the default."""
        with open(os.path.join(support.TOOLS, "bench", "goals.tsv"), encoding="utf-8") as file:
            rows = {line.split("\t")[0] for line in file}
        self.assertEqual(set(machines.ROWS) - rows, set())

    def test_times_are_shown_in_their_unit(self):
        for ns, shown in ((0, "0 ns"), (999.4, "999 ns"), (999.7, "0.9997 us"), (1234, "1.234 us"),
                          (999999, "1 ms"), (1e9, "1 s"), (12345e9, "12345 s")):
            self.assertEqual(report.show_time(ns), shown)

    def test_table_of_costs(self):
        self.assertRaises(machines.BadMachine, machines.checked_costs, {"nothing": 1}, "x")
        self.assertRaises(machines.BadMachine, machines.checked_costs, {"wake": "1"}, "x")
        shown = machines.show_costs(machines.Machine(4).costs, {})
        self.assertLessEqual(max(map(len, shown.splitlines())), 110)

    def test_table_is_narrow(self):
        steps = [work(1e9), (trace.REGION, region(work(1e9, trace.SHARED)))]
        machine = machines.Machine(4096, 16)
        rows = [report.Row(replay(steps, machine, n, traffic=1.0, outer=outer), 2e9, 1e9)
                for n, outer in ((1, None), (4096, None), (4096, 64))]
        text = report.table(rows) + "\n" + report.LEGEND
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        self.assertEqual(rows[0].limit, "work")
        self.assertEqual(rows[1].limit, "serial part")


if __name__ == "__main__":
    unittest.main()
