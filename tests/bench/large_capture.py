"""Writes a capture with many kernel classes, to measure how long `rooflight show`, `report` and `compare` take: figures in
docs/data/benchmarks-host.md.

    large_capture.py --from CAPTURE --kernels 10000 [--slower PCT] FILE

Every kernel of CAPTURE that has times is copied, with its times and counters and a name of its own, until there are enough; the copies
belong to no experiment. With --slower every tenth one takes so much longer.
"""
import argparse
import pathlib
import sqlite3


def columns(database, table):
    return [row[1] for row in database.execute(f"PRAGMA table_info({table})") if row[1] != "id"]


class Rows:
    """The rows of a table by kernel, read once."""

    def __init__(self, database, table):
        self.database, self.table, self.names, self.of = database, table, columns(database, table), {}
        for row in database.execute(f"SELECT {', '.join(self.names)} FROM {table} ORDER BY id"):
            values = dict(zip(self.names, row))
            self.of.setdefault(values["kernel"], []).append(values)

    def copy(self, kernel, new, changed):
        question = f"INSERT INTO {self.table} ({', '.join(self.names)}) VALUES ({', '.join('?' * len(self.names))})"
        self.database.executemany(question, [list((values | {"kernel": new} | changed(values)).values())
                                             for values in self.of.get(kernel, [])])


def copy_kernel(database, kernel, number):
    names = columns(database, "kernel")
    row = database.execute(f"SELECT {', '.join(names)} FROM kernel WHERE id = ?", (kernel,)).fetchone()
    values = dict(zip(names, row)) | {"name": f"void library::kernel_{number}<float, {number % 7}>(float*, int)", "variant": None,
                                      "mangled": None, "launches_per_run": 0, "nvtx": f"step_{number % 100}/solve"}
    return database.execute(f"INSERT INTO kernel ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
                            list(values.values())).lastrowid


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="source", required=True)
    parser.add_argument("--kernels", type=int, default=10000)
    parser.add_argument("--slower", type=float, default=0, help="percent")
    parser.add_argument("file")
    arguments = parser.parse_args()
    pathlib.Path(arguments.file).write_bytes(pathlib.Path(arguments.source).read_bytes())
    database = sqlite3.connect(arguments.file)
    timed = [row[0] for row in database.execute("SELECT DISTINCT kernel FROM duration ORDER BY kernel")]
    durations, counters = Rows(database, "duration"), Rows(database, "counter")
    for number in range(arguments.kernels - database.execute("SELECT count(*) FROM kernel").fetchone()[0]):
        kernel, factor = timed[number % len(timed)], 1 + (arguments.slower / 100 if number % 10 == 0 else 0.0001)
        new = copy_kernel(database, kernel, number)
        durations.copy(kernel, new, lambda values, factor=factor: {"duration_ns": int(values["duration_ns"] * factor)})
        counters.copy(kernel, new, lambda values: {})
    database.commit()


if __name__ == "__main__":
    main()
