/* coverage.c - which kernel classes have launches in samples (coverage.h). */
#include "coverage.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "gaps.h"

static const uint64_t SAME_WINDOW_NS = 1000000;

void rl_coverage_add(struct rl_coverage *coverage, uint64_t from_ns, uint64_t to_ns)
{
    RL_GROW(coverage->windows, coverage->window_count + 1, coverage->window_cap);
    coverage->window_count =
        rl_gaps_append(coverage->windows, coverage->window_count, (struct rl_stream_gap){from_ns, to_ns}, SAME_WINDOW_NS);
}

static void make_room(struct rl_covered *covered, size_t classes)
{
    if (classes <= covered->met_count)
        return;
    RL_GROW(covered->met, classes, covered->met_cap);
    memset(covered->met + covered->met_count, 0, classes - covered->met_count);
    covered->met_count = classes;
}

static void meet(struct rl_coverage *coverage, struct rl_covered *covered, const struct rl_stream_launch *launch)
{
    const uint32_t class_id = rl_stream_launch_class(launch);
    if (!rl_gaps_meet(coverage->windows, coverage->window_count, launch->start_ns,
                      launch->start_ns + rl_stream_launch_ns(launch) + 1))
        return;
    coverage->met++;
    if (class_id < covered->met_count && covered->met[class_id] < RL_COVERAGE_ENOUGH)
        covered->met[class_id]++;
}

static void take_launches(struct rl_coverage *coverage, struct rl_covered *covered, const struct rl_stream_launches *launches)
{
    const uint64_t end_ns = coverage->window_count ? coverage->windows[coverage->window_count - 1].to_ns : 0;
    for (; covered->next < launches->launch_count && launches->launches[covered->next].start_ns < end_ns; covered->next++)
        meet(coverage, covered, &launches->launches[covered->next]);
}

static void count_lacking(struct rl_coverage *coverage, const struct rl_covered *covered, const struct rl_stream *stream,
                          size_t gpu)
{
    for (size_t i = 0; i < stream->class_count; i++) {
        const struct rl_stream_class *class = &stream->classes[i];
        const uint64_t launches = rl_stream_class_launches(class);
        if (class->is.gpu != gpu || covered->met[i] >= RL_COVERAGE_ENOUGH)
            continue;
        coverage->wanted += launches;
        coverage->lacking += launches >= RL_COVERAGE_LEAST && covered->met[i] < RL_COVERAGE_LEAST;
    }
}

static size_t gpu_of(const struct rl_stream *stream, const uint8_t uuid[16])
{
    for (size_t g = 0; g < RL_STREAM_MOST_GPUS; g++)
        if (stream->gpus[g].known && memcmp(stream->gpus[g].is.uuid, uuid, 16) == 0)
            return g;
    return RL_STREAM_MOST_GPUS;
}

void rl_coverage_take(struct rl_coverage *coverage, struct rl_stream *const *streams, size_t count, const uint8_t uuid[16])
{
    RL_GROW(coverage->of, count, coverage->cap);
    for (; coverage->count < count; coverage->count++)
        coverage->of[coverage->count] = (struct rl_covered){0};
    coverage->wanted = 0;
    coverage->lacking = 0;
    for (size_t s = 0; s < count; s++) {
        const size_t gpu = gpu_of(streams[s], uuid);
        if (gpu == RL_STREAM_MOST_GPUS || streams[s]->hello.run != 0)
            continue;
        make_room(&coverage->of[s], streams[s]->class_count);
        take_launches(coverage, &coverage->of[s], &streams[s]->gpus[gpu].launches);
        count_lacking(coverage, &coverage->of[s], streams[s], gpu);
    }
}

void rl_coverage_release(struct rl_coverage *coverage)
{
    for (size_t i = 0; i < coverage->count; i++)
        free(coverage->of[i].met);
    free(coverage->of);
    free(coverage->windows);
    *coverage = (struct rl_coverage){0};
}
