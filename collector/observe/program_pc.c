/* program_pc.c - samples of instructions in the capture: those of all processes put together, the hottest kept one by one, and the
 * lines that they are of (program_builder.h). */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disassembly.h"
#include "program_builder.h"

enum { MOST_FILE = 8 << 20 };

/* CUPTI's cuptiGetSassToSourceCorrelation reads the module's table of lines, which needs no GPU. It is in every CUPTI that samples
 * instructions, knows what NVIDIA's compilers write, and needs no further library. */

/* Where an instruction at `offset` in the function (mangled name) is from: the path lives in the arena. False: unknown. */
static bool source_find(const void *cubin, size_t size, const char *function, uint64_t offset, struct rl_arena *arena,
                        const char **path, uint32_t *line)
{
    assert(cubin && function);
    CUpti_GetSassToSourceCorrelationParams params = {.size = CUpti_GetSassToSourceCorrelationParamsSize,
                                                     .cubin = cubin,
                                                     .functionName = function,
                                                     .cubinSize = size,
                                                     .pcOffset = offset};
    if (!*function || rl_cupti_open(NULL, NULL) != RL_OK || !rl_cupti.cuptiGetSassToSourceCorrelation)
        return false;
    const bool found = rl_cupti.cuptiGetSassToSourceCorrelation(&params) == CUPTI_SUCCESS && params.fileName && *params.fileName &&
                       params.lineNumber;
    if (found) {
        /* Beginning with a slash it is whole; otherwise it is below the folder that the compiler ran in. */
        const bool below = params.dirName && *params.dirName && *params.fileName != '/';
        *path = rl_arena_printf(arena, "%s%s%s", below ? params.dirName : "", below ? "/" : "", params.fileName);
        *line = params.lineNumber;
    }
    RL_FREE(params.fileName, params.dirName);
    return found;
}

/* Regular files only: a source file may have been replaced by a pipe or a device, which would never end. */
static char *read_all(const char *path, size_t *size)
{
    struct stat stat;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    char *bytes = NULL;
    if (fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) && stat.st_size > 0 && stat.st_size <= MOST_FILE) {
        bytes = rl_calloc((size_t)stat.st_size + 1, 1);
        ssize_t got = 0;
        for (*size = 0; *size < (size_t)stat.st_size; *size += (size_t)got)
            if ((got = read(fd, bytes + *size, (size_t)stat.st_size - *size)) <= 0)
                break;
    }
    close(fd);
    return bytes;
}

/* Reads a text file into the arena; no lines: it is no regular file, cannot be read, is empty, or larger than a source file is. */
static struct rl_source_text source_read(const char *path, struct rl_arena *arena)
{
    size_t size = 0;
    char *bytes = read_all(path, &size);
    const struct rl_source_text text = rl_source_split(bytes, bytes ? size : 0, arena);
    free(bytes);
    return text;
}

/* An instruction of one process. */
struct seen {
    size_t sampling; /* of the capture */
    const struct rl_stream *stream;
    const struct rl_stream_function *function;
    const struct rl_stream_pc *pc;
};
struct work {
    struct builder *b;
    struct rl_arena arena;
    struct seen *seen;
    size_t seen_count, seen_cap;
    struct rl_pcs pcs;              /* of all processes */
    const struct seen **first_seen; /* of each site */
};

static const struct seen *seen_of(const struct work *w, size_t total)
{
    return w->first_seen[w->pcs.totals[total].first];
}

/* ---- what processes have said ---- */

static size_t sampling_of(struct builder *b, size_t gpu, const struct rl_record_pc_totals *totals)
{
    struct rl_capture *capture = b->capture;
    size_t at = 0;
    while (at < capture->pc_sampling_count && capture->pc_samplings[at].gpu != gpu)
        at++;
    struct rl_pc_sampling *sampling =
        at < capture->pc_sampling_count ? &capture->pc_samplings[at] : rl_capture_add_pc_sampling(capture);
    sampling->gpu = gpu;
    sampling->period = totals->period;
    sampling->samples += totals->samples;
    sampling->dropped += totals->dropped;
    sampling->others += totals->others;
    sampling->overflows += totals->overflows;
    sampling->unkept += totals->unkept;
    return at;
}

static void collect(struct work *w, size_t s)
{
    const struct rl_stream *stream = w->b->streams[s];
    size_t samplings[RL_STREAM_MOST_GPUS];
    for (size_t g = 0; g < RL_STREAM_MOST_GPUS; g++)
        samplings[g] = stream->gpus[g].pc.period && w->b->gpus[s][g] != RL_NONE
                           ? sampling_of(w->b, w->b->gpus[s][g], &stream->gpus[g].pc)
                           : RL_NONE;
    for (size_t i = 0; i < stream->pcs.pc_count; i++) {
        const struct rl_stream_pc *pc = &stream->pcs.pcs[i];
        const struct rl_stream_function *function = &stream->pcs.functions[pc->function];
        if (samplings[function->is.gpu] == RL_NONE)
            continue;
        RL_APPEND(w->seen, w->seen_count, w->seen_cap, (struct seen){samplings[function->is.gpu], stream, function, pc});
    }
}

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static int by_function(const struct seen *a, const struct seen *b)
{
    int order = ORDER(a->sampling, b->sampling);
    if (!order)
        order = strcmp(a->function->name, b->function->name);
    return order ? order : ORDER(a->function->is.cubin, b->function->is.cubin);
}

static int by_place(const void *a, const void *b, void *unused)
{
    (void)unused;
    const struct seen *x = a, *y = b;
    const int order = by_function(x, y);
    return order ? order : ORDER(x->pc->offset, y->pc->offset);
}

static void resolve(struct work *w, size_t number)
{
    const struct seen *seen = w->first_seen[number];
    struct rl_pc_site *site = &w->pcs.sites[number];
    const struct rl_stream_cubin *cubin = rl_stream_pc_find_cubin(&seen->stream->pcs, seen->function->is.cubin);
    if (site->kept && cubin)
        (void)source_find(cubin->bytes, cubin->size, seen->function->name, seen->pc->offset, &w->arena, &site->path, &site->line);
}

static struct rl_source_text read_source(const char *path, void *work)
{
    return source_read(path, &((struct work *)work)->arena);
}

/* ---- what instructions say ---- */

/* Modules are taken apart one after the other, behind the program's end: for so long at most. */
static const double DISASSEMBLY_S = 30;

static int by_module(const void *a, const void *b, void *work)
{
    const struct work *w = work;
    const struct rl_stream_function *x = seen_of(w, *(const size_t *)a)->function, *y = seen_of(w, *(const size_t *)b)->function;
    const int order = ORDER(x->is.cubin, y->is.cubin);
    return order ? order : strcmp(x->name, y->name);
}

/* The function of one module with the name; NULL: it has none. */
static const struct rl_pc_total *find_function(const struct work *w, const size_t *functions, size_t count,
                                               const struct rl_disassembled *is)
{
    for (size_t i = 0; i < count; i++) {
        const struct rl_pc_total *total = &w->pcs.totals[functions[i]];
        if (strlen(total->name) == is->function_length && memcmp(total->name, is->function, is->function_length) == 0)
            return total;
    }
    return NULL;
}

/* Some functions, all of one module. */
static enum rl_status read_module(struct work *w, const char *tool, const size_t *functions, size_t count, double seconds,
                                  struct rl_err *err)
{
    const struct seen *seen = seen_of(w, functions[0]);
    const struct rl_stream_cubin *cubin = rl_stream_pc_find_cubin(&seen->stream->pcs, seen->function->is.cubin);
    struct rl_buf printed = RL_BUF_INIT;
    struct rl_disassembly walk = {0};
    struct rl_disassembled is;
    if (!cubin)
        return RL_OK;
    const enum rl_status status = rl_disassemble(tool, cubin->bytes, cubin->size, seconds, &printed, err);
    const struct rl_pc_total *total = NULL;
    for (size_t function = 0; status == RL_OK && rl_disassembly_next(&printed, &walk, &is);) {
        if (walk.function != function || !total)
            total = find_function(w, functions, count, &is);
        function = walk.function;
        if (total) {
            struct rl_pc_site *sites = &w->pcs.sites[total->first];
            const size_t at = RL_FIRST_FROM(sites, total->count, offset, is.offset);
            if (at < total->count && sites[at].offset == is.offset && sites[at].kept) {
                struct rl_buf text = RL_BUF_INIT;
                rl_sass_clean(is.text, is.text_length, &text);
                if (text.len)
                    sites[at].text = rl_arena_strdup(&w->arena, text.data);
                rl_buf_release(&text);
            }
        }
    }
    rl_buf_release(&printed);
    return status;
}

/* Whether the module of some function that is kept came with the samples. */
static bool has_modules(const struct work *w)
{
    for (size_t i = 0; i < w->pcs.total_count; i++) {
        const struct seen *seen = seen_of(w, i);
        if (w->pcs.totals[i].kept && rl_stream_pc_find_cubin(&seen->stream->pcs, seen->function->is.cubin))
            return true;
    }
    return false;
}

static void read_modules(struct work *w, const char *tool)
{
    size_t count = w->pcs.total_count;
    RL_FREED size_t *order = rl_calloc(count, sizeof *order);
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    const int64_t begun_ns = rl_monotonic_ns();
    struct rl_err err = RL_ERR_INIT;
    rl_sort_with(order, w->pcs.total_count, sizeof *order, by_module, w);
    for (size_t i = 0, end; i < w->pcs.total_count; i = end) {
        const uint64_t module = seen_of(w, order[i])->function->is.cubin;
        for (end = i; end < w->pcs.total_count && seen_of(w, order[end])->function->is.cubin == module;)
            end++;
        const double left_s = DISASSEMBLY_S - rl_seconds_since(begun_ns);
        if (left_s <= 0 || read_module(w, tool, &order[i], end - i, left_s, &err) != RL_OK) {
            rl_capture_log(w->b->capture, 0, RL_LOG_NOTE, "some instructions have no text: %s",
                           left_s <= 0 ? "taking modules apart took too long" : err.text);
            break;
        }
    }
}

static void add_texts(struct work *w)
{
    char *tool = has_modules(w) && w->b->facts->complete ? rl_disassembler() : NULL;
    if (tool)
        read_modules(w, tool);
    else if (has_modules(w) && w->b->facts->complete)
        rl_capture_log(w->b->capture, 0, RL_LOG_NOTE,
                       "instructions have no text: nvdisasm of the CUDA toolkit is neither in $PATH nor in /usr/local/cuda/bin");
    free(tool);
}

static void say_what_is_missing(struct builder *b)
{
    for (size_t i = 0; i < b->capture->pc_sampling_count; i++) {
        const struct rl_pc_sampling *sampling = &b->capture->pc_samplings[i];
        if (sampling->overflows)
            rl_capture_log(b->capture, 0, RL_LOG_WARNING,
                           "samples of instructions are missing: the hardware's buffer was full %" PRIu64
                           " times; sample less often, --pc-sampling=%u",
                           sampling->overflows, sampling->period < 30 ? sampling->period + 2 : 31);
    }
}

void rl_builder_add_pc(struct builder *b)
{
    struct work w = {.b = b, .arena = RL_ARENA_INIT};
    for (size_t s = 0; s < b->stream_count; s++)
        collect(&w, s);
    /* Those of the same instruction become one. */
    rl_sort_with(w.seen, w.seen_count, sizeof *w.seen, by_place, NULL);
    w.pcs.sites = rl_calloc(w.seen_count, sizeof *w.pcs.sites);
    w.pcs.totals = rl_calloc(w.seen_count, sizeof *w.pcs.totals);
    w.first_seen = rl_calloc(w.seen_count, sizeof *w.first_seen);
    for (size_t i = 0; i < w.seen_count; i++) {
        const struct seen *seen = &w.seen[i];
        if (i == 0 || by_function(&w.seen[i - 1], seen) != 0) {
            struct rl_pc_total *total = &w.pcs.totals[w.pcs.total_count++];
            total->sampling = seen->sampling;
            total->name = seen->function->name;
            total->cubin = rl_arena_printf(&w.arena, "%016" PRIx64, seen->function->is.cubin);
            total->lines = rl_stream_pc_find_cubin(&seen->stream->pcs, seen->function->is.cubin) != NULL;
            total->first = w.pcs.site_count;
        }
        struct rl_pc_total *total = &w.pcs.totals[w.pcs.total_count - 1];
        if (i == 0 || by_place(&w.seen[i - 1], seen, NULL) != 0) {
            w.first_seen[w.pcs.site_count] = seen;
            w.pcs.sites[w.pcs.site_count++].offset = seen->pc->offset;
            total->count++;
        }
        struct rl_pc_site *site = &w.pcs.sites[w.pcs.site_count - 1];
        for (size_t r = 0; r < RL_STALL_COUNT; r++) {
            site->by[r] += seen->pc->samples[r];
            site->not_issued[r] += seen->pc->not_issued[r];
            site->samples += seen->pc->samples[r];
            total->samples += seen->pc->samples[r];
        }
    }
    rl_pcs_choose(&w.pcs, b->capture);
    for (size_t i = 0; i < w.pcs.site_count; i++)
        resolve(&w, i);
    rl_pcs_add_lines(&w.pcs, b->capture, read_source, &w);
    add_texts(&w);
    rl_pcs_add(&w.pcs, b->capture);
    say_what_is_missing(b);
    RL_FREE(w.seen, w.pcs.sites, w.pcs.totals, w.first_seen);
    rl_arena_release(&w.arena);
}
