#!/usr/bin/env python3
"""The store of sessions and the rates computed from it, on sessions that a model draws: times come back as they were, rates are found
where they are as promised and where they are not.

usage: test_session_rates.py --rooflight PROGRAM --writer PROGRAM
"""
import argparse
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
STORE = HERE.parent / "gpu" / "sessions.py"
RATES = HERE / "session_rates.py"
sys.path[:0] = [str(HERE), str(STORE.parent)]
import session_rates  # noqa: E402  beside this file
import sessions  # noqa: E402

OPTIONS = None
EIGHT = range(1, 9)


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)


class Stored(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)

    def draw(self, name, effect, model="suite", kernels=20):
        (self.folder / name).mkdir()
        done = run(OPTIONS.writer, "draw", model, 5, kernels, 8, 60, effect, self.folder / name)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / name

    def keep(self, *words):
        return run(sys.executable, "-B", STORE, "keep", "--store", self.folder / "store", *words)

    def stored(self):
        return next((self.folder / "store").glob("*.csv"))

    def rates(self):
        return run(sys.executable, "-B", RATES, "--rooflight", OPTIONS.rooflight, "--writer", OPTIONS.writer, "--splits", 3,
                   self.stored())

    def unchanged(self):
        same = self.draw("same", 1)
        return [f"same={same}/{side}-{i}.rlcap" for i in EIGHT for side in ("base", "new")]

    def test_what_is_as_promised_passes(self):
        one, two = self.draw("one", 1.01), self.draw("two", 1.02)
        words = [*self.unchanged(), *(f"1 %={one}/new-{i}.rlcap" for i in EIGHT), *(f"2 %={two}/new-{i}.rlcap" for i in EIGHT)]
        self.assertEqual(self.keep(*words).returncode, 0)
        done = self.rates()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = [line.split(" | ")[2:5] for line in done.stdout.splitlines() if line.startswith("| NVIDIA")]
        self.assertEqual(rows, [["nothing", "1", "60"], ["nothing", "3", "60"], ["nothing", "8", "60"], ["1 %", "3", "60"],
                                ["1 %", "8", "60"], ["2 %", "3", "60"], ["2 %", "8", "60"]])

    def test_false_verdicts_fail(self):
        """Half of the sessions that are said to be unchanged lie 2 % away: a card in two states, for whole sessions."""
        one, two = self.draw("one", 1), self.draw("two", 1.02)
        words = [f"same={one}/base-{i}.rlcap" for i in EIGHT] + [f"same={two}/new-{i}.rlcap" for i in EIGHT]
        self.assertEqual(self.keep(*words).returncode, 0)
        done = self.rates()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"same, 1 a side: [0-9.]+ % false")
        self.assertRegex(done.stdout, r"same, 8 a side: [0-9.]+ % SAME, not 95 %")

    def test_a_change_that_is_not_there_is_not_found(self):
        same = self.draw("two", 1.0001)
        words = [*self.unchanged(), *(f"2 %={same}/new-{i}.rlcap" for i in EIGHT)]
        self.assertEqual(self.keep(*words).returncode, 0)
        self.assertRegex(self.rates().stdout, r"2 %, 8 a side: 0.0 % SLOWER, not 99 %")

    def test_times_come_back(self):
        first = self.draw("same", 1) / "base-1.rlcap"
        self.assertEqual(self.keep(f"same={first}").returncode, 0)
        day = session_rates.read(self.stored())
        database = sqlite3.connect(f"file:{first}?mode=ro&immutable=1", uri=True)
        times = [row[0] for row in database.execute("SELECT duration_ns FROM duration WHERE kernel = 3 ORDER BY id")]
        database.close()
        self.assertEqual(day.times[0][3], ("kernel_3", 1500000000, sessions.thinned(times, sessions.MOST_SAMPLES)))

    def test_a_day_is_kept_once(self):
        first = self.draw("same", 1) / "base-1.rlcap"
        self.assertEqual(self.keep(f"same={first}").returncode, 0)
        self.assertNotEqual(self.keep(f"same={first}").returncode, 0)

    def test_what_is_large_is_thinned(self):
        many = self.draw("many", 1, kernels=200)
        self.assertEqual(self.keep(*(f"same={many}/{side}-{i}.rlcap" for i in EIGHT for side in ("base", "new"))).returncode, 0)
        self.assertLessEqual(self.stored().stat().st_size, sessions.LIMIT)
        day = session_rates.read(self.stored())
        self.assertEqual(len(day.times[15]), 200)
        self.assertLess(len(day.times[15][0][2]), sessions.MOST_SAMPLES)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--writer", required=True)
    OPTIONS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
