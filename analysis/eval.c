#include "eval.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"

enum kind { COUNTER, METRIC, NAME, FACT, COLUMN, UNKNOWN };
enum progress { OPEN, BUSY, DONE };

struct rl_symbol {
    const char *name; /* of a formula or a table */
    enum kind kind;
    size_t index; /* metric, name, fact or column */
    enum progress progress;
    struct rl_value value; /* of the subject, when DONE */
    size_t pass;           /* counters: where the value is from; RL_NONE: unknown */
    const struct rl_chip *chip; /* counters: that `lacks` is about; NULL: none yet */
    const char *lacks;          /* rl_chip_lacks */
};

/* ---- the tables ---- */

static struct rl_formula *parse(const char *text)
{
    struct rl_formula *formula = NULL;
    struct rl_err err = RL_ERR_INIT;
    enum rl_status status = rl_formula_parse(text, &formula, &err);

    assert(status == RL_OK); /* rows are ours, and tested */
    (void)status;
    return formula;
}

/* `text`: "formula > number", `len` bytes of it. */
static struct rl_condition parse_condition(const char *text, size_t len)
{
    const size_t at = strcspn(text, "<>");
    char *formula = rl_strndup(text, at);
    struct rl_condition condition = {.relation = text[at] == '>' ? RL_ABOVE : RL_BELOW};
    bool ok = at + 2 < len && rl_number_parse(text + at + 2, len - at - 2, &condition.number);

    assert(ok);
    (void)ok;
    condition.formula = parse(formula);
    free(formula);
    return condition;
}

static void parse_when(struct rl_formulas *formulas, size_t rule)
{
    for (const char *p = rl_rules[rule].when; *p;) {
        const size_t len = strcspn(p, ";");
        assert(formulas->when_count[rule] < RL_MAX_CONDITIONS);
        formulas->when[rule][formulas->when_count[rule]++] = parse_condition(p, len);
        p += len + strspn(p + len, "; ");
    }
}

void rl_formulas_parse(struct rl_formulas *formulas)
{
    *formulas = (struct rl_formulas){0};
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        formulas->metric[i] = parse(rl_metrics[i].formula);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        formulas->ceiling[i] = parse(rl_ceilings[i].formula);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        formulas->fallback[i] = rl_ceilings[i].fallback ? parse(rl_ceilings[i].fallback) : NULL;
    for (size_t i = 0; i < RL_RULE_COUNT; i++) {
        formulas->rule[i] = parse(rl_rules[i].value);
        formulas->gain[i] = rl_rules[i].gain ? parse(rl_rules[i].gain) : NULL;
        parse_when(formulas, i);
    }
}

void rl_formulas_free(struct rl_formulas *formulas)
{
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        rl_formula_free(formulas->metric[i]);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        rl_formula_free(formulas->ceiling[i]);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        rl_formula_free(formulas->fallback[i]);
    for (size_t i = 0; i < RL_RULE_COUNT; i++) {
        rl_formula_free(formulas->rule[i]);
        rl_formula_free(formulas->gain[i]);
        for (size_t j = 0; j < formulas->when_count[i]; j++)
            rl_formula_free(formulas->when[i][j].formula);
    }
}

/* ---- symbols ---- */

static const struct column {
    const char *name;
    bool of_rates; /* of rates.def, else of chips.def */
    size_t offset;
} columns[] = {
    {"chip_fp64_per_sm", false, offsetof(struct rl_chip, fp64_per_sm)},
    {"chip_fp32_per_sm", false, offsetof(struct rl_chip, fp32_per_sm)},
    {"chip_schedulers_per_sm", false, offsetof(struct rl_chip, schedulers_per_sm)},
    {"chip_fp16_flop_per_sm_cycle", true, offsetof(struct rl_rates, fp16)},
    {"chip_bf16_flop_per_sm_cycle", true, offsetof(struct rl_rates, bf16)},
    {"chip_tensor_fp16_flop_per_sm_cycle", false, offsetof(struct rl_chip, tensor_fp16_flop_per_sm_cycle)},
    {"chip_tensor_bf16_flop_per_sm_cycle", true, offsetof(struct rl_rates, tensor_bf16)},
    {"chip_tensor_tf32_flop_per_sm_cycle", true, offsetof(struct rl_rates, tensor_tf32)},
    {"chip_tensor_fp64_flop_per_sm_cycle", true, offsetof(struct rl_rates, tensor_fp64)},
    {"chip_tensor_fp8_flop_per_sm_cycle", true, offsetof(struct rl_rates, tensor_fp8)},
    {"chip_tensor_int8_flop_per_sm_cycle", true, offsetof(struct rl_rates, tensor_int8)},
};

static size_t find_name(const char *name)
{
    size_t i = 0;

    while (i < RL_NAME_COUNT && strcmp(rl_names[i].id, name) != 0)
        i++;
    return i;
}

/* Facts are named "gpu_" and their id. */
static size_t find_fact(const char *name)
{
    size_t i = 0;

    if (strncmp(name, "gpu_", 4) != 0)
        return RL_FACT_COUNT;
    while (i < RL_FACT_COUNT && strcmp(rl_facts[i].id, name + 4) != 0)
        i++;
    return i;
}

static size_t find_column(const char *name)
{
    size_t i = 0;

    while (i < RL_COUNT(columns) && strcmp(columns[i].name, name) != 0)
        i++;
    return i;
}

static struct rl_symbol resolve(const char *name)
{
    const size_t metric = rl_metric_find(name), other = find_name(name), fact = find_fact(name), column = find_column(name);

    if (rl_names_counter(name))
        return (struct rl_symbol){.name = name, .kind = COUNTER};
    if (metric < RL_METRIC_COUNT)
        return (struct rl_symbol){.name = name, .kind = METRIC, .index = metric};
    if (other < RL_NAME_COUNT)
        return (struct rl_symbol){.name = name, .kind = NAME, .index = other};
    if (fact < RL_FACT_COUNT)
        return (struct rl_symbol){.name = name, .kind = FACT, .index = fact};
    if (column < RL_COUNT(columns))
        return (struct rl_symbol){.name = name, .kind = COLUMN, .index = column};
    return (struct rl_symbol){.name = name, .kind = UNKNOWN};
}

static int by_name(const void *a, const void *b)
{
    const struct rl_symbol *x = a, *y = b;

    return strcmp(x->name, y->name);
}

/* Names of formulas and of counters stand at the same few addresses all the time: what was found for one is looked at first. */
static struct rl_symbol *find_symbol(struct rl_eval *eval, const char *name)
{
    const struct rl_symbol key = {.name = name};
    struct rl_symbol **recent = &eval->recent[((uintptr_t)name >> 2) % RL_COUNT(eval->recent)];

    if (*recent && strcmp((*recent)->name, name) == 0)
        return *recent;
    struct rl_symbol *found = bsearch(&key, eval->symbols, eval->symbol_count, sizeof key, by_name);
    *recent = found ? found : *recent;
    return found;
}

struct symbol_list {
    struct rl_symbol *symbols;
    size_t count, cap;
};

static void add_symbol(struct symbol_list *list, const char *name)
{
    RL_GROW(list->symbols, list->count + 1, list->cap);
    list->symbols[list->count++] = resolve(name);
    assert(list->symbols[list->count - 1].kind != UNKNOWN);
}

static void add_names_of(struct symbol_list *list, const struct rl_formula *formula)
{
    const char *const *names;
    const size_t count = formula ? rl_formula_names(formula, &names) : 0;

    for (size_t i = 0; i < count; i++)
        add_symbol(list, names[i]);
}

static void add_all_names(struct symbol_list *list, const struct rl_formulas *formulas)
{
    for (size_t i = 0; i < RL_METRIC_COUNT; i++) {
        add_symbol(list, rl_metrics[i].id);
        add_names_of(list, formulas->metric[i]);
    }
    for (size_t i = 0; i < RL_NAME_COUNT; i++)
        add_symbol(list, rl_names[i].id);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        add_names_of(list, formulas->ceiling[i]);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        add_names_of(list, formulas->fallback[i]);
    for (size_t i = 0; i < RL_RULE_COUNT; i++) {
        add_names_of(list, formulas->rule[i]);
        add_names_of(list, formulas->gain[i]);
        for (size_t j = 0; j < formulas->when_count[i]; j++)
            add_names_of(list, formulas->when[i][j].formula);
    }
}

static void make_symbols(struct rl_eval *eval)
{
    struct symbol_list list = {0};
    size_t kept = 0;

    add_all_names(&list, &eval->formulas);
    qsort(list.symbols, list.count, sizeof *list.symbols, by_name);
    for (size_t i = 0; i < list.count; i++)
        if (kept == 0 || by_name(&list.symbols[kept - 1], &list.symbols[i]) != 0)
            list.symbols[kept++] = list.symbols[i];
    eval->symbols = list.symbols;
    eval->symbol_count = kept;
}

void rl_eval_init(struct rl_eval *eval, const struct rl_analysis *analysis)
{
    *eval = (struct rl_eval){.capture = analysis->capture, .analysis = analysis, .gpu = RL_NONE, .kernel = RL_NONE};
    rl_formulas_parse(&eval->formulas);
    make_symbols(eval);
}

void rl_eval_release(struct rl_eval *eval)
{
    free(eval->symbols);
    rl_formulas_free(&eval->formulas);
}

/* ---- the subject ---- */

/* Holds a counter that was read again against what was read first. */
static void compare(struct rl_eval *eval, const struct rl_symbol *symbol, const struct rl_counter *again)
{
    const double first = symbol->value.v, other = again->value.v, most = fmax(fabs(first), fabs(other));
    const double spread = most > 0 ? fabs(first - other) / most : 0;

    if (symbol->pass == RL_NONE || again->pass == RL_NONE || !rl_present(again->value))
        return;
    if (!eval->repeated.name || spread > eval->repeated.spread)
        eval->repeated = (struct rl_repeated){symbol->name, first, other, spread};
}

/* A counter that was stored twice counts once: the first value that is there. */
static void load_counter(struct rl_eval *eval, const struct rl_counter *counter, enum kind kind)
{
    struct rl_symbol *symbol = find_symbol(eval, counter->name);

    if (!symbol || symbol->kind != kind)
        return;
    if (symbol->progress == DONE && rl_present(symbol->value)) {
        if (kind == COUNTER)
            compare(eval, symbol, counter);
        return;
    }
    symbol->value = rl_present(counter->value) ? rl_value_of(counter->value.v) : counter->value;
    symbol->pass = counter->pass;
    symbol->progress = DONE;
}

static void load_kernel(struct rl_eval *eval, const struct rl_kernel *kernel)
{
    for (size_t i = 0; i < kernel->counter_count; i++) {
        const struct rl_counter *counter = &kernel->counters[i];
        if (counter->kind == RL_COUNTER)
            load_counter(eval, counter, COUNTER);
        else if (counter->kind == RL_METRIC_VALUE)
            load_counter(eval, counter, METRIC);
    }
}

void rl_eval_focus(struct rl_eval *eval, size_t gpu, size_t kernel)
{
    assert(kernel == RL_NONE || kernel < eval->capture->kernel_count);
    assert(kernel != RL_NONE || gpu == RL_NONE || gpu < eval->capture->gpu_count);
    eval->kernel = kernel;
    const size_t before = eval->gpu;
    eval->gpu = kernel == RL_NONE ? gpu : eval->capture->kernels[kernel].gpu;
    if (eval->gpu != before) {
        eval->chip = eval->gpu == RL_NONE ? NULL : rl_chip_find(eval->capture->gpus[eval->gpu].chip);
        eval->card = eval->gpu == RL_NONE ? NULL : rl_card_find(eval->capture->gpus[eval->gpu].name);
    }
    for (size_t i = 0; i < eval->symbol_count; i++)
        eval->symbols[i].progress = OPEN;
    eval->repeated = (struct rl_repeated){0};
    if (kernel != RL_NONE)
        load_kernel(eval, &eval->capture->kernels[kernel]);
}

void rl_eval_assume(struct rl_eval *eval, const char *name, struct rl_value value)
{
    struct rl_symbol *symbol = find_symbol(eval, name);

    assert(symbol);
    symbol->value = value;
    symbol->progress = DONE;
}

/* ---- values ---- */

static struct rl_value fact_value(const struct rl_eval *eval, size_t fact)
{
    const struct rl_gpu *gpu = eval->gpu == RL_NONE ? NULL : &eval->capture->gpus[eval->gpu];

    if (!gpu)
        return rl_value_missing(RL_NOT_COLLECTED, NULL);
    if (!rl_present(gpu->fact[fact]) && fact == RL_FACT_warp_size) {
        const struct rl_sm_limits *limits = rl_sm_limits_of(gpu->cc_major * 10 + gpu->cc_minor);
        if (limits)
            return rl_value_of(limits->warp_size);
    }
    return gpu->fact[fact];
}

static struct rl_value column_value(const struct rl_eval *eval, size_t column)
{
    const void *row = columns[column].of_rates && eval->chip ? (const void *)rl_rates_find(eval->chip->name) : eval->chip;
    int number;

    if (!row)
        return rl_value_missing(RL_NOT_COLLECTED, "chip not known");
    memcpy(&number, (const char *)row + columns[column].offset, sizeof number);
    return number ? rl_value_of(number) : rl_value_missing(RL_NOT_ON_CHIP, NULL);
}

static struct rl_value symbol_value(struct rl_eval *eval, const struct rl_symbol *symbol)
{
    if (symbol->kind == METRIC && eval->kernel != RL_NONE)
        return rl_eval_formula(eval, eval->formulas.metric[symbol->index], rl_metrics[symbol->index].zero_reason);
    if (symbol->kind == NAME)
        return rl_name_value(eval, (enum rl_name)symbol->index);
    if (symbol->kind == FACT)
        return fact_value(eval, symbol->index);
    if (symbol->kind == COLUMN)
        return column_value(eval, symbol->index);
    return rl_value_missing(RL_NOT_COLLECTED, NULL);
}

/* A counter that the chip lacks, or that would need a pass of its own there, is missing for that reason whatever the capture says.
 */
static struct rl_value with_chip(const struct rl_eval *eval, struct rl_symbol *symbol, struct rl_value value)
{
    if (symbol->kind != COUNTER || rl_present(value) || !eval->chip)
        return value;
    if (symbol->chip != eval->chip)
        symbol->lacks = rl_chip_lacks(eval->chip, symbol->name);
    symbol->chip = eval->chip;
    return symbol->lacks ? rl_value_missing(RL_NOT_ON_CHIP, symbol->lacks) : value;
}

struct rl_value rl_eval_name(struct rl_eval *eval, const char *name)
{
    struct rl_symbol *symbol = find_symbol(eval, name);

    assert(symbol && symbol->progress != BUSY); /* rows name what exists, and no row needs itself: tested */
    if (symbol->progress == DONE)
        return with_chip(eval, symbol, symbol->value);
    symbol->progress = BUSY;
    symbol->value = symbol_value(eval, symbol);
    symbol->progress = DONE;
    return with_chip(eval, symbol, symbol->value);
}

static struct rl_value lookup(void *context, const char *name)
{
    return rl_eval_name(context, name);
}

struct rl_value rl_eval_formula(struct rl_eval *eval, const struct rl_formula *formula, const char *zero_reason)
{
    return rl_formula_eval(formula, lookup, eval, zero_reason);
}

/* ---- passes ---- */

/* Follows the formula's names down to counters; `*pass` is the pass of the first one. */
static bool mixes(struct rl_eval *eval, const struct rl_formula *formula, size_t *pass)
{
    const char *const *names;
    const size_t count = rl_formula_names(formula, &names);
    bool mixed = false;

    for (size_t i = 0; i < count && !mixed; i++) {
        const struct rl_symbol *symbol = find_symbol(eval, names[i]);
        if (symbol->kind == METRIC)
            mixed = mixes(eval, eval->formulas.metric[symbol->index], pass);
        if (symbol->kind != COUNTER || symbol->progress != DONE || !rl_present(symbol->value) || symbol->pass == RL_NONE)
            continue;
        mixed = mixed || (*pass != RL_NONE && *pass != symbol->pass);
        *pass = symbol->pass;
    }
    return mixed;
}

bool rl_eval_mixes_passes(struct rl_eval *eval, const struct rl_formula *formula)
{
    size_t pass = RL_NONE;

    return mixes(eval, formula, &pass);
}

static void find_inputs(struct rl_eval *eval, const struct rl_formula *formula, bool *time, bool *counters)
{
    const char *const *names;
    const size_t count = rl_formula_names(formula, &names);

    for (size_t i = 0; i < count; i++) {
        const struct rl_symbol *symbol = find_symbol(eval, names[i]);
        if (symbol->kind == METRIC)
            find_inputs(eval, eval->formulas.metric[symbol->index], time, counters);
        *counters |= symbol->kind == COUNTER;
        *time |= strcmp(names[i], "time_s") == 0;
    }
}

bool rl_eval_mixes_times(struct rl_eval *eval, const struct rl_formula *formula)
{
    bool time = false, counters = false;

    find_inputs(eval, formula, &time, &counters);
    return time && counters;
}

enum rl_unit rl_eval_unit(const char *name)
{
    const struct rl_symbol symbol = resolve(name);

    return symbol.kind == METRIC ? rl_metrics[symbol.index].unit
           : symbol.kind == NAME ? rl_names[symbol.index].unit
           : symbol.kind == FACT ? rl_facts[symbol.index].unit
                                 : RL_UNIT_NONE;
}
