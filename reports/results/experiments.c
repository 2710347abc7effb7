/* experiments.c - experiments of the suite: variants and verdicts on claims. */

#include "show_parts.h"

/* ---- variants ---- */

VIEW_CELL(status_cell, struct rl_variant, rl_variant_status_name(row->status));
VIEW_CELL(result_cell, struct rl_variant, rl_result_name(row->result));

static struct view_kernel run_of(const struct view *view, const struct rl_variant *variant)
{
    return view_kernel_of_run(view_subject_of(view), (size_t)(variant - view_subject_of(view)->capture->variants));
}

VIEW_CELL(duration_cell, struct rl_variant,
          run_of(view, row).duration ? view_cell_record(run_of(view, row).duration)
                                     : view_cell_absent(rl_value_reason(run_of(view, row).median_s)));

static const struct rl_variant_result *result_of(const struct view *view, const struct rl_variant *variant)
{
    return &view_subject_of(view)->analysis->variants[variant - view_subject_of(view)->capture->variants];
}

VIEW_CELL(operation_cell, struct rl_variant, result_of(view, row)->time_per_operation_s);
VIEW_CELL(overlap_cell, struct rl_variant, result_of(view, row)->overlap_share);
VIEW_CELL(useful_cell, struct rl_variant,
          rl_present(run_of(view, row).allowed) ? result_of(view, row)->useful_bytes_per_second : run_of(view, row).allowed);

/* clang-format off */
static const struct view_field variant_fields[] = {
    {.id = "gpu", VIEW_GPU(struct rl_variant, gpu), .help = "index of the GPU"},
    {.id = "variant", VIEW_AT(struct rl_variant, name), .help = "its name"},
    {.id = "description", VIEW_AT(struct rl_variant, description), .help = "what it does"},
    {.id = "status", VIEW_GET(TEXT, status_cell), .help = "'done', 'not supported here' or 'failed'"},
    {.id = "reason", VIEW_AT(struct rl_variant, reason), .help = "why it was not done"},
    {.id = "result", VIEW_GET(TEXT, result_cell), .help = "'ok', 'WRONG' or 'not checked'"},
    {.id = "result_text", VIEW_AT(struct rl_variant, result_text), .help = "what the check of the result found"},
    {.id = "size", VIEW_AT(struct rl_variant, size), .help = "problem size, in its unit"},
    {.id = "size_unit", VIEW_AT(struct rl_variant, size_unit), .help = "what the size counts"},
    {.id = "model_flop", VIEW_AT(struct rl_variant, model_flop), .unit = RL_UNIT_FLOP,
     .help = "work model of a launch: floating-point operations"},
    {.id = "model_bytes", VIEW_AT(struct rl_variant, model_bytes), .unit = RL_UNIT_BYTE,
     .help = "work model of a launch: fewest bytes that must move through device memory"},
    {.id = "useful_bytes", VIEW_AT(struct rl_variant, useful_bytes), .unit = RL_UNIT_BYTE,
     .help = "bytes that the program asked for in a launch"},
    {.id = "operations", VIEW_AT(struct rl_variant, operations), .unit = RL_UNIT_COUNT, .help = "repetitions inside one run"},
    {.id = "measure", VIEW_AT(struct rl_variant, measure), .help = "how a run is timed: 'kernel', 'span' or 'wall'"},
    {.id = "duration_s", VIEW_GET_RECORD(&view_record_times, duration_cell), .help = "durations of runs"},
    {.id = "time_per_operation_s", VIEW_GET(NUMBER, operation_cell), .unit = RL_UNIT_SECOND,
     .help = "median duration over operations"},
    {.id = "useful_bytes_per_second", VIEW_GET(NUMBER, useful_cell), .unit = RL_UNIT_BYTE_PER_SECOND,
     .help = "useful bytes over the median duration"},
    {.id = "overlap_share", VIEW_GET(NUMBER, overlap_cell), .unit = RL_UNIT_FRACTION,
     .help = "share of the copying and computing that could overlap and did"},
};
/* clang-format on */
static const struct view_record variant_record = {
    .id = "variant", .help = "a variant of an experiment on a GPU", VIEW_FIELDS(variant_fields)};

/* ---- claims ---- */

/* Of one claim, and of more. */
static const char *const outcome_words[][2] = {[RL_CLAIM_HELD] = {"holds", "hold"},
                                               [RL_CLAIM_DID_NOT_HOLD] = {"fails", "fail"},
                                               [RL_CLAIM_EXCEEDED] = {"exceeded", "exceeded"},
                                               [RL_CLAIM_UNDECIDED] = {"undecided", "undecided"},
                                               [RL_CLAIM_REFERENCE] = {"not judged", NULL}};

VIEW_CELL(outcome_cell, struct rl_claim_result, rl_claim_outcome_name(row->outcome));
VIEW_CELL(outcome_words_cell, struct rl_claim_result, outcome_words[row->outcome][0]);
VIEW_CELL(basis_cell, struct rl_claim_result, rl_claim_bases[row->basis].id);
VIEW_CELL(unit_cell, struct rl_claim_result, rl_unit_json(row->unit));
VIEW_CELL(experiment_cell, struct rl_claim_result, view_subject_of(view)->capture->experiments[row->experiment].name);

static struct view_cell claim_gpu_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    const int index = capture->gpus[((const struct rl_claim_result *)row)->gpu].index;
    if (field->type == VIEW_TYPE_INTEGER)
        return view_cell_integer(index);
    return view_cell_text(capture->gpu_count > 1 ? rl_arena_printf(view->arena, "GPU %d", index) : NULL);
}

VIEW_CELL(published_cell, struct rl_claim_result, view_cell_in(rl_value_of(row->of->value), row->unit));
VIEW_CELL(published_most_cell, struct rl_claim_result, view_cell_in(row->of->from.most, row->unit));

#define CLAIM(member)    VIEW_IN(struct rl_claim_result, of, member)
#define MEASURED(member) VIEW_AT_UNIT(struct rl_claim_result, member, unit)

/* clang-format off */
static const struct view_field measured_fields[] = {
    {.id = "estimate", MEASURED(measured), .help = "the figure here"},
    {.id = "low", MEASURED(low), .help = "lower end of its 95 % CI"},
    {.id = "high", MEASURED(high), .help = "upper end of its 95 % CI"},
};
static const struct view_record measured_record = {
    .id = "measured_claim", .help = "the figure of a claim, as measured here", VIEW_FIELDS(measured_fields)};

static const struct view_field claim_fields[] = {
    {.id = "gpu", VIEW_GET(INTEGER, claim_gpu_cell), .help = "index of the GPU"},
    {.id = "place", VIEW_GET(TEXT, claim_gpu_cell), .for_people = true, .help = "the GPU, of several"},
    {.id = "experiment", VIEW_GET(TEXT, experiment_cell), .columns = VIEW_NAME_COLUMNS, .for_people = true,
     .help = "its experiment"},
    {.id = "id", CLAIM(id), .help = "its name, unique in the experiment"},
    {.id = "text", CLAIM(text), .help = "what was published, in our words"},
    {.id = "outcome", VIEW_GET(TEXT, outcome_cell),
     .help = "'held', 'did not hold', 'more than claimed', 'could not be decided' or 'reference'"},
    {.id = "outcome_words", VIEW_GET(TEXT, outcome_words_cell), .for_people = true, .help = "the outcome as pages have it"},
    {.id = "basis", VIEW_GET(TEXT, basis_cell),
     .help = "'figure' or 'direction' that is published, our 'expectation', or an 'answer' of the self check"},
    {.id = "verdict", VIEW_AT(struct rl_claim_result, text), .help = "what was measured and what was claimed"},
    {.id = "quantity", CLAIM(quantity), .help = "what is compared"},
    {.id = "subject", CLAIM(subject), .help = "variant that it is about"},
    {.id = "baseline", CLAIM(baseline), .help = "variant that it is divided by; absent: the value itself"},
    {.id = "relation", CLAIM(relation), .help = "'about', 'at_least', 'at_most' or 'between'"},
    {.id = "published", VIEW_GET(NUMBER, published_cell), .unit_of_row = true,
     .help = "the figure that was published; the lower end of a range"},
    {.id = "published_most", VIEW_GET(NUMBER, published_most_cell), .unit_of_row = true,
     .help = "upper end of the range that was published"},
    {.id = "tolerance", CLAIM(tolerance), .help = "relative tolerance"},
    {.id = "card", CLAIM(card), .help = "GPU that it was measured on; absent: claimed for all"},
    {.id = "source", CLAIM(source), .help = "who published it"},
    {.id = "document", CLAIM(from.document), .help = "document that it stands in"},
    {.id = "heading", CLAIM(from.heading), .help = "heading below which it stands"},
    {.id = "quote", CLAIM(from.quote), .help = "its words there, literally; ' … ' where some are left out"},
    {.id = "reading", CLAIM(from.reading), .help = "how these words are read where they do not say it themselves"},
    {.id = "unit", VIEW_GET(TEXT, unit_cell), .help = "unit of its figures"},
    {.id = "measured", VIEW_SELF(&measured_record), .help = "the figure here"},
};
/* clang-format on */
const struct view_record view_record_claim = {.id = "claim", .help = "the verdict on a claim on a GPU", VIEW_FIELDS(claim_fields)};

/* ---- experiments ---- */

static struct view_cell variants_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_subject *subject = view_subject_of(view);
    const size_t experiment = (size_t)((const struct rl_experiment *)row - subject->capture->experiments);
    struct view_rows rows = {.first = subject->capture->variants, .stride = sizeof *subject->capture->variants};
    rows.count = rl_group(&subject->analysis->index.variants_of_experiment, experiment, &rows.at);
    return view_cell_rows(rows);
}

static struct view_cell claims_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_subject *subject = view_subject_of(view);
    const struct rl_analysis *analysis = subject->analysis;
    const size_t experiment = (size_t)((const struct rl_experiment *)row - subject->capture->experiments);
    const size_t *at, count = rl_group(&analysis->index.claims_of_experiment, experiment, &at);
    return view_cell_rows((struct view_rows){analysis->claims, sizeof *analysis->claims, count, at});
}

static const struct view_field experiment_fields[] = {
    {.id = "experiment", VIEW_AT(struct rl_experiment, name), .help = "its name"},
    {.id = "topic", VIEW_AT(struct rl_experiment, topic), .help = "what it belongs to"},
    {.id = "question", VIEW_AT(struct rl_experiment, question), .help = "what it asks"},
    {.id = "explanation", VIEW_AT(struct rl_experiment, explanation), .help = "what to look at in the counters"},
    {.id = "source", VIEW_AT(struct rl_experiment, source), .help = "where it comes from"},
    {.id = "variants",
     VIEW_GET_LIST(&variant_record, variants_cell),
     .help = "its variants on each GPU, in the order of measuring"},
    {.id = "claims", VIEW_GET_LIST(&view_record_claim, claims_cell), .help = "verdicts on its claims on each GPU"},
};
const struct view_record view_record_experiment = {
    .id = "experiment", .help = "an experiment of the suite", VIEW_FIELDS(experiment_fields)};

/* ---- experiments, a line each ---- */

/* "2 hold, 1 fails, 1 undecided". */
static const char *verdicts_text(const struct view *view, size_t experiment, size_t gpu)
{
    const struct rl_analysis *analysis = view_subject_of(view)->analysis;
    const size_t *claims, count = rl_claims_on(analysis, experiment, gpu, &claims);
    struct rl_buf text = RL_BUF_IN(view->arena);
    for (size_t outcome = 0; outcome < RL_COUNT(outcome_words); outcome++) {
        size_t found = 0;
        for (size_t i = 0; i < count; i++)
            found += (size_t)analysis->claims[claims[i]].outcome == outcome;
        if (found && outcome_words[outcome][1])
            rl_buf_addf(&text, "%s%zu %s", text.len ? ", " : "", found, outcome_words[outcome][found > 1]);
    }
    return view_keep(view, &text);
}

static struct view_suite_row suite_row(const struct view *view, size_t experiment, size_t gpu)
{
    const struct view_subject *subject = view_subject_of(view);
    const struct rl_capture *capture = subject->capture;
    const struct rl_best_variant found = rl_best_variant_of(subject->analysis, experiment, gpu);
    const struct rl_value none = rl_value_missing(RL_UNDEFINED, "");
    struct view_suite_row row = {.experiment = experiment,
                                 .gpu_index = gpu,
                                 .name = capture->experiments[experiment].name,
                                 .gpu = capture->gpu_count > 1 ? rl_arena_printf(view->arena, "GPU %d", capture->gpus[gpu].index)
                                                               : NULL,
                                 .best = found.comparable ? NULL : "different work",
                                 .verdicts = verdicts_text(view, experiment, gpu),
                                 .best_figure = none,
                                 .worst_figure = none,
                                 .ratio = none,
                                 .unit = found.quantity->unit};
    if (!found.comparable || found.best == RL_NONE)
        return row;
    row.best = capture->variants[found.best].name;
    row.worst = capture->variants[found.worst].name;
    row.best_figure = rl_criterion_value(&subject->analysis->variants[found.best], found.quantity);
    row.worst_figure = rl_criterion_value(&subject->analysis->variants[found.worst], found.quantity);
    row.ratio = found.quantity->more_is_better ? rl_value_div(row.best_figure, row.worst_figure, "")
                                               : rl_value_div(row.worst_figure, row.best_figure, "");
    return row;
}

struct view_rows view_suite_rows(const struct view *view, size_t gpu)
{
    const struct view_subject *subject = view_subject_of(view);
    const struct rl_capture *capture = subject->capture;
    const size_t *variants = subject->analysis->index.variants_of_experiment.at;
    struct view_suite_row *rows = rl_arena_alloc(view->arena, (capture->variant_count + 1) * sizeof *rows);
    size_t count = 0;
    for (size_t i = 0; i < capture->variant_count; i++) {
        const struct rl_variant *variant = &capture->variants[variants[i]];
        const bool again = count && rows[count - 1].experiment == variant->experiment && rows[count - 1].gpu_index == variant->gpu;
        if (!again && (gpu == RL_NONE || gpu == variant->gpu))
            rows[count++] = suite_row(view, variant->experiment, variant->gpu);
    }
    return VIEW_ROWS(rows, count);
}

/* clang-format off */
static const struct view_field suite_fields[] = {
    {.id = "experiment", VIEW_AT(struct view_suite_row, name), .identifies = true, .columns = VIEW_NAME_COLUMNS,
     .look = VIEW_LOOK_CODE, .help = "the experiment"},
    {.id = "gpu", .head = "GPU", VIEW_AT(struct view_suite_row, gpu), .shown = VIEW_SHOWN_WHEN_ANY, .help = "of several"},
    {.id = "best", VIEW_AT(struct view_suite_row, best), .columns = 16, .look = VIEW_LOOK_CODE, .help = "its best variant"},
    {.id = "best_figure", .head = "", VIEW_AT_UNIT(struct view_suite_row, best_figure, unit), .digits = 3,
     .help = "by the quantity that its claims are about: useful bandwidth, time per operation, or time"},
    {.id = "worst", VIEW_AT(struct view_suite_row, worst), .columns = 16, .look = VIEW_LOOK_CODE, .help = "its worst variant"},
    {.id = "worst_figure", .head = "", VIEW_AT_UNIT(struct view_suite_row, worst_figure, unit), .digits = 3, .help = "the same"},
    {.id = "ratio", VIEW_AT(struct view_suite_row, ratio), .unit = RL_UNIT_NONE, .digits = 3,
     .help = "how many times as good the best is"},
    {.id = "verdicts", .head = "claims", VIEW_AT(struct view_suite_row, verdicts), .wraps = true, .columns = 22,
     .help = "verdicts on its claims"},
};
/* clang-format on */
const struct view_record view_record_suite = {.id = "suite", .help = "an experiment in a line", VIEW_FIELDS(suite_fields)};
