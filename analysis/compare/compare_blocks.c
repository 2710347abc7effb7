/* compare_blocks.c - which sessions were measured on one host, one card and one day. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare_internal.h"
#include "core/clock.h"
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

static int by_time(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;
    return rl_ascending(x->started_s, y->started_s);
}

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

void rl_comparison_number_blocks(struct rl_comparison *comparison)
{
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
}
