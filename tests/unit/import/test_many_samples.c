/* A million samples of one class, which takes seconds: apart from the other tests of classes. */
#include "bench.h"

#include "core/buf.h"

/* Samples beyond the limit count in the total. */
static void more_samples_than_are_kept(void **state)
{
    struct rl_buf text = RL_BUF_INIT;
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = NULL;

    (void)state;
    rl_buf_adds(&text, "Duration,Start,Grid X,Name\nns,,,\n");
    for (int i = 0; i < RL_IMPORT_MAX_SAMPLES_OF_CLASS + 2; i++)
        rl_buf_adds(&text, "3,,,k\n");
    assert_int_equal(bench_read(&(struct file){text.data, text.len}, 1, NULL, &capture, &err), RL_OK);
    assert_int_equal(capture->kernels[0].duration_count, RL_IMPORT_MAX_SAMPLES_OF_CLASS);
    assert_int_equal(capture->kernels[0].launches, RL_IMPORT_MAX_SAMPLES_OF_CLASS + 2);
    assert_int_equal(capture->kernels[0].total_ns, 3 * (RL_IMPORT_MAX_SAMPLES_OF_CLASS + 2));
    assert_string_equal(capture->log[0].text,
                        "import: durations beyond the limit of samples were added to the total, but not kept one by one: 2 (k)");
    rl_capture_free(capture);
    rl_buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(more_samples_than_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
