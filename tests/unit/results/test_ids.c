/* Ids of kernels: each row of a GPU has one of its own, so that one name leads to one kernel. */
#include "rl_test.h"

#include "fixtures/capture.h"
#include "results/subject.h"
#include "show_parts.h"

static const char *id_of(const struct view *view, const struct view_rows *rows, size_t i)
{
    const struct view_field *field = view_record_field(&view_record_kernel, "id");
    assert_non_null(field);
    return field->get(view, field, view_rows_at(rows, i)).text;
}

static size_t gpu_of(const struct view_rows *rows, size_t i)
{
    return ((const struct view_kernel *)view_rows_at(rows, i))->kernel->gpu;
}

static void check(struct rl_capture *capture)
{
    struct rl_analysis *analysis = rl_analysis_new(capture);
    struct view_subject *subject = view_subject_new("", capture, analysis, RL_FOLD_NONE);
    struct view_show *show = view_show_new(subject);
    const struct view_rows rows = view_show_kernels(show);
    const struct view view = view_subject_view(subject, &view_record_show, show);

    assert_true(rows.count >= capture->kernel_count && rows.count > 1);
    for (size_t i = 0; i < rows.count; i++) {
        assert_non_null(id_of(&view, &rows, i));
        for (size_t j = 0; j < i; j++)
            if (gpu_of(&rows, i) == gpu_of(&rows, j) && strcmp(id_of(&view, &rows, i), id_of(&view, &rows, j)) == 0)
                fail_msg("%zu and %zu are both %s", j, i, id_of(&view, &rows, i));
    }
    view_subject_free(subject);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void samples_have_an_id_for_every_kernel(void **state)
{
    static const char *const samples[] = {RL_SOURCE_DIR "/samples/h200.rlcap", RL_SOURCE_DIR "/samples/h100.rlcap",
                                          RL_SOURCE_DIR "/samples/programs/transformer-h200.rlcap"};
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct rl_capture *capture;
        struct rl_err err = RL_ERR_INIT;
        assert_int_equal(rl_capture_read(samples[i], &capture, &err), RL_OK);
        check(capture);
    }
}

/* The same kernel in the same shape, of two variants, whose ranges `collect` names, and of two GPUs. */
static void the_same_kernel_twice_is_two(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    sample_experiment(capture, "e");
    for (size_t i = 0; i < 2; i++) {
        sample_variant(capture, 0, 0, i ? "a" : "b", NULL);
        const size_t kernel = sample_full_kernel(capture, "k");
        capture->kernels[kernel].variant = i;
        capture->kernels[kernel].nvtx = rl_capture_text(capture, i ? "rooflight/e/a" : "rooflight/e/b");
    }
    sample_gpu(capture, "another", NULL, SAMPLE_CHIP, SAMPLE_CC);
    const size_t other = sample_full_kernel(capture, "k");
    capture->kernels[other].gpu = 1;
    check(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_have_an_id_for_every_kernel),
        cmocka_unit_test(the_same_kernel_twice_is_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
