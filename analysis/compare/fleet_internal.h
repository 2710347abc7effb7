/* fleet_internal.h - the steps of rl_fleet_finish, in order (private to analysis/). */
#pragma once

#include "analysis/fleet.h"

/* Which records can be compared with which, and which of them count (fleet_groups.c). */
void rl_fleet_make_groups(struct rl_fleet *fleet);
/* How every measure and part is distributed over each group, and its limits (fleet_spread.c). */
void rl_fleet_make_spreads(struct rl_fleet *fleet);
/* Finds outliers and their causes (fleet_suspects.c, fleet_causes.c). */
void rl_fleet_find_suspects(struct rl_fleet *fleet);
/* Possible causes of a slow suspect: the rows of fleet_causes.def that apply to it (fleet_causes.c). */
void rl_fleet_find_causes(struct rl_fleet *fleet, struct rl_fleet_suspect *suspect);

/* Who and where: everything of a record but its measures and its evidence (fleet_record.c). */
void rl_fleet_describe(struct rl_fleet_record *record, const struct rl_capture *capture, size_t gpu, const char *path);
/* Adds a measure: `key`'s texts belong to the record's key_arena. The record has room. Nothing for a value that is not positive. */
void rl_fleet_add_measure(struct rl_fleet_record *record, struct rl_fleet_key key, double value, double noise);
/* Standard error of a median, relative; 0: unknown. */
double rl_fleet_noise(const struct rl_stats *stats);
/* For each slow link, how many other links of its ends are slow: evidence for its cause (fleet_links.c). */
void rl_fleet_find_ends(struct rl_fleet *fleet);

/* The most frequent of `n` >= 1 values, the smallest of those that are equally frequent; sorts them. */
double rl_fleet_most_common(double *values, size_t n);
/* The value without the words of its reason, which would outlive their capture (fleet_record.c). */
struct rl_value rl_fleet_kept(struct rl_value value);
