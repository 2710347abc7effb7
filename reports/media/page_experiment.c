/* page_experiment.c - one experiment on one GPU: the question, the verdicts, the chart, the variants, the counters behind them. */
#include "experiment.h"

/* Whether the kernels are those of the self check, which are made to be counted: their times say nothing. */
static bool is_of_self_check(const struct rl_report *report, const struct rl_view *view)
{
    return view->count > 0 && view->entries[0].run && rl_is_of_self_check(report->capture, view->entries[0].run->variant);
}

/* ---- the chart ---- */

/* An occupancy has the registers that decide it: "live128, 72 registers". */
static const char *bar_label(struct rl_report *report, const struct rl_view *view, size_t i)
{
    const char *name = rl_view_variant(report, view, i)->name;
    const struct rl_value registers = rl_view_registers(report, view, i);
    return view->quantity->is_static && rl_present(registers)
               ? rl_words(report->doc, "%s, %s registers", name, rl_words_value(report->doc, RL_UNIT_COUNT, registers, 3))
               : name;
}

static struct rl_chart_bar make_bar(struct rl_report *report, const struct rl_view *view, size_t i)
{
    struct rl_view_figure figure = rl_view_figure(report, view, i);
    const struct rl_variant *variant = rl_view_variant(report, view, i);
    bool known = rl_present(figure.value);
    struct rl_chart_bar bar = {.label = bar_label(report, view, i),
                               .value = known ? figure.value.v : NAN,
                               .low = figure.low,
                               .high = figure.high,
                               .strong = view->comparable && i == view->best};
    bar.tone = rl_words_tone(rl_entry_limiter(&view->entries[i]));
    if (!known)
        bar.note = variant->result == RL_RESULT_WRONG ? "WRONG result: no performance is shown" : rl_value_reason(figure.value);
    return bar;
}

/* Whether the values stand at the right edge: where lines cross the chart, and no long words take a value's place. */
static bool values_aside(const struct rl_chart_bars *bars)
{
    return bars->reference_count > 0 && !RL_ANY(i, bars->bar_count, bars->bars[i].note);
}

#define NEARLY_EQUAL 1.25  /* the best over the worst: bars from zero would look alike */
#define WIDE_RANGE   100.0 /* and all but the longest could not be seen */

/* Marks with their intervals, on an axis that shows the differences, logarithmic where a length would say nothing. */
static void plan_dots(struct rl_report *report, struct rl_section *section, const struct rl_view *view)
{
    struct rl_chart_interval *rows = rl_arena_alloc(report->doc->arena, (view->count + 1) * sizeof *rows);
    for (size_t i = 0; i < view->count; i++) {
        const struct rl_chart_bar bar = make_bar(report, view, i);
        const char *value = rl_words_value(report->doc, view->quantity->unit, rl_view_figure(report, view, i).value, 3);
        rows[i] = (struct rl_chart_interval){.label = bar.label,
                                             .value = bar.value,
                                             .low = bar.low,
                                             .high = bar.high,
                                             .expected = NAN,
                                             .tone = bar.tone,
                                             .strong = bar.strong,
                                             .note = bar.note ? bar.note : value};
    }
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_INTERVALS);
    const bool log = rl_view_range(report, view) > WIDE_RANGE;
    struct rl_chart_reference *references = NULL;
    chart->intervals = (struct rl_chart_intervals){
        .unit = view->quantity->unit,
        .log = log,
        .title = log ? rl_words(report->doc, "%s (logarithmic scale)", view->quantity->title) : view->quantity->title,
        .band_low = NAN,
        .band_high = NAN,
        .rows = rows,
        .row_count = view->count};
    chart->intervals.reference_count = log ? rl_view_roof_lines(report, view, &references) : 0;
    chart->intervals.references = references;
}

static void plan_bars(struct rl_report *report, struct rl_section *section, const struct rl_view *view)
{
    struct rl_chart_bar *bars = rl_arena_alloc(report->doc->arena, (view->count + 1) * sizeof *bars);
    struct rl_chart_reference *references = NULL;
    for (size_t i = 0; i < view->count; i++)
        bars[i] = make_bar(report, view, i);
    struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_BARS);
    chart->bars = (struct rl_chart_bars){
        .unit = view->quantity->unit,
        .title = view->quantity->title,
        .bars = bars,
        .bar_count = view->count,
        .reference_count = rl_view_roof_lines(report, view, &references),
    };
    chart->bars.references = references;
    chart->bars.values_aside = values_aside(&chart->bars);
}

/* Whether a chart of the figures that variants are judged by says nothing: where none has a figure, and of
 * many of which no claim compares any. */
static bool needs_no_chart(struct rl_report *report, const struct rl_view *view)
{
    bool compared = view->count <= RL_GRID_LONG || view->count == RL_VIEW_MOST;
    if (!RL_ANY(i, view->count, rl_present(rl_view_figure(report, view, i).value)))
        return true;
    for (size_t i = 0; i < view->experiment->claim_count; i++)
        compared |=
            view->experiment->claims[i].baseline != NULL || strcmp(view->experiment->claims[i].quantity, view->quantity->id) == 0;
    return !compared;
}

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    struct rl_view all = rl_view_of(report, rl_experiment_key_of(report, section->instance));
    struct rl_view view = rl_view_choose(report, &all);
    if (needs_no_chart(report, &view))
        return;
    if (rl_view_plan_curve(report, section, &view))
        return;
    const double range = rl_view_range(report, &view);
    (view.best != RL_NONE && (range < NEARLY_EQUAL || range > WIDE_RANGE) ? plan_dots : plan_bars)(report, section, &view);
}

/* ---- what the chart shows, in words ---- */

/* How many times better the best variant is than the worst. */
static struct rl_ratio apart(struct rl_report *report, const struct rl_view *view)
{
    assert(view->best < view->count && view->worst < view->count);
    const struct rl_variant_result *best = view->entries[view->best].run, *worst = view->entries[view->worst].run;
    struct rl_ratio ratio = rl_variant_ratio(worst, best);
    if (view->quantity->is_static)
        return (struct rl_ratio){.estimate = rl_view_range(report, view)};
    double range = rl_view_range(report, view), work = ratio.present ? range / ratio.estimate : 1; /* it may differ */
    ratio.estimate = range;
    ratio.low *= work;
    ratio.high *= work;
    return ratio;
}

/* "speedup 3.1 (95 % CI 3.08–3.12)", a ratio where the figures are no times, or that there is no difference to speak of. */
static const char *distance(struct rl_report *report, const struct rl_view *view)
{
    struct rl_ratio times = apart(report, view);
    if (times.present && times.has_interval && times.low <= 1)
        return "no difference within the 95 % CI";
    const char *interval = rl_words_interval(report->doc, times.low, times.high, times.present && times.has_interval);
    const char *text = rl_words_value(report->doc, RL_UNIT_NONE, rl_value_of(times.estimate), 3);
    const char *what = view->quantity->unit == RL_UNIT_SECOND ? "speedup" : "ratio";
    return rl_words(report->doc, interval[0] ? "%s %s (95 %% CI %s)" : "%s %s", what, text, interval);
}

/* Whether a verdict above the chart has the ratio of these two. */
static bool is_claimed(const struct rl_view *view, const char *best, const char *worst)
{
    for (size_t i = 0; i < view->experiment->claim_count; i++) {
        const struct rl_claim *claim = &view->experiment->claims[i];
        const bool same = claim->baseline && strcmp(claim->quantity, view->quantity->id) == 0;
        if (same && ((strcmp(claim->subject, best) == 0 && strcmp(claim->baseline, worst) == 0) ||
                     (strcmp(claim->subject, worst) == 0 && strcmp(claim->baseline, best) == 0)))
            return true;
    }
    return false;
}

static const char *caption(struct rl_report *report, const struct rl_view *view)
{
    enum rl_unit unit = view->quantity->unit;
    if (view->best == RL_NONE)
        return "Fewer than two variants have a time, so there is nothing to compare.";
    struct rl_value first = rl_view_figure(report, view, view->best).value, last = rl_view_figure(report, view, view->worst).value;
    if (rl_view_range(report, view) < 1.0005)
        return rl_words(report->doc, "All variants come out the same: %s.", rl_words_value(report->doc, unit, first, 3));
    const char *best = rl_words_short(report->doc, rl_view_variant(report, view, view->best)->name, 40),
               *worst = rl_words_short(report->doc, rl_view_variant(report, view, view->worst)->name, 40);
    const char *high = rl_words_value(report->doc, unit, first, 3), *low = rl_words_value(report->doc, unit, last, 3);
    if (!view->comparable)
        return rl_words(report->doc,
                        "From %s (`%s`) to %s (`%s`). The variants do different work: only the pairs that a claim names can be "
                        "compared.",
                        high, best, low, worst);
    if (is_claimed(view, rl_view_variant(report, view, view->best)->name, rl_view_variant(report, view, view->worst)->name))
        return rl_words(report->doc, "`%s` is best at %s, `%s` worst at %s.", best, high, worst, low);
    return rl_words(report->doc, "`%s` is best at %s, `%s` worst at %s: %s.", best, high, worst, low, distance(report, view));
}

/* "Median of 31 launches without counters", "Median of 31 to 43 ...". */
static const char *samples_text(struct rl_report *report, const struct rl_view *view)
{
    const struct rl_measure_row *measure = rl_view_measure(report, view);
    const char *of = measure ? measure->method : "runs without counters, timed as the table says";
    size_t least = SIZE_MAX, most = 0;
    for (size_t i = 0; i < view->count; i++) {
        size_t n = view->entries[i].shows ? view->entries[i].duration->n : 0;
        least = n > 0 && n < least ? n : least;
        most = n > most ? n : most;
    }
    if (most == 1)
        return rl_words(report->doc, "One figure each, from %s", of);
    return least == most ? rl_words(report->doc, "Median of %zu %s", most, of)
                         : rl_words(report->doc, "Median of %zu to %zu %s", least, most, of);
}

/* "; whiskers: 95 % CI", where there is any. */
static const char *whiskers_text(struct rl_report *report, const struct rl_view *view)
{
    return RL_ANY(i, view->count, isfinite(rl_view_figure(report, view, i).low)) ? "; whiskers: 95 % CI" : "";
}

/* ", 16 777 216 elements", when it is the same for all variants. */
static const char *size_text(struct rl_report *report, const struct rl_view *view)
{
    const struct rl_variant *first = rl_view_variant(report, view, 0);
    for (size_t i = 1; i < view->count; i++)
        if (rl_view_variant(report, view, i)->size != first->size)
            return "";
    if (first->size == 0 || !first->size_unit)
        return "";
    return rl_words(report->doc, ", %s %s", rl_words_value(report->doc, RL_UNIT_COUNT, rl_value_of((double)first->size), 6),
                    rl_words_short(report->doc, first->size_unit, 40));
}

static const char *method(struct rl_report *report, const struct rl_view *view)
{
    bool bandwidth = view->quantity->unit == RL_UNIT_BYTE_PER_SECOND;
    return rl_words(report->doc, "%s%s%s.%s", samples_text(report, view), size_text(report, view), whiskers_text(report, view),
                    bandwidth ? " Useful bandwidth: bytes asked for, over time." : "");
}

/* ---- verdicts ---- */

/* Whether they are about the same figure of the same variants. */
static bool is_same_figure(const struct rl_claim *a, const struct rl_claim *b)
{
    return strcmp(a->quantity, b->quantity) == 0 && strcmp(a->subject, b->subject) == 0 && a->baseline && b->baseline &&
           strcmp(a->baseline, b->baseline) == 0;
}

/* The measured and the claimed figure; without the interval where one of the claims before it (`at`) was judged by the same figure.
 */
static const char *measured_text(struct rl_report *report, const size_t *at, size_t which)
{
    const struct rl_claim_result *result = &report->analysis->claims[at[which]];
    for (size_t i = 0; i < which && result->interval < result->claimed; i++) {
        const struct rl_claim_result *other = &report->analysis->claims[at[i]];
        if (other->outcome != RL_CLAIM_REFERENCE && is_same_figure(other->of, result->of))
            return rl_words(report->doc, "%.*s, as above%s", (int)result->interval, result->text, result->text + result->claimed);
    }
    return result->text;
}

/* The claim with its outcome, below it what was measured (`text`), and where it stands. */
static void draw_claim(struct rl_report *report, const struct rl_claim_result *result, const char *text)
{
    struct rl_layout *layout = report->doc->layout;
    struct rl_para claim = {.max_lines = 4}, measured = {.max_lines = 4};
    rl_para_addf(layout, &claim, RL_STYLE_STRONG, "%s: ", rl_words_outcome(result->outcome));
    rl_para_add(layout, &claim, RL_STYLE_BODY, rl_words_shortened(report->doc, result->of->text, 500));
    rl_para_coded(layout, &measured, RL_STYLE_FACT, RL_STYLE_FACT_CODE, text);
    struct rl_box *box = rl_flow_begin(layout);
    if (rl_report_is_of_suite(report)) { /* in one paragraph, its source in the full report */
        rl_para_add(layout, &claim, RL_STYLE_BODY, " ");
        rl_para_coded(layout, &claim, RL_STYLE_FACT, RL_STYLE_FACT_CODE, text);
        rl_box_item(box, rl_words_mark(result->outcome), &claim);
        rl_box_gap(box, 3);
        rl_flow_together(box);
        return;
    }
    rl_box_item(box, rl_words_mark(result->outcome), &claim);
    rl_box_item(box, RL_MARK_NONE, &measured);
    /* Where the claim stands, its words there, and how they are read: "'~10x faster than sinf()', 2.1 Instruction Throughput. ..."
     */
    const char *quote = result->of->from.quote
                            ? rl_words(report->doc, "Quoted: \u201c%s\u201d, below \u201c%s\u201d. ",
                                       rl_words_short(report->doc, result->of->from.quote, 200),
                                       rl_words_short(report->doc, result->of->from.heading ? result->of->from.heading : "", 100))
                            : "";
    const char *from = rl_words(report->doc, "%s%s", quote,
                                result->of->from.reading ? rl_words_short(report->doc, result->of->from.reading, 300) : "");
    if (from[0]) {
        struct rl_para source = {.max_lines = 3};
        rl_para_add(layout, &source, RL_STYLE_NOTE, from);
        rl_box_item(box, RL_MARK_NONE, &source);
    }
    rl_box_gap(box, 4);
    rl_flow_together(box);
}

/* The judged ones; of the self check those that do not hold. */
static void draw_claims(struct rl_report *report, const struct rl_view *view)
{
    const size_t *claims, count = rl_claims_on(report->analysis, view->key.experiment, view->key.gpu, &claims);
    const bool failures_only = is_of_self_check(report, view);
    size_t judged = 0, held = 0;
    for (size_t i = 0; i < count; i++) {
        judged += report->analysis->claims[claims[i]].outcome != RL_CLAIM_REFERENCE;
        held += report->analysis->claims[claims[i]].outcome == RL_CLAIM_HELD;
    }
    if (failures_only)
        rl_layout_textf(report->doc->layout, RL_STYLE_BODY,
                        "%zu of %zu counters have their reference values%s. rooflight check prints each.", held, judged,
                        judged > held ? "; these are not" : "");
    else if (judged == 0)
        rl_layout_text(report->doc->layout, RL_STYLE_BODY, "No claim of this experiment can be judged on this GPU.");
    for (size_t i = 0; i < count; i++) {
        const struct rl_claim_result *result = &report->analysis->claims[claims[i]];
        if (result->outcome != RL_CLAIM_REFERENCE && !(failures_only && result->outcome == RL_CLAIM_HELD))
            draw_claim(report, result, measured_text(report, claims, i));
    }
}

/* Variants that gave no performance, one line each. */
static void draw_troubles(struct rl_report *report, const struct rl_view *view)
{
    for (size_t i = 0; i < view->count; i++) {
        const struct rl_variant *variant = rl_view_variant(report, view, i);
        bool wrong = variant->result == RL_RESULT_WRONG;
        if (!wrong && variant->status == RL_VARIANT_DONE)
            continue;
        struct rl_para para = {.max_lines = 3};
        const char *why = wrong ? variant->result_text : variant->reason;
        rl_para_add(report->doc->layout, &para, RL_STYLE_STRONG,
                    wrong ? "WRONG: " : rl_words(report->doc, "%s: ", rl_variant_status_name(variant->status)));
        rl_para_addf(report->doc->layout, &para, RL_STYLE_BODY, "%s%s%s%s", rl_words_short(report->doc, variant->name, 60),
                     wrong ? " computed a wrong result, so no performance is shown" : "", why ? "; " : "", why ? why : "");
        rl_layout_item(report->doc->layout, wrong ? RL_MARK_ATTENTION : RL_MARK_QUIET, &para);
        rl_layout_skip(report->doc->layout, 4);
    }
}

/* ---- the page ---- */

static void title(struct rl_document *doc, const struct rl_section *section, struct rl_buf *out)
{
    const struct rl_report *report = doc->subject;
    struct rl_experiment_key key = rl_experiment_key_of(report, section->instance);
    rl_buf_adds(out, report->capture->experiments[key.experiment].name);
    if (report->capture->gpu_count > 1)
        rl_buf_addf(out, " on GPU %d", report->capture->gpus[key.gpu].index);
}

#define JOINS 110.0 /* points for its question and verdicts below the experiment before: the rest goes on overleaf */

/* About as much as it takes: heading and question, verdicts in lines of so many characters, chart with its caption, table. */
static double height_of(struct rl_report *report, const struct rl_section *section, const struct rl_view *view)
{
    enum { HEADING = 75, CAPTION = 42, TABLE_HEAD = 48, ROW = 12, LINE = 105 };
    const size_t *claims, count = rl_claims_on(report->analysis, view->key.experiment, view->key.gpu, &claims);
    double height = HEADING, rows = 0;
    if (is_of_self_check(report, view))
        return height;
    for (size_t i = 0; i < count; i++) {
        const struct rl_claim_result *result = &report->analysis->claims[claims[i]];
        const size_t letters = strlen(result->of->text) + strlen(result->text);
        height += result->outcome == RL_CLAIM_REFERENCE ? 0 : 3 + ROW * (double)(1 + letters / LINE);
    }
    for (size_t i = 0; i < view->count; i++)
        rows += (double)rl_entry_row_count(report, &view->entries[i]);
    if (section->chart_count)
        height += CAPTION + rl_document_result(report->doc, section, 0)->drawing.height;
    return height + TABLE_HEAD + ROW * rows;
}

double rl_experiment_room(const struct rl_document *doc, const struct rl_section *section)
{
    enum { PAGE = 730, MOST_LEFT = 290 }; /* points: of a page, and those that may stay empty on one */
    struct rl_report *report = doc->subject;
    const struct rl_view all = rl_view_of(report, rl_experiment_key_of(report, section->instance));
    const struct rl_view view = rl_view_choose(report, &all);
    const double height = height_of(report, section, &view);
    return height > PAGE || rl_layout_room(doc->layout) > MOST_LEFT ? JOINS : height;
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    struct rl_layout *layout = report->doc->layout;
    struct rl_view all = rl_view_of(report, rl_experiment_key_of(report, section->instance));
    struct rl_view view = rl_view_choose(report, &all);
    if (view.experiment->question)
        rl_layout_text(layout, RL_STYLE_LEAD, rl_words_short(report->doc, view.experiment->question, 300));
    if (view.count < all.count)
        rl_layout_textf(
            layout, RL_STYLE_BODY,
            "Of %s variants, evenly spaced ones, the best and the slowest are shown here: rooflight show --json has all.",
            rl_words_value(report->doc, RL_UNIT_COUNT, rl_value_of((double)all.count), 6));
    rl_layout_skip(layout, 8);
    draw_claims(report, &view);
    draw_troubles(report, &view);
    if (view.experiment->source && !rl_report_is_of_suite(report))
        rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "Source of the claims: %s.",
                        rl_words_short(report->doc, view.experiment->source, 500));
    rl_layout_skip(layout, 6);
    if (!needs_no_chart(report, &view))
        rl_layout_figure(report->doc->layout, &rl_document_result(report->doc, section, 0)->drawing, caption(report, &view),
                         method(report, &view));
    if (is_of_self_check(report, &view) && !rl_report_is_full(report)) {
        rl_layout_text(layout, RL_STYLE_NOTE, "Times and counters of each kernel: rooflight report --full.");
        return;
    }
    rl_view_draw_variants(report, &view);
    if (rl_report_is_of_suite(report))
        return;
    rl_view_draw_counters(report, &view);
    rl_view_draw_references(report, &view);
}

static size_t how_many(const struct rl_document *doc)
{
    const struct rl_report *report = doc->subject;
    return report->experiment_count;
}

const struct rl_page rl_page_experiment = {.count = how_many, .title = title, .plan = plan, .draw = draw, .joins = JOINS};
