"""`rooflight check` without a GPU: the program takes a capture for what it measured, as it was recorded and with counters changed.

    check.py --program STAND_IN --sample CAPTURE --claims CLAIMS          exit status 0 passed, 1 failed

STAND_IN is the program with check_stand_in.c in place of the collector. The capture holds the reference values of CLAIMS, kernels/suite.def,
but for those that are younger than it.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

FAULTS = []
ADDITIONS = "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"
OF_COUNTER = """FROM counter WHERE counter_name = (SELECT id FROM counter_name WHERE name = ?)
    AND kernel IN (SELECT kernel.id FROM kernel JOIN variant ON variant.id = variant WHERE variant.name = ?)"""


def check(condition, text):
    if not condition:
        FAULTS.append(text)


class Answers:
    """What the check says of a copy of the capture after `change`."""

    def __init__(self, change=None):
        with tempfile.TemporaryDirectory() as folder:
            self.capture = os.path.join(folder, "measured.rlcap")
            shutil.copy(ARGUMENTS.sample, self.capture)
            if change:
                with sqlite3.connect(self.capture) as base:
                    change(base)
                base.close()
            done, kept = self.run("-o", os.path.join(folder, "kept.rlcap")), os.path.join(folder, "kept.rlcap")
            self.status, self.text, self.error = done.returncode, done.stdout, done.stderr
            check(pathlib.Path(kept).read_bytes() == pathlib.Path(self.capture).read_bytes(), "-o keeps the capture")
            done = self.run("--json")
            check(done.returncode == self.status, f"with --json the exit status is {done.returncode}, not {self.status}")
            self.json = json.loads(done.stdout)
        self.by_id = {answer["id"]: answer for answer in self.json["answers"]}

    def run(self, *options):
        return subprocess.run([ARGUMENTS.program, "check", *options], capture_output=True, text=True, timeout=60,
                              env={**os.environ, "CHECK_CAPTURE": self.capture, "COLUMNS": "200"})

    def numbers(self):
        return self.json["passed"], self.json["failed"], self.json["not_counted"]

    def row(self, kernel, ending):
        """The one row of the table of `kernel` that ends so."""
        rows = [line for line in self.text.splitlines() if line.split()[:1] == [kernel] and line.rstrip().endswith(ending)]
        return re.split(r"  +", rows[0].strip()) if len(rows) == 1 else rows


def test_as_recorded(known):
    answers = Answers()
    check(answers.status == 0 and answers.error == "", f"all right: status {answers.status}, says {answers.error!r}")
    check(answers.numbers() == (len(known), 0, 0), f"all right: numbers {answers.numbers()} of {len(known)} answers")
    check(list(answers.by_id) == known, f"all right: answers {list(answers.by_id)}, not {known}")
    check(f"{len(known)} of {len(known)} reference values were counted" in answers.text, f"all right: {answers.text!r}")
    check("FAIL" not in answers.text, "all right: no row says FAIL")
    check(all(answer["passed"] is True and answer["reason"] is None for answer in answers.by_id.values()), "all right: each is")
    row = answers.row("fp32_add", "pass")
    check([re.sub(r"\W", "", cell) for cell in row[2:4]] == ["1073741824", "1073741824"], f"all right: row {row}")
    check(answers.by_id["fp32_add"]["expected"] == 1024 * 2**20 == answers.by_id["fp32_add"]["counted"], "all right: figures")


def test_one_wrong(known):
    """One operation of 1,074 million too many."""
    answers = Answers(lambda base: base.execute(f"UPDATE counter SET value = value + 1 WHERE id IN (SELECT id {OF_COUNTER})",
                                                (ADDITIONS, "fp32_add")))
    check(answers.status == 1, f"one wrong: status {answers.status}")
    check(re.fullmatch(r"rooflight: check: 1 reference value.* counted wrong.*\n", answers.error), f"one wrong: says {answers.error!r}")
    check(answers.numbers() == (len(known) - 1, 1, 0), f"one wrong: numbers {answers.numbers()}")
    check(answers.row("fp32_add", "FAIL")[-1:] == ["FAIL"], "one wrong: its row says FAIL")
    check(answers.text.count("FAIL") == 1, "one wrong: no other row does")
    wrong = answers.by_id["fp32_add"]
    check(wrong["passed"] is False and wrong["counted"] - wrong["expected"] == 1, f"one wrong: {wrong}")


def test_outside_tolerance(known):
    """DRAM traffic may be off by 1 %: within it and not."""
    for factor, status in ((1.009, 0), (1.011, 1), (0.989, 1)):
        answers = Answers(lambda base: base.execute(
            f"UPDATE counter SET value = 1073741824 * ? WHERE id IN (SELECT id {OF_COUNTER})", (factor, "dram__bytes_read.sum", "dram_read")))
        check(answers.status == status, f"1 GiB times {factor}: status {answers.status}")
        check(answers.numbers() == (len(known) - status, status, 0), f"1 GiB times {factor}: numbers {answers.numbers()}")


def test_one_missing(known):
    """A counter that was not collected is no wrong answer, and is told."""
    def forget(base):
        reason = base.execute("SELECT id FROM missing WHERE state = 'not_on_chip'").fetchone()[0]
        base.execute(f"UPDATE counter SET value = NULL, pass = NULL, value_missing = ? WHERE id IN (SELECT id {OF_COUNTER})",
                     (reason, ADDITIONS, "fp32_add"))
    answers = Answers(forget)
    check(answers.status == 0 and answers.error == "", f"one missing: status {answers.status}, says {answers.error!r}")
    check(answers.numbers() == (len(known) - 1, 0, 1), f"one missing: numbers {answers.numbers()}")
    check(answers.row("fp32_add", "not counted")[-1:] == ["not counted"], "one missing: its row says so")
    check(f"{len(known) - 1} of {len(known)} reference values were counted; 1 could not be\n" in answers.text, f"one missing: {answers.text!r}")
    lost = answers.by_id["fp32_add"]
    check(lost["passed"] is None and lost["counted"] is None and lost["reason"], f"one missing: {lost}")


def test_what_was_not_compared(known):
    """An answer that is open for any other reason than the chip is not accepted: a counter that failed, a kernel with a wrong result or without
    one, a kernel that failed or is missing. One that this chip cannot run is."""
    def state(name, of_counter=True):
        def change(base):
            base.execute(f"INSERT INTO missing SELECT max(id) + 1, '{name}', 'because' FROM missing")
            base.execute(f"UPDATE counter SET value = NULL, pass = NULL, value_missing = (SELECT max(id) FROM missing) WHERE id IN (SELECT id {OF_COUNTER})",
                         (ADDITIONS, "fp32_add"))
        return change

    def variant(column, word):
        return lambda base: base.execute(f"UPDATE variant SET {column} = ?, reason = 'because' WHERE name = 'fp32_add'", (word,))
    for name in ("failed", "not_collected", "not_permitted", "disagrees"):
        answers = Answers(state(name))
        check(answers.status == 1, f"{name}: status {answers.status}")
        check("1 reference value(s) could not be checked, fp32_add first: because" in answers.error, f"{name}: says {answers.error!r}")
    for column, word, why in (("result", "WRONG", "its kernel computed a wrong result"), ("result", "not checked", "the result of its kernel was not checked"),
                              ("status", "failed", "not collected"), ("name", "other", "its kernel was not run"), ("status", "not supported here", None)):
        answers = Answers(variant(column, word))
        check(answers.status == (1 if why else 0), f"{column} {word}: status {answers.status}, says {answers.error!r}")
        check(answers.error.endswith(f"fp32_add first: {why}\n" if why else ""), f"{column} {word}: says {answers.error!r}")


def test_none_counted(known):
    """Refused counters: nothing could be checked, and why."""
    def refuse(base):
        base.execute("DROP TABLE tracer")
        base.execute("UPDATE session SET counters = 'not permitted: only administrators may'")
        base.execute("INSERT INTO missing SELECT max(id) + 1, 'not_permitted', 'counters not permitted' FROM missing")
        base.execute("UPDATE counter SET value = NULL, pass = NULL, value_missing = (SELECT max(id) FROM missing)")
    answers = Answers(refuse)
    check(answers.status == 1, f"none counted: status {answers.status}")
    check("no counter could be checked: not permitted: only administrators may" in answers.error, f"none counted: says {answers.error!r}")
    limits = sum(answers.by_id[name]["metric"] in ("theoretical_occupancy", "time_over_reference") for name in known)  # without counters
    check(limits == 3, f"none counted: {limits} answers need no counters")
    check(answers.numbers() == (limits, 0, len(known) - limits), f"none counted: numbers {answers.numbers()}")


def main():
    global ARGUMENTS
    parser = argparse.ArgumentParser(description="Tries `rooflight check` on changed captures.")
    parser.add_argument("--program", required=True)
    parser.add_argument("--sample", required=True)
    parser.add_argument("--claims", type=pathlib.Path, required=True)
    ARGUMENTS = parser.parse_args()
    suite = ARGUMENTS.claims.read_text(encoding="utf-8")
    listed = re.findall(r'^ *(?:KNOWN\(|\{\.id = ")(\w+)', suite[suite.index("EXPERIMENT(self_check"):], re.MULTILINE)
    with contextlib.closing(sqlite3.connect(f"file:{ARGUMENTS.sample}?mode=ro&immutable=1", uri=True)) as base:
        known = [name for name, in base.execute("SELECT claim FROM claim JOIN experiment ON experiment.id = claim.experiment "
                                                "WHERE experiment.name = 'self_check' ORDER BY claim.id")]
    check(len(known) >= 29 and [name for name in listed if name in known] == known, f"answers of the sample {known} are those of the suite {listed}")
    for test in (test_as_recorded, test_one_wrong, test_outside_tolerance, test_one_missing, test_what_was_not_compared, test_none_counted):
        test(known)
    print("\n".join(FAULTS) if FAULTS else "the check: no fault")
    return 1 if FAULTS else 0


if __name__ == "__main__":
    sys.exit(main())
