/* compare_changes.c - before and after: the page that says it. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "compare_doc.h"
#include "core/mem.h"

enum { MOST_ON_COVER = 14, MOST_ON_FIRST_OF_SEVERAL = 12 };

/* ---- the chart of what changed ---- */

/* "−20.0 % FASTER, 12.3 % of the time". */
static const char *note_of(struct rl_document *doc, const struct rl_pair *pair)
{
    if (pair->broke)
        return "WRONG RESULT";
    return rl_words(doc, "%s %s, %s of the time", rl_compare_words_change(doc, &pair->change.time),
                    rl_verdict_name(pair->change.verdict), rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(pair->share), 3));
}

static struct rl_chart_interval row_of(struct rl_document *doc, const struct rl_comparison *comparison, const struct rl_pair *pair)
{
    const struct rl_ratio *time = &pair->change.time;
    const bool drawn = time->present && !pair->not_compared;
    return (struct rl_chart_interval){
        .label = rl_words(doc, "%s%s", rl_compare_words_label(doc, &comparison->base.items[pair->base]),
                          pair->work == RL_WORK_UNEQUAL ? " *" : ""),
        .value = drawn ? time->estimate : NAN,
        .low = drawn && time->has_interval ? time->low : NAN,
        .high = drawn && time->has_interval ? time->high : NAN,
        .expected = NAN,
        .tone = rl_compare_tone(pair->change.verdict),
        .note = note_of(doc, pair),
    };
}

/* All kernels together stand above those that changed. */
static struct rl_chart_interval whole_row(struct rl_document *doc, const struct rl_comparison *comparison)
{
    const struct rl_effect *effect = &comparison->effect;
    assert(effect->time.present);
    return (struct rl_chart_interval){
        .label = "all kernels, by their time",
        .value = effect->time.estimate,
        .low = effect->time.has_interval ? effect->time.low : NAN,
        .high = effect->time.has_interval ? effect->time.high : NAN,
        .expected = NAN,
        .tone = rl_compare_tone(effect->verdict),
        .hollow = effect->verdict == RL_UNDECIDED,
        .strong = true,
        .note = rl_words(doc, "%s %s", rl_compare_words_change(doc, &effect->time), rl_verdict_name(effect->verdict)),
    };
}

static size_t rows_on_cover(const struct rl_document *doc, size_t changed)
{
    const size_t most = rl_compare_what(doc)->count > 2 ? MOST_ON_FIRST_OF_SEVERAL : MOST_ON_COVER;
    return changed < most ? changed : most;
}

static void include(const struct rl_chart_interval *row, double *lowest, double *highest)
{
    if (!isfinite(row->value))
        return;
    *lowest = fmin(*lowest, isfinite(row->low) ? row->low : row->value);
    *highest = fmax(*highest, isfinite(row->high) ? row->high : row->value);
}

static void plan_changes(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    size_t changed, count = 0;
    const size_t *order = rl_compare_changed(doc, comparison, &changed);
    const size_t shown = rows_on_cover(doc, changed);
    double lowest = 1, highest = 1;
    if (!comparison->effect.time.present)
        return;
    struct rl_chart_interval *rows = rl_arena_alloc(doc->arena, (shown + 1) * sizeof *rows);
    rows[count++] = whole_row(doc, comparison);
    for (size_t i = 0; i < shown; i++)
        rows[count++] = row_of(doc, comparison, &comparison->pairs[order[i]]);
    for (size_t i = 0; i < count; i++)
        include(&rows[i], &lowest, &highest);
    struct rl_chart_reference *same = rl_arena_alloc(doc->arena, sizeof *same);
    *same = (struct rl_chart_reference){1, true, NULL};
    struct rl_chart *chart = rl_document_chart(doc, section, RL_CHART_INTERVALS);
    chart->intervals = (struct rl_chart_intervals){.unit = RL_UNIT_NONE,
                                                   .log = highest / lowest > 5,
                                                   .title = "Ratio of times, new over base: left of 1 is faster",
                                                   .band_low = 1 - comparison->rules.margin,
                                                   .band_high = 1 + comparison->rules.margin,
                                                   .rows = rows,
                                                   .row_count = count,
                                                   .references = same,
                                                   .reference_count = 1};
}

/* ---- the gate ---- */

/* Whether one more line leaves room for what stands below, and for the line that says how many more there are. */
static bool has_line(struct rl_document *doc)
{
    return rl_layout_room(doc->layout) >= 2 * rl_styles[RL_STYLE_QUIET].leading + rl_compare_foot_room(doc);
}

/* The answer of the gate, then what is not as it has it, each by name. */
static void lay_gate(struct rl_document *doc, const struct rl_gate *gate)
{
    enum { MOST = 8 };
    struct rl_buf text = RL_BUF_INIT;
    size_t said = 0, all = 0;
    rl_gate_text(gate, &text);
    rl_layout_text(doc->layout, RL_STYLE_STRONG, rl_words(doc, "Gate %s", text.data));
    rl_buf_release(&text);
    for (size_t i = 0; i < gate->count; i++)
        for (size_t j = 0; j < gate->answers[i].count && gate->answers[i].state != RL_GATE_HOLDS; j++) {
            const struct rl_gate_breach *breach = &gate->answers[i].breaches[j];
            all++;
            if (said == MOST || !has_line(doc))
                continue;
            rl_layout_textf(doc->layout, RL_STYLE_QUIET, "%s: %s: %s", rl_gate_conditions[breach->condition].id,
                            rl_words_short(doc, breach->label, 60), breach->text);
            said++;
        }
    if (all > said)
        rl_layout_textf(doc->layout, RL_STYLE_QUIET, "and %zu more", all - said);
}

/* ---- what it is about ---- */

/* "H200, 2026-11-21 10:30:40 UTC": of a side. */
static const char *side_text(struct rl_document *doc, size_t part)
{
    const struct rl_capture *capture = rl_compare_what(doc)->parts[part].analysis->capture;
    return rl_words(doc, "%s, measured %s", rl_words_short(doc, rl_compare_what(doc)->parts[part].name, 60),
                    rl_words_date(doc, &capture->session));
}

static const char *sessions_text(struct rl_document *doc, const struct rl_comparison *comparison)
{
    const size_t *sessions = comparison->rules.sessions;
    if (sessions[0] < 2 && sessions[1] < 2)
        return "one session on each side";
    return rl_words(doc, "%s of the base, %zu of the new version", rl_words_count(doc, sessions[0], "session", "sessions"),
                    sessions[1]);
}

static void lay_head(struct rl_document *doc, const struct rl_section *section)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    const struct rl_capture *base = comparison->base.analysis->capture;
    const size_t part = rl_compare_part(section);
    rl_layout_text(doc->layout, RL_STYLE_DISPLAY,
                   doc->options->title && section == doc->sections ? rl_words_short(doc, doc->options->title, 60)
                                                                   : "Before and after");
    rl_layout_textf(doc->layout, RL_STYLE_QUIET, "New: %s", side_text(doc, part));
    rl_layout_textf(doc->layout, RL_STYLE_QUIET, "Base: %s", side_text(doc, 0));
    rl_layout_textf(doc->layout, RL_STYLE_QUIET, "On %s; %s.",
                    base->gpu_count ? rl_words_short(doc, rl_card_short(base->gpus[0].name), 40) : "an unknown card",
                    sessions_text(doc, comparison));
}

/* ---- what it comes to ---- */

static const char *share_text(struct rl_document *doc, const struct rl_effect_part *part)
{
    return part->kernels ? rl_words(doc, "%s of the time", rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(part->share), 3)) : "";
}

/* A number of kernels over their share of the time. */
static void add_part(struct rl_document *doc, struct rl_box *row, const char *name, const struct rl_effect_part *part)
{
    struct rl_box *cell = rl_box_cell(row, 2);
    rl_box_note(cell, name);
    rl_box_text(cell, RL_STYLE_FIGURE, rl_words(doc, "%zu", part->kernels));
    rl_box_note(cell, share_text(doc, part));
}

static void lay_figures(struct rl_document *doc, const struct rl_comparison *comparison)
{
    const struct rl_effect *effect = &comparison->effect;
    struct rl_box *box = rl_flow_begin(doc->layout), *row = rl_box_row(box), *cell = rl_box_cell(row, 4);
    rl_box_note(cell, "time of all kernels");
    rl_box_text(cell, RL_STYLE_FIGURE, rl_compare_words_change(doc, &effect->time));
    rl_box_note(cell, effect->time.has_interval ? rl_compare_words_interval(doc, &effect->time) : "no interval");
    add_part(doc, row, "faster", &effect->with[RL_FASTER]);
    add_part(doc, row, "slower", &effect->with[RL_SLOWER]);
    add_part(doc, row, "the same", &effect->with[RL_SAME]);
    add_part(doc, row, "undecided", &effect->with[RL_UNDECIDED]);
    rl_flow_end(box);
}

static void lay_verdict(struct rl_document *doc, const struct rl_comparison *comparison)
{
    struct rl_para para = RL_PARA_INIT;
    rl_para_addf(doc->layout, &para, RL_STYLE_SUBSECTION, "%s. ", rl_effect_headline(comparison));
    if (comparison->effect.broke)
        rl_para_addf(doc->layout, &para, RL_STYLE_LEAD, "%s ", rl_compare_words_sentence(doc, comparison, rl_effect_results_text));
    rl_para_add(doc->layout, &para, RL_STYLE_LEAD, rl_compare_words_sentence(doc, comparison, rl_effect_text));
    rl_layout_para(doc->layout, &para);
    rl_para_release(&para);
}

static void lay_sentence(struct rl_document *doc, enum rl_mark mark, const char *text)
{
    struct rl_para para = RL_PARA_INIT;
    if (!*text)
        return;
    rl_para_add(doc->layout, &para, RL_STYLE_BODY, rl_words_sentence(doc, text));
    para.max_lines = RL_TEXT_LINES;
    rl_layout_item(doc->layout, mark, &para);
    rl_para_release(&para);
}

/* "26 kernels were matched otherwise than by name and shape: 25 by name without template arguments, 1 by NVTX path and order." */
static const char *matched_text(struct rl_document *doc, const struct rl_comparison *comparison)
{
    const char *ways = "";
    size_t count = 0;
    for (size_t i = 0; i < RL_MATCH_COUNT; i++)
        if (i != RL_MATCH_EXACT && comparison->matched[i]) {
            ways = rl_words(doc, "%s%s%zu by %s", ways, count ? ", " : "", comparison->matched[i], rl_matches[i].words);
            count += comparison->matched[i];
        }
    return count ? rl_words(doc, "%s %s matched otherwise than by name and shape: %s.",
                            rl_words_count(doc, count, "kernel", "kernels"), count == 1 ? "was" : "were", ways)
                 : "";
}

static void lay_sentences(struct rl_document *doc, const struct rl_comparison *comparison)
{
    const struct rl_effect *effect = &comparison->effect;
    lay_sentence(doc, RL_MARK_QUIET, rl_compare_words_sentence(doc, comparison, rl_effect_same_text));
    lay_sentence(doc, RL_MARK_OPEN, rl_compare_words_sentence(doc, comparison, rl_effect_undecided_text));
    lay_sentence(doc, RL_MARK_ATTENTION, rl_compare_words_sentence(doc, comparison, rl_effect_unequal_text));
    lay_sentence(doc, RL_MARK_ATTENTION, rl_compare_words_sentence(doc, comparison, rl_effect_unmatched_text));
    lay_sentence(doc, RL_MARK_QUIET, matched_text(doc, comparison));
    if (!effect->broke)
        lay_sentence(doc, effect->right ? RL_MARK_GOOD : RL_MARK_OPEN,
                     rl_compare_words_sentence(doc, comparison, rl_effect_results_text));
}

static const char *which_text(struct rl_document *doc, size_t shown, size_t changed)
{
    if (changed == 0)
        return "No kernel was shown to be faster or slower.";
    if (shown < changed)
        return rl_words(doc, "The %zu of %zu changes with the largest effect on the whole; page 2 explains them.", shown, changed);
    return changed == 1
               ? "The one kernel that changed; page 2 explains it."
               : rl_words(doc, "All %zu kernels that changed, the largest effect on the whole first; page 2 explains them.",
                          changed);
}

static void lay_chart(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    size_t changed;
    rl_compare_changed(doc, comparison, &changed);
    rl_layout_figure(doc->layout, &rl_document_result(doc, section, 0)->drawing,
                     which_text(doc, rows_on_cover(doc, changed), changed),
                     rl_words(doc,
                              "Ratio of times, %s. Lines are the intervals that decide; the shaded band, %s to either side, counts "
                              "as the same time. In the total each kernel counts by its share of the base's time.%s",
                              RL_RATIO_READS, rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(comparison->rules.margin), 2),
                              comparison->effect.unequal.kernels ? " An asterisk marks unequal work." : ""));
}

static void draw_changes(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_comparison *comparison = rl_compare_of(doc, section);
    lay_head(doc, section);
    rl_layout_skip(doc->layout, 10);
    lay_verdict(doc, comparison);
    rl_layout_skip(doc->layout, 10);
    if (comparison->pair_count)
        lay_figures(doc, comparison);
    rl_layout_skip(doc->layout, 8);
    if (section->chart_count)
        lay_chart(doc, section);
    rl_layout_skip(doc->layout, 8);
    lay_sentences(doc, comparison);
    rl_compare_lay_notes(doc, comparison);
    if (rl_compare_what(doc)->parts[rl_compare_part(section)].gate) {
        rl_layout_skip(doc->layout, 4);
        lay_gate(doc, rl_compare_what(doc)->parts[rl_compare_part(section)].gate);
    }
    rl_compare_lay_foot(doc);
}

const struct rl_page rl_compare_page_changes = {.plan = plan_changes, .draw = draw_changes, .own_heading = true};
