/* show_program.c - an observed program for people: where the GPU's time went. */
#include <stdlib.h>
#include <string.h>

#include "analysis/families.h"
#include "analysis/ranks.h"
#include "core/mem.h"
#include "core/units.h"
#include "core/utf8.h"
#include "show.h"

enum { MOST_NOTES = 5, LABEL = 10, MOST_CLASSES = 25, MOST_TIMELESS = 10, MOST_RANGES = 40, MOST_NAME = 44 };

static struct rl_value seconds(double ns, bool there)
{
    return there ? rl_value_of(ns * 1e-9) : rl_value_missing(RL_NOT_COLLECTED, NULL);
}

/* ---- processes ---- */

static void describe_end(struct rl_buf *out, const struct rl_process *process)
{
    if (strcmp(process->end, "killed") == 0)
        rl_buf_addf(out, ", ended by signal %d (%s)", process->status, strsignal(process->status));
    else if (strcmp(process->end, "exited") == 0)
        rl_buf_addf(out, ", exit status %d", process->status);
    else
        rl_buf_adds(out, ", end not seen");
}

static void print_processes(const struct rl_program *program, struct cli_doc *doc)
{
    const struct rl_capture *capture = program->capture;
    for (size_t i = 0; i < capture->process_count; i++) {
        const struct rl_process *process = &capture->processes[i];
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, "%llu", (unsigned long long)process->pid);
        if (process->rank)
            rl_buf_addf(&text, ", rank %s", process->rank);
        rl_buf_addf(&text, ": %llu launch%s", (unsigned long long)process->launches, process->launches == 1 ? "" : "es");
        describe_end(&text, process);
        cli_doc_item(doc, "process", LABEL, text.data);
        rl_buf_release(&text);
    }
    if (capture->process_count)
        cli_doc_item(doc, "phases", LABEL, capture->processes[0].phases);
}

static void print_idle(const struct rl_program *program, struct cli_doc *doc)
{
    for (size_t g = 0; g < program->capture->gpu_count; g++) {
        const struct rl_program_gpu *gpu = &program->gpus[g];
        struct rl_buf text = RL_BUF_INIT, label = RL_BUF_INIT;
        rl_buf_addf(&label, "GPU %d", program->capture->gpus[g].index);
        rl_buf_adds(&text, "timed kernels ");
        rl_unit_format(&text, RL_UNIT_SECOND, gpu->kernel_s, 3);
        rl_buf_adds(&text, ", busy ");
        rl_unit_format(&text, RL_UNIT_SECOND, gpu->busy_s, 3);
        rl_buf_adds(&text, " of ");
        rl_unit_format(&text, RL_UNIT_SECOND, gpu->span_s, 3);
        rl_buf_addf(&text, " between first and last activity%s, idle ", program->untimed ? " without the windows of counters" : "");
        rl_value_format(&text, RL_UNIT_FRACTION, gpu->idle, 3);
        if (!rl_present(gpu->idle))
            rl_buf_addf(&text, " (%s)", gpu->idle.reason);
        cli_doc_item(doc, label.data, LABEL, text.data);
        rl_buf_release(&text);
        rl_buf_release(&label);
    }
}

/* ---- classes ---- */

static void add_class_columns(struct rl_table *table)
{
    static const struct {
        const char *head;
        enum rl_align align;
    } columns[] = {{"id", RL_LEFT},      {"kernel", RL_LEFT}, {"launches", RL_RIGHT}, {"GPU time", RL_RIGHT}, {"share", RL_RIGHT},
                   {"median", RL_RIGHT}, {"least", RL_RIGHT}, {"greatest", RL_RIGHT}, {"counted", RL_RIGHT}};
    for (size_t i = 0; i < RL_COUNT(columns); i++)
        rl_table_column(table, columns[i].head, columns[i].align);
}

/* "~624 ms": the sign says how the time is known. */
static void add_time(struct rl_table *table, struct rl_value seconds, enum rl_time_state state)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_adds(&text, rl_time_state_sign(state));
    rl_value_format(&text, RL_UNIT_SECOND, seconds, 3);
    rl_table_cell(table, text.data);
    rl_buf_release(&text);
}

/* Times of single launches of a row. */
struct times {
    struct rl_value median, least, greatest;
};

static struct times times_of(const struct show *show, const struct rl_family *row)
{
    const struct rl_stats *duration = &show->analysis->kernels[row->kernel].duration;
    const struct rl_kernel_use *use = row->classes[0].use;
    const bool timed = use && use->timed;
    if (row->figures)
        return (struct times){row->figures->median_s, row->figures->min_s, row->figures->max_s};
    return (struct times){duration->n ? rl_value_of(duration->median) : seconds(0, false),
                          seconds(timed ? (double)use->min_ns : 0, timed), seconds(timed ? (double)use->max_ns : 0, timed)};
}

static void add_row(const struct show *show, struct rl_table *table, const struct rl_family *row)
{
    const struct times times = times_of(show, row);
    struct rl_buf name = RL_BUF_INIT;
    show_label(row, MOST_NAME, &name);
    rl_table_row(table);
    rl_table_cell(table, row->id);
    rl_table_cell(table, name.data);
    rl_table_cellf(table, "%llu", (unsigned long long)row->time.launches);
    add_time(table, rl_family_gpu_s(row), row->time.state);
    rl_table_value(table, RL_UNIT_FRACTION, rl_family_share(row), 3);
    rl_table_value(table, RL_UNIT_SECOND, times.median, 3);
    rl_table_value(table, RL_UNIT_SECOND, times.least, 3);
    rl_table_value(table, RL_UNIT_SECOND, times.greatest, 3);
    rl_table_cellf(table, "%llu", (unsigned long long)row->counted);
    rl_buf_release(&name);
}

/* ---- what the figures are of ---- */

static void note(struct rl_buf *text, struct cli_doc *doc)
{
    if (text->len)
        cli_doc_note(doc, text->data);
    rl_buf_reset(text);
}

/* Of the shapes of a family some are counted for all. */
static void add_sampled(struct rl_buf *text, const struct rl_families *rows, const struct rl_coverage *coverage)
{
    if (!rows->folded || coverage->time.ns <= 0)
        return;
    rl_buf_adds(text, "; with the other shapes of kernels that were counted ");
    rl_value_format(text, RL_UNIT_FRACTION, rl_value_of(rl_families_covered_s(rows) * 1e9 / coverage->time.ns), 3);
}

static void note_coverage(const struct rl_program *program, const struct rl_families *rows, struct cli_doc *doc)
{
    const struct rl_coverage *coverage = &program->coverage;
    struct rl_buf text = RL_BUF_INIT;
    if (rl_present(coverage->share) && coverage->counted) {
        rl_buf_adds(&text, "counters cover ");
        rl_value_format(&text, RL_UNIT_FRACTION, coverage->share, 3);
        rl_buf_adds(&text, " of GPU time, ");
        rl_unit_format(&text, RL_UNIT_SECOND, coverage->covered_s, 3);
        rl_buf_addf(&text, " of %s", rl_time_state_sign(coverage->time.state));
        rl_unit_format(&text, RL_UNIT_SECOND, program->gpu_s, 3);
        rl_buf_addf(&text, ": %llu of %llu launches", (unsigned long long)coverage->counted, (unsigned long long)program->launches);
        add_sampled(&text, rows, coverage);
    }
    note(&text, doc);
    if (coverage->time.timed < coverage->time.launches) {
        rl_buf_adds(&text, "timed: ");
        rl_value_format(&text, RL_UNIT_FRACTION, rl_value_of((double)coverage->time.timed / (double)coverage->time.launches), 3);
        rl_buf_addf(&text, " of launches, %llu of %llu; ", (unsigned long long)coverage->time.timed,
                    (unsigned long long)coverage->time.launches);
        rl_coverage_gaps(coverage, &text);
    }
    note(&text, doc);
    if (program->unselected) {
        rl_buf_addf(&text, "the filters left out %llu launches, ", (unsigned long long)program->unselected);
        rl_unit_format(&text, RL_UNIT_SECOND, program->unselected_s, 3);
    }
    if (program->lost)
        rl_buf_addf(&text, "%s%llu activity records were lost", text.len ? "; " : "", (unsigned long long)program->lost);
    note(&text, doc);
    rl_buf_release(&text);
}

/* Why classes have no counters: the reasons of the most classes, and how many more there are. */
static void note_reasons(const struct show *show, const struct rl_program *program, struct cli_doc *doc)
{
    size_t count, left_out = 0;
    struct rl_uncounted_reason *reasons = rl_program_uncounted(program, &count);
    const size_t told = show->verbose || count < MOST_NOTES ? count : MOST_NOTES;
    struct rl_buf text = RL_BUF_INIT;
    for (size_t i = 0; i < told; i++) {
        const size_t classes = reasons[i].classes;
        rl_buf_reset(&text);
        rl_buf_addf(&text, "not counted, %zu class%s (%s%s): %s", classes, classes == 1 ? "" : "es",
                    program->classes[reasons[i].first].id, classes > 1 ? " and others" : "", reasons[i].reason);
        cli_doc_note(doc, text.data);
    }
    for (size_t i = told; i < count; i++)
        left_out += reasons[i].classes;
    if (left_out) {
        rl_buf_reset(&text);
        rl_buf_addf(&text, "not counted for %zu other reason%s, %zu class%s (--verbose lists them)", count - told,
                    count - told == 1 ? "" : "s", left_out, left_out == 1 ? "" : "es");
        cli_doc_note(doc, text.data);
    }
    rl_buf_release(&text);
    free(reasons);
}

/* What a family's row is made of. */
static void note_family(const struct rl_family *row, struct cli_doc *doc)
{
    const struct rl_family_figures *figures = row->figures;
    struct rl_buf text = RL_BUF_INIT;
    rl_buf_addf(&text, "%s: %zu shapes, grids of %.0f to %.0f blocks", row->id, row->shapes, figures->blocks.least,
                figures->blocks.greatest);
    if (figures->per_block_s.n) {
        rl_buf_adds(&text, ", ");
        rl_unit_format(&text, RL_UNIT_SECOND, figures->per_block_s.median, 3);
        rl_buf_adds(&text, " a block (the middle half of the shapes ");
        rl_unit_format(&text, RL_UNIT_SECOND, figures->per_block_s.low, 3);
        rl_buf_adds(&text, " to ");
        rl_unit_format(&text, RL_UNIT_SECOND, figures->per_block_s.high, 3);
        rl_buf_adds(&text, ")");
    }
    rl_buf_addf(&text, "; %zu counted", figures->counted_shapes);
    for (int i = 0; i < RL_TRAIT_COUNT; i++) {
        const struct rl_spread *spread = &figures->trait[i];
        if (spread->n < 2)
            continue;
        rl_buf_addf(&text, "; %s ", rl_traits[i].label);
        rl_unit_format(&text, rl_traits[i].unit, rl_spread_agrees(spread) ? spread->median : spread->least, 3);
        rl_buf_adds(&text, rl_spread_agrees(spread) ? " in all" : " to ");
        if (!rl_spread_agrees(spread))
            rl_unit_format(&text, rl_traits[i].unit, spread->greatest, 3);
    }
    cli_doc_note(doc, text.data);
    rl_buf_release(&text);
}

/* Whether a row is listed: those with the most time, and of those without a time the ones with the most launches, because nobody
 * knows that they took little. */
static bool is_listed(const struct show *show, size_t timed, size_t row)
{
    return show->verbose || (row < timed ? row < MOST_CLASSES : row < timed + MOST_TIMELESS);
}

static void note_rest(const struct show *show, const struct rl_families *rows, size_t timed, struct cli_doc *doc)
{
    struct rl_buf text = RL_BUF_INIT;
    size_t left_out = 0, timeless = 0;
    double rest = 0;
    for (size_t i = 0; i < rows->count; i++)
        if (!is_listed(show, timed, i)) {
            *(i < timed ? &left_out : &timeless) += rows->at[i].shapes;
            rest += rows->at[i].share;
        }
    if (left_out) {
        rl_buf_addf(&text, "%zu more classes with ", left_out);
        rl_value_format(&text, RL_UNIT_FRACTION, rl_value_of(rest), 3);
        rl_buf_adds(&text, " of the GPU's time");
    }
    if (timeless)
        rl_buf_addf(&text, "%s%zu more classes without a time", left_out ? " and " : "", timeless);
    if (text.len)
        rl_buf_adds(&text, " (--verbose lists them)");
    note(&text, doc);
    rl_buf_release(&text);
}

static void print_classes(const struct show *show, const struct rl_program *program, struct cli_doc *doc)
{
    const enum rl_fold fold = show->shapes ? RL_FOLD_NONE : rl_has_ranks(program->capture) ? RL_FOLD_RANKS : RL_FOLD_EACH_GPU;
    struct rl_families *rows = rl_families_new(show->analysis, program->classes, program->class_count, fold);
    const size_t timed = rl_families_leading(rows, 1);
    struct rl_table table;
    rl_table_init(&table);
    add_class_columns(&table);
    for (size_t i = 0; i < rows->count; i++)
        if (is_listed(show, timed, i))
            add_row(show, &table, &rows->at[i]);
    if (rows->count) {
        cli_doc_heading(doc, rows->folded ? "GPU time by kernel" : "GPU time by kernel class");
        cli_doc_table(doc, &table);
        note_rest(show, rows, timed, doc);
        for (size_t i = 0, told = 0; i < rows->count && (show->verbose || told < MOST_NOTES); i++)
            if (rows->at[i].figures && is_listed(show, timed, i) && ++told)
                note_family(&rows->at[i], doc);
        note_coverage(program, rows, doc);
        note_reasons(show, program, doc);
    }
    rl_table_release(&table);
    rl_families_free(rows);
}

/* ---- ranges ---- */

static void print_ranges(const struct show *show, const struct rl_program *program, struct cli_doc *doc)
{
    struct rl_table table;
    if (!program->range_count)
        return;
    rl_table_init(&table);
    rl_table_column(&table, "range", RL_LEFT);
    rl_table_column(&table, "times", RL_RIGHT);
    rl_table_column(&table, "launches", RL_RIGHT);
    rl_table_column(&table, "GPU time", RL_RIGHT);
    rl_table_column(&table, "share", RL_RIGHT);
    rl_table_column(&table, "host time", RL_RIGHT);
    for (size_t i = 0; i < program->range_count && (show->verbose || i < MOST_RANGES); i++) {
        const struct rl_program_range *of = &program->ranges[i];
        const struct rl_range *range = &program->capture->ranges[of->range];
        struct rl_buf name = RL_BUF_INIT;
        rl_buf_fill(&name, ' ', 2 * (of->depth < 12 ? of->depth : 12));
        if (range->domain) {
            rl_utf8_short(&name, range->domain, MOST_NAME);
            rl_buf_addch(&name, '@');
        }
        rl_utf8_short(&name, range->name, MOST_NAME);
        rl_table_row(&table);
        rl_table_cell(&table, name.data);
        rl_table_cellf(&table, "%llu", (unsigned long long)range->instances);
        rl_table_cellf(&table, "%llu", (unsigned long long)of->launches);
        rl_table_value(&table, RL_UNIT_SECOND, rl_value_of(of->gpu_s), 3);
        rl_table_value(&table, RL_UNIT_FRACTION, rl_value_of(of->share), 3);
        rl_table_value(&table, RL_UNIT_SECOND, rl_value_of(of->host_s), 3);
        rl_buf_release(&name);
    }
    cli_doc_heading(doc, "NVTX ranges");
    cli_doc_table(doc, &table);
    if (program->untimed)
        cli_doc_note(doc, "host time includes windows of counters, in which nothing is timed on the GPU");
    if (!show->verbose && program->range_count > MOST_RANGES)
        cli_doc_note(doc, "and more: --verbose lists all");
    rl_table_release(&table);
}

/* ---- copies ---- */

static void print_transfers(const struct show *show, struct cli_doc *doc)
{
    const struct rl_capture *capture = show->capture;
    struct rl_table table;
    static const char *const heads[] = {"copies", "memory", "number", "bytes", "time", "mean rate", "slowest", "fastest"};
    if (!capture->transfer_count)
        return;
    rl_table_init(&table);
    for (size_t i = 0; i < RL_COUNT(heads); i++)
        rl_table_column(&table, heads[i], i < 2 ? RL_LEFT : RL_RIGHT);
    for (size_t i = 0; i < capture->transfer_count; i++) {
        const struct rl_transfer *transfer = &capture->transfers[i];
        if (show->hidden && show->hidden[transfer->gpu])
            continue;
        struct rl_value time = rl_value_of((double)transfer->total_ns * 1e-9);
        rl_table_row(&table);
        rl_table_cell(&table, transfer->direction);
        rl_table_cell(&table, transfer->memory);
        rl_table_cellf(&table, "%llu", (unsigned long long)transfer->count);
        rl_table_value(&table, RL_UNIT_BYTE, rl_value_of((double)transfer->bytes), 3);
        rl_table_value(&table, RL_UNIT_SECOND, time, 3);
        rl_table_value(&table, RL_UNIT_BYTE_PER_SECOND, rl_value_div(rl_value_of((double)transfer->bytes), time, "no time"), 3);
        rl_table_value(&table, RL_UNIT_BYTE_PER_SECOND, transfer->slowest, 3);
        rl_table_value(&table, RL_UNIT_BYTE_PER_SECOND, transfer->fastest, 3);
    }
    cli_doc_heading(doc, "Copies and sets");
    cli_doc_table(doc, &table);
    cli_doc_note(doc, "slowest and fastest: of single copies of 1 MiB or more");
    rl_table_release(&table);
}

void show_program(const struct show *show, struct cli_doc *doc)
{
    struct rl_program *program = rl_program_new(show->capture);
    cli_doc_heading(doc, "The program");
    if (rl_has_ranks(show->capture)) { /* their table says the rest */
        cli_doc_item(doc, "command", LABEL, show->capture->processes[0].command);
        cli_doc_item(doc, "phases", LABEL, show->capture->processes[0].phases);
    } else {
        print_processes(program, doc);
        print_idle(program, doc);
    }
    print_classes(show, program, doc);
    print_ranges(show, program, doc);
    print_transfers(show, doc);
    rl_program_free(program);
}
