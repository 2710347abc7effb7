/* timeline_parts.h - what the results of timeline.h are made of (private to reports/results/). */
#ifndef RL_VIEWS_TIMELINE_PARTS_H
#define RL_VIEWS_TIMELINE_PARTS_H

#include "analysis/timeline.h"
#include "results/timeline.h"

/* One cause on all GPUs. */
struct view_gap_cause {
    const struct rl_gap_cause *cause;
    const struct rl_gap *greatest; /* NULL: none was recorded */
    uint64_t count;
    double time_s, whole_s; /* `whole_s`: from the first kernels to the last */
};
extern const struct view_record view_record_gap_cause;

struct view_over_time {
    const struct view_subject *subject;
    struct rl_gap *gaps; /* of all GPUs */
    size_t gap_count;
    struct view_gap_cause *causes; /* of which there is something, the greatest first, what was not watched last */
    size_t cause_count;
    double whole_s, no_kernel_s;
};

/* Over how many timelines this is worked out. */
size_t view_over_time_count(const struct view_over_time *over);
/* A field's function of a row that is a struct view_over_time: why it says nothing; absent where it does. */
struct view_cell view_over_time_unknown(const struct view *view, const struct view_field *field, const void *row);
/* Causes on all GPUs of a capture, for results that have no struct view_over_time. In the arena of the view. */
struct view_rows view_gap_causes(const struct view *view);

/* Rows: struct rl_timeline_lane of the capture; what ran beside what; struct rl_phase. */
extern const struct view_record view_record_timeline_lane, view_record_overlap, view_record_phase;
/* A field's function of a row that is a struct rl_over_time: those of which there is something. */
struct view_cell view_overlaps_cell(const struct view *view, const struct view_field *field, const void *row);
/* What samples of the whole GPU counted over time: rows are struct rl_moment_lane. */
extern const struct view_record view_record_moment;
/* Field's functions of a row that is a struct rl_over_time: those of it; seconds of each bin in which samples were taken. */
struct view_cell view_moments_cell(const struct view *view, const struct view_field *field, const void *row);
/* The latter: rows are double. */
struct view_cell view_covered_cell(const struct view *view, const struct view_field *field, const void *row);
/* Seconds of one bin. */
extern const struct view_record view_record_bin_time;
/* Where the host was while no kernel ran: rows are struct rl_range_lane of the capture. */
extern const struct view_record view_record_range_lane;
/* A field's function of a row that is a struct rl_over_time: those of it. */
struct view_cell view_range_lanes_cell(const struct view *view, const struct view_field *field, const void *row);
/* Those of which there is something. */
struct view_rows view_choose_range_lanes(const struct view *view, struct view_rows rows, size_t most);
/* The path of the range, NULL where it is none; for people always in words. In the arena of the view. */
const char *view_range_lane_text(const struct view *view, const struct rl_range_lane *lane, bool people);
enum { VIEW_PICTURE = 44 }; /* steps of the picture of a lane, at most */
/* One of them, from "·" (nothing) over "▁" to "█" (all of it, or more); static. */
const char *view_picture_step(double share);
/* A picture of how much of each step of a timeline it was, from the seconds of its bins; in the arena of the view. */
const char *view_picture(const struct view *view, const struct rl_timeline *timeline, const double *seconds);

/* "GPU 0", with several processes "GPU 0, process 4711". In the arena of the view. */
const char *view_over_time_label(const struct view *view, const struct rl_over_time *over);
/* The path of a range, in the arena of the view; NULL for RL_NONE. */
const char *view_range_path(const struct view *view, size_t range);

#endif
