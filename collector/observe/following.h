/* following.h - what the child that samples knows of the program's launches, looked at through the memory that it shares with the
 * collecting process (pulse.h). Private to the collector. What follows from it is in follow.h. */
#ifndef RL_COLLECTOR_FOLLOWING_H
#define RL_COLLECTOR_FOLLOWING_H

#include "follow.h"
#include "pulse.h"

struct rl_following {
    struct rl_pulse *pulse;
    unsigned long long launched, wanted; /* as they were last seen */
    struct rl_follow_purse purse;
    struct rl_follow_rhythm rhythm;
    struct rl_follow_seen seen;
    int64_t worked_ns; /* of the processor, until the purse was last asked */
    int64_t opened_ns; /* the window that is open was */
    size_t windows;    /* that were opened */
};
/* `room`: samples that are kept; `window`: of a window. `pulse` outlives it. */
void rl_following_begin(struct rl_following *following, struct rl_pulse *pulse, size_t room, size_t window);
/* Looks, and chooses what to do now. */
struct rl_follow_choice rl_following_look(struct rl_following *following);
/* Looks, and says whether the window that is open may end. `context` is the struct rl_following. */
bool rl_following_is_over(void *context);
/* What was launched until now is no sign that a kernel runs. */
void rl_following_forget(struct rl_following *following);

#endif
