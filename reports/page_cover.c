/* page_cover.c - the first page: the card, the result in a sentence, key figures, the roofline, what matters, and the card's
 * health. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "findings.h"
#include "health.h"
#include "spots.h"

#define CHART_HEIGHT 260.0

static size_t cover_gpu(const struct rl_report *report)
{
    return rl_page_gpu(report, RL_PAGE_roofline, 0);
}

enum { MOST_NAMES = 25 }; /* with more points than that, only the best variant of each experiment has a name */

static enum rl_naming naming(struct rl_report *report)
{
    return rl_points_count(report, cover_gpu(report)) > MOST_NAMES ? RL_NAME_BEST : RL_NAME_ALL;
}

static void plan(struct rl_report *report, struct rl_section *section)
{
    struct rl_chart *chart = rl_points_roofline(report, section, cover_gpu(report), false, naming(report));
    if (chart)
        chart->height = CHART_HEIGHT;
}

/* ---- what is to be said ---- */

struct summary {
    size_t spots, timed, wrong;
    bool suite;
    size_t claims, outcome[RL_CLAIM_REFERENCE + 1];
    const struct rl_spot *fastest_memory, *fastest_arithmetic; /* highest DRAM throughput, highest FLOP/s; NULL: unknown */
    const struct rl_ceiling *dram, *fp32;
    const struct rl_gpu_result *gpu;
};

static const struct rl_spot *greater(const struct rl_spot *a, const struct rl_spot *b, enum rl_metric metric)
{
    if (!b->shows || !rl_present(b->metric[metric]) || b->metric[metric].v <= 0)
        return a;
    return !a || b->metric[metric].v > a->metric[metric].v ? b : a;
}

static void summarise_spots(const struct rl_spots *spots, struct summary *s)
{
    s->suite = spots->suite;
    s->spots = spots->count;
    for (size_t i = 0; i < spots->count; i++) {
        s->timed += rl_present(spots->at[i].time_s);
        s->wrong += spots->at[i].wrong;
        s->fastest_memory = greater(s->fastest_memory, &spots->at[i], RL_METRIC_dram_bytes_per_second);
        s->fastest_arithmetic = greater(s->fastest_arithmetic, &spots->at[i], RL_METRIC_flop_per_second);
    }
}

static struct summary summarise(struct rl_report *report, size_t gpu)
{
    struct summary s = {.gpu = &report->analysis->gpus[gpu]};
    s.dram = &s.gpu->ceiling[RL_CEILING_dram];
    s.fp32 = &s.gpu->ceiling[RL_CEILING_fp32];
    summarise_spots(rl_spots_of(report, gpu), &s);
    for (size_t i = 0; i < report->analysis->claim_count; i++) {
        const struct rl_claim_result *claim = &report->analysis->claims[i];
        if (claim->gpu != gpu)
            continue;
        s.outcome[claim->outcome]++;
        s.claims += claim->outcome != RL_CLAIM_REFERENCE;
    }
    return s;
}

/* The sentence that says the result. */
static const char *answer(struct rl_report *report, const struct summary *s)
{
    const char *first;
    if (s->fastest_memory) {
        struct rl_value rate = s->fastest_memory->metric[RL_METRIC_dram_bytes_per_second], roof = rl_ceiling_figure(s->dram);
        const char *share =
            rl_present(roof) && roof.v > 0
                ? rl_words(report, ", %s of its roof", rl_words_value(report, RL_UNIT_FRACTION, rl_value_div(rate, roof, NULL), 3))
                : "";
        first = rl_words(report, "Device memory delivers up to %s%s (%s)", rl_words_value(report, RL_UNIT_BYTE_PER_SECOND, rate, 3),
                         share, rl_words_short(report, s->fastest_memory->label, 60));
    } else {
        first = rl_words(
            report, "%s timed; %s their place under the roofs is not known",
            rl_words_count(report, s->timed, s->suite ? "variant was" : "kernel was", s->suite ? "variants were" : "kernels were"),
            rl_words_uncounted(report));
    }
    const char *claims = "";
    if (s->claims > 0)
        claims = rl_words(report, "; %zu of %zu published claims that can be judged here %s", s->outcome[RL_CLAIM_HELD], s->claims,
                          s->outcome[RL_CLAIM_HELD] == 1 ? "holds" : "hold");
    const char *wrong = s->wrong ? rl_words(report, "; %s a wrong result",
                                            rl_words_count(report, s->wrong, "variant computed", "variants computed"))
                                 : "";
    return rl_words(report, "%s%s%s.", first, claims, wrong);
}

/* ---- key figures ---- */

enum { MOST_FIGURES = 6 };
struct figure {
    const char *label, *value, *below;
};

static size_t add_figure(struct figure *figures, size_t count, const char *label, const char *value, const char *below)
{
    figures[count] = (struct figure){label, value, below};
    return count + 1;
}

static const char *against(struct rl_report *report, struct rl_value value, const struct rl_ceiling *ceiling, enum rl_unit unit,
                           const char *name)
{
    struct rl_value roof = ceiling->theoretical;
    if (!rl_present(roof) || roof.v <= 0)
        return rl_words(report, "%s not known", name);
    return rl_words(report, "%s of %s, %s", rl_words_value(report, RL_UNIT_FRACTION, rl_value_div(value, roof, NULL), 3),
                    rl_words_value(report, unit, roof, 3), name);
}

static size_t rate_figures(struct rl_report *report, const struct summary *s, struct figure *figures, size_t count)
{
    if (s->fastest_memory) {
        struct rl_value rate = rl_spot_metric(report, s->fastest_memory, RL_METRIC_dram_bytes_per_second);
        count = add_figure(figures, count, "best DRAM rate", rl_words_value(report, RL_UNIT_BYTE_PER_SECOND, rate, 3),
                           against(report, rate, s->dram, RL_UNIT_BYTE_PER_SECOND, "pin rate"));
    }
    if (s->fastest_arithmetic) {
        struct rl_value rate = rl_spot_metric(report, s->fastest_arithmetic, RL_METRIC_flop_per_second);
        count = add_figure(figures, count, "best arithmetic rate", rl_words_value(report, RL_UNIT_FLOP_PER_SECOND, rate, 3),
                           against(report, rate, s->fp32, RL_UNIT_FLOP_PER_SECOND, "FP32"));
    }
    if (rl_present(s->gpu->ridge_dram))
        count = add_figure(figures, count, "ridge point", rl_words_value(report, RL_UNIT_FLOP_PER_BYTE, s->gpu->ridge_dram, 3),
                           "where FP32 meets DRAM");
    return count;
}

static size_t session_figures(struct rl_report *report, const struct summary *s, struct figure *figures, size_t count)
{
    if (s->gpu->sm_clock.n > 0) {
        double spread = (s->gpu->sm_clock.max - s->gpu->sm_clock.min) / s->gpu->sm_clock.median;
        count = add_figure(
            figures, count, "SM clock", rl_words_value(report, RL_UNIT_HERTZ, rl_value_of(s->gpu->sm_clock.median), 4),
            rl_words(report, "spread %s over the passes", rl_words_value(report, RL_UNIT_FRACTION, rl_value_of(spread), 2)));
    }
    if (s->claims > 0)
        count = add_figure(
            figures, count, "claims that held", rl_words(report, "%zu of %zu", s->outcome[RL_CLAIM_HELD], s->claims),
            rl_words(report, "%zu did not, %zu undecided", s->outcome[RL_CLAIM_DID_NOT_HOLD], s->outcome[RL_CLAIM_UNDECIDED]));
    return add_figure(figures, count, s->suite ? "variants" : "kernels", rl_words(report, "%zu", s->spots),
                      s->wrong ? rl_words(report, "%zu WRONG", s->wrong) : rl_words(report, "%zu timed, none wrong", s->timed));
}

/* A key figure: its number large, its unit small. */
static void draw_figure(struct rl_report *report, const struct figure *figure, struct rl_frame frame, double top)
{
    struct rl_layout *layout = report->layout;
    const char *unit = strrchr(figure->value, '\xA0'); /* last byte of the no-break space between number and unit */
    size_t number = unit && unit > figure->value ? (size_t)(unit - figure->value - 1) : strlen(figure->value);
    rl_layout_set_frame(layout, frame);
    rl_layout_set_y(layout, top);
    rl_layout_text(layout, RL_STYLE_NOTE, figure->label);
    double baseline = rl_layout_y(layout) - 15;
    double width = rl_layout_label(layout, RL_SIDE_LEFT, frame.x, baseline, frame.width, RL_STYLE_FIGURE,
                                   rl_words(report, "%.*s", (int)number, figure->value));
    if (unit)
        rl_layout_label(layout, RL_SIDE_LEFT, frame.x + width + 3, baseline, frame.width - width - 3, RL_STYLE_BODY, unit + 1);
    rl_layout_set_y(layout, baseline - 4);
    rl_layout_text(layout, RL_STYLE_NOTE, figure->below);
}

static void draw_figures(struct rl_report *report, const struct summary *s)
{
    struct rl_layout *layout = report->layout;
    struct figure figures[MOST_FIGURES];
    size_t count = rate_figures(report, s, figures, 0);
    count = session_figures(report, s, figures, count);
    double top = rl_layout_y(layout), lowest = top;
    for (size_t i = 0; i < count; i++) {
        int span = count <= 4 ? 3 : 2;
        draw_figure(report, &figures[i], rl_layout_columns(layout, (int)i * span, span), top);
        lowest = fmin(lowest, rl_layout_y(layout));
    }
    rl_layout_set_frame(layout, rl_layout_columns(layout, 0, 12));
    rl_layout_set_y(layout, lowest);
}

/* ---- health and contents ---- */

static void draw_health(struct rl_report *report, size_t gpu)
{
    struct rl_grid grid;
    rl_layout_text(report->layout, RL_STYLE_SUBSECTION, "Health of the card");
    rl_grid_init(&grid, report->layout);
    rl_grid_add_column(&grid, "", "", RL_GRID_LEFT);
    rl_grid_add_column(&grid, "", "", RL_GRID_WRAP);
    for (size_t i = 0; i < rl_health_count; i++) {
        struct rl_health health = rl_health_check(report, gpu, i);
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL, health.title)->mark = health.mark;
        rl_grid_cell(&grid, health.mark == RL_MARK_ATTENTION ? RL_STYLE_CELL_STRONG : RL_STYLE_CELL, health.text);
    }
    rl_grid_lay(&grid);
    rl_grid_release(&grid);
}

/* One row of the contents: text that leads to a target. */
static void add_entry(struct rl_grid *grid, const char *text, size_t target)
{
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL, text)->target = target;
    struct rl_grid_cell *page = rl_grid_cell(grid, RL_STYLE_CELL, "");
    page->target = target;
    page->page_number = true;
}

/* All sections, or, `by_topic`, the first experiment of each topic for all of them. */
static void add_entries(struct rl_report *report, struct rl_grid *grid, bool by_topic, size_t most)
{
    const char *topic = NULL;
    for (size_t i = 1; i < report->section_count && grid->row_count < most; i++) {
        const struct rl_section *section = &report->sections[i];
        if (!by_topic || section->id != RL_PAGE_experiment) {
            add_entry(grid, section->title, section->target);
            continue;
        }
        const char *next = rl_words_topic(report, rl_experiment_key_of(report, section->instance).experiment);
        if (!topic || strcmp(topic, next) != 0)
            add_entry(grid, next, section->target);
        topic = next;
    }
}

static void draw_contents(struct rl_report *report)
{
    enum { ROOM = 40 };
    struct rl_grid grid;
    rl_layout_skip(report->layout, 6);
    rl_layout_text(report->layout, RL_STYLE_SUBSECTION, "Contents");
    rl_grid_init(&grid, report->layout);
    rl_grid_add_column(&grid, "", "", RL_GRID_LEFT);
    rl_grid_add_column(&grid, "", "", RL_GRID_RIGHT)->at_least = 16;
    size_t fit = (size_t)fmax(0, (rl_layout_room(report->layout) - ROOM) / rl_styles[RL_STYLE_CELL].leading);
    bool by_topic = report->section_count > fit + 1;
    add_entries(report, &grid, by_topic, fit);
    bool cut = grid.row_count == fit;
    rl_grid_lay(&grid);
    rl_grid_release(&grid);
    if (by_topic && cut)
        rl_layout_text(report->layout, RL_STYLE_NOTE, "and more: see the bookmarks");
}

/* ---- the page ---- */

static void draw_head(struct rl_report *report, const struct summary *s, size_t gpu)
{
    const struct rl_capture *capture = report->capture;
    const struct rl_gpu *card = &capture->gpus[gpu];
    struct rl_para name = RL_PARA_INIT, line = RL_PARA_INIT;
    rl_para_add(report->layout, &name, RL_STYLE_DISPLAY, rl_words_card(report, gpu));
    name.max_lines = 2;
    rl_layout_para(report->layout, &name);
    rl_para_addf(
        report->layout, &line, RL_STYLE_QUIET, "%s%s%s", card->chip ? rl_words_short(report, card->chip, 20) : "chip not known",
        card->cc_major > 0 ? rl_words(report, ", compute capability %d.%d", card->cc_major, card->cc_minor) : "",
        capture->session.driver ? rl_words(report, " · driver %s", rl_words_short(report, capture->session.driver, 30)) : "");
    rl_para_addf(report->layout, &line, RL_STYLE_QUIET, " · %s", rl_words_date(report));
    if (capture->gpu_count > 1)
        rl_para_addf(report->layout, &line, RL_STYLE_QUIET, " · GPU %d of a session with %zu", card->index, capture->gpu_count);
    line.max_lines = 2;
    rl_layout_para(report->layout, &line);
    rl_layout_skip(report->layout, 8);
    rl_layout_text(report->layout, RL_STYLE_LEAD, answer(report, s));
    rl_para_release(&name);
    rl_para_release(&line);
}

static const char *caption(struct rl_report *report, const struct summary *s)
{
    const char *who = s->suite ? "variant" : "kernel";
    const char *names = naming(report) == RL_NAME_ALL ? ""
                        : s->suite ? " A name is an experiment's, at its best variant; small points are the others."
                                   : " Those that take the most time have names.";
    return rl_words(report, "Every %s below the roofs of this card: left of the ridge memory limits, right of it arithmetic.%s",
                    who, names);
}

static void draw(struct rl_report *report, struct rl_section *section)
{
    struct rl_layout *layout = report->layout;
    size_t gpu = cover_gpu(report);
    struct summary s = summarise(report, gpu);
    draw_head(report, &s, gpu);
    rl_layout_skip(layout, 8);
    draw_figures(report, &s);
    rl_layout_skip(layout, 8);
    if (section->chart_count > 0)
        rl_layout_figure(layout, &rl_report_result(report, section, 0)->drawing, caption(report, &s), NULL);
    rl_layout_skip(layout, 10);
    double top = rl_layout_y(layout);
    rl_layout_set_frame(layout, rl_layout_columns(layout, 8, 4)); /* first the column whose height is known to fit */
    draw_health(report, gpu);
    draw_contents(report);
    rl_layout_set_frame(layout, rl_layout_columns(layout, 0, 8));
    rl_layout_set_y(layout, top);
    rl_findings_draw(report, gpu);
}

const struct rl_page rl_page_cover = {.plan = plan, .draw = draw};
