/* experiments.c - experiments of the suite: variants and verdicts on claims. */
#include <assert.h>

#include "show_parts.h"

/* ---- variants ---- */

enum text_key { TEXT_STATUS, TEXT_RESULT };

VIEW_CELL(text_cell, struct rl_variant,
          field->key == TEXT_STATUS ? rl_variant_status_name(row->status) : rl_result_name(row->result));

static struct view_cell duration_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_variant *variant = row;
    const struct view_kernel run =
        view_kernel_of_run(view_subject_of(view), (size_t)(variant - view_subject_of(view)->capture->variants));
    return run.duration ? view_cell_record(run.duration) : view_cell_absent(rl_value_reason(run.median_s));
}

enum figure_key { FIGURE_OPERATION, FIGURE_USEFUL, FIGURE_OVERLAP };

static struct view_cell figure_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_variant *variant = row;
    const struct rl_variant_result *result =
        &view_subject_of(view)->analysis->variants[variant - view_subject_of(view)->capture->variants];
    if (field->key == FIGURE_USEFUL) {
        const struct rl_value allowed =
            view_kernel_of_run(view_subject_of(view), (size_t)(variant - view_subject_of(view)->capture->variants)).allowed;
        return view_cell_number(rl_present(allowed) ? result->useful_bytes_per_second : allowed);
    }
    return view_cell_number(field->key == FIGURE_OPERATION ? result->time_per_operation_s : result->overlap_share);
}

#define FIGURE(which) VIEW_GET(NUMBER, figure_cell), .key = (which)

/* clang-format off */
static const struct view_field variant_fields[] = {
    {.id = "gpu", VIEW_GPU(struct rl_variant, gpu), .help = "index of the GPU"},
    {.id = "variant", VIEW_AT(struct rl_variant, name), .help = "its name"},
    {.id = "description", VIEW_AT(struct rl_variant, description), .help = "what it does"},
    {.id = "status", VIEW_GET(TEXT, text_cell), .key = TEXT_STATUS, .help = "'done', 'not supported here' or 'failed'"},
    {.id = "reason", VIEW_AT(struct rl_variant, reason), .help = "why it was not done"},
    {.id = "result", VIEW_GET(TEXT, text_cell), .key = TEXT_RESULT, .help = "'ok', 'WRONG' or 'not checked'"},
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
    {.id = "time_per_operation_s", FIGURE(FIGURE_OPERATION), .unit = RL_UNIT_SECOND, .help = "median duration over operations"},
    {.id = "useful_bytes_per_second", FIGURE(FIGURE_USEFUL), .unit = RL_UNIT_BYTE_PER_SECOND,
     .help = "useful bytes over the median duration"},
    {.id = "overlap_share", FIGURE(FIGURE_OVERLAP), .unit = RL_UNIT_FRACTION,
     .help = "share of the copying and computing that could overlap and did"},
};
/* clang-format on */
static const struct view_record variant_record = {
    .id = "variant", .help = "a variant of an experiment on a GPU", VIEW_FIELDS(variant_fields)};

/* ---- claims ---- */

static const struct rl_claim *claim_of(const struct view *view, const struct rl_claim_result *result)
{
    const struct rl_experiment *experiment = &view_subject_of(view)->capture->experiments[result->experiment];
    return &experiment->claims[result->claim];
}

/* Of one claim, and of more. */
static const char *const outcome_words[][2] = {[RL_CLAIM_HELD] = {"holds", "hold"},
                                               [RL_CLAIM_DID_NOT_HOLD] = {"fails", "fail"},
                                               [RL_CLAIM_EXCEEDED] = {"exceeded", "exceeded"},
                                               [RL_CLAIM_UNDECIDED] = {"undecided", "undecided"},
                                               [RL_CLAIM_REFERENCE] = {"not judged", NULL}};

enum claim_key {
    CLAIM_ID,
    CLAIM_TEXT,
    CLAIM_OUTCOME,
    CLAIM_OUTCOME_WORDS,
    CLAIM_BASIS,
    CLAIM_QUANTITY,
    CLAIM_SUBJECT,
    CLAIM_BASELINE,
    CLAIM_RELATION,
    CLAIM_CARD,
    CLAIM_SOURCE,
    CLAIM_DOCUMENT,
    CLAIM_HEADING,
    CLAIM_QUOTE,
    CLAIM_READING,
    CLAIM_UNIT,
    CLAIM_EXPERIMENT
};

static struct view_cell claim_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_claim_result *result = row;
    const struct rl_claim *claim = claim_of(view, result);
    const char *const texts[] = {[CLAIM_ID] = claim->id,
                                 [CLAIM_TEXT] = claim->text,
                                 [CLAIM_OUTCOME] = rl_claim_outcome_name(result->outcome),
                                 [CLAIM_OUTCOME_WORDS] = outcome_words[result->outcome][0],
                                 [CLAIM_BASIS] = rl_claim_bases[result->basis].id,
                                 [CLAIM_QUANTITY] = claim->quantity,
                                 [CLAIM_SUBJECT] = claim->subject,
                                 [CLAIM_BASELINE] = claim->baseline,
                                 [CLAIM_RELATION] = claim->relation,
                                 [CLAIM_CARD] = claim->card,
                                 [CLAIM_SOURCE] = claim->source,
                                 [CLAIM_DOCUMENT] = claim->from.document,
                                 [CLAIM_HEADING] = claim->from.heading,
                                 [CLAIM_QUOTE] = claim->from.quote,
                                 [CLAIM_READING] = claim->from.reading,
                                 [CLAIM_UNIT] = rl_unit_json(result->unit),
                                 [CLAIM_EXPERIMENT] = view_subject_of(view)->capture->experiments[result->experiment].name};
    assert((size_t)field->key < RL_COUNT(texts));
    return view_cell_text(texts[field->key]);
}

static struct view_cell claim_gpu_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_capture *capture = view_subject_of(view)->capture;
    const int index = capture->gpus[((const struct rl_claim_result *)row)->gpu].index;
    if (field->type == VIEW_TYPE_INTEGER)
        return view_cell_integer(index);
    return view_cell_text(capture->gpu_count > 1 ? rl_arena_printf(view->arena, "GPU %d", index) : NULL);
}

enum published_key { PUBLISHED_VALUE, PUBLISHED_MOST, PUBLISHED_TOLERANCE };

static struct view_cell claim_number_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_claim *claim = claim_of(view, row);
    struct view_cell cell = view_cell_number(field->key == PUBLISHED_MOST        ? claim->from.most
                                             : field->key == PUBLISHED_TOLERANCE ? rl_value_of(claim->tolerance)
                                                                                 : rl_value_of(claim->value));
    cell.unit = ((const struct rl_claim_result *)row)->unit;
    return cell;
}

enum measured_key { MEASURED_ESTIMATE, MEASURED_LOW, MEASURED_HIGH };

VIEW_CELL(measured_cell, struct rl_claim_result,
          view_cell_in(field->key == MEASURED_ESTIMATE ? row->measured
                       : field->key == MEASURED_LOW    ? row->low
                                                       : row->high,
                       row->unit));

#define TEXT(which)     VIEW_GET(TEXT, claim_cell), .key = (which)
#define MEASURED(which) VIEW_GET(NUMBER, measured_cell), .key = (which), .unit_of_row = true

/* clang-format off */
static const struct view_field measured_fields[] = {
    {.id = "estimate", MEASURED(MEASURED_ESTIMATE), .help = "the figure here"},
    {.id = "low", MEASURED(MEASURED_LOW), .help = "lower end of its 95 % CI"},
    {.id = "high", MEASURED(MEASURED_HIGH), .help = "upper end of its 95 % CI"},
};
static const struct view_record measured_record = {
    .id = "measured_claim", .help = "the figure of a claim, as measured here", VIEW_FIELDS(measured_fields)};

static const struct view_field claim_fields[] = {
    {.id = "gpu", VIEW_GET(INTEGER, claim_gpu_cell), .help = "index of the GPU"},
    {.id = "place", VIEW_GET(TEXT, claim_gpu_cell), .for_people = true, .help = "the GPU, of several"},
    {.id = "experiment", TEXT(CLAIM_EXPERIMENT), .columns = VIEW_NAME_COLUMNS, .for_people = true, .help = "its experiment"},
    {.id = "id", TEXT(CLAIM_ID), .help = "its name, unique in the experiment"},
    {.id = "text", TEXT(CLAIM_TEXT), .help = "what was published, in our words"},
    {.id = "outcome", TEXT(CLAIM_OUTCOME),
     .help = "'held', 'did not hold', 'more than claimed', 'could not be decided' or 'reference'"},
    {.id = "outcome_words", TEXT(CLAIM_OUTCOME_WORDS), .for_people = true, .help = "the outcome as pages have it"},
    {.id = "basis", TEXT(CLAIM_BASIS),
     .help = "'figure' or 'direction' that is published, our 'expectation', or an 'answer' of the self check"},
    {.id = "verdict", VIEW_AT(struct rl_claim_result, text), .help = "what was measured and what was claimed"},
    {.id = "quantity", TEXT(CLAIM_QUANTITY), .help = "what is compared"},
    {.id = "subject", TEXT(CLAIM_SUBJECT), .help = "variant that it is about"},
    {.id = "baseline", TEXT(CLAIM_BASELINE), .help = "variant that it is divided by; absent: the value itself"},
    {.id = "relation", TEXT(CLAIM_RELATION), .help = "'about', 'at_least', 'at_most' or 'between'"},
    {.id = "published", VIEW_GET(NUMBER, claim_number_cell), .key = PUBLISHED_VALUE, .unit_of_row = true,
     .help = "the figure that was published; the lower end of a range"},
    {.id = "published_most", VIEW_GET(NUMBER, claim_number_cell), .key = PUBLISHED_MOST, .unit_of_row = true,
     .help = "upper end of the range that was published"},
    {.id = "tolerance", VIEW_GET(NUMBER, claim_number_cell), .key = PUBLISHED_TOLERANCE, .help = "relative tolerance"},
    {.id = "card", TEXT(CLAIM_CARD), .help = "GPU that it was measured on; absent: claimed for all"},
    {.id = "source", TEXT(CLAIM_SOURCE), .help = "who published it"},
    {.id = "document", TEXT(CLAIM_DOCUMENT), .help = "document that it stands in"},
    {.id = "heading", TEXT(CLAIM_HEADING), .help = "heading below which it stands"},
    {.id = "quote", TEXT(CLAIM_QUOTE), .help = "its words there, literally; ' … ' where some are left out"},
    {.id = "reading", TEXT(CLAIM_READING), .help = "how these words are read where they do not say it themselves"},
    {.id = "unit", TEXT(CLAIM_UNIT), .help = "unit of its figures"},
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

/* Those of an experiment stand behind one another. */
static struct view_cell claims_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct view_subject *subject = view_subject_of(view);
    const struct rl_analysis *analysis = subject->analysis;
    const size_t experiment = (size_t)((const struct rl_experiment *)row - subject->capture->experiments);
    const size_t *at, count = rl_group(&analysis->index.claims_of_experiment, experiment, &at);
    size_t first = count ? at[0] : 0;
    for (size_t i = 1; i < count; i++)
        first = at[i] < first ? at[i] : first;
    if (!count)
        return view_cell_rows((struct view_rows){.count = 0});
    return view_cell_rows((struct view_rows){analysis->claims + first, sizeof *analysis->claims, count, NULL});
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
    {.id = "worst", VIEW_AT(struct view_suite_row, worst), .columns = 16, .look = VIEW_LOOK_CODE, .help = "its last variant"},
    {.id = "worst_figure", .head = "", VIEW_AT_UNIT(struct view_suite_row, worst_figure, unit), .digits = 3, .help = "the same"},
    {.id = "ratio", VIEW_AT(struct view_suite_row, ratio), .unit = RL_UNIT_NONE, .digits = 3,
     .help = "how many times as good the best is"},
    {.id = "verdicts", .head = "claims", VIEW_AT(struct view_suite_row, verdicts), .wraps = true, .columns = 22,
     .help = "verdicts on its claims"},
};
/* clang-format on */
const struct view_record view_record_suite = {.id = "suite", .help = "an experiment in a line", VIEW_FIELDS(suite_fields)};
