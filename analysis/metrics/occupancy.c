#include "analysis/limits.h"

enum { WARP_SIZE = 32, MAX_THREADS = 1024, REGISTER_UNIT = 256 };

const struct rl_sm_limits rl_sm_limits[] = {
#define SM(...) {.warp_size = WARP_SIZE, .max_threads_per_block = MAX_THREADS, .register_unit = REGISTER_UNIT, __VA_ARGS__},
#include "analysis/sm_limits.def"
#undef SM
};
const size_t rl_sm_limits_count = RL_COUNT(rl_sm_limits);

const struct rl_sm_limits *rl_sm_limits_of(int cc)
{
    return RL_FIND(i, rl_sm_limits, rl_sm_limits_count, rl_sm_limits[i].cc == cc);
}

static int64_t round_up(int64_t value, int64_t unit)
{
    assert(value >= 0 && unit > 0);
    return (value + unit - 1) / unit * unit;
}

static int warps_of(const struct rl_sm_limits *limits, const struct rl_block_shape *shape)
{
    return (shape->threads - 1) / limits->warp_size + 1;
}

static int64_t registers_per_warp(const struct rl_sm_limits *limits, const struct rl_block_shape *shape)
{
    return round_up((int64_t)shape->registers_per_thread * limits->warp_size, limits->register_unit);
}

static int64_t shared_per_block(const struct rl_sm_limits *limits, const struct rl_block_shape *shape)
{
    return round_up(shape->static_shared_bytes + shape->dynamic_shared_bytes + limits->shared_reserved, limits->shared_unit);
}

/* Why a block cannot run at all, or why that is unknown. */
struct refusal {
    const char *reason; /* NULL: it can */
    bool too_large;
};

static struct refusal why_not(const struct rl_sm_limits *limits, const struct rl_block_shape *shape)
{
    const int64_t most = limits->shared_bytes_per_block;
    if (shape->threads < 1)
        return (struct refusal){"block size unknown", false};
    if (shape->threads > limits->max_threads_per_block)
        return (struct refusal){"does not fit: too many threads per block", true};
    if (shape->registers_per_thread < 0)
        return (struct refusal){"registers per thread unknown", false};
    if (shape->registers_per_thread > limits->max_registers_per_thread)
        return (struct refusal){"does not fit: too many registers per thread", true};
    /* The check that the driver makes before a launch: registers as if every partition got the same number of warps. */
    if (registers_per_warp(limits, shape) * round_up(warps_of(limits, shape), limits->launch_check_unit) >
        limits->registers_per_block)
        return (struct refusal){"does not fit: too many registers per block", true};
    if (shape->static_shared_bytes < 0 || shape->dynamic_shared_bytes < 0)
        return (struct refusal){"shared memory unknown", false};
    if (shape->static_shared_bytes > most || shape->dynamic_shared_bytes > most ||
        shared_per_block(limits, shape) > most + limits->shared_reserved)
        return (struct refusal){"does not fit: too much shared memory per block", true};
    return (struct refusal){NULL, false};
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int blocks_by_registers(const struct rl_sm_limits *limits, const struct rl_block_shape *shape)
{
    const int64_t per_warp = registers_per_warp(limits, shape);
    const int parts = limits->warp_allocation_unit;
    if (per_warp == 0)
        return INT32_MAX;
    return (int)(limits->registers / parts / per_warp * parts / warps_of(limits, shape));
}

struct rl_occupancy rl_occupancy_of(const struct rl_sm_limits *limits, const struct rl_block_shape *shape)
{
    const struct refusal refusal = limits ? why_not(limits, shape) : (struct refusal){"compute capability unknown", false};
    struct rl_occupancy o = {.too_large = refusal.too_large};
    if (refusal.reason) {
        o.fraction = rl_value_missing(RL_UNDEFINED, refusal.reason);
        return o;
    }
    o.blocks_by_warps = limits->max_warps / warps_of(limits, shape);
    o.blocks_by_slots = limits->max_blocks;
    o.blocks_by_registers = blocks_by_registers(limits, shape);
    const int64_t per_block = shared_per_block(limits, shape);
    o.blocks_by_shared = per_block == 0 ? INT32_MAX : (int)(limits->shared_bytes / per_block);
    o.blocks_per_sm = least(least(o.blocks_by_warps, o.blocks_by_slots), least(o.blocks_by_registers, o.blocks_by_shared));
    assert(o.blocks_per_sm > 0); /* why_not has refused what does not fit */
    o.warps_per_sm = o.blocks_per_sm * warps_of(limits, shape);
    unsigned bits = 0;
    bits |= o.blocks_per_sm == o.blocks_by_warps ? RL_LIMIT_WARPS : 0;
    bits |= o.blocks_per_sm == o.blocks_by_slots ? RL_LIMIT_BLOCKS : 0;
    bits |= o.blocks_per_sm == o.blocks_by_registers ? RL_LIMIT_REGISTERS : 0;
    bits |= o.blocks_per_sm == o.blocks_by_shared ? RL_LIMIT_SHARED : 0;
    o.limiters = bits;
    assert(o.warps_per_sm <= limits->max_warps && o.limiters != 0);
    o.fraction = rl_value_of((double)o.warps_per_sm / limits->max_warps);
    return o;
}

static const struct {
    unsigned bit;
    const char *words;
} limiter_words[] = {
    {RL_LIMIT_REGISTERS, "registers"},
    {RL_LIMIT_SHARED, "shared memory"},
    {RL_LIMIT_BLOCKS, "block slots"},
    {RL_LIMIT_WARPS, "warp slots"},
};

void rl_occupancy_limiter_text(const struct rl_occupancy *occupancy, struct rl_buf *out)
{
    unsigned left = rl_present(occupancy->fraction) && occupancy->fraction.v < 1 ? occupancy->limiters : 0;
    bool first = true;
    for (size_t i = 0; i < RL_COUNT(limiter_words); i++) {
        if (!(left & limiter_words[i].bit))
            continue;
        left &= ~limiter_words[i].bit;
        rl_buf_adds(out, first ? "" : left ? ", " : " and ");
        rl_buf_adds(out, limiter_words[i].words);
        first = false;
    }
}
