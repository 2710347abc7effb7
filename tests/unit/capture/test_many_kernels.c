/* A large capture is read as it was written. It takes a second: apart from the small ones. */
#include "rl_test.h"

#include <time.h>

#include "core/mem.h"
#include "fixtures/full.h"
#include "fixtures/same.h"

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct rl_capture *large_capture(int kernels, int counters)
{
    struct rl_capture *capture = rl_capture_new();
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "card");
    struct rl_pass *pass = rl_capture_add_pass(capture);
    pass->configuration = pass->mode = rl_capture_text(capture, "hardware");
    pass->cache = rl_capture_text(capture, "warm");
    char **names = rl_arena_alloc(&capture->arena, (size_t)counters * sizeof *names);
    for (int c = 0; c < counters; c++)
        names[c] = full_text(capture, "smsp__sass_thread_inst_executed_op_#_pred_on.sum", c);
    for (int k = 0; k < kernels; k++) {
        struct rl_kernel *kernel = rl_capture_add_kernel(capture);
        kernel->name = full_text(capture, "void kernel_#<float, 4>(float*, int, long)", k);
        for (int c = 0; c < counters; c++) {
            struct rl_counter *counter = rl_capture_add_counter(capture, (size_t)k);
            counter->name = names[c];
            counter->value = rl_value_of(c * 1e6 + k);
            counter->pass = 0;
        }
    }
    return capture;
}

static void ten_thousand_kernels(void **state)
{
    (void)state;
    struct rl_capture *capture = large_capture(10000, 60);
    double start = seconds();
    struct rl_buf bytes = bytes_of(capture);
    double written = seconds();
    struct rl_capture *back = capture_of(&bytes);
    double read = seconds();
    print_message("10000 kernels x 60 counters: %.1f MB, written in %.2f s, read and checked in %.2f s\n", 1e-6 * (double)bytes.len,
                  written - start, read - written);
    assert_same_capture(capture, back);
    rl_capture_free(back);
    rl_capture_free(capture);
    rl_buf_release(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ten_thousand_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
