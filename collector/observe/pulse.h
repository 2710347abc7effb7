/* pulse.h - what the process that samples a GPU is told of the program's launches while they are made. Private to the collector.
 *
 * Memory that the collecting process and its sampling child have both mapped: the one writes, the other looks.
 * Numbers are hints for the choice of the moment, nothing is counted by them. */
#ifndef RL_COLLECTOR_PULSE_H
#define RL_COLLECTOR_PULSE_H

#include <stdatomic.h>

struct rl_pulse {
    atomic_ullong launched;  /* launches of kernels and graphs by all processes of the program: changes when there are more */
    atomic_ullong under_way; /* launches of which it is not known that they have ended */
    atomic_ullong wanted;    /* launches of classes that have few samples so far: changes when there are more */
};

#endif
