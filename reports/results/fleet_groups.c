/* fleet_groups.c - groups of GPUs, or of links: how their figures are distributed, what settings they have (see results/fleet.h).
 */
#include "fleet_parts.h"

enum { MOST_NAME = 60, MOST_DRIVER = 30, MOST_PLACE = 24 };

const struct rl_fleet *fleet_of(const struct view *view)
{
    return ((const struct view_fleet *)view->subject)->fleet;
}

/* ---- how a figure is distributed over a group ---- */

static const struct rl_fleet_key *key_of(const struct view *view, const struct rl_fleet_spread *spread)
{
    return &fleet_of(view)->keys[spread->key];
}

VIEW_CELL(name_cell, struct rl_fleet_spread, key_of(view, row)->name);
VIEW_CELL(id_cell, struct rl_fleet_spread, key_of(view, row)->id);
VIEW_CELL(part_cell, struct rl_fleet_spread, rl_fleet_parts[key_of(view, row)->part].id);
VIEW_CELL(unit_cell, struct rl_fleet_spread, rl_unit_json(key_of(view, row)->unit));
VIEW_CELL(limit_cell, struct rl_fleet_spread, rl_fleet_share(row->limit));

enum people { MIDDLE, SLOWEST, BELOW, ABOVE, WIDTH, LIMIT };

/* For people: in the unit of the figure, from WIDTH on as a share. */
static struct view_cell people_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_spread *spread = row;
    const struct rl_fleet_key *key = &fleet_of(view)->keys[spread->key];
    const double values[] = {[MIDDLE] = spread->median,
                             [SLOWEST] = key->ceiling ? spread->first : spread->last,
                             [BELOW] = spread->low,
                             [ABOVE] = spread->high,
                             [WIDTH] = (spread->high - spread->low) / spread->median,
                             [LIMIT] = rl_fleet_share(spread->limit)};
    if (field->key == LIMIT && !isfinite(spread->limit))
        return view_cell_absent("there are too few to judge");
    return view_cell_in(rl_value_of(values[field->key]), field->key >= WIDTH ? RL_UNIT_FRACTION : key->unit);
}

/* The GPU, or link, with the lowest rate of a ceiling. */
static struct view_cell slowest_of_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_spread *spread = row;
    const struct rl_fleet_group *group = &fleet_of(view)->groups[spread->group];
    struct rl_buf text = RL_BUF_IN(view->arena);
    for (size_t i = 0; i < group->record_count && !text.len; i++) {
        const struct rl_fleet_record *record = fleet_of(view)->records[group->records[i]];
        const struct rl_fleet_measure *measure = rl_fleet_measure_of(record, spread->key);
        if (measure && measure->value == spread->first)
            rl_fleet_record_text(record, &text);
    }
    return view_cell_kept(view, &text);
}

/* clang-format off */
#define NAME(words)                                                                                                                \
    {.id = words, VIEW_GET(TEXT, name_cell), .columns = MOST_NAME, .for_people = true, .help = "name of the figure"}
#define PEOPLE(which) VIEW_GET(NUMBER, people_cell), .key = which, .unit_of_row = true, .for_people = true
static const struct view_field spread_fields[] = {
    {.id = "group", VIEW_AT(struct rl_fleet_spread, group), .help = "index of its group"},
    {.id = "name", VIEW_GET(TEXT, name_cell), .help = "roof, or kernel and variant"},
    {.id = "id", VIEW_GET(TEXT, id_cell), .help = "what distinguishes it from figures of the same name"},
    {.id = "part", VIEW_GET(TEXT, part_cell), .help = "part of the GPU that it is about"},
    {.id = "unit", VIEW_GET(TEXT, unit_cell), .help = "unit of the values"},
    {.id = "gpus", .head = "GPUs", VIEW_AT(struct rl_fleet_spread, count), .help = "number of GPUs, or of links"},
    {.id = "median", VIEW_AT(struct rl_fleet_spread, median), .help = "median over the group"},
    {.id = "quantile_5", VIEW_AT(struct rl_fleet_spread, low), .help = "5 % lie below it"},
    {.id = "quantile_95", VIEW_AT(struct rl_fleet_spread, high), .help = "5 % lie above it"},
    {.id = "min", VIEW_AT(struct rl_fleet_spread, first), .help = "the minimum"},
    {.id = "max", VIEW_AT(struct rl_fleet_spread, last), .help = "the maximum"},
    {.id = "scale", VIEW_AT(struct rl_fleet_spread, scale), .help = "robust standard deviation of the differences from the median"},
    {.id = "limit_share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = limit_cell,
     .help = "the difference of the rate that chance explains; 1 where there are too few to say"},
    NAME("ceiling"), NAME("rate"), NAME("time"),
    {.id = "links", VIEW_AT(struct rl_fleet_spread, count), .for_people = true, .help = "number of links"},
    {.id = "middle", .head = "median", PEOPLE(MIDDLE), .look = VIEW_LOOK_STRONG, .help = "median"},
    {.id = "width", .head = "5 to 95 %", PEOPLE(WIDTH), .help = "5 to 95 %"},
    {.id = "slowest", PEOPLE(SLOWEST), .help = "slowest"},
    {.id = "below", .head = "5 % lie below", PEOPLE(BELOW), .help = "5 % lie below it"},
    {.id = "above", .head = "5 % above", PEOPLE(ABOVE), .help = "5 % lie above it"},
    {.id = "scatter", .head = "scale", VIEW_AT(struct rl_fleet_spread, scale), .unit = RL_UNIT_FRACTION, .digits = 2,
     .explained = true, .for_people = true, .help = "robust standard deviation of the differences from the median"},
    {.id = "limit", PEOPLE(LIMIT), .digits = 2, .explained = true, .help = "what is so far below the median stands apart"},
    {.id = "slowest_of", .head = "on", VIEW_GET(TEXT, slowest_of_cell), .look = VIEW_LOOK_CODE,
     .columns = MOST_PLACE, .for_people = true, .help = "the GPU, or link, with the lowest rate"},
};
/* clang-format on */
const struct view_record fleet_spread_record = {
    .id = "figure", .help = "how a figure is distributed over a group", VIEW_FIELDS(spread_fields)};

/* ---- settings ---- */

struct setting_row {
    const char *label, *alike;
    struct rl_fleet_setting setting;
};

enum setting_number { USUAL, LEAST, GREATEST };

/* Extremes only where not all are alike. */
static struct view_cell setting_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_setting *setting = &((const struct setting_row *)row)->setting;
    const double numbers[] = {[USUAL] = setting->usual.v, [LEAST] = setting->least, [GREATEST] = setting->greatest};
    if (field->key != USUAL && setting->least == setting->greatest)
        return view_cell_absent("");
    return view_cell_in(rl_value_of(numbers[field->key]), rl_evidences[setting->of].unit);
}

/* clang-format off */
#define SETTING(which) VIEW_GET(NUMBER, setting_cell), .key = which, .unit_of_row = true
static const struct view_field setting_fields[] = {
    {.id = "setting", .head = "", VIEW_AT(struct setting_row, label), .help = "setting or reading"},
    {.id = "usual", SETTING(USUAL), .look = VIEW_LOOK_STRONG, .explained = true,
     .help = "the median; for counts and switches, the most common value"},
    {.id = "least", SETTING(LEAST), .optional = true, .help = "the minimum"},
    {.id = "greatest", SETTING(GREATEST), .optional = true, .help = "the maximum"},
    {.id = "alike", .head = "", VIEW_AT(struct setting_row, alike), .help = "whether all are equal, or how many differ"},
};
/* clang-format on */
static const struct view_record setting_record = {
    .id = "setting", .help = "a setting, or a reading, of the GPUs of a group", VIEW_FIELDS(setting_fields)};

static struct view_cell settings_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_group *group = row;
    struct rl_fleet_setting found[RL_FLEET_EVIDENCE_COUNT];
    const size_t count = rl_fleet_settings(fleet_of(view), group, found);
    struct setting_row *rows = rl_arena_alloc(view->arena, (count + 1) * sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct setting_row){rl_evidences[found[i].of].label, "", found[i]};
        if (found[i].least == found[i].greatest)
            rows[i].alike = "all alike";
        else if (rl_evidences[found[i].of].unit == RL_UNIT_COUNT) /* readings differ by nature */
            rows[i].alike = rl_arena_printf(view->arena, "%zu %s%s", found[i].other, *group->links ? "link" : "GPU",
                                            found[i].other == 1 ? " differs" : "s differ");
    }
    return view_cell_rows(VIEW_ROWS(rows, count));
}

/* ---- a group ---- */

struct driver_row {
    const char *driver;
    size_t gpus;
};

static const struct view_field driver_fields[] = {
    {.id = "driver", VIEW_AT(struct driver_row, driver), .help = "version of the driver"},
    {.id = "gpus", VIEW_AT(struct driver_row, gpus), .help = "number of GPUs, or of links, with it"},
};
static const struct view_record driver_record = {.id = "driver", .help = "a driver of a group", VIEW_FIELDS(driver_fields)};

static struct view_cell drivers_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_group *group = row;
    struct driver_row *rows = rl_arena_alloc(view->arena, (group->driver_count + 1) * sizeof *rows);
    for (size_t i = 0; i < group->driver_count; i++)
        rows[i] = (struct driver_row){group->drivers[i], group->driver_records[i]};
    return view_cell_rows(VIEW_ROWS(rows, group->driver_count));
}

VIEW_CELL_IF(links_cell, struct rl_fleet_group, *row->links, row->links);
VIEW_CELL(things_cell, struct rl_fleet_group, *row->links ? row->links : "GPUs");
VIEW_SAID(text_cell, struct rl_fleet_group, "", rl_fleet_group_text(row, &text));
VIEW_CELL(suite_cell, struct rl_fleet_group, row->judged ? row->suite : rl_arena_printf(view->arena, "%s, not judged", row->suite));

enum { NAMES, NAMES_AND_NUMBERS };

/* Names of drivers, and how many have each; with NAMES only where they do not have the same. */
static struct view_cell drivers_text_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_fleet_group *group = row;
    const bool numbers = field->key == NAMES_AND_NUMBERS;
    struct rl_buf text = RL_BUF_IN(view->arena);
    for (size_t i = 0; i < group->driver_count; i++) {
        rl_buf_adds(&text, i ? ", " : "");
        rl_utf8_abbreviate(&text, group->drivers[i], numbers ? MOST_DRIVER : strlen(group->drivers[i]) + 1);
        if (numbers || group->driver_count > 1)
            rl_buf_addf(&text, " (%zu)", group->driver_records[i]);
    }
    return view_cell_kept(view, &text);
}

/* In a list of groups the first has the name of the list. */
VIEW_CELL(group_label_cell, void, row == fleet_of(view)->groups ? "groups" : "");
VIEW_CELL(too_few_cell, struct rl_fleet_group, view_cell_whole(row->judged ? 0 : RL_FLEET_LEAST));

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

VIEW_WHEN(is_of_links, struct rl_fleet_group, *row->links);
VIEW_WHEN(has_times, void, ((const struct view_fleet *)view->subject)->times);

/* clang-format off */
static const struct view_field group_fields[] = {
    {.id = "card", .head = "GPU", VIEW_AT(struct rl_fleet_group, card), .columns = FLEET_MOST_WORDS, .help = "name of the product"},
    {.id = "tool_version", VIEW_AT(struct rl_fleet_group, tool_version), .help = "version of rooflight that measured"},
    {.id = "suite", VIEW_AT(struct rl_fleet_group, suite), .help = "what was measured"},
    {.id = "links", VIEW_GET(TEXT, links_cell), .help = "how the links of the group go; null for GPUs"},
    {.id = "gpus", .head = "number", VIEW_AT(struct rl_fleet_group, record_count), .help = "number of GPUs, or of links"},
    {.id = "incomplete", VIEW_AT(struct rl_fleet_group, incomplete), .help = "how many of them are of incomplete captures"},
    {.id = "judged", VIEW_AT(struct rl_fleet_group, judged), .help = "whether there are enough to say who stands apart"},
    {.id = "looks", VIEW_AT(struct rl_fleet_group, looks), .help = "number of differences that were judged"},
    {.id = "drivers", .type = VIEW_TYPE_LIST, .get = drivers_cell, .record = &driver_record, .help = "versions of the driver"},
    {.id = "label", VIEW_GET(TEXT, group_label_cell), .for_people = true, .help = "label of its row in a list"},
    {.id = "text", VIEW_GET(TEXT, text_cell), .for_people = true, .help = "how many of what"},
    {.id = "drivers_text", VIEW_GET(TEXT, drivers_text_cell), .key = NAMES, .for_people = true, .help = "versions of the driver"},
    {.id = "drivers_counted", .head = "drivers (number)", VIEW_GET(TEXT, drivers_text_cell), .key = NAMES_AND_NUMBERS,
     .wraps = true, .for_people = true, .help = "versions of the driver, and how many have each"},
    {.id = "what", VIEW_GET(TEXT, things_cell), .columns = FLEET_MOST_WORDS, .for_people = true,
     .help = "'GPUs', or how its links go"},
    {.id = "version", .head = "rooflight", VIEW_AT(struct rl_fleet_group, tool_version), .columns = 20, .for_people = true,
     .help = "version of rooflight that measured"},
    {.id = "suite_text", .head = "suite", VIEW_GET(TEXT, suite_cell),
     .columns = FLEET_MOST_WORDS, .for_people = true, .help = "what was measured"},
    {.id = "too_few", VIEW_GET(WHOLE, too_few_cell), .for_people = true, .help = "how many it takes to be judged"},
    {.id = "ceilings", .type = VIEW_TYPE_LIST, .get = spreads_cell, .key = true, .record = &fleet_spread_record, .for_people = true,
     .help = "its roofs, or rates of links"},
    {.id = "times", .type = VIEW_TYPE_LIST, .get = spreads_cell, .record = &fleet_spread_record, .for_people = true,
     .help = "its times"},
    {.id = "settings", .type = VIEW_TYPE_LIST, .get = settings_cell, .record = &setting_record, .for_people = true,
     .help = "what its GPUs have in common, and how many differ"},
};

static const struct view_block group_blocks[] = {
    {.kind = VIEW_BLOCK_TABLE, .field = "ceilings", .unless = is_of_links, .title = "Roofs of {text}",
     .columns = "ceiling,gpus,middle,width,slowest"},
    {.kind = VIEW_BLOCK_TABLE, .field = "ceilings", .when = is_of_links, .title = "Rates of {text}",
     .columns = "rate,links,middle,width,slowest"},
    {.kind = VIEW_BLOCK_TABLE, .field = "times", .when = has_times, .title = "Times of {text}",
     .columns = "time,gpus,middle,width,slowest"},
};
/* clang-format on */
const struct view_record fleet_group_record = {
    .id = "group", .help = "GPUs, or links, that can be compared", VIEW_FIELDS(group_fields), VIEW_BLOCKS(group_blocks)};
