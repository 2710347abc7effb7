/* stand_in_sessions.c - the stand-in CUPTI 12.4's counters: profiling sessions.
 *
 * As CUPTI's headers and samples have it: one session for a context; counter image, scratch, session, configuration, pass and
 * profiling are entered in this order and left in the other one, anything else is refused; buffers that are too small are refused;
 * a configuration takes as many passes as it says, and has no values before; ranges beyond what was asked for are dropped. A kernel
 * whose counters are taken runs twice as long, one that is replayed three times as long and before its launch returns. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profiler_api.h"
#include "stand_in_cupti.h"
#include "stand_in_sessions.h"

enum { SCRATCH_SIZE = 48 };

/* How far a session has come: everything up to here is entered. */
enum state { BEGUN = 1, CONFIGURED, IN_PASS, ENABLED };
struct session {
    CUcontext context; /* NULL: destroyed */
    enum state state;
    bool user, replay, inside;
    size_t room, count, dropped;
    uint32_t passes, made;
    struct session_image *image;
    struct session *next;
};
static struct session *sessions;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define PARAMS(name, function)                                                                                                     \
    struct rl_##function *name = (void *)params;                                                                                   \
    (void)a, (void)b, (void)c;                                                                                                     \
    if (name->structSize != rl_##function##_SIZE)                                                                                  \
    return CUPTI_ERROR_INVALID_PARAMETER

/* ---- the device ---- */

static int initialize(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerInitialize);
    return 0;
}

static int chip_name(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    ((CUpti_Device_GetChipName_Params *)params)->pChipName = "GH100";
    return 0;
}

static int availability(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerGetCounterAvailability);
    enum { SIZE = 8 };
    if (p->pCounterAvailabilityImage && p->counterAvailabilityImageSize < SIZE)
        return CUPTI_ERROR_PARAMETER_SIZE_NOT_SUFFICIENT;
    p->counterAvailabilityImageSize = SIZE;
    return 0;
}

/* ---- images ---- */

static size_t size_of(const struct rl_profiler_image_options *options)
{
    return sizeof(struct session_image) + options->maxNumRanges * sizeof(struct session_range);
}

static bool are_good(const struct rl_profiler_image_options *options, size_t size)
{
    const struct prefix *prefix = (const void *)options->pCounterDataPrefix;
    return size == RL_PROFILER_OPTIONS_SIZE && options->structSize == RL_PROFILER_OPTIONS_SIZE && prefix &&
           options->counterDataPrefixSize == sizeof *prefix && prefix->magic == PREFIX_MAGIC && options->maxNumRanges &&
           options->maxNumRangeTreeNodes >= options->maxNumRanges && options->maxRangeNameLength > 1;
}

static int image_size(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerCounterDataImageCalculateSize);
    if (!are_good(p->pOptions, p->sizeofCounterDataImageOptions))
        return CUPTI_ERROR_INVALID_PARAMETER;
    p->counterDataImageSize = size_of(p->pOptions);
    return 0;
}

static int image_initialize(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerCounterDataImageInitialize);
    struct session_image *image = (void *)p->pCounterDataImage;
    if (!are_good(p->pOptions, p->sizeofCounterDataImageOptions) || p->counterDataImageSize < size_of(p->pOptions))
        return CUPTI_ERROR_INVALID_PARAMETER;
    memset(image, 0, p->counterDataImageSize);
    image->magic = IMAGE_MAGIC;
    image->room = p->pOptions->maxNumRanges;
    return 0;
}

static int scratch_size(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerCounterDataImageCalculateScratchBufferSize);
    if (!p->pCounterDataImage || ((struct session_image *)p->pCounterDataImage)->magic != IMAGE_MAGIC)
        return CUPTI_ERROR_INVALID_PARAMETER;
    p->counterDataScratchBufferSize = SCRATCH_SIZE;
    return 0;
}

static int scratch_initialize(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerCounterDataImageInitializeScratchBuffer);
    if (p->counterDataScratchBufferSize < SCRATCH_SIZE || !p->pCounterDataScratchBuffer)
        return CUPTI_ERROR_INVALID_PARAMETER;
    memset(p->pCounterDataScratchBuffer, 1, SCRATCH_SIZE);
    return 0;
}

/* ---- sessions; the functions below that begin with locked_ are called with the lock ---- */

static struct session *locked_find(CUcontext context)
{
    struct session *at = sessions;
    while (at && at->context != context)
        at = at->next;
    return at;
}

/* The session of the context, with the lock, if it is in the state and nothing runs in the context; or NULL, and CUPTI's code. */
static struct session *take(CUcontext context, enum state state, const char *who, int *error)
{
    stand_in_wait_idle(context, who);
    pthread_mutex_lock(&lock);
    struct session *session = locked_find(context);
    *error = session && session->state == state ? 0 : CUPTI_ERROR_INVALID_OPERATION;
    if (!*error)
        return session;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static int begin_session(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerBeginSession);
    struct session_image *image = (void *)p->pCounterDataImage;
    const bool good = p->ctx && image && image->magic == IMAGE_MAGIC && p->pCounterDataScratchBuffer &&
                      p->counterDataScratchBufferSize >= SCRATCH_SIZE && p->pCounterDataScratchBuffer[0] == 1 &&
                      p->maxRangesPerPass && p->maxRangesPerPass <= image->room && p->maxLaunchesPerPass >= p->maxRangesPerPass;
    int error = good ? 0 : CUPTI_ERROR_INVALID_PARAMETER;
    pthread_mutex_lock(&lock);
    if (!error && locked_find(p->ctx))
        error = CUPTI_ERROR_INVALID_OPERATION;
    if (!error) {
        struct session *session = calloc(1, sizeof *session);
        *session = (struct session){.context = p->ctx,
                                    .state = BEGUN,
                                    .user = p->range == CUPTI_UserRange,
                                    .replay = p->replayMode == CUPTI_KernelReplay,
                                    .room = p->maxRangesPerPass,
                                    .image = image,
                                    .next = sessions};
        sessions = session;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

static int end_session(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerEndSession);
    int error;
    struct session *session = take(p->ctx, BEGUN, "cuptiProfilerEndSession", &error);
    if (!session)
        return error;
    for (struct session **at = &sessions; *at; at = &(*at)->next)
        if (*at == session) {
            *at = session->next;
            free(session);
            break;
        }
    pthread_mutex_unlock(&lock);
    return 0;
}

static int set_config(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerSetConfig);
    const struct config_image *config = (const void *)p->pConfig;
    int error;
    if (!config || p->configSize != sizeof *config || config->magic != CONFIG_MAGIC || p->minNestingLevel != 1 ||
        p->numNestingLevels != 1 || p->targetNestingLevel != 1 || p->passIndex != 0)
        return CUPTI_ERROR_INVALID_PARAMETER;
    struct session *session = take(p->ctx, BEGUN, "cuptiProfilerSetConfig", &error);
    if (!session)
        return error;
    session->passes = config->passes;
    session->state = CONFIGURED;
    pthread_mutex_unlock(&lock);
    return 0;
}

/* From one state to the next, or back. */
static int go(CUcontext context, enum state from, enum state to, const char *who)
{
    int error;
    struct session *session = take(context, from, who, &error);
    if (!session)
        return error;
    session->state = to;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int unset_config(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerUnsetConfig);
    return go(p->ctx, CONFIGURED, BEGUN, "cuptiProfilerUnsetConfig");
}

static int begin_pass(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerBeginPass);
    int error;
    struct session *session = take(p->ctx, CONFIGURED, "cuptiProfilerBeginPass", &error);
    if (!session)
        return error;
    session->count = session->dropped = 0; /* the same ranges again, for other counters */
    for (size_t i = 0; i < session->image->room; i++)
        session->image->ranges[i].work = 0;
    session->state = IN_PASS;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int end_pass(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerEndPass);
    int error;
    struct session *session = take(p->ctx, IN_PASS, "cuptiProfilerEndPass", &error);
    if (!session)
        return error;
    session->made += session->replay ? session->passes : 1;
    session->state = CONFIGURED;
    p->passIndex = session->made;
    p->targetNestingLevel = 1;
    p->allPassesSubmitted = session->made >= session->passes;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int enable(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerEnableProfiling);
    return go(p->ctx, IN_PASS, ENABLED, "cuptiProfilerEnableProfiling");
}

static int disable(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerDisableProfiling);
    return go(p->ctx, ENABLED, IN_PASS, "cuptiProfilerDisableProfiling");
}

static int flush(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerFlushCounterData);
    int error;
    struct session *session = take(p->ctx, CONFIGURED, "cuptiProfilerFlushCounterData", &error);
    if (!session)
        return error;
    session->image->count = (uint32_t)session->count;
    session->image->whole = session->made >= session->passes;
    p->numRangesDropped = session->dropped;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int push(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerPushRange);
    int error;
    struct session *session = take(p->ctx, ENABLED, "cuptiProfilerPushRange", &error);
    if (!session)
        return error;
    error = session->user && !session->inside && p->pRangeName ? 0 : CUPTI_ERROR_INVALID_OPERATION;
    if (!error && session->count < session->room)
        snprintf(session->image->ranges[session->count].name, sizeof session->image->ranges[0].name, "%s", p->pRangeName);
    session->inside = session->inside || !error;
    pthread_mutex_unlock(&lock);
    return error;
}

static int pop(word params, word a, word b, word c)
{
    PARAMS(p, cuptiProfilerPopRange);
    int error;
    struct session *session = take(p->ctx, ENABLED, "cuptiProfilerPopRange", &error);
    if (!session)
        return error;
    error = session->inside ? 0 : CUPTI_ERROR_INVALID_OPERATION;
    if (!error)
        *(session->count < session->room ? &session->count : &session->dropped) += 1;
    session->inside = false;
    pthread_mutex_unlock(&lock);
    return error;
}

/* ---- launches ---- */

static bool locked_count(struct session *session, struct stand_in_launch *launch)
{
    struct session_range *range = session->count < session->room ? &session->image->ranges[session->count] : NULL;
    if (session->user && !session->inside)
        return false;
    if (!session->user && range)
        snprintf(range->name, sizeof range->name, "%zu", session->count);
    if (range)
        range->work += launch->kernel.work;
    if (!session->user)
        *(range ? &session->count : &session->dropped) += 1;
    launch->kernel.duration_ns *= session->replay ? 3 : 2;
    return !session->user;
}

bool stand_in_count(struct stand_in_launch *launch)
{
    pthread_mutex_lock(&lock);
    struct session *session = locked_find(launch->context);
    const bool wait = session && session->state == ENABLED && locked_count(session, launch);
    pthread_mutex_unlock(&lock);
    return wait;
}

void stand_in_ranges_forget(CUcontext context)
{
    pthread_mutex_lock(&lock);
    struct session *session = locked_find(context);
    if (session)
        session->context = NULL;
    pthread_mutex_unlock(&lock);
}

/* CUPTI 12.4 samples nothing. */
void stand_in_pm_note(const struct stand_in_launch *launch)
{
    (void)launch;
}

const struct stand_in_function stand_in_pm_functions[] = {{NULL, NULL}};
const struct stand_in_function stand_in_range_functions[] = {
    {"cuptiDeviceGetChipName", chip_name},
    {"cuptiProfilerInitialize", initialize},
    {"cuptiProfilerGetCounterAvailability", availability},
    {"cuptiProfilerCounterDataImageCalculateSize", image_size},
    {"cuptiProfilerCounterDataImageInitialize", image_initialize},
    {"cuptiProfilerCounterDataImageCalculateScratchBufferSize", scratch_size},
    {"cuptiProfilerCounterDataImageInitializeScratchBuffer", scratch_initialize},
    {"cuptiProfilerBeginSession", begin_session},
    {"cuptiProfilerEndSession", end_session},
    {"cuptiProfilerSetConfig", set_config},
    {"cuptiProfilerUnsetConfig", unset_config},
    {"cuptiProfilerBeginPass", begin_pass},
    {"cuptiProfilerEndPass", end_pass},
    {"cuptiProfilerEnableProfiling", enable},
    {"cuptiProfilerDisableProfiling", disable},
    {"cuptiProfilerFlushCounterData", flush},
    {"cuptiProfilerPushRange", push},
    {"cuptiProfilerPopRange", pop},
    {NULL, NULL},
};
