/* compare_lineup.c - GPUs side by side: what each is, and what it does to kernels by what limits them. */

#include "compare_parts.h"

/* ---- a roof ---- */

struct roof {
    const char *ceiling, *unit;
    struct rl_value value;
    bool measured;
};

static const struct view_field roof_fields[] = {
    {.id = "ceiling", VIEW_AT(struct roof, ceiling), .help = "id of the roof"},
    {.id = "unit", VIEW_AT(struct roof, unit), .help = "its unit"},
    {.id = "value", VIEW_AT(struct roof, value), .help = "what kernels are compared with"},
    {.id = "measured", VIEW_AT(struct roof, measured), .help = "measured on such a GPU, or else theoretical"},
};
static const struct view_record roof_record = {.id = "lineup_roof", .help = "a roof of a GPU", VIEW_FIELDS(roof_fields)};

/* ---- a group of kernels on a GPU ---- */

struct on_card {
    const char *head, *limiter;
    size_t kernels;
    struct rl_value middle, low, high, expected;
};

/* Figures that were not measured have their word, unless that is one for all. */
static const char *named(const struct view *view, const struct rl_lineup *lineup, const struct rl_lineup_card *card)
{
    return card->kind == RL_LINEUP_MEASURED || rl_lineup_is_alike(lineup)
               ? card->name
               : rl_arena_printf(view->arena, "%s, %s", card->name, rl_lineup_kind_name(card->kind));
}

static struct on_card on_card(const struct view *view, const struct rl_lineup *lineup, const struct rl_lineup_group *group,
                              size_t card)
{
    const struct rl_group_speedup *speedup = &group->on[card];
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, "no kernel has a speedup");
    const bool any = speedup->kernels > 0;
    return (struct on_card){.head = named(view, lineup, &lineup->cards[card]),
                            .limiter = group->label,
                            .kernels = speedup->kernels,
                            .middle = any ? rl_value_of(speedup->middle) : none,
                            .low = any ? rl_value_of(speedup->low) : none,
                            .high = any ? rl_value_of(speedup->high) : none,
                            .expected = speedup->expected};
}

/* "1.33× 1.10–1.50" */
VIEW_SAID(group_text, struct on_card, rl_value_reason(row->middle),
          if (row->kernels) view_speedup_interval_add(&text, row->middle.v, row->low.v, row->high.v));

/* clang-format off */
#define NUMBER(name, what) {.id = #name, VIEW_AT(struct on_card, name), .digits = 3, .help = (what)}
static const struct view_field group_fields[] = {
    {.id = "head", VIEW_AT(struct on_card, head), .identifies = true, .for_people = true, .help = "name of the GPU"},
    {.id = "limiter", VIEW_AT(struct on_card, limiter), .help = "what limits the kernels on the baseline"},
    {.id = "kernels", VIEW_AT(struct on_card, kernels), .help = "number of kernels with a speedup"},
    NUMBER(middle, "median of their speedups, each " RL_SPEEDUP_READS),
    NUMBER(low, "their minimum"),
    NUMBER(high, "their maximum"),
    NUMBER(expected, "median of the speedups that the roofs of both GPUs predict"),
    {.id = "text", .head = "", VIEW_GET(TEXT, group_text), .numeral = true, .for_people = true, .excused = view_needs_no_note,
     .help = "median, minimum and maximum"},
};
/* clang-format on */
static const struct view_record group_record = {
    .id = "lineup_group", .help = "kernels that one thing limits, on a GPU", VIEW_FIELDS(group_fields)};

/* ---- a GPU ---- */

struct card {
    const struct rl_lineup *lineup;
    size_t place;
    const struct rl_lineup_card *of;
    const char *kind, *label, *text;
};

static struct card card_at(const struct view *view, const struct rl_lineup *lineup, size_t place)
{
    const struct rl_lineup_card *card = &lineup->cards[place];
    struct rl_buf text = RL_BUF_IN(view->arena);
    rl_lineup_text(lineup, place, &text);
    return (struct card){.lineup = lineup,
                         .place = place,
                         .of = card,
                         .kind = rl_lineup_kind_name(card->kind),
                         .label = named(view, lineup, card),
                         .text = view_keep(view, &text)};
}

static struct view_cell roofs_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct card *card = row;
    const struct rl_lineup_card *of = card->of;
    struct roof *roofs = rl_arena_alloc(view->arena, RL_CEILING_COUNT * sizeof *roofs);
    size_t count = 0;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        if (rl_ceilings[i].role == RL_ROOF && rl_present(of->roof[i]))
            roofs[count++] = (struct roof){rl_ceilings[i].id, rl_unit_json(rl_ceilings[i].unit), of->roof[i], of->measured[i]};
    return view_cell_rows(VIEW_ROWS(roofs, count));
}

static struct view_cell groups_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct card *card = row;
    const size_t count = card->lineup->group_count;
    struct on_card *groups = rl_arena_alloc(view->arena, (count + 1) * sizeof *groups);
    for (size_t i = 0; i < count; i++)
        groups[i] = on_card(view, card->lineup, &card->lineup->groups[i], card->place);
    return view_cell_rows(VIEW_ROWS(groups, count));
}

/* clang-format off */
static const struct view_field card_fields[] = {
    {.id = "card", .head = "GPU", VIEW_IN(struct card, of, name), .columns = VIEW_CARD_COLUMNS, .identifies = true,
     .help = "name of the GPU"},
    {.id = "kind", .head = "", VIEW_AT(struct card, kind),
     .help = "measured, imported from another profiler, published, or projected: modelled for an unavailable GPU"},
    {.id = "memory_bytes", .head = "memory", .label = "device memory", VIEW_IN(struct card, of, memory_bytes), .unit = RL_UNIT_SIZE,
     .digits = 3, .help = "device memory"},
    {.id = "power_limit_w", .head = "power limit", VIEW_IN(struct card, of, power_w), .unit = RL_UNIT_WATT, .digits = 3,
     .help = "power limit of the board"},
    {.id = "sm_count", .head = "SMs", VIEW_IN(struct card, of, sm_count), .unit = RL_UNIT_COUNT, .digits = 3,
     .help = "streaming multiprocessors"},
    {.id = "roofs", VIEW_GET_LIST(&roof_record, roofs_cell), .help = "its roofs"},
    {.id = "by_limiter", VIEW_GET_LIST(&group_record, groups_cell),
     .help = "speedups over the baseline, by what limits the kernels there"},
    {.id = "label", VIEW_AT(struct card, label), .columns = VIEW_CARD_COLUMNS, .for_people = true,
     .help = "name of the GPU, with the word for what is not measured"},
    {.id = "text", VIEW_AT(struct card, text), .for_people = true, .help = "what it does to kernels"},
};
/* clang-format on */
const struct view_record view_record_lineup = {.id = "lineup_card", .help = "a GPU compared with others", VIEW_FIELDS(card_fields)};

/* ---- all of them ---- */

enum { ALL, OTHERS };

struct view_cell view_lineup_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_lineup *lineup = ((const struct view_compare *)row)->options.lineup;
    const size_t first = field->key == OTHERS;
    if (!lineup)
        return view_cell_absent("");
    struct card *cards = rl_arena_alloc(view->arena, (lineup->count + 1) * sizeof *cards);
    for (size_t i = first; i < lineup->count; i++)
        cards[i - first] = card_at(view, lineup, i);
    return view_cell_rows(VIEW_ROWS(cards, lineup->count - first));
}

/* ---- what each is, a fact a row ---- */

struct fact_on {
    const char *head;
    enum rl_unit unit;
    bool is_bound;
    struct rl_value value, base; /* base: missing of the base itself */
    double half_width;           /* of the value's 95 % CI, relative; 0: unknown */
};
struct fact {
    const char *label;
    struct fact_on *on;
    size_t count;
};

static struct view_cell fact_value(const struct view *view, const struct view_field *field, const void *row)
{
    const struct fact_on *on = row;
    struct view_cell cell = view_cell_in(on->value, on->unit);
    cell.sign = on->is_bound ? RL_SIGN_AT_MOST " " : NULL;
    return cell;
}

/* "±0.12 %" */
static struct view_cell fact_half_width(const struct view *view, const struct view_field *field, const void *row)
{
    const struct fact_on *on = row;
    if (!(on->half_width > 0))
        return view_cell_absent("");
    return view_cell_text(rl_arena_printf(view->arena, "±%s", RL_UNIT_TEXT(RL_UNIT_FRACTION, on->half_width, 2)));
}

static struct view_cell fact_over_base(const struct view *view, const struct view_field *field, const void *row)
{
    const struct fact_on *on = row;
    const struct rl_value ratio = rl_value_div(on->value, on->base, NULL);
    if (!rl_present(ratio))
        return view_cell_absent("");
    return view_cell_text(rl_arena_printf(view->arena, ratio.v < 0.095 ? "%.2g×" : "%.2f×", ratio.v));
}

static const struct view_field fact_on_fields[] = {
    {.id = "card",
     .head = "GPU",
     VIEW_AT(struct fact_on, head),
     .columns = VIEW_CARD_COLUMNS,
     .identifies = true,
     .help = "name of the GPU"},
    {.id = "value",
     .head = "",
     .type = VIEW_TYPE_NUMBER,
     .unit_of_row = true,
     .digits = 3,
     .get = fact_value,
     .excused = view_needs_no_note,
     .help = "what it is there"},
    {.id = "half_width",
     .head = "",
     VIEW_GET(TEXT, fact_half_width),
     .shown = VIEW_SHOWN_WHEN_ANY,
     .beside = true,
     .help = "half of its 95 % CI"},
    {.id = "over_base",
     .head = "",
     VIEW_GET(TEXT, fact_over_base),
     .shown = VIEW_SHOWN_WHEN_ANY,
     .beside = true,
     .help = "the same relative to the baseline"},
};
static const struct view_record fact_on_record = {
    .id = "lineup_fact_on_card", .help = "a fact of a GPU", VIEW_FIELDS(fact_on_fields)};
static const struct view_field fact_fields[] = {
    {.id = "fact", .head = "", VIEW_AT(struct fact, label), .identifies = true, .help = "what is known of the GPUs"},
    {.id = "cards", VIEW_AT_ROWS(struct fact, on, count, &fact_on_record), .help = "on each GPU"},
};
const struct view_record view_record_lineup_fact = {.id = "lineup_fact", .help = "a fact of all GPUs", VIEW_FIELDS(fact_fields)};

/* Roofs that people choose GPUs by. */
static const enum rl_ceiling_id roofs_shown[] = {
    RL_CEILING_dram, RL_CEILING_l2,          RL_CEILING_shared,      RL_CEILING_fp64,        RL_CEILING_fp32,
    RL_CEILING_fp16, RL_CEILING_tensor_fp16, RL_CEILING_tensor_bf16, RL_CEILING_tensor_tf32, RL_CEILING_tensor_fp8};

/* A GPU's value of a field, or where that is NULL its roof. */
static struct fact_on fact_on(const struct card *card, const struct view_field *field, enum rl_ceiling_id roof)
{
    const struct rl_lineup_card *of = card->of;
    if (!field)
        return (struct fact_on){card->label, rl_ceilings[roof].unit, !of->measured[roof], of->roof[roof],
                                {0},         of->half_width[roof]};
    return (struct fact_on){card->label, field->unit, false, *(const struct rl_value *)((const char *)of + field->at), {0}, 0};
}

/* The figures of GPUs, then their roofs: those that some GPU has. */
struct view_cell view_lineup_facts_cell(const struct view *view, const struct view_field *field, const void *row)
{
    enum { FIGURES = RL_COUNT(card_fields), ALL_FACTS = FIGURES + RL_COUNT(roofs_shown) };
    const struct rl_lineup *lineup = ((const struct view_compare *)row)->options.lineup;
    if (!lineup)
        return view_cell_absent("");
    struct fact *facts = rl_arena_alloc(view->arena, ALL_FACTS * sizeof *facts);
    size_t count = 0;
    for (size_t i = 0; i < ALL_FACTS; i++) {
        const struct view_field *of = i < FIGURES ? &card_fields[i] : NULL; /* NULL: a roof */
        const enum rl_ceiling_id roof = roofs_shown[of ? 0 : i - FIGURES];
        struct fact *fact = &facts[count];
        bool any = false;
        if (of && of->access != VIEW_AT_VALUE)
            continue;
        *fact = (struct fact){!of         ? rl_ceilings[roof].label
                              : of->label ? of->label
                                          : of->head,
                              rl_arena_alloc(view->arena, lineup->count * sizeof *fact->on), lineup->count};
        for (size_t c = 0; c < lineup->count; c++) {
            const struct card card = card_at(view, lineup, c);
            fact->on[c] = fact_on(&card, of, roof);
            fact->on[c].base = c > 0 ? fact->on[0].value : rl_value_missing(RL_UNDEFINED, NULL);
            any |= rl_present(fact->on[c].value);
        }
        count += any;
    }
    return view_cell_rows(VIEW_ROWS(facts, count));
}

/* ---- the groups, a row each with all GPUs ---- */

struct group_row {
    const struct rl_lineup *lineup;
    const struct rl_lineup_group *group;
};

VIEW_CELL(group_name, struct group_row, rl_arena_printf(view->arena, "%s (%zu)", row->group->label, row->group->kernels));

static struct view_cell group_cards(const struct view *view, const struct view_field *field, const void *row)
{
    const struct group_row *of = row;
    struct on_card *on = rl_arena_alloc(view->arena, of->lineup->count * sizeof *on);
    for (size_t i = 1; i < of->lineup->count; i++)
        on[i - 1] = on_card(view, of->lineup, of->group, i);
    return view_cell_rows(VIEW_ROWS(on, of->lineup->count - 1));
}

static const struct view_field group_row_fields[] = {
    {.id = "limiter",
     .head = "limited by (kernels)",
     VIEW_GET(TEXT, group_name),
     .identifies = true,
     .help = "what limits the kernels on the baseline, and how many there are"},
    {.id = "cards", VIEW_GET_LIST(&group_record, group_cards), .help = "on each GPU but the baseline"},
};
const struct view_record view_record_lineup_group = {
    .id = "lineup_row", .help = "kernels that one thing limits, on all GPUs", VIEW_FIELDS(group_row_fields)};

struct view_cell view_lineup_groups_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_lineup *lineup = ((const struct view_compare *)row)->options.lineup;
    struct group_row *rows = rl_arena_alloc(view->arena, ((lineup ? lineup->group_count : 0) + 1) * sizeof *rows);
    for (size_t i = 0; lineup && i < lineup->group_count; i++)
        rows[i] = (struct group_row){lineup, &lineup->groups[i]};
    return view_cell_rows(VIEW_ROWS(rows, lineup ? lineup->group_count : 0));
}

bool view_has_lineup(const struct view *view, const void *row)
{
    return ((const struct view_compare *)row)->options.lineup != NULL;
}
