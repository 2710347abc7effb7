/* finding.c - the rules of findings.def. */
#include "core/kernel_names.h"
#include "limits_decide.h"

/* The rule speaks when its value and all conditions hold, and is silent when one of them is known not to; otherwise it cannot be
 * judged, for the reason that is left in the value. */
static enum rl_verdict_on_rule judge_conditions(struct rl_look *look)
{
    const struct rl_formulas *formulas = &look->eval->formulas;
    enum rl_verdict_on_rule verdict = rl_present(look->value) ? RL_RULE_SPOKE : RL_NOT_JUDGED;

    for (size_t i = 0; i < formulas->when_count[look->rule]; i++) {
        const struct rl_condition *condition = &formulas->when[look->rule][i];
        const struct rl_value value = rl_eval_formula(look->eval, condition->formula, NULL);
        if (rl_present(value) && !rl_exceeds(value, condition->relation, condition->number))
            return RL_RULE_SILENT;
        if (!rl_present(value) && verdict == RL_RULE_SPOKE) {
            verdict = RL_NOT_JUDGED;
            look->value = value;
        }
    }
    return verdict;
}

static struct rl_judgement judge(struct rl_look *look)
{
    const struct rl_rule_info *rule = &rl_rules[look->rule];

    look->value = rl_eval_formula(look->eval, look->eval->formulas.rule[look->rule], NULL);
    const bool within = rl_present(look->value) && !rl_exceeds(look->value, rule->relation, rule->threshold);
    const enum rl_verdict_on_rule verdict = within ? RL_RULE_SILENT : judge_conditions(look);
    return (struct rl_judgement){verdict, look->value};
}

/* Why the rule does not speak of the launch, whatever its figures are; NULL when it may. */
static const char *silenced(const struct rl_look *look)
{
    const size_t kernel = look->eval->kernel;

    if (kernel == RL_NONE)
        return NULL;
    if (look->analysis->kernels[kernel].wrong && look->rule != RL_RULE_wrong_result)
        return "the result is wrong: no performance is shown";
    if (!rl_rules[look->rule].no_advice &&
        rl_measures_card(look->analysis->capture, look->analysis->capture->kernels[kernel].variant))
        return "a kernel that measures the GPU: made to be counted or timed, not to be fast";
    if (look->of_library && !rl_rules[look->rule].no_advice && !rl_rules[look->rule].of_the_call)
        return "a kernel of a library: its code is not the program's";
    return NULL;
}

/* Notes the factor for the resources that are listed; none has more to do than now. */
static void relieve(double *factors, const char *listed, struct rl_value factor)
{
    for (size_t i = 0; i < RL_RESOURCE_COUNT && rl_present(factor); i++)
        if (rl_is_listed(listed, rl_resources[i].id))
            factors[i] = fmax(factor.v, 1);
}

/* Whether every warp has a scheduler to itself, however blocks are placed: an SM of each architecture has at least four. */
static bool warps_are_alone(struct rl_eval *eval)
{
    enum { SCHEDULERS = 4, WARP = 32 };
    const struct rl_value blocks = rl_eval_name(eval, RL_NAME_launch_blocks),
                          threads = rl_eval_name(eval, RL_NAME_launch_block_threads), sms = rl_eval_fact(eval, RL_FACT_sm_count);

    return rl_present(blocks) && rl_present(threads) && rl_present(sms) && blocks.v <= sms.v && threads.v <= SCHEDULERS * WARP;
}

/* The speedup of the launch if the resources that the rule relieves have `factor` times less to do, and others as much less as the
 * rule says. */
static struct rl_value relieved_gain(const struct rl_look *look, double factor)
{
    const struct rl_limiting *limits = &look->analysis->kernels[look->eval->kernel].limits;
    const struct rl_rule_info *rule = &rl_rules[look->rule];
    double factors[RL_RESOURCE_COUNT];

    if (rule->in_turn && warps_are_alone(look->eval))
        return rl_value_of(factor);
    if (limits->limiter == RL_RESOURCE_COUNT)
        return rl_value_missing(RL_UNDEFINED, limits->bound == RL_BOUND_UNKNOWN
                                                  ? "no resource is known to limit the launch"
                                                  : "no resource limits the launch, so less work for one need not shorten it");
    for (size_t i = 0; i < RL_RESOURCE_COUNT; i++)
        factors[i] = 1;
    relieve(factors, rule->relieves, rl_value_of(factor));
    for (size_t i = 0; i < RL_MAX_RELIEFS && rule->also[i].gain; i++)
        relieve(factors, rule->also[i].relieves, rl_eval_formula(look->eval, look->eval->formulas.also[look->rule][i], NULL));
    return rl_value_of(rl_limits_relieved(limits, factors));
}

/* A rule about parallelism: at most what the nearest roof leaves. */
static struct rl_value bounded_gain(const struct rl_look *look, struct rl_value gain)
{
    const struct rl_kernel_result *launch = &look->analysis->kernels[look->eval->kernel];
    const struct rl_value most = rl_value_div(rl_value_of(1), launch->roof_share, "no work that takes time");

    if (rl_present(gain) && launch->duration.n && rl_present(most) && !rl_has_untyped_tensor_work(launch->metric))
        gain.v = fmin(gain.v, most.v);
    return gain;
}

/* A launch starts and ends as an empty kernel does, in 0.67 us on an H200 and 0.93 us on an H100, whatever is gained between; where
 * more of its time does not grow with the work, that stays. */
static struct rl_value above_floor(const struct rl_look *look, struct rl_value gain)
{
    static const double unmeasured_s = 0.5e-6;
    const struct rl_kernel_result *launch = &look->analysis->kernels[look->eval->kernel];
    const double measured_s = rl_shortest_launch_s(&look->analysis->gpus[look->analysis->capture->kernels[launch->kernel].gpu]);

    if (launch->limits.bound == RL_BOUND_LAUNCH)
        return rl_value_of(1);
    const struct rl_fixed *fixed = launch->limits.fixed;
    const double time_s = launch->duration.median;
    const double floor_s = fmax(measured_s > 0 ? measured_s : unmeasured_s, fixed ? fixed->low * time_s : 0);
    if (rl_present(gain) && launch->duration.n)
        gain.v = time_s > floor_s && gain.v > 1 ? time_s / (floor_s + (time_s - floor_s) / gain.v) : fmin(gain.v, 1);
    return gain;
}

/* The speedup that the rule predicts, when it can give one; `worthless`: it is known to be none. */
static struct rl_value gain_of(const struct rl_look *look, bool *worthless)
{
    const struct rl_formula *formula = look->eval->formulas.gain[look->rule];
    struct rl_value gain =
        formula ? rl_eval_formula(look->eval, formula, NULL) : rl_value_missing(RL_UNDEFINED, "the rule gives no estimate");

    if (rl_present(gain) && look->eval->kernel != RL_NONE)
        gain = rl_rules[look->rule].relieves ? relieved_gain(look, gain.v) : bounded_gain(look, gain);
    if (rl_present(gain) && look->eval->kernel != RL_NONE)
        gain = above_floor(look, gain);
    if (!rl_present(gain))
        return gain;
    *worthless = gain.v < RL_LEAST_GAIN;
    return *worthless ? rl_value_missing(RL_UNDEFINED, "no gain to be expected") : gain;
}

static char *action_of(struct rl_look *look)
{
    struct rl_buf text = RL_BUF_INIT;

    rl_expand_placeholders(&text, rl_rules[look->rule].action, rl_finding_fill, look);
    return rl_analysis_keep_text(look->analysis, &text);
}

/* The evidence, then the action; `*said` becomes where the evidence begins, behind the name of a GPU. */
static char *words_of(struct rl_look *look, const char *action, size_t *said)
{
    const struct rl_eval *eval = look->eval;
    struct rl_buf text = RL_BUF_INIT;

    if (eval->kernel == RL_NONE && eval->gpu != RL_NONE && look->analysis->capture->gpu_count > 1)
        rl_buf_addf(&text, "GPU %d: ", look->analysis->capture->gpus[eval->gpu].index);
    *said = text.len;
    rl_expand_placeholders(&text, rl_rules[look->rule].words, rl_finding_fill, look);
    rl_buf_addf(&text, " %s", action);
    return rl_analysis_keep_text(look->analysis, &text);
}

/* Whether the rule speaks of the subject; fills `finding` when it does, and `judgement` (NULL: not wanted) always. */
static bool speaks(struct rl_look *look, struct rl_finding *finding, struct rl_judgement *judgement)
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
        .action = action_of(look),
    };
    finding->text = words_of(look, finding->action, &finding->evidence);
    finding->gain = gain_of(look, &finding->worthless);
    return true;
}

static void look_at_session(struct rl_analysis *analysis, struct rl_eval *eval, enum rl_subject subject)
{
    struct rl_look look = {.analysis = analysis, .eval = eval};
    struct rl_finding finding;
    struct rl_judgement *judgements = eval->gpu == RL_NONE ? NULL : analysis->gpus[eval->gpu].judgement;

    for (look.rule = 0; look.rule < RL_RULE_COUNT; look.rule++) {
        if (rl_rules[look.rule].subject != subject || !speaks(&look, &finding, judgements ? &judgements[look.rule] : NULL))
            continue;
        RL_APPEND(analysis->findings, analysis->finding_count, analysis->finding_cap, finding);
    }
}

/* An rl_kernel_step. */
static void look_at_launch(struct rl_analysis *analysis, struct rl_eval *eval, size_t kernel, void *context)
{
    struct rl_kernel_result *result = &analysis->kernels[kernel];
    struct rl_look look = {
        .analysis = analysis, .eval = eval, .of_library = rl_library_of_name(analysis->capture->kernels[kernel].name) != NULL};
    struct rl_finding found[RL_RULE_COUNT];
    size_t count = 0;

    (void)context;
    rl_eval_focus(eval, RL_NONE, kernel);
    for (look.rule = 0; look.rule < RL_RULE_COUNT; look.rule++)
        if (rl_rules[look.rule].subject == RL_OF_LAUNCH)
            count += speaks(&look, &found[count], &result->judgement[look.rule]);
    result->findings = count ? rl_arena_alloc(&analysis->arena, count * sizeof *found) : NULL;
    result->finding_count = count;
    if (count)
        memcpy(result->findings, found, count * sizeof *found);
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
