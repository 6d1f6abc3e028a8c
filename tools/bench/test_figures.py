#!/usr/bin/env python3
# test_figures.py - the documents hold what the results say, and the results all that they must
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Needs no benchmark program: python3 test_figures.py"""

import copy
import io
import os
import shutil
import sys
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import figures  # noqa: E402
import figures_families as families  # noqa: E402
import figures_result as result_file  # noqa: E402
import figures_text as texts  # noqa: E402
import nthbench_rows as rows  # noqa: E402


def benchmark(commit="abc", ratio=0.5, rounds=4):
    """What nthbench.py writes of one row."""
    measured = [{"line": 100.0, "values": {"nanogomp": 10.0 * ratio, "gomp": 10.0, "iomp": 40.0}}
                for _ in range(rounds)]
    return {"machine": {"cpu": "X", "cores": 2, "kernel": "6.1", "date": "2026-11-23 10:00:00",
                        "others_at_start": 0.0},
            "ours": "nanogomp", "commit": commit, "options": {"threads": 2, "rounds": rounds},
            "runtimes": {"nanogomp": {"version": "0.1"}, "gomp": {"version": "libgomp1 12"}},
            "rows": [{"row": "region", "sub": "region", "threads": "T", "env": {}, "unit": "ns",
                      "goal": 0.6, "rounds": measured,
                      "result": {"peer": "gomp", "ratio": ratio, "speedup": None,
                                 "state": "ok" if ratio <= 0.6 else "short"}}]}


def result(**changed):
    made = result_file.make("micro", [benchmark(**changed)], {"region": "empty region"}, False)
    return made


def counted(**changed):
    """Two rows with 2 and with 16 threads, under the default policy and passive."""
    documents = []
    for policy in ("", "=:OMP_WAIT_POLICY=passive"):
        for threads in (2, 16):
            document = benchmark(**changed)
            document["options"].update(threads=threads, runtimes="nanogomp%s,gomp%s" % (
                policy, policy))
            document["rows"].append({**document["rows"][0], "row": "barrier"})
            documents.append(document)
    return result_file.make("counts", documents, {}, False, counts=True)


def result_of(family, **changed):
    return {**(counted if family.counts else result)(**changed), "family": family.name}


class Repository(unittest.TestCase):
    def test_the_documents_are_what_the_command_writes(self):
        self.assertEqual(figures.check(figures.ROOT, fresh=False), [])

    def test_all_rows_of_the_families_exist(self):
        known = {row.name for row in rows.read_table()}
        for family in families.FAMILIES:
            for part in family.parts:
                if "--rows" not in part:
                    continue
                for name in part[part.index("--rows") + 1].split(","):
                    self.assertTrue("*" in name or name in known, name)

    def test_the_eight_rows_belong_to_families(self):
        self.assertEqual(len(families.EIGHT), 8)
        self.assertLessEqual({f for f, _, _ in families.EIGHT},
                             {f.name for f in families.FAMILIES})


class Result(unittest.TestCase):
    def test_what_it_keeps(self):
        made = result()
        row = made["rows"][0]
        self.assertEqual(result_file.lacks(made), [])
        self.assertEqual((made["date"], made["commit"]), ("2026-11-23", "abc"))
        self.assertEqual(row["ratios"]["gomp"], [0.5, 0.5, 0.5])
        self.assertEqual((row["kept"], row["dropped"], row["line"]), (4, 0, 100.0))
        self.assertNotIn("rounds", row)

    def test_a_field_that_is_missing(self):
        for change in (lambda r: r.pop("commit"), lambda r: r.update(date=""),
                       lambda r: r["machine"].pop("cpu"),
                       lambda r: r["runtimes"].update(gomp=None),
                       lambda r: r["rows"][0].update(line=None),
                       lambda r: r["rows"][0].update(kept=0), lambda r: r.update(rows=[])):
            made = copy.deepcopy(result())
            change(made)
            self.assertNotEqual(result_file.lacks(made), [])

    def test_one_library_for_all_calls_of_a_family(self):
        with self.assertRaises(figures.host.BenchError):
            result_file.make("micro", [benchmark("a"), benchmark("b")], {}, False)

    def test_a_row_with_more_threads_says_so(self):
        document = benchmark()
        document["rows"][0]["threads"] = "8"
        made = result_file.make("micro", [document], {"region": "empty region"}, False)
        self.assertEqual(made["rows"][0]["about"], "empty region, 8 threads")


class Counts(unittest.TestCase):
    def test_a_row_says_its_threads_and_policy(self):
        made = counted()
        self.assertEqual(result_file.lacks(made), [])
        self.assertEqual(made["threads"], [2, 16])
        self.assertEqual([row["row"] for row in made["rows"][::2]], [
            "region@2", "region@16", "region@2, passive", "region@16, passive"])

    def test_a_line_has_all_ratios_of_a_row(self):
        made = counted()
        for row, ratio in zip(made["rows"][::2], (0.11, 0.22, 1.33, 0.44)):
            row["ratios"] = {"gomp": [ratio, ratio, ratio], "iomp": [0.01, 0.01, 0.01]}
        del made["rows"][-1]  # as if it had not been measured
        self.assertEqual(texts.counts_table(made)[0], "| row | 2 | 16 | passive, 2 | passive, 16 |")
        self.assertEqual(texts.counts_table(made)[2:], [
            "| region | 0.11 | 0.22 | **1.33** | 0.44 |", "| barrier | 0.50 | 0.50 | 0.50 | - |"])

    def test_its_text(self):
        family = next(f for f in families.FAMILIES if f.counts)
        lines = " ".join(texts.family_text(family, counted(ratio=1.5)))
        self.assertIn("2, 16 threads, rounds: 4", lines)
        self.assertIn("region@16, passive 1.50", lines)
        self.assertNotIn("goals", lines)

    def test_its_calls(self):
        """Each number of threads once with either policy, for all runtimes alike."""
        family = next(f for f in families.FAMILIES if f.counts)
        seen = []
        for part in family.parts:
            runtimes = part[part.index("--runtimes") + 1].split(",")
            self.assertEqual([r.partition("=")[0] for r in runtimes],
                             ["nanogomp", *families.COUNTED_PEERS])
            settings = {r.partition("=")[2] for r in runtimes}
            self.assertEqual(len(settings), 1)
            seen.append((part[part.index("--threads") + 1], settings.pop()))
        self.assertEqual(seen, [(n, policy) for policy in ("", ":OMP_WAIT_POLICY=passive")
                                for n in families.COUNTS])


class Text(unittest.TestCase):
    def test_slower_rows_are_named(self):
        slow, fast = result(ratio=1.4), result(ratio=0.5)
        self.assertIn("Slower than the fastest other runtime: region 1.40.",
                      texts.family_text(families.FAMILIES[0], slow))
        self.assertIn("Slower than the fastest other runtime: none.",
                      texts.family_text(families.FAMILIES[0], fast))
        self.assertIn("region 1.40 (0.60)",
                      " ".join(texts.family_text(families.FAMILIES[0], slow)))

    def test_a_draft_says_so(self):
        made = result()
        self.assertNotIn("Draft", texts.conditions(made))
        made["draft"] = True
        self.assertIn("Draft", texts.conditions(made))
        self.assertIn("Draft", texts.eight_text(families.EIGHT, {"micro": made}))

    def test_a_busy_machine_says_so(self):
        made = result()
        made["machine"]["others"] = 0.4
        self.assertIn("Others used 40 %", texts.conditions(made))

    def test_the_best_peer_counts(self):
        self.assertEqual(texts.best(result()["rows"][0])[:2], ("gomp", 0.5))

    def test_a_time_out_of_a_peer(self):
        document = benchmark()
        for entry in document["rows"][0]["rounds"]:
            entry["values"]["iomp"] = "timeout"
        made = result_file.make("micro", [document], {}, False)
        self.assertIn("timeout", "".join(texts.table(made)))
        self.assertEqual(texts.best(made["rows"][0])[0], "gomp")

    def test_between_marks(self):
        self.assertEqual(texts.between("a\n<\nold\n>\nb", "<", ">", "new"), "a\n<\nnew\n>\nb")
        self.assertIsNone(texts.between("no marks", "<", ">", "new"))


class Check(unittest.TestCase):
    """On a copy of the documents, with results of its own."""

    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="nthbench-figures-")
        self.addCleanup(shutil.rmtree, self.root)
        os.makedirs(os.path.join(self.root, "docs"))
        with open(os.path.join(self.root, "README.md"), "w") as out:
            out.write("above\n%s\n%s\nbelow\n" % (figures.BEGIN, figures.END))
        head = figures.git("rev-parse", "HEAD")[1] or "abc"
        self.results = {f.name: result_of(f, commit=head) for f in families.FAMILIES}
        for patch in (mock.patch("figures_result.read", self.results.get),
                      mock.patch("sys.stdout", io.StringIO())):
            patch.start()
            self.addCleanup(patch.stop)
        figures.write(self.root)

    def test_written_is_right(self):
        self.assertEqual(figures.check(self.root, fresh=False), [])

    def test_an_edit_by_hand(self):
        for name, old, new in ((figures.PAGE, "5 ns", "4 ns"),
                               (figures.README, "5 ns", "4 ns")):
            path = os.path.join(self.root, name)
            with open(path) as file:
                text = file.read()
            self.assertIn(old, text)
            with open(path, "w") as out:
                out.write(text.replace(old, new, 1))
            self.assertEqual(len(figures.check(self.root, fresh=False)), 1)
            figures.write(self.root)

    def test_other_text_of_the_readme_is_free(self):
        with open(os.path.join(self.root, "README.md"), "a") as out:
            out.write("more\n")
        self.assertEqual(figures.check(self.root, fresh=False), [])

    def test_a_new_result_makes_the_documents_wrong(self):
        self.results["micro"]["rows"][0]["kept"] = 3
        self.assertNotEqual(figures.check(self.root, fresh=False), [])

    def test_no_result(self):
        del self.results["tasks"]
        self.assertEqual(figures.check(self.root, fresh=False), ["tasks: no result"])

    def test_no_result_of_a_family_that_need_not_have_one(self):
        del self.results["counts"]
        figures.write(self.root)
        self.assertEqual(figures.check(self.root, fresh=False), [])

    @unittest.skipUnless(figures.has_history(), "no git history")
    def test_an_unknown_commit(self):
        self.results["micro"]["commit"] = "0123456789ab"
        self.assertIn("is not in the history", figures.check(self.root, fresh=False)[0])
        self.results["micro"]["draft"] = True
        self.assertNotIn("history", "".join(figures.check(self.root, fresh=False)))

    def test_age(self):
        self.assertEqual(figures.age_errors({**self.results["micro"], "draft": True}),
                         ["micro: is a draft"])
        busy = copy.deepcopy(self.results["micro"])
        busy["machine"]["others"] = 0.4
        self.assertEqual(figures.age_errors(busy), ["micro: others used 40 % of the CPUs"])
        self.assertIn("changed sources", figures.age_errors(
            {**self.results["micro"], "commit": "abc-dirty"})[0])

    @unittest.skipUnless(figures.has_history(), "no git history")
    def test_a_library_that_has_changed_since(self):
        self.assertEqual(figures.age_errors(self.results["micro"]), [])
        first = figures.git("rev-list", "--max-parents=0", "HEAD")[1].split()[0]
        self.assertIn("has changed", figures.age_errors(
            {**self.results["micro"], "commit": first})[0])


if __name__ == "__main__":
    unittest.main()
