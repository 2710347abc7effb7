/* list_metrics.c - the metrics, and which of them a chip can give.
 *
 * A metric is available when its formula has a value with every counter that the chip has set to one: so "a else b", metrics made
 * of metrics and constants are judged by the evaluator that computes them, not by a second opinion here. */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/analysis.h"
#include "analysis/cards.h"
#include "analysis/plan.h"
#include "core/arena.h"
#include "core/formula.h"
#include "core/json.h"
#include "core/mem.h"
#include "core/suggest.h"
#include "list.h"
#include "parts.h"
#include "plans.h"

enum { MOST_NEEDS = 8 };

/* Passes of one set on the chip: the plan for it with the default one. */
struct asked_set {
    struct rl_plan plan;
    bool *available[RL_PLAN_MOST]; /* like the plan's counters */
    size_t passes;                 /* besides those of the default */
};

struct asked {
    struct rl_arena arena;
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
        const struct rl_plan_configuration *from = &of->plan.configurations[i];
        const struct rl_collect_configuration wanted = cli_configuration(from);
        struct rl_schedule schedule = {0};
        if (from->when)
            continue;
        status = cli_collector->cupti_schedule(asked->chip, &wanted, &schedule, err);
        if (status == RL_OK) {
            of->available[i] = rl_arena_alloc(&asked->arena, from->counter_count * sizeof(bool));
            memcpy(of->available[i], schedule.available, from->counter_count * sizeof(bool));
            of->passes += schedule.passes;
        }
        cli_collector->schedule_release(&schedule);
    }
    if (set != RL_SET_CORE)
        of->passes -= asked->sets[RL_SET_CORE].passes;
    return status;
}

static void ask(struct asked *asked, const char *chip)
{
    *asked = (struct asked){.arena = RL_ARENA_INIT, .chip = chip};
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
        asked->unknown = rl_arena_strdup(&asked->arena, err.text);
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
        char *id = rl_strndup(needs, len);
        assert(count < MOST_NEEDS);
        metrics[count++] = rl_metric_find(id);
        free(id);
        needs += len;
    }
    return count;
}

/* Whether the plan of a set has the counter and the chip gives it; *planned stays when the plan does not have it. */
static bool is_given(const struct asked_set *set, const char *name, bool *planned)
{
    for (size_t i = 0; i < set->plan.configuration_count; i++) {
        const struct rl_plan_configuration *configuration = &set->plan.configurations[i];
        for (size_t j = 0; set->available[i] && j < configuration->counter_count; j++) {
            if (strcmp(configuration->counters[j], name) == 0) {
                *planned = true;
                return set->available[i][j];
            }
        }
    }
    return false;
}

static struct rl_value counter_value(struct asked *asked, const char *name)
{
    bool planned = false;
    if (asked->unknown)
        return rl_value_missing(RL_NOT_COLLECTED, asked->unknown);
    for (int set = 0; set < RL_SET_COUNT; set++)
        if (is_given(&asked->sets[set], name, &planned))
            return rl_value_of(1);
    const char *lacks = rl_chip_lacks(rl_chip_find(asked->chip), name);
    const char *reason = planned ? rl_arena_printf(&asked->arena, "%s has no %s", asked->chip, name)
                         : lacks ? rl_arena_printf(&asked->arena, "%s: %s", name, lacks)
                                 : NULL;
    return rl_value_missing(RL_NOT_ON_CHIP, reason);
}

static struct rl_value name_value(void *context, const char *name);

static struct rl_value metric_value(struct asked *asked, enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    return rl_formula_eval(asked->formula[metric], name_value, asked, NULL);
}

/* A name of names.def is there when the metrics are that it is made of. What is known of a launch or a card always is. */
static struct rl_value name_value(void *context, const char *name)
{
    struct asked *asked = context;
    enum rl_metric metrics[MOST_NEEDS];
    enum rl_metric metric = rl_metric_find(name);
    if (rl_names_counter(name))
        return counter_value(asked, name);
    if (metric != RL_METRIC_COUNT)
        return metric_value(asked, metric);
    struct rl_value value = rl_value_of(1);
    size_t count = needs_of(name, metrics);
    for (size_t i = 0; rl_present(value) && i < count; i++)
        value = metric_value(asked, metrics[i]);
    return value;
}

/* Present: available. Otherwise the reason. */
static struct rl_value availability(struct asked *asked, enum rl_metric metric)
{
    struct rl_value value = metric_value(asked, metric);
    return rl_value_state(value) == RL_UNDEFINED ? rl_value_of(1) : value;
}

/* Distinct names in the order in which they were found. */
struct names {
    const char **list;
    size_t count, cap;
};

static void add_name(struct names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->list[i], name) == 0)
            return;
    }
    RL_GROW(names->list, names->count + 1, names->cap);
    names->list[names->count++] = name;
}

/* The counters that a metric needs, directly or through other metrics. */
static void add_counters(const struct asked *asked, enum rl_metric metric, struct names *counters)
{
    assert(metric < RL_METRIC_COUNT);
    const char *const *names;
    size_t name_count = rl_formula_names(asked->formula[metric], &names);
    for (size_t i = 0; i < name_count; i++) {
        enum rl_metric other = rl_metric_find(names[i]), needs[MOST_NEEDS];
        size_t need_count = needs_of(names[i], needs);
        if (rl_names_counter(names[i]))
            add_name(counters, names[i]);
        else if (other != RL_METRIC_COUNT)
            add_counters(asked, other, counters);
        for (size_t j = 0; j < need_count; j++)
            add_counters(asked, needs[j], counters);
    }
}

/* ---- output ---- */

static void write_metric(struct rl_json *json, struct asked *asked, enum rl_metric metric)
{
    assert(metric < RL_METRIC_COUNT);
    const struct rl_metric_info *info = &rl_metrics[metric];
    struct rl_value available = availability(asked, metric);
    struct names counters = {0};
    add_counters(asked, metric, &counters);
    rl_json_object(json, NULL);
    rl_json_string(json, "id", info->id);
    rl_json_string(json, "label", info->label);
    rl_json_string(json, "set", rl_sets[info->set].name);
    rl_json_string(json, "unit", rl_unit_json(info->unit));
    rl_json_string(json, "definition", info->definition);
    rl_json_string(json, "formula", info->formula);
    rl_json_array(json, "counters");
    for (size_t i = 0; i < counters.count; i++)
        rl_json_string(json, NULL, counters.list[i]);
    rl_json_end(json);
    if (rl_present(available) || !asked->unknown)
        rl_json_bool(json, "available", rl_present(available));
    else
        rl_json_null(json, "available");
    rl_json_string(json, "reason", rl_present(available) ? NULL : rl_value_reason(available));
    rl_json_end(json);
    free(counters.list);
}

static void write_passes(struct rl_json *json, const struct asked *asked, enum rl_metric_set set)
{
    if (asked->unknown)
        rl_json_null(json, "passes");
    else
        rl_json_uint(json, "passes", asked->sets[set].passes);
}

static void write_metrics(struct asked *asked, struct rl_buf *out)
{
    struct rl_json json;
    rl_json_init(&json, out, RL_JSON_INDENTED);
    rl_json_object(&json, NULL);
    rl_json_string(&json, "chip", asked->chip);
    write_passes(&json, asked, RL_SET_CORE);
    rl_json_string(&json, "reason", asked->unknown);
    rl_json_array(&json, "sets");
    for (int i = 0; i < RL_SET_COUNT; i++) {
        rl_json_object(&json, NULL);
        rl_json_string(&json, "set", rl_sets[i].name);
        rl_json_string(&json, "definition", rl_sets[i].words);
        write_passes(&json, asked, (enum rl_metric_set)i);
        rl_json_end(&json);
    }
    rl_json_end(&json);
    rl_json_array(&json, "metrics");
    for (int i = 0; i < RL_METRIC_COUNT; i++)
        write_metric(&json, asked, (enum rl_metric)i);
    rl_json_end(&json);
    rl_json_end(&json);
    assert(rl_json_done(&json));
}

/* With a chip named also the counters and the formula that make the metric there. */
static void print_metric(struct asked *asked, enum rl_metric metric, size_t width, struct cli_doc *doc)
{
    assert(metric < RL_METRIC_COUNT);
    const struct rl_metric_info *info = &rl_metrics[metric];
    struct rl_value available = availability(asked, metric);
    struct rl_buf text = RL_BUF_INIT;
    if (!asked->unknown && !rl_present(available))
        rl_buf_addf(&text, "NOT AVAILABLE: %s. ", rl_value_reason(available));
    rl_buf_addf(&text, "%s (%s). %s", info->label, rl_unit_json(info->unit), info->definition);
    if (asked->chip)
        rl_buf_addf(&text, " = %s", info->formula);
    cli_doc_item(doc, info->id, width, text.data);
    rl_buf_release(&text);
}

static void print_metrics(struct asked *asked, struct cli_doc *doc)
{
    size_t width = 0, available = 0;
    struct rl_buf text = RL_BUF_INIT;
    for (int i = 0; i < RL_METRIC_COUNT; i++) {
        width = strlen(rl_metrics[i].id) > width ? strlen(rl_metrics[i].id) : width;
        available += rl_present(availability(asked, (enum rl_metric)i));
    }
    if (asked->chip && asked->unknown)
        rl_buf_addf(&text, "%s: unknown here which are available: %s", asked->chip, asked->unknown);
    else if (asked->chip)
        rl_buf_addf(&text, "%s: %zu of %d metrics available, the default ones in %zu passes", asked->chip, available,
                    (int)RL_METRIC_COUNT, asked->sets[RL_SET_CORE].passes);
    if (asked->chip)
        cli_doc_title(doc, text.data);
    for (int set = 0; set < RL_SET_COUNT; set++) {
        const size_t passes = asked->sets[set].passes;
        rl_buf_reset(&text);
        rl_buf_addf(&text, "Set %s", rl_sets[set].name);
        if (!asked->unknown && set != RL_SET_CORE)
            rl_buf_addf(&text, ": %zu more %s", passes, passes == 1 ? "pass" : "passes");
        cli_doc_heading(doc, text.data);
        cli_doc_item(doc, "", 0, rl_sets[set].words);
        for (int i = 0; i < RL_METRIC_COUNT; i++)
            if ((int)rl_metrics[i].set == set)
                print_metric(asked, (enum rl_metric)i, width, doc);
    }
    rl_buf_release(&text);
}

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
        rl_err_set(err, RL_USAGE, "'%s' is a card, not a chip: the chip on it is %s", name, card->chip);
    else
        rl_err_set(err, RL_USAGE, "unknown chip '%s': %s%s%s'rooflight list chips' shows all", name,
                   nearest ? "did you mean '" : "", nearest ? nearest : "", nearest ? "'? " : "");
    free(upper);
    free(known);
    return RL_USAGE;
}

enum rl_status list_metrics(const char *name, struct cli_doc *doc, bool json, struct rl_err *err)
{
    const struct rl_chip *chip = NULL;
    for (size_t i = 0; name && i < rl_chip_count && !chip; i++)
        chip = strcasecmp(rl_chips[i].name, name) == 0 ? &rl_chips[i] : NULL;
    if (name && !chip)
        return unknown_chip(name, err);
    struct asked asked;
    ask(&asked, chip ? chip->name : NULL);
    if (json)
        write_metrics(&asked, doc->out);
    else
        print_metrics(&asked, doc);
    for (int i = 0; i < RL_METRIC_COUNT; i++)
        rl_formula_free(asked.formula[i]);
    for (int set = 0; set < RL_SET_COUNT; set++)
        rl_plan_release(&asked.sets[set].plan);
    rl_arena_release(&asked.arena);
    return RL_OK;
}
