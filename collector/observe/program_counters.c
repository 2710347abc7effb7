/* program_counters.c - counters of the kernel classes of an observed program, and why there are none. */
#include "program_builder.h"

enum { MOST_UNCOUNTED_ROWS = 1000 }; /* classes for which each missing counter is reported one by one, and what would bring it */
static const double SHARE = 0.99;    /* of the GPU time is to be covered */

static size_t pass_of(struct builder *b, size_t gpu, const struct rl_stream_pass *from)
{
    assert(gpu < b->capture->gpu_count && from->configuration);
    for (size_t i = 0; i < b->capture->pass_count; i++)
        if (b->capture->passes[i].gpu == gpu && strcmp(b->capture->passes[i].configuration, from->configuration) == 0 &&
            strcmp(b->capture->passes[i].mode, from->mode) == 0)
            return i;
    struct rl_pass *pass = rl_capture_add_pass(b->capture);
    pass->gpu = gpu;
    pass->configuration = rl_capture_text(b->capture, from->configuration);
    pass->mode = rl_capture_text(b->capture, from->mode);
    pass->cache = rl_capture_text(b->capture, "unknown"); /* as the program left it */
    b->conditional = rl_realloc(b->conditional, b->capture->pass_count, sizeof *b->conditional);
    b->conditional[b->capture->pass_count - 1] = from->is.conditional;
    return b->capture->pass_count - 1;
}

/* Over the counted launches of a class, in all parts. */
struct summed_up {
    size_t count;         /* launches */
    size_t numbers;       /* of their values */
    struct rl_value each; /* median */
    double least, most;   /* of those that are numbers; equal when there is none */
};

static struct summed_up sum_up(const struct merged *merged, const char *configuration, uint32_t column)
{
    struct summed_up found = {0};
    double *values = NULL;
    size_t cap = 0, finite = 0;
    for (size_t p = 0; p < merged->part_count; p++)
        for (size_t i = 0; i < merged->parts[p].class->counted_count; i++) {
            const struct rl_stream_counted *counted = &merged->parts[p].class->counted[i];
            const struct rl_stream_pass *pass = &merged->parts[p].stream->passes[counted->pass];
            if (!rl_merged_has(merged, p, i) || strcmp(pass->configuration, configuration) != 0 || column >= pass->is.counter_count)
                continue;
            found.count++;
            RL_GROW(values, finite + 1, cap);
            if (isfinite(counted->values[column]))
                values[finite++] = counted->values[column];
        }
    const struct rl_stats stats = rl_stats_of(values, finite);
    found.each = finite ? rl_value_of(stats.median) : rl_value_missing(RL_VALUE_FAILED, "not a finite number");
    found.numbers = finite;
    assert(found.numbers <= found.count);
    found.least = stats.min;
    found.most = stats.max;
    free(values);
    return found;
}

static void store(struct builder *b, size_t kernel, const char *name, struct rl_value value, size_t pass)
{
    assert(kernel < b->capture->kernel_count);
    struct rl_counter *counter = rl_capture_add_counter(b->capture, kernel);
    counter->name = rl_capture_text(b->capture, name);
    counter->value = rl_capture_value(b->capture, value);
    counter->pass = pass;
}

bool rl_builder_is_witness(const struct builder *b, size_t gpu, const char *name)
{
    assert(gpu < b->capture->gpu_count);
    const struct rl_configuration *wanted = NULL;
    size_t count = 0;
    b->facts->options->plan(b->facts->options->plan_context, b->capture->gpus[gpu].chip, &wanted, &count);
    for (size_t i = 0; i < count; i++)
        for (const char *const *witness = wanted[i].witnesses; witness && *witness; witness++)
            if (strcmp(*witness, name) == 0)
                return true;
    return false;
}

/* The counters of the pass that the part's first counted launch under it names; returns of how many launches. */
static size_t store_pass(struct builder *b, size_t kernel, const struct merged *merged, const struct rl_stream_pass *pass)
{
    size_t index = pass_of(b, merged->shape.gpu, pass), count = 0;
    for (uint32_t c = 0; c < pass->is.counter_count; c++) {
        /* Of a witness that was read several times the smallest and the largest value are kept, too: they tell whether the launches
         * do the same work. */
        const char *name = pass->counters[c];
        const struct summed_up found = sum_up(merged, pass->configuration, c);
        const bool known = rl_kernel_counter(&b->capture->kernels[kernel], name) != NULL,
                   witness = found.numbers > 1 && rl_builder_is_witness(b, merged->shape.gpu, name);
        if (!known)
            store(b, kernel, name, found.each, index);
        if (witness) {
            store(b, kernel, name, rl_value_of(found.least), index);
            store(b, kernel, name, rl_value_of(found.most), index);
        }
        count = found.count;
    }
    /* How many launches were counted in the pass, and the range of the counter that depends on the work alone. */
    struct rl_counted *counted = rl_capture_add_counted(b->capture);
    uint32_t column = 0;
    while (column < pass->is.counter_count && !rl_builder_is_witness(b, merged->shape.gpu, pass->counters[column]))
        column++;
    const struct summed_up found = sum_up(merged, pass->configuration, column < pass->is.counter_count ? column : 0);
    counted->kernel = kernel;
    counted->pass = index;
    counted->launches = found.count;
    if (column == pass->is.counter_count || !found.numbers)
        return count;
    counted->witness = rl_capture_text(b->capture, pass->counters[column]);
    counted->lowest = rl_value_of(found.least);
    counted->highest = rl_value_of(found.most);
    return count;
}

static bool was_stored(const struct rl_stream_pass *const *seen, size_t count, const struct rl_stream_pass *pass)
{
    return RL_ANY(i, count, strcmp(seen[i]->configuration, pass->configuration) == 0);
}

static bool has_configuration(const struct merged *merged, const char *name, const char *mode)
{
    for (size_t p = 0; p < merged->part_count; p++)
        for (size_t i = 0; i < merged->parts[p].class->counted_count; i++) {
            const struct rl_stream_pass *pass = &merged->parts[p].stream->passes[merged->parts[p].class->counted[i].pass];
            if (rl_merged_has(merged, p, i) && pass->configuration && !pass->is.conditional &&
                strcmp(pass->configuration, name) == 0 && strcmp(pass->mode, mode) == 0)
                return true;
        }
    return false;
}

/* Whether the class has every configuration of `mode` that the processes on its GPU have announced, of one at least. */
static bool is_whole_under(const struct builder *b, const struct merged *merged, const char *mode)
{
    bool any = false;
    for (size_t i = 0; i < b->capture->pass_count; i++) {
        const struct rl_pass *pass = &b->capture->passes[i];
        if (pass->gpu != merged->shape.gpu || b->conditional[i] || strcmp(pass->mode, mode) != 0)
            continue;
        if (!has_configuration(merged, pass->configuration, mode))
            return false;
        any = true;
    }
    return any;
}

/* A class is wholly counted when one way of counting has all of it. */
static bool is_whole(const struct builder *b, const struct merged *merged)
{
    return RL_ANY(i, b->capture->pass_count, is_whole_under(b, merged, b->capture->passes[i].mode));
}

/* Whether any process has seen it stand so. */
static bool has_stood(const struct merged *merged, enum rl_standing standing)
{
    return RL_ANY(p, merged->part_count, merged->parts[p].class->totals.standing == standing);
}

/* A launch of it has ended while the program was held up. */
static bool is_proven(const struct merged *merged)
{
    return has_stood(merged, RL_STANDING_PROVEN);
}

/* How far the processes of the timed run have come with counters: the one that came farthest, and the sums. */
static struct rl_record_process counting_of(const struct builder *b)
{
    struct rl_record_process all = {.counting = RL_COUNTING_NOT_BEGUN};
    for (size_t s = 0; s < b->stream_count; s++) {
        const struct rl_record_process *process = &b->streams[s]->process;
        if (b->streams[s]->hello.run != 0)
            continue;
        all.counting = process->counting > all.counting ? process->counting : all.counting;
        all.windows += process->windows + process->unread_windows;
        all.not_idle += process->not_idle;
        all.graphs += process->graphs;
        all.whole_graphs += process->whole_graphs;
        all.held_ns += process->held_ns;
    }
    return all;
}

/* Why counters that were asked for have not come in the one run. */
static enum why why_not_in_one_run(const struct builder *b, const struct merged *merged, bool some)
{
    const struct rl_record_process all = counting_of(b);
    return b->facts->options->pc_sampling          ? WHY_PC_SAMPLED
           : all.counting == RL_COUNTING_NOT_BEGUN ? WHY_SHORT_RUN
           : has_stood(merged, RL_STANDING_WAITS)  ? WHY_WAITS
           : all.counting == RL_COUNTING_REFUSED   ? (some ? WHY_INSTRUMENTED : WHY_BUDGET)
           : all.not_idle && !all.windows          ? WHY_NOT_IDLE
           : !all.windows                          ? WHY_UNREADY
                                                   : WHY_TOO_SELDOM;
}

bool rl_builder_asks(const struct builder *b)
{
    const struct rl_program_options *options = b->facts->options;
    return options->replay != RL_REPLAY_NONE && (options->replay != RL_REPLAY_ROTATE || options->budget);
}

/* Counters of it are never taken. */
static enum why why_never(const struct merged *merged)
{
    return merged->shape.collective ? WHY_COLLECTIVE : rl_merged_is_rest(merged) ? WHY_REST : WHY_NOT;
}

/* Launched by graphs alone, none of which can be taken apart: where some can, it is unknown which of them launched it. */
static bool is_of_whole_graphs(const struct builder *b, const struct merged *merged)
{
    const struct rl_record_process all = counting_of(b);
    return merged->timed && merged->graph == merged->timed && all.graphs && all.whole_graphs == all.graphs;
}

/* `above` is the share of the time that could be counted in classes with more of it; `some`: it has some of the counters. */
static enum why why_uncounted(const struct builder *b, const struct merged *merged, double above, bool some)
{
    return is_whole(b, merged)                            ? WHY_NOT
           : !rl_builder_asks(b)                          ? WHY_NOT_ASKED
           : why_never(merged) != WHY_NOT                 ? why_never(merged)
           : b->counters != RL_OK                         ? WHY_NO_COUNTERS
           : is_of_whole_graphs(b, merged)                ? WHY_GRAPH
           : merged->populations && merged->kinds_counted ? WHY_POPULATION
           : above >= SHARE && merged->timed              ? WHY_LEAST
           : merged->kin_counted >= RL_STREAM_MOST_SHAPES ? WHY_FAMILY
           : !b->facts->main_pid[1]                       ? why_not_in_one_run(b, merged, some)
           : is_proven(merged)                            ? WHY_TOO_SELDOM
                                                          : WHY_WAITS;
}

/* The options that would count the class, and their cost, by this run. */
static char *budget_text(const struct builder *b, const struct merged *merged)
{
    struct rl_arena *arena = &b->capture->arena;
    const double run_s = b->facts->run_s;
    /* Runs of --replay application besides the timed one: a run for each configuration; 0: unknown, because none was
     * planned. */
    size_t runs = RL_SUM(size_t, i, b->capture->pass_count, b->capture->passes[i].gpu == merged->shape.gpu && !b->conditional[i]);
    const char *kernel = run_s > 0 ? rl_arena_printf(arena, " of about %.1f s and 0.1 s for each counted launch", run_s) : "",
               *each = run_s > 0 ? rl_arena_printf(arena, ", of about %.1f s each", run_s) : "";
    const char *application = !runs       ? rl_arena_printf(arena, "one for each counter group%s", each)
                              : runs == 1 ? rl_arena_printf(arena, "another one%s", each)
                                          : rl_arena_printf(arena, "%zu further ones%s", runs, each);
    return rl_arena_printf(arena,
                           ": a larger --budget counts it in this run, --replay kernel in a second run%s, "
                           "--replay application in %s",
                           kernel, application);
}

/* `cure`: what would count it, or "". */
static char *reason_text(const struct builder *b, const struct merged *merged, enum why why, const char *cure)
{
    struct rl_arena *arena = &b->capture->arena;
    static const char *const reasons[] = {
        [WHY_NOT_ASKED] = "counters were not asked for: collect without --replay none counts them",
        [WHY_COLLECTIVE] = "a collective kernel waits for its peers: it is never delayed or repeated, and no option counts it",
        [WHY_REST] = "it stands for all configurations beyond the limit: --kernel selects those to distinguish",
        [WHY_GRAPH] = "launched by CUDA graphs that cannot be run kernel by kernel: the notes of the capture have the reason, and "
                      "no option counts it",
        [WHY_POPULATION] =
            "other launches of this configuration were counted, which take another time: they do other work; --samples "
            "counts more launches",
        [WHY_LEAST] = "among the shortest kernels, which have 1 % of the GPU time together: --kernel selects those to count",
        [WHY_FAMILY] = "other configurations of this kernel were counted and stand for it: no option counts every configuration",
        [WHY_PC_SAMPLED] = "PC sampling (--pc-sampling) uses the GPU's counters: --replay kernel counts in "
                           "a second run",
        [WHY_WAITS] =
            "it did not end while the program waited for it: it may itself wait for the program, so no option counts or repeats it",
    };
    switch (why) {
    case WHY_NO_COUNTERS:
        return rl_arena_printf(arena, "%s", b->counters_text);
    case WHY_SHORT_RUN:
        return rl_arena_printf(arena, "the program ended before counters could be collected within the budget%s", cure);
    case WHY_UNREADY:
        return rl_arena_printf(arena, "the program ended while the first counters were still being prepared%s", cure);
    case WHY_NOT_IDLE:
        return rl_arena_printf(arena,
                               "the GPU did not become idle while the program waited to collect counters: too much work was queued "
                               "(%" PRIu32 " tries, delay of %.1f s in all)%s",
                               counting_of(b).not_idle, (double)counting_of(b).held_ns * 1e-9, cure);
    case WHY_BUDGET:
        return rl_arena_printf(arena, "counting it would have delayed the program by more than %.2f s and %d %% of its time%s",
                               RL_STREAM_ALLOWANCE_NS * 1e-9, b->facts->options->budget, cure);
    case WHY_INSTRUMENTED:
        return rl_arena_printf(arena,
                               "hardware counters only: instrumented code takes many times as long, which exceeds the "
                               "rest of the budget%s",
                               cure);
    case WHY_TOO_SELDOM:
        return rl_arena_printf(arena, "launched too late or too seldom (%s) for every counter group%s",
                               merged->seen == 1 ? "once" : rl_arena_printf(arena, "%" PRIu64 " times", merged->seen),
                               b->facts->main_pid[1] ? ", and not counted when the program ran again" : cure);
    default:
        return rl_arena_strdup(arena, reasons[why]);
    }
}

/* NULL: it has them. Of very many classes only the first ones name the cure. */
static char *uncounted_reason(struct builder *b, const struct merged *merged, double above, bool some, bool brief)
{
    const enum why why = why_uncounted(b, merged, above, some);
    struct reason *last = &b->reasons[why];
    if (why == WHY_NOT)
        return NULL;
    const uint64_t launches = why == WHY_TOO_SELDOM ? merged->seen : 0; /* which that one names */
    if (!last->text || last->launches != launches || last->brief != brief)
        *last = (struct reason){launches, brief, reason_text(b, merged, why, brief ? "" : budget_text(b, merged))};
    return last->text;
}

/* Each counter of the plan that the class does not have, with the reason. */
static void store_missing(struct builder *b, size_t kernel, const char *reason)
{
    const struct rl_program_options *options = b->facts->options;
    const struct rl_configuration *wanted = NULL;
    size_t count = 0;
    const char *chip = b->capture->gpus[b->capture->kernels[kernel].gpu].chip;
    options->plan(options->plan_context, chip, &wanted, &count);
    const struct rl_value missing = !reason                        ? rl_value_missing(RL_NOT_ON_CHIP, NULL)
                                    : b->counters == RL_PERMISSION ? rl_value_missing(RL_NOT_PERMITTED, NULL)
                                                                   : rl_value_missing(RL_NOT_COLLECTED, reason);
    for (size_t i = 0; i < count; i++)
        for (size_t n = 0; n < wanted[i].counter_count && rl_program_selects(&wanted[i]); n++)
            store(b, kernel, wanted[i].counters[n], missing, RL_NONE);
}

bool rl_program_selects(const struct rl_configuration *configuration)
{
    return !configuration->when && !configuration->of_device;
}

void rl_builder_add_passes(struct builder *b)
{
    for (size_t s = 0; s < b->stream_count; s++)
        for (size_t p = 0; p < b->streams[s]->pass_count; p++) {
            const struct rl_stream_pass *pass = &b->streams[s]->passes[p];
            size_t gpu = pass->configuration ? b->gpus[s][pass->is.gpu] : RL_NONE;
            if (gpu != RL_NONE && pass->is.counter_count)
                pass_of(b, gpu, pass);
        }
}

static int compare_names(const void *a, const void *b)
{
    const struct merged *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

void rl_builder_count_shapes(struct builder *b)
{
    RL_FREED struct merged **sorted = rl_calloc(b->class_count, sizeof(struct merged *));
    for (size_t i = 0; i < b->class_count; i++)
        sorted[i] = &b->classes[i];
    if (b->class_count)
        rl_sort(sorted, b->class_count, sizeof *sorted, compare_names);
    for (size_t first = 0, end; first < b->class_count; first = end) {
        size_t counted = 0;
        for (end = first; end < b->class_count && strcmp(sorted[end]->name, sorted[first]->name) == 0; end++)
            counted += is_whole(b, sorted[end]);
        for (size_t i = first; i < end; i++)
            sorted[i]->kin_counted = counted;
    }
}

void rl_builder_add_counters(struct builder *b, size_t kernel, struct merged *merged, double above)
{
    struct rl_kernel_use *use = &b->capture->uses[b->capture->use_count - 1];
    enum { MOST = 64 };
    const struct rl_stream_pass *seen[MOST];
    size_t count = 0, least = 0; /* launches under a configuration that all of them have */
    for (size_t p = 0; p < merged->part_count; p++)
        for (size_t i = 0; i < merged->parts[p].class->counted_count; i++) {
            const struct rl_stream_counted *counted = &merged->parts[p].class->counted[i];
            const struct rl_stream_pass *pass = &merged->parts[p].stream->passes[counted->pass];
            if (count == MOST || !rl_merged_has(merged, p, i) || !pass->configuration || was_stored(seen, count, pass))
                continue;
            const size_t launches = store_pass(b, kernel, merged, pass);
            if (!pass->is.conditional && (!least || launches < least))
                least = launches;
            seen[count++] = pass;
        }
    b->any_counters |= count > 0;
    use->uncounted = uncounted_reason(b, merged, above, count > 0, kernel >= MOST_UNCOUNTED_ROWS);
    use->counted = use->uncounted ? 0 : least;
    if (!use->uncounted || kernel < MOST_UNCOUNTED_ROWS)
        store_missing(b, kernel, use->uncounted);
}

bool rl_merged_wants_run(const struct merged *merged)
{
    return is_proven(merged) && !merged->shape.collective;
}
