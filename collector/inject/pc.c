/* pc.c - PC sampling: the hardware samples where warps are and why they stall, while the program runs normally (continuous mode).
 * It is on from the creation of a context to its end, or that of the process: switching it off while other threads launch kernels
 * hangs in CUPTI (H100, CUDA 13.0), and switching it on later delays the program by a third of a second. */
#include "pc.h"
#include "capture/capture.h"

enum {
    MOST_REASONS = 64,
    AT_ONCE = 2048,   /* instructions in one call */
    AT_END = 1 << 14, /* instructions that CUPTI delivers when sampling is switched off */
    SLOTS = 2 * RL_STREAM_MOST_FUNCTIONS,
    PAUSE_NS = 100000000,
    LEAST_VERSION = 22, /* CUPTI API version: records have their present form from 12.4 on */
    USUAL_PERIOD = 16
};
#define USUAL_BUFFER ((size_t)128 << 20) /* bytes for samples every 2^16 cycles, */
#define MOST_BUFFER  ((size_t)512 << 20) /* and CUPTI's default, for shorter periods */

static pthread_mutex_t pc_lock = PTHREAD_MUTEX_INITIALIZER; /* taken before `lock` */

static struct sampler {
    CUcontext context; /* NULL: none, or destroyed */
    bool begun;
    rl_pc_data got, rest; /* data of a regular read; data left at the end */
    struct rl_record_pc_totals totals;
} samplers[MOST_GPUS]; /* by GPU; all protected by pc_lock */
static struct {
    bool stall, not_issued;
    enum rl_stall_reason reason;
} reasons[MOST_REASONS]; /* by CUPTI's number */
static size_t reason_count;
static struct {
    uint64_t cubin;
    uint32_t index, gpu, number; /* number: 1 and up; 0: nothing is here */
} * functions;                   /* SLOTS */
static uint32_t function_count;
static atomic_bool unloaded; /* a module was unloaded since samples were read */
static atomic_bool refused;  /* the reason for missing samples was sent */

/* Reported once: consequences have the same cause. */
static void refuse(const char *why)
{
    if (!atomic_exchange(&refused, true)) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, "no stall reasons: %s", why);
        say(RL_LOG_WARNING, RL_OK, text.data);
        rl_buf_release(&text);
    }
}

/* ---- on ---- */

static bool make_room(rl_pc_data *data, size_t count)
{
    CUpti_PCSamplingPCData *at = keep(count * sizeof *at);
    CUpti_PCSamplingStallReason *stalls = keep(count * reason_count * sizeof *stalls);
    *data = (rl_pc_data){.size = sizeof *data, .collectNumPcs = count, .pPcData = at};
    for (size_t i = 0; at && stalls && i < count; i++) {
        at[i].size = sizeof at[i];
        at[i].stallReason = &stalls[i * reason_count];
    }
    return at && stalls;
}

static size_t buffer_bytes(void)
{
    size_t bytes = USUAL_BUFFER;
    for (long period = settings.pc_sampling; period < USUAL_PERIOD && bytes < MOST_BUFFER; period++)
        bytes *= 2;
    return bytes;
}

static enum rl_status configure(struct sampler *sampler, CUcontext context, uint32_t *numbers, struct rl_err *err)
{
    CUpti_PCSamplingConfigurationInfo info[] = {
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE,
         .attributeData.collectionModeData.collectionMode = CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS},
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD,
         .attributeData.samplingPeriodData.samplingPeriod = (uint32_t)settings.pc_sampling},
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON,
         .attributeData.stallReasonData = {.stallReasonCount = reason_count, .pStallReasonIndex = numbers}},
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE,
         .attributeData.hardwareBufferSizeData.hardwareBufferSize = buffer_bytes()},
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER,
         .attributeData.samplingDataBufferData.samplingDataBuffer = &sampler->rest},
    };
    CUpti_PCSamplingConfigurationInfoParams params = {.size = CUpti_PCSamplingConfigurationInfoParamsSize,
                                                      .ctx = context,
                                                      .numAttributes = RL_COUNT(info),
                                                      .pPCSamplingConfigurationInfo = info};
    return RL_CUPTI(err, cuptiPCSamplingSetConfigurationAttribute, &params);
}

static enum rl_status switch_on(struct sampler *sampler, CUcontext context, struct rl_err *err)
{
    uint32_t numbers[MOST_REASONS] = {0};
    CUpti_PCSamplingEnableParams params = {.size = CUpti_PCSamplingEnableParamsSize, .ctx = context};
    bool room = false;
    enum rl_status status = RL_CUPTI(err, cuptiPCSamplingEnable, &params);
    if (status == RL_OK) {
        /* CUPTI's numbers of the stall reasons, and ours. */
        static char texts[MOST_REASONS][CUPTI_STALL_REASON_STRING_SIZE];
        char *names[MOST_REASONS];
        for (size_t i = 0; i < MOST_REASONS; i++)
            names[i] = texts[i];
        CUpti_PCSamplingGetNumStallReasonsParams count = {
            .size = CUpti_PCSamplingGetNumStallReasonsParamsSize, .ctx = context, .numStallReasons = &reason_count};
        CUpti_PCSamplingGetStallReasonsParams list = {
            .size = CUpti_PCSamplingGetStallReasonsParamsSize, .ctx = context, .stallReasonIndex = numbers, .stallReasons = names};
        status = RL_CUPTI(err, cuptiPCSamplingGetNumStallReasons, &count);
        if (status == RL_OK && reason_count > MOST_REASONS)
            status = rl_err_set(err, RL_UNSUPPORTED, "this CUPTI knows more stall reasons than rooflight: update rooflight");
        list.numStallReasons = reason_count;
        if (status == RL_OK)
            status = RL_CUPTI(err, cuptiPCSamplingGetStallReasons, &list);
        for (size_t i = 0; i < reason_count && status == RL_OK; i++) {
            bool not_issued = false;
            const enum rl_stall_reason reason = rl_stall_of_name(names[i], &not_issued);
            if (numbers[i] < MOST_REASONS && reason != RL_STALL_COUNT) {
                reasons[numbers[i]].stall = true;
                reasons[numbers[i]].not_issued = not_issued;
                reasons[numbers[i]].reason = reason;
            }
        }
    }
    if (status == RL_OK && hold()) {
        if (!functions)
            functions = keep(SLOTS * sizeof *functions);
        room = functions && make_room(&sampler->got, AT_ONCE) && make_room(&sampler->rest, AT_END);
        let_go();
    }
    if (status == RL_OK && !room)
        status = rl_err_set(err, RL_FAILED, "there is not enough memory for samples");
    return status == RL_OK ? configure(sampler, context, numbers, err) : status;
}

static bool is_served(void)
{
    uint32_t version = 0;
    return rl_cupti.cuptiPCSamplingEnable && rl_cupti.cuptiPCSamplingDisable && rl_cupti.cuptiPCSamplingGetData &&
           rl_cupti.cuptiPCSamplingSetConfigurationAttribute && rl_cupti.cuptiPCSamplingGetNumStallReasons &&
           rl_cupti.cuptiPCSamplingGetStallReasons && rl_cupti.cuptiGetCubinCrc &&
           rl_cupti.cuptiGetVersion(&version) == CUPTI_SUCCESS && version >= LEAST_VERSION;
}

void pc_context_made(CUcontext context)
{
    struct rl_err err = RL_ERR_INIT;
    uint32_t gpu = 0;
    if (!settings.pc_sampling || rl_cupti.cuptiGetDeviceId(context, &gpu) != CUPTI_SUCCESS || gpu >= MOST_GPUS ||
        !take_mutex(&pc_lock))
        return;
    struct sampler *sampler = &samplers[gpu];
    if (!is_served())
        refuse("this CUPTI cannot sample them, or only by an older interface: 12.4 or newer is needed");
    else if (sampler->begun)
        refuse("the program uses a second context on the same GPU, which cannot be sampled");
    else if (switch_on(sampler, context, &err) != RL_OK)
        refuse(err.text);
    else
        sampler->context = context;
    sampler->begun = true;
    sampler->totals.gpu = gpu;
    sampler->totals.period = (uint32_t)settings.pc_sampling;
    pthread_mutex_unlock(&pc_lock);
}

/* ---- what was sampled ---- */

/* The number of a function, from 1 on, which is reported if new; 0: no room. Under both locks. */
static uint32_t number_of(const CUpti_PCSamplingPCData *pc, uint32_t gpu)
{
    const uint64_t mixed =
        (pc->cubinCrc ^ ((uint64_t)pc->functionIndex << 20) ^ ((uint64_t)gpu << 50)) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (mixed >> 32) % SLOTS;
    while (functions[at].number &&
           (functions[at].cubin != pc->cubinCrc || functions[at].index != pc->functionIndex || functions[at].gpu != gpu))
        at = (at + 1) % SLOTS;
    if (functions[at].number || function_count == RL_STREAM_MOST_FUNCTIONS)
        return functions[at].number;
    const char *name = pc->functionName ? pc->functionName : "";
    struct rl_record_pc_function record = {.function = function_count, .gpu = gpu, .cubin = pc->cubinCrc};
    functions[at].cubin = pc->cubinCrc;
    functions[at].index = pc->functionIndex;
    functions[at].gpu = gpu;
    functions[at].number = ++function_count;
    module_want(pc->cubinCrc);
    out_add(RL_RECORD_pc_function, &record, sizeof record, &name, 1);
    return function_count;
}

static void tell_pc(const CUpti_PCSamplingPCData *pc, struct rl_record_pc_totals *totals)
{
    struct {
        struct rl_record_pc_samples is;
        struct rl_stream_stall stalls[RL_STALL_COUNT];
    } record = {.is = {.offset = pc->pcOffset}};
    /* By reason; CUPTI counts samples in cycles without an issue among the others, and once more alone. */
    struct rl_stream_stall by[RL_STALL_COUNT] = {{0}};
    size_t count = 0;
    for (size_t i = 0; i < pc->stallReasonCount && i < reason_count; i++) {
        const CUpti_PCSamplingStallReason *stall = &pc->stallReason[i];
        if (stall->pcSamplingStallReasonIndex >= MOST_REASONS || !reasons[stall->pcSamplingStallReasonIndex].stall)
            continue;
        struct rl_stream_stall *to = &by[reasons[stall->pcSamplingStallReasonIndex].reason];
        *(reasons[stall->pcSamplingStallReasonIndex].not_issued ? &to->not_issued : &to->samples) += stall->samples;
    }
    for (unsigned r = 0; r < RL_STALL_COUNT; r++)
        if (by[r].samples) {
            by[r].reason = r;
            record.stalls[count++] = by[r];
        }
    const uint32_t number = count ? number_of(pc, totals->gpu) : 0;
    record.is.function = number - 1;
    record.is.stall_count = (uint32_t)count;
    if (number)
        out_add(RL_RECORD_pc_samples, &record, sizeof record.is + count * sizeof *record.stalls, NULL, 0);
    for (size_t i = 0; i < count && !number; i++)
        totals->unkept += record.stalls[i].samples;
}

static void tell(struct sampler *sampler, const rl_pc_data *data)
{
    struct rl_record_pc_totals *totals = &sampler->totals;
    (void)gpu_seen(totals->gpu);
    if (!hold())
        return;
    totals->samples += data->totalSamples;
    totals->dropped += data->droppedSamples;
    totals->others += data->nonUsrKernelsTotalSamples;
    for (size_t i = 0; i < data->totalNumPcs && i < data->collectNumPcs; i++)
        tell_pc(&data->pPcData[i], totals);
    modules_flush();
    out_add(RL_RECORD_pc_totals, totals, sizeof *totals, NULL, 0);
    out_flush();
    let_go();
}

/* Whether the maximum that one call returns fits into the stream, so that no sample is lost. */
static bool has_room(void)
{
    const size_t most = sizeof(struct rl_record_pc_samples) + RL_STALL_COUNT * sizeof(struct rl_stream_stall);
    if (!hold())
        return false;
    modules_flush();
    out_flush();
    const bool room = out_has_room(AT_ONCE * most);
    let_go();
    return room;
}

static void empty(rl_pc_data *data)
{
    data->totalSamples = data->droppedSamples = data->nonUsrKernelsTotalSamples = 0;
    data->totalNumPcs = data->remainingNumPcs = 0;
    data->hardwareBufferFull = 0;
}

/* Under pc_lock. */
static void take(struct sampler *sampler)
{
    rl_pc_data *data = &sampler->got;
    CUpti_PCSamplingGetDataParams params = {
        .size = CUpti_PCSamplingGetDataParamsSize, .ctx = sampler->context, .pcSamplingData = data};
    bool more = true;
    while (more && atomic_load(&alive) && has_room()) {
        empty(data);
        const CUptiResult result = rl_cupti.cuptiPCSamplingGetData(&params);
        sampler->totals.overflows += result == CUPTI_ERROR_OUT_OF_MEMORY || data->hardwareBufferFull;
        more = result == CUPTI_SUCCESS && data->totalNumPcs && data->remainingNumPcs;
        if (data->totalSamples || data->hardwareBufferFull)
            tell(sampler, data);
    }
}

static void take_of_all(void)
{
    if (!take_mutex(&pc_lock))
        return;
    for (size_t i = 0; i < MOST_GPUS; i++)
        if (samplers[i].context)
            take(&samplers[i]);
    pthread_mutex_unlock(&pc_lock);
}

/* A lower bound on the frequency: the process waits at its end for what CUPTI still has to deliver. */
void pc_gather(void)
{
    static uint64_t next_ns; /* the worker's */
    if (!settings.pc_sampling || now_ns() < next_ns)
        return;
    take_of_all();
    next_ns = now_ns() + PAUSE_NS;
}

/* An address may belong to another instruction from now on, so earlier samples are read first. */
void pc_module_loaded(const void *cubin, size_t size)
{
    if (!settings.pc_sampling || atomic_load(&refused) || !is_served())
        return;
    module_loaded(cubin, size);
    if (atomic_exchange(&unloaded, false))
        take_of_all();
}

void pc_module_gone(void)
{
    atomic_store(&unloaded, true);
}

/* ---- off; under pc_lock ---- */

static void switch_off(struct sampler *sampler)
{
    CUpti_PCSamplingDisableParams params = {.size = CUpti_PCSamplingDisableParamsSize, .ctx = sampler->context};
    take(sampler);
    empty(&sampler->rest);
    if (rl_cupti.cuptiPCSamplingDisable(&params) == CUPTI_SUCCESS)
        tell(sampler, &sampler->rest);
    sampler->context = NULL;
}

void pc_context_gone(CUcontext context)
{
    if (!settings.pc_sampling || !take_mutex(&pc_lock))
        return;
    for (size_t i = 0; i < MOST_GPUS; i++)
        if (samplers[i].context == context)
            switch_off(&samplers[i]);
    pthread_mutex_unlock(&pc_lock);
}

/* The process must not exit meanwhile: with CUPTI half shut down the driver's exit would wait for ever. */
void pc_end(void)
{
    if (!settings.pc_sampling || !take_mutex(&pc_lock))
        return;
    leave_waits_whole(true);
    for (size_t i = 0; i < MOST_GPUS; i++)
        if (samplers[i].context)
            switch_off(&samplers[i]);
    leave_waits_whole(false);
    pthread_mutex_unlock(&pc_lock);
}
