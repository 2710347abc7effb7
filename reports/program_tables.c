/* program_tables.c - the NVTX ranges, the copies and the processes of an observed program (see program.h). */
#include <inttypes.h>
#include <string.h>

#include "core/mem.h"
#include "program.h"

enum { MOST_RANGES = 80, NAME_COLUMNS = 48, INDENT_COLUMNS = 2 };

void rl_program_draw_ranges(struct rl_report *report, const struct rl_program *program)
{
    static const struct rl_grid_column columns[] = {
        {"range", "", RL_GRID_LEFT},
        {"times", "", RL_GRID_RIGHT},
        {"launches", "", RL_GRID_RIGHT},
        {"GPU time", "ms", RL_GRID_DECIMAL},
        {"share", "%", RL_GRID_DECIMAL, .share_width = 30},
        {"host time", "ms", RL_GRID_DECIMAL},
    };
    struct rl_grid grid;
    size_t shown = program->range_count < MOST_RANGES ? program->range_count : MOST_RANGES;
    if (!program->range_count)
        return;
    rl_layout_skip(report->doc->layout, 10);
    rl_grid_begin(&grid, report->doc->layout, "NVTX ranges", columns, RL_COUNT(columns));
    for (size_t i = 0; i < shown; i++) {
        const struct rl_program_range *of = &program->ranges[i];
        const struct rl_range *range = &report->capture->ranges[of->range];
        size_t depth = of->depth < 12 ? of->depth : 12;
        (of->depth == 0 ? rl_grid_group : rl_grid_row)(&grid);
        rl_grid_cell(&grid, of->depth == 0 ? RL_STYLE_CELL_STRONG : RL_STYLE_CELL,
                     rl_words(report->doc, "%*s%s%s%s", (int)(depth * INDENT_COLUMNS), "", range->domain ? range->domain : "",
                              range->domain ? "@" : "", rl_words_short(report->doc, range->name, NAME_COLUMNS)));
        rl_grid_cell(&grid, RL_STYLE_CELL, rl_words(report->doc, "%" PRIu64, range->instances));
        rl_grid_cell(&grid, RL_STYLE_CELL, rl_words(report->doc, "%" PRIu64, of->launches));
        rl_grid_value(&grid, RL_STYLE_CELL, rl_value_of(of->gpu_s), 1e3, 4);
        struct rl_grid_cell *share = rl_grid_value(&grid, RL_STYLE_CELL, rl_value_of(of->share), 100, 3);
        share->share = of->share < 1 ? of->share : 1;
        share->share_colour = rl_tones[RL_TONE_NEUTRAL].mark;
        rl_grid_value(&grid, RL_STYLE_CELL, rl_value_of(of->host_s), 1e3, 4);
    }
    rl_grid_end(&grid);
    rl_layout_textf(report->doc->layout, RL_STYLE_NOTE,
                    "A range holds what was launched inside it, ranges below it included; shares are of all timed kernels of its "
                    "process. Host time is from entering to leaving%s, and work on the GPU may go on after that.%s",
                    program->untimed ? ", windows in which counters were taken and nothing was timed included" : "",
                    shown < program->range_count
                        ? rl_words(report->doc, " %zu more ranges are in the attached capture.", program->range_count - shown)
                        : "");
}

void rl_program_draw_transfers(struct rl_report *report)
{
    const struct rl_capture *capture = report->capture;
    static const struct rl_grid_column columns[] = {
        {"direction", "", RL_GRID_LEFT},        {"memory", "", RL_GRID_LEFT},         {"GPU", "", RL_GRID_RIGHT},
        {"number", "", RL_GRID_RIGHT},          {"bytes", "MB", RL_GRID_DECIMAL},     {"time", "ms", RL_GRID_DECIMAL},
        {"mean rate", "GB/s", RL_GRID_DECIMAL}, {"slowest", "GB/s", RL_GRID_DECIMAL}, {"fastest", "GB/s", RL_GRID_DECIMAL},
    };
    struct rl_grid grid;
    if (!capture->transfer_count)
        return;
    rl_layout_skip(report->doc->layout, 10);
    rl_grid_begin(&grid, report->doc->layout, "Copies and sets", columns, RL_COUNT(columns));
    for (size_t i = 0; i < capture->transfer_count; i++) {
        const struct rl_transfer *transfer = &capture->transfers[i];
        if (report->hidden && report->hidden[transfer->gpu])
            continue;
        struct rl_value bytes = rl_value_of((double)transfer->bytes), time = rl_value_of((double)transfer->total_ns * 1e-9);
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL, transfer->direction);
        rl_grid_cell(&grid, RL_STYLE_CELL, transfer->memory);
        rl_grid_cell(&grid, RL_STYLE_CELL, rl_words(report->doc, "%d", capture->gpus[transfer->gpu].index));
        rl_grid_cell(&grid, RL_STYLE_CELL, rl_words(report->doc, "%" PRIu64, transfer->count));
        rl_grid_value(&grid, RL_STYLE_CELL, bytes, 1e-6, 4);
        rl_grid_value(&grid, RL_STYLE_CELL, time, 1e3, 4);
        rl_grid_value(&grid, RL_STYLE_CELL, rl_value_div(bytes, time, "no time"), 1e-9, 3);
        rl_grid_value(&grid, RL_STYLE_CELL, transfer->slowest, 1e-9, 3);
        rl_grid_value(&grid, RL_STYLE_CELL, transfer->fastest, 1e-9, 3);
    }
    rl_grid_end(&grid);
    rl_layout_text(report->doc->layout, RL_STYLE_NOTE, "Slowest and fastest: of single copies of 1 MiB or more.");
    rl_layout_notes(report->doc->layout);
}

const char *rl_program_end_text(struct rl_report *report, const struct rl_process *process)
{
    if (strcmp(process->end, "killed") == 0)
        return rl_words(report->doc, "signal %d", process->status);
    return strcmp(process->end, "exited") == 0 ? rl_words(report->doc, "exit status %d", process->status) : "not seen";
}

void rl_program_draw_processes(struct rl_report *report)
{
    const struct rl_capture *capture = report->capture;
    enum { MOST = 64 };
    static const struct rl_grid_column columns[] = {
        {"process", "", RL_GRID_RIGHT},  {"rank", "", RL_GRID_LEFT},       {"command", "", RL_GRID_LEFT},
        {"launches", "", RL_GRID_RIGHT}, {"not timed", "", RL_GRID_RIGHT}, {"end", "", RL_GRID_LEFT, .whole = true},
    };
    struct rl_grid grid;
    rl_layout_skip(report->doc->layout, 10);
    rl_grid_begin(&grid, report->doc->layout, "Processes", columns, RL_COUNT(columns));
    for (size_t i = 0; i < capture->process_count && i < MOST; i++) {
        const struct rl_process *process = &capture->processes[i];
        rl_grid_row(&grid);
        rl_grid_cell(&grid, RL_STYLE_CELL, rl_words(report->doc, "%" PRIu64, process->pid));
        rl_grid_cell(&grid, RL_STYLE_CELL, process->rank ? process->rank : "");
        rl_grid_cell(&grid, RL_STYLE_CELL_NAME, rl_words_short(report->doc, process->command, 70));
        rl_grid_cell(&grid, RL_STYLE_CELL, rl_words(report->doc, "%" PRIu64, process->launches));
        rl_grid_cell(&grid, RL_STYLE_CELL, rl_words(report->doc, "%" PRIu64, process->untimed));
        rl_grid_cell(&grid, RL_STYLE_CELL, rl_program_end_text(report, process));
    }
    rl_grid_end(&grid);
    rl_layout_textf(report->doc->layout, RL_STYLE_NOTE, "Times and counters: %s.%s", capture->processes[0].phases,
                    capture->process_count > MOST
                        ? rl_words(report->doc, " %zu more processes are in the attached capture.", capture->process_count - MOST)
                        : "");
}
