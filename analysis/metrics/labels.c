/* labels.c - what a kernel is called in tables and charts. Those of a suite have the names of their variants; those of programs a
 * short name, and as much more as tells them apart from others of the same GPU: the run of imported output, template arguments, the
 * launch's shape, the part of the name that differs, the id. */
#include <ctype.h>

#include "internal.h"

enum { MOST_TEMPLATE_COLUMNS = 40 }; /* longer template arguments are left out */
enum { MOST_ALIKE = 100 };           /* names whose words are compared */
enum { FIRST_BYTES = 10 };           /* of a name of which the words that differ are kept */

static const char *label_of_variant(struct rl_analysis *analysis, const struct rl_kernel_result *result, size_t index)
{
    const struct rl_capture *capture = analysis->capture;
    const struct rl_variant *variant = &capture->variants[index];
    const char *experiment = capture->experiments[variant->experiment].name;

    if (result->siblings == 1)
        return rl_arena_printf(&analysis->arena, "%s / %s", experiment, variant->name);
    return rl_arena_printf(&analysis->arena, "%s / %s: %s", experiment, variant->name, result->short_name);
}

/* ---- ways to say more ---- */

/* Launches of a class that do other work than the rest: "persistent (25.0 µs)", by how long they take, or "(kind 1 of 2)". */
static const char *with_population(struct rl_arena *arena, const struct rl_kernel *kernel, const char *label)
{
    RL_SCRATCH text = RL_BUF_INIT;

    if (!kernel->population.total)
        return label;
    if (!kernel->duration_count)
        return rl_arena_printf(arena, "%s (kind %u of %u)", label, kernel->population.number, kernel->population.total);
    const double total_ns = RL_SUM(double, i, kernel->duration_count, (double)kernel->duration_ns[i]);
    rl_buf_addf(&text, "%s (", label);
    rl_unit_format(&text, RL_UNIT_SECOND, total_ns / (double)kernel->duration_count * 1e-9, 3);
    rl_buf_adds(&text, ")");
    return rl_arena_strndup(arena, text.data, text.len);
}

/* A longer label, where kernels share one. The text is in the arena. */
typedef const char *(*longer_label)(struct rl_arena *arena, const struct rl_kernel *kernel, const char *label);

/* "1024x32" of an extent, without its ones. */
static void add_extent(const uint32_t extent[3], struct rl_buf *out)
{
    const int dimensions = extent[2] > 1 ? 3 : extent[1] > 1 ? 2 : 1;

    for (int i = 0; i < dimensions; i++)
        rl_buf_addf(out, "%s%u", i ? "x" : "", extent[i]);
}

static const char *with_shape(struct rl_arena *arena, const struct rl_kernel *kernel, const char *label)
{
    RL_SCRATCH text = RL_BUF_INIT;

    rl_buf_addf(&text, "%s [", label);
    add_extent(kernel->grid, &text);
    rl_buf_adds(&text, ", ");
    add_extent(kernel->block, &text);
    rl_buf_adds(&text, "]");
    return rl_arena_strndup(arena, text.data, text.len);
}

/* A longer label: with the kernel's id behind the label. */
static const char *label_with_id(struct rl_arena *arena, const struct rl_kernel *kernel, const char *label)
{
    char id[RL_KERNEL_ID];

    rl_kernel_id(kernel, id);
    return rl_arena_printf(arena, "%s %s", label, id);
}

/* The run of another profiler's output of several processes. */
static const char *with_run(struct rl_arena *arena, const struct rl_kernel *kernel, const char *label)
{
    return kernel->nvtx ? rl_arena_printf(arena, "%s (%s)", label, kernel->nvtx) : label;
}

static const char *with_template(struct rl_arena *arena, const struct rl_kernel *kernel, const char *label)
{
    /* A longer label: with the template arguments, unless they are long. */
    RL_SCRATCH name = RL_BUF_INIT;
    const char *longer = label;

    rl_kernel_template_name(kernel->name, &name);
    if (rl_utf8_width(name.data, name.len) <= MOST_TEMPLATE_COLUMNS)
        longer = with_population(arena, kernel, rl_arena_strndup(arena, name.data, name.len));

    return longer == label ? label : with_run(arena, kernel, longer);
}

/* ---- telling apart ---- */

RL_COMPARATOR(by_label, struct rl_labelled, rl_ascending(x->group, y->group) ?: rl_ascending(*x->label, *y->label)
              ?: rl_ascending_place(x->kernel, y->kernel));

RL_COMPARATOR(by_look, struct rl_labelled, rl_ascending(x->group, y->group) ?: rl_ascending(x->look, y->look)
              ?: rl_ascending_place(x->kernel, y->kernel));

/* The end of the rows, in the order of labels or of looks, that share that of the first. */
static size_t end_of_shared(const struct rl_labelled *rows, size_t count, size_t first, bool look)
{
    size_t end = first + 1;

    while (end < count && rows[end].group == rows[first].group &&
           strcmp(look ? rows[end].look : *rows[end].label, look ? rows[first].look : *rows[first].label) == 0)
        end++;
    return end;
}

/* Gives those that share a label a longer one. Returns whether any did. */
static bool lengthen(struct rl_arena *arena, struct rl_labelled *rows, size_t count, longer_label way)
{
    bool any = false;

    rl_sort(rows, count, sizeof *rows, by_label);
    for (size_t first = 0, end; first < count; first = end) {
        end = end_of_shared(rows, count, first, false);
        for (size_t i = first; i < end && end - first > 1; i++) /* the group's end is known: its labels may change */
            *rows[i].label = way(arena, rows[i].kernel, *rows[i].label);
        any = any || end - first > 1;
    }
    return any;
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Gives those that share a label the part of their whole names that differs, to whole words: "k …int…" and "k …long…". Not where
 * that is too long, as of names that differ in several places. */
static void add_difference(struct rl_arena *arena, struct rl_labelled *rows, size_t count)
{
    rl_sort(rows, count, sizeof *rows, by_label);
    for (size_t first = 0, end; first < count; first = end) {
        const char *name = rows[first].kernel->name;
        const size_t all = strlen(name);
        size_t before = all, least = all, after = all, longest = 0;
        end = end_of_shared(rows, count, first, false);
        for (size_t i = first + 1; i < end; i++) {
            const char *other = rows[i].kernel->name;
            const size_t len = strlen(other);
            size_t same = 0;
            least = len < least ? len : least;
            while (same < before && name[same] == other[same])
                same++;
            before = same;
            for (same = 0; same < after && same < len && name[all - 1 - same] == other[len - 1 - same];)
                same++;
            after = same;
        }
        if (end - first == 1)
            continue;
        after = after < least - before ? after : least - before;
        while (before && is_of_word(name[before - 1]))
            before--;
        while (after && is_of_word(name[all - after]))
            after--;
        for (size_t i = first; i < end; i++) {
            const size_t len = strlen(rows[i].kernel->name) - before - after;
            longest = len > longest ? len : longest;
        }
        for (size_t i = first; i < end && longest <= MOST_TEMPLATE_COLUMNS; i++) {
            const char *whole = rows[i].kernel->name;
            if (strlen(whole) > before + after)
                *rows[i].label = rl_arena_printf(arena, "%s %s%.*s%s", *rows[i].label, before ? "…" : "",
                                                 (int)(strlen(whole) - before - after), whole + before, after ? "…" : "");
        }
    }
}

/* A word of a name of words with '_' between them, and what follows it. */
static size_t word_of(const char *name)
{
    return strcspn(name, "_");
}

static bool has_word(const char *name, const char *word, size_t len)
{
    for (size_t at; *name; name += at + (name[at] == '_')) {
        at = word_of(name);
        if (at == len && memcmp(name, word, len) == 0)
            return true;
    }
    return false;
}

/* Gives those with one look labels of their words that differ. False where these are too long, or tell them not apart. */
static bool keep_words(struct rl_arena *arena, struct rl_labelled *rows, size_t count)
{
    const char **made = rl_calloc(count, sizeof *made);
    bool good = count <= MOST_ALIKE;

    for (size_t i = 0; i < count && good; i++) {
        RL_SCRATCH text = RL_BUF_INIT;
        for (size_t byte = 0; byte < FIRST_BYTES; byte++)
            good &= (unsigned char)(*rows[i].label)[byte] < 0x80; /* the label is longer than a look */
        if (good) {
            /* The words of a label that not all of these have, behind its beginning: "sm80_xmma_…64x128_medium". */
            const char *label = *rows[i].label, *mark = "…";

            rl_buf_add(&text, label, FIRST_BYTES);
            for (size_t at; *label; label += at + (label[at] == '_')) {
                at = word_of(label);
                const size_t with = RL_SUM(size_t, k, count, has_word(*rows[k].label, label, at));
                if (with == count)
                    continue;
                rl_buf_adds(&text, mark);
                rl_buf_add(&text, label, at);
                mark = "_";
            }
        }
        good &= text.len > FIRST_BYTES && rl_utf8_width(text.data, text.len) <= RL_LABEL_COLUMNS;
        made[i] = rl_arena_strndup(arena, good ? text.data : "", good ? text.len : 0);
        for (size_t j = 0; j < i; j++)
            good &= strcmp(made[i], made[j]) != 0;
    }
    for (size_t i = 0; i < count && good; i++)
        *rows[i].label = made[i];
    free(made);
    return good;
}

void rl_labels_tell_apart(struct rl_arena *arena, struct rl_labelled *rows, size_t count, bool shapes)
{
    static const longer_label ways[] = {with_run, with_template, with_shape};
    bool shared = count > 1;

    for (size_t way = 0; way < RL_COUNT(ways) && shared; way++)
        if (shapes || ways[way] != with_shape)
            shared = lengthen(arena, rows, count, ways[way]);
    if (shared) {
        add_difference(arena, rows, count);
        lengthen(arena, rows, count, label_with_id);
    }
    if (count > 1) {
        /* The id stands last, where shortening in the middle leaves it. */
        for (size_t i = 0; i < count; i++) {
            struct rl_labelled *row = &rows[i];
            RL_SCRATCH text = RL_BUF_INIT;

            row->look = *row->label;
            if (strlen(row->look) <= RL_LABEL_COLUMNS)
                continue;
            rl_utf8_abbreviate(&text, *row->label, RL_LABEL_COLUMNS);
            row->look = rl_arena_strndup(arena, text.data, text.len);
        }
        rl_sort(rows, count, sizeof *rows, by_look);
        for (size_t first = 0, end; first < count; first = end) {
            end = end_of_shared(rows, count, first, true);
            if (end - first == 1 || keep_words(arena, rows + first, end - first))
                continue;
            for (size_t i = first; i < end; i++)
                *rows[i].label = label_with_id(arena, rows[i].kernel, *rows[i].label);
        }
    }
}

/* An rl_kernel_step. */
static void label_kernel(struct rl_analysis *analysis, struct rl_eval *eval, size_t index, void *context)
{
    const struct rl_kernel *kernel = &analysis->capture->kernels[index];
    struct rl_kernel_result *result = &analysis->kernels[index];

    (void)eval, (void)context;
    result->label = kernel->variant == RL_NONE ? with_population(&analysis->arena, kernel, result->short_name)
                                               : label_of_variant(analysis, result, kernel->variant);
}

void rl_step_labels(struct rl_analysis *analysis)
{
    rl_each_kernel(analysis, NULL, label_kernel, NULL);
    const struct rl_capture *capture = analysis->capture;
    RL_FREED struct rl_labelled *rows = rl_calloc(capture->kernel_count, sizeof *rows);
    size_t count = 0;

    for (size_t i = 0; i < capture->kernel_count; i++)
        if (capture->kernels[i].variant == RL_NONE)
            rows[count++] = (struct rl_labelled){
                .kernel = &capture->kernels[i], .group = capture->kernels[i].gpu, .label = &analysis->kernels[i].label};
    rl_labels_tell_apart(&analysis->arena, rows, count, true);
}
