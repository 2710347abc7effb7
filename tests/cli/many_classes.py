"""A copy of a program's capture with as many kernel classes as one likes: its classes again and again, each under a new name, with their times,
counters and use; or with as many timed launches, each with its time: those that it has, again and again."""
import itertools
import shutil
import sqlite3

OF_KERNELS = ("duration", "counter", "kernel_use", "counted", "kernel_clock")


def rows_of(db, table, kernel):
    """Columns but the id, and the rows of a kernel."""
    names = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[1] != "id"]
    column = "id" if table == "kernel" else "kernel"
    return names, db.execute(f"SELECT {', '.join(names)} FROM {table} WHERE {column} = ? ORDER BY id", (kernel,)).fetchall()


def copies(names, rows, classes, number):
    """Rows for new classes, each with its own number or, of the table of classes, name; `rows` has those of each class to copy."""
    own, mangled = (names.index(name) if name in names else None for name in ("kernel", "mangled"))
    for new in classes:
        for row in rows[new % len(rows)]:
            copy = list(row)
            if own is None:
                copy[names.index("name")], copy[mangled] = f"class_{new}", None
            else:
                copy[own] = new
            yield (number, *copy)
            number += 1


def make(source, target, count):
    shutil.copy(source, target)
    with sqlite3.connect(target) as db:
        first = db.execute("SELECT count(*) FROM kernel").fetchone()[0]
        whole = [row[0] for row in db.execute("SELECT id FROM kernel WHERE id NOT IN (SELECT kernel FROM population) ORDER BY id")]
        for table in ("kernel", *OF_KERNELS):
            rows = {kernel: rows_of(db, table, kernel) for kernel in whole}
            names = rows[whole[0]][0]
            number = db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            db.executemany(f"INSERT INTO {table} (id, {', '.join(names)}) VALUES (?{', ?' * len(names)})",
                           copies(names, [rows[kernel][1] for kernel in whole], range(first, count), number))
    db.close()
    return target


def make_launches(source, target, count):
    """`count` times of launches; kernels have at least as many launches, in the same proportions, and as much GPU time as before."""
    shutil.copy(source, target)
    with sqlite3.connect(target) as db:
        times, number = {}, 0
        for kernel, duration in db.execute("SELECT kernel, duration_ns FROM duration ORDER BY id").fetchall():
            times.setdefault(kernel, []).append(duration)
        launches = dict(db.execute("SELECT id, launches FROM kernel").fetchall())
        factor = -(-count // sum(launches.values()))
        db.execute("DELETE FROM duration")
        for kernel, own in times.items():
            room = -(-count * launches[kernel] // sum(launches.values()))
            rows = ((number + i, kernel, duration) for i, duration in enumerate(itertools.islice(itertools.cycle(own), room)))
            db.executemany("INSERT INTO duration (id, kernel, duration_ns) VALUES (?, ?, ?)", rows)
            number += room
        db.execute("UPDATE kernel SET launches = launches * ?", (factor,))
        db.execute("UPDATE kernel_use SET timed = timed * ?", (factor,))
    db.close()
    return target
