/* What samples tell of a kernel of many shapes, on figures that can be followed by hand: 10 SMs at 1.5 GHz, DRAM of 100 GB/s. */
#include "rl_test.h"

#include <string.h>

#include "analysis/families.h"
#include "analysis/sampled.h"
#include "core/mem.h"
#include "fixtures/capture.h"

enum { SHAPES = 12, ALONE = 10, NEVER = 11, OTHER = SHAPES };

/* `launches` of `ns` each. */
static void add_class(struct rl_capture *capture, const char *name, uint32_t blocks, uint64_t launches, uint64_t ns)
{
    const size_t kernel = sample_kernel(capture, name);
    struct rl_kernel *of = &capture->kernels[kernel];
    of->mangled = of->name;
    of->grid[0] = blocks;
    of->launches = launches;
    of->total_ns = launches * ns;
    sample_time(capture, kernel, ns);
    *rl_capture_add_use(capture) = (struct rl_kernel_use){.kernel = kernel, .timed = launches, .min_ns = ns, .max_ns = ns};
}

/* Twelve shapes of one kernel, one launch each that takes 2 us, but for shape 10, which has 40 launches of 3 us; and another
 * kernel. */
static struct rl_capture *many_shapes(void)
{
    struct rl_capture *capture = sample_small_card();
    (void)rl_capture_add_process(capture);
    for (uint32_t i = 0; i < SHAPES; i++)
        add_class(capture, "lud", 100 + i, i == ALONE ? 40 : 1, i == ALONE ? 3000 : 2000);
    add_class(capture, "other", 5, 1, 2000);
    *rl_capture_add_sampling(capture) = (struct rl_gpu_sampling){.interval_ns = 20000, .samples = 5000, .used = 5000};
    return capture;
}

/* A row of a group that `together` names. */
static void sample_group(struct rl_capture *capture, size_t kernel, size_t together, enum rl_sampled_counter counter, double total,
                         double half_width)
{
    struct rl_sampled_value *row = rl_capture_add_sampled(capture);
    row->kernel = kernel;
    row->together = together;
    row->counter = counter;
    row->launches = 1;
    row->total = total;
    row->total_half_width = half_width;
}

static void sample_alone(struct rl_capture *capture, size_t kernel, enum rl_sampled_counter counter, double value,
                         double half_width)
{
    struct rl_sampled_value *row = rl_capture_add_sampled(capture);
    row->kernel = row->together = kernel;
    row->counter = counter;
    row->launches = 40;
    row->per_launch = rl_value_of(value);
    row->half_width = rl_value_of(half_width);
    row->total = 40 * value;
    row->total_half_width = 40 * half_width;
}

/* Ten shapes read 1.5 MB together, +- 50 kB; shape 10 reads 300 kB a launch, +- 2 kB; nothing is written. */
static struct rl_capture *sampled(void)
{
    struct rl_capture *capture = many_shapes();
    for (size_t k = 0; k < ALONE; k++) {
        sample_group(capture, k, 0, RL_SAMPLED_dram_read, 1.5e6, 50e3);
        sample_group(capture, k, 0, RL_SAMPLED_dram_write, 0, 0);
    }
    sample_alone(capture, ALONE, RL_SAMPLED_dram_read, 300e3, 2e3);
    sample_alone(capture, ALONE, RL_SAMPLED_dram_write, 0, 0);
    return capture;
}

struct made {
    struct rl_capture *capture;
    struct rl_analysis *analysis;
    struct rl_families *families;
    const struct rl_family *family;
};

static struct made make(struct rl_capture *capture)
{
    struct made made = {.capture = capture, .analysis = rl_analysis_new(capture)};
    made.families = rl_families_of_capture(made.analysis, RL_FOLD_EACH_GPU);
    made.family = &made.families->at[made.families->of_kernel[0]];
    assert_int_equal(made.family->shapes, SHAPES);
    return made;
}

static void release(struct made *made)
{
    rl_families_free(made->families);
    rl_analysis_free(made->analysis);
    rl_capture_free(made->capture);
}

/* (1.5 MB + 40 x 300 kB) / 50 launches = 270 kB; its half width (50 + 40 x 2) / 50 = 2.6 kB; (10 x 2 + 40 x 3) / 50 = 2.8 us. */
static void the_mean_launch_by_hand(void **state)
{
    (void)state;
    struct made made = make(sampled());
    const struct rl_family_figures *figures = made.family->figures;
    assert_non_null(figures->estimate);
    assert_int_equal(figures->sampled_shapes, 11);
    assert_close(figures->sampled, 50, 1e-12);
    assert_close(figures->time_s.v, 2.8e-6, 1e-9);
    assert_false(rl_present(figures->metric[RL_METRIC_dram_bytes])); /* never among what was counted */
    assert_close(figures->estimate[RL_METRIC_dram_bytes].value.v, 270e3, 1e-9);
    assert_close(figures->estimate[RL_METRIC_dram_bytes].half_width, 2.6e3, 1e-9);
    assert_close(figures->estimate[RL_METRIC_dram_bytes_per_second].value.v, 270e3 / 2.8e-6, 1e-9);
    assert_close(figures->roof_share.v, 270e3 / 2.8e-6 / 100e9, 1e-6);
    assert_int_equal(figures->bound, RL_BOUND_MEMORY);
    assert_int_equal(figures->limiter, RL_RESOURCE_dram);
    assert_string_equal(rl_value_reason(figures->estimate[RL_METRIC_flop_total].value), "not collected");
    assert_close(rl_families_sampled_s(made.families), 10 * 2e-6 + 40 * 3e-6, 1e-9);
    release(&made);
}

/* Counters are exact, and one shape that has them stands for all. */
static void counted_shapes_come_first(void **state)
{
    (void)state;
    struct rl_capture *capture = sampled();
    capture->uses[NEVER].counted = 1;
    sample_counter(capture, NEVER, "dram__bytes_read.sum", 1000);
    struct made made = make(capture);
    assert_int_equal(made.family->figures->counted_shapes, 1);
    assert_null(made.family->figures->estimate);
    assert_int_equal(made.family->figures->sampled_shapes, 0);
    release(&made);
}

/* What several kernels did together is of none of them. */
static void groups_of_several_kernels_say_nothing(void **state)
{
    (void)state;
    struct rl_capture *capture = sampled();
    sample_group(capture, OTHER, 0, RL_SAMPLED_dram_read, 1.5e6, 50e3);
    struct made made = make(capture);
    const struct rl_family_figures *figures = made.family->figures;
    assert_int_equal(figures->sampled_shapes, 1);
    assert_close(figures->estimate[RL_METRIC_dram_bytes].value.v, 300e3, 1e-9);
    assert_close(rl_families_sampled_s(made.families), 40 * 3e-6, 1e-9);
    release(&made);
}

/* As a damaged capture may have it: the kernel that names the group has no row. */
static void a_group_without_its_sum_says_nothing(void **state)
{
    (void)state;
    struct rl_capture *capture = many_shapes();
    for (size_t k = 1; k < ALONE; k++)
        sample_group(capture, k, 0, RL_SAMPLED_dram_read, 1.5e6, 50e3);
    struct made made = make(capture);
    assert_null(made.family->figures->estimate);
    assert_int_equal(made.family->figures->bound, RL_BOUND_UNKNOWN);
    release(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mean_launch_by_hand),
        cmocka_unit_test(counted_shapes_come_first),
        cmocka_unit_test(groups_of_several_kernels_say_nothing),
        cmocka_unit_test(a_group_without_its_sum_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
