#!/usr/bin/env python3
"""The parts of against_ncu.py that need neither a card nor ncu."""
import argparse
import contextlib
import csv
import io
import os
import sys
import tempfile
import unittest
import unittest.mock

import against_ncu as script


def kernel(name, per_run=1, launches=30, median_ns=0.0, **values):
    return script.Kernel((name, 1, 1, 1, 32, 1, 1), values, launches, per_run, median_ns)


def printed(function, *arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        function(*arguments)
    return out.getvalue()


class Running(unittest.TestCase):
    def test_what_takes_too_long_is_stopped_with_its_children(self):
        talk = "import subprocess, sys; print('first words', flush=True); subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)'])"
        done = script.run([sys.executable, "-c", talk], 10)
        self.assertTrue(done.stopped)
        self.assertLess(done.wall_s, 30)
        self.assertIn("first words", done.out)
        self.assertFalse(script.run([sys.executable, "-c", ""], 60).stopped)

    def test_what_fails_ends_the_script(self):
        with self.assertRaises(SystemExit):
            script.run([sys.executable, "-c", "raise SystemExit(3)"])


class Reading(unittest.TestCase):
    def test_a_launch_for_each_id(self):
        text = ('==PROF== Connected\n"ID","Kernel Name","Block Size","Grid Size","Metric Name","Metric Value"\n'
                '"0","_Z1av","(256, 1, 1)","(524288, 1, 1)","x","1,024"\n"0","_Z1av","(256, 1, 1)","(524288, 1, 1)","y","2"\n'
                '"1","_Z1bv","(32, 2, 1)","(3, 4, 5)","x","7"\n')
        first, second = script.read_ncu(text)
        self.assertEqual(first, (("_Z1av", 524288, 1, 1, 256, 1, 1), {"x": 1024, "y": 2}))
        self.assertEqual(second.key, ("_Z1bv", 3, 4, 5, 32, 2, 1))

    def test_nothing_profiled(self):
        self.assertEqual(script.read_ncu("==WARNING== No kernels were profiled.\n"), [])


class Attributing(unittest.TestCase):
    @staticmethod
    def launches(names):
        return [script.Launch((name, 1, 1, 1, 32, 1, 1), {"number": number}) for number, name in enumerate(names)]

    def test_last_launch_of_a_run_and_strangers(self):
        variants = {"e/one": [kernel("a", per_run=2), kernel("b")], "e/two": [kernel("a")]}
        found = script.attribute(variants, self.launches(["library", "a", "b", "a", "library", "a"]))
        self.assertEqual([launch.values["number"] for launch in found["e/one"]], [3, 2])
        self.assertEqual([launch.values["number"] for launch in found["e/two"]], [5])

    def test_the_last_of_several_runs(self):
        found = script.attribute({"e/one": [kernel("a", per_run=2), kernel("b")], "e/two": [kernel("a")]}, self.launches("abaabaaa"), 2)
        self.assertEqual([launch.values["number"] for launch in found["e/one"]], [5, 4])
        self.assertEqual([launch.values["number"] for launch in found["e/two"]], [7])

    def test_a_missing_launch_is_told(self):
        with self.assertRaises(SystemExit) as left:
            script.attribute({"e/one": [kernel("a", per_run=2)]}, self.launches(["a"]))
        self.assertIn("e/one: ncu has no launch of a", str(left.exception))


class Judging(unittest.TestCase):
    def test_limits_on_either_side(self):
        for kind, ours, theirs, median_ns, good in (
                ("count", 100, 100, 0, True), ("count", 101, 100, 0, False),
                ("bytes", 1.009e9, 1e9, 100.1e3, True), ("bytes", 1.011e9, 1e9, 100.1e3, False),
                ("bytes", 1.019e9, 1e9, 100e3, True), ("bytes", 0.979e9, 1e9, 100e3, False),
                ("points", 50.4, 50, 0, True), ("points", 50.6, 50, 0, False)):
            amount, allowed, _ = script.deviation(kind, ours, theirs, median_ns)
            self.assertEqual(amount <= allowed, good, (kind, ours, theirs, median_ns))

    def test_small_traffic_is_told_by_its_bytes(self):
        self.assertTrue(script.is_small("dram__bytes_read.sum", (1 << 20) - 1, 0))
        self.assertFalse(script.is_small("dram__bytes_read.sum", 0, 1 << 20))
        self.assertFalse(script.is_small("lts__t_sectors_srcunit_tex.sum", 1 << 15, 0))
        self.assertTrue(script.is_small("dram__bytes_write.sum", (8 << 20) - 1, 0))
        self.assertFalse(script.is_small("dram__bytes_write.sum", 8 << 20, 0))

    def test_what_spins_is_held_to_the_counts_that_asking_leaves_alone(self):
        values = {name: 100.0 if kind == "points" else 1e9 for name, kind in script.COUNTERS}
        for name, spinning in (("smsp__inst_executed.sum", 0), ("smsp__sass_branch_targets.sum", 0),
                               ("smsp__sass_inst_executed_op_global_ld.sum", 0), ("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 0),
                               ("smsp__sass_data_bytes_mem_shared.sum", 0), ("smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", 1),
                               ("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 1),
                               ("smsp__sass_inst_executed_op_global_st.sum", 1)):
            other = dict(values, **{name: 2e9})
            self.assertEqual(script.judge("v", kernel("a", **values), other, {}, False)[1], 1)
            self.assertEqual(script.judge("v", kernel("a", **values), other, {}, True)[1], spinning, name)
        self.assertEqual((len(script.compared_counts(False)), len(script.compared_counts(True))), (29, 19))

    def test_where_ncu_differs_from_itself_that_is_the_limit(self):
        name = "l1tex__t_bytes.sum"
        values = {name: 50.0 if kind == "points" else 1e9 for name, kind in script.COUNTERS}
        other = dict(values, **{name: 0.95e9})
        for low, bad in ((0.94e9, 1), (0.90e9, 0)):
            _, over, words = script.judge("v", kernel("a", **values), other, {name: (low, 0.96e9)}, False)
            self.assertEqual(over, bad)
            self.assertIn(name, words[0])

    def test_what_is_beyond_is_named(self):
        values = {name: 50.0 if kind == "points" else 1e9 for name, kind in script.COUNTERS}
        other = {name: 52.0 if value == 50.0 else value for name, value in values.items()}
        self.assertEqual(script.judge("v", kernel("a", **values), other, {}, False)[1], 1)
        held = {"v": [kernel("a", **values)], "w": [kernel("a", **values)]}, {"v": [kernel("a", **other)], "w": [kernel("a", **values)]}, {"v": [{"sm__warps_active.avg.pct_of_peak_sustained_active": (40.0, 60.0)}], "w": [{}]}
        self.assertEqual(script.beyond(held, set()), ["v"])

    def test_every_value_is_written(self):
        values = {name: 50.0 if kind == "points" else 1e9 for name, kind in script.COUNTERS}
        fewer = {name: value for name, value in values.items() if name != "l1tex__t_bytes.sum"}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "all.csv")
            script.write_values(path, {"v": [kernel("a", **values)]}, {"v": [kernel("a", **fewer)]}, {"v": [{"dram__bytes_read.sum": (1.0, 2.0)}]})
            with open(path, encoding="utf-8", newline="") as file:
                rows = {row["counter"]: row for row in csv.DictReader(file)}
        self.assertEqual(list(rows), [name for name, _ in script.COUNTERS])
        self.assertEqual((rows["l1tex__t_bytes.sum"]["rooflight"], rows["l1tex__t_bytes.sum"]["ncu"]), ("1000000000.0", ""))
        self.assertEqual((rows["dram__bytes_read.sum"]["ncu_least"], rows["dram__bytes_read.sum"]["ncu_greatest"]), ("1.0", "2.0"))

    def test_the_medians_of_several_runs(self):
        runs = [{"v": [kernel("a", x=x, y=1.0)]} for x in (5.0, 1.0, 2.0)]
        self.assertEqual(script.middle(runs)["v"][0].values, {"x": 2.0, "y": 1.0})
        self.assertEqual(script.spreads(runs)["v"][0], {"x": (1.0, 5.0), "y": (1.0, 1.0)})

    def test_what_is_missing_is_a_fault_and_the_rest_goes_on(self):
        values = {name: 50.0 if kind == "points" else 1e9 for name, kind in script.COUNTERS}
        fewer = {name: value for name, value in values.items() if name != "l1tex__t_bytes.sum"}
        _, over, words = script.judge("v", kernel("a", **fewer), values, {}, False)
        self.assertEqual((over, words), (1, ["missing: v l1tex__t_bytes.sum: None, ncu 1000000000.0"]))
        self.assertEqual(script.judge("v", kernel("a", **values), fewer, {}, False)[1], 1)


class Holding(unittest.TestCase):
    """counts_part on runs that are made up: what is over a limit is measured again."""

    def test_what_is_over_a_limit_is_measured_again(self):
        good = {name: 50.0 if kind == "points" else 1e9 for name, kind in script.COUNTERS}
        asked = []

        def hold(_, operands, runs):
            asked.append((operands, runs))
            names = operands or ["v", "w"]
            theirs = {name: [kernel("a", **dict(good, **{"dram__bytes_read.sum": 0.9e9 if name == "v" and runs == 3 else 1e9}))] for name in names}
            return {name: [kernel("a", **good)] for name in names}, theirs, {name: [{}] for name in names}

        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(script, "hold", hold), \
                unittest.mock.patch.object(script, "cooperative", lambda _: set()), contextlib.redirect_stderr(io.StringIO()):
            arguments = argparse.Namespace(out=folder, experiment=[], runs=3)
            text = printed(script.counts_part, arguments)
        self.assertEqual(asked, [([], 3), (["v"], 9)])
        self.assertIn("| v | 0.0 us | 0 of 29 | 0.00 %", text)
        self.assertIn("2 kernels of 2 variants; 0 values", text)


class Sharing(unittest.TestCase):
    def test_shares_are_all_and_none_twice(self):
        for count in (1, 2, 7, 90):
            names = [f"v{i}" for i in range(count)]
            for of in (1, 2, 3, 4):
                together = [name for number in range(of) for name in script.share_of(names, (number + 1, of))]
                self.assertEqual(sorted(together), sorted(names))

    def test_runs_are_those_that_were_timed(self):
        self.assertEqual(script.runs_of([kernel("a", per_run=2, launches=72), kernel("b", launches=36)]), 36)
        self.assertEqual(script.runs_of([kernel("a", launches=0)]), 1)

    @staticmethod
    def result(number, of, **changes):
        return dict({"share": [number, of], "experiments": [], "rooflight_s": 20.0, "rooflight_launches": 2000,
                     "one_s": 12.0, "one_launches": 50, "one_stopped": False,
                     "many_s": 302.0, "many_launches": 1800, "many_stopped": False}, **changes)

    def test_shares_add_up(self):
        text = printed(script.add, [self.result(2, 2), self.result(1, 2)])
        self.assertIn("| 4000 | 40.00 s | 1 |", text)
        self.assertIn("| 100 | 24.00 s | 0.6 |", text)
        self.assertIn("| 3600 | 604.00 s | 15.1 |", text)
        self.assertIn("Both ran 2 times", text)
        self.assertNotIn("Both ran", printed(script.add, [self.result(1, 1)]))

    def test_what_was_stopped_is_a_lower_bound(self):
        text = printed(script.add, [self.result(1, 2), self.result(2, 2, many_s=400.0, many_stopped=True)])
        self.assertIn("timed: stopped before it was done | 3600 | > 702.00 s | > 17.6 |", text)
        self.assertIn("| 100 | 24.00 s | 0.6 |", text)

    def test_what_was_not_run_has_no_row(self):
        only_many = {name: value for name, value in self.result(1, 1).items() if not name.startswith("one_")}
        text = printed(script.add, [only_many])
        self.assertIn("| 1800 | 302.00 s | 15.1 |", text)
        self.assertNotIn("one run of each", text)

    def test_shares_that_do_not_fit_are_refused(self):
        for results in ([self.result(1, 2)], [self.result(1, 2), self.result(1, 2)], [self.result(1, 2), self.result(2, 3)],
                        [self.result(1, 2), self.result(2, 2, experiments=["ilp"])]):
            with self.assertRaises(SystemExit):
                script.add(results)


if __name__ == "__main__":
    sys.exit(unittest.main())
