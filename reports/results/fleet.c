/* fleet.c - the answer about a fleet, its groups, how figures are distributed (see results/fleet.h). */
#include "results/fleet.h"

#include "fleet_parts.h"

enum { MOST_ROWS = 40 };

/* ---- the fleet ---- */

/* Those that are slower, or with another `key` faster. */
static struct view_cell suspects_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet *fleet = row;
    struct fleet_row *rows = rl_arena_alloc(view->arena, (fleet->suspect_count + 1) * sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < fleet->suspect_count; i++)
        if (fleet->suspects[i].slower == (field->key != 0))
            rows[count++] = (struct fleet_row){.record = fleet->records[fleet->suspects[i].record], .suspect = &fleet->suspects[i]};
    return view_cell_rows(VIEW_ROWS(rows, count));
}

/* Each of them between rules. */
VIEW_GROUP(suspect_group, void, (int)(view_fleet_suspect(row) - fleet_of(view)->suspects));

/* Unread files come first; with a `key` also compared and incomplete ones. */
static struct view_cell left_out_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet *fleet = row;
    struct fleet_row *rows = rl_arena_alloc(view->arena, (fleet->record_count + fleet->unread_count + 1) * sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < fleet->unread_count; i++)
        rows[count++] = (struct fleet_row){.unread = &fleet->unread[i]};
    for (size_t i = 0; i < fleet->record_count; i++)
        if (fleet->records[i]->use != RL_USE_COMPARED || (field->key && !fleet->records[i]->complete))
            rows[count++] = (struct fleet_row){.record = fleet->records[i]};
    return view_cell_rows(VIEW_ROWS(rows, count));
}

VIEW_CELL(path_cell, void, (*(const struct rl_fleet_record *const *)row)->path);

static const struct view_field path_fields[] = {{.id = "path", VIEW_GET(TEXT, path_cell), .help = "file"}};
static const struct view_record path_record = {
    .id = "incomplete", .help = "an incomplete capture that is compared", VIEW_FIELDS(path_fields), .plain = true};

static struct view_cell incomplete_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet *fleet = row;
    size_t *at = rl_arena_alloc(view->arena, (fleet->record_count + 1) * sizeof *at), count = 0;
    for (size_t i = 0; i < fleet->record_count; i++)
        if (fleet->records[i]->use == RL_USE_COMPARED && !fleet->records[i]->complete)
            at[count++] = i;
    return view_cell_rows((struct view_rows){fleet->records, sizeof *fleet->records, count, at});
}

VIEW_CELL(least_cell, struct rl_fleet, rl_fleet_share(log1p(row->options.least)));

VIEW_SAID(answer_cell, struct rl_fleet, "", rl_fleet_summary_text(row, &text));

static size_t used_as(const struct rl_fleet *fleet, enum rl_fleet_use use)
{
    return RL_SUM(size_t, i, fleet->record_count, fleet->records[i]->use == use);
}

/* How the files were used. */
static struct view_cell counts_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet *fleet = row;
    const struct {
        size_t count;
        const char *what;
    } parts[] = {
        {fleet->compared, "compared"},
        {fleet->links, "links compared"},
        {used_as(fleet, RL_USE_DUPLICATE), "duplicates"},
        {used_as(fleet, RL_USE_OLDER), "older of the same GPU"},
        {used_as(fleet, RL_USE_EMPTY), "with nothing measured"},
        {fleet->unread_count, "not usable here"},
    };
    struct rl_buf text = RL_BUF_IN(view->arena);
    for (size_t i = 0; i < RL_COUNT(parts); i++)
        if (parts[i].count)
            rl_buf_addf(&text, "%s%zu %s", text.len ? ", " : "", parts[i].count, parts[i].what);
    return view_cell_kept(view, &text);
}

static struct view_cell looks_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet *fleet = row;
    double looks = RL_SUM(double, i, fleet->group_count, fleet->groups[i].judged ? fleet->groups[i].looks : 0);
    return view_cell_number(rl_value_of(looks));
}

VIEW_WHEN(has_links, struct rl_fleet, row->links != 0);

/* clang-format off */
static const struct view_field fleet_fields[] = {
    {.id = "compared", VIEW_AT(struct rl_fleet, compared), .help = "number of GPUs compared"},
    {.id = "links_compared", VIEW_AT(struct rl_fleet, links), .help = "number of pairs of ends compared, with links between them"},
    {.id = "slower_count", VIEW_AT(struct rl_fleet, slower_count), .help = "number of GPUs and links slower than the others"},
    {.id = "slower_links", VIEW_AT(struct rl_fleet, slower_links), .help = "number of links among them"},
    {.id = "alpha", VIEW_AT(struct rl_fleet, options.alpha), .unit = RL_UNIT_FRACTION, .digits = 2,
     .help = "the probability that a GPU of a healthy fleet is reported"},
    {.id = "least_share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = least_cell,
     .help = "the smallest difference that counts, as a share of the rate"},
    {.id = "groups", VIEW_AT_ROWS(struct rl_fleet, groups, group_count, &fleet_group_record),
     .help = "what is compared with each other"},
    {.id = "slower", .type = VIEW_TYPE_LIST, .get = suspects_cell, .key = true, .record = &fleet_suspect_record,
     .help = "those that are slower than the others, the worst first"},
    {.id = "faster", .type = VIEW_TYPE_LIST, .get = suspects_cell, .record = &fleet_suspect_record,
     .help = "those that are faster than the others"},
    {.id = "figures", VIEW_AT_ROWS(struct rl_fleet, spreads, spread_count, &fleet_spread_record),
     .help = "how every figure is distributed over its group"},
    {.id = "incomplete", .type = VIEW_TYPE_LIST, .get = incomplete_cell, .record = &path_record,
     .help = "files that are compared although not all of them was measured"},
    {.id = "not_compared", .type = VIEW_TYPE_LIST, .get = left_out_cell, .record = &fleet_left_out_record,
     .help = "what does not count, and why"},
    {.id = "files", .type = VIEW_TYPE_LIST, .get = left_out_cell, .key = true, .record = &fleet_left_out_record, .for_people = true,
     .help = "captures that do not count, or are incomplete"},
    {.id = "answer", VIEW_GET(TEXT, answer_cell), .for_people = true, .help = "how many are slower"},
    {.id = "counts", VIEW_GET(TEXT, counts_cell), .for_people = true, .help = "what became of the files"},
    {.id = "least", VIEW_AT(struct rl_fleet, options.least), .unit = RL_UNIT_FRACTION, .digits = 2, .for_people = true,
     .help = "the smallest difference that counts"},
    {.id = "looks", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_COUNT, .digits = 6, .get = looks_cell, .for_people = true,
     .help = "number of differences judged"},
};

static const struct view_block fleet_blocks[] = {
    {.kind = VIEW_BLOCK_FACT, .label = "captures", .unless = has_links, .text = "{counts}"},
    {.kind = VIEW_BLOCK_FACT, .label = "records", .when = has_links, .text = "{counts}"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "groups", .label_field = "label", .most = MOST_ROWS,
     .text = "{text}, rooflight {tool_version}, {suite}, driver {drivers_text}[; {incomplete} incomplete]"
             "[; fewer than {too_few}: shown, not judged]"},
    {.kind = VIEW_BLOCK_FACT, .label = "judged",
     .text = "by median and median absolute deviation; the chance that a healthy fleet of this size is reported is at most "
             "{alpha}, over {looks} looks; less than {least} does not count"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "slower", .label_field = "who", .title = "Slower than the others", .most = MOST_ROWS,
     .text = "{text}: {why}", .group = suspect_group, .rest = "and {left} more: --csv or --json has them all"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "faster", .label_field = "who", .title = "Faster than the others", .most = MOST_ROWS,
     .text = "{text}", .group = suspect_group, .rest = "and {left} more: --csv or --json has them all"},
    {.kind = VIEW_BLOCK_EACH, .field = "groups", .most = MOST_ROWS},
    {.kind = VIEW_BLOCK_ITEMS, .field = "not_compared", .title = "Not compared", .most = MOST_ROWS,
     .text = "{file}{why}[ ({counts} counts)]", .rest = "and {left} more: --json has them all"},
};
const struct view_record view_record_fleet = {
    .id = "fleet", .title = "Fleet: {answer}", .help = "GPUs of one model, and links, compared with each other",
    .format = "rooflight fleet", VIEW_FIELDS(fleet_fields), VIEW_BLOCKS(fleet_blocks)};
/* clang-format on */

struct view view_fleet_view(const struct view_fleet *subject, struct rl_arena *arena)
{
    return (struct view){.record = &view_record_fleet, .row = subject->fleet, .subject = subject, .arena = arena};
}

struct view view_fleet_group(const struct view *view, size_t group)
{
    struct view of_group = *view;
    assert(group < fleet_of(view)->group_count);
    of_group.record = &fleet_group_record;
    of_group.row = &fleet_of(view)->groups[group];
    return of_group;
}

struct view_rows view_fleet_tickets(const struct view *view)
{
    return view_value(view, view_record_field(&view_record_fleet, "slower"), view->row).rows;
}
