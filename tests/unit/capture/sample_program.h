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

/* The sample with everything that an observed program adds. */
static inline struct rl_capture *sample_program(void)
{
    struct rl_capture *capture = sample_capture();
    sample_processes(capture);
    sample_transfers(capture);
    sample_ranges(capture);
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
