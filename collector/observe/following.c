/* following.c - what the child that samples knows of the program's launches (following.h). */
#include "following.h"

#include "core/clock.h"

void rl_following_begin(struct rl_following *following, struct rl_pulse *pulse, size_t room, size_t window)
{
    *following = (struct rl_following){.pulse = pulse,
                                       .purse = {.at_ns = rl_monotonic_ns(), .credit_ns = RL_FOLLOW_FIRST_NS},
                                       .seen = {.room = room, .window = window},
                                       .worked_ns = rl_thread_cpu_ns()};
}

void rl_following_forget(struct rl_following *following)
{
    following->launched = atomic_load(&following->pulse->launched);
    following->wanted = atomic_load(&following->pulse->wanted);
}

static void spend(struct rl_following *following)
{
    const int64_t worked_ns = rl_thread_cpu_ns();
    rl_follow_earn(&following->purse, rl_monotonic_ns());
    rl_follow_spend(&following->purse, (uint64_t)(worked_ns - following->worked_ns));
    following->worked_ns = worked_ns;
}

/* What was launched since the last look. */
static void see(struct rl_following *following)
{
    struct rl_follow_seen *seen = &following->seen;
    const unsigned long long launched = following->launched, wanted = following->wanted;
    rl_following_forget(following);
    seen->now_ns = rl_monotonic_ns();
    seen->under_way = atomic_load(&following->pulse->under_way) > 0;
    if (following->launched != launched) {
        seen->launched_ns = seen->now_ns;
        rl_follow_hear(&following->rhythm, seen->now_ns);
    }
    if (following->wanted != wanted)
        seen->wanted_ns = seen->now_ns;
    if (!seen->first_ns && (seen->launched_ns || seen->under_way))
        seen->first_ns = seen->now_ns;
    seen->burst_ns = following->rhythm.begun_ns;
    seen->expected = rl_follow_expects(&following->rhythm, seen->now_ns);
}

struct rl_follow_choice rl_following_look(struct rl_following *following)
{
    spend(following);
    see(following);
    following->seen.credit_ns = following->purse.credit_ns;
    return rl_follow_choose(&following->seen);
}

bool rl_following_is_over(void *context)
{
    struct rl_following *following = context;
    see(following);
    return rl_follow_is_over(&following->seen, following->opened_ns);
}
