/* compare_projected.c - cards that are not at hand: what their roofs allow the base's launches, all cards on a page. It is
 * modelled, so its pages are separate and every title, head and caption says so. */
#include <math.h>

#include "compare_doc.h"
#include "core/sort.h"
#include "core/stats.h"

enum { ROWS_ON_FIRST = 36, ROWS_OF_CHART = 50, MOST_CHARTS = 2 };

/* ---- kernels and cards ---- */

static const struct rl_projection *projection_of(const struct rl_document *doc, size_t card)
{
    return rl_compare_what(doc)->options.projections[card];
}

static size_t card_count(const struct rl_document *doc)
{
    return rl_compare_what(doc)->options.projection_count;
}

static size_t kernel_count(const struct rl_document *doc)
{
    return rl_compare_what(doc)->parts[0].analysis->capture->kernel_count;
}

/* Marks are those of measured cards. */
static const char *legend(struct rl_document *doc)
{
    const char *text = "";
    for (size_t i = 0; i < card_count(doc); i++)
        text = rl_words(doc, "%s%s%s (%s)", text, *text ? ", " : "", projection_of(doc, i)->card->id, rl_compare_card_mark(i + 1));
    return text;
}

/* ---- the chart: times there over the time here ---- */

/* A launch with the share of the roof that it reaches here, for the order. */
struct ranked {
    size_t kernel;
    double share;
};

static int by_share(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    return rl_descending(x->share, y->share) ?: rl_ascending(x->kernel, y->kernel);
}

/* Launches with a bound on some card, those nearest to a roof here first: of them a projection says most. Returns how many. */
static size_t rank(struct rl_document *doc, struct ranked *ranked)
{
    size_t count = 0;
    for (size_t k = 0; k < kernel_count(doc); k++) {
        double share = -1;
        for (size_t c = 0; c < card_count(doc); c++) {
            const struct rl_projected *projected = &projection_of(doc, c)->kernels[k];
            if (rl_present(projected->bound_s) && rl_present(rl_compare_time_here(doc, k)))
                share = fmax(share, rl_present(projected->share_here) ? projected->share_here.v : 0);
        }
        if (share >= 0)
            ranked[count++] = (struct ranked){k, share};
    }
    rl_sort(ranked, count, sizeof *ranked, by_share);
    return count;
}

static double over(struct rl_value there, struct rl_value here)
{
    return rl_present(there) && rl_present(here) && here.v > 0 ? there.v / here.v : NAN;
}

static struct rl_chart_interval row_of(struct rl_document *doc, size_t card, size_t kernel, bool named)
{
    const struct rl_projected *projected = &projection_of(doc, card)->kernels[kernel];
    const struct rl_value here = rl_compare_time_here(doc, kernel);
    const double least = over(projected->bound_s, here);
    return (struct rl_chart_interval){
        .label = named ? rl_compare_words_kernel(doc, kernel) : "",
        .value = least,
        .low = over(projected->bound_low_s, here),
        .high = over(projected->bound_high_s, here),
        .expected = over(projected->estimate_s, here),
        .tone = rl_compare_card_tone(card + 1),
        .hollow = true,
        .note = isfinite(least)
                    ? rl_words(doc, least < 0.1 ? "≥ %.2g× %s" : "≥ %.2f× %s", least, rl_ceilings[projected->binding].label)
                    : "–",
    };
}

static void plan_projected(struct rl_document *doc, struct rl_section *section)
{
    const size_t cards = card_count(doc);
    struct ranked *ranked = rl_arena_alloc(doc->arena, (kernel_count(doc) + 1) * sizeof *ranked);
    struct rl_chart_reference *one = rl_arena_alloc(doc->arena, sizeof *one);
    const size_t count = rank(doc, ranked);
    *one = (struct rl_chart_reference){1, true, "as measured here"};
    for (size_t first = 0, shown; first < count && section->chart_count < MOST_CHARTS; first += shown) {
        const size_t rows_of_chart = section->chart_count ? ROWS_OF_CHART : ROWS_ON_FIRST - cards;
        const size_t most = rows_of_chart / cards > 0 ? rows_of_chart / cards : 1;
        shown = count - first < most ? count - first : most;
        struct rl_chart_interval *rows = rl_arena_alloc(doc->arena, (shown * cards + 1) * sizeof *rows);
        for (size_t i = 0; i < shown * cards; i++)
            rows[i] = row_of(doc, i % cards, ranked[first + i / cards].kernel, i % cards == 0);
        struct rl_chart *chart = rl_document_chart(doc, section, RL_CHART_INTERVALS);
        chart->intervals = (struct rl_chart_intervals){.unit = RL_UNIT_NONE,
                                                       .log = true,
                                                       .title = "Projected: ratio of times, there over here; left of 1 is faster",
                                                       .band_low = NAN,
                                                       .band_high = NAN,
                                                       .rows = rows,
                                                       .row_count = shown * cards,
                                                       .references = one,
                                                       .reference_count = 1};
    }
}

/* ---- what each card would do ---- */

struct outlook {
    const char *card;
    size_t near, bound_only, cannot, unknown; /* with an estimate; with a bound alone; would not run; nothing counted */
    size_t fewer_warps;                       /* occupancy lower than here */
    const char *takes, *range;                /* median and ends of the estimates over the times here */
    const char *binding;                      /* "DRAM 60, FP32 FMA 22": which roof binds how many */
};

/* clang-format off */
static const struct view_field outlook_fields[] = {
    {.id = "card", VIEW_AT(struct outlook, card), .help = "the card"},
    {.id = "near", .head = "with an estimate", VIEW_AT(struct outlook, near), .help = "kernels"},
    {.id = "takes", .head = "would take", VIEW_AT(struct outlook, takes), .numeral = true, .look = VIEW_LOOK_STRONG,
     .help = "median"},
    {.id = "range", .head = "", VIEW_AT(struct outlook, range), .beside = true, .help = "minimum and maximum"},
    {.id = "bound_only", .head = "least time only", VIEW_AT(struct outlook, bound_only), .help = "kernels"},
    {.id = "cannot", .head = "would not run", VIEW_AT(struct outlook, cannot), .help = "kernels"},
    {.id = "unknown", .head = "nothing known", VIEW_AT(struct outlook, unknown), .help = "kernels"},
    {.id = "fewer_warps", .head = "lower occupancy", VIEW_AT(struct outlook, fewer_warps), .help = "kernels"},
    {.id = "binding", .head = "roof that binds, kernels", VIEW_AT(struct outlook, binding), .wraps = true, .columns = 24,
     .help = "which roof binds how many"},
};
/* clang-format on */

static const char *binding_text(struct rl_document *doc, size_t card)
{
    size_t counts[RL_CEILING_COUNT] = {0};
    const char *text = "";
    for (size_t k = 0; k < kernel_count(doc); k++)
        counts[projection_of(doc, card)->kernels[k].binding] += rl_present(projection_of(doc, card)->kernels[k].bound_s);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        if (counts[i])
            text = rl_words(doc, "%s%s%s %zu", text, *text ? ", " : "", rl_ceilings[i].label, counts[i]);
    return *text ? text : "–";
}

static struct outlook outlook_of(struct rl_document *doc, size_t card)
{
    double *ratios = rl_arena_alloc(doc->arena, (kernel_count(doc) + 1) * sizeof *ratios);
    struct outlook outlook = {.card = rl_words(doc, "%s, projected", projection_of(doc, card)->card->id),
                              .takes = "–",
                              .range = "",
                              .binding = binding_text(doc, card)};
    for (size_t k = 0; k < kernel_count(doc); k++) {
        const struct rl_projected *projected = &projection_of(doc, card)->kernels[k];
        const struct rl_value there = projected->occupancy.fraction,
                              here = rl_compare_what(doc)->parts[0].analysis->kernels[k].occupancy.fraction;
        if (projected->why_not)
            outlook.cannot++;
        else if (rl_present(projected->estimate_s))
            ratios[outlook.near++] = over(projected->estimate_s, rl_compare_time_here(doc, k));
        else if (rl_present(projected->bound_s))
            outlook.bound_only++;
        else
            outlook.unknown++;
        outlook.fewer_warps += rl_present(there) && rl_present(here) && there.v < here.v * (1 - 1e-9);
    }
    const struct rl_stats ratio = rl_stats_of(ratios, outlook.near);
    if (outlook.near) {
        outlook.takes = rl_words(doc, "%.2f×", ratio.median);
        outlook.range = rl_words(doc, "%.2f–%.2f", ratio.min, ratio.max);
    }
    return outlook;
}

/* A row for each card: how many kernels an estimate is of, and what becomes of the others. */
static void lay_cards(struct rl_document *doc)
{
    const struct view view = rl_compare_view(doc);
    struct outlook *outlooks = rl_arena_alloc(doc->arena, (card_count(doc) + 1) * sizeof *outlooks);
    for (size_t i = 0; i < card_count(doc); i++)
        outlooks[i] = outlook_of(doc, i);
    rl_view_table(doc->layout, &view, &(struct rl_view_table){RL_TABLE(outlook_fields, outlooks, card_count(doc))});
}

static void lay_title(struct rl_document *doc)
{
    const char *cards = "";
    for (size_t i = 0; i < card_count(doc); i++)
        cards = rl_words(doc, "%s%s%s", cards,
                         !*cards                   ? ""
                         : i + 1 < card_count(doc) ? ", "
                                                   : " and ",
                         projection_of(doc, i)->card->id);
    rl_layout_textf(doc->layout, RL_STYLE_DISPLAY, "%s, projected to other cards", rl_compare_words_base_card(doc));
    rl_layout_textf(doc->layout, RL_STYLE_QUIET, "%s, carried over to %s",
                    rl_words_short(doc, rl_compare_what(doc)->parts[0].name, 70), cards);
    rl_layout_skip(doc->layout, 8);
}

static void draw_projected(struct rl_document *doc, struct rl_section *section)
{
    if (section == doc->sections)
        lay_title(doc);
    rl_layout_textf(doc->layout, RL_STYLE_LEAD,
                    "Calculated from what was counted on the %s: nothing on this page was measured on the cards that it names.",
                    rl_compare_words_base_card(doc));
    rl_layout_skip(doc->layout, 6);
    lay_cards(doc);
    rl_layout_text(
        doc->layout, RL_STYLE_NOTE,
        "Would take: median, least and greatest of the estimates, as a ratio of times, there over here. Least time only: kernels "
        "under 60 % of every roof here, whose limit need not scale with a roof; kernels without a time; kernels of a card whose "
        "roofs are unknown.");
    for (size_t i = 0; i < section->chart_count; i++) {
        rl_layout_skip(doc->layout, 8);
        rl_layout_figure(
            doc->layout, &rl_document_result(doc, section, i)->drawing,
            i ? "As above, continued."
              : rl_words(doc,
                         "Projected, as a ratio of times, there over measured on %s: %s. Mark: the least time that the card's "
                         "roofs allow, and which roof that is. Line: from the roofs of the data sheet to the boldest assumption, "
                         "that a smaller L2 keeps nothing. Diamond: the estimate, for launches that reach 60 %% of a roof here.",
                         rl_compare_words_base_card(doc), legend(doc)),
            i ? NULL : "The kernels closest to a roof come first; the tables have all of them, with what is assumed.");
    }
}

const struct rl_page rl_compare_page_projected = {.plan = plan_projected, .draw = draw_projected};
