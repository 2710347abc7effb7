/* Who is accused in fleets of a thousand GPUs, made from a real capture by the model in fleet_model.h. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/fleet_model.h"
#include "fixtures/fleet_records.h"

static const struct rl_fleet_options usual = {0};

/* ---- a thousand GPUs made from a real one ---- */

static struct rl_capture *real_capture(void)
{
    struct rl_capture *capture = NULL;
    struct rl_err err = RL_ERR_INIT;
    if (rl_capture_read(RL_SOURCE_DIR "/samples/h200.rlcap", &capture, &err) != RL_OK)
        fail_msg("%s", err.text);
    return capture;
}

/* Ceilings that the sample may not have yet: one of each part is enough. */
static void add_ceilings(struct rl_capture *capture)
{
    static const struct {
        const char *id;
        enum rl_unit unit;
        double rate;
    } rows[] = {{"dram_write", RL_UNIT_BYTE_PER_SECOND, 4.7e12}, {"dram_copy", RL_UNIT_BYTE_PER_SECOND, 4.3e12},
                {"l2_read", RL_UNIT_BYTE_PER_SECOND, 9.7e12},    {"shared_read", RL_UNIT_BYTE_PER_SECOND, 3.3e13},
                {"fp32", RL_UNIT_FLOP_PER_SECOND, 6.6e13},       {"pcie_h2d", RL_UNIT_BYTE_PER_SECOND, 5.5e10},
                {"pcie_d2h", RL_UNIT_BYTE_PER_SECOND, 5.5e10}};
    for (size_t i = 0; i < RL_COUNT(rows) && capture->ceiling_count < RL_COUNT(rows); i++) {
        struct rl_ceiling_run *run = sample_ceiling(capture, 0, rows[i].id, rows[i].unit, rows[i].rate, 0, 30);
        for (int s = 0; s < 30; s++)
            run->samples[s] = rows[i].rate * (1 + 1e-5 * s);
    }
}

/* What the host's clock timed is a matter of the host: it becomes no measure of the GPU. */
static void times_by_the_host_are_not_judged(void **state)
{
    (void)state;
    static const char *const measures[] = {"kernel", "wall"};
    struct rl_capture *capture = rl_capture_new();
    (void)rl_capture_add_gpu(capture);
    sample_experiment(capture, "e");
    for (size_t i = 0; i < RL_COUNT(measures); i++) {
        struct rl_variant *variant = sample_variant(capture, 0, 0, measures[i], measures[i]);
        variant->duration_count = 30;
        variant->duration_ns = rl_arena_alloc(&capture->arena, 30 * sizeof *variant->duration_ns);
        for (size_t s = 0; s < 30; s++)
            variant->duration_ns[s] = 1000000 + s;
    }
    struct rl_analysis *analysis = rl_analysis_new(capture);
    struct rl_fleet_record *record = rl_fleet_record_new(analysis, 0, "one.rlcap");
    assert_int_equal(record->measure_count, 1);
    assert_string_equal(record->keys[0].name, "e / kernel");
    rl_fleet_record_free(record);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* GPU number `gpu` of the simulated fleet. */
static struct rl_fleet_record *simulated(const struct rl_analysis *analysis, uint64_t seed, size_t gpu, size_t every, double spread)
{
    char path[64], host[64];
    struct model_gpu model = model_gpu_of(seed, gpu, every, spread);
    snprintf(path, sizeof path, "sim-%05zu.rlcap", gpu);
    snprintf(host, sizeof host, "sim-r%02zun%02zu", gpu / 128, gpu / 8 % 16);
    struct rl_fleet_record *record = rl_fleet_record_new(analysis, 0, path);
    record->host = rl_arena_strdup(&record->arena, host);
    record->node = record->host;
    record->rack = rl_arena_strndup(&record->arena, host, strlen("sim-r00"));
    record->uuid = rl_arena_strdup(&record->arena, path);
    record->gpu = (int)(gpu % 8);
    record->sha256.hex[0] = 0;
    for (size_t i = 0; i < record->measure_count; i++) {
        const struct rl_fleet_key *key = &record->keys[i];
        double slower = model_slower(&model, seed, gpu, i, key->part);
        record->measures[i].value *= exp(key->ceiling ? -slower : slower);
    }
    if (model.fault == MODEL_LOW_CLOCK)
        record->evidence[RL_EVIDENCE_sm_clock_hz].v *= 0.95;
    if (model.fault == MODEL_BAD_LINK)
        record->evidence[RL_EVIDENCE_pcie_width] = rl_value_of(8);
    return record;
}

struct tally {
    size_t planted, found, healthy, accused, explained;
};

static bool names_the_fault(const struct rl_fleet_suspect *suspect, enum model_fault fault)
{
    static const unsigned part[] = {
        [MODEL_SLOW_MEMORY] = 1u << RL_PART_dram, [MODEL_LOW_CLOCK] = 1u << RL_PART_sm, [MODEL_BAD_LINK] = 1u << RL_PART_link};
    static const int cause[] = {
        [MODEL_SLOW_MEMORY] = -1, [MODEL_LOW_CLOCK] = RL_CAUSE_ID_sm_clock, [MODEL_BAD_LINK] = RL_CAUSE_ID_link_width};
    bool caused =
        cause[fault] < 0 ? suspect->cause_count == 0 : suspect->cause_count > 0 && (int)suspect->causes[0].cause == cause[fault];
    return (suspect->parts & part[fault]) && caused;
}

static struct tally try_fleet(const struct rl_analysis *analysis, uint64_t seed, size_t count, size_t every, double spread)
{
    struct tally tally = {0};
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    for (size_t gpu = count; gpu-- > 0;) /* in another order than they are named */
        rl_fleet_add(fleet, simulated(analysis, seed, gpu, every, spread));
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->compared, count);
    for (size_t gpu = 0; gpu < count; gpu++) {
        char path[64];
        snprintf(path, sizeof path, "sim-%05zu.rlcap", gpu);
        enum model_fault fault = model_fault_of(seed, gpu, every);
        const struct rl_fleet_suspect *suspect = suspect_of(fleet, path);
        bool accused = suspect && suspect->slower;
        tally.planted += fault != MODEL_HEALTHY;
        tally.healthy += fault == MODEL_HEALTHY;
        tally.found += fault != MODEL_HEALTHY && accused;
        tally.explained += fault != MODEL_HEALTHY && accused && names_the_fault(suspect, fault);
        tally.accused += fault == MODEL_HEALTHY && accused;
    }
    rl_fleet_free(fleet);
    print_message("seed %2d, %4zu GPUs, spread x%g: %zu of %zu planted found, %zu explained; %zu of %zu healthy accused\n",
                  (int)seed, count, spread, tally.found, tally.planted, tally.explained, tally.accused, tally.healthy);
    return tally;
}

static void planted_faults_are_found_in_a_thousand(void **state)
{
    (void)state;
    struct rl_capture *capture = real_capture();
    add_ceilings(capture);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct tally tally = try_fleet(analysis, seed, 1000, 40, 1);
        assert_int_equal(tally.planted, 25);
        assert_true(tally.found >= 0.95 * tally.planted);
        assert_true(tally.explained >= 0.95 * tally.planted);
        assert_true(tally.accused <= 0.01 * tally.healthy);
    }
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* No faults, fleets of every size, a natural spread as assumed and twice it: nobody is to be accused. */
static void healthy_fleets_are_left_alone(void **state)
{
    (void)state;
    static const size_t sizes[] = {4, 5, 8, 16, 72};
    struct rl_capture *capture = real_capture();
    add_ceilings(capture);
    struct rl_analysis *analysis = rl_analysis_new(capture);
    for (int spread = 1; spread <= 2; spread++) {
        size_t accused = 0, healthy = 0;
        for (size_t i = 0; i < RL_COUNT(sizes); i++)
            for (uint64_t seed = 1; seed <= 20; seed++) {
                struct tally tally = try_fleet(analysis, seed, sizes[i], 0, spread);
                accused += tally.accused;
                healthy += tally.healthy;
            }
        assert_true(accused <= 0.01 * healthy);
    }
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_by_the_host_are_not_judged),
        cmocka_unit_test(planted_faults_are_found_in_a_thousand),
        cmocka_unit_test(healthy_fleets_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
