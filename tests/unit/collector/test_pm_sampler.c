/* What is sampled on every chip that CUPTI knows, and windows of samples against a device that is made up here. */
#include "rl_test.h"

#include "collector/collector.h"
#include "core/mem.h"
#include "made_up_pm.h"
#include "pm_sampler.h"

enum { MOST_CHIPS = 64 };

static void need_cupti(void)
{
    if (rl_cupti_open(NULL, NULL) != RL_OK)
        skip();
}

static bool has(const struct rl_pm_config *config, enum rl_pm_counter counter)
{
    for (size_t i = 0; i < config->count; i++)
        if (config->counter[i] == counter)
            return true;
    return false;
}

/* Passes that its counters need together, of all that the chip has; 0 when they cannot be scheduled. */
static size_t passes_of(const char *chip, const struct rl_pm_config *config)
{
    CUpti_Profiler_Host_Object *host = NULL;
    uint8_t *image = NULL;
    size_t size = 0, passes = 0;
    if (rl_host_open_for(CUPTI_PROFILER_TYPE_PM_SAMPLING, chip, NULL, &host, NULL) == RL_OK &&
        rl_host_image(host, (const char *const *)config->metrics, config->count, &image, &size, &passes, NULL) != RL_OK)
        passes = 0;
    free(image);
    rl_host_close(host);
    return passes;
}

/* Volta has no PM sampling. Chips of a module without memory of its own have no counters of it. */
static void every_chip_is_one_pass(void **state)
{
    (void)state;
    need_cupti();
    const char *chips[MOST_CHIPS];
    const size_t count = rl_cupti_chips(chips, MOST_CHIPS);
    assert_true(count > 20);
    for (size_t i = 0; i < count; i++) {
        struct rl_pm_config config;
        struct rl_err err = RL_ERR_INIT;
        const enum rl_status status = rl_pm_config_make(chips[i], NULL, RL_PM_COUNTERS, &config, &err);
        print_message("%s: %zu counters%s%s\n", chips[i], config.count, status == RL_OK ? "" : ", ", err.text);
        if (strncmp(chips[i], "GV", 2) == 0) {
            assert_int_equal(status, RL_UNSUPPORTED);
            assert_non_null(strstr(err.text, chips[i]));
        } else {
            assert_int_equal(status, RL_OK);
            assert_true(config.image_size > 0 && config.host);
            assert_int_equal(config.counter[0], RL_PM_sm_active);
            assert_true(has(&config, RL_PM_l2) && has(&config, RL_PM_instructions));
            const bool module = strcmp(chips[i] + strlen(chips[i]) - 1, "B") == 0;
            assert_int_equal(has(&config, RL_PM_dram_read) && has(&config, RL_PM_dram_write), !module);
            assert_int_equal(passes_of(chips[i], &config), 1);
        }
        rl_pm_config_release(&config);
    }
}

static void windows_are_decoded_image_by_image(void **state)
{
    (void)state;
    struct rl_pm_sampler sampler;
    struct rl_pm_samples samples = {0};
    struct rl_err err = RL_ERR_INIT;
    make_sampler(&sampler);
    device.per_window = 250; /* three images */
    device.without_counter = 120;
    assert_int_equal(rl_pm_enable(&sampler, &err), RL_OK);
    assert_false(sampler.by_clock);
    assert_int_equal(device.interval, INTERVAL);
    for (int i = 0; i < 2; i++)
        assert_int_equal(rl_pm_window(&sampler, 0, -1, &samples, &err), RL_OK);
    assert_int_equal(samples.windows, 2);
    assert_int_equal(samples.overflows, 0);
    assert_int_equal(samples.count, 499); /* one lacks a counter */
    assert_int_equal(samples.start_ns[119], 1000 + 119 * INTERVAL);
    assert_int_equal(samples.start_ns[120], 1000 + 121 * INTERVAL);
    assert_close(samples.values[498 * 2], 499.0, 0);
    assert_close(samples.values[498 * 2 + 1], 499.25, 0);
    rl_pm_samples_release(&samples);
    rl_pm_close(&sampler);
    assert_int_equal(device.enabled, device.disabled);
}

/* The end of a window and of decoding is in a pipe: what was sampled and not decoded in time is counted. */
static void a_window_ends_when_it_has_to(void **state)
{
    (void)state;
    struct rl_pm_sampler sampler;
    struct rl_pm_samples samples = {0};
    struct rl_err err = RL_ERR_INIT;
    int ends[2];
    make_sampler(&sampler);
    device.per_window = 50;
    sampler.interval_ns = 100000000; /* 40 s */
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "", 1), 1);
    assert_int_equal(rl_pm_enable(&sampler, &err), RL_OK);
    const size_t whole = sampler.image_size;
    assert_int_equal(rl_pm_window(&sampler, 0, ends[0], &samples, &err), RL_OK);
    assert_int_equal(samples.windows, 1);
    assert_int_equal(samples.count, 50);     /* decoding them takes no time */
    assert_true(sampler.image_size < whole); /* an image of what was sampled takes less time */
    device.decoding_ms = 200;
    device.per_window = 250;
    assert_int_equal(rl_pm_window(&sampler, 0, ends[0], &samples, &err), RL_OK);
    assert_int_equal(samples.windows, 2);
    assert_int_equal(samples.count, 50);
    assert_int_equal(samples.cut, 100); /* those of the image; nobody knows how many there would have been beyond */
    rl_pm_samples_release(&samples);
    rl_pm_close(&sampler);
    close(ends[0]);
    close(ends[1]);
}

static void take(struct rl_pm_sampler *sampler, uint64_t samples)
{
    struct rl_pm_samples taken = {0};
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_pm_window(sampler, samples, -1, &taken, &err), RL_OK);
    assert_int_equal(taken.count, device.per_window);
    rl_pm_samples_release(&taken);
}

/* Samples that there is no room for are lost: there is room for all that a window can have had, also by a faster clock. */
static void an_image_has_room_for_all_samples(void **state)
{
    (void)state;
    for (int by_clock = 0; by_clock < 2; by_clock++) {
        struct rl_pm_sampler sampler;
        struct rl_err err = RL_ERR_INIT;
        make_sampler(&sampler);
        device.per_window = 50;
        sampler.by_clock = by_clock;
        assert_int_equal(rl_pm_enable(&sampler, &err), RL_OK);
        sampler.interval_ns = 10000;
        sampler.window_samples = 1000;
        take(&sampler, 1000); /* 10 ms */
        assert_true(sampler.image_size >= (size_t)(by_clock ? 1500 : 1062));
        rl_pm_close(&sampler);
    }
}

static void an_overflow_makes_windows_shorter(void **state)
{
    (void)state;
    struct rl_pm_sampler sampler;
    struct rl_pm_samples samples = {0};
    struct rl_err err = RL_ERR_INIT;
    make_sampler(&sampler);
    device.per_window = 150;
    device.overflows = true;
    assert_int_equal(rl_pm_enable(&sampler, &err), RL_OK);
    assert_int_equal(rl_pm_window(&sampler, 0, -1, &samples, &err), RL_OK);
    assert_int_equal(samples.count, 150); /* what came before it is kept */
    assert_int_equal(samples.overflows, 1);
    assert_int_equal(sampler.window_samples, 200);
    assert_int_equal(device.enabled, 2);
    assert_int_equal(rl_pm_window(&sampler, 0, -1, &samples, &err), RL_OK);
    assert_int_equal(rl_pm_window(&sampler, 0, -1, &samples, &err), RL_FAILED); /* no end to it */
    assert_non_null(strstr(err.text, "hardware buffer"));
    rl_pm_samples_release(&samples);
    rl_pm_close(&sampler);
}

static void chips_without_a_timer_count_cycles(void **state)
{
    (void)state;
    struct rl_pm_sampler sampler;
    struct rl_err err = RL_ERR_INIT;
    make_sampler(&sampler);
    device.refuses_time = true;
    assert_int_equal(rl_pm_enable(&sampler, &err), RL_OK);
    assert_true(sampler.by_clock);
    assert_int_equal(device.trigger, CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL);
    assert_int_equal(device.interval, 1500);
    rl_pm_close(&sampler);
}

static void a_device_is_asked_for_its_counters_only_when_it_refuses_them(void **state)
{
    (void)state;
    struct rl_pm_sampler sampler;
    struct rl_err err = RL_ERR_INIT;
    make_sampler(&sampler);
    assert_int_equal(rl_pm_enable(&sampler, &err), RL_OK);
    assert_int_equal(device.asked, 0);
    rl_pm_close(&sampler);
    make_sampler(&sampler);
    device.refuses_all = true;
    assert_int_equal(rl_pm_enable(&sampler, &err), RL_PERMISSION); /* what it answered to that */
    assert_int_equal(device.asked, 1);
    rl_pm_close(&sampler);
}

/* Before the first window: without NVLink, then without all that is told of no kernel, until samples come or nothing is left. */
static void what_a_card_does_not_count_is_left_out(void **state)
{
    static const struct {
        size_t most, count, trials;
    } cards[] = {{18, 18, 1}, {16, 16, 2}, {15, 13, 3}, {1, 13, 3}};
    (void)state;
    need_cupti();
    for (size_t i = 0; i < RL_COUNT(cards); i++) {
        struct rl_pm_sampler sampler;
        struct rl_pm_samples samples = {0};
        struct rl_err err = RL_ERR_INIT;
        make_sampler(&sampler);
        rl_pm_config_release(&sampler.config);
        assert_int_equal(rl_pm_config_make("GH100", NULL, RL_PM_COUNTERS, &sampler.config, &err), RL_OK);
        sampler.most = RL_PM_COUNTERS;
        sampler.tried = false;
        device.per_window = 50;
        device.most = cards[i].most;
        assert_int_equal(rl_pm_enable(&sampler, &err), RL_OK);
        assert_int_equal(sampler.config.count, cards[i].count);
        assert_int_equal(device.started, cards[i].trials);
        assert_int_equal(device.enabled, cards[i].trials);
        assert_int_equal(rl_pm_window(&sampler, 50, -1, &samples, &err), RL_OK);
        assert_int_equal(samples.count, cards[i].most >= 13 ? 50 : 0);
        rl_pm_samples_release(&samples);
        rl_pm_close(&sampler);
        assert_int_equal(device.enabled, device.disabled);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_chip_is_one_pass), /* first: the others replace functions of the library */
        cmocka_unit_test(what_a_card_does_not_count_is_left_out),
        cmocka_unit_test(windows_are_decoded_image_by_image),
        cmocka_unit_test(a_window_ends_when_it_has_to),
        cmocka_unit_test(an_image_has_room_for_all_samples),
        cmocka_unit_test(an_overflow_makes_windows_shorter),
        cmocka_unit_test(a_device_is_asked_for_its_counters_only_when_it_refuses_them),
        cmocka_unit_test(chips_without_a_timer_count_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
