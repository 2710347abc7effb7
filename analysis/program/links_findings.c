/* links_findings.c - the rules of link_rules.def. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/intern.h"
#include "core/mem.h"
#include "core/units.h"
#include "links_internal.h"

const struct rl_link_rule_info rl_link_rules[RL_LINK_RULE_COUNT] = {
#define LINK_RULE(id, threshold, judges, advice, source) {#id, threshold, judges, advice, source},
#include "analysis/link_rules.def"
#undef LINK_RULE
};

enum { LIKE = 3 }; /* fewest links that make a median worth comparing with */

/* ---- words ---- */

static void add(struct rl_links *links, enum rl_link_rule rule, size_t link, const struct rl_buf *text)
{
    assert(rule < RL_LINK_RULE_COUNT);
    RL_GROW(links->findings, links->finding_count + 1, links->finding_cap);
    links->findings[links->finding_count++] =
        (struct rl_link_finding){.rule = rule, .link = link, .text = rl_arena_strdup(&links->arena, text->data)};
    if (link != RL_NONE)
        links->links[link].found |= 1u << rule;
}

static void add_rate(struct rl_buf *out, double rate)
{
    rl_unit_format(out, RL_UNIT_BYTE_PER_SECOND, rate, 3);
}

static void add_share(struct rl_buf *out, double share)
{
    rl_unit_format(out, RL_UNIT_FRACTION, share, 2);
}

static double threshold(enum rl_link_rule rule)
{
    assert(rule < RL_LINK_RULE_COUNT);
    return rl_link_rules[rule].threshold;
}

/* ---- the rules ---- */

static void find_failed(struct rl_links *links, enum rl_link_rule rule)
{
    for (size_t i = 0; i < links->capture->link_count; i++) {
        struct rl_buf text = RL_BUF_INIT;
        if (!links->capture->links[i].failure)
            continue;
        rl_buf_adds(&text, "link ");
        rl_link_name(links->capture, i, &text);
        rl_buf_addf(&text, " %s: %s", links->links[i].rate.n ? "was measured only in part" : "was not measured",
                    links->capture->links[i].failure);
        add(links, rule, i, &text);
        rl_buf_release(&text);
    }
}

static void find_slow_link(struct rl_links *links, enum rl_link_rule rule)
{
    for (size_t i = 0; i < links->capture->link_count; i++) {
        const struct rl_link_result *result = &links->links[i];
        const struct rl_link_kind *kind = &links->kinds[result->kind];
        struct rl_buf text = RL_BUF_INIT;
        if (kind->measured < LIKE || !rl_present(result->of_kind) || result->of_kind.v >= threshold(rule))
            continue;
        rl_buf_adds(&text, "link ");
        rl_link_name(links->capture, i, &text);
        rl_buf_adds(&text, " reaches ");
        add_share(&text, result->of_kind.v);
        rl_buf_adds(&text, " of the median of its kind: ");
        add_rate(&text, result->rate.median);
        rl_buf_adds(&text, ", where ");
        add_rate(&text, kind->median.v);
        rl_buf_addf(&text, " is usual (%s)", kind->label);
        add(links, rule, i, &text);
        rl_buf_release(&text);
    }
}

/* Of what the rule before has not named. */
static void find_uneven_pair(struct rl_links *links, enum rl_link_rule rule)
{
    const struct rl_capture *capture = links->capture;
    for (size_t i = 0; i < capture->link_count; i++) {
        const struct rl_link *link = &capture->links[i];
        size_t back = rl_links_find(links, link->to_gpu, link->from_gpu);
        struct rl_buf text = RL_BUF_INIT;
        if (link->from_gpu == RL_NONE || link->to_gpu == RL_NONE || back == RL_NONE || links->links[i].rate.n == 0 ||
            links->links[back].rate.n == 0)
            continue;
        double share = links->links[i].rate.median / links->links[back].rate.median;
        if (share >= threshold(rule) || links->links[i].found & 1u << RL_LINK_RULE_slow_link)
            continue;
        rl_link_name(capture, i, &text);
        rl_buf_adds(&text, " carries ");
        add_share(&text, share);
        rl_buf_adds(&text, " of the other direction: ");
        add_rate(&text, links->links[i].rate.median);
        rl_buf_adds(&text, " against ");
        add_rate(&text, links->links[back].rate.median);
        add(links, rule, i, &text);
        rl_buf_release(&text);
    }
}

/* One finding for each reason: many pairs have the same. */
static void find_no_access(struct rl_links *links, enum rl_link_rule rule)
{
    const struct rl_capture *capture = links->capture;
    struct rl_intern reasons = {0};
    size_t *same = rl_calloc(capture->link_count, sizeof *same), *first = rl_calloc(capture->link_count, sizeof *first);
    for (size_t i = 0; i < capture->link_count; i++) {
        const char *access = capture->links[i].access;
        bool is_new;
        if (!access || strcmp(access, "yes") == 0)
            continue;
        const size_t reason = rl_intern(&reasons, 0, access, &is_new);
        first[reason] = is_new ? i : first[reason];
        same[reason]++;
    }
    for (size_t i = 0; i < reasons.count; i++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_link_name(capture, first[i], &text);
        if (same[i] > 1)
            rl_buf_addf(&text, " and %zu more", same[i] - 1);
        rl_buf_addf(&text, ": no direct access (%s); copies go through the host's memory", reasons.entries[i].text);
        add(links, rule, first[i], &text);
        rl_buf_release(&text);
    }
    rl_intern_release(&reasons);
    free(same);
    free(first);
}

static void find_narrow_pcie(struct rl_links *links, enum rl_link_rule rule)
{
    const struct rl_capture *capture = links->capture;
    for (size_t i = 0; i < capture->link_count; i++) {
        const struct rl_link *link = &capture->links[i];
        struct rl_buf text = RL_BUF_INIT;
        if (link->from_gpu != RL_NONE || strcmp(link->via, "pcie") != 0)
            continue;
        const struct rl_value *fact = capture->gpus[link->to_gpu].fact;
        struct rl_value now = rl_pcie_bytes_per_second(fact[RL_FACT_pcie_generation], fact[RL_FACT_pcie_width]);
        struct rl_value share = rl_value_div(now, links->links[i].theory, NULL);
        if (!rl_present(share) || share.v >= threshold(rule) - 1e-9)
            continue;
        rl_buf_addf(&text, "GPU %d runs PCIe %.0f x%.0f under load, its ends can do PCIe %.0f x%.0f",
                    capture->gpus[link->to_gpu].index, fact[RL_FACT_pcie_generation].v, fact[RL_FACT_pcie_width].v,
                    link->pcie_generation.v, link->pcie_width.v);
        add(links, rule, i, &text);
        rl_buf_release(&text);
    }
}

static void find_shared_host(struct rl_links *links, enum rl_link_rule rule)
{
    const struct {
        const struct rl_link_total *total;
        const char *words;
    } ways[] = {{&links->from_host, "from the host to all GPUs at once "}, {&links->to_host, "from all GPUs at once to the host "}};
    for (size_t i = 0; i < RL_COUNT(ways); i++) {
        struct rl_buf text = RL_BUF_INIT;
        if (!rl_present(ways[i].total->share) || ways[i].total->share.v >= threshold(rule))
            continue;
        rl_buf_adds(&text, ways[i].words);
        add_rate(&text, ways[i].total->together.median);
        rl_buf_adds(&text, ", ");
        add_share(&text, ways[i].total->share.v);
        rl_buf_adds(&text, " of the sum of each alone (");
        add_rate(&text, ways[i].total->alone.v);
        rl_buf_adds(&text, "): they share a part of the route");
        add(links, rule, RL_NONE, &text);
        rl_buf_release(&text);
    }
}

/* Kinds whose share of theory is on the wrong side of the threshold; what goes through the host has no theory of its own. */
static void find_by_share(struct rl_links *links, enum rl_link_rule rule, bool above)
{
    for (size_t k = 0; k < links->kind_count; k++) {
        const struct rl_link_kind *kind = &links->kinds[k];
        struct rl_buf text = RL_BUF_INIT;
        bool direct = kind->slowest != RL_NONE && strcmp(links->capture->links[kind->slowest].via, "host") != 0;
        if (!direct || !rl_present(kind->share) || (above ? kind->share.v <= threshold(rule) : kind->share.v >= threshold(rule)))
            continue;
        rl_buf_addf(&text, "%s: ", kind->label);
        add_rate(&text, kind->median.v);
        rl_buf_adds(&text, " is ");
        add_share(&text, kind->share.v);
        rl_buf_adds(&text, " of what these links can carry");
        add(links, rule, kind->slowest, &text);
        rl_buf_release(&text);
    }
}

static void find_above_theory(struct rl_links *links, enum rl_link_rule rule)
{
    find_by_share(links, rule, true);
}

static void find_below_theory(struct rl_links *links, enum rl_link_rule rule)
{
    find_by_share(links, rule, false);
}

void rl_links_evaluate(struct rl_links *links)
{
    static void (*const rules[])(struct rl_links *, enum rl_link_rule) = {
#define LINK_RULE(id, threshold, judges, advice, source) find_##id,
#include "analysis/link_rules.def"
#undef LINK_RULE
    };
    for (size_t i = 0; i < RL_COUNT(rules); i++)
        rules[i](links, (enum rl_link_rule)i);
}
