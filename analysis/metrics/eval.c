#include "eval.h"

#include <stdalign.h>

#include "analysis/sampled.h"

enum kind { COUNTER, METRIC, NAME, FACT, COLUMN, UNKNOWN };

struct rl_symbol {
    const char *name; /* of a formula or a table */
    enum kind kind;
    bool busy;        /* it is being evaluated */
    bool varies;      /* the value is of the subject; otherwise all kernels of a GPU have the same one */
    size_t index;     /* metric, name, fact or column */
    uint64_t subject; /* which one the value is of: the number of the last one that it holds for, 0: of none */
    struct rl_value value;
    size_t pass;                /* counters: where the value is from; RL_NONE: unknown */
    bool asked;                 /* counters: what lacks it is known, */
    const struct rl_chip *chip; /* of this chip: rl_chip_lacks, else rl_cupti_lacks */
    const char *lacks;
};

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

static struct rl_symbol resolve(const char *name)
{
    size_t found;
    if (rl_names_counter(name))
        return (struct rl_symbol){.name = name, .kind = COUNTER};
    if ((found = rl_metric_find(name)) < RL_METRIC_COUNT)
        return (struct rl_symbol){.name = name, .kind = METRIC, .index = found};
    if ((found = RL_FIRST(i, RL_NAME_COUNT, strcmp(rl_names[i].id, name) == 0)) < RL_NAME_COUNT)
        return (struct rl_symbol){.name = name, .kind = NAME, .index = found};
    if ((found = find_fact(name)) < RL_FACT_COUNT)
        return (struct rl_symbol){.name = name, .kind = FACT, .index = found};
    if ((found = RL_FIRST(i, RL_COUNT(columns), strcmp(columns[i].name, name) == 0)) < RL_COUNT(columns))
        return (struct rl_symbol){.name = name, .kind = COLUMN, .index = found};
    return (struct rl_symbol){.name = name, .kind = UNKNOWN};
}

RL_COMPARATOR(by_name, struct rl_symbol, strcmp(x->name, y->name));

static struct rl_symbol *find_symbol(const struct rl_eval *eval, const char *name)
{
    const struct rl_symbol key = {.name = name};
    return bsearch(&key, eval->symbols, eval->symbol_count, sizeof key, by_name);
}

/* Of a name that stays where it is as long as `eval` is used: what was found for an address is found there again. */
static struct rl_symbol *find_counter(struct rl_eval *eval, const char *name)
{
    struct rl_recent *recent = &eval->recent[(uintptr_t)name / alignof(max_align_t) % RL_COUNT(eval->recent)];
    if (recent->name != name)
        *recent = (struct rl_recent){name, find_symbol(eval, rl_counter_of_hardware(name))};
    return recent->symbol;
}

struct symbol_list {
    struct rl_symbol *symbols;
    size_t count, cap;
};

static void add_symbol(struct symbol_list *list, const char *name)
{
    RL_APPEND(list->symbols, list->count, list->cap, resolve(name));
    assert(list->symbols[list->count - 1].kind != UNKNOWN);
}

static void add_names_of(void *context, struct rl_formula *formula)
{
    const char *const *names;
    const size_t count = rl_formula_names(formula, &names);
    for (size_t i = 0; i < count; i++)
        add_symbol(context, names[i]);
}

static size_t number_of(void *context, const char *name)
{
    struct rl_eval *eval = context;
    return (size_t)(find_symbol(eval, name) - eval->symbols);
}

static void bind(void *context, struct rl_formula *formula)
{
    rl_formula_bind(formula, number_of, context);
}

/* ---- what differs from kernel to kernel ---- */

static struct rl_symbol *symbol_of(struct rl_eval *eval, const struct rl_counter *counter)
{
    struct rl_symbol *symbol = counter->kind == RL_FOREIGN ? NULL : find_counter(eval, counter->name);
    const enum kind kind = counter->kind == RL_COUNTER ? COUNTER : METRIC;
    return symbol && symbol->kind == kind ? symbol : NULL;
}

/* Follows the names of metrics, which never lead back; `done` has one for each metric that was looked at. */
static void mark_metric(struct rl_eval *eval, struct rl_symbol *symbol, bool *done)
{
    const struct rl_formula *formula = eval->formulas.metric[symbol->index];
    const size_t *numbers, count = rl_formula_numbers(formula, &numbers);
    if (done[symbol->index])
        return;
    done[symbol->index] = true;
    for (size_t i = 0; i < count; i++) {
        struct rl_symbol *input = &eval->symbols[numbers[i]];
        if (input->kind == METRIC)
            mark_metric(eval, input, done);
        symbol->varies |= input->varies;
    }
}

/* ---- the whole ---- */

static const struct rl_eval_ask asks = {.metric = rl_eval_metric, .name = rl_eval_name, .counter = rl_eval_counter};

void rl_eval_init(struct rl_eval *eval, const struct rl_analysis *analysis)
{
    *eval = (struct rl_eval){.capture = analysis->capture, .analysis = analysis, .ask = &asks, .gpu = RL_NONE, .kernel = RL_NONE};
    rl_formulas_parse(&eval->formulas);
    struct symbol_list list = {0};
    size_t kept = 0;
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        add_symbol(&list, rl_metrics[i].id);
    for (size_t i = 0; i < RL_NAME_COUNT; i++)
        add_symbol(&list, rl_names[i].id);
    rl_formulas_each(&eval->formulas, add_names_of, &list);
    rl_sort(list.symbols, list.count, sizeof *list.symbols, by_name);
    for (size_t i = 0; i < list.count; i++)
        if (kept == 0 || by_name(&list.symbols[kept - 1], &list.symbols[i]) != 0)
            list.symbols[kept++] = list.symbols[i];
    eval->symbols = list.symbols;
    eval->symbol_count = kept;
    /* From here on formulas find values by the numbers of symbols. */
    rl_formulas_each(&eval->formulas, bind, eval);
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        eval->metric[i] = find_symbol(eval, rl_metrics[i].id);
    for (size_t i = 0; i < RL_NAME_COUNT; i++)
        eval->name[i] = find_symbol(eval, rl_names[i].id);
    bool done[RL_METRIC_COUNT] = {false};
    /* Counters that some kernel of the capture has vary by kernel. */
    for (size_t i = 0; i < eval->capture->kernel_count; i++)
        for (size_t k = 0; k < eval->capture->kernels[i].counter_count; k++) {
            struct rl_symbol *symbol = symbol_of(eval, &eval->capture->kernels[i].counters[k]);
            if (symbol)
                symbol->varies = true;
        }
    for (size_t i = 0; i < rl_sampled_as_count && eval->capture->sampled_count; i++)
        find_symbol(eval, rl_sampled_as[i].name)->varies = true;
    for (size_t i = 0; i < RL_TENSOR_COUNTERS; i++)
        find_symbol(eval, rl_tensor_counters[i])->varies = true;
    for (size_t i = 0; i < RL_NAME_COUNT; i++)
        eval->name[i]->varies = true;
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        mark_metric(eval, eval->metric[i], done);
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

static bool is_known(const struct rl_eval *eval, const struct rl_symbol *symbol)
{
    return symbol->subject >= eval->subject;
}

static void keep(struct rl_eval *eval, struct rl_symbol *symbol, struct rl_value value)
{
    symbol->value = value;
    symbol->subject = eval->subject;
}

/* A counter that chip or CUPTI lack, or that needs a separate pass, is missing for that reason whatever the capture says. */
static struct rl_value missing_counter(const struct rl_eval *eval, struct rl_symbol *symbol, struct rl_value value)
{
    if (!symbol->asked || symbol->chip != eval->chip)
        symbol->lacks = rl_chip_lacks(eval->chip, symbol->name) ?: rl_cupti_lacks(eval->capture->session.cupti, symbol->name);
    symbol->asked = true;
    symbol->chip = eval->chip;
    return symbol->lacks ? rl_value_missing(RL_NOT_ON_CHIP, symbol->lacks) : value;
}

/* A counter that was stored twice counts once: the first value that is there. */
static void load_counter(struct rl_eval *eval, struct rl_symbol *symbol, const struct rl_counter *counter)
{
    if (is_known(eval, symbol) && rl_present(symbol->value)) {
        if (symbol->kind == COUNTER)
            compare(eval, symbol, counter);
        return;
    }
    symbol->pass = counter->pass;
    if (rl_present(counter->value))
        keep(eval, symbol, rl_value_of(counter->value.v));
    else
        keep(eval, symbol, symbol->kind == COUNTER ? missing_counter(eval, symbol, counter->value) : counter->value);
}

static const struct rl_value *value_of(struct rl_eval *eval, struct rl_symbol *symbol);

/* Its instructions are counted only where its cycles have shown that there are any. */
static void note_idle_tensor_pipe(struct rl_eval *eval)
{
    static const char cycles_name[] = RL_TENSOR_CYCLES;
    const struct rl_value cycles = rl_eval_counter(eval, cycles_name);
    for (size_t i = 0; i < RL_TENSOR_COUNTERS && rl_present(cycles) && cycles.v == 0; i++) {
        struct rl_symbol *symbol = find_counter(eval, rl_tensor_counters[i]);
        if (value_of(eval, symbol)->state == RL_NOT_COLLECTED)
            keep(eval, symbol, rl_value_of(0));
    }
}

void rl_eval_focus(struct rl_eval *eval, size_t gpu, size_t kernel)
{
    assert(kernel == RL_NONE || kernel < eval->capture->kernel_count);
    assert(kernel != RL_NONE || gpu == RL_NONE || gpu < eval->capture->gpu_count);
    const size_t of_kernel = kernel == RL_NONE ? gpu : eval->capture->kernels[kernel].gpu;
    if (of_kernel != eval->gpu || (kernel == RL_NONE) != (eval->kernel == RL_NONE)) /* metrics are of kernels alone */
        eval->gpu = of_kernel;
    eval->chip = of_kernel == RL_NONE ? NULL : rl_chip_find(eval->capture->gpus[of_kernel].chip);
    eval->card = of_kernel == RL_NONE ? NULL : rl_card_find(eval->capture->gpus[of_kernel].name);
    for (size_t i = 0; i < eval->symbol_count; i++)
        eval->symbols[i].subject = 0;
    eval->kernel = kernel;
    eval->subject++;
    eval->repeated = (struct rl_repeated){0};
    if (kernel != RL_NONE) {
        for (size_t i = 0; i < eval->capture->kernels[kernel].counter_count; i++) {
            struct rl_symbol *symbol = symbol_of(eval, &eval->capture->kernels[kernel].counters[i]);
            if (symbol)
                load_counter(eval, symbol, &eval->capture->kernels[kernel].counters[i]);
        }
        note_idle_tensor_pipe(eval);
    }
}

void rl_eval_set_value(struct rl_eval *eval, enum rl_metric metric, struct rl_value value)
{
    keep(eval, eval->metric[metric], value);
}

void rl_eval_offer(struct rl_eval *eval, const char *name, struct rl_value value)
{
    struct rl_symbol *symbol = find_symbol(eval, name);
    assert(symbol && symbol->varies); /* rows name what exists: tested */
    if (is_known(eval, symbol) && rl_present(symbol->value))
        return;
    symbol->pass = RL_NONE;
    keep(eval, symbol, value);
}

/* ---- values ---- */

static struct rl_value evaluate(struct rl_eval *eval, struct rl_symbol *symbol)
{
    const struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, NULL);
    switch (symbol->kind) {
    case METRIC:
        return eval->kernel == RL_NONE
                   ? none
                   : rl_eval_formula(eval, eval->formulas.metric[symbol->index], rl_metrics[symbol->index].zero_reason);
    case NAME:
        return rl_name_value(eval, (enum rl_name)symbol->index);
    case FACT:
        return rl_eval_fact(eval, (enum rl_fact_id)symbol->index);
    case COLUMN: {
        const size_t column = symbol->index;
        const void *row = columns[column].of_rates && eval->chip ? (const void *)rl_rates_find(eval->chip->name) : eval->chip;
        int number;
        if (!row)
            return rl_value_missing(RL_NOT_COLLECTED, "chip unknown");
        memcpy(&number, (const char *)row + columns[column].offset, sizeof number);
        return number ? rl_value_of(number) : rl_value_missing(RL_NOT_ON_CHIP, NULL);
    }
    default:
        return missing_counter(eval, symbol, none);
    }
}

static const struct rl_value *value_of(struct rl_eval *eval, struct rl_symbol *symbol)
{
    if (!is_known(eval, symbol)) {
        assert(!symbol->busy); /* no row needs itself: tested */
        symbol->busy = true;
        symbol->value = evaluate(eval, symbol);
        symbol->busy = false;
        symbol->subject = symbol->varies ? eval->subject : UINT64_MAX;
    }
    return &symbol->value;
}

struct rl_value rl_eval_metric(struct rl_eval *eval, enum rl_metric metric)
{
    return *value_of(eval, eval->metric[metric]);
}

struct rl_value rl_eval_name(struct rl_eval *eval, enum rl_name name)
{
    return *value_of(eval, eval->name[name]);
}

struct rl_value rl_eval_counter(struct rl_eval *eval, const char *name)
{
    struct rl_symbol *symbol = find_counter(eval, name);
    assert(symbol); /* rows name what exists: tested */
    return *value_of(eval, symbol);
}

struct rl_value rl_eval_text(struct rl_eval *eval, const char *name)
{
    struct rl_symbol *symbol = find_symbol(eval, name);
    assert(symbol); /* the same */
    return *value_of(eval, symbol);
}

static const struct rl_value *fetch(void *context, size_t number)
{
    struct rl_eval *eval = context;
    return value_of(eval, &eval->symbols[number]);
}

struct rl_value rl_eval_formula(struct rl_eval *eval, const struct rl_formula *formula, const char *zero_reason)
{
    return rl_formula_eval_bound(formula, fetch, eval, zero_reason);
}

struct rl_value rl_eval_ceiling(struct rl_eval *eval, size_t ceiling)
{
    const struct rl_formula *formula = eval->formulas.ceiling[ceiling];
    return formula ? rl_eval_formula(eval, formula, NULL)
                   : rl_value_missing(RL_UNDEFINED, "the chip's data give no theoretical figure");
}

/* ---- passes ---- */

/* Follows the formula's names down to counters; `*pass` is the pass of the first one. */
static bool mixes(struct rl_eval *eval, const struct rl_formula *formula, size_t *pass)
{
    const size_t *numbers, count = rl_formula_numbers(formula, &numbers);
    bool mixed = false;
    for (size_t i = 0; i < count && !mixed; i++) {
        const struct rl_symbol *symbol = &eval->symbols[numbers[i]];
        if (symbol->kind == METRIC)
            mixed = mixes(eval, eval->formulas.metric[symbol->index], pass);
        if (symbol->kind != COUNTER || !is_known(eval, symbol) || !rl_present(symbol->value) || symbol->pass == RL_NONE)
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

size_t rl_eval_pass(struct rl_eval *eval, const struct rl_formula *formula)
{
    size_t pass = RL_NONE;
    return mixes(eval, formula, &pass) ? RL_NONE : pass;
}

bool rl_eval_is_of_pass(struct rl_eval *eval, const struct rl_formula *formula, size_t pass)
{
    assert(pass != RL_NONE);
    return !mixes(eval, formula, &pass);
}

static void find_inputs(struct rl_eval *eval, const struct rl_formula *formula, bool *time, bool *counters)
{
    const size_t *numbers, count = rl_formula_numbers(formula, &numbers);
    for (size_t i = 0; i < count; i++) {
        const struct rl_symbol *symbol = &eval->symbols[numbers[i]];
        if (symbol->kind == METRIC)
            find_inputs(eval, eval->formulas.metric[symbol->index], time, counters);
        *counters |= symbol->kind == COUNTER;
        *time |= symbol->kind == NAME && symbol->index == RL_NAME_time_s;
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
