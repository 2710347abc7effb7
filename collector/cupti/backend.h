/* backend.h - which way of counting serves a GPU with the CUPTI at hand (backends.def). Private to the collector.
 *
 * One library is open in a process, and one back end of it is in force. host.h and range.h are what the rest of the collector sees
 * of it; each back end has its functions for both in a struct rl_backend:
 *
 *     range      host_range.c and range_profiler.c
 *     profiler   host_profiler.c and profiler_sessions.c
 */
#pragma once

#include "core/core.h"

enum rl_backend_id {
#define BACKEND(id, first, last, least, most, words) RL_BACKEND_##id,
#include "collector/backends.def"
#undef BACKEND
    RL_BACKEND_COUNT
};

/* Facts about a library that is not in use. */
struct rl_backend_library {
    uint32_t version;                                                 /* CUPTI_API_VERSION */
    bool has[RL_BACKEND_COUNT];                                       /* the functions of a back end */
    enum { RL_CC_UNASKED, RL_CC_SERVED, RL_CC_NOT_SERVED } cc_served; /* what the library says of the card */
};

enum { RL_CUPTI_VERSION_SIZE = 32 };
/* "12.4" of CUPTI_API_VERSION 22; "API 99" of one below 130000 that is in no row of cupti_versions.def. */
void rl_cupti_version_words(uint32_t number, char words[RL_CUPTI_VERSION_SIZE]);

/* "profiler"; static. */
const char *rl_backend_name(enum rl_backend_id id);
/* The back end of that name; RL_BACKEND_COUNT: there is none. */
enum rl_backend_id rl_backend_find(const char *name);
/* The first one that serves it, or the one that is `forced` (NULL: none is). RL_UNSUPPORTED with the reasons of all that do not;
 * RL_USAGE: there is no back end of that name. */
enum rl_status rl_backend_pick(const struct rl_backend_library *library, int cc, const char *forced, enum rl_backend_id *id,
                               struct rl_err *err);
/* Appends in words which one serves the card, and of each other why it does not. RL_UNSUPPORTED: none does. */
enum rl_status rl_backend_tell(const struct rl_backend_library *library, int cc, struct rl_buf *out);

/* The kind of a range in a window (range.h). */
enum rl_range_mode {
    RL_RANGE_LAUNCHES, /* every launch in the window is a range, in order: the counters begin and end with the kernel */
    RL_RANGE_MARKED,   /* what lies between rl_range_push and rl_range_pop; other launches run freely and are not counted */
    RL_RANGE_REPLAYED, /* every launch is a range, and CUPTI repeats it for each pass of the configuration */
};

struct rl_config;
struct rl_range_profiler;
struct rl_value;

struct rl_backend {
    enum rl_backend_id id;
    /* As host.h documents rl_cupti_chips, rl_host_knows, rl_host_passes, rl_host_list and rl_host_finish; `most`: passes. */
    size_t (*chips)(const char **names, size_t max);
    enum rl_status (*knows)(const char *chip, const uint8_t *availability, struct rl_err *err);
    size_t (*passes)(const char *chip, const uint8_t *availability, const char *const *counters, size_t count);
    bool (*list)(const char *chip, const uint8_t *availability, const char *const *counters, size_t count, bool *available);
    enum rl_status (*finish)(struct rl_config *config, const char *chip, const uint8_t *availability, size_t most,
                             struct rl_err *err);
    void (*release)(struct rl_config *config); /* what it keeps in config->host */
    /* As range.h documents. `open`: context, device and nothing else are set, the chip may be set on failure; `begin`: config and
     * max_ranges are; `drop` forgets the window, whatever state it is in. */
    enum rl_status (*open)(struct rl_range_profiler *profiler, struct rl_err *err);
    enum rl_status (*begin)(struct rl_range_profiler *profiler, enum rl_range_mode mode, struct rl_err *err);
    enum rl_status (*push)(struct rl_range_profiler *profiler, const char *name, struct rl_err *err);
    enum rl_status (*pop)(struct rl_range_profiler *profiler, struct rl_err *err);
    enum rl_status (*next)(struct rl_range_profiler *profiler, bool *again, struct rl_err *err);
    enum rl_status (*end)(struct rl_range_profiler *profiler, struct rl_value *values, struct rl_err *err);
    void (*drop)(struct rl_range_profiler *profiler);
};
extern const struct rl_backend rl_backend_range, rl_backend_profiler;

/* The one in force: the one that rl_backend_choose has chosen, else the first that the open library has. rl_cupti_open must have
 * succeeded. */
const struct rl_backend *rl_backend(void);
/* Puts in force what serves the card (cc x 10; 0: any) of the open library, or what is forced; RL_UNSUPPORTED as rl_backend_pick.
 */
enum rl_status rl_backend_choose(int cc, const char *forced, struct rl_err *err);
enum { RL_MODE_SIZE = 64 };
/* How counters are taken, as captures say it: "user replay", and by another back end in force than `range`, by which: "user replay,
 * back end profiler". Returns `words`. */
const char *rl_backend_mode(const char *mode, char words[RL_MODE_SIZE]);
