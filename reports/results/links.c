#include "results/results.h"

enum { MOST_COLUMNS = 16 }; /* of a matrix */

static const struct rl_links *links_of(const struct view *view)
{
    const struct view_subject *subject = view->subject;
    return subject->links;
}

/* ---- a link ---- */

static struct view_cell end_gpu_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_link *link = ((const struct rl_link_result *)row)->of;
    const size_t gpu = field->key ? link->to_gpu : link->from_gpu;
    return gpu == RL_NONE ? view_cell_absent("the host") : view_cell_integer(links_of(view)->capture->gpus[gpu].index);
}

VIEW_CELL(kind_cell, struct rl_link_result, links_of(view)->kinds[row->kind].label);

#define LINK(member)      VIEW_IN(struct rl_link_result, of, member)
#define STATS(member, as) VIEW_AT(struct rl_link_result, member), .record = &view_record_##as

/* clang-format off */
static const struct view_field link_fields[] = {
    {.id = "from_gpu", VIEW_GET(INTEGER, end_gpu_cell), .key = 0, .help = "index of the GPU where it begins; absent: the host"},
    {.id = "to_gpu", VIEW_GET(INTEGER, end_gpu_cell), .key = 1, .help = "index of the GPU where it ends; absent: the host"},
    {.id = "via", LINK(via), .help = "'nvlink', 'nvswitch', 'c2c', 'pcie', 'host' (through its memory) or 'unknown'"},
    {.id = "kind", VIEW_GET(TEXT, kind_cell), .help = "what it is: links of one kind should be equal"},
    {.id = "topology", LINK(topology), .help = "what lies between its ends, in nvidia-smi's words"},
    {.id = "access", LINK(access), .help = "whether one end can reach the other's memory, or why not"},
    {.id = "nvlinks", LINK(nvlinks), .help = "active NVLinks on this route"},
    {.id = "nvlink_version", LINK(nvlink_version), .help = "their version"},
    {.id = "pcie_generation", LINK(pcie_generation), .help = "the most that its ends support"},
    {.id = "pcie_width", LINK(pcie_width), .help = "the most that its ends support"},
    {.id = "theoretical", VIEW_AT(struct rl_link_result, theory), .unit = RL_UNIT_BYTE_PER_SECOND,
     .help = "rate in one direction, from version and width"},
    {.id = "measured", STATS(rate, rates), .help = "rate alone, of the size of copy that is fastest"},
    {.id = "copy_bytes", VIEW_AT(struct rl_link_result, rate_bytes), .help = "bytes of those copies"},
    {.id = "both_ways", STATS(both, rates), .help = "both directions at once, added up; of the first link of a pair"},
    {.id = "together", STATS(together, rates), .help = "rate while all GPUs use theirs to or from the host"},
    {.id = "latency_s", STATS(latency, times), .help = "time of a small copy in a chain of them"},
    {.id = "share", VIEW_AT(struct rl_link_result, share), .unit = RL_UNIT_FRACTION, .help = "rate over the theoretical one"},
    {.id = "share_of_kind", VIEW_AT(struct rl_link_result, of_kind), .unit = RL_UNIT_FRACTION,
     .help = "rate over the median of its kind"},
    {.id = "failure", LINK(failure), .help = "why it was not measured, or only in part"},
};
/* clang-format on */
const struct view_record view_record_link = {.id = "link", .help = "one direction between two ends", VIEW_FIELDS(link_fields)};

/* ---- kinds ---- */

VIEW_CELL(ends_cell, struct rl_link_kind, rl_link_ends[row->ends]);

/* The rate of the slowest or of the fastest link of a kind. */
static struct view_cell extreme_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_link_kind *kind = row;
    const size_t link = field->key ? kind->fastest : kind->slowest;
    return view_cell_number(link == RL_NONE ? kind->median : rl_value_of(links_of(view)->links[link].rate.median));
}

/* clang-format off */
static const struct view_field kind_fields[] = {
    {.id = "ends", .head = "ends", VIEW_GET(TEXT, ends_cell), .help = "what it connects"},
    {.id = "way", .head = "way", VIEW_AT(struct rl_link_kind, label), .columns = 40, .identifies = true, .help = "how"},
    {.id = "links", .head = "links", VIEW_AT(struct rl_link_kind, count), .help = "number of links"},
    {.id = "measured", .head = "measured", VIEW_AT(struct rl_link_kind, measured), .help = "number of those with a rate"},
    {.id = "median", .head = "median", VIEW_AT(struct rl_link_kind, median), .unit = RL_UNIT_BYTE_PER_SECOND,
     .scale = "rate", .help = "median rate of the links"},
    {.id = "slowest", .head = "slowest", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_BYTE_PER_SECOND,
     .get = extreme_cell, .key = 0, .scale = "rate", .help = "rate of the slowest"},
    {.id = "fastest", .head = "fastest", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_BYTE_PER_SECOND,
     .get = extreme_cell, .key = 1, .scale = "rate", .shown = VIEW_ON_REQUEST, .help = "rate of the fastest"},
    {.id = "theoretical", .head = "peak", VIEW_AT(struct rl_link_kind, theory), .unit = RL_UNIT_BYTE_PER_SECOND,
     .scale = "rate", .shown = VIEW_ON_REQUEST, .help = "rate in one direction, from version and width"},
    {.id = "share", .head = "of peak", VIEW_AT(struct rl_link_kind, share), .unit = RL_UNIT_FRACTION, .digits = 3,
     .help = "median over the theoretical rate"},
    {.id = "both_ways", .head = "both ways", VIEW_AT(struct rl_link_kind, both), .unit = RL_UNIT_BYTE_PER_SECOND,
     .scale = "rate", .help = "both directions at once, added up: median"},
    {.id = "latency_s", .head = "latency", VIEW_AT(struct rl_link_kind, latency), .unit = RL_UNIT_SECOND, .digits = 3,
     .help = "time of a small copy: median"},
};
/* clang-format on */
static const struct view_record kind_record = {.id = "link_kind", .help = "links that should be equal", VIEW_FIELDS(kind_fields)};

/* ---- the matrix: a row for each end, a column for each ---- */

/* A row: the GPU where its links begin; gpu_count: the host. */
struct matrix_row {
    size_t from;
};

static struct view_cell matrix_from_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_capture *capture = links_of(view)->capture;
    const size_t from = ((const struct matrix_row *)row)->from;
    return view_cell_text(from == capture->gpu_count ? "host" : rl_arena_printf(view->arena, "GPU %d", capture->gpus[from].index));
}

/* Column `key` of the matrix: a GPU, behind the last one the host; further columns are empty. */
static struct view_cell matrix_rate_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_links *links = links_of(view);
    const size_t gpus = links->capture->gpu_count, from = ((const struct matrix_row *)row)->from, to = (size_t)field->key;
    if (to > gpus || from == to)
        return view_cell_absent("");
    const size_t link = rl_links_find(links, from == gpus ? RL_NONE : from, to == gpus ? RL_NONE : to);
    if (link == RL_NONE)
        return view_cell_absent("");
    const struct rl_stats *rate = &links->links[link].rate;
    return view_cell_number(rate->n ? rl_value_of(rate->median) : rl_value_missing(RL_NOT_COLLECTED, "not measured"));
}

static const char *matrix_head(const struct view *view, const struct view_field *field)
{
    const struct rl_capture *capture = links_of(view)->capture;
    const size_t to = (size_t)field->key;
    if (to > capture->gpu_count)
        return NULL;
    return to == capture->gpu_count ? "host" : rl_arena_printf(view->arena, "GPU %d", capture->gpus[to].index);
}

/* A place where a link may end: MOST_COLUMNS GPUs, and the host behind them. */
#define TO(n)                                                                                                                      \
    {                                                                                                                              \
        .id = "to_" #n, .head_of = matrix_head, .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_BYTE_PER_SECOND, .digits = 3,            \
        .get = matrix_rate_cell, .key = (n)-1, .magnitude = 1e9, .unit_aside = true, .help = "rate of the link that ends there"    \
    }
/* clang-format off */
static const struct view_field matrix_fields[1 + MOST_COLUMNS + 1] = {
    {.id = "from", .head = "from \\ to", VIEW_GET(TEXT, matrix_from_cell), .identifies = true, .help = "where a link begins"},
    TO(1), TO(2), TO(3), TO(4), TO(5), TO(6), TO(7), TO(8), TO(9), TO(10), TO(11), TO(12), TO(13), TO(14), TO(15), TO(16), TO(17),
};
/* clang-format on */
#undef TO

static const struct view_record matrix_record = {
    .id = "link_matrix", .help = "links that begin in one place", VIEW_FIELDS(matrix_fields)};

/* ---- all at once, findings ---- */

/* `key`: the median, or an end of its 95 % CI. */
static struct view_cell together_cell(const struct view *view, const struct view_field *field, const void *row)
{
    enum { MEDIAN, LOW, HIGH };
    const struct rl_stats *stats = &((const struct rl_link_total *)row)->together;
    const double numbers[] = {[MEDIAN] = stats->median, [LOW] = stats->low, [HIGH] = stats->high};
    if (field->record)
        return view_cell_stats(stats);
    if (field->key != MEDIAN && !stats->has_interval)
        return view_cell_absent("");
    return stats->n ? view_cell_number(rl_value_of(numbers[field->key])) : view_cell_absent("not measured");
}

VIEW_CELL(alone_cell, struct rl_link_total, row->together.n ? view_cell_number(row->alone) : view_cell_absent("not measured"));

/* clang-format off */
#define TOGETHER_RATE .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_BYTE_PER_SECOND, .scale = "rate", .for_people = true
static const struct view_field total_fields[] = {
    {.id = "measured", VIEW_GET_RECORD(&view_record_rates, together_cell), .help = "all bytes over the time of the slowest"},
    {.id = "rate", .type = VIEW_TYPE_NUMBER, .unit = RL_UNIT_BYTE_PER_SECOND, .digits = 3, .get = together_cell, .for_people = true,
     .help = "median of that"},
    {.id = "direction", VIEW_AT(struct rl_link_total, direction), .identifies = true, .for_people = true,
     .help = "from the host, or to it"},
    {.id = "all_together", .head = "all together", TOGETHER_RATE, .digits = 4, .get = together_cell, .help = "median of the rate"},
    {.id = "low", .head = "95 % from", TOGETHER_RATE, .digits = 4, .get = together_cell, .key = 1, .look = VIEW_LOOK_QUIET,
     .help = "lower end of its 95 % CI"},
    {.id = "high", .head = "95 % to", TOGETHER_RATE, .digits = 4, .get = together_cell, .key = 2, .look = VIEW_LOOK_QUIET,
     .help = "upper end of its 95 % CI"},
    {.id = "alone", .head = "sum of each alone", TOGETHER_RATE, .digits = 4, .get = alone_cell,
     .help = "sum of the rates of each link alone"},
    {.id = "of_sum", .head = "of the sum", VIEW_AT(struct rl_link_total, share), .unit = RL_UNIT_FRACTION, .digits = 3,
     .for_people = true, .help = "the former over the latter"},
    {.id = "sum_alone", VIEW_AT(struct rl_link_total, alone), .unit = RL_UNIT_BYTE_PER_SECOND,
     .help = "sum of the rates of each link alone"},
    {.id = "share", VIEW_AT(struct rl_link_total, share), .unit = RL_UNIT_FRACTION, .digits = 3, .help = "the former over the "
                                                                                                         "latter"},
};
/* clang-format on */
const struct view_record view_record_link_total = {
    .id = "link_total", .help = "all GPUs at once, from or to the host", VIEW_FIELDS(total_fields)};

VIEW_CELL(rule_cell, struct rl_link_finding, rl_link_rules[row->rule].id);

static const struct view_field finding_fields[] = {
    {.id = "id", VIEW_GET(TEXT, rule_cell), .identifies = true, .help = "rule of the finding"},
    {.id = "text", VIEW_AT(struct rl_link_finding, text), .help = "what was found"},
};
const struct view_record view_record_link_finding = {
    .id = "link_finding", .help = "a finding about links", VIEW_FIELDS(finding_fields)};

/* ---- the links of a machine ---- */

static struct view_cell matrix_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const size_t gpus = links_of(view)->capture->gpu_count;
    struct matrix_row *rows = rl_arena_alloc(view->arena, (gpus + 1) * sizeof *rows);
    for (size_t i = 0; i <= gpus; i++)
        rows[i].from = i;
    return view_cell_rows(VIEW_ROWS(rows, gpus + 1));
}

VIEW_CELL(links_cell, struct rl_links, VIEW_ROWS(row->links, row->capture->link_count));

static struct view_cell totals_cell(const struct view *view, const struct view_field *field, const void *row)
{
    const struct rl_links *links = row;
    struct rl_link_total *totals = rl_arena_alloc(view->arena, 2 * sizeof *totals);
    totals[0] = links->from_host;
    totals[1] = links->to_host;
    return view_cell_rows(VIEW_ROWS(totals, totals[0].together.n || totals[1].together.n ? 2 : 0));
}

/* clang-format off */
static const struct view_field links_fields[] = {
    {.id = "links", VIEW_GET_LIST(&view_record_link, links_cell), .help = "every link"},
    {.id = "kinds", VIEW_AT_ROWS(struct rl_links, kinds, kind_count, &kind_record), .help = "links that should be equal"},
    {.id = "matrix", VIEW_GET_LIST(&matrix_record, matrix_cell), .for_people = true, .help = "rates by both ends"},
    {.id = "host_to_all", VIEW_AT_MEMBER(struct rl_links, from_host, &view_record_link_total),
     .help = "from the host to all GPUs at once"},
    {.id = "all_to_host", VIEW_AT_MEMBER(struct rl_links, to_host, &view_record_link_total),
     .help = "from all GPUs at once to the host"},
    {.id = "totals", VIEW_GET_LIST(&view_record_link_total, totals_cell), .for_people = true,
     .help = "all GPUs and the host at once"},
    {.id = "link_findings", VIEW_AT_ROWS(struct rl_links, findings, finding_count, &view_record_link_finding),
     .help = "findings about links"},
};
/* clang-format on */

VIEW_WHEN(fits, void, links_of(view)->capture->gpu_count <= MOST_COLUMNS);
VIEW_WHEN(from_host, struct rl_links, row->from_host.together.n > 0);
VIEW_WHEN(to_host, struct rl_links, row->to_host.together.n > 0);

/* clang-format off */
static const struct view_block links_blocks[] = {
    {.kind = VIEW_BLOCK_TABLE, .field = "matrix", .when = fits},
    {.kind = VIEW_BLOCK_NOTE, .text = "GB/s in one direction, each link alone: median of the size of copy that is fastest",
     .when = fits},
    {.kind = VIEW_BLOCK_NOTE, .text = "too many GPUs for a matrix here: --json has it", .unless = fits},
    {.kind = VIEW_BLOCK_TABLE, .field = "kinds"},
    {.kind = VIEW_BLOCK_NOTE, .when = from_host,
     .text = "from the host to all GPUs at once: {host_to_all.rate}, {host_to_all.share} of the sum of each alone"},
    {.kind = VIEW_BLOCK_NOTE, .when = to_host,
     .text = "from all GPUs at once to the host: {all_to_host.rate}, {all_to_host.share} of the sum of each alone"},
    {.kind = VIEW_BLOCK_ITEMS, .field = "link_findings", .label_field = "id", .text = "{text}", .title = "Findings about links"},
};
/* clang-format on */

const struct view_record view_record_links = {.id = "links",
                                              .title = "Links between GPUs",
                                              .help = "the links of a machine",
                                              VIEW_FIELDS(links_fields),
                                              VIEW_BLOCKS(links_blocks)};
