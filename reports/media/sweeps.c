/* sweeps.c - every configuration of every micro-benchmark (see sweeps.h). */
#include "sweeps.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "ceilings_table.h"
#include "core/mem.h"
#include "core/sort.h"

enum { LEAST_RUNS = 2, MOST_RUNS = 16 };
#define ROW_HEIGHT 11.5
#define TITLE_ROOM 13.0
#define CHART_GAP  9.0
#define ELLIPSIS   "\xE2\x80\xA6"

/* The runs of one benchmark, the fastest first. */
struct run {
    size_t run; /* in the capture */
    struct rl_stats rate;
};
struct sweep {
    enum rl_ceiling_id id;
    struct run *at;
    size_t count, left_out; /* shown; slower ones beyond MOST_RUNS */
};

/* ---- which runs ---- */

static int by_rate(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    return rl_descending(x->rate.median, y->rate.median) ?: rl_ascending(x->run, y->run);
}

static bool belongs(const struct rl_ceiling_run *run, size_t gpu, enum rl_ceiling_id id)
{
    assert(id < RL_CEILING_COUNT);
    for (size_t i = 0; i < run->sample_count; i++)
        if (!isfinite(run->samples[i]))
            return false;
    return run->gpu == gpu && run->unit == rl_ceilings[id].unit && strcmp(run->id, rl_ceilings[id].measured) == 0 &&
           run->sample_count > 0;
}

static struct sweep sweep_of(struct rl_report *report, size_t gpu, enum rl_ceiling_id id)
{
    const struct rl_capture *capture = report->capture;
    struct sweep sweep = {.id = id};
    const size_t *runs, count = rl_group(&report->analysis->index.ceilings_of_gpu, gpu, &runs);
    for (size_t i = 0; i < count; i++)
        sweep.count += belongs(&capture->ceilings[runs[i]], gpu, id);
    sweep.at = rl_arena_alloc(report->doc->arena, (sweep.count + 1) * sizeof *sweep.at);
    for (size_t i = 0, n = 0; i < count; i++) {
        const struct rl_ceiling_run *run = &capture->ceilings[runs[i]];
        if (belongs(run, gpu, id))
            sweep.at[n++] = (struct run){runs[i], rl_stats_of(run->samples, run->sample_count)};
    }
    if (sweep.count > 0)
        rl_sort(sweep.at, sweep.count, sizeof *sweep.at, by_rate);
    sweep.left_out = sweep.count > MOST_RUNS ? sweep.count - MOST_RUNS : 0;
    sweep.count -= sweep.left_out;
    return sweep;
}

/* A roof and the benchmark that measures it have the same runs: the first row stands for both. */
static bool first_of_its_runs(enum rl_ceiling_id id)
{
    assert(id < RL_CEILING_COUNT);
    for (size_t i = 0; i < (size_t)id; i++)
        if (strcmp(rl_ceilings[i].measured, rl_ceilings[id].measured) == 0)
            return false;
    return true;
}

/* All sweeps of a GPU, in the order of the tables. */
struct sweeps {
    struct sweep at[RL_CEILING_COUNT];
    size_t count;
};

static const struct sweeps *sweeps_of(struct rl_report *report, size_t gpu)
{
    struct sweeps *sweeps = rl_arena_alloc(report->doc->arena, sizeof *sweeps);
    enum rl_ceiling_id order[RL_CEILING_COUNT];
    rl_ceilings_in_order(order);
    sweeps->count = 0;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        if (!first_of_its_runs(order[i]))
            continue;
        sweeps->at[sweeps->count] = sweep_of(report, gpu, order[i]);
        sweeps->count += sweeps->at[sweeps->count].count >= LEAST_RUNS;
    }
    return sweeps;
}

/* ---- words of configurations ---- */

/* What a run's configuration is made of, and what is to be said of it. */
struct parts {
    struct rl_phrase phrase[RL_MOST_PHRASES];
    size_t count;
};

static struct parts parts_of_run(const struct rl_report *report, const struct sweep *sweep, size_t run)
{
    assert(run < sweep->count);
    const struct rl_ceiling_run *at = &report->capture->ceilings[sweep->at[run].run];
    struct parts parts;
    parts.count = rl_phrases_of(at->settings, at->setting_count, parts.phrase);
    return parts;
}

/* What phrases have in common: their words, and of their values the last ones. */
struct common {
    bool words;
    size_t values;
};

static const char *words_of(struct rl_report *report, const struct rl_phrase *phrase)
{
    struct rl_buf out = RL_BUF_INIT;
    rl_phrase_words(phrase, &out);
    const char *text = rl_words(report->doc, "%s", out.len ? out.data : "");
    rl_buf_release(&out);
    return text;
}

/* Takes from `common`, which is of phrase `a`, what phrase `b` has not. */
static void compare_phrases(struct rl_report *report, struct common *common, const struct rl_phrase *a, const struct rl_phrase *b)
{
    size_t values = 0;
    common->words = common->words && strcmp(words_of(report, a), words_of(report, b)) == 0;
    while (common->words && values < common->values && values < b->count &&
           rl_setting_same_value(&a->first[a->count - 1 - values], &b->first[b->count - 1 - values]))
        values++;
    common->values = values;
}

/* Runs with another number of parts are of another kind and have no say. */
static struct common common_of(struct rl_report *report, const struct sweep *sweep, const struct parts *parts, size_t part)
{
    assert(part < parts->count);
    const struct rl_phrase *phrase = &parts->phrase[part];
    struct common common = {true, phrase->count};
    for (size_t i = 0; i < sweep->count; i++) {
        const struct parts other = parts_of_run(report, sweep, i);
        if (other.count == parts->count)
            compare_phrases(report, &common, phrase, &other.phrase[part]);
    }
    return common;
}

/* Whether two runs are of one kind: configurations of the same instruction or kernel. */
static bool same_kind(const struct parts *a, const struct parts *b)
{
    return a->count == b->count && a->count > 0 && rl_setting_same_value(a->phrase[0].first, b->phrase[0].first);
}

/* What all runs of the kind have: "64 x 256 x 64 per warp group" of all with wgmma. A product is left out as a whole or not at all.
 */
static struct common common_of_kind(struct rl_report *report, const struct sweep *sweep, const struct parts *parts, size_t part)
{
    assert(part < parts->count);
    const struct rl_phrase *phrase = &parts->phrase[part];
    struct common common = {true, phrase->count};
    size_t others = 0;
    for (size_t i = 0; i < sweep->count; i++) {
        const struct parts other = parts_of_run(report, sweep, i);
        if (!same_kind(parts, &other))
            continue;
        others++;
        compare_phrases(report, &common, phrase, &other.phrase[part]);
    }
    common.words = common.words && others > 1;
    common.values = common.words && common.values == phrase->count ? common.values : 0;
    return common;
}

/* Appends values [first, first + count) of a phrase with `sign` between them. */
static void add_values(struct rl_buf *out, const struct rl_phrase *phrase, size_t first, size_t count, const char *sign)
{
    assert(first + count <= phrase->count);
    for (size_t i = first; i < first + count; i++) {
        rl_buf_adds(out, i > first ? sign : "");
        rl_setting_value_text(&phrase->first[i], out);
    }
}

static const char *kept(struct rl_report *report, struct rl_buf *out)
{
    const char *text = out->len > 0 ? rl_words_short(report->doc, out->data, 200) : "";
    rl_buf_release(out);
    return text;
}

/* By what a run differs from the others: "read once, 512, 4". Where nothing is common to all, because some have another unit, what
 * is common to its kind is left out. */
static const char *own_words(struct rl_report *report, const struct sweep *sweep, size_t run)
{
    const struct parts parts = parts_of_run(report, sweep, run), first = parts_of_run(report, sweep, 0);
    struct rl_buf out = RL_BUF_INIT;
    for (size_t p = 0; p < parts.count; p++) {
        const struct rl_phrase *phrase = &parts.phrase[p];
        const char *words = words_of(report, phrase);
        struct common common = {false, 0};
        if (parts.count == first.count)
            common = common_of(report, sweep, &parts, p);
        if (p > 0 && (!common.words || (common.values == 0 && !words[0])))
            common = common_of_kind(report, sweep, &parts, p);
        if (common.values == phrase->count)
            continue;
        rl_buf_adds(&out, out.len > 0 ? ", " : "");
        add_values(&out, phrase, 0, phrase->count - common.values, "\u00d7");
        if (!common.words && words[0])
            rl_buf_addf(&out, " %s", words);
    }
    return kept(report, &out);
}

/* What they all have: "4.00 GiB, ... threads, ... x 16 B per thread". */
static const char *common_text(struct rl_report *report, const struct sweep *sweep)
{
    const struct parts parts = parts_of_run(report, sweep, 0);
    struct rl_buf out = RL_BUF_INIT;
    for (size_t p = 0; p < parts.count; p++) {
        const struct rl_phrase *phrase = &parts.phrase[p];
        const struct common common = common_of(report, sweep, &parts, p);
        const char *words = words_of(report, phrase);
        if (common.values == 0 && (!common.words || !words[0]))
            continue;
        rl_buf_adds(&out, out.len > 0 ? ", " : "");
        rl_buf_adds(&out, common.values == phrase->count ? "" : common.values > 0 ? ELLIPSIS " x " : ELLIPSIS);
        add_values(&out, phrase, phrase->count - common.values, common.values, " x ");
        if (words[0])
            rl_buf_addf(&out, " %s", words);
    }
    return kept(report, &out);
}

/* ---- the charts ---- */

/* The scale of a sweep's chart. */
static struct rl_scale scale_of(const struct sweep *sweep, const struct rl_chart_reference *references, size_t reference_count)
{
    double highest = 0;
    for (size_t i = 0; i < sweep->count; i++)
        highest = fmax(highest, sweep->at[i].rate.max);
    for (size_t i = 0; i < reference_count; i++)
        highest = fmax(highest, references[i].value);
    return rl_unit_scale(rl_ceilings[sweep->id].unit, highest);
}

/* Kernels of a library do not read the SM clock: what their run has is a reading of the card, not the clock under that load. */
static bool has_own_clock(const struct rl_ceiling_run *run)
{
    return !rl_setting_find(run->settings, run->setting_count, RL_KEY_LIBRARY);
}

/* "928 · 99.4 %": the median, and its share of theory at the clock of the run. */
static const char *note_of(struct rl_report *report, size_t gpu, const struct sweep *sweep, size_t run, double factor)
{
    assert(gpu < report->capture->gpu_count);
    const struct rl_ceiling *ceiling = &report->analysis->gpus[gpu].ceiling[sweep->id];
    const struct run *at = &sweep->at[run];
    struct rl_value limit = rl_ceiling_limit_of_run(report->capture, ceiling, at->run);
    if (ceiling->by_clock && !has_own_clock(&report->capture->ceilings[at->run]))
        limit = rl_value_missing(RL_NOT_COLLECTED, "no SM clock");
    return rl_words(
        report->doc, "%s \xC2\xB7 %s", rl_words_value(report->doc, RL_UNIT_NONE, rl_value_of(at->rate.median * factor), 3),
        rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_div(rl_value_of(at->rate.median), limit, "no theory"), 3));
}

static struct rl_chart_interval *make_rows(struct rl_report *report, size_t gpu, const struct sweep *sweep, double factor)
{
    assert(gpu < report->capture->gpu_count);
    const size_t chosen = report->analysis->gpus[gpu].ceiling[sweep->id].run;
    struct rl_chart_interval *rows = rl_arena_alloc(report->doc->arena, sweep->count * sizeof *rows);
    for (size_t i = 0; i < sweep->count; i++) {
        const struct rl_stats *rate = &sweep->at[i].rate;
        bool best = sweep->at[i].run == chosen;
        rows[i] = (struct rl_chart_interval){.label = own_words(report, sweep, i),
                                             .value = rate->median,
                                             .low = rate->n > 1 ? rate->min : NAN,
                                             .high = rate->n > 1 ? rate->max : NAN,
                                             .expected = NAN,
                                             .tone = best ? RL_TONE_INK : RL_TONE_GREY,
                                             .strong = best,
                                             .note = note_of(report, gpu, sweep, i, factor)};
    }
    return rows;
}

/* "theory 876 TFLOP/s at 1.620 GHz". */
static const char *theory_text(struct rl_report *report, const struct rl_ceiling *ceiling, enum rl_unit unit)
{
    const char *text = rl_words(report->doc, "theory %s", rl_words_value(report->doc, unit, ceiling->limit, 3));
    const struct rl_value clock = report->capture->ceilings[ceiling->run].sm_clock_hz;
    if (!ceiling->by_clock || !rl_present(clock))
        return text;
    return rl_words(report->doc, "%s at %s", text, rl_words_value(report->doc, RL_UNIT_HERTZ, clock, 4));
}

/* What the sweep is held against. */
static size_t make_references(struct rl_report *report, const struct rl_ceiling *ceiling, enum rl_unit unit,
                              struct rl_chart_reference **references)
{
    struct rl_chart_reference *at = *references = rl_arena_alloc(report->doc->arena, 2 * sizeof **references);
    size_t count = 0;
    if (rl_present(ceiling->limit) && ceiling->limit.v > 0)
        at[count++] = (struct rl_chart_reference){ceiling->limit.v, false, theory_text(report, ceiling, unit)};
    if (ceiling->published)
        at[count++] = (struct rl_chart_reference){
            ceiling->published->value, true,
            rl_words(report->doc, "published %s", rl_words_value(report->doc, unit, rl_value_of(ceiling->published->value), 3))};
    return count;
}

static void plan_sweep(struct rl_report *report, struct rl_section *section, size_t gpu, const struct sweep *sweep)
{
    assert(gpu < report->capture->gpu_count);
    const struct rl_ceiling *ceiling = &report->analysis->gpus[gpu].ceiling[sweep->id];
    struct rl_chart_reference *references;
    size_t reference_count = make_references(report, ceiling, rl_ceilings[sweep->id].unit, &references);
    const struct rl_scale scale = scale_of(sweep, references, reference_count);
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_INTERVALS);
    chart->width = rl_layout_width(report->doc->layout, 6);
    chart->height = fmax(ROW_HEIGHT * (double)sweep->count + 24 + 9 * (double)reference_count, 60);
    chart->intervals = (struct rl_chart_intervals){.unit = rl_ceilings[sweep->id].unit,
                                                   .title = "Rate",
                                                   .band_low = NAN,
                                                   .band_high = NAN,
                                                   .label_share = 0.66,
                                                   .rows = make_rows(report, gpu, sweep, scale.factor),
                                                   .row_count = sweep->count,
                                                   .references = references,
                                                   .reference_count = reference_count};
}

void rl_sweeps_plan(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    const struct sweeps *sweeps = sweeps_of(report, gpu);
    for (size_t i = 0; i < sweeps->count; i++)
        plan_sweep(report, section, gpu, &sweeps->at[i]);
}

/* ---- the page ---- */

static const char *title_of(const struct sweep *sweep)
{
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) /* "DRAM read" says more than "DRAM" */
        if (rl_ceilings[i].role == RL_BENCHMARK && strcmp(rl_ceilings[i].measured, rl_ceilings[sweep->id].measured) == 0)
            return rl_ceilings[i].label;
    return rl_ceilings[sweep->id].label;
}

/* What all configurations have in common, and how many are not shown. */
static const char *side_of(struct rl_report *report, const struct sweep *sweep)
{
    const char *common = common_text(report, sweep);
    return sweep->left_out ? rl_words(report->doc, "%s; %zu slower ones are not shown", common, sweep->left_out) : common;
}

static void add_sweep(struct rl_report *report, struct rl_box *cell, const struct sweep *sweep, const struct rl_drawing *drawing)
{
    rl_box_line(cell, &(struct rl_line){.style = RL_STYLE_CELL_STRONG,
                                        .text = title_of(sweep),
                                        .target = RL_NO_TARGET,
                                        .side_style = RL_STYLE_NOTE,
                                        .side = side_of(report, sweep),
                                        .height = TITLE_ROOM});
    rl_box_drawing(cell, drawing, title_of(sweep));
}

/* Two beside each other, or the last one alone. */
static void add_row(struct rl_report *report, struct rl_box *box, const struct rl_section *section, const struct sweeps *sweeps,
                    size_t first)
{
    struct rl_box *row = rl_box_row(box);
    for (size_t i = first; i < first + 2 && i < sweeps->count; i++)
        add_sweep(report, rl_box_cell(row, RL_ALL_COLUMNS / 2), &sweeps->at[i],
                  &rl_document_result(report->doc, section, i)->drawing);
    rl_box_gap(box, CHART_GAP);
}

void rl_sweeps_draw(struct rl_report *report, struct rl_section *section, size_t gpu)
{
    const struct sweeps *sweeps = sweeps_of(report, gpu);
    if (sweeps->count == 0)
        return;
    assert(sweeps->count == section->chart_count);
    static const char what[] =
        "Every configuration tried, the fastest first: where different configurations reach the same share of theory, the figure "
        "can be trusted.";
    static const char how[] =
        "Marks: median; whiskers: slowest and fastest launch. On the right: the median, and its share of theory at the SM clock of "
        "that run. Bold: the ceiling, the configuration that was fastest over a few launches and was then given many more; if the "
        "power limit lowered its clock meanwhile, others may show a higher rate. Dashed: theory at the clock of the bold one; "
        "anything to the right of it is judged by its share. Solid: the best published figure. 2\u00d7128: two blocks of 128 "
        "threads on an SM; 64\u00d732\u00d716: rows, columns and depth of a warp's product. \u2026 above a chart: what its names "
        "give.";
    for (size_t i = 0; i < sweeps->count; i += 2) {
        struct rl_box *box = rl_flow_begin(report->doc->layout);
        if (i == 0) {
            rl_box_subsection(box, "How the ceilings were found");
            rl_box_text(box, RL_STYLE_BODY, what);
            rl_box_note(box, how);
            rl_box_gap(box, 6);
        }
        add_row(report, box, section, sweeps, i);
        rl_flow_together(box);
    }
}
