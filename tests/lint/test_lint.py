"""The lint can fail: every rule notices a fault that is put before it, and lets good text pass."""
import pathlib
import tempfile
import unittest

import checks
import rules
import tree


class Patterns(unittest.TestCase):
    def test_every_rule_notices_its_bad_example_only(self):
        for name, rule in rules.RULES.items():
            with self.subTest(name):
                self.assertTrue(list(rule.faults("core/x.c", rule.bad)))
                self.assertEqual(list(rule.faults("core/x.c", rule.good)), [])

    def test_a_rule_that_sees_no_file_is_a_fault(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assertEqual(len(rules.look(rules.RULES["memory"], pathlib.Path(empty))), 1)

    def test_an_exception_that_excepts_nothing_is_a_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            tree_of = pathlib.Path(folder)
            (tree_of / "cli").mkdir()
            for name in ("kept.c", "other.c"):
                (tree_of / "cli" / name).write_text("strstr(a, b);\n")
            (tree_of / "cli/idle.c").write_text("x();\n")
            rule = rules.Rule(rules.call("strstr"), "no", "strstr(a, b);\n", "x();\n", folders=("cli",), needed=True,
                              excepted=("cli/kept.c", "cli/idle.c", "cli/gone.c"))
            self.assertEqual([fault.split(":")[0] for fault in rules.look(rule, tree_of)],
                             ["cli/other.c", "cli/idle.c", "cli/gone.c"])

    def test_comments_and_literals_are_not_code(self):
        text = 'a(); /* gets(b) */\n"system(\\"x\\")"; // popen(c)\n#include "../d.h"\nchar c = \'"\'; e();\n'
        self.assertEqual(tree.code_only(text).split(), ["a();", ";", "#include", '"../d.h"', "char", "c", "=", ";", "e();"])
        self.assertEqual(tree.without_comments(text).count("system"), 1)
        self.assertEqual(text.count("\n"), tree.code_only(text).count("\n"))


class Trees(unittest.TestCase):
    """Each check on a small tree with one fault."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def put(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def test_function_length(self):
        self.put("core/x.c", "int f(void)\n{\n" + "    g();\n" * 100 + "}\n")
        self.assertEqual(list(checks.function_length(self.root, None)), [])
        self.put("core/x.c", "int f(void)\n{\n" + "    g();\n" * 101 + "}\n")
        self.assertEqual(len(list(checks.function_length(self.root, None))), 1)

    def faults_of_header(self, body):
        text = "/* x.h - an example with rl_named. */\n#ifndef RL_CORE_X_H\n#define RL_CORE_X_H\n\n" + body + "\n#endif\n"
        return [fault.split(": ")[1] for fault in checks.undocumented("core/include/core/x.h", text)]

    def test_header_without_purpose_or_guard(self):
        self.assertEqual(len(list(checks.undocumented("core/include/core/x.h", "int a;\n"))), 2)

    def test_documented_prototypes(self):
        for body in ("/* Does. */\nint rl_a(int b);\nint rl_c(void);\n", "int rl_a(int b); /* Does. */\n", "int rl_named(void);\n",
                     "/* Does. */\nint rl_a(const char *format, ...)\n    __attribute__((format(printf, 1, 2)));\n"):
            self.assertEqual(self.faults_of_header(body), [], body)

    def test_undocumented_prototypes(self):
        for body in ("int rl_a(int b);\n", "/* Does. */\n\nint rl_a(int b);\n", "/* ---- heading ---- */\nint rl_a(int b);\n",
                     "int rl_a(int b);\n/* Does. */\nint rl_c(void);\n",
                     "int rl_a(const char *format, ...)\n    __attribute__((format(printf, 1, 2)));\n"):
            self.assertEqual(self.faults_of_header(body), ["rl_a has no comment"], body)

    def test_folders_have_rows(self):
        self.put("tests/include_rule/rule.txt", "core\n")
        self.put("core/CMakeLists.txt", "rl_folder(core)\n")
        self.assertEqual(list(checks.folders_have_rows(self.root, None)), [])
        self.put("more/CMakeLists.txt", "rl_folder(more USES core)\n")
        self.assertEqual(len(list(checks.folders_have_rows(self.root, None))), 1)

    def test_shell(self):
        self.put("script", "#!/bin/bash\nif then\n")
        self.assertTrue(list(checks.shell(self.root, None)))

    def test_packages(self):
        self.put("quickstart", "packages='\n    libx-dev   for x\n'\n")
        self.put("cmake/x.cmake", "rl_library(x x.h x libx-dev)\n# install libx-dev (./quickstart does)\n")
        self.assertEqual(list(checks.packages(self.root, None)), [])
        self.put("cmake/x.cmake", "rl_library(x x.h x liby-dev)\n# install libz-dev (./quickstart does)\n")
        self.put("reports/fonts.def", 'FONT(A, "A", "A.ttf", "a", "fonts-a", true)\n')
        self.assertEqual(len(list(checks.packages(self.root, None))), 3)

    def test_documents_name_what_exists(self):
        self.put("core/x.c", "")
        self.put("tests/unit/core/test_x.c", "")
        tests = {"lint/shell", "unit/core/test_x"}
        good = "`core/x.c` `core/` `core/NAME.c` `unit/core/test_x` `lint/shell` `bin/rooflight` [x](core/x.c) [y](https://y.example/z)"
        self.assertEqual(list(checks.missing_places(good, self.root, self.root / "README.md", tests)), [])
        bad = "`core/y.c` `lint/none` `unit/core/test_y` `core/missing/NAME.c` [x](nowhere.md)"
        self.assertEqual(len(list(checks.missing_places(bad, self.root, self.root / "README.md", tests))), 5)

    def test_commands_shown(self):
        text = "run `rooflight show x`, or\n\n    build/rooflight report y\n    cp rooflight there\n\nrooflight is good\n"
        self.assertEqual(checks.commands_shown(text), {"show", "report"})


if __name__ == "__main__":
    unittest.main()
