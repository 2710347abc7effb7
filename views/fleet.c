/* fleet.c - the answer about a fleet, its groups, how figures are distributed (see views/fleet.h). */
#include "views/fleet.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/utf8.h"
#include "fleet_parts.h"

enum { MOST_ROWS = 40, MOST_NAME = 60, MOST_WORDS = 40, MOST_DRIVER = 30 };

/* ---- how a figure is distributed over a group ---- */

static const struct rl_fleet_key *key_of(const struct view *view, const void *row)
{
    const struct rl_fleet_spread *spread = row;
    assert(spread->key < fleet_of(view)->key_count);
    return &fleet_of(view)->keys[spread->key];
}

static struct view_cell key_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return fleet_key_cell(key_of(view, row), field->key);
}

static struct view_cell limit_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_number(rl_value_of(rl_fleet_share(((const struct rl_fleet_spread *)row)->limit)));
}

/* A figure for people, in its own unit. */
static struct view_cell of_unit(enum rl_unit unit, double value)
{
    struct view_cell cell = view_cell_number(rl_value_of(value));
    cell.unit = unit;
    return cell;
}

static struct view_cell middle_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return of_unit(key_of(view, row)->unit, ((const struct rl_fleet_spread *)row)->median);
}

static struct view_cell width_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_spread *spread = row;
    return of_unit(RL_UNIT_FRACTION, (spread->high - spread->low) / spread->median);
}

static struct view_cell slowest_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_spread *spread = row;
    return of_unit(key_of(view, row)->unit, key_of(view, row)->ceiling ? spread->first : spread->last);
}

/* clang-format off */
#define NAME(words)                                                                                                                \
    {.id = words, .type = VIEW_TYPE_TEXT, .get = key_cell, .key = FLEET_KEY_NAME, .columns = MOST_NAME, .for_people = true,        \
     .help = "name of the figure"}
#define FOR_PEOPLE(name, words, from)                                                                                              \
    {.id = (name), .head = (words), .type = VIEW_TYPE_NUMBER, .get = (from), .unit_of_row = true, .for_people = true,              \
     .help = (words)}
static const struct view_field spread_fields[] = {
    {.id = "group", VIEW_AT(struct rl_fleet_spread, group), .help = "index of its group"},
    {.id = "name", .type = VIEW_TYPE_TEXT, .get = key_cell, .key = FLEET_KEY_NAME, .help = "ceiling, or kernel and variant"},
    {.id = "id", .type = VIEW_TYPE_TEXT, .get = key_cell, .key = FLEET_KEY_ID,
     .help = "what tells it from figures of the same name"},
    {.id = "part", .type = VIEW_TYPE_TEXT, .get = key_cell, .key = FLEET_KEY_PART, .help = "part of the card that it is about"},
    {.id = "unit", .type = VIEW_TYPE_TEXT, .get = key_cell, .key = FLEET_KEY_UNIT, .help = "unit of the values"},
    {.id = "gpus", .head = "GPUs", VIEW_AT(struct rl_fleet_spread, count), .help = "number of GPUs, or of links"},
    {.id = "median", VIEW_AT(struct rl_fleet_spread, median), .help = "median over the group"},
    {.id = "quantile_5", VIEW_AT(struct rl_fleet_spread, low), .help = "5 % lie below it"},
    {.id = "quantile_95", VIEW_AT(struct rl_fleet_spread, high), .help = "5 % lie above it"},
    {.id = "min", VIEW_AT(struct rl_fleet_spread, first), .help = "the least"},
    {.id = "max", VIEW_AT(struct rl_fleet_spread, last), .help = "the greatest"},
    {.id = "scale", VIEW_AT(struct rl_fleet_spread, scale), .help = "robust standard deviation of the differences from the median"},
    {.id = "limit_share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = limit_cell,
     .help = "the difference of the rate that chance explains; 1 where there are too few to say"},
    NAME("ceiling"), NAME("rate"), NAME("time"),
    {.id = "links", VIEW_AT(struct rl_fleet_spread, count), .for_people = true, .help = "number of links"},
    FOR_PEOPLE("middle", "median", middle_cell),
    FOR_PEOPLE("width", "5 to 95 %", width_cell),
    FOR_PEOPLE("slowest", "slowest", slowest_cell),
};
/* clang-format on */
static const struct view_record spread_record = {
    .id = "figure", .title = "", .help = "how a figure is distributed over a group", VIEW_FIELDS(spread_fields)};

/* ---- a group ---- */

struct driver_row {
    const char *driver;
    size_t gpus;
};

/* clang-format off */
static const struct view_field driver_fields[] = {
    {.id = "driver", VIEW_AT(struct driver_row, driver), .help = "version of the driver"},
    {.id = "gpus", VIEW_AT(struct driver_row, gpus), .help = "number of GPUs, or of links, with it"},
};
/* clang-format on */
static const struct view_record driver_record = {
    .id = "driver", .title = "", .help = "a driver of a group", VIEW_FIELDS(driver_fields)};

static struct view_cell drivers_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_group *group = row;
    struct driver_row *rows = rl_arena_alloc(view->arena, (group->driver_count + 1) * sizeof *rows);
    for (size_t i = 0; i < group->driver_count; i++)
        rows[i] = (struct driver_row){group->drivers[i], group->driver_records[i]};
    return view_cell_rows((struct view_rows){.first = rows, .stride = sizeof *rows, .count = group->driver_count});
}

/* How many have each, where they do not have the same. With a `key` in any case, and names are shortened to so many columns. */
static struct view_cell drivers_text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_group *group = row;
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < group->driver_count; i++) {
        rl_buf_adds(&text, i ? ", " : "");
        rl_utf8_abbreviate(&text, group->drivers[i], field->key ? (size_t)field->key : strlen(group->drivers[i]) + 1);
        if (group->driver_count > 1 || field->key)
            rl_buf_addf(&text, " (%zu)", group->driver_records[i]);
    }
    return fleet_text(view, &text);
}

static struct view_cell group_links_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_group *group = row;
    return view_cell_text(*group->links ? group->links : NULL);
}

static struct view_cell group_text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_fleet_group_text(row, &text);
    return fleet_text(view, &text);
}

static struct view_cell things_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_group *group = row;
    return view_cell_text(*group->links ? group->links : "GPUs");
}

static struct view_cell suite_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_group *group = row;
    return view_cell_text(group->judged ? group->suite : rl_arena_printf(view->arena, "%s, not judged", group->suite));
}

/* In a list of groups the first has the name of the list beside it. */
static struct view_cell group_label_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(row == fleet_of(view)->groups ? "groups" : "");
}

static struct view_cell too_few_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_whole(((const struct rl_fleet_group *)row)->judged ? 0 : RL_FLEET_LEAST);
}

/* `key`: of ceilings and rates; otherwise of times. */
static struct view_cell spreads_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet *fleet = fleet_of(view);
    size_t *at = rl_arena_alloc(view->arena, (fleet->spread_count + 1) * sizeof *at), count = 0;
    for (size_t i = 0; i < fleet->spread_count; i++)
        if (&fleet->groups[fleet->spreads[i].group] == row && fleet->keys[fleet->spreads[i].key].ceiling == (field->key != 0))
            at[count++] = i;
    return view_cell_rows((struct view_rows){fleet->spreads, sizeof *fleet->spreads, count, at});
}

static bool is_of_links(const struct view *view, const void *row)
{
    return *((const struct rl_fleet_group *)row)->links;
}

static bool is_of_gpus(const struct view *view, const void *row)
{
    return !is_of_links(view, row);
}

static bool has_times(const struct view *view, const void *row)
{
    return ((const struct view_fleet *)view->subject)->times;
}

/* clang-format off */
static const struct view_field group_fields[] = {
    {.id = "card", VIEW_AT(struct rl_fleet_group, card), .columns = MOST_WORDS, .help = "name of the product"},
    {.id = "tool_version", VIEW_AT(struct rl_fleet_group, tool_version), .help = "version of rooflight that measured"},
    {.id = "suite", VIEW_AT(struct rl_fleet_group, suite), .help = "what was measured"},
    {.id = "links", .type = VIEW_TYPE_TEXT, .get = group_links_cell, .help = "how the links of the group go; null for GPUs"},
    {.id = "gpus", .head = "number", VIEW_AT(struct rl_fleet_group, record_count), .help = "number of GPUs, or of links"},
    {.id = "incomplete", VIEW_AT(struct rl_fleet_group, incomplete), .help = "how many of them are of incomplete captures"},
    {.id = "judged", VIEW_AT(struct rl_fleet_group, judged), .help = "whether there are enough to say who stands apart"},
    {.id = "looks", VIEW_AT(struct rl_fleet_group, looks), .help = "number of differences that were judged"},
    {.id = "drivers", .type = VIEW_TYPE_LIST, .get = drivers_cell, .record = &driver_record, .keyed_1 = "driver", .value_1 = "gpus",
     .help = "versions of the driver"},
    {.id = "label", .type = VIEW_TYPE_TEXT, .get = group_label_cell, .for_people = true, .help = "stands beside it in a list"},
    {.id = "text", .type = VIEW_TYPE_TEXT, .get = group_text_cell, .for_people = true, .help = "how many of what"},
    {.id = "drivers_text", .type = VIEW_TYPE_TEXT, .get = drivers_text_cell, .for_people = true, .help = "versions of the driver"},
    {.id = "drivers_counted", .head = "drivers (number)", .type = VIEW_TYPE_TEXT, .get = drivers_text_cell, .key = MOST_DRIVER,
     .wraps = true, .for_people = true, .help = "versions of the driver, and how many have each"},
    {.id = "what", .type = VIEW_TYPE_TEXT, .get = things_cell, .columns = MOST_WORDS, .for_people = true,
     .help = "'GPUs', or how its links go"},
    {.id = "version", .head = "rooflight", VIEW_AT(struct rl_fleet_group, tool_version), .columns = 20, .for_people = true,
     .help = "version of rooflight that measured"},
    {.id = "suite_text", .head = "suite", .type = VIEW_TYPE_TEXT, .get = suite_cell, .columns = MOST_WORDS, .for_people = true,
     .help = "what was measured"},
    {.id = "too_few", .type = VIEW_TYPE_WHOLE, .get = too_few_cell, .for_people = true, .help = "how many it takes to be judged"},
    {.id = "ceilings", .type = VIEW_TYPE_LIST, .get = spreads_cell, .key = true, .record = &spread_record, .for_people = true,
     .help = "its ceilings, or rates of links"},
    {.id = "times", .type = VIEW_TYPE_LIST, .get = spreads_cell, .record = &spread_record, .for_people = true,
     .help = "its times"},
};

static const struct view_block group_blocks[] = {
    {.kind = VIEW_BLOCK_TABLE, .field = "ceilings", .when = is_of_gpus, .title = "Ceilings of {text}",
     .columns = "ceiling,gpus,middle,width,slowest"},
    {.kind = VIEW_BLOCK_TABLE, .field = "ceilings", .when = is_of_links, .title = "Rates of {text}",
     .columns = "rate,links,middle,width,slowest"},
    {.kind = VIEW_BLOCK_TABLE, .field = "times", .when = has_times, .title = "Times of {text}",
     .columns = "time,gpus,middle,width,slowest"},
};
/* clang-format on */
static const struct view_record group_record = {.id = "group",
                                                .title = "",
                                                .help = "GPUs, or links, that can be compared",
                                                VIEW_FIELDS(group_fields),
                                                VIEW_BLOCKS(group_blocks)};

/* ---- what GPUs have in common ---- */

static struct view_cell factor_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(rl_fleet_factor_name(((const struct rl_fleet_effect *)row)->factor));
}

static struct view_cell effect_part_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_part_info *part = &rl_fleet_parts[((const struct rl_fleet_effect *)row)->part];
    return view_cell_text(field->for_people ? part->label : part->id);
}

static struct view_cell shift_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const double shift = ((const struct rl_fleet_effect *)row)->shift;
    return field->for_people ? fleet_difference(view, shift) : view_cell_number(rl_value_of(rl_fleet_share(shift)));
}

static struct view_cell common_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_effect *effect = row;
    return view_cell_text(rl_arena_printf(view->arena, "%s %s", rl_fleet_factor_name(effect->factor), effect->level));
}

static struct view_cell effect_card_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(fleet_of(view)->groups[((const struct rl_fleet_effect *)row)->group].card);
}

static struct view_cell effect_things_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(*fleet_of(view)->groups[((const struct rl_fleet_effect *)row)->group].links ? "links" : "GPUs");
}

/* clang-format off */
static const struct view_field effect_fields[] = {
    {.id = "factor", .head = "", .type = VIEW_TYPE_TEXT, .get = factor_cell, .help = "'node', 'rack' or 'driver'"},
    {.id = "level", .head = "", VIEW_AT(struct rl_fleet_effect, level), .columns = MOST_WORDS, .look = VIEW_LOOK_CODE,
     .help = "which of them"},
    {.id = "group", VIEW_AT(struct rl_fleet_effect, group), .help = "index of their group"},
    {.id = "gpus", .head = "GPUs", VIEW_AT(struct rl_fleet_effect, count),
     .help = "number of GPUs, or of links, that have it in common"},
    {.id = "part", .type = VIEW_TYPE_TEXT, .get = effect_part_cell, .help = "part of the card"},
    {.id = "slower_share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = shift_cell,
     .help = "how much lower their rate is than that of the rest, as a share of it"},
    {.id = "p", .head = "p, corrected", VIEW_AT(struct rl_fleet_effect, p), .digits = 2,
     .help = "the chance to see this without a cause, after correction"},
    {.id = "common", .type = VIEW_TYPE_TEXT, .get = common_cell, .for_people = true, .help = "what they have in common"},
    {.id = "part_text", .head = "part", .type = VIEW_TYPE_TEXT, .get = effect_part_cell, .for_people = true,
     .help = "part of the card"},
    {.id = "difference", .head = "against the rest", .type = VIEW_TYPE_TEXT, .get = shift_cell, .for_people = true,
     .help = "against the rest"},
    {.id = "card", .type = VIEW_TYPE_TEXT, .get = effect_card_cell, .for_people = true, .help = "name of the product"},
    {.id = "things", .type = VIEW_TYPE_TEXT, .get = effect_things_cell, .for_people = true, .help = "'GPUs' or 'links'"},
};
/* clang-format on */
static const struct view_record effect_record = {
    .id = "effect", .title = "", .help = "GPUs that have something in common differ from the rest", VIEW_FIELDS(effect_fields)};

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
    return view_cell_rows(fleet_rows(rows, count));
}

static struct view_cell left_out_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet *fleet = row;
    struct fleet_row *rows = rl_arena_alloc(view->arena, (fleet->record_count + fleet->unread_count + 1) * sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < fleet->record_count; i++)
        if (fleet->records[i]->use != RL_USE_COMPARED)
            rows[count++] = (struct fleet_row){.record = fleet->records[i]};
    for (size_t i = 0; i < fleet->unread_count; i++)
        rows[count++] = (struct fleet_row){.unread = &fleet->unread[i]};
    return view_cell_rows(fleet_rows(rows, count));
}

/* People are told first of what could not be read, which comes last in the list. */
static struct view_rows choose_left_out(const struct view *view, struct view_rows rows, size_t most)
{
    assert(fleet_of(view)->unread_count <= rows.count);
    const size_t first = rows.count - fleet_of(view)->unread_count, shown = most && most < rows.count ? most : rows.count;
    size_t *at = rl_arena_alloc(view->arena, shown * sizeof *at);
    for (size_t i = 0; i < shown; i++)
        at[i] = (first + i) % rows.count;
    rows.at = at;
    rows.count = shown;
    return rows;
}

static struct view_cell path_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text((*(const struct rl_fleet_record *const *)row)->path);
}

static const struct view_field path_fields[] = {{.id = "path", .type = VIEW_TYPE_TEXT, .get = path_cell, .help = "file"}};
static const struct view_record path_record = {
    .id = "incomplete", .title = "", .help = "an incomplete capture that is compared", VIEW_FIELDS(path_fields), .plain = true};

static struct view_cell incomplete_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet *fleet = row;
    size_t *at = rl_arena_alloc(view->arena, (fleet->record_count + 1) * sizeof *at), count = 0;
    for (size_t i = 0; i < fleet->record_count; i++)
        if (fleet->records[i]->use == RL_USE_COMPARED && !fleet->records[i]->complete)
            at[count++] = i;
    return view_cell_rows((struct view_rows){fleet->records, sizeof *fleet->records, count, at});
}

static struct view_cell least_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_number(rl_value_of(rl_fleet_share(log1p(((const struct rl_fleet *)row)->options.least))));
}

static struct view_cell answer_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_fleet_summary_text(row, &text);
    return fleet_text(view, &text);
}

static size_t used_as(const struct rl_fleet *fleet, enum rl_fleet_use use)
{
    size_t count = 0;
    for (size_t i = 0; i < fleet->record_count; i++)
        count += fleet->records[i]->use == use;
    return count;
}

/* What became of the files. */
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
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < RL_COUNT(parts); i++)
        if (parts[i].count)
            rl_buf_addf(&text, "%s%zu %s", text.len ? ", " : "", parts[i].count, parts[i].what);
    return fleet_text(view, &text);
}

static struct view_cell looks_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet *fleet = row;
    double looks = 0;
    for (size_t i = 0; i < fleet->group_count; i++)
        looks += fleet->groups[i].judged ? fleet->groups[i].looks : 0;
    return view_cell_number(rl_value_of(looks));
}

static bool has_links(const struct view *view, const void *row)
{
    return ((const struct rl_fleet *)row)->links != 0;
}

static bool has_no_links(const struct view *view, const void *row)
{
    return !has_links(view, row);
}

/* clang-format off */
static const struct view_field fleet_fields[] = {
    {.id = "compared", VIEW_AT(struct rl_fleet, compared), .help = "number of GPUs compared"},
    {.id = "links_compared", VIEW_AT(struct rl_fleet, links), .help = "number of pairs of ends compared, with links between them"},
    {.id = "slower_count", VIEW_AT(struct rl_fleet, slower_count), .help = "number of GPUs and links slower than the others"},
    {.id = "slower_links", VIEW_AT(struct rl_fleet, slower_links), .help = "number of links among them"},
    {.id = "alpha", VIEW_AT(struct rl_fleet, options.alpha), .unit = RL_UNIT_FRACTION, .digits = 2,
     .help = "the chance that anybody of a healthy fleet is reported"},
    {.id = "least_share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = least_cell,
     .help = "the smallest difference that counts, as a share of the rate"},
    {.id = "groups", VIEW_AT_ROWS(struct rl_fleet, groups, group_count, &group_record), .help = "what is compared with each other"},
    {.id = "slower", .type = VIEW_TYPE_LIST, .get = suspects_cell, .key = true, .record = &fleet_suspect_record,
     .help = "those that are slower than the others, the worst first"},
    {.id = "faster", .type = VIEW_TYPE_LIST, .get = suspects_cell, .record = &fleet_suspect_record,
     .help = "those that are faster than the others"},
    {.id = "effects", VIEW_AT_ROWS(struct rl_fleet, effects, effect_count, &effect_record), .help = "what GPUs have in common"},
    {.id = "figures", VIEW_AT_ROWS(struct rl_fleet, spreads, spread_count, &spread_record),
     .help = "how every figure is distributed over its group"},
    {.id = "incomplete", .type = VIEW_TYPE_LIST, .get = incomplete_cell, .record = &path_record,
     .help = "files that are compared although not all of them was measured"},
    {.id = "not_compared", .type = VIEW_TYPE_LIST, .get = left_out_cell, .record = &fleet_left_out_record,
     .help = "what does not count, and why"},
    {.id = "answer", .type = VIEW_TYPE_TEXT, .get = answer_cell, .for_people = true, .help = "how many are slower"},
    {.id = "counts", .type = VIEW_TYPE_TEXT, .get = counts_cell, .for_people = true, .help = "what became of the files"},
    {.id = "least", VIEW_AT(struct rl_fleet, options.least), .unit = RL_UNIT_FRACTION, .digits = 2, .for_people = true,
     .help = "the smallest difference that counts"},
    {.id = "looks", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_COUNT, .digits = 6, .get = looks_cell, .for_people = true,
     .help = "number of differences judged"},
};

static const struct view_block fleet_blocks[] = {
    {.kind = VIEW_BLOCK_FACT, .label = "captures", .when = has_no_links, .text = "{counts}"},
    {.kind = VIEW_BLOCK_FACT, .label = "records", .when = has_links, .text = "{counts}"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "groups", .label_field = "label", .most = MOST_ROWS,
     .text = "{text}, rooflight {tool_version}, {suite}, driver {drivers_text}[; {incomplete} incomplete]"
             "[; fewer than {too_few}: shown, not judged]"},
    {.kind = VIEW_BLOCK_FACT, .label = "judged",
     .text = "by median and median absolute deviation; the chance that a healthy fleet of this size is reported is at most "
             "{alpha}, over {looks} looks; less than {least} does not count"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "slower", .label_field = "who", .title = "Slower than the others", .most = MOST_ROWS,
     .text = "{text}: {why}", .rest = "and {left} more: --csv or --json has them all"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "faster", .label_field = "who", .title = "Faster than the others", .most = MOST_ROWS,
     .text = "{text}", .rest = "and {left} more: --csv or --json has them all"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "effects", .label_field = "common", .title = "What GPUs have in common", .most = MOST_ROWS,
     .text = "{part_text} {difference} than on the rest of {card} ({gpus} {things}, p = {p})"},
    {.kind = VIEW_BLOCK_EACH, .field = "groups", .most = MOST_ROWS},
    {.kind = VIEW_BLOCK_ITEMS, .field = "not_compared", .title = "Not compared", .most = MOST_ROWS, .choose = choose_left_out,
     .text = "{file}{why}[ ({counts} counts)]", .rest = "and {left} more: --json has them all"},
};
/* clang-format on */
const struct view_record view_record_fleet = {.id = "fleet",
                                              .title = "Fleet: {answer}",
                                              .help = "GPUs of one kind, and links, held against each other",
                                              .format = "rooflight fleet",
                                              VIEW_FIELDS(fleet_fields),
                                              VIEW_BLOCKS(fleet_blocks)};

struct view view_fleet_view(const struct view_fleet *subject, struct rl_arena *arena)
{
    return (struct view){.record = &view_record_fleet, .row = subject->fleet, .subject = subject, .arena = arena};
}

struct view_rows view_fleet_tickets(const struct view *view)
{
    return view_value(view, view_record_field(&view_record_fleet, "slower"), view->row).rows;
}
