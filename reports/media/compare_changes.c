/* compare_changes.c - before and after: the page that says it. */
#include "compare_doc.h"
#include "results/results.h"

enum { MOST_ON_CHART = 10, MOST_CASES = 6, WHOLES = 2, LABEL_COLUMNS = 32 };

/* ---- the chart of what changed ---- */

/* "−20.0 % FASTER, 12.3 % of the time". */
static const char *note_of(struct rl_document *doc, const struct rl_pair *pair)
{
    if (pair->broke)
        return "WRONG RESULT";
    return rl_words(doc, "%s %s, %s of the time", rl_compare_words_change(doc, &pair->change.time),
                    rl_verdict_name(pair->change.verdict), rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(pair->share), 3));
}

/* A row of a ratio of times, which is drawn if it is `shown` and present. */
static struct rl_chart_interval ratio_row(const char *label, const struct rl_ratio *time, bool shown, bool undecided,
                                          const char *note)
{
    const bool drawn = shown && time->present;
    return (struct rl_chart_interval){.label = label,
                                      .value = drawn ? time->estimate : NAN,
                                      .low = drawn && time->has_interval ? time->low : NAN,
                                      .high = drawn && time->has_interval ? time->high : NAN,
                                      .expected = NAN,
                                      .tone = RL_TONE_INK,
                                      .hollow = undecided,
                                      .note = note};
}

static struct rl_chart_interval row_of(struct rl_document *doc, const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    const char *label = rl_compare_words_label(doc, &comparison->base.items[pair->base]);
    return ratio_row(pair->work == RL_WORK_UNEQUAL ? rl_words(doc, "%s *", label) : label, &pair->change.time, !pair->not_compared,
                     pair->change.verdict == RL_UNDECIDED, note_of(doc, pair));
}

/* All kernels or all cases together stand above those that changed. */
static struct rl_chart_interval whole_row(struct rl_document *doc, const char *label, const struct rl_ratio *time, const char *word)
{
    assert(time->present);
    const char *change = rl_compare_words_change(doc, time);
    struct rl_chart_interval row =
        ratio_row(label, time, true, strcmp(word, "UNDECIDED") == 0,
                  time->has_interval ? rl_words(doc, "%s (%s) %s", change, rl_compare_words_interval(doc, time), word)
                                     : rl_words(doc, "%s %s", change, word));
    row.strong = true;
    return row;
}

static struct rl_chart_interval case_row(struct rl_document *doc, const struct rl_case_pair *pair)
{
    const struct rl_ratio *time = &pair->change.time;
    const char *verdict = rl_verdict_name(pair->change.verdict);
    return ratio_row(rl_words_short(doc, view_case_label(pair->base, LABEL_COLUMNS), LABEL_COLUMNS), time, true,
                     pair->change.verdict == RL_UNDECIDED,
                     time->present ? rl_words(doc, "%s %s", rl_compare_words_change(doc, time), verdict) : verdict);
}

/* Whether a kernel is drawn: those that take the same time are one line below, unless there are no others. */
static bool is_drawn(const struct rl_pair *pair, bool any_other)
{
    return !any_other || pair->broke || pair->work == RL_WORK_UNEQUAL || pair->change.verdict != RL_SAME;
}

static bool any_other(const struct rl_comparison *comparison)
{
    return RL_ANY(i, comparison->pair_count, is_drawn(&comparison->pairs[i], true));
}

/* Cases where there are some, kernels otherwise; returns how many rows there are. */
static size_t fill_rows(struct rl_document *doc, const struct rl_comparison *comparison, struct rl_chart_interval *rows)
{
    const struct rl_case_comparison *cases = comparison->cases;
    size_t changed, count = 0;
    if (cases && cases->pair_count > 1 && cases->whole.present)
        rows[count++] = whole_row(doc, "all cases, geometric mean", &cases->whole, rl_effect_cases_headline(cases));
    if (comparison->effect.time.present)
        rows[count++] =
            whole_row(doc, "all kernels, by their time", &comparison->effect.time, rl_verdict_name(comparison->effect.verdict));
    if (cases && cases->pair_count) {
        for (size_t i = 0; i < cases->pair_count && i < MOST_CASES; i++)
            rows[count++] = case_row(doc, &cases->pairs[i]);
        return cases->whole.present ? count : 0;
    }
    const size_t *order = rl_compare_changed(doc, comparison, &changed);
    const size_t most = count + MOST_ON_CHART;
    const bool others = any_other(comparison);
    for (size_t i = 0; i < comparison->pair_count && count < most; i++)
        if (is_drawn(&comparison->pairs[order[i]], others))
            rows[count++] = row_of(doc, comparison, &comparison->pairs[order[i]]);
    return comparison->effect.time.present ? count : 0;
}

static void include(const struct rl_chart_interval *row, double *lowest, double *highest)
{
    if (!isfinite(row->value))
        return;
    *lowest = fmin(*lowest, isfinite(row->low) ? row->low : row->value);
    *highest = fmax(*highest, isfinite(row->high) ? row->high : row->value);
}

/* Changes of time in percent; speedups on a logarithmic axis where they differ by more than a factor of five. */
static void plan_changes(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    const double margin = comparison->rules.margin;
    double lowest = 1, highest = 1;
    struct rl_chart_interval *rows = rl_arena_alloc(doc->arena, (MOST_ON_CHART + WHOLES) * sizeof *rows);
    const size_t count = fill_rows(doc, comparison, rows);
    if (!count)
        return;
    for (size_t i = 0; i < count; i++)
        include(&rows[i], &lowest, &highest);
    const bool log = highest / lowest > 5;
    const double same = log ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        const struct rl_chart_interval row = rows[i];
        rows[i].value = log ? 1 / row.value : row.value - 1;
        rows[i].low = log ? 1 / row.high : row.low - 1;
        rows[i].high = log ? 1 / row.low : row.high - 1;
    }
    struct rl_chart_reference *reference = rl_arena_alloc(doc->arena, sizeof *reference);
    *reference = (struct rl_chart_reference){same, true, NULL};
    struct rl_chart *chart = rl_document_chart(doc, section, RL_CHART_INTERVALS);
    chart->intervals = (struct rl_chart_intervals){.unit = log ? RL_UNIT_NONE : RL_UNIT_FRACTION,
                                                   .log = log,
                                                   .title = log ? "Speedup, baseline time over candidate time" : "Time change",
                                                   .band_low = log ? 1 / (1 + margin) : -margin,
                                                   .band_high = log ? 1 / (1 - margin) : margin,
                                                   .rows = rows,
                                                   .row_count = count,
                                                   .references = reference,
                                                   .reference_count = 1};
}

/* ---- what it is about ---- */

/* "H200, 2026-11-21 10:30:40 UTC": of a side. */
static const char *side_text(struct rl_document *doc, size_t part)
{
    const struct rl_capture *capture = rl_compare_what(doc)->parts[part].analysis->capture;
    const char *name = rl_words_short(doc, rl_compare_what(doc)->parts[part].name, 60);
    return capture->session.started && *capture->session.started
               ? rl_words(doc, "%s, measured %s", name, rl_words_date(doc, &capture->session))
               : name;
}

static const char *sessions_text(struct rl_document *doc, const struct rl_comparison *comparison)
{
    const size_t *sessions = comparison->rules.sessions;
    if (sessions[0] < 2 && sessions[1] < 2)
        return "one session on each side";
    return rl_words(doc, "%s of the baseline, %zu of the candidate", rl_words_count(doc, sessions[0], "session", "sessions"),
                    sessions[1]);
}

/* ---- what it comes to ---- */

static void lay_verdict(struct rl_document *doc, const struct rl_comparison *comparison)
{
    struct rl_para para = {0};
    rl_para_addf(doc->layout, &para, RL_STYLE_SUBSECTION, "%s. ", rl_effect_headline(comparison));
    if (comparison->effect.broke)
        rl_para_addf(doc->layout, &para, RL_STYLE_BODY, "%s ", rl_compare_words_sentence(doc, comparison, rl_effect_results_text));
    rl_para_add(doc->layout, &para, RL_STYLE_BODY, rl_compare_words_sentence(doc, comparison, rl_effect_text));
    rl_layout_para(doc->layout, &para);
}

static const char *which_text(struct rl_document *doc, const struct rl_comparison *comparison)
{
    const size_t cases = comparison->cases ? comparison->cases->pair_count : 0, all = comparison->pair_count;
    const bool others = any_other(comparison);
    size_t drawn = 0;
    if (cases)
        return cases > MOST_CASES ? rl_words(doc, "The %d of %zu cases that changed most.", MOST_CASES, cases)
               : cases == 1       ? "The only case."
                                  : rl_words(doc, "All %zu cases, the largest change first.", cases);
    for (size_t i = 0; i < all; i++)
        drawn += is_drawn(&comparison->pairs[i], others);
    if (drawn > MOST_ON_CHART)
        return rl_words(doc, "The %d of %zu kernels with the largest effect on the whole.", MOST_ON_CHART, all);
    const char *which = drawn < all ? rl_words(doc, "%zu of %zu kernels", drawn, all)
                                    : rl_words(doc, "All %s", rl_words_count(doc, all, "kernel", "kernels"));
    return rl_words(doc, "%s, the largest effect on the whole first%s.", which, drawn < all ? "; the others are SAME" : "");
}

static void draw_changes(struct rl_document *doc, struct rl_section *section)
{
    const struct view_compare *what = rl_compare_what(doc);
    const struct view view = {
        .record = &view_record_review, .row = &what->parts[rl_compare_part(section)], .subject = what, .arena = doc->arena};
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    const struct rl_capture *base = comparison->base.analysis->capture;
    const size_t part = rl_compare_part(section);
    rl_layout_text(doc->layout, RL_STYLE_DISPLAY,
                   doc->options->title && section == doc->sections ? rl_words_short(doc, doc->options->title, 60)
                                                                   : "Before and after");
    rl_layout_textf(doc->layout, RL_STYLE_QUIET, "Candidate: %s", side_text(doc, part));
    rl_layout_textf(doc->layout, RL_STYLE_QUIET, "Baseline: %s", side_text(doc, 0));
    rl_layout_textf(doc->layout, RL_STYLE_QUIET, "On %s; %s.",
                    base->gpu_count ? rl_words_short(doc, rl_card_short(base->gpus[0].name), 40) : "an unknown GPU",
                    sessions_text(doc, comparison));
    rl_layout_skip(doc->layout, 10);
    lay_verdict(doc, rl_compare_of(doc, section));
    rl_layout_skip(doc->layout, 8);
    if (section->chart_count) {
        rl_layout_figure(doc->layout, &rl_document_result(doc, section, 0)->drawing, which_text(doc, comparison),
                         rl_words(doc,
                                  "%sTime change: candidate over baseline, minus 1. Lines: CIs; "
                                  "shaded: SAME, within %s.%s",
                                  doc->charts[section->first_chart].intervals.log ? "Right of 1 is faster. " : "",
                                  rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(comparison->rules.margin), 2),
                                  comparison->effect.unequal.kernels && !(comparison->cases && comparison->cases->pair_count)
                                      ? " An asterisk marks unequal work."
                                      : ""));
    }
    rl_layout_skip(doc->layout, 8);
    rl_view_blocks(doc->layout, &view, true);
}

const struct rl_page rl_compare_page_changes = {.plan = plan_changes, .draw = draw_changes, .own_heading = true};
