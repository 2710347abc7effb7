/* compare_junit.c - the answers of gates as JUnit XML: a suite for each capture, in it a test for each kernel that was compared and
 * for each condition that is about no single pair. Continuous integration shows failures by name; what cannot be decided is an
 * error there, not a failure. */
#include "compare.h"

#include <assert.h>
#include <string.h>

#include "core/utf8.h"

static void add_attribute(struct rl_buf *out, const char *name, const char *text)
{
    rl_buf_addf(out, " %s=\"", name);
    /* Printable text within an attribute or element. */
    static const char *const entities[128] = {['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&apos;"};
    struct rl_buf clean = RL_BUF_INIT;
    rl_utf8_printable(&clean, text, strlen(text));
    for (size_t i = 0; i < clean.len; i++) {
        const unsigned char byte = (unsigned char)clean.data[i];
        if (byte < 128 && entities[byte])
            rl_buf_adds(out, entities[byte]);
        else
            rl_buf_addch(out, clean.data[i]);
    }
    rl_buf_release(&clean);
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

/* Breaches that are about no pair; of a condition that has none of them and holds, that it does. */
static void add_condition(struct rl_buf *out, const struct compare_part *part, const struct rl_gate_answer *answer,
                          struct tally *tally)
{
    const char *id = rl_gate_conditions[answer->condition].id;
    for (size_t i = 0; i < answer->count && answer->state != RL_GATE_HOLDS; i++) {
        const struct rl_gate_breach *breach = &answer->breaches[i];
        if (breach->pair != RL_NONE)
            continue;
        struct rl_buf name = RL_BUF_INIT;
        rl_buf_addf(&name, "%s: %s", id, breach->label);
        begin_case(out, part->name, name.data);
        rl_buf_release(&name);
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

void compare_gate_junit(const struct compare *compare, struct rl_buf *out)
{
    struct rl_buf suites = RL_BUF_INIT;
    struct tally all = {0};
    for (size_t i = 1; i < compare->count; i++) {
        const struct compare_part *part = &compare->parts[i];
        struct rl_buf cases = RL_BUF_INIT;
        struct tally tally = {0};
        for (size_t j = 0; j < part->against_base->pair_count; j++) {
            const struct rl_pair *pair = &part->against_base->pairs[j];
            const struct rl_gate_breach *breach = NULL;
            const struct rl_gate_answer *answer = worst_of(part->gate, j, &breach);
            begin_case(&cases, part->name, part->against_base->base.items[pair->base].label);
            if (answer) {
                add_breach(&cases, answer, breach);
                tally_breach(&tally, answer);
            }
            rl_buf_adds(&cases, "    </testcase>\n");
            tally.tests++;
        }
        for (size_t j = 0; j < part->gate->count; j++)
            add_condition(&cases, part, &part->gate->answers[j], &tally);
        rl_buf_adds(&suites, "  <testsuite");
        add_attribute(&suites, "name", part->name);
        rl_buf_addf(&suites, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n", tally.tests, tally.failures, tally.errors);
        rl_buf_add(&suites, cases.data, cases.len);
        rl_buf_adds(&suites, "  </testsuite>\n");
        rl_buf_release(&cases);
        all.tests += tally.tests;
        all.failures += tally.failures;
        all.errors += tally.errors;
    }
    rl_buf_addf(out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<testsuites name=\"rooflight compare\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n",
                all.tests, all.failures, all.errors);
    rl_buf_add(out, suites.data, suites.len);
    rl_buf_adds(out, "</testsuites>\n");
    rl_buf_release(&suites);
}
