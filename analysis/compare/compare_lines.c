/* compare_lines.c - what the samples of two captures say of each line (see compare.h). */
#include "analysis/compare.h"

struct site {
    const char *name, *path, *text; /* name of the file; text without blanks around it */
    uint32_t number;
    uint64_t samples;
};
/* All kernels of a name. */
struct lines {
    const struct rl_pc_sampling *sampling;
    uint64_t all, rest; /* samples; of instructions that were not kept one by one */
    struct site *at;
    size_t count;
    bool has_text, told;
};
struct side {
    const struct rl_capture *capture;
    struct rl_arena *arena;
    struct lines **of_kernel; /* NULL: not sampled, or without lines */
};

static const char *trimmed(struct rl_arena *arena, const char *text)
{
    static const char blanks[] = " \t\r";
    size_t len;

    if (!text)
        return NULL;
    text += strspn(text, blanks);
    for (len = strlen(text); len && strchr(blanks, text[len - 1]);)
        len--;
    return rl_arena_strndup(arena, text, len);
}

/* An rl_pc_take. */
static void keep(const struct rl_pc_profile *profile, const size_t *kernels, void *context)
{
    const struct side *side = context;
    struct lines *lines = rl_arena_alloc(side->arena, sizeof *lines);

    *lines = (struct lines){.sampling = profile->sampling,
                            .all = profile->all.samples,
                            .rest = profile->rest,
                            .at = rl_arena_alloc(side->arena, (profile->line_count + 1) * sizeof *lines->at),
                            .count = profile->line_count,
                            .has_text = true};
    for (size_t i = 0; i < profile->line_count; i++) {
        const struct rl_pc_place *place = &profile->lines[i];
        const struct rl_source_line *line = &side->capture->source_lines[place->at];
        const char *path = side->capture->source_files[line->file].path, *slash = path ? strrchr(path, '/') : NULL;

        lines->at[i] =
            (struct site){slash ? slash + 1 : path, path, trimmed(side->arena, line->text), line->number, place->count.samples};
        lines->has_text &= lines->at[i].text != NULL;
    }
    for (size_t i = 0; i < profile->classes && profile->line_count; i++)
        side->of_kernel[kernels[i]] = lines;
}

static struct side side_of(const struct rl_compare_side *of, struct rl_arena *arena)
{
    const struct rl_capture *capture = of->analysis->capture;
    struct side side = {.capture = capture,
                        .arena = arena,
                        .of_kernel = rl_calloc(capture->pc_function_count ? capture->kernel_count : 0, sizeof *side.of_kernel)};

    rl_pc_each(capture, keep, &side);
    return side;
}

static struct lines *lines_of(const struct side *side, const struct rl_item *item)
{
    return item->kernel == RL_NONE || !side->capture->pc_function_count ? NULL : side->of_kernel[item->kernel];
}

/* A line with samples; 0: with none but, maybe, some of the rest. */
static struct rl_line_figure share_of(const struct side *side, const struct lines *lines, const struct site *site)
{
    const uint64_t samples = site ? site->samples : 0;
    const struct rl_pc_share own = rl_pc_share_of(side->capture, lines->sampling, samples, lines->all),
                             most = rl_pc_share_of(side->capture, lines->sampling, samples + lines->rest, lines->all);

    return (struct rl_line_figure){rl_value_of(own.share), rl_value_of(own.low), rl_value_of(most.high)};
}

static struct rl_line_figure time_of(const struct rl_line_figure *share, const struct rl_median *median)
{
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, "its times are not compared");

    if (!median->n || !median->has_interval)
        return (struct rl_line_figure){none, none, none};
    return (struct rl_line_figure){rl_value_of(share->value.v * median->median), rl_value_of(share->low.v * median->low),
                                   rl_value_of(share->high.v * median->high)};
}

static struct rl_line_figure difference(const struct rl_line_figure *base, const struct rl_line_figure *new)
{
    if (!rl_present(base->value) || !rl_present(new->value))
        return rl_present(base->value) ? *new : *base;
    const double middle = new->value.v - base->value.v;

    return (struct rl_line_figure){
        rl_value_of(middle),
        rl_value_of(middle - hypot(new->value.v - new->low.v, base->high.v - base->value.v)),
        rl_value_of(middle + hypot(new->high.v - new->value.v, base->value.v - base->low.v)),
    };
}

struct work {
    const struct rl_comparison *comparison;
    struct side base, new;
    struct rl_line_change *changes;
    size_t count, cap;
};

RL_COMPARATOR(by_text, struct site, rl_ascending(x->name, y->name) ?: rl_ascending(x->text, y->text)
              ?: rl_ascending(x->number, y->number));

RL_COMPARATOR(by_number, struct site, rl_ascending(x->name, y->name) ?: rl_ascending(x->number, y->number));

/* Which of two lines comes first; 0: they are one. */
static int order_of(const struct site *base, const struct site *new, bool with_text)
{
    return rl_ascending(base->name, new->name)
               ?: with_text ? rl_ascending(base->text, new->text)
                            : rl_ascending(base->number, new->number);
}

static void add(struct work *work, size_t pair, const struct site *base, const struct site *new)
{
    const struct rl_pair *of = &work->comparison->pairs[pair];
    const struct lines *before = lines_of(&work->base, &work->comparison->base.items[of->base]),
                       *after = lines_of(&work->new, &work->comparison->new.items[of->new]);
    const struct site *named = new ? new : base;
    struct rl_line_change change = {.pair = pair,
                                    .path = named->path,
                                    .text = named->text,
                                    .base = base ? base->number : 0,
                                    .new = new ? new->number : 0,
                                    .base_share = share_of(&work->base, before, base),
                                    .new_share = share_of(&work->new, after, new)};

    change.share = difference(&change.base_share, &change.new_share);
    if (!rl_present(change.share.value) || (change.share.low.v <= 0 && change.share.high.v >= 0))
        return;
    change.base_s = time_of(&change.base_share, &of->change.base);
    change.new_s = time_of(&change.new_share, &of->change.new);
    change.time_s = difference(&change.base_s, &change.new_s);
    RL_APPEND(work->changes, work->count, work->cap, change);
}

static void add_pair(struct work *work, size_t pair)
{
    const struct rl_pair *of = &work->comparison->pairs[pair];
    struct lines *base = lines_of(&work->base, &work->comparison->base.items[of->base]),
                 *new = lines_of(&work->new, &work->comparison->new.items[of->new]);

    if (!base || !new || base->told)
        return;
    const bool with_text = base->has_text && new->has_text;
    base->told = true;
    rl_sort(base->at, base->count, sizeof *base->at, with_text ? by_text : by_number);
    rl_sort(new->at, new->count, sizeof *new->at, with_text ? by_text : by_number);
    /* Both in their order: as in merging. */
    for (size_t b = 0, n = 0; b < base->count || n < new->count;) {
        const int order = b == base->count ? 1 : n == new->count ? -1 : order_of(&base->at[b], &new->at[n], with_text);
        add(work, pair, order <= 0 ? &base->at[b] : NULL, order >= 0 ? &new->at[n] : NULL);
        b += order <= 0;
        n += order >= 0;
    }
}

RL_COMPARATOR_AT(by_share, size_t, struct rl_pair, context, rl_descending(x->share, y->share));

static int by_change(const void *a, const void *b)
{
    const struct rl_line_change *x = a, *y = b;
    const double time_x = rl_present(x->time_s.value) ? fabs(x->time_s.value.v) : 0,
                 time_y = rl_present(y->time_s.value) ? fabs(y->time_s.value.v) : 0;
    return rl_descending(time_x, time_y) ?: rl_descending(fabs(x->share.value.v), fabs(y->share.value.v));
}

size_t rl_line_changes_of(const struct rl_comparison *comparison, struct rl_arena *arena, struct rl_line_change **changes)
{
    struct work work = {
        .comparison = comparison, .base = side_of(&comparison->base, arena), .new = side_of(&comparison->new, arena)};
    RL_FREED size_t *order = rl_calloc(comparison->pair_count, sizeof *order);

    for (size_t i = 0; i < comparison->pair_count; i++)
        order[i] = i;
    rl_sort_with(order, comparison->pair_count, sizeof *order, by_share, comparison->pairs);
    for (size_t i = 0; i < comparison->pair_count; i++)
        add_pair(&work, order[i]);
    if (work.count)
        rl_sort(work.changes, work.count, sizeof *work.changes, by_change);
    *changes = rl_arena_alloc(arena, (work.count + 1) * sizeof **changes);
    if (work.count)
        memcpy(*changes, work.changes, work.count * sizeof **changes);
    RL_FREE(work.changes, work.base.of_kernel, work.new.of_kernel);
    return work.count;
}
