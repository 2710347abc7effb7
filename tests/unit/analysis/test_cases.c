/* Cases: names with parameters, instances of ranges, benchmarks of others, and their comparison. */
#include "rl_test.h"

#include "analysis/cases.h"
#include "analysis/compare.h"
#include "analysis/families.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/sides.h"

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
        {"aten::mm, sizes = [[512, 64], [64, 128]]", "aten::mm", "[sizes|[[512, 64], [64, 128]]]"},
        {"f a=(1, 2), w, b=[3, 4", "f", "[a|(1, 2)][w|][b|[3, 4]"},
        {"no parameters", NULL, NULL},
        {"=5", NULL, NULL},
        {" = ", NULL, NULL},
        {"", NULL, NULL},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        assert_parsed(rows[i].text, rows[i].name, rows[i].parameters);
}

/* The rest belongs to the last value; nothing is read beyond the end. */
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
    } rows[] = {
        {"a=512", 512},      {"a=4k", 4e3},    {"a=4 KiB", 4096},   {"a=1e6", 1e6},   {"a=-2.5", -2.5},     {"a=3 ms", 3e-3},
        {"a=5µs", 5e-6},     {"a=7B", 7},      {"a=2 GB", 2e9},     {"a=16x16", NAN}, {"a=bf16", NAN},      {"a=.", NAN},
        {"a=1e", NAN},       {"a=0x10", NAN},  {"a=1e999", NAN},    {"a=50%", 0.5},   {"a=", NAN},          {"a=128MiB", 134217728},
        {"a=8 GPUs", NAN},   {"a=5 min", NAN}, {"a=4 Tokens", NAN}, {"a=3 m", NAN},   {"a=1.5 GHz", 1.5e9}, {"a=4 MiBs", NAN},
        {"a=5 \u00b5B", NAN}};
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
    capture->instances[1].assumed = 2;
    const size_t many = add_range(capture, RL_NONE, "many B=1,B=2", 150);
    for (int i = 0; i < 2; i++)
        add_instance(capture, many, 10, 10, 1);
    add_instance(capture, many, 0, 0, 0);
    struct made made = made_of(capture);
    assert_non_null(strstr(case_of(&made, "idle B=1")->untold, "no kernel was launched"));
    assert_non_null(strstr(case_of(&made, "counted B=1")->untold, "run it more often"));
    assert_true(remarks(case_of(&made, "counted B=1"), "2 launches are of threads without a range, while several were started"));
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
    assert_true(tokens->rate.v == 1024 && tokens->unit == RL_UNIT_NONE && tokens->n == 3);
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

/* A number with a unit is not above or below one of another unit, or of none: they are sorted as texts, and nothing is drawn. */
static void units_are_not_mixed(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    static const char *const names[] = {"copy n=8 KiB", "copy n=2 MiB", "wait n=2 ms",
                                        "wait n=10 B",  "run n=8 GPUs", "run n=16 GPUs"};
    static const char *const order[] = {"copy n=8 KiB", "copy n=2 MiB",  "wait n=10 B",
                                        "wait n=2 ms",  "run n=16 GPUs", "run n=8 GPUs"};
    for (size_t i = 0; i < RL_COUNT(names); i++)
        rl_capture_add_benchmark(capture)->name = rl_capture_text(capture, names[i]);
    struct made made = made_of(capture);
    for (size_t i = 0; i < RL_COUNT(order); i++)
        assert_string_equal(made.cases->at[i].label, order[i]);
    assert_string_equal(made.cases->groups[0].axis, "n");
    assert_null(made.cases->groups[1].axis);
    assert_null(made.cases->groups[2].axis);
    free_made(&made);
}

/* ---- comparison ---- */

static void add_side(struct sides *sides, int side)
{
    struct rl_capture *capture = sides->capture[side];
    add_benchmark(capture, side ? "gemm N=2,M=1" : "gemm M=1;N=2", side ? 1.2 : 1, 1e-5, 50);
    add_benchmark(capture, "gemm M=2,N=2", side ? 0.7 : 1, 1e-5, 50);
    add_benchmark(capture, "gemm M=3,N=2", side ? 1.0001 : 1, 1e-6, 50);
    add_benchmark(capture, "gemm M=4,N=2", side ? 3 : 1, 0, 1);
    add_benchmark(capture, side ? "new M=4" : "old M=4", 1, 0, 1);
}

static void cases_are_compared(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    for (int side = 0; side < 2; side++)
        add_side(&sides, side);
    const struct rl_case_comparison *cases = sides_compare(&sides)->cases;
    assert_non_null(cases);
    assert_int_equal(cases->pair_count, 4);
    static const struct {
        const char *label;
        enum rl_verdict verdict;
    } wanted[] = {
        {"gemm M=1;N=2", RL_SLOWER}, {"gemm M=2,N=2", RL_FASTER}, {"gemm M=4,N=2", RL_UNDECIDED}, {"gemm M=3,N=2", RL_SAME}};
    for (size_t i = 0; i < RL_COUNT(wanted); i++) {
        assert_string_equal(cases->pairs[i].base->label, wanted[i].label);
        assert_int_equal(cases->pairs[i].change.verdict, wanted[i].verdict);
    }
    assert_true(cases->removed_count == 1 && cases->added_count == 1);
    assert_string_equal(cases->added[0]->label, "new M=4");
    /* (1.2 * 0.7 * 1.0001) ^ (1/3); the fourth has no interval */
    assert_true(cases->whole_of == 3 && fabs(cases->whole.estimate - 0.9436) < 1e-3 && cases->verdict == RL_FASTER);
    struct rl_buf text = RL_BUF_INIT;
    rl_effect_text(sides.comparison, &text);
    assert_non_null(strstr(text.data, "By geometric mean 3 cases take 5.6"));
    assert_non_null(strstr(text.data, "): 1 SLOWER, 1 FASTER, 1 SAME, 1 UNDECIDED; 1 in the baseline only; "
                                      "1 in the candidate only, "
                                      "measured"));
    assert_non_null(
        strstr(text.data, " in 1 session on each side: rooflight compare BASELINE ... -- CANDIDATE ... takes several runs"));
    assert_string_equal(rl_effect_headline(sides.comparison), "MIXED");
    rl_buf_release(&text);
    sides_free(&sides);
}

static void the_headline_is_of_the_cases(void **state)
{
    (void)state;
    static const struct {
        double ratios[3], scatter;
        const char *headline;
    } rows[] = {
        {{0.9, 0.8, 0.95}, 1e-5, "FASTER"}, {{1.1, 1, 1.2}, 1e-5, "SLOWER"},   {{1, 1.0001, 1}, 1e-6, "NO CHANGE"},
        {{0.8, 1.25, 1}, 1e-5, "MIXED"},    {{0.8, 0.8, 1.25}, 1e-5, "MIXED"}, {{0.98, 0.98, 0.98}, 3e-2, "UNDECIDED"},
    };
    static const char *const names[] = {"gemm M=1", "gemm M=2", "gemm M=3"};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct sides sides = sides_new();
        for (size_t c = 0; c < RL_COUNT(names); c++) {
            add_benchmark(sides.capture[0], names[c], 1, rows[i].scatter, 50);
            add_benchmark(sides.capture[1], names[c], rows[i].ratios[c], rows[i].scatter, 50);
        }
        sides_compare(&sides);
        assert_string_equal(rl_effect_headline(sides.comparison), rows[i].headline);
        sides_free(&sides);
    }
}

/* Intervals that hold together over many cases ask for more samples, of which the first sentence says how many. */
static void few_samples_of_many_cases(void **state)
{
    (void)state;
    enum { CASES = 1000, SAMPLES = 10 };
    struct sides sides = sides_new();
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < CASES; i++) {
            char name[32];
            snprintf(name, sizeof name, "gemm M=%d", i);
            add_benchmark(sides.capture[side], name, side ? 0.5 : 1, 1e-5, SAMPLES);
        }
    sides_compare(&sides);
    struct rl_buf text = RL_BUF_INIT;
    rl_effect_text(sides.comparison, &text);
    assert_string_equal(rl_effect_headline(sides.comparison), "UNDECIDED");
    assert_non_null(strstr(text.data, "By geometric mean 1000 cases take 50.0"));
    assert_non_null(strstr(text.data,
                           "(10 and 10 samples are too few for an interval: 17 in each capture would have one; intervals hold "
                           "together over 1000 cases): 1000 UNDECIDED"));
    rl_buf_release(&text);
    sides_free(&sides);
}

/* Samples of a session agree to a millionth, its sessions differ by 10 %: only sessions tell. */
static void sessions_decide(void **state)
{
    (void)state;
    struct rl_capture *captures[6];
    struct rl_analysis *analyses[6];
    struct rl_compare_session more[2][2];
    for (int i = 0; i < 6; i++) {
        static const double scatter[] = {1, 1.05, 0.95};
        captures[i] = sample_new(SAMPLE_CHIP, SAMPLE_CC);
        captures[i]->gpus[0].uuid = rl_capture_text(captures[i], "GPU-1");
        add_benchmark(captures[i], "noisy n=1", scatter[i % 3] * (i < 3 ? 1 : 1.02), 1e-8, 50);
        add_benchmark(captures[i], "quiet n=1", (i < 3 ? 1 : 1.5) * (1 + 1e-5 * i), 1e-8, 50);
        analyses[i] = rl_analysis_new(captures[i]);
        if (i % 3)
            more[i / 3][i % 3 - 1] = (struct rl_compare_session){analyses[i], "session"};
    }
    const struct rl_compare_options options = {.base_name = "a", .new_name = "b", .more = {more[0], more[1]}, .more_count = {2, 2}};
    struct rl_comparison *comparison = NULL;
    assert_int_equal(rl_comparison_new(analyses[0], analyses[3], &options, &comparison, NULL), RL_OK);
    const struct rl_case_comparison *cases = comparison->cases;
    assert_int_equal(cases->pair_count, 2);
    assert_string_equal(cases->pairs[0].base->label, "quiet n=1");
    assert_int_equal(cases->pairs[0].change.verdict, RL_SLOWER);
    assert_true(cases->pairs[0].change.base.n == 150 && fabs(cases->pairs[0].change.base.median - 1.00001) < 1e-6);
    assert_int_equal(cases->pairs[1].change.verdict, RL_UNDECIDED);
    assert_int_equal(cases->pairs[1].change.doubt, RL_DOUBT_SESSIONS);
    rl_comparison_free(comparison);
    for (int i = 0; i < 6; i++) {
        rl_analysis_free(analyses[i]);
        rl_capture_free(captures[i]);
    }
}

static void without_cases_nothing_is_compared(void **state)
{
    (void)state;
    struct sides sides = sides_new();
    assert_null(sides_compare(&sides)->cases);
    assert_string_equal(rl_effect_headline(sides.comparison), "NOTHING TO COMPARE");
    sides_free(&sides);
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
        cmocka_unit_test(units_are_not_mixed),
        cmocka_unit_test(cases_are_compared),
        cmocka_unit_test(the_headline_is_of_the_cases),
        cmocka_unit_test(few_samples_of_many_cases),
        cmocka_unit_test(sessions_decide),
        cmocka_unit_test(without_cases_nothing_is_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
