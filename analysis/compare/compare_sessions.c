/* compare_sessions.c - further sessions of a side: which of their kernels is which of the first one's, and their times. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_internal.h"
#include "core/clock.h"
#include "core/intern.h"
#include "core/mem.h"
#include "core/sort.h"
#include "session_blocks.h"

/* Where and when a session was measured; what is unknown is the same for all. */
struct stretch {
    const char *host, *cards;
    double started_s; /* NAN: unknown */
    struct rl_side_session *session;
    int side;
};

/* The ids of all GPUs of a capture, "" where one is unknown. */
static const char *cards_of(const struct rl_capture *capture, struct rl_arena *arena)
{
    struct rl_buf ids = RL_BUF_INIT;
    for (size_t i = 0; i < capture->gpu_count; i++) {
        const char *uuid = capture->gpus[i].uuid;
        if (!uuid || !*uuid) {
            rl_buf_reset(&ids);
            break;
        }
        rl_buf_addf(&ids, "%s ", uuid);
    }
    const char *kept = rl_arena_strdup(arena, ids.data);
    rl_buf_release(&ids);
    return kept;
}

static int by_place_and_time(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;
    return rl_ascending(x->cards, y->cards) ?: rl_ascending(x->host, y->host) ?: rl_ascending(x->started_s, y->started_s);
}

RL_COMPARATOR(by_time, struct stretch, rl_ascending(x->started_s, y->started_s));

static bool belong_together(const struct stretch *earlier, const struct stretch *later)
{
    return strcmp(earlier->cards, later->cards) == 0 && strcmp(earlier->host, later->host) == 0 &&
           isnan(earlier->started_s) == isnan(later->started_s) && !(later->started_s - earlier->started_s > RL_DAY_PAUSE_S);
}

static size_t list(struct rl_comparison *comparison, struct stretch *stretches)
{
    struct rl_compare_side *const sides[] = {&comparison->base, &comparison->new};
    size_t count = 0;
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < sides[s]->session_count; i++) {
            struct rl_side_session *session = &sides[s]->sessions[i];
            const struct rl_capture *capture = session->analysis->capture;
            stretches[count++] =
                (struct stretch){capture->session.host ? capture->session.host : "", cards_of(capture, &comparison->arena),
                                 rl_utc_s(capture->session.started), session, s};
        }
    return count;
}

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
    /* Numbers the sessions of both sides by host, card and day, and finds what follows for the confidence. */
    const size_t most = comparison->base.session_count + comparison->new.session_count;
    struct stretch *stretches = rl_calloc(most, sizeof *stretches);
    struct rl_session_level *levels = rl_calloc(most, sizeof *levels);
    const size_t count = list(comparison, stretches);
    rl_sort(stretches, count, sizeof *stretches, by_place_and_time);
    comparison->rules.blocks_of_cards = comparison->relation == RL_ONE_CARD || comparison->relation == RL_ONE_MODEL;
    for (size_t i = 1, block = 0; i < count; i++) {
        block += comparison->relation != RL_OTHER_MODEL && !belong_together(&stretches[i - 1], &stretches[i]);
        stretches[i].session->block = block;
    }
    for (size_t i = 0; i < count; i++)
        levels[i] = (struct rl_session_level){.block = stretches[i].session->block, .side = stretches[i].side};
    const struct rl_session_blocks blocks = rl_session_blocks_of(levels, count);
    bool is_known = true;
    for (size_t i = 0; i < count; i++)
        is_known &= !isnan(stretches[i].started_s);
    rl_sort(stretches, count, sizeof *stretches, by_time);
    for (size_t i = 0; i < count; i++) {
        stretches[i].session->turn = is_known ? i + 1 : 0;
        levels[i] = (struct rl_session_level){.block = stretches[i].session->block, .side = stretches[i].side};
    }
    comparison->rules.in_turn = is_known && rl_sessions_take_turns(levels, count);
    comparison->design = blocks.design;
    memcpy(comparison->counted, blocks.counted, sizeof comparison->counted);
    comparison->rules.confidence = rl_confidence_of_ways(blocks.ways);
    free(levels);
    free(stretches);
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
