/* From launches to kernel classes: cards, shapes, averages, times, and several views of one run. */
#include "bench.h"

#include "core/buf.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define ROWS_HEAD    "ID,Kernel Name,Device,CC,Metric Name,Metric Unit,Metric Value\n"
#define METRICS      "Device,Kernel,Invocations,Metric Name,Metric Description,Min,Max,Avg\n"
#define TRACE        "Start,Duration,Grid X,Grid Y,Grid Z,Block X,Block Y,Block Z,Device,Name\ns,ms,,,,,,,,\n"

/* ---- cards ---- */

/* Names are cut, and numbers left out: what is known of a card is put together. */
static void what_is_known_of_a_card(void **state)
{
    static const struct {
        const char *first, *second, *name;
        size_t cards;
        int index;
    } rows[] = {
        {"Some Card 1", "Some Card 1 (3)", "Some Card 1", 1, 3},
        {"Some Card 1 (3)", "Some Card 1", "Some Card 1", 1, 3},
        {"Some Card 1", "Some Card 1", "Some Card 1", 1, 0},
        {"Some Ca", "Some Card 1 (2)", "Some Card 1", 1, 2},
        {"Some Card 1 (2)", "Some Ca", "Some Card 1", 1, 2},
        {"Some Card 1 (1023)", "Some Card 2 (1023)", "Some Card 1", 2, 1023},
        {"Some Card 1 (1)", "Some Card 1 (2)", "Some Card 1", 2, 1},
        {"Card (1024)", "Card (1024)", "Card (1024)", 1, 0},
        {"Card (x)", "Card (x)", "Card (x)", 1, 0},
        {"Card 0)", "Card 0)", "Card 0)", 1, 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, METRICS "%s,k,1,ipc,d,1,1,1\n%s,k,1,ipc,d,1,1,1\n", rows[i].first, rows[i].second);
        struct bench bench = bench_text(text.data);
        assert_int_equal(bench.capture->gpu_count, rows[i].cards);
        assert_string_equal(bench.capture->gpus[0].name, rows[i].name);
        assert_int_equal(bench.capture->gpus[0].index, rows[i].index);
        bench_done(&bench);
        rl_buf_release(&text);
    }
}

/* The first fact that a capture can hold stays. */
static void facts(void **state)
{
    struct bench bench = bench_text(ROWS_HEAD "0,k,0,9.0,launch__sm_count,,2147483648\n"
                                              "1,k,0,9.0,launch__sm_count,,2147483647\n"
                                              "2,k,0,9.0,launch__sm_count,,7\n"
                                              "0,k,0,9.0,device__attribute_warp_size,,0\n"
                                              "0,k,0,9.0,device__attribute_warp_size,,32\n"
                                              "0,k,0,9.0,device__attribute_clock_rate,,1500000\n"
                                              "0,k,,9.0,device__attribute_max_threads_per_block,,1024\n");
    const struct rl_value *fact = bench.capture->gpus[0].fact;

    (void)state;
    assert_close(fact[RL_FACT_sm_count].v, 2147483647, 0);
    assert_true(rl_present(fact[RL_FACT_warp_size]));
    assert_close(fact[RL_FACT_warp_size].v, 0, 0);
    assert_close(fact[RL_FACT_sm_clock_max_hz].v, 1.5e9, 0);
    assert_false(rl_present(fact[RL_FACT_max_threads_per_block])); /* of no card */
    bench_done(&bench);
}

/* ---- shapes ---- */

/* Each number of a shape makes a class of its own. */
static void every_axis(void **state)
{
    static const char *const shapes[] = {"2,2,2,2,2,2", "3,2,2,2,2,2", "2,3,2,2,2,2", "2,2,3,2,2,2",
                                         "2,2,2,3,2,2", "2,2,2,2,3,2", "2,2,2,2,2,3", "2,2,2,2,2,2"};
    struct rl_buf text = RL_BUF_INIT;

    (void)state;
    rl_buf_adds(&text, TRACE);
    for (size_t i = 0; i < COUNT(shapes); i++)
        rl_buf_addf(&text, "1,1,%s,Card (0),k\n", shapes[i]);
    struct bench bench = bench_text(text.data);
    assert_int_equal(bench.capture->kernel_count, 7);
    assert_int_equal(bench.capture->kernels[0].launches, 2);
    for (int i = 1; i < 7; i++)
        assert_int_equal(i <= 3 ? bench.capture->kernels[i].grid[i - 1] : bench.capture->kernels[i].block[i - 4], 3);
    bench_done(&bench);
    rl_buf_release(&text);
}

/* Shapes as metrics: axes where they are printed, otherwise the product; nothing when one of the two is missing. */
static void shapes_from_metrics(void **state)
{
    static const struct {
        const char *rows;
        uint32_t grid[3], block[3];
        bool product;
    } rows[] = {
        {"0,k,0,9.0,launch__grid_size,,12\n0,k,0,9.0,launch__block_size,,64\n", {12, 1, 1}, {64, 1, 1}, true},
        {"0,k,0,9.0,launch__grid_size,,12\n0,k,0,9.0,x__a.sum,,64\n", {0, 0, 0}, {0, 0, 0}, false},
        {"0,k,0,9.0,launch__block_size,,12\n0,k,0,9.0,x__a.sum,,64\n", {0, 0, 0}, {0, 0, 0}, false},
        {"0,k,0,9.0,launch__grid_size,,12\n0,k,0,9.0,launch__block_size,,4294967296\n", {0, 0, 0}, {0, 0, 0}, false},
        {"0,k,0,9.0,launch__grid_size,,4294967295\n0,k,0,9.0,launch__block_size,,1\n", {4294967295, 1, 1}, {1, 1, 1}, true},
        {"0,k,0,9.0,launch__grid_dim_x,,3\n0,k,0,9.0,launch__grid_dim_y,,4\n0,k,0,9.0,launch__grid_dim_z,,5\n"
         "0,k,0,9.0,launch__block_dim_x,,6\n0,k,0,9.0,launch__block_dim_y,,7\n0,k,0,9.0,launch__block_dim_z,,8\n",
         {3, 4, 5},
         {6, 7, 8},
         false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, ROWS_HEAD "%s", rows[i].rows);
        struct bench bench = bench_text(text.data);
        assert_memory_equal(bench.capture->kernels[0].grid, rows[i].grid, sizeof rows[i].grid);
        assert_memory_equal(bench.capture->kernels[0].block, rows[i].block, sizeof rows[i].block);
        assert_true(bench_logged(&bench, RL_LOG_NOTE, "printed as totals only") == rows[i].product);
        bench_done(&bench);
        rl_buf_release(&text);
    }
}

/* ---- values ---- */

/* The first of the metrics that mean the same; one that has a number before one that has none, in any order. */
static void which_value_counts(void **state)
{
    static const struct {
        const char *bytes, *transactions;
        double expected;    /* 32 bytes a transaction */
        const char *reason; /* NULL: it has a value */
    } rows[] = {
        {"64", "3", 64, NULL},
        {"<OVERFLOW>", "3", 96, NULL},
        {"64", "<OVERFLOW>", 64, NULL},
        {"n/a", "<OVERFLOW>", 0, "'n/a'"},
        {"<OVERFLOW>", "n/a", 0, "overflowed"},
    };

    (void)state;
    for (size_t i = 0; i < 2 * COUNT(rows); i++) {
        const char *names[] = {"dram_read_bytes", "dram_read_transactions"};
        const char *values[] = {rows[i / 2].bytes, rows[i / 2].transactions};
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_adds(&text, METRICS);
        for (size_t j = 0; j < 2; j++)
            rl_buf_addf(&text, "Card (0),k,1,%s,d,1,1,%s\n", names[(i + j) % 2], values[(i + j) % 2]);
        struct bench bench = bench_text(text.data);
        if (rows[i / 2].reason)
            assert_missing(&bench, "k", dram_read_bytes, rows[i / 2].reason);
        else
            assert_metric(&bench, "k", dram_read_bytes, rows[i / 2].expected);
        bench_done(&bench);
        rl_buf_release(&text);
    }
}

/* More metrics than the index begins with; the second launch has them backwards. */
static void averages_of_many_metrics(void **state)
{
    enum { METRIC_COUNT = 1300 };
    struct rl_buf text = RL_BUF_INIT;
    char name[32];

    (void)state;
    rl_buf_adds(&text, ROWS_HEAD);
    for (int launch = 0; launch < 2; launch++)
        for (int i = 0; i < METRIC_COUNT; i++)
            rl_buf_addf(&text, "%d,k,0,9.0,x__%d.sum,,%d\n", launch, launch ? METRIC_COUNT - i : i + 1,
                        launch ? 3 * (METRIC_COUNT - i) : i + 1);
    struct bench bench = bench_text(text.data);
    assert_int_equal(bench.capture->kernels[0].counter_count, METRIC_COUNT);
    for (int i = 1; i <= METRIC_COUNT; i++) {
        snprintf(name, sizeof name, "x__%d.sum", i);
        assert_counter(&bench, "k", name, 2.0 * i);
    }
    bench_done(&bench);
    rl_buf_release(&text);
}

/* Kernels are analysed a few hundred at a time. */
static void metrics_of_many_kernels(void **state)
{
    enum { KERNELS = 600 };
    struct rl_buf text = RL_BUF_INIT;

    (void)state;
    rl_buf_adds(&text, METRICS);
    for (int i = 0; i < KERNELS; i++)
        rl_buf_addf(&text, "Card (0),k%d,1,dram_read_transactions,d,1,1,%d\n", i, i + 1);
    struct bench bench = bench_text(text.data);
    assert_int_equal(bench.capture->kernel_count, KERNELS);
    for (size_t i = 0; i < KERNELS; i++)
        assert_close(bench.analysis->kernels[i].metric[RL_METRIC_dram_read_bytes].v, 32.0 * (double)(i + 1), 0);
    bench_done(&bench);
    rl_buf_release(&text);
}

/* Averages of tables are weighed by their launches; least and greatest are those of all. */
static void weights(void **state)
{
    struct bench bench = bench_text(METRICS "Card (0),k,1,ipc,d,5,5,5\nCard (0),k,3,ipc,d,2,9,3\nCard (0),k,4,ipc,d,1,8,1\n");

    (void)state;
    assert_counter(&bench, "k", "ipc", (5.0 + 9 + 4) / 8);
    assert_counter(&bench, "k", "ipc.min", 1);
    assert_counter(&bench, "k", "ipc.max", 9);
    assert_int_equal(bench.capture->kernels[0].launches, 4);
    bench_done(&bench);
}

/* A counter says which table it is from. */
static void sources(void **state)
{
    struct bench bench =
        bench_text("Device,Kernel,Invocations,Event Name,Min,Max,Avg,Total\nCard (0),k,1,active_cycles,1,1,1,1\n" METRICS
                   "Card (0),k,1,ipc,d,2,2,2\n");
    static const struct {
        const char *name, *source;
    } rows[] = {{"active_cycles", "nvprof (events)"}, {"ipc", "nvprof (metrics)"}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct rl_counter *counter = rl_kernel_counter(bench_kernel(&bench, "k"), rows[i].name);
        assert_non_null(counter);
        assert_string_equal(bench.capture->passes[counter->pass].configuration, rows[i].source);
    }
    bench_done(&bench);
}

/* ---- times ---- */

/* A capture holds whole numbers below 2^62; a launch takes no more than 1e9 seconds. */
static void the_longest_times(void **state)
{
    struct rl_buf text = RL_BUF_INIT;
    struct bench bench;

    (void)state;
    rl_buf_adds(&text, ROWS_HEAD);
    for (int launches = 1; launches <= 6; launches++) {
        rl_buf_addf(&text, "%d,k,0,9.0,gpu__time_duration.sum,s,1e9\n", launches);
        bench = bench_text(text.data);
        assert_true(bench.capture->kernels[0].total_ns ==
                    (launches <= 4 ? (uint64_t)launches * 1000000000000000000 : 4611686018427387903));
        bench_done(&bench);
    }
    rl_buf_adds(&text, "9,k,0,9.0,gpu__time_duration.sum,s,1000000001\n");
    bench = bench_text(text.data);
    assert_int_equal(bench.capture->kernels[0].duration_count, 6);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "durations that are 0, negative, too long or missing were not kept: 1"));
    bench_done(&bench);
    rl_buf_release(&text);
}

/* A trace's times stand in for a summary's of the same launches. */
static void better_times(void **state)
{
    static const char summary[] = "Time(%),Time,Calls,Avg,Min,Max,Name\n%,ms,,ms,ms,ms,\n100,21,2,10.5,9,12,k\n";
    static const char trace[] = "Start,Duration,Grid X,Name\ns,ms,,\n1,9,,k\n2,12,,k\n";
    static const char metrics[] = METRICS "Card (0),k,2,ipc,d,2,2,2\n";

    (void)state;
    for (int order = 0; order < 2; order++) {
        struct bench bench = bench_files((struct file[]){{order ? trace : summary, 0}, {order ? summary : trace, 0}}, 2, NULL);
        assert_int_equal(bench.capture->kernel_count, 1);
        assert_int_equal(bench.capture->kernels[0].duration_count, 2);
        assert_int_equal(bench.capture->kernels[0].duration_ns[0], 9000000);
        assert_int_equal(bench.capture->kernels[0].duration_ns[1], 12000000);
        assert_int_equal(bench.capture->kernels[0].total_ns, 21000000);
        assert_int_equal(bench.capture->kernels[0].launches, 2);
        assert_string_equal(bench.capture->kernels[0].timing, "nvprof GPU trace");
        bench_done(&bench);

        bench = bench_files((struct file[]){{order ? metrics : summary, 0}, {order ? summary : metrics, 0}}, 2, NULL);
        assert_int_equal(bench.capture->kernel_count, 1);
        assert_int_equal(bench.capture->kernels[0].duration_count, 1);
        assert_int_equal(bench.capture->kernels[0].duration_ns[0], 10500000);
        assert_int_equal(bench.capture->kernels[0].total_ns, 21000000);
        bench_done(&bench);
    }
}

/* ---- views ---- */

/* Whichever saw more launches; a launch without a shape tells the rest of what it knows. */
static void launches_of_two_views(void **state)
{
    static const char trace[] = TRACE "1,1,8,1,1,64,1,1,Card (0),k\n2,3,8,1,1,64,1,1,Card (0),k\n";

    (void)state;
    for (int launches = 1; launches <= 5; launches++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, METRICS "Card (0),k,%d,ipc,d,2,2,2\n", launches);
        for (int order = 0; order < 2; order++) {
            const struct file files[] = {{order ? trace : text.data, 0}, {order ? text.data : trace, 0}};
            struct bench bench = bench_files(files, 2, NULL);
            assert_int_equal(bench.capture->kernel_count, 1);
            assert_int_equal(bench.capture->kernels[0].launches, launches < 2 ? 2 : launches);
            assert_int_equal(bench.capture->kernels[0].total_ns, 4000000);
            assert_counter(&bench, "k", "ipc", 2);
            bench_done(&bench);
        }
        rl_buf_release(&text);
    }
}

/* The same table in two files is one run, seen twice; in one file it is two. */
static void the_same_table_twice(void **state)
{
    static const char rows[] = ROWS_HEAD "0,k,0,9.0,x__a.sum,,5\n1,k,0,9.0,x__a.sum,,5\n";
    struct bench bench = bench_files((struct file[]){{rows, 0}, {rows, 0}}, 2, NULL);

    (void)state;
    assert_int_equal(bench.capture->kernels[0].launches, 2);
    bench_done(&bench);
}

/* A table that names no card is no reason to doubt where other kernels ran. */
static void a_kernel_without_card(void **state)
{
    static const char metrics[] =
        METRICS "Card (0),k,1,ipc,d,2,2,2\nCard (1),k,1,ipc,d,2,2,2\n-,other,1,ipc,d,3,3,3\n,third,1,ipc,d,3,3,3\n";
    struct bench bench = bench_text(metrics);

    (void)state;
    assert_int_equal(bench.capture->gpu_count, 3);
    assert_string_equal(bench.capture->gpus[2].name, "unknown GPU");
    assert_int_equal(bench_kernel(&bench, "other")->gpu, 2);
    assert_int_equal(bench_kernel(&bench, "third")->gpu, 2);
    assert_false(bench_logged(&bench, RL_LOG_WARNING, "several GPUs"));
    for (size_t i = 0; i < RL_FACT_COUNT; i++)
        assert_false(rl_present(bench.capture->gpus[2].fact[i]));
    bench_done(&bench);
}

static void resources_of_two_views(void **state)
{
    static const char shapeless[] = ROWS_HEAD "0,k,0,9.0,launch__registers_per_thread,,32\n"
                                              "0,k,0,9.0,launch__shared_mem_per_block_static,byte,48\n";
    static const char *const shaped[] = {
        "ID,Kernel Name,Device,CC,Grid Size,Block Size,x__a.sum\n,,,,,,\n0,k,0,9.0,\"(8, 1, 1)\",\"(64, 1, 1)\",5\n",
        "ID,Kernel Name,Device,CC,Grid Size,Block Size,launch__registers_per_thread\n,,,,,,\n0,k,0,9.0,\"(8, 1, 1)\",\"(64, 1, "
        "1)\",40\n",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(shaped); i++) {
        struct bench bench = bench_files((struct file[]){{shapeless, 0}, {shaped[i], 0}}, 2, NULL);
        assert_int_equal(bench.capture->kernel_count, 1);
        assert_int_equal(bench.capture->kernels[0].grid[0], 8);
        assert_close(bench.capture->kernels[0].registers_per_thread.v, i ? 40 : 32, 0);
        assert_close(bench.capture->kernels[0].static_shared_bytes.v, 48, 0);
        bench_done(&bench);
    }
}

/* Rows of two classes in turn, each time in another order: every value finds its own again. */
static void values_in_any_order(void **state)
{
    enum { ROUNDS = 7, VALUES = 5, CLASSES = 3 };
    struct rl_buf text = RL_BUF_INIT;

    (void)state;
    rl_buf_adds(&text, METRICS);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < VALUES * CLASSES; i++) {
            const int at = (i * 4 + round * 7) % (VALUES * CLASSES), value = at / CLASSES, class = at % CLASSES;
            rl_buf_addf(&text, "Card (0),k%d,1,x__value_%d,d,%d,%d,%d\n", class, value, round, round, 100 * class + value);
        }
    struct bench bench = bench_text(text.data);
    assert_int_equal(bench.capture->kernel_count, CLASSES);
    for (int class = 0; class < CLASSES; class ++) {
        const char name[] = {'k', (char)('0' + class), 0};
        assert_int_equal(bench_kernel(&bench, name)->counter_count, VALUES);
        for (int value = 0; value < VALUES; value++) {
            char counter[32];
            snprintf(counter, sizeof counter, "x__value_%d", value);
            assert_counter(&bench, name, counter, 100.0 * class + value);
        }
    }
    bench_done(&bench);
    rl_buf_release(&text);
}

/* One value makes its set known, also the first metric of all. */
static void the_set_of_a_single_value(void **state)
{
    struct bench bench = bench_text(METRICS "Card (0),k,1,achieved_occupancy,d,0.5,0.5,0.5\n");

    (void)state;
    assert_metric(&bench, "k", achieved_occupancy, 0.5);
    for (size_t i = 0; i < RL_METRIC_COUNT; i++)
        assert_true(i == RL_METRIC_achieved_occupancy || !rl_present(bench.analysis->kernels[0].metric[i]));
    assert_true(rl_metric_listed(bench.analysis, RL_METRIC_achieved_occupancy));
    assert_false(rl_metric_listed(bench.analysis, RL_METRIC_stall_barrier));
    bench_done(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_of_a_card),
        cmocka_unit_test(facts),
        cmocka_unit_test(every_axis),
        cmocka_unit_test(shapes_from_metrics),
        cmocka_unit_test(which_value_counts),
        cmocka_unit_test(averages_of_many_metrics),
        cmocka_unit_test(metrics_of_many_kernels),
        cmocka_unit_test(weights),
        cmocka_unit_test(sources),
        cmocka_unit_test(the_longest_times),
        cmocka_unit_test(better_times),
        cmocka_unit_test(launches_of_two_views),
        cmocka_unit_test(the_same_table_twice),
        cmocka_unit_test(a_kernel_without_card),
        cmocka_unit_test(resources_of_two_views),
        cmocka_unit_test(values_in_any_order),
        cmocka_unit_test(the_set_of_a_single_value),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
