/* classes.h - kernel classes and the statistics of their launches. Private to collector/inject. */
#pragma once

#include "inject.h"

/* ---- classes.c; under `lock` ---- */

struct shape {
    uint32_t gpu, grid[3], block[3];
    uint64_t dynamic_shared_bytes;
};
enum { MOST_WATCHED = 32, MOST_BANDS = 8, RECENT = 4 };
/* Consecutive launches of about equal duration, which are taken to do the same work. */
struct band {
    uint64_t near_ns;             /* 0: the band of consecutive launches with unequal durations */
    uint8_t counted[MOST_PASSES]; /* protected by counts_lock */
};
struct class
{
    uint32_t id;
    struct shape shape;
    const char *name;   /* mangled, interned */
    uint64_t hash;      /* rl_stream_hash */
    bool excluded;      /* excluded by name */
    bool collective;    /* a collective kernel, which waits for its peers */
    atomic_bool waits;  /* waits for the host, by its name or by observation: never counted, and nothing is counted while it runs */
    bool wanted;        /* its counters are wanted */
    unsigned unended;   /* counts.c: launches that were waited for and had not ended in time */
    atomic_uint tried;  /* counts.c: launches that were waited for or (kernel replay) repeated */
    atomic_bool proven; /* every launch that was waited for has ended in time */
    atomic_bool told;
    bool shape_told;
    atomic_bool changed;
    atomic_ullong seen;               /* launches without a time: counted, or not recorded */
    unsigned long long launched_then; /* value of `launched` when the worker last read it */
    atomic_ullong timed;
    uint64_t graph, total_ns, min_ns, max_ns;
    uint64_t traced, traced_ns, cost_ns; /* of the timed launches, those with concurrent records; their total time; the
                                            instrumentation overhead in it, which is subtracted from other records */
    double mean_ns, squares;
    struct rl_stream_bin *bins; /* durations of all timed launches, ascending */
    uint32_t bin_count, bin_room;
    uint64_t bins_told; /* launches in the bins when they were last reported */
    uint64_t recent_ns[RECENT];
    struct band *bands; /* MOST_BANDS elements, allocated when durations vary; the first is for launches of unequal duration */
    uint32_t band_count;
    atomic_uint band;        /* 1 + index of the band of the latest launches; 0: durations do not vary */
    atomic_ullong near_ns;   /* duration of these launches; 0: unequal */
    atomic_ullong *launched; /* launch calls, including those not timed; in memory shared with the parent */
    uint8_t counted[MOST_PASSES];
    uint64_t alone_ns, instrumented_ns;    /* counts.c: how long the program waited for the last launch counted by hardware counters
                                              and by instrumented code; 0: none yet */
    struct rl_value watched[MOST_WATCHED]; /* the counters that conditions refer to */
    uint32_t meets;                        /* the conditions that these satisfy: a bit for each configuration of the plan */
    double issued, issue_share; /* instructions of a counted launch; their share of the issue slots while SMs were active */
};
enum { LEAST_TIMED = 5 }; /* minimum number of timed launches for estimates about others of the class */
/* The class of a launch, created if new. Returns the overflow class when the table is full, and NULL when memory is exhausted. */
struct class *class_of(const char *name, const struct shape *shape);
/* class_of for a launching thread: takes the lock if necessary. NULL also if the lock is unavailable. */
struct class *class_of_launch(const char *name, const struct shape *shape);
/* The duration of a launch. */
struct timed {
    uint64_t duration_ns;
    uint64_t cost_ns; /* the tracing overhead that was subtracted */
    bool traced;      /* from a concurrent record: the code was instrumented, and nothing was subtracted */
};
/* Adds a timed launch. */
void class_time(struct class *class, uint64_t start_ns, struct timed timed, bool graph);
/* Launches without an activity record yet, except those of graphs. */
uint64_t class_pending(const struct class *class);
/* Reports the class to the parent. */
void class_tell(struct class *class);
/* Whether enough launches are timed and none took much longer than the others, so that none of them waits for another launch. */
bool class_is_steady(const struct class *class);
/* Whether GPU, grid, block and dynamic shared memory are equal. Needs no lock. */
bool shape_same(const struct shape *a, const struct shape *b);
/* Shapes of one kernel are a family: some of them stand for all. */
enum { FAMILY_SLOTS = 1 << 12 };
/* The place of a family, by the interned name of the kernel; a few kernels may share one. */
static inline size_t family_slot(const char *name)
{
    return ((uintptr_t)name >> 4) % FAMILY_SLOTS;
}
/* The number of classes, including the overflow classes. */
size_t class_count(void);
/* The class with this id, which is below class_count(). The pointer is valid for the life of the process. */
struct class *class_at(size_t index);
/* Writes the totals of every changed class; with `all` also of classes whose launches have no record yet. */
void classes_flush(bool all);

/* ---- durations.c; under `lock` ---- */

/* Adds a timed launch that is already in the totals of the class. */
void durations_note(struct class *class, uint64_t duration_ns);
/* Writes the bins of the class if their launches have doubled since the last time; `all`: if they have changed. */
void durations_tell(struct class *class, bool all);
/* How many more launches are to be counted under a configuration, where `samples` are enough for launches that do the same work,
 * and `unlike_times` as many where consecutive launches differ in duration. Needs counts_lock only. */
size_t durations_missing(const struct class *class, size_t config, size_t samples, size_t unlike_times);
/* A launch was counted. Needs counts_lock only. */
void durations_counted(struct class *class, size_t config);
/* A new class, or a new duration in one. Needs no lock, like the next two. */
void durations_note_new(void);
/* The time of the last such event; 0: none. */
uint64_t durations_newest_ns(void);
/* The time between the last two such events, in ns. */
uint64_t durations_newest_gap_ns(void);
