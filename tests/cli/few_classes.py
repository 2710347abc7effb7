"""A copy of a program's capture with few of its kernel classes, those with the most time: what a program of so few kernels records."""
import shutil
import sqlite3

OF_KERNELS = ("duration", "counter", "kernel_use", "counted", "kernel_clock", "sampled_value", "timeline_lane")
BINS = "timeline_bin"  # of lanes
OF_TIMELINES = ("range_bin", "range_lane", "sampled_bin", "sampled_lane", "timeline_gap", BINS, "timeline_lane", "timeline")


def renumber(db, table, column="", others=()):
    """Ids without gaps, as the format has them, and the references to them."""
    ids = [row[0] for row in db.execute(f"SELECT id FROM {table} ORDER BY id")]
    for to_negative in (True, False):  # by way of numbers that are free
        for new, old in enumerate(ids):
            before, after = (old, -1 - new) if to_negative else (-1 - new, new)
            db.execute(f"UPDATE {table} SET id = ? WHERE id = ?", (after, before))
            for other in others:
                db.execute(f"UPDATE {other} SET {column} = ? WHERE {column} = ?", (after, before))


def make(source, target, count, but="", without=()):
    """`but`: parts of names to leave out, between commas; `without`: tables that are emptied."""
    shutil.copy(source, target)
    with sqlite3.connect(target) as db:
        names = "".join(f" AND name NOT LIKE '%{name}%'" for name in but.split(",") if name)
        db.execute(f"DELETE FROM kernel WHERE id NOT IN (SELECT id FROM kernel WHERE 1 {names} ORDER BY total_ns DESC LIMIT {count})")
        for table in OF_KERNELS:
            db.execute(f"DELETE FROM {table} WHERE kernel IS NOT NULL AND kernel NOT IN (SELECT id FROM kernel)")
        db.execute(f"DELETE FROM {BINS} WHERE lane NOT IN (SELECT id FROM timeline_lane)")
        for table in without:
            db.execute(f"DELETE FROM {table}")
        renumber(db, "timeline_lane", "lane", (BINS,))
        renumber(db, "kernel", "kernel", OF_KERNELS)
        for table in (BINS, *(table for table in OF_KERNELS if table != "timeline_lane")):
            renumber(db, table)
    db.close()
    return target
