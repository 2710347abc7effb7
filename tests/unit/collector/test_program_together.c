/* Classes of one kernel that samples tell nothing of alone: what is told of them together, and what stays as it was. Simulated
 * programs, so that it is known what each launch did. */
#include "program_together.h"

#include <string.h>

#include "simulated_samples.h"

enum { FIRST = 1, SHAPES = 400, LONE = FIRST + SHAPES, OTHERS, CLASSES, KERNELS = OTHERS, RUNS = 40 };

/* Class 0 is a kernel of 30 us; then shapes of one kernel, each launched a few times for 0.5 to 2 us; one class of another kernel
 * that is launched as seldom; and launches of no kernel of the capture. */
static void make_shapes(struct simulation *of)
{
    *of = (struct simulation){.name = "shapes",
                              .kinds = CLASSES,
                              .order = "a????????????????????????????????????????",
                              .gap_us = 6,
                              .gap_spread = .9,
                              .break_us = 60,
                              .sample_us = 20,
                              .noise = .01,
                              .shift_us = .4,
                              .samples = 500};
    of->kind[0] = (struct kind){30, .02, {30, 900, 600}, 0};
    for (size_t k = FIRST; k < CLASSES; k++) {
        const double us = .5 + 1.5 * (double)(k - FIRST) / SHAPES;
        of->kind[k] = (struct kind){us, .02, {us, 20 * us, 900 * us}, 0};
    }
}

static char names[][8] = {"long", "shape", "lone"};

static void name_kernels(struct rl_kernel *kernels)
{
    for (size_t k = 0; k < KERNELS; k++)
        kernels[k] = (struct rl_kernel){.mangled = names[k < FIRST ? 0 : k < LONE ? 1 : 2]};
}

struct shapes {
    struct run run;
    struct rl_kernel kernels[KERNELS];
    struct rl_attribution found;
    struct rl_attributed before[CLASSES * COUNTERS]; /* what was told of each alone */
};

static void run_shapes(uint64_t seed, const double *made, struct shapes *shapes)
{
    static struct simulation program;
    make_shapes(&program);
    name_kernels(shapes->kernels);
    simulate(&program, seed, &shapes->run);
    shapes->run.sampled.made = made;
    assert_int_equal(rl_attribute(&shapes->run.sampled, &shapes->found, NULL), RL_OK);
    memcpy(shapes->before, shapes->found.of, sizeof shapes->before);
}

static void end_shapes(struct shapes *shapes)
{
    rl_attribution_release(&shapes->found);
    release(&shapes->run);
}

static bool was_told(const struct shapes *shapes, size_t k)
{
    return shapes->before[k * COUNTERS].state != RL_ATTRIBUTED_NOT;
}

/* What the shapes that were not told did, all together; the least of them. */
static double truth_of(const struct shapes *shapes, size_t counter, size_t *least)
{
    double truth = 0;
    *least = 0;
    for (size_t k = FIRST; k < LONE; k++) {
        if (was_told(shapes, k) || shapes->found.launches[k] <= 0)
            continue;
        *least = *least ? *least : k;
        truth += shapes->run.truth[k * COUNTERS + counter];
    }
    return truth;
}

static void look_at(const struct shapes *shapes, size_t k)
{
    const bool joins = k >= FIRST && k < LONE && !was_told(shapes, k) && shapes->found.launches[k] > 0;
    for (size_t c = 0; c < COUNTERS; c++) {
        const struct rl_attributed *of = &shapes->found.of[k * COUNTERS + c];
        size_t least;
        truth_of(shapes, c, &least);
        if (!joins) {
            assert_memory_equal(of, &shapes->before[k * COUNTERS + c], sizeof *of);
            continue;
        }
        assert_int_equal(of->state, RL_ATTRIBUTED_GROUP);
        assert_int_equal(of->why, RL_ATTRIBUTED_TOLD);
        assert_int_equal(of->group, least);
        assert_true(of->group_total == shapes->found.of[least * COUNTERS + c].group_total);
    }
}

/* No shape has launches enough: all of them are one group. Whatever was told, and what no other class of its kernel shares, stays
 * as it was. */
static void untold_shapes_of_one_kernel_are_a_group(void **state)
{
    (void)state;
    static struct shapes shapes;
    size_t held = 0, narrow = 0;
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        run_shapes(seed, NULL, &shapes);
        assert_true(was_told(&shapes, 0) && !was_told(&shapes, FIRST) && !was_told(&shapes, LONE));
        rl_tell_together(&shapes.run.sampled, shapes.kernels, KERNELS, &shapes.found);
        for (size_t k = 0; k < CLASSES; k++)
            look_at(&shapes, k);
        for (size_t c = 0; c < COUNTERS; c++) {
            size_t least;
            const double truth = truth_of(&shapes, c, &least);
            const struct rl_attributed *of = &shapes.found.of[least * COUNTERS + c];
            held += fabs(of->group_total - truth) <= of->group_half_width;
            narrow += of->group_half_width <= .25 * truth;
        }
        end_shapes(&shapes);
    }
    print_message("%d runs, %d values: %zu held, %zu within 25 %%\n", RUNS, RUNS * COUNTERS, held, narrow);
    assert_true((double)held >= .95 * RUNS * COUNTERS);
    assert_true((double)narrow >= .9 * RUNS * COUNTERS);
}

/* Where all launches were in samples some shapes are told alone; the group is of the others. */
static void shapes_told_alone_are_in_no_group(void **state)
{
    (void)state;
    static struct shapes shapes;
    static double made[CLASSES];
    size_t told = 0;
    run_shapes(7, NULL, &shapes);
    memcpy(made, shapes.run.launches_in, sizeof made);
    end_shapes(&shapes);
    run_shapes(7, made, &shapes);
    for (size_t k = FIRST; k < LONE; k++)
        told += was_told(&shapes, k);
    assert_true(told > 20 && told < SHAPES / 2);
    rl_tell_together(&shapes.run.sampled, shapes.kernels, KERNELS, &shapes.found);
    for (size_t k = 0; k < CLASSES; k++)
        look_at(&shapes, k);
    for (size_t c = 0; c < COUNTERS; c++) {
        size_t least;
        const double truth = truth_of(&shapes, c, &least);
        assert_true(fabs(shapes.found.of[least * COUNTERS + c].group_total - truth) <=
                    shapes.found.of[least * COUNTERS + c].group_half_width);
    }
    end_shapes(&shapes);
}

/* A kernel on another GPU, or of another name, is another kernel; alone each stays untold. */
static void other_kernels_do_not_join(void **state)
{
    (void)state;
    static struct shapes shapes;
    static char own[KERNELS][8];
    for (size_t by_gpu = 0; by_gpu < 2; by_gpu++) {
        run_shapes(3, NULL, &shapes);
        for (size_t k = FIRST; k < KERNELS; k++) {
            snprintf(own[k], sizeof own[k], "k%zu", by_gpu ? 0 : k);
            shapes.kernels[k] = (struct rl_kernel){.mangled = own[k], .gpu = by_gpu ? k : 0};
        }
        rl_tell_together(&shapes.run.sampled, shapes.kernels, KERNELS, &shapes.found);
        assert_memory_equal(shapes.found.of, shapes.before, sizeof shapes.before);
        end_shapes(&shapes);
    }
}

/* Two classes of a kernel have too few launches together, too, unless these were all that there are. */
static void too_few_together_are_not_told(void **state)
{
    (void)state;
    static struct shapes shapes;
    static double made[CLASSES];
    const size_t pair[] = {LONE - 2, LONE - 1};
    for (size_t all_in = 0; all_in < 2; all_in++) {
        for (size_t k = 0; k < CLASSES; k++)
            made[k] = 1e6;
        run_shapes(5, made, &shapes);
        assert_true(shapes.found.launches[pair[0]] > 0 && shapes.found.launches[pair[1]] > 0 &&
                    shapes.found.launches[pair[0]] + shapes.found.launches[pair[1]] < 16);
        for (size_t i = 0; i < RL_COUNT(pair); i++) {
            shapes.kernels[pair[i]].mangled = names[0];
            made[pair[i]] = all_in ? shapes.found.launches[pair[i]] : 1e6;
        }
        rl_tell_together(&shapes.run.sampled, shapes.kernels, KERNELS, &shapes.found);
        for (size_t i = 0; i < RL_COUNT(pair); i++) {
            assert_int_equal(shapes.found.of[pair[i] * COUNTERS].state, all_in ? RL_ATTRIBUTED_GROUP : RL_ATTRIBUTED_NOT);
            assert_int_equal(shapes.found.of[pair[i] * COUNTERS].group, all_in ? pair[0] : pair[i]);
        }
        assert_int_equal(shapes.found.of[FIRST * COUNTERS].state, RL_ATTRIBUTED_GROUP);
        end_shapes(&shapes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untold_shapes_of_one_kernel_are_a_group),
        cmocka_unit_test(shapes_told_alone_are_in_no_group),
        cmocka_unit_test(other_kernels_do_not_join),
        cmocka_unit_test(too_few_together_are_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
