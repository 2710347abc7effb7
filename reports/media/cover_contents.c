/* cover_contents.c - what first pages have in common: the health of the card, the contents at the foot (see cover.h).
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "cover.h"
#include "health.h"
#include "view_table.h"

/* ---- health ---- */

void rl_cover_health_add(struct rl_report *report, struct rl_box *cell, size_t gpu)
{
    struct rl_detail *checks = rl_arena_alloc(report->doc->arena, rl_health_count * sizeof *checks);
    for (size_t i = 0; i < rl_health_count; i++) {
        const struct rl_health health = rl_health_check(report, gpu, i);
        checks[i] = (struct rl_detail){.what = health.title, .text = health.text, .mark = health.mark};
    }
    rl_box_text(cell, RL_STYLE_SUBSECTION, "Health of the card");
    rl_details_add(cell, checks, rl_health_count);
}

/* ---- contents ---- */

/* All entries of the contents, or, where they would not fit, one for each topic of experiments. */
struct entry {
    const char *text;
    size_t target;
};
enum { FEW_COLUMNS = 3, CONTENT_COLUMNS = 4, CONTENTS_ABOVE = 8, CONTENTS_BELOW = 2 };

static size_t entries_of(struct rl_report *report, bool by_topic, struct entry *entries)
{
    const char *topic = NULL;
    size_t count = 0;
    for (size_t i = 1; i < report->doc->section_count; i++) {
        const struct rl_section *section = &report->doc->sections[i];
        if (!by_topic || section->id != RL_PAGE_experiment) {
            entries[count++] = (struct entry){section->title, section->target};
            continue;
        }
        const char *next =
            rl_words_topic(report->doc, &report->capture->experiments[rl_experiment_key_of(report, section->instance).experiment]);
        if (!topic || strcmp(topic, next) != 0)
            entries[count++] = (struct entry){next, section->target};
        topic = next;
    }
    return count;
}

static void add_entries(struct rl_box *cell, const struct entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        rl_box_line(cell, &(struct rl_line){.style = RL_STYLE_CELL,
                                            .text = entries[i].text,
                                            .target = entries[i].target,
                                            .side_style = RL_STYLE_CELL,
                                            .pages = {{"", entries[i].target, 24}}});
}

const char *rl_cover_share_text(struct rl_report *report, double part, double whole)
{
    assert(!(part < 0) && !(whole < 0));
    return rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_div(rl_value_of(part), rl_value_of(whole), "no time"), 3);
}

/* At the foot of the page, in columns; as far as there is room, and not at all where not even two rows fit. */
void rl_cover_contents_draw(struct rl_report *report)
{
    struct rl_layout *layout = report->doc->layout;
    struct entry *entries = rl_arena_alloc(report->doc->arena, (report->doc->section_count + 1) * sizeof *entries);
    double leading = rl_styles[RL_STYLE_CELL].leading;
    if (rl_layout_room(layout) < CONTENTS_ABOVE + rl_styles[RL_STYLE_SUBSECTION].leading + CONTENTS_BELOW + 2 * leading)
        return;
    rl_layout_skip(layout, CONTENTS_ABOVE);
    rl_layout_text(layout, RL_STYLE_SUBSECTION, "Contents");
    rl_layout_skip(layout, CONTENTS_BELOW);
    size_t fit = (size_t)fmax(0, rl_layout_room(layout) / leading), count = entries_of(report, false, entries);
    if (count > fit * CONTENT_COLUMNS)
        count = entries_of(report, true, entries);
    count = count < fit * CONTENT_COLUMNS ? count : fit * CONTENT_COLUMNS;
    const size_t columns = count <= fit * FEW_COLUMNS ? FEW_COLUMNS : CONTENT_COLUMNS; /* wide ones do not cut names short */
    size_t rows = (count + columns - 1) / columns;
    struct rl_box *box = rl_flow_begin(layout), *row = rl_box_row(box);
    for (size_t first = 0; first < count; first += rows)
        add_entries(rl_box_cell(row, RL_ALL_COLUMNS / (int)columns), entries + first, count - first < rows ? count - first : rows);
    rl_flow_end(box);
}
