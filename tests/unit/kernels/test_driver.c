/* What is said of a driver that is missing or too old, on both sides of what is new enough. */
#include "rl_test.h"

#include "kernels/driver.h"

static void a_driver_is_missing_too_old_or_serves(void **state)
{
    static const struct {
        int driver, runtime;
        enum rl_status status;
        const char *text; /* of the error */
    } rows[] = {
        {0, 13000, RL_ABSENT,
         "no NVIDIA driver (libcuda.so.1 not found); install NVIDIA's driver to measure; reports of captures work without"},
        {12090, 13000, RL_UNSUPPORTED,
         "the NVIDIA driver supports CUDA 12.9; measuring needs CUDA 13.0: update the driver to 580 or newer"},
        {11080, 12060, RL_UNSUPPORTED,
         "the NVIDIA driver supports CUDA 11.8; measuring needs CUDA 12.0: update the driver to 525 or newer"},
        {13020, 99000, RL_UNSUPPORTED, "the NVIDIA driver supports CUDA 13.2; measuring needs CUDA 99.0: update the driver"},
        {13000, 13000, RL_OK, ""},
        {13000, 13020, RL_OK, ""},
        {14000, 13000, RL_OK, ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct rl_err err = RL_ERR_INIT;
        const struct rl_driver_check check = rl_driver_check(rows[i].driver, rows[i].runtime);

        assert_int_equal(check.status, rows[i].status);
        assert_int_equal(rl_driver_err(&check, &err), rows[i].status);
        assert_string_equal(err.text, rows[i].text);
        assert_int_equal(!*check.advice, check.status == RL_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_driver_is_missing_too_old_or_serves)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
