/* benchmark_results.h - results of benchmark programs between their file and the capture (private to benchmark*.c). */
#pragma once

#include "capture/capture.h"
#include "core/core.h"
#include "import/import.h"
#include "lines.h"
#include "text.h"

/* ---- output of Google Benchmark, llama-bench and nvbench, and CSV of a user's own benchmark ---- */

struct rl_bench;
/* Copies the options about CSV. Free with rl_bench_free. */
struct rl_bench *rl_bench_new(const struct rl_import_options *options);
void rl_bench_free(struct rl_bench *bench); /* NULL is allowed */
/* Reads the file when it is one of these; otherwise `*is` is false and nothing was read. `label` is its path: JSON of nvbench
 * names files next to it. RL_FORMAT or RL_USAGE with one line. */
enum rl_status rl_bench_read(struct rl_bench *bench, struct rl_lines *lines, const char *label, bool *is, struct rl_err *err);
/* Whether something was read. */
bool rl_bench_has_rows(const struct rl_bench *bench);
/* Fills the capture: session, card, benchmarks with their samples, what was left out into the log. */
void rl_bench_build(struct rl_bench *bench, const char *card, struct rl_capture *capture);

enum { RL_BENCH_CASE_COLUMNS = 32 };

/* A cell of a table by the head of its column, or a value of a JSON object by its key. */
struct rl_bench_field {
    struct rl_text key, value; /* trimmed */
    bool is_axis;              /* a parameter of nvbench */
};
struct rl_bench_fields {
    struct rl_bench_field *at;
    size_t count;
};

/* A row or object that was read. */
struct rl_bench_result {
    const char *name;     /* with parameters; NULL: it is no sample */
    const char *device;   /* number of its GPU; NULL: the file has none */
    double seconds;       /* 0: it says that it failed, or has no time */
    double *samples;      /* its single times, for which `seconds` is then left aside; NULL: none */
    size_t sample_count;  /* of them; those without a time are 0 */
    struct rl_value work; /* of `seconds`, in `unit`, which is static */
    const char *unit;
    uint64_t summarised; /* it is the mean of so many samples; 1: of an unknown number; 0: it is one */
    bool is_statistic;   /* of the rows of the same name; counts where those are missing */
    size_t place;        /* of its benchmark */
};

struct rl_bench {
    struct rl_arena arena;
    struct rl_bench_result *results;
    size_t count, cap;
    size_t samples;                   /* of all results */
    const struct rl_bench_kind *kind; /* of the first file */
    char *card;                       /* a file names it; NULL: none does */
    bool cards_differ;                /* they name several */
    /* CSV of a user's own program */
    const char *csv_time, *csv_case;
    double factor; /* of the time, to seconds; 0: the options have not been taken apart yet */
    struct rl_text cases[RL_BENCH_CASE_COLUMNS];
    size_t case_count;
    /* left out, or not there */
    uint64_t uneven;  /* rows with more or fewer cells than their head */
    uint64_t skipped; /* that the benchmark did not run */
    uint64_t lost;    /* files of single times that were not found or are damaged */
    uint64_t cut;     /* files that end in the middle */
    double noise;     /* the largest standard deviation over mean of results of which single times are missing; 0: none */
};

struct rl_bench_kind {
    const char *tool;
    char separator;     /* of a table; '{': JSON */
    const char *has[2]; /* words in the head of the table, or in the beginning of the JSON */
    const char *within; /* JSON: the path of its results, by keys ("benchmarks.states"); "": they may stand one in a line */
    void (*take)(struct rl_bench *bench, const struct rl_bench_fields *fields, struct rl_bench_result *result);
    const char *single; /* which option keeps single times; NULL: they are there */
};
/* benchmark_kinds.c: the one of a file that begins like this; NULL: it is no benchmark. */
const struct rl_bench_kind *rl_bench_kind_of(const struct rl_bench *bench, struct rl_text start, bool is_json);
/* benchmark_kinds.c: whether the line is the head of a table of that kind, or an object of JSONL. */
bool rl_bench_is_head(const struct rl_bench_kind *kind, struct rl_text line);
/* benchmark_kinds.c: takes the options about CSV apart; RL_USAGE. */
enum rl_status rl_bench_options(struct rl_bench *bench, struct rl_err *err);

/* ---- benchmark_kinds.c ---- */

/* The value; empty: there is none. */
struct rl_text rl_bench_value(const struct rl_bench_fields *fields, const char *key);
/* Names the card that was measured. */
void rl_bench_card(struct rl_bench *bench, struct rl_text name);
/* Keeps a result with a name. RL_FORMAT: there are too many. */
enum rl_status rl_bench_keep(struct rl_bench *bench, const struct rl_bench_result *result, const char *label, struct rl_err *err);

/* benchmark_json.c: reads JSON of this kind; `label` is its path. */
enum rl_status rl_bench_read_json(struct rl_bench *bench, const struct rl_bench_kind *kind, struct rl_lines *lines,
                                  const char *label, struct rl_err *err);
