/* finding.c - the rules of findings.def. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/sort.h"
#include "internal.h"

/* A rule about one subject, while it is judged. */
struct look {
    struct rl_analysis *analysis;
    struct rl_eval *eval; /* points at the subject */
    size_t rule;
    struct rl_value value, gain;
};

static bool exceeds(struct rl_value value, enum rl_relation_to relation, double number)
{
    return rl_present(value) && (relation == RL_ABOVE ? value.v > number : value.v < number);
}

/* ---- the words ---- */

static const struct rl_kernel *kernel_of(const struct look *look)
{
    return &look->analysis->capture->kernels[look->eval->kernel];
}

static void say_result(const struct look *look, struct rl_buf *out)
{
    const size_t variant = kernel_of(look)->variant;
    const char *text = variant == RL_NONE ? NULL : look->analysis->capture->variants[variant].result_text;

    rl_buf_adds(out, text ? text : "no details recorded");
}

static void say_above(const struct look *look, struct rl_buf *out)
{
    const char *text = look->analysis->kernels[look->eval->kernel].above_roof;

    rl_buf_adds(out, text ? text : "");
}

/* Why a kernel of the card has no counters, as far as the capture says; "": it has some, or nothing is said. */
static const char *reason_of(const struct look *look, size_t index)
{
    assert(index < look->analysis->capture->kernel_count);
    const struct rl_kernel *kernel = &look->analysis->capture->kernels[index];
    const struct rl_kernel_use *use = rl_kernel_use_of(look->analysis->capture, index);

    if (!rl_lacks_counters(look->eval, kernel))
        return "";
    if (use && use->uncounted)
        return use->uncounted;
    const char *reason = kernel->counter_count ? kernel->counters[0].value.reason : "";
    return strcmp(reason, rl_state_reason(RL_NOT_COLLECTED)) == 0 ? "" : reason; /* that is no reason */
}

/* ": reason", the commonest one of the classes, and for how many it holds when it is not for all; nothing when none is known. */
static void say_commonest_reason(const struct look *look, struct rl_buf *out)
{
    const size_t *kernels, count = rl_group(&look->analysis->index.kernels_of_gpu, look->eval->gpu, &kernels);
    const char **reasons = rl_calloc(count, sizeof *reasons), *commonest = "";
    size_t most = 0;

    for (size_t i = 0; i < count; i++)
        reasons[i] = reason_of(look, kernels[i]);
    rl_sort(reasons, count, sizeof *reasons, rl_by_text);
    for (size_t i = 0, run = 0; i < count; i++) {
        run = i > 0 && strcmp(reasons[i], reasons[i - 1]) == 0 ? run + 1 : 1;
        if (*reasons[i] && run > most) {
            most = run;
            commonest = reasons[i];
        }
    }
    if (most > 0)
        rl_buf_addf(out, ": %s", commonest);
    if (most > 0 && (double)most < look->value.v)
        rl_buf_addf(out, " (%zu of them)", most);
    free(reasons);
}

/* ": why", unless nothing is known of it: what the session says when it has no counters at all. */
static void say_counters(const struct look *look, struct rl_buf *out)
{
    const struct rl_session *session = &look->analysis->capture->session;

    if (!rl_session_counted(session))
        rl_buf_addf(out, ": %s", session->counters);
    else
        say_commonest_reason(look, out);
}

static void say_clocks(const struct look *look, struct rl_buf *out)
{
    const struct rl_stats *clock = &look->analysis->gpus[look->eval->gpu].sm_clock;

    rl_unit_format(out, RL_UNIT_HERTZ, clock->min, 4);
    rl_buf_adds(out, " to ");
    rl_unit_format(out, RL_UNIT_HERTZ, clock->max, 4);
}

static uint32_t reason_bits(struct rl_value reasons)
{
    return rl_clock_throttled(reasons) ? (uint32_t)reasons.v : 0;
}

static void say_throttle_reasons(const struct look *look, struct rl_buf *out)
{
    const struct rl_capture *capture = look->analysis->capture;
    const struct rl_gpu *gpu = &capture->gpus[look->eval->gpu];
    const size_t *runs, count = rl_group(&look->analysis->index.ceilings_of_gpu, look->eval->gpu, &runs);
    uint32_t bits = 0;

    for (size_t i = 0; i < gpu->moment_count; i++)
        bits |= reason_bits(gpu->moments[i].reading[RL_READING_throttle_reasons]);
    for (size_t i = 0; i < count; i++)
        bits |= reason_bits(capture->ceilings[runs[i]].throttle_reasons);
    rl_throttle_reasons_text(rl_value_of(bits), true, out);
}

struct seen {
    size_t lowered, asked;
};

static void count_reading(struct seen *seen, struct rl_value reasons)
{
    seen->asked += rl_present(reasons);
    seen->lowered += rl_clock_throttled(reasons);
}

/* "1 of 29 readings of the card and 52 of 148 runs of ceilings": the configurations of a sweep share what was read in it. */
static void say_throttle_seen(const struct look *look, struct rl_buf *out)
{
    const struct rl_capture *capture = look->analysis->capture;
    const struct rl_gpu *gpu = &capture->gpus[look->eval->gpu];
    const size_t *ceilings, count = rl_group(&look->analysis->index.ceilings_of_gpu, look->eval->gpu, &ceilings);
    struct seen readings = {0}, runs = {0};

    for (size_t i = 0; i < gpu->moment_count; i++)
        count_reading(&readings, gpu->moments[i].reading[RL_READING_throttle_reasons]);
    for (size_t i = 0; i < count; i++)
        count_reading(&runs, capture->ceilings[ceilings[i]].throttle_reasons);
    if (readings.asked)
        rl_buf_addf(out, "%zu of %zu reading%s of the card", readings.lowered, readings.asked, readings.asked == 1 ? "" : "s");
    if (runs.asked)
        rl_buf_addf(out, "%s%zu of %zu run%s of ceilings", readings.asked ? " and " : "", runs.lowered, runs.asked,
                    runs.asked == 1 ? "" : "s");
}

/* "DRAM copy 3.1 TB/s, 77.0 % of 4.03 TB/s (source)" for each ceiling that is beyond the rule's threshold. */
static void say_published(const struct look *look, struct rl_buf *out)
{
    const struct rl_rule_info *rule = &rl_rules[look->rule];
    const char *comma = "";

    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_ceiling *ceiling = &look->analysis->gpus[look->eval->gpu].ceiling[i];
        if (!rl_ceiling_listed(ceiling, (enum rl_ceiling_id)i) ||
            !exceeds(ceiling->published_share, rule->relation, rule->threshold))
            continue;
        rl_buf_addf(out, "%s%s ", comma, rl_ceilings[i].label);
        rl_unit_format(out, rl_ceilings[i].unit, ceiling->measured.median, 3);
        rl_buf_adds(out, ", ");
        rl_unit_format(out, RL_UNIT_FRACTION, ceiling->published_share.v, 3);
        rl_buf_adds(out, " of ");
        rl_unit_format(out, rl_ceilings[i].unit, ceiling->published->value, 3);
        rl_buf_addf(out, " (%s)", ceiling->published->source);
        comma = "; ";
    }
}

static void say_refused(const struct look *look, struct rl_buf *out)
{
    const char *comma = "";

    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_ceiling *ceiling = &look->analysis->gpus[look->eval->gpu].ceiling[i];
        if (!ceiling->refused || !rl_ceiling_listed(ceiling, (enum rl_ceiling_id)i))
            continue;
        rl_buf_addf(out, "%s%s, %s", comma, rl_ceilings[i].label, ceiling->refused);
        comma = "; ";
    }
}

/* Those that fell below the rule's threshold. */
static void say_sustained(const struct look *look, struct rl_buf *out)
{
    const struct rl_rule_info *rule = &rl_rules[look->rule];
    const char *comma = "";

    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_ceiling *ceiling = &look->analysis->gpus[look->eval->gpu].ceiling[i];
        if (!ceiling->sustained.n || !exceeds(ceiling->sustained_share, rule->relation, rule->threshold) ||
            !rl_ceiling_listed(ceiling, (enum rl_ceiling_id)i))
            continue;
        rl_buf_addf(out, "%s%s ", comma, rl_ceilings[i].label);
        rl_unit_format(out, rl_ceilings[i].unit, ceiling->sustained.median, 3);
        rl_buf_adds(out, " instead of ");
        rl_unit_format(out, rl_ceilings[i].unit, ceiling->measured.median, 3);
        rl_buf_adds(out, " (");
        rl_unit_format(out, RL_UNIT_FRACTION, ceiling->sustained_share.v, 3);
        rl_buf_adds(out, ")");
        comma = ", ";
    }
}

static const struct rl_limiting *limits_of(const struct look *look)
{
    return &look->analysis->kernels[look->eval->kernel].limits;
}

static void say_nearest(const struct look *look, struct rl_buf *out)
{
    const enum rl_resource first = limits_of(look)->first;

    rl_buf_adds(out, first < RL_RESOURCE_COUNT ? rl_resources[first].label : "none");
}

/* What limits in the place of a resource, or why it is not known. */
static void say_limited_by(const struct look *look, struct rl_buf *out)
{
    const struct rl_limiting *limits = limits_of(look);
    const bool known = limits->bound != RL_BOUND_UNKNOWN;

    rl_buf_addf(out, "What limits is %s: %s.", known ? rl_bound_word(limits->bound) : "not known", limits->why);
}

/* Why fewer blocks were resident than would fit. */
static void say_fewer_blocks(const struct look *look, struct rl_buf *out)
{
    const struct rl_kernel *kernel = kernel_of(look);
    const bool shared =
        kernel->dynamic_shared_bytes > 0 || (rl_present(kernel->static_shared_bytes) && kernel->static_shared_bytes.v > 0);

    rl_buf_adds(
        out, shared ? "blocks end at different times, too few follow, or the carveout leaves them less shared memory than it could"
                    : "blocks end at different times, or too few follow");
}

/* The level of memory that the launch uses most. */
static void say_level(const struct look *look, struct rl_buf *out)
{
    rl_buf_adds(out, rl_chain_level_names[limits_of(look)->in_flight.level]);
}

static void say_disagrees(const struct look *look, struct rl_buf *out)
{
    rl_buf_adds(out, look->analysis->kernels[look->eval->kernel].disagrees);
}

static const struct {
    const char *name;
    void (*say)(const struct look *look, struct rl_buf *out);
} texts[] = {
    {"result", say_result},
    {"above", say_above},
    {"disagrees", say_disagrees},
    {"nearest", say_nearest},
    {"limited_by", say_limited_by},
    {"fewer_blocks", say_fewer_blocks},
    {"level", say_level},
    {"counters", say_counters},
    {"clocks", say_clocks},
    {"throttle_reasons", say_throttle_reasons},
    {"throttle_seen", say_throttle_seen},
    {"low_ceilings", say_published},
    {"high_ceilings", say_published},
    {"refused_ceilings", say_refused},
    {"sustained_ceilings", say_sustained},
};

static bool say_text(const struct look *look, const char *name, struct rl_buf *out)
{
    for (size_t i = 0; i < RL_COUNT(texts); i++) {
        if (strcmp(texts[i].name, name) == 0) {
            texts[i].say(look, out);
            return true;
        }
    }
    return false;
}

static void fill(void *context, const char *name, size_t len, struct rl_buf *out)
{
    const struct look *look = context;
    const struct rl_rule_info *rule = &rl_rules[look->rule];
    char id[64];

    assert(len < sizeof id);
    memcpy(id, name, len);
    id[len] = '\0';
    if (strcmp(id, "value") == 0)
        rl_value_format(out, rule->unit, look->value, 3);
    else if (strcmp(id, "threshold") == 0)
        rl_unit_format(out, rule->unit, rule->threshold, 2);
    else if (!say_text(look, id, out))
        rl_value_format(out, rl_eval_unit(id), rl_eval_text(look->eval, id), 3);
}

/* ---- judging ---- */

/* The rule speaks when all conditions hold; is silent when one does not; otherwise it cannot be judged, for the reason in the
 * value. */
static enum rl_verdict_on_rule judge_conditions(struct look *look)
{
    const struct rl_formulas *formulas = &look->eval->formulas;
    enum rl_verdict_on_rule verdict = RL_RULE_SPOKE;

    for (size_t i = 0; i < formulas->when_count[look->rule]; i++) {
        const struct rl_condition *condition = &formulas->when[look->rule][i];
        const struct rl_value value = rl_eval_formula(look->eval, condition->formula, NULL);
        if (rl_present(value) && !exceeds(value, condition->relation, condition->number))
            return RL_RULE_SILENT;
        if (!rl_present(value) && verdict == RL_RULE_SPOKE) {
            verdict = RL_NOT_JUDGED;
            look->value = value;
        }
    }
    return verdict;
}

static struct rl_judgement judge(struct look *look)
{
    const struct rl_rule_info *rule = &rl_rules[look->rule];
    enum rl_verdict_on_rule verdict = RL_NOT_JUDGED;

    look->value = rl_eval_formula(look->eval, look->eval->formulas.rule[look->rule], NULL);
    if (rl_present(look->value))
        verdict = exceeds(look->value, rule->relation, rule->threshold) ? judge_conditions(look) : RL_RULE_SILENT;
    return (struct rl_judgement){verdict, look->value};
}

/* Why the rule does not speak of the launch, whatever its figures are; NULL when it may. */
static const char *silenced(const struct look *look)
{
    const size_t kernel = look->eval->kernel;

    if (kernel == RL_NONE)
        return NULL;
    if (look->analysis->kernels[kernel].wrong && look->rule != RL_RULE_wrong_result)
        return "the result is wrong: no performance is shown";
    if (!rl_rules[look->rule].no_advice &&
        rl_measures_card(look->analysis->capture, look->analysis->capture->kernels[kernel].variant))
        return "a kernel that measures the card: made to be counted or timed, not to be fast";
    return NULL;
}

/* Notes the factor for the resources that are listed; none has more to do than now. */
static void relieve(double *factors, const char *listed, struct rl_value factor)
{
    for (size_t i = 0; i < RL_RESOURCE_COUNT && rl_present(factor); i++)
        if (rl_is_listed(listed, rl_resources[i].id))
            factors[i] = fmax(factor.v, 1);
}

/* What becomes of the launch when the resources that the rule relieves have `factor` times less to do, and others as much less as
 * the rule says besides. */
static struct rl_value relieved_gain(const struct look *look, double factor)
{
    const struct rl_limiting *limits = limits_of(look);
    const struct rl_rule_info *rule = &rl_rules[look->rule];
    double factors[RL_RESOURCE_COUNT];

    if (limits->limiter == RL_RESOURCE_COUNT)
        return rl_value_missing(RL_UNDEFINED, "no resource is known to limit the launch");
    for (size_t i = 0; i < RL_RESOURCE_COUNT; i++)
        factors[i] = 1;
    relieve(factors, rule->relieves, rl_value_of(factor));
    for (size_t i = 0; i < RL_MAX_RELIEFS && rule->also[i].gain; i++)
        relieve(factors, rule->also[i].relieves, rl_eval_formula(look->eval, look->eval->formulas.also[look->rule][i], NULL));
    return rl_value_of(rl_limits_relieved(limits, factors));
}

/* A rule about parallelism: at most what the nearest roof leaves. */
static struct rl_value bounded_gain(const struct look *look, struct rl_value gain)
{
    const struct rl_kernel_result *launch = &look->analysis->kernels[look->eval->kernel];
    const struct rl_value most = rl_value_div(rl_value_of(1), launch->roof_share, "no work that takes time");

    if (launch->duration.n && rl_present(most) && !rl_has_untyped_tensor_work(launch->metric))
        gain.v = fmin(gain.v, most.v);
    return gain;
}

/* The speed-up that the rule predicts, when it can give one; `worthless`: it is known to be none. */
static struct rl_value gain_of(const struct look *look, bool *worthless)
{
    const struct rl_formula *formula = look->eval->formulas.gain[look->rule];
    struct rl_value gain =
        formula ? rl_eval_formula(look->eval, formula, NULL) : rl_value_missing(RL_UNDEFINED, "the rule gives no estimate");

    if (rl_present(gain) && look->eval->kernel != RL_NONE)
        gain = rl_rules[look->rule].relieves ? relieved_gain(look, gain.v) : bounded_gain(look, gain);
    if (!rl_present(gain))
        return gain;
    *worthless = gain.v < RL_LEAST_GAIN;
    return *worthless ? rl_value_missing(RL_UNDEFINED, "no gain to be expected") : gain;
}

static char *words_of(struct look *look)
{
    const struct rl_eval *eval = look->eval;
    struct rl_buf text = RL_BUF_INIT;

    if (eval->kernel == RL_NONE && eval->gpu != RL_NONE && look->analysis->capture->gpu_count > 1)
        rl_buf_addf(&text, "GPU %d: ", look->analysis->capture->gpus[eval->gpu].index);
    rl_expand_placeholders(&text, rl_rules[look->rule].words, fill, look);
    return rl_analysis_keep_text(look->analysis, &text);
}

/* Whether the rule speaks of the subject; fills `finding` when it does, and `judgement` (NULL: not wanted) always. */
static bool speaks(struct look *look, struct rl_finding *finding, struct rl_judgement *judgement)
{
    const struct rl_rule_info *rule = &rl_rules[look->rule];
    const char *why_not = silenced(look);
    const struct rl_judgement judged =
        why_not ? (struct rl_judgement){RL_NOT_JUDGED, rl_value_missing(RL_UNDEFINED, why_not)} : judge(look);

    if (judgement)
        *judgement = judged;
    if (judged.verdict != RL_RULE_SPOKE)
        return false;
    *finding = (struct rl_finding){
        .id = rule->id,
        .rule = (enum rl_rule)look->rule,
        .gpu = look->eval->gpu,
        .text = words_of(look),
    };
    finding->gain = gain_of(look, &finding->worthless);
    return true;
}

static void look_at_session(struct rl_analysis *analysis, struct rl_eval *eval, enum rl_subject subject)
{
    struct look look = {.analysis = analysis, .eval = eval};
    struct rl_finding finding;
    struct rl_judgement *judgements = eval->gpu == RL_NONE ? NULL : analysis->gpus[eval->gpu].judgement;

    for (look.rule = 0; look.rule < RL_RULE_COUNT; look.rule++) {
        if (rl_rules[look.rule].subject != subject || !speaks(&look, &finding, judgements ? &judgements[look.rule] : NULL))
            continue;
        RL_GROW(analysis->findings, analysis->finding_count + 1, analysis->finding_cap);
        analysis->findings[analysis->finding_count++] = finding;
    }
}

/* An rl_kernel_step. */
static void look_at_launch(struct rl_analysis *analysis, struct rl_eval *eval, size_t kernel, void *context)
{
    struct rl_kernel_result *result = &analysis->kernels[kernel];
    struct look look = {.analysis = analysis, .eval = eval};
    struct rl_finding finding;

    (void)context;
    rl_eval_focus(eval, RL_NONE, kernel);
    for (look.rule = 0; look.rule < RL_RULE_COUNT; look.rule++) {
        if (rl_rules[look.rule].subject != RL_OF_LAUNCH || !speaks(&look, &finding, &result->judgement[look.rule]))
            continue;
        RL_GROW(result->findings, result->finding_count + 1, result->finding_cap);
        result->findings[result->finding_count++] = finding;
    }
}

static size_t gpu_of_finding(const void *context, size_t i)
{
    const struct rl_analysis *analysis = context;
    const size_t gpu = analysis->findings[i].gpu;

    return gpu == RL_NONE ? analysis->capture->gpu_count : gpu;
}

const struct rl_finding *rl_finding_about(const struct rl_analysis *analysis, size_t gpu, size_t index)
{
    assert(gpu < analysis->capture->gpu_count);
    const size_t *session, *card, first = rl_group(&analysis->index.findings_of_gpu, analysis->capture->gpu_count, &session);
    const size_t count = rl_group(&analysis->index.findings_of_gpu, gpu, &card);

    if (index < first)
        return &analysis->findings[session[index]];
    return index - first < count ? &analysis->findings[card[index - first]] : NULL;
}

void rl_step_findings(struct rl_analysis *analysis, struct rl_eval *eval)
{
    rl_eval_focus(eval, RL_NONE, RL_NONE);
    look_at_session(analysis, eval, RL_OF_SESSION);
    for (size_t i = 0; i < analysis->capture->gpu_count; i++) {
        rl_eval_focus(eval, i, RL_NONE);
        look_at_session(analysis, eval, RL_OF_CARD);
    }
    rl_groups_make(&analysis->index.findings_of_gpu, analysis->capture->gpu_count + 1, analysis->finding_count, gpu_of_finding,
                   analysis);
    rl_each_kernel(analysis, eval, look_at_launch, NULL);
}
