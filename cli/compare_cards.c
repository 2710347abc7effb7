/* compare_cards.c - GPUs of several models: those of captures, and those that are not at hand (see compare.h). */
#include "compare.h"

#include "core/suggest.h"

static enum rl_status unknown_card(const char *name, struct rl_err *err)
{
    RL_SCRATCH family = RL_BUF_INIT;
    /* "V100-PCIE-16GB, V100-SXM2-16GB" for "V100": the GPUs of which it is the first part; how many. */
    size_t members = 0;
    for (size_t i = 0; i < rl_card_count; i++)
        if (rl_suggest_is_of_family(rl_cards[i].id, name))
            rl_buf_addf(&family, "%s%s", members++ ? ", " : "", rl_cards[i].id);
    if (members)
        rl_err_set(err, RL_USAGE, "'%s' is %zu GPUs: take one of %s", name, members, family.data);
    if (members)
        return RL_USAGE;
    const char **known = rl_calloc(rl_card_count, sizeof *known);
    for (size_t i = 0; i < rl_card_count; i++)
        known[i] = rl_cards[i].id;
    const char *nearest = rl_suggest_nearest(name, known, rl_card_count);
    rl_err_set(err, RL_USAGE, "there is no GPU '%s'%s%s%s; 'rooflight list cards' shows all", name,
               nearest ? ", did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
    free(known);
    return RL_USAGE;
}

enum rl_status compare_parse_cards(const char *list, const struct rl_card_info *cards[COMPARE_MOST_CARDS], size_t *count,
                                   struct rl_err *err)
{
    enum rl_status status = RL_OK;
    *count = 0;
    for (const char *at = list; status == RL_OK && at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        RL_FREED char *name = rl_strndup(at, strcspn(at, ","));
        const struct rl_card_info *card = rl_card_find(name);
        if (!card)
            status = unknown_card(name, err);
        else if (*count == COMPARE_MOST_CARDS)
            status = rl_err_set(err, RL_USAGE, "--project takes at most %d GPUs", COMPARE_MOST_CARDS);
        else if (!RL_ANY(i, *count, cards[i] == card))
            cards[(*count)++] = card;
    }
    return status;
}

/* Without the ending ".rlcap". */
static size_t stem_length(const char *name)
{
    static const char ending[] = ".rlcap";
    const size_t len = strlen(name), end = strlen(ending);
    return len > end && strcmp(name + len - end, ending) == 0 ? len - end : len;
}

static void make_columns(struct compare *compare)
{
    compare->columns = rl_columns_new(&compare->parts[1].against_base->base);
    for (size_t i = 1; i < compare->count; i++)
        rl_columns_add(compare->columns, compare->parts[i].against_base);
    /* Captures of one model are distinguished by their files. */
    struct rl_columns *columns = compare->columns;
    RL_FREED bool *twice = rl_calloc(columns->count, sizeof *twice);
    for (size_t i = 0; i < columns->count; i++)
        for (size_t j = 0; j < columns->count; j++)
            twice[i] |= i != j && strcmp(columns->columns[i].card, columns->columns[j].card) == 0;
    for (size_t i = 0; i < columns->count; i++)
        if (twice[i])
            columns->columns[i].card = rl_arena_printf(&columns->arena, "%s (%.*s)", columns->columns[i].card,
                                                       (int)stem_length(compare->parts[i].name), compare->parts[i].name);
}

/* The side that the base is, also where nothing is compared with it. */
static const struct rl_compare_side *base_of(struct compare *compare)
{
    assert(compare->read > 0);
    if (compare->count > 1)
        return &compare->parts[1].against_base->base;
    rl_compare_side_list(&compare->alone, compare->parts[0].analysis, &compare->arena);
    return &compare->alone;
}

void compare_cards_relate(struct compare *compare, const struct rl_card_info *const *cards, size_t count)
{
    for (size_t i = 0; i < count; i++)
        compare->projections[compare->projection_count++] = rl_projection_new(compare->parts[0].analysis, cards[i]);
    const bool of_cards = compare_is_of_cards(compare);
    assert(compare->count > 1 || compare->projection_count > 0);
    if (of_cards)
        make_columns(compare);
    if (of_cards || compare->count == 1) {
        assert(compare->read > 0);
        const struct rl_lineup_of of = {.base = base_of(compare),
                                        .columns = compare->columns,
                                        .projections = (const struct rl_projection *const *)compare->projections,
                                        .projection_count = compare->projection_count};
        compare->lineup = rl_lineup_new(&of);
    }
}

void compare_cards_release(struct compare *compare)
{
    rl_lineup_free(compare->lineup);
    rl_columns_free(compare->columns);
    for (size_t i = 0; i < compare->projection_count; i++)
        rl_projection_free(compare->projections[i]);
}
