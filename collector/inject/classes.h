/* classes.h - kernel classes, and what their launches show of them. Private to collector/inject. */
#pragma once

#include "core/value.h"
#include "inject.h"

/* ---- classes.c; under `lock` ---- */

struct shape {
    uint32_t gpu, grid[3], block[3];
    uint64_t dynamic_shared_bytes;
};
enum { MOST_WATCHED = 32, MOST_BANDS = 8, RECENT = 4 };
/* Launches in a row that take about equally long do the same work, as far as can be seen from outside. */
struct band {
    uint64_t near_ns;             /* 0: launches in a row that did not */
    uint8_t counted[MOST_PASSES]; /* under counts_lock */
};
struct class
{
    uint32_t id;
    struct shape shape;
    const char *name;   /* mangled, interned */
    uint64_t hash;      /* rl_stream_hash */
    bool excluded;      /* by name */
    bool collective;    /* waits for its peers */
    atomic_bool waits;  /* for the host, as its name says or as it has shown: never counted, and nothing is counted while it runs */
    bool wanted;        /* its counters matter */
    unsigned unended;   /* counts.c: launches that were held, and did not end meanwhile */
    atomic_uint tried;  /* counts.c: launches that were to be held, or (kernel replay) repeated */
    atomic_bool proven; /* each that was held has ended meanwhile */
    atomic_bool told;
    bool shape_told;
    atomic_bool changed;
    atomic_ullong seen;               /* launches without a time: counters were taken, or they were not recorded */
    unsigned long long launched_then; /* as the worker last saw `launched` */
    atomic_ullong timed;
    uint64_t graph, total_ns, min_ns, max_ns;
    uint64_t traced, traced_ns, cost_ns; /* of the timed launches: by concurrent records, and how long these took; subtracted from
                                            the records of the others */
    double mean_ns, squares;
    struct rl_stream_bin *bins; /* of all timed launches, ascending */
    uint32_t bin_count, bin_room;
    uint64_t bins_told; /* launches in them when they were last reported */
    uint64_t recent_ns[RECENT];
    struct band
        *bands; /* MOST_BANDS of them, once the times of the class are spread; the first one is for launches of unlike length */
    uint32_t band_count;
    atomic_uint band;        /* 1 and the one that the latest launches belong to; 0: the times are not spread */
    atomic_ullong near_ns;   /* what they took; 0: not the same */
    atomic_ullong *launched; /* by calls, whatever has become of them; in memory that the parent sees */
    uint8_t counted[MOST_PASSES];
    uint64_t alone_ns, instrumented_ns; /* counts.c: how long the program was held up for its last launch that was counted, by the
                                           hardware and by instrumented code; 0: none was */
    struct rl_value watched[MOST_WATCHED]; /* counters that conditions name, */
    uint32_t meets;                        /* and by these the conditions that it meets, a bit for each configuration of the plan */
    double issued, issue_share; /* instructions of a counted launch, and of those that could be issued while SMs were active */
};
enum { LEAST_TIMED = 5 }; /* launches with a time that others of the class may rest on */
/* The class of a launch, made when it is new, or the one for all that there is no room for; NULL when there is no memory. */
struct class *class_of(const char *name, const struct shape *shape);
/* class_of for a launching thread, which takes the lock itself when it has to; NULL also when the lock cannot be had. */
struct class *class_of_launch(const char *name, const struct shape *shape);
/* How long a launch ran. */
struct timed {
    uint64_t duration_ns;
    uint64_t cost_ns; /* that was subtracted from what was recorded */
    bool traced;      /* by a concurrent record: its code was instrumented, and nothing was subtracted */
};
/* One timed launch. */
void class_time(struct class *class, uint64_t start_ns, struct timed timed, bool graph);
/* Launches that were made, but of which no activity record has come yet; those of graphs are not among them. */
uint64_t class_pending(const struct class *class);
/* The parent learns that the class is there. */
void class_tell(struct class *class);
/* Enough launches have a time, and none took much longer than the others: nothing in it waits for another launch. */
bool class_is_steady(const struct class *class);
/* The same GPU, grid, block and dynamic shared memory. Needs no lock. */
bool shape_same(const struct shape *a, const struct shape *b);
/* With those that stand for all that there is no room for. */
size_t class_count(void);
/* By its id, below class_count(); it stays where it is for as long as the process lives. */
struct class *class_at(size_t index);
/* Writes the totals of every class that has changed; with `all` also of those whose launches have no record yet. */
void classes_flush(bool all);

/* ---- durations.c; under `lock` ---- */

/* Another timed launch of the class, which is in its totals already. */
void durations_note(struct class *class, uint64_t duration_ns);
/* Writes the bins of the class when they have doubled since; `all`: when they have changed. */
void durations_tell(struct class *class, bool all);
/* Of how many launches counters are still wanted under a configuration, where `samples` are enough for launches that do the same
 * work, and `unlike_times` as many where their lengths change from one to the next. Needs no lock but counts_lock. */
size_t durations_missing(const struct class *class, size_t config, size_t samples, size_t unlike_times);
/* Counters have been taken of a launch. The same. */
void durations_counted(struct class *class, size_t config);
/* A class has come, or launches of another length than before. Needs no lock, as the next two. */
void durations_note_new(void);
/* When that was last; 0: never. */
uint64_t durations_newest_ns(void);
/* How long after the time before. */
uint64_t durations_newest_gap_ns(void);
