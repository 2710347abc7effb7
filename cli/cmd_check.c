/* cmd_check.c - what the instrument counts against reference values. The reference values are the claims of the experiment
 * self_check: it is collected as any other one is, and its verdicts are the result. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "command.h"
#include "core/fs.h"
#include "core/json.h"
#include "core/units.h"
#include "doc.h"
#include "kernels/suite.h"
#include "output.h"
#include "parts.h"
#include "plans.h"

struct check_options {
    struct cli_common common;
    int gpu;
    bool json;
    const char *output;
};

static const struct cli_option options[] = {
    {0, "gpu", CLI_INT, offsetof(struct check_options, gpu), "N", .low = 0, .high = 1023,
     .help = "check CUDA device N (default: 0)"},
    {0, "json", CLI_FLAG, offsetof(struct check_options, json), .help = "print the answers as JSON"},
    {'o', "output", CLI_GROWING, offsetof(struct check_options, output), "FILE", .help = "keep the capture in FILE",
     .formats = cli_capture_formats},
    {0},
};

/* ---- one answer ---- */

static const struct rl_claim *claim_of(const struct rl_analysis *analysis, const struct rl_claim_result *result)
{
    return &analysis->capture->experiments[result->experiment].claims[result->claim];
}

static struct rl_value deviation_of(const struct rl_claim *claim, const struct rl_claim_result *result)
{
    struct rl_value difference = rl_value_sub(result->measured, rl_value_of(claim->value));
    return claim->value == 0 && rl_present(difference) && difference.v == 0
               ? rl_value_of(0)
               : rl_value_div(difference, rl_value_of(claim->value), "nothing was expected");
}

static const char *const words[] = {
    [RL_CLAIM_HELD] = "pass",
    [RL_CLAIM_DID_NOT_HOLD] = "FAIL",
    [RL_CLAIM_EXCEEDED] = "FAIL",
    [RL_CLAIM_UNDECIDED] = "not counted",
    [RL_CLAIM_REFERENCE] = "not counted",
};

/* Numbers of answers by outcome. */
struct tally {
    size_t passed, failed, open;
};

static struct tally tally_of(const struct rl_analysis *analysis)
{
    const struct rl_claim_tally tally = rl_claims_tally(analysis, RL_NONE, RL_CLAIM_BASIS_ANSWER);
    return (struct tally){tally.outcome[RL_CLAIM_HELD], tally.outcome[RL_CLAIM_DID_NOT_HOLD] + tally.outcome[RL_CLAIM_EXCEEDED],
                          tally.outcome[RL_CLAIM_UNDECIDED] + tally.outcome[RL_CLAIM_REFERENCE]};
}

/* A row of the table for people, or with `json` an element of its array. */
static void add_answer(struct rl_table *table, struct rl_json *json, const struct rl_analysis *analysis,
                       const struct rl_claim_result *result)
{
    const struct rl_claim *claim = claim_of(analysis, result);
    if (!json) {
        rl_table_row(table);
        rl_table_cell(table, claim->subject);
        rl_table_cell(table, rl_quantity_noun(claim->quantity));
        rl_table_value(table, RL_UNIT_COUNT, rl_value_of(claim->value), 4);
        rl_table_value(table, RL_UNIT_COUNT, result->measured, 4);
        rl_table_value(table, RL_UNIT_FRACTION, deviation_of(claim, result), 2);
        rl_table_cell(table, words[result->outcome]);
        return;
    }
    rl_json_object(json, NULL);
    rl_json_string(json, "id", claim->id);
    rl_json_string(json, "kernel", claim->subject);
    rl_json_string(json, "metric", claim->quantity);
    rl_json_string(json, "text", claim->text);
    rl_json_value(json, "expected", rl_value_of(claim->value));
    rl_json_value(json, "tolerance", rl_value_of(claim->tolerance));
    rl_json_value(json, "counted", result->measured);
    rl_json_value(json, "deviation", deviation_of(claim, result));
    if (result->outcome == RL_CLAIM_HELD || result->outcome == RL_CLAIM_DID_NOT_HOLD || result->outcome == RL_CLAIM_EXCEEDED)
        rl_json_bool(json, "passed", result->outcome == RL_CLAIM_HELD);
    else
        rl_json_null(json, "passed");
    rl_json_string(json, "reason", rl_present(result->measured) ? NULL : rl_value_reason(result->measured));
    rl_json_end(json);
}

static void add_answers(struct rl_table *table, struct rl_json *json, const struct rl_analysis *analysis)
{
    for (size_t i = 0; i < analysis->claim_count; i++)
        if (analysis->claims[i].basis == RL_CLAIM_BASIS_ANSWER)
            add_answer(table, json, analysis, &analysis->claims[i]);
}

static void print_text(const struct rl_analysis *analysis, struct cli_doc *doc)
{
    static const char *const heads[] = {"kernel", "what", "expected", "counted", "off by", ""};
    const struct rl_capture *capture = analysis->capture;
    const struct tally tally = tally_of(analysis);
    struct rl_buf text = RL_BUF_INIT;
    struct rl_table table;
    assert(capture->gpu_count > 0);
    rl_buf_addf(&text, "Self check of the counters of GPU %d, %s", capture->gpus[0].index, capture->gpus[0].name);
    cli_doc_title(doc, text.data);
    rl_table_init(&table);
    for (size_t i = 0; i < RL_COUNT(heads); i++)
        rl_table_column(&table, heads[i], i >= 2 && i <= 4 ? RL_RIGHT : RL_LEFT);
    add_answers(&table, NULL, analysis);
    cli_doc_table(doc, &table);
    rl_table_release(&table);
    rl_buf_reset(&text);
    rl_buf_addf(&text, "%zu of %zu reference values were counted", tally.passed, tally.passed + tally.failed + tally.open);
    if (tally.open)
        rl_buf_addf(&text, "; %zu could not be", tally.open);
    if (tally.open && !rl_session_counted(&capture->session)) /* else each has another reason */
        rl_buf_addf(&text, ": %s", capture->session.counters);
    cli_doc_gap(doc);
    cli_doc_item(doc, "", 0, text.data);
    rl_buf_release(&text);
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
    const size_t variant =
        rl_variant_named(&analysis->index, capture, result->experiment, result->gpu, claim_of(analysis, result)->subject);
    return variant == RL_NONE ? NULL : &capture->variants[variant];
}

/* Why nothing follows from an answer; NULL: something does, or the chip has no such counter, or cannot run the kernel. */
static const char *why_open(const struct rl_analysis *analysis, const struct rl_claim_result *result)
{
    const struct rl_variant *variant = variant_of(analysis, result);
    if (!variant)
        return "its kernel was not run";
    if (variant->status == RL_VARIANT_UNSUPPORTED || rl_value_state(result->measured) == RL_NOT_ON_CHIP)
        return NULL;
    if (variant->status == RL_VARIANT_DONE && variant->result != RL_RESULT_OK)
        return variant->result == RL_RESULT_WRONG ? "its kernel computed a wrong result"
                                                  : "the result of its kernel was not checked";
    if (result->outcome == RL_CLAIM_UNDECIDED || result->outcome == RL_CLAIM_REFERENCE)
        return rl_present(result->measured) ? "it was not decided" : rl_value_reason(result->measured);
    return NULL;
}

/* How many answers nothing follows from, and why not from the first. */
static size_t find_open(const struct rl_analysis *analysis, const struct rl_claim_result **first, const char **why)
{
    size_t count = 0;
    for (size_t i = 0; i < analysis->claim_count; i++) {
        const struct rl_claim_result *result = &analysis->claims[i];
        const char *reason = result->basis == RL_CLAIM_BASIS_ANSWER ? why_open(analysis, result) : NULL;
        if (reason && count++ == 0) {
            *first = result;
            *why = reason;
        }
    }
    return count;
}

static enum rl_status judge(const struct rl_analysis *analysis, struct rl_err *err)
{
    const struct tally tally = tally_of(analysis);
    const struct rl_claim_result *first = NULL;
    const char *why = NULL;
    const size_t open = find_open(analysis, &first, &why);
    if (tally.failed)
        return rl_err_set(err, RL_FAILED, "%zu reference value(s) were counted wrong: do not trust those counters on this card",
                          tally.failed);
    if (tally.passed == 0 || !rl_session_counted(&analysis->capture->session)) /* occupancy by limits takes no counters */
        return rl_err_set(err, RL_FAILED, "no counter could be checked: %s", analysis->capture->session.counters);
    if (open)
        return rl_err_set(err, RL_FAILED, "%zu reference value(s) could not be checked, %s first: %s", open,
                          claim_of(analysis, first)->id, why);
    return RL_OK;
}

/* Prints the answers of the capture at `path`. */
static enum rl_status print(const struct cli_call *call, const char *path, struct rl_err *err)
{
    const struct check_options *chosen = call->options;
    struct cli_doc doc = {.out = call->out, .style = CLI_DOC_TERMINAL, .width = call->terminal.width, .bold = call->terminal.bold};
    struct rl_capture *capture = NULL;
    enum rl_status status = rl_capture_read(path, &capture, err);
    if (status != RL_OK)
        return status;
    struct rl_analysis *analysis = rl_analysis_new(capture);
    if (chosen->json) {
        const struct tally tally = tally_of(analysis);
        struct rl_json json;
        rl_json_init(&json, call->out, RL_JSON_INDENTED);
        rl_json_object(&json, NULL);
        rl_json_string(&json, "gpu", analysis->capture->gpus[0].name);
        rl_json_string(&json, "chip", analysis->capture->gpus[0].chip);
        rl_json_uint(&json, "passed", tally.passed);
        rl_json_uint(&json, "failed", tally.failed);
        rl_json_uint(&json, "not_counted", tally.open);
        rl_json_array(&json, "answers");
        add_answers(NULL, &json, analysis);
        rl_json_end(&json);
        rl_json_end(&json);
        assert(rl_json_done(&json));
    } else
        print_text(analysis, &doc);
    status = judge(analysis, err);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
    return status;
}

static enum rl_status run(const struct cli_call *call, struct rl_err *err)
{
    const struct check_options *chosen = call->options;
    char *folder = NULL, *path = NULL;
    enum rl_status status = rl_make_temp_dir(&folder, err);
    if (status != RL_OK)
        return status;
    path = rl_path_join(folder, "check.rlcap");
    status = collect(call, chosen->output ? chosen->output : path, err);
    if (status == RL_OK)
        status = print(call, chosen->output ? chosen->output : path, err);
    rl_remove_tree(folder);
    free(path);
    free(folder);
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
