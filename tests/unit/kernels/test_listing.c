/* The code of the kernels as text. */
#include "rl_test.h"

#include "kernels/listing.h"
#include "kernels/suite.h"

/* Which experiments have code of their own; others are launches of the driver's. */
static void every_experiment_has_its_code(void **state)
{
    (void)state;
    for (size_t e = 0; e < rl_suite_count; e++) {
        size_t kernels = 0;
        for (size_t i = 0; i < rl_suite_listing_count; i++) {
            const char *experiment = rl_suite_listing_experiment(&rl_suite_listings[i]);
            if (experiment && strcmp(experiment, rl_suite[e].name) == 0)
                kernels += strstr(rl_suite_listings[i].text, "__global__") != NULL;
        }
        if (kernels == 0)
            fail_msg("%s has no code", rl_suite[e].name);
    }
}

/* What launches and checks is left out, comments stay, braces are in pairs. */
static void code_is_what_runs_on_the_card(void **state)
{
    (void)state;
    for (size_t i = 0; i < rl_suite_listing_count; i++) {
        const struct rl_suite_listing *listing = &rl_suite_listings[i];
        long depth = 0;
        for (const char *c = listing->text; *c; c++)
            depth += (*c == '{') - (*c == '}');
        assert_int_equal(depth, 0);
        assert_null(strstr(listing->text, "RL_SUITE_OPS"));
        assert_null(strstr(listing->text, "#include"));
        assert_int_equal(listing->text[strlen(listing->text) - 1], '\n');
    }
}

static void a_file_belongs_to_the_longest_name(void **state)
{
    (void)state;
    assert_string_equal(rl_suite_listing_experiment(&(struct rl_suite_listing){.file = "matmul_tensor"}), "matmul");
    assert_string_equal(rl_suite_listing_experiment(&(struct rl_suite_listing){.file = "self_check"}), "self_check");
    assert_null(rl_suite_listing_experiment(&(struct rl_suite_listing){.file = "matmul2"}));
    assert_null(rl_suite_listing_experiment(&(struct rl_suite_listing){.file = "device"}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_experiment_has_its_code),
        cmocka_unit_test(code_is_what_runs_on_the_card),
        cmocka_unit_test(a_file_belongs_to_the_longest_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
