/* compare_cards.c - cards of several models (see compare_cards.h). */
#include "compare_cards.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/units.h"

/* ---- columns ---- */

/* Without the ending ".rlcap". */
static size_t stem_length(const char *name)
{
    static const char ending[] = ".rlcap";
    const size_t len = strlen(name), end = strlen(ending);
    return len > end && strcmp(name + len - end, ending) == 0 ? len - end : len;
}

/* Captures of one model are told apart by their files. */
static void tell_apart(struct compare *compare)
{
    struct rl_columns *columns = compare->columns;
    bool *twice = rl_calloc(columns->count, sizeof *twice);
    for (size_t i = 0; i < columns->count; i++)
        for (size_t j = 0; j < columns->count; j++)
            twice[i] |= i != j && strcmp(columns->columns[i].card, columns->columns[j].card) == 0;
    for (size_t i = 0; i < columns->count; i++)
        if (twice[i])
            columns->columns[i].card = rl_arena_printf(&columns->arena, "%s (%.*s)", columns->columns[i].card,
                                                       (int)stem_length(compare->parts[i].name), compare->parts[i].name);
    free(twice);
}

static void make_columns(struct compare *compare)
{
    compare->columns = rl_columns_new(&compare->parts[1].against_base->base);
    for (size_t i = 1; i < compare->count; i++)
        rl_columns_add(compare->columns, compare->parts[i].against_base);
    tell_apart(compare);
}

/* ---- side by side ---- */

/* The side that the base is, also where nothing is compared with it. */
static const struct rl_compare_side *base_of(struct compare *compare)
{
    assert(compare->read > 0);
    if (compare->count > 1)
        return &compare->parts[1].against_base->base;
    rl_compare_side_list(&compare->alone, compare->parts[0].analysis, &compare->arena);
    return &compare->alone;
}

static void line_up(struct compare *compare)
{
    assert(compare->read > 0);
    const struct rl_lineup_of of = {.base = base_of(compare),
                                    .columns = compare->columns,
                                    .projections = (const struct rl_projection *const *)compare->project.cards,
                                    .projection_count = compare->project.count};
    compare->lineup = rl_lineup_new(&of);
}

void compare_cards_relate(struct compare *compare)
{
    const bool of_cards = compare_is_of_cards(compare);
    assert(compare->count > 1 || compare->project.count > 0);
    if (of_cards)
        make_columns(compare);
    if (of_cards || compare->count == 1)
        line_up(compare);
}

void compare_cards_release(struct compare *compare)
{
    rl_lineup_free(compare->lineup);
    rl_columns_free(compare->columns);
}
