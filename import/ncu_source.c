#include "ncu_source.h"

#include "capture/pcs.h"

enum {
    MOST_SITES = 1 << 17,  /* instructions */
    MOST_LINES = 1 << 22,  /* rows of all modules */
    MOST_TEXT = 256 << 20, /* bytes of source files */
};
static const uint64_t MOST = UINT64_C(1) << 52; /* of a sum */

/* From the offset on the function's instructions are of the line; 0: of none. */
struct row {
    uint32_t function, path; /* in texts */
    uint64_t offset;
    uint32_t line;
};
struct module {
    unsigned file;
    uint64_t number, hash;
    size_t first_row, row_count;
};
/* A function of a module on a GPU, sampled with a period. */
struct function {
    size_t card, module; /* RL_NONE: unknown; which one in `modules` */
    uint32_t name;       /* in texts */
    unsigned period;
    uint64_t samples, outside, size; /* `outside`: of samples in what it calls; `size` 0: unknown */
    size_t gpu;                      /* in the capture; RL_NONE: it has no such kernel */
    bool kept;
};
struct site {
    uint32_t function;
    struct rl_pc_site pc;
};
struct rl_ncu_source {
    struct rl_pool texts; /* names and paths */
    struct rl_pool sized; /* module and name of functions, and */
    uint64_t *sizes;      /* how many bytes they have */
    size_t size_cap;
    struct rl_pool files;     /* paths with a text, and */
    struct rl_text *contents; /* these */
    size_t content_cap, content_bytes;
    struct row *rows;
    size_t row_count, row_cap;
    struct module *modules;
    size_t module_count, module_cap;
    struct rl_pool seen;      /* launches */
    struct rl_pool functions; /* keys of */
    struct function *function;
    size_t function_cap;
    struct rl_pool places; /* function and offset of */
    struct site *sites;
    size_t site_cap;
    uint32_t current; /* function */
    uint64_t base;
    struct rl_arena arena;
};

struct rl_ncu_source *rl_ncu_source_new(void)
{
    struct rl_ncu_source *source = rl_calloc(1, sizeof *source);

    source->arena = (struct rl_arena)RL_ARENA_INIT;
    return source;
}

void rl_ncu_source_free(struct rl_ncu_source *source)
{
    if (!source)
        return;
    rl_pool_release(&source->texts);
    rl_pool_release(&source->sized);
    rl_pool_release(&source->files);
    rl_pool_release(&source->seen);
    rl_pool_release(&source->functions);
    rl_pool_release(&source->places);
    rl_arena_release(&source->arena);
    RL_FREE(source->sizes, source->contents, source->rows, source->modules, source->function, source->sites, source);
}

/* ---- modules ---- */

/* A key of the module being read, or another one, and a name. */
static struct rl_buf sized_key(size_t module, struct rl_text name)
{
    struct rl_buf key = RL_BUF_INIT;

    rl_buf_add(&key, (const char *)&module, sizeof module);
    rl_buf_add(&key, name.at, name.len);
    return key;
}

static void take_function(void *context, struct rl_text name, uint64_t size)
{
    struct rl_ncu_source *source = context;
    struct rl_buf key = sized_key(source->module_count - 1, name);
    const uint32_t number = rl_pool_add(&source->sized, (struct rl_text){key.data, key.len});

    RL_GROW(source->sizes, source->sized.count, source->size_cap);
    source->sizes[number] = size;
    rl_buf_release(&key);
}

static bool take_line(void *context, struct rl_text function, uint64_t offset, struct rl_text folder, struct rl_text file,
                      uint32_t line)
{
    struct rl_ncu_source *source = context;
    RL_SCRATCH path = RL_BUF_INIT;

    if (source->row_count == MOST_LINES)
        return false;
    if (folder.len && file.len && file.at[0] != '/') {
        rl_buf_add(&path, folder.at, folder.len);
        rl_buf_addch(&path, '/');
    }
    rl_buf_add(&path, file.at, file.len);
    RL_APPEND(source->rows, source->row_count, source->row_cap,
              (struct row){.function = rl_pool_add(&source->texts, function),
                           .path = rl_pool_add(&source->texts, (struct rl_text){path.data, path.len}),
                           .offset = offset,
                           .line = file.len ? line : 0});
    return true;
}

RL_COMPARATOR(by_offset, struct row, rl_ascending(x->function, y->function) ?: rl_ascending(x->offset, y->offset));

static void take_content(struct rl_ncu_source *source, struct rl_text message)
{
    enum { FILE = 1, PATH = 1, TEXT = 2 };

    for (struct rl_part field; rl_part_next(&message, &field);) {
        if (field.number != FILE || field.kind != RL_BYTES)
            continue;
        const struct rl_text path = rl_part_bytes(field.bytes, PATH), text = rl_part_bytes(field.bytes, TEXT);
        const size_t known = source->files.count;
        if (!path.len || text.len > MOST_TEXT - source->content_bytes || rl_pool_add(&source->files, path) != known)
            continue;
        RL_GROW(source->contents, known + 1, source->content_cap);
        source->contents[known] = (struct rl_text){rl_arena_strndup(&source->arena, text.at, text.len), text.len};
        source->content_bytes += text.len;
    }
}

void rl_ncu_source_module(struct rl_ncu_source *source, unsigned file, struct rl_text message)
{
    enum { NUMBER = 1, CUBIN = 4, FILES = 8 };
    const struct rl_cubin_taker taker = {take_function, take_line, source};
    struct rl_text cubin = rl_text_of("");
    uint64_t number = 0, hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    struct rl_part field;

    while (rl_part_next(&message, &field)) {
        if (field.number == NUMBER && field.kind == RL_VARINT)
            number = field.value;
        else if (field.number == CUBIN && field.kind == RL_BYTES)
            cubin = field.bytes;
        else if (field.number == FILES && field.kind == RL_BYTES)
            take_content(source, field.bytes);
    }
    if (!cubin.len)
        return; /* further functions of a module that was there */
    for (size_t i = 0; i < cubin.len; i++)
        hash = (hash ^ (unsigned char)cubin.at[i]) * UINT64_C(0x100000001b3);
    RL_GROW(source->modules, source->module_count + 1, source->module_cap);
    struct module *module = &source->modules[source->module_count++];
    *module = (struct module){.file = file, .number = number, .hash = hash, .first_row = source->row_count};
    rl_cubin_read(cubin, &taker);
    module->row_count = source->row_count - module->first_row;
    if (module->row_count)
        rl_sort(&source->rows[module->first_row], module->row_count, sizeof *source->rows, by_offset);
}

static size_t module_of(const struct rl_ncu_source *source, unsigned file, uint64_t number)
{
    for (size_t i = source->module_count; i-- > 0 && source->modules[i].file == file;)
        if (source->modules[i].number == number)
            return i;
    return RL_NONE;
}

/* ---- launches ---- */

bool rl_ncu_source_launch(struct rl_ncu_source *source, const struct rl_ncu_place *place)
{
    const size_t in = module_of(source, place->file, place->module), seen = source->seen.count, known = source->functions.count;
    const uint32_t name = rl_pool_add(&source->texts, place->function);
    const uint64_t launch[] = {place->run, place->number, name};
    const uint64_t key[] = {place->card, in == RL_NONE ? 0 : source->modules[in].hash, place->period, name};
    struct rl_buf sized = sized_key(in, place->function);
    uint32_t size;

    source->current = rl_pool_add(&source->functions, (struct rl_text){(const char *)key, sizeof key});
    source->base = place->base;
    RL_GROW(source->function, source->functions.count, source->function_cap);
    if (source->current == known)
        source->function[known] = (struct function){
            .card = place->card,
            .module = in,
            .name = name,
            .period = place->period,
            .size = rl_pool_find(&source->sized, (struct rl_text){sized.data, sized.len}, &size) ? source->sizes[size] : 0};
    rl_buf_release(&sized);
    return rl_pool_add(&source->seen, (struct rl_text){(const char *)launch, sizeof launch}) == seen;
}

/* The site at an address, a new one when there is none; NULL: it is in another function, or there is no room. */
static struct rl_pc_site *site_at(struct rl_ncu_source *source, uint64_t address)
{
    const struct function *function = &source->function[source->current];
    const uint64_t key[] = {source->current, address - source->base};
    const struct rl_text bytes = {(const char *)key, sizeof key};
    const size_t known = source->places.count;
    uint32_t number;

    if (address < source->base || key[1] > UINT32_MAX || (function->size && key[1] >= function->size))
        return NULL;
    if (!rl_pool_find(&source->places, bytes, &number)) {
        if (known == MOST_SITES)
            return NULL;
        number = rl_pool_add(&source->places, bytes);
        RL_GROW(source->sites, known + 1, source->site_cap);
        source->sites[known] = (struct site){.function = source->current, .pc = {.offset = key[1]}};
    }
    return &source->sites[number].pc;
}

static void add_to(uint64_t *sum, uint64_t value)
{
    *sum = *sum + value < MOST ? *sum + value : MOST;
}

static void take_sample(struct rl_ncu_source *source, uint64_t address, enum rl_stall_reason reason, bool not_issued,
                        uint64_t samples)
{
    struct rl_pc_site *site = site_at(source, address);
    struct function *function = &source->function[source->current];

    if (not_issued) {
        if (site)
            add_to(&site->not_issued[reason], samples);
        return;
    }
    add_to(&function->samples, samples);
    if (!site) {
        add_to(&function->outside, samples);
        return;
    }
    add_to(&site->by[reason], samples);
    add_to(&site->samples, samples);
}

static enum rl_pc_counter counter_of(const char *name)
{
    static const char *const names[RL_PC_COUNTER_COUNT] = {
#define PC_COUNTER(id, metric, meaning) metric,
#include "capture/pc_counters.def"
    };
    unsigned i = 0;

    while (i < RL_PC_COUNTER_COUNT && strcmp(names[i], name) != 0)
        i++;
    return (enum rl_pc_counter)i;
}

bool rl_ncu_source_wants(const char *name)
{
    bool not_issued;

    return rl_stall_of_name(name, &not_issued) != RL_STALL_COUNT || counter_of(name) != RL_PC_COUNTER_COUNT;
}

void rl_ncu_source_metric(struct rl_ncu_source *source, const char *name, struct rl_text message)
{
    enum { INSTANCE = 3, ADDRESS = 1, VALUE = 2 };
    const double most = 1e15; /* of one launch, far above what any has */
    bool not_issued = false;
    const enum rl_stall_reason reason = rl_stall_of_name(name, &not_issued);
    const enum rl_pc_counter counter = counter_of(name);
    struct rl_part field;
    struct rl_text words;

    while (rl_part_next(&message, &field)) {
        if (field.number != INSTANCE || field.kind != RL_BYTES)
            continue;
        const struct rl_cell address = rl_part_cell(rl_part_bytes(field.bytes, ADDRESS), &words);
        const struct rl_cell value = rl_part_cell(rl_part_bytes(field.bytes, VALUE), &words);
        if (address.kind != RL_CELL_NUMBER || value.kind != RL_CELL_NUMBER || !(value.number >= 1 && value.number < most) ||
            !(address.number >= 0 && address.number < 1e18))
            continue;
        if (reason != RL_STALL_COUNT) {
            take_sample(source, (uint64_t)address.number, reason, not_issued, (uint64_t)value.number);
        } else if (counter != RL_PC_COUNTER_COUNT) {
            struct rl_pc_site *site = site_at(source, (uint64_t)address.number);
            if (site)
                add_to(&site->counts[counter], (uint64_t)value.number);
        }
    }
}

/* ---- into the capture ---- */

struct adding {
    struct rl_ncu_source *source;
    struct rl_capture *capture;
    uint32_t *order; /* of functions */
    uint32_t *rank;  /* of each in it */
};

static const char *name_of(const struct rl_ncu_source *source, const struct function *function)
{
    return rl_pool_text(&source->texts, function->name).at;
}

/* The GPU whose kernel the function is. */
static void find_kernel(struct adding *adding, struct function *function)
{
    function->gpu = RL_NONE;
    for (size_t i = 0; i < adding->capture->kernel_count && function->gpu == RL_NONE; i++) {
        const struct rl_kernel *kernel = &adding->capture->kernels[i];
        if ((function->card == RL_NONE || function->card == kernel->gpu) && kernel->mangled &&
            strcmp(kernel->mangled, name_of(adding->source, function)) == 0)
            function->gpu = kernel->gpu;
    }
}

static double cycles_of(const struct function *function)
{
    return (double)function->samples * (double)(UINT64_C(1) << function->period);
}

/* By GPU and name; the period that covers most cycles first. */
RL_COMPARATOR_AT(by_kernel, uint32_t, struct function, ((const struct adding *)context)->source->function,
                 rl_ascending(x->gpu, y->gpu) ?: rl_ascending(x->name, y->name) ?: rl_descending(cycles_of(x), cycles_of(y)));

RL_COMPARATOR_AT(by_sampling, uint32_t, struct function, ((const struct adding *)context)->source->function,
                 rl_ascending(x->gpu, y->gpu) ?: rl_ascending(x->period, y->period));

/* Samples of one kernel with several periods cannot be added up: those of one are kept. */
static void choose_periods(struct adding *adding)
{
    const size_t count = adding->source->functions.count;

    rl_sort_with(adding->order, count, sizeof *adding->order, by_kernel, adding);
    for (size_t i = 0, first = 0; i < count; i++) {
        struct function *function = &adding->source->function[adding->order[i]];
        const struct function *chosen = &adding->source->function[adding->order[first]];
        if (function->gpu != chosen->gpu || function->name != chosen->name) {
            first = i;
            chosen = function;
        }
        function->kept = function->gpu != RL_NONE && function->samples && function->period == chosen->period;
    }
    rl_sort_with(adding->order, count, sizeof *adding->order, by_sampling, adding);
}

static struct rl_pc_sampling *sampling_of(struct adding *adding, const struct function *function)
{
    struct rl_capture *capture = adding->capture;
    struct rl_pc_sampling *last = capture->pc_sampling_count ? &capture->pc_samplings[capture->pc_sampling_count - 1] : NULL;

    if (!last || last->gpu != function->gpu || last->period != function->period) {
        last = rl_capture_add_pc_sampling(capture);
        last->gpu = function->gpu;
        last->period = function->period;
    }
    return last;
}

static bool find_row(const struct rl_ncu_source *source, const struct function *function, uint64_t offset, struct row *found)
{
    const struct module *module = function->module == RL_NONE ? NULL : &source->modules[function->module];
    const size_t count = module ? module->row_count : 0;
    const struct row *rows = count ? &source->rows[module->first_row] : NULL;
    const size_t before =
        RL_BISECT(i, count, rows[i].function < function->name || (rows[i].function == function->name && rows[i].offset <= offset));
    if (before == 0 || rows[before - 1].function != function->name || !rows[before - 1].line)
        return false;
    *found = rows[before - 1];
    return true;
}

static int by_place(const void *a, const void *b, void *context)
{
    const struct adding *adding = context;
    const struct site *x = a, *y = b;

    return rl_ascending(adding->rank[x->function], adding->rank[y->function]) ?: rl_ascending(x->pc.offset, y->pc.offset);
}

static struct rl_source_text read_content(const char *path, void *context)
{
    struct rl_ncu_source *source = context;
    uint32_t number;

    if (!rl_pool_find(&source->files, rl_text_of(path), &number))
        return (struct rl_source_text){0};
    return rl_source_split(source->contents[number].at, source->contents[number].len, &source->arena);
}

static void add_total(struct adding *adding, struct rl_pcs *pcs, uint32_t number, size_t *next)
{
    struct rl_ncu_source *source = adding->source;
    const struct function *function = &source->function[number];
    const struct module *module = function->module == RL_NONE ? NULL : &source->modules[function->module];
    struct rl_pc_sampling *sampling = function->gpu == RL_NONE || !function->samples ? NULL : sampling_of(adding, function);
    struct rl_pc_total total = {.sampling = adding->capture->pc_sampling_count - 1,
                                .name = name_of(source, function),
                                .cubin = rl_arena_printf(&source->arena, "%016" PRIx64, module ? module->hash : 0),
                                .first = pcs->site_count};

    for (; *next < source->places.count && source->sites[*next].function == number; ++*next) {
        struct rl_pc_site *site = &pcs->sites[pcs->site_count];
        struct row row;
        *site = source->sites[*next].pc;
        for (size_t r = 0; r < RL_STALL_COUNT; r++)
            site->not_issued[r] = site->not_issued[r] < site->by[r] ? site->not_issued[r] : site->by[r];
        if (find_row(source, function, site->offset, &row)) {
            site->path = rl_pool_text(&source->texts, row.path).at;
            site->line = row.line;
            total.lines = true;
        }
        total.samples += site->samples;
        pcs->site_count += function->kept;
    }
    if (!sampling)
        return;
    sampling->samples += function->samples;
    sampling->unkept += function->kept ? function->outside : function->samples;
    total.count = pcs->site_count - total.first;
    if (total.count)
        pcs->totals[pcs->total_count++] = total;
}

void rl_ncu_source_add(struct rl_ncu_source *source, struct rl_capture *capture)
{
    const size_t count = source->functions.count;
    struct adding adding = {.source = source,
                            .capture = capture,
                            .order = rl_calloc(count, sizeof *adding.order),
                            .rank = rl_calloc(count, sizeof *adding.rank)};
    struct rl_pcs pcs = {.sites = rl_calloc(source->places.count, sizeof *pcs.sites),
                         .totals = rl_calloc(count, sizeof *pcs.totals)};
    size_t next = 0;

    for (uint32_t i = 0; i < count; i++) {
        adding.order[i] = i;
        find_kernel(&adding, &source->function[i]);
    }
    choose_periods(&adding);
    for (uint32_t i = 0; i < count; i++)
        adding.rank[adding.order[i]] = i;
    if (source->places.count)
        rl_sort_with(source->sites, source->places.count, sizeof *source->sites, by_place, &adding);
    for (size_t i = 0; i < count; i++)
        add_total(&adding, &pcs, adding.order[i], &next);
    rl_pcs_choose(&pcs, capture);
    rl_pcs_add_lines(&pcs, capture, read_content, source);
    rl_pcs_add(&pcs, capture);
    RL_FREE(pcs.sites, pcs.totals, adding.order, adding.rank);
}
