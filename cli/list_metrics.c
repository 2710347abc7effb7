/* list_metrics.c - the metrics, and which of them a chip can give.
 *
 * A metric is available when its formula has a value with every counter that the chip has set to one: so "a else b", metrics made
 * of metrics and constants are judged by the evaluator that computes them, not by a second opinion here. */
#include <ctype.h>
#include <strings.h>

#include "collect.h"
#include "core/formula.h"
#include "core/suggest.h"
#include "list.h"
#include "parts.h"

enum { MOST_NEEDS = 8 };

/* Passes of one set on the chip: the plan for it with the default one. */
struct asked_set {
    struct rl_plan plan;
    bool *available[RL_PLAN_MOST]; /* like the plan's counters */
    size_t passes;                 /* besides those of the default */
};

struct asked {
    struct rl_arena *arena;
    const char *chip;    /* NULL: no chip was named */
    const char *unknown; /* why CUPTI could not be asked; NULL when it was */
    struct asked_set sets[RL_SET_COUNT];
    struct rl_formula *formula[RL_METRIC_COUNT];
};

/* The passes that the configurations of a set's plan take in addition to the default ones; those that only some launches get count
 * for their own set. */
static enum rl_status ask_set(struct asked *asked, enum rl_metric_set set, struct rl_err *err)
{
    struct asked_set *of = &asked->sets[set];
    enum rl_status status = RL_OK;
    for (size_t i = 0; status == RL_OK && i < of->plan.configuration_count; i++) {
        const struct rl_configuration *from = &of->plan.configurations[i];
        struct rl_schedule schedule = {0};
        if (from->when)
            continue;
        status = cli_collector->cupti_schedule(asked->chip, from, &schedule, err);
        if (status == RL_OK) {
            of->available[i] = rl_arena_alloc(asked->arena, from->counter_count * sizeof(bool));
            memcpy(of->available[i], schedule.available, from->counter_count * sizeof(bool));
            of->passes += schedule.passes;
        }
        cli_collector->schedule_release(&schedule);
    }
    if (set != RL_SET_CORE)
        of->passes -= asked->sets[RL_SET_CORE].passes;
    return status;
}

static void ask(struct asked *asked, const char *chip, struct rl_arena *arena)
{
    *asked = (struct asked){.arena = arena, .chip = chip};
    for (int set = 0; set < RL_SET_COUNT; set++)
        rl_plan_make(chip, 1u << set, &asked->sets[set].plan);
    for (int i = 0; i < RL_METRIC_COUNT; i++) {
        struct rl_err err = RL_ERR_INIT;
        enum rl_status status = rl_formula_parse(rl_metrics[i].formula, &asked->formula[i], &err);
        assert(status == RL_OK); /* the rows are tested */
        (void)status;
    }
    /* Fills `available` and `passes`, or `unknown` with the reason. */
    struct rl_err err = RL_ERR_INIT;
    const char *path;
    enum rl_status status = RL_OK;
    if (!asked->chip)
        asked->unknown = "no chip was named";
    else if (!cli_collector)
        asked->unknown = "this build has no collector, so CUPTI cannot be asked";
    else
        status = cli_collector->cupti_open(&path, &err);
    for (int set = 0; status == RL_OK && !asked->unknown && set < RL_SET_COUNT; set++)
        status = ask_set(asked, (enum rl_metric_set)set, &err);
    if (status != RL_OK)
        asked->unknown = rl_arena_strdup(asked->arena, err.text);
}

/* ---- availability ---- */

/* The metrics that a name of names.def is made of; 0 for any other name. */
static size_t needs_of(const char *name, enum rl_metric metrics[MOST_NEEDS])
{
    const char *needs = "";
    size_t count = 0;
    for (int i = 0; i < RL_NAME_COUNT; i++)
        needs = strcmp(rl_names[i].id, name) == 0 ? rl_names[i].needs : needs;
    for (needs += strspn(needs, " "); *needs; needs += strspn(needs, " ")) {
        size_t len = strcspn(needs, " ");
        RL_FREED char *id = rl_strndup(needs, len);
        assert(count < MOST_NEEDS);
        metrics[count++] = rl_metric_find(id);
        needs += len;
    }
    return count;
}

/* Whether the plan of a set has the counter and the chip gives it; *planned stays when the plan does not have it. */
static bool is_given(const struct asked_set *set, const char *name, bool *planned)
{
    for (size_t i = 0; i < set->plan.configuration_count; i++) {
        const struct rl_configuration *configuration = &set->plan.configurations[i];
        for (size_t j = 0; set->available[i] && j < configuration->counter_count; j++) {
            if (strcmp(configuration->counters[j], name) == 0) {
                *planned = true;
                return set->available[i][j];
            }
        }
    }
    return false;
}

static struct rl_value name_value(void *context, const char *name);

static struct rl_value metric_value(struct asked *asked, enum rl_metric metric)
{
    return rl_formula_eval(asked->formula[metric], name_value, asked, NULL);
}

/* A name of names.def is there when the metrics are that it is made of. What is known of a launch or a GPU always is. */
static struct rl_value name_value(void *context, const char *name)
{
    struct asked *asked = context;
    enum rl_metric metrics[MOST_NEEDS];
    enum rl_metric metric = rl_metric_find(name);
    if (rl_names_counter(name)) {
        bool planned = false;
        if (asked->unknown)
            return rl_value_missing(RL_NOT_COLLECTED, asked->unknown);
        for (int set = 0; set < RL_SET_COUNT; set++)
            if (is_given(&asked->sets[set], name, &planned))
                return rl_value_of(1);
        const char *lacks = rl_chip_lacks(rl_chip_find(asked->chip), name);
        const char *reason = planned ? rl_arena_printf(asked->arena, "%s has no %s", asked->chip, name)
                             : lacks ? rl_arena_printf(asked->arena, "%s: %s", name, lacks)
                                     : NULL;
        return rl_value_missing(RL_NOT_ON_CHIP, reason);
    }
    if (metric != RL_METRIC_COUNT)
        return metric_value(asked, metric);
    struct rl_value value = rl_value_of(1);
    size_t count = needs_of(name, metrics);
    for (size_t i = 0; rl_present(value) && i < count; i++)
        value = metric_value(asked, metrics[i]);
    return value;
}

/* ---- the rows ---- */

struct metric_row {
    const struct rl_metric_info *info;
    const char *set, *unit;
    bool there;
    const char *reason;        /* why it is not available; NULL: it is */
    const char *lacking;       /* the same where a chip was asked for; else NULL */
    const char *formula_there; /* the formula that makes it on the chip that was named; NULL: none was */
    const char **counters;
    size_t counter_count;
};
struct set_row {
    const struct rl_set_info *info;
    size_t passes; /* that it adds to the default ones */
    const size_t *metrics;
    size_t metric_count;
};
struct metric_list {
    const char *chip, *unknown; /* as those of struct asked */
    struct set_row sets[RL_SET_COUNT];
    struct metric_row metrics[RL_METRIC_COUNT];
};

/* Adds the counters that a metric needs, directly or through other metrics, each once; formulas end before the rows do. */
static void add_counters(const struct asked *asked, enum rl_metric metric, struct metric_row *row)
{
    const char *const *names;
    size_t name_count = rl_formula_names(asked->formula[metric], &names);
    for (size_t i = 0; i < name_count; i++) {
        enum rl_metric other = rl_metric_find(names[i]), needs[MOST_NEEDS];
        size_t need_count = needs_of(names[i], needs);
        bool known = !rl_names_counter(names[i]);
        for (size_t j = 0; j < row->counter_count && !known; j++)
            known = strcmp(row->counters[j], names[i]) == 0;
        if (!known)
            row->counters[row->counter_count++] = rl_arena_strdup(asked->arena, names[i]);
        else if (!rl_names_counter(names[i]) && other != RL_METRIC_COUNT)
            add_counters(asked, other, row);
        for (size_t j = 0; j < need_count; j++)
            add_counters(asked, needs[j], row);
    }
}

static const struct metric_list *list_of(const struct view *view)
{
    return view->row;
}

VIEW_CELL(available_cell, struct metric_row,
          row->there || !list_of(view)->unknown ? view_cell_boolean(row->there) : view_cell_absent(""));

/* clang-format off */
static const struct view_field counter_fields[] = {{.id = "counter", VIEW_ITSELF}};
static const struct view_record counter_record = {.id = "counter", .title = "", VIEW_FIELDS(counter_fields), .plain = true};

static const struct view_field metric_fields[] = {
    {.id = "id", VIEW_IN(struct metric_row, info, id)},
    {.id = "label", VIEW_IN(struct metric_row, info, label)},
    {.id = "set", VIEW_AT(struct metric_row, set)},
    {.id = "unit", VIEW_AT(struct metric_row, unit)},
    {.id = "definition", VIEW_IN(struct metric_row, info, definition)},
    {.id = "formula", VIEW_IN(struct metric_row, info, formula)},
    {.id = "counters", VIEW_AT_ROWS(struct metric_row, counters, counter_count, &counter_record)},
    {.id = "available", .type = VIEW_TYPE_BOOLEAN, .get = available_cell},
    {.id = "reason", VIEW_AT(struct metric_row, reason)},
    {.id = "lacking", VIEW_AT(struct metric_row, lacking), .for_people = true},
    {.id = "formula_there", VIEW_AT(struct metric_row, formula_there), .for_people = true},
};
static const struct view_record metric_record = {.id = "metric", .title = "", VIEW_FIELDS(metric_fields)};

enum { PASSES, MORE_PASSES };

/* The list has those of the default set, which adds none to itself. */
static struct view_cell passes_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct metric_list *list = list_of(view);
    const struct set_row *set = row == list ? &list->sets[RL_SET_CORE] : row;
    const bool said = !list->unknown && !(field->key == MORE_PASSES && set == &list->sets[RL_SET_CORE]);
    return said ? view_cell_whole(set->passes) : view_cell_absent("");
}

VIEW_CELL(set_metrics_cell, struct set_row,
          (struct view_rows){list_of(view)->metrics, sizeof(struct metric_row), row->metric_count, row->metrics});

static const struct view_field set_fields[] = {
    {.id = "set", VIEW_IN(struct set_row, info, name)},
    {.id = "definition", VIEW_IN(struct set_row, info, words)},
    {.id = "passes", .type = VIEW_TYPE_WHOLE, .get = passes_cell, .key = PASSES},
    {.id = "added", .type = VIEW_TYPE_WHOLE, .get = passes_cell, .key = MORE_PASSES, .for_people = true},
    {.id = "metrics", .type = VIEW_TYPE_LIST, .record = &metric_record, .get = set_metrics_cell, .for_people = true},
};
static const struct view_block set_blocks[] = {
    {.kind = VIEW_BLOCK_SENTENCE, .text = "{definition}"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "metrics", .label_field = "id",
     .text = "[NOT AVAILABLE: {lacking}. ]{label} ({unit}). {definition}[ = {formula_there}]"},
};
static const struct view_record set_record = {
    .id = "set", .title = "Set {set}[: {added more pass|more passes}]", VIEW_FIELDS(set_fields), VIEW_BLOCKS(set_blocks)};

VIEW_CELL(sets_cell, struct metric_list, VIEW_ROWS(row->sets, RL_SET_COUNT));
VIEW_CELL(metrics_cell, struct metric_list, VIEW_ROWS(row->metrics, RL_METRIC_COUNT));

/* How many metrics the chip has. */
VIEW_CELL_IF(given_cell, struct metric_list, !row->unknown, RL_SUM(size_t, i, RL_METRIC_COUNT, row->metrics[i].there));

static const struct view_field list_fields[] = {
    {.id = "chip", VIEW_AT(struct metric_list, chip)},
    {.id = "passes", .type = VIEW_TYPE_WHOLE, .get = passes_cell, .key = PASSES},
    {.id = "reason", VIEW_AT(struct metric_list, unknown)},
    {.id = "given", .type = VIEW_TYPE_WHOLE, .get = given_cell, .for_people = true},
    {.id = "sets", VIEW_GET_LIST(&set_record, sets_cell)},
    {.id = "metrics", VIEW_GET_LIST(&metric_record, metrics_cell)},
};
static const struct view_block list_blocks[] = {{.kind = VIEW_BLOCK_EACH, .field = "sets"}};
/* clang-format on */
const struct view_record list_metrics = {
    .id = "metrics",
    .title = "[{chip}: unknown here which are available: {reason}]"
             "[{chip}: {given} of {metrics metric|metrics} available, the default ones in {passes pass|passes}]",
    VIEW_FIELDS(list_fields),
    VIEW_BLOCKS(list_blocks)};

static enum rl_status unknown_chip(const char *name, struct rl_err *err)
{
    const struct rl_card_info *card = rl_card_find(name);
    const char **known = rl_calloc(rl_chip_count, sizeof *known);
    char *upper = rl_strdup(name);
    for (char *c = upper; *c; c++)
        *c = (char)toupper((unsigned char)*c);
    for (size_t i = 0; i < rl_chip_count; i++)
        known[i] = rl_chips[i].name;
    const char *nearest = rl_suggest_nearest(upper, known, rl_chip_count);
    if (card)
        rl_err_set(err, RL_USAGE, "'%s' is a GPU, not a chip: the chip on it is %s", name, card->chip);
    else
        rl_err_set(err, RL_USAGE, "unknown chip '%s': %s%s%s'rooflight list chips' shows all", name,
                   nearest ? "did you mean '" : "", nearest ? nearest : "", nearest ? "'? " : "");
    RL_FREE(upper, known);
    return RL_USAGE;
}

enum rl_status list_metrics_ask(const char *name, struct rl_arena *arena, const void **row, struct rl_err *err)
{
    const struct rl_chip *chip = NULL;
    for (size_t i = 0; name && i < rl_chip_count && !chip; i++)
        chip = strcasecmp(rl_chips[i].name, name) == 0 ? &rl_chips[i] : NULL;
    if (name && !chip)
        return unknown_chip(name, err);
    struct asked asked;
    ask(&asked, chip ? chip->name : NULL, arena);
    struct metric_list *list = rl_arena_alloc(arena, sizeof *list);
    list->chip = asked.chip;
    list->unknown = asked.unknown;
    for (int set = 0; set < RL_SET_COUNT; set++) {
        size_t *metrics = rl_arena_alloc(arena, RL_METRIC_COUNT * sizeof *metrics), count = 0;
        for (size_t i = 0; i < RL_METRIC_COUNT; i++)
            if (rl_metrics[i].set == (enum rl_metric_set)set)
                metrics[count++] = i;
        list->sets[set] = (struct set_row){&rl_sets[set], asked.sets[set].passes, metrics, count};
    }
    for (int i = 0; i < RL_METRIC_COUNT; i++) {
        const struct rl_metric_info *info = &rl_metrics[i];
        /* Present: available. Otherwise the reason. */
        const enum rl_metric metric = (enum rl_metric)i;
        struct rl_value value = metric_value(&asked, metric);
        const struct rl_value available = value.state == RL_UNDEFINED ? rl_value_of(1) : value;
        const char *reason = rl_present(available) ? NULL : rl_value_reason(available);
        list->metrics[i] = (struct metric_row){.info = info,
                                               .set = rl_sets[info->set].name,
                                               .unit = rl_unit_json(info->unit),
                                               .there = !reason,
                                               .reason = reason,
                                               .lacking = asked.unknown ? NULL : reason,
                                               .formula_there = asked.chip ? info->formula : NULL,
                                               .counters = rl_arena_alloc(arena, RL_NAME_COUNT * sizeof(char *))};
        add_counters(&asked, (enum rl_metric)i, &list->metrics[i]);
    }
    for (int set = 0; set < RL_SET_COUNT; set++)
        rl_plan_release(&asked.sets[set].plan);
    for (int i = 0; i < RL_METRIC_COUNT; i++)
        rl_formula_free(asked.formula[i]);
    *row = list;
    return RL_OK;
}
