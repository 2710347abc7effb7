/* fleet.c - taking records in, and the order of the steps (see analysis/fleet.h). */
#include "analysis/fleet.h"

#include "fleet_internal.h"

/* ---- numbers in place of names of hosts, racks, GPUs and files (see rl_fleet_redact) ---- */

/* Names of one kind, and the members of a record where they stand. */
static const struct {
    const char *what;
    size_t member, other;
} kinds[] = {
#define MEMBER(name) offsetof(struct rl_fleet_record, name)
    {"host", MEMBER(host), MEMBER(host)},     {"node", MEMBER(node), MEMBER(node)},    {"rack", MEMBER(rack), MEMBER(rack)},
    {"GPU", MEMBER(uuid), MEMBER(peer_uuid)}, {"capture", MEMBER(path), MEMBER(path)},
#undef MEMBER
};

RL_COMPARATOR(by_name, char *const *const, strcmp(**x, **y));

/* `path` in a message about a file. */
static const char *without_path(struct rl_fleet *fleet, const char *text, const char *path, const char *name)
{
    RL_SCRATCH out = RL_BUF_INIT;
    const size_t len = strlen(path);
    for (const char *at = text; *at;) {
        const bool here = len > 0 && strncmp(at, path, len) == 0;
        if (here)
            rl_buf_adds(&out, name);
        else
            rl_buf_addch(&out, *at);
        at += here ? len : 1;
    }
    return rl_arena_strndup(&fleet->arena, out.data, out.len);
}

void rl_fleet_redact(struct rl_fleet *fleet)
{
    const char ***places = rl_calloc(2 * fleet->record_count + fleet->unread_count, sizeof *places);
    const char **paths = rl_calloc(fleet->unread_count, sizeof *paths);
    for (size_t kind = 0; kind < RL_COUNT(kinds); kind++) {
        size_t count = 0;
        for (size_t i = 0; i < fleet->record_count; i++) {
            char *record = (char *)fleet->records[i];
            places[count++] = (const char **)(void *)(record + kinds[kind].member);
            if (kinds[kind].other != kinds[kind].member)
                places[count++] = (const char **)(void *)(record + kinds[kind].other);
        }
        for (size_t i = 0; i < fleet->unread_count && kinds[kind].member == offsetof(struct rl_fleet_record, path); i++) {
            paths[i] = fleet->unread[i].path;
            places[count++] = &fleet->unread[i].path;
        }
        /* "node-001": with as many digits as the highest number has, so that names are in the order of the numbers. Names that
         * are alike get the same; places that say "" (unknown) are passed over. */
        const char *before = NULL, *name = NULL;
        size_t different = 0, known = 0;
        int digits = 1;
        for (size_t i = 0; i < count; i++)
            if (**places[i])
                places[known++] = places[i];
        for (size_t most = known; most >= 10; most /= 10)
            digits++;
        if (known)
            rl_sort(places, known, sizeof *places, by_name);
        for (size_t i = 0; i < known; i++) {
            if (!before || strcmp(before, *places[i]) != 0)
                name = rl_arena_printf(&fleet->arena, "%s-%0*zu", kinds[kind].what, digits, ++different);
            before = *places[i];
            *places[i] = name;
        }
    }
    for (size_t i = 0; i < fleet->unread_count; i++)
        fleet->unread[i].why = without_path(fleet, fleet->unread[i].why, paths[i], fleet->unread[i].path);
    RL_FREE(places, paths);
}

static const double default_alpha = 0.05, default_least = 0.01;

RL_NAMES(rl_fleet_use_name, enum rl_fleet_use, [RL_USE_COMPARED] = "compared", [RL_USE_DUPLICATE] = "duplicate",
         [RL_USE_OLDER] = "older capture of a GPU", [RL_USE_EMPTY] = "nothing measured")

struct rl_fleet *rl_fleet_new(const struct rl_fleet_options *options)
{
    struct rl_fleet *fleet = rl_calloc(1, sizeof *fleet);
    fleet->options = *options;
    if (fleet->options.alpha <= 0)
        fleet->options.alpha = default_alpha;
    if (fleet->options.least <= 0)
        fleet->options.least = default_least;
    return fleet;
}

/* The number of a key: one for each id. */
static size_t number_of(struct rl_fleet *fleet, const struct rl_fleet_key *key)
{
    bool is_new;
    const size_t at = rl_intern(&fleet->ids, 0, key->id, &is_new);
    if (is_new) {
        RL_GROW(fleet->keys, fleet->key_count + 1, fleet->key_cap);
        fleet->keys[fleet->key_count] = *key;
        fleet->keys[fleet->key_count].id = fleet->ids.entries[at].text = rl_arena_strdup(&fleet->arena, key->id);
        fleet->keys[fleet->key_count++].name = rl_arena_strdup(&fleet->arena, key->name);
    }
    return at;
}

RL_COMPARATOR(by_key, struct rl_fleet_measure, rl_ascending(x->key, y->key) ?: rl_ascending(x->position, y->position));

/* Sorted by key; of a key that a capture has twice, the first counts. */
static void sort_measures(struct rl_fleet_record *record)
{
    size_t kept = 0;
    rl_sort(record->measures, record->measure_count, sizeof *record->measures, by_key);
    for (size_t i = 0; i < record->measure_count; i++)
        if (kept == 0 || record->measures[i].key != record->measures[kept - 1].key)
            record->measures[kept++] = record->measures[i];
    record->measure_count = kept;
}

void rl_fleet_add(struct rl_fleet *fleet, struct rl_fleet_record *record)
{
    const char **texts[] = {&record->path,    &record->host,   &record->node,   &record->rack,
                            &record->card,    &record->uuid,   &record->driver, &record->tool_version,
                            &record->started, &record->source, &record->links,  &record->peer_uuid};
    assert(!fleet->groups && record->keys);
    for (size_t i = 0; i < RL_COUNT(texts); i++) /* small strings of thousands of records lie together */
        *texts[i] = rl_arena_strdup(&fleet->arena, *texts[i]);
    rl_arena_release(&record->arena);
    for (size_t i = 0; i < record->measure_count; i++)
        record->measures[i].key = (uint32_t)number_of(fleet, &record->keys[record->measures[i].key]);
    free(record->keys);
    record->keys = NULL;
    rl_arena_release(&record->key_arena);
    sort_measures(record);
    RL_APPEND(fleet->records, fleet->record_count, fleet->record_cap, record);
}

void rl_fleet_add_unread(struct rl_fleet *fleet, const char *path, const char *why)
{
    RL_APPEND(fleet->unread, fleet->unread_count, fleet->unread_cap,
              (struct rl_fleet_unread){rl_arena_strdup(&fleet->arena, path), rl_arena_strdup(&fleet->arena, why)});
}

RL_COMPARATOR(by_path, struct rl_fleet_record *const, rl_ascending((*x)->path, (*y)->path)
              ?: rl_ascending((*x)->links, (*y)->links) ?: rl_ascending((*x)->gpu, (*y)->gpu)
              ?: rl_ascending((*x)->peer, (*y)->peer));

RL_COMPARATOR(unread_by_path, struct rl_fleet_unread, strcmp(x->path, y->path));

struct place {
    bool ceiling;
    size_t order, key;
};

RL_COMPARATOR(by_place, struct place, rl_descending(x->ceiling, y->ceiling) ?: rl_ascending(x->order, y->order)
              ?: rl_ascending(x->key, y->key));

void rl_fleet_finish(struct rl_fleet *fleet)
{
    if (fleet->record_count)
        rl_sort(fleet->records, fleet->record_count, sizeof(struct rl_fleet_record *), by_path);
    if (fleet->unread_count)
        rl_sort(fleet->unread, fleet->unread_count, sizeof *fleet->unread, unread_by_path);
    /* A kernel is limited by what most captures say it is. */
    uint32_t(*votes)[RL_PART_COUNT] = rl_calloc(fleet->key_count + 1, sizeof *votes);
    for (size_t i = 0; i < fleet->record_count; i++)
        for (size_t m = 0; m < fleet->records[i]->measure_count; m++)
            votes[fleet->records[i]->measures[m].key][fleet->records[i]->measures[m].part]++;
    for (size_t key = 0; key < fleet->key_count; key++) {
        int best = 0;
        for (int part = 1; part < RL_PART_COUNT; part++)
            best = votes[key][part] > votes[key][best] ? part : best;
        fleet->keys[key].part = (enum rl_fleet_part)best;
    }
    free(votes);
    /* Ceilings first, then kernels, each in the order of the captures that have them: where a key stands among its record's
     * measures in the order of measuring, in the first record by path. */
    RL_FREED struct place *places = rl_calloc(fleet->key_count + 1, sizeof *places);
    struct rl_fleet_key *keys = rl_calloc(fleet->key_count + 1, sizeof *keys);
    RL_FREED size_t *fresh = rl_calloc(fleet->key_count + 1, sizeof *fresh);
    for (size_t key = 0; key < fleet->key_count; key++)
        places[key] = (struct place){fleet->keys[key].ceiling, (size_t)-1, key};
    for (size_t i = fleet->record_count; i-- > 0;)
        for (size_t m = 0; m < fleet->records[i]->measure_count; m++) {
            const struct rl_fleet_measure *measure = &fleet->records[i]->measures[m];
            places[measure->key].order = i * (UINT16_MAX + 1) + measure->position;
        }
    rl_sort(places, fleet->key_count, sizeof *places, by_place);
    for (size_t i = 0; i < fleet->key_count; i++) {
        fresh[places[i].key] = i;
        keys[i] = fleet->keys[places[i].key];
    }
    for (size_t i = 0; i < fleet->record_count; i++) {
        for (size_t m = 0; m < fleet->records[i]->measure_count; m++)
            fleet->records[i]->measures[m].key = (uint32_t)fresh[fleet->records[i]->measures[m].key];
        sort_measures(fleet->records[i]);
    }
    free(fleet->keys);
    fleet->keys = keys;
    fleet->key_cap = fleet->key_count + 1;
    rl_fleet_make_groups(fleet);
    rl_fleet_make_spreads(fleet);
    rl_fleet_find_suspects(fleet);
}

void rl_fleet_free(struct rl_fleet *fleet)
{
    if (!fleet)
        return;
    for (size_t i = 0; i < fleet->record_count; i++)
        rl_fleet_record_free(fleet->records[i]);
    for (size_t i = 0; i < fleet->group_count; i++) {
        RL_FREE(fleet->groups[i].records, fleet->groups[i].drivers, fleet->groups[i].driver_records);
    }
    RL_FREE(fleet->groups, fleet->records, fleet->unread, fleet->keys, fleet->spreads, fleet->outliers, fleet->suspects);
    rl_intern_release(&fleet->ids);
    rl_arena_release(&fleet->arena);
    free(fleet);
}
