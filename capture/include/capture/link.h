/* link.h - copies between GPUs, and between them and the host, of a machine (capture.h). */
#ifndef RL_CAPTURE_LINK_H
#define RL_CAPTURE_LINK_H

#include <stddef.h>
#include <stdint.h>

#include "core/value.h"

/* A way that copies take inside a machine, in one direction. */
struct rl_link {
    size_t from_gpu, to_gpu; /* RL_NONE: page-locked memory of the host. Not both, and not the same one */
    /* "nvlink": straight; "nvswitch": NVLink through switches; "c2c": NVLink-C2C to the host; "pcie"; "host": through the host's
     * memory, because the two cannot reach one another; "unknown". */
    char *via;
    char *topology;          /* what lies between them, in nvidia-smi's words: "PIX", "PXB", "PHB", "NODE", "SYS"; NULL: unknown */
    char *access;            /* "yes", or why one cannot reach the other's memory, in one sentence; NULL for the host */
    struct rl_value nvlinks; /* active ones on this way, */
    struct rl_value nvlink_version; /* their version (4.0), */
    struct rl_value nvlink_rate;    /* and the rate of one in one direction on the wire, as the driver reports it, B/s */
    struct rl_value pcie_generation, pcie_width; /* the most that its end, or both ends, can do */
    char *failure;                               /* why it was not measured, or not all of it; NULL: it was */
};
/* Copies of one size over it. */
struct rl_link_run {
    size_t link;
    /* "alone"; "both ways": the other direction copies as much at the same time, and a sample lasts as long as the slower one;
     * "together": all links between GPUs and host in this direction at once, sample k of each in the same moment. */
    char *traffic;
    uint64_t bytes;        /* of one copy, in one direction */
    uint64_t copies;       /* one behind the other in each sample */
    uint64_t *duration_ns; /* of a sample, in order of measuring */
    size_t duration_count;
};

#endif
