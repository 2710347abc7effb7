/* links.c - rates, latencies and kinds of the links of a machine. */
#include "analysis/links.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/groups.h"
#include "core/intern.h"
#include "core/mem.h"
#include "links_internal.h"

/* ---- what a link can carry ---- */

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
    return rl_value_missing(RL_UNDEFINED, "the route of these copies is not known");
}

/* ---- runs ---- */

/* Bytes a second of each sample, `times` its bytes in one direction. */
static struct rl_stats rates_of(const struct rl_link_run *run, double times)
{
    double *rates = rl_calloc(run->duration_count, sizeof *rates);
    size_t count = 0;
    for (size_t i = 0; i < run->duration_count; i++)
        if (run->duration_ns[i] > 0)
            rates[count++] = times * (double)run->bytes * (double)run->copies / ((double)run->duration_ns[i] * 1e-9);
    struct rl_stats stats = rl_stats_of(rates, count);
    free(rates);
    return stats;
}

static struct rl_stats seconds_of(const struct rl_link_run *run)
{
    double *seconds = rl_calloc(run->duration_count, sizeof *seconds);
    for (size_t i = 0; i < run->duration_count; i++)
        seconds[i] = (double)run->duration_ns[i] * 1e-9 / (double)run->copies;
    struct rl_stats stats = rl_stats_of(seconds, run->duration_count);
    free(seconds);
    return stats;
}

static void take_best(struct rl_stats *best, struct rl_stats rates)
{
    if (rates.n > 0 && (best->n == 0 || rates.median > best->median))
        *best = rates;
}

static void take_run(struct rl_link_result *result, const struct rl_link_run *run)
{
    if (strcmp(run->traffic, "both ways") == 0) {
        take_best(&result->both, rates_of(run, 2));
    } else if (strcmp(run->traffic, "together") == 0) {
        take_best(&result->together, rates_of(run, 1));
    } else if (run->bytes <= RL_LINK_LATENCY_BYTES) {
        result->latency = seconds_of(run);
    } else {
        struct rl_stats before = result->rate;
        take_best(&result->rate, rates_of(run, 1));
        if (result->rate.n > 0 && (before.n == 0 || result->rate.median > before.median))
            result->rate_bytes = run->bytes;
    }
}

/* ---- kinds ---- */

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
        const double version = rl_nvlink_version_of(link->nvlink_version, link->nvlink_rate);
        const char *name =
            version > 0 ? rl_arena_printf(arena, "%sNVLink %.1f", count, version) : rl_arena_printf(arena, "%sNVLink", count);
        return is_via(link, "nvlink") ? name : rl_arena_printf(arena, "%s, switched", name);
    }
    if (is_via(link, "c2c"))
        return "NVLink-C2C";
    if (is_via(link, "unknown"))
        return "route not known";
    if (is_via(link, "host"))
        return rl_arena_printf(arena, "through the host%s", topology);
    const char *generation = rl_present(link->pcie_generation) ? rl_arena_printf(arena, " %.0f", link->pcie_generation.v) : "";
    const char *width = rl_present(link->pcie_width) ? rl_arena_printf(arena, " x%.0f", link->pcie_width.v) : "";
    return rl_arena_printf(arena, "PCIe%s%s%s", generation, width, topology);
}

/* `known`: the kinds so far, by ends and label. */
static size_t kind_of(struct rl_links *links, struct rl_intern *known, const struct rl_link *link)
{
    enum rl_link_ends ends = ends_of(link);
    const char *label = link_label(&links->arena, link);
    bool is_new;
    const size_t kind = rl_intern(known, ends, label, &is_new);
    if (is_new)
        links->kinds[links->kind_count++] =
            (struct rl_link_kind){.ends = ends, .label = label, .slowest = RL_NONE, .fastest = RL_NONE, .theory = theory_of(link)};
    return kind;
}

static size_t kind_of_link(const void *context, size_t i)
{
    return ((const struct rl_links *)context)->links[i].kind;
}

/* Median over the links of a kind of one figure each; 0: the link has none. */
static struct rl_value median_over(const struct rl_links *links, const struct rl_groups *of_kind, size_t kind,
                                   double (*figure)(const struct rl_link_result *))
{
    const size_t *members, all = rl_group(of_kind, kind, &members);
    double *values = rl_calloc(all, sizeof *values);
    size_t count = 0;
    for (size_t i = 0; i < all; i++)
        if (figure(&links->links[members[i]]) > 0)
            values[count++] = figure(&links->links[members[i]]);
    struct rl_value median = count ? rl_value_of(rl_stats_of(values, count).median) : rl_value_missing(RL_NOT_COLLECTED, NULL);
    free(values);
    return median;
}
static double rate_figure(const struct rl_link_result *result)
{
    return result->rate.n ? result->rate.median : 0;
}
static double both_figure(const struct rl_link_result *result)
{
    return result->both.n ? result->both.median : 0;
}
static double latency_figure(const struct rl_link_result *result)
{
    return result->latency.n ? result->latency.median : 0;
}

static void count_link(struct rl_links *links, size_t link)
{
    assert(link < links->capture->link_count);
    const struct rl_link_result *result = &links->links[link];
    struct rl_link_kind *kind = &links->kinds[result->kind];
    kind->count++;
    if (result->rate.n == 0)
        return;
    kind->measured++;
    if (kind->slowest == RL_NONE || result->rate.median < links->links[kind->slowest].rate.median)
        kind->slowest = link;
    if (kind->fastest == RL_NONE || result->rate.median > links->links[kind->fastest].rate.median)
        kind->fastest = link;
}

static void fill_kinds(struct rl_links *links)
{
    struct rl_groups of_kind;
    rl_groups_make(&of_kind, links->kind_count, links->capture->link_count, kind_of_link, links);
    for (size_t i = 0; i < links->capture->link_count; i++)
        count_link(links, i);
    for (size_t k = 0; k < links->kind_count; k++) {
        struct rl_link_kind *kind = &links->kinds[k];
        kind->median = median_over(links, &of_kind, k, rate_figure);
        kind->both = median_over(links, &of_kind, k, both_figure);
        kind->latency = median_over(links, &of_kind, k, latency_figure);
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

/* ---- all at once ---- */

/* Of each link between such ends the first run together with the others; NULL: none. Free with free(). */
static const struct rl_link_run **runs_together(const struct rl_capture *capture, enum rl_link_ends ends)
{
    const struct rl_link_run **together = rl_calloc(capture->link_count, sizeof *together);
    for (size_t i = capture->link_run_count; i-- > 0;) {
        const struct rl_link_run *run = &capture->link_runs[i];
        if (strcmp(run->traffic, "together") == 0 && ends_of(&capture->links[run->link]) == ends)
            together[run->link] = run;
    }
    return together;
}

/* Sample by sample: the bytes of all over the time of the slowest. */
static struct rl_link_total total_of(const struct rl_links *links, enum rl_link_ends ends)
{
    const struct rl_capture *capture = links->capture;
    const struct rl_link_run **together = runs_together(capture, ends);
    struct rl_link_total total = {.alone = rl_value_of(0)};
    size_t samples = SIZE_MAX;
    for (size_t i = 0; i < capture->link_count; i++)
        if (together[i])
            samples = together[i]->duration_count < samples ? together[i]->duration_count : samples;
    samples = samples == SIZE_MAX ? 0 : samples;
    double *bytes = rl_calloc(samples, sizeof *bytes), *slowest = rl_calloc(samples, sizeof *slowest);
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
    free(bytes);
    free(slowest);
    free(together);
    return total;
}

/* ---- the whole ---- */

struct rl_links *rl_links_new(const struct rl_capture *capture)
{
    struct rl_links *links = rl_calloc(1, sizeof *links);
    struct rl_intern known = {0};
    links->capture = capture;
    links->links = rl_calloc(capture->link_count, sizeof *links->links);
    links->kinds = rl_calloc(capture->link_count, sizeof *links->kinds);
    for (size_t i = 0; i < capture->link_count; i++) {
        links->links[i].theory = theory_of(&capture->links[i]);
        links->links[i].kind = kind_of(links, &known, &capture->links[i]);
    }
    rl_links_sort_ends(links);
    for (size_t i = 0; i < capture->link_run_count; i++)
        take_run(&links->links[capture->link_runs[i].link], &capture->link_runs[i]);
    fill_kinds(links);
    links->from_host = total_of(links, RL_LINK_FROM_HOST);
    links->to_host = total_of(links, RL_LINK_TO_HOST);
    rl_links_evaluate(links);
    rl_intern_release(&known);
    return links;
}

void rl_links_free(struct rl_links *links)
{
    if (!links)
        return;
    free(links->links);
    free(links->by_ends);
    free(links->kinds);
    free(links->findings);
    rl_arena_release(&links->arena);
    free(links);
}

bool rl_capture_has_only_links(const struct rl_capture *capture)
{
    return capture->link_count > 0 && capture->kernel_count == 0 && capture->variant_count == 0 && capture->ceiling_count == 0 &&
           capture->process_count == 0;
}

/* ---- by size ---- */

/* Median time of a copy of a run, s; 0 without samples. */
static double median_time(const struct rl_link_run *run)
{
    double *ns = rl_calloc(run->duration_count + 1, sizeof *ns);
    for (size_t k = 0; k < run->duration_count; k++)
        ns[k] = (double)run->duration_ns[k];
    const double median = rl_stats_of(ns, run->duration_count).median * 1e-9;
    free(ns);
    return median;
}

double rl_links_rate_at(const struct rl_links *links, size_t kind, uint64_t bytes)
{
    const struct rl_capture *capture = links->capture;
    double *rates = rl_calloc(capture->link_run_count + 1, sizeof *rates);
    size_t count = 0;
    for (size_t i = 0; i < capture->link_run_count; i++) {
        const struct rl_link_run *run = &capture->link_runs[i];
        if (run->bytes != bytes || strcmp(run->traffic, "alone") != 0 || links->links[run->link].kind != kind)
            continue;
        const double time = median_time(run);
        if (time > 0)
            rates[count++] = (double)bytes * (double)run->copies / time;
    }
    const double median = count ? rl_stats_of(rates, count).median : NAN;
    free(rates);
    return median;
}
