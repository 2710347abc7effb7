/* timeline.h - what the GPUs of a program did over time, and why no kernel ran (analysis/timeline.h). The subject is a struct
 * view_subject, and so is the row of both results. */
#ifndef RL_RESULTS_TIMELINE_H
#define RL_RESULTS_TIMELINE_H

#include "results/subject.h"

extern const struct view_record view_record_timeline, view_record_gaps;

/* Times without a kernel, those of all GPUs together, the one that cost most first. */
extern const struct view_record view_record_gap;
/* Those rows. */
struct view_rows view_gaps(const struct view *view);
/* Each bin of each lane that has something, and each with samples: rows of this record. */
extern const struct view_record view_record_timeline_bin;
/* Those rows, in the arena of the view. */
struct view_rows view_timeline_bins(const struct view *view);

/* One GPU as one process used it: rows are struct rl_over_time. Its lists: lanes, overlaps, phases, gaps. */
extern const struct view_record view_record_over_time;

#endif
