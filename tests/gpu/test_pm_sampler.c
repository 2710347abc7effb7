/* PM sampling on a card, of a program in another process: gpu_pm_sampler PROGRAM [ARGUMENT ...] samples device 0 while the program
 * runs and prints what it saw. With `launcher known N` (each launch reads 8 and writes 4 bytes an element) reads must be twice the
 * writes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/collector.h"
#include "core/child.h"
#include "core/clock.h"
#include "core/mem.h"
#include "core/sort.h"
#include "pm_sampler.h"

enum { SKIPPED = 77, INTERVAL_NS = 20000 };
static const char *const names[RL_PM_COUNTERS] = {
#define PM_COUNTER(id, ...) #id,
#include "pm_counters.def"
#undef PM_COUNTER
};
static const double LEAST_BUSY = 0.05, RATIO = 2, RATIO_OFF = 0.1, MOST_CPU = 0.5;

static pid_t start(char **argv)
{
    const pid_t child = rl_child_fork(0);
    if (child == 0) {
        (void)rl_child_become(argv[0], (const char *const *)argv);
        _Exit(127);
    }
    return child;
}

/* Samples until the child ends; *cpu_ns, *wall_ns: what that took. */
static enum rl_status sample(struct rl_pm_sampler *sampler, pid_t child, struct rl_pm_samples *samples, double *cpu_ns,
                             double *wall_ns, struct rl_err *err)
{
    const int64_t begun_ns = rl_monotonic_ns();
    enum rl_status status = RL_OK;
    int how = 0;
    while (status == RL_OK && !rl_child_ended(child, &how)) {
        const int64_t before_ns = rl_thread_cpu_ns();
        status = rl_pm_window(sampler, 0, -1, samples, err);
        const int64_t worked_ns = rl_thread_cpu_ns() - before_ns;
        *cpu_ns += (double)worked_ns;
        (void)rl_pm_pause((uint64_t)(1.5 * (double)worked_ns), -1); /* two fifths of a processor */
    }
    if (status != RL_OK)
        (void)rl_child_wait(child, &how);
    *wall_ns = (double)(rl_monotonic_ns() - begun_ns);
    return status;
}

static int compare_lengths(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return rl_ascending(*x, *y);
}

/* Prints how long samples last, and the longest ones with their places: the first after a pause reaches back to its begin. */
static void print_lengths(const struct rl_pm_samples *samples, size_t counters)
{
    uint64_t *lengths = rl_calloc(samples->count + 1, sizeof *lengths);
    for (size_t s = 0; s < samples->count; s++)
        lengths[s] = samples->end_ns[s] - samples->start_ns[s];
    rl_sort(lengths, samples->count, sizeof *lengths, compare_lengths);
    const uint64_t median = lengths[samples->count / 2];
    printf("length: least %.3f us, median %.3f us, 99 %% %.3f us, greatest %.3f us\n", 1e-3 * (double)lengths[0],
           1e-3 * (double)median, 1e-3 * (double)lengths[samples->count * 99 / 100], 1e-3 * (double)lengths[samples->count - 1]);
    for (size_t s = 0; s < samples->count; s++) {
        const uint64_t length = samples->end_ns[s] - samples->start_ns[s];
        const double gap_us = s ? 1e-3 * ((double)samples->start_ns[s] - (double)samples->end_ns[s - 1]) : 0;
        if (length > 4 * median || gap_us > 1 || gap_us < 0)
            printf("  sample %zu: %.3f us long, %.3f us after the one before, busy counter %.4g\n", s, 1e-3 * (double)length,
                   gap_us, samples->values[s * counters]);
    }
    free(lengths);
}

/* Prints sums by counter and gives those of busy samples. */
static void print_samples(const struct rl_pm_sampler *sampler, const struct rl_pm_samples *samples, double *sums, double *busy_part)
{
    const size_t counters = sampler->config.count;
    double length_ns = 0;
    size_t busy = 0;
    for (size_t s = 0; s < samples->count; s++) {
        const double *row = &samples->values[s * counters];
        length_ns += (double)(samples->end_ns[s] - samples->start_ns[s]);
        busy += row[0] > 0;
        for (size_t c = 0; c < counters && row[0] > 0; c++)
            sums[c] += row[c];
    }
    *busy_part = samples->count ? (double)busy / (double)samples->count : 0;
    printf("samples %zu in %zu windows, overflows %zu, window %llu samples, mean length %.3f us, trigger by %s, busy %.3f\n",
           samples->count, samples->windows, samples->overflows, (unsigned long long)sampler->window_samples,
           samples->count ? 1e-3 * length_ns / (double)samples->count : 0, sampler->by_clock ? "system clock" : "time", *busy_part);
    print_lengths(samples, counters);
    for (size_t c = 0; c < counters; c++)
        printf("  %-14s %-62s %.6g\n", names[sampler->config.counter[c]], sampler->config.metrics[c], sums[c]);
}

static double sum_of(const struct rl_pm_sampler *sampler, const double *sums, enum rl_pm_counter counter)
{
    for (size_t c = 0; c < sampler->config.count; c++)
        if (sampler->config.counter[c] == counter)
            return sums[c];
    return 0;
}

static int failed(const char *what)
{
    fprintf(stderr, "FAILED: %s\n", what);
    return 1;
}

static int judge(const struct rl_pm_sampler *sampler, const struct rl_pm_samples *samples, bool known, double cpu)
{
    double sums[RL_PM_COUNTERS] = {0}, busy = 0;
    print_samples(sampler, samples, sums, &busy);
    const double read = sum_of(sampler, sums, RL_PM_dram_read), written = sum_of(sampler, sums, RL_PM_dram_write);
    if (samples->count < 1000)
        return failed("under 1,000 samples");
    if (busy < LEAST_BUSY)
        return failed("the other process's kernels are not in the samples");
    if (cpu > MOST_CPU)
        return failed("the sampler took more than half a processor");
    if (known && written > 0 && (read / written < RATIO - RATIO_OFF || read / written > RATIO + RATIO_OFF))
        return failed("reads are not twice the writes");
    return 0;
}

int main(int argc, char **argv)
{
    struct rl_err err = RL_ERR_INIT;
    int gpus = 0;
    if (argc < 2 || rl_collector_gpu_count(&gpus, &err) != RL_OK || gpus == 0) {
        printf("SKIPPED: %s\n", argc < 2 ? "no program was named" : err.text);
        return SKIPPED;
    }
    struct rl_pm_sampler sampler = {0};
    struct rl_pm_samples samples = {0};
    double cpu_ns = 0, wall_ns = 1;
    const pid_t child = start(&argv[1]); /* before CUDA is begun here: what has begun cannot fork */
    enum rl_status status = child > 0 ? rl_pm_prepare(&sampler, 0, INTERVAL_NS, &err) : RL_FAILED;
    if (status == RL_OK)
        status = rl_pm_enable(&sampler, &err);
    if (status == RL_OK)
        status = sample(&sampler, child, &samples, &cpu_ns, &wall_ns, &err);
    int result = status == RL_PERMISSION ? SKIPPED : 1;
    if (status == RL_OK) {
        printf("processor %.2f of %.2f s\n", 1e-9 * cpu_ns, 1e-9 * wall_ns);
        result = judge(&sampler, &samples, argc > 2 && strcmp(argv[2], "known") == 0, cpu_ns / wall_ns);
    } else
        fprintf(stderr, "%s\n", err.text);
    rl_pm_samples_release(&samples);
    rl_pm_close(&sampler);
    return result;
}
