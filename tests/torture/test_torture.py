#!/usr/bin/env python3
"""The tests of tests/torture can fail: what torture.py compares and what filters.py works out, on runs made by hand."""
import sys

import cases
import filters
import torture

FAILED = []


def check(condition, text):
    if not condition:
        FAILED.append(text)
        print(f"FAILED: {text}")


def run(**changes):
    made = torture.Run()
    for name, value in {"status": 0, "out": b"out\n", "err": b"err\n", "wall_s": 0.5, "left": 0, "files": {"f": ("0o100644", 0, 0, 1, b"x")}, **changes}.items():
        setattr(made, name, value)
    return made


def test_differences():
    case = cases.Case("by hand", ["x"])
    check(torture.compare(case, run(), run(err=b"err\nrooflight: wrote x\nrooflight: y\n")) == [], "the same, but for rooflight's lines at the end")
    for what, change in (("status", dict(status=1)), ("signal", dict(status=-9)), ("output", dict(out=b"out")), ("lost error", dict(err=b"")),
                         ("another line", dict(err=b"err\nrooflight is here\n")), ("a process", dict(left=1)), ("a temporary file", dict(temporary=["x"])),
                         ("content", dict(files={"f": ("0o100644", 0, 0, 1, b"y")})), ("mode", dict(files={"f": ("0o100600", 0, 0, 1, b"x")})),
                         ("owner", dict(files={"f": ("0o100644", 1, 0, 1, b"x")})), ("no file", dict(files={})),
                         ("another file", dict(files={"f": ("0o100644", 0, 0, 1, b"x"), "g": ("0o100644", 0, 0, 1, b"")})),
                         ("time", dict(wall_s=8)), ("hanging", dict(hung=True))):
        check(len(torture.compare(case, run(), run(**change))) == 1, f"{what} differs: {torture.compare(case, run(), run(**change))}")


def test_counts():
    truth = [3, 4] + [0] * (len(torture.KERNELS) - 2)
    check(torture.check_counts(cases.Case("exact", []), truth, list(truth)) == [], "the same launches")
    for change in (-1, 1):
        found = [truth[0] + change, *truth[1:]]
        check(len(torture.check_counts(cases.Case("exact", []), truth, found)) == 1, f"{change} launch")
        check(torture.check_counts(cases.Case("under way", [], slack=1), truth, found) == [], f"{change} launch that was under way")


def test_times():
    def capture(untimed, counted, longest):
        kernel = {"name": "void work<0>(unsigned long long)", "duration_ns": {"max": longest}}
        return {"program": {"processes": [{"untimed": untimed, "lost": 0}], "counted_launches": counted}, "kernels": [kernel]}
    torture.STAND_INS = "here"
    case = cases.Case("timed", [], ns=2000)
    check(torture.check_times(case, capture(6, 2, 2000), True) == [], "launches that were counted have no time")
    check(len(torture.check_times(case, capture(7, 2, 2000), True)) == 1, "another one has none")
    check(len(torture.check_times(case, capture(0, 0, 4000), True)) == 1, "the time of a launch that was counted")


def test_selection():
    events = ("push @step", "launch 0", "push lib@third", "launch 1", "pop lib", "profiler on", "launch 2", "pop ", "profiler off", "launch 3")

    def selected(**options):
        model = filters.Model({name.replace("_", "-"): value for name, value in options.items()})
        model.follow("\n".join(events))
        return sorted(int(name[len("void work<")]) for name in model.selected.elements())
    for options, wanted in (({}, [0, 1, 2, 3]), ({"kernel": "work<[12]>"}, [1, 2]), ({"kernel_exclude": "<0>"}, [1, 2, 3]), ({"nvtx": "step"}, [0, 1, 2]),
                            ({"nvtx": "lib@third"}, [1]), ({"nvtx": "lib@step"}, []), ({"nvtx": "step/third"}, [1]), ({"nvtx": "third/step"}, []),
                            ({"range": "third..third"}, [1]), ({"range": "third..step"}, [1, 2]), ({"range": "step..other"}, [0, 1, 2, 3]),
                            ({"profiler_api": True}, [2]), ({"launch_skip": 1}, [1, 2, 3]), ({"launch_skip": 1, "launch_count": 2}, [1, 2]),
                            ({"kernel": "<[13]>", "launch_skip": 1}, [3])):
        check(selected(**options) == wanted, f"{options}: {selected(**options)}, not {wanted}")


def test_rows():
    names = [case.name for case in cases.all_cases()]
    check(len(names) == len(set(names)), f"each case has a name of its own: {sorted(name for name in names if names.count(name) > 1)}")
    check(len({case.name.split(":")[0] for case in cases.all_cases()}) >= 50, "at least fifty programs")


def main():
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
    print(f"{len(FAILED)} failed")
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
