/* fleet_groups.c - groups of GPUs, or of links: how their figures are distributed, what settings they have (see results/fleet.h).
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/utf8.h"
#include "fleet_parts.h"

enum { MOST_NAME = 60, MOST_DRIVER = 30, MOST_PLACE = 24 };

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

/* `key`: the 95 % quantile, otherwise that of 5 %. */
static struct view_cell quantile_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_spread *spread = row;
    return of_unit(key_of(view, row)->unit, field->key ? spread->high : spread->low);
}

static struct view_cell limit_for_people_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_spread *spread = row;
    return isfinite(spread->limit) ? of_unit(RL_UNIT_FRACTION, rl_fleet_share(spread->limit))
                                   : view_cell_absent("there are too few to judge");
}

/* The GPU, or link, with the lowest rate of a ceiling. */
static struct view_cell slowest_of_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_spread *spread = row;
    const struct rl_fleet_group *group = &fleet_of(view)->groups[spread->group];
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < group->record_count; i++) {
        const struct rl_fleet_record *record = fleet_of(view)->records[group->records[i]];
        const struct rl_fleet_measure *measure = rl_fleet_measure_of(record, spread->key);
        if (measure && measure->value == spread->first) {
            rl_fleet_record_text(record, &text);
            break;
        }
    }
    return fleet_text(view, &text);
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
    {.id = "middle", .head = "median", .type = VIEW_TYPE_NUMBER, .get = middle_cell, .unit_of_row = true, .look = VIEW_LOOK_STRONG,
     .for_people = true, .help = "median"},
    FOR_PEOPLE("width", "5 to 95 %", width_cell),
    FOR_PEOPLE("slowest", "slowest", slowest_cell),
    {.id = "below", .head = "5 % lie below", .type = VIEW_TYPE_NUMBER, .get = quantile_cell, .unit_of_row = true,
     .for_people = true, .help = "5 % lie below it"},
    {.id = "above", .head = "5 % above", .type = VIEW_TYPE_NUMBER, .get = quantile_cell, .key = true, .unit_of_row = true,
     .for_people = true, .help = "5 % lie above it"},
    {.id = "scatter", .head = "scale", VIEW_AT(struct rl_fleet_spread, scale), .unit = RL_UNIT_FRACTION, .digits = 2,
     .explained = true, .for_people = true, .help = "robust standard deviation of the differences from the median"},
    {.id = "limit", .type = VIEW_TYPE_NUMBER, .get = limit_for_people_cell, .unit_of_row = true, .digits = 2, .explained = true,
     .for_people = true, .help = "what is so far below the median stands apart"},
    {.id = "slowest_of", .head = "on", .type = VIEW_TYPE_TEXT, .get = slowest_of_cell, .look = VIEW_LOOK_CODE,
     .columns = MOST_PLACE, .for_people = true, .help = "the GPU, or link, with the lowest rate"},
};
/* clang-format on */
const struct view_record fleet_spread_record = {
    .id = "figure", .title = "", .help = "how a figure is distributed over a group", VIEW_FIELDS(spread_fields)};

/* ---- settings ---- */

/* Of a list of a group's settings. */
struct setting_row {
    struct rl_fleet_setting setting;
    bool links; /* they are of links */
};

static struct view_cell setting_label_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_text(rl_evidences[((const struct setting_row *)row)->setting.of].label);
}

static struct view_cell usual_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_setting *setting = &((const struct setting_row *)row)->setting;
    struct view_cell cell = view_cell_number(setting->usual);
    cell.unit = rl_evidences[setting->of].unit;
    return cell;
}

/* `key`: the greatest, otherwise the least; nothing where all are alike. */
static struct view_cell extreme_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_setting *setting = &((const struct setting_row *)row)->setting;
    if (setting->least == setting->greatest)
        return view_cell_absent("");
    return of_unit(rl_evidences[setting->of].unit, field->key ? setting->greatest : setting->least);
}

/* Readings differ by nature; of settings it is told how many. */
static struct view_cell alike_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct setting_row *of = row;
    const size_t count = of->setting.other;
    if (of->setting.least == of->setting.greatest)
        return view_cell_text("all alike");
    if (rl_evidences[of->setting.of].unit != RL_UNIT_COUNT)
        return view_cell_text("");
    return view_cell_text(rl_arena_printf(view->arena, "%zu %s%s %s", count, of->links ? "link" : "GPU", count == 1 ? "" : "s",
                                          count == 1 ? "differs" : "differ"));
}

/* clang-format off */
static const struct view_field setting_fields[] = {
    {.id = "setting", .head = "", .type = VIEW_TYPE_TEXT, .get = setting_label_cell, .help = "setting or reading"},
    {.id = "usual", .type = VIEW_TYPE_NUMBER, .get = usual_cell, .unit_of_row = true, .look = VIEW_LOOK_STRONG,
     .explained = true, .help = "the median; for counts and switches, the most common value"},
    {.id = "least", .type = VIEW_TYPE_NUMBER, .get = extreme_cell, .unit_of_row = true, .optional = true, .help = "the least"},
    {.id = "greatest", .type = VIEW_TYPE_NUMBER, .get = extreme_cell, .key = true, .unit_of_row = true, .optional = true,
     .help = "the greatest"},
    {.id = "alike", .head = "", .type = VIEW_TYPE_TEXT, .get = alike_cell, .help = "whether all are alike, or how many differ"},
};
/* clang-format on */
static const struct view_record setting_record = {
    .id = "setting", .title = "", .help = "a setting, or a reading, of the GPUs of a group", VIEW_FIELDS(setting_fields)};

static struct view_cell settings_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_group *group = row;
    struct rl_fleet_setting found[RL_FLEET_EVIDENCE_COUNT];
    const size_t count = rl_fleet_settings(fleet_of(view), group, found);
    struct setting_row *rows = rl_arena_alloc(view->arena, (count + 1) * sizeof *rows);
    for (size_t i = 0; i < count; i++)
        rows[i] = (struct setting_row){found[i], *group->links != 0};
    return view_cell_rows((struct view_rows){.first = rows, .stride = sizeof *rows, .count = count});
}

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
    {.id = "card", VIEW_AT(struct rl_fleet_group, card), .columns = FLEET_MOST_WORDS, .help = "name of the product"},
    {.id = "tool_version", VIEW_AT(struct rl_fleet_group, tool_version), .help = "version of rooflight that measured"},
    {.id = "suite", VIEW_AT(struct rl_fleet_group, suite), .help = "what was measured"},
    {.id = "links", .type = VIEW_TYPE_TEXT, .get = group_links_cell, .help = "how the links of the group go; null for GPUs"},
    {.id = "gpus", .head = "number", VIEW_AT(struct rl_fleet_group, record_count), .help = "number of GPUs, or of links"},
    {.id = "incomplete", VIEW_AT(struct rl_fleet_group, incomplete), .help = "how many of them are of incomplete captures"},
    {.id = "judged", VIEW_AT(struct rl_fleet_group, judged), .help = "whether there are enough to say who stands apart"},
    {.id = "looks", VIEW_AT(struct rl_fleet_group, looks), .help = "number of differences that were judged"},
    {.id = "drivers", .type = VIEW_TYPE_LIST, .get = drivers_cell, .record = &driver_record,
     .help = "versions of the driver"},
    {.id = "label", .type = VIEW_TYPE_TEXT, .get = group_label_cell, .for_people = true, .help = "stands beside it in a list"},
    {.id = "text", .type = VIEW_TYPE_TEXT, .get = group_text_cell, .for_people = true, .help = "how many of what"},
    {.id = "drivers_text", .type = VIEW_TYPE_TEXT, .get = drivers_text_cell, .for_people = true, .help = "versions of the driver"},
    {.id = "drivers_counted", .head = "drivers (number)", .type = VIEW_TYPE_TEXT, .get = drivers_text_cell, .key = MOST_DRIVER,
     .wraps = true, .for_people = true, .help = "versions of the driver, and how many have each"},
    {.id = "what", .type = VIEW_TYPE_TEXT, .get = things_cell, .columns = FLEET_MOST_WORDS, .for_people = true,
     .help = "'GPUs', or how its links go"},
    {.id = "version", .head = "rooflight", VIEW_AT(struct rl_fleet_group, tool_version), .columns = 20, .for_people = true,
     .help = "version of rooflight that measured"},
    {.id = "suite_text", .head = "suite", .type = VIEW_TYPE_TEXT, .get = suite_cell,
     .columns = FLEET_MOST_WORDS, .for_people = true, .help = "what was measured"},
    {.id = "too_few", .type = VIEW_TYPE_WHOLE, .get = too_few_cell, .for_people = true, .help = "how many it takes to be judged"},
    {.id = "ceilings", .type = VIEW_TYPE_LIST, .get = spreads_cell, .key = true, .record = &fleet_spread_record, .for_people = true,
     .help = "its ceilings, or rates of links"},
    {.id = "times", .type = VIEW_TYPE_LIST, .get = spreads_cell, .record = &fleet_spread_record, .for_people = true,
     .help = "its times"},
    {.id = "settings", .type = VIEW_TYPE_LIST, .get = settings_cell, .record = &setting_record, .for_people = true,
     .help = "what its GPUs have in common, and how many differ"},
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
const struct view_record fleet_group_record = {.id = "group",
                                               .title = "",
                                               .help = "GPUs, or links, that can be compared",
                                               VIEW_FIELDS(group_fields),
                                               VIEW_BLOCKS(group_blocks)};
