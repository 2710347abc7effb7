/* An observed program, worked out by hand. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "analysis/program.h"
#include "core/mem.h"
#include "fixtures/capture.h"

static size_t add_class(struct rl_capture *capture, const char *name, uint64_t launches, uint64_t timed, uint64_t total_ns,
                        uint64_t counted)
{
    struct rl_kernel *kernel = rl_capture_add_kernel(capture);
    size_t index = capture->kernel_count - 1;
    kernel->name = kernel->mangled = rl_capture_text(capture, name);
    kernel->grid[0] = 64;
    kernel->launches = launches;
    kernel->total_ns = total_ns;
    *rl_capture_add_use(capture) = (struct rl_kernel_use){.kernel = index, .timed = timed, .counted = counted};
    return index;
}

static size_t add_range(struct rl_capture *capture, size_t process, size_t parent, const char *name, uint64_t gpu_ns)
{
    struct rl_range *range = rl_capture_add_range(capture);
    *range = (struct rl_range){.process = process, .parent = parent, .gpu_ns = gpu_ns, .launches = 1, .host_ns = 10};
    range->name = rl_capture_text(capture, name);
    return capture->range_count - 1;
}

/* Two GPUs; process 0 used the first, both used the second. */
static struct rl_capture *two_processes(void)
{
    struct rl_capture *capture = rl_capture_new();
    for (int i = 0; i < 2; i++)
        rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "card");
    for (uint64_t i = 0; i < 2; i++) {
        struct rl_process *process = rl_capture_add_process(capture);
        process->untimed = 10 + i;
        process->unselected = 3;
        process->unselected_ns = 500000000;
        *rl_capture_add_process_gpu(capture, i) = (struct rl_process_gpu){1, 1000, 500, 400};
    }
    *rl_capture_add_process_gpu(capture, 0) = (struct rl_process_gpu){0, 2000000000, 500000000, 600000000};
    return capture;
}

static void shares_and_coverage(void **state)
{
    (void)state;
    struct rl_capture *capture = two_processes();
    add_class(capture, "small", 10, 10, 1000000000, 0);
    add_class(capture, "large", 100, 50, 4500000000, 3); /* half of its launches are timed: 9 s in all */
    struct rl_program *program = rl_program_new(capture);
    assert_true(rl_is_program(capture));
    assert_int_equal(program->classes[0].kernel, 1);
    assert_int_equal(program->classes[0].count, 1);
    assert_close(program->gpu_s, 10, 1e-12);
    assert_close(program->classes[0].share, 0.9, 1e-12);
    assert_close(program->classes[1].share, 0.1, 1e-12);
    assert_close(program->coverage.share.v, 0.9, 1e-12);
    assert_int_equal(program->coverage.counted, 3);
    assert_int_equal(program->coverage.counted_classes, 1);
    assert_int_equal(program->launches, 110);
    assert_int_equal(program->untimed, 21);
    assert_int_equal(program->unselected, 6);
    for (size_t i = 0; i < program->class_count; i++) /* one time of a class, whoever asks */
        assert_close(rl_kernel_gpu_ns(capture, program->classes[i].kernel) * 1e-9, program->classes[i].gpu_s, 1e-12);
    assert_close(program->unselected_s, 1, 1e-12);
    assert_close(rl_class_share(&program->classes[1]).v, 0.1, 1e-12);
    rl_program_free(program);
    add_class(capture, "never", 5, 0, 0, 0);
    program = rl_program_new(capture);
    assert_close(program->gpu_s, 10, 1e-12);
    assert_string_equal(rl_value_reason(rl_class_gpu_s(&program->classes[2])), "no launch was timed");
    assert_string_equal(rl_value_reason(rl_class_share(&program->classes[2])), "no launch was timed");
    rl_program_free(program);
    rl_capture_free(capture);
}

/* 4 timed launches say nothing of the others, 5 do; `ns` are of 10 launches that take 100 ns each. */
static void launches_without_a_time(void **state)
{
    static const struct {
        uint64_t timed;
        enum rl_time_state time;
        double ns;
    } rows[] = {{10, RL_TIME_WHOLE, 1000},  {9, RL_TIME_ESTIMATED, 1000}, {5, RL_TIME_ESTIMATED, 1000},
                {4, RL_TIME_AT_LEAST, 400}, {1, RL_TIME_AT_LEAST, 100},   {0, RL_TIME_NONE, 0}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = two_processes();
        const size_t kernel = add_class(capture, "work", 10, rows[i].timed, 100 * rows[i].timed, 0);
        capture->uses[0].deviation_ns = 3;
        const struct rl_class_time time = rl_class_time_of(capture, kernel);
        assert_int_equal(time.state, rows[i].time);
        assert_close(time.ns, rows[i].ns, 1e-12);
        assert_close(rl_kernel_gpu_ns(capture, kernel), rows[i].ns, 1e-12);
        assert_int_equal(time.timed, rows[i].timed);
        if (rows[i].timed == 5) /* t(4 degrees, 95 %) = 2.776445; 5 of 10: sqrt(5 * 10 / 5) */
            assert_close(time.error_ns, 2.776445 * 3 * sqrt(10), 1e-5);
        else if (rows[i].time != RL_TIME_ESTIMATED)
            assert_true(time.error_ns == 0);
        rl_capture_free(capture);
    }
}

/* Captures that know of no single launches: what they have is of all of them. */
static void a_class_without_use_is_whole(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    (void)rl_capture_add_gpu(capture);
    struct rl_kernel *kernel = rl_capture_add_kernel(capture);
    kernel->launches = 34;
    kernel->total_ns = 3100;
    const struct rl_class_time time = rl_class_time_of(capture, 0);
    assert_int_equal(time.state, RL_TIME_WHOLE);
    assert_close(time.ns, 3100, 1e-12);
    assert_int_equal(time.timed, 34);
    rl_capture_free(capture);
}

static void assert_gaps(const struct rl_coverage *coverage, const char *expected)
{
    struct rl_buf text = RL_BUF_INIT;
    rl_coverage_gaps_text(coverage, &text);
    assert_string_equal(text.len ? text.data : "", expected);
    rl_buf_release(&text);
}

/* Whole 1000 ns with counters; estimated 2000 of 20, 10 timed; bound 300 of 7, 3 timed; two classes without any, 5 and 6 launches.
 */
static void coverage_is_of_all_launches(void **state)
{
    (void)state;
    struct rl_capture *capture = two_processes();
    add_class(capture, "whole", 10, 10, 1000, 2);
    add_class(capture, "estimated", 20, 10, 1000, 0);
    add_class(capture, "bound", 7, 3, 300, 0);
    add_class(capture, "never", 5, 0, 0, 1);
    add_class(capture, "neither", 6, 0, 0, 0);
    add_class(capture, "not launched", 0, 0, 0, 0);
    struct rl_program *program = rl_program_new(capture);
    const struct rl_coverage *coverage = &program->coverage;
    assert_close(program->gpu_s, 3300e-9, 1e-9);
    assert_int_equal(coverage->time.state, RL_TIME_AT_LEAST);
    assert_int_equal(coverage->time.launches, 48);
    assert_int_equal(coverage->time.timed, 23);
    assert_close(coverage->covered_s, 1000e-9, 1e-9);
    assert_close(coverage->share.v, 1000.0 / 3300, 1e-9);
    assert_int_equal(coverage->counted, 3);
    assert_int_equal(coverage->counted_classes, 2);
    assert_int_equal(coverage->estimated, 10);
    assert_int_equal(coverage->bounded, 4);
    assert_int_equal(coverage->bounded_classes, 1);
    assert_int_equal(coverage->timeless, 11);
    assert_int_equal(coverage->timeless_classes, 2);
    /* What has no time is behind all that has one, the most launches first: nobody knows that it took little. */
    assert_string_equal(capture->kernels[program->classes[0].kernel].name, "estimated");
    assert_string_equal(capture->kernels[program->classes[3].kernel].name, "neither");
    assert_string_equal(capture->kernels[program->classes[4].kernel].name, "never");
    assert_gaps(coverage, "~: 10 others estimated by the mean of their configuration; ≥ leaves out 4 launches of 1 configuration "
                          "(under 5 timed); no time and no share: 11 launches of 2 configurations");
    rl_program_free(program);
    rl_capture_free(capture);
    assert_gaps(&(struct rl_coverage){.counted = 1}, "");
    assert_gaps(&(struct rl_coverage){.estimated = 7, .time = {.error_ns = 2500}},
                "~: 7 others estimated by the mean of their configuration, ± 2.5\u00a0µs in all");
}

static void sums_of_times(void **state)
{
    static const enum rl_time_state N = RL_TIME_NONE, L = RL_TIME_AT_LEAST, E = RL_TIME_ESTIMATED, W = RL_TIME_WHOLE;
    const struct {
        enum rl_time_state a, b, sum;
    } rows[] = {{W, W, W}, {W, E, E}, {E, E, E}, {W, L, L}, {E, N, L}, {N, N, N}, {W, N, L}, {L, E, L}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_class_time sum = {0};
        const struct rl_class_time a = {rows[i].a, 1, 3, 1, 1}, b = {rows[i].b, 2, 4, 1, 0};
        rl_class_time_add(&sum, &a);
        rl_class_time_add(&sum, &b);
        assert_int_equal(sum.state, rows[i].sum);
        assert_close(sum.ns, 3, 1e-12);
        assert_close(sum.error_ns, 5, 1e-12); /* of classes that have nothing to do with one another */
        assert_int_equal(sum.launches, 2);
        assert_int_equal(sum.timed, 1);
    }
}

static void idle_share(void **state)
{
    (void)state;
    struct rl_capture *capture = two_processes();
    struct rl_program *program = rl_program_new(capture);
    assert_close(program->gpus[0].idle.v, 0.75, 1e-12);
    assert_close(program->gpus[0].kernel_s, 0.6, 1e-12);
    assert_close(program->gpus[0].busy_s, 0.5, 1e-12);
    assert_close(program->gpus[0].span_s, 2, 1e-12);
    assert_close(program->gpus[1].kernel_s, 800e-9, 1e-12);
    assert_int_equal(program->gpus[1].idle.state, RL_UNDEFINED);
    assert_int_equal(program->coverage.share.state, RL_UNDEFINED); /* no class has any time: 0/0 is not 0 % */
    rl_program_free(program);
    rl_capture_free(capture);
}

static void ranges_by_time_inside_their_parents(void **state)
{
    (void)state;
    struct rl_capture *capture = two_processes();
    size_t step = add_range(capture, 0, RL_NONE, "step", 0);
    size_t forward = add_range(capture, 0, step, "forward", 60000000);
    add_range(capture, 0, step, "backward", 300000000);
    add_range(capture, 1, RL_NONE, "other", 1);
    add_range(capture, 0, forward, "inner", 60000000);
    add_range(capture, 0, RL_NONE, "setup", 30000000);
    struct rl_program *program = rl_program_new(capture);
    static const struct {
        const char *name;
        size_t depth;
        double gpu_s;
        uint64_t launches;
    } wanted[] = {{"step", 0, 0.42, 4},  {"backward", 1, 0.3, 1}, {"forward", 1, 0.12, 2},
                  {"inner", 2, 0.06, 1}, {"setup", 0, 0.03, 1},   {"other", 0, 1e-9, 1}};
    assert_int_equal(program->range_count, RL_COUNT(wanted));
    for (size_t i = 0; i < RL_COUNT(wanted); i++) {
        assert_string_equal(capture->ranges[program->ranges[i].range].name, wanted[i].name);
        assert_int_equal(program->ranges[i].depth, wanted[i].depth);
        assert_close(program->ranges[i].gpu_s, wanted[i].gpu_s, 1e-12);
        assert_int_equal(program->ranges[i].launches, wanted[i].launches);
    }
    assert_close(program->ranges[0].share, 0.42 / 0.6000004, 1e-9); /* of all kernels of its process, on both GPUs */
    rl_program_free(program);
    rl_capture_free(capture);
}

/* As much as is needed: nothing, template arguments, the shape, the part that differs; long template arguments never. */
static void labels_tell_classes_apart(void **state)
{
    static const struct {
        const char *name;
        uint32_t grid;
        const char *label;
    } classes[] = {
        {"void alone<7>(float*)", 1, "alone"},
        {"void work<1>(float*)", 1, "work<1>"},
        {"void work<2>(float*)", 1, "work<2>"},
        {"void same<1>(float*)", 1, "same<1> [1, 0]"},
        {"void same<1>(float*)", 2, "same<1> [2, 0]"},
        {"void wide<a_name_of_a_type_that_nobody_wants_to_read, 1>(float*)", 1, "wide [1, 0] …1…"},
        {"void wide<a_name_of_a_type_that_nobody_wants_to_read, 2>(float*)", 1, "wide [1, 0] …2…"},
    };
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    (void)rl_capture_add_gpu(capture);
    for (size_t i = 0; i < RL_COUNT(classes); i++) {
        const size_t kernel = add_class(capture, classes[i].name, 1, 1, 1, 0);
        capture->kernels[kernel].grid[0] = classes[i].grid;
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    for (size_t i = 0; i < RL_COUNT(classes); i++) {
        const char *label = analysis->kernels[i].label, *expected = classes[i].label;
        if (strncmp(label, expected, strlen(expected)) != 0)
            fail_msg("%s: '%s', expected '%s'", classes[i].name, label, expected);
    }
    assert_string_not_equal(analysis->kernels[5].label, analysis->kernels[6].label);
    assert_string_equal(analysis->kernels[0].short_name, "alone");
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void ids_are_short_and_differ(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    char a[RL_KERNEL_ID], b[RL_KERNEL_ID], c[RL_KERNEL_ID], again[RL_KERNEL_ID];
    size_t first = add_class(capture, "_Z4workPf", 1, 1, 1, 0), second = add_class(capture, "_Z4worlPf", 1, 1, 1, 0);
    rl_kernel_id(&capture->kernels[first], a);
    rl_kernel_id(&capture->kernels[first], again);
    rl_kernel_id(&capture->kernels[second], b);
    capture->kernels[first].grid[0]++;
    rl_kernel_id(&capture->kernels[first], c);
    assert_string_equal(a, again);
    assert_string_not_equal(a, b);
    assert_string_not_equal(a, c);
    assert_int_equal(strlen(a), 6);
    rl_capture_free(capture);
}

/* Equal times: the order of the capture. */
static void classes_of_one_gpu(void **state)
{
    (void)state;
    struct rl_capture *capture = two_processes();
    for (size_t k = 0; k < 4; k++) {
        add_class(capture, "k", 10, 10, 1000, 0);
        capture->kernels[k].gpu = k % 2;
    }
    for (size_t gpu = 0; gpu < 2; gpu++) {
        size_t count;
        struct rl_program_class *classes = rl_classes_of(capture, gpu, &count);
        assert_int_equal(count, 2);
        assert_int_equal(classes[0].kernel, gpu);
        assert_int_equal(classes[1].kernel, gpu + 2);
        assert_close(classes[0].share, 0.5, 1e-12);
        free(classes);
    }
    size_t count;
    struct rl_program_class *classes = rl_classes_of(capture, RL_NONE, &count);
    assert_int_equal(count, 4);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(classes[i].kernel, i);
    free(classes);
    rl_capture_free(capture);
}

/* Each dimension of grid and block, and dynamic shared memory, makes another id; so do they exchanged. */
static void all_of_a_launch_is_in_its_id(void **state)
{
    enum { NUMBERS = 7 };
    char ids[NUMBERS + 1][RL_KERNEL_ID + 1];
    (void)state;
    memset(ids, '#', sizeof ids);
    for (size_t i = 0; i <= NUMBERS; i++) {
        uint32_t shape[NUMBERS + 1] = {1, 1, 1, 1, 1, 1, 1};
        shape[i] = 2; /* the last is of none */
        struct rl_kernel kernel = {.mangled = (char[]){"k"}, .dynamic_shared_bytes = shape[6]};
        memcpy(kernel.grid, shape, sizeof kernel.grid);
        memcpy(kernel.block, shape + 3, sizeof kernel.block);
        rl_kernel_id(&kernel, ids[i]);
        assert_int_equal(strlen(ids[i]), 6);
        for (size_t before = 0; before < i; before++)
            assert_string_not_equal(ids[before], ids[i]);
    }
}

static void uncounted_class(struct rl_capture *capture, const char *name, uint64_t total_ns, const char *reason)
{
    const size_t index = add_class(capture, name, 1, 1, total_ns, 0);
    capture->uses[index].uncounted = reason ? rl_capture_text(capture, reason) : NULL;
}

static void reasons_of_the_most_classes_come_first(void **state)
{
    (void)state;
    struct rl_capture *capture = two_processes();
    size_t count;
    uncounted_class(capture, "a", 100, "too short");
    uncounted_class(capture, "b", 900, "a graph");
    uncounted_class(capture, "c", 500, NULL);
    uncounted_class(capture, "d", 300, "waits for peers");
    uncounted_class(capture, "e", 200, "too short");
    struct rl_program *program = rl_program_new(capture);
    struct rl_uncounted_reason *reasons = rl_program_uncounted(program, &count);
    assert_int_equal(count, 3);
    assert_string_equal(reasons[0].reason, "too short");
    assert_int_equal(reasons[0].classes, 2);
    assert_int_equal(program->classes[reasons[0].first].kernel, 4); /* of its two the one with more time */
    assert_string_equal(reasons[1].reason, "a graph");
    assert_string_equal(reasons[2].reason, "waits for peers");
    assert_int_equal(reasons[2].classes, 1);
    free(reasons);
    rl_program_free(program);
    rl_capture_free(capture);
}

static void without_a_reason_there_is_none(void **state)
{
    (void)state;
    struct rl_capture *capture = two_processes();
    size_t count = 7;
    struct rl_program *program = rl_program_new(capture);
    free(rl_program_uncounted(program, &count));
    assert_int_equal(count, 0);
    rl_program_free(program);
    rl_capture_free(capture);
}

/* Two processes on one card: times add up, and what is idle is not known; one process tells it. */
static void the_time_of_cards_by_hand(void **state)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    struct rl_program_gpu gpus[2];
    (void)state;
    (void)sample_gpu(capture, "B", NULL, SAMPLE_CHIP, SAMPLE_CC);
    for (size_t p = 0; p < 2; p++) {
        (void)sample_process(capture, &(struct sample_process){.pid = p + 1, .command = "./app"});
        *rl_capture_add_process_gpu(capture, p) =
            (struct rl_process_gpu){.gpu = 0, .kernel_ns = 3000000000, .busy_ns = 2000000000, .span_ns = 4000000000};
    }
    *rl_capture_add_process_gpu(capture, 1) =
        (struct rl_process_gpu){.gpu = 1, .kernel_ns = 1000000000, .busy_ns = 1000000000, .span_ns = 4000000000};
    rl_program_gpus(capture, gpus);
    assert_close(gpus[0].kernel_s, 6, 1e-12);
    assert_close(gpus[0].busy_s, 4, 1e-12);
    assert_close(gpus[0].busy_ns, 4e9, 1e-12);
    assert_close(gpus[0].span_s, 8, 1e-12);
    assert_false(rl_present(gpus[0].idle));
    assert_close(gpus[1].idle.v, 0.75, 1e-12);
    assert_false(rl_present(gpus[0].side_s) || rl_present(gpus[0].gap_s)); /* of several processes */
    assert_false(rl_present(gpus[1].gap_s));                               /* no launch has a time */
    assert_true(gpus[1].side_s.v == 0);
    capture->processes[1].gpus[0].span_ns = 0; /* it did nothing there */
    rl_program_gpus(capture, gpus);
    assert_close(gpus[0].idle.v, 1 - 4.0 / 4, 1e-12);
    rl_capture_free(capture);
}

/* 3 s of kernels and 1.5 s of copies in 4 s of which something ran: 0.5 s side by side. 6 s are idle, after 5 launches and 10
 * copies: 0.4 s after each. */
static void overlap_and_gaps_by_hand(void **state)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    struct rl_program_gpu gpu;
    (void)state;
    (void)sample_process(capture, &(struct sample_process){.pid = 1, .command = "./app"});
    *rl_capture_add_process_gpu(capture, 0) =
        (struct rl_process_gpu){.gpu = 0, .kernel_ns = 3000000000, .busy_ns = 4000000000, .span_ns = 10000000000};
    *rl_capture_add_transfer(capture) = (struct rl_transfer){.count = 10, .total_ns = 1500000000};
    *rl_capture_add_use(capture) = (struct rl_kernel_use){.kernel = sample_kernel(capture, "a(int)"), .timed = 5};
    rl_program_gpus(capture, &gpu);
    assert_close(gpu.copy_s, 1.5, 1e-12);
    assert_close(gpu.side_s.v, 0.5, 1e-12);
    assert_close(gpu.gap_s.v, 0.4, 1e-12);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reasons_of_the_most_classes_come_first),
        cmocka_unit_test(without_a_reason_there_is_none),
        cmocka_unit_test(shares_and_coverage),
        cmocka_unit_test(launches_without_a_time),
        cmocka_unit_test(a_class_without_use_is_whole),
        cmocka_unit_test(coverage_is_of_all_launches),
        cmocka_unit_test(sums_of_times),
        cmocka_unit_test(idle_share),
        cmocka_unit_test(ranges_by_time_inside_their_parents),
        cmocka_unit_test(labels_tell_classes_apart),
        cmocka_unit_test(ids_are_short_and_differ),
        cmocka_unit_test(classes_of_one_gpu),
        cmocka_unit_test(all_of_a_launch_is_in_its_id),
        cmocka_unit_test(the_time_of_cards_by_hand),
        cmocka_unit_test(overlap_and_gaps_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
