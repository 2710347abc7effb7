/* import.h - makes a capture from the output of other profilers and benchmarks.
 *
 * Reads tables and reports of Nsight Compute, tables of nvprof and nsys stats, with other output around them; timelines: SQLite
 * exports of Nsight Systems, traces of PyTorch's profiler; and times of Google Benchmark, llama-bench, nvbench and CSV of other
 * benchmarks (docs/import.md has all forms). Several files are views of one run: their kernels are joined by name, shape and GPU.
 * docs/import-values.md has the use of every value.
 *
 *     struct rl_import *import = rl_import_new(&options);
 *     for (size_t i = 0; i < count && status == RL_OK; i++)
 *         status = rl_import_file(import, paths[i], &err);
 *     if (status == RL_OK)
 *         status = rl_import_finish(import, &capture, &err);
 *     rl_import_free(import);
 *
 * Files are read as streams: memory grows with the number of kernel classes, metrics and launches, not with the file. They are
 * untrusted: every length and count has a limit (enum below); excess is left out with an entry in the capture's log, or refused
 * with one line.
 */
#pragma once

#include "capture/capture.h"

enum {
    RL_IMPORT_MAX_LINE = 16 << 20,         /* bytes of one line, and of one record that goes over several lines */
    RL_IMPORT_MAX_COLUMNS = 32768,         /* of one table */
    RL_IMPORT_MAX_NAMES = 200000,          /* metrics by name and unit, of all files together */
    RL_IMPORT_MAX_CLASSES = 200000,        /* kernel classes */
    RL_IMPORT_MAX_VALUES = 4000000,        /* values, after launches of one class were joined */
    RL_IMPORT_MAX_FOREIGN_OF_CLASS = 8000, /* of them, metrics of one class that rooflight has no name for */
    RL_IMPORT_MAX_SAMPLES_OF_CLASS = 1000000,
    RL_IMPORT_MAX_SAMPLES = 20000000,
    RL_IMPORT_MAX_LAUNCHES_OF_CLASS = 4096, /* whose counters are kept; */
    RL_IMPORT_MAX_LAUNCHES = 20000,         /* of all classes; */
    RL_IMPORT_MAX_LAUNCH_VALUES = 1000000,  /* such counters */
    RL_IMPORT_MAX_FIGURES = 2000,           /* published ones */
};

struct rl_import_options {
    const char *card;           /* name for GPUs that the files do not name; NULL: "unknown GPU" */
    const char *csv_time;       /* files are CSV of a benchmark: the column of a time, its unit at the end; NULL: they are not */
    const char *csv_case;       /* with that: columns that name a case, with commas between them */
    const char *tool_version;   /* of rooflight, for the capture */
    const char *const *command; /* arguments as typed, for the capture; may be NULL when command_count is 0 */
    size_t command_count;
    bool keep_command; /* all of it, not only what is harmless (rl_capture_set_command) */
};

struct rl_import;

/* The strings are copied. Free with rl_import_free. */
struct rl_import *rl_import_new(const struct rl_import_options *options);
/* NULL is allowed. */
void rl_import_free(struct rl_import *import);

/* Reads one file. RL_ABSENT or RL_IO: it cannot be read; RL_FORMAT, with its contents in the text: no measurement (only messages of
 * the tool, nothing profiled, another format). After a failure only rl_import_free may follow. */
enum rl_status rl_import_file(struct rl_import *import, const char *path, struct rl_err *err);
/* The same from bytes in memory, which must stay valid until rl_import_finish; `label` is used as the path, also to find files that
 * JSON of nvbench names. */
enum rl_status rl_import_bytes(struct rl_import *import, const void *bytes, size_t len, const char *label, struct rl_err *err);

/* Makes the capture of all files: joins views, uses printed values if counters are missing, flags impossible ones. On success
 * `*capture` is complete and the caller's (rl_capture_free). RL_FORMAT: no file was read. Only rl_import_free may follow. */
enum rl_status rl_import_finish(struct rl_import *import, struct rl_capture **capture, struct rl_err *err);
