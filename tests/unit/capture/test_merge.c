/* Several captures as one. */
#include "rl_test.h"

#include "fixtures/full.h"
#include "fixtures/same.h"

static void one_alone_stays_what_it_is(void **state)
{
    (void)state;
    struct rl_capture *capture = full_program();
    struct rl_capture *merged = rl_capture_merge(&capture, 1);
    assert_same_capture(capture, merged);
    assert_same_program(capture, merged);
    rl_capture_free(capture); /* nothing of it is borrowed */
    struct rl_buf bytes = bytes_of(merged);
    rl_buf_release(&bytes);
    rl_capture_free(merged);
}

static void references_move(void **state)
{
    (void)state;
    struct rl_capture *captures[2] = {full_program(), full_program()};
    size_t gpus = captures[0]->gpu_count, kernels = captures[0]->kernel_count, ranges = captures[0]->range_count;
    captures[1]->session.complete = false;
    struct rl_capture *merged = rl_capture_merge(captures, 2);
    assert_int_equal(merged->gpu_count, 2 * gpus);
    assert_int_equal(merged->kernel_count, 2 * kernels);
    assert_int_equal(merged->process_count, 4);
    assert_false(merged->session.complete);
    assert_int_equal(merged->session.command_count, captures[0]->session.command_count);
    const struct rl_kernel *old = &captures[1]->kernels[4], *new = &merged->kernels[kernels + 4];
    assert_string_equal(new->name, old->name);
    assert_int_equal(new->gpu, old->gpu + gpus);
    assert_int_equal(new->duration_count, old->duration_count);
    assert_int_equal(new->counter_count, old->counter_count);
    assert_int_equal(merged->ranges[ranges + 2].parent, ranges + 1);
    assert_true(merged->ranges[ranges].parent == RL_NONE);
    assert_int_equal(merged->uses[2].kernel, kernels + 3);
    assert_int_equal(merged->processes[3].gpus[1].gpu, gpus + 1);
    assert_int_equal(merged->links[3].to_gpu, gpus + 1);
    assert_int_equal(merged->link_runs[5].link, 5);
    struct rl_buf bytes = bytes_of(merged); /* what it refers to is there */
    struct rl_capture *back = capture_of(&bytes);
    assert_same_program(merged, back);
    rl_capture_free(back);
    rl_buf_release(&bytes);
    rl_capture_free(merged);
    rl_capture_free(captures[0]);
    rl_capture_free(captures[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_alone_stays_what_it_is),
        cmocka_unit_test(references_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
