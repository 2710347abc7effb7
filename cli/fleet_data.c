/* fleet_data.c - a fleet for programs: JSON, a table of tickets, a table of all figures. Units are SI base units. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/json.h"
#include "core/mem.h"
#include "fleet.h"

/* ---- JSON ---- */

static void put_record(struct rl_json *json, const struct rl_fleet_record *record)
{
    rl_json_string(json, "path", record->path);
    rl_json_string(json, "host", *record->host ? record->host : NULL);
    rl_json_string(json, "rack", *record->rack ? record->rack : NULL);
    rl_json_int(json, "gpu", record->gpu);
    if (*record->links) {
        rl_json_string(json, "links", record->links);
        if (record->peer == RL_FLEET_HOST)
            rl_json_string(json, "peer", "host");
        else
            rl_json_int(json, "peer", record->peer);
        rl_json_string(json, "peer_uuid", *record->peer_uuid ? record->peer_uuid : NULL);
    }
    rl_json_string(json, "uuid", *record->uuid ? record->uuid : NULL);
    rl_json_string(json, "card", record->card);
    rl_json_string(json, "driver", record->driver);
    rl_json_string(json, "started", record->started);
    rl_json_bool(json, "complete", record->complete);
}

static void put_summary(struct rl_json *json, const struct rl_fleet *fleet)
{
    rl_json_string(json, "format", "rooflight fleet");
    rl_json_int(json, "version", 1);
    rl_json_uint(json, "compared", fleet->compared);
    rl_json_uint(json, "links_compared", fleet->links);
    rl_json_uint(json, "slower_count", fleet->slower_count);
    rl_json_uint(json, "slower_links", fleet->slower_links);
    rl_json_double(json, "alpha", fleet->options.alpha);
    rl_json_double(json, "least_share", rl_fleet_share(log1p(fleet->options.least)));
}

static void put_group(struct rl_json *json, const struct rl_fleet_group *group)
{
    rl_json_object(json, NULL);
    rl_json_string(json, "card", group->card);
    rl_json_string(json, "tool_version", group->tool_version);
    rl_json_string(json, "suite", group->suite);
    rl_json_string(json, "links", *group->links ? group->links : NULL);
    rl_json_uint(json, "gpus", group->record_count);
    rl_json_uint(json, "incomplete", group->incomplete);
    rl_json_bool(json, "judged", group->judged);
    rl_json_double(json, "looks", group->looks);
    rl_json_object(json, "drivers");
    for (size_t i = 0; i < group->driver_count; i++)
        rl_json_uint(json, group->drivers[i], group->driver_records[i]);
    rl_json_end(json);
    rl_json_end(json);
}

static void put_parts(struct rl_json *json, const struct rl_fleet *fleet, const struct rl_fleet_record *record)
{
    const struct rl_fleet_group *group = &fleet->groups[record->group];
    rl_json_array(json, "parts");
    for (int part = 0; part < RL_PART_COUNT; part++) {
        if (isnan(record->part_deviation[part]))
            continue;
        rl_json_object(json, NULL);
        rl_json_string(json, "part", rl_fleet_parts[part].id);
        rl_json_double(json, "slower_share", rl_fleet_share(record->part_deviation[part]));
        rl_json_bool(json, "beyond_limit", fabs(record->part_deviation[part]) > group->part[part].limit);
        rl_json_end(json);
    }
    rl_json_end(json);
}

static void put_outliers(struct rl_json *json, const struct rl_fleet *fleet, size_t record)
{
    assert(record < fleet->record_count);
    rl_json_array(json, "figures");
    for (size_t i = 0; i < fleet->outlier_count; i++) {
        const struct rl_fleet_outlier *outlier = &fleet->outliers[i];
        if (outlier->record != record || outlier->key == RL_NONE)
            continue;
        const struct rl_fleet_key *key = &fleet->keys[outlier->key];
        const struct rl_fleet_measure *measure = rl_fleet_measure_of(fleet->records[record], outlier->key);
        rl_json_object(json, NULL);
        rl_json_string(json, "name", key->name);
        rl_json_string(json, "unit", rl_unit_json(key->unit));
        rl_json_double(json, "value", measure->value);
        rl_json_double(json, "median", rl_fleet_spread_of(fleet, fleet->records[record]->group, outlier->key)->median);
        rl_json_double(json, "slower_share", rl_fleet_share(outlier->deviation));
        rl_json_double(json, "limit_share", rl_fleet_share(outlier->limit));
        rl_json_double(json, "z", outlier->z);
        rl_json_end(json);
    }
    rl_json_end(json);
}

static void put_causes(struct rl_json *json, const struct rl_fleet_suspect *suspect)
{
    rl_json_array(json, "causes");
    for (size_t i = 0; i < suspect->cause_count; i++) {
        const struct rl_cause_info *info = &rl_causes[suspect->causes[i].cause];
        rl_json_object(json, NULL);
        rl_json_string(json, "id", info->id);
        rl_json_string(json, "text", suspect->causes[i].text);
        rl_json_string(json, "advice", info->advice);
        rl_json_end(json);
    }
    rl_json_end(json);
}

static void put_suspects(struct rl_json *json, const struct rl_fleet *fleet, bool slower)
{
    rl_json_array(json, slower ? "slower" : "faster");
    for (size_t i = 0; i < fleet->suspect_count; i++) {
        const struct rl_fleet_suspect *suspect = &fleet->suspects[i];
        if (suspect->slower != slower)
            continue;
        struct rl_buf text = RL_BUF_INIT;
        rl_fleet_slowdown_text(fleet, suspect, &text);
        rl_json_object(json, NULL);
        put_record(json, fleet->records[suspect->record]);
        rl_json_string(json, "text", text.data);
        rl_json_uint(json, "wrong_results", suspect->wrong);
        put_parts(json, fleet, fleet->records[suspect->record]);
        put_outliers(json, fleet, suspect->record);
        put_causes(json, suspect);
        rl_json_end(json);
        rl_buf_release(&text);
    }
    rl_json_end(json);
}

static void put_effects(struct rl_json *json, const struct rl_fleet *fleet)
{
    rl_json_array(json, "effects");
    for (size_t i = 0; i < fleet->effect_count; i++) {
        const struct rl_fleet_effect *effect = &fleet->effects[i];
        rl_json_object(json, NULL);
        rl_json_string(json, "factor", rl_fleet_factor_name(effect->factor));
        rl_json_string(json, "level", effect->level);
        rl_json_uint(json, "group", effect->group);
        rl_json_uint(json, "gpus", effect->count);
        rl_json_string(json, "part", rl_fleet_parts[effect->part].id);
        rl_json_double(json, "slower_share", rl_fleet_share(effect->shift));
        rl_json_double(json, "p", effect->p);
        rl_json_end(json);
    }
    rl_json_end(json);
}

static void put_figures(struct rl_json *json, const struct rl_fleet *fleet)
{
    rl_json_array(json, "figures");
    for (size_t i = 0; i < fleet->spread_count; i++) {
        const struct rl_fleet_spread *spread = &fleet->spreads[i];
        const struct rl_fleet_key *key = &fleet->keys[spread->key];
        rl_json_object(json, NULL);
        rl_json_uint(json, "group", spread->group);
        rl_json_string(json, "name", key->name);
        rl_json_string(json, "id", key->id);
        rl_json_string(json, "part", rl_fleet_parts[key->part].id);
        rl_json_string(json, "unit", rl_unit_json(key->unit));
        rl_json_uint(json, "gpus", spread->count);
        rl_json_double(json, "median", spread->median);
        rl_json_double(json, "quantile_5", spread->low);
        rl_json_double(json, "quantile_95", spread->high);
        rl_json_double(json, "min", spread->first);
        rl_json_double(json, "max", spread->last);
        rl_json_double(json, "scale", spread->scale);
        rl_json_double(json, "limit_share", rl_fleet_share(spread->limit)); /* 1 without one: all of it */
        rl_json_end(json);
    }
    rl_json_end(json);
}

static void put_left_out(struct rl_json *json, const struct rl_fleet *fleet)
{
    rl_json_array(json, "not_compared");
    for (size_t i = 0; i < fleet->record_count; i++) {
        const struct rl_fleet_record *record = fleet->records[i];
        if (record->use == RL_USE_COMPARED)
            continue;
        rl_json_object(json, NULL);
        put_record(json, record);
        rl_json_string(json, "why", rl_fleet_use_name(record->use));
        rl_json_string(json, "counts", record->of == RL_NONE ? NULL : fleet->records[record->of]->path);
        rl_json_end(json);
    }
    for (size_t i = 0; i < fleet->unread_count; i++) {
        rl_json_object(json, NULL);
        rl_json_string(json, "path", fleet->unread[i].path);
        rl_json_string(json, "why", fleet->unread[i].why);
        rl_json_end(json);
    }
    rl_json_end(json);
}

static void put_incomplete(struct rl_json *json, const struct rl_fleet *fleet)
{
    rl_json_array(json, "incomplete");
    for (size_t i = 0; i < fleet->record_count; i++)
        if (fleet->records[i]->use == RL_USE_COMPARED && !fleet->records[i]->complete)
            rl_json_string(json, NULL, fleet->records[i]->path);
    rl_json_end(json);
}

void cli_fleet_json(const struct rl_fleet *fleet, struct rl_buf *out)
{
    struct rl_json json;
    rl_json_init(&json, out, RL_JSON_INDENTED);
    rl_json_object(&json, NULL);
    put_summary(&json, fleet);
    rl_json_array(&json, "groups");
    for (size_t i = 0; i < fleet->group_count; i++)
        put_group(&json, &fleet->groups[i]);
    rl_json_end(&json);
    put_suspects(&json, fleet, true);
    put_suspects(&json, fleet, false);
    put_effects(&json, fleet);
    put_figures(&json, fleet);
    put_incomplete(&json, fleet);
    put_left_out(&json, fleet);
    rl_json_end(&json);
}

/* ---- CSV ---- */

static void add_heads(struct rl_table *table, const char *const *heads, size_t count)
{
    rl_table_init(table);
    for (size_t i = 0; i < count; i++)
        rl_table_column(table, heads[i], RL_LEFT);
}

static void add_number(struct rl_table *table, double value)
{
    struct rl_buf text = RL_BUF_INIT;
    if (isfinite(value))
        rl_number_exact(&text, value);
    rl_table_cell(table, text.data);
    rl_buf_release(&text);
}

static void add_place(struct rl_table *table, const struct rl_fleet_record *record)
{
    rl_table_row(table);
    rl_table_cell(table, record->host);
    rl_table_cell(table, record->rack);
    rl_table_cellf(table, "%d", record->gpu);
    rl_table_cell(table, record->uuid);
    rl_table_cell(table, record->card);
}

/* The other end of links; empty cells for a GPU. */
static void add_peer(struct rl_table *table, const struct rl_fleet_record *record)
{
    rl_table_cell(table, record->links);
    if (*record->links && record->peer != RL_FLEET_HOST)
        rl_table_cellf(table, "%d", record->peer);
    else
        rl_table_cell(table, *record->links ? "host" : "");
    rl_table_cell(table, record->peer_uuid);
}

/* What stands in `worst`: the part, or the one figure. */
static const char *worst_name(const struct rl_fleet *fleet, const struct rl_fleet_suspect *suspect)
{
    if (!suspect->parts)
        return "";
    return suspect->worst_key == RL_NONE ? rl_fleet_parts[suspect->worst_part].label : fleet->keys[suspect->worst_key].name;
}

static void add_ticket(const struct rl_fleet *fleet, const struct rl_fleet_suspect *suspect, struct rl_table *table)
{
    const struct rl_fleet_record *record = fleet->records[suspect->record];
    struct rl_buf what = RL_BUF_INIT, why = RL_BUF_INIT;
    rl_fleet_slowdown_text(fleet, suspect, &what);
    rl_fleet_causes_text(fleet, suspect, &why);
    add_place(table, record);
    rl_table_cell(table, worst_name(fleet, suspect));
    add_number(table, suspect->parts ? rl_fleet_share(suspect->worst) : NAN);
    rl_table_cellf(table, "%zu", suspect->outlier_count);
    rl_table_cellf(table, "%zu", suspect->wrong);
    rl_table_cell(table, suspect->cause_count ? rl_causes[suspect->causes[0].cause].id : "");
    rl_table_cell(table, what.data);
    rl_table_cell(table, why.data);
    rl_table_cell(table, suspect->cause_count ? rl_causes[suspect->causes[0].cause].advice : "");
    rl_table_cell(table, record->started);
    rl_table_cell(table, record->path);
    add_peer(table, record);
    rl_buf_release(&what);
    rl_buf_release(&why);
}

void cli_fleet_csv(const struct rl_fleet *fleet, struct rl_buf *out)
{
    static const char *const heads[] = {"host",         "rack",           "gpu",           "uuid",  "card", "worst",
                                        "slower_share", "figures_beyond", "wrong_results", "cause", "what", "why",
                                        "advice",       "started",        "path",          "links", "peer", "peer_uuid"};
    struct rl_table table;
    add_heads(&table, heads, RL_COUNT(heads));
    for (size_t i = 0; i < fleet->suspect_count; i++)
        if (fleet->suspects[i].slower)
            add_ticket(fleet, &fleet->suspects[i], &table);
    rl_table_print(&table, out, RL_TABLE_CSV, 0);
    rl_table_release(&table);
}

static void add_values(const struct rl_fleet *fleet, const struct rl_fleet_record *record, struct rl_table *table)
{
    for (size_t i = 0; i < record->measure_count; i++) {
        const struct rl_fleet_measure *measure = &record->measures[i];
        const struct rl_fleet_key *key = &fleet->keys[measure->key];
        const struct rl_fleet_spread *spread = rl_fleet_spread_of(fleet, record->group, measure->key);
        double deviation = rl_fleet_deviation(fleet, record, measure);
        add_place(table, record);
        rl_table_cell(table, record->driver);
        rl_table_cellf(table, "%zu", record->group);
        rl_table_cell(table, key->ceiling ? "ceiling" : "time");
        rl_table_cell(table, key->name);
        rl_table_cell(table, rl_fleet_parts[key->part].id);
        rl_table_cell(table, rl_unit_json(key->unit));
        add_number(table, measure->value);
        add_number(table, rl_fleet_share(deviation));
        add_number(table, deviation / spread->scale);
        rl_table_cell(table, fabs(deviation) > spread->limit ? "1" : "0");
        add_peer(table, record);
    }
}

/* Rows of one GPU at a time, so that the table of a large fleet is never in memory twice. */
void cli_fleet_values(const struct rl_fleet *fleet, struct rl_buf *out)
{
    static const char *const heads[] = {"host",         "rack", "gpu",          "uuid",  "card", "driver",
                                        "group",        "kind", "name",         "part",  "unit", "value",
                                        "slower_share", "z",    "beyond_limit", "links", "peer", "peer_uuid"};
    for (size_t i = 0, printed = 0; i < fleet->record_count; i++) {
        struct rl_table table;
        if (fleet->records[i]->use != RL_USE_COMPARED)
            continue;
        add_heads(&table, heads, RL_COUNT(heads));
        add_values(fleet, fleet->records[i], &table);
        rl_table_print(&table, out, printed++ ? RL_TABLE_CSV_ROWS : RL_TABLE_CSV, 0);
        rl_table_release(&table);
    }
}
