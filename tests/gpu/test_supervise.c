/* A variant that hangs, faults or crashes is marked so, and everything before and after it is measured and counted. */
#include <unistd.h>

#include "collector/collector.h"
#include "kernels/run.h"
#include "rl_test.h"

extern const struct rl_suite_ops rl_suite_misbehave;

static const struct rl_suite_variant variants[] = {{.name = "good_1", .description = "computes"},
                                                   {.name = "faults", .description = "writes to address 8", .parameter = {1}},
                                                   {.name = "good_2", .description = "computes"},
                                                   {.name = "hangs", .description = "never ends", .parameter = {2}},
                                                   {.name = "crashes", .description = "aborts", .parameter = {3}},
                                                   {.name = "good_3", .description = "computes"},
                                                   {0}};
static const struct rl_suite_claim claims[] = {{0}};
static const struct rl_suite_experiment experiment = {.name = "misbehave",
                                                      .topic = "tests",
                                                      .question = "What is left?",
                                                      .explanation = "none",
                                                      .default_size = 32,
                                                      .quick_size = 32,
                                                      .size_unit = "elements",
                                                      .variants = variants,
                                                      .claims = claims,
                                                      .ops = &rl_suite_misbehave};

static void plan(void *context, const char *chip, const struct rl_configuration **configurations, size_t *count)
{
    static const char *hardware[] = {"sm__cycles_active.avg"}, *sass[] = {"smsp__sass_inst_executed.sum"};
    static const struct rl_configuration both[] = {{"hardware", hardware, 1}, {"sass", sass, 1}};
    (void)context, (void)chip;
    *configurations = both;
    *count = 2;
}

static void assert_measured(const struct rl_capture *capture, size_t variant)
{
    size_t kernels = 0;
    assert_int_equal(capture->variants[variant].status, RL_VARIANT_DONE);
    for (size_t k = 0; k < capture->kernel_count; k++) {
        const struct rl_kernel *kernel = &capture->kernels[k];
        if (kernel->variant != variant)
            continue;
        kernels++;
        assert_true(kernel->duration_count >= 30);
        const struct rl_counter *counter = rl_kernel_counter(kernel, "smsp__sass_inst_executed.sum");
        assert_non_null(counter);
        assert_true(rl_present(counter->value) && counter->value.v > 0);
    }
    assert_int_equal(kernels, 1);
}

static void assert_failed(const struct rl_capture *capture, size_t variant, const char *words)
{
    assert_int_equal(capture->variants[variant].status, RL_VARIANT_FAILED);
    if (!strstr(capture->variants[variant].reason, words))
        fail_msg("'%s' should say '%s'", capture->variants[variant].reason, words);
}

static void the_rest_goes_on(void **state)
{
    char path[] = "/tmp/supervise-XXXXXX";
    struct rl_suite_item items[6];
    const char *command[] = {"test"};
    struct rl_collect_summary summary;
    struct rl_capture *capture = NULL;
    struct rl_err err = RL_ERR_INIT;
    (void)state;
    close(mkstemp(path));
    unlink(path);
    for (size_t i = 0; i < 6; i++)
        items[i] = (struct rl_suite_item){&experiment, &variants[i]};
    const struct rl_collect_options options = {.output = path,
                                               .items = items,
                                               .item_count = 6,
                                               .command = command,
                                               .command_count = 1,
                                               .tool_version = "test",
                                               .plan = plan,
                                               .time_limit_s = 3};
    if (rl_collect_suite(&options, &summary, &err) != RL_OK)
        fail_msg("%s", err.text);
    if (rl_capture_read(path, &capture, &err) != RL_OK)
        fail_msg("%s", err.text);
    for (size_t i = 0; i < capture->log_count; i++)
        print_message("%s\n", capture->log[i].text);
    assert_int_equal(summary.variants_done, 3);
    assert_int_equal(summary.variants_failed, 3);
    assert_int_equal(summary.counters, RL_OK);
    assert_true(capture->session.complete);
    assert_int_equal(capture->variant_count, 6);
    assert_measured(capture, 0);
    assert_failed(capture, 1, "cudaError");
    assert_measured(capture, 2);
    assert_failed(capture, 3, "no end after 3 s");
    assert_failed(capture, 4, "signal 6");
    assert_measured(capture, 5);
    rl_capture_free(capture);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_rest_goes_on)};
    if (access("/dev/nvidiactl", F_OK) != 0) {
        printf("SKIPPED: no GPU\n");
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
