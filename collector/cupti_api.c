/* cupti_api.c - finding and opening libcupti, and its errors in words. */
#include "cupti_api.h"

#include <dlfcn.h>
#include <glob.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/collector.h"
#include "core/buf.h"
#include "core/fs.h"
#include "core/mem.h"

struct rl_cupti_api rl_cupti;

static const struct {
    const char *name;
    size_t offset;
    bool optional;
} functions[] = {
#define CUPTI_FUNCTION(name) {#name, offsetof(struct rl_cupti_api, name), false},
#define CUPTI_OPTIONAL(name) {#name, offsetof(struct rl_cupti_api, name), true},
#include "cupti_api.def"
#undef CUPTI_OPTIONAL
#undef CUPTI_FUNCTION
};

/* Folders in which toolkits put CUPTI, best first; patterns of glob(7). $ROOFLIGHT_CUPTI_DIR, when set, is looked at before. */
static const char *const folders[] = {
    RL_CUPTI_BUILD_DIR, /* where the toolkit of the build has it */
    "/usr/local/cuda/extras/CUPTI/lib64",
    "/usr/local/cuda/lib64",
    "/usr/local/cuda-1[2-9]*/extras/CUPTI/lib64",
    "/usr/local/cuda-1[2-9]*/lib64",
    "/usr/local/cuda-1[2-9]*/targets/x86_64-linux/lib",
    "/opt/nvidia/cuda*/extras/CUPTI/lib64",
    "/usr/lib/x86_64-linux-gnu",
};
static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};

static struct {
    pthread_once_t once;
    enum rl_status status;
    struct rl_err err;
    char *path;
    char version[32];
} state = {.once = PTHREAD_ONCE_INIT};

/* Looks every function up; false when one is missing (CUPTI older than 12.6). */
static bool resolve(void *library, const char **missing)
{
    for (size_t i = 0; i < RL_COUNT(functions); i++) {
        void *symbol = dlsym(library, functions[i].name);
        if (!symbol && !functions[i].optional) {
            *missing = functions[i].name;
            return false;
        }
        memcpy((char *)&rl_cupti + functions[i].offset, &symbol, sizeof symbol);
    }
    return true;
}

static bool try_library(const char *folder, const char *name, struct rl_buf *tried)
{
    char *path = folder ? rl_path_join(folder, name) : rl_strdup(name);
    const char *missing = NULL;
    void *library = NULL;
    if (!folder || rl_path_exists(path)) {
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!library)
            rl_buf_addf(tried, "%s%s", tried->len ? "; " : "", dlerror());
        else if (!resolve(library, &missing))
            rl_buf_addf(tried, "%s%s is older than CUPTI 12.6 (no %s)", tried->len ? "; " : "", path, missing);
    }
    bool found = library && !missing;
    if (found)
        state.path = path;
    else {
        if (library)
            dlclose(library);
        free(path);
    }
    return found;
}

static bool try_folder(const char *pattern, struct rl_buf *tried)
{
    glob_t matches = {0};
    bool found = false;
    if (glob(pattern, 0, NULL, &matches) == 0)
        for (size_t i = matches.gl_pathc; i-- > 0 && !found;) /* the highest version sorts last */
            for (size_t n = 0; n < RL_COUNT(names) && !found; n++)
                found = try_library(matches.gl_pathv[i], names[n], tried);
    globfree(&matches);
    return found;
}

static void open_once(void)
{
    struct rl_buf tried = RL_BUF_INIT;
    const char *wish = getenv("ROOFLIGHT_CUPTI_DIR");
    bool found = wish && *wish && try_folder(wish, &tried);
    for (size_t i = 0; i < RL_COUNT(folders) && !found; i++)
        found = try_folder(folders[i], &tried);
    for (size_t n = 0; n < RL_COUNT(names) && !found; n++)
        found = try_library(NULL, names[n], &tried);
    if (found) {
        uint32_t version = 0;
        rl_cupti.cuptiGetVersion(&version);
        /* 130001 is 13.0 update 1; before CUDA 13 the numbers only count releases. */
        if (version >= 130000)
            snprintf(state.version, sizeof state.version, "%u.%u.%u", version / 10000, version / 100 % 100, version % 100);
        else
            snprintf(state.version, sizeof state.version, "API %u", version);
        state.status = RL_OK;
    } else {
        state.status = rl_err_set(&state.err, RL_ABSENT,
                                  "CUPTI not found: install the CUDA toolkit 12.6 or newer, or name the folder of libcupti.so in "
                                  "ROOFLIGHT_CUPTI_DIR (%s)",
                                  tried.len ? tried.data : "nothing in the usual places");
    }
    rl_buf_release(&tried);
}

enum rl_status rl_cupti_open(const char **path, struct rl_err *err)
{
    pthread_once(&state.once, open_once);
    if (state.status != RL_OK)
        return rl_err_set(err, state.status, "%s", state.err.text);
    if (path)
        *path = state.path;
    return RL_OK;
}

/* True when the helper stands beside libcupti and is open now. */
static bool open_helper(const char *name)
{
    const char *slash = state.path ? strrchr(state.path, '/') : NULL;
    if (!slash)
        return false; /* the loader found libcupti, and will find its helpers */
    struct rl_buf path = RL_BUF_INIT;
    rl_buf_add(&path, state.path, (size_t)(slash + 1 - state.path));
    rl_buf_adds(&path, name);
    bool open = dlopen(path.data, RTLD_NOW | RTLD_GLOBAL) != NULL;
    rl_buf_release(&path);
    return open;
}

static void open_host_helper(void)
{
    (void)open_helper("libnvperf_host.so"); /* when it fails, CUPTI says so at its first use */
}

void rl_cupti_load_host(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_host_helper);
}

bool rl_cupti_load_target(void)
{
    static atomic_flag done = ATOMIC_FLAG_INIT;
    return !atomic_flag_test_and_set(&done) && open_helper("libnvperf_target.so");
}

const char *rl_cupti_version(void)
{
    return state.version;
}

static const struct {
    CUptiResult code;
    enum rl_status status;
    const char *text;
} errors[] = {
#define CUPTI_ERROR_ROW(code, status, text) {code, status, text},
#include "cupti_errors.def"
#undef CUPTI_ERROR_ROW
};

enum rl_status rl_cupti_check(CUptiResult result, const char *what, struct rl_err *err)
{
    if (result == CUPTI_SUCCESS)
        return RL_OK;
    for (size_t i = 0; i < RL_COUNT(errors); i++)
        if (errors[i].code == result)
            return rl_err_set(err, errors[i].status, "%s (%s, error %d)", errors[i].text, what, (int)result);
    const char *name = NULL;
    if (rl_cupti.cuptiGetResultString(result, &name) != CUPTI_SUCCESS || !name)
        name = "unknown error";
    return rl_err_set(err, RL_FAILED, "%s failed: %s (error %d)", what, name, (int)result);
}
