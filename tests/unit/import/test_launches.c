/* Launches of one class: what its values are where they differ, and launches that do different work. */
#include "bench.h"

#include "core/buf.h"
#include "core/mem.h"

#define ROWS "ID,Kernel Name,Block Size,Grid Size,Device,CC,Metric Name,Metric Unit,Metric Value\n"
#define OF   ",k,\"(256, 1, 1)\",\"(64, 1, 1)\",0,8.0,"

static void add(struct rl_buf *text, int launch, const char *metric, const char *unit, double value)
{
    rl_buf_addf(text, "%d" OF "%s,%s,%.17g\n", launch, metric, unit, value);
}

/* A ratio is what the sums of all launches have, not the mean of their ratios: 100 GB/s for 1 ms and 200 GB/s for 3 ms are 175
 * GB/s, and 60 % of 100 look-ups and 100 % of 300 are 90 %. */
static void ratios_of_sums(void **state)
{
    static const struct {
        const char *metric, *unit;
        double first, second;
        const char *weight, *of;     /* NULL: the duration, of 1 and 3 ms */
        double weights[2], expected; /* as a fraction where it is one here */
        bool metric_of_ours;
    } rows[] = {
        {"dram__bytes.sum.per_second", "Gbyte/second", 100, 200, NULL, NULL, {1, 3}, 175e9, true},
        {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "%", 20, 40, NULL, NULL, {1, 3}, 0.35, false},
        {"lts__t_sector_hit_rate.pct", "%", 60, 100, "lts__t_sectors.sum", "sector", {100, 300}, 0.90, false},
        {"lts__t_sector_op_read_hit_rate.pct", "%", 60, 100, "lts__t_sectors_op_read.sum", "sector", {300, 100}, 0.70, false},
        {"lts__t_sector_hit_rate.pct", "%", 60, 100, NULL, NULL, {1, 3}, 0.90, false},
        {"sm__warps_active.avg.pct_of_peak_sustained_active", "%", 50, 90, "sm__cycles_active.avg", "cycle", {100, 900}, 86, false},
        {"sm__cycles_elapsed.avg.per_second", "Ghz", 1, 2, NULL, NULL, {1, 3}, 1.75e9, false},
        {"x__bytes.sum", "Kbyte", 1, 2, NULL, NULL, {1, 3}, 1500, false},
    };

    (void)state;
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        const size_t r = i / 2;
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_adds(&text, ROWS);
        for (int launch = 0; launch < 2; launch++) {
            const int which = i % 2 ? 1 - launch : launch; /* the order of launches and rows does not matter */
            const double value = which ? rows[r].second : rows[r].first, weight = rows[r].weights[which];
            const char *name = rows[r].weight ? rows[r].weight : "gpu__time_duration.sum";
            const char *unit = rows[r].weight ? rows[r].of : "ms";
            if (i % 2)
                add(&text, launch, name, unit, weight);
            add(&text, launch, rows[r].metric, rows[r].unit, value);
            if (i % 2 == 0)
                add(&text, launch, name, unit, weight);
        }
        struct bench bench = bench_text(text.data);
        assert_int_equal(bench.capture->kernel_count, 1);
        if (rows[r].metric_of_ours)
            assert_metric(&bench, "k", dram_bytes_per_second, rows[r].expected);
        else
            assert_counter(&bench, "k", rows[r].metric, rows[r].expected);
        bench_done(&bench);
        rl_buf_release(&text);
    }
}

/* Of a hit rate without look-ups and without times there is but the mean, and the log says so where launches differ. */
static void nothing_to_weigh_by(void **state)
{
    struct bench bench = bench_text(ROWS "0" OF "lts__t_sector_hit_rate.pct,%,60\n1" OF "lts__t_sector_hit_rate.pct,%,100\n");

    (void)state;
    assert_counter(&bench, "k", "lts__t_sector_hit_rate.pct", 0.8);
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "ratios that differ between launches"));
    bench_done(&bench);
}

/* The launches of a bench, each as a kernel. */
static struct bench launches_of(const struct bench *bench)
{
    struct bench launches = {.capture = rl_capture_of_launches(bench->capture)};

    launches.analysis = rl_analysis_new(launches.capture);
    return launches;
}

/* Each launch has its counters and what follows from them, whatever the order of the rows; the class has ratios of sums. */
static void each_launch_has_its_counters(void **state)
{
    static const struct {
        int number;
        double us, bytes, hits, lookups;
        const char *range;
    } rows[] = {{7, 3, 600e3, 300, 400, "launch 7"}, {2, 1, 100e3, 60, 400, "launch 2"}, {12, 4, 0, 90, 400, "launch 12"}};
    static const size_t in_order[] = {1, 0, 2};
    struct rl_buf text = RL_BUF_INIT;

    (void)state;
    rl_buf_adds(&text, ROWS);
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        add(&text, rows[i].number, "dram__bytes_read.sum", "byte", rows[i].bytes);
        add(&text, rows[i].number, "dram__bytes_write.sum", "byte", rows[i].bytes);
        add(&text, rows[i].number, "gpu__time_duration.sum", "us", rows[i].us);
        add(&text, rows[i].number, "l1tex__t_sector_hit_rate.pct", "%", 100 * rows[i].hits / rows[i].lookups);
        add(&text, rows[i].number, "l1tex__t_sectors.sum", "sector", rows[i].lookups);
        add(&text, rows[i].number, "launch__registers_per_thread", "register/thread", 40);
        add(&text, rows[i].number, "x__other.sum", "", 1);
    }
    struct bench bench = bench_text(text.data), launches = launches_of(&bench);
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_metric(&bench, "k", dram_bytes, 1400e3 / 3);
    assert_metric(&bench, "k", dram_bytes_per_second, 1400e3 / 8e-6);
    assert_metric(&bench, "k", l1_hit_rate, 450.0 / 1200);
    assert_int_equal(launches.capture->kernel_count, RL_COUNT(rows));
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rl_kernel *kernel = &launches.capture->kernels[i];
        const struct rl_value *metric = launches.analysis->kernels[i].metric;
        const size_t row = in_order[i];
        assert_string_equal(kernel->nvtx, rows[row].range);
        assert_int_equal(kernel->launches, 1);
        assert_int_equal(kernel->duration_count, 1);
        assert_int_equal(kernel->duration_ns[0], 1000 * rows[row].us);
        assert_close(kernel->registers_per_thread.v, 40, 0);
        assert_close(metric[RL_METRIC_dram_bytes].v, 2 * rows[row].bytes, 0);
        assert_close(metric[RL_METRIC_dram_bytes_per_second].v, 2e6 * rows[row].bytes / rows[row].us, 1e-12);
        assert_close(metric[RL_METRIC_l1_hit_rate].v, rows[row].hits / rows[row].lookups, 1e-12);
        assert_null(rl_kernel_counter(kernel, "x__other.sum")); /* of the class alone */
    }
    bench_done(&launches);
    bench_done(&bench);
    rl_buf_release(&text);
}

/* What is printed as rates and times gives operations and bytes of each launch, too. */
static void derived_for_each_launch(void **state)
{
    struct bench bench =
                     bench_text(ROWS "0" OF "gpu__time_duration.sum,us,10\n0" OF "dram__bytes.sum.per_second,Gbyte/second,100\n"
                                     "1" OF "gpu__time_duration.sum,us,30\n1" OF "dram__bytes.sum.per_second,Gbyte/second,200\n"),
                 launches = launches_of(&bench);

    (void)state;
    assert_metric(&bench, "k", dram_bytes, 3.5e6);
    for (size_t i = 0; i < 2; i++)
        assert_close(launches.analysis->kernels[i].metric[RL_METRIC_dram_bytes].v, i ? 6e6 : 1e6, 1e-12);
    bench_done(&launches);
    bench_done(&bench);
}

/* Launches beyond the limit are in the means, and a note says so; a summary has no launches. */
static void no_more_launches_than_the_limit(void **state)
{
    static const struct {
        int more;
        bool noted;
    } rows[] = {{0, false}, {3, true}};

    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const int count = RL_IMPORT_MAX_LAUNCHES_OF_CLASS + rows[i].more;
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_adds(&text, ROWS);
        for (int j = 0; j < count; j++)
            add(&text, j, "dram__bytes.sum", "byte", j);
        struct bench bench = bench_text(text.data);
        assert_int_equal(bench.capture->kernels[0].launches, count);
        assert_int_equal(bench.capture->kernels[0].launch_counter_count, RL_IMPORT_MAX_LAUNCHES_OF_CLASS);
        assert_metric(&bench, "k", dram_bytes, (count - 1) / 2.0);
        assert_int_equal(bench_logged(&bench, RL_LOG_NOTE, "kernels with launches beyond the limit"), rows[i].noted);
        bench_done(&bench);
        rl_buf_release(&text);
    }
    struct bench bench = bench_text("==8== Metric result:\n\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric "
                                    "Description\",\"Min\",\"Max\",\"Avg\"\n\"Card (0)\",\"k\",1,\"ipc\",\"IPC\",0.8,0.8,0.8\n");
    assert_int_equal(bench.capture->kernels[0].launch_counter_count, 0);
    bench_done(&bench);
}

/* Bytes per launch over its throughput is its time where none is printed. */
static void times_of_each_launch(void **state)
{
    struct bench bench = bench_text(ROWS "0" OF "dram__bytes.sum,Mbyte,10\n0" OF "dram__bytes.sum.per_second,Gbyte/second,100\n"
                                         "1" OF "dram__bytes.sum,Mbyte,60\n1" OF "dram__bytes.sum.per_second,Gbyte/second,200\n");

    (void)state;
    assert_metric(&bench, "k", pass_duration_s, 0.0002); /* 100 and 300 us */
    assert_metric(&bench, "k", dram_bytes_per_second, 175e9);
    bench_done(&bench);
}

/* A launch of that many instructions, of 1 us for each thousand. */
static void add_launch(struct rl_buf *text, int launch, double instructions)
{
    add(text, launch, "gpu__time_duration.sum", "ns", instructions);
    add(text, launch, "smsp__inst_executed.sum", "inst", instructions);
}

static void different_work(void **state)
{
    static const struct {
        double instructions[12];
        size_t launches, kinds;
        double first, last; /* mean of the first and the last kind */
        uint64_t of_first;
    } rows[] = {
        {{1000, 1000, 1000}, 3, 1, 1000, 1000, 3},
        {{1000, 5000, 1000, 5000, 1000}, 5, 2, 1000, 5000, 3},
        {{5000, 1000, 5000, 1000, 1000}, 5, 2, 1000, 5000, 3},
        {{1000, 1030, 1015}, 3, 1, 1015, 1015, 3}, /* the last one lies between the others */
        {{1000, 1030}, 2, 2, 1000, 1030, 1},
        {{1e3, 2e3, 4e3, 8e3, 16e3, 32e3, 64e3, 128e3, 129e3, 256e3, 270e3}, 11, 8, 1000, 195.75e3, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_adds(&text, ROWS);
        for (size_t j = 0; j < rows[i].launches; j++)
            if (rows[i].instructions[j] > 0)
                add_launch(&text, (int)j, rows[i].instructions[j]);
        struct bench bench = bench_text(text.data);
        const struct rl_capture *capture = bench.capture;
        double first = INFINITY, last = 0;
        assert_int_equal(capture->kernel_count, rows[i].kinds);
        assert_int_equal(capture->counted_count, rows[i].kinds);
        for (size_t k = 0; k < capture->kernel_count; k++) {
            const double value = bench.analysis->kernels[k].metric[RL_METRIC_instructions].v;
            const struct rl_population *population = &capture->kernels[k].population;
            assert_int_equal(population->total, rows[i].kinds > 1 ? rows[i].kinds : 0);
            if (population->number <= 1) {
                assert_int_equal(capture->kernels[k].launches, rows[i].of_first);
                assert_int_equal(capture->counted[k].launches, rows[i].of_first);
            }
            assert_true((population->number == 1) == (rows[i].kinds > 1 && value < 1.001 * rows[i].first));
            assert_close((double)capture->kernels[k].total_ns / (double)capture->kernels[k].launches, value, 1e-9);
            first = fmin(first, value);
            last = fmax(last, value);
        }
        assert_close(first, rows[i].first, 1e-9);
        assert_close(last, rows[i].last, 1e-9);
        bench_done(&bench);
        rl_buf_release(&text);
    }
}

/* A launch in a hundred is none of a kind. */
static void rare_work(void **state)
{
    struct rl_buf text = RL_BUF_INIT;

    (void)state;
    rl_buf_adds(&text, ROWS);
    for (int i = 0; i < 100; i++)
        add_launch(&text, i, i == 50 ? 1100 : 1000);
    struct bench bench = bench_text(text.data);
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_int_equal(bench.capture->kernels[0].launches, 100);
    assert_int_equal(bench.capture->kernels[0].duration_count, 100);
    assert_metric(&bench, "k", instructions, 1001);
    assert_close(bench.capture->counted[0].lowest.v, 1000, 0);
    assert_close(bench.capture->counted[0].highest.v, 1100, 0);
    bench_done(&bench);
    rl_buf_release(&text);
}

/* ---- launches whose rows are parted between files ---- */

enum { LAUNCHES = 6, VALUES = 5 };

/* Value `which` of a launch: three kinds of work, which no value tells apart alone. */
static void add_value(struct rl_buf *text, int launch, int which)
{
    static const char *const metrics[VALUES] = {"gpu__time_duration.sum", "x__a.sum", "smsp__inst_executed.sum",
                                                "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                                                "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"};
    const double values[VALUES] = {1 + launch, launch, launch < 3 ? 10 : 90, 50, launch == 5 ? 300 : 100};

    add(text, launch, metrics[which], which ? "" : "us", values[which]);
}

static void assert_three_kinds(const struct file *files, size_t count, const char *what, size_t at)
{
    static const struct {
        uint64_t launches, ns;
        double x, ffma;
    } kinds[] = {{3, 6000, 1, 100}, {2, 9000, 3.5, 100}, {1, 6000, 5, 300}};
    struct bench bench = bench_files(files, count, NULL);

    if (bench.capture->kernel_count != 3)
        fail_msg("%s %zu: %zu kinds", what, at, bench.capture->kernel_count);
    for (size_t i = 0; i < 3; i++) {
        const struct rl_kernel *kernel = &bench.capture->kernels[i];
        const size_t kind = kernel->population.number - 1;
        if (kernel->launches != kinds[kind].launches || kernel->total_ns != kinds[kind].ns ||
            kernel->duration_count != kinds[kind].launches)
            fail_msg("%s %zu: other launches in kind %zu", what, at, kind);
        assert_close(rl_kernel_counter(kernel, "x__a.sum")->value.v, kinds[kind].x, 0);
        assert_close(rl_kernel_counter(kernel, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum")->value.v, kinds[kind].ffma,
                     0);
    }
    struct bench launches = launches_of(&bench);
    assert_int_equal(launches.capture->kernel_count, LAUNCHES);
    for (size_t i = 0; i < LAUNCHES; i++) { /* a number says what all counters of its launch are */
        const struct rl_kernel *kernel = &launches.capture->kernels[i];
        const double instructions = launches.analysis->kernels[i].metric[RL_METRIC_instructions].v,
                     ffma = rl_kernel_counter(kernel, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum")->value.v;
        const int number = (int)strtol(kernel->nvtx + strlen("launch "), NULL, 10);
        if (kernel->duration_ns[0] != 1000u * (unsigned)(1 + number) || ffma != (number == 5 ? 300 : 100) ||
            instructions != (number < 3 ? 10 : 90))
            fail_msg("%s %zu: other counters of launch %d: %d ns, %g, %g", what, at, number, (int)kernel->duration_ns[0], ffma,
                     instructions);
    }
    bench_done(&launches);
    bench_done(&bench);
}

/* Metrics in files of their own, in every order. */
static void kinds_over_files(void **state)
{
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const int part_of[VALUES] = {0, 0, 1, 1, 2};
    struct rl_buf parts[3] = {RL_BUF_INIT, RL_BUF_INIT, RL_BUF_INIT};

    (void)state;
    for (int part = 0; part < 3; part++)
        rl_buf_adds(&parts[part], ROWS);
    for (int launch = 0; launch < LAUNCHES; launch++)
        for (int value = 0; value < VALUES; value++)
            add_value(&parts[part_of[value]], launch, value);
    for (size_t i = 0; i < RL_COUNT(orders); i++) {
        struct rl_buf whole = RL_BUF_INIT;
        struct file files[3];
        for (int part = 0; part < 3; part++) {
            files[part] = (struct file){parts[orders[i][part]].data, parts[orders[i][part]].len};
            rl_buf_add(&whole, files[part].bytes, files[part].len);
        }
        assert_three_kinds(files, 3, "order", i);
        assert_three_kinds(&(struct file){whole.data, whole.len}, 1, "one behind the other, order", i);
        rl_buf_release(&whole);
    }
    for (int part = 0; part < 3; part++)
        rl_buf_release(&parts[part]);
}

/* One table cut anywhere, also within a launch, in both orders. */
static void kinds_over_cut_files(void **state)
{
    (void)state;
    for (int cut = 1; cut < LAUNCHES * VALUES; cut++) {
        struct rl_buf parts[2] = {RL_BUF_INIT, RL_BUF_INIT};
        for (int part = 0; part < 2; part++)
            rl_buf_adds(&parts[part], ROWS);
        for (int row = 0; row < LAUNCHES * VALUES; row++)
            add_value(&parts[row >= cut], row / VALUES, row % VALUES);
        struct file files[] = {{parts[0].data, parts[0].len}, {parts[1].data, parts[1].len}};
        assert_three_kinds(files, 2, "cut at", (size_t)cut);
        const struct file backwards[] = {files[1], files[0]};
        assert_three_kinds(backwards, 2, "backwards, cut at", (size_t)cut);
        rl_buf_release(&parts[0]);
        rl_buf_release(&parts[1]);
    }
}

/* The capture says which file each value is from. */
static void the_file_of_each_value(void **state)
{
    static const struct {
        const char *file, *text;
    } inputs[] = {{"runs/counts.csv", ROWS "0" OF "smsp__inst_executed.sum,inst,10\n0" OF "x__a.sum,,3\n"},
                  {"rates.csv", ROWS "0" OF "gpu__time_duration.sum,us,9\n0" OF "x__b.sum,,9\n0" OF "x__a.sum,,3\n"}};
    static const struct {
        const char *counter, *from;
    } rows[] = {{"smsp__inst_executed.sum", "Nsight Compute (a row for each metric), counts.csv"},
                {"x__b.sum", "Nsight Compute (a row for each metric), rates.csv"},
                {"x__a.sum", "several of the files"}};
    const struct rl_import_options options = {.tool_version = "9.9"};
    struct rl_import *import = rl_import_new(&options);
    struct rl_capture *capture = NULL;
    struct rl_err err = RL_ERR_INIT;

    (void)state;
    for (size_t i = 0; i < RL_COUNT(inputs); i++)
        assert_int_equal(rl_import_bytes(import, inputs[i].text, strlen(inputs[i].text), inputs[i].file, &err), RL_OK);
    assert_int_equal(rl_import_finish(import, &capture, &err), RL_OK);
    rl_import_free(import);
    struct bench bench = bench_of(capture);
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        const struct rl_counter *counter = rl_kernel_counter(&bench.capture->kernels[0], rows[i].counter);
        assert_string_equal(bench.capture->passes[counter->pass].configuration, rows[i].from);
    }
    assert_string_equal(bench.capture->session.counters, "imported from Nsight Compute (a row for each metric)");
    bench_done(&bench);
}

/* nvprof's traces with metrics have a row for each launch, too. */
static void kinds_of_a_trace(void **state)
{
    struct bench bench = bench_text("Start,Duration,Grid X,Grid Y,Grid Z,Block X,Block Y,Block Z,Device,Name,inst_executed\n"
                                    "s,us,,,,,,,,,\n"
                                    "1,5,8,1,1,64,1,1,Card (0),k,100\n2,50,8,1,1,64,1,1,Card (0),k,1000\n"
                                    "3,7,8,1,1,64,1,1,Card (0),k,100\n");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const bool few = bench.capture->kernels[i].population.number == 1;
        assert_int_equal(bench.capture->kernels[i].launches, few ? 2 : 1);
        assert_int_equal(bench.capture->kernels[i].total_ns, few ? 12000 : 50000);
        assert_close(bench.analysis->kernels[i].metric[RL_METRIC_instructions].v, few ? 100 : 1000, 0);
    }
    assert_string_not_equal(bench.analysis->kernels[0].label, bench.analysis->kernels[1].label);
    bench_done(&bench);
}

/* Launches of a trace are numbered as they are read, and one that two tables have is there once. */
static void launches_of_a_trace(void **state)
{
    static const char head[] = "Start,Duration,Grid X,Grid Y,Grid Z,Block X,Block Y,Block Z,Device,Name,inst_executed\n"
                               "s,us,,,,,,,,,\n",
                      first[] = "1,5,8,1,1,64,1,1,Card (0),k,100\n2,6,8,1,1,64,1,1,Card (0),k,101\n",
                      second[] = "2,6,8,1,1,64,1,1,Card (0),k,101\n3,7,8,1,1,64,1,1,Card (0),k,102\n";
    struct rl_buf text = RL_BUF_INIT;

    (void)state;
    rl_buf_addf(&text, "%s%s\n%s%s", head, first, head, second);
    struct bench bench = bench_text(text.data), launches = launches_of(&bench);
    assert_int_equal(launches.capture->kernel_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(launches.capture->kernels[i].duration_ns[0], 5000 + 1000 * i);
        assert_close(launches.analysis->kernels[i].metric[RL_METRIC_instructions].v, 100 + (double)i, 0);
    }
    bench_done(&launches);
    bench_done(&bench);
    rl_buf_release(&text);
}

/* A trace cut anywhere, in both orders, with a part of it twice, as one file, and backwards: each launch counts once. */
static void cut_traces(void **state)
{
    static const char head[] = "Start,Duration,Grid X,Grid Y,Grid Z,Block X,Block Y,Block Z,Device,Name\nms,us,,,,,,,,\n";
    enum { COUNT = 8, FORMS = 5, IN_ORDER = 0, BACKWARDS, TWICE, ONE_FILE, ROWS_BACKWARDS };

    (void)state;
    for (int run = FORMS; run < COUNT * FORMS; run++) {
        const int cut = run / FORMS, form = run % FORMS;
        struct rl_buf parts[2] = {RL_BUF_INIT, RL_BUF_INIT};
        for (int part = 0; part < 2; part++)
            rl_buf_adds(&parts[part], head);
        for (int i = 0; i < COUNT; i++) {
            const int launch = form == ROWS_BACKWARDS ? COUNT - 1 - i : i,
                      start = launch == 5 ? 4 : launch; /* two start together */
            for (int part = i >= cut; part < (form == TWICE ? 2 : (i >= cut) + 1); part++)
                rl_buf_addf(&parts[part], "%d.5,%d,8,1,1,64,1,1,Card (0),k\n", 10 + start, launch + 1);
        }
        if (form == ONE_FILE)
            rl_buf_add(&parts[0], parts[1].data, parts[1].len);
        const struct file files[] = {{parts[0].data, parts[0].len}, {parts[1].data, parts[1].len}},
                          backwards[] = {files[1], files[0]};
        struct bench bench = bench_files(form == BACKWARDS ? backwards : files, form == ONE_FILE ? 1 : 2, NULL);
        const struct rl_kernel *kernel = &bench.capture->kernels[0];
        if (kernel->launches != COUNT || kernel->duration_count != COUNT || kernel->total_ns != 36000)
            fail_msg("cut %d, form %d: %d launches, %d times, %d ns", cut, form, (int)kernel->launches, (int)kernel->duration_count,
                     (int)kernel->total_ns);
        for (int i = 0; i < COUNT; i++) /* in the order of their starts */
            assert_int_equal(kernel->duration_ns[i], 1000 * (i + 1));
        bench_done(&bench);
        rl_buf_release(&parts[0]);
        rl_buf_release(&parts[1]);
    }
}

/* Two processes that counted different things are views of one run, in either order: their launches are the same ones where they
 * have as many, and times are those of one process. */
static void launches_of_two_processes(void **state)
{
#define HEAD    "ID,Process ID,Kernel Name,Block Size,Grid Size,Device,CC,gpu__time_duration.sum,"
#define UNITS   "\n,,,,,,,us,\n"
#define RUN(id) "%d," id ",k,\"(256, 1, 1)\",\"(64, 1, 1)\",0,8.0,%d,%d\n"
    static const struct {
        int launches; /* of the second process; the first has three */
        uint64_t total_ns;
        bool both;
    } rows[] = {{3, 30000 + 3000, true}, {2, 30000 + 3000, false}};

    (void)state;
    for (size_t i = 0; i < 2 * RL_COUNT(rows); i++) {
        struct rl_buf bytes = RL_BUF_INIT, counts = RL_BUF_INIT;
        rl_buf_adds(&bytes, HEAD "dram__bytes.sum" UNITS);
        rl_buf_adds(&counts, HEAD "smsp__inst_executed.sum" UNITS);
        for (int j = 0; j < 3; j++)
            rl_buf_addf(&bytes, RUN("61"), j, 10 + j, 1000 * (j + 1));
        for (int j = 0; j < rows[i / 2].launches; j++)
            rl_buf_addf(&counts, RUN("62"), j, 20 + j, 500);
        const struct file files[] = {{i % 2 ? bytes.data : counts.data, 0}, {i % 2 ? counts.data : bytes.data, 0}};
        struct bench bench = bench_files(files, 2, NULL), launches = launches_of(&bench);
        assert_int_equal(bench.capture->kernel_count, 1);
        assert_int_equal(bench.capture->kernels[0].launches, 3);
        assert_int_equal(bench.capture->kernels[0].total_ns, rows[i / 2].total_ns);
        assert_int_equal(launches.capture->kernel_count, 3);
        for (size_t j = 0; j < 3; j++) {
            const struct rl_value *metric = launches.analysis->kernels[j].metric;
            assert_int_equal(launches.capture->kernels[j].duration_ns[0], 10000 + 1000 * j);
            assert_close(metric[RL_METRIC_dram_bytes].v, 1000.0 * (double)(j + 1), 0);
            assert_int_equal(rl_present(metric[RL_METRIC_instructions]), rows[i / 2].both);
        }
        assert_int_equal(bench_logged(&bench, RL_LOG_NOTE, "another number of times"), !rows[i / 2].both);
        bench_done(&launches);
        bench_done(&bench);
        rl_buf_release(&bytes);
        rl_buf_release(&counts);
    }
#undef RUN
#undef UNITS
#undef HEAD
}

/* Kinds without a time are distinguished by their number. */
static void kinds_without_times(void **state)
{
    struct bench bench = bench_text(ROWS "0" OF "smsp__inst_executed.sum,inst,10\n1" OF "smsp__inst_executed.sum,inst,90\n");

    (void)state;
    assert_int_equal(bench.capture->kernel_count, 2);
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(bench.analysis->kernels[i].label,
                            bench.capture->kernels[i].population.number == 1 ? "k (kind 1 of 2)" : "k (kind 2 of 2)");
    bench_done(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ratios_of_sums),
        cmocka_unit_test(nothing_to_weigh_by),
        cmocka_unit_test(each_launch_has_its_counters),
        cmocka_unit_test(derived_for_each_launch),
        cmocka_unit_test(no_more_launches_than_the_limit),
        cmocka_unit_test(launches_of_a_trace),
        cmocka_unit_test(times_of_each_launch),
        cmocka_unit_test(different_work),
        cmocka_unit_test(rare_work),
        cmocka_unit_test(kinds_over_files),
        cmocka_unit_test(kinds_over_cut_files),
        cmocka_unit_test(the_file_of_each_value),
        cmocka_unit_test(kinds_of_a_trace),
        cmocka_unit_test(launches_of_two_processes),
        cmocka_unit_test(kinds_without_times),
        cmocka_unit_test(cut_traces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
