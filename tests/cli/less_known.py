"""A copy of a program's capture of which less is known. When things happened was not recorded, and launches of the kernel with the second most time
did different work, so that what limits it is not known."""
import shutil
import sqlite3

OF_TIMELINES = ("range_bin", "range_lane", "sampled_bin", "sampled_lane", "timeline_gap", "timeline_bin", "timeline_lane", "timeline")
# One of several counts of the same work, twice as great as the others.
DIFFERENT_WORK = """
UPDATE counter SET value = value * 2 WHERE id = (
    SELECT min(counter.id) FROM counter JOIN counter_name ON counter_name.id = counter_name
    WHERE counter_name.name = 'smsp__sass_inst_executed.sum' AND value IS NOT NULL
        AND kernel = (SELECT id FROM kernel ORDER BY total_ns DESC LIMIT 1 OFFSET 1))"""


def make(source, target):
    shutil.copy(source, target)
    with sqlite3.connect(target) as db:
        for table in OF_TIMELINES:
            db.execute(f"DELETE FROM {table}")
        changed = db.execute(DIFFERENT_WORK).rowcount
    db.close()
    if changed != 1:
        raise SystemExit(f"{source}: its second kernel has no counted instructions")
    return target
