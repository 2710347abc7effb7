/* ceilings_table.c - which ceilings of a GPU a page shows, and in which columns (see page.h). */
#include "page.h"

#include "results/show.h"
#include "view_table.h"

bool rl_ceilings_any_measured(const struct rl_report *report, size_t gpu)
{
    return RL_ANY(i, RL_CEILING_COUNT, report->analysis->gpus[gpu].ceiling[i].run != RL_NONE);
}

bool rl_ceilings_any_refused(const struct rl_report *report, size_t gpu)
{
    return RL_ANY(i, RL_CEILING_COUNT, report->analysis->gpus[gpu].ceiling[i].refused);
}

/* Tables have a thin line where the kind of ceiling changes. */
static int kind_of(const struct view *view, const void *row)
{
    enum { MEMORY, VECTOR, MATRIX, ATOMICS, STARTS, LINKS };
    static const int kinds[] = {
        [RL_LEVEL_DRAM] = MEMORY,  [RL_LEVEL_L2] = MEMORY,      [RL_LEVEL_L1] = MEMORY,       [RL_LEVEL_SHARED] = MEMORY,
        [RL_LEVEL_FP64] = VECTOR,  [RL_LEVEL_FP32] = VECTOR,    [RL_LEVEL_FP16] = VECTOR,     [RL_LEVEL_TENSOR] = MATRIX,
        [RL_LEVEL_ISSUE] = VECTOR, [RL_LEVEL_ATOMIC] = ATOMICS, [RL_LEVEL_DISPATCH] = STARTS, [RL_LEVEL_LINK] = LINKS,
    };
    return kinds[rl_ceilings[((const struct view_ceiling *)row)->id].level];
}

/* Measured roofs, and of the benchmarks writes, copies and links, which differ from any roof. */
static bool is_of_first_page(const struct view_ceiling *of)
{
    const bool differs = rl_ceilings[of->id].role == RL_ROOF || rl_ceilings[of->id].level == RL_LEVEL_LINK ||
                         of->id == RL_CEILING_dram_write || of->id == RL_CEILING_dram_copy;
    return differs && of->ceiling->measured.n > 0;
}

static bool is_wanted(const struct rl_report *report, const struct view_ceiling *of, enum rl_ceilings_table table)
{
    const struct rl_value figure = rl_ceiling_figure(of->ceiling);
    if (figure.state == RL_NOT_ON_CHIP)
        return false;
    if (table == RL_CEILINGS_FIRST)
        return is_of_first_page(of);
    if (table == RL_CEILINGS_MEASURED && rl_report_is_of_suite(report) && is_of_first_page(of))
        return false; /* the first page of a suite has it */
    return table != RL_CEILINGS_SUSTAINED || of->ceiling->sustained.n > 0;
}

/* The rows of a table by level, roofs before other benchmarks of it. */
static struct view_rows rows_of(const struct rl_report *report, size_t gpu, enum rl_ceilings_table table)
{
    const struct view view = view_subject_view(report->subject, &view_record_ceiling, NULL);
    struct view_rows rows = view_ceilings(&view, gpu);
    size_t *at = rl_arena_alloc(view.arena, (rows.count + 1) * sizeof *at), count = 0;
    for (enum rl_level level = RL_LEVEL_DRAM; level <= RL_LEVEL_LINK; level++)
        for (size_t i = 0; i < rows.count; i++) {
            const struct view_ceiling *of = view_rows_at(&rows, i);
            if (rl_ceilings[of->id].level == level && is_wanted(report, of, table))
                at[count++] = i;
        }
    return (struct view_rows){rows.first, rows.stride, count, at};
}

size_t rl_ceilings_left(const struct rl_report *report, size_t gpu)
{
    return rows_of(report, gpu, RL_CEILINGS_MEASURED).count;
}

bool rl_ceilings_draw(struct rl_report *report, size_t gpu, enum rl_ceilings_table table)
{
    static const struct {
        const char *title, *columns;
    } tables[] = {
        [RL_CEILINGS_FIRST] = {"Measured roofs",
                               "label,reached,half_width,of_theory,sm_clock_hz,of_data_sheet,under_load,of_burst"},
        [RL_CEILINGS_MEASURED] = {NULL, "label,theory,reached,half_width,of_theory,run_clock_hz,data_sheet,share_of_data_sheet"},
        [RL_CEILINGS_SUSTAINED] = {"Burst and sustained", "label,reached,under_load,load_half_width,of_burst,run_clock_hz,"
                                                          "load_clock_hz,lowered_by"},
        [RL_CEILINGS_THEORY] = {"Roofs", "label,theoretical,theoretical_low,theoretical_high,definition"},
        [RL_CEILINGS_DEFINITIONS] = {"Definitions of the roofs", "label,definition,configuration,launches"},
    };
    assert(gpu < report->capture->gpu_count);
    const struct view_rows rows = rows_of(report, gpu, table);
    bool published = RL_ANY(i, rows.count, ((const struct view_ceiling *)view_rows_at(&rows, i))->ceiling->published != NULL);
    return rl_view_table(
        report->doc->layout, &report->view,
        &(struct rl_view_table){.record = &view_record_ceiling,
                                .rows = rows,
                                .title = tables[table].title,
                                .columns = rl_words(report->doc, "%s%s", tables[table].columns,
                                                    table == RL_CEILINGS_MEASURED && published ? ",published,of_published" : ""),
                                .group = kind_of});
}
