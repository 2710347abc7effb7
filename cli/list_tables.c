/* list_tables.c - lists of what tables of the program hold: chips, cards, rules of findings, columns of `show`. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "analysis/cards.h"
#include "analysis/plan.h"
#include "core/mem.h"
#include "core/table.h"
#include "core/units.h"
#include "list.h"
#include "parts.h"
#include "results/show.h"

static void capability_text(const struct rl_chip *chip, char text[16])
{
    assert(chip); /* rows are ours, and tested */
    snprintf(text, 16, "%d.%d", chip->cc / 10, chip->cc % 10);
}

/* ---- chips ---- */

enum { MOST_CHIPS = 256 };

/* Metrics that the CUPTI library of this machine has. */
struct served {
    const char *names[MOST_CHIPS];
    size_t count;
    const char *reason; /* why nothing is known; NULL when CUPTI was asked */
    char version[64];   /* "CUPTI 13.0" */
};

static void ask_cupti(struct served *served)
{
    const char *path;
    struct rl_err err = RL_ERR_INIT;
    *served = (struct served){.reason = !cli_collector                                    ? "this build has no collector"
                                        : cli_collector->cupti_open(&path, &err) != RL_OK ? "CUPTI is not on this machine"
                                                                                          : NULL};
    if (served->reason)
        return;
    snprintf(served->version, sizeof served->version, "CUPTI %s", cli_collector->cupti_version());
    served->count = cli_collector->cupti_chips(served->names, MOST_CHIPS);
    assert(served->count <= MOST_CHIPS);
}

/* NULL when the chip is served, otherwise why not. */
static const char *why_not(const struct served *served, const char *chip)
{
    for (size_t i = 0; i < served->count; i++)
        if (strcmp(served->names[i], chip) == 0)
            return NULL;
    return served->reason ? served->reason : "not by the CUPTI on this machine";
}

void list_chips(struct cli_doc *doc, struct rl_json *json)
{
    struct served served;
    struct rl_table table;
    ask_cupti(&served);
    rl_table_init(&table);
    rl_table_column(&table, "chip", RL_LEFT);
    rl_table_column(&table, "architecture", RL_LEFT);
    rl_table_column(&table, "compute capability", RL_RIGHT);
    rl_table_column(&table, "counters known to", RL_LEFT);
    for (size_t i = 0; i < rl_chip_count; i++) {
        const char *reason = why_not(&served, rl_chips[i].name);
        char capability[16];
        capability_text(&rl_chips[i], capability);
        if (json) {
            rl_json_object(json, NULL);
            rl_json_string(json, "chip", rl_chips[i].name);
            rl_json_string(json, "architecture", rl_chips[i].architecture);
            rl_json_string(json, "compute_capability", capability);
            rl_json_string(json, "served_by", reason ? NULL : served.version);
            rl_json_string(json, "reason", reason);
            rl_json_end(json);
            continue;
        }
        rl_table_row(&table);
        rl_table_cell(&table, rl_chips[i].name);
        rl_table_cell(&table, rl_chips[i].architecture);
        rl_table_cell(&table, capability);
        rl_table_cell(&table, reason ? "–" : served.version);
    }
    if (!json)
        cli_doc_table(doc, &table);
    if (!json && served.reason)
        cli_doc_note(doc, served.reason);
    rl_table_release(&table);
}

/* ---- cards ---- */

static void write_positive(struct rl_json *json, const char *key, double value)
{
    if (value > 0)
        rl_json_double(json, key, value);
    else
        rl_json_null(json, key);
}

static void print_card(struct rl_table *table, const struct rl_card_info *card, const struct rl_card_ceiling *ceiling)
{
    static const enum rl_ceiling_id rates[] = {RL_CEILING_fp64, RL_CEILING_fp32, RL_CEILING_tensor_fp16};
    char capability[16];
    capability_text(rl_chip_find(card->chip), capability);
    rl_table_row(table);
    rl_table_cell(table, card->id);
    rl_table_cell(table, card->chip);
    rl_table_cell(table, capability);
    rl_table_cellf(table, "%d", card->sm_count);
    rl_table_cellf(table, "%.0f", card->boost_hz / 1e6);
    rl_table_cellf(table, "%.0f", card->memory_bytes / 1073741824);
    rl_table_cellf(table, "%.0f", ceiling[RL_CEILING_dram].theoretical.v / 1e9);
    if (ceiling[RL_CEILING_dram].published)
        rl_table_cellf(table, "%.0f", ceiling[RL_CEILING_dram].published->value / 1e9);
    else
        rl_table_cell(table, "–");
    for (size_t i = 0; i < RL_COUNT(rates); i++) {
        const struct rl_value rate = ceiling[rates[i]].theoretical;
        struct rl_buf text = RL_BUF_INIT;
        if (rl_present(rate))
            rl_number_format(&text, rate.v / 1e12, 3);
        rl_table_cell(table, rl_present(rate) ? text.data : "–");
        rl_buf_release(&text);
    }
}

static void write_card(struct rl_json *json, const struct rl_card_info *card, const struct rl_card_ceiling *ceiling)
{
    char capability[16];
    capability_text(rl_chip_find(card->chip), capability);
    rl_json_object(json, NULL);
    rl_json_string(json, "card", card->id);
    rl_json_string(json, "name", card->name);
    rl_json_string(json, "chip", card->chip);
    rl_json_string(json, "compute_capability", capability);
    rl_json_int(json, "sm_count", card->sm_count);
    write_positive(json, "sm_clock_base_hz", card->base_hz);
    rl_json_double(json, "sm_clock_boost_hz", card->boost_hz);
    rl_json_double(json, "sm_clock_matrix_hz", card->matrix_hz);
    rl_json_double(json, "memory_pin_bits_per_second", card->pin_bits_per_s);
    rl_json_int(json, "memory_bus_bits", card->bus_bits);
    rl_json_double(json, "memory_bytes", card->memory_bytes);
    write_positive(json, "l2_bytes", card->l2_bytes);
    write_positive(json, "power_w", card->power_w);
    rl_json_object(json, "printed");
    write_positive(json, "fp64_flop_per_second", card->printed_fp64);
    write_positive(json, "fp32_flop_per_second", card->printed_fp32);
    write_positive(json, "tensor_fp16_flop_per_second", card->printed_tensor);
    write_positive(json, "dram_bytes_per_second", card->printed_dram);
    rl_json_end(json);
    rl_json_string(json, "source", card->source);
    rl_json_string(json, "second_source", *card->second ? card->second : NULL);
    rl_json_array(json, "ceilings");
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_published *published = ceiling[i].published;
        if (!rl_present(ceiling[i].figure))
            continue;
        rl_json_object(json, NULL);
        rl_json_string(json, "id", rl_ceilings[i].id);
        rl_json_string(json, "unit", rl_unit_json(rl_ceilings[i].unit));
        rl_json_value(json, "theoretical", ceiling[i].theoretical);
        if (published) {
            rl_json_object(json, "published");
            rl_json_double(json, "value", published->value);
            rl_json_string(json, "measured", published->measured);
            rl_json_string(json, "source", published->source);
            rl_json_end(json);
        } else {
            rl_json_null(json, "published");
        }
        rl_json_end(json);
    }
    rl_json_end(json);
    rl_json_end(json);
}

void list_cards(struct cli_doc *doc, struct rl_json *json)
{
    static const char *const heads[] = {"card", "chip", "CC", "SMs", "MHz", "GiB", "GB/s", "measured", "FP64", "FP32", "tensor"};
    struct rl_table table;
    rl_table_init(&table);
    for (size_t i = 0; i < RL_COUNT(heads); i++)
        rl_table_column(&table, heads[i], i < 2 ? RL_LEFT : RL_RIGHT);
    for (size_t i = 0; i < rl_card_count; i++) {
        struct rl_card_ceiling ceiling[RL_CEILING_COUNT];
        rl_card_ceilings(&rl_cards[i], ceiling);
        if (json)
            write_card(json, &rl_cards[i], ceiling);
        else
            print_card(&table, &rl_cards[i], ceiling);
    }
    if (!json) {
        cli_doc_table(doc, &table);
        cli_doc_note(doc, "MHz: boost clock. GB/s: pin rate of the memory; measured: the best published of that. FP64, FP32, "
                          "tensor (dense FP16): TFLOP/s, theoretical. Sources: --json.");
    }
    rl_table_release(&table);
}

static const char *const subjects[] = {[RL_OF_LAUNCH] = "launch", [RL_OF_CARD] = "card", [RL_OF_SESSION] = "session"};
static const char *const relations[] = {[RL_ABOVE] = "above", [RL_BELOW] = "below"};

void list_findings(struct cli_doc *doc, struct rl_json *json)
{
    size_t width = 0;
    for (int i = 0; i < RL_RULE_COUNT; i++)
        width = strlen(rl_rules[i].id) > width ? strlen(rl_rules[i].id) : width;
    for (int i = 0; i < RL_RULE_COUNT; i++) {
        const struct rl_rule_info *rule = &rl_rules[i];
        if (json) {
            rl_json_object(json, NULL);
            rl_json_string(json, "id", rule->id);
            rl_json_string(json, "title", rule->title);
            rl_json_string(json, "problem", rule->problem);
            rl_json_string(json, "subject", subjects[rule->subject]);
            rl_json_string(json, "value", rule->value);
            rl_json_string(json, "unit", rl_unit_json(rule->unit));
            rl_json_string(json, "relation", relations[rule->relation]);
            rl_json_double(json, "threshold", rule->threshold);
            rl_json_string(json, "when", rule->when);
            rl_json_string(json, "words", rule->words);
            rl_json_string(json, "action", rule->action);
            rl_json_string(json, "source", rule->source);
            rl_json_end(json);
            continue;
        }
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, "of a %s: %s %s ", subjects[rule->subject], rule->value, relations[rule->relation]);
        rl_unit_format(&text, rule->unit, rule->threshold, 2);
        rl_buf_addf(&text, "%s%s. Source: %s.", *rule->when ? ", when " : "", rule->when, rule->source);
        cli_doc_item(doc, rule->id, width, text.data);
        rl_buf_release(&text);
    }
}

struct columns {
    struct cli_doc *doc;
    struct rl_json *json;
};

/* "duration_s.median (s)  median of all samples" */
static void list_column(void *to, const struct view_path *path)
{
    enum { WIDTH = 32 };
    static const char *const types[] = {[VIEW_TYPE_TEXT] = "text",     [VIEW_TYPE_WHOLE] = "count", [VIEW_TYPE_INTEGER] = "number",
                                        [VIEW_TYPE_BOOLEAN] = "truth", [VIEW_TYPE_LIST] = "list",   [VIEW_TYPE_RECORD] = ""};
    const struct columns *columns = to;
    const struct view_field *field = view_path_field(path);
    const bool has_unit = field->type == VIEW_TYPE_NUMBER || field->unit != RL_UNIT_NONE;
    const char *unit = has_unit ? rl_unit_json(field->unit) : types[field->type];
    struct rl_buf id = RL_BUF_INIT;
    view_path_format(path, &id);
    if (columns->json) {
        rl_json_object(columns->json, NULL);
        rl_json_string(columns->json, "id", id.data);
        rl_json_string(columns->json, "unit", unit);
        rl_json_string(columns->json, "help", field->help);
        rl_json_end(columns->json);
    } else {
        rl_buf_addf(&id, " (%s)", unit);
        cli_doc_item(columns->doc, id.data, WIDTH, field->help);
    }
    rl_buf_release(&id);
}

void list_columns(struct cli_doc *doc, struct rl_json *json)
{
    view_record_paths(&view_record_kernel, list_column, &(struct columns){doc, json});
}
