/* Fleets: who is accused and why, who is not, what is compared with what. Records are made by hand. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "core/mem.h"
#include "fixtures/capture.h"
#include "fixtures/fleet_records.h"

static const struct rl_fleet_options usual = {0};

/* ---- names ---- */

static void racks_are_read_from_names(void **state)
{
    (void)state;
    static const struct {
        const char *host, *node, *rack;
    } rows[] = {{"r07n12.cluster.example", "r07n12", "r07"},
                {"rack3-node05", "rack3-node05", "rack3"},
                {"x1000c0s3b0n1", "x1000c0s3b0n1", "x1000"},
                {"x1000c0s3b0n1-ib", "x1000c0s3b0n1-ib", "x1000c0s3b0"},
                {"cn-3-14", "cn-3-14", "cn-3"},
                {"node12", "node12", ""},
                {"login", "login", ""},
                {"12", "12", ""},
                {"", "", ""},
                {"a1b", "a1b", ""},
                {"\xff\x01"
                 "7-\n9",
                 "\xff\x01"
                 "7-\n9",
                 "\xff\x01"
                 "7"}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_buf node = RL_BUF_INIT, rack = RL_BUF_INIT;
        rl_fleet_parse_host(rows[i].host, &node, &rack);
        assert_string_equal(node.data, rows[i].node);
        assert_string_equal(rack.data, rows[i].rack);
        rl_buf_release(&node);
        rl_buf_release(&rack);
    }
}

/* ---- few, alike, none ---- */

static void an_empty_fleet_says_nothing(void **state)
{
    (void)state;
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    rl_fleet_add_unread(fleet, "broken.rlcap", "not a capture");
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->compared, 0);
    assert_int_equal(fleet->unread_count, 1);
    rl_fleet_free(fleet);
}

static void three_gpus_are_shown_and_not_judged(void **state)
{
    (void)state;
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    for (size_t i = 0; i < 3; i++) {
        struct rl_fleet_record *record = record_numbered(i, 6);
        record_slow_down(record, 0, i == 0 ? 0.5 : 0);
        rl_fleet_add(fleet, record);
    }
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->group_count, 1);
    assert_false(fleet->groups[0].judged);
    assert_int_equal(fleet->suspect_count, 0);
    assert_true(isinf(fleet->spreads[0].limit));
    rl_fleet_free(fleet);
}

/* All alike: the MAD is 0, and half a percent is still no reason to accuse, 5 % is. */
static void equal_gpus_have_a_limit_all_the_same(void **state)
{
    (void)state;
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    for (size_t i = 0; i < 8; i++) {
        struct rl_fleet_record *record = record_numbered(i, 6);
        record_slow_down(record, 1, i == 2 ? 0.05 : i == 3 ? 0.005 : 0);
        rl_fleet_add(fleet, record);
    }
    rl_fleet_finish(fleet);
    assert_true(isfinite(fleet->spreads[1].limit) && fleet->spreads[1].limit >= log1p(0.01));
    assert_int_equal(fleet->suspect_count, 1);
    assert_non_null(suspect_of(fleet, "00002.rlcap"));
    assert_close(fleet->suspects[0].worst, 0.05, 1e-9);
    rl_fleet_free(fleet);
}

static void assert_who(const struct rl_fleet *fleet, size_t record, const char *expected)
{
    struct rl_buf who = RL_BUF_INIT;
    rl_fleet_record_text(fleet->records[record], &who);
    assert_string_equal(who.data, expected);
    rl_buf_release(&who);
}

/* Containers have one name, and every GPU is number 0: the file tells them apart. */
static void gpus_of_one_name_are_told_apart_by_file(void **state)
{
    (void)state;
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    rl_fleet_add(fleet, record_make("runs/a.rlcap", (struct record_gpu){"vm", "GPU-1", "1", 0}, RL_PART_dram, 4));
    rl_fleet_add(fleet, record_make("runs/b.rlcap", (struct record_gpu){"vm", "GPU-2", "1", 0}, RL_PART_dram, 4));
    rl_fleet_add(fleet, record_make("runs/c.rlcap", (struct record_gpu){"vm", "GPU-3", "1", 1}, RL_PART_dram, 4));
    rl_fleet_finish(fleet);
    assert_who(fleet, 0, "vm GPU 0 (a.rlcap)");
    assert_who(fleet, 1, "vm GPU 0 (b.rlcap)");
    assert_who(fleet, 2, "vm GPU 1");
    rl_fleet_free(fleet);
}

/* The usual case of one node: the slow one of eight. */
static void the_slow_one_of_eight_is_found(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct rl_fleet *fleet = rl_fleet_new(&usual);
        for (size_t i = 0; i < 8; i++) {
            struct rl_fleet_record *record = record_numbered(i, 20);
            record_scatter(record, seed, i, 0.002);
            for (size_t m = 0; m < 20 && i == 5; m++)
                record_slow_down(record, m, 0.03);
            rl_fleet_add(fleet, record);
        }
        rl_fleet_finish(fleet);
        assert_int_equal(fleet->slower_count, 1);
        const struct rl_fleet_suspect *slow = suspect_of(fleet, "00005.rlcap");
        assert_non_null(slow);
        assert_int_equal(slow->worst_key, RL_NONE);
        assert_int_equal(slow->parts, 1u << RL_PART_dram);
        rl_fleet_free(fleet);
    }
}

static void a_faster_gpu_accuses_nobody(void **state)
{
    (void)state;
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    for (size_t i = 0; i < 8; i++) {
        struct rl_fleet_record *record = record_numbered(i, 6);
        record_slow_down(record, 0, i == 2 ? -0.2 : 0);
        rl_fleet_add(fleet, record);
    }
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->suspect_count, 1);
    assert_int_equal(fleet->slower_count, 0);
    assert_false(fleet->suspects[0].slower);
    rl_fleet_free(fleet);
}

static void a_wrong_result_needs_no_statistics(void **state)
{
    (void)state;
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    struct rl_fleet_record *record = record_numbered(0, 6);
    struct rl_buf what = RL_BUF_INIT;
    record->wrong = 2;
    rl_fleet_add(fleet, record);
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->slower_count, 1);
    rl_fleet_slowdown_text(fleet, &fleet->suspects[0], &what);
    assert_string_equal(what.data, "2 wrong results");
    rl_buf_release(&what);
    rl_fleet_free(fleet);
}

/* ---- what is compared with what ---- */

static void mixed_fleets_fall_into_groups(void **state)
{
    (void)state;
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    for (size_t i = 0; i < 12; i++) {
        struct rl_fleet_record *record = record_numbered(i, 6);
        record->card = i < 6 ? "Card" : i < 10 ? "Other card" : "Card";
        record->tool_version = i < 10 ? "1.0" : "2.0";
        rl_fleet_add(fleet, record);
    }
    rl_fleet_add(fleet, record_make("quick.rlcap", (struct record_gpu){"n1", "u", "1", 0}, RL_PART_sm, 6)); /* other measures */
    struct rl_fleet_record *cut = record_numbered(20, 3); /* three of the six: interrupted */
    cut->complete = false;
    rl_fleet_add(fleet, cut);
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->group_count, 4);
    assert_int_equal(fleet->groups[0].record_count, 7);
    assert_int_equal(fleet->groups[0].incomplete, 1);
    assert_int_equal(fleet->groups[1].record_count, 4);
    assert_string_equal(fleet->groups[1].card, "Other card");
    assert_int_equal(fleet->compared, 14);
    rl_fleet_free(fleet);
}

static void each_gpu_counts_once(void **state)
{
    (void)state;
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    for (size_t i = 0; i < 6; i++) {
        struct rl_fleet_record *record = record_numbered(i, 6);
        snprintf(record->sha256.hex, sizeof record->sha256.hex, "%zu", i);
        rl_fleet_add(fleet, record);
    }
    struct rl_fleet_record *copy = record_numbered(3, 6), *older = record_numbered(2, 6), *cut = record_numbered(1, 5),
                           *newer = record_numbered(4, 6);
    newer->path = "newer.rlcap"; /* sorted behind, and counts all the same */
    newer->started = "2026-01-02T00:00:00Z";
    rl_fleet_add(fleet, newer);
    copy->path = "copy.rlcap";
    snprintf(copy->sha256.hex, sizeof copy->sha256.hex, "3");
    older->path = "older.rlcap";
    older->started = "2025-12-31T00:00:00Z";
    cut->path = "cut.rlcap";
    cut->started = "2026-02-01T00:00:00Z"; /* newer, but not complete */
    cut->complete = false;
    rl_fleet_add(fleet, copy);
    rl_fleet_add(fleet, older);
    rl_fleet_add(fleet, cut);
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->compared, 6);
    static const struct {
        const char *path, *of;
        enum rl_fleet_use use;
    } rows[] = {{"copy.rlcap", "00003.rlcap", RL_USE_DUPLICATE},
                {"older.rlcap", "00002.rlcap", RL_USE_OLDER},
                {"cut.rlcap", "00001.rlcap", RL_USE_OLDER},
                {"00004.rlcap", "newer.rlcap", RL_USE_OLDER}};
    for (size_t row = 0; row < RL_COUNT(rows); row++)
        for (size_t i = 0; i < fleet->record_count; i++)
            if (strcmp(fleet->records[i]->path, rows[row].path) == 0) {
                assert_int_equal(fleet->records[i]->use, rows[row].use);
                assert_string_equal(fleet->records[fleet->records[i]->of]->path, rows[row].of);
            }
    rl_fleet_free(fleet);
}

/* A driver that many share accuses none of its GPUs; a driver of one GPU is a cause. */
static void drivers_are_held_apart(void **state)
{
    (void)state;
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    for (size_t i = 0; i < 64; i++) {
        struct rl_fleet_record *record = record_numbered(i, 8);
        record->driver = i < 40 ? "570" : i < 63 ? "580" : "550";
        record_scatter(record, 3, i, 0.002);
        for (size_t m = 0; m < 8; m++)
            record_slow_down(record, m, i < 40 ? 0 : i < 63 ? (m ? 0.03 : 0.01) : 0.05); /* the median of the measures counts */
        rl_fleet_add(fleet, record);
    }
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->groups[0].driver_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const char *driver = fleet->groups[0].drivers[i];
        assert_int_equal(fleet->groups[0].driver_records[i], strcmp(driver, "570") == 0 ? 40 : strcmp(driver, "580") == 0 ? 23 : 1);
    }
    assert_int_equal(fleet->slower_count, 1);
    const struct rl_fleet_suspect *slow = suspect_of(fleet, "00063.rlcap");
    assert_non_null(slow);
    assert_int_equal(slow->cause_count, 1);
    assert_int_equal(slow->causes[0].cause, RL_CAUSE_ID_driver);
    rl_fleet_free(fleet);
}

/* ---- causes: every row, both sides ---- */

static size_t causes_with(enum rl_cause id, double here)
{
    const struct rl_cause_info *cause = &rl_causes[id];
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    enum rl_fleet_part part = 0;
    size_t found = 0;
    while (!((cause->parts >> part) & 1))
        part++;
    for (size_t i = 0; i < 8; i++) {
        char path[16], uuid[16];
        snprintf(path, sizeof path, "%zu", i);
        snprintf(uuid, sizeof uuid, "GPU-%zu", i);
        struct rl_fleet_record *record = record_make(path, (struct record_gpu){"h", uuid, "1", (int)i}, part, 6);
        record->evidence[cause->evidence] = rl_value_of(i == 7 ? here : 1);
        if (cause->evidence == RL_EVIDENCE_driver)
            record->driver = i == 7 && here != 1 ? "2" : "1";
        record_slow_down(record, 0, i == 7 ? 0.1 : 0);
        rl_fleet_add(fleet, record);
    }
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->slower_count, 1);
    for (size_t i = 0; i < fleet->suspects[0].cause_count; i++)
        found += fleet->suspects[0].causes[i].cause == id;
    assert_true(fleet->suspects[0].cause_count == found); /* of this evidence and no other */
    rl_fleet_free(fleet);
    return found;
}

static void every_cause_both_sides(void **state)
{
    (void)state;
    for (int id = 0; id < RL_CAUSE_COUNT; id++) {
        double amount = rl_causes[id].amount;
        bool lower = rl_causes[id].how == RL_CAUSE_LOWER;
        assert_int_equal(causes_with((enum rl_cause)id, lower ? 1 - amount - 0.001 : 1 + amount + 0.001), 1);
        assert_int_equal(causes_with((enum rl_cause)id, rl_causes[id].how == RL_CAUSE_OTHER ? 1
                                                        : lower                             ? 1 - amount
                                                                                            : 1 + amount),
                         0);
    }
}

static void rows_are_complete(void **state)
{
    (void)state;
    for (int id = 0; id < RL_CAUSE_COUNT; id++) {
        assert_true(rl_causes[id].parts != 0 && strlen(rl_causes[id].words) > 10 && strlen(rl_causes[id].advice) > 10);
        for (int other = 0; other < id; other++)
            assert_string_not_equal(rl_causes[id].id, rl_causes[other].id);
    }
}

/* Whatever order they are added in: by path, of a path GPUs before links, then by GPU and by the other end. */
static void records_stand_by_path_links_and_ends(void **state)
{
    static const struct {
        const char *path, *links;
        int gpu, peer;
    } rows[] = {{"b", "", 0, 0},       {"a", "PCIe", 0, 1},   {"a", "NVLink", 1, 3},
                {"a", "NVLink", 1, 2}, {"a", "NVLink", 0, 3}, {"a", "", 5, 0}};
    (void)state;
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_fleet_record *record = record_make(rows[i].path, (struct record_gpu){"n", "", "1", rows[i].gpu}, RL_PART_dram, 4);
        record->links = rows[i].links;
        record->peer = rows[i].peer;
        rl_fleet_add(fleet, record);
    }
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->record_count, RL_COUNT(rows));
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const size_t wanted = i == 3 ? 2 : i == 2 ? 3 : RL_COUNT(rows) - 1 - i;
        const struct rl_fleet_record *record = fleet->records[i];
        if (record->gpu != rows[wanted].gpu || strcmp(record->links, rows[wanted].links) != 0 || record->peer != rows[wanted].peer)
            fail_msg("place %zu: %s of %s, GPU %d and %d", i, record->links, record->path, record->gpu, record->peer);
    }
    rl_fleet_free(fleet);
}

/* The first record by path says the order; the others' measures stay of the keys that they were of. */
static void keys_are_those_of_their_measures(void **state)
{
    (void)state;
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    struct rl_fleet_record *second = record_make("b", (struct record_gpu){"n", "GPU-1", "1", 0}, RL_PART_dram, 5);
    for (size_t i = 0; i < 5; i++) {
        char id[8];
        snprintf(id, sizeof id, "%zu", 4 - i);
        second->keys[i].id = second->keys[i].name = rl_arena_strdup(&second->key_arena, id);
        second->keys[i].ceiling = false;
        second->measures[i].value = 4 - (double)i + 1;
    }
    struct rl_fleet_record *first = record_make("a", (struct record_gpu){"n", "GPU-2", "1", 1}, RL_PART_dram, 5);
    for (size_t i = 0; i < 5; i++) {
        char id[8];
        snprintf(id, sizeof id, "%zu", i);
        first->keys[i].id = first->keys[i].name = rl_arena_strdup(&first->key_arena, id);
        first->keys[i].ceiling = false;
        first->measures[i].value = (double)i + 1;
    }
    rl_fleet_add(fleet, second);
    rl_fleet_add(fleet, first);
    rl_fleet_finish(fleet);
    assert_int_equal(fleet->key_count, 5);
    for (size_t key = 0; key < 5; key++) {
        assert_int_equal(strtol(fleet->keys[key].id, NULL, 10), key);
        for (size_t r = 0; r < 2; r++)
            assert_true(rl_fleet_measure_of(fleet->records[r], key)->value == (double)key + 1);
    }
    rl_fleet_free(fleet);
}

static void uses_have_names(void **state)
{
    (void)state;
    assert_string_equal(rl_fleet_use_name(RL_USE_COMPARED), "compared");
    assert_string_equal(rl_fleet_use_name(RL_USE_DUPLICATE), "duplicate");
    assert_string_equal(rl_fleet_use_name(RL_USE_OLDER), "older capture of a GPU");
    assert_string_equal(rl_fleet_use_name(RL_USE_EMPTY), "nothing measured");
}

/* A GPU that computes the wrong thing is worse than one that is slow, and that than one that is fast: 50 % slower in all but one
 * figure, 30 % slower, wrong, 20 % faster of twelve; in either order. */
static void wrong_results_stand_before_slow_ones(void **state)
{
    enum { ROWS = 4, FIGURES = 6 };
    static const struct {
        double slower, last;
        size_t wrong;
    } rows[ROWS] = {{0.3, 0.3, 0}, {-0.2, -0.2, 0}, {0.5, -0.3, 0}, {0, 0, 2}};
    static const size_t wanted[2][ROWS] = {{3, 2, 0, 1}, {0, 1, 3, 2}};
    (void)state;
    for (size_t turn = 0; turn < 2; turn++) {
        struct rl_fleet *fleet = rl_fleet_new(&usual);
        for (size_t i = 0; i < 12; i++) {
            struct rl_fleet_record *record = record_numbered(i, FIGURES);
            record_scatter(record, 1, i, 0.002);
            const size_t row = turn ? ROWS - 1 - i : i;
            record->wrong = i < ROWS ? rows[row].wrong : 0;
            for (size_t m = 0; m < FIGURES && i < ROWS; m++)
                record_slow_down(record, m, m + 1 < FIGURES ? rows[row].slower : rows[row].last);
            rl_fleet_add(fleet, record);
        }
        rl_fleet_finish(fleet);
        assert_int_equal(fleet->suspect_count, ROWS);
        for (size_t i = 0; i < ROWS; i++)
            assert_int_equal(fleet->suspects[i].record, wanted[turn][i]);
        assert_true(fleet->suspects[0].wrong == 2 && fleet->suspects[0].slower);
        assert_int_equal(fleet->suspects[1].outlier_count, FIGURES - 1); /* what is faster does not count */
        assert_int_equal(fleet->suspects[2].outlier_count, FIGURES);
        assert_false(fleet->suspects[3].slower);
        assert_int_equal(fleet->slower_count, 3);
        rl_fleet_free(fleet);
    }
}

/* Records of other lengths in one group, the shortest first; ceilings stand before kernels, the first key as well. */
static void records_of_other_lengths_are_judged_together(void **state)
{
    (void)state;
    enum { RECORDS = 8 };
    struct rl_fleet *fleet = rl_fleet_new(&usual);
    struct rl_fleet_record *shortest = record_numbered(0, 3);
    char first[100];
    snprintf(first, sizeof first, "%s", shortest->keys[0].id);
    assert_true(shortest->keys[0].ceiling);
    rl_fleet_add(fleet, shortest);
    for (size_t i = 1; i < RECORDS; i++)
        rl_fleet_add(fleet, record_numbered(i, 3 + 40 * i));
    rl_fleet_finish(fleet);
    assert_string_equal(fleet->keys[0].id, first);
    assert_int_equal(fleet->group_count, 1);
    assert_int_equal(fleet->groups[0].record_count, RECORDS);
    for (size_t i = 1; i < fleet->key_count; i++)
        assert_true(fleet->keys[i - 1].ceiling >= fleet->keys[i].ceiling);
    rl_fleet_free(fleet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(racks_are_read_from_names),
        cmocka_unit_test(an_empty_fleet_says_nothing),
        cmocka_unit_test(three_gpus_are_shown_and_not_judged),
        cmocka_unit_test(equal_gpus_have_a_limit_all_the_same),
        cmocka_unit_test(gpus_of_one_name_are_told_apart_by_file),
        cmocka_unit_test(the_slow_one_of_eight_is_found),
        cmocka_unit_test(a_faster_gpu_accuses_nobody),
        cmocka_unit_test(a_wrong_result_needs_no_statistics),
        cmocka_unit_test(mixed_fleets_fall_into_groups),
        cmocka_unit_test(each_gpu_counts_once),
        cmocka_unit_test(drivers_are_held_apart),
        cmocka_unit_test(every_cause_both_sides),
        cmocka_unit_test(rows_are_complete),
        cmocka_unit_test(records_stand_by_path_links_and_ends),
        cmocka_unit_test(keys_are_those_of_their_measures),
        cmocka_unit_test(uses_have_names),
        cmocka_unit_test(wrong_results_stand_before_slow_ones),
        cmocka_unit_test(records_of_other_lengths_are_judged_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
