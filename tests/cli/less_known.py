"""A copy of a program's capture of which less is known. When things happened was not recorded, and stall reasons of the kernel with the second
most time were not counted, so that what limits it is not known."""
import shutil
import sqlite3

OF_TIMELINES = ("range_bin", "range_lane", "sampled_bin", "sampled_lane", "timeline_gap", "timeline_bin", "timeline_lane", "timeline")
STALLS = """
UPDATE counter SET value = NULL, value_missing = (SELECT min(id) FROM missing WHERE state = 'not_collected')
WHERE counter_name IN (SELECT id FROM counter_name WHERE name LIKE '%stall%')
    AND kernel = (SELECT id FROM kernel ORDER BY total_ns DESC LIMIT 1 OFFSET 1)"""


def make(source, target):
    shutil.copy(source, target)
    with sqlite3.connect(target) as db:
        for table in OF_TIMELINES:
            db.execute(f"DELETE FROM {table}")
        removed = db.execute(STALLS).rowcount
    db.close()
    if removed == 0:
        raise SystemExit(f"{source}: its second kernel has no stall reasons")
    return target
