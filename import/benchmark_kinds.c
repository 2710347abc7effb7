/* benchmark_kinds.c - what a row or an object of each benchmark program says (see benchmark_results.h). */
#include <ctype.h>

#include "benchmark_results.h"
#include "cell.h"

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

/* A number of 0 or more. */
static struct rl_value number_at(const struct rl_bench_fields *fields, const char *key)
{
    const struct rl_text text = rl_bench_value(fields, key);
    double number;
    return rl_number_parse(text.at, text.len, &number) && number >= 0 ? rl_value_of(number)
                                                                      : rl_value_missing(RL_NOT_COLLECTED, "no number");
}

static void set_time(struct rl_bench_result *result, struct rl_value time, double factor)
{
    result->seconds = rl_present(time) ? time.v * factor : 0;
}

static uint64_t count_of(struct rl_value number)
{
    return rl_present(number) && number.v >= 1 && number.v < 1e15 ? (uint64_t)number.v : 1;
}

/* ---- names: "BM_Gemm M=512,N=64" ---- */

struct naming {
    struct rl_buf text;
    bool any; /* there is a parameter */
};

/* Without what would begin another parameter. */
static void add_plain(struct naming *naming, struct rl_text part, const char *kept_out)
{
    for (size_t i = 0; i < part.len; i++)
        rl_buf_addch(&naming->text, strchr(kept_out, part.at[i]) ? '_' : part.at[i]);
}

static void add_name(struct naming *naming, struct rl_text name)
{
    add_plain(naming, name, ",;=");
}

static void add_parameter(struct naming *naming, struct rl_text key, struct rl_text value)
{
    rl_buf_adds(&naming->text, naming->any ? "," : naming->text.len ? " " : "");
    add_plain(naming, key, ",;= ");
    rl_buf_adds(&naming->text, value.len ? "=" : "");
    add_plain(naming, value, ",;=");
    naming->any = true;
}

static const char *named(struct rl_bench *bench, struct naming *naming)
{
    const char *name = rl_arena_strndup(&bench->arena, naming->text.data, naming->text.len);
    rl_buf_release(&naming->text);
    return name;
}

/* ---- Google Benchmark ---- */

static const struct {
    const char *name;
    double factor;
} time_units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"\xC2\xB5s", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"sec", 1}, {"seconds", 1}};

/* To seconds; 0: it is no unit. */
static double factor_of(struct rl_text unit)
{
    const size_t at = RL_FIRST(i, RL_COUNT(time_units), rl_text_is(unit, time_units[i].name));
    return at < RL_COUNT(time_units) ? time_units[at].factor : 0;
}

/* In CSV a statistic shows by the end of its name alone. */
/* "BM_Gemm/512/N:64/real_time" is "BM_Gemm arg0=512,N=64,real_time". */
static void add_google_name(struct naming *naming, struct rl_text name)
{
    size_t at = rl_text_find(name, "/"), number = 0;
    add_name(naming, (struct rl_text){name.at, at});
    while (at < name.len) {
        struct rl_text part = rl_text_from(name, at + 1);
        part.len = rl_text_find(part, "/");
        at += 1 + part.len;
        const size_t colon = rl_text_find(part, ":");
        char argument[32];
        if (colon < part.len) {
            add_parameter(naming, (struct rl_text){part.at, colon}, rl_text_from(part, colon + 1));
        } else if (part.len && (isdigit((unsigned char)*part.at) || *part.at == '-')) {
            (void)snprintf(argument, sizeof argument, "arg%zu", number++);
            add_parameter(naming, rl_text_of(argument), part);
        } else if (part.len) {
            add_parameter(naming, part, rl_text_of(""));
        }
    }
}

static void take_google(struct rl_bench *bench, const struct rl_bench_fields *fields, struct rl_bench_result *result)
{
    static const char *const statistics[] = {"_mean", "_median", "_stddev", "_cv", "_min", "_max", "_BigO", "_RMS"};
    static const char *const rates[][2] = {{"bytes_per_second", "B"}, {"items_per_second", "items"}};
    static const char *const failures[] = {"error_occurred", "skipped"};
    struct rl_text name = rl_bench_value(fields, "name");
    const bool says_aggregate = rl_text_is(rl_bench_value(fields, "run_type"), "aggregate");
    const bool says_sample = rl_text_is(rl_bench_value(fields, "run_type"), "iteration");
    struct naming naming = {.text = RL_BUF_INIT};
    if (says_aggregate && !rl_text_is(rl_bench_value(fields, "aggregate_name"), "mean"))
        return;
    for (size_t i = 0; i < RL_COUNT(statistics) && !says_sample; i++) {
        const size_t len = strlen(statistics[i]);
        if (name.len <= len || memcmp(name.at + name.len - len, statistics[i], len) != 0)
            continue;
        if (i > 0)
            return; /* only the mean is a time like the samples */
        name.len -= len;
        result->is_statistic = true;
        result->summarised = count_of(number_at(fields, "iterations"));
        break;
    }
    if (!name.len)
        return;
    add_google_name(&naming, name);
    result->name = named(bench, &naming);
    bool failed = false;
    for (size_t i = 0; i < RL_COUNT(failures); i++) {
        const struct rl_text text = rl_bench_value(fields, failures[i]);
        failed |= text.len && !rl_text_is(text, "false");
    }
    if (!failed)
        set_time(result, number_at(fields, "real_time"), factor_of(rl_bench_value(fields, "time_unit")));
    for (size_t i = 0; i < RL_COUNT(rates) && !result->unit; i++) {
        const struct rl_value rate = number_at(fields, rates[i][0]);
        if (rl_positive(rate) && result->seconds > 0) {
            result->work = rl_value_of(rate.v * result->seconds);
            result->unit = rates[i][1];
        }
    }
}

/* ---- llama-bench: CSV and Markdown have only means ---- */

static void take_llama(struct rl_bench *bench, const struct rl_bench_fields *fields, struct rl_bench_result *result)
{
    static const char *const settings[][2] = {/* columns, by the letters of their options */
                                              {"n_prompt", "p"},    {"n_gen", "n"},      {"n_depth", "d"},
                                              {"n_batch", "b"},     {"n_ubatch", "ub"},  {"type_k", "ctk"},
                                              {"type_v", "ctv"},    {"n_threads", "t"},  {"n_gpu_layers", "ngl"},
                                              {"split_mode", "sm"}, {"flash_attn", "fa"}};
    const struct rl_text model = rl_bench_value(fields, "model_type");
    struct naming naming = {.text = RL_BUF_INIT};
    add_name(&naming, model.len ? model : rl_text_of("llama"));
    for (size_t i = 0; i < RL_COUNT(settings); i++) {
        const struct rl_text value = rl_bench_value(fields, settings[i][0]);
        if (value.len) /* what CSV has as 1, JSON has as true */
            add_parameter(&naming, rl_text_of(settings[i][1]),
                          rl_text_is(value, "true")    ? rl_text_of("1")
                          : rl_text_is(value, "false") ? rl_text_of("0")
                                                       : value);
    }
    result->name = named(bench, &naming);
    result->summarised = 1;
    set_time(result, number_at(fields, "avg_ns"), 1e-9);
    const struct rl_value tokens = rl_value_add(number_at(fields, "n_prompt"), number_at(fields, "n_gen"));
    if (rl_positive(tokens)) {
        result->work = tokens;
        result->unit = "tokens";
    }
    rl_bench_card(bench, rl_bench_value(fields, "gpu_info"));
}

static void take_llama_table(struct rl_bench *bench, const struct rl_bench_fields *fields, struct rl_bench_result *result)
{
    static const char *const words[][2] = {{"pp", "p"}, {"tg", "n"}, {"@ d", "d"}};
    static const char *const apart[] = {"", "model", "size", "params", "backend", "test", "t/s"};
    const struct rl_text test = rl_bench_value(fields, "test"), model = rl_bench_value(fields, "model");
    const struct rl_text rate = rl_bench_value(fields, "t/s");
    struct naming naming = {.text = RL_BUF_INIT};
    double tokens = 0, per_second = 0;
    if (!test.len || !model.len || strchr("-:", *test.at))
        return;
    add_name(&naming, model);
    for (size_t i = 0; i < RL_COUNT(words); i++) {
        /* The digits behind a word of "pp512", "tg 128", "pp512+tg128", "pp512 @ d4096"; "0" without it. */
        const char *word = words[i][0];
        const struct rl_text found = rl_text_trim(rl_text_from(test, rl_text_find(test, word) + strlen(word)));
        size_t len = 0;
        while (len < found.len && isdigit((unsigned char)found.at[len]))
            len++;
        const struct rl_text count = len ? (struct rl_text){found.at, len} : rl_text_of("0");
        double number = 0;
        add_parameter(&naming, rl_text_of(words[i][1]), count);
        if (i < 2 && rl_number_parse(count.at, count.len, &number))
            tokens += number;
    }
    for (size_t i = 0; i < fields->count; i++) {
        size_t k = 0;
        while (k < RL_COUNT(apart) && !rl_text_is(fields->at[i].key, apart[k]))
            k++;
        if (k == RL_COUNT(apart))
            add_parameter(&naming, fields->at[i].key, fields->at[i].value);
    }
    result->name = named(bench, &naming);
    result->summarised = 1;
    if (rl_number_parse(rate.at, rl_text_find(rate, " "), &per_second) && per_second > 0 && tokens > 0) { /* "2048.00 ± 3.20" */
        result->seconds = tokens / per_second;
        result->work = rl_value_of(tokens);
        result->unit = "tokens";
    }
}

/* ---- nvbench: a state is a case, its axes are the parameters ---- */

/* "16.000 us", "2.02%", or a number that is in base units; NAN: none. */
static double measured(const struct rl_bench_fields *fields, const char *const keys[2], enum rl_dimension dimension)
{
    for (size_t i = 0; i < 2; i++) {
        const struct rl_cell cell = rl_cell_read(rl_bench_value(fields, keys[i]), RL_POINT);
        const struct rl_printed_unit unit = rl_unit_read(cell.unit, RL_DECIMAL);
        if (cell.kind == RL_CELL_NUMBER && (cell.unit.len == 0 || unit.dimension == dimension))
            return cell.number * (cell.unit.len ? unit.factor : 1);
    }
    return NAN;
}

static void take_nvbench(struct rl_bench *bench, const struct rl_bench_fields *fields, struct rl_bench_result *result)
{
    static const char *const times[2] = {"GPU Time (sec)", "GPU Time"};
    static const char *const bytes[2] = {"GlobalMem BW (bytes/sec)", "GlobalMem BW"};
    static const char *const items[2] = {"Elem/s (elem/sec)", ""};
    const struct rl_text benchmark = rl_bench_value(fields, "Benchmark"), skipped = rl_bench_value(fields, "Skipped");
    const struct rl_text device = rl_bench_value(fields, "Device");
    struct rl_text samples = rl_bench_value(fields, "Samples");
    struct naming naming = {.text = RL_BUF_INIT};
    if (!benchmark.len)
        return;
    if (skipped.len && !rl_text_is(skipped, "No") && !rl_text_is(skipped, "false")) {
        bench->skipped++;
        return;
    }
    add_name(&naming, benchmark);
    for (size_t i = 0; i < fields->count; i++) {
        const struct rl_text value = fields->at[i].value; /* "2^20 = 1048576" */
        if (fields->at[i].is_axis && value.len)
            add_parameter(&naming, fields->at[i].key,
                          rl_text_begins(value, "2^")
                              ? rl_text_from(value, rl_text_find(value, " = ") < value.len ? rl_text_find(value, " = ") + 3 : 0)
                              : value);
    }
    result->name = named(bench, &naming);
    result->device = device.len ? rl_arena_strndup(&bench->arena, device.at, device.len) : NULL;
    if (samples.len && samples.at[samples.len - 1] == 'x')
        samples.len--;
    double count = 0;
    result->summarised = rl_number_parse(samples.at, samples.len, &count) ? count_of(rl_value_of(count)) : 1;
    const double seconds = measured(fields, times, RL_DIMENSION_SECOND);
    const double rates[] = {measured(fields, bytes, RL_DIMENSION_BYTE_PER_SECOND), measured(fields, items, RL_DIMENSION_NONE)};
    result->seconds = seconds > 0 ? seconds : 0;
    for (size_t i = 0; i < RL_COUNT(rates) && !result->unit; i++)
        if (rates[i] > 0 && seconds > 0) {
            result->work = rl_value_of(rates[i] * seconds);
            result->unit = i ? "items" : RL_BENCHMARK_GLOBAL_MEMORY;
        }
    rl_bench_card(bench, rl_bench_value(fields, "Device Name"));
    if (!result->samples) {
        static const char *const keys[2] = {"GPU Noise", ""};
        bench->noise = fmax(bench->noise, measured(fields, keys, RL_DIMENSION_FRACTION)); /* NAN: none */
    }
}

/* ---- CSV of a user's own program ---- */

static void take_own(struct rl_bench *bench, const struct rl_bench_fields *fields, struct rl_bench_result *result)
{
    struct naming naming = {.text = RL_BUF_INIT};
    for (size_t i = 0; i < bench->case_count; i++)
        add_parameter(&naming, bench->cases[i], rl_bench_value(fields, bench->cases[i].at));
    result->name = named(bench, &naming);
    set_time(result, number_at(fields, bench->csv_time), bench->factor);
}

enum rl_status rl_bench_options(struct rl_bench *bench, struct rl_err *err)
{
    if (bench->factor > 0)
        return RL_OK;
    /* "time_us", "time [ms]", "time (s)": the factor of the unit at the end of a head; 0: it has none. */
    const char *head = bench->csv_time;
    size_t end = strlen(head);
    while (end && strchr(")] ", head[end - 1]))
        end--;
    size_t from = end;
    while (from && !strchr("_([ .-", head[from - 1]))
        from--;
    bench->factor = from ? factor_of((struct rl_text){head + from, end - from}) : 0;
    if (bench->factor <= 0)
        return rl_err_set(err, RL_USAGE,
                          "option '--csv-time': '%s' has no unit at its end: name the column like time_us, time_ms or time_s",
                          bench->csv_time);
    for (struct rl_text rest = rl_text_of(bench->csv_case); rest.len;) {
        const size_t len = rl_text_find(rest, ",");
        const struct rl_text name = rl_text_trim((struct rl_text){rest.at, len});
        if (!name.len || bench->case_count == RL_BENCH_CASE_COLUMNS)
            return rl_err_set(err, RL_USAGE, "option '--csv-case': '%s' is not a list of up to %d columns", bench->csv_case,
                              RL_BENCH_CASE_COLUMNS);
        bench->cases[bench->case_count++] = rl_text_of(rl_arena_strndup(&bench->arena, name.at, name.len));
        rest = rl_text_from(rest, len + 1);
    }
    return RL_OK;
}

/* ---- which one it is ---- */

#define REPETITIONS "without --benchmark_report_aggregates_only"
/* clang-format off */
static const struct rl_bench_kind kinds[] = {
    {"Google Benchmark", ',', {"name,iterations,real_time,cpu_time,time_unit", ""}, NULL, take_google, REPETITIONS},
    {"llama-bench", ',', {"build_commit,", "avg_ts"}, NULL, take_llama, "with -o json"},
    {"llama-bench", '|', {"| model ", " t/s |"}, NULL, take_llama_table, "with -o json"},
    {"nvbench", ',', {"Benchmark,Device,Device Name,", ""}, NULL, take_nvbench, "with --jsonbin FILE"},
    {"nvbench", '|', {" Samples ", " CPU Time "}, NULL, take_nvbench, "with --jsonbin FILE"},
    {"nvbench", '{', {"\"nvbench\"", "\"devices\""}, "benchmarks.states", take_nvbench, "with --jsonbin FILE"},
    {"Google Benchmark", '{', {"\"benchmarks\"", "\"num_cpus\""}, "benchmarks", take_google, REPETITIONS},
    {"llama-bench", '{', {"\"build_commit\"", "\"avg_ts\""}, "", take_llama, "with -o json"},
    {"CSV", ',', {"", ""}, NULL, take_own, NULL}, /* only by option */
};
/* clang-format on */

static bool has_words(const struct rl_bench_kind *kind, struct rl_text text)
{
    return rl_text_find(text, kind->has[0]) < text.len && (!*kind->has[1] || rl_text_find(text, kind->has[1]) < text.len);
}

bool rl_bench_is_head(const struct rl_bench_kind *kind, struct rl_text line)
{
    const struct rl_text first = rl_text_trim(line);
    return has_words(kind, line) && (kind->separator == ',' || (first.len && *first.at == kind->separator));
}

static bool has_head(const struct rl_bench_kind *kind, struct rl_text start)
{
    while (start.len) {
        const size_t len = rl_text_find(start, "\n");
        if (rl_bench_is_head(kind, (struct rl_text){start.at, len}))
            return true;
        start = rl_text_from(start, len + 1);
    }
    return false;
}

const struct rl_bench_kind *rl_bench_kind_of(const struct rl_bench *bench, struct rl_text start, bool is_json)
{
    const size_t own = RL_COUNT(kinds) - 1;
    for (size_t i = 0; i < own && !bench->csv_time; i++) {
        const bool whole = kinds[i].separator == '{' && is_json;
        const bool by_line = kinds[i].separator != '{' || !*kinds[i].within;
        if (whole ? has_words(&kinds[i], start) : !is_json && by_line && has_head(&kinds[i], start))
            return &kinds[i];
    }
    return bench->csv_time && !is_json ? &kinds[own] : NULL;
}
