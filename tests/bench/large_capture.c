/* large_capture.c - makes captures that are large in one dimension, to measure how the cost of the commands grows
 * (tests/bench/growth.py, docs/limits.md).
 *
 *   large_capture SAMPLE DIMENSION COUNT FILE [PERCENT]     the card and the roofs of SAMPLE, a capture of the suite, with COUNT
 * elements in the dimension, whose counters and times are those of its kernels; of every tenth kernel class and variant the times
 * are PERCENT longer large_capture --list                                    the dimensions, each with the most that a capture may
 * hold
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "core/mem.h"

struct maker {
    struct rl_capture *to;
    const struct rl_capture *sample;
    double slower; /* factor of every tenth */
};

/* ---- parts ---- */

static char *text(struct maker *maker, const char *format, ...) __attribute__((format(printf, 2, 3)));
static char *text(struct maker *maker, const char *format, ...)
{
    struct rl_buf buf = RL_BUF_INIT;
    va_list arguments;
    char line[256];
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    rl_buf_adds(&buf, line);
    char *copy = rl_capture_text(maker->to, buf.data);
    rl_buf_release(&buf);
    return copy;
}

/* Differs from number to number, between 1/2 and 2; the same for the same one. */
static double scale_of(const struct maker *maker, size_t number)
{
    return exp2((double)(number * 37 % 101) / 50 - 1) * (number % 10 == 0 ? maker->slower : 1);
}

/* `count` times that scatter as those of the model do. */
static uint64_t *times_like(struct maker *maker, const struct rl_kernel *model, size_t count, double scale)
{
    uint64_t *times = rl_arena_alloc(&maker->to->arena, (count + 1) * sizeof *times);
    for (size_t i = 0; i < count; i++)
        times[i] = (uint64_t)(scale * (double)model->duration_ns[i % model->duration_count]) + i * 7919 % 31;
    return times;
}

static const struct rl_kernel *model_of(const struct maker *maker, size_t number)
{
    const struct rl_capture *sample = maker->sample;
    for (size_t i = 0;; i++) {
        const struct rl_kernel *kernel = &sample->kernels[(number + i) % sample->kernel_count];
        if (kernel->duration_count > 1 && kernel->counter_count > 0 && kernel->total_ns > 0)
            return kernel;
    }
}

/* A kernel class with the counters of one of the sample (at most `counters` of them) and `times` times. */
static struct rl_kernel *add_kernel(struct maker *maker, size_t number, size_t times, size_t counters)
{
    const struct rl_kernel *model = model_of(maker, number);
    struct rl_kernel *kernel = rl_capture_add_kernel(maker->to);
    const size_t index = maker->to->kernel_count - 1;
    struct rl_kernel copy = *model;
    copy.counters = NULL;
    copy.counter_count = copy.counter_cap = 0;
    copy.variant = RL_NONE;
    copy.launches = times;
    copy.launches_per_run = 0;
    copy.nvtx = copy.mangled = NULL;
    copy.name =
        text(maker, "void solver::stage_%zu<float, library::Functor<float, %zu>>(float const*, float*, int)", number, number % 9);
    copy.duration_ns = times_like(maker, model, times, scale_of(maker, number));
    copy.duration_count = times;
    copy.total_ns = 0;
    for (size_t i = 0; i < times; i++)
        copy.total_ns += copy.duration_ns[i];
    *kernel = copy;
    for (size_t i = 0; i < model->counter_count && i < counters; i++)
        *rl_capture_add_counter(maker->to, index) = model->counters[i];
    return &maker->to->kernels[index];
}

static void add_experiment(struct maker *maker, size_t number)
{
    const struct rl_experiment *model = &maker->sample->experiments[number % maker->sample->experiment_count];
    struct rl_experiment *experiment = rl_capture_add_experiment(maker->to);
    *experiment = (struct rl_experiment){.name = text(maker, "experiment_%zu", number),
                                         .topic = model->topic,
                                         .question = model->question,
                                         .explanation = model->explanation,
                                         .source = model->source};
}

static struct rl_variant *add_variant(struct maker *maker, size_t number, size_t experiment)
{
    const struct rl_variant *model = &maker->sample->variants[0];
    struct rl_variant *variant = rl_capture_add_variant(maker->to);
    *variant = *model;
    variant->experiment = experiment;
    variant->gpu = 0;
    variant->name = text(maker, "variant_%zu", number);
    variant->status = RL_VARIANT_DONE;
    variant->reason = NULL;
    variant->result = RL_RESULT_OK;
    variant->size = 1024 + number;
    variant->duration_ns = NULL;
    variant->events = NULL;
    variant->duration_count = variant->event_count = 0;
    return variant;
}

/* A variant that is one launch of one kernel. */
static void add_variant_of_kernel(struct maker *maker, size_t number, size_t experiment)
{
    add_variant(maker, number, experiment);
    struct rl_kernel *kernel = add_kernel(maker, number, 10, SIZE_MAX);
    kernel->variant = maker->to->variant_count - 1;
    kernel->launches_per_run = 1;
}

/* A variant that is timed as a whole. */
static struct rl_variant *add_whole_run(struct maker *maker, size_t number, size_t times)
{
    struct rl_variant *variant = add_variant(maker, number, 0);
    variant->measure = text(maker, "%s", number % 2 ? "span" : "wall");
    variant->duration_ns = times_like(maker, model_of(maker, number), times, scale_of(maker, number));
    variant->duration_count = times;
    return variant;
}

static void add_claim(struct maker *maker, size_t experiment, size_t number, size_t variants)
{
    struct rl_claim *claim = rl_capture_add_claim(maker->to, experiment);
    *claim = (struct rl_claim){.id = text(maker, "claim_%zu", number),
                               .text = text(maker, "claim %zu", number),
                               .quantity = text(maker, "time_s"),
                               .subject = text(maker, "variant_%zu", number % variants),
                               .baseline = text(maker, "variant_%zu", (number + 1) % variants),
                               .relation = text(maker, "at_least"),
                               .value = 0.8,
                               .tolerance = 0.05,
                               .source = text(maker, "a paper"),
                               .from = {.document = text(maker, "a paper"),
                                        .heading = text(maker, "section %zu", number),
                                        .quote = text(maker, "%zu times as fast", number),
                                        .most = rl_value_missing(RL_UNDEFINED, "no upper end")}};
}

/* `count` settings from the one with this number on, every third a text. */
static struct rl_setting *settings_from(struct maker *maker, size_t number, size_t count)
{
    struct rl_setting *settings = rl_arena_alloc(&maker->to->arena, (count + 1) * sizeof *settings);
    for (size_t i = 0; i < count; i++) {
        struct rl_setting *setting = &settings[i];
        *setting = (struct rl_setting){.key = text(maker, "setting_%zu", i), .number = rl_value_of((double)(number + i))};
        if (i % 3 == 2) {
            setting->text = text(maker, "way %zu", number + i);
            setting->number = rl_value_missing(RL_UNDEFINED, "a text");
        }
    }
    return settings;
}

/* Over the first of its variants' settings. */
static void draw_over_axis(struct maker *maker, size_t experiment)
{
    maker->to->experiments[experiment].form = (struct rl_experiment_form){.form = RL_CHART_FORM_LINE,
                                                                          .axis = text(maker, "setting_0"),
                                                                          .axis_title = text(maker, "Setting"),
                                                                          .axis_unit = RL_UNIT_COUNT};
}

/* What an experiment of 10 variants shows: `count` columns, pairs and references. */
static void add_shown(struct maker *maker, size_t experiment, size_t count)
{
    static const char *const metrics[] = {RL_COLUMN_GAP, RL_COLUMN_ERROR, "achieved_occupancy", "registers_per_thread"};
    struct rl_arena *arena = &maker->to->arena;
    struct rl_experiment *shown = &maker->to->experiments[experiment];
    shown->columns = rl_arena_alloc(arena, count * sizeof *shown->columns);
    shown->pairs = rl_arena_alloc(arena, count * sizeof *shown->pairs);
    shown->references = rl_arena_alloc(arena, count * sizeof *shown->references);
    shown->column_count = shown->pair_count = shown->reference_count = count;
    for (size_t i = 0; i < count; i++) {
        shown->columns[i] = text(maker, "%s", metrics[i % RL_COUNT(metrics)]);
        shown->references[i] = text(maker, "variant_%zu", i % 10);
        shown->pairs[i] = (struct rl_variant_pair){text(maker, "variant_%zu", i % 10), text(maker, "variant_%zu", (i + 1) % 10)};
    }
}

static struct rl_process *add_process(struct maker *maker, size_t number, bool rank)
{
    struct rl_process *process = rl_capture_add_process(maker->to);
    process->pid = 1000 + number;
    process->parent_pid = 1;
    process->host = text(maker, "node%zu", number / 4);
    process->rank = rank ? text(maker, "%zu", number) : NULL;
    process->command = text(maker, "./solver --steps 100");
    process->end = text(maker, "exited");
    process->phases = text(maker, "one run: times all along");
    process->launches = 10;
    return process;
}

static void add_process_gpu(struct maker *maker, size_t process, size_t gpu)
{
    struct rl_process_gpu *used = rl_capture_add_process_gpu(maker->to, process);
    *used = (struct rl_process_gpu){
        .gpu = gpu, .span_ns = 1000000000, .busy_ns = 900000000 - process % 1000, .kernel_ns = 800000000 - process % 1000};
}

static struct rl_gpu *add_gpu(struct maker *maker)
{
    struct rl_gpu *gpu = rl_capture_add_gpu(maker->to);
    struct rl_gpu copy = maker->sample->gpus[0];
    copy.index = (int)maker->to->gpu_count - 1;
    copy.uuid = text(maker, "GPU-%08x-0000-0000-0000-000000000000", (unsigned)copy.index);
    copy.moments = NULL;
    copy.moment_count = copy.moment_cap = 0;
    *gpu = copy;
    return gpu;
}

static void add_ceiling(struct maker *maker, const struct rl_ceiling_run *model, size_t gpu)
{
    struct rl_ceiling_run *run = rl_capture_add_ceiling(maker->to);
    *run = *model;
    run->gpu = gpu;
}

static struct rl_range *add_range(struct maker *maker, size_t number, size_t parent)
{
    struct rl_range *range = rl_capture_add_range(maker->to);
    *range = (struct rl_range){.process = 0,
                               .parent = parent,
                               .name = text(maker, "step %zu", number),
                               .instances = 1 + number % 7,
                               .host_ns = 1000000 + number * 37 % 1009,
                               .launches = 3,
                               .gpu_ns = 10000 + number * 91 % 1013};
    return range;
}

static void add_link(struct maker *maker, size_t from, size_t to)
{
    struct rl_link *link = rl_capture_add_link(maker->to);
    link->from_gpu = from;
    link->to_gpu = to;
    link->via = text(maker, "nvlink");
    link->topology = text(maker, "NODE");
    link->access = text(maker, "yes");
    link->nvlinks = rl_value_of(18);
    link->nvlink_version = rl_value_of(4);
    link->nvlink_rate = rl_value_of(25e9);
}

static void add_link_run(struct maker *maker, size_t link, size_t number, size_t times)
{
    static const char *const traffics[] = {"alone", "both ways", "together"};
    struct rl_link_run *run = rl_capture_add_link_run(maker->to);
    *run = (struct rl_link_run){
        .link = link, .traffic = text(maker, "%s", traffics[number % 3]), .bytes = UINT64_C(1) << (12 + number % 18), .copies = 1};
    run->duration_ns = rl_arena_alloc(&maker->to->arena, (times + 1) * sizeof *run->duration_ns);
    run->duration_count = times;
    for (size_t i = 0; i < times; i++)
        run->duration_ns[i] = 1000 + run->bytes / 400 + (number + i) * 7919 % 31;
}

static void add_gpus(struct maker *maker, size_t count)
{
    while (maker->to->gpu_count < count)
        add_gpu(maker);
}

/* ---- dimensions ---- */

static void grow_kernels(struct maker *maker, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_kernel(maker, i, 5, count > 150000 ? 9 : SIZE_MAX);
}

/* One name, many shapes. */
static void grow_shapes(struct maker *maker, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct rl_kernel *kernel = add_kernel(maker, i, 5, 9);
        kernel->name = text(maker, "void solver::stage<float>(float const*, float*, int)");
        kernel->grid[0] = (uint32_t)i + 1;
    }
}

/* All of one run. */
static void grow_siblings(struct maker *maker, size_t count)
{
    add_experiment(maker, 0);
    add_whole_run(maker, 0, 20);
    for (size_t i = 0; i < count; i++) {
        struct rl_kernel *kernel = add_kernel(maker, i, 5, 9);
        kernel->variant = 0;
        kernel->launches_per_run = 1;
    }
}

/* That it was timed by records, and counted. */
static void add_clock(struct maker *maker, struct rl_kernel *kernel, size_t number)
{
    kernel->clock.clock = RL_CLOCK_SERIAL;
    kernel->clock.cost_ns = kernel->clock.cost_low_ns = kernel->clock.cost_high_ns = rl_value_of(1300);
    struct rl_counted *counted = rl_capture_add_counted(maker->to);
    counted->kernel = number;
    counted->pass = 0;
    counted->launches = 3;
    counted->witness = text(maker, "smsp__inst_executed.sum");
    counted->lowest = counted->highest = rl_value_of(1000);
}

static void grow_program(struct maker *maker, size_t count)
{
    add_process(maker, 0, false);
    add_process_gpu(maker, 0, 0);
    *rl_capture_add_sampling(maker->to) = (struct rl_gpu_sampling){.interval_ns = 20000};
    for (size_t i = 0; i < count; i++) {
        struct rl_kernel *kernel = add_kernel(maker, i, 5, 9);
        struct rl_kernel_use *use = rl_capture_add_use(maker->to);
        *use = (struct rl_kernel_use){.kernel = i, .timed = 5, .min_ns = 1, .max_ns = kernel->total_ns, .counted = i % 3};
        kernel->population = (struct rl_population){1 + (uint32_t)i % 2, 2, 0, 1000000};
        add_clock(maker, kernel, i);
        use->uncounted = i % 3 ? NULL : text(maker, "no launch of it was counted");
        struct rl_sampled_value *value = rl_capture_add_sampled(maker->to);
        value->kernel = value->together = i;
        value->per_launch = rl_value_of(1000);
        value->half_width = rl_value_of(10);
    }
}

/* One in ten instructions is of another function, and each of another line. */
static void grow_instructions(struct maker *maker, size_t count)
{
    add_process(maker, 0, false);
    add_process_gpu(maker, 0, 0);
    *rl_capture_add_pc_sampling(maker->to) = (struct rl_pc_sampling){.period = 16, .samples = count};
    add_kernel(maker, 0, 5, 9)->mangled = text(maker, "_Z8function_0");
    rl_capture_add_use(maker->to)->timed = 5;
    for (size_t i = 0; i < count; i++) {
        if (i % 10 == 0) {
            struct rl_pc_function *function = rl_capture_add_pc_function(maker->to);
            function->name = text(maker, "_Z8function_%zu", i / 100);
            function->cubin = text(maker, "00000000c0b1f00d");
            rl_capture_add_source_file(maker->to)->path = text(maker, "/src/file_%06zu.cu", i);
        }
        struct rl_source_line *line = rl_capture_add_source_line(maker->to);
        *line =
            (struct rl_source_line){.file = i / 10, .number = 1 + (uint32_t)i % 10, .text = text(maker, "out[%zu] = in[i];", i)};
        *rl_capture_add_pc_instruction(maker->to) =
            (struct rl_pc_instruction){.function = i / 10, .offset = 16 * (i % 10), .line = i};
        *rl_capture_add_pc_text(maker->to) = (struct rl_pc_text){i, text(maker, "IADD3 R%zu, R1, R2, RZ", i % 255)};
        *rl_capture_add_pc_stall(maker->to) = (struct rl_pc_stall){.instruction = i, .reason = RL_STALL_wait, .samples = 1 + i % 7};
    }
}

/* Of a program: 16 shapes of each of many kernels, every shape with a reason of its own. */
static void grow_families(struct maker *maker, size_t count)
{
    enum { SHAPES = 16 };
    add_process(maker, 0, false);
    add_process_gpu(maker, 0, 0);
    for (size_t i = 0; i < count; i++) {
        struct rl_kernel *kernel = add_kernel(maker, i, 5, 9);
        kernel->name = text(maker, "void solver::stage_%zu<float>(float const*, float*, int)", i / SHAPES);
        kernel->grid[0] = (uint32_t)(i % SHAPES) + 1;
        struct rl_kernel_use *use = rl_capture_add_use(maker->to);
        *use = (struct rl_kernel_use){.kernel = i, .timed = 5, .min_ns = 1, .max_ns = kernel->total_ns, .counted = i % 3};
        use->uncounted = i % 3 ? NULL : text(maker, "reason %zu", i);
    }
}

static void grow_launches(struct maker *maker, size_t count)
{
    add_kernel(maker, 0, count, SIZE_MAX);
}

static void grow_launches_of_many(struct maker *maker, size_t count)
{
    for (size_t i = 0; i < count; i += 1000)
        add_kernel(maker, i / 1000, count - i < 1000 ? count - i : 1000, SIZE_MAX);
}

/* By names of their own; as many passes took them. */
static void grow_counters(struct maker *maker, size_t count)
{
    add_kernel(maker, 0, 10, SIZE_MAX);
    for (size_t i = 0; i < count; i++) {
        struct rl_pass *pass = rl_capture_add_pass(maker->to);
        *pass = (struct rl_pass){0, text(maker, "hardware %zu", i), text(maker, "user replay"), text(maker, "warm")};
        if (i % 1000 == 0)
            add_kernel(maker, 1 + i / 1000, 10, SIZE_MAX);
        struct rl_counter *counter = rl_capture_add_counter(maker->to, maker->to->kernel_count - 1);
        *counter =
            (struct rl_counter){RL_COUNTER, text(maker, "unit__counter_%zu.sum", i),
                                i % 2 ? rl_value_of((double)i) : rl_value_missing(RL_VALUE_FAILED, text(maker, "reason %zu", i)),
                                maker->to->pass_count - 1};
    }
}

/* The same counters again and again, from as many passes. */
static void grow_repeats(struct maker *maker, size_t count)
{
    add_kernel(maker, 0, 10, SIZE_MAX);
    const size_t models = maker->to->kernels[0].counter_count;
    for (size_t i = 0; i < count; i++) {
        struct rl_counter copy = maker->to->kernels[0].counters[i % models];
        *rl_capture_add_counter(maker->to, 0) = copy;
    }
}

static void grow_arguments(struct maker *maker, size_t count)
{
    struct rl_session *session = &maker->to->session;
    session->command = rl_arena_alloc(&maker->to->arena, count * sizeof *session->command);
    session->command_count = count;
    for (size_t i = 0; i < count; i++)
        session->command[i] = text(maker, "--option-%zu", i);
}

static void grow_gpus(struct maker *maker, size_t count)
{
    add_gpus(maker, count);
    for (size_t i = 0; i < count; i++) {
        struct rl_kernel *kernel = add_kernel(maker, i, 5, 9);
        kernel->gpu = i;
        *rl_capture_add_sampling(maker->to) = (struct rl_gpu_sampling){.gpu = i, .interval_ns = 20000};
        *rl_capture_add_pc_sampling(maker->to) = (struct rl_pc_sampling){.gpu = i, .period = 16, .samples = 1000};
        for (size_t j = 0; j < kernel->counter_count; j++)
            kernel->counters[j].pass = RL_NONE;
        add_ceiling(maker, &maker->sample->ceilings[i % maker->sample->ceiling_count], i);
    }
}

static void grow_moments(struct maker *maker, size_t count)
{
    const struct rl_gpu *model = &maker->sample->gpus[0];
    add_kernel(maker, 0, 10, SIZE_MAX);
    for (size_t i = 0; i < count; i++) {
        struct rl_gpu_moment *moment = rl_capture_add_moment(maker->to, 0);
        *moment = model->moments[i % model->moment_count];
        moment->at_ns = (int64_t)i * 1000000;
    }
}

static void grow_roofs(struct maker *maker, size_t count)
{
    add_kernel(maker, 0, 10, SIZE_MAX);
    for (size_t i = 0; i < count; i++) {
        add_ceiling(maker, &maker->sample->ceilings[i % maker->sample->ceiling_count], 0);
        maker->to->ceilings[maker->to->ceiling_count - 1].configuration = text(maker, "configuration %zu", i);
    }
}

static void grow_roof_samples(struct maker *maker, size_t count)
{
    add_kernel(maker, 0, 10, SIZE_MAX);
    struct rl_ceiling_run *run = &maker->to->ceilings[0];
    double rate = run->samples[0];
    run->samples = rl_arena_alloc(&maker->to->arena, count * sizeof *run->samples);
    run->sample_count = count;
    for (size_t i = 0; i < count; i++)
        run->samples[i] = rate * (1 + (double)(i * 7919 % 101) / 1e4);
}

static void grow_experiments(struct maker *maker, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        add_experiment(maker, i);
        add_variant_of_kernel(maker, 0, i);
        add_variant_of_kernel(maker, 1, i);
        add_claim(maker, i, 0, 2);
    }
}

/* In experiments of 100. */
static void grow_claims(struct maker *maker, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t experiment = i / 100;
        if (i % 100 == 0) {
            add_experiment(maker, experiment);
            for (size_t j = 0; j < 5; j++)
                add_variant_of_kernel(maker, j, experiment);
        }
        add_claim(maker, experiment, i % 100, 5);
    }
}

/* In one experiment, with 1,000 claims at most. */
static void grow_variants(struct maker *maker, size_t count)
{
    add_experiment(maker, 0);
    for (size_t i = 0; i < count; i++)
        add_variant_of_kernel(maker, i, 0);
    for (size_t i = 0; i < count / 10 && i < 1000; i++)
        add_claim(maker, 0, i, count);
}

/* The same, timed as wholes. */
static void grow_runs(struct maker *maker, size_t count)
{
    add_experiment(maker, 0);
    for (size_t i = 0; i < count; i++)
        add_whole_run(maker, i, 10);
}

/* Of variants, 10 each, timed as wholes, whose results were compared with a reference. */
static void grow_settings(struct maker *maker, size_t count)
{
    add_experiment(maker, 0);
    draw_over_axis(maker, 0);
    for (size_t i = 0; i < count; i += 10) {
        struct rl_variant *variant = add_whole_run(maker, i / 10, 10);
        variant->setting_count = count - i < 10 ? count - i : 10;
        variant->settings = settings_from(maker, i, variant->setting_count);
        variant->deviation = (struct rl_deviation){.kind = RL_DEVIATION_RELATIVE,
                                                   .largest = 1e-7,
                                                   .tolerance = rl_value_of(1e-6),
                                                   .element = rl_value_of((double)i),
                                                   .compared = 1024};
    }
}

/* Of roofs, 10 each. */
static void grow_roof_settings(struct maker *maker, size_t count)
{
    add_kernel(maker, 0, 10, SIZE_MAX);
    for (size_t i = 0; i < count; i += 10) {
        add_ceiling(maker, &maker->sample->ceilings[i / 10 % maker->sample->ceiling_count], 0);
        struct rl_ceiling_run *run = &maker->to->ceilings[maker->to->ceiling_count - 1];
        run->setting_count = count - i < 10 ? count - i : 10;
        run->settings = settings_from(maker, i, run->setting_count);
        run->configuration = text(maker, "configuration %zu", i);
    }
}

/* Columns, pairs and references of experiments, 100 of each in one that is drawn over an axis. */
static void grow_columns(struct maker *maker, size_t count)
{
    for (size_t i = 0; i < count; i += 100) {
        const size_t experiment = i / 100;
        add_experiment(maker, experiment);
        draw_over_axis(maker, experiment);
        add_shown(maker, experiment, count - i < 100 ? count - i : 100);
        for (size_t j = 0; j < 10; j++) {
            add_variant_of_kernel(maker, j, experiment);
            struct rl_variant *variant = &maker->to->variants[maker->to->variant_count - 1];
            variant->settings = settings_from(maker, j, 1);
            variant->setting_count = 1;
        }
    }
}

static void grow_run_times(struct maker *maker, size_t count)
{
    add_experiment(maker, 0);
    add_whole_run(maker, 0, count);
    add_whole_run(maker, 1, 10);
}

static void grow_events(struct maker *maker, size_t count)
{
    add_experiment(maker, 0);
    struct rl_variant *variant = add_whole_run(maker, 0, 20);
    variant->events = rl_arena_alloc(&maker->to->arena, count * sizeof *variant->events);
    variant->event_count = count;
    for (size_t i = 0; i < count; i++) {
        const int64_t start = (int64_t)(i / 4) * 10000 + (int64_t)(i % 4) * 1000;
        variant->events[i] =
            (struct rl_event){(enum rl_event_kind)(i % 3), (uint32_t)(i % 4), start, start + 8000, i % 3 ? 4096 : 0};
    }
}

static void grow_log(struct maker *maker, size_t count)
{
    static const enum rl_log_level levels[] = {RL_LOG_NOTE, RL_LOG_NOTE, RL_LOG_WARNING};
    add_kernel(maker, 0, 10, SIZE_MAX);
    for (size_t i = 0; i < count; i++)
        rl_capture_log(maker->to, (int64_t)i, levels[i % 3], "launch %zu took longer than the others", i);
}

/* Of one program, each with its GPU as far as there are, and kernels of two classes. */
static void grow_ranks(struct maker *maker, size_t count)
{
    add_gpus(maker, count < 4096 ? count : 4096);
    for (size_t i = 0; i < count; i++) {
        const size_t gpu = i % maker->to->gpu_count;
        add_process(maker, i, true);
        add_process_gpu(maker, i, gpu);
        for (size_t j = 0; j < 2; j++) {
            struct rl_kernel *kernel = add_kernel(maker, j, 5, 0);
            kernel->gpu = gpu;
        }
    }
}

/* Three lanes of samples in every other bin. */
static void add_samples(struct maker *maker, size_t timeline, uint32_t bins)
{
    static const enum rl_sampled_counter counters[] = {RL_SAMPLED_sm_active, RL_SAMPLED_dram_read, RL_SAMPLED_sm_elapsed};
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        *rl_capture_add_sampled_lane(maker->to) = (struct rl_sampled_lane){
            .timeline = timeline, .counter = counters[i], .covered_ns = bins / 2 * 1000, .total = 1e6 * (double)bins};
        for (uint32_t bin = 0; bin < bins; bin += 2)
            *rl_capture_add_sampled_bin(maker->to) =
                (struct rl_sampled_bin){.lane = maker->to->sampled_lane_count - 1, .bin = bin, .covered_ns = 1000, .total = 2e6};
    }
}

/* A lane of idle time in a range of the process, and those of all others and of none, in every bin. */
static void add_idle_ranges(struct maker *maker, size_t timeline, uint32_t bins)
{
    struct rl_range *range = rl_capture_add_range(maker->to);
    *range = (struct rl_range){.process = timeline, .parent = RL_NONE, .name = text(maker, "step %zu", timeline)};
    for (unsigned place = 0; place < RL_IDLE_PLACE_COUNT; place++) {
        *rl_capture_add_range_lane(maker->to) =
            (struct rl_range_lane){.timeline = timeline,
                                   .place = (enum rl_idle_place)place,
                                   .range = place == RL_IDLE_RANGE ? maker->to->range_count - 1 : RL_NONE,
                                   .total_ns = bins * 100};
        for (uint32_t bin = 0; bin < bins; bin++)
            *rl_capture_add_range_bin(maker->to) =
                (struct rl_timeline_bin){.lane = maker->to->range_lane_count - 1, .bin = bin, .ns = 100};
    }
}

/* Of a process each, with ten lanes of a hundred bins, lanes of samples and of idle time by range, and ten sums of times between
 * kernels. */
static void grow_timelines(struct maker *maker, size_t count)
{
    enum { LANES = 10, BINS = 100 };
    add_kernel(maker, 0, 10, SIZE_MAX);
    for (size_t i = 0; i < count; i++) {
        add_process(maker, i, false);
        add_process_gpu(maker, i, 0);
        *rl_capture_add_timeline(maker->to) = (struct rl_timeline){.process = i, .start_ns = i, .width_ns = 65536, .bins = BINS};
        for (size_t lane = 0; lane < LANES; lane++) {
            *rl_capture_add_timeline_lane(maker->to) =
                (struct rl_timeline_lane){.timeline = i, .lane = (enum rl_lane)lane, .kernel = RL_NONE, .total_ns = BINS * 1000};
            for (uint32_t bin = 0; bin < BINS; bin++)
                *rl_capture_add_timeline_bin(maker->to) =
                    (struct rl_timeline_bin){.lane = i * LANES + lane, .bin = bin, .ns = 1000};
            *rl_capture_add_timeline_gap(maker->to) = (struct rl_timeline_gap){
                .timeline = i, .lane = RL_LANE_IDLE_WAIT, .range = RL_NONE, .count = 1, .total_ns = 2000, .longest_ns = 1000};
        }
        add_samples(maker, i, BINS);
        add_idle_ranges(maker, i, BINS);
    }
}

static void grow_processes(struct maker *maker, size_t count)
{
    add_kernel(maker, 0, 10, SIZE_MAX);
    for (size_t i = 0; i < count; i++) {
        add_process(maker, i, false);
        add_process_gpu(maker, i, 0);
    }
}

static void grow_transfers(struct maker *maker, size_t count)
{
    static const char *const directions[] = {"to device", "to host", "on device", "set"};
    add_process(maker, 0, false);
    add_process_gpu(maker, 0, 0);
    add_kernel(maker, 0, 10, SIZE_MAX);
    for (size_t i = 0; i < count; i++) {
        struct rl_transfer *transfer = rl_capture_add_transfer(maker->to);
        transfer->direction = text(maker, "%s", directions[i % 4]);
        transfer->memory = text(maker, "%s", i % 4 < 2 ? "pinned" : "device");
        transfer->count = 1 + i % 13;
        transfer->bytes = 4096 * (1 + i % 1009);
        transfer->total_ns = 1000 + i % 997;
    }
}

static void grow_ranges(struct maker *maker, size_t count)
{
    add_process(maker, 0, false);
    add_process_gpu(maker, 0, 0);
    add_kernel(maker, 0, 10, SIZE_MAX);
    for (size_t i = 0; i < count; i++)
        add_range(maker, i, i < 10 ? RL_NONE : i % 10);
}

/* Ten instances and a kernel in each range, and as many benchmarks of ten samples. */
static void grow_cases(struct maker *maker, size_t count)
{
    enum { EACH = 10 };
    add_process(maker, 0, false);
    add_process_gpu(maker, 0, 0);
    add_kernel(maker, 0, 10, SIZE_MAX);
    for (size_t i = 0; i < count; i++) {
        add_range(maker, i, RL_NONE)->name = text(maker, "gemm M=%zu,N=4096", i);
        for (size_t k = 0; k < EACH; k++)
            *rl_capture_add_instance(maker->to) = (struct rl_instance){.range = i,
                                                                       .started_ns = (i * EACH + k) * 1000,
                                                                       .host_ns = 500,
                                                                       .gpu_started_ns = (i * EACH + k) * 1000 + 100,
                                                                       .gpu_ns = 700 + k * 37 % 11,
                                                                       .busy_ns = 600,
                                                                       .launches = 1};
        *rl_capture_add_range_kernel(maker->to) = (struct rl_range_kernel){.range = i, .launches = EACH, .total_ns = 6000};
        struct rl_benchmark *benchmark = rl_capture_add_benchmark(maker->to);
        benchmark->name = text(maker, "BM_Gemm M=%zu", i);
        for (size_t k = 0; k < EACH; k++)
            *rl_capture_add_benchmark_sample(maker->to) =
                (struct rl_benchmark_sample){i, .seconds = 1e-3 + 1e-6 * (double)(k * 37 % 11)};
    }
}

static void grow_chain(struct maker *maker, size_t count)
{
    add_process(maker, 0, false);
    add_process_gpu(maker, 0, 0);
    add_kernel(maker, 0, 10, SIZE_MAX);
    for (size_t i = 0; i < count; i++)
        add_range(maker, i, i ? i - 1 : RL_NONE);
}

/* Of all pairs of as many GPUs as need be. */
static void grow_links(struct maker *maker, size_t count)
{
    size_t gpus = 2;
    while (gpus * (gpus - 1) < count)
        gpus++;
    add_gpus(maker, gpus);
    for (size_t i = 0; i < count; i++) {
        const size_t from = i / (gpus - 1), other = i % (gpus - 1);
        add_link(maker, from, other < from ? other : other + 1);
        for (size_t j = 0; j < 3; j++)
            add_link_run(maker, i, j, 5);
    }
}

static void grow_link_runs(struct maker *maker, size_t count)
{
    add_gpus(maker, 2);
    add_link(maker, 0, 1);
    for (size_t i = 0; i < count; i++)
        add_link_run(maker, 0, i, 2);
}

static void grow_link_times(struct maker *maker, size_t count)
{
    add_gpus(maker, 2);
    add_link(maker, 0, 1);
    add_link_run(maker, 0, 0, count);
}

static const struct dimension {
    const char *name;
    size_t most; /* that a capture may hold (docs/limits.md), or that a machine with a few GB can work out */
    void (*grow)(struct maker *maker, size_t count);
} dimensions[] = {
    {"kernels", 100000, grow_kernels},
    {"shapes", 100000, grow_shapes},
    {"siblings", 100000, grow_siblings},
    {"program", 100000, grow_program},
    {"families", 100000, grow_families},
    {"instructions", 1000000, grow_instructions},
    {"launches", 1000000, grow_launches},
    {"launches_of_many", 10000000, grow_launches_of_many},
    {"counters", 999000, grow_counters}, /* the sample has passes and counters of its own */
    {"repeats", 9000, grow_repeats},
    {"arguments", 100000, grow_arguments},
    {"gpus", 4096, grow_gpus},
    {"moments", 1000000, grow_moments},
    {"roofs", 99000, grow_roofs},
    {"roof_samples", 1000000, grow_roof_samples},
    {"experiments", 10000, grow_experiments},
    {"claims", 100000, grow_claims},
    {"variants", 100000, grow_variants},
    {"runs", 1000000, grow_runs},
    {"settings", 1000000, grow_settings},
    {"roof_settings", 990000, grow_roof_settings},
    {"columns", 100000, grow_columns},
    {"run_times", 1000000, grow_run_times},
    {"events", 100000, grow_events},
    {"log", 99000, grow_log},
    {"ranks", 100000, grow_ranks},
    {"processes", 100000, grow_processes},
    {"timelines", 4096, grow_timelines},
    {"transfers", 1000000, grow_transfers},
    {"ranges", 1000000, grow_ranges},
    {"chain", 1000000, grow_chain},
    {"cases", 100000, grow_cases},
    {"links", 100000, grow_links},
    {"link_runs", 1000000, grow_link_runs},
    {"link_times", 1000000, grow_link_times},
};

/* ---- the whole ---- */

/* A card with its roofs and passes, and the session of the sample. */
static void begin(struct maker *maker)
{
    const struct rl_capture *sample = maker->sample;
    maker->to->session = sample->session;
    maker->to->session.complete = true;
    if (maker->slower > 1) /* what differs in nothing is no second measurement */
        maker->to->session.started = text(maker, "2026-11-23T12:00:00Z");
    add_gpu(maker);
    for (size_t i = 0; i < sample->ceiling_count; i++)
        add_ceiling(maker, &sample->ceilings[i], 0);
    for (size_t i = 0; i < sample->pass_count; i++)
        *rl_capture_add_pass(maker->to) = sample->passes[i];
}

static enum rl_status make(const char *path, const struct dimension *dimension, size_t count, double slower, const char *output,
                           struct rl_err *err)
{
    struct rl_capture *sample = NULL;
    enum rl_status status = rl_capture_read(path, &sample, err);
    if (status != RL_OK)
        return status;
    if (!sample->gpu_count || !sample->gpus[0].moment_count || !sample->ceiling_count || !sample->variant_count ||
        !sample->kernel_count)
        status = rl_err_set(err, RL_FORMAT, "'%s' is not a capture of the suite", path);
    if (status == RL_OK) {
        struct maker maker = {rl_capture_new(), sample, slower};
        begin(&maker);
        dimension->grow(&maker, count);
        status = rl_capture_write(maker.to, output, err);
        rl_capture_free(maker.to);
    }
    rl_capture_free(sample);
    return status;
}

static const struct dimension *find(const char *name)
{
    for (size_t i = 0; i < RL_COUNT(dimensions); i++)
        if (strcmp(dimensions[i].name, name) == 0)
            return &dimensions[i];
    return NULL;
}

static int list(void)
{
    for (size_t i = 0; i < RL_COUNT(dimensions); i++)
        printf("%s %zu\n", dimensions[i].name, dimensions[i].most);
    return 0;
}

int main(int argc, char **argv)
{
    struct rl_err err = RL_ERR_INIT;
    if (argc == 2 && strcmp(argv[1], "--list") == 0)
        return list();
    const bool enough = argc == 5 || argc == 6;
    const struct dimension *dimension = enough ? find(argv[2]) : NULL;
    const long count = enough ? strtol(argv[3], NULL, 10) : 0;
    if (!dimension || count < 1 || (size_t)count > dimension->most) {
        fprintf(stderr, "usage: large_capture SAMPLE DIMENSION COUNT FILE [PERCENT]\n       large_capture --list\n");
        return 2;
    }
    const double slower = argc == 6 ? 1 + strtod(argv[5], NULL) / 100 : 1;
    if (make(argv[1], dimension, (size_t)count, slower, argv[4], &err) == RL_OK)
        return 0;
    fprintf(stderr, "large_capture: %s\n", err.text);
    return 1;
}
