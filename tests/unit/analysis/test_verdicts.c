/* Verdicts: the rates of false and of right ones over thousands of made-up comparisons with fixed seeds.
 * What it prints is the table of docs/data/verdicts.md. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "analysis/verdict.h"
#include "core/mem.h"
#include "fixtures/series.h"

enum { MOST_SAMPLES = 100, COMPARISONS = 1500 };

static const struct rl_verdict_rules usual = {.confidence = RL_CONFIDENCE,
                                              .smallest_effect = RL_SMALLEST_EFFECT,
                                              .margin = RL_MARGIN,
                                              .session_effect = RL_SESSION_EFFECT,
                                              .comparisons = 1};

/* ---- over thousands ---- */

struct rates {
    size_t verdicts[4];
};

/* Verdicts on pairs of sessions whose second takes `effect` times as long. */
static struct rates try_model(const struct series_model *model, double effect, size_t n, size_t comparisons, uint64_t seed)
{
    struct random_source source = {seed};
    struct rl_verdict_rules rules = usual;
    struct rates rates = {{0}};
    rules.comparisons = comparisons;
    for (size_t i = 0; i < COMPARISONS; i++) {
        double a[MOST_SAMPLES], b[MOST_SAMPLES];
        const struct series_kernel kernel = draw_kernel(&source, model);
        const double clock = model->clocks ? 1 + 0.1 * (random_next(&source) - 0.5) : 1;
        draw_times(&source, model, &kernel, 1, a, n);
        draw_times(&source, model, &kernel, effect / clock, b, n);
        const struct rl_times base = {a, n, model->step_s, rl_value_of(1e9)}, new = {b, n, model->step_s, rl_value_of(1e9 * clock)};
        rates.verdicts[rl_change_of(&base, &new, &rules).verdict]++;
    }
    return rates;
}

static double percent(const struct rates *rates, enum rl_verdict verdict)
{
    return 100.0 * (double)rates->verdicts[verdict] / COMPARISONS;
}

static void unchanged_code_is_hardly_ever_faster_or_slower(void **state)
{
    (void)state;
    static const size_t numbers[] = {30, 100}, kernels[] = {1, 100};
    printf("\n%-12s %8s %8s %10s %8s %10s\n", "A/A", "samples", "kernels", "false %", "SAME %", "UNDECIDED %");
    for (size_t k = 0; k < RL_COUNT(kernels); k++)
        for (size_t s = 0; s < RL_COUNT(numbers); s++)
            for (size_t m = 0; m < series_model_count; m++) {
                const struct rates rates = try_model(&series_models[m], 1, numbers[s], kernels[k], 1 + m);
                const double wrong = percent(&rates, RL_FASTER) + percent(&rates, RL_SLOWER);
                printf("%-12s %8zu %8zu %10.2f %8.1f %10.1f\n", series_models[m].name, numbers[s], kernels[k], wrong,
                       percent(&rates, RL_SAME), percent(&rates, RL_UNDECIDED));
                assert_true(wrong <= 1);
            }
}

/* A change is never taken for its opposite, and what is large is found. */
static void planted_changes_are_found(void **state)
{
    (void)state;
    static const double effects[] = {1.02, 1.05, 1.20};
    printf("\n%-12s %8s %8s %8s %8s\n", "found %", "samples", "2 %", "5 %", "20 %");
    for (size_t s = 0; s < 2; s++)
        for (size_t m = 0; m < series_model_count; m++) {
            const size_t n = s ? 100 : 30;
            double found[RL_COUNT(effects)];
            for (size_t e = 0; e < RL_COUNT(effects); e++) {
                const struct rates up = try_model(&series_models[m], effects[e], n, 1, 100 + m);
                const struct rates down = try_model(&series_models[m], 1 / effects[e], n, 1, 200 + m);
                found[e] = (percent(&up, RL_SLOWER) + percent(&down, RL_FASTER)) / 2;
                assert_true(percent(&up, RL_FASTER) + percent(&down, RL_SLOWER) <= 1);
                assert_true(percent(&up, RL_SAME) + percent(&down, RL_SAME) <= 1);
            }
            printf("%-12s %8zu %8.0f %8.0f %8.0f\n", series_models[m].name, n, found[0], found[1], found[2]);
            assert_true(found[2] > 95);
        }
}

/* What an observed program keeps: 512 of 4260 launches, which drift. In order, and without order but marked so, nothing false is
 * said; taken for a series they would not show that they drift. */
static void parts_of_many_launches(void **state)
{
    (void)state;
    enum { LAUNCHES = 4260, KEPT = 512, PAIRS = 300 };
    static double all[LAUNCHES], kept[2][2][KEPT]; /* ordered or shuffled, base or new */
    struct random_source source = {4260};
    size_t wrong[3] = {0};
    for (size_t pair = 0; pair < PAIRS; pair++) {
        const struct series_kernel kernel = draw_kernel(&source, &series_models[4]);
        for (size_t side = 0; side < 2; side++) {
            draw_times(&source, &series_models[4], &kernel, 1, all, LAUNCHES);
            for (size_t i = 0, left = KEPT; i < LAUNCHES; i++) /* each launch with the same chance: Knuth's algorithm S */
                if (random_next(&source) * (double)(LAUNCHES - i) < (double)left)
                    kept[0][side][KEPT - left--] = all[i];
            memcpy(kept[1][side], kept[0][side], sizeof kept[0][side]);
            for (size_t i = KEPT - 1; i > 0; i--) {
                const size_t other = (size_t)(random_next(&source) * (double)(i + 1));
                const double time = kept[1][side][i];
                kept[1][side][i] = kept[1][side][other];
                kept[1][side][other] = time;
            }
        }
        for (size_t way = 0; way < 3; way++) {
            const struct rl_times base = {.seconds = kept[way > 0][0], .n = KEPT, .shuffled = way == 2};
            const struct rl_times new = {.seconds = kept[way > 0][1], .n = KEPT, .shuffled = way == 2};
            const enum rl_verdict verdict = rl_change_of(&base, &new, &usual).verdict;
            wrong[way] += verdict == RL_FASTER || verdict == RL_SLOWER;
        }
    }
    printf("\n512 of 4260 drifting launches, false %%: %.1f in order, %.1f without order, %.1f marked so\n",
           100.0 * (double)wrong[0] / PAIRS, 100.0 * (double)wrong[1] / PAIRS, 100.0 * (double)wrong[2] / PAIRS);
    assert_true(100 * wrong[0] <= PAIRS && 100 * wrong[2] <= PAIRS);
    assert_true(100 * wrong[1] > 5 * PAIRS); /* so the order matters */
}

/* How much a change must be over the noise: independent times, 30 samples, one kernel. */
static void planted_changes_by_noise(void **state)
{
    (void)state;
    static const double noises[] = {0.001, 0.002, 0.005, 0.01};
    double last = 101;
    printf("\n%-12s %10s\n", "noise %", "2 % found");
    for (size_t i = 0; i < RL_COUNT(noises); i++) {
        struct random_source source = {300 + i};
        const struct series_kernel kernel = {.noise = noises[i], .level_s = 1e-3};
        size_t found = 0;
        for (size_t c = 0; c < COMPARISONS; c++) {
            double a[30], b[30];
            draw_times(&source, &series_models[0], &kernel, 1, a, 30);
            draw_times(&source, &series_models[0], &kernel, 1.02, b, 30);
            const struct rl_times base = {a, 30, 0, rl_value_of(1e9)}, new = {b, 30, 0, rl_value_of(1e9)};
            found += rl_change_of(&base, &new, &usual).verdict == RL_SLOWER;
        }
        const double rate = 100.0 * (double)found / COMPARISONS;
        printf("%-12g %10.0f\n", 100 * noises[i], rate);
        assert_true(rate < last);
        last = rate;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unchanged_code_is_hardly_ever_faster_or_slower),
        cmocka_unit_test(planted_changes_are_found),
        cmocka_unit_test(parts_of_many_launches),
        cmocka_unit_test(planted_changes_by_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
