/* show_ceilings.c - the ceilings of a card for people: theory and the clock that it is at, what was measured, the data sheet. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/mem.h"
#include "core/units.h"
#include "show.h"

static struct rl_value median_of(const struct rl_stats *stats)
{
    return stats->n ? rl_value_of(stats->median) : rl_value_missing(RL_NOT_COLLECTED, NULL);
}

/* The columns that have something to say. */
struct columns {
    bool measured, clock, data_sheet;
};

static struct columns columns_of(const struct rl_ceiling *ceilings)
{
    struct columns columns = {false};

    for (int id = 0; id < RL_CEILING_COUNT; id++) {
        columns.measured |= ceilings[id].run != RL_NONE;
        columns.clock |= rl_present(ceilings[id].clock);
        columns.data_sheet |= rl_present(ceilings[id].data_sheet);
    }
    return columns;
}

static void add_ceiling(struct rl_table *table, enum rl_ceiling_id id, const struct rl_ceiling *ceiling,
                        const struct columns *columns)
{
    assert(id < RL_CEILING_COUNT);
    const enum rl_unit unit = rl_ceilings[id].unit;

    rl_table_row(table);
    rl_table_cell(table, rl_ceilings[id].label);
    rl_table_value(table, unit, rl_ceiling_theory(ceiling), 4);
    if (columns->clock)
        rl_table_value(table, RL_UNIT_HERTZ, ceiling->clock, 4);
    if (columns->measured) {
        rl_table_value(table, unit, median_of(&ceiling->measured), 4);
        rl_table_value(table, RL_UNIT_FRACTION, ceiling->share, 4);
    }
    if (columns->data_sheet)
        rl_table_value(table, unit, ceiling->data_sheet, 4);
    if (columns->data_sheet && columns->measured)
        rl_table_value(table, RL_UNIT_FRACTION, ceiling->data_sheet_share, 3);
    if (columns->measured)
        rl_table_value(table, unit, median_of(&ceiling->sustained), 4);
}

static void add_ceilings(struct rl_table *table, const struct rl_ceiling *ceilings)
{
    const struct columns columns = columns_of(ceilings);
    const struct {
        const char *head;
        bool shown;
    } heads[] = {
        {"theoretical", true},           {"at SM clock", columns.clock},     {"measured", columns.measured},
        {"of theory", columns.measured}, {"data sheet", columns.data_sheet}, {"of it", columns.data_sheet && columns.measured},
        {"sustained", columns.measured}};

    rl_table_column(table, "ceiling", RL_LEFT);
    for (size_t i = 0; i < RL_COUNT(heads); i++)
        if (heads[i].shown)
            rl_table_column(table, heads[i].head, RL_RIGHT);
    for (int id = 0; id < RL_CEILING_COUNT; id++)
        if (rl_ceiling_listed(&ceilings[id], (enum rl_ceiling_id)id))
            add_ceiling(table, (enum rl_ceiling_id)id, &ceilings[id], &columns);
}

/* The names of all listed ceilings whose theoretical figure is missing for the same reason as that of `first`; "" when an earlier
 * one has said so. */
static void names_of_missing(const struct rl_ceiling ceilings[RL_CEILING_COUNT], int first, struct rl_buf *names)
{
    const char *reason = rl_value_reason(rl_ceiling_theory(&ceilings[first]));

    for (int id = 0; id < RL_CEILING_COUNT; id++) {
        if (!rl_ceiling_listed(&ceilings[id], (enum rl_ceiling_id)id) || rl_present(rl_ceiling_theory(&ceilings[id])) ||
            strcmp(rl_value_reason(rl_ceiling_theory(&ceilings[id])), reason) != 0)
            continue;
        if (id < first)
            return;
        rl_buf_addf(names, "%s%s", names->len ? ", " : "", rl_ceilings[id].label);
    }
}

static void print_ceiling_notes(const struct rl_ceiling ceilings[RL_CEILING_COUNT], struct cli_doc *doc)
{
    for (int id = 0; id < RL_CEILING_COUNT; id++) {
        struct rl_buf text = RL_BUF_INIT;
        if (!rl_present(rl_ceiling_theory(&ceilings[id])) && rl_ceiling_listed(&ceilings[id], (enum rl_ceiling_id)id))
            names_of_missing(ceilings, id, &text);
        if (text.len) {
            rl_buf_addf(&text, ": %s", rl_value_reason(rl_ceiling_theory(&ceilings[id])));
            cli_doc_note(doc, text.data);
        }
        rl_buf_release(&text);
    }
}

static void add_clock(struct rl_buf *heading, struct rl_value assumed)
{
    if (!rl_present(assumed)) {
        rl_buf_adds(heading, "the observed clocks");
        return;
    }
    rl_buf_adds(heading, "its highest clock, ");
    rl_value_format(heading, RL_UNIT_HERTZ, assumed, 4);
    rl_buf_adds(heading, " (none was recorded)");
}

/* Theory that is not for the clock in the heading needs a word. */
static void print_clock_note(const struct rl_ceiling ceilings[RL_CEILING_COUNT], struct cli_doc *doc)
{
    bool other_clock = false;
    for (int id = 0; id < RL_CEILING_COUNT; id++) {
        const struct rl_ceiling *ceiling = &ceilings[id];
        if (rl_ceiling_listed(ceiling, (enum rl_ceiling_id)id) && rl_present(ceiling->limit) && rl_present(ceiling->theoretical))
            other_clock |= fabs(ceiling->limit.v / ceiling->theoretical.v - 1) > 0.01;
    }
    if (other_clock)
        cli_doc_note(doc, "theoretical: at the clock of each measurement, which may differ from the clock at which kernels ran");
}

void show_ceilings(const struct show *show, size_t gpu, size_t count, struct cli_doc *doc)
{
    assert(gpu < show->analysis->capture->gpu_count);
    const struct rl_ceiling *ceilings = show->analysis->gpus[gpu].ceiling;
    struct rl_table table;
    struct rl_buf heading = RL_BUF_INIT;
    bool any = false;

    for (int id = 0; id < RL_CEILING_COUNT; id++)
        any |= ceilings[id].run != RL_NONE || rl_present(ceilings[id].theoretical);
    rl_buf_addf(&heading, "Ceilings of GPU %d ", show->capture->gpus[gpu].index);
    if (count > 1)
        rl_buf_addf(&heading, "and %zu like it ", count - 1);
    rl_buf_adds(&heading, "at ");
    add_clock(&heading, show->analysis->gpus[gpu].assumed_clock);
    cli_doc_heading(doc, heading.data);
    rl_table_init(&table);
    if (any) {
        add_ceilings(&table, ceilings);
        cli_doc_table(doc, &table);
    }
    print_clock_note(ceilings, doc);
    print_ceiling_notes(ceilings, doc);
    rl_table_release(&table);
    rl_buf_release(&heading);
}
