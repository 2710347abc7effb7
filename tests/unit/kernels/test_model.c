/* Work models at sizes worked out by hand, and their words. */
#include "rl_test.h"

#include "core/buf.h"
#include "core/mem.h"
#include "kernels/suite.h"

static const struct rl_suite_variant *find(const char *experiment, const char *variant)
{
    const struct rl_suite_variant *found = rl_suite_find_variant(rl_suite_find(experiment), variant);

    assert_non_null(found);
    return found;
}

static void models_give_the_worked_out_figures(void **state)
{
    static const struct {
        const char *experiment, *variant;
        uint64_t size;
        double flop, bytes;
    } known[] = {
        {"block_size", "32", 33, 66, 264},
        {"block_size", "proposed", 67108864, 134217728, 536870912},
        {"carveout", "l1", 1000003, 0, 8000024},
        {"coalescing", "stride_1", 134217728, 134217728, 1073741824}, /* 1 GiB: half read, half written */
        {"coalescing", "stride_32", 134217728, 4194304, 33554432},
        {"coalescing", "stride_32", 1, 1, 8},
        {"coalescing", "stride_32", 32, 1, 8},
        {"coalescing", "stride_32", 33, 2, 16}, /* elements 0 and 32 */
        {"coalescing", "stride_8", 1000003, 125001, 1000008},
        {"coalescing", "stride_2", 31, 16, 128},
        {"transpose", "copy", 4096, 0, 134217728},
        {"transpose", "naive", 31, 0, 7688}, /* 961 elements */
        {"bank_conflicts", "column", 33, 0, 264},
        {"shared_stencil", "shared", 257, 1285, 2056},
        {"vector_width", "float4", 31, 0, 248},
        {"read_only", "ldg", 33, 231, 264}, /* 7 additions for 8 terms */
        {"ilp", "serial", 1000003, 1000003, 8000024},
        {"unroll", "8", 1000003, 2000006, 8000024},
        {"precision", "fp64", 9, 65536, 72}, /* two threads of 8 chains: 2 x 8 x 2048 x 2 */
        {"precision", "bf16x2", 17, 131072, 136},
        {"divergence", "coherent", 10000000, 0, 512}, /* 32 lanes, 16 bytes each, for any number of ticks */
        {"divergence", "arithmetic_by_warp", 33, 135300, 1056},
        {"register_pressure", "lean", 33, 66, 264},
        {"register_pressure", "volatile16", 1, 108, 8},
        {"register_pressure", "array100", 1, 198, 8},              /* 99 fused multiply-adds */
        {"register_pressure", "live128", 1, 1537, 8},              /* 128 + 127 additions, 5 x 128 + 1 fused multiply-adds */
        {"staging", "pipeline_8_low", 1000003, 16000048, 8000024}, /* 8 fused multiply-adds on each number */
        {"staging", "sync_heavy", 1, 592, 8},
        {"matmul", "tensor", 4096, 137438953472, 134217728}, /* 2^37 operations, 2^27 bytes */
        {"matmul", "naive", 33, 71874, 13068},
        {"vector_add", "staged_async", 1000003, 1000003, 12000036}, /* two numbers read, one written */
        {"grid_sync", "cooperative", 1000003, 3000009, 8000024},
        {"reduction", "atomic", 33, 33, 132},
        {"scan", "blelloch", 31, 0, 248},
        {"jacobi", "graph", 1, 0, 8},         /* all edge */
        {"jacobi", "launches", 4, 1600, 128}, /* 2 x 2 points, 4 operations, 100 steps */
        {"histogram", "cub", 33, 33, 132},
        {"stream_overlap", "four_streams", 2, 4096, 32},
        {"graphs", "launches", 16384, 0, 131072},
    };

    (void)state;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        const struct rl_suite_variant *variant = find(known[i].experiment, known[i].variant);
        const struct rl_value flop = rl_suite_model(variant, variant->flop, known[i].size);
        const struct rl_value bytes = rl_suite_model(variant, variant->bytes, known[i].size);

        assert_true(rl_present(flop) && flop.v == known[i].flop);
        assert_true(rl_present(bytes) && bytes.v == known[i].bytes);
    }
}

static void operations_of_a_run_are_counted(void **state)
{
    static const struct {
        const char *experiment, *variant;
        uint64_t size;
        double operations;
    } known[] = {
        {"launch_overhead", "grid_barrier", 1000, 1000},
        {"jacobi", "cooperative", 31, 100},
        {"graphs", "graph", 31, 3000},
    };

    (void)state;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        const struct rl_suite_variant *variant = find(known[i].experiment, known[i].variant);

        assert_true(rl_suite_model(variant, variant->operations, known[i].size).v == known[i].operations);
    }
}

static void parameters_are_names(void **state)
{
    const struct rl_suite_variant variant = {.name = "v", .parameter = {4, 7}};
    const struct rl_suite_variant plain = {.name = "v"};

    (void)state;
    assert_true(rl_suite_model(&variant, "n + 1000 * p + 100000 * q", 3).v == 704003);
    assert_true(rl_suite_model(&variant, "m", 9).v == 3);
    assert_true(rl_suite_model(&variant, "m", 8).v == 2);
    assert_true(rl_suite_model(&plain, "m", 9).v == 9); /* no stride: every element */
    assert_true(rl_suite_model(&plain, "m", UINT64_MAX).v == 0x1p64);
}

static void what_is_no_model_says_so(void **state)
{
    const struct rl_suite_variant variant = {.name = "v"};
    struct rl_value value;

    (void)state;
    value = rl_suite_model(&variant, NULL, 1);
    assert_false(rl_present(value));
    assert_string_equal(rl_value_reason(value), "no work model");
    value = rl_suite_model(&variant, "n / p", 1);
    assert_int_equal(value.state, RL_UNDEFINED);
    value = rl_suite_model(&variant, "2 * rows", 1);
    assert_int_equal(value.state, RL_VALUE_FAILED);
    value = rl_suite_model(&variant, "2 *", 1);
    assert_int_equal(value.state, RL_VALUE_FAILED);
    assert_true(strlen(rl_value_reason(value)) > 0);
}

static void assert_text(const struct rl_suite_variant *variant, const char *expected)
{
    struct rl_buf text = RL_BUF_INIT;

    rl_suite_model_text(variant, &text);
    assert_string_equal(text.data, expected);
    rl_buf_release(&text);
}

static void models_read_well(void **state)
{
    (void)state;
    assert_text(find("register_pressure", "lean"), "2 n FLOP; 8 n B");
    assert_text(find("coalescing", "stride_1"), "n FLOP; 8 n B");
    assert_text(find("coalescing", "stride_16"), "ceil(n/16) FLOP; 8 ceil(n/16) B");
    assert_text(find("transpose", "tiled"), "0 FLOP; 8 n^2 B");
    assert_text(find("divergence", "coherent"), "0 FLOP; 512 B");
    assert_text(&(const struct rl_suite_variant){.name = "v"}, "none");
    assert_text(&(const struct rl_suite_variant){.name = "v", .bytes = "n"}, "n B");
    assert_text(&(const struct rl_suite_variant){.name = "v", .flop = "2*n*n*n", .parameter = {3, 5}}, "2 n^3 FLOP");
    assert_text(&(const struct rl_suite_variant){.name = "v", .flop = "n * n * p + p * p - n * n", .parameter = {3, 5}},
                "n^2 3 + 3^2 - n^2 FLOP");
    assert_text(&(const struct rl_suite_variant){.name = "v", .flop = "p * (n - q) + max(n, p) / 2", .parameter = {3, 5}},
                "3 (n - 5) + max(n,3) / 2 FLOP");
    assert_text(&(const struct rl_suite_variant){.name = "v", .flop = "2 * 2 * n + n * q", .parameter = {3, 5}},
                "2 2 n + n 5 FLOP");
}

static void requirements_read_well(void **state)
{
    static const struct {
        struct rl_suite_variant variant;
        const char *text;
    } known[] = {
        {{.name = "v"}, ""},
        {{.name = "v", .min_cc = 80}, "compute capability 8.0"},
        {{.name = "v", .min_cc = 103}, "compute capability 10.3"},
        {{.name = "v", .cooperative = true}, "cooperative launch"},
        {{.name = "v", .min_cc = 60, .cooperative = true}, "compute capability 6.0, cooperative launch"},
        {{.name = "v", .min_cc = 90, .min_toolkit = 120}, "compute capability 9.0, CUDA 12.0"},
        {{.name = "v", .min_toolkit = 124, .cooperative = true}, "CUDA 12.4, cooperative launch"},
    };

    (void)state;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_buf text = RL_BUF_INIT;

        rl_suite_requires_text(&known[i].variant, &text);
        assert_string_equal(text.data, known[i].text);
        rl_buf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_give_the_worked_out_figures),
        cmocka_unit_test(operations_of_a_run_are_counted),
        cmocka_unit_test(parameters_are_names),
        cmocka_unit_test(what_is_no_model_says_so),
        cmocka_unit_test(models_read_well),
        cmocka_unit_test(requirements_read_well),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
