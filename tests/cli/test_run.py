"""The test of the tests: run.py and man.py notice what they are there for."""
import pathlib
import sys
import tempfile
import unittest

import man
import run

PAGE = """.TH ROOFLIGHT\\-SHOW 1 "2026-11-21" "rooflight 1.2.3" "User Commands"
.SH NAME
rooflight-show \\- print
.SH SYNOPSIS
\\fBrooflight show\\fR [\\fB\\-o\\fR \\fIFILE\\fR] \\fICAPTURE\\fR
.SH OPTIONS
.TP
\\fB\\-o\\fR, \\fB\\-\\-output\\fR \\fIFILE\\fR
Where to.
.TP
\\fB\\-\\-json\\fR
As JSON.
"""
HELP = """Usage: rooflight show [-o FILE]
       CAPTURE

Print.

Options:
  -o, --output FILE   where to
                      in two lines
      --json          as JSON
"""


class Transcripts(unittest.TestCase):
    def case(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name) / "a.case"
        path.write_text(text, encoding="utf-8")
        return run.Case(path)

    def test_written_as_read(self):
        text = "# what\n@ requires reports\n\n$ a b\n| one\n|\n|~ t*\n|*\n! bad\n= 2\n$tty c\n"
        case = self.case(text)
        self.assertEqual(case.text(), text)
        self.assertEqual(case.requires, ["reports"])
        self.assertEqual([(step.command, step.status, step.terminal) for step in case.steps()], [("a b", 2, False), ("c", 0, True)])
        self.assertEqual(case.steps()[0].out, [("=", "one"), ("=", ""), ("~", "t*"), ("*", "")])

    def test_nonsense_is_refused(self):
        with self.assertRaises(SystemExit):
            self.case("| output before a command\n")
        with self.assertRaises(SystemExit):
            self.case("$ a\n? 0\n")

    def test_words_of_a_narrow_terminal(self):
        self.assertTrue(run.fits_as_words([("=", "a [b] c"), ("~", "d*")], ["a", "  [b]", "  c de"]))
        self.assertFalse(run.fits_as_words([("=", "a b c")], ["a b"]))
        self.assertTrue(run.fits_as_words([("=", "a"), ("*", ""), ("=", "z")], ["a b", "c z"]))
        self.assertEqual(run.too_wide(["one two", "  /a/long/path", "on tw"], 5), ["one two"])
        self.assertEqual([run.Case.trim_to_errors(case) for case in (self.case("$ a\n! bad\n$ b\n"), self.case("$ a\n| good\n"))], [True, False])

    def test_fits(self):
        self.assertTrue(run.fits([], []))
        self.assertFalse(run.fits([], ["a"]))
        self.assertFalse(run.fits([("=", "a")], []))
        self.assertFalse(run.fits([("=", "a*")], ["ab"]))
        self.assertTrue(run.fits([("~", "a*")], ["ab"]))
        self.assertTrue(run.fits([("*", ""), ("=", "z")], ["a", "z", "z"]))
        self.assertFalse(run.fits([("*", ""), ("=", "z")], ["z", "a"]))
        between = [("=", "a"), ("*", ""), ("=", "m"), ("*", ""), ("=", "z")]
        self.assertTrue(run.fits(between, ["a", "m", "z"]))
        self.assertTrue(run.fits(between, ["a", "1", "m", "2", "z"]))
        self.assertFalse(run.fits(between, ["a", "1", "2", "z"]))
        self.assertFalse(run.fits(between, ["a", "z"]))
        self.assertTrue(run.fits([("=", "x")] * 5000, ["x"] * 5000))

    def test_normal(self):
        patterns = run.NORMAL("/tmp/x", "1.2.3")
        self.assertEqual(run.normal(b"rooflight 1.2.3 \n/tmp/x/y\n", patterns), ["rooflight VERSION", "SCRATCH/y"])
        self.assertEqual(run.normal(b"driver 1.2.3\n", patterns), ["driver 1.2.3"])
        self.assertEqual(run.normal(b"\x1b[1m\r\nno end", patterns), ["␛[1m␍", "no end␄"])
        with self.assertRaises(UnicodeDecodeError):
            run.normal(b"\xff\n", patterns)


class Pages(unittest.TestCase):
    def faults(self, page, text):
        return list(man.compare("a.1", page, text, "rooflight 1.2.3"))

    def test_agreement(self):
        self.assertEqual(self.faults(PAGE, HELP), [])

    def test_disagreement(self):
        for page, text in ((PAGE.replace("IFILE\\fR]", "INAME\\fR]"), HELP), (PAGE, HELP.replace("      --json          as JSON\n", "")),
                           (PAGE.replace("json", "jsn"), HELP), (PAGE.replace("1.2.3", "1.2.4"), HELP)):
            self.assertEqual(len(self.faults(page, text)), 1)


if __name__ == "__main__":
    sys.exit(unittest.main())
