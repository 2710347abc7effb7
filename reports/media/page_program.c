/* page_program.c - an observed program at a glance: where the GPU's time went, when it idled, what was copied, and in which NVTX
 * ranges kernels ran. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/actions.h"
#include "analysis/ranks.h"
#include "kernels.h"
#include "results/program.h"
#include "roofline_entries.h"
#include "view_table.h"

enum { MOST_BARS = 16, MOST_CLASSES = 60, MOST_TIMELESS = 10, MOST_RANGES = 80, MOST_PROCESSES = 64, NAME_COLUMNS = 48 };

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
    return rl_words_tone(rl_family_limiter(report->analysis, row));
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
    if (count > 1 && subject->program->gpu_s > 0 && !rl_report_is_of_program(report)) { /* its first page has them */
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

/* " Samples of the whole GPU give estimates for 38.0 % more." */
static const char *estimated(struct rl_report *report, const struct view_subject *subject)
{
    const double sampled_s = rl_families_sampled_s(subject->program_rows);
    if (sampled_s <= 0)
        return "";
    const struct rl_value share = rl_value_div(rl_value_of(sampled_s), rl_value_of(subject->program->gpu_s), "no time");
    return rl_words(report->doc, " Samples of the whole GPU give estimates (~) for %s of GPU time that no counters cover.",
                    rl_words_value(report->doc, RL_UNIT_FRACTION, share, 3));
}

static const char *counted(struct rl_report *report, const struct view_subject *subject)
{
    const struct rl_session *session = &report->capture->session;
    const struct rl_coverage *of = &subject->program->coverage;
    if (!of->counted)
        return rl_session_counted(session) || of->sampled_classes ? "No launch was counted."
                                                                  : rl_words(report->doc, "No counters: %s.", session->counters);
    const struct rl_value sampled =
        rl_value_div(rl_value_of(rl_families_covered_s(subject->program_rows)), rl_value_of(subject->program->gpu_s), "no time");
    return rl_words(report->doc, "Counters cover %s of GPU time, %s of %s: %s of %s launches%s.",
                    rl_words_value(report->doc, RL_UNIT_FRACTION, of->share, 3), rl_words_seconds(report->doc, of->covered_s),
                    time_text(report, &of->time), rl_words_number(report->doc, of->counted),
                    rl_words_number(report->doc, subject->program->launches),
                    subject->program_rows->folded ? rl_words(report->doc, "; with the other shapes of kernels that were counted %s",
                                                             rl_words_value(report->doc, RL_UNIT_FRACTION, sampled, 3))
                                                  : "");
}

static const char *coverage(struct rl_report *report, const struct view_subject *subject)
{
    return rl_words(report->doc, "%s%s", counted(report, subject), estimated(report, subject));
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
                    "Counter passes are left out, because nothing was timed in them: the program ran for longer than this.%s",
                    strcmp(timed, all) == 0
                        ? ""
                        : rl_words(report->doc, " Timed kernels took %s; with the %s estimated launches that makes the %s above.",
                                   timed, rl_words_number(report->doc, program->coverage.estimated), all));
}

static void draw_gpus(struct rl_report *report, const struct view *view)
{
    rl_view_table(report->doc->layout, view,
                  &(struct rl_view_table){.list = "gpus",
                                          .title = "The GPU's time",
                                          .columns = "gpu,card,rank,span_s,busy_s,idle,kernel_s,copy_s,overlap_s,gap_s",
                                          .choose = view_program_gpus});
    note_windows(report, view->row);
    rl_layout_textf(
        report->doc->layout, RL_STYLE_NOTE,
        "Side by side: kernels, copies and sets added up, less the time in which any of them ran. Idle between two: on average, "
        "from the end of one to the start of the next.%s",
        report->capture->timeline_count ? ""
                                        : " The capture does not record when each of them ran, so there is no timeline and no "
                                          "single gap.");
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

/* Bars say what limits a kernel, a note why it was not counted. */
static void dress_kernel(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    struct rl_report *report = to;
    if (field->bar)
        cell->share_colour = rl_tones[tone_of(report, row)].mark;
    if (strcmp(field->id, "counted") == 0 && uncounted(row))
        cell->sign = rl_layout_note(report->doc->layout, uncounted(row));
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

/* What a time in brackets behind a name is. */
static void note_kinds(struct rl_report *report)
{
    size_t classes = 0;
    for (size_t i = 0; i < report->capture->kernel_count; i++)
        classes += report->capture->kernels[i].population.number == 1;
    if (classes)
        rl_layout_textf(report->doc->layout, RL_STYLE_NOTE,
                        "Launches of %s with one name and shape do different work: each kind of them is a class here, with its "
                        "mean time in brackets.",
                        rl_words_count(report->doc, classes, "kernel", "kernels"));
}

static void draw_kernels(struct rl_report *report, const struct view *view)
{
    const struct rl_families *rows = report->subject->program_rows;
    rl_view_table(report->doc->layout, view,
                  &(struct rl_view_table){.list = "kernels",
                                          .title = rows->folded ? "Kernels" : "Kernel classes",
                                          .columns = "id,label,launches,share,median_s,min_s,max_s,deviation_s,counted",
                                          .most = MOST_CLASSES,
                                          .dress = dress_kernel,
                                          .to = report});
    note_rest(report, rows, rl_families_leading(rows, 1));
    note_kinds(report);
}

/* ---- ranges, copies, processes ---- */

static void draw_ranges(struct rl_report *report, const struct view *view)
{
    const struct rl_program *program = view->row;
    if (!program->range_count)
        return;
    rl_layout_skip(report->doc->layout, 10);
    rl_view_table(report->doc->layout, view, &(struct rl_view_table){.list = "ranges", .most = MOST_RANGES});
    rl_layout_textf(report->doc->layout, RL_STYLE_NOTE,
                    "A range includes everything launched in it and in nested ranges; shares are of all timed kernels of its "
                    "process. Host time: from entering to leaving%s; GPU work may go on after it.",
                    program->untimed ? ", counter passes included" : "");
}

static void draw_processes(struct rl_report *report, const struct view *view)
{
    rl_layout_skip(report->doc->layout, 10);
    rl_view_table(report->doc->layout, view,
                  &(struct rl_view_table){.list = "processes",
                                          .title = "Processes",
                                          .columns = "pid,rank,command,launches,untimed,end_text",
                                          .most = MOST_PROCESSES});
    rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "Times and counters: %s.%s", report->capture->processes[0].phases,
                    report->capture->process_count > MOST_PROCESSES
                        ? rl_words(report->doc, " %zu more processes are in the attached capture.",
                                   report->capture->process_count - MOST_PROCESSES)
                        : "");
}

/* ---- one kernel class ---- */

/* What the tables would say of a program with one kernel class, process and GPU; its block says the rest. */
static bool is_simple(const struct rl_report *report, const struct rl_program *program)
{
    return report->doc->is_short && program->class_count == 1 && report->capture->process_count == 1;
}

static const char *end_text(struct rl_report *report, const struct rl_process *process)
{
    if (strcmp(process->end, "killed") == 0)
        return rl_words(report->doc, "signal %d", process->status);
    return strcmp(process->end, "exited") == 0 ? rl_words(report->doc, "exit status %d", process->status) : "not seen";
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
                                      program->untimed ? " without counter passes" : "",
                                      rl_words_value(report->doc, RL_UNIT_FRACTION, gpu->idle, 3))
                           : "";
    const char *range = use && use->timed
                            ? rl_words(report->doc, "Launches took %s to %s. ",
                                       rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of((double)use->min_ns * 1e-9), 3),
                                       rl_words_value(report->doc, RL_UNIT_SECOND, rl_value_of((double)use->max_ns * 1e-9), 3))
                            : "";
    rl_layout_textf(report->doc->layout, RL_STYLE_BODY, "%s%s%s%s The process ended with %s.", idle, range,
                    coverage(report, subject), left_out(report, program), end_text(report, process));
    if (process->phases[0])
        rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "Times and counters: %s.", process->phases);
}

/* ---- the page ---- */

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct view_subject *subject = report->subject;
    const struct rl_program *program = subject->program;
    const struct view view = view_subject_view(report->subject, &view_record_program, program);
    rl_layout_text(report->doc->layout, RL_STYLE_LEAD, lead(report, subject));
    rl_layout_skip(report->doc->layout, 6);
    if (section->chart_count)
        rl_layout_figure(report->doc->layout, &rl_document_result(report->doc, section, 0)->drawing,
                         rl_words(report->doc, "GPU time of the %s. %s",
                                  rl_words(report->doc, "%s%s", subject->program_rows->count > MOST_BARS ? "greatest " : "",
                                           subject->program_rows->folded ? "kernels" : "kernel classes"),
                                  coverage(report, subject)),
                         rl_words(report->doc,
                                  "Durations from the Activity API, without counters; colours show what limits a class, where its "
                                  "counters tell.%s",
                                  left_out(report, program)));
    else if (!is_simple(report, program))
        rl_layout_textf(report->doc->layout, RL_STYLE_BODY, "%s%s", coverage(report, subject), left_out(report, program));
    if (is_simple(report, program)) {
        write_simple(report, subject);
    } else {
        rl_layout_skip(report->doc->layout, 10);
        draw_gpus(report, &view);
        rl_layout_skip(report->doc->layout, 10);
        if (!rl_report_is_of_program(report)) /* the first page and the kernels' have them */
            draw_kernels(report, &view);
    }
    draw_ranges(report, &view);
    if (report->capture->transfer_count) {
        rl_layout_skip(report->doc->layout, 10);
        rl_view_table(
            report->doc->layout, &view,
            &(struct rl_view_table){.list = "transfers",
                                    .columns = "direction,memory,gpu,count,bytes,total_s,bytes_per_second,slowest,fastest"});
    }
    if (!is_simple(report, program))
        draw_processes(report, &view);
    rl_layout_notes(report->doc->layout);
}

static size_t how_many(const struct rl_document *doc)
{
    const struct rl_report *report = doc->subject;
    return rl_is_program(report->capture);
}

const struct rl_page rl_page_program = {.count = how_many, .plan = plan, .draw = draw, .joins = 420};
