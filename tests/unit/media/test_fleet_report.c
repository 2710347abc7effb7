/* The document about a fleet: sound, the same at every run, with fleets of every kind and names of any bytes. */
#include "analysis/fleet.h"
#include "core/mem.h"
#include "fixtures/fleet_model.h"
#include "media/report.h"
#include "pdf_tools.h"

struct kind {
    size_t gpus, measures;
    bool hostile;
    size_t slow; /* GPU; none when it is not there */
};

static const char *text_of(struct rl_fleet_record *record, bool hostile, const char *word, size_t number)
{
    const char *made = rl_arena_printf(&record->arena, "%s%zu", word, number);
    return hostile ? rl_arena_printf(&record->arena, "\xff\x1b[31m(\\)'`\n%s\xe2\x80", made) : made;
}

/* Measures of all parts in turn, ceilings and times. */
static void add_measures(struct rl_fleet_record *record, const struct kind *kind, size_t gpu)
{
    struct model_gpu model = model_gpu_of(7, gpu, 0, 1);
    model.slow[RL_PART_dram] += gpu == kind->slow ? 0.2 : 0;
    record->keys = rl_calloc(kind->measures + 1, sizeof *record->keys);
    record->measures = rl_calloc(kind->measures + 1, sizeof *record->measures);
    for (size_t i = 0; i < kind->measures; i++) {
        enum rl_fleet_part part = (enum rl_fleet_part)(i % RL_PART_COUNT);
        bool ceiling = i % 3 == 0;
        const char *name = rl_arena_printf(&record->key_arena, "%smeasure %zu", kind->hostile ? "\x01\xff(" : "", i);
        double slower = model_slower(&model, 7, gpu, i, part);
        record->keys[i] = (struct rl_fleet_key){name, name, ceiling, ceiling ? RL_UNIT_BYTE_PER_SECOND : RL_UNIT_SECOND, part};
        record->measures[i] = (struct rl_fleet_measure){(uint32_t)i, (uint16_t)i, (uint16_t)part, 0,
                                                        ceiling ? 1e12 * exp(-slower) : 1e-3 * exp(slower)};
    }
    record->measure_count = kind->measures;
}

static struct rl_fleet_record *make_record(const struct kind *kind, size_t gpu)
{
    struct rl_fleet_record *record = rl_calloc(1, sizeof *record);
    record->path = text_of(record, kind->hostile, "caps/gpu", gpu);
    record->host = record->node = text_of(record, kind->hostile, "r1n", gpu / 8);
    record->rack = text_of(record, kind->hostile, "r", gpu / 64);
    record->uuid = text_of(record, kind->hostile, "GPU-", gpu);
    record->links = record->peer_uuid = "";
    record->card = text_of(record, kind->hostile, "GPU ", 1);
    record->driver = text_of(record, kind->hostile, "", gpu % 2);
    record->tool_version = "1.0";
    record->started = "2026-01-01T00:00:00Z";
    record->source = "collect";
    record->gpu = (int)(gpu % 8);
    record->complete = gpu % 5 != 0;
    record->group = record->of = RL_NONE;
    for (int i = 0; i < RL_FLEET_EVIDENCE_COUNT; i++)
        record->evidence[i] = i % 2 ? rl_value_of(gpu == kind->slow ? 0.1 : 1) : rl_value_missing(RL_NOT_COLLECTED, NULL);
    add_measures(record, kind, gpu);
    return record;
}

static void make(const struct kind *kind, struct rl_buf *pdf)
{
    struct rl_fleet_options rules = {0};
    struct rl_report_options options = {.tool_version = "0.0-test"};
    struct rl_fleet *fleet = rl_fleet_new(&rules);
    struct rl_err err = RL_ERR_INIT;
    for (size_t i = 0; i < kind->gpus; i++)
        rl_fleet_add(fleet, make_record(kind, i));
    rl_fleet_add_unread(fleet, "broken.rlcap", kind->hostile ? "\xff\x02 no capture" : "no capture");
    rl_fleet_finish(fleet);
    if (rl_fleet_report_make(fleet, &options, pdf, &err) != RL_OK)
        fail_msg("%s", err.text);
    rl_fleet_free(fleet);
}

static void fleets_of_every_kind(void **state)
{
    (void)state;
    static const struct kind kinds[] = {{1, 3, false, 9}, {3, 1, false, 0}, {8, 40, true, 3}, {100, 400, false, 17}};
    for (size_t i = 0; i < RL_COUNT(kinds); i++) {
        struct rl_buf once = RL_BUF_INIT, again = RL_BUF_INIT;
        make(&kinds[i], &once);
        make(&kinds[i], &again);
        assert_pdf_sound(&once);
        assert_int_equal(once.len, again.len);
        assert_memory_equal(once.data, again.data, once.len);
        rl_buf_release(&once);
        rl_buf_release(&again);
    }
}

static void the_slow_gpu_is_on_the_first_page(void **state)
{
    (void)state;
    const struct kind kind = {48, 30, false, 17};
    struct rl_buf pdf = RL_BUF_INIT, text = RL_BUF_INIT;
    make(&kind, &pdf);
    if (pdf_text(&pdf, &text)) {
        char *page_end = strchr(text.data, '\f');
        assert_non_null(page_end);
        assert_non_null(strstr(text.data, "broken.rlcap"));
        assert_non_null(strstr(text.data, "1 GPU differs"));
        assert_non_null(strstr(text.data, "incomplete: 30 figures from 0 variants"));
        *page_end = 0;
        assert_non_null(strstr(text.data, "1 of 48 GPUs is slower"));
        assert_non_null(strstr(text.data, "r1n2 GPU 1"));
        assert_non_null(strstr(text.data, "18 %")); /* exp(-0.2): 18 % less */
    }
    rl_buf_release(&pdf);
    rl_buf_release(&text);
}

/* However many ceilings there are, up to those of one chart and beyond. */
static void no_heading_stands_alone(void **state)
{
    (void)state;
    for (size_t ceilings = 40; ceilings <= 64; ceilings += 4) {
        const struct kind kind = {8, 3 * ceilings, false, 3};
        struct rl_buf pdf = RL_BUF_INIT, text = RL_BUF_INIT;
        make(&kind, &pdf);
        if (pdf_text(&pdf, &text)) {
            char *heading = strstr(text.data, "\nRoofs\n"), *page_end = heading ? strchr(heading, '\f') : NULL;
            assert_non_null(page_end);
            *page_end = 0;
            assert_non_null(strstr(heading, "measure "));
        }
        rl_buf_release(&pdf);
        rl_buf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fleets_of_every_kind),
        cmocka_unit_test(the_slow_gpu_is_on_the_first_page),
        cmocka_unit_test(no_heading_stands_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
