/* benchmark_results.h - results of benchmark programs between their file and the capture (private to benchmark*.c). */
#pragma once

#include "import/import.h"
#include "lines.h"

/* ---- output of Google Benchmark, llama-bench and nvbench, and CSV of a user's own benchmark ---- */

struct rl_bench;
/* Copies the options about CSV. Free with rl_bench_free. */
struct rl_bench *rl_bench_new(const struct rl_import_options *options);
void rl_bench_free(struct rl_bench *bench); /* NULL is allowed */
/* Reads the file if it is one of these; otherwise `*is` is false and nothing was read. `label` is its path, because JSON of nvbench
 * names files in its folder. RL_FORMAT or RL_USAGE with one line. */
enum rl_status rl_bench_read(struct rl_bench *bench, struct rl_lines *lines, const char *label, bool *is, struct rl_err *err);
/* Whether something was read. */
bool rl_bench_has_rows(const struct rl_bench *bench);
/* Fills the capture with session, GPU and benchmarks with their samples, and its log with what was left out. */
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
    const char *name;     /* with its parameters; NULL: not a result */
    const char *device;   /* number of its GPU; NULL: not in the file */
    double seconds;       /* 0: it failed, or has no time */
    double *samples;      /* single times, used instead of `seconds`; NULL: none */
    size_t sample_count;  /* number of them; 0 stands for a missing time */
    struct rl_value work; /* done in `seconds`, in `unit`, which is static */
    const char *unit;
    uint64_t summarised; /* number of samples of which it is the mean; 1: unknown; 0: it is a sample itself */
    bool is_statistic;   /* statistic of the rows of the same name, used if those are missing */
    size_t place;        /* position of its benchmark */
};

struct rl_bench {
    struct rl_arena arena;
    struct rl_bench_result *results;
    size_t count, cap;
    size_t samples;                   /* of all results */
    const struct rl_bench_kind *kind; /* of the first file */
    char *card;                       /* its name in a file; NULL: in none */
    bool cards_differ;                /* the files name several GPUs */
    /* CSV of a user's own program */
    const char *csv_time, *csv_case;
    double factor; /* from the time to seconds; 0: the options have not been parsed yet */
    struct rl_text cases[RL_BENCH_CASE_COLUMNS];
    size_t case_count;
    /* left out or missing */
    uint64_t uneven;  /* rows with more or fewer cells than their head */
    uint64_t skipped; /* results that the benchmark did not run */
    uint64_t lost;    /* missing or damaged files of single times */
    uint64_t cut;     /* truncated files */
    double noise;     /* largest standard deviation over mean among results without single times; 0: none */
};

struct rl_bench_kind {
    const char *tool;
    char separator;     /* of a table; '{': JSON */
    const char *has[2]; /* words in the head of the table, or in the beginning of the JSON */
    const char *within; /* JSON: the path of its results, by keys ("benchmarks.states"); "": also one per line */
    void (*take)(struct rl_bench *bench, const struct rl_bench_fields *fields, struct rl_bench_result *result);
    const char *single; /* the tool's option that keeps single times; NULL: always kept */
};
/* benchmark_kinds.c: the kind of a file with this beginning; NULL: it is no benchmark. */
const struct rl_bench_kind *rl_bench_kind_of(const struct rl_bench *bench, struct rl_text start, bool is_json);
/* benchmark_kinds.c: whether the line is the head of a table of that kind, or an object of JSONL. */
bool rl_bench_is_head(const struct rl_bench_kind *kind, struct rl_text line);
/* benchmark_kinds.c: parses the options about CSV; RL_USAGE. */
enum rl_status rl_bench_options(struct rl_bench *bench, struct rl_err *err);

/* ---- benchmark_kinds.c ---- */

/* The value of a field; empty: there is none. */
struct rl_text rl_bench_value(const struct rl_bench_fields *fields, const char *key);
/* Records the name of the GPU. */
void rl_bench_card(struct rl_bench *bench, struct rl_text name);
/* Keeps a result with a name. RL_FORMAT: there are too many. */
enum rl_status rl_bench_keep(struct rl_bench *bench, const struct rl_bench_result *result, const char *label, struct rl_err *err);

/* benchmark_json.c: reads JSON of this kind; `label` is its path. */
enum rl_status rl_bench_read_json(struct rl_bench *bench, const struct rl_bench_kind *kind, struct rl_lines *lines,
                                  const char *label, struct rl_err *err);
