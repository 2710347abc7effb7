"""The scripts of .ci with stand-ins in the place of what they call: which stages there are, and that a failure is one."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]

# Writes down how it was called, and fails when that matches $FAIL. Building the fuzzers makes two of them.
STAND_IN = """#!/bin/bash
words=${0##*/}${*:+ $*}
printf '%s\\n' "$words" >>"$CALLS"
if [[ $words == "cmake --build --preset fuzz"* && -z ${NO_FUZZERS:-} ]]; then
    mkdir -p build/fuzz/tests/fuzz
    for name in one two; do
        cp "$0" "build/fuzz/tests/fuzz/fuzz_$name"
    done
fi
[[ -z $FAIL || ! $words =~ $FAIL ]] || exit 1
[[ $words != fuzz_* ]] || echo "Done 5 runs in 1 second(s)"
"""


class Scripts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="rooflight-ci-")
        self.addCleanup(self.folder.cleanup)
        self.tree = pathlib.Path(self.folder.name) / "tree"
        for name in (".ci/run", ".ci/nightly", "tests/torture/nightly"):
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / name, self.tree / name)
        self.bin = pathlib.Path(self.folder.name) / "bin"
        for path in (self.bin / "cmake", self.bin / "ctest", self.tree / "quickstart", self.tree / "tests/compilers/nightly",
                     self.tree / "tests/package/twice"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(STAND_IN)
            path.chmod(0o755)

    def run_script(self, name, *words, fail="", **environment):
        """Status, what it printed, and what it called."""
        calls = pathlib.Path(self.folder.name) / "calls"
        calls.write_text("")
        done = subprocess.run([self.tree / ".ci" / name, *words], capture_output=True, text=True, timeout=60, check=False,
                              env={"PATH": f"{self.bin}:{os.environ['PATH']}", "CALLS": str(calls), "FAIL": fail, **environment})
        return done.returncode, done.stdout + done.stderr, calls.read_text().splitlines()

    def test_nightly_runs_every_stage(self):
        status, said, calls = self.run_script("nightly", "7")
        self.assertEqual(0, status, said)
        for wanted in ("cmake --preset fuzz", "cmake --preset sanitize", "cmake --preset release", "cmake --preset develop", "cmake --preset thread",
                       "cmake --preset address", "nightly", "twice"):
            self.assertIn(wanted, calls)
        self.assertEqual(2, len([call for call in calls if re.match("fuzz_(one|two) .*-max_total_time=7 ", call)]))
        self.assertEqual(2, said.count("Done 5 runs"))

    def test_every_change_builds_the_sanitizers_of_both_compilers(self):
        status, said, calls = self.run_script("run")
        self.assertEqual(0, status, said)
        for preset in ("sanitize", "fuzz"):
            self.assertTrue(any(call.startswith(f"cmake --build --preset {preset}") for call in calls), calls)

    def test_nightly_runs_each_test_of_the_night_once(self):
        _, _, calls = self.run_script("nightly", "1")
        tests = [call for call in calls if call.startswith("ctest") and "-C nightly -L ^nightly$" in call]
        self.assertEqual(2, len(tests), tests)
        self.assertEqual(1, len([call for call in tests if "-R ^torture/" in call]))
        self.assertEqual(1, len([call for call in tests if "-E ^torture/" in call]))
        self.assertTrue(all("--no-tests=error" in call for call in calls if call.startswith("ctest")))

    def test_nightly_goes_on_after_each_failure_and_names_it(self):
        _, _, all_calls = self.run_script("nightly", "1")
        for fail, stage in (("cmake --build --preset fuzz", "build with clang"), ("fuzz_one", "fuzzers"),
                            ("cmake --preset sanitize", "build with gcc's sanitizers"),
                            ("ctest --test-dir build/sanitize", "all tests with sanitizers"),
                            ("cmake --preset release", "release"), ("cmake --build --preset release", "release"),
                            ("cmake --preset develop", "build"), ("ctest --test-dir build/thread", "torture"),
                            ("ctest --test-dir build/address", "torture"), ("ctest .*-R .torture/ -C nightly", "torture"),
                            ("^nightly", "compilers"), ("^twice", "two builds"), ("ctest .*-E .torture/", "nightly tests")):
            status, said, calls = self.run_script("nightly", "1", fail=fail)
            self.assertEqual(1, status, fail)
            self.assertRegex(said, f"=== FAILED after [0-9]+ s:.* {stage}", fail)
            self.assertNotIn("all passed", said)
            self.assertIn(all_calls[-1], calls, f"{fail}: the last stage was not reached")

    def test_every_preset_is_built(self):
        """What CMakePresets.json offers is built by the scripts, by quickstart, which a test runs, or by a test of the night."""
        builders = [SOURCE / name for name in (".ci/run", ".ci/nightly", "tests/torture/nightly", "quickstart", "tests/older/legacy.py")]
        words = " ".join(path.read_text() for path in builders)
        for preset in json.loads((SOURCE / "CMakePresets.json").read_text())["configurePresets"]:
            name = re.escape(preset["name"])
            self.assertRegex(words, rf"(--preset\"?,?|build_preset|both|try) *\"?{name}\b", f"nothing builds the preset {preset['name']}")

    def test_a_night_without_fuzzers_fails(self):
        status, said, _ = self.run_script("nightly", "1", NO_FUZZERS="1")
        self.assertEqual(1, status)
        self.assertIn("no fuzzer was built", said)

    def test_run_stops_at_each_failure(self):
        status, said, all_calls = self.run_script("run")
        self.assertEqual(0, status, said)
        self.assertIn("all passed", said)
        self.assertFalse([call for call in all_calls if "-C nightly" in call])
        for number, call in enumerate(all_calls):
            status, said, calls = self.run_script("run", fail=f"^{re.escape(call)}$")
            self.assertEqual(1, status, call)
            self.assertIn("FAILED after", said)
            self.assertEqual(all_calls[:number + 1], calls)


if __name__ == "__main__":
    unittest.main()
