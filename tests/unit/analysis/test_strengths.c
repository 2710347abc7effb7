/* What a card is good and bad at: every row on both sides of its thresholds, and the samples. */
#include "rl_test.h"

#include <math.h>
#include <string.h>

#include "analysis/strengths.h"
#include "core/fs.h"
#include "core/mem.h"
#include "fixtures/capture.h"

/* A figure of a ceiling, as if it had been measured. */
static void measure(struct rl_ceiling *ceiling, double rate)
{
    ceiling->measured = (struct rl_stats){.n = 30, .median = rate, .low = rate, .high = rate};
    ceiling->clock = rl_value_of(1.5e9);
}

/* Whether the row speaks, and how, where its value is `value`. */
static const struct rl_strength *said_of(struct rl_analysis *analysis, size_t row, double value, struct rl_strength *found)
{
    const struct rl_strength_info *info = &rl_strengths[row];
    struct rl_ceiling *ceiling = &analysis->gpus[0].ceiling[info->of];
    static struct rl_arena arena = RL_ARENA_INIT;
    for (size_t i = 0; i < RL_CEILING_COUNT; i++)
        analysis->gpus[0].ceiling[i] = (struct rl_ceiling){.run = RL_NONE,
                                                           .sustained_run = RL_NONE,
                                                           .data_sheet = rl_value_missing(RL_NOT_COLLECTED, "none"),
                                                           .clock = rl_value_missing(RL_NOT_COLLECTED, "none")};
    measure(ceiling, info->basis == RL_STRENGTH_TIME ? value : 1e12 * value);
    if (info->basis == RL_STRENGTH_DATA_SHEET)
        ceiling->data_sheet = rl_value_of(1e12);
    if (info->basis == RL_STRENGTH_OVER)
        measure(&analysis->gpus[0].ceiling[info->over], 1e12);
    if (info->basis == RL_STRENGTH_SUSTAINED) {
        measure(ceiling, 1e12);
        ceiling->sustained = (struct rl_stats){.n = 30, .median = 1e12 * value};
    }
    const size_t count = rl_strengths_of(analysis, 0, &arena, found);
    for (size_t i = 0; i < count; i++)
        if (found[i].info == info)
            return &found[i];
    return NULL;
}

static void every_row_speaks_on_both_sides(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_new("GH100", 90);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    struct rl_strength found[RL_STRENGTHS];
    for (size_t row = 0; row < RL_STRENGTHS; row++) {
        const struct rl_strength_info *info = &rl_strengths[row];
        const struct rl_strength *said;
        assert_true(info->good || info->bad);
        if (info->good) {
            said = said_of(analysis, row, info->good_from, found);
            assert_true(said && said->good && !strchr(said->text, '{'));
            said = said_of(analysis, row, info->good_from * 0.999, found);
            assert_true(!said || !said->good);
        }
        if (info->bad) {
            said = said_of(analysis, row, info->bad_to, found);
            assert_true(said && !said->good && !strchr(said->text, '{'));
            said = said_of(analysis, row, info->bad_to * 1.001, found);
            assert_true(!said || said->good);
        }
    }
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* What was not measured says nothing. */
static void nothing_is_said_without_figures(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_new("GH100", 90);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    struct rl_strength found[RL_STRENGTHS];
    struct rl_arena arena = RL_ARENA_INIT;
    assert_int_equal(rl_strengths_of(analysis, 0, &arena, found), 0);
    rl_arena_release(&arena);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

static void the_sample_is_told_in_words(void **state)
{
    static const char *const texts[] = {
        "4.63\xC2\xA0TB/s, 96.4\xC2\xA0% of the data sheet.",
        "87.9\xC2\xA0% of 989\xC2\xA0TFLOP/s, at an SM clock of 1.62\xC2\xA0GHz.",
        "55.3\xC2\xA0GB/s; device memory is 83.7 times as fast.",
    };
    (void)state;
    struct rl_capture *capture;
    struct rl_err err = RL_ERR_INIT;
    struct rl_arena arena = RL_ARENA_INIT;
    struct rl_strength found[RL_STRENGTHS];
    assert_int_equal(rl_capture_read(RL_SOURCE_DIR "/samples/h200.rlcap", &capture, &err), RL_OK);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const size_t count = rl_strengths_of(analysis, 0, &arena, found);
    for (size_t t = 0; t < RL_COUNT(texts); t++) {
        size_t i = 0;
        while (i < count && strcmp(found[i].text, texts[t]) != 0)
            i++;
        if (i == count)
            fail_msg("'%s' is not said", texts[t]);
    }
    rl_arena_release(&arena);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_speaks_on_both_sides),
        cmocka_unit_test(nothing_is_said_without_figures),
        cmocka_unit_test(the_sample_is_told_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
