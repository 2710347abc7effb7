/* page_program.c - an observed program at a glance: where the GPU's time went, when it idled, what was copied, and in which NVTX
 * ranges kernels ran. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/ranks.h"
#include "core/mem.h"
#include "kernels.h"
#include "program.h"
#include "roofline_points.h"

enum { MOST_BARS = 16, MOST_CLASSES = 60, MOST_TIMELESS = 10, NAME_COLUMNS = 48 };

static const char *row_name(struct rl_report *report, const struct rl_family *row)
{
    return rl_family_label(report, row, NAME_COLUMNS);
}

/* "3 kernels (514 classes)", "12 kernel classes". */
static const char *rows_text(struct rl_report *report, const struct view_subject *subject)
{
    if (!subject->program_rows->folded)
        return rl_words_count(report->doc, subject->program_rows->count, "kernel class", "kernel classes");
    return rl_words(report->doc, "%s (%zu classes)", rl_words_count(report->doc, subject->program_rows->count, "kernel", "kernels"),
                    subject->program->class_count);
}

/* "~24.6 ms". */
static const char *time_text(struct rl_report *report, const struct rl_class_time *time)
{
    return rl_words(report->doc, "%s%s", rl_time_state_sign(time->state),
                    rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of(time->ns * 1e-9), 3));
}

/* ---- the chart ---- */

static enum rl_tone tone_of(const struct rl_report *report, const struct rl_family *row)
{
    return rl_words_tone(row->figures ? row->figures->bound : report->analysis->kernels[row->kernel].bound);
}

static struct rl_chart_bar bar_of(struct rl_report *report, const struct rl_family *row)
{
    const bool timed = row->time.state != RL_TIME_NONE;
    return (struct rl_chart_bar){.label = rl_words(report->doc, "%s  %s", row->id, row_name(report, row)),
                                 .value = timed ? row->gpu_s : NAN,
                                 .low = NAN,
                                 .high = NAN,
                                 .tone = tone_of(report, row),
                                 .note = timed ? rl_words(report->doc, "%s  %s", time_text(report, &row->time),
                                                          rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(row->share), 3))
                                               : "was not timed"};
}

static void plan(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct view_subject *subject = report->subject;
    size_t count = subject->program_rows->count < MOST_BARS ? subject->program_rows->count : MOST_BARS;
    if (count > 1 && subject->program->gpu_s > 0) {
        struct rl_chart_bar *bars = rl_arena_alloc(report->doc->arena, count * sizeof *bars);
        for (size_t i = 0; i < count; i++)
            bars[i] = bar_of(report, &subject->program_rows->at[i]);
        struct rl_chart *chart = rl_document_chart(report->doc, section, RL_CHART_BARS);
        chart->bars = (struct rl_chart_bars){.unit = RL_UNIT_SECOND,
                                             .title = "GPU time",
                                             .bars = bars,
                                             .bar_count = count,
                                             .values_aside = true,
                                             .label_share = 0.45};
    }
}

/* ---- sentences ---- */

/* "at least 86.3 ms". */
static const char *took_text(struct rl_report *report, const struct rl_class_time *time)
{
    static const char *const words[RL_TIME_STATE_COUNT] = {
        [RL_TIME_NONE] = "", [RL_TIME_AT_LEAST] = "at least ", [RL_TIME_ESTIMATED] = "about ", [RL_TIME_WHOLE] = ""};
    return rl_words(report->doc, "%s%s", words[time->state],
                    rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of(time->ns * 1e-9), 3));
}

static const char *lead(struct rl_report *report, const struct view_subject *subject)
{
    const struct rl_program *program = subject->program;
    const char *launches = rl_words_count(report->doc, program->launches, "launch", "launches"),
               *took = took_text(report, &program->coverage.time);
    if (!subject->program_rows->count)
        return "No kernel ran.";
    const struct rl_family *first = &subject->program_rows->at[0];
    if (program->coverage.time.state == RL_TIME_NONE)
        return rl_words(report->doc, "%s of %s: no launch was timed.", launches, rows_text(report, subject));
    if (subject->program_rows->count == 1)
        return rl_words(report->doc, "%s of %s, the only kernel%s, took %s of GPU time.", launches, row_name(report, first),
                        first->figures ? "" : " class", took);
    const size_t half = rl_families_leading(subject->program_rows, 0.5);
    return rl_words(report->doc, "%s of %s took %s of GPU time; %s takes %s of it, and half of it is in %s.", launches,
                    rows_text(report, subject), took, row_name(report, first),
                    rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(first->share), 3),
                    subject->program_rows->folded ? rl_words_count(report->doc, half, "kernel", "kernels")
                                                  : rl_words_count(report->doc, half, "class", "classes"));
}

static const char *coverage(struct rl_report *report, const struct view_subject *subject)
{
    const struct rl_session *session = &report->capture->session;
    const struct rl_coverage *of = &subject->program->coverage;
    if (!of->counted)
        return rl_session_counted(session) ? "No launch was counted."
                                           : rl_words(report->doc, "No counters: %s.", session->counters);
    const struct rl_value sampled =
        rl_value_div(rl_value_of(rl_families_covered_s(subject->program_rows)), rl_value_of(subject->program->gpu_s), "no time");
    return rl_words(report->doc, "Counters cover %s of GPU time, %s of %s: %" PRIu64 " of %" PRIu64 " launches%s.",
                    rl_words_value(report->doc, RL_UNIT_FRACTION, of->share, 3), rl_words_seconds(report->doc, of->covered_s),
                    time_text(report, &of->time), of->counted, subject->program->launches,
                    subject->program_rows->folded ? rl_words(report->doc, "; with the other shapes of kernels that were counted %s",
                                                             rl_words_value(report->doc, RL_UNIT_FRACTION, sampled, 3))
                                                  : "");
}

static const char *left_out(struct rl_report *report, const struct rl_program *program)
{
    const char *text = "";
    struct rl_buf gaps = RL_BUF_INIT;
    rl_coverage_gaps_text(&program->coverage, &gaps);
    if (gaps.len)
        text = rl_words(report->doc, " Timed: %s of launches; %s.",
                        rl_words_value(report->doc, RL_UNIT_FRACTION,
                                       rl_value_div(rl_value_of((double)program->coverage.time.timed),
                                                    rl_value_of((double)program->launches), "no launches"),
                                       3),
                        gaps.data);
    rl_buf_release(&gaps);
    if (program->unselected)
        text = rl_words(report->doc, "%s The filters left out %" PRIu64 " launches with %s of GPU time.", text, program->unselected,
                        rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of(program->unselected_s), 3));
    if (program->lost)
        text = rl_words(report->doc, "%s %" PRIu64 " activity records were lost.", text, program->lost);
    return text;
}

/* ---- tables ---- */

/* What is in the time of all classes and not in the table, and what is in neither. */
static void note_windows(struct rl_report *report, const struct rl_program *program)
{
    double timed_s = 0;
    if (!program->untimed)
        return;
    for (size_t g = 0; g < report->capture->gpu_count; g++)
        timed_s += program->gpus[g].kernel_s;
    const char *timed = rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of(timed_s), 3),
               *all = rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of(program->gpu_s), 3);
    rl_layout_textf(report->doc->layout, RL_STYLE_NOTE,
                    "Windows in which counters were taken are left out, because nothing was timed in them: the program ran for "
                    "longer than that.%s",
                    strcmp(timed, all) == 0
                        ? ""
                        : rl_words(report->doc,
                                   " Timed kernels took %s; with the %" PRIu64 " launches that were estimated it is the %s above.",
                                   timed, program->coverage.estimated, all));
}

static void draw_gpus(struct rl_report *report, const struct rl_program *program)
{
    size_t count = report->capture->gpu_count;
    struct rl_value *spans = rl_arena_alloc(report->doc->arena, (count + 1) * sizeof *spans);
    struct rl_grid grid;
    for (size_t g = 0; g < count; g++)
        spans[g] = rl_value_of(program->gpus[g].span_s);
    struct rl_scale scale = rl_words_scale(RL_UNIT_SECOND, spans, count);
    const struct rl_grid_column columns[] = {
        {"GPU", "", RL_GRID_LEFT},
        {"from first to last activity", scale.symbol, RL_GRID_DECIMAL},
        {"busy", scale.symbol, RL_GRID_DECIMAL},
        {"idle", "%", RL_GRID_DECIMAL},
        {"timed kernels, added up", scale.symbol, RL_GRID_DECIMAL},
    };
    rl_grid_begin(&grid, report->doc->layout, "The GPU's time", columns, RL_COUNT(columns));
    for (size_t g = 0; g < count; g++) {
        const struct rl_program_gpu *gpu = &program->gpus[g];
        if (report->hidden && report->hidden[g])
            continue;
        rl_grid_row(&grid);
        const char *rank = rl_has_ranks(report->capture) ? rl_rank_of_gpu(report->capture, g) : NULL;
        rl_grid_cell(&grid, RL_STYLE_CELL,
                     rl_words(report->doc, "%d  %s%s%s", report->capture->gpus[g].index, rl_words_card(report->capture, g),
                              rank ? ", rank " : "", rank ? rl_words_short(report->doc, rank, 12) : ""));
        rl_grid_value(&grid, RL_STYLE_CELL, spans[g], scale.factor, 4);
        rl_grid_value(&grid, RL_STYLE_CELL, rl_value_of(gpu->busy_s), scale.factor, 4);
        rl_grid_value(&grid, RL_STYLE_CELL, gpu->idle, 100, 3);
        rl_grid_value(&grid, RL_STYLE_CELL, rl_value_of(gpu->kernel_s), scale.factor, 4);
    }
    rl_grid_end(&grid);
    note_windows(report, program);
    rl_layout_notes(report->doc->layout);
}

/* Times of single launches of a row, and how much they differ. */
struct times {
    struct rl_value median, least, greatest, deviation;
};

static struct times times_of(const struct rl_report *report, const struct rl_family *row)
{
    const struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, rl_time_state_reason(RL_TIME_NONE));
    const struct rl_stats *duration = &report->analysis->kernels[row->kernel].duration;
    const struct rl_kernel_use *use = row->classes[0].use;
    if (row->figures)
        return (struct times){row->figures->median_s, row->figures->min_s, row->figures->max_s,
                              rl_value_missing(RL_UNDEFINED, "shapes differ")};
    struct times times = {duration->n ? rl_value_of(duration->median) : none, none, none, none};
    if (use && use->timed) {
        times.least = rl_value_of((double)use->min_ns * 1e-9);
        times.greatest = rl_value_of((double)use->max_ns * 1e-9);
        times.deviation = rl_value_of(use->deviation_ns * 1e-9);
    }
    return times;
}

static struct rl_scale row_scale(struct rl_report *report, const struct rl_families *rows)
{
    struct rl_value *values = rl_arena_alloc(report->doc->arena, (rows->count + 1) * sizeof *values);
    for (size_t i = 0; i < rows->count; i++)
        values[i] = times_of(report, &rows->at[i]).median;
    return rl_words_scale(RL_UNIT_SECOND, values, rows->count);
}

/* Why a class has no counters; of a family without any, the first reason. */
static const char *uncounted(const struct rl_family *row)
{
    if (!row->figures)
        return row->classes[0].use ? row->classes[0].use->uncounted : NULL;
    for (size_t i = 0; i < row->shapes && !row->counted; i++)
        if (row->classes[i].use && row->classes[i].use->uncounted)
            return row->classes[i].use->uncounted;
    return NULL;
}

static void add_row(struct rl_report *report, struct rl_grid *grid, const struct rl_family *row, double factor)
{
    const struct times times = times_of(report, row);
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL_QUIET, row->id);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME,
                 row->figures ? rl_words(report->doc, "%s, %zu shapes", row->label, row->shapes) : row->label);
    rl_grid_cell(grid, RL_STYLE_CELL, rl_words(report->doc, "%" PRIu64, row->time.launches));
    struct rl_grid_cell *share = rl_grid_value(grid, RL_STYLE_CELL, rl_family_share(row), 100, 3);
    share->share = row->time.state != RL_TIME_NONE ? row->share : NAN;
    share->share_colour = rl_tones[tone_of(report, row)].mark;
    rl_grid_value(grid, RL_STYLE_CELL, times.median, factor, 3);
    rl_grid_value(grid, RL_STYLE_CELL, times.least, factor, 3);
    rl_grid_value(grid, RL_STYLE_CELL, times.greatest, factor, 3);
    rl_grid_value(grid, RL_STYLE_CELL, times.deviation, factor, 2);
    struct rl_grid_cell *counted = rl_grid_cell(grid, RL_STYLE_CELL, rl_words(report->doc, "%" PRIu64, row->counted));
    if (uncounted(row))
        counted->sign = rl_layout_note(report->doc->layout, uncounted(row));
}

/* Of the rows without a time the first ones are shown too: nobody knows that they took little. */
static bool is_shown(size_t timed, size_t row)
{
    return row < timed ? row < MOST_CLASSES : row < timed + MOST_TIMELESS;
}

static void note_rest(struct rl_report *report, const struct rl_families *rows, size_t timed)
{
    size_t left_out_classes = 0, timeless = 0;
    double rest = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (!is_shown(timed, i)) {
            *(i < timed ? &left_out_classes : &timeless) += rows->at[i].shapes;
            rest += rows->at[i].share;
        }
    if (left_out_classes)
        rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "%s with %s of GPU time are in the attached capture.",
                        rl_words_count(report->doc, left_out_classes, "more class", "more classes"),
                        rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(rest), 2));
    if (timeless)
        rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "%s without a time are in the attached capture.",
                        rl_words_count(report->doc, timeless, "more class", "more classes"));
}

static void draw_classes(struct rl_report *report, const struct view_subject *subject)
{
    const struct rl_families *rows = subject->program_rows;
    const size_t timed = rl_families_leading(rows, 1);
    struct rl_scale scale = row_scale(report, rows);
    struct rl_grid grid;
    const struct rl_grid_column columns[] = {
        {"id", "", RL_GRID_LEFT, .whole = true},
        {"kernel", "", RL_GRID_LEFT},
        {"launches", "", RL_GRID_RIGHT},
        {"share", "%", RL_GRID_DECIMAL, .share_width = 30},
        {"median", scale.symbol, RL_GRID_DECIMAL},
        {"least", scale.symbol, RL_GRID_DECIMAL},
        {"greatest", scale.symbol, RL_GRID_DECIMAL},
        {"deviation", scale.symbol, RL_GRID_DECIMAL},
        {"counted", "", RL_GRID_RIGHT},
    };
    rl_grid_begin(&grid, report->doc->layout, rows->folded ? "Kernels" : "Kernel classes", columns, RL_COUNT(columns));
    for (size_t i = 0; i < rows->count; i++)
        if (is_shown(timed, i))
            add_row(report, &grid, &rows->at[i], scale.factor);
    rl_grid_end(&grid);
    rl_layout_notes(report->doc->layout);
    note_rest(report, rows, timed);
}

/* ---- one kernel class ---- */

/* What the tables would say of a program with one kernel class, process and GPU; its block says the rest. */
static bool is_simple(const struct rl_report *report, const struct rl_program *program)
{
    return report->doc->is_short && program->class_count == 1 && report->capture->process_count == 1;
}

static void write_simple(struct rl_report *report, const struct view_subject *subject)
{
    const struct rl_program *program = subject->program;
    const struct rl_program_gpu *gpu = &program->gpus[0];
    const struct rl_kernel_use *use = program->classes[0].use;
    const struct rl_process *process = &report->capture->processes[0];
    const char *idle = rl_present(gpu->idle)
                           ? rl_words(report->doc, "From its first to its last activity, %s%s, the GPU was idle for %s. ",
                                      rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of(gpu->span_s), 3),
                                      program->untimed ? " without the windows of counters" : "",
                                      rl_words_value(report->doc, RL_UNIT_FRACTION, gpu->idle, 3))
                           : "";
    const char *range = use && use->timed
                            ? rl_words(report->doc, "Launches took %s to %s. ",
                                       rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of((double)use->min_ns * 1e-9), 3),
                                       rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of((double)use->max_ns * 1e-9), 3))
                            : "";
    rl_layout_textf(report->doc->layout, RL_STYLE_BODY, "%s%s%s%s The process ended with %s.", idle, range,
                    coverage(report, subject), left_out(report, program), rl_program_end_text(report, process));
    if (process->phases[0])
        rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "Times and counters: %s.", process->phases);
}

/* ---- the page ---- */

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct view_subject *subject = report->subject;
    const struct rl_program *program = subject->program;
    rl_layout_text(report->doc->layout, RL_STYLE_LEAD, lead(report, subject));
    rl_layout_skip(report->doc->layout, 6);
    if (section->chart_count)
        rl_layout_figure(report->doc->layout, &rl_document_result(report->doc, section, 0)->drawing,
                         rl_words(report->doc, "GPU time of the %s. %s",
                                  rl_words(report->doc, "%s%s", subject->program_rows->count > MOST_BARS ? "greatest " : "",
                                           subject->program_rows->folded ? "kernels" : "kernel classes"),
                                  coverage(report, subject)),
                         rl_words(report->doc,
                                  "Durations by the Activity API, without counters; colours say what limits a class, where its "
                                  "counters tell.%s",
                                  left_out(report, program)));
    if (is_simple(report, program)) {
        write_simple(report, subject);
    } else {
        rl_layout_skip(report->doc->layout, 10);
        draw_gpus(report, program);
        rl_layout_skip(report->doc->layout, 10);
        draw_classes(report, subject);
    }
    rl_program_draw_ranges(report, program);
    rl_program_draw_transfers(report);
    if (!is_simple(report, program))
        rl_program_draw_processes(report);
    rl_layout_notes(report->doc->layout);
}

const struct rl_page rl_page_program = {.plan = plan, .draw = draw};
