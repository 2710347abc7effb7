/* cupti_api.c - finding and opening libcupti, and its errors in words. */
#include "cupti_api.h"

#include <dlfcn.h>
#include <glob.h>
#include <pthread.h>
#include <stdatomic.h>

#include "collector/collector.h"

struct rl_cupti_api rl_cupti;

/* Whose function a row is: needed of every library, by the back end `range`, or by nothing. */
enum need { ALWAYS, OF_RANGE, NEVER };
static const struct {
    const char *name;
    size_t offset;
    enum need need;
} functions[] = {
#define CUPTI_FUNCTION(name) {#name, offsetof(struct rl_cupti_api, name), ALWAYS},
#define CUPTI_RANGE(name)    {#name, offsetof(struct rl_cupti_api, name), OF_RANGE},
#define CUPTI_OPTIONAL(name) {#name, offsetof(struct rl_cupti_api, name), NEVER},
#include "cupti_api.def"
#undef CUPTI_OPTIONAL
#undef CUPTI_RANGE
#undef CUPTI_FUNCTION
};

/* Functions that a back end needs of libcupti, besides those of `functions`. */
static const struct {
    enum rl_backend_id id;
    const char *name;
} needed[] = {
#define CUPTI_NEEDED(function) {RL_BACKEND_profiler, #function},
#define HOST_NEEDED(function)
#define PARAMS(library, function, ...) library##_NEEDED(function)
#include "profiler_api.def"
#undef PARAMS
#undef HOST_NEEDED
#undef CUPTI_NEEDED
};

/* Folders in which toolkits put CUPTI, best first; patterns of glob(7). $ROOFLIGHT_CUPTI_DIR, when set, is looked at before. */
static const char *const folders[] = {
    RL_CUPTI_BUILD_DIR, /* where the toolkit of the build has it */
    "/usr/local/cuda/extras/CUPTI/lib64",
    "/usr/local/cuda/lib64",
    "/usr/local/cuda-1[1-9]*/extras/CUPTI/lib64",
    "/usr/local/cuda-1[1-9]*/lib64",
    "/usr/local/cuda-1[1-9]*/targets/x86_64-linux/lib",
    "/opt/nvidia/cuda*/extras/CUPTI/lib64",
    "/usr/lib/x86_64-linux-gnu",
};
/* Patterns, too; the loader is asked for those that are none. */
static const char *const names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.[0-9]*", "libcupti.so"};

/* A library that has what is always needed. */
struct library {
    void *handle; /* NULL: none */
    char *path;
    struct rl_cupti_api api;
    struct rl_backend_library has;
};

static struct {
    pthread_once_t once;
    enum rl_status status;
    struct rl_err err;
    int cc;              /* wished for */
    const char *backend; /* the same */
    const char *preferred;
    struct library library;
    char version[RL_CUPTI_VERSION_SIZE];
} state = {.once = PTHREAD_ONCE_INIT};

void rl_cupti_wish(int cc, const char *backend)
{
    state.cc = cc;
    state.backend = backend;
}

void rl_cupti_prefer(const char *path)
{
    state.preferred = path;
}

/* Looks every function up; false when one is missing that is always needed. */
static bool resolve(struct library *library, const char **missing)
{
    memset(library->has.has, true, sizeof library->has.has);
    for (size_t i = 0; i < RL_COUNT(functions); i++) {
        void *symbol = dlsym(library->handle, functions[i].name);
        if (!symbol && functions[i].need == ALWAYS) {
            *missing = functions[i].name;
            return false;
        }
        if (!symbol && functions[i].need == OF_RANGE)
            library->has.has[RL_BACKEND_range] = false;
        memcpy((char *)&library->api + functions[i].offset, &symbol, sizeof symbol);
    }
    for (size_t i = 0; i < RL_COUNT(needed); i++)
        if (!dlsym(library->handle, needed[i].name))
            library->has.has[needed[i].id] = false;
    return library->api.cuptiGetVersion(&library->has.version) == CUPTI_SUCCESS;
}

static void ask_cc(struct library *library, int cc)
{
    int served = 0;
    const bool asked = cc && library->api.cuptiComputeCapabilitySupported &&
                       library->api.cuptiComputeCapabilitySupported(cc / 10, cc % 10, &served) == CUPTI_SUCCESS;
    library->has.cc_served = !asked ? RL_CC_UNASKED : served ? RL_CC_SERVED : RL_CC_NOT_SERVED;
}

static void close_library(struct library *library)
{
    if (library->handle)
        dlclose(library->handle);
    free(library->path);
    *library = (struct library){0};
}

/* Opens a library; true when it is what was wished for. The first that can be used at all is kept until then. */
static bool try_library(const char *path, bool by_loader, struct library *first, struct rl_buf *tried)
{
    struct library library = {0};
    enum rl_backend_id id;
    const char *missing = NULL;
    if (!by_loader && !rl_path_exists(path))
        return false;
    library.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library.handle || !resolve(&library, &missing)) {
        const char *separator = tried->len ? "; " : "";
        if (!library.handle)
            rl_buf_addf(tried, "%s%s", separator, dlerror());
        else
            rl_buf_addf(tried, "%s%s cannot be used (no %s)", separator, path, missing ? missing : "version");
        close_library(&library);
        return false;
    }
    library.path = rl_strdup(path);
    ask_cc(&library, state.cc);
    const bool wished = rl_backend_pick(&library.has, state.cc, state.backend, &id, NULL) == RL_OK;
    if (wished || !first->handle) {
        close_library(first);
        *first = library;
    } else {
        close_library(&library);
    }
    return wished;
}

static bool try_folder(const char *folder, struct library *first, struct rl_buf *tried)
{
    bool found = false;
    for (size_t n = 0; n < RL_COUNT(names) && !found; n++) {
        glob_t matches = {0};
        RL_FREED char *pattern = rl_path_join(folder, names[n]);
        if (glob(pattern, 0, NULL, &matches) == 0)
            for (size_t i = matches.gl_pathc; i-- > 0 && !found;) /* the highest version sorts last */
                found = try_library(matches.gl_pathv[i], false, first, tried);
        globfree(&matches);
    }
    return found;
}

static struct library find_library(struct rl_buf *tried)
{
    struct library first = {0};
    const char *wish = getenv("ROOFLIGHT_CUPTI_DIR");
    if (state.preferred && try_library(state.preferred, true, &first, tried))
        return first;
    if (wish && *wish) { /* what is there is meant, whatever else there is */
        try_folder(wish, &first, tried);
        if (first.handle)
            return first;
    }
    bool found = false;
    for (size_t i = 0; i < RL_COUNT(folders) && !found; i++)
        found = try_folder(folders[i], &first, tried);
    for (size_t n = 0; n < RL_COUNT(names) && !found && !first.handle; n++)
        if (!strpbrk(names[n], "[*"))
            found = try_library(names[n], true, &first, tried);
    return first;
}

static void open_once(void)
{
    RL_SCRATCH tried = RL_BUF_INIT;
    state.library = find_library(&tried);
    if (state.library.handle) {
        rl_cupti = state.library.api;
        rl_cupti_version_words(state.library.has.version, state.version);
        state.status = RL_OK;
    } else {
        state.status =
            rl_err_set(&state.err, RL_ABSENT,
                       "CUPTI not found: install the CUDA toolkit (12.6 or newer from Turing on, 12 or older before), or "
                       "name the folder of libcupti.so in ROOFLIGHT_CUPTI_DIR (%s)",
                       tried.len ? tried.data : "nothing in the usual places");
    }
}

enum rl_status rl_cupti_open(const char **path, struct rl_err *err)
{
    pthread_once(&state.once, open_once);
    if (state.status != RL_OK)
        return rl_err_set(err, state.status, "%s", state.err.text);
    if (path)
        *path = state.library.path;
    return RL_OK;
}

const struct rl_backend_library *rl_cupti_library(int cc)
{
    ask_cc(&state.library, cc);
    return &state.library.has;
}

/* A helper of libcupti, which is in its folder or where the loader finds it; NULL: it is not. */
static void *open_helper(const char *name)
{
    const char *slash = state.library.path ? strrchr(state.library.path, '/') : NULL;
    RL_SCRATCH path = RL_BUF_INIT;
    if (slash)
        rl_buf_add(&path, state.library.path, (size_t)(slash + 1 - state.library.path));
    rl_buf_adds(&path, name);
    void *helper = dlopen(path.data, RTLD_NOW | RTLD_GLOBAL);
    return helper;
}

static void *host_helper;

static void open_host_helper(void)
{
    host_helper = open_helper("libnvperf_host.so"); /* when it fails, CUPTI says so at its first use */
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

void *rl_cupti_symbol(const char *name)
{
    return state.library.handle ? dlsym(state.library.handle, name) : NULL;
}

void *rl_cupti_host_symbol(const char *name)
{
    rl_cupti_load_host();
    return host_helper ? dlsym(host_helper, name) : NULL;
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
