/* class_time.c - what launches of an observed program took, timed or not, and how far times and counters reach (see program.h). */
#include "analysis/program.h"
#include "analysis/robust.h"

static const struct {
    const char *name, *reason, *sign;
} states[RL_TIME_STATE_COUNT] = {
    [RL_TIME_NONE] = {"none", "no launch was timed", ""},
    [RL_TIME_AT_LEAST] = {"at least",
                          "launches without a time are left out, because fewer than 5 of their configuration were timed",
                          RL_SIGN_AT_LEAST},
    [RL_TIME_ESTIMATED] = {"estimated", "launches without a time are estimated by the mean of the timed ones", RL_SIGN_ESTIMATE},
    [RL_TIME_WHOLE] = {"whole", "", ""},
};
_Static_assert(RL_LEAST_TIMED == 5, "the words above say 5");

const char *rl_time_state_name(enum rl_time_state state)
{
    assert((unsigned)state < RL_TIME_STATE_COUNT);
    return states[state].name;
}

const char *rl_time_state_reason(enum rl_time_state state)
{
    assert((unsigned)state < RL_TIME_STATE_COUNT);
    return states[state].reason;
}

const char *rl_time_state_sign(enum rl_time_state state)
{
    assert((unsigned)state < RL_TIME_STATE_COUNT);
    return states[state].sign;
}

static enum rl_time_state state_of(const struct rl_class_time *time, double total_ns)
{
    if (total_ns <= 0)
        return RL_TIME_NONE;
    if (time->timed >= time->launches)
        return RL_TIME_WHOLE;
    return time->timed < RL_LEAST_TIMED ? RL_TIME_AT_LEAST : RL_TIME_ESTIMATED;
}

struct rl_class_time rl_class_time_of(const struct rl_capture *capture, size_t kernel)
{
    assert(kernel < capture->kernel_count);
    const struct rl_kernel *of = &capture->kernels[kernel];
    const struct rl_kernel_use *use = rl_kernel_use_of(capture, kernel);
    struct rl_class_time time = {.ns = (double)of->total_ns, .launches = of->launches, .timed = of->launches};
    if (of->total_ns == 0)
        time.timed = 0;
    else if (use && use->timed && use->timed < of->launches)
        time.timed = use->timed;
    time.state = state_of(&time, time.ns);
    if (time.state == RL_TIME_ESTIMATED) {
        time.ns *= (double)time.launches / (double)time.timed;
        /* The sum of m further launches, predicted from the mean of n: variance m (m + n) / n of one launch's. */
        assert(time.timed > 1 && time.timed <= time.launches); /* the deviation of the timed ones has n - 1 degrees of freedom */
        const double n = (double)time.timed, m = (double)time.launches - n;
        time.error_ns = rl_robust_limit(0.05, 1, n - 1) * use->deviation_ns * sqrt(m * (m + n) / n);
    }
    return time;
}

double rl_kernel_gpu_ns(const struct rl_capture *capture, size_t kernel)
{
    return rl_class_time_of(capture, kernel).ns;
}

static enum rl_time_state state_of_sum(enum rl_time_state a, enum rl_time_state b)
{
    if (a == b)
        return a;
    if (a == RL_TIME_NONE || b == RL_TIME_NONE || a == RL_TIME_AT_LEAST || b == RL_TIME_AT_LEAST)
        return RL_TIME_AT_LEAST;
    return RL_TIME_ESTIMATED;
}

void rl_class_time_add(struct rl_class_time *sum, const struct rl_class_time *other)
{
    sum->state = sum->launches == 0 ? other->state : other->launches == 0 ? sum->state : state_of_sum(sum->state, other->state);
    sum->ns += other->ns;
    sum->error_ns = hypot(sum->error_ns, other->error_ns);
    sum->launches += other->launches;
    sum->timed += other->timed;
}

struct rl_coverage rl_coverage_of(const struct rl_program_class *classes, size_t count)
{
    assert(classes || count == 0);
    struct rl_coverage coverage = {.counted = 0};
    for (size_t i = 0; i < count; i++) {
        const struct rl_program_class *class = &classes[i];
        rl_class_time_add(&coverage.time, &class->time);
        const struct rl_class_time *time = &class->time;
        coverage.estimated += time->state == RL_TIME_ESTIMATED ? time->launches - time->timed : 0;
        if (time->state == RL_TIME_AT_LEAST) {
            coverage.bounded += time->launches - time->timed;
            coverage.bounded_classes++;
        }
        if (time->state == RL_TIME_NONE && time->launches > 0) {
            coverage.timeless += time->launches;
            coverage.timeless_classes++;
        }
        if (class->use && class->use->counted) {
            coverage.covered_s += class->gpu_s;
            coverage.counted += class->use->counted;
            coverage.counted_classes++;
        } else if (class->sampled) {
            coverage.sampled_s += class->gpu_s;
            coverage.sampled_classes++;
        }
    }
    coverage.share = rl_value_div(rl_value_of(coverage.covered_s), rl_value_of(coverage.time.ns * 1e-9), "no kernel was timed");
    return coverage;
}

static void add_count(struct rl_buf *out, uint64_t launches, size_t classes)
{
    rl_buf_addf(out, "%llu launch%s of %zu configuration%s", (unsigned long long)launches, launches == 1 ? "" : "es", classes,
                classes == 1 ? "" : "s");
}

void rl_coverage_gaps_text(const struct rl_coverage *coverage, struct rl_buf *out)
{
    const size_t from = out->len;
    if (coverage->estimated) {
        rl_buf_addf(out, "~: %llu others estimated by the mean of their configuration", (unsigned long long)coverage->estimated);
        rl_buf_adds(out, coverage->time.error_ns > 0 ? ", ± " : "");
        if (coverage->time.error_ns > 0)
            rl_unit_format(out, RL_UNIT_SECOND, coverage->time.error_ns * 1e-9, 2);
        rl_buf_adds(out, coverage->time.error_ns > 0 ? " in all" : "");
    }
    if (coverage->bounded) {
        rl_buf_addf(out, "%s" RL_SIGN_AT_LEAST " leaves out ", out->len > from ? "; " : "");
        add_count(out, coverage->bounded, coverage->bounded_classes);
        rl_buf_addf(out, " (under %d timed)", RL_LEAST_TIMED);
    }
    if (coverage->timeless) {
        rl_buf_adds(out, out->len > from ? "; no time and no share: " : "no time and no share: ");
        add_count(out, coverage->timeless, coverage->timeless_classes);
    }
}
