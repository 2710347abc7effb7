#!/usr/bin/env python3
"""What `rooflight compare` says of sessions that a card gave: rates of false and of right verdicts over splits of stored sessions.

usage: session_rates.py --rooflight PROGRAM --writer PROGRAM [--splits N] [--seed N] FILE ...

Each FILE is one card and day of tests/data/sessions (tests/gpu/sessions.py). Its unchanged sessions are shared out by chance to two
sides of one, three and eight sessions that take turns, and sides of unchanged sessions are compared with sides of sessions whose kernels
do 1 and 2 % more work. Files of one model are also taken together: each card has one or two sessions on both sides. Captures of both sides are
written by tests/bench/session_captures and compared by the program. Prints the table of docs/data/verdicts.md; exit status 1 when a rate is not what that document promises (WANTED below).
"""
import argparse
import collections
import csv
import datetime
import json
import pathlib
import random
import subprocess
import sys
import tempfile

Wanted = collections.namedtuple("Wanted", "verdict least")
FALSE_AT_MOST = 1.0
# By planted change and sessions a side: the verdict that is right, and in how many percent at least it must be found.
WANTED = {("same", 1): None, ("same", 3): None, ("same", 8): Wanted("SAME", 95), ("1 %", 3): None, ("1 %", 8): Wanted("SLOWER", 90),
          ("2 %", 3): Wanted("SLOWER", 90), ("2 %", 8): Wanted("SLOWER", 99)}
# Sessions of each card on a side, where cards are taken together.
TOGETHER = [(planted, count) for planted in ("same", "1 %", "2 %") for count in (1, 2)]
EACH = "each on both sides"
# What is false where so much was planted.
FALSE = {"same": ("FASTER", "SLOWER"), "1 %": ("FASTER", "SAME"), "2 %": ("FASTER", "SAME")}

Day = collections.namedtuple("Day", "name card mark driver date sessions kernels times")
Session = collections.namedtuple("Session", "day number kind started")
Rate = collections.namedtuple("Rate", "card date planted sessions verdicts doubts")


def read(path):
    """A file of the store; its times are {session: [(kernel, SM clock in Hz, times in ns)]}."""
    head, sessions, kernels, times = {}, [], {}, collections.defaultdict(list)
    with open(path, encoding="utf-8", newline="") as file:
        for what, *row in csv.reader(file):
            if what == "session":
                sessions.append(Session(pathlib.Path(path).stem, int(row[0]), row[1], row[2]))
            elif what == "kernel":
                kernels[int(row[0])] = row[1]
            elif what == "times":
                number, kernel, clock, unit, least = map(int, row[:5])
                times[number].append((kernels[kernel], clock, [unit * (least + int(more)) for more in row[5].split()]))
            else:
                head[what] = row[0]
    if head.get("rooflight sessions") != "1":
        sys.exit(f"{path} is no file of sessions")
    return Day(pathlib.Path(path).stem, head["card"], head["mark"], head["driver"], head["date"], sessions, kernels, times)


def lines_of(day, session, path):
    uuid = f"GPU-{day.mark}-0000-0000-0000-000000000000" if day.mark else ""
    yield "\t".join(["capture", str(path), session.started, day.card, uuid, "host"])
    for name, clock, times in day.times[session.number]:
        yield "\t".join(["kernel", name, str(clock), *map(str, times)])


class Captures:
    """The captures of the sessions of some days in a folder."""

    def __init__(self, arguments, days, folder):
        self.rooflight, self.paths = arguments.rooflight, {}
        lines = []
        for day in days:
            for session in day.sessions:
                self.paths[session] = pathlib.Path(folder) / f"{day.name}-{session.number}.rlcap"
                lines += lines_of(day, session, self.paths[session])
        subprocess.run([arguments.writer, "write"], input="\n".join(lines) + "\n", text=True, check=True)

    def compare(self, base, new):
        """Verdicts and doubts of the kernels of two sides."""
        sides = [*(self.paths[s] for s in base), "--", *(self.paths[s] for s in new)]
        done = subprocess.run([self.rooflight, "compare", "--json", *sides], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"compare {' '.join(map(str, sides))}: status {done.returncode}: {done.stderr}")
        return [(pair["verdict"], pair["doubt"]) for pair in json.loads(done.stdout)["pairs"]]


def begin(session):
    return datetime.datetime.fromisoformat(session.started.replace("Z", "+00:00")).timestamp()


def sides_of(day, planted, count, source):
    """Two sides of `count` sessions, or None where the day has not so many."""
    kinds = collections.defaultdict(list)
    for session in day.sessions:
        kinds[session.kind].append(session)
    if planted == "same":
        if len(kinds["same"]) < 2 * count:
            return None
        chosen = sorted(source.sample(kinds["same"], 2 * count), key=begin)
        pairs = [source.sample(chosen[i:i + 2], 2) for i in range(0, 2 * count, 2)]
        return tuple(zip(*pairs))
    if min(len(kinds["same"]), len(kinds[planted])) < count:
        return None
    left, pairs = list(kinds["same"]), []
    for session in sorted(source.sample(kinds[planted], count), key=begin):
        nearest = min(left, key=lambda other: abs(begin(other) - begin(session)))
        left.remove(nearest)
        pairs.append((nearest, session))
    return tuple(zip(*pairs))


def joined(days, planted, count, source):
    """Two sides that have `count` sessions of each day, or None."""
    sides = [sides_of(day, planted, count, source) for day in days]
    return None if None in sides else [[session for side in sides for session in side[s]] for s in range(2)]


def rates_of(arguments, card, date, days, wanted):
    """Of sides that have as many sessions of each of the days."""
    source = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        captures = Captures(arguments, days, folder)
        for planted, count in wanted:
            verdicts, doubts = collections.Counter(), collections.Counter()
            for _ in range(arguments.splits):
                sides = joined(days, planted, count, source)
                for verdict, doubt in captures.compare(*sides) if sides else []:
                    verdicts[verdict] += 1
                    doubts[doubt] += 1
            if verdicts:
                yield Rate(card, date, planted, count * len(days), verdicts, doubts)


def all_rates(arguments, days):
    models = collections.defaultdict(list)
    for day in days:
        models[day.card].append(day)
        yield from rates_of(arguments, f"{day.card} {day.mark}".strip(), day.date, [day], WANTED)
    for card, of in models.items():
        if len(of) > 1:
            yield from rates_of(arguments, f"{len(of)} of {card}", EACH, of, TOGETHER)


def percent(rate, *verdicts):
    return 100 * sum(rate.verdicts[verdict] for verdict in verdicts) / sum(rate.verdicts.values())


def faults_of(rate):
    """Of several cards 1 % is not promised: what cards differ costs freedom."""
    wanted = WANTED.get((rate.planted, rate.sessions)) if (rate.date, rate.planted) != (EACH, "1 %") else None
    false = percent(rate, *FALSE[rate.planted])
    what = f"{rate.card}, {rate.date}, {rate.planted}, {rate.sessions} a side"
    if false > FALSE_AT_MOST:
        yield f"{what}: {false:.2f} % false"
    if wanted and percent(rate, wanted.verdict) < wanted.least:
        yield f"{what}: {percent(rate, wanted.verdict):.1f} % {wanted.verdict}, not {wanted.least} %"


def table(rates):
    yield "| card | day | planted | sessions a side | comparisons | false | SAME | SLOWER | UNDECIDED |"
    yield "|---|---|---|---:|---:|---:|---:|---:|---:|"
    for rate in rates:
        shares = [f"{percent(rate, name):.1f} %" for name in ("SAME", "SLOWER", "UNDECIDED")]
        yield (f"| {rate.card} | {rate.date} | {'nothing' if rate.planted == 'same' else rate.planted} | {rate.sessions} | "
               f"{sum(rate.verdicts.values())} | {percent(rate, *FALSE[rate.planted]):.2f} % | {' | '.join(shares)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooflight", required=True)
    parser.add_argument("--writer", required=True)
    parser.add_argument("--splits", type=int, default=30, help="comparisons of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("files", nargs="+", metavar="FILE")
    arguments = parser.parse_args()
    rates = list(all_rates(arguments, [read(path) for path in arguments.files]))
    print("\n".join(table(rates)))
    faults = [fault for rate in rates for fault in faults_of(rate)]
    print("\n".join(faults))
    return 1 if faults or not rates else 0


if __name__ == "__main__":
    sys.exit(main())
