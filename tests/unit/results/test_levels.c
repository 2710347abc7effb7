/* Levels of memory: the rate of each is its own, or missing for its own reason. */
#include "rl_test.h"

#include "fixtures/capture.h"
#include "show_parts.h"
#include "results/subject.h"

/* A class of a program whose SASS pass saw different work in two launches. */
static struct rl_capture *launches_that_differ(void)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    const size_t kernel = sample_full_kernel(capture, "k");
    struct rl_kernel *k = &capture->kernels[kernel];

    sample_passes(capture, 0);
    for (size_t i = 0; i < k->counter_count; i++)
        k->counters[i].pass = strstr(k->counters[i].name, "_sass_") ? 1 : 0;
    sample_value(capture, kernel, RL_COUNTER, "smsp__sass_inst_executed.sum", rl_value_of(1021))->pass = 1;
    return capture;
}

static struct view_cell cell_of(const struct view *view, const void *row, const char *id)
{
    const struct view_field *field = view_record_field(&view_record_kernel_level, id);
    assert_non_null(field);
    return view_value(view, field, row);
}

/* Calls `check` with the rates of all levels. */
static void with_rates(struct rl_capture *capture, void (*check)(const struct view_cell rate[4]))
{
    struct rl_analysis *analysis = rl_analysis_new(capture);
    struct view_subject *subject = view_subject_new("", capture, analysis, RL_FOLD_NONE);
    const struct view_kernel row = view_kernel_of_class(subject, 0);
    const struct view view = view_subject_view(subject, &view_record_kernel, &row);
    const struct view_rows rows = view_show_levels(&view, &row);
    static const char *const levels[] = {"DRAM", "L2", "L1", "shared"};
    struct view_cell rate[4];

    assert_int_equal(rows.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const void *level = (const char *)rows.first + i * rows.stride;
        assert_string_equal(cell_of(&view, level, "level").text, levels[i]);
        rate[i] = cell_of(&view, level, "bytes_per_second");
    }
    check(rate);
    view_subject_free(subject);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void check_own(const struct view_cell rate[4])
{
    static const double rates[] = {2e9, 3.2e9, 6.4e9, 12.8e9}; /* 4000, 6400, 12800 and 25600 B in 2 us */
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(rate[i].state, RL_PRESENT);
        assert_close(rate[i].number, rates[i], 1e-6);
    }
}

static void every_level_has_its_rate(void **state)
{
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    (void)state;
    sample_full_kernel(capture, "k");
    with_rates(capture, check_own);
}

static void check_without_dram(const struct view_cell rate[4])
{
    assert_int_equal(rate[0].state, RL_NOT_COLLECTED);
    for (size_t i = 1; i < 4; i++)
        assert_int_equal(rate[i].state, RL_DISAGREES);
    assert_non_null(strstr(rate[3].reason, "passes disagree"));
}

/* That DRAM was not counted is no reason why shared memory has no rate. */
static void a_missing_rate_has_its_own_reason(void **state)
{
    struct rl_capture *capture = launches_that_differ();
    (void)state;
    sample_set(capture, 0, "dram__bytes_read.sum", rl_value_missing(RL_NOT_COLLECTED, "not asked for"));
    with_rates(capture, check_without_dram);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_has_its_rate),
        cmocka_unit_test(a_missing_rate_has_its_own_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
