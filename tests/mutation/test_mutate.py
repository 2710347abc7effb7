"""Mutants on a small file: which there are, that the text with all of them behaves as each alone, and the arithmetic of the score."""
import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock

import mutants
import mutate
import schemata

CODE = """\
#define LIMIT 10
#define TWICE(x) ((x) + (x))
enum { SIZE = 4 };
static const int even = 3, odd = 5;
int weigh(int n, int unit);
int weigh(int n, int unit)
{
    int sum = 0; /* \xc2\xb5 */
    for (int i = 0; i < n && sum < LIMIT; i++) {
        if (!unit)
            continue;
        sum += (i % 2 ? odd : even) * unit;
    }
    return sum - TWICE(n);
}
"""
CALL = """\
#include <stdio.h>
#include <stdlib.h>
int weigh(int n, int unit);
int main(int argc, char **argv)
{
    (void)argc;
    printf("%d", weigh(atoi(argv[1]), atoi(argv[2])));
    return 0;
}
"""
HEADER = pathlib.Path(mutants.__file__).with_name("mutant.h")
INPUTS = [(1, 1), (2, 1), (5, 1), (4, 2), (3, 0)]


class SmallFile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.scratch.name)
        cls.write("a.c", CODE)
        cls.write("main.c", CALL)
        subprocess.run(["cc", "-c", "main.c"], cwd=cls.folder, check=True)
        command = {"directory": cls.scratch.name, "command": "cc -O2 -o a.o -c a.c"}
        cls.mutants = mutants.mutants_of("a.c", CODE, command)

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @classmethod
    def write(cls, name, text):
        (cls.folder / name).write_text(text, encoding="latin-1")

    def build(self, text, program, *flags):
        self.write("b.c", text)
        subprocess.run(["cc", "-w", *flags, "-o", program, "b.c", "main.o"], cwd=self.folder, check=True)

    def answers(self, program, number=None):
        """What it says, None where it crashes; where it does not end, None and no more: waiting is most of what this costs."""
        environment = {} if number is None else {"RL_MUTANT": str(number)}
        said = []
        for pair in INPUTS:
            try:
                run = subprocess.run([self.folder / program, *map(str, pair)], env=environment, stdout=subprocess.PIPE, timeout=2)
                said.append(run.stdout if run.returncode == 0 else None)
            except subprocess.TimeoutExpired:
                return [*said, None]
        return said

    def differences(self):
        return {(m.line, m.operator, m.difference()) for m in self.mutants}

    def test_the_header_leaves_names_to_files(self):
        """It stands in front of every file, also of those that have static functions of names in unistd.h, and do without that."""
        self.write("names.c", "static int write(void) { return 1; }\nint weigh(int n, int unit) { return write() + n + unit; }\n")
        subprocess.run(["cc", "-D_GNU_SOURCE", "-include", HEADER, "-c", "names.c"], cwd=self.folder, check=True)

    def test_operators(self):
        wanted = {
            (1, "constant", "10 -> (10 + 1)"), (3, "constant", "4 -> (4 - 1)"), (4, "constant", "5 -> (5 + 1)"),
            (8, "constant", "0 -> (0 + 1)"), (9, "<", "i < n -> (i) <= (n)"), (9, "<", "sum < LIMIT -> (sum) >= (LIMIT)"),
            (9, "&&", "i < n && sum < LIMIT -> (i < n) || (sum < LIMIT)"), (9, "++", "i++ -> (i)--"), (10, "!", "!unit -> !!(unit)"),
            (11, "statement", "continue -> nothing"), (12, "statement", "sum += (i % 2 ? odd : even) * unit -> nothing"),
            (12, "+=", "sum += (i % 2 ? odd : even) * unit -> (sum) -= ((i % 2 ? odd : even) * unit)"),
            (12, "*", "(i % 2 ? odd : even) * unit -> ((i % 2 ? odd : even)) / (unit)"), (12, "%", "i % 2 -> (i) * (2)"),
            (14, "-", "sum - TWICE(n) -> (sum) + (TWICE(n))"), (14, "return", "sum - TWICE(n) -> ((sum - TWICE(n)), 0)"),
        }
        found = {(line, operator, " ".join(text.split())) for line, operator, text in self.differences()}
        self.assertEqual(wanted - found, set())

    def test_macros_are_left_alone(self):
        self.assertFalse([m for m in self.mutants if m.line == 2])

    def test_names_are_different_and_do_not_depend_on_the_place(self):
        names = [m.name for m in self.mutants]
        self.assertEqual(len(set(names)), len(names))
        text = "\n\n" + CODE
        self.write("moved.c", text)
        moved = mutants.mutants_of("moved.c", text, {"directory": self.scratch.name, "command": "cc -o a.o -c moved.c"})
        self.assertEqual([m.name for m in moved], names)

    def test_all_in_one_text_behave_as_each_alone(self):
        numbers = {m.name: i for i, m in enumerate(self.mutants)}
        self.build(schemata.render(CODE, self.mutants, numbers), "all", "-include", str(HEADER))
        self.build(CODE, "none")
        self.assertEqual(self.answers("all"), self.answers("none"))
        changed = 0
        for m in self.mutants:
            if m.form in ("alone", "jump") or m.operator == "++":
                continue
            self.build(CODE[:m.begin] + (m.new or "0") + CODE[m.end:], "one")
            alone = self.answers("one")
            self.assertEqual(self.answers("all", numbers[m.name]), alone, m.difference())
            changed += alone != self.answers("none")
        self.assertGreater(changed, 10)

    def test_a_trace_marks_what_is_reached(self):
        numbers = {m.name: i for i, m in enumerate(self.mutants)}
        self.build(schemata.render(CODE, self.mutants, numbers), "all", "-include", str(HEADER))
        (self.folder / "trace").write_bytes(bytes(len(numbers)))
        environment = {"RL_MUTANT_TRACE": str(self.folder / "trace")}
        subprocess.run([self.folder / "all", "0", "0"], env=environment, stdout=subprocess.DEVNULL, check=True)
        marks = (self.folder / "trace").read_bytes()
        reached = {m.line for m in self.mutants if marks[numbers[m.name]]}
        self.assertEqual(reached & {8, 9, 10, 11, 12, 14}, {8, 9, 14})  # the loop is not entered

    def test_a_complaint_is_traced_to_its_mutant(self):
        numbers = {m.name: i for i, m in enumerate(self.mutants)}
        text = schemata.render(CODE, self.mutants, numbers)
        mark = "RL_MUTANT(" + str(numbers[next(m.name for m in self.mutants if m.operator == "!")]) + ")"
        at = text.index(mark)
        line = text.count("\n", 0, at) + 1
        column = at - text.rfind("\n", 0, at)
        self.assertEqual(f"RL_MUTANT({schemata.number_at(text, line, column)})", mark)


class Score(unittest.TestCase):
    def test_wilson(self):
        low, high = mutate.interval(90, 100)  # by hand: (0.9 + 0.0192073 -+ 0.0620...) / 1.0384146
        self.assertAlmostEqual(low, 0.82563, 4)
        self.assertAlmostEqual(high, 0.94477, 4)
        self.assertEqual(mutate.interval(0, 0), (0, 0))

    def test_every_file_has_its_share(self):
        self.assertEqual(mutate.shares({"a": 900, "b": 99, "c": 1}, 100), {"a": 90, "b": 9, "c": 1})
        self.assertEqual(sum(mutate.shares({"a": 333, "b": 333, "c": 334}, 100).values()), 100)
        self.assertEqual(mutate.shares({"a": 3}, 100), {"a": 3})

    def test_a_sample_is_the_same_for_the_same_seed(self):
        class Row:
            def __init__(self, file, name):
                self.file, self.name = file, name
        rows = [Row(f"core/{file}.c", i) for file in "ab" for i in range(50)]
        def names(*arguments):
            return [row.name for row in mutate.choose(rows, *arguments)]
        self.assertEqual(names(["*"], [], 20, "1"), names(["*"], [], 20, "1"))
        self.assertNotEqual(names(["*"], [], 20, "1"), names(["*"], [], 20, "2"))
        self.assertEqual(names(["core/a.c"], [], 0, "1"), list(range(50)))
        self.assertEqual(len(names(["*"], ["core/a.c"], 0, "1")), 50)


class Known(unittest.TestCase):
    """What is not run again. A build of one file, with two unit tests and a transcript."""

    class Row:
        def __init__(self, **names):
            self.__dict__.update(names)

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.scratch.name) / "results.jsonl"
        self.mutant = self.Row(name="m", file="a.c")
        self.tests = [self.Row(name=name, kind=kind, version=f"{name} 1")
                      for name, kind in (("one", "unit"), ("two", "unit"), ("show", "transcripts"))]
        self.build = self.Row(tests=self.tests, version={"a.c": "a 1", "b.c": "b 1"})

    def tearDown(self):
        self.scratch.cleanup()

    def results(self):
        return mutate.Results(self.path, self.build, False)

    def due(self):
        return [stage for stage in mutate.STAGES if self.results().is_due(self.mutant, stage)]

    def test_killed_stays_killed_by_the_same_test(self):
        self.assertEqual(self.due(), list(mutate.STAGES))
        self.results().add(self.mutant, "killed", self.tests[1], "unit tests")
        self.assertEqual((self.due(), self.results().verdict(self.mutant)), ([], "killed"))
        self.build.version["b.c"] = "b 2"  # of another file
        self.assertEqual(self.due(), [])
        self.tests[1].version = "two 2"
        self.assertEqual((self.due(), self.results().verdict(self.mutant)), (list(mutate.STAGES), None))
        self.assertEqual(self.results().killer(self.mutant), "two")

    def test_survivors_meet_changed_tests_and_no_others(self):
        self.results().add(self.mutant, "survived", None, "unit tests")
        self.assertEqual(self.due(), ["transcripts", "sanitizers"])
        self.results().add(self.mutant, "unreached", None, "transcripts")
        self.assertEqual((self.due(), self.results().verdict(self.mutant)), (["sanitizers"], "survived"))
        self.tests[0].version = "one 2"
        self.assertEqual(self.due(), ["unit tests", "sanitizers"])
        self.assertEqual(self.results().tried(self.mutant, "unit tests"), {"one 1", "two 1"})

    def test_survivors_meet_all_tests_when_the_product_has_changed(self):
        for stage in mutate.STAGES:
            self.results().add(self.mutant, "survived", None, stage)
        self.assertEqual(self.due(), [])
        self.build.version["b.c"] = "b 2"
        self.assertEqual((self.due(), self.results().tried(self.mutant, "unit tests")), (list(mutate.STAGES), set()))


class Scratch(unittest.TestCase):
    def test_is_where_the_cage_shows_it(self):
        here, hidden = pathlib.Path("/work/tree"), pathlib.Path("/tmp/tree")
        with unittest.mock.patch.dict("os.environ", XDG_CACHE_HOME="/home/user/.cache"):
            self.assertEqual(mutate.default_scratch(here), here / "build/mutation")
            elsewhere = mutate.default_scratch(hidden)
            self.assertFalse(mutate.is_hidden(elsewhere))
            self.assertEqual(elsewhere.parent, pathlib.Path("/home/user/.cache/rooflight-mutation"))
            self.assertNotEqual(elsewhere, mutate.default_scratch(pathlib.Path("/tmp/other")))
        self.assertTrue(mutate.is_hidden(hidden / "build/mutation"))

    def test_transcripts_are_read_where_the_cage_shows_them(self):
        scratch = pathlib.Path("/home/user/scratch")
        build = mutate.Build.__new__(mutate.Build)
        build.tree, build.out = scratch / "tree", scratch / "build"
        paths = build.transcript(pathlib.Path("/tmp/tree/tests/cli/cases/help.case"))[2:]
        self.assertIn(str(scratch / "tree/tests/cli/cases/help.case"), paths)
        self.assertFalse([path for path in paths if path.startswith("/tmp")])


if __name__ == "__main__":
    unittest.main()
