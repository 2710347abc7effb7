/* cupti_api.h - CUPTI, opened at run time. Private to the collector. */
#pragma once

#include <cupti_callbacks.h>
#include <cupti_target.h>

#include "backend.h"
#include "newer.h"

struct rl_cupti_api {
#define CUPTI_FUNCTION(name) __typeof__(&name) name;
#define CUPTI_OPTIONAL(name) __typeof__(&name) name;
#define CUPTI_RANGE(name)    __typeof__(&name) name;
#include "cupti_api.def"
#undef CUPTI_RANGE
#undef CUPTI_OPTIONAL
#undef CUPTI_FUNCTION
};

/* The functions; rl_cupti_open (collector.h) must have succeeded. */
extern struct rl_cupti_api rl_cupti;

/* libcupti opens two helpers by bare name and has no run path: without the loader's cache it would not find them, unless they are
 * open already. Each fills 100 MB of memory as it is opened, which a program under observation need not pay before counters are
 * wanted. This opens the one that is needed to schedule and to profile. rl_cupti_open must have succeeded. Thread-safe. */
void rl_cupti_load_host(void);
/* Opens the other one, which CUPTI 13.0 does without. True: it is open now, and a call that has failed is worth another try; false
 * after the first call, or when it cannot be opened. Thread-safe. */
bool rl_cupti_load_target(void);

/* Of the libraries that are found rl_cupti_open is to take the first that serves this GPU (compute capability x 10) by this back
 * end (NULL: by any); where none does, the first. Has an effect before the first call of rl_cupti_open. */
void rl_cupti_wish(int cc, const char *backend);
/* The first to try, before all others: a path that lives on. The same. */
void rl_cupti_prefer(const char *path);
/* Facts about the open library and the GPU; rl_cupti_open must have succeeded. */
const struct rl_backend_library *rl_cupti_library(int cc);
/* A function of the library that is open; NULL: it does not have it. */
void *rl_cupti_symbol(const char *name);
/* A function of the host library, which is opened for that; NULL: there is no such library, or it does not have it. */
void *rl_cupti_host_symbol(const char *name);

/* RL_OK for CUPTI_SUCCESS; otherwise a line that says what `what` failed with and what to do (cupti_errors.def). */
enum rl_status rl_cupti_check(CUptiResult result, const char *what, struct rl_err *err);

/* Calls a function that takes one parameter struct: RL_CUPTI(err, cuptiRangeProfilerStart, &params). */
#define RL_CUPTI(err, function, ...) rl_cupti_check(rl_cupti.function(__VA_ARGS__), #function, (err))

/* A zeroed CUPTI parameter struct `name` of type `type` with its size filled in. */
#define RL_CUPTI_PARAMS(type, name, ...) type name = {.structSize = type##_STRUCT_SIZE, __VA_ARGS__}
