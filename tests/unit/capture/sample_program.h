/* sample_program.h - the tables of an observed program: two processes, three transfers, a tree of ranges, two kernel classes. */
#ifndef RL_TEST_CAPTURE_SAMPLE_PROGRAM_H
#define RL_TEST_CAPTURE_SAMPLE_PROGRAM_H

#include "sample.h"

static inline void sample_processes(struct rl_capture *capture)
{
    for (unsigned i = 0; i < 2; i++) {
        struct rl_process *process = rl_capture_add_process(capture);
        *process = (struct rl_process){.pid = 4000 + i, .parent_pid = 3999, .launches = 1000000, .untimed = 70 * i, .lost = i};
        process->host = rl_capture_text(capture, i ? "node7" : NULL);
        process->rank = rl_capture_text(capture, i ? "3" : NULL);
        process->command = rl_capture_text(capture, "python3 train.py");
        process->end = rl_capture_text(capture, i ? "killed" : "exited");
        process->status = i ? 9 : 0;
        process->phases = rl_capture_text(capture, "times only");
        process->unselected = 5;
        process->unselected_ns = UINT64_C(1) << 40;
        for (size_t gpu = 0; gpu <= i; gpu++)
            *rl_capture_add_process_gpu(capture, i) = (struct rl_process_gpu){gpu, 1000, 900 + gpu, 1200};
    }
}

static inline void sample_transfers(struct rl_capture *capture)
{
    static const char *const ways[][2] = {{"to device", "pageable"}, {"to host", "pinned"}, {"set", "device"}};
    for (size_t i = 0; i < RL_COUNT(ways); i++) {
        struct rl_transfer *transfer = rl_capture_add_transfer(capture);
        transfer->process = i > 0;
        transfer->direction = rl_capture_text(capture, ways[i][0]);
        transfer->memory = rl_capture_text(capture, ways[i][1]);
        transfer->count = i + 1;
        transfer->bytes = UINT64_C(1) << 33;
        transfer->total_ns = 123456;
        if (i == 1)
            transfer->slowest = transfer->fastest = rl_value_of(55.25e9);
    }
}

static inline void sample_ranges(struct rl_capture *capture)
{
    static const struct {
        size_t process, parent;
        const char *domain, *name;
    } rows[] = {{0, RL_NONE, NULL, "step"}, {0, 0, NULL, "forward"}, {0, 1, "nccl", ""}, {1, RL_NONE, NULL, "step"}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_range *range = rl_capture_add_range(capture);
        *range =
            (struct rl_range){.process = rows[i].process, .parent = rows[i].parent, .instances = 7, .host_ns = i, .launches = 9};
        range->domain = rl_capture_text(capture, rows[i].domain);
        range->name = rl_capture_text(capture, rows[i].name);
        range->gpu_ns = 1000 * i;
    }
}

/* Both directions between two GPUs, and from the host to the first. */
static inline void sample_links(struct rl_capture *capture)
{
    static const struct {
        size_t from_gpu, to_gpu;
        const char *via, *access, *failure;
    } rows[] = {{0, 1, "nvswitch", "yes", NULL}, {1, 0, "host", "not supported", "it hangs"}, {RL_NONE, 0, "pcie", NULL, NULL}};
    for (size_t i = 0; i < RL_COUNT(rows); i++) {
        struct rl_link *link = rl_capture_add_link(capture);
        link->from_gpu = rows[i].from_gpu;
        link->to_gpu = rows[i].to_gpu;
        link->via = rl_capture_text(capture, rows[i].via);
        link->access = rl_capture_text(capture, rows[i].access);
        link->failure = rl_capture_text(capture, rows[i].failure);
        link->topology = rl_capture_text(capture, i < 2 ? "SYS" : NULL);
        if (i == 0)
            link->nvlinks = rl_value_of(18), link->nvlink_version = rl_value_of(4), link->nvlink_rate = rl_value_of(26.562e9);
        else
            link->pcie_generation = rl_value_of(5), link->pcie_width = rl_value_of(16);
        struct rl_link_run *run = rl_capture_add_link_run(capture);
        *run = (struct rl_link_run){.link = i, .bytes = UINT64_C(1) << 28, .copies = 2 + i, .duration_count = 4 * i};
        run->traffic = rl_capture_text(capture, i == 0 ? "both ways" : i == 1 ? "alone" : "together");
        run->duration_ns = rl_arena_alloc(&capture->arena, run->duration_count * sizeof *run->duration_ns);
        for (size_t k = 0; k < run->duration_count; k++)
            run->duration_ns[k] = 1000 + 7 * k;
    }
}

static inline void assert_same_links(const struct rl_capture *a, const struct rl_capture *b)
{
    assert_int_equal(a->link_count, b->link_count);
    for (size_t i = 0; i < a->link_count; i++) {
        const struct rl_link *x = &a->links[i], *y = &b->links[i];
        assert_true(x->from_gpu == y->from_gpu && x->to_gpu == y->to_gpu);
        assert_same_text(x->via, y->via);
        assert_same_text(x->topology, y->topology);
        assert_same_text(x->access, y->access);
        assert_same_text(x->failure, y->failure);
        assert_same_value(x->nvlinks, y->nvlinks);
        assert_same_value(x->nvlink_version, y->nvlink_version);
        assert_same_value(x->nvlink_rate, y->nvlink_rate);
        assert_same_value(x->pcie_generation, y->pcie_generation);
        assert_same_value(x->pcie_width, y->pcie_width);
    }
    assert_int_equal(a->link_run_count, b->link_run_count);
    for (size_t i = 0; i < a->link_run_count; i++) {
        const struct rl_link_run *x = &a->link_runs[i], *y = &b->link_runs[i];
        assert_true(x->link == y->link && x->bytes == y->bytes && x->copies == y->copies);
        assert_same_text(x->traffic, y->traffic);
        assert_int_equal(x->duration_count, y->duration_count);
        for (size_t k = 0; k < x->duration_count; k++)
            assert_true(x->duration_ns[k] == y->duration_ns[k]);
    }
}

/* The sample with everything that an observed program and links add. */
static inline struct rl_capture *sample_program(void)
{
    struct rl_capture *capture = sample_capture();
    sample_processes(capture);
    sample_transfers(capture);
    sample_ranges(capture);
    sample_links(capture);
    for (size_t i = 0; i < 2; i++)
        *rl_capture_add_use(capture) =
            (struct rl_kernel_use){.kernel = 3 + i,
                                   .timed = 40,
                                   .min_ns = 10,
                                   .max_ns = 20,
                                   .deviation_ns = 2.5,
                                   .graph = 4,
                                   .cluster = {2, 1, 1},
                                   .counted = i,
                                   .uncounted = rl_capture_text(capture, i ? NULL : "a collective kernel")};
    return capture;
}

static inline void assert_same_processes(const struct rl_capture *a, const struct rl_capture *b)
{
    assert_int_equal(a->process_count, b->process_count);
    for (size_t i = 0; i < a->process_count; i++) {
        const struct rl_process *x = &a->processes[i], *y = &b->processes[i];
        assert_true(x->pid == y->pid && x->parent_pid == y->parent_pid && x->status == y->status && x->launches == y->launches);
        assert_true(x->untimed == y->untimed && x->lost == y->lost);
        assert_true(x->unselected == y->unselected && x->unselected_ns == y->unselected_ns);
        assert_same_text(x->host, y->host);
        assert_same_text(x->rank, y->rank);
        assert_same_text(x->command, y->command);
        assert_same_text(x->end, y->end);
        assert_same_text(x->phases, y->phases);
        assert_int_equal(x->gpu_count, y->gpu_count);
        assert_memory_equal(x->gpus, y->gpus, x->gpu_count * sizeof *x->gpus);
    }
}

static inline void assert_same_program(const struct rl_capture *a, const struct rl_capture *b)
{
    assert_same_processes(a, b);
    assert_same_links(a, b);
    assert_int_equal(a->transfer_count, b->transfer_count);
    for (size_t i = 0; i < a->transfer_count; i++) {
        const struct rl_transfer *x = &a->transfers[i], *y = &b->transfers[i];
        assert_true(x->process == y->process && x->gpu == y->gpu && x->count == y->count && x->bytes == y->bytes);
        assert_true(x->total_ns == y->total_ns);
        assert_same_text(x->direction, y->direction);
        assert_same_text(x->memory, y->memory);
        assert_same_value(x->slowest, y->slowest);
        assert_same_value(x->fastest, y->fastest);
    }
    assert_int_equal(a->range_count, b->range_count);
    for (size_t i = 0; i < a->range_count; i++) {
        const struct rl_range *x = &a->ranges[i], *y = &b->ranges[i];
        assert_true(x->process == y->process && x->parent == y->parent && x->instances == y->instances && x->host_ns == y->host_ns);
        assert_true(x->launches == y->launches && x->gpu_ns == y->gpu_ns);
        assert_same_text(x->domain, y->domain);
        assert_same_text(x->name, y->name);
    }
    assert_int_equal(a->use_count, b->use_count);
    for (size_t i = 0; i < a->use_count; i++) {
        const struct rl_kernel_use *x = &a->uses[i], *y = &b->uses[i];
        assert_true(x->kernel == y->kernel && x->timed == y->timed && x->min_ns == y->min_ns && x->max_ns == y->max_ns);
        assert_true(x->deviation_ns == y->deviation_ns && x->graph == y->graph && x->counted == y->counted);
        assert_memory_equal(x->cluster, y->cluster, sizeof x->cluster);
        assert_same_text(x->uncounted, y->uncounted);
    }
}

#endif
