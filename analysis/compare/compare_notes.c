/* compare_notes.c - what a reader must know before the figures: what makes two captures less comparable than they look. */
#include "compare_internal.h"

static void note(struct rl_comparison *comparison, const char *text)
{
    RL_APPEND(comparison->notes, comparison->note_count, comparison->note_cap, text);
}

static void note_incomplete(struct rl_comparison *comparison, const struct rl_compare_side *side)
{
    const char *name = side->sessions[0].name;
    if (!side->analysis->capture->session.complete)
        note(comparison,
             rl_arena_printf(&comparison->arena, "'%s' is incomplete: kernels that it did not reach count as missing.", name));
    for (size_t i = 1; i < side->session_count; i++)
        if (!side->sessions[i].analysis->capture->session.complete)
            note(comparison,
                 rl_arena_printf(&comparison->arena,
                                 "Session %zu of the side of '%s' is incomplete: kernels that it did not reach have fewer "
                                 "sessions.",
                                 i + 1, name));
}

static void note_failures(struct rl_comparison *comparison, const struct rl_compare_side *side)
{
    for (size_t i = 0; i < side->session_count; i++) {
        RL_SCRATCH text = RL_BUF_INIT, how = RL_BUF_INIT;
        rl_side_session_failure(&side->sessions[i], &how);
        /* "'new.rlcap'", or with several sessions "Session 2 of the side of 'new.rlcap'". */
        if (side->session_count == 1)
            rl_buf_addf(&text, "'%s'", side->sessions[0].name);
        else
            rl_buf_addf(&text, "Session %zu of the side of '%s'", i + 1, side->sessions[0].name);
        if (how.len)
            note(comparison,
                 rl_arena_printf(&comparison->arena, "%s did not end normally: %s, so it lacks whatever was not launched.",
                                 text.data, how.data));
    }
}

static void note_cards(struct rl_comparison *comparison)
{
    const bool is_many = comparison->base.session_count + comparison->new.session_count > 2;
    if (comparison->relation == RL_ONE_MODEL && rl_blocks_have_cards(&comparison->rules, comparison->design, comparison->counted))
        return; /* note_blocks says it */
    if (comparison->relation == RL_ONE_MODEL)
        note(comparison,
             is_many ? "The sessions were measured on several GPUs of one model: unchanged code differs by up to 3 % between such "
                       "GPUs, so smaller changes are not decided. Measure all on one GPU."
                     : "The captures were measured on two GPUs of one model: unchanged code differs by up to 3 % between such "
                       "GPUs, so smaller changes are not decided. Measure both on one GPU.");
    if (comparison->relation == RL_MAYBE_ONE && comparison->base.analysis->capture->benchmark_count)
        note(comparison, comparison->base.analysis->capture->gpu_count
                             ? "Benchmarks name the model of their GPU, not the GPU: both sides are assumed to use one."
                             : "Benchmarks do not say which GPU they ran on: both sides are assumed to use one.");
    else if (comparison->relation == RL_MAYBE_ONE)
        note(comparison,
             is_many ? "It is unknown whether all sessions were measured on one GPU: 3 % is allowed for, as between two GPUs of "
                       "one model."
                     : "It is unknown whether both captures were measured on one GPU: 3 % is allowed for, as between two GPUs of "
                       "one model.");
}

/* Notes on days, hosts and GPUs where there are several sessions. */
static void note_blocks(struct rl_comparison *comparison)
{
    switch (comparison->design) {
    case RL_DESIGN_ONE:
        break;
    case RL_DESIGN_SHARED:
        note(comparison, "Each day, host and GPU has sessions of both sides, so their differences cancel out.");
        break;
    case RL_DESIGN_COUNTED:
        note(comparison,
             rl_arena_printf(&comparison->arena,
                             "Not every day, host and GPU has sessions of both sides: each counts once, %zu of the baseline and "
                             "%zu of the candidate, however many sessions it has.",
                             comparison->counted[0], comparison->counted[1]));
        break;
    case RL_DESIGN_APART: /* of several GPUs note_cards says what is allowed for */
        if (comparison->relation == RL_ONE_CARD)
            note(comparison, "The sides were measured on two days: how much days differ is unknown, and 0.5 % is allowed for it. "
                             "Measure both on one day, in turn, as compare --run does.");
        break;
    }
}

static bool clock_was_lowered(const struct rl_capture *capture)
{
    for (size_t g = 0; g < capture->gpu_count; g++)
        for (size_t m = 0; m < capture->gpus[g].moment_count; m++)
            if (rl_clock_throttled(capture->gpus[g].moments[m].reading[RL_READING_throttle_reasons]))
                return true;
    return false;
}

static void note_lowered(struct rl_comparison *comparison, const struct rl_compare_side *side)
{
    const char *name = side->sessions[0].name;
    const size_t lowered = RL_SUM(size_t, i, side->session_count, clock_was_lowered(side->sessions[i].analysis->capture));
    if (lowered && side->session_count == 1)
        note(comparison, rl_arena_printf(&comparison->arena, "The clock was lowered while '%s' was measured.", name));
    else if (lowered)
        note(comparison, rl_arena_printf(&comparison->arena, "The clock was lowered in %zu of %zu sessions of the side of '%s'.",
                                         lowered, side->session_count, name));
}

static enum rl_clock clock_of(const struct rl_compare_side *side, size_t item)
{
    const size_t kernel = side->items[item].kernel;
    return kernel == RL_NONE ? RL_CLOCK_UNKNOWN : side->analysis->capture->kernels[kernel].clock.clock;
}

/* Records that instrument the code make kernels of many short warps up to a tenth longer. What they add is subtracted where the
 * clock is known; times of an unknown clock may have it in them. */
static void note_clocks(struct rl_comparison *comparison)
{
    size_t apart = 0, timed = 0;
    const struct rl_pair *example = NULL;
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        if (comparison->base.items[pair->base].kernel == RL_NONE || pair->not_compared)
            continue;
        timed++;
        if (clock_of(&comparison->base, pair->base) != clock_of(&comparison->new, pair->new)) {
            apart++;
            example = example ? example : pair;
        }
    }
    if (!example)
        return;
    const enum rl_clock base = clock_of(&comparison->base, example->base), new = clock_of(&comparison->new, example->new);
    const bool unknown = base == RL_CLOCK_UNKNOWN || new == RL_CLOCK_UNKNOWN;
    note(comparison, rl_arena_printf(&comparison->arena, "%zu of %zu kernels were timed differently on the two sides (%s; %s)%s.",
                                     apart, timed, rl_clock_name(base), rl_clock_name(new),
                                     unknown ? ": one side may read up to 10 % longer for kernels of many short warps" : ""));
}

void rl_comparison_add_notes(struct rl_comparison *comparison)
{
    const struct rl_compare_side *const sides[] = {&comparison->base, &comparison->new};
    const size_t unequal = comparison->unequal_count, count = comparison->broken_count;
    if (unequal)
        note(comparison,
             rl_arena_printf(&comparison->arena,
                             "%zu of %zu kernels %s not do the same work in both captures: their times do not compare like "
                             "with like.",
                             unequal, comparison->pair_count, unequal == 1 ? "does" : "do"));
    if (count)
        note(comparison, rl_arena_printf(&comparison->arena, "%zu kernel%s that computed the right result %s a wrong one now.",
                                         count, count == 1 ? "" : "s", count == 1 ? "computes" : "compute"));
    comparison->effect_notes = comparison->note_count;
    if (comparison->pair_count == 0 && comparison->base.count > 0 && comparison->new.count > 0)
        note(comparison, "The captures have no kernel in common by name or NVTX path: --match FILE can say which is which.");
    for (size_t s = 0; s < RL_COUNT(sides); s++)
        note_incomplete(comparison, sides[s]);
    for (size_t s = 0; s < RL_COUNT(sides); s++)
        note_failures(comparison, sides[s]);
    note_cards(comparison);
    note_blocks(comparison);
    for (size_t s = 0; s < RL_COUNT(sides); s++)
        note_lowered(comparison, sides[s]);
    note_clocks(comparison);
    for (size_t i = 0; i < RL_CIRCUMSTANCE_COUNT; i++) {
        /* "The driver changed from 1.0 to 2.0." */
        enum rl_circumstance circumstance = (enum rl_circumstance)i;
        RL_SCRATCH text = RL_BUF_INIT;
        if (rl_comparison_differs(comparison, circumstance, &text))
            note(comparison, rl_arena_printf(&comparison->arena, "%s %s.", rl_circumstance_names[circumstance], text.data));
    }
}
