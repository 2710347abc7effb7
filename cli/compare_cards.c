/* compare_cards.c - cards of several models (see compare_cards.h). */
#include "compare_cards.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/program.h"
#include "captures.h"
#include "core/mem.h"
#include "core/units.h"

/* ---- prices ---- */

/* "2.5,1.2". */
enum rl_status compare_cards_prices(struct compare_cards_options *options, size_t captures, size_t projected, struct rl_err *err)
{
    const char *const list = options->prices;
    size_t found = 0;
    options->captures = captures;
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL, found++) {
        double price;
        if (!rl_number_parse(at, strcspn(at, ","), &price) || price <= 0 || price > 1e6)
            return rl_err_set(err, RL_USAGE, "--price takes prices of an hour over 0, not '%.*s'", (int)strcspn(at, ","), at);
        if (found < COMPARE_MOST_PRICES)
            options->price[found] = price;
    }
    if (list && found != captures && found != captures + projected)
        return rl_err_set(err, RL_USAGE, "--price takes one price for each capture, the base's first: %zu, not %zu", captures,
                          found);
    return RL_OK;
}

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

static void make_columns(struct compare *compare, const struct compare_cards_options *options)
{
    compare->columns = rl_columns_new(&compare->parts[1].against_base->base);
    for (size_t i = 1; i < compare->count; i++)
        rl_columns_add(compare->columns, compare->parts[i].against_base);
    for (size_t i = 0; i < compare->count && i < COMPARE_MOST_PRICES; i++)
        compare->columns->columns[i].price = options->price[i];
    tell_apart(compare);
}

/* ---- side by side ---- */

static enum rl_status read_program(struct compare *compare, const struct compare_cards_options *options, bool redact,
                                   struct rl_err *err)
{
    struct compare_part *part = &compare->weights;
    const char *slash = strrchr(options->weights, '/');
    part->path = options->weights;
    part->name = redact ? "the program" : slash ? slash + 1 : options->weights;
    const enum rl_status status = cli_read_capture(part->path, &part->bytes, &part->capture, err);
    if (status == RL_OK)
        part->analysis = rl_analysis_new(part->capture);
    return status;
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

static void line_up(struct compare *compare, const struct compare_cards_options *options)
{
    assert(compare->read > 0);
    const struct compare_part *base = &compare->parts[0];
    const bool of_itself = !options->weights && rl_is_program(base->capture);
    const struct rl_lineup_of of = {.base = base_of(compare),
                                    .columns = compare->columns,
                                    .projections = (const struct rl_projection *const *)compare->project.cards,
                                    .projection_count = compare->project.count,
                                    .program = options->weights ? compare->weights.analysis
                                               : of_itself      ? base->analysis
                                                                : NULL,
                                    .program_name = of_itself ? base->name : compare->weights.name,
                                    .price = options->price[0],
                                    .prices = &options->price[options->captures]};
    compare->lineup = rl_lineup_new(&of);
}

enum rl_status compare_cards_relate(struct compare *compare, const struct compare_cards_options *options, bool redact,
                                    struct rl_err *err)
{
    const bool of_cards = compare_is_of_cards(compare), lined_up = of_cards || compare->count == 1;
    assert(compare->count > 1 || compare->project.count > 0);
    if (!lined_up && (options->prices || options->weights))
        return rl_err_set(err, RL_USAGE, "--%s compares cards of different models: these captures are of one",
                          options->prices ? "price" : "weights");
    enum rl_status status = options->weights ? read_program(compare, options, redact, err) : RL_OK;
    if (status != RL_OK)
        return status;
    if (of_cards)
        make_columns(compare, options);
    if (lined_up)
        line_up(compare, options);
    return RL_OK;
}

void compare_cards_release(struct compare *compare)
{
    rl_lineup_free(compare->lineup);
    rl_columns_free(compare->columns);
    rl_analysis_free(compare->weights.analysis);
    rl_capture_free(compare->weights.capture);
    rl_buf_release(&compare->weights.bytes);
}
