/* compare_lineup.c - cards side by side: what each is, and what it does to kernels by what limits them. */
#include "analysis/lineup.h"

#include <assert.h>

#include "compare_parts.h"

/* ---- a roof ---- */

struct roof {
    const struct rl_lineup_card *card;
    enum rl_ceiling_id id;
};

enum { ROOF_ID, ROOF_UNIT };

static struct view_cell roof_text(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_ceiling_info *info = &rl_ceilings[((const struct roof *)row)->id];
    assert(((const struct roof *)row)->id < RL_CEILING_COUNT);
    (void)view;
    return view_cell_text(field->key == ROOF_UNIT ? rl_unit_json(info->unit) : info->id);
}

static struct view_cell roof_value(const struct view *view, const struct view_field *field, const void *row)
{
    const struct roof *roof = row;
    (void)view;
    (void)field;
    return view_cell_number(roof->card->roof[roof->id]);
}

static struct view_cell roof_measured(const struct view *view, const struct view_field *field, const void *row)
{
    const struct roof *roof = row;
    (void)view;
    (void)field;
    return view_cell_boolean(roof->card->measured[roof->id]);
}

static const struct view_field roof_fields[] = {
    {.id = "ceiling", .type = VIEW_TYPE_TEXT, .get = roof_text, .key = ROOF_ID, .help = "id of the ceiling"},
    {.id = "unit", .type = VIEW_TYPE_TEXT, .get = roof_text, .key = ROOF_UNIT, .help = "its unit"},
    {.id = "value", .type = VIEW_TYPE_NUMBER, .get = roof_value, .help = "what kernels are held against"},
    {.id = "measured", .type = VIEW_TYPE_BOOLEAN, .get = roof_measured, .help = "measured on such a card, or else theoretical"},
};
static const struct view_record roof_record = {
    .id = "lineup_roof", .title = "", .help = "a roof of a card", VIEW_FIELDS(roof_fields)};

/* ---- a group of kernels on a card ---- */

struct on_card {
    const struct rl_lineup_group *group;
    const struct rl_lineup *lineup;
    size_t card;
};

static const struct rl_group_speedup *speedup_of(const void *row)
{
    const struct on_card *of = row;
    assert(of->card < of->lineup->count);
    return &of->group->on[of->card];
}

static struct view_cell limiter_cell(const struct view *view, const struct view_field *field, const void *row)
{
    (void)view;
    (void)field;
    return view_cell_text(((const struct on_card *)row)->group->label);
}

static struct view_cell kernels_cell(const struct view *view, const struct view_field *field, const void *row)
{
    (void)view;
    (void)field;
    return view_cell_whole(speedup_of(row)->kernels);
}

enum { MIDDLE, LOW, HIGH, EXPECTED };

static struct view_cell speedup_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_group_speedup *speedup = speedup_of(row);
    const double values[] = {[MIDDLE] = speedup->middle, [LOW] = speedup->low, [HIGH] = speedup->high};
    (void)view;
    assert(field->key == EXPECTED || (size_t)field->key < RL_COUNT(values));
    if (field->key == EXPECTED)
        return view_cell_number(speedup->expected);
    return speedup->kernels ? view_cell_number(rl_value_of(values[field->key])) : view_cell_absent("no kernel has a speed-up");
}

/* "1.33× 1.10–1.50" */
static struct view_cell group_text(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_group_speedup *speedup = speedup_of(row);
    (void)field;
    if (speedup->kernels == 0)
        return view_cell_absent("no kernel has a speed-up");
    return view_cell_text(rl_arena_printf(view->arena, "%.2f× %.2f–%.2f", speedup->middle, speedup->low, speedup->high));
}

/* A dash says it. */
static bool is_plain(const struct view *view, const void *row)
{
    (void)view;
    (void)row;
    return true;
}

/* What is not measured is never without its word. */
static const char *named(const struct view *view, const struct rl_lineup_card *card)
{
    return card->kind == RL_LINEUP_MEASURED ? card->name
                                            : rl_arena_printf(view->arena, "%s, %s", card->name, rl_lineup_kind_name(card->kind));
}

static struct view_cell card_head(const struct view *view, const struct view_field *field, const void *row)
{
    const struct on_card *of = row;
    (void)field;
    return view_cell_text(named(view, &of->lineup->cards[of->card]));
}

/* clang-format off */
#define NUMBER(name, of, what) \
    {.id = (name), .type = VIEW_TYPE_NUMBER, .digits = 3, .get = speedup_cell, .key = (of), .help = (what)}
static const struct view_field group_fields[] = {
    {.id = "head", .type = VIEW_TYPE_TEXT, .get = card_head, .identifies = true, .for_people = true, .help = "name of the card"},
    {.id = "limiter", .type = VIEW_TYPE_TEXT, .get = limiter_cell, .help = "what limits the kernels on the base"},
    {.id = "kernels", .type = VIEW_TYPE_WHOLE, .get = kernels_cell, .help = "number of kernels with a speed-up"},
    NUMBER("middle", MIDDLE, "median of their speed-ups, each " RL_SPEEDUP_READS),
    NUMBER("low", LOW, "the least of them"),
    NUMBER("high", HIGH, "the greatest of them"),
    NUMBER("expected", EXPECTED, "median of the speed-ups that the roofs of both cards predict"),
    {.id = "text", .head = "", .type = VIEW_TYPE_TEXT, .get = group_text, .numeral = true, .for_people = true, .excused = is_plain,
     .help = "the middle, the least and the greatest"},
};
/* clang-format on */
static const struct view_record group_record = {
    .id = "lineup_group", .title = "", .help = "kernels that one thing limits, on a card", VIEW_FIELDS(group_fields)};

/* ---- a card ---- */

struct card {
    const struct rl_lineup *lineup;
    size_t place;
};

static const struct rl_lineup_card *card_of(const void *row)
{
    const struct card *card = row;
    assert(card->place < card->lineup->count);
    return &card->lineup->cards[card->place];
}

enum { NAME, KIND, LABEL, TEXT };

static struct view_cell card_text(const struct view *view, const struct view_field *field, const void *row)
{
    const struct card *card = row;
    struct rl_buf text = RL_BUF_INIT;
    if (field->key == NAME || field->key == KIND)
        return view_cell_text(field->key == NAME ? card_of(row)->name : rl_lineup_kind_name(card_of(row)->kind));
    if (field->key == LABEL)
        return view_cell_text(named(view, card_of(row)));
    rl_lineup_text(card->lineup, card->place, &text);
    const char *kept = view_keep(view, &text);
    return kept ? view_cell_text(kept) : view_cell_absent("");
}

enum { MEMORY, POWER, SMS };

static struct view_cell card_value(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_lineup_card *card = card_of(row);
    const struct rl_value values[] = {[MEMORY] = card->memory_bytes, [POWER] = card->power_w, [SMS] = card->sm_count};
    (void)view;
    assert((size_t)field->key < RL_COUNT(values));
    return view_cell_number(values[field->key]);
}

static struct view_cell roofs_cell(const struct view *view, const struct view_field *field, const void *row)
{
    struct roof *roofs = rl_arena_alloc(view->arena, RL_CEILING_COUNT * sizeof *roofs);
    size_t count = 0;
    (void)field;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        if (rl_ceilings[i].role == RL_ROOF && rl_present(card_of(row)->roof[i]))
            roofs[count++] = (struct roof){card_of(row), (enum rl_ceiling_id)i};
    return view_cell_rows((struct view_rows){.first = roofs, .stride = sizeof *roofs, .count = count});
}

static struct view_cell groups_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct card *card = row;
    struct on_card *groups = rl_arena_alloc(view->arena, (card->lineup->group_count + 1) * sizeof *groups);
    (void)field;
    for (size_t i = 0; i < card->lineup->group_count; i++)
        groups[i] = (struct on_card){&card->lineup->groups[i], card->lineup, card->place};
    return view_cell_rows((struct view_rows){.first = groups, .stride = sizeof *groups, .count = card->lineup->group_count});
}

/* clang-format off */
#define FACT(name, title, of, in, what) \
    {.id = (name), .head = (title), .type = VIEW_TYPE_NUMBER, .unit = (in), .digits = 3, .get = card_value, .key = (of), \
     .help = (what)}
static const struct view_field card_fields[] = {
    {.id = "card", .type = VIEW_TYPE_TEXT, .get = card_text, .key = NAME, .columns = VIEW_CARD_COLUMNS, .identifies = true,
     .help = "name of the card"},
    {.id = "kind", .head = "", .type = VIEW_TYPE_TEXT, .get = card_text, .key = KIND,
     .help = "measured, imported from another profiler, published, or projected: calculated for a card that is not at hand"},
    FACT("memory_bytes", "memory", MEMORY, RL_UNIT_SIZE, "device memory"),
    FACT("power_limit_w", "power limit", POWER, RL_UNIT_WATT, "power limit of the board"),
    FACT("sm_count", "SMs", SMS, RL_UNIT_COUNT, "streaming multiprocessors"),
    {.id = "roofs", .type = VIEW_TYPE_LIST, .record = &roof_record, .get = roofs_cell, .help = "its roofs"},
    {.id = "by_limiter", .type = VIEW_TYPE_LIST, .record = &group_record, .get = groups_cell,
     .help = "speed-ups over the base, by what limits the kernels there"},
    {.id = "label", .type = VIEW_TYPE_TEXT, .get = card_text, .key = LABEL, .columns = VIEW_CARD_COLUMNS, .for_people = true,
     .help = "name of the card, with the word for what is not measured"},
    {.id = "text", .type = VIEW_TYPE_TEXT, .get = card_text, .key = TEXT, .for_people = true, .help = "what it does to kernels"},
};
/* clang-format on */
const struct view_record view_record_lineup = {
    .id = "lineup_card", .title = "", .help = "a card beside others", VIEW_FIELDS(card_fields)};

/* ---- all of them ---- */

static struct view_cell cards_from(const struct view *view, const struct view_compare *compare, size_t first)
{
    const struct rl_lineup *lineup = compare->options.lineup;
    if (!lineup)
        return view_cell_absent("");
    struct card *cards = rl_arena_alloc(view->arena, (lineup->count + 1) * sizeof *cards);
    for (size_t i = first; i < lineup->count; i++)
        cards[i - first] = (struct card){lineup, i};
    return view_cell_rows((struct view_rows){.first = cards, .stride = sizeof *cards, .count = lineup->count - first});
}

enum { ALL, OTHERS };

struct view_cell view_lineup_cell(const struct view *view, const struct view_field *field, const void *row)
{
    return cards_from(view, row, field->key != ALL);
}

/* ---- the groups, a row each with all cards ---- */

struct group_row {
    const struct rl_lineup *lineup;
    const struct rl_lineup_group *group;
};

static struct view_cell group_name(const struct view *view, const struct view_field *field, const void *row)
{
    const struct group_row *of = row;
    (void)field;
    return view_cell_text(rl_arena_printf(view->arena, "%s (%zu)", of->group->label, of->group->kernels));
}

static struct view_cell group_cards(const struct view *view, const struct view_field *field, const void *row)
{
    const struct group_row *of = row;
    struct on_card *on = rl_arena_alloc(view->arena, of->lineup->count * sizeof *on);
    (void)field;
    for (size_t i = 1; i < of->lineup->count; i++)
        on[i - 1] = (struct on_card){of->group, of->lineup, i};
    return view_cell_rows((struct view_rows){.first = on, .stride = sizeof *on, .count = of->lineup->count - 1});
}

static const struct view_field group_row_fields[] = {
    {.id = "limiter",
     .head = "limited by (kernels)",
     .type = VIEW_TYPE_TEXT,
     .get = group_name,
     .identifies = true,
     .help = "what limits the kernels on the base, and how many there are"},
    {.id = "cards", .type = VIEW_TYPE_LIST, .record = &group_record, .get = group_cards, .help = "on each card but the base"},
};
const struct view_record view_record_lineup_group = {
    .id = "lineup_row", .title = "", .help = "kernels that one thing limits, on all cards", VIEW_FIELDS(group_row_fields)};

struct view_cell view_lineup_groups_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_lineup *lineup = ((const struct view_compare *)row)->options.lineup;
    struct group_row *rows = rl_arena_alloc(view->arena, ((lineup ? lineup->group_count : 0) + 1) * sizeof *rows);
    (void)field;
    for (size_t i = 0; lineup && i < lineup->group_count; i++)
        rows[i] = (struct group_row){lineup, &lineup->groups[i]};
    return view_cell_rows((struct view_rows){.first = rows, .stride = sizeof *rows, .count = lineup ? lineup->group_count : 0});
}

bool view_has_lineup(const struct view *view, const void *row)
{
    (void)view;
    return ((const struct view_compare *)row)->options.lineup != NULL;
}
