/* Least squares with results that are not negative, against problems whose answers are known and against their conditions. */
#include "rl_test.h"

#include <math.h>

#include "core/mem.h"
#include "nnls.h"

enum { MOST = 24, ROWS = 200 };
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
    rl_nnls_solve(&nnls, (const double[]){2, 0, 0, 4}, 2, (const double[]){6, 8}, 2, x);
    assert_true(fabs(x[0] - 3) < 1e-8 && fabs(x[1] - 2) < 1e-8);
    rl_nnls_solve(&nnls, (const double[]){2, 1, 1, 2}, 2, (const double[]){4, -1}, 2, x); /* without the bound (3, -2) */
    assert_true(fabs(x[0] - 2) < 1e-8 && x[1] == 0);
    rl_nnls_solve(&nnls, (const double[]){1, 1, 1, 1}, 2, (const double[]){5, 5}, 2, x); /* two columns that are one */
    assert_true(fabs(x[0] + x[1] - 5) < 1e-6 && x[0] >= 0 && x[1] >= 0);
    rl_nnls_solve(&nnls, (const double[]){0, 0, 0, 0, 3, 0, 0, 0, 1}, 3, (const double[]){0, 6, -2}, 3,
                  x); /* nothing of the first */
    assert_true(x[0] == 0 && fabs(x[1] - 2) < 1e-8 && x[2] == 0);
    rl_nnls_release(&nnls);
}

/* Karush, Kuhn and Tucker: what is above 0 has no gradient, what is 0 would only make it worse. */
static void solutions_are_optimal(void **state)
{
    (void)state;
    static double a[ROWS][MOST], b[ROWS], gram[MOST * MOST], moment[MOST], x[MOST];
    struct rl_nnls nnls;
    rl_nnls_init(&nnls, MOST);
    size_t held = 0;
    for (size_t problem = 0; problem < 200; problem++) {
        const size_t n = 1 + problem % MOST;
        for (size_t r = 0; r < ROWS; r++) {
            b[r] = random_number() - 0.3;
            for (size_t i = 0; i < n; i++)
                a[r][i] = random_number() < 0.3 ? random_number() : 0;
        }
        for (size_t i = 0; i < n; i++) {
            moment[i] = 0;
            for (size_t r = 0; r < ROWS; r++)
                moment[i] += a[r][i] * b[r];
            for (size_t k = 0; k < n; k++) {
                gram[i * n + k] = 0;
                for (size_t r = 0; r < ROWS; r++)
                    gram[i * n + k] += a[r][i] * a[r][k];
            }
        }
        rl_nnls_solve(&nnls, gram, n, moment, n, x);
        for (size_t i = 0; i < n; i++) {
            double gradient = moment[i];
            for (size_t k = 0; k < n; k++)
                gradient -= gram[i * n + k] * x[k];
            assert_true(x[i] >= 0 && (x[i] > 0 ? fabs(gradient) < 1e-5 : gradient < 1e-5));
            held += x[i] <= 0;
        }
    }
    assert_true(held > 100);
    rl_nnls_release(&nnls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(solutions_are_optimal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
