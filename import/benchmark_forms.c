/* benchmark_forms.c - what a row of a benchmark program means. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "benchmark.h"
#include "core/mem.h"
#include "core/units.h"

const char *rl_bench_value(const struct rl_bench_row *row, const char *key)
{
    for (size_t i = 0; i < row->count; i++)
        if (strcmp(row->pairs[i].key, key) == 0 && *row->pairs[i].value)
            return row->pairs[i].value;
    return NULL;
}

struct rl_value rl_bench_number(const char *text)
{
    double number = 0;
    const struct rl_text trimmed = text ? rl_text_trim(rl_text_of(text)) : (struct rl_text){"", 0};
    return rl_number_parse(trimmed.at, trimmed.len, &number) && number >= 0 ? rl_value_of(number)
                                                                            : rl_value_missing(RL_NOT_COLLECTED, "no number");
}

static struct rl_value number_at(const struct rl_bench_row *row, const char *key)
{
    return rl_bench_number(rl_bench_value(row, key));
}

static void set_sample(struct rl_arena *arena, struct rl_bench_result *result, struct rl_value seconds)
{
    if (!rl_present(seconds)) {
        result->failed = true;
        return;
    }
    result->seconds = rl_arena_alloc(arena, sizeof *result->seconds);
    result->seconds[result->count++] = seconds.v;
}

/* "M=512,N=64" behind a name; what would be read as another parameter is replaced. */
static void add_parameter(struct rl_buf *text, size_t *count, const char *key, const char *value, size_t len)
{
    rl_buf_addf(text, "%s%s", *count ? "," : text->len ? " " : "", key);
    if (len)
        rl_buf_addch(text, '=');
    for (size_t i = 0; i < len; i++)
        rl_buf_addch(text, strchr(",;=", value[i]) ? '/' : value[i]);
    ++*count;
}

static char *kept(struct rl_arena *arena, struct rl_buf *text)
{
    char *copy = rl_arena_strndup(arena, text->data, text->len);
    rl_buf_release(text);
    return copy;
}

/* ---- Google Benchmark ---- */

static const struct {
    const char *ending;
    bool is_mean;
} statistics[] = {{"_mean", true}, {"_median", false}, {"_stddev", false}, {"_cv", false}, {"_min", false}, {"_max", false}};

/* "BM_Gemm/512/N:64/real_time" is "BM_Gemm arg0=512,N=64,real_time". */
static char *google_name(struct rl_arena *arena, const char *name, size_t len)
{
    struct rl_buf text = RL_BUF_INIT;
    size_t count = 0, number = 0, at = strcspn(name, "/");
    at = at < len ? at : len;
    for (size_t i = 0; i < at; i++)
        rl_buf_addch(&text, strchr("=,;", name[i]) ? '_' : name[i]);
    while (at < len) {
        const char *part = name + at + 1;
        const size_t room = len - at - 1, whole = strcspn(part, "/"), size = whole < room ? whole : room;
        const char *colon = memchr(part, ':', size);
        struct rl_buf key = RL_BUF_INIT;
        if (colon) {
            rl_buf_add(&key, part, (size_t)(colon - part));
            add_parameter(&text, &count, key.len ? key.data : "arg", colon + 1, size - (size_t)(colon + 1 - part));
        } else if (size && (isdigit((unsigned char)*part) || *part == '-')) {
            rl_buf_addf(&key, "arg%zu", number++);
            add_parameter(&text, &count, key.data, part, size);
        } else if (size) {
            rl_buf_add(&key, part, size);
            add_parameter(&text, &count, key.data, "", 0);
        }
        rl_buf_release(&key);
        at += size + 1;
    }
    return kept(arena, &text);
}

static double google_unit(const char *unit)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    for (size_t i = 0; unit && i < RL_COUNT(units); i++)
        if (strcmp(unit, units[i].name) == 0)
            return units[i].factor;
    return 0;
}

static bool ends_with(const char *text, const char *ending)
{
    const size_t len = strlen(text), own = strlen(ending);
    return len > own && strcmp(text + len - own, ending) == 0;
}

/* In CSV a statistic shows by the end of its name alone. */
static void google_statistic(const struct rl_bench_row *row, const char *name, size_t *len, struct rl_bench_result *result)
{
    const char *type = rl_bench_value(row, "run_type");
    if (type && strcmp(type, "aggregate") != 0)
        return;
    for (size_t i = 0; i < RL_COUNT(statistics); i++) {
        if (!ends_with(name, statistics[i].ending))
            continue;
        const struct rl_value repetitions = number_at(row, type ? "repetitions" : "iterations");
        *len -= strlen(statistics[i].ending);
        result->is_statistic = true;
        result->is_ignored = !statistics[i].is_mean;
        result->summarised = rl_present(repetitions) && repetitions.v >= 1 && repetitions.v < 1e15 ? (uint64_t)repetitions.v : 1;
        return;
    }
    result->is_ignored = type != NULL; /* a statistic of the user's own */
}

void rl_bench_google(struct rl_arena *arena, const struct rl_bench_row *row, struct rl_bench_result *result)
{
    const char *name = rl_bench_value(row, "name"), *error = rl_bench_value(row, "error_occurred");
    size_t len = name ? strlen(name) : 0;
    if (!name) {
        result->is_ignored = true;
        return;
    }
    google_statistic(row, name, &len, result);
    result->name = google_name(arena, name, len);
    const struct rl_value time = number_at(row, "real_time");
    const double factor = google_unit(rl_bench_value(row, "time_unit"));
    if ((error && strcmp(error, "false") != 0) || rl_bench_value(row, "skipped") || factor <= 0)
        result->failed = true;
    else
        set_sample(arena, result, rl_value_mul(time, rl_value_of(factor)));
    static const char *const rates[][2] = {{"bytes_per_second", "B"}, {"items_per_second", "items"}};
    for (size_t i = 0; i < RL_COUNT(rates) && result->count; i++) {
        const struct rl_value rate = number_at(row, rates[i][0]);
        if (!rl_present(rate) || rate.v <= 0)
            continue;
        result->work = rl_value_of(rate.v * result->seconds[0]);
        result->unit = rates[i][1];
        break;
    }
}

/* ---- llama-bench ---- */

/* Its columns, by the letters of its options. */
static const struct {
    const char *column, *key;
} settings[] = {
    {"n_prompt", "p"}, {"n_gen", "n"},     {"n_depth", "d"},        {"n_batch", "b"},     {"n_ubatch", "ub"},   {"type_k", "ctk"},
    {"type_v", "ctv"}, {"n_threads", "t"}, {"n_gpu_layers", "ngl"}, {"split_mode", "sm"}, {"flash_attn", "fa"},
};

void rl_bench_llama(struct rl_arena *arena, const struct rl_bench_row *row, struct rl_bench_result *result)
{
    const char *model = rl_bench_value(row, "model_type");
    struct rl_buf text = RL_BUF_INIT;
    size_t count = 0, samples = 0;
    if (!model)
        model = "llama";
    for (; *model; model++)
        rl_buf_addch(&text, strchr("=,;", *model) ? '_' : *model);
    for (size_t i = 0; i < RL_COUNT(settings); i++) {
        const char *value = rl_bench_value(row, settings[i].column);
        if (value)
            add_parameter(&text, &count, settings[i].key, value, strlen(value));
    }
    result->name = kept(arena, &text);
    for (size_t i = 0; i < row->count; i++)
        samples += strcmp(row->pairs[i].key, "samples_ns") == 0;
    if (samples)
        result->seconds = rl_arena_alloc(arena, samples * sizeof *result->seconds);
    for (size_t i = 0; i < row->count && samples; i++) {
        const struct rl_value sample = rl_bench_number(row->pairs[i].value);
        if (strcmp(row->pairs[i].key, "samples_ns") == 0 && rl_present(sample))
            result->seconds[result->count++] = sample.v * 1e-9;
    }
    if (!result->count) {
        set_sample(arena, result, rl_value_mul(number_at(row, "avg_ns"), rl_value_of(1e-9)));
        result->summarised = 1;
    }
    const struct rl_value tokens = rl_value_add(number_at(row, "n_prompt"), number_at(row, "n_gen"));
    if (rl_present(tokens) && tokens.v > 0)
        result->work = tokens;
    result->unit = "tokens";
}

/* "pp512", "tg128", "pp512+tg128", "pp512 @ d4096": how many of each; 0: none. */
static unsigned long long count_behind(const char *test, const char *word)
{
    const char *found = strstr(test, word);
    return found && isdigit((unsigned char)found[strlen(word)]) ? strtoull(found + strlen(word), NULL, 10) : 0;
}

void rl_bench_llama_table(struct rl_arena *arena, const struct rl_bench_row *row, struct rl_bench_result *result)
{
    const char *test = rl_bench_value(row, "test"), *rate = rl_bench_value(row, "t/s"), *model = rl_bench_value(row, "model");
    struct rl_buf text = RL_BUF_INIT;
    size_t count = 0;
    if (!test || !model) {
        result->is_ignored = true;
        return;
    }
    for (const char *c = model; *c; c++)
        rl_buf_addch(&text, strchr("=,;", *c) ? '_' : *c);
    static const char *const words[][2] = {{"pp", "p"}, {"tg", "n"}, {"@ d", "d"}};
    for (size_t i = 0; i < RL_COUNT(words); i++) {
        char number[32];
        const int len = snprintf(number, sizeof number, "%llu", count_behind(test, words[i][0]));
        add_parameter(&text, &count, words[i][1], number, (size_t)len);
    }
    static const char *const apart[] = {"model", "size", "params", "backend", "test", "t/s"};
    for (size_t i = 0; i < row->count; i++) {
        bool is_apart = false;
        for (size_t k = 0; k < RL_COUNT(apart); k++)
            is_apart |= strcmp(row->pairs[i].key, apart[k]) == 0;
        if (!is_apart && *row->pairs[i].key)
            add_parameter(&text, &count, row->pairs[i].key, row->pairs[i].value, strlen(row->pairs[i].value));
    }
    result->name = kept(arena, &text);
    const size_t len = rate ? strcspn(rate, " ") : 0; /* before "± 3.20" */
    double per_second = 0;
    const double tokens = (double)count_behind(test, "pp") + (double)count_behind(test, "tg");
    result->summarised = 1;
    result->unit = "tokens";
    if (!rate || !rl_number_parse(rate, len, &per_second) || per_second <= 0 || tokens <= 0) {
        result->failed = true;
        return;
    }
    result->work = rl_value_of(tokens);
    set_sample(arena, result, rl_value_of(tokens / per_second));
}

/* ---- CSV of a user's own program ---- */

void rl_bench_own(struct rl_arena *arena, const struct rl_bench_columns *columns, const struct rl_bench_row *row,
                  struct rl_bench_result *result)
{
    struct rl_buf text = RL_BUF_INIT;
    size_t count = 0;
    for (size_t i = 0; i < columns->case_count; i++) {
        const char *value = rl_bench_value(row, columns->cases[i]);
        add_parameter(&text, &count, columns->cases[i], value ? value : "", value ? strlen(value) : 0);
    }
    result->name = kept(arena, &text);
    set_sample(arena, result, rl_value_mul(number_at(row, columns->time), rl_value_of(columns->factor)));
}
