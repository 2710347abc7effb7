/* benchmark.h - output of Google Benchmark, llama-bench and nvbench, and CSV of a user's own benchmark (private to import/). */
#ifndef RL_IMPORT_BENCHMARK_H
#define RL_IMPORT_BENCHMARK_H

#include "capture/capture.h"
#include "import/import.h"
#include "lines.h"

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

#endif
