#include "benchmark_results.h"

#include "core/mem.h"

enum { MOST_ROWS = 1000000, MOST_SAMPLES = 10000000 };

struct rl_text rl_bench_value(const struct rl_bench_fields *fields, const char *key)
{
    const size_t found = RL_FIRST(i, fields->count, rl_text_is(fields->at[i].key, key));
    return found < fields->count ? fields->at[found].value : rl_text_of("");
}

void rl_bench_card(struct rl_bench *bench, struct rl_text name)
{
    if (!name.len)
        return;
    bench->cards_differ |= bench->card && !rl_text_is(name, bench->card);
    if (!bench->card)
        bench->card = rl_arena_strndup(&bench->arena, name.at, name.len);
}

enum rl_status rl_bench_keep(struct rl_bench *bench, const struct rl_bench_result *result, const char *label, struct rl_err *err)
{
    bench->samples += result->samples ? result->sample_count : 1;
    if (bench->count == MOST_ROWS || bench->samples > MOST_SAMPLES)
        return rl_err_set(err, RL_FORMAT, "'%s': more than %d results or %d samples: import fewer files at a time", label,
                          MOST_ROWS, MOST_SAMPLES);
    RL_APPEND(bench->results, bench->count, bench->cap, *result);
    return RL_OK;
}
