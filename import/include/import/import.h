/* import.h - what other profilers measured, as a capture.
 *
 * Reads the tables that Nsight Compute (CSV: raw page, details page, --metrics, summaries; 2020 to 2026) and nvprof (CSV and text:
 * metrics, events, summary, GPU trace, traces with metrics) print, and what programs print around and between them; timelines:
 * SQLite exports of Nsight Systems, traces of PyTorch's profiler (JSON, plain or gzip); and the times of Google Benchmark,
 * llama-bench, nvbench and CSV of other benchmarks. Several files are several views of one run: their kernels are joined by name,
 * shape and card. docs/import.md says what becomes of every value.
 *
 *     struct rl_import *import = rl_import_new(&options);
 *     for (size_t i = 0; i < count && status == RL_OK; i++)
 *         status = rl_import_file(import, paths[i], &err);
 *     if (status == RL_OK)
 *         status = rl_import_finish(import, &capture, &err);
 *     rl_import_free(import);
 *
 * Files are read as streams: memory grows with the number of kernel classes, metrics and launches, not with the file. They
 * are hostile input: every length and count has a limit (enum below), and what goes beyond one is left out with an entry in the
 * capture's log, or refused with one line.
 */
#ifndef RL_IMPORT_IMPORT_H
#define RL_IMPORT_IMPORT_H

#include "capture/capture.h"
#include "core/core.h"

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
    const char *card;           /* name for cards that the files do not name; NULL: "unknown card" */
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

/* Reads one file. RL_ABSENT or RL_IO when it cannot be read; RL_FORMAT, with what it holds instead, when there is no measurement in
 * it: only messages of the tool, nothing profiled, tables as text, another format. After a failure only rl_import_free may follow.
 */
enum rl_status rl_import_file(struct rl_import *import, const char *path, struct rl_err *err);
/* The same from bytes in memory, which stay there until rl_import_finish; `label` stands for the path, also of files that JSON of
 * nvbench names next to it. */
enum rl_status rl_import_bytes(struct rl_import *import, const void *bytes, size_t len, const char *label, struct rl_err *err);

/* Makes the capture of everything that was read: joins views, uses printed values where no counters are, checks for impossible
 * ones. On success `*capture` is complete and the caller's (rl_capture_free). RL_FORMAT when no file was read. Only rl_import_free
 * may follow. */
enum rl_status rl_import_finish(struct rl_import *import, struct rl_capture **capture, struct rl_err *err);

#endif
