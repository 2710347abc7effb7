/* compare_gate.c - what is asked of a comparison, and what follows from the answer. */
#include "compare.h"

#include <string.h>

#include "core/units.h"
#include "expression.h"
#include "output.h"

const struct cli_format compare_junit_formats[] = {{.ending = ".xml"}, {0}};

double compare_tolerance(const struct compare *compare)
{
    const bool asked = compare->gated && !compare->rules.off[RL_GATE_regression];
    return asked ? compare->rules.bound[RL_GATE_regression] : -1;
}

enum rl_status compare_gate_rules(const struct compare_gate_options *options, struct compare *compare, struct rl_err *err)
{
    compare->gated = options->fail_on != NULL;
    compare->rules = rl_gate_standard();
    if (!compare->gated && options->junit)
        return rl_err_set(err, RL_USAGE, "--junit writes the answer of a gate: give --fail-on default, or conditions");
    return compare->gated ? rl_gate_parse("fail-on", options->fail_on, &compare->rules, err) : RL_OK;
}

const char *compare_gate_option(const struct compare_gate_options *options)
{
    return options->fail_on ? "fail-on" : options->junit ? "junit" : NULL;
}

void compare_gate_run(struct compare *compare)
{
    for (size_t i = 1; i < compare->count && compare->gated; i++)
        compare->parts[i].gate = rl_gate_new(compare->parts[i].against_base, &compare->rules);
}

enum rl_status compare_gate_write(const struct cli_call *call, const struct compare_gate_options *options,
                                  const struct compare *compare, struct rl_err *err)
{
    struct rl_buf text = RL_BUF_INIT;
    if (!options->junit)
        return RL_OK;
    compare_gate_junit(compare, &text);
    const enum rl_status status = cli_write_output(call, options->junit, &text, NULL, err);
    rl_buf_release(&text);
    return status;
}

enum rl_status compare_gate_status(const struct compare *compare, struct rl_err *err)
{
    static const enum rl_status statuses[] = {
        [RL_GATE_HOLDS] = RL_OK, [RL_GATE_CANNOT_DECIDE] = RL_OPEN, [RL_GATE_FAILS] = RL_REGRESSION};
    const struct compare_part *worst = NULL;
    for (size_t i = 1; i < compare->count; i++)
        if (compare->parts[i].gate && (!worst || compare->parts[i].gate->state > worst->gate->state))
            worst = &compare->parts[i];
    if (!worst || worst->gate->state == RL_GATE_HOLDS)
        return RL_OK;
    struct rl_buf text = RL_BUF_INIT;
    rl_gate_text(worst->gate, &text);
    if (compare->count > 2)
        rl_err_set(err, RL_FAILED, "the gate of '%s' %s", worst->name, text.data);
    else
        rl_err_set(err, RL_FAILED, "the gate %s", text.data);
    rl_buf_release(&text);
    return statuses[worst->gate->state];
}
