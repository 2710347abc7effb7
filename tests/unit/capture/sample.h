/* sample.h - a capture in which everything is filled, and the comparison of two captures field by field. */
#ifndef RL_TEST_CAPTURE_SAMPLE_H
#define RL_TEST_CAPTURE_SAMPLE_H

#include "rl_test.h"

#include <unistd.h>

#include "capture/capture.h"
#include "core/buf.h"
#include "core/mem.h"

/* Names that break programs which put them into shells, SQL, terminals or lines. */
static const char *const hostile_names[] = {
    "'; DROP TABLE kernel; --",
    "\"double\" and `id` and $(touch /tmp/rooflight-was-here) and ${HOME}",
    "line\nbreak\r\nand\ttab \\n \\",
    "\x1b[31mred\x1b[0m \x07\x7f",
    "\xff\xfe not UTF-8 \xc3\x28 \xed\xa0\x80",
    ("\xc2\xb5s \xf0\x9f\x9a\x80 \xe2\x80\xae"
     "desrever"),
    "%s%n%d %1$s",
    "",
    " ",
    "NULL",
};

static inline char *sample_text(struct rl_capture *capture, const char *format, int number)
{
    struct rl_buf text = RL_BUF_INIT;
    for (const char *c = format; *c; c++) {
        if (*c == '#')
            rl_buf_addf(&text, "%d", number);
        else
            rl_buf_addch(&text, *c);
    }
    char *copy = rl_capture_text(capture, text.data);
    rl_buf_release(&text);
    return copy;
}

static inline void sample_session(struct rl_capture *capture)
{
    struct rl_session *session = &capture->session;
    session->started = rl_capture_text(capture, "2026-11-21T10:30:40Z");
    session->tool_version = rl_capture_text(capture, "0.1.0");
    session->source = rl_capture_text(capture, "nvprof");
    session->host = rl_capture_text(capture, "node-17");
    session->os = rl_capture_text(capture, "Linux 6.1");
    session->driver = rl_capture_text(capture, "580.159.04");
    session->cuda_driver = rl_capture_text(capture, "13.0");
    session->cuda_runtime = rl_capture_text(capture, "12.8");
    session->cupti = rl_capture_text(capture, "13.0.1");
    session->counters = rl_capture_text(capture, "collected");
    session->complete = true;
    session->command_count = RL_COUNT(hostile_names);
    session->command = rl_arena_alloc(&capture->arena, session->command_count * sizeof *session->command);
    for (size_t i = 0; i < session->command_count; i++)
        session->command[i] = rl_capture_text(capture, hostile_names[i]);
}

static inline void sample_gpu(struct rl_capture *capture, int number)
{
    struct rl_gpu *gpu = rl_capture_add_gpu(capture);
    gpu->index = 3 - number;
    gpu->name = sample_text(capture, "NVIDIA H20#", number);
    gpu->uuid = sample_text(capture, "GPU-0000-#", number);
    gpu->chip = sample_text(capture, "GH10#", number);
    gpu->cc_major = 9;
    gpu->cc_minor = number;
    for (int i = 0; i < RL_FACT_COUNT; i++)
        gpu->fact[i] = rl_value_of(1000.0 * number + i + 0.5);
    for (int m = 0; m < 2 + number; m++) {
        struct rl_gpu_moment *moment = rl_capture_add_moment(capture, (size_t)number);
        moment->moment = rl_capture_text(capture, m == 0 ? "before" : m == 1 ? "after" : "during");
        moment->at_ns = m * INT64_C(5000000000) - 1;
        for (int i = 0; i < RL_READING_COUNT; i++)
            moment->reading[i] = rl_value_of(m + i / 8.0);
    }
}

/* A number, a number of every state and unit, and texts. */
static inline struct rl_setting *sample_settings(struct rl_capture *capture, int number, size_t *count)
{
    *count = (size_t)number % 4;
    struct rl_setting *settings = rl_arena_alloc(&capture->arena, *count * sizeof *settings);
    for (size_t i = 0; i < *count; i++) {
        settings[i] = (struct rl_setting)RL_NUMBER_SETTING(NULL, NONE, (double)number / 3);
        settings[i].unit = (enum rl_unit)((number + (int)i) % RL_UNIT_COUNT_);
        if (i == 1)
            settings[i] = (struct rl_setting)RL_TEXT_SETTING(NULL, sample_text(capture, "read #", number));
        settings[i].key = sample_text(capture, "key_#", (int)i);
    }
    return settings;
}

static inline void sample_ceilings(struct rl_capture *capture)
{
    for (int i = 0; i < 3; i++) {
        struct rl_ceiling_run *run = rl_capture_add_ceiling(capture);
        run->gpu = (size_t)i % 2;
        run->id = sample_text(capture, "dram_read_#", i);
        run->unit = i ? RL_UNIT_FLOP_PER_SECOND : RL_UNIT_BYTE_PER_SECOND;
        run->configuration = sample_text(capture, "512 MiB, # threads", 128 << i);
        run->settings = sample_settings(capture, i, &run->setting_count);
        run->sm_clock_hz = rl_value_of(1.98e9 + i);
        run->memory_clock_hz = rl_value_of(3.201e9);
        run->throttle_reasons = rl_value_of(4);
        run->sample_count = (size_t)i * 7; /* the first one has none */
        run->samples = run->sample_count ? rl_arena_alloc(&capture->arena, run->sample_count * sizeof *run->samples) : NULL;
        for (size_t s = 0; s < run->sample_count; s++)
            run->samples[s] = 4.1e12 + 1e9 / (double)(s + 3);
    }
}

static inline void sample_claim(struct rl_capture *capture, size_t experiment, int number)
{
    static const char *const relations[] = {"about", "at_least", "at_most"};
    struct rl_claim *claim = rl_capture_add_claim(capture, experiment);
    claim->id = sample_text(capture, "claim_#", number);
    claim->text = sample_text(capture, "Stride # is slower.", number);
    claim->quantity = rl_capture_text(capture, "time_s");
    claim->subject = sample_text(capture, "stride_#", number);
    claim->baseline = number ? rl_capture_text(capture, "stride_1") : NULL;
    claim->relation = rl_capture_text(capture, relations[number % 3]);
    claim->value = number == 2 ? -2.5 : 1167.68e9;
    claim->tolerance = 0.1 * number;
    claim->card = number ? rl_capture_text(capture, "NVIDIA A100-SXM4-40GB") : NULL;
    claim->card_specific = number == 1;
    claim->source = rl_capture_text(capture, "a notebook, section 4");
}

/* Everything that an experiment declares; the first one declares nothing. */
static inline void sample_declarations(struct rl_capture *capture, struct rl_experiment *experiment, int number)
{
    char **texts = rl_arena_alloc(&capture->arena, (size_t)number * sizeof *texts);
    experiment->columns = experiment->references = texts;
    experiment->column_count = experiment->reference_count = experiment->pair_count = (size_t)number;
    experiment->pairs = rl_arena_alloc(&capture->arena, (size_t)number * sizeof *experiment->pairs);
    for (int i = 0; i < number; i++) {
        texts[i] = sample_text(capture, "stride_#", i);
        experiment->pairs[i] = (struct rl_variant_pair){texts[i], sample_text(capture, "mended_#", i)};
    }
    if (number > 0)
        experiment->form = (struct rl_experiment_form){.form = number > 1 ? RL_CHART_FORM_STAGES : RL_CHART_FORM_LINE,
                                                       .axis = rl_capture_text(capture, "key_0"),
                                                       .axis_title = rl_capture_text(capture, "Stride"),
                                                       .axis_unit = RL_UNIT_BYTE,
                                                       .series = number > 1 ? rl_capture_text(capture, "key_1") : NULL,
                                                       .way = number > 1 ? rl_capture_text(capture, "key_2") : NULL};
}

static inline void sample_experiments(struct rl_capture *capture)
{
    for (int i = 0; i < 3; i++) {
        struct rl_experiment *experiment = rl_capture_add_experiment(capture);
        experiment->name = sample_text(capture, "experiment_#", i);
        experiment->topic = rl_capture_text(capture, "memory");
        experiment->question = sample_text(capture, "What does stride # cost?", i);
        experiment->explanation = rl_capture_text(capture, "Look at sectors per request.");
        experiment->source = rl_capture_text(capture, "a notebook");
        sample_declarations(capture, experiment, i);
        for (int c = 0; c < (i == 1 ? 3 : 0); c++)
            sample_claim(capture, (size_t)i, c);
    }
}

/* A variant whose runs are timed as a whole, with a timeline of every kind of event. */
static inline void sample_run(struct rl_capture *capture, struct rl_variant *variant, int number)
{
    variant->measure = rl_capture_text(capture, number % 2 ? "span" : "wall");
    variant->duration_count = (size_t)number;
    variant->duration_ns = rl_arena_alloc(&capture->arena, variant->duration_count * sizeof *variant->duration_ns);
    variant->event_count = RL_EVENT_SET + 1;
    variant->events = rl_arena_alloc(&capture->arena, variant->event_count * sizeof *variant->events);
    for (int i = 0; i < number; i++)
        variant->duration_ns[i] = (uint64_t)(1000 * number + i);
    for (int i = 0; i <= RL_EVENT_SET; i++)
        variant->events[i] =
            (struct rl_event){(enum rl_event_kind)i, (uint32_t)(7 * i), 10 * i, 10 * i + number, (uint64_t)i << 40};
}

/* One variant for every status, result and presence of texts. */
static inline void sample_variants(struct rl_capture *capture)
{
    for (int i = 0; i < 9; i++) {
        struct rl_variant *variant = rl_capture_add_variant(capture);
        variant->experiment = (size_t)i / 3;
        variant->gpu = (size_t)i % 2;
        variant->name = sample_text(capture, "stride_#", i);
        variant->description = sample_text(capture, "every #th element", i);
        variant->status = (enum rl_variant_status)(i % 3);
        variant->reason = i % 3 ? sample_text(capture, "needs compute capability #.0", i) : NULL;
        variant->result = (enum rl_result)(i / 3);
        variant->result_text = i / 3 ? rl_capture_text(capture, "largest error 1.2e-7") : NULL;
        if (i / 3)
            variant->deviation = (struct rl_deviation){
                (enum rl_deviation_kind)(i / 3), 1.2e-7 * i,
                rl_value_of(1e-6 * i),           i % 2 ? rl_value_of(i) : rl_value_missing(RL_UNDEFINED, "no element is off"),
                UINT64_C(1) << (i * 7),          (uint64_t)i};
        variant->settings = sample_settings(capture, i, &variant->setting_count);
        variant->size = UINT64_C(1) << (i * 7);
        variant->size_unit = rl_capture_text(capture, "elements");
        variant->model_flop = rl_value_of(2.0 * i);
        variant->model_bytes = rl_value_of(1e300);
        variant->useful_bytes = rl_value_of(0);
        variant->operations = i % 2 ? rl_value_of(1000) : rl_value_missing(RL_NOT_COLLECTED, NULL);
        if (i % 3)
            sample_run(capture, variant, i);
    }
}

static inline void sample_passes(struct rl_capture *capture)
{
    static const char *const modes[] = {"user replay", "rotate", "imported"};
    static const char *const caches[] = {"warm", "flushed", "unknown"};
    for (int i = 0; i < 3; i++) {
        struct rl_pass *pass = rl_capture_add_pass(capture);
        pass->gpu = i == 2;
        pass->configuration = rl_capture_text(capture, i == 1 ? "sass" : "hardware");
        pass->mode = rl_capture_text(capture, modes[i]);
        pass->cache = rl_capture_text(capture, caches[i]);
    }
}

/* A present value, and one for each state with the usual and with a reason of its own. */
static inline struct rl_value sample_value(struct rl_capture *capture, int number)
{
    int state = number % (2 * RL_STATE_COUNT) / 2;
    if (state == RL_PRESENT)
        return rl_value_of(number % 2 ? 1.0 / 3.0 : number);
    return rl_value_missing((enum rl_state)state, number % 2 ? sample_text(capture, "pass # failed", number) : NULL);
}

static inline void sample_counters(struct rl_capture *capture, size_t kernel)
{
    for (int i = 0; i < 3 * RL_STATE_COUNT; i++) {
        struct rl_counter *counter = rl_capture_add_counter(capture, kernel);
        counter->kind = (enum rl_counter_kind)(i % 3);
        counter->name = sample_text(capture, "dram__bytes_#.sum", i / 2); /* the same name in different kinds */
        counter->value = i == 1 ? rl_value_of(-1e-300) : sample_value(capture, i);
        counter->pass = i % 4 == 0 ? RL_NONE : kernel % 2 ? 2 : (size_t)i % 2;
    }
}

static inline void sample_kernel(struct rl_capture *capture, int number)
{
    struct rl_kernel *kernel = rl_capture_add_kernel(capture);
    kernel->gpu = (size_t)number % 2;
    kernel->variant = number < 4 ? (size_t)number : RL_NONE;
    kernel->name = rl_capture_text(capture, hostile_names[number % (int)RL_COUNT(hostile_names)]);
    kernel->mangled = number % 2 ? sample_text(capture, "_Z#kernelPf", number) : NULL;
    for (unsigned i = 0; i < 3; i++) {
        kernel->grid[i] = UINT32_MAX - i * (unsigned)number;
        kernel->block[i] = i + (unsigned)number;
    }
    kernel->dynamic_shared_bytes = (UINT64_C(1) << 62) - 1;
    kernel->static_shared_bytes = sample_value(capture, 2 + number);
    kernel->registers_per_thread = rl_value_of(16 + number);
    kernel->local_bytes_per_thread = sample_value(capture, 4 + number);
    kernel->launches = (uint64_t)number;
    kernel->launches_per_run = (uint64_t)number * 3;
    kernel->total_ns = number == 5 ? 0 : 1234567890123 + (uint64_t)number;
    kernel->timing = number == 5 ? NULL : rl_capture_text(capture, "activity");
    kernel->duration_count = number == 5 ? 0 : (size_t)number * 10;
    if (kernel->duration_count)
        kernel->duration_ns = rl_arena_alloc(&capture->arena, kernel->duration_count * sizeof *kernel->duration_ns);
    for (size_t i = 0; i < kernel->duration_count; i++)
        kernel->duration_ns[i] = i == 0 ? 0 : i == 1 ? (UINT64_C(1) << 62) - 1 : 9144000 + i * 37 % 11;
    kernel->nvtx = number % 3 ? sample_text(capture, "coalescing/stride_#", number) : NULL;
    if (number != 1)
        sample_counters(capture, (size_t)number);
}

/* Everything filled. Free with rl_capture_free. */
static inline struct rl_capture *sample_capture(void)
{
    struct rl_capture *capture = rl_capture_new();
    sample_session(capture);
    for (int i = 0; i < 2; i++)
        sample_gpu(capture, i);
    sample_ceilings(capture);
    sample_experiments(capture);
    sample_variants(capture);
    sample_passes(capture);
    for (int i = 0; i < 12; i++)
        sample_kernel(capture, i);
    rl_capture_log(capture, -3, RL_LOG_NOTE, "clocks read %d times", 2);
    rl_capture_log(capture, 0, RL_LOG_WARNING, "the SM clock changed by %s", "4 %");
    rl_capture_log(capture, INT64_C(1) << 40, RL_LOG_ERROR, "%s", hostile_names[4]);
    return capture;
}

/* What version 5 brought: a sample without it, as it would stand in an older file. */
static inline void sample_forget_facts(struct rl_capture *capture)
{
    for (size_t i = 0; i < capture->ceiling_count; i++)
        capture->ceilings[i].setting_count = 0;
    for (size_t i = 0; i < capture->variant_count; i++) {
        capture->variants[i].setting_count = 0;
        capture->variants[i].deviation = (struct rl_deviation){.tolerance = rl_value_missing(RL_NOT_COLLECTED, NULL),
                                                               .element = rl_value_missing(RL_NOT_COLLECTED, NULL)};
    }
    for (size_t i = 0; i < capture->experiment_count; i++) {
        struct rl_experiment *experiment = &capture->experiments[i];
        experiment->form = (struct rl_experiment_form){.form = RL_CHART_FORM_BARS};
        experiment->column_count = experiment->pair_count = experiment->reference_count = 0;
    }
}

/* ---- comparison ---- */

static inline void assert_same_text(const char *a, const char *b)
{
    if (!a || !b)
        assert_true(a == b);
    else
        assert_string_equal(a, b);
}

static inline void assert_same_value(struct rl_value a, struct rl_value b)
{
    assert_int_equal(a.state, b.state);
    assert_string_equal(a.reason, b.reason);
    if (rl_present(a))
        assert_true(a.v == b.v);
}

static inline void assert_same_values(const struct rl_value *a, const struct rl_value *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_same_value(a[i], b[i]);
}

static inline void assert_same_session(const struct rl_session *a, const struct rl_session *b)
{
    assert_same_text(a->started, b->started);
    assert_same_text(a->tool_version, b->tool_version);
    assert_same_text(a->source, b->source);
    assert_same_text(a->host, b->host);
    assert_same_text(a->os, b->os);
    assert_same_text(a->driver, b->driver);
    assert_same_text(a->cuda_driver, b->cuda_driver);
    assert_same_text(a->cuda_runtime, b->cuda_runtime);
    assert_same_text(a->cupti, b->cupti);
    assert_same_text(a->counters, b->counters);
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->command_count, b->command_count);
    for (size_t i = 0; i < a->command_count; i++)
        assert_same_text(a->command[i], b->command[i]);
}

static inline void assert_same_gpu(const struct rl_gpu *a, const struct rl_gpu *b)
{
    assert_int_equal(a->index, b->index);
    assert_same_text(a->name, b->name);
    assert_same_text(a->uuid, b->uuid);
    assert_same_text(a->chip, b->chip);
    assert_int_equal(a->cc_major, b->cc_major);
    assert_int_equal(a->cc_minor, b->cc_minor);
    assert_same_values(a->fact, b->fact, RL_FACT_COUNT);
    assert_int_equal(a->moment_count, b->moment_count);
    for (size_t i = 0; i < a->moment_count; i++) {
        assert_same_text(a->moments[i].moment, b->moments[i].moment);
        assert_true(a->moments[i].at_ns == b->moments[i].at_ns);
        assert_same_values(a->moments[i].reading, b->moments[i].reading, RL_READING_COUNT);
    }
}

static inline void assert_same_settings(const struct rl_setting *a, size_t a_count, const struct rl_setting *b, size_t b_count)
{
    assert_int_equal(a_count, b_count);
    for (size_t i = 0; i < a_count; i++) {
        assert_same_text(a[i].key, b[i].key);
        assert_int_equal(a[i].unit, b[i].unit);
        assert_same_value(a[i].number, b[i].number);
        assert_same_text(a[i].text, b[i].text);
    }
}

static inline void assert_same_deviation(const struct rl_deviation *a, const struct rl_deviation *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_true(a->largest == b->largest && a->compared == b->compared && a->wrong == b->wrong);
    assert_same_value(a->tolerance, b->tolerance);
    assert_same_value(a->element, b->element);
}

static inline void assert_same_ceiling(const struct rl_ceiling_run *a, const struct rl_ceiling_run *b)
{
    assert_int_equal(a->gpu, b->gpu);
    assert_same_text(a->id, b->id);
    assert_int_equal(a->unit, b->unit);
    assert_same_text(a->configuration, b->configuration);
    assert_same_settings(a->settings, a->setting_count, b->settings, b->setting_count);
    assert_same_value(a->sm_clock_hz, b->sm_clock_hz);
    assert_same_value(a->memory_clock_hz, b->memory_clock_hz);
    assert_same_value(a->throttle_reasons, b->throttle_reasons);
    assert_int_equal(a->sample_count, b->sample_count);
    for (size_t i = 0; i < a->sample_count; i++)
        assert_true(a->samples[i] == b->samples[i]);
}

static inline void assert_same_declarations(const struct rl_experiment *a, const struct rl_experiment *b)
{
    assert_int_equal(a->form.form, b->form.form);
    assert_int_equal(a->form.axis_unit, b->form.axis_unit);
    assert_same_text(a->form.axis, b->form.axis);
    assert_same_text(a->form.axis_title, b->form.axis_title);
    assert_same_text(a->form.series, b->form.series);
    assert_same_text(a->form.way, b->form.way);
    assert_int_equal(a->column_count, b->column_count);
    for (size_t i = 0; i < a->column_count; i++)
        assert_same_text(a->columns[i], b->columns[i]);
    assert_int_equal(a->reference_count, b->reference_count);
    for (size_t i = 0; i < a->reference_count; i++)
        assert_same_text(a->references[i], b->references[i]);
    assert_int_equal(a->pair_count, b->pair_count);
    for (size_t i = 0; i < a->pair_count; i++) {
        assert_same_text(a->pairs[i].broken, b->pairs[i].broken);
        assert_same_text(a->pairs[i].mended, b->pairs[i].mended);
    }
}

static inline void assert_same_experiment(const struct rl_experiment *a, const struct rl_experiment *b)
{
    assert_same_text(a->name, b->name);
    assert_same_text(a->topic, b->topic);
    assert_same_text(a->question, b->question);
    assert_same_text(a->explanation, b->explanation);
    assert_same_text(a->source, b->source);
    assert_same_declarations(a, b);
    assert_int_equal(a->claim_count, b->claim_count);
    for (size_t i = 0; i < a->claim_count; i++) {
        const struct rl_claim *x = &a->claims[i], *y = &b->claims[i];
        assert_same_text(x->id, y->id);
        assert_same_text(x->text, y->text);
        assert_same_text(x->quantity, y->quantity);
        assert_same_text(x->subject, y->subject);
        assert_same_text(x->baseline, y->baseline);
        assert_same_text(x->relation, y->relation);
        assert_true(x->value == y->value && x->tolerance == y->tolerance);
        assert_same_text(x->card, y->card);
        assert_int_equal(x->card_specific, y->card_specific);
        assert_same_text(x->source, y->source);
    }
}

static inline void assert_same_variant(const struct rl_variant *a, const struct rl_variant *b)
{
    assert_int_equal(a->experiment, b->experiment);
    assert_int_equal(a->gpu, b->gpu);
    assert_same_text(a->name, b->name);
    assert_same_text(a->description, b->description);
    assert_int_equal(a->status, b->status);
    assert_same_text(a->reason, b->reason);
    assert_int_equal(a->result, b->result);
    assert_same_text(a->result_text, b->result_text);
    assert_same_deviation(&a->deviation, &b->deviation);
    assert_same_settings(a->settings, a->setting_count, b->settings, b->setting_count);
    assert_true(a->size == b->size);
    assert_same_text(a->size_unit, b->size_unit);
    assert_same_value(a->model_flop, b->model_flop);
    assert_same_value(a->model_bytes, b->model_bytes);
    assert_same_value(a->useful_bytes, b->useful_bytes);
    assert_same_value(a->operations, b->operations);
    assert_same_text(a->measure, b->measure);
    assert_int_equal(a->duration_count, b->duration_count);
    for (size_t i = 0; i < a->duration_count; i++)
        assert_true(a->duration_ns[i] == b->duration_ns[i]);
    assert_int_equal(a->event_count, b->event_count);
    for (size_t i = 0; i < a->event_count; i++) {
        const struct rl_event *x = &a->events[i], *y = &b->events[i];
        assert_true(x->kind == y->kind && x->stream == y->stream && x->bytes == y->bytes);
        assert_true(x->start_ns == y->start_ns && x->end_ns == y->end_ns);
    }
}

static inline void assert_same_counters(const struct rl_kernel *a, const struct rl_kernel *b)
{
    assert_int_equal(a->counter_count, b->counter_count);
    for (size_t i = 0; i < a->counter_count; i++) {
        assert_int_equal(a->counters[i].kind, b->counters[i].kind);
        assert_same_text(a->counters[i].name, b->counters[i].name);
        assert_same_value(a->counters[i].value, b->counters[i].value);
        assert_true(a->counters[i].pass == b->counters[i].pass);
    }
}

static inline void assert_same_kernel(const struct rl_kernel *a, const struct rl_kernel *b)
{
    assert_int_equal(a->gpu, b->gpu);
    assert_true(a->variant == b->variant);
    assert_same_text(a->name, b->name);
    assert_same_text(a->mangled, b->mangled);
    assert_memory_equal(a->grid, b->grid, sizeof a->grid);
    assert_memory_equal(a->block, b->block, sizeof a->block);
    assert_true(a->dynamic_shared_bytes == b->dynamic_shared_bytes);
    assert_same_value(a->static_shared_bytes, b->static_shared_bytes);
    assert_same_value(a->registers_per_thread, b->registers_per_thread);
    assert_same_value(a->local_bytes_per_thread, b->local_bytes_per_thread);
    assert_true(a->launches == b->launches && a->total_ns == b->total_ns);
    assert_true(a->launches_per_run == b->launches_per_run);
    assert_same_text(a->timing, b->timing);
    assert_int_equal(a->duration_count, b->duration_count);
    for (size_t i = 0; i < a->duration_count; i++)
        assert_true(a->duration_ns[i] == b->duration_ns[i]);
    assert_same_text(a->nvtx, b->nvtx);
    assert_same_counters(a, b);
}

/* Everything but the hash. */
static inline void assert_same_capture(const struct rl_capture *a, const struct rl_capture *b)
{
    assert_same_session(&a->session, &b->session);
    assert_int_equal(a->gpu_count, b->gpu_count);
    for (size_t i = 0; i < a->gpu_count; i++)
        assert_same_gpu(&a->gpus[i], &b->gpus[i]);
    assert_int_equal(a->ceiling_count, b->ceiling_count);
    for (size_t i = 0; i < a->ceiling_count; i++)
        assert_same_ceiling(&a->ceilings[i], &b->ceilings[i]);
    assert_int_equal(a->experiment_count, b->experiment_count);
    for (size_t i = 0; i < a->experiment_count; i++)
        assert_same_experiment(&a->experiments[i], &b->experiments[i]);
    assert_int_equal(a->variant_count, b->variant_count);
    for (size_t i = 0; i < a->variant_count; i++)
        assert_same_variant(&a->variants[i], &b->variants[i]);
    assert_int_equal(a->pass_count, b->pass_count);
    for (size_t i = 0; i < a->pass_count; i++) {
        assert_int_equal(a->passes[i].gpu, b->passes[i].gpu);
        assert_same_text(a->passes[i].configuration, b->passes[i].configuration);
        assert_same_text(a->passes[i].mode, b->passes[i].mode);
        assert_same_text(a->passes[i].cache, b->passes[i].cache);
    }
    assert_int_equal(a->kernel_count, b->kernel_count);
    for (size_t i = 0; i < a->kernel_count; i++)
        assert_same_kernel(&a->kernels[i], &b->kernels[i]);
    assert_int_equal(a->log_count, b->log_count);
    for (size_t i = 0; i < a->log_count; i++) {
        assert_true(a->log[i].at_ns == b->log[i].at_ns);
        assert_int_equal(a->log[i].level, b->log[i].level);
        assert_same_text(a->log[i].text, b->log[i].text);
    }
}

/* ---- bytes ---- */

/* The capture as a file's bytes; release with rl_buf_release. */
static inline struct rl_buf bytes_of(const struct rl_capture *capture)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_buf bytes = RL_BUF_INIT;
    if (rl_capture_write_bytes(capture, &bytes, &err) != RL_OK)
        fail_msg("%s", err.text);
    return bytes;
}

/* The capture that the bytes hold; they must be good. */
static inline struct rl_capture *capture_of(const struct rl_buf *bytes)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = NULL;
    if (rl_capture_read_bytes(bytes->data, bytes->len, "test", &capture, &err) != RL_OK)
        fail_msg("%s", err.text);
    return capture;
}

/* Reading the bytes fails with `status` and a line that has `part` in it. */
static inline void assert_refused(const void *bytes, size_t len, enum rl_status status, const char *part)
{
    struct rl_err err = RL_ERR_INIT;
    struct rl_capture *capture = (struct rl_capture *)&err;
    enum rl_status got = rl_capture_read_bytes(bytes, len, "some file", &capture, &err);
    if (got != status || capture || !strstr(err.text, part) || strncmp(err.text, "'some file': ", 13) != 0)
        fail_msg("status %d (wanted %d): %s (wanted: %s)", got, status, err.text, part);
    assert_null(strchr(err.text, '\n'));
}

#endif
