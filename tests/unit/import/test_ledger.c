/* The ledger: the fate of every value of a file. */
#include "bench.h"

#define ROWS "ID,Process Name,Kernel Name,Device,CC,Metric Name,Metric Unit,Metric Value,Stream\n"

static const char file[] = ROWS "0,app,k,0,8.0,gpu__time_duration.sum,us,12.5,7\n"
                                "0,app,k,0,8.0,smsp__inst_executed.sum,inst,1000,7\n"
                                "0,app,k,0,8.0,launch__func_cache_config,,CachePreferNone,7\n"
                                "0,app,k,0,8.0,x__unknown.sum,furlong,3,7\n"
                                "0,app,k,0,8.0,sm__cycles_active.avg,cycle,n/a,7\n"
                                "0,app,k,0,8.0,dram__bytes_read.sum,Mbyte,10,7\n"
                                "0,app,k,0,8.0,dram__bytes_write.sum,Mbyte,5,7\n"
                                "0,app,k,0,8.0,dram__bytes.sum,Mbyte,20,7\n" /* 15 by both directions */
                                "0,app,k,0,8.0,launch__sm_count,,108,7\n"
                                "1,app,k,0,8.0,launch__sm_count,,80,7\n"
                                "1,app,k,0,8.0,smsp__inst_executed.sum,inst,1000,7\n"
                                "1,app,k,0,8.0,smsp__inst_executed.sum,inst,1000,7\n"
                                "1,app,k,0,8.0,smsp__inst_executed.sum,inst,2000,7\n"
                                "1,app,k,0,8.0,gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed,%,25,7\n";

static void fates(void **state)
{
    static const struct {
        const char *name;
        enum rl_fate fate;
        uint64_t count;
        const char *example, *reason; /* the latter: in it */
    } rows[] = {
        {"gpu__time_duration.sum", RL_FATE_SCALED, 1, "12.5 us", "duration x 1e-06"},
        {"smsp__inst_executed.sum", RL_FATE_USED, 3, "1000 inst", "counter smsp__inst_executed.sum"},
        {"smsp__inst_executed.sum", RL_FATE_CONTRADICTED, 1, "1000 inst", "the first value for this launch"},
        {"launch__func_cache_config", RL_FATE_IGNORED, 1, "CachePreferNone", "words"},
        {"x__unknown.sum", RL_FATE_FOREIGN, 1, "3 furlong", "no meaning"},
        {"sm__cycles_active.avg", RL_FATE_IGNORED, 1, "n/a cycle", "no number"},
        {"dram__bytes_read.sum", RL_FATE_SCALED, 1, "10 Mbyte", "x 1e+06"},
        {"dram__bytes.sum", RL_FATE_CONTRADICTED, 1, "20 Mbyte", "15.00 MB, not 20.00 MB"},
        {"launch__sm_count", RL_FATE_USED, 1, "108", "card: streaming multiprocessors"},
        {"launch__sm_count", RL_FATE_CONTRADICTED, 1, "108", "the first value for this GPU"},
        {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", RL_FATE_SCALED, 1, "25 %", "what follows from"},
        {"Kernel Name", RL_FATE_USED, 14, "", "which kernel"},
        {"Stream", RL_FATE_IGNORED, 14, "", "says nothing"},
    };
    struct bench bench = bench_text(file);

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct rl_ledger_row *found = NULL;
        for (size_t j = 0; j < bench.capture->ledger_count; j++)
            if (strcmp(bench.capture->ledger[j].name, rows[i].name) == 0 && bench.capture->ledger[j].fate == rows[i].fate)
                found = &bench.capture->ledger[j];
        if (!found)
            fail_msg("%s is not %s", rows[i].name, rl_fate_name(rows[i].fate));
        assert_int_equal(found->count, rows[i].count);
        assert_string_equal(found->example, rows[i].example);
        if (!strstr(found->reason, rows[i].reason))
            fail_msg("%s: '%s' does not say '%s'", rows[i].name, found->reason, rows[i].reason);
    }
    bench_done(&bench);
}

/* Each value has one fate: nothing is counted twice or lost, also where launches are averaged, held and put in order. */
static void every_value_once(void **state)
{
    uint64_t values = 0;
    struct bench bench = bench_text(file);

    (void)state;
    for (size_t i = 0; i < bench.capture->ledger_count; i++)
        if (!bench.capture->ledger[i].column)
            values += bench.capture->ledger[i].count;
    assert_int_equal(values, 14);
    bench_done(&bench);
}

/* Rows that name no metric are counted, too. */
static void rows_left_out(void **state)
{
    struct bench bench =
        bench_text("==1== Profiling result:\n\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"
                   ",%,ms,,ms,ms,ms,\n\"GPU activities\",60,6,2,3,2,4,\"k(int)\"\n"
                   "\"GPU activities\",40,4,1,4,4,4,\"[CUDA memcpy HtoD]\"\n");
    bool copies = false;

    (void)state;
    for (size_t i = 0; i < bench.capture->ledger_count; i++)
        copies |= bench.capture->ledger[i].count == 1 && strstr(bench.capture->ledger[i].reason, "rows of copies");
    assert_true(copies);
    bench_done(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fates),
        cmocka_unit_test(every_value_once),
        cmocka_unit_test(rows_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
