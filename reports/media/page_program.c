/* page_program.c - an observed program at a glance: where the GPU's time went, when it idled, what was copied, and in which NVTX
 * ranges kernels ran. */
#include "kernels.h"
#include "results/results.h"
#include "view_table.h"

/* "303 launches of 3 configurations took 10.0 ms of GPU time; gemm takes 60.0 % of it, and half of it is in 1 configuration." */
static const char *lead(struct rl_report *report, const struct view_subject *subject)
{
    static const char *const words[RL_TIME_STATE_COUNT] = {[RL_TIME_AT_LEAST] = "at least ", [RL_TIME_ESTIMATED] = "about "};
    const struct rl_families *rows = subject->program_rows;
    const struct rl_class_time *time = &subject->program->coverage.time;
    const char *launches = rl_words_count(report->doc, subject->program->launches, "launch", "launches");
    if (!rows->count)
        return "No kernel ran.";
    const char *kernels =
        rows->folded ? rl_words(report->doc, "%s (%zu configurations)",
                                rl_words_count(report->doc, rows->count, "kernel", "kernels"), subject->program->class_count)
                     : rl_words_count(report->doc, rows->count, "configuration", "configurations");
    if (time->state == RL_TIME_NONE)
        return rl_words(report->doc, "%s of %s: no launch was timed.", launches, kernels);
    const char *took = rl_words(report->doc, "%s%s of GPU time", words[time->state] ? words[time->state] : "",
                                rl_words_seconds(report->doc, time->ns * 1e-9));
    if (rows->count == 1)
        return rl_words(report->doc, "%s of %s, the only %s, took %s.", launches, rl_family_label(report, &rows->at[0], 48),
                        rows->at[0].figures ? "kernel" : "configuration", took);
    const size_t half = rl_families_leading(rows, 0.5);
    return rl_words(report->doc, "%s of %s took %s; %s takes %s of it, and half of it is in %s.", launches, kernels, took,
                    rl_family_label(report, &rows->at[0], 48),
                    rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(rows->at[0].share), 3),
                    rows->folded ? rl_words_count(report->doc, half, "kernel", "kernels")
                                 : rl_words_count(report->doc, half, "configuration", "configurations"));
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    const struct view view = view_subject_view(report->subject, &view_record_program, report->subject->program);
    rl_layout_text(doc->layout, RL_STYLE_LEAD, lead(report, report->subject));
    rl_layout_skip(doc->layout, 6);
    rl_view_blocks(doc->layout, &view, false);
    if (report->subject->program->untimed)
        rl_layout_text(doc->layout, RL_STYLE_NOTE,
                       "Counter passes are left out, because nothing was timed in them: the program ran for longer than this.");
    if (!report->capture->timeline_count)
        rl_layout_text(doc->layout, RL_STYLE_NOTE, "The capture has no start times, so there is no timeline.");
    if (report->subject->program->range_count)
        rl_layout_text(doc->layout, RL_STYLE_NOTE,
                       "A range includes everything launched in it and in nested ranges; shares are of all timed kernels of its "
                       "process. Host time: from entering to leaving; GPU work may go on after it.");
    rl_layout_notes(doc->layout);
}

static size_t how_many(const struct rl_document *doc)
{
    const struct rl_report *report = doc->subject;
    return rl_is_program(report->capture);
}

const struct rl_page rl_page_program = {.count = how_many, .draw = draw, .joins = 420, .fills = 170};
