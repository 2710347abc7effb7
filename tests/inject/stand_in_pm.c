/* stand_in_pm.c - the stand-in CUPTI's samples of a whole GPU. What kernels ran is in the file that $RL_PM_FILE names, which every
 * process of the stand-in driver writes and whoever samples reads. As on a card, the first sample after a pause reaches back to
 * the last one before it.
 *
 * The work of a kernel is spread evenly over its time; "sm__cycles_active" is the time that kernels ran, in ns,
 * "sm__cycles_elapsed" that of the sample, "dram__bytes_read" their work, "sm__inst_executed_realtime" twice that, and
 * "pcie__read_bytes" three times. $RL_PM_FAULT: "refused", "crashes" and "hangs" (from the second window on), "no_pcie",
 * "no_links". A sample takes $RL_PM_COST_US of the processor to decode, and a quarter of that, up to 25 us, to make room for;
 * sampling takes $RL_PM_ENABLE_MS to be enabled.
 *
 * "$RL_PM_FILE.met" has a byte for each sample in which a kernel ran and whose values were asked for before the window that is open
 * began: what was asked for in that one may be of no use to a program that ends now.
 *
 * The counters of the hardware have one owner: whoever samples, or processes with a range profiler. */
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "stand_in_cupti.h"

struct ran {
    uint64_t start_ns, end_ns, device;
    double work;
};
struct sample {
    uint64_t start_ns, end_ns;
    double busy_ns, work;
};
struct image {
    uint32_t magic, room, count, unused;
    struct sample samples[];
};
enum { MAGIC = 0x504d494d, MOST = 1 << 16, LATE_US = 3000 };

static struct {
    uint64_t interval_ns, begun_ns, before_ns;
    bool of_links; /* some of what is counted is */
    size_t stops;  /* of windows */
    struct sample samples[MOST];
    size_t count, taken;
    bool undecoded; /* something of the last window */
} sampling;

#define PARAMS(name, type)                                                                                                         \
    CUpti_##type##_Params *name = (void *)params;                                                                                  \
    (void)a, (void)b, (void)c

void stand_in_pm_note(const struct stand_in_launch *launch)
{
    const char *path = getenv("RL_PM_FILE");
    const struct ran ran = {launch->start_ns, launch->end_ns, launch->device, launch->kernel.work};
    const int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (fd < 0)
        return;
    if (write(fd, &ran, sizeof ran) != sizeof ran)
        abort();
    close(fd);
}

static atomic_size_t met;

static void tell_met(void)
{
    static const char bytes[MOST];
    static int fd = -1;
    char name[4096];
    const char *path = getenv("RL_PM_FILE");
    if (path && fd < 0) {
        snprintf(name, sizeof name, "%s.met", path);
        fd = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
    const size_t count = atomic_exchange(&met, 0);
    if (fd >= 0 && write(fd, bytes, count) != (ssize_t)count)
        abort();
}

static int owner_fd = -1;

bool stand_in_pm_claim(bool samples)
{
    const char *path = getenv("RL_PM_FILE");
    char name[4096];
    if (!path || owner_fd >= 0)
        return true;
    snprintf(name, sizeof name, "%s.owner", path);
    owner_fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (owner_fd < 0)
        abort();
    if (flock(owner_fd, (samples ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0)
        return true;
    close(owner_fd);
    owner_fd = -1;
    return false;
}

bool stand_in_pm_is_claimed(void)
{
    return owner_fd >= 0;
}

void stand_in_pm_give_back(void)
{
    if (owner_fd >= 0)
        close(owner_fd);
    owner_fd = -1;
}

static bool has_fault(const char *name)
{
    const char *fault = getenv("RL_PM_FAULT");
    return fault && strcmp(fault, name) == 0;
}

/* ---- what is sampled ---- */

static void add(const struct ran *ran)
{
    for (size_t i = 0; i < sampling.count; i++) {
        struct sample *sample = &sampling.samples[i];
        const uint64_t from = ran->start_ns > sample->start_ns ? ran->start_ns : sample->start_ns;
        const uint64_t to = ran->end_ns < sample->end_ns ? ran->end_ns : sample->end_ns;
        if (to <= from)
            continue;
        sample->busy_ns += (double)(to - from);
        sample->work += ran->work * (double)(to - from) / (double)(ran->end_ns - ran->start_ns);
    }
}

static void read_all(void)
{
    const char *path = getenv("RL_PM_FILE");
    const int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    struct ran ran;
    while (fd >= 0 && read(fd, &ran, sizeof ran) == sizeof ran)
        if (ran.device == 0 && sampling.count && ran.end_ns > sampling.samples[0].start_ns)
            add(&ran);
    if (fd >= 0)
        close(fd);
}

static void make_samples(uint64_t end_ns)
{
    sampling.count = sampling.taken = 0;
    for (uint64_t at = sampling.begun_ns; at + sampling.interval_ns <= end_ns && sampling.count < MOST; at += sampling.interval_ns)
        sampling.samples[sampling.count++] = (struct sample){.start_ns = at, .end_ns = at + sampling.interval_ns};
    if (sampling.count && sampling.before_ns)
        sampling.samples[0].start_ns = sampling.before_ns;
    sampling.before_ns = sampling.count ? sampling.samples[sampling.count - 1].end_ns : 0;
}

/* ---- functions ---- */

static int enable(word params, word a, word b, word c)
{
    PARAMS(p, PmSampling_Enable);
    const char *enable_ms = getenv("RL_PM_ENABLE_MS");
    p->pPmSamplingObject = (void *)&sampling;
    sampling.undecoded = false;
    if (enable_ms)
        usleep((useconds_t)strtoul(enable_ms, NULL, 10) * 1000);
    if (has_fault("refused"))
        return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
    return stand_in_pm_claim(true) ? 0 : CUPTI_ERROR_HARDWARE_BUSY;
}

static int disable(word params, word a, word b, word c)
{
    (void)params, (void)a, (void)b, (void)c;
    stand_in_pm_give_back();
    return 0;
}

static int set_config(word params, word a, word b, word c)
{
    PARAMS(p, PmSampling_SetConfig);
    sampling.interval_ns = p->samplingInterval;
    return 0;
}

static int start(word params, word a, word b, word c)
{
    (void)params, (void)a, (void)b, (void)c;
    if (sampling.undecoded)
        return CUPTI_ERROR_UNKNOWN; /* as a card: H100, CUDA 13.0 */
    tell_met();
    sampling.begun_ns = stand_in_now_ns();
    return 0;
}

static int stop(word params, word a, word b, word c)
{
    (void)params, (void)a, (void)b, (void)c;
    const bool tried = sampling.stops++ > 0; /* the first window only tries whether samples come */
    if (tried && has_fault("crashes"))
        raise(SIGKILL);
    while (tried && has_fault("hangs"))
        pause();
    make_samples(stand_in_now_ns());
    sampling.undecoded = true;
    usleep(LATE_US); /* what runs now is told when it has ended */
    read_all();
    return 0;
}

static int decode(word params, word a, word b, word c)
{
    PARAMS(p, PmSampling_DecodeData);
    struct image *to = (void *)p->pCounterDataImage;
    if (to->magic != MAGIC || to->count)
        return CUPTI_ERROR_INVALID_PARAMETER;
    if (sampling.of_links && has_fault("no_links")) /* as on a card whose links lead nowhere */
        sampling.count = 0;
    while (to->count < to->room && sampling.taken < sampling.count)
        to->samples[to->count++] = sampling.samples[sampling.taken++];
    p->decodeStopReason = sampling.taken < sampling.count ? CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL
                                                          : CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS;
    sampling.undecoded = sampling.taken < sampling.count;
    return 0;
}

static int availability(word params, word a, word b, word c)
{
    PARAMS(p, PmSampling_GetCounterAvailability);
    if (!p->pCounterAvailabilityImage)
        p->counterAvailabilityImageSize = 8;
    return 0;
}

static int data_size(word params, word a, word b, word c)
{
    PARAMS(p, PmSampling_GetCounterDataSize);
    p->counterDataSize = sizeof(struct image) + p->maxSamples * sizeof(struct sample);
    sampling.of_links = false;
    for (size_t i = 0; i < p->numMetrics; i++)
        sampling.of_links = sampling.of_links || strncmp(p->pMetricNames[i], "nvl", 3) == 0;
    return 0;
}

static uint64_t cost_us(void)
{
    const char *cost = getenv("RL_PM_COST_US");
    return cost ? strtoull(cost, NULL, 10) : 0;
}

/* Works for as long. */
static void work(uint64_t us)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    const int64_t end_ns = now.tv_sec * 1000000000 + now.tv_nsec + (int64_t)us * 1000;
    while (now.tv_sec * 1000000000 + now.tv_nsec < end_ns)
        (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
}

static int initialize(word params, word a, word b, word c)
{
    PARAMS(p, PmSampling_CounterDataImage_Initialize);
    struct image *image = (void *)p->pCounterData;
    *image = (struct image){.magic = MAGIC, .room = (uint32_t)((p->counterDataSize - sizeof *image) / sizeof *image->samples)};
    work(image->room * (cost_us() < 100 ? cost_us() / 4 : 25));
    return 0;
}

static int info(word params, word a, word b, word c)
{
    PARAMS(p, PmSampling_GetCounterDataInfo);
    p->numCompletedSamples = ((const struct image *)(const void *)p->pCounterDataImage)->count;
    return 0;
}

static int sample_info(word params, word a, word b, word c)
{
    PARAMS(p, PmSampling_CounterData_GetSampleInfo);
    const struct image *from = (const void *)p->pCounterDataImage;
    p->startTimestamp = from->samples[p->sampleIndex].start_ns;
    p->endTimestamp = from->samples[p->sampleIndex].end_ns;
    return 0;
}

bool stand_in_pm_evaluate(CUpti_Profiler_Host_EvaluateToGpuValues_Params *params)
{
    const struct image *from = (const void *)params->pCounterDataImage;
    if (from->magic != MAGIC || params->rangeIndex >= from->count)
        return false;
    const struct sample *sample = &from->samples[params->rangeIndex];
    work(cost_us());
    if (sample->busy_ns > 0)
        atomic_fetch_add(&met, 1);
    for (size_t i = 0; i < params->numMetrics; i++)
        params->pMetricValues[i] = strstr(params->ppMetricNames[i], "elapsed")      ? (double)(sample->end_ns - sample->start_ns)
                                   : strstr(params->ppMetricNames[i], "sm__cycles") ? sample->busy_ns
                                   : strstr(params->ppMetricNames[i], "dram__")     ? sample->work
                                   : strstr(params->ppMetricNames[i], "pcie__")     ? has_fault("no_pcie") ? NAN : 3 * sample->work
                                                                                    : 2 * sample->work;
    return true;
}

const struct stand_in_function stand_in_pm_functions[] = {
    {"cuptiPmSamplingEnable", enable},
    {"cuptiPmSamplingDisable", disable},
    {"cuptiPmSamplingSetConfig", set_config},
    {"cuptiPmSamplingStart", start},
    {"cuptiPmSamplingStop", stop},
    {"cuptiPmSamplingDecodeData", decode},
    {"cuptiPmSamplingGetCounterAvailability", availability},
    {"cuptiPmSamplingGetCounterDataSize", data_size},
    {"cuptiPmSamplingCounterDataImageInitialize", initialize},
    {"cuptiPmSamplingGetCounterDataInfo", info},
    {"cuptiPmSamplingCounterDataGetSampleInfo", sample_info},
    {NULL, NULL},
};
