/* Reports of Nsight Compute, made here field by field, and real ones where they are there (RL_PROFILES). */
#include "report.h"

#include "cell.h"
#include "core/fs.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct bench read_report(struct report *report)
{
    struct bench bench = bench_files(&(struct file){report->file.data, report->file.len}, 1, NULL);

    rl_buf_release(&report->file);
    rl_buf_release(&report->payload);
    rl_buf_release(&report->source);
    return bench;
}

static void refuse_report(struct report *report, const char *words)
{
    assert_refused(&(struct file){report->file.data, report->file.len}, 1, words);
    rl_buf_release(&report->file);
    rl_buf_release(&report->payload);
    rl_buf_release(&report->source);
}

/* ---- values ---- */

static const struct metric measured[] = {
    CARD,
    {"gpu__time_duration.sum", DOUBLE, 16500},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", FLOAT, 62.5},
    {"launch__registers_per_thread", UINT32, 40},
    {"launch__shared_mem_per_block_dynamic", UINT64, 2048},
    {"smsp__inst_executed.sum", UINT64, 123456789},
    {"dram__bytes_read.sum", DOUBLE, 4e6 + 1.0 / 3},
    {"dram__bytes_write.sum", DOUBLE, 2e6},
    {"x__first.pct", DOUBLE, 12.5},
    {"x__word", WORDS, 0, "CachePreferNone"},
    {"x__number_in_words", WORDS, 0, "2,000"},
    {"breakdown:x__throughput.avg", WORDS, 0, "x__first.pct,x__second.pct"},
    {"group:x__table", WORDS, 0, "x__first.pct"},
    {"regex:x__.*", WORDS, 0, "x__first.pct"},
};

static void a_launch(void **state)
{
    struct report report = begin_report(7);

    (void)state;
    add_session(&report, "2024.1.1.0 (build 33998838) (public-release)");
    add_launch(&report, "_Z5relaxi", "relax", "relax(int)", measured, COUNT(measured));
    end_block(&report, 4711, true);
    struct bench bench = read_report(&report);
    const struct rl_kernel *kernel = bench_kernel(&bench, "relax(int)");
    const struct rl_gpu *gpu = &bench.capture->gpus[0];

    assert_int_equal(bench.capture->kernel_count, 1);
    assert_string_equal(kernel->mangled, "_Z5relaxi");
    assert_string_equal(bench.capture->session.counters, "imported from Nsight Compute 2024.1.1.0 (report)");
    assert_int_equal(kernel->launches, 1);
    assert_int_equal(kernel->grid[0], 4);
    assert_int_equal(kernel->grid[1], 2);
    assert_int_equal(kernel->block[0], 64);
    assert_int_equal(kernel->dynamic_shared_bytes, 2048);
    assert_close(kernel->registers_per_thread.v, 40, 0);
    assert_int_equal(kernel->duration_ns[0], 16500);
    assert_string_equal(gpu->name, "NVIDIA A10");
    assert_int_equal(gpu->cc_major * 10 + gpu->cc_minor, 86);
    assert_close(gpu->fact[RL_FACT_sm_count].v, 72, 0);
    assert_metric(&bench, "relax", achieved_occupancy, 0.625);
    assert_metric(&bench, "relax", instructions, 123456789);
    assert_counter(&bench, "relax", "dram__bytes_read.sum", 4e6 + 1.0 / 3);
    assert_counter(&bench, "relax", "x__first.pct", 0.125);
    assert_counter(&bench, "relax", "x__number_in_words", 2000);
    assert_false(bench_has(&bench, "relax", "x__word"));
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "values that are words, not numbers, were not kept: 1 (CachePreferNone)"));
    bench_done(&bench);
}

/* The same values from a row of the raw page make the same capture, but for where it says that they are from. */
static void as_the_raw_page(void **state)
{
    struct report report = begin_report(7);

    (void)state;
    add_launch(&report, "_Z5relaxi", "relax", "relax(int)", measured, COUNT(measured));
    end_block(&report, 4711, true);
    struct bench one = read_report(&report);
    struct bench other =
        bench_text("\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\",\"Stream\","
                   "\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"device__attribute_display_name\","
                   "\"device__attribute_multiprocessor_count\",\"dram__bytes_read.sum\",\"dram__bytes_write.sum\","
                   "\"gpu__time_duration.sum\",\"launch__registers_per_thread\","
                   "\"launch__shared_mem_per_block_dynamic\",\"sm__warps_active.avg.pct_of_peak_sustained_active\","
                   "\"smsp__inst_executed.sum\",\"x__first.pct\",\"x__number_in_words\",\"x__word\"\n"
                   "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"byte\",\"byte\",\"nsecond\","
                   "\"register/thread\",\"byte/block\",\"%\",\"inst\",\"%\",\"\",\"\"\n"
                   "\"0\",\"4711\",\"app\",\"alpha\",\"relax(int)\",\"1\",\"7\",\"(64, 1, 1)\",\"(4, 2, 1)\",\"1\","
                   "\"8.6\",\"NVIDIA A10\",\"72\",\"4000000.3333333335\",\"2000000\",\"16500\",\"40\",\"2048\","
                   "\"62.50\",\"123456789\",\"12.50\",\"2,000\",\"CachePreferNone\"\n");
    const struct rl_kernel *a = bench_kernel(&one, "relax"), *b = bench_kernel(&other, "relax");

    assert_int_equal(a->duration_ns[0], b->duration_ns[0]);
    assert_int_equal(a->counter_count, b->counter_count + 3); /* the page has device and capability in columns */
    for (size_t i = 0; i < b->counter_count; i++)
        assert_counter(&one, "relax", b->counters[i].name, b->counters[i].value.v);
    for (size_t i = 0; i < RL_FACT_COUNT; i++)
        assert_true(one.capture->gpus[0].fact[i].v == other.capture->gpus[0].fact[i].v ||
                    !rl_present(other.capture->gpus[0].fact[i]));
    bench_done(&one);
    bench_done(&other);
}

static void values_that_are_none(void **state)
{
    static const struct metric metrics[] = {
        CARD,
        {"x__nan.avg", DOUBLE, NAN},
        {"x__inf.avg", DOUBLE, INFINITY},
        {"x__overflow.sum", UINT64, -1},
        {"x__huge.sum", DOUBLE, 4e20},
        {"x__no_data", NOTHING},
        {"x__empty", EMPTY},
        {"x__instances.sum", INSTANCES},
        {"gpu__time_duration.sum", DOUBLE, 5},
        {"x__twice.sum", UINT64, 3},
        {"x__twice.sum", UINT64, 4},
    };
    static const struct {
        const char *name, *reason;
    } missing[] = {
        {"x__nan.avg", "the tool printed 'nan'"},        {"x__inf.avg", "the tool printed 'inf'"},
        {"x__overflow.sum", "which no counter reaches"}, {"x__huge.sum", "which no counter reaches"},
        {"x__no_data", "the tool printed 'no data'"},
    };
    struct report report = begin_report(7);

    (void)state;
    add_launch(&report, "", "", "relax()", metrics, COUNT(metrics));
    end_block(&report, 4711, true);
    struct bench bench = read_report(&report);
    for (size_t i = 0; i < COUNT(missing); i++) {
        const struct rl_value value = bench_counter(&bench, "relax", missing[i].name);
        assert_false(rl_present(value));
        assert_non_null(strstr(rl_value_reason(value), missing[i].reason));
    }
    assert_false(bench_has(&bench, "relax", "x__empty"));
    assert_false(bench_has(&bench, "relax", "x__instances.sum"));
    assert_counter(&bench, "relax", "x__twice.sum", 4); /* as ncu prints it */
    bench_done(&bench);
}

/* ---- launches and blocks ---- */

static void names_of_kernels(void **state)
{
    static const struct metric metrics[] = {CARD, {"gpu__time_duration.sum", DOUBLE, 5}};
    struct report report = begin_report(7);

    (void)state;
    add_launch(&report, "_Z5firsti", "first", "first(int)", metrics, COUNT(metrics));
    add_launch(&report, "_Z6secondi", "second", "", metrics, COUNT(metrics));
    add_launch(&report, "_Z5thirdi", "", "", metrics, COUNT(metrics));
    add_launch(&report, "", "", "", metrics, COUNT(metrics));
    end_block(&report, 4711, true);
    struct bench bench = read_report(&report);
    assert_int_equal(bench.capture->kernel_count, 3);
    bench_kernel(&bench, "first(int)");
    bench_kernel(&bench, "second");
    bench_kernel(&bench, "_Z5thirdi");
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "rows that do not say which kernel they belong to were left out: 1"));
    bench_done(&bench);
}

/* Names may come behind the launches that refer to them, and in several blocks; a process of a name is not one of another. */
static void blocks(void **state)
{
    static const struct metric first[] = {CARD, {"gpu__time_duration.sum", DOUBLE, 5}},
                               second[] = {CARD, {"gpu__time_duration.sum", DOUBLE, 7}, {"x__late.sum", UINT32, 6}};
    struct report report = begin_report(7);

    (void)state;
    add_launch(&report, "", "", "relax()", first, COUNT(first));
    end_block(&report, 5, true);
    add_launch(&report, "", "", "relax()", second, COUNT(second));
    add_range(&report);
    add_range(&report);
    end_block(&report, 5, false);
    add_launch(&report, "", "", "relax()", second, COUNT(second));
    end_block(&report, 6, true);
    struct bench bench = read_report(&report);
    assert_int_equal(bench.capture->kernel_count, 2);
    assert_string_equal(bench.capture->kernels[0].nvtx, "process 5 on alpha");
    assert_int_equal(bench.capture->kernels[0].launches, 2);
    assert_int_equal(bench.capture->kernels[1].launches, 1);
    assert_counter(&bench, "relax()", "x__late.sum", 6);
    assert_true(bench_logged(&bench, RL_LOG_NOTE, "lists of commands and graphs, which are no launches, were left out: 2"));
    bench_done(&bench);
}

/* ---- what is no report, or not all of one ---- */

static void versions(void **state)
{
    static const struct metric metrics[] = {CARD, {"gpu__time_duration.sum", DOUBLE, 5}};
    struct report older = begin_report(6), newer = begin_report(8), none = begin_report(7), empty = {.name_count = 0};

    (void)state;
    refuse_report(&older,
                  "its format has version 6, of which nothing is read (only 7 and newer): export it with the Nsight Compute "
                  "that wrote it, --import FILE --csv --page raw");
    add_launch(&newer, "", "", "relax()", metrics, COUNT(metrics));
    end_block(&newer, 5, true);
    struct bench bench = read_report(&newer);
    assert_true(bench_logged(&bench, RL_LOG_WARNING,
                             "'input.csv': its format has version 8, newer than 7: 1 launch with 6 values was read as version 7"));
    bench_done(&bench);
    add_session(&none, "2024.1");
    refuse_report(&none, "without a launch of a kernel");
    rl_buf_init(&empty.file);
    rl_buf_init(&empty.payload);
    rl_buf_add(&empty.file, "NVR?\1\0\0\0", 8);
    refuse_report(&empty, "it begins like a report of Nsight Compute, but is none");
}

/* Cut anywhere, it is read up to there or refused; nothing is read past the end (sanitizers). */
static void cut_reports(void **state)
{
    struct report report = begin_report(7);

    (void)state;
    add_launch(&report, "", "", "relax()", measured, COUNT(measured));
    end_block(&report, 5, true);
    const size_t first = report.file.len;
    add_launch(&report, "", "", "sweep()", measured, COUNT(measured));
    end_block(&report, 5, true);
    const size_t step = getenv("RL_THOROUGH") ? 1 : 3;
    for (size_t len = 4; len < report.file.len; len += len < first ? 1 : step) { /* a whole launch takes long to complete */
        struct rl_err err = RL_ERR_INIT;
        struct rl_capture *capture = NULL;
        char *copy = malloc(len);
        memcpy(copy, report.file.data, len);
        const enum rl_status status = bench_read(&(struct file){copy, len}, 1, NULL, &capture, &err);
        free(copy);
        assert_int_equal(status, len < first ? RL_FORMAT : RL_OK);
        if (status == RL_OK) {
            struct bench bench = bench_of(capture);
            assert_int_equal(bench.capture->kernel_count, 1);
            assert_int_equal(bench_logged(&bench, RL_LOG_WARNING, "reports that end early"), len > first);
            bench_done(&bench);
        }
    }
    rl_buf_release(&report.file);
    rl_buf_release(&report.payload);
}

/* A damaged launch is left out, the others are read. */
static void damaged_launches(void **state)
{
    static const struct metric metrics[] = {CARD, {"gpu__time_duration.sum", DOUBLE, 5}};
    static const char broken[][12] = {
        "\x0B\x01",                                     /* a group, which version 2 of the format has no more */
        "\x3A\x7F.",                                    /* a text longer than the message */
        "\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", /* a number without an end */
        "\x6A\x02\x08\x7F",                             /* a metric whose name is not there */
        "\x6A\x02\x08",                                 /* and one that ends early */
    };

    (void)state;
    for (size_t i = 0; i < COUNT(broken); i++) {
        struct report report = begin_report(7);
        struct rl_buf launch = RL_BUF_INIT;
        text(&launch, 7, "broken()");
        rl_buf_adds(&launch, broken[i]);
        sized(&report.payload, &launch);
        report.launches++;
        add_launch(&report, "", "", "relax()", metrics, COUNT(metrics));
        end_block(&report, 5, true);
        struct bench bench = read_report(&report);
        assert_int_equal(bench.capture->kernel_count, 1);
        bench_kernel(&bench, "relax()");
        assert_true(bench_logged(&bench, RL_LOG_WARNING, "damaged rows were left out: 1 (input.csv)"));
        bench_done(&bench);
    }
}

/* Counts and lengths that nothing backs cost nothing. */
static void lengths_without_bytes(void **state)
{
    static const struct metric metrics[] = {CARD, {"gpu__time_duration.sum", DOUBLE, 5}};
    static const uint64_t sizes[] = {UINT32_MAX, UINT64_MAX, 3};

    (void)state;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct report report = begin_report(7);
        struct rl_buf header = RL_BUF_INIT;
        add_launch(&report, "", "", "relax()", metrics, COUNT(metrics));
        end_block(&report, 5, true);
        number(&header, 1, UINT64_MAX);
        number(&header, 2, UINT64_MAX);
        number(&header, 9, UINT64_MAX);
        number(&header, 5, sizes[i]);
        sized(&report.file, &header);
        rl_buf_add(&report.file, "\xFF\xFF\xFF\xFF", 4);
        struct bench bench = read_report(&report);
        assert_int_equal(bench.capture->kernel_count, 1);
        assert_true(bench_logged(&bench, RL_LOG_WARNING, "reports that end early, or are damaged"));
        bench_done(&bench);
    }
}

/* A message that is longer than its block ends the reading, although the file has as many bytes. */
static void a_message_beyond_its_block(void **state)
{
    static const struct metric metrics[] = {CARD, {"gpu__time_duration.sum", DOUBLE, 5}};
    struct report report = begin_report(7);
    struct rl_buf header = RL_BUF_INIT;

    (void)state;
    add_launch(&report, "", "", "relax()", metrics, COUNT(metrics));
    end_block(&report, 5, true);
    number(&header, 1, 1);
    number(&header, 5, 6);
    sized(&report.file, &header);
    rl_buf_add(&report.file, "\3\0\0\0....", 8);
    struct bench bench = read_report(&report);
    assert_int_equal(bench.capture->kernel_count, 1);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "reports that end early, or are damaged"));
    bench_done(&bench);
}

/* Instances that have names are values of their own, beside the total. */
static void instances_with_names(void **state)
{
    static const struct metric metrics[] = {CARD, {"gpu__time_duration.sum", DOUBLE, 5}, {"sass__x_per_opcode", OPCODES, 20}};
    struct report report = begin_report(7);

    (void)state;
    add_launch(&report, "", "", "relax()", metrics, COUNT(metrics));
    end_block(&report, 5, true);
    struct bench bench = read_report(&report);
    assert_counter(&bench, "relax", "sass__x_per_opcode", 60);
    assert_counter(&bench, "relax", "sass__x_per_opcode [FFMA]", 20);
    assert_counter(&bench, "relax", "sass__x_per_opcode [LDG.E]", 40);
    bench_done(&bench);
}

/* ---- real ones ---- */

/* What ncu 2024.1.1 --import FILE --csv --page raw --print-units base prints for them. */
static void published(void **state)
{
    static const struct {
        const char *file, *kernel;
        size_t launches;
        uint64_t duration_ns;
        double bytes_per_second, occupancy, waves, registers;
    } rows[] = {
        {"ncu-rep/CudaCode__stage1__reps__vec_add.ncu-rep", "vec_add(float *, float *, float *, int)", 1, 41696, 297012279355.33,
         0.8297, 46.55, 16},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct bench bench = bench_of(bench_there(RL_PROFILES, "RL_PROFILES", 1, &rows[i].file));
        const struct rl_kernel *kernel = bench_kernel(&bench, rows[i].kernel);
        assert_int_equal(kernel->launches, rows[i].launches);
        assert_int_equal(kernel->duration_ns[0], rows[i].duration_ns);
        assert_close(kernel->registers_per_thread.v, rows[i].registers, 0);
        assert_close(bench_counter(&bench, rows[i].kernel, "dram__bytes.sum.per_second").v, rows[i].bytes_per_second, 1e-13);
        assert_close(bench_counter(&bench, rows[i].kernel, "launch__waves_per_multiprocessor").v, rows[i].waves, 2e-4);
        bench_done(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch),
        cmocka_unit_test(as_the_raw_page),
        cmocka_unit_test(values_that_are_none),
        cmocka_unit_test(names_of_kernels),
        cmocka_unit_test(blocks),
        cmocka_unit_test(versions),
        cmocka_unit_test(cut_reports),
        cmocka_unit_test(damaged_launches),
        cmocka_unit_test(lengths_without_bytes),
        cmocka_unit_test(a_message_beyond_its_block),
        cmocka_unit_test(instances_with_names),
        cmocka_unit_test(published),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
