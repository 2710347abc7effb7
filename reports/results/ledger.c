#include "results/results.h"

VIEW_CELL(fate_cell, struct rl_ledger_row, rl_fate_name(row->fate));
VIEW_CELL(name_cell, struct rl_ledger_row, row->column ? rl_arena_printf(view->arena, "column %s", row->name) : row->name);

/* clang-format off */
static const struct view_field ledger_fields[] = {
    {.id = "name", .head = "metric or column", VIEW_GET(TEXT, name_cell), .columns = 48, .wraps = true,
     .identifies = true, .look = VIEW_LOOK_CODE, .help = "as the tool printed it"},
    {.id = "fate", .head = "fate", VIEW_GET(TEXT, fate_cell),
     .help = "'used', 'scaled' (used in another unit), 'foreign' (kept under its name), 'ignored', or 'contradicted'"},
    {.id = "values", .head = "values", VIEW_AT(struct rl_ledger_row, count), .help = "how many values had this fate"},
    {.id = "example", .head = "example", VIEW_AT(struct rl_ledger_row, example), .columns = 40, .wraps = true,
     .help = "the first of them, as printed"},
    {.id = "reason", .head = "where, or why", VIEW_AT(struct rl_ledger_row, reason), .columns = 60, .wraps = true,
     .help = "where they went, why they were not kept, or what contradicts them"},
};
/* clang-format on */
const struct view_record view_record_ledger_row = {
    .id = "ledger_row", .help = "values of imported files that had one fate", VIEW_FIELDS(ledger_fields)};

/* Rows that a short table has as one: 1 + which; 0: it stands there itself. */
static size_t summary_of(const struct rl_ledger_row *row)
{
    return row->column ? (row->fate == RL_FATE_USED ? 1 : 2) : row->fate == RL_FATE_FOREIGN ? 3 : 0;
}

struct view_rows view_ledger_rows(const struct rl_capture *capture, bool brief, struct rl_arena *arena)
{
    static const enum rl_fate order[] = {RL_FATE_CONTRADICTED, RL_FATE_IGNORED, RL_FATE_SCALED, RL_FATE_USED, RL_FATE_FOREIGN};
    static const struct {
        enum rl_fate fate;
        const char *what, *reason;
    } summaries[] = {
        {RL_FATE_USED, "columns", "which kernel, launch or GPU the values are of"},
        {RL_FATE_IGNORED, "columns", "say nothing of the kernel that is kept"},
        {RL_FATE_FOREIGN, "metrics", "kept under their names: rooflight import --ledger lists them"},
    };
    struct rl_ledger_row *rows = rl_arena_alloc(arena, (capture->ledger_count + RL_COUNT(summaries)) * sizeof *rows);
    size_t count = 0, folded[RL_COUNT(summaries)] = {0};
    uint64_t values[RL_COUNT(summaries)] = {0};

    for (size_t i = 0; i < RL_COUNT(order); i++) {
        for (size_t j = 0; j < capture->ledger_count; j++) {
            const size_t summary = brief ? summary_of(&capture->ledger[j]) : 0;
            if (capture->ledger[j].fate != order[i])
                continue;
            if (summary == 0) {
                rows[count++] = capture->ledger[j];
                continue;
            }
            folded[summary - 1]++;
            values[summary - 1] += capture->ledger[j].count;
        }
    }
    for (size_t i = 0; i < RL_COUNT(summaries); i++) {
        if (!folded[i])
            continue;
        rows[count++] = (struct rl_ledger_row){rl_arena_printf(arena, "(%zu %s)", folded[i], summaries[i].what),
                                               false,
                                               summaries[i].fate,
                                               values[i],
                                               rl_arena_strndup(arena, "", 0),
                                               rl_arena_printf(arena, "%s", summaries[i].reason)};
    }
    return VIEW_ROWS(rows, count);
}
