/* stand_in_pcs.c - the stand-in CUPTI's samples of instructions. Each launch of a kernel is met 12 times: at 0x10 it waits for
 * memory 8 times (6 of them in cycles without an issue), at 0x20 for a fixed latency twice, and issues once; the twelfth is in code
 * of the driver. All kernels are of one module, loaded with each context, whose table of lines says line 5 of $RL_PC_SOURCE of
 * 0x10, and line 7 of 0x20. As on a card, only what is asked for in time comes before the end. */
#include <elf.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "stand_in_cupti.h"

enum { KERNELS = 64, PLACES = 2, REASONS = 5, CRC = 0xC0B1 };

static const char *const reasons[REASONS] = {
    "smsp__pcsamp_sample_count",
    "smsp__pcsamp_warps_issue_stalled_long_scoreboard",
    "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued",
    "smsp__pcsamp_warps_issue_stalled_wait",
    "smsp__pcsamp_warps_issue_stalled_selected",
};
/* By place and reason; the first is no reason. */
static const uint32_t met[PLACES][REASONS] = {{8, 8, 6, 0, 0}, {3, 0, 0, 2, 1}};
enum { MET = 12, OTHERS = 1 };

static struct {
    pthread_mutex_t lock;
    CUcontext context;
    CUpti_PCSamplingData *rest; /* of the configuration */
    struct {
        const char *name;
        uint64_t launches;
    } kernels[KERNELS];
    size_t kernel_count;
    uint64_t launches;
    bool used, blind; /* code was loaded while kernels were recorded serially; and so samples have no place */
} pcs = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the module ---- */

static struct {
    Elf64_Ehdr head;
    Elf64_Shdr sections[2];
    char names[24], lines[8];
} module;

const void *stand_in_pcs_module(size_t *size)
{
    static const char names[] = "\0.shstrtab\0.debug_line";
    memcpy(module.head.e_ident, ELFMAG, SELFMAG);
    module.head.e_ident[EI_CLASS] = ELFCLASS64;
    module.head.e_shoff = (uint64_t)((char *)module.sections - (char *)&module);
    module.head.e_shentsize = sizeof module.sections[0];
    module.head.e_shnum = 2;
    memcpy(module.names, names, sizeof names);
    module.sections[0] =
        (Elf64_Shdr){.sh_name = 1, .sh_offset = (uint64_t)(module.names - (char *)&module), .sh_size = sizeof module.names};
    module.sections[1] =
        (Elf64_Shdr){.sh_name = 11, .sh_offset = (uint64_t)(module.lines - (char *)&module), .sh_size = sizeof module.lines};
    *size = sizeof module;
    return &module;
}

static int crc(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    ((CUpti_GetCubinCrcParams *)params)->cubinCrc = CRC;
    return 0;
}

static int source(word params, word a, word b, word c)
{
    CUpti_GetSassToSourceCorrelationParams *p = (void *)params;
    const char *path = getenv("RL_PC_SOURCE"), *slash = path ? strrchr(path, '/') : NULL;
    size_t size = 0;
    (void)a, (void)b, (void)c;
    if (!slash || p->cubinSize != sizeof module || memcmp(p->cubin, stand_in_pcs_module(&size), size) != 0)
        return CUPTI_ERROR_INVALID_MODULE;
    p->fileName = strdup(slash + 1);
    p->dirName = strndup(path, (size_t)(slash - path));
    p->lineNumber = p->pcOffset == 0x10 ? 5 : 7;
    return 0;
}

/* ---- what runs ---- */

void stand_in_pcs_note(const struct stand_in_launch *launch)
{
    size_t at = 0;
    pthread_mutex_lock(&pcs.lock);
    pcs.used = pcs.used || (launch->serial && !pcs.context);
    while (at < pcs.kernel_count && strcmp(pcs.kernels[at].name, launch->kernel.name) != 0)
        at++;
    if (pcs.context == launch->context && at < KERNELS) {
        pcs.kernel_count += at == pcs.kernel_count;
        pcs.kernels[at].name = launch->kernel.name;
        pcs.kernels[at].launches++;
        pcs.launches++;
    }
    pthread_mutex_unlock(&pcs.lock);
}

/* Under the lock. */
static void fill(CUpti_PCSamplingPCData *pc, size_t kernel, size_t place)
{
    pc->cubinCrc = CRC;
    pc->pcOffset = 0x10 * (place + 1);
    pc->functionIndex = (uint32_t)kernel;
    pc->functionName = (char *)(uintptr_t)pcs.kernels[kernel].name;
    pc->stallReasonCount = 0;
    for (uint32_t r = 0; r < REASONS; r++)
        if (met[place][r])
            pc->stallReason[pc->stallReasonCount++] = (CUpti_PCSamplingStallReason){
                .pcSamplingStallReasonIndex = r, .samples = (uint32_t)(met[place][r] * pcs.kernels[kernel].launches)};
}

static void give(CUpti_PCSamplingData *data)
{
    data->totalNumPcs = 0;
    data->totalSamples = pcs.launches * MET;
    data->nonUsrKernelsTotalSamples = pcs.launches * OTHERS;
    for (size_t k = 0; k < pcs.kernel_count; k++)
        for (size_t place = 0; place < PLACES && pcs.kernels[k].launches && !pcs.blind; place++)
            if (data->totalNumPcs < data->collectNumPcs)
                fill(&data->pPcData[data->totalNumPcs++], k, place);
    for (size_t k = 0; k < pcs.kernel_count; k++)
        pcs.kernels[k].launches = 0;
    pcs.launches = 0;
}

/* ---- CUPTI ---- */

/* Whether another process samples the GPU: it has the counters then. */
static bool hardware_is_busy(void)
{
#ifdef STAND_IN_OLDER /* which has no samples of the GPU */
    return false;
#else
    const bool owned = stand_in_pm_is_claimed(), busy = !stand_in_pm_claim(false);
    if (!owned)
        stand_in_pm_give_back();
    return busy;
#endif
}

void stand_in_pcs_forget(void)
{
    pthread_mutex_lock(&pcs.lock);
    pcs.used = false;
    pthread_mutex_unlock(&pcs.lock);
}

static int enable(word params, word a, word b, word c)
{
    CUcontext context = ((CUpti_PCSamplingEnableParams *)params)->ctx;
    (void)a, (void)b, (void)c;
    pthread_mutex_lock(&pcs.lock);
    const bool free = !pcs.context;
    pcs.context = free ? context : pcs.context;
    pcs.blind = pcs.used;
    pthread_mutex_unlock(&pcs.lock);
    return hardware_is_busy() ? CUPTI_ERROR_HARDWARE_BUSY : free ? 0 : CUPTI_ERROR_INVALID_OPERATION;
}

static int configure(word params, word a, word b, word c)
{
    const CUpti_PCSamplingConfigurationInfoParams *p = (void *)params;
    (void)a, (void)b, (void)c;
    for (size_t i = 0; i < p->numAttributes; i++)
        if (p->pPCSamplingConfigurationInfo[i].attributeType == CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER)
            pcs.rest = p->pPCSamplingConfigurationInfo[i].attributeData.samplingDataBufferData.samplingDataBuffer;
    return p->ctx == pcs.context ? 0 : CUPTI_ERROR_INVALID_OPERATION;
}

static int count_reasons(word params, word a, word b, word c)
{
    (void)a, (void)b, (void)c;
    *((CUpti_PCSamplingGetNumStallReasonsParams *)params)->numStallReasons = REASONS;
    return 0;
}

static int list_reasons(word params, word a, word b, word c)
{
    const CUpti_PCSamplingGetStallReasonsParams *p = (void *)params;
    (void)a, (void)b, (void)c;
    for (uint32_t r = 0; r < REASONS; r++) { /* in no order, as CUPTI does */
        p->stallReasonIndex[r] = REASONS - 1 - r;
        memcpy(p->stallReasons[r], reasons[REASONS - 1 - r], strlen(reasons[REASONS - 1 - r]) + 1);
    }
    return 0;
}

static int get(word params, word a, word b, word c)
{
    const CUpti_PCSamplingGetDataParams *p = (void *)params;
    (void)a, (void)b, (void)c;
    pthread_mutex_lock(&pcs.lock);
    const bool on = p->ctx == pcs.context;
    if (on)
        give(p->pcSamplingData);
    pthread_mutex_unlock(&pcs.lock);
    if (hardware_is_busy())
        return CUPTI_ERROR_HARDWARE_BUSY;
    return on ? 0 : CUPTI_ERROR_INVALID_OPERATION;
}

static int disable(word params, word a, word b, word c)
{
    (void)params, (void)a, (void)b, (void)c;
    pthread_mutex_lock(&pcs.lock);
    if (pcs.rest)
        give(pcs.rest);
    pcs.context = NULL;
    pthread_mutex_unlock(&pcs.lock);
    return 0;
}

const struct stand_in_function stand_in_pcs_functions[] = {
    {"cuptiPCSamplingEnable", enable},
    {"cuptiPCSamplingDisable", disable},
    {"cuptiPCSamplingSetConfigurationAttribute", configure},
    {"cuptiPCSamplingGetNumStallReasons", count_reasons},
    {"cuptiPCSamplingGetStallReasons", list_reasons},
    {"cuptiPCSamplingGetData", get},
    {"cuptiGetCubinCrc", crc},
    {"cuptiGetSassToSourceCorrelation", source},
    {NULL, NULL},
};
