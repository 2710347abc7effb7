/* program_classes.c - kernel classes of several processes put together: the same class in several processes on one GPU is one
 * class. */
#include "demangle.h"
#include "program_builder.h"

static bool is_class(const struct merged *merged, size_t gpu, const struct rl_stream_class *class)
{
    const struct rl_record_class *a = &merged->shape, *b = &class->is;
    return a->gpu == gpu && a->dynamic_shared_bytes == b->dynamic_shared_bytes && memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 && strcmp(merged->name, class->name) == 0;
}

static size_t place_of(const struct builder *b, size_t gpu, const struct rl_stream_class *class)
{
    assert(b->slot_count && (b->slot_count & (b->slot_count - 1)) == 0);
    const uint64_t hash = rl_stream_hash(class->name, class->is.grid, class->is.block, class->is.dynamic_shared_bytes);
    return (hash ^ gpu * UINT64_C(0x9e3779b97f4a7c15)) & (b->slot_count - 1);
}

static struct merged *find_class(struct builder *b, size_t gpu, const struct rl_stream_class *class)
{
    if (!b->slot_count)
        return NULL;
    for (size_t at = place_of(b, gpu, class); b->slots[at]; at = (at + 1) & (b->slot_count - 1))
        if (is_class(&b->classes[b->slots[at] - 1], gpu, class))
            return &b->classes[b->slots[at] - 1];
    return NULL;
}

static void put_class(struct builder *b, size_t index)
{
    assert(b->classes[index].part_count > 0);
    const struct rl_stream_class *class = b->classes[index].parts[0].class;
    size_t at = place_of(b, b->classes[index].shape.gpu, class);
    while (b->slots[at])
        at = (at + 1) & (b->slot_count - 1);
    b->slots[at] = (uint32_t)index + 1;
}

/* Sums of squared deviations of two sets: Chan, Golub and LeVeque, COMPSTAT 1982. */
static void add_totals(struct merged *merged, const struct rl_stream_class *class)
{
    const struct rl_record_totals *totals = &class->totals;
    if (totals->timed && merged->timed) {
        double a = (double)merged->timed, c = (double)totals->timed;
        double apart = (double)totals->total_ns / c - (double)merged->total_ns / a;
        merged->squares += totals->squares + apart * apart * a * c / (a + c);
    } else {
        merged->squares += totals->squares;
    }
    if (totals->timed) {
        merged->min_ns = merged->timed && merged->min_ns < totals->min_ns ? merged->min_ns : totals->min_ns;
        merged->max_ns = merged->max_ns > totals->max_ns ? merged->max_ns : totals->max_ns;
    }
    merged->seen += rl_stream_class_launches(class);
    merged->timed += totals->timed;
    merged->graph += totals->graph;
    merged->total_ns += totals->total_ns;
    merged->traced += totals->traced;
    merged->traced_ns += totals->traced_ns;
    merged->cost_ns += totals->cost_ns;
}

static void merge_class(struct builder *b, size_t s, const struct rl_stream_class *class)
{
    assert(b->gpus);
    const struct rl_stream *stream = b->streams[s];
    size_t gpu = class->name ? b->gpus[s][class->is.gpu] : RL_NONE;
    if (gpu == RL_NONE)
        return;
    struct merged *merged = find_class(b, gpu, class);
    const bool fresh = !merged;
    if (!merged && stream->hello.run != 0)
        return; /* launched only while counters were taken: there is no time to go with them */
    if (!merged) {
        RL_GROW(b->classes, b->class_count + 1, b->class_cap);
        merged = &b->classes[b->class_count++];
        *merged = (struct merged){.name = class->name, .shape = class->is};
        merged->shape.gpu = (uint32_t)gpu;
    }
    RL_APPEND(merged->parts, merged->part_count, merged->part_cap, (struct part){stream, class});
    if (fresh) {
        /* The table is at most half full. */
        const size_t index = (size_t)(merged - b->classes);
        assert(index < b->class_count);
        if (2 * (index + 1) > b->slot_count) {
            b->slot_count = b->slot_count ? 2 * b->slot_count : 64;
            free(b->slots);
            b->slots = rl_calloc(b->slot_count, sizeof *b->slots);
            for (size_t i = 0; i < index; i++)
                put_class(b, i);
        }
        put_class(b, index);
    }
    if (stream->hello.run == 0)
        add_totals(merged, class);
}

RL_COMPARATOR(compare_totals, struct merged, rl_descending(x->total_ns, y->total_ns) ?: rl_ascending(x->name, y->name));

void rl_builder_sort_classes(struct builder *b)
{
    if (b->class_count)
        rl_sort(b->classes, b->class_count, sizeof *b->classes, compare_totals);
}

void rl_builder_merge_classes(struct builder *b)
{
    for (size_t s = 0; s < b->stream_count; s++)
        for (size_t i = 0; i < b->streams[s]->class_count; i++)
            merge_class(b, s, &b->streams[s]->classes[i]);
    rl_builder_sort_classes(b);
}

RL_COMPARATOR(compare_samples, struct rl_stream_sample,
              rl_ascending(x->start_ns, y->start_ns) ?: rl_ascending(x->duration_ns, y->duration_ns));

/* Puts a process's samples in the order of starting, and keeps `take` of them, spread over the whole. */
static size_t thin_samples(struct rl_stream_sample *samples, size_t count, size_t take)
{
    assert(take <= count);
    if (count)
        rl_sort(samples, count, sizeof *samples, compare_samples);
    for (size_t i = 0; i < take; i++)
        samples[i] = samples[(2 * i + 1) * count / (2 * take)];
    return take;
}

/* Those of the part's samples that belong to the population. */
static size_t copy_samples(struct rl_stream_sample *to, const struct merged *merged, const struct rl_stream_class *class)
{
    assert(class->sample_count <= RL_STREAM_SAMPLES);
    size_t count = 0;
    for (size_t i = 0; i < class->sample_count; i++)
        if (!merged->population ||
            (class->samples[i].duration_ns >= merged->from_ns && class->samples[i].duration_ns < merged->below_ns))
            to[count++] = class->samples[i];
    return count;
}

/* Samples of all processes. */
static size_t count_samples(const struct merged *merged)
{
    return RL_SUM(size_t, p, merged->part_count, merged->parts[p].class->sample_count);
}

static void describe_shape(struct rl_kernel *kernel, struct rl_kernel_use *use, const struct merged *merged)
{
    for (size_t p = 0; p < merged->part_count; p++)
        if (merged->parts[p].class->has_shape) {
            const struct rl_record_shape *shape = &merged->parts[p].class->shape;
            kernel->registers_per_thread = rl_value_of(shape->registers);
            kernel->static_shared_bytes = rl_value_of(shape->static_shared_bytes);
            kernel->local_bytes_per_thread = rl_value_of(shape->local_bytes);
            memcpy(use->cluster, shape->cluster, sizeof use->cluster);
            return;
        }
}

double rl_merged_countable_ns(const struct merged *merged)
{
    const double each_ns = merged->timed ? (double)merged->total_ns / (double)merged->timed : 0;
    return merged->shape.collective ? 0 : each_ns * (double)merged->seen;
}

/* Each process's part of the samples is as large as its part of the launches. */
static void add_samples(struct builder *b, struct rl_kernel *kernel, const struct merged *merged)
{
    RL_FREED struct rl_stream_sample *samples = rl_calloc(count_samples(merged), sizeof *samples);
    const uint64_t timed = merged->population ? merged->class_timed : merged->timed;
    size_t count = 0;
    for (size_t p = 0; p < merged->part_count; p++) {
        const struct rl_stream_class *class = merged->parts[p].class;
        if (merged->parts[p].stream->hello.run != 0)
            continue;
        const size_t found = copy_samples(&samples[count], merged, class);
        double take = (double)found;
        if (class->totals.timed < timed && timed > RL_STREAM_SAMPLES)
            take *= fmin(1, RL_STREAM_SAMPLES * (double)class->totals.timed / (double)timed / (double)class->sample_count);
        count += thin_samples(&samples[count], found, (size_t)ceil(take));
    }
    if (count)
        rl_sort(samples, count, sizeof *samples, compare_samples);
    kernel->duration_ns = rl_arena_alloc(&b->capture->arena, count * sizeof *kernel->duration_ns);
    for (; kernel->duration_count < count; kernel->duration_count++)
        kernel->duration_ns[kernel->duration_count] = samples[kernel->duration_count].duration_ns;
}

struct rl_kernel *rl_builder_add_kernel(struct builder *b, const struct merged *merged)
{
    struct rl_kernel *kernel = rl_capture_add_kernel(b->capture);
    struct rl_kernel_use *use = rl_capture_add_use(b->capture);
    kernel->gpu = merged->shape.gpu;
    /* Kernels of one name stand together as a rule, and have its texts in common: whoever writes them looks at a text once. */
    if (!b->last.mangled || strcmp(b->last.mangled, merged->name) != 0) {
        b->last.mangled = rl_capture_text(b->capture, merged->name);
        b->last.name = rl_capture_text(b->capture, rl_demangle(&b->capture->arena, merged->name));
    }
    kernel->mangled = b->last.mangled;
    kernel->name = b->last.name;
    memcpy(kernel->grid, merged->shape.grid, sizeof kernel->grid);
    memcpy(kernel->block, merged->shape.block, sizeof kernel->block);
    kernel->dynamic_shared_bytes = merged->shape.dynamic_shared_bytes;
    kernel->population = (struct rl_population){merged->population, merged->populations, merged->from_ns, merged->below_ns};
    kernel->launches = merged->seen;
    kernel->total_ns = merged->total_ns;
    if (merged->timed && !b->timing)
        b->timing = rl_capture_text(b->capture, RL_TIMING_IN_ORDER);
    kernel->timing = merged->timed ? b->timing : NULL;
    *use = (struct rl_kernel_use){.kernel = b->capture->kernel_count - 1,
                                  .timed = merged->timed,
                                  .min_ns = merged->min_ns,
                                  .max_ns = merged->max_ns,
                                  .deviation_ns = merged->timed > 1 ? sqrt(merged->squares / (double)(merged->timed - 1)) : 0,
                                  .graph = merged->graph};
    if (merged->timed)
        add_samples(b, kernel, merged);
    rl_builder_correct_times(b, kernel, use, merged);
    describe_shape(kernel, use, merged);
    return kernel;
}
