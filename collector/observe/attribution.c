/* attribution.c - samples attributed to the classes that ran alone in them (attribution.h). */
#include "attribution.h"

static const int64_t EDGE_NS = 3000;   /* of a stretch, at either end */
static const int64_t PAUSE_NS = 10000; /* at most, between launches of a stretch */
static const int64_t QUIET_NS = 50000; /* so long after our last kernel nothing of it arrives any more */
/* The distance of the clocks is looked for this far on either side, in some pieces of the samples. */
static const int64_t FURTHEST_NS = 20000, STEP_NS = 500;
enum { PIECE = 50, MOST_PIECES = 1000 };
static const double LEAST_SPREAD = 0.03;     /* standard deviation of the busy part below which it says no time */
static const double FAVOUR_NEAR = 0.01;      /* of periodic kernels many shifts are as good; the smallest one is likelier */
static const double LEAST_CORRELATION = 0.5; /* of samples that go with the launches */
static const double NEARLY_ALL = 0.9;        /* of the samples, in which kernels ran: the clocks cannot be compared */
enum { NO_CLASS = UINT32_MAX, MOST_PARTS = 20 };

/* ---- what ran when ---- */

/* From a moment to the next one the same launches run. */
struct moment {
    int64_t ns, busy_ns, launched_ns; /* up to here: time in which any launch ran; sum of the times of all */
    int64_t running;
    uint32_t class_id; /* of all that run; NO_CLASS: of several, or none does */
};
/* The launches as moments, the last of which has none running; and the samples by the clock of launches. */
struct times {
    const struct rl_sampled *sampled;
    struct moment *moments;
    size_t count;
    int64_t shift_ns;
};

/* A launch begins (1) or ends (-1). */
struct event {
    int64_t ns, step;
    uint32_t class_id;
};

RL_COMPARATOR(compare_events, struct event, rl_ascending(x->ns, y->ns) ?: rl_descending(x->step, y->step));

static void make_times(const struct rl_sampled *sampled, struct times *times)
{
    const size_t count = 2 * sampled->launch_count;
    RL_FREED struct event *events = rl_calloc(count, sizeof *events);
    RL_FREED uint32_t *running_of = rl_calloc(sampled->class_count, sizeof *running_of);
    uint64_t classes = 0, sum = 0; /* how many have a launch that runs, and the sum of their ids: the only one's is this */
    for (size_t i = 0; i < sampled->launch_count; i++) {
        const struct rl_span *launch = &sampled->launches[i];
        assert(launch->class_id < sampled->class_count && launch->end_ns >= launch->start_ns);
        events[2 * i] = (struct event){(int64_t)launch->start_ns, 1, launch->class_id};
        events[2 * i + 1] = (struct event){(int64_t)launch->end_ns, -1, launch->class_id};
    }
    rl_sort(events, count, sizeof *events, compare_events);
    *times = (struct times){.sampled = sampled, .moments = rl_calloc(count + 1, sizeof *times->moments), .count = 1};
    times->moments[0] = (struct moment){.ns = INT64_MIN / 2, .class_id = NO_CLASS};
    for (size_t i = 0; i < count; i++) {
        struct moment *last = &times->moments[times->count - 1];
        const struct event *event = &events[i];
        if (last->ns < event->ns) {
            const int64_t since_ns = event->ns - last->ns;
            last[1] = *last;
            last[1].ns = event->ns;
            last[1].busy_ns += last->running ? since_ns : 0;
            last[1].launched_ns += last->running * since_ns;
            last++;
            times->count++;
        }
        uint32_t *of = &running_of[event->class_id];
        const bool changes = event->step > 0 ? (*of)++ == 0 : --*of == 0;
        classes += changes ? (uint64_t)event->step : 0;
        sum += changes ? (uint64_t)event->step * event->class_id : 0;
        last->running += event->step;
        last->class_id = classes == 1 ? (uint32_t)sum : NO_CLASS;
    }
}

/* The moment that holds this time, looked for from moment `from` on, either way. */
static const struct moment *moment_at(const struct times *times, int64_t ns, size_t *from)
{
    while (*from > 0 && times->moments[*from].ns > ns)
        --*from;
    while (*from + 1 < times->count && times->moments[*from + 1].ns <= ns)
        ++*from;
    return &times->moments[*from];
}

static int64_t busy_until(const struct times *times, int64_t ns, size_t *from)
{
    const struct moment *moment = moment_at(times, ns, from);
    return moment->busy_ns + (moment->running ? ns - moment->ns : 0);
}

static int64_t launched_until(const struct times *times, int64_t ns, size_t *from)
{
    const struct moment *moment = moment_at(times, ns, from);
    return moment->launched_ns + moment->running * (ns - moment->ns);
}

/* Time in which a launch ran in a sample, or so close to it. */
static int64_t busy_around(const struct times *times, size_t sample, int64_t near_ns, size_t *from)
{
    const struct rl_sampled *sampled = times->sampled;
    const int64_t begun_ns = busy_until(times, (int64_t)sampled->start_ns[sample] - times->shift_ns - near_ns, from);
    return busy_until(times, (int64_t)sampled->end_ns[sample] - times->shift_ns + near_ns, from) - begun_ns;
}

static double busy_value(const struct rl_sampled *sampled, size_t sample)
{
    return sampled->values[sample * sampled->counter_count + sampled->busy_counter];
}

/* Correlation of the busy counter's rate with the part of each sample in which kernels ran. */
static double correlation(const struct times *times)
{
    const struct rl_sampled *sampled = times->sampled;
    const size_t pieces = (sampled->sample_count + PIECE - 1) / PIECE, stride = 1 + (pieces - 1) / MOST_PIECES;
    double n = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
    size_t from = 0;
    for (size_t s = 0; s < sampled->sample_count; s++) {
        if (s / PIECE % stride != 0)
            continue;
        const uint64_t start_ns = sampled->start_ns[s], end_ns = sampled->end_ns[s];
        const double length_ns = end_ns > start_ns ? (double)(end_ns - start_ns) : 1,
                     busy = (double)busy_around(times, s, 0, &from) / length_ns, rate = busy_value(sampled, s) / length_ns;
        n += 1;
        x += busy;
        y += rate;
        xx += busy * busy;
        yy += rate * rate;
        xy += busy * rate;
    }
    const double of_x = xx - x * x / n, of_y = yy - y * y / n;
    return of_x > LEAST_SPREAD * LEAST_SPREAD * n && of_y > 0 ? (xy - x * y / n) / sqrt(of_x * of_y) : 0;
}

static enum rl_status match_clocks(struct times *times, struct rl_attribution *attribution, struct rl_err *err)
{
    const struct rl_sampled *sampled = times->sampled;
    size_t met = 0, busy = 0, met_busy = 0, from = 0; /* samples with launches; those that are busy; both */
    for (size_t s = 0; s < sampled->sample_count; s++) {
        const bool is_met = busy_around(times, s, FURTHEST_NS, &from) > 0, is_busy = busy_value(sampled, s) > 0;
        met += is_met;
        busy += is_busy;
        met_busy += is_met && is_busy;
    }
    if (met == 0)
        return rl_err_set(err, RL_ABSENT,
                          "none of %zu samples was taken while a kernel with a known time ran; the GPU was busy in %zu of them",
                          sampled->sample_count, busy);
    if (met_busy == 0)
        return rl_err_set(err, RL_ABSENT,
                          "nothing was counted in the %zu samples in which kernels of the program ran: samples of another GPU",
                          met);
    double best = -INFINITY;
    for (int64_t shift_ns = -FURTHEST_NS; shift_ns <= FURTHEST_NS; shift_ns += STEP_NS) {
        times->shift_ns = shift_ns;
        const double found = correlation(times), favoured = found - FAVOUR_NEAR * fabs((double)shift_ns) / (double)FURTHEST_NS;
        if (favoured <= best)
            continue;
        best = favoured;
        attribution->correlation = found;
        attribution->shift_ns = (double)shift_ns;
    }
    if (attribution->correlation < LEAST_CORRELATION) {
        if ((double)met_busy < NEARLY_ALL * (double)sampled->sample_count)
            return rl_err_set(err, RL_ABSENT,
                              "the clocks of samples and launches could not be matched (correlation %.2f): kernels ran in %zu of "
                              "%zu samples, the GPU was busy in %zu",
                              attribution->correlation, met, sampled->sample_count, busy);
        attribution->shift_ns = 0;
    }
    times->shift_ns = (int64_t)attribution->shift_ns;
    return RL_OK;
}

/* ---- samples of one class ---- */

/* A time in which launches of one class alone ran, with short pauses. */
struct stretch {
    int64_t from_ns, to_ns;
    uint32_t class_id;
    bool owns; /* a sample is inside */
};

static struct stretch *find_stretches(const struct times *times, size_t *count)
{
    struct stretch *stretches = rl_calloc(times->count, sizeof *stretches), *last = NULL;
    for (size_t i = 1; i + 1 < times->count; i++) {
        const struct moment *moment = &times->moments[i], *before = moment - 1;
        if (moment->class_id == NO_CLASS)
            continue;
        const int64_t since_ns = before->running ? moment->ns : before->ns; /* nothing ran from here on */
        if (last && last->class_id == moment->class_id && last->to_ns == since_ns && moment->ns - since_ns <= PAUSE_NS) {
            last->to_ns = moment[1].ns;
            continue;
        }
        last = last ? last + 1 : stretches;
        *last = (struct stretch){moment->ns, moment[1].ns, moment->class_id, false};
    }
    *count = last ? (size_t)(last - stretches) + 1 : 0;
    return stretches;
}

/* The class of each sample, NO_CLASS: none. */
static void find_owners(const struct times *times, struct stretch *stretches, size_t count, uint32_t *owner)
{
    const struct rl_sampled *sampled = times->sampled;
    for (size_t s = 0, at = 0; s < sampled->sample_count; s++) {
        const int64_t from_ns = (int64_t)sampled->start_ns[s] - times->shift_ns - EDGE_NS,
                      to_ns = (int64_t)sampled->end_ns[s] - times->shift_ns + EDGE_NS;
        while (at < count && stretches[at].to_ns < to_ns)
            at++;
        const bool inside = at < count && stretches[at].from_ns <= from_ns;
        owner[s] = inside ? stretches[at].class_id : NO_CLASS;
        if (inside)
            stretches[at].owns = true;
    }
}

/* Counts of a part of a class's samples, and for how long its launches ran there. */
struct part {
    double ns, *counted;
};

/* `edges`: the outer time of the stretches, over their length. */
static struct rl_attributed value_of(const struct part *parts, size_t count, size_t counter, double mean_ns, double edges)
{
    double counted = 0, ns = 0, rates[MOST_PARTS], mean = 0, squares = 0;
    for (size_t p = 0; p < count; p++) {
        counted += parts[p].counted[counter];
        ns += parts[p].ns;
    }
    for (size_t p = 0; p < count; p++) {
        rates[p] = ns > parts[p].ns ? (counted - parts[p].counted[counter]) / (ns - parts[p].ns) : 0;
        mean += rates[p] / (double)count;
    }
    for (size_t p = 0; p < count; p++)
        squares += (rates[p] - mean) * (rates[p] - mean);
    const double whole = ns > 0 ? counted / ns * mean_ns : 0, outer = edges / 2 * whole,
                 error = sqrt(squares * (double)(count - 1) / (double)count) * mean_ns;
    /* 97.5 % of Student's t. */
    size_t freedom = count - 1;
    static const double t[] = {2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093};
    assert(freedom >= RL_ATTRIBUTION_LEAST_OWN - 1 && freedom < MOST_PARTS);
    return (struct rl_attributed){whole - outer, t[freedom - (RL_ATTRIBUTION_LEAST_OWN - 1)] * error + outer};
}

/* `samples`: the class's own, ascending. */
static void fill_class(const struct times *times, size_t class_id, const size_t *samples, double edges,
                       struct rl_attribution *attribution)
{
    const struct rl_sampled *sampled = times->sampled;
    const size_t own = attribution->own[class_id], count = own < MOST_PARTS ? own : MOST_PARTS, counters = sampled->counter_count;
    const double mean_ns = sampled->mean_ns[class_id];
    RL_FREED double *counted = rl_calloc(count * counters, sizeof *counted);
    struct part parts[MOST_PARTS];
    size_t from = 0;
    for (size_t p = 0; p < count; p++)
        parts[p] = (struct part){0, &counted[p * counters]};
    for (size_t i = 0; i < own; i++) {
        struct part *part = &parts[i * count / own];
        const int64_t before_ns = launched_until(times, (int64_t)sampled->start_ns[samples[i]] - times->shift_ns, &from);
        const int64_t ran_ns = launched_until(times, (int64_t)sampled->end_ns[samples[i]] - times->shift_ns, &from) - before_ns;
        part->ns += (double)ran_ns;
        attribution->launches[class_id] += mean_ns > 0 ? (double)ran_ns / mean_ns : 0;
        for (size_t c = 0; c < counters; c++)
            part->counted[c] += sampled->values[samples[i] * counters + c];
    }
    for (size_t c = 0; c < counters; c++)
        attribution->of[class_id * counters + c] = value_of(parts, count, c, mean_ns, edges);
}

static void fill(const struct times *times, struct rl_attribution *attribution)
{
    const struct rl_sampled *sampled = times->sampled;
    const size_t classes = sampled->class_count;
    size_t stretch_count = 0;
    struct stretch *stretches = find_stretches(times, &stretch_count);
    RL_FREED uint32_t *owner = rl_calloc(sampled->sample_count, sizeof *owner);
    size_t *next = rl_calloc(classes + 1, sizeof *next), *samples = rl_calloc(sampled->sample_count, sizeof *samples);
    double *edges_ns = rl_calloc(classes, sizeof *edges_ns), *length_ns = rl_calloc(classes, sizeof *length_ns);
    find_owners(times, stretches, stretch_count, owner);
    for (size_t i = 0; i < stretch_count; i++) {
        edges_ns[stretches[i].class_id] += stretches[i].owns ? 2 * (double)EDGE_NS : 0;
        length_ns[stretches[i].class_id] += stretches[i].owns ? (double)(stretches[i].to_ns - stretches[i].from_ns) : 0;
    }
    /* the samples of a class stand together */
    for (size_t s = 0; s < sampled->sample_count; s++)
        if (owner[s] != NO_CLASS)
            attribution->own[owner[s]]++;
    for (size_t k = 0; k < classes; k++)
        next[k + 1] = next[k] + attribution->own[k];
    for (size_t s = 0; s < sampled->sample_count; s++)
        if (owner[s] != NO_CLASS)
            samples[next[owner[s]]++] = s;
    for (size_t k = 0; k < classes; k++) /* next[k] is behind its samples now */
        if (attribution->own[k] >= RL_ATTRIBUTION_LEAST_OWN)
            fill_class(times, k, &samples[next[k] - attribution->own[k]], edges_ns[k] / length_ns[k], attribution);
    RL_FREE(length_ns, edges_ns, samples, next, stretches);
}

enum rl_status rl_attribute(const struct rl_sampled *sampled, struct rl_attribution *attribution, struct rl_err *err)
{
    struct times times;
    assert(sampled->counter_count > 0 && sampled->busy_counter < sampled->counter_count && sampled->mean_ns);
    *attribution = (struct rl_attribution){
        .own = rl_calloc(sampled->class_count, sizeof *attribution->own),
        .launches = rl_calloc(sampled->class_count, sizeof *attribution->launches),
        .of = rl_calloc(sampled->class_count * sampled->counter_count, sizeof *attribution->of),
    };
    if (sampled->sample_count < RL_ATTRIBUTION_LEAST_SAMPLES)
        return rl_err_set(err, RL_ABSENT, "%zu samples are too few to tell kernels apart, %d are needed", sampled->sample_count,
                          RL_ATTRIBUTION_LEAST_SAMPLES);
    make_times(sampled, &times);
    const enum rl_status status = match_clocks(&times, attribution, err);
    if (status == RL_OK) {
        /* Samples in and near which none of our kernels ran, and those of them in which another one did. */
        size_t from = 0;
        for (size_t s = 0; s < times.sampled->sample_count; s++) {
            if (busy_around(&times, s, QUIET_NS, &from) > 0)
                continue;
            attribution->idle_samples++;
            attribution->foreign_samples += busy_value(times.sampled, s) > 0;
        }
        fill(&times, attribution);
    }
    free(times.moments);
    return status;
}

void rl_attribution_release(struct rl_attribution *attribution)
{
    RL_FREE(attribution->own, attribution->launches, attribution->of);
    *attribution = (struct rl_attribution){0};
}
