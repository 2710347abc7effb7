/* stand_in_gpu.c - the stand-in's GPU: a thread that goes from stream to stream, begins what is at the head of each and ends what
 * is over. Streams run beside one another, operations of one stream after one another. */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stand_in.h"

enum { POLL_NS = 50000, SHORT_NS = 1000, PATIENCE_S = 3, DEVICES = 2, MOST_QUEUED = 1024 };
static const double COPY_BYTES_PER_NS = 25;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work, changed; /* for the GPU; for who waits for it */
static CUstream streams, unused;     /* unused: destroyed, to be given out again */
static uint64_t ahead_ns[DEVICES];   /* the clock of kernels that take no time */
static bool running;

STAND_IN_API uint64_t stand_in_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t later_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- when operations end: 0 while nobody knows; under the lock ---- */

static uint64_t record(struct stand_in_op *op)
{
    op->event->done = op->turn;
    op->event->time_ns = stand_in_now_ns();
    return op->event->time_ns;
}

static uint64_t run_ahead(struct stand_in_op *op)
{
    uint64_t *clock = &ahead_ns[op->launch.device % DEVICES];
    const uint64_t copy_ns = (uint64_t)((double)op->copy.bytes / COPY_BYTES_PER_NS);
    if (op->kind == OP_RECORD)
        return record(op);
    op->start_ns = later_of(*clock, op->submitted_ns);
    return *clock = op->start_ns + (op->kind == OP_COPY ? copy_ns : op->launch.kernel.duration_ns);
}

static uint64_t end_of_wait(struct stand_in_op *op, uint64_t now)
{
    return atomic_load(op->word) == op->value ? later_of(now, op->start_ns + SHORT_NS) : 0;
}

static uint64_t end_of_delay(struct stand_in_op *op, uint64_t now)
{
    uint64_t end = end_of_wait(op, now);
    if (!end && now > op->start_ns + op->limit_ns) {
        atomic_store(op->second, 1);
        end = op->start_ns + op->limit_ns;
    }
    return end;
}

static uint64_t end_of_persistent(struct stand_in_op *op, uint64_t now)
{
    uint32_t asked = atomic_load(op->word);
    if (asked == UINT32_MAX)
        return now;
    atomic_store(op->second, asked);
    return 0;
}

static uint64_t end_of_work(struct stand_in_op *op, uint64_t now)
{
    (void)now;
    return op->start_ns + op->launch.kernel.duration_ns;
}

static uint64_t end_of_store(struct stand_in_op *op, uint64_t now)
{
    atomic_store(op->word, op->value);
    return later_of(now, op->start_ns + SHORT_NS);
}

static uint64_t end_of_kernel(struct stand_in_op *op, uint64_t now)
{
    static uint64_t (*const ends[])(struct stand_in_op *, uint64_t) = {
        [STAND_IN_WORKS] = end_of_work,   [STAND_IN_WAITS] = end_of_wait,          [STAND_IN_DELAYS] = end_of_delay,
        [STAND_IN_STORES] = end_of_store, [STAND_IN_PERSISTS] = end_of_persistent,
    };
    return ends[op->launch.kernel.does](op, now);
}

/* cuStreamWaitValue32. */
static uint64_t end_of_value(struct stand_in_op *op, uint64_t now)
{
    const uint32_t word = atomic_load(op->word), value = op->value;
    const bool over[] = {[CU_STREAM_WAIT_VALUE_GEQ] = (int32_t)(word - value) >= 0,
                         [CU_STREAM_WAIT_VALUE_EQ] = word == value,
                         [CU_STREAM_WAIT_VALUE_AND] = (word & value) != 0,
                         [CU_STREAM_WAIT_VALUE_NOR] = ~(word | value) != 0};
    return over[op->flags & 3] ? now : 0;
}

static uint64_t end_of_host(struct stand_in_op *op, uint64_t now)
{
    pthread_mutex_unlock(&lock);
    op->host(op->data);
    pthread_mutex_lock(&lock);
    return later_of(now, stand_in_now_ns());
}

static uint64_t end_of_follow(struct stand_in_op *op, uint64_t now)
{
    return op->event->done >= op->turn ? now : 0;
}

static uint64_t end_of(struct stand_in_op *op, uint64_t now)
{
    static uint64_t (*const ends[])(struct stand_in_op *, uint64_t) = {
        [OP_KERNEL] = end_of_kernel, [OP_WAIT] = end_of_value,    [OP_WRITE] = end_of_store,
        [OP_HOST] = end_of_host,     [OP_FOLLOW] = end_of_follow,
    };
    return ends[op->kind](op, now);
}

/* ---- the GPU ---- */

static void tell(struct stand_in_op *op)
{
    const struct stand_in_hooks *hooks = stand_in_hooks();
    op->launch.start_ns = op->start_ns;
    op->launch.end_ns = op->end_ns;
    if (hooks && op->kind == OP_KERNEL)
        hooks->ended(&op->launch);
    if (hooks && op->kind == OP_COPY)
        hooks->copied(op->copy.kind, op->copy.source, op->copy.target, op->copy.bytes, op->launch.correlation, op->launch.device,
                      op->start_ns, op->end_ns);
}

/* Whether the operation at the head has ended; `next` becomes the time at which to look again. */
static bool advance(CUstream stream, struct stand_in_op *op, uint64_t *next)
{
    uint64_t now = stand_in_now_ns();
    if (!op->begun) {
        op->begun = true;
        op->start_ns = later_of(stream->free_ns, op->submitted_ns);
    }
    if (op->ahead) {
        op->end_ns = run_ahead(op);
        return true;
    }
    if (!op->end_ns)
        op->end_ns = end_of(op, now);
    if (op->end_ns && op->end_ns <= later_of(now, stand_in_now_ns())) {
        stream->free_ns = op->end_ns;
        return true;
    }
    uint64_t look_ns = op->end_ns ? op->end_ns : now + POLL_NS;
    *next = look_ns < *next ? look_ns : *next;
    return false;
}

/* What has ended is told before anybody who waits for it goes on. */
static bool serve(CUstream stream, uint64_t *next)
{
    bool any = false;
    stream->busy = true;
    for (struct stand_in_op *op; (op = stream->head) && advance(stream, op, next); any = true) {
        pthread_mutex_unlock(&lock);
        tell(op);
        pthread_mutex_lock(&lock);
        stream->head = op->next;
        stream->ended++;
        if (!stream->head)
            stream->tail = NULL;
        free(op);
    }
    stream->busy = false;
    return any;
}

static void reap(void)
{
    for (CUstream *at = &streams; *at;) {
        CUstream stream = *at;
        if (!stream->dying || stream->head) {
            at = &stream->next;
            continue;
        }
        *at = stream->next;
        stream->next = unused;
        unused = stream;
    }
}

static void sleep_until(uint64_t next)
{
    const struct timespec until = {.tv_sec = (time_t)(next / 1000000000), .tv_nsec = (long)(next % 1000000000)};
    if (next == UINT64_MAX)
        pthread_cond_wait(&work, &lock);
    else
        pthread_cond_timedwait(&work, &lock, &until);
}

static void *gpu(void *unused_argument)
{
    (void)unused_argument;
    pthread_mutex_lock(&lock);
    for (;;) {
        uint64_t next = UINT64_MAX;
        bool any = false;
        for (CUstream stream = streams; stream; stream = stream->next)
            any = serve(stream, &next) || any;
        reap();
        if (any)
            pthread_cond_broadcast(&changed);
        else
            sleep_until(next);
    }
    return NULL;
}

/* The program's signals are the program's. */
static bool start(void)
{
    pthread_t thread;
    pthread_condattr_t monotonic;
    sigset_t all, kept;
    if (running)
        return true;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&work, &monotonic);
    pthread_cond_init(&changed, &monotonic);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &kept);
    running = pthread_create(&thread, NULL, gpu, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &kept, NULL);
    if (running)
        pthread_detach(thread);
    return running;
}

/* ---- streams ---- */

CUstream stand_in_stream_new(CUcontext context)
{
    static uint32_t last_id;
    CUstream stream = NULL;
    pthread_mutex_lock(&lock);
    if (start()) {
        stream = unused;
        unused = stream ? stream->next : NULL;
        stream = stream ? stream : malloc(sizeof *stream);
    }
    if (stream) {
        *stream = (struct CUstream_st){.context = context, .id = ++last_id, .next = streams};
        streams = stream;
    }
    pthread_mutex_unlock(&lock);
    return stream;
}

void stand_in_stream_forget(CUstream stream)
{
    pthread_mutex_lock(&lock);
    stream->dying = true;
    pthread_cond_signal(&work);
    pthread_mutex_unlock(&lock);
}

/* Without the GPU's thread: nothing is in front of it, and it takes no time. */
static bool run_at_once(CUstream stream, const struct stand_in_op *op)
{
    if (!op->ahead || stream->head || stream->busy)
        return false;
    struct stand_in_op now = *op;
    now.end_ns = run_ahead(&now);
    pthread_mutex_unlock(&lock);
    tell(&now);
    return true;
}

static void wait_locked(CUcontext context, CUstream stream, uint64_t number, const char *who, const void *caller);

CUresult stand_in_enqueue(CUstream stream, const struct stand_in_op *op, bool wait)
{
    pthread_mutex_lock(&lock);
    if (run_at_once(stream, op))
        return CUDA_SUCCESS;
    while (stream->enqueued - stream->ended >= MOST_QUEUED) /* as the driver does: the call takes until there is room */
        pthread_cond_wait(&changed, &lock);
    struct stand_in_op *added = malloc(sizeof *added);
    if (!added) {
        pthread_mutex_unlock(&lock);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *added = *op;
    if (stream->tail)
        stream->tail->next = added;
    else
        stream->head = added;
    stream->tail = added;
    const uint64_t number = ++stream->enqueued;
    if (stream->head == added)
        pthread_cond_signal(&work);
    if (wait)
        wait_locked(NULL, stream, number, op->launch.kernel.name ? op->launch.kernel.name : "a launch", NULL);
    pthread_mutex_unlock(&lock);
    return CUDA_SUCCESS;
}

bool stand_in_context_is_empty(CUcontext context)
{
    bool empty = true;
    pthread_mutex_lock(&lock);
    for (CUstream stream = streams; stream; stream = stream->next)
        empty = empty && (stream->context != context || stream->enqueued == stream->ended);
    pthread_mutex_unlock(&lock);
    return empty;
}

STAND_IN_API bool stand_in_context_is_capturing(CUcontext context)
{
    bool capturing = false;
    pthread_mutex_lock(&lock);
    for (CUstream stream = streams; stream; stream = stream->next)
        capturing = capturing || (stream->context == context && atomic_load(&stream->capturing));
    pthread_mutex_unlock(&lock);
    return capturing;
}

bool stand_in_is_empty(CUstream stream)
{
    pthread_mutex_lock(&lock);
    bool empty = !stream->head;
    pthread_mutex_unlock(&lock);
    return empty;
}

/* ---- waiting ---- */

static bool is_injected(const void *caller)
{
    Dl_info info;
    return caller && dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "rooflight-inject");
}

/* Also where nobody sees standard error, in the file that $STAND_IN_HANGS names. */
static void report(const char *text)
{
    const char *path = getenv("STAND_IN_HANGS");
    FILE *file = path ? fopen(path, "a") : NULL;
    fputs(text, stderr);
    if (file) {
        fputs(text, file);
        fclose(file);
    }
}

/* The program could have waited like this itself; that nobody but us waits is what it must not suffer. */
static void check_patience(const struct stand_in_op *op, const char *who, const void *caller)
{
    char text[256];
    const char *name = op && op->kind == OP_KERNEL ? op->launch.kernel.name : "an operation";
    if (!op || op->end_ns || !(who || stand_in_calling_back || is_injected(caller)))
        return;
    snprintf(text, sizeof text, "stand-in: the program hangs of us: %s waits for %s, which waits for the host\n",
             who ? who : "the injected part", name);
    report(text);
    abort();
}

static bool is_over(CUcontext context, CUstream stream, uint64_t number, const struct stand_in_op **head)
{
    for (CUstream s = streams; s; s = s->next)
        if (stream ? s == stream : s->context == context)
            if (s->ended < (stream ? number : s->enqueued)) {
                *head = s->head;
                return false;
            }
    return true;
}

static void wait_locked(CUcontext context, CUstream stream, uint64_t number, const char *who, const void *caller)
{
    const uint64_t begin = stand_in_now_ns();
    const struct stand_in_op *head = NULL;
    while (!is_over(context, stream, number, &head)) {
        const uint64_t slice = stand_in_now_ns() + 100000000;
        const struct timespec until = {.tv_sec = (time_t)(slice / 1000000000), .tv_nsec = (long)(slice % 1000000000)};
        pthread_cond_timedwait(&changed, &lock, &until);
        if (stand_in_now_ns() - begin > PATIENCE_S * UINT64_C(1000000000) && !is_over(context, stream, number, &head))
            check_patience(head, who, caller);
    }
}

void stand_in_wait_for(CUcontext context, CUstream stream, const char *who, const void *caller)
{
    pthread_mutex_lock(&lock);
    if (running)
        wait_locked(context, stream, stream ? stream->enqueued : 0, who, caller);
    pthread_mutex_unlock(&lock);
}

bool stand_in_event_done(CUevent event)
{
    pthread_mutex_lock(&lock);
    bool done = event->done >= event->turns;
    pthread_mutex_unlock(&lock);
    return done;
}

uint64_t stand_in_event_turn(CUevent event)
{
    pthread_mutex_lock(&lock);
    uint64_t turn = ++event->turns;
    pthread_mutex_unlock(&lock);
    return turn;
}

/* The turn that has been asked for last, to wait for it. */
uint64_t stand_in_event_latest(CUevent event)
{
    pthread_mutex_lock(&lock);
    uint64_t turn = event->turns;
    pthread_mutex_unlock(&lock);
    return turn;
}

uint64_t stand_in_event_time(CUevent event)
{
    pthread_mutex_lock(&lock);
    uint64_t time_ns = event->time_ns;
    pthread_mutex_unlock(&lock);
    return time_ns;
}

void stand_in_event_wait(CUevent event)
{
    pthread_mutex_lock(&lock);
    const uint64_t turn = event->turns;
    while (event->done < turn)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}
