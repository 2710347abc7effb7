/* schema_program.h - columns of what an observed program did, its GPUs over time, samples, cases, and rules over more than one of
 * them. Private to capture/schema.c. */
#pragma once

#include "capture/pcs.h"
#include "schema_columns.h"

static const char *const ends[] = {"exited", "killed", "unknown", NULL};

static const struct rl_column process_columns[] = {
    U64(process, pid),
    U64(process, parent_pid),
    PRIVATE(PLACE, process, host, .optional = true),
    OPTIONAL_TEXT(process, rank),
    PRIVATE(PROGRAM, process, command),
    WORD(process, end, ends),
    INT("status", process, status, INT32_MAX),
    TEXT(process, phases),
    U64(process, launches),
    U64(process, untimed),
    U64(process, lost),
    U64(process, unselected),
    U64(process, unselected_ns),
};
static const struct rl_column process_gpu_columns[] = {
    OWNER("process", PROCESS), INDEX(process_gpu, gpu, GPU), U64(process_gpu, span_ns),
    U64(process_gpu, busy_ns), U64(process_gpu, kernel_ns),
};
static const struct rl_column transfer_columns[] = {
    INDEX(transfer, process, PROCESS),
    INDEX(transfer, gpu, GPU),
    WORD(transfer, direction, rl_transfer_directions),
    WORD(transfer, memory, rl_transfer_memories),
    U64(transfer, count),
    U64(transfer, bytes),
    U64(transfer, total_ns),
    VALUE(transfer, slowest, 0, ANY),
    VALUE(transfer, fastest, 0, ANY),
};
static const struct rl_column range_columns[] = {
    INDEX(range, process, PROCESS),
    INDEX_OR_NONE(range, parent, RANGE),
    PRIVATE(NAME, range, domain, .optional = true),
    NAME_AS("name", range, name),
    U64(range, instances),
    U64(range, host_ns),
    U64(range, launches),
    U64(range, gpu_ns),
};
static const struct rl_column use_columns[] = {
    INDEX(kernel_use, kernel, KERNEL),
    U64(kernel_use, timed),
    U64(kernel_use, min_ns),
    U64(kernel_use, max_ns),
    REAL(kernel_use, deviation_ns, 0, (double)LARGEST),
    U64(kernel_use, graph),
    U32("cluster_x", kernel_use, cluster[0]),
    U32("cluster_y", kernel_use, cluster[1]),
    U32("cluster_z", kernel_use, cluster[2]),
    U64(kernel_use, counted),
    OPTIONAL_TEXT(kernel_use, uncounted),
};
static const struct rl_column counted_columns[] = {
    INDEX(counted, kernel, KERNEL),
    INDEX(counted, pass, PASS),
    U64(counted, launches),
    PRIVATE(NAME, counted, witness, .optional = true), /* as counter_name.name, so that it still names the counter */
    VALUE(counted, lowest, -ANY, ANY),
    VALUE(counted, highest, -ANY, ANY),
};

RULE(process_gpu, process_gpu, here->busy_ns > here->span_ns ? "it was busy for longer than it lasted" : NULL)

/* A range refers only to an earlier one, so that there are no circles. */
RULE(range, range,
     here->parent == RL_NONE                                       ? NULL
     : here->parent >= row->position                               ? "its parent does not stand before it"
     : row->capture->ranges[here->parent].process != here->process ? "its parent belongs to another process"
                                                                   : NULL)

RULE(use, kernel_use,
     before && before->kernel >= here->kernel ? "it does not stand in the order of kernels"
     : here->min_ns > here->max_ns            ? "its minimum time is above its maximum"
                                              : NULL)

RULE(counted, counted,
     !IN_ORDER(kernel) ? "it does not stand in the order of kernels"
     : rl_present(here->lowest) != rl_present(here->highest) || (rl_present(here->lowest) && here->lowest.v > here->highest.v)
         ? "the lowest value is above the highest"
     : row->capture->passes[here->pass].gpu != row->capture->kernels[here->kernel].gpu ? "its pass was made on another GPU"
                                                                                       : NULL)

/* ---- columns of samples of whole GPUs ---- */

/* As the file has them. */
NAMES(sampled, RL_SAMPLED_COUNT, rl_sampled_name((enum rl_sampled_counter)member))
static const struct rl_column gpu_sampling_columns[] = {
    INDEX(gpu_sampling, gpu, GPU),
    U64(gpu_sampling, interval_ns),
    U64(gpu_sampling, samples),
    U64(gpu_sampling, windows),
    U64(gpu_sampling, overflows),
    U64(gpu_sampling, used),
    U64(gpu_sampling, idle),
    U64(gpu_sampling, others),
    U64(gpu_sampling, cpu_ns),
    REAL(gpu_sampling, shift_ns, -ANY, ANY),
    REAL(gpu_sampling, correlation, -1, 1),
    OPTIONAL_TEXT(gpu_sampling, failure),
};
static const struct rl_column sampled_value_columns[] = {
    INDEX(sampled_value, kernel, KERNEL),          INDEX(sampled_value, sampling, GPU_SAMPLING),
    ENUM(sampled_value, counter, sampled_names),   REAL(sampled_value, launches, 0, ANY),
    VALUE(sampled_value, per_launch, 0, ANY),      VALUE(sampled_value, half_width, 0, ANY),
    INDEX(sampled_value, together, KERNEL),        REAL(sampled_value, total, 0, ANY),
    REAL(sampled_value, total_half_width, 0, ANY),
};
static const struct rl_column tracer_columns[] = {
    INDEX(tracer_row, gpu, GPU),
    ENUM(tracer_row, counter, sampled_names),
    REAL(tracer_row, per_warp, 0, ANY),
    VALUE(tracer_row, residual, 0, ANY),
};

RULE(gpu_sampling, gpu_sampling,
     here->used > here->samples        ? "more samples were used than taken"
     : here->idle > here->used         ? "more samples are idle than were used"
     : here->others > here->idle       ? "more idle samples are of others than are idle"
     : here->overflows > here->windows ? "more windows ended early than there were"
                                       : NULL)

RULE(sampled_value, sampled_value,
     !IN_ORDER_OF(kernel, counter)                                  ? "it does not stand in the order of kernels and counters"
     : rl_present(here->per_launch) != rl_present(here->half_width) ? "its value has no interval, or its interval no value"
     : here->together > here->kernel                                ? "its group is not named by the lowest kernel in it"
                                                                    : NULL)

/* Instructions that recording adds. */
RULE(tracer, tracer_row, IN_ORDER_OF(gpu, counter) ? NULL : "it does not stand in the order of GPUs and counters")

/* ---- columns of what GPUs did over time ---- */

/* As the file has them. */
NAMES(lane, RL_LANE_COUNT, rl_lanes[member].id)
static const struct rl_column timeline_columns[] = {
    INDEX(timeline, process, PROCESS),
    INDEX(timeline, gpu, GPU),
    U64(timeline, start_ns),
    INTEGER("width_ns", U64, 1, LARGEST, MEMBER(timeline, width_ns, uint64_t)),
    INTEGER("bins", U32, 1, RL_TIMELINE_MOST_BINS, MEMBER(timeline, bins, uint32_t)),
};
static const struct rl_column timeline_lane_columns[] = {
    INDEX(timeline_lane, timeline, TIMELINE),
    ENUM(timeline_lane, lane, lane_names),
    INDEX_OR_NONE(timeline_lane, kernel, KERNEL),
    U64(timeline_lane, total_ns),
};
static const struct rl_column timeline_bin_columns[] = {
    INDEX(timeline_bin, lane, TIMELINE_LANE),
    INTEGER("bin", U32, 0, RL_TIMELINE_MOST_BINS - 1, MEMBER(timeline_bin, bin, uint32_t)),
    INTEGER("ns", U64, 1, LARGEST, MEMBER(timeline_bin, ns, uint64_t)),
};
static const struct rl_column timeline_gap_columns[] = {
    INDEX(timeline_gap, timeline, TIMELINE),
    ENUM(timeline_gap, lane, lane_names),
    INDEX_OR_NONE(timeline_gap, range, RANGE),
    U64(timeline_gap, count),
    U64(timeline_gap, total_ns),
    U64(timeline_gap, longest_ns),
};
static const struct rl_column sampled_lane_columns[] = {
    INDEX(sampled_lane, timeline, TIMELINE),
    ENUM(sampled_lane, counter, sampled_names),
    U64(sampled_lane, covered_ns),
    REAL(sampled_lane, total, 0, ANY),
};
static const struct rl_column sampled_bin_columns[] = {
    INDEX(sampled_bin, lane, SAMPLED_LANE),
    INTEGER("bin", U32, 0, RL_TIMELINE_MOST_BINS - 1, MEMBER(sampled_bin, bin, uint32_t)),
    INTEGER("covered_ns", U64, 1, LARGEST, MEMBER(sampled_bin, covered_ns, uint64_t)),
    REAL(sampled_bin, total, 0, ANY),
};

/* As the file has them. */
NAMES(place, RL_IDLE_PLACE_COUNT, rl_idle_place_name((enum rl_idle_place)member))
static const struct rl_column range_lane_columns[] = {
    INDEX(range_lane, timeline, TIMELINE),
    ENUM(range_lane, place, place_names),
    INDEX_OR_NONE(range_lane, range, RANGE),
    U64(range_lane, total_ns),
};
static const struct rl_column range_bin_columns[] = {
    INDEX(timeline_bin, lane, RANGE_LANE),
    INTEGER("bin", U32, 0, RL_TIMELINE_MOST_BINS - 1, MEMBER(timeline_bin, bin, uint32_t)),
    INTEGER("ns", U64, 1, LARGEST, MEMBER(timeline_bin, ns, uint64_t)),
};

RULE(timeline, timeline, here->width_ns > LARGEST / here->bins ? "its bins are wider than all time" : NULL)

RULE(timeline_lane, timeline_lane,
     !IN_ORDER(timeline) ? "it does not stand in the order of timelines"
     : (here->lane == RL_LANE_CLASS) != (here->kernel != RL_NONE)
         ? "a kernel belongs to the lane of a configuration, and to no other"
         : NULL)

/* Whether a lane has each moment at most once. */
static bool is_union(enum rl_lane lane)
{
    return lane <= RL_LANE_COPIES || (lane >= RL_LANE_IDLE_COPY && lane <= RL_LANE_UNWATCHED);
}

/* The fault of a bin on a timeline; `once`: its lane has each moment at most once. NULL: none. */
static const char *fault_of_bin(const struct rl_timeline_bin *here, const struct rl_timeline_bin *before,
                                const struct rl_timeline *timeline, bool once)
{
    return !IN_ORDER_OF(lane, bin)                 ? "it does not stand in the order of lanes and of time"
           : here->bin >= timeline->bins           ? "it is behind the last bin of its timeline"
           : once && here->ns > timeline->width_ns ? "it says more than all of its time"
                                                   : NULL;
}
RULE(timeline_bin, timeline_bin,
     fault_of_bin(here, before, &row->capture->timelines[row->capture->timeline_lanes[here->lane].timeline],
                  is_union(row->capture->timeline_lanes[here->lane].lane)))
RULE(range_bin, timeline_bin,
     fault_of_bin(here, before, &row->capture->timelines[row->capture->range_lanes[here->lane].timeline], true))

RULE(timeline_gap, timeline_gap,
     !IN_ORDER(timeline)                                                ? "it does not stand in the order of timelines"
     : here->lane < RL_LANE_IDLE_COPY || here->lane > RL_LANE_UNWATCHED ? "its lane is of no time between kernels"
     : here->range != RL_NONE && row->capture->ranges[here->range].process != row->capture->timelines[here->timeline].process
         ? "its range belongs to another process"
     : here->longest_ns > here->total_ns ? "its longest one is longer than all"
                                         : NULL)

RULE(sampled_lane, sampled_lane,
     !IN_ORDER_OF(timeline, counter)                                ? "it does not stand in the order of timelines and counters"
     : !(rl_sampled_of_what(here->counter) & RL_SAMPLED_OF_MOMENTS) ? "its counter is not recorded over time"
                                                                    : NULL)

/* The timeline of a bin of samples. */
static const struct rl_timeline *timeline_of(const struct rl_capture *capture, const struct rl_sampled_bin *bin)
{
    return &capture->timelines[capture->sampled_lanes[bin->lane].timeline];
}
RULE(sampled_bin, sampled_bin,
     !IN_ORDER_OF(lane, bin)                                        ? "it does not stand in the order of lanes and of time"
     : here->bin >= timeline_of(row->capture, here)->bins           ? "it is behind the last bin of its timeline"
     : here->covered_ns > timeline_of(row->capture, here)->width_ns ? "more than all of its time was sampled"
                                                                    : NULL)

/* Lanes of single ranges may be several on one timeline; that of all other ranges, and that of none, are there once. */
RULE(range_lane, range_lane,
     !IN_ORDER(timeline) ||
             (before && before->timeline == here->timeline && before->place != RL_IDLE_RANGE && here->place <= before->place)
         ? "it does not stand in the order of timelines and places"
     : (here->place == RL_IDLE_RANGE) != (here->range != RL_NONE) ? "a range belongs to a lane of one range, and to no other"
     : here->range != RL_NONE && row->capture->ranges[here->range].process != row->capture->timelines[here->timeline].process
         ? "its range belongs to another process"
         : NULL)

/* ---- columns of the samples of instructions ---- */

/* As the file has them. */
NAMES(stall, RL_STALL_COUNT, rl_stalls[member].id)
static const struct rl_column pc_sampling_columns[] = {
    INDEX(pc_sampling, gpu, GPU), INTEGER("period", U32, 0, 31, MEMBER(pc_sampling, period, uint32_t)),
    U64(pc_sampling, samples),    U64(pc_sampling, dropped),
    U64(pc_sampling, others),     U64(pc_sampling, overflows),
    U64(pc_sampling, unkept),
};
static const struct rl_column pc_function_columns[] = {
    INDEX(pc_function, sampling, PC_SAMPLING),
    PRIVATE(KERNEL, pc_function, name),
    HEX(pc_function, cubin, 16),
    BOOL(pc_function, lines),
};
static const struct rl_column source_file_columns[] = {PRIVATE(PLACE, source_file, path, .optional = true)};
static const struct rl_column source_line_columns[] = {
    INDEX(source_line, file, SOURCE_FILE),
    INTEGER("number", U32, 1, UINT32_MAX, MEMBER(source_line, number, uint32_t)),
    PRIVATE(PLACE, source_line, text, .optional = true),
};
static const struct rl_column pc_instruction_columns[] = {
    INDEX(pc_instruction, function, PC_FUNCTION),
    BOOL(pc_instruction, rest),
    U64(pc_instruction, offset),
    INDEX_OR_NONE(pc_instruction, line, SOURCE_LINE),
};
static const struct rl_column pc_stall_columns[] = {
    INDEX(pc_stall, instruction, PC_INSTRUCTION),
    ENUM(pc_stall, reason, stall_names),
    U64(pc_stall, samples),
    U64(pc_stall, not_issued),
};
static const struct rl_column pc_text_columns[] = {
    INDEX(pc_text, instruction, PC_INSTRUCTION),
    PRIVATE(PUBLIC, pc_text, text),
};

/* An enum rl_pc_counter, as the file has it. */
static const char *pc_counter_name(unsigned member)
{
    static const char *const names[RL_PC_COUNTER_COUNT] = {
#define PC_COUNTER(id, metric, meaning) #id,
#include "capture/pc_counters.def"
    };
    assert(member < RL_PC_COUNTER_COUNT);
    return names[member];
}
static const struct rl_enumeration pc_counter_names = {RL_PC_COUNTER_COUNT, pc_counter_name};
static const struct rl_column pc_counted_columns[] = {
    INDEX(pc_counted, instruction, PC_INSTRUCTION),
    ENUM(pc_counted, counter, pc_counter_names),
    U64(pc_counted, count),
};

RULE(pc_function, pc_function, IN_ORDER(sampling) ? NULL : "it does not stand in the order of samplings")
RULE(source_line, source_line, IN_ORDER_OF(file, number) ? NULL : "it does not stand in the order of files and numbers")

RULE(pc_instruction, pc_instruction,
     before && before->function == here->function && before->rest ? "it stands behind the rest of its function"
     : !IN_ORDER(function) || (before && before->function == here->function && !here->rest && before->offset >= here->offset)
         ? "it does not stand in the order of functions and offsets"
     : here->rest && (here->offset || here->line != RL_NONE) ? "the rest is at one place"
                                                             : NULL)

RULE(pc_stall, pc_stall,
     !IN_ORDER_OF(instruction, reason)  ? "it does not stand in the order of instructions and reasons"
     : here->not_issued > here->samples ? "more samples are without an issue than there are"
                                        : NULL)

/* The fault of what an instruction says, which is nothing that could be a name; NULL: none. */
static const char *pc_text_rule(const struct rl_schema_row *row)
{
    const struct rl_pc_text *text = row->element, *before = text - 1;
    struct rl_buf clean = RL_BUF_INIT;
    if (row->position > 0 && before->instruction >= text->instruction)
        return "it does not stand in the order of instructions";
    if (row->capture->pc_instructions[text->instruction].rest)
        return "it is of more than one instruction";
    rl_sass_clean(text->text, strlen(text->text), &clean);
    const bool same = clean.len > 0 && strcmp(clean.data, text->text) == 0;
    rl_buf_release(&clean);
    return same ? NULL : "it is no instruction without names";
}

RULE(pc_counted, pc_counted,
     IN_ORDER_OF(instruction, counter) ? NULL : "it does not stand in the order of instructions and counters")

/* ---- columns of cases ---- */

static const struct rl_column instance_columns[] = {
    INDEX(instance, range, RANGE), INDEX_OR_NONE(instance, gpu, GPU), U64(instance, started_ns),
    U64(instance, host_ns),        U64(instance, gpu_started_ns),     U64(instance, gpu_ns),
    U64(instance, busy_ns),        U64(instance, launches),           U64(instance, untimed),
    U64(instance, assumed),
};
static const struct rl_column range_kernel_columns[] = {
    INDEX(range_kernel, range, RANGE),
    INDEX(range_kernel, kernel, KERNEL),
    U64(range_kernel, launches),
    U64(range_kernel, total_ns),
};
static const struct rl_column benchmark_columns[] = {
    NAME_AS("name", benchmark, name), VALUE(benchmark, work, 0, ANY), OPTIONAL_TEXT(benchmark, unit),
    U64(benchmark, missing),          U64(benchmark, summarised),
};
static const struct rl_column benchmark_sample_columns[] = {
    INDEX(benchmark_sample, benchmark, BENCHMARK),
    REAL(benchmark_sample, seconds, 0, (double)LARGEST),
};

RULE(instance, instance,
     here->busy_ns > here->gpu_ns                      ? "its kernels ran for longer than it lasted on the GPU"
     : (here->gpu == RL_NONE) != (here->launches == 0) ? "a GPU belongs to an instance with a timed launch"
                                                       : NULL)
RULE(benchmark_sample, benchmark_sample, IN_ORDER(benchmark) ? NULL : "it does not stand in the order of benchmarks")

/* Columns of what became of imported values. Private to capture/schema.c. */
/* As the file has them. */
NAMES(fate, RL_FATE_COUNT, rl_fate_name((enum rl_fate)member))

static const struct rl_column ledger_columns[] = {
    NAME_AS("name", ledger_row, name), BOOL(ledger_row, column), ENUM(ledger_row, fate, fate_names), U64(ledger_row, count),
    TEXT(ledger_row, example),         TEXT(ledger_row, reason),
};
