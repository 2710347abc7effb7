/* program_filters.c - filters that match nothing: which, and what there was to match. */
#include "program_parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/arena.h"
#include "core/buf.h"
#include "core/mem.h"
#include "core/suggest.h"
#include "demangle.h"

enum { MOST_TOLD = 3, MOST_NAME = 100 };

struct names {
    struct rl_arena arena;
    const char **list;
    size_t count, cap;
};

static void add_name(struct names *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->list[i], name) == 0)
            return;
    RL_GROW(names->list, names->count + 1, names->cap);
    names->list[names->count++] = name;
}

static void add_kernels(struct names *names, const struct rl_stream *stream)
{
    for (size_t i = 0; i < stream->refused_count; i++)
        add_name(names, rl_demangle(&names->arena, stream->refused[i]));
}

static void add_ranges(struct names *names, const struct rl_stream *stream)
{
    for (size_t i = 0; i < stream->range_count; i++)
        if (stream->ranges[i].name && *stream->ranges[i].name)
            add_name(names, stream->ranges[i].name);
}

/* The name nearest to `wanted` first. */
static void tell_names(struct rl_buf *out, const struct names *names, const char *wanted, const char *what)
{
    const char *nearest = rl_suggest_nearest(wanted, names->list, names->count);
    size_t told = 0;
    if (!names->count) {
        rl_buf_addf(out, "; there were no %s", what);
        return;
    }
    rl_buf_addf(out, "; %s: ", what);
    if (nearest) {
        rl_buf_addf(out, "'%.*s'", MOST_NAME, nearest);
        told++;
    }
    for (size_t i = 0; i < names->count && told < MOST_TOLD; i++)
        if (names->list[i] != nearest)
            rl_buf_addf(out, "%s'%.*s'", told++ ? ", " : "", MOST_NAME, names->list[i]);
    if (names->count > told)
        rl_buf_addf(out, " and %zu more", names->count - told);
}

/* Each filter as it is written on the command line, and what it looks at. */
static const struct filter {
    const char *option, *what;
    size_t offset;
    void (*add)(struct names *, const struct rl_stream *);
} filters[] = {
    {"--kernel", "kernels", offsetof(struct rl_program_options, kernel), add_kernels},
    {"--nvtx", "NVTX ranges", offsetof(struct rl_program_options, nvtx), add_ranges},
    {"--range", "NVTX ranges", offsetof(struct rl_program_options, range), add_ranges},
};

static bool any_selected(struct rl_stream *const *streams, size_t count, uint64_t *launches)
{
    bool any = false;
    *launches = 0;
    for (size_t s = 0; s < count; s++) {
        if (streams[s]->hello.run != 0)
            continue;
        *launches += rl_stream_launches(streams[s]);
        for (size_t i = 0; i < streams[s]->class_count; i++)
            any = any || rl_stream_class_launches(&streams[s]->classes[i]);
    }
    return any;
}

static void tell_filter(struct rl_buf *out, const struct filter *filter, const char *text, struct rl_stream *const *streams,
                        size_t count)
{
    struct names names = {.arena = RL_ARENA_INIT};
    rl_buf_addf(out, "%s %s '%s'", out->len ? " and" : "", filter->option, text);
    for (size_t s = 0; s < count; s++)
        if (streams[s]->hello.run == 0)
            filter->add(&names, streams[s]);
    tell_names(out, &names, text, filter->what);
    free(names.list);
    rl_arena_release(&names.arena);
}

enum rl_status rl_program_filters_check(const struct rl_program_options *options, struct rl_stream *const *streams, size_t count,
                                        struct rl_err *err)
{
    struct rl_buf text = RL_BUF_INIT;
    uint64_t launches = 0;
    const bool any = any_selected(streams, count, &launches);
    for (size_t i = 0; i < RL_COUNT(filters); i++) {
        const char *given = *(const char *const *)(const void *)((const char *)options + filters[i].offset);
        if (given)
            tell_filter(&text, &filters[i], given, streams, count);
    }
    if (options->launch_skip || options->launch_count)
        rl_buf_adds(&text, text.len ? " and --launch-skip, --launch-count" : " --launch-skip, --launch-count");
    if (options->profiler_api)
        rl_buf_adds(&text, text.len ? " and --profiler-api" : " --profiler-api");
    enum rl_status status = RL_OK;
    if (!any && launches && text.len)
        status = rl_err_set(err, RL_ABSENT, "none of %llu launches was selected by%s", (unsigned long long)launches, text.data);
    rl_buf_release(&text);
    return status;
}
