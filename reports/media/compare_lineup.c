/* compare_lineup.c - GPUs: the page that says it. What each GPU is, how fast it is by limiter. */
#include "compare_doc.h"

enum { MOST_NAMED = 6, MOST_TOLD = 4, ROWS_OF_CHART = 20, LEAST_GROUPS = 3 };

/* ---- the chart: speedups by limiter ---- */

static size_t groups_shown(const struct rl_lineup *lineup)
{
    const size_t room = ROWS_OF_CHART / (lineup->count > 1 ? lineup->count - 1 : 1),
                 most = room > LEAST_GROUPS ? room : LEAST_GROUPS;
    return lineup->group_count < most ? lineup->group_count : most;
}

static struct rl_chart_interval row_of(struct rl_document *doc, const struct rl_lineup_group *group, size_t card)
{
    const struct rl_lineup *lineup = rl_compare_lineup(doc);
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
        .note = rl_words(doc, "%s%s", rl_words_speedup(doc, there ? speedup->middle : NAN), name),
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
                                                   .title = "Speedup over the baseline: right of 1 is faster",
                                                   .band_low = NAN,
                                                   .band_high = NAN,
                                                   .rows = rows,
                                                   .row_count = count,
                                                   .references = one,
                                                   .reference_count = 1};
}

static void plan_cards(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_lineup *lineup = rl_compare_lineup(doc);
    const size_t groups = groups_shown(lineup), others = lineup->count - 1;
    struct rl_chart_interval *rows = rl_arena_alloc(doc->arena, (groups * others + 1) * sizeof *rows);
    for (size_t i = 0; i < groups * others; i++)
        rows[i] = row_of(doc, &lineup->groups[i / others], 1 + i % others);
    bool any = false; /* speedup */
    for (size_t c = 1; c < lineup->count; c++)
        any |= lineup->all.on[c].kernels > 0;
    if (any)
        rl_compare_chart_speedups(doc, section, rows, groups * others);
}

static void lay_chart(struct rl_document *doc, const struct rl_section *section)
{
    const struct rl_lineup *lineup = rl_compare_lineup(doc);
    if (section->chart_count == 0)
        return;
    const size_t left = lineup->group_count - groups_shown(lineup);
    rl_layout_figure(doc->layout, &rl_document_result(doc, section, 0)->drawing,
                     rl_words(doc,
                              "Speedup by limiter on %s, with the number of such kernels: %s. Mark: the median; line: "
                              "minimum to maximum; diamond: predicted by the roofs of both GPUs.",
                              rl_compare_words_lined_up(doc, 0), rl_compare_words_legend(doc)),
                     left ? rl_words(doc, "%s with fewer kernels left out; speedup: " RL_SPEEDUP_READS ".",
                                     rl_words_count(doc, left, "limiter is", "limiters are"))
                          : "Speedup: " RL_SPEEDUP_READS ".");
}

/* ---- what each GPU is ---- */

/* Where the roofs are from: where no GPU was measured, all are at the clock of the data sheet. */
static const char *roofs_text(struct rl_document *doc)
{
    const struct rl_lineup *lineup = rl_compare_lineup(doc);
    size_t measured = 0, known = 0;
    for (size_t c = 0; c < lineup->count; c++) {
        measured += lineup->cards[c].kind == RL_LINEUP_MEASURED;
        known += rl_present(lineup->cards[c].roof[RL_CEILING_fp32]);
    }
    if (known == 0)
        return "The files do not name the GPUs, so no roof is known: rooflight import --card NAME.";
    if (measured)
        return "Roofs were measured by rooflight; " RL_SIGN_AT_MOST
               " marks data-sheet and theoretical ones, which are upper bounds. In small "
               "type: ± half of the 95 % CI, and × relative to the baseline.";
    return rl_words(doc,
                    RL_SIGN_AT_MOST
                    ": no roof was measured. Those of all GPUs are the data sheet's, or theoretical at its boost clock; boards may "
                    "run above it.%s In small type: relative to the baseline.",
                    known == lineup->count ? ""
                                           : " Of a GPU that the files do not name none is known: rooflight import --card NAME.");
}

/* ---- the page ---- */

static const char *words_of_kind(enum rl_lineup_kind kind)
{
    return kind == RL_LINEUP_PUBLISHED ? "published figures" : "imported profiles";
}

const char *rl_compare_words_cards(struct rl_document *doc)
{
    const struct rl_lineup *lineup = rl_compare_lineup(doc);
    const enum rl_lineup_kind kind = lineup->cards[0].kind;
    const char *names = rl_words_short(doc, lineup->cards[0].name, 30);
    for (size_t c = 1; c < lineup->count && c < MOST_NAMED; c++)
        names =
            rl_words(doc, "%s%s%s", names, c + 1 == lineup->count ? " and " : ", ", rl_words_short(doc, lineup->cards[c].name, 30));
    if (lineup->count > MOST_NAMED)
        names = rl_words(doc, "%s and %zu more", names, lineup->count - MOST_NAMED);
    return rl_lineup_is_alike(lineup) ? rl_words(doc, "%s: %s", names, words_of_kind(kind)) : names;
}

/* The remarks of a comparison, each with a mark. */
static void lay_notes(struct rl_document *doc, const struct rl_comparison *comparison)
{
    for (size_t i = 0; i < comparison->note_count; i++) {
        struct rl_para para = {.max_lines = RL_TEXT_LINES};
        rl_para_add(doc->layout, &para, RL_STYLE_BODY, comparison->notes[i]);
        rl_layout_item(doc->layout, RL_MARK_ATTENTION, &para);
    }
}

static void draw_cards(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_lineup *lineup = rl_compare_lineup(doc);
    const char *given = doc->options->title, *title = given ? rl_words_short(doc, given, 60) : rl_compare_words_cards(doc);
    rl_layout_text(doc->layout, lineup->count > 2 ? RL_STYLE_SECTION : RL_STYLE_DISPLAY, title);
    if (given && rl_lineup_is_alike(lineup))
        rl_layout_textf(doc->layout, RL_STYLE_NOTE, "all GPUs: %s", words_of_kind(lineup->cards[0].kind));
    rl_layout_skip(doc->layout, 6);
    rl_layout_textf(doc->layout, RL_STYLE_NOTE, "Speedup over %s:", rl_compare_words_lined_up(doc, 0));
    for (size_t c = 1, told = 0; c < lineup->count && told < MOST_TOLD; c++) {
        struct rl_buf text = RL_BUF_IN(doc->arena);
        if (lineup->cards[c].kind == RL_LINEUP_PROJECTED && told > 0)
            break; /* the chart has them */
        told++;
        rl_lineup_text(lineup, c, &text);
        rl_layout_textf(doc->layout, lineup->count > 2 ? RL_STYLE_BODY : RL_STYLE_LEAD, "%s: %s.",
                        rl_compare_words_lined_up(doc, c), text.len ? text.data : "no kernel in common with the baseline");
    }
    rl_layout_skip(doc->layout, 8);
    const struct view view = rl_compare_view(doc);
    rl_view_table(
        doc->layout, &view,
        &(struct rl_view_table){.list = "facts", .columns = "fact,cards.value,cards.half_width,cards.over_base", .slices = true});
    rl_layout_skip(doc->layout, 4);
    rl_layout_text(doc->layout, RL_STYLE_NOTE, roofs_text(doc));
    rl_layout_skip(doc->layout, 8);
    lay_chart(doc, section);
    rl_layout_skip(doc->layout, 4);
    for (size_t i = 1; i < rl_compare_what(doc)->count; i++)
        lay_notes(doc, rl_compare_what(doc)->parts[i].comparison);
}

const struct rl_page rl_compare_page_cards = {.plan = plan_cards, .draw = draw_cards, .own_heading = true};
