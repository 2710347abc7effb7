/* fleet_groups.c - which GPUs can be compared: same GPU, same tool version, same kind of suite; each GPU once. */
#include "analysis/robust.h"
#include "fleet_internal.h"

/* ---- kinds of suites ---- */

/* A suite is known by the record with the most measures; others belong to it when most of theirs are among its. So what was
 * interrupted, or measured in part, finds the suite it was a part of, and a quick look, whose problems are smaller, does not. */
struct suites {
    const struct rl_fleet_record **whole;
    size_t *next; /* suite of the same GPU that was found after each; RL_NONE: the last */
    size_t count, cap, next_cap;
    struct rl_intern cards; /* GPU, tool version and links, as one text */
    size_t *first, *last;   /* suites of each of them */
    size_t first_cap, last_cap;
};
static const double belongs = 0.8;

static size_t shared_measures(const struct rl_fleet_record *a, const struct rl_fleet_record *b)
{
    size_t shared = 0;
    for (size_t i = 0, k = 0; i < a->measure_count && k < b->measure_count;) {
        shared += a->measures[i].key == b->measures[k].key;
        uint32_t x = a->measures[i].key, y = b->measures[k].key;
        i += x <= y;
        k += y <= x;
    }
    return shared;
}

static size_t suite_of(struct rl_fleet *fleet, struct suites *suites, const struct rl_fleet_record *record)
{
    bool is_new;
    const char *text = rl_arena_printf(&fleet->arena, "%zu %zu %s%s%s", strlen(record->card), strlen(record->tool_version),
                                       record->card, record->tool_version, record->links);
    const size_t card = rl_intern(&suites->cards, 0, text, &is_new);
    if (is_new) {
        RL_GROW(suites->first, card + 1, suites->first_cap);
        RL_GROW(suites->last, card + 1, suites->last_cap);
        suites->first[card] = suites->last[card] = RL_NONE;
    }
    for (size_t i = suites->first[card]; i != RL_NONE; i = suites->next[i])
        if ((double)shared_measures(record, suites->whole[i]) >= belongs * (double)record->measure_count)
            return i;
    RL_GROW(suites->whole, suites->count + 1, suites->cap);
    RL_GROW(suites->next, suites->count + 1, suites->next_cap);
    suites->whole[suites->count] = record;
    suites->next[suites->count] = RL_NONE;
    *(suites->first[card] == RL_NONE ? &suites->first[card] : &suites->next[suites->last[card]]) = suites->count;
    suites->last[card] = suites->count;
    return suites->count++;
}

RL_COMPARATOR(most_measures_first, struct rl_fleet_record *const, rl_descending((*x)->measure_count, (*y)->measure_count)
              ?: rl_ascending((*x)->path, (*y)->path) ?: rl_ascending((*x)->gpu, (*y)->gpu)
              ?: rl_ascending((*x)->peer, (*y)->peer));

/* ---- each GPU once ---- */

struct identity {
    const struct rl_fleet_record *record;
    size_t index;
};

/* By what it is of: the GPU, or where none has a UUID its place; of links their other end, too. */
static int compare_card(const struct rl_fleet_record *x, const struct rl_fleet_record *y)
{
    const int by_uuid = rl_ascending(x->group, y->group) ?: rl_ascending(x->uuid, y->uuid);
    const int by_place = *x->uuid ? 0 : rl_ascending(x->host, y->host) ?: rl_ascending(x->gpu, y->gpu);
    const int by_peer = rl_ascending(x->peer_uuid, y->peer_uuid) ?: *x->peer_uuid ? 0 : rl_ascending(x->peer, y->peer);
    return by_uuid ?: by_place ?: by_peer;
}

/* The capture that counts comes first: a complete one, then the newest. */
RL_COMPARATOR(by_card, struct identity, compare_card(x->record, y->record)
              ?: rl_descending(x->record->complete, y->record->complete)
              ?: rl_descending(x->record->started, y->record->started) ?: rl_ascending(x->index, y->index));

static void drop_repeated(struct rl_fleet *fleet)
{
    RL_FREED struct identity *order = rl_calloc(fleet->record_count, sizeof *order);
    for (size_t i = 0; i < fleet->record_count; i++)
        order[i] = (struct identity){fleet->records[i], i};
    rl_sort(order, fleet->record_count, sizeof *order, by_card);
    for (size_t i = 1, counts = 0; i < fleet->record_count; i++) {
        struct rl_fleet_record *record = fleet->records[order[i].index];
        const bool same = compare_card(record, order[counts].record) == 0,
                   copy = record->sha256.hex[0] && strcmp(record->sha256.hex, order[counts].record->sha256.hex) == 0;
        const bool known = *record->uuid || *record->host; /* otherwise the owner is unknown */
        if (same && (known || copy) && record->use == RL_USE_COMPARED) {
            record->use = copy ? RL_USE_DUPLICATE : RL_USE_OLDER;
            record->of = order[counts].index;
        } else {
            counts = i;
        }
    }
}

/* Hosts in containers often have one name, and their GPUs the ordinal 0: then who is meant needs the file. */
static int by_name(const void *a, const void *b)
{
    const struct rl_fleet_record *x = *(struct rl_fleet_record *const *)a, *y = *(struct rl_fleet_record *const *)b;
    const int of_links = rl_ascending(*x->links != 0, *y->links != 0);
    const int order = rl_ascending(x->node, y->node) ?: of_links ?: rl_ascending(x->gpu, y->gpu);
    return order || !*x->links ? order : rl_ascending(x->peer, y->peer);
}

static void find_namesakes(struct rl_fleet *fleet)
{
    RL_FREED struct rl_fleet_record **order = rl_calloc(fleet->record_count, sizeof(struct rl_fleet_record *));
    size_t count = 0;
    for (size_t i = 0; i < fleet->record_count; i++)
        if (fleet->records[i]->use == RL_USE_COMPARED)
            order[count++] = fleet->records[i];
    if (count)
        rl_sort(order, count, sizeof(struct rl_fleet_record *), by_name);
    for (size_t i = 1; i < count; i++)
        if (*order[i]->node && by_name(&order[i - 1], &order[i]) == 0)
            order[i - 1]->namesake = order[i]->namesake = true;
}

/* ---- groups ---- */

static const char *describe_suite(struct rl_fleet *fleet, const struct rl_fleet_record *whole)
{
    if (*whole->links)
        return rl_arena_printf(&fleet->arena, "%zu rates", whole->measure_count);
    const size_t ceilings = RL_SUM(size_t, i, whole->measure_count, fleet->keys[whole->measures[i].key].ceiling);
    return rl_arena_printf(&fleet->arena, "%zu times, %zu roofs", whole->measure_count - ceilings, ceilings);
}

RL_COMPARATOR(largest_first, struct rl_fleet_group, rl_ascending(*x->links != 0, *y->links != 0)
              ?: rl_descending(x->record_count, y->record_count) ?: rl_ascending(x->card, y->card)
              ?: rl_ascending(x->suite_id, y->suite_id));

double rl_fleet_most_common(double *values, size_t n)
{
    assert(n > 0);
    rl_robust_median(values, n); /* sorts */
    double best = values[0];
    size_t most = 0;
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && values[next] == values[i]; next++)
            continue;
        if (next - i > most) {
            most = next - i;
            best = values[i];
        }
    }
    return best;
}

/* The usual value in a group: the median, of counts the most common value. */
static void find_usual(struct rl_fleet *fleet, struct rl_fleet_group *group)
{
    RL_FREED double *values = rl_calloc(group->record_count, sizeof *values);
    for (int id = 0; id < RL_FLEET_EVIDENCE_COUNT; id++) {
        size_t count = 0;
        for (size_t i = 0; i < group->record_count; i++) {
            struct rl_value value = fleet->records[group->records[i]]->evidence[id];
            if (rl_present(value))
                values[count++] = value.v;
        }
        bool whole = rl_evidences[id].unit == RL_UNIT_COUNT;
        group->usual[id] = count ? rl_value_of(whole ? rl_fleet_most_common(values, count) : rl_robust_median(values, count))
                                 : rl_value_missing(RL_NOT_COLLECTED, NULL);
    }
}

/* Record `number` of the fleet, whose driver gets its number in the group. */
static void add_record(struct rl_fleet_group *group, struct rl_fleet_record *record, size_t number)
{
    group->records[group->record_count++] = number;
    group->incomplete += !record->complete;
    size_t j = 0;
    while (j < group->driver_count && strcmp(group->drivers[j], record->driver) != 0)
        j++;
    if (j == group->driver_count) {
        group->drivers = rl_realloc(group->drivers, j + 1, sizeof *group->drivers);
        group->driver_records = rl_realloc(group->driver_records, j + 1, sizeof *group->driver_records);
        group->drivers[j] = record->driver;
        group->driver_records[j] = 0;
        group->driver_count++;
    }
    group->driver_records[j]++;
    record->driver_index = j;
    record->evidence[RL_EVIDENCE_driver] = rl_value_of((double)j);
}

void rl_fleet_make_groups(struct rl_fleet *fleet)
{
    struct suites suites = {0};
    /* The suite of each record into `group`. */
    struct rl_fleet_record **order = rl_calloc(fleet->record_count, sizeof(struct rl_fleet_record *));
    if (fleet->record_count)
        memcpy(order, fleet->records, fleet->record_count * sizeof(struct rl_fleet_record *));
    rl_sort(order, fleet->record_count, sizeof(struct rl_fleet_record *), most_measures_first);
    for (size_t i = 0; i < fleet->record_count; i++) {
        order[i]->use = order[i]->measure_count ? RL_USE_COMPARED : RL_USE_EMPTY;
        order[i]->group = order[i]->measure_count ? suite_of(fleet, &suites, order[i]) : RL_NONE;
    }
    free(order);
    drop_repeated(fleet);
    find_namesakes(fleet);
    fleet->groups = rl_calloc(suites.count + 1, sizeof *fleet->groups);
    fleet->group_count = fleet->group_cap = suites.count;
    for (size_t i = 0; i < suites.count; i++)
        fleet->groups[i] = (struct rl_fleet_group){.card = suites.whole[i]->card,
                                                   .links = suites.whole[i]->links,
                                                   .tool_version = suites.whole[i]->tool_version,
                                                   .suite = describe_suite(fleet, suites.whole[i]),
                                                   .suite_id = i};
    /* The groups in their final order, with their records. */
    RL_FREED size_t *place = rl_calloc(suites.count, sizeof *place);
    for (size_t i = 0; i < fleet->record_count; i++)
        if (fleet->records[i]->use == RL_USE_COMPARED)
            fleet->groups[fleet->records[i]->group].record_count++;
    rl_sort(fleet->groups, suites.count, sizeof *fleet->groups, largest_first);
    for (size_t i = 0; i < suites.count; i++) {
        struct rl_fleet_group *group = &fleet->groups[i];
        place[group->suite_id] = i;
        group->judged = group->record_count >= RL_FLEET_LEAST;
        group->records = rl_calloc(group->record_count, sizeof *group->records);
        group->record_count = 0;
    }
    for (size_t i = 0; i < fleet->record_count; i++) {
        struct rl_fleet_record *record = fleet->records[i];
        record->group = record->group == RL_NONE ? RL_NONE : place[record->group];
        if (record->use != RL_USE_COMPARED)
            continue;
        add_record(&fleet->groups[record->group], record, i);
        *(*record->links ? &fleet->links : &fleet->compared) += 1;
    }
    for (size_t i = 0; i < fleet->group_count; i++)
        find_usual(fleet, &fleet->groups[i]);
    rl_intern_release(&suites.cards);
    RL_FREE(suites.first, suites.last, suites.next, suites.whole);
}

size_t rl_fleet_settings(const struct rl_fleet *fleet, const struct rl_fleet_group *group, struct rl_fleet_setting *settings)
{
    size_t count = 0;
    for (enum rl_fleet_evidence of = 0; of < RL_FLEET_EVIDENCE_COUNT; of++) {
        struct rl_fleet_setting setting = {.of = of, .usual = group->usual[of], .least = INFINITY, .greatest = -INFINITY};
        /* Groups differ in the driver; the others are concluded of a link. */
        if (of == RL_EVIDENCE_driver || of == RL_EVIDENCE_slow_end || of == RL_EVIDENCE_lone_link)
            continue;
        for (size_t i = 0; i < group->record_count; i++) {
            const struct rl_value value = fleet->records[group->records[i]]->evidence[of];
            if (!rl_present(value))
                continue;
            setting.least = fmin(setting.least, value.v);
            setting.greatest = fmax(setting.greatest, value.v);
            setting.other += value.v != setting.usual.v;
        }
        if (setting.least <= setting.greatest) /* a capture says it */
            settings[count++] = setting;
    }
    return count;
}
