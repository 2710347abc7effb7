/* Samples of a card attributed to the kernels of another process, against what these must read. The child records its launches by
 * the Activity API and hands them over at its end; this process samples meanwhile. */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "activity.h"
#include "attribution.h"
#include "attribution_work.h"
#include "collector/collector.h"
#include "core/child.h"
#include "core/clock.h"
#include "core/mem.h"
#include "pm_sampler.h"

enum { SKIPPED = 77, INTERVAL_NS = 20000, LAUNCHES = 60000, READ_LONG = 256 << 20, READ_SHORT = 32 << 20, TRIAD = 64 << 20 };
static const double LONG_US = 50, OFF = 0.05; /* launches of which some samples must be wholly inside; what a value may be off */

static const struct attribution_class classes[] = {
    {"read_long", ATTRIBUTION_READ_LONG, READ_LONG, READ_LONG, 0},
    {"read_short", ATTRIBUTION_READ_SHORT, READ_SHORT, READ_SHORT, 0},
    {"triad", ATTRIBUTION_TRIAD, TRIAD, 2.0 * TRIAD, TRIAD},
    {"compute", ATTRIBUTION_COMPUTE, 0, 0, 0},
};
static const size_t order[] = {0, 2, 1, 3, 1, 2, 0, 3, 2, 1};
enum { CLASSES = RL_COUNT(classes) };

/* ---- the child ---- */

static void work(void *context, int fd)
{
    (void)context;
    struct rl_err err = RL_ERR_INIT;
    const struct rl_activity *activities = NULL;
    size_t count = 0;
    bool good = rl_cupti_open(NULL, &err) == RL_OK && attribution_work_begin() == 0 &&
                rl_activity_start(RL_ACTIVITY_TIMELINE, &err) == RL_OK;
    for (size_t i = 0; i < LAUNCHES && good; i++)
        good = attribution_launch(&classes[order[i % RL_COUNT(order)]]) == 0;
    good = good && attribution_work_end() == 0 && rl_activity_stop(&activities, &count, &err) == RL_OK;
    if (!good)
        fprintf(stderr, "observed program: %s\n", err.text[0] ? err.text : "CUDA failed");
    for (size_t i = 0; i < count && good; i++)
        for (size_t k = 0; k < CLASSES; k++)
            if (strstr(activities[i].name, classes[k].name)) {
                const struct rl_span span = {activities[i].start_ns, activities[i].end_ns, (uint32_t)k};
                good = write(fd, &span, sizeof span) == sizeof span;
            }
}

/* ---- here ---- */

static enum rl_status sample(struct rl_pm_sampler *sampler, int fd, struct rl_pm_samples *samples, struct rl_err *err)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    enum rl_status status = RL_OK;
    while (status == RL_OK && poll(&ready, 1, 0) == 0) {
        const int64_t before_ns = rl_thread_cpu_ns();
        status = rl_pm_window(sampler, 0, -1, samples, err);
        (void)rl_pm_pause((uint64_t)(rl_thread_cpu_ns() - before_ns), -1);
    }
    return status;
}

static struct rl_span *read_spans(int fd, size_t *count)
{
    struct rl_span *spans = NULL;
    size_t cap = 0;
    size_t used = 0;
    ssize_t got = 0;
    do {
        RL_GROW(spans, used / sizeof *spans + 4096, cap);
        got = read(fd, (char *)spans + used, 4096);
        used += got > 0 ? (size_t)got : 0;
    } while (got > 0);
    *count = used / sizeof *spans;
    return spans;
}

static double mean_us(const struct rl_span *spans, size_t count, size_t class_id)
{
    double ns = 0, launches = 0;
    for (size_t i = 0; i < count; i++)
        if (spans[i].class_id == class_id) {
            ns += (double)(spans[i].end_ns - spans[i].start_ns);
            launches++;
        }
    return launches > 0 ? 1e-3 * ns / launches : 0;
}

/* Prints a value beside the truth; 1 when it is too far off, or missing although launches are long. */
static int judge_value(const char *what, size_t k, const struct rl_attributed *value, size_t own, double us, size_t *values,
                       size_t *held)
{
    const double truth = classes[k].read_bytes, off = value->per_launch - truth;
    printf("  %-11s %-10s %7.2f us, %6zu samples ", classes[k].name, what, us, own);
    if (own < RL_ATTRIBUTION_LEAST_OWN) {
        printf("no value\n");
        return us >= LONG_US;
    }
    const bool inside = (off < 0 ? -off : off) <= value->half_width;
    printf("%10.3f +- %7.3f MB, true %8.3f (%+.2f %%) %s\n", 1e-6 * value->per_launch, 1e-6 * value->half_width, 1e-6 * truth,
           truth > 0 ? 100 * off / truth : 0, inside ? "" : "OUTSIDE");
    *values += 1;
    *held += inside;
    return truth > 0 && (off < 0 ? -off : off) > OFF * truth;
}

static int judge(const struct rl_pm_sampler *sampler, const struct rl_sampled *sampled, const struct rl_attribution *found)
{
    int wrong = 0;
    size_t values = 0, held = 0;
    printf("shift %.0f ns, correlation %.4f, samples %zu, launches %zu, foreign %zu of %zu idle\n", found->shift_ns,
           found->correlation, sampled->sample_count, sampled->launch_count, found->foreign_samples, found->idle_samples);
    for (size_t c = 0; c < sampled->counter_count; c++)
        for (size_t k = 0; k < CLASSES && sampler->config.counter[c] == RL_PM_dram_read; k++)
            wrong += judge_value("dram_read", k, &found->of[k * sampled->counter_count + c], found->own[k],
                                 1e-3 * sampled->mean_ns[k], &values, &held);
    printf("%zu of %zu intervals hold the true value\n", held, values);
    if (wrong || values == 0)
        fprintf(stderr, "FAILED: %d values are too far off or missing, %zu were judged\n", wrong, values);
    return wrong || values == 0;
}

static int attribute(const struct rl_pm_sampler *sampler, const struct rl_pm_samples *samples, const struct rl_span *spans,
                     size_t count)
{
    struct rl_attribution found;
    struct rl_err err = RL_ERR_INIT;
    double mean_ns[CLASSES];
    for (size_t k = 0; k < CLASSES; k++)
        mean_ns[k] = 1e3 * mean_us(spans, count, k);
    const struct rl_sampled sampled = {.class_count = CLASSES,
                                       .counter_count = sampler->config.count,
                                       .launches = spans,
                                       .launch_count = count,
                                       .start_ns = samples->start_ns,
                                       .end_ns = samples->end_ns,
                                       .values = samples->values,
                                       .sample_count = samples->count,
                                       .mean_ns = mean_ns};
    const enum rl_status status = rl_attribute(&sampled, &found, &err);
    if (status != RL_OK)
        fprintf(stderr, "FAILED: %s\n", err.text);
    const int result = status == RL_OK ? judge(sampler, &sampled, &found) : 1;
    rl_attribution_release(&found);
    return result;
}

int main(void)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_child child = RL_CHILD_NONE;
    struct rl_pm_sampler sampler = {0};
    struct rl_pm_samples samples = {0};
    int gpus = 0, how = 0;
    size_t count = 0;
    if (rl_collector_gpu_count(&gpus, &err) != RL_OK || gpus == 0) {
        printf("SKIPPED: %s\n", err.text);
        return SKIPPED;
    }
    enum rl_status status = rl_child_start(&child, 0, work, NULL, &err); /* before CUDA is begun here */
    if (status == RL_OK)
        status = rl_pm_prepare(&sampler, 0, INTERVAL_NS, &err);
    if (status == RL_OK)
        status = rl_pm_enable(&sampler, &err);
    if (status == RL_OK)
        status = sample(&sampler, child.fd, &samples, &err);
    struct rl_span *spans = child.fd >= 0 ? read_spans(child.fd, &count) : NULL;
    if (child.pid > 0)
        (void)rl_child_wait(child.pid, &how);
    if (status != RL_OK)
        fprintf(stderr, "%s\n", err.text);
    const int result = status == RL_OK ? attribute(&sampler, &samples, spans, count) : status == RL_PERMISSION ? SKIPPED : 1;
    free(spans);
    rl_pm_samples_release(&samples);
    rl_pm_close(&sampler);
    return result;
}
