/* timeline_phases.c - phases of programs by their NVTX ranges (see timeline.h). */
#include <ctype.h>
#include <strings.h>

#include "analysis/timeline.h"
#include "internal.h"

static const struct {
    const char *name, *words;
} kinds[RL_PHASE_KIND_COUNT] = {
    [RL_PHASE_RANGE] = {"range", ""},
    [RL_PHASE_OUTSIDE] = {"outside", ""},
#define PHASE(symbol, label, words) [RL_PHASE_##symbol] = {label, words},
#include "analysis/phases.def"
};

const char *rl_phase_kind_name(enum rl_phase_kind kind)
{
    assert(kind < RL_PHASE_KIND_COUNT);
    return kinds[kind].name;
}

void rl_range_path(const struct rl_capture *capture, size_t range, struct rl_buf *out)
{
    enum { MOST = 16 }; /* ranges around one another; of more the innermost ones */
    size_t around[MOST], depth = 0;
    for (size_t at = range; at != RL_NONE && depth < MOST; at = capture->ranges[at].parent)
        around[depth++] = at;
    while (depth-- > 0) {
        const struct rl_range *of = &capture->ranges[around[depth]];
        rl_buf_addf(out, "%s%s%s%s", of->domain ? of->domain : "", of->domain ? "@" : "", of->name, depth ? " > " : "");
    }
}

static bool is_word_of(const char *words, const char *at, size_t length)
{
    for (const char *word = words; *word;) {
        const size_t own = strcspn(word, " ");
        if (own == length && strncasecmp(word, at, length) == 0)
            return true;
        word += own + strspn(word + own, " ");
    }
    return false;
}

/* The phase of inference that a range's name says; RL_PHASE_RANGE: none. */
static enum rl_phase_kind kind_of(const char *name)
{
    for (const char *at = name; *at;) {
        size_t length = 0;
        while (isalpha((unsigned char)at[length]))
            length++;
        for (int kind = RL_PHASE_OUTSIDE + 1; length > 0 && kind < RL_PHASE_KIND_COUNT; kind++)
            if (is_word_of(kinds[kind].words, at, length))
                return (enum rl_phase_kind)kind;
        at += length ? length : 1;
    }
    return RL_PHASE_RANGE;
}

/* Phases of all processes, those of one together: rows[first[p]] to rows[first[p + 1] - 1], the first of which is outside of all.
 */
struct phases {
    struct rl_phase *rows;
    size_t *first;    /* of each process, and behind the last one */
    size_t *of_range; /* the row of each range */
};

static const struct rl_phase outside = {.kind = RL_PHASE_OUTSIDE, .range = RL_NONE, .cause = RL_LANE_COUNT};

/* Which row a range is of: with phases of inference that of its name, otherwise its own when it is outermost; else that of the
 * range around it. */
static size_t row_of(const struct rl_capture *capture, struct phases *phases, size_t range, size_t first, size_t *end,
                     bool inference)
{
    const struct rl_range *of = &capture->ranges[range];
    assert(of->parent == RL_NONE || of->parent < range);
    const enum rl_phase_kind kind = inference ? kind_of(of->name) : RL_PHASE_RANGE;
    if (of->parent != RL_NONE && (!inference || phases->of_range[of->parent] != first))
        return phases->of_range[of->parent];
    if (inference && kind == RL_PHASE_RANGE)
        return first;
    /* The row of the phase among those from `first` on; a new one when there is none. */
    struct rl_phase *rows = phases->rows;
    for (size_t i = first; i < *end && kind != RL_PHASE_RANGE; i++)
        if (rows[i].kind == kind)
            return i;
    rows[*end] = outside;
    rows[*end].kind = kind;
    rows[*end].range = range;
    return (*end)++;
}

static size_t process_of_range(const void *context, size_t index)
{
    return ((const struct rl_capture *)context)->ranges[index].process;
}

static struct phases phases_of_processes(const struct rl_capture *capture)
{
    struct phases phases = {.rows = rl_calloc(capture->range_count + capture->process_count + 1, sizeof *phases.rows),
                            .first = rl_calloc(capture->process_count + 1, sizeof *phases.first),
                            .of_range = rl_calloc(capture->range_count + 1, sizeof *phases.of_range)};
    struct rl_groups of_process = {0};
    size_t end = 0;
    rl_groups_make(&of_process, capture->process_count, capture->range_count, process_of_range, capture);
    for (size_t p = 0; p < capture->process_count; p++) {
        const size_t *ranges, count = rl_group(&of_process, p, &ranges);
        const size_t first = phases.first[p] = end;
        const bool inference = RL_ANY(i, count, kind_of(capture->ranges[ranges[i]].name) != RL_PHASE_RANGE);
        phases.rows[(end)++] = outside;
        for (size_t i = 0; i < count; i++) {
            const struct rl_range *range = &capture->ranges[ranges[i]];
            const size_t row = row_of(capture, &phases, ranges[i], first, &end, inference);
            struct rl_phase *phase = &phases.rows[row];
            const bool begins = range->parent == RL_NONE || phases.of_range[range->parent] != row;
            phases.of_range[ranges[i]] = row;
            phase->launches += range->launches;
            phase->gpu_s.v += (double)range->gpu_ns * 1e-9;
            phase->instances += row != first && begins ? range->instances : 0;
            phase->host_s += row != first && begins ? (double)range->host_ns * 1e-9 : 0;
        }
    }
    phases.first[capture->process_count] = end;
    rl_groups_release(&of_process);
    return phases;
}

static double seconds_of(const struct rl_phase *phase)
{
    return (rl_present(phase->gpu_s) ? phase->gpu_s.v : 0) + phase->no_kernel_s;
}

static int by_time(const void *a, const void *b)
{
    return rl_descending(seconds_of(a), seconds_of(b));
}

/* All phases of a process with one timeline (`alone`); otherwise those that this one has a gap of. `rows` has room for those of the
 * process. */
static void add_phases(struct rl_analysis *analysis, struct rl_over_time *over, const struct phases *phases, struct rl_phase *rows,
                       bool alone)
{
    const size_t process = over->timeline->process, first = phases->first[process], count = phases->first[process + 1] - first;
    size_t chosen = 0, kept = 0;
    memcpy(rows, &phases->rows[first], count * sizeof *rows);
    for (size_t i = 0; i < over->gap_count; i++) {
        const struct rl_gap *gap = &over->gaps[i];
        struct rl_phase *phase = &rows[gap->range == RL_NONE ? 0 : phases->of_range[gap->range] - first];
        assert(gap->cause >= RL_LANE_IDLE_COPY && gap->cause <= RL_LANE_UNWATCHED);
        phase->gap_s[gap->cause] += gap->total_s;
        if (gap->cause == RL_LANE_UNWATCHED)
            continue;
        phase->no_kernel_s += gap->total_s;
        if (phase->cause == RL_LANE_COUNT || phase->gap_s[gap->cause] > phase->gap_s[phase->cause])
            phase->cause = gap->cause;
    }
    /* Time of kernels outside all ranges is the remainder of all kernels; sums are of whole nanoseconds. */
    double rest_s = over->lane_s[RL_LANE_CLASS] + over->lane_s[RL_LANE_OTHER_CLASSES];
    for (size_t i = 1; i < count; i++)
        rest_s -= rows[i].gpu_s.v;
    rows[0].gpu_s.v = rest_s > 1e-9 ? rest_s : 0;
    for (size_t i = 0; i < count; i++) {
        const bool is_chosen = i == 0 || alone || rows[i].no_kernel_s + rows[i].gap_s[RL_LANE_UNWATCHED] > 0;
        if (!alone)
            rows[i].gpu_s = rl_value_missing(RL_UNDEFINED, "its process used several GPUs, and ranges do not say which");
        const bool is_nothing = i == 0 && rl_present(rows[i].gpu_s) && seconds_of(&rows[i]) <= 0;
        chosen += is_chosen;
        if (is_chosen && !is_nothing)
            rows[kept++] = rows[i];
    }
    if (chosen < 2)
        return; /* without ranges there is nothing to distinguish */
    struct rl_phase *own = rl_arena_alloc(&analysis->arena, kept * sizeof *own);
    memcpy(own, rows, kept * sizeof *own);
    rl_sort(own, kept, sizeof *own, by_time);
    over->phases = own;
    over->phase_count = kept;
}

void rl_phases_find(struct rl_analysis *analysis)
{
    const struct rl_capture *capture = analysis->capture;
    struct phases phases = phases_of_processes(capture);
    RL_FREED struct rl_phase *rows = rl_calloc(phases.first[capture->process_count] + 1, sizeof *rows);
    RL_FREED size_t *timelines = rl_calloc(capture->process_count + 1, sizeof *timelines);
    for (size_t i = 0; i < analysis->over_time_count; i++)
        timelines[analysis->over_time[i].timeline->process]++;
    for (size_t i = 0; i < analysis->over_time_count; i++) {
        struct rl_over_time *over = &analysis->over_time[i];
        add_phases(analysis, over, &phases, rows, timelines[over->timeline->process] == 1);
    }
    RL_FREE(phases.rows, phases.first, phases.of_range);
}
