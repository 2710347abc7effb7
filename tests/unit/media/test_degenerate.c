/* Captures whose figures or names are strange: the report is laid out, says what is missing, and invents nothing. */
#include "rl_test.h"

#include <ctype.h>
#include <math.h>

#include "core/mem.h"
#include "fixtures/links.h"
#include "media/report_tools.h"

/* No figure in the text is what a computation leaves when it went wrong. */
static void assert_no_nonsense(const struct rl_buf *words)
{
    static const char *const signs[] = {"nan", "-nan", "inf", "-inf", "NaN", "e+3", "(null)"};
    for (size_t i = 0; i < RL_COUNT(signs); i++)
        for (const char *p = words->data; (p = strstr(p, signs[i])); p += strlen(signs[i])) {
            bool begins = p == words->data || isspace((unsigned char)p[-1]) || p[-1] == '(';
            bool ends = !isalnum((unsigned char)p[strlen(signs[i])]);
            if (begins && ends)
                fail_msg("'%.30s' is in the report", p);
        }
}

static struct rl_buf look(struct rl_capture *capture)
{
    struct rl_buf pdf = report_of(capture, RL_PAPER_A4), words = lines_of(&pdf);
    assert_good(&pdf);
    assert_no_nonsense(&words);
    rl_buf_release(&pdf);
    return words;
}

static void set_counters(struct rl_capture *capture, struct rl_value value)
{
    for (size_t k = 0; k < capture->kernel_count; k++)
        for (size_t c = 0; c < capture->kernels[k].counter_count; c++)
            capture->kernels[k].counters[c].value = value;
}

static void any_counter_value_is_laid_out(void **state)
{
    const double values[] = {0, -1, -1e12, 1, 1e300, 1e-300, 1e18};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(values); i++) {
        struct rl_capture *capture = synthetic_program(12);
        set_counters(capture, rl_value_of(values[i]));
        struct rl_buf words = look(capture);
        rl_buf_release(&words);
    }
}

static void figures_that_are_none_are_stated_gaps(void **state)
{
    const double values[] = {NAN, INFINITY, -INFINITY};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(values); i++) {
        struct rl_capture *capture = synthetic_program(3);
        set_counters(capture, rl_value_of(values[i]));
        struct rl_buf words = look(capture);
        assert_says(&words, "not a finite number");
        rl_buf_release(&words);
    }
}

static void every_reason_for_a_gap_is_said(void **state)
{
    (void)state;
    for (int s = RL_PRESENT + 1; s < RL_STATE_COUNT; s++) {
        struct rl_capture *capture = synthetic_suite();
        set_counters(capture, rl_value_missing((enum rl_state)s, "because of the weather"));
        struct rl_buf words = look(capture);
        assert_says(&words, "because of the weather");
        assert_says_not(&words, "hit rate 0"); /* a gap is no zero */
        rl_buf_release(&words);
    }
}

static void points_may_be_one_or_all_the_same(void **state)
{
    (void)state;
    for (size_t count = 1; count <= 60; count += 59) {
        struct rl_capture *capture = synthetic_program(count);
        for (size_t k = 1; k < count; k++) {
            struct rl_kernel *to = &capture->kernels[k];
            for (size_t c = 0; c < to->counter_count; c++)
                to->counters[c].value = capture->kernels[0].counters[c].value;
            to->duration_ns = capture->kernels[0].duration_ns;
            to->total_ns = capture->kernels[0].total_ns;
        }
        struct rl_buf words = look(capture);
        rl_buf_release(&words);
    }
}

static void times_may_stand_still(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_suite();
    for (size_t k = 0; k < capture->kernel_count; k++) {
        capture->kernels[k].total_ns = 0;
        for (size_t i = 0; i < capture->kernels[k].duration_count; i++)
            capture->kernels[k].duration_ns[i] = 0;
    }
    struct rl_buf words = look(capture);
    rl_buf_release(&words);
}

static void ranges_may_be_wide(void **state)
{
    (void)state;
    struct rl_capture *capture = synthetic_empty();
    for (int decade = -6; decade <= 6; decade++) {
        struct synthetic_work work = {1e6 * pow(10, decade), 1e6 * pow(10, -decade), 1e6, 1e-3 * pow(10, decade / 3.0),
                                      synthetic_shape_of("stride_1")};
        synthetic_kernel(capture, 0, RL_NONE, "void wide(float*)", &work);
    }
    struct rl_buf words = look(capture);
    rl_buf_release(&words);
}

static void names_may_be_in_any_script(void **state)
{
    static const char *const names[] = {
        "julia_broadcast_kernel_1234(CuDeviceArray{Float64,2,1}, Broadcasted{ArrayStyle{CuArray}, σ∘tanh})",
        "gpu__kernel!(CompilerMetadata{DynamicSize, DynamicCheck, Nothing, CartesianIndices{1, Tuple{Base.OneTo{Int64}}}}, ∇²)",
        "\xF0\x9F\x9A\x80\xF0\x9F\x94\xA5 rocket(\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7)",
        "カーネル関数<浮動小数点>(포인터, 指针)",
        "нейросеть_ядро(float*)",
        "\xD8\xA7\xD9\x84\xD9\x86\xD9\x88\xD8\xA7\xD8\xA9()",
        "e\xCC\x81\xCC\x81\xCC\x81\xCC\x81\xCC\x81 combining(float)",
        "_ZN7cutlass6KernelINS_4gemm6kernel4GemmILi128ELi128EEEEEvNT_6ParamsE",
        "(anonymous namespace)::{lambda(int)#1}::operator()(int) const",
        "\xFF\xFE\x01\x02 broken",
    };
    (void)state;
    struct rl_capture *capture = synthetic_program(RL_COUNT(names) + 1);
    for (size_t i = 0; i < RL_COUNT(names); i++)
        capture->kernels[i].name = rl_capture_text(capture, names[i]);
    struct rl_capture *long_name = synthetic_long_name(2300);
    capture->kernels[RL_COUNT(names)].name = rl_capture_text(capture, long_name->kernels[0].name);
    rl_capture_free(long_name);
    struct rl_buf words = look(capture);
    assert_says(&words, "Kernel names");
    rl_buf_release(&words);
}

static void the_glossary_explains_what_was_printed(void **state)
{
    (void)state;
    struct rl_buf words = look(synthetic_program(4));
    assert_says(&words, "Glossary");
    assert_says(&words, "intensity (DRAM) (FLOP/B)");
    assert_says(&words, "data sheet The maker");
    rl_buf_release(&words);
    struct rl_report_options options = options_for(RL_PAPER_A4);
    options.only = "glossary"; /* nothing was printed before it */
    struct rl_buf pdf = report_with(synthetic_program(4), &options);
    words = lines_of(&pdf);
    assert_says(&words, "No metric is printed in this document.");
    rl_buf_release(&words);
    rl_buf_release(&pdf);
}

static void the_method_names_card_and_clocks(void **state)
{
    (void)state;
    struct rl_buf words = look(synthetic_program(4));
    assert_says(&words, "SM clock of the passes");
    assert_says(&words, "power limit");
    assert_says(&words, "capture (SHA-256)");
    rl_buf_release(&words);
}

/* Clocks that the session has set are not those of normal use: the method says so, and what it does not know. */
static void the_method_says_whether_clocks_were_locked(void **state)
{
    static const struct {
        double locked, sm_hz, memory_hz; /* below 0: missing */
        const char *words;
    } known[] = {
        {-1, -1, -1, "not recorded"},
        {0, -1, -1, "left alone"},
        {1, 1500e6, 3201e6, "locked by the session: SM 1.500 GHz, memory 3.201 GHz"},
        {1, -1, -1, "locked by the session: SM at its base clock, memory not locked"},
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_capture *capture = synthetic_program(4);
        struct rl_value *fact = capture->gpus[0].fact;
        const struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, NULL);
        fact[RL_FACT_clocks_locked] = known[i].locked < 0 ? none : rl_value_of(known[i].locked);
        fact[RL_FACT_sm_clock_locked_hz] = known[i].sm_hz < 0 ? none : rl_value_of(known[i].sm_hz);
        fact[RL_FACT_memory_clock_locked_hz] = known[i].memory_hz < 0 ? none : rl_value_of(known[i].memory_hz);
        struct rl_buf words = look(capture);
        assert_says(&words, known[i].words);
        rl_buf_release(&words);
    }
}

/* ---- links between GPUs ---- */

static struct rl_capture *machine(const struct sample_machine *of)
{
    struct rl_capture *capture = rl_capture_new();
    capture->session.started = rl_capture_text(capture, "2026-11-21T10:30:40Z");
    capture->session.complete = true;
    sample_machine_links(capture, of);
    return capture;
}

/* 2 to 16 GPUs, with links that are slow or missing: words apart, nothing outside the page. */
static void links_of_machines_of_all_sizes(void **state)
{
    (void)state;
    const struct sample_machine machines[] = {
        {.gpus = 2, .together = 1},
        {.gpus = 4, .switched = true, .together = 0.6},
        {.gpus = 8, .slow_from = 0, .slow_to = 1, .failed_from = 5, .failed_to = 6, .together = 0.5},
        {.gpus = 16, .switched = true, .slow_from = 2, .slow_to = 3, .together = 0.25},
    };
    for (size_t i = 0; i < RL_COUNT(machines); i++) {
        struct rl_buf words = look(machine(&machines[i]));
        assert_says(&words, "Links between GPUs");
        assert_says(&words, machines[i].slow_to ? "of the median of its kind" : "host to GPU");
        assert_says(&words, machines[i].failed_to ? "ink GPU 5 to GPU 6 was not measured: the copy hung" : "GPU to host");
        assert_says(&words, "Only links were measured");
        assert_says_not(&words, "repeated after warm-up");
        assert_says_not(&words, "error. ¹ not collected"); /* a note that no mark leads to */
        rl_buf_release(&words);
    }
}

static void links_of_which_none_was_measured(void **state)
{
    (void)state;
    struct rl_capture *capture = machine(&(struct sample_machine){.gpus = 3, .together = 1});
    capture->link_run_count = 0;
    for (size_t i = 0; i < capture->link_count; i++) {
        struct rl_link *link = &capture->links[i];
        link->nvlinks = link->pcie_generation = link->pcie_width =
            rl_value_missing(RL_NOT_COLLECTED, "the driver does not report it");
        link->failure = rl_capture_text(capture, "no");
    }
    struct rl_buf words = look(capture);
    assert_says(&words, "GPU 0 to GPU 1 was not measured: no");
    rl_buf_release(&words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_counter_value_is_laid_out),
        cmocka_unit_test(figures_that_are_none_are_stated_gaps),
        cmocka_unit_test(every_reason_for_a_gap_is_said),
        cmocka_unit_test(points_may_be_one_or_all_the_same),
        cmocka_unit_test(times_may_stand_still),
        cmocka_unit_test(ranges_may_be_wide),
        cmocka_unit_test(names_may_be_in_any_script),
        cmocka_unit_test(the_glossary_explains_what_was_printed),
        cmocka_unit_test(the_method_says_whether_clocks_were_locked),
        cmocka_unit_test(the_method_names_card_and_clocks),
        cmocka_unit_test(links_of_machines_of_all_sizes),
        cmocka_unit_test(links_of_which_none_was_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
