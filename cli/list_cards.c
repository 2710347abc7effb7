#include <assert.h>
#include <stdio.h>

#include "analysis/cards.h"
#include "analysis/plan.h"
#include "core/json.h"
#include "core/table.h"
#include "list.h"

static void capability_text(const struct rl_card_info *card, char text[16])
{
    const struct rl_chip *chip = rl_chip_find(card->chip);
    assert(chip); /* rows are ours, and tested */
    snprintf(text, 16, "%d.%d", chip->cc / 10, chip->cc % 10);
}

static void write_positive(struct rl_json *json, const char *key, double value)
{
    if (value > 0)
        rl_json_double(json, key, value);
    else
        rl_json_null(json, key);
}

static void write_ceilings(struct rl_json *json, const struct rl_card_info *card)
{
    struct rl_card_ceiling ceiling[RL_CEILING_COUNT];
    rl_card_ceilings(card, ceiling);
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
}

static void write_card(struct rl_json *json, const struct rl_card_info *card)
{
    char capability[16];
    capability_text(card, capability);
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
    write_ceilings(json, card);
    rl_json_end(json);
}

static void write_cards(struct rl_buf *out)
{
    struct rl_json json;
    rl_json_init(&json, out, RL_JSON_INDENTED);
    rl_json_array(&json, NULL);
    for (size_t i = 0; i < rl_card_count; i++)
        write_card(&json, &rl_cards[i]);
    rl_json_end(&json);
    assert(rl_json_done(&json));
}

/* A rate in units of `scale`, three digits; a dash when there is none. */
static void cell_rate(struct rl_table *table, struct rl_value rate, double scale)
{
    struct rl_buf text = RL_BUF_INIT;
    if (rl_present(rate))
        rl_number_format(&text, rate.v / scale, 3);
    else
        rl_buf_adds(&text, "–");
    rl_table_cell(table, text.data);
    rl_buf_release(&text);
}

static void print_card(struct rl_table *table, const struct rl_card_info *card)
{
    struct rl_card_ceiling ceiling[RL_CEILING_COUNT];
    char capability[16];
    rl_card_ceilings(card, ceiling);
    capability_text(card, capability);
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
    cell_rate(table, ceiling[RL_CEILING_fp64].theoretical, 1e12);
    cell_rate(table, ceiling[RL_CEILING_fp32].theoretical, 1e12);
    cell_rate(table, ceiling[RL_CEILING_tensor_fp16].theoretical, 1e12);
}

static void print_cards(struct cli_doc *doc)
{
    static const char *const heads[] = {"CC", "SMs", "MHz", "GiB", "GB/s", "measured", "FP64", "FP32", "tensor"};
    struct rl_table table;
    rl_table_init(&table);
    rl_table_column(&table, "card", RL_LEFT);
    rl_table_column(&table, "chip", RL_LEFT);
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++)
        rl_table_column(&table, heads[i], RL_RIGHT);
    for (size_t i = 0; i < rl_card_count; i++)
        print_card(&table, &rl_cards[i]);
    cli_doc_table(doc, &table);
    cli_doc_note(doc,
                 "MHz: boost clock. GB/s: pin rate of the memory; measured: the best published of that. FP64, FP32, tensor (dense "
                 "FP16): TFLOP/s, theoretical. Sources: --json.");
    rl_table_release(&table);
}

enum rl_status list_cards(const struct list_request *request, struct rl_err *err)
{
    (void)err;
    struct cli_doc doc = request->doc;
    if (request->json)
        write_cards(doc.out);
    else
        print_cards(&doc);
    return RL_OK;
}
