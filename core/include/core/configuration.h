/* configuration.h - counters that are collected together: what a plan of the analysis asks of the collector. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Counters, for which launches, and how. */
struct rl_configuration {
    const char *name;
    const char **counters; /* distinct, in table order; a plan owns its own */
    size_t counter_count;
    size_t fixed;     /* number of first counters that belong in one pass and are packed first; the others fill the room left */
    const char *when; /* formula (core/formula.h) over counters of configurations before this one: collected for launches for which
                         it is above 0; NULL: for all */
    bool of_device;   /* counters of the GPU, not of a context: scheduled without the device's list of what a context may have */
    bool rare;        /* for few launches: no room is reserved for it in the passes of others */
    bool of_instructions; /* counted by instrumented code, which is many times slower and independent of caches: run as seldom as
                             possible */
    const char *const *witnesses; /* added to each pass that has room for them, and kept of the last two runs of a launch in the
                                     pass, so that passes and runs can be compared; ends with NULL; NULL: none */
    const char *const *beside;    /* added like witnesses, but stored like other counters; they distinguish launches of a class */
};
