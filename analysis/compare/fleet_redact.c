/* fleet_redact.c - numbers in place of names of hosts, racks, GPUs and files (see rl_fleet_redact). */
#include <stdlib.h>
#include <string.h>

#include "analysis/fleet.h"
#include "core/mem.h"
#include "core/sort.h"

/* Places where names of one kind stand. */
struct places {
    const char ***at;
    size_t count, cap;
};

static void add_place(struct places *places, const char **at)
{
    if (!**at)
        return; /* not known */
    RL_GROW(places->at, places->count + 1, places->cap);
    places->at[places->count++] = at;
}

static int by_name(const void *a, const void *b)
{
    const char *const *const *x = a, *const *const *y = b;
    return strcmp(**x, **y);
}

/* "node-001": with as many digits as the highest number has, so that names are in the order of the numbers. */
static void number(struct rl_fleet *fleet, struct places *places, const char *what)
{
    const char *before = NULL, *name = NULL;
    size_t different = 0;
    int digits = 1;
    for (size_t most = places->count; most >= 10; most /= 10)
        digits++;
    if (places->count)
        rl_sort(places->at, places->count, sizeof *places->at, by_name);
    for (size_t i = 0; i < places->count; i++) {
        if (!before || strcmp(before, *places->at[i]) != 0)
            name = rl_arena_printf(&fleet->arena, "%s-%0*zu", what, digits, ++different);
        before = *places->at[i];
        *places->at[i] = name;
    }
    free(places->at);
}

static void number_field(struct rl_fleet *fleet, const char *what, const char **(*field)(struct rl_fleet_record *))
{
    struct places places = {0};
    for (size_t i = 0; i < fleet->record_count; i++)
        add_place(&places, field(fleet->records[i]));
    number(fleet, &places, what);
}

static const char **host_of(struct rl_fleet_record *record)
{
    return &record->host;
}
static const char **node_of(struct rl_fleet_record *record)
{
    return &record->node;
}
static const char **rack_of(struct rl_fleet_record *record)
{
    return &record->rack;
}

/* `path` in what is said of a file. */
static const char *without_path(struct rl_fleet *fleet, const char *text, const char *path, const char *name)
{
    struct rl_buf out = RL_BUF_INIT;
    const size_t len = strlen(path);
    for (const char *at = text; *at;) {
        const bool here = len > 0 && strncmp(at, path, len) == 0;
        if (here)
            rl_buf_adds(&out, name);
        else
            rl_buf_addch(&out, *at);
        at += here ? len : 1;
    }
    const char *clean = rl_arena_strndup(&fleet->arena, out.data, out.len);
    rl_buf_release(&out);
    return clean;
}

static void number_files(struct rl_fleet *fleet)
{
    struct places places = {0};
    const char **paths = rl_calloc(fleet->unread_count, sizeof *paths);
    for (size_t i = 0; i < fleet->record_count; i++)
        add_place(&places, &fleet->records[i]->path);
    for (size_t i = 0; i < fleet->unread_count; i++) {
        paths[i] = fleet->unread[i].path;
        add_place(&places, &fleet->unread[i].path);
    }
    number(fleet, &places, "capture");
    for (size_t i = 0; i < fleet->unread_count; i++)
        fleet->unread[i].why = without_path(fleet, fleet->unread[i].why, paths[i], fleet->unread[i].path);
    free(paths);
}

/* Of GPUs and of the other ends of links: the same GPU has the same number. */
static void number_gpus(struct rl_fleet *fleet)
{
    struct places places = {0};
    for (size_t i = 0; i < fleet->record_count; i++) {
        add_place(&places, &fleet->records[i]->uuid);
        add_place(&places, &fleet->records[i]->peer_uuid);
    }
    number(fleet, &places, "GPU");
}

void rl_fleet_redact(struct rl_fleet *fleet)
{
    number_field(fleet, "host", host_of);
    number_field(fleet, "node", node_of);
    number_field(fleet, "rack", rack_of);
    number_gpus(fleet);
    number_files(fleet);
}
