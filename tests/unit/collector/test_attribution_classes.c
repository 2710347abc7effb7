/* Samples of simulated programs of many classes, with kernels that run beside one another, and with mixed work inside a class. */
#include "simulated_samples.h"

/* ---- many classes ---- */

/* Kernels of 30 to 130 us in any order: each takes five columns, where there is room. */
static void make_many(size_t classes, struct simulation *of)
{
    *of = (struct simulation){.name = "many",
                              .kinds = classes,
                              .order = "?",
                              .gap_us = 3,
                              .gap_spread = 0.5,
                              .break_us = 6,
                              .sample_us = 20,
                              .noise = 0.01,
                              .shift_us = -0.6,
                              .samples = 6000 + 150 * classes};
    for (size_t k = 0; k < classes; k++) {
        const double us = 130 - 100 * (double)k / (double)classes;
        of->kind[k] = (struct kind){us, .03, {us, us * (double)(1 + k * 7 % 11), us * (double)(1 + k * 5 % 9)}, 0};
    }
}

/* How many of the values of the first `classes` are told, held by their interval, and off by more than 3 %. */
struct tally {
    size_t told, held, off;
};

static struct tally look_at(const struct run *run, const struct rl_attribution *found, size_t classes)
{
    struct tally tally = {0};
    for (size_t i = 0; i < classes * COUNTERS; i++) {
        const double truth = run->truth[i] / run->launches_in[i / COUNTERS], off = fabs(found->of[i].per_launch - truth);
        if (found->of[i].state != RL_ATTRIBUTED_ALONE)
            continue;
        tally.told++;
        tally.held += off <= found->of[i].half_width;
        tally.off += off > 0.03 * truth;
    }
    return tally;
}

static void many_classes_have_right_values(void **state)
{
    (void)state;
    static const size_t counts[] = {20, 60, 150, 400};
    static struct simulation many;
    for (size_t i = 0; i < RL_COUNT(counts); i++) {
        struct run run;
        struct rl_attribution found;
        make_many(counts[i], &many);
        simulate(&many, 11 + i, &run);
        assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
        const struct tally tally = look_at(&run, &found, counts[i]);
        print_message("%zu classes, %zu columns: %zu told, %zu held, %zu off\n", counts[i], found.columns, tally.told, tally.held,
                      tally.off);
        assert_int_equal(tally.told, counts[i] * COUNTERS);
        assert_true((double)tally.held >= 0.93 * (double)tally.told);
        assert_int_equal(tally.off, 0);
        assert_true(found.rest <= 0);
        rl_attribution_release(&found);
        release(&run);
    }
}

/* The classes of the least time are in no column of their own; nothing is said of them but why. */
static void what_is_not_in_is_not_told(void **state)
{
    (void)state;
    enum { CLASSES = 430, IN = 400 };
    static struct simulation many;
    struct run run;
    struct rl_attribution found;
    size_t rest = 0;
    make_many(CLASSES, &many);
    simulate(&many, 5, &run);
    run.sampled.class_count++; /* one that was never launched */
    assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
    for (size_t k = 0; k < CLASSES; k++) {
        const struct rl_attributed *of = &found.of[k * COUNTERS + BYTES];
        assert_int_equal(of->state, of->why == RL_ATTRIBUTED_TOLD ? RL_ATTRIBUTED_ALONE : RL_ATTRIBUTED_NOT);
        assert_true(of->why == RL_ATTRIBUTED_TOLD || of->why == RL_ATTRIBUTED_REST);
        rest += of->why == RL_ATTRIBUTED_REST;
    }
    assert_int_equal(found.columns, IN + 2);
    assert_int_equal(rest, CLASSES - IN);
    assert_true(found.rest > 0.01 && found.rest < (double)rest / CLASSES);
    assert_int_equal(found.of[CLASSES * COUNTERS].why, RL_ATTRIBUTED_NONE);
    assert_non_null(strstr(rl_attributed_why(RL_ATTRIBUTED_NONE), "none of its launches"));
    const struct tally tally = look_at(&run, &found, CLASSES);
    assert_true((double)tally.held >= 0.93 * (double)tally.told);
    rl_attribution_release(&found);
    release(&run);
}

#define TEN "ababababab"

static void few_launches_are_not_told(void **state)
{
    (void)state;
    static const struct simulation rare = {.name = "rare",
                                           .kinds = 3,
                                           .order = TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN "c",
                                           .gap_us = 4,
                                           .gap_spread = 0.5,
                                           .sample_us = 20,
                                           .noise = 0.01,
                                           .samples = 2500,
                                           .kind = {{30, .02, {30, 5, 30}}, {50, .02, {50, 9, 10}}, {40, .02, {40, 9, 70}}}};
    struct run run;
    struct rl_attribution found;
    simulate(&rare, 3, &run);
    assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
    assert_true(run.launches_in[2] > 4 && run.launches_in[2] < 16);
    for (size_t c = 0; c < COUNTERS; c++) {
        assert_int_equal(found.of[COUNTERS + c].why, RL_ATTRIBUTED_TOLD);
        assert_int_equal(found.of[2 * COUNTERS + c].state, RL_ATTRIBUTED_NOT);
        assert_int_equal(found.of[2 * COUNTERS + c].why, RL_ATTRIBUTED_FEW);
    }
    rl_attribution_release(&found);
    release(&run);
}

/* ---- kernels beside one another ---- */

/* The part of the time of a class's launches in which any other launch ran, looked at launch by launch. */
static double beside_of(const struct run *run, size_t class_id)
{
    double all = 0, beside = 0;
    for (size_t i = 0; i < run->count; i++) {
        const struct rl_span *own = &run->launches[i];
        uint64_t until = own->start_ns;
        if (own->class_id != class_id)
            continue;
        all += (double)(own->end_ns - own->start_ns);
        for (size_t k = 0; k < run->count && run->launches[k].start_ns < own->end_ns; k++) {
            const struct rl_span *other = &run->launches[k];
            const uint64_t from = other->start_ns > until ? other->start_ns : until;
            const uint64_t to = other->end_ns < own->end_ns ? other->end_ns : own->end_ns;
            if (k == i || to <= from)
                continue;
            beside += (double)(to - from);
            until = to;
        }
    }
    return beside / all;
}

/* Two streams: what a launch does adds up with what others do meanwhile. */
static void kernels_beside_others_are_shared(void **state)
{
    (void)state;
    struct simulation streams = {
        .name = "two streams",
        .kinds = 4,
        .order = "aba",
        .beside = "cdd",
        .gap_us = 14,
        .gap_spread = 0.9,
        .break_us = 30,
        .sample_us = 20,
        .noise = 0.01,
        .shift_us = -0.6,
        .delay_us = 0.5,
        .tail_us = 1,
        .samples = 9000,
        .kind = {{40, .1, {40, 9, 100}}, {70, .1, {70, 20, 60}}, {55, .1, {55, 4, 200}}, {25, .1, {25, 12, 30}}}};
    for (int alone = 0; alone < 2; alone++) {
        struct run run;
        struct rl_attribution found;
        size_t held = 0;
        if (alone) {
            streams.order = "abcdad";
            streams.beside = NULL;
        }
        simulate(&streams, 9, &run);
        assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
        for (size_t k = 0; k < streams.kinds; k++) {
            assert_true(alone ? found.beside[k] <= 0 : found.beside[k] > 0.3 && found.beside[k] < 0.9);
            assert_true(fabs(found.beside[k] - beside_of(&run, k)) < 1e-6);
            for (size_t c = 0; c < COUNTERS; c++) {
                const struct rl_attributed *of = &found.of[k * COUNTERS + c];
                const double truth = run.truth[k * COUNTERS + c] / run.launches_in[k];
                assert_int_equal(of->state, RL_ATTRIBUTED_ALONE);
                assert_close(of->per_launch, truth, 0.03);
                held += fabs(of->per_launch - truth) <= of->half_width;
            }
        }
        assert_true(held + 1 >= streams.kinds * COUNTERS);
        rl_attribution_release(&found);
        release(&run);
    }
}

/* ---- mixed work inside a class ---- */

static const struct simulation mixed = {.name = "mixed",
                                        .kinds = 3,
                                        .order = "abcac",
                                        .gap_us = 2,
                                        .gap_spread = 0.3,
                                        .break_us = 4,
                                        .sample_us = 20,
                                        .noise = 0.01,
                                        .shift_us = -0.7,
                                        .delay_us = 0.7,
                                        .tail_us = 1.5,
                                        .samples = 20000,
                                        .kind = {{12, .05, {12, 9, 30}, 6}, {50, .02, {50, 3, 200}}, {30, .05, {30, 3, 10}}}};

static void work_goes_with_length(void **state)
{
    (void)state;
    struct run run;
    struct rl_attribution found;
    size_t of_length[3] = {0};
    simulate(&mixed, 4, &run);
    assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
    for (size_t i = 0; i < found.part_count; i++) {
        const struct rl_attributed_part *part = &found.parts[i];
        if (part->by_position)
            continue;
        of_length[part->class_id]++;
        assert_int_equal(part->class_id, 0);
        const double times = part->mean_ns > 30e3 ? 6 : 1; /* every third launch */
        assert_true(part->from_ns <= part->mean_ns && part->mean_ns <= part->to_ns);
        assert_true(fabs(part->mean_ns - 12e3 * times) < 600 * times);
        assert_close(part->launches, found.launches[0] * (times > 1 ? 0.33 : 0.67), 0.1);
        for (size_t c = 0; c < COUNTERS; c++) {
            const struct rl_attributed_mean *value = &found.part_values[i * COUNTERS + c];
            assert_true(value->known);
            assert_close(value->per_launch, mixed.kind[0].work[c] * times, 0.04);
            assert_true(fabs(value->per_launch - mixed.kind[0].work[c] * times) <= 1.5 * value->half_width);
        }
    }
    assert_int_equal(of_length[0], 2);
    rl_attribution_release(&found);
    release(&run);
}

/* The work of class 0 doubles from the beginning of the run to its end; that of the others stays. */
static void work_goes_with_position(void **state)
{
    (void)state;
    struct simulation drifts = mixed;
    struct run run;
    struct rl_attribution found;
    size_t tenths = 0, held = 0, values = 0;
    drifts.kind[0].mixed = 0;
    drifts.drift = 1;
    simulate(&drifts, 6, &run);
    assert_int_equal(rl_attribute(&run.sampled, &found, NULL), RL_OK);
    for (size_t i = 0; i < found.part_count; i++) {
        const struct rl_attributed_part *part = &found.parts[i];
        const double middle = (part->from_ns + part->to_ns) / 2 / (drifts.sample_us * 1e3 * (double)drifts.samples);
        assert_true(part->by_position);
        assert_true(fabs(middle - (double)(tenths % 10) / 10 - 0.05) < 1e-3);
        tenths++;
        for (size_t c = 0; c < COUNTERS; c++) {
            const struct rl_attributed_mean *value = &found.part_values[i * COUNTERS + c];
            const double truth = drifts.kind[part->class_id].work[c] * (part->class_id == 0 && c != BUSY ? 1 + middle : 1);
            assert_true(value->known);
            assert_close(value->per_launch, truth, part->class_id == 2 ? 0.1 : 0.05); /* class 2 does little */
            held += fabs(value->per_launch - truth) <= value->half_width;
            values++;
        }
    }
    print_message("%zu of %zu values of tenths held\n", held, values);
    assert_int_equal(tenths, 3 * RL_ATTRIBUTED_TENTHS);
    assert_true((double)held >= 0.9 * (double)values);
    rl_attribution_release(&found);
    release(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_classes_have_right_values), cmocka_unit_test(what_is_not_in_is_not_told),
        cmocka_unit_test(few_launches_are_not_told),      cmocka_unit_test(kernels_beside_others_are_shared),
        cmocka_unit_test(work_goes_with_length),          cmocka_unit_test(work_goes_with_position),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
