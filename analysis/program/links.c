/* links.c - rates, latencies and kinds of the links of a machine, and what stands out (see analysis/links.h). */
#include "analysis/links.h"

#include "core/groups.h"
#include "core/intern.h"

/* ---- what a link can carry ---- */

static const struct {
    double version, rate;
} nvlinks[] = {
#define NVLINK(version, rate, source) {version, rate},
#define PCIE(generation, transfers, code, source)
#include "analysis/links.def"
};
static const struct {
    double generation, rate; /* B/s of a lane */
} lanes[] = {
#define NVLINK(version, rate, source)
#define PCIE(generation, transfers, code, source) {generation, (transfers) / 8 * (code)},
#include "analysis/links.def"
};

struct rl_value rl_nvlink_bytes_per_second(struct rl_value version, struct rl_value wire_rate)
{
    double by_wire = 0, by_version = 0;
    for (size_t i = 0; i < RL_COUNT(nvlinks); i++) {
        if (rl_present(wire_rate) && nvlinks[i].rate <= wire_rate.v * 1.001)
            by_wire = fmax(by_wire, nvlinks[i].rate);
        if (rl_present(version) && fabs(nvlinks[i].version - version.v) < 0.05)
            by_version = nvlinks[i].rate;
    }
    if (by_wire > 0)
        return rl_value_of(by_wire);
    if (by_version > 0)
        return rl_value_of(by_version);
    return rl_present(version) ? rl_value_missing(RL_UNDEFINED, "unknown NVLink version") : version;
}

struct rl_value rl_pcie_bytes_per_second(struct rl_value generation, struct rl_value width)
{
    if (!rl_present(generation))
        return generation;
    const size_t at = RL_FIRST(i, RL_COUNT(lanes), lanes[i].generation == generation.v);
    return at < RL_COUNT(lanes) ? rl_value_mul(rl_value_of(lanes[at].rate), width)
                                : rl_value_missing(RL_UNDEFINED, "unknown PCIe generation");
}

static bool is_via(const struct rl_link *link, const char *way)
{
    return strcmp(link->via, way) == 0;
}

static struct rl_value theory_of(const struct rl_link *link)
{
    if (is_via(link, "nvlink") || is_via(link, "nvswitch"))
        return rl_value_mul(link->nvlinks, rl_nvlink_bytes_per_second(link->nvlink_version, link->nvlink_rate));
    if (is_via(link, "pcie") || is_via(link, "host"))
        return rl_pcie_bytes_per_second(link->pcie_generation, link->pcie_width);
    return rl_value_missing(RL_UNDEFINED, "the route of these copies is unknown");
}

/* Bytes a second of each sample, `times` its bytes in one direction. */
static struct rl_stats rates_of(const struct rl_link_run *run, double times)
{
    RL_FREED double *rates = rl_calloc(run->duration_count, sizeof *rates);
    size_t count = 0;
    for (size_t i = 0; i < run->duration_count; i++)
        if (run->duration_ns[i] > 0)
            rates[count++] = times * (double)run->bytes * (double)run->copies / ((double)run->duration_ns[i] * 1e-9);
    return rl_stats_of(rates, count);
}

static void take_best(struct rl_stats *best, struct rl_stats rates)
{
    if (rates.n > 0 && (best->n == 0 || rates.median > best->median))
        *best = rates;
}

/* ---- kinds ---- */

const char *const rl_link_ends[] = {
    [RL_LINK_PEERS] = "GPU to GPU", [RL_LINK_FROM_HOST] = "host to GPU", [RL_LINK_TO_HOST] = "GPU to host"};

static enum rl_link_ends ends_of(const struct rl_link *link)
{
    return link->from_gpu == RL_NONE ? RL_LINK_FROM_HOST : link->to_gpu == RL_NONE ? RL_LINK_TO_HOST : RL_LINK_PEERS;
}

/* Where between two GPUs copies go says nothing of NVLink, but much of PCIe. */
static const char *link_label(struct rl_arena *arena, const struct rl_link *link)
{
    const char *topology = link->topology ? rl_arena_printf(arena, " (%s)", link->topology) : "";
    if (is_via(link, "nvlink") || is_via(link, "nvswitch")) {
        const char *count = rl_present(link->nvlinks) ? rl_arena_printf(arena, "%.0f x ", link->nvlinks.v) : "";
        /* The version that the wire carries, which may be an earlier one than the driver tells; 0: unknown. */
        const struct rl_value rate = rl_nvlink_bytes_per_second(link->nvlink_version, link->nvlink_rate);
        double version = 0;
        for (size_t i = 0; i < RL_COUNT(nvlinks) && rl_present(rate) && rl_present(link->nvlink_version); i++)
            if (nvlinks[i].rate == rate.v && nvlinks[i].version <= link->nvlink_version.v)
                version = nvlinks[i].version;
        const char *name =
            version > 0 ? rl_arena_printf(arena, "%sNVLink %.1f", count, version) : rl_arena_printf(arena, "%sNVLink", count);
        return is_via(link, "nvlink") ? name : rl_arena_printf(arena, "%s, switched", name);
    }
    if (is_via(link, "c2c"))
        return "NVLink-C2C";
    if (is_via(link, "unknown"))
        return "route unknown";
    if (is_via(link, "host"))
        return rl_arena_printf(arena, "through the host%s", topology);
    const char *generation = rl_present(link->pcie_generation) ? rl_arena_printf(arena, " %.0f", link->pcie_generation.v) : "";
    const char *width = rl_present(link->pcie_width) ? rl_arena_printf(arena, " x%.0f", link->pcie_width.v) : "";
    return rl_arena_printf(arena, "PCIe%s%s%s", generation, width, topology);
}

static size_t kind_of_link(const void *context, size_t i)
{
    return ((const struct rl_links *)context)->links[i].kind;
}

/* Median over the links of a kind of the statistics at `at` of their results. */
static struct rl_value median_over(const struct rl_links *links, const struct rl_groups *of_kind, size_t kind, size_t at)
{
    const size_t *members, all = rl_group(of_kind, kind, &members);
    RL_FREED double *values = rl_calloc(all, sizeof *values);
    size_t count = 0;
    for (size_t i = 0; i < all; i++) {
        const struct rl_stats *stats = (const void *)((const char *)&links->links[members[i]] + at);
        if (stats->n && stats->median > 0)
            values[count++] = stats->median;
    }
    return count ? rl_value_of(rl_stats_of(values, count).median) : rl_value_missing(RL_NOT_COLLECTED, NULL);
}

static const char *const total_names[] = {
    [RL_LINK_FROM_HOST] = "from the host to all GPUs", [RL_LINK_TO_HOST] = "from all GPUs to the host"};

/* Sample by sample: the bytes of all over the time of the slowest. */
static struct rl_link_total total_of(const struct rl_links *links, enum rl_link_ends ends)
{
    const struct rl_capture *capture = links->capture;
    const struct rl_link_run **together = rl_calloc(capture->link_count, sizeof *together); /* of each link its first such run */
    struct rl_link_total total = {.alone = rl_value_of(0), .direction = total_names[ends]};
    size_t samples = SIZE_MAX;
    for (size_t i = capture->link_run_count; i-- > 0;) {
        const struct rl_link_run *run = &capture->link_runs[i];
        if (strcmp(run->traffic, "together") == 0 && ends_of(&capture->links[run->link]) == ends)
            together[run->link] = run;
    }
    for (size_t i = 0; i < capture->link_count; i++)
        if (together[i])
            samples = together[i]->duration_count < samples ? together[i]->duration_count : samples;
    samples = samples == SIZE_MAX ? 0 : samples;
    RL_FREED double *bytes = rl_calloc(samples, sizeof *bytes), *slowest = rl_calloc(samples, sizeof *slowest);
    for (size_t i = 0; i < capture->link_count; i++) {
        const struct rl_link_run *run = together[i];
        if (!run)
            continue;
        total.alone = rl_value_add(total.alone, links->links[i].rate.n ? rl_value_of(links->links[i].rate.median)
                                                                       : rl_value_missing(RL_NOT_COLLECTED, "not measured alone"));
        for (size_t k = 0; k < samples; k++) {
            bytes[k] += (double)run->bytes * (double)run->copies;
            slowest[k] = fmax(slowest[k], (double)run->duration_ns[k] * 1e-9);
        }
    }
    size_t count = 0;
    for (size_t k = 0; k < samples; k++)
        if (slowest[k] > 0)
            bytes[count++] = bytes[k] / slowest[k];
    total.together = rl_stats_of(bytes, count);
    total.share = rl_value_div(count ? rl_value_of(total.together.median) : rl_value_missing(RL_NOT_COLLECTED, NULL), total.alone,
                               "not measured alone");
    free(together);
    return total;
}

/* ---- links by the GPUs that they join ---- */

static int compare_ends(const struct rl_link *a, const struct rl_link *b)
{
    return rl_ascending(a->from_gpu, b->from_gpu) ?: rl_ascending(a->to_gpu, b->to_gpu);
}

RL_COMPARATOR_AT(by_ends, size_t, struct rl_link, context, compare_ends(x, y));

size_t rl_links_find(const struct rl_links *links, size_t from_gpu, size_t to_gpu)
{
    const struct rl_link *all = links->capture->links, key = {.from_gpu = from_gpu, .to_gpu = to_gpu};
    const size_t count = links->capture->link_count;
    const size_t at = RL_BISECT(i, count, compare_ends(&all[links->by_ends[i]], &key) < 0);
    return at < count && compare_ends(&all[links->by_ends[at]], &key) == 0 ? links->by_ends[at] : RL_NONE;
}

static void add_end(const struct rl_capture *capture, size_t gpu, struct rl_buf *out)
{
    if (gpu == RL_NONE)
        rl_buf_adds(out, "host");
    else
        rl_buf_addf(out, "GPU %d", capture->gpus[gpu].index);
}

void rl_link_name(const struct rl_capture *capture, size_t link, struct rl_buf *out)
{
    assert(link < capture->link_count);
    add_end(capture, capture->links[link].from_gpu, out);
    rl_buf_adds(out, " to ");
    add_end(capture, capture->links[link].to_gpu, out);
}

/* ---- the rules of link_rules.def ---- */

const struct rl_link_rule_info rl_link_rules[RL_LINK_RULE_COUNT] = {
#define LINK_RULE(id, threshold, judges, advice, source) {#id, threshold, judges, advice, source},
#include "analysis/link_rules.def"
};

enum { LIKE = 3 }; /* fewest links that make a median worth comparing with */

/* "451 GB/s", "61 %", "GPU 0 to GPU 1": texts that live as long as the links. */
static const char *words_of(struct rl_links *links, enum rl_unit unit, double value, int digits)
{
    RL_SCRATCH text = RL_BUF_INIT;
    rl_unit_format(&text, unit, value, digits);
    return rl_arena_strdup(&links->arena, text.data);
}

static const char *rate_of(struct rl_links *links, double rate)
{
    return words_of(links, RL_UNIT_BYTE_PER_SECOND, rate, 3);
}

static const char *share_of(struct rl_links *links, double share)
{
    return words_of(links, RL_UNIT_FRACTION, share, 3);
}

static const char *name_of(struct rl_links *links, size_t link)
{
    RL_SCRATCH text = RL_BUF_INIT;
    rl_link_name(links->capture, link, &text);
    return rl_arena_strdup(&links->arena, text.data);
}

static void add_finding(struct rl_links *links, enum rl_link_rule rule, size_t link, const char *text)
{
    RL_APPEND(links->findings, links->finding_count, links->finding_cap,
              (struct rl_link_finding){.rule = rule, .link = link, .text = text});
    if (link != RL_NONE)
        links->links[link].found |= 1u << rule;
}

static void find_failed(struct rl_links *links, enum rl_link_rule rule)
{
    for (size_t i = 0; i < links->capture->link_count; i++)
        if (links->capture->links[i].failure)
            add_finding(links, rule, i,
                        rl_arena_printf(&links->arena, "link %s %s: %s", name_of(links, i),
                                        links->links[i].rate.n ? "was measured only in part" : "was not measured",
                                        links->capture->links[i].failure));
}

static void find_slow_link(struct rl_links *links, enum rl_link_rule rule)
{
    for (size_t i = 0; i < links->capture->link_count; i++) {
        const struct rl_link_result *result = &links->links[i];
        const struct rl_link_kind *kind = &links->kinds[result->kind];
        if (kind->measured >= LIKE && rl_present(result->of_kind) && result->of_kind.v < rl_link_rules[rule].threshold)
            add_finding(links, rule, i,
                        rl_arena_printf(&links->arena, "link %s reaches %s of the median of its kind: %s, where %s is usual (%s)",
                                        name_of(links, i), share_of(links, result->of_kind.v), rate_of(links, result->rate.median),
                                        rate_of(links, kind->median.v), kind->label));
    }
}

/* Links that the rule before has not named. */
static void find_uneven_pair(struct rl_links *links, enum rl_link_rule rule)
{
    for (size_t i = 0; i < links->capture->link_count; i++) {
        const struct rl_link *link = &links->capture->links[i];
        const size_t back = rl_links_find(links, link->to_gpu, link->from_gpu);
        if (ends_of(link) != RL_LINK_PEERS || back == RL_NONE || links->links[i].rate.n == 0 || links->links[back].rate.n == 0)
            continue;
        const double share = links->links[i].rate.median / links->links[back].rate.median;
        if (share < rl_link_rules[rule].threshold && !(links->links[i].found & 1u << RL_LINK_RULE_slow_link))
            add_finding(links, rule, i,
                        rl_arena_printf(&links->arena, "%s carries %s of the other direction: %s against %s", name_of(links, i),
                                        share_of(links, share), rate_of(links, links->links[i].rate.median),
                                        rate_of(links, links->links[back].rate.median)));
    }
}

/* One finding for each reason: many pairs have the same. */
static void find_no_access(struct rl_links *links, enum rl_link_rule rule)
{
    const struct rl_capture *capture = links->capture;
    RL_AT_END(rl_intern_release) struct rl_intern reasons = {0};
    RL_FREED size_t *same = rl_calloc(capture->link_count, sizeof *same), *first = rl_calloc(capture->link_count, sizeof *first);
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
        const char *others = same[i] > 1 ? rl_arena_printf(&links->arena, " and %zu more", same[i] - 1) : "";
        add_finding(links, rule, first[i],
                    rl_arena_printf(&links->arena, "%s%s: no direct access (%s); copies go through the host's memory",
                                    name_of(links, first[i]), others, reasons.entries[i].text));
    }
}

static void find_narrow_pcie(struct rl_links *links, enum rl_link_rule rule)
{
    const struct rl_capture *capture = links->capture;
    for (size_t i = 0; i < capture->link_count; i++) {
        const struct rl_link *link = &capture->links[i];
        if (link->from_gpu != RL_NONE || !is_via(link, "pcie"))
            continue;
        const struct rl_value *fact = capture->gpus[link->to_gpu].fact;
        const struct rl_value now = rl_pcie_bytes_per_second(fact[RL_FACT_pcie_generation], fact[RL_FACT_pcie_width]);
        const struct rl_value share = rl_value_div(now, links->links[i].theory, NULL);
        if (rl_present(share) && share.v < rl_link_rules[rule].threshold - 1e-9)
            add_finding(links, rule, i,
                        rl_arena_printf(&links->arena, "GPU %d runs PCIe %.0f x%.0f under load, its ends can do PCIe %.0f x%.0f",
                                        capture->gpus[link->to_gpu].index, fact[RL_FACT_pcie_generation].v,
                                        fact[RL_FACT_pcie_width].v, link->pcie_generation.v, link->pcie_width.v));
    }
}

static void find_shared_host(struct rl_links *links, enum rl_link_rule rule)
{
    const struct {
        const struct rl_link_total *total;
        const char *words;
    } ways[] = {{&links->from_host, "from the host to all GPUs at once"}, {&links->to_host, "from all GPUs at once to the host"}};
    for (size_t i = 0; i < RL_COUNT(ways); i++) {
        const struct rl_link_total *total = ways[i].total;
        if (rl_present(total->share) && total->share.v < rl_link_rules[rule].threshold)
            add_finding(links, rule, RL_NONE,
                        rl_arena_printf(&links->arena, "%s %s, %s of the sum of each alone (%s): they share a part of the route",
                                        ways[i].words, rate_of(links, total->together.median), share_of(links, total->share.v),
                                        rate_of(links, total->alone.v)));
    }
}

/* Kinds whose share of theory is on the wrong side of the threshold; what goes through the host has no theoretical rate. */
static void find_by_share(struct rl_links *links, enum rl_link_rule rule, bool above)
{
    const double threshold = rl_link_rules[rule].threshold;
    for (size_t k = 0; k < links->kind_count; k++) {
        const struct rl_link_kind *kind = &links->kinds[k];
        if (kind->slowest == RL_NONE || is_via(&links->capture->links[kind->slowest], "host") || !rl_present(kind->share) ||
            !(above ? kind->share.v > threshold : kind->share.v < threshold))
            continue;
        add_finding(links, rule, kind->slowest,
                    rl_arena_printf(&links->arena, "%s: %s is %s of what these links can carry", kind->label,
                                    rate_of(links, kind->median.v), share_of(links, kind->share.v)));
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

static void evaluate(struct rl_links *links)
{
    static void (*const rules[])(struct rl_links *, enum rl_link_rule) = {
#define LINK_RULE(id, threshold, judges, advice, source) find_##id,
#include "analysis/link_rules.def"
    };
    for (size_t i = 0; i < RL_COUNT(rules); i++)
        rules[i](links, (enum rl_link_rule)i);
}

/* ---- the whole ---- */

static void take_run(struct rl_link_result *result, const struct rl_link_run *run)
{
    if (strcmp(run->traffic, "both ways") == 0) {
        take_best(&result->both, rates_of(run, 2));
    } else if (strcmp(run->traffic, "together") == 0) {
        take_best(&result->together, rates_of(run, 1));
    } else if (run->bytes <= RL_LINK_LATENCY_BYTES) {
        RL_FREED double *seconds = rl_calloc(run->duration_count, sizeof *seconds);
        for (size_t i = 0; i < run->duration_count; i++)
            seconds[i] = (double)run->duration_ns[i] * 1e-9 / (double)run->copies;
        struct rl_stats stats = rl_stats_of(seconds, run->duration_count);
        result->latency = stats;
    } else {
        struct rl_stats before = result->rate;
        take_best(&result->rate, rates_of(run, 1));
        if (result->rate.n > 0 && (before.n == 0 || result->rate.median > before.median))
            result->rate_bytes = run->bytes;
    }
}

static void fill_kinds(struct rl_links *links)
{
    struct rl_groups of_kind;
    rl_groups_make(&of_kind, links->kind_count, links->capture->link_count, kind_of_link, links);
    for (size_t i = 0; i < links->capture->link_count; i++) {
        const struct rl_link_result *result = &links->links[i];
        struct rl_link_kind *kind = &links->kinds[result->kind];
        kind->count++;
        if (result->rate.n == 0)
            continue;
        kind->measured++;
        if (kind->slowest == RL_NONE || result->rate.median < links->links[kind->slowest].rate.median)
            kind->slowest = i;
        if (kind->fastest == RL_NONE || result->rate.median > links->links[kind->fastest].rate.median)
            kind->fastest = i;
    }
    for (size_t k = 0; k < links->kind_count; k++) {
        struct rl_link_kind *kind = &links->kinds[k];
        kind->median = median_over(links, &of_kind, k, offsetof(struct rl_link_result, rate));
        kind->both = median_over(links, &of_kind, k, offsetof(struct rl_link_result, both));
        kind->latency = median_over(links, &of_kind, k, offsetof(struct rl_link_result, latency));
        kind->share = rl_value_div(kind->median, kind->theory, NULL);
    }
    for (size_t i = 0; i < links->capture->link_count; i++) {
        struct rl_link_result *result = &links->links[i];
        struct rl_value rate =
            result->rate.n ? rl_value_of(result->rate.median) : rl_value_missing(RL_NOT_COLLECTED, "not measured");
        result->share = rl_value_div(rate, result->theory, NULL);
        result->of_kind = rl_value_div(rate, links->kinds[result->kind].median, NULL);
    }
    rl_groups_release(&of_kind);
}

struct rl_links *rl_links_new(const struct rl_capture *capture)
{
    struct rl_links *links = rl_calloc(1, sizeof *links);
    RL_AT_END(rl_intern_release) struct rl_intern known = {0};
    links->capture = capture;
    links->links = rl_calloc(capture->link_count, sizeof *links->links);
    links->kinds = rl_calloc(capture->link_count, sizeof *links->kinds);
    for (size_t i = 0; i < capture->link_count; i++) {
        links->links[i].of = &capture->links[i];
        links->links[i].theory = theory_of(&capture->links[i]);
        /* `known`: the kinds so far, by ends and label. */
        const struct rl_link *link = &capture->links[i];
        enum rl_link_ends ends = ends_of(link);
        const char *label = link_label(&links->arena, link);
        bool is_new;
        const size_t kind = rl_intern(&known, ends, label, &is_new);
        if (is_new)
            links->kinds[links->kind_count++] = (struct rl_link_kind){
                .ends = ends, .label = label, .slowest = RL_NONE, .fastest = RL_NONE, .theory = theory_of(link)};
        links->links[i].kind = kind;
    }
    links->by_ends = rl_calloc(capture->link_count, sizeof *links->by_ends);
    for (size_t i = 0; i < capture->link_count; i++)
        links->by_ends[i] = i;
    rl_sort_with(links->by_ends, capture->link_count, sizeof *links->by_ends, by_ends, capture->links);
    for (size_t i = 0; i < capture->link_run_count; i++)
        take_run(&links->links[capture->link_runs[i].link], &capture->link_runs[i]);
    fill_kinds(links);
    links->from_host = total_of(links, RL_LINK_FROM_HOST);
    links->to_host = total_of(links, RL_LINK_TO_HOST);
    evaluate(links);
    return links;
}

void rl_links_free(struct rl_links *links)
{
    if (!links)
        return;
    RL_FREE(links->links, links->by_ends, links->kinds, links->findings);
    rl_arena_release(&links->arena);
    free(links);
}

bool rl_capture_has_only_links(const struct rl_capture *capture)
{
    return capture->link_count > 0 && capture->kernel_count == 0 && capture->variant_count == 0 && capture->ceiling_count == 0 &&
           capture->process_count == 0;
}
