/* What kernels are called: as little as tells them apart from others of the same GPU. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "analysis/program.h"
#include "core/mem.h"
#include "core/utf8.h"
#include "fixtures/capture.h"

struct named {
    const char *name;
    uint32_t grid[3], block[3];
    size_t gpu;
    const char *label;
};

static void assert_labels(const struct named *rows, size_t count)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "NVIDIA Test Card");
    for (size_t i = 0; i < count; i++) {
        const size_t index = sample_kernel(capture, rows[i].name);
        struct rl_kernel *kernel = &capture->kernels[index];
        memcpy(kernel->grid, rows[i].grid, sizeof kernel->grid);
        memcpy(kernel->block, rows[i].block, sizeof kernel->block);
        kernel->gpu = rows[i].gpu;
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(analysis->kernels[i].label, rows[i].label);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void names_that_are_known_stay_short(void **state)
{
    static const struct named rows[] = {
        {"void a<1>(int)", {10, 1, 1}, {32, 1, 1}, 0, "a"},
        {"void b<2>(int)", {10, 1, 1}, {32, 1, 1}, 0, "b"},
        {"void a<1>(int)", {10, 1, 1}, {32, 1, 1}, 1, "a"}, /* on another GPU */
    };
    (void)state;
    assert_labels(rows, RL_COUNT(rows));
}

static void template_arguments_come_first_then_shapes(void **state)
{
    static const struct named rows[] = {
        {"void a<1>(int)", {10, 1, 1}, {32, 1, 1}, 0, "a<1>"},
        {"void a<2>(int)", {10, 1, 1}, {32, 1, 1}, 0, "a<2> [10, 32]"},
        {"void a<2>(int)", {20, 1, 1}, {32, 1, 1}, 0, "a<2> [20, 32]"},
        {"void a<2>(int)", {20, 3, 1}, {32, 4, 1}, 0, "a<2> [20x3, 32x4]"},
        {"void a<2>(int)", {20, 3, 5}, {8, 4, 2}, 0, "a<2> [20x3x5, 8x4x2]"},
        {"void a<2>(int)", {20, 1, 5}, {8, 1, 2}, 0, "a<2> [20x1x5, 8x1x2]"},
        {"void b<2>(int)", {20, 1, 5}, {8, 1, 2}, 0, "b"},
    };
    (void)state;
    assert_labels(rows, RL_COUNT(rows));
}

/* Of other arguments of functions the part that differs shows, from whole words. */
static void the_part_of_a_name_that_differs(void **state)
{
    static const char one[] = "void k<Functor<double, Left, 17>, Policy<Cuda, 128u>, Schedule<Static>, More>(T1)";
    static const char two[] = "void k<Functor<double, Left, 18>, Policy<Cuda, 128u>, Schedule<Static>, More>(T1)";
    static const char three[] = "void j<Functor<double, Left, 18>, Policy<Cuda, 128u>, Schedule<Static>, More>(T1)";
    static const char four[] = "void j<Functor<double, Left, 18>, Policy<Cuda, 128u>, Schedule<Static>, More>(T1, T2)";
    const struct named rows[] = {
        {one, {10, 1, 1}, {32, 1, 1}, 0, "k [10, 32] …17…"},       {two, {10, 1, 1}, {32, 1, 1}, 0, "k [10, 32] …18…"},
        {three, {10, 1, 1}, {32, 1, 1}, 0, "j [10, 32] …T1…"},     {four, {10, 1, 1}, {32, 1, 1}, 0, "j [10, 32] …T1, T2…"},
        {"f(int)", {10, 1, 1}, {32, 1, 1}, 0, "f [10, 32] …int…"}, {"f(long)", {10, 1, 1}, {32, 1, 1}, 0, "f [10, 32] …long…"},
    };
    (void)state;
    assert_labels(rows, RL_COUNT(rows));
}

/* Two of a name and shape that are two classes for another reason have their ids. */
static void what_nothing_else_tells_apart_has_its_id(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    char wanted[2][64], id[2][RL_KERNEL_ID];
    sample_kernel(capture, "k(int)");
    sample_kernel(capture, "k(int)");
    capture->kernels[1].dynamic_shared_bytes = 64;
    struct rl_analysis *analysis = rl_analysis_new(capture);
    for (size_t i = 0; i < 2; i++) {
        rl_kernel_id(&capture->kernels[i], id[i]);
        snprintf(wanted[i], sizeof wanted[i], "k [1000, 256] %s", id[i]);
        assert_string_equal(analysis->kernels[i].label, wanted[i]);
    }
    assert_string_not_equal(id[0], id[1]);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* 40 columns are shown, 41 are not: then the shape tells apart. */
static void long_template_arguments_are_left_out(void **state)
{
    static const char fits[] = "void k<abcdefghijklmnopqrstuvwxyz0123456789a>(int)"; /* k<...>: 40 columns */
    static const char is_too_long[] = "void k<abcdefghijklmnopqrstuvwxyz0123456789ab>(int)";
    const struct named rows[] = {
        {fits, {10, 1, 1}, {32, 1, 1}, 0, "k<abcdefghijklmnopqrstuvwxyz0123456789a>"},
        {is_too_long, {10, 1, 1}, {32, 1, 1}, 0, "k"},
    };
    (void)state;
    assert_labels(rows, RL_COUNT(rows));
}

static void the_suite_has_names_of_its_own(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    sample_experiment(capture, "e");
    for (size_t v = 0; v < 2; v++) {
        sample_variant(capture, 0, 0, v ? "two" : "one", NULL);
        for (size_t k = 0; k <= v; k++) {
            const size_t index = sample_kernel(capture, k ? "second<1>(int)" : "k<1>(int)");
            capture->kernels[index].variant = v;
        }
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_string_equal(analysis->kernels[0].label, "e / one");
    assert_string_equal(analysis->kernels[1].label, "e / two: k");
    assert_string_equal(analysis->kernels[2].label, "e / two: second");
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Kernels of several GPUs may stand in any order. */
static void namesakes_are_told_apart_on_each_gpu_alone(void **state)
{
    static const struct named rows[] = {
        {"void a<1>(int)", {10, 1, 1}, {32, 1, 1}, 1, "a<1>"}, {"void a<3>(int)", {10, 1, 1}, {32, 1, 1}, 0, "a"},
        {"void c<1>(int)", {10, 1, 1}, {32, 1, 1}, 1, "c"},    {"void d<1>(int)", {10, 1, 1}, {32, 1, 1}, 0, "d"},
        {"void a<2>(int)", {10, 1, 1}, {32, 1, 1}, 1, "a<2>"}, {"void b<1>(int)", {10, 1, 1}, {32, 1, 1}, 0, "b<1>"},
        {"void b<1>(int)", {10, 1, 1}, {32, 1, 1}, 1, "b"},    {"void b<2>(int)", {10, 1, 1}, {32, 1, 1}, 0, "b<2>"},
    };
    (void)state;
    assert_labels(rows, RL_COUNT(rows));
}

/* Names that differ in the middle, of which tables for people leave it out, keep the words that differ; where these are too many,
 * or there are none, they have their ids. What differs at its end needs nothing. */
static void what_looks_the_same_when_shortened(void **state)
{
    static const struct named rows[] = {
        {"sm90_xmma_gemm_f32f32_nn_n_tilesize128x128x32_kernel", {1, 1, 1}, {32, 1, 1}, 0, "sm90_xmma_…nn"},
        {"sm90_xmma_gemm_f32f32_nt_n_tilesize128x128x32_kernel", {1, 1, 1}, {32, 1, 1}, 0, "sm90_xmma_…nt"},
        {"sm90_xmma_gemm_f32f32_nn_n_tilesize128x128x32_reduce",
         {1, 1, 1},
         {32, 1, 1},
         0,
         "sm90_xmma_gemm_f32f32_nn_n_tilesize128x128x32_reduce"},
        {"trt_ampere_h16816cudnn_64x64_sliced1x2_relu_stages_64x5_small_nhwc_linkable_tn_v1",
         {1, 1, 1},
         {32, 1, 1},
         0,
         "trt_ampere…64x64_sliced1x2_64x5_small"},
        {"trt_ampere_h16816cudnn_64x128_relu_stages_64x3_medium_nhwc_linkable_tn_v1",
         {1, 1, 1},
         {32, 1, 1},
         0,
         "trt_ampere…64x128_64x3_medium"},
    };
    static const char *const others[] = {
        "beginning_of_a_name_with_a_first_long_word_that_only_this_one_of_them_has_and_another_with_the_very_end_of_it_all",
        "beginning_of_a_name_with_a_second_lengthy_part_nobody_else_in_here_would_contain_with_the_very_end_of_it_all",
        "name_that_is_longer_than_a_look_and_a_a_in_its_middle_and_the_end_of_it_all_v1",
        "name_that_is_longer_than_a_look_and_a_in_its_middle_and_the_end_of_it_all_v1",
    };
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);

    (void)state;
    assert_labels(rows, RL_COUNT(rows));
    for (size_t i = 0; i < RL_COUNT(others); i++)
        (void)sample_kernel(capture, others[i]);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    for (size_t i = 0; i < RL_COUNT(others); i++) {
        assert_memory_equal(analysis->kernels[i].label, others[i], strlen(others[i]));
        assert_int_equal(strlen(analysis->kernels[i].label), strlen(others[i]) + strlen(" k12345"));
    }
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_that_are_known_stay_short),
        cmocka_unit_test(template_arguments_come_first_then_shapes),
        cmocka_unit_test(the_part_of_a_name_that_differs),
        cmocka_unit_test(what_nothing_else_tells_apart_has_its_id),
        cmocka_unit_test(long_template_arguments_are_left_out),
        cmocka_unit_test(the_suite_has_names_of_its_own),
        cmocka_unit_test(namesakes_are_told_apart_on_each_gpu_alone),
        cmocka_unit_test(what_looks_the_same_when_shortened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
