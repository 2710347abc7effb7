/* plan.c - groups counters into configurations: the plan that the parent has written for the chip, packed into configurations. */
#include "availability.h"
#include "handout.h"
#include "window.h"

/* The note "plan.CHIP": a line for each counter: configuration, how many of it are placed first (RL_HANDOUT_BESIDE: it is added to
 * each pass that has room for it), condition (may be empty), name, with tabs between them. */
static enum rl_status read_text(char **copy, const char *kind, const char *chip, struct rl_err *err)
{
    struct rl_buf name = RL_BUF_INIT;
    size_t len = 0;
    rl_buf_addf(&name, "%s%s", kind, chip);
    const char *text = rl_handout_find(notes, notes_size, name.data, &len);
    if (!text && strcmp(kind, RL_HANDOUT_PLAN) == 0)
        text = rl_handout_find(notes, notes_size, RL_HANDOUT_ANY, &len);
    rl_buf_release(&name);
    if (!text)
        return rl_err_set(err, RL_ABSENT, "no counters were asked for");
    *copy = rl_strndup(text, len);
    return RL_OK;
}

enum { MOST_BESIDE = 8 };

struct line {
    char *configuration, *when, *counter;
    size_t fixed;
    bool beside, rare;
};

/* The next line of the plan; false at its end. */
static bool next_line(char **at, struct line *line)
{
    char *fields[4], *from = *at;
    for (size_t i = 0; i < RL_COUNT(fields); i++) {
        char *end = strchr(from, i + 1 < RL_COUNT(fields) ? '\t' : '\n');
        if (!end)
            return false;
        *end = 0;
        fields[i] = from;
        from = end + 1;
    }
    *line = (struct line){fields[0],
                          fields[2],
                          fields[3],
                          (size_t)strtoul(fields[1], NULL, 10),
                          strcmp(fields[1], RL_HANDOUT_BESIDE) == 0,
                          strcmp(fields[1], RL_HANDOUT_RARE) == 0};
    *at = from;
    return true;
}

static void keep_config(struct plan *plan, struct rl_config *config, const char *when, bool good)
{
    assume(plan->count <= MOST_PASSES);
    if (good && config->counter_count && plan->count < MOST_PASSES) {
        if (!plan->configs) /* an open window refers to one of them while others are added */
            plan->configs = rl_calloc(MOST_PASSES, sizeof *plan->configs);
        if (when && *when)
            (void)rl_formula_parse(when, &plan->when[plan->count], NULL);
        plan->configs[plan->count++] = *config;
    } else {
        rl_config_release(config);
    }
}

/* The target of a plan. */
struct device {
    const char *chip;
    const uint8_t *availability;
};

static enum rl_status add_configs(struct plan *plan, const struct device *device, const struct rl_configuration *wanted,
                                  struct rl_err *err)
{
    struct rl_config *configs = NULL, whole;
    size_t made = 0;
    const char *chip = device->chip;
    const uint8_t *availability = device->availability;
    if (atomic_load(&leaving))
        return rl_err_set(err, RL_BUSY, "the process ends");
    if (settings.counters == RL_COUNT_KERNEL_REPLAY) {
        enum rl_status joined = rl_host_join(chip, availability, wanted, &whole, err);
        keep_config(plan, &whole, NULL, joined == RL_OK);
        return joined;
    }
    bool *available = rl_calloc(wanted->counter_count, sizeof *available);
    enum rl_status status = rl_host_pack(chip, availability, wanted, available, &configs, &made, err);
    for (size_t i = 0; i < made; i++)
        keep_config(plan, &configs[i], wanted->when, status == RL_OK);
    free(configs);
    free(available);
    return status;
}

/* The counters of a configuration while its lines are read, and those of each of its passes. */
struct listed {
    const char **counters, *beside[MOST_BESIDE + 1];
    size_t count, cap, beside_count;
};

/* Whether a configuration, or an earlier conditional line, has the counter. */
static bool is_counted(const struct plan *plan, const struct listed *conditional, const char *name)
{
    return RL_ANY(c, plan->count, !plan->rare[c] && rl_config_has(&plan->configs[c], name)) ||
           RL_ANY(i, conditional->count, strcmp(conditional->counters[i], name) == 0);
}

/* Keeps the counters of a condition that are counted: their values are stored from the first launch on. */
static void watch(struct plan *plan, const struct listed *conditional, const char *when)
{
    struct rl_formula *formula = NULL;
    const char *const *names;
    const size_t count = rl_formula_parse(when, &formula, NULL) == RL_OK ? rl_formula_names(formula, &names) : 0;
    for (size_t n = 0; n < count; n++) {
        bool known = !is_counted(plan, conditional, names[n]) || plan->watched_count == MOST_WATCHED;
        for (size_t w = 0; w < plan->watched_count && !known; w++)
            known = strcmp(plan->watched[w], names[n]) == 0;
        if (!known)
            plan->watched[plan->watched_count++] = rl_strdup(names[n]);
    }
    rl_formula_free(formula);
}

static void list(struct listed *listed, const struct line *line)
{
    if (!line->beside) {
        RL_GROW(listed->counters, listed->count + 1, listed->cap);
        listed->counters[listed->count++] = line->counter;
    } else if (listed->beside_count < MOST_BESIDE) {
        listed->beside[listed->beside_count++] = line->counter;
    }
}

/* Makes a configuration of the counters listed so far, unless the run is for another one; `whole`: in a single pass. */
static enum rl_status take_listed(struct plan *plan, const struct device *device, bool whole, long number,
                                  struct rl_configuration *wanted, struct listed *listed, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    wanted->counters = listed->counters;
    wanted->counter_count = listed->count;
    wanted->beside = whole ? NULL : listed->beside;
    if (whole || settings.pass < 0 || settings.pass == number)
        status = add_configs(plan, device, wanted, err);
    *listed = (struct listed){.counters = listed->counters, .cap = listed->cap};
    return status;
}

/* Configurations of a part of the plan, or the one that this run is for; for kernel replay all counters are one. Those with a
 * condition only where the same run goes on and later launches can be counted. */
static enum rl_status make_configs(struct plan *plan, char *text, const struct device *device, enum plan_part part,
                                   struct rl_err *err)
{
    struct line line;
    struct rl_configuration wanted = {0};
    struct listed listed = {.counters = NULL}, conditional = {.counters = NULL};
    long number = 0;
    const bool whole = settings.counters == RL_COUNT_KERNEL_REPLAY;
    enum rl_status status = RL_OK;
    for (bool more = true; more && status == RL_OK;) {
        more = next_line(&text, &line);
        if (listed.count && (!more || (!whole && strcmp(wanted.name, line.configuration) != 0)))
            status = take_listed(plan, device, whole, number++, &wanted, &listed, err);
        if (more && *line.when && part == PLAN_ALWAYS && settings.times) {
            watch(plan, &conditional, line.when);
            list(&conditional, &line);
        }
        if (!more || (*line.when != 0) != (part == PLAN_CONDITIONAL))
            continue;
        wanted.name = whole ? "all" : line.configuration;
        wanted.fixed = whole ? 0 : line.fixed;
        wanted.when = line.when;
        list(&listed, &line);
    }
    RL_FREE(listed.counters, conditional.counters);
    return status;
}

bool plan_instruments(const struct rl_config *config)
{
    return strstr(config->counters[0], "_sass_") != NULL;
}

enum rl_status plan_make(struct plan *plan, const char *chip, const uint8_t *availability, enum plan_part part, struct rl_err *err)
{
    const struct device device = {chip, availability};
    assume(!plan->texts[part]);
    if (part == PLAN_CONDITIONAL && !settings.times)
        return RL_OK;
    enum rl_status status = read_text(&plan->texts[part], RL_HANDOUT_PLAN, chip, err);
    return status == RL_OK ? make_configs(plan, plan->texts[part], &device, part, err) : status;
}

/* Those with a condition come first, so that the others follow one another, and those that instrument code last. */
static size_t list_parts(struct plan *plan, struct rl_config *parts[MOST_PASSES], size_t *conditional)
{
    size_t count = 0;
    for (size_t c = 0; c < plan->count; c++)
        if (plan->when[c] && !plan->rare[c])
            parts[count++] = &plan->configs[c];
    *conditional = count;
    for (int instruments = 0; instruments < 2; instruments++)
        for (size_t c = 0; c < plan->count; c++)
            if (!plan->when[c] && plan_instruments(&plan->configs[c]) == instruments)
                parts[count++] = &plan->configs[c];
    return count;
}

void plan_unite(struct plan *plan, const char *chip, const uint8_t *availability)
{
    struct rl_config *parts[MOST_PASSES];
    size_t conditional = 0;
    assume(!plan->joint);
    const size_t count = list_parts(plan, parts, &conditional);
    if (settings.times)
        rl_host_unite(parts, count, conditional, chip, availability, &plan->joint);
}

enum rl_status plan_known(struct plan *plan, const char *chip, struct rl_err *err)
{
    struct listed listed = {.counters = NULL};
    struct line line, first = {0};
    enum rl_status status = read_text(&plan->texts[PLAN_ALWAYS], RL_PASSES_NOTE, chip, err);
    char *at = plan->texts[PLAN_ALWAYS];
    for (bool more = status == RL_OK; more;) {
        more = next_line(&at, &line);
        if (listed.count && (!more || strcmp(first.configuration, line.configuration) != 0)) {
            struct rl_config config = {.name = rl_strdup(first.configuration),
                                       .counters = rl_calloc(listed.count, sizeof(char *)),
                                       .counter_count = listed.count};
            memcpy(config.counters, listed.counters, listed.count * sizeof(char *));
            if (plan->count < MOST_PASSES)
                plan->rare[plan->count] = first.rare;
            keep_config(plan, &config, first.when, true);
            if (*first.when)
                watch(plan, &(struct listed){.count = 0}, first.when);
            listed.count = 0;
        }
        if (!more)
            break;
        first = line;
        list(&listed, &line);
    }
    free(listed.counters);
    plan->known = status == RL_OK;
    return status;
}

bool plan_finish_known(struct plan *plan, const char *chip, const uint8_t *availability)
{
    bool any = false;
    for (size_t c = 0; c < plan->count; c++)
        any |= plan->rare[c] && !plan->configs[c].host && rl_host_finish(&plan->configs[c], chip, availability, NULL) == RL_OK;
    return any;
}

bool plan_is_ready(const struct plan *plan, size_t config)
{
    return plan->configs[config].joint || plan->configs[config].host;
}

void plan_release(struct plan *plan)
{
    for (size_t c = 0; c < plan->count; c++) {
        rl_config_release(&plan->configs[c]);
        rl_formula_free(plan->when[c]);
    }
    for (size_t w = 0; w < plan->watched_count; w++)
        free((char *)plan->watched[w]);
    for (size_t i = 0; i < RL_COUNT(plan->texts); i++)
        free(plan->texts[i]);
    rl_joint_free(plan->joint);
    free(plan->configs);
    *plan = (struct plan){0};
}

/* ---- conditions ---- */

/* The value of a condition's counter: 0 before it was counted; not on the chip when no configuration has it. */
struct seen_by {
    const struct plan *plan;
    const struct class *class;
};

static struct rl_value counter_seen(void *context, const char *name)
{
    const struct seen_by *by = context;
    for (size_t i = 0; i < by->plan->watched_count; i++)
        if (strcmp(by->plan->watched[i], name) == 0)
            return by->class->watched[i];
    return rl_value_missing(RL_NOT_ON_CHIP, NULL);
}

bool plan_meets(const struct plan *plan, const struct class *class, size_t config)
{
    assume(config < plan->count);
    return !plan->when[config] || (class->meets >> config & 1);
}

void plan_judge(const struct plan *plan, struct class *class)
{
    struct seen_by by = {plan, class};
    _Static_assert(MOST_PASSES <= 8 * sizeof class->meets, "a bit for each");
    class->meets = 0;
    for (size_t c = 0; c < plan->count; c++) {
        const struct rl_value value =
            plan->when[c] ? rl_formula_eval(plan->when[c], counter_seen, &by, NULL) : rl_value_missing(RL_UNDEFINED, NULL);
        class->meets |= (uint32_t)(rl_present(value) && value.v > 0) << c;
    }
}

void plan_note(const struct plan *plan, size_t config, struct class *class, const struct rl_value *values)
{
    double issued = 0, most = 0, cycles = 0;
    assume(config < plan->count);
    for (size_t w = 0; w < plan->watched_count; w++)
        for (size_t i = 0; i < plan->configs[config].counter_count; i++)
            if (strcmp(plan->configs[config].counters[i], plan->watched[w]) == 0)
                class->watched[w] = values[i];
    for (size_t i = 0; i < plan->configs[config].counter_count; i++) {
        const char *name = plan->configs[config].counters[i];
        if (rl_present(values[i]) && strcmp(name, "smsp__inst_executed.sum") == 0)
            issued = values[i].v;
        if (rl_present(values[i]) && strcmp(name, "smsp__inst_executed.sum.peak_sustained") == 0)
            most = values[i].v;
        if (rl_present(values[i]) && strcmp(name, "sm__cycles_active.avg") == 0)
            cycles = values[i].v;
    }
    plan_judge(plan, class);
    if (issued > 0 && most > 0 && cycles > 0) {
        class->issued = issued;
        class->issue_share = issued / (most * cycles);
    }
}
