/* profiler_api.c - see profiler_api.h. */
#include "profiler_api.h"

#include <pthread.h>

#include "cupti_api.h"

struct rl_profiler_api rl_profiler;

enum library { CUPTI, HOST };
static const struct {
    enum library library;
    const char *name;
    size_t offset;
} functions[] = {
#define PARAMS(library, function, ...) {library, #function, offsetof(struct rl_profiler_api, function)},
#include "profiler_api.def"
#undef PARAMS
};

static struct {
    pthread_once_t once;
    enum rl_status status;
    struct rl_err err;
} state = {.once = PTHREAD_ONCE_INIT};

static void open_once(void)
{
    for (size_t i = 0; i < RL_COUNT(functions) && state.status == RL_OK; i++) {
        const bool host = functions[i].library == HOST;
        void *symbol = host ? rl_cupti_host_symbol(functions[i].name) : rl_cupti_symbol(functions[i].name);
        if (!symbol)
            state.status = rl_err_set(&state.err, RL_UNSUPPORTED, "%s has no %s: back end 'profiler' needs CUPTI 11.8 or newer%s",
                                      host ? "libnvperf_host.so" : "libcupti.so", functions[i].name,
                                      host ? ", and libnvperf_host.so in the folder of libcupti.so" : "");
        memcpy((char *)&rl_profiler + functions[i].offset, &symbol, sizeof symbol);
    }
    RL_PROFILER_PARAMS(NVPW_InitializeHost, params);
    if (state.status == RL_OK)
        state.status = RL_PROFILER(&state.err, NVPW_InitializeHost, &params);
}

enum rl_status rl_profiler_open(struct rl_err *err)
{
    pthread_once(&state.once, open_once);
    return state.status == RL_OK ? RL_OK : rl_err_set(err, state.status, "%s", state.err.text);
}

static const struct {
    int code;
    enum rl_status status;
    const char *text;
} errors[] = {
#define NVPERF_ERROR_ROW(code, status, text) {code, status, text},
#include "nvperf_errors.def"
#undef NVPERF_ERROR_ROW
};

enum rl_status rl_profiler_check(int code, const char *what, struct rl_err *err)
{
    if (strncmp(what, "cupti", strlen("cupti")) == 0)
        return rl_cupti_check((CUptiResult)code, what, err);
    if (code == 0)
        return RL_OK;
    for (size_t i = 0; i < RL_COUNT(errors); i++)
        if (errors[i].code == code)
            return rl_err_set(err, errors[i].status, "%s (%s, error %d)", errors[i].text, what, code);
    return rl_err_set(err, RL_FAILED, "%s failed (error %d)", what, code);
}
