/* backend.h - selects how counters are collected on a GPU with the installed CUPTI (backends.def). Private to the collector.
 *
 * A process opens one library and activates one of its back ends. The rest of the collector uses host.h and range.h, which call the
 * functions of the active back end's struct rl_backend:
 *
 *     range      host_range.c and range_profiler.c
 *     profiler   host_profiler.c and profiler_sessions.c
 */
#pragma once

#include "core/core.h"

enum rl_backend_id {
#define BACKEND(id, first, last, least, most, words) RL_BACKEND_##id,
#include "collector/backends.def"
    RL_BACKEND_COUNT
};

/* Properties of a CUPTI library that is not open. */
struct rl_backend_library {
    uint32_t version;                                                 /* CUPTI_API_VERSION */
    bool has[RL_BACKEND_COUNT];                                       /* the library exports the functions of this back end */
    enum { RL_CC_UNASKED, RL_CC_SERVED, RL_CC_NOT_SERVED } cc_served; /* whether the library supports the GPU */
};

enum { RL_CUPTI_VERSION_SIZE = 32 };
/* "12.4" for CUPTI_API_VERSION 22; "API 99" for one below 130000 without a row in cupti_versions.def. */
void rl_cupti_version_words(uint32_t number, char words[RL_CUPTI_VERSION_SIZE]);

/* The name, such as "profiler"; static. */
const char *rl_backend_name(enum rl_backend_id id);
/* The back end with this name; RL_BACKEND_COUNT if there is none. */
enum rl_backend_id rl_backend_find(const char *name);
/* Selects the first back end that supports the GPU, or `forced` (NULL: any). RL_UNSUPPORTED lists the reasons of all; RL_USAGE:
 * there is no back end with this name. */
enum rl_status rl_backend_pick(const struct rl_backend_library *library, int cc, const char *forced, enum rl_backend_id *id,
                               struct rl_err *err);
/* Appends a sentence: which back end supports the GPU, and why the others do not. RL_UNSUPPORTED: none does. */
enum rl_status rl_backend_tell(const struct rl_backend_library *library, int cc, struct rl_buf *out);

/* How ranges are formed in a window (range.h). */
enum rl_range_mode {
    RL_RANGE_LAUNCHES, /* one range per launch, in order; counters start and stop with the kernel */
    RL_RANGE_MARKED,   /* one range from rl_range_push to rl_range_pop; other launches run concurrently and are not counted */
    RL_RANGE_REPLAYED, /* one range per launch, which CUPTI replays for each pass */
};

struct rl_config;
struct rl_range_profiler;
struct rl_value;

struct rl_backend {
    enum rl_backend_id id;
    /* See host.h: rl_cupti_chips, rl_host_knows, rl_host_passes, rl_host_list and rl_host_finish. `most`: the maximum number of
     * passes. */
    size_t (*chips)(const char **names, size_t max);
    enum rl_status (*knows)(const char *chip, const uint8_t *availability, struct rl_err *err);
    size_t (*passes)(const char *chip, const uint8_t *availability, const char *const *counters, size_t count);
    bool (*list)(const char *chip, const uint8_t *availability, const char *const *counters, size_t count, bool *available);
    enum rl_status (*finish)(struct rl_config *config, const char *chip, const uint8_t *availability, size_t most,
                             struct rl_err *err);
    void (*release)(struct rl_config *config); /* frees config->host */
    /* See range.h. `open` expects only context and device to be set, and may set the chip even on failure; `begin` expects config
     * and max_ranges; `drop` discards the window in any state. */
    enum rl_status (*open)(struct rl_range_profiler *profiler, struct rl_err *err);
    enum rl_status (*begin)(struct rl_range_profiler *profiler, enum rl_range_mode mode, struct rl_err *err);
    enum rl_status (*push)(struct rl_range_profiler *profiler, const char *name, struct rl_err *err);
    enum rl_status (*pop)(struct rl_range_profiler *profiler, struct rl_err *err);
    enum rl_status (*next)(struct rl_range_profiler *profiler, bool *again, struct rl_err *err);
    enum rl_status (*end)(struct rl_range_profiler *profiler, struct rl_value *values, struct rl_err *err);
    void (*drop)(struct rl_range_profiler *profiler);
};
extern const struct rl_backend rl_backend_range, rl_backend_profiler;

/* The active back end: the choice of rl_backend_choose, else the first one that the open library supports. Requires rl_cupti_open.
 */
const struct rl_backend *rl_backend(void);
/* Activates the back end of the open library that supports the GPU (cc x 10; 0: any), or `forced`. RL_UNSUPPORTED as in
 * rl_backend_pick. */
enum rl_status rl_backend_choose(int cc, const char *forced, struct rl_err *err);
enum { RL_MODE_SIZE = 64 };
/* The replay mode as captures record it: "user replay", or "user replay, back end profiler" if a back end other than `range` is
 * active. Returns `words`. */
const char *rl_backend_mode(const char *mode, char words[RL_MODE_SIZE]);
