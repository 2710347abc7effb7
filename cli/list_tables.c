/* list_tables.c - lists of what tables of the program hold: chips, GPUs, rules of findings, columns of `show`. */
#include "analysis/plan.h"
#include "list.h"
#include "parts.h"
#include "results/show.h"

/* "9.0": rows begin with a pointer to their chip. */
VIEW_CELL(capability_cell, struct rl_chip *const, rl_arena_printf(view->arena, "%d.%d", (*row)->cc / 10, (*row)->cc % 10));

/* ---- chips ---- */

struct chip_row {
    const struct rl_chip *chip;
    const char *served_by; /* "CUPTI 13.0"; NULL: by none */
    const char *reason;    /* why not */
};

VIEW_CELL(served_cell, struct chip_row, row->served_by ? view_cell_text(row->served_by) : view_cell_absent(row->reason));

/* The chips; the CUPTI library of this machine is asked which of them it serves. */
struct view_cell list_chip_rows(const struct view *view, const struct view_field *field, const void *row)
{
    enum { MOST_CHIPS = 256 };
    const char *names[MOST_CHIPS], *path, *reason = "not by the CUPTI on this machine", *version = NULL;
    struct rl_err err = RL_ERR_INIT;
    size_t count = 0;
    if (!cli_collector) {
        reason = "this build has no collector";
    } else if (cli_collector->cupti_open(&path, &err) != RL_OK) {
        reason = "CUPTI is not on this machine";
    } else {
        version = rl_arena_printf(view->arena, "CUPTI %s", cli_collector->cupti_version());
        count = cli_collector->cupti_chips(names, MOST_CHIPS);
    }
    struct chip_row *chips = rl_arena_alloc(view->arena, rl_chip_count * sizeof *chips);
    for (size_t i = 0; i < rl_chip_count; i++)
        chips[i] =
            (struct chip_row){&rl_chips[i], RL_ANY(k, count, strcmp(names[k], rl_chips[i].name) == 0) ? version : NULL, reason};
    return view_cell_rows(VIEW_ROWS(chips, rl_chip_count));
}

static const struct view_field chip_fields[] = {
    {.id = "chip", VIEW_IN(struct chip_row, chip, name)},
    {.id = "architecture", VIEW_IN(struct chip_row, chip, architecture)},
    {.id = "compute_capability", .head = "compute capability", .type = VIEW_TYPE_TEXT, .get = capability_cell, .numeral = true},
    {.id = "served_by", .head = "counters known to", .type = VIEW_TYPE_TEXT, .get = served_cell},
};
const struct view_record list_chip = {.id = "chip", .title = "", VIEW_FIELDS(chip_fields)};

/* ---- GPUs ---- */

struct card_row {
    const struct rl_chip *chip;
    const struct rl_card_info *info;
    struct rl_card_ceiling ceiling[RL_CEILING_COUNT];
};
struct ceiling_row {
    const char *id, *unit;
    struct rl_value theoretical;
    const struct rl_published *published;
};

VIEW_CELL(theory_cell, struct card_row, row->ceiling[field->key].theoretical);

VIEW_CELL(measured_cell, struct card_row,
          row->ceiling[RL_CEILING_dram].published ? view_cell_double(row->ceiling[RL_CEILING_dram].published->value)
                                                  : view_cell_absent("no figure published"));

static struct view_cell ceiling_rows(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_card_ceiling *ceiling = ((const struct card_row *)row)->ceiling;
    struct ceiling_row *rows = rl_arena_alloc(view->arena, RL_CEILING_COUNT * sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        if (rl_present(ceiling[i].figure))
            rows[count++] = (struct ceiling_row){rl_ceilings[i].id, rl_unit_json(rl_ceilings[i].unit), ceiling[i].theoretical,
                                                 ceiling[i].published};
    return view_cell_rows(VIEW_ROWS(rows, count));
}

struct view_cell list_card_rows(const struct view *view, const struct view_field *field, const void *row)
{
    struct card_row *cards = rl_arena_alloc(view->arena, rl_card_count * sizeof *cards);
    for (size_t i = 0; i < rl_card_count; i++) {
        cards[i].chip = rl_chip_find(rl_cards[i].chip);
        cards[i].info = &rl_cards[i];
        rl_card_ceilings(&rl_cards[i], cards[i].ceiling);
    }
    return view_cell_rows(VIEW_ROWS(cards, rl_card_count));
}

#define FIGURE(id_, member_, unit_) .id = (id_), VIEW_IN(struct card_row, info, member_), .unit = (unit_), .none_if_zero = true
#define THEORY(id_, ceiling_, unit_)                                                                                               \
    .id = (id_), .type = VIEW_TYPE_NUMBER, .unit = (unit_), .get = theory_cell, .key = RL_CEILING_##ceiling_, .for_people = true

/* clang-format off */
static const struct view_field printed_fields[] = {
    {FIGURE("fp64_flop_per_second", printed_fp64, RL_UNIT_FLOP_PER_SECOND)},
    {FIGURE("fp32_flop_per_second", printed_fp32, RL_UNIT_FLOP_PER_SECOND)},
    {FIGURE("tensor_fp16_flop_per_second", printed_tensor, RL_UNIT_FLOP_PER_SECOND)},
    {FIGURE("dram_bytes_per_second", printed_dram, RL_UNIT_BYTE_PER_SECOND)},
};
static const struct view_record printed_record = {.id = "printed", .title = "", VIEW_FIELDS(printed_fields)};

static const struct view_field published_fields[] = {
    {.id = "value", VIEW_AT(struct rl_published, value)},
    {.id = "measured", VIEW_AT(struct rl_published, measured)},
    {.id = "source", VIEW_AT(struct rl_published, source)},
};
static const struct view_record published_record = {.id = "published", .title = "", VIEW_FIELDS(published_fields)};

static const struct view_field ceiling_fields[] = {
    {.id = "id", VIEW_AT(struct ceiling_row, id)},
    {.id = "unit", VIEW_AT(struct ceiling_row, unit)},
    {.id = "theoretical", VIEW_AT(struct ceiling_row, theoretical)},
    {.id = "published", .type = VIEW_TYPE_RECORD, .record = &published_record, .access = VIEW_AT_RECORD,
     .through = offsetof(struct ceiling_row, published) + 1},
};
static const struct view_record ceiling_record = {.id = "ceiling", .title = "", VIEW_FIELDS(ceiling_fields)};

static const struct view_field card_fields[] = {
    {.id = "card", .head = "GPU", VIEW_IN(struct card_row, info, id), .identifies = true},
    {.id = "name", VIEW_IN(struct card_row, info, name)},
    {.id = "chip", VIEW_IN(struct card_row, info, chip)},
    {.id = "compute_capability", .head = "CC", .type = VIEW_TYPE_TEXT, .get = capability_cell, .numeral = true},
    {.id = "sm_count", .head = "SMs", VIEW_IN(struct card_row, info, sm_count)},
    {FIGURE("sm_clock_base_hz", base_hz, RL_UNIT_HERTZ)},
    {FIGURE("sm_clock_boost_hz", boost_hz, RL_UNIT_HERTZ), .head = "boost", .magnitude = 1e6},
    {FIGURE("sm_clock_matrix_hz", matrix_hz, RL_UNIT_HERTZ)},
    {FIGURE("memory_pin_bits_per_second", pin_bits_per_s, RL_UNIT_NONE)},
    {.id = "memory_bus_bits", VIEW_IN(struct card_row, info, bus_bits)},
    {FIGURE("memory_bytes", memory_bytes, RL_UNIT_SIZE), .head = "memory", .digits = 3},
    {FIGURE("l2_bytes", l2_bytes, RL_UNIT_SIZE)},
    {FIGURE("power_w", power_w, RL_UNIT_WATT)},
    {THEORY("dram", dram, RL_UNIT_BYTE_PER_SECOND), .head = "peak", .magnitude = 1e9, .scale = "memory"},
    {.id = "measured", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_BYTE_PER_SECOND, .get = measured_cell, .for_people = true,
     .magnitude = 1e9, .digits = 4, .scale = "memory"},
    {THEORY("fp64", fp64, RL_UNIT_FLOP_PER_SECOND), .head = "FP64", .digits = 3, .magnitude = 1e12, .scale = "flop"},
    {THEORY("fp32", fp32, RL_UNIT_FLOP_PER_SECOND), .head = "FP32", .digits = 3, .magnitude = 1e12, .scale = "flop"},
    {THEORY("tensor", tensor_fp16, RL_UNIT_FLOP_PER_SECOND), .head = "tensor", .digits = 3, .magnitude = 1e12, .scale = "flop"},
    {.id = "printed", .type = VIEW_TYPE_RECORD, .record = &printed_record, .access = VIEW_AT_RECORD},
    {.id = "source", VIEW_IN(struct card_row, info, source)},
    {.id = "second_source", VIEW_IN(struct card_row, info, second), .none_if_zero = true},
    {.id = "ceilings", .type = VIEW_TYPE_LIST, .record = &ceiling_record, .get = ceiling_rows},
};
const struct view_record list_card = {
    .id = "card", .title = "", VIEW_FIELDS(card_fields),
    .columns = "card,chip,compute_capability,sm_count,sm_clock_boost_hz,memory_bytes,dram,measured,fp64,fp32,tensor"};
/* clang-format on */

/* ---- rules of findings ---- */

static const char *const rule_subjects[] = {[RL_OF_LAUNCH] = "launch", [RL_OF_CARD] = "GPU", [RL_OF_SESSION] = "session"};
VIEW_CELL(rule_subject_cell, struct rl_rule_info, rule_subjects[row->subject]);
VIEW_CELL(rule_unit_cell, struct rl_rule_info, rl_unit_json(row->unit));
VIEW_CELL(rule_relation_cell, struct rl_rule_info, row->relation == RL_ABOVE ? "above" : "below");

struct view_cell list_rule_rows(const struct view *view, const struct view_field *field, const void *row)
{
    return view_cell_rows(VIEW_ROWS(rl_rules, RL_RULE_COUNT));
}

static const struct view_field rule_fields[] = {
    {.id = "id", VIEW_AT(struct rl_rule_info, id)},
    {.id = "title", VIEW_AT(struct rl_rule_info, title)},
    {.id = "problem", VIEW_AT(struct rl_rule_info, problem)},
    {.id = "subject", VIEW_GET(TEXT, rule_subject_cell)},
    {.id = "value", VIEW_AT(struct rl_rule_info, value)},
    {.id = "unit", VIEW_GET(TEXT, rule_unit_cell)},
    {.id = "relation", VIEW_GET(TEXT, rule_relation_cell)},
    {.id = "threshold", VIEW_AT_UNIT(struct rl_rule_info, threshold, unit), .digits = 2},
    {.id = "when", VIEW_AT(struct rl_rule_info, when)},
    {.id = "words", VIEW_AT(struct rl_rule_info, words)},
    {.id = "action", VIEW_AT(struct rl_rule_info, action)},
    {.id = "source", VIEW_AT(struct rl_rule_info, source)},
};
const struct view_record list_rule = {.id = "rule", .title = "", VIEW_FIELDS(rule_fields)};

/* ---- columns ---- */

struct column_row {
    const char *id, *unit, *help;
};
struct column_list {
    const struct view *view;
    struct column_row *rows;
    size_t count, cap;
};

static void add_column(void *to, const struct view_path *path)
{
    static const char *const types[] = {[VIEW_TYPE_TEXT] = "text",     [VIEW_TYPE_WHOLE] = "count", [VIEW_TYPE_INTEGER] = "number",
                                        [VIEW_TYPE_BOOLEAN] = "truth", [VIEW_TYPE_LIST] = "list",   [VIEW_TYPE_RECORD] = ""};
    struct column_list *list = to;
    const struct view_field *field = view_path_field(path);
    const bool has_unit = field->type == VIEW_TYPE_NUMBER || field->unit != RL_UNIT_NONE;
    struct rl_buf id = RL_BUF_INIT;
    view_path_format(path, &id);
    RL_APPEND(
        list->rows, list->count, list->cap,
        (struct column_row){view_keep(list->view, &id), has_unit ? rl_unit_json(field->unit) : types[field->type], field->help});
}

struct view_cell list_column_rows(const struct view *view, const struct view_field *field, const void *row)
{
    struct column_list list = {.view = view};
    view_record_paths(&view_record_kernel, add_column, &list);
    struct column_row *rows = rl_arena_alloc(view->arena, list.count * sizeof *rows);
    memcpy(rows, list.rows, list.count * sizeof *rows);
    free(list.rows);
    return view_cell_rows(VIEW_ROWS(rows, list.count));
}

static const struct view_field column_fields[] = {
    {.id = "id", VIEW_AT(struct column_row, id)},
    {.id = "unit", VIEW_AT(struct column_row, unit)},
    {.id = "help", VIEW_AT(struct column_row, help)},
};
const struct view_record list_column = {.id = "column", .title = "", VIEW_FIELDS(column_fields)};
