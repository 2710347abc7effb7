/* Parts of the injected object by themselves: time that a GPU was busy, patterns of ranges, names, classes and their samples. */
#include "rl_test.h"

#include <sys/resource.h>

#include <elf.h>
#include <string.h>

#include "core/kernel_names.h"
#include "core/mem.h"
#include "counts.h"
#include "lanes.h"
#include "pc.h"
#include "ranges.h"

static void busy_time_is_the_union(void **state)
{
    (void)state;
    busy_add(0, 1000, 2000, true);
    busy_add(0, 1500, 2500, true);  /* overlaps */
    busy_add(0, 4000, 5000, false); /* a copy */
    busy_add(0, 3000, 3500, true);  /* arrives late */
    busy_add(0, 2500, 3000, true);  /* touches both neighbours */
    busy_add(0, 0, 9000, true);     /* CUPTI could not tell when it began */
    struct busy_totals totals = busy_of(0);
    assert_int_equal(totals.span_ns, 4000);
    assert_int_equal(totals.busy_ns, 3500);
    assert_int_equal(totals.kernel_ns, 3000);
}

static void a_million_intervals_need_no_memory(void **state)
{
    (void)state;
    for (uint64_t i = 1; i <= 1000000; i++)
        busy_add(1, 10 * i, 10 * i + 6, true);
    struct busy_totals totals = busy_of(1);
    assert_int_equal(totals.busy_ns, 6000000);
    assert_int_equal(totals.span_ns, 9999996);
}

static void time_without_records_is_neither(void **state)
{
    (void)state;
    busy_add(2, 1000, 2000, true);
    busy_cut();
    busy_add(2, 50000, 51000, true);
    struct busy_totals totals = busy_of(2);
    assert_int_equal(totals.span_ns, 2000);
    assert_int_equal(totals.busy_ns, 2000);
}

/* Kernels in any order of a few: each moment counts once. */
static void a_span_has_gaps(void **state)
{
    (void)state;
    static const struct {
        uint64_t kernels[5][2], begin, end, gap;
    } rows[] = {
        {{{10, 20}}, 10, 20, 0},
        {{{10, 20}, {30, 40}}, 10, 40, 10},
        {{{10, 20}, {15, 40}, {12, 13}}, 10, 40, 0},
        {{{30, 40}, {10, 20}}, 10, 40, 10},
        {{{10, 20}, {50, 60}, {30, 40}}, 10, 60, 20},
        {{{10, 11}, {50, 60}, {20, 100}}, 10, 100, 9}, /* a long one behind a short one that began later */
        {{{10, 20}, {30, 40}, {50, 60}, {70, 80}, {5, 90}}, 5, 90, 0},
        {{{10, 20}, {20, 30}}, 10, 30, 0},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct kernel_span span = {0};
        for (size_t k = 0; k < 5 && rows[i].kernels[k][1]; k++)
            kernel_span_add(&span, rows[i].kernels[k][0], rows[i].kernels[k][1]);
        if (span.begin_ns != rows[i].begin || span.end_ns != rows[i].end || span.gap_ns != rows[i].gap)
            fail_msg("row %zu: %d to %d with %d of gaps", i, (int)span.begin_ns, (int)span.end_ns, (int)span.gap_ns);
    }
}

/* ---- what a GPU did over time ---- */

enum { WIDE = 1 << 16 }; /* the least width of a bin, ns */
static const uint64_t BEGIN = 1000000;

static void ran(uint32_t gpu, enum rl_lane lane, uint64_t from, uint64_t to, struct class *class)
{
    lanes_add(&(struct activity){
        .gpu = gpu, .lane = lane, .start_ns = BEGIN + from, .end_ns = BEGIN + to, .class = class, .range = RL_STREAM_NO_RANGE});
}

static void begin_lanes(void)
{
    atomic_store(&alive, true);
    if (!hold())
        fail();
}

static uint64_t sum_of_lane(uint32_t gpu, enum rl_lane lane)
{
    uint64_t sum = 0;
    for (size_t bin = 0; bin < RL_STREAM_LANE_BINS; bin++)
        sum += lanes_bin(gpu, lane, bin);
    return sum;
}

/* Unions count a moment once, the others each launch and copy; what two unions share follows from a third. */
static void lanes_are_unions_and_sums(void **state)
{
    (void)state;
    struct class class = {.id = 1}, gather = {.id = 2};
    begin_lanes();
    ran(20, RL_LANE_COMPUTE, 0, WIDE / 2, &class);
    ran(20, RL_LANE_COMPUTE, WIDE / 4, WIDE + 100, &class); /* beside the first one, and into the next bin */
    ran(20, RL_LANE_COLLECTIVES, WIDE, WIDE + 300, &gather);
    ran(20, RL_LANE_TO_DEVICE, WIDE + 200, WIDE + 1000, NULL);
    ran(20, RL_LANE_TO_HOST, WIDE + 900, WIDE + 1100, NULL);
    lanes_flush(true);
    assert_int_equal(lanes_width(20), WIDE);
    assert_int_equal(lanes_bin(20, RL_LANE_KERNELS, 0), WIDE);
    assert_int_equal(lanes_bin(20, RL_LANE_KERNELS, 1), 300);
    assert_int_equal(lanes_bin(20, RL_LANE_COMPUTE, 1), 100);
    assert_int_equal(lanes_bin(20, RL_LANE_COLLECTIVES, 1), 300);
    assert_int_equal(lanes_bin(20, RL_LANE_COPIES, 1), 900);
    assert_int_equal(lanes_bin(20, RL_LANE_BUSY, 1), 1100);
    assert_int_equal(lanes_bin(20, RL_LANE_TO_DEVICE, 1), 800);
    assert_int_equal(lanes_bin(20, RL_LANE_TO_HOST, 1), 200);
    assert_int_equal(sum_of_lane(20, RL_LANE_CLASS), WIDE / 2 + 3 * WIDE / 4 + 100 + 300);
    let_go();
}

/* Counters are taken after a copy and before the first kernel that is timed: that time is counter collection, not idle. */
static void collection_before_the_first_kernel_is_seen(void **state)
{
    (void)state;
    struct class class = {.id = 1};
    begin_lanes();
    ran(23, RL_LANE_TO_DEVICE, 0, 1000, NULL);
    lanes_cut();
    ran(23, RL_LANE_COMPUTE, 5000, 6000, &class);
    ran(23, RL_LANE_COMPUTE, 6500, 7000, &class);
    lanes_flush(true);
    assert_int_equal(sum_of_lane(23, RL_LANE_UNWATCHED), 4000);
    assert_int_equal(sum_of_lane(23, RL_LANE_IDLE_UNKNOWN), 500);
    let_go();
}

/* A run that outlasts its bins doubles their width; nothing is lost, whatever the order of the records. */
static void bins_fold(void **state)
{
    (void)state;
    struct class class = {.id = 1};
    uint64_t total = 0;
    begin_lanes();
    for (uint64_t i = 0; i < 4 * RL_STREAM_LANE_BINS; i++) {
        const uint64_t at = (i ^ 1) * WIDE; /* each pair comes in the wrong order */
        ran(21, RL_LANE_COMPUTE, at + (i == 1 ? 0 : 10), at + 1000, &class);
        total += 1000 - (i == 1 ? 0 : 10);
    }
    lanes_flush(true);
    assert_int_equal(lanes_width(21), 4 * WIDE);
    assert_int_equal(sum_of_lane(21, RL_LANE_KERNELS), total);
    assert_int_equal(sum_of_lane(21, RL_LANE_CLASS), total);
    assert_int_equal(lanes_bin(21, RL_LANE_KERNELS, 1), 4 * 990);
    assert_int_equal(sum_of_lane(21, RL_LANE_IDLE_UNKNOWN) + total, (4 * RL_STREAM_LANE_BINS - 1) * (uint64_t)WIDE + 1000);
    let_go();
}

/* A class that comes late and takes long has a lane of its own; what it took that from counts among the others. */
static void long_classes_have_lanes(void **state)
{
    (void)state;
    struct class classes[CLASS_LANES + 1] = {0};
    uint64_t at = 0, total = 0;
    begin_lanes();
    for (size_t i = 0; i <= CLASS_LANES; i++) {
        const uint64_t lasts = i < CLASS_LANES ? 1000 + i : 5000;
        classes[i].total_ns = lasts;
        ran(22, RL_LANE_COMPUTE, at, at + lasts, &classes[i]);
        at += lasts;
        total += lasts;
    }
    lanes_flush(true);
    assert_int_equal(sum_of_lane(22, RL_LANE_OTHER_CLASSES), 1000);
    assert_int_equal(sum_of_lane(22, RL_LANE_CLASS), total - 1000);
    let_go();
}

/* The time between two kernels by what the second one's launch says. */
static void idle_time_has_causes(void **state)
{
    (void)state;
    static struct idle idle;
    static struct bins bins;
    struct idle_end end = {.range = 7, .call = {.called_ns = 800, .waited_from_ns = 350, .waited_to_ns = 500}};
    bins_reach(&bins, 0, 10000);
    idle_copy(&idle, 150, 200);
    idle_copy(&idle, 180, 300);
    idle_copy(&idle, 900, 1200); /* goes on beside the kernel */
    idle_close(&idle, &bins, 100, 1000, &end);
    assert_int_equal(bins.lanes[RL_LANE_IDLE_COPY].total_ns, 150 + 100);
    assert_int_equal(bins.lanes[RL_LANE_IDLE_WAIT].total_ns, 150);
    assert_int_equal(bins.lanes[RL_LANE_IDLE_LAUNCH].total_ns, 100);
    assert_int_equal(bins.lanes[RL_LANE_IDLE_HOST].total_ns, 50 + 50 + 300);
    end.call = (struct call_times){.called_ns = 50}; /* the launch waited in the queue: all of it is latency */
    idle_close(&idle, &bins, 1100, 1300, &end);
    assert_int_equal(bins.lanes[RL_LANE_IDLE_COPY].total_ns, 250 + 100);
    assert_int_equal(bins.lanes[RL_LANE_IDLE_LAUNCH].total_ns, 100 + 100);
    end.cut = true;
    idle_close(&idle, &bins, 2000, 2500, &end);
    end = (struct idle_end){.range = 7};
    idle_close(&idle, &bins, 3000, 3007, &end);
    assert_int_equal(bins.lanes[RL_LANE_UNWATCHED].total_ns, 500);
    assert_int_equal(bins.lanes[RL_LANE_IDLE_UNKNOWN].total_ns, 7);
    for (size_t i = 0; i < IDLE_SLOTS; i++)
        if (idle.sums[i].used && idle.sums[i].lane == RL_LANE_IDLE_LAUNCH) {
            assert_int_equal(idle.sums[i].range, 7);
            assert_int_equal(idle.sums[i].count, 2);
            assert_int_equal(idle.sums[i].longest_ns, 100);
        }
}

/* Time between kernels is in the lane of the range whose launch ended it, and in no other; what was not watched is in none. */
static void idle_time_has_ranges(void **state)
{
    (void)state;
    static struct idle idle;
    static struct bins bins;
    struct idle_end end = {.range = 7, .call = {.called_ns = 1500}};
    bins_reach(&bins, 0, 3 * WIDE);
    idle_copy(&idle, 1200, 1300);
    idle_close(&idle, &bins, 1000, 2000, &end); /* work, a copy, work, latency */
    end.range = 0;
    idle_close(&idle, &bins, WIDE - 10, WIDE + 20, &end);
    end.range = RL_STREAM_NO_RANGE;
    idle_close(&idle, &bins, 2 * WIDE, 2 * WIDE + 400, &end);
    end = (struct idle_end){.range = 7, .cut = true};
    idle_close(&idle, &bins, 2 * WIDE + 500, 2 * WIDE + 600, &end);
    assert_int_equal(bins_range_of(&bins, 7, 0), FIRST_RANGE);
    assert_int_equal(bins_range_of(&bins, 0, 0), FIRST_RANGE + 1);
    assert_int_equal(bins.lanes[FIRST_RANGE].ns[0], 1000);
    assert_int_equal(bins.lanes[FIRST_RANGE].total_ns, 1000);
    assert_int_equal(bins.lanes[FIRST_RANGE + 1].ns[0], 10);
    assert_int_equal(bins.lanes[FIRST_RANGE + 1].ns[1], 20);
    assert_int_equal(bins.lanes[NO_RANGE].ns[2], 400);
    assert_int_equal(bins.lanes[NO_RANGE].total_ns, 400);
    assert_false(bins.lanes[OTHER_RANGES].used);
    uint64_t all = 0;
    for (size_t lane = 0; lane < RL_COUNT(bins.lanes); lane++)
        all += bins.lanes[lane].total_ns;
    assert_int_equal(all, 2 * (1000 + 30 + 400) + 100); /* each by cause and by range, what was not watched once */
}

/* A range that comes late gets a lane when it has twice as much as the one with the least, whose time then is among the others. */
static void long_ranges_have_lanes(void **state)
{
    (void)state;
    static struct idle idle;
    static struct bins bins;
    uint64_t at = 0, total = 0;
    bins_reach(&bins, 0, 100 * WIDE);
    for (int32_t range = 0; range <= RANGE_LANES + 1; range++)
        for (int times = 0; times < (range < RANGE_LANES ? 1 : 4); times++) {
            const uint64_t lasts = range < RANGE_LANES ? 1000 + (uint64_t)range : range == RANGE_LANES ? 700 : 400;
            idle_close(&idle, &bins, at, at + lasts, &(struct idle_end){.range = range});
            at += lasts + 10;
            total += lasts;
        }
    /* the first one too many has 2,100 when it gets the lane of range 0; the next one never has more than 2 x 700 */
    assert_int_equal(bins.lanes[FIRST_RANGE].range, RANGE_LANES);
    assert_int_equal(bins.lanes[FIRST_RANGE].total_ns, 700);
    assert_int_equal(bins.lanes[OTHER_RANGES].total_ns, 1000 + 3 * 700 + 4 * 400);
    uint64_t sum = bins.lanes[OTHER_RANGES].total_ns;
    for (size_t lane = FIRST_RANGE; lane < LANES; lane++)
        sum += bins.lanes[lane].total_ns;
    assert_int_equal(sum, total);
    assert_int_equal(bins.lanes[RL_LANE_IDLE_UNKNOWN].total_ns, total);
}

/* What the callback knew of the times of a call comes back with its record, and an older one's does not. */
static void calls_are_found_again(void **state)
{
    (void)state;
    struct origin found = {0};
    begin_lanes();
    assert_true(origins_open());
    origin_note(5, (struct origin){.range = RL_STREAM_NO_RANGE, .instance = 99999, .call = {1000000, 900096, 990016}});
    assert_true(origin_find(5, &found));
    assert_int_equal(found.call.called_ns, 1000000);
    assert_int_equal(found.instance, 99999);
    assert_in_range(found.call.waited_from_ns, 900096 - 128, 900096 + 128); /* kept in steps of 64 ns */
    assert_in_range(found.call.waited_to_ns, 990016 - 64, 990016 + 64);
    origin_note(5, (struct origin){.range = RL_STREAM_NO_RANGE, .call = {2000000, 0, 0}});
    assert_true(origin_find(5, &found));
    assert_true(found.call.waited_to_ns < 64);
    let_go();
}

/* There is no stream here, so no batch has room: what is dropped, and what ran while nothing was timed, is missing. */
static void launches_without_room_are_missing(void **state)
{
    (void)state;
    uint64_t from_ns = 0, to_ns = 0;
    atomic_store(&alive, true);
    if (!hold())
        fail();
    spans_add(0, 1, false, 1000, 2000);
    spans_flush();
    assert_false(spans_missing(0, &from_ns, &to_ns)); /* nobody has asked */
    settings.launches = 1;
    spans_add(0, 1, false, 1000, 2000);
    spans_add(0, RL_STREAM_NO_CLASS, false, 5000, 9000);
    assert_false(spans_missing(0, &from_ns, &to_ns));
    spans_flush();
    assert_true(spans_missing(0, &from_ns, &to_ns));
    assert_int_equal(from_ns, 1000);
    assert_int_equal(to_ns, 9001);
    spans_add(1, 1, false, 10000, 20000);
    spans_cut();
    spans_add(1, 1, false, 50000, 60000);
    assert_true(spans_missing(1, &from_ns, &to_ns));
    assert_int_equal(from_ns, 20000);
    assert_int_equal(to_ns, 50000);
    spans_add(2, 1, false, 0, 60000); /* CUPTI could not tell when */
    spans_add(2, 1, false, 70000, 80000);
    assert_true(spans_missing(2, &from_ns, &to_ns));
    assert_int_equal(to_ns, 70000);
    settings.launches = 0;
    let_go();
}

static void patterns_of_ranges(void **state)
{
    (void)state;
    static const struct path_step path[] = {{NULL, "epoch 1"}, {NULL, "step"}, {"nccl", "all/reduce"}};
    static const struct {
        const char *pattern;
        bool matches;
    } rows[] = {
        {"step", true},          {"epoch*", true},    {"epoch 1/step", true},    {"epoch 1/*/all?reduce", true},
        {"epoch 1/all*", false}, {"step/", true},     {"nccl@all*", true},       {"nccl@step", false},
        {"other@*", false},      {"n*@all*", true},   {"epoch 1/step/x", false}, {"", false},
        {"ste", false},          {"step/all*", true},
    };
    for (size_t i = 0; i < RL_COUNT(rows); i++)
        if (select_path_matches(rows[i].pattern, path, RL_COUNT(path)) != rows[i].matches)
            fail_msg("'%s' should %smatch", rows[i].pattern, rows[i].matches ? "" : "not ");
}

static void collective_kernels_are_known_by_name(void **state)
{
    (void)state;
    static const char *const waiting[] = {"_Z40ncclDevKernel_AllReduce_Sum_f32_RING_LL24ncclDevKernelArgsStorageILm4096EE",
                                          "ncclKernel_AllGather", "_ZN8nvshmemi7barrierEv", "nvshmemx_collective"};
    static const char *const free[] = {"_Z5triadPKfS0_Pf", "_Z11my_nccl_thingv", "", "_Z", "volta_sgemm_128x64_nn"};
    for (size_t i = 0; i < RL_COUNT(waiting); i++)
        assert_true(rl_is_collective_name(waiting[i]));
    for (size_t i = 0; i < RL_COUNT(free); i++)
        assert_false(rl_is_collective_name(free[i]));
}

static void classes_are_told_apart(void **state)
{
    (void)state;
    char name[] = "_Z1av";
    struct shape shape = {.gpu = 0, .grid = {1, 1, 1}, .block = {32, 1, 1}};
    struct class *first = class_of(name, &shape);
    assert_ptr_equal(first, class_of("_Z1av", &shape));
    shape.dynamic_shared_bytes = 1;
    assert_ptr_not_equal(first, class_of("_Z1av", &shape));
    shape.dynamic_shared_bytes = 0;
    name[3] = 'b'; /* another name at the same address */
    assert_ptr_not_equal(first, class_of(name, &shape));
    assert_string_equal(first->name, "_Z1av");
}

/* Mean, extremes and deviation of 1, 2, ..., 1000 ns, by formula: (n^2 - 1) / 12 is the variance. */
static void totals_of_a_class(void **state)
{
    (void)state;
    struct shape shape = {.gpu = 3, .grid = {7, 1, 1}, .block = {32, 1, 1}};
    struct class *class = class_of("_Z5totalv", &shape);
    for (uint64_t i = 1; i <= 1000; i++)
        class_time(class, 10 * i, (struct timed){.duration_ns = i}, i % 4 == 0);
    assert_int_equal(class->timed, 1000);
    assert_int_equal(class->graph, 250);
    assert_int_equal(class->total_ns, 500500);
    assert_int_equal(class->min_ns, 1);
    assert_int_equal(class->max_ns, 1000);
    assert_close(class->squares, 1000 * (1e6 - 1) / 12, 1e-9);
}

/* A module with a table of lines, and the same cut short or bent at every byte: nothing outside of it is read. */
static void modules_with_lines(void **state)
{
    static const char names[] = "\0.shstrtab\0.debug_line";
    struct {
        Elf64_Ehdr head;
        Elf64_Shdr sections[2];
        char names[sizeof names];
    } module = {.head = {.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 2}};
    (void)state;
    memcpy(module.head.e_ident, ELFMAG, SELFMAG);
    memcpy(module.names, names, sizeof names);
    module.head.e_ident[EI_CLASS] = ELFCLASS64;
    module.head.e_shoff = sizeof module.head;
    module.sections[0] =
        (Elf64_Shdr){.sh_name = 1, .sh_offset = (uint64_t)(module.names - (char *)&module), .sh_size = sizeof names};
    module.sections[1] = (Elf64_Shdr){.sh_name = 11, .sh_size = 8};
    assert_true(module_has_lines((const char *)&module, sizeof module));
    for (size_t size = 0; size < (size_t)(module.names - (char *)&module) + sizeof names; size++) {
        char *cut = malloc(size + 1);
        memcpy(cut, &module, size);
        assert_false(module_has_lines(cut, size));
        free(cut);
    }
    for (size_t at = 0; at < sizeof module; at++) {
        char *bent = malloc(sizeof module);
        memcpy(bent, &module, sizeof module);
        bent[at] = (char)0xff;
        (void)module_has_lines(bent, sizeof module);
        free(bent);
    }
    module.sections[1].sh_size = 0;
    assert_false(module_has_lines((const char *)&module, sizeof module));
}

/* Where the system has no memory left, what is under way has some all the same, and observation stops. */
static void memory_that_runs_out_ends_nothing(void **state)
{
    (void)state;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* its allocator ends the process */
#endif
    enum { LARGE = 200000, LEAST = 4096, MOST_BLOCKS = 1000 };
    size_t blocks = 0;
    struct rlimit before;
    void *taken = NULL, *block;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    assert_int_equal(setrlimit(RLIMIT_AS, &(struct rlimit){0, before.rlim_max}), 0);
    assert_true(memory_is_scarce());
    for (size_t bytes = 1 << 20; bytes >= LEAST; bytes /= 2)
        for (; blocks < MOST_BLOCKS && (block = malloc(bytes)); taken = block, blocks++)
            *(void **)block = taken; /* all that the heap has */
    atomic_store(&alive, true);
    char *first = rl_calloc(LARGE, 1), *second = rl_calloc(LARGE / 2, 1);
    const bool stopped = !atomic_load(&alive);
    bool zeroed = true;
    for (size_t i = 0; i < LARGE; i++)
        zeroed = zeroed && first[i] == 0;
    memset(second, 'x', LARGE / 2);
    second = rl_realloc(second, LARGE, 1);
    const bool kept = second[0] == 'x' && second[LARGE / 2 - 1] == 'x';
    free(first); /* is not the system's */
    free(second);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    for (; taken; taken = block) {
        block = *(void **)taken;
        free(taken);
    }
    assert_true(stopped);
    assert_true(zeroed && kept);
    char *usual = rl_realloc(rl_calloc(10, 1), 20, 1);
    free(usual);
}

/* The pass of all hardware counters takes long to set up, also on the way to another one. */
static void passes_beyond_the_hardware_are_known(void **state)
{
    enum { HARDWARE, SASS, LIMITS };
    static const struct {
        size_t next_pass; /* of limits, hardware, sass, units */
        bool open;        /* a hardware window */
        bool sass, limits;
    } rows[] = {{2, false, false, false},
                {1, true, false, false},
                {3, false, true, false},
                {1, false, true, true},
                {0, false, true, false}};
    struct rl_joint joint = {.passes = 4};
    struct rl_config configs[] = {
        [HARDWARE] = {.joint = &joint, .pass = 1}, [SASS] = {.joint = &joint, .pass = 2}, [LIMITS] = {.joint = &joint, .pass = 0}};
    struct target target = {.plan = {.configs = configs, .count = RL_COUNT(configs)}};
    (void)state;
    target.profiler.joint = &joint;
    target.profiler.object = (void *)&joint;
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        target.profiler.next_pass = rows[i].next_pass;
        window = (struct window){.target = rows[i].open ? &target : NULL, .config = HARDWARE};
        assert_int_equal(wanted_is_beyond_hardware(&target, SASS), rows[i].sass);
        assert_int_equal(wanted_is_beyond_hardware(&target, LIMITS), rows[i].limits);
    }
    window.target = NULL;
    target.profiler.object = NULL; /* every pass is the first */
    assert_false(wanted_is_beyond_hardware(&target, SASS));
}

int main(void)
{
    const char *wrong = NULL;
    rl_settings_init(&settings);
    if (!select_init(&wrong))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(busy_time_is_the_union),
        cmocka_unit_test(a_million_intervals_need_no_memory),
        cmocka_unit_test(time_without_records_is_neither),
        cmocka_unit_test(lanes_are_unions_and_sums),
        cmocka_unit_test(collection_before_the_first_kernel_is_seen),
        cmocka_unit_test(bins_fold),
        cmocka_unit_test(long_classes_have_lanes),
        cmocka_unit_test(idle_time_has_causes),
        cmocka_unit_test(a_span_has_gaps),
        cmocka_unit_test(idle_time_has_ranges),
        cmocka_unit_test(long_ranges_have_lanes),
        cmocka_unit_test(calls_are_found_again),
        cmocka_unit_test(launches_without_room_are_missing),
        cmocka_unit_test(patterns_of_ranges),
        cmocka_unit_test(collective_kernels_are_known_by_name),
        cmocka_unit_test(classes_are_told_apart),
        cmocka_unit_test(totals_of_a_class),
        cmocka_unit_test(modules_with_lines),
        cmocka_unit_test(passes_beyond_the_hardware_are_known),
        cmocka_unit_test(memory_that_runs_out_ends_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
