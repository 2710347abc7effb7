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
    torture.WRAP, torture.SANITIZED = [], False
    case = cases.Case("by hand", ["x"])
    check(torture.compare(case, run(), run(err=b"err\nrooflight: wrote x\nrooflight: y\n")) == [], "the same, but for rooflight's lines at the end")
    for what, change in (("status", dict(status=1)), ("signal", dict(status=-9)), ("output", dict(out=b"out")), ("lost error", dict(err=b"")),
                         ("another line", dict(err=b"err\nrooflight is here\n")), ("a process", dict(left=1)), ("a temporary file", dict(temporary=["x"])),
                         ("content", dict(files={"f": ("0o100644", 0, 0, 1, b"y")})), ("mode", dict(files={"f": ("0o100600", 0, 0, 1, b"x")})),
                         ("owner", dict(files={"f": ("0o100644", 1, 0, 1, b"x")})), ("no file", dict(files={})),
                         ("another file", dict(files={"f": ("0o100644", 0, 0, 1, b"x"), "g": ("0o100644", 0, 0, 1, b"")})),
                         ("hanging", dict(hung=True))):
        check(len(torture.compare(case, run(), run(**change))) == 1, f"{what} differs: {torture.compare(case, run(), run(**change))}")
    check(len(torture.compare(cases.Case("it waits", ["x"], linger=1), run(), run(wall_s=8))) == 1, "the time of one whose budget is not judged")


def test_counts():
    truth = [3, 4] + [0] * (len(torture.KERNELS) - 2)
    check(torture.check_counts(cases.Case("exact", []), truth, list(truth)) == [], "the same launches")
    for change in (-1, 1):
        found = [truth[0] + change, *truth[1:]]
        check(len(torture.check_counts(cases.Case("exact", []), truth, found)) == 1, f"{change} launch")
        check(torture.check_counts(cases.Case("under way", [], slack=1), truth, found) == [], f"{change} launch that was under way")


def test_times():
    def capture(untimed, longest, *log):
        kernel = {"name": "void work<0>(unsigned long long)", "duration_s": {"max": 1e-9 * longest}}
        return {"program": {"processes": [{"untimed": untimed, "lost": 0}]}, "kernels": [kernel], "log": [{"text": text} for text in log]}

    def windows(counted, rest="", held=0.3, run=2.0):
        return f"process 1: launches without a time: {counted} counted in 1 windows{rest}; delayed for {held} s, and in windows for 0.01 s, of {run} s"
    torture.STAND_INS = "here"
    case = cases.Case("timed", [], ns=2000)
    check(torture.check_times(case, capture(6, 2000, windows(6)), True) == [], "launches that were counted have no time")
    check(torture.check_times(case, capture(8, 2000, windows(6, "; 2 passed in them and could not be counted")), True) == [], "nor have some others")
    nothing = "; 3 have neither a time nor counters: their window brought none"
    check(torture.check_windows([windows(6, nothing + " (an error)")], 9, True) == [], "lost, and why")
    check(len(torture.check_windows([windows(6, nothing)], 9, True)) == 1, "lost without a reason")
    check(len(torture.check_windows([windows(6, nothing.replace("3", "98") + " (an error)")], 104, True)) == 1, "too many lost")
    check(len(torture.check_windows([windows(6)], 6, True)) == 1, "none lost although nothing can be read")
    check(torture.check_windows([windows(6, nothing + " (an error)")], 9, False, True) == [], "lost to launches that wait")
    check(torture.check_windows([windows(6)], 6, False, True) == [], "none lost although launches wait")
    for what, found in (("another one has none", capture(7, 2000, windows(6))), ("nothing was counted", capture(1, 2000)),
                        ("the time of a launch that was counted", capture(0, 4000)), ("many that passed", capture(61, 2000, windows(6, "; 55 passed in them and could not be counted"))),
                        ("holding up for long", capture(6, 2000, windows(6, held=1.5))),
                        ("a window for nothing", capture(6, 2000, windows(6, "; 3 have neither a time nor counters: their window brought none")))):
        check(len(torture.check_times(case, found, True)) == 1, what)


def test_slowness():
    check(0 < torture.measure() < 60, "the work takes a while")
    for taken, times in ((torture.MEASURE_S / 2, 1), (torture.MEASURE_S, 1), (2.5 * torture.MEASURE_S, 2.5)):
        torture.measure = lambda taken=taken: taken
        check(abs(torture.slowness() - times) < 1e-9, f"{times} times as slow")


def test_budget():
    """The least times count, and on a busy machine those of the processors."""
    torture.WRAP, torture.SANITIZED = [], False
    runs = []

    def again(case, observed):
        runs.append(observed)
        return run(wall_s=1.4 if observed else 0.5, cpu_s=1.4 if observed else 0.5, base="/nonexistent")
    torture.os.getloadavg = lambda: (0.0, 0.0, 0.0)
    slowness = torture.slowness
    torture.STAND_INS, torture.slowness = "stand-ins", lambda: 1
    case = cases.Case("by hand", ["x"])
    check(torture.check_budget(case, run(cpu_s=0.5), run(wall_s=1.5, cpu_s=1.5), again) == [] and not runs, "within the budget")
    check(torture.check_budget(case, run(cpu_s=0.5), run(wall_s=1.6, cpu_s=1.6), again) == [] and runs == [False, True], "within it, once more")
    check(len(torture.check_budget(case, run(wall_s=0.3, cpu_s=0.3), run(wall_s=1.6, cpu_s=1.6), again)) == 1, "over it, each time")
    torture.slowness = lambda: 1.3
    check(torture.check_budget(case, run(wall_s=0.3, cpu_s=0.3), run(wall_s=1.6, cpu_s=1.6), again) == [], "within it on a machine as slow as that")
    torture.STAND_INS = None
    check(len(torture.check_budget(case, run(wall_s=0.3, cpu_s=0.3), run(wall_s=1.6, cpu_s=1.6), again)) == 1, "a card's machine has no such excuse")
    torture.slowness = slowness
    torture.os.getloadavg = lambda: (1e6, 0.0, 0.0)
    check(torture.check_budget(case, run(wall_s=0.3, cpu_s=0.3), run(wall_s=1.6, cpu_s=0.4), again) == [], "on a busy machine others take the time")

    def again_slow(case, observed):
        return run(wall_s=2.9 if observed else 0.3, cpu_s=2.9 if observed else 0.3, base="/nonexistent")
    check(len(torture.check_budget(case, run(wall_s=0.3, cpu_s=0.3), run(wall_s=2.9, cpu_s=2.9), again_slow)) == 1, "but not that of the processors")
    check(torture.is_judged(case) and not torture.is_judged(cases.Case("again", ["x"], again=True)), "which cases are judged")


def test_selection():
    events = ("push @step", "launch 0", "push lib@third", "launch 1", "pop lib", "profiler on", "launch 2", "pop ", "profiler off", "launch 3")

    def selected(**options):
        model = filters.Model({name.replace("_", "-"): value for name, value in options.items()})
        model.follow("\n".join(events))
        return sorted(int(name[len("void work<")]) for name in model.selected.elements())
    for options, wanted in (({}, [0, 1, 2, 3]), ({"kernel": "work<[12]>"}, [1, 2]), ({"nvtx": "step"}, [0, 1, 2]),
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
