/* What is worked out of copies between GPUs, with answers by hand. */
#include "rl_test.h"

#include "analysis/analysis.h"
#include "analysis/links.h"
#include "core/mem.h"
#include "fixtures/links.h"

static struct rl_capture *machine(const struct sample_machine *of)
{
    struct rl_capture *capture = rl_capture_new();
    sample_machine_links(capture, of);
    return capture;
}

static void assert_near(double a, double b, double relative)
{
    if (fabs(a - b) > relative * fabs(b))
        fail_msg("%.17g is not %.17g", a, b);
}

static size_t found(const struct rl_links *links, enum rl_link_rule rule)
{
    size_t count = 0;
    for (size_t i = 0; i < links->finding_count; i++)
        count += links->findings[i].rule == rule;
    return count;
}

static const char *text_of(const struct rl_links *links, enum rl_link_rule rule)
{
    for (size_t i = 0; i < links->finding_count; i++)
        if (links->findings[i].rule == rule)
            return links->findings[i].text;
    return "";
}

static void links_carry_what_their_makers_say(void **state)
{
    (void)state;
    struct rl_value none = rl_value_missing(RL_NOT_COLLECTED, "the driver does not report it");
    const struct {
        double version, wire, rate;
    } rows[] = {{1, 0, 20e9},        {2.2, 0, 25e9},     {3, 0, 25e9}, {4, 26.562e9, 25e9},
                {5, 53.125e9, 50e9}, {5, 26.562e9, 25e9} /* a driver that tells a later version than the card has */};
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        assert_near(rl_nvlink_bytes_per_second(rl_value_of(rows[i].version), rows[i].wire > 0 ? rl_value_of(rows[i].wire) : none).v,
                    rows[i].rate, 1e-12);
    assert_false(rl_present(rl_nvlink_bytes_per_second(rl_value_of(9), none)));
    assert_false(rl_present(rl_nvlink_bytes_per_second(none, none)));
    assert_near(rl_pcie_bytes_per_second(rl_value_of(1), rl_value_of(16)).v, 4e9, 1e-12);
    assert_near(rl_pcie_bytes_per_second(rl_value_of(4), rl_value_of(16)).v, 31.5077e9, 1e-5);
    assert_near(rl_pcie_bytes_per_second(rl_value_of(5), rl_value_of(8)).v, 31.5077e9, 1e-5);
    assert_false(rl_present(rl_pcie_bytes_per_second(rl_value_of(7), rl_value_of(16))));
    assert_false(rl_present(rl_pcie_bytes_per_second(none, rl_value_of(16))));
}

/* A healthy machine: 256 MiB at 390 GB/s after 2.5 us are 388.6 GB/s; nothing is found. */
static void rates_latencies_and_kinds_by_hand(void **state)
{
    (void)state;
    struct rl_capture *capture = machine(&(struct sample_machine){.gpus = 4, .switched = true, .together = 1});
    struct rl_links *links = rl_links_new(capture);
    double rate = (256 << 20) / (2.5e-6 + (256 << 20) / SAMPLE_NVLINK);
    const struct rl_link_result *first = &links->links[rl_links_find(links, 0, 1)];
    assert_int_equal(links->kind_count, 3);
    assert_string_equal(links->kinds[0].label, "18 x NVLink 4.0, switched");
    assert_int_equal(links->kinds[0].count, 12);
    assert_int_equal(links->kinds[0].measured, 12);
    assert_near(first->rate.median, rate, 1e-4);
    assert_int_equal(first->rate_bytes, 256 << 20);
    assert_near(first->theory.v, 450e9, 1e-12);
    assert_near(first->share.v, rate / 450e9, 1e-4);
    assert_near(first->latency.median, 2.5e-6, 1e-3);
    assert_near(first->both.median, 2 * (256 << 20) / (2.5e-6 + (256 << 20) / (0.97 * SAMPLE_NVLINK)), 1e-4);
    assert_int_equal(links->links[rl_links_find(links, 1, 0)].both.n, 0);
    assert_near(first->of_kind.v, 1, 1e-4);
    assert_near(links->kinds[1].median.v, (64 << 20) / (1.5e-6 + (64 << 20) / SAMPLE_HOST), 1e-4);
    assert_near(links->from_host.share.v, 1, 0.01);
    assert_int_equal(links->finding_count, 0);
    rl_links_free(links);
    rl_capture_free(capture);
}

static void a_slow_and_a_missing_link_are_found(void **state)
{
    (void)state;
    struct rl_capture *capture = machine(&(struct sample_machine){
        .gpus = 8, .switched = true, .slow_from = 2, .slow_to = 3, .failed_from = 6, .failed_to = 1, .together = 0.5});
    struct rl_links *links = rl_links_new(capture);
    assert_int_equal(found(links, RL_LINK_RULE_slow_link), 1);
    assert_string_equal(text_of(links, RL_LINK_RULE_slow_link),
                        "link GPU 2 to GPU 3 reaches 61.1\u00a0% of the median of its kind: 237\u00a0GB/s, where 389\u00a0GB/s is "
                        "usual (18 x NVLink 4.0, switched)");
    assert_int_equal(found(links, RL_LINK_RULE_uneven_pair), 0); /* the same link, said once */
    assert_string_equal(text_of(links, RL_LINK_RULE_failed), "link GPU 6 to GPU 1 was not measured: the copy hung");
    assert_int_equal(found(links, RL_LINK_RULE_shared_host), 2);
    assert_string_equal(text_of(links, RL_LINK_RULE_shared_host), "from the host to all GPUs at once 219\u00a0GB/s, 49.9\u00a0% of "
                                                                  "the sum of each alone (439\u00a0GB/s): they share a part of "
                                                                  "the route");
    assert_near(links->to_host.share.v, 0.5, 0.01);
    assert_int_equal(links->kinds[0].measured, 55);
    assert_int_equal(links->kinds[0].slowest, rl_links_find(links, 2, 3));
    rl_links_free(links);
    rl_capture_free(capture);
}

/* Just under and just over nine tenths of the others. */
static void the_threshold_has_two_sides(void **state)
{
    (void)state;
    for (int side = 0; side < 2; side++) {
        struct rl_capture *capture = machine(&(struct sample_machine){.gpus = 4, .switched = true, .together = 1});
        struct rl_links *before = rl_links_new(capture);
        size_t link = rl_links_find(before, 0, 3);
        rl_links_free(before);
        for (size_t i = 0; i < capture->link_run_count; i++)
            for (size_t k = 0; k < capture->link_runs[i].duration_count && capture->link_runs[i].link == link; k++)
                capture->link_runs[i].duration_ns[k] =
                    (uint64_t)((double)capture->link_runs[i].duration_ns[k] / (side ? 0.905 : 0.895));
        struct rl_links *links = rl_links_new(capture);
        assert_int_equal(found(links, RL_LINK_RULE_slow_link), side ? 0 : 1);
        rl_links_free(links);
        rl_capture_free(capture);
    }
}

/* Two GPUs make one link of each kind and direction: nothing to compare with but the way back. */
static void two_gpus_are_no_crowd(void **state)
{
    (void)state;
    struct rl_capture *capture =
        machine(&(struct sample_machine){.gpus = 2, .switched = true, .slow_from = 0, .slow_to = 1, .together = 1});
    struct rl_links *links = rl_links_new(capture);
    assert_int_equal(found(links, RL_LINK_RULE_slow_link), 0);
    assert_int_equal(found(links, RL_LINK_RULE_uneven_pair), 1);
    assert_string_equal(text_of(links, RL_LINK_RULE_uneven_pair),
                        "GPU 0 to GPU 1 carries 61.1\u00a0% of the other direction: 237\u00a0GB/s against 389\u00a0GB/s");
    rl_links_free(links);
    rl_capture_free(capture);
}

static void gpus_without_access_are_told_once(void **state)
{
    (void)state;
    struct rl_capture *capture = machine(&(struct sample_machine){.gpus = 4, .together = 1});
    capture->gpus[1].fact[RL_FACT_pcie_width] = rl_value_of(8);
    struct rl_links *links = rl_links_new(capture);
    assert_int_equal(found(links, RL_LINK_RULE_no_access), 1);
    assert_string_equal(text_of(links, RL_LINK_RULE_no_access),
                        "GPU 0 to GPU 2 and 7 more: no direct access (the chipset does not support it); copies go through the "
                        "host's memory");
    assert_int_equal(links->kind_count, 4);
    assert_string_equal(links->kinds[0].label, "PCIe 4 x16 (PXB)");
    assert_string_equal(links->kinds[1].label, "through the host (SYS)");
    assert_int_equal(found(links, RL_LINK_RULE_below_theory), 0); /* what is staged has no theory of its own */
    assert_string_equal(text_of(links, RL_LINK_RULE_narrow_pcie), "GPU 1 runs PCIe 5 x8 under load, its ends can do PCIe 5 x16");
    rl_links_free(links);
    rl_capture_free(capture);
}

static void far_from_theory_is_said(void **state)
{
    (void)state;
    struct rl_capture *capture = machine(&(struct sample_machine){.gpus = 3, .switched = true, .together = 1});
    for (size_t i = 0; i < capture->link_count; i++)
        if (rl_present(capture->links[i].nvlinks))
            capture->links[i].nvlinks = rl_value_of(36); /* 900 GB/s: 388.6 are 43 % */
    struct rl_links *links = rl_links_new(capture);
    assert_int_equal(found(links, RL_LINK_RULE_below_theory), 1);
    assert_int_equal(found(links, RL_LINK_RULE_above_theory), 0);
    rl_links_free(links);
    for (size_t i = 0; i < capture->link_count; i++)
        if (rl_present(capture->links[i].nvlinks))
            capture->links[i].nvlinks = rl_value_of(12); /* 300 GB/s: a machine that hides a third of them */
    links = rl_links_new(capture);
    assert_int_equal(found(links, RL_LINK_RULE_below_theory), 0);
    assert_int_equal(found(links, RL_LINK_RULE_above_theory), 1);
    rl_links_free(links);
    rl_capture_free(capture);
}

/* The figures of a kind are medians over its links, and it knows its slowest and its fastest. */
static void kinds_by_hand(void **state)
{
    (void)state;
    struct rl_capture *capture = machine(&(struct sample_machine){.gpus = 3, .switched = true, .together = 1});
    static const struct {
        size_t from, to;
        double slower;
    } rows[] = {{0, 1, 1.02}, {0, 2, 0.98}, {1, 0, 1.03}, {1, 2, 1.01}, {2, 0, 1.04}, {2, 1, 0.99}};
    struct rl_links *links = rl_links_new(capture);
    const double usual = links->kinds[0].median.v, latency = links->kinds[0].latency.v;
    for (size_t row = 0; row < RL_COUNT(rows); row++)
        for (size_t i = 0; i < capture->link_run_count; i++) {
            struct rl_link_run *run = &capture->link_runs[i];
            if (run->link != rl_links_find(links, rows[row].from, rows[row].to) || strcmp(run->traffic, "alone") != 0)
                continue;
            for (size_t k = 0; k < run->duration_count; k++)
                run->duration_ns[k] = (uint64_t)llround((double)run->duration_ns[k] * rows[row].slower);
        }
    rl_links_free(links);
    links = rl_links_new(capture);
    const struct rl_link_kind *kind = &links->kinds[0];
    assert_int_equal(kind->count, 6);
    assert_int_equal(kind->slowest, rl_links_find(links, 2, 0));
    assert_int_equal(kind->fastest, rl_links_find(links, 0, 2));
    assert_near(kind->median.v, usual * (1 / 1.01 + 1 / 1.02) / 2, 1e-3);
    assert_near(kind->latency.v, latency * (1.01 + 1.02) / 2, 2e-3);
    assert_near(links->links[kind->fastest].of_kind.v, links->links[kind->fastest].rate.median / kind->median.v, 1e-9);
    assert_near(kind->share.v, kind->median.v / kind->theory.v, 1e-9);
    assert_true(rl_present(kind->both));
    rl_links_free(links);
    rl_capture_free(capture);
}

static void nothing_gives_nothing(void **state)
{
    (void)state;
    struct rl_capture *capture = rl_capture_new();
    struct rl_links *links = rl_links_new(capture);
    assert_int_equal(links->kind_count + links->finding_count, 0);
    assert_int_equal(links->from_host.together.n, 0);
    assert_false(rl_capture_has_only_links(capture));
    rl_links_free(links);
    rl_capture_free(capture);
}

/* Samples of no time say nothing of a rate; a wire just under what a version carries is that version. */
static void an_empty_run_has_no_rate(void **state)
{
    (void)state;
    struct rl_capture *capture = machine(&(struct sample_machine){.gpus = 2, .switched = true, .together = 1});
    struct rl_links *before = rl_links_new(capture);
    const size_t link = rl_links_find(before, 0, 1);
    const double rate = before->links[link].rate.median;
    for (size_t i = 0; i < capture->link_run_count; i++)
        if (capture->link_runs[i].link == link)
            capture->link_runs[i].duration_ns[0] = 0;
    struct rl_links *after = rl_links_new(capture);
    assert_int_equal(after->links[link].rate.n, before->links[link].rate.n - 1);
    assert_near(after->links[link].rate.median, rate, 0.01);
    assert_true(isfinite(after->links[link].rate.high));
    rl_links_free(before);
    rl_links_free(after);
    rl_capture_free(capture);
    assert_near(rl_nvlink_bytes_per_second(rl_value_of(2), rl_value_of(24.99e9)).v, 25e9, 1e-12);
    assert_near(rl_nvlink_bytes_per_second(rl_value_of(2), rl_value_of(24.9e9)).v, 20e9, 1e-12);
}

/* The driver tells version 5 of a link whose wire carries 25 GB/s, which no version later than 4 does. */
static void the_version_is_what_the_wire_carries(void **state)
{
    static const struct {
        double version, wire;
        const char *label;
    } rows[] = {{4, 26.562e9, "18 x NVLink 4.0, switched"},
                {5, 26.562e9, "18 x NVLink 4.0, switched"},
                {5, 53.125e9, "18 x NVLink 5.0, switched"},
                {3, 26.562e9, "18 x NVLink 3.0, switched"},
                {1, 21e9, "18 x NVLink 1.0, switched"}};
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = machine(&(struct sample_machine){.gpus = 2, .switched = true, .together = 1});
        for (size_t l = 0; l < capture->link_count; l++) {
            capture->links[l].nvlink_version = rl_value_of(rows[i].version);
            capture->links[l].nvlink_rate = rl_value_of(rows[i].wire);
        }
        struct rl_links *links = rl_links_new(capture);
        assert_string_equal(links->kinds[0].label, rows[i].label);
        rl_links_free(links);
        rl_capture_free(capture);
    }
}

static void captures_of_links_alone(void **state)
{
    (void)state;
    for (int with = 0; with < 6; with++) {
        struct rl_capture *capture = with == 5 ? rl_capture_new() : machine(&(struct sample_machine){.gpus = 2, .together = 1});
        if (with == 1)
            (void)rl_capture_add_kernel(capture);
        else if (with == 2)
            (void)rl_capture_add_variant(capture);
        else if (with == 3)
            (void)rl_capture_add_ceiling(capture);
        else if (with == 4)
            (void)rl_capture_add_process(capture);
        assert_int_equal(rl_capture_has_only_links(capture), with == 0);
        rl_capture_free(capture);
    }
}

static void links_are_named_by_their_ends(void **state)
{
    (void)state;
    struct rl_capture *capture = machine(&(struct sample_machine){.gpus = 2, .together = 1});
    static const char *const names[] = {"GPU 0 to GPU 1", "GPU 1 to GPU 0", "host to GPU 0", "GPU 0 to host"};
    for (size_t i = 0; i < RL_COUNT(names); i++) {
        struct rl_buf name = RL_BUF_INIT;
        rl_link_name(capture, i, &name);
        assert_string_equal(name.data, names[i]);
        rl_buf_release(&name);
    }
    rl_capture_free(capture);
}

/* As many samples of all links together as the shortest of them has: of the same direction, whatever the other has. */
static void samples_of_a_direction_are_its_own(void **state)
{
    (void)state;
    struct rl_capture *capture = machine(&(struct sample_machine){.gpus = 2, .switched = true, .together = 1});
    for (size_t i = 0; i < capture->link_run_count; i++)
        if (strcmp(capture->link_runs[i].traffic, "together") == 0 && capture->links[capture->link_runs[i].link].from_gpu == 1)
            capture->link_runs[i].duration_count = 4;
    struct rl_links *links = rl_links_new(capture);
    assert_int_equal(links->to_host.together.n, 4);
    assert_int_equal(links->from_host.together.n, 7);
    assert_near(links->to_host.share.v, 1, 0.01);
    rl_links_free(links);
    rl_capture_free(capture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_carry_what_their_makers_say),
        cmocka_unit_test(rates_latencies_and_kinds_by_hand),
        cmocka_unit_test(a_slow_and_a_missing_link_are_found),
        cmocka_unit_test(the_threshold_has_two_sides),
        cmocka_unit_test(two_gpus_are_no_crowd),
        cmocka_unit_test(gpus_without_access_are_told_once),
        cmocka_unit_test(far_from_theory_is_said),
        cmocka_unit_test(kinds_by_hand),
        cmocka_unit_test(nothing_gives_nothing),
        cmocka_unit_test(an_empty_run_has_no_rate),
        cmocka_unit_test(the_version_is_what_the_wire_carries),
        cmocka_unit_test(captures_of_links_alone),
        cmocka_unit_test(links_are_named_by_their_ends),
        cmocka_unit_test(samples_of_a_direction_are_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
