/* pcs.h - adds PC samples to a capture: chooses the instructions that are kept one by one, and the lines around them.
 *
 *     rl_pcs_choose(pcs, capture);             then lines of the sites that are kept
 *     rl_pcs_add_lines(pcs, capture, read, context);     then texts
 *     rl_pcs_add(pcs, capture);
 */
#pragma once

#include "pc.h"

static const uint64_t RL_PC_REST_OFFSET = UINT64_MAX; /* of further instructions */

/* An instruction. */
struct rl_pc_site {
    uint64_t offset; /* in its function */
    uint64_t samples, by[RL_STALL_COUNT], not_issued[RL_STALL_COUNT];
    uint64_t counts[RL_PC_COUNTER_COUNT];
    bool kept;
    const char *path; /* NULL: unknown */
    uint32_t line;
    const char *text; /* NULL: unknown */
};
/* A function; its sites are sorted by offset. */
struct rl_pc_total {
    size_t sampling;   /* of the capture, ascending */
    const char *name;  /* mangled */
    const char *cubin; /* as in struct rl_pc_function */
    bool lines, kept;
    size_t first, count; /* sites */
    uint64_t samples;
};
struct rl_pcs {
    struct rl_pc_site *sites;
    size_t site_count;
    struct rl_pc_total *totals;
    size_t total_count;
};

struct rl_capture;
/* A text file. */
struct rl_source_text {
    const char *const *lines; /* line number i is at i - 1; long ones are cut */
    size_t count;
};
/* Splits a text into lines, which are copied into the arena. */
struct rl_source_text rl_source_split(const char *bytes, size_t size, struct rl_arena *arena);

/* Marks the functions and sites that are kept; samples of the others are counted as rl_pc_sampling.unkept. */
void rl_pcs_choose(struct rl_pcs *pcs, struct rl_capture *capture);
/* Adds files, and the lines of sites with the lines around them; `read` returns the text of a file. */
void rl_pcs_add_lines(const struct rl_pcs *pcs, struct rl_capture *capture,
                      struct rl_source_text (*read)(const char *path, void *context), void *context);
/* Adds the functions that are kept, and their instructions. */
void rl_pcs_add(const struct rl_pcs *pcs, struct rl_capture *capture);

/* ---- the text of an instruction without names of the program: opcode, registers, numbers ---- */

enum { RL_SASS_MOST = 200 }; /* bytes of a text */

/* Appends the text of an instruction as a disassembler prints it, on one line with single blanks, at most RL_SASS_MOST bytes:
 * names of functions and of variables, and everything that is not SASS, become "[symbol]". Idempotent; may append nothing. */
void rl_sass_clean(const char *text, size_t length, struct rl_buf *out);
