/* health.c - the checks of the card's state (see health.h). Thresholds are those of the rules in findings.def: a check is to be
 * looked at when its rule spoke. */
#include "health.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "core/mem.h"

#define NOT_KNOWN "not known"

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

/* ---- the checks: text, and false when nothing is known ---- */

typedef const char *(*check_fn)(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result);

static const char *clock_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    (void)gpu;
    if (result->sm_clock.n == 0 || result->sm_clock.median <= 0)
        return NULL;
    double spread = (result->sm_clock.max - result->sm_clock.min) / result->sm_clock.median;
    return rl_words(report, "spread %s", rl_words_value(report, RL_UNIT_FRACTION, rl_value_of(spread), 2));
}

/* What makes the driver lower the clock (NVML API Reference, nvmlClocksEventReasons); idle and the user's own settings are no
 * throttle. */
static const struct {
    uint64_t bit;
    const char *word;
} throttles[] = {
    {0x04, "power cap"},         {0x08, "hardware slowdown"}, {0x20, "thermal, software"},
    {0x40, "thermal, hardware"}, {0x80, "power brake"},
};

static const char *throttle_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    (void)result;
    uint64_t bits = 0;
    bool known = false;
    for (size_t i = 0; i < gpu->moment_count; i++) {
        struct rl_value value = gpu->moments[i].reading[RL_READING_throttle_reasons];
        known |= rl_present(value);
        bits |= rl_present(value) && value.v >= 0 && value.v < 9e15 ? (uint64_t)value.v : 0;
    }
    if (!known)
        return NULL;
    const char *text = "none";
    for (size_t i = 0, found = 0; i < RL_COUNT(throttles); i++)
        if (bits & throttles[i].bit)
            text = found++ ? rl_words(report, "%s, %s", text, throttles[i].word) : throttles[i].word;
    return text;
}

static const char *temperature_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    (void)result;
    struct rl_value most = reading_extreme(gpu, RL_READING_temperature_c, fmax);
    return rl_present(most) ? rl_words(report, "at most %s", rl_words_value(report, RL_UNIT_CELSIUS, most, 3)) : NULL;
}

static const char *ecc_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    (void)result;
    struct rl_value enabled = gpu->fact[RL_FACT_ecc_enabled], errors = gpu->fact[RL_FACT_ecc_errors_uncorrected];
    if (!rl_present(enabled))
        return NULL;
    const char *state = enabled.v > 0 ? "on" : "off";
    return rl_present(errors)
               ? rl_words(report, "%s, %s", state, rl_words_count(report, (size_t)fmax(errors.v, 0), "error", "errors"))
               : state;
}

static const char *processes_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    (void)result;
    struct rl_value most = reading_extreme(gpu, RL_READING_process_count, fmax);
    if (!rl_present(most))
        return NULL;
    return most.v <= 1 ? "none" : rl_words(report, "%.0f at once", most.v - 1);
}

static const char *mig_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    (void)report;
    (void)result;
    struct rl_value enabled = gpu->fact[RL_FACT_mig_enabled];
    return !rl_present(enabled) ? NULL : enabled.v > 0 ? "on" : "off";
}

static const char *counters_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    (void)gpu;
    (void)result;
    return rl_words_short(report, report->capture->session.counters, 60);
}

static const char *complete_text(struct rl_report *report, const struct rl_gpu *gpu, const struct rl_gpu_result *result)
{
    (void)gpu;
    (void)result;
    return report->capture->session.complete ? "complete" : "cut short";
}

static const struct {
    const char *title;
    check_fn text;
    enum rl_rule rule; /* RL_RULE_COUNT: no rule */
} checks[] = {
    {"SM clock", clock_text, RL_RULE_clock_spread},           {"throttling", throttle_text, RL_RULE_throttled},
    {"temperature", temperature_text, RL_RULE_COUNT},         {"ECC", ecc_text, RL_RULE_memory_errors},
    {"other processes", processes_text, RL_RULE_card_shared}, {"MIG", mig_text, RL_RULE_mig},
    {"counters", counters_text, RL_RULE_counters_missing},    {"session", complete_text, RL_RULE_incomplete},
};
const size_t rl_health_count = RL_COUNT(checks);

static bool rule_spoke(const struct rl_report *report, size_t gpu, enum rl_rule rule)
{
    for (size_t i = 0; i < report->analysis->finding_count; i++) {
        const struct rl_finding *finding = &report->analysis->findings[i];
        if (finding->rule == rule && (finding->gpu == gpu || finding->gpu == RL_NONE))
            return true;
    }
    return false;
}

struct rl_health rl_health_check(struct rl_report *report, size_t gpu, size_t index)
{
    assert(index < RL_COUNT(checks));
    const char *text = checks[index].text(report, &report->capture->gpus[gpu], &report->analysis->gpus[gpu]);
    enum rl_mark mark = !text ? RL_MARK_QUIET : rule_spoke(report, gpu, checks[index].rule) ? RL_MARK_ATTENTION : RL_MARK_GOOD;
    return (struct rl_health){checks[index].title, text ? text : NOT_KNOWN, mark};
}
