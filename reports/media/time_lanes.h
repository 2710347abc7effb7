/* time_lanes.h - charts of what a GPU did over time (analysis/timeline.h). */
#pragma once

#include "analysis/timeline.h"
#include "page.h"

/* The timelines that have pages, at most RL_MOST_TIMELINES: of GPUs that have pages, in the order of the capture. */
enum { RL_MOST_TIMELINES = 8 };
/* How many there are. */
size_t rl_timelines_shown(const struct rl_report *report);
/* One of them. */
const struct rl_over_time *rl_timeline_at(const struct rl_report *report, size_t instance);
/* The one of a GPU that one process had for itself; NULL: there is none. */
const struct rl_over_time *rl_timeline_of_gpu(const struct rl_report *report, size_t gpu);

/* The key of all these charts. */
#define RL_TONE_KERNELS   RL_TONE_INK
#define RL_TONE_COPYING   RL_TONE_LINK
#define RL_TONE_NO_KERNEL RL_TONE_IDLE
#define RL_TONE_UNWATCHED RL_TONE_COUNTED

/* Adds the chart with all lanes to the section. */
void rl_time_lanes_plan(struct rl_report *report, struct rl_section *section, const struct rl_over_time *over);
/* Whether samples of the whole GPU have lanes: in less than a hundredth of the time they are a few dots on empty lanes. */
bool rl_time_has_moments(const struct rl_over_time *over);
/* How long a step of these charts is. */
double rl_time_step_s(const struct rl_over_time *over);
