/* follow.h - when a window of samples is opened: while kernels run, as the processor's time allows, spread over the run. Private to
 * the collector. Nothing here waits, asks a clock or knows CUPTI. */
#ifndef RL_COLLECTOR_FOLLOW_H
#define RL_COLLECTOR_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the sampling process may work, as a purse that fills with time: RL_FOLLOW_PART of a processor, and what was not used before
 * up to half a second. It begins with RL_FOLLOW_FIRST_NS: a program may make ready, pause, compute for a moment and be over before
 * the first window is earned back. */
#define RL_FOLLOW_PART 0.4
enum { RL_FOLLOW_FIRST_NS = 100000000 };
struct rl_follow_purse {
    int64_t at_ns, credit_ns; /* credit_ns: below 0 it has worked ahead */
};
/* Adds what the time since the last call brings; `now_ns` does not go back. */
void rl_follow_earn(struct rl_follow_purse *purse, int64_t now_ns);
/* So much of the processor's time was worked. */
void rl_follow_spend(struct rl_follow_purse *purse, uint64_t worked_ns);

/* Bursts of launches, with pauses between. A short one is over before a window that it causes is open; where they come at steady
 * intervals the window is opened before the next one. */
struct rl_follow_rhythm {
    int64_t begun_ns, last_ns; /* the first and the last launch of the burst that is, or was; 0: none yet */
    int64_t short_ns;          /* how long the burst before it lasted */
    int64_t period_ns, off_ns; /* between its beginning and that of the one before; how much that was beside the period before */
};
/* Launches were seen at `now_ns`, which does not go back. */
void rl_follow_hear(struct rl_follow_rhythm *rhythm, int64_t now_ns);
/* Whether a short burst is expected at any moment. */
bool rl_follow_expects(const struct rl_follow_rhythm *rhythm, int64_t now_ns);

/* What is known at a moment; times of one clock, 0: not yet. */
struct rl_follow_seen {
    int64_t now_ns;
    int64_t first_ns;    /* the first launch was seen */
    int64_t launched_ns; /* the last one was */
    int64_t wanted_ns;   /* the last one of a class that has few samples was */
    int64_t burst_ns;    /* the last burst began */
    bool expected;       /* another one is, at any moment */
    bool under_way;      /* of some launches it is not known that they have ended */
    int64_t window_ns;   /* the last window had been decoded */
    uint64_t cost_ns;    /* what the last window took of the processor */
    int64_t credit_ns;   /* of the purse */
    size_t room, window; /* samples that may still be kept; of a window */
};
enum rl_follow {
    RL_FOLLOW_OPEN,
    RL_FOLLOW_IDLE,   /* no kernel runs */
    RL_FOLLOW_PURSE,  /* there is no processor's time for it yet: a window for classes with few samples may take all of it, any
                         other leaves enough for one such */
    RL_FOLLOW_SPREAD, /* every class has samples, and the last window is not long ago beside how long the kernels have run */
    RL_FOLLOW_FULL    /* no more samples are kept */
};
struct rl_follow_choice {
    enum rl_follow choice;
    uint64_t wait_ns; /* until it is worth another look */
};
/* Whether a window is opened now, and if not, why and for how long. */
struct rl_follow_choice rl_follow_choose(const struct rl_follow_seen *seen);
/* Whether the window that was opened at `opened_ns` may end: nothing is launched any more or about to be, and no kernel is known to
 * run. */
bool rl_follow_is_over(const struct rl_follow_seen *seen, int64_t opened_ns);
/* The samples of the n-th window, from 0: the first ones are short, because a program may end before a long one is decoded. */
size_t rl_follow_length(size_t n, size_t window);

#endif
