/* stream_pc.h - what a process has said of the instructions that were sampled. Private to the collector. */
#ifndef RL_COLLECTOR_STREAM_PC_H
#define RL_COLLECTOR_STREAM_PC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/stalls.h"
#include "stream.h"

/* Instructions of one process that are told apart; samples of further ones count for their functions. */
enum { RL_STREAM_MOST_PCS = 1 << 17 };
static const uint64_t RL_STREAM_REST_OFFSET = UINT64_MAX;

struct rl_stream_pc {
    uint32_t function;
    uint64_t offset;                                              /* RL_STREAM_REST_OFFSET: of further instructions */
    uint64_t samples[RL_STALL_COUNT], not_issued[RL_STALL_COUNT]; /* by reason */
};
struct rl_stream_function {
    struct rl_record_pc_function is;
    const char *name; /* mangled; NULL: it was not told */
};
struct rl_stream_cubin {
    uint64_t cubin, size;
    char *bytes;
    uint64_t got; /* so many of them */
};
struct rl_stream_pcs {
    struct rl_stream_function *functions;
    size_t function_count, function_cap;
    struct rl_stream_pc *pcs;
    size_t pc_count, pc_cap;
    uint32_t *slots; /* number of the instruction and 1, by function and offset */
    size_t slot_count;
    struct rl_stream_cubin *cubins;
    size_t cubin_count, cubin_cap;
    uint64_t cubin_bytes;
};

/* Takes a function; false: no process of ours writes such a record. `name` lives as long as the stream. */
bool rl_stream_pc_function(struct rl_stream_pcs *pcs, const struct rl_record_pc_function *is, const char *name);
/* Adds the samples of one instruction of a function that was told before. False as above. */
bool rl_stream_pc_samples(struct rl_stream_pcs *pcs, const char *record, size_t len);
/* Takes a part of a module; parts come in order, and what is out of it, or of a module too many, is dropped. False as above. */
bool rl_stream_pc_cubin(struct rl_stream_pcs *pcs, const char *record, size_t len);
/* The whole module with this checksum; NULL: there is none. */
const struct rl_stream_cubin *rl_stream_pc_find_cubin(const struct rl_stream_pcs *pcs, uint64_t cubin);
/* Of a zeroed one, too; zeroes it. */
void rl_stream_pcs_release(struct rl_stream_pcs *pcs);

#endif
