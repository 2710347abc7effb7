/* fleet_values.c - every figure of every GPU that was compared: a table for other programs. */
#include <assert.h>
#include <math.h>

#include "fleet_parts.h"

struct view_cell fleet_key_cell(const struct rl_fleet_key *key, int which)
{
    const char *const texts[] = {[FLEET_KEY_NAME] = key->name,
                                 [FLEET_KEY_ID] = key->id,
                                 [FLEET_KEY_PART] = rl_fleet_parts[key->part].id,
                                 [FLEET_KEY_UNIT] = rl_unit_json(key->unit),
                                 [FLEET_KEY_KIND] = key->ceiling ? "ceiling" : "time"};
    return view_cell_text(texts[which]);
}

static const struct rl_fleet_key *value_key(const struct view *view, const void *row)
{
    const struct rl_fleet_measure *measure = ((const struct fleet_row *)row)->measure;
    assert(measure && measure->key < fleet_of(view)->key_count);
    return &fleet_of(view)->keys[measure->key];
}

static struct view_cell value_key_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return fleet_key_cell(value_key(view, row), field->key);
}

static struct view_cell value_group_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_whole(((const struct fleet_row *)row)->record->group);
}

static struct view_cell value_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_number(rl_value_of(((const struct fleet_row *)row)->measure->value));
}

enum judged { JUDGED_SHARE, JUDGED_Z, JUDGED_BEYOND };

static struct view_cell judged_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct fleet_row *of = row;
    const double deviation = rl_fleet_deviation(fleet_of(view), of->record, of->measure);
    if (field->key == JUDGED_SHARE)
        return view_cell_number(rl_value_of(rl_fleet_share(deviation)));
    const struct rl_fleet_spread *spread = rl_fleet_spread_of(fleet_of(view), of->record->group, of->measure->key);
    assert(spread); /* of whatever is compared */
    if (field->key == JUDGED_Z)
        return view_cell_number(rl_value_of(deviation / spread->scale));
    return view_cell_whole(fabs(deviation) > spread->limit);
}

/* clang-format off */
static const struct view_field value_fields[] = {
    FLEET_WHERE, FLEET_CARD_OF,
    FLEET_PLACE("driver", FLEET_DRIVER, "version of the driver"),
    {.id = "group", .type = VIEW_TYPE_WHOLE, .get = value_group_cell, .help = "index of its group"},
    {.id = "kind", .type = VIEW_TYPE_TEXT, .get = value_key_cell, .key = FLEET_KEY_KIND, .help = "'ceiling' or 'time'"},
    {.id = "name", .type = VIEW_TYPE_TEXT, .get = value_key_cell, .key = FLEET_KEY_NAME, .help = "ceiling, or kernel and variant"},
    {.id = "part", .type = VIEW_TYPE_TEXT, .get = value_key_cell, .key = FLEET_KEY_PART,
     .help = "part of the card that it is about"},
    {.id = "unit", .type = VIEW_TYPE_TEXT, .get = value_key_cell, .key = FLEET_KEY_UNIT, .help = "unit of 'value'"},
    {.id = "value", .type = VIEW_TYPE_NUMBER, .get = value_cell, .help = "what was measured"},
    {.id = "slower_share", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = judged_cell, .key = JUDGED_SHARE,
     .help = "how much lower the rate is than the median of its group, as a share of it"},
    {.id = "z", .type = VIEW_TYPE_NUMBER, .get = judged_cell, .key = JUDGED_Z, .help = "the difference over its scale"},
    {.id = "beyond_limit", .type = VIEW_TYPE_WHOLE, .get = judged_cell, .key = JUDGED_BEYOND,
     .help = "1 where chance does not explain the difference, otherwise 0"},
    FLEET_OTHER_END,
};
/* clang-format on */
const struct view_record view_record_fleet_value = {
    .id = "value", .title = "", .help = "a figure of a GPU, or of links", VIEW_FIELDS(value_fields)};

struct view_rows view_fleet_values(const struct view *view)
{
    const struct rl_fleet *fleet = fleet_of(view);
    size_t room = 1, count = 0;
    for (size_t i = 0; i < fleet->record_count; i++)
        room += fleet->records[i]->use == RL_USE_COMPARED ? fleet->records[i]->measure_count : 0;
    struct fleet_row *rows = rl_arena_alloc(view->arena, room * sizeof *rows);
    for (size_t i = 0; i < fleet->record_count; i++) {
        const struct rl_fleet_record *record = fleet->records[i];
        for (size_t k = 0; record->use == RL_USE_COMPARED && k < record->measure_count; k++)
            rows[count++] = (struct fleet_row){.record = record, .measure = &record->measures[k]};
    }
    return fleet_rows(rows, count);
}
