/* Processes put together: samples in the order of starting, each process with its part; counters of launches that differ. */
#include "rl_test.h"

#include "core/mem.h"
#include "program_capture.h"
#include "sampling.h"
#include "tracer.h"

enum { PROCESSES = 2 };

static void no_plan(void *context, const char *chip, const struct rl_configuration **configurations, size_t *count)
{
    (void)context, (void)chip, (void)configurations;
    *count = 0;
}

static struct rl_program_options options = {.replay = RL_REPLAY_NONE, .plan = no_plan, .tool_version = "0.0.1-made"};

/* The stream of a process with one class: `timed` launches of which every `every`-th is a sample, in slots that are shuffled.
 * Launch i starts at first + 2 i and lasts as long as the number of its start. */
static void make_stream(struct rl_stream *stream, uint32_t pid, uint64_t first, uint64_t timed, uint64_t every)
{
    *stream = (struct rl_stream){.arena = RL_ARENA_INIT, .host = "", .rank = ""};
    stream->hello.pid = pid;
    stream->state = RL_RING_ENDED;
    stream->gpus[0].known = true;
    stream->gpus[0].name = "SYNTHETIC TEST CARD";
    stream->classes = rl_calloc(1, sizeof *stream->classes);
    stream->class_count = 1;
    struct rl_stream_class *class = &stream->classes[0];
    class->name = "_Z1kv";
    class->is.grid[0] = class->is.block[0] = 32;
    class->totals =
        (struct rl_record_totals){.seen = timed, .timed = timed, .total_ns = 1000 * timed, .min_ns = 1, .max_ns = 100000};
    class->sample_count = timed / every;
    class->samples = rl_calloc(class->sample_count, sizeof *class->samples);
    assert_true(class->sample_count <= RL_STREAM_SAMPLES);
    for (size_t i = 0; i < class->sample_count; i++) {
        const uint64_t start = first + 2 * every * (i * 211 % class->sample_count); /* 211 is a prime */
        class->samples[i] = (struct rl_stream_sample){start, start};
    }
}

static struct rl_capture *capture_of(struct rl_stream *streams, size_t count)
{
    const struct rl_program_facts facts = {.options = &options, .complete = true};
    struct rl_stream *pointers[PROCESSES] = {&streams[0], &streams[1]};
    struct rl_capture *capture = rl_program_capture(&facts, pointers, count);
    for (size_t i = 0; i < count; i++)
        rl_stream_release(&streams[i]);
    assert_int_equal(capture->kernel_count, 1);
    assert_string_equal(capture->kernels[0].timing, RL_TIMING_IN_ORDER);
    for (size_t i = 1; i < capture->kernels[0].duration_count; i++)
        assert_true(capture->kernels[0].duration_ns[i - 1] < capture->kernels[0].duration_ns[i]);
    return capture;
}

static void of_one_process(void **state)
{
    (void)state;
    struct rl_stream streams[PROCESSES];
    make_stream(&streams[0], 1, 1000, 5120, 10);
    struct rl_capture *capture = capture_of(streams, 1);
    assert_int_equal(capture->kernels[0].duration_count, 512);
    assert_int_equal(capture->kernels[0].duration_ns[0], 1000);
    assert_int_equal(capture->kernels[0].duration_ns[511], 1000 + 20 * 511);
    rl_capture_free(capture);
}

/* 3000 and 1000 launches at the same time: 384 and 128 samples, of the one odd and of the other even, and each over its whole run.
 */
static void of_two_processes(void **state)
{
    (void)state;
    struct rl_stream streams[PROCESSES];
    size_t odd = 0, late = 0;
    make_stream(&streams[0], 1, 1001, 3000, 6);
    make_stream(&streams[1], 2, 1000, 1000, 2);
    struct rl_capture *capture = capture_of(streams, 2);
    const struct rl_kernel *kernel = &capture->kernels[0];
    for (size_t i = 0; i < kernel->duration_count; i++) {
        odd += kernel->duration_ns[i] % 2;
        late += kernel->duration_ns[i] % 2 == 0 && kernel->duration_ns[i] >= 2000;
    }
    assert_int_equal(kernel->duration_count, 512);
    assert_int_equal(odd, 384);
    assert_int_equal(late, 64); /* the second half of the launches of the second process */
    rl_capture_free(capture);
}

/* ---- samples of the GPU ---- */

enum { LAUNCHES = 100, PERIOD_NS = 200000, LASTS_NS = 100000, INTERVAL_NS = 20000, SAMPLES = LAUNCHES * PERIOD_NS / INTERVAL_NS };
static const double WARPS = 64, INSTRUCTIONS = 10000, ADDED = 8;

/* Instructions of a launch, as sampled: of launches of 100 us, of which those from `untraced` on execute ADDED more in each warp.
 */
static struct rl_sampled_value sampled_instructions(size_t untraced, const struct rl_tracer *tracer)
{
    struct rl_stream stream;
    static uint64_t starts[SAMPLES], ends[SAMPLES];
    static double values[SAMPLES][2];
    make_stream(&stream, 1, 1000, LAUNCHES, 1);
    struct rl_stream_class *class = &stream.classes[0];
    for (size_t d = 0; d < 3; d++)
        class->is.grid[d] = class->is.block[d] = 1;
    class->is.grid[0] = 32;
    class->is.block[0] = 33; /* two warps */
    class->totals.total_ns = (uint64_t)LASTS_NS * LAUNCHES;
    memcpy(stream.gpus[0].is.uuid, "a sampled GPU...", 16);
    struct rl_stream_launches *launches = &stream.gpus[0].launches;
    launches->launches = rl_calloc(LAUNCHES, sizeof *launches->launches);
    for (size_t i = 0; i < LAUNCHES; i++)
        launches->launches[launches->launch_count++] =
            rl_stream_launch_of(0, i >= untraced, 1000000 + i * (uint64_t)PERIOD_NS, LASTS_NS);
    for (size_t s = 0; s < SAMPLES; s++) {
        starts[s] = 1000000 + s * (uint64_t)INTERVAL_NS;
        ends[s] = starts[s] + INTERVAL_NS;
        const size_t launch = s * INTERVAL_NS / PERIOD_NS;
        const bool runs = s * INTERVAL_NS % PERIOD_NS < LASTS_NS;
        values[s][0] = runs;
        values[s][1] = runs ? (INSTRUCTIONS + (launch >= untraced ? ADDED * WARPS : 0)) * INTERVAL_NS / LASTS_NS : 0;
    }
    struct rl_sampling sampling = {
        .interval_ns = INTERVAL_NS,
        .counter_count = 2,
        .counters = {RL_PM_sm_active, RL_PM_instructions},
        .samples = {.start_ns = starts, .end_ns = ends, .values = &values[0][0], .count = SAMPLES, .windows = 1},
    };
    memcpy(sampling.uuid, stream.gpus[0].is.uuid, sizeof sampling.uuid);
    struct rl_stream *pointer = &stream;
    const struct rl_program_facts facts = {.options = &options,
                                           .complete = true,
                                           .streams = &pointer,
                                           .stream_count = 1,
                                           .sampling = &sampling,
                                           .tracer = tracer,
                                           .tracer_failure = ""};
    struct rl_capture *capture = rl_program_capture(&facts, &pointer, 1);
    rl_stream_release(&stream);
    struct rl_sampled_value found = {0};
    for (size_t i = 0; i < capture->sampled_count; i++)
        if (capture->sampled[i].counter == RL_SAMPLED_instructions)
            found = capture->sampled[i];
    assert_int_equal(capture->tracer_count, tracer ? tracer->count : 0);
    rl_capture_free(capture);
    return found;
}

static void instructions_of_recording_are_taken_out(void **state)
{
    static const struct rl_tracer tracer = {.count = 1, .of = {{RL_SAMPLED_instructions, ADDED, NAN}}};
    const double all = ADDED * WARPS, inside = 0.97; /* half of 6 us in 100 us are left out */
    (void)state;
    assert_close(sampled_instructions(0, NULL).per_launch.v, inside * (INSTRUCTIONS + all), 1e-9);
    assert_close(sampled_instructions(0, &tracer).per_launch.v, inside * (INSTRUCTIONS + all) - all, 1e-9);
    assert_close(sampled_instructions(LAUNCHES, &tracer).per_launch.v, inside * INSTRUCTIONS, 1e-9);
    /* Which of a mixture the samples hold is in the interval. */
    const size_t untraced = LAUNCHES * 3 / 4;
    const struct rl_sampled_value mixed = sampled_instructions(untraced, &tracer);
    const struct rl_sampled_value as_sampled = sampled_instructions(untraced, NULL);
    assert_close(mixed.per_launch.v, inside * (INSTRUCTIONS + all / 4) - all / 4, 1e-3);
    assert_close(mixed.half_width.v, as_sampled.half_width.v + all / 4, 1e-9);
}

/* ---- counters ---- */

static void plan_with_witness(void *context, const char *chip, const struct rl_configuration **configurations, size_t *count)
{
    static const char *const witnesses[] = {"witness", NULL};
    static const struct rl_configuration configuration = {.name = "sass", .witnesses = witnesses};
    (void)context, (void)chip;
    *configurations = &configuration;
    *count = 1;
}

/* Three counted launches: the same of each counter, but for those of `name`. */
static struct rl_capture *counted(const char *name)
{
    static const char *const names[] = {"other", "witness"};
    struct rl_program_options with_witness = options;
    struct rl_stream stream;
    make_stream(&stream, 1, 1000, 30, 1);
    stream.passes = rl_calloc(1, sizeof *stream.passes);
    stream.pass_count = 1;
    stream.passes[0] = (struct rl_stream_pass){.is = {.counter_count = 2}, .configuration = "sass", .mode = "user"};
    stream.passes[0].counters = rl_calloc(2, sizeof *stream.passes[0].counters);
    memcpy(stream.passes[0].counters, names, sizeof names);
    stream.classes[0].counted = rl_calloc(3, sizeof *stream.classes[0].counted);
    stream.classes[0].counted_count = 3;
    for (size_t i = 0; i < 3; i++) {
        double *values = rl_arena_alloc(&stream.arena, 2 * sizeof *values);
        for (size_t c = 0; c < 2; c++)
            values[c] = 1000 + (strcmp(names[c], name) == 0 ? 100 * (double)(i * 2 % 3) : 0); /* 1000, 1200, 1100 */
        stream.classes[0].counted[i] = (struct rl_stream_counted){0, 0, values};
    }
    with_witness.plan = plan_with_witness;
    const struct rl_program_facts facts = {.options = &with_witness, .complete = true};
    struct rl_stream *pointer = &stream;
    struct rl_capture *capture = rl_program_capture(&facts, &pointer, 1);
    rl_stream_release(&stream);
    return capture;
}

/* Launches that have not done the same work show it in the least and the most of a witness, and those that have, too; other
 * counters keep their median. */
static void a_witness_tells_launches_apart(void **state)
{
    static const struct {
        const char *differs;
        double values[4];
    } known[] = {{"witness", {1000, 1100, 1000, 1200}}, {"other", {1100, 1000, 1000, 1000}}, {"none", {1000, 1000, 1000, 1000}}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_capture *capture = counted(known[i].differs);
        const struct rl_kernel *kernel = &capture->kernels[0];
        assert_int_equal(kernel->counter_count, RL_COUNT(known[i].values));
        for (size_t c = 0; c < RL_COUNT(known[i].values); c++) {
            assert_string_equal(kernel->counters[c].name, c == 0 ? "other" : "witness");
            assert_true(kernel->counters[c].value.v == known[i].values[c]);
            assert_int_equal(kernel->counters[c].pass, 0);
        }
        rl_capture_free(capture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_one_process),
        cmocka_unit_test(of_two_processes),
        cmocka_unit_test(instructions_of_recording_are_taken_out),
        cmocka_unit_test(a_witness_tells_launches_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
