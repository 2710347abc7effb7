/* ncu_source.h - single instructions in reports of Nsight Compute: samples by reason, counts, lines (private to import/).
 *
 * A report has modules first, and then launches with instances of metrics by address. What several launches of a function have is
 * added up.
 */
#pragma once

#include "reader.h"

struct rl_ncu_source;

/* One without instructions. */
struct rl_ncu_source *rl_ncu_source_new(void);
/* Frees it; NULL is allowed. */
void rl_ncu_source_free(struct rl_ncu_source *source);

/* Takes a message with a module of this file: its lines, and the text of source files that are in the report. */
void rl_ncu_source_module(struct rl_ncu_source *source, unsigned file, struct rl_text message);

/* A launch whose instructions come next. */
struct rl_ncu_place {
    uint32_t run;            /* the launch, */
    uint64_t number;         /* its number in all files of the run */
    unsigned file;           /* its module: the file, */
    uint64_t module;         /* and the number there */
    struct rl_text function; /* mangled name */
    size_t card;             /* RL_NONE: unknown */
    unsigned period;         /* binary logarithm of the sampling period in cycles */
    uint64_t base;           /* address of the function */
};
/* False: the launch was there before. */
bool rl_ncu_source_launch(struct rl_ncu_source *source, const struct rl_ncu_place *place);
/* Adds the instances of a metric of the launch; ignores metrics without instances by instruction. `message`: the metric's. */
void rl_ncu_source_metric(struct rl_ncu_source *source, const char *name, struct rl_text message);

/* Whether a metric of that name has instances that rl_ncu_source_metric takes. */
bool rl_ncu_source_wants(const char *name);

/* Adds all to the capture, where it has the kernels. */
void rl_ncu_source_add(struct rl_ncu_source *source, struct rl_capture *capture);

/* ---- modules of a GPU's instructions: sizes of functions, and source lines of instructions ---- */

/* ---- messages of protocol buffers, field by field, and the values in those of Nsight Compute ---- */

enum rl_part_kind { RL_VARINT = 0, RL_FIXED64 = 1, RL_BYTES = 2, RL_FIXED32 = 5 };

struct rl_part {
    uint64_t number, value; /* `value`: of a RL_VARINT */
    enum rl_part_kind kind;
    struct rl_text bytes; /* of the other kinds; in the message */
};

/* The next field of a message. False at its end, where rest->len is 0, and where it is damaged. */
bool rl_part_next(struct rl_text *rest, struct rl_part *field);
/* Bytes of the last field of that number in a message; empty: it has none. */
struct rl_text rl_part_bytes(struct rl_text message, uint64_t number);
/* A number of up to eight bytes. */
uint64_t rl_little_endian(struct rl_text bytes);
/* Texts may come with the 0 that ends them. */
struct rl_text rl_part_text(struct rl_text bytes);
/* A cell of what ncu prints for the value in a message; empty where it prints nothing. */
struct rl_cell rl_part_cell(struct rl_text message, struct rl_text *words);

/* Gets what is found. */
struct rl_cubin_taker {
    /* A function (mangled name), and how many bytes of instructions it has. */
    void (*function)(void *context, struct rl_text name, uint64_t size);
    /* Receives the line of the function's instructions from this offset on (0: none). The path is below `folder`, or absolute.
     * Returns false to end. */
    bool (*line)(void *context, struct rl_text function, uint64_t offset, struct rl_text folder, struct rl_text file,
                 uint32_t line);
    void *context;
};

/* Reads a module, an ELF file with arbitrary bytes. Damaged or unknown parts are skipped. */
void rl_cubin_read(struct rl_text cubin, const struct rl_cubin_taker *taker);

/* Nsight Compute's report (.ncu-rep) as it is, without ncu.
 *
 * A report is "NVR\0", a header with the version of the format, and blocks: a header, then as many bytes of messages as it says,
 * each behind its length in 4 bytes. All are protocol buffers; NVIDIA ships their definitions with Nsight Compute, in
 * extras/FileFormat. The names of all metrics stand in headers, some behind the launches that refer to them, so that headers are
 * read first. Then one launch at a time is in memory. Its values go where those of a row of ncu --csv --page raw go, which prints
 * the same ones. */

/* Whether a file that begins like this (rl_lines_head) is a report. */
bool rl_ncu_rep_begins(struct rl_text head);
/* Reads all launches. RL_FORMAT: there is none, or the format is older than those tested. */
enum rl_status rl_ncu_rep_read(struct rl_reader *reader, struct rl_lines *lines, struct rl_err *err);
