/* classes.c - kernel classes. A program of a million launches has tens of classes; a program with ever new shapes has many: beyond
 * the table's limit, less MOST_REST, they share one overflow class per GPU, so that totals are right.
 *
 * Samples are a reservoir (Vitter, ACM Trans. Math. Software 11, 1985, algorithm R): each launch is kept with equal probability,
 * whatever their number. Each is sent with its start time and sorted by the reader; none is stored here. */
#include "classes.h"
#include "core/kernel_names.h"
#include "ranges.h"

enum {
    SLOTS = 2 * MOST_CLASSES,
    NAME_CACHE = 4096,
    MOST_REST = MOST_GPUS + 1, /* overflow classes */
    MOST_TOLD_APART = MOST_CLASSES - MOST_REST
};

static struct {
    struct class **slots; /* open addressing */
    struct class **list;  /* by id */
    size_t count;
    const char **names; /* interned, open addressing */
    size_t name_count;
    struct {
        const char *seen, *interned;
    } cache[NAME_CACHE];           /* by address: CUPTI passes the same pointer for the same function */
    struct class *rest[MOST_REST]; /* overflow classes: one per GPU, and last one for kernels excluded by name */
    uint64_t random;
} classes = {.random = UINT64_C(0x9e3779b97f4a7c15)};

static uint64_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return hash;
}

static const char *intern_new(const char *name)
{
    assume(classes.name_count <= MOST_CLASSES);
    if (!classes.names && !(classes.names = keep(SLOTS * sizeof *classes.names)))
        return NULL;
    size_t at = hash_text(name) % SLOTS;
    while (classes.names[at] && strcmp(classes.names[at], name) != 0)
        at = (at + 1) % SLOTS;
    if (!classes.names[at]) {
        const char *copy = classes.name_count < MOST_CLASSES ? keep_text(name) : NULL;
        if (!copy)
            return NULL;
        classes.names[at] = copy;
        classes.name_count++;
    }
    return classes.names[at];
}

/* An address may be reused for another name, so the text is compared too. */
static const char *intern(const char *name)
{
    size_t at = ((uintptr_t)name >> 3) % NAME_CACHE;
    if (classes.cache[at].seen != name || strcmp(classes.cache[at].interned, name) != 0) {
        const char *interned = intern_new(name);
        if (!interned)
            return NULL;
        classes.cache[at].seen = name;
        classes.cache[at].interned = interned;
    }
    return classes.cache[at].interned;
}

static size_t slot_of(const char *name, const struct shape *shape)
{
    uint64_t hash = (uintptr_t)name * UINT64_C(0x9e3779b97f4a7c15);
    const uint64_t numbers[] = {shape->gpu,      shape->grid[0],  shape->grid[1],  shape->grid[2],
                                shape->block[0], shape->block[1], shape->block[2], shape->dynamic_shared_bytes};
    for (size_t i = 0; i < RL_COUNT(numbers); i++)
        hash = (hash ^ numbers[i]) * UINT64_C(0xff51afd7ed558ccd) ^ (hash >> 29);
    return hash % SLOTS;
}

bool shape_same(const struct shape *a, const struct shape *b)
{
    return a->gpu == b->gpu && a->dynamic_shared_bytes == b->dynamic_shared_bytes &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0;
}

void class_tell(struct class *class)
{
    assume(is_held());
    if (class->told)
        return;
    class->told = true;
    struct rl_record_class record = {.class_id = class->id,
                                     .gpu = class->shape.gpu,
                                     .dynamic_shared_bytes = class->shape.dynamic_shared_bytes,
                                     .collective = class->collective};
    memcpy(record.grid, class->shape.grid, sizeof record.grid);
    memcpy(record.block, class->shape.block, sizeof record.block);
    out_add(RL_RECORD_class, &record, sizeof record, &class->name, 1);
}

/* Reports excluded kernels, for users whose filters match nothing. */
static void tell_refused(const char *name)
{
    enum { MOST_TOLD = 256 };
    static unsigned told;
    struct rl_record_refused record = {{0}};
    if (told++ < MOST_TOLD)
        out_add(RL_RECORD_refused, &record, sizeof record, &name, 1);
}

/* Whether a new class of the kernel, whose name is interned, matters from its first launch on. One shape after another, each
 * launched once, would fill window after window; when they have times, wanted_choose() says which ones stand for all. */
static bool is_first_of_many(const char *name, struct class *class)
{
    enum { FIRST = 2 * RL_STREAM_MOST_SHAPES };
    static struct family {
        const struct class *newest;
        unsigned brief; /* shapes that had a single launch when the next one came */
    } families[FAMILY_SLOTS];
    struct family *family = &families[family_slot(name)];
    family->brief += family->newest && family->newest->name == name && atomic_load(family->newest->launched) <= 1;
    family->newest = class;
    return family->brief < FIRST;
}

static struct class *class_new(const char *name, const struct shape *shape, bool excluded)
{
    if (!classes.list && !(classes.list = keep(MOST_CLASSES * sizeof *classes.list)))
        return NULL;
    struct class *class = keep(sizeof *class);
    if (!class)
        return NULL;
    assume(classes.count < MOST_CLASSES);
    *class = (struct class){.id = (uint32_t)classes.count,
                            .shape = *shape,
                            .name = name,
                            .hash = rl_stream_hash(name, shape->grid, shape->block, shape->dynamic_shared_bytes),
                            .excluded = excluded,
                            .collective = rl_is_collective_name(name),
                            .waits = rl_is_host_wait_name(name),
                            .launched = out_launched((uint32_t)classes.count),
                            .min_ns = UINT64_MAX};
    class->wanted = is_first_of_many(name, class);
    classes.list[classes.count++] = class;
    durations_note_new();
    return class;
}

/* Overflow class. Its launches may be of any kernel, so nothing is counted while one is in flight. */
static struct class *class_rest(const char *name, uint32_t gpu)
{
    assume(gpu < MOST_GPUS);
    const bool refused = !select_name(name);
    struct class **rest = &classes.rest[refused ? MOST_GPUS : gpu];
    if (!*rest && (*rest = class_new(RL_STREAM_REST, &(struct shape){.gpu = gpu, .grid = {1, 1, 1}, .block = {1, 1, 1}}, refused)))
        (*rest)->waits = true;
    return *rest;
}

/* Creates a class in the free slot. */
static struct class *class_at_slot(size_t at, const char *name, const struct shape *shape)
{
    assume(!classes.slots[at]);
    if (classes.count >= MOST_TOLD_APART)
        return NULL;
    classes.slots[at] = class_new(name, shape, !select_name(name));
    if (classes.slots[at] && classes.slots[at]->excluded)
        tell_refused(name);
    return classes.slots[at];
}

struct class *class_of(const char *name, const struct shape *shape)
{
    assume(is_held());
    if (!classes.slots && !(classes.slots = keep(SLOTS * sizeof *classes.slots)))
        return NULL;
    name = name ? name : "";
    const char *interned = intern(name);
    if (!interned)
        return class_rest(name, shape->gpu);
    size_t at = slot_of(interned, shape);
    while (classes.slots[at] && (classes.slots[at]->name != interned || !shape_same(&classes.slots[at]->shape, shape)))
        at = (at + 1) % SLOTS;
    struct class *class = classes.slots[at] ? classes.slots[at] : class_at_slot(at, interned, shape);
    return class ? class : class_rest(name, shape->gpu);
}

struct class *class_of_launch(const char *name, const struct shape *shape)
{
    enum { CACHED = 1 << 15 };                    /* several times the number in a program of many shapes */
    static _Atomic(struct class *) cache[CACHED]; /* shared by all threads; entries are compared before use */
    const size_t at = ((uintptr_t)name >> 3 ^ slot_of(NULL, shape)) % CACHED;
    struct class *class = atomic_load_explicit(&cache[at], memory_order_acquire);
    if (class && shape_same(&class->shape, shape) && strcmp(class->name, name) == 0)
        return class;
    if (!hold())
        return NULL;
    class = class_of(name, shape);
    let_go();
    if (class)
        atomic_store_explicit(&cache[at], class, memory_order_release);
    return class;
}

uint64_t class_pending(const struct class *class)
{
    assume(class->launched);
    const uint64_t launched = atomic_load(class->launched), known = class->seen + class->timed - class->graph;
    return launched > known ? launched - known : 0;
}

bool class_is_steady(const struct class *class)
{
    static const double MOST_TIMES = 4, ALWAYS_NS = 20000;
    return class->timed >= LEAST_TIMED && (double)class->max_ns <= MOST_TIMES * class->mean_ns + ALWAYS_NS;
}

/* xorshift64*: Vigna, ACM Trans. Math. Software 42, 2016. */
static uint64_t random_number(void)
{
    classes.random ^= classes.random >> 12;
    classes.random ^= classes.random << 25;
    classes.random ^= classes.random >> 27;
    return classes.random * UINT64_C(2685821657736338717);
}

static void keep_sample(struct class *class, uint64_t start_ns, struct timed timed)
{
    assume(class->timed > 0);
    uint64_t slot = class->timed - 1; /* the current launch is included */
    if (slot >= RL_STREAM_SAMPLES)
        slot = (uint64_t)(((unsigned __int128)random_number() * class->timed) >> 64);
    if (slot >= RL_STREAM_SAMPLES)
        return;
    struct rl_record_sample record = {.class_id = class->id,
                                      .slot = (uint16_t)slot,
                                      .traced = timed.traced,
                                      .start_ns = start_ns,
                                      .duration_ns = timed.duration_ns};
    out_add(RL_RECORD_sample, &record, sizeof record, NULL, 0);
}

void class_time(struct class *class, uint64_t start_ns, struct timed timed, bool graph)
{
    const uint64_t duration_ns = timed.duration_ns;
    assume(is_held());
    class_tell(class);
    atomic_fetch_add(&class->timed, 1);
    class->graph += graph;
    class->total_ns += duration_ns;
    class->traced += timed.traced;
    class->traced_ns += timed.traced ? duration_ns : 0;
    class->cost_ns += timed.cost_ns;
    class->min_ns = duration_ns < class->min_ns ? duration_ns : class->min_ns;
    class->max_ns = duration_ns > class->max_ns ? duration_ns : class->max_ns;
    double before = (double)duration_ns - class->mean_ns; /* Welford, Technometrics 4, 1962 */
    class->mean_ns += before / (double)class->timed;
    class->squares += before * ((double)duration_ns - class->mean_ns);
    class->changed = true;
    durations_note(class, duration_ns);
    keep_sample(class, start_ns, timed);
}

size_t class_count(void)
{
    return classes.count;
}

struct class *class_at(size_t index)
{
    assume(index < classes.count);
    return classes.list[index];
}

static void tell_totals(struct class *class)
{
    class_tell(class);
    struct rl_record_totals record = {.class_id = class->id,
                                      .seen = class->seen + class->timed + class_pending(class),
                                      .timed = class->timed,
                                      .graph = class->graph,
                                      .total_ns = class->total_ns,
                                      .min_ns = class->timed ? class->min_ns : 0,
                                      .max_ns = class->max_ns,
                                      .squares = class->squares,
                                      .traced = class->traced,
                                      .traced_ns = class->traced_ns,
                                      .cost_ns = class->cost_ns,
                                      .standing = class->proven  ? RL_STANDING_PROVEN
                                                  : class->waits ? RL_STANDING_WAITS
                                                                 : RL_STANDING_UNKNOWN};
    out_add(RL_RECORD_totals, &record, sizeof record, NULL, 0);
    class->changed = false;
}

void classes_flush(bool all)
{
    assume(is_held());
    for (size_t i = 0; i < classes.count; i++) {
        struct class *class = classes.list[i];
        if (class->excluded)
            continue;
        if (class->changed || (all && class_pending(class)))
            tell_totals(class);
        durations_tell(class, all);
    }
}
