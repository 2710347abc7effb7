/* program_pc.c - samples of instructions in the capture: those of all processes put together, the hottest kept one by one, and the
 * lines that they are of (program_builder.h). */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/sass.h"
#include "core/clock.h"
#include "core/mem.h"
#include "core/sort.h"
#include "disassembly.h"
#include "program_builder.h"

/* Of a function the instructions with so much of its samples are kept, and at most so many; of all functions those with so much. */
static const double SHARE = 0.99, SHARE_OF_ALL = 0.999;
enum { MOST_INSTRUCTIONS = 512, MOST_FUNCTIONS = 1024, AROUND = 2 };

/* An instruction of one process. */
struct seen {
    size_t sampling; /* of the capture */
    const struct rl_stream *stream;
    const struct rl_stream_function *function;
    const struct rl_stream_pc *pc;
};
/* Of all processes; those of a function stand together. */
struct site {
    size_t function; /* number among all functions */
    const struct seen *seen;
    uint64_t samples, by[RL_STALL_COUNT], not_issued[RL_STALL_COUNT];
    bool kept;
    const char *path; /* NULL: not known */
    uint32_t line;
    const char *text; /* NULL: not known */
};
struct total {
    size_t first, count; /* sites */
    uint64_t samples;
    bool kept;
};
struct work {
    struct builder *b;
    struct rl_arena arena;
    struct seen *seen;
    size_t seen_count, seen_cap;
    struct site *sites;
    size_t site_count;
    struct total *totals;
    size_t total_count;
};

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
        RL_GROW(w->seen, w->seen_count + 1, w->seen_cap);
        w->seen[w->seen_count++] = (struct seen){samplings[function->is.gpu], stream, function, pc};
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

/* Those of the same instruction become one. */
static void put_together(struct work *w)
{
    rl_sort_with(w->seen, w->seen_count, sizeof *w->seen, by_place, NULL);
    w->sites = rl_calloc(w->seen_count, sizeof *w->sites);
    w->totals = rl_calloc(w->seen_count, sizeof *w->totals);
    for (size_t i = 0; i < w->seen_count; i++) {
        const struct seen *seen = &w->seen[i];
        if (i == 0 || by_function(&w->seen[i - 1], seen) != 0)
            w->totals[w->total_count++].first = w->site_count;
        struct total *total = &w->totals[w->total_count - 1];
        if (i == 0 || by_place(&w->seen[i - 1], seen, NULL) != 0) {
            w->sites[w->site_count++] = (struct site){.function = w->total_count - 1, .seen = seen};
            total->count++;
        }
        struct site *site = &w->sites[w->site_count - 1];
        for (size_t r = 0; r < RL_STALL_COUNT; r++) {
            site->by[r] += seen->pc->samples[r];
            site->not_issued[r] += seen->pc->not_issued[r];
            site->samples += seen->pc->samples[r];
            total->samples += seen->pc->samples[r];
        }
    }
}

/* ---- what is kept ---- */

static int by_samples(const void *a, const void *b, void *totals)
{
    const struct total *of = totals, *x = &of[*(const size_t *)a], *y = &of[*(const size_t *)b];
    return x->samples != y->samples ? ORDER(y->samples, x->samples) : ORDER(*(const size_t *)a, *(const size_t *)b);
}

static int by_heat(const void *a, const void *b, void *sites)
{
    const struct site *of = sites, *x = &of[*(const size_t *)a], *y = &of[*(const size_t *)b];
    return x->samples != y->samples ? ORDER(y->samples, x->samples) : ORDER(*(const size_t *)a, *(const size_t *)b);
}

static size_t *numbers(size_t first, size_t count)
{
    size_t *list = rl_calloc(count, sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = first + i;
    return list;
}

static void keep_hottest(struct work *w, struct total *total)
{
    size_t *order = numbers(total->first, total->count);
    uint64_t above = 0;
    rl_sort_with(order, total->count, sizeof *order, by_heat, w->sites);
    total->kept = true;
    for (size_t i = 0; i < total->count && i < MOST_INSTRUCTIONS && (double)above < SHARE * (double)total->samples; i++) {
        w->sites[order[i]].kept = w->sites[order[i]].seen->pc->offset != RL_STREAM_REST_OFFSET;
        above += w->sites[order[i]].samples;
    }
    free(order);
}

static void choose(struct work *w)
{
    size_t *order = numbers(0, w->total_count);
    uint64_t all = 0, above = 0;
    for (size_t i = 0; i < w->total_count; i++)
        all += w->totals[i].samples;
    rl_sort_with(order, w->total_count, sizeof *order, by_samples, w->totals);
    for (size_t i = 0; i < w->total_count && i < MOST_FUNCTIONS && (double)above < SHARE_OF_ALL * (double)all; i++) {
        above += w->totals[order[i]].samples;
        keep_hottest(w, &w->totals[order[i]]);
    }
    free(order);
    /* What is left out counts as what there was no room for. */
    for (size_t i = 0; i < w->total_count; i++)
        if (!w->totals[i].kept)
            w->b->capture->pc_samplings[w->sites[w->totals[i].first].seen->sampling].unkept += w->totals[i].samples;
}

/* ---- lines ---- */

static void resolve(struct work *w, struct site *site)
{
    const struct seen *seen = site->seen;
    const struct rl_stream_cubin *cubin = rl_stream_pc_find_cubin(&seen->stream->pcs, seen->function->is.cubin);
    if (cubin)
        (void)rl_source_find(cubin->bytes, cubin->size, seen->function->name, seen->pc->offset, &w->arena, &site->path,
                             &site->line);
}

static int by_line(const void *a, const void *b, void *unused)
{
    (void)unused;
    const struct site *x = *(const struct site *const *)a, *y = *(const struct site *const *)b;
    const int order = strcmp(x->path, y->path);
    return order ? order : ORDER(x->line, y->line);
}

/* The lines around one, unless the one before has them already; what they say. */
static void add_lines(struct builder *b, uint32_t line, const struct rl_source_text *text)
{
    struct rl_capture *capture = b->capture;
    const size_t file = capture->source_file_count - 1;
    const struct rl_source_line *last = capture->source_line_count ? &capture->source_lines[capture->source_line_count - 1] : NULL;
    uint64_t from = line > AROUND ? line - AROUND : 1, to = (uint64_t)line + AROUND;
    if (last && last->file == file && last->number >= from)
        from = (uint64_t)last->number + 1;
    for (uint64_t number = from; number <= to; number++) {
        const bool is_there = number <= text->count;
        if (!is_there && number != line)
            continue;
        struct rl_source_line *added = rl_capture_add_source_line(capture);
        added->file = file;
        added->number = (uint32_t)number;
        added->text = is_there ? rl_capture_text(capture, text->lines[number - 1]) : NULL;
    }
}

static void add_files(struct work *w)
{
    const struct site **list = rl_calloc(w->site_count, sizeof *list);
    struct rl_source_text text = {0};
    size_t count = 0;
    for (size_t i = 0; i < w->site_count; i++) {
        if (w->sites[i].kept)
            resolve(w, &w->sites[i]);
        if (w->sites[i].path)
            list[count++] = &w->sites[i];
    }
    rl_sort_with(list, count, sizeof *list, by_line, NULL);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(list[i - 1]->path, list[i]->path) != 0) {
            rl_capture_add_source_file(w->b->capture)->path = rl_capture_text(w->b->capture, list[i]->path);
            text = rl_source_read(list[i]->path, &w->arena);
        }
        if (i == 0 || by_line(&list[i - 1], &list[i], NULL) != 0)
            add_lines(w->b, list[i]->line, &text);
    }
    free(list);
}

/* Files are in the order of their paths, lines in that of their numbers. */
static size_t line_of(const struct rl_capture *capture, const struct site *site)
{
    size_t low = 0, high = capture->source_line_count;
    while (site->path && low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct rl_source_line *line = &capture->source_lines[middle];
        int order = strcmp(capture->source_files[line->file].path, site->path);
        order = order ? order : ORDER(line->number, site->line);
        if (order == 0)
            return middle;
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return RL_NONE;
}

/* ---- into the capture ---- */

static void add_instruction(struct builder *b, const struct site *site, bool rest)
{
    struct rl_pc_instruction *instruction = rl_capture_add_pc_instruction(b->capture);
    instruction->function = b->capture->pc_function_count - 1;
    instruction->rest = rest;
    if (!rest) {
        instruction->offset = site->seen->pc->offset;
        instruction->line = line_of(b->capture, site);
    }
    if (!rest && site->text) {
        struct rl_pc_text *text = rl_capture_add_pc_text(b->capture);
        text->instruction = b->capture->pc_instruction_count - 1;
        text->text = rl_capture_text(b->capture, site->text);
    }
    for (unsigned r = 0; r < RL_STALL_COUNT; r++)
        if (site->by[r]) {
            struct rl_pc_stall *stall = rl_capture_add_pc_stall(b->capture);
            stall->instruction = b->capture->pc_instruction_count - 1;
            stall->reason = (enum rl_stall_reason)r;
            stall->samples = site->by[r];
            stall->not_issued = site->not_issued[r];
        }
}

static void add_function(struct work *w, const struct total *total)
{
    const struct seen *seen = w->sites[total->first].seen;
    struct rl_pc_function *function = rl_capture_add_pc_function(w->b->capture);
    struct site rest = {0};
    function->sampling = seen->sampling;
    function->name = rl_capture_text(w->b->capture, seen->function->name);
    function->cubin = rl_arena_printf(&w->b->capture->arena, "%016" PRIx64, seen->function->is.cubin);
    function->lines = rl_stream_pc_find_cubin(&seen->stream->pcs, seen->function->is.cubin) != NULL;
    for (size_t i = total->first; i < total->first + total->count; i++) {
        const struct site *site = &w->sites[i];
        if (site->kept)
            add_instruction(w->b, site, false);
        for (size_t r = 0; r < RL_STALL_COUNT && !site->kept; r++) {
            rest.by[r] += site->by[r];
            rest.not_issued[r] += site->not_issued[r];
            rest.samples += site->by[r];
        }
    }
    if (rest.samples)
        add_instruction(w->b, &rest, true);
}

/* ---- what instructions say ---- */

/* Modules are taken apart one after the other, behind the program's end: for so long at most. */
static const double DISASSEMBLY_S = 30;

static int by_module(const void *a, const void *b, void *work)
{
    const struct work *w = work;
    const struct rl_stream_function *x = w->sites[w->totals[*(const size_t *)a].first].seen->function,
                                    *y = w->sites[w->totals[*(const size_t *)b].first].seen->function;
    const int order = ORDER(x->is.cubin, y->is.cubin);
    return order ? order : strcmp(x->name, y->name);
}

/* Of the functions of one module, by name; NULL: it is none of them. */
static const struct total *find_function(const struct work *w, const size_t *functions, size_t count,
                                         const struct rl_disassembled *is)
{
    for (size_t i = 0; i < count; i++) {
        const struct total *total = &w->totals[functions[i]];
        const char *name = w->sites[total->first].seen->function->name;
        if (strlen(name) == is->function_length && memcmp(name, is->function, is->function_length) == 0)
            return total;
    }
    return NULL;
}

static void keep_text(struct work *w, const struct total *total, const struct rl_disassembled *is)
{
    size_t low = total->first, high = total->first + total->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        *(w->sites[middle].seen->pc->offset < is->offset ? &low : &high) =
            w->sites[middle].seen->pc->offset < is->offset ? middle + 1 : middle;
    }
    if (low == total->first + total->count || w->sites[low].seen->pc->offset != is->offset || !w->sites[low].kept)
        return;
    struct rl_buf text = RL_BUF_INIT;
    rl_sass_clean(is->text, is->text_length, &text);
    if (text.len)
        w->sites[low].text = rl_arena_strdup(&w->arena, text.data);
    rl_buf_release(&text);
}

/* Some functions, all of one module. */
static enum rl_status read_module(struct work *w, const char *tool, const size_t *functions, size_t count, double seconds,
                                  struct rl_err *err)
{
    const struct seen *seen = w->sites[w->totals[functions[0]].first].seen;
    const struct rl_stream_cubin *cubin = rl_stream_pc_find_cubin(&seen->stream->pcs, seen->function->is.cubin);
    struct rl_buf printed = RL_BUF_INIT;
    struct rl_disassembly walk = {0};
    struct rl_disassembled is;
    if (!cubin)
        return RL_OK;
    const enum rl_status status = rl_disassemble(tool, cubin->bytes, cubin->size, seconds, &printed, err);
    const struct total *total = NULL;
    for (size_t function = 0; status == RL_OK && rl_disassembly_next(&printed, &walk, &is);) {
        if (walk.function != function || !total)
            total = find_function(w, functions, count, &is);
        function = walk.function;
        if (total)
            keep_text(w, total, &is);
    }
    rl_buf_release(&printed);
    return status;
}

/* Whether the module of some function that is kept came with the samples. */
static bool has_modules(const struct work *w)
{
    for (size_t i = 0; i < w->total_count; i++) {
        const struct seen *seen = w->sites[w->totals[i].first].seen;
        if (w->totals[i].kept && rl_stream_pc_find_cubin(&seen->stream->pcs, seen->function->is.cubin))
            return true;
    }
    return false;
}

static void read_modules(struct work *w, const char *tool)
{
    size_t *order = numbers(0, w->total_count);
    const int64_t begun_ns = rl_monotonic_ns();
    struct rl_err err = RL_ERR_INIT;
    rl_sort_with(order, w->total_count, sizeof *order, by_module, w);
    for (size_t i = 0, end; i < w->total_count; i = end) {
        const uint64_t module = w->sites[w->totals[order[i]].first].seen->function->is.cubin;
        for (end = i; end < w->total_count && w->sites[w->totals[order[end]].first].seen->function->is.cubin == module;)
            end++;
        const double left_s = DISASSEMBLY_S - rl_seconds_since(begun_ns);
        if (left_s <= 0 || read_module(w, tool, &order[i], end - i, left_s, &err) != RL_OK) {
            rl_capture_log(w->b->capture, 0, RL_LOG_NOTE, "some instructions have no text: %s",
                           left_s <= 0 ? "taking modules apart took too long" : err.text);
            break;
        }
    }
    free(order);
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
    put_together(&w);
    choose(&w);
    add_files(&w);
    add_texts(&w);
    for (size_t i = 0; i < w.total_count; i++)
        if (w.totals[i].kept)
            add_function(&w, &w.totals[i]);
    say_what_is_missing(b);
    assert(b->capture->pc_function_count <= MOST_FUNCTIONS);
    free(w.seen);
    free(w.sites);
    free(w.totals);
    rl_arena_release(&w.arena);
}
