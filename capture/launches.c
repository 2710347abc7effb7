/* Launches of imported captures, each as a kernel: every result of kernels is there for them, too. */
#include "capture/capture.h"

static void set_time(struct rl_capture *capture, struct rl_kernel *kernel, double ns)
{
    if (kernel->duration_count || !(ns >= 0.5 && ns < 4e18))
        return; /* the first one counts, as it does of counters */
    kernel->duration_ns = rl_arena_alloc(&capture->arena, sizeof *kernel->duration_ns);
    kernel->duration_ns[0] = kernel->total_ns = (uint64_t)llround(ns);
    kernel->duration_count = 1;
    kernel->timing = rl_capture_text(capture, "of the launch with the counters");
}

/* The launch whose counters these are. */
static void add_launch(struct rl_capture *capture, const struct rl_kernel *class, const struct rl_launch_counter *counters,
                       size_t count)
{
    struct rl_kernel *kernel = rl_capture_add_kernel(capture);
    const size_t number = capture->kernel_count - 1;

    kernel->gpu = class->gpu;
    kernel->name = rl_capture_text(capture, class->name);
    kernel->mangled = rl_capture_text(capture, class->mangled);
    memcpy(kernel->grid, class->grid, sizeof kernel->grid);
    memcpy(kernel->block, class->block, sizeof kernel->block);
    kernel->dynamic_shared_bytes = class->dynamic_shared_bytes;
    kernel->static_shared_bytes = rl_capture_value(capture, class->static_shared_bytes);
    kernel->registers_per_thread = rl_capture_value(capture, class->registers_per_thread);
    kernel->local_bytes_per_thread = rl_capture_value(capture, class->local_bytes_per_thread);
    kernel->launches = 1;
    /* "launch 12", behind the run where there is one. */
    RL_SCRATCH text = RL_BUF_INIT;

    rl_buf_addf(&text, "%s%slaunch %" PRIu64, class->nvtx ? class->nvtx : "", class->nvtx ? ", " : "", counters->launch);
    kernel->nvtx = rl_capture_text(capture, text.data);
    for (size_t i = 0; i < count; i++) {
        struct rl_counter *counter = rl_capture_add_counter(capture, number);
        counter->kind = counters[i].counter.kind;
        counter->name = rl_capture_text(capture, counters[i].counter.name);
        counter->value = rl_capture_value(capture, counters[i].counter.value);
        if (rl_present(counter->value) && strcmp(counter->name, RL_LAUNCH_TIME) == 0)
            set_time(capture, &capture->kernels[number], counter->value.v);
    }
}

struct rl_capture *rl_capture_of_launches(const struct rl_capture *capture)
{
    struct rl_capture shared = {.session = capture->session,
                                .gpus = capture->gpus,
                                .gpu_count = capture->gpu_count,
                                .ceilings = capture->ceilings,
                                .ceiling_count = capture->ceiling_count,
                                .log = capture->log,
                                .log_count = capture->log_count};
    struct rl_capture *launches = rl_capture_merge((struct rl_capture *[]){&shared}, 1);

    for (size_t i = 0; i < capture->kernel_count; i++) {
        const struct rl_kernel *class = &capture->kernels[i];
        const struct rl_launch_counter *counters = class->launch_counters;
        for (size_t first = 0, end; first < class->launch_counter_count; first = end) {
            for (end = first + 1; end < class->launch_counter_count && counters[end].launch == counters[first].launch; end++)
                ;
            add_launch(launches, class, counters + first, end - first);
        }
    }
    return launches;
}
