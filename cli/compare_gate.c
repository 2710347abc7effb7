/* compare_gate.c - what is asked of a comparison, and what follows from the answer. */
#include "compare.h"

static void add_attribute(struct rl_buf *out, const char *name, const char *text)
{
    rl_buf_addf(out, " %s=\"", name);
    /* Printable text within an attribute or element. */
    static const char *const entities[128] = {['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&apos;"};
    RL_SCRATCH clean = RL_BUF_INIT;
    rl_utf8_printable(&clean, text, strlen(text));
    for (size_t i = 0; i < clean.len; i++) {
        const unsigned char byte = (unsigned char)clean.data[i];
        if (byte < 128 && entities[byte])
            rl_buf_adds(out, entities[byte]);
        else
            rl_buf_addch(out, clean.data[i]);
    }
    rl_buf_addch(out, '"');
}

static void begin_case(struct rl_buf *out, const char *suite, const char *name)
{
    rl_buf_adds(out, "    <testcase");
    add_attribute(out, "classname", suite);
    add_attribute(out, "name", name);
    rl_buf_adds(out, ">\n");
}

static void add_breach(struct rl_buf *out, const struct rl_gate_answer *answer, const struct rl_gate_breach *breach)
{
    assert(answer->state != RL_GATE_HOLDS);
    const char *element = answer->state == RL_GATE_FAILS ? "failure" : "error";
    rl_buf_addf(out, "      <%s", element);
    add_attribute(out, "type", rl_gate_conditions[answer->condition].id);
    add_attribute(out, "message", breach->text);
    rl_buf_adds(out, "/>\n");
}

/* Tests and what became of them. */
struct tally {
    size_t tests, failures, errors;
};

static void tally_breach(struct tally *tally, const struct rl_gate_answer *answer)
{
    assert(answer->state != RL_GATE_HOLDS);
    tally->failures += answer->state == RL_GATE_FAILS;
    tally->errors += answer->state == RL_GATE_CANNOT_DECIDE;
}

/* The worst breach of a pair: one test has one outcome. */
static const struct rl_gate_answer *worst_of(const struct rl_gate *gate, size_t pair, const struct rl_gate_breach **worst)
{
    assert(worst && !*worst);
    const struct rl_gate_answer *found = NULL;
    for (size_t i = 0; i < gate->count; i++)
        for (size_t j = 0; j < gate->answers[i].count && gate->answers[i].state != RL_GATE_HOLDS; j++)
            if (gate->answers[i].breaches[j].pair == pair && (!found || gate->answers[i].state > found->state)) {
                found = &gate->answers[i];
                *worst = &gate->answers[i].breaches[j];
            }
    return found;
}

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

/* Breaches that are about no pair; of a condition that has none of them and holds, that it does. */
static void add_condition(struct rl_buf *out, const struct compare_part *part, const struct rl_gate_answer *answer,
                          struct tally *tally)
{
    const char *id = rl_gate_conditions[answer->condition].id;
    for (size_t i = 0; i < answer->count && answer->state != RL_GATE_HOLDS; i++) {
        const struct rl_gate_breach *breach = &answer->breaches[i];
        if (breach->pair != RL_NONE)
            continue;
        RL_SCRATCH name = RL_BUF_INIT;
        rl_buf_addf(&name, "%s: %s", id, breach->label);
        begin_case(out, part->name, name.data);
        add_breach(out, answer, breach);
        rl_buf_adds(out, "    </testcase>\n");
        tally_breach(tally, answer);
        tally->tests++;
    }
    if (answer->state != RL_GATE_HOLDS)
        return;
    begin_case(out, part->name, id);
    rl_buf_adds(out, "    </testcase>\n");
    tally->tests++;
}

static void add_suite(struct rl_buf *out, const struct compare_part *part, struct tally *all)
{
    RL_SCRATCH cases = RL_BUF_INIT;
    struct tally tally = {0};
    for (size_t i = 0; i < part->against_base->pair_count; i++) {
        const struct rl_pair *pair = &part->against_base->pairs[i];
        const struct rl_gate_breach *breach = NULL;
        const struct rl_gate_answer *answer = worst_of(part->gate, i, &breach);
        begin_case(&cases, part->name, part->against_base->base.items[pair->base].label);
        if (answer) {
            add_breach(&cases, answer, breach);
            tally_breach(&tally, answer);
        }
        rl_buf_adds(&cases, "    </testcase>\n");
        tally.tests++;
    }
    for (size_t i = 0; i < part->gate->count; i++)
        add_condition(&cases, part, &part->gate->answers[i], &tally);
    rl_buf_adds(out, "  <testsuite");
    add_attribute(out, "name", part->name);
    rl_buf_addf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n", tally.tests, tally.failures, tally.errors);
    rl_buf_add(out, cases.data, cases.len);
    rl_buf_adds(out, "  </testsuite>\n");
    all->tests += tally.tests;
    all->failures += tally.failures;
    all->errors += tally.errors;
}

enum rl_status compare_gate_write(const struct cli_call *call, const struct compare_gate_options *options,
                                  const struct compare *compare, struct rl_err *err)
{
    RL_SCRATCH text = RL_BUF_INIT;
    if (!options->junit)
        return RL_OK;
    /* Appends the answers of all gates as JUnit XML. */
    RL_SCRATCH suites = RL_BUF_INIT;
    struct tally all = {0};
    for (size_t i = 1; i < compare->count; i++)
        add_suite(&suites, &compare->parts[i], &all);
    rl_buf_addf(&text,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<testsuites name=\"rooflight compare\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n",
                all.tests, all.failures, all.errors);
    rl_buf_add(&text, suites.data, suites.len);
    rl_buf_adds(&text, "</testsuites>\n");
    return cli_write_output(call, options->junit, &text, NULL, err);
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
    RL_SCRATCH text = RL_BUF_INIT;
    rl_gate_text(worst->gate, &text);
    if (compare->count > 2)
        rl_err_set(err, RL_FAILED, "the gate of '%s' %s", worst->name, text.data);
    else
        rl_err_set(err, RL_FAILED, "the gate %s", text.data);
    return statuses[worst->gate->state];
}
