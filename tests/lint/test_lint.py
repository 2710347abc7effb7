"""The lint can fail: every rule notices a fault that is put before it, and lets good text pass."""
import pathlib
import subprocess
import tempfile
import unittest

import checks
import circles
import includes
import language
import minute
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

    def test_repeated_includes(self):
        self.put("core/a.h", '#include <math.h>\n')
        self.put("core/b.h", '#include "a.h"\n')
        self.put("cli/a.h", "\n")
        for text, faults in (('#include "b.h"\n#include "a.h"\n', ["core/a.h"]), ('#include <math.h>\n#include "a.h"\n', ["<math.h>"]),
                             ('#include "b.h"\n/* */ #if X\n#include "a.h"\n#endif\n', []), ('#include <stdio.h>\n#include "a.h"\n', []),
                             ('#if X\n#endif\n#include "b.h"\n#include "a.h"\n', ["core/a.h"])):
            self.put("core/x.c", text)
            found = list(includes.repeated_includes(self.root, None))
            self.assertEqual([fault.split("'")[1] for fault in found], faults, text)
        self.put("core/a.c", '#include "a.h"\n#include "b.h"\n')  # its own header
        self.put("core/x.c", "\n")
        self.assertEqual(list(includes.repeated_includes(self.root, None)), [])

    def faults_of_header(self, body, name="core/include/core/x.h"):
        text = "/* x.h - an example with rl_named. */\n#pragma once\n\n" + body
        return [fault.split(": ")[1] for fault in checks.faults_of_header(name, text)]

    def test_header_without_purpose_or_guard(self):
        self.assertEqual(len(list(checks.faults_of_header("core/include/core/x.h", "int a;\n"))), 2)
        self.assertEqual(len(list(checks.faults_of_header("core/x.h", "int a;\n"))), 1)

    def test_documented_prototypes(self):
        for body in ("/* Does. */\nint rl_a(int b);\n\n/* Does\n * more. */\nint rl_c(void);\n", "int rl_a(int b); /* Does. */\n",
                     "/* Does. */\nint rl_a(const char *format, ...)\n    __attribute__((format(printf, 1, 2)));\n",
                     "/* Does. */\nstatic inline int rl_a(int b)\n{\n    return c(b);\n}\n", "int rl_a(int b, /* does */\n         int c);\n",
                     "typedef int (*rl_a)(int b);\nstruct rl_b {\n    int (*c)(int d);\n};\n#define RL_E(f) g(f)\nextern const int rl_h[];\n"):
            self.assertEqual(self.faults_of_header(body), [], body)

    def test_undocumented_prototypes(self):
        for body in ("int rl_a(int b);\n", "/* Does. */\n\nint rl_a(int b);\n", "/* ---- heading ---- */\nint rl_a(int b);\n",
                     "int rl_a(int b);\n/* Does. */\nint rl_c(void);\n", "/* Both do. */\nint rl_c(void);\nint rl_a(int b);\n",
                     "int rl_a(const char *format, ...)\n    __attribute__((format(printf, 1, 2)));\n",
                     "static inline int rl_a(int b)\n{\n    return c(b); /* does */\n}\n/* A type. */\nstruct rl_d;\n",
                     "/* Needs a type. */\nstruct rl_d;\nint rl_a(struct rl_d *d);\n"):
            for name in ("core/include/core/x.h", "core/x.h", "collector/inject/x.h"):
                self.assertEqual(self.faults_of_header(body, name), ["rl_a has no comment of its own"], body)

    def test_folders_have_rows(self):
        self.put("tests/include_rule/rule.txt", "core\n")
        self.put("core/CMakeLists.txt", "rl_folder(core)\n")
        self.assertEqual(list(checks.folders_have_rows(self.root, None)), [])
        self.put("more/CMakeLists.txt", "rl_folder(more USES core)\n")
        self.assertEqual(len(list(checks.folders_have_rows(self.root, None))), 1)

    def test_language(self):
        self.put("core/x.c", '/* What nobody knows. */\nconst char *text = "held against x";\n')
        self.put("docs/x.md", "It was `told` of it, and told.\n")
        found = [(pattern, place) for pattern, place, _ in language.found(self.root)]
        self.assertEqual(sorted(found), [("held", "texts"), ("nobody", "comments"), ("told", "docs"), ("what", "comments")])
        self.put("core/include/core/x.h", "/* Of it. */\n" * 60)
        self.put("docs/house.md", "# The house\n\n## Headers to read first\n\n`reports/media/chart.h`, `page.h`\n\n## More\n\n`reports/media/grid.h`\n")
        for name in ("chart", "page", "grid"):
            self.put(f"reports/media/{name}.h", "/* Of it. */\n" * (1 if name == "grid" else 10))
        self.put("reports/media/x.def", "")
        faults = list(language.language(self.root, None))
        self.assertTrue(any(fault.startswith("public: 'of' 80 times") for fault in faults), faults)

    def test_shell(self):
        self.put("script", "#!/bin/bash\nif then\n")
        self.assertTrue(list(checks.shell(self.root, None)))

    def test_packages(self):
        self.put("quickstart", "packages='\n    libx-dev   for x\n'\n")
        self.put("cmake/x.cmake", "rl_library(x x.h x libx-dev)\n# install libx-dev (./quickstart does)\n")
        self.assertEqual(list(checks.packages(self.root, None)), [])
        self.put("cmake/x.cmake", "rl_library(x x.h x liby-dev)\n# install libz-dev (./quickstart does)\n")
        self.put("reports/media/fonts.def", 'FONT(A, "fonts-a",\n     .family = "A")\n')
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

    def build(self, folder, **sources):
        """A folder of the tree, and its object files where CMake puts them."""
        for name, text in sources.items():
            self.put(f"{folder}/{name}.c", text)
            target = "rooflight" if folder == "cli" else f"rl_{folder}"
            made = self.root / f"build/{folder}/CMakeFiles/{target}.dir/{name}.c.o"
            made.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["cc", "-c", "-o", str(made), str(self.root / f"{folder}/{name}.c")], check=True)

    def circles_of(self, folder, *excepted):
        return list(circles.faults(self.root, self.root / "build", excepted))

    def test_layers(self):
        self.build("core", driver="int step(void); int main(void) { return step(); }",
                   step="int help(void); int step(void) { return help(); }", helper="static int one = 1; int help(void) { return one; }")
        self.assertEqual(self.circles_of("core"), [])
        self.build("core", helper="int step(void); int help(void) { return step(); }")
        self.assertEqual(self.circles_of("core"), ["core/: 2 files use each other in a circle: helper.c uses step of step.c; "
                                                   "step.c uses help of helper.c"])

    def test_a_table_ties_its_rows_to_it(self):
        self.build("core", table="int a(void), b(void); int (*const rows[])(void) = {a, b};",
                   a="extern int (*const rows[])(void); int a(void) { return rows[1](); }", b="int b(void) { return 1; }")
        self.assertEqual(len(self.circles_of("core")), 1)
        self.assertIn("a.c uses rows of table.c; table.c uses a of a.c", self.circles_of("core")[0])

    def test_folders_with_circles(self):
        self.build("cli", a="int b(void); int a(void) { return b(); }", b="int a(void); int b(void) { return a(); }")
        self.assertEqual(len(self.circles_of("cli")), 1)
        self.assertEqual(self.circles_of("cli", "cli"), [])
        self.build("cli", b="int b(void) { return 1; }")
        self.assertEqual(len(self.circles_of("cli", "cli")), 1)

    def test_objects_without_a_source_and_builds_without_objects(self):
        self.assertEqual(len(self.circles_of("core")), 1)
        self.build("core", a="int b(void); int a(void) { return b(); }", b="int a(void); int b(void) { return a(); }")
        (self.root / "core/b.c").unlink()
        self.assertEqual(self.circles_of("core"), [])


class Minute(unittest.TestCase):
    """Words from README.md to an answer."""

    README = "# x\n\nSee [questions](#where-next).\n\n![p](p.png)\n\nNever read.\n\n## Where next\n\n| to | read |\n|---|---|\n"

    def faults(self, page, readme=None):
        rows = "".join(f"| do | [T](docs/tasks/{name}) |\n" for name in minute.ANSWERS)
        pages = {name: "\n".join(parts) for name, parts in minute.ANSWERS.items()} | {"ci.md": page}
        return [fault for _, _, fault in minute.look(readme or self.README + rows, pages) if fault]

    def test_words_up_to_the_answer(self):
        answer = " ".join(minute.ANSWERS["ci.md"])
        self.assertEqual(minute.words("| [one two](a/b.md) | `three` |\n|---|---|\n![four](x.png)"), ["[one", "two]", "`three`"])
        self.assertEqual(self.faults(answer + "\n" + "more " * 300), [])
        self.assertIn("more than a minute", self.faults("more " * 250 + answer)[0])
        before = len(minute.words(minute.up_to_row(self.README + "| do | [T](docs/tasks/ci.md) |\n", "ci.md")))
        self.assertEqual(before, 7)

    def test_an_answer_that_has_moved_away(self):
        parts = minute.ANSWERS["ci.md"]
        self.assertIn(repr(parts[1]), self.faults(parts[0])[0])
        self.assertEqual(len(self.faults("\n".join(reversed(parts)))), 1)
        self.assertEqual(len(self.faults("\n".join(parts), self.README)), len(minute.ANSWERS))
        self.assertEqual(len(self.faults("\n".join(parts), self.README.replace("(#where-next)", "(docs)") + "| do | [T](docs/tasks/ci.md) |\n")), 13)


if __name__ == "__main__":
    unittest.main()
