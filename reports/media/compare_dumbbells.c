/* compare_dumbbells.c - every kernel on every GPU: a row each, from what is expected to what is achieved. */
#include "compare_doc.h"

enum { MOST_ROWS = 48, LETTER_LESS = 4 };

/* Speedup of a GPU for an item of the base; NAN: unknown. */
static double speedup_of(const struct rl_document *doc, size_t card, size_t item)
{
    const struct rl_ratio speedup = rl_lineup_speedup(rl_compare_lineup(doc), card, item);
    return speedup.present ? speedup.estimate : NAN;
}

/* The prediction for the only other GPU; NAN: there are several, or the roofs predict nothing. */
static double expected_of(const struct rl_document *doc, size_t item)
{
    const struct rl_value expected = rl_compare_lineup(doc)->count == 2 ? rl_lineup_expected(rl_compare_lineup(doc), 1, item)
                                                                        : rl_value_missing(RL_UNDEFINED, NULL);
    return rl_present(expected) ? expected.v : NAN;
}

/* ---- which kernels ---- */

struct ranked {
    size_t item, limiter;
    double worst, by; /* of its group; its own */
};

/* Descending; ties keep the order of the capture. */
RL_COMPARATOR(by_rank, struct ranked, rl_descending(x->worst, y->worst) ?: rl_ascending(x->limiter, y->limiter)
              ?: rl_descending(x->by, y->by) ?: rl_ascending(x->item, y->item));

static size_t limiter_of(struct rl_document *doc, size_t item)
{
    const struct rl_item *of = &rl_compare_lineup(doc)->of.base->items[item];
    return rl_limiter_of(of->limiter, of->bound);
}

/* The speedup of the first GPU that has one. */
static double first_speedup(const struct rl_document *doc, size_t item)
{
    for (size_t c = 1; c < rl_compare_lineup(doc)->count; c++)
        if (isfinite(speedup_of(doc, c, item)))
            return speedup_of(doc, c, item);
    return NAN;
}

/* Whether the roofs of the only other GPU predict what a kernel gains: then the question is which one gains less. */
static bool any_expected(const struct rl_document *doc)
{
    return RL_ANY(i, rl_compare_lineup(doc)->of.base->count, isfinite(first_speedup(doc, i)) && isfinite(expected_of(doc, i)));
}

/* How far a kernel falls short of the roofs' prediction, those without one last; its speedup where nothing is predicted. */
static double rank_of(const struct rl_document *doc, size_t item, bool expected)
{
    const double speedup = first_speedup(doc, item);
    return !expected ? speedup : isfinite(expected_of(doc, item)) ? expected_of(doc, item) / speedup : -speedup;
}

/* Items with the largest shortfall, by limiter: that of the largest one first; without predictions by speedup, evenly spaced where
 * there are more than fit. `*all`: how many have a speedup. Returns how many are shown: with a row for each limiter they fit. */
static size_t choose(struct rl_document *doc, size_t *items, size_t *all)
{
    const struct rl_compare_side *base = rl_compare_lineup(doc)->of.base;
    const bool expected = any_expected(doc);
    struct ranked *ranked = rl_arena_alloc(doc->arena, (base->count + 1) * sizeof *ranked);
    *all = 0;
    for (size_t i = 0; i < base->count; i++)
        if (isfinite(first_speedup(doc, i)))
            ranked[(*all)++] = (struct ranked){i, 0, 0, rank_of(doc, i, expected)};
    rl_sort(ranked, *all, sizeof *ranked, by_rank);
    const size_t most = doc->options->paper == RL_PAPER_LETTER ? MOST_ROWS - LETTER_LESS : MOST_ROWS;
    size_t count = 0;
    for (size_t rows = 0; count < *all && rows + 1 < most && expected; count++) {
        ranked[count].limiter = limiter_of(doc, ranked[count].item);
        const size_t first = RL_FIRST(j, count, ranked[j].limiter == ranked[count].limiter);
        ranked[count].worst = ranked[first].by;
        rows += first == count ? 2 : 1;
    }
    rl_sort(ranked, count, sizeof *ranked, by_rank);
    count = expected ? count : *all < most ? *all : most;
    for (size_t i = 0; i < count; i++)
        items[i] = ranked[expected ? i : count > 1 ? i * (*all - 1) / (count - 1) : 0].item;
    return count;
}

/* ---- the chart ---- */

/* "1.33× (1.32–1.34) of 1.44×" with what the roofs predict, or "1.33× 0.24× –" of several GPUs. */
static const char *note_of(struct rl_document *doc, size_t item)
{
    if (any_expected(doc)) {
        const struct rl_ratio speedup = rl_lineup_speedup(rl_compare_lineup(doc), 1, item);
        const char *interval = rl_words_interval(doc, speedup.low, speedup.high, speedup.present && speedup.has_interval);
        const double expected = expected_of(doc, item);
        return rl_words(doc, "%s%s%s", rl_words_speedup(doc, speedup.estimate), *interval ? rl_words(doc, " (%s)", interval) : "",
                        isfinite(expected) ? rl_words(doc, " of %s", rl_words_speedup(doc, expected)) : "");
    }
    const char *text = "";
    for (size_t c = 1; c < rl_compare_lineup(doc)->count; c++)
        text = rl_words(doc, "%s%s%s", text, *text ? "  " : "", rl_words_speedup(doc, speedup_of(doc, c, item)));
    return text;
}

static struct rl_chart_interval row_of(struct rl_document *doc, size_t item)
{
    const struct rl_lineup *lineup = rl_compare_lineup(doc);
    assert(item < lineup->of.base->count && lineup->count > 1);
    struct rl_chart_extra *extras = rl_arena_alloc(doc->arena, lineup->count * sizeof *extras);
    struct rl_chart_interval row = {.label = rl_compare_words_label(doc, &lineup->of.base->items[item]),
                                    .value = NAN,
                                    .low = NAN,
                                    .high = NAN,
                                    .expected = expected_of(doc, item),
                                    .note = note_of(doc, item),
                                    .extras = extras,
                                    .joined = true};
    for (size_t c = 1; c < lineup->count; c++) {
        const bool hollow = lineup->cards[c].kind != RL_LINEUP_MEASURED;
        if (isnan(row.value)) {
            row.value = speedup_of(doc, c, item);
            row.tone = rl_compare_card_tone(c);
            row.hollow = hollow;
        } else {
            extras[row.extra_count++] = (struct rl_chart_extra){speedup_of(doc, c, item), rl_compare_card_tone(c), hollow};
        }
    }
    return row;
}

static void plan_kernels(struct rl_document *doc, struct rl_section *section)
{
    size_t *items = rl_arena_alloc(doc->arena, (rl_compare_lineup(doc)->of.base->count + 1) * sizeof *items), all;
    const size_t count = choose(doc, items, &all);
    struct rl_chart_interval *rows = rl_arena_alloc(doc->arena, (2 * count + 1) * sizeof *rows);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t limiter = limiter_of(doc, items[i]);
        if (any_expected(doc) && (i == 0 || limiter_of(doc, items[i - 1]) != limiter))
            rows[used++] = (struct rl_chart_interval){
                .label = rl_limiter_label(limiter), .strong = true, .value = NAN, .low = NAN, .high = NAN, .expected = NAN};
        rows[used++] = row_of(doc, items[i]);
    }
    if (used > 0)
        rl_compare_chart_speedups(doc, section, rows, used);
}

static void draw_kernels(struct rl_document *doc, struct rl_section *section)
{
    size_t *items = rl_arena_alloc(doc->arena, (rl_compare_lineup(doc)->of.base->count + 1) * sizeof *items), all;
    const size_t count = choose(doc, items, &all);
    const bool expected = any_expected(doc), diamonds = rl_compare_lineup(doc)->count == 2;
    rl_layout_figure(
        doc->layout, &rl_document_result(doc, section, 0)->drawing,
        rl_words(doc, "One row per kernel, %s: %s.%s",
                 expected ? "by the limiter on the baseline, the largest shortfall from the roofs' prediction first"
                          : rl_words(doc, "the largest gain on %s first", rl_compare_words_lined_up(doc, 1)),
                 rl_compare_words_legend(doc),
                 diamonds ? " Diamond: what the roofs of both GPUs predict. A long line between mark and diamond is room to gain, "
                            "or work that suits the GPU better than its roofs suggest."
                          : ""),
        count < all ? rl_words(doc, "%zu of %zu kernels%s; --only figures shows all of them.", count, all,
                               expected ? "" : ", spaced evenly by rank")
                    : "All kernels that another GPU has.");
}

const struct rl_page rl_compare_page_kernels = {.plan = plan_kernels, .draw = draw_kernels, .joins = RL_COMPARE_ROWS};
