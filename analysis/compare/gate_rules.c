/* gate_rules.c - what a gate asks, as it is typed. */
#include "analysis/gate.h"

const struct rl_gate_info rl_gate_conditions[RL_GATE_COUNT] = {
#define GATE(id_, ...) {.id = #id_, __VA_ARGS__},
#include "analysis/gate.def"
};

struct rl_gate_rules rl_gate_standard(void)
{
    struct rl_gate_rules rules = {0};
    for (size_t i = 0; i < RL_GATE_COUNT; i++)
        rules.bound[i] = rl_gate_conditions[i].standard;
    return rules;
}

/* "3%", "0.03": a fraction; a number over 1 needs its sign, as it could be either. */
static bool parse_bound(const char *text, size_t len, enum rl_gate_bound bound, double *fraction)
{
    const bool percent = len && text[len - 1] == '%';
    double number;
    if (!rl_number_parse(text, percent ? len - 1 : len, &number) || number < 0)
        return false;
    *fraction = percent ? number / 100 : number;
    return (percent || number <= 1) && *fraction <= (bound == RL_GATE_LEAST ? 1 : 10);
}

static bool is_word(const char *text, size_t len, const char *word)
{
    return strlen(word) == len && memcmp(text, word, len) == 0;
}

/* The condition with this name; RL_GATE_COUNT: there is none. */
static size_t find_condition(const char *name, size_t len)
{
    return RL_FIRST(i, RL_GATE_COUNT, is_word(name, len, rl_gate_conditions[i].id));
}

static enum rl_status parse_condition(const char *option, const char *text, size_t len, struct rl_gate_rules *rules,
                                      struct rl_err *err)
{
    const size_t sign = strcspn(text, "=<>"), name = sign < len ? sign : len, i = find_condition(text, name);
    if (is_word(text, len, "default"))
        return RL_OK;
    if (i == RL_GATE_COUNT) {
        RL_SCRATCH names = RL_BUF_INIT;
        for (size_t j = 0; j < RL_GATE_COUNT; j++)
            rl_buf_addf(&names, "%s%s", j == 0 ? "" : j + 1 < RL_GATE_COUNT ? ", " : " and ", rl_gate_conditions[j].id);
        return rl_err_set(err, RL_USAGE, "--%s: '%.*s' is not a condition; the conditions are %s", option, (int)name, text,
                          names.data);
    }
    const struct rl_gate_info *info = &rl_gate_conditions[i];
    const char *value = &text[name] + (name < len);
    const size_t value_len = name < len ? len - name - 1 : 0;
    rules->off[i] = name < len && is_word(value, value_len, "off");
    if (name == len || rules->off[i])
        return RL_OK;
    if (info->bound == RL_GATE_NO_BOUND)
        return rl_err_set(err, RL_USAGE, "--%s: '%s' takes no bound, only 'off': '%.*s'", option, info->id, (int)len, text);
    if ((text[name] != '=' && text[name] != (info->bound == RL_GATE_LEAST ? '<' : '>')) ||
        !parse_bound(value, value_len, info->bound, &rules->bound[i]))
        return rl_err_set(err, RL_USAGE, "--%s: '%s' takes a percentage like 3%% or a fraction like 0.03, or 'off': '%.*s'", option,
                          info->id, (int)len, text);
    return RL_OK;
}

enum rl_status rl_gate_parse(const char *option, const char *list, struct rl_gate_rules *rules, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    for (const char *at = list; at && status == RL_OK;) {
        const size_t len = strcspn(at, ",");
        status = parse_condition(option, at, len, rules, err);
        at = at[len] ? &at[len + 1] : NULL;
    }
    const size_t asked = RL_SUM(size_t, i, RL_GATE_COUNT, !rules->off[i]);
    if (status == RL_OK && asked == 0)
        return rl_err_set(err, RL_USAGE, "--%s: every condition is off: a gate without conditions cannot fail", option);
    return status;
}
