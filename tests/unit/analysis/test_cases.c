/* Cases: names with parameters, instances of ranges, benchmarks of others, and their comparison. */
#include "rl_test.h"

#include "analysis/cases.h"
#include "analysis/families.h"
#include "core/mem.h"
#include "fixtures/capture.h"

/* ---- names ---- */

static void assert_parsed(const char *text, const char *name, const char *parameters)
{
    struct rl_arena arena = RL_ARENA_INIT;
    struct rl_case_name parsed;
    struct rl_buf all = RL_BUF_INIT;
    if (!rl_case_name_parse(&arena, text, &parsed)) {
        if (parameters)
            fail_msg("'%s' has no parameters", text);
        rl_arena_release(&arena);
        return;
    }
    for (size_t i = 0; i < parsed.count; i++)
        rl_buf_addf(&all, "[%s|%s]", parsed.parameters[i].key, parsed.parameters[i].value);
    if (!parameters || strcmp(parsed.name, name) != 0 || strcmp(all.data, parameters) != 0)
        fail_msg("'%s' gives '%s' %s", text, parsed.name, all.data);
    rl_buf_release(&all);
    rl_arena_release(&arena);
}

static void names_are_taken_apart(void **state)
{
    (void)state;
    static const struct {
        const char *text, *name, *parameters;
    } rows[] = {
        {"gemm M=512,N=4096,dtype=bf16", "gemm", "[M|512][N|4096][dtype|bf16]"},
        {"step B=8", "step", "[B|8]"},
        {"B=8", "", "[B|8]"},
        {"gemm M = 512; N=4 N2=5", "gemm", "[M|512][N|4][N2|5]"},
        {"gemm(M=512, N=4096)", "gemm", "[M|512][N|4096]"},
        {"arr[0]=5", "", "[arr[0]|5]"},
        {"gemm [M=512]", "gemm", "[M|512]"},
        {"f(x) a=(1)", "f(x)", "[a|(1)]"},
        {"copy size=4 MiB, dir=H2D", "copy", "[size|4 MiB][dir|H2D]"},
        {"gemm M=1, fused, N=2", "gemm", "[M|1][fused|][N|2]"},
        {"gemm M=", "gemm", "[M|]"},
        {"gemm M=,N=2", "gemm", "[M|][N|2]"},
        {"größe μ=5µs", "größe", "[μ|5µs]"},
        {"two words M=1", "two words", "[M|1]"},
        {"a=b=c", "", "[a|b=c]"},
        {"a==c", "", "[a|=c]"},
        {"torch.mm, seq = 5", "torch.mm", "[seq|5]"},
        {"no parameters", NULL, NULL},
        {"=5", NULL, NULL},
        {" = ", NULL, NULL},
        {"", NULL, NULL},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        assert_parsed(rows[i].text, rows[i].name, rows[i].parameters);
}

/* What does not fit any more belongs to the last value; nothing is read beyond the end. */
static void names_are_bounded(void **state)
{
    (void)state;
    struct rl_buf text = RL_BUF_INIT;
    struct rl_arena arena = RL_ARENA_INIT;
    struct rl_case_name name;
    for (int i = 0; i < 5000; i++)
        rl_buf_addf(&text, "k%d=%d,w,", i, i);
    assert_true(rl_case_name_parse(&arena, text.data, &name));
    assert_true(name.count <= RL_CASE_PARAMETERS);
    assert_string_equal(name.parameters[0].key, "k0");
    rl_arena_release(&arena);
    rl_buf_release(&text);
}

static void numbers_have_units(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double number; /* NAN: none */
    } rows[] = {{"a=512", 512},  {"a=4k", 4e3},   {"a=4 KiB", 4096}, {"a=1e6", 1e6},   {"a=-2.5", -2.5}, {"a=3 ms", 3e-3},
                {"a=5µs", 5e-6}, {"a=7B", 7},     {"a=2 GB", 2e9},   {"a=16x16", NAN}, {"a=bf16", NAN},  {"a=.", NAN},
                {"a=1e", 1},     {"a=0x10", NAN}, {"a=1e999", NAN},  {"a=50%", 50},    {"a=", NAN},      {"a=128MiB", 134217728}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_arena arena = RL_ARENA_INIT;
        struct rl_case_name name;
        assert_true(rl_case_name_parse(&arena, rows[i].text, &name));
        if (rl_present(name.parameters[0].number) != (rows[i].number == rows[i].number) ||
            (rl_present(name.parameters[0].number) && fabs(name.parameters[0].number.v / rows[i].number - 1) > 1e-12))
            fail_msg("%s is %g", rows[i].text, rl_present(name.parameters[0].number) ? name.parameters[0].number.v : NAN);
        rl_arena_release(&arena);
    }
}

/* ---- captures ---- */

static size_t add_range(struct rl_capture *capture, size_t parent, const char *name, uint64_t instances)
{
    struct rl_range *range = rl_capture_add_range(capture);
    range->parent = parent;
    range->name = rl_capture_text(capture, name);
    range->instances = instances;
    return capture->range_count - 1;
}

/* An instance whose kernels ran for `busy_ns` of `gpu_ns`. */
static void add_instance(struct rl_capture *capture, size_t range, uint64_t gpu_ns, uint64_t busy_ns, uint64_t launches)
{
    struct rl_instance *instance = rl_capture_add_instance(capture);
    *instance = (struct rl_instance){.range = range,
                                     .gpu = launches ? 0 : RL_NONE,
                                     .started_ns = 10000 * capture->instance_count,
                                     .host_ns = gpu_ns + 100,
                                     .gpu_ns = gpu_ns,
                                     .busy_ns = busy_ns,
                                     .launches = launches};
}

static struct rl_capture *with_process(void)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    struct rl_process *process = rl_capture_add_process(capture);
    process->command = rl_capture_text(capture, "program");
    process->phases = rl_capture_text(capture, "");
    return capture;
}

struct made {
    struct rl_capture *capture;
    struct rl_analysis *analysis;
    struct rl_cases *cases;
};

static struct made made_of(struct rl_capture *capture)
{
    struct made made = {.capture = capture, .analysis = rl_analysis_new(capture)};
    made.cases = rl_cases_new(made.analysis);
    return made;
}

static void free_made(struct made *made)
{
    rl_cases_free(made->cases);
    rl_analysis_free(made->analysis);
    rl_capture_free(made->capture);
}

static const struct rl_case *case_of(const struct made *made, const char *label)
{
    for (size_t i = 0; i < made->cases->count; i++)
        if (strcmp(made->cases->at[i].label, label) == 0)
            return &made->cases->at[i];
    fail_msg("there is no case %s", label);
    return NULL;
}

static bool remarks(const struct rl_case *of, const char *part)
{
    for (size_t i = 0; i < of->remark_count; i++)
        if (strstr(of->remarks[i], part))
            return true;
    return false;
}

static void instances_are_times(void **state)
{
    (void)state;
    struct rl_capture *capture = with_process();
    const size_t small = add_range(capture, RL_NONE, "gemm M=512,N=64", 7);
    const size_t same = add_range(capture, RL_NONE, "gemm N=64 M=512", 1);
    const size_t large = add_range(capture, RL_NONE, "gemm M=4096,N=64", 1);
    add_range(capture, RL_NONE, "setup", 1);
    for (uint64_t i = 0; i < 7; i++)
        add_instance(capture, small, 1000 + i, 900, 2);
    add_instance(capture, same, 1007, 900, 2);
    add_instance(capture, large, 9000, 9000, 2);
    struct made made = made_of(capture);
    assert_int_equal(made.cases->count, 2);
    assert_int_equal(made.cases->group_count, 1);
    assert_string_equal(made.cases->groups[0].axis, "M");
    assert_string_equal(made.cases->at[0].label, "gemm M=512,N=64"); /* 512 before 4096, though "4" is before "5" */
    const struct rl_case *of = &made.cases->at[0];
    assert_int_equal(of->n, 8);
    assert_true(fabs(of->time.median - 1003.5e-9) < 1e-15 && of->time.has_interval);
    assert_true(fabs(of->gap_s.v - 103.5e-9) < 1e-15 && fabs(of->busy_s.v - 900e-9) < 1e-15);
    assert_true(fabs(of->host_s.v - 1103.5e-9) < 1e-15);
    assert_false(made.cases->at[1].time.has_interval);
    free_made(&made);
}

static void what_has_no_time_says_why(void **state)
{
    (void)state;
    struct rl_capture *capture = with_process();
    add_instance(capture, add_range(capture, RL_NONE, "idle B=1", 1), 0, 0, 0);
    const size_t counted = add_range(capture, RL_NONE, "counted B=1", 1);
    add_instance(capture, counted, 10, 10, 1);
    capture->instances[1].untimed = 3;
    const size_t many = add_range(capture, RL_NONE, "many B=1,B=2", 150);
    for (int i = 0; i < 2; i++)
        add_instance(capture, many, 10, 10, 1);
    add_instance(capture, many, 0, 0, 0);
    struct made made = made_of(capture);
    assert_non_null(strstr(case_of(&made, "idle B=1")->untold, "no kernel was launched"));
    assert_non_null(strstr(case_of(&made, "counted B=1")->untold, "run it more often"));
    const struct rl_case *of = case_of(&made, "many B=1,B=2");
    assert_null(of->untold);
    assert_true(of->n == 2 && of->instances == 150 && of->beyond == 147 && of->empty == 1);
    assert_true(remarks(of, "the parameter B is there twice") && remarks(of, "147 of 150 instances were not kept"));
    assert_true(remarks(of, "1 instance without a launch"));
    free_made(&made);
}

/* Inside a range that says the same it is part of that; inside another one it is a case of both. */
static void nested_ranges(void **state)
{
    (void)state;
    struct rl_capture *capture = with_process();
    const size_t outer = add_range(capture, RL_NONE, "step B=8", 1);
    const size_t inner = add_range(capture, outer, "gemm M=1", 1);
    const size_t again = add_range(capture, inner, "step B=8", 1);
    const size_t kernel = sample_kernel(capture, "k");
    add_instance(capture, outer, 100, 90, 3);
    add_instance(capture, inner, 60, 50, 2);
    add_instance(capture, again, 20, 20, 1);
    for (size_t i = 0; i < 3; i++)
        *rl_capture_add_range_kernel(capture) =
            (struct rl_range_kernel){.range = outer + i, .kernel = kernel, .launches = 1, .total_ns = 30};
    struct made made = made_of(capture);
    assert_int_equal(made.cases->count, 2);
    const struct rl_case *step = case_of(&made, "step B=8"), *gemm = case_of(&made, "gemm M=1");
    assert_true(step->n == 1 && step->instances == 1 && step->nested == 1);
    assert_true(remarks(step, "inside one of the same name"));
    assert_true(step->kernel_count == 1 && step->kernels[0].launches == 3);
    assert_true(gemm->kernels[0].launches == 2 && fabs(gemm->kernels[0].gpu_s - 60e-9) < 1e-15);
    free_made(&made);
}

/* Two kernels, counted: 2 launches and 1 in each of 10 instances. */
static void counters_are_ratios_of_sums(void **state)
{
    (void)state;
    struct rl_capture *capture = with_process();
    const size_t range = add_range(capture, RL_NONE, "axpy n=1", 10);
    const size_t kernels[] = {sample_full_kernel(capture, "a"), sample_full_kernel(capture, "b")};
    for (size_t i = 0; i < 2; i++) {
        struct rl_kernel_use *use = rl_capture_add_use(capture);
        *use = (struct rl_kernel_use){.kernel = kernels[i], .timed = 20, .counted = 1};
        *rl_capture_add_range_kernel(capture) =
            (struct rl_range_kernel){.range = range, .kernel = kernels[i], .launches = i ? 10 : 20, .total_ns = 40000 - 20000 * i};
    }
    sample_set(capture, kernels[1], "dram__bytes_read.sum", rl_value_of(0));
    for (int i = 0; i < 10; i++)
        add_instance(capture, range, 8000, 6000, 3);
    struct made made = made_of(capture);
    const struct rl_case *of = case_of(&made, "axpy n=1");
    const struct rl_value first = made.analysis->kernels[kernels[0]].metric[RL_METRIC_dram_bytes];
    const struct rl_value second = made.analysis->kernels[kernels[1]].metric[RL_METRIC_dram_bytes];
    assert_non_null(of->figures);
    assert_true(rl_present(of->bytes) && first.v > second.v);
    assert_true(fabs(of->bytes.v / (2 * first.v + second.v) - 1) < 1e-12);
    assert_true(of->unit == RL_UNIT_FLOP_PER_SECOND || fabs(of->rate.v / (of->bytes.v / 8e-6) - 1) < 1e-12);
    assert_true(fabs(of->kernels[0].others - 0) < 1e-12 && fabs(of->kernels[1].others - 0.5) < 1e-12);
    assert_true(remarks(of, "50 % of the launches of b are of other cases"));
    free_made(&made);
}

/* ---- benchmarks ---- */

static void add_benchmark(struct rl_capture *capture, const char *name, double first, double step, size_t count)
{
    struct rl_benchmark *benchmark = rl_capture_add_benchmark(capture);
    benchmark->name = rl_capture_text(capture, name);
    for (size_t i = 0; i < count; i++)
        *rl_capture_add_benchmark_sample(capture) =
            (struct rl_benchmark_sample){capture->benchmark_count - 1, first + step * (double)(i * 7 % count)};
}

static void benchmarks_are_cases(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    add_benchmark(capture, "pp n=512", 0.5, 0, 3);
    capture->benchmarks[0].work = rl_value_of(512);
    capture->benchmarks[0].unit = rl_capture_text(capture, "tokens");
    add_benchmark(capture, "parse", 2, 0, 1);
    capture->benchmarks[1].summarised = 5;
    capture->benchmarks[1].missing = 2;
    struct made made = made_of(capture);
    const struct rl_case *tokens = case_of(&made, "pp n=512"), *parse = case_of(&made, "parse");
    assert_true(tokens->rate.v == 1024 && tokens->unit == RL_UNIT_PER_SECOND && tokens->n == 3);
    assert_true(parse->n == 1 && parse->instances == 3 && parse->name.count == 0);
    assert_true(remarks(parse, "the mean of 5 repetitions") && remarks(parse, "2 samples without a time"));
    free_made(&made);
}

static void a_thousand_cases(void **state)
{
    (void)state;
    struct rl_capture *capture = with_process();
    for (size_t i = 0; i < 1000; i++) {
        char name[64];
        snprintf(name, sizeof name, "gemm M=%zu,N=%zu,dtype=%s", i, 64 + i % 3, i % 2 ? "bf16" : "fp16");
        const size_t range = add_range(capture, RL_NONE, name, 1);
        add_instance(capture, range, 1000 + i, 1000, 1);
    }
    struct made made = made_of(capture);
    assert_int_equal(made.cases->count, 1000);
    assert_int_equal(made.cases->group_count, 1);
    assert_string_equal(made.cases->groups[0].axis, "M");
    for (size_t i = 0; i < 1000; i++)
        assert_true(rl_case_parameter_of(&made.cases->at[i], "M")->number.v == (double)i);
    free_made(&made);
}

/* ---- comparison ---- */

static void cases_are_compared(void **state)
{
    (void)state;
    static const struct rl_verdict_rules rules = {.confidence = RL_CONFIDENCE,
                                                  .smallest_effect = RL_SMALLEST_EFFECT,
                                                  .margin = RL_MARGIN,
                                                  .session_effect = RL_SESSION_EFFECT,
                                                  .comparisons = 1,
                                                  .sessions = {1, 1}};
    struct rl_capture *captures[2];
    for (int side = 0; side < 2; side++) {
        captures[side] = sample_new(SAMPLE_CHIP, SAMPLE_CC);
        add_benchmark(captures[side], side ? "gemm N=2,M=1" : "gemm M=1;N=2", side ? 1.2 : 1, 1e-5, 50);
        add_benchmark(captures[side], "gemm M=2,N=2", side ? 0.7 : 1, 1e-5, 50);
        add_benchmark(captures[side], "gemm M=3,N=2", side ? 1.0001 : 1, 1e-6, 50);
        add_benchmark(captures[side], "gemm M=4,N=2", side ? 3 : 1, 0, 1);
        add_benchmark(captures[side], side ? "new M=4" : "old M=4", 1, 0, 1);
    }
    struct made base = made_of(captures[0]), new = made_of(captures[1]);
    struct rl_case_comparison *comparison = rl_case_comparison_new(base.analysis, new.analysis, &rules);
    assert_non_null(comparison);
    assert_int_equal(comparison->pair_count, 4);
    static const struct {
        const char *label;
        enum rl_verdict verdict;
    } wanted[] = {
        {"gemm M=1;N=2", RL_SLOWER}, {"gemm M=2,N=2", RL_FASTER}, {"gemm M=4,N=2", RL_UNDECIDED}, {"gemm M=3,N=2", RL_SAME}};
    for (size_t i = 0; i < RL_COUNT(wanted); i++) {
        assert_string_equal(comparison->pairs[i].base->label, wanted[i].label);
        assert_int_equal(comparison->pairs[i].change.verdict, wanted[i].verdict);
    }
    assert_true(comparison->removed_count == 1 && comparison->added_count == 1);
    assert_string_equal(comparison->added[0]->label, "new M=4");
    rl_case_comparison_free(comparison);
    free_made(&base);
    free_made(&new);
}

static void without_cases_nothing_is_compared(void **state)
{
    (void)state;
    struct made made = made_of(sample_new(SAMPLE_CHIP, SAMPLE_CC));
    static const struct rl_verdict_rules rules = {.confidence = RL_CONFIDENCE, .smallest_effect = 0.01, .margin = 0.01};
    assert_int_equal(made.cases->count, 0);
    assert_null(rl_case_comparison_new(made.analysis, made.analysis, &rules));
    free_made(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_taken_apart),
        cmocka_unit_test(names_are_bounded),
        cmocka_unit_test(numbers_have_units),
        cmocka_unit_test(instances_are_times),
        cmocka_unit_test(what_has_no_time_says_why),
        cmocka_unit_test(nested_ranges),
        cmocka_unit_test(counters_are_ratios_of_sums),
        cmocka_unit_test(benchmarks_are_cases),
        cmocka_unit_test(a_thousand_cases),
        cmocka_unit_test(cases_are_compared),
        cmocka_unit_test(without_cases_nothing_is_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
