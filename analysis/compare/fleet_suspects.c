/* fleet_suspects.c - who stands apart: figures beyond their limits, gathered by GPU. */
#include "fleet_internal.h"

static void add_outlier(struct rl_fleet *fleet, struct rl_fleet_outlier outlier, double scale)
{
    if (!(fabs(outlier.deviation) > outlier.limit))
        return;
    outlier.z = outlier.deviation / scale;
    RL_APPEND(fleet->outliers, fleet->outlier_count, fleet->outlier_cap, outlier);
}

static void find_outliers(struct rl_fleet *fleet, size_t index)
{
    const struct rl_fleet_record *record = fleet->records[index];
    const struct rl_fleet_group *group = &fleet->groups[record->group];
    for (int part = 0; part < RL_PART_COUNT; part++)
        if (!isnan(record->part_deviation[part]))
            add_outlier(fleet,
                        (struct rl_fleet_outlier){.record = index,
                                                  .key = RL_NONE,
                                                  .part = (enum rl_fleet_part)part,
                                                  .deviation = record->part_deviation[part],
                                                  .limit = group->part[part].limit},
                        group->part[part].scale);
    for (size_t i = 0; i < record->measure_count; i++) {
        const struct rl_fleet_spread *spread = rl_fleet_spread_of(fleet, record->group, record->measures[i].key);
        add_outlier(fleet,
                    (struct rl_fleet_outlier){.record = index,
                                              .key = spread->key,
                                              .part = fleet->keys[spread->key].part,
                                              .deviation = rl_fleet_deviation(fleet, record, &record->measures[i]),
                                              .limit = spread->limit},
                    spread->scale);
    }
}

/* The part that is the most out of line, where one is; otherwise the measure. Both are named by how many of their scales they are
 * off, so that a part that scatters by nature does not hide another. */
static void take_worst(struct rl_fleet_suspect *suspect, const struct rl_fleet_outlier *outlier, double *worst_z)
{
    bool part = outlier->key == RL_NONE, had_part = suspect->worst_key == RL_NONE && *worst_z > 0;
    if (had_part && !part)
        return;
    if (part == had_part && fabs(outlier->z) <= *worst_z)
        return;
    suspect->worst = outlier->deviation;
    suspect->worst_key = outlier->key;
    suspect->worst_part = outlier->part;
    *worst_z = fabs(outlier->z);
}

/* Wrong results first, then slower GPUs, the slowest first, then faster ones. */
RL_COMPARATOR(worst_first, struct rl_fleet_suspect, rl_descending(x->wrong > 0, y->wrong > 0)
              ?: rl_descending(x->slower, y->slower) ?: rl_descending(fabs(x->worst), fabs(y->worst))
              ?: rl_ascending(x->record, y->record));

void rl_fleet_find_suspects(struct rl_fleet *fleet)
{
    for (size_t i = 0; i < fleet->record_count; i++) {
        size_t first = fleet->outlier_count;
        if (fleet->records[i]->use != RL_USE_COMPARED)
            continue;
        find_outliers(fleet, i);
        if (fleet->outlier_count > first || fleet->records[i]->wrong > 0) {
            const struct rl_fleet_record *record = fleet->records[i];
            struct rl_fleet_suspect suspect = {.record = i, .wrong = record->wrong, .slower = record->wrong > 0, .worst_key = 0};
            double worst_z = 0;
            for (size_t j = first; j < fleet->outlier_count; j++)
                suspect.slower |= fleet->outliers[j].deviation > 0;
            for (size_t j = first; j < fleet->outlier_count; j++) {
                const struct rl_fleet_outlier *outlier = &fleet->outliers[j];
                if ((outlier->deviation > 0) != suspect.slower)
                    continue;
                suspect.parts |= 1u << outlier->part;
                suspect.outlier_count += outlier->key != RL_NONE;
                take_worst(&suspect, outlier, &worst_z);
            }
            RL_APPEND(fleet->suspects, fleet->suspect_count, fleet->suspect_cap, suspect);
            fleet->slower_count += suspect.slower;
            fleet->slower_links += suspect.slower && *record->links;
        }
    }
    rl_fleet_find_ends(fleet);
    for (size_t i = 0; i < fleet->suspect_count; i++)
        rl_fleet_find_causes(fleet, &fleet->suspects[i]);
    if (fleet->suspect_count)
        rl_sort(fleet->suspects, fleet->suspect_count, sizeof *fleet->suspects, worst_first);
}

void rl_fleet_record_text(const struct rl_fleet_record *record, struct rl_buf *out)
{
    rl_buf_addf(out, "%s GPU %d", *record->node ? record->node : record->path, record->gpu);
    if (*record->links && record->peer == RL_FLEET_HOST)
        rl_buf_adds(out, " and host");
    else if (*record->links)
        rl_buf_addf(out, " and GPU %d", record->peer);
    if (record->namesake) {
        const char *slash = strrchr(record->path, '/');
        rl_buf_addf(out, " (%s)", slash ? slash + 1 : record->path);
    }
}

void rl_fleet_group_text(const struct rl_fleet_group *group, struct rl_buf *out)
{
    if (*group->links)
        rl_buf_addf(out, "%zu links of %s (%s)", group->record_count, group->card, group->links);
    else
        rl_buf_addf(out, "%zu × %s", group->record_count, group->card);
}

static void add_share(size_t slower, size_t all, const char *one, const char *many, struct rl_buf *out)
{
    if (slower)
        rl_buf_addf(out, "%zu of ", slower);
    else
        rl_buf_adds(out, "none of ");
    rl_buf_addf(out, "%zu %s", all, all == 1 ? one : many);
}

void rl_fleet_summary_text(const struct rl_fleet *fleet, struct rl_buf *out)
{
    const size_t gpus = fleet->slower_count - fleet->slower_links;
    if (fleet->compared || !fleet->links)
        add_share(gpus, fleet->compared, "GPU", "GPUs", out);
    rl_buf_adds(out, fleet->compared && fleet->links ? " and " : "");
    if (fleet->links)
        add_share(fleet->slower_links, fleet->links, "link", "links", out);
    rl_buf_addf(out, " %s slower than the others", fleet->slower_count <= 1 ? "is" : "are");
}

/* "3.1 % slower", of a deviation: the difference is that of the rate. Appends. */
static void fleet_difference_text(double deviation, struct rl_buf *out)
{
    rl_unit_format(out, RL_UNIT_FRACTION, fabs(rl_fleet_share(deviation)), 2);
    rl_buf_adds(out, deviation > 0 ? " slower" : " faster");
}

/* "GPU 2 to GPU 3" */
static void add_way(const struct rl_fleet_record *record, enum rl_fleet_way way, struct rl_buf *out)
{
    const char *const together = way == RL_WAY_TOGETHER || way == RL_WAY_TOGETHER_BACK ? " with all others" : "";
    if (way == RL_WAY_BOTH)
        rl_buf_adds(out, "both ways at once");
    else if (record->peer == RL_FLEET_HOST)
        rl_buf_addf(out, "%s%s", way == RL_WAY_FORTH || way == RL_WAY_TOGETHER ? "host to device" : "device to host", together);
    else
        rl_buf_addf(out, "GPU %d to GPU %d", way == RL_WAY_FORTH ? record->gpu : record->peer,
                    way == RL_WAY_FORTH ? record->peer : record->gpu);
}

void rl_fleet_slowdown_text(const struct rl_fleet *fleet, const struct rl_fleet_suspect *suspect, struct rl_buf *out)
{
    const struct rl_fleet_record *record = fleet->records[suspect->record];
    if (suspect->wrong)
        rl_buf_addf(out, "%zu wrong result%s%s", suspect->wrong, suspect->wrong == 1 ? "" : "s", suspect->parts ? ", " : "");
    if (!suspect->parts)
        return;
    const size_t before = out->len;
    if (*record->links) {
        /* "GPU 2 to GPU 3 39 % slower, both ways at once 31 % slower" */
        const char *between = "";
        for (size_t i = 0; i < fleet->outlier_count; i++) {
            const struct rl_fleet_outlier *outlier = &fleet->outliers[i];
            if (outlier->record != suspect->record || outlier->key == RL_NONE || (outlier->deviation > 0) != suspect->slower)
                continue;
            rl_buf_adds(out, between);
            add_way(fleet->records[outlier->record], fleet->keys[outlier->key].way, out);
            rl_buf_addch(out, ' ');
            fleet_difference_text(outlier->deviation, out);
            between = ", ";
        }
    }
    for (int part = 0; part < RL_PART_COUNT && !*record->links; part++)
        if ((suspect->parts >> part) & 1 && fabs(record->part_deviation[part]) > fleet->groups[record->group].part[part].limit) {
            rl_buf_addf(out, "%s%s ", out->len > before ? ", " : "", rl_fleet_parts[part].label);
            fleet_difference_text(record->part_deviation[part], out);
        }
    if (out->len == before) {
        rl_buf_addf(out, "%s ", fleet->keys[suspect->worst_key].name);
        fleet_difference_text(suspect->worst, out);
    }
    assert(out->len > before);
    const size_t figures =
        RL_SUM(size_t, i, record->measure_count, (suspect->parts >> fleet->keys[record->measures[i].key].part) & 1);
    rl_buf_addf(out, " (%zu of %zu figures beyond their limits)", suspect->outlier_count, figures);
}
