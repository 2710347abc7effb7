/* The table of the random input: what it says is what the generator says, in it and beyond it. */
#include "rl_test.h"

#include "core/mem.h"
#include "kernels/inputs.h"

static void says_the_same(uint64_t seed, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; i++)
        assert_true(rl_input_unit(seed, i) == rl_random_unit(seed, i));
}

static void the_table_grows_and_ends(void **state)
{
    static const uint64_t counts[] = {1, 65535, 65536, 65537, 65537, 1000, 1000003};
    uint64_t most = 0;

    (void)state;
    says_the_same(1, 0, 100); /* there is none yet */
    for (size_t i = 0; i < RL_COUNT(counts); i++) {
        rl_inputs_have(1, counts[i]);
        most = counts[i] > most ? counts[i] : most;
        assert_true(rl_inputs.count == most && rl_inputs.seed == 1);
        says_the_same(1, 0, most + 100);
    }
    says_the_same(2, 0, 100); /* not the table's */
    rl_inputs_have(2, 500);
    assert_true(rl_inputs.count == 500 && rl_inputs.seed == 2);
    says_the_same(2, 0, 600);
    says_the_same(1, 0, 600);
    rl_inputs_release();
    assert_true(rl_inputs.count == 0);
    says_the_same(2, 0, 600);
    rl_inputs_have(3, 600);
    says_the_same(3, 0, 700);
    rl_inputs_release();
}

/* Also where an index of 32 bits would come round to the table again. */
static void far_elements_are_not_in_the_table(void **state)
{
    (void)state;
    rl_inputs_have(1, 100);
    assert_true(rl_inputs.count == 100);
    says_the_same(1, UINT64_C(1) << 32, (UINT64_C(1) << 32) + 100);
    says_the_same(1, UINT64_C(1) << 40, (UINT64_C(1) << 40) + 100);
    rl_inputs_release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_table_grows_and_ends),
                                       cmocka_unit_test(far_elements_are_not_in_the_table)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
