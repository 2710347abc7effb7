/* fleet_cover.c - the first page: how many GPUs, which are slow, by how much, why. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/signs.h"
#include "core/sort.h"
#include "fleet_doc.h"
#include "results/fleet.h"
#include "view_table.h"

enum { MOST_ROWS = 14, MOST_EFFECTS = 6 };

/* ---- what is to be said ---- */

static size_t slower_in(const struct rl_fleet *fleet, enum rl_fleet_part part)
{
    size_t count = 0;
    for (size_t i = 0; i < fleet->suspect_count; i++)
        count += fleet->suspects[i].slower && ((fleet->suspects[i].parts >> part) & 1);
    return count;
}

/* "device memory 8, SMs 9, host link 8" */
static const char *by_part(struct rl_document *doc)
{
    const char *text = "";
    for (int part = 0; part < RL_PART_COUNT; part++) {
        size_t count = slower_in(rl_fleet_of(doc), (enum rl_fleet_part)part);
        if (count)
            text = rl_words(doc, "%s%s%s %zu", text, text[0] ? ", " : "", rl_fleet_parts[part].label, count);
    }
    return text;
}

static bool any_judged(const struct rl_fleet *fleet)
{
    for (size_t i = 0; i < fleet->group_count; i++)
        if (fleet->groups[i].judged)
            return true;
    return false;
}

static const char *answer(struct rl_document *doc)
{
    const struct rl_fleet *fleet = rl_fleet_of(doc);
    if (!any_judged(fleet))
        return rl_words(doc, "Too few GPUs of one kind to say which is slow: at least %d are needed. Their figures are shown.",
                        RL_FLEET_LEAST);
    if (fleet->slower_count == 0)
        return rl_words(doc, "None of %s is slower than the others of its kind.", rl_fleet_words_of(doc));
    const char *parts = by_part(doc), *answer = rl_fleet_words_answer(doc);
    return rl_words(doc, "%c%s of their kind%s%s%s.", toupper((unsigned char)answer[0]), answer + 1, parts[0] ? " (" : "", parts,
                    parts[0] ? ")" : "");
}

/* ---- head and key figures ---- */

/* How many different nodes, or racks, there are; "" is none. */
static size_t count_places(const struct rl_fleet *fleet, bool racks)
{
    const char **names = rl_calloc(fleet->record_count, sizeof *names);
    size_t count = 0, different = 0;
    for (size_t i = 0; i < fleet->record_count; i++)
        if (fleet->records[i]->use == RL_USE_COMPARED)
            names[count++] = racks ? fleet->records[i]->rack : fleet->records[i]->node;
    rl_sort(names, count, sizeof *names, rl_by_text);
    for (size_t i = 0; i < count; i++)
        different += *names[i] && (i == 0 || strcmp(names[i], names[i - 1]) != 0);
    free(names);
    return different;
}

static const char *when(struct rl_document *doc)
{
    const char *first = NULL, *last = NULL;
    for (size_t i = 0; i < rl_fleet_of(doc)->record_count; i++) {
        const struct rl_fleet_record *record = rl_fleet_of(doc)->records[i];
        if (record->use != RL_USE_COMPARED || strlen(record->started) < 10)
            continue;
        first = !first || strcmp(record->started, first) < 0 ? record->started : first;
        last = !last || strcmp(record->started, last) > 0 ? record->started : last;
    }
    if (!first)
        return "date unknown";
    const char *from = rl_words(doc, "%.10s", first), *to = rl_words(doc, "%.10s", last);
    return strcmp(from, to) == 0 ? rl_words(doc, "measured %s", from) : rl_words(doc, "measured %s to %s", from, to);
}

static void draw_head(struct rl_document *doc)
{
    const struct rl_fleet *fleet = rl_fleet_of(doc);
    size_t nodes = count_places(fleet, false), racks = count_places(fleet, true);
    struct rl_para line = RL_PARA_INIT;
    rl_layout_textf(doc->layout, RL_STYLE_DISPLAY, "Fleet of %s", rl_fleet_words_of(doc));
    rl_para_addf(doc->layout, &line, RL_STYLE_QUIET, "%s", rl_words_short(doc, fleet->groups[0].card, 40));
    if (fleet->group_count > 1)
        rl_para_addf(doc->layout, &line, RL_STYLE_QUIET, " and %zu other group%s", fleet->group_count - 1,
                     fleet->group_count == 2 ? "" : "s");
    if (nodes)
        rl_para_addf(doc->layout, &line, RL_STYLE_QUIET, " · %s", rl_words_count(doc, nodes, "node", "nodes"));
    if (racks > 1)
        rl_para_addf(doc->layout, &line, RL_STYLE_QUIET, " in %zu racks", racks);
    rl_para_addf(doc->layout, &line, RL_STYLE_QUIET, " · %s", when(doc));
    rl_layout_para(doc->layout, &line);
    rl_para_release(&line);
    rl_layout_skip(doc->layout, 8);
    rl_layout_text(doc->layout, RL_STYLE_LEAD, answer(doc));
    rl_layout_skip(doc->layout, 8);
}

struct figure {
    const char *label, *value, *below;
};

/* The slowest of the GPUs that stand apart, or NULL. */
static const struct rl_fleet_suspect *slowest(const struct rl_fleet *fleet)
{
    const struct rl_fleet_suspect *worst = NULL;
    for (size_t i = 0; i < fleet->suspect_count; i++) {
        const struct rl_fleet_suspect *suspect = &fleet->suspects[i];
        if (suspect->slower && suspect->parts && (!worst || suspect->worst > worst->worst))
            worst = suspect;
    }
    return worst;
}

static const char *largest(struct rl_document *doc)
{
    const struct rl_fleet_suspect *worst = slowest(rl_fleet_of(doc));
    return worst ? rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(rl_fleet_share(worst->worst)), 2) : RL_EN_DASH;
}

static const char *largest_of(struct rl_document *doc)
{
    const struct rl_fleet_suspect *worst = slowest(rl_fleet_of(doc));
    return worst ? rl_words(doc, "%s of %s", rl_fleet_parts[worst->worst_part].label, rl_fleet_words_who(doc, worst->record))
                 : "none stands apart";
}

static void draw_figures(struct rl_document *doc)
{
    const struct rl_fleet *fleet = rl_fleet_of(doc);
    size_t incomplete = 0, out = fleet->record_count - fleet->compared - fleet->links + fleet->unread_count;
    for (size_t i = 0; i < fleet->group_count; i++)
        incomplete += fleet->groups[i].incomplete;
    const bool only_links = fleet->compared == 0;
    const char *count = rl_words_count(doc, fleet->links, "link", "links");
    const char *links = fleet->links && !only_links ? rl_words(doc, "and %s, ", count) : "";
    const double slower = (double)fleet->slower_count / (double)(fleet->compared + fleet->links);
    const struct figure figures[] = {
        {only_links ? "links compared" : "GPUs compared", rl_words(doc, "%zu", only_links ? fleet->links : fleet->compared),
         rl_words(doc, "%sin %s", links, rl_words_count(doc, fleet->group_count, "group", "groups"))},
        {"slower than the others", rl_words(doc, "%zu", fleet->slower_count),
         rl_words(doc, "%s of them", rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(slower), 2))},
        {"largest difference", largest(doc), largest_of(doc)},
        {"captures not compared", rl_words(doc, "%zu", out), rl_words(doc, "%zu incomplete among the others", incomplete)},
    };
    struct rl_box *box = rl_flow_begin(doc->layout), *row = rl_box_row(box);
    for (size_t i = 0; i < RL_COUNT(figures); i++) {
        struct rl_box *cell = rl_box_cell(row, 3);
        rl_box_note(cell, figures[i].label);
        rl_box_text(cell, RL_STYLE_FIGURE, figures[i].value);
        rl_box_note(cell, figures[i].below);
    }
    rl_box_gap(box, 10);
    rl_flow_end(box);
}

/* ---- who and why ---- */

static void draw_slower(struct rl_document *doc)
{
    const struct view view = rl_fleet_view(doc);
    const size_t all = rl_fleet_of(doc)->slower_count;
    if (!rl_view_table(doc->layout, &view,
                       &(struct rl_view_table){.list = "slower",
                                               .columns = "who,text,why",
                                               .most = MOST_ROWS,
                                               .dress = rl_fleet_dress_suspect,
                                               .rest_elsewhere = true}))
        return;
    if (all > MOST_ROWS) {
        struct rl_para more = RL_PARA_INIT;
        rl_para_link(doc->layout, &more, RL_STYLE_NOTE, rl_words(doc, "and %zu more: see Tickets", all - MOST_ROWS),
                     rl_document_target(doc, RL_FLEET_PAGE_tickets, 0));
        rl_layout_para(doc->layout, &more);
        rl_para_release(&more);
    }
    rl_layout_skip(doc->layout, 8);
}

static void draw_effects(struct rl_document *doc)
{
    const struct rl_fleet *fleet = rl_fleet_of(doc);
    if (fleet->effect_count == 0)
        return;
    rl_layout_need(doc->layout, 50);
    rl_layout_subsection(doc->layout, "What GPUs have in common");
    for (size_t i = 0; i < fleet->effect_count && i < MOST_EFFECTS; i++) {
        const struct rl_fleet_effect *effect = &fleet->effects[i];
        struct rl_para para = RL_PARA_INIT;
        rl_para_addf(doc->layout, &para, RL_STYLE_STRONG, "%s %s: ", rl_fleet_factor_name(effect->factor),
                     rl_words_short(doc, effect->level, 40));
        rl_para_addf(doc->layout, &para, RL_STYLE_BODY, "%s %s than on the rest (%zu %s, p = %.2g after correction).",
                     rl_fleet_parts[effect->part].label, rl_fleet_words_share(doc, effect->shift), effect->count,
                     *fleet->groups[effect->group].links ? "links" : "GPUs", effect->p);
        rl_layout_item(doc->layout, effect->shift > 0 ? RL_MARK_ATTENTION : RL_MARK_QUIET, &para);
        rl_para_release(&para);
    }
    rl_layout_skip(doc->layout, 8);
}

static void plan(struct rl_document *doc, struct rl_section *section)
{
    rl_fleet_plan_parts(doc, section, 0);
}

static void draw(struct rl_document *doc, struct rl_section *section)
{
    draw_head(doc);
    draw_figures(doc);
    if (section->chart_count > 0)
        rl_layout_figure(doc->layout, &rl_document_result(doc, section, 0)->drawing,
                         rl_words(doc, "%s: %s. Left is slower. Shaded: within what chance explains. Squares stand apart.",
                                  rl_fleet_group_name(doc, 0),
                                  *rl_fleet_of(doc)->groups[0].links
                                      ? "each link's median over its rates in each direction and in both"
                                      : "each part of the card, as a GPU's median over all figures about that part"),
                         "Hollow squares at the edge lie beyond it. A GPU that stands apart only in single figures has its squares "
                         "under Ceilings and Times.");
    rl_layout_skip(doc->layout, 10);
    draw_slower(doc);
    draw_effects(doc);
}

const struct rl_page rl_fleet_page_cover = {.plan = plan, .draw = draw, .own_heading = true};
