/* show_sets.c - what the optional sets say of each launch: the values that matter most, in words. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/counters.h"
#include "core/mem.h"
#include "core/sort.h"
#include "core/units.h"
#include "show.h"

enum { MOST = 3 }; /* of the shares of a set; amounts are all shown */

struct entry {
    enum rl_metric metric;
    double value;
};

static int by_value(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return rl_descending(x->value, y->value);
}

/* The set's values of a row that are there and not zero, the greatest first; a set includes the sets that come with it. */
static size_t gather(const struct show_row *row, enum rl_metric_set set, struct entry entries[RL_METRIC_COUNT])
{
    size_t count = 0;
    for (int i = 0; i < RL_METRIC_COUNT; i++) {
        const bool belongs = rl_metrics[i].set == set || rl_sets[set].includes & (1u << rl_metrics[i].set);
        const struct rl_value value = show_metric(row, (enum rl_metric)i);
        if (belongs && rl_present(value) && value.v != 0)
            entries[count++] = (struct entry){(enum rl_metric)i, value.v};
    }
    rl_sort(entries, count, sizeof *entries, by_value);
    return count;
}

/* "waiting for memory 61.2 %, at a barrier 20.1 %, ...". */
static void add_words(struct rl_buf *text, const struct entry *entries, size_t count)
{
    const bool shares = count && rl_metrics[entries[0].metric].unit == RL_UNIT_FRACTION;
    for (size_t i = 0; i < count && !(shares && i >= MOST); i++) {
        rl_buf_addf(text, "%s%s ", i ? ", " : "", rl_metrics[entries[i].metric].label);
        rl_unit_format(text, rl_metrics[entries[i].metric].unit, entries[i].value, 3);
    }
}

/* Whether a set that was collected includes this one, which then needs no heading of its own. */
static bool is_included(unsigned sets, enum rl_metric_set set)
{
    for (int other = 0; other < RL_SET_COUNT; other++)
        if (sets & (1u << other) && rl_sets[other].includes & (1u << set))
            return true;
    return false;
}

/* Of a family the counted shape with the most time speaks. */
static bool speaks(const struct rl_family *family, size_t kernel)
{
    return !family->figures || family->figures->foremost == kernel;
}

static void print_set(const struct show *show, enum rl_metric_set set, struct cli_doc *doc)
{
    struct entry entries[RL_METRIC_COUNT];
    cli_doc_heading(doc, rl_sets[set].title);
    for (size_t i = 0; i < show->capture->kernel_count; i++) {
        struct show_row row = show_row_of_kernel(show, i);
        const bool spoken = speaks(row.family, i);
        row.family = NULL; /* what it says is of itself */
        const size_t count = spoken ? gather(&row, set, entries) : 0;
        struct rl_buf text = RL_BUF_INIT;
        add_words(&text, entries, count);
        if (count)
            cli_doc_item(doc, row.result->label, 0, text.data);
        rl_buf_release(&text);
    }
}

/* Counters that were asked for by name: "smsp__inst_executed.sum 1 048 576 inst, ..." of each kernel. */
static void print_counters(const struct show *show, struct cli_doc *doc)
{
    const char *const *names;
    const size_t count = rl_named_counters(show->analysis, &names);
    size_t *at = rl_calloc(count + 1, sizeof *at);
    if (count)
        cli_doc_heading(doc, "Counters by name");
    for (size_t i = 0; i < show->capture->kernel_count && count; i++) {
        const struct show_row row = show_row_of_kernel(show, i);
        struct rl_buf text = RL_BUF_INIT;
        rl_named_counters_of(show->analysis, &show->capture->kernels[i], at);
        for (size_t k = 0; k < count && speaks(row.family, i); k++) {
            if (at[k] == RL_NONE)
                continue;
            rl_buf_addf(&text, "%s%s ", text.len ? ", " : "", names[k]);
            rl_counter_format(names[k], show->capture->kernels[i].counters[at[k]].value, &text);
        }
        if (text.len)
            cli_doc_item(doc, row.result->label, 0, text.data);
        rl_buf_release(&text);
    }
    free(at);
}

void show_sets(const struct show *show, struct cli_doc *doc)
{
    for (int set = RL_SET_CORE + 1; set < RL_SET_COUNT; set++)
        if (show->analysis->sets & (1u << set) && !is_included(show->analysis->sets, (enum rl_metric_set)set))
            print_set(show, (enum rl_metric_set)set, doc);
    print_counters(show, doc);
}
