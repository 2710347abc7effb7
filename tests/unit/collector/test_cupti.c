/* CUPTI's host library works without a GPU: what is scheduled on which chip is checked for a chip of each architecture, searches
 * for the passes of long lists for half of them, and with RL_THOROUGH in the environment all for every chip it knows, which takes
 * minutes. Runs for the library of the build, and for older ones where they are (tests/older): then what is scheduled is scheduled
 * by the back end `profiler`. */
#include "rl_test.h"

#include "analysis/plan.h"
#include "collector/collector.h"
#include "core/formula.h"
#include "core/mem.h"
#include "host.h"

enum { MAX_CHIPS = 64 };

/* Passes of hardware counters, those of the default set included: the best that others found by trying orders of the lists (stalls
 * and topstalls: of CUPTI 13.0, 150 to 300 orders; tensor: by CUPTI's own scheduler), and up to one more for instructions of the
 * tensor pipe; of limits what the program found. */
static const struct {
    const char *chip;
    size_t topstalls, stalls, tensor, limits;
    bool searched; /* without RL_THOROUGH, too: one of every two neighbours */
} most_passes[] = {
    {"GV100", 3, 6, 1 + 2, 6, true},  {"TU104", 3, 6, 1 + 2, 4, false}, {"GA100", 3, 7, 1 + 8, 4, true},
    {"GA102", 3, 6, 1 + 8, 5, false}, {"AD102", 3, 6, 1 + 9, 5, false}, {"GH100", 3, 7, 1 + 7, 5, true},
    {"GB100", 3, 6, 1 + 7, 5, false}, {"GB202", 3, 7, 1 + 11, 5, true},
};

static const char *chips[MAX_CHIPS], *tried[MAX_CHIPS]; /* tried: those that are looked at in detail */
static size_t chip_count, tried_count, listed_count;

/* Takes the chips of the library that our table has. */
static int open_cupti(void **state)
{
    (void)state;
    struct rl_err err = RL_ERR_INIT;
    const char *listed[MAX_CHIPS];
    if (rl_cupti_open(NULL, &err) != RL_OK) {
        print_message("SKIPPED: %s\n", err.text);
        return 0;
    }
    print_message("CUPTI %s\n", rl_cupti_version());
    listed_count = rl_cupti_chips(listed, MAX_CHIPS);
    for (size_t i = 0; i < listed_count && i < MAX_CHIPS; i++)
        if (strcmp(listed[i], "GV11B") != 0) /* Jetson Xavier: no card */
            chips[chip_count++] = listed[i];
    for (size_t i = 0; i < chip_count; i++) {
        bool is_tried = getenv("RL_THOROUGH");
        for (size_t k = 0; k < RL_COUNT(most_passes); k++)
            is_tried |= strcmp(chips[i], most_passes[k].chip) == 0;
        if (is_tried)
            tried[tried_count++] = chips[i];
    }
    return 0;
}

static bool has_chip(const char *name)
{
    for (size_t i = 0; i < chip_count; i++)
        if (strcmp(chips[i], name) == 0)
            return true;
    return false;
}

/* Whether searches of seconds are made for the chip. */
static bool is_searched(const char *chip)
{
    return getenv("RL_THOROUGH") ||
           RL_ANY(i, RL_COUNT(most_passes), most_passes[i].searched && strcmp(most_passes[i].chip, chip) == 0);
}

/* Skips when the library is not installed: the program is built with its headers but may run without it. */
static void need_cupti(void)
{
    if (chip_count == 0)
        skip();
}

static void test_library_knows_the_chips_of_our_table(void **state)
{
    (void)state;
    need_cupti();
    for (size_t i = 0; i < chip_count; i++)
        if (!rl_chip_find(chips[i]))
            fail_msg("analysis/chips.def has no row for %s", chips[i]);
    static const struct {
        const char *version;
        size_t chips; /* all that have SMs to count, GV11B among them where it can be used */
    } versions[] = {{"11.8", 17}, {"12.4", 20}, {"13.0.0", 29}, {"13.0.1", 29}};
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
        if (strcmp(rl_cupti_version(), versions[i].version) == 0)
            assert_int_equal(listed_count, versions[i].chips);
}

/* What one chip offers of a plan, and what the tables say of it. */
struct offered {
    const struct rl_chip *chip;
    enum rl_metric_set set;
    struct rl_plan plan;
    struct rl_schedule schedules[RL_PLAN_MOST];
    size_t passes, witnessed; /* of hardware counters, those for some launches only included */
};

static void offer_set(struct offered *offered, const char *chip, enum rl_metric_set set)
{
    *offered = (struct offered){.chip = rl_chip_find(chip), .set = set};
    rl_plan_make(chip, 1u << set, &offered->plan);
    for (size_t c = 0; c < offered->plan.configuration_count; c++) {
        const struct rl_configuration *configuration = &offered->plan.configurations[c];
        struct rl_err err = RL_ERR_INIT;
        if (configuration->when)
            continue; /* it is asked for with its own set */
        if (rl_cupti_schedule(chip, configuration, &offered->schedules[c], &err) != RL_OK)
            fail_msg("%s, %s: %s", chip, configuration->name, err.text);
        if (strcmp(configuration->name, "sass") != 0)
            offered->passes += offered->schedules[c].passes;
        if (strcmp(configuration->name, "sass") != 0)
            offered->witnessed += offered->schedules[c].witnessed;
    }
}

static void offered_release(struct offered *offered)
{
    for (size_t c = 0; c < offered->plan.configuration_count; c++)
        rl_schedule_release(&offered->schedules[c]);
    rl_plan_release(&offered->plan);
}

/* Of hardware counters two, but for the first host library that knows GH100, and one of instrumented code. */
static size_t passes_of_default(const char *chip, size_t configuration)
{
    const bool is_first = strcmp(rl_cupti_version(), "11.8") == 0 && strcmp(chip, "GH100") == 0;
    return configuration > 0 ? 1 : is_first ? 3 : 2;
}

/* The counters of the default that belong together fit one pass of the hardware, on every chip. */
static void test_default_set_takes_three_passes_on_every_chip(void **state)
{
    (void)state;
    need_cupti();
    for (size_t i = 0; i < tried_count; i++) {
        struct offered offered;
        offer_set(&offered, tried[i], RL_SET_CORE);
        assert_true(offered.plan.configuration_count <= 3);
        for (size_t c = 0; c < 2; c++)
            if (offered.schedules[c].passes != passes_of_default(tried[i], c))
                fail_msg("%s: configuration '%s' takes %zu passes", tried[i], offered.plan.configurations[c].name,
                         offered.schedules[c].passes);
        if (offered.plan.configuration_count == 3)
            assert_string_equal(offered.plan.configurations[2].when, rl_metrics[RL_METRIC_tensor_instructions].formula);
        offered_release(&offered);
    }
}

enum { MOST_PARTS = 32 };

/* Every pass that a class of a program may be counted under, what instruments code last. */
static size_t pack_program(const char *chip, struct rl_config *parts[MOST_PARTS])
{
    struct rl_plan plan;
    size_t count = 0;
    rl_plan_make(chip, 0, &plan);
    rl_plan_add_limits(chip, &plan);
    for (int instruments = 0; instruments < 2; instruments++)
        for (size_t c = 0; c < plan.configuration_count; c++) {
            const struct rl_configuration wanted = plan.configurations[c];
            struct rl_config *configs = NULL;
            struct rl_err err = RL_ERR_INIT;
            size_t packed = 0;
            bool available[256];
            assert_in_range(wanted.counter_count, 1, RL_COUNT(available));
            if (plan.configurations[c].of_instructions != instruments || plan.configurations[c].rare)
                continue;
            if (rl_host_pack(chip, NULL, &wanted, available, &configs, &packed, &err) != RL_OK)
                fail_msg("%s, %s: %s", chip, wanted.name, err.text);
            for (size_t p = 0; p < packed; p++) {
                assert_true(count < MOST_PARTS);
                parts[count] = malloc(sizeof **parts);
                *parts[count++] = configs[p];
            }
            free(configs);
        }
    /* The names are gone with the plan. */
    for (size_t p = 0; p < count; p++)
        for (size_t i = 0; i < parts[p]->counter_count; i++)
            parts[p]->counters[i] = strdup(parts[p]->counters[i]);
    rl_plan_release(&plan);
    return count;
}

static void release_parts(struct rl_config *parts[MOST_PARTS], size_t count)
{
    for (size_t p = 0; p < count; p++) {
        for (size_t i = 0; i < parts[p]->counter_count; i++)
            free((char *)parts[p]->counters[i]);
        rl_config_release(parts[p]);
        free(parts[p]);
    }
}

/* What a program is counted under are passes of one image, in the order that was asked for; a configuration that takes two passes
 * makes none. */
static void test_configurations_of_a_program_are_passes_of_one_image(void **state)
{
    (void)state;
    need_cupti();
    for (size_t i = 0; i < tried_count; i++) {
        struct rl_config *parts[MOST_PARTS];
        struct rl_joint *joint = NULL;
        if (!is_searched(tried[i]))
            continue;
        const size_t count = pack_program(tried[i], parts);
        rl_host_unite(parts, count, count - 1, tried[i], NULL, &joint);
        if (rl_backend()->id == RL_BACKEND_range && !joint)
            fail_msg("%s: %zu configurations are not passes of one image", tried[i], count);
        for (size_t p = 0; p < count && joint; p++) {
            assert_ptr_equal(parts[p]->joint, joint);
            assert_int_equal(parts[p]->pass, p);
        }
        rl_joint_free(joint);
        const char **both = calloc(parts[0]->counter_count + parts[1]->counter_count, sizeof *both);
        memcpy(both, parts[0]->counters, parts[0]->counter_count * sizeof *both);
        memcpy(both + parts[0]->counter_count, parts[1]->counters, parts[1]->counter_count * sizeof *both);
        struct rl_config one = *parts[0], *mixed[] = {&one, parts[2]};
        one.counters = both;
        one.counter_count += parts[1]->counter_count;
        if (rl_host_passes(tried[i], NULL, both, one.counter_count) != 1) {
            rl_host_unite(mixed, RL_COUNT(mixed), 0, tried[i], NULL, &joint);
            assert_null(joint);
        }
        free(both);
        release_parts(parts, count);
    }
}

static void check_passes(const char *chip, enum rl_metric_set set, size_t most)
{
    struct offered offered;
    offer_set(&offered, chip, set);
    if (offered.passes > most || offered.passes == 0)
        fail_msg("%s: set %s takes %zu passes of hardware counters, known to be possible are %zu", chip, rl_sets[set].name,
                 offered.passes, most);
    offered_release(&offered);
}

static void test_optional_sets_take_no_more_passes_than_known_to_be_possible(void **state)
{
    (void)state;
    need_cupti();
    for (size_t i = 0; i < sizeof most_passes / sizeof most_passes[0]; i++) {
        if (!has_chip(most_passes[i].chip) || !is_searched(most_passes[i].chip))
            continue;
        check_passes(most_passes[i].chip, RL_SET_TOPSTALLS, most_passes[i].topstalls);
        check_passes(most_passes[i].chip, RL_SET_STALLS, most_passes[i].stalls);
        check_passes(most_passes[i].chip, RL_SET_TENSOR, most_passes[i].tensor);
        check_passes(most_passes[i].chip, RL_SET_LIMITS, most_passes[i].limits);
    }
}

/* Why the tables say that the chip or this version of CUPTI has no such counter; NULL: they do not. */
static const char *lacking(const struct rl_chip *chip, const char *name)
{
    const char *lacks = rl_chip_lacks(chip, name);
    return lacks ? lacks : rl_cupti_lacks(rl_cupti_version(), name);
}

/* A name of a formula: anything but a counter is there; a counter can be had in one pass, or the tables say that it is not on the
 * chip. What only.def leaves out may be there all the same: then another counter stands for it. */
static struct rl_value offer(void *context, const char *name)
{
    const struct rl_chip *chip = context;
    if (!strstr(name, "__"))
        return rl_value_of(1);
    const char *lacks = lacking(chip, name);
    bool available = false;
    if (!lacks)
        assert_int_equal(rl_cupti_available(chip->name, &name, 1, &available, NULL), RL_OK);
    if (!lacks && !available)
        fail_msg("%s has no %s in one pass, but the tables do not say so", chip->name, name);
    return lacks ? rl_value_missing(RL_NOT_ON_CHIP, lacks) : rl_value_of(1);
}

static void check_metric(const struct rl_chip *chip, size_t metric)
{
    struct rl_formula *formula = NULL;
    struct rl_err err = RL_ERR_INIT;
    if (rl_formula_parse(rl_metrics[metric].formula, &formula, &err) != RL_OK)
        fail_msg("%s: %s", rl_metrics[metric].id, err.text);
    struct rl_value value = rl_formula_eval(formula, offer, (void *)chip, NULL);
    if (!rl_present(value) && value.state != RL_NOT_ON_CHIP)
        fail_msg("%s: %s is missing: %s", chip->name, rl_metrics[metric].id, rl_value_reason(value));
    rl_formula_free(formula);
}

/* Every metric either can be computed from what the chip offers in single passes, or is declared as not on this chip. */
static void test_every_metric_schedules_or_is_declared_absent(void **state)
{
    (void)state;
    need_cupti();
    for (size_t i = 0; i < tried_count; i++)
        for (size_t m = 0; m < RL_METRIC_COUNT; m++)
            check_metric(rl_chip_find(tried[i]), m);
}

/* The default counters that the tables call absent are absent, and those it calls apart are there but would take a third pass. */
static void test_default_counters_called_absent_are(void **state)
{
    (void)state;
    need_cupti();
    for (size_t i = 0; i < tried_count; i++) {
        struct offered offered;
        offer_set(&offered, tried[i], RL_SET_CORE);
        for (size_t c = 0; c < 2; c++)
            for (size_t n = 0; n < offered.plan.configurations[c].counter_count; n++) {
                const char *name = offered.plan.configurations[c].counters[n], *lacks = lacking(offered.chip, name);
                if (offered.schedules[c].available[n] == (lacks != NULL))
                    fail_msg("%s: %s is %s, but the tables say it %s", tried[i], name, lacks ? "there" : "not there",
                             lacks ? "is not" : "is");
            }
        offered_release(&offered);
    }
}

/* Whether the plan's hardware counters have it, and the chip too. */
static bool has_counter(const struct offered *offered, const char *name)
{
    const struct rl_configuration *hardware = &offered->plan.configurations[0];

    for (size_t i = 0; i < hardware->counter_count; i++)
        if (strcmp(hardware->counters[i], name) == 0)
            return offered->schedules[0].available[i];
    return false;
}

/* What chips.def says that the default pass has room for is asked for with it, there, and of the set limits. */
static void test_default_pass_has_what_is_beside(void **state)
{
    (void)state;
    need_cupti();
    for (size_t i = 0; i < tried_count; i++) {
        struct offered core, limits;
        if (!is_searched(tried[i]))
            continue;
        offer_set(&core, tried[i], RL_SET_CORE);
        offer_set(&limits, tried[i], RL_SET_LIMITS);
        for (const char *at = core.chip->along; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
            char name[96];
            snprintf(name, sizeof name, "%.*s", (int)strcspn(at, " "), at);
            if (!has_counter(&core, name) || !has_counter(&limits, name))
                fail_msg("%s: %s is not in the default pass, or not of the set limits", tried[i], name);
        }
        offered_release(&core);
        offered_release(&limits);
    }
}

/* Every counter of what the suite collects is in one of its passes, on every chip. */
static void test_suite_has_every_counter_it_asks_for(void **state)
{
    (void)state;
    need_cupti();
    assert_int_equal(rl_sets_of_suite(), 1u << RL_SET_CORE | 1u << RL_SET_STALLS | 1u << RL_SET_LIMITS);
    for (size_t i = 0; i < tried_count; i++) {
        struct offered limits;
        if (!is_searched(tried[i]))
            continue;
        offer_set(&limits, tried[i], RL_SET_LIMITS);
        const struct rl_configuration *hardware = &limits.plan.configurations[0];
        for (size_t n = hardware->fixed; n < hardware->counter_count; n++)
            if (limits.schedules[0].available[n] == (rl_cupti_lacks(rl_cupti_version(), hardware->counters[n]) != NULL))
                fail_msg("%s has no %s in one pass, but only.def does not say so", tried[i], hardware->counters[n]);
        offered_release(&limits);
    }
}

/* What only.def leaves out of the plan is not to be had in one pass, or stands in for another counter. */
static void test_counters_left_out_are_not_there(void **state)
{
    (void)state;
    need_cupti();
    static const struct {
        const char *chip, *counter;
    } samples[] = {
        {"GA100", "smsp__warps_issue_stalled_gmma.sum"},
        {"GB202", "smsp__warps_issue_stalled_imc_miss.sum"},
        {"GH100", "sm__inst_executed_pipe_fp16.avg.pct_of_peak_sustained_active"},
        {"GV100", "sm__inst_executed_pipe_uniform.avg.pct_of_peak_sustained_active"},
        {"GV100", "sm__icc_requests.sum"},
        {"GB100", "lts__t_sectors_aperture_peer.sum"},
        {"GA10B", "pcie__read_bytes.sum"},
        {"AD102", "nvlrx__bytes.sum"},
        {"GA100", "ctc__rx_bytes.sum"},
        {"GH100", "sm__ops_path_tensor_src_fp16_dst_fp16.sum"},
        {"GA100", "sm__ops_path_tensor_src_int8.sum"}, /* takes two */
        {"GB100", "sm__ops_path_tensor_src_tf32_dst_fp32.sum"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        bool available = true;
        if (!has_chip(samples[i].chip))
            continue;
        assert_non_null(rl_chip_lacks(rl_chip_find(samples[i].chip), samples[i].counter));
        assert_int_equal(rl_cupti_available(samples[i].chip, &samples[i].counter, 1, &available, NULL), RL_OK);
        if (available)
            fail_msg("%s has %s in one pass", samples[i].chip, samples[i].counter);
    }
}

/* Each pass of hardware counters repeats a witness, so that passes can be held against one another. */
static void test_every_pass_of_stalls_has_a_witness(void **state)
{
    (void)state;
    need_cupti();
    for (size_t i = 0; i < sizeof most_passes / sizeof most_passes[0]; i++) {
        struct offered offered;
        if (!has_chip(most_passes[i].chip) || !is_searched(most_passes[i].chip))
            continue;
        offer_set(&offered, most_passes[i].chip, RL_SET_STALLS);
        if (offered.witnessed != offered.passes)
            fail_msg("%s: %zu of %zu passes have a witness", most_passes[i].chip, offered.witnessed, offered.passes);
        offered_release(&offered);
    }
}

static void test_unknown_chip_is_refused(void **state)
{
    (void)state;
    need_cupti();
    static const char *counters[] = {"sm__cycles_active.avg"};
    struct rl_configuration wanted = {.name = "one", .counters = counters, .counter_count = 1};
    struct rl_schedule schedule;
    struct rl_err err = RL_ERR_INIT;
    assert_int_equal(rl_cupti_schedule("GX999", &wanted, &schedule, &err), RL_UNSUPPORTED);
    assert_non_null(strstr(err.text, "GX999"));
}

static void test_unknown_counter_is_unavailable_and_alone(void **state)
{
    (void)state;
    need_cupti();
    static const char *counters[] = {"sm__cycles_active.avg", "sm__no_such_counter.sum"};
    struct rl_configuration wanted = {.name = "two", .counters = counters, .counter_count = 2};
    struct rl_schedule schedule;
    assert_int_equal(rl_cupti_schedule("GH100", &wanted, &schedule, NULL), RL_OK);
    assert_true(schedule.available[0]);
    assert_false(schedule.available[1]);
    assert_int_equal(schedule.passes, 1);
    rl_schedule_release(&schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_library_knows_the_chips_of_our_table),
        cmocka_unit_test(test_default_set_takes_three_passes_on_every_chip),
        cmocka_unit_test(test_configurations_of_a_program_are_passes_of_one_image),
        cmocka_unit_test(test_optional_sets_take_no_more_passes_than_known_to_be_possible),
        cmocka_unit_test(test_default_counters_called_absent_are),
        cmocka_unit_test(test_counters_left_out_are_not_there),
        cmocka_unit_test(test_default_pass_has_what_is_beside),
        cmocka_unit_test(test_suite_has_every_counter_it_asks_for),
        cmocka_unit_test(test_every_pass_of_stalls_has_a_witness),
        cmocka_unit_test(test_every_metric_schedules_or_is_declared_absent),
        cmocka_unit_test(test_unknown_chip_is_refused),
        cmocka_unit_test(test_unknown_counter_is_unavailable_and_alone),
    };
    return cmocka_run_group_tests(tests, open_cupti, NULL);
}
