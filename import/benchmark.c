/* benchmark.c - tables of benchmark programs, and what becomes of results (see benchmark_results.h). */
#include "benchmark_results.h"

#include "build.h"
#include "core/intern.h"
#include "json.h"
#include "ncu_source.h"

/* ---- a table ---- */

struct reading {
    struct rl_bench *bench;
    const struct rl_bench_kind *kind;
    const char *label;
    struct rl_record *record;      /* the row */
    struct rl_bench_fields fields; /* those of headings first, then those of the columns */
    size_t headings;
    bool has_head;
};

enum { MOST_HEADINGS = 3 };

static struct rl_text kept(struct rl_bench *bench, struct rl_text text)
{
    text = rl_text_trim(text);
    return (struct rl_text){rl_arena_strndup(&bench->arena, text.at, text.len), text.len};
}

/* The axes of nvbench stand between the device and the rest, and two columns are called Noise. */
static void mark_axes(struct reading *reading)
{
    static const char *const behind[] = {"Skipped", "Samples", "CPU Time", "CPU Time (sec)", "GPU Time", "GPU Time (sec)"};
    struct rl_bench_field *fields = reading->fields.at + reading->headings;
    const size_t count = reading->fields.count - reading->headings;
    bool axes = reading->kind->separator == '|';
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < RL_COUNT(behind); k++)
            axes &= !rl_text_is(fields[i].key, behind[k]);
        fields[i].is_axis = axes && rl_text_find(fields[i].key, "(pow2)") == fields[i].key.len;
        axes |= rl_text_is(fields[i].key, "Device Name");
        if (i && rl_text_is(fields[i].key, "Noise") && rl_text_begins(fields[i - 1].key, "GPU Time"))
            fields[i].key = rl_text_of("GPU Noise");
    }
}

/* Each column that was named is in the head. */
static enum rl_status take_head(struct reading *reading, struct rl_err *err)
{
    struct rl_bench *bench = reading->bench;
    const size_t count = rl_record_count(reading->record);
    struct rl_bench_field *at = rl_arena_alloc(&bench->arena, (reading->headings + count + 1) * sizeof *at);
    for (size_t i = 0; i < reading->headings; i++)
        at[i] = reading->fields.at[i];
    for (size_t i = 0; i < count; i++)
        at[reading->headings + i].key = kept(bench, rl_record_cell(reading->record, i));
    reading->fields = (struct rl_bench_fields){at, reading->headings + count};
    reading->has_head = true;
    mark_axes(reading);
    for (size_t c = 0; bench->csv_time && c <= bench->case_count; c++) {
        const char *wanted = c < bench->case_count ? bench->cases[c].at : bench->csv_time;
        size_t i = 0;
        while (i < count && !rl_text_is(at[i].key, wanted))
            i++;
        if (i == count)
            return rl_err_set(err, RL_USAGE, "'%s': it has no column '%s'; its first is '%s'", reading->label, wanted,
                              count ? at[0].key.at : "");
    }
    return RL_OK;
}

/* nvbench names benchmark and GPU above a table of Markdown: "## copy", "### [0] NVIDIA A30". What comes below has another head.
 */
static void take_heading(struct reading *reading, struct rl_text line)
{
    struct rl_bench *bench = reading->bench;
    const bool device = rl_text_begins(line, "### [") || rl_text_begins(line, "## [");
    const struct rl_bench_field *above = reading->fields.at;
    if (reading->kind->separator != '|' || (!device && !rl_text_begins(line, "## ")))
        return;
    struct rl_bench_field *at = rl_arena_alloc(&bench->arena, MOST_HEADINGS * sizeof *at);
    const struct rl_text number = rl_text_from(line, rl_text_find(line, "[") + 1);
    const size_t close = rl_text_find(number, "]");
    at[0] = (struct rl_bench_field){.key = rl_text_of("Benchmark"), .value = rl_text_of("")};
    at[1] = (struct rl_bench_field){.key = rl_text_of("Device"), .value = rl_text_of("")};
    at[2] = (struct rl_bench_field){.key = rl_text_of("Device Name"), .value = rl_text_of("")};
    if (device) {
        at[0].value = reading->headings ? above[0].value : at[0].value;
        at[1].value = kept(bench, (struct rl_text){number.at, close});
        at[2].value = kept(bench, rl_text_from(number, close + 1));
    } else {
        at[0].value = kept(bench, rl_text_from(line, 3));
    }
    reading->headings = MOST_HEADINGS;
    reading->fields = (struct rl_bench_fields){at, MOST_HEADINGS};
    reading->has_head = false;
}

/* A head may come again, where files were put behind one another. */
static enum rl_status take_line(struct reading *reading, struct rl_text line, struct rl_err *err)
{
    struct rl_bench *bench = reading->bench;
    const bool own = bench->csv_time;
    take_heading(reading, line);
    if (rl_text_trim(line).len == 0 || (reading->kind->separator == '|' && !rl_text_begins(rl_text_trim(line), "|")))
        return RL_OK;
    rl_record_read_csv(reading->record, line, reading->kind->separator);
    if (own ? !reading->has_head : rl_bench_is_head(reading->kind, line))
        return take_head(reading, err);
    if (!reading->has_head || rl_text_begins(rl_record_cell(reading->record, 1), "--"))
        return RL_OK; /* below the heads of Markdown */
    if (rl_record_count(reading->record) != reading->fields.count - reading->headings) {
        bench->uneven++;
        return RL_OK;
    }
    for (size_t i = reading->headings; i < reading->fields.count; i++)
        reading->fields.at[i].value = rl_text_trim(rl_record_cell(reading->record, i - reading->headings));
    struct rl_bench_result result = {.work = rl_value_missing(RL_NOT_COLLECTED, "not in the file")};
    reading->kind->take(bench, &reading->fields, &result);
    return result.name ? rl_bench_keep(bench, &result, reading->label, err) : RL_OK;
}

static enum rl_status read_table(struct reading *reading, struct rl_lines *lines, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    struct rl_text line;
    reading->record = rl_record_new();
    while (status == RL_OK && rl_lines_next(lines, &line))
        status = take_line(reading, line, err);
    RL_THEN(status, rl_lines_status(lines, reading->label, err));
    rl_record_free(reading->record);
    return status;
}

enum rl_status rl_bench_read(struct rl_bench *bench, struct rl_lines *lines, const char *label, bool *is, struct rl_err *err)
{
    const struct rl_text head = rl_lines_head(lines);
    const bool is_json = rl_json_begins(head);
    const bool binary = rl_ncu_rep_begins(head) || rl_text_begins(head, "SQLite format 3"); /* any text may stand in it */
    const struct rl_bench_kind *kind = binary && !bench->csv_time ? NULL : rl_bench_kind_of(bench, head, is_json);
    struct reading reading = {.bench = bench, .kind = kind, .label = label};
    enum rl_status status = RL_OK;
    const size_t known = bench->count;
    const uint64_t skipped = bench->skipped;
    *is = kind;
    if (!kind && bench->csv_time)
        return rl_err_set(err, RL_FORMAT, "'%s': JSON, not the CSV that --csv-time is for", label);
    if (!kind)
        return RL_OK;
    if (bench->csv_time)
        status = rl_bench_options(bench, err);
    if (status == RL_OK)
        status = kind->separator == '{' ? rl_bench_read_json(bench, kind, lines, label, err) : read_table(&reading, lines, err);
    if (status == RL_OK && bench->count == known)
        status = rl_err_set(err, RL_FORMAT, "'%s': output of %s without a result%s", label, kind->tool,
                            bench->skipped > skipped ? ": it skipped every state" : "");
    bench->kind = bench->kind ? bench->kind : kind;
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
    RL_FREE(bench->results, bench);
}

bool rl_bench_has_rows(const struct rl_bench *bench)
{
    return bench->count > 0;
}

RL_COMPARATOR(by_place, struct rl_bench_result, rl_ascending(x->place, y->place));

/* Where results are of several GPUs, each says of which it is. */
static void name_devices(struct rl_bench *bench)
{
    const char *first = NULL;
    bool several = false;
    for (size_t i = 0; i < bench->count; i++) {
        const char *device = bench->results[i].device;
        first = first ? first : device;
        several |= device && strcmp(device, first) != 0;
    }
    for (size_t i = 0; several && i < bench->count; i++) {
        struct rl_bench_result *result = &bench->results[i];
        if (result->device)
            result->name = rl_arena_printf(&bench->arena, "%s%sDevice=%s", result->name, strchr(result->name, '=') ? "," : " ",
                                           result->device);
    }
}

static void add_sample(struct rl_capture *capture, struct rl_benchmark *benchmark, double seconds)
{
    static const double longest_s = 1e9; /* thirty years: rates of a file may be of any size */
    if (seconds > 0 && seconds <= longest_s)
        *rl_capture_add_benchmark_sample(capture) = (struct rl_benchmark_sample){capture->benchmark_count - 1, seconds};
    else
        benchmark->missing++;
}

/* Rows of one name are one benchmark. A statistic counts only where its samples are not there. Returns how many benchmarks have
 * a mean alone. */
static size_t add_results(struct rl_bench *bench, struct rl_capture *capture)
{
    RL_AT_END(rl_intern_release) struct rl_intern names = {0};
    size_t means = 0;
    bool is_new;
    name_devices(bench);
    for (size_t i = 0; i < bench->count; i++)
        bench->results[i].place = rl_intern(&names, 0, bench->results[i].name, &is_new);
    rl_sort(bench->results, bench->count, sizeof *bench->results, by_place);
    for (size_t i = 0, end; i < bench->count; i = end) {
        struct rl_benchmark *benchmark = rl_capture_add_benchmark(capture);
        bool has_samples = false;
        benchmark->name = rl_capture_text(capture, bench->results[i].name);
        for (end = i; end < bench->count && bench->results[end].place == bench->results[i].place; end++)
            has_samples |= !bench->results[end].is_statistic;
        for (size_t k = i; k < end; k++) {
            const struct rl_bench_result *result = &bench->results[k];
            if (result->is_statistic && has_samples)
                continue;
            if (rl_present(result->work) && isfinite(result->work.v) && !benchmark->unit) {
                benchmark->work = result->work;
                benchmark->unit = rl_capture_text(capture, result->unit);
            }
            if (!result->samples)
                add_sample(capture, benchmark, result->seconds);
            for (size_t s = 0; result->samples && s < result->sample_count; s++)
                add_sample(capture, benchmark, result->samples[s]);
            if (!result->samples && result->seconds > 0 && result->summarised)
                benchmark->summarised = result->summarised;
        }
        means += benchmark->summarised > 0;
    }
    return means;
}

/* Means have no interval: which option keeps single times, and how far they scatter where the file says it. */
static void warn_of_means(const struct rl_bench *bench, size_t means, struct rl_capture *capture)
{
    RL_SCRATCH noise = RL_BUF_INIT;
    if (bench->noise > 0)
        rl_buf_addf(&noise, ", whose noise is up to %.2g %%", 100 * bench->noise);
    if (means && bench->kind->single)
        rl_capture_log(capture, 0, RL_LOG_WARNING, "%zu case%s with a mean alone%s, so without an interval: run %s %s", means,
                       means == 1 ? "" : "s", noise.data, bench->kind->tool, bench->kind->single);
}

void rl_bench_build(struct rl_bench *bench, const char *card, struct rl_capture *capture)
{
    struct rl_session *session = &capture->session;
    const char *name = bench->card ? bench->card : card;
    assert(bench->count && bench->kind);
    session->source = rl_capture_text(capture, "benchmark");
    session->counters = rl_arena_printf(&capture->arena, "imported from %s", bench->kind->tool);
    session->complete = bench->cut == 0;
    if (name && !bench->cards_differ)
        rl_card_of_name(rl_capture_add_gpu(capture), name, capture);
    const struct {
        uint64_t count;
        const char *words;
    } left[] = {{bench->uneven, "rows with more or fewer cells than the head were left out"},
                {bench->skipped, "states that nvbench skipped were left out"},
                {bench->lost, "files of sample times (FILE-bin/N.bin) are damaged or not next to their JSON: means stand for them"},
                {bench->cut, "files that end in the middle were read as far as they go"}};
    for (size_t i = 0; i < RL_COUNT(left); i++)
        if (left[i].count)
            rl_capture_log(capture, 0, RL_LOG_WARNING, "import: %s: %" PRIu64, left[i].words, left[i].count);
    if (bench->cards_differ)
        rl_capture_log(capture, 0, RL_LOG_WARNING, "import: the files name several GPUs: the capture has none");
    warn_of_means(bench, add_results(bench, capture), capture);
}
