/* Figures that others have published: a table, read as a capture. */
#include "bench.h"

#include "core/buf.h"
#include "core/fs.h"

#define HEAD "Card,Experiment,Variant,Quantity,Value,Unit,Source\n"
#define A100 "NVIDIA A100-SXM4-40GB"

static const struct rl_variant *variant_of(const struct bench *bench, const char *name)
{
    for (size_t i = 0; i < bench->capture->variant_count; i++)
        if (strcmp(bench->capture->variants[i].name, name) == 0)
            return &bench->capture->variants[i];
    fail_msg("no variant '%s'", name);
    return NULL;
}

static struct rl_value time_of(const struct bench *bench, const char *name)
{
    return bench->analysis->variants[variant_of(bench, name) - bench->capture->variants].time_s;
}

/* The reference set of the repository, held against what its source says. */
static void reference_set(void **state)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf text = RL_BUF_INIT;
    struct bench bench;
    (void)state;

    assert_int_equal(rl_read_file(RL_SOURCE_DIR "/samples/published/a100-sxm4-40gb.csv", 1 << 20, &text, &err), RL_OK);
    bench = bench_text(text.data);
    assert_string_equal(bench.capture->session.source, "published");
    assert_int_equal(bench.capture->gpu_count, 1);
    assert_string_equal(bench.capture->gpus[0].chip, "GA100");
    assert_true(bench.capture->gpus[0].fact[RL_FACT_sm_count].v == 108);
    assert_int_equal(bench.capture->variant_count, 10);
    for (size_t i = 0; i < bench.capture->variant_count; i++)
        assert_string_equal(bench.capture->variants[i].measure, "kernel");
    assert_int_equal(bench.capture->log_count, 0);
    assert_close(time_of(&bench, "divergent").v / time_of(&bench, "coherent").v, 2.00, 0.002);
    assert_close(time_of(&bench, "serial").v / time_of(&bench, "unrolled4").v, 8.47, 0.002);
    assert_close(bench.analysis->variants[variant_of(&bench, "stride_1") - bench.capture->variants].useful_bytes_per_second.v,
                 1167.68e9, 1e-6);
    assert_close(time_of(&bench, "stride_32").v, 33554432 / 80.12e9, 1e-5);
    assert_metric(&bench, "register_pressure/live128", theoretical_occupancy, 0.375);
    assert_true(bench_kernel(&bench, "register_pressure/live128")->registers_per_thread.v == 72);
    /* the calculator agrees with what was published */
    assert_true(
        rl_occupancy_of(rl_sm_limits_of(80), &(struct rl_block_shape){.threads = 256, .registers_per_thread = 72}).fraction.v ==
        0.375);
    assert_true(bench.capture->session.complete);
    assert_string_equal(bench.capture->session.source, "published");
    bench_done(&bench);
    rl_buf_release(&text);
}

static void order_and_repetition(void **state)
{
    static const char text[] =
        "\xEF\xBB\xBF" HEAD /* byte order mark, CR LF, rate before its bytes, thousands */
            A100 ",e,a,useful_bytes_per_second,2,GB/s,s\r\n" A100 ",e,a,useful_bytes,\"4,000,000\",B,s\r\n" A100
        ",e,a,size,\"1,000\",rows of it,s\r\n" A100 ",e,b,duration,3,us,s\r\n" A100 ",e,b,duration,5,us,s\r\n"
        "somebody's card,e,b,duration,7000,ns,other\r\nsomebody's card,e,b,operations,1,,other\r\n";
    struct bench bench = bench_text(text);
    (void)state;

    assert_int_equal(bench.capture->gpu_count, 2);
    assert_null(bench.capture->gpus[1].chip);
    assert_int_equal(bench.capture->gpus[0].index, 0);
    assert_int_equal(bench.capture->gpus[1].index, 1);
    assert_int_equal(bench.capture->experiment_count, 1);
    assert_int_equal(bench.capture->variant_count, 3);
    assert_close(time_of(&bench, "a").v, 2e-3, 1e-9);
    assert_int_equal(variant_of(&bench, "a")->size, 1000);
    assert_string_equal(variant_of(&bench, "a")->size_unit, "rows of it");
    assert_int_equal(bench.capture->kernels[1].duration_count, 2);
    assert_close(time_of(&bench, "b").v, 4e-6, 1e-9); /* two measurements: their median */
    assert_close(bench.analysis->variants[2].time_s.v, 7e-6, 1e-9);
    bench_done(&bench);
}

/* Each row is left out, with a word in the log; the good one stays. */
static void bad_rows(void **state)
{
    static const struct {
        const char *row, *words;
    } rows[] = {
        {A100 ",e,v,speed,3,ms,s", "unknown quantity"},
        {A100 ",e,v,duration,3,GB/s,s", "duration"},
        {A100 ",e,v,duration,3,furlong,s", "duration"},
        {A100 ",e,v,duration,3,,s", "duration"},
        {A100 ",e,v,duration,three,ms,s", "duration"},
        {A100 ",e,v,duration,nan,ms,s", "duration"},
        {A100 ",e,v,duration,-3,ms,s", "duration"},
        {A100 ",e,v,duration,1e400,ms,s", "duration"},
        {A100 ",e,v,duration,0,ms,s", "too long"},
        {A100 ",e,v,duration,1e30,s,s", "too long"},
        {A100 ",e,v,duration,3 ms,ms,s", "duration"},
        {A100 ",e,v,duration,1.5e8,s,s", "too long"},
        {A100 ",e,v,duration,0.9,ns,s", "too long"},
        {A100 ",e,v,useful_bytes,1e308,GB,s", "useful_bytes"},
        {A100 ",e,v,useful_bytes,-3,B,s", "useful_bytes"},
        {A100 ",e,v,registers_per_thread,3,B,s", "registers_per_thread"},
        {A100 ",e,v,instructions,3,ms,s", "instructions"},
        {A100 ",e,v,dram_bytes,3,ms,s", "dram_bytes"},
        {A100 ",e,v,sm_clock_hz,3,ms,s", "sm_clock_hz"},
        {A100 ",e,v,dram_bytes_per_second,3,ms,s", "dram_bytes_per_second"},
        {A100 ",e,v,achieved_occupancy,71,GB/s,s", "achieved_occupancy"},
        {A100 ",e,v,useful_bytes_per_second,3,GB/s,s", "whose bytes"},
        {A100 ",e,v,duration,3,ms,", "damaged"},
        {A100 ",e,,duration,3,ms,s", "damaged"},
        {",e,v,duration,3,ms,s", "damaged"},
        {A100 ",e,v,duration,3", "damaged"},
        {A100 ",e,v,duration,3,ms,s,s", "damaged"},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_addf(&text, HEAD "%s\n" A100 ",e,good,duration,9,ms,s\n", rows[i].row);
        struct bench bench = bench_text(text.data);
        assert_close(time_of(&bench, "good").v, 9e-3, 1e-9);
        for (size_t j = 0; j < bench.analysis->capture->variant_count; j++)
            if (strcmp(bench.capture->variants[j].name, "good") != 0)
                assert_false(rl_present(bench.analysis->variants[j].time_s));
        if (!bench_logged(&bench, RL_LOG_WARNING, rows[i].words))
            fail_msg("nothing says '%s' of %s: %s", rows[i].words, rows[i].row,
                     bench.capture->log_count ? bench.capture->log[0].text : "");
        bench_done(&bench);
        rl_buf_release(&text);
    }
}

/* Every quantity, in base units, at the ends of what a capture holds. */
static void quantities(void **state)
{
    static const char text[] = HEAD
        "Tesla T4,e,v,duration,1,ns,s\nTesla T4,e,v,duration,1e8,s,s\nTesla T4,e,v,useful_bytes,3,KB,s\n"
        "Tesla T4,e,v,operations,5,,s\nTesla T4,e,v,registers_per_thread,40,register,s\n"
        "Tesla T4,e,v,static_shared_bytes,0,B,s\nTesla T4,e,v,dynamic_shared_bytes,64,KB,s\n"
        "Tesla T4,e,v,threads_per_block,4294967295,,s\nTesla T4,e,v,size,8.9e15,B,s\n"
        "Tesla T4,e,w,threads_per_block,4294967296,,s\nTesla T4,e,w,size,9e15,B,s\n"
        "Tesla T4,e,w,dynamic_shared_bytes,1e16,B,s\nTesla T4,e,v,instructions,6,inst,s\n"
        "Tesla T4,e,v,achieved_occupancy,50,%,s\nTesla T4,e,w,useful_bytes,7,B,s\nTesla T4,e,w,useful_bytes_per_second,0,B/s,s\n";
    struct bench bench = bench_text(text);
    const struct rl_variant *v = variant_of(&bench, "v"), *w = variant_of(&bench, "w");
    const struct rl_kernel *kernel = &bench.capture->kernels[0], *other = &bench.capture->kernels[1];
    (void)state;

    assert_int_equal(bench.capture->gpus[0].cc_major, 7);
    assert_int_equal(bench.capture->gpus[0].cc_minor, 5);
    assert_int_equal(kernel->duration_count, 2);
    assert_int_equal(kernel->launches, 2);
    assert_int_equal(kernel->duration_ns[0], 1);
    assert_int_equal(kernel->total_ns, 100000000000000001);
    assert_close(v->useful_bytes.v, 3000, 0);
    assert_close(v->operations.v, 5, 0);
    assert_close(kernel->registers_per_thread.v, 40, 0);
    assert_close(kernel->static_shared_bytes.v, 0, 0);
    assert_int_equal(kernel->dynamic_shared_bytes, 64000);
    assert_int_equal(kernel->block[0], 4294967295);
    assert_int_equal(kernel->block[1], 1);
    assert_int_equal(v->size, 8900000000000000);
    assert_metric(&bench, "e/v", instructions, 6);
    assert_metric(&bench, "e/v", achieved_occupancy, 0.5);
    assert_int_equal(other->block[0], 0);
    assert_int_equal(w->size, 0);
    assert_int_equal(other->dynamic_shared_bytes, 0);
    assert_int_equal(other->duration_count, 0); /* no rate, no time */
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "whose bytes are not given"));
    bench_done(&bench);
}

/* Names of 4096 bytes are kept, longer ones are not. */
static void long_names(void **state)
{
    (void)state;
    for (size_t len = 4096; len <= 4097; len++) {
        struct rl_buf text = RL_BUF_INIT;
        rl_buf_adds(&text, HEAD A100 ",e,good,duration,3,ms,s\n" A100 ",e,");
        rl_buf_fill(&text, 'x', len);
        rl_buf_adds(&text, ",duration,3,ms,s\n");
        struct bench bench = bench_text(text.data);
        assert_int_equal(bench.capture->variant_count, len == 4096 ? 2 : 1);
        bench_done(&bench);
        rl_buf_release(&text);
    }
}

static void hostile_files(void **state)
{
    static const char ncu[] = "\"ID\",\"Kernel Name\",\"gpu__time_duration.sum\"\n\"\",\"\",\"ns\"\n\"0\",\"k\",\"5\"\n";
    const struct file both[] = {{HEAD A100 ",e,v,duration,3,ms,s\n", 0}, {ncu, 0}};
    struct rl_buf text = RL_BUF_INIT;
    struct bench bench;
    (void)state;

    assert_refused(both, 2, "import them separately");
    assert_refused(&(struct file){HEAD, 0}, 1, "no row");
    assert_refused(&(struct file){HEAD A100 ",e,v,speed,3,ms,s\n", 0}, 1, "no row");

    rl_buf_adds(&text, HEAD); /* beyond the limit of figures, each of another variant */
    for (int i = 0; i < 2 * RL_IMPORT_MAX_FIGURES; i++)
        rl_buf_addf(&text, A100 ",e,v%d,duration,3,ms,s\n", i);
    bench = bench_text(text.data);
    assert_int_equal(bench.capture->variant_count, RL_IMPORT_MAX_FIGURES);
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "beyond the limit"));
    bench_done(&bench);

    rl_buf_reset(&text); /* any bytes in names, line breaks in cells, long ones */
    rl_buf_adds(&text, HEAD "\"a \"\"card\"\"\x01\xFF\",\"e\xC3\",\"v,\t\",duration,3,ms,\"two\nlines\"\n" A100 ",e,");
    for (int i = 0; i < 5000; i++)
        rl_buf_addch(&text, 'x');
    rl_buf_adds(&text, ",duration,3,ms,s\n");
    bench = bench_text(text.data);
    assert_int_equal(bench.capture->variant_count, 1);
    assert_string_equal(bench.capture->gpus[0].name, "a \"card\"\x01\xFF");
    assert_true(bench_logged(&bench, RL_LOG_WARNING, "damaged"));
    bench_done(&bench);
    rl_buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_set), cmocka_unit_test(order_and_repetition), cmocka_unit_test(bad_rows),
        cmocka_unit_test(quantities),    cmocka_unit_test(long_names),           cmocka_unit_test(hostile_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
