/* compare_sessions.c - further sessions of a side: which of their kernels is which of the first one's, and their times. */
#include <assert.h>
#include <string.h>

#include "compare_internal.h"
#include "core/intern.h"
#include "core/mem.h"

static void add_times(const struct rl_compare_side *side, struct rl_item *item, const struct rl_item *more,
                      const struct rl_side_session *session)
{
    const struct rl_capture *capture = session->analysis->capture;
    const enum rl_relation_of_cards cards =
        rl_relation_of_gpus(&side->analysis->capture->gpus[item->gpu], &capture->gpus[more->gpu]);
    item->cards = cards > item->cards ? cards : item->cards;
    struct rl_times *times = (struct rl_times *)item->sessions.times; /* made by make_room */
    times[item->sessions.count] = more->times;
    times[item->sessions.count].turn = session->turn;
    times[item->sessions.count++].block = session->block;
    if (!item->not_compared)
        item->not_compared = more->not_compared;
    item->wrong_later |= more->variant != RL_NONE && capture->variants[more->variant].result == RL_RESULT_WRONG;
}

/* Matches a session with the first one of its side; what that one does not have is left out. */
static enum rl_status add_session(struct rl_comparison *comparison, struct rl_compare_side *side, struct rl_side_session *session,
                                  struct rl_err *err)
{
    const struct rl_capture *first = side->analysis->capture, *capture = session->analysis->capture;
    if (first->gpu_count && capture->gpu_count && strcmp(first->gpus[0].name, capture->gpus[0].name) != 0)
        return rl_err_set(err, RL_FAILED, "'%s' is of %s, the first session of its side of %s: sessions of a side are of one model",
                          session->name, capture->gpus[0].name, first->gpus[0].name);
    struct rl_comparison within = {.arena = comparison->arena, .base = *side};
    rl_comparison_list_items(&within.new, session->analysis, &within.arena);
    const enum rl_status status = rl_comparison_match(&within, &(struct rl_compare_options){.never_by_likeness = true}, err);
    for (size_t i = 0; i < within.pair_count && status == RL_OK; i++)
        add_times(side, &side->items[within.pairs[i].base], &within.new.items[within.pairs[i].new], session);
    session->is_strange = within.pair_count == 0 && side->count > 0; /* benchmarks have none */
    comparison->arena = within.arena;
    assert(!within.notes);
    return status;
}

/* A capture that takes part twice would count twice. */
static enum rl_status check_once(struct rl_intern *seen, const struct rl_analysis *analysis, const char *name, struct rl_err *err)
{
    const char *hash = analysis->capture->sha256.hex;
    bool is_new = true;
    if (*hash)
        (void)rl_intern(seen, 0, hash, &is_new);
    return is_new ? RL_OK
                  : rl_err_set(err, RL_FAILED, "'%s' holds the same capture as another session: it would count twice", name);
}

enum rl_status rl_comparison_add_sessions(struct rl_comparison *comparison, struct rl_err *err)
{
    struct rl_compare_side *const sides[] = {&comparison->base, &comparison->new};
    struct rl_intern seen = {0};
    enum rl_status status = RL_OK;
    for (size_t s = 0; s < RL_COUNT(sides) && status == RL_OK; s++)
        status = check_once(&seen, sides[s]->analysis, sides[s]->sessions[0].name, err);
    rl_comparison_number_blocks(comparison);
    for (size_t s = 0; s < RL_COUNT(sides) && status == RL_OK; s++) {
        /* Room for the times of all sessions of a side; the first one's are there. */
        struct rl_compare_side *side = sides[s];
        for (size_t i = 0; i < side->count; i++) {
            struct rl_times *times = rl_arena_alloc(&comparison->arena, sides[s]->session_count * sizeof *times);
            times[0] = side->items[i].times;
            times[0].block = side->sessions[0].block;
            times[0].turn = side->sessions[0].turn;
            side->items[i].sessions = (struct rl_sessions){times, 1};
        }
        for (size_t i = 1; i < sides[s]->session_count && status == RL_OK; i++) {
            struct rl_side_session *session = &sides[s]->sessions[i];
            status = check_once(&seen, session->analysis, session->name, err);
            if (status == RL_OK)
                status = add_session(comparison, sides[s], session, err);
        }
    }
    rl_intern_release(&seen);
    return status;
}
