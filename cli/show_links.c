/* show_links.c - the links of a machine for people: a matrix, what belongs together, what stands out. */
#include <stdio.h>
#include <string.h>

#include "analysis/links.h"
#include "core/mem.h"
#include "core/units.h"
#include "show.h"

enum { MOST_COLUMNS = 16 }; /* of a matrix that a terminal can show */

static const char *const ends_words[] = {
    [RL_LINK_PEERS] = "GPU to GPU", [RL_LINK_FROM_HOST] = "host to GPU", [RL_LINK_TO_HOST] = "GPU to host"};

static struct rl_value median_of(const struct rl_stats *stats)
{
    return stats->n ? rl_value_of(stats->median) : rl_value_missing(RL_NOT_COLLECTED, NULL);
}

/* A rate in GB/s, the same unit in every cell. */
static void matrix_cell(struct rl_table *table, const struct rl_links *links, size_t from, size_t to)
{
    size_t link = from == to ? RL_NONE : rl_links_find(links, from, to);
    const struct rl_link_result *result = link == RL_NONE ? NULL : &links->links[link];
    if (!result)
        rl_table_cell(table, "");
    else if (result->rate.n == 0)
        rl_table_cell(table, "\xE2\x80\x93");
    else
        rl_table_cellf(table, result->rate.median >= 99.95e9 ? "%.0f" : "%.1f", result->rate.median * 1e-9);
}

static void print_matrix(const struct rl_links *links, struct cli_doc *doc)
{
    const struct rl_capture *capture = links->capture;
    struct rl_table table;
    char name[32];
    if (capture->gpu_count > MOST_COLUMNS) {
        cli_doc_note(doc, "too many GPUs for a matrix here: the report and --json have it");
        return;
    }
    rl_table_init(&table);
    rl_table_column(&table, "from \\ to", RL_LEFT);
    for (size_t g = 0; g < capture->gpu_count; g++) {
        snprintf(name, sizeof name, "GPU %d", capture->gpus[g].index);
        rl_table_column(&table, name, RL_RIGHT);
    }
    rl_table_column(&table, "host", RL_RIGHT);
    for (size_t from = 0; from <= capture->gpu_count; from++) {
        bool host = from == capture->gpu_count;
        rl_table_row(&table);
        snprintf(name, sizeof name, "GPU %d", host ? 0 : capture->gpus[from].index);
        rl_table_cell(&table, host ? "host" : name);
        for (size_t to = 0; to < capture->gpu_count; to++)
            matrix_cell(&table, links, host ? RL_NONE : from, to);
        matrix_cell(&table, links, host ? RL_NONE : from, RL_NONE);
    }
    cli_doc_table(doc, &table);
    cli_doc_note(doc, "GB/s in one direction, each link alone: median of the size of copy that is fastest");
    rl_table_release(&table);
}

static void print_kinds(const struct rl_links *links, struct cli_doc *doc)
{
    static const char *const heads[] = {"ends", "way", "links", "median", "slowest", "of theory", "both ways", "latency"};
    struct rl_table table;
    rl_table_init(&table);
    for (size_t i = 0; i < RL_COUNT(heads); i++)
        rl_table_column(&table, heads[i], i < 2 ? RL_LEFT : RL_RIGHT);
    for (size_t k = 0; k < links->kind_count; k++) {
        const struct rl_link_kind *kind = &links->kinds[k];
        rl_table_row(&table);
        rl_table_cell(&table, ends_words[kind->ends]);
        rl_table_cell(&table, kind->label);
        if (kind->measured == kind->count)
            rl_table_cellf(&table, "%zu", kind->count);
        else
            rl_table_cellf(&table, "%zu of %zu", kind->measured, kind->count);
        rl_table_value(&table, RL_UNIT_BYTE_PER_SECOND, kind->median, 3);
        rl_table_value(&table, RL_UNIT_BYTE_PER_SECOND,
                       kind->slowest == RL_NONE ? kind->median : median_of(&links->links[kind->slowest].rate), 3);
        rl_table_value(&table, RL_UNIT_FRACTION, kind->share, 3);
        rl_table_value(&table, RL_UNIT_BYTE_PER_SECOND, kind->both, 3);
        rl_table_value(&table, RL_UNIT_SECOND, kind->latency, 3);
    }
    cli_doc_table(doc, &table);
    rl_table_release(&table);
}

static void print_total(const struct rl_link_total *total, const char *words, struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    if (total->together.n > 0) {
        rl_buf_addf(&text, "%s: ", words);
        rl_unit_format(&text, RL_UNIT_BYTE_PER_SECOND, total->together.median, 3);
        rl_buf_adds(&text, ", ");
        rl_value_format(&text, RL_UNIT_FRACTION, total->share, 3);
        rl_buf_adds(&text, " of the sum of each alone");
        cli_doc_note(doc, text.data);
    }
    rl_buf_release(&text);
}

void show_links(const struct show *show, struct cli_doc *doc)
{
    struct rl_links *links = rl_links_new(show->capture);
    size_t width = 0;
    cli_doc_heading(doc, "Links between GPUs");
    print_matrix(links, doc);
    cli_doc_gap(doc);
    print_kinds(links, doc);
    print_total(&links->from_host, "from the host to all GPUs at once", doc);
    print_total(&links->to_host, "from all GPUs at once to the host", doc);
    for (size_t i = 0; i < links->finding_count; i++)
        width =
            strlen(rl_link_rules[links->findings[i].rule].id) > width ? strlen(rl_link_rules[links->findings[i].rule].id) : width;
    if (links->finding_count)
        cli_doc_heading(doc, "Findings about links");
    for (size_t i = 0; i < links->finding_count; i++)
        cli_doc_item(doc, rl_link_rules[links->findings[i].rule].id, width, links->findings[i].text);
    rl_links_free(links);
}

/* ---- JSON ---- */

static void write_stats(struct rl_json *json, const char *key, const struct rl_stats *stats)
{
    if (stats->n == 0) {
        rl_json_null(json, key);
        return;
    }
    rl_json_object(json, key);
    rl_json_double(json, "median", stats->median);
    rl_json_value(json, "low", stats->has_interval ? rl_value_of(stats->low) : rl_value_missing(RL_UNDEFINED, NULL));
    rl_json_value(json, "high", stats->has_interval ? rl_value_of(stats->high) : rl_value_missing(RL_UNDEFINED, NULL));
    rl_json_double(json, "min", stats->min);
    rl_json_double(json, "max", stats->max);
    rl_json_uint(json, "n", stats->n);
    rl_json_end(json);
}

static void write_end(struct rl_json *json, const struct rl_capture *capture, const char *key, size_t gpu)
{
    if (gpu == RL_NONE)
        rl_json_string(json, key, "host");
    else
        rl_json_int(json, key, capture->gpus[gpu].index);
}

static void write_link(struct rl_json *json, const struct rl_links *links, size_t index)
{
    const struct rl_link *link = &links->capture->links[index];
    const struct rl_link_result *result = &links->links[index];
    rl_json_object(json, NULL);
    write_end(json, links->capture, "from", link->from_gpu);
    write_end(json, links->capture, "to", link->to_gpu);
    rl_json_string(json, "via", link->via);
    rl_json_string(json, "kind", links->kinds[result->kind].label);
    rl_json_string(json, "topology", link->topology);
    rl_json_string(json, "access", link->access);
    rl_json_value(json, "nvlinks", link->nvlinks);
    rl_json_value(json, "nvlink_version", link->nvlink_version);
    rl_json_value(json, "pcie_generation", link->pcie_generation);
    rl_json_value(json, "pcie_width", link->pcie_width);
    rl_json_value(json, "theoretical", result->theory);
    write_stats(json, "measured", &result->rate);
    rl_json_uint(json, "copy_bytes", result->rate_bytes);
    write_stats(json, "both_ways", &result->both);
    write_stats(json, "together", &result->together);
    write_stats(json, "latency_s", &result->latency);
    rl_json_value(json, "share", result->share);
    rl_json_value(json, "share_of_kind", result->of_kind);
    rl_json_string(json, "failure", link->failure);
    rl_json_end(json);
}

static void write_total(struct rl_json *json, const char *key, const struct rl_link_total *total)
{
    rl_json_object(json, key);
    write_stats(json, "measured", &total->together);
    rl_json_value(json, "sum_alone", total->alone);
    rl_json_value(json, "share", total->share);
    rl_json_end(json);
}

void show_links_json(const struct show *show, struct rl_json *json)
{
    struct rl_links *links = show->capture->link_count ? rl_links_new(show->capture) : NULL;
    if (!links)
        return;
    rl_json_array(json, "links");
    for (size_t i = 0; i < show->capture->link_count; i++)
        write_link(json, links, i);
    rl_json_end(json);
    write_total(json, "host_to_all", &links->from_host);
    write_total(json, "all_to_host", &links->to_host);
    rl_json_array(json, "link_findings");
    for (size_t i = 0; i < links->finding_count; i++) {
        rl_json_object(json, NULL);
        rl_json_string(json, "id", rl_link_rules[links->findings[i].rule].id);
        rl_json_string(json, "text", links->findings[i].text);
        rl_json_end(json);
    }
    rl_json_end(json);
    rl_links_free(links);
}
