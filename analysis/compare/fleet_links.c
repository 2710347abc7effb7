/* fleet_links.c - the links of a capture as records of a fleet, and at which GPU slow ones meet (see analysis/fleet.h). */
#include "analysis/links.h"
#include "fleet_internal.h"

enum { MOST_RATES = 5 }; /* of two ends */

static const char *const way_names[] = {
    [RL_WAY_FORTH] = "lower to higher GPU", [RL_WAY_BACK] = "higher to lower GPU", [RL_WAY_BOTH] = "both ways at once"};
static const char *const host_names[] = {[RL_WAY_FORTH] = "link, host to device",
                                         [RL_WAY_BACK] = "link, device to host",
                                         [RL_WAY_BOTH] = "link, both ways at once",
                                         [RL_WAY_TOGETHER] = "link, host to device, all GPUs",
                                         [RL_WAY_TOGETHER_BACK] = "link, device to host, all GPUs"};

/* Two ends: the links there and back, RL_NONE: there is none. */
struct pair {
    size_t forth, back;
};

static void add_rate(struct rl_fleet_record *record, enum rl_fleet_way way, const struct rl_stats *stats)
{
    const bool host = record->peer == RL_FLEET_HOST, straight = strcmp(record->links, "NVLink") == 0;
    struct rl_fleet_key key = {.name = host ? host_names[way] : way_names[way],
                               .ceiling = true,
                               .unit = RL_UNIT_BYTE_PER_SECOND,
                               .part = host ? RL_PART_link : RL_PART_peer,
                               .way = way};
    key.id = straight ? rl_arena_printf(&record->key_arena, "link %s %d-%d %d", record->links, record->gpu, record->peer, way)
                      : rl_arena_printf(&record->key_arena, "link %s %d", record->links, way);
    assert(record->measure_count < MOST_RATES);
    if (stats->n > 0)
        rl_fleet_add_measure(record, key, stats->median, rl_fleet_noise(stats));
}

/* The links between two ends, there and back. The rate of both ways at once is kept with one of them. */
static struct rl_fleet_record *record_of(const struct rl_links *links, const struct pair *pair, size_t lower, size_t higher,
                                         const char *path)
{
    static const struct rl_link_result none = {0};
    const struct rl_capture *capture = links->capture;
    const struct rl_link *link = &capture->links[pair->forth != RL_NONE ? pair->forth : pair->back];
    const struct rl_link_result *forth = pair->forth != RL_NONE ? &links->links[pair->forth] : &none;
    const struct rl_link_result *back = pair->back != RL_NONE ? &links->links[pair->back] : &none;
    struct rl_fleet_record *record = rl_calloc(1, sizeof *record);
    record->keys = rl_calloc(MOST_RATES, sizeof *record->keys);
    record->measures = rl_calloc(MOST_RATES, sizeof *record->measures);
    rl_fleet_describe(record, capture, lower, path);
    /* How it goes: what is alike by design of the machine. Numbers of links and lanes are not in it. */
    struct rl_arena *arena = &record->arena;
    bool host = higher == RL_NONE;
    static const struct {
        const char *via, *text;
        bool by_place; /* where in the machine matters */
    } rows[] = {{"nvlink", "NVLink", false}, {"nvswitch", "NVLink, switched", false}, {"c2c", "NVLink-C2C", false},
                {"pcie", "PCIe", true},      {"host", "through the host", true},      {"unknown", "route unknown", false}};
    const char *text = link->via, *place = "";
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        if (strcmp(rows[i].via, link->via) != 0)
            continue;
        text = rows[i].text;
        place = rows[i].by_place && link->topology && !host ? rl_arena_printf(arena, ", %s", link->topology) : "";
    }
    record->links = rl_arena_printf(arena, "%s%s%s", host ? "to the host, " : "", text, place);
    record->peer = higher == RL_NONE ? RL_FLEET_HOST : capture->gpus[higher].index;
    if (higher != RL_NONE && capture->gpus[higher].uuid)
        record->peer_uuid = rl_arena_strdup(&record->arena, capture->gpus[higher].uuid);
    record->evidence[RL_EVIDENCE_nvlinks] = rl_fleet_kept(link->nvlinks);
    record->evidence[RL_EVIDENCE_pcie_generation] = rl_fleet_kept(link->pcie_generation);
    record->evidence[RL_EVIDENCE_pcie_width] = rl_fleet_kept(link->pcie_width);
    record->evidence[RL_EVIDENCE_slow_end] = record->evidence[RL_EVIDENCE_lone_link] = rl_value_of(0);
    add_rate(record, RL_WAY_FORTH, &forth->rate);
    add_rate(record, RL_WAY_BACK, &back->rate);
    add_rate(record, RL_WAY_BOTH, forth->both.n ? &forth->both : &back->both);
    if (higher == RL_NONE) {
        add_rate(record, RL_WAY_TOGETHER, &forth->together);
        add_rate(record, RL_WAY_TOGETHER_BACK, &back->together);
    }
    return record;
}

struct ended {
    size_t lower, higher; /* GPUs; the host, RL_NONE, is above all */
    size_t link;
    bool forth;
};

RL_COMPARATOR(by_ends, struct ended, rl_ascending(x->lower, y->lower) ?: rl_ascending(x->higher, y->higher)
              ?: rl_ascending(x->link, y->link));

size_t rl_fleet_links_new(const struct rl_capture *capture, const char *path, struct rl_fleet_record ***records)
{
    struct rl_links *links = capture->link_count ? rl_links_new(capture) : NULL;
    RL_FREED struct ended *ended = rl_calloc(capture->link_count, sizeof *ended);
    size_t count = 0;
    *records = links ? rl_calloc(capture->link_count, sizeof **records) : NULL;
    for (size_t i = 0; i < capture->link_count; i++) {
        const struct rl_link *link = &capture->links[i];
        const bool of_host = link->from_gpu == RL_NONE || link->to_gpu == RL_NONE;
        const bool forth = of_host ? link->from_gpu == RL_NONE : link->from_gpu < link->to_gpu;
        ended[i] = (struct ended){.lower = forth == of_host ? link->to_gpu : link->from_gpu,
                                  .higher = forth == of_host ? link->from_gpu : link->to_gpu,
                                  .link = i,
                                  .forth = forth};
    }
    if (links)
        rl_sort(ended, capture->link_count, sizeof *ended, by_ends);
    for (size_t i = 0, next; i < capture->link_count; i = next) {
        struct pair pair = {RL_NONE, RL_NONE};
        for (next = i; next < capture->link_count && ended[next].lower == ended[i].lower && ended[next].higher == ended[i].higher;
             next++)
            *(ended[next].forth ? &pair.forth : &pair.back) = ended[next].link;
        (*records)[count++] = record_of(links, &pair, ended[i].lower, ended[i].higher, path);
    }
    rl_links_free(links);
    return count;
}

/* Share of the other links of `gpu`, in the same capture, that are slow. Records of a path stand together. */
static double slow_share(const struct rl_fleet *fleet, const bool *slow, size_t index, int gpu)
{
    const char *path = fleet->records[index]->path;
    size_t others = 0, slower = 0, first = index;
    while (first > 0 && strcmp(fleet->records[first - 1]->path, path) == 0)
        first--;
    for (size_t i = first; i < fleet->record_count && strcmp(fleet->records[i]->path, path) == 0; i++) {
        const struct rl_fleet_record *record = fleet->records[i];
        if (i == index || !*record->links || record->use != RL_USE_COMPARED || record->peer == RL_FLEET_HOST ||
            (record->gpu != gpu && record->peer != gpu))
            continue;
        others++;
        slower += slow[i];
    }
    return others ? (double)slower / (double)others : 0;
}

void rl_fleet_find_ends(struct rl_fleet *fleet)
{
    RL_FREED bool *slow = rl_calloc(fleet->record_count, sizeof *slow);
    for (size_t i = 0; i < fleet->suspect_count; i++)
        slow[fleet->suspects[i].record] = fleet->suspects[i].slower;
    for (size_t i = 0; i < fleet->suspect_count; i++) {
        const size_t index = fleet->suspects[i].record;
        struct rl_fleet_record *record = fleet->records[index];
        if (!*record->links || record->peer == RL_FLEET_HOST || !fleet->suspects[i].slower)
            continue;
        const double lower = slow_share(fleet, slow, index, record->gpu), higher = slow_share(fleet, slow, index, record->peer);
        record->end = lower >= higher ? record->gpu : record->peer;
        record->evidence[RL_EVIDENCE_slow_end] = rl_value_of(fmax(lower, higher));
        record->evidence[RL_EVIDENCE_lone_link] = rl_value_of(fmax(lower, higher) <= 0.5);
    }
}
