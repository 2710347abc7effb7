/* benchmark.c - files of benchmark programs: their rows, and what becomes of them (see benchmark.h). */
#include "benchmark.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/intern.h"
#include "core/mem.h"
#include "core/sort.h"
#include "core/units.h"
#include "record.h"

enum { MOST_ROWS = 1000000, MOST_CASE_COLUMNS = 32 };

/* A row that was read. */
struct result {
    const char *name;     /* with parameters; NULL: the row is no sample */
    double seconds;       /* 0: it says that it failed, or has no time */
    struct rl_value work; /* in `unit`, which is static */
    const char *unit;
    uint64_t summarised; /* it is the mean of so many samples; 1: of an unknown number; 0: it is one */
    bool is_statistic;   /* of the rows of the same name; counts where those are missing */
    size_t place;        /* of its benchmark */
};

struct rl_bench {
    struct rl_arena arena;
    struct result *results;
    size_t count, cap;
    const char *tool; /* of the first file; static */
    char *card;       /* a file names it; NULL: none does */
    /* CSV of a user's own program */
    const char *csv_time, *csv_case;
    double factor; /* of the time, to seconds; 0: the options have not been taken apart yet */
    struct rl_text cases[MOST_CASE_COLUMNS];
    size_t case_count;
    uint64_t uneven; /* rows with more or fewer cells than their head */
};

/* A file. */
struct reading {
    struct rl_bench *bench;
    const struct kind *kind;
    const char *label;
    char **heads; /* NULL: not read yet */
    size_t head_count, rows;
    struct rl_record *record; /* the row */
};

/* ---- cells ---- */

static struct rl_text cell_at(const struct reading *reading, const char *head)
{
    for (size_t i = 0; i < reading->head_count; i++)
        if (strcmp(reading->heads[i], head) == 0)
            return rl_text_trim(rl_record_cell(reading->record, i));
    return rl_text_of("");
}

/* A number of 0 or more. */
static struct rl_value number_at(const struct reading *reading, const char *head)
{
    const struct rl_text text = cell_at(reading, head);
    double number;
    return rl_number_parse(text.at, text.len, &number) && number >= 0 ? rl_value_of(number)
                                                                      : rl_value_missing(RL_NOT_COLLECTED, "no number");
}

static void set_time(struct result *result, struct rl_value time, double factor)
{
    result->seconds = rl_present(time) ? time.v * factor : 0;
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

static const struct {
    const char *name;
    double factor;
} time_units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"\xC2\xB5s", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"sec", 1}, {"seconds", 1}};

/* To seconds; 0: it is no unit. */
static double factor_of(struct rl_text unit)
{
    for (size_t i = 0; i < RL_COUNT(time_units); i++)
        if (rl_text_is(unit, time_units[i].name))
            return time_units[i].factor;
    return 0;
}

/* In CSV a statistic shows by the end of its name alone. */
static void take_google(struct reading *reading, struct result *result)
{
    static const char *const statistics[] = {"_mean", "_median", "_stddev", "_cv", "_min", "_max"};
    static const char *const rates[][2] = {{"bytes_per_second", "B"}, {"items_per_second", "items"}};
    struct rl_text name = cell_at(reading, "name");
    struct naming naming = {.text = RL_BUF_INIT};
    for (size_t i = 0; i < RL_COUNT(statistics); i++) {
        const size_t len = strlen(statistics[i]);
        if (name.len <= len || memcmp(name.at + name.len - len, statistics[i], len) != 0)
            continue;
        if (i > 0)
            return; /* only the mean is a time like the samples */
        const struct rl_value repetitions = number_at(reading, "iterations");
        name.len -= len;
        result->is_statistic = true;
        result->summarised = rl_present(repetitions) && repetitions.v >= 1 && repetitions.v < 1e15 ? (uint64_t)repetitions.v : 1;
        break;
    }
    if (!name.len)
        return;
    add_google_name(&naming, name);
    result->name = named(reading->bench, &naming);
    const struct rl_text failed = cell_at(reading, "error_occurred");
    if (!failed.len || rl_text_is(failed, "false"))
        set_time(result, number_at(reading, "real_time"), factor_of(cell_at(reading, "time_unit")));
    for (size_t i = 0; i < RL_COUNT(rates) && !result->unit; i++) {
        const struct rl_value rate = number_at(reading, rates[i][0]);
        if (rl_present(rate) && rate.v > 0 && result->seconds > 0) {
            result->work = rl_value_of(rate.v * result->seconds);
            result->unit = rates[i][1];
        }
    }
}

/* ---- llama-bench: only means ---- */

static void take_llama(struct reading *reading, struct result *result)
{
    static const char *const settings[][2] = {/* columns, by the letters of their options */
                                              {"n_prompt", "p"},    {"n_gen", "n"},      {"n_depth", "d"},
                                              {"n_batch", "b"},     {"n_ubatch", "ub"},  {"type_k", "ctk"},
                                              {"type_v", "ctv"},    {"n_threads", "t"},  {"n_gpu_layers", "ngl"},
                                              {"split_mode", "sm"}, {"flash_attn", "fa"}};
    const struct rl_text model = cell_at(reading, "model_type"), card = cell_at(reading, "gpu_info");
    struct naming naming = {.text = RL_BUF_INIT};
    add_name(&naming, model.len ? model : rl_text_of("llama"));
    for (size_t i = 0; i < RL_COUNT(settings); i++) {
        const struct rl_text value = cell_at(reading, settings[i][0]);
        if (value.len)
            add_parameter(&naming, rl_text_of(settings[i][1]), value);
    }
    result->name = named(reading->bench, &naming);
    result->summarised = 1;
    set_time(result, number_at(reading, "avg_ns"), 1e-9);
    const struct rl_value tokens = rl_value_add(number_at(reading, "n_prompt"), number_at(reading, "n_gen"));
    if (rl_present(tokens) && tokens.v > 0) {
        result->work = tokens;
        result->unit = "tokens";
    }
    if (card.len && !reading->bench->card)
        reading->bench->card = rl_arena_strndup(&reading->bench->arena, card.at, card.len);
}

/* The digits behind a word of "pp512", "tg128", "pp512+tg128", "pp512 @ d4096"; "0" without it. */
static struct rl_text count_behind(struct rl_text test, const char *word)
{
    struct rl_text found = rl_text_from(test, rl_text_find(test, word) + strlen(word));
    size_t len = 0;
    while (len < found.len && isdigit((unsigned char)found.at[len]))
        len++;
    return len ? (struct rl_text){found.at, len} : rl_text_of("0");
}

static void take_llama_table(struct reading *reading, struct result *result)
{
    static const char *const words[][2] = {{"pp", "p"}, {"tg", "n"}, {"@ d", "d"}};
    static const char *const apart[] = {"", "model", "size", "params", "backend", "test", "t/s"};
    const struct rl_text test = cell_at(reading, "test"), model = cell_at(reading, "model"), rate = cell_at(reading, "t/s");
    struct naming naming = {.text = RL_BUF_INIT};
    double tokens = 0, per_second = 0;
    if (!test.len || !model.len || strchr("-:", *test.at))
        return;
    add_name(&naming, model);
    for (size_t i = 0; i < RL_COUNT(words); i++) {
        const struct rl_text count = count_behind(test, words[i][0]);
        double number = 0;
        add_parameter(&naming, rl_text_of(words[i][1]), count);
        if (i < 2 && rl_number_parse(count.at, count.len, &number))
            tokens += number;
    }
    for (size_t i = 0; i < reading->head_count; i++) {
        size_t k = 0;
        while (k < RL_COUNT(apart) && strcmp(reading->heads[i], apart[k]) != 0)
            k++;
        if (k == RL_COUNT(apart))
            add_parameter(&naming, rl_text_of(reading->heads[i]), rl_text_trim(rl_record_cell(reading->record, i)));
    }
    result->name = named(reading->bench, &naming);
    result->summarised = 1;
    if (rl_number_parse(rate.at, rl_text_find(rate, " "), &per_second) && per_second > 0 && tokens > 0) { /* "2048.00 ± 3.20" */
        result->seconds = tokens / per_second;
        result->work = rl_value_of(tokens);
        result->unit = "tokens";
    }
}

/* ---- CSV of a user's own program ---- */

static void take_own(struct reading *reading, struct result *result)
{
    struct rl_bench *bench = reading->bench;
    struct naming naming = {.text = RL_BUF_INIT};
    for (size_t i = 0; i < bench->case_count; i++)
        add_parameter(&naming, bench->cases[i], cell_at(reading, bench->cases[i].at));
    result->name = named(bench, &naming);
    set_time(result, number_at(reading, bench->csv_time), bench->factor);
}

/* "time_us", "time [ms]", "time (s)": the factor of the unit at the end of a head; 0: it has none. */
static double factor_of_head(const char *head)
{
    size_t end = strlen(head);
    while (end && strchr(")] ", head[end - 1]))
        end--;
    size_t from = end;
    while (from && !strchr("_([ .-", head[from - 1]))
        from--;
    return from ? factor_of((struct rl_text){head + from, end - from}) : 0;
}

static enum rl_status take_options(struct rl_bench *bench, struct rl_err *err)
{
    bench->factor = factor_of_head(bench->csv_time);
    if (bench->factor <= 0)
        return rl_err_set(err, RL_USAGE,
                          "option '--csv-time': '%s' has no unit at its end: name the column like time_us, time_ms or time_s",
                          bench->csv_time);
    for (struct rl_text rest = rl_text_of(bench->csv_case); rest.len;) {
        const size_t len = rl_text_find(rest, ",");
        const struct rl_text name = rl_text_trim((struct rl_text){rest.at, len});
        if (!name.len || bench->case_count == MOST_CASE_COLUMNS)
            return rl_err_set(err, RL_USAGE, "option '--csv-case': '%s' is not a list of up to %d columns", bench->csv_case,
                              MOST_CASE_COLUMNS);
        bench->cases[bench->case_count++] = rl_text_of(rl_arena_strndup(&bench->arena, name.at, name.len));
        rest = rl_text_from(rest, len + 1);
    }
    return RL_OK;
}

/* ---- a file ---- */

/* Its head holds these words. */
static const struct kind {
    const char *tool;
    char separator;
    const char *has[2];
    void (*take)(struct reading *reading, struct result *result);
} kinds[] = {
    {"Google Benchmark", ',', {"name,iterations,real_time,cpu_time,time_unit", ""}, take_google},
    {"llama-bench", ',', {"build_commit,", "avg_ts"}, take_llama},
    {"llama-bench", '|', {"| model ", " t/s |"}, take_llama_table},
    {"CSV", ',', {"", ""}, take_own}, /* only by option */
};

static bool is_head(const struct kind *kind, struct rl_text line)
{
    return rl_text_find(line, kind->has[0]) < line.len && (!*kind->has[1] || rl_text_find(line, kind->has[1]) < line.len);
}

static const struct kind *kind_of(const struct rl_bench *bench, struct rl_text start)
{
    const size_t own = RL_COUNT(kinds) - 1;
    size_t i = 0;
    while (i < own && !is_head(&kinds[i], start))
        i++;
    return bench->csv_time ? &kinds[own] : i < own ? &kinds[i] : NULL;
}

/* Each column that was named is in the head. */
static enum rl_status take_head(struct reading *reading, struct rl_err *err)
{
    const struct rl_bench *bench = reading->bench;
    const size_t count = rl_record_count(reading->record);
    reading->head_count = count;
    reading->heads = rl_arena_alloc(&reading->bench->arena, (reading->head_count + 1) * sizeof *reading->heads);
    for (size_t i = 0; i < reading->head_count; i++) {
        const struct rl_text cell = rl_text_trim(rl_record_cell(reading->record, i));
        reading->heads[i] = rl_arena_strndup(&reading->bench->arena, cell.at, cell.len);
    }
    for (size_t c = 0; bench->csv_time && c <= bench->case_count; c++) {
        const char *wanted = c < bench->case_count ? bench->cases[c].at : bench->csv_time;
        size_t i = 0;
        while (i < reading->head_count && strcmp(reading->heads[i], wanted) != 0)
            i++;
        if (i == reading->head_count)
            return rl_err_set(err, RL_USAGE, "'%s': it has no column '%s'; its first is '%s'", reading->label, wanted,
                              reading->head_count ? reading->heads[0] : "");
    }
    return RL_OK;
}

/* A head may come again, where files were put behind one another. */
static enum rl_status take_line(struct reading *reading, struct rl_text line, struct rl_err *err)
{
    struct rl_bench *bench = reading->bench;
    const bool again = !bench->csv_time && is_head(reading->kind, line);
    if (rl_text_trim(line).len == 0 || (reading->kind->separator == '|' && !rl_text_begins(rl_text_trim(line), "|")))
        return RL_OK;
    rl_record_read_csv(reading->record, line, reading->kind->separator);
    if (again || (bench->csv_time && !reading->heads))
        return take_head(reading, err);
    if (!reading->heads)
        return RL_OK;
    if (rl_record_count(reading->record) != reading->head_count) {
        bench->uneven++;
        return RL_OK;
    }
    struct result result = {.work = rl_value_missing(RL_NOT_COLLECTED, "the file does not say it")};
    reading->kind->take(reading, &result);
    reading->rows++;
    if (!result.name)
        return RL_OK;
    if (bench->count == MOST_ROWS)
        return rl_err_set(err, RL_FORMAT, "'%s': more than %d samples: import fewer files at a time", reading->label, MOST_ROWS);
    RL_GROW(bench->results, bench->count + 1, bench->cap);
    bench->results[bench->count++] = result;
    return RL_OK;
}

enum rl_status rl_bench_read(struct rl_bench *bench, struct rl_lines *lines, const char *label, bool *is, struct rl_err *err)
{
    struct reading reading = {.bench = bench, .kind = kind_of(bench, rl_lines_head(lines)), .label = label};
    enum rl_status status = RL_OK;
    struct rl_text line;
    *is = reading.kind != NULL;
    if (!*is)
        return RL_OK;
    if (bench->csv_time && bench->factor <= 0)
        status = take_options(bench, err);
    reading.record = rl_record_new();
    while (status == RL_OK && rl_lines_next(lines, &line))
        status = take_line(&reading, line, err);
    if (status == RL_OK)
        status = rl_lines_status(lines, label, err);
    if (status == RL_OK && reading.rows == 0)
        status = rl_err_set(err, RL_FORMAT, "'%s': output of %s without a result", label, reading.kind->tool);
    bench->tool = bench->tool ? bench->tool : reading.kind->tool;
    rl_record_free(reading.record);
    return status;
}

/* ---- all ---- */

struct rl_bench *rl_bench_new(const struct rl_import_options *options)
{
    struct rl_bench *bench = rl_calloc(1, sizeof *bench);
    bench->csv_time = options->csv_time ? rl_arena_strdup(&bench->arena, options->csv_time) : NULL;
    bench->csv_case = options->csv_case ? rl_arena_strdup(&bench->arena, options->csv_case) : "";
    return bench;
}

void rl_bench_free(struct rl_bench *bench)
{
    if (!bench)
        return;
    rl_arena_release(&bench->arena);
    free(bench->results);
    free(bench);
}

bool rl_bench_has_rows(const struct rl_bench *bench)
{
    return bench->count > 0;
}

static int by_place(const void *a, const void *b)
{
    return rl_ascending(((const struct result *)a)->place, ((const struct result *)b)->place);
}

/* Rows of one name are one benchmark. A statistic counts only where its samples are not there. */
static void add_results(struct rl_bench *bench, struct rl_capture *capture)
{
    struct rl_intern names = {0};
    bool is_new;
    for (size_t i = 0; i < bench->count; i++)
        bench->results[i].place = rl_intern(&names, 0, bench->results[i].name, &is_new);
    rl_intern_release(&names);
    rl_sort(bench->results, bench->count, sizeof *bench->results, by_place);
    for (size_t i = 0, end; i < bench->count; i = end) {
        struct rl_benchmark *benchmark = rl_capture_add_benchmark(capture);
        bool has_samples = false;
        benchmark->name = rl_capture_text(capture, bench->results[i].name);
        for (end = i; end < bench->count && bench->results[end].place == bench->results[i].place; end++)
            has_samples |= !bench->results[end].is_statistic;
        for (size_t k = i; k < end; k++) {
            const struct result *result = &bench->results[k];
            if (result->is_statistic && has_samples)
                continue;
            if (rl_present(result->work) && isfinite(result->work.v) && !benchmark->unit) {
                benchmark->work = result->work;
                benchmark->unit = rl_capture_text(capture, result->unit);
            }
            if (result->seconds > 0 && isfinite(result->seconds)) { /* rates of a file may be of any size */
                benchmark->summarised = result->summarised ? result->summarised : benchmark->summarised;
                *rl_capture_add_benchmark_sample(capture) =
                    (struct rl_benchmark_sample){capture->benchmark_count - 1, result->seconds};
            } else {
                benchmark->missing++;
            }
        }
    }
}

void rl_bench_build(struct rl_bench *bench, const char *card, struct rl_capture *capture)
{
    struct rl_session *session = &capture->session;
    assert(bench->count && bench->tool);
    session->source = rl_capture_text(capture, "benchmark");
    session->counters = rl_arena_printf(&capture->arena, "imported from %s", bench->tool);
    session->complete = true;
    if (bench->card || card)
        rl_capture_add_gpu(capture)->name = rl_capture_text(capture, bench->card ? bench->card : card);
    if (bench->uneven)
        rl_capture_log(capture, 0, RL_LOG_WARNING, "%" PRIu64 " row%s with more or fewer cells than the head: left out",
                       bench->uneven, bench->uneven == 1 ? "" : "s");
    add_results(bench, capture);
}
