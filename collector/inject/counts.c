/* counts.c - counters of chosen launches.
 *
 * Rotate: a window of the range profiler is opened under one configuration, each launch that is still wanted becomes a range of it,
 * all others run freely; then comes the next configuration, on later launches of the same classes. Opening a window costs about 0.2
 * s and a range about a millisecond (H200, CUPTI 13.0), so there are few windows, and none that only waits. While one is open the
 * Activity API is off: launches are counted, not timed, so that neither spoils the other.
 *
 * Kernel replay: the profiler is opened around a single launch, which CUPTI repeats for each pass. It is a run of its own, without
 * times.
 *
 * A launch is either timed or counted as untimed, whatever other threads do: between deciding that and making the launch a thread
 * shares `flight`, and who opens or closes a window has it alone.
 *
 * Nothing is opened while a stream is being captured, because synchronising would spoil the capture, or while a collective kernel
 * waits for its peers, but for a while in which they may end it.
 *
 * A configuration with a condition is for classes of which an earlier one has counted something: matrix operations by type, where
 * matrix instructions ran. Nobody has asked for those, so their windows wait until they cost a small part of the time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "collectives.h"
#include "collector/collector.h"
#include "core/fs.h"
#include "core/mem.h"
#include "inject.h"
#include "plan.h"
#include "range.h"

enum {
    MOST_TARGETS = 32,   /* contexts */
    MOST_WINDOWS = 24,   /* for each context */
    RANGES = 96,         /* in one window, at most: memory and the time to open it go with them */
    SPARE_RANGES = 8,    /* in a window, for classes that come while it is open; and half of what is missing */
    FEWER_RANGES = 8,    /* when the device has no memory for that many */
    FIRST_LAUNCHES = 20, /* the first window opens after so many launches, when half of them brought no new class, or so long after
                            the first */
    MOST_FIRST = 1024,   /* after so many in any case */
    IDLE_LAUNCHES = 256, /* a window in which so many launches, and so much time, bring nothing is closed */
    MANY_LAUNCHES = 4096,
    MOST_PLAN = 1 << 20,
    NEARLY_FULL_BYTES = 512 << 20, /* free memory below which the profiler may fail for want of it */
};
static const uint64_t FIRST_NS = 250000000, WINDOW_NS = 1000000000, IDLE_NS = 20000000, BACKOFF_NS = 500000000;
static const double SHARE = 0.99;     /* of the GPU's time is to be covered */
static const double COST_SHARE = 0.1; /* of the time since the first launch may go into windows that nobody has asked for */

struct target {
    CUcontext context;
    uint32_t gpu;
    struct rl_range_profiler profiler;
    struct plan plan;
    size_t first_pass;
    bool ready, dead, off[MOST_PASSES];
    struct collectives collectives;
};

static struct {
    struct target *target; /* NULL: none is open */
    size_t config, room, used;
    size_t missing; /* launches that classes known so far still want */
    struct class *classes[RANGES];
    uint64_t opened_ns, marked_ns, launches; /* launches since the last one that was marked */
    uint32_t number;
} window;

static struct target targets[MOST_TARGETS];
static size_t target_count, pass_count, window_count;
static pthread_mutex_t counts_lock = PTHREAD_MUTEX_INITIALIZER;
/* Taken after counts_lock. Writers first: threads that launch all the time would keep a window from ever opening. */
static pthread_rwlock_t flight = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static __thread bool flying;                                                  /* this thread shares it */
static atomic_ullong due_ns = UINT64_MAX, seen[MOST_GPUS], newest[MOST_GPUS]; /* launches; the one that brought the newest class */
static atomic_bool settled[MOST_GPUS];                                        /* the first window has been due */
static atomic_bool open_now, given_up;
static atomic_int captures; /* streams that are being captured */
static uint64_t backoff_ns;
static atomic_ullong began_ns;  /* the first launch */
static uint64_t spent_ns;       /* opening and closing windows */
static uint64_t *wanted_hashes; /* second run: of the classes that matter, ascending */
static size_t wanted_count;
static bool fewer; /* the device had no memory for windows of full size */

static void give_up(enum rl_status status, const char *why)
{
    atomic_store(&given_up, true);
    say(RL_LOG_WARNING, status, why);
}

/* ---- what is wanted ---- */

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* "DIR/wanted", written by the parent after the timed run: one hash a line. Without it everything is wanted. */
static void read_wanted(void)
{
    struct rl_buf text = RL_BUF_INIT;
    char *path = rl_path_join(settings.dir, "wanted");
    size_t cap = 0;
    if (rl_path_exists(path) && rl_read_file(path, MOST_PLAN, &text, NULL) == RL_OK) {
        for (char *at = text.data, *end; *at; at = end + (*end == '\n')) {
            uint64_t hash = strtoull(at, &end, 16);
            if (end == at)
                break;
            RL_GROW(wanted_hashes, wanted_count + 1, cap);
            wanted_hashes[wanted_count++] = hash;
        }
        qsort(wanted_hashes, wanted_count, sizeof *wanted_hashes, compare_hashes);
    }
    rl_buf_release(&text);
    free(path);
}

static bool is_wanted(const struct class *class)
{
    if (class->excluded || class->collective)
        return false;
    if (settings.times)
        return class->wanted;
    return !wanted_hashes || bsearch(&class->hash, wanted_hashes, wanted_count, sizeof *wanted_hashes, compare_hashes);
}

static size_t still_wanted(const struct target *target, const struct class *class, size_t config)
{
    size_t samples = (size_t)settings.samples;
    return is_wanted(class) && plan_meets(&target->plan, class, config) && class->counted[config] < samples
               ? samples - class->counted[config]
               : 0;
}

static int compare_totals(const void *a, const void *b)
{
    const struct class *const *x = a, *const *y = b;
    return ((*x)->total_ns < (*y)->total_ns) - ((*x)->total_ns > (*y)->total_ns);
}

/* Timed run: the classes with the most time on this GPU, up to SHARE of it. Under `lock`. */
static void choose_classes(uint32_t gpu)
{
    struct class **sorted = rl_calloc(class_count(), sizeof(struct class *));
    size_t count = 0;
    double total = 0, covered = 0;
    for (size_t i = 0; i < class_count(); i++)
        if (class_at(i)->shape.gpu == gpu && !class_at(i)->excluded && !class_at(i)->collective) {
            sorted[count++] = class_at(i);
            total += (double)class_at(i)->total_ns;
        }
    qsort(sorted, count, sizeof *sorted, compare_totals);
    for (size_t i = 0; i < count; i++) {
        sorted[i]->wanted = covered < SHARE * total || sorted[i]->total_ns == 0;
        covered += (double)sorted[i]->total_ns;
    }
    free(sorted);
}

/* A window has waited for the class in vain, and it has not come since. */
static bool is_absent(const struct class *class)
{
    return class->absent == class->timed + class->seen + 1;
}

/* Launches that the classes on this GPU want under a configuration, without those that come no more. */
static size_t missing_under(const struct target *target, size_t config)
{
    size_t missing = 0;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < class_count(); i++)
        if (class_at(i)->shape.gpu == target->gpu && !is_absent(class_at(i)))
            missing += still_wanted(target, class_at(i), config);
    pthread_mutex_unlock(&lock);
    return missing;
}

/* Whether one more window of a configuration with a condition is cheap beside the time that the program has run. */
static bool is_cheap(void)
{
    const double next_ns = window_count ? (double)spent_ns / (double)window_count : 0;
    return (double)spent_ns + next_ns <= COST_SHARE * (double)(now_ns() - atomic_load(&began_ns));
}

/* The configuration that is missed most; false when none is. */
static bool next_config(const struct target *target, size_t *config)
{
    const bool cheap = is_cheap();
    size_t most = 0;
    for (size_t c = 0; c < target->plan.count; c++) {
        const bool out = target->off[c] || !target->plan.configs[c].counter_count || (target->plan.when[c] && !cheap);
        size_t missing = out ? 0 : missing_under(target, c);
        if (missing > most) {
            most = missing;
            *config = c;
        }
    }
    return most > 0;
}

static const char *mode_word(void)
{
    return settings.counters == RL_COUNT_KERNEL_REPLAY ? "kernel replay" : settings.times ? "rotate" : "application replay";
}

static void tell_passes(struct target *target)
{
    target->first_pass = pass_count;
    pass_count += target->plan.count;
    pthread_mutex_lock(&lock);
    for (size_t c = 0; c < target->plan.count; c++) {
        const struct rl_config *config = &target->plan.configs[c];
        const char **texts = rl_calloc(config->counter_count + 2, sizeof *texts);
        texts[0] = config->name;
        texts[1] = mode_word();
        memcpy(texts + 2, config->counters, config->counter_count * sizeof *texts);
        struct rl_record_pass record = {.pass = (uint32_t)(target->first_pass + c),
                                        .gpu = target->gpu,
                                        .counter_count = (uint32_t)config->counter_count,
                                        .conditional = target->plan.when[c] != NULL};
        out_add(RL_RECORD_pass, &record, sizeof record, texts, config->counter_count + 2);
        free(texts);
    }
    out_flush();
    pthread_mutex_unlock(&lock);
}

static bool prepare(struct target *target)
{
    struct rl_err err = RL_ERR_INIT;
    if (target->ready || target->dead)
        return target->ready;
    enum rl_status status = rl_range_open(&target->profiler, target->context, (int)target->gpu, &err);
    if (status == RL_OK)
        status = plan_make(&target->plan, &target->profiler, &err);
    target->ready = status == RL_OK && target->plan.count > 0;
    target->dead = !target->ready;
    if (target->ready)
        tell_passes(target);
    else
        give_up(status == RL_OK ? RL_UNSUPPORTED : status, status == RL_OK ? "the chip has none of the counters" : err.text);
    return target->ready;
}

static struct target *target_of(const struct launch *launch)
{
    for (size_t i = 0; i < target_count; i++)
        if (targets[i].context == launch->context)
            return targets[i].dead ? NULL : &targets[i];
    if (target_count == MOST_TARGETS)
        return NULL;
    targets[target_count] = (struct target){.context = launch->context, .gpu = launch->gpu};
    return &targets[target_count++];
}

/* ---- the program's own state ---- */

static void synchronise(void)
{
    CUresult (*wait)(void) = DRIVER(cuCtxSynchronize);
    if (wait)
        (void)wait(); /* an error of the program's is the program's to find */
}

static bool is_capturing(CUstream stream)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUresult (*ask)(CUstream, CUstreamCaptureStatus *) = DRIVER(cuStreamIsCapturing);
    if (!atomic_load(&captures) || !ask)
        return false;
    return ask(stream, &status) != CUDA_SUCCESS || status != CU_STREAM_CAPTURE_STATUS_NONE;
}

void counts_capture(int change)
{
    atomic_fetch_add(&captures, change);
}

/* ---- windows ---- */

/* Waits for the launches that other threads are making; not for ever, at the end of a process a thread may have stopped inside. */
static bool ground(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    return pthread_rwlock_timedwrlock(&flight, &until) == 0;
}

static void take_off(bool grounded)
{
    if (grounded)
        pthread_rwlock_unlock(&flight);
}

static void tell_values(const struct target *target, size_t config, struct class *class, const struct rl_value *values)
{
    size_t count = target->plan.configs[config].counter_count;
    size_t size = sizeof(struct rl_record_counters) + count * sizeof(double);
    struct rl_record_counters *record = rl_calloc(1, size);
    record->class_id = class->id;
    record->pass = (uint32_t)(target->first_pass + config);
    for (size_t i = 0; i < count; i++)
        record->values[i] = rl_present(values[i]) ? values[i].v : NAN;
    plan_note(&target->plan, config, class, values);
    pthread_mutex_lock(&lock);
    out_add(RL_RECORD_counters, record, size, NULL, 0);
    pthread_mutex_unlock(&lock);
    free(record);
}

/* Classes that did not come while a window waited for them, or for others. */
static void note_absent(const struct target *target)
{
    if (!window.missing || window.launches <= IDLE_LAUNCHES)
        return;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < class_count(); i++) {
        struct class *class = class_at(i);
        if (class->shape.gpu == target->gpu && class->window != window.number)
            class->absent = class->timed + class->seen + 1;
    }
    pthread_mutex_unlock(&lock);
}

static void close_window(void)
{
    struct rl_err err = RL_ERR_INIT;
    struct target *target = window.target;
    if (!target)
        return;
    const bool grounded = ground();
    const uint64_t begin_ns = now_ns();
    note_absent(target);
    synchronise();
    size_t counters = target->plan.configs[window.config].counter_count;
    struct rl_value *values = rl_calloc(window.room * counters, sizeof *values);
    enum rl_status status = rl_range_end(&target->profiler, values, &err);
    for (size_t i = 0; i < window.used && status == RL_OK; i++)
        tell_values(target, window.config, window.classes[i], values + i * counters);
    if (status != RL_OK) {
        target->off[window.config] = true;
        say(RL_LOG_WARNING, status, err.text);
    }
    free(values);
    spent_ns += now_ns() - begin_ns;
    window.target = NULL;
    atomic_store(&open_now, false);
    times_resume();
    take_off(grounded);
    pthread_mutex_lock(&lock);
    classes_flush();
    times_flush();
    out_flush();
    pthread_mutex_unlock(&lock);
}

/* Bytes free on the device of the calling thread's context; SIZE_MAX when the driver does not say. */
static size_t memory_free(void)
{
    CUresult (*ask)(size_t *, size_t *) = DRIVER(cuMemGetInfo_v2);
    size_t left = 0, total = 0;
    return ask && ask(&left, &total) == CUDA_SUCCESS ? left : SIZE_MAX;
}

/* CUPTI has a code for it, but calls it an unknown error when it comes from the driver. */
static bool lacks_memory(const struct rl_err *err)
{
    return strstr(err->text, "memory") || memory_free() < NEARLY_FULL_BYTES;
}

static size_t room_for(size_t missing)
{
    const size_t room = missing + missing / 2 + SPARE_RANGES;
    return fewer ? FEWER_RANGES : room < RANGES ? room : RANGES;
}

/* With little memory left on the device a small window may still open. */
static enum rl_status begin(struct target *target, size_t config, size_t *room, struct rl_err *err)
{
    *room = room_for(missing_under(target, config));
    enum rl_status status = rl_range_begin(&target->profiler, &target->plan.configs[config], *room, RL_RANGE_MARKED, err);
    if (status == RL_OK || !lacks_memory(err))
        return status;
    if (!fewer) {
        fewer = true;
        *room = FEWER_RANGES;
        say(RL_LOG_WARNING, RL_OK, "the GPU is nearly full: counters are taken of fewer launches at a time");
        status = rl_range_begin(&target->profiler, &target->plan.configs[config], *room, RL_RANGE_MARKED, err);
    }
    const size_t left = memory_free();
    if (status != RL_OK && left != SIZE_MAX)
        status =
            rl_err_set(err, RL_FAILED, "no memory left for the counters: the GPU is nearly full, %zu MB are free", left / 1000000);
    return status;
}

/* Opens a window under a configuration; false, with a warning in the stream, when it cannot be. */
static bool try_window(struct target *target, size_t config)
{
    struct rl_err err = RL_ERR_INIT;
    const uint64_t begin_ns = now_ns();
    enum rl_status status = begin(target, config, &window.room, &err);
    spent_ns += now_ns() - begin_ns;
    if (status != RL_OK) {
        target->off[config] = true;
        say(RL_LOG_WARNING, status, err.text);
        return false;
    }
    window.target = target;
    window.config = config;
    window.used = window.launches = 0;
    window.missing = missing_under(target, config);
    window.opened_ns = window.marked_ns = now_ns();
    window.number++;
    window_count++;
    atomic_store(&open_now, true);
    return true;
}

static void open_window(struct target *target)
{
    size_t config = 0;
    if (!prepare(target))
        return;
    const bool grounded = ground();
    synchronise();
    times_pause();
    if (settings.times) {
        pthread_mutex_lock(&lock);
        choose_classes(target->gpu);
        pthread_mutex_unlock(&lock);
    }
    const bool missed = next_config(target, &config);
    if (!missed || !try_window(target, config)) {
        times_resume();
        backoff_ns *= 2;
        atomic_store(&due_ns, now_ns() + (settings.times || missed ? backoff_ns : BACKOFF_NS / 50));
    }
    take_off(grounded);
}

/* When nothing is missing any more, the window is full, or nothing came for long. A run without times keeps its window open for
 * classes that may still come, unless another configuration waits. */
static bool is_over(void)
{
    if (window.used == window.room)
        return true;
    if (window.missing == 0) {
        size_t other;
        return settings.times || next_config(window.target, &other);
    }
    if (!settings.times)
        return false;
    bool idle = window.launches > IDLE_LAUNCHES && now_ns() - window.marked_ns > IDLE_NS;
    return idle || window.launches > MANY_LAUNCHES || now_ns() - window.opened_ns > WINDOW_NS;
}

/* After a window: at once when another configuration waits, else later. */
static void plan_next(struct target *target)
{
    size_t config;
    bool more = next_config(target, &config) && window_count < MOST_WINDOWS * target_count;
    bool progress = window.used > 0;
    backoff_ns = progress ? BACKOFF_NS : 2 * backoff_ns;
    if (settings.times && window_count >= MOST_WINDOWS * target_count)
        atomic_store(&due_ns, UINT64_MAX);
    else
        atomic_store(&due_ns, more && progress ? 0 : now_ns() + (settings.times ? backoff_ns : 0));
}

/* ---- around a launch ---- */

static struct class *class_of_launch(const struct launch *launch)
{
    pthread_mutex_lock(&lock);
    struct class *class = class_of(launch->name, &launch->shape);
    pthread_mutex_unlock(&lock);
    return class;
}

/* Whether the launch is the first of its class here. */
static bool is_new(const struct launch *launch)
{
    pthread_mutex_lock(&lock);
    struct class *class = class_of(launch->name, &launch->shape);
    const bool new = class && !class->met;
    if (new)
        class->met = true;
    pthread_mutex_unlock(&lock);
    return new;
}

/* Whether the launches up to this one, the number-th of its GPU, have shown what the program launches again and again: the second
 * half of them brought no new class. So the first window finds most classes known, which saves opening others. */
static bool has_settled(const struct launch *launch, unsigned long long number)
{
    if (is_new(launch))
        atomic_store(&newest[launch->gpu], number);
    return number >= MOST_FIRST || (number >= FIRST_LAUNCHES && number >= 2 * atomic_load(&newest[launch->gpu]));
}

/* The first launches on each GPU have a window soon, whatever was seen on others. */
static bool is_due(const struct launch *launch)
{
    const uint32_t gpu = launch->gpu;
    unsigned long long number = atomic_fetch_add(&seen[gpu], 1) + 1;
    if (number == 1) {
        unsigned long long none = 0;
        (void)atomic_compare_exchange_strong(&began_ns, &none, now_ns());
        const unsigned long long first = settings.times ? now_ns() + FIRST_NS : 0;
        if (first < atomic_load(&due_ns))
            atomic_store(&due_ns, first);
    }
    if (!atomic_load(&settled[gpu]) && has_settled(launch, number)) {
        atomic_store(&settled[gpu], true);
        if (atomic_load(&due_ns) != UINT64_MAX)
            atomic_store(&due_ns, 0);
    }
    if (atomic_load(&open_now))
        return true;
    unsigned long long due = atomic_load(&due_ns);
    return due != UINT64_MAX && (due == 0 || now_ns() >= due);
}

/* Counts a launch that nobody times. */
static void count_untimed(struct class *class)
{
    pthread_mutex_lock(&lock);
    class->seen++;
    class->changed = true;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&launches_untimed, 1);
}

/* Opens the range of a launch in the open window; false when it is not wanted. */
static bool mark(const struct launch *launch, struct class *class)
{
    struct rl_err err = RL_ERR_INIT;
    struct target *target = window.target;
    if (window.target->context != launch->context || !launch->selected || window.used == window.room)
        return false;
    if (class->window != window.number) { /* one that came after the window was opened */
        window.missing += class->window || class->timed ? 0 : still_wanted(target, class, window.config);
        class->window = window.number;
    }
    if (!still_wanted(target, class, window.config) || collectives_wait(&target->collectives))
        return false;
    synchronise();
    if (rl_range_push(&target->profiler, window.used, &err) != RL_OK) {
        target->off[window.config] = true;
        say(RL_LOG_WARNING, RL_FAILED, err.text);
        close_window();
        return false;
    }
    window.classes[window.used++] = class;
    window.launches = 0;
    window.marked_ns = now_ns();
    class->counted[window.config]++;
    window.missing -= window.missing > 0;
    return true;
}

static bool enter_rotate(const struct launch *launch, struct class *class)
{
    struct target *target = target_of(launch);
    if (window.target && is_over() && !collectives_wait(&window.target->collectives)) {
        struct target *closed = window.target;
        close_window();
        plan_next(closed);
    }
    if (!window.target && target && atomic_load(&due_ns) <= now_ns() && !atomic_load(&captures) &&
        !collectives_wait(&target->collectives))
        open_window(target);
    if (!window.target)
        return false;
    window.launches++;
    return mark(launch, class);
}

static bool enter_replay(const struct launch *launch, struct class *class)
{
    struct rl_err err = RL_ERR_INIT;
    struct target *target = target_of(launch);
    if (!target || !launch->selected || !still_wanted(target, class, 0) || atomic_load(&captures) ||
        collectives_wait(&target->collectives) || !prepare(target))
        return false;
    synchronise();
    enum rl_status status = rl_range_begin(&target->profiler, &target->plan.configs[0], 1, RL_RANGE_REPLAYED, &err);
    if (status != RL_OK) {
        give_up(status, err.text);
        return false;
    }
    class->counted[0]++;
    window.target = target;
    window.config = 0;
    window.room = window.used = 1;
    window.classes[0] = class;
    return true;
}

static void fly(void)
{
    flying = pthread_rwlock_rdlock(&flight) == 0;
}

static void land(void)
{
    if (flying)
        pthread_rwlock_unlock(&flight);
    flying = false;
}

bool counts_enter(const struct launch *launch)
{
    if (!settings.counters || atomic_load(&given_up) || flying) /* flying: a launch that the driver makes inside of one */
        return false;
    fly();
    if (!is_due(launch))
        return false;
    land();
    pthread_mutex_lock(&counts_lock);
    struct class *class = class_of_launch(launch);
    bool executed = !is_capturing(launch->stream);
    bool counted = false;
    if (class && executed && !class->collective)
        counted = settings.counters == RL_COUNT_KERNEL_REPLAY ? enter_replay(launch, class) : enter_rotate(launch, class);
    if (class && executed && (counted || window.target))
        count_untimed(class);
    if (!counted) { /* otherwise other launches wait until this one is over */
        fly();
        pthread_mutex_unlock(&counts_lock);
    }
    return counted;
}

void counts_leave(bool counted)
{
    struct rl_err err = RL_ERR_INIT;
    land();
    if (!counted)
        return;
    synchronise();
    if (settings.counters == RL_COUNT_KERNEL_REPLAY)
        close_window();
    else if (rl_range_pop(&window.target->profiler, &err) != RL_OK) {
        say(RL_LOG_WARNING, RL_FAILED, err.text);
        window.target->off[window.config] = true;
        close_window();
    }
    pthread_mutex_unlock(&counts_lock);
}

void counts_collective(const struct launch *launch)
{
    if (!settings.counters || atomic_load(&given_up))
        return;
    pthread_mutex_lock(&counts_lock);
    struct target *target = target_of(launch);
    if (target && !is_capturing(launch->stream))
        collectives_note(&target->collectives, launch->stream);
    pthread_mutex_unlock(&counts_lock);
}

void counts_close(CUcontext context)
{
    struct timespec until;
    if (!settings.counters)
        return;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2; /* at the end of a process a thread may have stopped inside */
    if (pthread_mutex_timedlock(&counts_lock, &until) != 0)
        return;
    if (window.target && (!context || window.target->context == context)) {
        struct target *target = window.target;
        close_window();
        plan_next(target);
    }
    pthread_mutex_unlock(&counts_lock);
}

void counts_end(void)
{
    bool dear = false;
    counts_close(NULL);
    if (pthread_mutex_trylock(&counts_lock) != 0)
        return;
    for (size_t t = 0; t < target_count && !is_cheap(); t++)
        for (size_t c = 0; c < targets[t].plan.count; c++)
            dear = dear || (targets[t].plan.when[c] && missing_under(&targets[t], c));
    if (dear) {
        char text[200];
        snprintf(text, sizeof text,
                 "matrix operations were not counted by type: in a run this short that would have taken more than %.0f %% of its "
                 "time (--metrics tensor counts them nevertheless)",
                 100 * COST_SHARE);
        say(RL_LOG_WARNING, RL_OK, text);
    }
    pthread_mutex_unlock(&counts_lock);
}

void counts_forget_context(CUcontext context)
{
    counts_close(context);
    pthread_mutex_lock(&counts_lock);
    for (size_t i = 0; i < target_count; i++)
        if (targets[i].context == context) {
            rl_range_close(&targets[i].profiler);
            targets[i].context = NULL;
            targets[i].dead = true;
        }
    pthread_mutex_unlock(&counts_lock);
}

void counts_start(void)
{
    backoff_ns = BACKOFF_NS;
    if (settings.counters && !settings.times)
        read_wanted();
}
