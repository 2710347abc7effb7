/* ceiling_dispatch.cu - what starting work takes: blocks that end as soon as they have begun, and a kernel that is one such block.
 */
#include "ceiling.cuh"

/* The threads of a grid are numbered from 1, so that none of them adds nothing. */
__global__ void empty_kernel(struct rl_bench_mark mark)
{
    rl_bench_keep(mark, (uint64_t)blockIdx.x * blockDim.x + threadIdx.x + 1);
}

static const struct row {
    const char *kernel;
    int unroll;
    bool many; /* rounds are further blocks of one launch */
} rows[] = {{"empty blocks", 0, true}, {"empty kernel", 0, false}};

static uint64_t blocks_of(const struct rl_bench_case *c, bool many)
{
    return many ? c->grid * c->rounds : c->grid;
}

static enum rl_status launch(struct rl_bench_space *space, const struct rl_bench_case *c, size_t slot, bool checking,
                             struct rl_err *err)
{
    RL_BENCH_ROW(row, rows, c, err);
    struct rl_bench_case all = *c;
    if (blocks_of(c, row->many) > INT32_MAX)
        return rl_err_set(err, RL_UNSUPPORTED, "%s: more blocks than a grid may have", row->kernel);
    all.grid = (unsigned)blocks_of(c, row->many);
    return rl_bench_start(space, &all, 0, empty_kernel, err, rl_bench_mark_of(space, slot, checking));
}

static uint64_t expected(const struct rl_bench_space *, const struct rl_bench_case *c)
{
    const struct row *row = rl_bench_row(rows, c);
    const uint64_t threads = row ? blocks_of(c, row->many) * c->block : 0;
    return threads % 2 ? threads * ((threads + 1) / 2) : threads / 2 * (threads + 1);
}

RL_BENCH_OPS(dispatch, launch, rl_bench_check_sum<launch, expected>)
