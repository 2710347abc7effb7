/* The tables of an observed program: they survive, are refused when they are wrong. */
#include "rl_test.h"

#include "core/mem.h"
#include "edit.h"
#include "fixtures/full.h"
#include "fixtures/same.h"

static void everything_survives(void **state)
{
    (void)state;
    struct rl_capture *capture = full_program();
    struct rl_buf bytes = bytes_of(capture);
    struct rl_capture *back = capture_of(&bytes);
    assert_same_capture(capture, back);
    assert_same_program(capture, back);
    struct rl_buf again = bytes_of(back);
    assert_int_equal(again.len, bytes.len);
    assert_memory_equal(again.data, bytes.data, bytes.len);
    rl_buf_release(&again);
    rl_buf_release(&bytes);
    rl_capture_free(back);
    rl_capture_free(capture);
}

/* Tables that came later may be missing at the end, and are left out where they have no row. */
static void optional_tables_may_be_missing(void **state)
{
    (void)state;
    struct rl_capture *capture = full_program();
    struct rl_buf bytes = bytes_of(capture);
    struct rl_buf without = edited(&bytes, "DROP TABLE benchmark_sample; DROP TABLE benchmark");
    struct rl_capture *back = capture_of(&without);
    assert_int_equal(back->benchmark_count, 0);
    assert_int_equal(back->instance_count, capture->instance_count);
    struct rl_buf again = bytes_of(back);
    assert_null(memmem(again.data, again.len, "TABLE benchmark", strlen("TABLE benchmark")));
    assert_non_null(memmem(again.data, again.len, "TABLE range_kernel", strlen("TABLE range_kernel")));
    rl_buf_release(&again);
    rl_capture_free(back);
    rl_buf_release(&without);
    rl_buf_release(&bytes);
    rl_capture_free(capture);
}

struct refused {
    const char *sql, *part;
};

static void assert_edits_are_refused(const struct refused *edits, size_t count)
{
    struct rl_capture *capture = full_program();
    struct rl_buf bytes = bytes_of(capture);
    for (size_t i = 0; i < count; i++) {
        struct rl_buf bent = edited(&bytes, edits[i].sql);
        assert_refused(bent.data, bent.len, RL_FORMAT, edits[i].part);
        rl_buf_release(&bent);
    }
    rl_buf_release(&bytes);
    rl_capture_free(capture);
}

static void wrong_rows_are_refused(void **state)
{
    (void)state;
    static const struct refused edits[] = {
        {"UPDATE nvtx_range SET parent=1 WHERE id=1", "nvtx_range 1: its parent does not stand before it"},
        {"UPDATE nvtx_range SET parent=2 WHERE id=0", "nvtx_range 0: its parent does not stand before it"},
        {"UPDATE nvtx_range SET parent=0 WHERE id=3", "nvtx_range 3: its parent belongs to another process"},
        {"UPDATE nvtx_range SET process=2 WHERE id=3", "refers to a row of process that is not there"},
        {"UPDATE process_gpu SET busy_ns=1001 WHERE id=1", "process_gpu 1: it was busy for longer than it lasted"},
        {"UPDATE process SET \"end\"='vanished' WHERE id=1", "process 1: end: unknown word 'vanished'"},
        {"UPDATE transfer SET direction='up' WHERE id=1", "transfer 1: direction: unknown word 'up'"},
        {"UPDATE transfer SET memory='' WHERE id=1", "transfer 1: memory: unknown word ''"},
        {"UPDATE transfer SET fastest=-1, fastest_missing=NULL WHERE id=1", "transfer 1: fastest: -1 is not in"},
        {"UPDATE kernel_use SET kernel=3 WHERE id=1", "kernel_use 1: it does not stand in the order of kernels"},
        {"UPDATE kernel_use SET min_ns=21 WHERE id=1", "kernel_use 1: its minimum time is above its maximum"},
        {"UPDATE kernel_use SET deviation_ns=-0.5 WHERE id=0", "kernel_use 0: deviation_ns: -0.5 is not in"},
        {"UPDATE range_instance SET busy_ns=4001 WHERE id=0", "range_instance 0: its kernels ran for longer than it lasted"},
        {"UPDATE range_instance SET gpu=0 WHERE id=1", "range_instance 1: a GPU belongs to an instance with a timed launch"},
        {"UPDATE range_instance SET range=4 WHERE id=1", "refers to a row of nvtx_range that is not there"},
        {"UPDATE benchmark_sample SET benchmark=1 WHERE id=0", "benchmark_sample 1: it does not stand in the order"},
        {"UPDATE benchmark_sample SET seconds=-1 WHERE id=0", "benchmark_sample 0: seconds: -1 is not in"},
        {"DROP TABLE claim_source", "'gpu_sampling' in its schema, where a capture has table claim_source"},
        {"DROP TABLE sampled_value", "'pc_sampling' in its schema, where a capture has table sampled_value"},
        {"UPDATE gpu_sampling SET used=samples+1 WHERE id=0", "gpu_sampling 0: more samples were used than taken"},
        {"UPDATE gpu_sampling SET idle=used+1 WHERE id=0", "gpu_sampling 0: more samples are idle than were used"},
        {"UPDATE gpu_sampling SET others=idle+1 WHERE id=0", "gpu_sampling 0: more idle samples are of others than are idle"},
        {"UPDATE gpu_sampling SET overflows=windows+1 WHERE id=0", "gpu_sampling 0: more windows ended early than there were"},
        {"UPDATE gpu_sampling SET correlation=1.5 WHERE id=0", "gpu_sampling 0: correlation: 1.5 is not in"},
        {"UPDATE sampled_value SET kernel=4 WHERE id=0", "sampled_value 1: it does not stand in the order of kernels and counters"},
        {"UPDATE sampled_value SET counter='dram_read' WHERE id=1",
         "sampled_value 1: it does not stand in the order of kernels and counters"},
        {"UPDATE sampled_value SET counter='heat' WHERE id=0", "sampled_value 0: counter: unknown word 'heat'"},
        {"UPDATE sampled_value SET half_width=-1, half_width_missing=NULL WHERE id=0", "sampled_value 0: half_width: -1 is not in"},
        {"DROP TABLE timeline_gap", "'sampled_lane' in its schema, where a capture has table timeline_gap"},
        {"UPDATE pc_sampling SET period=32 WHERE id=0", "pc_sampling 0: period: 32 is not in"},
        {"UPDATE pc_function SET cubin='xyz' WHERE id=0", "pc_function 0: cubin"},
        {"UPDATE pc_function SET sampling=1 WHERE id=0", "pc_function 0"},
        {"UPDATE source_line SET number=0 WHERE id=0", "source_line 0: number: 0 is not in"},
        {"UPDATE source_line SET number=40 WHERE id=1", "source_line 1: it does not stand in the order of files and numbers"},
        {"UPDATE pc_instruction SET offset=0 WHERE id=1",
         "pc_instruction 1: it does not stand in the order of functions and offsets"},
        {"UPDATE pc_instruction SET rest=1, line=NULL WHERE id=0", "pc_instruction 1: it stands behind the rest of its function"},
        {"UPDATE pc_instruction SET offset=48 WHERE id=2", "pc_instruction 2: the rest is at one place"},
        {"UPDATE pc_stall SET reason='barrier' WHERE id=0",
         "pc_stall 1: it does not stand in the order of instructions and reasons"},
        {"UPDATE pc_stall SET reason='heat' WHERE id=0", "pc_stall 0: reason: unknown word 'heat'"},
        {"UPDATE pc_stall SET not_issued=samples+1 WHERE id=0", "pc_stall 0: more samples are without an issue than there are"},
        {"UPDATE timeline SET width_ns=0 WHERE id=0", "timeline 0: width_ns: 0 is not in"},
        {"UPDATE timeline SET width_ns=4611686018427387903 WHERE id=1", "timeline 1: its bins are wider than all time"},
        {"UPDATE timeline_lane SET timeline=1 WHERE id=0", "timeline_lane 1: it does not stand in the order of timelines"},
        {"UPDATE timeline_lane SET kernel=0 WHERE id=0", "timeline_lane 0: a kernel belongs to the lane of a configuration"},
        {"UPDATE timeline_lane SET lane='sleep' WHERE id=0", "timeline_lane 0: lane: unknown word 'sleep'"},
        {"UPDATE timeline_bin SET bin=2 WHERE id=0", "timeline_bin 1: it does not stand in the order of lanes and of time"},
        {"UPDATE timeline_bin SET bin=3 WHERE id=1", "timeline_bin 1: it is behind the last bin of its timeline"},
        {"UPDATE timeline_bin SET ns=65537 WHERE id=0", "timeline_bin 0: it says more than all of its time"},
        {"UPDATE timeline_gap SET lane='busy' WHERE id=0", "timeline_gap 0: its lane is of no time between kernels"},
        {"UPDATE timeline_gap SET range=0 WHERE id=1", "timeline_gap 1: its range belongs to another process"},
        {"UPDATE timeline_gap SET longest_ns=total_ns+1 WHERE id=0", "timeline_gap 0: its longest one is longer than all"},
        {"UPDATE sampled_value SET together=4 WHERE id=0", "sampled_value 0: its group is not named by the lowest kernel in it"},
        {"UPDATE claim SET relation='about' WHERE id=3", "claim_source 2: it has an upper end, but its claim is no range"},
        {"UPDATE claim SET relation='between' WHERE id=2", "claim_source 1: its range has no upper end"},
        {"UPDATE claim_source SET most=1 WHERE id=2", "claim_source 2: its range ends before it begins"},
        {"UPDATE population SET number=3 WHERE id=1", "population 1: it is none of the populations of its configuration"},
        {"UPDATE population SET number=0 WHERE id=1", "population 1: it is none of the populations of its configuration"},
        {"UPDATE population SET before_ns=from_ns WHERE id=1", "population 1: no launch can be in it"},
        {"DROP TABLE link_duration", "'variant_setting' in its schema, where a capture has table link_duration"},
        {"UPDATE variant_setting SET text='both' WHERE id=0", "variant_setting 0: it is a number and a text"},
        {"UPDATE ceiling_setting SET unit='furlong' WHERE id=0", "ceiling_setting 0: unit: unknown word 'furlong'"},
        {"UPDATE variant_deviation SET kind='guess' WHERE id=0", "variant_deviation 0: kind: unknown word 'guess'"},
        {"UPDATE variant_deviation SET largest=-1 WHERE id=0", "variant_deviation 0: largest: -1 is not in"},
        {"UPDATE variant_deviation SET wrong=compared+1 WHERE id=0",
         "variant_deviation 0: more elements are wrong than were compared"},
        {"UPDATE experiment_form SET form='pie' WHERE id=0", "experiment_form 0: form: unknown word 'pie'"},
        {"UPDATE experiment_form SET axis=NULL WHERE id=0", "experiment_form 0: its axis has no title, or its title no axis"},
        {"UPDATE experiment_form SET axis=NULL, axis_title=NULL WHERE id=0",
         "experiment_form 0: it is drawn over an axis, but has none"},
        {"UPDATE experiment_form SET way=NULL WHERE id=1", "experiment_form 1: it is drawn in panels, but lacks a key for them"},
        {"UPDATE experiment_pair SET experiment=99 WHERE id=2", "refers to a row of experiment that is not there"},
        {"UPDATE link SET via='carrier pigeon' WHERE id=1", "link 1: via: unknown word 'carrier pigeon'"},
        {"UPDATE link SET to_gpu=from_gpu WHERE id=0", "link 0: it begins where it ends"},
        {"UPDATE link SET to_gpu=9 WHERE id=0", "refers to a row of gpu that is not there"},
        {"UPDATE link_run SET traffic='' WHERE id=0", "link_run 0: traffic: unknown word ''"},
        {"UPDATE link_run SET copies=0 WHERE id=0", "link_run 0: it copied nothing"},
    };
    assert_edits_are_refused(edits, RL_COUNT(edits));
}

static void wrong_samples_of_moments_are_refused(void **state)
{
    (void)state;
    static const struct refused edits[] = {
        {"DROP TABLE sampled_bin", "'pc_text' in its schema, where a capture has table sampled_bin"},
        {"DROP TABLE pc_text", "'range_lane' in its schema, where a capture has table pc_text"},
        {"UPDATE pc_text SET text='CALL secret' WHERE id=0", "pc_text 0: it is no instruction without names"},
        {"UPDATE pc_text SET text='' WHERE id=0", "pc_text 0: it is no instruction without names"},
        {"UPDATE pc_text SET instruction=2 WHERE id=0", "pc_text 0: it is of more than one instruction"},
        {"INSERT INTO pc_text VALUES(1, 0, 'NOP')", "pc_text 1: it does not stand in the order of instructions"},
        {"UPDATE pc_counted SET counter='ideal_sectors' WHERE id=0",
         "pc_counted 1: it does not stand in the order of instructions and counters"},
        {"UPDATE pc_counted SET counter='steps' WHERE id=0", "pc_counted 0: counter: unknown word 'steps'"},
        {"UPDATE pc_counted SET instruction=9 WHERE id=5", "refers to a row of pc_instruction that is not there"},
        {"UPDATE launch_counter SET launch=4 WHERE id=0", "launch_counter 1: it does not stand in the order of launches"},
        {"UPDATE sampled_lane SET timeline=1 WHERE id=0",
         "sampled_lane 1: it does not stand in the order of timelines and counters"},
        {"UPDATE sampled_lane SET counter='dram_read' WHERE id=0",
         "sampled_lane 1: it does not stand in the order of timelines and counters"},
        {"UPDATE sampled_lane SET counter='instructions' WHERE id=1", "sampled_lane 1: its counter is not recorded over time"},
        {"UPDATE sampled_lane SET total=-1 WHERE id=1", "sampled_lane 1: total: -1 is not in"},
        {"UPDATE sampled_bin SET bin=2 WHERE id=0", "sampled_bin 1: it does not stand in the order of lanes and of time"},
        {"UPDATE sampled_bin SET bin=3 WHERE id=1", "sampled_bin 1: it is behind the last bin of its timeline"},
        {"UPDATE sampled_bin SET covered_ns=65537 WHERE id=0", "sampled_bin 0: more than all of its time was sampled"},
        {"UPDATE sampled_bin SET covered_ns=0 WHERE id=0", "sampled_bin 0: covered_ns: 0 is not in"},
    };
    assert_edits_are_refused(edits, RL_COUNT(edits));
}

/* Lane 0 is of range 0, lane 1 of all others, lane 2 of none; process 1 has ranges of its own. */
static void wrong_idle_time_by_range_is_refused(void **state)
{
    (void)state;
    static const struct refused edits[] = {
        {"DROP TABLE range_bin", "'kernel_clock' in its schema, where a capture has table range_bin"},
        {"DROP TABLE range_lane", "'range_bin' in its schema, where a capture has table range_lane"},
        {"UPDATE range_lane SET place='nowhere' WHERE id=0", "range_lane 0: place: unknown word 'nowhere'"},
        {"UPDATE range_lane SET range=NULL WHERE id=0", "range_lane 0: a range belongs to a lane of one range, and to no other"},
        {"UPDATE range_lane SET range=0 WHERE id=2", "range_lane 2: a range belongs to a lane of one range, and to no other"},
        {"UPDATE range_lane SET range=3 WHERE id=0", "range_lane 0: its range belongs to another process"},
        {"UPDATE range_lane SET range=99 WHERE id=0", "refers to a row of nvtx_range that is not there"},
        {"UPDATE range_lane SET timeline=1 WHERE id=1", "range_lane 2: it does not stand in the order of timelines and places"},
        {"UPDATE range_lane SET place='no_range' WHERE id=1",
         "range_lane 2: it does not stand in the order of timelines and places"},
        {"UPDATE range_lane SET place='range', range=0 WHERE id=2",
         "range_lane 2: it does not stand in the order of timelines and places"},
        {"UPDATE range_lane SET total_ns=-1 WHERE id=0", "range_lane 0: total_ns: -1 is not in"},
        {"UPDATE range_bin SET bin=2 WHERE id=0", "range_bin 1: it does not stand in the order of lanes and of time"},
        {"UPDATE range_bin SET lane=1 WHERE id=0", "range_bin 1: it does not stand in the order of lanes and of time"},
        {"UPDATE range_bin SET bin=3 WHERE id=1", "range_bin 1: it is behind the last bin of its timeline"},
        {"UPDATE range_bin SET ns=65537 WHERE id=0", "range_bin 0: it says more than all of its time"},
        {"UPDATE range_bin SET ns=0 WHERE id=0", "range_bin 0: ns: 0 is not in"},
    };
    assert_edits_are_refused(edits, RL_COUNT(edits));
}

/* Kernels 3 and 4 were timed; pass 0 is of GPU 0, pass 2 of GPU 1. */
static void wrong_clocks_and_counts_are_refused(void **state)
{
    (void)state;
    static const struct refused edits[] = {
        {"DROP TABLE counted", "where a capture has table counted"},
        {"DROP TABLE kernel_clock", "'counted' in its schema, where a capture has table kernel_clock"},
        {"UPDATE kernel_clock SET clock='sundial' WHERE id=0", "kernel_clock 0: clock: unknown word 'sundial'"},
        {"UPDATE kernel_clock SET kernel=4 WHERE id=0", "kernel_clock 1: more than 1 rows belong together"},
        {"UPDATE kernel_clock SET cost_ns=-1 WHERE id=0", "kernel_clock 0: cost_ns: -1 is not in"},
        {"UPDATE kernel_clock SET cost_low_ns=cost_ns+1 WHERE id=0",
         "kernel_clock 0: what the clock added is not between its bounds"},
        {"UPDATE kernel_clock SET cost_high_ns=cost_ns-1 WHERE id=0",
         "kernel_clock 0: what the clock added is not between its bounds"},
        {"UPDATE kernel_clock SET cost_ns=NULL, cost_ns_missing=0 WHERE id=0",
         "kernel_clock 0: what the clock added is not between its bounds"},
        {"UPDATE counted SET kernel=5 WHERE id=0", "counted 1: it does not stand in the order of kernels"},
        {"UPDATE counted SET kernel=99 WHERE id=2", "refers to a row of kernel that is not there"},
        {"UPDATE counted SET pass=3 WHERE id=2", "refers to a row of pass that is not there"},
        {"UPDATE counted SET pass=0 WHERE id=0", "counted 0: its pass was made on another GPU"},
        {"UPDATE counted SET lowest=highest+1 WHERE id=0", "counted 0: the lowest value is above the highest"},
        {"UPDATE counted SET lowest=NULL, lowest_missing=0 WHERE id=0", "counted 0: the lowest value is above the highest"},
        {"UPDATE counted SET launches=-1 WHERE id=0", "counted 0: launches: -1 is not in"},
    };
    assert_edits_are_refused(edits, RL_COUNT(edits));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_survives),
        cmocka_unit_test(optional_tables_may_be_missing),
        cmocka_unit_test(wrong_rows_are_refused),
        cmocka_unit_test(wrong_samples_of_moments_are_refused),
        cmocka_unit_test(wrong_idle_time_by_range_is_refused),
        cmocka_unit_test(wrong_clocks_and_counts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
