/* fleet_figures.c - every ceiling and every time: a chart and, for ceilings, a table. */
#include "fleet_doc.h"
#include "results/fleet.h"
#include "view_table.h"

static void draw_ceilings_table(struct rl_document *doc, size_t group)
{
    const struct view fleet = rl_fleet_view(doc), view = view_fleet_group(&fleet, group);
    const bool links = *rl_fleet_of(doc)->groups[group].links != 0;
    rl_view_table(doc->layout, &view,
                  &(struct rl_view_table){.list = "ceilings",
                                          .title = "",
                                          .columns = links ? "rate,links,middle,below,above,scatter,limit,slowest,slowest_of"
                                                           : "ceiling,gpus,middle,below,above,scatter,limit,slowest,slowest_of"});
    rl_layout_skip(doc->layout, 14);
}

/* Groups that have charts. */
static size_t groups_of(const struct rl_document *doc)
{
    const size_t groups = rl_fleet_of(doc)->group_count;
    return groups < RL_FLEET_MOST_GROUPS ? groups : RL_FLEET_MOST_GROUPS;
}

static void plan_ceilings(struct rl_document *doc, struct rl_section *section)
{
    struct rl_fleet_subject *subject = doc->subject;
    for (size_t group = 0; group < groups_of(doc); group++)
        subject->ceilings[group] = rl_fleet_plan_figures(doc, section, group, true);
}

static void draw_ceilings(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_fleet_subject *subject = doc->subject;
    size_t chart = 0;
    for (size_t group = 0; group < groups_of(doc); group++) {
        for (size_t i = 0; i < subject->ceilings[group]; i++) {
            rl_layout_figure(doc->layout, &rl_document_result(doc, section, chart++)->drawing,
                             rl_words(doc, "Measured %s of %s, with the median on the right.",
                                      *subject->fleet->groups[group].links ? "rates" : "ceilings", rl_fleet_group_name(doc, group)),
                             "Single figures scatter more than the medians by part on the first page: a part may stand apart where "
                             "none of its figures does.");
            rl_layout_skip(doc->layout, 10);
        }
        if (subject->ceilings[group])
            draw_ceilings_table(doc, group);
    }
}

const struct rl_page rl_fleet_page_ceilings = {.plan = plan_ceilings, .draw = draw_ceilings};

static void plan_times(struct rl_document *doc, struct rl_section *section)
{
    struct rl_fleet_subject *subject = doc->subject;
    for (size_t group = 0; group < groups_of(doc); group++)
        subject->times[group] = rl_fleet_plan_figures(doc, section, group, false);
}

/* Two charts side by side, or the last one. */
static void draw_beside(struct rl_document *doc, const struct rl_section *section, size_t group, size_t first, size_t count)
{
    struct rl_box *box = rl_flow_begin(doc->layout);
    rl_box_gap(box, 10);
    rl_box_text(box, RL_STYLE_BODY,
                rl_words(doc,
                         "%s: every kernel and variant, with the median time on the right. Left is slower; squares stand "
                         "apart.",
                         rl_fleet_group_name(doc, group)));
    rl_box_gap(box, 4);
    struct rl_box *row = rl_box_row(box);
    for (size_t i = 0; i < count; i++)
        rl_box_drawing(rl_box_cell(row, RL_ALL_COLUMNS / 2), &rl_document_result(doc, section, first + i)->drawing,
                       "Differences of kernels' times from the median");
    rl_flow_together(box);
}

static void draw_times(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_fleet_subject *subject = doc->subject;
    size_t chart = 0;
    for (size_t group = 0; group < groups_of(doc); group++)
        for (size_t i = 0; i < subject->times[group]; i += 2) {
            const size_t count = i + 1 < subject->times[group] ? 2 : 1;
            draw_beside(doc, section, group, chart, count);
            chart += count;
        }
}

const struct rl_page rl_fleet_page_times = {.plan = plan_times, .draw = draw_times};
