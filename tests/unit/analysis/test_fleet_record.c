/* What a fleet takes of one capture: the evidence from facts, readings and reasons, the measures with their noise, and who it is.
 */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "analysis/fleet.h"
#include "ceiling_find.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fleet_internal.h"

static struct rl_fleet_record *record_of(struct rl_capture *capture, size_t gpu)
{
    struct rl_analysis *analysis = rl_analysis_new(capture);
    struct rl_fleet_record *record = rl_fleet_record_new(analysis, gpu, "a.rlcap");
    rl_analysis_free(analysis);
    return record;
}

static void add_moment(struct rl_capture *capture, size_t gpu, double memory_clock, double temperature, double reasons)
{
    struct rl_gpu_moment *moment = rl_capture_add_moment(capture, gpu);
    for (int i = 0; i < RL_READING_COUNT; i++)
        moment->reading[i] = rl_value_missing(RL_NOT_COLLECTED, NULL);
    if (memory_clock > 0)
        moment->reading[RL_READING_memory_clock_hz] = rl_value_of(memory_clock);
    if (temperature > 0)
        moment->reading[RL_READING_temperature_c] = rl_value_of(temperature);
    if (reasons >= 0)
        moment->reading[RL_READING_throttle_reasons] = rl_value_of(reasons);
}

static void add_ceiling(struct rl_capture *capture, size_t gpu, const char *id, double reasons)
{
    struct rl_ceiling_run *run = sample_ceiling(capture, gpu, id, RL_UNIT_BYTE_PER_SECOND, 1e12, 0, 30);
    run->throttle_reasons = reasons >= 0 ? rl_value_of(reasons) : rl_value_missing(RL_NOT_COLLECTED, NULL);
}

/* Reasons, as NVML counts them: 0x04 power cap, 0x20 software thermal, 0x08 hardware slowdown. */
static void evidence_by_hand(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "NVIDIA Test Card");
    capture->gpus[0].fact[RL_FACT_power_limit_w] = rl_value_of(700);
    capture->gpus[0].fact[RL_FACT_pcie_width] = rl_value_of(16);
    add_moment(capture, 0, 1e9, 40, 0);
    add_moment(capture, 0, 3e9, 71, 0x24);
    add_moment(capture, 0, 1.5e9, 55, 0x04);
    add_moment(capture, 0, 0, 0, -1); /* nothing read */
    add_moment(capture, 1, 9e9, 99, 0x08);
    add_ceiling(capture, 0, "dram_read", 0x04);
    add_ceiling(capture, 0, "dram_write", -1);
    add_ceiling(capture, 1, "dram_read", 0x08);
    struct rl_fleet_record *record = record_of(capture, 0), *other = record_of(capture, 1);
    assert_close(record->evidence[RL_EVIDENCE_memory_clock_hz].v, 1.5e9, 1e-12);
    assert_close(record->evidence[RL_EVIDENCE_temperature_c].v, 71, 1e-12);
    assert_close(record->evidence[RL_EVIDENCE_lowered_by_power].v, 3.0 / 4, 1e-12);
    assert_close(record->evidence[RL_EVIDENCE_lowered_by_temperature].v, 1.0 / 4, 1e-12);
    assert_true(record->evidence[RL_EVIDENCE_lowered_by_hardware].v == 0);
    assert_close(record->evidence[RL_EVIDENCE_power_limit_w].v, 700, 1e-12);
    assert_close(record->evidence[RL_EVIDENCE_pcie_width].v, 16, 1e-12);
    assert_false(rl_present(record->evidence[RL_EVIDENCE_power_w]));
    assert_false(rl_present(record->evidence[RL_EVIDENCE_pcie_generation]));
    assert_false(rl_present(record->evidence[RL_EVIDENCE_sm_clock_hz]));
    assert_false(rl_present(record->evidence[RL_EVIDENCE_driver]));
    assert_false(rl_present(record->evidence[RL_EVIDENCE_nvlinks]));
    assert_close(other->evidence[RL_EVIDENCE_temperature_c].v, 99, 1e-12);
    assert_close(other->evidence[RL_EVIDENCE_lowered_by_hardware].v, 1, 1e-12);
    assert_false(rl_present(other->evidence[RL_EVIDENCE_power_limit_w]));
    rl_fleet_record_free(record);
    rl_fleet_record_free(other);
    rl_capture_free(capture);
}

/* A card that is cold all the time: the highest of negative temperatures is negative. */
static void the_highest_may_be_below_zero(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    for (int i = 0; i < 2; i++) {
        add_moment(capture, 0, 0, 1, -1);
        capture->gpus[0].moments[i].reading[RL_READING_temperature_c] = rl_value_of(-20 - i);
    }
    struct rl_fleet_record *record = record_of(capture, 0);
    assert_close(record->evidence[RL_EVIDENCE_temperature_c].v, -20, 1e-12);
    assert_false(rl_present(record->evidence[RL_EVIDENCE_lowered_by_power])); /* never read: no share */
    rl_fleet_record_free(record);
    rl_capture_free(capture);
}

static void who_it_is(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    capture->session.host = rl_capture_text(capture, "r07n12.example.org");
    capture->session.driver = rl_capture_text(capture, "580.1");
    capture->session.tool_version = rl_capture_text(capture, "0.1.0");
    capture->session.started = rl_capture_text(capture, "2026-01-01T00:00:00Z");
    capture->session.source = rl_capture_text(capture, "ncu");
    capture->sha256 = rl_sha256_of("x", 1);
    capture->gpus[0].index = 5;
    capture->gpus[0].uuid = rl_capture_text(capture, "GPU-5");
    for (size_t gpu = 0; gpu < 2; gpu++) {
        struct rl_fleet_record *record = record_of(capture, 0);
        assert_string_equal(record->path, "a.rlcap");
        assert_string_equal(record->host, gpu ? "" : "r07n12.example.org");
        assert_string_equal(record->node, gpu ? "" : "r07n12");
        assert_string_equal(record->rack, gpu ? "" : "r07");
        assert_string_equal(record->card, "NVIDIA Test Card");
        assert_string_equal(record->uuid, gpu ? "" : "GPU-5");
        assert_string_equal(record->driver, gpu ? "unknown" : "580.1");
        assert_string_equal(record->tool_version, "0.1.0");
        assert_string_equal(record->started, "2026-01-01T00:00:00Z");
        assert_string_equal(record->source, "ncu");
        assert_string_equal(record->sha256.hex, capture->sha256.hex);
        assert_string_equal(record->links, "");
        assert_string_equal(record->peer_uuid, "");
        assert_int_equal(record->gpu, 5);
        assert_true(record->complete);
        assert_int_equal(record->group, RL_NONE);
        assert_int_equal(record->of, RL_NONE);
        rl_fleet_record_free(record);
        capture->session.host = capture->session.driver = capture->gpus[0].uuid = NULL; /* not known */
    }
    rl_capture_free(capture);
}

static void variants_are_counted(void **state)
{
    static const struct {
        size_t gpu;
        enum rl_result result;
        enum rl_variant_status status;
    } rows[] = {{0, RL_RESULT_WRONG, RL_VARIANT_DONE}, {0, RL_RESULT_OK, RL_VARIANT_DONE},
                {0, RL_RESULT_WRONG, RL_VARIANT_DONE}, {0, RL_RESULT_NOT_CHECKED, RL_VARIANT_FAILED},
                {1, RL_RESULT_WRONG, RL_VARIANT_DONE}, {1, RL_RESULT_NOT_CHECKED, RL_VARIANT_FAILED}};
    (void)state;
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "NVIDIA Test Card");
    sample_experiment(capture, "e");
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_variant *variant = sample_variant(capture, 0, 0, "v", NULL);
        variant->gpu = rows[i].gpu;
        variant->result = rows[i].result;
        variant->status = rows[i].status;
    }
    struct rl_fleet_record *record = record_of(capture, 0);
    assert_int_equal(record->planned, 4);
    assert_int_equal(record->wrong, 2);
    assert_int_equal(record->failed, 1);
    assert_int_equal(record->measure_count, 0);
    rl_fleet_record_free(record);
    rl_capture_free(capture);
}

/* A kernel of a program: its name and shape distinguish it; its noise is a quarter of its interval, at least a step of the timer.
 */
static void kernels_become_measures(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    for (size_t i = 0; i < 3; i++) {
        size_t kernel = sample_kernel(capture, "k(int)");
        capture->kernels[kernel].grid[0] = 10 + (uint32_t)i;
        capture->kernels[kernel].dynamic_shared_bytes = 7;
        sample_times(capture, kernel, i == 2 ? (uint64_t[]){0} : (uint64_t[]){1000000}, 1);
    }
    struct rl_fleet_record *record = record_of(capture, 0);
    assert_int_equal(record->measure_count, 2); /* a time of 0 is none */
    for (size_t i = 0; i < 2; i++) {
        char id[64];
        snprintf(id, sizeof id, "kernel k(int) %zu 1 1 256 1 1 7", 10 + i);
        assert_string_equal(record->keys[i].id, id);
        assert_false(record->keys[i].ceiling);
        assert_int_equal(record->keys[i].unit, RL_UNIT_SECOND);
        assert_int_equal(record->keys[i].part, RL_PART_other);
        assert_int_equal(record->measures[i].key, i);
        assert_int_equal(record->measures[i].position, i);
        assert_int_equal(record->measures[i].part, RL_PART_other);
        assert_close(record->measures[i].value, 1e-3, 1e-12);
        assert_close(record->measures[i].noise, 32e-9 / 1e-3, 1e-6);
    }
    rl_fleet_record_free(record);
    rl_capture_free(capture);
}

static void the_noise_is_that_of_the_interval(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    size_t kernel = sample_kernel(capture, "k(int)");
    uint64_t times[101];
    for (size_t i = 0; i < RL_COUNT(times); i++)
        times[i] = 900000 + i * 2000;
    sample_times(capture, kernel, times, RL_COUNT(times));
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_stats *stats = &analysis->kernels[0].duration;
    struct rl_fleet_record *record = rl_fleet_record_new(analysis, 0, "a.rlcap");
    assert_true(stats->has_interval);
    assert_close(record->measures[0].noise, (stats->high - stats->low) / 2 / 1.96 / stats->median, 1e-6);
    assert_close(record->measures[0].value, 1e-3, 1e-12);
    rl_fleet_record_free(record);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Two configurations of one ceiling on this GPU, one on another: the number stands in the id, since a quick sweep is no full one.
 */
static void ceilings_become_measures(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    rl_capture_add_gpu(capture)->name = rl_capture_text(capture, "NVIDIA Test Card");
    add_ceiling(capture, 0, "dram_read", -1);
    add_ceiling(capture, 0, "dram_read", -1);
    add_ceiling(capture, 1, "dram_read", -1);
    for (size_t gpu = 0; gpu < 2; gpu++) {
        struct rl_fleet_record *record = record_of(capture, gpu);
        assert_true(record->measure_count >= 1);
        assert_true(record->keys[0].ceiling);
        assert_string_equal(record->keys[0].id, gpu ? "ceiling dram of 1" : "ceiling dram of 2");
        assert_int_equal(record->keys[0].part, RL_PART_dram);
        assert_int_equal(record->keys[0].unit, RL_UNIT_BYTE_PER_SECOND);
        assert_close(record->measures[0].value, 1e12, 1e-12);
        rl_fleet_record_free(record);
    }
    rl_capture_free(capture);
}

/* What schedulers issue is a matter of the SMs. */
static void every_ceiling_speaks_of_its_part(void **state)
{
    static const struct {
        const char *id;
        enum rl_fleet_part part;
    } rows[] = {{"issue", RL_PART_sm}, {"l2_read", RL_PART_l2}, {"shared_read", RL_PART_sm}, {"pcie_h2d", RL_PART_link}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
        sample_ceiling(capture, 0, rows[i].id, rl_ceilings[ceiling_find(rows[i].id)].unit, 1e9, 0, 30);
        struct rl_fleet_record *record = record_of(capture, 0);
        assert_int_equal(record->measure_count, 1);
        assert_int_equal(record->keys[0].part, rows[i].part);
        rl_fleet_record_free(record);
        rl_capture_free(capture);
    }
}

/* A run that copies for 60 % of its time speaks of the link, whichever way, also when the host's clock timed it. */
static void runs_that_copy_speak_of_the_link(void **state)
{
    static const struct {
        enum rl_event_kind kind;
        uint64_t copying_ns;
        bool link;
    } rows[] = {{RL_EVENT_COPY_TO_DEVICE, 600, true},
                {RL_EVENT_COPY_TO_HOST, 600, true},
                {RL_EVENT_COPY_TO_HOST, 599, false},
                {RL_EVENT_KERNEL, 600, false}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        for (int wall = 0; wall < 2; wall++) {
            struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
            sample_experiment(capture, "e");
            struct rl_variant *variant = sample_variant(capture, 0, 0, "v", wall ? "wall" : "span");
            variant->size = 77;
            sample_equal_runs(capture, 1000, 30);
            variant->event_count = 2;
            variant->events = rl_arena_alloc(&capture->arena, 2 * sizeof *variant->events);
            variant->events[0] = (struct rl_event){.kind = rows[i].kind, .start_ns = 0, .end_ns = rows[i].copying_ns};
            variant->events[1] = (struct rl_event){.kind = RL_EVENT_KERNEL, .start_ns = rows[i].copying_ns, .end_ns = 1000};
            struct rl_fleet_record *record = record_of(capture, 0);
            assert_int_equal(record->measure_count, rows[i].link || !wall);
            if (record->measure_count) {
                assert_int_equal(record->keys[0].part, rows[i].link ? RL_PART_link : RL_PART_other);
                assert_string_equal(record->keys[0].id, "variant e/v of 77");
            }
            rl_fleet_record_free(record);
            rl_capture_free(capture);
        }
}

static void figures_that_are_none_are_left_out(void **state)
{
    static const double values[] = {0, -1, NAN, INFINITY, 7};
    struct rl_fleet_key key = {.name = "n", .id = "i", .part = RL_PART_sm};
    struct rl_fleet_key keys[RL_COUNT(values)];
    struct rl_fleet_measure measures[RL_COUNT(values)];
    struct rl_fleet_record record = {.keys = keys, .measures = measures};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(values); i++)
        rl_fleet_add_measure(&record, key, values[i], 0.25);
    assert_int_equal(record.measure_count, 1);
    assert_true(measures[0].value == 7 && measures[0].noise == 0.25);
    assert_int_equal(measures[0].part, RL_PART_sm);
}

/* Of a variant with one kernel the part is what limits that (16 kB at 32 GB/s are 0.5 of its 0.6 us); of several nobody knows. */
static void variants_become_measures(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
    rl_capture_add_experiment(capture)->name = rl_capture_text(capture, "e");
    for (size_t v = 0; v < 3; v++) {
        struct rl_variant *variant = rl_capture_add_variant(capture);
        variant->name = rl_arena_printf(&capture->arena, "v%zu", v);
        variant->measure = rl_capture_text(capture, "kernel");
        variant->result = RL_RESULT_OK;
        for (size_t k = 0; k < (v == 1 ? 2 : 1); k++) {
            const size_t kernel = sample_full_kernel(capture, "k(int)");
            sample_set(capture, kernel, "dram__bytes_read.sum", rl_value_of(15000));
            sample_set(capture, kernel, "flop_total", rl_value_of(0));
            sample_time(capture, kernel, 600);
            capture->kernels[kernel].grid[0] = 60;
            capture->kernels[kernel].variant = v;
            capture->kernels[kernel].launches_per_run = 1;
        }
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    assert_int_equal(analysis->kernels[0].bound, RL_BOUND_MEMORY);
    rl_analysis_free(analysis);
    struct rl_fleet_record *record = record_of(capture, 0);
    static const enum rl_fleet_part parts[] = {RL_PART_dram, RL_PART_other, RL_PART_dram};
    size_t at = 0;
    for (size_t v = 0; v < 3; v++) {
        char id[64];
        snprintf(id, sizeof id, "variant e/v%zu of 0", v);
        while (at < record->measure_count && strcmp(record->keys[at].id, id) != 0)
            at++;
        if (at == record->measure_count)
            fail_msg("no measure of %s", id);
        assert_int_equal(record->keys[at].part, parts[v]);
    }
    rl_fleet_record_free(record);
    rl_capture_free(capture);
}

/* What a ceiling is after long load is another measure; without such runs there is none. */
static void sustained_ceilings_are_measures_of_their_own(void **state)
{
    (void)state;
    for (int sustained = 0; sustained < 2; sustained++) {
        struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
        size_t found = 0;
        add_ceiling(capture, 0, "dram_read", -1);
        if (sustained)
            add_ceiling(capture, 0, "dram_read_sustained", -1);
        struct rl_fleet_record *record = record_of(capture, 0);
        for (size_t i = 0; i < record->measure_count; i++)
            if (strstr(record->keys[i].id, " sustained")) {
                found++;
                assert_true(record->keys[i].ceiling);
                assert_non_null(strstr(record->keys[i].name, ", sustained"));
                assert_close(record->measures[i].value, 1e12, 1e-12);
            }
        assert_int_equal(found > 0, sustained);
        rl_fleet_record_free(record);
        rl_capture_free(capture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evidence_by_hand),
        cmocka_unit_test(the_highest_may_be_below_zero),
        cmocka_unit_test(who_it_is),
        cmocka_unit_test(variants_are_counted),
        cmocka_unit_test(kernels_become_measures),
        cmocka_unit_test(the_noise_is_that_of_the_interval),
        cmocka_unit_test(ceilings_become_measures),
        cmocka_unit_test(every_ceiling_speaks_of_its_part),
        cmocka_unit_test(runs_that_copy_speak_of_the_link),
        cmocka_unit_test(figures_that_are_none_are_left_out),
        cmocka_unit_test(variants_become_measures),
        cmocka_unit_test(sustained_ceilings_are_measures_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
