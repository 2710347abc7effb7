/* labels.c - what a kernel is called in tables and charts. Those of a suite have the names of their variants; those of programs a
 * short name, and as much more as tells them apart from others of the same GPU: template arguments, the launch's shape, the id. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/program.h"
#include "core/mem.h"
#include "core/sort.h"
#include "core/utf8.h"
#include "internal.h"

enum { MOST_TEMPLATE_COLUMNS = 40 }; /* longer template arguments are left out */

static const char *label_of_variant(struct rl_analysis *analysis, const struct rl_kernel_result *result, size_t index)
{
    assert(index < analysis->capture->variant_count);
    const struct rl_capture *capture = analysis->capture;
    const struct rl_variant *variant = &capture->variants[index];
    const char *experiment = capture->experiments[variant->experiment].name;

    if (result->siblings == 1)
        return rl_arena_printf(&analysis->arena, "%s / %s", experiment, variant->name);
    return rl_arena_printf(&analysis->arena, "%s / %s: %s", experiment, variant->name, result->short_name);
}

/* ---- ways to say more ---- */

/* Launches of a class that do other work than the rest: "persistent (25.0 µs)", by how long they take. */
static const char *with_population(struct rl_arena *arena, const struct rl_kernel *kernel, const char *label)
{
    struct rl_buf text = RL_BUF_INIT;
    double total_ns = 0;

    if (!kernel->population.total || !kernel->duration_count)
        return label;
    for (size_t i = 0; i < kernel->duration_count; i++)
        total_ns += (double)kernel->duration_ns[i];
    rl_buf_addf(&text, "%s (", label);
    rl_unit_format(&text, RL_UNIT_SECOND, total_ns / (double)kernel->duration_count * 1e-9, 3);
    rl_buf_adds(&text, ")");
    const char *longer = rl_arena_strndup(arena, text.data, text.len);
    rl_buf_release(&text);
    return longer;
}

const char *rl_label_with_template(struct rl_arena *arena, const struct rl_kernel *kernel, const char *label)
{
    struct rl_buf name = RL_BUF_INIT;
    const char *longer = label;

    rl_kernel_template_name(kernel->name, &name);
    if (rl_utf8_width(name.data, name.len) <= MOST_TEMPLATE_COLUMNS)
        longer = with_population(arena, kernel, rl_arena_strndup(arena, name.data, name.len));
    rl_buf_release(&name);
    return longer;
}

/* "1024x32" of an extent, without its ones. */
static void add_extent(const uint32_t extent[3], struct rl_buf *out)
{
    const int dimensions = extent[2] > 1 ? 3 : extent[1] > 1 ? 2 : 1;

    for (int i = 0; i < dimensions; i++)
        rl_buf_addf(out, "%s%u", i ? "x" : "", extent[i]);
}

static const char *with_shape(struct rl_arena *arena, const struct rl_kernel *kernel, const char *label)
{
    struct rl_buf text = RL_BUF_INIT;

    rl_buf_addf(&text, "%s [", label);
    add_extent(kernel->grid, &text);
    rl_buf_adds(&text, ", ");
    add_extent(kernel->block, &text);
    rl_buf_adds(&text, "]");
    const char *longer = rl_arena_strndup(arena, text.data, text.len);
    rl_buf_release(&text);
    return longer;
}

const char *rl_label_with_id(struct rl_arena *arena, const struct rl_kernel *kernel, const char *label)
{
    char id[RL_KERNEL_ID];

    rl_kernel_id(kernel, id);
    return rl_arena_printf(arena, "%s %s", label, id);
}

static const rl_label_function ways[] = {rl_label_with_template, with_shape, rl_label_with_id};

/* ---- telling apart ---- */

struct labelled {
    const struct rl_kernel *kernel;
    struct rl_kernel_result *result;
};

static int compare_labelled(const void *a, const void *b)
{
    const struct labelled *x = a, *y = b;

    return rl_ascending(x->kernel->gpu, y->kernel->gpu) ?: rl_ascending(x->result->label, y->result->label) ?:
           rl_ascending_place(x->result, y->result);
}

static bool same_label(const struct labelled *a, const struct labelled *b)
{
    return a->kernel->gpu == b->kernel->gpu && strcmp(a->result->label, b->result->label) == 0;
}

/* Gives those that share a label a longer one; `sorted` is in the order of labels. Returns whether any did. */
static bool lengthen(struct rl_analysis *analysis, struct labelled *sorted, size_t count, size_t way)
{
    bool any = false;

    for (size_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && same_label(&sorted[first], &sorted[end]))
            end++;
        for (size_t i = first; i < end && end - first > 1; i++) /* the group's end is known: its labels may change */
            sorted[i].result->label = ways[way](&analysis->arena, sorted[i].kernel, sorted[i].result->label);
        any = any || end - first > 1;
    }
    return any;
}

static void tell_apart(struct rl_analysis *analysis)
{
    const struct rl_capture *capture = analysis->capture;
    struct labelled *sorted = rl_calloc(capture->kernel_count, sizeof *sorted);
    size_t count = 0;
    bool shared = true;

    for (size_t i = 0; i < capture->kernel_count; i++)
        if (capture->kernels[i].variant == RL_NONE)
            sorted[count++] = (struct labelled){&capture->kernels[i], &analysis->kernels[i]};
    for (size_t way = 0; way < RL_COUNT(ways) && shared; way++) {
        rl_sort(sorted, count, sizeof *sorted, compare_labelled);
        shared = lengthen(analysis, sorted, count, way);
    }
    free(sorted);
}

void rl_step_labels(struct rl_analysis *analysis)
{
    const struct rl_capture *capture = analysis->capture;

    for (size_t i = 0; i < capture->kernel_count; i++) {
        struct rl_kernel_result *result = &analysis->kernels[i];
        const size_t variant = capture->kernels[i].variant;
        result->label = variant == RL_NONE ? with_population(&analysis->arena, &capture->kernels[i], result->short_name)
                                           : label_of_variant(analysis, result, variant);
    }
    tell_apart(analysis);
}
