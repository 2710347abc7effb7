/* program_activity.c - what a program did besides kernels: processes, GPUs, NVTX ranges, copies. */
#include "show_parts.h"

#include "analysis/columns.h"

enum { NAME_COLUMNS = 44, COMMAND_COLUMNS = 70 };

/* ---- processes ---- */

VIEW_CELL(pid_cell, struct rl_process, (int64_t)(field->key ? row->parent_pid : row->pid));

static struct view_cell end_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_process *process = row;
    if (strcmp(process->end, "killed") == 0)
        return view_cell_text(rl_arena_printf(view->arena, "ended by signal %d (%s)", process->status, strsignal(process->status)));
    if (strcmp(process->end, "exited") == 0)
        return view_cell_text(rl_arena_printf(view->arena, "exit status %d", process->status));
    return view_cell_text("end not seen");
}

/* clang-format off */
static const struct view_field process_fields[] = {
    {.id = "pid", .head = "process", VIEW_GET(INTEGER, pid_cell), .key = 0, .help = "number of the process"},
    {.id = "parent_pid", VIEW_GET(INTEGER, pid_cell), .key = 1, .help = "number of the process that started it"},
    {.id = "host", VIEW_AT(struct rl_process, host), .help = "name of the machine"},
    {.id = "rank", VIEW_AT(struct rl_process, rank), .columns = 12, .shown = VIEW_SHOWN_WHEN_ANY,
     .help = "its rank, as the launcher numbers it"},
    {.id = "command", VIEW_AT(struct rl_process, command), .columns = COMMAND_COLUMNS, .look = VIEW_LOOK_CODE,
     .help = "program and arguments, as far as they are kept"},
    {.id = "end", VIEW_AT(struct rl_process, end), .help = "'exited', 'killed', or 'unknown' where its end was not seen"},
    {.id = "status", VIEW_AT(struct rl_process, status), .help = "exit status, or the number of the signal that ended it"},
    {.id = "end_text", .head = "end", VIEW_GET(TEXT, end_cell), .for_people = true, .help = "how it ended, in words"},
    {.id = "phases", VIEW_AT(struct rl_process, phases), .help = "how times and counters were kept apart"},
    {.id = "launches", VIEW_AT(struct rl_process, launches), .help = "kernel launches seen, selected or not"},
    {.id = "untimed", .head = "not timed", VIEW_AT(struct rl_process, untimed),
     .help = "launches while counters were taken: counted and not timed"},
    {.id = "lost", VIEW_AT(struct rl_process, lost), .help = "activity records that CUPTI could not store"},
    {.id = "unselected", VIEW_AT(struct rl_process, unselected), .help = "timed launches that the filters left out"},
};
/* clang-format on */
const struct view_record view_record_process = {.id = "process", .help = "a process of the program", VIEW_FIELDS(process_fields)};

/* ---- GPUs ---- */

VIEW_CELL(gpu_index_cell, struct rl_program_gpu,
          view_subject_of(view)->capture->gpus[row - view_subject_of(view)->program->gpus].index);

VIEW_CELL(gpu_label_cell, void, rl_arena_printf(view->arena, "GPU %lld", (long long)gpu_index_cell(view, field, row).integer));

static struct view_cell gpu_card_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_program *program = view_subject_of(view)->program;
    const char *name = program->capture->gpus[(const struct rl_program_gpu *)row - program->gpus].name;
    return view_cell_text(*rl_card_short(name) ? rl_card_short(name) : name);
}

static struct view_cell gpu_rank_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_program *program = view_subject_of(view)->program;
    const size_t gpu = (size_t)((const struct rl_program_gpu *)row - program->gpus);
    return view_cell_text(view_subject_of(view)->ranks ? rl_rank_of_gpu(program->capture, gpu) : NULL);
}

VIEW_CELL(span_cell, void,
          view_subject_of(view)->program->untimed ? "between first and last activity without counter passes"
                                                  : "between first and last activity");

/* clang-format off */
static const struct view_field gpu_fields[] = {
    {.id = "label", VIEW_GET(TEXT, gpu_label_cell), .for_people = true, .help = "'GPU' and its index"},
    {.id = "span_is", VIEW_GET(TEXT, span_cell), .for_people = true, .help = "what the span is, in words"},
    {.id = "gpu", .head = "GPU", VIEW_GET(INTEGER, gpu_index_cell), .help = "index of the GPU"},
    {.id = "card", .head = "GPU", VIEW_GET(TEXT, gpu_card_cell), .columns = NAME_COLUMNS, .help = "name of the GPU"},
    {.id = "rank", VIEW_GET(TEXT, gpu_rank_cell), .columns = 12, .shown = VIEW_SHOWN_WHEN_ANY, .help = "the rank that used it"},
    {.id = "span_s", .head = "from first to last activity", VIEW_AT(struct rl_program_gpu, span_s), .unit = RL_UNIT_SECOND,
     .scale = "GPU", .help = "from the first to the last activity, without counter passes"},
    {.id = "busy_s", .head = "busy", VIEW_AT(struct rl_program_gpu, busy_s), .unit = RL_UNIT_SECOND, .scale = "GPU",
     .help = "time with at least one kernel, memcpy or memset"},
    {.id = "kernel_s", .head = "timed kernels, added up", VIEW_AT(struct rl_program_gpu, kernel_s), .unit = RL_UNIT_SECOND,
     .scale = "GPU", .help = "sum of the durations of timed kernels"},
    {.id = "idle", VIEW_AT(struct rl_program_gpu, idle), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "share of the span in which nothing ran"},
    {.id = "copy_s", .head = "memcpys and memsets, added up", VIEW_AT(struct rl_program_gpu, copy_s), .unit = RL_UNIT_SECOND,
     .scale = "GPU", .shown = VIEW_ON_REQUEST, .help = "durations of memcpys and memsets, added up"},
    {.id = "overlap_s", .head = "overlap", VIEW_AT(struct rl_program_gpu, side_s), .unit = RL_UNIT_SECOND, .scale = "GPU",
     .shown = VIEW_ON_REQUEST, .help = "durations of kernels, memcpys and memsets added up, less the time in which any ran"},
    {.id = "gap_s", .head = "idle between two", VIEW_AT(struct rl_program_gpu, gap_s), .unit = RL_UNIT_SECOND,
     .shown = VIEW_ON_REQUEST, .help = "idle time over the number of timed kernels, memcpys and memsets"},
};
/* clang-format on */
const struct view_record view_record_program_gpu = {
    .id = "program_gpu", .help = "a GPU that the program used", VIEW_FIELDS(gpu_fields)};

/* ---- ranges ---- */

static const struct rl_range *range_of(const struct view *view, const void *row)
{
    return &view_subject_of(view)->capture->ranges[((const struct rl_program_range *)row)->range];
}

/* "  nccl@reduce": a step to the right for each range around it. */
static struct view_cell range_label_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_range *range = range_of(view, row);
    const size_t depth = ((const struct rl_program_range *)row)->depth;
    return view_cell_text(rl_arena_printf(view->arena, "%*s%s%s%s", (int)(2 * (depth < 12 ? depth : 12)), "",
                                          range->domain ? range->domain : "", range->domain ? "@" : "", range->name));
}

VIEW_CELL(domain_cell, void, range_of(view, row)->domain);
VIEW_CELL(range_name_cell, void, range_of(view, row)->name);
VIEW_CELL(range_pid_cell, void, (int64_t)view_subject_of(view)->capture->processes[range_of(view, row)->process].pid);
VIEW_CELL(instances_cell, void, range_of(view, row)->instances);

/* clang-format off */
static const struct view_field range_fields[] = {
    {.id = "label", .head = "range", VIEW_GET(TEXT, range_label_cell), .columns = 2 * NAME_COLUMNS,
     .for_people = true, .identifies = true, .help = "domain and name, indented by one level for each enclosing range"},
    {.id = "domain", VIEW_GET(TEXT, domain_cell), .shown = VIEW_ON_REQUEST,
     .help = "NVTX domain; absent: the default one"},
    {.id = "name", VIEW_GET(TEXT, range_name_cell), .shown = VIEW_ON_REQUEST, .help = "its name"},
    {.id = "process", VIEW_GET(INTEGER, range_pid_cell), .shown = VIEW_ON_REQUEST,
     .help = "number of the process"},
    {.id = "depth", VIEW_AT(struct rl_program_range, depth), .shown = VIEW_ON_REQUEST, .help = "number of enclosing ranges"},
    {.id = "instances", .head = "times", VIEW_GET(WHOLE, instances_cell), .help = "how often it was entered"},
    {.id = "launches", .head = "launches", VIEW_AT(struct rl_program_range, launches), .help = "timed kernels launched in it"},
    {.id = "gpu_s", .head = "GPU time", VIEW_AT(struct rl_program_range, gpu_s), .unit = RL_UNIT_SECOND,
     .help = "their durations, added up"},
    {.id = "share", .head = "share", VIEW_AT(struct rl_program_range, share), .unit = RL_UNIT_FRACTION, .digits = 3, .bar = true,
     .help = "share of the GPU time of all timed kernels of its process"},
    {.id = "host_s", .head = "host time", VIEW_AT(struct rl_program_range, host_s), .unit = RL_UNIT_SECOND,
     .help = "time between entering and leaving by the host's clock, counter passes included"},
};
/* clang-format on */
VIEW_WHEN(is_outermost, struct rl_program_range, row->depth == 0);

const struct view_record view_record_range = {
    .id = "range", .help = "an NVTX range with everything inside it", VIEW_FIELDS(range_fields), .strong = is_outermost};

/* ---- copies ---- */

VIEW_CELL(transfer_pid_cell, struct rl_transfer, (int64_t)view_subject_of(view)->capture->processes[row->process].pid);
VIEW_CELL(bytes_cell, struct rl_transfer, (double)row->bytes);
VIEW_CELL(rate_cell, struct rl_transfer,
          rl_value_div(rl_value_of((double)row->bytes), rl_value_of((double)row->total_ns * 1e-9), "no time"));

/* The field's name of a direction: that of its lane. */
static struct view_cell memcpy_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const char *way = ((const struct rl_transfer *)row)->direction;
    size_t at = 0;
    while (rl_transfer_directions[at] && strcmp(rl_transfer_directions[at], way) != 0)
        at++;
    return view_cell_text(rl_transfer_directions[at] ? rl_lanes[RL_LANE_TO_DEVICE + at].label : way);
}

/* clang-format off */
static const struct view_field transfer_fields[] = {
    {.id = "process", VIEW_GET(INTEGER, transfer_pid_cell), .shown = VIEW_ON_REQUEST,
     .help = "number of the process"},
    {.id = "gpu", .head = "GPU", VIEW_GPU(struct rl_transfer, gpu), .shown = VIEW_ON_REQUEST,
     .help = "index of the GPU"},
    {.id = "direction", VIEW_AT(struct rl_transfer, direction), .shown = VIEW_ON_REQUEST,
     .help = "'to device', 'to host', 'on device', 'between devices', 'on host' or 'set'"},
    {.id = "memcpy", .head = "memcpy", VIEW_GET(TEXT, memcpy_cell), .for_people = true, .identifies = true,
     .help = "the same for people"},
    {.id = "memory", .head = "memory", VIEW_AT(struct rl_transfer, memory),
     .help = "kind of the host's memory, or of the device's"},
    {.id = "count", .head = "number", VIEW_AT(struct rl_transfer, count), .help = "number of them"},
    {.id = "bytes", .head = "bytes", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_BYTE, .get = bytes_cell,
     .help = "bytes copied"},
    {.id = "total_s", .head = "time", VIEW_NS(struct rl_transfer, total_ns), .help = "durations, added up"},
    {.id = "bytes_per_second", .head = "mean rate", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_BYTE_PER_SECOND, .get = rate_cell,
     .help = "bytes over time"},
    {.id = "slowest", .head = "slowest", VIEW_AT(struct rl_transfer, slowest), .unit = RL_UNIT_BYTE_PER_SECOND, .explained = true,
     .help = "lowest rate of a single copy of 1 MiB or more"},
    {.id = "fastest", .head = "fastest", VIEW_AT(struct rl_transfer, fastest), .unit = RL_UNIT_BYTE_PER_SECOND,
     .help = "highest rate of a single copy of 1 MiB or more"},
};
/* clang-format on */
const struct view_record view_record_transfer = {
    .id = "transfer", .help = "memcpys or memsets of one kind", VIEW_FIELDS(transfer_fields)};

bool view_transfer_is_shown(const struct view *view, const void *row)
{
    return !view_subject_hides(view_subject_of(view), ((const struct rl_transfer *)row)->gpu);
}
