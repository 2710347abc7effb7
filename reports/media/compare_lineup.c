/* compare_lineup.c - cards: the page that says it. What each card is, how fast it is by what limits kernels. */
#include <assert.h>
#include <math.h>

#include "compare_doc.h"
#include "core/mem.h"

enum { MOST_NAMED = 6, MOST_TOLD = 4, MOST_IN_TABLE = 5, ROWS_OF_CHART = 16, LEAST_GROUPS = 3 };

static const struct rl_lineup *lineup_of(const struct rl_document *doc)
{
    return rl_compare_what(doc)->options.lineup;
}

/* ---- the chart: speed-ups by what limits ---- */

static size_t groups_shown(const struct rl_lineup *lineup)
{
    const size_t room = ROWS_OF_CHART / (lineup->count > 1 ? lineup->count - 1 : 1),
                 most = room > LEAST_GROUPS ? room : LEAST_GROUPS;
    return lineup->group_count < most ? lineup->group_count : most;
}

static struct rl_chart_interval row_of(struct rl_document *doc, const struct rl_lineup_group *group, size_t card)
{
    const struct rl_lineup *lineup = lineup_of(doc);
    assert(card > 0 && card < lineup->count);
    const struct rl_group_speedup *speedup = &group->on[card];
    const bool there = speedup->kernels > 0;
    const char *name = lineup->count > 2 ? rl_words(doc, "  %s", rl_compare_words_lined_up(doc, card)) : "";
    return (struct rl_chart_interval){
        .label = card == 1 ? rl_words(doc, "%s (%zu)", group->label, group->kernels) : "",
        .value = there ? speedup->middle : NAN,
        .low = there && speedup->low < speedup->high ? speedup->low : NAN,
        .high = there && speedup->low < speedup->high ? speedup->high : NAN,
        .expected = there && rl_present(speedup->expected) ? speedup->expected.v : NAN,
        .tone = rl_compare_card_tone(card),
        .hollow = lineup->cards[card].kind != RL_LINEUP_MEASURED,
        .note = there ? rl_words(doc, "%.2f×%s", speedup->middle, name) : rl_words(doc, "–%s", name),
    };
}

static double least_of(const struct rl_chart_interval *row)
{
    double least = fmin(row->value, row->low); /* which pass over NAN */
    for (size_t i = 0; i < row->extra_count; i++)
        least = fmin(least, row->extras[i].value);
    return least;
}

static double greatest_of(const struct rl_chart_interval *row)
{
    double greatest = fmax(row->value, row->high);
    for (size_t i = 0; i < row->extra_count; i++)
        greatest = fmax(greatest, row->extras[i].value);
    return greatest;
}

void rl_compare_chart_speedups(struct rl_document *doc, struct rl_section *section, const struct rl_chart_interval *rows,
                               size_t count)
{
    struct rl_chart_reference *one = rl_arena_alloc(doc->arena, sizeof *one);
    double lowest = 1, highest = 1;
    assert(rows && count > 0);
    for (size_t i = 0; i < count; i++) {
        lowest = fmin(lowest, least_of(&rows[i]));
        highest = fmax(highest, greatest_of(&rows[i]));
    }
    *one = (struct rl_chart_reference){1, true, rl_compare_words_lined_up(doc, 0)};
    struct rl_chart *chart = rl_document_chart(doc, section, RL_CHART_INTERVALS);
    chart->intervals = (struct rl_chart_intervals){.unit = RL_UNIT_NONE,
                                                   .log = highest / lowest > 4,
                                                   .title = "Times as fast as the base: right of 1 is faster",
                                                   .band_low = NAN,
                                                   .band_high = NAN,
                                                   .rows = rows,
                                                   .row_count = count,
                                                   .references = one,
                                                   .reference_count = 1};
}

static void plan_cards(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_lineup *lineup = lineup_of(doc);
    const size_t groups = groups_shown(lineup), others = lineup->count - 1;
    struct rl_chart_interval *rows = rl_arena_alloc(doc->arena, (groups * others + 1) * sizeof *rows);
    for (size_t i = 0; i < groups * others; i++)
        rows[i] = row_of(doc, &lineup->groups[i / others], 1 + i % others);
    bool any = false; /* speed-up */
    for (size_t c = 1; c < lineup->count; c++)
        any |= lineup->all.on[c].kernels > 0;
    if (any)
        rl_compare_chart_speedups(doc, section, rows, groups * others);
}

/* "H200 (blue), T4, projected (vermilion, hollow)". */
static const char *legend(struct rl_document *doc)
{
    const struct rl_lineup *lineup = lineup_of(doc);
    const char *text = "";
    for (size_t c = 1; c < lineup->count; c++)
        text = rl_words(doc, "%s%s%s (%s%s)", text, *text ? ", " : "", rl_compare_words_lined_up(doc, c), rl_compare_card_colour(c),
                        lineup->cards[c].kind == RL_LINEUP_MEASURED ? "" : ", hollow");
    return text;
}

static void lay_chart(struct rl_document *doc, const struct rl_section *section)
{
    const struct rl_lineup *lineup = lineup_of(doc);
    if (section->chart_count == 0)
        return;
    const size_t left = lineup->group_count - groups_shown(lineup);
    rl_layout_figure(
        doc->layout, &rl_document_result(doc, section, 0)->drawing,
        rl_words(doc,
                 "Speed-up by what limits kernels on %s, with the number of such kernels: %s. Mark: the median; line: from the "
                 "least to the greatest; diamond: what the roofs of both cards predict.",
                 rl_compare_words_lined_up(doc, 0), legend(doc)),
        left ? rl_words(doc, "%s with fewer kernels left out; speed-up: " RL_SPEEDUP_READS ".",
                        rl_words_count(doc, left, "limiter is", "limiters are"))
             : "Speed-up: " RL_SPEEDUP_READS ".");
}

/* ---- what each card is ---- */

/* A value beside what it is of the base's. */
static void add_value(struct rl_document *doc, struct rl_grid *grid, enum rl_unit unit, struct rl_value value, struct rl_value base,
                      const char *sign, bool is_base)
{
    const struct rl_value ratio = rl_value_div(value, base, NULL);
    rl_grid_cell(grid, *sign ? RL_STYLE_CELL_QUIET : RL_STYLE_CELL,
                 rl_present(value) ? rl_words(doc, "%s%s", sign, rl_words_value(doc, unit, value, 3)) : "–");
    if (!is_base)
        rl_grid_cell(grid, RL_STYLE_SIDE, !rl_present(ratio) ? "" : rl_words(doc, ratio.v < 0.095 ? "%.2g×" : "%.2f×", ratio.v));
}

struct fact {
    const char *name;
    enum rl_unit unit;
    size_t at; /* of its struct rl_value in struct rl_lineup_card */
};
static const struct fact facts[] = {
    {"device memory", RL_UNIT_SIZE, offsetof(struct rl_lineup_card, memory_bytes)},
    {"power limit", RL_UNIT_WATT, offsetof(struct rl_lineup_card, power_w)},
    {"SMs", RL_UNIT_COUNT, offsetof(struct rl_lineup_card, sm_count)},
};

static struct rl_value fact_of(const struct rl_lineup_card *card, const struct fact *fact)
{
    return *(const struct rl_value *)((const char *)card + fact->at);
}

/* Roofs that people choose cards by. */
static const enum rl_ceiling_id roofs[] = {
    RL_CEILING_dram, RL_CEILING_l2,          RL_CEILING_shared,      RL_CEILING_fp64,        RL_CEILING_fp32,
    RL_CEILING_fp16, RL_CEILING_tensor_fp16, RL_CEILING_tensor_bf16, RL_CEILING_tensor_tf32, RL_CEILING_tensor_fp8};

static bool any_roof(const struct rl_lineup *lineup, enum rl_ceiling_id roof)
{
    assert(roof < RL_CEILING_COUNT);
    for (size_t c = 0; c < lineup->count; c++)
        if (rl_present(lineup->cards[c].roof[roof]))
            return true;
    return false;
}

/* Cards `first` to before `end`, and the base before them. */
static void add_rows(struct rl_document *doc, struct rl_grid *grid, const size_t *cards, size_t count)
{
    const struct rl_lineup *lineup = lineup_of(doc);
    const struct rl_lineup_card *base = &lineup->cards[0];
    for (size_t i = 0; i < RL_COUNT(facts); i++) {
        rl_grid_row(grid);
        rl_grid_cell(grid, RL_STYLE_CELL, facts[i].name);
        for (size_t c = 0; c < count; c++)
            add_value(doc, grid, facts[i].unit, fact_of(&lineup->cards[cards[c]], &facts[i]), fact_of(base, &facts[i]), "", c == 0);
    }
    for (size_t i = 0; i < RL_COUNT(roofs); i++) {
        if (!any_roof(lineup, roofs[i]))
            continue;
        rl_grid_row(grid);
        rl_grid_cell(grid, RL_STYLE_CELL, rl_ceilings[roofs[i]].label);
        for (size_t c = 0; c < count; c++) {
            const struct rl_lineup_card *card = &lineup->cards[cards[c]];
            add_value(doc, grid, rl_ceilings[roofs[i]].unit, card->roof[roofs[i]], base->roof[roofs[i]],
                      card->measured[roofs[i]] ? "" : "≤ ", c == 0);
        }
    }
}

static void lay_facts(struct rl_document *doc, size_t first, size_t end)
{
    static const struct rl_grid_column heads[] = {{.head = ""}};
    size_t cards[MOST_IN_TABLE] = {0}, count = 1;
    struct rl_grid grid;
    assert(end - first < MOST_IN_TABLE);
    for (size_t c = first; c < end; c++)
        cards[count++] = c;
    rl_grid_begin(&grid, doc->layout, NULL, heads, RL_COUNT(heads));
    for (size_t c = 0; c < count; c++) {
        rl_grid_add_columns(
            &grid,
            &(struct rl_grid_column){.head = rl_compare_words_lined_up(doc, cards[c]), .align = RL_GRID_RIGHT, .whole = true}, 1);
        if (c > 0)
            rl_grid_add_columns(&grid, &(struct rl_grid_column){.close = true}, 1);
    }
    add_rows(doc, &grid, cards, count);
    rl_grid_end(&grid);
    rl_layout_skip(doc->layout, 4);
}

static void lay_all_facts(struct rl_document *doc)
{
    const struct rl_lineup *lineup = lineup_of(doc);
    for (size_t c = 1; c < lineup->count; c += MOST_IN_TABLE - 1)
        lay_facts(doc, c, c + MOST_IN_TABLE - 1 < lineup->count ? c + MOST_IN_TABLE - 1 : lineup->count);
    rl_layout_text(
        doc->layout, RL_STYLE_NOTE,
        "Roofs were measured by rooflight; ≤ marks those of the data sheet or theory, which are upper bounds. In small type: "
        "relative to the base.");
}

/* ---- the page ---- */

const char *rl_compare_words_cards(struct rl_document *doc)
{
    const struct rl_lineup *lineup = lineup_of(doc);
    const char *names = rl_compare_words_lined_up(doc, 0);
    for (size_t c = 1; c < lineup->count && c < MOST_NAMED; c++)
        names =
            rl_words(doc, "%s%s%s", names, c + 1 == lineup->count ? " and " : ", ", rl_words_short(doc, lineup->cards[c].name, 30));
    return lineup->count > MOST_NAMED ? rl_words(doc, "%s and %zu more", names, lineup->count - MOST_NAMED) : names;
}

static void lay_title(struct rl_document *doc)
{
    const struct rl_lineup *lineup = lineup_of(doc);
    const char *given = doc->options->title, *title = given ? rl_words_short(doc, given, 60) : rl_compare_words_cards(doc);
    rl_layout_text(doc->layout, lineup->count > 2 ? RL_STYLE_SECTION : RL_STYLE_DISPLAY, title);
    rl_layout_skip(doc->layout, 6);
}

static void lay_answers(struct rl_document *doc)
{
    const struct rl_lineup *lineup = lineup_of(doc);
    for (size_t c = 1, told = 0; c < lineup->count && told < MOST_TOLD; c++) {
        struct rl_buf text = RL_BUF_INIT;
        if (lineup->cards[c].kind == RL_LINEUP_PROJECTED && told > 0)
            break; /* the chart has them */
        told++;
        rl_lineup_text(lineup, c, &text);
        rl_layout_textf(doc->layout, lineup->count > 2 ? RL_STYLE_BODY : RL_STYLE_LEAD, "%s: %s.",
                        rl_compare_words_lined_up(doc, c), text.len ? text.data : "no kernel in common with the base");
        rl_buf_release(&text);
    }
    rl_layout_skip(doc->layout, 8);
}

static void draw_cards(struct rl_document *doc, struct rl_section *section)
{
    lay_title(doc);
    lay_answers(doc);
    lay_all_facts(doc);
    rl_layout_skip(doc->layout, 8);
    lay_chart(doc, section);
    rl_layout_skip(doc->layout, 4);
    for (size_t i = 1; i < rl_compare_what(doc)->count; i++)
        rl_compare_lay_notes(doc, rl_compare_what(doc)->parts[i].comparison);
}

const struct rl_page rl_compare_page_cards = {.plan = plan_cards, .draw = draw_cards, .own_heading = true};
