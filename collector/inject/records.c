/* records.c - CUPTI's buffers (guest.h). CUPTI hands them over from an internal thread, or from one that flushes. */

#include "guest.h"

enum { BUFFER_BYTES = 1 << 20, BUFFER_ALIGN = 8, MOST_SPARE = 8, MOST_KINDS = 64 };

static _Atomic(const struct record_reader *) reader;
static _Atomic(uint8_t *) spare[MOST_SPARE]; /* buffers returned by CUPTI */
static pthread_mutex_t kinds_lock = PTHREAD_MUTEX_INITIALIZER;
static bool ours[MOST_KINDS]; /* kinds that we record */
static bool opened;

static void CUPTIAPI on_buffer_requested(uint8_t **buffer, size_t *size, size_t *max_records)
{
    *max_records = 0;
    *buffer = NULL;
    for (size_t i = 0; i < MOST_SPARE && !*buffer; i++)
        *buffer = atomic_exchange(&spare[i], NULL);
    if (!*buffer)
        *buffer = aligned_alloc(BUFFER_ALIGN, BUFFER_BYTES);
    *size = *buffer ? BUFFER_BYTES : 0; /* CUPTI counts what it cannot store as dropped */
}

/* The bytes of a record end where the next one begins. */
static void read_guests(uint8_t *buffer, size_t valid)
{
    CUpti_Activity *record = NULL, *before = NULL;
    while (valid && rl_cupti.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (before)
            guest_take(before, (size_t)((uint8_t *)record - (uint8_t *)before));
        before = record;
    }
    if (before)
        guest_take(before, (size_t)(buffer + valid - (uint8_t *)before));
}

static void CUPTIAPI on_buffer_completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    (void)size;
    size_t lost = 0;
    if (rl_cupti.cuptiActivityGetNumDroppedRecords(context, stream, &lost) != CUPTI_SUCCESS)
        lost = 0;
    /* On any thread, including one that is inside our code because it asked for finished records. */
    const struct record_reader *read = atomic_load(&reader);
    CUpti_Activity *record = NULL;
    const bool entered = enter();
    while (read && atomic_load(&alive) && valid && rl_cupti.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
        read->record(record);
    if (read)
        read->delivered(valid > 0, lost);
    if (entered)
        leave();
    if (guest_is_at_work())
        guest_drop(lost);
    if (guest_has_buffers())
        read_guests(buffer, valid);
    guest_tick();
    for (size_t i = 0; i < MOST_SPARE && buffer; i++)
        buffer = atomic_exchange(&spare[i], buffer);
    free(buffer);
}

enum rl_status records_open(const struct record_reader *read, struct rl_err *err)
{
    enum rl_status status = RL_OK;
    if (read)
        atomic_store(&reader, read);
    pthread_mutex_lock(&kinds_lock);
    if (!opened)
        status = RL_CUPTI(err, cuptiActivityRegisterCallbacks, on_buffer_requested, on_buffer_completed);
    opened = opened || status == RL_OK;
    pthread_mutex_unlock(&kinds_lock);
    return status;
}

enum rl_status records_open_again(struct rl_err *err)
{
    pthread_mutex_lock(&kinds_lock);
    opened = false;
    pthread_mutex_unlock(&kinds_lock);
    return records_open(NULL, err);
}

enum rl_status records_enable(CUpti_ActivityKind kind, struct rl_err *err)
{
    assume((size_t)kind < MOST_KINDS);
    pthread_mutex_lock(&kinds_lock);
    const enum rl_status status = RL_CUPTI(err, cuptiActivityEnable, kind);
    ours[kind] = status == RL_OK;
    pthread_mutex_unlock(&kinds_lock);
    return status;
}

void records_disable(CUpti_ActivityKind kind)
{
    assume((size_t)kind < MOST_KINDS);
    pthread_mutex_lock(&kinds_lock);
    ours[kind] = false;
    if (!guest_records(kind))
        (void)rl_cupti.cuptiActivityDisable(kind);
    pthread_mutex_unlock(&kinds_lock);
}

CUptiResult records_enable_for_guest(CUpti_ActivityKind kind)
{
    pthread_mutex_lock(&kinds_lock);
    const CUptiResult result = rl_cupti.cuptiActivityEnable(kind);
    pthread_mutex_unlock(&kinds_lock);
    return result;
}

CUptiResult records_disable_for_guest(CUpti_ActivityKind kind)
{
    pthread_mutex_lock(&kinds_lock);
    const bool kept = (size_t)kind < MOST_KINDS && ours[kind];
    const CUptiResult result = kept ? CUPTI_SUCCESS : rl_cupti.cuptiActivityDisable(kind);
    pthread_mutex_unlock(&kinds_lock);
    return result;
}
