/* page_nothing.c - the first page of a capture without a kernel: it says why there is nothing to show. */
#include "page.h"

enum { MOST_REASONS = 12 };
#define TABLE_ROOM 360.0 /* for all ceilings */

/* Draws a reason if there are not too many already. */
static void add_reason(struct rl_report *report, size_t *reasons, enum rl_mark mark, const char *text)
{
    struct rl_para para = {.max_lines = 2};
    if ((*reasons)++ >= MOST_REASONS)
        return;
    rl_para_add(report->doc->layout, &para, RL_STYLE_BODY, text);
    rl_layout_item(report->doc->layout, mark, &para);
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    struct rl_report *report = doc->subject;
    rl_layout_text(report->doc->layout, RL_STYLE_DISPLAY,
                   report->capture->gpu_count ? rl_words_card(report->capture, 0) : section->title);
    rl_layout_text(report->doc->layout, RL_STYLE_LEAD,
                   "This capture holds no kernel, so there is nothing to show about performance.");
    rl_layout_skip(report->doc->layout, 10);
    rl_layout_subsection(report->doc->layout, "Why");
    const struct rl_capture *capture = report->capture;
    size_t reasons = 0;
    for (size_t i = 0; i < capture->variant_count; i++) {
        const struct rl_variant *variant = &capture->variants[i];
        if (variant->status != RL_VARIANT_DONE)
            add_reason(report, &reasons, RL_MARK_QUIET,
                       rl_words(report->doc, "%s / %s: %s%s%s", capture->experiments[variant->experiment].name, variant->name,
                                rl_variant_status_name(variant->status), variant->reason ? ": " : "",
                                variant->reason ? variant->reason : ""));
    }
    for (size_t i = 0; i < capture->log_count; i++)
        if (capture->log[i].level != RL_LOG_NOTE)
            add_reason(report, &reasons, RL_MARK_ATTENTION, capture->log[i].text);
    if (reasons > MOST_REASONS)
        rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "%zu more: see rooflight show.", reasons - MOST_REASONS);
    if (reasons == 0)
        rl_layout_text(report->doc->layout, RL_STYLE_BODY,
                       capture->session.complete ? "The session ran to its end, gave no warning, and saw no kernel: the program "
                                                   "launched none, or none that was selected."
                                                 : "The session did not run to its end, and no kernel was finished by then.");
    rl_method_draw_run(report);
    /* The roofs may have been measured all the same. */
    if (!report->capture->gpu_count || !rl_ceilings_any_measured(report, 0))
        return;
    rl_layout_subsection(report->doc->layout, "Roofs");
    if (rl_layout_room(report->doc->layout) > TABLE_ROOM)
        rl_ceilings_draw(report, 0, RL_CEILINGS_MEASURED);
    rl_layout_text(report->doc->layout, RL_STYLE_NOTE,
                   "All roofs that were measured, each with its sweep: rooflight report --only ceilings.");
}

static size_t how_many(const struct rl_document *doc)
{
    const struct rl_report *report = doc->subject;
    return !rl_page_when_measured(doc) && report->capture->link_count == 0 && report->subject->cases->count == 0;
}

const struct rl_page rl_page_nothing = {.count = how_many, .draw = draw, .own_heading = true};
