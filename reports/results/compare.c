#include "results/compare.h"

#include "compare_parts.h"

/* GPUs whose heads find room in a table of a terminal. */
enum { MOST_NAMED = 3 };

bool view_compare_is_numbered(const struct view_compare *compare)
{
    return compare->options.columns && compare->options.numbered && compare->count > MOST_NAMED;
}

static const char *role_of(struct view_compare *compare, size_t index)
{
    if (view_compare_is_numbered(compare))
        return rl_arena_printf(&compare->arena, "GPU %zu", index + 1);
    return index == 0 ? "baseline" : compare->options.columns ? "other" : "candidate";
}

static void add_pairs(struct view_compare *compare, size_t index)
{
    struct view_part *part = &compare->parts[index];
    const struct rl_comparison *comparison = part->comparison;
    part->first = compare->pair_count;
    part->order = rl_arena_alloc(&compare->arena, (comparison->pair_count + 1) * sizeof *part->order);
    rl_comparison_sort(comparison, part->order);
    view_part_find_lines(part, &compare->arena);
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct rl_pair *pair = &comparison->pairs[i];
        compare->pairs[compare->pair_count++] = (struct view_pair){
            .other = index - 1,
            .part = part,
            .pair = pair,
            .base = {compare->parts[0].capture, &comparison->base.items[pair->base], &pair->change.base, index - 1},
            .new = {part->capture, &comparison->new.items[pair->new], &pair->change.new, index - 1},
        };
        part->has_limiters |= comparison->base.items[pair->base].limited_by || comparison->new.items[pair->new].limited_by;
    }
}

static bool is_on_any_other(const struct rl_columns *columns, size_t item)
{
    for (size_t i = 1; i < columns->count; i++)
        if (rl_present(columns->columns[i].cells[item].time_s) || columns->columns[i].cells[item].metric)
            return true;
    return false;
}

static void make_projection(struct view_projection *to, const struct rl_projection *projection)
{
    const size_t count = projection->analysis->capture->kernel_count;
    *to = (struct view_projection){projection, rl_calloc(count, sizeof *to->kernels), count};
    for (size_t i = 0; i < count; i++)
        to->kernels[i] = (struct view_projected){projection, &projection->kernels[i]};
}

struct view_compare *view_compare_new(const struct view_part *parts, size_t count, const struct view_compare_options *options)
{
    struct view_compare *compare = rl_calloc(1, sizeof *compare);
    assert(count > 0);
    *compare = (struct view_compare){.options = *options, .count = count};
    compare->parts = rl_calloc(count, sizeof *compare->parts);
    for (size_t i = 0; i < count; i++) {
        assert((parts[i].comparison == NULL) == (i == 0));
        compare->parts[i] = parts[i];
        compare->parts[i].role = role_of(compare, i);
    }
    size_t all = 0;
    for (size_t i = 1; i < compare->count; i++)
        all += compare->parts[i].comparison->pair_count;
    compare->pairs = rl_calloc(all, sizeof *compare->pairs);
    for (size_t i = 1; i < compare->count; i++)
        add_pairs(compare, i);
    if (options->columns) {
        const struct rl_columns *columns = compare->options.columns;
        compare->kernels = rl_calloc(columns->base->count, sizeof *compare->kernels);
        for (size_t i = 0; i < columns->base->count; i++) {
            if (!is_on_any_other(columns, i))
                continue;
            struct view_card_kernel *kernel = &compare->kernels[compare->kernel_count++];
            *kernel = (struct view_card_kernel){.capture = compare->parts[0].capture, .item = &columns->base->items[i]};
            kernel->cards = rl_arena_alloc(&compare->arena, columns->count * sizeof *kernel->cards);
            for (kernel->count = 0; kernel->count < columns->count; kernel->count++)
                kernel->cards[kernel->count] = (struct view_on_card){columns, kernel->count, i};
        }
    }
    compare->projections = rl_calloc(options->projection_count, sizeof *compare->projections);
    for (size_t i = 0; i < options->projection_count; i++)
        make_projection(&compare->projections[i], options->projections[i]);
    return compare;
}

void view_compare_free(struct view_compare *compare)
{
    for (size_t i = 0; i < compare->options.projection_count; i++)
        free(compare->projections[i].kernels);
    free(compare->projections);
    free(compare->kernels);
    free(compare->pairs);
    free(compare->parts);
    rl_arena_release(&compare->arena);
    free(compare);
}

size_t view_compare_regressions(const struct view_compare *compare, size_t *unequal)
{
    size_t found = 0;
    *unequal = 0;
    for (size_t i = 1; i < compare->count && compare->options.tolerance >= 0; i++) {
        size_t of_part;
        found += rl_comparison_regressions(compare->parts[i].comparison, compare->options.tolerance, &of_part);
        *unequal += of_part;
    }
    return found;
}
