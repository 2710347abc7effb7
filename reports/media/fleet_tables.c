/* fleet_tables.c - the tables: tickets, groups with their settings, captures that were left out or are incomplete. */
#include <string.h>

#include "fleet_doc.h"
#include "results/fleet.h"
#include "view_table.h"

enum { MOST_TICKETS = 400, MOST_FILES = 200, FEW_FILES = 12 };

/* ---- tickets ---- */

void rl_fleet_dress_suspect(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct rl_fleet_suspect *suspect = view_fleet_suspect(row);
    (void)to;
    if (field->look == VIEW_LOOK_CODE)
        cell->mark = suspect->slower ? RL_MARK_ATTENTION : RL_MARK_QUIET;
    else if (strcmp(field->id, "why") == 0 && suspect->cause_count == 0)
        cell->style = RL_STYLE_CELL_QUIET;
}

static void draw_tickets(struct rl_document *doc, struct rl_section *section)
{
    const struct view view = rl_fleet_view(doc);
    struct rl_view_table table = {
        .list = "slower", .columns = "who_uuid,text,why,advice", .most = MOST_TICKETS, .dress = rl_fleet_dress_suspect};
    (void)section;
    if (rl_view_table(doc->layout, &view, &table))
        rl_layout_skip(doc->layout, 10);
    table.list = "faster";
    table.columns = "who_uuid,text";
    rl_view_table(doc->layout, &view, &table);
}

const struct rl_page rl_fleet_page_tickets = {.draw = draw_tickets};

/* ---- groups ---- */

static void draw_groups(struct rl_document *doc, struct rl_section *section)
{
    (void)section;
    const struct view view = rl_fleet_view(doc), first = view_fleet_group(&view, 0);
    rl_layout_text(doc->layout, RL_STYLE_BODY,
                   "GPUs are compared with others of the same card, tool version and kind of suite, and links with others of the "
                   "same route. Drivers that at least 8 GPUs of a group share are kept apart.");
    rl_layout_skip(doc->layout, 6);
    rl_view_table(doc->layout, &view,
                  &(struct rl_view_table){.list = "groups",
                                          .columns = "card,what,gpus,incomplete,version,suite_text,drivers_counted",
                                          .most = MOST_FILES});
    if (rl_fleet_of(doc)->effect_count)
        rl_layout_skip(doc->layout, 14);
    rl_view_table(doc->layout, &view,
                  &(struct rl_view_table){.list = "effects",
                                          .title = "What GPUs have in common",
                                          .columns = "factor,level,gpus,part_text,difference,p",
                                          .most = MOST_FILES});
    rl_layout_skip(doc->layout, 14);
    rl_view_table(doc->layout, &first,
                  &(struct rl_view_table){.list = "settings",
                                          .title = rl_words(doc, "State and settings of %s", rl_fleet_group_name(doc, 0))});
}

const struct rl_page rl_fleet_page_groups = {.draw = draw_groups};

/* ---- captures ---- */

/* How many files are left out or incomplete. */
static size_t count_files(const struct rl_document *doc)
{
    const struct view view = rl_fleet_view(doc);
    return view_value(&view, view_record_field(view.record, "files"), view.row).rows.count;
}

double rl_fleet_captures_height(const struct rl_document *doc)
{
    const size_t rows = count_files(doc);
    return rows > FEW_FILES ? 0 : 60 + 2 * rl_styles[RL_STYLE_CELL].leading * (double)rows;
}

static void draw_captures(struct rl_document *doc, struct rl_section *section)
{
    const struct view view = rl_fleet_view(doc);
    if (count_files(doc) > FEW_FILES)
        rl_layout_section(doc->layout, section->heading);
    else
        rl_layout_subsection(doc->layout, section->heading);
    if (!rl_view_table(doc->layout, &view,
                       &(struct rl_view_table){.list = "files", .columns = "capture,about", .most = MOST_FILES}))
        rl_layout_text(doc->layout, RL_STYLE_BODY, "None: every capture was read, is complete, and counts.");
}

const struct rl_page rl_fleet_page_captures = {.draw = draw_captures, .own_heading = true};
