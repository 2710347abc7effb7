/* guest.c - record kinds that the program has enabled, and its buffers (guest.h). */

#include "guest.h"

enum { MOST_SPANS = 16, MOST_KINDS = 1024 };

/* Kinds that we record, too: the program receives the records of launches made while it had them enabled. */
static const CUpti_ActivityKind shared[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_KERNEL,
                                            CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET};
enum { SHARED = sizeof shared / sizeof shared[0] };

/* The times at which a kind was enabled and disabled. A launch belongs to the program if its call and its run are later than the
 * first; not every call is noted, so both are tested. */
struct span {
    uint32_t context; /* 0: all */
    bool open, used;
    uint32_t from_call, to_call;
    uint64_t from_ns, to_ns;
};

static struct {
    pthread_mutex_t lock; /* also held during calls of the program's functions, which may call CUPTI again */
    CUpti_BuffersCallbackRequestFunc requested;
    CUpti_BuffersCallbackCompleteFunc completed;
    struct guest_buffer {
        uint8_t *bytes;
        size_t size, used, records, most;
    } buffer, spare;
    struct span spans[SHARED][MOST_SPANS];
    unsigned next[SHARED];
    uint16_t kinds[MOST_KINDS]; /* enable count of each kind: one for all contexts, and one for each single context */
    int recorded;               /* their sum, without kinds that launches make no records of */
    uint32_t period_ms;
    uint64_t handed_ns;
} guest = {.lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP};
static atomic_int works;
static atomic_bool counters;
static atomic_uint last_call;
static atomic_bool lacks_buffer; /* it records, and no buffer was requested yet */
static atomic_size_t dropped;

bool guest_is_at_work(void)
{
    return atomic_load(&works) > 0;
}

bool guest_has_counters(void)
{
    return atomic_load(&counters);
}

void guest_take_counters(bool taken)
{
    atomic_store(&counters, taken);
}

bool guest_works(int change)
{
    const int before = atomic_fetch_add(&works, change);
    return change > 0 ? before == 0 : before + change == 0;
}

/* ---- its clock ---- */

typedef uint64_t (*clock_function)(void);
static _Atomic(clock_function) clock_of_guest;
static struct moment {
    uint64_t theirs, ns; /* by the program's clock, and by CUPTI's own */
} first;

static struct moment moment_now(clock_function clock)
{
    const uint64_t before_ns = now_ns(), theirs = clock();
    return (struct moment){theirs, clocks_theirs(before_ns + (now_ns() - before_ns) / 2)};
}

void guest_clock(clock_function clock)
{
    clocks_keep();
    first = moment_now(clock);
    atomic_store(&clock_of_guest, clock);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Records made before the clock changed may still arrive, with times of the previous clock. */
bool guest_to_own_clock(uint64_t *start, uint64_t *end)
{
    clock_function clock = atomic_load(&clock_of_guest);
    if (!clock)
        return false;
    const struct moment now = moment_now(clock);
    if (distance(*end, now.ns) < distance(*end, now.theirs))
        return false;
    const double rate =
        now.theirs > first.theirs && now.ns > first.ns ? (double)(now.ns - first.ns) / (double)(now.theirs - first.theirs) : 1;
    *start = now.ns + (uint64_t)(int64_t)((double)(int64_t)(*start - now.theirs) * rate);
    *end = now.ns + (uint64_t)(int64_t)((double)(int64_t)(*end - now.theirs) * rate);
    return true;
}

static uint64_t time_of_records(void)
{
    clock_function clock = atomic_load(&clock_of_guest);
    uint64_t ns = 0;
    if (clock)
        return clock();
    return rl_cupti.cuptiGetTimestamp && rl_cupti.cuptiGetTimestamp(&ns) == CUPTI_SUCCESS ? ns : 0;
}

/* ---- what it records ---- */

static size_t index_of(CUpti_ActivityKind kind)
{
    size_t i = 0;
    while (i < SHARED && shared[i] != kind)
        i++;
    return i;
}

static void begin_span(size_t kind, uint32_t context)
{
    guest.spans[kind][guest.next[kind]++ % MOST_SPANS] = (struct span){
        .context = context, .open = true, .used = true, .from_call = atomic_load(&last_call), .from_ns = time_of_records()};
}

static void end_span(size_t kind, uint32_t context)
{
    for (size_t i = 0; i < MOST_SPANS; i++) {
        struct span *span = &guest.spans[kind][i];
        if (!span->open || span->context != context)
            continue;
        span->open = false;
        span->to_call = atomic_load(&last_call);
        span->to_ns = time_of_records();
    }
}

/* Under the lock. */
static void note_lack(void)
{
    atomic_store(&lacks_buffer, guest.requested && guest.recorded > 0 && !guest.buffer.bytes);
}

void guest_record(CUpti_ActivityKind kind, uint32_t context, bool on)
{
    const size_t i = index_of(kind);
    if ((size_t)kind >= MOST_KINDS)
        return;
    pthread_mutex_lock(&guest.lock);
    guest.kinds[kind] = (uint16_t)(guest.kinds[kind] + (on ? 1 : -1));
    if (i < SHARED)
        (on ? begin_span : end_span)(i, context);
    if (i >= SHARED || shared[i] == CUPTI_ACTIVITY_KIND_KERNEL || shared[i] == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
        guest.recorded += on ? 1 : -1;
    note_lack();
    pthread_mutex_unlock(&guest.lock);
}

bool guest_records(CUpti_ActivityKind kind)
{
    pthread_mutex_lock(&guest.lock);
    const bool does = (size_t)kind < MOST_KINDS && guest.kinds[kind];
    pthread_mutex_unlock(&guest.lock);
    return does;
}

/* The members used have the same offsets in every version of these records from CUPTI 12 on. */
struct facts {
    uint32_t context, call;
    uint64_t start_ns;
};

static struct facts facts_of(const CUpti_Activity *record)
{
    switch ((unsigned)record->kind) {
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
        const CUpti_ActivityMemcpy5 *copy = (const CUpti_ActivityMemcpy5 *)record;
        return (struct facts){copy->contextId, copy->correlationId, copy->start};
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY2: {
        const CUpti_ActivityMemcpyPtoP4 *copy = (const CUpti_ActivityMemcpyPtoP4 *)record;
        return (struct facts){copy->contextId, copy->correlationId, copy->start};
    }
    case CUPTI_ACTIVITY_KIND_MEMSET: {
        const CUpti_ActivityMemset3 *set = (const CUpti_ActivityMemset3 *)record;
        return (struct facts){set->contextId, set->correlationId, set->start};
    }
    default: {
        const CUpti_ActivityKernel9 *kernel = (const CUpti_ActivityKernel9 *)record;
        return (struct facts){kernel->contextId, kernel->correlationId, kernel->start};
    }
    }
}

/* GPU times are converted to this clock, with an error of up to this. */
static const uint64_t INEXACT_NS = 50000;

static bool is_later(uint32_t call, uint32_t than, uint64_t start_ns, uint64_t ns)
{
    return (int32_t)(call - than) > 0 && (start_ns == 0 || ns == 0 || start_ns + INEXACT_NS >= ns);
}

static bool is_wanted(const CUpti_Activity *record)
{
    const size_t kind = index_of(record->kind);
    if (!guest.requested)
        return false;
    if (kind == SHARED)
        return true;
    const struct facts facts = facts_of(record);
    for (size_t i = 0; i < MOST_SPANS; i++) {
        const struct span *span = &guest.spans[kind][i];
        if (span->used && (!span->context || span->context == facts.context) &&
            is_later(facts.call, span->from_call, facts.start_ns, span->from_ns) &&
            (span->open || !is_later(facts.call, span->to_call, facts.start_ns, span->to_ns)))
            return true;
    }
    return false;
}

int guest_record_nothing(void)
{
    int ended = 0;
    pthread_mutex_lock(&guest.lock);
    for (size_t kind = 0; kind < MOST_KINDS; kind++) {
        ended += guest.kinds[kind];
        guest.kinds[kind] = 0;
    }
    guest.recorded = 0;
    note_lack();
    memset(guest.spans, 0, sizeof guest.spans);
    pthread_mutex_unlock(&guest.lock);
    return ended;
}

/* ---- its buffers; under its lock ---- */

void guest_register(CUpti_BuffersCallbackRequestFunc requested, CUpti_BuffersCallbackCompleteFunc completed)
{
    pthread_mutex_lock(&guest.lock);
    if (!guest.requested)
        guest.handed_ns = now_ns();
    guest.requested = requested;
    guest.completed = completed;
    note_lack();
    pthread_mutex_unlock(&guest.lock);
}

bool guest_has_buffers(void)
{
    pthread_mutex_lock(&guest.lock);
    const bool has = guest.requested != NULL;
    pthread_mutex_unlock(&guest.lock);
    return has;
}

static void hand_over(void)
{
    const struct guest_buffer full = guest.buffer;
    guest.handed_ns = now_ns();
    if (!full.bytes || !full.used || !guest.completed)
        return;
    guest.buffer = guest.spare;
    guest.spare = (struct guest_buffer){.bytes = NULL};
    guest.completed(NULL, 0, full.bytes, full.size, full.used);
    note_lack();
}

static bool has_room(size_t bytes)
{
    return guest.buffer.bytes && guest.buffer.used + bytes <= guest.buffer.size &&
           (!guest.buffer.most || guest.buffer.records < guest.buffer.most);
}

void guest_note_call(uint32_t correlation)
{
    uint32_t last = atomic_load(&last_call);
    while ((int32_t)(correlation - last) > 0 && !atomic_compare_exchange_weak(&last_call, &last, correlation))
        continue;
    if (atomic_load(&lacks_buffer) && atomic_exchange(&lacks_buffer, false)) {
        /* Releases the lock while the program's function runs: a lock that it takes may be held by a thread that waits for us. */
        struct guest_buffer buffer = {.bytes = NULL};
        pthread_mutex_lock(&guest.lock);
        CUpti_BuffersCallbackRequestFunc requested = guest.buffer.bytes ? NULL : guest.requested;
        pthread_mutex_unlock(&guest.lock);
        if (requested) {
            requested(&buffer.bytes, &buffer.size, &buffer.most);
            pthread_mutex_lock(&guest.lock);
            *(guest.buffer.bytes ? &guest.spare : &guest.buffer) = buffer;
            pthread_mutex_unlock(&guest.lock);
        }
    }
}

void guest_take(const CUpti_Activity *record, size_t bytes)
{
    pthread_mutex_lock(&guest.lock);
    const bool wanted = is_wanted(record);
    if (wanted && !has_room(bytes))
        hand_over();
    if (wanted && !guest.buffer.bytes) {
        atomic_store(&lacks_buffer, false);
        guest.requested(&guest.buffer.bytes, &guest.buffer.size, &guest.buffer.most);
    }
    if (wanted && has_room(bytes)) {
        memcpy(guest.buffer.bytes + guest.buffer.used, record, bytes);
        guest.buffer.used += bytes;
        guest.buffer.records++;
    } else if (wanted) {
        guest_drop(1);
    }
    pthread_mutex_unlock(&guest.lock);
}

void guest_hand_over(void)
{
    pthread_mutex_lock(&guest.lock);
    hand_over();
    pthread_mutex_unlock(&guest.lock);
}

void guest_flush_period(uint32_t ms)
{
    pthread_mutex_lock(&guest.lock);
    guest.period_ms = ms;
    pthread_mutex_unlock(&guest.lock);
}

uint32_t guest_period_ms(void)
{
    pthread_mutex_lock(&guest.lock);
    const uint32_t ms = guest.period_ms;
    pthread_mutex_unlock(&guest.lock);
    return ms;
}

void guest_tick(void)
{
    if (!guest_is_at_work() || pthread_mutex_trylock(&guest.lock) != 0) /* its holder may be inside the program's function */
        return;
    if (guest.period_ms && now_ns() - guest.handed_ns >= guest.period_ms * UINT64_C(1000000))
        hand_over();
    pthread_mutex_unlock(&guest.lock);
}

size_t guest_dropped(void)
{
    return atomic_exchange(&dropped, 0);
}

void guest_drop(size_t count)
{
    atomic_fetch_add(&dropped, count);
}

void guest_renew(void)
{
    guest.lock = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}
