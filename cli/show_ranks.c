/* show_ranks.c - several ranks of a program for people: time by rank, what makes the slowest one slow. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/program.h"
#include "analysis/ranks.h"
#include "core/mem.h"
#include "core/units.h"
#include "core/utf8.h"
#include "show.h"

enum { MOST_RANKS = 24, MOST_KERNELS = 12, MOST_NAME = 40 };

static void seconds_cell(struct rl_table *table, double seconds)
{
    rl_table_value(table, RL_UNIT_SECOND, rl_value_of(seconds), 3);
}

static void add_seconds(struct rl_buf *out, double seconds)
{
    rl_unit_format(out, RL_UNIT_SECOND, seconds, 3);
}

/* ---- in a sentence ---- */

static void print_answer(const struct rl_ranks *ranks, struct cli_doc *doc)
{
    const struct rl_rank *slowest = &ranks->ranks[ranks->slowest];
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_addf(&text, "%zu", ranks->count);
    if (ranks->hosts)
        rl_buf_addf(&text, " on %zu host%s", ranks->hosts, ranks->hosts == 1 ? "" : "s");
    cli_doc_item(doc, "ranks", 10, text.data);
    rl_buf_reset(&text);
    rl_value_format(&text, RL_UNIT_FRACTION, ranks->imbalance, 3);
    if (rl_present(ranks->imbalance)) {
        rl_buf_addf(&text, ": rank %s is the slowest with ", slowest->name);
        add_seconds(&text, slowest->own_s);
        rl_buf_adds(&text, " of its own kernels, the mean is ");
        add_seconds(&text, ranks->mean_own_s);
    } else {
        rl_buf_addf(&text, " (%s)", ranks->imbalance.reason);
    }
    cli_doc_item(doc, "imbalance", 10, text.data);
    rl_buf_release(&text);
}

/* ---- tables ---- */

static void add_rank(struct rl_table *table, const struct rl_ranks *ranks, const struct rl_rank *rank)
{
    struct rl_buf host = RL_BUF_INIT;
    rl_utf8_short(&host, rank->host ? rank->host : "\xE2\x80\x93", MOST_NAME);
    rl_table_row(table);
    rl_table_cell(table, rank->name);
    rl_table_cell(table, host.data);
    if (rank->gpus > 1)
        rl_table_cellf(table, "%zu GPUs", rank->gpus);
    else if (rank->gpus)
        rl_table_cellf(table, "%d", ranks->capture->gpus[rank->gpu].index);
    else
        rl_table_cell(table, "\xE2\x80\x93");
    seconds_cell(table, rank->wall_s);
    seconds_cell(table, rank->busy_s);
    rl_table_value(table, RL_UNIT_FRACTION, rank->idle, 3);
    seconds_cell(table, rank->own_s);
    rl_table_value(table, RL_UNIT_NONE, rl_value_div(rl_value_of(rank->own_s), rl_value_of(ranks->mean_own_s), NULL), 3);
    seconds_cell(table, rank->collective_s);
    rl_table_value(table, RL_UNIT_FRACTION, rank->coverage, 3);
    rl_buf_release(&host);
}

static int by_place(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static void print_ranks(const struct show *show, const struct rl_ranks *ranks, struct cli_doc *doc)
{
    static const char *const heads[] = {"rank", "host", "GPU", "wall", "busy", "idle", "own", "of mean", "collectives", "counted"};
    struct rl_table table;
    size_t most = show->verbose && ranks->count > MOST_RANKS ? ranks->count : MOST_RANKS;
    size_t *chosen = rl_calloc(most, sizeof *chosen), count = rl_ranks_choose(ranks, most, chosen);
    if (count == ranks->count)
        qsort(chosen, count, sizeof *chosen, by_place); /* all: in their own order */
    rl_table_init(&table);
    for (size_t i = 0; i < RL_COUNT(heads); i++)
        rl_table_column(&table, heads[i], i == 1 ? RL_LEFT : RL_RIGHT);
    for (size_t i = 0; i < count; i++)
        add_rank(&table, ranks, &ranks->ranks[chosen[i]]);
    cli_doc_table(doc, &table);
    if (count < ranks->count) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, "the slowest, those about the median and the fastest of %zu ranks (--verbose lists all)", ranks->count);
        cli_doc_note(doc, text.data);
        rl_buf_release(&text);
    }
    cli_doc_note(doc,
                 "own: kernels that wait for nobody; imbalance: the greatest of it over the mean, less 1; counted: share of kernel "
                 "time with counters");
    rl_table_release(&table);
    free(chosen);
}

static void add_kernel(struct rl_table *table, const struct show *show, const struct rl_rank_kernel *kernel)
{
    struct rl_buf name = RL_BUF_INIT;
    char id[RL_KERNEL_ID];
    rl_kernel_id(&show->capture->kernels[kernel->kernel], id);
    rl_utf8_short(&name, kernel->label, MOST_NAME);
    rl_buf_adds(&name, kernel->collective ? " (waits)" : "");
    rl_table_row(table);
    rl_table_cell(table, id);
    rl_table_cell(table, name.data);
    seconds_cell(table, kernel->slowest_s);
    seconds_cell(table, kernel->median_s);
    struct rl_buf difference = RL_BUF_INIT;
    double longer_s = kernel->slowest_s - kernel->median_s;
    rl_buf_adds(&difference, longer_s < 0 ? "\xE2\x88\x92" : longer_s > 0 ? "+" : "");
    add_seconds(&difference, longer_s < 0 ? -longer_s : longer_s);
    rl_table_cell(table, difference.data);
    rl_table_cellf(table, "%llu", (unsigned long long)kernel->slowest_launches);
    rl_table_cellf(table, "%llu", (unsigned long long)kernel->median_launches);
    rl_buf_release(&difference);
    rl_buf_release(&name);
}

static void print_kernels(const struct show *show, const struct rl_ranks *ranks, struct cli_doc *doc)
{
    struct rl_table table;
    struct rl_buf heading = RL_BUF_INIT, slowest = RL_BUF_INIT, median = RL_BUF_INIT;
    if (!ranks->kernel_count)
        return;
    rl_buf_addf(&heading, "What makes rank %s slower than rank %s, the median", ranks->ranks[ranks->slowest].name,
                ranks->ranks[ranks->median].name);
    cli_doc_heading(doc, heading.data);
    rl_buf_addf(&slowest, "rank\u00a0%s", ranks->ranks[ranks->slowest].name);
    rl_buf_addf(&median, "rank\u00a0%s", ranks->ranks[ranks->median].name);
    rl_table_init(&table);
    rl_table_column(&table, "id", RL_LEFT);
    rl_table_column(&table, "kernel", RL_LEFT);
    rl_table_column(&table, slowest.data, RL_RIGHT);
    rl_table_column(&table, median.data, RL_RIGHT);
    rl_table_column(&table, "difference", RL_RIGHT);
    rl_table_column(&table, "launches", RL_RIGHT);
    rl_table_column(&table, "there", RL_RIGHT);
    size_t shown = show->verbose || ranks->kernel_count < MOST_KERNELS ? ranks->kernel_count : MOST_KERNELS;
    for (size_t i = 0; i < shown; i++)
        add_kernel(&table, show, &ranks->kernels[i]);
    cli_doc_table(doc, &table);
    if (shown < ranks->kernel_count)
        cli_doc_note(doc, "and more, which differ less: --verbose lists all");
    cli_doc_note(doc, "kernels of one name, whatever their shape; id: the class among them that takes the most time");
    rl_table_release(&table);
    rl_buf_release(&heading);
    rl_buf_release(&slowest);
    rl_buf_release(&median);
}

void show_ranks(const struct show *show, struct cli_doc *doc)
{
    struct rl_ranks *ranks = rl_ranks_new(show->capture);
    cli_doc_heading(doc, "Ranks");
    for (size_t i = 0; i < ranks->remark_count; i++)
        cli_doc_item(doc, "note", 10, ranks->remarks[i]);
    print_answer(ranks, doc);
    cli_doc_gap(doc);
    print_ranks(show, ranks, doc);
    print_kernels(show, ranks, doc);
    rl_ranks_free(ranks);
}

/* ---- JSON ---- */

static void write_rank(struct rl_json *json, const struct rl_ranks *ranks, const struct rl_rank *rank)
{
    rl_json_object(json, NULL);
    rl_json_string(json, "rank", rank->name);
    rl_json_string(json, "host", rank->host);
    rl_json_uint(json, "processes", rank->processes);
    rl_json_uint(json, "gpus", rank->gpus);
    if (rank->gpu == RL_NONE)
        rl_json_null(json, "gpu");
    else
        rl_json_int(json, "gpu", ranks->capture->gpus[rank->gpu].index);
    rl_json_double(json, "wall_s", rank->wall_s);
    rl_json_double(json, "busy_s", rank->busy_s);
    rl_json_value(json, "idle", rank->idle);
    rl_json_double(json, "own_s", rank->own_s);
    rl_json_double(json, "collective_s", rank->collective_s);
    rl_json_value(json, "coverage", rank->coverage);
    rl_json_uint(json, "launches", rank->launches);
    rl_json_end(json);
}

static void write_kernel(struct rl_json *json, const struct show *show, const struct rl_rank_kernel *kernel)
{
    rl_json_object(json, NULL);
    rl_json_string(json, "name", show->capture->kernels[kernel->kernel].name);
    rl_json_double(json, "slowest_s", kernel->slowest_s);
    rl_json_double(json, "median_s", kernel->median_s);
    rl_json_uint(json, "slowest_launches", kernel->slowest_launches);
    rl_json_uint(json, "median_launches", kernel->median_launches);
    rl_json_bool(json, "collective", kernel->collective);
    rl_json_end(json);
}

void show_ranks_json(const struct show *show, struct rl_json *json)
{
    struct rl_ranks *ranks = rl_has_ranks(show->capture) ? rl_ranks_new(show->capture) : NULL;
    if (!ranks)
        return;
    rl_json_object(json, "ranks");
    rl_json_value(json, "imbalance", ranks->imbalance);
    rl_json_double(json, "mean_own_s", ranks->mean_own_s);
    rl_json_string(json, "slowest", ranks->ranks[ranks->slowest].name);
    rl_json_string(json, "median", ranks->ranks[ranks->median].name);
    rl_json_string(json, "fastest", ranks->ranks[ranks->fastest].name);
    rl_json_array(json, "remarks");
    for (size_t i = 0; i < ranks->remark_count; i++)
        rl_json_string(json, NULL, ranks->remarks[i]);
    rl_json_end(json);
    rl_json_array(json, "each");
    for (size_t i = 0; i < ranks->count; i++)
        write_rank(json, ranks, &ranks->ranks[i]);
    rl_json_end(json);
    rl_json_array(json, "kernels");
    for (size_t i = 0; i < ranks->kernel_count; i++)
        write_kernel(json, show, &ranks->kernels[i]);
    rl_json_end(json);
    rl_json_end(json);
    rl_ranks_free(ranks);
}
