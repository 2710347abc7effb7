/* fleet_parts.h - what the views of a fleet share (private to reports/results/). */
#pragma once

#include "results/fleet.h"

/* A row about a record, or about a file that gave none; which of the others are set depends on the list. */
struct fleet_row {
    const struct rl_fleet_record *record; /* NULL: the file was not read */
    const struct rl_fleet_unread *unread;
    const struct rl_fleet_suspect *suspect;
};

/* The fleet of a view. */
const struct rl_fleet *fleet_of(const struct view *view);

/* ---- the records of lists ---- */

enum { FLEET_MOST_WORDS = 40 }; /* columns of a name, for people */

/* GPUs that stand apart; files that do not count: rows are struct fleet_row. */
extern const struct view_record fleet_suspect_record, fleet_left_out_record;
/* A group of records compared with each other: a struct rl_fleet_group; how a figure is distributed over it: a struct
 * rl_fleet_spread. */
extern const struct view_record fleet_group_record, fleet_spread_record;
