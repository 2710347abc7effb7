/* compare_notes.c - what a reader must know before the figures: what makes two captures less comparable than they look. */
#include <math.h>
#include <string.h>

#include "compare_internal.h"
#include "core/mem.h"

static void note(struct rl_comparison *comparison, const char *text)
{
    RL_GROW(comparison->notes, comparison->note_count + 1, comparison->note_cap);
    comparison->notes[comparison->note_count++] = text;
}

static void note_work(struct rl_comparison *comparison)
{
    const size_t count = comparison->unequal_count;
    if (count)
        note(comparison,
             rl_arena_printf(&comparison->arena,
                             "%zu of %zu kernels %s not do the same work in both captures: their times do not compare like "
                             "with like.",
                             count, comparison->pair_count, count == 1 ? "does" : "do"));
}

static void note_strangers(struct rl_comparison *comparison)
{
    if (comparison->pair_count == 0 && comparison->base.count > 0 && comparison->new.count > 0)
        note(comparison, "No kernel of one capture is one of the other by name or NVTX path: --match FILE says which is which.");
}

static void note_results(struct rl_comparison *comparison)
{
    const size_t count = comparison->broken_count;
    if (count)
        note(comparison, rl_arena_printf(&comparison->arena, "%zu kernel%s that computed the right thing %s the wrong one now.",
                                         count, count == 1 ? "" : "s", count == 1 ? "computes" : "compute"));
}

static void note_broken(struct rl_comparison *comparison, const struct rl_compare_side *side, const char *name)
{
    if (rl_capture_signed(side->analysis->capture) == RL_BROKEN)
        note(comparison,
             rl_arena_printf(&comparison->arena,
                             "The signature of '%s' is BROKEN: it was changed after it was signed, and nobody vouches for "
                             "its figures.",
                             name));
}

static void note_incomplete(struct rl_comparison *comparison, const struct rl_compare_side *side, const char *name)
{
    if (!side->analysis->capture->session.complete)
        note(comparison,
             rl_arena_printf(&comparison->arena, "'%s' is incomplete: kernels that it did not reach count as missing.", name));
    for (size_t i = 0; i < side->unfinished_count; i++)
        note(comparison, rl_arena_printf(&comparison->arena,
                                         "Session %zu of the side of '%s' is incomplete: kernels that it did not reach have fewer "
                                         "sessions.",
                                         side->unfinished[i], name));
}

static void note_cards(struct rl_comparison *comparison)
{
    if (comparison->relation == RL_ONE_MODEL)
        note(comparison, "The captures are of two cards of one model: unchanged code differs by up to 3 % between such cards, so "
                         "smaller changes are not decided. Measure both on one card.");
    if (comparison->relation == RL_MAYBE_ONE)
        note(comparison,
             "Whether both captures are of one card is not known: 3 % are allowed for, as between two cards of one model.");
}

/* One text of both sessions, when both have it and it is not the same. */
static void note_change(struct rl_comparison *comparison, const char *what, const char *base, const char *new)
{
    if (base && new &&strcmp(base, new) != 0)
        note(comparison, rl_arena_printf(&comparison->arena, "%s changed from %s to %s.", what, base, new));
}

static bool clock_was_lowered(const struct rl_capture *capture)
{
    for (size_t g = 0; g < capture->gpu_count; g++)
        for (size_t m = 0; m < capture->gpus[g].moment_count; m++)
            if (rl_clock_throttled(capture->gpus[g].moments[m].reading[RL_READING_throttle_reasons]))
                return true;
    return false;
}

static void note_lowered(struct rl_comparison *comparison, const struct rl_compare_side *side, const char *name)
{
    if (clock_was_lowered(side->analysis->capture))
        note(comparison, rl_arena_printf(&comparison->arena, "The clock was lowered while '%s' was measured.", name));
}

void rl_comparison_add_notes(struct rl_comparison *comparison, const struct rl_compare_options *options)
{
    const struct rl_session *base = &comparison->base.analysis->capture->session,
                            *new = &comparison->new.analysis->capture->session;
    note_broken(comparison, &comparison->base, options->base_name);
    note_broken(comparison, &comparison->new, options->new_name);
    note_strangers(comparison);
    note_work(comparison);
    note_results(comparison);
    note_incomplete(comparison, &comparison->base, options->base_name);
    note_incomplete(comparison, &comparison->new, options->new_name);
    note_cards(comparison);
    note_lowered(comparison, &comparison->base, options->base_name);
    note_lowered(comparison, &comparison->new, options->new_name);
    note_change(comparison, "The driver", base->driver, new->driver);
    note_change(comparison, "rooflight", base->tool_version, new->tool_version);
    note_change(comparison, "The source of the figures", base->source, new->source);
}
