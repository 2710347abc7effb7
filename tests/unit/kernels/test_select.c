/* Choosing variants by arguments. */
#include "rl_test.h"

#include "core/mem.h"
#include "kernels/suite.h"

static size_t variant_count(const struct rl_suite_experiment *experiment)
{
    size_t count = 0;

    while (experiment->variants[count].name)
        count++;
    return count;
}

static void nothing_selects_everything(void **state)
{
    struct rl_suite_item *items;
    size_t count, expected = 0;

    (void)state;
    for (size_t i = 0; i < rl_suite_count; i++)
        expected += variant_count(&rl_suite[i]);
    assert_int_equal(rl_suite_select(NULL, 0, &items, &count, NULL), RL_OK);
    assert_int_equal(count, expected);
    assert_ptr_equal(items[0].experiment, &rl_suite[0]);
    assert_ptr_equal(items[0].variant, &rl_suite[0].variants[0]);
    assert_ptr_equal(items[count - 1].experiment, &rl_suite[rl_suite_count - 1]);
    free(items);
}

static void arguments_select_in_their_order_and_once(void **state)
{
    static const char *const args[] = {"transpose/tiled", "ilp", "transpose", "ilp/serial"};
    static const char *const expected[] = {"tiled", "serial", "unrolled4", "vector4", "copy", "naive", "tiled_padded"};
    struct rl_suite_item *items;
    size_t count;

    (void)state;
    assert_int_equal(rl_suite_select(args, RL_COUNT(args), &items, &count, NULL), RL_OK);
    assert_int_equal(count, RL_COUNT(expected));
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(items[i].variant->name, expected[i]);
        assert_ptr_equal(rl_suite_find_variant(items[i].experiment, expected[i]), items[i].variant);
    }
    free(items);
}

/* The argument comes after one that is good: what it selected must not leak or be handed out. */
static void refused(const char *arg, const char *part_of_text)
{
    const char *const args[] = {"coalescing", arg};
    struct rl_suite_item *items;
    size_t count;
    struct rl_err err = RL_ERR_INIT;

    assert_int_equal(rl_suite_select(args, 2, &items, &count, &err), RL_USAGE);
    assert_null(items);
    assert_int_equal(count, 0);
    if (!strstr(err.text, part_of_text))
        fail_msg("'%s' is not in '%s'", part_of_text, err.text);
}

static void unknown_names_are_refused_with_the_nearest(void **state)
{
    char *long_name = rl_calloc(3001, 1);

    (void)state;
    refused("coalesing", "unknown experiment 'coalesing': did you mean 'coalescing'?");
    refused("transposed", "did you mean 'transpose'?");
    refused("Divergence", "did you mean 'divergence'?");
    refused("lip", "did you mean 'ilp'?");
    refused("", "unknown experiment ''");
    refused("/stride_1", "unknown experiment ''");
    refused("coalescing/stride_3", "has no variant 'stride_3': did you mean 'coalescing/stride_");
    refused("transpose/padded", "did you mean 'transpose/tiled_padded'?");
    refused("ilp/", "experiment 'ilp' has no variant ''");
    refused("ilp/serial/x", "has no variant 'serial/x': did you mean 'ilp/serial'?");
    refused("nonesuch", "unknown experiment 'nonesuch': 'rooflight list kernels' shows all"); /* no slip for any of them */
    refused("coalescing/bogus", "has no variant 'bogus': 'rooflight list kernels' shows all");
    memset(long_name, 'x', 3000);
    refused(long_name, "unknown experiment 'xxx");
    refused(long_name, "xxx': 'rooflight list kernels' shows all");
    free(long_name);
}

static void control_characters_stay_out_of_the_text(void **state)
{
    static const char *const args[] = {"ilp/\x1b[31m\n"};
    struct rl_suite_item *items;
    size_t count;
    struct rl_err err = RL_ERR_INIT;

    (void)state;
    assert_int_equal(rl_suite_select(args, 1, &items, &count, &err), RL_USAGE);
    assert_null(strchr(err.text, '\n'));
    assert_null(strchr(err.text, '\x1b'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_selects_everything),
        cmocka_unit_test(arguments_select_in_their_order_and_once),
        cmocka_unit_test(unknown_names_are_refused_with_the_nearest),
        cmocka_unit_test(control_characters_stay_out_of_the_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
