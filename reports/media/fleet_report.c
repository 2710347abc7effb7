/* fleet_report.c - the document about a fleet: its sections in their order (see media/report.h). */

#include <ctype.h>

#include "results/fleet.h"
#include "view_table.h"
#include "words.h"

/* The fleet of a document. */
static const struct rl_fleet *fleet_of(const struct rl_document *doc)
{
    return doc->subject;
}

/* ---- the chart: parts of the GPUs ---- */

#define SLOWEST_SHOWN (-0.08) /* what is beyond lies on the edge */
#define FASTEST_SHOWN 0.04

/* A mark for each GPU that stands apart, and a line from the slowest to the fastest of the others. */
static struct rl_chart_interval part_row(struct rl_document *doc, const struct rl_fleet_group *group, enum rl_fleet_part part)
{
    const struct rl_fleet_part_spread *spread = &group->part[part];
    struct rl_chart_extra *apart = rl_arena_alloc(doc->arena, group->record_count * sizeof *apart);
    struct rl_chart_interval row = {.label = rl_fleet_parts[part].label,
                                    .note = rl_words_count(doc, spread->measures, "figure", "figures"),
                                    .expected = NAN,
                                    .tone = RL_TONE_GREY,
                                    .extras = apart};
    for (size_t i = 0; i < group->record_count; i++) {
        const double deviation = fleet_of(doc)->records[group->records[i]]->part_deviation[part];
        const double share = isnan(deviation) ? NAN : -rl_fleet_share(deviation);
        if (isnan(share))
            continue;
        if (fabs(deviation) > spread->limit) {
            const double shown = fmin(fmax(share, SLOWEST_SHOWN), FASTEST_SHOWN);
            apart[row.extra_count++] = (struct rl_chart_extra){shown, RL_TONE_INK, shown != share};
        } else {
            row.low = fmin(row.low, share);
            row.high = fmax(row.high, share);
        }
    }
    return row;
}

/* The chart of the first group. */
static void plan_cover(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_fleet_group *group = &fleet_of(doc)->groups[0];
    struct rl_chart_interval *rows = rl_arena_alloc(doc->arena, RL_PART_COUNT * sizeof *rows);
    struct rl_chart_reference *median = rl_arena_alloc(doc->arena, sizeof *median);
    size_t count = 0;
    for (int part = 0; part < RL_PART_COUNT; part++)
        if (group->part[part].count > 0)
            rows[count++] = part_row(doc, group, (enum rl_fleet_part)part);
    *median = (struct rl_chart_reference){0, true, "median"};
    if (count)
        rl_document_chart(doc, section, RL_CHART_INTERVALS)->intervals =
            (struct rl_chart_intervals){.unit = RL_UNIT_FRACTION,
                                        .title = "Difference of the rate from the median",
                                        .band_low = NAN,
                                        .band_high = NAN,
                                        .rows = rows,
                                        .row_count = count,
                                        .references = median,
                                        .reference_count = 1};
}

/* ---- the sections ---- */

enum { MOST_GROUPS = 8, MOST_ROWS = 14, MOST_TICKETS = 400, MOST_FILES = 200, FEW_FILES = 12 };
enum section { COVER, TICKETS, CEILINGS, GROUPS, CAPTURES, METHOD, SECTIONS };

/* The fleet as a view (results/fleet.h), as long as the document. */
static struct view view_of(const struct rl_document *doc)
{
    struct view_fleet *subject = rl_arena_alloc(doc->arena, sizeof *subject);
    subject->fleet = fleet_of(doc);
    return view_fleet_view(subject, doc->arena);
}

/* "32 GPUs and 112 links" */
static const char *words_of_all(struct rl_document *doc)
{
    const struct rl_fleet *fleet = fleet_of(doc);
    const char *gpus = rl_words_count(doc, fleet->compared, "GPU", "GPUs");
    const char *links = rl_words_count(doc, fleet->links, "link", "links");
    if (!fleet->compared)
        return links;
    return fleet->links ? rl_words(doc, "%s and %s", gpus, links) : gpus;
}

/* How many are slower, in a sentence. */
static const char *words_of_slower(struct rl_document *doc)
{
    struct rl_buf text = RL_BUF_IN(doc->arena);
    rl_fleet_summary_text(fleet_of(doc), &text);
    return text.data;
}

/* "997 × NVIDIA H200", over a chart. */
static const char *group_name(struct rl_document *doc, size_t group)
{
    const struct rl_fleet_group *of = &fleet_of(doc)->groups[group];
    const char *card = rl_words_short(doc, of->card, 40), *links = rl_words_short(doc, of->links, 40);
    return *links ? rl_words(doc, "%zu links of %s (%s)", of->record_count, card, links)
                  : rl_words(doc, "%zu × %s", of->record_count, card);
}

/* ---- the first page: how many GPUs, which are slow, by how much, why ---- */

static const char *answer(struct rl_document *doc)
{
    const struct rl_fleet *fleet = fleet_of(doc);
    bool judged = RL_ANY(i, fleet->group_count, fleet->groups[i].judged);
    if (!judged)
        return rl_words(doc, "Too few GPUs of one kind to say which is slow: at least %d are needed. Their figures are shown.",
                        RL_FLEET_LEAST);
    if (fleet->slower_count == 0)
        return rl_words(doc, "None of %s is slower than the others of its kind.", words_of_all(doc));
    const char *parts = "", *slower = words_of_slower(doc);
    for (int part = 0; part < RL_PART_COUNT; part++) {
        size_t count = 0;
        for (size_t i = 0; i < fleet->suspect_count; i++)
            count += fleet->suspects[i].slower && ((fleet->suspects[i].parts >> part) & 1);
        if (count)
            parts = rl_words(doc, "%s%s%s %zu", parts, parts[0] ? ", " : " (", rl_fleet_parts[part].label, count);
    }
    return rl_words(doc, "%c%s of their kind%s%s.", toupper((unsigned char)slower[0]), slower + 1, parts, parts[0] ? ")" : "");
}

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
    for (size_t i = 0; i < fleet_of(doc)->record_count; i++) {
        const struct rl_fleet_record *record = fleet_of(doc)->records[i];
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

static void draw_figures(struct rl_document *doc)
{
    const struct rl_fleet *fleet = fleet_of(doc);
    const struct rl_fleet_suspect *worst = NULL; /* the slowest of those that stand apart */
    for (size_t i = 0; i < fleet->suspect_count; i++) {
        const struct rl_fleet_suspect *suspect = &fleet->suspects[i];
        if (suspect->slower && suspect->parts && (!worst || suspect->worst > worst->worst))
            worst = suspect;
    }
    const char *largest = RL_EN_DASH, *largest_of = "none stands apart";
    if (worst) {
        struct rl_buf who = RL_BUF_IN(doc->arena);
        rl_fleet_record_text(fleet->records[worst->record], &who);
        largest = rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(rl_fleet_share(worst->worst)), 2);
        largest_of = rl_words(doc, "%s of %s", rl_fleet_parts[worst->worst_part].label, who.data);
    }
    size_t incomplete = 0, out = fleet->record_count - fleet->compared - fleet->links + fleet->unread_count;
    for (size_t i = 0; i < fleet->group_count; i++)
        incomplete += fleet->groups[i].incomplete;
    const bool only_links = fleet->compared == 0;
    const char *count = rl_words_count(doc, fleet->links, "link", "links");
    const char *links = fleet->links && !only_links ? rl_words(doc, "and %s, ", count) : "";
    const double slower = (double)fleet->slower_count / (double)(fleet->compared + fleet->links);
    const struct {
        const char *label, *value, *below;
    } figures[] = {
        {only_links ? "links compared" : "GPUs compared", rl_words(doc, "%zu", only_links ? fleet->links : fleet->compared),
         rl_words(doc, "%sin %s", links, rl_words_count(doc, fleet->group_count, "group", "groups"))},
        {"slower than the others", rl_words(doc, "%zu", fleet->slower_count),
         rl_words(doc, "%s of them", rl_words_value(doc, RL_UNIT_FRACTION, rl_value_of(slower), 2))},
        {"largest difference", largest, largest_of},
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

/* Marks who stands apart, and greys that no cause is known. */
static void dress_suspect(void *to, const struct view_field *field, const void *row, struct rl_grid_cell *cell)
{
    const struct rl_fleet_suspect *suspect = view_fleet_suspect(row);
    if (field->look == VIEW_LOOK_CODE)
        cell->mark = suspect->slower ? RL_MARK_ATTENTION : RL_MARK_QUIET;
    else if (strcmp(field->id, "why") == 0 && suspect->cause_count == 0)
        cell->style = RL_STYLE_CELL_QUIET;
}

static void draw_slower(struct rl_document *doc)
{
    const struct view view = view_of(doc);
    const struct rl_view_table table = {
        .list = "slower", .columns = "who,text,why", .most = MOST_ROWS, .dress = dress_suspect, .rest_elsewhere = true};
    const size_t all = fleet_of(doc)->slower_count;
    if (!rl_view_table(doc->layout, &view, &table))
        return;
    if (all > MOST_ROWS) {
        struct rl_para more = {0};
        rl_para_link(doc->layout, &more, RL_STYLE_NOTE, rl_words(doc, "and %zu more: see Tickets", all - MOST_ROWS),
                     rl_document_target(doc, TICKETS, 0));
        rl_layout_para(doc->layout, &more);
    }
    rl_layout_skip(doc->layout, 8);
}

static void draw_cover(struct rl_document *doc, struct rl_section *section)
{
    const struct rl_fleet *fleet = fleet_of(doc);
    size_t nodes = count_places(fleet, false), racks = count_places(fleet, true);
    struct rl_para line = {0};
    rl_layout_textf(doc->layout, RL_STYLE_DISPLAY, "Fleet of %s", words_of_all(doc));
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
    rl_layout_skip(doc->layout, 8);
    rl_layout_text(doc->layout, RL_STYLE_LEAD, answer(doc));
    rl_layout_skip(doc->layout, 8);
    draw_figures(doc);
    if (section->chart_count > 0)
        rl_layout_figure(
            doc->layout, &rl_document_result(doc, section, 0)->drawing,
            rl_words(
                doc,
                "%s: %s. Left is slower. Line: from the slowest to the fastest of those that chance explains. Circles stand apart.",
                group_name(doc, 0),
                *fleet_of(doc)->groups[0].links ? "each link's median over its rates in each direction and in both"
                                                : "each part of the GPU, as a GPU's median over all figures about that part"),
            "Hollow ones at the edge lie beyond it. A GPU that stands apart only in single figures is under Tickets.");
    rl_layout_skip(doc->layout, 10);
    draw_slower(doc);
}

/* ---- tickets ---- */

static size_t when_suspects(const struct rl_document *doc)
{
    return fleet_of(doc)->suspect_count > 0;
}

static void draw_tickets(struct rl_document *doc, struct rl_section *section)
{
    const struct view view = view_of(doc);
    struct rl_view_table table = {
        .list = "slower", .columns = "who_uuid,text,why,advice", .most = MOST_TICKETS, .dress = dress_suspect};
    if (rl_view_table(doc->layout, &view, &table))
        rl_layout_skip(doc->layout, 10);
    table.list = "faster";
    table.columns = "who_uuid,text";
    rl_view_table(doc->layout, &view, &table);
}

/* ---- every ceiling of each group, in a table ---- */

static size_t when_ceilings(const struct rl_document *doc)
{
    const struct rl_fleet *fleet = fleet_of(doc);
    for (size_t i = 0; i < fleet->spread_count; i++)
        if (fleet->spreads[i].group < MOST_GROUPS && fleet->keys[fleet->spreads[i].key].ceiling)
            return 1;
    return 0;
}

static void draw_ceilings(struct rl_document *doc, struct rl_section *section)
{
    const struct view fleet = view_of(doc);
    for (size_t group = 0; group < fleet_of(doc)->group_count && group < MOST_GROUPS; group++) {
        const struct view view = view_fleet_group(&fleet, group);
        const bool links = *fleet_of(doc)->groups[group].links != 0;
        rl_view_table(doc->layout, &view,
                      &(struct rl_view_table){.list = "ceilings",
                                              .title = group_name(doc, group),
                                              .columns = links
                                                             ? "rate,links,middle,below,above,scatter,limit,slowest,slowest_of"
                                                             : "ceiling,gpus,middle,below,above,scatter,limit,slowest,slowest_of"});
        rl_layout_skip(doc->layout, 14);
    }
}

/* ---- groups with their settings ---- */

static void draw_groups(struct rl_document *doc, struct rl_section *section)
{
    const struct view view = view_of(doc), first = view_fleet_group(&view, 0);
    rl_layout_text(doc->layout, RL_STYLE_BODY,
                   "GPUs are compared with others of the same model, tool version and kind of suite, and links with others of the "
                   "same route. Drivers that at least 8 GPUs of a group share are kept apart.");
    rl_layout_skip(doc->layout, 6);
    rl_view_table(doc->layout, &view,
                  &(struct rl_view_table){.list = "groups",
                                          .columns = "card,what,gpus,incomplete,version,suite_text,drivers_counted",
                                          .most = MOST_FILES});
    rl_layout_skip(doc->layout, 14);
    rl_view_table(
        doc->layout, &first,
        &(struct rl_view_table){.list = "settings", .title = rl_words(doc, "State and settings of %s", group_name(doc, 0))});
}

/* ---- captures that are left out or incomplete ---- */

static size_t count_left_out(const struct rl_document *doc)
{
    const struct view view = view_of(doc);
    return view_value(&view, view_record_field(view.record, "files"), view.row).rows.count;
}

static void draw_captures(struct rl_document *doc, struct rl_section *section)
{
    const struct view view = view_of(doc);
    (count_left_out(doc) > FEW_FILES ? rl_layout_section : rl_layout_subsection)(doc->layout, section->heading);
    if (!rl_view_table(doc->layout, &view,
                       &(struct rl_view_table){.list = "files", .columns = "capture,about", .most = MOST_FILES}))
        rl_layout_text(doc->layout, RL_STYLE_BODY, "None: every capture was read, is complete, and counts.");
}

/* Below the groups where the list is not long. */
static double room(const struct rl_document *doc, const struct rl_section *section)
{
    const size_t rows = section->id == CAPTURES ? count_left_out(doc) : SIZE_MAX;
    return rows > FEW_FILES ? 0 : 60 + 2 * rl_styles[RL_STYLE_CELL].leading * (double)rows;
}

/* ---- how GPUs are compared, and where the rules come from ---- */

static const struct {
    const char *head, *text;
} method[] = {
    {"What is compared",
     "Every measured roof and every median time of a kernel or variant, at its problem size. The difference of a GPU is the "
     "logarithm of its time over the median of the group (of the median rate over its rate), so that twice as slow and half as "
     "slow lie equally far from the middle; it is printed as a share of the rate: half the rate is 50 % slower."},
    {"The scale",
     "The median absolute deviation from the median, times 1.4826 and a factor for few values, so that it estimates a standard "
     "deviation and up to half of the GPUs may be outliers without moving it (Iglewicz and Hoaglin, How to Detect and Handle "
     "Outliers, 1993; Croux and Rousseeuw, Time-efficient algorithms for two highly robust estimators of scale, 1992). It is "
     "averaged with the typical scale of the figures of the same part of the GPU, which counts as four degrees of freedom and is "
     "taken to be at least 0.3 % (the moderated variance of Smyth, 2004): this helps where there are few GPUs, or GPUs that are "
     "all alike. It is never below the measurement's own uncertainty."},
    {"The limit",
     "A GPU stands apart when its difference is beyond the two-sided point of Student's t at 5 % divided by the number of looks at "
     "all GPUs of the group (Bonferroni): the chance that any GPU of a healthy group is reported is then at most 5 %, as long as "
     "differences are roughly normally distributed. The degrees of freedom are 37 % (the efficiency of the median absolute "
     "deviation) of the number of GPUs less one, plus four. Differences under 1 % do not count."},
    {"Parts", "Figures about one part of the GPU (device memory, L2, SMs, host link, others) are also judged together, by the "
              "median of a GPU's differences over them: the noise of single figures cancels out, and the state of the part "
              "remains."},
    {"Causes", "The state of the GPU as its capture records it is compared with what is usual in the group: clocks, reasons for "
               "lowered clocks, temperature, limits, ECC, MIG, link, driver. Whatever differs and can slow down the slow part is "
               "named; that is evidence, not proof. Where nothing differs, the report says so."},
    {"Links",
     "A pair of GPUs, or a GPU and the host, is judged like a GPU, by the rates of its links in each direction and in both at "
     "once. It is compared with all pairs connected in the same way, on its own node and on the others; where NVLinks run directly "
     "from GPU to GPU, with the same pair on other nodes, because the number of links differs by design. The link itself is named "
     "as the cause when the other links of both GPUs are as usual."},
    {"Drivers",
     "At least 8 GPUs with the same driver are compared with their own median, so that a slower driver makes no GPU look slow."},
    {"Repeated captures", "If there are several captures of one GPU (by its UUID), the newest complete one counts; a copy of a "
                          "file counts once."},
};

static void draw_method(struct rl_document *doc, struct rl_section *section)
{
    for (size_t i = 0; i < RL_COUNT(method); i++) {
        rl_layout_need(doc->layout, 50);
        rl_layout_subsection(doc->layout, method[i].head);
        rl_layout_text(doc->layout, RL_STYLE_BODY, method[i].text);
        rl_layout_skip(doc->layout, 6);
    }
}

/* ---- the document ---- */

static const struct rl_section_kind sections[SECTIONS] = {
    [COVER] = {"cover", "Summary", &(const struct rl_page){.plan = plan_cover, .draw = draw_cover, .own_heading = true}},
    [TICKETS] = {"tickets", "Tickets", &(const struct rl_page){.count = when_suspects, .draw = draw_tickets}},
    [CEILINGS] = {"ceilings", "Roofs", &(const struct rl_page){.count = when_ceilings, .draw = draw_ceilings}},
    [GROUPS] = {"groups", "Groups and settings", &(const struct rl_page){.draw = draw_groups}},
    [CAPTURES] = {"captures", "Captures left out or incomplete",
                  &(const struct rl_page){.draw = draw_captures, .own_heading = true}},
    [METHOD] = {"method", "Method", &(const struct rl_page){.draw = draw_method}},
};

static size_t instances(const struct rl_document *doc, size_t id)
{
    return sections[id].page->count ? sections[id].page->count(doc) : 1;
}

/* The number of files given. Records are sorted by path; a file with several records counts once. */
static size_t count_files(const struct rl_fleet *fleet)
{
    size_t count = 0, record = 0;
    for (size_t i = 0; i < fleet->record_count; i++)
        count += i == 0 || strcmp(fleet->records[i]->path, fleet->records[i - 1]->path) != 0;
    for (size_t i = 0; i < fleet->unread_count; i++) {
        const char *path = fleet->unread[i].path;
        while (record < fleet->record_count && strcmp(fleet->records[record]->path, path) < 0)
            record++;
        bool known = record < fleet->record_count && strcmp(fleet->records[record]->path, path) == 0;
        count += !known && (i == 0 || strcmp(fleet->unread[i - 1].path, path) != 0);
    }
    return count;
}

static struct rl_imprint imprint(struct rl_document *doc)
{
    const struct rl_fleet *fleet = fleet_of(doc);
    const char *newest = "";
    for (size_t i = 0; i < fleet->record_count; i++)
        if (strcmp(fleet->records[i]->started, newest) > 0)
            newest = fleet->records[i]->started;
    return (struct rl_imprint){.title = "GPU fleet report",
                               .about = rl_words(doc, "Fleet of %s", words_of_all(doc)),
                               .before = rl_words_count(doc, count_files(fleet), "capture", "captures"),
                               .subject = words_of_slower(doc),
                               .keywords = "GPU, CUDA, fleet, acceptance, outliers",
                               .created = newest,
                               .summary = true};
}

static const struct rl_document_kind kind = {
    .sections = sections, .count = SECTIONS, .instances = instances, .room = room, .imprint = imprint, .between = 14};

enum rl_status rl_fleet_report_make(const struct rl_fleet *fleet, const struct rl_report_options *options, struct rl_buf *out,
                                    struct rl_err *err)
{
    assert(fleet->compared + fleet->links > 0 && options->tool_version);
    return rl_document_make(&kind, (void *)fleet, options, out, err);
}
