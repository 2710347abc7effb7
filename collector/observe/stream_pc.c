#include "stream_read.h"

enum { MOST_CUBINS = 1 << 12 };
static const uint64_t MOST_CUBIN_BYTES = (uint64_t)256 << 20;

bool rl_stream_pc_function(struct rl_stream_pcs *pcs, const struct rl_record_pc_function *is, const char *name)
{
    if (is->function != pcs->function_count || is->function >= RL_STREAM_MOST_FUNCTIONS)
        return false; /* they are numbered as they come */
    RL_APPEND(pcs->functions, pcs->function_count, pcs->function_cap, (struct rl_stream_function){*is, name});
    return true;
}

static size_t place_of(const struct rl_stream_pcs *pcs, uint32_t function, uint64_t offset)
{
    assert(pcs->slot_count > pcs->pc_count);
    const uint64_t mixed = (offset ^ (uint64_t)function << 40) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(mixed >> 20) & (pcs->slot_count - 1);
    while (pcs->slots[at] && (pcs->pcs[pcs->slots[at] - 1].function != function || pcs->pcs[pcs->slots[at] - 1].offset != offset))
        at = (at + 1) & (pcs->slot_count - 1);
    return at;
}

static struct rl_stream_pc *pc_of(struct rl_stream_pcs *pcs, uint32_t function, uint64_t offset)
{
    /* A table in which at most every second place is taken. */
    if (pcs->slot_count <= 2 * pcs->pc_count + 2) {
        free(pcs->slots);
        pcs->slot_count = pcs->slot_count ? 4 * pcs->slot_count : 1024;
        pcs->slots = rl_calloc(pcs->slot_count, sizeof *pcs->slots);
        for (size_t i = 0; i < pcs->pc_count; i++)
            pcs->slots[place_of(pcs, pcs->pcs[i].function, pcs->pcs[i].offset)] = (uint32_t)i + 1;
    }
    size_t at = place_of(pcs, function, offset);
    if (!pcs->slots[at] && pcs->pc_count >= RL_STREAM_MOST_PCS)
        at = place_of(pcs, function, offset = RL_PC_REST_OFFSET);
    if (!pcs->slots[at]) {
        RL_GROW(pcs->pcs, pcs->pc_count + 1, pcs->pc_cap);
        pcs->pcs[pcs->pc_count] = (struct rl_stream_pc){.function = function, .offset = offset};
        pcs->slots[at] = (uint32_t)++pcs->pc_count;
    }
    return &pcs->pcs[pcs->slots[at] - 1];
}

bool rl_stream_pc_samples(struct rl_stream_pcs *pcs, const char *record, size_t len)
{
    struct rl_record_pc_samples is;
    struct rl_stream_stall stall;
    memcpy(&is, record, sizeof is);
    if (is.function >= pcs->function_count || is.stall_count > RL_STALL_COUNT || is.offset >> 40 ||
        len - sizeof is < is.stall_count * sizeof stall)
        return false;
    struct rl_stream_pc *pc = pc_of(pcs, is.function, is.offset);
    for (uint32_t i = 0; i < is.stall_count; i++) {
        memcpy(&stall, record + sizeof is + i * sizeof stall, sizeof stall);
        if (stall.reason >= RL_STALL_COUNT || stall.not_issued > stall.samples)
            return false;
        pc->samples[stall.reason] += stall.samples;
        pc->not_issued[stall.reason] += stall.not_issued;
    }
    return true;
}

static struct rl_stream_cubin *cubin_of(struct rl_stream_pcs *pcs, uint64_t cubin)
{
    for (size_t i = pcs->cubin_count; i-- > 0;) /* the last one is the usual one */
        if (pcs->cubins[i].cubin == cubin)
            return &pcs->cubins[i];
    return NULL;
}

static struct rl_stream_cubin *begin_cubin(struct rl_stream_pcs *pcs, const struct rl_record_cubin *is)
{
    if (is->at || !is->size || is->size > RL_STREAM_MOST_CUBIN || pcs->cubin_count == MOST_CUBINS ||
        is->size > MOST_CUBIN_BYTES - pcs->cubin_bytes)
        return NULL;
    RL_GROW(pcs->cubins, pcs->cubin_count + 1, pcs->cubin_cap);
    pcs->cubins[pcs->cubin_count] = (struct rl_stream_cubin){.cubin = is->cubin, .size = is->size, .bytes = rl_calloc(is->size, 1)};
    pcs->cubin_bytes += is->size;
    return &pcs->cubins[pcs->cubin_count++];
}

/* More modules than there is room for are no fault of the process: their lines stay unknown. */
bool rl_stream_pc_cubin(struct rl_stream_pcs *pcs, const char *record, size_t len)
{
    struct rl_record_cubin is;
    memcpy(&is, record, sizeof is);
    if (is.part_size > len - sizeof is || is.size > RL_STREAM_MOST_CUBIN || is.at > is.size || is.part_size > is.size - is.at)
        return false;
    struct rl_stream_cubin *cubin = cubin_of(pcs, is.cubin);
    if (!cubin)
        cubin = begin_cubin(pcs, &is);
    if (!cubin || is.size != cubin->size || is.at != cubin->got)
        return true;
    memcpy(cubin->bytes + is.at, record + sizeof is, is.part_size);
    cubin->got += is.part_size;
    return true;
}

const struct rl_stream_cubin *rl_stream_pc_find_cubin(const struct rl_stream_pcs *pcs, uint64_t cubin)
{
    return RL_FIND(i, pcs->cubins, pcs->cubin_count, pcs->cubins[i].cubin == cubin && pcs->cubins[i].got == pcs->cubins[i].size);
}

void rl_stream_pcs_release(struct rl_stream_pcs *pcs)
{
    for (size_t i = 0; i < pcs->cubin_count; i++)
        free(pcs->cubins[i].bytes);
    RL_FREE(pcs->cubins, pcs->functions, pcs->pcs, pcs->slots);
    *pcs = (struct rl_stream_pcs){0};
}
