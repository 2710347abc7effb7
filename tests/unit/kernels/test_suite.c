/* What every row of suite.def must say. A forgotten step of adding an experiment fails here. */
#include "rl_test.h"

#include "core/buf.h"
#include "core/formula.h"
#include "core/mem.h"
#include "kernels/run.h"
#include "kernels/suite.h"

/* Calls `check` for every variant of every experiment. */
static void each_variant(void (*check)(const struct rl_suite_experiment *, const struct rl_suite_variant *))
{
    for (size_t i = 0; i < rl_suite_count; i++)
        for (const struct rl_suite_variant *variant = rl_suite[i].variants; variant->name; variant++)
            check(&rl_suite[i], variant);
}

static void each_claim(void (*check)(const struct rl_suite_experiment *, const struct rl_suite_claim *))
{
    for (size_t i = 0; i < rl_suite_count; i++)
        for (const struct rl_suite_claim *claim = rl_suite[i].claims; claim->id; claim++)
            check(&rl_suite[i], claim);
}

static char *read_source(const char *path)
{
    char name[4096];
    struct rl_buf text = RL_BUF_INIT;
    char chunk[4096];
    size_t got;

    snprintf(name, sizeof(name), "%s/%s", RL_SOURCE_DIR, path);
    FILE *file = fopen(name, "r");
    if (!file)
        fail_msg("%s is not there", path);
    while ((got = fread(chunk, 1, sizeof(chunk), file)) > 0)
        rl_buf_add(&text, chunk, got);
    fclose(file);
    return rl_buf_detach(&text, NULL);
}

/* Of a variant: may begin with a digit, as "256" of block_size does. */
static void assert_variant_name(const char *name)
{
    assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_"), strlen(name));
    assert_in_range(strlen(name), 1, 40);
    assert_true(name[0] != '_');
}

static void assert_name(const char *name)
{
    assert_variant_name(name);
    assert_true(name[0] >= 'a' && name[0] <= 'z');
}

/* A text for people: at least a few words, ending as it should. */
static void assert_sentence(const char *text, char end)
{
    assert_non_null(text);
    assert_in_range(strlen(text), 10, 400);
    assert_int_equal(text[strlen(text) - 1], end);
}

/* All of them, in the order of suite.def: one that gets lost is missed here. */
static const char *const expected[] = {
    "register_pressure/lean",
    "register_pressure/volatile16",
    "register_pressure/array100",
    "register_pressure/live128",
    "register_pressure/live128_bounded",
    "block_size/32",
    "block_size/64",
    "block_size/128",
    "block_size/256",
    "block_size/512",
    "block_size/1024",
    "block_size/proposed",
    "carveout/none",
    "carveout/shared",
    "carveout/l1",
    "carveout/equal",
    "launch_shape/one_block",
    "launch_shape/a_block_an_sm",
    "launch_shape/one_too_many",
    "launch_shape/one_wave",
    "launch_shape/blocks_of_40",
    "launch_shape/blocks_of_64",
    "launch_shape/unfused",
    "launch_shape/fused",
    "coalescing/stride_1",
    "coalescing/stride_2",
    "coalescing/stride_4",
    "coalescing/stride_8",
    "coalescing/stride_16",
    "coalescing/stride_32",
    "records/read_by_field",
    "records/written_by_field",
    "records/columns",
    "transpose/copy",
    "transpose/naive",
    "transpose/tiled",
    "transpose/tiled_padded",
    "bank_conflicts/column",
    "bank_conflicts/column_padded",
    "shared_stencil/global",
    "shared_stencil/shared",
    "vector_width/float",
    "vector_width/float2",
    "vector_width/float4",
    "vector_width/float4_unaligned",
    "read_only/plain",
    "read_only/ldg",
    "read_only/const_restrict",
    "latency/shared",
    "latency/16k",
    "latency/64k",
    "latency/128k",
    "latency/512k",
    "latency/2m",
    "latency/8m",
    "latency/16m",
    "latency/32m",
    "latency/64m",
    "latency/256m",
    "latency/1g",
    "latency/4g",
    "latency/8g",
    "latency/64g",
    "working_set/64k",
    "working_set/128k",
    "working_set/256k",
    "working_set/1m",
    "working_set/4m",
    "working_set/16m",
    "working_set/32m",
    "working_set/64m",
    "working_set/128m",
    "working_set/512m",
    "divergence/coherent",
    "divergence/divergent",
    "divergence/arithmetic_divergent",
    "divergence/arithmetic_by_warp",
    "ilp/serial",
    "ilp/unrolled4",
    "ilp/vector4",
    "fast_math/sinf",
    "fast_math/sinf_fast",
    "fast_math/expf",
    "fast_math/expf_fast",
    "fast_math/rsqrt",
    "fast_math/rsqrt_fast",
    "unroll/1",
    "unroll/2",
    "unroll/4",
    "unroll/8",
    "precision/fp64",
    "precision/fp32",
    "precision/fp16x2",
    "precision/bf16x2",
    "grid_sync/launches_with_sync",
    "grid_sync/launches",
    "grid_sync/cooperative",
    "launch_overhead/launch_sync",
    "launch_overhead/launches",
    "launch_overhead/grid_barrier",
    "launch_overhead/grid_barrier_512",
    "launch_overhead/grid_barrier_1024",
    "reduction/atomic",
    "reduction/two_kernels",
    "reduction/warp_shuffle_grid",
    "scan/blelloch",
    "scan/cub",
    "jacobi/launches",
    "jacobi/cooperative",
    "jacobi/graph",
    "histogram/global_atomics",
    "histogram/private_merge",
    "histogram/cooperative",
    "histogram/cub",
    "vector_add/direct",
    "vector_add/staged_sync",
    "vector_add/staged_async",
    "vector_add/staged_pipeline4",
    "staging/sync_low",
    "staging/sync_balanced",
    "staging/sync_high",
    "staging/memcpy_async_low",
    "staging/memcpy_async_balanced",
    "staging/memcpy_async_high",
    "staging/barrier_low",
    "staging/barrier_balanced",
    "staging/barrier_high",
    "staging/pipeline_1_low",
    "staging/pipeline_1_balanced",
    "staging/pipeline_1_high",
    "staging/pipeline_2_low",
    "staging/pipeline_2_balanced",
    "staging/pipeline_2_high",
    "staging/pipeline_4_low",
    "staging/pipeline_4_balanced",
    "staging/pipeline_4_high",
    "staging/pipeline_8_low",
    "staging/pipeline_8_balanced",
    "staging/pipeline_8_high",
    "staging/sync_heavy",
    "staging/pipeline_4_heavy",
    "between/plain",
    "between/pipeline4",
    "matmul/naive",
    "matmul/tiled",
    "matmul/tiled_pipeline",
    "matmul/tensor",
    "matmul/cublas",
    "stream_overlap/one_stream",
    "stream_overlap/four_streams",
    "stream_overlap/pageable",
    "graphs/launches",
    "graphs/graph",
};

static void the_experiments_are_all_there(void **state)
{
    (void)state;
    for (size_t i = 0; i < RL_COUNT(expected); i++) {
        struct rl_suite_item *items;
        size_t count;

        assert_int_equal(rl_suite_select(&expected[i], 1, &items, &count, NULL), RL_OK);
        assert_int_equal(count, 1);
        free(items);
    }
}

static void experiments_say_what_they_ask(void **state)
{
    (void)state;
    assert_true(rl_suite_count > 0);
    for (size_t i = 0; i < rl_suite_count; i++) {
        const struct rl_suite_experiment *experiment = &rl_suite[i];

        assert_name(experiment->name);
        assert_non_null(experiment->topic);
        assert_sentence(experiment->question, '?');
        assert_sentence(experiment->explanation, '.');
        assert_true(experiment->size_unit && *experiment->size_unit);
        assert_true(experiment->quick_size > 0);
        assert_true(experiment->default_size >= experiment->quick_size);
        assert_non_null(experiment->variants[0].name);
        assert_non_null(experiment->variants[1].name); /* nothing to compare with one alone */
        assert_non_null(experiment->claims[0].id);
        assert_ptr_equal(rl_suite_find(experiment->name), experiment); /* also: the name is unique */
    }
    assert_null(rl_suite_find("no_such_experiment"));
    assert_null(rl_suite_find(""));
}

static void check_variant(const struct rl_suite_experiment *experiment, const struct rl_suite_variant *variant)
{
    assert_variant_name(variant->name);
    assert_sentence(variant->description, '.');
    assert_ptr_equal(rl_suite_find_variant(experiment, variant->name), variant);
    assert_true(variant->min_cc == 0 || (variant->min_cc >= 50 && variant->min_cc < 300));
}

static void variants_are_described(void **state)
{
    (void)state;
    each_variant(check_variant);
    assert_null(rl_suite_find_variant(&rl_suite[0], "no_such_variant"));
}

static double model(const struct rl_suite_variant *variant, const char *formula, uint64_t size)
{
    const struct rl_value value = rl_suite_model(variant, formula, size);

    if (!rl_present(value))
        fail_msg("%s at %llu: %s", formula, (unsigned long long)size, rl_value_reason(value));
    return value.v;
}

/* A model is whole or not there, gives whole numbers at any size, and does not shrink as the size grows. Operations may be missing
 * alone: nobody can count those inside a library's function. */
static void check_model(const struct rl_suite_experiment *experiment, const struct rl_suite_variant *variant)
{
    const uint64_t sizes[] = {1, 31, 33, 1000003, experiment->quick_size, experiment->default_size};
    double before = 0;

    if (!variant->flop && !variant->bytes && !variant->useful_bytes)
        return;
    for (size_t i = 0; i < RL_COUNT(sizes); i++) {
        const double flop = variant->flop ? model(variant, variant->flop, sizes[i]) : 0;
        const double bytes = model(variant, variant->bytes, sizes[i]);
        const double useful = model(variant, variant->useful_bytes, sizes[i]);

        assert_true(flop >= 0 && flop == floor(flop));
        assert_true(bytes > 0 && bytes == floor(bytes) && useful == floor(useful));
        assert_true(bytes <= useful); /* the fewest that must move are never more than were asked for */
        if (i < 4)
            assert_true(flop + useful >= before);
        before = flop + useful;
    }
}

/* Operations are whole, and at least one. A time per operation needs them. */
static void check_operations(const struct rl_suite_experiment *experiment, const struct rl_suite_variant *variant)
{
    for (const struct rl_suite_claim *claim = experiment->claims; claim->id; claim++)
        if (strstr(claim->quantity, "per_operation"))
            assert_non_null(variant->operations);
    if (!variant->operations)
        return;
    const double least = model(variant, variant->operations, 1);
    const double most = model(variant, variant->operations, experiment->default_size);

    assert_true(least >= 1 && least == floor(least));
    assert_true(most >= least && most == floor(most));
}

static void models_hold_at_any_size(void **state)
{
    (void)state;
    each_variant(check_model);
    each_variant(check_operations);
}

/* quantity: a metric of analysis/metrics.def, or one of those that need no counter. */
static bool is_quantity(const char *metrics, const char *quantity)
{
    static const char *const known[] = {"time_s",
                                        "time_per_operation_s",
                                        "cycles_per_operation",
                                        "overlap_share",
                                        "useful_bytes_per_second",
                                        "registers_per_thread",
                                        "time_over_reference",
                                        "traced_instructions_over_counted"};
    char row[128];

    for (size_t i = 0; i < RL_COUNT(known); i++)
        if (strcmp(quantity, known[i]) == 0)
            return true;
    snprintf(row, sizeof(row), "METRIC(%s,", quantity);
    return strstr(metrics, row) != NULL;
}

static char *metrics_text;

static void check_claim(const struct rl_suite_experiment *experiment, const struct rl_suite_claim *claim)
{
    size_t same = 0;

    for (const struct rl_suite_claim *other = experiment->claims; other->id; other++)
        same += strcmp(other->id, claim->id) == 0;
    assert_int_equal(same, 1);
    assert_name(claim->id);
    assert_sentence(claim->text, '.');
    if (!is_quantity(metrics_text, claim->quantity))
        fail_msg("%s/%s: '%s' is no quantity", experiment->name, claim->id, claim->quantity);
    assert_non_null(rl_suite_find_variant(experiment, claim->subject));
    if (claim->baseline) {
        assert_non_null(rl_suite_find_variant(experiment, claim->baseline));
        assert_string_not_equal(claim->baseline, claim->subject);
        assert_false(claim->card_specific); /* a comparison is judged on every card */
    }
    /* What is known to be none has no baseline, and nothing is near it. */
    const bool none = claim->value == 0 && !claim->baseline && claim->relation == RL_ABOUT;
    assert_true(none || (isfinite(claim->value) && claim->value > 0));
    assert_true(claim->tolerance >= 0 && claim->tolerance < 1);
    if (claim->relation == RL_ABOUT)
        assert_int_equal(claim->tolerance > 0, !none);
    if (claim->card_specific)
        assert_non_null(claim->card);
    /* A time belongs to one size: only a ratio of times can be judged. */
    if (strcmp(claim->quantity, "time_s") == 0)
        assert_non_null(claim->baseline);
}

static void claims_refer_to_what_exists(void **state)
{
    (void)state;
    metrics_text = read_source("analysis/include/analysis/metrics.def");
    each_claim(check_claim);
    free(metrics_text);
}

/* The three readers of a claim's figure in a report: on its own card, on others, and as a comparison. */
static const struct rl_setting *setting(const struct rl_suite_variant *variant, const char *key)
{
    size_t count = 0;

    while (variant->settings && variant->settings[count].key)
        count++;
    return rl_setting_find(variant->settings, count, key);
}

static void check_settings(const struct rl_suite_experiment *experiment, const struct rl_suite_variant *variant)
{
    const struct rl_suite_axis *axis = &experiment->axis;

    for (const struct rl_setting *row = variant->settings; row && row->key; row++) {
        assert_name(row->key);
        assert_ptr_equal(setting(variant, row->key), row); /* each key once */
        assert_int_equal(row->text == NULL, rl_present(row->number));
        if (axis->key && strcmp(row->key, axis->key) == 0)
            assert_true(!row->text && row->unit == axis->unit);
    }
    if (experiment->form == RL_CHART_FORM_STAGES)
        assert_true(setting(variant, experiment->series) && setting(variant, experiment->way));
}

static size_t variants_of(const struct rl_suite_experiment *experiment)
{
    size_t count = 0;

    while (experiment->variants[count].name)
        count++;
    return count;
}

static const char *line_of(const struct rl_suite_experiment *experiment, const struct rl_suite_variant *variant)
{
    const struct rl_setting *line = experiment->series ? setting(variant, experiment->series) : NULL;

    assert_true(!line || line->text);
    return line ? line->text : "";
}

/* On a line the variants stand in rising order, so that there is one to draw; at most one of them stands beside it. */
static void check_form(const struct rl_suite_experiment *experiment)
{
    const struct rl_suite_axis *axis = &experiment->axis;
    const char *line = "";
    size_t on_axis = 0;
    double last = -INFINITY;

    assert_int_equal(axis->key != NULL, axis->title != NULL);
    assert_int_equal(experiment->form == RL_CHART_FORM_STAGES, experiment->way != NULL);
    if (experiment->form == RL_CHART_FORM_STAGES)
        assert_non_null(experiment->series);
    for (const struct rl_suite_variant *variant = experiment->variants; variant->name && axis->key; variant++) {
        const struct rl_setting *at = setting(variant, axis->key);
        on_axis += at != NULL;
        if (!at || experiment->form != RL_CHART_FORM_LINE)
            continue;
        if (strcmp(line, line_of(experiment, variant)) != 0)
            last = -INFINITY;
        line = line_of(experiment, variant);
        assert_true(at->number.v > last);
        last = at->number.v;
    }
    assert_true(axis->key ? on_axis >= 3 : experiment->form == RL_CHART_FORM_BARS);
    if (experiment->form == RL_CHART_FORM_LINE && on_axis + 1 < variants_of(experiment))
        fail_msg("%s: %zu of %zu variants stand nowhere on the axis", experiment->name, variants_of(experiment) - on_axis,
                 variants_of(experiment));
}

static void check_lists(const struct rl_suite_experiment *experiment)
{
    for (const char *const *column = experiment->columns; column && *column; column++)
        if (strcmp(*column, "kernel_gap_s") != 0 && strcmp(*column, "largest_deviation") != 0 &&
            !is_quantity(metrics_text, *column))
            fail_msg("%s: '%s' is no column", experiment->name, *column);
    for (const struct rl_suite_pair *pair = experiment->pairs; pair && pair->broken; pair++) {
        assert_non_null(rl_suite_find_variant(experiment, pair->broken));
        assert_non_null(rl_suite_find_variant(experiment, pair->mended));
        assert_string_not_equal(pair->broken, pair->mended);
    }
    for (const char *const *reference = experiment->references; reference && *reference; reference++)
        assert_non_null(rl_suite_find_variant(experiment, *reference));
}

static void what_is_declared_exists(void **state)
{
    (void)state;
    metrics_text = read_source("analysis/include/analysis/metrics.def");
    for (size_t i = 0; i < rl_suite_count; i++) {
        check_form(&rl_suite[i]);
        check_lists(&rl_suite[i]);
    }
    each_variant(check_settings);
    free(metrics_text);
}

/* Known from the kernels: what is drawn over an axis, what is mended, what is a library's. */
static void what_is_known_is_declared(void **state)
{
    static const struct {
        const char *experiment, *variant, *reference, *column;
    } known[] = {
        {"coalescing", "stride_16", NULL, "sectors_per_request_load"},
        {"staging", "pipeline_8_low", NULL, NULL},
        {"matmul", NULL, "cublas", "dram_bytes"},
        {"scan", NULL, "cub", NULL},
        {"histogram", NULL, "cub", "dram_read_bytes"},
        {"fast_math", NULL, NULL, "largest_deviation"},
        {"graphs", NULL, NULL, "kernel_gap_s"},
    };

    (void)state;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        const struct rl_suite_experiment *experiment = rl_suite_find(known[i].experiment);
        size_t found = 0, wanted = (known[i].reference != NULL) + (known[i].column != NULL);

        for (const char *const *at = experiment->references; at && *at; at++)
            found += strcmp(*at, known[i].reference) == 0;
        for (const char *const *at = experiment->columns; at && *at && known[i].column; at++)
            found += strcmp(*at, known[i].column) == 0;
        assert_int_equal(found, wanted);
        if (known[i].variant)
            assert_true(setting(rl_suite_find_variant(experiment, known[i].variant), experiment->axis.key)->number.v ==
                        (i == 0 ? 16 : 8));
    }
    const struct rl_suite_pair *pair = rl_suite_find("bank_conflicts")->pairs;
    assert_string_equal(pair->broken, "column");
    assert_string_equal(pair->mended, "column_padded");
}

static void published_figures_are_as_published(void **state)
{
    static const struct {
        const char *experiment, *claim;
        double value;
        bool card_specific;
    } published[] = {
        {"coalescing", "stride_1_rate", 1167.68e9, true},     {"coalescing", "stride_32_rate", 80.12e9, true},
        {"divergence", "both_paths_in_turn", 2.00, false},    {"ilp", "unrolling_speedup", 8.47, false},
        {"ilp", "fused_into_vector_load", 512, false},        {"register_pressure", "lean_registers", 8, true},
        {"register_pressure", "array_registers", 10, true},   {"register_pressure", "live_registers", 72, true},
        {"register_pressure", "live_occupancy", 0.375, true},
    };

    (void)state;
    for (size_t i = 0; i < RL_COUNT(published); i++) {
        const struct rl_suite_claim *claim = rl_suite_find(published[i].experiment)->claims;

        while (claim->id && strcmp(claim->id, published[i].claim) != 0)
            claim++;
        assert_non_null(claim->id);
        assert_true(claim->value == published[i].value);
        assert_int_equal(claim->card_specific, published[i].card_specific);
        assert_string_equal(claim->card, "NVIDIA A100-SXM4-40GB");
    }
}

/* What is counted is known exactly; only what other agents on the card add to, and what takes time to fill, is not. */
static void known_answers_are_exact(void **state)
{
    static const char *const measured[] = {"dram_read_bytes", "dram_write_bytes", "achieved_occupancy", "time_over_reference"};

    (void)state;
    for (const struct rl_suite_claim *claim = rl_suite_find("self_check")->claims; claim->id; claim++) {
        bool exact = true;
        for (size_t i = 0; i < RL_COUNT(measured); i++)
            exact = exact && strcmp(claim->quantity, measured[i]) != 0;
        if (claim->relation == RL_ABOUT && exact && claim->tolerance * claim->value >= 1)
            fail_msg("%s may be off by %g", claim->id, claim->tolerance * claim->value);
        if (!exact)
            assert_true(claim->tolerance <= 0.02);
    }
}

static void every_row_has_its_device_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < rl_suite_count; i++) {
        char text[128];

        snprintf(text, sizeof(text), "kernels/%s.cu", rl_suite[i].name);
        char *source = read_source(text);
        snprintf(text, sizeof(text), "RL_SUITE_OPS(%s, ", rl_suite[i].name);
        assert_non_null(strstr(source, text));
        free(source);
#ifdef RL_WITH_DEVICE
        assert_non_null(rl_suite[i].ops);
        assert_true(rl_suite[i].ops->setup && rl_suite[i].ops->launch && rl_suite[i].ops->verify && rl_suite[i].ops->teardown);
#else
        assert_null(rl_suite[i].ops);
#endif
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_experiments_are_all_there), cmocka_unit_test(experiments_say_what_they_ask),
        cmocka_unit_test(variants_are_described),        cmocka_unit_test(models_hold_at_any_size),
        cmocka_unit_test(claims_refer_to_what_exists),   cmocka_unit_test(what_is_declared_exists),
        cmocka_unit_test(what_is_known_is_declared),     cmocka_unit_test(published_figures_are_as_published),
        cmocka_unit_test(known_answers_are_exact),       cmocka_unit_test(every_row_has_its_device_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
