/* What limits a launch, on figures that can be followed by hand: 10 SMs of 4 schedulers at 1 GHz, DRAM 32 GB/s, L1 and shared
 * memory 1.28 TB/s, FP64 40 GFLOP/s, FP32 2.56 TFLOP/s at the clocks of tests/fixtures/capture.c; a launch takes 2 us. */
#include "rl_test.h"

#include <string.h>

#include "analysis/analysis.h"
#include "core/mem.h"
#include "core/units.h"
#include "fixtures/capture.h"
#include "fixtures/why.h"
#include "limits_decide.h"

#define NB RL_NO_BREAK_SPACE

static struct rl_limiting limiting_of(struct rl_capture *capture, char *why, size_t size)
{
    struct rl_analysis *analysis = rl_analysis_new(capture);
    struct rl_limiting limits = analysis->kernels[0].limits;

    snprintf(why, size, "%s", why_of(&limits));
    limits.why = why;
    limits.lacking = NULL;
    rl_analysis_free(analysis);
    return limits;
}

static void each_resource_by_hand(void **state)
{
    static const struct {
        const char *counter;
        double value;
        enum rl_resource resource;
        double share;
    } known[] = {
        {"dram__bytes_read.sum", 64000, RL_RESOURCE_dram, 1},                 /* 32 GB/s x 2 us */
        {"dram__bytes_write.sum", 48000, RL_RESOURCE_dram, 0.75},             /* no mix was measured: the same roof */
        {"lts__t_sectors_srcunit_tex.sum", 24000, RL_RESOURCE_l2_read, 0.75}, /* 32 x 20 B x 0.8 GHz = 512 GB/s */
        {"l1tex__t_bytes.sum", 1.792e6, RL_RESOURCE_l1, 0.7},                 /* 1.28 TB/s */
        {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", 16000, RL_RESOURCE_shared, 0.8}, /* 10 a ns */
        {"smsp__issue_active.sum", 72000, RL_RESOURCE_issue, 0.9},                               /* 40 a ns */
        {"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 36000, RL_RESOURCE_fp64, 0.9},   /* 20 a ns, whatever it does */
        {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 36000, RL_RESOURCE_fp64, 0.9},
        {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 1.792e6, RL_RESOURCE_fp32, 0.7}, /* 1280 a ns */
    };
    char why[512];
    (void)state;

    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_capture *capture = sample_idle_launch();
        sample_set(capture, 0, known[i].counter, rl_value_of(known[i].value));
        if (known[i].resource == RL_RESOURCE_l2_read) /* which L1 has looked up */
            sample_set(capture, 0, "l1tex__t_bytes.sum", rl_value_of(32 * known[i].value));
        const struct rl_limiting limits = limiting_of(capture, why, sizeof why);
        assert_int_equal(limits.limiter, known[i].resource);
        assert_int_equal(limits.first, known[i].resource);
        assert_int_equal(limits.bound, rl_resources[known[i].resource].bound);
        assert_close(limits.of[known[i].resource].share.v, known[i].share, 1e-9);
        assert_close(limits.of[known[i].resource].time_s.v, known[i].share * 2e-6, 1e-9);
        assert_true(limits.of[known[i].resource].low <= known[i].share && limits.of[known[i].resource].high >= known[i].share);
        assert_null(strstr(why, rl_resources[known[i].resource].label)); /* the limiter is named next to it */
        assert_non_null(strstr(why, "theoretical"));
        rl_capture_free(capture);
    }
}

static struct rl_capture *short_of_dram(double share)
{
    struct rl_capture *capture = sample_idle_launch();
    sample_set(capture, 0, "dram__bytes_read.sum", rl_value_of(share * 64000)); /* 32 GB/s x 2 us */
    capture->kernels[0].grid[0] = 60;                                           /* one wave */
    return capture;
}

static void assert_shortfall(struct rl_capture *capture, enum rl_shortfall shortfall, const char *words)
{
    char why[512];
    const struct rl_limiting limits = limiting_of(capture, why, sizeof why);
    if (limits.shortfall != shortfall || !strstr(why, words))
        fail_msg("%d instead of %d: '%s' is to say '%s'", (int)limits.shortfall, (int)shortfall, why, words);
    assert_int_equal(limits.also, shortfall == RL_SHORTFALL_SECOND ? RL_RESOURCE_l2_read : RL_RESOURCE_COUNT);
    rl_capture_free(capture);
}

/* Why a launch that is limited by a resource does not use all of it: each reason where it explains the rest, and just not. */
static void what_is_short_of_a_roof_has_a_reason(void **state)
{
    (void)state;
    assert_shortfall(short_of_dram(0.9), RL_SHORTFALL_NONE, "roof");
    assert_shortfall(short_of_dram(0.89), RL_SHORTFALL_UNKNOWN, "the cause of the rest is unknown without stall reasons");

    for (int near = 0; near < 2; near++) { /* L2 at 60 % and 59 % */
        struct rl_capture *capture = short_of_dram(0.75);
        const double sectors = (near ? 0.6 : 0.59) * 32000;
        sample_set(capture, 0, "lts__t_sectors_srcunit_tex.sum", rl_value_of(sectors));
        sample_set(capture, 0, "l1tex__t_bytes.sum", rl_value_of(32 * sectors));
        assert_shortfall(capture, near ? RL_SHORTFALL_SECOND : RL_SHORTFALL_UNKNOWN, near ? "(read) at 60.0" : "unknown");
    }
    for (int explained = 0; explained < 2; explained++) { /* 0.75 of 0.83 and 0.84 of the SMs */
        struct rl_capture *capture = short_of_dram(0.75);
        sample_set(capture, 0, "gpu__time_duration.sum", rl_value_of(2000));
        sample_set(capture, 0, "sm__cycles_elapsed.max", rl_value_of(1000));
        sample_set(capture, 0, "sm__cycles_active.avg", rl_value_of(explained ? 830 : 840));
        assert_shortfall(capture, explained ? RL_SHORTFALL_SMS : RL_SHORTFALL_UNKNOWN, explained ? "83.0" : "unknown");
    }
    for (int explained = 0; explained < 2; explained++) { /* 60 blocks fit: two waves for 82 and 84 */
        struct rl_capture *capture = short_of_dram(0.62);
        capture->kernels[0].grid[0] = explained ? 82 : 84;
        sample_set(capture, 0, "sm__cycles_active.avg", rl_value_of(92)); /* of 125, in 2.5 us where the launch takes 2 */
        assert_shortfall(capture, explained ? RL_SHORTFALL_TAIL : RL_SHORTFALL_UNKNOWN, explained ? "68.3" : "unknown");
    }
    struct rl_capture *uneven = short_of_dram(0.62); /* blocks that differ: SMs have work all the time */
    uneven->kernels[0].grid[0] = 82;
    assert_shortfall(uneven, RL_SHORTFALL_UNKNOWN, "unknown");
    for (int tells = 0; tells < 2; tells++) {
        struct rl_capture *capture = short_of_dram(0.75);
        sample_counter(capture, 0, "smsp__warps_issue_stalled_long_scoreboard.sum", (tells ? 0.31 : 0.29) * 48 * 10 * 125);
        assert_shortfall(capture, tells ? RL_SHORTFALL_STALL : RL_SHORTFALL_UNKNOWN,
                         tells ? "31.0" : "the cause of the rest is unknown: no stall reason stands out");
    }
    for (int tells = 0; tells < 2; tells++) { /* where stalls were sampled, not counted */
        struct rl_capture *capture = short_of_dram(0.75);
        sample_stall(capture, 0, 0, RL_STALL_drain, tells ? 900000 : 100000);
        sample_stall(capture, 0, 0, RL_STALL_selected, tells ? 100000 : 900000);
        assert_shortfall(capture, RL_SHORTFALL_UNKNOWN,
                         tells ? "have one stall reason: drain (stores)"
                               : "the cause of the rest is unknown: no stall reason stands out");
    }
}

/* That the FP32 pipe is busy, too, says nothing about the slots that its instructions are issued in. */
static void a_resource_does_not_explain_its_like(void **state)
{
    (void)state;
    struct rl_capture *capture = sample_idle_launch();
    sample_set(capture, 0, "smsp__issue_active.sum", rl_value_of(64000));                                /* 40 a ns: 80 % */
    sample_set(capture, 0, "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", rl_value_of(1.792e6)); /* 70 % */
    capture->kernels[0].grid[0] = 60;
    assert_shortfall(capture, RL_SHORTFALL_UNKNOWN, "80.0\xC2\xA0% of its theoretical roof; the cause of the rest is unknown");
}

/* A launch of so many us that has read so many bytes over a link of 50 GB/s, in a pass of 1 us more. */
static void assert_link(double us, double bytes, enum rl_bound bound, bool known, const char *words)
{
    char why[512];
    struct rl_capture *capture = sample_idle_launch();
    sample_time(capture, 0, (uint64_t)(1e3 * us));
    sample_set(capture, 0, "gpu__time_duration.sum", rl_value_of(1e3 * us + 1000));
    sample_set(capture, 0, "sm__cycles_active.avg", rl_value_of(1e3 * us));
    sample_set(capture, 0, "sm__cycles_elapsed.max", rl_value_of(1e3 * us));
    sample_counter(capture, 0, "pcie__read_bytes.sum", bytes);
    sample_ceiling(capture, 0, "pcie_h2d", RL_UNIT_BYTE_PER_SECOND, 50e9, 0, 30);
    const struct rl_limiting limits = limiting_of(capture, why, sizeof why);
    if (limits.bound != bound || rl_present(limits.of[RL_RESOURCE_host_read].share) != known || !strstr(why, words))
        fail_msg("%g bytes in %g us: bound %d: %s", bytes, us, (int)limits.bound, why);
    rl_capture_free(capture);
}

/* Up to 2 MB may not be of the launch: that does not limit, and where it would the limiter is unknown. */
static void the_link_to_the_host_has_a_background(void **state)
{
    static const char unknown[] = "PCIe (read): no more traffic than launches show that access no host memory";
    (void)state;
    assert_link(20, 850e3, RL_BOUND_UNKNOWN, false, unknown); /* 17 us of the link */
    assert_link(60, 1.9e6, RL_BOUND_UNKNOWN, false, unknown); /* 38 */
    assert_link(60, 2.1e6, RL_BOUND_HOST, true, "70.0\xC2\xA0% of its measured roof");
    assert_link(200, 850e3, RL_BOUND_UNKNOWN, true, "undecided without"); /* too little for it to limit, whoever made it */
}

/* A launch of 1990 to 2010 ns: shares are known to within half a per cent. */
static void assert_tied(struct rl_capture *capture, const char *limited_by, const char *words)
{
    struct rl_analysis *analysis = rl_analysis_new(capture);
    const struct rl_limiting *limits = &analysis->kernels[0].limits;
    assert_string_equal(limits->limited_by, limited_by);
    if (strstr(why_of(limits), words) != why_of(limits))
        fail_msg("'%s' is to begin with '%s'", why_of(limits), words);
    const char *once = strstr(why_of(limits), "(read) at");
    assert_true(!once || !strstr(once + 1, "(read) at"));
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Resources of which each may have the largest share are named together, if they are different units and each limits. */
static void limiters_within_their_intervals_are_named_together(void **state)
{
    (void)state;
    for (int overlap = 0; overlap < 2; overlap++) { /* L2 at 74.7 and 74.0 % */
        struct rl_capture *capture = short_of_dram(0.75);
        const double sectors = (overlap ? 0.747 : 0.74) * 32000;
        sample_set(capture, 0, "lts__t_sectors_srcunit_tex.sum", rl_value_of(sectors));
        sample_set(capture, 0, "l1tex__t_bytes.sum", rl_value_of(32 * sectors));
        assert_tied(capture, overlap ? "DRAM bandwidth and L2 bandwidth (read)" : "DRAM bandwidth",
                    overlap ? "DRAM bandwidth at 75.0" NB "% of its theoretical roof; L2 bandwidth (read) at 74.7" NB "%"
                            : "75.0" NB "% of its theoretical roof; L2 bandwidth (read) at 74.0" NB "%");
    }
    struct rl_capture *three = short_of_dram(0.75);
    sample_set(three, 0, "lts__t_sectors_srcunit_tex.sum", rl_value_of(0.747 * 32000));
    sample_set(three, 0, "l1tex__t_bytes.sum", rl_value_of(0.747 * 32 * 32000));
    sample_set(three, 0, "smsp__issue_active.sum", rl_value_of(0.748 * 80000));
    assert_tied(three, "DRAM bandwidth, issue slots and L2 bandwidth (read)", "DRAM bandwidth at 75.0");

    struct rl_capture *one_unit = sample_idle_launch(); /* look-ups of L1, and wavefronts of shared memory */
    sample_set(one_unit, 0, "l1tex__t_bytes.sum", rl_value_of(0.747 * 2.56e6));
    sample_set(one_unit, 0, "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", rl_value_of(0.75 * 20000));
    assert_tied(one_unit, "shared-memory bandwidth", "75.0" NB "% of its theoretical roof");

    struct rl_capture *under = short_of_dram(0.601); /* L2 limits nothing at 59.9 % */
    sample_set(under, 0, "lts__t_sectors_srcunit_tex.sum", rl_value_of(0.599 * 32000));
    sample_set(under, 0, "l1tex__t_bytes.sum", rl_value_of(0.599 * 32 * 32000));
    assert_tied(under, "DRAM bandwidth", "60.1");
}

/* Reads 30 GB/s, writes 20, copies 24, three to one written 23: an eighth written is half-way between the two mixes beside it. */
static void dram_has_the_roof_of_its_mix(void **state)
{
    static const struct {
        double read, written, roof;
    } known[] = {{48000, 0, 30e9}, {0, 48000, 20e9}, {24000, 24000, 24e9}, {36000, 12000, 23e9}, {42000, 6000, 26.5e9}};
    char why[512];
    (void)state;

    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_capture *capture = sample_idle_launch();
        sample_ceiling(capture, 0, "dram_read", RL_UNIT_BYTE_PER_SECOND, 30e9, 0, 30);
        sample_ceiling(capture, 0, "dram_write", RL_UNIT_BYTE_PER_SECOND, 20e9, 0, 30);
        sample_ceiling(capture, 0, "dram_copy", RL_UNIT_BYTE_PER_SECOND, 24e9, 0, 30);
        sample_ceiling(capture, 0, "dram_mix_3_1", RL_UNIT_BYTE_PER_SECOND, 23e9, 0, 30);
        sample_set(capture, 0, "dram__bytes_read.sum", rl_value_of(known[i].read));
        sample_set(capture, 0, "dram__bytes_write.sum", rl_value_of(known[i].written));
        const struct rl_limiting limits = limiting_of(capture, why, sizeof why);
        assert_close(limits.of[RL_RESOURCE_dram].time_s.v, 48000 / known[i].roof, 1e-9);
        assert_true(limits.of[RL_RESOURCE_dram].measured);
        rl_capture_free(capture);
    }
}

/* The roof of starting blocks is that of their size: measured, between two sizes, beyond both ends, and one a cycle without one. */
static void blocks_have_the_roof_of_their_size(void **state)
{
    static const struct {
        unsigned threads;
        bool measured;
        double ns; /* of a block */
    } known[] = {{32, true, 1},    {64, true, 1},     {128, true, 1.5}, {192, true, 2},
                 {256, true, 2.5}, {1024, true, 2.5}, {64, false, 1}};
    char why[512];
    (void)state;

    for (size_t i = 0; i < RL_COUNT(known); i++) {
        struct rl_capture *capture = sample_idle_launch();
        capture->kernels[0].block[0] = known[i].threads;
        capture->kernels[0].block[1] = capture->kernels[0].block[2] = 1;
        capture->kernels[0].grid[0] = 900;
        capture->kernels[0].grid[1] = capture->kernels[0].grid[2] = 1;
        if (known[i].measured) {
            sample_ceiling(capture, 0, "dispatch_64", RL_UNIT_OP_PER_SECOND, 1e9, 0, 30);
            sample_ceiling(capture, 0, "dispatch_256", RL_UNIT_OP_PER_SECOND, 0.4e9, 0, 30);
        }
        const struct rl_limiting limits = limiting_of(capture, why, sizeof why);
        assert_close(limits.of[RL_RESOURCE_dispatch].time_s.v, 900e-9 * known[i].ns, 1e-9);
        assert_int_equal(limits.of[RL_RESOURCE_dispatch].measured, known[i].measured);
        rl_capture_free(capture);
    }
}

/* A pipe takes as large a share of the most that it could as was measured of it, and all of it where nothing was: 0.8 of its most,
 * 10 instructions a ns, is 1.0 of a measured 8. */
static void pipes_are_held_against_what_was_measured_of_them(void **state)
{
    char why[512];
    (void)state;

    for (int measured = 0; measured < 2; measured++) {
        struct rl_capture *capture = sample_idle_launch();
        sample_counter(capture, 0, "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active", 80);
        sample_set(capture, 0, "sm__cycles_active.avg", rl_value_of(2000)); /* all cycles of 2 us at 1 GHz */
        sample_set(capture, 0, "sm__cycles_elapsed.max", rl_value_of(2000));
        if (measured)
            sample_ceiling(capture, 0, "lsu", RL_UNIT_INSTRUCTION_PER_SECOND, 8e9, 0, 30);
        const struct rl_limiting limits = limiting_of(capture, why, sizeof why);
        assert_int_equal(limits.limiter, RL_RESOURCE_pipe_lsu);
        assert_close(limits.of[RL_RESOURCE_pipe_lsu].share.v, measured ? 1 : 0.8, 1e-9);
        assert_int_equal(limits.of[RL_RESOURCE_pipe_lsu].measured, measured);
        rl_capture_free(capture);
    }
}

static void assert_bound(struct rl_capture *capture, enum rl_bound bound, const char *words)
{
    char why[512];
    const struct rl_limiting limits = limiting_of(capture, why, sizeof why);

    if (limits.bound != bound || limits.limiter != RL_RESOURCE_COUNT || !strstr(why, words))
        fail_msg("bound %d and not %d with \"%s\": %s", limits.bound, bound, words, why);
    rl_capture_free(capture);
}

/* 2 us are limited by starting where an empty kernel takes 1.5 us, and not where it takes 1 us. */
static void short_launches_are_held_against_an_empty_kernel(void **state)
{
    struct rl_capture *capture = sample_idle_launch();
    char why[512];
    (void)state;

    sample_ceiling(capture, 0, "launch", RL_UNIT_OP_PER_SECOND, 1 / 1.5e-6, 0, 30);
    assert_bound(capture, RL_BOUND_LAUNCH, "of which an empty kernel takes 1.50");
    capture = sample_idle_launch();
    sample_ceiling(capture, 0, "launch", RL_UNIT_OP_PER_SECOND, 1e6, 0, 30);
    assert_int_not_equal(limiting_of(capture, why, sizeof why).bound, RL_BOUND_LAUNCH);
    rl_capture_free(capture);
}

/* The start is the greater part of the launch, whatever it does in the rest: under 1.2 us where no start was measured, and under
 * 1.67 us where an empty kernel takes 1 us. */
static void short_launches_need_no_counters(void **state)
{
    static const struct {
        int ns;
        bool measured, is_short;
    } rows[] = {{1190, false, true}, {1210, false, false}, {1650, true, true}, {1680, true, false}};
    (void)state;

    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = sample_new(SAMPLE_CHIP, SAMPLE_CC);
        sample_time(capture, sample_kernel(capture, "k"), rows[i].ns);
        if (rows[i].measured)
            sample_ceiling(capture, 0, "launch", RL_UNIT_OP_PER_SECOND, 1e6, 0, 30);
        assert_bound(capture, rows[i].is_short ? RL_BOUND_LAUNCH : RL_BOUND_UNKNOWN, rows[i].is_short ? "kernel" : "DRAM");
    }
}

static void latency_is_said_only_where_stalls_say_it(void **state)
{
    struct rl_capture *capture = sample_idle_launch();
    const double warp_cycles = 48.0 * 10 * 125; /* 48 warps on each of 10 SMs, 125 cycles */
    (void)state;

    assert_bound(capture, RL_BOUND_UNKNOWN, "undecided without pipes, stall reasons");
    capture = sample_idle_launch();
    sample_counter(capture, 0, "smsp__warps_issue_stalled_long_scoreboard.sum", 0.31 * warp_cycles);
    assert_bound(capture, RL_BOUND_LATENCY, "long scoreboard (memory)");
    capture = sample_idle_launch();
    sample_counter(capture, 0, "smsp__warps_issue_stalled_long_scoreboard.sum", 0.29 * warp_cycles);
    assert_bound(
        capture, RL_BOUND_UNKNOWN,
        "undecided without pipes; no resource reaches 60 % of its roof, and warps stall for several reasons: long scoreboard "
        "(memory) 29.0" NB "%");
    capture = sample_idle_launch(); /* no reason has 30 %, and latency has half of the time */
    sample_counter(capture, 0, "smsp__warps_issue_stalled_long_scoreboard.sum", 0.28 * warp_cycles);
    sample_counter(capture, 0, "smsp__warps_issue_stalled_barrier.sum", 0);
    sample_counter(capture, 0, "smsp__warps_issue_stalled_wait.sum", 0.24 * warp_cycles);
    assert_bound(capture, RL_BOUND_LATENCY,
                 "52.0" NB "% of the warps' time goes to latency of several kinds: long scoreboard (memory) 28.0" NB
                 "%, wait (fixed latency) 24.0" NB "%");
}

/* Where the capture has no chain of loads, one of another such card does; where there is none, what would tell it is said. */
static void latencies_come_from_another_such_card(void **state)
{
    static const struct {
        const char *card, *words;
    } rows[] = {{"NVIDIA H100 80GB HBM3", " (measured on another GPU of this model: samples/h100.rlcap): the queue is saturated"},
                {"Tesla T4", "; whether a queue is saturated is unknown, because no latency of that level is known of this GPU: "
                             "'rooflight"},
                {"a GPU that nobody knows", "; whether a queue is saturated is unknown, because no latency"}};
    (void)state;

    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = sample_idle_launch();
        sample_counter(capture, 0, "smsp__warps_issue_stalled_long_scoreboard.sum", 0.31 * 48 * 10 * 125);
        sample_set(capture, 0, "smsp__sass_inst_executed_op_global_ld.sum", rl_value_of(10)); /* each waits 1860 cycles of 1 ns */
        sample_set(capture, 0, "dram__bytes_read.sum", rl_value_of(8));
        sample_set(capture, 0, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", rl_value_of(440)); /* all of L1 */
        capture->gpus[0].name = rl_capture_text(capture, rows[i].card);
        assert_bound(capture, RL_BOUND_LATENCY, rows[i].words);
    }
}

/* Warps wait for memory in that share of their time, half of 48 on each of 10 SMs in 125 cycles, and for nothing else. */
static void wait_for_memory(struct rl_capture *capture, double share)
{
    sample_counter(capture, 0, "smsp__warps_issue_stalled_long_scoreboard.sum", share * 0.5 * 48 * 10 * 125);
    sample_counter(capture, 0, "smsp__warps_issue_stalled_barrier.sum", 0);
    sample_counter(capture, 0, "smsp__warps_issue_stalled_wait.sum", 0);
}

/* Warps that wait for memory in 60 % of their time, half of those that would fit; L1 looks up 100 sectors. */
static struct rl_capture *few_warps(double sectors_from_l2)
{
    struct rl_capture *capture = sample_idle_launch();
    sample_set(capture, 0, "sm__warps_active.avg.pct_of_peak_sustained_active", rl_value_of(50));
    wait_for_memory(capture, 0.6);
    sample_set(capture, 0, "l1tex__t_bytes.sum", rl_value_of(3200));
    sample_set(capture, 0, "lts__t_sectors_srcunit_tex.sum", rl_value_of(sectors_from_l2));
    sample_counter(capture, 0, "sm__inst_executed_pipe_tma.avg.pct_of_peak_sustained_active", 0.1);
    return capture;
}

/* What bulk copies have in flight does not follow from warps, and their wait is none of the loads'. */
static void more_warps_need_not_copy_more(void **state)
{
    (void)state;
    assert_bound(few_warps(104), RL_BOUND_PARALLELISM, "of theoretical occupancy is achieved");
    assert_bound(few_warps(106), RL_BOUND_LATENCY, "long scoreboard (memory)");
    for (int in_bulk = 0; in_bulk < 2; in_bulk++) {
        struct rl_capture *capture = few_warps(in_bulk ? 106 : 104);
        sample_set(capture, 0, "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum", rl_value_of(440)); /* all of L1 */
        struct rl_analysis *analysis = rl_analysis_new(capture);
        assert_true(rl_present(analysis->kernels[0].limits.in_flight.wait_s) == !in_bulk);
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* ---- time that does not grow with the work ---- */

/* A launch of 2 us that takes 30 % of DRAM and 20 % of the issue slots, and a longer one of the same kernel. */
struct longer {
    double dram, issue; /* times as much work */
    uint64_t ns;
};

static struct rl_capture *beside(struct longer longer, uint32_t blocks, uint32_t longer_blocks)
{
    struct rl_capture *capture = sample_idle_launch();
    sample_set(capture, 0, "dram__bytes_read.sum", rl_value_of(0.3 * 64000));
    sample_set(capture, 0, "smsp__issue_active.sum", rl_value_of(0.2 * 80000));
    sample_shape(&capture->kernels[0], blocks, 256);
    const size_t other = sample_kernel(capture, "k");
    sample_shape(&capture->kernels[other], longer_blocks, 256);
    for (size_t i = 0; i < capture->kernels[0].counter_count; i++) {
        const struct rl_counter *counter = &capture->kernels[0].counters[i];
        sample_value(capture, other, counter->kind, counter->name, counter->value);
    }
    sample_set(capture, other, "dram__bytes_read.sum", rl_value_of(longer.dram * 0.3 * 64000));
    sample_set(capture, other, "smsp__issue_active.sum", rl_value_of(longer.issue * 0.2 * 80000));
    sample_time(capture, other, longer.ns);
    return capture;
}

/* 60 blocks fit at once. Of the 2 us of the first, 1.33 do not grow: (2.5 x 2 - 3) / 1.5. */
static void most_of_the_time_may_be_start_and_drain(void **state)
{
    static const struct {
        struct longer longer;
        uint32_t blocks, longer_blocks;
        bool is_fixed;
    } rows[] = {
        {{3, 2.5, 3000}, 60, 60, true},
        {{3, 2.5, 3600}, 60, 60, false}, /* 0.93 us are less than half */
        {{1, 2.5, 3000}, 60, 60, false}, /* DRAM, of which there is no more to do */
        {{3, 1.9, 2100}, 60, 60, false}, /* a clock 10 % lower would do that */
        {{3, 2, 2600}, 60, 120, true},   /* two waves take 0.6 us more than one */
        {{3, 2, 2600}, 61, 120, false},  /* both are two waves */
        {{2, 2, 2600}, 10, 60, false},   /* all blocks at once, and as many more on each SM */
        {{5, 2.5, 3000}, 60, 60, true},
        {{5.1, 2.5, 3000}, 60, 60, false}, /* DRAM by more than twice as much as instructions: other work */
        {{0.5, 2.5, 3000}, 60, 60, false}  /* less of DRAM */
    };
    (void)state;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = beside(rows[i].longer, rows[i].blocks, rows[i].longer_blocks);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_limiting *limits = &analysis->kernels[0].limits;
        if ((limits->bound == RL_BOUND_FIXED) != rows[i].is_fixed)
            fail_msg("row %zu: %s", i, why_of(limits));
        if (i == 0) {
            assert_close(limits->fixed->least, 2.5, 1e-9);
            assert_close(limits->fixed->most, 3, 1e-9);
            assert_true(limits->fixed->low < 0.66 && limits->fixed->low > 0.64);   /* 1.99 to 2.01 us */
            assert_true(limits->fixed->high > 0.75 && limits->fixed->high < 0.77); /* (3 x 2 - 3) / 2 = 1.5 us */
            assert_non_null(
                strstr(why_of(limits), "of the time is start and drain: 2.50 to 3.00 times the work takes the same kernel 3.00"));
            assert_string_equal(limits->limited_by, "start and drain");
        }
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* Two blocks on 10 SMs: with more of them no more than the rest of the time is saved. */
static void gains_leave_start_and_drain(void **state)
{
    (void)state;
    for (int is_fixed = 0; is_fixed < 2; is_fixed++) {
        struct rl_capture *capture = beside((struct longer){3, 2.5, is_fixed ? 3000 : 3600}, 2, 2);
        struct rl_analysis *analysis = rl_analysis_new(capture);
        const struct rl_kernel_result *result = &analysis->kernels[0];
        const struct rl_finding *finding =
            RL_FIND(i, result->findings, result->finding_count, result->findings[i].rule == RL_RULE_grid_too_small);
        assert_non_null(finding);
        const double fixed = is_fixed ? result->limits.fixed->low : 0.25;     /* 0.5 us of a launch on any GPU */
        assert_close(finding->gain.v, 1 / (fixed + (1 - fixed) * 0.3), 1e-9); /* DRAM is used to 30 % */
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

/* Another block, name or shared memory is that of another kernel; few instructions of which there are hardly more say that the
 * code did hardly more; and of hardly any work nothing follows. */
static void start_and_drain_are_of_one_kernel(void **state)
{
    (void)state;
    for (int how = 0; how < 6; how++) {
        struct rl_capture *capture = beside((struct longer){3, 2.5, 3000}, 60, 60);
        struct rl_kernel *other = &capture->kernels[1];
        if (how == 1)
            other->block[1] = 2;
        else if (how == 2)
            other->name = rl_capture_text(capture, "l");
        else if (how == 3)
            other->dynamic_shared_bytes = 16;
        for (size_t i = 0; i < 2 && how == 4; i++) /* 2 and 3 % of the issue slots */
            sample_set(capture, i, "smsp__issue_active.sum", rl_value_of(i ? 2400 : 1600));
        for (size_t i = 0; i < 2 && how == 5; i++) { /* 3 and 7 % of both */
            sample_set(capture, i, "smsp__issue_active.sum", rl_value_of(i ? 5600 : 2400));
            sample_set(capture, i, "dram__bytes_read.sum", rl_value_of(i ? 4480 : 1920));
        }
        struct rl_analysis *analysis = rl_analysis_new(capture);
        assert_true((analysis->kernels[0].limits.bound == RL_BOUND_FIXED) == (how == 0));
        assert_null(analysis->kernels[1].limits.fixed); /* the longest */
        rl_analysis_free(analysis);
        rl_capture_free(capture);
    }
}

static void what_keeps_the_card_from_working_in_parallel(void **state)
{
    struct rl_capture *capture = sample_idle_launch();
    (void)state;

    sample_set(capture, 0, "sm__cycles_active.avg", rl_value_of(58)); /* of 125 in 2.5 us: 58 % of a launch of 2 us */
    assert_bound(capture, RL_BOUND_PARALLELISM, "of the SMs have work");
    capture = sample_idle_launch();
    sample_set(capture, 0, "sm__warps_active.avg.pct_of_peak_sustained_active", rl_value_of(50));
    wait_for_memory(capture, 0.49);
    assert_bound(capture, RL_BOUND_LATENCY, "long scoreboard (memory)"); /* more warps need not help */
    capture = sample_idle_launch();
    sample_set(capture, 0, "sm__warps_active.avg.pct_of_peak_sustained_active", rl_value_of(50));
    wait_for_memory(capture, 0.51);
    assert_bound(capture, RL_BOUND_PARALLELISM, "of theoretical occupancy is achieved");
    capture = sample_idle_launch();
    capture->kernels[0].grid[0] = 1;
    capture->kernels[0].grid[1] = capture->kernels[0].grid[2] = 1;
    assert_bound(capture, RL_BOUND_PARALLELISM, "block slots have a block");
    capture = sample_idle_launch();
    capture->kernels[0].grid[0] = 8; /* for 8 of 10 SMs, and 8 of 60 block slots: that alone is no cause */
    assert_bound(capture, RL_BOUND_UNKNOWN, "undecided without pipes, stall reasons");
    for (int waits = 0; waits < 2; waits++) {
        capture = sample_idle_launch();
        capture->kernels[0].grid[0] = 8;
        wait_for_memory(capture, waits ? 0.62 : 0.58); /* all warps are resident: of that, half */
        assert_bound(capture, waits ? RL_BOUND_PARALLELISM : RL_BOUND_UNKNOWN,
                     waits ? "block slots have a block" : "warps stall for several reasons");
    }
    for (int empty = 0; empty < 2; empty++) { /* the second wave has 3 of 60 blocks */
        capture = sample_idle_launch();
        capture->kernels[0].grid[0] = 63;
        sample_set(capture, 0, "sm__cycles_active.avg", rl_value_of(empty ? 94 : 96)); /* of 100 */
        assert_bound(capture, empty ? RL_BOUND_PARALLELISM : RL_BOUND_UNKNOWN, empty ? "the last wave" : "stall reasons");
    }
}

/* 70 of 125 cycles are 56 % of the counted range, which is longer than the launch as it was timed: all of it, or the part of it
 * that leaves SMs without work still. A longer launch is no reason for less. */
static void a_range_longer_than_its_launch_is_no_idle_sm(void **state)
{
    static const struct {
        double range_ns;
        const char *words;
    } rows[] = {{1e3, "56.0"}, {2e3, "56.0"}, {2.1e3, "58.8"}, {40e3, ""}};
    (void)state;

    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_capture *capture = sample_idle_launch();
        char why[512];
        sample_set(capture, 0, "sm__cycles_active.avg", rl_value_of(70));
        sample_set(capture, 0, "gpu__time_duration.sum", rl_value_of(rows[i].range_ns));
        const struct rl_limiting limits = limiting_of(capture, why, sizeof why);
        if (!strstr(why, rows[i].words) || !strstr(why, "of the SMs have work") != !*rows[i].words ||
            (limits.bound == RL_BOUND_PARALLELISM) != !!*rows[i].words)
            fail_msg("counted for %g ns: %s", rows[i].range_ns, why);
        rl_capture_free(capture);
    }
}

static void what_is_missing_is_said(void **state)
{
    struct rl_capture *capture = sample_idle_launch();
    (void)state;

    sample_set(capture, 0, "dram__bytes_read.sum", rl_value_missing(RL_NOT_PERMITTED, NULL));
    assert_bound(capture, RL_BOUND_UNKNOWN, "DRAM bandwidth: counters not permitted");
    capture = sample_idle_launch();
    sample_set(capture, 0, "dram__bytes_read.sum", rl_value_missing(RL_NOT_PERMITTED, NULL));
    sample_set(capture, 0, "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", rl_value_missing(RL_NOT_PERMITTED, NULL));
    assert_bound(capture, RL_BOUND_UNKNOWN, "DRAM bandwidth, FP32 pipe: counters not permitted");
    capture = sample_idle_launch();
    sample_set(capture, 0, "smsp__sass_inst_executed_op_global_atom.sum", rl_value_of(100));
    assert_bound(capture, RL_BOUND_UNKNOWN, "no roof for atomic throughput (address)");
    capture = sample_idle_launch(); /* what links between cards reach is no roof of one of them */
    sample_set(capture, 0, "nvlrx__bytes.sum", rl_value_of(1e6));
    assert_bound(capture, RL_BOUND_UNKNOWN, "no roof for NVLink (read)");
    capture = sample_idle_launch();
    capture->kernels[0].duration_count = 0;
    assert_bound(capture, RL_BOUND_UNKNOWN, "not timed");
}

/* Operations take instrumented code to be counted. Where only the hardware counted, a launch does no more of them than it issued
 * instructions, or than the cycles of their pipe. */
static void operations_that_were_not_counted_are_bounded(void **state)
{
    static const struct {
        const char *operations, *counter;
        double below, above; /* 0: not counted */
        const char *unknown;
    } bounds[] = {
        /* 0.6 of 2.56 TFLOP/s x 2 us, four a thread; of 40 GFLOP/s x 2 us, two a thread */
        {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "smsp__issue_active.sum", 20000, 24100,
         "FP32 pipe: counters not permitted"},
        {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", "smsp__issue_active.sum", 600, 760,
         "FP64 pipe: counters not permitted"},
        {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active", 50,
         0, "FP32 pipe: counters not permitted"},
        {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active", 50,
         0, "FP64 pipe: counters not permitted"},
        {"sm__inst_executed_pipe_tensor.sum", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", 50, 0,
         "tensor cores: counters not permitted"},
        {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum", "l1tex__data_pipe_lsu_wavefronts.sum", 100, 0,
         "undecided without shared-memory bandwidth, pipes, stall reasons"},
    };
    (void)state;

    for (size_t i = 0; i < RL_COUNT(bounds); i++)
        for (int above = 0; above < 2; above++) {
            struct rl_capture *capture = sample_idle_launch();
            sample_set(capture, 0, "sm__cycles_active.avg", rl_value_of(2000)); /* all of the time */
            sample_set(capture, 0, "sm__cycles_elapsed.max", rl_value_of(2000));
            sample_set(capture, 0, "smsp__issue_active.sum", rl_value_of(40000)); /* half of the slots, which bounds neither */
            sample_set(capture, 0, bounds[i].operations, rl_value_missing(RL_NOT_PERMITTED, NULL));
            const double value = above ? bounds[i].above : bounds[i].below;
            if (value > 0)
                sample_set(capture, 0, bounds[i].counter, rl_value_of(value));
            assert_bound(capture, RL_BOUND_UNKNOWN, above ? bounds[i].unknown : "undecided without pipes, stall reasons");
        }
}

/* A few FP16 instructions may be constants and conversions: no share of the FP16 roof is made up of them, least of all 0, and they
 * keep nothing from being decided. */
static void untold_fp16_is_unknown_and_limits_nothing(void **state)
{
    struct rl_capture *capture = sample_idle_launch();
    char why[512];
    (void)state;

    sample_set(capture, 0, "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", rl_value_of(32));
    const struct rl_limiting limits = limiting_of(capture, why, sizeof why);
    assert_false(rl_present(limits.of[RL_RESOURCE_fp16].share));
    assert_true(limits.of[RL_RESOURCE_fp16].too_little);
    assert_bound(capture, RL_BOUND_UNKNOWN, "undecided without pipes, stall reasons");
    capture = sample_idle_launch();
    sample_set(capture, 0, "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", rl_value_missing(RL_NOT_PERMITTED, NULL));
    assert_bound(capture, RL_BOUND_UNKNOWN, "FP16 pipe: counters not permitted");
}

/* The greatest share limits, whichever row has it; equal ones are told apart by their ids, not their places. */
static void the_order_of_rows_does_not_matter(void **state)
{
    struct rl_capture *capture = sample_idle_launch();
    struct rl_analysis *analysis = rl_analysis_new(capture);
    struct rl_eval eval;
    (void)state;

    rl_eval_init(&eval, analysis);
    rl_eval_focus(&eval, RL_NONE, 0);
    for (size_t a = 0; a < RL_RESOURCE_COUNT; a++)
        for (size_t b = 0; b < RL_RESOURCE_COUNT; b++) {
            struct rl_kernel_result *result = &analysis->kernels[0];
            const bool equal = a != b && (a + b) % 2;
            for (size_t i = 0; i < RL_RESOURCE_COUNT; i++)
                result->limits.of[i].share = rl_value_of(0.1);
            result->limits.of[b].share = rl_value_of(equal ? 0.8 : 0.7);
            result->limits.of[a].share = rl_value_of(0.8);
            rl_limiting_decide(analysis, &eval, result);
            const bool a_first = !equal || strcmp(rl_resources[a].id, rl_resources[b].id) < 0;
            assert_int_equal(result->limits.limiter, a_first ? a : b);
            if (a != b)
                assert_int_equal(result->limits.second, a_first ? b : a);
        }
    rl_eval_release(&eval);
    rl_analysis_free(analysis);
    rl_capture_free(capture);
}

/* Launches at half and at three quarters of their roofs, and what becomes of them together. */
static void the_place_of_several_by_hand(void **state)
{
    struct rl_kernel_result dram = {.roof_time_s = rl_value_of(3), .bound = RL_BOUND_MEMORY},
                            fp32 = {.roof_time_s = rl_value_of(4), .bound = RL_BOUND_COMPUTE},
                            none = {.roof_time_s = rl_value_missing(RL_NOT_COLLECTED, NULL), .bound = RL_BOUND_MEMORY};
    const struct rl_limited_launch both[] = {{&dram, 2}, {&fp32, 1}}, one[] = {{&dram, 2}, {&dram, 1}},
                                   lost[] = {{&dram, 1}, {&none, 1}};
    (void)state;
    dram.limits.first = dram.limits.limiter = RL_RESOURCE_dram;
    fp32.limits.first = fp32.limits.limiter = RL_RESOURCE_fp32;
    none.limits.first = none.limits.limiter = RL_RESOURCE_COUNT;
    struct rl_place place = rl_place_of_several(both, 2, rl_value_of(12)); /* 6 + 4 of 12 */
    assert_close(place.roof_share.v, 10.0 / 12, 1e-12);
    assert_int_equal(place.limiter, RL_RESOURCE_dram);
    assert_int_equal(place.bound, RL_BOUND_MEMORY);
    fp32.roof_time_s = rl_value_of(6.5); /* now it is the longer one */
    place = rl_place_of_several(both, 2, rl_value_of(13));
    assert_int_equal(place.limiter, RL_RESOURCE_fp32);
    assert_int_equal(place.bound, RL_BOUND_COMPUTE);
    place =
        rl_place_of_several(both, 2, rl_value_of(12.5 / RL_BOUND_SHARE * 1.001)); /* far from every roof: one limiter is not told */
    assert_int_equal(place.limiter, RL_RESOURCE_COUNT);
    assert_int_equal(place.bound, RL_BOUND_UNKNOWN);
    dram.limits.limiter = RL_RESOURCE_COUNT; /* unless each of them says the same of itself */
    dram.bound = RL_BOUND_LATENCY;
    place = rl_place_of_several(one, 2, rl_value_of(9 / RL_BOUND_SHARE * 1.001));
    assert_int_equal(place.bound, RL_BOUND_LATENCY);
    place = rl_place_of_several(one, 2, rl_value_of(9 / RL_BOUND_SHARE * 0.999));
    assert_int_equal(place.bound, RL_BOUND_MEMORY);
    assert_false(rl_present(rl_place_of_several(lost, 2, rl_value_of(12)).roof_share));
    assert_false(rl_present(rl_place_of_several(one, 2, rl_value_missing(RL_NOT_COLLECTED, NULL)).roof_share));
    dram.types_matter = true;
    place = rl_place_of_several(one, 2, rl_value_of(9.1));
    assert_true(place.types_matter && place.bound == RL_BOUND_UNKNOWN && place.limiter == RL_RESOURCE_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_resource_by_hand),
        cmocka_unit_test(what_is_short_of_a_roof_has_a_reason),
        cmocka_unit_test(the_link_to_the_host_has_a_background),
        cmocka_unit_test(a_resource_does_not_explain_its_like),
        cmocka_unit_test(limiters_within_their_intervals_are_named_together),
        cmocka_unit_test(dram_has_the_roof_of_its_mix),
        cmocka_unit_test(blocks_have_the_roof_of_their_size),
        cmocka_unit_test(pipes_are_held_against_what_was_measured_of_them),
        cmocka_unit_test(short_launches_are_held_against_an_empty_kernel),
        cmocka_unit_test(short_launches_need_no_counters),
        cmocka_unit_test(latency_is_said_only_where_stalls_say_it),
        cmocka_unit_test(latencies_come_from_another_such_card),
        cmocka_unit_test(more_warps_need_not_copy_more),
        cmocka_unit_test(most_of_the_time_may_be_start_and_drain),
        cmocka_unit_test(gains_leave_start_and_drain),
        cmocka_unit_test(start_and_drain_are_of_one_kernel),
        cmocka_unit_test(what_keeps_the_card_from_working_in_parallel),
        cmocka_unit_test(a_range_longer_than_its_launch_is_no_idle_sm),
        cmocka_unit_test(what_is_missing_is_said),
        cmocka_unit_test(operations_that_were_not_counted_are_bounded),
        cmocka_unit_test(untold_fp16_is_unknown_and_limits_nothing),
        cmocka_unit_test(the_order_of_rows_does_not_matter),
        cmocka_unit_test(the_place_of_several_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
