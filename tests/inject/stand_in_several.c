/* stand_in_several.c - CUPTI 13.3: several subscribers, each with kinds and buffers of its own, where $RL_SEVERAL is set. As its
 * manual has it: functions of the first version and these are not mixed in one process, and who comes later wants what the first
 * one wanted. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "stand_in_cupti.h"

enum { MOST = 4, MOST_IDS = 1024 };

struct params {
    size_t size;
    const char *name;
    char *old_name;
    size_t old_name_size;
    uint8_t several;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct client {
    bool on, several;
    CUpti_CallbackFunc callback;
    void *data;
    unsigned char driver[MOST_IDS], kinds[CUPTI_ACTIVITY_KIND_COUNT];
    void (*requested)(uint8_t **, size_t *, size_t *, void *);
    void (*completed)(uint8_t *, size_t, size_t, void *);
    CUpti_ActivityKernel9 *records;
    size_t count, room;
} clients[MOST];

static struct client *of(word handle)
{
    for (size_t i = 0; i < MOST; i++)
        if (handle == (word)&clients[i] && clients[i].on)
            return &clients[i];
    return NULL;
}

bool stand_in_has_several(void)
{
    bool found = false;
    for (size_t i = 0; i < MOST; i++)
        found = found || clients[i].on;
    return found;
}

static int subscribe(word handle, word callback, word data, word parameters)
{
    const struct params *params = (const struct params *)parameters;
    const bool several = params && params->size >= sizeof *params && params->several;
    int result = stand_in_has_first() ? CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED : 0;
    pthread_mutex_lock(&lock);
    struct client *found = NULL;
    for (size_t i = 0; i < MOST; i++) {
        if (clients[i].on && !(several && clients[i].several))
            result = CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
        if (!clients[i].on && !found)
            found = &clients[i];
    }
    if (result == 0 && found) {
        *found = (struct client){.on = true, .several = several, .callback = (CUpti_CallbackFunc)callback, .data = (void *)data};
        *(void **)handle = found;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void stand_in_several_call(CUpti_CallbackId id, const CUpti_CallbackData *data)
{
    for (size_t i = 0; i < MOST; i++)
        if (clients[i].on && clients[i].callback && id < MOST_IDS && clients[i].driver[id])
            clients[i].callback(clients[i].data, CUPTI_CB_DOMAIN_DRIVER_API, id, data);
}

int stand_in_several_enable(word enable, word handle, word domain, word id)
{
    struct client *client = of(handle);
    if (!client || id >= MOST_IDS)
        return -1;
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API)
        client->driver[id] = (unsigned char)enable;
    return 0;
}

static int register_callbacks(word handle, word requested, word completed, word unused)
{
    struct client *client = of(handle);
    (void)unused;
    if (!client || !requested || !completed)
        return CUPTI_ERROR_INVALID_PARAMETER;
    client->requested = (void (*)(uint8_t **, size_t *, size_t *, void *))requested;
    client->completed = (void (*)(uint8_t *, size_t, size_t, void *))completed;
    return 0;
}

static int switch_kind(word handle, word kind, unsigned char on)
{
    struct client *client = of(handle);
    if (!client || kind >= CUPTI_ACTIVITY_KIND_COUNT)
        return CUPTI_ERROR_INVALID_PARAMETER;
    client->kinds[kind] = on;
    return 0;
}

static int enable_kind(word handle, word kind, word options, word unused)
{
    (void)options, (void)unused;
    return switch_kind(handle, kind, 1);
}

static int disable_kind(word handle, word kind, word options, word unused)
{
    (void)options, (void)unused;
    return switch_kind(handle, kind, 0);
}

void stand_in_several_record(const CUpti_ActivityKernel9 *record)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < MOST; i++) {
        struct client *client = &clients[i];
        if (!client->on || !client->kinds[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL])
            continue;
        if (client->count == client->room) {
            client->room = client->room ? 2 * client->room : 64;
            client->records = realloc(client->records, client->room * sizeof *client->records);
            if (!client->records)
                abort();
        }
        client->records[client->count] = *record;
        client->records[client->count++].kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    }
    pthread_mutex_unlock(&lock);
}

/* In buffers of the client's, as many as it takes. */
static void flush(struct client *client)
{
    pthread_mutex_lock(&lock);
    CUpti_ActivityKernel9 *records = client->records;
    size_t left = client->count, done = 0;
    client->records = NULL;
    client->count = client->room = 0;
    pthread_mutex_unlock(&lock);
    while (left && client->requested) {
        uint8_t *buffer = NULL;
        size_t size = 0, most = 0;
        client->requested(&buffer, &size, &most, NULL);
        size_t fit = buffer ? size / sizeof *records : 0;
        fit = fit < left ? fit : left;
        if (!fit)
            break;
        memcpy(buffer, records + done, fit * sizeof *records);
        client->completed(buffer, size, fit * sizeof *records, NULL);
        done += fit;
        left -= fit;
    }
    free(records);
}

void stand_in_several_flush(void)
{
    for (size_t i = 0; i < MOST; i++)
        if (clients[i].on)
            flush(&clients[i]);
}

int stand_in_several_unsubscribe(word handle)
{
    struct client *client = of(handle);
    if (!client)
        return -1;
    flush(client);
    pthread_mutex_lock(&lock);
    client->on = false;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int next_record(word handle, word buffer, word valid, word record)
{
    const struct stand_in_function *first = stand_in_find("cuptiActivityGetNextRecord");
    return of(handle) ? first->call(buffer, valid, record, 0) : CUPTI_ERROR_INVALID_PARAMETER;
}

static int timestamp(word handle, word ns, word a, word b)
{
    (void)a, (void)b;
    if (!of(handle))
        return CUPTI_ERROR_INVALID_PARAMETER;
    *(uint64_t *)ns = stand_in_now_ns();
    return 0;
}

const struct stand_in_function stand_in_several_functions[] = {
    {"cuptiSubscribe_v2", subscribe},
    {"cuptiActivityRegisterCallbacks_v2", register_callbacks},
    {"cuptiActivityEnable_v2", enable_kind},
    {"cuptiActivityDisable_v2", disable_kind},
    {"cuptiActivityGetNextRecord_v2", next_record},
    {"cuptiGetTimestamp_v2", timestamp},
    {NULL, NULL},
};
