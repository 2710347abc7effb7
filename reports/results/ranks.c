#include "results/results.h"

static const struct rl_ranks *ranks_of(const struct view *view)
{
    const struct view_subject *subject = view->subject;
    return subject->ranks;
}

/* ---- a rank ---- */

enum { NAME_COLUMNS = 40, MOST_RANKS = 24, MOST_KERNELS = 12 };

/* "2", or "4 GPUs" */
VIEW_CELL_IF(gpus_cell, struct rl_rank, row->gpus,
             row->gpus > 1 ? rl_arena_printf(view->arena, "%zu GPUs", row->gpus)
                           : rl_arena_printf(view->arena, "%d", ranks_of(view)->capture->gpus[row->gpu].index));
VIEW_CELL(of_mean_cell, struct rl_rank,
          rl_value_div(rl_value_of(row->own_s), rl_value_of(ranks_of(view)->mean_own_s), "no kernel of any rank was timed"));

VIEW_WHEN(is_slowest, void, row == &ranks_of(view)->ranks[ranks_of(view)->slowest]);

/* clang-format off */
static const struct view_field rank_fields[] = {
    {.id = "rank", .head = "rank", VIEW_AT(struct rl_rank, name), .columns = 12, .identifies = true, .numeral = true,
     .help = "the rank, as the launcher numbers it"},
    {.id = "host", .head = "host", VIEW_AT(struct rl_rank, host), .columns = NAME_COLUMNS, .shown = VIEW_SHOWN_WHEN_ANY,
     .help = "name of the machine that it ran on"},
    {.id = "processes", VIEW_AT(struct rl_rank, processes), .shown = VIEW_ON_REQUEST, .help = "number of its processes"},
    {.id = "gpus", VIEW_AT(struct rl_rank, gpus), .shown = VIEW_ON_REQUEST, .help = "number of GPUs that it used"},
    {.id = "gpu", VIEW_GPU(struct rl_rank, gpu), .shown = VIEW_ON_REQUEST, .help = "index of the first GPU that it used"},
    {.id = "gpu_text", .head = "GPU", VIEW_GET(TEXT, gpus_cell), .numeral = true, .help = "index of its GPU, or how many it used"},
    {.id = "wall_s", .head = "wall", VIEW_AT(struct rl_rank, wall_s), .unit = RL_UNIT_SECOND, .explained = true,
     .help = "from the first to the last activity on the GPU, counter passes left out"},
    {.id = "busy_s", .head = "busy", VIEW_AT(struct rl_rank, busy_s), .unit = RL_UNIT_SECOND,
     .help = "how much of it its GPUs were busy, added up"},
    {.id = "idle", .head = "idle", VIEW_AT(struct rl_rank, idle), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "share of the time in which no kernel, memcpy or memset ran"},
    {.id = "own_s", .head = "own kernels", VIEW_AT(struct rl_rank, own_s), .unit = RL_UNIT_SECOND, .explained = true,
     .help = "kernels that wait for no other rank, added up"},
    {.id = "own_over_mean", .head = "of the mean", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_FRACTION, .get = of_mean_cell,
     .help = "own kernels over the mean of all ranks"},
    {.id = "collective_s", .head = "collectives", VIEW_AT(struct rl_rank, collective_s), .unit = RL_UNIT_SECOND, .explained = true,
     .help = "kernels of NCCL and NVSHMEM, which run until the last rank arrives, so their time counts as waiting"},
    {.id = "coverage", .head = "with counters", VIEW_AT(struct rl_rank, coverage), .unit = RL_UNIT_FRACTION, .digits = 3,
     .explained = true, .help = "share of kernel time in configurations with counters"},
    {.id = "launches", VIEW_AT(struct rl_rank, launches), .shown = VIEW_ON_REQUEST, .help = "number of its kernel launches"},
};
/* clang-format on */
static const struct view_record rank_record = {
    .id = "rank", .help = "a rank of the program", VIEW_FIELDS(rank_fields), .strong = is_slowest};

/* ---- a kernel in the slowest and in the median rank ---- */

VIEW_CELL(id_cell, struct rl_rank_kernel, view_kernel_id(view, &ranks_of(view)->capture->kernels[row->kernel]));

VIEW_CELL(name_cell, struct rl_rank_kernel, ranks_of(view)->capture->kernels[row->kernel].name);
VIEW_CELL(longer_cell, struct rl_rank_kernel, row->slowest_s - row->median_s);

/* clang-format off */
static const struct view_field kernel_fields[] = {
    {.id = "id", .head = "id", VIEW_GET(TEXT, id_cell), .explained = true, .look = VIEW_LOOK_CODE,
     .help = "the configuration among kernels of this name that takes the most time"},
    {.id = "name", VIEW_GET(TEXT, name_cell), .shown = VIEW_ON_REQUEST, .help = "name of the kernel in full"},
    {.id = "label", .head = "kernel", VIEW_AT(struct rl_rank_kernel, label), .columns = NAME_COLUMNS,
     .identifies = true, .explained = true, .look = VIEW_LOOK_CODE, .help = "kernels of one name, whatever their configuration"},
    {.id = "slowest_s", .head = "slowest rank", VIEW_AT(struct rl_rank_kernel, slowest_s), .unit = RL_UNIT_SECOND,
     .help = "its time in the slowest rank"},
    {.id = "median_s", .head = "median rank", VIEW_AT(struct rl_rank_kernel, median_s), .unit = RL_UNIT_SECOND,
     .help = "its time in the median rank"},
    {.id = "difference_s", .head = "difference", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .digits = 3, .get = longer_cell,
     .is_change = true, .bar = true, .help = "how much longer it took in the slowest rank"},
    {.id = "slowest_launches", .head = "launches", VIEW_AT(struct rl_rank_kernel, slowest_launches),
     .help = "number of its launches in the slowest rank"},
    {.id = "median_launches", .head = "in the median", VIEW_AT(struct rl_rank_kernel, median_launches),
     .help = "number of its launches in the median rank"},
    {.id = "collective", .head = "waits", VIEW_AT(struct rl_rank_kernel, collective), .shown = VIEW_SHOWN_WHEN_ANY,
     .help = "whether it waits for other ranks"},
};
/* clang-format on */
static const struct view_record kernel_record = {
    .id = "rank_kernel", .help = "a kernel in the slowest rank and in the median one", VIEW_FIELDS(kernel_fields)};

/* ---- all ---- */

static const struct view_field remark_fields[] = {
    {.id = "text", VIEW_ITSELF, .help = "limits of the figures"},
};
static const struct view_record remark_record = {.id = "remark", .help = "a remark", VIEW_FIELDS(remark_fields), .plain = true};

enum which { SLOWEST, MEDIAN, FASTEST };

static const struct rl_rank *which_rank(const struct rl_ranks *ranks, int key)
{
    const size_t at[] = {[SLOWEST] = ranks->slowest, [MEDIAN] = ranks->median, [FASTEST] = ranks->fastest};
    return &ranks->ranks[at[key]];
}

VIEW_CELL(which_name, void, which_rank(row, field->key)->name);
VIEW_CELL(which_own, void, which_rank(row, field->key)->own_s);

/* clang-format off */
static const struct view_field ranks_fields[] = {
    {.id = "count", VIEW_AT(struct rl_ranks, count), .help = "number of ranks"},
    {.id = "hosts", VIEW_AT(struct rl_ranks, hosts), .help = "number of known machines"},
    {.id = "imbalance", VIEW_AT(struct rl_ranks, imbalance), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "maximum over mean of own kernel time, less 1: the gain if the work were spread evenly and nothing "
             "else limited it (Pearce, Gamblin, de Supinski, Schulz, Amato, ICS 2012)"},
    {.id = "mean_own_s", VIEW_AT(struct rl_ranks, mean_own_s), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "mean of own kernel time over all ranks"},
    {.id = "slowest", VIEW_GET(TEXT, which_name), .key = SLOWEST, .columns = 12, .help = "the rank whose own kernels take longest"},
    {.id = "slowest_own_s", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_SECOND, .digits = 3, .get = which_own, .key = SLOWEST,
     .help = "own kernel time of the slowest rank"},
    {.id = "median", VIEW_GET(TEXT, which_name), .key = MEDIAN, .columns = 12, .help = "the median rank"},
    {.id = "fastest", VIEW_GET(TEXT, which_name), .key = FASTEST, .columns = 12, .help = "the fastest rank"},
    {.id = "remarks", VIEW_AT_ROWS(struct rl_ranks, remarks, remark_count, &remark_record),
     .help = "limits of the figures"},
    {.id = "each", VIEW_AT_ROWS(struct rl_ranks, ranks, count, &rank_record), .help = "every rank"},
    {.id = "kernels", VIEW_AT_ROWS(struct rl_ranks, kernels, kernel_count, &kernel_record),
     .help = "kernels by their difference between the slowest and the median rank"},
};
/* clang-format on */

VIEW_WHEN(has_imbalance, struct rl_ranks, rl_present(row->imbalance));

/* All in their own order, or the slowest, some about the median and the fastest. */
static struct view_rows choose_ranks(const struct view *view, struct view_rows rows, size_t most)
{
    const size_t room = most ? most : rows.count;
    size_t *at = rl_arena_alloc(view->arena, room * sizeof *at), count = rl_ranks_representatives(ranks_of(view), room, at);
    rows.at = at;
    rows.count = count;
    return rows;
}

/* clang-format off */
static const struct view_block ranks_blocks[] = {
    {.kind = VIEW_BLOCK_ITEMS, .field = "remarks", .label = "note", .text = "{text}"},
    {.kind = VIEW_BLOCK_FACT, .label = "ranks", .text = "{count}[ on {hosts host|hosts}]"},
    {.kind = VIEW_BLOCK_FACT, .label = "imbalance", .when = has_imbalance,
     .text = "{imbalance}: rank {slowest} is the slowest with {slowest_own_s} in own kernels, mean {mean_own_s}"},
    {.kind = VIEW_BLOCK_FACT, .label = "imbalance", .unless = has_imbalance, .text = "{imbalance} ({imbalance:reason})"},
    {.kind = VIEW_BLOCK_TABLE, .field = "each", .most = MOST_RANKS, .choose = choose_ranks,
     .rest = "the slowest, those around the median and the fastest of {all ranks|ranks}"},
    {.kind = VIEW_BLOCK_TABLE, .field = "kernels", .most = MOST_KERNELS,
     .title = "What makes rank {slowest} slower than rank {median}, the median", .rest = "{left kernel differs|more differ} less"},
};
/* clang-format on */

const struct view_record view_record_ranks = {.id = "ranks",
                                              .title = "Ranks",
                                              .help = "the ranks of a program, compared with one another",
                                              VIEW_FIELDS(ranks_fields),
                                              VIEW_BLOCKS(ranks_blocks)};
