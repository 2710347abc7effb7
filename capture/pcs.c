#include "capture/pcs.h"

#include "capture/capture.h"

/* Instructions with so much of their function's samples are kept, and at most so many; where instructions were counted all of
 * them, up to a limit. Functions with so much of all samples are kept. */
static const double SHARE = 0.99, SHARE_OF_ALL = 0.999;
enum { MOST_INSTRUCTIONS = 512, MOST_COUNTED = 1 << 13, MOST_FUNCTIONS = 1024, AROUND = 2, MOST_LINE = 400 };

struct rl_source_text rl_source_split(const char *bytes, size_t size, struct rl_arena *arena)
{
    size_t count = 0, cap = 0;
    const char **lines = NULL;

    for (size_t at = 0; at < size;) {
        const char *end = memchr(bytes + at, '\n', size - at);
        const size_t len = end ? (size_t)(end - bytes) - at : size - at;
        const size_t text = strnlen(bytes + at, len < MOST_LINE ? len : MOST_LINE);
        RL_APPEND(lines, count, cap, rl_arena_strndup(arena, bytes + at, text - (text && bytes[at + text - 1] == '\r')));
        at += len + 1;
    }
    const char **kept = rl_arena_alloc(arena, count * sizeof *kept);
    if (count)
        memcpy(kept, lines, count * sizeof *kept);
    free(lines);
    return (struct rl_source_text){kept, count};
}

RL_COMPARATOR_AT(by_samples, size_t, struct rl_pc_total, context, rl_descending(x->samples, y->samples));

RL_COMPARATOR_AT(by_heat, size_t, struct rl_pc_site, context, rl_descending(x->samples, y->samples));

static size_t *numbers(size_t first, size_t count)
{
    size_t *list = rl_calloc(count, sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = first + i;
    return list;
}

static bool is_counted(const struct rl_pcs *pcs, const struct rl_pc_total *total)
{
    for (size_t i = 0; i < total->count; i++)
        if (pcs->sites[total->first + i].counts[RL_PC_executed])
            return total->count <= MOST_COUNTED;
    return false;
}

static void keep_hottest(struct rl_pcs *pcs, struct rl_pc_total *total)
{
    size_t *order = numbers(total->first, total->count);
    uint64_t above = 0;
    const bool all = is_counted(pcs, total);
    rl_sort_with(order, total->count, sizeof *order, by_heat, pcs->sites);
    total->kept = true;
    for (size_t i = 0; i < total->count && (all || (i < MOST_INSTRUCTIONS && (double)above < SHARE * (double)total->samples));
         i++) {
        pcs->sites[order[i]].kept = pcs->sites[order[i]].offset != RL_PC_REST_OFFSET;
        above += pcs->sites[order[i]].samples;
    }
    free(order);
}

void rl_pcs_choose(struct rl_pcs *pcs, struct rl_capture *capture)
{
    size_t *order = numbers(0, pcs->total_count);
    uint64_t all = RL_SUM(uint64_t, i, pcs->total_count, pcs->totals[i].samples), above = 0;
    rl_sort_with(order, pcs->total_count, sizeof *order, by_samples, pcs->totals);
    for (size_t i = 0; i < pcs->total_count && i < MOST_FUNCTIONS && (double)above < SHARE_OF_ALL * (double)all; i++) {
        above += pcs->totals[order[i]].samples;
        keep_hottest(pcs, &pcs->totals[order[i]]);
    }
    free(order);
    for (size_t i = 0; i < pcs->total_count; i++)
        if (!pcs->totals[i].kept)
            capture->pc_samplings[pcs->totals[i].sampling].unkept += pcs->totals[i].samples;
}

RL_COMPARATOR(by_line, struct rl_pc_site *const, rl_ascending((*x)->path, (*y)->path) ?: rl_ascending((*x)->line, (*y)->line));

void rl_pcs_add_lines(const struct rl_pcs *pcs, struct rl_capture *capture,
                      struct rl_source_text (*read)(const char *path, void *context), void *context)
{
    const struct rl_pc_site **list = rl_calloc(pcs->site_count, sizeof *list);
    struct rl_source_text text = {0};
    size_t count = 0;
    for (size_t i = 0; i < pcs->site_count; i++)
        if (pcs->sites[i].path)
            list[count++] = &pcs->sites[i];
    rl_sort(list, count, sizeof *list, by_line);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(list[i - 1]->path, list[i]->path) != 0) {
            rl_capture_add_source_file(capture)->path = rl_capture_text(capture, list[i]->path);
            text = read(list[i]->path, context);
        }
        if (i == 0 || by_line(&list[i - 1], &list[i]) != 0) {
            /* The lines around one, unless the one before has them already; what they say. */
            uint32_t line = list[i]->line;
            const size_t file = capture->source_file_count - 1;
            const struct rl_source_line *last =
                capture->source_line_count ? &capture->source_lines[capture->source_line_count - 1] : NULL;
            uint64_t from = line > AROUND ? line - AROUND : 1, to = (uint64_t)line + AROUND;
            if (last && last->file == file && last->number >= from)
                from = (uint64_t)last->number + 1;
            for (uint64_t number = from; number <= to; number++) {
                const bool is_there = number <= text.count;
                if (!is_there && number != line)
                    continue;
                struct rl_source_line *added = rl_capture_add_source_line(capture);
                added->file = file;
                added->number = (uint32_t)number;
                added->text = is_there ? rl_capture_text(capture, text.lines[number - 1]) : NULL;
            }
        }
    }
    free(list);
}

/* Files are in the order of their paths, lines in that of their numbers. */
static int compare_line(const struct rl_capture *capture, size_t i, const struct rl_pc_site *site)
{
    const struct rl_source_line *line = &capture->source_lines[i];
    return strcmp(capture->source_files[line->file].path, site->path) ?: rl_ascending(line->number, site->line);
}

static void add_instruction(struct rl_capture *capture, const struct rl_pc_site *site, bool rest)
{
    struct rl_pc_instruction *instruction = rl_capture_add_pc_instruction(capture);
    instruction->function = capture->pc_function_count - 1;
    instruction->rest = rest;
    if (!rest) {
        instruction->offset = site->offset;
        const size_t count = site->path ? capture->source_line_count : 0;
        const size_t at = RL_BISECT(i, count, compare_line(capture, i, site) < 0);
        instruction->line = at < count && compare_line(capture, at, site) == 0 ? at : RL_NONE;
    }
    if (!rest && site->text) {
        struct rl_pc_text *text = rl_capture_add_pc_text(capture);
        text->instruction = capture->pc_instruction_count - 1;
        text->text = rl_capture_text(capture, site->text);
    }
    for (unsigned r = 0; r < RL_STALL_COUNT; r++)
        if (site->by[r]) {
            struct rl_pc_stall *stall = rl_capture_add_pc_stall(capture);
            stall->instruction = capture->pc_instruction_count - 1;
            stall->reason = (enum rl_stall_reason)r;
            stall->samples = site->by[r];
            stall->not_issued = site->not_issued[r];
        }
    for (unsigned i = 0; i < RL_PC_COUNTER_COUNT; i++)
        if (site->counts[i]) {
            struct rl_pc_counted *counted = rl_capture_add_pc_counted(capture);
            counted->instruction = capture->pc_instruction_count - 1;
            counted->counter = (enum rl_pc_counter)i;
            counted->count = site->counts[i];
        }
}

static void add_function(const struct rl_pcs *pcs, const struct rl_pc_total *total, struct rl_capture *capture)
{
    struct rl_pc_function *function = rl_capture_add_pc_function(capture);
    struct rl_pc_site rest = {0};
    function->sampling = total->sampling;
    function->name = rl_capture_text(capture, total->name);
    function->cubin = rl_capture_text(capture, total->cubin);
    function->lines = total->lines;
    for (size_t i = total->first; i < total->first + total->count; i++) {
        const struct rl_pc_site *site = &pcs->sites[i];
        if (site->kept)
            add_instruction(capture, site, false);
        else {
            for (size_t r = 0; r < RL_STALL_COUNT; r++) {
                rest.by[r] += site->by[r];
                rest.not_issued[r] += site->not_issued[r];
                rest.samples += site->by[r];
            }
            for (size_t j = 0; j < RL_PC_COUNTER_COUNT; j++)
                rest.counts[j] += site->counts[j];
        }
    }
    if (rest.samples)
        add_instruction(capture, &rest, true);
}

void rl_pcs_add(const struct rl_pcs *pcs, struct rl_capture *capture)
{
    for (size_t i = 0; i < pcs->total_count; i++)
        if (pcs->totals[i].kept)
            add_function(pcs, &pcs->totals[i], capture);
    assert(capture->pc_function_count <= MOST_FUNCTIONS);
}
