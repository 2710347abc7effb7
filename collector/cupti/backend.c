/* backend.c - the back end in force (backend.h). */
#include "backend.h"

#include <stdatomic.h>

#include "cupti_api.h"

static const struct rl_backend *const functions[RL_BACKEND_COUNT] = {
#define BACKEND(id, first, last, least, most, words) [RL_BACKEND_##id] = &rl_backend_##id,
#include "collector/backends.def"
};

static _Atomic(const struct rl_backend *) in_force;

enum rl_status rl_backend_choose(int cc, const char *forced, struct rl_err *err)
{
    enum rl_backend_id id;
    enum rl_status status = rl_backend_pick(rl_cupti_library(cc), cc, forced, &id, err);
    if (status == RL_OK)
        atomic_store(&in_force, functions[id]);
    return status;
}

const struct rl_backend *rl_backend(void)
{
    if (!atomic_load(&in_force) && rl_backend_choose(0, NULL, NULL) != RL_OK)
        atomic_store(&in_force, &rl_backend_range); /* whose calls will say what is wrong */
    return atomic_load(&in_force);
}

const char *rl_backend_mode(const char *mode, char words[RL_MODE_SIZE])
{
    const enum rl_backend_id id = rl_backend()->id;
    snprintf(words, RL_MODE_SIZE, id == RL_BACKEND_range ? "%s" : "%s, back end %s", mode, rl_backend_name(id));
    return words;
}
