/* The device interface where there is no GPU, or none with that number. Tests on a GPU are in tests/gpu. */
#include "rl_test.h"

#include "kernels/run.h"

#ifdef RL_WITH_DEVICE

static void without_a_gpu_the_reason_is_given(void **state)
{
    struct rl_err err = RL_ERR_INIT;
    int count = -1;
    const enum rl_status status = rl_device_count(&count, &err);

    (void)state;
    if (status == RL_OK) {
        assert_true(count > 0);
        return;
    }
    assert_true(status == RL_ABSENT || status == RL_UNSUPPORTED);
    assert_int_equal(count, 0);
    assert_non_null(strstr(err.text, "; ")); /* what to do */
    if (strstr(err.text, "NVIDIA driver"))
        return;                                                                /* none, or an old one: test_driver.c */
    assert_non_null(strstr(err.text, "cudaGetDeviceCount(count): cudaError")); /* expression and code, */
    assert_non_null(strstr(err.text, "(device.cu:"));                          /* place */
}

static void a_gpu_that_is_not_there_cannot_be_opened(void **state)
{
    static const int indices[] = {-1, 1000};

    (void)state;
    for (size_t i = 0; i < sizeof(indices) / sizeof(indices[0]); i++) {
        struct rl_err err = RL_ERR_INIT;
        void *stream = &err;

        assert_int_equal(rl_device_open(indices[i], &stream, NULL, &err), RL_ABSENT);
        assert_null(stream);
        assert_true(strlen(err.text) > 0);
    }
    rl_device_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_gpu_the_reason_is_given),
        cmocka_unit_test(a_gpu_that_is_not_there_cannot_be_opened),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

/* What a build without the CUDA toolkit promises instead. */
static void no_row_has_operations(void **state)
{
    (void)state;
    for (size_t i = 0; i < rl_suite_count; i++)
        assert_null(rl_suite[i].ops);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_row_has_operations)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
