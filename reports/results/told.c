/* told.c - the text about a capture: who measured what, a table for each experiment, and what follows from it. */
#include "analysis/plan.h"
#include "analysis/sampled.h"
#include "core/intern.h"
#include "show_parts.h"

struct view_told {
    struct view_subject *subject;
    struct view_told_options options;
    struct rl_ranked_finding *findings; /* about GPUs that are listed one by one */
    size_t finding_count, findings_told;
    struct kernel_table *tables;
    size_t table_count;
};

static const struct view_told *told_of(const struct view *view)
{
    return view->row;
}

/* ---- kernels ---- */

/* The variants of an experiment on a GPU, or the kernels of a GPU that belong to none. */
struct kernel_table {
    const struct rl_experiment *experiment; /* NULL: none */
    size_t gpu;
    struct view_kernel *rows;
    size_t count, cap;
    uint64_t left; /* kernels without a row */
};

/* A family of shapes where its first class is; nothing where the others are. */
static void add_kernel(struct kernel_table *table, struct view_subject *subject, size_t kernel, bool part)
{
    const struct rl_family *family = &subject->families->at[subject->families->of_kernel[kernel]];
    struct view_kernel row = family->figures ? view_kernel_of_family(subject, family) : view_kernel_of_class(subject, kernel);
    row.class = family->classes;
    row.part = part;
    RL_APPEND(table->rows, table->count, table->cap, row);
}

/* One row for a variant of which a run is one launch of one kernel; otherwise one for the whole run, and below it one for each
 * kernel that was launched by itself, too. */
static void add_variant(struct kernel_table *table, struct view_subject *subject, size_t variant)
{
    const struct rl_capture *capture = subject->capture;
    const size_t *kernels, count = rl_group(&subject->analysis->index.kernels_of_variant, variant, &kernels);
    const bool one =
        count == 1 && capture->variants[variant].duration_count == 0 && capture->kernels[kernels[0]].launches_per_run <= 1;
    if (!one)
        RL_APPEND(table->rows, table->count, table->cap, view_kernel_of_run(subject, variant));
    for (size_t i = 0; i < count; i++)
        if (one || capture->kernels[kernels[i]].launches > 0 || capture->kernels[kernels[i]].duration_count > 0)
            add_kernel(table, subject, kernels[i], !one);
}

static struct kernel_table *table_for(struct view_told *told, const struct rl_experiment *experiment, size_t gpu)
{
    for (size_t i = told->table_count; i > 0 && (i == told->table_count || !experiment); i--)
        if (told->tables[i - 1].experiment == experiment && told->tables[i - 1].gpu == gpu)
            return &told->tables[i - 1];
    told->tables[told->table_count] = (struct kernel_table){.experiment = experiment, .gpu = gpu};
    return &told->tables[told->table_count++];
}

enum { FEWEST_ROWS = 3, MOST_ROWS = 15, MOST_ROWS_ALIKE = 8 };
#define LEAST_SHARE 0.001 /* of GPU time */

/* For each family, how many others on its GPU took more time; the caller frees the array. */
static size_t *ranks_on_gpus(const struct view_subject *subject)
{
    size_t *ranks = rl_calloc(subject->families->count + 1, sizeof *ranks);
    size_t *seen = rl_calloc(subject->capture->gpu_count + 1, sizeof *seen);
    for (size_t i = 0; i < subject->families->count; i++)
        ranks[i] = seen[subject->families->at[i].gpu]++;
    free(seen);
    return ranks;
}

static void find_tables(struct view_told *told)
{
    struct view_subject *subject = told->subject;
    const struct rl_capture *capture = subject->capture;
    const size_t *variants = subject->analysis->index.variants_of_experiment.at,
                 *kernels = subject->analysis->index.kernels_of_gpu.at;
    told->tables = rl_calloc(capture->variant_count + capture->gpu_count + 1, sizeof *told->tables);
    for (size_t i = 0; i < capture->variant_count; i++) {
        const struct rl_variant *variant = &capture->variants[variants[i]];
        add_variant(table_for(told, &capture->experiments[variant->experiment], variant->gpu), subject, variants[i]);
    }
    size_t *ranks = ranks_on_gpus(subject);
    /* In the order of the capture, where GPUs are one by time. */
    for (size_t i = 0; i < (subject->folded ? subject->families->count : capture->kernel_count); i++) {
        const size_t number = subject->folded ? i : subject->families->of_kernel[kernels[i]];
        const struct rl_family *family = &subject->families->at[number];
        if (capture->kernels[family->kernel].variant != RL_NONE || (!subject->folded && family->kernel != kernels[i]) ||
            view_subject_hides(subject, family->gpu))
            continue;
        struct kernel_table *table = table_for(told, NULL, family->gpu);
        const bool is_left = !told->options.full && ranks[number] >= FEWEST_ROWS &&
                             (ranks[number] >= (subject->folded ? MOST_ROWS_ALIKE : MOST_ROWS) ||
                              (family->share > 0 && family->share < LEAST_SHARE));
        table->left += is_left;
        if (!is_left)
            add_kernel(table, subject, family->kernel, false);
    }
    free(ranks);
}

VIEW_CELL(table_text_cell, struct kernel_table,
          !row->experiment ? NULL
          : field->key     ? row->experiment->question
                           : row->experiment->name);

/* GPUs of several machines have the same numbers. */
static struct view_cell table_gpu_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct kernel_table *table = row;
    const struct view_subject *subject = view_subject_of(view);
    const char *rank = subject->analysis->index.has_ranks ? subject->analysis->index.rank_of_gpu[table->gpu] : NULL;
    if (table->experiment ? !field->key || subject->capture->gpu_count < 2 : field->key)
        return view_cell_absent("");
    const size_t alike = subject->folded ? view_subject_stands_for(subject, table->gpu) : 1;
    if (alike > 1)
        return view_cell_text(rl_arena_printf(view->arena, "%zu GPUs", alike));
    return view_cell_text(rl_arena_printf(view->arena, "GPU %d%s%s", subject->capture->gpus[table->gpu].index,
                                          rank && !table->experiment ? ", rank " : "", rank && !table->experiment ? rank : ""));
}

/* ---- what stands below a table ---- */

/* The note of a row: why it has no figures, or how a whole run was timed. */
static const char *remark_of(const struct view *view, const struct view_kernel *row)
{
    const struct rl_variant *variant = row->variant;
    if (!variant || row->part)
        return NULL;
    if (variant->result == RL_RESULT_WRONG)
        return rl_arena_printf(view->arena, "WRONG result, so no figures: %s",
                               variant->result_text ? variant->result_text : "no details");
    if (row->kernel)
        return NULL;
    if (variant->status != RL_VARIANT_DONE)
        return rl_arena_printf(view->arena, "%s: %s", rl_variant_status_name(variant->status), variant->reason);
    return row->whole->untimed                     ? row->whole->untimed
           : strcmp(variant->measure, "wall") == 0 ? "a whole run, by the host's clock, without roof and occupancy"
           : strcmp(variant->measure, "span") == 0
               ? "a whole run, from its first start to its last end on the GPU, without roof and occupancy"
               : "all kernels of a run together, without roof and occupancy";
}

/* "estimates (~) are from samples of the whole GPU; 95 % CIs of DRAM are at most ±1.3 %". */
static const char *estimates_of(const struct view *view, const struct kernel_table *table)
{
    struct rl_buf text = RL_BUF_IN(view->arena);
    double widest = 0;
    bool any = false;
    for (size_t i = 0; i < table->count; i++) {
        const struct view_metrics *metrics = &table->rows[i].metrics;
        const struct rl_estimate *dram = rl_estimate_of(metrics->metric, metrics->estimate, RL_METRIC_dram_bytes_per_second);
        any |= dram || view_kernel_roof_is_estimate(&table->rows[i]) ||
               rl_estimate_of(metrics->metric, metrics->estimate, RL_METRIC_achieved_occupancy);
        if (dram && dram->value.v > 0 && dram->half_width > widest * dram->value.v)
            widest = dram->half_width / dram->value.v;
    }
    if (any)
        rl_buf_adds(&text, "estimates (~) are from samples of the whole GPU, not counters; ");
    if (any && widest > 0)
        rl_buf_addf(&text, "95 %% CIs of DRAM are at most ±%s; ", RL_UNIT_TEXT(RL_UNIT_FRACTION, widest, 2));
    rl_buf_adds(&text, any ? "--json has the interval of each value" : "");
    return view_keep(view, &text);
}

/* "launches, graph: a whole run, by the host's clock": one note for rows that share it, at the first of them. */
static struct view_cell remarks_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct kernel_table *table = row;
    const char **texts = rl_arena_alloc(view->arena, (table->count + 1) * sizeof *texts);
    struct rl_buf *names = rl_calloc(table->count + 1, sizeof *names);
    struct rl_intern known = {0};
    size_t count = 0, remarks = 0;
    if ((texts[count] = estimates_of(view, table)))
        count++;
    for (size_t i = 0; i < table->count; i++) {
        const struct view_kernel *kernel = &table->rows[i];
        const char *remark = remark_of(view, kernel);
        bool is_new;
        if (!remark)
            continue;
        struct rl_buf *of = &names[rl_intern(&known, 0, remark, &is_new)];
        remarks += is_new;
        rl_buf_adds(of, of->len ? ", " : "");
        rl_utf8_abbreviate(of, kernel->variant->name, VIEW_NAME_COLUMNS);
    }
    for (size_t i = 0; i < remarks; i++) {
        texts[count++] = rl_arena_printf(view->arena, "%s: %s", names[i].data, known.entries[i].text);
        rl_buf_release(&names[i]);
    }
    free(names);
    rl_intern_release(&known);
    return view_cell_rows(VIEW_ROWS(texts, count));
}

#define FIGURES                                                                                                                    \
    "duration_s.median,half_width,useful_bytes_per_second,metrics.dram_bytes_per_second,metrics.flop_per_second,roof_share,"       \
    "metrics.achieved_occupancy,metrics.theoretical_occupancy,limiter_label"
/* clang-format off */
static const struct view_field table_fields[] = {
    {.id = "experiment", VIEW_GET(TEXT, table_text_cell), .key = 0, .columns = VIEW_NAME_COLUMNS,
     .help = "the experiment; absent: kernels of none"},
    {.id = "question", VIEW_GET(TEXT, table_text_cell), .key = 1, .help = "what it asks"},
    {.id = "gpu", VIEW_GET(TEXT, table_gpu_cell), .key = 0, .help = "of no experiment: on which GPU"},
    {.id = "gpu_of_several", VIEW_GET(TEXT, table_gpu_cell), .key = 1, .help = "of an experiment on several: on which GPU"},
    {.id = "kernels", VIEW_AT_ROWS(struct kernel_table, rows, count, &view_record_kernel), .help = "the rows"},
    {.id = "left", VIEW_AT(struct kernel_table, left), .help = "kernels without a row: under 0.1 % of GPU time, or too many"},
    {.id = "remarks", VIEW_GET_LIST(&view_record_note, remarks_cell), .help = "remarks on rows"},
};
static const struct view_block table_blocks[] = {
    {.kind = VIEW_BLOCK_TABLE, .field = "kernels", .columns = "line," FIGURES ",state", .with = "experiment"},
    {.kind = VIEW_BLOCK_TABLE, .field = "kernels", .columns = "label,launches,gpu_s," FIGURES, .with = "!experiment"},
    {.kind = VIEW_BLOCK_NOTE, .with = "left", .text = "{left more kernel|more kernels}: --full lists them"},
    {.kind = VIEW_BLOCK_NOTES, .field = "remarks", .text = "{text}"},
};
static const struct view_record table_record = {
    .id = "kernel_table", .title = "[{experiment}: {question}][ ({gpu_of_several})][Kernels on {gpu}]",
    .help = "a table of kernels", VIEW_FIELDS(table_fields), VIEW_BLOCKS(table_blocks)};
/* clang-format on */

/* ---- experiments, a line each ---- */

/* Experiments have a line each where there are more than two; few are listed variant by variant. */
static bool is_folded(const struct view_told *told, const struct kernel_table *table)
{
    size_t experiments = RL_SUM(size_t, i, told->table_count, told->tables[i].experiment != NULL);
    return table->experiment && !told->options.full && experiments > 2;
}

static struct view_cell suite_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_told *told = row;
    bool any = RL_ANY(i, told->table_count, is_folded(told, &told->tables[i]));
    return view_cell_rows(any ? view_suite_rows(view, RL_NONE) : (struct view_rows){0});
}

VIEW_WHEN(is_listed, struct kernel_table, !is_folded(told_of(view), row));

VIEW_WHEN(is_full, struct view_told, row->options.full);

/* ---- sets of metrics that were collected when asked for ---- */

/* The values of a set that matter most for a launch, in words; a set without a number: counters by name. */
struct set {
    enum rl_metric_set id; /* RL_SET_COUNT: counters that were asked for by name */
};
struct set_line {
    const char *kernel, *text;
};

/* "long scoreboard (memory) 61.2 %, barrier 20.1 %, ...": the three largest of shares. */
static void say_metrics(const struct view_kernel *row, enum rl_metric_set set, struct rl_buf *text)
{
    enum { MOST_SHARES = 3 };
    struct view_set_figure entries[RL_METRIC_COUNT];
    size_t count = view_set_figures(row->metrics.metric, set, true, entries);
    if (count > MOST_SHARES && rl_metrics[entries[0].metric].unit == RL_UNIT_FRACTION)
        count = MOST_SHARES;
    for (size_t i = 0; i < count; i++) {
        rl_buf_addf(text, "%s%s %s", i ? ", " : "", rl_metrics[entries[i].metric].label,
                    RL_UNIT_TEXT(rl_metrics[entries[i].metric].unit, entries[i].value, 3));
    }
}

/* "smsp__inst_executed.sum 1 048 576 inst, ...". */
static void say_counters(const struct rl_analysis *analysis, const struct rl_kernel *kernel, struct rl_buf *text)
{
    const char *const *names;
    const size_t count = rl_named_counters(analysis, &names);
    size_t *at = rl_calloc(count + 1, sizeof *at);
    rl_named_counters_of(analysis, kernel, at);
    for (size_t k = 0; k < count; k++) {
        if (at[k] == RL_NONE)
            continue;
        rl_buf_addf(text, "%s%s ", text->len ? ", " : "", names[k]);
        rl_counter_format(names[k], kernel->counters[at[k]].value, text);
    }
    free(at);
}

/* For a family the counted shape with the most time stands. */
static struct view_cell set_lines_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct set *set = row;
    const struct view_subject *subject = view_subject_of(view);
    struct set_line *lines = rl_arena_alloc(view->arena, subject->capture->kernel_count * sizeof *lines);
    size_t count = 0;
    for (size_t i = 0; i < subject->capture->kernel_count; i++) {
        const struct rl_family *family = &subject->families->at[subject->families->of_kernel[i]];
        const struct view_kernel kernel = view_kernel_of_class(subject, i);
        struct rl_buf text = RL_BUF_IN(view->arena);
        if (family->figures ? family->figures->foremost != i : subject->folded && family->kernel != i)
            continue;
        if (set->id < RL_SET_COUNT)
            say_metrics(&kernel, set->id, &text);
        else
            say_counters(subject->analysis, kernel.kernel, &text);
        const char *words = view_keep(view, &text);
        if (words)
            lines[count++] = (struct set_line){kernel.result->label, words};
    }
    return view_cell_rows(VIEW_ROWS(lines, count));
}

VIEW_CELL(set_title_cell, struct set, row->id < RL_SET_COUNT ? rl_sets[row->id].title : "Counters by name");

static const struct view_field set_line_fields[] = {
    {.id = "kernel", VIEW_AT(struct set_line, kernel), .help = "the kernel"},
    {.id = "text", VIEW_AT(struct set_line, text), .help = "what its counters say"},
};
static const struct view_record set_line_record = {
    .id = "set_line", .help = "what a set says of a kernel", VIEW_FIELDS(set_line_fields)};
static const struct view_field set_fields[] = {
    {.id = "title", VIEW_GET(TEXT, set_title_cell), .help = "what it is about"},
    {.id = "lines", VIEW_GET_LIST(&set_line_record, set_lines_cell), .help = "a line for each kernel"},
};
static const struct view_block set_blocks[] = {
    {.kind = VIEW_BLOCK_ITEMS, .field = "lines", .label_field = "kernel", .text = "{text}"}};
static const struct view_record set_record = {
    .id = "set", .title = "{title}", .help = "a set of metrics", VIEW_FIELDS(set_fields), VIEW_BLOCKS(set_blocks)};

/* A set that comes with another one that was collected needs no heading. */
static struct view_cell sets_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_analysis *analysis = view_subject_of(view)->analysis;
    const char *const *names;
    struct set *sets = rl_arena_alloc(view->arena, (RL_SET_COUNT + 1) * sizeof *sets);
    unsigned included = 0;
    size_t count = 0;
    for (int i = 0; i < RL_SET_COUNT; i++)
        included |= analysis->sets & (1u << i) ? rl_sets[i].includes : 0;
    for (int i = RL_SET_CORE + 1; i < RL_SET_COUNT; i++)
        if (analysis->sets & ~included & (1u << i))
            sets[count++] = (struct set){(enum rl_metric_set)i};
    if (rl_named_counters(analysis, &names))
        sets[count++] = (struct set){RL_SET_COUNT};
    return view_cell_rows(VIEW_ROWS(sets, count));
}

/* Counters asked for by name are always shown. */
VIEW_WHEN(is_set_shown, struct set, is_full(view, view->row) || row->id == RL_SET_COUNT);

/* ---- claims ---- */

static bool tells_all_claims(const struct view *view, const void *row)
{
    enum { MOST = 20 };
    const size_t count = view_subject_of(view)->analysis->claim_count;
    return count && (told_of(view)->options.all || count <= MOST);
}

VIEW_WHEN(tells_open_claims, void, view_subject_of(view)->analysis->claim_count && !tells_all_claims(view, row));
VIEW_WHEN(tells_open_claims_in_full, void, tells_open_claims(view, row) && is_full(view, row));

VIEW_WHEN(is_open, struct rl_claim_result,
          row->outcome == RL_CLAIM_DID_NOT_HOLD || row->outcome == RL_CLAIM_EXCEEDED || row->outcome == RL_CLAIM_UNDECIDED);

enum tally_key { CLAIMS_REFERENCE, ANSWERS_RIGHT, ANSWERS };

static struct view_cell tally_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_analysis *analysis = view_subject_of(view)->analysis;
    const struct rl_claim_tally figures = rl_claims_tally(analysis, RL_NONE, RL_CLAIM_BASIS_FIGURE),
                                answers = rl_claims_tally(analysis, RL_NONE, RL_CLAIM_BASIS_ANSWER);
    const size_t counts[] = {[CLAIMS_REFERENCE] = figures.outcome[RL_CLAIM_REFERENCE],
                             [ANSWERS_RIGHT] = answers.outcome[RL_CLAIM_HELD],
                             [ANSWERS] = rl_claims_total(&answers)};
    return view_cell_whole(counts[field->key]);
}

VIEW_SAID(held_cell, void, "no claim is judged", rl_claims_held_text(view_subject_of(view)->analysis, RL_NONE, &text));

/* ---- findings ---- */

static void find_findings(struct view_told *told)
{
    struct view_subject *subject = told->subject;
    const size_t count = rl_findings_rank(subject->analysis, subject->families, &told->findings);
    for (size_t i = 0; i < count; i++) {
        const size_t kernel = told->findings[i].kernel;
        if (kernel == RL_NONE ||
            !view_subject_hides(subject, rl_families_gpu(subject->families, subject->capture->kernels[kernel].gpu)))
            told->findings[told->finding_count++] = told->findings[i];
    }
    told->findings_told = told->options.findings < told->finding_count ? told->options.findings : told->finding_count;
    view_findings_once(told->findings, told->findings_told);
}

static struct view_cell finding_count_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_told *told = row;
    const size_t left = told->finding_count - told->findings_told;
    return view_cell_whole(left == 0 ? 0 : field->key == 0 ? told->findings_told : field->key == 1 ? told->finding_count : left);
}

VIEW_WHEN(wants_gains, void, told_of(view)->options.findings > 0 && is_full(view, row));

/* ---- GPUs ---- */

/* The first of GPUs that are alike; for links and many ranks, the first of each kind of GPU. */
static struct view_rows choose_gpus(const struct view *view, struct view_rows rows, size_t most)
{
    const struct view_subject *subject = view_subject_of(view);
    const struct rl_gpu *gpus = subject->capture->gpus;
    const bool kinds = rl_capture_has_only_links(subject->capture) || (subject->hidden && !subject->folded);
    size_t *at = rl_arena_alloc(view->arena, rows.count * sizeof *at), count = 0;
    for (size_t i = 0; i < rows.count; i++)
        if (kinds ? i == 0 || strcmp(gpus[i].name, gpus[i - 1].name) != 0 : !subject->represented || subject->represented[i] == i)
            at[count++] = i;
    return (struct view_rows){rows.first, rows.stride, count, at};
}

/* The ceilings of a GPU, for `alike` GPUs like it. */
struct gpu_ceilings {
    size_t gpu, alike;
};

/* Measured ceilings belong to one GPU, whatever is like it. */
static bool has_own_ceilings(const struct rl_analysis *analysis, size_t gpu)
{
    return RL_ANY(id, RL_CEILING_COUNT, analysis->gpus[gpu].ceiling[id].run != RL_NONE);
}

static struct view_cell gpu_ceilings_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_subject *subject = view_subject_of(view);
    const bool theory = !subject->program || is_full(view, row); /* kernels of a program have the shares of it */
    struct gpu_ceilings *rows = rl_arena_alloc(view->arena, subject->capture->gpu_count * sizeof *rows);
    size_t count = 0;
    for (size_t gpu = 0; gpu < subject->capture->gpu_count && !rl_capture_has_only_links(subject->capture); gpu++) {
        const bool own = has_own_ceilings(subject->analysis, gpu);
        const size_t alike = own ? 1 : view_subject_stands_for(subject, gpu);
        if (!view_subject_hides(subject, gpu) && alike > 0 && (own || theory))
            rows[count++] = (struct gpu_ceilings){gpu, alike};
    }
    return view_cell_rows(VIEW_ROWS(rows, count));
}

VIEW_CELL(ceilings_more_cell, struct gpu_ceilings, (int64_t)row->alike - 1);

static struct view_cell ceilings_clock_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_value assumed = view_subject_of(view)->analysis->gpus[((const struct gpu_ceilings *)row)->gpu].assumed_clock;
    struct rl_buf text = RL_BUF_IN(view->arena);
    if (rl_present(assumed))
        rl_buf_addf(&text, "its highest clock, %s (none was recorded)", RL_UNIT_TEXT(RL_UNIT_HERTZ, assumed.v, 4));
    else
        rl_buf_adds(&text, "the observed clocks");
    return view_cell_kept(view, &text);
}

VIEW_CELL(ceilings_rows_cell, struct gpu_ceilings, view_ceilings(view, row->gpu));

static bool has_ceilings(const struct view *view, const void *row)
{
    const struct rl_ceiling *ceilings = view_subject_of(view)->analysis->gpus[((const struct gpu_ceilings *)row)->gpu].ceiling;
    return RL_ANY(id, RL_CEILING_COUNT, ceilings[id].run != RL_NONE || rl_present(ceilings[id].theoretical));
}

/* Theory that is not for the clock in the heading needs a word. */
static bool has_other_clock(const struct view *view, const void *row)
{
    const struct rl_ceiling *ceilings = view_subject_of(view)->analysis->gpus[((const struct gpu_ceilings *)row)->gpu].ceiling;
    return RL_ANY(id, RL_CEILING_COUNT,
                  rl_ceiling_listed(&ceilings[id], (enum rl_ceiling_id)id) && rl_present(ceilings[id].limit) &&
                      rl_present(ceilings[id].theoretical) && fabs(ceilings[id].limit.v / ceilings[id].theoretical.v - 1) > 0.01);
}

/* clang-format off */
static const struct view_field gpu_ceilings_fields[] = {
    {.id = "gpu", VIEW_GPU(struct gpu_ceilings, gpu), .help = "index of the GPU"},
    {.id = "more", VIEW_GET(INTEGER, ceilings_more_cell), .help = "how many are like it"},
    {.id = "clock", VIEW_GET(TEXT, ceilings_clock_cell), .help = "at which clock they are"},
    {.id = "ceilings", VIEW_GET_LIST(&view_record_ceiling, ceilings_rows_cell), .help = "each of them"},
};
static const struct view_block gpu_ceilings_blocks[] = {
    {.kind = VIEW_BLOCK_TABLE, .field = "ceilings", .when = has_ceilings,
     .columns = "label,theory,sm_clock_hz,measured_median,share,data_sheet,share_of_data_sheet,sustained_median"},
    {.kind = VIEW_BLOCK_NOTE, .when = has_other_clock,
     .text = "theoretical: at the clock of each measurement, which may differ from the clock at which kernels ran"},
};
static const struct view_record gpu_ceilings_record = {
    .id = "gpu_ceilings", .title = "Roofs of GPU {gpu}[ and {more} like it] at {clock}", .help = "the roofs of a GPU",
    VIEW_FIELDS(gpu_ceilings_fields), VIEW_BLOCKS(gpu_ceilings_blocks)};
/* clang-format on */

/* ---- all of it ---- */

VIEW_CELL(card_cell, void,
          view_subject_of(view)->capture->gpu_count ? view_subject_of(view)->capture->gpus[0].name : "no GPU recorded");

VIEW_CELL(others_cell, void, view_subject_of(view)->capture->gpu_count - (view_subject_of(view)->capture->gpu_count > 0));

/* "GPU 1, GPU 3": those that stand for others. */
static struct view_cell stand_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_subject *subject = view_subject_of(view);
    struct rl_buf text = RL_BUF_IN(view->arena);
    for (size_t i = 0; i < subject->capture->gpu_count && subject->folded; i++)
        if (!subject->hidden[i])
            rl_buf_addf(&text, "%sGPU %d", text.len ? ", " : "", subject->capture->gpus[i].index);
    const char *kept = view_keep(view, &text);
    return kept ? view_cell_text(kept) : view_cell_absent("each GPU is listed");
}

VIEW_CELL(cases_cell, void, view_cell_record(view_subject_of(view)->cases->count ? view_subject_of(view)->cases : NULL));
VIEW_CELL(gains_cell, void, view_cell_record(view_subject_of(view)));

VIEW_CELL(log_is_cell, void, told_of(view)->options.all ? "Log" : "Warnings");

/* Notes only in the whole log. */
VIEW_WHEN(is_logged, struct rl_log_entry, row->level != RL_LOG_NOTE || told_of(view)->options.all);

/* clang-format off */
#define TALLY(which) VIEW_GET(WHOLE, tally_cell), .key = (which)
static const struct view_field told_fields[] = {
    {.id = "card", VIEW_GET(TEXT, card_cell), .help = "name of the first GPU"},
    {.id = "others", VIEW_GET(WHOLE, others_cell), .help = "how many more there are"},
    {.id = "stand", VIEW_GET(TEXT, stand_cell), .help = "GPUs that stand for others like them"},
    {.id = "gpus", VIEW_SUBJECT_ROWS(capture, gpus, gpu_count, &view_record_gpu), .help = "the GPUs"},
    {.id = "session", VIEW_SUBJECT_RECORD(capture, &view_record_told_session), .help = "who measured"},
    {.id = "ranks", VIEW_SUBJECT_RECORD(ranks, &view_record_ranks), .help = "the ranks of the program"},
    {.id = "program", VIEW_SUBJECT_RECORD(program, &view_record_program), .help = "the observed program"},
    {.id = "links", VIEW_SUBJECT_RECORD(links, &view_record_links), .help = "links between GPUs"},
    {.id = "cases", VIEW_GET_RECORD(&view_record_told_cases, cases_cell), .help = "work with parameters"},
    {.id = "tables", VIEW_AT_ROWS(struct view_told, tables, table_count, &table_record), .help = "tables of kernels"},
    {.id = "suite", VIEW_GET_LIST(&view_record_suite, suite_cell), .help = "experiments, a line each"},
    {.id = "sets", VIEW_GET_LIST(&set_record, sets_cell), .help = "sets of metrics that were asked for"},
    {.id = "claims", VIEW_SUBJECT_ROWS(analysis, claims, claim_count, &view_record_claim), .help = "verdicts on claims"},
    {.id = "held", VIEW_GET(TEXT, held_cell), .help = "how many claims held, by what they rest on"},
    {.id = "references", TALLY(CLAIMS_REFERENCE), .help = "claims about other GPUs"},
    {.id = "right", TALLY(ANSWERS_RIGHT), .help = "answers of the self check that are right"},
    {.id = "answers", TALLY(ANSWERS), .help = "answers of the self check"},
    {.id = "findings", VIEW_AT_ROWS(struct view_told, findings, findings_told, &view_record_brief_finding),
     .help = "the findings that matter most"},
    {.id = "findings_told", VIEW_GET(WHOLE, finding_count_cell), .key = 0, .help = "of more: how many these are"},
    {.id = "findings_all", VIEW_GET(WHOLE, finding_count_cell), .key = 1, .help = "of how many"},
    {.id = "findings_left", VIEW_GET(WHOLE, finding_count_cell), .key = 2, .help = "how many are left out"},
    {.id = "gains", VIEW_GET_RECORD(&view_record_gains, gains_cell), .help = "gains that rules predicted"},
    {.id = "ceilings", VIEW_GET_LIST(&gpu_ceilings_record, gpu_ceilings_cell), .help = "of each GPU"},
    {.id = "log", VIEW_SUBJECT_ROWS(capture, log, log_count, &view_record_log), .help = "the log of the session"},
    {.id = "log_is", VIEW_GET(TEXT, log_is_cell), .help = "which part of the log is shown"},
};
#define CLAIM                                                                                                                      \
    .kind = VIEW_BLOCK_ITEMS, .field = "claims", .label_field = "outcome_words", .text = "{experiment}[ ({place})]: {verdict}"
static const struct view_block told_blocks[] = {
    {.kind = VIEW_BLOCK_ITEMS, .field = "gpus", .label_field = "place", .choose = choose_gpus,
     .text = "[{name_of_several}, ]chip {chip}[, compute capability {compute_capability}][, {sm_count} SMs]"
             "[, {memory_bytes} memory][, {l2_bytes} L2][; clocks locked, {sm_clock_locked_hz} SM]"
             "[, {memory_clock_locked_hz} memory]"},
    {.kind = VIEW_BLOCK_EACH, .field = "session"},
    {.kind = VIEW_BLOCK_FACT, .label = "tables", .with = "stand",
     .text = "Identical GPUs share a row: times and launches are sums; medians and counters are of one GPU, ranges and memcpys of "
             "{stand}. --full prints each GPU, and the roofs"},
    {.kind = VIEW_BLOCK_EACH, .field = "ranks"},
    {.kind = VIEW_BLOCK_EACH, .field = "program"},
    {.kind = VIEW_BLOCK_EACH, .field = "links"},
    {.kind = VIEW_BLOCK_TABLE, .field = "suite"},
    {.kind = VIEW_BLOCK_EACH, .field = "cases"},
    {.kind = VIEW_BLOCK_EACH, .field = "tables", .only = is_listed},
    {.kind = VIEW_BLOCK_NOTE, .text = "no kernels in this capture", .apart = true, .with = "!tables,!links,!cases"},
    {.kind = VIEW_BLOCK_EACH, .field = "sets", .only = is_set_shown},
    {CLAIM, .title = "Claims", .when = tells_all_claims},
    {CLAIM, .title = "Claims that fail, are exceeded or undecided", .only = is_open, .when = tells_open_claims_in_full},
    {.kind = VIEW_BLOCK_NOTE, .when = tells_open_claims,
     .text = "[{held}][, {references} published for other GPUs and not judged here]"
             "[, {right} of {answers} answers of the self check correct]: --verbose prints them"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "findings", .title = "Findings[: the {findings_told} of {findings_all} that matter most]",
     .label_field = "id", .text = "[{subject}: ]{words}", .with = "findings"},
    {.kind = VIEW_BLOCK_NOTE, .text = "and {findings_left} more: --findings all prints them",
     .with = "findings,findings_left"},
    {.kind = VIEW_BLOCK_EACH, .field = "gains", .when = wants_gains},
    {.kind = VIEW_BLOCK_EACH, .field = "ceilings"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "log", .title = "{log_is} of the session", .text = "{whole_text}", .only = is_logged},
};
const struct view_record view_record_told = {
    .id = "told", .title = "{card}[ and {others} more]", .help = "a capture for people", VIEW_FIELDS(told_fields),
    VIEW_BLOCKS(told_blocks)};
/* clang-format on */

struct view_told *view_told_new(struct view_subject *subject, const struct view_told_options *options)
{
    struct view_told *told = rl_calloc(1, sizeof *told);
    *told = (struct view_told){.subject = subject, .options = *options};
    find_tables(told);
    find_findings(told);
    return told;
}

bool view_told_has_said(const void *subject, const char *reason)
{
    const struct view_subject *of = subject;
    size_t count = 0;
    struct rl_uncounted_reason *reasons = of->folded ? rl_program_uncounted(of->program, &count) : NULL;
    bool said = false;
    for (size_t i = 0; i < count && i < VIEW_MOST_REASONS; i++)
        said |= strcmp(reasons[i].reason, reason) == 0;
    free(reasons);
    return said;
}

void view_told_free(struct view_told *told)
{
    for (size_t i = 0; i < told->table_count; i++)
        free(told->tables[i].rows);
    free(told->tables);
    free(told->findings);
    free(told);
}
