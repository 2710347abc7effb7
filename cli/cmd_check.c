/* cmd_check.c - what the instrument counts against reference values. The reference values are the claims of the experiment
 * self_check: it is collected as any other one is, and its verdicts are the result. */
#include "collect.h"
#include "parts.h"
#include "view_media.h"

struct check_options {
    struct cli_common common;
    int gpu;
    bool json;
    const char *output;
};

static const struct cli_option options[] = {
    {0, "gpu", CLI_INT, offsetof(struct check_options, gpu), "N", .low = 0, .high = 1023,
     .help = "check CUDA device N (default: 0)"},
    {0, "json", CLI_FLAG, offsetof(struct check_options, json), .help = "print the results as JSON"},
    {'o', "output", CLI_GROWING, offsetof(struct check_options, output), "FILE", .help = "keep the capture in FILE",
     .formats = cli_capture_formats},
    {0},
};

/* ---- the answers ---- */

struct answer {
    const struct rl_claim *claim;
    const struct rl_claim_result *result;
    const char *noun; /* of its quantity */
    struct rl_value deviation;
    const char *outcome, *reason; /* reason: why it was not counted; NULL: it was */
};
struct self_check {
    const char *gpu, *chip;
    const char *counters; /* why no counter could be read; NULL: they could, and each open answer has another reason */
    int index;
    size_t passed, failed, open, count;
    struct answer *answers;
};

static struct view_cell passed_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const enum rl_claim_outcome outcome = ((const struct answer *)row)->result->outcome;
    return outcome == RL_CLAIM_UNDECIDED || outcome == RL_CLAIM_REFERENCE ? view_cell_absent("")
                                                                          : view_cell_boolean(outcome == RL_CLAIM_HELD);
}

/* clang-format off */
static const struct view_field answer_fields[] = {
    {.id = "id", VIEW_IN(struct answer, claim, id)},
    {.id = "kernel", VIEW_IN(struct answer, claim, subject)},
    {.id = "metric", VIEW_IN(struct answer, claim, quantity)},
    {.id = "what", VIEW_AT(struct answer, noun), .for_people = true},
    {.id = "text", VIEW_IN(struct answer, claim, text)},
    {.id = "expected", VIEW_IN(struct answer, claim, value), .unit = RL_UNIT_COUNT},
    {.id = "tolerance", VIEW_IN(struct answer, claim, tolerance)},
    {.id = "counted", VIEW_IN(struct answer, result, measured), .unit = RL_UNIT_COUNT, .quiet = true},
    {.id = "deviation", .head = "off by", VIEW_AT(struct answer, deviation), .unit = RL_UNIT_FRACTION, .digits = 2, .quiet = true},
    {.id = "passed", .type = VIEW_TYPE_BOOLEAN, .get = passed_cell},
    {.id = "outcome", .head = "", VIEW_AT(struct answer, outcome), .for_people = true},
    {.id = "reason", VIEW_AT(struct answer, reason)},
};
static const struct view_record answer_record = {.id = "answer", .title = "", VIEW_FIELDS(answer_fields),
                                                 .columns = "kernel,what,expected,counted,deviation,outcome"};
static const struct view_field check_fields[] = {
    {.id = "index", VIEW_AT(struct self_check, index), .for_people = true},
    {.id = "gpu", VIEW_AT(struct self_check, gpu)},
    {.id = "chip", VIEW_AT(struct self_check, chip)},
    {.id = "passed", VIEW_AT(struct self_check, passed)},
    {.id = "failed", VIEW_AT(struct self_check, failed)},
    {.id = "not_counted", VIEW_AT(struct self_check, open)},
    {.id = "answers", VIEW_AT_ROWS(struct self_check, answers, count, &answer_record)},
    {.id = "all", VIEW_AT(struct self_check, count), .for_people = true},
    {.id = "counters", VIEW_AT(struct self_check, counters), .for_people = true},
};
static const struct view_block check_blocks[] = {
    {.kind = VIEW_BLOCK_TABLE, .field = "answers"},
    {.kind = VIEW_BLOCK_SENTENCE, .apart = true,
     .text = "{passed} of {all} reference values were counted[; {not_counted} could not be][: {counters}]"},
};
/* clang-format on */
static const struct view_record check_record = {.id = "check",
                                                .title = "Self check of the counters of GPU {index}, {gpu}",
                                                VIEW_FIELDS(check_fields),
                                                VIEW_BLOCKS(check_blocks)};

static struct rl_value deviation_of(const struct rl_claim *claim, const struct rl_claim_result *result)
{
    struct rl_value difference = rl_value_sub(result->measured, rl_value_of(claim->value));
    return claim->value == 0 && rl_present(difference) && difference.v == 0
               ? rl_value_of(0)
               : rl_value_div(difference, rl_value_of(claim->value), "nothing was expected");
}

static struct self_check self_check_of(const struct rl_analysis *analysis, struct rl_arena *arena)
{
    static const char *const words[] = {[RL_CLAIM_HELD] = "pass",
                                        [RL_CLAIM_DID_NOT_HOLD] = "FAIL",
                                        [RL_CLAIM_EXCEEDED] = "FAIL",
                                        [RL_CLAIM_UNDECIDED] = "not counted",
                                        [RL_CLAIM_REFERENCE] = "not counted"};
    const struct rl_capture *capture = analysis->capture;
    const struct rl_claim_tally tally = rl_claims_tally(analysis, RL_NONE, RL_CLAIM_BASIS_ANSWER);
    assert(capture->gpu_count > 0);
    struct self_check check = {.gpu = capture->gpus[0].name,
                               .chip = capture->gpus[0].chip,
                               .index = capture->gpus[0].index,
                               .passed = tally.outcome[RL_CLAIM_HELD],
                               .failed = tally.outcome[RL_CLAIM_DID_NOT_HOLD] + tally.outcome[RL_CLAIM_EXCEEDED],
                               .open = tally.outcome[RL_CLAIM_UNDECIDED] + tally.outcome[RL_CLAIM_REFERENCE],
                               .answers = rl_arena_alloc(arena, (analysis->claim_count + 1) * sizeof *check.answers)};
    check.counters = check.open && !rl_session_counted(&capture->session) ? capture->session.counters : NULL;
    for (size_t i = 0; i < analysis->claim_count; i++) {
        const struct rl_claim_result *result = &analysis->claims[i];
        if (result->basis == RL_CLAIM_BASIS_ANSWER)
            check.answers[check.count++] = (struct answer){result->of,
                                                           result,
                                                           rl_quantity_noun(result->of->quantity),
                                                           deviation_of(result->of, result),
                                                           words[result->outcome],
                                                           rl_present(result->measured) ? NULL : rl_value_reason(result->measured)};
    }
    return check;
}

/* ---- the command ---- */

static enum rl_status collect(const struct cli_call *call, const char *path, struct rl_err *err)
{
    const struct check_options *chosen = call->options;
    static const char *const selection[] = {RL_SELF_CHECK};
    struct cli_plans plans = {0};
    struct rl_collect_summary summary = {0};
    struct rl_suite_item *items = NULL;
    size_t item_count = 0;
    enum rl_status status = rl_suite_select(selection, 1, &items, &item_count, err);
    assert(status == RL_OK && cli_collector);
    const struct rl_collect_options collected = {.output = path,
                                                 .gpu = chosen->gpu,
                                                 .quick = true,
                                                 .items = items,
                                                 .item_count = item_count,
                                                 .ceilings = RL_CEILINGS_NONE,
                                                 .command = call->command,
                                                 .command_count = call->command_count,
                                                 .tool_version = CLI_VERSION,
                                                 .plan = cli_plans_give,
                                                 .plan_context = &plans};
    status = cli_collector->collect_suite(&collected, &summary, err);
    cli_plans_release(&plans);
    free(items);
    return status;
}

/* The variant that an answer is about; NULL: it was not run. */
static const struct rl_variant *variant_of(const struct rl_analysis *analysis, const struct rl_claim_result *result)
{
    const struct rl_capture *capture = analysis->capture;
    const size_t variant = rl_variant_named(&analysis->index, capture, result->experiment, result->gpu, result->of->subject);
    return variant == RL_NONE ? NULL : &capture->variants[variant];
}

/* Why nothing follows from an answer; NULL: something does, or the chip has no such counter, or cannot run the kernel. */
static const char *why_open(const struct rl_analysis *analysis, const struct rl_claim_result *result)
{
    const struct rl_variant *variant = variant_of(analysis, result);
    if (!variant)
        return "its kernel was not run";
    if (variant->status == RL_VARIANT_UNSUPPORTED || result->measured.state == RL_NOT_ON_CHIP)
        return NULL;
    if (variant->status == RL_VARIANT_DONE && variant->result != RL_RESULT_OK)
        return variant->result == RL_RESULT_WRONG ? "its kernel computed a wrong result"
                                                  : "the result of its kernel was not checked";
    if (result->outcome == RL_CLAIM_UNDECIDED || result->outcome == RL_CLAIM_REFERENCE)
        return rl_present(result->measured) ? "it was not decided" : rl_value_reason(result->measured);
    return NULL;
}

static enum rl_status judge(const struct rl_analysis *analysis, const struct self_check *check, struct rl_err *err)
{
    const struct rl_claim_result *first = NULL;
    const char *why = NULL;
    /* How many answers nothing follows from, and why not from the first. */
    size_t open = 0;
    for (size_t i = 0; i < analysis->claim_count; i++) {
        const struct rl_claim_result *result = &analysis->claims[i];
        const char *reason = result->basis == RL_CLAIM_BASIS_ANSWER ? why_open(analysis, result) : NULL;
        if (reason && open++ == 0) {
            first = result;
            why = reason;
        }
    }
    if (check->failed)
        return rl_err_set(err, RL_FAILED, "%zu reference value(s) were counted wrong: do not trust those counters on this GPU",
                          check->failed);
    if (check->passed == 0 || !rl_session_counted(&analysis->capture->session)) /* occupancy by limits takes no counters */
        return rl_err_set(err, RL_FAILED, "no counter could be checked: %s", analysis->capture->session.counters);
    if (open)
        return rl_err_set(err, RL_FAILED, "%zu reference value(s) could not be checked, %s first: %s", open, first->of->id, why);
    return RL_OK;
}

/* Prints the answers of the capture at `path`. */
static enum rl_status print(const struct cli_call *call, const char *path, struct rl_err *err)
{
    const struct check_options *chosen = call->options;
    struct cli_doc doc = {.out = call->out, .style = CLI_DOC_TERMINAL, .width = call->terminal.width, .bold = call->terminal.bold};
    struct rl_capture *capture = NULL;
    RL_TRY(rl_capture_read(path, &capture, err));
    RL_AT_END(rl_arena_release) struct rl_arena arena = RL_ARENA_INIT;
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct self_check check = self_check_of(analysis, &arena);
    const struct view view = {.record = &check_record, .row = &check, .arena = &arena};
    if (chosen->json)
        cli_view_document(&view, &(struct cli_view_document){0}, call->out);
    else
        cli_view_text(&view, &(struct cli_view_options){.document = true}, &doc);
    enum rl_status status = judge(analysis, &check, err);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
    return status;
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    const struct check_options *chosen = call->options;
    RL_FREED char *folder = NULL, *path = NULL;
    RL_TRY(rl_make_temp_dir(&folder, err));
    path = rl_path_join(folder, "check.rlcap");
    enum rl_status status = collect(call, chosen->output ? chosen->output : path, err);
    RL_THEN(status, print(call, chosen->output ? chosen->output : path, err));
    rl_remove_tree(folder);
    return status;
}

const struct cli_command_body cmd_check = {
    .operands = "",
    .about =
        "Runs kernels whose counters have reference values - operations, branches, shared-memory wavefronts, sectors, DRAM "
        "traffic, occupancy, matrix operations - and prints reference value, counted value and difference. A full collect does the "
        "same and keeps the outcome in its capture (experiment self_check).",
    .options = options,
    .options_size = sizeof(struct check_options),
    .run = run,
};
