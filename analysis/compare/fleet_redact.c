/* fleet_redact.c - numbers in place of names of hosts, racks, GPUs and files (see rl_fleet_redact). */
#include <string.h>

#include "analysis/fleet.h"
#include "core/mem.h"
#include "core/sort.h"

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
