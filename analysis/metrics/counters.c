#include <ctype.h>

#include "internal.h"

/* Names of formulas and witnesses, each a key. */
struct known {
    const char **names;
    size_t count, cap;
};

/* Instrumented code counts the same as the hardware. */
static const struct {
    const char *instrumented, *hardware;
} same[] = {
    {"smsp__sass_inst_executed.sum", "smsp__inst_executed.sum"},
    {"smsp__sass_thread_inst_executed.sum", "smsp__thread_inst_executed.sum"},
    {"smsp__sass_thread_inst_executed_pred_on.sum", "smsp__thread_inst_executed_pred_on.sum"},
};

const char *rl_counter_of_hardware(const char *name)
{
    const size_t i = RL_FIRST(s, RL_COUNT(same), strcmp(same[s].instrumented, name) == 0);
    return i < RL_COUNT(same) ? same[i].hardware : name;
}

static void add(struct known *known, const char *name)
{
    RL_APPEND(known->names, known->count, known->cap, name);
}

static void add_names_of(void *context, struct rl_formula *formula)
{
    const char *const *names;
    const size_t count = rl_formula_names(formula, &names);
    for (size_t i = 0; i < count; i++)
        add(context, names[i]);
}

static bool has(const struct known *known, const char *name)
{
    return known->count && bsearch(&name, known->names, known->count, sizeof *known->names, rl_by_text);
}

/* Sorted, each once. */
static void order(struct known *known)
{
    size_t kept = 0;
    rl_sort(known->names, known->count, sizeof *known->names, rl_by_text);
    for (size_t i = 0; i < known->count; i++)
        if (kept == 0 || strcmp(known->names[kept - 1], known->names[i]) != 0)
            known->names[kept++] = known->names[i];
    known->count = kept;
}

static bool is_named(const struct known *ours, const struct rl_counter *counter)
{
    return counter->kind == RL_COUNTER && rl_names_counter(counter->name) && !has(ours, rl_counter_of_hardware(counter->name));
}

/* The kernel before has the same name in the same place, as kernels of one session do: names are shared, and looked up once. */
static bool is_as_before(const struct rl_capture *capture, size_t kernel, size_t counter)
{
    const struct rl_kernel *before = kernel ? &capture->kernels[kernel - 1] : NULL;
    return before && counter < before->counter_count &&
           before->counters[counter].name == capture->kernels[kernel].counters[counter].name;
}

void rl_step_counters(struct rl_analysis *analysis, struct rl_eval *eval)
{
    struct known ours = {0}, found = {0};
    const struct rl_capture *capture = analysis->capture;
    rl_formulas_each(&eval->formulas, add_names_of, &ours);
    rl_plan_each_witness(add, &ours);
    order(&ours);
    for (size_t i = 0; i < capture->kernel_count; i++)
        for (size_t k = 0; k < capture->kernels[i].counter_count; k++)
            if (!is_as_before(capture, i, k) && is_named(&ours, &capture->kernels[i].counters[k]))
                add(&found, capture->kernels[i].counters[k].name);
    order(&found);
    free(ours.names);
    analysis->counters = found.names;
    analysis->counter_count = found.count;
}

size_t rl_named_counters(const struct rl_analysis *analysis, const char *const **names)
{
    *names = analysis->counters;
    return analysis->counter_count;
}

void rl_named_counters_of(const struct rl_analysis *analysis, const struct rl_kernel *kernel, size_t *at)
{
    const struct known known = {.names = analysis->counters, .count = analysis->counter_count};
    for (size_t i = 0; i < known.count; i++)
        at[i] = RL_NONE;
    for (size_t k = kernel->counter_count; k-- > 0 && known.count;) {
        const char *name = kernel->counters[k].name;
        const char **found = kernel->counters[k].kind == RL_COUNTER
                                 ? bsearch(&name, known.names, known.count, sizeof *known.names, rl_by_text)
                                 : NULL;
        if (found)
            at[found - known.names] = k;
    }
}

const struct rl_counter *rl_named_counter(const struct rl_kernel *kernel, const char *name)
{
    return RL_FIND(i, kernel->counters, kernel->counter_count,
                   kernel->counters[i].kind == RL_COUNTER && strcmp(kernel->counters[i].name, name) == 0);
}

static const struct {
    const char *word, *unit;
} units[] = {
#define COUNTER_UNIT(word, unit) {word, unit},
#include "analysis/counter_units.def"
#undef COUNTER_UNIT
};

/* The unit of the last word with a row, of a name that ends before `end`; "": a count. */
static const char *unit_of_base(const char *name, const char *end)
{
    const char *found = "";
    for (const char *word = name; word < end;) {
        size_t length = 0;
        while (word + length < end && word[length] != '_')
            length++;
        for (size_t i = 0; i < RL_COUNT(units); i++)
            if (strlen(units[i].word) == length && memcmp(units[i].word, word, length) == 0)
                found = units[i].unit;
        word += length + 1;
    }
    return found;
}

/* Words between dots behind the first dot of a name; the first with a row decides the unit, from that of the base. */
static const struct {
    const char *begin, *unit; /* how the word begins; NULL: the base's, with `per` behind it */
    const char *per;
} rollups[] = {
    {"pct", "%", ""},
    {"ratio", "", ""},
    {"max_rate", "", ""},
    {"per_second", NULL, "/s"},
    {"per_cycle", NULL, "/cycle"},
    {"peak_sustained", NULL, "/cycle"},
};

static size_t rollup_of(const char *words)
{
    for (const char *word = words; *word;) {
        for (size_t i = 0; i < RL_COUNT(rollups); i++)
            if (strncmp(word, rollups[i].begin, strlen(rollups[i].begin)) == 0)
                return i;
        word += strcspn(word, ".");
        word += *word == '.';
    }
    return RL_COUNT(rollups);
}

void rl_counter_unit(const char *name, struct rl_buf *unit)
{
    const char *end = name + strcspn(name, "."), *base = unit_of_base(name, end);
    const size_t rollup = rollup_of(*end ? end + 1 : end);
    if (rollup == RL_COUNT(rollups))
        rl_buf_adds(unit, base);
    else if (rollups[rollup].unit)
        rl_buf_adds(unit, rollups[rollup].unit);
    else
        rl_buf_addf(unit, "%s%s", *base ? base : "1", rollups[rollup].per);
}

/* Units that people see with a prefix. */
static const struct {
    const char *unit;
    enum rl_unit of;
    double factor;
} scaled[] = {{"B", RL_UNIT_BYTE, 1}, {"ns", RL_UNIT_SECOND, 1e-9}, {"B/s", RL_UNIT_BYTE_PER_SECOND, 1}};

static void format_present(const char *unit, double value, struct rl_buf *text)
{
    enum { DIGITS = 4 };
    for (size_t i = 0; i < RL_COUNT(scaled); i++)
        if (strcmp(unit, scaled[i].unit) == 0) {
            rl_unit_format(text, scaled[i].of, scaled[i].factor * value, DIGITS);
            return;
        }
    rl_unit_format(text, floor(value) == value ? RL_UNIT_COUNT : RL_UNIT_NONE, value, DIGITS);
    rl_buf_addf(text, "%s%s", *unit ? "\xC2\xA0" : "", unit);
}

void rl_counter_format(const char *name, struct rl_value value, struct rl_buf *text)
{
    RL_SCRATCH unit = RL_BUF_INIT;
    rl_counter_unit(name, &unit);
    if (rl_present(value))
        format_present(unit.len ? unit.data : "", value.v, text);
    else {
        rl_value_format(text, RL_UNIT_NONE, value, 1);
        if (*rl_value_reason(value))
            rl_buf_addf(text, " (%s)", rl_value_reason(value));
    }
}

/* Lower-case words from a letter on, "__" before the first dot, something on both sides of each. */
bool rl_is_counter_name(const char *text)
{
    const size_t base = strcspn(text, "."), all = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_.");
    size_t unit = 0;
    while (unit < base && !(text[unit] == '_' && text[unit + 1] == '_'))
        unit++;
    return text[all] == '\0' && islower((unsigned char)text[0]) && unit + 2 < base && text[base] == '.' && text[base + 1];
}
