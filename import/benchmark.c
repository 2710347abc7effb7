/* benchmark.c - files of benchmark programs: which one it is, its rows, and what becomes of them (see benchmark.h). */
#include "benchmark.h"

#include <assert.h>
#include <stdlib.h>

#include "core/intern.h"
#include "core/mem.h"
#include "record.h"

enum { MOST_ROWS = 1000000, MOST_COLUMNS = 1024, MOST_CASE_COLUMNS = 32 };

struct rl_bench {
    const struct rl_import_options *options;
    struct rl_arena arena;
    struct rl_bench_result *results;
    size_t count, cap;
    const char *tool; /* of the first file; static */
    char *card;       /* a file names it; NULL: none does */
    struct rl_bench_columns own;
    char *cases[MOST_CASE_COLUMNS];
};

struct rl_bench *rl_bench_new(const struct rl_import_options *options)
{
    struct rl_bench *bench = rl_calloc(1, sizeof *bench);
    bench->options = options;
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

/* ---- the formats ---- */

enum form { FORM_CSV, FORM_MARKDOWN };

/* Its file holds these words near its beginning. */
static const struct kind {
    const char *tool;
    enum form form;
    const char *has[2];
    void (*take)(struct rl_arena *arena, const struct rl_bench_row *row, struct rl_bench_result *result); /* NULL: rl_bench_own */
} kinds[] = {
    {"Google Benchmark", FORM_CSV, {"name,iterations,real_time,cpu_time,time_unit", ""}, rl_bench_google},
    {"llama-bench", FORM_CSV, {"build_commit", "avg_ts"}, rl_bench_llama},
    {"llama-bench", FORM_MARKDOWN, {"| model ", " t/s |"}, rl_bench_llama_table},
};
static const struct kind own_kind = {"CSV", FORM_CSV, {"", ""}, NULL};

static bool mentions(struct rl_text text, const char *words)
{
    return !*words || rl_text_find(text, words) < text.len;
}

static bool is_json(struct rl_text start)
{
    while (start.len && strchr(" \t\r\n", *start.at))
        start = rl_text_from(start, 1);
    return rl_text_begins(start, "{") || rl_text_begins(start, "[");
}

static const struct kind *kind_of(struct rl_text start)
{
    for (size_t i = 0; i < RL_COUNT(kinds); i++)
        if (!is_json(start) && mentions(start, kinds[i].has[0]) && mentions(start, kinds[i].has[1]))
            return &kinds[i];
    return NULL;
}

/* ---- rows ---- */

struct reading {
    struct rl_bench *bench;
    const struct kind *kind;
    const char *label;
    struct rl_bench_pair *pairs;
    size_t count, cap;
    char **heads; /* of the table */
    size_t head_count;
    struct rl_record *record;
    struct rl_arena texts; /* of the row */
    size_t rows;
};

static void take_row(struct reading *reading)
{
    struct rl_bench *bench = reading->bench;
    struct rl_bench_result result = {.work = rl_value_missing(RL_NOT_COLLECTED, "the file does not say it")};
    const struct rl_bench_row row = {reading->pairs, reading->count};
    if (reading->count == 0 || bench->count >= MOST_ROWS)
        return;
    if (reading->kind->take)
        reading->kind->take(&bench->arena, &row, &result);
    else
        rl_bench_own(&bench->arena, &bench->own, &row, &result);
    const char *card = rl_bench_value(&row, "gpu_info");
    if (card && !bench->card)
        bench->card = rl_arena_strdup(&bench->arena, card);
    reading->rows++;
    if (result.is_ignored || !result.name)
        return;
    RL_GROW(bench->results, bench->count + 1, bench->cap);
    bench->results[bench->count++] = result;
}

static void add_pair(struct reading *reading, const char *key, struct rl_text value)
{
    if (reading->count >= MOST_COLUMNS * 1024)
        return;
    RL_GROW(reading->pairs, reading->count + 1, reading->cap);
    reading->pairs[reading->count++] = (struct rl_bench_pair){key, rl_arena_strndup(&reading->texts, value.at, value.len)};
}

static void end_row(struct reading *reading)
{
    take_row(reading);
    reading->count = 0;
    rl_arena_release(&reading->texts);
}

/* ---- tables ---- */

/* The cells of "| a | b |". */
static void read_markdown(struct reading *reading, struct rl_text line)
{
    struct rl_buf csv = RL_BUF_INIT;
    line = rl_text_trim(line);
    if (rl_text_begins(line, "|"))
        line = rl_text_from(line, 1);
    while (line.len && line.at[line.len - 1] == '|')
        line.len--;
    for (size_t i = 0; i < line.len; i++)
        rl_buf_addch(&csv, line.at[i] == '"' ? '\'' : line.at[i]);
    rl_record_read_csv(reading->record, (struct rl_text){csv.len ? csv.data : "", csv.len}, '|');
    rl_buf_release(&csv);
}

static bool is_head(const struct reading *reading, struct rl_text line)
{
    if (!reading->kind->take)
        return true;
    return mentions(line, reading->kind->has[0]) && mentions(line, reading->kind->has[1]);
}

static void take_head(struct reading *reading)
{
    const size_t count = rl_record_count(reading->record);
    reading->head_count = count < MOST_COLUMNS ? count : MOST_COLUMNS;
    reading->heads = rl_arena_alloc(&reading->bench->arena, (reading->head_count + 1) * sizeof *reading->heads);
    for (size_t i = 0; i < reading->head_count; i++) {
        const struct rl_text cell = rl_text_trim(rl_record_cell(reading->record, i));
        reading->heads[i] = rl_arena_strndup(&reading->bench->arena, cell.at, cell.len);
    }
}

/* A head may come again, where files were put behind one another. */
static void take_line(struct reading *reading, struct rl_text line)
{
    const bool markdown = reading->kind->form == FORM_MARKDOWN;
    if (rl_text_trim(line).len == 0 || (markdown && !rl_text_begins(rl_text_trim(line), "|")))
        return;
    if (markdown)
        read_markdown(reading, line);
    else
        rl_record_read_csv(reading->record, line, ',');
    if (!reading->heads || (reading->kind->take && is_head(reading, line))) {
        if (is_head(reading, line))
            take_head(reading);
        return;
    }
    if (markdown && rl_text_find(line, "---") < line.len)
        return;
    for (size_t i = 0; i < reading->head_count; i++)
        add_pair(reading, reading->heads[i], rl_text_trim(rl_record_cell(reading->record, i)));
    end_row(reading);
}

/* ---- options ---- */

/* "time_us", "time [ms]", "time (s)": what the unit at the end of a head is; 0: none. */
static double unit_of_head(const char *head)
{
    static const struct {
        const char *unit;
        double factor;
    } units[] = {{"ns", 1e-9}, {"us", 1e-6}, {"\xC2\xB5s", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"sec", 1}, {"seconds", 1}};
    size_t end = strlen(head);
    while (end && strchr(")] ", head[end - 1]))
        end--;
    size_t from = end;
    while (from && !strchr("_([ .-", head[from - 1]))
        from--;
    for (size_t i = 0; i < RL_COUNT(units); i++)
        if (from && end - from == strlen(units[i].unit) && strncmp(head + from, units[i].unit, end - from) == 0)
            return units[i].factor;
    return 0;
}

static enum rl_status take_options(struct rl_bench *bench, struct rl_err *err)
{
    const struct rl_import_options *options = bench->options;
    bench->own =
        (struct rl_bench_columns){.time = options->csv_time, .factor = unit_of_head(options->csv_time), .cases = bench->cases};
    if (bench->own.factor <= 0)
        return rl_err_set(err, RL_USAGE,
                          "option '--csv-time': '%s' has no unit at its end: name the column like time_us, time_ms or "
                          "time_s",
                          options->csv_time);
    for (const char *at = options->csv_case; *at;) {
        const size_t len = strcspn(at, ",");
        const struct rl_text name = rl_text_trim((struct rl_text){at, len});
        if (!name.len || bench->own.case_count == MOST_CASE_COLUMNS)
            return rl_err_set(err, RL_USAGE, "option '--csv-case': '%s' is not a list of up to %d columns", options->csv_case,
                              MOST_CASE_COLUMNS);
        bench->cases[bench->own.case_count++] = rl_arena_strndup(&bench->arena, name.at, name.len);
        at += len + (at[len] == ',');
    }
    return RL_OK;
}

/* Each column that was named is in the head. */
static enum rl_status check_heads(const struct reading *reading, struct rl_err *err)
{
    const struct rl_bench_columns *own = &reading->bench->own;
    for (size_t c = 0; c <= own->case_count; c++) {
        const char *wanted = c < own->case_count ? own->cases[c] : own->time;
        size_t i = 0;
        while (i < reading->head_count && strcmp(reading->heads[i], wanted) != 0)
            i++;
        if (i == reading->head_count)
            return rl_err_set(err, RL_USAGE, "'%s': it has no column '%s'; its first is '%s'", reading->label, wanted,
                              reading->head_count ? reading->heads[0] : "");
    }
    return RL_OK;
}

/* ---- a file ---- */

static enum rl_status read_table(struct reading *reading, struct rl_lines *lines, struct rl_err *err)
{
    struct rl_text line;
    enum rl_status status = RL_OK;
    while (status == RL_OK && rl_lines_next(lines, &line)) {
        const bool first = !reading->heads;
        take_line(reading, line);
        if (first && reading->heads && !reading->kind->take)
            status = check_heads(reading, err);
    }
    return status == RL_OK ? rl_lines_status(lines, reading->label, err) : status;
}

enum rl_status rl_bench_read(struct rl_bench *bench, struct rl_lines *lines, const char *label, bool *is, struct rl_err *err)
{
    const struct kind *kind = bench->options->csv_time ? &own_kind : kind_of(rl_lines_head(lines));
    enum rl_status status = RL_OK;
    *is = kind != NULL;
    if (!kind)
        return RL_OK;
    if (!kind->take && !bench->own.time)
        status = take_options(bench, err);
    struct reading reading = {.bench = bench, .kind = kind, .label = label, .record = rl_record_new()};
    if (status == RL_OK)
        status = read_table(&reading, lines, err);
    if (status == RL_OK && reading.rows == 0)
        status = rl_err_set(err, RL_FORMAT, "'%s': output of %s without a result", label, kind->tool);
    if (!bench->tool)
        bench->tool = kind->tool;
    rl_record_free(reading.record);
    rl_arena_release(&reading.texts);
    free(reading.pairs);
    return status;
}

/* ---- the capture ---- */

/* Rows of one name are one benchmark. A statistic counts only where its samples are not there. */
static void add_results(struct rl_bench *bench, struct rl_capture *capture)
{
    struct rl_intern names = {0};
    bool is_new;
    size_t *place = rl_calloc(bench->count, sizeof *place), *samples = rl_calloc(bench->count, sizeof *samples);
    for (size_t i = 0; i < bench->count; i++) {
        place[i] = rl_intern(&names, 0, bench->results[i].name, &is_new);
        if (is_new)
            rl_capture_add_benchmark(capture)->name = rl_capture_text(capture, bench->results[i].name);
        samples[place[i]] += bench->results[i].is_statistic ? 0 : 1;
    }
    struct rl_intern_order {
        size_t first, count;
    } *order = rl_calloc(capture->benchmark_count + 1, sizeof *order);
    for (size_t i = 0; i < bench->count; i++) {
        const struct rl_bench_result *result = &bench->results[i];
        struct rl_benchmark *benchmark = &capture->benchmarks[place[i]];
        if (result->is_statistic && samples[place[i]])
            continue;
        benchmark->missing += result->failed;
        benchmark->summarised = result->count && result->summarised ? result->summarised : benchmark->summarised;
        if (rl_present(result->work) && !benchmark->unit) {
            benchmark->work = result->work;
            benchmark->unit = rl_capture_text(capture, result->unit);
        }
        order[place[i]].count += result->count;
    }
    for (size_t i = 1; i < capture->benchmark_count; i++)
        order[i].first = order[i - 1].first + order[i - 1].count;
    const size_t last = capture->benchmark_count ? capture->benchmark_count - 1 : 0;
    double *seconds = rl_calloc(order[last].first + order[last].count + 1, sizeof *seconds);
    for (size_t i = 0; i < bench->count; i++) {
        const struct rl_bench_result *result = &bench->results[i];
        for (size_t k = 0; k < result->count && !(result->is_statistic && samples[place[i]]); k++)
            seconds[order[place[i]].first++] = result->seconds[k];
    }
    for (size_t i = 0; i < capture->benchmark_count; i++)
        for (size_t k = order[i].first - order[i].count; k < order[i].first; k++)
            *rl_capture_add_benchmark_sample(capture) = (struct rl_benchmark_sample){i, seconds[k]};
    free(seconds);
    free(order);
    free(samples);
    free(place);
    rl_intern_release(&names);
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
    add_results(bench, capture);
}
