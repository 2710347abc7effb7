/* fleet_text.c - a fleet for people: how many GPUs, which are slow, by how much, why. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/utf8.h"
#include "fleet.h"

enum { LABEL = 9, MOST_ROWS = 40, MOST_NAME = 60 };

/* ---- what was compared ---- */

static size_t used_as(const struct rl_fleet *fleet, enum rl_fleet_use use)
{
    size_t count = 0;
    for (size_t i = 0; i < fleet->record_count; i++)
        count += fleet->records[i]->use == use;
    return count;
}

static void add_count(struct rl_buf *out, size_t count, const char *what)
{
    if (count)
        rl_buf_addf(out, "%s%zu %s", out->len ? ", " : "", count, what);
}

static void print_group(const struct rl_fleet *fleet, size_t index, struct cli_doc *doc)
{
    assert(index < fleet->group_count);
    const struct rl_fleet_group *group = &fleet->groups[index];
    struct rl_buf text = RL_BUF_INIT;
    rl_fleet_group_text(group, &text);
    rl_buf_addf(&text, ", rooflight %s, %s, driver", group->tool_version, group->suite);
    for (size_t i = 0; i < group->driver_count; i++) {
        rl_buf_addf(&text, "%s %s", i ? "," : "", group->drivers[i]);
        if (group->driver_count > 1)
            rl_buf_addf(&text, " (%zu)", group->driver_records[i]);
    }
    if (group->incomplete)
        rl_buf_addf(&text, "; %zu incomplete", group->incomplete);
    if (!group->judged)
        rl_buf_addf(&text, "; fewer than %d: shown, not judged", RL_FLEET_LEAST);
    cli_doc_item(doc, index == 0 ? "groups" : "", LABEL, text.data);
    rl_buf_release(&text);
}

static void print_head(const struct rl_fleet *fleet, struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    double looks = 0;
    rl_buf_adds(&text, "Fleet: ");
    rl_fleet_summary_text(fleet, &text);
    cli_doc_title(doc, text.data);
    rl_buf_reset(&text);
    add_count(&text, fleet->compared, "compared");
    add_count(&text, fleet->links, "links compared");
    add_count(&text, used_as(fleet, RL_USE_DUPLICATE), "duplicates");
    add_count(&text, used_as(fleet, RL_USE_OLDER), "older of the same GPU");
    add_count(&text, used_as(fleet, RL_USE_EMPTY), "with nothing measured");
    add_count(&text, fleet->unread_count, "not usable here");
    cli_doc_item(doc, fleet->links ? "records" : "captures", LABEL, text.data);
    for (size_t i = 0; i < fleet->group_count; i++) {
        if (i < MOST_ROWS)
            print_group(fleet, i, doc);
        looks += fleet->groups[i].judged ? fleet->groups[i].looks : 0;
    }
    rl_buf_reset(&text);
    rl_buf_adds(&text,
                "by median and median absolute deviation; the chance that a healthy fleet of this size is reported is at most ");
    rl_unit_format(&text, RL_UNIT_FRACTION, fleet->options.alpha, 2);
    rl_buf_adds(&text, ", over ");
    rl_unit_format(&text, RL_UNIT_COUNT, looks, 6);
    rl_buf_adds(&text, " looks; less than ");
    rl_unit_format(&text, RL_UNIT_FRACTION, fleet->options.least, 2);
    rl_buf_adds(&text, " does not count");
    cli_doc_item(doc, "judged", LABEL, text.data);
    rl_buf_release(&text);
}

/* ---- who stands apart ---- */

static void print_apart(const struct rl_fleet *fleet, bool slower, struct cli_doc *doc)
{
    size_t shown = 0, count = 0;
    for (size_t i = 0; i < fleet->suspect_count; i++) {
        const struct rl_fleet_suspect *suspect = &fleet->suspects[i];
        if (suspect->slower != slower || ++count > MOST_ROWS)
            continue;
        struct rl_buf who = RL_BUF_INIT, text = RL_BUF_INIT;
        rl_fleet_record_text(fleet->records[suspect->record], &who);
        rl_fleet_slowdown_text(fleet, suspect, &text);
        rl_buf_adds(&text, slower ? ": " : "");
        rl_fleet_causes_text(fleet, suspect, &text);
        cli_doc_item(doc, who.data, 16, text.data);
        rl_buf_release(&who);
        rl_buf_release(&text);
        shown++;
    }
    if (count > shown) {
        struct rl_buf note = RL_BUF_INIT;
        rl_buf_addf(&note, "and %zu more: --csv or --json has them all", count - shown);
        cli_doc_note(doc, note.data);
        rl_buf_release(&note);
    }
}

static void print_suspects(const struct rl_fleet *fleet, struct cli_doc *doc)
{
    if (fleet->slower_count) {
        cli_doc_heading(doc, "Slower than the others");
        print_apart(fleet, true, doc);
    }
    if (fleet->suspect_count > fleet->slower_count) {
        cli_doc_heading(doc, "Faster than the others");
        print_apart(fleet, false, doc);
    }
}

static void print_effects(const struct rl_fleet *fleet, struct cli_doc *doc)
{
    if (fleet->effect_count == 0)
        return;
    cli_doc_heading(doc, "What GPUs have in common");
    for (size_t i = 0; i < fleet->effect_count && i < MOST_ROWS; i++) {
        const struct rl_fleet_effect *effect = &fleet->effects[i];
        struct rl_buf text = RL_BUF_INIT, label = RL_BUF_INIT;
        rl_buf_addf(&label, "%s %s", rl_fleet_factor_name(effect->factor), effect->level);
        rl_buf_addf(&text, "%s ", rl_fleet_parts[effect->part].label);
        rl_unit_format(&text, RL_UNIT_FRACTION, fabs(rl_fleet_share(effect->shift)), 2);
        rl_buf_addf(&text, " %s than on the rest of %s (%zu %s, p = ", effect->shift > 0 ? "slower" : "faster",
                    fleet->groups[effect->group].card, effect->count, *fleet->groups[effect->group].links ? "links" : "GPUs");
        rl_number_format(&text, effect->p, 2);
        rl_buf_adds(&text, ")");
        cli_doc_item(doc, label.data, 16, text.data);
        rl_buf_release(&text);
        rl_buf_release(&label);
    }
}

/* ---- how figures are distributed ---- */

static void add_value(struct rl_table *table, enum rl_unit unit, double value)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_unit_format(&text, unit, value, 4);
    rl_table_cell(table, text.data);
    rl_buf_release(&text);
}

static void add_spread(const struct rl_fleet *fleet, const struct rl_fleet_spread *spread, struct rl_table *table)
{
    const struct rl_fleet_key *key = &fleet->keys[spread->key];
    struct rl_buf name = RL_BUF_INIT, safe = RL_BUF_INIT;
    rl_utf8_printable(&safe, key->name, strlen(key->name));
    rl_utf8_ellipsis(&name, safe.data, safe.len, MOST_NAME);
    rl_table_row(table);
    rl_table_cell(table, name.data);
    rl_table_cellf(table, "%zu", spread->count);
    add_value(table, key->unit, spread->median);
    add_value(table, RL_UNIT_FRACTION, (spread->high - spread->low) / spread->median);
    add_value(table, key->unit, key->ceiling ? spread->first : spread->last);
    rl_buf_release(&name);
    rl_buf_release(&safe);
}

static void print_spreads(const struct rl_fleet *fleet, size_t group, bool ceilings, struct cli_doc *doc)
{
    assert(group < fleet->group_count);
    struct rl_table table;
    struct rl_buf heading = RL_BUF_INIT;
    rl_table_init(&table);
    rl_table_column(&table, *fleet->groups[group].links ? "rate" : ceilings ? "ceiling" : "time", RL_LEFT);
    rl_table_column(&table, *fleet->groups[group].links ? "links" : "GPUs", RL_RIGHT);
    rl_table_column(&table, "median", RL_RIGHT);
    rl_table_column(&table, "5 to 95 %", RL_RIGHT);
    rl_table_column(&table, "slowest", RL_RIGHT);
    for (size_t i = 0; i < fleet->spread_count; i++)
        if (fleet->spreads[i].group == group && fleet->keys[fleet->spreads[i].key].ceiling == ceilings)
            add_spread(fleet, &fleet->spreads[i], &table);
    rl_buf_addf(&heading, "%s of ", *fleet->groups[group].links ? "Rates" : ceilings ? "Ceilings" : "Times");
    rl_fleet_group_text(&fleet->groups[group], &heading);
    if (table.row_count) {
        cli_doc_heading(doc, heading.data);
        cli_doc_table(doc, &table);
    }
    rl_buf_release(&heading);
    rl_table_release(&table);
}

/* ---- what was not ---- */

static void print_left_out(const struct rl_fleet *fleet, struct cli_doc *doc)
{
    size_t shown = 0, all = fleet->record_count - fleet->compared - fleet->links + fleet->unread_count;
    if (all == 0)
        return;
    cli_doc_heading(doc, "Not compared");
    for (size_t i = 0; i < fleet->unread_count && shown < MOST_ROWS; i++, shown++)
        cli_doc_item(doc, "", 0, fleet->unread[i].why);
    for (size_t i = 0; i < fleet->record_count && shown < MOST_ROWS; i++) {
        const struct rl_fleet_record *record = fleet->records[i];
        struct rl_buf text = RL_BUF_INIT;
        if (record->use == RL_USE_COMPARED)
            continue;
        rl_buf_addf(&text, "%s: %s", record->path, rl_fleet_use_name(record->use));
        if (record->of != RL_NONE)
            rl_buf_addf(&text, " (%s counts)", fleet->records[record->of]->path);
        cli_doc_item(doc, "", 0, text.data);
        rl_buf_release(&text);
        shown++;
    }
    if (shown < all) {
        struct rl_buf note = RL_BUF_INIT;
        rl_buf_addf(&note, "and %zu more: --json has them all", all - shown);
        cli_doc_note(doc, note.data);
        rl_buf_release(&note);
    }
}

void cli_fleet_text(const struct rl_fleet *fleet, bool verbose, struct cli_doc *doc)
{
    print_head(fleet, doc);
    print_suspects(fleet, doc);
    print_effects(fleet, doc);
    for (size_t group = 0; group < fleet->group_count && group < MOST_ROWS; group++) {
        print_spreads(fleet, group, true, doc);
        if (verbose)
            print_spreads(fleet, group, false, doc);
    }
    print_left_out(fleet, doc);
}
