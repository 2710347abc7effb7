#!/usr/bin/env python3
"""Reports of Nsight Compute on a card: what `import` reads of a .ncu-rep against what `ncu --import FILE --csv --page raw` prints for the
same file, value by value. One report for each set and each section that this ncu has, of a launch of hot_lines.cu; then one of several
launches with all of them. Without a GPU, nvcc or ncu it is skipped (77).

usage: test_ncu_rep.py --rooflight PROGRAM [--keep FOLDER]
       test_ncu_rep.py --test"""
import argparse
import csv
import io
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent / "hot_lines.cu"
KERNELS = ("gather", "conflicts", "barrier", "doubles", "copies")
LEAST_REPORTS = 20
# Asked for by name, because no section has them alone.
METRICS = ("gpu__time_duration.sum,dram__bytes.sum,dram__bytes_read.sum.per_second,sm__warps_active.avg.pct_of_peak_sustained_active",
           "regex:smsp__sass_inst_executed_op_.*,smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
           "launch__registers_per_thread,launch__grid_size,device__attribute_multiprocessor_count,lts__t_sector_hit_rate.pct")
NOT_METRICS = ("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC")
LARGEST = 2.0 ** 63  # counts from here on are failed values in rooflight; ncu prints 0


def output(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=400)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: {done.returncode}: {done.stdout[-500:]} {done.stderr[-1500:]}")
    return done.stdout


def number_of(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def step_of(text):
    """Of the last digit that is printed."""
    digits = re.fullmatch(r"-?[\d,]*\.?(\d*)(?:[eE]([-+]?\d+))?", text)
    return 10.0 ** (int(digits[2] or 0) - len(digits[1])) if digits else 0


def same(ours, theirs):
    """Whether a number of the report is what ncu rounds to `theirs`."""
    return abs(ours - number_of(theirs)) <= 0.501 * step_of(theirs) + 1e-9 * abs(ours) or (ours >= LARGEST and number_of(theirs) == 0)


def rows_of(text):
    """Rows of the raw page, each a dictionary; that of the units is left out."""
    rows = list(csv.DictReader(io.StringIO(text[text.index('"ID"'):])))
    return [row for row in rows if row["ID"]]


def ledger_of(capture):
    """Every metric that was read of a report of one launch: its text as the report has it."""
    with sqlite3.connect(f"file:{capture}?mode=ro", uri=True) as file:
        return {name: (example.split(" ")[0] if number_of(example.split(" ")[0]) is not None else example, fate, count)
                for name, fate, count, example in file.execute("SELECT name, fate, count, example FROM ledger WHERE NOT column")}


def counters_of(capture):
    """Values that are kept by their own names, of each kernel."""
    with sqlite3.connect(f"file:{capture}?mode=ro", uri=True) as file:
        found = {}
        for kernel, name, value in file.execute("SELECT kernel.name, counter_name.name, value FROM counter JOIN kernel ON kernel.id = kernel "
                                                "JOIN counter_name ON counter_name.id = counter_name WHERE counter_name.kind != 'metric'"):
            found.setdefault(kernel.split("(")[0], {})[name] = value
        return found


def differences(row, ledger):
    """Of one launch: how many values were compared, and what differs."""
    wrong, compared = [], 0
    for name, theirs in row.items():
        if name in NOT_METRICS or name is None or theirs in ("", None):
            continue
        theirs = theirs.split(" (")[0]  # a total with its instances behind it
        ours = ledger.get(name)
        if ours is None:
            if number_of(theirs) is not None:
                wrong.append(f"{name}: not read; ncu prints {theirs}")
            continue
        value, not_finite = number_of(ours[0]), theirs in ("nan", "inf", "n/a")  # a missing value then
        compared += 1
        if ours[2] != 1:
            wrong.append(f"{name}: read {ours[2]} times")
        elif number_of(theirs) is None:
            if value is not None and not not_finite:
                wrong.append(f"{name}: {ours[0]}; ncu prints {theirs}")
        elif not_finite and value is None:
            continue
        elif value is None or not same(value, theirs):
            wrong.append(f"{name}: {ours[0]}; ncu prints {theirs}")
    return compared, wrong + [f"{name}: {value[0]}; ncu prints nothing" for name, value in ledger.items()
                             if name not in row and not name.endswith("]")]  # instances by name, of which ncu prints the total


def sets_and_sections(ncu):
    sets = re.findall(r"^(\w+)\s+\S.*\s(?:yes|no)\s+\d+\s*$", output(ncu, "--list-sets"), re.MULTILINE)
    sections = re.findall(r"^(\w+)\s.*\.section\s*$", output(ncu, "--list-sections"), re.MULTILINE)
    return [("--set", name) for name in sets] + [("--section", name) for name in sections] + [("--metrics", names) for names in METRICS]


def report_of(ncu, program, arguments, path):
    output(ncu, "-f", *arguments, "-o", path.with_suffix(""), program, 1, 1)
    return rows_of(output(ncu, "--import", path, "--csv", "--page", "raw", "--print-units", "base"))


def of_card(rooflight, ncu, folder):
    program = folder / "hot_lines"
    output("nvcc", "-O3", "-lineinfo", "-arch=native", "-o", program, SOURCE)
    failed, reports, values = [], 0, 0
    for number, arguments in enumerate(sets_and_sections(ncu)):
        kernel, path, capture = KERNELS[number % len(KERNELS)], folder / f"{number}.ncu-rep", folder / f"{number}.rlcap"
        skip = ("--launch-skip", "1") if kernel == "gather" else ()  # the first one is short
        try:
            rows = report_of(ncu, program, (*arguments, "--kernel-name", kernel, *skip, "--launch-count", "1"), path)
        except (RuntimeError, ValueError) as error:  # a section that this card has not
            print(f"{' '.join(arguments)}: no report: {str(error)[-200:]}")
            continue
        if not rows or len(rows) != 1:
            print(f"{' '.join(arguments)}: {len(rows)} launches")
            continue
        try:
            output(rooflight, "import", "-q", "-o", capture, path)
            compared, wrong = differences(rows[0], ledger_of(capture))
        except RuntimeError as error:
            compared, wrong = 0, [str(error)]
        reports, values = reports + bool(compared), values + compared
        print(f"{' '.join(arguments)[:60]}: {kernel}: {compared} values, {len(wrong)} differ")
        failed += [f"{' '.join(arguments)}: {text}" for text in wrong]
    path, capture = folder / "all.ncu-rep", folder / "all.rlcap"
    rows = report_of(ncu, program, ("--set", "full", "--launch-skip", "1"), path)
    output(rooflight, "import", "-q", "-o", capture, path)
    counters = counters_of(capture)
    if sorted(counters) != sorted({row["Kernel Name"].split("(")[0] for row in rows}):
        failed.append(f"several launches: kernels {sorted(counters)}")
    for row in rows:
        kept = counters.get(row["Kernel Name"].split("(")[0], {})
        known = [(name, theirs.split(" (")[0]) for name, theirs in row.items() if name in kept and number_of((theirs or "").split(" (")[0]) is not None]
        wrong = [f"{row['Kernel Name']}: {name}: {kept[name]}; ncu prints {theirs}" for name, theirs in known
                 if kept[name] is not None and not same(kept[name] * 1, theirs) and not same(kept[name] * 100, theirs)
                 and not same(kept[name] * 1e9, theirs)]  # captures have shares and seconds; ncu prints percent and nanoseconds
        values += len(known)
        failed += wrong
        print(f"several launches: {row['Kernel Name'].split('(')[0]}: {len(known)} values, {len(wrong)} differ")
    reports += 1
    for text in failed[:60]:
        print(f"FAILED: {text}")
    if reports < LEAST_REPORTS:
        failed.append("too few")
        print(f"FAILED: {reports} reports, not {LEAST_REPORTS}")
    print(f"{reports} reports, {values} values compared, {len(failed)} differ")
    return not failed


def without_card():
    """The comparison itself."""
    row = {"ID": "0", "Kernel Name": "k", "a": "1,234.57", "b": "0", "c": "words", "d": "3", "e": "12 (1; 11)", "f": ""}
    good = {"a": ("1234.5678", "foreign", 1), "a [FFMA]": ("7", "foreign", 1), "b": ("1.8e19", "ignored", 1), "c": ("words", "ignored", 1), "d": ("3", "used", 1),
            "e": ("12", "used", 1)}
    assert differences(row, good) == (5, []), differences(row, good)
    for name, value in (("a", ("1234.5778", "foreign", 1)), ("d", ("4", "used", 1)), ("d", ("3", "used", 2)), ("c", ("7", "used", 1)),
                        ("more", ("7", "used", 1))):
        assert len(differences(row, {**good, name: value})[1]) == 1, name
    assert differences(row, {name: value for name, value in good.items() if name != "d"})[1] == ["d: not read; ncu prints 3"]
    assert rows_of('==PROF== x\n"ID","a"\n"","byte"\n"0","1"\n') == [{"ID": "0", "a": "1"}]
    print("1 passed, 0 failed")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rooflight")
    parser.add_argument("--keep")
    parser.add_argument("--test", action="store_true")
    arguments = parser.parse_args()
    if arguments.test:
        without_card()
        return
    ncu = shutil.which("ncu") or shutil.which("/usr/local/cuda/bin/ncu")
    if not ncu or not all(map(shutil.which, ("nvcc", "nvidia-smi"))) or subprocess.run(["nvidia-smi", "-L"], capture_output=True).returncode != 0:
        print("no GPU, nvcc or ncu here")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(arguments.keep or made)
        folder.mkdir(parents=True, exist_ok=True)
        good = of_card(arguments.rooflight, ncu, folder)
    print(f"{int(good)} passed, {int(not good)} failed")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
