"""Patterns that must not appear: one row of RULES is one rule, with an example that it must notice and one that it must not."""
import re

from tree import PRODUCT, as_it_is, code_only, files, line_of, without_comments

C = (".c", ".h")
CODE = (*C, ".cu", ".cuh")
TEXT = (*CODE, ".def", ".py", ".txt", ".cmake", ".json", ".md", ".gp", ".lua", ".sql", ".1", ".5", ".7")


class Rule:
    """`folders`: top-level folders looked at; `suffixes`: of the files; `view`: what is seen of a file; `excepted`: not looked at;
    `needed`: an exception that is there no longer, or has nothing to except, is a fault."""

    def __init__(self, pattern, message, bad, good, *, folders=(*PRODUCT, "tests"), suffixes=CODE, view=code_only, excepted=(),
                 needed=False):
        self.pattern, self.message, self.bad, self.good = re.compile(pattern, re.M), message, bad, good
        self.folders, self.suffixes, self.view, self.excepted, self.needed = folders, suffixes, view, excepted, needed

    def applies(self, name):
        inside = self.folders is None or name.split("/")[0] in self.folders
        return inside and name.endswith(self.suffixes) and not name.startswith(self.excepted)

    def faults(self, name, text):
        for match in self.pattern.finditer(self.view(text)):
            yield f"{name}:{line_of(text, match.start())}: '{match.group().strip()}': {self.message}"


def look(rule, source):
    """Faults of one rule in the whole tree."""
    faults, seen = [], 0
    for name, path in files(source):
        if rule.applies(name):
            seen += 1
            faults += rule.faults(name, path.read_text(errors="replace"))
    if not seen:
        faults.append(f"{source}: no file to look at; is this the source folder?")
    return faults + (list(idle_exceptions(rule, source)) if rule.needed else [])


def idle_exceptions(rule, source):
    """Exceptions of a rule that except nothing."""
    for name in rule.excepted:
        path = source / name
        if not path.exists() or not list(rule.faults(name, path.read_text(errors="replace"))):
            yield f"{name}: needs no exception"


def call(*names):
    """A call of one of the functions, not of a member or of a longer name."""
    return r"(?<![\w.>])(?:" + "|".join(names) + r")\s*\("


def include(names):
    return rf'^[ \t]*#[ \t]*include[ \t]*[<"](?:{names})'


def but(*folders):
    return tuple(folder for folder in PRODUCT if folder not in folders)


CHIP = r"\b(?:G[KMPVA]\d{2,3}[A-Z]?|TU1\d\d|GH\d{3}|AD10\d|GB\d{2}\w)\b"
CC = r"(?:cc|cc_major|cc_minor|arch|architecture|compute_capability)"

# Where text is taken apart that is not of this program's making, or that is itself what is asked about: file, and which text.
FOREIGN_TEXT = {
    "analysis/metrics/card.c": "makers' names of products",
    "analysis/metrics/chip.c": "vendors' names of counters, by the patterns of only.def and newer.def",
    "analysis/limits/claim.c": "makers' names of products",
    "analysis/metrics/columns.c": "makers' names of products",
    "analysis/compare/compare_like.c": "declarations in C++",
    "analysis/metrics/counters.c": "vendors' names of counters",
    "analysis/metrics/eval.c": "names in formulas, a language of its own",
    "analysis/compare/fleet.c": "paths that the user gave",
    "analysis/metrics/metric.c": "vendors' names of counters",
    "analysis/metrics/plan.c": "vendors' names of counters",
    "analysis/metrics/shortname.c": "declarations in C++, mangled names",
    "analysis/program/case_name.c": "names that programs give their NVTX ranges",
    "analysis/program/timeline_phases.c": "names that programs give their NVTX ranges",
    "cli/collect_node.c": "lines that other processes print",
    "cli/collect_program.c": "the command line",
    "cli/expression.c": "the command line",
    "cli/options.c": "the command line",
    "reports/media/chart.c": "what gnuplot prints",
    "reports/media/kernel_block.c": "vendors' names of counters",
    "reports/media/document.c": "the command line",
    "reports/media/words.c": "quoted sentences, set with the spaces and signs of typography",
}

RULES = {
    "relative_include": Rule(
        r'^[ \t]*#[ \t]*include[ \t]*"\.\.?/.*', "a folder reaches another one through its public headers only",
        '#include "../core/buf.h"\n', '#include "core/buf.h"\n'),
    "banned_functions": Rule(
        call("strcpy", "strcat", "strncpy", "strncat", "stpcpy", "sprintf", "vsprintf", "gets", "v?f?scanf", "strtok", "ato[ifl]l?",
             "system", "popen", "alloca", "tmpnam", "tempnam", "mktemp", "asctime", "ctime", "gmtime", "localtime", "rand", "srand",
             "execl[pe]?", "execv?p", "vfork"),
        "banned: unbounded, through a shell, with a static buffer, or unable to report an error",
        "strcpy(to, from);\n", 'rl_buf_adds(&to, "strcpy("); /* not strcpy(to, from) */ x.system(1);\n',
        excepted=("tests/torture/processes.c",)),  # programs call vfork, so one of those that are observed does
    "memory": Rule(
        call("malloc", "calloc", "realloc", "strdup", "strndup", "v?asprintf"), "memory comes from core/mem.h, core/buf.h or core/arena.h",
        "p = malloc(3);\n", "p = rl_calloc(3, 1);\n", folders=PRODUCT, suffixes=C, excepted=("core/allocate.c", "collector/inject/soft.c")),
    "clock": Rule(
        call("clock_gettime", "gettimeofday", "timespec_get", "ftime"), "core/clock.h tells the time",
        "clock_gettime(CLOCK_MONOTONIC, &now);\n", "int64_t now_ns = rl_monotonic_ns();\n",
        folders=PRODUCT, excepted=("core/clock.c",)),
    "child": Rule(
        call("fork", "wait", "waitpid", "waitid", "wait[34]", "execve?", "execveat", "fexecve", "execvpe", "posix_spawnp?"),
        "children are started and waited for by core/child.h",
        "waitpid(child, &how, 0);\n", "rl_child_wait(child, &how); x.wait(1);\n",
        folders=PRODUCT, suffixes=C, excepted=("core/child.c", "core/spawn.c", "cli/collect_node.c")),
    "sort": Rule(
        call("qsort", "qsort_r", "heapsort", "mergesort"), "core/sort.h sorts: ties and NaN have an order there",
        "qsort(items, n, sizeof *items, by_name);\n", "rl_sort(items, n, sizeof *items, by_name);\n",
        folders=PRODUCT, suffixes=C, excepted=("core/sort.c",)),
    "signs_of_cells": Rule(
        r"\\xE2\\x80\\x93|\\xE2\\x89\\xA[45]|\\u2013|\\u226[45]|[?:,] \"~\"|\"~%s|\"[^\"\n]*[–≤≥]", "core/units.h has the signs of missing values and bounds, and results/view.h prints cells",
        'puts("≤ 3");\n', 'puts(RL_SIGN_AT_MOST " 3"); /* "≤" */\n',
        folders=PRODUCT, suffixes=C, view=without_comments, excepted=("core/include/core/units.h",)),
    "silent_libraries": Rule(
        call("v?f?printf", "f?puts", "putchar", "perror", "exit", "_Exit", "quick_exit", "abort"),
        "libraries never print or exit: return an enum rl_status and fill struct rl_err",
        'fprintf(stderr, "no");\n', 'return rl_err_set(err, RL_FAILED, "printf(%d)", 1);\n',
        folders=but("cli"), suffixes=C, excepted=("core/allocate.c", "collector/inject/soft.c")),
    "architecture": Rule(
        rf"{CHIP}|\bswitch\s*\([^)]*\b{CC}\b|\b{CC}\s*(?:[=!]=|[<>]=?)\s*[1-9]\d*",
        "what differs between chips is a row of a .def table, never a branch",
        "if (gpu->cc_major >= 9) x();\n", "if (cc < variant->min_cc) x(); /* not on GV100 */\n",
        folders=PRODUCT, suffixes=C, view=without_comments),
    "facts_are_typed": Rule(
        call("strn?str", "strcasestr", "strncmp", "strncasecmp", "v?sscanf", "strtok(?:_r)?", "strsep"),
        "no fact is taken back from text of ours: store it as a number, a key or an enumeration (text of others: FOREIGN_TEXT)",
        'if (strstr(variant->result_text, "largest error ")) x();\n', 'x(variant->deviation.largest); /* not strstr(text, "x") */\n',
        folders=("analysis", "cli", "reports"), suffixes=C, excepted=tuple(FOREIGN_TEXT), needed=True),
    "unfinished": Rule(
        r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b", "finish it, or say what is not supported",
        "/* TO" "DO: later */\n", "/* a todo list */\n", folders=None, suffixes=TEXT, view=as_it_is),
    "whitespace": Rule(
        r"[ \t]+$|^ *\t", "trailing blank, or tab", "int a; \n", "int a;\n", suffixes=(*CODE, ".def", ".py"), view=as_it_is),
    "long_lines": Rule(
        r"^.{133,}$", "longer than 132 characters", "x" * 133 + "\n", "x" * 132 + "\n", view=as_it_is),
    "long_rows": Rule(
        r"^.{133,}$", "longer than 132 characters: name the members, a few to a line", "x" * 133 + "\n", "x" * 132 + "\n",
        suffixes=(".def",), view=as_it_is),
    "sqlite_in_capture_only": Rule(
        include("sqlite3"), "only capture/ knows SQL", "#include <sqlite3.h>\n", "#include <stdio.h>\n", folders=but("capture")),
    "libharu_in_reports_only": Rule(
        include("hpdf"), "only reports/ knows libharu", "#include <hpdf.h>\n", "#include <stdio.h>\n", folders=but("reports")),
    "libcsv_in_import_only": Rule(
        include(r"csv\.h"), "only import/ knows libcsv", "#include <csv.h>\n", "#include <stdio.h>\n", folders=but("import")),
    "yajl_in_import_only": Rule(
        include("yajl"), "only import/ knows yajl", "#include <yajl/yajl_parse.h>\n", "#include <stdio.h>\n", folders=but("import")),
    "cupti_in_collector_only": Rule(
        include("cupti|nvperf|nvml|nvtx|nvToolsExt"), "only collector/ knows CUPTI, NVTX and NVML",
        "#include <cupti.h>\n", "#include <stdio.h>\n", folders=but("collector")),
    "cuda_below_only": Rule(
        include("cuda|cooperative_groups"), "only collector/ and the device code of kernels/ know CUDA",
        "#include <cuda_runtime.h>\n", "#include <stdio.h>\n", folders=but("collector", "kernels")),
    "no_coordinates_in_pages": Rule(
        call("rl_layout_(?:set_frame|set_y|columns|frame|y|line|label|page_number|take)"),
        "pages give boxes (reports/media/flow.h), which are measured and placed; only the engine knows where things are",
        "rl_layout_set_y(layout, top - 12);\n", "rl_box_gap(column, 12);\n",
        folders=("reports",), suffixes=C, excepted=("reports/media/layout", "reports/media/flow", "reports/media/grid")),
}
