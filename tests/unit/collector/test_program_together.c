/* Classes of one kernel that samples tell nothing of alone: what is told of them together, and what stays as it was. Simulated
 * programs, so that it is known what each launch did. */
#include "program_together.h"

#include <string.h>

#include "simulated_samples.h"

enum { FIRST = 1, SHAPES = 400, LONE = FIRST + SHAPES, OTHERS, CLASSES, KERNELS = OTHERS, RUNS = 20 };

#define TEN_OF(of) of of of of of of of of of of
/* Shapes in any order; in their order, each longer than the one before; and each behind a launch of the other kernel, mostly in
 * the same sample. */
enum { ANY_ORDER, IN_ORDER, MIXED, BEHIND, ORDERS };
static const struct {
    const char *name, *order;
    double us, gap_us, gap_spread, sample_us;
    size_t samples;
} orders[ORDERS] = {[ANY_ORDER] = {"in any order", "a" TEN_OF("????"), 30, 6, .9, 20, 500},
                    [IN_ORDER] = {"in their order", "a" TEN_OF("++"), 30, 6, .9, 20, 250},
                    [MIXED] = {"beside another kernel", TEN_OF("a+"), 4, 3, .9, 20, 500},
                    [BEHIND] = {"always right behind another kernel", TEN_OF("a+"), 2, .1, 0, 100, 150}};

/* Class 0 is a kernel of 4 or 30 us; then shapes of one kernel, each launched a few times for 1 to 5 us; one class of another
 * kernel that is launched as seldom; and launches of no kernel of the capture. */
static void make_shapes(size_t order, struct simulation *of)
{
    *of = (struct simulation){.name = orders[order].name,
                              .kinds = CLASSES,
                              .order = orders[order].order,
                              .gap_us = orders[order].gap_us,
                              .gap_spread = orders[order].gap_spread,
                              .break_us = 60,
                              .sample_us = orders[order].sample_us,
                              .noise = .01,
                              .shift_us = .4,
                              .samples = orders[order].samples};
    of->kind[0] = (struct kind){orders[order].us, .02, {orders[order].us, 900, 600}, 0};
    for (size_t k = FIRST; k < CLASSES; k++) {
        const double us = 1 + 4 * (double)(k - FIRST) / SHAPES;
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

static void run_shapes(size_t order, uint64_t seed, const double *made, struct shapes *shapes)
{
    static struct simulation program;
    make_shapes(order, &program);
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
    bool told = false;
    for (size_t c = 0; c < COUNTERS; c++)
        told = told || shapes->before[k * COUNTERS + c].state != RL_ATTRIBUTED_NOT;
    return told;
}

static size_t count_shapes(const struct shapes *shapes, bool told)
{
    size_t count = 0;
    for (size_t k = FIRST; k < LONE; k++)
        count += was_told(shapes, k) == told && shapes->found.launches[k] > 0;
    return count;
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

/* Those that were not told have the value of their group, where there is one; all else stays. */
static void look_at(const struct shapes *shapes, size_t k)
{
    const bool joins = k >= FIRST && k < LONE && !was_told(shapes, k) && shapes->found.launches[k] > 0;
    for (size_t c = 0; c < COUNTERS; c++) {
        const struct rl_attributed *of = &shapes->found.of[k * COUNTERS + c];
        size_t least;
        truth_of(shapes, c, &least);
        const struct rl_attributed *first = &shapes->found.of[least * COUNTERS + c];
        if (!joins || first->state == RL_ATTRIBUTED_NOT) {
            assert_memory_equal(of, &shapes->before[k * COUNTERS + c], sizeof *of);
            continue;
        }
        assert_int_equal(of->state, RL_ATTRIBUTED_GROUP);
        assert_int_equal(of->why, RL_ATTRIBUTED_TOLD);
        assert_int_equal(of->group, least);
        assert_true(of->group_total == first->group_total && of->group_half_width == first->group_half_width);
    }
}

/* How many values of the group are told, and held by their interval; the widest of these: half over the value. */
struct tally {
    size_t told, held;
    double widest;
};

static void add_group(const struct shapes *shapes, struct tally *tally)
{
    for (size_t c = 0; c < COUNTERS; c++) {
        size_t least;
        const double truth = truth_of(shapes, c, &least);
        const struct rl_attributed *of = &shapes->found.of[least * COUNTERS + c];
        if (of->state == RL_ATTRIBUTED_NOT)
            continue;
        tally->told++;
        tally->held += fabs(of->group_total - truth) <= of->group_half_width;
        tally->widest = fmax(tally->widest, of->group_half_width / truth);
    }
}

static struct tally run_all(size_t order, bool all_in)
{
    static struct shapes shapes;
    static double made[CLASSES];
    struct tally tally = {0};
    for (uint64_t seed = 1; seed <= RUNS; seed++) {
        run_shapes(order, seed, NULL, &shapes);
        if (all_in) {
            memcpy(made, shapes.run.launches_in, sizeof made);
            end_shapes(&shapes);
            run_shapes(order, seed, made, &shapes);
        }
        assert_true(was_told(&shapes, 0) && count_shapes(&shapes, false) > SHAPES / 4);
        assert_true(!all_in || count_shapes(&shapes, true) > 10);
        rl_tell_together(&shapes.run.sampled, shapes.kernels, KERNELS, &shapes.found);
        for (size_t k = 0; k < CLASSES; k++)
            look_at(&shapes, k);
        add_group(&shapes, &tally);
        end_shapes(&shapes);
    }
    print_message("%s%s: %d runs, %d values: %zu told, %zu held, the widest is +-%.3f\n", orders[order].name,
                  all_in ? ", all in samples" : "", RUNS, RUNS * COUNTERS, tally.told, tally.held, tally.widest);
    return tally;
}

/* Shapes that have too few launches, or no column, are one group. Whatever was told, and what no other class of its kernel shares,
 * stays as it was. */
static void untold_shapes_of_one_kernel_are_a_group(void **state)
{
    (void)state;
    for (size_t order = 0; order < ORDERS; order++)
        for (size_t all_in = 0; all_in < 2; all_in++) {
            const struct tally tally = run_all(order, all_in);
            assert_true((double)tally.held >= .95 * (double)tally.told);
            assert_true(order == MIXED ||
                        (order == BEHIND ? tally.told < RUNS * COUNTERS / 2 : tally.told == RUNS * COUNTERS && tally.widest < .11));
        }
}

/* A kernel on another GPU, or of another name, is another kernel; alone each stays untold. */
static void other_kernels_do_not_join(void **state)
{
    (void)state;
    static struct shapes shapes;
    static char own[KERNELS][8];
    for (size_t by_gpu = 0; by_gpu < 2; by_gpu++) {
        run_shapes(ANY_ORDER, 3, NULL, &shapes);
        for (size_t k = FIRST; k < KERNELS; k++) {
            snprintf(own[k], sizeof own[k], "k%zu", by_gpu ? 0 : k);
            shapes.kernels[k] = (struct rl_kernel){.mangled = own[k], .gpu = by_gpu ? k : 0};
        }
        rl_tell_together(&shapes.run.sampled, shapes.kernels, KERNELS, &shapes.found);
        assert_memory_equal(shapes.found.of, shapes.before, sizeof shapes.before);
        end_shapes(&shapes);
    }
}

/* Two classes of a kernel have too few launches together, too, unless these were all that there are of both. */
static void too_few_together_are_not_told(void **state)
{
    (void)state;
    static struct shapes shapes;
    static double made[CLASSES];
    const size_t pair[] = {LONE - 2, LONE - 1};
    for (size_t known = 0; known < 4; known++) { /* a bit for each: its launches were all in samples */
        const bool all_in = known == 3;
        for (size_t k = 0; k < CLASSES; k++)
            made[k] = 1e6;
        run_shapes(ANY_ORDER, 5, made, &shapes);
        assert_true(shapes.found.launches[pair[0]] > 0 && shapes.found.launches[pair[1]] > 0 &&
                    shapes.found.launches[pair[0]] + shapes.found.launches[pair[1]] < 16);
        made[LONE] = shapes.found.launches[LONE]; /* it would be told by now: that is not what is asked */
        for (size_t i = 0; i < RL_COUNT(pair); i++) {
            shapes.kernels[pair[i]].mangled = names[0];
            made[pair[i]] = known & (1u << i) ? shapes.found.launches[pair[i]] : 1e6;
        }
        rl_tell_together(&shapes.run.sampled, shapes.kernels, KERNELS, &shapes.found);
        for (size_t i = 0; i < RL_COUNT(pair); i++) {
            assert_int_equal(shapes.found.of[pair[i] * COUNTERS].state, all_in ? RL_ATTRIBUTED_GROUP : RL_ATTRIBUTED_NOT);
            assert_int_equal(shapes.found.of[pair[i] * COUNTERS].group, all_in ? pair[0] : pair[i]);
        }
        assert_int_equal(shapes.found.of[FIRST * COUNTERS].state, RL_ATTRIBUTED_GROUP);
        assert_int_equal(shapes.found.of[LONE * COUNTERS].state, RL_ATTRIBUTED_NOT);
        end_shapes(&shapes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(untold_shapes_of_one_kernel_are_a_group),
        cmocka_unit_test(other_kernels_do_not_join),
        cmocka_unit_test(too_few_together_are_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
