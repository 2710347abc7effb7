/* fleet_tables.c - the tables: tickets, groups with their settings, captures that were left out or are incomplete. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "fleet_doc.h"
#include "view_table.h"
#include "views/fleet.h"

enum { MOST_TICKETS = 400, MOST_FILES = 200, FEW_FILES = 12 };

/* ---- tickets ---- */

/* Of links those of both GPUs. */
static const char *uuid_of(struct rl_document *doc, const struct rl_fleet_record *record)
{
    const char *uuid = *record->uuid ? rl_words_short(doc, record->uuid, 48) : "UUID unknown";
    return *record->peer_uuid ? rl_words(doc, "%s %s", uuid, rl_words_short(doc, record->peer_uuid, 48)) : uuid;
}

static const char *advice_of(const struct rl_fleet_suspect *suspect)
{
    return suspect->cause_count ? rl_causes[suspect->causes[0].cause].advice : "";
}

static void add_ticket(struct rl_document *doc, struct rl_grid *grid, const struct rl_fleet_suspect *suspect)
{
    const struct rl_fleet_record *record = rl_fleet_of(doc)->records[suspect->record];
    const char *advice = advice_of(suspect), *why = rl_fleet_words_why(doc, suspect);
    rl_grid_group(grid);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, rl_words(doc, "%s %s", rl_fleet_words_who(doc, suspect->record), uuid_of(doc, record)))
        ->mark = suspect->slower ? RL_MARK_ATTENTION : RL_MARK_QUIET;
    rl_grid_cell(grid, RL_STYLE_CELL, rl_fleet_words_what(doc, suspect));
    rl_grid_cell(grid, suspect->cause_count ? RL_STYLE_CELL : RL_STYLE_CELL_QUIET, why);
    rl_grid_cell(grid, RL_STYLE_CELL, advice);
}

static size_t add_tickets(struct rl_document *doc, struct rl_grid *grid, bool slower)
{
    size_t shown = 0;
    for (size_t i = 0; i < rl_fleet_of(doc)->suspect_count && shown < MOST_TICKETS; i++)
        if (rl_fleet_of(doc)->suspects[i].slower == slower) {
            add_ticket(doc, grid, &rl_fleet_of(doc)->suspects[i]);
            shown++;
        }
    return shown;
}

static void draw_ticket_table(struct rl_document *doc, bool slower, size_t all)
{
    struct rl_grid grid;
    if (all == 0)
        return;
    rl_layout_subsection(doc->layout, slower ? "Slower than the others" : "Faster than the others");
    const struct rl_grid_column columns[] = {
        {.head = "GPU", .align = RL_GRID_WRAP, .at_least = 132, .at_most = 132},
        {.head = "what", .align = RL_GRID_WRAP},
        {.head = slower ? "likely cause, from the capture" : "", .align = RL_GRID_WRAP},
        {.head = slower ? "look at" : "", .align = RL_GRID_WRAP},
    };
    rl_grid_begin(&grid, doc->layout, NULL, columns, RL_COUNT(columns));
    size_t shown = add_tickets(doc, &grid, slower);
    rl_grid_end(&grid);
    if (shown < all)
        rl_layout_textf(doc->layout, RL_STYLE_NOTE, "and %zu more: rooflight compare --fleet --csv has all of them", all - shown);
    rl_layout_skip(doc->layout, 10);
}

static void draw_tickets(struct rl_document *doc, struct rl_section *section)
{
    (void)section;
    draw_ticket_table(doc, true, rl_fleet_of(doc)->slower_count);
    draw_ticket_table(doc, false, rl_fleet_of(doc)->suspect_count - rl_fleet_of(doc)->slower_count);
}

const struct rl_page rl_fleet_page_tickets = {.draw = draw_tickets};

/* ---- groups ---- */

/* What the cards of the first group have in common, and how many differ: settings that one would want to be alike. */
struct setting {
    double least, greatest;
    size_t known, other;
};

static struct setting look_at(const struct rl_fleet *fleet, const struct rl_fleet_group *group, int id)
{
    struct setting setting = {INFINITY, -INFINITY, 0, 0};
    for (size_t i = 0; i < group->record_count; i++) {
        struct rl_value value = fleet->records[group->records[i]]->evidence[id];
        if (!rl_present(value))
            continue;
        setting.known++;
        setting.least = fmin(setting.least, value.v);
        setting.greatest = fmax(setting.greatest, value.v);
        setting.other += value.v != group->usual[id].v;
    }
    return setting;
}

/* Readings differ by nature; of settings it is told how many. */
static const char *verdict(struct rl_document *doc, const struct setting *setting, enum rl_unit unit, bool links)
{
    if (setting->least == setting->greatest)
        return "all alike";
    if (unit != RL_UNIT_COUNT)
        return "";
    return links ? rl_words_count(doc, setting->other, "link differs", "links differ")
                 : rl_words_count(doc, setting->other, "GPU differs", "GPUs differ");
}

/* What is concluded of the links is no setting. */
static bool is_setting(int id)
{
    return id != RL_EVIDENCE_driver && id != RL_EVIDENCE_slow_end && id != RL_EVIDENCE_lone_link;
}

static void add_setting(struct rl_document *doc, struct rl_grid *grid, const struct rl_fleet_group *group, int id)
{
    struct setting setting = look_at(rl_fleet_of(doc), group, id);
    enum rl_unit unit = rl_evidences[id].unit;
    bool alike = setting.known > 0 && setting.least == setting.greatest;
    if (!is_setting(id) || setting.known == 0)
        return;
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL, rl_evidences[id].label);
    rl_grid_cell(grid, RL_STYLE_CELL_STRONG, rl_words_value(doc, unit, group->usual[id], 4));
    rl_grid_cell(grid, RL_STYLE_CELL, alike ? "" : rl_words_value(doc, unit, rl_value_of(setting.least), 4));
    rl_grid_cell(grid, RL_STYLE_CELL, alike ? "" : rl_words_value(doc, unit, rl_value_of(setting.greatest), 4));
    rl_grid_cell(grid, RL_STYLE_CELL, verdict(doc, &setting, unit, *group->links != 0));
}

static void draw_settings(struct rl_document *doc)
{
    struct rl_grid grid;
    rl_layout_skip(doc->layout, 14);
    rl_layout_subsection(doc->layout, rl_words(doc, "State and settings of %s", rl_fleet_group_name(doc, 0)));
    static const struct rl_grid_column columns[] = {
        {.align = RL_GRID_LEFT},
        {.head = "usual", .align = RL_GRID_RIGHT},
        {.head = "least", .align = RL_GRID_RIGHT},
        {.head = "greatest", .align = RL_GRID_RIGHT},
        {.align = RL_GRID_LEFT},
    };
    rl_grid_begin(&grid, doc->layout, NULL, columns, RL_COUNT(columns));
    for (int id = 0; id < RL_FLEET_EVIDENCE_COUNT; id++)
        add_setting(doc, &grid, &rl_fleet_of(doc)->groups[0], id);
    rl_grid_end(&grid);
    rl_layout_skip(doc->layout, 4);
    rl_layout_text(doc->layout, RL_STYLE_NOTE, "Usual: the median; for counts and switches, the most common value.");
}

static void draw_groups(struct rl_document *doc, struct rl_section *section)
{
    (void)section;
    const struct view_fleet subject = {.fleet = rl_fleet_of(doc)};
    const struct view view = view_fleet_view(&subject, doc->arena);
    rl_layout_text(doc->layout, RL_STYLE_BODY,
                   "GPUs are compared with others of the same card, tool version and kind of suite, and links with others of the "
                   "same route. Drivers that at least 8 GPUs of a group share are kept apart.");
    rl_layout_skip(doc->layout, 6);
    rl_view_table(doc->layout, &view,
                  &(struct rl_view_table){.list = "groups",
                                          .columns = "card,what,gpus,incomplete,version,suite_text,drivers_counted",
                                          .most = MOST_FILES});
    if (subject.fleet->effect_count)
        rl_layout_skip(doc->layout, 14);
    rl_view_table(doc->layout, &view,
                  &(struct rl_view_table){.list = "effects",
                                          .title = "What GPUs have in common",
                                          .columns = "factor,level,gpus,part_text,difference,p",
                                          .most = MOST_FILES});
    draw_settings(doc);
}

const struct rl_page rl_fleet_page_groups = {.draw = draw_groups};

/* ---- captures ---- */

static void add_file(struct rl_document *doc, struct rl_grid *grid, const char *path, const char *what)
{
    rl_grid_row(grid);
    rl_grid_cell(grid, RL_STYLE_CELL_NAME, rl_words_short(doc, path, 60));
    rl_grid_cell(grid, RL_STYLE_CELL, what);
}

static const char *why_out(struct rl_document *doc, const struct rl_fleet_record *record)
{
    const char *use = rl_fleet_use_name(record->use);
    if (record->of == RL_NONE)
        return use;
    return rl_words(doc, "%s; %s counts", use, rl_words_short(doc, rl_fleet_of(doc)->records[record->of]->path, 60));
}

static const char *how_far(struct rl_document *doc, const struct rl_fleet_record *record)
{
    return rl_words(doc, "incomplete: %zu figures from %s%s", record->measure_count,
                    rl_words_count(doc, record->planned, "variant", "variants"),
                    record->failed ? rl_words(doc, ", %zu failed", record->failed) : "");
}

static void fill_files(struct rl_document *doc, struct rl_grid *grid)
{
    const struct rl_fleet *fleet = rl_fleet_of(doc);
    for (size_t i = 0; i < fleet->unread_count && grid->row_count < MOST_FILES; i++)
        add_file(doc, grid, fleet->unread[i].path, fleet->unread[i].why);
    for (size_t i = 0; i < fleet->record_count && grid->row_count < MOST_FILES; i++) {
        const struct rl_fleet_record *record = fleet->records[i];
        if (record->use != RL_USE_COMPARED)
            add_file(doc, grid, record->path, why_out(doc, record));
        else if (!record->complete)
            add_file(doc, grid, record->path, how_far(doc, record));
    }
}

/* Files that fill_files adds, as far as FEW_FILES and one more. */
static size_t count_few(const struct rl_fleet *fleet)
{
    size_t count = fleet->unread_count;
    for (size_t i = 0; i < fleet->record_count && count <= FEW_FILES; i++)
        count += fleet->records[i]->use != RL_USE_COMPARED || !fleet->records[i]->complete;
    return count;
}

double rl_fleet_captures_height(const struct rl_fleet *fleet)
{
    const size_t rows = count_few(fleet);
    return rows > FEW_FILES ? 0 : 60 + 2 * rl_styles[RL_STYLE_CELL].leading * (double)rows;
}

static void draw_captures(struct rl_document *doc, struct rl_section *section)
{
    struct rl_grid grid;
    if (count_few(rl_fleet_of(doc)) > FEW_FILES)
        rl_layout_section(doc->layout, section->heading);
    else
        rl_layout_subsection(doc->layout, section->heading);
    static const struct rl_grid_column columns[] = {
        {.head = "capture", .align = RL_GRID_LEFT},
        {.align = RL_GRID_WRAP},
    };
    rl_grid_begin(&grid, doc->layout, NULL, columns, RL_COUNT(columns));
    fill_files(doc, &grid);
    if (grid.row_count == 0)
        rl_layout_text(doc->layout, RL_STYLE_BODY, "None: every capture was read, is complete, and counts.");
    else
        rl_grid_lay(&grid);
    if (grid.row_count == MOST_FILES)
        rl_layout_text(doc->layout, RL_STYLE_NOTE, "and perhaps more: rooflight compare --fleet --json has all of them");
    rl_grid_release(&grid);
}

const struct rl_page rl_fleet_page_captures = {.draw = draw_captures, .own_heading = true};
