#!/usr/bin/env python3
# test_nthbench_papers.py - tests `bench papers`: what is read, said and kept; the cost model
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import contextlib
import io
import json
import os
import random
import sys
import tempfile
import types
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import nthbench_identity as identity  # noqa: E402
import nthbench_papers as papers  # noqa: E402
from papers import (adapt, batches, experiment, forkjoin, nanothreads, page,  # noqa: E402
                    pools, store, tholder)

model = batches.model


def rounds(values, count=3):
    return [{"line": 100.0, "values": dict(values)} for _ in range(count)]


class Model(unittest.TestCase):
    costs = model.Costs(create=20, enqueue=40, lookup=20, start=10)

    def test_equations_2_and_3_agree_where_processors_wait(self):
        for p in (2, 3, 8, 64):
            self.assertTrue(model.is_fine(self.costs, p, 0))
            self.assertAlmostEqual(model.fine_by_sum(self.costs, p, 1000, 0),
                                   model.fine(self.costs, p, 1000))

    def test_equation_4_is_the_pace_of_the_master(self):
        k = model.ended_meanwhile(self.costs, 1001, 500)
        self.assertAlmostEqual(k * self.costs.running(500), 1000 * self.costs.making())

    def test_equation_5_on_one_processor_is_one_after_the_other(self):
        alone = 1000 * (self.costs.making() + self.costs.running(7))
        self.assertAlmostEqual(model.coarse(self.costs, 1, 1000, 7), alone - self.costs.making())
        self.assertAlmostEqual(model.overlapped(self.costs, 1, 1000, 7), alone)

    def test_equations_6_and_7_agree(self):
        for p in (1, 2, 8):
            r = random.Random(p).uniform(0, model.found_most(p))
            q = r / (p + 1)
            sixth = q * p * (p + 1) / 2 * 5 + (1 - q * p) * (p * 5 + 90) + 3
            self.assertAlmostEqual(model.create_cost(p, r, 5, 90, 3), sixth)

    def test_equation_8_bounds_the_probability(self):
        self.assertAlmostEqual(model.create_cost(4, model.found_most(4), 0, 90, 3), 3)
        with self.assertRaises(ValueError):
            model.create_cost(4, model.found_most(4) + 0.01, 5, 90, 3)

    def test_equation_1_is_the_mean_of_a_linear_search(self):
        self.assertEqual(model.lookup_linear(8, 10), sum(10 * i for i in range(1, 9)) / 8)

    def test_ours_has_no_step_between_the_cases(self):
        for p in (1, 2, 4, 8):
            times = [model.overlapped(self.costs, p, 1000, w) for w in range(0, 2000, 10)]
            steps = [b - a for a, b in zip(times, times[1:])]
            self.assertTrue(all(0 <= s <= 10 * 1000 for s in steps), p)
            self.assertGreaterEqual(times[0], 1000 * self.costs.making())


class Reading(unittest.TestCase):
    def test_a_wrong_answer_is_no_time(self):
        good = "KERNEL swim threads=2 size=9 seconds=0.25 check=ok value=1\n"
        self.assertEqual(experiment.seconds("x")(good), {"x": 0.25})
        self.assertEqual(experiment.seconds("x")(good.replace("=ok", "=WRONG")), {})
        self.assertEqual(experiment.seconds("x")(good + good), {})

    def test_cycles(self):
        text = ("# natural  cycles: create 9.5 enqueue 75.1 lookup 41.7 start 25.3 (waited 0.0 %, "
                "2.500 in a ns)\nKERNEL nth_empty-natural threads=2 size=9/1 seconds=0.1 check=ok "
                "value=9\n")
        self.assertEqual(batches.cycles("cached")(text)["Natural start cached"], 25.3)
        found = batches.cycles(2)(text)
        self.assertEqual(found["Natural enqueue 2"], 75.1)
        self.assertEqual((found["rate"], found["Natural 2"]), (2.5, 0.1))

    def test_the_first_run_is_apart(self):
        text = ("# natural first run: 0.3 s\nKERNEL nth_empty-natural threads=1 size=9/1 "
                "seconds=0.1 check=ok value=9\n")
        found = batches.cycles(1)(text)
        self.assertEqual((found["Natural first 1"], found["Natural 1"]), (0.3, 0.1))

    def test_prediction_behind_the_program_s_own_output(self):
        rows = [{"processors": p, "seconds": s, "parts": {"serial": 1.0}}
                for p, s in ((1, 9.0), (8, 3.0))]
        text = "KERNEL x seconds=1\n%s\n" % json.dumps({"rows": rows})
        self.assertEqual(experiment.speed_up("one", lambda row: True)(text),
                         {"one 1": 1.0, "one 8": 4.0})

    def test_spawn(self):
        text = "# 2   4000 iterations:   47.57 us a spawn, serial   27.85 us, overhead 33.65 us\n"
        self.assertAlmostEqual(forkjoin.spawn("a")(text)["a"], 47.57e-6)

    def test_counts_of_held_threads(self):
        text = ("# held threads: created=100000 made=40 own=1 held=3 idle=3 idle_ns=5000000\n"
                "KERNEL th_spawn_tholder threads=2 size=1 seconds=0.5 check=ok value=1\n")
        found = tholder.spawned(text)
        self.assertEqual((found["made"], found["th_spawn tholder"]), (41, 0.5))


class Judging(unittest.TestCase):
    """Each verdict turns with the figures: none says what it says whatever was measured."""

    def test_ratios_are_by_round(self):
        values = experiment.Values([{"line": 100, "values": {"a": a, "b": a * 2}}
                                    for a in (1, 100, 10000)])
        self.assertEqual(values.ratio("a", "b"), 0.5)

    def test_rounds_of_another_machine_mode_are_dropped(self):
        values = experiment.Values(rounds({"a": 1.0}) + [{"line": 300.0, "values": {"a": 9.0}}])
        self.assertEqual((len(values.kept), values.dropped, values.median("a")), (3, 1, 1.0))

    def test_a_failure_is_not_measured(self):
        for e in papers.EXPERIMENTS:
            verdict = e.judge(experiment.Values(rounds({"x": "exit 1"})))
            self.assertEqual(verdict.state, experiment.UNKNOWN, e.name)
            e.table(experiment.Values(rounds({"x": "exit 1"})))

    def test_pools(self):
        for stack, state in ((0.9, experiment.HOLDS), (1.1, experiment.DIFFERS)):
            values = experiment.Values(rounds({"Base 2": 1.0, "Stack_aff 2": stack, "Hier 2": 0.9}))
            self.assertEqual(pools.judge_of("processors", (2,))(values).state, state)

    def test_noise_is_no_difference(self):
        for stacks, state in (((0.9, 1.04, 1.04, 1.3), experiment.HOLDS),
                              ((1.04, 1.04, 1.03, 1.03), experiment.DIFFERS),
                              ((0.9, 1.1, 1.1, 0.9, 1.1), experiment.DIFFERS)):
            values = experiment.Values([{"line": 100, "values": {
                "Base 2": 1.0, "Stack_aff 2": s, "Hier 2": 0.9}} for s in stacks])
            self.assertEqual(pools.judge_of("processors", (2,))(values).state, state)

    def test_each_number_of_processors_counts(self):
        measured = {"%s %d" % (a, p): 1.0 for a in pools.ALTERNATIVES for p in (1, 2)}
        for change, state in (({}, experiment.HOLDS), ({"Hier 1": 1.2}, experiment.DIFFERS),
                              ({"Stack_aff 2": 1.2}, experiment.DIFFERS)):
            verdict = pools.judge_of("processors", (1, 2))(
                experiment.Values(rounds({**measured, **change})))
            self.assertEqual(verdict.state, state)
            self.assertEqual("beyond noise: " in verdict.sentence, bool(change))

    def test_the_cost_of_a_grain_is_told_in_flop(self):
        serial = nanothreads.ROWS * nanothreads.FLOP * 0.2e-9
        values = experiment.Values(rounds({"serial 1": serial, "natural 43 1": 1.5 * serial,
                                           "serial 2": serial, "natural 43 2": serial}))
        verdict = nanothreads.judge_grain(values)
        self.assertIn("77 ns beyond its work on 1 processor, and 155 on 2: 387 and 774 times a "
                      "flop, which takes 0.20 ns", verdict.sentence)

    def test_reacting_is_judged_beyond_noise(self):
        cases = adapt.cases(adapt.REGIONS)
        never = {"%s never" % name: 0.9 for name in adapt.REGIONS}

        def verdict(odd):
            entries = rounds({**never, **{"%s %d %d" % (*case, react): 1.0 - react / 10
                                          for case in cases for react in (0, 3)}}, len(odd))
            for entry, value in zip(entries, odd):
                entry["values"]["guided 200 3"] = value
            return adapt.judge(experiment.Values(entries), adapt.REGIONS)
        for odd, state in (((0.7,) * 4, experiment.HOLDS), ((1.06,) * 4, experiment.DIFFERS),
                           ((0.8, 0.9, 1.2, 1.2), experiment.HOLDS),
                           ((0.7, 1.06, 1.06, 1.06, 1.06), experiment.DIFFERS)):
            self.assertEqual(verdict(odd).state, state)
        self.assertIn("slower in guided at 200 ms. It takes 0.58 to 0.88 of the ideal; guided at "
                      "200 ms is the farthest.", verdict((1.06,) * 4).sentence)

    def test_held_threads_are_judged_by_quartiles(self):
        for ratios, state, quartiles in (
                ((0.9, 1.2, 1.3, 0.95, 0.99), experiment.HOLDS, "0.95 to 1.20"),
                ((1.01, 1.02, 1.01, 1.02, 0.5), experiment.DIFFERS, "1.01 to 1.02"),
                ((0.99, 1.5, 1.5, 1.5), experiment.DIFFERS, "1.37 to 1.50"),
                ((0.9, 0.9, 1.5, 1.5), experiment.HOLDS, "0.90 to 1.50")):
            values = experiment.Values([{"line": 100, "values": {
                "th_bfs pthreads": 2.0, "th_bfs tholder": 2.0 * r}} for r in ratios])
            verdict = tholder.judge_programs(values)
            self.assertEqual(verdict.state, state, ratios)
            self.assertEqual("quartile: th_bfs" in verdict.sentence, state == experiment.DIFFERS)
            self.assertEqual(tholder.table_programs(values)[1][-1], quartiles)

    def test_a_long_process_runs_in_few_rounds(self):
        run = experiment.Run("k", "", None, every=3)
        self.assertEqual([n for n in range(7) if run.is_in(n)], [0, 3, 6])
        values = experiment.Values([{"line": line, "values": {"a": a, "b": 2}}
                                    for line, a in ((300, 1), (100, "exit 1"), (100, "exit 1"))])
        self.assertEqual(values.ratios("a", "b"), [0.5])

    def test_a_solve_s_time(self):
        line = "KERNEL jacobi-gss threads=2 size=480x2000/take40ms seconds=0.4 check=%s value=7\n"
        self.assertEqual(adapt.solve_time("x")(line % "ok"), {"x": 0.05})
        self.assertEqual(adapt.solve_time("x")(line % "FAILED"), {})

    def test_fork_techniques_may_differ_by_noise_only(self):
        measured = {"%s %s" % (s, f): 1.0 for s in forkjoin.SIZES for f in forkjoin.FORKS}
        for change, state in (({}, experiment.HOLDS), ({"6 lwd": 1.1}, experiment.DIFFERS),
                              ({"6 gwd": 1.1}, experiment.DIFFERS)):
            values = experiment.Values(rounds({**measured, **change}))
            self.assertEqual(forkjoin.judge_overhead(values).state, state)

    def test_create_in_a_batch_is_told_with_and_without_misses(self):
        steps = {"%s %s %s" % (n, step, p): cycles for p in (1, 2, "cached")
                 for n, cost in (("Natural", (20.0, 40.0)), ("Batch", (50.0, 4.0)))
                 for step, cycles in zip(batches.STEPS, cost)}
        steps["Batch create cached"] = 22.0
        said = batches.judge_cycles(experiment.Values(rounds(steps)))
        self.assertEqual(said.state, experiment.HOLDS)
        self.assertIn("2.50 to create, and 0.90 to create and enqueue", said.sentence)
        self.assertIn("stay in the cache, 1.10 and 0.43. So the rest is the wait", said.sentence)
        steps["Batch create cached"] = 50.0
        said = batches.judge_cycles(experiment.Values(rounds(steps)))
        self.assertIn("2.50 and 0.90.", said.sentence)
        self.assertNotIn("the wait", said.sentence)
        del steps["Batch create cached"]
        said = batches.judge_cycles(experiment.Values(rounds(steps)))
        self.assertNotIn("cache", said.sentence)

    def test_few_nano_threads_have_rows_of_their_own(self):
        steps = {"%s %s cached" % (n, step): 1.0 for n in ("Natural", "Batch")
                 for step in batches.STEPS}
        names = [row[0] for row in batches.table_cycles(experiment.Values(rounds(steps)))]
        self.assertEqual(names[-2:], ["1, of %d" % batches.CACHED] * 2)

    def test_model_within_15_percent(self):
        steps = {"%s %s %d" % (n, step, p): 25.0 for n in ("Natural", "Batch")
                 for step in batches.STEPS for p in (1, 2)}
        for off, state in ((1.1, experiment.HOLDS), (1.3, experiment.DIFFERS)):
            times = {"%s %d" % (n, p): (100 if p == 1 else 50 * off) * 1e-9 * batches.THREADS
                     for n in ("Natural", "Batch") for p in (1, 2)}
            values = experiment.Values(rounds({"rate": 1.0, **steps, **times,
                                               "Natural first 1": 0.18}))
            verdict = batches.judge_model(values)
            self.assertEqual(verdict.state, state)
            self.assertIn("80 ns a nano-thread more", verdict.sentence)

    def test_spawning(self):
        measured = {"th_spawn pthreads": 1.0, "th_spawn tholder": 0.1, "made": 100.0}
        for change, state in (({}, experiment.HOLDS), ({"made": 151.0}, experiment.DIFFERS),
                              ({"th_spawn tholder": 0.3}, experiment.DIFFERS)):
            values = experiment.Values(rounds({**measured, **change}))
            self.assertEqual(tholder.judge_spawn(values).state, state)

    def test_the_reason_stands_only_where_it_differs(self):
        e = experiment.Experiment("n", "pools", "1", "T", "F", (), table=lambda v: [["a"], ["1"]],
                                  judge=pools.judge_of("x", (2,)), why="A reason.")
        for stack in (0.9, 1.1):
            result = {"rounds": rounds({"Base 2": 1.0, "Stack_aff 2": stack, "Hier 2": 0.9})}
            self.assertEqual("A reason." in page.verdict_of(e, result).sentence, stack > 1)


class Keeping(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.experiments = papers.EXPERIMENTS[:2]
        self.session = types.SimpleNamespace(
            runtimes=[types.SimpleNamespace(name="nanogomp", path="/x/libgomp.so.1")],
            identities={"nanogomp": {"commit": "abc", "version": "1"}}, cpus=[0, 1], limit=9,
            machine={"cpu": "C", "kernel": "K", "date": "2026-01-01", "others_at_start": 0.0})
        self.options = argparse.Namespace(rounds=2, fresh=False, dir=None, out=self.folder.name,
                                          markdown=None, venv=None)
        self.ran = []

    def measure(self, broken_at=None):
        def one(bench, e, count, tick):
            if len(self.ran) == broken_at:
                raise KeyboardInterrupt
            self.ran.append(e.name)
            tick()
            return rounds({"x": 1.0}, count)
        before = papers.lab.Lab.rounds, papers.kernels_of
        papers.lab.Lab.rounds, papers.kernels_of = one, lambda folder: "/x"
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                papers.measure(self.session, self.options, self.experiments, self.folder.name)
        finally:
            papers.lab.Lab.rounds, papers.kernels_of = before

    def test_goes_on_after_a_break(self):
        with self.assertRaises(KeyboardInterrupt):
            self.measure(broken_at=1)
        self.measure()
        self.assertEqual(self.ran, [e.name for e in self.experiments])

    def test_another_library_is_measured_anew(self):
        self.measure()
        self.session.identities["nanogomp"]["commit"] = "def"
        self.measure()
        self.assertEqual(len(self.ran), 4)

    def test_another_build_of_a_commit_is_measured_anew(self):
        """The commits of all builds with uncommitted lines look alike: `abc-dirty`."""
        path = os.path.join(self.folder.name, "libgomp.so.1")
        for content in ("one", "other", "other"):
            with open(path, "w", encoding="ascii") as file:
                file.write(content)
            self.session.identities["nanogomp"] = {
                **identity.identity(types.SimpleNamespace(path=path, env={})), "commit": "a-dirty"}
            self.measure()
        self.assertEqual(len(self.ran), 4)

    def test_pages(self):
        self.measure()
        _, (markdown, html) = papers.write_pages(self.options, self.folder.name, lambda text: None)
        with open(markdown, encoding="utf-8") as file:
            text = file.read()
        for e in papers.EXPERIMENTS:
            self.assertIn("| %s |" % e.title, text)
            self.assertIn('<a name="%s">' % e.name, text)
        self.assertIn("2026-01-01: C, 2 CPUs used, commit `abc`.", text)
        with open(html, encoding="utf-8") as file:
            self.assertIn("<table>", file.read())


class Page(unittest.TestCase):
    def test_docs_hold_what_the_kept_results_say(self):
        """docs/papers.md is as `--write` makes it, and its plots are there."""
        results = {e.name: store.load(papers.KEPT, e) for e in papers.EXPERIMENTS}
        docs = os.path.join(os.path.dirname(papers.KEPT), "..", "..", "..", "docs")
        pictures = {e.name: "papers/%s.svg" % e.name for e in papers.EXPERIMENTS
                    if e.plot and results[e.name]}
        with open(os.path.join(docs, "papers.md"), encoding="utf-8") as file:
            self.assertEqual(file.read(), page.markdown(papers.EXPERIMENTS, results, pictures))
        for path in pictures.values():
            self.assertTrue(os.path.exists(os.path.join(docs, path)), path)
        for name, result in results.items():
            self.assertIsNotNone(result, "no kept result of " + name)


class Table(unittest.TestCase):
    def test_names_are_unique_and_papers_known(self):
        names = [e.name for e in papers.EXPERIMENTS]
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual({e.paper for e in papers.EXPERIMENTS}, set(experiment.PAPERS))
        for e in papers.EXPERIMENTS:
            runs = [run.name() for run in e.runs]
            self.assertEqual(len(runs), len(set(runs)), e.name)

    def test_store_takes_no_result_of_other_runs(self):
        e = papers.EXPERIMENTS[0]
        with tempfile.TemporaryDirectory() as folder:
            store.save(folder, e, {"key": {"a": 1}, "about": {}, "rounds": []})
            self.assertIsNone(store.load(folder, e, {"a": 2}))
            self.assertIsNotNone(store.load(folder, e, {"a": 1}))

    def test_store_takes_no_other_content(self):
        e = papers.EXPERIMENTS[0]
        with tempfile.TemporaryDirectory() as folder:
            for content in ([], 1, "text", {}, {"rounds": []}, {"about": {}, "rounds": {}},
                            {"about": [], "rounds": []}, {"about": {}, "rounds": [1]}):
                store.save(folder, e, content)
                self.assertIsNone(store.load(folder, e), content)
                self.assertIsNone(store.load(folder, e, {}), content)
            with open(store.path_of(folder, e), "w", encoding="ascii") as file:
                file.write("[" * 100000)
            self.assertIsNone(store.load(folder, e))


if __name__ == "__main__":
    unittest.main()
