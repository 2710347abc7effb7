/* schema_program.h - columns of what an observed program did, and rules over more than one of them. Private to capture/schema.c. */
#ifndef RL_CAPTURE_SCHEMA_PROGRAM_H
#define RL_CAPTURE_SCHEMA_PROGRAM_H

#include "schema_columns.h"

static const char *const ends[] = {"exited", "killed", "unknown", NULL};
static const char *const directions[] = {"to device", "to host", "on device", "between devices", "on host", "set", NULL};
static const char *const memories[] = {"pageable", "pinned", "managed", "device", "unknown", NULL};

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
    WORD(transfer, direction, directions),
    WORD(transfer, memory, memories),
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

#endif
