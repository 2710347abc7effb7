/* Fleets in figures and words: every number of a spread, a limit and a suspect by hand; what is said of them; and what
 * is left of names when they are taken out. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "analysis/robust.h"
#include "core/mem.h"
#include "core/stats.h"
#include "fixtures/fleet_records.h"
#include "fleet_internal.h"

/* ---- eight GPUs with three figures of memory and two of the SM ---- */

enum { GPUS = 8, DRAM_KEYS = 3, SM_KEYS = 2, KEYS = DRAM_KEYS + SM_KEYS };

/* ln(how much slower) of each GPU: the median is 0.0005, the median distance from it 0.0025. */
static const double slower[GPUS] = {-0.004, 0.003, -0.001, 0, 0.001, 0.004, -0.002, 0.05};

static void fill(struct rl_fleet_record *record, size_t gpu)
{
    static const struct {
        const char *name;
        bool ceiling;
        enum rl_fleet_part part;
        double value;
    } keys[KEYS] = {{"Time A", false, RL_PART_dram, 1e-3},
                    {"DRAM", true, RL_PART_dram, 4e12},
                    {"Time B", false, RL_PART_dram, 5e-6},
                    {"FP32", true, RL_PART_sm, 6e13},
                    {"Time C", false, RL_PART_sm, 2}};
    record->keys = rl_calloc(KEYS, sizeof *record->keys);
    record->measures = rl_calloc(KEYS, sizeof *record->measures);
    record->measure_count = KEYS;
    for (size_t i = 0; i < KEYS; i++) {
        const double by = keys[i].part == RL_PART_dram ? slower[gpu] : 0;
        record->keys[i] = (struct rl_fleet_key){.name = keys[i].name,
                                                .id = keys[i].name,
                                                .ceiling = keys[i].ceiling,
                                                .unit = keys[i].ceiling ? RL_UNIT_BYTE_PER_SECOND : RL_UNIT_SECOND,
                                                .part = keys[i].part};
        record->measures[i] = (struct rl_fleet_measure){.key = (uint32_t)i,
                                                        .position = (uint16_t)i,
                                                        .part = (uint16_t)keys[i].part,
                                                        .noise = 0.00025F * (float)(gpu + 1),
                                                        .value = keys[i].value * exp(keys[i].ceiling ? -by : by)};
    }
}

static struct rl_fleet_record *known(size_t gpu)
{
    struct rl_fleet_record *record = record_numbered(gpu, 1);
    free(record->keys);
    free(record->measures);
    fill(record, gpu);
    return record;
}

static struct rl_fleet *known_fleet(const struct rl_fleet_options *options)
{
    struct rl_fleet *fleet = rl_fleet_new(options);
    for (size_t i = GPUS; i-- > 0;)
        rl_fleet_add(fleet, known(i));
    rl_fleet_finish(fleet);
    return fleet;
}

/* Ceilings stand before times, each in the order of measuring. */
static void keys_stand_in_the_order_of_measuring(void **state)
{
    static const char *const names[] = {"DRAM", "FP32", "Time A", "Time B", "Time C"};
    static const struct rl_fleet_options usual = {0};
    struct rl_fleet *fleet = known_fleet(&usual);
    (void)state;
    assert_int_equal(fleet->key_count, KEYS);
    for (size_t i = 0; i < KEYS; i++)
        assert_string_equal(fleet->keys[i].name, names[i]);
    for (size_t i = 0; i < fleet->record_count; i++)
        for (size_t m = 0; m < KEYS; m++)
            assert_int_equal(fleet->records[i]->measures[m].key, m);
    assert_string_equal(fleet->groups[0].suite, "3 times, 2 roofs");
    rl_fleet_free(fleet);
}

/* Times of 1 ms, sorted by how slow they are: -4, -2, -1, 0, 1, 3, 4 and 50 thousandths. */
static void a_spread_by_hand(void **state)
{
    static const struct rl_fleet_options usual = {0};
    struct rl_fleet *fleet = known_fleet(&usual);
    const struct rl_fleet_spread *times = rl_fleet_spread_of(fleet, 0, 2), *rates = rl_fleet_spread_of(fleet, 0, 0);
    (void)state;
    assert_int_equal(times->count, GPUS);
    assert_close(times->median, (1e-3 + 1e-3 * exp(0.001)) / 2, 1e-12);
    assert_close(times->first, 1e-3 * exp(-0.004), 1e-12);
    assert_close(times->last, 1e-3 * exp(0.05), 1e-12);
    assert_true(times->low > times->first && times->low < 1e-3 * exp(-0.002));
    assert_true(times->high < times->last && times->high > 1e-3 * exp(0.004));
    assert_close(times->centre, log(1e-3) + 0.0005, 1e-12);
    assert_close(rates->centre, -log(4e12) + 0.0005, 1e-12);
    assert_true(isnan(times->driver_centre[0]));     /* one driver */
    assert_close(times->floor, 0.00025 * 4.5, 1e-6); /* the middle one of the noises */
    assert_null(rl_fleet_spread_of(fleet, 0, KEYS));
    assert_null(rl_fleet_spread_of(fleet, 1, 0));

    /* Distances from 0.0005: 4.5 2.5 1.5 0.5 0.5 2.5 3.5 49.5; the middle ones are 2.5. */
    const double mad = 1.4826 * 1.129 * 0.0025, freedom = 0.37 * 7;
    const double typical = mad, scale = sqrt((freedom * mad * mad + 4 * typical * typical) / (freedom + 4));
    assert_close(times->scale, scale, 1e-9);
    /* 40 figures, 16 deviations of parts, and one for the fleet itself. */
    assert_close(fleet->groups[0].looks, 57, 1e-12);
    assert_close(times->limit, scale * rl_robust_limit(0.05, 57, freedom + 4), 1e-9);
    assert_close(rl_fleet_deviation(fleet, fleet->records[7], rl_fleet_measure_of(fleet->records[7], 2)), 0.0495, 1e-9);
    assert_close(rl_fleet_deviation(fleet, fleet->records[0], rl_fleet_measure_of(fleet->records[0], 0)), -0.0045, 1e-9);
    assert_null(rl_fleet_measure_of(fleet->records[0], KEYS));

    /* All alike: the typical 3 thousandths weigh by 4 degrees of freedom. */
    const double still = sqrt(4 * 0.003 * 0.003 / (freedom + 4));
    assert_close(rl_fleet_spread_of(fleet, 0, 4)->scale, still, 1e-9);
    const struct rl_fleet_part_spread *part = fleet->groups[0].part;
    assert_int_equal(part[RL_PART_dram].measures, DRAM_KEYS);
    assert_int_equal(part[RL_PART_sm].measures, SM_KEYS);
    assert_int_equal(part[RL_PART_link].measures, 0);
    assert_int_equal(part[RL_PART_dram].count, GPUS);
    assert_close(part[RL_PART_dram].scale, scale, 1e-9);
    assert_close(part[RL_PART_sm].scale, still, 1e-9);
    assert_true(isinf(part[RL_PART_link].limit) && part[RL_PART_link].count == 0);
    rl_fleet_free(fleet);
}

/* GPU 7 is 4.95 % slower in ln, 4.83 % in rate, in all three figures of memory. */
static void the_suspect_in_figures_and_words(void **state)
{
    static const struct rl_fleet_options usual = {0};
    struct rl_fleet *fleet = known_fleet(&usual);
    struct rl_buf text = RL_BUF_INIT;
    (void)state;
    assert_int_equal(fleet->suspect_count, 1);
    const struct rl_fleet_suspect *suspect = &fleet->suspects[0];
    assert_int_equal(suspect->record, 7);
    assert_true(suspect->slower);
    assert_int_equal(suspect->parts, 1u << RL_PART_dram);
    assert_close(suspect->worst, 0.0495, 1e-9);
    assert_int_equal(suspect->worst_key, RL_NONE);
    assert_int_equal(suspect->worst_part, RL_PART_dram);
    assert_int_equal(suspect->outlier_count, 3);
    assert_int_equal(fleet->outlier_count, 4); /* the part and its figures */
    for (size_t i = 0; i < fleet->outlier_count; i++) {
        const struct rl_fleet_outlier *outlier = &fleet->outliers[i];
        const double scale =
            outlier->key == RL_NONE ? fleet->groups[0].part[RL_PART_dram].scale : rl_fleet_spread_of(fleet, 0, outlier->key)->scale;
        assert_close(outlier->z, 0.0495 / scale, 1e-9);
        assert_int_equal(outlier->part, RL_PART_dram);
    }
    rl_fleet_slowdown_text(fleet, suspect, &text);
    assert_string_equal(text.data, "device memory 4.8\u00a0% slower (3 of 3 figures beyond their limits)");
    rl_buf_reset(&text);
    rl_fleet_causes_text(fleet, suspect, &text);
    assert_string_equal(text.data, "the capture says nothing about clocks, temperature, limits or link");
    rl_buf_reset(&text);
    rl_fleet_summary_text(fleet, &text);
    assert_string_equal(text.data, "1 of 8 GPUs is slower than the others");
    rl_buf_reset(&text);
    rl_fleet_group_text(&fleet->groups[0], &text);
    assert_string_equal(text.data, "8 × Card");
    rl_buf_release(&text);
    rl_fleet_free(fleet);
}

/* A limit is never below the least deviation that counts: 6 % in ln. */
static void the_least_deviation_that_counts(void **state)
{
    static const struct rl_fleet_options options = {.least = 0.06};
    struct rl_fleet *fleet = known_fleet(&options);
    (void)state;
    assert_int_equal(fleet->suspect_count, 0);
    for (size_t i = 0; i < fleet->spread_count; i++)
        assert_close(fleet->spreads[i].limit, log(1.06), 1e-12);
    rl_fleet_free(fleet);
}

/* ---- words ---- */

static void answers(void **state)
{
    static const struct {
        size_t compared, links, slower, slower_links;
        const char *said;
    } rows[] = {
        {16, 0, 0, 0, "none of 16 GPUs is slower than the others"},
        {1, 0, 1, 0, "1 of 1 GPU is slower than the others"},
        {16, 0, 2, 0, "2 of 16 GPUs are slower than the others"},
        {16, 56, 3, 1, "2 of 16 GPUs and 1 of 56 links are slower than the others"},
        {16, 56, 1, 1, "none of 16 GPUs and 1 of 56 links is slower than the others"},
        {0, 1, 0, 0, "none of 1 link is slower than the others"},
        {0, 0, 0, 0, "none of 0 GPUs is slower than the others"},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rl_fleet fleet = {.compared = rows[i].compared,
                                       .links = rows[i].links,
                                       .slower_count = rows[i].slower,
                                       .slower_links = rows[i].slower_links};
        struct rl_buf text = RL_BUF_INIT;
        rl_fleet_summary_text(&fleet, &text);
        assert_string_equal(text.data, rows[i].said);
        rl_buf_release(&text);
    }
}

static void who_it_is(void **state)
{
    static const struct {
        const char *node, *path, *links;
        int gpu, peer;
        bool namesake;
        const char *said;
    } rows[] = {
        {"n1", "a/b.rlcap", "", 3, 0, false, "n1 GPU 3"},
        {"", "a/b.rlcap", "", 0, 0, false, "a/b.rlcap GPU 0"},
        {"n1", "a/b.rlcap", "", 3, 0, true, "n1 GPU 3 (b.rlcap)"},
        {"n1", "b.rlcap", "", 3, 0, true, "n1 GPU 3 (b.rlcap)"},
        {"n1", "b.rlcap", "NVLink", 2, 3, false, "n1 GPU 2 and GPU 3"},
        {"n1", "b.rlcap", "PCIe", 2, RL_FLEET_HOST, false, "n1 GPU 2 and host"},
    };
    static const struct rl_fleet_group links = {.card = "Card", .links = "NVLink, switched", .record_count = 28};
    struct rl_buf text = RL_BUF_INIT;
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rl_fleet_record record = {.node = rows[i].node,
                                               .path = rows[i].path,
                                               .links = rows[i].links,
                                               .gpu = rows[i].gpu,
                                               .peer = rows[i].peer,
                                               .namesake = rows[i].namesake};
        rl_buf_reset(&text);
        rl_fleet_record_text(&record, &text);
        assert_string_equal(text.data, rows[i].said);
    }
    rl_buf_reset(&text);
    rl_fleet_group_text(&links, &text);
    assert_string_equal(text.data, "28 links of Card (NVLink, switched)");
    rl_buf_release(&text);
}

/* Two wrong results come before a slow GPU, a slower one before a slow one, all before one that is only faster. */
static void the_worst_stands_first(void **state)
{
    static const double by[] = {0, 0, 0, 0, 0, 0.05, 0.08, -0.3, 0};
    static const char *const order[] = {"00008.rlcap", "00006.rlcap", "00005.rlcap", "00007.rlcap"};
    static const struct rl_fleet_options usual = {0};
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    struct rl_buf text = RL_BUF_INIT;
    (void)state;
    for (size_t i = 0; i < RL_COUNT(by); i++) {
        struct rl_fleet_record *record = record_numbered(i, 6);
        for (size_t m = 0; m < 6; m++)
            record_slow_down(record, m, by[i]);
        record->wrong = i == 8;
        rl_fleet_add(fleet, record);
    }
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->suspect_count, 4);
    assert_int_equal(fleet->slower_count, 3);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(fleet->records[fleet->suspects[i].record]->path, order[i]);
    rl_fleet_slowdown_text(fleet, &fleet->suspects[0], &text);
    assert_string_equal(text.data, "1 wrong result");
    rl_buf_reset(&text);
    rl_fleet_causes_text(fleet, &fleet->suspects[0], &text);
    assert_string_equal(text.data, "");
    rl_fleet_causes_text(fleet, &fleet->suspects[3], &text); /* only faster */
    assert_string_equal(text.data, "");
    rl_fleet_slowdown_text(fleet, &fleet->suspects[3], &text);
    assert_string_equal(text.data, "device memory 35\u00a0% faster (6 of 6 figures beyond their limits)");
    rl_buf_release(&text);
    rl_fleet_free(fleet);
}

/* Evidence that is as usual is said to be; so is that there is hardly any. A wrong result stands before what is slow. */
static void no_cause_is_said(void **state)
{
    static const struct rl_fleet_options usual = {0};
    (void)state;
    for (size_t present = 2; present <= 3; present++) {
        struct rl_fleet *fleet = rl_fleet_new(&usual);
        struct rl_buf text = RL_BUF_INIT;
        for (size_t i = 0; i < 8; i++) {
            struct rl_fleet_record *record = record_numbered(i, 6);
            for (size_t e = 0; e + 1 < present; e++) /* the driver is one more */
                record->evidence[e == RL_EVIDENCE_driver ? RL_FLEET_EVIDENCE_COUNT - 1 : e] = rl_value_of(1);
            record_slow_down(record, 1, i == 4 ? 0.2 : 0);
            record->wrong = i == 4 ? 2 : 0;
            rl_fleet_add(fleet, record);
        }
        rl_fleet_finish(fleet);
        assert_int_equal(fleet->suspect_count, 1);
        rl_fleet_causes_text(fleet, &fleet->suspects[0], &text);
        assert_string_equal(
            text.data, present > 2
                           ? "no cause in the capture: clocks, throttling, temperature, limits, ECC, link and driver are as usual"
                           : "the capture says nothing about clocks, temperature, limits or link");
        rl_buf_reset(&text);
        rl_fleet_slowdown_text(fleet, &fleet->suspects[0], &text);
        assert_string_equal(text.data, "2 wrong results, 0 1 18\u00a0% slower (1 of 6 figures beyond their limits)");
        rl_buf_release(&text);
        rl_fleet_free(fleet);
    }
}

static void causes_stand_one_behind_the_other(void **state)
{
    static const struct rl_fleet_cause causes[] = {{.text = "it is hot"}, {.text = "it is far"}, {.text = "it is old"}};
    struct rl_fleet_record record = {.links = ""};
    struct rl_fleet_record *records[] = {&record};
    struct rl_fleet_suspect suspect = {.slower = true, .parts = 1};
    const struct rl_fleet fleet = {.records = records, .record_count = 1};
    struct rl_buf text = RL_BUF_INIT;
    (void)state;
    for (int i = 0; i < RL_FLEET_EVIDENCE_COUNT; i++)
        record.evidence[i] = rl_value_missing(RL_NOT_COLLECTED, NULL);
    memcpy(suspect.causes, causes, sizeof causes);
    suspect.cause_count = RL_COUNT(causes);
    rl_fleet_causes_text(&fleet, &suspect, &text);
    assert_string_equal(text.data, "it is hot; also it is far; also it is old");
    suspect.cause_count = 0;
    record.links = "NVLink";
    rl_buf_reset(&text);
    rl_fleet_causes_text(&fleet, &suspect, &text);
    assert_string_equal(text.data, "no cause in the capture: it has as many lanes or links as the others");
    suspect.slower = false;
    rl_buf_reset(&text);
    rl_fleet_causes_text(&fleet, &suspect, &text);
    assert_string_equal(text.data, "");
    rl_buf_release(&text);
}

/* ---- groups and parts ---- */

/* The largest group first, then by the card's name; links behind all GPUs. */
static void groups_have_an_order(void **state)
{
    static const struct {
        const char *card, *links;
        size_t count;
    } rows[] = {{"Z", "", 3}, {"M", "NVLink", 9}, {"B", "", 5}, {"A", "", 3}, {"C", "", 1}};
    static const char *const wanted[] = {"B", "A", "Z", "C", "M"};
    static const struct rl_fleet_options usual = {0};
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    size_t gpu = 0;
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        for (size_t k = 0; k < rows[i].count; k++, gpu++) {
            struct rl_fleet_record *record = record_numbered(gpu, 2);
            record->card = rows[i].card;
            record->links = rows[i].links;
            rl_fleet_add(fleet, record);
        }
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->group_count, RL_COUNT(rows));
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        assert_string_equal(fleet->groups[i].card, wanted[i]);
    assert_int_equal(fleet->compared, 12);
    assert_int_equal(fleet->links, 9);
    assert_string_equal(fleet->groups[4].suite, "2 rates");
    assert_true(fleet->groups[0].judged && !fleet->groups[1].judged && !fleet->groups[3].judged);
    for (size_t i = 0; i < fleet->record_count; i++) {
        const struct rl_fleet_group *group = &fleet->groups[fleet->records[i]->group];
        assert_string_equal(group->card, fleet->records[i]->card);
    }
    rl_fleet_free(fleet);
}

/* A figure is of the part that most captures say. */
static void most_captures_decide_the_part(void **state)
{
    static const enum rl_fleet_part says[] = {RL_PART_dram, RL_PART_other, RL_PART_sm, RL_PART_other, RL_PART_sm, RL_PART_other};
    static const struct rl_fleet_options usual = {0};
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    (void)state;
    for (size_t i = 0; i < RL_COUNT(says); i++) {
        struct rl_fleet_record *record = record_numbered(i, 2);
        record->measures[0].part = (uint16_t)says[i];
        record->measures[1].part = RL_PART_link;
        rl_fleet_add(fleet, record);
    }
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->keys[0].part, RL_PART_other);
    assert_int_equal(fleet->keys[1].part, RL_PART_link);
    assert_int_equal(fleet->groups[0].part[RL_PART_other].count, RL_COUNT(says));
    assert_int_equal(fleet->groups[0].part[RL_PART_dram].count, 0);
    rl_fleet_free(fleet);
}

static void the_most_common_by_hand(void **state)
{
    static const struct {
        double values[6];
        size_t n;
        double common;
    } rows[] = {{{5}, 1, 5}, {{1, 2, 2, 3}, 4, 2}, {{3, 2, 3, 1, 2, 3}, 6, 3}, {{2, 1, 2, 1}, 4, 1}, {{9, 9, 8}, 3, 9}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        double values[6];
        memcpy(values, rows[i].values, sizeof values);
        assert_true(rl_fleet_most_common(values, rows[i].n) == rows[i].common);
    }
}

/* What is usual: the median of what is measured, the most common of what is counted; nothing where nobody says. */
static void what_is_usual(void **state)
{
    static const double watts[] = {300, 500, 400, 350}, lanes[] = {16, 8, 16, 8};
    static const struct rl_fleet_options usual = {0};
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        struct rl_fleet_record *record = record_numbered(i, 2);
        if (i < 4) {
            record->evidence[RL_EVIDENCE_power_w] = rl_value_of(watts[i]);
            record->evidence[RL_EVIDENCE_pcie_width] = rl_value_of(lanes[i]);
        }
        rl_fleet_add(fleet, record);
    }
    rl_fleet_finish(fleet);
    const struct rl_value *found = fleet->groups[0].usual;
    assert_close(found[RL_EVIDENCE_power_w].v, 375, 1e-12);
    assert_close(found[RL_EVIDENCE_pcie_width].v, 8, 1e-12);
    assert_false(rl_present(found[RL_EVIDENCE_temperature_c]));
    assert_close(found[RL_EVIDENCE_driver].v, 0, 1e-12);
    rl_fleet_free(fleet);
}

/* ---- without names ---- */

static void names_become_numbers(void **state)
{
    static const struct {
        const char *path, *host, *uuid;
        const char *said_path, *said_host, *said_node, *said_rack, *said_uuid;
    } rows[] = {
        {"b/2.rlcap", "r1n2.example.org", "GPU-b", "capture-02", "host-02", "node-02", "rack-01", "GPU-02"},
        {"b/1.rlcap", "r1n1.example.org", "GPU-a", "capture-01", "host-01", "node-01", "rack-01", "GPU-01"},
        {"c/1.rlcap", "r2n1.example.org", "GPU-c", "capture-03", "host-03", "node-03", "rack-02", "GPU-03"},
        {"c/2.rlcap", "r2n1.example.org", "GPU-d", "capture-04", "host-03", "node-03", "rack-02", "GPU-04"},
        {"c/3.rlcap", "", "", "capture-05", "", "", "", ""},
        {"c/4.rlcap", "r2n1.example.org", "GPU-e", "capture-06", "host-03", "node-03", "rack-02", "GPU-05"},
        {"c/5.rlcap", "r2n1.example.org", "GPU-f", "capture-07", "host-03", "node-03", "rack-02", "GPU-06"},
        {"c/6.rlcap", "r2n1.example.org", "GPU-g", "capture-08", "host-03", "node-03", "rack-02", "GPU-07"},
        {"c/7.rlcap", "r2n1.example.org", "GPU-h", "capture-09", "host-03", "node-03", "rack-02", "GPU-08"},
        {"c/8.rlcap", "r2n1.example.org", "GPU-i", "capture-10", "host-03", "node-03", "rack-02", "GPU-09"},
        {"c/9.rlcap", "r2n1.example.org", "GPU-j", "capture-11", "host-03", "node-03", "rack-02", "GPU-10"},
    };
    static const struct rl_fleet_options usual = {0};
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        rl_fleet_add(fleet, record_make(rows[i].path, (struct record_gpu){rows[i].host, rows[i].uuid, "1", 0}, RL_PART_dram, 2));
    rl_fleet_add_unread(fleet, "z/secret.rlcap", "'z/secret.rlcap' is damaged; copy z/secret.rlcap");
    rl_fleet_add_unread(fleet, "d.rlcap", "not a capture");
    fleet->records[0]->peer_uuid = "GPU-a";
    rl_fleet_redact(fleet);
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rl_fleet_record *record = fleet->records[i];
        assert_string_equal(record->path, rows[i].said_path);
        assert_string_equal(record->host, rows[i].said_host);
        assert_string_equal(record->node, rows[i].said_node);
        assert_string_equal(record->rack, rows[i].said_rack);
        assert_string_equal(record->uuid, rows[i].said_uuid);
    }
    assert_string_equal(fleet->records[0]->peer_uuid, "GPU-01");
    assert_string_equal(fleet->unread[0].path, "capture-13");
    assert_string_equal(fleet->unread[0].why, "'capture-13' is damaged; copy capture-13");
    assert_string_equal(fleet->unread[1].path, "capture-12");
    assert_string_equal(fleet->unread[1].why, "not a capture");
    rl_fleet_free(fleet);
}

/* Nine places need one digit, ten two. */
static void as_many_digits_as_needed(void **state)
{
    static const struct rl_fleet_options usual = {0};
    (void)state;
    for (size_t count = 9; count <= 10; count++) {
        struct rl_fleet *fleet = rl_fleet_new(&usual);
        for (size_t i = 0; i < count; i++)
            rl_fleet_add(fleet, record_numbered(i, 2));
        rl_fleet_redact(fleet);
        assert_string_equal(fleet->records[8]->uuid, count == 9 ? "GPU-9" : "GPU-09");
        rl_fleet_free(fleet);
    }
}

/* More names of figures than the table has room for at first: each keeps its own. */
static void many_figures_keep_their_names(void **state)
{
    static const struct rl_fleet_options usual = {0};
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    (void)state;
    for (size_t i = 0; i < 2; i++)
        rl_fleet_add(fleet, record_numbered(i, 1500));
    assert_int_equal(fleet->key_count, 1500);
    for (size_t i = 0; i < 2; i++)
        for (size_t m = 0; m < 1500; m++) {
            const struct rl_fleet_measure *measure = &fleet->records[i]->measures[m];
            char id[32];
            snprintf(id, sizeof id, "0 %u", measure->position);
            assert_string_equal(fleet->keys[measure->key].id, id);
        }
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->key_count, 1500);
    rl_fleet_free(fleet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_stand_in_the_order_of_measuring),
        cmocka_unit_test(a_spread_by_hand),
        cmocka_unit_test(the_suspect_in_figures_and_words),
        cmocka_unit_test(the_least_deviation_that_counts),
        cmocka_unit_test(answers),
        cmocka_unit_test(who_it_is),
        cmocka_unit_test(the_worst_stands_first),
        cmocka_unit_test(no_cause_is_said),
        cmocka_unit_test(causes_stand_one_behind_the_other),
        cmocka_unit_test(groups_have_an_order),
        cmocka_unit_test(most_captures_decide_the_part),
        cmocka_unit_test(the_most_common_by_hand),
        cmocka_unit_test(what_is_usual),
        cmocka_unit_test(names_become_numbers),
        cmocka_unit_test(as_many_digits_as_needed),
        cmocka_unit_test(many_figures_keep_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
