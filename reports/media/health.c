/* health.c - the checks of the GPU's state (see cover.h). Thresholds are those of the rules in findings.def: a check is to be
 * looked at when its rule spoke. */
#include "cover.h"

#define NOT_KNOWN "unknown"

/* ---- readings ---- */

static struct rl_value reading_extreme(const struct rl_gpu *gpu, enum rl_reading_id id, double (*pick)(double, double))
{
    struct rl_value found = rl_value_missing(RL_NOT_COLLECTED, NULL);
    for (size_t i = 0; i < gpu->moment_count; i++) {
        struct rl_value value = gpu->moments[i].reading[id];
        if (rl_present(value))
            found = rl_present(found) ? rl_value_of(pick(found.v, value.v)) : value;
    }
    return found;
}

static size_t ceiling_runs(const struct rl_report *report, const struct rl_gpu *gpu)
{
    const size_t *runs;
    return rl_group(&report->analysis->index.ceilings_of_gpu, (size_t)(gpu - report->capture->gpus), &runs);
}

static size_t moments_called(const struct rl_gpu *gpu, const char *moment)
{
    return RL_SUM(size_t, i, gpu->moment_count, strcmp(gpu->moments[i].moment, moment) == 0);
}

/* Whether the GPU was read while something was measured: a reading before or after says little of the time between. */
static bool read_under_load(const struct rl_report *report, size_t gpu)
{
    const struct rl_gpu *card = &report->capture->gpus[gpu];
    return moments_called(card, "during") > 0 || ceiling_runs(report, card) > 0;
}

/* ---- the checks: text, and false when nothing is known ---- */

typedef const char *(*check_fn)(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result);

static const char *clock_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    if (result->sm_clock.n < 2 || result->sm_clock.median <= 0) /* one pass has no spread */
        return NULL;
    double spread = (result->sm_clock.max - result->sm_clock.min) / result->sm_clock.median;
    return rl_words(report->doc, "spread %s", rl_words_value(report->doc, RL_UNIT_FRACTION, rl_value_of(spread), 2));
}

static const char *throttle_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    const struct rl_value lowered = rl_clock_lowered_by(report->analysis, (size_t)(gpu - report->capture->gpus));
    struct rl_buf words = RL_BUF_IN(report->doc->arena);
    rl_throttle_reasons_text(lowered, &words);
    return !rl_present(lowered) ? NULL : words.len > 0 ? words.data : "none";
}

static const char *temperature_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    struct rl_value most = reading_extreme(gpu, RL_READING_temperature_c, fmax);
    return rl_present(most) ? rl_words(report->doc, "at most %s", rl_words_value(report->doc, RL_UNIT_CELSIUS, most, 3)) : NULL;
}

/* "29, 148 while roofs ran", "1, after the run": how often the GPU was read, and when, if not while it worked. */
static const char *readings_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    const size_t runs = ceiling_runs(report, gpu), before = moments_called(gpu, "before"), after = moments_called(gpu, "after");
    if (gpu->moment_count == 0 && runs == 0)
        return NULL;
    const char *when = read_under_load(report, (size_t)(gpu - report->capture->gpus)) ? ""
                       : before && after                                              ? ", none during the run"
                       : before                                                       ? ", before the run"
                                                                                      : ", after the run";
    return rl_words(report->doc, "%zu%s%s", gpu->moment_count, when,
                    runs ? rl_words(report->doc, ", %zu while roofs ran", runs) : "");
}

static const char *ecc_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    struct rl_value enabled = gpu->fact[RL_FACT_ecc_enabled], errors = gpu->fact[RL_FACT_ecc_errors_uncorrected];
    if (!rl_present(enabled))
        return NULL;
    const char *state = enabled.v > 0 ? "on" : "off";
    return rl_present(errors)
               ? rl_words(report->doc, "%s, %s", state, rl_words_count(report->doc, (size_t)fmax(errors.v, 0), "error", "errors"))
               : state;
}

static const char *processes_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    struct rl_value most = reading_extreme(gpu, RL_READING_process_count, fmax);
    if (!rl_present(most))
        return NULL;
    return most.v <= 1 ? "none" : rl_words(report->doc, "%.0f at once", most.v - 1);
}

static const char *mig_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    struct rl_value enabled = gpu->fact[RL_FACT_mig_enabled];
    return !rl_present(enabled) ? NULL : enabled.v > 0 ? "on" : "off";
}

static const char *counters_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    const struct rl_session *session = &report->capture->session;
    if (rl_session_counted(session) && result->judgement[RL_RULE_counters_missing].verdict == RL_RULE_SPOKE)
        return "not of all kernels";
    if (!rl_session_counted(session) && report->capture->sampled_count)
        return "sampled, as estimates";
    return rl_words_short(report->doc, session->counters, 60);
}

static bool was_counted(const struct rl_report *report, size_t gpu)
{
    return rl_session_counted(&report->capture->session) || report->capture->sampled_count;
}

static const char *complete_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    return report->capture->session.complete ? "complete" : "cut short";
}

/* ---- ceilings ---- */

/* "DRAM 96, FP32 99 %": shares of peak of the roofs that most kernels need. */
static const char *theory_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    const struct rl_ceiling *dram = &result->ceiling[RL_CEILING_dram], *fp32 = &result->ceiling[RL_CEILING_fp32];
    if (dram->run == RL_NONE && fp32->run == RL_NONE)
        return NULL;
    if (rl_present(dram->share) && rl_present(fp32->share)) /* what fits one line */
        return rl_words(report->doc, "DRAM %.0f, FP32 %.0f %%", 100 * dram->share.v, 100 * fp32->share.v);
    return rl_words(report->doc, "DRAM %s, FP32 %s", rl_words_value(report->doc, RL_UNIT_FRACTION, dram->share, 2),
                    rl_words_value(report->doc, RL_UNIT_FRACTION, fp32->share, 2));
}

/* The minimum and maximum share of what others have measured on such a GPU. */
static const char *published_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    struct rl_value least = rl_value_missing(RL_NOT_COLLECTED, NULL), greatest = least;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_value share = result->ceiling[i].published_share;
        if (!rl_present(share))
            continue;
        least = !rl_present(least) || share.v < least.v ? share : least;
        greatest = !rl_present(greatest) || share.v > greatest.v ? share : greatest;
    }
    if (!rl_present(least))
        return NULL;
    const char *from = rl_words_value(report->doc, RL_UNIT_FRACTION, least, 3);
    return least.v == greatest.v
               ? rl_words(report->doc, "%s", from)
               : rl_words(report->doc, "%s to %s", from, rl_words_value(report->doc, RL_UNIT_FRACTION, greatest, 3));
}

static const char *load_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    struct rl_value least = rl_value_missing(RL_NOT_COLLECTED, NULL);
    for (size_t i = 0; i < RL_CEILING_COUNT; i++) {
        const struct rl_value share = result->ceiling[i].sustained_share;
        if (rl_present(share) && (!rl_present(least) || share.v < least.v))
            least = share;
    }
    return rl_present(least) ? rl_words(report->doc, "%s of burst", rl_words_value(report->doc, RL_UNIT_FRACTION, least, 3)) : NULL;
}

struct answers {
    size_t right, asked;
};

static struct answers answers_of(const struct rl_report *report, size_t gpu)
{
    const struct rl_claim_tally tally = rl_claims_tally(report->analysis, gpu, RL_CLAIM_BASIS_ANSWER);
    const size_t right = tally.outcome[RL_CLAIM_HELD];
    return (struct answers){right, rl_claims_total(&tally)};
}

static const char *self_check_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    const struct answers answers = answers_of(report, (size_t)(gpu - report->capture->gpus));
    return answers.asked > 0 ? rl_words(report->doc, "%zu of %zu correct", answers.right, answers.asked) : NULL;
}

static bool self_check_failed(const struct rl_report *report, size_t gpu)
{
    const struct answers answers = answers_of(report, gpu);
    return answers.right < answers.asked;
}

/* ---- the table ---- */

enum { RULES = 2 };
static const struct {
    const char *title;
    check_fn text;
    enum rl_rule rules[RULES];                                 /* RL_RULE_COUNT: none */
    const char *unknown;                                       /* said when there is no text */
    bool (*fails)(const struct rl_report *report, size_t gpu); /* NULL: rules alone decide */
    /* NULL: what is known and no rule spoke of is good. */
    bool (*good)(const struct rl_report *report, size_t gpu);
} checks[] = {
    {"against peak", theory_text, {RL_RULE_ceiling_refused, RL_RULE_COUNT}, "not measured"},
    {"against others", published_text, {RL_RULE_ceiling_low, RL_RULE_ceiling_high}, "no figure known"},
    {"under long load", load_text, {RL_RULE_sustained_drop, RL_RULE_COUNT}, "not measured"},
    {"SM clock", clock_text, {RL_RULE_clock_spread, RL_RULE_COUNT}, "spread unknown"},
    {"throttling", throttle_text, {RL_RULE_throttled, RL_RULE_COUNT}, NOT_KNOWN, .good = read_under_load},
    {"temperature", temperature_text, {RL_RULE_COUNT, RL_RULE_COUNT}, NOT_KNOWN, .good = read_under_load},
    {"readings", readings_text, {RL_RULE_COUNT, RL_RULE_COUNT}, "none", .good = read_under_load},
    {"ECC", ecc_text, {RL_RULE_memory_errors, RL_RULE_COUNT}, NOT_KNOWN},
    {"other processes", processes_text, {RL_RULE_card_shared, RL_RULE_COUNT}, NOT_KNOWN},
    {"MIG", mig_text, {RL_RULE_mig, RL_RULE_COUNT}, NOT_KNOWN},
    {"counters", counters_text, {RL_RULE_counters_missing, RL_RULE_COUNT}, NOT_KNOWN, .good = was_counted},
    {"self check", self_check_text, {RL_RULE_COUNT, RL_RULE_COUNT}, "not run", self_check_failed},
    {"session", complete_text, {RL_RULE_incomplete, RL_RULE_COUNT}, NOT_KNOWN},
};
const size_t rl_health_count = RL_COUNT(checks);

static bool rule_spoke(const struct rl_report *report, size_t gpu, enum rl_rule rule)
{
    const struct rl_finding *finding;
    for (size_t i = 0; (finding = rl_finding_about(report->analysis, gpu, i)); i++)
        if (finding->rule == rule)
            return true;
    return false;
}

struct rl_health rl_health_check(struct rl_report *report, size_t gpu, size_t index)
{
    assert(index < RL_COUNT(checks));
    const char *text = checks[index].text(report, &report->capture->gpus[gpu], &report->analysis->gpus[gpu]);
    enum rl_mark mark = text && (!checks[index].good || checks[index].good(report, gpu)) ? RL_MARK_GOOD : RL_MARK_QUIET;
    for (size_t i = 0; i < RULES; i++)
        if (rule_spoke(report, gpu, checks[index].rules[i]))
            mark = RL_MARK_ATTENTION;
    if (checks[index].fails && checks[index].fails(report, gpu))
        mark = RL_MARK_ATTENTION;
    return (struct rl_health){checks[index].title, text ? text : checks[index].unknown, mark};
}
