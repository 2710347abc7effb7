/* backend_pick.c - which back end of a library serves a GPU (backend.h); knows tables only. */
#include "backend.h"

static const struct {
    const char *name;
    uint32_t first, last;
    int least, most;
    const char *words;
} rows[RL_BACKEND_COUNT] = {
#define BACKEND(id, first, last, least, most, words) [RL_BACKEND_##id] = {#id, first, last, least, most, words},
#include "collector/backends.def"
};

const char *rl_backend_name(enum rl_backend_id id)
{
    assert(id < RL_BACKEND_COUNT);
    return rows[id].name;
}

enum rl_backend_id rl_backend_find(const char *name)
{
    enum rl_backend_id id = 0;
    while (id < RL_BACKEND_COUNT && strcmp(rows[id].name, name) != 0)
        id++;
    return id;
}

void rl_cupti_version_words(uint32_t number, char words[RL_CUPTI_VERSION_SIZE])
{
    static const struct {
        uint32_t number;
        const char *name;
    } versions[] = {
#define CUPTI_VERSION_ROW(number, name) {number, name},
#include "cupti_versions.def"
#undef CUPTI_VERSION_ROW
    };
    /* 130001 is 13.0 update 1. */
    if (number >= 130000)
        snprintf(words, RL_CUPTI_VERSION_SIZE, "%u.%u.%u", number / 10000, number / 100 % 100, number % 100);
    else
        snprintf(words, RL_CUPTI_VERSION_SIZE, "API %u", number);
    for (size_t i = 0; i < RL_COUNT(versions); i++)
        if (versions[i].number == number)
            snprintf(words, RL_CUPTI_VERSION_SIZE, "%s", versions[i].name);
}

static bool in_span(uint32_t value, uint32_t first, uint32_t last)
{
    return value >= first && (last == 0 || value <= last);
}

/* Whether the back end of the library serves compute capability cc (x 10; 0: any). Appends to `why`, which may be NULL, why it does
 * not. */
static bool backend_serves(const struct rl_backend_library *library, int cc, enum rl_backend_id id, struct rl_buf *why)
{
    struct rl_buf unread = RL_BUF_INIT, *to = why ? why : &unread;
    char version[RL_CUPTI_VERSION_SIZE];
    bool serves = false;
    rl_cupti_version_words(library->version, version);
    if (!in_span(library->version, rows[id].first, rows[id].last) || !library->has[id])
        rl_buf_addf(to, "CUPTI %s does not have it", version);
    else if (cc && !in_span((uint32_t)cc, (uint32_t)rows[id].least, (uint32_t)rows[id].most)) {
        int least = rows[id].least;
        int most = rows[id].most;
        rl_buf_addf(to, "it serves compute capability %d.%d", least / 10, least % 10);
        if (most)
            rl_buf_addf(to, " to %d.%d", most / 10, most % 10);
        else
            rl_buf_adds(to, " and newer");
    } else if (cc && library->cc_served == RL_CC_NOT_SERVED)
        rl_buf_addf(to, "CUPTI %s does not serve compute capability %d.%d", version, cc / 10, cc % 10);
    else
        serves = true;
    rl_buf_release(&unread);
    return serves;
}

static enum rl_status pick_forced(const struct rl_backend_library *library, int cc, const char *forced, enum rl_backend_id *id,
                                  struct rl_err *err)
{
    RL_SCRATCH why = RL_BUF_INIT;
    enum rl_status status = RL_OK;
    *id = rl_backend_find(forced);
    if (*id == RL_BACKEND_COUNT)
        status = rl_err_set(err, RL_USAGE, "there is no back end '%s'", forced);
    else if (!backend_serves(library, cc, *id, &why))
        status = rl_err_set(err, RL_UNSUPPORTED, "back end '%s' cannot count here: %s", forced, why.data);
    return status;
}

enum rl_status rl_backend_pick(const struct rl_backend_library *library, int cc, const char *forced, enum rl_backend_id *id,
                               struct rl_err *err)
{
    RL_SCRATCH why = RL_BUF_INIT;
    if (forced)
        return pick_forced(library, cc, forced, id, err);
    for (*id = 0; *id < RL_BACKEND_COUNT; ++*id) {
        if (why.len)
            rl_buf_adds(&why, "; ");
        rl_buf_addf(&why, "%s: ", rows[*id].name);
        if (backend_serves(library, cc, *id, &why))
            break;
    }
    enum rl_status status = RL_OK;
    if (*id == RL_BACKEND_COUNT)
        status = rl_err_set(err, RL_UNSUPPORTED, "no part of this CUPTI can count on this GPU (%s)", why.data);
    return status;
}

enum rl_status rl_backend_tell(const struct rl_backend_library *library, int cc, struct rl_buf *out)
{
    enum rl_backend_id chosen;
    const enum rl_status status = rl_backend_pick(library, cc, NULL, &chosen, NULL);
    if (status == RL_OK)
        rl_buf_addf(out, "%s, %s", rows[chosen].name, rows[chosen].words);
    else
        rl_buf_adds(out, "none");
    for (enum rl_backend_id id = 0; id < RL_BACKEND_COUNT; id++) {
        if (status == RL_OK && id == chosen)
            continue;
        rl_buf_addf(out, "; %s: ", rows[id].name);
        if (backend_serves(library, cc, id, out))
            rl_buf_adds(out, "would serve it, too");
    }
    return status;
}
