/* event_api.c - see event_api.h. */
#include "event_api.h"

#include <pthread.h>
#include <string.h>

#include "core/mem.h"
#include "cupti_api.h"

struct rl_event_api rl_event;

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define EVENT_FUNCTION(name, parameters) {#name, offsetof(struct rl_event_api, name)},
#include "event_api.def"
#undef EVENT_FUNCTION
};

static struct {
    pthread_once_t once;
    enum rl_status status;
    struct rl_err err;
} state = {.once = PTHREAD_ONCE_INIT};

static void open_once(void)
{
    for (size_t i = 0; i < RL_COUNT(functions) && state.status == RL_OK; i++) {
        void *symbol = rl_cupti_symbol(functions[i].name);
        if (!symbol)
            state.status = rl_err_set(&state.err, RL_UNSUPPORTED,
                                      "libcupti.so has no %s: back end 'event' needs CUPTI 11.2 to 12.9", functions[i].name);
        memcpy((char *)&rl_event + functions[i].offset, &symbol, sizeof symbol);
    }
}

enum rl_status rl_event_open(struct rl_err *err)
{
    pthread_once(&state.once, open_once);
    return state.status == RL_OK ? RL_OK : rl_err_set(err, state.status, "%s", state.err.text);
}
