/* Least squares with results that are not negative, against problems whose answers are known and against their conditions. */
#include "rl_test.h"

#include <math.h>

#include "core/mem.h"
#include "nnls.h"

enum { MOST = 24, ROWS = 200, RIGHT = 5 };
static uint64_t state_of_random = 88172645463325252u;

/* xorshift64, in [0, 1). */
static double random_number(void)
{
    state_of_random ^= state_of_random << 13;
    state_of_random ^= state_of_random >> 7;
    state_of_random ^= state_of_random << 17;
    return (double)(state_of_random >> 11) * 0x1p-53;
}

static void known_answers(void **state)
{
    (void)state;
    struct rl_nnls nnls;
    double x[3];
    rl_nnls_init(&nnls, 3);
    rl_nnls_take(&nnls, (const double[]){2, 0, 0, 4}, 2, 2);
    rl_nnls_solve(&nnls, (const double[]){6, 8}, NULL, x);
    assert_true(fabs(x[0] - 3) < 1e-8 && fabs(x[1] - 2) < 1e-8);
    rl_nnls_take(&nnls, (const double[]){2, 1, 1, 2}, 2, 2);
    rl_nnls_solve(&nnls, (const double[]){4, -1}, NULL, x); /* without the bound (3, -2) */
    assert_true(fabs(x[0] - 2) < 1e-8 && x[1] == 0);
    rl_nnls_take(&nnls, (const double[]){1, 1, 1, 1}, 2, 2);
    rl_nnls_solve(&nnls, (const double[]){5, 5}, NULL, x); /* two columns that are one */
    assert_true(fabs(x[0] + x[1] - 5) < 1e-6 && x[0] >= 0 && x[1] >= 0);
    rl_nnls_take(&nnls, (const double[]){0, 0, 0, 0, 3, 0, 0, 0, 1}, 3, 3);
    rl_nnls_solve(&nnls, (const double[]){0, 6, -2}, NULL, x); /* nothing of the first */
    assert_true(x[0] == 0 && fabs(x[1] - 2) < 1e-8 && x[2] == 0);
    rl_nnls_release(&nnls);
}

struct problem {
    double a[ROWS][MOST], b[RIGHT][ROWS], gram[MOST * MOST], moment[RIGHT][MOST];
};

/* One matrix with several right-hand sides, of which some are alike. */
static void make_problem(struct problem *of, size_t n)
{
    *of = (struct problem){0};
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t m = 0; m < RIGHT; m++)
            of->b[m][r] = m % 2 ? of->b[m - 1][r] + 0.1 * random_number() : random_number() - 0.3;
        for (size_t i = 0; i < n; i++)
            of->a[r][i] = random_number() < 0.3 ? random_number() : 0;
    }
    for (size_t r = 0; r < ROWS; r++)
        for (size_t i = 0; i < n; i++) {
            for (size_t m = 0; m < RIGHT; m++)
                of->moment[m][i] += of->a[r][i] * of->b[m][r];
            for (size_t k = 0; k < n; k++)
                of->gram[i * n + k] += of->a[r][i] * of->a[r][k];
        }
}

/* Karush, Kuhn and Tucker: what is above 0 has no gradient, what is 0 would only make it worse. Returns how many are 0. */
static size_t need_optimum(const struct problem *of, size_t n, const double *moment, const double *x)
{
    size_t held = 0;
    for (size_t i = 0; i < n; i++) {
        double gradient = moment[i];
        for (size_t k = 0; k < n; k++)
            gradient -= of->gram[i * n + k] * x[k];
        assert_true(x[i] >= 0 && (x[i] > 0 ? fabs(gradient) < 1e-5 : gradient < 1e-5));
        held += x[i] <= 0;
    }
    return held;
}

/* Whatever was solved before with the same matrix, and wherever the search begins. */
static void solutions_are_optimal(void **state)
{
    (void)state;
    static struct problem of;
    double x[RIGHT][MOST];
    struct rl_nnls nnls;
    rl_nnls_init(&nnls, MOST);
    size_t held = 0;
    for (size_t problem = 0; problem < 200; problem++) {
        const size_t n = 1 + problem % MOST;
        make_problem(&of, n);
        rl_nnls_take(&nnls, of.gram, n, n);
        for (size_t m = 0; m < RIGHT; m++) {
            rl_nnls_solve(&nnls, of.moment[m], m % 3 == 1 ? x[m - 1] : NULL, x[m]);
            held += need_optimum(&of, n, of.moment[m], x[m]);
        }
    }
    assert_true(held > 400);
    rl_nnls_release(&nnls);
}

static void nothing_to_explain_is_zero(void **state)
{
    (void)state;
    struct rl_nnls nnls;
    double x[2] = {7, 7};
    rl_nnls_init(&nnls, 2);
    rl_nnls_take(&nnls, (const double[]){2, 1, 1, 2}, 2, 2);
    rl_nnls_solve(&nnls, (const double[]){0, 0}, NULL, x);
    assert_true(x[0] == 0 && x[1] == 0);
    rl_nnls_solve(&nnls, (const double[]){3, 3}, (const double[]){0, 0}, x); /* what is let free again is found */
    assert_true(fabs(x[0] - 1) < 1e-8 && fabs(x[1] - 1) < 1e-8);
    rl_nnls_release(&nnls);
}

/* The edge of a launch, all of which is in samples that its neighbour fills: what is left of it beside that one is rounding. */
static void rounding_is_no_unknown(void **state)
{
    (void)state;
    static const double gram[] = {9.4714455722844093e-10,
                                  2.3176512841692476e-05,
                                  3.9009992167673624e-07,
                                  0,
                                  2.3176512841692476e-05,
                                  0.56712647946415118,
                                  0.0096714055628357738,
                                  1.3732333399196858e-07,
                                  3.9009992167673624e-07,
                                  0.0096714055628357738,
                                  0.93289949101489456,
                                  0.002701108960381384,
                                  0,
                                  1.3732333399196858e-07,
                                  0.002701108960381384,
                                  0.077370000555680607};
    static const double moment[] = {0.0028431313930639135, 69.676619685059677, 801.97181472118996, 827.12966703285133};
    struct rl_nnls nnls;
    double x[4];
    rl_nnls_init(&nnls, 4);
    for (double scale = 1; scale < 1e9; scale *= 10) {
        double scaled[4];
        for (size_t i = 0; i < 4; i++)
            scaled[i] = scale * moment[i];
        rl_nnls_take(&nnls, gram, 4, 4);
        rl_nnls_solve(&nnls, scaled, NULL, x);
        assert_true(x[0] >= 0 && x[0] < 1e4 * scale && fabs(x[1] - 109 * scale) < 2 * scale);
        assert_true(fabs(x[2] - 828 * scale) < scale && fabs(x[3] - 10662 * scale) < 10 * scale);
    }
    rl_nnls_release(&nnls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(solutions_are_optimal),
        cmocka_unit_test(nothing_to_explain_is_zero),
        cmocka_unit_test(rounding_is_no_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
