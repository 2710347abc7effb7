/* window.c - one window of the range profiler (window.h). */

#include "window.h"
#include "times.h"

enum {
    FEWER_RANGES = 8,              /* if the device lacks memory for that many */
    NEARLY_FULL_BYTES = 512 << 20, /* free memory below which the profiler may fail for want of it */
    ALONE_NS = 50000000,
    MOST_ALONE_TRIES = 8,
    MOST_BUSY = 8,   /* failures to open a window because another process has the counters */
    MOST_UNREAD = 2, /* consecutive windows without values */
};

struct window window;
pthread_mutex_t counts_lock = PTHREAD_MUTEX_INITIALIZER;
/* CUPTI's host library, which plans and evaluates, is used by one thread at a time; taken after counts_lock. */
static pthread_mutex_t host_lock = PTHREAD_MUTEX_INITIALIZER;
atomic_bool given_up;
static struct target targets[MOST_TARGETS];
static size_t target_count, pass_count;
static bool fewer; /* the device lacked memory for windows of full size */
static bool was_full;
static uint64_t conditional_ns;
static unsigned unread; /* consecutive windows without values */
/* Shared by threads that are launching, from the decision how a launch is counted to its return. Writers first: threads that launch
 * all the time would keep a window from ever opening. */
pthread_rwlock_t launch_lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

void give_up(enum rl_status status, const char *why)
{
    if (!atomic_exchange(&given_up, true))
        say(RL_LOG_WARNING, status, why);
}

/* ---- contexts ---- */

struct target *target_at(size_t index)
{
    return index < target_count ? &targets[index] : NULL;
}

struct target *target_of(const struct launch *launch)
{
    for (size_t i = 0; i < target_count; i++)
        if (targets[i].context == launch->context)
            return targets[i].dead ? NULL : &targets[i];
    if (target_count == MOST_TARGETS)
        return NULL;
    struct target *target = &targets[target_count++];
    *target = (struct target){.context = launch->context, .gpu = launch->gpu};
    target->quiet_ready = quiet_init(&target->quiet);
    if (!target->quiet_ready) {
        target->dead = true;
        give_up(RL_UNSUPPORTED,
                "the driver cannot tell whether the GPU is idle without waiting for it (CUDA 12.5 or newer can): no counters "
                "are taken in this run");
    }
    return target->dead ? NULL : target;
}

static const char *mode_word(char words[RL_MODE_SIZE])
{
    const char *mode = settings.counters == RL_COUNT_KERNEL_REPLAY ? "kernel replay"
                       : settings.times                            ? "rotate"
                                                                   : "application replay";
    return rl_backend_mode(mode, words);
}

static void tell_pass(const struct target *target, size_t c)
{
    assume(c < target->plan.count);
    const struct rl_config *config = &target->plan.configs[c];
    const char **texts = rl_calloc(config->counter_count + 2, sizeof *texts);
    texts[0] = config->name;
    texts[1] = mode_word((char[RL_MODE_SIZE]){0});
    memcpy(texts + 2, config->counters, config->counter_count * sizeof *texts);
    struct rl_record_pass record = {.pass = (uint32_t)target->passes[c],
                                    .gpu = target->gpu,
                                    .counter_count = (uint32_t)config->counter_count,
                                    .conditional = target->plan.when[c] != NULL,
                                    .backend = rl_backend()->id};
    out_add(RL_RECORD_pass, &record, sizeof record, texts, config->counter_count + 2);
    free(texts);
}

bool target_open(struct target *target)
{
    struct rl_err err = RL_ERR_INIT;
    const uint64_t begin_ns = now_ns();
    if (target->open || target->dead)
        return !target->dead;
    const enum rl_status status = rl_range_open(&target->profiler, target->context, (int)target->gpu, &err);
    target->open = status == RL_OK;
    settle_first();
    budget_spend_held(now_ns() - begin_ns);
    if (!target->open)
        target_settle(target, status, &err);
    return target->open;
}

/* A plan that was made before the context was there, for the chip and the image that the parent knew of. */
static struct {
    struct plan plan;
    char *chip;
    const uint8_t *availability;
} ahead;

void target_plan_ahead(void)
{
    struct rl_err err = RL_ERR_INIT;
    if (!take_mutex(&host_lock))
        return;
    ahead.chip = availability_only(&ahead.availability);
    if (ahead.chip && plan_known(&ahead.plan, ahead.chip, &err) == RL_OK)
        plan_unite(&ahead.plan, ahead.chip, ahead.availability);
    if (!ahead.plan.joint) /* they are requested once the context exists */
        plan_release(&ahead.plan);
    pthread_mutex_unlock(&host_lock);
}

static bool take_ahead(struct target *target)
{
    const struct rl_range_profiler *profiler = &target->profiler;
    if (!ahead.plan.count || profiler->asked || strcmp(ahead.chip, profiler->chip) != 0 ||
        memcmp(ahead.availability, profiler->availability, profiler->availability_size) != 0)
        return false;
    target->plan = ahead.plan;
    ahead.plan = (struct plan){0};
    return true;
}

/* For a chip that was unknown before: the rest, which takes longer, is planned when the first round is over. */
static enum rl_status make_plan(struct target *target, struct rl_err *err)
{
    const struct rl_range_profiler *profiler = &target->profiler;
    const enum rl_status status = plan_make(&target->plan, profiler->chip, profiler->availability, PLAN_ALWAYS, err);
    if (status == RL_OK)
        plan_unite(&target->plan, profiler->chip, profiler->availability);
    return status;
}

enum rl_status target_plan(struct target *target, struct rl_err *err)
{
    assume(target->open && !target->ready);
    if (!take_mutex(&host_lock))
        return rl_err_set(err, RL_BUSY, "CUPTI's host library is in use");
    const enum rl_status status = take_ahead(target) ? RL_OK : make_plan(target, err);
    pthread_mutex_unlock(&host_lock);
    return status;
}

/* A new pass is reported before any of its counters. */
static void note_configs(struct target *target, size_t first)
{
    if (!hold())
        return;
    for (size_t c = first; c < target->plan.count; c++) {
        target->instruments[c] = plan_instruments(&target->plan.configs[c]);
        target->passes[c] = pass_count++;
        tell_pass(target, c);
    }
    out_flush();
    let_go();
}

bool target_plan_rest(struct target *target)
{
    struct rl_err err = RL_ERR_INIT;
    struct plan rest = target->plan; /* the part planned now follows the part that others read */
    assume(!window.target && !target->planning);
    target->whole = true;
    if (rest.known)
        return plan_finish_known(&target->plan, target->profiler.chip, target->profiler.availability);
    target->planning = true;
    pthread_mutex_unlock(&counts_lock);
    const bool free = take_mutex(&host_lock);
    if (free && plan_make(&rest, target->profiler.chip, target->profiler.availability, PLAN_CONDITIONAL, &err) != RL_OK)
        say(RL_LOG_NOTE, RL_OK, err.text);
    if (free)
        pthread_mutex_unlock(&host_lock);
    pthread_mutex_lock(&counts_lock);
    const size_t first = target->plan.count;
    target->plan = rest;
    target->planning = false;
    if (target->dead) { /* its context was destroyed */
        rl_range_close(&target->profiler);
        return false;
    }
    note_configs(target, first);
    if (hold()) {
        for (size_t i = 0; i < class_count(); i++)
            if (class_at(i)->shape.gpu == target->gpu && class_at(i)->counted[0])
                plan_judge(&target->plan, class_at(i));
        let_go();
    }
    return target->plan.count > first;
}

void target_settle(struct target *target, enum rl_status status, const struct rl_err *err)
{
    target->dead = target->dead || atomic_load(&leaving);
    target->ready = status == RL_OK && target->plan.count > 0 && !target->dead;
    if (target->ready)
        note_configs(target, 0);
    else if (!target->dead)
        give_up(status == RL_OK ? RL_UNSUPPORTED : status, status == RL_OK ? "the chip has none of the counters" : err->text);
    target->dead = !target->ready;
}

bool target_prepare(struct target *target)
{
    struct rl_err err = RL_ERR_INIT;
    if (target->ready || !target_open(target))
        return target->ready;
    const uint64_t begin_ns = now_ns();
    const enum rl_status status = target_plan(target, &err);
    budget_spend_held(now_ns() - begin_ns);
    target_settle(target, status, &err);
    return target->ready;
}

bool launch_lock_alone(void)
{
    static unsigned failures;
    const struct timespec until = rl_deadline_in(ALONE_NS);
    if (pthread_rwlock_timedwrlock(&launch_lock, &until) == 0)
        return true;
    if (++failures == MOST_ALONE_TRIES) /* the program left a launch by longjmp, or a launch does not return */
        give_up(RL_OK, "a launch did not return: no counters were taken any more");
    return false;
}

void launch_unlock_alone(bool alone)
{
    if (alone)
        pthread_rwlock_unlock(&launch_lock);
}

/* ---- opening ---- */

/* Bytes free on the device of the calling thread's context; SIZE_MAX when the driver does not say. */
static size_t memory_free(void)
{
    CUresult (*ask)(size_t *, size_t *) = DRIVER(cuMemGetInfo_v2);
    size_t left = 0, total = 0;
    return ask && ask(&left, &total) == CUDA_SUCCESS ? left : SIZE_MAX;
}

void target_rest(struct target *target)
{
    CUresult (*push)(CUcontext) = DRIVER(cuCtxPushCurrent_v2);
    CUresult (*pop)(CUcontext *) = DRIVER(cuCtxPopCurrent_v2);
    CUcontext ours = NULL;
    if (target->dead || window.target == target || !rl_range_is_enabled(&target->profiler) || !push || !pop ||
        push(target->context) != CUDA_SUCCESS)
        return;
    rl_range_rest(&target->profiler);
    (void)pop(&ours);
}

/* Risks no more launches than necessary, and each range takes time even if it is not used. Few sizes: the first window of a size
 * makes its counter data. */
static size_t room_for(const struct target *target, size_t launches)
{
    static const size_t small[] = {4, 8, FIRST_RANGES};
    if (unread)
        return 1;
    if (fewer)
        return FEWER_RANGES;
    for (size_t i = 0; i < RL_COUNT(small); i++)
        if (launches <= small[i])
            return small[i];
    return launches < RANGES || rl_range_is_enabled(&target->profiler) ? RANGES : FIRST_RANGES;
}

bool window_was_full(void)
{
    return was_full;
}

/* With little memory left on the device a small window may still open. */
static enum rl_status begin(struct target *target, size_t config, size_t launches, size_t *room, struct rl_err *err)
{
    /* The hardware serves one context at a time. */
    for (size_t i = 0; i < target_count; i++)
        if (&targets[i] != target && targets[i].gpu == target->gpu)
            target_rest(&targets[i]);
    *room = room_for(target, launches);
    enum rl_status status = rl_range_begin(&target->profiler, &target->plan.configs[config], *room, RL_RANGE_MARKED, err);
    /* CUPTI has a code for it, but calls it an unknown error when it comes from the driver. */
    if (status == RL_OK || status == RL_PERMISSION || status == RL_BUSY || memory_free() >= NEARLY_FULL_BYTES)
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

static void put_off(struct target *target, size_t config, enum rl_status status, const char *why)
{
    assume(config < target->plan.count);
    target->off[config] = true;
    say(RL_LOG_WARNING, status, why);
}

bool window_open(struct target *target, size_t config, size_t launches)
{
    struct rl_err err = RL_ERR_INIT;
    const uint64_t begin_ns = now_ns();
    size_t room = 0;
    assume(!window.target && target->ready && config < target->plan.count);
    times_pause();
    const bool starts = !rl_range_is_enabled(&target->profiler);
    enum rl_status status = begin(target, config, launches, &room, &err);
    target->cost_ns[config] = now_ns() - begin_ns;
    if (starts)
        target->start_ns = target->cost_ns[config];
    if (status != RL_OK) {
        times_resume();
        /* Another process may hold the counters for a while: reported at once, because this process may end before they let them
         * go. */
        assume(status != RL_OK);
        if (status != RL_BUSY || ++target->busy > MOST_BUSY)
            put_off(target, config, status, err.text);
        else if (target->busy == 1)
            say(RL_LOG_WARNING, status, err.text);
        return false;
    }
    target->busy = 0;
    window = (struct window){
        .target = target, .config = config, .room = room, .opened_ns = now_ns(), .launched_ns = now_ns(), .wanted_ns = now_ns()};
    return true;
}

/* ---- ranges ---- */

void window_rest(void)
{
    assume(window.target && !window.inside && !window.stuck && !window.rests_ns);
    window.rests_ns = now_ns();
    times_resume();
}

/* Ignores kernels that CUPTI launches for a range or to close the window. */
static void end_rest(void)
{
    if (!window.rests_ns)
        return;
    times_pause();
    window.held_ns += now_ns() - window.rests_ns;
    window.rests_ns = 0;
}

bool window_push(struct class *class, uint64_t patience_ns)
{
    struct rl_err err = RL_ERR_INIT;
    struct target *target = window.target;
    assume(target && !window.inside && !window.stuck && window.used < window.room);
    if (!quiet_within(&target->quiet, target->context, patience_ns))
        return false;
    end_rest();
    if (rl_range_push(&target->profiler, window.used, &err) != RL_OK) {
        put_off(target, window.config, RL_FAILED, err.text);
        window_close(patience_ns);
        return false;
    }
    window.inside = true;
    window.settled = false;
    window.classes[window.used++] = class;
    return true;
}

static void get_stuck(void)
{
    assume(window.target && !window.stuck);
    window.stuck = true;
    window_stop_recording();
    times_resume();
    if (!window.rests_ns)
        say(RL_LOG_NOTE, RL_OK,
            "launches did not end while the program waited: it continued, and counters of one of them were abandoned");
}

void window_stop_recording(void)
{
    if (window.recording)
        times_record_one(false);
    window.recording = false;
}

/* Requires an idle GPU. */
static void end_range(bool good)
{
    assume(window.used > 0 && window.used <= window.room);
    struct rl_err err = RL_ERR_INIT;
    struct class *class = window.classes[window.used - 1];
    window.inside = window.pending = false;
    window_stop_recording();
    if (rl_range_pop(&window.target->profiler, &err) != RL_OK) {
        put_off(window.target, window.config, RL_FAILED, err.text);
        good = false;
    }
    if (!good || !class) {
        window.classes[window.used - 1] = NULL;
        return;
    }
    durations_counted(class, window.config);
    class->proven = true;
}

bool window_is_off(void)
{
    assume(window.target);
    return window.target->off[window.config];
}

void window_pop(bool made, uint64_t patience_ns)
{
    assume(window.target && window.inside);
    window.abandoned |= !made;
    if (quiet_within(&window.target->quiet, window.target->context, patience_ns))
        end_range(made);
    else
        window.pending = true;
}

void window_note_cost(struct class *class, uint64_t held_ns, uint64_t own_ns)
{
    struct target *target = window.target;
    if (!target)
        return;
    *(target->instruments[window.config] ? &class->instrumented_ns : &class->alone_ns) = held_ns;
    conditional_ns += target->plan.when[window.config] && held_ns > own_ns ? held_ns - own_ns : 0;
}

bool window_settle(uint64_t patience_ns)
{
    assume(window.target);
    if (window.pending && quiet_within(&window.target->quiet, window.target->context, patience_ns)) {
        end_range(true);
        window.settled = true;
    }
    return !window.pending;
}

void window_give_up_launch(void)
{
    assume(window.target && window.pending && window.used > 0);
    struct class *class = window.classes[window.used - 1];
    if (class)
        class->waits = ++class->unended >= MOST_UNENDED;
    window.classes[window.used - 1] = NULL; /* other kernels will run in its range */
    window.pending = false;
    get_stuck();
}

bool window_replay(struct target *target, struct class *class)
{
    struct rl_err err = RL_ERR_INIT;
    assume(!window.target && target->ready);
    enum rl_status status = rl_range_begin(&target->profiler, &target->plan.configs[0], 1, RL_RANGE_REPLAYED, &err);
    if (status != RL_OK) {
        give_up(status, err.text);
        return false;
    }
    durations_counted(class, 0);
    window =
        (struct window){.target = target, .room = 1, .used = 1, .classes = {class}, .opened_ns = now_ns(), .launched_ns = now_ns()};
    return true;
}

/* ---- closing ---- */

static void tell_values(const struct target *target, size_t config, struct class *class, const struct rl_value *values)
{
    assume(config < target->plan.count && class);
    size_t count = target->plan.configs[config].counter_count;
    size_t size = sizeof(struct rl_record_counters) + count * sizeof(double);
    struct rl_record_counters *record = rl_calloc(1, size);
    record->class_id = class->id;
    record->pass = (uint32_t)target->passes[config];
    record->near_ns = atomic_load(&class->near_ns);
    for (size_t i = 0; i < count; i++)
        record->values[i] = rl_present(values[i]) ? values[i].v : NAN;
    plan_note(&target->plan, config, class, values);
    if (hold()) {
        out_add(RL_RECORD_counters, record, size, NULL, 0);
        let_go();
    }
    free(record);
}

/* Reports the values of the window's launches; returns of how many. */
static size_t tell_window(const struct target *target, const struct rl_value *values)
{
    const size_t counters = target->plan.configs[window.config].counter_count;
    size_t counted = 0;
    for (size_t i = 0; i < window.used; i++)
        if (window.classes[i]) {
            tell_values(target, window.config, window.classes[i], values + i * counters);
            counted++;
        }
    return counted;
}

/* Requires an idle GPU, with other threads kept from launching. */
static void end_window(void)
{
    struct rl_err err = RL_ERR_INIT;
    struct target *target = window.target;
    const size_t counters = target->plan.configs[window.config].counter_count;
    static bool evaluated;
    end_rest();
    if (window.inside) {
        times_pause(); /* timing already resumed while the window was stuck */
        end_range(window.pending);
    }
    struct rl_value *values = rl_calloc(window.room * counters, sizeof *values);
    enum rl_status status = RL_BUSY;
    if (take_mutex(&host_lock)) {
        status = rl_range_end(&target->profiler, values, &err);
        pthread_mutex_unlock(&host_lock);
    }
    const size_t counted = status == RL_OK ? tell_window(target, values) : 0;
    if (status != RL_OK)
        put_off(target, window.config, status, err.text);
    /* Launches in a window lose their times. Where it brings nothing for that, and the next one does not either, no other is
     * opened. */
    if (settings.times)
        budget_note_window(counted);
    unread = counted || !window.used || window.abandoned ? 0 : unread + 1;
    if (unread == MOST_UNREAD)
        give_up(status == RL_OK ? RL_FAILED : status,
                status == RL_OK ? "windows brought no counters: no other was opened" : err.text);
    if (!evaluated)
        settle_first();
    evaluated = true;
    free(values);
    was_full |= window.used == window.room && window.room >= FIRST_RANGES;
    window.target = NULL;
    times_resume();
    times_publish();
}

uint64_t window_conditional_ns(void)
{
    return conditional_ns;
}

void window_close(uint64_t patience_ns)
{
    assume(window.target);
    struct target *target = window.target;
    const size_t config = window.config;
    const uint64_t begin_ns = now_ns(), open_ns = begin_ns - window.opened_ns;
    if (window.rests_ns) {
        window.held_ns += begin_ns - window.rests_ns;
        window.rests_ns = begin_ns;
    }
    budget_spend_window(open_ns > window.held_ns ? open_ns - window.held_ns : 0);
    window.opened_ns = begin_ns;
    window.held_ns = 0;
    const bool quiet = quiet_within(&target->quiet, target->context, patience_ns);
    const uint64_t quiet_ns = now_ns() - begin_ns;
    if (quiet)
        end_window();
    else if (window.pending)
        window_give_up_launch();
    else if (!window.stuck)
        get_stuck();
    const uint64_t cost_ns = now_ns() - begin_ns;
    budget_spend(cost_ns, times_are_serial() ? quiet_ns : 0);
    target->cost_ns[config] += cost_ns - quiet_ns;
    conditional_ns += target->plan.when[config] ? target->cost_ns[config] : 0;
}
