/* benchmark.h - what benchmark programs print: Google Benchmark, llama-bench, and CSV of a user's own program (private to import/).
 *
 * Each row of a file is a list of keys and values, whatever its format; a row of `kinds` in benchmark.c says which function reads
 * it.
 */
#ifndef RL_IMPORT_BENCHMARK_H
#define RL_IMPORT_BENCHMARK_H

#include "capture/capture.h"
#include "import/import.h"
#include "lines.h"

/* A column or member, and what stands there; a list has a pair for each of its elements. */
struct rl_bench_pair {
    const char *key, *value;
};
struct rl_bench_row {
    const struct rl_bench_pair *pairs;
    size_t count;
};

/* A row that was read. */
struct rl_bench_result {
    char *name;      /* with parameters */
    double *seconds; /* the samples */
    size_t count;
    struct rl_value work; /* of a sample */
    const char *unit;     /* static */
    bool failed;          /* it says so, or has no time */
    uint64_t summarised;  /* its sample is the mean of so many; 1: of an unknown number; 0: it is one */
    bool is_statistic;    /* of the rows of the same name, not a sample; only of use where those are missing */
    bool is_ignored;      /* a statistic that is no time */
};

struct rl_bench;
/* `options` are borrowed. Free with rl_bench_free. */
struct rl_bench *rl_bench_new(const struct rl_import_options *options);
void rl_bench_free(struct rl_bench *bench); /* NULL is allowed */
/* Reads the file when it is one of these; otherwise `*is` is false and nothing was read. RL_FORMAT or RL_USAGE with one line. */
enum rl_status rl_bench_read(struct rl_bench *bench, struct rl_lines *lines, const char *label, bool *is, struct rl_err *err);
/* Whether something was read. */
bool rl_bench_has_rows(const struct rl_bench *bench);
/* Fills the capture: session, card, benchmarks with their samples. */
void rl_bench_build(struct rl_bench *bench, const char *card, struct rl_capture *capture);

/* ---- benchmark_forms.c: what a row means; texts are in the arena ---- */

/* The value of a key; NULL: the row has none, or it is empty. */
const char *rl_bench_value(const struct rl_bench_row *row, const char *key);
/* A number, all of the text but for blanks around it, of 0 or more; missing otherwise. */
struct rl_value rl_bench_number(const char *text);
/* Google Benchmark. */
void rl_bench_google(struct rl_arena *arena, const struct rl_bench_row *row, struct rl_bench_result *result);
/* llama-bench, CSV and JSON. */
void rl_bench_llama(struct rl_arena *arena, const struct rl_bench_row *row, struct rl_bench_result *result);
/* llama-bench, Markdown. */
void rl_bench_llama_table(struct rl_arena *arena, const struct rl_bench_row *row, struct rl_bench_result *result);
struct rl_bench_columns {
    const char *time; /* head of the column */
    double factor;    /* to seconds */
    char *const *cases;
    size_t case_count;
};
/* CSV of a user's own program. */
void rl_bench_own(struct rl_arena *arena, const struct rl_bench_columns *columns, const struct rl_bench_row *row,
                  struct rl_bench_result *result);

#endif
