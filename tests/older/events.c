/* What collector/event_counters.def says, held against CUPTI's own lists of events and metrics, which need no card: every name of a
 * formula is one on every family of cards that its row is for, of a kind that the back end understands, and comes to a value. Then
 * metrics of which the value is known on paper. Opens the CUPTI that $ROOFLIGHT_CUPTI_DIR names. */
#include "rl_test.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>

#include "collector/collector.h"
#include "core/formula.h"
#include "core/mem.h"
#include "cupti_api.h"
#include "event_api.h"
#include "event_table.h"

enum { MOST = 2048, MOST_NAME = 128, MOST_OF_METRIC = 64, MOST_PROPERTIES = 16 };

/* Families by the upper half of the ids of their events; 0x10000000 marks those without a name. */
enum family { KEPLER, MAXWELL, PASCAL, VOLTA, FAMILIES };
static const int first_cc[FAMILIES] = {30, 50, 60, 70}, last_cc[FAMILIES] = {37, 53, 62, 72};
static enum family family_of(uint32_t event)
{
    const uint32_t number = event >> 24 & 15;
    return number == 4 ? MAXWELL : number == 5 ? PASCAL : number == 6 ? VOLTA : KEPLER;
}

struct named {
    char name[MOST_NAME];
    uint32_t id;
    enum family family;
};
static struct named events[MOST], metrics[MOST];
static size_t event_count, metric_count;

/* ---- functions that the program itself does not use ---- */

static int call(const char *name, uintptr_t a, uintptr_t b, uintptr_t c, uintptr_t d)
{
    int (*function)(uintptr_t, uintptr_t, uintptr_t, uintptr_t);
    void *symbol = rl_cupti_symbol(name);
    memcpy(&function, &symbol, sizeof function);
    if (!symbol)
        fail_msg("no %s", name);
    return function(a, b, c, d);
}
#define CALL(name, a, b, c, d) call(#name, (uintptr_t)(a), (uintptr_t)(b), (uintptr_t)(c), (uintptr_t)(d))

static void add(struct named *list, size_t *count, const char *ask, uint32_t id, enum family family)
{
    size_t size = MOST_NAME - 1;
    assert_true(*count < MOST);
    if (call(ask, id, 0, (uintptr_t)&size, (uintptr_t)list[*count].name) == 0) {
        list[*count].id = id;
        list[(*count)++].family = family;
    }
}

static void list_events(void)
{
    static uint32_t domains[MOST], ids[MOST];
    size_t size = sizeof domains;
    assert_int_equal(CALL(cuptiEnumEventDomains, &size, domains, 0, 0), 0);
    for (size_t d = 0; d < size / sizeof *domains; d++) {
        size_t bytes = sizeof ids;
        assert_int_equal(CALL(cuptiEventDomainEnumEvents, domains[d], &bytes, ids, 0), 0);
        for (size_t i = 0; i < bytes / sizeof *ids; i++)
            add(events, &event_count, "cuptiEventGetAttribute", ids[i], family_of(ids[i]));
    }
}

static void list_metrics(void)
{
    static uint32_t ids[MOST];
    size_t size = sizeof ids;
    assert_int_equal(CALL(cuptiEnumMetrics, &size, ids, 0, 0), 0);
    for (size_t i = 0; i < size / sizeof *ids; i++) {
        uint32_t of[MOST_OF_METRIC] = {0};
        size_t bytes = sizeof of;
        if (rl_event.cuptiMetricEnumEvents(ids[i], &bytes, of) == 0 && bytes > 0)
            add(metrics, &metric_count, "cuptiMetricGetAttribute", ids[i], family_of(of[0]));
    }
}

static int open_cupti(void **state)
{
    (void)state;
    if (rl_cupti_open(NULL, NULL) != RL_OK || rl_event_open(NULL) != RL_OK)
        return 1;
    print_message("CUPTI %s\n", rl_cupti_version());
    list_events();
    list_metrics();
    print_message("%zu metrics, %zu events\n", metric_count, event_count);
    return 0;
}

static const struct named *find(const struct named *list, size_t count, const char *name, enum family family)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].family == family && strcmp(list[i].name, name) == 0)
            return &list[i];
    return NULL;
}

/* ---- values ---- */

static const uint64_t properties[MOST_PROPERTIES] = {80, 64, 1000000, 1300000, 8,  700000000, 8000, 16,
                                                     3,  0,  128,     64,      16, 0,         256,  0};

/* Of a metric by the values of its events, in CUPTI's order; the kind of the value. */
static double value_of(const struct named *metric, const uint64_t *values, size_t count, unsigned *kind)
{
    uint32_t ids[MOST_OF_METRIC], asked[MOST_PROPERTIES];
    uint64_t given[MOST_PROPERTIES];
    size_t size, asked_size, kind_size = sizeof *kind;
    uint32_t asked_count = 0, event_total = 0;
    union rl_metric_value value = {0};
    int (*evaluate)(uint32_t, size_t, uint32_t *, size_t, uint64_t *, size_t, uint32_t *, size_t, uint64_t *,
                    union rl_metric_value *);
    void *symbol = rl_cupti_symbol("cuptiMetricGetValue2");
    memcpy(&evaluate, &symbol, sizeof evaluate);
    assert_int_equal(rl_event.cuptiMetricGetNumEvents(metric->id, &event_total), 0);
    assert_true(event_total <= MOST_OF_METRIC);
    size = event_total * sizeof *ids;
    assert_int_equal(rl_event.cuptiMetricEnumEvents(metric->id, &size, ids), 0);
    assert_int_equal(rl_event.cuptiMetricGetAttribute(metric->id, RL_METRIC_KIND, &kind_size, kind), 0);
    assert_int_equal(CALL(cuptiMetricGetNumProperties, metric->id, &asked_count, 0, 0), 0);
    assert_true(asked_count <= MOST_PROPERTIES);
    asked_size = asked_count * sizeof *asked;
    assert_int_equal(CALL(cuptiMetricEnumProperties, metric->id, &asked_size, asked, 0), 0);
    asked_size = asked_count * sizeof *asked; /* which it need not say */
    for (size_t i = 0; i < asked_count; i++)
        given[i] = properties[asked[i]];
    if (size / sizeof *ids != count)
        fail_msg("%s is made of %zu events", metric->name, size / sizeof *ids);
    const int code = evaluate(metric->id, size, ids, count * sizeof *values, (uint64_t *)values, asked_size, asked,
                              asked_count * sizeof *given, given, &value);
    if (code != 0)
        fail_msg("%s: error %d", metric->name, code);
    return *kind == RL_METRIC_OF_UINT64 ? (double)value.metricValueUint64 : value.metricValueDouble;
}

static void check_name(const struct rl_event_row *row, const char *name, enum family family)
{
    if (strcmp(name, RL_EVENT_SM_COUNT) == 0)
        return;
    if (strncmp(name, RL_EVENT_PREFIX, strlen(RL_EVENT_PREFIX)) == 0) {
        if (!find(events, event_count, name + strlen(RL_EVENT_PREFIX), family))
            fail_msg("%s: compute capability %d has no event %s", row->counter, first_cc[family], name);
        return;
    }
    const struct named *metric = find(metrics, metric_count, name, family);
    uint32_t count = 0;
    unsigned kind = 99;
    uint64_t values[MOST_OF_METRIC];
    if (!metric)
        fail_msg("%s: compute capability %d has no metric %s", row->counter, first_cc[family], name);
    assert_int_equal(rl_event.cuptiMetricGetNumEvents(metric->id, &count), 0);
    for (uint32_t i = 0; i < count; i++)
        values[i] = 1000 * (i + 1);
    const double value = value_of(metric, values, count, &kind);
    if (!(value > 0) || (kind != RL_METRIC_OF_DOUBLE && kind != RL_METRIC_OF_UINT64 && kind != RL_METRIC_OF_PERCENT))
        fail_msg("%s is %g, of kind %u", name, value, kind);
}

static void test_every_name_is_one(void **state)
{
    (void)state;
    for (size_t i = 0; rl_event_row_at(i); i++) {
        const struct rl_event_row *row = rl_event_row_at(i);
        struct rl_formula *formula = NULL;
        const char *const *names;
        assert_int_equal(rl_formula_parse(row->formula, &formula, NULL), RL_OK);
        const size_t count = rl_formula_names(formula, &names);
        for (int f = 0; f < FAMILIES; f++)
            for (size_t n = 0; n < count && row->least <= last_cc[f] && row->most >= first_cc[f]; n++)
                check_name(row, names[n], (enum family)f);
        rl_formula_free(formula);
    }
}

/* Events and value, by hand. */
static void test_values_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *metric;
        enum family first, last;
        size_t count;
        uint64_t events[4];
        double value;
    } rows[] = {
        {"flop_count_sp", KEPLER, VOLTA, 3, {1000, 2000, 3000}, 9000}, /* additions, multiplications, twice what does both */
        {"flop_count_sp_fma", KEPLER, VOLTA, 1, {3000}, 3000},
        {"flop_count_dp_add", KEPLER, VOLTA, 1, {7}, 7},
        {"flop_count_hp_fma", PASCAL, VOLTA, 1, {3000}, 3000},
        {"achieved_occupancy", KEPLER, VOLTA, 2, {320, 10}, 0.5}, /* 32 warps of 64 */
        {"inst_executed", KEPLER, VOLTA, 1, {12345}, 12345},
        {"issue_slots", KEPLER, PASCAL, 2, {100, 30}, 130},
        {"issue_slots", VOLTA, VOLTA, 1, {100}, 100},
        {"dram_read_transactions", KEPLER, KEPLER, 2, {100, 50}, 150},
        {"dram_read_bytes", MAXWELL, MAXWELL, 2, {100, 50}, 4800},
        {"dram_read_bytes", PASCAL, PASCAL, 4, {100, 50, 10, 5}, 5280},
        {"dram_read_bytes", VOLTA, VOLTA, 2, {100, 50}, 4800},
        {"shared_load_transactions", KEPLER, VOLTA, 1, {77}, 77},
        {"branch_efficiency", KEPLER, PASCAL, 2, {100, 25}, 75},
        {"sm_efficiency", KEPLER, VOLTA, 2, {50, 100}, 50}, /* both are sums over the SMs */
        {"ipc", MAXWELL, VOLTA, 2, {300, 100}, 3},          /* so is what instructions are divided by */
    };
    for (size_t r = 0; r < RL_COUNT(rows); r++)
        for (int f = (int)rows[r].first; f <= (int)rows[r].last; f++) {
            const struct named *metric = find(metrics, metric_count, rows[r].metric, (enum family)f);
            unsigned kind;
            if (!metric)
                fail_msg("compute capability %d has no %s", first_cc[f], rows[r].metric);
            const double value = value_of(metric, rows[r].events, rows[r].count, &kind);
            if (fabs(value - rows[r].value) > 1e-9 * rows[r].value)
                fail_msg("%s is %.17g, not %g, for compute capability %d", rows[r].metric, value, rows[r].value, first_cc[f]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_name_is_one),
        cmocka_unit_test(test_values_by_hand),
    };
    return cmocka_run_group_tests(tests, open_cupti, NULL);
}
