/* waits.h - when the program waited for us (sampler.c). Private to inject. */
#ifndef RL_INJECT_WAITS_H
#define RL_INJECT_WAITS_H

#include <stdbool.h>
#include <stdint.h>

/* What is waited for, once each; in several threads perhaps at the same time. */
enum wait {
    WAIT_READY,  /* until windows of samples can be opened */
    WAIT_WINDOW, /* until one is open */
    WAITS
};

/* It begins; at a time of now_ns(). By any thread. */
void waits_begin(enum wait which, uint64_t ns);
/* It is over; at a time of now_ns(). By any thread. */
void waits_end(enum wait which, uint64_t ns);
/* How long it was waited for; 0: not at all, or not over yet. */
uint64_t waits_lasted(enum wait which);

/* ---- by the clock of activities; under `lock` ---- */

/* [from_ns, to_ns). */
struct stretch {
    uint64_t from_ns, to_ns;
};
/* The first part of a stretch in which any wait was, cut to what is in it; false: there is none. */
bool waits_first_in(struct stretch in, struct stretch *wait);
/* How much of a stretch any wait was; moments of several waits count once. */
uint64_t waits_in(struct stretch in);

#endif
